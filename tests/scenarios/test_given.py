"""The position that a scenario begins with is the one that it lays out, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.scenarios.toy import one, results, where

START = "given:\n  phase: taking_turns\n  turn: ana\n"

RIGHT = {
    "everything else is in the box": "  deck: [M]\n/(count of card in box) is 11\nexactly 1 card in deck",
    "tokens are in their supply": (
        "  grid: |\n    S/a2  .  .\n    .     .  .\n"
        "/(count of stone of ana) is 6\n(count of stone in supply of ana) is 4\n(count of stone on a1) is 0"
    ),
    "a pile from its top": "  deck: [M, S, R]\n"
    "/any card in deck where card is top of deck and suit of card is moon\n"
    "any card in deck where card is bottom of deck and suit of card is rain",
    "values for each player": "  points: {ana: 3, ben: 4}\n/points of ana is 3\npoints of ben is 4",
    "a value for one player": "  points of ben: 4\n/points of ben is 4\npoints of ana is 0",
    "a player": "  leader: ben\n/leader is ben",
    "nobody": "  leader: none\n/leader is none",
    "a set of words": "  asked: [moon, sun]\n/asked is [sun, moon]",
    "an empty set": "  asked: []\n/asked is []",
    "a space by its name": "  grid: |\n    .  [x]  .\n    S  .    .\n/x is empty\nany card on a2",
    "tokens without a card": "  grid: |\n    a2b  .  .\n    .    .  .\n/exactly 3 stone on a1\nno card on a1",
    "the face of a die": "  rounds: 2\n/rounds is 2",
}

WRONG = {
    "too many of a piece": ("  deck: [M, M, M, M, M]", (7, 26), "There are only 4 of `M`"),
    "an unknown code": ("  deck: [M, Q]", (7, 17), "`Q` is no code"),
    "an unknown line": ("  dekc: [M]", (7, 7), "Did you mean `deck`?"),
    "no list": ("  deck: M", (7, 7), "`deck` holds pieces."),
    "no block": ("  grid: S", (7, 7), "Draw it in a block"),
    "a state out of bounds": ("  points: {ana: 21}", (7, 21), "21 does not fit; `points` goes from 0 to 20."),
    "no number": ("  points of ana: many", (7, 22), "`many` is no number."),
    "no such player": ("  points: {cem: 1}", (7, 16), "`cem` cannot stand here."),
    "a state of each player": ("  points: 3", (7, 7), "`points` is kept for each player."),
    "no such word": ("  asked: [stars]", (7, 15), "`stars` cannot stand here."),
    "an unknown mark": ("  grid: |\n    S/q  .  .\n    .    .  .", (8, 9), "`q` says neither"),
    "an uneven picture": ("  grid: |\n    S  .  .\n    .  .", (9, 9), "This row has 2 spaces"),
    "another size": ("  grid: |\n    S  .\n    .  .", (7, 13), "`grid` is 3 wide and 2 high."),
    "a space named as a player": ("  grid: |\n    [ana]  .  .\n    .  .  .", (8, 9), "means something else"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_given_is_there(name: str, tmp_path: Path) -> None:
    given, _, looks = RIGHT[name].partition("\n/")
    then = "then:\n" + "".join(f"  - {line}\n" for line in looks.split("\n"))
    assert one(tmp_path, START + given, then).text == ""


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_given_is_told_at_its_place(name: str, tmp_path: Path) -> None:
    given, place, reason = WRONG[name]
    result = one(tmp_path, START + given, "then:\n  - turn: ana")
    assert reason in result.text
    assert where(result) == place


@pytest.mark.parametrize(
    ("given", "text"),
    [("phase: opning", "There is no phase `opning`"), ("turn: cem", "Nobody is called `cem` here.")],
)
def test_a_beginning_that_does_not_exist_is_told(given: str, text: str, tmp_path: Path) -> None:
    result = one(tmp_path, f"given:\n  {given}", "then:\n  - turn: ana")
    assert text in result.text
    assert where(result) == (5, 7)


def test_the_phase_with_turns_is_the_usual_beginning_and_nothing_happens_before_it(tmp_path: Path) -> None:
    assert (
        one(tmp_path, "then:\n  - turn: ana\n  - rounds is 0\n  - no card in hand of any player").text == ""
    )


def test_a_phase_is_entered_with_the_phases_round_it_under_way(tmp_path: Path) -> None:
    given = "given:\n  phase: closing\n  points: {ben: 5}\n"
    steps = "when:\n  - ana: close\n  - then: [rounds is 1, turn: ana]\n  - ana cannot: draw\n"
    assert one(tmp_path, given, steps).text == ""


def test_an_earlier_phase_comes_first_when_it_is_named(tmp_path: Path) -> None:
    assert one(tmp_path, "given:\n  phase: opening\nthen:\n  - rounds is 1\n  - turn: ana").text == ""


def test_a_phase_that_is_over_at_once_is_told(tmp_path: Path) -> None:
    result = one(tmp_path, "given:\n  rounds: 1\n  phase: taking_turns\nthen:\n  - rounds is 1")
    assert "`taking_turns` is not entered" in result.text


def test_the_wanted_player_is_first_and_the_order_goes_on_from_there(tmp_path: Path) -> None:
    lines = "given:\n  turn: ben\nthen:\n  - turn: ben\n  - next turns: [ben, ana, ben]"
    assert one(tmp_path, lines).text == ""


def test_after_the_setup_everything_is_where_the_setup_puts_it(tmp_path: Path) -> None:
    lines = "options: {starter: ben}\nafter setup: yes\nchance: [M, S, rest]\nthen:\n"
    looks = "  - hand of ana: [M]\n  - hand of ben: [S]\n  - turn: ben\n  - rounds is 1\n"
    looks += "  - exactly 10 card in deck\n"
    assert one(tmp_path, lines + looks).text == ""


def test_a_set_up_that_luck_decides_needs_its_outcomes(tmp_path: Path) -> None:
    result = one(tmp_path, "options: {starter: ben}\nafter setup: yes\nthen:\n  - turn: ben")
    assert "`chance:` lists no outcome" in result.text


def test_a_seed_can_take_the_place_of_outcomes(tmp_path: Path) -> None:
    assert one(tmp_path, "after setup: yes\nseed: 3\nthen:\n  - (count of card in deck) is 10").text == ""


def test_luck_may_decide_an_option(tmp_path: Path) -> None:
    assert one(tmp_path, "after setup: yes\nchance: [ben, rest]\nthen:\n  - turn: ben").text == ""


def test_a_shuffle_that_names_nothing_in_the_pile_is_told(tmp_path: Path) -> None:
    result = one(tmp_path, "after setup: yes\nchance: [ben, Q]\nthen:\n  - turn: ben")
    assert "`Q` is not among what is shuffled here" in result.text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("seed: 1\nchance: [M]", "`seed` and `chance` cannot stand together."),
        ("after setup: yes\nseed: 1\ngiven:\n  rounds: 1", "`given` lays a position out"),
        ("players: [ana]", "1 players cannot play this game."),
        ("options: {goal: 10}", "cannot be 10"),
        ("options: {gaol: 3}", "There is no option `gaol`."),
        ("variant: none_such", "There is no variant `none_such`."),
        ("refused: no", "The game begins; nothing is refused."),
    ],
)
def test_what_cannot_begin_is_told(lines: str, text: str, tmp_path: Path) -> None:
    players = "" if "players" in lines else "    players: [ana, ben]\n"
    body = "".join(f"    {line}\n" for line in lines.split("\n"))
    (result,) = results(tmp_path, f"  case:\n{players}{body}    then:\n      - rounds is 0\n")
    assert not result.ok
    assert text in result.text


def test_a_start_that_is_refused_can_be_what_is_wanted(tmp_path: Path) -> None:
    case = "  case:\n    players: 4\n    refused: "
    assert results(tmp_path, case + "4 players cannot play\n")[0].ok
    assert "The reason is another one" in results(tmp_path, case + "too many\n")[0].text
    assert "cannot have `then`" in results(tmp_path, case + "4 players\n    then: [rounds is 0]\n")[0].text


def test_a_scenario_that_shows_nothing_is_told(tmp_path: Path) -> None:
    assert "shows nothing" in one(tmp_path, "given: {leader: ana}").text
