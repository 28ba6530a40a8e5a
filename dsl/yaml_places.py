"""Values of YAML scalars with the place of every character.

Comes in: the lines of a file and where a scalar starts and ends in them (lines and columns from
0). Goes out: its value by YAML 1.2 and the runs of a `SourceMap` (from 1). What never happens:
an exception for a scalar that a YAML reader has accepted, a value without a place.

A line end that becomes a space or stays a line end has its place right behind its line. To
extend: one function for each style; they only move a `_Walk` along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

Runs = tuple[tuple[int, int, int], ...]


class Place(NamedTuple):
    """A place in the lines; both numbers from 0."""

    line: int
    column: int


class _Walk:
    """Collects a value together with where it came from."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.runs: list[tuple[int, int, int]] = []
        self.length = 0
        self.next = (-1, -1)

    def take(self, text: str, line: int, column: int) -> None:
        """The characters of `text` stand in the file just so."""
        if not text:
            return
        if self.next != (line, column):
            self.runs.append((self.length, line + 1, column + 1))
        self.parts.append(text)
        self.length += len(text)
        self.next = (line, column + len(text))

    def put(self, character: str, line: int, column: int, width: int) -> None:
        """One character that is written as `width` characters in the file."""
        self.take(character, line, column)
        if width != 1:
            self.next = (-1, -1)  # value and file no longer advance together

    def fold(self, breaks: list[Place], joined: bool = False) -> None:
        """Line ends inside a text: the first is a space, or nothing when blank lines follow."""
        if len(breaks) == 1 and not joined:
            self.take(" ", *breaks[0])
        for place in breaks[1:]:
            self.take("\n", *place)
        breaks.clear()

    def result(self, start: Place) -> tuple[str, Runs]:
        runs = tuple(self.runs) or ((0, start.line + 1, start.column + 1),)
        return "".join(self.parts), runs


def plain(lines: Sequence[str], start: Place, end: Place) -> tuple[str, Runs]:
    """A text without quotes, from its first character up to (not with) `end`."""
    walk = _Walk()
    breaks: list[Place] = []
    for number, left, right in _stretches(lines, start, end):
        line = lines[number][:right].rstrip(" \t")
        if left < len(line):
            walk.fold(breaks)
            walk.take(line[left:], number, left)
        breaks.append(Place(number, len(lines[number])))
    return walk.result(start)


def single(lines: Sequence[str], start: Place, end: Place) -> tuple[str, Runs]:
    """A text in single quotes; `start` is the opening quote, `end` is behind the closing one."""
    walk = _Walk()
    breaks: list[Place] = []
    for number, left, right in _stretches(lines, Place(start.line, start.column + 1), _before(end)):
        last = number == end.line
        text = lines[number][left:right]
        text = text if last else text.rstrip(" \t")
        if text or last:
            walk.fold(breaks)
        column = left
        for part in re.split("('')", text):
            if part == "''":
                walk.put("'", number, column, 2)
            else:
                walk.take(part, number, column)
            column += len(part)
        breaks.append(Place(number, len(lines[number])))
    return walk.result(start)


_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_DOUBLE = re.compile(r"[^\\ \t]+|[ \t]+|\\x..|\\u.{4}|\\U.{8}|\\.|\\$")


def double(lines: Sequence[str], start: Place, end: Place) -> tuple[str, Runs]:
    """A text in double quotes with its escapes; `start` and `end` as for `single`."""
    walk = _Walk()
    breaks: list[Place] = []
    joined = False
    for number, left, right in _stretches(lines, Place(start.line, start.column + 1), _before(end)):
        last = number == end.line
        text = lines[number][:right]
        if left < len(text.rstrip(" \t")) or last:
            walk.fold(breaks, joined)
            joined = False
        for match in _DOUBLE.finditer(text, left):
            part, column = match.group(), match.start()
            if part == "\\":
                joined = True
            elif part.startswith("\\"):
                walk.put(_escaped(part), number, column, len(part))
            elif last or match.end() < len(text) or part.strip(" \t"):
                walk.take(part, number, column)
        breaks.append(Place(number, len(lines[number])))
    return walk.result(start)


_HEADER = re.compile(r"[|>]([+-]?)([1-9]?)([+-]?)")


def block(lines: Sequence[str], start: Place, end_line: int, outer: int) -> tuple[str, Runs]:
    """A literal (`|`) or folded (`>`) block whose sign stands at `start`.

    Its lines go up to `end_line` (not with it); `outer` is the column of the key or the dash that
    the block belongs to, -1 for none: an indentation figure counts from there.
    """
    header = lines[start.line][start.column :]
    match = _HEADER.match(header)
    figure, chomp = (match[2], match[1] or match[3]) if match else ("", "")
    body = [n for n in range(start.line + 1, end_line) if lines[n]]
    if figure:
        indent = max(outer + 1, 1) + int(figure) - 1
    else:
        indent = len(lines[body[0]]) - len(lines[body[0]].lstrip(" ")) if body else 0
    walk = _Walk()
    for number in range(start.line + 1, body[0] if body else start.line):
        walk.take("\n", number, 0)
    for number, following in zip_longest(body, body[1:]):
        line = lines[number]
        walk.take(line[indent:], number, indent)
        if following is not None:
            breaks = [Place(n, len(lines[n])) for n in range(number, following)]
            tight = line[indent] not in " \t" and lines[following][indent] not in " \t"
            if header[0] == ">" and tight:
                walk.fold(breaks)
            for place in breaks:
                walk.take("\n", *place)
    tail = range(body[-1] + 1 if body else start.line + 1, end_line)
    if body and chomp != "-":
        walk.take("\n", body[-1], len(lines[body[-1]]))
    if chomp == "+":
        for number in tail:
            walk.take("\n", number, 0)
    return walk.result(start)


def _stretches(lines: Sequence[str], start: Place, end: Place) -> list[tuple[int, int, int]]:
    """Line, first column and end of each line of a text; later lines begin behind their indentation."""
    found = []
    for number in range(start.line, end.line + 1):
        line = lines[number]
        right = end.column if number == end.line else len(line)
        left = start.column if number == start.line else len(line) - len(line.lstrip(" \t"))
        found.append((number, min(left, right), right))
    return found


def _before(end: Place) -> Place:
    return Place(end.line, end.column - 1)


def _escaped(part: str) -> str:
    if part[1] in "xuU" and len(part) > 2:
        return chr(int(part[2:], 16))
    return _ESCAPES.get(part[1], part[1])
