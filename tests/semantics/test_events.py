"""Events and the four kinds of rules around them: FORBID, INSTEAD, BEFORE, what is done by itself, AFTER,
and CHANGE.
"""

from __future__ import annotations

import pytest

from rulewright.tests.semantics.toys import do, ids, log, problems, state, story, toy, true_of, who

GAME = """
state:
  n: {is: number 0 to 20}
  rep: {per: player, is: number 1 to 6, start: 2, ends: stop}
  hull: {is: number 0 to 15, start: 15, ends: stop}
  steps: {is: number 0 to 10, start: 5, ends: stop, one by one: yes}
  mood: {is: yes or no, start: no}
flow:
  - play:
      turns: clockwise from x
      at most: 9 rounds, then over
      actions: [go, stop, other]
actions:
  go:
    do: |
GO
  stop:
    do: |
      log(1)
      end turn
      log(2)
  other:
    do: |
      log(9)
ends:
  over:
    winner: nobody
events:
  log(number k):
    do: |
      add 0 to n
  e(number k = 0):
    do: |
      log(3)
  other_event(number k, number z):
    do: |
      log(z)
  through:
    do: |
      e(1)
rules:
"""


def after(effect: str, rules: str):  # type: ignore[no-untyped-def]
    """The game after an action with that effect, under those rules."""
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    match = toy(game(lines, rules))
    refused = match.choose("go")
    assert refused is None, refused
    return match


def game(lines: str, rules: str) -> str:
    """The rules of the game."""
    return GAME.replace("GO", lines) + rules


def test_the_one_order() -> None:
    match = after(
        "log(1)\ne(7)\nlog(6)",
        """
  late:
    after: e
    do: |
      log(5)
  first:
    before: e
    do: |
      log(2)
  early:
    after: e
    priority: 5
    do: |
      log(4)
""",
    )
    assert log(match) == [1, 2, 3, 4, 5, 6]


FORBIDDEN = """
  no_sevens:
    forbid: e
    when: k is 7
    because: No sevens ({k}).
  not_at_all:
    forbid: e
    when: k > 6
    because: Too many.
  never_reached:
    instead of: e
    when: k is 7
    do: |
      log(4)
  nor_this:
    before: e
    do: |
      log(5)
"""


def test_forbidden_inside_an_effect_it_just_does_not_happen_and_every_reason_is_traced() -> None:
    match = after("log(1)\ne(7)\nlog(6)", FORBIDDEN)
    assert log(match) == [1, 6]
    assert "No sevens (7)." in story(match) and "Too many." in story(match)
    assert log(after("e(1)", FORBIDDEN)) == [5, 3]


def test_a_forbidden_action_is_refused_with_its_reason() -> None:
    match = toy(
        game(
            "      log(1)",
            """
  not_x:
    forbid: go
    when: actor is x
    because: Not for {actor}.
""",
        )
    )
    assert ids(match) == ["stop", "other"]
    refused = match.choose("go")
    assert refused is not None and "Not for x." in str(refused)
    assert "go" in ids(do(match, "other"))


def test_instead_the_first_that_fits_by_priority_then_as_they_stand() -> None:
    rules = """
  second:
    instead of: e
    do: |
      log(5)
  first:
    instead of: e
    when: k is 1
    priority: 1
    do: |
      log(4)
  after_it:
    after: e
    do: |
      log(6)
"""
    assert log(after("e(1)\ne(2)", rules)) == [4, 5]  # what is replaced has no AFTER


def test_what_a_replacement_causes_inherits_that_it_is_used_up() -> None:
    rules = """
  one:
    instead of: e
    when: k is 1
    do: |
      log(1)
      e(1)
  two:
    instead of: e
    when: k is 1
    do: |
      log(2)
      e(k)
"""
    assert log(after("e(1)\ne(1)", rules)) == [1, 2, 3, 1, 2, 3]
    rules = """
  round_about:
    instead of: e
    do: |
      log(1)
      through
      e(4)
"""
    assert log(after("e(1)", rules)) == [1, 3, 3]


def test_can_asks_only_whether_it_is_forbidden() -> None:
    rules = """
  two_is_forbidden:
    forbid: e
    when: k is 2
    because: No.
  replaced:
    instead of: e
    do: |
      log(8)
"""
    effect = "if can e(1):\n    log(1)\nif can e(2):\n    log(2)\nif can through:\n    log(3)"
    assert log(after(effect, rules)) == [1, 3]


def test_arguments_keep_the_values_they_had() -> None:
    rules = """
  before_it:
    before: e
    do: |
      set n to 0
  after_it:
    after: e
    do: |
      log(k)
"""
    assert log(after("add 3 to n\ne(n)", rules)) == [3, 3]


