from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import rulewright.cli as command_line
from rulewright.cli import main
from rulewright.cli.parser import COMMANDS
from rulewright.tests.cli.running import COMMAND, environment, rulewright


def test_without_a_command_it_shows_its_help_and_that_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    assert "check the rules" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"rulewright {command}" in capsys.readouterr().out


def test_help_and_version_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"    {command} " in out for command in COMMANDS)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("rulewright ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chekc"], "Did you mean 'check'?"),
        (["zzzzzzz"], "no command 'zzzzzzz'"),
        (["check"], "GAME"),
        (["check", "tic_tac_to"], "Did you mean 'tic_tac_toe'?"),
        (["check", "tic_tac_toe", "--variant", "three_lose"], "Did you mean 'three_loses'?"),
        (["check", "kuhn_poker", "--variant", "x"], "no variants"),
        (["check", "tic_tac_toe", "--nonsense"], "--nonsense"),
        (["check", "tic_tac_toe", "--js"], "--js"),  # no abbreviations: they break when a flag is added
        (["playtest", "tic_tac_toe", "--games", "0"], "from 1 to"),
        (["playtest", "tic_tac_toe", "--games", "many"], "whole number"),
        (["playtest", "tic_tac_toe", "--option", "size"], "NAME=VALUE"),
        (["playtest", "tic_tac_toe", "--option", "size=3"], "no option `size`"),
        (["playtest", "pig", "--option", "gaol=50"], "Did you mean `goal`?"),
        (["playtest", "pig", "--option", "goal=5000"], "goal"),
        (["playtest", "tic_tac_toe", "--players", "5"], "5 players"),
        (["playtest", "tic_tac_toe", "--bots", "clever"], "no bot `clever`"),
        (["playtest", "tic_tac_toe", "--bots", "random,random,random"], "3 bots"),
        (["playtest", "tic_tac_toe", "--json", "/nowhere/at/all.json"], "cannot be written"),
        (["play"], "GAME"),
        (["play", "tic_tac_toe", "--seats", "human,robot"], "nobody is called 'robot'"),
        (["play", "tic_tac_toe", "--seats", "human,human,human"], "players"),
        (["play", "--load", "/nowhere.json"], "cannot be read"),
        (["explain", "/nowhere.json"], "cannot be read"),
        (["diagram", "vyr", "--kind", "dreams"], "dreams"),
        (["diagram", "vyr", "--format", "jpeg"], "jpeg"),
        (["diagram", "vyr", "--depth", "2"], "--around"),
        (["new", "Bad Name"], "small letters"),
        (["format", "nothing_here"], "no game"),
    ],
)  # fmt: skip
def test_wrong_usage_says_what_is_wrong_and_exits_with_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_a_bug_of_ours_is_told_kindly_and_kept_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("rulewright.cli.command_list.bundled_games", fail)
    assert main(["list"]) == 3
    err = capsys.readouterr().err
    assert "our fault" in err and "report" in err and "Traceback" not in err
    (file,) = tmp_path.glob("rulewright-*.txt")
    assert str(file) in err
    assert "ZeroDivisionError: planted" in file.read_text()


def test_ctrl_c_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulewright.cli.command_list.bundled_games", interrupted)
    assert command_line.main(["list"]) == 130


def test_a_reader_that_goes_away_causes_no_noise() -> None:
    process = subprocess.Popen(
        [*COMMAND, "check", "tic_tac_toe", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) in (0, 1)
    process.stderr.close()


def test_the_module_runs_as_a_program() -> None:
    done = rulewright("list")
    assert done.returncode == 0 and "tic_tac_toe" in done.stdout and done.stderr == ""
    assert "\x1b" not in done.stdout
