from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules

UNTIDY = ("players: [x, o]", "players:   [ x,o ]")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "rows"
    shutil.copytree(bundled_rules() / "tic_tac_toe", folder)
    assert main(["format", str(folder)]) == 0
    return folder


def untidy(folder: Path) -> str:
    file = folder / "game.yaml"
    text = file.read_text()
    assert UNTIDY[0] in text
    file.write_text(text.replace(*UNTIDY).replace("\n", "\r\n"))
    return text


def test_check_changes_nothing_and_tells_which_files(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    untidy(game)
    before = (game / "game.yaml").read_bytes()
    capsys.readouterr()
    assert main(["format", str(game), "--check"]) == 1
    out = capsys.readouterr().out
    assert out == f"would change: {game}/game.yaml\n"
    assert (game / "game.yaml").read_bytes() == before


def test_a_game_is_formatted_and_then_stays_as_it_is(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tidy = untidy(game)
    assert main(["format", str(game)]) == 0
    assert (game / "game.yaml").read_bytes().decode() == tidy
    capsys.readouterr()
    assert main(["format", str(game), "--check"]) == 0
    assert capsys.readouterr().out == ""
    assert [p.name for p in game.iterdir() if p.name.startswith(".")] == []


def test_a_single_file_can_be_formatted(game: Path) -> None:
    file = game / "variants/three_loses.yaml"
    tidy = file.read_text()
    file.write_text(tidy.replace("variant: ", "variant:    "))
    assert main(["format", str(file)]) == 0
    assert file.read_text() == tidy


def test_a_file_that_cannot_be_read_is_left_alone(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = game / "game.yaml"
    file.write_text("game: [unclosed\n")
    assert main(["format", str(game)]) == 1
    assert file.read_text() == "game: [unclosed\n"
    assert "game.yaml:1:" in capsys.readouterr().err


def test_a_file_of_another_kind_is_wrong_usage(game: Path) -> None:
    assert main(["format", str(game / "statements.csv")]) == 2
