"""From a graph to Mermaid text, which wikis and code hosts draw by themselves.

Comes in: a graph of `viz/parts`. Goes out: a Mermaid flowchart with the same boxes, frames and arrows
as the DOT text. What never happens: a sign of a name or a rule is taken for Mermaid's own; all texts
are quoted.
"""

from __future__ import annotations

from rulewright.viz.parts import Arrow, Graph, Picture, arrows, boxes, picture_of
from rulewright.viz.style import BOXES, INK, arrow_style, box_style
from rulewright.viz.wording import wrapped

MOST_LINES = 2
_ESCAPES = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"})


def to_mermaid(graph: Graph, full: bool = False) -> str:
    """The Mermaid text of a graph; `full` cuts no line of details short."""
    picture = picture_of(graph)
    keys = {key: f"n{i}" for i, (key, _) in enumerate(boxes(graph))}
    title = ". ".join((picture.title, picture.subtitle, *picture.notes))
    lines = ["---", f"title: {_yaml(title)}", "---"]
    lines.append(f"flowchart {'LR' if picture.across else 'TD'}")
    lines += _frame(graph, picture, keys, "", 1, full)
    styles = []
    for i, (source, target, arrow) in enumerate(arrows(graph)):
        lines.append("    " + _arrow(keys[source], keys[target], arrow))
        styles.append(f"    linkStyle {i} stroke:{arrow_style(arrow.relation).colour}")
    lines += [f"    {keys[left]} ~~~ {keys[right]}" for left, right in picture.beside]
    lines += styles
    used = dict.fromkeys(box.kind for _, box in boxes(graph))
    for kind in used:
        look = box_style(kind)
        width = "2px" if look.bold or look.double else "1px"
        style = f"fill:{look.fill},stroke:{look.line},stroke-width:{width},color:{INK}"
        lines.append(f"    classDef {_class(kind)} {style}")
    return "\n".join(lines) + "\n"


def _frame(
    graph: Graph, picture: Picture, keys: dict[str, str], outer: str, level: int, full: bool
) -> list[str]:
    indent = "    " * level
    lines = []
    for key, box in boxes(graph):
        if box.frame == outer:
            start, end = box_style(box.kind).mermaid
            text = [f"<small>{_quoted(box.label)}</small>"] if box.label else []
            text.append(f"<b>{_quoted(box.title)}</b>")
            text += [
                _quoted(line)
                for detail in box.details
                for line in wrapped(detail, picture.width, 0 if full else MOST_LINES)
            ]
            lines.append(f'{indent}{keys[key]}{start}"{"<br/>".join(text)}"{end}:::{_class(box.kind)}')
    for i, frame in enumerate(picture.frames.values()):
        if frame.outer == outer:
            lines.append(f'{indent}subgraph f{i}["{_quoted(frame.title or " ")}"]')
            lines += _frame(graph, picture, keys, frame.key, level + 1, full)
            lines.append(f"{indent}end")
    return lines


def _arrow(source: str, target: str, arrow: Arrow) -> str:
    look = arrow_style(arrow.relation)
    tail, head = (target, source) if arrow.backwards else (source, target)
    # Mermaid has few kinds of lines: what the DOT text tells by its head is said in a word here.
    words = arrow.text or look.words or look.legend
    text = f'|"{_quoted(words)}"|' if words and words != "causes" else ""
    return f"{tail} {look.mermaid}{text} {head}"


def _class(kind: str) -> str:
    """A class name; plain `end` would close a frame."""
    return f"{kind if kind in BOXES else 'plain'}_box"


def _quoted(text: str) -> str:
    indent = len(text) - len(text.lstrip(" "))
    return "#160;" * indent + text.strip().translate(_ESCAPES)


def _yaml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
