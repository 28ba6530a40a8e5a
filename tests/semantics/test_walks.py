"""Boards: directions, runs, what is linked, groups, lines, and edges."""

from __future__ import annotations

import pytest

from rulewright.tests.semantics.toys import do, grid, ids, problems, toy, true_of

BOARD = """
tokens:
  coin: {per: player, supply: 9}
boards:
  grid: {shape: square grid, size: 4 x 3}
define:
  knights(space s): >
    [step(s, north), step(s, south)]
setup:
  do: |
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


def test_neighbours_stop_at_the_edge() -> None:
    true_of(
        BOARD,
        {
            "adjacent of a1 is [a2, b1]": True,
            "diagonal of a1 is [b2]": True,
            "surrounding of a1 is [a2, b1, b2]": True,
            "size of surrounding of b2 is 8": True,
            "adjacent of [a1, d3] is [a2, b1, d2, c3]": True,
            "step(a1, east) is b1": True,
            "step(a1, north) is none": True,
            "step(d3, south_east) is none": True,
            "step(a1, south_east) is b2": True,
            "distance(a1, d3) is 5": True,
            "distance(a1, a1) is 0": True,
            "row_number of a1 is 1 and row_number of d3 is 3 and column_number of d3 is 4": True,
            "opposite of north is south and opposite of north_east is south_west": True,
            "(count of direction) is 8": True,
        },
    )


def test_empty_and_full() -> None:
    true_of(BOARD, {"a1 is empty": False, "a1 is full": True, "d3 is empty": True, "d3 is full": False})


def test_a_run_in_one_direction() -> None:
    true_of(
        BOARD,
        {
            "(all space going east from a1) is [b1, c1, d1]": True,
            "(all space going east from a1 up to 2) is [b1, c1]": True,
            "(all space going east from a1 exactly 2) is [c1]": True,  # just the space that is 2 steps away
            "no space going east from a1 exactly 4": True,
            "(all space s going east from a1 while any coin of x on s) is [b1]": True,
            "(all space s going east from a1 until any coin of o on s) is [b1, c1]": True,
            "(all space s going east from a1 until s is empty) is [b1, c1, d1]": True,
            "(all space s going east from a1 while (any coin of x on s) ending at any coin of o on s)"
            " is [b1]": True,
            "no space s going east from a1 while (any coin of x on s) ending at s is empty": True,
            "no space s going east from c1 while (s is empty) ending at any coin on s": True,
            "(all space s going south from a1 where s is not a2) is [a3]": True,
            "(first space going east from a1) is b1": True,
        },
    )


def test_runs_in_several_directions() -> None:
    true_of(
        BOARD,
        {
            "(all space going [north, east] from b2) is [b1, c2, d2]": True,
            "(all space going any direction from b2 up to 1) is surrounding of b2": True,
            "(count of space going orthogonals from b2) is 5": True,
            "(all space going diagonals from b2) is [a1, c1, a3, c3]": True,
            "(all space s going any direction from d1 while (any coin of o on s)"
            " ending at any coin of x on s) is [c1]": True,
        },
    )


def test_pieces_of_a_run() -> None:
    true_of(
        BOARD,
        {
            "(count of coin going east from a1) is 2": True,
            "(count of coin of o going east from a1) is 1": True,
            "(count of coin c going east from a1 where owner of c is o) is 1": True,
        },
    )
    wrong = "always:\n  a: any coin c going east from a1 while owner of c is x\n"
    assert "E429" in problems(BOARD + wrong)  # where a run stops is asked of spaces


def test_linked_goes_step_by_step_and_leaves_the_start_out() -> None:
    true_of(
        BOARD,
        {
            "(all space s linked to a1 where any coin on s) is [b1, c1, b2]": True,
            "(all space s linked to a1 where any coin of x on s) is [b1]": True,
            "(all space s linked to d3 where any coin on s) is []": True,
            "(all space s linked to a1 stopping at (any coin of x on s) where any coin on s) is [b1]": True,
            "(all space s linked to a1 stopping at (any coin of o on s) where any coin on s)"
            " is [b1, c1, b2]": True,
            "(all space s linked to a1 by diagonal where any coin on s) is [b2, c1]": True,
            "(all space s linked to a1 by knights where s is s) is [a2, a3]": True,
            "(count of coin c linked to (the coin on a1)) is 4": True,
            "(count of coin of x linked to (the coin on a1)) is 1": True,
            "(count of coin c linked to (the coin on a1) where owner of c is x) is 1": True,
            "(count of coin c linked to (the coin on a1) stopping at (owner of c is x) where c is coin)"
            " is 1": True,
        },
    )


def test_groups() -> None:
    true_of(
        BOARD,
        {
            "(count of group of (all space s on grid where any coin of o on s) by adjacent) is 2": True,
            "(count of group of (all space s on grid where any coin of o on s) by surrounding) is 1": True,
            "(count of group of (all coin on grid) by adjacent) is 1": True,
            "(largest size of g for group g of (all space s on grid where s is empty) by adjacent)"
            " is 8": True,
            "(largest size of g for group g of (all space s on grid where s is a1 and s is b1) by adjacent)"
            " is 0": True,
        },
    )


def test_lines_rows_columns_diagonals() -> None:
    true_of(
        BOARD,
        {
            "(count of line of 3 on grid) is 14": True,  # 6 across, 4 down, 4 aslant
            "(count of line of 4 on grid) is 3": True,
            "(count of row on grid) is 3": True,
            "(count of column on grid) is 4": True,
            "any line l of 3 on grid where a1 is in l and c1 is in l": True,
            "any line l of 3 on grid where a1 is in l and d1 is in l": False,
            "any diagonal d on grid where a1 is in d and c3 is in d": True,
            "(count of line l of 2 on grid where a1 is in l) is 3": True,
            "any row r on grid where every space s on r has s is empty": True,
        },
    )


FLIPS = """
tokens:
  disc: {per: player}
