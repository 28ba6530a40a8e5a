"""Laying out: the questions of an arrangement, and how they are told.

Comes in: a choice that lays something out (`ir.Laying`). Goes out: what it is about (`Laid`), the ids of its
options (`PIECE=PLACE`, `PIECE=stay`; of several that look alike `PIECE PLACE=NUMBER`), words for people, and
what lies where in the end. What never happens: a word that tells somebody what is hidden from them: who does
not know the pieces is not told how many look alike, nor which is which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code
    from rulewright.interpreter.naming import Namer, Secret

STAY = "stay"
Words = tuple["str | Secret", ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """What a question is about: the first of `pieces`, all alike to the chooser; `goal` is the place of which
    it is asked how many go there, -1 where the place itself is chosen; `ways`: see `ir.Laying`.
    """

    pieces: tuple[int, ...]
    goal: int
    ways: int


def link_laying(code: Code, node: ir.Laying | None) -> Callable[[Any, list[Any]], Laid | None]:
    """A callable over (state, locals) for what a question is about."""
    if node is None:
        return lambda s, loc: None
    pieces, ways = code.expressions.value(node.pieces), code.expressions.value(node.ways)
    goal = code.expressions.value(node.goal) if node.goal is not None else None
    return lambda s, loc: Laid(
        tuple(pieces(s, loc)), goal(s, loc) if goal is not None else -1, max(1, ways(s, loc))
    )


def knowers_of(code: Code, s: Any, laid: Laid) -> int:
    """The players (bits) who know all the pieces that are alike to the chooser."""
    players = code.everybody
    for piece in laid.pieces:
        players &= code.knowers(s, piece)
    return players


def lead_of(namer: Namer, s: Any, laid: Laid, viewer: int) -> str:
    """How the ids of all options of a question begin: `PIECE=` or `PIECE PLACE=`."""
    piece = namer.id(s, "piece", laid.pieces[0], viewer)
    return f"{piece}=" if laid.goal < 0 else f"{piece} {namer.id(s, 'place', laid.goal, viewer)}="


def words_for(namer: Namer, s: Any, laid: Laid, value: int) -> Words:
    """What an answer does, in words: `bell to shelf of ann`, `3 bean to pot of bob`, `bell stays`."""
    piece = namer.one(s, "piece", laid.pieces[0])
    if laid.goal >= 0:
        return (f"{value} ", piece, " to ", namer.one(s, "place", laid.goal))
    if value >= 0:
        return (piece, " to ", namer.one(s, "place", value))
    return (piece, " stays") if len(laid.pieces) == 1 else (f"{len(laid.pieces)} ", piece, " stay")


def lying_words(namer: Namer, s: Any, pieces: tuple[int, ...]) -> Words:
    """What lies where: `bell to shelf of ann; 4 bean to pot of bob`; `nothing` of no pieces."""
    by_place: dict[int, list[int]] = {}
    for piece in pieces:
        by_place.setdefault(s.place_of[piece], []).append(piece)
    out: list[str | Secret] = []
    for place, lying in by_place.items():
        if out:
            out.append("; ")
        out.extend(_listed(namer, s, lying))
        out.extend((" to ", namer.one(s, "place", place)))
    return tuple(out) or ("nothing",)


def _listed(namer: Namer, s: Any, pieces: list[int]) -> Words:
    """Pieces of one place, equal ones counted; those that not all know are one number to the others."""
    from rulewright.interpreter.naming import Secret

    everybody = namer.code.everybody
    by_knowers: dict[int, list[int]] = {}
    for piece in pieces:
        by_knowers.setdefault(namer.code.knowers(s, piece), []).append(piece)
    out: list[str | Secret] = []
    for players, known in by_knowers.items():
        if out:
            out.append(", ")
        titles = Counter(namer.piece_title(p) for p in known)
        text = ", ".join(title if n == 1 else f"{n} {title}" for title, n in titles.items())
        out.append(text if players == everybody else Secret(text, f"{len(known)} hidden", players))
    return tuple(out)
