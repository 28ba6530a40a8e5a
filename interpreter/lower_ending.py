"""Which events and changes of state may end a turn or a phase, so that what follows them must wait for
its turn.

Comes in: a game. Goes out: the names of events, actions and states whose happening may lead to `end turn`
or `end phase`, in what they do, in a rule around them, or in what these cause. What never happens: one
that may is left out. To add an effect that causes events: a case in `_caused`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game
from rulewright.dsl.nodes_walk import walk


def enders(game: Game) -> frozenset[str]:
    """The names of all events, actions and states that may end a turn or a phase."""
    blocks: dict[str, list[n.Block]] = {}
    for event in game.events.values():
        blocks.setdefault(event.name, []).append(event.do)
    for action in game.actions.values():
        blocks.setdefault(action.name, []).append(action.do)
    for rule in game.rules:
        for happening in rule.happenings:
            blocks.setdefault(happening.name, []).append(rule.do)
    causes: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, its in blocks.items():
        nodes = [node for block in its for effect in block for node in walk(effect)]
        causes[name] = set(_caused(nodes))
        if any(isinstance(node, n.End) and node.what in ("turn", "phase") for node in nodes):
            found.add(name)
    while True:
        more = {name for name, caused in causes.items() if name not in found and caused & found}
        if not more:
            return frozenset(found)
        found |= more


def may_end(block: n.Block, known: frozenset[str]) -> bool:
    """Whether a block may end a turn or a phase; `known` comes from `enders`."""
    nodes = [node for effect in block for node in walk(effect)]
    ends = any(isinstance(node, n.End) and node.what in ("turn", "phase") for node in nodes)
    return ends or any(name in known for name in _caused(nodes))


def _caused(nodes: Iterable[n.Node]) -> Iterator[str]:
    """The names of the events that effects cause, and of the states that they change."""
    for node in nodes:
        match node:
            case n.Do(event=event):
                yield event
            case n.Deal() | n.Move():
                yield "ran_out"
            case n.SetTo() | n.AddTo() | n.TakeFrom() | n.ChoosesValue() | n.EachChoosesValue():
                target = node.target
                if isinstance(target, n.Name):
                    yield target.text
                elif isinstance(target, (n.Of, n.OfEvery, n.Call)):
                    yield target.name
