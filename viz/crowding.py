"""A crowded diagram made one that can be read: what says least is folded, and the heading says so.

Comes in: a graph of `viz/parts` of any size. Goes out: the same graph when it has few boxes; else one for
drawing, in which places and values that nothing answers to are named in the boxes that change them, boxes
with the same arrows have become one (`viz/bundles.py`), ways past a phase are left to the words of the
phase, and ends stand below each other. `Picture.notes` says what was folded and how to see it. What never
happens: something is folded that no box and no note names, what was asked for by name is folded, or the
graph that came in is changed. To fold more: a step that returns a graph and its note, in `STEPS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.viz.bundles import bundled
from rulewright.viz.folding import FOLDED
from rulewright.viz.parts import Arrow, Box, Graph, arrows, boxes, picture_of

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
    """What is only changed, and neither listened to nor read by an end, is named where it is changed.

    A place from which pieces go on to such a place is named with it: `moves to pile (moves to deck)`.
    """
    drawn = graph.copy()
    told: dict[str, str] = {}
    while leaves := [key for key, box in boxes(drawn) if _is_leaf(drawn, key, box)]:
        told |= {key: drawn.nodes[key]["box"].name + _in_brackets(drawn.nodes[key]["box"]) for key in leaves}
        words: dict[str, dict[str, list[str]]] = {}
        for source, target, arrow in arrows(drawn):
            if target in leaves:
                words.setdefault(source, {}).setdefault(CHANGED[arrow.relation], []).append(told[target])
        drawn.remove_nodes_from(leaves)
        for key, said in words.items():
            _add_words(drawn, key, said)
    note = f"{len(told)} places and values are only named in the boxes that change them." if told else ""
    return drawn, note


def _is_leaf(graph: Graph, key: str, box: Box) -> bool:
    """Whether arrows only lead here, all of them such as words can say."""
    if box.kind not in PLACES or key in picture_of(graph).centres:
        return False
    led_here = [data["arrow"] for _, _, data in graph.in_edges(key, data=True)]
    return bool(led_here) and not graph.out_degree(key) and all(a.relation in CHANGED for a in led_here)


def _in_brackets(box: Box) -> str:
    said = [line for line in box.details if line.startswith(tuple(CHANGED.values()))]
    return f" ({'; '.join(said)})" if said else ""


def _add_words(graph: Graph, key: str, said: dict[str, list[str]]) -> None:
    """Lines that say what a box changes; a line that is there already is continued."""
    box = graph.nodes[key]["box"]
    details = list(box.details)
    for word, names in said.items():
        at = next((i for i, line in enumerate(details) if line.startswith(f"{word} ")), None)
        if at is None:
            details.append(f"{word} {', '.join(names)}")
        else:
            details[at] += f", {', '.join(names)}"
    graph.nodes[key]["box"] = replace(box, details=tuple(details))


def _ends_by_one_arrow(graph: Graph) -> tuple[Graph, str]:
    """An end says in its condition what it reads: one arrow shows where it belongs."""
    drawn = graph.copy()
    for key, box in boxes(graph):
        read = [target for _, target, arrow in _from(graph, key) if arrow.relation == FOLDED]
        if box.kind == "end" and len(read) > 1:
            for target in read[1:]:
                drawn.remove_edge(key, target, FOLDED)
            _add_words(drawn, key, {FOLDED: [graph.nodes[target]["box"].name for target in read[1:]]})
    return drawn, ""


def _from(graph: Graph, key: str) -> list[tuple[str, str, Arrow]]:
    """The arrows that belong to a box."""
    return [(source, target, data["arrow"]) for source, target, data in graph.out_edges(key, data=True)]


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
        ends = [target for _, target, arrow in _from(graph, key) if arrow.relation == "ends"]
        beside += [pair for pair in zip(ends, ends[ENDS_IN_A_ROW:], strict=False) if pair not in beside]
    drawn.graph["picture"] = replace(picture_of(graph), beside=beside)
    return drawn, ""


_Step = Callable[[Graph], tuple[Graph, str]]
STEPS: dict[str, tuple[_Step, ...]] = {
    "effects": (_ends_by_one_arrow, _places_in_words, _twins),
    "phases": (_no_ways_past, _ends_below_each_other),
    "components": (_designs,),
}
"""For each kind of diagram what is folded, first to last."""
