"""How things look: a shape and a colour for each kind of box, a line and a head for each relation.

Comes in: the name of a kind or a relation. Goes out: its `BoxStyle` or `ArrowStyle`; what is not known
looks plain. Colours are those of Okabe and Ito, which colour-blind people can tell apart, lightened for
the insides of boxes; every kind has a shape and a label in words, and every relation a line and a head
of its own, so that nothing is told by colour alone. To add a kind or a relation: a line in `BOXES` or
`ARROWS`.
"""

from __future__ import annotations

from dataclasses import dataclass

FONT = "Arial"
"""Drawing programs know its widths; where it is missing they take Helvetica or its like, which is as wide."""

INK = "#1a1a1a"
PALE_INK = "#4d4d4d"  # 8 : 1 on white
FRAME_LINE = "#8c8c8c"
FRAME_FILLS = ("#f7f7f7", "#ececec", "#e0e0e0")  # the deeper a frame lies, the darker


@dataclass(frozen=True, slots=True)
class BoxStyle:
    """`shape` for DOT, `mermaid` the brackets there, `line` the border, `fill` the inside."""

    shape: str
    mermaid: tuple[str, str]
    fill: str
    line: str
    rounded: bool = False
    cut: bool = False  # a line across each corner
    double: bool = False
    bold: bool = False


@dataclass(frozen=True, slots=True)
class ArrowStyle:
    """`words` are written beside the arrow and in the legend; "" for what needs no word."""

    words: str
    colour: str
    line: str = "solid"  # solid, dashed, dotted, bold
    head: str = "normal"
    mermaid: str = "-->"
    legend: str = ""
    up: bool = False  # its target stands first, although the arrow points at it


BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE = (
    "#1a1a1a", "#a86b00", "#2b7fb8", "#007a59", "#8a7f00", "#0072b2", "#c04a00", "#a8558a",
)  # fmt: skip
"""Okabe and Ito's eight, the light ones darkened until lines and small letters are easy to read on white."""

PLAIN_BOX = BoxStyle("box", ("[", "]"), "#ffffff", BLACK)
RULE_BOX = BoxStyle("note", ("{{", "}}"), "#f6e0ee", PURPLE)
BOXES = {
    "start": BoxStyle("circle", ("((", "))"), "#ffffff", BLACK, bold=True),
    "setup": BoxStyle("box", ("[/", "/]"), "#f2f2f2", BLACK),
    "phase": BoxStyle("box", ("[", "]"), "#d9ecf9", BLUE, bold=True),
    "whenever": BoxStyle("box", ("([", "])"), "#ffffff", BLACK, rounded=True),
    "action": BoxStyle("box", (">", "]"), "#fde7c2", ORANGE, cut=True),
    "event": BoxStyle("box", ("(", ")"), "#ffffff", BLACK, rounded=True),
    "rule": RULE_BOX,
    "state": BoxStyle("cylinder", ("[(", ")]"), "#d3efe5", GREEN),
    "attribute": BoxStyle("cylinder", ("[(", ")]"), "#e7f6f0", GREEN),
    "zone": BoxStyle("folder", ("[[", "]]"), "#e3f2fb", SKY),
    "board": BoxStyle("box3d", ("[[", "]]"), "#e3f2fb", SKY),
    "kind": BoxStyle("component", ("[", "]"), "#faf5c4", YELLOW),
    "type": BoxStyle("tab", ("[", "]"), "#fbf9e3", YELLOW),
    "option": BoxStyle("tab", ("[\\", "\\]"), "#f2f2f2", PALE_INK),
    "table": BoxStyle("tab", ("[\\", "\\]"), "#f2f2f2", PALE_INK),
    "define": BoxStyle("underline", ("[", "]"), "#fafafa", PALE_INK),
    "always": BoxStyle("tab", ("[", "]"), "#e7f6f0", GREEN),
    "end": BoxStyle("box", ("([", "])"), "#fbdccb", RED, double=True),
    "forbidden": BoxStyle("note", ("{{", "}}"), "#fbdccb", RED),
    "choice": BoxStyle("box", (">", "]"), "#fff3dd", ORANGE, cut=True),
    "move": PLAIN_BOX,
    "change": BoxStyle("cylinder", ("[(", ")]"), "#d3efe5", GREEN),
    "draw": BoxStyle("tab", ("[", "]"), "#faf5c4", YELLOW),
    "shuffle": BoxStyle("tab", ("[", "]"), "#faf5c4", YELLOW),
    "forbid": RULE_BOX,  # rules in a trace are called by their form
    "instead": RULE_BOX,
    "before": RULE_BOX,
    "after": RULE_BOX,
    "game": BoxStyle("box", ("[", "]"), "#f2f2f2", BLACK, bold=True),
}

PLAIN_ARROW = ArrowStyle("", BLACK)
ARROWS = {
    # the flow of phases
    "then": ArrowStyle("", BLACK),
    "inside": ArrowStyle("", BLACK),
    "again": ArrowStyle("", BLUE, "dashed", "normal", "-.->", "begins again", up=True),
    "skipped": ArrowStyle("", PALE_INK, "dotted", "vee", "-.->", "skips a phase"),
    # effects
    "causes": ArrowStyle("", BLACK, legend="causes"),
    "forbids": ArrowStyle("forbids", RED, "bold", "tee", "--x", "forbids"),
    "replaces": ArrowStyle("instead", PURPLE, "bold", "diamond", "==>", "is replaced by"),
    "before": ArrowStyle("before", PURPLE, "solid", "normal", "-->", "before it happens"),
    "after": ArrowStyle("after", PURPLE, "solid", "normal", "-->", "after it has happened"),
    "changes": ArrowStyle("changes", PURPLE, "bold", "odiamond", "==>", "changes the value of"),
    "reads": ArrowStyle("", PALE_INK, "dotted", "vee", "-.->", "is read by"),
    "writes": ArrowStyle("", GREEN, "dashed", "dot", "-.->", "changes"),
    "moves to": ArrowStyle("", SKY, "dashed", "box", "-.->", "moves pieces to"),
    "ends": ArrowStyle("", RED, "bold", "normal", "==>", "ends the game"),
    # components
    "is a": ArrowStyle("", YELLOW, "solid", "onormal", "-->", "is a kind of", up=True),
    "lies in": ArrowStyle("", SKY, "solid", "vee", "-->", "lies in"),
    "starts in": ArrowStyle("", BLACK, "bold", "normal", "==>", "starts in"),
    "refills": ArrowStyle("refills", GREEN, "dashed", "normal", "-.->", "refills"),
    "has": ArrowStyle("", PALE_INK, "dotted", "vee", "-.->", "is described by"),
}


def box_style(kind: str) -> BoxStyle:
    """The look of a kind of box."""
    return BOXES.get(kind, PLAIN_BOX)


def arrow_style(relation: str) -> ArrowStyle:
    """The look of a relation."""
    return ARROWS.get(relation, PLAIN_ARROW)
