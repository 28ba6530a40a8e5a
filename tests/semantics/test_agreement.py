"""What several choose as one, by agreement or by majority; and what each chooses together with others."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match, load_match
from rulewright.interpreter.trace import Event, render
from rulewright.tests.semantics.toys import do, ids, pieces, same_to_the_end, state, story, toy, who

GAME = """
types:
  stand: [aye, argh]
cards:
  c: {copies: 1, code: K, starts in: deck, attributes: {mark: stand or none}}
zones:
  deck: {holds: cards, as: pile, seen by: all}
  shelf: {holds: cards, seen by: all}
state:
  crew: {is: set of players, start: [b, c]}
  nobody: {is: set of players}
  united: {is: yes or no, start: no, title: Do you unite?}
  leader: {is: player or none, start: a}
  depth: {is: number -3 to 9, start: 5}
  gold: {per: player, is: number 0 to 9, start: 5}
  told: {is: number 0 to 99}
flow:
  - play:
      turns: clockwise from a
      at most: 4 rounds, then over
      actions: [act, idle]
actions:
  idle:
    do: |
      add 0 to told
  act:
    do: |
EFFECT
MORE
ends:
  over:
    winner: nobody
"""
SEATS = "[a, b, c, d, e]"


def after(effect: str, *choices: str, more: str = "", seats: str = SEATS) -> Match:
    """The game after the action with that effect."""
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    game = GAME.replace("EFFECT", lines).replace("MORE\n", more)
    return do(toy(game, seats), "act", *choices)


def told(match: Match, *kinds: str) -> list[str]:
    """The sentences of some kinds in the trace."""
    found: list[str] = []

    def walk(event: Event) -> None:
        if event.kind in kinds:
            found.append(event.text)
        for child in event.children:
            walk(child)

    assert match.trace is not None
    walk(match.trace)
    return found


AGREE = "agreement of crew chooses united from [yes, no], else no"
MOST = "majority of (all player) chooses depth from [1 to 3], else 0"


# ---------------------------------------------------------------- agreement


def test_all_who_agree_set_the_value() -> None:
    match = after(AGREE)
    assert (who(match), ids(match)) == ("b", ["united=yes", "united=no"])
    assert state(do(match, "yes"), "united") is False  # nothing before the last
    assert state(do(match, "yes"), "united") is True
    assert told(match, "vote", "agreement") == ["b: yes", "c: yes", "They agree: yes"]


def test_without_agreement_it_is_what_else_says() -> None:
    match = after("set united to yes\n" + AGREE, "yes", "no")
    assert state(match, "united") is False
    assert told(match, "vote", "agreement") == ["b: yes", "c: no", "They do not agree: no"]


def test_without_else_it_is_none() -> None:
    match = after("agreement of crew chooses leader from (all player)", "leader=d", "leader=e")
    assert state(match, "leader") is None
    assert told(match, "agreement") == ["They do not agree: none"]


def test_an_else_counts_also_where_the_state_may_be_none() -> None:
    effect = "agreement of {} chooses leader from {}, else actor"
    assert state(after(effect.format("crew", "(all player)"), "d", "e"), "leader") == "a"
    assert state(after("set leader to b\n" + effect.format("crew", "nobody")), "leader") == "a"
    assert state(after("set leader to b\nactor chooses leader from nobody, else actor"), "leader") == "a"


def test_nobody_to_ask_and_nothing_to_choose_from_are_no_agreement() -> None:
    for effect, why in (
        ("agreement of nobody chooses united from [yes, no], else no", "Nobody is asked: no"),
        ("majority of nobody chooses united from [yes, no], else no", "Nobody is asked: no"),
        ("agreement of crew chooses leader from nobody", "There is nothing to choose from: none"),
        ("majority of crew chooses leader from nobody", "There is nothing to choose from: none"),
        ("agreement of nobody chooses leader from nobody", "Nobody is asked: none"),
    ):
        match = after(effect)
        assert who(match) == "b" and ids(match) == ["act", "idle"]  # nobody was asked
        assert told(match, "vote", "agreement", "majority") == [why]
        assert state(match, "united") is False


def test_one_alone_agrees_with_themself() -> None:
    for word in ("agreement", "majority"):
        match = after(f"{word} of [d] chooses depth from [1 to 3], else 0")
        assert (who(match), len(ids(match))) == ("d", 3)
        assert state(do(match, "depth=2"), "depth") == 2


def test_a_single_option_is_taken_and_shown() -> None:
    match = after("agreement of crew chooses depth from [3], else 0")
    assert (who(match), state(match, "depth")) == ("b", 3)
    assert told(match, "vote", "agreement") == ["b: 3", "c: 3", "They agree: 3"]


# ----------------------------------------------------------------- majority


@pytest.mark.parametrize(
    ("votes", "depth"),
    [
        ("1 1 1 2 3", 1),
        ("3 2 3 1 3", 3),
        ("1 1 2 2 3", 0),  # two of five are not more than half
        ("2 2 2 2 2", 2),
    ],
)
def test_a_majority_is_more_than_half_of_all(votes: str, depth: int) -> None:
    match = after(MOST, *(f"depth={v}" for v in votes.split()))
    assert state(match, "depth") == depth
    assert told(match, "vote") == [f"{p}: {v}" for p, v in zip("abcde", votes.split(), strict=True)]
    assert told(match, "majority") == [f"Most choose: {depth}" if depth else "No majority: 0"]


def test_a_tie_is_no_majority() -> None:
    assert (
        state(after("majority of crew chooses united from [yes, no], else no", "yes", "no"), "united")
        is False
    )


def test_values_below_nothing_can_be_chosen_as_one() -> None:
    effect = "majority of crew chooses depth from [-3, -1, 2], else 0"
    assert state(after(effect, "depth=-1", "depth=-1"), "depth") == -1
    assert state(after(effect, "depth=-3", "depth=-3"), "depth") == -3
    assert state(after(effect, "depth=-3", "depth=-1"), "depth") == 0


# ------------------------------------------------------ what is set, by whom


def test_states_of_somebody_of_several_and_attributes_of_cards_can_be_set() -> None:
    match = after("agreement of crew chooses gold of left of actor from [1 to 3], else 0", "gold=2", "gold=2")
    assert state(match, "gold") == {"a": 5, "b": 2, "c": 5, "d": 5, "e": 5}
    match = after("majority of crew chooses gold of each player from [1 to 3], else 9", "gold=2", "gold=3")
    assert set(state(match, "gold").values()) == {9}
    effect = "for each c k in deck:\n    {} chooses mark of k from [aye, argh]\n    move k to shelf"
    for chooser, choices in (("agreement of crew", ("aye", "aye")), ("actor", ("aye",))):
        match = after(effect.format(chooser), *(f"mark={c}" for c in choices))
        assert [p["mark of piece"] for p in match.view(None)["zones"]["shelf"]["pieces"]] == ["aye"]


def test_the_title_of_the_state_is_the_question_else_its_name() -> None:
    match = after(AGREE)
    assert match.decision is not None and match.decision.prompt == "Do you unite?"
    match = after(MOST)
    assert match.decision is not None and match.decision.prompt == "Choose depth"


def test_it_says_how_the_answers_become_one() -> None:
    for effect, word in ((AGREE, "agreement"), (MOST, "majority")):
        match = after(effect)
        assert match.decision is not None
        assert (match.decision.kind, match.decision.joint) == ("together", word)
        seat = match.decision.player
        assert match.view(seat)["decision"]["joint"] == word
        assert match.view(None)["decision"] == {"players": list(match.decision.together), "joint": word}
    for effect in (
        "actor chooses depth from [1, 2]",
        "each player p chooses gold of p from [1, 2], together",
    ):
        match = after(effect)
        assert match.decision is not None and match.decision.joint == ""
        assert "joint" not in match.view(match.decision.player)["decision"]


# ------------------------------------------------------------------ secrecy


def test_nobody_sees_a_vote_before_the_last() -> None:
    one, other = after(MOST, "depth=1", "depth=2"), after(MOST, "depth=3", "depth=3")
    for seat in (2, 3, 4, None):
        assert one.view(seat) == other.view(seat)
        assert one.trace_for(seat) == other.trace_for(seat)
    assert render(one.trace_for(0)) != render(other.trace_for(0))  # type: ignore[arg-type]  # the own vote
    do(one, "depth=1", "depth=1", "depth=1")
    shown = "\n".join(render(one.trace_for(None)))  # type: ignore[arg-type]
    assert "a: 1" in shown and "b: 2" in shown and "Most choose: 1" in shown


def test_the_last_one_cannot_take_back_a_vote_after_seeing_the_others() -> None:
    match = after(AGREE, "yes")
    assert match.undo()
    do(match, "yes", "no")
    assert not match.undo()


# ------------------------------------------------------ inside other things


def test_the_options_are_fixed_before_the_first_vote_and_the_rest_goes_on() -> None:
    match = after(AGREE + "\nif united:\n    set depth to 9\nelse:\n    set depth to 1", "yes", "yes")
    assert state(match, "depth") == 9


RULES = """
events:
  talk(player p):
    do: |
      agreement of [p, left of p] chooses united from [yes, no], else no
