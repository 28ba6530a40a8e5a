"""Problems of what rules mean together: E431 … E448 and the warnings.

Comes in: nothing. Goes out: `MEANING_ENTRIES`. To add one: an entry here.
"""

from __future__ import annotations

from rulewright.dsl.catalogue_entry import BASE, Entry, Example, condition, effect, part, rule

_ALONE = BASE.replace("include: [part.yaml]\n", "")


def _game(code: str, title: str, old: str, wrong: str, right: str) -> Entry:
    return Entry(
        code, title, Example("game", _ALONE.replace(old, wrong)), Example("game", _ALONE.replace(old, right))
    )


MEANING_ENTRIES: tuple[Entry, ...] = (
    rule(
        "E433",
        "A sentence with more than names in its braces",
        'after: draw\ntext: "The mood is {mood + 1}."\ndo: |\n  end turn',
        'after: draw\ntext: "The mood is {mood}."\ndo: |\n  end turn',
    ),
    condition(
        "E434",
        "A clause of a path where there is no path",
        "any card c in deck while c is card",
        "any card c in deck where c is card",
    ),
    effect(
        "E435",
        "`end repeat` where nothing is repeated",
        "for each player p:\n    end repeat",
        "repeat up to 3 times:\n    end repeat",
    ),
    effect(
        "E437",
        "An agreement or a majority that chooses no value of a state",
        "majority of (all player) chooses player p:\n    set leader to p",
        "majority of (all player) chooses leader from (all player)",
    ),
    part(
        "E438",
        "A hidden state that several choose as one",
        """\
state:
  plan: {is: number 0 to 3, seen by: nobody}
rules:
  talk_after_drawing:
    after: draw
    do: |
      agreement of (all player) chooses plan from [0 to 3], else 0
""",
        """\
state:
  plan: {is: number 0 to 3}
rules:
  talk_after_drawing:
    after: draw
    do: |
      agreement of (all player) chooses plan from [0 to 3], else 0
""",
    ),
    effect(
        "E439",
        "It is not said what holds where players do not agree",
        "agreement of (all player) chooses mood from [0 to 9]",
        "agreement of (all player) chooses mood from [0 to 9], else 0",
    ),
    rule(
        "E449",
        "Something that the language knows and that cannot be played yet",
        "after: draw\nonce per: turn\ndo: |\n  end turn",
        "after: draw\ndo: |\n  end turn",
    ),
    effect(
        "E431",
        "A choice that betrays what its chooser cannot see",
        "actor chooses card c in deck where suit of c is sun:\n    move c to table",
        "actor chooses card c in deck:\n    if suit of c is sun:\n        move c to table",
    ),
    part(
        "E432",
        "Nobody acts here",
        "setup:\n  do: |\n    gain(actor)\n",
        "setup:\n  do: |\n    gain(first_player)\n",
    ),
    part(
        "E436",
        "Something that opens no window, or that opens by itself",
        """\
reactions:
  cheer:
    windows: points rises
    do: |
      add 1 to mood
""",
        """\
reactions:
  cheer:
    windows: gain
    do: |
      add 1 to mood
""",
    ),
    part(
        "E440",
        "A table of cases that is not complete",
        """\
define:
  glow(card c):
    by: suit of c
    sun: 2
    moon: 1
always:
  x: any card c where glow(c) is 1
""",
        """\
define:
  glow(card c):
    by: suit of c
    sun: 2
    moon: 1
    star: 1
always:
  x: any card c where glow(c) is 1
""",
    ),
    part(
        "E441",
        "A case that cannot be",
        """\
define:
  glow(card c):
    by: suit of c
    son: 2
    else: 1
always:
  x: any card c where glow(c) is 1
""",
        """\
define:
  glow(card c):
    by: suit of c
    sun: 2
    else: 1
always:
  x: any card c where glow(c) is 1
""",
    ),
    part(
        "E442",
        "A definition that uses itself",
        "define:\n  far(space s): far(s) + 1\nalways:\n  x: far(a1) is 1\n",
        "define:\n  far(space s): row_number of s + 1\nalways:\n  x: far(a1) is 1\n",
    ),
    rule(
        "E443",
        "Events that cause each other without end",
        "after: gain\ndo: |\n  gain(left of p)",
        "after: draw\ndo: |\n  gain(left of actor)",
    ),
    part(
        "E444",
        "A rule that needs the value it changes",
        """\
define:
  wealth(player p): sum of worth(c) for card c in hand of p
rules:
  dear_cards:
    change: worth
    when: any player p where wealth(p) > 3
    to: worth + 1
""",
        """\
define:
  wealth(player p): count of card in hand of p
rules:
  dear_cards:
    change: worth
    when: any player p where wealth(p) > 3
    to: worth + 1
""",
    ),
    rule(
        "E445",
        "A rule that asks for its own answer",
        "forbid: gain\nwhen: can gain(left of p)\nbecause: The other comes first.",
        "forbid: gain\nwhen: rich(left of p)\nbecause: The other comes first.",
    ),
    part(
        "E446",
        "Options that depend on each other",
        """\
options:
  few: {default: 1, from: 1, to: many}
  many: {default: 9, from: few, to: 9}
always:
  x: few <= many
""",
        """\
options:
  few: {default: 1, from: 1, to: 9}
  many: {default: 9, from: few, to: 9}
always:
  x: few <= many
""",
    ),
    _game(
        "E447",
        "A phase that nobody can leave",
        "      at most: 100 rounds, then over\n",
        "",
        "      at most: 50 rounds, then over\n",
    ),
    _game("E448", "Too many pieces", "supply: 9", "supply: 90000", "supply: 90"),
    condition(
        "W450",
        "A part of a `where` that says nothing of its element",
        "any card c in deck where suit of c is sun and no coin on grid",
        "(any card c in deck where suit of c is sun) and no coin on grid",
    ),
    part(
        "W451",
        "An option that changes nothing",
        "options:\n  size: {default: 4, from: 1, to: 8}\n",
        "options:\n  size: {default: 4, from: 1, to: 8}\nalways:\n  small: size < 9\n",
    ),
    part(
        "W452",
        "A definition that nothing uses",
        "define:\n  poor(player p): points of p < 3\n",
        "define:\n  poor(player p): points of p < 3\nalways:\n  x: every player p has poor(p)\n",
    ),
    part(
        "W453",
        "An event or an action that nothing leads to",
        "events:\n  rain:\n    do: |\n      set mood to 3\n",
        """\
events:
  rain:
    do: |
      set mood to 3
rules:
  it_rains:
    after: draw
    do: |
      rain
""",
    ),
    rule(
        "W454",
        "A rule that never applies",
        "after: draw\nwhen: mood < 3 and mood > 5\ndo: |\n  end turn",
        "after: draw\nwhen: mood < 3 or mood > 5\ndo: |\n  end turn",
    ),
    _game(
        "W455",
        "A phase that need not end",
        """\
      at most: 100 rounds, then over
      actions: [draw]
actions:
  draw:
    do: |
      gain(actor)
""",
        """\
      actions: [draw]
actions:
  draw:
    do: |
      gain(actor)
      if mood is 9:
          end game as over
""",
        """\
      at most: 9 rounds
      actions: [draw]
actions:
  draw:
    do: |
      gain(actor)
      if mood is 9:
          end game as over
""",
    ),
    _game(
        "W456",
        "A choice that is always empty",
        "  draw:\n    do: |\n",
        """\
  draw:
    choose:
      taken: king in hand of actor where mood < 3 and mood > 5
    do: |
""",
        "  draw:\n    choose:\n      taken: king in hand of actor\n    do: |\n",
    ),
    part(
        "W458",
        "A window that nothing opens",
        """\
reactions:
  cheer:
    windows: feast
    do: |
      add 1 to mood
""",
        """\
reactions:
  cheer:
    windows: feast
    do: |
      add 1 to mood
rules:
  people_may_cheer:
    after: draw
    do: |
      offer feast
""",
    ),
    part(
        "W457",
        "Two rules that replace the same event",
        """\
rules:
  one:
    instead of: gain
    do: |
      end turn
  other:
    instead of: gain
    do: |
      end phase
""",
        """\
rules:
  one:
    instead of: gain
    priority: 1
    do: |
      end turn
  other:
    instead of: gain
    do: |
      end phase
""",
    ),
)
