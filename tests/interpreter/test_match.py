"""A match can be saved, copied, taken up and taken back at any decision, and survives its rules' errors."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.problems import NOWHERE
from rulewright.interpreter import ir
from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.faults import Budgets, Refusal
from rulewright.interpreter.ir import (
    ActionDecision,
    ActionOption,
    Assign,
    Binary,
    ChooseAction,
    ChooseOne,
    Const,
    Enter,
    Fail,
    If,
    Key,
    Leave,
    Load,
    Local,
    Loop,
    Return,
    SetConst,
    Store,
    Variable,
)  # fmt: skip
from rulewright.interpreter.match import Match, load_match, start
from rulewright.interpreter.saves import checksum
from rulewright.interpreter.trace import render
from rulewright.tests.interpreter.playing import do, ids, play
from rulewright.tests.interpreter.programs import (
    ALL_PROGRAMS,
    MACHINE,
    at,
    card_game,
    connect_four,
    dice_game,
    effect,
    equal,
    say,
    tic_tac_toe,
)  # fmt: skip

games = st.sampled_from(ALL_PROGRAMS).map(lambda make: make())
luck = st.randoms(use_true_random=False)


def through_json(data: object) -> Any:
    return json.loads(json.dumps(data))


def loaded(match: Match, trace: bool = True) -> Match:
    again = load_match(match.program, through_json(match.save()), trace)
    assert isinstance(again, Match), again
    return again


# ------------------------------------------------------------- save and copy


@given(games, st.integers(0, 10**6), luck)
def test_a_saved_copied_or_untraced_match_goes_on_just_the_same(
    game: ir.Program, seed: int, r: random.Random
) -> None:
    match = start(game, seed)
    others = [loaded(match), match.copy(), start(game, seed, trace=False)]
    for _ in range(50):
        if match.decision is None:
            break
        i = r.randrange(match.decision.count)
        if r.random() < 0.3:  # at any decision, also in the middle of an effect
            others[0] = loaded(others[0], trace=r.random() < 0.5)
            others[1] = others[1].copy(trace=r.random() < 0.5)
        do(match, i)
        for other in others:
            do(other, i)
            assert other.state_hash() == match.state_hash()
            assert other.state.as_json() == match.state.as_json()
    assert all(o.result == match.result for o in others)
    assert loaded(match).result == match.result


def test_a_match_can_be_saved_in_the_middle_of_an_effect_and_of_a_choice() -> None:
    match = do(start(card_game(), 2), "play rain", "gift=2", "away=snow")
    again = loaded(match)
    assert ids(again) == ids(match) == ["away=sun", "away=moon", "done"]
    assert again.decision is not None and match.decision is not None
    assert again.decision.prompt == match.decision.prompt
    do(match, "away=moon", 0, 0)
    do(again, "away=moon", 0, 0)
    assert again.state_hash() == match.state_hash()


def test_the_events_that_are_under_way_go_on_in_the_trace_of_a_loaded_match() -> None:
    match = do(loaded(do(start(card_game(), 2), "play rain")), "gift=2")
    assert match.trace is not None
    lines = render(match.trace)
    assert lines[0].startswith("play (goes on)")
    assert any(line.startswith("    ") and "score of red: 4 → 6" in line for line in lines)


def test_a_copy_and_its_origin_do_not_touch_each_other() -> None:
    match = do(start(card_game(), 2), "play rain")
    copy = match.copy()
    before = match.state_hash()
    do(copy, "gift=2", "done")
    assert match.state_hash() == before
    assert copy.state_hash() != before


def test_a_copy_with_a_seed_of_its_own_does_not_know_what_chance_will_bring() -> None:
    match = start(dice_game(), 5)
    rolls = set()
    for seed in range(40):
        copy = do(match.copy(seed=seed), "roll")
        rolls.add(copy.state_hash())
    assert len(rolls) >= 5
    assert do(match.copy(), "roll").state_hash() == do(match, "roll").state_hash()


def damage(data: Any, r: random.Random) -> None:
    """Change one leaf of JSON data."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = r.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and r.random() < 0.9:
            data = data[key]
            continue
        data[key] = r.choice([None, -7, 10**9, "x", [], {}, True, [[]], 1.5])
        return


