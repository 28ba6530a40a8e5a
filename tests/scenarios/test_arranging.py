"""`PLAYER arranges` and `PLAYER cannot arrange`: what is laid, and why not, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios

GAME = """\
game: Small
language: 1
players: [ana, ben]
types:
  task: [rig, row, cook]
cards:
  errand: {attributes: {job: task}, copies: one per task, code: "{job}", starts in: desk}
tokens:
  bean: {supply: 4}
dice:
  cube: {count: 3, faces: [low, high]}
zones:
  desk: {holds: cards, seen by: all}
  order: {per: player, holds: cards, at most: 1, seen by: all}
  jar: {holds: beans, seen by: all}
  pot: {per: player, holds: beans, seen by: all}
  cup: {holds: dice, seen by: all}
  tray: {per: player, holds: dice, seen by: all}
boards:
  field: {shape: square grid, size: 3 x 1}
setup:
  do: |
    move all bean to jar
    move all cube to cup
flow:
  - before:
      who: first_player
      actions: [begin]
  - planning:
      who: first_player
      arrange:
        every errand in desk:
          may go to: order of any player or all space on field where space is empty
        every bean in jar:
          goes to: pot of any player
        every cube in cup:
          may go to: tray of any player
  - stop:
      do: |
        end game as over
actions:
  begin: {title: Begin}
ends:
  over: {winner: nobody}
scenarios:
  it:
    after setup: yes
    when:
      - ana: begin
"""


def played(steps: str, folder: Path) -> ScenarioResult:
    """The scenario with these steps after the first one."""
    path = folder / "small.yaml"
    path.write_text(GAME + "".join(f"      {line}\n" for line in steps.split("\n")), encoding="utf-8")
    (result,) = run_scenarios(load_game(str(path)))
    return result


RIGHT = {
    "what is not named stays": (
        "- ana arranges:\n    order of ben: [rig]\n    pot of ana: 4\n"
        "- then: [desk: [row, cook], order of ben: [rig]]"
    ),
    "spaces, one code without a list, and codes with a figure": (
        "- ana arranges:\n    b1: row\n    order of ana: [cook]\n    pot of ben: 4 bean\n"
        "- then: [order of ana: [cook]]"
    ),
    "in a list, figures say how many": (
        "- ana arranges:\n    pot of ana: [2 bean, bean]\n    pot of ben: [bean]\n"
        "- then: [pot of ana: [bean, bean, bean]]"
    ),
    "the last place takes what must go, named or not": (
        "- ana arranges:\n    pot of ana: 1\n- then: [(count of bean in pot of ben) is 3]"
    ),
    "of alike ones": (
        "- ana arranges:\n    pot of ana: 4\n    tray of ben: 2 cube\n    tray of ana: 1\n"
        "- then: [(count of cube in tray of ben) is 2, cup: []]"
    ),
    "cannot": (
        "- ana cannot arrange:\n    order of ben: [rig, row]\n  because: order of ben has room for 1.\n"
        "- then:\n    - ana cannot arrange:\n        cup: 1"
    ),
    "somebody else cannot": "- ben cannot arrange: nothing\n  because: ben does not choose here.",
    "single answers": "- ana: order_of_ana\n- ana: row=stay\n- ana: stay\n- ana: 4\n- ana: tray_of_ana=0",
}


@pytest.mark.parametrize("steps", RIGHT.values(), ids=RIGHT.keys())
def test_right_steps_pass(steps: str, tmp_path: Path) -> None:
    result = played(steps, tmp_path)
    assert result.ok, result.text


WRONG = {
    "no room": (
        "- ana arranges:\n    order of ben: [rig, row]",
        "ana cannot arrange this: order of ben has room for 1.",
    ),
    "more than there are": ("- ana arranges:\n    pot of ben: 5", "Only 4 can be laid to pot of ben."),
    "no goal here": ("- ana arranges:\n    cup: 1\n    pot of ana: 4", "Nothing can be laid to cup here."),
    "the wrong thing": (
        "- ana arranges:\n    pot of ben: [rig]\n    pot of ana: 4",
        "rig cannot be laid to pot of ben here.",
    ),
    "something has to go": (
        "- ana arranges:\n    pot of ana: 1\n    pot of ben: 1",
        "To pot of ben goes: bean, bean, bean.",
    ),
    "no such place": ("- ana arranges:\n    pod of ben: 1", "There is no place `pod of ben`."),
    "no such code": ("- ana arranges:\n    pot of ben: [baen]", "`baen` is no code of a piece"),
    "nothing said": ("- ana arranges: much", "It is not said what is laid where."),
    "a bare figure in a list": ("- ana arranges:\n    pot of ben: [3]", "A figure in a list says how many"),
    "it can": ("- ana cannot arrange:\n    pot of ana: 4", "ana can arrange that"),
    "another reason": (
        "- ana cannot arrange:\n    pot of ben: 5\n  because: Beans are rare.",
        "The reason is another one: Only 4 can be laid to pot of ben.",
    ),
    "not his": ("- ben arranges: nothing", "ben does not choose here."),
    "twice": ("- ana arranges:\n    pot of ana: 4\n- ana arranges: nothing", "The game is over (over)"),
}


@pytest.mark.parametrize(("steps", "text"), WRONG.values(), ids=WRONG.keys())
def test_wrong_steps_fail_for_their_reason(steps: str, text: str, tmp_path: Path) -> None:
    result = played(steps, tmp_path)
    assert not result.ok
    assert text in result.text


def test_where_nothing_is_laid_out_nothing_is_arranged(tmp_path: Path) -> None:
    text = GAME.replace("- ana: begin", "- ana arranges: nothing")
    path = tmp_path / "small.yaml"
    path.write_text(text, encoding="utf-8")
    (result,) = run_scenarios(load_game(str(path)))
    assert "Nothing is laid out here." in result.text
