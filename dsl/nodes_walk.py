"""Walking the syntax tree: the nodes and the names inside a node.

Comes in: any node. Goes out: its parts, in the order they are written. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.dsl import nodes as n

_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = tuple(f.name for f in fields(kind) if f.name != "span") if is_dataclass(kind) else ()
        _FIELDS[kind] = found
    return found


def children(node: n.Node) -> list[n.Node]:
    """The nodes directly inside a node."""
    found: list[n.Node] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            _gather(value, found)
        elif isinstance(value, n.Node):
            found.append(value)
    return found


def _gather(values: tuple[object, ...], found: list[n.Node]) -> None:
    for value in values:
        if isinstance(value, tuple):
            _gather(value, found)
        elif isinstance(value, n.Node):
            found.append(value)


def walk(node: n.Node) -> Iterator[n.Node]:
    """The node and everything inside it, outermost first."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(children(node)))


def parts_of(node: n.Expr, form: type[n.And] | type[n.Or]) -> Iterator[n.Expr]:
    """What `and` (or `or`) joins, from left to right; the node itself where it is no such thing."""
    if isinstance(node, form):
        yield from parts_of(node.left, form)
        yield from parts_of(node.right, form)
    else:
        yield node


def names_in(node: n.Node) -> set[str]:
    """Every word in a node that may be a name: of values, properties, calls and kinds."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case n.Name(text=text):
                found.add(text)
            case n.Of(name=name) | n.OfEvery(name=name) | n.Call(name=name):
                found.add(name)
            case n.Selection(kind=kind, relation=relation):
                found.add(kind)
                if relation:
                    found.add(relation)
            case n.Can(event=event) | n.Do(event=event) | n.HasHappened(event=event):
                found.add(event)
    return found
