"""The flow: phases, turns, turns owed and lost, being stuck, and what ends what."""

from __future__ import annotations

import pytest

from rulewright.tests.semantics.toys import do, ids, log, same_to_the_end, state, story, toy, who

REST = """
state:
  n: {is: number 0 to 50}
  out: {per: player, is: yes or no, start: no}
actions:
  go:
    do: |
      log(1)
  stop:
    do: |
      log(2)
      end turn
  leave:
    do: |
      log(3)
      end phase
  more:
    do: |
      log(4)
      give another turn to actor
  give:
    choose:
      to_whom: player
    do: |
      give another turn to to_whom
  miss:
    choose:
      to_whom: player
    do: |
      skip to_whom
  turn_round:
    do: |
      reverse
  drop_out:
    do: |
      set out of actor to yes
  finish:
    do: |
      end game as over
events:
  log(number k):
    do: |
      add 0 to n
ends:
  over:
    winner: nobody
"""
ALL = "actions: [go, stop, leave, more, give, miss, turn_round, drop_out, finish]"
LAST = """
  - last:
      who: p3
      actions: [go]
  - end_of_it:
      do: |
        end game as over
"""


def flow(text: str, rest: str = REST, **more):  # type: ignore[no-untyped-def]
    """A game of three with that flow."""
    return toy("flow:" + text + rest, players="[p1, p2, p3]", **more)


def turns(text: str, more: str = "", last: str = "") -> str:
    """A flow with one phase of turns."""
    more = more or "at most: 3 rounds, then over"
    return f"\n  - play:\n      turns: {text}\n      {more}\n      {ALL}\n{last}"


def order(match, *choices: str) -> list[str]:  # type: ignore[no-untyped-def]
    """Who made each of these choices, and whose turn it is then."""
    found = []
    for choice in choices:
        found.append(who(match))
        do(match, choice)
    return [*found, who(match)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("clockwise from p2", ["p2", "p3", "p1", "p2", "p3"]),
        ("counterclockwise from p2", ["p2", "p1", "p3", "p2", "p1"]),
        ("clockwise from left of p2", ["p3", "p1", "p2", "p3", "p1"]),
        ("clockwise from p2 where player is not p3", ["p2", "p1", "p2", "p1", "p2"]),
    ],
)
def test_turns_go_round(text: str, expected: list[str]) -> None:
    assert order(flow(turns(text)), "go", "go", "go", "go") == expected


def test_at_most_so_many_rounds_then_an_end() -> None:
    match = flow(turns("clockwise from p2"))
    assert order(match, *["go"] * 9)[-1] == ""
    assert (match.over, match.result.end) == (True, "over")


def test_where_is_read_when_the_turn_comes_and_nobody_left_ends_the_phase() -> None:
    match = flow(turns("clockwise from p1 where not out of player", "", LAST))
    assert order(match, "drop_out", "go", "drop_out", "go", "drop_out") == [
        "p1",
        "p2",
        "p3",
        "p2",
        "p2",
        "p3",
    ]
    assert ids(match) == ["go"]  # the phase after it


def test_once_around_and_a_set_of_players() -> None:
    once = turns("clockwise from p2 once around", "title: Once", LAST)
    assert order(flow(once), "go", "go", "go") == ["p2", "p3", "p1", "p3"]
    some = turns("player where player is not p2", "title: Some", LAST)
    assert order(flow(some), "go", "go") == ["p1", "p3", "p3"]


def test_until_is_read_before_each_turn() -> None:
    until = turns("clockwise from p1", "until: out of p2", LAST)
    assert order(flow(until), "go", "drop_out", "go") == ["p1", "p2", "p3", ""]
    assert order(flow(until), "drop_out", "go", "more", "go", "drop_out") == [
        "p1",
        "p2",
        "p3",
        "p3",
        "p1",
        "p2",
    ]


