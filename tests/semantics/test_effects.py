"""Each instruction does what it says, as much of it as is possible, and to what stood there when it began."""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, ids, log, pieces, problems, state, toy, who, whole

CARDS = """
types:
  rank: 1 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: all}
  shelf: {holds: cards, as: row, seen by: all}
  hand: {per: player, holds: cards, seen by: all}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      end turn
ends:
  over:
    winner: nobody
setup:
  do: |
"""


def zones(effect: str) -> dict[str, list[str]]:
    """What lies where after an effect; the deck has C1 (bottom) to C6 (top)."""
    match = toy(CARDS + "".join(f"    {line}\n" for line in effect.strip("\n").split("\n")))
    assert match.fault is None, match.fault
    return {
        z: pieces(match, z) for z in ("deck", "shelf", "hand of x", "hand of o", "box") if z in _names(match)
    }


def _names(match):  # type: ignore[no-untyped-def]
    return match.view(None)["zones"]


def test_deal_goes_round_and_stops_when_nothing_is_left() -> None:
    assert zones("deal 2 from deck to hand of each player")["hand of x"] == ["C4", "C6"]
    found = zones("deal 4 from deck to hand of each player")
    assert (found["hand of x"], found["hand of o"], found["deck"]) == (
        ["C2", "C4", "C6"],
        ["C1", "C3", "C5"],
        [],
    )
    assert zones("deal 2 from deck to hand of (all player where player is o)")["hand of o"] == ["C5", "C6"]


def test_deal_from_the_bottom_and_to_the_bottom() -> None:
    assert zones("deal 2 from bottom of deck to shelf")["shelf"] == ["C1", "C2"]
    assert zones("deal 3 from deck to shelf")["shelf"] == ["C6", "C5", "C4"]
    assert zones("deal 2 from deck to shelf\ndeal 1 from bottom of deck to shelf")["deck"] == [
        "C2",
        "C3",
        "C4",
    ]
    assert zones(
        "deal 9 from deck to shelf\nmove all c in shelf to deck\ndeal 2 from deck to bottom of deck"
    )["deck"] == ["C2", "C1", "C6", "C5", "C4", "C3"]


def test_move_to_the_ends_of_a_pile() -> None:
    assert zones("move top of deck to bottom of deck")["deck"][0] == "C6"
    assert zones("move bottom of deck to top of deck")["deck"][-1] == "C1"
    assert zones("move 2 c in deck to shelf")["shelf"] == ["C1", "C2"]
    assert zones("move 9 c in deck to shelf")["deck"] == []


def test_nothing_goes_to_several_zones_at_once() -> None:
    wrong = CARDS + "    move top of deck to hand of each player\n"
    assert "E423" in problems(wrong) or _refused(wrong) == "E423"


def _refused(rules: str) -> str:
    try:
        toy(rules)
    except AssertionError as error:
        return str(error).split()[0]
    return ""


def test_an_effect_on_nothing_does_nothing() -> None:
    found = zones(
        "deal 6 from deck to shelf\nmove top of deck to hand of x\nreturn top of deck\nremove top of deck"
    )
    assert found["shelf"] == ["C6", "C5", "C4", "C3", "C2", "C1"]


def test_remove_and_return_of_cards_go_to_the_box() -> None:
    assert zones("deal 1 from deck to shelf\nremove all c in shelf")["box"] == ["C6"]
    assert zones("deal 1 from deck to shelf\nreturn all c in shelf")["box"] == ["C6"]


def test_swap_of_zones() -> None:
    found = zones("deal 2 from deck to shelf\ndeal 1 from deck to hand of x\nswap hand of x with shelf")
    assert (found["shelf"], found["hand of x"]) == (["C4"], ["C5", "C6"])


def test_for_each_fixes_its_set_first() -> None:
    found = zones("""
for each c in deck where rank of c > 3:
    if rank of c is 4:
        move all c d in deck where rank of d is 5 to hand of x
    move c to shelf
""")
    assert (found["shelf"], found["hand of x"]) == (["C4", "C5", "C6"], [])


def test_repeat_while_is_read_before_each_time() -> None:
    found = zones(
        "repeat up to 3 times while any c in deck where rank of c > 4:\n    move top of deck to shelf"
    )
    assert found["shelf"] == ["C6", "C5"]
    assert zones("repeat up to 2 times:\n    move top of deck to shelf")["shelf"] == ["C6", "C5"]
    assert zones("repeat up to 0 times:\n    move top of deck to shelf")["shelf"] == []


def test_the_first_branch_that_holds_is_done() -> None:
    effect = """
if any c in shelf:
    move top of deck to hand of x
else if any c in deck where rank of c is 6:
    move top of deck to shelf
else if any c in deck:
    move top of deck to hand of x
else:
    move top of deck to hand of o
"""
    assert zones(effect)["shelf"] == ["C6"]


