"""The screen: where commands write, with colours only where they can be seen.

Comes in: text, tables. Goes out: standard output for results, standard error for everything said about
the work. Both are made anew at each use, so that a test or a pipe that takes their place is respected.
rich itself obeys NO_COLOR and leaves colours out where no terminal listens. What never happens: an
escape sequence from a rule file that reaches the terminal (`plain`), or rich's own markup read into a
designer's text.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

NARROW = 100  # the width of tables where no terminal says its own


def out() -> Console:
    """Standard output."""
    return _console(error=False)


def err() -> Console:
    """Standard error: progress, refusals, hints."""
    return _console(error=True)


def _console(error: bool) -> Console:
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() else NARROW
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(text: str | Text = "", style: str = "") -> None:
    """A line on standard output, as it is: never wrapped, no markup read."""
    out().print(text if isinstance(text, Text) else Text(text, style))


def complain(text: str) -> None:
    """A line on standard error."""
    err().print(Text(text))


def plain(text: str) -> str:
    """Text without characters that steer a terminal; tabs are one blank."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)


def is_terminal() -> bool:
    """Whether somebody sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()
