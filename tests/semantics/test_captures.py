"""Captures of one moment, and chains of them: verdicts on the untouched position, who loses what, where a
chain stops, and in what order the rules around it are carried out.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, log, same_to_the_end, story, toy, true_of

# A row or a grid of tiles; a tile with two stones of one owner is strong: it loses one instead of changing
# hands. `strike` at once, `raid` one after the other, `chain` along tiles of one colour.
GAME = """
types:
  colour: [red, green]
cards:
  tile: {copies: 9 per colour, attributes: {colour: colour}, code: "{colour}"}
tokens:
  stone: {per: player, supply: 20}
boards:
  grid: {shape: square grid, size: 5 x 3, stacks: covers}
define:
  strong(card c): at least 2 stone of x on c or at least 2 stone of o on c
  held(card c, player p): any stone of p on c
state:
  n: {is: number 0 to 99}
setup:
  do: |
SETUP
flow:
  - play:
      turns: clockwise from x
      at most: 3 rounds, then over
      actions: [go, wait]
actions:
  go:
    do: |
GO
  wait:
    do: |
      add 0 to n
events:
  log(number k):
    do: |
      add 0 to n
  strike(card c):
    do: |
      take_over(c)
  take_over(card c):
    do: |
      log(column_number of c)
      return all stone on c
      place stone of actor on c
rules:
  own_ones_are_not_struck:
    forbid: strike
    when: held(c, actor)
    because: That is yours.
  strong_ones_lose_a_stone:
    instead of: strike
    when: strong(c)
    do: |
      log(10 + column_number of c)
      return 1 stone on c
RULES
ends:
  over:
    winner: nobody
"""
TILE = "move first tile in box where colour of tile is {} to {}"


def board(*tiles: str) -> str:
    """The set-up that lays tiles out, each as in `a1 red` or `a1 red o2`: two stones of o."""
    lines = []
    for tile in tiles:
        place, colour, *stones = tile.split()
        lines.append(TILE.format(colour, place))
        lines += [f"place {s[1:]} stone of {s[0]} on (the card on {place})" for s in stones]
    return indented("\n".join(lines))


def indented(lines: str) -> str:
    return "\n".join(f"      {line}" for line in lines.split("\n"))


def game(setup: str, effect: str, rules: str = "") -> Match:
    text = GAME.replace("SETUP", setup).replace("GO", indented(effect)).replace("RULES", rules)
    return do(toy(text), "go")


def stones(match: Match, *places: str) -> list[str]:
    """Whose stones lie on each of these tiles, as in `o2`; "" for none."""
    found = []
    rows = match.view(None)["boards"]["grid"]["rows"]
    for place in places:
        cell = rows[int(place[1:]) - 1]["abcde".index(place[0])]
        owners = [p["owner"] for p in cell["top"].get("on", ())]
        found.append(f"{owners[0]}{len(owners)}" if owners else "")
    return found


ROW = board("a1 red o1", "b1 red o2", "c1 green x1", "d1 red", "e1 red o3")


def test_each_of_several_gets_the_verdict_of_the_position_before_them_all() -> None:
    match = game(ROW, "at once for each card c on grid:\n    strike(c)")
    assert stones(match, "a1", "b1", "c1", "d1", "e1") == ["x1", "o1", "x1", "x1", "o2"]
    assert "That is yours." in story(match)


def test_what_is_struck_twice_at_once_loses_two_but_is_not_taken() -> None:
    """Both verdicts were given while it was strong."""
    twice = "at once for each number k in [1, 2]:\n    for each card c on grid:\n        strike(c)"
    assert stones(game(ROW, twice), "b1", "e1") == ["", "o1"]


def test_what_is_struck_twice_one_after_the_other_may_be_taken_the_second_time() -> None:
    twice = "for each number k in [1, 2]:\n    for each card c on grid:\n        strike(c)"
    assert stones(game(ROW, twice), "a1", "b1", "e1") == ["x1", "x1", "o1"]


def test_reached_by_two_sets_it_is_struck_once() -> None:
    union = "at once for each card c in (all card on grid or (all card d in adjacent of a1)):\n    strike(c)"
    assert stones(game(ROW, union), "b1", "e1") == ["o1", "o2"]


LISTENING = """
  before_it:
    before: strike
    do: |
      log(20 + column_number of c)
  after_it:
    after: strike
    do: |
      log(30 + column_number of c)
  when_it_changes_hands:
    after: take_over
    do: |
      log(40 + column_number of c)
"""


def test_before_of_all_then_all_with_what_they_cause_then_after_of_all() -> None:
    match = game(
        board("a1 red o1", "b1 red o2", "c1 red"),
        "at once for each card c on grid:\n    strike(c)\nlog(99)",
        LISTENING,
    )
    # The events that defaults cause have their own rules at their own time (41 right after 1).
    assert log(match) == [21, 23, 1, 41, 12, 3, 43, 31, 33, 99]


def test_one_by_one_each_is_complete_before_the_next() -> None:
    match = game(
        board("a1 red o1", "b1 red o2", "c1 red"),
        "for each card c on grid:\n    strike(c)\nlog(99)",
        LISTENING,
    )
    assert log(match) == [21, 1, 41, 31, 12, 23, 3, 43, 33, 99]


def test_what_a_default_causes_gets_its_verdict_then() -> None:
    rules = """
  only_three_may_be_held:
    forbid: take_over
    when: (count of card d on grid where held(d, actor)) >= 3
    because: You hold enough.
