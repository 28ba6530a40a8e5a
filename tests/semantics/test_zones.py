"""Zones with room for so many, piles that are refilled, and zones that hide faces."""

from __future__ import annotations

import pytest

from rulewright.interpreter.api import PlayableGame
from rulewright.interpreter.match import Match
from rulewright.interpreter.trace import render
from rulewright.tests.semantics.folders import folder_game
from rulewright.tests.semantics.toys import (
    do,
    events,
    ids,
    log,
    pieces,
    problems,
    same_to_the_end,
    story,
    toy,
)

FLOW = """
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [{actions}]
ends:
  over: {{winner: nobody}}
events:
  log(number k):
    do: |
"""


def rules(sections: str, **actions: str) -> str:
    """A toy whose actions do what is written."""
    made = "actions:\n" + "".join(
        f"  {name}:\n    do: |\n" + "".join(f"      {line}\n" for line in text.strip().split("\n"))
        for name, text in actions.items()
    )
    flow = FLOW.format(actions=", ".join(actions)).replace("    do: |\n", '    text: "{k}"\n')
    return sections + flow + made


ROOM = """
cards:
  slip: {copies: 6, starts in: deck}
options:
  size: {default: 2, from: 1, to: 4}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner, at most: players + 1}
  shelf: {holds: cards, at most: size}
"""


def count(match: Match, zone: str) -> int:
    """How many pieces lie in a zone."""
    return int(match.view(None)["zones"][zone]["count"])


@pytest.mark.parametrize(
    "effect",
    [
        "move 5 card in deck to hand of x",
        "deal 5 from deck to hand of x",
        "move all card in deck to hand of x",
        "for each card c in deck:\n    move c to hand of x",
        "at once for each card c in deck:\n    move c to hand of x",
        "repeat up to 6 times:\n    move top of deck to hand of x",
    ],
)
def test_no_instruction_brings_more_than_fit(effect: str) -> None:
    match = do(toy(rules(ROOM, go=effect)), "go")
    assert (count(match, "hand of x"), count(match, "deck")) == (3, 3)
    assert "hand of x is full" in story(match)


def test_dealing_to_several_goes_on_for_those_who_have_room() -> None:
    match = toy(rules(ROOM, go="deal 3 from deck to hand of x\ndeal 2 from deck to hand of each player"))
    do(match, "go")
    assert (count(match, "hand of x"), count(match, "hand of o")) == (3, 2)


def test_a_piece_that_lies_there_already_needs_no_room() -> None:
    effect = "deal 3 from deck to hand of x\nmove all card in hand of x to hand of x"
    match = do(toy(rules(ROOM, go=effect)), "go")
    assert count(match, "hand of x") == 3
    assert "is full" not in story(match)


def test_the_options_say_how_many_fit() -> None:
    text = rules(ROOM, go="move all card in deck to shelf")
    assert [count(do(toy(text, options={"size": n}), "go"), "shelf") for n in ("1", "2", "4")] == [1, 2, 4]


def test_two_zones_trade_only_if_both_have_room() -> None:
    effect = "deal 3 from deck to hand of x\ndeal 1 from deck to shelf\nswap hand of x with shelf"
    match = do(toy(rules(ROOM, go=effect)), "go")
    assert (count(match, "hand of x"), count(match, "shelf")) == (3, 1)
    assert "shelf is full" in story(match)
    smaller = do(toy(rules(ROOM, go=effect.replace("deal 3", "deal 2"))), "go")
    assert (count(smaller, "hand of x"), count(smaller, "shelf")) == (1, 2)


def test_full_and_empty_are_asked_of_zones() -> None:
    effect = """
if shelf is empty:
    log(1)
if shelf is not full:
    log(2)
move 2 card in deck to shelf
if shelf is full and hand of x is not full:
    log(3)
"""
    assert log(do(toy(rules(ROOM, go=effect)), "go")) == [1, 2, 3]


def test_a_zone_with_room_for_any_number_is_never_full() -> None:
    assert problems(rules(ROOM, go="if deck is full:\n    log(1)")) == ["E415"]


def test_room_for_nothing_is_wrong() -> None:
    assert problems(rules(ROOM.replace("at most: size", "at most: 0"), go="log(1)")) == ["E421"]


def test_more_than_fit_cannot_start_there() -> None:
    game = folder_game(rules(ROOM.replace("starts in: deck", "starts in: shelf"), go="log(1)"), {})
    assert isinstance(game, PlayableGame)
    found = game.program()
    assert isinstance(found, tuple)
    assert [p.code for p in found] == ["E507"]


# ------------------------------------------------------------------ refilling

PILE = """
cards:
  slip: {kinds: [red, blue, green], copies: 2, starts in: heap}
zones:
  deck: {holds: cards, as: pile, seen by: nobody, refill from: heap}
  heap: {holds: cards, seen by: all}
  hand: {per: player, holds: cards, seen by: owner, at most: 5}
rules:
  gone:
    after: ran_out
    do: |
      log(count of card in deck)
"""


