"""Both machines play the same games alike; and where one of them is broken on purpose, parity says so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.link import code_of
from rulewright.interpreter.wasm import emit_numbers, host
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.build import build
from rulewright.interpreter.wasm.emit_code import Statements
from rulewright.interpreter.wasm.machine import Fast, Runner
from rulewright.interpreter.wasm.memory import Memory
from rulewright.interpreter.wasm.runtime import Runtime
from rulewright.playtest import parity
from rulewright.playtest.parity import EACH, Lane, Tested, lanes, line, mixed, play, run, settings_of
from rulewright.playtest.side_by_side import Compared, Difference, compare, compare_playout
from rulewright.tests.interpreter.programs import card_game, dice_game, tic_tac_toe

Tested.__test__ = False  # type: ignore[attr-defined]  # no class of tests, whatever its name


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """These modules are for nobody's cache."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")


# ------------------------------------------------------------- the bundled games


@pytest.mark.parametrize("lane", lanes(), ids=lambda lane: lane.name)
def test_the_machines_agree(lane: Lane, figure: Any) -> None:
    # A sample of the lanes has one game; which ones is the same each time.
    count = figure(0 if lane.variants else 1, 60)
    found = run([lane], games=count)[lane]
    assert not found.differences, "\n".join(map(str, found.differences))
    assert (found.games, found.faults, found.alone) == (2 * count, 0, [])


def test_every_game_and_every_variant_has_its_turn() -> None:
    found = lanes()
    assert len(found) == len(set(found)) > 20
    assert {lane.game for lane in found if lane.variants} < {lane.game for lane in found if not lane.variants}
    assert lanes(["pig"]) == (Lane("pig"), Lane("pig", ("two_dice",)))


def test_settings_are_those_of_the_soak_and_mixed_ones_in_turn() -> None:
    lane = Lane("crazy_eights")
    some = list(settings_of(lane, range(40)))
    assert some == [next(settings_of(lane, range(n, n + 1))) for n in range(40)]  # from its number alone
    assert len({case.options for case in some}) > 5
    checked = parity._game(lane).checked
    assert some[1::2] == [mixed(checked, n) for n in range(1, 40, 2)]
    for case in some:
        program = parity._game(lane).program(case.players, dict(case.options))
        assert isinstance(program, ir.Program), program


def test_so_many_games_of_each_are_played_in_as_many_settings_as_it_takes() -> None:
    among = [Lane("tic_tac_toe"), Lane("kuhn_poker")]
    seen: list[int] = []
    found = run(among, games=EACH + 1, progress=lambda f: seen.append(sum(t.games for t in f.values())))
    assert [t.games for t in found.values()] == [2 * (EACH + 1)] * 2  # each once by bots inside
    assert [t.settings for t in found.values()] == [2, 2]
    assert seen == sorted(seen) and seen[-1] == 4 * (EACH + 1)


def test_no_time_is_no_games() -> None:
    assert run([Lane("pig")], seconds=0) == {Lane("pig"): Tested()}


def test_a_setting_has_its_own_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[object] = []

    def noted(runner: Runner, seed: int, *more: Any) -> Compared:
        seeds.append(seed)
        return Compared(0, None)

    monkeypatch.setattr(parity, "compare", noted)
    monkeypatch.setattr(parity, "compare_playout", noted)
    for number in range(3):
        play(Lane("pig"), number)
    assert seeds == [seed for seed in range(3 * EACH) for _ in ("choice by choice", "by bots")]


def test_a_game_that_is_not_there_cannot_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert parity.main(["--game", "no_such_game", "--games", "1"]) == 2
    assert "no_such_game" in capsys.readouterr().err


