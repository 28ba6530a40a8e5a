"""Rules in the rows of a table, and rules of each card that somebody holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulewright.interpreter.match import Match
from rulewright.interpreter.trace import Event, render
from rulewright.tests.semantics.folders import folder_game, match_of, wrong
from rulewright.tests.semantics.toys import do, events, ids, pieces, same_to_the_end, state, story, who

GOALS = """
cards:
  goal:
    table: goals.csv
    starts in: deck
    rules:
      met:
        when: card is in hand of holder
        do: |
          complete(holder, card)
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
  open: {per: player, holds: cards, seen by: all}
state:
  leader: {is: player}
tracks:
  fame: {per: player, from: 0, to: 6, start: 2, ends: stop}
setup:
  do: |
    lay_out
events:
  lay_out:
    do: |
      for each goal c in deck:
          move c to hand of x
  complete(player p, goal c):
    do: |
      move c to open of p
      add 1 to fame of p
  praised(player p, number much):
    do: |
      add much to fame of p
flow:
  - play:
      turns: clockwise from x
      at most: 3 rounds, then over
      actions: [praise, rest, lead]
actions:
  praise:
    choose:
      whom: player
      much: number from 1 to 3
    do: |
      praised(whom, much)
  rest:
    do: |
      set leader to leader
  lead:
    choose:
      new: player
    do: |
      set leader to new
ends:
  over: {winner: nobody}
"""


SHARED = """    rules:
      met:
        when: card is in hand of holder
        do: |
          complete(holder, card)
