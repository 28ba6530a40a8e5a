"""Make sure that a formatted file says what it said before.

Comes in: two trees, the shape they share, and the words of the game. Goes out: whether they say the
same: equal keys in equal order, equal logic (dsl/same.py), equal words, equal rows of pictures, and
the same comments. What never happens: a difference that only a player would notice passes. Blanks
and line ends between words do not count.
"""

from __future__ import annotations

from collections import Counter

from rulewright.dsl.format_comments import find_comments
from rulewright.dsl.format_kinds import Singular, with_singulars
from rulewright.dsl.format_logic import comments_in
from rulewright.dsl.format_shapes import child, is_picture, item, slot_of_key
from rulewright.dsl.problems import Problems
from rulewright.dsl.same import same
from rulewright.dsl.shapes import Logic, Shape
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.syntax import parse


def says_the_same(
    before: Tree | None, after: Tree | None, shape: Shape | None, one: Singular, key: str = ""
) -> bool:
    """Do two trees of one shape say the same?"""
    if isinstance(shape, Logic) and isinstance(before, Sequence) and isinstance(after, Sequence):
        return (before.raw is None) == (after.raw is None) and _same_raw(before, after, shape, one)
    match before, after:
        case None, None:
            return True
        case Scalar(), Scalar():
            return _same_text(before, after, shape, one, key)
        case Sequence(), Sequence() if len(before.items) == len(after.items):
            pairs = zip(before.items, after.items, strict=True)
            return all(says_the_same(a, b, item(shape, a), one) for a, b in pairs)
        case Mapping(), Mapping() if len(before.entries) == len(after.entries):
            return all(
                _same_key(a.key, b.key, shape, one)
                and says_the_same(a.value, b.value, child(shape, a.key.text, a.value), one, a.key.text)
                for a, b in zip(before.entries, after.entries, strict=True)
            )
        case _:
            return False


def same_comments(before: list[str], tree: Tree, after: list[str], written: Tree, shape: Shape) -> bool:
    """Do the same comments stand in two files, in whatever places?"""
    return _comments(before, tree, shape) == _comments(after, written, shape)


def _same_text(before: Scalar, after: Scalar, shape: Shape | None, one: Singular, key: str) -> bool:
    if isinstance(shape, Logic) and (shape.start != "effect" or before.style == "literal"):
        return _same_logic(shape.start, before, after, one)
    if before.style == "literal":
        if is_picture(shape, key, before):
            return after.style == "literal" and _rows(before, True) == _rows(after, True)
        return after.style == "literal" and _rows(before, False) == _rows(after, False)
    if before.style == "folded" or after.style == "folded":
        return before.text.split() == after.text.split()
    if shape == Logic("effect") and _same_logic("effect", before, after, one):
        return True
    return before.text == after.text


def _same_logic(slot: str, before: Scalar, after: Scalar, one: Singular) -> bool:
    a, b = parse(slot, before, Problems()), parse(slot, after, Problems())
    return a is not None and b is not None and same(with_singulars(a, one), b)


def _same_raw(before: Sequence, after: Sequence, shape: Logic, one: Singular) -> bool:
    if before.raw is None or after.raw is None:
        return says_the_same(before, after, None, one)
    return _same_logic(shape.start, before.raw, after.raw, one)


def _same_key(before: Scalar, after: Scalar, shape: Shape | None, one: Singular) -> bool:
    slot = slot_of_key(shape)
    return before.text == after.text or (slot is not None and _same_logic(slot, before, after, one))


def _rows(scalar: Scalar, cells: bool) -> list[object]:
    rows = [row.rstrip() for row in scalar.text.split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    while cells and rows and not rows[0]:
        rows.pop(0)
    return [row.split() if cells else row for row in rows]


def _comments(lines: list[str], tree: Tree, shape: Shape) -> Counter[str]:
    found = Counter(comment.text for comment in find_comments(lines, tree))
    found.update(text for scalar in _effects(tree, shape) for text in comments_in(scalar.text))
    return found


def _effects(tree: Tree | None, shape: Shape | None) -> list[Scalar]:
    match tree:
        case Scalar(style="literal") if shape == Logic("effect"):
            return [tree]
        case Sequence():
            return [found for value in tree.items for found in _effects(value, item(shape, value))]
        case Mapping():
            entries = ((e.value, child(shape, e.key.text, e.value)) for e in tree.entries)
            return [found for value, inner in entries for found in _effects(value, inner)]
        case _:
            return []
