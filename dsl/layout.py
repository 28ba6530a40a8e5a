"""Cuts an effect into logical lines, and finds by indentation what stands in what.

Comes in: the text of an effect. Goes out: a forest of `Line`s; the text of each is as long as its
stretch of the source, with blanks for line ends and comments, so offsets stay right. A line that
begins with a joining word continues the line above; inside brackets line ends are free. What
never happens: an exception, or a line that gets lost; what is wrong with the indentation comes
out as `Fault`s, and the lines are still there so that they can be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.dsl.words import JOINING

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMENT = re.compile(r"(?:(?<=[ \t\n])|\A)#[^\n]*")
_SIGNS_THAT_JOIN = (",", "<", ">", "+", "-", "*", "/", ")", "]")


MAX_LINE = 10_000
MAX_BRACKET_LINES = 60
"""A bracket that is still open after so many lines was forgotten, not spread out."""


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction or the head of a block, with the lines that stand in the block."""

    start: int  # of `text` in the effect
    text: str
    body: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Wrong indentation: `kind` is "deeper" (nothing opens a block there) or "uneven"."""

    kind: str
    start: int
    end: int
    above: str  # the text of the line above


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of an effect, and what is wrong with their indentation."""

    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class _Open:
    indent: int
    start: int
    text: str
    body: list[_Open]

    def closed(self) -> Line:
        return Line(self.start, self.text, tuple(line.closed() for line in self.body))


def without_comments(text: str) -> str:
    """The text with blanks in the place of comments; just as long."""
    return _COMMENT.sub(lambda m: " " * len(m[0]), text)


def one_line(text: str) -> str:
    """The text with blanks in the place of line ends; just as long."""
    return text.replace("\r", " ").replace("\n", " ")


def layout_of(text: str, max_depth: int) -> Layout:
    """The lines of an effect. Blocks deeper than `max_depth` are a fault of the kind "deep"."""
    text = without_comments(text.replace("\r", " "))
    root = _Open(-1, 0, "", [])
    stack = [root]
    faults: list[Fault] = []
    for start, end in _logical(text):
        line = _Open(_indent(text, start), start, one_line(text[start:end]), [])
        first_end = text.find("\n", start, end)
        spot = (start, end if first_end < 0 else first_end)
        above = stack[-1]
        while stack[-1].indent >= line.indent:
            stack.pop()
        parent = stack[-1]
        if parent.body and parent.body[0].indent != line.indent:
            faults.append(Fault("uneven", *spot, above.text))
        elif parent is above and parent is not root and not _opens(above.text):
            faults.append(Fault("deeper", *spot, above.text))
        if len(stack) > max_depth:
            faults.append(Fault("deep", *spot, above.text))
            return Layout((), tuple(faults))
        parent.body.append(line)
        stack.append(line)
    return Layout(tuple(line.closed() for line in root.body), tuple(faults))


def _opens(text: str) -> bool:
    """Does a line look as if it opens a block? A forgotten colon is another matter (see `slips`)."""
    if text.rstrip().endswith(":"):
        return True
    first = _WORD.match(text.lstrip())
    heads = {"if", "else", "for", "at", "repeat", "each", "while", "foreach"}
    return (first is not None and first[0].lower() in heads) or " choose" in text


def _indent(text: str, start: int) -> int:
    return start - (text.rfind("\n", 0, start) + 1)


def _logical(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each logical line; `text` has no comments any more."""
    pieces = list(_physical(text))
    i = 0
    while i < len(pieces):
        start, end = pieces[i]
        depth = _depth(text, start, end)
        j = i + 1
        if depth > 0:
            j, end = _to_closing(text, pieces, i, depth)
        while (
            j < len(pieces)
            and end - start < MAX_LINE
            and _joins(text[start:end], text[pieces[j][0] : pieces[j][1]])
        ):
            depth = _depth(text, *pieces[j])
            end = pieces[j][1]
            j += 1
            if depth > 0:
                j, end = _to_closing(text, pieces, j - 1, depth)
        yield start, end
        i = j


def _physical(text: str) -> Iterator[tuple[int, int]]:
    for m in re.finditer(r"[^\n]+", text):
        stripped = m[0].strip()
        if stripped:
            start = m.start() + m[0].index(stripped[0])
            yield start, start + len(stripped)


def _depth(text: str, start: int, end: int) -> int:
    """How many brackets stay open at the end of this stretch."""
    stretch = text[start:end]
    return sum(map(stretch.count, "([")) - sum(map(stretch.count, ")]"))


def _to_closing(text: str, pieces: list[tuple[int, int]], i: int, depth: int) -> tuple[int, int]:
    """Past the line that closes the brackets left open by line `i`; just past `i` if none does."""
    for j in range(i + 1, min(len(pieces), i + MAX_BRACKET_LINES)):
        depth += _depth(text, *pieces[j])
        if depth <= 0:
            return j + 1, pieces[j][1]
    return i + 1, pieces[i][1]


def _joins(above: str, line: str) -> bool:
    """Does `line` continue the line above it?"""
    if above.endswith(":"):
        return False
    if line.startswith(_SIGNS_THAT_JOIN):
        return True
    found = _WORD.match(line)
    word = found[0] if found else ""
    if word == "else":
        rest = line[4:].lstrip()
        value = "then" in above.split() or above.endswith(",")
        return value and not rest.startswith(":") and not (rest.startswith("if ") and rest.endswith(":"))
    if word == "for":
        return line.split()[1:2] != ["each"] and bool(re.search(r"\b(?:sum of|largest|smallest)\b", above))
    if word == "while":
        return not line.endswith(":") or above.split()[:1] == ["repeat"]
    if word == "up":
        return line.split()[1:2] == ["to"]
    return word in JOINING
