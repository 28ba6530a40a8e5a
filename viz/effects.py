"""The graph of effects: what causes, forbids, replaces, reads and changes what in a game.

Comes in: a `Checked` game. Goes out: a networkx MultiDiGraph with a box for each declaration that takes
part and an arrow for each edge of `dsl/effects_graph` that the level of detail asks for. An edge keeps
the direction of the sentence it stands for (rule *forbids* event); `Arrow.backwards` says that it is
drawn the other way round, because the event comes first and the rule after it. What never happens: an
edge that `effects_graph` does not have.

Levels of detail: "flow" (what causes what, and what rules do to it), "rules" (also what is read and
written of the state of play), "all" (also options, definitions, kinds, attributes, types, tables, and
what must always hold).
"""

from __future__ import annotations

from dataclasses import replace

import networkx as nx

from rulewright.dsl.effects_graph import Edge, Node, effects_graph
from rulewright.dsl.model import Checked
from rulewright.viz.effect_boxes import box_of
from rulewright.viz.parts import Arrow, Frame, Graph, Picture, add_arrow, add_box, add_frame, begin, key_of
from rulewright.viz.wording import spoken

LEVELS = ("flow", "rules", "all")

LISTENING = ("forbids", "replaces", "before", "after")
"""Relations of a rule to what it stands around."""

BACKWARDS = ("replaces", "before", "after", "reads")
"""Relations that are drawn from the target to the source: first what is listened to or read."""

_DECLARED_ONCE = ("option", "define", "kind", "attribute", "type", "table", "always")
"""Kinds of nodes that say what things are, not what happens to them."""


def effect_graph(checked: Checked, detail: str = "rules", grouped: bool = True) -> Graph:
    """The effects of a game. `grouped`: an event and the rules around it lie in a frame.

    Declarations are called `KIND-NAME` (`event-NAME`, `rule-NAME`). A game without any effect gives an
    empty graph. An unknown level of detail is read as "all".
    """
    game = checked.game
    picture = Picture("effects", game.title or spoken(game.name), "What causes what", across=True, width=28)
    graph = begin(nx.MultiDiGraph(), picture)
    edges = shown_edges(effects_graph(checked), detail)
    frames = _frames(edges) if grouped else {}
    for edge in edges:
        for node in (edge.source, edge.target):
            box = box_of(checked, node, full=detail == "all")
            frame = frames.get(node, "")
            if frame:
                add_frame(graph, Frame(frame, "event"))
            add_box(graph, replace(box, frame=frame))
        arrow = Arrow(edge.relation, "", edge.relation in BACKWARDS, edge.span)
        add_arrow(graph, _key(edge.source), _key(edge.target), arrow)
    return graph


def shown_edges(edges: tuple[Edge, ...], detail: str) -> list[Edge]:
    """The edges that a level of detail shows."""
    if detail not in ("flow", "rules"):
        return list(edges)
    listened = {e.target for e in edges if e.relation in LISTENING}
    brought = {(e.source, e.target) for e in edges if e.relation in ("moves to", "writes")}
    return [e for e in edges if _shown(e, detail, listened, brought)]


def _shown(edge: Edge, detail: str, listened: set[Node], brought: set[tuple[Node, Node]]) -> bool:
    if edge.relation == "changes":
        return True
    if edge.source.kind in _DECLARED_ONCE or edge.target.kind in _DECLARED_ONCE:
        return False
    if edge.target == Node("event", "ran_out") and edge.target not in listened:
        return False  # nearly everything that moves pieces can cause it; nothing comes of it
    if detail == "flow":
        return edge.relation in ("causes", "ends", *LISTENING)
    # Who moves pieces to a zone has named the zone; that it is read too says nothing more.
    return edge.relation != "reads" or (edge.source, edge.target) not in brought


def _key(node: Node) -> str:
    return key_of(node.kind, node.name)


def _frames(edges: list[Edge]) -> dict[Node, str]:
    """The frame of each event that rules stand around, and of those rules.

    A rule that listens to several events lies in no frame, nor does one that stands around a state or a
    phase.
    """
    events: dict[Node, list[Node]] = {}
    for edge in edges:
        if edge.relation in LISTENING and edge.source.kind == "rule":
            events.setdefault(edge.source, []).append(edge.target)
    frames: dict[Node, str] = {}
    for rule, around in events.items():
        if len(around) == 1 and around[0].kind in ("event", "action"):
            frame = key_of("frame", around[0].name)
            frames[rule] = frames[around[0]] = frame
    return frames
