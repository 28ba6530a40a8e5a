"""The graph of phases: every phase is there, and the arrows say what the flow says."""

from __future__ import annotations

import pytest

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import phase_graph
from rulewright.viz.parts import Graph, arrows, boxes, picture_of


def relations(graph: Graph) -> set[tuple[str, str, str]]:
    return {(source, arrow.relation, target) for source, target, arrow in arrows(graph)}


@pytest.mark.parametrize("name", bundled_games())
def test_every_phase_and_every_end_of_a_game_has_a_box(name: str, games: dict[str, Checked]) -> None:
    game = games[name].game
    graph = phase_graph(games[name])
    shown = {(box.kind, box.name) for _, box in boxes(graph)}
    assert {("phase", p) for p in game.phases} | {("end", e) for e in game.ends} <= shown


@pytest.mark.parametrize("name", bundled_games())
def test_every_phase_and_every_end_is_reached_from_the_start(name: str, games: dict[str, Checked]) -> None:
    import networkx as nx

    graph = phase_graph(games[name])
    start = next(key for key, box in boxes(graph) if box.kind in ("start", "setup"))
    reached = nx.descendants(graph, start)
    left_out = {key for key, box in boxes(graph) if box.kind == "phase"} - reached
    assert left_out == set()
    assert all(graph.in_degree(key) for key, box in boxes(graph) if box.kind == "end")


def test_phases_follow_each_other_in_the_order_of_the_file(small: Checked) -> None:
    found = relations(phase_graph(small))
    assert ("start-start", "then", "phase-season") in found
    assert ("phase-season", "inside", "phase-waking") in found
    assert ("phase-waking", "then", "phase-growing") in found
    assert ("phase-growing", "then", "phase-resting") in found
    assert ("phase-season", "then", "phase-harvest") in found
    assert not any(target == "phase-harvest" and source == "phase-resting" for source, _, target in found)


def test_what_is_repeated_goes_back_to_its_head(small: Checked) -> None:
    found = relations(phase_graph(small))
    assert ("phase-resting", "again", "phase-season") in found
    assert ("phase-growing", "again", "phase-growing") in found  # turns
    assert ("phase-harvest", "again", "phase-harvest") not in found


def test_a_phase_that_may_be_skipped_has_a_way_past_it(small: Checked) -> None:
    assert ("phase-season", "skipped", "phase-growing") in relations(phase_graph(small))


def test_a_phase_lies_in_the_frame_of_the_phase_around_it(small: Checked) -> None:
    graph = phase_graph(small)
    frame = graph.nodes["phase-season"]["box"].frame
    assert frame and graph.nodes["phase-waking"]["box"].frame == frame
    assert graph.nodes["phase-harvest"]["box"].frame == ""
    assert list(picture_of(graph).frames) == [frame]


def test_ends_hang_where_they_come_about(small: Checked) -> None:
    found = relations(phase_graph(small))
    assert ("phase-growing", "ends", "end-withered") in found  # at most … then
    assert ("phase-harvest", "ends", "end-harvested") in found  # after: leaving
    assert ("whenever-whenever", "ends", "end-flooded") in found  # when, with several outermost phases
    # growing → grow → bloom → (after) storms_come → storm → end game
    assert ("phase-growing", "ends", "end-swept_away") in found
    assert ("phase-waking", "ends", "end-swept_away") not in found


def test_an_end_with_a_condition_hangs_at_the_only_outermost_phase(games: dict[str, Checked]) -> None:
    checked = games["tic_tac_toe"]
    only = checked.game.flow[0].name
    found = relations(phase_graph(checked))
    assert {(f"phase-{only}", "ends", f"end-{end}") for end in checked.game.ends} <= found


def test_the_box_of_a_phase_says_who_acts_and_until_when(small: Checked) -> None:
    lines = phase_graph(small).nodes["phase-growing"]["box"].details
    assert "turns: clockwise from first_player" in lines
    assert "until wet" in lines
    assert "at most 50 rounds, then withered" in lines
    assert "may: Grow, and more" in lines and "or: Wait" in lines


def test_a_long_block_is_cut_unless_everything_is_asked_for(games: dict[str, Checked]) -> None:
    checked = next(c for c in games.values() if len(c.game.setup) > 4)
    short = phase_graph(checked).nodes["setup-setup"]["box"].details
    full = phase_graph(checked, full=True).nodes["setup-setup"]["box"].details
    assert short[-1] == "…" and "…" not in full
    assert full[: len(short) - 1] == short[:-1]
