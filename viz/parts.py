"""The parts that every diagram is made of: boxes, arrows between them, frames around them.

Comes in: what a graph of phases, of effects, of components or of one match wants to show. Goes out: a
networkx graph whose nodes carry a `Box` (`graph.nodes[key]["box"]`) and whose edges carry an `Arrow`
(`graph.edges[...]["arrow"]`); the frames, the heading and the direction of reading lie in
`graph.graph["picture"]`. What never happens: a colour, a shape or a font; those are `viz/style.py`. To
add a kind of box or a relation: a line in `viz/style.py`; nothing here knows their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.dsl.problems import NOWHERE, Span

Graph = Any
"""A networkx DiGraph or MultiDiGraph; networkx comes without types."""


@dataclass(frozen=True, slots=True)
class Box:
    """One thing. `label` names its kind in words; `details` are lines, each of them wrapped when drawn.
    `members`: the keys of all the boxes that are drawn as this one."""

    kind: str
    name: str
    title: str
    label: str = ""
    details: tuple[str, ...] = ()
    frame: str = ""  # the key of the innermost frame around it
    span: Span = NOWHERE
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """One relation. `backwards`: drawn from the target to the source, because that is how things go on."""

    relation: str
    text: str = ""
    backwards: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Frame:
    """A border around boxes and other frames; `outer` is the key of the frame it lies in."""

    key: str
    kind: str
    title: str = ""
    outer: str = ""


@dataclass(slots=True)
class Picture:
    """What a diagram shows as a whole. `across`: it is read from left to right, not from the top down;
    `width`: signs on a line of details; `ordered`: what an arrow leads to stands in the order of the
    arrows; `beside`: pairs of boxes, without an arrow, of which the second belongs after the first;
    `centres`: the boxes that were asked for by name; `notes`: what was folded, in words."""

    kind: str
    title: str
    subtitle: str = ""
    across: bool = False
    width: int = 36
    ordered: bool = False
    frames: dict[str, Frame] = field(default_factory=dict)
    beside: list[tuple[str, str]] = field(default_factory=list)
    centres: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def key_of(kind: str, name: str) -> str:
    """The key of a box, also its id in an SVG: `phase-placing`. Signs that an id may not have become `-`."""
    return re.sub(r"[^\w-]+", "-", f"{kind}-{name}".replace(".", "-")).strip("-")


def begin(graph: Graph, picture: Picture) -> Graph:
    """Give an empty graph its heading."""
    graph.graph["picture"] = picture
    return graph


def picture_of(graph: Graph) -> Picture:
    """The heading of a graph."""
    picture = graph.graph["picture"]
    assert isinstance(picture, Picture)
    return picture


def add_box(graph: Graph, box: Box, key: str = "") -> str:
    """Add a box and return its key. A key that is there already keeps its first box."""
    key = key or key_of(box.kind, box.name)
    if key not in graph:
        graph.add_node(key, box=box)
    return key


def add_arrow(graph: Graph, source: str, target: str, arrow: Arrow) -> None:
    """Add an arrow. In a DiGraph two boxes keep their first arrow; in a MultiDiGraph the first of each
    relation."""
    if graph.is_multigraph():
        if not graph.has_edge(source, target, arrow.relation):
            graph.add_edge(source, target, key=arrow.relation, arrow=arrow)
    elif not graph.has_edge(source, target):
        graph.add_edge(source, target, arrow=arrow)


def add_frame(graph: Graph, frame: Frame) -> str:
    """Add a frame and return its key."""
    picture_of(graph).frames.setdefault(frame.key, frame)
    return frame.key


def boxes(graph: Graph) -> Iterator[tuple[str, Box]]:
    """Every key and its box, in the order they were added."""
    for key, data in graph.nodes(data=True):
        yield key, data["box"]


def arrows(graph: Graph) -> Iterator[tuple[str, str, Arrow]]:
    """Every arrow with its source and its target, in the order they were added."""
    for source, target, data in graph.edges(data=True):
        yield source, target, data["arrow"]
