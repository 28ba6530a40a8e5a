"""A diagram in one call: the graph that is asked for, cut down to what is asked for, in a format.

Comes in: a loaded or checked game, the kind of diagram, a format. Goes out: bytes (SVG, PNG, PDF), text
(DOT, Mermaid) or a `DiagramProblem`. What never happens: an exception for a wrong request.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl.load import Loaded
from rulewright.dsl.model import Checked
from rulewright.dsl.spelling import closest
from rulewright.viz.components import component_graph
from rulewright.viz.crowding import thinned
from rulewright.viz.direction import better_across
from rulewright.viz.draw import to_dot
from rulewright.viz.effects import LEVELS, effect_graph
from rulewright.viz.filters import around as part_around
from rulewright.viz.filters import names_in
from rulewright.viz.folding import folded
from rulewright.viz.mermaid import to_mermaid
from rulewright.viz.parts import Graph, picture_of
from rulewright.viz.phases import phase_graph
from rulewright.viz.problem import DiagramProblem
from rulewright.viz.render import FORMATS as PICTURES
from rulewright.viz.render import render

KINDS = ("phases", "effects", "components")
TEXTS = ("dot", "mermaid")
FORMATS = (*PICTURES, *TEXTS)


def diagram(
    game: Loaded | Checked,
    kind: str = "phases",
    format: str = "svg",
    *,
    around: str = "",
    depth: int = 2,
    detail: str = "rules",
) -> bytes | str | DiagramProblem:
    """Draw a game: bytes for "svg", "png" and "pdf", text for "dot" and "mermaid".

    `around` shows only what lies at most `depth` arrows from a name. `detail` is "flow", "rules" or
    "all". A game with problems is drawn as far as it was understood. A wrong word for any of these, or
    no program to draw with, gives a `DiagramProblem`.
    """
    if format not in FORMATS:
        return _unknown("D002", "format", format, FORMATS)
    graph = graph_of(game, kind, around=around, depth=depth, detail=detail)
    if isinstance(graph, DiagramProblem):
        return graph
    return draw_graph(graph, format, full=detail == "all")


def graph_of(
    game: Loaded | Checked, kind: str, *, around: str = "", depth: int = 2, detail: str = "rules"
) -> Graph | DiagramProblem:
    """The graph behind a diagram; its arguments are those of `diagram`.

    Effects around a name that only the level "all" shows are shown at that level.
    """
    if kind not in KINDS:
        return _unknown("D001", "kind of diagram", kind, KINDS)
    if detail not in LEVELS:
        return _unknown("D003", "level of detail", detail, LEVELS)
    checked = game if isinstance(game, Checked) else game.checked
    if checked is None:
        return DiagramProblem(
            "D005",
            "These rules cannot be drawn: too little of them could be read.",
            "Put the problems right first.",
        )
    full = detail == "all"
    match kind:
        case "phases":
            graph = phase_graph(checked, full)
        case "effects":
            graph = effect_graph(checked, detail)
        case _:
            graph = component_graph(checked, full)
    if not around:
        return graph
    part = part_around(graph, around, depth)
    if part is None and kind == "effects":  # an option or a definition: only the full graph has it
        graph = effect_graph(checked, "all")
        part = part_around(graph, around, depth)
    if part is None:
        names = names_in(graph)
        near = closest(around, names)
        hint = f"Did you mean `{near}`? " if near else ""
        return DiagramProblem(
            "D004", f"Nothing in this diagram is called `{around}`.", f"{hint}It shows: {', '.join(names)}."
        )
    return part


def draw_graph(graph: Graph, format: str = "svg", full: bool = False) -> bytes | str | DiagramProblem:
    """Draw any graph of this package; `full` folds nothing and cuts no line of details short.

    Else a crowded graph is folded (`viz/crowding.py`) and its heading says so.
    """
    if picture_of(graph).kind == "effects":
        graph = folded(graph)
    if not full:
        graph = thinned(graph)
    picture = picture_of(graph)
    if picture.kind == "effects":
        graph.graph["picture"] = replace(picture, across=better_across(graph))
    if format == "mermaid":
        return to_mermaid(graph, full)
    if format == "dot":
        return to_dot(graph, full)
    if format not in PICTURES:
        return _unknown("D002", "format", format, FORMATS)
    return render(to_dot(graph, full), format)


def _unknown(code: str, what: str, word: str, known: tuple[str, ...]) -> DiagramProblem:
    near = closest(word, known)
    hint = f"Did you mean `{near}`? " if near else ""
    return DiagramProblem(code, f"There is no {what} `{word}`.", f"{hint}There are: {', '.join(known)}.")
