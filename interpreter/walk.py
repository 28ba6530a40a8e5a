"""Walk: the parts of an expression or a statement, in the order in which they are written.

Comes in: any node of the IR. Goes out: its direct parts. What never happens: a field of a node that
is passed over: parts are found by the fields of the class, so a new node needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir

EXPRESSIONS: tuple[type, ...] = ir.Expr.__args__
STATEMENTS: tuple[type, ...] = ir.Statement.__args__


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(node: Any) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(kind))
    return _FIELDS[kind]


def parts(node: object) -> Iterator[object]:
    """Every dataclass directly inside a node, through tuples; spans are left out."""
    for name in _fields(node):
        yield from _inside(getattr(node, name))


def _inside(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for item in value:
            yield from _inside(item)
    elif is_dataclass(value) and not isinstance(value, Span):
        yield value


def children(node: object) -> Iterator[ir.Expr]:
    """The expressions directly inside a node; those inside its sentences and keys too."""
    for part in parts(node):
        if isinstance(part, EXPRESSIONS):
            yield part  # type: ignore[misc]
        elif not isinstance(part, STATEMENTS):
            yield from children(part)


def every(node: object) -> Iterator[object]:
    """The node and everything inside it."""
    yield node
    for part in parts(node):
        yield from every(part)


def slots_read(e: object) -> frozenset[int]:
    """The slots that an expression may read (those it binds itself too)."""
    return frozenset(n.slot for n in every(e) if isinstance(n, ir.Local))
