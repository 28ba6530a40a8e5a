"""A small game with every kind of phase and rule, for the tests of diagrams."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.load import load_game
from rulewright.dsl.model import Checked

TEXT = """
game: Small "game" <of> tests & more
language: 1
players: 2
options:
  rounds: {title: Rounds, default: 3, from: 1, to: 5}
types:
  colour: [amber, teal]
cards:
  leaf: {copies: one per colour, starts in: stack}
zones:
  stack: {holds: cards, as: pile, seen by: nobody}
  fan: {per: player, holds: leaf, seen by: owner}
state:
  rain: {is: number 0 to 10, start: 0}
  done: {is: yes or no, start: no}
define:
  wet: rain > 3
flow:
  - season:
      repeat: rounds times
      phases:
        - waking:
            skip when: rain is 0
            do: |
              add 1 to rain
        - growing:
            turns: clockwise from first_player
            until: wet
            at most: 50 rounds, then withered
            actions: [grow, wait]
        - resting:
            do: |
              set rain to 0
  - harvest:
      who: first_player
      actions: [grow]
actions:
  grow:
    title: Grow, and more
    do: |
      add 1 to rain
      bloom
  wait:
    do: |
      set done to yes
events:
  bloom:
    text: It blooms.
    do: |
      add 1 to rain
  storm:
    do: |
      end game as swept_away
rules:
  no_bloom_in_rain:
    forbid: bloom
    when: wet
    because: It rains.
  storms_come:
    after: bloom
    when: rain is 10
    do: |
      storm
  dry_bloom:
    instead of: bloom
    when: rain is 9
    do: |
      add 1 to rain
ends:
  swept_away: {winner: nobody}
  withered: {winner: nobody}
  flooded: {when: rain is 8, winner: nobody}
  harvested: {after: leaving harvest, winner: everybody}
"""


def small_game(folder: Path) -> Checked:
    """The small game, checked, without a problem."""
    (folder / "game.yaml").write_text(TEXT, encoding="utf-8")
    loaded = load_game(str(folder))
    assert loaded.checked is not None
    assert [p for p in loaded.problems if p.severity == "error"] == []
    return loaded.checked
