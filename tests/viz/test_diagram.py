"""Requests: what is asked for comes out, and a wrong word is answered with the right ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.dsl.model import Checked
from rulewright.tests.viz.small_game import small_game
from rulewright.viz import DiagramProblem, diagram, graph_of


def problem(*args: object, **wanted: object) -> DiagramProblem:
    found = diagram(*args, **wanted)  # type: ignore[arg-type]
    assert isinstance(found, DiagramProblem)
    return found


@pytest.mark.parametrize(
    ("kind", "format", "wanted", "code", "near"),
    [
        ("phase", "svg", {}, "D001", "phases"),
        ("phases", "pgn", {}, "D002", "png"),
        ("effects", "dot", {"detail": "rule"}, "D003", "rules"),
        ("effects", "dot", {"around": "strom"}, "D004", "storm"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest_right_one(
    kind: str, format: str, wanted: dict[str, str], code: str, near: str, small: Checked
) -> None:
    found = problem(small, kind, format, **wanted)
    assert found.code == code
    assert f"Did you mean `{near}`?" in found.cure


def test_rules_that_could_not_be_read_are_not_drawn() -> None:
    found = problem(load_game("no_such_game_anywhere"), "phases", "dot")
    assert found.code == "D005"


def test_a_loaded_game_and_a_checked_one_give_the_same() -> None:
    loaded = load_game("tic_tac_toe")
    assert loaded.checked is not None
    assert diagram(loaded, "phases", "dot") == diagram(loaded.checked, "phases", "dot")


def test_a_variant_is_drawn_as_it_is(tmp_path: Path) -> None:
    small_game(tmp_path)
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "drier.yaml").write_text(
        "variant: Drier\nof: small\nchange:\n  rules.storms_come.when: rain is 7\n"
    )
    drawn = diagram(load_game(str(tmp_path), ("drier",)), "effects", "dot")
    assert isinstance(drawn, str)
    assert "when rain is 7" in drawn and "when rain is 10" not in drawn


def test_around_an_option_everything_is_searched(small: Checked) -> None:
    graph = graph_of(small, "effects", around="rounds", depth=1)
    assert not isinstance(graph, DiagramProblem)
    assert {"option-rounds", "phase-season"} <= set(graph)


def test_the_heading_says_what_is_shown(small: Checked) -> None:
    found = diagram(small, "effects", "dot", around="storm")
    assert isinstance(found, str) and "around storm" in found
