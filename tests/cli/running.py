"""Run the command line as a user does: another process, what it printed, how it ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "rulewright.cli"]


def environment() -> dict[str, str]:
    """The environment of this process, with the package on its path and no colours."""
    return {**os.environ, "PYTHONPATH": str(ROOT / ".ns"), "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}


def rulewright(*arguments: str, typed: str = "", folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed, capture_output=True, text=True, cwd=folder, env=environment(), timeout=120, check=False,
    )  # fmt: skip