rules:
  all_is_told:
    after: united becomes yes
    do: |
      add 1 to told
      {end}
  they_talk_on:
    after: talk
    do: |
      majority of (all player) chooses depth from [1, 2], else 0
"""


def test_in_events_and_rules_and_rules_listen_to_what_is_set() -> None:
    match = after("talk(actor)", "yes", "yes", more=RULES.format(end="add 1 to told"))
    assert (who(match), state(match, "told")) == ("a", 2)  # the majority is asked in the rule after it
    do(match, *["depth=2"] * 5)
    assert (who(match), state(match, "depth")) == ("b", 2)


@pytest.mark.parametrize(("end", "next_one"), [("end turn", "a"), ("end game as over", "")])
def test_what_is_set_can_end_a_turn_or_the_game(end: str, next_one: str) -> None:
    match = after("talk(actor)\nset told to 50", "yes", "yes", more=RULES.format(end=end))
    assert who(match) == next_one
    if next_one:
        do(match, *["depth=2"] * 5)  # the rule after the event is still done, the rest of the action is not
        assert who(match) == "b"
    assert state(match, "told") == 1


def test_in_set_up_and_in_loops() -> None:
    setup = "setup:\n  do: |\n    majority of (all player) chooses depth from [1, 2], else 0\n"
    match = toy(GAME.replace("EFFECT", "      add 0 to told").replace("MORE\n", setup), SEATS)
    assert (who(match), ids(match)) == ("a", ["depth=1", "depth=2"])
    assert state(do(match, *["depth=2"] * 5), "depth") == 2
    loop = "for each player p in crew:\n    agreement of [a, p] chooses gold of p from [1, 2], else 0"
    assert state(after(loop, "1", "1", "2", "1"), "gold") == {"a": 5, "b": 1, "c": 0, "d": 5, "e": 5}


def test_saved_copied_and_resumed_in_the_middle() -> None:
    for effect in (AGREE, MOST, "agreement of crew chooses leader from (all player)"):
        match = after(effect)
        same_to_the_end(match.copy())
        do(match, ids(match)[0])
        resumed = load_match(match.program, match.save())
        assert isinstance(resumed, Match) and resumed.decision is not None and match.decision is not None
        assert resumed.decision.joint == match.decision.joint
        same_to_the_end(match)


# ------------------------------------------------------- each chooses together

TRAYS = """
types:
  pip: 1 to 6
