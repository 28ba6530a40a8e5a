"""Who sees what: zones, state and boards, what is shown, and what is named by its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, ids, pieces, problems, toy

GAME = """
types:
  rank: 0 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: c, as: pile, seen by: nobody}
  own: {per: player, holds: c, seen by: owner}
  far: {per: player, holds: c, seen by: others}
  open: {holds: c, seen by: all}
  chosen: {holds: c, seen by: (all player where player is p2)}
boards:
  den: {shape: square grid, size: 2 x 1, seen by: (all player where player is p1)}
state:
  secret: {per: player, is: number 0 to 9, start: 4, seen by: owner}
  hidden: {is: number 0 to 9, start: 4, seen by: nobody}
  known: {is: number 0 to 9, start: 4}
setup:
  do: |
    move top of deck to own of p1
    move top of deck to far of p1
    move top of deck to open
    move top of deck to chosen
    move top of deck to a1
flow:
  - play:
      turns: clockwise from p1
      at most: 9 rounds, then over
      actions: [wait, look, take_one, show_all, mix]
actions:
  wait:
    do: |
      add 1 to known
  look:
    do: |
      show top of deck to actor
  take_one:
    choose:
      taken: c in own of p1
    do: |
      move taken to open
  show_all:
    do: |
      reveal all c in own of p1
  mix:
    do: |
      shuffle deck
ends:
  over:
    winner: nobody
"""


def game() -> Any:
    """C6 is p1's own, C5 in p1's far zone, C4 open, C3 chosen, C2 in the den, C1 and C0 in the deck."""
    return toy(GAME, players="[p1, p2, p3]")


def seen(match: Any, zone: str) -> list[list[str | None]]:
    """What each player and an onlooker see of a zone."""
    return [pieces(match, zone, viewer) for viewer in (0, 1, 2, None)]


def test_zones_are_seen_by_whom_they_say() -> None:
    match = game()
    assert seen(match, "deck") == [[None, None]] * 4
    assert seen(match, "own of p1") == [["C6"], [None], [None], [None]]
    assert seen(match, "far of p1") == [[None], ["C5"], ["C5"], [None]]
    assert seen(match, "open") == [["C4"]] * 4
    assert seen(match, "chosen") == [[None], ["C3"], [None], [None]]


def test_state_and_boards_are_seen_by_whom_they_say() -> None:
    match = game()
    assert [match.view(v)["state"].get("secret") for v in (0, 1, None)] == [{"p1": 4}, {"p2": 4}, None]
    assert all("hidden" not in match.view(v)["state"] for v in (0, 1, 2, None))
    assert all(match.view(v)["state"]["known"] == 4 for v in (0, None))
    cells = [match.view(v)["boards"]["den"]["rows"][0][0]["top"] for v in (0, 1, None)]
    assert [cell is None for cell in cells] == [False, True, True]


def test_what_was_shown_is_known_until_it_is_shuffled_out_of_sight() -> None:
    match = do(game(), "look")
    assert seen(match, "deck") == [[None, "C1"], [None, None], [None, None], [None, None]]
    do(match, "mix")
    assert seen(match, "deck") == [[None, None]] * 4


def test_what_is_revealed_is_known_to_all() -> None:
    assert seen(do(game(), "show_all"), "own of p1") == [["C6"]] * 4


def test_what_the_chooser_cannot_see_is_named_by_its_place() -> None:
    match = game()
    assert "take_one taken=C6" in ids(match)
    do(match, "wait")
    assert "take_one taken=own_of_p1.1" in ids(match)
    assert pieces(do(match, "take_one taken=own_of_p1.1"), "open") == ["C4", "C6"]


def test_pieces_that_look_alike_to_the_chooser_are_one_option() -> None:
    rules = """
cards:
  sheep: {copies: 5, code: S, starts in: field}
  wolf: {copies: 2, code: W, starts in: field}
zones:
  field: {holds: cards, seen by: SEEN}
  home: {holds: cards, seen by: all}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [take_one]
actions:
  take_one:
    choose:
      taken: card in field
    do: |
      move taken to home
ends:
  over:
    winner: nobody
"""
    assert ids(toy(rules.replace("SEEN", "all"))) == ["take_one taken=S", "take_one taken=W"]
    unseen = [f"take_one taken=field.{n}" for n in range(1, 8)]  # each may be another one, so each is offered
    assert ids(toy(rules.replace("SEEN", "nobody"))) == unseen


def test_a_choice_may_not_betray_what_the_chooser_cannot_see() -> None:
    peeking = GAME.replace("taken: c in own of p1", "taken: c in deck where rank of c > 3")
    assert any(code.startswith("E") for code in problems(peeking, "[p1, p2, p3]"))


OWN_BOARDS = """
cards:
  ship: {per: player, copies: 2, code: SH, starts in: dock}
zones:
  dock: {per: player, holds: ship, seen by: owner}
boards:
  ocean: {per: player, shape: square grid, size: 2 x 1, seen by: owner}
flow:
  - play:
      turns: clockwise from x
      at most: 2 rounds, then over
      actions: [lay]
      if stuck: pass
actions:
  lay:
    choose:
      laid: ship in dock of actor
      spot: space on ocean of actor where space is empty
    do: |
      move laid to spot
ends:
  over:
    winner: nobody
"""


def test_each_player_has_a_board_that_only_its_owner_sees() -> None:
    match = toy(OWN_BOARDS)
    assert ids(match) == ["lay laid=SH spot=a1_of_x", "lay laid=SH spot=b1_of_x"]
    do(match, "lay laid=SH spot=a1_of_x")
    assert ids(match) == ["lay laid=SH spot=a1_of_o", "lay laid=SH spot=b1_of_o"]
    tops = [match.view(v)["boards"]["ocean of x"]["rows"][0][0]["top"] for v in (0, 1, None)]
    assert [top is None for top in tops] == [False, True, True]
    assert match.view(0)["boards"]["ocean of o"]["rows"] == [[None, None]]


HIDDEN_BOARD = """\
game: Hidden board
language: 1
players: [x, o]
tokens:
  ship: {per: player, supply: 3}
boards:
  sea: {shape: square grid, size: 2 x 2, seen by: (all player where player is x)}
setup:
  do: |
    place ship of x on a1
flow:
  - play:
      turns: clockwise from x
      actions: [go]
actions:
  go:
    do: |
      end game as over
ends:
  over: {winner: nobody}
"""


def test_a_token_from_the_open_supply_on_a_hidden_board_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(HIDDEN_BOARD, encoding="utf-8")
    game = load(str(tmp_path))
    assert isinstance(game, PlayableGame)
    match = game.start(seed=1)
    assert isinstance(match, Match)
    assert "ship" in json.dumps(match.view(0)["boards"])
    assert "ship" not in json.dumps(match.view(1)["boards"])
