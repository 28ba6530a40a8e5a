"""A match on the fast machine answers like one on the reference machine, whatever it is asked, and when."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.match import Match, load_match
from rulewright.interpreter.match import start as start_reference
from rulewright.interpreter.wasm.host import Trapped
from rulewright.interpreter.wasm.machine import Runner, TooLarge
from rulewright.interpreter.wasm.match import FastMatch, fast_match, start

GAMES = [("tic_tac_toe", 2), ("kuhn_poker", 3), ("goofspiel", 2), ("vyr", 2), ("vye", 3), ("aye", 4)]


def program(name: str, players: int, seed: int = 0) -> ir.Program:
    game = load(name)
    assert isinstance(game, PlayableGame)
    found = game.program(players, seed=seed)
    assert isinstance(found, ir.Program)
    return found


def pair(name: str, players: int, seed: int) -> tuple[Match, FastMatch]:
    found = program(name, players, seed)
    return start_reference(found, seed, trace=False), start(found, seed)


def look(match: Match) -> object:
    return match.view(0)


def name(match: Match) -> object:
    return match.decision.ids if match.decision is not None else ()


def options(match: Match) -> object:
    return match.decision.options if match.decision is not None else ()


def saved(match: Match) -> object:
    """A save, but for the slots of frames: what nobody will read any more depends on what was asked."""
    data = match.save()
    state = {key: value for key, value in data["state"].items() if key != "frames"}
    frames = [(f[0], f[1], f[3]) for f in data["state"]["frames"]]
    return {**data, "state": state, "check": "", "frames": frames}


QUESTIONS: list[Callable[[Match], object]] = [
    look, name, options, Match.state_hash, Match.broken_invariants, saved,
    lambda match: match.result, lambda match: json.dumps(match.record), lambda match: match.choices,
    lambda match: (match.over, match.fault, match.seed),
]  # fmt: skip


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_it_answers_the_same_whatever_it_is_asked_and_whenever(name: str, players: int) -> None:
    reference, fast = pair(name, players, 5)
    luck = random.Random(name)
    for _ in range(60):
        if reference.decision is None:
            break
        if luck.random() < 0.4:  # often nothing is asked for some choices
            question = luck.choice(QUESTIONS)
            assert question(fast) == question(reference)
        index = luck.randrange(reference.decision.count)
        chosen = reference.decision.ids[index] if luck.random() < 0.3 else index
        assert fast.choose(chosen) is None
        assert reference.choose(chosen) is None
        assert fast.over == reference.over
    for question in QUESTIONS:
        assert question(fast) == question(reference)


@pytest.mark.parametrize(("name", "players"), [("vyr", 2), ("vye", 3)])
def test_what_is_refused_changes_nothing_and_says_why(name: str, players: int) -> None:
    reference, fast = pair(name, players, 1)
    for index in (2, 0, 1):
        fast.choose(index)
        reference.choose(index)
    for wrong in (-1, 10_000, "nonsense"):
        assert str(fast.choose(wrong)) == str(reference.choose(wrong))
        assert fast.state_hash() == reference.state_hash()


def test_choices_are_taken_back_and_made_again() -> None:
    reference, fast = pair("connect_four", 2, 3)
    for index in (3, 3, 2, 4):
        reference.choose(index)
        fast.choose(index)
    assert fast.undo() and reference.undo()
    assert fast.state_hash() == reference.state_hash()
    for index in (1, 1, 1):
        assert fast.choose(index) is None
        reference.choose(index)
    assert fast.state_hash() == reference.state_hash()
    assert [c.index for c in fast.choices] == [c.index for c in reference.choices]


def test_matches_that_share_a_module_do_not_meet() -> None:
    found = program("vyr", 2)
    fast = [start(found, seed) for seed in range(3)]
    slow = [start_reference(found, seed, trace=False) for seed in range(3)]
    luck = random.Random(9)
    for _ in range(40):
        i = luck.randrange(3)
        if slow[i].over:
            continue
        decision = slow[i].decision
        assert decision is not None
        index = luck.randrange(decision.count)
        assert fast[i].choose(index) is None and slow[i].choose(index) is None
    assert [m.state_hash() for m in fast] == [m.state_hash() for m in slow]


def test_a_copy_goes_its_own_way() -> None:
    reference, fast = pair("vye", 2, 4)
    for index in (1, 0, 2):
        fast.choose(index)
        reference.choose(index)
    copy = fast.copy()
    assert isinstance(copy, FastMatch)
    before = copy.state_hash()
    fast.choose(0)
    fast.choose(0)
    assert copy.state_hash() == before == reference.state_hash()
    copy.choose(1)
    reference.choose(1)
    assert copy.state_hash() == reference.state_hash()
    assert copy.choices == reference.choices


def test_a_copy_with_other_luck_and_one_with_a_trace() -> None:
    reference, fast = pair("pig", 2, 4)
    fast.choose(0)
    reference.choose(0)
    ours, theirs = fast.copy(seed=99), reference.copy(seed=99)
    for match in (ours, theirs):
        while match.decision is not None and len(match.choices) < 30:
            match.choose(0)
    assert ours.state_hash() == theirs.state_hash()
    traced = fast.copy(trace=True)
    traced.choose(0)
    assert traced.trace is not None


def test_a_save_in_the_midst_is_taken_up_on_either_machine() -> None:
    _, fast = pair("aye", 4, 2)
    for _ in range(25):
        fast.choose(0)
    saved = json.loads(json.dumps(fast.save()))
    again = load_match(fast.program, saved, trace=False)
    assert isinstance(again, Match)
    taken_up = fast_match(again)
    for _ in range(10):
        fast.choose(0)
        taken_up.choose(0)
    assert taken_up.state_hash() == fast.state_hash()


def test_where_the_module_gives_up_the_reference_machine_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    reference, fast = pair("vyr", 2, 6)
    choose = Runner.choose
    calls = 0

    def often_trapped(self: Runner, option: int) -> int:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise Trapped("for the sake of the test")
        return choose(self, option)

    monkeypatch.setattr(Runner, "choose", often_trapped)
    while reference.decision is not None:
        assert fast.choose(0) is None
        reference.choose(0)
    assert fast.over and fast.result == reference.result
    assert calls > 6


def test_luck_that_was_written_down_is_not_for_the_module() -> None:
    found = program("pig", 2)
    script = ScriptedChance([s.name for s in found.streams], {s.name: [0, 1, 2] for s in found.streams})
    with pytest.raises(TooLarge, match="wrote down"):
        fast_match(start_reference(found, chance=script))
