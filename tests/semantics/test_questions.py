"""What a player is asked, in words: what to choose, how many, what for; and what the options are called."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, toy

GAME = """
types:
  look: [plain_looks, fine]
  rank: 1 to 4
cards:
  seed: {copies: one per rank, code: "S{rank}", starts in: pile}
  asker:
    is: seed
    title: The Asker
    copies: 1
    starts in: hand
    rules:
      it_asks:
        after: ring
        when: card is in hand of holder
        do: |
          holder chooses player who_sings:
              add 1 to points of who_sings
          holder chooses mood from [plain_looks, fine]
dice:
  cube: {count: 3, faces: 1 to 6, starts in: cup}
zones:
  pile: {holds: cards, seen by: all}
  hand: {per: player, holds: cards, seen by: all}
  cup: {holds: dice, seen by: all}
  tray: {per: player, holds: dice, seen by: all}
state:
  points: {per: player, is: number 0 to 9}
  mood: {title: How do you look?, is: look, start: fine}
  worn: {per: die, is: yes or no, start: no}
events:
  ring:
    text: The bell rings.
setup:
  do: |
    move all asker to hand of x
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [go]
actions:
  go:
    do: |
      EFFECT
ends:
  over:
    winner: nobody
"""


def asked(effect: str, script: list[str] | None = None) -> Match:
    """A match at the question that an effect asks."""
    return do(toy(GAME.replace("EFFECT", effect.replace("\n", "\n      ")), script=script), "go")


def prompt(match: Match) -> str:
    assert match.decision is not None
    return match.decision.prompt


def texts(match: Match) -> list[str]:
    assert match.decision is not None
    return [option.text for option in match.decision.options]


MOVE = ":\n    move {} to hand of actor"


@pytest.mark.parametrize(
    ("choice", "question"),
    [
        ("actor chooses seed l in pile", "Choose a seed"),
        ("actor chooses seed to_keep in pile", "Choose a seed (to keep)"),
        ("actor chooses seed in pile", "Choose a seed"),
        ("actor may choose seed to_keep in pile", "Choose a seed (to keep)"),
        ("actor chooses 2 seed to_keep in pile", "Choose 2 of these seeds (to keep)"),
        (
            "actor chooses 9 seed to_keep in pile where rank of to_keep > 1, or none",
            "Choose up to 9 of these seeds (to keep)",
        ),
        ("actor chooses up to 3 seed to_keep in pile", "Choose up to 3 of these seeds (to keep)"),
        ("actor chooses any number of seed to_keep in pile", "Choose any of these seeds (to keep)"),
        ("each player chooses 2 seed to_keep in pile, together", "Choose 2 of these seeds (to keep)"),
    ],
)
def test_a_question_says_what_how_many_and_what_for(choice: str, question: str) -> None:
    name = "to_keep" if "to_keep" in choice else "l" if "seed l" in choice else "seed"
    match = asked(choice + MOVE.format(name))
    assert prompt(match) == question


def test_the_question_of_a_card_begins_with_the_card() -> None:
    match = asked("ring")
    assert prompt(match) == "The Asker: Choose a player (who sings)"
    assert prompt(do(match, "x")) == "The Asker: How do you look?"


def test_what_is_chosen_is_called_by_its_own_name() -> None:
    assert texts(do(asked("ring"), "x")) == ["plain looks", "fine"]
    assert texts(asked("actor may choose player to_keep:\n    add 1 to points of to_keep")) == [
        "x",
        "o",
        "none",
    ]


def test_a_die_is_told_with_its_face_and_with_its_place_where_two_look_alike() -> None:
    effect = "roll all cube\nmove 1 cube in cup to tray of x\nmove 1 cube in cup to tray of o\n"
    effect += "actor chooses cube to_keep:\n    move to_keep to tray of x"
    match = asked(effect, ["4", "4", "2"])
    assert texts(match) == ["Cube [4], tray of x", "Cube [4], tray of o", "Cube [2]"]


def test_a_state_of_dice_is_shown_of_dice_alone() -> None:
    assert set(toy(GAME.replace("EFFECT", "ring")).view(None)["state"]["worn"]) == {"cube"}
