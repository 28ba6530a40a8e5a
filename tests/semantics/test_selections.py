"""What each word that stands over a selection means (LANGUAGE: one form everywhere)."""

from __future__ import annotations

from rulewright.tests.semantics.toys import problems, state, toy, true_of

CARDS = """
types:
  suit: [red, blue, green]
  rank: 1 to 4
cards:
  slip: {copies: one per rank and suit, code: "{initial of suit}{rank}", starts in: deck}
  picture: {kinds: [lamp, tree], copies: 2, starts in: album}
zones:
  deck: {holds: slip, as: pile, seen by: all}
  hand: {per: player, holds: slip, seen by: all}
  album: {holds: picture, seen by: all}
  nothing: {holds: slip, seen by: all}
tokens:
  coin: {per: player, supply: 5}
boards:
  grid: {shape: square grid, size: 4 x 3}
state:
  friend: {per: player, is: player or none, start: none}
  low: {is: number -5 to 5, start: -1}
setup:
  do: |
    move all slip in deck where suit of slip is red to hand of x
    move all slip in deck where suit of slip is blue and rank of slip < 3 to hand of o
    place coin of x on a1
    place coin of x on b1
    place coin of o on c1
    place 2 coin of o on b2
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then never
      actions: [wait]
actions:
  wait:
    do: |
      end turn
ends:
  never:
    winner: nobody
"""


def test_words_that_test() -> None:
    true_of(
        CARDS,
        {
            "any slip in hand of x where rank of slip is 4": True,
            "any slip in hand of o where rank of slip is 4": False,
            "any slip in nothing": False,
            "no slip in hand of o where rank of slip is 4": True,
            "no slip in nothing": True,
            "no slip in hand of x": False,
            "at least 4 slip in hand of x": True,
            "at least 5 slip in hand of x": False,
            "exactly 4 slip in hand of x": True,
            "exactly 3 slip in hand of x": False,
            "fewer than 5 slip in hand of x": True,
            "fewer than 4 slip in hand of x": False,
            "every slip in hand of x has suit of slip is red": True,
            "every slip in nothing has suit of slip is red": True,
            "every player has exactly 4 slip in hand of player": False,
            "every suit is in [red, blue]": False,
            "every suit is not green": False,
            "every slip s in hand of x is s": True,
            "every rank r is in [1, 2, 3, 4]": True,
        },
    )


def test_words_that_count_and_compare_give_0_for_nothing() -> None:
    true_of(
        CARDS,
        {
            "(count of slip in hand of x) is 4": True,
            "(count of slip in nothing) is 0": True,
            "(sum of rank of slip for slip in hand of x) is 10": True,
            "(sum of rank of slip for slip in nothing) is 0": True,
            "(largest rank of slip for slip in hand of o) is 2": True,
            "(smallest rank of slip for slip in hand of o) is 1": True,
            "(largest rank of slip for slip in nothing) is 0": True,
            "(smallest rank of slip for slip in nothing) is 0": True,
            "(smallest rank of s for slip s in hand of x where rank of s > 2) is 3": True,
            "(count of number n in [1 to 5] where n mod 2 is 0) is 2": True,
            "(sum of n for number n in [1 to 5]) is 15": True,
        },
    )


def test_words_that_name() -> None:
    true_of(
        CARDS,
        {
            "all slip in hand of x is all slip where suit of slip is red": True,
            "suit of (the slip in hand of x where rank of slip is 2) is red": True,
            "first slip in hand of x is not none": True,
            "first slip in nothing is none": True,
            "top of deck is in deck": True,
            "top of deck is not bottom of deck": True,
            "size of (all slip in hand of x) is 4": True,
        },
    )


def test_with_largest_keeps_all_that_are_equal() -> None:
    true_of(
        CARDS,
        {
            "size of (all slip in (hand of x or hand of o) with smallest rank of slip) is 2": True,
            "size of (all slip in (hand of x or hand of o) with largest rank of slip) is 1": True,
            "rank of (the slip in hand of x with largest rank of slip) is 4": True,
            "no slip in nothing with largest rank of slip": True,
            "suit of (the slip with largest rank of slip with largest suit of slip) is green": True,
            "size of (all player with largest count of slip in hand of player) is 1": True,
        },
    )


def test_the_words_of_a_type_are_ordered_as_they_are_listed() -> None:
    true_of(
        CARDS,
        {
            "(largest suit of slip for slip) is green": True,
            "(smallest suit of slip for slip in hand of o) is blue": True,
        },
    )


def test_the_means_exactly_one_and_says_so_when_there_are_more() -> None:
    match = toy(
        CARDS.replace(
            "      end turn", "      move (the slip in hand of actor where rank of slip > 2) to deck"
        )
    )
    refused = match.choose("wait")
    assert refused is not None and "exactly one, and there are 2" in str(refused)
    assert match.choose("wait") is not None  # and the match can still be asked


