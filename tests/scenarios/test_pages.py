"""Each game with statements has the page that its scenarios give, and no statement is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import bundled_games, bundled_rules, load_game
from rulewright.playtest.coverage import coverage
from rulewright.playtest.coverage_page import is_current, page
from rulewright.playtest.scenarios import run_scenarios

PAGES = Path(__file__).resolve().parents[2] / "docs" / "games"
GAMES = [name for name in bundled_games() if (bundled_rules() / name / "statements.csv").is_file()]


@pytest.mark.parametrize("name", GAMES)
def test_every_statement_has_a_scenario_and_the_page_says_which(name: str) -> None:
    loaded = load_game(name)
    found = coverage(loaded, run_scenarios(loaded))
    assert [s.id for s in found.missing] == []
    how = f"write it again: rulewright test {name} --games 0 --page docs/games/{name}.md"
    assert is_current(PAGES / f"{name}.md", page(loaded, found)), how


def test_a_page_that_is_not_there_or_older_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    assert not is_current(file, "text")
    file.write_text("text")
    assert is_current(file, "text")
    assert not is_current(file, "other text")