def test_turns_owed_are_a_queue_beside_the_anchor() -> None:
    match = flow(turns("clockwise from p1"))
    assert order(match, "give to_whom=p1", "give to_whom=p3", "go", "go") == ["p1", "p1", "p3", "p2", "p3"]
    match = flow(turns("clockwise from p1"))
    assert order(match, "give to_whom=p3", "more", "go", "go") == ["p1", "p3", "p3", "p2", "p3"]


def test_turns_owed_in_a_round_and_among_some() -> None:
    once = turns("clockwise from p2 once around", "title: Once", LAST)
    assert order(flow(once), "more", "go", "go", "go") == ["p2", "p2", "p3", "p1", "p3"]
    some = turns("player where player is not p2", "title: Some", LAST)
    assert order(flow(some), "more", "go", "go") == ["p1", "p1", "p3", "p3"]


def test_no_turn_is_owed_once_until_holds_and_none_in_the_next_phase() -> None:
    until = "\n  - play:\n      turns: clockwise from p1\n      until: out of p1\n      " + ALL
    again = (
        "\n  - once_more:\n      turns: clockwise from p2\n      at most: 2 rounds, then over\n      " + ALL
    )
    rest = REST.replace("set out of actor to yes", "set out of actor to yes\n      give another turn to p3")
    match = flow(until + again, rest)
    assert order(match, "drop_out", "go", "go") == ["p1", "p2", "p3", "p1"]


def test_turn_is_extra_and_turns_owed() -> None:
    rules = """
rules:
  extra:
    before: [go, more]
    when: turn_is_extra
    do: |
      log(6)
  owed:
    after: [go, more]
    do: |
      log(turns_owed of actor)
"""
    match = flow(turns("clockwise from p1"), REST + rules)
    do(match, "go", "more", "go", "go")
    assert log(match) == [1, 0, 4, 1, 6, 1, 0, 1, 0]


def test_a_turn_to_be_missed() -> None:
    match = flow(turns("clockwise from p1"))
    assert order(match, "miss to_whom=p2", "go", "go") == ["p1", "p3", "p1", "p2"]
    assert "p2 loses a turn." in story(match)
    once = turns("clockwise from p2 once around", "title: Once", LAST)
    assert order(flow(once), "miss to_whom=p1", "go") == ["p2", "p3", "p3"]
    assert ids(do(flow(once), "miss to_whom=p1", "go")) == ["go"]


def test_reverse() -> None:
    match = flow(turns("clockwise from p1"))
    assert order(match, "go", "turn_round", "go", "go", "turn_round") == ["p1", "p2", "p1", "p3", "p2", "p3"]


def test_until_ended_a_turn_goes_on() -> None:
    match = flow(turns("clockwise from p2", "turn: until ended\n      at most: 2 rounds, then over"))
    assert order(match, "go", "go", "stop", "more", "stop", "stop", "stop") == [
        *["p2", "p2", "p2", "p3", "p3", "p3", "p1"],
        "p2",
    ]


EACH = """
  - play:
      turns: clockwise from p1
      at most: 2 rounds, then over
      each turn:
        - first_part:
            actions: [go, stop, leave]
            on leave: |
              log(7)
        - second_part:
            do: |
              log(8)
"""


def test_end_turn_leaves_out_the_rest_of_the_turn_but_leaves_the_phase_properly() -> None:
    rules = "rules:\n  left:\n    after: leaving first_part\n    do: |\n      log(6)\n"
    assert log(do(flow(EACH, REST + rules), "go")) == [1, 7, 6, 8]
    assert log(do(flow(EACH, REST + rules), "stop")) == [2, 7, 6]
    assert log(do(flow(EACH, REST + rules), "leave")) == [3, 7, 6, 8]
    assert who(do(flow(EACH), "stop")) == "p2"


def test_end_phase_leaves_the_innermost_phase() -> None:
    match = flow(turns("clockwise from p1", "", LAST))
    assert order(match, "go", "leave") == ["p1", "p2", "p3"]
    assert ids(match) == ["go"]


