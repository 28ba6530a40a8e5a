from __future__ import annotations

import os
import shlex
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    folder = tmp_path / "rows"
    shutil.copytree(bundled_rules() / "tic_tac_toe", folder)
    return folder


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_a_game_in_order_passes(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(rows), "--games", "4"]) == 0
    out = capsys.readouterr().out
    assert "Scenarios: 8 of 8 passed." in out and "Statements: 4 of 4 covered." in out
    assert "Random games: 4 of 4 went well" in out and "FAILED" not in out


def test_a_failed_scenario_is_shown_with_its_line(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(rows / "game.yaml", "winner: actor", "winner: opponent of actor")
    assert main(["test", str(rows), "--games", "0"]) == 1
    out = capsys.readouterr().out
    assert "FAILED a_row_wins" in out and "scenarios/play.yaml:" in out and "^" in out
    assert "Random games" not in out


def test_a_statement_without_a_scenario_is_told_but_is_no_failure(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (rows / "statements.csv").open("a") as file:
        file.write("TTT-99,Nobody may blink.\n")
    assert main(["test", str(rows), "--games", "0"]) == 0
    out = capsys.readouterr().out
    assert "Statements: 4 of 5 covered." in out and "TTT-99: Nobody may blink." in out


def test_what_no_scenario_shows_is_told(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        rows / "scenarios/play.yaml", "  a_full_board:", "  a_full_board_:\n    like: a_row_wins\n  removed:"
    )
    file = rows / "scenarios/play.yaml"
    text = file.read_text()
    start = text.index("  a_full_board_:")
    end = text.index("\n  three_loses_in_the_variant")
    file.write_text(text[:start] + text[end + 1 :])
    assert main(["test", str(rows), "--games", "0"]) == 0
    assert "No scenario shows the end: board_full." in capsys.readouterr().out


def test_a_broken_invariant_is_told_with_the_seed_that_shows_it(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (rows / "game.yaml").open("a") as file:
        file.write("always:\n  room_left: at least 5 space on grid where space is empty\n")
    assert main(["test", str(rows), "--games", "6"]) == 1
    out = capsys.readouterr().out
    assert "FAILED --players 2 --seed 0, after 5 choices: does not hold: room_left" in out
    assert "Random games: 0 of 6 went well (watching room_left)." in out


def test_random_games_are_played_with_every_number_of_players(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright.cli import command_test

    played: list[tuple[object, int]] = []
    real = command_test.probe

    def noting(settings: command_test.Settings, **more: object) -> object:
        played.append((settings.players, settings.games))
        return real(settings, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(command_test, "probe", noting)
    assert main(["test", "kuhn_poker", "--games", "11"]) == 0
    assert played == [(2, 2), (3, 2), *((n, 1) for n in range(4, 11))]
    played.clear()
    assert main(["test", "kuhn_poker", "--games", "3", "--players", "4"]) == 0
    assert played == [(4, 3)]


def test_one_scenario_can_be_run_alone(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(rows), "--only", "a_row_wins"]) == 0
    out = capsys.readouterr().out
    assert "Scenarios: 1 of 1 passed." in out and "Random games" not in out
    assert main(["test", str(rows), "--only", "a_row_winz"]) == 1
    assert "a_row_winz" in capsys.readouterr().err


def test_a_game_with_problems_is_not_tested(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(rows / "game.yaml", "no space on grid", "no space on gird")
    assert main(["test", str(rows)]) == 1
    assert "gird" in capsys.readouterr().err


def test_a_wrong_scenario_file_is_a_failure(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (rows / "scenarios/more.yaml").write_text("scenarios:\n  broken: [\n")
    assert main(["test", str(rows), "--games", "0"]) == 1
    assert "more.yaml:" in capsys.readouterr().out


def test_a_soak_plays_every_setting_and_tells_how_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "goofspiel", "--games", "18", "--soak", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "Soak: 18 of 18 games went well, in 18 of 18 settings." in out
    assert "Ends: all_prizes_gone 18." in out and "FAILED" not in out and "Random games" not in out


def test_a_soak_keeps_to_the_players_and_options_that_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--players", "3", "--option", "highest_card=4"]
    assert main(["test", "goofspiel", "--games", "4", "--soak", *more]) == 0
    assert "in 1 of 1 settings" in capsys.readouterr().out


def test_a_failed_game_of_a_soak_is_shown_again_by_the_command_that_is_told(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (rows / "game.yaml").open("a") as file:
        file.write("options:\n  tight: {default: no}\n")
        file.write("always:\n  room_left: not tight or at least 5 space on grid where space is empty\n")
    assert main(["test", str(rows), "--games", "6", "--soak", "--seed", "3"]) == 1
    out = capsys.readouterr().out
    assert "FAILED in 3 games, in one after 5 choices: does not hold: room_left" in out
    assert "Soak: 3 of 6 games went well, in 2 of 2 settings." in out
    told = next(line for line in out.splitlines() if line.startswith("  rulewright"))
    command = shlex.split(told)
    assert command[1:3] == ["test", str(rows)] and "tight=yes" in command
    assert main(command[1:]) == 1
    assert "after 5 choices: does not hold: room_left" in capsys.readouterr().out


def test_an_error_of_a_rule_is_shown_again_by_a_playtest(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(rows / "game.yaml", "place mark of actor on spot", "place mark of actor on spot\n      stumble")
    with (rows / "game.yaml").open("a") as file:
        file.write("options:\n  slippery: {default: no}\nevents:\n  stumble:\n    do: |\n")
        file.write("      if slippery:\n          move (the mark of actor on grid) to box\n")
    assert main(["test", str(rows), "--games", "4", "--soak"]) == 1
    out = capsys.readouterr().out
    assert "in 2 of 2 settings" in out
    told = next(line for line in out.splitlines() if line.startswith("  rulewright playtest"))
    assert main(shlex.split(told)[1:]) == 1
    assert "`the` needs exactly one" in capsys.readouterr().out


def test_many_kinds_of_failure_are_told_once_each_the_commonest_first(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (rows / "game.yaml").open("a") as file:
        file.write("options:\n  tight: {default: no}\n")
        file.write("always:\n  room_left: at least 5 space on grid where space is empty\n")
        file.write("  corner_free: not tight or a1 is empty\n")
    assert main(["test", str(rows), "--games", "40", "--soak"]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAILED")]
    assert len(failed) == 2 or len(failed) == 3
    counts = [int(line.split()[2]) if line.split()[1] == "in" else 1 for line in failed]
    assert counts == sorted(counts, reverse=True)


def test_ctrl_c_keeps_the_games_of_a_soak_that_are_done(
    rows: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright.cli import command_test

    real = command_test.soak

    def interrupted(*given: Any, **more: Any) -> Any:
        def press(done: int, of: int) -> None:
            if done == 5:
                os.kill(os.getpid(), signal.SIGINT)

        return real(given[0], given[1], given[2], press, 1, **more)

    monkeypatch.setattr(command_test, "soak", interrupted)
    assert main(["test", str(rows), "--games", "1000", "--soak"]) == 130
    told = capsys.readouterr()
    assert "Soak: 5 of 5 games went well" in told.out and "Stopped after 5 of 1000 games." in told.err
