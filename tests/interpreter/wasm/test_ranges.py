"""Ranges are sound: whatever a machine computes lies in them; and they are found for any program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.problems import NOWHERE
from rulewright.interpreter import ir
from rulewright.interpreter.link import code_of
from rulewright.interpreter.match import Match
from rulewright.interpreter.wasm.evaluate import _arithmetic
from rulewright.interpreter.wasm.ranges import (
    GROUPS,
    LIMIT,
    NOTHING,
    NUMBER,
    SET,
    WIDE,
    Range,
    Ranges,
    arithmetic,
    clipped,
    join,
)
from rulewright.playtest.slots_alive import alive_at
from rulewright.tests.interpreter.programs import at, effect, tic_tac_toe
from rulewright.tests.interpreter.wasm.modules import GAMES, HAND, fast, positions, program


def ranges_of(p: ir.Program) -> Ranges:
    return Ranges(p, code_of(p).layout.places)


# --------------------------------------------------------------- soundness


def values_of(value: Any) -> Iterator[int]:
    """The numbers in a number, a set or groups."""
    if isinstance(value, tuple):
        for part in value:
            yield from values_of(part)
    else:
        yield value


def kind_of(value: Any) -> str:
    if not isinstance(value, tuple):
        return NUMBER
    return GROUPS if value and isinstance(value[0], tuple) else SET


def outside(found: Ranges, match: Match) -> list[str]:
    """What of a position lies in no range."""
    s, code = match.state, match.state.code
    wrong = []
    for v, (info, offset) in enumerate(zip(code.program.variables, code.layout.offsets, strict=True)):
        low, high = found.variable(v)
        for value in s.vars[offset : offset + info.cells]:
            if any(not low <= n <= high for n in values_of(value)):
                wrong.append(f"`{info.name}` holds {value}, not {low} to {high}")
    for function, pc, slots, _ in s.frames:
        name = code.program.functions[function].name
        read = alive_at(code, function, pc)
        for slot, value in enumerate(slots):
            if slot not in found.slots[function] or (slot not in read and value == 0):
                continue  # one of a loop's own, or one that nothing has been put into
            low, high = found.slots[function][slot]
            if any(not low <= n <= high for n in values_of(value)):
                wrong.append(f"slot {slot} of {name} holds {value}, not {low} to {high}")
            kind = found.kinds[function].get(slot, NUMBER)
            if slot in read and kind_of(value) != kind and value != ():
                wrong.append(f"slot {slot} of {name} holds {value}, which is no {kind}")
    return wrong


@pytest.mark.parametrize("game", [*GAMES, *HAND])
def test_what_a_position_holds_lies_in_the_ranges(game: str, figure: Any) -> None:
    found = fast(game).built.shared.ranges
    looked_at = 0
    for seed in range(figure(1, 30)):
        for match in positions(program(game), seed, 150):
            assert outside(found, match) == []
            looked_at += len(match.state.frames)
    assert looked_at > 5


def test_a_range_that_is_too_narrow_is_noticed() -> None:
    found = ranges_of(program("hand_dice_game"))
    for slots in found.slots:
        slots.update(dict.fromkeys(slots, (0, 0)))
    assert any(outside(found, match) for match in positions(program("hand_dice_game"), 1, 50))


SMALL = st.integers(-9, 9)


@given(
    st.sampled_from(["+", "-", "*", "min", "max", "mod", "div_down", "div_up", "==", "!=", "<", "<="]),
    st.tuples(SMALL, SMALL).map(sorted),
    st.tuples(SMALL, SMALL).map(sorted),
    st.data(),
)
def test_a_result_lies_in_its_range(op: str, a: list[int], b: list[int], data: Any) -> None:
    x, y = data.draw(st.integers(*a)), data.draw(st.integers(*b))
    result = _arithmetic(op, x, y)
    low, high = arithmetic(op, (a[0], a[1]), (b[0], b[1]))
    assert result is None or low <= result <= high


@pytest.mark.parametrize(
    ("op", "a", "b", "want"),
    [
        ("+", (1, 2), (10, 20), (11, 22)), ("-", (1, 2), (10, 20), (-19, -8)),
        ("*", (-2, 3), (-5, 7), (-15, 21)), ("min", (1, 9), (3, 4), (1, 4)), ("max", (1, 9), (3, 4), (3, 9)),
        ("mod", (0, 99), (7, 7), (0, 6)), ("mod", (2, 5), (7, 7), (2, 5)), ("mod", (-3, 99), (7, 7), (0, 6)),
        ("div_down", (0, 9), (2, 2), (0, 5)), ("<", (0, 9), (2, 2), (0, 1)), ("+", NOTHING, (1, 1), NOTHING),
    ],
)  # fmt: skip
def test_ranges_of_results_are_no_wider_than_need_be(op: str, a: Range, b: Range, want: Range) -> None:
    assert arithmetic(op, a, b) == want


def test_joined_and_clipped() -> None:
    assert join((1, 2), (5, 9)) == (1, 9)
    assert join(NOTHING, (5, 9)) == join((5, 9), NOTHING) == (5, 9)
    assert join(NOTHING, NOTHING) == clipped(NOTHING) == NOTHING
    assert clipped((-LIMIT - 5, 7)) == (-LIMIT, 7) and clipped((3, LIMIT + 1)) == (3, LIMIT)


# ------------------------------------------------------------------- a toy

HERE = at(3)


def test_slots_of_a_toy() -> None:
    found = ranges_of(
        effect(
            ir.Assign(0, ir.Const(4), HERE),
            ir.If(ir.Const(1), (ir.Assign(0, ir.Const(7), HERE),), (), HERE),
            ir.Assign(1, ir.SetConst((3, 9, 5)), HERE),
            ir.ForEach(2, ir.Local(1), (ir.Assign(3, ir.Binary("+", ir.Local(2), ir.Local(0)), HERE),), HERE),
            ir.Chance(4, ir.Local(1), ir.Const(0), "number", HERE),
            ir.Assign(5, ir.Groups(ir.Local(1), 6, ir.SetConst(())), HERE),
            streams=(ir.Stream("luck"),),
        )
    )
    assert found.slots[0] == {
        0: (4, 7), 1: (3, 9), 2: (3, 9), 3: (7, 16), 4: (-1, 9), 5: (3, 9), 6: (3, 9),
    }  # fmt: skip
    assert [found.kinds[0].get(slot, NUMBER) for slot in range(7)] == [
        NUMBER, SET, NUMBER, NUMBER, NUMBER, GROUPS, NUMBER,
    ]  # fmt: skip


def test_what_goes_on_growing_may_be_anything() -> None:
    found = ranges_of(
        effect(
            ir.Assign(0, ir.Const(0), HERE),
            ir.Loop((ir.Assign(0, ir.Binary("+", ir.Local(0), ir.Const(1)), HERE),), HERE),
        )
    )
    assert found.slots[0][0] == WIDE


def test_arguments_and_results_go_from_function_to_function() -> None:
    twice = ir.Function(
        "twice", 1, 1, ("n",), (ir.Return(ir.Binary("*", ir.Local(0), ir.Const(2)), HERE),), "number", HERE
    )
    p = effect(
        ir.CallTo(1, (ir.Const(5),), 0, HERE),
        ir.Assign(1, ir.Apply(1, (ir.Const(-3),)), HERE),
        functions=(twice,),
    )
    found = ranges_of(p)
    assert found.slots[1][0] == (-3, 5) and found.results[1] == (-6, 10)
    assert found.slots[0][1] == (-6, 10)


@contextmanager
def ends_within(seconds: float) -> Iterator[None]:
    """Fails what takes longer."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="nothing here wakes a loop that does not end")
def test_a_function_that_nobody_calls_may_hand_on_its_set() -> None:
    # What its parameter holds is never said, so it counts as a number, and must not make one of a set.
    p = tic_tac_toe()
    n = len(p.functions)
    hit = ir.Function("hit", 1, 1, ("targets",), (), "", NOWHERE)
    calls = (
        ir.CallTo(n, (ir.Local(0),), -1, NOWHERE),
        ir.CallTo(n, (ir.SetConst((2, 5)),), -1, NOWHERE),
    )
    for body in (calls, calls[::-1]):
        both = ir.Function("both", 1, 1, ("targets",), body, "", NOWHERE)
        with ends_within(10):
            found = ranges_of(replace(p, functions=(*p.functions, hit, both)))
        assert found.kinds[n][0] == SET and found.slots[n][0] == (2, 5)
