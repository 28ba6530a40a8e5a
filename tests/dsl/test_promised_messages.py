"""The messages that the language promises for slips that designers are known to make."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.dsl.examples import problems_of_files

GAME = """\
game: Promised
language: 1
players: 2 to 4
types:
  suit: [hearts, spades, clubs]
cards:
  playing_card: {copies: 2 per suit, starts in: table}
tokens:
  marker: {per: player, supply: 9}
zones:
  table: {holds: cards, seen by: all}
  hand: {per: player, holds: cards, seen by: owner}
state:
  coins: {per: player, is: number 0 to 20, start: 0}
  reputation: {per: player, is: number 1 to 6, start: 2, ends: stop}
define:
  controls(player p, card c): any marker of p on c
flow:
  - play:
      turns: clockwise from first_player
      at most: 10 rounds, then over
      actions: [look]
actions:
  look:
    choose:
      target: card in table
    require:
      - check: coins of actor > 0 or controls(actor, target)
        because: Nothing to see.
    do: |
      set reputation of actor to 1
ends:
  over: {winner: nobody}
rules:
  promised:
    after: look
    when: CONDITION
    do: |
      EFFECT
"""
PROMISED = {
    "coins actor > 3": ("", "Write `coins of actor"),
    "1 <= coins of actor <= 6": (
        "Two comparisons cannot be chained.",
        "Write `coins of actor is in [1 to 6]`.",
    ),
    "suit of target is hearts or spades": ("`or` joins", "Write `suit of target is in [hearts, spades]`."),
    "count of card on table where controls(actor, card) is 0": (
        "This compares yes/no with a number.",
        "`(count of card on table where controls(actor, card)) is 0`, or write `no card on table where …`.",
    ),
    "hand of actor > 3": (
        "A number is needed here, but this is the zone `hand` (a set of cards).",
        "Did you mean `count of …`, as in `count of card in hand of actor`?",
    ),
}


@pytest.mark.parametrize("condition", PROMISED)
def test_the_promised_message_is_given_for_a_condition(condition: str, tmp_path: Path) -> None:
    files = {"game.yaml": GAME.replace("CONDITION", condition).replace("EFFECT", "end turn")}
    found = problems_of_files(files, tmp_path)
    text, cure = PROMISED[condition]
    assert [p.span.line for p in found] == [GAME[: GAME.index("CONDITION")].count("\n") + 1]
    assert text in found[0].text and cure in found[0].cure, found


def test_the_promised_message_is_given_for_an_effect(tmp_path: Path) -> None:
    text = GAME.replace("CONDITION", "coins of actor > 3").replace("EFFECT", "set reputation of actor to 9")
    found = problems_of_files({"game.yaml": text}, tmp_path)
    assert [p.code for p in found] == ["E421"]
    assert "9 does not fit" in found[0].text and "from 1 to 6" in found[0].text


def test_without_a_slip_there_is_no_message(tmp_path: Path) -> None:
    text = GAME.replace("CONDITION", "coins of actor > 3").replace("EFFECT", "end turn")
    assert problems_of_files({"game.yaml": text}, tmp_path) == []
