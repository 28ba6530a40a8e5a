"""Cuts a text of the language into words and signs, for messages.

Comes in: any text, right or wrong. Goes out: tokens with their offsets; every character that is
no blank belongs to exactly one. What never happens: an error. The parser has a lexer of its own
(grammar.lark); this one exists because a wrong text still has to be talked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|<=|>=|\S")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a sign at its place in a text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Is it made of letters?"""
        return self.text[0].isalpha() or self.text[0] == "_"

    @property
    def is_number(self) -> bool:
        """Is it a figure?"""
        return self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a parser could not go on: the stretch of the text; empty at the end of the text.

    `kind` is "stuck", or "long" or "deep" for a text that is too much.
    """

    start: int
    end: int
    kind: str = "stuck"


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of the characters `start` to `end` (exclusive)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A text that is wrong, with what is known of its place.

    `parses(start, text)` tells whether another text would be right. `has_body` and `style` are
    for a line of an effect: do deeper lines stand below it, and how is the block written?
    """

    start: str
    text: str
    parses: Callable[[str, str], bool]
    has_body: bool = False
    style: str = "literal"

    def fixed(self, *edits: Edit) -> str | None:
        """The tidy text after `edits`, or None if it would still be wrong."""
        text = edited(self.text, *edits)
        return text if self.parses(self.start, text) else None


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem at offsets of a text; `replacement` as in a Problem."""

    code: str
    start: int
    end: int
    text: str
    cure: str = ""
    replacement: str | None = None


def write(line: str) -> str:
    """The sentence that shows the corrected line."""
    return f"Write `{line}`."


def tokens_of(text: str) -> list[Token]:
    """All tokens of `text`, in order."""
    return [Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]


def edited(text: str, *edits: Edit) -> str:
    """The text after all `edits`, which must not overlap; blanks are tidied."""
    for e in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: e.start] + e.text + text[e.end :]
    return tidy(text)


def tidy(text: str) -> str:
    """The text on one line with single blanks."""
    text = " ".join(text.split())
    for loose, tight in ((" ,", ","), (" :", ":"), ("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]")):
        text = text.replace(loose, tight)
    return text


def shortened(text: str, around: str, width: int = 110) -> str:
    """A long line cut down to the part that holds `around`."""
    if len(text) <= width:
        return text
    at = max(text.find(around), 0)
    start = max(0, min(at - width // 2, len(text) - width))
    while start > 0 and text[start - 1] != " ":
        start -= 1
    end = min(len(text), start + width)
    while end < len(text) and text[end] != " ":
        end += 1
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")
