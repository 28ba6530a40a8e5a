"""Workers: other processes that play parts of a batch.

Comes in: settings and the games that are left. Goes out: their counts, merged. Workers get chunks of
games, a few more than there are workers at a time, so that memory stays small; each loads the game once.
They do not hear Ctrl-C: the process that started them raises a flag, they finish their game and hand
over what they have. What never happens: a result that shows how many there were, or games of other rules
counted among them because a file was saved meanwhile.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from rulewright.playtest.opening import Opener, Playable
from rulewright.playtest.settings import Settings
from rulewright.playtest.stopping import Stopping, Unheard
from rulewright.playtest.tally import Tally

if TYPE_CHECKING:
    from rulewright.playtest.batch import Keep, Progress

LARGEST_CHUNK = 50
PARTS = 8  # chunks for each worker, at least, so that none waits long for the last one
WINDOW = 2  # chunks for each worker that are handed out at a time

Records = list[tuple[int, dict[str, Any]]]
Part = tuple[Tally, Records]
Chunk = tuple[int, int]  # the numbers from … up to …


def play_elsewhere(
    settings: Settings,
    opener: Opener,
    rules_hash: str,
    first: int,
    workers: int,
    progress: Progress,
    keep: Keep | None,
    stopping: Stopping,
    tally: Tally,
) -> list[Chunk]:
    """Play the games from number `first` on in other processes and add them to `tally`.

    The chunks that are given back could not be played there: a process died, or it found other rules in
    the files than those with `rules_hash`. After a stop nothing is given back.
    """
    left = chunks(first, settings.games, workers)
    waiting: dict[Future[Part | None], Chunk] = {}
    undone: list[Chunk] = []
    spawn = multiprocessing.get_context("spawn")
    flag = spawn.Event()
    stopping.tell(flag)
    with ProcessPoolExecutor(
        workers, spawn, _prepare, (settings, opener, rules_hash, flag, keep is not None)
    ) as pool:
        while not stopping.asked and not undone and len(waiting) < workers * WINDOW:
            chunk = next(left, None)
            if chunk is None:
                break
            with Unheard():
                waiting[pool.submit(_play, *chunk)] = chunk
        while waiting:
            done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = waiting.pop(future)
                part = _part(future)
                if part is None:
                    undone.append(chunk)
                    continue
                tally.merge(part[0])
                for number, record in part[1]:
                    if keep is not None:
                        keep(number, record)
                progress(tally.games, settings.games)
                following = None if stopping.asked or undone else next(left, None)
                if following is not None:
                    waiting[pool.submit(_play, *following)] = following
    return [] if stopping.asked else [*undone, *left] if undone else []


def _part(future: Future[Part | None]) -> Part | None:
    try:
        return future.result()
    except BrokenExecutor:  # a process was killed, or found no memory
        return None


def chunks(first: int, last: int, workers: int) -> Iterator[tuple[int, int]]:
    """The numbers `first` … `last - 1` in chunks (from, to)."""
    size = max(1, min(LARGEST_CHUNK, (last - first) // (workers * PARTS)))
    for start in range(first, last, size):
        yield start, min(start + size, last)


class _Worker:
    """What a worker process keeps between two chunks; no game if its rules are not those that were asked
    for."""

    settings: Settings
    game: Playable | None = None
    flag: Any
    records: bool


def _prepare(settings: Settings, opener: Opener, rules_hash: str, flag: Any, records: bool) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.settings, _Worker.flag, _Worker.records = settings, flag, records
    game = opener(settings)
    first = game if isinstance(game, tuple) else game.start(settings.seed)
    if (
        not isinstance(game, tuple)
        and not isinstance(first, tuple)
        and first.program.rules_hash == rules_hash
    ):
        _Worker.game = game


def _play(start: int, end: int) -> Part | None:
    from rulewright.playtest.batch import play_one

    if _Worker.game is None:
        return None
    tally = Tally(0)
    records: Records = []
    stop = _Worker.flag.is_set
    kept = (lambda i, r: records.append((i, r))) if _Worker.records else None
    for number in range(start, end):
        if stop() or not play_one(_Worker.settings, _Worker.game, number, tally, kept, stop):
            break
    return tally, records
