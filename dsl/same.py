"""Compares trees by what they say, not by where they stand.

Comes in: two nodes, or two blocks. Goes out: whether they are equal but for spans. What never
happens: a name that means the same but is spelt otherwise counts as equal.
"""

from __future__ import annotations

from dataclasses import fields

from rulewright.dsl.nodes import Node
from rulewright.dsl.problems import Span


def same(a: object, b: object) -> bool:
    """Are two trees equal, wherever they were written? Also of tuples of nodes, and of plain values."""
    if isinstance(a, Node) and isinstance(b, Node):
        if type(a) is not type(b):
            return False
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Span) and isinstance(b, Span):
        return True
    return type(a) is type(b) and a == b
