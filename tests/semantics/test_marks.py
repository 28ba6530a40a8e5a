"""Marks on tracks: places at several numbers, and names for one."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, ids, problems, same_to_the_end, state, toy, true_of

TRACKS = """
dice:
  cube: {count: 6, faces: 1 to 6, starts in: middle}
zones:
  middle: {holds: dice, seen by: all}
tracks:
  hull: {from: 15, to: 0, start: 15, ends: stop, marks: {flag: [12, 8, 4], danger: 3}}
  own: {per: player, from: -5, to: 5, start: 0, ends: stop, marks: {step: [-2, 4]}}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [hit, climb, pick, free]
actions:
  hit:
    do: |
      take 5 from hull
      for each flag f on hull where hull < level of f and f is empty:
          move 1 cube d in middle where face of d < 7 to f
  climb:
    do: |
      add 4 to own of actor
      for each step s on own of actor where level of s <= own of actor and s is empty:
          move 1 cube in middle to s
  pick:
    choose:
      where_to: flag f on hull where any die on f
    do: |
      move all die on where_to to middle
  free:
    do: |
      for each player p:
          for each step s on own of p where s is not empty:
              move all die on s to middle
ends:
  over: {winner: nobody}
"""


def lying(match: Match) -> dict[str, int]:
    """How many pieces lie on each mark."""
    zones: dict[str, Any] = match.view(None)["zones"]
    return {name: z["count"] for name, z in zones.items() if z["kind"] == "mark"}


def test_a_mark_is_a_place_at_each_of_its_numbers() -> None:
    match = toy(TRACKS)
    assert list(lying(match)) == [
        "flag 12",
        "flag 8",
        "flag 4",
        "step -2 of x",
        "step 4 of x",
        "step -2 of o",
        "step 4 of o",
    ]
    do(match, "hit")
    assert [n for n, count in lying(match).items() if count] == ["flag 12"]
    do(match, "hit", "hit")
    assert [n for n, count in lying(match).items() if count] == ["flag 12", "flag 8", "flag 4"]
    assert state(match, "hull") == 0


def test_each_owner_has_marks_on_its_own_track() -> None:
    match = do(toy(TRACKS), "climb")
    assert {n for n, count in lying(match).items() if count} == {"step -2 of x", "step 4 of x"}
    do(match, "free", "climb", "climb")
    assert {n for n, count in lying(match).items() if count} == {
        "step -2 of x",
        "step 4 of x",
        "step -2 of o",
        "step 4 of o",
    }
    assert sum(lying(match).values()) == 4


def test_a_mark_is_chosen_by_name_and_number() -> None:
    match = do(toy(TRACKS), "hit", "hit")
    assert [i for i in ids(match) if "pick" in i] == ["pick where_to=flag_12", "pick where_to=flag_8"]
    do(match, "pick where_to=flag_8")
    assert [n for n, count in lying(match).items() if count] == ["flag 12"]
    same_to_the_end(match)


def test_what_is_asked_of_marks() -> None:
    true_of(
        TRACKS,
        {
            "every flag f has level of f > danger": True,
            "(count of flag f where level of f is 8) is 1": True,
            "(count of flag) is 3 and (count of step) is 4": True,
            "every flag f has f is empty": True,
            "any die on (all flag)": False,
            "smallest level of s for step s on own of x is -2": True,
            "danger is 3": True,
            "any flag f on hull where hull < level of f": False,
        },
    )


@pytest.mark.parametrize(
    ("marks", "codes"),
    [
        ("{flag: [12, 8, 4], danger: 3}", []),
        ("{flag: [12, 8, 40], danger: 3}", ["E421"]),
        ("{flag: [12, 8, 8], danger: 3}", ["E310"]),
        ("{flag: [12, 8], cube: [1, 2], danger: 3}", ["E407"]),
        ("{flag: [12, 8], step: [1, 2], danger: 3}", ["E407"]),
    ],
)
def test_marks_are_checked(marks: str, codes: list[str]) -> None:
    assert problems(TRACKS.replace("{flag: [12, 8, 4], danger: 3}", marks)) == codes


def test_marks_are_taken_from_their_own_track() -> None:
    assert problems(TRACKS.replace("flag f on hull where hull", "flag f on own of x where hull")) == ["E428"]
    assert problems(TRACKS.replace("flag f on hull where any", "flag f in hull where any")) == ["E428"]
    assert problems(TRACKS.replace("step s on own of actor", "step s on own")) == ["E405"]


def test_a_mark_of_one_number_is_no_place() -> None:
    assert problems(TRACKS.replace("flag f on hull where any die on f", "danger f on hull")) == [
        "E406",
        "E428",
    ]


def test_who_sees_the_track_sees_what_lies_on_it() -> None:
    secret = TRACKS.replace("own: {per: player,", "own: {per: player, seen by: owner,")
    match = do(toy(secret), "climb")
    seen = [match.view(v)["zones"]["step 4 of x"]["pieces"] for v in (0, 1)]
    assert "face of piece" in seen[0][0]
    assert "face of piece" not in seen[1][0]  # it is known which die was laid there, but not what it shows
