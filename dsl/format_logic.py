"""Spell the logic of one place: a condition on one line, an effect as the lines of its block.

Comes in: a Scalar and its slot. Goes out: its one spelling (dsl/unparse.py), for an effect with the
comments and blank lines of its author. What never happens: a comment lost, an instruction that
changes places, an exception for a wrong text (problems say what is wrong). To extend: a new way of
writing belongs into dsl/unparse.py; here is only what that cannot see: comments, blank lines, and
the room there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from rulewright.dsl import nodes as n
from rulewright.dsl.format_brackets import with_brackets
from rulewright.dsl.format_kinds import Singular, with_singulars
from rulewright.dsl.format_wrap import with_comments, wrap_logic
from rulewright.dsl.layout import Line, layout_of, without_comments
from rulewright.dsl.problems import Problems
from rulewright.dsl.source import Scalar
from rulewright.dsl.syntax import MAX_BLOCKS, parse
from rulewright.dsl.unparse import unparse, unparse_block

INDENT = 4
_COMMENT = re.compile(r"(?:(?<=[ \t\n])|\A)#[^\n]*")  # as in dsl/layout.py

_CONDITIONS = (
    n.Or
    | n.And
    | n.Not
    | n.Compare
    | n.Member
    | n.Every
    | n.EveryIs
    | n.HowMany
    | n.Quantified
    | n.Conditional
    | n.HasHappened
    | n.Can
)


def spelling(slot: str, scalar: Scalar, one: Singular, problems: Problems) -> str | None:
    """A condition, a selection, a header on one line; None when it cannot be read."""
    node = parse(slot, scalar, problems)
    if node is None:
        return None
    text = unparse(with_brackets(with_singulars(node, one)))
    return f"every {text}" if slot == "every" else text


def is_condition(slot: str, scalar: Scalar) -> bool:
    """Is it more than a name, a number or a type, so that it deserves a line of its own?"""
    return isinstance(parse(slot, scalar, Problems()), _CONDITIONS)


def comments_in(text: str) -> list[str]:
    """The comments of an effect, without blanks at their ends."""
    return [m[0].rstrip() for m in _COMMENT.finditer(text)]


def effect_lines(scalar: Scalar, one: Singular, room: int, problems: Problems) -> list[str] | None:
    """The lines of an effect in at most `room` columns; None when it cannot be read."""
    block = parse("effect", scalar, problems)
    if block is None:
        return None
    tidy = with_brackets(with_singulars(cast("n.Block", block), one))
    spelt = "\n".join(unparse_block(tidy))
    texts = [" ".join(line.text.split()) for line, _ in _flat(layout_of(spelt, MAX_BLOCKS).lines, 0)]
    spots = _spots(scalar.text)
    return _Writer(room).write(texts, spots, _remarks(scalar.text, spots), scalar.text)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an instruction stands in the author's text: lines from 0, column, and its level."""

    first: int
    last: int
    column: int
    level: int


@dataclass(frozen=True, slots=True)
class _Remark:
    """A comment: `line` and `column` in the author's text; alone on its line, or behind something."""

    line: int
    column: int
    text: str
    alone: bool


def _flat(lines: tuple[Line, ...], level: int) -> Iterator[tuple[Line, int]]:
    for line in lines:
        yield line, level
        yield from _flat(line.body, level + 1)


def _spots(text: str) -> list[_Spot]:
    found = []
    for line, level in _flat(layout_of(text, MAX_BLOCKS).lines, 0):
        first = text.count("\n", 0, line.start)
        column = line.start - (text.rfind("\n", 0, line.start) + 1)
        # comments inside are blanks in the line's text, but a comment behind it is no part of it
        last = first + text.count("\n", line.start, line.start + len(line.text))
        found.append(_Spot(first, last, column, level))
    return found


def _remarks(text: str, spots: list[_Spot]) -> list[_Remark]:
    inside = {n for spot in spots for n in range(spot.first + 1, spot.last + 1)}
    rows, bare = text.split("\n"), without_comments(text).split("\n")
    found = []
    for number, row in enumerate(rows):
        match = _COMMENT.search(row)
        if match is not None:
            alone = not bare[number].strip()
            column = match.start()
            if alone and number in inside:  # between the lines of one instruction: goes above it
                spot = next(s for s in spots if s.first < number <= s.last)
                found.append(_Remark(spot.first - 1, spot.column, match[0].rstrip(), True))
            else:
                found.append(_Remark(number, column, match[0].rstrip(), alone))
    return found


class _Writer:
    def __init__(self, room: int) -> None:
        self.room = room
        self.lines: list[str] = []
        self.behind: dict[int, str] = {}  # comments behind lines, by their numbers

    def write(self, texts: list[str], spots: list[_Spot], remarks: list[_Remark], source: str) -> list[str]:
        rows = [row.strip() for row in source.split("\n")]
        waiting = [remark for remark in remarks if remark.alone]
        above: list[_Spot] = []  # the blocks that are open, outermost first, and the last instruction
        for text, spot in zip(texts, spots, strict=True):
            opened = [s for s in above if s.level < spot.level]
            choices = [*opened, *(s for s in above if s.level >= spot.level), spot]
            while waiting and waiting[0].line < spot.first:
                remark = waiting.pop(0)
                self.blank(rows, remark.line)
                self.lines.append(" " * (INDENT * self.level(remark, choices, spot)) + remark.text)
            self.blank(rows, spot.first)
            behind = [r for r in remarks if not r.alone and spot.first <= r.line <= spot.last]
            self.instruction(text, spot, behind)
            above = [*opened, spot]
        for remark in waiting:
            self.blank(rows, remark.line)
            self.lines.append(" " * (INDENT * self.level(remark, above, above[0])) + remark.text)
        return with_comments(self.lines, self.behind)

    def level(self, remark: _Remark, choices: list[_Spot], following: _Spot) -> int:
        """With which instruction a comment is in line: the deepest that stands no further right."""
        least = following.level
        fitting = [s.level for s in choices if s.column <= remark.column and s.level >= least]
        return max(fitting, default=least)

    def blank(self, rows: list[str], number: int) -> None:
        """Keep one blank line where the author had some."""
        if number > 0 and not rows[number - 1] and self.lines and self.lines[-1]:
            self.lines.append("")

    def instruction(self, text: str, spot: _Spot, behind: list[_Remark]) -> None:
        lead = " " * (INDENT * spot.level)
        for remark in behind[:-1]:
            self.lines.append(lead + remark.text)
        room = self.room - len(lead)
        pieces = wrap_logic(text, room, room - 2 * INDENT, effect=True)
        self.lines.append(lead + pieces[0])
        self.lines += [lead + " " * (2 * INDENT) + piece for piece in pieces[1:]]
        if behind:
            self.behind[len(self.lines) - 1] = behind[-1].text
