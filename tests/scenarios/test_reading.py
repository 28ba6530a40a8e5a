"""Scenarios are read from all files; one takes over from another what it does not say itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.dsl.problems import Problems
from rulewright.playtest.coverage import coverage
from rulewright.playtest.coverage_page import page
from rulewright.playtest.scenarios import run_scenarios
from rulewright.playtest.scenarios_read import read_scenarios
from rulewright.tests.scenarios.toy import GAME, results, toy

PLUGIN = "rulewright.tests.scenario_plugin"
FIRST = """\
  first:
    covers: [SM-1]
    title: The first
    players: [ana, ben]
    given:
      rounds: 0
      points: {ana: 2}
    then:
      - points of ana is 2
"""


def test_a_scenario_takes_over_what_it_does_not_say_itself(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST + "  second:\n    like: first\n    then:\n      - points of ana is 3\n")
    first, second = run_scenarios(loaded)
    assert first.ok
    assert not second.ok
    assert (second.covers, second.title) == ((), "")


def test_a_key_that_it_says_itself_replaces_the_whole(tmp_path: Path) -> None:
    second = "  second:\n    like: first\n    given: {rounds: 0}\n    then:\n      - points of ana is 0\n"
    assert [r.ok for r in results(tmp_path, FIRST + second)] == [True, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  a:\n    like: b\n    then: [rounds is 0]\n", "There is no scenario `b`."),
        ("  a:\n    like: b\n  b:\n    like: a\n", "is like itself"),
        ("  a:\n    tehn: [rounds is 0]\n", "`tehn`"),
        ("  a:\n    after setup: maybe\n", "`after setup` cannot be `maybe`"),
    ],
)
def test_a_file_of_another_form_is_a_failure(text: str, said: str, tmp_path: Path) -> None:
    found = results(tmp_path, text)
    assert not any(r.ok for r in found)
    assert said in "\n".join(r.text for r in found)


def test_two_scenarios_of_one_name_are_told(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST)
    (tmp_path / "scenarios" / "more.yaml").write_text("scenarios:\n" + FIRST)
    problems = Problems()
    assert len(read_scenarios(loaded, problems)) == 1
    assert "stands twice" in next(iter(problems)).text


def test_a_game_in_one_file_has_its_scenarios_with_it(tmp_path: Path) -> None:
    from rulewright.dsl.load import load_game

    file = tmp_path / "small.yaml"
    file.write_text(GAME + "scenarios:\n" + FIRST)
    assert [(r.name, r.ok) for r in run_scenarios(load_game(str(file)))] == [("first", True)]


def test_only_those_named_are_played(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST + FIRST.replace("first:", "other:"))
    assert [r.name for r in run_scenarios(loaded, ["other"])] == ["other"]


# ----------------------------------------------------------------------- coverage

STATEMENTS = "id,sentence,later\nSM-1,Points are counted.,no\nSM-2,Cards are laid.,no\nSM-3,Dragons.,yes\n"


def test_what_no_scenario_shows_is_missing(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST, statements=STATEMENTS)
    found = coverage(loaded, run_scenarios(loaded))
    assert next((c.statement.id, c.scenarios) for c in found.statements) == ("SM-1", ("first",))
    assert [s.id for s in found.missing] == ["SM-2"]
    unused = {(u.kind, u.name) for u in found.unused}
    assert ("action", "draw") in unused
    assert ("phase", "taking_turns") not in unused


def test_a_scenario_that_failed_shows_nothing(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST.replace("ana is 2", "ana is 1"), statements=STATEMENTS)
    assert [s.id for s in coverage(loaded, run_scenarios(loaded)).missing] == ["SM-1", "SM-2"]


def test_a_statement_that_does_not_exist_is_told(tmp_path: Path) -> None:
    (result,) = results(tmp_path, FIRST.replace("SM-1", "SM-9"), statements=STATEMENTS)
    assert "There is no statement `SM-9`" in result.text


def test_the_page_tells_every_statement(tmp_path: Path) -> None:
    loaded = toy(tmp_path, FIRST, statements=STATEMENTS)
    text = page(loaded, coverage(loaded, run_scenarios(loaded)))
    assert "| SM-1 | Points are counted. | `first` |" in text
    assert "| SM-2 | Cards are laid. | **nothing yet** |" in text
    assert "| SM-3 | Dragons. | later |" in text
    assert "- action `draw`" in text


# ------------------------------------------------------------------------- pytest


def test_pytest_reports_the_line_and_column_of_a_failing_step(tmp_path: Path) -> None:
    toy(tmp_path / "small", FIRST.replace("ana is 2", "ana is 1"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "rulewright.tests.scenario_plugin",
        "-q",
        "--rootdir",
        ".",
    ]
    root = Path(__file__).resolve().parents[2] / ".ns"
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    assert "some.yaml:10:9: This does not hold: `points of ana is 1`. The left side is 2." in run.stdout
    assert "Traceback" not in run.stdout
