from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.playtest.records import record_text

CHOICES = ["a1", "b1", "b2", "c1", "c3"]


def record(**changes: Any) -> dict[str, Any]:
    game = load("tic_tac_toe")
    assert isinstance(game, PlayableGame)
    match = game.start(seed=3)
    assert isinstance(match, Match)
    for space in CHOICES:
        assert match.choose(f"put_mark spot={space}") is None
    return {**match.record, **changes}


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Any]:
    def write(data: object) -> str:
        path = tmp_path / "record.json"
        path.write_text(record_text(data) if isinstance(data, dict) else str(data))
        return str(path)

    return write


def test_the_last_choice_is_explained_down_to_the_rule_and_its_line(
    written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", written(record())]) == 0
    out = capsys.readouterr().out
    assert "choice 5 of 5" in out and "x chose: put_mark spot=c3" in out
    lines = (bundled_rules() / "tic_tac_toe/game.yaml").read_text().splitlines()
    place = next(i for i, line in enumerate(lines, 1) if line.strip().startswith("three_in_a_row:"))
    assert f"game.yaml:{place}" in out and "game.yaml" in out
    assert "Winner: x." in out and "spot b1" not in out


def test_another_choice_is_explained_without_what_came_later(
    written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", written(record()), "--at", "2"]) == 0
    out = capsys.readouterr().out
    assert "choice 2 of 5" in out and "b1" in out and "b2" not in out and "The game is over" not in out
    assert main(["explain", written(record()), "--at", "0"]) == 0
    assert "spot" not in capsys.readouterr().out


def test_a_choice_that_was_not_made_is_wrong_usage(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", written(record()), "--at", "6"]) == 2
    assert "from 0 to 5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        ("no json", 2, "no JSON"),
        ({"format": "x"}, 2, "no record of a game"),
        ({"game": "nothing_here"}, 2, "--game"),
        ({"variants": ["nothing_here"]}, 2, "no variant"),
        ({"players": ["x"]}, 2, "players"),
        ({"options": {"size": "4"}}, 2, "no option"),
        ({"rules": "feed"}, 1, "other rules"),
        ({"choices": [["x", "put_mark spot=a1"], ["x", "put_mark spot=a2"]]}, 1, "Choice 2"),
        ({"choices": [["x", "put_mark spot=z9"]]}, 1, "Choice 1"),
        ({"choices": None}, 1, "choices"),
    ],
)
def test_a_bad_record_is_refused_with_a_reason(
    data: object, code: int, said: str, written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = {**record(), **data} if isinstance(data, dict) and "format" not in data else data
    assert main(["explain", written(whole)]) == code
    assert said in capsys.readouterr().err


def test_the_tree_can_be_drawn(written: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", written(record()), "--diagram"]) == 0
    assert (tmp_path / "record-5.svg").read_bytes().startswith(b"<")
    assert "record-5.svg" in capsys.readouterr().err
    dot = tmp_path / "why.dot"
    assert main(["explain", written(record()), "--at", "2", "--diagram", str(dot)]) == 0
    assert "b1" in dot.read_text() and "c3" not in dot.read_text()


def test_the_table_after_a_choice_is_drawn(
    written: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = tmp_path / "t.svg"
    assert main(["explain", written(record()), "--at", "2", "--table", str(svg)]) == 0
    drawn = svg.read_text(encoding="utf-8")
    assert "after choice 2 of 5 · as everybody sees it" in drawn and "turn of x" in drawn
    assert drawn.count("a2: empty") == 1 and "b1: empty" not in drawn and "c3: empty" in drawn
    assert drawn.count("#ffb000") == 1  # the mark that choice 2 put stands out
    assert main(["explain", written(record()), "--at", "0", "--table", str(svg)]) == 0
    assert "#ffb000" not in svg.read_text(encoding="utf-8")
    assert main(["explain", written(record()), "--table", str(svg)]) == 0
    assert "Winner: x." in svg.read_text(encoding="utf-8")
    assert f"Written: {svg}" in capsys.readouterr().err


def test_the_table_can_be_drawn_as_a_player_sees_it(written: Any, tmp_path: Path) -> None:
    svg, cards = tmp_path / "t.svg", load("kuhn_poker")
    assert isinstance(cards, PlayableGame)
    match = cards.start(seed=3)
    assert isinstance(match, Match)
    match.choose(0)
    codes = {p: match.view(p)["zones"][f"hand of player_{p + 1}"]["pieces"][0]["code"] for p in (0, 1)}
    for viewer, seen in ((["--as", "player_2"], {1}), (["--as", "player_1"], {0}), ([], set())):
        assert main(["explain", written(match.record), "--table", str(svg), *viewer]) == 0
        drawn = svg.read_text(encoding="utf-8")
        assert {p for p, code in codes.items() if f">{code}<" in drawn} == seen


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--as", "x"], "--table"),
        (["--table", "t.svg", "--as", "nobody"], "x, o"),
        (["--table", "t.pdf"], "D002"),
    ],
)
def test_a_table_that_cannot_be_drawn_is_wrong_usage(
    flags: list[str], said: str, written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", written(record()), *flags]) == 2
    assert said in capsys.readouterr().err


def test_a_game_of_ones_own_is_named_by_its_path(
    written: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(bundled_rules() / "tic_tac_toe", tmp_path / "rows")
    records = tmp_path / "records"
    assert main(["playtest", str(tmp_path / "rows"), "--games", "1", "--records", str(records)]) == 0
    kept = str(records / "game-000000.json")
    assert json.loads(Path(kept).read_text())["game"] == "rows"
    capsys.readouterr()
    assert main(["explain", kept]) == 2
    assert "--game" in capsys.readouterr().err
    assert main(["explain", kept, "--game", str(tmp_path / "rows")]) == 0