cards:
  bit: {copies: one per pip, code: "D{pip}", starts in: chest}
zones:
  chest: {holds: cards, seen by: all}
  tray: {per: player, holds: cards, seen by: all}
  put: {holds: cards, seen by: all}
state:
  captain: {is: player, start: b}
  first_in: {is: player or none, start: none}
  last_in: {is: player or none, start: none}
  bid: {per: player, is: number 0 to 9}
setup:
  do: |
    move all bit d in chest where pip of d < 4 to tray of a
    move all bit d in chest to tray of b
ORDER
flow:
  - play:
      turns: clockwise from a
      at most: 3 rounds, then over
      actions: [act, idle]
actions:
  idle:
    do: |
      set first_in to none
  act:
    do: |
EFFECT
ends:
  over:
    winner: nobody
"""


def trays(effect: str, *choices: str, order: str = "", seats: str = "[a, b, c]") -> Match:
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    return do(toy(TRAYS.replace("EFFECT", lines).replace("ORDER\n", order), seats), "act", *choices)


NAMED = """
each player p chooses {amount} bit d in tray of p where pip of d > 1, together:
    if first_in is none:
        set first_in to p
    set last_in to p
    move d to put
"""


def test_any_number_of_things_are_chosen_together_and_the_block_runs_for_each() -> None:
    match = trays(NAMED.format(amount="any number of"))
    assert (who(match), ids(match)) == ("a", ["d=D2", "d=D3", "done"])
    do(match, "d=D2", "done")
    assert pieces(match, "put") == []  # b has not chosen yet
    assert (who(match), ids(match)) == ("b", ["d=D4", "d=D5", "d=D6", "done"])
    do(match, "d=D4", "d=D6")
    assert ids(match) == ["act", "idle"]  # after the last there is nothing more; c has none
    assert sorted(pieces(match, "put")) == ["D2", "D4", "D6"]
    assert (state(match, "first_in"), state(match, "last_in")) == ("a", "b")


def test_the_block_is_not_run_for_those_who_pick_none() -> None:
    match = trays(NAMED.format(amount="any number of"), "done", "d=D5", "done")
    assert (pieces(match, "put"), state(match, "first_in")) == (["D5"], "b")
    match = trays(NAMED.format(amount="any number of"), "done", "done")
    assert (who(match), pieces(match, "put")) == ("b", [])


def test_up_to_and_so_many_together() -> None:
    match = trays(NAMED.format(amount="up to 1"), "d=D3")
    assert who(match) == "b"
    assert sorted(pieces(do(match, "d=D6"), "put")) == ["D3", "D6"]
    match = trays(NAMED.format(amount="2"))  # a has just two, which are taken without asking
    assert (who(match), ids(match)) == ("b", ["d=D4", "d=D5"])
    assert sorted(pieces(do(match, "d=D4", "d=D6"), "put")) == ["D2", "D3", "D4", "D6"]


def test_how_many_may_be_different_for_each() -> None:
    number = "(if p is b then 2 else 1)"
    match = trays(f"each player p chooses up to {number} bit d in tray of p, together:\n    move d to put")
    do(match, "d=D1")
    do(match, "d=D4")
    assert ids(match) == ["d=D5", "d=D6", "done"]


def test_picks_are_secret_till_the_last() -> None:
    one = trays(NAMED.format(amount="any number of"), "d=D2", "done")
    other = trays(NAMED.format(amount="any number of"), "d=D2", "d=D3")
    for seat in (1, 2, None):
        assert one.view(seat) == other.view(seat)
        assert one.trace_for(seat) == other.trace_for(seat)
    half = trays(NAMED.format(amount="any number of"), "d=D2")  # a picks on: nobody sees how far they are
    assert half.view(2) == one.view(2)


def test_what_one_picks_does_not_change_what_the_next_may_pick() -> None:
    effect = "each player p where p is not c chooses 2 bit d in tray of a, together:\n    move d to put"
    match = trays(effect, "d=D1", "d=D2")
    assert (who(match), ids(match)) == ("b", ["d=D1", "d=D2"])
    assert sorted(pieces(do(match, "d=D2"), "put")) == ["D1", "D2", "D3"]


def test_states_of_each_from_conditions() -> None:
    numbers = "(all number n in [1 to 9] where n > bid of p)"
    effect = f"each player p where p is not c chooses bid of p from {numbers}, together"
    match = trays("set bid of b to 7\n" + effect)
    assert len(ids(match)) == 9
    do(match, "bid=4")
    assert ids(match) == ["bid=8", "bid=9"]
    assert state(match, "bid") == {"a": 0, "b": 7, "c": 0}
    assert state(do(match, "bid=9"), "bid") == {"a": 4, "b": 9, "c": 0}


@pytest.mark.parametrize(
    ("order", "first", "last"), [("", "a", "b"), ("order: clockwise from captain\n", "b", "a")]
)
def test_asking_and_the_block_follow_the_order_of_the_game(order: str, first: str, last: str) -> None:
    match = trays(NAMED.format(amount="up to 1"), order=order)
    assert who(match) == first
    do(match, ids(match)[0])
    assert who(match) == last
    do(match, ids(match)[0])
    assert (state(match, "first_in"), state(match, "last_in")) == (first, last)


def test_a_turn_that_ends_in_the_block_leaves_the_others_out() -> None:
    effect = "each player p chooses up to 1 bit d in tray of p, together:\n    move d to put\n    end turn"
    match = trays(effect, "d=D1", "d=D4")
    assert (who(match), pieces(match, "put")) == ("b", ["D1"])


def test_two_choices_of_one_name_in_one_block_do_not_mix() -> None:
    effect = (
        "each player p where p is not c chooses player other where other is not p, together:\n"
        "    set last_in to other\n"
        "each player p where p is not c chooses bit other in tray of p, together:\n"
        "    move other to put"
    )
    match = trays(effect, "other=c", "other=c", "other=D1", "other=D5")
    assert (state(match, "last_in"), sorted(pieces(match, "put"))) == ("c", ["D1", "D5"])


def test_a_trace_tells_the_votes_with_rule_and_line() -> None:
    text = story(after(AGREE, "yes", "no"))
    assert "b: yes  [vote united," in text and "They do not agree: no  [agreement united," in text


def test_votes_are_told_though_there_are_as_many_hidden_cards_as_players() -> None:
    game = GAME.replace("EFFECT", f"      {AGREE}").replace("MORE\n", "").replace("copies: 1", "copies: 5")
    match = do(
        toy(game.replace("as: pile, seen by: all", "as: pile, seen by: nobody"), SEATS), "act", "yes", "no"
    )
    shown = "\n".join(render(match.trace_for(None)))  # type: ignore[arg-type]
    assert "b: yes" in shown and "c: no" in shown and "They do not agree: no" in shown


def test_hidden_cards_that_are_chosen_as_one_stay_hidden() -> None:
    state_ = "state:\n  found: {is: c or none, start: none}\n"
    effect = "      majority of crew chooses found from (all c in deck)"
    hidden = GAME.replace("EFFECT", effect).replace("MORE\n", "").replace("copies: 1", "copies: 5")
    hidden = hidden.replace("as: pile, seen by: all", "as: pile, seen by: nobody").replace("state:\n", state_)
    match = do(toy(hidden, SEATS), "act")
    assert who(match) == "b" and all("K" not in i for i in ids(match))
    do(match, ids(match)[0], ids(match)[0])
    for seat in (None, 0, 1):
        assert "K" not in "\n".join(render(match.trace_for(seat)))  # type: ignore[arg-type]
