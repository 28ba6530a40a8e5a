"""Turns owed: a queue beside the seat whose turn it really is, what can be read of it, and who comes next."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, log, same_to_the_end, toy, who

GAME = """
state:
  n: {is: number 0 to 99}
flow:
  - play:
      turns: TURNS
      at most: 9 rounds, then over
EACH
actions:
  go:
    do: |
      add 0 to n
  give:
    choose:
      to_whom: player
    do: |
      give another turn to to_whom
  give_two:
    choose:
      to_whom: player
    do: |
      give another turn to to_whom
      give another turn to to_whom
  give_all:
    do: |
      for each player p:
          give another turn to p
  give_and_end:
    do: |
      give another turn to left of actor
      end turn
      give another turn to right of actor
  miss:
    choose:
      to_whom: player
    do: |
      skip to_whom
  turn_round:
    do: |
      reverse
  note:
    do: |
      for each player p:
          log(turns_owed of p)
      if turn_is_extra:
          log(10)
events:
  log(number k):
    do: |
      add 0 to n
ends:
  over:
    winner: nobody
"""
ACTIONS = "actions: [go, give, give_two, give_all, give_and_end, miss, turn_round, note]"
PLAIN = f"      {ACTIONS}"
PARTS = f"""
      each turn:
        - first_part:
            {ACTIONS}
        - second_part:
            {ACTIONS}
""".strip("\n")


def game(each: str = PLAIN, turns: str = "clockwise from a") -> Match:
    return toy(GAME.replace("EACH", each).replace("TURNS", turns), players="[a, b, c]")


def turns(match: Match, *choices: str) -> str:
    """Who made each of these choices, and who comes next."""
    met = ""
    for choice in choices:
        met += who(match)
        do(match, choice)
    return met + who(match)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        # One turn more, then to the left of the seat whose turn it was.
        (["give to_whom=a", "go", "go"], "aabc"),
        (["give to_whom=b", "go", "go"], "abbc"),
        (["give to_whom=c", "go", "go"], "acbc"),
        # Two at once are two turns.
        (["give_two to_whom=a", "go", "go", "go"], "aaabc"),
        (["give_two to_whom=c", "go", "go", "go"], "accbc"),
        # First given, first played; what is given in an extra turn comes behind what was given before.
        (["give_all", "go", "go", "go", "go"], "aabcbc"),
        (["give_all", "give to_whom=a", "go", "go", "go", "go"], "aabcabc"),
        (["give to_whom=c", "give to_whom=a", "give to_whom=c", "go", "go"], "acacbc"),
        # An extra turn may earn a further one, as often as it likes.
        (["give to_whom=a", "give to_whom=a", "give to_whom=a", "go", "go"], "aaaabc"),
        # `end turn` keeps what was given before it, and not what would come after.
        (["give_and_end", "go", "go"], "abbc"),
        # Turning round counts from the seat whose turn it really was.
        (["give to_whom=b", "turn_round", "go"], "abcb"),
        # A turn that is to be missed is one of the round, not one that is owed.
        (["give to_whom=b", "miss to_whom=b", "go", "go"], "abcab"),
    ],
)  # fmt: skip
def test_who_comes_next(choices: list[str], expected: str) -> None:
    assert turns(game(), *choices) == expected


def test_the_rest_of_a_turn_is_played_before_the_turn_that_was_given() -> None:
    # Each turn has two parts: what is given in the first is owed during the second.
    match = game(PARTS)
    assert turns(match, "give to_whom=a", "note", "note", "note", "go") == "aaaabb"
    assert log(match) == [1, 0, 0, 0, 0, 0, 10, 0, 0, 0, 10]


def test_what_can_be_read_while_turns_are_owed() -> None:
    match = game()
    do(match, "give_all")  # a, b and c
    do(match, "give_two to_whom=b")  # in the extra turn of a: b and b again
    assert log(do(match, "note")) == [0, 2, 1, 10]  # in the first extra turn of b
    assert log(do(match, "note"))[4:] == [0, 2, 0, 10]  # in that of c
    assert log(do(match, "note", "note"))[8:] == [0, 1, 0, 10, 0, 0, 0, 10]
    assert who(match) == "b" and log(do(match, "note"))[16:] == [0, 0, 0]  # its usual turn


def test_a_player_who_is_out_of_the_round_still_has_the_turns_that_are_owed() -> None:
    match = game(turns="clockwise from a where player is not c")
    assert turns(match, "give to_whom=c", "go", "go", "go") == "acbab"


def test_counterclockwise() -> None:
    match = game(turns="counterclockwise from a")
    assert turns(match, "give to_whom=b", "give to_whom=b", "go", "go") == "abbcb"


def test_saved_copied_and_resumed_while_turns_are_owed() -> None:
    for each in (PLAIN, PARTS):
        match = game(each)
        do(match, "give_all", "give_two to_whom=c")
        same_to_the_end(match)
