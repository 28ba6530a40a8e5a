"""The graph of effects: nothing is lost, nothing is made up, and less can be shown."""

from __future__ import annotations

import pytest

from rulewright.dsl.effects_graph import effects_graph
from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import effect_graph
from rulewright.viz.folding import folded
from rulewright.viz.parts import Graph, arrows, boxes, key_of, picture_of

Triple = tuple[str, str, str]


def shown(graph: Graph) -> set[Triple]:
    return {(source, arrow.relation, target) for source, target, arrow in arrows(graph)}


def known(checked: Checked) -> set[Triple]:
    return {
        (key_of(e.source.kind, e.source.name), e.relation, key_of(e.target.kind, e.target.name))
        for e in effects_graph(checked)
    }


@pytest.mark.parametrize("name", bundled_games())
def test_everything_shows_exactly_the_edges_of_the_effects_graph(
    name: str, games: dict[str, Checked]
) -> None:
    assert shown(effect_graph(games[name], "all")) == known(games[name])


@pytest.mark.parametrize("name", bundled_games())
def test_each_level_shows_a_part_of_the_next(name: str, games: dict[str, Checked]) -> None:
    flow, rules, everything = (shown(effect_graph(games[name], d)) for d in ("flow", "rules", "all"))
    assert flow <= rules <= everything
    assert not any(relation in ("reads", "writes", "moves to") for _, relation, _ in flow)


def test_the_usual_level_leaves_out_options_and_definitions(small: Checked) -> None:
    kinds = {box.kind for _, box in boxes(effect_graph(small))}
    assert {"option", "define", "kind", "type"}.isdisjoint(kinds)
    assert {"action", "event", "rule", "state", "phase", "end"} <= kinds


def test_rules_point_at_what_they_stand_around(small: Checked) -> None:
    found = shown(effect_graph(small))
    assert ("rule-no_bloom_in_rain", "forbids", "event-bloom") in found
    assert ("rule-storms_come", "after", "event-bloom") in found
    assert ("rule-dry_bloom", "replaces", "event-bloom") in found
    assert ("action-grow", "causes", "event-bloom") in found
    assert ("event-storm", "ends", "end-swept_away") in found


def test_what_comes_after_an_event_is_drawn_from_the_event(small: Checked) -> None:
    directions = {arrow.relation: arrow.backwards for _, _, arrow in arrows(effect_graph(small))}
    assert directions["after"] and directions["replaces"]
    assert not directions["forbids"] and not directions["causes"]


def test_an_event_lies_in_a_frame_with_the_rules_around_it(small: Checked) -> None:
    graph = effect_graph(small)
    frame = graph.nodes["event-bloom"]["box"].frame
    assert frame in picture_of(graph).frames
    around = ("rule-no_bloom_in_rain", "rule-storms_come", "rule-dry_bloom")
    assert {graph.nodes[key]["box"].frame for key in around} == {frame}
    assert graph.nodes["event-storm"]["box"].frame == ""
    assert not picture_of(effect_graph(small, grouped=False)).frames


def test_a_box_tells_where_it_is_written(small: Checked) -> None:
    box = effect_graph(small).nodes["rule-storms_come"]["box"]
    assert box.label == "rule: after" and box.title == "Storms come"
    assert "when rain is 10" in box.details
    assert box.span.file.endswith("game.yaml") and box.span.line > 1


@pytest.mark.parametrize("name", bundled_games())
def test_folding_says_in_words_what_it_takes_away(name: str, games: dict[str, Checked]) -> None:
    graph = effect_graph(games[name])
    before = shown(graph)
    drawn = folded(graph)
    assert shown(graph) == before  # the graph itself stays whole
    for source, relation, target in before - shown(drawn):
        assert relation == "reads"
        words = [line for line in drawn.nodes[source]["box"].details if line.startswith("reads ")]
        assert graph.nodes[target]["box"].name in words[0].removeprefix("reads ").split(", ")
    lonely = [key for key in drawn if drawn.degree(key) == 0]
    assert [key for key in lonely if graph.degree(key)] == []
