"""A designer adds a card by adding a file: nothing else of the game is touched."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulewright.dsl.load import load_game
from rulewright.interpreter.api import load
from rulewright.playtest.scenarios import run_scenarios

HERE = Path(__file__).parent
GAME = HERE.parents[1] / "rules" / "vye"


def with_the_card(folder: Path) -> Path:
    """A copy of Vye with one file more."""
    game = folder / "vye"
    shutil.copytree(GAME, game)
    shutil.copy(HERE / "cards" / "watchtower.yaml", game / "specials")
    return game


def test_the_file_is_short() -> None:
    lines = (HERE / "cards" / "watchtower.yaml").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40


def test_a_card_is_added_by_adding_its_file(tmp_path: Path) -> None:
    game = with_the_card(tmp_path)
    assert load_game(str(game)).problems == ()
    (result,) = run_scenarios(load_game(str(game)), only=["a_watchtower_stands_guard"])
    assert result.ok, result.text


def test_it_is_drawn_and_chosen_like_the_others_and_is_in_no_theme(tmp_path: Path) -> None:
    game = load(str(with_the_card(tmp_path)))
    assert not isinstance(game, tuple)
    for theme in ("weapons_of_war", "changing_lands", "connecting_kingdoms", "greedy_rulers"):
        program = game.program(3, {"theme": theme})
        assert not isinstance(program, tuple)
        assert not any(p.code == "wt" for p in program.pieces)
    four = ["watchtower", "waystone", "barracks", "sinkhole"]
    chosen = game.program(3, {"theme": "players_choice", "specials": four})
    assert not isinstance(chosen, tuple)
    assert sum(p.code == "wt" for p in chosen.pieces) == 2