def test_each_after_is_tested_just_before_it_is_done() -> None:
    rules = """
  one:
    after: e
    when: n is 0
    do: |
      log(4)
      add 1 to n
  two:
    after: e
    when: n is 0
    do: |
      log(5)
  three:
    after: e
    when: n is 1
    do: |
      log(6)
"""
    assert log(after("e(1)", rules)) == [3, 4, 6]


def test_an_event_is_complete_before_the_next_begins() -> None:
    rules = """
  after_inner:
    after: e
    do: |
      log(4)
  after_outer:
    after: through
    do: |
      log(5)
"""
    assert log(after("through\nlog(6)", rules)) == [3, 4, 5, 6]


def test_a_list_of_events_with_the_names_they_share() -> None:
    rules = """
  both:
    after: [e, other_event]
    do: |
      log(k)
"""
    assert log(after("e(4)\nother_event(5, 2)", rules)) == [3, 4, 2, 5]
    assert "E401" in problems(game("      log(1)", rules.replace("log(k)", "log(z)")))


def test_the_rules_after_an_event_come_before_the_turn_ends() -> None:
    rules = """
  after_stop:
    after: stop
    do: |
      log(4)
"""
    match = do(toy(game("      log(1)", rules)), "stop")
    assert (log(match), who(match)) == ([1, 4], "o")  # `end turn` leaves out log(2), not the rule


RISING = """
  rises:
    after: rep rises
    do: |
      log(1)
  falls:
    after: rep falls
    do: |
      log(2)
  changes:
    after: rep changes
    do: |
      log(3)
"""


def test_rises_falls_changes() -> None:
    assert log(after("add 1 to rep of x", RISING)) == [1, 3]
    assert log(after("take 1 from rep of x", RISING)) == [2, 3]
    assert log(after("set rep of x to 5", RISING)) == [3]
    assert log(after("add 1 to rep of each player", RISING)) == [1, 3, 1, 3]


def test_what_stays_as_it_was_has_not_changed() -> None:
    assert log(after("set rep of x to 2\nadd 0 to rep of x", RISING)) == []
    assert log(after("add 9 to rep of x\nadd 1 to rep of x", RISING)) == [1, 3]  # 6 is the end


def test_a_number_becomes_what_it_reaches_or_passes() -> None:
    rules = """
  twelve:
    after: hull becomes 12
    do: |
      log(12)
  eight:
    after: hull becomes 8
    do: |
      log(8)
"""
    assert log(after("take 3 from hull", rules)) == [12]
    assert log(after("take 4 from hull\ntake 1 from hull", rules)) == [12]
    assert log(after("set hull to 4", rules)) == [12, 8]
    assert log(after("set hull to 4\nlog(1)\nset hull to 8\nset hull to 8", rules)) == [12, 8, 1, 8]
    rules = "  yes_now:\n    after: mood becomes yes\n    do: |\n      log(7)\n"
    assert log(after("set mood to yes\nset mood to yes\nset mood to no", rules)) == [7]


def test_one_by_one() -> None:
    rules = """
  up:
    after: steps rises
    do: |
      log(1)
  seven:
    after: steps becomes 7
    do: |
      log(7)
"""
    assert log(after("add 3 to steps", rules)) == [1, 1, 7, 1]
    both = "add 3 to steps\nlog(9)\nadd 5 to steps"  # 10 is the end
    assert log(after(both, rules)) == [1, 1, 7, 1, 9, 1, 1]


def test_changes_can_be_forbidden_replaced_and_prepared() -> None:
    match = after(
        "add 1 to rep of x\nadd 1 to rep of o\ntake 1 from rep of x",
        """
  not_x:
    forbid: rep rises
    when: player is x
    because: Not x.
  never_less:
    instead of: rep falls
    do: |
      log(4)
  before_it:
    before: rep rises
    do: |
      log(rep of player)
  after_it:
    after: rep rises
    do: |
      log(rep of player)
""",
    )
    assert log(match) == [2, 3, 4]
    assert state(match, "rep") == {"x": 2, "o": 3}
    assert "Not x." in story(match)


PHASES = """
state:
  n: {is: number 0 to 20}
flow:
  - first_one:
      on enter: |
        log(2)
      on leave: |
        log(6)
      do: |
        log(4)
  - skipped_one:
      skip when: n is 0
      do: |
        log(99)
  - finish:
      do: |
        log(11)
events:
  log(number k):
    do: |
      add 0 to n
rules:
  r1:
    before: entering first_one
    do: |
      log(1)
  r3:
    after: entering first_one
    do: |
      log(3)
  r5:
    before: leaving first_one
    do: |
      log(5)
  r7:
    after: leaving first_one
    do: |
      log(7)
  r8:
    before: skipping skipped_one
    do: |
      log(8)
  r9:
    after: skipping skipped_one
    do: |
      log(9)
  g1:
    before: entering game
    do: |
      log(21)
  g2:
    after: entering game
    do: |
      log(22)
  g3:
    before: leaving game
    do: |
      log(23)
ends:
  over:
    after: leaving game
    winner: nobody
"""


