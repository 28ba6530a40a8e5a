"""Options, bundles, tables, layouts, and pictures of the set-up."""

from __future__ import annotations

import pytest

from rulewright.tests.semantics.toys import do, grid, ids, pieces, state, toy, who

GAME = """
options:
  cards_each: {default: usual(players), from: 1, to: 3}
  extra: {default: no, without: [actions.plain]}
  mood: {default: calm, choices: [calm, wild]}
  starter: {default: at random, choices: players}
  picked: {some of: colour, default: 2 at random}
  theme:
    default: small
    bundles:
      small: {cards_each: 1}
      large: {cards_each: 3, extra: yes}
types:
  colour: [red, green, blue]
tables:
  counts: |
    players  usual
       2       2
       3       1
cards:
  c: {copies: 9, code: C, starts in: deck}
  lot: {copies: one per colour, code: "{colour}", starts in: bag}
zones:
  deck: {holds: c, as: pile, seen by: all}
  bag: {holds: lot, seen by: all}
  out: {holds: lot, seen by: all}
  hand: {per: player, holds: c, seen by: all}
state:
  n: {is: number 0 to 50}
setup:
  do: |
    deal cards_each from deck to hand of each player
    move all lot in bag where colour of lot is in picked to out
    if mood is wild:
        add 7 to n
flow:
  - play:
      turns: clockwise from starter
      at most: 2 rounds, then over
      actions: [plain, rich]
actions:
  plain:
    do: |
      add 1 to n
  rich:
    do: |
      add 2 to n
ends:
  over:
    winner: nobody
"""


def hand(**options: str) -> int:
    """How many cards the first player is dealt."""
    match = toy(GAME, "2 to 3", count=2, options=options)
    return len(pieces(match, f"hand of {_names(match)[0]}"))


def _names(match) -> list[str]:  # type: ignore[no-untyped-def]
    return list(match.view(None)["players"])


def test_a_bundle_sets_options_and_an_explicit_option_wins() -> None:
    assert hand() == 1  # the bundle `small`, which is the default
    assert hand(theme="large") == 3
    assert hand(theme="large", cards_each="2") == 2
    assert hand(cards_each="3") == 3


def test_without_an_option_what_belongs_to_it_is_out() -> None:
    def offered(**options: str) -> list[str]:
        return ids(toy(GAME, "2 to 3", count=2, options=options))

    assert offered() == ["rich"]  # `extra` is off
    assert offered(extra="yes") == ["plain", "rich"]
    assert offered(theme="large") == ["plain", "rich"]
    assert offered(theme="large", extra="no") == ["rich"]


def test_options_of_words_and_of_players() -> None:
    assert state(toy(GAME, "2 to 3", count=2, options={"mood": "wild"}), "n") == 7
    names = _names(toy(GAME, "2 to 3", count=2))
    assert who(toy(GAME, "2 to 3", count=2, options={"starter": names[1]})) == names[1]


def test_what_is_at_random_is_drawn_in_play_from_its_own_luck() -> None:
    starters = {who(toy(GAME, "2 to 3", count=2, seed=seed)) for seed in range(12)}
    assert len(starters) == 2
    sets = {tuple(pieces(toy(GAME, "2 to 3", count=2, seed=seed), "out")) for seed in range(20)}
    assert {len(s) for s in sets} == {2} and len(sets) == 3
    assert pieces(toy(GAME, "2 to 3", count=2, options={"picked": ["blue", "red"]}), "out") == ["blue", "red"]
    match = toy(GAME, "2 to 3", count=2)
    scripted = {"option starter": [_names(match)[1]], "option picked": ["blue", "red"]}
    match = toy(GAME, "2 to 3", count=2, script=scripted)
    assert (who(match), sorted(pieces(match, "out"))) == (_names(match)[1], ["blue", "red"])


def test_tables_by_the_number_of_players() -> None:
    rules = GAME.replace("small: {cards_each: 1}", "small: {extra: no}")
    for count, expected in ((2, 2), (3, 1)):
        match = toy(rules, "2 to 3", count=count)
        assert len(pieces(match, f"hand of {_names(match)[0]}")) == expected


LAYOUT = """
options:
  shape: {default: cross, choices: layouts}
layouts:
  cross: |
    .  2  .
    5  1  3
    .  4  .
  row: |
    2  1  3
cards:
  tile: {copies: 6, attributes: {nr: number}, code: T, starts in: bag}
zones:
  bag: {holds: tile, as: pile, seen by: nobody}
boards:
  table: {shape: square grid, size: 5 x 3}
state:
  n: {is: number 0 to 9}
setup:
  do: |
    for each space s in shape:
        add 1 to n
        if n < 4:
            move top of bag to s
flow:
  - play:
      turns: clockwise from x
      at most: 2 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      add 0 to n
ends:
  over:
    winner: nobody
"""


def test_a_layout_is_a_set_of_spaces_round_the_middle_in_the_order_of_its_numbers() -> None:
    assert grid(toy(LAYOUT), "table") == [". . T . .", ". . T T .", ". . . . ."]
    assert grid(toy(LAYOUT, options={"shape": "row"}), "table") == [". . . . .", ". T T T .", ". . . . ."]


PICTURE = """
tokens:
  man: {per: player, supply: 3}
cards:
  tile: {copies: 2, code: T}
boards:
  grid: {shape: square grid, size: 3 x 2}
notation:
  m: man of x
setup:
  grid: |
    x  .   T/x2
    o  [h] LAST
  do: |
    place man of o on b1
flow:
  - play:
      turns: clockwise from x
      at most: 2 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      return all man on a1
ends:
  over:
    winner: nobody
"""


def test_pictures_of_the_set_up_come_first() -> None:
    match = toy(PICTURE.replace("LAST", "o"))
    assert grid(match) == ["x o T", "o . o"]
    (top,) = [match.view(None)["boards"]["grid"]["rows"][0][2]["top"]]
    assert [p["owner"] for p in top["on"]] == ["x", "x"]
    assert match.view(None)["zones"]["supply of x"]["count"] == 0
    assert grid(do(match, "wait"))[0] == ". o T"


@pytest.mark.parametrize(
    ("cell", "said"), [("q", "no code of a piece"), ("o9", "There are only 3"), ("T/q", "`q`")]
)
def test_a_cell_that_cannot_be_is_refused(cell: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        toy(PICTURE.replace("LAST", cell))


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(AssertionError, match="This picture is 3 wide"):
        toy(PICTURE.replace("    o  [h] LAST\n", ""))


def test_with_a_token_that_an_option_takes_out_go_its_rules() -> None:
    rules = """
    options:
      coins: {default: yes, without: [tokens.coin]}
    tokens:
      coin:
        supply: 3
        rules:
          waiting_pays:
            after: wait
            do: |
              add 1 to n
    state:
      n: {is: number 0 to 9}
    flow:
      - play:
          turns: clockwise from x
          at most: 2 rounds, then over
          actions: [wait]
    actions:
      wait:
        do: |
          end turn
    ends:
      over: {winner: nobody}
    """
    for coins, n in (("yes", 1), ("no", 0)):
        match = toy(rules, options={"coins": coins})
        match.choose(0)
        assert state(match, "n") == n
