"""Repairs of one word or sign: what the author probably meant.

Comes in: a text that did not parse and where it got stuck. Goes out: the repairs after which it
parses, the likeliest first. What never happens: a repair that turns the meaning round (a `not`
or `no` is never left out or put in), or a word left out where another in its place would do.
To add a word that is often forgotten: `_MISSING`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.dsl.tokens import Edit, Failure, Slot, Token, tokens_of
from rulewright.dsl.words import CONTEXTUAL, RESERVED, VERBS, WORDS, near

_MISSING = (
    "rounded",
    "of",
    "in",
    "on",
    "to",
    "from",
    "is",
    "for",
    "has",
    "each",
    "up to",
    "with",
    "where",
    "by",
    ",",
    ":",
    ")",
    "]",
    "(",
    "and",
)
_MEANING = frozenset({"not", "no", "none", "any", "every", "all", "each", "or", "and", "if"})
"""Words that are never left out: the rule would say something else."""
_JOINTS = frozenset(
    {
        "in",
        "on",
        "of",
        "from",
        "to",
        "for",
        "with",
        "at",
        "where",
        "by",
        "is",
        "has",
        "be",
        "as",
        "and",
        "onto",
        "into",
    }
)
_INSTEAD = ("of", "where", "for", "then", "has", "to", "from", "by")
_TRIED = ("expr", "choice", "effect", "header", "who", "turns")
_SYNONYMS = {
    "some": "any",
    "a": "any",
    "an": "any",
    "each": "every",
    "inside": "in",
    "into": "to",
    "have": "has",
    "do": "then",
    "if": "where",
    "null": "none",
    "nothing": "none",
    "amount": "count",
}
_LOOK_BACK = 8


@dataclass(frozen=True, slots=True)
class Repair:
    """Put `new` in the place of `start` to `end` (exclusive); the whole text is then `text`.

    `kind` is "spelling" (a misspelt word of the language), "missing", "instead" or "extra".
    """

    kind: str
    start: int
    end: int
    new: str
    text: str


def repairs_of(slot: Slot, failure: Failure) -> list[Repair]:
    """All repairs that parse, the likeliest first; each corrected text once."""
    if failure.kind != "stuck":
        return []
    tokens = tokens_of(slot.text)
    at = next((i for i, t in enumerate(tokens) if t.end > failure.start), len(tokens))
    found: dict[str, Repair] = {}
    for kind, start, end, new in _candidates(slot, tokens, at):
        text = slot.fixed(Edit(start, end, new))
        if text is not None:
            found.setdefault(text, Repair(kind, start, end, new.strip(), text))
    plausible = list(found.values())
    if any(r.kind != "extra" for r in plausible):
        return [r for r in plausible if r.kind != "extra"]
    return plausible


def _candidates(slot: Slot, tokens: list[Token], at: int) -> Iterator[tuple[str, int, int, str]]:
    yield from _spellings(slot.start, tokens, at)
    end = len(slot.text.rstrip())
    for i in (at, at - 1):
        if i < 0:
            continue
        place = tokens[i].start if i < len(tokens) else end
        for word in ("be",) if tokens[:1] and tokens[0].text == "let" else _MISSING:
            yield "missing", place, place, f" {word} "
    ordered = tokens[:1] and tokens[0].text in ("clockwise", "counterclockwise")
    if at < len(tokens) and not ordered and slot.start in _TRIED:
        yield from _instead(tokens, at)
    for i in (at, at - 1):
        if not 0 <= i < len(tokens) or len(tokens) == 1 or tokens[i].text in _MEANING:
            continue
        # a joining word at the end, or one that was taken already, waits for something
        if tokens[i].text not in RESERVED or i == at < len(tokens) - 1:
            yield "extra", tokens[i].start, tokens[i].end, ""


def _spellings(start: str, tokens: list[Token], at: int) -> Iterator[tuple[str, int, int, str]]:
    """Misspelt words of the language at the place or before it, the nearest first."""
    for i in range(min(at, len(tokens) - 1), max(-1, at - _LOOK_BACK), -1):
        token = tokens[i]
        if not token.is_word or (token.text in WORDS and token.text != "choose"):
            continue
        words = WORDS if i == 0 and start == "effect" else RESERVED | CONTEXTUAL
        if i > 0 and tokens[i - 1].text == "rounded":
            words = frozenset({"up", "down"})
        for word in near(token.text, words):
            if {word, token.text} != {"no", "not"}:
                yield "spelling", token.start, token.end, word


def _instead(tokens: list[Token], at: int) -> Iterator[tuple[str, int, int, str]]:
    """Another joining word in the place of a wrong one; in an instruction, one that it still needs."""
    token, first = tokens[at], tokens[0].text
    words: tuple[str, ...] = ()
    if first in VERBS and token.text in _JOINTS:
        have = {t.text for t in tokens}
        words = tuple(w for w in VERBS[first].split()[1:] if w.islower() and w not in have)
        words += ("of",) if token.text in ("in", "on", "from") else ()
    elif token.text in ("in", "on", "of", "at"):
        words = ("of", "in", "on", *_INSTEAD)
    elif token.text in _JOINTS or token.text in ("if", "do", "have", "when"):
        words = _INSTEAD
    for word in words:
        if word != token.text:
            yield "instead", token.start, token.end, word
    for i in (at, at - 1, at - 2):
        if 0 <= i < len(tokens) and tokens[i].text in _SYNONYMS:
            yield "instead", tokens[i].start, tokens[i].end, _SYNONYMS[tokens[i].text]
    for i in (at - 1, at - 2):  # a wrong joining word may be taken, and what follows it not
        if i > 0 and tokens[i].text in _JOINTS and first not in VERBS:
            for word in ("of", "in", "on", *_INSTEAD):
                if word != tokens[i].text:
                    yield "instead", tokens[i].start, tokens[i].end, word