def test_entering_leaving_and_skipping_phases() -> None:
    match = toy(PHASES)
    assert match.fault is None and match.result.end == "over"
    assert log(match) == [21, 22, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 23]


def test_change_rules_by_priority_with_the_value_so_far() -> None:
    rules = """
state:
  n: {is: number 0 to 20, start: 4}
define:
  worth(number k): k
flow:
  - play:
      turns: clockwise from x
      at most: 3 rounds, then over
      actions: [go]
actions:
  go:
    do: |
      add 1 to n
rules:
  twice:
    change: worth
    when: k > 2
    to: worth * 2
  plus_one:
    change: worth
    to: worth + 1
  ten_more_first:
    change: worth
    priority: 3
    when: k is 5
    to: worth + 10
  capped:
    change: worth
    priority: -1
    when: worth > 20
    to: 20
ends:
  over:
    winner: nobody
"""
    values = {"worth(1) is 2": True, "worth(n) is 9": True, "worth(5) is 20": True, "worth(3) is 7": True}
    true_of(rules, values)


def test_a_circle_of_events_is_found_before_play() -> None:
    rules = "  again:\n    after: e\n    do: |\n      through\n"
    assert "E443" in problems(game("      log(1)", rules))


AT_ONCE = """
state:
  n: {is: number 0 to 50}
tokens:
  tok: {per: player, supply: 20}
boards:
  grid: {shape: square grid, size: 5 x 1}
setup:
  do: |
    place tok of x on a1
    place tok of o on b1
    place tok of x on c1
    place tok of o on d1
flow:
  - play:
      turns: clockwise from x
      at most: 3 rounds, then over
      actions: [together, one_by_one]
actions:
  together:
    do: |
      at once for each space s on grid where any tok on s:
          hit(s)
      log(99)
  one_by_one:
    do: |
      for each space s on grid where any tok on s:
          hit(s)
      log(99)
events:
  log(number k):
    do: |
      add 0 to n
  hit(space s):
    do: |
      log(column_number of s)
      return all tok on s
rules:
  safe:
    forbid: hit
    when: column_number of s is 3 and any tok on a1
    because: Safe while the first one stands.
  replaced:
    instead of: hit
    when: column_number of s is 4 and any tok on a1
    do: |
      log(40)
  before_it:
    before: hit
    do: |
      log(10 + column_number of s)
  after_it:
    after: hit
    when: no tok on a1
    do: |
      log(20 + column_number of s)
ends:
  over:
    winner: nobody
"""


def test_at_once_verdicts_first_then_before_then_all_then_after() -> None:
    match = do(toy(AT_ONCE), "together")
    assert log(match) == [11, 12, 1, 2, 40, 21, 22, 99]
    assert "Safe while the first one stands." in story(match)


def test_one_by_one_each_verdict_is_of_its_own_moment() -> None:
    match = do(toy(AT_ONCE), "one_by_one")
    assert log(match) == [11, 1, 21, 12, 2, 22, 13, 3, 23, 14, 4, 24, 99]


HANDS = """
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
      turns: clockwise from p1
      at most: 3 rounds, then over
      actions: [together, one_by_one, by_event]
actions:
  together:
    do: |
      at once for each player p:
          move all c in hand of p to hand of left of p
  one_by_one:
    do: |
      for each player p:
          move all c in hand of p to hand of left of p
  by_event:
    do: |
      at once for each player p:
          pass_on(p, left of p)
events:
  pass_on(player p, player q):
    do: |
      move all c in hand of p to hand of q
ends:
  over:
    winner: nobody
"""


def test_hands_that_are_passed_at_once_pass_and_do_not_merge() -> None:
    def hands(action: str) -> list[int]:
        found = do(toy(HANDS, players="[p1, p2, p3]"), action).view(None)["zones"]
        return [found[f"hand of p{i}"]["count"] for i in (1, 2, 3)]

    assert hands("together") == [2, 2, 2]
    assert hands("by_event") == [2, 2, 2]
    assert hands("one_by_one") == [6, 0, 0]


def test_what_a_state_becomes_can_only_be_followed_yet() -> None:
    for form in ("forbid", "instead of", "before"):
        rules = f"  r:\n    {form}: hull becomes 12\n"
        rules += "    because: No.\n" if form == "forbid" else "    do: |\n      add 1 to n\n"
        with pytest.raises(AssertionError, match="E449"):
            toy(game("      take 4 from hull", rules))
