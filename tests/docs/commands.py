"""Runs the command lines of a page as a reader would: one after the other, in one folder.

Comes in: the text of a block. Goes out: what each line that begins with `rulewright` printed, or its exit
code. Figures are made small, so that it takes seconds. What never happens: a line that is run outside of
the folder, or one that waits for somebody to type.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.tests.cli.running import rulewright

TYPED = "1\n" * 40 + "quit\n"


def command_lines(text: str) -> list[str]:
    """The command lines in a text, without comments."""
    lines = [line.split("  #")[0].split(" # ")[0].strip() for line in text.split("\n")]
    return [line for line in lines if line.startswith("rulewright ")]


def arguments_of(line: str) -> list[str]:
    """The arguments in a line, with at most four games."""
    return shlex.split(re.sub(r"--games \d+", "--games 4", line))[1:]


def run_line(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one line as a user does."""
    return rulewright(*arguments_of(line), typed=TYPED, folder=folder)


def run_here(line: str, folder: Path, patch: pytest.MonkeyPatch) -> int:
    """Run one line in this process, which is quicker; its exit code."""
    patch.chdir(folder)
    patch.setattr("sys.stdin", io.StringIO(TYPED))
    return main(arguments_of(line))
