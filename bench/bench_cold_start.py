"""How long a check takes from nothing: a new process, everything imported, one game checked.

Compared with a new process that only imports the two libraries any such tool needs. Aim: within 15 times
that. Compiled bytecode is kept in a folder of this run, as an installed package has it; the figure without it
is what the very first run costs. Where `interegular` is installed (it belongs to the tests), lark compares
all terminals with it whenever a parser is built: one row leaves it out, as a user's installation does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial

from measure import interleaved, seconds_of, table

ROUNDS = 5
CHECK = ["-m", "rulewright.cli", "check", "vye"]
WITHOUT = (
    "import sys; sys.modules['interegular'] = None; from rulewright.cli import main; main(['check', 'vye'])"
)
BARE = ["-c", "import lark, ruamel.yaml"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        surroundings["PYTHONPYCACHEPREFIX"] = folder

        def run(arguments: list[str]) -> None:
            subprocess.run(
                [sys.executable, *arguments], env=surroundings, check=True, stdout=subprocess.DEVNULL
            )

        run(BARE)
        first = seconds_of(lambda: run(CHECK))
        works = [CHECK, ["-c", WITHOUT], BARE]
        check, users, bare = interleaved([partial(run, work) for work in works], ROUNDS)
    table(
        f"Cold start, median of {ROUNDS}",
        [
            ("rulewright check vye", f"{check * 1000:6.0f} ms"),
            ("the same without interegular", f"{users * 1000:6.0f} ms"),
            ("python, importing lark and ruamel.yaml", f"{bare * 1000:6.0f} ms"),
            ("ratio (aim: at most 15)", f"{check / bare:6.1f}"),
            ("ratio without interegular", f"{users / bare:6.1f}"),
            ("rulewright check vye, bytecode not yet compiled", f"{first * 1000:6.0f} ms"),
        ],
    )


if __name__ == "__main__":
    main()
