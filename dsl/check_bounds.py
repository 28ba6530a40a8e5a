"""Whether phases come to an end: no game may go on for ever.

Comes in: a checked game. Goes out: E447 where a phase with turns can certainly never be left, W455
where nothing makes sure that it is. What never happens: a phase is called endless that says `at most`,
`until`, `repeat` or `once around`, or whose every action uses up what nothing in play gives back.
To add a way of using something up: a case in `_used_up`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Action, Game, Phase
from rulewright.dsl.never import Verdicts
from rulewright.dsl.nodes_walk import walk

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

CURE = "Say how long it may go on, as in `at most: 100 rounds, then END` with the name of an end."


def check_bounds(check: GameCheck, verdicts: Verdicts) -> None:
    """Report phases that nobody can leave, and those that need not end."""
    game = check.world.game
    stop = _stops(game, verdicts)
    for phase in game.phases.values():
        if phase.turns is None or _bounded(phase, verdicts):
            continue
        if not stop:
            check.error(
                "E447",
                phase.span,
                f"Nothing ever ends the phase `{phase.name}`: the game would go on for ever.",
                CURE,
            )
        elif not _shrinks(check, phase):
            check.problems.warning(
                "W455", phase.span, f"Nothing makes sure that the phase `{phase.name}` comes to an end.", CURE
            )


def _bounded(phase: Phase, verdicts: Verdicts) -> bool:
    turns = phase.turns
    if phase.at_most is not None or phase.repeat is not None or (turns is not None and turns.once_around):
        return True
    return phase.until is not None and verdicts.of(phase.until) is not False


def _stops(game: Game, verdicts: Verdicts) -> bool:
    """Whether anything ends the game or a phase."""
    for end in game.ends.values():
        if end.happenings or (end.condition is not None and verdicts.of(end.condition) is not False):
            return True
    ending = (n.End,)
    return any(isinstance(part, ending) and part.what in ("phase", "game") for part in _parts(game))


def _parts(game: Game) -> Iterator[n.Node]:
    for block in _play_blocks(game):
        for effect in block:
            yield from walk(effect)


def _play_blocks(game: Game) -> Iterator[n.Block]:
    """All effects but the set-up; of events, those that more than the set-up causes."""
    early = _set_up_only(game)
    for phase in game.phases.values():
        for block in (phase.on_enter, phase.do, phase.on_leave, phase.if_stuck):
            if isinstance(block, tuple):
                yield block
    for action in game.actions.values():
        yield action.do
    for rule in game.rules:
        yield rule.do
    for event in game.events.values():
        if event.name not in early:
            yield event.do


def _set_up_only(game: Game) -> set[str]:
    blocks = [a.do for a in game.actions.values()] + [r.do for r in game.rules]
    for phase in game.phases.values():
        blocks += [
            b for b in (phase.on_enter, phase.do, phase.on_leave, phase.if_stuck) if isinstance(b, tuple)
        ]
    todo = [
        part.event for block in blocks for effect in block for part in walk(effect) if isinstance(part, n.Do)
    ]
    played: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in played and name in game.events:
            played.add(name)
            todo += [p.event for e in game.events[name].do for p in walk(e) if isinstance(p, n.Do)]
    return set(game.events) - played


# ------------------------------------------------------------------- using up


def _shrinks(check: GameCheck, phase: Phase) -> bool:
    """Whether every action of the phase uses up a stock that nothing in play refills."""
    game = check.world.game
    names = [name for p in (phase, *_inner(phase)) for name, _ in p.actions]
    actions = [game.actions[name] for name in names if name in game.actions]
    if not actions:
        return False
    stock: set[str] = set()
    for action in actions:
        used = _used_up(check, action)
        if not used:
            return False
        stock |= used
    return not _refilled(check, stock)


def _inner(phase: Phase) -> Iterator[Phase]:
    for one in (*phase.each_turn, *phase.phases):
        yield one
        yield from _inner(one)


def _used_up(check: GameCheck, action: Action) -> set[str]:
    """The zones, or the supply, out of which an action takes something each time."""
    chosen = {key.name: key.chosen.selection for key in action.keys}
    for effect in action.do:
        match effect:
            case n.Place():
                return {"supply"}
            case n.Move(things=n.Name(text=name), place=place) if name in chosen:
                zones = _zones(check, chosen[name].source)
                if zones and not zones & _zones(check, place):
                    return zones
    return set()


def _refilled(check: GameCheck, stock: set[str]) -> bool:
    """Whether something in play comes into the stock from outside it. What feeds it is part of it."""
    movers = [
        p for p in _parts(check.world.game) if isinstance(p, (n.Move, n.Deal, n.Return, n.Swap, n.Show))
    ]
    known = set(stock)
    while True:
        more: set[str] = set()
        for part in movers:
            match part:
                case n.Return():
                    if "supply" in known:
                        return True
                case n.Swap(first=first, second=second):
                    if (_zones(check, first) | _zones(check, second)) & known:
                        return True
                case n.Move(things=source, place=place) | n.Deal(source=source, place=place):
                    if _zones(check, place) & known:
                        zones = _zones(check, source)
                        if not zones:
                            return True
                        more |= zones - known
        if not more:
            return False
        if "box" in more or any(zone not in check.world.game.zones for zone in more):
            return True
        known |= more


def _zones(check: GameCheck, node: n.Expr | None) -> set[str]:
    """The zones that an expression names; empty when it names a place on a board."""
    if node is None:
        return set()
    found: set[str] = set()
    for part in walk(node):
        symbol = check.out.symbols.get(id(part))
        if symbol is not None and symbol.form == "zone":
            found.add(symbol.name)
        elif symbol is not None and symbol.form == "builtin" and symbol.name == "box":
            found.add("box")
    return found
