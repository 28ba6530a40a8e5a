"""Brackets that the grammar does not need, but a reader does.

Comes in: nodes. Goes out: nodes in which each part that reads better in brackets is a `Name` spelt
with its brackets, for dsl/unparse.py to write as it stands. What never happens: a part that then is
read as something else (a bracket around a whole operand changes nothing). To extend: a case in
`_in_place`.

    (count of card in hand of actor) is 3              what is counted, before a comparison
    (count of card in deck) + (sum of …) is 54         and as part of a sum
    sum of (count of token on c) for card c on table   and as what is summed up
    every player has (player is actor or …)            an `or` that `has` takes whole
    (any card where …) or (any token where …) or …     each part instead of all that stands before
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from rulewright.dsl import nodes as n
from rulewright.dsl.unparse import unparse

T = TypeVar("T")


def with_brackets(node: T) -> T:
    """The node, or tuple of nodes, ready to be spelt; the same object when nothing wants brackets."""
    if isinstance(node, tuple):
        items = tuple(with_brackets(part) for part in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items  # type: ignore[return-value]
    if not isinstance(node, n.Node):
        return node
    parts = {f.name: getattr(node, f.name) for f in fields(node)}
    new = {name: spelt for name, part in parts.items() if (spelt := with_brackets(part)) is not part}
    return _in_place(replace(node, **new) if new else node)


def _in_place(node: T) -> T:
    match node:
        case n.Arithmetic() | n.Divide():
            return replace(node, left=_counted(node.left), right=_counted(node.right))
        case n.Or(left=n.Or() | n.And()) | n.And(left=n.And()):
            return replace(node, left=_closed(node.left, node))
        case n.Compare(left=left, right=right):
            bracketed = _counted(left)
            both = bracketed is not left or _begins_counted(left)
            return replace(node, left=bracketed, right=_counted(right) if both else right)
        case n.Member(element=element):
            return replace(node, element=_counted(element))
        case n.Negative(operand=operand):
            return replace(node, operand=_counted(operand))
        case n.Fold(value=value):
            return replace(node, value=_counted(value))
        case n.Every(condition=n.Or() as condition):
            return replace(node, condition=_bracketed(condition))
        case _:
            return node


def _counted(part: n.Expr) -> n.Expr:
    """The part, in brackets if it is a count or a sum."""
    counted = isinstance(part, n.Fold) or (isinstance(part, n.Quantified) and part.word == "count")
    return _bracketed(part) if counted else part


def _begins_counted(part: n.Expr) -> bool:
    """Is it a sum whose parts are in brackets already?"""
    while isinstance(part, n.Arithmetic):
        if isinstance(part.right, n.Name) and part.right.text.startswith("("):
            return True
        part = part.left
    return isinstance(part, n.Name) and part.text.startswith("(")


def _closed(left: n.Expr, around: n.Or | n.And) -> n.Expr:
    """`(A) or (B) or C` for `((A) or B) or C`, where B ends in a clause that would take `or C`."""
    if not isinstance(left, n.Or | n.And) or unparse(around).startswith(unparse(left)):
        return left
    return replace(left, right=_bracketed(left.right))


def _bracketed(part: n.Expr) -> n.Expr:
    return n.Name(span=part.span, text=f"({unparse(part)})")
