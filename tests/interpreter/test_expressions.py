"""Every form of expression means what the contract says."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.ir import (
    At,
    BestOf,
    Binary,
    BoardInfo,
    Choice,
    Collect,
    Const,
    Contains,
    Contents,
    Filter,
    Fold,
    Going,
    Groups,
    Linked,
    Load,
    Local,
    MakeSet,
    Occupied,
    PieceInfo,
    PlaceInfo,
    PlaceOf,
    Quantifier,
    Return,
    SameSet,
    Seats,
    SetConst,
    Size,
    StandIn,
    TableData,
    TheOnly,
    Unary,
    Union,
    Variable,
)  # fmt: skip
from rulewright.interpreter.link_short import short_way
from rulewright.tests.interpreter.playing import state_of, value
from rulewright.tests.interpreter.programs import MACHINE, at, equal, everybody, no, program

DIRECTIONS = ("north", "east", "south", "west")
WIDTH, HEIGHT = 4, 3
PLACES = WIDTH * HEIGHT  # spaces 1 … 12, after the box


def steps() -> tuple[tuple[int, ...], ...]:
    rows = []
    for dr, dc in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        row = []
        for i in range(PLACES):
            r, c = divmod(i, WIDTH)
            inside = 0 <= r + dr < HEIGHT and 0 <= c + dc < WIDTH
            row.append((r + dr) * WIDTH + c + dc if inside else -1)
        rows.append(tuple(row))
    return tuple(rows)


def neighbours() -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(1 + row[i] for row in steps() if row[i] >= 0) for i in range(PLACES))


BOARD = BoardInfo("field", "square grid", 1, WIDTH, HEIGHT, False, False, -1, everybody(2), steps())
ENDLESS = BoardInfo("endless", "square grid", 20, 9, 9, True, False, -1, everybody(2), ())
CENTRE = 20 + 4 * 9 + 4
WORLD = program(
    directions=DIRECTIONS,
    kinds=("stone",),
    first_piece_place=13,
    pieces=tuple(PieceInfo(f"stone_{i}", 0, i % 2, i % 2, (2, 2, 7, 0)[i], "stone", "s") for i in range(4)),
    stand_ins=(StandIn(0, 0, 0),),
    places=(
        PlaceInfo("box", "box", "box", -1, "set", everybody(2)),
        *(
            PlaceInfo(f"p{i}", "space", "field", -1, "pile", everybody(2), i // 4, i % 4)
            for i in range(PLACES)
        ),
    ),
    boards=(BOARD, ENDLESS),
    variables=(
        *MACHINE,
        Variable("coins", 2, "number", 0, 9, False, "number", ("player",), (4, 7)),
        Variable("marked", 1, "set", 0, 20, False, "place", (), ((3, 1),)),
    ),
    tables=(
        TableData("near", 1, neighbours()),
        TableData("owner", 0, (0, 1, 0, 1, 0)),
        TableData("shifted", -1, (10, 11, 12)),
    ),
    functions=(
        ir.Function("main", 0, 0, (), (), "", at(1)),
        ir.Function(
            "twice", 1, 1, ("n",), (Return(Binary("*", Local(0), Const(2)), at(2)),), "number", at(2)
        ),
        ir.Function(
            "factorial",
            1,
            3,
            ("n", "i", "product"),
            (
                ir.Assign(2, Const(1), at(3)),
                ir.ForEach(
                    1,
                    MakeSet(((Const(1), Local(0)),)),
                    (ir.Assign(2, Binary("*", Local(2), Local(1)), at(3)),),
                    at(3),
                ),
                ir.CallTo(1, (Local(2),), 2, at(3)),
                Return(Local(2), at(3)),
            ),
            "number",
            at(3),
        ),
    ),
)


def s(*items: int) -> SetConst:
    return SetConst(items)


def near(slot: int) -> At:
    return At(0, Local(slot))


def some(word: str, condition: ir.Expr, of: ir.Expr) -> Quantifier:
    return Quantifier(word, 0, of, condition)


ODD = equal(Binary("mod", Local(0), Const(2)), Const(1))
LESS_THAN_3 = Binary("<", Local(0), Const(3))

CASES: list[tuple[str, ir.Expr, Any]] = [
    ("a number", Const(-3), -3),
    ("a set keeps its order", s(3, 1, 2), (3, 1, 2)),
    ("a slot", Local(1), 8),
    ("a variable", Load(5, Const(1)), 7),
    ("a set variable", Load(6), (3, 1)),
    ("a table", At(1, Const(3)), 1),
    ("a table that begins at -1", At(2, Const(-1)), 10),
    ("a table of sets", At(0, Const(1)), (2, 5)),
    ("minus", Unary("-", Const(4)), -4),
    ("not", no(Const(0)), 1),
    ("not of 7", no(Const(7)), 0),
    ("plus", Binary("+", Const(4), Local(1)), 12),
    ("minus two", Binary("-", Const(4), Local(1)), -4),
    ("times", Binary("*", Const(4), Local(1)), 32),
    ("mod of a negative", Binary("mod", Const(-1), Const(3)), 2),
    ("min", Binary("min", Const(4), Local(1)), 4),
    ("max", Binary("max", Const(4), Local(1)), 8),
    ("down", Binary("div_down", Const(-7), Const(2)), -4),
    ("up", Binary("div_up", Const(7), Const(2)), 4),
    ("up of a negative", Binary("div_up", Const(-7), Const(2)), -3),
    ("equal", equal(Local(1), Const(8)), 1),
    ("unequal", Binary("!=", Local(1), Const(8)), 0),
    ("less", Binary("<", Local(1), Local(0)), 0),
    ("at most", Binary("<=", Local(1), Const(8)), 1),
    ("and is short", Binary("and", Const(0), Binary("div_down", Const(1), Const(0))), 0),
    ("or is short", Binary("or", Const(5), Binary("div_down", Const(1), Const(0))), 1),
    ("same sets in another order", SameSet(s(1, 2), s(2, 1)), 1),
    ("other sets", SameSet(s(1, 2), s(1, 2, 3)), 0),
    ("a choice", Choice(Const(0), Const(1), Const(2)), 2),
    ("a choice of sets", Choice(Const(1), s(1), s(2)), (1,)),
    ("a made set", MakeSet((Local(1), (Const(7), Const(9)), Const(-1))), (8, 7, 9, -1)),
    ("a made set without none", MakeSet((Const(-1), Const(2)), skip_none=True), (2,)),
    ("an empty range", MakeSet(((Const(3), Const(2)),)), ()),
    ("a union", Union(s(3, 1), s(1, 2)), (3, 1, 2)),
    ("without", ir.Without(s(3, 1, 2), s(1, 7)), (3, 2)),
    ("in", Contains(s(3, 1), Const(1)), 1),
    ("not in a range", Contains(MakeSet(((Const(2), Const(5)),)), Const(6)), 0),
    ("in a place", Contains(Contents(Const(2)), Const(1)), 1),
    ("what lies there, bottom first", Contents(Const(2)), (0, 1)),
    ("the top of it", Contents(Const(2), top_only=True), (1,)),
    ("the top of nothing", Contents(Const(3), top_only=True), ()),
    ("what looks like the first, itself at least", ir.Alike(s(2, 0, 3), Const(1)), (2,)),
    ("what looks like nothing", ir.Alike(s(), Const(1)), ()),
    ("where a piece is", PlaceOf(Const(2)), 7),
    ("where a stand-in is", PlaceOf(Const(4)), 0),
    ("where none is", PlaceOf(Const(-1)), -1),
    ("a filter", Filter(0, s(4, 3, 1), ODD), (3, 1)),
    ("any", some("any", ODD, s(2, 3)), 1),
    ("any of nothing", some("any", Const(1), s()), 0),
    ("all", some("all", ODD, s(1, 2)), 0),
    ("all of nothing", some("all", Const(0), s()), 1),
    ("count", some("count", ODD, s(1, 2, 3)), 2),
    ("first", some("first", ODD, s(2, 3, 5)), 3),
    ("first of none", some("first", ODD, s(2)), -1),
    ("sum", Fold("sum", 0, s(1, 2, 3), Binary("*", Local(0), Local(0))), 14),
    ("largest", Fold("largest", 0, s(1, 3, 2), Unary("-", Local(0))), -1),
    ("smallest", Fold("smallest", 0, s(1, 3, 2), Unary("-", Local(0))), -3),
    ("largest of nothing", Fold("largest", 0, s(), Local(0)), 0),
    ("best", BestOf("largest", 0, s(1, 4, 3, 6), Binary("mod", Local(0), Const(3))), (1, 4)),
    ("worst", BestOf("smallest", 0, s(1, 4, 3, 6), Binary("mod", Local(0), Const(3))), (3, 6)),
    ("collect", Collect(0, s(1, 2, 3, 4), Binary("-", Binary("mod", Local(0), Const(3)), Const(1))), (0, 1)),
    ("collect sets", Collect(0, s(1, 2), At(0, Local(0)), many=True), (2, 5, 3, 6, 1)),
    ("collect groups", Collect(0, s(1, 4), At(0, Local(0))), ((2, 5), (8, 3))),
    ("size", Size(s(4, 5)), 2),
    ("size of contents", Size(Contents(Const(2))), 2),
    ("the first few", ir.FirstFew(s(4, 3, 9), Const(2)), (4, 3)),
    ("the first few of fewer", ir.FirstFew(Contents(Const(2)), Const(7)), (0, 1)),
    ("fewer than none of them", ir.FirstFew(s(4, 3), Const(-1)), ()),
    ("the only one", TheOnly(s(4), at(1)), 4),
    ("seats", Seats(Const(1), Const(1)), (1, 0)),
    ("seats from nobody", Seats(Const(-1), Const(1)), ()),
    ("a call", ir.Apply(1, (Const(21),)), 42),
    ("a call of a function with a loop", ir.Apply(2, (Const(4),)), 48),
    # runs on the 4 x 3 board: 1 2 3 4 / 5 6 7 8 / 9 10 11 12
    ("a run to the edge", Going(0, Const(5), s(1), None, False, 0, None, None, None), (6, 7, 8)),
    ("runs in two directions", Going(0, Const(6), s(0, 2), None, False, 0, None, None, None), (2, 10)),
    ("up to", Going(0, Const(5), s(1), Const(2), False, 0, None, None, None), (6, 7)),
    ("exactly", Going(0, Const(5), s(1), Const(2), True, 0, None, None, None), (7,)),
    ("exactly too many", Going(0, Const(5), s(1), Const(4), True, 0, None, None, None), ()),
    ("while", Going(0, Const(1), s(1), None, False, 0, LESS_THAN_3, None, None), (2,)),
    ("until", Going(0, Const(1), s(1), None, False, 0, None, equal(Local(0), Const(3)), None), (2, 3)),
    ("until never", Going(0, Const(1), s(1), None, False, 0, None, Const(0), None), (2, 3, 4)),
    (
        "ending at",
        Going(0, Const(1), s(1), None, False, 0, LESS_THAN_3, None, equal(Local(0), Const(3))),
        (2,),
    ),
    ("ending at nothing like it", Going(0, Const(1), s(1), None, False, 0, LESS_THAN_3, None, Const(0)), ()),
    ("ending at the edge", Going(0, Const(1), s(1), None, False, 0, None, None, Const(1)), ()),
    ("a run from nowhere", Going(0, Const(-1), s(1), None, False, 0, None, None, None), ()),
    ("a limit of 0", Going(0, Const(1), s(1), Const(0), False, 0, None, None, None), ()),
    # linked and groups
    ("linked", Linked(s(1), 0, near(0), Binary("<=", Local(0), Const(6)), None), (2, 5, 3, 6, 4)),
    (
        "linked, stopping",
        Linked(s(1), 0, near(0), Binary("<", Local(0), Const(6)), equal(Local(0), Const(2))),
        (2, 5),
    ),
    ("linked from two", Linked(s(1, 2), 0, near(0), Binary("<", Local(0), Const(4)), None), (3,)),
    ("groups", Groups(s(12, 1, 2, 8, 10), 0, near(0)), ((12, 8), (1, 2), (10,))),
    ("size of groups", Size(Groups(s(1, 2, 9), 0, near(0))), 2),
    ("largest group", Fold("largest", 1, Groups(s(1, 2, 9), 0, near(0)), Size(Local(1))), 2),
]


@pytest.mark.parametrize(("e", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_an_expression_has_its_value(e: ir.Expr, expected: Any) -> None:
    got = value(e, WORLD, (5, 8))
    assert got == expected
    assert type(got) is type(expected)  # a truth value is 0 or 1, never True


def test_every_form_of_expression_is_tried() -> None:
    from rulewright.interpreter.walk import EXPRESSIONS, every

    tried = {type(n) for _, e, _ in CASES for n in every(e)}
    missing = {e.__name__ for e in EXPRESSIONS} - {t.__name__ for t in tried}
    assert missing == {"CanAct", "Occupied"}  # in test_decisions.py, and below


@pytest.mark.parametrize(
    ("e", "reason"),
    [
        (Binary("div_down", Const(1), Const(0)), "divided by 0"),
        (Binary("mod", Const(1), Local(2)), "divided by 0"),
        (At(1, Const(5)), "`owner` was asked"),
        (At(1, Const(-1)), "`owner` was asked"),
        (At(2, Const(-2)), "`shifted` was asked"),
        (Load(5, Const(2)), "`coins` was asked"),
        (Load(5, Const(-1)), "`coins` was asked"),
        (TheOnly(s(1, 2), Span("g", 7, 1)), "exactly one, and there are 2"),
        (TheOnly(s(), Span("g", 7, 1)), "exactly one, and there are none"),
        (MakeSet(((Const(0), Const(10**9)),)), "too many"),
    ],
)
def test_what_cannot_be_computed_is_a_rule_error(e: ir.Expr, reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        value(e, WORLD)


def test_nested_selections_are_charged_to_the_budget() -> None:
    big = MakeSet(((Const(1), Const(3000)),))
    e = Fold("sum", 0, big, Fold("sum", 1, big, Fold("sum", 2, s(1, 2), Const(1))))
    with pytest.raises(RuleError, match="too many steps") as error:
        value(e, WORLD)
    assert error.value.form == "budget"


def test_an_unbounded_board_begins_with_its_origin_and_grows_round_what_lies_there() -> None:
    state = state_of(WORLD)
    assert value(Occupied(1, False), WORLD, state=state) == ()
    assert value(Occupied(1, True), WORLD, state=state) == (CENTRE,)
    state.contents[CENTRE] = [3]
    state.contents[0] = []
    assert value(Occupied(1, False), WORLD, state=state) == (CENTRE,)
    around = value(Occupied(1, True), WORLD, state=state)
    assert around == tuple(CENTRE + 9 * r + c for r in (-1, 0, 1) for c in (-1, 0, 1))


def test_runs_on_an_unbounded_board_go_round_and_end() -> None:
    run = value(Going(1, Const(CENTRE), s(1), None, False, 0, None, None, None), WORLD)
    assert run[:5] == (CENTRE + 1, CENTRE + 2, CENTRE + 3, CENTRE + 4, CENTRE - 4)
    assert len(run) == 8


def test_short_ways_lead_to_the_same_truth() -> None:
    state = state_of(WORLD)
    links = state.code.expressions
    tried = 0
    for place in range(14):
        for condition in (Const(1), equal(At(1, Local(0)), Local(2)), equal(At(1, Local(0)), Const(1))):
            e = Quantifier("any", 0, Contents(Local(1)), condition)
            short = short_way(links, e)
            assert short is not None
            for wanted in (0, 1):
                slots = [0, place, wanted, 0]
                assert bool(short(state, slots[:])) == bool(links._decide(e)(state, slots[:]))
                tried += 1
    assert tried == 14 * 3 * 2


def test_a_set_variable_in_an_expression_is_not_the_machines_own_list() -> None:
    state = state_of(WORLD)
    got = value(Contents(Const(2)), WORLD, state=state)
    state.contents[2].append(3)
    assert got == (0, 1)
