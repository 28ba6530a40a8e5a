"""Batches inside a module give, game by game, what the bots of `playtest` make of the same seeds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.match import start
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.machine import (
    ENDED,
    NO_END,
    STOPPED,
    Bots,
    Played,
    Runner,
    TooLarge,
    Trapped,
    fast_of,
    runner_here,
)
from rulewright.interpreter.wasm.memory import HEAP_BASE
from rulewright.playtest.batch import play_out
from rulewright.playtest.matches import Outcome
from rulewright.playtest.settings import Settings
from rulewright.playtest.side_by_side import compare
from rulewright.tests.interpreter.programs import MACHINE, at, effect, say
from rulewright.tests.interpreter.wasm.modules import GAMES, HAND, made_anew, program, runner

HERE = at(5)


def by_bots(p: ir.Program, seeds: range, **settings: Any) -> list[Outcome]:
    """The same games on the reference machine."""
    s = Settings("-", seed=seeds[0], games=len(seeds), **settings)
    return [play_out(s, start(p, seed, trace=False), i, lambda: False) for i, seed in enumerate(seeds)]


def bots_of(p: ir.Program, settings: dict[str, Any]) -> Bots:
    names = settings.get("bots", ("random",))
    seats = len(p.players)
    first = tuple(names[seat % len(names)] == "first" for seat in range(seats))
    policies = {k: settings[k] for k in ("agreement", "majority", "limit") if k in settings}
    return Bots(first, **policies)


def as_outcome(p: ir.Program, played: Played | None) -> tuple[Any, ...]:
    """A game of a module in the words of the reference machine; it says nothing of a game it gave up."""
    if played is None:
        return ("fault",)
    if played.status != ENDED:
        assert played.status in (STOPPED, NO_END)
        return ("stopped",)
    end = p.ends[played.end].name
    return "ended", end, played.winners, played.scores, played.decisions, played.began


def of_bots(outcome: Outcome) -> tuple[Any, ...]:
    if outcome.status != "ended":
        return (outcome.status,)
    o = outcome
    return "ended", o.end, o.winners, o.scores, o.decisions, o.began


def equal_batches(to: Runner, seeds: range, **settings: Any) -> Counter[str]:
    """Play the games on both machines, and count how they went."""
    p = to.program
    to.prepare(bots_of(p, settings))
    to.take_branching()
    played, outcomes = to.play(seeds), by_bots(p, seeds, **settings)
    for seed, here, there in zip(seeds, played, outcomes, strict=True):
        assert as_outcome(p, here) == of_bots(there), f"seed {seed}"
    counted: Counter[int] = Counter()
    for outcome in outcomes:
        counted.update(outcome.branching if outcome.status == "ended" else {})
    assert Counter(to.take_branching()) == counted
    return Counter(o.status for o in outcomes)


@pytest.mark.parametrize("game", [*GAMES, *HAND])
@pytest.mark.parametrize("bots", [("random",), ("first",), ("first", "random")])
def test_a_batch_gives_what_bots_give(game: str, bots: tuple[str, ...], figure: Any) -> None:
    count = figure(1 if game in ("aye", "vye", "reversi", "vyr") else 4, 100)
    p = program(game)
    names = tuple(bots[seat % len(bots)] for seat in range(len(p.players)))
    went = equal_batches(runner(game), range(40, 40 + count), bots=names, limit=figure(500, 2_000))
    assert went["fault"] == 0 and went.total() == count
    assert went["ended"] or bots != ("random",)


@pytest.mark.parametrize(
    ("agreement", "majority"),
    [("own", "own"), ("first", "last"), ("last", "0.8"), ("0", "1"), ("0.35", "first")],
)
def test_policies_for_what_is_chosen_as_one(agreement: str, majority: str, figure: Any) -> None:
    policies = {"agreement": agreement, "majority": majority}
    went = equal_batches(runner("aye"), range(figure(1, 100)), limit=500, **policies)
    assert went["fault"] == 0


def test_the_game_that_is_played_so_has_what_it_is_to_show() -> None:
    nodes = [n for f in program("aye").functions for st in f.body for n in every(st)]
    assert any(isinstance(n, ir.ChooseOne) and n.laying is not None for n in nodes)
    assert {n.joint for n in nodes if isinstance(n, ir.ChooseTogether)} >= {"agreement", "majority"}


@pytest.mark.parametrize("limit", [1, 2, 8])
@pytest.mark.parametrize("game", ["pig", "hand_tic_tac_toe", "hand_card_game"])
def test_a_game_is_given_up_after_so_many_decisions(game: str, limit: int) -> None:
    went = equal_batches(runner(game), range(20), limit=limit)
    assert went["stopped"]


def test_seeds_may_be_words_and_large_or_below_zero() -> None:
    to = runner("hand_dice_game")
    to.prepare(Bots((False, False)))
    for seed in ("red herring", "", 1 << 70, -1, -(1 << 63)):
        (played,) = to.play([seed])
        match = start(to.program, seed, trace=False)
        # Settings count from a number; a word stands for itself.
        if isinstance(seed, int):
            assert as_outcome(to.program, played) == of_bots(by_bots(to.program, range(seed, seed + 1))[0])
        assert played is not None and match.seed == seed
    played = to.play(["red herring", "blue herring", "red herring"])
    assert played[0] == played[2] != played[1]


def test_games_of_a_batch_do_not_meet() -> None:
    to = runner("hand_card_game")
    to.prepare(Bots((False, False)))
    together = to.play(range(12))
    assert together == [to.play([seed])[0] for seed in range(12)]
    assert together[::-1] == to.play(range(11, -1, -1))


def test_a_batch_after_a_single_match_and_the_other_way_round() -> None:
    to = runner("hand_dice_game")
    to.prepare(Bots((False, False)))
    before = to.play(range(5))
    assert compare(to, 3).difference is None
    assert to.play(range(5)) == before
    assert compare(to, 4).difference is None


# ------------------------------------------------------------------------ toys


def rounds(count: int, *body: ir.Statement) -> ir.Program:
    """`body` so many times, then an end. Slots from 3 on are free; variable 5 is a set of numbers 0 to 99,
    variable 6 a number from 0 to 2."""
    crew = ir.Variable("crew", 1, "set", 0, 99, False, "set of number", (), ((),))
    pot = ir.Variable("pot", 1, "number", 0, 2, False, "number", (), (0,))
    return effect(
        ir.Repeat(ir.Const(count), None, body, HERE),
        ir.EndGame(0, ir.SetConst((0,)), HERE),
        ends=(ir.EndInfo("done", "Done", HERE),),
        variables=(*MACHINE, crew, pot),
    )


def pick(slot: int, among: ir.Expr) -> ir.ChooseOne:
    key = ir.Key("pick", 7, among, "number", HERE)
    return ir.ChooseOne(ir.Const(0), slot, key, ir.Const(0), say("Pick"), HERE)


def all_but(slot: int) -> ir.Expr:
    """The numbers from 0 to 99 without one: a set that has to be made and kept."""
    return ir.Filter(6, ir.SetConst(tuple(range(100))), ir.Binary("!=", ir.Local(6), ir.Local(slot)))


MANY_SETS = rounds(
    8,
    pick(3, ir.SetConst((10, 20, 30))),
    ir.ForEach(4, ir.SetConst(tuple(range(100))), (ir.Store(5, None, all_but(4), HERE),), HERE),
    ir.Assign(5, all_but(3), HERE),
    pick(4, ir.Load(5)),
    pick(4, ir.Local(5)),
)


def test_sets_that_nothing_holds_any_more_make_room_for_others() -> None:
    to = made_anew(MANY_SETS)
    bases = set()

    def watch(match: Any, at: Runner) -> None:
        bases.add(at.reader.number(at.shared.memory.state + HEAP_BASE))

    for seed in range(2):
        compared = compare(to, seed, watch=watch)
        assert compared.difference is None, compared.difference
        assert compared.choices == 24
    assert bases == set(to.shared.memory.heaps)  # both halves were in use
    assert equal_batches(to, range(4)) == {"ended": 4}


def test_a_rule_that_fails_is_the_reference_machines() -> None:
    # The pot takes what is picked only as long as it is 2 at most.
    to = made_anew(rounds(3, pick(3, ir.SetConst((1, 2, 3))), ir.Store(6, None, ir.Local(3), HERE)))
    went = equal_batches(to, range(40))
    assert went["fault"] > 5 and went["ended"] > 5
    # Games that are given up do not end the batch, wherever they stand in it.
    assert len(to.play(range(40))) == 40
    compared = [compare(to, seed) for seed in range(20)]
    assert all(c.difference is None for c in compared) and {c.fault for c in compared} == {False, True}


RUNS_OUT = effect(pick(3, ir.SetConst((1, 2))))


def test_a_flow_that_runs_out_is_no_end() -> None:
    to = made_anew(RUNS_OUT)
    to.prepare(Bots((False, False)))
    assert [played and played.status for played in to.play(range(4))] == [NO_END] * 4
    assert {o.status for o in by_bots(RUNS_OUT, range(4))} == {"stopped"}


def test_decisions_of_a_game_whose_flow_runs_out_are_not_counted() -> None:
    assert equal_batches(made_anew(RUNS_OUT), range(4)) == {"stopped": 4}


def test_a_loop_without_end_is_given_up_by_both_machines() -> None:
    p = rounds(1, pick(3, ir.SetConst((1, 2))), ir.Loop((ir.Assign(3, ir.Const(1), HERE),), HERE))
    assert equal_batches(made_anew(p), range(1)) == {"fault": 1}


# ----------------------------------------------------------------- one of each


def test_a_module_is_made_once_for_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    p = program("hand_dice_game")
    assert fast_of(p) is fast_of(p)
    assert runner_here(p, "a") is runner_here(p, "a") is not runner_here(p, "b")
    monkeypatch.setattr(host, "available", lambda: False)
    with pytest.raises(TooLarge, match="wasmtime"):
        fast_of(p)


def test_no_option_has_such_a_number() -> None:
    to = runner("hand_tic_tac_toe")
    assert to.begin(1)
    count = len(to.options())
    for number in (count, -1, 1 << 30):
        assert to.choose(number) == -1
        with pytest.raises(Trapped):
            to.step(number)
    assert to.step(count - 1)


def test_a_program_that_is_too_large_is_told() -> None:
    p = program("hand_tic_tac_toe")
    with pytest.raises(TooLarge, match="31 players"):
        made_anew(replace(p, players=tuple(f"p{i}" for i in range(31))))
