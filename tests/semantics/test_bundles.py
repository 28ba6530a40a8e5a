"""Bundles of options, and kinds that are in a game only when the options want them."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import (
    do,
    ids,
    pieces,
    problems,
    same_to_the_end,
    state,
    story,
    toy,
    true_of,
)

HEAD = """
options:
  theme:
    default: plain
    bundles:
      plain: {extras: []}
      war: {extras: [fort, mine]}
      calm: {extras: [], gentle: yes, size: 1, pace: slow}
      choice: {extras: 2 named}
      luck: {extras: 2 at random}
  extras: {some of: extra, default: []}
  gentle: {default: no}
  size: {default: 2, from: 1, to: 3}
  pace: {default: fast, choices: [fast, slow]}
types:
  suit: [sun, moon]
cards:
  land: {attributes: {suit: suit or none}, copies: 2 per suit, code: "{suit}", starts in: deck}
  extra:
    used when: not gentle and kind of extra is in extras
    starts in: deck
  fort:
    is: extra
    copies: 2
    code: F
    rules:
      forts_pay:
        after: play
        do: |
          add 5 to n
  mine: {is: extra, copies: 1, code: M}
  dike: {is: extra, copies: 1, code: D}
  wild: {is: [extra, land], copies: 3, code: W}
"""
PLAY = """
zones:
  deck: {holds: cards, seen by: all}
  out: {holds: cards, seen by: all}
state:
  n: {is: number 0 to 99}
setup:
  do: |
    if pace is slow:
        add size to n
flow:
  - main:
      turns: clockwise from x
      at most: 9 rounds, then over
      if stuck: pass
      actions: [play, tame]
actions:
  play:
    choose:
      played: card in deck where card is not wild
    do: |
      move played to out
      if played is fort:
          add 1 to n
  tame:
    choose:
      played: wild in deck
      named: suit
    do: |
      set suit of played to named
      move played to out
ends:
  over:
    winner: nobody