"""
# the same without what all rows do alike
OWN = (
    GOALS.replace(SHARED, "")
    .replace("actions: [praise", "actions: [finish, praise")
    .replace(
        "actions:\n  praise",
        "actions:\n  finish:\n    do: |\n"
        "      for each goal g in hand of actor:\n          complete(actor, g)\n"
        "  praise",
    )
)


def game(table: str, text: str = GOALS, players: str = "[x, o]") -> Match:
    """A match of the goals with this table."""
    return match_of(folder_game(text, {"goals.csv": table}, players))


def fired(match: Match, kind: str = "after") -> list[str]:
    """The rules that applied, in order."""
    return events(match, kind)


def test_a_row_applies_for_who_holds_its_card() -> None:
    match = do(game("name,after,when\nmany,praised,much >= 3 and p is not holder\n"), "praise whom=o much=3")
    assert fired(match) == ["many"]
    assert pieces(match, "open of x") == ["many"]
    assert state(match, "fame", "x") == 3


@pytest.mark.parametrize(
    ("cell", "choice", "applies"),
    [
        ("praised", "praise whom=o much=1", True),
        ("rest", "rest", True),
        ("rest", "lead new=o", False),
        ("fame becomes 4", "praise whom=x much=3", True),
        ("fame becomes 4", "praise whom=x much=1", False),
        ("fame rises", "praise whom=o much=1", True),
        ("leader changes", "lead new=o", True),
        ("leaving play", "rest", False),
    ],
)
def test_a_row_listens_to_whatever_a_rule_may_listen_to(cell: str, choice: str, applies: bool) -> None:
    match = do(game(f"name,after\none,{cell}\n"), choice)
    assert fired(match) == (["one"] if applies else [])


def test_entering_and_leaving_phases_count_too() -> None:
    text = GOALS.replace("3 rounds, then over", "3 rounds")
    text = text.replace(
        "actions:\n  praise", "  - done:\n      do: |\n        end game as over\nactions:\n  praise"
    )
    match = game("name,after\none,leaving play\n", text)
    while not match.over:
        do(match, "rest")
    assert fired(match) == ["one"]
    assert fired(game("name,after\none,entering play\n")) == ["one"]


def test_a_card_that_nobody_holds_does_not_listen() -> None:
    lying = GOALS.replace("          move c to hand of x\n", "          show c to x\n")
    assert fired(do(game("name,after\none,rest\n", lying), "rest")) == []


def test_a_card_in_any_zone_with_an_owner_is_held() -> None:
    open_ = GOALS.replace("move c to hand of x", "move c to open of x").replace(
        "        when: card is in hand of holder\n", ""
    )
    assert fired(do(game("name,after\none,rest\n", open_), "rest")) == ["one"]
    assert fired(do(game("name,after\none,rest\n", GOALS.replace("hand of x", "open of x")), "rest")) == []


def test_a_row_without_an_event_is_no_rule() -> None:
    assert fired(do(game("name,after\none,rest\nblank,\n"), "rest")) == ["one"]


def test_what_a_row_does_itself_stands_in_its_cell() -> None:
    match = do(game("name,after,do\none,rest,add 3 to fame of holder\ntwo,rest,\n"), "rest")
    assert fired(match) == ["two", "one"]
    assert (state(match, "fame", "x"), pieces(match, "open of x")) == (6, ["two"])


def test_a_row_may_come_before() -> None:
    table = "name,before,do\none,praised,set leader to p\n"
    match = do(game(table, OWN), "praise whom=o much=1")
    assert fired(match, "before") == ["one"]
    assert state(match, "leader") == "o"


def test_holders_come_in_the_order_of_the_game_and_their_cards_in_that_of_the_table() -> None:
    dealt = GOALS.replace(
        "      for each goal c in deck:\n          move c to hand of x\n",
        "      deal 3 from deck to hand of x\n      deal 3 from deck to hand of o\n",
    )
    table = "name,after\n" + "".join(f"c{i},rest\n" for i in range(6))
    plain = do(game(table, dealt), "rest")
    assert fired(plain) == ["c3", "c4", "c5", "c0", "c1", "c2"]
    turned = "order: clockwise from left of leader\n" + dealt
    assert fired(do(game(table, turned), "rest")) == ["c0", "c1", "c2", "c3", "c4", "c5"]


def test_a_card_that_comes_later_does_not_listen_to_the_same_event() -> None:
    one = GOALS.replace("for each goal c in deck:\n          move c", "move top of deck")
    one = one.replace("      add 1 to fame of p\n", "      move top of deck to hand of p\n")
    match = do(game("name,after\nu,rest\nv,rest\nw,rest\n", one), "rest")
    assert fired(match) == ["w"]
    do(match, "rest")
    assert fired(match) == ["w", "v"]


def test_each_condition_is_read_when_its_turn_comes() -> None:
    match = do(game("name,after,when\na,rest,fame of holder < 3\nb,rest,fame of holder < 3\n"), "rest")
    assert fired(match) == ["a"]


def test_a_card_that_nobody_holds_any_more_is_passed_over() -> None:
    table = "name,after,do\na,rest,return all goal in hand of holder\nb,rest,add 1 to fame of holder\n"
    match = do(game(table, OWN), "rest")
    assert fired(match) == ["a"]


def test_a_rule_does_not_set_itself_off() -> None:
    table = "name,after,when\nrenown,fame becomes 4,player is holder\n"
    growing = GOALS.replace(
        "      add 1 to fame of p\n", "      take 1 from fame of p\n      add 1 to fame of p\n"
    )
    kept = growing.replace("        when: card is in hand of holder\n", "").replace(
        "      move c to open of p\n", "      reveal c\n"
    )
    match = do(game(table, kept), "praise whom=x much=2")
    assert fired(match) == ["renown"]
    assert state(match, "fame", "x") == 4


def test_rules_in_a_circle_set_each_other_off_as_deep_as_there_are_cards() -> None:
    table = "name,after\n" + "".join(f"c{i},fame rises\n" for i in range(3))
    match = do(game(table), "praise whom=x much=1")
    assert fired(match) == ["c0", "c1", "c2"]
    assert state(match, "fame", "x") == 6
    assert len(pieces(match, "open of x")) == 3


def test_a_circle_beyond_the_deepest_level_is_cut_and_said() -> None:
    table = "name,after\n" + "".join(f"c{i},fame rises\n" for i in range(7))
    long = GOALS.replace("to: 6, start: 2", "to: 60, start: 2")
    match = do(game(table, long), "praise whom=x much=1")
    assert "More rules of cards would lie inside each other" in story(match)
    assert sorted(fired(match)) == sorted(set(fired(match)))


def test_end_turn_in_a_row_ends_the_turn_and_the_other_rows() -> None:
    table = "name,after,do\na,praised,end turn\nb,praised,add 1 to fame of holder\nz,rest,\n"
    match = do(game(table), "praise whom=o much=1")
    assert fired(match) == ["a"]
    assert who(match) == "o"


def test_end_game_in_a_row_ends_the_game() -> None:
    match = do(game("name,after,do\na,rest,end game as over\nb,lead,\n"), "rest")
    assert match.over


def test_a_rule_in_a_circle_that_ends_the_turn_leaves_nothing_under_way() -> None:
    table = "name,after,do\na,fame rises,\nb,fame rises,end turn\n"
    text = GOALS.replace("to: 6, start: 2", "to: 60, start: 2")
    match = do(game(table, text), "praise whom=x much=1")
    assert fired(match) == ["a", "b"]
    do(match, "praise whom=x much=1")
    assert fired(match) == ["a", "b", "b"]


def test_at_once_rows_come_after_everything() -> None:
    text = GOALS.replace(
        "      praised(whom, much)\n", "      at once for each player q:\n          praised(q, much)\n"
    )
    table = "name,after,when\na,praised,p is holder\nb,praised,p is not holder\n"
    match = do(game(table, text), "praise whom=x much=1")
    assert [name for name in fired(match) if name != "praised"] == ["a", "b"]
    assert state(match, "fame", "o") == 3


# ----------------------------------------------------------------- candidates

CLAIMS = GOALS.replace(
    "          complete(holder, card)\n",
    "          holder may choose player other in candidates of card:\n"
    "              set leader to other\n"
    "              complete(holder, card)\n",
)


def test_who_gives_the_candidates_of_a_card() -> None:
    table = "name,after,who\nask,praised,player q where q is not holder and fame of q <= 3\n"
    match = do(game(table, CLAIMS), "praise whom=o much=1")
    assert (who(match), ids(match)) == ("x", ["other=o", "other=none"])
    do(match, "other=o")
    assert (state(match, "leader"), pieces(match, "open of x")) == ("o", ["ask"])
    assert ids(do(game(table, CLAIMS), "praise whom=o much=3")) != ["other=o", "other=none"]


def test_an_empty_cell_gives_no_candidates() -> None:
    match = do(game("name,after,who\nask,praised,\n", CLAIMS), "praise whom=o much=1")
    assert who(match) == "o"
    assert fired(match) == ["ask"]


def test_the_event_of_the_row_can_be_read_in_who() -> None:
    match = do(game("name,after,who\nask,praised,player q where q is p\n", CLAIMS), "praise whom=o much=1")
    assert ids(match) == ["other=o", "other=none"]


def test_a_choice_in_the_rule_of_a_hidden_card_is_heard_of_by_nobody_else() -> None:
    table = "name,after,who\nask,praised,player q where q is not holder\n"
    match = do(game(table, CLAIMS), "praise whom=o much=1")
    assert match.view(1)["decision"] == {"players": []}
    assert match.view(None)["decision"] == {"players": []}
    assert match.view(0)["decision"]["prompt"]
    do(match, "other=none")
    told = [match.trace_for(v) for v in (0, 1)]
    assert all(t is not None for t in told)
    own, other = ["\n".join(render(t)) for t in told if t is not None]
    assert "ask" in own
    assert "ask" not in other
    assert "none" not in other


def test_saved_and_copied_in_the_middle_of_a_rule() -> None:
    table = "name,after,who\n" + "".join(f"c{i},praised,player q where q is not holder\n" for i in range(3))
    match = do(game(table, CLAIMS), "praise whom=o much=1")
    same_to_the_end(match)
    circle = "name,after,who\n" + "".join(
        f"c{i},fame rises,player q where q is not holder\n" for i in range(3)
    )
    match = do(game(circle, CLAIMS), "praise whom=o much=1", "other=o")
    assert ids(match) == ["other=o", "other=none"]
    same_to_the_end(match)


# -------------------------------------------------------------------- tracing


def nodes(event: Event) -> Iterator[Event]:
    """An event and everything in it."""
    yield event
    for child in event.children:
        yield from nodes(child)


def test_the_log_names_the_row_by_its_title_with_its_line() -> None:
    match = do(game('name,title,after\nmany,Many Words,rest\nfew,"Few, indeed",rest\n'), "rest")
    assert match.trace is not None
    notes = [e for e in nodes(match.trace) if e.kind == "after"]
    assert [(e.name, e.text, e.span.file.rsplit("/")[-1], e.span.line) for e in notes] == [
        ("many", "Many Words.", "goals.csv", 2),
        ("few", "Few, indeed.", "goals.csv", 3),
    ]


# ------------------------------------------------------- rules that name holder


def test_a_rule_under_a_kind_that_names_holder_is_one_of_each_card() -> None:
    text = GOALS.replace(
        "      met:\n",
        "      passed_on:\n        after: rest\n        do: |\n"
        "          move card to hand of left of holder\n      met:\n",
    )
    match = do(game("name,after\na,praised\nb,praised\n", text), "rest")
    assert fired(match) == ["passed_on", "passed_on"]
    assert sorted(pieces(match, "hand of o", 1)) == ["a", "b"]


# -------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("name,after\none,prased\n", [("E404", "goals.csv", 2, 5)]),
        ("name,after\none,leaving plai\n", [("E405", "goals.csv", 2, 13)]),
        ("name,after,when\none,rest,much > 2\n", [("E401", "goals.csv", 2, 10)]),
        ("name,after,when\none,praised,much\n", [("E412", "goals.csv", 2, 13)]),
        ("name,after,when\none,,much > 2\ntwo,rest,\n", [("E321", "goals.csv", 2, 6)]),
        ("name,after,before\none,rest,rest\n", [("E321", "goals.csv", 2, 10)]),
        ("name,after,do\none,rest,add 1 to fames of holder\ntwo,rest,\n", [("E402", "goals.csv", 2, 19)]),
        ("name,after,who\none,praised,number q in [1 to 2]\n", [("E425", "goals.csv", 2, 13)]),
    ],
)
def test_what_is_wrong_in_a_cell_is_told_at_the_cell(
    table: str, found: list[tuple[str, str, int, int]]
) -> None:
    assert wrong(GOALS, {"goals.csv": table}) == found


def test_a_row_must_do_something() -> None:
    assert ("E302", "goals.csv", 2, 5) in wrong(OWN, {"goals.csv": "name,after\none,rest\n"})


def test_a_rule_for_all_rows_needs_a_row() -> None:
    assert [w[0] for w in wrong(GOALS, {"goals.csv": "name,after\none,\n"})] == ["E321"]
    assert [w[0] for w in wrong(GOALS, {"goals.csv": "name,after,do\none,rest,end turn\n"})] == ["E321"]


def test_all_rows_alike_read_only_what_all_their_events_are_about() -> None:
    text = GOALS.replace("complete(holder, card)\n", "complete(p, card)\n", 1)
    assert [w[0] for w in wrong(text, {"goals.csv": "name,after\none,praised\ntwo,rest\n"})] == ["E401"]
    assert wrong(text, {"goals.csv": "name,after\none,praised\n"}) == []


def test_candidates_need_the_column() -> None:
    assert [w[0] for w in wrong(CLAIMS, {"goals.csv": "name,after\none,rest\n"})] == ["E402"]
