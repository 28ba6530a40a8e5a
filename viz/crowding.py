"""A crowded diagram made one that can be read: what says least is folded, and the heading says so.

Comes in: a graph of `viz/parts` of any size. Goes out: the same graph when it has few boxes; else one for
drawing, in which places and values that nothing answers to are named in the boxes that change them, boxes with the
same arrows have become one (`viz/bundles.py`), ways past a phase are left to the words of the phase, and
ends stand below each other. `Picture.notes` says what was folded and how to see it. What never happens:
something is folded that no box and no note names, what was asked for by name is folded, or the graph that
came in is changed. To fold more: a step that returns a graph and its note, in `STEPS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.viz.bundles import bundled
from rulewright.viz.parts import Graph, arrows, boxes, picture_of

CROWDED = {"effects": 40, "phases": 24, "components": 30}
"""Boxes that a kind of diagram may have before anything is folded; another kind is never folded."""
UNFOLD = "`--detail all` shows everything, `--around NAME` what is near a name."
CHANGED = {"writes": "changes", "moves to": "moves to"}
"""Relations that a box can say in a line of its own, and the words that the line begins with."""
PLACES = ("state", "zone", "board", "attribute")
ENDS_IN_A_ROW = 2


def thinned(graph: Graph) -> Graph:
    """The graph for drawing. One that is not crowded comes back as it is."""
    picture = picture_of(graph)
    if len(graph) <= CROWDED.get(picture.kind, len(graph)):
        return graph
    notes: list[str] = []
    for step in STEPS[picture.kind]:
        graph, note = step(graph)
        notes += [note] if note else []
    if notes:
        notes.append(UNFOLD)
        graph.graph["picture"] = replace(picture_of(graph), notes=(*picture.notes, *notes))
    return graph


def _places_in_words(graph: Graph) -> tuple[Graph, str]:
    """What is only changed, and neither listened to nor read by an end, is named where it is changed."""
    leaves = [
        key
        for key, box in boxes(graph)
        if box.kind in PLACES
        and key not in picture_of(graph).centres
        and graph.degree(key)
        and all(arrow.relation in CHANGED and target == key for _, target, arrow in _at(graph, key))
    ]
    drawn = graph.copy()
    words: dict[str, dict[str, list[str]]] = {}
    for source, target, arrow in arrows(graph):
        if target in leaves:
            said = words.setdefault(source, {}).setdefault(CHANGED[arrow.relation], [])
            said.append(graph.nodes[target]["box"].name)
    for key, said in words.items():
        box = drawn.nodes[key]["box"]
        lines = tuple(f"{word} {', '.join(names)}" for word, names in said.items())
        drawn.nodes[key]["box"] = replace(box, details=(*box.details, *lines))
    drawn.remove_nodes_from(leaves)
    note = f"{len(leaves)} places and values are only named in the boxes that change them." if leaves else ""
    return drawn, note


def _at(graph: Graph, key: str) -> list[tuple[str, str, object]]:
    return [
        (source, target, data["arrow"])
        for source, target, data in (*graph.in_edges(key, data=True), *graph.out_edges(key, data=True))
    ]


def _twins(graph: Graph) -> tuple[Graph, str]:
    drawn, count = bundled(graph)
    return drawn, f"{count} boxes with the same arrows are drawn together." if count else ""


def _designs(graph: Graph) -> tuple[Graph, str]:
    drawn, count = bundled(graph, 4)
    return drawn, f"{count} boxes with the same arrows are drawn together." if count else ""


def _no_ways_past(graph: Graph) -> tuple[Graph, str]:
    """Each phase that may be skipped says when; arrows past several of them in a row would hide the rest."""
    past = [(source, target) for source, target, arrow in arrows(graph) if arrow.relation == "skipped"]
    drawn = graph.copy()
    drawn.remove_edges_from(past)
    return drawn, "A phase that may be skipped says when; no arrow leads past it." if past else ""


def _ends_below_each_other(graph: Graph) -> tuple[Graph, str]:
    """A few ends in a row, the others below them, wherever one box leads to many ends."""
    drawn = graph.copy()
    beside = list(picture_of(graph).beside)
    for key in graph:
        ends = [target for _, target, arrow in arrows(graph.edge_subgraph(graph.out_edges(key))) if arrow.relation == "ends"]
        beside += [pair for pair in zip(ends, ends[ENDS_IN_A_ROW:], strict=False) if pair not in beside]
    drawn.graph["picture"] = replace(picture_of(graph), beside=beside)
    return drawn, ""


_Step = Callable[[Graph], tuple[Graph, str]]
STEPS: dict[str, tuple[_Step, ...]] = {
    "effects": (_places_in_words, _twins),
    "phases": (_no_ways_past, _ends_below_each_other),
    "components": (_designs,),
}
"""For each kind of diagram what is folded, first to last."""
