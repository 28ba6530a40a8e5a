"""Seats: every player has a colour and a mark, no two the same mark, and names that say one get it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.viz.table_marks import mark
from rulewright.viz.table_seats import COLOUR_WORDS, COLOURS, NEUTRAL, SHAPES, Seat, seats_of


@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_up_to_ten_seats_differ_in_colour_and_in_shape(count: int) -> None:
    seats = list(seats_of([f"player_{i}" for i in range(count)]).values())
    assert len({s.colour for s in seats}) == len({s.shape for s in seats}) == count
    assert not any(s.open for s in seats)


def test_twenty_seats_differ_in_their_marks() -> None:
    seats = list(seats_of([f"player_{i}" for i in range(20)]).values())
    assert len({(s.shape, s.open) for s in seats}) == len({s.sign for s in seats}) == 20
    assert len({mark(0, 0, 9, s) for s in seats}) == 20


def test_a_name_that_says_a_colour_gets_it_and_the_others_what_is_left() -> None:
    seats = seats_of(["ann", "blue", "player_green", "bob", "grey"])
    assert seats["blue"].colour == COLOUR_WORDS["blue"] == COLOURS[0]
    assert seats["player_green"].colour == COLOUR_WORDS["green"]
    assert seats["grey"].colour == COLOUR_WORDS["grey"] != NEUTRAL
    assert len({s.colour for s in seats.values()}) == 5


def test_two_names_that_say_one_colour_do_not_share_it() -> None:
    seats = seats_of(["red", "scarlet", "red_fox"])
    assert len({s.colour for s in seats.values()}) == 3
    assert seats["red"].colour == COLOUR_WORDS["red"]


def test_a_name_that_says_a_shape_gets_it() -> None:
    seats = seats_of(["x", "o", "ann", "team_star"])
    assert (seats["x"].shape, seats["o"].shape, seats["team_star"].shape) == ("cross", "ring", "star")
    assert seats["ann"].shape == "circle" and seats["x"].sign == "x"


@given(
    st.lists(
        st.sampled_from([*COLOUR_WORDS, *SHAPES, "a", "b_red", "x", "o", "o_2"]), unique=True, max_size=10
    )
)
def test_no_wish_makes_two_of_ten_alike(names: list[str]) -> None:
    seats = list(seats_of(names).values())
    assert len({(s.shape, s.open) for s in seats}) == len({s.colour for s in seats}) == len(names)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn_in_its_colour_with_an_edge(shape: str) -> None:
    drawn = mark(10, 10, 8, Seat("p", "#123456", shape))
    assert 'fill="#123456"' in drawn and "stroke=" in drawn
    assert drawn != mark(10, 10, 8, Seat("p", "#123456", shape, open=True))


def test_light_writing_goes_on_dark_colours_only() -> None:
    assert Seat("p", COLOUR_WORDS["black"], "bar").dark and Seat("p", COLOUR_WORDS["blue"], "bar").dark
    assert not Seat("p", COLOUR_WORDS["yellow"], "bar").dark
