"""One entry of the catalogue of problems, and the small game that examples are parts of.

Comes in: nothing. Goes out: `Entry`, `Example` and `BASE`. What never happens: reading or checking
anything; the tests do that, each form of an example in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass

BASE = """\
game: Small
language: 1
players: 2 to 4
include: [part.yaml]
types:
  suit: [sun, moon, star]
cards:
  playing_card:
    kinds: [king, pawn]
    attributes: {suit: suit}
    copies: one per suit
    starts in: deck
tokens:
  coin: {per: player, supply: 9}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
  table: {holds: cards, seen by: all}
boards:
  grid: {shape: square grid, size: 3 x 3}
state:
  points: {per: player, is: number 0 to 20, start: 0}
  mood: {is: number 0 to 9, start: 0}
  leader: {is: player or none, start: none}
define:
  worth(card c): 1
  rich(player p): points of p > 10
flow:
  - play:
      turns: clockwise from first_player
      at most: 100 rounds, then over
      actions: [draw]
actions:
  draw:
    do: |
      gain(actor)
events:
  gain(player p):
    do: |
      move top of deck to hand of p
ends:
  over:
    winner: player with largest points of player
always:
  somebody_is_not_rich: any player p where not rich(p) and sum of worth(c) for card c in table is 0
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A text that shows something.

    `form` says what it is: "part" of the small game, a whole "game" in one file, the "name" of a
    game, the "path" of a file, a "folder" (files behind lines `=== NAME`), "yaml" or "csv" that is
    only read, "slot NAME" for a piece of logic, or "untold" for what only words can show.
    `variant` is laid over a folder. `told` are words for it where it cannot be printed.
    """

    form: str
    text: str
    told: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A code, what it is about, a text that has this problem and no other, and one that has none.

    Without `alone` the wrong text has problems of other codes, too.
    """

    code: str
    title: str
    wrong: Example
    right: Example
    alone: bool = True
    doubtful: bool = False  # a warning in spite of its letter

    @property
    def severity(self) -> str:
        """Whether the game can be played in spite of it."""
        return "warning" if self.doubtful or self.code.startswith("W") else "error"


def part(code: str, title: str, wrong: str, right: str) -> Entry:
    """An entry whose examples are parts of the small game."""
    return Entry(code, title, Example("part", wrong), Example("part", right))


def condition(code: str, title: str, wrong: str, right: str) -> Entry:
    """An entry about a condition that always holds in the small game."""
    return part(code, title, f"always:\n  this_holds: {wrong}\n", f"always:\n  this_holds: {right}\n")


def effect(code: str, title: str, wrong: str, right: str) -> Entry:
    """An entry about what happens when a card of the small game is drawn."""
    head = "rules:\n  after_drawing:\n    after: draw\n    do: |\n"
    return part(code, title, head + _indented(wrong), head + _indented(right))


def rule(code: str, title: str, wrong: str, right: str) -> Entry:
    """An entry about one rule of the small game; `wrong` and `right` are its keys."""
    head = "rules:\n  the_rule:\n"
    return part(code, title, head + _indented(wrong, 4), head + _indented(right, 4))


def yaml(code: str, title: str, wrong: str, right: str, told: str = "") -> Entry:
    """An entry about a file that is only read."""
    return Entry(code, title, Example("yaml", wrong, told), Example("yaml", right))


def csv(code: str, title: str, wrong: str, right: str, told: str = "") -> Entry:
    """An entry about a table that is only read."""
    return Entry(code, title, Example("csv", wrong, told), Example("csv", right))


def folder(code: str, title: str, wrong: str, right: str, variant: str = "") -> Entry:
    """An entry about several files."""
    return Entry(code, title, Example("folder", wrong, "", variant), Example("folder", right, "", variant))


def slot(start: str, text: str) -> Example:
    """A piece of logic of the kind `start`."""
    told = "a text that is nested too deep" if len(text) > 150 else "nothing" if not text else ""
    return Example(f"slot {start}", text, told)


def _indented(text: str, width: int = 6) -> str:
    return "".join(" " * width + line + "\n" for line in text.strip("\n").split("\n"))
