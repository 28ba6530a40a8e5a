"""Parity: both machines play the same games, over every setting, and are compared choice by choice.

Comes in: games, how many matches or how much time. Goes out: a `Tested` for each game and variant, with every
`Difference` that was found (`side_by_side.py` compares one match). As a program it prints one line for each
and exits with 1 if anything differs:

    python -m rulewright.playtest.parity --seconds 30
    python -m rulewright.playtest.parity --games 1000 --game NAME

Setting number n of a game depends on n alone: the even ones go through the settings of the soak (each number
of players, each bundle, each option once at each of its other values) in the order that meets new things
soonest; the odd ones are mixed, with about every second option turned. Each is played `EACH` times, for
making a module costs as much as some matches; each time once choice by choice, and once by bots inside the
module. What never happens: a game that is left out because the others
take long: whoever had the least time so far comes next.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from rulewright.dsl.load import bundled_games, find_game
from rulewright.dsl.model import Checked
from rulewright.dsl.variants import variant_names
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.ir import Program
from rulewright.interpreter.wasm.machine import Runner, TooLarge, fast_of
from rulewright.playtest.batch import processors
from rulewright.playtest.side_by_side import Difference, compare, compare_playout
from rulewright.playtest.soak import Case, other_values, plan, settled
from rulewright.playtest.soak import settings_of as cases_of
from rulewright.playtest.stopping import Stopping, Unheard

EACH = 3  # matches of one setting
ENOUGH = 5  # differences after which a game is left alone
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Lane:
    """A game with a variant, or with none: what the time is shared among."""

    game: str
    variants: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called, without the path of a file."""
        return " + ".join((Path(self.game).stem, *self.variants))


@dataclass(slots=True)
class Tested:
    """What was compared. `seconds` is what it took; `faults` counts matches in which both machines met the
    same error of a rule; `alone` says why programs could not be had on the fast machine, each reason once;
    `impossible` counts settings that cannot be."""

    games: int = 0
    choices: int = 0
    settings: int = 0
    faults: int = 0
    impossible: int = 0
    seconds: float = 0.0
    differences: list[Difference] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)

    def add(self, other: Tested) -> None:
        """Count what else was compared."""
        self.games += other.games
        self.choices += other.choices
        self.settings += other.settings
        self.faults += other.faults
        self.impossible += other.impossible
        self.seconds += other.seconds
        self.differences += other.differences
        self.alone += [reason for reason in other.alone if reason not in self.alone]


# -------------------------------------------------------------------- settings


def lanes(games: Sequence[str] = ()) -> tuple[Lane, ...]:
    """Each game (of those that are bundled, if none is named) as it is, and with each of its variants."""
    found = [(game, find_game(game)) for game in games or bundled_games()]
    return tuple(
        lane
        for game, path in found
        for lane in (Lane(game), *(Lane(game, (v,)) for v in (variant_names(path) if path else ())))
    )


