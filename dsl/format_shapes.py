"""What a place in a rule file holds, as far as its spelling depends on it.

Comes in: the shapes of dsl/schema.py, keys and values on the way down a tree. Goes out: the shape
of the value at hand, or None where the schema says nothing (the formatter then leaves the words
alone). What never happens: a complaint; what does not fit the schema is for the checker. To extend:
a key whose shape does not tell how its value is written (a picture, an instruction on one line)
gets a case in `child`.
"""

from __future__ import annotations

from rulewright.dsl.schema import EFFECT, EFFECT_OR_PASS, GAME, GAME_KEYS, PHASE, PICTURE, VARIANT
from rulewright.dsl.shapes import ANameOf, Either, Keys, Later, ListOf, Logic, MapOf, Shape, Text, Words
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree

SENTENCES = frozenset({"game", "variant", "title", "text", "because"})
"""Keys whose texts are for people: a long one may be folded."""

_SETUP = GAME_KEYS["setup"].shape
_ARRANGE = PHASE.keys["arrange"].shape
_PATHS = tuple(VARIANT.keys[key].shape for key in ("change", "add"))
_NAMES = frozenset({"a word", "a face", "a statement", "a player", "a variant", "a file of this folder"})


def shape_of_file(tree: Mapping) -> Shape:
    """The shape of a whole file: a variant, or (a part of) a game; scenarios are a section of a game."""
    return VARIANT if "variant" in tree else GAME


def child(shape: Shape | None, key: str, value: Tree | None) -> Shape | None:
    """The shape of the value under `key` in a mapping of the shape `shape`, settled for this value."""
    around = _toward_mapping(shape)
    if around is _SETUP:
        found: Shape | None = EFFECT if key == "do" else PICTURE
    elif any(around is paths for paths in _PATHS):
        found = _at_path(GAME, key.split("."))
    else:
        found = _under(around, key)
    if found is EFFECT_OR_PASS:
        found = EFFECT
    return settled(found, value)


def item(shape: Shape | None, value: Tree) -> Shape | None:
    """The shape of an item of a list of the shape `shape`, settled for this item."""
    while isinstance(shape, Later | Either):
        shape = shape.get() if isinstance(shape, Later) else shape.sequence
    return settled(shape.item, value) if isinstance(shape, ListOf) else None


def settled(shape: Shape | None, value: Tree | None) -> Shape | None:
    """The shape without its alternatives, now that the value is known."""
    while True:
        match shape:
            case Later():
                shape = shape.get()
            case Either():
                kinds = {Scalar: shape.scalar, Mapping: shape.mapping, Sequence: shape.sequence}
                shape = kinds.get(type(value))
            case ListOf(item=inner, or_one=True) if isinstance(value, Scalar):
                shape = inner
            case _:
                return shape


def slot_of_key(shape: Shape | None) -> str | None:
    """The slot with which the keys of such a mapping are read, or None where they are mere words."""
    around = _toward_mapping(shape)
    if around is _ARRANGE:
        return "every"
    return "header" if isinstance(around, MapOf) and around.key == "header" else None


def is_list_of_names(shape: Shape | None) -> bool:
    """Is it a list that stands in `[ ]` when there is room?"""
    if not isinstance(shape, ListOf):
        return False
    inner = shape.item
    if isinstance(inner, Text):
        return inner.note in _NAMES
    return isinstance(inner, ANameOf | Words) or inner == Logic("event")


def is_picture(shape: Shape | None, key: str, value: Scalar) -> bool:
    """Is it a block of cells? Of texts in a block all are but the sentences."""
    return value.style == "literal" and isinstance(shape, Text) and key not in SENTENCES


def _toward_mapping(shape: Shape | None) -> Shape | None:
    while isinstance(shape, Later | Either):
        shape = shape.get() if isinstance(shape, Later) else shape.mapping
    return shape


def _under(shape: Shape | None, key: str) -> Shape | None:
    if isinstance(shape, Keys):
        return shape.keys[key].shape if key in shape.keys else None
    return shape.value if isinstance(shape, MapOf) else None


def _at_path(shape: Shape | None, parts: list[str]) -> Shape | None:
    """The shape at a path of a variant; entries of lists are addressed by their names."""
    if parts[:1] == ["setup"]:
        return (EFFECT if parts[1:] == ["do"] else PICTURE) if len(parts) == 2 else _SETUP
    for part in parts:
        shape = _toward_mapping(shape)
        if isinstance(shape, ListOf):
            shape = _toward_mapping(shape.item)
        shape = _under(shape, part)
    return shape
