"""Invariants: random games in which what must always hold is looked at before every decision.

Comes in: settings. Goes out: the games in which an invariant broke or a rule failed, with seed and
choice, and how many games were played. A game stops at its first breach. What never happens: a breach
without the seed that shows it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.dsl.problems import Problem
from rulewright.interpreter.match import Match
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
            outcome = play_out(settings, match, number, lambda: stopping.asked, broken)
            if outcome.status == INTERRUPTED:
                break
            played += 1
            if outcome.status == FAULT:
                breaches.append(Breach(settings.seed + number, len(match.choices), outcome.reason))
            unended += outcome.status not in (ENDED, FAULT)
            if progress is not None:
                progress(played, settings.games)
    return Probe(played, unended, names, tuple(breaches), stopping.asked)


def broken(match: Match) -> str:
    """The invariants that do not hold now, as a sentence; empty if all hold."""
    names = match.broken_invariants()
    return f"does not hold: {', '.join(names)}" if names else ""
