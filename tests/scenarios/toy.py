"""A small game for the tests of scenarios, and a way to play one scenario of it."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.load import Loaded, load_game
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios

GAME = """\
game: Small
language: 1
players: 2 to 3
options:
  goal: {default: 5, from: 1, to: 9}
  starter: {default: at random, choices: players}
types:
  suit: [sun, moon, rain]
cards:
  playing_card:
    attributes: {suit: suit}
    copies: 4 per suit
    code: "{initial of suit}"
    starts in: deck
tokens:
  stone: {per: player, supply: 6}
dice:
  die: {count: 1, faces: 1 to 6}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
boards:
  grid: {shape: square grid, size: 3 x 2}
state:
  points: {per: player, is: number 0 to 20, start: 0}
  rounds: {is: number 0 to 9, start: 0}
  leader: {is: player or none, start: none}
  asked: {is: set of suit}
setup:
  do: |
    shuffle deck
    deal 1 from deck to hand of each player
flow:
  - playing:
      until: rounds is 1
      phases:
        - opening:
            do: |
              add 1 to rounds
        - taking_turns:
            turns: clockwise from starter
            until: any player p where points of p >= goal
            actions: [draw, lay, throw, give]
        - closing:
            who: starter
            actions: [close]
  - finish:
      do: |
        end game as enough
actions:
  draw:
    do: |
      move top of deck to hand of actor
  lay:
    choose:
      laid: card in hand of actor
      spot: space on grid where space is empty
    require:
      - check: suit of laid is not rain or points of actor > 0
        because: Rain needs a point.
    do: |
      move laid to spot
      place stone of actor on laid
      add 1 to points of actor
  throw:
    do: |
      roll the die
      add face of (the die) to points of actor
  give:
    choose:
      receiver: player where player is not actor
    do: |
      actor chooses card c on grid, or none:
          return all stone on c
          move c to hand of receiver
      give another turn to receiver
  close:
    do: |
      set leader to actor
ends:
  enough:
    winner: player with largest points of player
    tie: shared
  emptied:
    when: no card in deck and no card in hand of any player and any card on grid
    winner: nobody
"""


def toy(folder: Path, scenarios: str, statements: str = "") -> Loaded:
    """The game with scenarios, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios" / "some.yaml").write_text("scenarios:\n" + scenarios, encoding="utf-8")
    if statements:
        (folder / "statements.csv").write_text(statements, encoding="utf-8")
    loaded = load_game(str(folder))
    assert loaded.ok, [str(p) for p in loaded.problems]
    return loaded


def results(folder: Path, scenarios: str, statements: str = "") -> tuple[ScenarioResult, ...]:
    """Play scenarios of the game."""
    return run_scenarios(toy(folder, scenarios, statements))


def one(folder: Path, *lines: str) -> ScenarioResult:
    """Play one scenario: its lines without their common indent, after `players: [ana, ben]`."""
    body = "".join(f"    {line}\n" for text in lines for line in text.rstrip("\n").split("\n"))
    found = results(folder, f"  case:\n    players: [ana, ben]\n{body}")
    assert len(found) == 1, [r.text for r in found]
    return found[0]


def where(result: ScenarioResult) -> tuple[int, int]:
    """Line and column of a failure."""
    assert result.failure is not None
    assert Path(result.failure.span.file).name == "some.yaml"
    return result.failure.span.line, result.failure.span.column
