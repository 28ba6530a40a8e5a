"""Find the comments of a rule file outside of its blocks, and hand them out in the order of the file.

Comes in: the lines of a file and its tree. Goes out: `Comments`, from which the writer takes each
comment once, where it belongs. What never happens: a `#` inside a text or a block taken for a
comment. Comments inside of effects are no matter of YAML: dsl/format_logic.py sees to them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree

FAR = 1 << 60


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment at a line and a column, both from 1; `text` begins with `#`."""

    line: int
    column: int
    text: str


class Comments:
    """The comments that are still to be written: those on lines of their own, and those behind something."""

    def __init__(self, lines: list[str], tree: Tree) -> None:
        self._lines = lines
        self._starts = sorted({line for line, _ in starts(tree)})
        found = find_comments(lines, tree)
        self.alone = deque(c for c in found if not lines[c.line - 1][: c.column - 1].strip())
        self.behind = {c.line: c for c in found if lines[c.line - 1][: c.column - 1].strip()}

    def take_alone(self, up_to: int, column: int = 0) -> Iterator[Comment]:
        """Those on lines of their own before the line `up_to`, until one stands left of `column`."""
        while self.alone and self.alone[0].line < up_to and self.alone[0].column >= column:
            yield self.alone.popleft()

    def take_behind(self, first: int, last: int) -> list[Comment]:
        """Those that stand behind something on the lines `first` to `last`."""
        return [self.behind.pop(line) for line in range(first, last + 1) if line in self.behind]

    def any_between(self, first: int, last: int) -> bool:
        """Is there a comment on the lines `first` to `last`, the last excluded?"""
        alone = any(first <= comment.line < last for comment in self.alone)
        return alone or any(line in self.behind for line in range(first, last))

    def next_start(self, line: int) -> int:
        """The first line behind `line` where an entry or an item begins."""
        at = bisect_right(self._starts, line)
        return self._starts[at] if at < len(self._starts) else FAR

    def blank_above(self, line: int) -> bool:
        """Is the line above `line` blank?"""
        return line > 1 and not self._lines[line - 2].strip()


def starts(tree: Tree | None) -> Iterator[tuple[int, int]]:
    """Line and column where each key and each item begins."""
    if isinstance(tree, Mapping):
        for entry in tree.entries:
            yield entry.key.span.line, entry.key.span.column
            yield from starts(entry.value)
    elif isinstance(tree, Sequence):
        for item in tree.items:
            yield item.span.line, item.span.column
            yield from starts(item)


def find_comments(lines: list[str], tree: Tree) -> list[Comment]:
    """All comments outside of texts and blocks, in order."""
    taken: dict[int, list[tuple[int, int]]] = {}  # by line: columns from 0 that belong to texts
    for scalar in _scalars(tree):
        span = scalar.span
        for line in range(span.line, span.end_line + 1):
            left = span.column - 1 if line == span.line else 0
            right = span.end_column - 1 if line == span.end_line else len(lines[line - 1])
            if scalar.style in ("literal", "folded") and line == span.line:
                right = left + 1  # a comment may follow the sign of a block
            taken.setdefault(line, []).append((left, right))
    found = []
    for number, text in enumerate(lines, 1):
        column = text.find("#")
        while column >= 0:
            inside = any(left <= column < right for left, right in taken.get(number, ()))
            if not inside and (column == 0 or text[column - 1] in " \t"):
                found.append(Comment(number, column + 1, text[column:].rstrip()))
                break
            column = text.find("#", column + 1)
    return found


def _scalars(tree: Tree | None) -> Iterator[Scalar]:
    if isinstance(tree, Scalar):
        yield tree
    elif isinstance(tree, Mapping):
        for entry in tree.entries:
            yield entry.key
            yield from _scalars(entry.value)
    elif isinstance(tree, Sequence):
        for item in tree.items:
            yield from _scalars(item)
