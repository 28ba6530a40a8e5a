"""What is worked out while a program is emitted is what the reference machine computes in play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.chance import number, start_of
from rulewright.interpreter.walk import EXPRESSIONS, every, slots_read
from rulewright.interpreter.wasm.evaluate import evaluate
from rulewright.tests.interpreter.playing import state_of, value
from rulewright.tests.interpreter.programs import effect
from rulewright.tests.interpreter.wasm.modules import GAMES, fast, program


def expressions(p: ir.Program) -> list[tuple[int, ir.Expr]]:
    """Every expression of a program once, with the number of its function or decision."""
    found: dict[tuple[int, ir.Expr], None] = {}
    for f, function in enumerate(p.functions):
        for st in function.body:
            found |= {(f, n): None for n in every(st) if isinstance(n, EXPRESSIONS)}
    for d, decision in enumerate(p.decisions, len(p.functions)):
        found |= {(d, n): None for n in every(decision) if isinstance(n, EXPRESSIONS)}
    return list(found)


@pytest.mark.parametrize("game", GAMES)
def test_it_agrees_with_the_reference_machine_on_the_expressions_of_a_game(game: str) -> None:
    p, ranges = program(game), fast(game).built.shared.ranges
    s, luck, drawn = state_of(p), start_of(0, game), 0
    forms: Counter[str] = Counter()
    for f, e in expressions(p):
        if isinstance(e, ir.Const | ir.SetConst):
            continue
        slots: dict[int, int] = {}
        for slot in sorted(slots_read(e)):
            low, high = ranges.slots[f].get(slot, (0, 0))
            if ranges.kinds[f].get(slot, "number") != "number" or low > high:
                continue
            drawn += 1
            slots[slot] = low + number(luck, drawn) % (min(high, low + 200) - low + 1)
        found = evaluate(p, e, slots)
        if found is None:
            continue
        room: list[Any] = [slots.get(slot, 0) for slot in range(max(slots, default=0) + 1)]
        got = value(e, p, room, s)
        assert found == (tuple(got) if isinstance(found, tuple) else int(got)), e
        forms[type(e).__name__] += 1
    assert forms.total() >= 10 and len(forms) >= 2


TOY = effect(tables=(ir.TableData("t", 3, (10, 20, 30)), ir.TableData("sets", 0, ((1, 2), ()))))
NO, YES = ir.Const(0), ir.Const(1)
UNKNOWN = ir.Load(0)  # the state of a game


@pytest.mark.parametrize(
    ("e", "want"),
    [
        (ir.Local(0), 5), (ir.Local(1), None), (UNKNOWN, None), (ir.At(0, ir.Const(4)), 20),
        (ir.At(0, ir.Const(2)), None), (ir.At(0, ir.Const(6)), None), (ir.At(0, ir.Local(0)), 30),
        (ir.At(1, ir.Const(0)), (1, 2)), (ir.Size(ir.At(1, ir.Const(0))), 2),
        (ir.Contains(ir.SetConst((4, 5)), ir.Local(0)), 1),
        (ir.Contains(ir.SetConst((4, 6)), ir.Local(0)), 0),
        (ir.Unary("-", ir.Local(0)), -5), (ir.Unary("not", NO), 1), (ir.Unary("not", UNKNOWN), None),
        (ir.Binary("and", NO, UNKNOWN), 0), (ir.Binary("and", UNKNOWN, NO), None),
        (ir.Binary("or", YES, UNKNOWN), 1), (ir.Binary("or", NO, UNKNOWN), None),
        (ir.Binary("and", YES, ir.Const(7)), 1), (ir.Choice(YES, ir.Const(3), UNKNOWN), 3),
        (ir.Choice(NO, ir.Const(3), UNKNOWN), None), (ir.Choice(UNKNOWN, YES, YES), None),
        (ir.Binary("mod", ir.Const(-7), ir.Const(3)), 2),
        (ir.Binary("div_down", ir.Const(-7), ir.Const(2)), -4),
        (ir.Binary("div_up", ir.Const(-7), ir.Const(2)), -3), (ir.Binary("mod", YES, NO), None),
        (ir.Binary("div_down", YES, NO), None), (ir.Binary("div_up", YES, NO), None),
    ],
)  # fmt: skip
def test_what_can_be_known_without_a_game(e: ir.Expr, want: int | tuple[int, ...] | None) -> None:
    assert evaluate(TOY, e, {0: 5}) == want
