"""A record replays exactly, and a wrong one is refused with a reason, never with an exception."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter import ir
from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.record import replay
from rulewright.tests.interpreter.playing import do, play
from rulewright.tests.interpreter.programs import ALL_PROGRAMS, card_game, dice_game, tic_tac_toe
from rulewright.tests.interpreter.test_match import damage


def record_of(match: Match) -> Any:
    return json.loads(json.dumps(match.record))


def refused(program: ir.Program, record: object) -> Refusal:
    got = replay(program, record)
    assert isinstance(got, Refusal)
    return got


@given(st.sampled_from(ALL_PROGRAMS), st.integers(), st.integers(0, 60))
def test_a_record_replays_to_the_same_position(make: Any, seed: int, choices: int) -> None:
    match = play(make(), seed % 10**9, choices, trace=True)
    again = replay(make(), record_of(match))
    assert isinstance(again, Match)
    assert again.state_hash() == match.state_hash()
    assert again.trace == match.trace
    assert again.record == match.record


def test_a_record_says_all_there_is_to_say() -> None:
    match = do(start(tic_tac_toe(), "a word as seed"), "put a1", "put a2", "put b1", "put b2", "put c1")
    assert match.record == {
        "format": "rulewright record 1",
        "game": "three in a row",
        "variants": [],
        "options": {},
        "players": ["red", "blue"],
        "seed": "a word as seed",
        "rules": "0123",
        "choices": [
            ["red", "put spot=a1"],
            ["blue", "put spot=a2"],
            ["red", "put spot=b1"],
            ["blue", "put spot=b2"],
            ["red", "put spot=c1"],
        ],
        "result": {"end": "line", "title": "A line", "winners": ["red"], "scores": {}},
    }


def test_a_game_with_scripted_chance_is_recorded_with_its_script() -> None:
    match = do(start(dice_game(), chance=ScriptedChance(("die",), ["3", "1"])), "roll", "roll")
    record = record_of(match)
    assert (record["seed"], record["script"]) == (None, ["3", "1"])
    again = replay(dice_game(), record)
    assert isinstance(again, Match) and again.state_hash() == match.state_hash()


def test_other_rules_are_named_with_both_hashes() -> None:
    reason = refused(replace(tic_tac_toe(), rules_hash="4567"), record_of(start(tic_tac_toe()))).reason
    assert "0123" in reason and "4567" in reason


def test_another_game_or_other_players_are_refused() -> None:
    record = record_of(start(tic_tac_toe()))
    assert "not of `dice`" in refused(dice_game(), record).reason
    assert "other players" in refused(tic_tac_toe(), {**record, "players": ["red"]}).reason


@pytest.mark.parametrize("record", [None, 7, "x", [], {}, {"format": "rulewright record 1"}])
def test_what_is_no_record_is_refused(record: object) -> None:
    assert refused(tic_tac_toe(), record).reason


def tampered(change: Any) -> Refusal:
    record = record_of(do(start(card_game(), 2), "play rain", "gift=2", "away=snow", "done"))
    change(record)
    return refused(card_game(), record)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda r: r["choices"].__setitem__(1, ["blue", "gift=7"]),
            "Choice 2, `gift=7`: 7 is not among `gift`.",
        ),
        (lambda r: r["choices"].__setitem__(1, ["red", "gift=2"]), "Choice 2 is blue's, not red's."),
        (lambda r: r["choices"].__setitem__(2, ["red", 5]), "Choice 3 of the record is damaged."),
        (lambda r: r["choices"].pop(0), "Choice 1 is red's, not blue's."),
        (lambda r: r["choices"].__setitem__(0, ["red", "play card=ran"]), "Choice 1, `play card=ran`"),
        (lambda r: r["choices"].__setitem__(1, ["blue", "2"]), "Choice 2, `2`"),
        (lambda r: r.__setitem__("choices", None), "no list of choices"),
        (lambda r: r.__setitem__("seed", None), "no seed"),
        (lambda r: r.__setitem__("seed", 3), "Choice"),
        (lambda r: r.__setitem__("result", {"end": "spent"}), "not over"),
    ],
)
def test_a_tampered_record_is_refused_at_the_choice_where_it_is_wrong(change: Any, reason: str) -> None:
    assert reason in tampered(change).reason


def test_another_result_than_that_of_the_choices_is_refused() -> None:
    record = record_of(play(tic_tac_toe(), 4))
    assert isinstance(replay(tic_tac_toe(), record), Match)
    record["result"]["winners"] = ["blue", "red"]
    assert "another result" in refused(tic_tac_toe(), record).reason


def test_choices_after_the_end_are_refused() -> None:
    record = record_of(play(tic_tac_toe(), 4))
    record["choices"].append(["red", "put spot=a1"])
    assert "the game was over before" in refused(tic_tac_toe(), record).reason


@given(st.integers(0, 200), st.randoms(use_true_random=False))
def test_no_damage_raises_anything(seed: int, luck: random.Random) -> None:
    record = record_of(play(card_game(), seed, 12))
    for _ in range(luck.randint(1, 3)):
        damage(record, luck)
    got = replay(card_game(), record, trace=False)
    assert isinstance(got, Match) or got.reason