boards:
  grid: {shape: square grid, size: 4 x 4}
setup:
  do: |
    place disc of x on b2
    place disc of o on c2
    place disc of o on b3
    place disc of x on c3
flow:
  - play:
      turns: clockwise from x
      at most: 16 rounds, then over
      actions: [lay]
      if stuck: pass
define:
  flipped(player p, space s): >
    all space f going any direction from s
      while (any disc of opponent of p on f) ending at any disc of p on f
actions:
  lay:
    choose:
      spot: space on grid where space is empty
    require:
      - check: any space f in flipped(actor, spot)
        because: Nothing would be flipped.
    do: |
      let turned be flipped(actor, spot)
      place disc of actor on spot
      for each space f in turned:
          return all disc on f
          place disc of actor on f
ends:
  over:
    winner: nobody
"""


def test_flips_in_all_directions_at_once() -> None:
    match = toy(FLIPS)
    assert ids(match) == ["lay spot=c1", "lay spot=d2", "lay spot=a3", "lay spot=b4"]
    do(match, "lay spot=d2")
    assert grid(match) == [". . . .", ". x x x", ". o x .", ". . . ."]
    refused = match.choose("lay spot=a1")
    assert refused is not None and "Nothing would be flipped." in str(refused)
    do(match, "lay spot=b1")
    assert grid(match) == [". o . .", ". o x x", ". o x .", ". . . ."]


UNBOUNDED = """
cards:
  tile: {copies: 12, code: T, starts in: bag}
zones:
  bag: {holds: tile, as: pile, seen by: nobody}
boards:
  table: {shape: square grid, size: unbounded}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [lay]
actions:
  lay:
    choose:
      spot: space on table where space is empty
    require:
      - check: no tile on table or any tile in adjacent of spot
        because: Edge to edge.
    do: |
      move top of bag to spot
ends:
  over:
    winner: nobody
"""


def test_an_unbounded_board_grows_across_its_origin() -> None:
    match = toy(UNBOUNDED)
    assert ids(match) == ["lay spot=a1"]
    do(match, "lay spot=a1")
    assert sorted(ids(match)) == ["lay spot=-a1", "lay spot=a0", "lay spot=a2", "lay spot=b1"]
    do(match, "lay spot=-a1", "lay spot=-a0")
    offered = {i.partition("=")[2] for i in ids(match)}
    assert offered == {"a2", "b1", "-a2", "-b1", "-b0", "a0", "-a-1"}


@pytest.mark.parametrize("form", ["hex grid", "ring of 6"])
def test_other_shapes_are_said_to_be_not_playable_yet(form: str) -> None:
    assert "E449" in problems(BOARD.replace("square grid, size: 4 x 3", f"{form}, size: 5"))
