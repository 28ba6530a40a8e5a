"""The graph of what happened: a tree in the order of events, within bounds."""

from __future__ import annotations

import networkx as nx

from rulewright.dsl.problems import NOWHERE, Span
from rulewright.interpreter.trace import Event
from rulewright.viz import draw_graph, trace_graph
from rulewright.viz.parts import boxes


def event(name: str, *children: Event, kind: str = "event", text: str = "") -> Event:
    return Event(kind, name, text, Span("game.yaml", 7, 3, 7, 9), (("who", "x"),), children)


TREE = event(
    "grow",
    event("bloom", event("", kind="move", text="Leaf: stack → fan of x"), text="It blooms."),
    event("storms_come", kind="after"),
    kind="action",
)


def test_a_trace_is_a_tree_with_a_box_for_each_event() -> None:
    graph = trace_graph(TREE)
    assert set(graph.edges) == {("step", "step-1"), ("step-1", "step-1-1"), ("step", "step-2")}
    assert list(graph["step"]) == ["step-1", "step-2"]
    assert nx.is_arborescence(graph)


def test_a_box_says_what_happened_and_where_the_rule_stands() -> None:
    box = trace_graph(TREE).nodes["step-1"]["box"]
    assert box.title == "It blooms." and box.label == "event bloom"
    assert box.details == ("who: x", "game.yaml:7")


def test_an_event_without_a_sentence_is_described() -> None:
    assert trace_graph(TREE).nodes["step"]["box"].title == "grow: who x"
    silent = Event("after", "storms_come", "", NOWHERE)
    assert trace_graph(silent).nodes["step"]["box"].title == "Storms come"


def test_what_there_is_no_room_for_is_counted() -> None:
    wide = event("root", *(event(f"e{i}", event(f"inner{i}")) for i in range(20)))
    graph = trace_graph(wide, most=10)
    left = [box.title for _, box in boxes(graph) if box.kind == "more"]
    shown = sum(box.kind != "more" for _, box in boxes(graph))
    assert shown == 10
    assert sum(int(text.split()[0]) for text in left) == 41 - 10


def test_a_trace_can_be_drawn() -> None:
    dot = draw_graph(trace_graph(TREE, title="One step"), "dot")
    assert isinstance(dot, str)
    assert "ordering=out" in dot and "One step" in dot and "Leaf: stack → fan of x" in dot
