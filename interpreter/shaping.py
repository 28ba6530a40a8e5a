"""Shaping: which options decide what a game is made of, so that they are settled before it is lowered.

Comes in: a game. Goes out: the names of such options. An option that is drawn at random and is not among them
is drawn in play, by the game's own luck (decision 0006). What never happens: an option that stands behind a
definition is overlooked.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game
from rulewright.dsl.nodes_walk import names_in


def shaping_names(game: Game) -> set[str]:
    """The names that shape the components of a game: counts, sizes, ranges, what is used at all; also
    through definitions."""
    found = {part for board in game.boards.values() for part in board.size.split(" x ")}
    todo = [name for node in _shaping(game) if node is not None for name in names_in(node)]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        define = game.defines.get(name)
        if define is not None:
            parts = (define.body, define.by, *(value for _, _, value in define.cases))
            todo += [inner for part in parts if part is not None for inner in names_in(part)]
    return found


def _shaping(game: Game) -> Iterator[n.Node | None]:
    for kind in game.kinds.values():
        yield from (kind.used_when, kind.copies.number if kind.copies else None)
    for enum in game.enums.values():
        yield from (enum.numeric.low, enum.numeric.high) if enum.numeric else ()
    for zone in game.zones.values():
        yield zone.at_most
    yield from (rule.used_when for rule in game.rules)
    yield from (action.used_when for action in game.actions.values())
    for state in [*game.states.values(), *(s for p in game.phases.values() for s in p.states)]:
        yield from (state.low, state.high)
        if isinstance(state.type, n.NumberType):
            yield from (state.type.low, state.type.high)
    for option in game.options.values():
        yield from (option.low, option.high, option.default_expr, option.how_many)