"""
GAME = HEAD + PLAY
LANDS = ["moon", "moon", "sun", "sun"]


def deck(**options: object) -> list[str]:
    """The codes of all cards of the game with these options."""
    return sorted(pieces(toy(GAME, options=options), "deck"))


def extras_of(match: Match) -> str:
    return dict(match.program.options)["extras"]


def test_a_bundle_sets_lists_numbers_words_and_yes_or_no() -> None:
    assert deck() == LANDS
    assert deck(theme="war") == ["F", "F", "M", *LANDS]
    calm = toy(GAME, options={"theme": "calm"})
    assert dict(calm.program.options) == {
        "theme": "calm", "extras": "", "gentle": "yes", "size": "1", "pace": "slow",
    }  # fmt: skip
    assert state(calm, "n") == 1


def test_an_explicit_option_wins_over_what_a_bundle_says() -> None:
    assert deck(theme="war", extras=["dike"]) == ["D", *LANDS]
    assert deck(theme="war", extras=[]) == LANDS
    assert deck(theme="war", extras="none") == LANDS
    assert deck(theme="calm", gentle="no", extras=["dike"]) == ["D", *LANDS]
    assert deck(theme="war", gentle="yes") == LANDS
    assert deck(theme="choice", extras=["dike", "mine"]) == ["D", "M", *LANDS]


def test_kinds_drawn_by_a_bundle_come_from_the_seed() -> None:
    drawn = {extras_of(toy(GAME, seed=seed, options={"theme": "luck"})) for seed in range(60)}
    assert drawn == {" ".join(pair) for pair in combinations(("fort", "mine", "dike", "wild"), 2)}
    for seed in range(5):
        first, again = (toy(GAME, seed=seed, options={"theme": "luck"}) for _ in range(2))
        assert extras_of(first) == extras_of(again) and pieces(first, "deck") == pieces(again, "deck")
    explicit = {extras_of(toy(GAME, seed=seed, options={"extras": "3 at random"})) for seed in range(30)}
    assert {len(x.split()) for x in explicit} == {3} and len(explicit) == 4


def test_a_kind_that_is_not_in_use_is_still_a_name() -> None:
    played = do(toy(GAME, options={"theme": "plain"}), "play played=sun")
    assert state(played, "n") == 0  # `played is fort` is simply no, and the rule under `fort` is not there
    played = do(toy(GAME, options={"theme": "war"}), "play played=sun")
    assert state(played, "n") == 5  # now it is, on whatever is played
    assert state(do(played, "play played=F"), "n") == 11
    conditions = {"no fort": True, "any fort": False, "every fort has fort is extra": True, "no extra": True}
    true_of(GAME, conditions)
    true_of(GAME, {"exactly 2 fort": True, "exactly 3 extra": True}, options={"theme": "war"})


def test_a_card_of_two_kinds_has_its_own_copies_and_starts_without_the_values_that_copies_give() -> None:
    options = {"extras": ["wild"]}
    assert deck(**options) == ["W", "W", "W", *LANDS]
    conditions = {
        "exactly 7 land": True,
        "exactly 3 extra": True,
        "every wild has wild is land and wild is extra": True,
        "every wild has suit of wild is none": True,
        "exactly 2 land where suit of land is sun": True,
    }
    true_of(GAME, conditions, options=options)
    match = toy(GAME, options=options)
    assert ids(match)[-2:] == ["tame played=W named=sun", "tame played=W named=moon"]
    same_to_the_end(match)


def test_copies_of_a_parent_are_for_kinds_that_say_none_themselves() -> None:
    rules = GAME.replace("wild: {is: [extra, land], copies: 3,", "wild: {is: [extra, land],")
    match = toy(rules, options={"extras": ["wild"]})
    assert sorted(pieces(match, "deck")) == ["W"] * 4 + LANDS


@pytest.mark.parametrize(
    ("condition", "there"),
    [
        ("kind of extra is in extras", "D"),
        ("extra is in extras", "D"),
        ("kind of card is in extras", "D"),
        ("kind of extra is fort or extra is land", "FFWWW"),
        ("kind of extra is not fort and extra is not land and players is 2", "DM"),
        ("kind of extra is in [mine, dike]", "DM"),
        ("size is in [1 to 2] and kind of extra is mine", "M"),
        ("size is in [3] and kind of extra is mine", ""),
        ("wanted and kind of extra is mine", "M"),
    ],
)
def test_used_when_is_read_for_each_kind(condition: str, there: str) -> None:
    rules = GAME.replace("not gentle and kind of extra is in extras", condition)
    rules += "define:\n  wanted: pace is fast and extras is not [fort]\n"
    found = pieces(toy(rules, options={"extras": ["dike"]}), "deck")
    assert sorted(x for x in found if x not in LANDS) == sorted(there)


def test_kinds_in_a_list_share_the_condition_of_the_kind_above() -> None:
    rules = HEAD.replace("    used when: not", "    kinds: [tower, moat]\n    copies: 2\n    used when: not")
    match = toy(rules + PLAY, options={"extras": ["moat", "dike"]})
    assert sorted(pieces(match, "deck")) == ["D", "moat", "moat", *LANDS]


def test_a_kind_is_in_use_when_all_that_it_is_wants_it() -> None:
    rules = GAME.replace("  mine: {is: extra,", "  mine: {is: extra, used when: pace is slow,")
    rules = rules.replace("  land: {attributes", "  land: {used when: size > 1, attributes")

    def there(**options: object) -> list[str]:
        return sorted(set(pieces(toy(rules, options=options), "deck")))

    assert there(extras=["mine", "wild"]) == ["W", "moon", "sun"]
    assert there(extras=["mine", "wild"], pace="slow") == ["M", "W", "moon", "sun"]
    assert there(extras=["mine", "wild"], pace="slow", size="1") == ["M"]
    assert there(pace="slow") == ["moon", "sun"]


def test_what_is_drawn_and_shapes_nothing_is_drawn_in_play() -> None:
    rules = GAME.replace("not gentle and kind of extra is in extras", "not gentle")
    rules += "always:\n  few: (count of card c in deck where kind of c is in extras) <= 5\n"
    match = toy(rules, options={"theme": "luck"})
    assert extras_of(match) == "2 at random"
    again = toy(rules, options={"theme": "luck", "extras": extras_of(match)})
    assert again.program == match.program and again.state_hash() == match.state_hash()
    scripted = toy(rules, options={"theme": "luck"}, script={"option extras": ["mine", "fort"]})
    assert "option extras: nothing → mine" in story(scripted) and "mine and fort" in story(scripted)


def test_an_option_that_stands_behind_a_definition_shapes_the_components_too() -> None:
    rules = GAME.replace("kind of extra is in extras", "x_begins").replace(
        "  gentle:", "  beginner: {default: at random, choices: players}\n  gentle:"
    )
    rules += "define:\n  x_begins: begins_with_x\n  begins_with_x: beginner is x\n"
    there = {}
    for seed in range(12):
        match = toy(rules, seed=seed)
        there.setdefault(dict(match.program.options)["beginner"], set()).add(len(pieces(match, "deck")))
    assert there == {"x": {11}, "o": {4}}


def test_some_of_a_kind_is_singular_or_plural_and_nothing_else() -> None:
    assert "E304" in problems(GAME.replace("some of: extra,", "some of: extra_kind,"))
    for word in ("extra", "extras"):
        rules = GAME.replace("some of: extra,", f"some of: {word},")
        if word == "extras":
            assert "E407" not in problems(rules)
        assert sorted(pieces(toy(rules, options={"theme": "war"}), "deck")) == ["F", "F", "M", *LANDS]
    rules = GAME.replace("  gentle:", "  lights: {some of: suits, default: [moon]}\n  gentle:")
    rules += "always:\n  it_shines: every land has suit of land is in lights or suit of land is sun\n"
    assert toy(rules, options={"lights": ["sun"]}).broken_invariants()
    assert not toy(rules).broken_invariants()


def test_beside_kind_of_a_name_is_a_kind_even_where_a_piece_is_called_like_it() -> None:
    conditions = {
        "every fort has kind of fort is fort": True,
        "any extra where kind of extra is fort": True,
        "every extra has kind of extra is mine": False,
        "every fort has kind of fort is in [fort]": True,
    }
    true_of(GAME, conditions, options={"theme": "war"})
    rules = GAME.replace(
        "    is: extra\n    copies: 2\n",
        "    is: extra\n    used when: kind of fort is fort\n    copies: 2\n",
    )
    rules = rules.replace("  wild: {is", "  keep: {is: fort, copies: 1, code: K}\n  wild: {is")
    assert sorted(pieces(toy(rules, options={"extras": ["fort", "keep"]}), "deck")) == ["F", "F", *LANDS]
