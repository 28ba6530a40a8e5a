"""The order of the players: by their seats, or as the game states it, wherever several do something."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, ids, pieces, state, toy, who

GAME = """
ORDER
types:
  rank: 1 to 4
cards:
  k: {copies: one per rank, code: "K{rank}", starts in: deck}
tokens:
  stone: {per: player, supply: 1}
zones:
  deck: {holds: cards, as: pile, seen by: all}
  hand: {per: player, holds: cards, seen by: all}
  queue_up: {holds: tokens, as: row, seen by: all}
state:
  captain: {is: player, start: b}
  crew: {is: set of players, start: [d, a, c]}
  left_over: {is: number 0 to 99, start: 99}
  got: {per: player, is: number 0 to 99}
  chosen: {is: player or none, start: none}
events:
  queue(player p):
    do: |
      place stone of p on queue_up
flow:
  - play:
      FLOW
actions:
  act:
    do: |
EFFECT
  idle:
    do: |
      place stone of actor on queue_up
ends:
  over:
    winner: nobody
"""
TURNS = "turns: clockwise from a\n      at most: 2 rounds, then over\n      actions: [act, idle]"
CAPTAIN = "order: clockwise from left of captain"


def game(effect: str, order: str = CAPTAIN, flow: str = TURNS) -> Match:
    """A game of four in which `act` has this effect; the order begins left of the captain, with c."""
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    text = GAME.replace("EFFECT", lines).replace("ORDER", order).replace("FLOW", flow)
    return toy(text, "[a, b, c, d]")


def line(match: Match) -> str:
    """Whose stones lie in the line, in order."""
    return "".join(p["owner"] for p in match.view(None)["zones"]["queue_up"]["pieces"])


@pytest.mark.parametrize(
    ("loop", "stated", "unstated"),
    [
        ("player p", "cdab", "abcd"),
        ("player p where p is not d", "cab", "abc"),
        ("player p in crew", "cda", "dac"),  # a set keeps its own order where the game states none
        ("player p in (all player where player is not c)", "dab", "abd"),
        ("player p in [d, b, c]", "dbc", "dbc"),  # a list is an order
        ("player p in seats_from(actor)", "abcd", "abcd"),  # and so are the seats from somebody
    ],
)
def test_for_each_player_follows_the_order_of_the_game(loop: str, stated: str, unstated: str) -> None:
    effect = f"for each {loop}:\n    queue(p)"
    assert line(do(game(effect), "act")) == stated
    assert line(do(game(effect, ""), "act")) == unstated


def test_the_order_is_fixed_when_a_loop_starts() -> None:
    effect = (
        "for each player p:\n    set captain to p\n    queue(p)\nfor each player p:\n    add 1 to got of p"
    )
    assert line(do(game(effect), "act")) == "cdab"


def test_the_order_can_go_counterclockwise() -> None:
    effect = "for each player p:\n    queue(p)"
    assert line(do(game(effect, "order: counterclockwise from captain"), "act")) == "badc"


def test_an_order_may_be_found_by_a_selection() -> None:
    effect = "for each player p:\n    queue(p)"
    assert (
        line(do(game(effect, "order: clockwise from (the player where player is captain)"), "act")) == "bcda"
    )


def test_the_first_of_some_is_the_first_in_the_order() -> None:
    effect = "set chosen to first player in crew"
    assert state(do(game(effect), "act"), "chosen") == "c"
    assert state(do(game(effect, ""), "act"), "chosen") == "d"
    offered = ids(do(game("actor chooses player p in crew:\n    queue(p)"), "act"))
    assert offered == ["p=c", "p=d", "p=a"]


def test_changes_and_deals_to_several_follow_the_order() -> None:
    match = do(game("deal 1 from deck to hand of crew\ndeal 1 from deck to hand of each player"), "act")
    hands = {p: sorted(pieces(match, f"hand of {p}")) for p in "abcd"}
    assert hands == {"c": ["K1", "K4"], "d": ["K3"], "a": ["K2"], "b": []}


@pytest.mark.parametrize(
    ("effect", "stated", "unstated"),
    [
        ("each player p chooses got of p from [1, 2], together", "cdab", "abcd"),
        ("each player p in crew chooses got of p from [1, 2], together", "cda", "acd"),
        ("each player p in [d, a] chooses got of p from [1, 2], together", "da", "da"),
        ("each player p in crew chooses up to 1 rank r, together:\n    queue(p)", "cda", "acd"),
        ("agreement of crew chooses left_over from [1, 2], else 0", "cda", "acd"),
        ("majority of seats_from(actor) chooses left_over from [1, 2], else 0", "abcd", "abcd"),
        (
            "majority of (all player where player is not a) chooses left_over from [1, 2], else 0",
            "cdb",
            "bcd",
        ),
    ],
)
def test_those_who_choose_together_are_asked_in_the_order(effect: str, stated: str, unstated: str) -> None:
    for order, wanted in ((CAPTAIN, stated), ("", unstated)):
        match = do(game(effect, order), "act")
        assert match.decision is not None and "".join(match.decision.together) == wanted
        for name in wanted:
            assert who(match) == name
            do(match, ids(match)[-2])
            if "r, together" in effect and who(match) == name:
                do(match, "done")
        if "queue" in effect:
            assert line(match) == wanted


@pytest.mark.parametrize("form", ["who", "turns"])
def test_phases_of_several_go_in_the_order(form: str) -> None:
    several = f"{form}: crew\n      actions: [idle]\n  - rest:\n      do: |\n        end game as over"
    match = game("add 0 to left_over", flow=several)
    met = ""
    while match.decision is not None:
        met += who(match)
        do(match, "idle")
    assert (met, line(match)) == ("cda", "cda")


def test_turns_round_and_round_begin_with_the_first_in_the_order() -> None:
    match = game(
        "add 0 to left_over", flow="turns: crew\n      at most: 2 rounds, then over\n      actions: [act]"
    )
    met = ""
    for _ in range(6):
        met += who(match)
        do(match, "act")
    assert met == "cdacda"