def test_of_any_is_the_union_and_of_each_once_for_each() -> None:
    true_of(
        CARDS,
        {
            "(count of slip in hand of any player) is 6": True,
            "(count of slip in hand of each player) is 6": True,
            "(count of coin of any player on grid) is 5": True,
            "(count of coin of each player on a1) is 1": True,
            "(count of coin of (all player) on grid) is 5": True,
            "(count of coin in supply of any player) is 5": True,
            "(count of coin of opponent of x on grid) is 3": True,
        },
    )


def test_a_property_of_a_set_is_the_union_of_its_values() -> None:
    true_of(
        CARDS,
        {
            "size of (suit of (all slip in hand of x)) is 1": True,
            "size of (rank of (all slip)) is 4": True,
            "rank of (all slip in hand of o) is [1, 2]": True,
            "size of (hand of (all player)) is 6": True,
            "size of (hand of (all player where player is o)) is 2": True,
        },
    )


def test_in_and_on() -> None:
    true_of(
        CARDS,
        {
            "(count of coin on a1) is 1": True,
            "(count of coin on grid) is 5": True,
            "(count of coin of x on grid) is 2": True,
            "(count of coin on [a1, b2]) is 3": True,
            "(count of coin in supply of x) is 3": True,
            "(count of space on grid where space is empty) is 8": True,
            "any line l of 3 on grid where every space s on l has any coin on s": True,
            "any line of 3 on grid where every space on line has any coin of x on space": False,
            "(count of slip in (hand of x or hand of o)) is 6": True,
            "(count of coin on (all space s on grid where row_number of s is 1)) is 3": True,
        },
    )


def test_like() -> None:
    true_of(
        CARDS,
        {
            "(count of coin on b2 like (the coin on c1)) is 2": True,
            "(count of coin on grid like (the coin on c1)) is 3": True,
            "any coin on b2 like (the coin on a1)": False,
            "(count of slip like (the slip in hand of x where rank of slip is 2)) is 1": True,
        },
    )


def test_where_belongs_to_the_nearest_selection_and_takes_all_that_follows() -> None:
    true_of(
        CARDS,
        {
            "any rank r where no slip s in hand of any player where rank of s is r": False,
            "(count of suit s where any slip c in hand of any player where suit of c is s) is 2": True,
            "any player p where any slip in hand of p where suit of slip is blue and rank of slip is 2": True,
            "any player p where (any slip in hand of p where suit of slip is blue) and p is x": False,
            "no slip in hand of x where suit of slip is blue and rank of slip > 3 or rank of slip > 3": False,
        },
    )


def test_kinds_and_the_kinds_under_them() -> None:
    true_of(
        CARDS,
        {
            "(count of picture) is 4": True,
            "(count of lamp) is 2": True,
            "(count of lamp in album) is 2": True,
            "any picture in album where picture is tree": True,
            "every lamp in album is picture": True,
            "(count of picture_kind k where any picture p where kind of p is k) is 2": True,
        },
    )


def test_sets_hold_numbers_below_zero() -> None:
    true_of(
        CARDS,
        {
            "low is in [-1, 0, 1]": True,
            "low is in [-2 to 0]": True,
            "low is in [0, 1]": False,
            "size of [-1, 0, 1] is 3": True,
        },
    )


def test_arithmetic_and_what_binds_tighter() -> None:
    true_of(
        CARDS,
        {
            "2 + 3 * 4 is 14": True,
            "7 / 2 rounded down is 3 and 7 / 2 rounded up is 4": True,
            "(0 - 7) / 2 rounded down is 0 - 4": True,
            "(0 - 7) / 2 rounded up is 0 - 3": True,
            "-7 mod 3 is 2": True,
            "yes or no and no": True,
            "not no and yes": True,
            "if low is -1 then yes else no": True,
            "[1, 2] is [2, 1]": True,
            "size of ([1, 2] or [2, 3]) is 3": True,
        },
    )


def test_a_value_that_may_be_none_is_tested_before_it_is_read() -> None:
    true_of(
        CARDS,
        {
            "friend of x is none": True,
            "friend of x is not none and friend of friend of x is x": False,
            "any player p where friend of p is not none": False,
        },
    )
    assert "E413" in problems(CARDS + "always:\n  a: friend of friend of x is x\n")


def test_two_nested_selections_of_one_kind_need_names() -> None:
    assert "E427" in problems(CARDS + "always:\n  a: any slip in deck where any slip in nothing\n")


def test_a_set_of_a_board_and_a_zone_shows_tops_of_stacks_and_all_of_the_zone() -> None:
    match = toy("""
    cards:
      c: {copies: 5, code: C}
    zones:
      hand: {per: player, holds: cards, seen by: all}
    boards:
      table: {shape: square grid, size: 2 x 1, stacks: covers}
    setup:
      do: |
        move 1 c in box to a1
        move 1 c in box to a1
        move all c in box to hand of x
    state:
      seen: {is: number 0 to 9}
    flow:
      - play:
          do: |
            set seen to count of card in (table or hand of x)
            end game as over
    ends:
      over: {winner: nobody}
    """)
    assert state(match, "seen") == 4