def test_as_a_program_it_prints_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert parity.main(["--game", "tic_tac_toe", "--games", "1", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("tic_tac_toe: 2 games of 1 settings, ") and "0 differences" in lines[0]
    assert lines[1].startswith("tic_tac_toe + three_loses: ")


def test_a_difference_is_printed_and_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    difference = Difference("pig", ("v",), ("a", "b"), (("goal", "50"),), 12, 34, "the scores", "1", "2")
    monkeypatch.setattr(parity, "compare", lambda *a: Compared(34, difference))
    monkeypatch.setattr(parity, "compare_playout", lambda *a: Compared(34, None))
    assert parity.main(["--game", "tic_tac_toe", "--games", "9", "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "--variant v, 2 players, seed 12, after 34 choices: the scores differs" in out
    assert "goal=50" in out
    assert line(Lane("x"), Tested(games=1, alone=["too large"])).endswith("too large")


def test_a_game_that_differs_again_and_again_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    difference = Difference("g", (), (), (), 0, 0, "w", "", "")
    for name in ("compare", "compare_playout"):
        monkeypatch.setattr(parity, name, lambda *a: Compared(0, difference))
    found = run([Lane("tic_tac_toe")], games=1000)[Lane("tic_tac_toe")]
    assert parity.ENOUGH <= len(found.differences) < parity.ENOUGH + 2 * EACH


# --------------------------------------------------------- lowerings that are broken


Way = Callable[[Runner, int], Compared]
WAYS: dict[str, Way] = {
    "choice by choice": lambda runner, seed: compare(runner, seed, limit=80),
    "by bots": lambda runner, seed: compare_playout(runner, seed, limit=80),
}


def differences(program: ir.Program, way: str, seeds: int = 3) -> list[Difference]:
    """What differs in some games of a program whose module is made now."""
    code = code_of(program)
    built = build(code)
    runner = Fast(code, built, host.compiled(built.module)).runner()
    found = [WAYS[way](runner, seed).difference for seed in range(seeds)]
    return [d for d in found if d is not None]


Break = Callable[[pytest.MonkeyPatch], None]


def opcode(table: dict[str, str], op: str, other: str) -> Break:
    """Another instruction for an operation."""
    return lambda patch: patch.setitem(table, op, other)


def constant_chance(patch: pytest.MonkeyPatch) -> None:
    def draw(self: Runtime) -> None:
        b = self._body("draw", 2)
        b.const(0)
        self._done(b)

    patch.setattr(Runtime, "draw", draw)


def luck_that_is_not_counted(patch: pytest.MonkeyPatch) -> None:
    real = Runtime.draw

    def draw(self: Runtime) -> None:
        counters = self.m.counters
        store = Body.memory

        def never(b: Body, name: str, offset: int = 0) -> None:
            if (name, offset) == ("i64.store", counters):
                b.op("drop", "drop")
            else:
                store(b, name, offset)

        with pytest.MonkeyPatch.context() as within:
            within.setattr(Body, "memory", never)
            real(self)

    patch.setattr(Runtime, "draw", draw)


def sets_backwards(patch: pytest.MonkeyPatch) -> None:
    real = Memory.constant_set
    patch.setattr(Memory, "constant_set", lambda self, items: real(self, items[::-1]))


def no_news(patch: pytest.MonkeyPatch) -> None:
    package = emit_numbers.__name__.rpartition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}.") and hasattr(module, "news"):
            patch.setattr(module, "news", lambda shared, b: None)


def phases_that_do_not_begin(patch: pytest.MonkeyPatch) -> None:
    real = Statements.event

    def event(self: Statements, st: ir.Statement, leaves: ir.Enter | None = None) -> None:
        if not (isinstance(st, ir.Enter) and st.kind == "phase"):
            real(self, st, leaves)

    patch.setattr(Statements, "event", event)


def another_winner(patch: pytest.MonkeyPatch) -> None:
    real = Statements.end_game

    def end_game(self: Statements, st: ir.EndGame) -> None:
        real(self, ir.EndGame(st.end, ir.SetConst((1,)), st.span))

    patch.setattr(Statements, "end_game", end_game)


def under_the_pile(patch: pytest.MonkeyPatch) -> None:
    real = Statements.move

    def move(self: Statements, st: ir.MovePieces) -> None:
        real(self, ir.MovePieces(st.pieces, st.place, not st.bottom, st.moved, st.span))

    patch.setattr(Statements, "move", move)


def stores_that_are_dropped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Statements, "store", lambda self, st: None)


COMPARE, NARROW = emit_numbers.COMPARE, emit_numbers.NARROW
BROKEN: dict[str, tuple[Callable[[], ir.Program], Break]] = {
    "less is at most": (dice_game, opcode(COMPARE, "<", "i32.le_s")),
    "at most is less": (dice_game, opcode(COMPARE, "<=", "i32.lt_s")),
    "equal is unequal": (card_game, opcode(COMPARE, "==", "i32.ne")),
    "unequal is less": (card_game, opcode(COMPARE, "!=", "i32.lt_s")),
    "sums are differences": (dice_game, opcode(NARROW, "+", "i32.sub")),
    "differences are sums": (card_game, opcode(NARROW, "-", "i32.add")),
    "chance is constant": (dice_game, constant_chance),
    "luck stands still": (dice_game, luck_that_is_not_counted),
    "sets are backwards": (dice_game, sets_backwards),
    "nothing is news": (dice_game, no_news),
    "phases do not begin": (dice_game, phases_that_do_not_begin),
    "blue always wins": (tic_tac_toe, another_winner),
    "cards go under the pile": (card_game, under_the_pile),
    "values are not stored": (dice_game, stores_that_are_dropped),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("made", [dice_game, card_game, tic_tac_toe])
def test_nothing_differs_where_nothing_is_broken(made: Callable[[], ir.Program], way: str) -> None:
    assert differences(made(), way) == []


# When a game is over no phase is under way any more, so that it does not show which there were.
CAUGHT = [(n, w) for n in BROKEN for w in WAYS if (n, w) != ("phases do not begin", "by bots")]


@pytest.mark.parametrize(("name", "way"), CAUGHT)
def test_a_broken_lowering_is_caught(name: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, broken = BROKEN[name]
    broken(monkeypatch)
    found = differences(made(), way)
    assert found
    assert all(d.seed in range(3) and d.what and d.reference != d.wasm for d in found)


def test_a_difference_can_be_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    constant_chance(monkeypatch)
    first, again = (differences(dice_game(), "choice by choice")[-1] for _ in range(2))
    assert str(first) == str(again)
    assert first.game == "Dice" and first.choice > 0
