"""Every form of step passes where it should, and fails where it should, at its place and for its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.scenarios.toy import one, where

LAID = """\
given:
  phase: taking_turns
  turn: ana
  grid: |
    S/a2  .    [x]
    .     M/b  .
  hand of ana: [S, M]
  hand of ben: [S]
  deck: [M]
"""

# name, lines after LAID, the line and column of the failure, a part of its text
WRONG = {
    "not his turn": ("when:\n  - ben: draw", (14, 9), "ben does not choose here"),
    "what is not offered": ("when:\n  - ana: lay S at a1", (14, 14), "`lay S at a1` cannot be done"),
    "no such action": ("when:\n  - ana: fly", (14, 14), "no action `fly`"),
    "nobody of that name": ("when:\n  - cem: draw", (14, 9), "Nobody is called `cem`"),
    "nothing said": ("when:\n  - ana: ''", (14, 14), "Nothing stands after `ana`"),
    "two steps in one": ("when:\n  - ana: draw\n    ben: draw", (15, 9), "does not belong to this step"),
    "no step": ("when:\n  - ana", (14, 9), "A step says who does what"),
    "it can be done": ("when:\n  - ana cannot: lay S at x", (14, 21), "ana can do that"),
    "another reason": (
        "when:\n  - ana cannot: lay S at a1\n    because: Rain needs a point.",
        (15, 18),
        "The reason is another one",
    ),
    "a slip in cannot": ("when:\n  - ana cannot: lya S at a1", (14, 21), "`lya` means nothing"),
    "a slip in a value": ("when:\n  - ana cannot: lay Q at a1", (14, 21), "`Q` means nothing"),
    "no such phase": ("when:\n  - run to: clozing", (14, 9), "There is no phase `clozing`"),
    "a choice on the way": ("when:\n  - run to: closing", (14, 9), "there is something to choose"),
    "chance without an outcome": ("when:\n  - ana: throw", (14, 14), "lists no outcome"),
    "an outcome that cannot be": ("chance: [7]\nwhen:\n  - ana: throw", (15, 14), "cannot give `7` here"),
    "an outcome left over": ("chance: [3, 4]\nwhen:\n  - ana: throw", (13, 17), "`4` is left over"),
    "after the end": (
        "chance: [6]\nwhen:\n  - ana: throw\n  - ana: close\n  - ana: close\n  - ana: draw",
        (18, 14),
        "The game is over",
    ),
    "a wrong look in between": (
        "when:\n  - then:\n      - turn: ben\n  - ana: draw",
        (15, 13),
        "turn of ana",
    ),
}

RIGHT = {
    "values without names": "when:\n  - ana: lay S x",
    "values with names": "when:\n  - ana: lay laid=S spot=c1",
    "small words": "when:\n  - ana: lay S on c1",
    "a choice in an effect by code": "when:\n  - ana: give ben\n  - ana: M",
    "a choice in an effect by its space": "when:\n  - ana: give ben\n  - ana: a1",
    "a choice in an effect by its key": "when:\n  - ana: give ben\n  - ana: c=S",
    "none": "when:\n  - ana: give ben\n  - ana: none",
    "not another's turn": "when:\n  - ben cannot: draw\n    because: It is ana who chooses now.",
    "an occupied space": "when:\n  - ana cannot: lay S at a1",
    "what another holds": "when:\n  - ana cannot: lay S at a1\n  - ana: lay M at x",
    "luck": "chance: [3]\nwhen:\n  - ana: throw",
    "the next phase": "chance: [6]\nwhen:\n  - ana: throw\n  - run to: closing\n  - ana: close",
    "a look in between": "when:\n  - then: [turn: ana]\n  - ana: draw\n  - then: [turn: ben]",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_step_fails_at_its_place(name: str, tmp_path: Path) -> None:
    lines, place, reason = WRONG[name]
    result = one(tmp_path, LAID, lines)
    assert not result.ok
    assert reason in result.text
    assert where(result) == place


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_step_passes(name: str, tmp_path: Path) -> None:
    result = one(tmp_path, LAID, RIGHT[name])
    assert result.text == ""
    assert result.steps > 0


def test_what_was_offered_instead_is_told(tmp_path: Path) -> None:
    result = one(tmp_path, LAID, "when:\n  - ana: give ana")
    assert "ana may choose: draw, lay laid=S spot=b1" in result.text


def test_a_code_that_means_several_pieces_is_not_guessed(tmp_path: Path) -> None:
    given = "given:\n  turn: ana\n  grid: |\n    S/a  S/b  .\n    .    .    .\n  deck: [M]\n"
    result = one(tmp_path, given, "when:\n  - ana: give ben\n  - ana: S")
    assert "can mean several things: c=S#1, c=S#2" in result.text
    assert one(tmp_path, given, "when:\n  - ana: give ben\n  - ana: b1\nthen:\n  - hand of ben: [S]").ok


def test_the_reason_that_a_rule_gives_is_the_one_to_write_down(tmp_path: Path) -> None:
    given = "given:\n  phase: taking_turns\n  turn: ana\n  hand of ana: [R]\n"
    lines = "when:\n  - ana cannot: lay R at a1\n    because: "
    assert one(tmp_path, given, lines + "Rain needs a point.").text == ""
    assert "another one: Rain needs a point." in one(tmp_path, given, lines + "Rain is wet.").text
    assert "ana can do that" in one(tmp_path, given + "  points: {ana: 1}\n", lines + "Rain is wet.").text
