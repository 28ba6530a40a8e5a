"""Fewer lines: what a box reads is said in the box, where a line for it would only cross others.

Comes in: a graph of effects. Goes out: a graph for drawing, in which boxes have a line "reads …" in the
place of arrows. What stays an arrow: what an end reads, what a definition reads, and the only arrow that
holds a box to the rest. The graph that came in is not changed.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.viz.parts import Graph, arrows, boxes

FOLDED = "reads"
READERS_WITH_ARROWS = ("end", "define", "option", "kind", "table")
READ_IN_WORDS = ("zone", "board", "state", "event", "action", "kind", "type", "attribute", "option", "table")


def folded(graph: Graph) -> Graph:
    """The graph for drawing. A box that nothing else holds keeps one arrow of those who read it."""
    drawn = graph.copy()
    held: dict[str, int] = dict.fromkeys(graph, 0)
    candidates: list[tuple[str, str]] = []
    for source, target, arrow in arrows(graph):
        if arrow.relation == FOLDED and _foldable(graph, source, target):
            candidates.append((source, target))
        else:
            held[source] += 1
            held[target] += 1
    words: dict[str, list[str]] = {}
    for source, target in candidates:
        if not held[target] or not held[source]:
            held[source] += 1
            held[target] += 1
            continue
        drawn.remove_edge(source, target, FOLDED)
        words.setdefault(source, []).append(graph.nodes[target]["box"].name)
    for key, box in boxes(graph):
        if key in words:
            line = f"reads {', '.join(words[key])}"
            drawn.nodes[key]["box"] = replace(box, details=(*box.details, line))
    return drawn


def _foldable(graph: Graph, source: str, target: str) -> bool:
    reader, read = graph.nodes[source]["box"], graph.nodes[target]["box"]
    return reader.kind not in READERS_WITH_ARROWS and read.kind in READ_IN_WORDS
