"""Every statement does what the contract says: values, loops, pieces, what is known, the end."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.ir import (
    Assign,
    Binary,
    Break,
    CallTo,
    Chance,
    Const,
    Contents,
    EndGame,
    Exchange,
    Fail,
    ForEach,
    Function,
    If,
    Load,
    Local,
    Loop,
    MakeSet,
    MovePieces,
    PieceInfo,
    PlaceInfo,
    Repeat,
    Return,
    SetConst,
    Show,
    Shuffle,
    StandIn,
    Store,
    Stream,
    Variable,
)  # fmt: skip
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.verify import verify
from rulewright.tests.interpreter.playing import state_of
from rulewright.tests.interpreter.programs import MACHINE, at, effect, equal, everybody, program, say

NUMBERS = (
    *MACHINE,
    Variable("plain", 1, "number", 0, 9, False, "number", (), (3,)),
    Variable("stopped", 1, "number", 0, 9, False, "number", (), (3,), "stop"),
    Variable("round", 1, "number", 1, 4, False, "number", (), (3,), "wrap"),
    Variable("maybe", 2, "number", 0, 9, True, "number", ("player",), (3, 4)),
    Variable("some", 1, "set", 0, 9, False, "number", (), ((),)),
)
PLAIN, STOPPED, ROUND, MAYBE, SOME = 5, 6, 7, 8, 9


def run(
    *body: ir.Statement, chance: ScriptedChance | None = None, trace: bool = False, **fields: Any
) -> Match:
    p = effect(*body, **fields)
    assert verify(p) == []
    return start(p, 1, chance=chance, trace=trace)


def number(match: Match, variable: int, cell: int = 0) -> Any:
    return match.state.vars[match.state.code.layout.offsets[variable] + cell]


@pytest.mark.parametrize("trace", [False, True])
@pytest.mark.parametrize(
    ("variable", "value", "becomes"),
    [
        (PLAIN, 9, 9),
        (STOPPED, 12, 9),
        (STOPPED, -2, 0),
        (ROUND, 5, 1),
        (ROUND, 0, 4),
        (ROUND, -4, 4),
        (ROUND, 4, 4),
    ],
)
def test_a_number_stops_or_wraps_at_its_ends(variable: int, value: int, becomes: int, trace: bool) -> None:
    assert (
        number(run(Store(variable, None, Const(value), at(2)), variables=NUMBERS, trace=trace), variable)
        == becomes
    )


@pytest.mark.parametrize("trace", [False, True])
def test_a_number_that_does_not_fit_is_a_rule_error_with_its_line(trace: bool) -> None:
    match = run(Store(PLAIN, None, Const(10), at(7)), variables=NUMBERS, trace=trace)
    assert match.fault is not None
    assert "10 does not fit; `plain` goes from 0 to 9." in match.fault.reason
    assert (match.fault.span.line, match.fault.rule, match.fault.form) == (7, "main", "rule")
    assert match.decision is None


def test_none_fits_only_where_it_may_stand() -> None:
    assert number(run(Store(MAYBE, Const(1), Const(-1), at(2)), variables=NUMBERS), MAYBE, 1) == -1
    assert run(Store(PLAIN, None, Const(-1), at(2)), variables=NUMBERS).fault is not None


def test_the_values_of_a_set_must_fit() -> None:
    assert number(run(Store(SOME, None, SetConst((2, 1)), at(2)), variables=NUMBERS), SOME) == (2, 1)
    assert run(Store(SOME, None, SetConst((2, 10)), at(2)), variables=NUMBERS).fault is not None


def test_a_cell_that_does_not_exist_is_a_rule_error() -> None:
    match = run(Store(MAYBE, Const(2), Const(1), at(2)), variables=NUMBERS)
    assert match.fault is not None and "`maybe` is not kept for this" in match.fault.reason


def count_up(times: int = 1) -> Store:
    return Store(PLAIN, None, Binary("+", Load(PLAIN), Const(times)), at(3))


def test_loops_run_as_often_as_they_say() -> None:
    assert number(run(Repeat(Const(4), None, (count_up(),), at(2)), variables=NUMBERS), PLAIN) == 7
    assert number(run(Repeat(Const(-1), None, (count_up(),), at(2)), variables=NUMBERS), PLAIN) == 3
    less = Binary("<", Load(PLAIN), Const(5))
    assert number(run(Repeat(Const(6), less, (count_up(),), at(2)), variables=NUMBERS), PLAIN) == 5


def test_the_set_of_a_loop_is_fixed_before_it_begins() -> None:
    grown = Store(SOME, None, ir.Union(Load(SOME), MakeSet((Binary("+", Local(0), Const(3)),))), at(3))
    match = run(
        Store(SOME, None, SetConst((1, 2)), at(2)),
        ForEach(0, Load(SOME), (grown, count_up()), at(2)),
        variables=NUMBERS,
    )
    assert number(match, SOME) == (1, 2, 4, 5)
    assert number(match, PLAIN) == 5


def test_break_leaves_the_innermost_loop_only() -> None:
    inner = Loop((count_up(), Break(at(3))), at(3))
    match = run(ForEach(0, SetConst((1, 2, 3)), (inner,), at(2)), variables=NUMBERS)
    assert number(match, PLAIN) == 6


def test_nested_loops_keep_their_places_apart() -> None:
    inner = ForEach(
        1, SetConst((1, 2, 3)), (If(equal(Local(0), Local(1)), (Break(at(4)),), (), at(4)), count_up()), at(3)
    )
    assert number(run(ForEach(0, SetConst((1, 2, 3)), (inner,), at(2)), variables=NUMBERS), PLAIN) == 6


def test_a_function_gives_its_value_back_to_its_caller() -> None:
    half = Function(
        "half",
        1,
        1,
        ("n",),
        (
            If(Binary("<", Local(0), Const(0)), (Return(Const(0), at(8)),), (), at(8)),
            Return(Binary("div_down", Local(0), Const(2)), at(9)),
        ),
        "number",
        at(8),
    )
    match = run(
        CallTo(1, (Const(8),), 3, at(2)), Store(PLAIN, None, Local(3), at(2)),
        CallTo(1, (Const(-8),), 3, at(2)), Store(STOPPED, None, Local(3), at(2)),
        functions=(half,), variables=NUMBERS,
    )  # fmt: skip
    assert (number(match, PLAIN), number(match, STOPPED)) == (4, 0)


def test_the_first_end_that_is_reached_counts() -> None:
    match = run(
        EndGame(0, SetConst((1,)), at(2)),
        EndGame(0, SetConst((0,)), at(3)),
        Store(PLAIN, None, Load(ir.UNWINDING), at(4)),
        variables=NUMBERS,
    )
    assert match.result.winners == ("blue",)
    assert number(match, PLAIN) == 3  # callers are told to return
    assert match.over


def test_a_game_that_just_stops_has_no_end_and_no_winners() -> None:
    result = run(count_up(), variables=NUMBERS).result
    assert (result.over, result.end, result.winners) == (True, "", ())


def test_a_rule_that_cannot_be_carried_out_says_why() -> None:
    match = run(Fail(say("There are ", ir.Shown(Const(2), "number"), " kings."), at(5)))
    assert match.fault is not None and match.fault.reason == "There are 2 kings. (in main, game.yaml:5:1)"


# --------------------------------------------------------------------- pieces

BOX, RED, BLUE, ROW, SUPPLY, FIRST = 0, 1, 2, 3, 4, 5


def table(**more: Any) -> dict[str, Any]:
    """Six stones: 0 to 3 in red's hidden hand, 4 and 5 in the supply."""
    return {
        "kinds": ("stone",),
        "pieces": tuple(
            PieceInfo(f"stone_{i}", 0, -1, i, RED if i < 4 else SUPPLY, f"Stone {i}", f"s{i}")
            for i in range(6)
        ),
        "stand_ins": (StandIn(0, -1, SUPPLY),),
        "places": (
            PlaceInfo("box", "box", "", -1, "set", SetConst(())),
            PlaceInfo("hand of red", "zone", "hand", 0, "set", SetConst((0,))),
            PlaceInfo("hand of blue", "zone", "hand", 1, "set", SetConst((1,))),
            PlaceInfo("row", "zone", "row", -1, "row", everybody(2)),
            PlaceInfo("supply", "supply", "", -1, "set", everybody(2)),
        ),
        "first_piece_place": FIRST,
        "streams": (Stream("shuffle"),),
        "variables": NUMBERS,
        **more,
    }


