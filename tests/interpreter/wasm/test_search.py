"""Matches put aside inside the module, and what searches find there."""

from __future__ import annotations

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.host import Trapped
from rulewright.interpreter.wasm.keeping import POOL
from rulewright.interpreter.wasm.machine import Runner, fast_of
from rulewright.interpreter.wasm.search import Worlds, best, playouts, worthiest
from rulewright.interpreter.wasm.searching import FULL


def program(name: str, players: int) -> ir.Program:
    game = load(name)
    assert isinstance(game, PlayableGame)
    found = game.program(players, seed=0)
    assert isinstance(found, ir.Program)
    return found


def runner_of(name: str, players: int = 2) -> Runner:
    return fast_of(program(name, players)).runner()


def waiting(match: Match) -> State:
    copy = match.copy()
    copy.state.ask = None
    return copy.state


@pytest.mark.parametrize(
    ("name", "players"), [("tic_tac_toe", 2), ("vyr", 2), ("vye", 3), ("aye", 5), ("hex", 2)]
)
def test_a_match_put_aside_is_taken_up_as_it_was(name: str, players: int) -> None:
    runner = runner_of(name, players)
    chance = start(runner.program, 3, trace=False).state.chance
    runner.begin(3)
    for _ in range(4):
        assert runner.step(0)
    before, options = runner.reader.state(chance).as_json(), runner.options()
    size = runner.save(at=64)
    assert 0 < size < POOL
    runner.step(0)
    assert runner.reader.state(chance).as_json() != before
    runner.restore(at=64)
    assert runner.reader.state(chance).as_json() == before
    assert runner.options() == options
    other = runner_of(name, players)
    other.begin(3)
    for _ in range(4):
        other.step(0)
    for _ in range(6):
        assert runner.options() == other.options()
        more = runner.step(0), other.step(0)
        assert more[0] == more[1]
        if not more[0]:
            break
    assert runner.reader.state(chance).as_json() == other.reader.state(chance).as_json()


def test_what_has_no_room_in_the_pool_is_not_written() -> None:
    runner = runner_of("tic_tac_toe")
    runner.begin(1)
    for at in (POOL - 8, -(1 << 20)):
        with pytest.raises(Trapped):
            runner.save(at)
    runner.begin(1)
    assert runner.save() > 0


def test_nothing_can_be_put_aside_when_nothing_waits() -> None:
    runner = runner_of("tic_tac_toe")
    runner.begin(1)
    while runner.step(0):
        pass
    with pytest.raises(Trapped):
        runner.save()


def test_a_number_that_is_no_options_is_told_and_nothing_happens() -> None:
    runner = runner_of("tic_tac_toe")
    runner.begin(1)
    options = runner.options()
    assert runner.choose(9) == -1 and runner.choose(-1) == -1
    assert runner.options() == options
    assert runner.choose(8) == 1


@pytest.mark.parametrize(
    ("name", "players", "length"),
    [
        ("tic_tac_toe", 2, 7.63),
        ("connect_four", 2, 21.31),
        ("kuhn_poker", 2, 2.25),
        ("crazy_eights", 4, 82.7),
    ],
)
def test_random_games_are_as_long_as_elsewhere(name: str, players: int, length: float) -> None:
    found = playouts(runner_of(name, players), 4000, 7)
    assert found.games == 4000
    assert found.choices / found.games == pytest.approx(length, rel=0.02)
    assert len(found.worth) == players and 0.9 < sum(found.worth) < 1.15


def test_a_draw_is_worth_the_fair_share() -> None:
    # x a1, o b1, x c1, o a2, x c2, o b2 … played to the end in one way only: the last space makes a draw.
    match = start(program("tic_tac_toe", 2), 1, trace=False)
    for space in ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3"):
        assert match.choose(f"put_mark spot={space}") is None
    runner = runner_of("tic_tac_toe")
    worlds = Worlds(runner, [waiting(match)])
    (only,) = worlds.tree(10, 1)
    assert (only.visits, only.worth) == (10, 0.5)
    assert playouts(runner, 10, 1, at=0).worth == (0.5, 0.5)


def test_search_finds_what_wins_and_leaves_what_loses() -> None:
    match = start(program("connect_four", 2), 1, trace=False)
    for lane in "ddeec":
        match.choose(f"drop lane=column_{lane}")
    # Three in a row, open at both ends: nothing helps o any more; x wins on either side.
    worlds = Worlds(runner_of("connect_four"), [waiting(match)])
    found = worlds.tree(6000, 3)
    assert sum(t.visits for t in found) == 6000
    assert max(t.worth for t in found) < 0.35
    assert worlds.nodes > 500
    match.choose("drop lane=column_a")
    worlds = Worlds(runner_of("connect_four"), [waiting(match)])
    assert match.decision is not None
    assert match.decision.ids[best(worlds.tree(3000, 4))] in ("drop lane=column_b", "drop lane=column_f")
    assert match.decision.ids[worthiest(worlds.flat(200, 4))] in ("drop lane=column_b", "drop lane=column_f")


def test_the_same_seed_finds_the_same_and_another_one_hardly() -> None:
    match = start(program("vyr", 2), 1, trace=False)
    worlds = Worlds(runner_of("vyr"), [waiting(match)])
    assert worlds.tree(400, 5) == worlds.tree(400, 5)
    assert worlds.tree(400, 5) != worlds.tree(400, 6)
    assert worlds.flat(40, 5) == worlds.flat(40, 5)


def test_a_full_tree_grows_no_further_and_goes_on_counting() -> None:
    match = start(program("connect_four", 2), 1, trace=False)
    worlds = Worlds(runner_of("connect_four"), [waiting(match)])
    found = worlds.tree(2 * FULL, 8)
    assert worlds.nodes == FULL
    assert sum(t.visits for t in found) > FULL


def test_a_position_in_which_nobody_chooses_is_no_world() -> None:
    match = start(program("tic_tac_toe", 2), 1, trace=False)
    while match.decision is not None:
        match.choose(0)
    with pytest.raises(ValueError, match="nobody"):
        Worlds(runner_of("tic_tac_toe"), [waiting(match)])