@given(luck, st.booleans())
def test_a_damaged_save_is_refused_with_a_reason(r: random.Random, made_to_fit: bool) -> None:
    whole = do(start(card_game(), 2), "play rain", "gift=2", "away=snow").save()
    saved = through_json(whole)
    damage(saved, r)
    if made_to_fit:  # somebody made it up: then it may be a game after all, but nothing breaks
        saved["check"] = checksum(saved)
    again = load_match(card_game(), saved)
    if isinstance(again, Match):
        assert made_to_fit or saved == whole
    else:
        assert again.reason


@pytest.mark.parametrize("saved", [None, 3, [], {}, {"format": "rulewright save 1"}])
def test_what_is_no_save_is_refused(saved: object) -> None:
    assert isinstance(load_match(tic_tac_toe(), saved), Refusal)


def test_a_save_of_other_rules_is_refused_with_both_hashes() -> None:
    from dataclasses import replace

    saved = start(tic_tac_toe()).save()
    refused = load_match(replace(tic_tac_toe(), rules_hash="4567"), saved)
    assert isinstance(refused, Refusal) and "0123" in refused.reason and "4567" in refused.reason


# ----------------------------------------------------------------- the hash


def test_equal_positions_reached_in_two_ways_have_one_hash() -> None:
    one = do(start(tic_tac_toe()), "put a1", "put b2", "put c3", "put a3")
    two = do(start(tic_tac_toe()), "put c3", "put b2", "put a1", "put a3")
    assert one.state_hash() == two.state_hash()
    assert one.state_hash() != do(start(tic_tac_toe()), "put a1", "put a3", "put c1", "put b2").state_hash()
    assert len(one.state_hash()) == 16


def test_the_hash_tells_counters_values_and_knowledge_apart() -> None:
    match = start(card_game(), 1)
    before = match.state_hash()
    for change in ("counters", "vars", "known"):
        copy = match.copy()
        values: list[Any] = getattr(copy.state, change)
        i = (
            next(i for i, v in enumerate(values) if i >= len(values) - 1 or change != "vars")
            if change != "vars"
            else 5
        )
        values[i] ^= 1
        assert copy.state_hash() != before, change


def test_known_hashes_never_change() -> None:
    """Written down once; another machine must give the same."""
    assert [play(make(), 1, 5).state_hash() for make in ALL_PROGRAMS] == KNOWN_HASHES


# --------------------------------------------------------------------- undo


def test_a_choice_that_brought_nothing_to_light_can_be_taken_back() -> None:
    match = start(tic_tac_toe())
    before, tree = match.state_hash(), match.trace
    do(match, "put a1")
    assert match.undo()
    assert (match.state_hash(), match.trace, match.choices) == (before, tree, ())
    assert not match.undo()


def test_what_chance_has_decided_stays() -> None:
    match = do(start(dice_game(), 3), "roll")
    assert not match.undo()
    assert match.undo(force=True)
    assert match.choices == ()


def test_what_somebody_got_to_know_stays() -> None:
    match = do(start(card_game(), 2), "play rain")
    assert not match.undo()  # blue has seen the card
    do(match, "gift=2")
    assert match.undo()  # nothing has come to light since
    assert [c.id for c in match.choices] == ["play card=rain"]


def test_another_persons_choice_is_not_taken_back_along_with_ones_own() -> None:
    match = do(start(tic_tac_toe()), "put a1", "put b1")
    assert not match.undo(player=0)
    assert match.undo(player=0, humans=[0])  # blue is no person
    assert match.choices == ()
    do(match, "put a1", "put b1")
    assert match.undo(player=0, force=True)


@given(games, st.integers(0, 1000), st.integers(1, 60), luck)
def test_taking_back_and_choosing_again_leads_to_the_same_game(
    game: ir.Program, seed: int, n: int, r: random.Random
) -> None:
    match = play(game, seed, n, trace=True)
    hashes, choices, tree = match.state_hash(), match.choices, match.trace
    back = r.randint(0, min(n, len(choices)))
    for _ in range(back):
        assert match.undo(force=True)
    assert len(match.choices) == len(choices) - back
    for choice in choices[len(choices) - back :]:
        do(match, choice.id)
    assert (match.state_hash(), match.choices, match.trace) == (hashes, choices, tree)


