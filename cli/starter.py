"""A small game to begin with: what `rulewright new NAME` writes.

Comes in: a name. Goes out: the texts of its files. The game checks, plays and passes its own scenarios;
a test holds it to that. What never happens: a starter that shows more than one thing at a time.
"""

from __future__ import annotations

GAME = """\
game: {title}
language: 1
text: Whoever takes the last stone wins.
players: 2
options:
  stones: {{title: Stones at the start, default: 15, from: 5, to: 50}}
  most: {{title: Stones to take at once, default: 3, from: 2, to: 5}}
state:
  left: {{title: Stones left, is: number 0 to stones, start: stones}}
flow:
  - play:
      turns: clockwise from first_player
      at most: stones rounds, then last_stone  # never reached: every turn takes a stone
      actions: [take]
actions:
  take:
    title: Take stones
    choose:
      amount: number in [1 to most]
    require:
      - check: amount <= left
        because: There are not so many stones left.
    do: |
      take amount from left
ends:
  last_stone:
    when: left is 0
    winner: actor
always:
  never_too_many: left <= stones
"""

SCENARIOS = """\
scenarios:
  taking_stones:
    covers: [S-01, S-02]
    players: [ann, bob]
    when:
      - ann: take 3
      - then: [left is 12]
      - bob: take 1
      - ann cannot: take 4
    then:
      - left is 11
      - turn: ann
  the_last_stone_wins:
    covers: [S-03]
    players: [ann, bob]
    given:
      left: 2
    when:
      - ann cannot: take 3
        because: There are not so many stones left.
      - ann: take 2
    then:
      - ended as: last_stone
      - winner: ann
"""

STATEMENTS = """\
id,sentence
S-01,Players take turns.
S-02,On your turn you take one to three stones.
S-03,Whoever takes the last stone wins.
"""

VARIANT = """\
variant: The last stone loses
of: {name}
text: Whoever takes the last stone loses.
change:
  ends.last_stone.winner: opponent of actor
"""


def starter(name: str, title: str) -> dict[str, str]:
    """The files of the small game, by their paths inside its folder."""
    return {
        "game.yaml": GAME.format(title=title),
        "scenarios/play.yaml": SCENARIOS,
        "statements.csv": STATEMENTS,
        "variants/last_stone_loses.yaml": VARIANT.format(name=name),
    }
