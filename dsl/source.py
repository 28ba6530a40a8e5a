"""Sources: what a file says, as a tree that knows where every character came from.

Comes in: nothing; `dsl/yaml_reader.py` and `dsl/csv_reader.py` build these. Goes out: Scalars,
Mappings and Sequences whose spans lead back to the file. No value is ever converted: `012`,
`yes` and `1e3` are text here, and the schema decides what each place may hold.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from rulewright.dsl.problems import Span


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Leads from an offset in a scalar's value to a line and a column of its file.

    `runs` is a sorted tuple of (offset in the value, line, column): from that offset on,
    value and file advance together, until the next run starts.
    """

    file: str
    runs: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of the character at `offset`."""
        i = max(0, bisect_right(self.runs, (offset, 1 << 60, 1 << 60)) - 1)
        start, line, column = self.runs[i]
        return line, column + offset - start

    def span(self, start: int, end: int) -> Span:
        """The stretch of the file that holds the characters `start` to `end` (exclusive)."""
        line, column = self.place(start)
        end_line, end_column = self.place(max(start, end - 1))
        return Span(self.file, line, column, end_line, end_column + (1 if end > start else 0))


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """One piece of text. `style` is "plain", "single", "double", "literal", "folded" or "csv".

    `text` is the value after YAML's own rules. A literal block keeps its line ends and ends
    with one; a folded or plain text over several lines keeps the number of its characters:
    each line end inside is one space.
    """

    text: str
    span: Span
    style: str
    map: SourceMap

    def at(self, start: int, end: int) -> Span:
        """The span of part of the text."""
        return self.map.span(start, end)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One `key: value`. `value` is None where nothing stands after the colon."""

    key: Scalar
    value: Tree | None


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Keys and values in the order of the file; keys are unique."""

    entries: tuple[Entry, ...]
    span: Span
    flow: bool = False  # written in { }

    def get(self, key: str) -> Tree | None:
        """The value under `key`, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """The entry under `key`, or None."""
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """The items of a list. `raw` is a list in [ ] on one line as the author wrote it."""

    items: tuple[Tree, ...]
    span: Span
    flow: bool = False
    raw: Scalar | None = field(default=None)


Tree = Scalar | Mapping | Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A CSV table: column names, then rows of the same width."""

    columns: tuple[Scalar, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    span: Span
