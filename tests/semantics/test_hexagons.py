"""Boards of hexagons: six directions, neighbours, runs, lines, distances; and the edges of boards."""

from __future__ import annotations

from rulewright.tests.semantics.toys import do, grid, ids, problems, same_to_the_end, story, toy, true_of

BOARD = """
tokens:
  coin: {per: player, supply: 12}
boards:
  grid: {shape: hex rhombus, size: 4 x 3, edges: {x: [top, bottom], o: [left, right]}}
define:
  leaps(space s): >
    [step(s, east), step(s, north_west)]
setup:
  do: |
    place coin of x on c1
    place coin of x on b2
    place coin of x on a3
    place coin of o on a1
    place coin of o on d1
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
SQUARES = BOARD.replace("hex rhombus", "square grid")


def test_a_hexagon_has_six_neighbours_and_none_at_corners_alone() -> None:
    true_of(
        BOARD,
        {
            "adjacent of b2 is [b1, c1, a2, c2, a3, b3]": True,
            "surrounding of b2 is adjacent of b2": True,
            "adjacent of a1 is [b1, a2]": True,  # the sharp corners of the rhombus have two neighbours
            "adjacent of d1 is [c1, c2, d2]": True,  # the blunt ones three
            "adjacent of a3 is [a2, b2, b3]": True,
            "adjacent of d3 is [d2, c3]": True,
            "b1 is in adjacent of a2 and a1 is in adjacent of a2 and a1 is not in adjacent of b2": True,
            "every space s on grid has (every space t on adjacent of s has s is in adjacent of t)": True,
        },
    )


def test_there_are_six_directions_and_each_has_its_opposite() -> None:
    true_of(
        BOARD,
        {
            "(count of direction) is 6 and size of all_directions is 6": True,
            "all_directions is [north_east, east, south_east, south_west, west, north_west]": True,
            "opposite of east is west and opposite of west is east": True,
            "opposite of north_east is south_west and opposite of south_east is north_west": True,
            "step(b2, east) is c2 and step(b2, west) is a2": True,
            "step(b2, north_east) is c1 and step(b2, south_west) is a3": True,
            "step(b2, north_west) is b1 and step(b2, south_east) is b3": True,
            "step(a1, north_west) is none and step(d2, east) is none": True,
            "every direction d has"
            " (all space going opposite of d from (the space going d from b2 exactly 1) exactly 1)"
            " is [b2]": True,
        },
    )


def test_runs_end_at_the_sides() -> None:
    true_of(
        BOARD,
        {
            "(all space going north_east from a3) is [b2, c1]": True,
            "(all space going south_east from b1) is [b2, b3]": True,
            "(all space going east from a2 exactly 2) is [c2]": True,
            "(all space going any direction from b2 up to 1) is adjacent of b2": True,
            "(count of space going all_directions from b2) is 7": True,
            "(all space s going any direction from a3 while (any coin of x on s)) is [b2, c1]": True,
            "(all space s going [east, south_west] from b1 until any coin on s) is [c1, a2]": True,
        },
    )


def test_lines_run_along_three_axes() -> None:
    true_of(
        BOARD,
        {
            "(count of line of 3 on grid) is 12": True,  # 6 across, 4 down to the right, 2 down to the left
            "(count of line of 4 on grid) is 3": True,
            "any line l of 3 on grid where c1 is in l and b2 is in l and a3 is in l": True,
            "any line l of 3 on grid where a1 is in l and b2 is in l": False,
            "any line of 3 on grid where every space on line has any coin of x on space": True,
            "(count of row on grid) is 3 and (count of column on grid) is 4": True,
            "any column c on grid where b1 is in c and b2 is in c and b3 is in c": True,
        },
    )


def test_distances_are_counted_in_steps() -> None:
    true_of(
        BOARD,
        {
            "distance(a1, a1) is 0": True,
            "distance(a1, d3) is 5": True,  # against the slope: no step brings both nearer
            "distance(a3, d1) is 3": True,  # along it: two of the steps do
            "distance(d1, a3) is 3": True,
            "distance(a1, d1) is 3 and distance(a1, a3) is 2": True,
            "every space s on grid has (every space t on grid has"
            " distance(s, t) is 1 or t is not in adjacent of s)": True,
            "every space s on grid has (every space t on grid has"
            " distance(s, t) is not 1 or t is in adjacent of s)": True,
        },
    )


def test_what_is_linked_goes_round_corners_of_hexagons() -> None:
    true_of(
        BOARD,
        {
            "(all space s linked to c1 where any coin of x on s) is [b2, a3]": True,
            "(count of coin of x linked to (the coin on c1)) is 2": True,
            "(count of group of (all coin of o on grid) by adjacent) is 2": True,
            "(count of group of (all space s on grid where s is empty) by surrounding) is 2": True,
            "(all space s linked to c2 by leaps where s is s) is [d2, c1, d1]": True,
        },
    )


def test_edges_are_the_sides_of_a_board_and_corners_lie_on_two() -> None:
    true_of(
        BOARD,
        {
            "first_edge of x is [a1, b1, c1, d1]": True,
            "last_edge of x is [a3, b3, c3, d3]": True,
            "first_edge of o is [a1, a2, a3]": True,
            "last_edge of o is [d1, d2, d3]": True,
            "(count of space s on first_edge of x where s is in first_edge of o) is 1": True,
            "(count of coin on first_edge of x) is 3": True,
            "(count of coin of x on last_edge of x) is 1": True,
            "size of first_edge of any player is 6": True,
            "a1 is in last_edge of opponent of x": False,
        },
    )


def test_boards_of_squares_have_edges_too() -> None:
    true_of(
        SQUARES,
        {
            "first_edge of x is [a1, b1, c1, d1] and last_edge of o is [d1, d2, d3]": True,
            "adjacent of b2 is [b1, a2, c2, b3] and size of all_directions is 8": True,
            "distance(a3, d1) is 5": True,
        },
    )


FORWARD = BOARD.replace("size: 4 x 3,", "size: 4 x 3, forward: {x: north_west, o: east},")


def test_seats_move_forward_in_directions_of_hexagons() -> None:
    true_of(
        FORWARD,
        {
            "forward of x is north_west and backward of x is south_east": True,
            "forward_right of x is north_east and forward_left of x is west": True,
            "forward of o is east and forward_left of o is north_east": True,
            "first_row of x is [a3, b3, c3, d3] and last_row of x is [a1, b1, c1, d1]": True,
            "first_row of o is [a1, a2, a3] and last_row of o is [d1, d2, d3]": True,
        },
    )
    true_of(BOARD, {"forward of o is north_east and last_row of o is [a1, b1, c1, d1]": True})


def test_on_squares_a_seat_may_move_aslant() -> None:
    aslant = FORWARD.replace("hex rhombus", "square grid")
    true_of(aslant, {"first_row of x is [a3, b3, c3, d3]": True, "forward_left of x is west": True})


def test_what_hexagons_do_not_have_is_a_problem() -> None:
    for code, condition in (
        ("E401", "step(a1, north) is none"),
        ("E401", "size of orthogonals is 6"),
        ("E402", "size of diagonal of a1 is 0"),
        ("E406", "any diagonal on grid where a1 is in diagonal"),
    ):
        assert code in problems(f"{BOARD}always:\n  c: {condition}\n")
        assert problems(f"{SQUARES}always:\n  c: {condition}\n") == problems(SQUARES)


BRIDGES = """
tokens:
  coin: {per: player}