def test_a_loaded_match_is_taken_back_to_where_it_was_loaded_at_most() -> None:
    match = do(loaded(do(start(tic_tac_toe()), "put a1")), "put b1")
    assert match.undo()
    assert not match.undo()
    assert ids(match)[0] == "put spot=b1"


# ------------------------------------------------------------ rules' errors


def faulty() -> ir.Program:
    """`good` adds 1; `bad` adds 1, then fails; `ask` asks for a number and fails on 2."""
    actions = tuple(ActionOption(n, n, (), (), (), None, at(2)) for n in ("good", "bad", "ask"))
    add = Store(5, None, Binary("+", Load(5), Const(1)), at(3))
    question = ChooseOne(
        Const(0), 2, Key("n", 1, SetConst((1, 2)), "number", at(5)), Const(0), say("Which?"), at(5)
    )
    body = (
        Assign(0, Const(0), at(1)),
        Loop(
            (
                ChooseAction(0, Local(0), 3, at(2)),
                add,
                If(
                    equal(Local(3), Const(1)),
                    (
                        Enter("event", "crash", say("It breaks"), (), (), at(4)),
                        Fail(say("It cannot be."), at(4)),
                    ),
                    (),
                    at(4),
                ),
                If(
                    equal(Local(3), Const(2)),
                    (question, If(equal(Local(2), Const(2)), (Fail(say("Not two."), at(6)),), (), at(6))),
                    (),
                    at(5),
                ),
            ),
            at(1),
        ),
    )
    number = Variable("n", 1, "number", 0, 9, False, "number", (), (0,))
    return effect(
        *body,
        variables=(*MACHINE, number),
        decisions=(ActionDecision("act", actions, 0, 4, say("Act"), at(2)),),
    )


@pytest.mark.parametrize("trace", [True, False])
def test_after_a_rule_error_the_match_stands_at_its_last_decision(trace: bool) -> None:
    match = start(faulty(), trace=trace)
    for _ in range(3):
        do(match, "good")
        before = (match.state_hash(), match.choices, match.trace, match.save())
        refused = match.choose("bad")
        assert refused is not None
        assert (refused.form, refused.span.line, refused.rule) == ("rule", 4, "main")
        assert refused.reason == "It cannot be. (in main, game.yaml:4:1)"
        assert (match.state_hash(), match.choices, match.trace, match.save()) == before


def test_an_error_in_the_middle_of_an_effect_leaves_the_choice_in_it_open() -> None:
    match = do(start(faulty()), *["good"] * 4, "ask")
    assert match.choose("n=2") is not None
    assert ids(match) == ["n=1", "n=2"]
    do(match, "n=1", "good")
    assert match.state.vars[-1] == 6


def test_a_number_out_of_range_stops_the_choice_not_the_match() -> None:
    match = do(start(faulty()), *["good"] * 9)
    refused = match.choose("good")
    assert refused is not None and "10 does not fit; `n` goes from 0 to 9." in refused.reason
    assert match.decision is not None


SMALL = Budgets(steps=2000, events=50, depth=20, options=8)


def over_budget(*body: ir.Statement, functions: tuple[ir.Function, ...] = ()) -> Refusal:
    match = start(effect(*body, functions=functions), budgets=SMALL, trace=False)
    traced = start(effect(*body, functions=functions), budgets=SMALL)
    assert match.fault is not None
    assert match.fault == traced.fault
    assert match.fault.form == "budget" and match.fault.span != NOWHERE
    return match.fault


def test_a_loop_without_end_is_stopped() -> None:
    assert "may never end" in over_budget(Loop((Assign(0, Const(1), at(3)),), at(2))).reason
    assert "may never end" in over_budget(Loop((), at(2))).reason


