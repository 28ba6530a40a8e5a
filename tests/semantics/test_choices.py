"""Choices in effects: who chooses, what from, how many, and what happens when there is nothing to choose."""

from __future__ import annotations

from rulewright.tests.semantics.toys import do, ids, pieces, problems, same_to_the_end, state, toy, who

GAME = """
types:
  rank: 1 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: all}
  shelf: {holds: cards, as: row, seen by: all}
  hand: {per: player, holds: cards, seen by: all}
state:
  pick: {is: number 0 to 9}
  vote: {per: player, is: yes or no, start: no}
  friend: {is: player or none, start: none}
  polite: {is: yes or no, start: no}
setup:
  do: |
    deal 2 from deck to hand of each player
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [act, idle]
actions:
  idle:
    do: |
      set polite to yes
  act:
    do: |
EFFECT
ends:
  over:
    winner: nobody
"""


def after(effect: str, *choices: str, **more):  # type: ignore[no-untyped-def]
    """The game after the action with that effect (x holds C6 and C4, o holds C5 and C3, deck C1 and C2)."""
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    return do(toy(GAME.replace("EFFECT", lines), **more), "act", *choices)


ONE = """
actor chooses c d in hand of actor{tail}:
    move d to shelf
else:
    move top of deck to shelf
"""


def test_one_is_chosen() -> None:
    match = after(ONE.format(tail=""))
    assert (who(match), ids(match)) == ("x", ["d=C6", "d=C4"])
    assert pieces(do(match, "d=C4"), "shelf") == ["C4"]


def test_or_none_and_or_none_if() -> None:
    match = after(ONE.format(tail=", or none"))
    assert ids(match) == ["d=C6", "d=C4", "d=none"]
    assert pieces(do(match, "d=none"), "shelf") == ["C2"]
    assert ids(after(ONE.format(tail=", or none if polite"))) == ["d=C6", "d=C4"]
    assert ids(after("set polite to yes\n" + ONE.format(tail=", or none if polite")))[-1] == "d=none"
    assert ids(after("actor may choose c d in hand of actor:\n    move d to shelf"))[-1] == "d=none"


def test_nothing_to_choose_does_the_else() -> None:
    none_there = (
        "actor chooses c d in shelf{tail}:\n    move d to hand of x\nelse:\n    move top of deck to shelf"
    )
    assert pieces(after(none_there.format(tail="")), "shelf") == ["C2"]
    assert pieces(after(none_there.format(tail=", or none")), "shelf") == ["C2"]


def test_the_only_one_is_taken_without_asking_unless_none_is_possible() -> None:
    one = "actor chooses c d in hand of actor where rank of d is 4{tail}:\n    move d to shelf"
    assert pieces(after(one.format(tail="")), "shelf") == ["C4"]
    assert ids(after(one.format(tail=", or none"))) == ["d=C4", "d=none"]


def test_so_many_are_picked_in_one_order_and_as_many_as_there_are() -> None:
    some = "actor chooses {n} c d in {place}:\n    move d to shelf\nelse:\n    move top of deck to shelf"
    match = after(some.format(n=2, place="(hand of x or hand of o)"))
    assert ids(match) == ["d=C6", "d=C4", "d=C5"]  # with C3 first there would be too few
    do(match, "d=C4")
    assert ids(match) == ["d=C5", "d=C3"]
    assert pieces(do(match, "d=C3"), "shelf") == ["C4", "C3"]
    assert pieces(after(some.format(n=5, place="hand of x")), "shelf") == ["C6", "C4"]
    assert pieces(after(some.format(n=5, place="shelf")), "shelf") == ["C2"]


def test_up_to_and_any_number() -> None:
    some = (
        "actor chooses {n} c d in hand of actor:\n    move d to shelf\nelse:\n    move top of deck to shelf"
    )
    match = after(some.format(n="up to 1"))
    assert ids(match) == ["d=C6", "d=C4", "done"]
    assert pieces(do(match, "d=C6"), "shelf") == ["C6"]
    match = after(some.format(n="any number of"))
    assert pieces(do(match, "d=C6", "d=C4"), "shelf") == ["C6", "C4"]
    assert pieces(after(some.format(n="any number of"), "done"), "shelf") == ["C2"]  # none chosen: `else`


def test_chance_chooses() -> None:
    one = "chance chooses c d in hand of x:\n    move d to shelf"
    assert pieces(after(one, script=["C4"]), "shelf") == ["C4"]
    two = "chance chooses 2 c d in (hand of x or hand of o):\n    move d to shelf"
    assert sorted(pieces(after(two, script=["C3", "C6"]), "shelf")) == ["C3", "C6"]
    assert sorted(pieces(after("chance chooses 5 c d in hand of x:\n    move d to shelf"), "shelf")) == [
        "C4",
        "C6",
    ]
    nobody = "chance chooses c d in shelf:\n    move d to hand of x\nelse:\n    move top of deck to shelf"
    assert pieces(after(nobody), "shelf") == ["C2"]


