"""Another position that one player cannot tell from the real one: what changes in it, and what may not."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.playtest.slots_alive import alive_at
from rulewright.playtest.under_way import pieces_under_way
from rulewright.playtest.unknown import resampled, shown
from rulewright.tests.semantics.toys import do, ids, toy, who

Luck = random.Random


@cache
def game(name: str) -> PlayableGame:
    found = load(name)
    assert isinstance(found, PlayableGame)
    return found


def played(name: str, players: int, seed: int, choices: int) -> Match:
    match = game(name).start(players, seed, trace=False)
    assert isinstance(match, Match)
    luck = Luck(seed)
    for _ in range(choices):
        if match.decision is None:
            break
        assert match.choose(luck.randrange(match.decision.count)) is None
    return match


def lying(match: Match, zone: str) -> list[str]:
    """The codes of what lies in a zone, whoever may know them."""
    s, program = match.state, match.program
    place = next(i for i, p in enumerate(program.places) if p.name == zone)
    return [match.names.namer.code_name(p) for p in s.contents.get(place, ())]


# ------------------------------------------------------------------- what changes


def test_the_card_of_another_can_be_any_that_one_does_not_know_and_each_as_often() -> None:
    match, luck = played("kuhn_poker", 2, 3, 0), Luck(1)
    mine = lying(match, "hand of player_1")
    found = Counter(lying(resampled(match, 0, luck), "hand of player_2")[0] for _ in range(400))
    assert set(found) == {"K0", "K1", "K2"} - set(mine)
    assert min(found.values()) > 150


def test_what_one_knows_stays_and_so_does_the_number_of_pieces_everywhere() -> None:
    luck = Luck(2)
    for seed in range(6):
        match = played("vye", 3, seed, 9)
        for player in range(3):
            other = resampled(match, player, luck)
            hand = f"hand of {match.program.players[player]}"
            assert lying(other, hand) == lying(match, hand)
            before, after = match.state.contents, other.state.contents
            assert {k: len(v) for k, v in before.items() if v} == {k: len(v) for k, v in after.items() if v}
            assert sorted(p for v in after.values() for p in v) == list(range(len(match.program.pieces)))
            assert all(
                p in after[place] for p, place in enumerate(other.state.place_of[: len(other.state.known)])
            )


def test_to_an_onlooker_every_hand_is_unknown() -> None:
    match, luck = played("kuhn_poker", 2, 3, 0), Luck(3)
    others = [resampled(match, None, luck) for _ in range(200)]
    assert len({tuple(lying(m, f"hand of player_{n}")[0] for n in (1, 2)) for m in others}) == 6


def test_what_always_holds_is_not_broken() -> None:
    """This game says that one card waits in the deck, so it comes into no hand."""
    match, luck, where = played("vye", 3, 0, 4), Luck(4), set()
    for _ in range(40):
        other = resampled(match, 1, luck)
        assert other.broken_invariants() == []
        where.add(lying(other, "deck").index("em"))
    assert len(where) > 5


def test_nothing_is_changed_in_the_match_itself_and_one_luck_gives_one_position() -> None:
    match = played("vye", 2, 5, 7)
    before = json.dumps(match.save(), default=str)
    one, two = resampled(match, 0, Luck(9)), resampled(match, 0, Luck(9))
    assert one.state.as_json() == two.state.as_json() != resampled(match, 0, Luck(10)).state.as_json()
    assert json.dumps(match.save(), default=str) == before and one.choices == ()


def test_chance_goes_on_otherwise() -> None:
    match = played("pig", 2, 1, 0)
    stories = set()
    for n in range(20):
        other = resampled(match, 0, Luck(n))
        for _ in range(6):
            assert other.choose(0) is None
        stories.add(json.dumps(other.view(0)))
    assert len(stories) > 5


def test_a_game_that_is_over_is_copied() -> None:
    match = played("kuhn_poker", 2, 3, 100)
    assert match.over and shown(resampled(match, 0, Luck(1)), 0) == shown(match, 0)


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 3), ("goofspiel", 3), ("vyr", 2), ("vye", 3)])
def test_every_such_position_can_be_played_to_the_end(name: str, players: int) -> None:
    luck = Luck(6)
    for seed in range(4):
        match = played(name, players, seed, 2 + seed * 3)
        other = resampled(match, seed % players, luck)
        while other.decision is not None:
            assert other.choose(luck.randrange(other.decision.count)) is None
        assert other.fault is None and other.result.end


# ------------------------------------------------------------ secret choices, state


def test_what_others_have_chosen_in_secret_is_another_thing_and_the_own_choice_stays() -> None:
    match, luck = played("goofspiel", 3, 1, 2), Luck(7)  # two have bid, the third is asked
    assert match.state.ask is not None and match.state.ask.player == 2
    slot, codes = match.state.ask.slot, match.names.namer.code_name
    real = match.state.frames[-1][2][slot]
    answers = [resampled(match, 0, luck).state.frames[-1][2][slot] for _ in range(60)]
    assert {a[0] for a in answers} == {real[0]}
    others = {codes(a[1]) for a in answers}
    assert len(others) > 8 and others <= set(lying(match, "hand of player_2"))


SECRETS = """
types:
  mood: [glad, sad, calm]
  rank: 1 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
  trap: {copies: one per rank, code: "T{rank}", starts in: traps}
dice:
  d: {count: 2, faces: mood, starts in: cup}