def test_let_keeps_the_value_it_had_and_ends_with_its_block() -> None:
    assert zones("let n be count of c in deck\ndeal 2 from deck to shelf\ndeal n - 5 from deck to hand of x")[
        "hand of x"
    ] == ["C4"]
    wrong = "    if any c in deck:\n        let n be 1\n    deal n from deck to shelf\n"
    assert "E401" in problems(CARDS + wrong)


NUMBERS = """
state:
  coins: {per: player, is: number 0 to 20, start: 1}
  n: {is: number 0 to 5, start: 3}
  stop: {is: number 0 to 5, start: 3, ends: stop}
  wrap: {is: number 1 to 6, start: 6, ends: wrap}
  friends: {is: set of player}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [more, equal, all_add, rich_pay, too_much, over_end, round_end, befriend, unfriend]
actions:
  more:
    do: |
      add 2 to coins of x
  equal:
    do: |
      set coins of each player to (largest coins of player for player) + 1
  all_add:
    do: |
      add coins of x to coins of each player
  rich_pay:
    do: |
      take 1 from coins of (all player where coins of player > 2)
  too_much:
    do: |
      add 1 to stop
      add 9 to n
  over_end:
    do: |
      add 9 to stop
  round_end:
    do: |
      add 2 to wrap
  befriend:
    do: |
      add x to friends
      add o to friends
  unfriend:
    do: |
      take x from friends
ends:
  over:
    winner: nobody
"""


def test_a_value_for_several_owners_is_read_once() -> None:
    match = do(toy(NUMBERS), "more", "equal")
    assert state(match, "coins") == {"x": 4, "o": 4}
    match = do(toy(NUMBERS), "more", "all_add")
    assert state(match, "coins") == {"x": 6, "o": 4}


def test_add_and_take_with_a_set_of_owners() -> None:
    assert state(do(toy(NUMBERS), "more", "rich_pay"), "coins") == {"x": 2, "o": 1}


def test_what_a_number_does_at_its_ends() -> None:
    match = do(toy(NUMBERS), "over_end", "round_end")
    assert (state(match, "stop"), state(match, "wrap")) == (5, 2)


def test_out_of_range_is_an_error_that_names_rule_and_line_and_changes_nothing() -> None:
    match = toy(NUMBERS)
    before = match.state_hash()
    refused = match.choose("too_much")
    assert refused is not None
    assert "12 does not fit; `n` goes from 0 to 5." in str(refused)
    assert "action too_much" in str(refused) and "toy.yaml:31" in str(refused)
    assert (match.state_hash(), state(match, "stop"), who(match)) == (before, 3, "x")
    do(match, "more")  # and the match goes on


def test_sets_of_state_grow_and_shrink() -> None:
    match = do(toy(NUMBERS), "befriend")
    assert state(match, "friends") == ["o", "x"]
    assert state(do(match, "unfriend"), "friends") == ["o"]


TOKENS = """
tokens:
  disc: {per: player, supply: 4}
  stone: {supply: 6}
cards:
  tile: {copies: 4, code: T, starts in: bag}
zones:
  bag: {holds: cards, as: pile, seen by: all}
boards:
  grid: {shape: square grid, size: 2 x 1}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      end turn
ends:
  over:
    winner: nobody
setup:
  do: |
"""


def board(effect: str) -> list[tuple[list[str], list[str]]]:
    """For each space the pieces on it, and what lies on the top one."""
    match = toy(TOKENS + "".join(f"    {line}\n" for line in effect.strip("\n").split("\n")))
    assert match.fault is None, match.fault
    found = []
    for cell in match.view(None)["boards"]["grid"]["rows"][0]:
        all_here = [] if cell is None else [*cell.get("under", []), cell["top"]]
        on = [] if cell is None else [_name(p) for p in cell["top"].get("on", [])]
        found.append((sorted(_name(p) for p in all_here), on))
    return found


def _name(piece: dict[str, str]) -> str:
    return piece["owner"] or piece["code"]


def test_place_takes_from_the_supply_as_many_as_there_are() -> None:
    assert board("place 3 disc of x on a1")[0][0] == ["x", "x", "x"]
    assert board("place 9 stone on b1")[1][0] == ["stone"] * 6
    assert board("place disc of each player on a1")[0][0] == ["o", "x"]
    assert board("place 2 disc of any player on a1")[0][0] == ["o", "o", "x", "x"]
    assert board("place disc of (all player where player is o) on b1")[1][0] == ["o"]


def test_where_several_are_placed_is_read_once() -> None:
    assert board(
        "place 2 stone on (the space s on grid where (s is empty) with smallest column_number of s)"
    ) == [
        (["stone", "stone"], []),
        ([], []),
    ]