def test_together_is_secret_and_simultaneous() -> None:
    match = after("each player p chooses c d in hand of p, together:\n    move d to shelf")
    assert (who(match), ids(match)) == ("x", ["d=C6", "d=C4"])
    seen = match.view(1)
    do(match, "d=C6")
    assert pieces(match, "shelf") == []  # nothing shows until the last has chosen
    before = {k: v for k, v in seen.items() if k != "decision"}
    now = {k: v for k, v in match.view(1).items() if k != "decision"}
    assert before == now
    assert (who(match), ids(match)) == ("o", ["d=C5", "d=C3"])
    assert pieces(do(match, "d=C3"), "shelf") == ["C6", "C3"]


def test_together_of_several_and_of_values() -> None:
    match = after("each player p chooses 1 c d in hand of p, together:\n    move d to shelf")
    assert pieces(do(match, "d=C4", "d=C5"), "shelf") == ["C4", "C5"]
    match = after("each player p chooses vote of p from [yes, no], together")
    assert state(do(match, "vote=yes"), "vote") == {"x": False, "o": False}
    assert state(do(match, "vote=no"), "vote") == {"x": True, "o": False}


def test_chooses_a_value_from_a_set() -> None:
    match = after("actor chooses pick from [3 to 5]\no chooses friend from (all player)")
    assert ids(match) == ["pick=3", "pick=4", "pick=5"]
    do(match, "pick=4")
    assert (who(match), ids(match)) == ("o", ["friend=x", "friend=o"])
    do(match, "friend=x")
    assert (state(match, "pick"), state(match, "friend")) == (4, "x")
    assert state(after("actor chooses pick from [], else 7"), "pick") == 7
    assert state(after("chance chooses pick from [3 to 5]", script=["5"]), "pick") == 5


def test_the_chooser_must_be_somebody() -> None:
    rules = GAME.replace("EFFECT", "      friend chooses c d in deck:\n          move d to shelf")
    assert "E413" in problems(rules)


def test_a_match_can_be_saved_copied_and_resumed_in_the_middle_of_every_kind_of_choice() -> None:
    effects = {
        "one": "actor chooses c d in hand of actor, or none:\n    move d to shelf",
        "some": "actor chooses 2 c d in (hand of x or hand of o):\n    move d to shelf",
        "up to": "actor chooses up to 2 c d in (hand of x or hand of o):\n    move d to shelf",
        "together": "each player p chooses c d in hand of p, together:\n    move d to shelf",
        "together some": "each player p chooses up to 2 c d in hand of p, together:\n    move d to shelf",
        "value": "actor chooses pick from [3 to 5]\nchance chooses pick from [1 to 9]",
        "values": "each player p chooses vote of p from [yes, no], together",
    }
    for effect in effects.values():
        match = after(effect)
        same_to_the_end(match.copy())
        do(match, ids(match)[0])  # in the middle of picking, or of choosing together
        same_to_the_end(match)


PLURAL = """
types:
  rank: 1 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: all}
  hand: {per: player, holds: cards, seen by: all}
setup:
  do: |
    deal 2 from deck to hand of each player
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [pair, number_it, idle]
actions:
  pair:
    choose:
      two: 2 c in hand of actor
    do: |
      move two to deck
  number_it:
    choose:
      n: number from 1 to 2
      sure: yes or no
    do: |
      deal n from deck to hand of actor
  idle:
    do: |
      deal 0 from deck to hand of actor
ends:
  over:
    winner: nobody
"""


def test_choices_of_an_action() -> None:
    match = toy(PLURAL)
    assert ids(match) == [
        "pair",
        "number_it n=1 sure=yes",
        "number_it n=1 sure=no",
        "number_it n=2 sure=yes",
        "number_it n=2 sure=no",
        "idle",
    ]
    do(match, "number_it n=1 sure=yes", "idle", "pair")
    assert ids(match) == ["two=C6", "two=C4"]
    do(match, "two=C6", "two=C2")
    assert "pair" in ids(match)
    do(match, "pair")
    assert "pair" not in ids(do(match, "idle")) or who(match) == "x"


def test_an_action_is_offered_only_if_all_its_choices_can_be_completed() -> None:
    match = toy(PLURAL.replace("two: 2 c in", "two: 3 c in"))
    assert "pair" not in ids(match)


def test_a_requirement_on_what_is_picked_one_by_one_is_said_to_be_not_playable_yet() -> None:
    rules = PLURAL.replace(
        "    do: |\n      move two",
        "    require:\n      - check: any c in two where rank of c is 6\n        because: With a six.\n"
        "    do: |\n      move two",
    )
    try:
        toy(rules)
    except AssertionError as error:
        assert "E449" in str(error)
    else:
        raise AssertionError("this was read before anything had been picked")


def test_what_rules_keep_for_each_piece_tells_alike_pieces_apart() -> None:
    match = toy("""
    dice:
      die: {count: 2, faces: 1 to 6, starts in: cup}
    zones:
      cup: {holds: dice, seen by: all}
    state:
      used: {per: die, is: yes or no, start: no}
    flow:
      - play:
          turns: clockwise from x
          at most: 2 rounds, then over
          actions: [use]
    actions:
      use:
        choose:
          d: die in cup where not used of die
        do: |
          set used of d to yes
    ends:
      over: {winner: nobody}
    """)
    assert len(match.decision.options) == 1  # they still look alike
    match.choose(0)
    assert match.decision is not None and match.fault is None
    assert len(match.decision.options) == 1
