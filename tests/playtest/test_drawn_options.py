"""A batch in which each game draws its own kinds of cards: equal whoever plays it, and each game replays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.interpreter.record import replay
from rulewright.playtest.batch import Batch, run_batch
from rulewright.playtest.report import summary, to_json
from rulewright.playtest.settings import Settings

GAME = """\
game: Toy
language: 1
players: 2
options:
  theme:
    default: plain
    bundles:
      plain: {extras: []}
      luck: {extras: 2 at random}
  extras: {some of: extra, default: []}
cards:
  extra: {used when: kind of extra is in extras, starts in: deck}
  fort: {is: extra, copies: 1, code: F}
  mine: {is: extra, copies: 2, code: M}
  dike: {is: extra, copies: 3, code: D}
  moat: {is: extra, copies: 4, code: T}
  land: {copies: 2, code: L, starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
setup:
  do: |
    shuffle deck
flow:
  - main:
      turns: clockwise from first_player
      at most: 20 rounds, then over
      actions: [draw, pass]
actions:
  draw:
    require:
      - check: deck is not empty
        because: There is no card.
    do: |
      move top of deck to hand of actor
  pass: {text: Nothing.}
ends:
  over:
    when: deck is empty
    winner: player with largest score of player
define:
  score(player p): count of card in hand of p
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    path = tmp_path / "toy.yaml"
    path.write_text(GAME)
    return Settings(str(path), options=(("theme", ("luck",)),), games=24, seed=100)


def played(settings: Settings, workers: int) -> tuple[Batch, dict[int, dict[str, Any]]]:
    kept: dict[int, dict[str, Any]] = {}
    batch = run_batch(settings, workers=workers, keep=lambda number, record: kept.update({number: record}))
    assert isinstance(batch, Batch), batch
    return batch, kept


def test_each_game_has_a_draw_of_its_own_whoever_plays_it(settings: Settings) -> None:
    alone, kept = played(settings, 1)
    together, elsewhere = played(settings, 3)
    assert to_json(summary(alone)) == to_json(summary(together))
    assert kept == elsewhere
    draws = Counter(record["options"]["extras"] for record in kept.values())
    assert len(draws) == 6 and all(len(words.split()) == 2 for words in draws)
    assert alone.tally.games == alone.tally.ended == 24 and not alone.tally.fault_count


def test_a_game_does_not_depend_on_those_played_before_it(settings: Settings) -> None:
    _, kept = played(settings, 1)
    for number in (7, 20):
        _, single = played(Settings(settings.game, options=settings.options, games=1, seed=100 + number), 1)
        assert single == {0: kept[number]}


def test_the_summary_says_that_it_is_drawn(settings: Settings) -> None:
    batch, _ = played(settings, 1)
    assert dict(batch.options) == {"theme": "luck", "extras": "2 at random"}
    assert summary(batch)["options"]["extras"] == "2 at random"
    fixed = Settings(settings.game, options=(("extras", ("moat", "fort")),), games=2)
    assert dict(played(fixed, 1)[0].options)["extras"] == "fort moat"


def test_the_record_of_each_game_replays(settings: Settings) -> None:
    _, kept = played(settings, 1)
    game = load(settings.game)
    assert isinstance(game, PlayableGame)
    for record in kept.values():
        program = game.program(tuple(record["players"]), record["options"])
        assert not isinstance(program, tuple)
        match = replay(program, record)
        assert isinstance(match, Match) and match.over and match.result.as_json() == record["result"]


def test_a_bundle_that_wants_kinds_to_be_named_stops_the_batch_before_it_begins(settings: Settings) -> None:
    Path(settings.game).write_text(GAME.replace("2 at random", "2 named"))
    found = run_batch(settings, workers=1)
    assert isinstance(found, tuple) and [p.code for p in found] == ["E504"]
