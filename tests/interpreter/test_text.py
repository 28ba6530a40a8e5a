"""The readable form of programs, compared with what was written down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.ir import (
    At,
    Binary,
    Choice,
    Const,
    Contents,
    Exchange,
    Going,
    Linked,
    Load,
    Local,
    MakeSet,
    Note,
    PlaceOf,
    Seats,
    SetConst,
    TheOnly,
    Unary,
    Union,
)  # fmt: skip
from rulewright.interpreter.text import text_of
from rulewright.interpreter.text_code import CodeText, set_text
from rulewright.interpreter.walk import EXPRESSIONS, STATEMENTS, every
from rulewright.tests.interpreter.programs import ALL_PROGRAMS, at, say, tic_tac_toe
from rulewright.tests.interpreter.test_expressions import CASES, DIRECTIONS, WORLD

GOLDEN = Path(__file__).parent / "golden"
assert DIRECTIONS


@pytest.mark.parametrize("make", ALL_PROGRAMS)
def test_a_program_reads_as_written_down(make: Callable[[], ir.Program]) -> None:
    """To accept a change: read it, then delete the file and run this once."""
    file = GOLDEN / f"{make.__name__}.txt"
    if not file.exists():
        file.write_text(text_of(make()), encoding="utf-8")
        pytest.fail(f"{file.name} was not there and has been written: read it")
    assert text_of(make()) == file.read_text(encoding="utf-8")


TEXT = CodeText(WORLD, ("it", "hand of", "-"))


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (Binary("div_down", Local(0), Const(2)), "(it.0 div↓ 2)"),
        (Binary("max", Local(1), Unary("-", Local(2))), "max(hand_of.1, -s2)"),
        (Choice(Unary("not", Load(5, Const(0))), Const(1), Local(9)), "(not $coins[0] ? 1 : s9)"),
        (MakeSet((Const(1), (Const(2), Local(0))), skip_none=True), "{?1, 2..it.0}"),
        (Union(SetConst((1, 2, 3, 9)), Contents(PlaceOf(Local(0)), True)), "({1..3 9} ∪ top(place(it.0)))"),
        (TheOnly(At(0, Local(0)), at(1)), "the(near[it.0])"),
        (Seats(Local(0), Const(1)), "seats(from it.0, clockwise 1)"),
        (
            Going(0, Local(0), SetConst((1,)), Const(2), True, 2, Const(1), Const(0), Const(1)),
            "(s2: going {1} from it.0 on field, exactly 2, while 1, until 0, ending at 1)",
        ),
        (
            Linked(SetConst(()), 2, At(0, Local(2)), Const(1), Const(0)),
            "(s2: linked to {} by near[s2], where 1, stopping at 0)",
        ),
        (ir.Apply(1, (Const(3),)), "twice(3)"),
    ],
)
def test_an_expression_reads(e: ir.Expr, text: str) -> None:
    assert TEXT.expr(e) == text


@pytest.mark.parametrize(
    ("st", "text"),
    [
        (Exchange(Const(1), Local(0), at(3)), "exchange 1 and it.0"),
        (
            Note("forbidden", "safe", say("It is ", ir.Shown(Local(0), "piece")), at(3)),
            "note forbidden safe “It is {it.0: piece}”",
        ),
        (ir.MovePieces(Local(0), Const(2), True, 1, at(3)), "hand_of.1 := move it.0 under 2"),
    ],
)
def test_a_statement_reads(st: ir.Statement, text: str) -> None:
    assert list(TEXT.statement(st, 1)) == [f"  {text}  @game.yaml:3:1"]


def test_every_expression_of_the_cases_has_a_text_of_its_own() -> None:
    texts = {TEXT.expr(e): e for _, e, _ in CASES}
    assert len(texts) == len({e for _, e, _ in CASES})
    tried = {type(n) for _, e, _ in CASES for n in every(e)}
    assert len(tried) >= len(EXPRESSIONS) - 2


def test_every_statement_has_a_text() -> None:
    written = {type(n) for make in ALL_PROGRAMS for n in every(make()) if isinstance(n, STATEMENTS)}
    others = {ir.Show, ir.Fail, ir.Exchange, ir.Note, ir.Repeat}
    assert written | others == set(STATEMENTS)


def test_runs_of_numbers_are_ranges() -> None:
    assert set_text(()) == "{}"
    assert set_text((3, 4, 5, 7, 8, 1)) == "{3..5 7 8 1}"


def test_equal_programs_have_equal_texts() -> None:
    assert text_of(tic_tac_toe()) == text_of(tic_tac_toe())
