"""Problems of names and types: E401 … E429.

Comes in: nothing. Goes out: `TYPE_ENTRIES`. To add one: an entry here.
"""

from __future__ import annotations

from rulewright.dsl.catalogue_entry import Entry, condition, effect, part, rule

TYPE_ENTRIES: tuple[Entry, ...] = (
    condition("E401", "A name that means nothing here", "moood is 3", "mood is 3"),
    condition(
        "E402",
        "A property that this does not have",
        "every card c has colour of c is sun",
        "every card c has suit of c is sun",
    ),
    condition(
        "E403",
        "A definition or relation that is not there",
        "any space linked to a1 by neighbour where space is empty",
        "any space linked to a1 by adjacent where space is empty",
    ),
    rule(
        "E404",
        "An event, action or end that is not there",
        "after: drow\ndo: |\n  end turn",
        "after: draw\ndo: |\n  end turn",
    ),
    condition(
        "E405",
        "It is not said whose, or a phase or zone is not there",
        "every card in hand is king",
        "every card in hand of any player is king",
    ),
    condition("E406", "A kind that is not there", "any crad in deck", "any card in deck"),
    part(
        "E407",
        "A name that already has a meaning",
        "zones:\n  mood: {holds: cards}\n",
        "zones:\n  mood_cards: {holds: cards}\n",
    ),
    part(
        "E408",
        "Kinds in a circle",
        "tokens:\n  a: {is: b}\n  b: {is: a}\n",
        "tokens:\n  a: {is: b}\n  b: {supply: 4}\n",
    ),
    part(
        "E409",
        "A word that its list does not have",
        "types:\n  weather: [rain, snow]\nalways:\n  x: any card c where suit of c is rain\n",
        "types:\n  weather: [rain, snow]\nalways:\n  x: any card c where suit of c is sun\n",
    ),
    effect(
        "E410",
        "A thing of another kind is needed",
        "for each space s on grid:\n    gain(s)",
        "for each player p:\n    gain(p)",
    ),
    condition(
        "E411", "A number is needed", "hand of first_player > 3", "count of card in hand of first_player > 3"
    ),
    condition("E412", "A condition is needed", "mood", "mood is 3"),
    condition(
        "E413", "This may be none", "points of leader is 3", "leader is not none and points of leader is 3"
    ),
    condition("E414", "This is never none", "mood is none", "leader is none"),
    condition("E415", "Things that can never be equal", "mood > 20", "mood > 2"),
    condition(
        "E416",
        "Too many or too few things in brackets, or a count that needs them",
        "any card c where worth(c, c) is 1",
        "any card c where worth(c) is 1",
    ),
    condition("E417", "A set is needed", "mood is in players", "mood is in [1, players]"),
    condition(
        "E418",
        "`or` joins conditions or sets",
        "any card c where suit of c is sun or moon",
        "any card c where suit of c is in [sun, moon]",
    ),
    condition(
        "E419",
        "Something might be divided by 0",
        "10 / mood rounded down is 10",
        "10 / (mood + 1) rounded down is 10",
    ),
    condition(
        "E420",
        "Things that do not go together",
        "(if mood is 3 then 1 else yes) is 1",
        "(if mood is 3 then 1 else 2) is 1",
    ),
    effect("E421", "A number that does not fit", "set mood to 12", "set mood to 9"),
    effect("E422", "This cannot be set", "set deck to 3", "set mood to 3"),
    effect("E423", "A place is needed", "move top of deck to mood", "move top of deck to table"),
    effect("E424", "Pieces are needed", "move all space on grid to table", "move all card in deck to table"),
    effect("E425", "It is not said whose", "place coin on a1", "place coin of actor on a1"),
    effect(
        "E426",
        "Chance does not decline",
        "chance chooses card c in deck, or none:\n    move c to table",
        "chance chooses card c in deck:\n    move c to table",
    ),
    condition(
        "E427",
        "Two selections that need names",
        "every card in deck has any card in table where suit of card is sun",
        "every card in deck has any card c in table where suit of c is sun",
    ),
    condition("E428", "Something that holds nothing of this kind", "any card in mood", "any card in deck"),
    condition(
        "E429",
        "A way or a group that goes over something else",
        "any player going north from a1",
        "any space going north from a1",
    ),
)
