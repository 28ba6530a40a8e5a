"""The words of the language, and which of them a misspelt word was meant to be.

Comes in: a word. Goes out: whether the language reserves it, and its nearest neighbours. What
never happens: a word of a game; those belong to the checker. To add a word: grammar.lark first,
then the set here (a test compares the two).
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.spelling import distance


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESERVED = _set(
    """all and any at by can count each else ending every exactly fewer first for from going has if in is
    largest like linked mod no none not of on or rounded smallest stopping sum the then to until up where
    while with yes"""
)
"""Words that can never be a name."""

VERBS: dict[str, str] = {
    "let": "let NAME be VALUE",
    "set": "set STATE to VALUE",
    "add": "add NUMBER to STATE",
    "take": "take NUMBER from STATE",
    "move": "move PIECES to PLACE",
    "deal": "deal NUMBER from PILE to PLACE",
    "shuffle": "shuffle ZONE",
    "reveal": "reveal PIECES",
    "show": "show PIECES to PLAYERS",
    "place": "place KIND of OWNER on PLACE",
    "return": "return PIECES",
    "remove": "remove PIECES",
    "swap": "swap THIS with THAT",
    "turn": "turn PIECES to FACE",
    "roll": "roll DICE",
    "reroll": "reroll DICE",
    "offer": "offer WINDOW",
    "end": "end turn",
    "give": "give another turn to PLAYER",
    "skip": "skip PLAYER",
    "reverse": "reverse",
}
"""The word an effect line begins with, and how such a line is written."""

HEADERS: dict[str, str] = {
    "if": "if CONDITION:",
    "else": "else:",
    "for": "for each SELECTION:",
    "at": "at once for each SELECTION:",
    "repeat": "repeat up to NUMBER times:",
    "each": "each SELECTION chooses SELECTION, together:",
}
"""The word a line begins with that opens a block, and how such a line is written."""

CONTEXTUAL = _set(
    """another as be becomes changes choose chooses clockwise counterclockwise entering falls game happened
    leaving least may number once around per phase repeat rises rounds skipping than this times together
    turn"""
)
"""Words that mean something in some places and are free as names in all others."""

WORDS = RESERVED | CONTEXTUAL | frozenset(VERBS) | frozenset(HEADERS)

JOINT = ("agreement", "majority")
"""How several players choose one value, as it is written before `of S chooses X from SET`."""

JOINING = _set(
    """and or where while until then else going linked is in on by from to of has like mod rounded up with
    ending stopping"""
)
"""A line of an effect that begins with one of these continues the line above."""


def near(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that `word` is probably a slip for, the nearest first; none for very short words.

    One slip is allowed up to five letters; two from six on, if the first letter is right. Equal
    distances keep a fixed order.
    """
    word = word.lower()
    if len(word) < 2:
        return []
    allowed = 1 if len(word) < 6 else 2
    found = [
        (distance(word, c, allowed), c) for c in candidates if c != word and (len(c) > 2 or len(word) > 3)
    ]
    return [c for d, c in sorted(found) if d <= allowed and d < len(c) - 1 and (d < 2 or c[0] == word[0])]
