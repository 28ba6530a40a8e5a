"""Problems of keys and sections: E300 … E343.

Comes in: nothing. Goes out: `RULE_ENTRIES`. To add one: an entry here.
"""

from __future__ import annotations

from rulewright.dsl.catalogue_entry import BASE, Entry, Example, folder, part, rule

_ALONE = BASE.replace("include: [part.yaml]\n", "")
_VARIANT = "=== game.yaml\n" + _ALONE + "=== variants/v.yaml\nvariant: V\nof: small\n"
_TABLE = (
    "=== game.yaml\n"
    + _ALONE.replace("suit: [sun, moon, star]", "suit: {table: suits.csv}")
    + "=== suits.csv\nsuit,light\nsun,3\nmoon,2\nstar,1\n"
    + "=== variants/v.yaml\nvariant: V\nof: small\n"
)
_SIDES = (
    "=== game.yaml\n"
    + _ALONE
    + "dice:\n  cube: {count: 1, faces: suit, sides: sides.csv}\n"
    + "rules:\n  thrown:\n    after: draw\n    do: |\n      roll all cube\n"
)
_ACTIONS = "      actions: [draw]\n"
_ARRANGE = _ACTIONS + "      arrange:\n        every card in hand of actor:\n          may go to: table\n"
RULE_ENTRIES: tuple[Entry, ...] = (
    folder(
        "E316",
        "A die whose sides do not fit",
        _SIDES + "=== sides.csv\n1,2\nsun,\n=== variants/v.yaml\nvariant: V\nof: small\n",
        _SIDES + "=== sides.csv\n1,2\nsun,moon\n=== variants/v.yaml\nvariant: V\nof: small\n",
        "v",
    ),
    Entry("E300", "No keys at all", Example("game", "- a\n- b\n"), Example("game", _ALONE)),
    part(
        "E301",
        "A key that is not known",
        "zones:\n  pile: {holds: cards, seen bye: all}\n",
        "zones:\n  pile: {holds: cards, seen by: all}\n",
    ),
    part(
        "E302",
        "A key is missing",
        "zones:\n  pile: {as: pile}\n",
        "zones:\n  pile: {holds: cards, as: pile}\n",
    ),
    part(
        "E303",
        "A list, keys or a text in the wrong place",
        "zones:\n  pile: [cards]\n",
        "zones:\n  pile: {holds: cards}\n",
    ),
    part(
        "E304",
        "A value that cannot stand here",
        "zones:\n  pile: {holds: cards, as: heap}\n",
        "zones:\n  pile: {holds: cards, as: pile}\n",
    ),
    part(
        "E305",
        "Nothing stands after a key",
        "zones:\n  pile:\n    holds: cards\n    as:\n",
        "zones:\n  pile:\n    holds: cards\n    as: row\n",
    ),
    part(
        "E306",
        "This cannot be a name",
        "zones:\n  My pile: {holds: cards}\n",
        "zones:\n  my_pile: {holds: cards}\n",
    ),
    rule(
        "E307",
        "Instructions that stand in no block",
        "after: draw\ndo: end turn",
        "after: draw\ndo: |\n  end turn",
    ),
    part(
        "E310", "The same name twice", "zones:\n  deck: {holds: cards}\n", "zones:\n  pile: {holds: cards}\n"
    ),
    part(
        "E311",
        "An option that does not say what it may be",
        "options:\n  size: {default: 4}\nalways:\n  small: size < 9\n",
        "options:\n  size: {default: 4, from: 1, to: 8}\nalways:\n  small: size < 9\n",
    ),
    part(
        "E312",
        "A table that is not even, or holds no figures",
        "tables:\n  sizes: |\n    players few\n    2 3\n    3\n    4 5\n",
        "tables:\n  sizes: |\n    players few\n    2 3\n    3 4\n    4 5\n",
    ),
    part(
        "E313",
        "A layout that does not count 1, 2, 3 …",
        "layouts:\n  cross: |\n    1 3\n",
        "layouts:\n  cross: |\n    1 2\n",
    ),
    Entry(
        "E314",
        "A number of players that cannot be",
        Example("game", _ALONE.replace("2 to 4", "4 to 2")),
        Example("game", _ALONE),
    ),
    part(
        "E320",
        "A table of cases that does not say what it goes by",
        """\
define:
  glow(card c):
    sun: 2
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
    rule(
        "E321",
        "A rule that is of no kind, or of two",
        "when: mood is 3\ndo: |\n  end turn",
        "after: draw\nwhen: mood is 3\ndo: |\n  end turn",
    ),
    rule(
        "E322",
        "A key that this kind of rule does not have",
        "forbid: draw\nbecause: Not now.\ndo: |\n  end turn",
        "forbid: draw\nbecause: Not now.",
    ),
    Entry(
        "E323",
        "It is not said where things go that are laid out, or said twice",
        Example("game", _ALONE.replace(_ACTIONS, _ARRANGE + "          goes to: table\n")),
        Example("game", _ALONE.replace(_ACTIONS, _ARRANGE)),
    ),
    folder(
        "E340",
        "A path of a variant that leads nowhere",
        _VARIANT + "change: {state.modd.start: 3}\n",
        _VARIANT + "change: {state.mood.start: 3}\n",
        "v",
    ),
    Entry(
        "E341",
        "A variant that is not there",
        Example("folder", _VARIANT, "", "w"),
        Example("folder", _VARIANT, "", "v"),
    ),
    folder(
        "E342",
        "An option that the game does not have",
        _VARIANT + "options: {size: 3}\n",
        _VARIANT + "text: Nothing else.\n",
        "v",
    ),
    folder(
        "E343",
        "A cell that a table does not have",
        _TABLE + "change:\n  types.suit.sun.warmth: 4\n",
        _TABLE + "change:\n  types.suit.sun.light: 4\n",
        "v",
    ),
)
