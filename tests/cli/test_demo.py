from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.cli.command_demo import rulebook_games


def test_the_demo_takes_the_games_of_the_rulebooks_by_itself() -> None:
    assert {"vye", "vyr"} <= set(rulebook_games())
    assert "tic_tac_toe" not in rulebook_games()


def test_the_demo_draws_plays_and_says_where_everything_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["demo", "vyr", "kuhn_poker", "--out", str(out), "--plays", "5"]) == 0
    printed = capsys.readouterr().out
    for game in ("vyr", "kuhn_poker"):
        for name in ("phases.svg", "phases.png", "effects.svg", "effects.png", "playtest.json"):
            assert (out / game / name).stat().st_size > 100
        assert json.loads((out / game / "playtest.json").read_text())["games"] == 5
        assert f"{out / game}/" in printed.replace("\n", "")


def test_a_game_with_problems_fails_the_demo_but_not_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "game.yaml").write_text("game: Broken\n")
    assert main(["demo", str(broken), "tic_tac_toe", "--out", str(tmp_path / "out"), "--plays", "2"]) == 1
    captured = capsys.readouterr()
    assert "problem" in captured.err and (tmp_path / "out/tic_tac_toe/phases.svg").is_file()