"""
    row = board("a1 red", "b1 red", "c1 red", "d1 red", "e1 red x1")
    match = game(row, "at once for each card c on grid:\n    strike(c)", rules)
    assert stones(match, "a1", "b1", "c1", "d1", "e1") == ["x1", "x1", "", "", "x1"]


def test_a_set_that_is_named_is_read_before_anything_happens() -> None:
    effect = "at once for each card c on grid where no stone on c:\n    strike(c)"
    rules = """
  a_neighbour_is_freed:
    before: strike
    do: |
      for each card d in adjacent of c:
          return all stone on d
"""
    row = board("a1 red o1", "b1 red", "c1 red o1", "d1 red o1")
    assert stones(game(row, effect, rules), "a1", "b1", "c1", "d1") == ["", "x1", "", "o1"]


CHAIN = (
    "at once for each card c linked to (the card on a1) stopping at (strong(c) and not held(c, actor))"
    " where colour of c is colour of (the card on a1):\n    strike(c)"
)


@pytest.mark.parametrize(
    ("tiles", "places", "expected"),
    [
        # As far as it goes, through the own ones and those of nobody; not over another colour.
        (["a1 red", "b1 red x1", "c1 red", "d1 red o1", "e1 green o1"], "b1 c1 d1 e1", "x1 x1 x1 o1"),
        # A strong one loses a stone and stops it, however far from the start.
        (["a1 red", "b1 red o1", "c1 red o2", "d1 red o1"], "b1 c1 d1", "x1 o1 o1"),
        # An own strong one does not stop it.
        (["a1 red", "b1 red x3", "c1 red o1"], "b1 c1", "x3 x1"),
        # Reached by two ways it loses one stone, not two.
        (["a1 red", "b1 red", "a2 red", "b2 red o3"], "b1 a2 b2", "x1 x1 o2"),
        # What lies behind a strong one is reached by another way.
        (["a1 red", "b1 red o2", "c1 red o1", "a2 red", "b2 red", "c2 red"], "b1 c1 c2", "o1 x1 x1"),
        # No step goes over a corner.
        (["a1 red", "b2 red o1"], "b2", "o1"),
        # In a ring everything is struck once, and the start not at all.
        (
            ["a1 red", "b1 red o1", "c1 red o2", "a2 red o1", "c2 red o1", "a3 red", "b3 red", "c3 red"],
            "a1 b1 c1 a2 c2 a3 b3 c3",
            "_ x1 o1 x1 x1 x1 x1 x1",
        ),
        # Alone it strikes nothing.
        (["a1 red", "b1 green o1"], "a1 b1", "_ o1"),
    ],
)  # fmt: skip
def test_a_chain(tiles: Sequence[str], places: str, expected: str) -> None:
    match = game(board(*tiles), CHAIN)
    assert [s or "_" for s in stones(match, *places.split())] == expected.split()


def test_a_second_chain_goes_through_what_the_first_has_weakened() -> None:
    row = board("a1 red", "b1 red o2", "c1 red o1")
    assert stones(game(row, CHAIN), "b1", "c1") == ["o1", "o1"]
    assert stones(game(row, f"{CHAIN}\n{CHAIN}"), "b1", "c1") == ["x1", "x1"]


def test_groups_of_each_player() -> None:
    setup = board(
        "a1 red x1", "b1 red x2", "d1 red x1", "e1 red o1",
        "a2 red o1", "b2 red", "c2 red x1", "d2 green o1 x1", "e2 red x1",
        "c3 green x1",
    )  # fmt: skip
    rules = GAME.replace("SETUP", setup).replace("GO", indented("log(1)")).replace("RULES", "")
    areas = "group g of (all card c on grid where held(c, {})) by {}"
    bare = "all card c on grid where no stone on c"
    x, o = (areas.format(p, "adjacent") for p in "xo")
    true_of(
        rules,
        {
            f"(count of {x}) is 2": True,  # a1 b1, and d1 d2 e2 c2 c3: a corner does not join them
            f"(largest size of g for {x}) is 5": True,
            f"(smallest size of g for {x}) is 2": True,
            f"(sum of size of g for {x}) is 7": True,
            f"(count of {o}) is 3": True,  # d2 is held by both, and e1 touches it at a corner
            f"(largest size of g for {o}) is 1": True,
            f"(largest size of g for {areas.format('o', 'surrounding')}) is 2": True,
            f"(count of {areas.format('x', 'surrounding')}) is 1": True,
            f"any {x} where any card c in g where colour of c is green": True,
            f"exactly 1 {x} where any card c in g where place of c is a1": True,
            f"fewer than 2 {x} where any card c in g where c is in adjacent of b2": False,
            f"(largest size of g for group g of ({bare}) by adjacent) is 1": True,
            f"(count of group of ({bare} and colour of c is green)) is 0": True,
        },
    )


def test_saved_and_copied_it_goes_on_the_same() -> None:
    same_to_the_end(game(ROW, CHAIN).copy())
