"""The list of what cannot be played yet may only become shorter."""

from __future__ import annotations

from rulewright.dsl.not_yet import NOT_YET

REMEMBERED = {
    "at once",
    "built-in events",
    "can of an action",
    "chosen order",
    "counting phases",
    "custom boards",
    "edges and corners",
    "hex grids",
    "numbers of another",
    "once per",
    "owned spaces",
    "repeats",
    "ring boards",
    "seen kinds",
    "several boards",
    "shown properties",
    "teams",
    "this turn",
}


def test_the_list_has_not_grown() -> None:
    assert set(NOT_YET) <= REMEMBERED


def test_what_can_be_played_now_is_forgotten_here_too() -> None:
    assert set(NOT_YET) == REMEMBERED
