from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.tests.cli.running import COMMAND, environment


def summary_of(path: Path, *flags: str) -> bytes:
    assert main(["playtest", "kuhn_poker", "--games", "40", "--json", str(path), *flags]) == 0
    return path.read_bytes()


def test_the_same_playtest_gives_the_same_bytes_with_one_worker_or_two(tmp_path: Path) -> None:
    first = summary_of(tmp_path / "a.json")
    assert summary_of(tmp_path / "b.json") == first
    assert summary_of(tmp_path / "c.json", "--workers", "2") == first
    assert summary_of(tmp_path / "d.json", "--workers", "1") == first
    assert summary_of(tmp_path / "e.json", "--seed", "9000") != first


def test_the_table_says_what_the_json_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(summary_of(tmp_path / "a.json", "--players", "3", "--seed", "4"))
    out = capsys.readouterr().out
    assert data["settings"]["players"] == 3 and data["settings"]["seed"] == 4 and len(data["seats"]) == 3
    for seat in data["seats"]:
        row = next(line for line in out.splitlines() if line.startswith(f"{seat['seat']} "))
        assert f" {seat['wins']['count']} " in row and f"{seat['wins']['value'] * 100:.1f} %" in row
        assert f"{seat['wins']['low'] * 100:.1f} – {seat['wins']['high'] * 100:.1f}" in row
    assert "40 games, 40 of them reached an end." in out
    assert re.search(r"Length: [\d.]+ decisions", out)


def test_options_variants_and_names_reach_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.json"
    flags = ["--option", "goal=20", "--players", "ann,bob", "--games", "3", "--json", str(path)]
    assert main(["playtest", "pig", "--variant", "two_dice", *flags]) == 0
    data = json.loads(path.read_text())
    assert data["settings"]["variants"] == ["two_dice"] and data["options"]["goal"] == "20"
    assert data["players"] == ["ann", "bob"]
    assert all(seat["score"]["most"] < 60 for seat in data["seats"])
    assert capsys.readouterr().err.strip() == f"Written: {path}"


def test_records_are_kept_and_can_be_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "records"
    assert main(["playtest", "tic_tac_toe", "--games", "3", "--records", str(folder)]) == 0
    names = sorted(p.name for p in folder.iterdir())
    assert names == ["game-000000.json", "game-000001.json", "game-000002.json"]
    capsys.readouterr()
    assert main(["explain", str(folder / names[1])]) == 0
    assert "The game is over" in capsys.readouterr().out


def test_a_game_that_never_ends_is_stopped_and_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playtest", "tic_tac_toe", "--games", "4", "--limit", "2"]) == 0
    assert "No end after 2 decisions: 4 games." in capsys.readouterr().out


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_prints_and_writes_what_is_done(workers: str, tmp_path: Path) -> None:
    path, records = tmp_path / "s.json", tmp_path / "records"
    arguments = [
        "playtest",
        "tic_tac_toe",
        "--games",
        "1000000",
        "--json",
        str(path),
        "--records",
        str(records),
    ]
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--workers", workers],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), start_new_session=True,
    )  # fmt: skip
    wait_for(records)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the command
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    data = json.loads(path.read_text())
    assert data["complete"] is False and 0 < data["games"] < 1_000_000
    assert f"{data['games']} games" in out
    assert f"Stopped after {data['games']} of 1000000 games." in err and "Traceback" not in err
    assert len(list(records.iterdir())) == data["games"]


def wait_for(folder: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and not (folder.is_dir() and any(folder.iterdir())):
        time.sleep(0.05)


COUNCIL = """\
game: Council
language: 1
players: [ann, bob]
state:
  united: {is: yes or no, start: no, title: Do you unite?}
  plan: {is: number 0 to 2}
flow:
  - talking:
      do: |
        agreement of (all player) chooses united from [yes, no], else no
        majority of (all player) chooses plan from [1, 2], else 0
        if united and plan is 1:
            end game as together
        end game as apart
ends:
  together: {winner: everybody}
  apart: {winner: nobody}
"""


@pytest.mark.parametrize(
    ("flags", "settings", "together"),
    [
        ([], ("random", "random"), None),
        (["--consent", "first"], ("first", "first"), 8),
        (["--consent", "first", "--majority", "last"], ("first", "last"), 0),
        (["--agreement", "1.0", "--majority", "first"], ("1", "first"), 8),
        (["--agreement", "own", "--consent", "0", "--bots", "first"], ("own", "0"), 0),
    ],
)
def test_what_several_choose_as_one_follows_a_stated_policy(
    flags: list[str],
    settings: tuple[str, str],
    together: int | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game, path = tmp_path / "council.yaml", tmp_path / "s.json"
    game.write_text(COUNCIL, encoding="utf-8")
    assert main(["playtest", str(game), "--games", "8", "--json", str(path), *flags]) == 0
    data, out = json.loads(path.read_text()), capsys.readouterr().out
    assert (data["settings"]["agreement"], data["settings"]["majority"]) == settings
    said = f"What several choose as one: agreement: {settings[0]}, majority: {settings[1]}."
    assert (said in out) == bool(flags)
    if together is not None:
        assert data["ends"].get("together", {"count": 0})["count"] == together


def test_a_policy_that_is_none_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playtest", "pig", "--consent", "sometimes"]) == 2
    assert "write random, first, last, own or a probability" in capsys.readouterr().err


def test_too_few_and_too_many_players_are_refused_with_the_line_that_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for players in ("3", "11"):
        assert main(["playtest", "aye", "--players", players]) == 2
        told = capsys.readouterr().err
        assert f"{players} players cannot play this game. It is for 4 to 10 players." in told
        assert "aye/game.yaml:6:10" in told
