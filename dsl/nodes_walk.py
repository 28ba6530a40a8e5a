"""Walking the syntax tree: the nodes and the names inside a node.

Comes in: any node. Goes out: its parts, in the order they are written. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.dsl import nodes as n


def children(node: n.Node) -> Iterator[n.Node]:
    """The nodes directly inside a node."""
    for field in fields(node):
        yield from _nodes(getattr(node, field.name))


def _nodes(value: object) -> Iterator[n.Node]:
    if isinstance(value, n.Node) and is_dataclass(value):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(node: n.Node) -> Iterator[n.Node]:
    """The node and everything inside it, outermost first."""
    yield node
    for child in children(node):
        yield from walk(child)


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
