"""Which way a diagram is read: from the top down or from left to right, whichever fits a screen better.

Comes in: a graph whose boxes have their texts. Goes out: yes for left to right. The size is only
estimated, from the longest chains and the widest rank, so that the answer does not hang on the program
that draws.
"""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx

from rulewright.viz.parts import Box, Graph, arrows, picture_of
from rulewright.viz.wording import wrapped

SCREEN = (1600, 1000)
CROWDED = 40
"""More boxes than this are read from left to right: the arrows between them would make rows far wider than
their boxes, while a tall picture can be scrolled."""
SIGN, LINE, EDGE = 7.5, 17, 26  # the sizes of a letter, of a line of text, of a border, in pixels


def better_across(graph: Graph) -> bool:
    """Whether left to right would need the smaller reduction to fit a screen. An empty graph is read
    downwards, a large one across."""
    if len(graph) > CROWDED:
        return True
    ranks = _ranks(graph)
    if not ranks:
        return False
    return _reduction(graph, ranks, True) < _reduction(graph, ranks, False)


def _ranks(graph: Graph) -> list[list[str]]:
    """The boxes by the longest chain of arrows that leads to them; what runs in a circle shares a rank."""
    drawn = nx.DiGraph()
    drawn.add_nodes_from(graph)
    for source, target, arrow in arrows(graph):
        drawn.add_edge(*((target, source) if arrow.backwards else (source, target)))
    flat = nx.condensation(drawn)
    return [
        [key for part in generation for key in sorted(flat.nodes[part]["members"])]
        for generation in nx.topological_generations(flat)
    ]


def _reduction(graph: Graph, ranks: list[list[str]], across: bool) -> float:
    signs = picture_of(graph).width
    texts = [[_lines(graph.nodes[key]["box"], signs) for key in rank] for rank in ranks]

    def total(size: Callable[[list[str]], float], most_of_rank: bool) -> float:
        sizes = [[size(lines) for lines in rank] for rank in texts]
        return sum(max(s) for s in sizes) if most_of_rank else max(sum(s) for s in sizes)

    width = total(_width, across)
    height = total(_height, not across)
    return max(width / SCREEN[0], height / SCREEN[1])


def _lines(box: Box, width: int) -> list[str]:
    return [box.title, *(line for detail in box.details for line in wrapped(detail, width))]


def _width(lines: list[str]) -> float:
    return max(len(line) for line in lines) * SIGN + 2 * EDGE


def _height(lines: list[str]) -> float:
    return (len(lines) + 1) * LINE + 2 * EDGE
