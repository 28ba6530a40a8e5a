"""The verifier finds each kind of damage, and nothing in sound programs."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.ir import (
    ActionDecision,
    ActionOption,
    Afterwards,
    Apply,
    Assign,
    At,
    BoardInfo,
    Break,
    CallTo,
    ChooseOne,
    Const,
    Contents,
    EndGame,
    Enter,
    Filter,
    ForEach,
    Function,
    Guard,
    If,
    Key,
    Leave,
    Load,
    Local,
    Loop,
    MovePieces,
    PieceInfo,
    PlaceInfo,
    Quantifier,
    Repeat,
    Return,
    SetConst,
    Shuffle,
    Size,
    StandIn,
    Store,
    TableData,
    Unary,
    Variable,
)  # fmt: skip
from rulewright.interpreter.text import text_of
from rulewright.interpreter.verify import verify
from rulewright.tests.interpreter.programs import (
    ALL_PROGRAMS,
    MACHINE,
    at,
    card_game,
    effect,
    everybody,
    say,
    tic_tac_toe,
)  # fmt: skip

N = Variable("n", 1, "number", 0, 9, False, "number", (), (0,))
MANY = Variable("many", 3, "number", 0, 9, False, "number", ("player",), (0, 0, 0))
SET = Variable("set", 1, "set", 0, 9, False, "number", (), ((),))


def function(
    *body: ir.Statement, name: str = "f", parameters: int = 0, result: str = "", slots: int = 4
) -> Function:
    return Function(name, parameters, slots, (), tuple(body), result, at(1))


def main_of(*body: ir.Statement, **more: Any) -> ir.Program:
    return effect(*body, slots=4, **{"variables": (*MACHINE, N, MANY, SET), **more})


def computed(e: ir.Expr, **more: Any) -> ir.Program:
    return main_of(Assign(0, e, at(2)), **more)


def decision(*actions: ActionOption, **more: Any) -> ir.Program:
    return main_of(decisions=(ActionDecision("act", actions, 0, 4, say("Act"), at(1)),), **more)


def action(
    name: str = "go",
    keys: tuple[Key, ...] = (),
    guards: tuple[Guard, ...] = (),
    after: tuple[Afterwards, ...] = (),
) -> ActionOption:
    return ActionOption(name, name, keys, guards, after, None, at(1))


ENTER, LEAVE = Enter("event", "e", None, (), (), at(2)), Leave(at(2))
RETURN = Return(None, at(2))
KEY = Key("k", 1, SetConst((1, 2)), "number", at(1))
PLACES = (PlaceInfo("box", "box", "", -1, "set", everybody(2)),)
PIECE = PieceInfo("p", 0, -1, 0, 0, "", "p")


def pieces(**more: Any) -> ir.Program:
    return main_of(**{"kinds": ("k",), "places": PLACES, "first_piece_place": 1, "pieces": (PIECE,), **more})


def board(**more: Any) -> ir.Program:
    usual = BoardInfo("b", "square grid", 0, 1, 1, False, False, -1, everybody(2), ((-1,),))
    return pieces(directions=("north",), boards=(replace(usual, **more),))


def change(e: ir.Statement, name: str = "f") -> ir.Program:
    """`name` is used in an expression and does what it must not do."""
    return computed(
        Apply(1, ()), functions=(function(e, Return(Const(1), at(2)), name=name, result="number"),)
    )


DAMAGE: list[tuple[str, ir.Program, str]] = [
    # slots
    ("a slot to read", computed(Local(4)), "function main: there is no slot 4"),
    ("a slot to write", main_of(Assign(-2, Const(1), at(2))), "there is no slot -2"),
    ("a slot of a loop", main_of(ForEach(9, SetConst((1,)), (), at(2))), "there is no slot 9"),
    ("a slot of a selection", computed(Filter(7, SetConst((1,)), Const(1))), "there is no slot 7"),
    (
        "a slot of a key",
        decision(action(keys=(replace(KEY, slot=8),))),
        "decision act, action go: there is no slot 8",
    ),
    # kinds
    (
        "a set added up",
        computed(ir.Binary("+", SetConst((1,)), Const(1))),
        "SetConst is a set where a number is needed",
    ),
    (
        "a number run through",
        main_of(ForEach(0, Const(3), (), at(2))),
        "Const is a number where a set is needed",
    ),
    ("a number counted", computed(Size(Const(3))), "Const is a number where a set is needed"),
    (
        "a set as a condition",
        main_of(If(SetConst(()), (), (), at(2))),
        "SetConst is a set where a number is needed",
    ),
    (
        "a set stored as a number",
        main_of(Store(5, None, SetConst(()), at(2))),
        "SetConst is a set where a number is needed",
    ),
    (
        "a number stored as a set",
        main_of(Store(7, None, Const(1), at(2))),
        "Const is a number where a set is needed",
    ),
    (
        "a choice between kinds",
        computed(ir.Choice(Const(1), Const(1), SetConst(()))),
        "a Choice between a number and a set",
    ),
    (
        "a slot that holds a set",
        main_of(Assign(0, SetConst(()), at(2)), Assign(1, Unary("-", Local(0)), at(2))),
        "Local is a set where a number",
    ),
    (
        "groups are no set",
        computed(Contents(Size(ir.Union(ir.Groups(SetConst(()), 0, SetConst(())), SetConst(()))))),
        "Groups is a groups where a set",
    ),
    (
        "pieces moved one at a time",
        main_of(MovePieces(Const(1), Const(0), False, -1, at(2))),
        "Const is a number where a set",
    ),
    (
        "a domain that is no set",
        decision(action(keys=(replace(KEY, domain=Const(1)),))),
        "Const is a number where a set",
    ),
    ("winners that are no set", main_of(EndGame(0, Const(1), at(2))), "Const is a number where a set"),
    (
        "viewers that are no set",
        pieces(places=(replace(PLACES[0], viewers=Const(1)),)),
        "place box: Const is a number where a set",
    ),
    ("a constant set with a value twice", computed(SetConst((1, 1))), "holds a value twice"),
    # what is there
    ("a table", computed(At(3, Const(0))), "there is no table 3"),
    ("a variable", computed(Load(12)), "there is no variable 12"),
    ("a variable to store", main_of(Store(12, None, Const(1), at(2))), "there is no variable 12"),
    ("a function", computed(Apply(5, ())), "function main: no function 5"),
    ("a function to call", main_of(CallTo(5, (), -1, at(2))), "function main: no function 5"),
    ("a decision", main_of(ir.ChooseAction(2, Const(0), 1, at(2))), "function main: no decision 2"),
    ("a decision in a condition", computed(ir.CanAct(2, Const(0))), "function main: no decision 2"),
    ("an end", main_of(EndGame(4, SetConst(()), at(2))), "there is no end 4"),
    ("a stream", main_of(Shuffle(Const(0), Const(1), at(2))), "there is no stream 1"),
    ("a board", computed(ir.Occupied(0, False)), "there is no board 0"),
    (
        "a function of `afterwards`",
        decision(action(after=(Afterwards(7, say(), at(1)),))),
        "decision act: no function 7",
    ),
    ("the main function", replace(main_of(), main=3), "main: no function 3"),
    ("the score", replace(main_of(), score=3), "score: no function 3"),
    ("an invariant", replace(main_of(), invariants=(("i", 9),)), "invariant i: no function 9"),
    ("a variable of pieces", replace(main_of(), piece_vars=(40,)), "piece_vars: no variable 40"),
    ("players", replace(main_of(), players=()), "no players"),
    # operations
    ("an operation", computed(ir.Binary("^", Const(1), Const(1))), "there is no operation ^"),
    ("a sign", computed(Unary("+", Const(1))), "there is no operation +"),
    ("a selection", computed(Quantifier("some", 0, SetConst(()), Const(1))), "there is no selection `some`"),
    ("a fold", computed(ir.Fold("product", 0, SetConst(()), Const(1))), "there is no selection `product`"),
    ("cells without an index", computed(Load(6)), "many has 3 cells and is used without an index"),
    (
        "cells stored without an index",
        main_of(Store(6, None, Const(1), at(2))),
        "many has 3 cells and is used without an index",
    ),
    (
        "a bounded board is not made on demand",
        replace(board(), functions=(function(Assign(0, ir.Occupied(0, True), at(2)), name="main"),)),
        "Occupied is for unbounded",
    ),
    (
        "exactly how many",
        replace(
            board(),
            functions=(
                function(
                    Assign(0, ir.Going(0, Const(0), SetConst(()), None, True, 1, None, None, None), at(2)),
                    name="main",
                ),
            ),
        ),
        "has no limit",
    ),
    # calls
    (
        "too few values",
        main_of(CallTo(1, (), -1, at(2)), functions=(function(parameters=1),)),
        "f takes 1 values and is given 0",
    ),
    (
        "two kinds of values",
        main_of(
            CallTo(1, (Const(1),), -1, at(2)),
            CallTo(1, (SetConst(()),), -1, at(2)),
            functions=(function(parameters=1),),
        ),
        "given a set where it was given a number",
    ),
    (
        "a parameter used as another kind",
        main_of(
            CallTo(1, (SetConst(()),), -1, at(2)),
            functions=(function(Assign(1, Unary("-", Local(0)), at(2)), parameters=1),),
        ),
        "function f: Local is a set",
    ),
    ("a result of nothing", main_of(CallTo(1, (), 2, at(2)), functions=(function(),)), "f gives no value"),
    ("a value of nothing", computed(Apply(1, ()), functions=(function(),)), "f gives no value"),
    ("parameters in too few slots", main_of(functions=(function(parameters=5),)), "5 parameters in 4 slots"),
    (
        "a main with parameters",
        replace(main_of(), functions=(function(parameters=1, name="main"),)),
        "main: it must have no parameters",
    ),
    # results
    ("a value nobody expects", main_of(Return(Const(1), at(2))), "a Return with a value nobody expects"),
    ("no value", main_of(functions=(function(RETURN, result="number"),)), "a Return without a value"),
    (
        "another kind of value",
        main_of(functions=(function(Return(SetConst(()), at(2)), result="number"),)),
        "SetConst is a set where a number",
    ),
    (
        "an end without a value",
        main_of(functions=(function(If(Const(1), (Return(Const(1), at(2)),), (), at(2)), result="number"),)),
        "it can end without giving a value",
    ),
    ("a strange result", main_of(functions=(function(result="text"),)), "no such result: text"),
    # ways through
    ("Break outside a loop", main_of(Break(at(2))), "a Break outside a loop"),
    (
        "Break in a branch outside a loop",
        main_of(If(Const(1), (Break(at(2)),), (), at(2))),
        "a Break outside a loop",
    ),
    ("an Enter alone", main_of(ENTER), "an Enter has no Leave at the end"),
    ("a Leave alone", main_of(LEAVE), "a Leave without an Enter"),
    (
        "a Return between them",
        main_of(ENTER, If(Const(1), (RETURN,), (), at(2)), LEAVE),
        "a Return between an Enter and its Leave",
    ),
    (
        "a Break between them",
        main_of(Loop((ENTER, If(Const(1), (Break(at(2)),), (), at(2)), LEAVE), at(2))),
        "a Break between an Enter and its Leave",
    ),
    (
        "branches that differ",
        main_of(If(Const(1), (ENTER,), (), at(2)), LEAVE),
        "one branch of an If opens or closes more",
    ),
    (
        "a loop that opens",
        main_of(Repeat(Const(2), None, (ENTER,), at(2))),
        "the body of a loop does not close",
    ),
    ("names of arguments", main_of(replace(ENTER, argument_names=("x",)), LEAVE), "0 arguments, 1 names"),
    # who may do what
    (
        "a circle",
        main_of(
            CallTo(1, (), -1, at(2)),
            functions=(
                function(CallTo(2, (), -1, at(2)), name="a"),
                function(CallTo(1, (), -1, at(2)), name="b"),
            ),
        ),
        "in a circle: a → b → a",
    ),
    (
        "a circle of one",
        main_of(functions=(function(CallTo(1, (), -1, at(2)), name="me"),)),
        "in a circle: me → me",
    ),
    (
        "a circle through a decision",
        decision(action(guards=(Guard(0, ir.CanAct(0, Const(0)), say(), "require", at(1)),))),
        "in a circle: act → act",
    ),
    (
        "storing in an expression",
        change(Store(5, None, Const(1), at(2))),
        "function f: Store is not allowed, since it is used in an expression of main",
    ),
    (
        "choosing in an expression",
        change(ChooseOne(Const(0), 0, KEY, Const(0), say(), at(2))),
        "ChooseOne is not allowed",
    ),
    (
        "moving in an expression",
        change(MovePieces(SetConst(()), Const(0), False, -1, at(2))),
        "MovePieces is not allowed",
    ),
    (
        "chance in an expression",
        change(ir.Chance(0, SetConst(()), Const(0), "number", at(2))),
        "Chance is not allowed",
    ),
    (
        "storing further down",
        computed(
            Apply(1, ()),
            functions=(
                function(CallTo(2, (), -1, at(2)), Return(Const(1), at(2)), name="a", result="number"),
                function(Store(5, None, Const(1), at(2)), name="b"),
            ),
        ),
        "function b: Store is not allowed",
    ),
    (
        "choosing afterwards",
        decision(
            action(after=(Afterwards(1, say(), at(1)),)),
            functions=(
                function(
                    ChooseOne(Const(0), 0, KEY, Const(0), say(), at(2)),
                    Return(Const(1), at(2)),
                    result="number",
                ),
            ),
        ),
        "ChooseOne is not allowed, since a condition `afterwards`",
    ),
    (
        "chance afterwards, further down",
        decision(
            action(after=(Afterwards(1, say(), at(1)),)),
            functions=(
                function(CallTo(2, (), -1, at(2)), Return(Const(1), at(2)), result="number"),
                function(Shuffle(Const(0), Const(0), at(2)), name="g"),
            ),
        ),
        "function g: Shuffle is not allowed",
    ),
    (
        "afterwards of other keys",
        decision(
            action(keys=(KEY,), after=(Afterwards(1, say(), at(1)),)),
            functions=(function(Return(Const(1), at(2)), result="number"),),
        ),
        "f takes 0 values, the action has 1 keys",
    ),
    (
        "a score that stores",
        replace(
            main_of(
                functions=(
                    function(
                        Store(5, None, Const(1), at(2)),
                        Return(Const(1), at(2)),
                        parameters=1,
                        result="number",
                    ),
                )
            ),
            score=1,
        ),
        "Store is not allowed, since it is the score",
    ),
    # decisions
    (
        "a level too high",
        decision(action(keys=(KEY,), guards=(Guard(2, Const(1), say(), "require", at(1)),))),
        "a condition at level 2 of 1 keys",
    ),
    (
        "a `where` of no key",
        decision(action(guards=(Guard(0, Const(1), say(), "where", at(1)),))),
        "a condition at level 0",
    ),
    (
        "a strange source",
        decision(action(guards=(Guard(0, Const(1), say(), "because", at(1)),))),
        "no such source: because",
    ),
    ("two actions of one name", decision(action(), action()), "two actions have one name"),
    ("two keys of one name", decision(action(keys=(KEY, replace(KEY, slot=2)))), "two keys have one name"),
    (
        "something to choose for who declines",
        decision(replace(action(keys=(KEY,)), declines=True)),
        "an action that declines has keys",
    ),
    ("a name with a space", decision(action("go on")), "`go on` cannot stand in an id"),
    (
        "a key with an equal sign",
        decision(action(keys=(replace(KEY, name="a=b"),))),
        "`a=b` cannot stand in an id",
    ),
    (
        "keys the asking frame has no slot for",
        replace(
            decision(action(keys=(replace(KEY, slot=3),))),
            functions=(function(ir.ChooseAction(0, Const(0), 0, at(2)), name="main", slots=2),),
        ),
        "function main: there is no slot 3",
    ),
    (
        "a choice together into one cell",
        main_of(ir.ChooseTogether(everybody(2), 0, KEY, None, None, 5, say(), at(2))),
        "n has no cell for each player",
    ),
    (
        "a choice together of a set into a number",
        main_of(ir.ChooseTogether(everybody(2), 0, KEY, Const(0), Const(1), 6, say(), at(2))),
        "many holds a number and cannot hold",
    ),
    (
        "nobody's choice together",
        main_of(ir.ChooseTogether(everybody(2), 0, KEY, None, None, 6, say(), at(2))),
        "cannot say that somebody had nothing",
    ),
    (
        "a choice by nothing known",
        main_of(ir.ChooseTogether(everybody(2), 0, KEY, None, None, 6, say(), at(2), "consensus")),
        "nothing is chosen by `consensus`",
    ),
    (
        "some by majority",
        main_of(ir.ChooseTogether(everybody(2), 0, KEY, Const(0), Const(1), 6, say(), at(2), "majority")),
        "majority is about one value, not about some",
    ),
    # declarations
    (
        "the machine's variables",
        replace(main_of(), variables=(N,)),
        "the machine's own variables are missing",
    ),
    (
        "initial values",
        main_of(variables=(*MACHINE, replace(N, initial=(0, 1)))),
        "variable n: 1 cells, but 2 initial values",
    ),
    (
        "an initial value",
        main_of(variables=(*MACHINE, replace(N, initial=(10,)))),
        "variable n: the initial value 10 is out of range",
    ),
    (
        "an initial none",
        main_of(variables=(*MACHINE, replace(N, initial=(-1,)))),
        "variable n: the initial value -1 is out of range",
    ),
    (
        "an initial set",
        main_of(variables=(*MACHINE, replace(SET, initial=(3,)))),
        "variable set: the initial value 3 is no set",
    ),
    ("a range", main_of(variables=(*MACHINE, replace(N, low=10))), "variable n: the range 10 … 9 is empty"),
    ("ends", main_of(variables=(*MACHINE, replace(N, ends="jump"))), "variable n: no such ends: jump"),
    (
        "a kind of variable",
        main_of(variables=(*MACHINE, replace(N, kind="text"))),
        "variable n: no such kind: text",
    ),
    ("a mixed table", main_of(tables=(TableData("t", 0, (1, (2,))),)), "table t: numbers and sets are mixed"),  # type: ignore[arg-type]
    (
        "a table of no sets",
        main_of(tables=(TableData("t", 0, ((2, 2),)),)),
        "table t: a set holds a value twice",
    ),
    ("a kind of place", pieces(places=(replace(PLACES[0], kind="shelf"),)), "place box: no such kind: shelf"),
    ("an order", pieces(places=(replace(PLACES[0], order="heap"),)), "place box: no such order: heap"),
    ("an owner", pieces(places=(replace(PLACES[0], owner=2),)), "place box: no player 2"),
    ("a place to start", pieces(pieces=(replace(PIECE, start=9),)), "piece p: no place 9 to start in"),
    ("a kind of piece", pieces(pieces=(replace(PIECE, kind=1),)), "piece p: no kind 1"),
    ("a design", pieces(pieces=(replace(PIECE, design=-1),)), "piece p: no design -1"),
    ("a supply", pieces(stand_ins=(StandIn(0, -1, 7),)), "stand-in 0: no place 7 as its supply"),
    (
        "a variable too short for pieces",
        replace(pieces(pieces=(PIECE,) * 2, variables=(*MACHINE, N)), piece_vars=(5,)),
        "piece_vars: n has no cell for each piece",
    ),
    ("places on pieces", replace(pieces(), first_piece_place=0), "places: box lies on the number of a piece"),
    ("a board without spaces", board(width=0), "board b: it has no spaces"),
    ("a board elsewhere", board(first=1), "board b: its spaces are not among the places"),
    ("steps for each direction", board(steps=((-1,), (-1,))), "board b: 2 rows of steps for 1 directions"),
    ("steps that lead out", board(steps=((5,),)), "board b: a row of steps does not fit"),
    (
        "an unbounded board with steps",
        board(unbounded=True, first=5),
        "board b: an unbounded board has no table",
    ),
    ("boards on one another", replace(board(), boards=(board().boards[0],) * 2), "lie on the same numbers"),
]


@pytest.mark.parametrize(("damaged", "found"), [d[1:] for d in DAMAGE], ids=[d[0] for d in DAMAGE])
def test_each_kind_of_damage_is_found(damaged: ir.Program, found: str) -> None:
    problems = verify(damaged)
    assert any(found in p for p in problems), problems


def test_the_starting_points_of_the_damage_are_sound() -> None:
    for sound in (main_of(), decision(action(keys=(KEY,))), pieces(), board()):
        assert verify(sound) == []


@pytest.mark.parametrize("make", ALL_PROGRAMS)
def test_sound_programs_have_nothing_to_report(make: Callable[[], ir.Program]) -> None:
    assert verify(make()) == []


def mutate(node: Any, luck: random.Random, numbers: list[int]) -> Any:
    """The same node with one number changed somewhere inside (the n-th, counting down)."""
    if isinstance(node, Span):
        return node
    if is_dataclass(node) and not isinstance(node, type):
        return replace(node, **{f.name: mutate(getattr(node, f.name), luck, numbers) for f in fields(node)})
    if isinstance(node, tuple):
        return tuple(mutate(x, luck, numbers) for x in node)
    if isinstance(node, int) and not isinstance(node, bool):
        numbers[0] -= 1
        return luck.choice([-2, -1, 3, 40, 10**6]) if numbers[0] == 0 else node
    return node


@pytest.mark.parametrize("make", [tic_tac_toe, card_game])
def test_no_damage_to_a_number_raises_anything(
    make: Callable[[], ir.Program], figure: Callable[[int, int], int]
) -> None:
    whole = make()
    count = [0]
    mutate(whole, random.Random(0), count)
    luck = random.Random(1)
    found = 0
    for _ in range(figure(120, 3000)):
        damaged = mutate(whole, luck, [luck.randint(1, -count[0])])
        found += bool(verify(damaged))
        assert isinstance(verify(damaged), list)
    assert found > 10


def test_every_program_has_a_text_that_differs_when_it_differs() -> None:
    texts = {text_of(make()) for make in ALL_PROGRAMS}
    assert len(texts) == len(ALL_PROGRAMS)
