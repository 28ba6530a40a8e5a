"""What the benchmarks share: timing side by side, medians, the machine and the versions in a line.

Comes in: functions to time. Goes out: figures, printed as a table. What never happens: an assertion. A
ratio is always of two figures from one run on one machine; `bench_*.py` say what they aim at.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import rulewright


def seconds_of(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long `work` takes once."""
    begun = clock()
    work()
    return clock() - begun


def interleaved(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median time of each, taken in turn, so that a busy moment of the machine meets them all."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, found in zip(works, times, strict=True):
            found.append(seconds_of(work))
    return [statistics.median(found) for found in times]


def rate_of(work: Callable[[], int], seconds: float) -> float:
    """Units a second of processor time; `work` does some and says how many."""
    done, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        done += work()
    return done / spent


def resident_kib() -> int:
    """The memory this process has now, in KiB; -1 where the system does not tell."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return -1
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def machine() -> str:
    """Versions and machine."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("lark", "ruamel.yaml"))
    return (
        f"rulewright {rulewright.__version__}, Python {platform.python_version()}, {packages}, "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    )


def table(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print what was measured."""
    print(f"{title} ({machine()})")
    width = max(len(name) for name, _ in rows)
    for name, figure in rows:
        print(f"  {name.ljust(width)}  {figure}")
    sys.stdout.flush()