def lying(match: Match) -> dict[int, list[int]]:
    return {place: pieces for place, pieces in match.state.contents.items() if pieces}


def move(pieces: ir.Expr, place: int, bottom: bool = False, moved: int = -1) -> MovePieces:
    return MovePieces(pieces, Const(place), bottom, moved, at(2))


@pytest.mark.parametrize("trace", [False, True])
def test_pieces_go_one_by_one_to_the_top_or_the_bottom(trace: bool) -> None:
    match = run(move(SetConst((2, 0)), ROW), move(SetConst((1, 3)), ROW, bottom=True), trace=trace, **table())
    assert lying(match) == {ROW: [3, 1, 2, 0], SUPPLY: [4, 5]}
    assert match.state.place_of[:4] == [ROW] * 4


def test_how_many_moved_is_counted_and_none_moves_nothing() -> None:
    match = run(
        move(MakeSet((Const(-1), Const(0), Const(1))), BLUE, moved=3), Store(PLAIN, None, Local(3), at(2)),
        move(SetConst((2,)), -1, moved=3), Store(STOPPED, None, Local(3), at(2)), **table(),
    )  # fmt: skip
    assert (number(match, PLAIN), number(match, STOPPED)) == (2, 0)


def test_a_stand_in_is_the_next_piece_of_its_supply_until_there_is_none() -> None:
    three = Repeat(
        Const(3),
        None,
        (
            move(SetConst((6,)), ROW, moved=3),
            count_up(0),
            Store(PLAIN, None, Binary("+", Load(PLAIN), Local(3)), at(2)),
        ),
        at(2),
    )
    match = run(three, **table())
    assert lying(match)[ROW] == [4, 5]
    assert number(match, PLAIN) == 3 + 2


