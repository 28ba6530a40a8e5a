"""Walk: the parts of an expression or a statement, in the order in which they are written.

Comes in: any node of the IR. Goes out: its direct parts. What never happens: a field of a node that
is passed over: parts are found by the fields of the class, so a new node needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir

EXPRESSIONS: tuple[type, ...] = ir.Expr.__args__
STATEMENTS: tuple[type, ...] = ir.Statement.__args__

_EXPRESSIONS = frozenset(EXPRESSIONS)
_FIELDS: dict[type, tuple[str, ...]] = {}
_IS_NODE: dict[type, bool] = {tuple: False, int: False, str: False, Span: False}


def _fields(kind: type) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in fields(kind))
    return found


def _is_node(kind: type) -> bool:
    found = _IS_NODE.get(kind)
    if found is None:
        found = _IS_NODE[kind] = is_dataclass(kind)
    return found


def parts(node: object) -> list[object]:
    """Every dataclass directly inside a node, through tuples; spans are left out."""
    found: list[object] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple:
            _gather(value, found)
        elif _is_node(kind):
            found.append(value)
    return found


def _gather(values: tuple[object, ...], found: list[object]) -> None:
    for value in values:
        kind = type(value)
        if kind is tuple:
            _gather(value, found)  # type: ignore[arg-type]
        elif _is_node(kind):
            found.append(value)


def children(node: object) -> Iterator[ir.Expr]:
    """The expressions directly inside a node; those inside its sentences and keys too."""
    for part in parts(node):
        if isinstance(part, EXPRESSIONS):
            yield part  # type: ignore[misc]
        elif not isinstance(part, STATEMENTS):
            yield from children(part)


def every(node: object) -> Iterator[object]:
    """The node and everything inside it."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(parts(node)))


def every_statement(node: object) -> Iterator[object]:
    """The node and everything inside it but expressions, in which there are no statements."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo.extend([part for part in reversed(parts(node)) if type(part) not in _EXPRESSIONS])


def slots_read(e: object) -> frozenset[int]:
    """The slots that an expression may read (those it binds itself too)."""
    return frozenset(n.slot for n in every(e) if isinstance(n, ir.Local))
