from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_checks_plays_tests_and_is_in_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "river_stones"]) == 0
    out = capsys.readouterr().out
    assert "rulewright check river_stones" in out
    assert main(["check", "river_stones"]) == 0
    assert capsys.readouterr().out.startswith("river_stones: no problems")
    assert main(["format", "river_stones", "--check"]) == 0
    assert main(["playtest", "river_stones", "--games", "20"]) == 0
    assert "River stones: 20 games, 20 of them reached an end." in capsys.readouterr().out
    assert main(["test", "river_stones", "--games", "5"]) == 0


def test_its_variant_turns_the_winner_round(capsys: pytest.CaptureFixture[str]) -> None:
    main(["new", "river_stones"])
    assert main(["check", "river_stones", "--variant", "last_stone_loses"]) == 0
    flags = ["--games", "1", "--bots", "first"]
    capsys.readouterr()
    main(["playtest", "river_stones", *flags])
    plain = capsys.readouterr().out
    main(["playtest", "river_stones", "--variant", "last_stone_loses", *flags])
    assert capsys.readouterr().out != plain


@pytest.mark.parametrize("like", ["tic_tac_toe", "vyr"])
def test_a_copy_has_everything_and_its_own_name(
    like: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "my_game", "--like", like]) == 0
    original = bundled_rules() / like
    for file in original.rglob("*.*"):
        assert (here / "my_game" / file.relative_to(original)).is_file()
    assert (here / "my_game/game.yaml").read_text().startswith("game: My game\n")
    for variant in (here / "my_game/variants").glob("*.yaml"):
        assert "of: my_game\n" in variant.read_text()
        assert main(["check", "my_game", "--variant", variant.stem]) == 0
    assert main(["check", "my_game"]) == 0


@pytest.mark.parametrize(
    "name", ["Upper", "with space", "../out", "a/b", "", "9lives", "x" * 60, "ä", "tic_tac_toe"]
)
def test_a_bad_name_is_refused(name: str, here: Path) -> None:
    assert main(["new", name]) == 2
    assert list(here.iterdir()) == []


def test_a_folder_that_is_there_stays_as_it_is(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine").mkdir()
    (here / "mine/game.yaml").write_text("precious")
    assert main(["new", "mine"]) == 2
    assert "nothing was changed" in capsys.readouterr().err
    assert (here / "mine/game.yaml").read_text() == "precious"
    assert main(["new", "other", "--like", "nothing_here"]) == 2
    assert not (here / "other").exists()