def test_too_many_events_are_stopped_and_named() -> None:
    ping = ir.Function(
        "ping",
        0,
        0,
        (),
        (Enter("event", "ping", None, (), (), at(4)), Leave(at(4)), Return(None, at(4))),
        "",
        at(4),
    )
    fault = over_budget(Loop((ir.CallTo(1, (), -1, at(3)),), at(2)), functions=(ping,))
    assert "50 events" in fault.reason
    assert "main → ping" in fault.reason


def test_calls_too_deep_are_stopped() -> None:
    chain = tuple(
        ir.Function(f"f{i}", 0, 0, (), (ir.CallTo(i + 2, (), -1, at(i)),) if i < 29 else (), "", at(i))
        for i in range(30)
    )
    assert "More than 20" in over_budget(ir.CallTo(1, (), -1, at(2)), functions=chain).reason


def test_too_many_options_are_stopped() -> None:
    many = SetConst(tuple(range(9)))
    one = ChooseOne(Const(0), 2, Key("n", 1, many, "number", at(5)), Const(0), say("Which?"), at(5))
    assert "More than 8 options" in over_budget(one).reason
    key = Key("n", 1, many, "number", at(5))
    decision = ActionDecision(
        "act", (ActionOption("go", "", (key,), (), (), None, at(2)),), 0, 4, say("Act"), at(2)
    )
    match = start(effect(ChooseAction(0, Const(0), 3, at(2)), decisions=(decision,)), budgets=SMALL)
    assert match.fault is not None and "More than 8 options" in match.fault.reason


def test_a_budget_begins_anew_with_each_decision() -> None:
    match = start(dice_game(), 0, budgets=Budgets(steps=60, events=3, depth=10, options=5))
    r = random.Random(4)
    while match.decision is not None:
        do(match, r.randrange(match.decision.count))
    assert match.result.end == "reached"
    assert len(match.choices) > 10


# --------------------------------------------------------------------- rest


def test_scripted_chance_decides_and_a_refused_outcome_leaves_the_choice_open() -> None:
    match = start(dice_game(), chance=ScriptedChance(("die",), ["4", "6", "7"]))
    do(match, "roll", "roll")
    assert ids(match) == ["bonus=2", "bonus=4", "bonus=6"]
    do(match, "bonus=6")
    assert match.state.vars[7] == 10
    refused = match.choose("roll")
    assert refused is not None and refused.form == "chance" and "cannot give '7'" in refused.reason
    do(match, "stop")
    assert dict(match.result.scores) == {"red": 10, "blue": 0}


def test_a_position_set_up_by_hand_becomes_the_beginning() -> None:
    match = start(dice_game(), 1)
    match.state.vars[5] = 19
    match.state.vars[7] = 3
    assert match.rebase() is None
    assert ids(match) == ["roll", "stop"]
    do(match, "stop")
    assert match.result.winners == ("red",)


def test_a_game_that_has_ended_asks_nobody_any_more() -> None:
    p = effect(
        ir.EndGame(0, SetConst((0,)), at(2)),
        ChooseOne(
            Const(0), 2, Key("n", 1, SetConst((1, 2)), "number", at(5)), Const(0), say("Which?"), at(5)
        ),
    )
    match = start(p)
    assert match.over and match.result.winners == ("red",)


def test_invariants_that_do_not_hold_are_named() -> None:
    from dataclasses import replace

    p = dice_game()
    check = ir.Function("check", 0, 0, (), (Return(Binary("<", Load(6), Const(8)), at(1)),), "number", at(1))
    p = replace(p, functions=(*p.functions, check), invariants=(("small_pot", len(p.functions)),))
    match = start(p, chance=ScriptedChance(("die",), ["5", "5"]))
    assert do(match, "roll").broken_invariants() == []
    assert do(match, "roll").broken_invariants() == ["small_pot"]


@pytest.mark.parametrize("make", [tic_tac_toe, connect_four, dice_game, card_game])
def test_every_small_game_can_be_played_to_its_end(make: Any) -> None:
    for seed in range(10):
        result = play(make(), seed).result
        assert result.over and result.end


KNOWN_HASHES = ["140d02f4f4ee181d", "f647e1357687e61a", "085f7bbc6fa9eeeb", "7bcd407499178c8c"]
