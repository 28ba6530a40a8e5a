"""Icons: a sign or two for people, from the kind, from the kind above, or from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.fingerprint import fingerprint
from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import ids, problems, toy

PIECES = """
cards:
  land: {kinds: [hill, lake], copies: 1, icon: ⛰, starts in: deck}
  shore: {is: lake, copies: 1, icon: "~", starts in: deck}
  plain: {copies: 1, starts in: deck}
tokens:
  acorn: {supply: 1, icon: 🌰, starts in: jar}
dice:
  lot: {count: 1, faces: 1 to 6, icon: "?!", starts in: cup}
"""
RULES = """
zones:
  deck: {holds: cards, as: pile, seen by: all}
  jar: {holds: tokens}
  cup: {holds: dice}
flow:
  - play:
      turns: clockwise from x
      actions: [rest]
      at most: 1 rounds, then tired
actions:
  rest:
    do: |
      end turn
ends:
  tired: {winner: nobody}
"""


def icons(match: Match) -> dict[str, str | None]:
    zones = match.view(None)["zones"].values()
    return {p["code"]: p.get("icon") for zone in zones for p in zone["pieces"]}


def hash_of(match: Match) -> str:
    return fingerprint(match.state, ids(match))


def test_pieces_have_the_icon_of_the_nearest_kind() -> None:
    found = icons(toy(PIECES + RULES))
    assert found == {"hill": "⛰", "lake": "⛰", "shore": "~", "plain": None, "acorn": "🌰", "lot": "?!"}


def test_views_say_what_form_a_piece_has() -> None:
    zones = toy(PIECES + RULES).view(None)["zones"]
    forms = {p["code"]: p["form"] for zone in zones.values() for p in zone["pieces"]}
    assert (forms["hill"], forms["acorn"], forms["lot"]) == ("card", "token", "die")


@pytest.mark.parametrize("icon", ["house", "a b", '"abc"'])
def test_an_icon_is_one_or_two_signs(icon: str) -> None:
    assert problems(PIECES.replace("icon: ⛰", f"icon: {icon}") + RULES) == ["E304"]


def test_another_icon_is_no_other_game() -> None:
    one, two = toy(PIECES + RULES), toy(PIECES.replace("icon: ⛰", "icon: ▲") + RULES)
    none = toy(PIECES.replace("icon: ⛰, ", "") + RULES)
    assert one.program.rules_hash == two.program.rules_hash == none.program.rules_hash
    assert hash_of(one) == hash_of(two) == hash_of(none)


def test_a_state_called_icon_is_part_of_the_rules() -> None:
    kept = "state:\n  icon: {is: number 0 to 3, start: 1}\n"
    one, two = toy(PIECES + kept + RULES), toy(PIECES + kept.replace("start: 1", "start: 2") + RULES)
    assert one.program.rules_hash != two.program.rules_hash


def written(folder: Path, table: str, more: str = "") -> str:
    (folder / "lands.csv").write_text(table, encoding="utf-8")
    cards = f"cards:\n  land: {{table: lands.csv, code: '{{code}}', icon: '#', starts in: deck{more}}}\n"
    head = "game: Toy\nlanguage: 1\nplayers: [x, o]\n"
    (folder / "game.yaml").write_text(head + cards + RULES, encoding="utf-8")
    return str(folder)


def test_a_table_gives_each_row_its_icon(tmp_path: Path) -> None:
    game = load(written(tmp_path, "title,code,icon\nHill,Hi,⛰\nLake,La,\n"))
    assert isinstance(game, PlayableGame)
    match = game.start()
    assert isinstance(match, Match) and icons(match) == {"Hi": "⛰", "La": "#"}


def test_a_wrong_icon_in_a_table_is_blamed_at_its_cell(tmp_path: Path) -> None:
    (problem,) = load_game(written(tmp_path, "title,code,icon\nHill,Hi,⛰\nLake,La,water\n")).problems
    assert (problem.code, problem.span.line, problem.span.column) == ("E304", 3, 9)
    assert problem.span.file.endswith("lands.csv")


def test_a_declared_attribute_called_icon_stays_an_attribute(tmp_path: Path) -> None:
    folder = written(
        tmp_path, "title,code,icon\nHill,Hi,3\nLake,La,100\n", ", attributes: {icon: number 0 to 100}"
    )
    game = load(folder)
    assert isinstance(game, PlayableGame), game
    match = game.start()
    assert isinstance(match, Match) and icons(match) == {"Hi": "#", "La": "#"}