@pytest.mark.parametrize(
    ("effect", "left"),
    [
        ("deal 4 from deck to hand of x", 2),
        ("move 4 card in deck to hand of x", 2),
        ("move top of deck to hand of x", 5),
        ("move bottom of deck to hand of x", 5),
        ("deal 2 from deck to hand of each player", 2),
        ("deal 1 from deck to bottom of deck", 6),
    ],
)
def test_an_empty_pile_is_refilled_before_it_is_taken_from(effect: str, left: int) -> None:
    match = do(toy(rules(PILE, go=effect)), "go")
    assert (count(match, "deck"), count(match, "heap")) == (left, 0)
    assert events(match, "refilled") == ["deck"]
    assert log(match) == []
    assert pieces(match, "deck") == [None] * left  # who saw the heap does not know the pile


def test_what_is_left_is_taken_first() -> None:
    first = "move 1 red in heap to deck\ndeal 2 from deck to hand of x"
    for seed in range(8):
        match = do(toy(rules(PILE, go=first), seed=seed), "go")
        assert "red" in pieces(match, "hand of x", 0)
        assert count(match, "deck") == 4


def test_both_empty_takes_fewer_and_says_so_once() -> None:
    effect = "move all card in heap to box\nmove 2 card in box to deck\ndeal 4 from deck to hand of x"
    match = do(toy(rules(PILE, go=effect)), "go")
    assert count(match, "hand of x") == 2
    assert log(match) == [0]
    assert events(match, "event").count("ran_out") == 1


def test_enough_is_no_running_out() -> None:
    effect = "deal 5 from deck to hand of x\ndeal 1 from deck to hand of o"
    match = do(toy(rules(PILE, go=effect)), "go")
    assert count(match, "deck") == 0
    assert log(match) == []


def test_a_zone_that_nothing_refills_runs_out_too() -> None:
    assert log(do(toy(rules(PILE, go="move 1 card in hand of o to heap")), "go")) == [0]


def test_nothing_is_refilled_for_a_hand_without_room() -> None:
    effect = "deal 5 from deck to hand of x\nmove 1 card in deck to box\ndeal 1 from deck to hand of x"
    text = rules(PILE, go=effect + "\nmove 1 card in box to heap\ndeal 1 from deck to hand of x")
    match = do(toy(text), "go")
    assert (count(match, "heap"), events(match, "refilled")) == (1, ["deck"])


def test_looking_does_not_refill() -> None:
    effect = "if top of deck is none:\n    log(7)\nif deck is empty:\n    log(8)"
    match = do(toy(rules(PILE, go=effect)), "go")
    assert log(match) == [7, 8]
    assert count(match, "heap") == 6


def test_without_a_listener_the_log_says_that_nothing_was_left() -> None:
    silent = PILE.split("rules:")[0]
    match = do(toy(rules(silent, go="deal 9 from deck to hand of each player")), "go")
    assert "deck has run out." in story(match)


def test_ran_out_may_end_the_game_in_the_middle_of_an_effect() -> None:
    ending = PILE.replace("log(count of card in deck)", "end game as over")
    match = do(toy(rules(ending, go="deal 9 from deck to hand of each player\nlog(1)")), "go")
    assert match.over
    assert log(match) == []


def test_each_player_has_a_pile_and_its_own_luck() -> None:
    own = PILE.replace("deck: {", "deck: {per: player, ").replace("heap: {", "heap: {per: player, ")
    own = own.replace("in deck)", "in deck of x)")
    effect = "deal 1 from deck of actor to hand of actor"
    match = do(toy(rules(own, go=effect), seed=3), "go", "go")
    assert (count(match, "deck of x"), count(match, "heap of x")) == (5, 0)
    assert count(match, "deck of o") == 0
    assert log(match) == [5]  # nothing started in the heap of o


def test_refilling_does_not_use_the_luck_of_shuffling() -> None:
    names = [
        s.name for s in toy(rules(PILE, go="shuffle deck\ndeal 1 from deck to hand of x")).program.streams
    ]
    assert {"shuffle deck", "refill deck"} <= set(names)


def test_a_match_goes_on_the_same_after_refilling() -> None:
    text = rules(PILE, draw="deal 2 from deck to hand of actor", back="move 1 card in hand of actor to heap")
    for seed in range(3):
        match = toy(text, seed=seed)
        do(match, "draw")
        same_to_the_end(match)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("refill from: heap", "refill from: deck"),
        ("as: pile, seen by: nobody, refill", "seen by: nobody, refill"),
        ("heap: {holds", "heap: {per: player, holds"),
        ("heap: {holds: cards", "heap: {holds: dice"),
    ],
)
def test_a_pile_is_refilled_from_another_zone_that_fits(old: str, new: str) -> None:
    text = rules(PILE.replace(old, new).replace(", starts in: heap", ""), go="deal 1 from deck to hand of x")
    assert problems(text) == ["E423"]


