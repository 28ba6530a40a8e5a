"""The order in which definitions can be understood: those that others rest on come first.

Comes in: the definitions of a game. Goes out: circles among them, and for one of them all that it needs, in
order. What never happens: recursion, however long a chain of definitions is. A name counts as a use
wherever it stands, because no local name may be called like a definition.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from rulewright.dsl.cycles import knots, shortest_cycle
from rulewright.dsl.model import Game
from rulewright.dsl.nodes_walk import names_in


class DefineOrder:
    """Who uses whom among the definitions of a game."""

    def __init__(self, game: Game) -> None:
        self.uses: dict[str, tuple[str, ...]] = {}
        for define in game.defines.values():
            parts = (define.body, define.by, *(value for _, _, value in define.cases))
            words = {word for part in parts if part is not None for word in names_in(part)}
            self.uses[define.name] = tuple(name for name in game.defines if name in words)

    def edges(self) -> list[tuple[str, str]]:
        """Every use, in declared order."""
        return [(name, used) for name, all_used in self.uses.items() for used in all_used]

    def circles(self) -> list[list[str]]:
        """The sets of definitions that use each other, or themselves; each in declared order."""
        order = {name: i for i, name in enumerate(self.uses)}
        return [sorted(knot, key=order.__getitem__) for knot in knots(self.edges())]

    def shortest(self, knot: list[str]) -> list[str]:
        """The shortest circle among definitions that use each other."""
        return shortest_cycle(self.edges(), knot)

    def needed_first(self, name: str, known: Container[str]) -> list[str]:
        """`name` and all that it needs and that is not `known`, each after what it needs itself."""
        return needed_first(name, self.uses, known)


def needed_first(name: str, uses: Mapping[str, tuple[str, ...]], known: Container[str]) -> list[str]:
    """`name` and all that it uses, directly or not, and that is not `known`: each after what it uses itself.

    In a circle some name comes before one that it uses.
    """
    found: dict[str, None] = {}
    todo = [(name, False)]
    opened: set[str] = set()
    while todo:
        one, done = todo.pop()
        if done:
            found[one] = None
        elif one not in opened and one not in known:
            opened.add(one)
            todo.append((one, True))
            todo += [(used, False) for used in reversed(uses[one])]
    return list(found)
