"""How long it takes until the first game can be played on the fast machine, part by part.

A new process each time, with nothing kept from earlier (parser and machine code are made) and with both kept;
bytecode is compiled in either case, as an installed package has it. Aims: under 1.5 s for the large games,
under 0.8 s for a small one, under 0.4 s with everything kept.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from measure import table

ROUNDS = 5
GAMES = (("tic_tac_toe", 2), ("connect_four", 2), ("vye", 4), ("aye", 6))
PARTS = ("import", "load and check", "lower", "emit", "machine code")
MEASURED = """
import json, sys, time
marks = [time.perf_counter()]
from rulewright.interpreter.api import load
from rulewright.interpreter.link import code_of
from rulewright.interpreter.wasm.build import build
from rulewright.interpreter.wasm.cache import kept_module
from rulewright.playtest.batch import run_batch
marks.append(time.perf_counter())
game = load(sys.argv[1])
marks.append(time.perf_counter())
program = game.program(int(sys.argv[2]), seed=0)
marks.append(time.perf_counter())
built = build(code_of(program))
marks.append(time.perf_counter())
kept_module(built.module)
marks.append(time.perf_counter())
print(json.dumps([b - a for a, b in zip(marks, marks[1:])]))
"""


def measured(name: str, players: int, folder: str) -> list[float]:
    """The seconds of each part in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, name, str(players)],
        env={**os.environ, "RULEWRIGHT_CACHE": folder}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[float] = json.loads(done.stdout)
    return found


def main() -> None:
    rows = []
    for name, players in GAMES:
        with tempfile.TemporaryDirectory() as kept:
            measured(name, players, kept)
            warm = [measured(name, players, kept) for _ in range(ROUNDS)]
        cold = []
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as empty:
                cold.append(measured(name, players, empty))
        for how, found in (("nothing kept", cold), ("all kept", warm)):
            parts = [statistics.median(times) for times in zip(*found, strict=True)]
            told = ", ".join(f"{part} {t * 1000:.0f}" for part, t in zip(PARTS, parts, strict=True))
            whole = statistics.median(sum(times) for times in found)
            rows.append((f"{name}, {how}", f"{whole * 1000:5.0f} ms: {told}"))
    table(f"Until the first game, median of {ROUNDS}", rows)


if __name__ == "__main__":
    main()
