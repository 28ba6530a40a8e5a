"""Fast: a batch played on the fast machine, by threads.

Comes in: settings, an opened game. Goes out: the same counts as the reference machine gives, game by game.
Each thread has a module of its own and plays some games at a time without holding up the others; what a
module gives up is played again on the reference machine, whose word counts. What never happens: a game that
is counted twice, or a batch that cannot be stopped.

Where every game draws options that shape its components, games with the same draw are played together; a
draw that comes up too rarely to be worth a module is played on the reference machine.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.interpreter import ir
from rulewright.interpreter.wasm.machine import (
    ENDED,
    STOPPED,
    Bots,
    Fast,
    Runner,
    TooLarge,
    Trapped,
    fast_of,
)
from rulewright.playtest.bots import BOTS, FirstBot, RandomBot
from rulewright.playtest.opening import Opened
from rulewright.playtest.settings import Settings
from rulewright.playtest.tally import Tally

if TYPE_CHECKING:
    from rulewright.playtest.batch import Progress, Stop

A_WHILE = 0.05  # seconds that one call of a module should take
WINDOW = 20_000  # games whose draws are looked at together
WORTH_A_MODULE = 20  # games with the same draw from which on a module is made for them
SMALL = 1 << 62  # seeds that fit into 64 bits with room for a batch

PlayOne = Callable[[int], None]  # the number of a game that the reference machine plays


def why_not(settings: Settings, game: object) -> str:
    """Why a batch cannot be played on the fast machine, in a few words; "" if it can."""
    if not isinstance(game, Opened):
        return "the game was not opened from its files"
    for name in settings.bots:
        if BOTS.get(name) not in (RandomBot, FirstBot):
            return f"the bot `{name}` looks at its positions"
    program = game.program(settings.seed)
    if isinstance(program, tuple):
        return "the game cannot begin"
    try:
        fast_of(program)
    except TooLarge as error:
        return str(error)
    return ""


def play_fast(
    settings: Settings,
    game: Opened,
    threads: int,
    progress: Progress,
    stop: Stop,
    tally: Tally,
    play_one: PlayOne,
) -> None:
    """Play all games of a batch. `play_one` plays a game on the reference machine and counts it."""
    for fast, numbers in _groups(settings, game):
        if stop():
            return
        if fast is None:
            for number in numbers:
                if stop():
                    return
                play_one(number)
                progress(tally.games, settings.games)
        else:
            _play_group(settings, fast, numbers, threads, progress, stop, tally, play_one)


def _groups(settings: Settings, game: Opened) -> Iterator[tuple[Fast | None, range | list[int]]]:
    """The games of a batch, those of one program together; None for those without a module."""
    if not game.drawn():
        yield _fast(game.program(settings.seed)), range(settings.games)
        return
    for start in range(0, settings.games, WINDOW):
        by_draw: dict[object, list[int]] = {}
        for number in range(start, min(start + WINDOW, settings.games)):
            by_draw.setdefault(game.key(settings.seed + number), []).append(number)
        for numbers in by_draw.values():
            worth = len(numbers) >= WORTH_A_MODULE or len(by_draw) == 1
            yield _fast(game.program(settings.seed + numbers[0])) if worth else None, numbers


def _fast(program: ir.Program | tuple[object, ...]) -> Fast | None:
    if isinstance(program, tuple):
        return None
    try:
        return fast_of(program)
    except TooLarge:
        return None


@dataclass(frozen=True, slots=True)
class _Part:
    """What one call gave: the numbers of its games, a row of results for each, how many options decisions
    had, the games that were given up."""

    numbers: range | list[int]
    raw: list[int]
    branching: dict[int, int]
    given_up: tuple[int, ...]


class _Thread:
    """One module with its luck and its bots. One thread uses it at a time."""

    def __init__(self, fast: Fast, settings: Settings) -> None:
        self.runner: Runner = fast.runner()
        seats = len(fast.code.program.players)
        first = tuple(BOTS[settings.bot(seat)] is FirstBot for seat in range(seats))
        self.runner.prepare(Bots(first, settings.agreement, settings.majority, settings.limit))
        self.settings = settings

    def play(self, numbers: range | list[int]) -> _Part:
        """Play games."""
        runner, seed = self.runner, self.settings.seed
        at_once = isinstance(numbers, range) and abs(seed) < SMALL and runner.playouts.sows
        if at_once:
            runner.instance.call("sow", seed + numbers[0], len(numbers))
        else:
            runner.sow([seed + n for n in numbers])
        given_up = runner.play_sown(len(numbers))
        return _Part(numbers, runner.rows(len(numbers)), runner.take_branching(), given_up)


def _play_group(
    settings: Settings,
    fast: Fast,
    numbers: range | list[int],
    threads: int,
    progress: Progress,
    stop: Stop,
    tally: Tally,
    play_one: PlayOne,
) -> None:
    idle: deque[_Thread] = deque(_Thread(fast, settings) for _ in range(min(threads, len(numbers))))
    capacity = idle[0].runner.capacity
    at, size = 0, 1
    ends = [e.name for e in fast.code.program.ends]
    with ThreadPoolExecutor(len(idle)) as pool:
        busy: dict[Future[tuple[_Part, float]], _Thread] = {}
        while busy or (at < len(numbers) and not stop()):
            while idle and at < len(numbers) and not stop():
                some = numbers[at : at + size]
                at += len(some)
                thread = idle.popleft()
                busy[pool.submit(_timed, thread, some)] = thread
            done, _ = wait(busy, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                idle.append(busy.pop(future))
                part, seconds = future.result()
                _count(part, fast, ends, settings, tally, play_one)
                progress(tally.games, settings.games)
                each = seconds / len(part.numbers)
                size = max(1, min(capacity, int(A_WHILE / max(each, 1e-9)), 8 * len(part.numbers)))
                # Near the end all threads should have something left to do.
                size = max(1, min(size, -(-(len(numbers) - at) // (2 * threads))))


def _timed(thread: _Thread, numbers: range | list[int]) -> tuple[_Part, float]:
    begun = time.perf_counter()
    part = thread.play(numbers)
    return part, time.perf_counter() - begun


def _count(
    part: _Part, fast: Fast, ends: list[str], settings: Settings, tally: Tally, play_one: PlayOne
) -> None:
    """Add a part to the tally."""
    program = fast.code.program
    seats, width = len(program.players), 5 + len(program.players)
    raw = part.raw
    if part.given_up or any(status != ENDED for status in raw[::width]):
        ended: list[int] = []
        for i, number in enumerate(part.numbers):
            row = raw[i * width : (i + 1) * width]
            if i in part.given_up or row[0] not in (ENDED, STOPPED):
                play_one(number)
            elif row[0] == STOPPED:
                tally.add_stopped(f"no end after {settings.limit} decisions")
            else:
                ended += row
        raw = ended
    tally.add_ended(
        ends=Counter({ends[e]: n for e, n in Counter(raw[1::width]).items()}),
        lengths=Counter(raw[2::width]),
        winners=Counter(zip(raw[3::width], raw[4::width], strict=True)),
        branching=Counter(part.branching),
        scores=[Counter(raw[5 + seat :: width]) for seat in range(seats)] if program.score >= 0 else [],
    )


__all__ = ["Trapped", "play_fast", "why_not"]
