"""What a match of vye holds in memory, and whether playing many of them leaves anything behind.

Aims: a match, finished and kept with its choices and checkpoints, under 5 MB; flat over 10,000 matches. As
many matches are played as fit into some seconds; growth is given for those and carried on to 10,000.
The first ones warm up (programs, caches of names) and are not counted. `MATCHES=10000` plays them all.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
import tracemalloc

from measure import resident_kib, table

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match

GAME, PLAYERS, WARM_UP, SECONDS = "vye", 3, 40, 45
MATCHES = int(os.environ.get("MATCHES", "0"))


def played(game: PlayableGame, seed: int, trace: bool) -> Match:
    """A match played at random to its end."""
    match = game.start(players=PLAYERS, seed=seed, trace=trace)
    if not isinstance(match, Match):
        raise SystemExit(str(match[0]))
    luck = random.Random(seed)
    while (decision := match.decision) is not None:
        match.choose(luck.randrange(decision.count))
    return match


def held(game: PlayableGame, trace: bool) -> tuple[int, int]:
    """Bytes that one finished match keeps, and the most there were while it was played."""
    gc.collect()
    tracemalloc.start()
    match = played(game, 1, trace)
    gc.collect()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del match
    return kept, peak


def main() -> None:
    game = load(GAME)
    if not isinstance(game, PlayableGame):
        raise SystemExit(f"{GAME}: {game[0]}")
    for seed in range(WARM_UP):
        played(game, seed, trace=False)
    rows = []
    for trace in (False, True):
        kept, peak = held(game, trace)
        kind = "with a trace" if trace else "without a trace"
        rows.append(
            (
                f"a finished match {kind} (aim: under 5 MB)",
                f"{kept / 1e6:.2f} MB, at most {peak / 1e6:.2f} MB",
            )
        )
    gc.collect()
    before, blocks, count, begun = resident_kib(), sys.getallocatedblocks(), 0, time.monotonic()
    while count < MATCHES if MATCHES else time.monotonic() - begun < SECONDS:
        played(game, WARM_UP + count, trace=False)
        count += 1
    gc.collect()
    growth, more = resident_kib() - before, sys.getallocatedblocks() - blocks
    rows += [
        ("resident before", f"{before / 1024:.1f} MiB"),
        (f"growth over {count} matches (aim: flat)", f"{growth} KiB, {more} allocated blocks"),
        ("carried on to 10,000 matches", f"{growth * 10_000 / count / 1024:.1f} MiB"),
    ]
    table(f"Memory of {GAME} with {PLAYERS} players", rows)


if __name__ == "__main__":
    main()
