"""One spelling for the kinds in selections: `any card`, `exactly 4 cards` as the author likes.

Comes in: nodes, and what the game knows of its words. Goes out: equal nodes with kinds in the
singular. What never happens: a word changed that the game knows as it is written, or one that
nobody knows. After a number other than one (`at least 2 cards`, `up to 3 cards`, `set of players`)
both forms read well and the author's stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.check_world import make_world
from rulewright.dsl.model import Game
from rulewright.dsl.problems import Problems

Singular = Callable[[str], str]
"""Leads from the word for a kind to its singular; from any other word to itself."""

T = TypeVar("T")


def as_written(word: str) -> str:
    """The `Singular` that changes nothing, where the game is not known."""
    return word


def singular_of(game: Game) -> Singular:
    """The `Singular` of a game."""
    world = make_world(game, Problems())
    return lambda word: world.kind_called(word) or word


def with_singulars(node: T, one: Singular) -> T:
    """The node, or tuple of nodes, with its kinds in the singular; the same object when nothing changes."""
    return _changed(node, one, False)


def _changed(value: T, one: Singular, many: bool) -> T:
    if isinstance(value, tuple):
        items = tuple(_changed(item, one, False) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items  # type: ignore[return-value]
    if not isinstance(value, n.Node):
        return value
    several = _several(value)
    new: dict[str, Any] = {}
    for f in fields(value):
        old = getattr(value, f.name)
        if f.name == "kind" and isinstance(old, str):
            changed: Any = old if many or several or isinstance(value, n.SetType) else one(old)
        else:
            changed = _changed(old, one, several)
        if changed is not old:
            new[f.name] = changed
    return replace(value, **new) if new else value


def _several(node: n.Node) -> bool:
    """Does a number other than one stand before the kind?"""
    match node:
        case n.HowMany(number=number):
            return not (isinstance(number, n.Number) and number.value == 1)
        case n.Chosen(amount=n.Amount() as amount) | n.Place(amount=n.Amount() as amount):
            one = amount.number
            return not (amount.word == "exactly" and isinstance(one, n.Number) and one.value == 1)
        case _:
            return False
