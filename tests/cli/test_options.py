"""Options on the command line: lists, draws and bundles reach the game; what cannot be is one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.tests.interpreter.test_setting import GAME


@pytest.fixture
def toy(tmp_path: Path) -> str:
    path = tmp_path / "toy.yaml"
    path.write_text(GAME)
    return str(path)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["extras=fort,moat"], {"extras": "fort moat", "theme": "plain"}),
        (["theme=choice", "extras=moat, mine"], {"extras": "mine moat", "theme": "choice"}),
        (["theme=luck"], {"extras": "2 at random", "theme": "luck"}),
        (["extras=3 at random"], {"extras": "3 at random"}),
        (["mode=other", "theme=large", "extras=none"], {"extras": "", "size": "5"}),
    ],
)
def test_options_reach_the_game(toy: str, tmp_path: Path, options: list[str], found: dict[str, str]) -> None:
    flags = [part for option in options for part in ("--option", option)]
    path = tmp_path / "s.json"
    assert main(["playtest", toy, "--games", "2", "--json", str(path), *flags]) == 0
    told = json.loads(path.read_text())["options"]
    assert {name: told[name] for name in found} == found


@pytest.mark.parametrize("command", ["playtest", "play"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["theme=choice"], "With `theme=choice` 2 of `extras` have to be named. Name 2 different ones of: "),
        (["theme=choice", "extras=fort"], "have to be named; 1 named."),
        (["extras=fort,fort"], "`fort` stands twice in the option `extras`. Name each word once."),
        (["extras=frot"], "Did you mean `fort`?"),
        (["theme=lukc"], "Did you mean `luck`?"),
        (["them=luck"], "There is no option `them`. Did you mean `theme`?"),
        (["theme=plain,luck"], "The option `theme` takes one value; 2 given."),
        (["size=7"], "The option `size` cannot be 7 with 2 players. It goes from 1 to 5."),
    ],
)
def test_what_cannot_be_is_one_line_and_wrong_usage(
    toy: str, options: list[str], said: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [part for option in options for part in ("--option", option)]
    assert main([command, toy, *flags]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("rulewright: ") and said in err


def test_an_empty_list_is_told_how_to_be_written(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playtest", toy, "--option", "extras="]) == 2
    assert "an empty list is extras=none" in capsys.readouterr().err


def test_a_record_of_drawn_kinds_is_explained(
    toy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "records"
    flags = ["--option", "theme=luck", "--games", "4", "--records", str(folder)]
    assert main(["playtest", toy, *flags]) == 0
    for file in sorted(folder.iterdir()):
        assert main(["explain", str(file), "--game", toy]) == 0, capsys.readouterr().err
    empty = tmp_path / "empty"
    assert main(["playtest", toy, "--option", "extras=none", "--games", "1", "--records", str(empty)]) == 0
    assert main(["explain", str(empty / "game-000000.json"), "--game", toy]) == 0
