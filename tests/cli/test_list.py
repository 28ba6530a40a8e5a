from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_games, bundled_rules


def test_every_bundled_game_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(any(line.startswith(game) for line in out.splitlines()) for game in bundled_games())
    row = next(line for line in out.splitlines() if line.startswith("tic_tac_toe"))
    assert "Tic-tac-toe" in row and " 2 " in row and "three_loses" in row


def test_a_game_with_problems_is_listed_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(bundled_rules() / "tic_tac_toe", tmp_path / "rules/rows")
    (tmp_path / "rules/rows/game.yaml").write_text("game: Rows\n")
    monkeypatch.setattr("rulewright.dsl.load.bundled_rules", lambda: tmp_path / "rules")
    assert main(["list"]) == 0
    assert "problem" in capsys.readouterr().out
