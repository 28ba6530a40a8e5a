"""A part of a graph: what lies around one name.

Comes in: a graph of `viz/parts` and a name as it is written in the rules. Goes out: a graph of the same
kind with fewer boxes, or None when nothing is called so. The graph that came in is not changed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from rulewright.viz.parts import Frame, Graph, Picture, boxes, picture_of
from rulewright.viz.wording import spoken

SHARED = ("zone", "board", "state", "kind", "attribute", "option", "type", "table", "define")
"""Kinds that many rules touch. A walk stops at them, or everything would be near to everything."""


def around(graph: Graph, name: str, depth: int = 2) -> Graph | None:
    """The boxes at most `depth` arrows away from what is called `name`, against or along the arrows.

    `name` is a name, a key (`event-NAME`) or a title; several boxes may be called so. Zones, boards,
    state and the like are shown but not walked through, unless they are the name asked for. Depth 0
    shows only what is named.
    """
    centres = [key for key, box in boxes(graph) if name in (box.name, key, box.title)]
    if not centres:
        return None
    far = dict.fromkeys(centres, 0)
    todo = deque(centres)
    while todo:
        key = todo.popleft()
        if far[key] >= depth or (far[key] and graph.nodes[key]["box"].kind in SHARED):
            continue
        for near in (*graph.successors(key), *graph.predecessors(key)):
            if near not in far:
                far[near] = far[key] + 1
                todo.append(near)
    part = graph.subgraph([key for key in graph if key in far]).copy()
    old = picture_of(graph)
    words = f"{old.subtitle}: around {spoken(name).lower()}"
    beside = [(a, b) for a, b in old.beside if a in part and b in part]
    part.graph["picture"] = replace(
        old, subtitle=words, frames=_used(old, part), beside=beside, centres=tuple(centres)
    )
    return part


def names_in(graph: Graph) -> list[str]:
    """Every name that `around` knows."""
    return sorted({box.name for _, box in boxes(graph)})


def _used(picture: Picture, graph: Graph) -> dict[str, Frame]:
    """The frames that still have a box in them, directly or further in."""
    used: dict[str, Frame] = {}
    for _, box in boxes(graph):
        key = box.frame
        while key and key in picture.frames:
            used[key] = picture.frames[key]
            key = picture.frames[key].outer
    return {key: frame for key, frame in picture.frames.items() if key in used}