def test_a_set_of_real_pieces_and_a_stand_in_moves_them_all() -> None:
    assert lying(run(move(SetConst((6, 0)), ROW), **table()))[ROW] == [4, 0]


def test_a_piece_carries_what_lies_on_it_and_cannot_lie_on_itself() -> None:
    match = run(
        move(SetConst((1,)), FIRST + 0), move(SetConst((2,)), FIRST + 1), move(SetConst((0,)), ROW), **table()
    )
    assert match.fault is None
    assert lying(match) == {RED: [3], FIRST: [1], FIRST + 1: [2], ROW: [0], SUPPLY: [4, 5]}
    circle = run(move(SetConst((1,)), FIRST + 0), move(SetConst((0,)), FIRST + 1), **table())
    assert circle.fault is not None and "cannot be put on itself" in circle.fault.reason


def test_there_is_no_moving_to_a_place_that_is_none() -> None:
    match = run(move(SetConst((1,)), 99), **table())
    assert match.fault is not None and "no such place" in match.fault.reason


def test_two_places_trade_all_that_lies_on_them() -> None:
    match = run(
        move(SetConst((0, 1)), ROW),
        Exchange(Const(ROW), Const(BLUE), at(3)),
        Exchange(Const(RED), Const(RED), at(3)),
        **table(),
    )
    assert lying(match) == {RED: [2, 3], BLUE: [0, 1], SUPPLY: [4, 5]}
    assert match.state.place_of[0] == BLUE


def test_who_sees_the_new_place_knows_the_piece_from_then_on() -> None:
    match = run(move(SetConst((0,)), BLUE), move(SetConst((1,)), ROW), move(SetConst((1,)), BOX), **table())
    assert match.state.known == [3, 3, 1, 1, 3, 3]  # red knew 0 before, and everybody saw 1 in the row


def test_what_lies_on_a_piece_is_seen_with_it() -> None:
    match = run(move(SetConst((1,)), FIRST + 0), move(SetConst((0,)), ROW), **table())
    assert match.state.known[1] == 3


def test_pieces_that_are_traded_are_known_to_those_who_see_them_now() -> None:
    match = run(Exchange(Const(RED), Const(BLUE), at(3)), **table())
    assert match.state.known[:4] == [3, 3, 3, 3]


def test_who_does_not_see_a_shuffled_place_forgets_what_lies_there() -> None:
    match = run(Show(SetConst((0,)), everybody(2), at(2)), Shuffle(Const(RED), Const(0), at(3)), **table())
    assert match.state.known[:4] == [1, 1, 1, 1]
    assert sorted(match.state.contents[RED]) == [0, 1, 2, 3]


def test_what_is_shown_is_known() -> None:
    match = run(Show(SetConst((0, 2, 6)), SetConst((1,)), at(2)), **table())
    assert match.state.known[:4] == [3, 1, 3, 1]


def test_a_scripted_shuffle_gives_that_order() -> None:
    chance = ScriptedChance(("shuffle",), [("s3", "s0", "s1", "s2")])
    match = run(Shuffle(Const(RED), Const(0), at(3)), chance=chance, **table())
    assert match.state.contents[RED] == [3, 0, 1, 2]


def test_a_scripted_draw_that_is_not_possible_is_a_rule_error_of_its_own_form() -> None:
    chance = ScriptedChance(("shuffle",), ["s9"])
    match = run(Chance(0, Contents(Const(RED)), Const(0), "piece", at(6)), chance=chance, **table())
    assert match.fault is not None
    assert (match.fault.form, match.fault.span.line) == ("chance", 6)
    assert "s9" in match.fault.reason and "s0, s1" in match.fault.reason


def test_a_draw_from_nothing_is_none() -> None:
    draw = Chance(0, SetConst(()), Const(0), "number", at(6))
    match = run(draw, Store(MAYBE, Const(0), Local(0), at(6)), **table())
    assert number(match, MAYBE) == -1
    assert match.state.counters == [0]


def test_each_draw_and_each_shuffle_moves_its_stream_only() -> None:
    match = run(
        Chance(0, SetConst((1, 2)), Const(1), "number", at(2)),
        Assign(1, Local(0), at(2)),
        Shuffle(Const(RED), Const(0), at(3)),
        **table(streams=(Stream("shuffle"), Stream("die"))),
    )
    assert match.state.counters == [3, 1]


def test_nothing_has_happened_before_the_beginning() -> None:
    state = state_of(program(**table(functions=(Function("main", 0, 0, (), (), "", at(1)),))))
    assert state.known == [1, 1, 1, 1, 3, 3]
    assert state.place_of == [RED] * 4 + [SUPPLY] * 2 + [SUPPLY]