zones:
  deck: {holds: c, as: pile, seen by: nobody}
  traps: {holds: trap, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
  cup: {holds: dice, faces: hidden, seen by: all}
state:
  plan: {per: player, is: number 2 to 5, start: 2, seen by: owner}
  feeling: {per: player, is: mood or none, start: glad, seen by: owner}
  liked: {per: player, is: set of mood, seen by: owner}
  marked: {per: player, is: c or none, seen by: owner}
  points: {per: player, is: number 0 to 9, start: 7}
setup:
  do: |
    deal 2 from deck to hand of each player
    deal 2 from traps to hand of each player
    for each player p:
        set marked of p to first c in hand of p
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [wait, roll_them]
actions:
  wait:
    do: |
      add 1 to points of actor
  roll_them:
    do: |
      roll all d in cup
ends:
  over:
    winner: nobody
"""


def values(match: Match, name: str) -> list[Any]:
    """The cells of a state, whoever may see them."""
    number = next(i for i, v in enumerate(match.program.variables) if v.name == name)
    offset = match.state.code.layout.offsets[number]
    return match.state.vars[offset : offset + match.program.variables[number].cells]


def test_hidden_state_is_drawn_anew_within_its_bounds() -> None:
    match, luck = toy(SECRETS), Luck(8)
    others = [resampled(match, 0, luck) for _ in range(80)]
    assert {values(m, "plan")[0] for m in others} == {2}
    assert {values(m, "plan")[1] for m in others} == {2, 3, 4, 5}
    assert {values(m, "feeling")[1] for m in others} == {-1, 0, 1, 2}
    assert len({values(m, "liked")[1] for m in others}) == 8
    assert all(values(m, "points") == [7, 7] for m in others)


def test_a_hidden_face_is_another_one_and_the_number_of_dice_stays() -> None:
    match, luck = do(toy(SECRETS), "roll_them"), Luck(8)
    faces = {tuple(values(resampled(match, 0, luck), "face of piece")) for _ in range(120)}
    assert len(faces) == 9


def test_a_value_that_names_a_hidden_card_names_the_one_that_is_there_now() -> None:
    match, luck = toy(SECRETS), Luck(8)
    marked = set()
    for _ in range(40):
        other = resampled(match, 0, luck)
        mine, theirs = (match.names.namer.code_name(p) for p in values(other, "marked"))
        assert mine == match.names.namer.code_name(values(match, "marked")[0])
        assert theirs in lying(other, "hand of o")
        marked.add(theirs)
    assert len(marked) == 4


def test_only_what_may_lie_in_a_zone_comes_there() -> None:
    match, luck = toy(SECRETS), Luck(9)
    hands = set()
    for _ in range(60):
        other = resampled(match, 0, luck)
        assert all(c[0] == "C" for c in lying(other, "deck")) and all(
            t[0] == "T" for t in lying(other, "traps")
        )
        hands.add(tuple(sorted(lying(other, "hand of o"))))
    assert len(hands) > 20 and all([code[0] for code in hand] == ["C", "C", "T", "T"] for hand in hands)


# --------------------------------------------------------------- effects under way

UNDER_WAY = """
types:
  rank: 1 to 8
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: c, as: pile, seen by: nobody}
  hand: {per: player, holds: c, seen by: owner}
  aside: {holds: c, seen by: nobody}
state:
  answer: {is: yes or no}
setup:
  do: |
    deal 3 from deck to hand of each player
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [take]
actions:
  take:
    do: |
      let taken be top of deck
      for each c stolen in hand of o where rank of stolen is 5:
          x chooses answer from [yes, no]
          move stolen to aside
      x chooses answer from [yes, no]
      move taken to aside
      x chooses answer from [yes, no]
ends:
  over:
    winner: nobody
"""


def under_way(match: Match) -> list[str]:
    return sorted(match.names.namer.code_name(p) for p in pieces_under_way(match))


def test_what_an_effect_still_refers_to_stays_where_it_is() -> None:
    match = do(toy(UNDER_WAY), "take")
    hand, luck = lying(match, "hand of o"), Luck(1)
    assert "C5" in hand and under_way(match) == ["C2", "C5"]
    others = [lying(resampled(match, 0, luck), "hand of o") for _ in range(30)]
    assert all(o[hand.index("C5")] == "C5" for o in others) and len({tuple(o) for o in others}) > 1


def test_what_it_has_done_with_is_free_again() -> None:
    match = do(toy(UNDER_WAY), "take", "yes")
    assert under_way(match) == ["C2"]
    assert under_way(do(match, "yes")) == []


def test_a_slot_is_alive_until_it_is_read_for_the_last_time() -> None:
    match = toy(UNDER_WAY)
    code, program = match.state.code, match.program
    number = next(i for i, f in enumerate(program.functions) if f.name == "action take")
    names = program.functions[number].slot_names
    slot = names.index("taken")
    ops = code.flat(number)[0]
    moves = [pc for pc, op in enumerate(ops) if isinstance(op.node, ir.MovePieces)]
    assert [slot in alive_at(code, number, pc) for pc in (0, moves[0], moves[1], moves[1] + 1)] == [
        False, True, True, False,
    ]  # fmt: skip


# ----------------------------------------------------------------------- shown


def test_what_is_shown_is_the_question_too_to_the_one_who_is_asked() -> None:
    match = played("kuhn_poker", 2, 3, 0)
    assert who(match) == "player_1"
    assert all(
        f'"id": "{name}"' in shown(match, 0) and f'"id": "{name}"' not in shown(match, 1)
        for name in ids(match)
    )
