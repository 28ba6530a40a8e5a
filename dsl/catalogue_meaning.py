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
        "E440",
        "A table of cases that is not complete",
        "define:\n  glow(card c):\n    by: suit of c\n    sun: 2\n    moon: 1\nalways:\n  x: any card c where glow(c) is 1\n",
        "define:\n  glow(card c):\n    by: suit of c\n    sun: 2\n    moon: 1\n    star: 1\nalways:\n  x: any card c where glow(c) is 1\n",
    ),
    part(
        "E441",
        "A case that cannot be",
        "define:\n  glow(card c):\n    by: suit of c\n    son: 2\n    else: 1\nalways:\n  x: any card c where glow(c) is 1\n",
        "define:\n  glow(card c):\n    by: suit of c\n    sun: 2\n    else: 1\nalways:\n  x: any card c where glow(c) is 1\n",
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
        "define:\n  wealth(player p): sum of worth(c) for card c in hand of p\n"
        "rules:\n  dear_cards:\n    change: worth\n    when: any player p where wealth(p) > 3\n    to: worth + 1\n",
        "define:\n  wealth(player p): count of card in hand of p\n"
        "rules:\n  dear_cards:\n    change: worth\n    when: any player p where wealth(p) > 3\n    to: worth + 1\n",
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
        "options:\n  few: {default: 1, from: 1, to: many}\n  many: {default: 9, from: few, to: 9}\nalways:\n  x: few <= many\n",
        "options:\n  few: {default: 1, from: 1, to: 9}\n  many: {default: 9, from: few, to: 9}\nalways:\n  x: few <= many\n",
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
        "events:\n  rain:\n    do: |\n      set mood to 3\nrules:\n  it_rains:\n    after: draw\n    do: |\n      rain\n",
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
        "      at most: 100 rounds, then over\n      actions: [draw]\nactions:\n  draw:\n    do: |\n      gain(actor)\n",
        "      actions: [draw]\nactions:\n  draw:\n    do: |\n      gain(actor)\n      if mood is 9:\n          end game as over\n",
        "      at most: 9 rounds\n      actions: [draw]\nactions:\n  draw:\n    do: |\n      gain(actor)\n      if mood is 9:\n          end game as over\n",
    ),
    _game(
        "W456",
        "A choice that is always empty",
        "  draw:\n    do: |\n",
        "  draw:\n    choose:\n      taken: king in hand of actor where mood < 3 and mood > 5\n    do: |\n",
        "  draw:\n    choose:\n      taken: king in hand of actor\n    do: |\n",
    ),
    part(
        "W457",
        "Two rules that replace the same event",
        "rules:\n  one:\n    instead of: gain\n    do: |\n      end turn\n  other:\n    instead of: gain\n    do: |\n      end phase\n",
        "rules:\n  one:\n    instead of: gain\n    priority: 1\n    do: |\n      end turn\n  other:\n    instead of: gain\n    do: |\n      end phase\n",
    ),
)
