"""Batches: many matches, on either machine, with one and the same result.

Comes in: settings. Goes out: a `Batch` with the tally. Game number i depends on the seed `seed + i`
alone, and counts can be added in any order, so it does not matter who played what. Ctrl-C keeps the
games that are done. The fast machine plays (in threads, see `fast.py`) unless somebody asks for the reference
machine, records are to be kept, or the game or its bots cannot be had on it; the reference machine plays in
processes. What never happens: processes started for a handful of games: with `workers=None`
this process plays for a second first, and others are started only if there is much left.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulewright.dsl.problems import Problem
from rulewright.interpreter.ir import Program
from rulewright.interpreter.match import Match
from rulewright.playtest.bots import bot_named
from rulewright.playtest.consent import Consenting, policy_named
from rulewright.playtest.matches import INTERRUPTED, Outcome, Watch, play_match
from rulewright.playtest.opening import Opened, Opener, Playable, open_game
from rulewright.playtest.settings import Settings
from rulewright.playtest.stopping import Stopping
from rulewright.playtest.tally import Tally

ALONE = 1.0  # seconds this process plays before it looks for help
WASM, REFERENCE = "wasm", "reference"
MACHINES = (WASM, REFERENCE)
WORTH = 3.0  # seconds of work left that are worth starting processes for

Progress = Callable[[int, int], None]  # games done, games in all
Keep = Callable[[int, dict[str, Any]], None]  # the number of a game and its record
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Batch:
    """What a batch gave. `options` are all of them in words; one that each game draws anew is told as in
    `4 at random`. `interrupted` if it was cut short."""

    settings: Settings
    players: tuple[str, ...]
    title: str
    rules_hash: str
    options: tuple[tuple[str, str], ...]
    tally: Tally
    interrupted: bool
    machine: str = REFERENCE
    why: str = ""  # the reference machine played, though the fast one was asked for


def run_batch(
    settings: Settings,
    opener: Opener = open_game,
    workers: int | None = None,
    progress: Progress | None = None,
    keep: Keep | None = None,
    machine: str = WASM,
    game: Playable | None = None,
) -> Batch | tuple[Problem, ...]:
    """Play a batch. `game`: what the settings name, if it has been opened already. `workers` is how many
    threads or processes play (1: this one, None: as it seems best).

    `progress` is called from this process now and then; `keep` with the record of each game. With more
    than one worker `opener` must be a function of a module, for it is sent to the others by name.
    """
    opened = game if game is not None else opener(settings)
    if isinstance(opened, tuple):
        return opened
    game = opened
    first = game.start(settings.seed)
    if isinstance(first, tuple):
        return first
    wrong = wrong_bots(settings, first.program)
    if wrong:
        return (wrong,)
    tally = Tally(len(first.program.players))
    advance = progress or _silent
    why = _why_reference(settings, game, keep) if machine == WASM else ""
    with Stopping() as stopping:
        if machine == WASM and not why:
            _play_fast(settings, game, workers, advance, stopping, tally)
        else:
            machine = REFERENCE
            rules = first.program.rules_hash
            _play_all(settings, opener, game, rules, workers, advance, keep, stopping, tally)
    program = first.program
    drawn = game.drawn() if isinstance(game, Opened) else {}
    options = tuple((name, drawn.get(name, value)) for name, value in program.options)
    return Batch(
        settings,
        program.players,
        program.title,
        program.rules_hash,
        options,
        tally,
        stopping.asked,
        machine,
        why,
    )


def _why_reference(settings: Settings, game: Playable, keep: Keep | None) -> str:
    from rulewright.playtest.fast import why_not

    return "records are kept" if keep is not None else why_not(settings, game)


def _play_fast(
    settings: Settings,
    game: Playable,
    workers: int | None,
    progress: Progress,
    stopping: Stopping,
    tally: Tally,
) -> None:
    from rulewright.playtest.fast import play_fast

    def on_reference(number: int) -> None:
        play_one(settings, game, number, tally, None, lambda: stopping.asked)

    assert isinstance(game, Opened)
    play_fast(settings, game, workers or processors(), progress, lambda: stopping.asked, tally, on_reference)


def wrong_bots(settings: Settings, program: Program) -> Problem | None:
    """What is wrong with the list of bots for a program, if anything."""
    from rulewright.dsl.problems import Span
    from rulewright.playtest.bots import TOLD, known, searches
    from rulewright.playtest.search_bots import cannot

    where = Span("bots", 1, 1, 1, 1)
    for name in settings.bots:
        if not known(name):
            return Problem("E511", where, f"There is no bot `{name}`.", f"Bots: {TOLD}.")
        why = cannot(program) if searches(name) else ""
        if why:
            text = f"The bot `{name}` needs the fast machine, which cannot run this game: {why}."
            return Problem("E514", where, text, "Let `random` play here.")
    seats = len(program.players)
    if len(settings.bots) not in (1, seats):
        text = f"{len(settings.bots)} bots are named for {seats} seats."
        return Problem("E512", where, text, "Name one bot for all seats, or one for each.")
    for policy in (settings.agreement, settings.majority):
        try:
            policy_named(policy)
        except ValueError as error:
            text = f"There is no policy `{policy}` for what several choose as one."
            return Problem("E513", where, text, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    return None


def _play_all(
    settings: Settings,
    opener: Opener,
    game: Playable,
    rules_hash: str,
    workers: int | None,
    progress: Progress,
    keep: Keep | None,
    stopping: Stopping,
    tally: Tally,
) -> None:
    begun = time.perf_counter()
    done = 0
    progress(0, settings.games)
    while done < settings.games and (workers is None or workers == 1) and not stopping.asked:
        play_one(settings, game, done, tally, keep, lambda: stopping.asked)
        done += 1
        progress(done, settings.games)
        spent = time.perf_counter() - begun
        if (
            workers is None
            and spent > ALONE
            and processors() > 1
            and spent / done * (settings.games - done) > WORTH
        ):
            break
    if done < settings.games and not stopping.asked:
        from rulewright.playtest.workers import play_elsewhere

        count = workers or processors()
        undone = play_elsewhere(settings, opener, rules_hash, done, count, progress, keep, stopping, tally)
        for start, end in undone:
            for number in range(start, end):
                if not stopping.asked and play_one(
                    settings, game, number, tally, keep, lambda: stopping.asked
                ):
                    progress(tally.games, settings.games)


def play_one(
    settings: Settings, game: Playable, number: int, tally: Tally, keep: Keep | None, stop: Stop
) -> bool:
    """Play one game of a batch and count it; False if it was interrupted. The rules have been found
    playable, so a game that cannot be started is a fault of ours or of the luck of its options, and is
    counted as one."""
    match = start_of_game(settings, game, number)
    if isinstance(match, str):
        tally.add_fault(number, match)
        return True
    outcome = play_out(settings, match, number, stop)
    tally.add(number, outcome)
    if outcome.status == INTERRUPTED:
        return False
    if keep is not None:
        keep(number, match.record)
    return True


def start_of_game(settings: Settings, game: Playable, number: int) -> Match | str:
    """Game `number` of a batch at its first decision, or why it cannot begin."""
    match = game.start(settings.seed + number)
    return " ".join(p.text for p in match) if isinstance(match, tuple) else match


def play_out(
    settings: Settings, match: Match, number: int, stop: Stop, watch: Watch | None = None
) -> Outcome:
    """Play a game of a batch with its bots."""
    seed = settings.seed + number
    bots = [
        Consenting(
            bot_named(settings.bot(seat), seed, seat), settings.agreement, settings.majority, seed, seat
        )
        for seat in range(len(match.program.players))
    ]
    return play_match(match, bots, settings.limit, watch, stop)


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux knows
        return os.cpu_count() or 1


def _silent(done: int, of: int) -> None:
    """Nobody wants to know."""
