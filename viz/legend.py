"""The heading of a diagram: what it shows, and what its lines mean.

Comes in: a graph. Goes out: a label in the HTML of DOT, with a word for each relation that the graph
really has. Kinds of boxes need no legend: each box says in words of what kind it is.
"""

from __future__ import annotations

from html import escape

from rulewright.viz.parts import Graph, arrows, picture_of
from rulewright.viz.style import ARROWS, PALE_INK, arrow_style

LINES = {"solid": "–––", "dashed": "- - -", "dotted": "· · ·", "bold": "–––"}
HEADS = {
    "normal": "►",
    "onormal": "&gt;",
    "vee": "&gt;",
    "tee": "|",
    "diamond": "♦",
    "odiamond": "◊",
    "dot": "●",
    "box": "■",
}
"""Signs that look like the lines and heads of arrows; every font for diagrams has them."""

IN_A_ROW = 4


def heading(graph: Graph) -> str:
    """The label over the whole diagram."""
    picture = picture_of(graph)
    rows = [
        _wide(f'<font point-size="18"><b>{escape(picture.title)}</b></font>'),
        _wide(f'<font color="{PALE_INK}">{escape(picture.subtitle)}</font>'),
        *(_wide(f'<font color="{PALE_INK}">{escape(note)}</font>') for note in picture.notes),
    ]
    entries = legend_of(graph)
    for start in range(0, len(entries), IN_A_ROW):
        cells = "".join(_cell(relation, words) for relation, words in entries[start : start + IN_A_ROW])
        rows.append(f"<tr>{cells}</tr>")
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{"".join(rows)}</table>>'


def legend_of(graph: Graph) -> list[tuple[str, str]]:
    """The relations of a graph that need a word, with that word, in the order of `style.ARROWS`."""
    found = {arrow.relation for _, _, arrow in arrows(graph)}
    return [(relation, look.legend) for relation, look in ARROWS.items() if relation in found and look.legend]


def _wide(content: str) -> str:
    return f'<tr><td align="left" colspan="{IN_A_ROW}">{content}</td></tr>'


def _cell(relation: str, words: str) -> str:
    look = arrow_style(relation)
    sign = LINES.get(look.line, "–––") + HEADS.get(look.head, "►")
    sign = f"<b>{sign}</b>" if look.line == "bold" else sign
    return (
        f'<td align="left"><font color="{look.colour}">{sign}</font> {escape(words)}&#160;&#160;&#160;</td>'
    )
