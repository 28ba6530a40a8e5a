"""Invariants: random games in which what must always hold is looked at before every decision.

Comes in: settings. Goes out: the games in which an invariant broke or a rule failed, with seed and
choice, and how many games were played. A game stops at its first breach. Beside what a game says under
`always:`, its pieces are watched: a game cannot say it, and no rule may lose one. What never happens: a
breach without the seed that shows it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.dsl.problems import Problem
from rulewright.interpreter.match import Match
from rulewright.interpreter.state import State
from rulewright.playtest.batch import play_out, start_of_game
from rulewright.playtest.matches import ENDED, FAULT, INTERRUPTED
from rulewright.playtest.opening import Opener, open_game
from rulewright.playtest.settings import Settings
from rulewright.playtest.stopping import Stopping


@dataclass(frozen=True, slots=True)
class Breach:
    """What went wrong in a game: after `choices` choices of the game with this seed."""

    seed: int
    choices: int
    reason: str


@dataclass(frozen=True, slots=True)
class Probe:
    """What came of it. `unended` counts games that stopped without reaching an end; that is no breach."""

    games: int
    unended: int
    invariants: tuple[str, ...]
    breaches: tuple[Breach, ...]
    interrupted: bool


def probe(
    settings: Settings, opener: Opener = open_game, progress: Callable[[int, int], None] | None = None
) -> Probe | tuple[Problem, ...]:
    """Play `settings.games` games and watch the invariants; the problems if the game cannot be started."""
    game = opener(settings)
    if isinstance(game, tuple):
        return game
    breaches: list[Breach] = []
    names: tuple[str, ...] = ()
    played = unended = 0
    with Stopping() as stopping:
        for number in range(settings.games):
            match = start_of_game(settings, game, number)
            if isinstance(match, str):
                breaches.append(Breach(settings.seed + number, 0, match))
                played += 1
                continue
            names = tuple(name for name, _ in match.program.invariants)
            outcome = play_out(settings, match, number, lambda: stopping.asked, unsound)
            if outcome.status == INTERRUPTED:
                break
            played += 1
            if outcome.status == FAULT:
                breaches.append(Breach(settings.seed + number, len(match.choices), outcome.reason))
            unended += outcome.status not in (ENDED, FAULT)
            if progress is not None:
                progress(played, settings.games)
    return Probe(played, unended, names, tuple(breaches), stopping.asked)


def unsound(match: Match) -> str:
    """What is wrong with a position, as a sentence; empty if nothing is. Pieces come first: an invariant
    that counts them tells less."""
    return misplaced(match) or broken(match)


def broken(match: Match) -> str:
    """The invariants that do not hold now, as a sentence; empty if all hold."""
    names = match.broken_invariants()
    return f"does not hold: {', '.join(names)}" if names else ""


def misplaced(match: Match) -> str:
    """The first piece that is not in just one place, as a sentence; empty if all is well.

    A piece keeps its kind and its owner for good, so with every piece in one place the number of each kind
    and owner is what it was. What the pieces say of their places has to agree with what lies at the places;
    pieces that lie on pieces have to end up on something that is none; a place with room for so many holds
    no more.
    """
    s = match.state
    layout, rooms = s.code.layout, s.code.rooms
    where: dict[int, int] = {}
    for place, pieces in s.contents.items():
        if not pieces:
            continue
        if not layout.exists(place):
            return f"{_name(match, pieces[0])} lies at a place that does not exist"
        if len(pieces) > rooms.get(place, len(pieces)):
            return f"{len(pieces)} pieces lie at {_place(match, place)}, which has room for {rooms[place]}"
        for piece in pieces:
            if not 0 <= piece < layout.pieces:
                return f"something that is no piece lies at {_place(match, place)}"
            if piece in where:
                here, there = _place(match, where[piece]), _place(match, place)
                return f"{_name(match, piece)} lies at {here} and again at {there}"
            where[piece] = place
    lost = next((p for p in range(layout.pieces) if p not in where), -1)
    if lost >= 0:
        return f"{_name(match, lost)} is nowhere"
    astray = next((p for p, place in where.items() if s.place_of[p] != place), -1)
    if astray >= 0:
        return f"{_name(match, astray)} lies at {_place(match, where[astray])} and believes to be elsewhere"
    for i, stand_in in enumerate(match.program.stand_ins):
        if s.place_of[layout.pieces + i] != stand_in.supply:
            return f"the supply of {match.program.kinds[stand_in.kind]} has moved"
    floating = next((p for p in where if layout.host(where[p]) >= 0 and _floats(s, p)), -1)
    return f"{_name(match, floating)} lies on pieces that lie on it" if floating >= 0 else ""


def _floats(s: State, piece: int) -> bool:
    """Whether one comes back to a piece by going down from it."""
    below = piece
    for _ in range(s.code.layout.pieces):
        below = s.code.layout.host(s.place_of[below])
        if below < 0:
            return False
    return True


def _name(match: Match, piece: int) -> str:
    info = match.program.pieces[piece]
    owner = f" of {match.program.players[info.owner]}" if info.owner >= 0 else ""
    return f"the piece {info.code or info.name}{owner}"


def _place(match: Match, place: int) -> str:
    layout = match.state.code.layout
    host = layout.host(place)
    return _name(match, host) if host >= 0 else layout.name(place)
