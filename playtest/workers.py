"""Workers: other processes that play parts of a batch.

Comes in: settings and the games that are left. Goes out: their counts, merged. Workers get chunks of
games, a few more than there are workers at a time, so that memory stays small; each loads the game once.
They do not hear Ctrl-C: the process that started them raises a flag, they finish their game and hand
over what they have. What never happens: a result that shows how many there were.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
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


def play_elsewhere(
    settings: Settings,
    opener: Opener,
    first: int,
    workers: int,
    progress: Progress,
    keep: Keep | None,
    stopping: Stopping,
    tally: Tally,
) -> None:
    """Play the games from number `first` on in other processes and add them to `tally`."""
    left = chunks(first, settings.games, workers)
    waiting: set[Future[tuple[Tally, Records]]] = set()
    spawn = multiprocessing.get_context("spawn")
    flag = spawn.Event()
    stopping.tell(flag)
    with ProcessPoolExecutor(workers, spawn, _prepare, (settings, opener, flag, keep is not None)) as pool:
        more = True
        while more or waiting:
            with Unheard():
                while more and len(waiting) < workers * WINDOW:
                    chunk = next(left, None)
                    if chunk is None or stopping.asked:
                        more = False
                        break
                    waiting.add(pool.submit(_play, *chunk))
            done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                part, records = future.result()
                tally.merge(part)
                for number, record in records:
                    if keep is not None:
                        keep(number, record)
                progress(tally.games, settings.games)


def chunks(first: int, last: int, workers: int) -> Iterator[tuple[int, int]]:
    """The numbers `first` … `last - 1` in chunks (from, to)."""
    size = max(1, min(LARGEST_CHUNK, (last - first) // (workers * PARTS)))
    for start in range(first, last, size):
        yield start, min(start + size, last)


class _Worker:
    """What a worker process keeps between two chunks."""

    settings: Settings
    game: Playable
    flag: Any
    records: bool


def _prepare(settings: Settings, opener: Opener, flag: Any, records: bool) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game = opener(settings)
    if isinstance(game, tuple):
        raise RuntimeError("The game changed while it was being played.")
    _Worker.settings, _Worker.game, _Worker.flag, _Worker.records = settings, game, flag, records


def _play(start: int, end: int) -> tuple[Tally, Records]:
    from rulewright.playtest.batch import play_one

    records: Records = []
    stop = _Worker.flag.is_set
    tally = Tally(0)
    for number in range(start, end):
        kept = (lambda i, r: records.append((i, r))) if _Worker.records else None
        if stop() or not play_one(_Worker.settings, _Worker.game, number, tally, kept, stop):
            break
    return tally, records
