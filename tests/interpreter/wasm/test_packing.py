"""A position written into a module and read again is the same, also in the middle of an effect."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.fingerprint import fingerprint
from rulewright.interpreter.match import Match, fork
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.machine import Runner, TooLarge
from rulewright.playtest.slots_alive import alive_at
from rulewright.tests.interpreter.wasm.modules import GAMES, HAND, made_anew, positions, program, runner


def as_read(s: State, at: Runner) -> dict[str, object]:
    """A position as plain data. Slots that nothing reads any more are left out, and one for a set that
    nothing was put into yet counts as empty: both have another form on each machine."""
    frames = []
    for f, pc, slots, result in s.frames:
        sets = at.shared.slot_kinds(f).keys()
        alive = {n: slots[n] or () if n in sets else slots[n] for n in sorted(alive_at(s.code, f, pc))}
        frames.append([f, pc, alive, result])
    return {**s.as_json(), "frames": frames}


@pytest.mark.parametrize("game", [*GAMES, *HAND])
def test_a_position_is_the_same_when_it_is_read_again(game: str, figure: Any) -> None:
    to = runner(game)
    deepest = 0
    for seed in range(figure(2, 20)):
        for match in positions(program(game), seed, figure(30, 200), every=7):
            s = match.state
            deepest = max(deepest, len(s.frames))
            to.load(s)
            again = to.reader.state(s.chance)
            assert as_read(again, to) == as_read(s, to)
            ids = list(match.decision.ids) if match.decision is not None else []
            assert fingerprint(again, ids) == match.state_hash()
    assert deepest >= 1


@pytest.mark.parametrize("game", [*GAMES, *HAND])
def test_a_position_goes_on_where_it_stood(game: str, figure: Any) -> None:
    to = runner(game)
    for seed in range(figure(1, 10)):
        for match in positions(program(game), seed, figure(15, 200), every=11):
            if match.over:
                break
            s = fork(match.state)
            to.run(s)
            assert s.ask is not None and match.state.ask is not None
            assert (s.ask.form, s.ask.player, s.ask.options) == (
                match.state.ask.form,
                match.state.ask.player,
                match.state.ask.options,
            )
            assert as_read(s, to) == as_read(match.state, to)
            assert Match(match.state.code, s, False).state_hash() == match.state_hash()


def test_effects_stand_in_the_middle_in_these_games() -> None:
    found = {len(m.state.frames) for m in positions(program("hand_card_game"), 3, 100)}
    assert max(found) > min(found - {0})


def test_a_position_can_be_written_over_another() -> None:
    to, (one, other) = (
        runner("hand_dice_game"),
        [list(positions(program("hand_dice_game"), s, 4))[-1] for s in (1, 2)],
    )
    for match in (one, other, one):
        to.load(match.state)
        assert as_read(to.reader.state(match.state.chance), to) == as_read(match.state, to)


def test_luck_that_somebody_wrote_down_is_refused() -> None:
    match = next(positions(program("hand_dice_game"), 0, 1))
    s = fork(match.state)
    s.chance = ScriptedChance(s.code.streams, [])
    with pytest.raises(TooLarge):
        runner("hand_dice_game").load(s)


def test_a_number_that_does_not_fit_is_refused() -> None:
    match = next(positions(program("hand_dice_game"), 0, 1))
    s = fork(match.state)
    s.vars[-1] = 1 << 40
    with pytest.raises(TooLarge):
        made_anew(program("hand_dice_game")).load(s)
