"""The graph of what happened: the tree of events of one match, or of one step of it.

Comes in: an `Event` of `interpreter/trace.py`, already as one viewer may know it. Goes out: a networkx
DiGraph, a tree whose boxes are called `step-1`, `step-1-2` and so on after their place in it. What
never happens: a drawing without bounds: beyond `most` boxes the rest is said in one box, where it is
left out.
"""

from __future__ import annotations

import networkx as nx

from rulewright.interpreter.trace import Event, described
from rulewright.viz.parts import Arrow, Box, Graph, Picture, add_arrow, add_box, begin
from rulewright.viz.wording import spoken

MOST = 150


def trace_graph(event: Event, title: str = "", most: int = MOST) -> Graph:
    """The tree under an event. Children stand in the order in which they happened.

    The box of the event itself is `step`. What is left out for want of room is told by a box at the end
    of its parent.
    """
    picture = Picture(
        "trace",
        title or event.text or spoken(event.name),
        "What happened, and why",
        across=True,
        ordered=True,
    )
    graph = begin(nx.DiGraph(), picture)
    add_box(graph, _box(event, "step"), "step")
    _children(graph, event, "step", [most - 1])
    return graph


def _children(graph: Graph, event: Event, key: str, room: list[int]) -> None:
    for i, child in enumerate(event.children, 1):
        if room[0] <= 0:
            left = sum(_size(c) for c in event.children[i - 1 :])
            more = add_box(graph, Box("more", f"{key}-more", f"{left} more"), f"{key}-more")
            add_arrow(graph, key, more, Arrow("causes"))
            return
        room[0] -= 1
        name = f"{key}-{i}"
        add_box(graph, _box(child, name), name)
        add_arrow(graph, key, name, Arrow("causes", span=child.span))
        _children(graph, child, name, room)


def _size(event: Event) -> int:
    return 1 + sum(_size(child) for child in event.children)


def _box(event: Event, name: str) -> Box:
    place = f"{event.span.file}:{event.span.line}" if event.span.file else ""
    label = f"{event.kind} {event.name}".strip()
    values = tuple(f"{key}: {value}" for key, value in event.arguments) if event.text else ()
    lines = (*values, *((place,) if place else ()))
    title = event.text or (described(event) if event.arguments else spoken(event.name))
    return Box(event.kind, name, title, label, lines, span=event.span)
