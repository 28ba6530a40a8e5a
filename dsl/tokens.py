"""Cuts a text of the language into words and signs, for messages.

Comes in: any text, right or wrong. Goes out: tokens with their offsets; every character that is
no blank belongs to exactly one. What never happens: an error. The parser has a lexer of its own
(grammar.lark); this one exists because a wrong text still has to be talked about.
"""

from __future__ import annotations

import re
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
    """Where a parser could not go on: the stretch of the text; empty at the end of the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of the characters `start` to `end` (exclusive)."""

    start: int
    end: int
    text: str


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
    return " ".join(text.split()).replace(" ,", ",").replace(" :", ":").replace("( ", "(").replace(" )", ")")


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
