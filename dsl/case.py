"""A wrong text laid out for the hints: its tokens, and which of them the parser could not take.

Comes in: a Slot and a Failure. Goes out: a Case, with the small questions that hints ask. What
never happens: an index error; there is an empty word before the first token and after the last.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.tokens import Edit, Failure, Finding, Slot, Token, shortened, tokens_of, write
from rulewright.dsl.words import RESERVED


@dataclass(frozen=True, slots=True)
class Case:
    """`at` is the index of the token that could not be taken; the number of tokens at the end."""

    slot: Slot
    tokens: tuple[Token, ...]
    at: int

    def word(self, i: int) -> str:
        """The token with the index `i`; empty outside."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def words(self, start: int, end: int) -> str:
        """The text from one token up to another (exclusive), tidy."""
        start = max(start, 0)
        if start >= min(end, len(self.tokens)):
            return ""
        stretch = self.slot.text[self.tokens[start].start : self.tokens[min(end, len(self.tokens)) - 1].end]
        return " ".join(stretch.split())

    def is_name(self, i: int) -> bool:
        """Is there a word that is not reserved?"""
        return 0 <= i < len(self.tokens) and self.tokens[i].is_word and self.word(i) not in RESERVED

    @property
    def stuck(self) -> Token | None:
        """The token that could not be taken; None at the end of the text."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    @property
    def shown(self) -> Token:
        """The token to point at: the stuck one, or the last one if the text ended too early."""
        return self.stuck or self.tokens[-1]

    def put(self, i: int, text: str) -> Edit:
        """Put a text before the token `i`, or at the end."""
        place = self.tokens[max(i, 0)].start if i < len(self.tokens) else len(self.slot.text.rstrip())
        return Edit(place, place, f" {text} ")

    def change(self, start: int, end: int, text: str) -> Edit:
        """Put a text in the place of the tokens from `start` up to `end` (exclusive)."""
        last = len(self.tokens) - 1
        start = min(max(start, 0), last)
        return Edit(self.tokens[start].start, self.tokens[min(max(end - 1, start), last)].end, text)

    def cure(self, *edits: Edit, otherwise: str = "") -> str:
        """`Write …` with the corrected line if it parses, else `otherwise`."""
        fixed = self.slot.fixed(*edits)
        if fixed is None:
            return otherwise
        return write(shortened(fixed, edits[0].text.strip() or fixed[:1]))

    def finding(
        self, code: str, start: int, end: int, text: str, cure: str, replacement: str | None = None
    ) -> Finding:
        """A finding about the tokens from `start` up to `end` (exclusive)."""
        last = len(self.tokens) - 1
        start = min(max(start, 0), last)
        stop = self.tokens[min(max(end - 1, start), last)].end
        return Finding(code, self.tokens[start].start, stop, text, cure, replacement)

    def certain(self, start: int, end: int, text: str) -> str | None:
        """`text` if it may replace the tokens from `start` to `end` and the whole then parses."""
        return text if self.slot.fixed(self.change(start, end, text)) is not None else None


def case_of(slot: Slot, failure: Failure) -> Case:
    """The case of a text with at least one token."""
    tokens = tuple(tokens_of(slot.text))
    at = next((i for i, t in enumerate(tokens) if t.end > failure.start), len(tokens))
    return Case(slot, tokens, at)
