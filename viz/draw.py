"""From a graph to DOT text, the language of Graphviz.

Comes in: a graph of `viz/parts`. Goes out: DOT text with labels, frames, ids and classes; the same
graph always gives the same text. What never happens: a program is run; that is `viz/render.py`. Looks
are in `viz/style.py`.
"""

from __future__ import annotations

from html import escape

import graphviz

from rulewright.viz.legend import heading
from rulewright.viz.parts import Arrow, Box, Frame, Graph, Picture, arrows, boxes, picture_of
from rulewright.viz.style import (
    FONT,
    FRAME_FILLS,
    FRAME_LINE,
    INK,
    PALE_INK,
    arrow_style,
    box_style,
)
from rulewright.viz.wording import wrapped

MOST_LINES = 3
"""Lines that one detail may take."""


def to_dot(graph: Graph, full: bool = False) -> str:
    """The DOT text of a graph; `full` cuts no line of details short."""
    picture = picture_of(graph)
    drawing = graphviz.Digraph(
        "diagram",
        graph_attr={
            "rankdir": "LR" if picture.across else "TB",
            "label": heading(graph),
            "labelloc": "t",
            "labeljust": "l",
            "fontname": FONT,
            "fontsize": "12",
            "fontcolor": INK,
            "bgcolor": "white",
            "pad": "0.2",
            "nodesep": "0.25",
            "ranksep": "0.35" if picture.across else "0.4",
            # Looking longer for an order with few crossings makes large diagrams much narrower.
            "mclimit": "10",
            "id": f"diagram-{picture.kind}",
            "tooltip": graphviz.escape(picture.title),
            **({"ordering": "out"} if picture.ordered else {}),
        },
        node_attr={
            "fontname": FONT,
            "fontsize": "11",
            "fontcolor": INK,
            "style": "filled",
            "margin": "0.09,0.05",
        },
        edge_attr={"fontname": FONT, "fontsize": "10", "arrowsize": "0.8"},
    )
    _frame(drawing, graph, picture, "", 0, full)
    for source, target, arrow in arrows(graph):
        _arrow(drawing, source, target, arrow, graph.nodes[source]["box"].kind == "rule")
    for left, right in picture.beside:
        drawing.edge(left, right, style="invis")
    return str(drawing.source)


def _frame(
    drawing: graphviz.Digraph, graph: Graph, picture: Picture, outer: str, depth: int, full: bool
) -> None:
    """The boxes that lie directly in a frame ("" for none), then the frames in it."""
    for key, box in boxes(graph):
        if box.frame == outer:
            _box(drawing, key, box, picture.width, full)
    for frame in picture.frames.values():
        if frame.outer == outer:
            with drawing.subgraph(name=f"cluster_{frame.key}") as inside:
                inside.attr(**_frame_look(frame, depth))
                _frame(inside, graph, picture, frame.key, depth + 1, full)


def _frame_look(frame: Frame, depth: int) -> dict[str, str]:
    return {
        "label": "",
        "style": "filled,rounded",
        "fillcolor": FRAME_FILLS[min(depth, len(FRAME_FILLS) - 1)],
        "color": FRAME_LINE,
        "margin": "10",
        "id": frame.key,
        "class": f"frame {frame.kind}",
        "tooltip": graphviz.escape(frame.title or frame.key),
    }


def _box(drawing: graphviz.Digraph, key: str, box: Box, width: int, full: bool) -> None:
    look = box_style(box.kind)
    style = ["filled", *(["rounded"] if look.rounded else []), *(["diagonals"] if look.cut else [])]
    drawing.node(
        key,
        label=_label(box, width, full),
        shape=look.shape,
        style=",".join(style),
        fillcolor=look.fill,
        color=look.line,
        penwidth="2" if look.bold else "1.2",
        peripheries="2" if look.double else "1",
        id=key,
        **{"class": box.kind},
        tooltip=_tooltip(box),
    )


def _label(box: Box, width: int, full: bool) -> str:
    if box.kind == "start":
        return str(graphviz.escape(box.title))
    rows = []
    if box.label:
        rows.append(_row(f'<font point-size="9" color="{PALE_INK}">{escape(box.label)}</font>'))
    title = [escape(line) for line in wrapped(box.title, max(width - 6, 20), hanging=0)]
    rows.append(_row(f'<font point-size="13"><b>{_lines(title)}</b></font>'))
    if box.details:
        lines = [line for detail in box.details for line in wrapped(detail, width, 0 if full else MOST_LINES)]
        rows.append(_row(_lines([_kept(line) for line in lines])))
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{"".join(rows)}</table>>'


def _row(content: str) -> str:
    return f'<tr><td align="left" balign="left">{content}</td></tr>'


def _lines(lines: list[str]) -> str:
    return "<br/>".join(lines)


def _kept(line: str) -> str:
    """A line whose indentation stays to be seen; an empty one keeps its height."""
    text = line.lstrip(" ")
    return "&#160;" * (len(line) - len(text)) + escape(text) if text else "&#160;"


def _tooltip(box: Box) -> str:
    place = f" ({box.span})" if box.span.file else ""
    return str(graphviz.escape(f"{box.kind} {box.name}{place}"))


def _arrow(drawing: graphviz.Digraph, source: str, target: str, arrow: Arrow, of_rule: bool) -> None:
    """`of_rule`: the arrow belongs to a rule, whose box says what it does; a word more only needs room."""
    look = arrow_style(arrow.relation)
    tail, head = (target, source) if arrow.backwards else (source, target)
    words = arrow.text or ("" if of_rule else look.words)
    attributes = {
        "color": look.colour,
        "fontcolor": look.colour,
        "style": look.line,
        "arrowhead": look.head,
        "id": f"{source}--{arrow.relation.replace(' ', '-')}--{target}",
        "class": arrow.relation.replace(" ", "-"),
        "tooltip": str(graphviz.escape(_sentence(source, target, arrow))),
    }
    if words:
        attributes["label"] = str(graphviz.escape(" " + words + " "))
    if look.up and tail != head:
        tail, head = head, tail
        attributes |= {"dir": "back", "arrowtail": attributes.pop("arrowhead")}
    drawing.edge(tail, head, **attributes)


def _sentence(source: str, target: str, arrow: Arrow) -> str:
    place = f" ({arrow.span})" if arrow.span.file else ""
    return f"{source} {arrow.relation} {target}{place}"
