"""A part of a graph around a name."""

from __future__ import annotations

from rulewright.dsl.model import Checked
from rulewright.viz import around, effect_graph, phase_graph
from rulewright.viz.parts import picture_of


def test_only_what_is_near_is_kept(small: Checked) -> None:
    part = around(effect_graph(small), "storm", depth=1)
    assert part is not None
    assert set(part) == {"event-storm", "rule-storms_come", "end-swept_away"}


def test_depth_0_keeps_only_what_is_named(small: Checked) -> None:
    part = around(effect_graph(small), "storm", depth=0)
    assert part is not None and set(part) == {"event-storm"}


def test_a_walk_stops_at_what_many_rules_share(small: Checked) -> None:
    part = around(effect_graph(small), "wait", depth=9)
    assert part is not None
    assert "state-done" in part
    # rain is written by nearly everything; resting is joined to the rest through it alone
    assert "phase-resting" not in part
    from_rain = around(effect_graph(small), "rain", depth=1)
    assert from_rain is not None and "phase-resting" in from_rain


def test_a_key_or_a_title_names_a_box_too(small: Checked) -> None:
    graph = effect_graph(small)
    parts = [around(graph, name, 1) for name in ("grow", "action-grow", "Grow, and more")]
    assert all(part is not None and set(part) == set(parts[0]) for part in parts)


def test_nothing_is_called_so(small: Checked) -> None:
    assert around(effect_graph(small), "nowhere") is None


def test_frames_without_boxes_go_and_the_whole_graph_stays(small: Checked) -> None:
    graph = phase_graph(small)
    size = len(graph)
    part = around(graph, "harvest", depth=0)
    assert part is not None
    assert picture_of(part).frames == {} and picture_of(graph).frames
    assert len(graph) == size