boards:
  grid: {shape: hex rhombus, size: width x 3, edges: {x: [top, bottom], o: [left, right]}}
options:
  width: {title: Width, default: 3, from: 2, to: 5}
flow:
  - play:
      turns: clockwise from x
      actions: [lay]
actions:
  lay:
    choose:
      spot: space on grid where space is empty
    do: |
      place coin of actor on spot
ends:
  across:
    when: >
      any group g of (all space on grid where any coin of actor on space) by adjacent
      where (any space on first_edge of actor where space is in g)
      and any space on last_edge of actor where space is in g
    winner: actor
"""


def test_a_chain_from_edge_to_edge() -> None:
    match = do(toy(BRIDGES), *(f"lay spot={s}" for s in ("c1", "a1", "b2", "b1")))
    assert len(ids(match)) == 5 and not match.over
    do(match, "lay spot=a3")
    assert match.over and match.result.winners == ("x",)
    assert grid(match) == ["o o x", ". x .", "x . ."]


def test_the_size_may_be_an_option_and_somebody_always_gets_across() -> None:
    for seed, width in enumerate((2, 3, 4, 5)):
        match = toy(BRIDGES, seed=seed, options={"width": width})
        assert len(ids(match)) == 3 * width
        same_to_the_end(match)
        assert match.over and len(match.result.winners) == 1 and "across" in story(match).lower()


def test_a_picture_may_slant_like_the_board() -> None:
    drawn = BRIDGES.replace(
        "flow:", "setup:\n  grid: |\n    x  .  .\n      .  o  .\n        .  .  x\nflow:", 1
    )
    assert grid(toy(drawn)) == ["x . .", ". o .", ". . x"]
