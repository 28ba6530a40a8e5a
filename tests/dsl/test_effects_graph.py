"""The graph of what depends on what, and the search for cycles in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.catalogue_entry import BASE
from rulewright.dsl.cycles import cycles, knots, shortest_cycle
from rulewright.dsl.effects_graph import NODE_KINDS, RELATIONS, Edge, effects_graph
from rulewright.dsl.load import bundled_games, load_game

GAME = BASE.replace("include: [part.yaml]\n", "")
RULES = """\
rules:
  lucky:
    instead of: gain
    when: mood is 3
    do: |
      add 1 to points of p
      move top of deck to table
  dear:
    change: worth
    when: leader is none
    to: worth + 1
  closing:
    after: leaving play
    do: |
      end game as over
"""


def edges_of(text: str, folder: Path) -> tuple[Edge, ...]:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    checked = load_game(str(folder)).checked
    assert checked is not None
    return effects_graph(checked)


def test_each_form_of_rule_and_effect_has_its_edge(tmp_path: Path) -> None:
    told = {
        f"{e.source.kind} {e.source.name} {e.relation} {e.target.kind} {e.target.name}"
        for e in edges_of(GAME + RULES, tmp_path)
    }
    assert told >= {
        "phase play causes action draw",
        "phase play ends end over",
        "action draw causes event gain",
        "event gain moves to zone hand",
        "event gain reads zone deck",
        "rule lucky replaces event gain",
        "rule lucky reads state mood",
        "rule lucky writes state points",
        "rule lucky moves to zone table",
        "rule dear changes define worth",
        "rule dear reads state leader",
        "rule closing after phase play",
        "rule closing ends end over",
        "kind playing_card moves to zone deck",
        "end over reads state points",
        "define rich reads state points",
        "always somebody_is_not_rich reads define worth",
    }
    assert "rule lucky reads state points" not in told  # it is only written
    assert "rule dear reads define worth" not in told  # `worth` is the value so far


@pytest.mark.parametrize("name", bundled_games())
def test_edges_of_the_games_join_things_that_are_declared(name: str) -> None:
    loaded = load_game(name)
    assert loaded.checked is not None
    edges = effects_graph(loaded.checked)
    assert len({(e.source, e.relation, e.target) for e in edges}) == len(edges)
    for edge in edges:
        assert (
            edge.relation in RELATIONS and edge.source.kind in NODE_KINDS and edge.target.kind in NODE_KINDS
        )
        assert edge.span.line > 0 and edge.span.file


def test_knots_are_what_can_reach_itself() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "e"), ("d", "f")]
    assert sorted(sorted(k) for k in knots(edges)) == [["a", "b", "c"], ["e"]]
    assert knots([("a", "b"), ("b", "c")]) == []


def test_the_shortest_cycle_is_found() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "b")]
    assert sorted(shortest_cycle(edges, ["a", "b", "c", "d"])) == ["b", "c"]


def test_all_cycles_that_must_be_broken_are_found() -> None:
    edges = [("r", "e"), ("e", "r"), ("s", "e"), ("e", "s"), ("x", "y")]
    found = cycles(edges, frozenset({"r", "s"}))
    assert sorted(sorted(c) for c in found) == [["e", "r"], ["e", "s"]]


def test_a_long_ring_needs_no_recursion() -> None:
    ring = [(i, (i + 1) % 5000) for i in range(5000)]
    assert len(shortest_cycle(ring, knots(ring)[0])) == 5000
