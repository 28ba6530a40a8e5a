"""`rulewright check` turns every switch: each bundle, each kind to be had, both ends of a range."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.interpreter import switches
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.switches import check_whole, settings

GAME = """\
game: Toy
language: 1
players: 2 to 3
options:
  theme:
    default: plain
    bundles:
      plain: {extras: []}
      war: {extras: [fort, mine]}
      luck: {extras: 2 at random}
      choice: {extras: 2 named}
  extras: {some of: extra, default: []}
  colours: {some of: colour, default: [red]}
  calm: {default: no}
  size: {default: 2, from: 1, to: players + 1}
  pace: {default: fast, choices: [fast, slow]}
  starter: {default: at random, choices: players}
types:
  colour: [red, green]
cards:
  extra: {copies: 1, kinds: [fort, mine, dike], used when: kind of extra is in extras, starts in: deck}
  lot: {copies: size per colour, starts in: deck}
zones:
  deck: {holds: cards, seen by: all}
flow:
  - main:
      turns: clockwise from starter
      at most: 2 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      move all extra in deck to box
ends:
  over: {winner: nobody}
always:
  read: calm or pace is fast or any lot where colour of lot is in colours
"""


def toy(folder: Path, text: str) -> str:
    path = folder / "toy.yaml"
    path.write_text(text)
    return str(path)


def told(folder: Path, text: str) -> list[str]:
    return [f"{p.code} {p.span.line}: {p.text}" for p in check_whole(toy(folder, text)).problems]


def test_every_switch_is_turned_by_itself_and_all_together(tmp_path: Path) -> None:
    game = load(toy(tmp_path, GAME))
    assert isinstance(game, PlayableGame)
    found = list(settings(game.checked))
    named = ("fort", "mine")
    every = ("fort", "mine", "dike")
    assert found == [
        (2, {}), (3, {}),
        (2, {"theme": "war"}), (2, {"theme": "luck"}), (2, {"theme": "choice", "extras": named}),
        *((2, {"extras": (kind,)}) for kind in every), (2, {"extras": every}),
        (2, {"colours": ("red",)}), (2, {"colours": ("green",)}), (2, {"colours": ("red", "green")}),
        (2, {"calm": "yes"}),
        (2, {"size": "1"}), (2, {"size": "3"}),
        (2, {"pace": "slow"}),
        (2, {"starter": "first"}),
        (2, {
            "theme": "choice", "extras": named, "colours": ("red", "green"), "calm": "yes", "size": "3",
            "pace": "slow", "starter": "first",
        }),
    ]  # fmt: skip
    assert told(tmp_path, GAME) == []


def test_a_setting_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[object] = []

    def counted(checked: object, players: int, options: dict[str, str | Sequence[str]], seed: int) -> object:
        lowered.append((players, options))
        return prepare(checked, players, options, seed)  # type: ignore[arg-type]

    monkeypatch.setattr(switches, "prepare", counted)
    assert told(tmp_path, GAME) == []
    assert len(lowered) == 17  # red alone is the default


@pytest.mark.parametrize(
    ("kind", "many", "where"),
    [
        ("lot: {copies: size", "if pace is slow then 4000 else size", "with 2 players and pace=slow"),
        ("lot: {copies: size", "if size > 2 then 3000 else 1", "with 3 players"),
        ("lot: {copies: size", "if size > 2 and players is 2 then 3000 else 1", "with 2 players and size=3"),
        ("extra: {copies: 1", "if calm then 4000 else 1", "theme=choice, extras=fort mine, colours="),
    ],
)
def test_what_goes_wrong_in_one_setting_is_found_there(
    tmp_path: Path, kind: str, many: str, where: str
) -> None:
    rules = GAME.replace(kind, kind.rpartition(" ")[0] + " many") + f"define:\n  many: {many}\n"
    if where == "with 3 players":
        rules = rules.replace("default: 2, from: 1", "default: players, from: 1")
    found = told(tmp_path, rules)
    assert len(found) == 1 and found[0].startswith("E506") and where in found[0], found


def test_a_kind_that_is_never_in_a_bundle_is_tried_alone(tmp_path: Path) -> None:
    rules = GAME.replace("kinds: [fort, mine, dike]", "kinds: [fort, mine]").replace(
        "  lot:", "  dike: {is: extra, copies: 3000}\n  lot:"
    )
    found = told(tmp_path, rules)
    assert len(found) == 1 and "E506" in found[0] and "extras=dike" in found[0]


def test_a_bundle_that_nobody_can_play_is_a_problem_at_its_value(tmp_path: Path) -> None:
    rules = GAME.replace("war: {extras: [fort, mine]}", "war: {size: 4}")
    assert told(tmp_path, rules) == []  # three can play it
    rules = GAME.replace("war: {extras: [fort, mine]}", "war: {size: 5}")
    (found,) = told(tmp_path, rules)
    assert found.startswith("E504 9: The option `size` cannot be 5 with 2 players (as `theme=war` says).")
