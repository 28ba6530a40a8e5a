"""The lines of a rule file before YAML sees them, and how to cut them into parts.

Comes in: clean lines. Goes out: lines without tabs and without marks of several documents, each
of these reported; and where the parts of a file begin, so that a part that cannot be read can be
left out and the rest be read. What never happens: a character that moves without `shift` knowing.
To extend: a check of single lines belongs into `prepare`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.dsl.plain_text import MAX_SHOWN
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Tree
from rulewright.dsl.yaml_places import Place

_MARK = re.compile(r"(---|\.\.\.)(?=\s|$)")
_NO_START = re.compile(r"[\s#\]}]|$|-(\s|$)")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Lines that YAML may read. `shift` says by how much a line was widened at its beginning."""

    lines: list[str]
    shift: dict[int, int]

    def column(self, line: int, column: int) -> int:
        """The column in the file, from 1, of a column of `lines`, from 0."""
        if not self.shift:
            return column + 1
        return max(1, column + 1 - self.shift.get(line, 0))

    def start(self, tree: Tree) -> Place:
        """Where `tree` begins in `lines`."""
        line = tree.span.line - 1
        return Place(line, tree.span.column - 1 + self.shift.get(line, 0))

    def end(self, tree: Tree) -> Place:
        """Where `tree` ends in `lines`."""
        line = tree.span.end_line - 1
        return Place(line, tree.span.end_column - 1 + self.shift.get(line, 0))


def prepare(lines: list[str], file: str, problems: Problems) -> Prepared:
    """Take out what YAML would stumble over and say so: tabs (E105), several documents (E106).

    One `---` before everything else is fine. A tab that only ends a line or stands in a comment
    is fine too. Lines of nothing but spaces become empty.
    """
    lines = [line if line.strip(" \t") else "" for line in lines]
    _one_document(lines, file, problems)
    shift: dict[int, int] = {}
    if any("\t" in line for line in lines):
        _no_tabs(lines, shift, file, problems)
    return Prepared(lines, shift)


def section_starts(lines: Sequence[str]) -> list[int]:
    """The lines where the keys of the whole file begin."""
    return [number for number, line in enumerate(lines) if not _NO_START.match(line)]


def entry_starts(lines: Sequence[str], start: int, end: int) -> list[int]:
    """The lines where the entries of one section begin; `start` is the section's own line."""
    body = [n for n in range(start + 1, end) if lines[n].strip() and not lines[n].lstrip().startswith("#")]
    if not body:
        return []
    indent = _indent(lines[body[0]])
    return [n for n in body if _indent(lines[n]) == indent and lines[n][indent] not in "]}"]


def _one_document(lines: list[str], file: str, problems: Problems) -> None:
    begun = False
    marked = False
    for number, line in enumerate(lines):
        mark = _MARK.match(line)
        if mark:
            rest = line[3:].split("#")[0].strip()
            if begun or marked or mark[1] == "..." or rest:
                problems.error(
                    "E106",
                    Span(file, number + 1, 1, number + 1, 4),
                    f"`{mark[1]}` would begin or end a second document; a rule file is one document.",
                    "Remove the line, or put what follows into a file of its own, named under `include`.",
                )
            marked = True
            lines[number] = "" if not rest else "   " + line[3:]
        elif line.startswith("%") and not begun:
            problems.error(
                "E106",
                Span(file, number + 1, 1, number + 1, len(line) + 1),
                "A line that begins with `%` gives orders to the YAML reader; rule files have none.",
                "Remove the line.",
            )
            lines[number] = ""
        elif line and not line.lstrip().startswith("#"):
            begun = True


def _no_tabs(lines: list[str], shift: dict[int, int], file: str, problems: Problems) -> None:
    """Tabs become spaces: in the indentation as many as the file uses, elsewhere one."""
    indents = [_indent(line) for line in lines if line.startswith(" ")]
    unit = min(indents, default=2)
    tabbed = [n for n, line in enumerate(lines) if "\t" in _said(line)]
    for number in tabbed[:MAX_SHOWN]:
        column = lines[number].index("\t") + 1
        more = f" (one of {len(tabbed)} lines with tabs)" if len(tabbed) > 1 else ""
        problems.error(
            "E105",
            Span(file, number + 1, column, number + 1, column + 1),
            f"A tab stands here{more}; rule files are indented with spaces only.",
            "Replace it by spaces (most editors: Convert indentation to spaces).",
        )
    for number, line in enumerate(lines):
        if "\t" in line:
            body = line.lstrip(" \t")
            tabs = line[: len(line) - len(body)].count("\t")
            lead = line[: len(line) - len(body)].replace("\t", " " * unit)
            if tabs and unit > 1:
                shift[number] = tabs * (unit - 1)
            lines[number] = lead + body.replace("\t", " ")


def _said(line: str) -> str:
    """The line without its comment and without what ends it unseen."""
    return re.split(r"(?:^|\s)#", line)[0].rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
