"""Every form of look passes where it should, and fails where it should, at its place and for its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.scenarios.test_steps import LAID
from rulewright.tests.scenarios.toy import one, where

END = "chance: [6]\nwhen:\n  - ana: throw\n  - ana: close\n  - ana: close\n"

RIGHT = {
    "a condition": "- points of ana is 0",
    "a condition with a named space": "- x is empty",
    "a condition about a space": "- any card on a1",
    "a picture": "- grid: |\n    S/a2  .    .\n    .     M/b  .",
    "a set in any order": "- hand of ana: [M, S]",
    "a pile": "- deck: [M]",
    "a turn": "- turn: ana",
    "the next turns": "- next turns: [ana, ben, ana]",
    "what is seen": "- ana sees: S\n- ben sees: [S, M]",
    "all options": (
        "- options of ana: [draw, throw, give ben, lay S b1, lay S x, lay S a2, lay S c2, "
        "lay M b1, lay M x, lay M a2, lay M c2]"
    ),
    "some options": "- options of ana include: [draw, lay laid=S spot=x]",
    "a refusal": "- ana cannot: lay S at b2",
}

WRONG = {
    "a condition": ("- points of ana is 1", (14, 9), "The left side is 0."),
    "no condition": ("- points of ana is", (14, 23), ""),
    "an unknown name": ("- pointz of ana is 1", (14, 9), "pointz"),
    "a picture": ("- grid: |\n    S/a2  .    .\n    .     M/a  .", (16, 17), "On b2 there is M/b."),
    "tokens": ("- grid: |\n    S/a  .    .\n    .    M/b  .", (15, 11), "On a1 there is S/a2."),
    "the form of a picture": ("- grid: |\n    S/a2  .\n    .     M/b", (14, 15), "2 wide"),
    "an unknown code": ("- hand of ana: [Q]", (14, 23), "`Q` is no code"),
    "a set": ("- hand of ana: [M]", (14, 9), "In `hand of ana` there is: [M, S]."),
    "an order": ("- deck: [S]", (14, 9), "In `deck` there is: [M]."),
    "a turn": ("- turn: ben", (14, 9), "It is the turn of ana."),
    "the next turns": ("- next turns: [ana, ana]", (14, 9), "The next turns are: ana, ben."),
    "a winner too soon": ("- winner: ana", (14, 9), "The game goes on."),
    "an end too soon": ("- ended as: enough", (14, 9), "The game goes on."),
    "no such end": ("- ended as: enuff", (14, 9), "There is no end `enuff`"),
    "seen, and it is not": ("- ana sees not: M", (14, 23), "ana sees M."),
    "too few options": ("- options of ana: [draw]", (14, 9), "More is offered: lay laid=S spot=b1"),
    "not offered": ("- options of ana include: [draw, close]", (14, 40), "`close` is not offered."),
    "options of another": ("- options of ben: [draw]", (14, 9), "ben has no options here."),
    "a state as a key": ("- points of ana: 0", (14, 9), "Write it as a condition: `points of ana is …`."),
    "an unknown key": ("- trun: ana", (14, 9), "Did you mean `turn`?"),
    "a refusal": ("- ana cannot: draw", (14, 21), "ana can do that"),
    "two in one": ("- turn: ana\n  winner: ana", (15, 9), "Two things in one line."),
}


def then(lines: str) -> str:
    return "then:\n" + "".join(f"  {line}\n" for line in lines.split("\n"))


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_so_passes(name: str, tmp_path: Path) -> None:
    assert one(tmp_path, LAID, then(RIGHT[name])).text == ""


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_so_fails_at_its_place(name: str, tmp_path: Path) -> None:
    lines, place, reason = WRONG[name]
    result = one(tmp_path, LAID, then(lines))
    assert not result.ok
    assert reason in result.text
    assert where(result) == place


def test_the_board_as_it_is_stands_below_the_difference(tmp_path: Path) -> None:
    result = one(tmp_path, LAID, then("- grid: |\n    .  .  .\n    .  .  ."))
    assert "The board is:\nS/a2  .     .\n.     M/b   ." in result.text
    assert "1 more spaces differ" in result.text


def test_hidden_cards_are_not_seen(tmp_path: Path) -> None:
    given = "given:\n  phase: taking_turns\n  turn: ana\n  hand of ana: [S]\n  hand of ben: [M]\n"
    assert one(tmp_path, given, then("- ana sees not: M\n- ben sees: M\n- ben sees not: S")).text == ""
    assert "ana does not see M" in one(tmp_path, given, then("- ana sees: M")).text


def test_what_is_nowhere_in_play_can_neither_be_seen_nor_hidden(tmp_path: Path) -> None:
    given = "given:\n  hand of ana: [S]\n"
    assert "nowhere in play" in one(tmp_path, given, then("- ana sees not: M")).text


@pytest.mark.parametrize("line", ["winner: ana", "winner: [ana]", "ended as: enough", "leader is ana"])
def test_the_end_is_seen(line: str, tmp_path: Path) -> None:
    assert one(
        tmp_path, LAID.replace("turn: ana", "turn: ana\n  points: {ben: 2}"), END, then(f"- {line}")
    ).ok


@pytest.mark.parametrize(
    ("line", "reason"),
    [("winner: ben", "The winner is: ana."), ("winner: nobody", "ana."), ("ended as: emptied", "`enough`")],
)
def test_another_end_fails(line: str, reason: str, tmp_path: Path) -> None:
    result = one(tmp_path, LAID, END, then(f"- {line}"))
    assert reason in result.text


def test_turns_that_are_owed_come_next(tmp_path: Path) -> None:
    steps = "when:\n  - ana: give ben\n  - ana: none\n"
    assert one(tmp_path, LAID, steps, then("- next turns: [ben, ben, ana]")).text == ""


def test_looking_changes_nothing(tmp_path: Path) -> None:
    turns = "- next turns: [ana, ben, ana]"
    looks = f"{turns}\n- turn: ana\n- points of ben is 0\n- deck: [M]\n{turns}"
    assert one(tmp_path, LAID, then(looks)).text == ""
