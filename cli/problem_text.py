"""Problems on the screen: the place, what is wrong, the line with a mark under it, what to do.

Comes in: problems of a load. Goes out: text for a person, or plain data for a tool. The files are read
again only to show their lines; a file that cannot be read just shows no line.
What never happens: a problem left out, or a line so long that it hides the others.

    rules/small/game.yaml:15:27: E201 there is no zone called 'disccard'
       15 |       move top of deck to disccard
          |                           ^^^^^^^^
       Did you mean 'discard'?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from rulewright.cli.screen import plain
from rulewright.dsl.problems import Problem

WIDEST = 140  # characters of a source line that are shown
BEFORE = 60  # of them, how many before the mark when the line is cut
LARGEST = 4_000_000  # bytes of a file that are looked at for its lines


class Lines:
    """The lines of rule files, each file read once."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """Line `number` of a file (from 1), or None."""
        if file not in self._files:
            self._files[file] = _read(Path(file)) if file else []
        lines = self._files[file]
        return lines[number - 1] if 0 < number <= len(lines) else None


def _read(path: Path) -> list[str]:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return []
        text = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return []
    return text.replace("\r\n", "\n").split("\n")


def described(problem: Problem, lines: Lines) -> Text:
    """One problem as several lines."""
    span = problem.span
    text = Text()
    text.append(f"{plain(str(span))}: ", "bold")
    text.append(f"{problem.code} ", "red" if problem.severity == "error" else "yellow")
    text.append(("" if problem.severity == "error" else "warning: ") + plain(problem.text))
    source = lines.line(span.file, span.line)
    if source is not None:
        text.append(_marked(problem, source))
    for line in problem.cure.splitlines():
        text.append(f"\n   {plain(line)}", "green")
    return text


def _marked(problem: Problem, source: str) -> Text:
    span = problem.span
    start = min(max(span.column - 1, 0), len(source))
    end = min(span.end_column - 1, len(source)) if span.end_line == span.line else len(source.rstrip())
    if span.end_line < span.line:
        end = start + 1
    end = max(end, start + 1)
    first = max(0, start - BEFORE) if len(source) > WIDEST else 0
    shown = plain(source[first : first + WIDEST])
    mark_from = cell_len(plain(source[first:start]))
    mark_to = cell_len(plain(source[first : min(end, first + WIDEST)]))
    number = f"{span.line:>5}"
    dots = "…" if first else ""
    text = Text()
    text.append(f"\n{number} | ", "dim")
    text.append(dots + shown + ("…" if first + WIDEST < len(source) else ""))
    text.append("\n      | ", "dim")
    text.append(" " * (mark_from + len(dots)) + "^" * max(mark_to - mark_from, 1), "red")
    return text


def all_described(problems: Iterable[Problem]) -> Text:
    """All problems, a blank line between two."""
    lines = Lines()
    return Text("\n\n").join([described(p, lines) for p in problems])


def counted(problems: Sequence[Problem]) -> str:
    """How many problems and warnings, in one phrase."""
    errors = sum(p.severity == "error" for p in problems)
    warnings = len(problems) - errors
    parts = []
    if errors:
        parts.append(f"{errors} problem{'s' if errors != 1 else ''}")
    if warnings:
        parts.append(f"{warnings} warning{'s' if warnings != 1 else ''}")
    return " and ".join(parts) or "no problems"


def as_json(game: str, variants: Sequence[str], problems: Sequence[Problem], ok: bool) -> dict[str, Any]:
    """What `check --json` prints."""
    return {
        "format": "rulewright check 1",
        "game": game,
        "variants": list(variants),
        "ok": ok,
        "errors": sum(p.severity == "error" for p in problems),
        "warnings": sum(p.severity != "error" for p in problems),
        "problems": [p.as_json() for p in problems],
    }