def test_a_rule_that_takes_again_when_nothing_is_left_goes_in_a_circle() -> None:
    looping = PILE.replace("log(count of card in deck)", "deal 1 from deck to hand of x")
    assert problems(rules(looping, go="deal 1 from deck to hand of x")) == ["E443"]


# ---------------------------------------------------------------------- faces

DICE = """
dice:
  cube: {count: 4, faces: 1 to 6, starts in: middle}
zones:
  middle: {holds: dice, seen by: all}
  cup: {per: player, holds: dice, faces: hidden, seen by: all}
  dark: {holds: dice, faces: hidden, seen by: all}
  lit: {holds: dice, faces: shown, seen by: all}
"""


def faces(match: Match, zone: str, viewer: int | None) -> list[int | None]:
    """The faces that a viewer sees in a zone."""
    return [p.get("face of piece") for p in match.view(viewer)["zones"][zone]["pieces"]]


def test_only_the_owner_of_a_zone_sees_hidden_faces() -> None:
    effect = """
move 2 cube in middle to cup of x
move 1 cube in middle to dark
move 1 cube in middle to lit
roll all cube
"""
    match = do(toy(rules(DICE, go=effect), script=["6", "5", "4", "3"]), "go")
    assert [faces(match, "cup of x", v) for v in (0, 1, None)] == [[5, 6], [None] * 2, [None] * 2]
    assert [faces(match, "dark", v) for v in (0, 1, None)] == [[None]] * 3
    assert [faces(match, "lit", v) for v in (0, 1, None)] == [[3]] * 3


def test_a_die_keeps_its_face_wherever_it_goes() -> None:
    effect = "roll all cube\nmove 1 cube in middle to cup of x\nmove 1 cube in cup of x to lit"
    match = do(toy(rules(DICE, go=effect), script=["6", "5", "4", "3"]), "go")
    assert faces(match, "lit", 1) == [6]


def test_a_hidden_roll_is_told_to_its_owner_alone() -> None:
    effect = "move 1 cube in middle to cup of x\nroll all cube in cup of x"
    match = do(toy(rules(DICE, go=effect), script=["6"]), "go")
    told = {v: "\n".join(render(t)) for v in (0, 1) if (t := match.trace_for(v)) is not None}
    assert "cube 1: 6" in told[0]
    assert "→ 6" in told[0]
    assert "cube 1: 6" not in told[1]
    assert "→ 6" not in told[1]


def test_dice_whose_faces_are_hidden_are_one_option_to_others() -> None:
    text = rules(DICE, go="move 2 cube in middle to cup of x\nroll all cube in cup of x", rest="log(1)")
    text = text.replace("actions: [go, rest]", "actions: [go, rest, own, other]")
    text += "  own:\n    choose:\n      d: die in cup of actor\n    do: |\n      move d to lit\n"
    text += "  other:\n    choose:\n      d: die in cup of left of actor\n    do: |\n      move d to lit\n"
    match = do(toy(text, script=["6", "2"]), "go")
    assert [i for i in ids(match) if i.startswith("other")] == ["other d=cube"]
    do(match, "rest")
    assert [i for i in ids(match) if i.startswith("own")] == ["own d=cube#1", "own d=cube#2"]


def test_a_choice_may_not_read_a_face_that_its_chooser_does_not_see() -> None:
    text = rules(DICE, go="log(1)\nmove 2 cube in middle to cup of x")
    choice = "  pick:\n    choose:\n      d: die in cup of {} where face of die is 6\n"
    choice += "    do: |\n      move d to lit\n"
    text = text.replace("actions: [go]", "actions: [go, pick]")
    assert problems(text + choice.format("actor")) == []
    assert problems(text + choice.format("left of actor")) == ["E431"]
    assert problems((text + choice.format("actor")).replace("in cup of actor", "in dark")) == ["E431"]


def test_faces_are_for_pieces_that_have_faces() -> None:
    cards = "cards:\n  slip: {copies: 2}\nzones:\n  hand: {per: player, holds: cards, faces: hidden}\n"
    assert problems(rules(cards, go="move 1 slip in box to hand of x")) == ["E402"]


def test_a_match_with_hidden_faces_goes_on_the_same() -> None:
    text = rules(
        DICE,
        fill="move 1 cube in middle to cup of actor\nreroll all cube in cup of actor",
        open="move all cube in cup of actor to middle",
    )
    match = toy(text)
    do(match, "fill")
    same_to_the_end(match)


def test_a_die_that_was_seen_and_is_rolled_out_of_sight_does_not_show_its_new_face() -> None:
    text = DICE.replace("faces: hidden, seen by: all}\n  dark", "seen by: owner}\n  dark")
    match = do(
        toy(rules(text, go="move 1 cube in middle to cup of x\nroll all cube in cup of x"), script=["6"]),
        "go",
    )
    assert faces(match, "cup of x", 0) == [6]
    assert "face of piece" not in str(match.view(1)["zones"]["cup of x"])
    told = match.trace_for(1)
    assert told is not None
    assert "6" not in [line.split("[")[0].strip()[-1:] for line in render(told) if "cube" in line.lower()]
