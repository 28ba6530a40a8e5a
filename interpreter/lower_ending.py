"""Which events and changes of state may end a turn or a phase, so that what follows them must wait for
its turn, and which may open a window.

Comes in: a game. Goes out: the names of events, actions and states whose happening may lead to `end turn`,
`end phase` or a window, in what they do, in a rule around them, in a reaction to them, or in what these
cause. What never happens: one that may is left out. To add an effect that causes events: a case in `_caused`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game
from rulewright.dsl.nodes_walk import walk
from rulewright.interpreter.kept import once_for_game

WINDOW = "window "  # with a blank behind it, which no name has


@once_for_game
def enders(game: Game) -> frozenset[str]:
    """The names of all events, actions and states that may end a turn or a phase."""
    blocks, causes = _consequences(game)
    found = {
        name
        for name, its in blocks.items()
        if any(isinstance(node, n.End) and node.what in ("turn", "phase") for node in _nodes(its))
    }
    while True:
        more = {name for name, caused in causes.items() if name not in found and caused & found}
        if not more:
            return frozenset(found)
        found |= more


def windows_opened(game: Game, name: str) -> frozenset[str]:
    """The windows that may open because an event, action or state of that name happens or changes."""
    _, causes = _consequences(game)
    found: set[str] = set()
    todo = [name]
    while todo:
        for caused in causes.get(todo.pop(), ()):
            if caused not in found:
                found.add(caused)
                todo.append(caused)
    return frozenset(x.removeprefix(WINDOW) for x in found if x.startswith(WINDOW))


def window_of(happening: n.Happening) -> str:
    """The name of a window: one that is offered, an event, or `entering PHASE`, `leaving PHASE`."""
    return happening.name if happening.word == "event" else f"{happening.word} {happening.name}"


@once_for_game
def _consequences(game: Game) -> tuple[dict[str, list[n.Block]], dict[str, set[str]]]:
    """What each event, action and state does by itself and by rules; and the names that this leads to."""
    blocks: dict[str, list[n.Block]] = {}
    for event in game.events.values():
        blocks.setdefault(event.name, []).append(event.do)
    for action in game.actions.values():
        blocks.setdefault(action.name, []).append(action.do)
    for rule in game.rules:
        for happening in rule.happenings:
            blocks.setdefault(happening.name, []).append(rule.do)
    causes = {name: set(_caused(_nodes(its))) for name, its in blocks.items()}
    for action in game.actions.values():
        for happening in action.windows:
            window = window_of(happening)
            causes.setdefault(WINDOW + window, set()).add(action.name)
            if window in blocks:  # the window of an event opens by itself
                causes[window].add(WINDOW + window)
    return blocks, causes


def _nodes(blocks: Iterable[n.Block]) -> list[n.Node]:
    return [node for block in blocks for effect in block for node in walk(effect)]


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
            case n.Offer(window=window):
                yield WINDOW + window
            case n.Deal() | n.Move():
                yield "ran_out"
            case n.SetTo() | n.AddTo() | n.TakeFrom() | n.ChoosesValue() | n.EachChoosesValue():
                target = node.target
                if isinstance(target, n.Name):
                    yield target.text
                elif isinstance(target, (n.Of, n.OfEvery, n.Call)):
                    yield target.name
