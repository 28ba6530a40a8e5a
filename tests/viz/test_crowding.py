"""Crowded diagrams: what is folded is named, small diagrams and what is asked for stay whole."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import around, component_graph, diagram, effect_graph, phase_graph
from rulewright.viz.bundles import TOLD_IN_FULL, bundled
from rulewright.viz.crowding import CROWDED, thinned
from rulewright.viz.folding import folded
from rulewright.viz.parts import (
    Arrow,
    Box,
    Graph,
    Picture,
    add_arrow,
    add_box,
    arrows,
    begin,
    boxes,
    picture_of,
)


def made(kind: str = "effects", least: int = 0) -> Graph:
    """A graph that counts as crowded when it has more than `least` boxes beside its own."""
    graph = begin(nx.MultiDiGraph(), Picture(kind, "T"))
    for i in range(least):
        add_box(graph, Box("phase", f"filler{i}", "F"))
    return graph


def rules(graph: Graph, count: int, **more: str) -> None:
    """Rules that listen to one event and cause another."""
    for name in ("cause", "effect"):
        add_box(graph, Box("event", name, name.capitalize(), "event"))
    for i in range(count):
        box = Box("rule", f"cards.fruit.f{i}.met", f"Fruit {i}", "rule: after", (f"when x is {i}", "reads a"))
        key = add_box(graph, box)
        add_arrow(graph, key, "event-cause", Arrow("after", backwards=True))
        add_arrow(graph, key, "event-effect", Arrow("causes"))


@pytest.mark.parametrize("name", bundled_games())
def test_every_box_is_drawn_or_stands_in_a_bundle_or_is_named_where_it_is_changed(
    name: str, games: dict[str, Checked]
) -> None:
    for graph in (folded(effect_graph(games[name])), phase_graph(games[name]), component_graph(games[name])):
        drawn = thinned(graph)
        shown = set(drawn) | {key for _, box in boxes(drawn) for key in box.members}
        words = " ".join(line for _, box in boxes(drawn) for line in box.details).replace(",", " ")
        words = words.replace("(", " ").replace(")", " ")
        for key, box in boxes(graph):
            assert key in shown or f" {box.name} " in f" {words} ", key
        folded_away = len(drawn) < len(graph) or drawn.number_of_edges() < graph.number_of_edges()
        assert not folded_away or picture_of(drawn).notes


@pytest.mark.parametrize("name", bundled_games())
def test_a_bundle_names_every_box_that_it_stands_for(name: str, games: dict[str, Checked]) -> None:
    graph = folded(effect_graph(games[name]))
    drawn, count = bundled(graph)
    stands_for = [(box, graph.nodes[key]["box"]) for _, box in boxes(drawn) for key in box.members]
    assert len(stands_for) == count
    for bundle, member in stands_for:
        assert any(line.startswith(f"• {member.title}") for line in bundle.details)


def test_the_graph_that_comes_in_stays_as_it_is(games: dict[str, Checked]) -> None:
    for checked in games.values():
        graph = folded(effect_graph(checked))
        before = (list(boxes(graph)), list(arrows(graph)), picture_of(graph).notes)
        thinned(graph)
        assert (list(boxes(graph)), list(arrows(graph)), picture_of(graph).notes) == before


def test_a_graph_with_few_boxes_is_not_touched(small: Checked) -> None:
    graph = effect_graph(small)
    assert thinned(graph) is graph
    assert not picture_of(graph).notes


def test_a_graph_at_the_limit_is_not_touched_and_one_box_more_is_folded() -> None:
    for extra in (0, 1):
        graph = made(least=CROWDED["effects"] - 6 + extra)
        rules(graph, 4)
        assert (len(thinned(graph)) == len(graph)) is (extra == 0)


def test_everything_is_drawn_when_everything_is_asked_for(games: dict[str, Checked]) -> None:
    checked = max(games.values(), key=lambda c: len(effect_graph(c)))
    whole = diagram(checked, "effects", "dot", detail="all")
    usual = diagram(checked, "effects", "dot")
    assert isinstance(whole, str) and isinstance(usual, str)
    keys = set(effect_graph(checked))
    assert all(f"id={key} " in whole or f'id="{key}" ' in whole for key in keys)
    assert "drawn together" in usual and "drawn together" not in whole
    assert "--detail all" in usual


# ------------------------------------------------------------------ bundles


def test_boxes_with_the_same_arrows_become_one_with_a_line_for_each() -> None:
    graph = made()
    rules(graph, TOLD_IN_FULL)
    drawn, count = bundled(graph)
    assert count == TOLD_IN_FULL
    (box,) = [box for _, box in boxes(drawn) if box.kind == "rule"]
    assert box.title == f"{TOLD_IN_FULL} rules of Fruit" and box.label == "rule: after"
    assert "• Fruit 0 (when x is 0)" in box.details and "reads a" in box.details
    assert {(s, a.relation, t) for s, t, a in arrows(drawn)} == {
        ("rule-cards-fruit-f0-met", "after", "event-cause"),
        ("rule-cards-fruit-f0-met", "causes", "event-effect"),
    }


def test_long_details_are_told_of_few_boxes_only() -> None:
    long = "when the moon is full and nobody looks"
    for count, told in ((TOLD_IN_FULL, True), (TOLD_IN_FULL + 1, False)):
        graph = made()
        add_box(graph, Box("event", "cause", "Cause"))
        for i in range(count):
            key = add_box(graph, Box("rule", f"r{i}", f"R {i}", "rule: after", (f"{long} {i}",)))
            add_arrow(graph, key, "event-cause", Arrow("after", backwards=True))
        (box,) = [box for _, box in boxes(bundled(graph)[0]) if box.kind == "rule"]
        assert (f"    {long} 1" in box.details) is told


def test_another_arrow_another_form_or_another_kind_keeps_a_box_apart() -> None:
    graph = made()
    rules(graph, 2)
    add_arrow(graph, "rule-cards-fruit-f1-met", "event-cause", Arrow("causes"))
    assert bundled(graph)[1] == 0
    other = made()
    rules(other, 1)
    key = add_box(other, Box("rule", "b", "B", "rule: before"))
    add_arrow(other, key, "event-cause", Arrow("after", backwards=True))
    add_arrow(other, key, "event-effect", Arrow("causes"))
    assert bundled(other)[1] == 0


def test_ends_and_phases_are_never_bundled() -> None:
    graph = made()
    add_box(graph, Box("event", "storm", "Storm"))
    for i in range(3):
        add_arrow(graph, "event-storm", add_box(graph, Box("end", f"e{i}", f"E{i}")), Arrow("ends"))
    assert bundled(graph)[1] == 0


def test_what_was_asked_for_by_name_is_not_folded() -> None:
    graph = made(least=CROWDED["effects"])
    rules(graph, 3)
    add_arrow(graph, "event-effect", add_box(graph, Box("state", "gold", "Gold")), Arrow("writes"))
    for name, key in (("Fruit 1", "rule-cards-fruit-f1-met"), ("gold", "state-gold")):
        for filler in (k for k in graph if k.startswith("phase-")):
            add_arrow(graph, filler, "event-cause", Arrow("causes"))
        part = around(graph, name, 9)
        assert part is not None
        assert key in thinned(part)


# ------------------------------------------------------------- places, ends


def test_a_place_that_is_only_changed_is_named_in_the_box_that_changes_it() -> None:
    graph = made(least=CROWDED["effects"])
    add_box(graph, Box("event", "dig", "Dig"))
    for name in ("gold", "mud"):
        add_arrow(graph, "event-dig", add_box(graph, Box("state", name, name)), Arrow("writes"))
    heap, yard = (add_box(graph, Box("zone", name, name)) for name in ("heap", "yard"))
    add_arrow(graph, "event-dig", heap, Arrow("moves to"))
    add_arrow(graph, heap, yard, Arrow("moves to"))
    drawn = thinned(graph)
    assert {"state-gold", "state-mud", heap, yard}.isdisjoint(drawn)
    assert drawn.nodes["event-dig"]["box"].details == ("changes gold, mud", "moves to heap (moves to yard)")
    assert any(note.startswith("4 places and values") for note in picture_of(drawn).notes)


def test_a_value_that_a_rule_listens_to_or_an_end_reads_keeps_its_box() -> None:
    graph = made(least=CROWDED["effects"])
    add_box(graph, Box("event", "dig", "Dig"))
    for name, kind, relation in (("gold", "rule", "after"), ("mud", "end", "reads")):
        state = add_box(graph, Box("state", name, name))
        add_arrow(graph, "event-dig", state, Arrow("writes"))
        add_arrow(
            graph, add_box(graph, Box(kind, f"of_{name}", name)), state, Arrow(relation, backwards=True)
        )
    assert {"state-gold", "state-mud"} <= set(thinned(graph))


def test_an_end_keeps_one_arrow_of_what_it_reads_and_names_the_rest() -> None:
    graph = made(least=CROWDED["effects"])
    end = add_box(graph, Box("end", "lost", "Lost"))
    for name in ("gold", "mud"):
        add_arrow(graph, end, add_box(graph, Box("state", name, name)), Arrow("reads", backwards=True))
    drawn = thinned(graph)
    assert [t for s, t, a in arrows(drawn) if s == end] == ["state-gold"]
    assert drawn.nodes[end]["box"].details == ("reads mud",)


def test_crowded_phases_say_when_they_are_skipped_and_stack_their_ends() -> None:
    graph = begin(nx.DiGraph(), Picture("phases", "T"))
    keys = [add_box(graph, Box("phase", f"p{i}", f"P{i}")) for i in range(CROWDED["phases"])]
    for before, after in pairwise(keys):
        add_arrow(graph, before, after, Arrow("then"))
    add_arrow(graph, keys[0], keys[2], Arrow("skipped", "without P1"))
    ends = [add_box(graph, Box("end", f"e{i}", f"E{i}")) for i in range(5)]
    for end in ends:
        add_arrow(graph, keys[0], end, Arrow("ends"))
    drawn = thinned(graph)
    assert "skipped" not in {arrow.relation for _, _, arrow in arrows(drawn)}
    assert any("may be skipped" in note for note in picture_of(drawn).notes)
    assert picture_of(drawn).beside == [(ends[0], ends[2]), (ends[1], ends[3]), (ends[2], ends[4])]


@pytest.mark.parametrize("name", bundled_games())
def test_every_phase_that_may_be_skipped_says_when(name: str, games: dict[str, Checked]) -> None:
    graph = phase_graph(games[name])
    for phase in games[name].game.phases.values():
        if phase.skip_when is not None:
            box = next(b for _, b in boxes(graph) if b.kind == "phase" and b.name == phase.name)
            assert box.details[0].startswith("skipped when ")