def test_return_goes_to_the_supply_of_the_owner() -> None:
    assert board("place 4 disc of x on a1\nreturn 1 disc on a1\nplace 4 disc of x on b1") == [
        (["x", "x", "x"], []),
        (["x"], []),
    ]
    assert board("place 4 disc of x on a1\nremove 1 disc on a1\nplace 4 disc of x on b1")[1][0] == []


def test_what_lies_on_a_piece_travels_along() -> None:
    laid = "move top of bag to a1\nplace 2 stone on (the tile on a1)\n"
    assert board(laid + "move (the tile on a1) to b1") == [([], []), (["T"], ["stone", "stone"])]
    assert board(laid + "move top of bag to b1\nswap (the tile on a1) with (the tile on b1)") == [
        (["T"], []),
        (["T"], ["stone", "stone"]),
    ]
    assert board(laid + "return all stone on (the tile on a1)") == [(["T"], []), ([], [])]


DICE = """
dice:
  die: {count: 2, faces: 1 to 6, starts in: tray}
cards:
  flip: {copies: 1, code: F, starts in: book}
zones:
  tray: {holds: dice, seen by: all}
  book: {holds: cards, seen by: all}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [throw, again, turn_up]
actions:
  throw:
    do: |
      roll all die in tray
      log(sum of face of die for die in tray)
  again:
    do: |
      reroll all die in tray where face of die is 3
      log(sum of face of die for die in tray)
  turn_up:
    do: |
      turn all die in tray to 6
      log(sum of face of die for die in tray)
events:
  log(number k):
    do: |
      move all flip in book to book
ends:
  over:
    winner: nobody
"""


def test_dice_are_rolled_each_with_its_own_luck_and_can_be_turned() -> None:
    match = do(toy(DICE, script=["3", "5", "1"]), "throw", "again", "turn_up")
    assert log(match) == [8, 6, 12]
    assert ids(match) == ["throw", "again", "turn_up"]


TWO_KINDS = """
cards:
  flip: {copies: 1, code: F, faces: [front, back], starts in: book}
dice:
  number_die: {count: 1, faces: 1 to 6, starts in: tray}
  word_die: {count: 1, faces: [sun, rain], starts in: tray}
zones:
  tray: {holds: dice, seen by: all}
  book: {holds: cards, seen by: all}
state:
  n: {is: number 0 to 9}
flow:
  - play:
      turns: clockwise from x
      at most: 2 rounds, then over
      actions: [throw]
actions:
  throw:
    do: |
      roll all number_die in tray
      roll all word_die in tray
      set n to face of (the number_die in tray)
      if face of (the word_die in tray) is rain:
          turn all flip in book to back
ends:
  over:
    winner: nobody
always:
  together: >
    (face of (the word_die in tray) is rain and face of (the flip in book) is back)
    or (face of (the word_die in tray) is sun and face of (the flip in book) is front)
"""


def test_dice_and_cards_with_faces_of_their_own() -> None:
    match = do(toy(TWO_KINDS, script=["5", "rain", "2", "sun"]), "throw")
    assert (state(match, "n"), match.broken_invariants()) == (5, [])


def test_end_repeat_goes_on_behind_the_repeat_alone() -> None:
    effect = """
repeat up to 2 times:
    repeat up to 3 times:
        move top of deck to shelf
        if size of shelf > 1:
            end repeat
        move top of deck to hand of x
    move top of deck to hand of o
"""
    found = zones(effect)
    assert (found["shelf"], found["hand of x"], found["hand of o"]) == (
        ["C6", "C4", "C2"],
        ["C5"],
        ["C1", "C3"],
    )


def test_a_face_on_two_sides_comes_twice_as_often(tmp_path: Path) -> None:
    (tmp_path / "sides.csv").write_text("1,2,3\nsun,sun,rain\n", encoding="utf-8")
    (tmp_path / "game.yaml").write_text(
        whole(
            """
            types:
              sky: [sun, rain, fog]
            dice:
              d: {count: 1, faces: sky, sides: sides.csv, starts in: cup}
            zones:
              cup: {holds: dice, seen by: all}
            state:
              suns: {is: number 0 to 999}
              fogs: {is: number 0 to 999}
            flow:
              - play:
                  do: |
                    repeat up to 600 times:
                        roll all d
                        add count of d in cup where face of d is sun to suns
                        add count of d in cup where face of d is fog to fogs
                    end game as over
            ends:
              over: {winner: nobody}
            """,
            "[x, o]",
        ),
        encoding="utf-8",
    )
    game = load(str(tmp_path))
    assert isinstance(game, PlayableGame)
    match = game.start(seed=1)
    assert isinstance(match, Match)
    assert state(match, "fogs") == 0 and 350 < state(match, "suns") < 450
