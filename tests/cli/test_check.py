from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from rich.text import Text

from rulewright.cli import main
from rulewright.cli.problem_text import Lines, counted, described
from rulewright.dsl.load import bundled_games, bundled_rules
from rulewright.dsl.problems import Problem, Span
from rulewright.tests.cli.running import COMMAND, environment

MISTAKE = ("no space on grid", "no space on gird")


@pytest.fixture
def wrong_game(tmp_path: Path) -> Path:
    folder = tmp_path / "rows"
    shutil.copytree(bundled_rules() / "tic_tac_toe", folder)
    plant(folder)
    return folder


def plant(folder: Path) -> None:
    game = folder / "game.yaml"
    text = game.read_text()
    assert MISTAKE[0] in text
    game.write_text(text.replace(*MISTAKE))


def cure(folder: Path) -> None:
    game = folder / "game.yaml"
    game.write_text(game.read_text().replace(*reversed(MISTAKE)))


@pytest.mark.parametrize("game", bundled_games())
def test_every_bundled_game_checks_clean(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", game]) == 0
    assert capsys.readouterr().out.startswith(f"{game}: no problems")


def test_a_problem_is_shown_with_its_line_and_a_mark_under_it(
    wrong_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(wrong_game)]) == 1
    lines = capsys.readouterr().out.splitlines()
    number, source = next(
        (i, x) for i, x in enumerate((wrong_game / "game.yaml").read_text().splitlines(), 1) if "gird" in x
    )
    column = source.index("gird") + 1
    assert lines[0].startswith(f"{wrong_game}/game.yaml:{number}:{column}: E")
    assert lines[1] == f"{number:>5} | {source}"
    assert lines[2] == "      | " + " " * (column - 1) + "^^^^"
    assert lines[3].startswith("   ") and "grid" in lines[3]
    assert lines[-1].endswith(": 1 problem in 1 file.")


def test_json_goes_to_standard_output_and_nothing_else(
    wrong_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(wrong_game), "--json"]) == 1
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert captured.err == "" and data["ok"] is False and data["errors"] == 1
    (problem,) = data["problems"]
    assert (
        problem["code"].startswith("E")
        and problem["line"] > 1
        and problem["end_column"] - problem["column"] == 4
    )
    assert main(["check", "tic_tac_toe", "--json", "--variant", "three_loses"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["ok"] is True and data["problems"] == [] and data["variants"] == ["three_loses"]


def test_watching_checks_again_at_every_save_until_ctrl_c(wrong_game: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", str(wrong_game), "--watch"], stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        try:
            assert read_until(process, "1 problem")
            cure(wrong_game)
            assert read_until(process, "no problems")
            plant(wrong_game)
            assert read_until(process, "1 problem")
            (wrong_game / "extra.yaml").write_text("zones: {pile: {holds: tokens}}\n")
            assert read_until(process, "1 problem")  # a file that came new
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def read_until(process: subprocess.Popen[str], text: str) -> bool:
    assert process.stdout is not None
    end = time.monotonic() + 60
    while time.monotonic() < end:
        line = process.stdout.readline()
        if not line or text in line:
            return bool(line)
    return False


# ------------------------------------------------------------------ the layout of a problem


def shown(source: str, span: Span, tmp_path: Path, **more: str) -> list[str]:
    path = tmp_path / "x.yaml"
    path.write_text(source)
    at = Span(str(path), span.line, span.column, span.end_line, span.end_column)
    text = described(Problem("E999", at, "Wrong.", **more), Lines())
    assert isinstance(text, Text)
    return text.plain.splitlines()[1:]


def test_the_mark_stands_right_under_wide_letters_and_tabs(tmp_path: Path) -> None:
    assert shown("棋: wrong\n", Span("", 1, 4, 1, 9), tmp_path)[1] == "      | " + " " * 4 + "^^^^^"
    source, mark = shown("a:\twrong\n", Span("", 1, 4, 1, 9), tmp_path)
    assert source == "    1 | a: wrong" and mark == "      | " + " " * 3 + "^^^^^"


def test_a_long_line_is_cut_around_the_mark(tmp_path: Path) -> None:
    source, mark = shown("x" * 500 + "wrong" + "y" * 500, Span("", 1, 501, 1, 506), tmp_path)
    assert len(source) < 160 and source.index("wrong") == mark.index("^^^^^")
    assert "…" in source


def test_a_stretch_over_several_lines_is_marked_to_the_end_of_its_first(tmp_path: Path) -> None:
    assert shown("abc def  \nghi\n", Span("", 1, 5, 2, 2), tmp_path)[1] == "      | " + " " * 4 + "^^^"


def test_an_empty_stretch_and_one_past_the_end_still_have_a_mark(tmp_path: Path) -> None:
    assert shown("abc\n", Span("", 1, 4, 1, 4), tmp_path)[1] == "      | " + " " * 3 + "^"
    assert shown("abc\n", Span("", 1, 99, 1, 99), tmp_path)[1].endswith("^")


def test_a_problem_without_a_readable_file_shows_no_line() -> None:
    text = described(Problem("E1", Span("/nowhere", 3, 1, 3, 2), "Wrong.", "Mend it."), Lines())
    assert text.plain == "/nowhere:3:1: E1 Wrong.\n   Mend it."


def test_nothing_in_a_rule_file_can_steer_the_terminal(tmp_path: Path) -> None:
    source, _ = shown("a: \x1b[2Jx\n", Span("", 1, 1, 1, 2), tmp_path)
    assert "\x1b" not in source


def test_problems_and_warnings_are_counted_apart() -> None:
    error, warning = (
        Problem("E1", Span("", 1, 1), "x"),
        Problem("W1", Span("", 1, 1), "x", severity="warning"),
    )
    assert counted([]) == "no problems"
    assert counted([error, error, warning]) == "2 problems and 1 warning"
    assert counted([warning]) == "1 warning"
