"""How long a running process takes to check a game again after one line of one file has changed.

That is what an editor or `check --watch` does at every save. Aim: under 150 ms for vye. The stages are told
apart by timing the functions that `dsl/load.py` calls; parsing happens within declaring and checking, where
a place holds logic, and is timed there. `check` lowers the game for every setting besides: one more row.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import seconds_of, table

from rulewright.dsl import load, slots
from rulewright.interpreter import switches

ROUNDS = 15
GAME = "vye"


class Share:
    """The time spent inside one function, calls from within itself counted once."""

    def __init__(self, module: Any, name: str) -> None:
        self.spent, self._depth = 0.0, 0
        self._inner: Callable[..., Any] = getattr(module, name)
        setattr(module, name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        begun = time.perf_counter()
        self._depth += 1
        try:
            return self._inner(*args, **kwargs)
        finally:
            self._depth -= 1
            if not self._depth:
                self.spent += time.perf_counter() - begun


def changed(text: str, number: int) -> str:
    """The text with one rule line that was not there before."""
    return text.replace("\ndefine:\n", f"\ndefine:\n  bench_{number}: {number} + {number}\n", 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / GAME
        shutil.copytree(load.bundled_rules() / GAME, folder)
        touched = next(f for f in sorted(folder.glob("*.yaml")) if "\ndefine:\n" in f.read_text("utf-8"))
        text = touched.read_text("utf-8")
        first = seconds_of(lambda: load.load_game(str(folder)))
        reading, parsing = Share(load, "load_files"), Share(slots, "parse")
        shapes, declaring, checking = (Share(load, name) for name in ("check_shape", "declare", "check_game"))
        times = []
        for number in range(ROUNDS):
            touched.write_text(changed(text, number), "utf-8")
            begun = time.perf_counter()
            loaded = load.load_game(str(folder))
            times.append(time.perf_counter() - begun)
            if not loaded.ok:
                raise SystemExit(f"The changed game must still be right: {loaded.problems[0]}")
        settings = seconds_of(lambda: switches.check_switches(loaded.checked)) if loaded.checked else 0.0
    stages = {"reading files": reading, "parsing sentences": parsing, "checking shapes": shapes}
    stages |= {"declaring, parsing included": declaring, "checking, parsing included": checking}
    table(
        f"Checking {GAME} again after a change in {touched.name}, median of {ROUNDS}",
        [
            ("first check in the process", f"{first * 1000:6.1f} ms"),
            ("again after one line changed (aim: under 150)", f"{statistics.median(times) * 1000:6.1f} ms"),
            ("looking at every setting besides, as `check` does", f"{settings * 1000:6.1f} ms"),
            *(
                (
                    f"share of {name}",
                    f"{stage.spent / sum(times):6.0%}, {stage.spent / ROUNDS * 1000:5.1f} ms",
                )
                for name, stage in stages.items()
            ),
        ],
    )


if __name__ == "__main__":
    main()
