"""Diagrams of games: how they are played, what causes what, what they are played with.

`diagram` is all that most callers need: a game and a kind of diagram come in, a picture or a text goes
out, or a `DiagramProblem` that says what to do. Behind it, each kind is a function from a checked game
to a networkx graph (`phase_graph`, `effect_graph`, `component_graph`, `trace_graph`) that can be asked
and filtered (`around`) before it is drawn (`draw_graph`). Beside them, `table_svg` and `table_picture`
draw what a player may see of a game in play. What never happens: a rule is read or a game
is played here. To add a kind of diagram: a module that builds a graph of `viz/parts`, and a line in
`viz/diagram.py`.
"""

from rulewright.viz.components import component_graph
from rulewright.viz.diagram import FORMATS, KINDS, diagram, draw_graph, graph_of
from rulewright.viz.effects import LEVELS, effect_graph
from rulewright.viz.filters import around
from rulewright.viz.phases import phase_graph
from rulewright.viz.problem import DiagramProblem
from rulewright.viz.table_picture import table_picture
from rulewright.viz.table_svg import Look, changed_spaces, table_svg
from rulewright.viz.trace_graph import trace_graph

__all__ = [
    "FORMATS",
    "KINDS",
    "LEVELS",
    "DiagramProblem",
    "Look",
    "around",
    "changed_spaces",
    "component_graph",
    "diagram",
    "draw_graph",
    "effect_graph",
    "graph_of",
    "phase_graph",
    "table_picture",
    "table_svg",
    "trace_graph",
]