def test_a_turn_that_is_ended_where_there_is_none_is_an_error() -> None:
    match = flow("\n  - odd:\n      do: |\n        end turn\n" + LAST)
    assert match.fault is not None and "there is none that could end" in str(match.fault)


def test_repeat_enters_and_leaves_each_time_and_its_state_starts_afresh() -> None:
    match = flow(
        """
  - hand:
      repeat: 3 times
      state:
        tricks: {is: number 0 to 9, start: 1}
      on enter: |
        add 1 to tricks
        log(tricks)
      on leave: |
        log(8)
      who: p1
      actions: [go]
  - end_of_it:
      do: |
        end game as over
"""
    )
    do(match, "go", "go", "go")
    assert (log(match), match.result.end) == ([2, 1, 8, 2, 1, 8, 2, 1, 8], "over")


def test_for_each_and_skip_when() -> None:
    match = flow(
        """
  - each_number:
      for each: number k in [1 to 4]
      skip when: k is 2
      phases:
        - inner:
            do: |
              log(k)
"""
        + LAST
    )
    assert log(match) == [1, 3, 4]
    assert "is skipped." in story(match)


def test_until_and_at_most_of_a_phase_without_turns() -> None:
    counting = """
  - count_up:
      until: n >= 3
      at most: {} times, then over
      do: |
        add 1 to n
        log(n)
"""
    assert log(flow(counting.format(9) + LAST)) == [1, 2, 3]
    match = flow(counting.format(2) + LAST)
    assert (log(match), match.result.end) == ([1, 2], "over")
    assert log(flow(counting.format(9).replace("n >= 3", "n >= 0") + LAST)) == []  # read before the first


def test_who_and_nested_phases() -> None:
    match = flow(
        """
  - outer:
      repeat: 2 times
      phases:
        - one:
            who: p2
            actions: [go]
        - some:
            who: player where player is not p2
            actions: [go]
"""
        + LAST
    )
    assert order(match, *["go"] * 6) == ["p2", "p1", "p3", "p2", "p1", "p3", "p3"]


STUCK = """
  - play:
      turns: clockwise from p1
      at most: 2 rounds, then over
      MORE
      actions: [rare]
"""
RARE = """
actions:
  rare:
    require:
      - check: actor is p2
        because: Only p2 can.
    do: |
      log(1)
events:
  log(number k):
    do: |
      add 0 to n
  be_stuck(player p):
    do: |
      log(5)
state:
  n: {is: number 0 to 50}
ends:
  over:
    winner: nobody
"""


def test_if_stuck() -> None:
    match = flow(STUCK.replace("MORE", "if stuck: pass"), RARE)
    assert order(match, "rare", "rare") == ["p2", "p2", ""]
    assert "p1 can do nothing and passes." in story(match)
    match = flow(STUCK.replace("MORE", "if stuck: be_stuck(actor)"), RARE)
    assert log(do(match, "rare", "rare")) == [5, 1, 5, 5, 1, 5]
    match = flow(STUCK.replace("MORE", "title: Play"), RARE)
    assert match.fault is not None and "p1 can do nothing in the phase `play`" in str(match.fault)


def test_who_passes_has_ended_a_turn_that_goes_on_until_it_is_ended() -> None:
    rest = RARE.replace("      log(1)", "      log(1)\n      end turn")
    match = flow(STUCK.replace("MORE", "if stuck: pass\n      turn: until ended"), rest)
    assert order(match, "rare", "rare") == ["p2", "p2", ""]


def test_a_player_is_stuck() -> None:
    rest = (
        RARE + "define:\n  only_p2: p1 is stuck and p3 is stuck and not p2 is stuck\nalways:\n  a: only_p2\n"
    )
    match = flow(STUCK.replace("MORE", "if stuck: pass"), rest)
    assert match.broken_invariants() == []


def test_a_flow_that_runs_out_without_an_end_says_so() -> None:
    match = flow(turns("clockwise from p1"))
    refused = match.choose("leave")
    assert refused is not None and "The flow has run out" in str(refused)
    assert who(match) == "p1"  # and the match stands where it stood
    do(match, "go")