def settings_of(lane: Lane, numbers: range) -> Iterator[Case]:
    """The settings with these numbers, of which there is no end; one of the mixed ones may come twice.

    Raises ValueError for a game that cannot be loaded.
    """
    cases = _cases(lane)
    for number in numbers:
        yield mixed(_game(lane).checked, number) if number % 2 else cases[number // 2 % len(cases)]


@lru_cache(maxsize=64)
def _cases(lane: Lane) -> tuple[Case, ...]:
    """The settings of the soak in their order."""
    cases = cases_of(_game(lane).checked)
    return tuple(cases[i] for i in plan(cases, len(cases), 0))


@lru_cache(maxsize=64)
def _game(lane: Lane) -> PlayableGame:
    found = load(lane.game, lane.variants)
    if isinstance(found, tuple):
        raise ValueError("\n".join(f"{p.code} {p.text}" for p in found))
    return found


def mixed(checked: Checked, number: int) -> Case:
    """Players, bundles and other options, drawn by a number. A value that cannot be beside the others is
    not taken."""
    game, luck = checked.game, random.Random(number)
    players = luck.randint(game.players_low, game.players_high)
    options: dict[str, tuple[str, ...]] = {}
    traits = [f"players={players}"]
    for option in sorted(game.options.values(), key=lambda o: o.form != "bundles"):
        settler = settled(checked, players, options, luck) if luck.random() < 0.5 else None
        if settler is None:
            continue
        bundles = ((text, (text,)) for text in option.choices)
        values = [*(bundles if option.form == "bundles" else other_values(settler, option))]
        if not values:
            continue
        label, value = luck.choice(values)
        turned = {**options, option.name: value}
        if settled(checked, players, turned, luck) is not None:
            options = turned
            traits.append(f"{option.name}={label}")
    return Case(players, tuple(options.items()), tuple(traits))


# -------------------------------------------------------------------- playing


def play(lane: Lane, number: int, games: int = EACH) -> Tested:
    """Compare some matches of one setting. Match k of setting n has the seed `n * EACH + k`.

    Raises ValueError for a game that cannot be loaded.
    """
    begun = time.perf_counter()
    out = Tested(settings=1)
    game = _game(lane)
    (case,) = settings_of(lane, range(number, number + 1))
    last: tuple[Program, Runner] | None = None
    for seed in range(number * EACH, number * EACH + games):
        program = game.program(case.players, dict(case.options), seed)
        if isinstance(program, tuple):
            out.impossible += 1
            break
        if last is None or last[0] is not program:
            try:
                last = program, fast_of(program).runner()
            except TooLarge as error:
                out.alone.append(str(error))
                break
        name = lane.name if not lane.variants else lane.game
        for compared in (
            compare(last[1], seed, name, lane.variants),
            compare_playout(last[1], seed, name, lane.variants),
        ):
            out.games += 1  # one of bots counts too
            out.choices += compared.choices
            out.faults += compared.fault
            if compared.difference is not None:
                out.differences.append(compared.difference)
    out.seconds = time.perf_counter() - begun
    return out


Progress = Callable[[dict[Lane, Tested]], None]


def run(
    among: Sequence[Lane],
    games: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: Progress = lambda found: None,
) -> dict[Lane, Tested]:
    """Compare `games` matches of each, or as many as fit into the time, whichever is less.

    With neither it goes on until Ctrl-C. `workers` is how many processes play. A game with `ENOUGH`
    differences is left alone.
    """
    found = {lane: Tested() for lane in among}
    begun = dict.fromkeys(among, 0)  # settings
    charged = dict.fromkeys(among, 0.0)  # seconds, those of what is under way as they will be about
    until = None if seconds is None else time.monotonic() + seconds

    def following() -> tuple[Lane, int, int] | None:
        """What to play now."""
        if stopping.asked or (until is not None and time.monotonic() >= until):
            return None
        open_ = [
            lane
            for lane in among
            if len(found[lane].differences) < ENOUGH and (games is None or begun[lane] * EACH < games)
        ]
        if not open_:
            return None
        lane = min(open_, key=charged.__getitem__)
        number = begun[lane]
        begun[lane] += 1
        charged[lane] += found[lane].seconds / max(1, found[lane].settings)
        return lane, number, EACH if games is None else min(EACH, games - number * EACH)

    def done(lane: Lane, part: Tested) -> None:
        before = found[lane].seconds / max(1, found[lane].settings)
        found[lane].add(part)
        charged[lane] += part.seconds - before
        progress(found)

    with Stopping() as stopping:
        if workers == 1:
            while (todo := following()) is not None:
                done(todo[0], play(*todo))
            return found
        waiting: dict[Future[Tested], Lane] = {}
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            while True:
                with Unheard():
                    while len(waiting) <= workers and (todo := following()) is not None:
                        waiting[pool.submit(play, *todo)] = todo[0]
                if not waiting:
                    return found
                for future in wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED).done:
                    done(waiting.pop(future), future.result())


# -------------------------------------------------------------------- as a program


@contextmanager
def _shown() -> Iterator[Progress]:
    """Progress in one line of a terminal; nothing where there is none."""
    if not sys.stderr.isatty():
        yield lambda found: None
        return
    last = 0.0

    def show(found: dict[Lane, Tested]) -> None:
        nonlocal last
        if time.monotonic() - last < 0.2:
            return
        last = time.monotonic()
        parts = found.values()
        games, choices = sum(t.games for t in parts), sum(t.choices for t in parts)
        text = f"{games} games, {choices} choices, {sum(len(t.differences) for t in parts)} differences"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    yield show
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; 1 if anything differs, 2 if there is nothing to compare."""
    parser = argparse.ArgumentParser(
        prog="python -m rulewright.playtest.parity", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--games", type=int, help="matches of each game and variant, and as many by bots")
    parser.add_argument("--seconds", type=float, help=f"how long at most (without --games: {SECONDS:g})")
    parser.add_argument("--game", action="append", default=[], help="this game only; may be given again")
    parser.add_argument("--workers", type=int, default=processors(), help="processes that play")
    asked = parser.parse_args(arguments)
    among = lanes(asked.game)
    try:
        for lane in among:
            _game(lane)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    seconds = SECONDS if asked.seconds is None and asked.games is None else asked.seconds
    with _shown() as show:
        found = run(among, asked.games, seconds, max(1, asked.workers), show)
    for lane, tested in found.items():
        print(line(lane, tested))
    differences = [d for tested in found.values() for d in tested.differences]
    for difference in differences:
        print(difference)
    return 1 if differences else 0


def line(lane: Lane, tested: Tested) -> str:
    """What came of one game, in a line."""
    parts = [
        f"{tested.games} games of {tested.settings} settings", f"{tested.choices} choices",
        f"{len(tested.differences)} differences",
    ]  # fmt: skip
    parts += [f"{tested.faults} with an error of a rule on both"] if tested.faults else []
    parts += [f"{tested.impossible} settings that cannot be"] if tested.impossible else []
    parts += [f"not on the fast machine: {reason}" for reason in tested.alone]
    return f"{lane.name}: {', '.join(parts)}"


if __name__ == "__main__":
    sys.exit(main())