def test_saved_copied_and_resumed_it_goes_on_the_same() -> None:
    for text in (
        turns("clockwise from p1"),
        turns("clockwise from p2 once around", "title: Once", LAST),
        turns("player where player is not p2", "title: Some", LAST),
        turns("clockwise from p2", "turn: until ended\n      at most: 2 rounds, then over"),
        EACH,
    ):
        match = flow(text)
        same_to_the_end(match.copy())
        if "more" in ids(match):
            do(match, "more")
        same_to_the_end(match)


ENDS = """
state:
  n: {is: number 0 to 50}
  c: {per: player, is: number 0 to 20}
flow:
  - play:
      turns: clockwise from p1
      at most: 3 rounds, then cap
      actions: [up, twice, call, finish]
actions:
  up:
    do: |
      add 1 to n
      add 1 to c of actor
  twice:
    do: |
      add 1 to n
      add 1 to n
      add 5 to c of actor
  call:
    do: |
      e
      add 10 to n
  finish:
    do: |
      end game as by_name
events:
  e:
    do: |
      add 1 to c of p1
ends:
  cap:
    winner: nobody
"""
BY_NAME = "  by_name:\n    winner: nobody\n"


def ended(ends: str, *choices: str) -> tuple[str, tuple[str, ...], int]:
    """The end that is reached, who has won, and n then."""
    more = "" if "by_name" in ends else BY_NAME
    match = do(toy(ENDS + ends + more, players="[p1, p2, p3]"), *choices)
    return match.result.end, match.result.winners, state(match, "n")


def test_when_is_read_after_each_action_and_the_first_that_fits_counts() -> None:
    two = "  one:\n    when: n is 1\n    winner: p1\n  two:\n    when: n >= 2\n    winner: actor\n"
    assert ended(two, "up") == ("one", ("p1",), 1)
    assert ended(two, "twice") == ("two", ("p1",), 2)  # never read while n was 1
    same = "  one:\n    when: n > 0\n    winner: p3\n  two:\n    when: n > 0\n    winner: p2\n"
    assert ended(same, "up")[0] == "one"
    assert ended("  one:\n    when: n is 2\n    winner: actor\n", "up", "up")[1] == ("p2",)


def test_at_once_when_and_after_abandon_the_rest() -> None:
    assert ended("  one:\n    at once when: n is 1\n    winner: p1\n", "twice") == ("one", ("p1",), 1)
    assert ended("  one:\n    after: e\n    when: c of p1 is 1\n    winner: p2\n", "call") == (
        "one",
        ("p2",),
        0,
    )
    assert ended("  one:\n    after: n rises\n    when: n > 1\n    winner: p3\n", "twice") == (
        "one",
        ("p3",),
        2,
    )
    assert ended("  one:\n    after: n becomes 5\n    winner: p3\n", "call") == ("one", ("p3",), 10)


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        ("player with largest c of player\n    tie: shared", ("p1", "p2")),
        ("player with largest c of player\n    tie: nobody", ()),
        ("player with largest c of player\n    tie: [n, if player is p2 then 5 else 1]", ("p2",)),
        ("player where c of player is 0", ("p3",)),
        ("everybody", ("p1", "p2", "p3")),
        ("nobody", ()),
        ("unfinished", ()),
        ("actor", ("p3",)),
    ],
)
def test_who_wins(winner: str, expected: tuple[str, ...]) -> None:
    assert ended(f"  by_name:\n    winner: {winner}\n", "up", "up", "finish")[1] == expected


def test_the_score_of_the_game() -> None:
    rules = ENDS + BY_NAME + "define:\n  score(player p): 2 * c of p\n"
    match = do(toy(rules, players="[p1, p2, p3]"), "up", "twice", "finish")
    assert match.result.scores == (("p1", 2), ("p2", 10), ("p3", 0))
