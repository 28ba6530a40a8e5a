"""Small programs written by hand in the IR: what a game looks like to the machine.

Each function gives a sound `Program`; tests take what they need, or damage it with `dataclasses.replace`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.ir import (
    ACTOR,
    UNWINDING,
    ActionDecision,
    ActionOption,
    Assign,
    At,
    Binary,
    BoardInfo,
    Break,
    CallTo,
    Chance,
    ChooseAction,
    ChooseOne,
    ChooseSome,
    ChooseTogether,
    Const,
    Contents,
    EndGame,
    EndInfo,
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
    MakeSet,
    MovePieces,
    PieceInfo,
    PlaceInfo,
    Program,
    Quantifier,
    Return,
    Sentence,
    SetConst,
    Shown,
    Shuffle,
    StandIn,
    Store,
    Stream,
    TableData,
    Unary,
    Variable,
)


def at(line: int) -> Span:
    """A place in the file that the program pretends to come from."""
    return Span("game.yaml", line, 1, line, 10)


def say(*parts: str | Shown) -> Sentence:
    return Sentence(tuple(parts))


def equal(a: ir.Expr, b: ir.Expr) -> Binary:
    return Binary("==", a, b)


def no(e: ir.Expr) -> Unary:
    return Unary("not", e)


MACHINE = (
    Variable("actor", 1, "number", 0, 3, True, "player", (), (-1,), hidden=True),
    Variable("unwinding", 1, "number", 0, 3, False, "number", (), (0,), hidden=True),
    Variable("ended", 1, "number", 0, 9, True, "number", (), (-1,), hidden=True),
    Variable("direction", 1, "number", 0, 1, False, "number", (), (1,), hidden=True),
    Variable("extra", 1, "number", 0, 1, False, "number", (), (0,), hidden=True),
)


def everybody(players: int) -> SetConst:
    return SetConst(tuple(range(players)))


def program(**fields: Any) -> Program:
    """A program with nothing in it but what is given."""
    usual: dict[str, Any] = {
        "game": "small",
        "title": "A small game",
        "players": ("red", "blue"),
        "options": (),
        "variants": (),
        "rules_hash": "0123",
        "kinds": (),
        "word_lists": (),
        "directions": (),
        "lines": (),
        "pieces": (),
        "stand_ins": (),
        "places": (),
        "boards": (),
        "first_piece_place": 0,
        "variables": MACHINE,
        "tables": (),
        "streams": (),
        "decisions": (),
        "ends": (EndInfo("end", "The end", at(90)),),
        "functions": (),
        "main": 0,
        "score": -1,
        "piece_vars": (),
    }
    usual.update(fields)
    return Program(**usual)


def lines_of(width: int, height: int, length: int) -> tuple[tuple[int, ...], ...]:
    """All straight lines of a length on a board, as space indexes."""
    out = []
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + dr * i, c + dc * i) for i in range(length)]
                if all(0 <= y < height and 0 <= x < width for y, x in cells):
                    out.append(tuple(y * width + x for y, x in cells))
    return tuple(out)


def line_game(width: int, height: int, length: int, drop: bool, name: str) -> Program:
    """Two players lay pieces on a board until one has a line: on any empty space, or dropped into a column.

    Places: 0 the supply of red, 1 that of blue, then the spaces, then the pieces.
    """
    cells = width * height
    half = (cells + 1) // 2
    lines = lines_of(width, height, length)
    columns = tuple(tuple(2 + r * width + c for r in reversed(range(height))) for c in range(width))
    pieces = tuple(
        PieceInfo(f"disc_{i}", 0, i // half, i // half, i // half, "disc", "x" if i < half else "o")
        for i in range(2 * half)
    )
    places = [
        PlaceInfo(f"supply of {p}", "supply", "supply", i, "set", everybody(2))
        for i, p in enumerate(("red", "blue"))
    ]
    for r in range(height):
        for c in range(width):
            places.append(PlaceInfo(f"{chr(97 + c)}{r + 1}", "space", "rack", -1, "set", everybody(2), r, c))
    tables = (
        TableData("owner", 0, (*(p.owner for p in pieces), 0, 1)),
        TableData("line", 0, tuple(tuple(2 + i for i in line) for line in lines)),
        TableData("column", 0, columns),
        TableData("stand in of", 0, (2 * half, 2 * half + 1)),
    )
    empty = no(Quantifier("any", 3, Contents(Local(2)), Const(1)))
    spaces = SetConst(tuple(range(2, 2 + cells)))
    if drop:
        key = Key(
            "lane",
            1,
            Filter(1, SetConst(tuple(range(width))), Quantifier("any", 2, At(2, Local(1)), empty)),
            "column",
            at(10),
        )
        target: ir.Expr = Quantifier("first", 2, At(2, Local(1)), empty)
    else:
        key = Key("spot", 1, spaces, "space", at(10))
        target = Local(1)
    empty_key = no(Quantifier("any", 3, Contents(Local(1)), Const(1)))
    guards = () if drop else (Guard(1, empty_key, say("That space is taken."), "where", at(11)),)
    action = ActionOption("drop" if drop else "put", "Put a disc", (key,), guards, (), None, at(9))
    decision = ActionDecision("play", (action,), 0, 6, say(Shown(Local(0), "player"), " puts a disc"), at(8))
    won = Quantifier(
        "any", 1, SetConst(tuple(range(len(lines)))),
        Quantifier("all", 2, At(1, Local(1)),
                   Quantifier("any", 3, Contents(Local(2)), equal(At(0, Local(3)), Load(ACTOR)))),
    )  # fmt: skip
    full = no(Quantifier("any", 2, spaces, empty))
    main = Function(
        "main", 0, 6, ("player", "key", "space", "piece", "action", "-"),
        (
            Enter("phase", "play", None, (), (), at(7)),
            Loop((
                ForEach(0, SetConst((0, 1)), (
                    Store(ACTOR, None, Local(0), at(8)),
                    ChooseAction(0, Local(0), 4, at(8)),
                    CallTo(1, (Local(0), Local(1)), -1, at(8)),
                    If(equal(Load(UNWINDING), Const(3)), (Break(at(8)),), (), at(8)),
                ), at(8)),
                If(equal(Load(UNWINDING), Const(3)), (Break(at(8)),), (), at(8)),
            ), at(7)),
            Leave(at(7)),
            Return(None, at(7)),
        ), "", at(7),
    )  # fmt: skip
    put = Function(
        "put",
        2,
        4,
        ("player", "key", "space", "piece"),
        (
            Enter(
                "action",
                action.name,
                say(Shown(Local(0), "player"), " puts a disc"),
                (Shown(Local(0), "player"),),
                ("player",),
                at(12),
            ),
            Assign(2, target, at(13)),
            MovePieces(MakeSet((At(3, Local(0)),)), Local(2), False, -1, at(13)),
            Leave(at(12)),
            If(
                Binary("!=", CALL_WON, Const(0)),
                (EndGame(0, MakeSet((Load(ACTOR),)), at(20)),),
                (If(full, (EndGame(1, SetConst(()), at(22)),), (), at(22)),),
                at(20),
            ),
            Return(None, at(12)),
        ),
        "",
        at(12),
    )
    win = Function(
        "has_line", 0, 4, ("-", "line", "space", "piece"), (Return(won, at(20)),), "number", at(20)
    )
    return program(
        game=name,
        title=name,
        kinds=("disc",),
        word_lists=(("column", tuple("abcdefg"[:width])),),
        pieces=pieces,
        stand_ins=(StandIn(0, 0, 0), StandIn(0, 1, 1)),
        places=tuple(places),
        boards=(BoardInfo("rack", "square grid", 2, width, height, False, False, -1, everybody(2), ()),),
        first_piece_place=2 + cells,
        tables=tables,
        decisions=(decision,),
        ends=(EndInfo("line", "A line", at(20)), EndInfo("full", "The board is full", at(22))),
        functions=(main, put, win),
    )


CALL_WON = ir.Apply(2, ())


def tic_tac_toe() -> Program:
    return line_game(3, 3, 3, False, "three in a row")


def connect_four() -> Program:
    return line_game(7, 6, 4, True, "four in a row")


# ------------------------------------------------------------------ a dice game

DICE_TARGET = 20


def dice_game() -> Program:
    """Roll as often as you like; a 1 loses the pot and the turn. A 6 lets the other player choose, in
    the middle of the effect, how much it adds. First to 20 wins.

    Slots of main: 0 player, 1 action. Variables: 5 score of each player, 6 pot, 7 rolls so far.
    """
    score = Variable("score", 2, "number", 0, DICE_TARGET, False, "number", ("player",), (0, 0), "stop")
    pot = Variable("pot", 1, "number", 0, 99, False, "number", (), (0,), "stop")
    rolls = Variable("rolls", 1, "number", 0, 7, False, "number", (), (0,), "wrap")
    roll = ActionOption("roll", "Roll the die", (), (), (), None, at(10))
    stop = ActionOption(
        "stop",
        "Take the pot",
        (),
        (
            Guard(
                0, Binary("<", Const(0), Load(6)), say("There is nothing in the pot yet."), "require", at(11)
            ),
        ),
        (),
        None,
        at(11),
    )
    decision = ActionDecision(
        "turn",
        (roll, stop),
        0,
        2,
        say(Shown(Local(0), "player"), ": roll or stop, the pot is ", Shown(Load(6), "number")),
        at(9),
    )
    over = equal(Load(UNWINDING), Const(3))
    turn = Function(
        "turn", 1, 3, ("player", "action", "die"),
        (
            Store(6, None, Const(0), at(12)),
            Loop((
                ChooseAction(0, Local(0), 1, at(12)),
                If(equal(Local(1), Const(1)), (
                    Store(5, Local(0), Binary("+", Load(5, Local(0)), Load(6)), at(13)),
                    Break(at(13)),
                ), (), at(13)),
                CallTo(2, (Local(0),), 2, at(14)),
                If(equal(Local(2), Const(1)), (Break(at(14)),), (), at(14)),
            ), at(12)),
            Return(None, at(12)),
        ), "", at(12),
    )  # fmt: skip
    throw = Function(
        "throw",
        1,
        3,
        ("player", "die", "bonus"),
        (
            Enter(
                "event",
                "throw",
                say(Shown(Local(0), "player"), " rolls"),
                (Shown(Local(0), "player"),),
                ("player",),
                at(15),
            ),
            Chance(1, SetConst((1, 2, 3, 4, 5, 6)), Const(0), "number", at(15)),
            Store(7, None, Binary("+", Load(7), Const(1)), at(15)),
            Assign(2, Local(1), at(15)),
            If(
                equal(Local(1), Const(6)),
                (
                    ChooseOne(
                        Binary("-", Const(1), Local(0)),
                        2,
                        Key("bonus", 2, SetConst((2, 4, 6)), "number", at(16)),
                        Const(0),
                        say("How much is the six of ", Shown(Local(0), "player"), " worth?"),
                        at(16),
                    ),
                ),
                (),
                at(16),
            ),
            If(
                equal(Local(1), Const(1)),
                (),
                (Store(6, None, Binary("+", Load(6), Local(2)), at(17)),),
                at(17),
            ),
            Leave(at(15)),
            Return(Local(1), at(15)),
        ),
        "number",
        at(15),
    )
    main = Function(
        "main",
        0,
        1,
        ("player",),
        (
            Enter("phase", "play", None, (), (), at(7)),
            Loop(
                (
                    ForEach(
                        0,
                        SetConst((0, 1)),
                        (
                            Store(ACTOR, None, Local(0), at(8)),
                            CallTo(1, (Local(0),), -1, at(8)),
                            If(
                                Binary("<=", Const(DICE_TARGET), Load(5, Local(0))),
                                (EndGame(0, MakeSet((Local(0),)), at(8)),),
                                (),
                                at(8),
                            ),
                            If(over, (Break(at(8)),), (), at(8)),
                        ),
                        at(8),
                    ),
                    If(over, (Break(at(8)),), (), at(8)),
                ),
                at(7),
            ),
            Leave(at(7)),
        ),
        "",
        at(7),
    )
    points = Function("score", 1, 1, ("player",), (Return(Load(5, Local(0)), at(5)),), "number", at(5))
    return program(
        game="dice",
        title="Dice",
        variables=(*MACHINE, score, pot, rolls),
        streams=(Stream("die"),),
        decisions=(decision,),
        ends=(EndInfo("reached", "Twenty", at(8)),),
        functions=(main, turn, throw, points),
        score=3,
    )


# ------------------------------------------------------------------ a card game

DECK, HANDS, TABLE, PILE, FIRST_CARD = 1, 2, 4, 5, 6
CODES = ("sun", "moon", "star", "rain", "wind", "snow")
SCORE, BID, FACE, OMEN = 5, 6, 7, 8
CARDS = 12


def hand(player: ir.Expr) -> Binary:
    return Binary("+", player, Const(HANDS))


def card_game(turns: int = 6, planted: str = "") -> Program:
    """Two of each of six cards. A turn: play a card, steal a hidden one, or turn one on the table over; then
    choices in the middle of the effect: a gift, some cards to lay away face down, and bids together.

    Places: 0 box, 1 deck, 2 and 3 hands, 4 table (a row), 5 pile (face down), then the cards. `planted`
    "options" makes an action depend on the hidden top card.
    """
    nobody, all_ = SetConst(()), everybody(2)
    pieces = tuple(
        PieceInfo(f"{CODES[i // 2]}_{i % 2}", 0, -1, i // 2, DECK, CODES[i // 2].title(), CODES[i // 2])
        for i in range(CARDS)
    )
    places = (
        PlaceInfo("box", "box", "box", -1, "set", all_),
        PlaceInfo("deck", "zone", "deck", -1, "pile", nobody),
        PlaceInfo("hand of red", "zone", "hand", 0, "set", SetConst((0,))),
        PlaceInfo("hand of blue", "zone", "hand", 1, "set", SetConst((1,))),
        PlaceInfo("table", "zone", "table", -1, "row", all_),
        PlaceInfo("pile", "zone", "pile", -1, "pile", nobody),
    )
    variables = (
        *MACHINE,
        Variable("score", 2, "number", 0, 30, False, "number", ("player",), (0, 0), "stop"),
        Variable(
            "bid",
            2,
            "number",
            0,
            CARDS - 1,
            True,
            "card or none",
            ("player",),
            (-1, -1),
            seen_by=MakeSet((Local(0),)),
        ),
        Variable("face", CARDS, "number", 0, 1, False, "face", ("card",), (0,) * CARDS),
        Variable("omen", 1, "number", 0, 9, False, "number", (), (3,), seen_by=SetConst((0,))),
    )
    tables = (TableData("rank", 0, tuple(1 + i // 2 for i in range(CARDS))),)
    top = Contents(Const(DECK), top_only=True)
    not_planted: tuple[Guard, ...] = ()
    if planted == "options":
        high = Quantifier("any", 3, top, Binary("<", Const(3), At(0, Local(3))))
        not_planted = (Guard(1, high, say("The deck is against it."), "require", at(30)),)
    play = ActionOption(
        "play",
        "Play a card",
        (Key("card", 1, Contents(hand(Local(0))), "card", at(11)),),
        (
            *not_planted,
            Guard(
                1,
                Binary("<", At(0, Local(1)), Const(6)),
                say(Shown(Local(1), "card"), " cannot be played."),
                "where",
                at(12),
            ),
        ),
        (),
        None,
        at(10),
    )
    steal = ActionOption(
        "steal",
        "Steal a card",
        (Key("theirs", 1, Contents(hand(Binary("-", Const(1), Local(0)))), "card", at(14)),),
        (),
        (),
        MakeSet((Local(0),)),
        at(13),
    )
    turn_over = ActionOption(
        "turn",
        "Turn a card over",
        (
            Key("shown", 1, Contents(Const(TABLE)), "card", at(16)),
            Key("side", 2, SetConst((0, 1)), "face", at(16)),
        ),
        (
            Guard(
                2,
                Binary("!=", Load(FACE, Local(1)), Local(2)),
                say("It lies that way already."),
                "forbid",
                at(17),
            ),
        ),
        (),
        None,
        at(15),
    )
    decision = ActionDecision(
        "act",
        (play, steal, turn_over),
        0,
        4,
        say(Shown(Local(0), "player"), " acts, holding ", Shown(Contents(hand(Local(0))), "set of card")),
        at(9),
    )
    other = Binary("-", Const(1), Local(0))
    main = Function(
        "main",
        0,
        4,
        ("player", "card", "side", "action"),
        (
            Shuffle(Const(DECK), Const(0), at(5)),
            ForEach(0, all_, (repeat_of(3, (draw_to(Local(0), 6),)),), at(6)),
            Enter("phase", "play", None, (), (), at(7)),
            repeat_of(
                turns,
                (
                    ForEach(
                        0,
                        all_,
                        (
                            Store(ACTOR, None, Local(0), at(8)),
                            draw_to(Local(0), 8),
                            ChooseAction(0, Local(0), 3, at(9)),
                            If(
                                equal(Local(3), Const(0)),
                                (CallTo(1, (Local(0), Local(1)), -1, at(10)),),
                                (),
                                at(10),
                            ),
                            If(
                                equal(Local(3), Const(1)),
                                (
                                    Enter(
                                        "action",
                                        "steal",
                                        say(Shown(Local(0), "player"), " steals ", Shown(Local(1), "card")),
                                        (Shown(Local(1), "card"),),
                                        ("card",),
                                        at(13),
                                    ),
                                    MovePieces(MakeSet((Local(1),)), hand(Local(0)), False, -1, at(13)),
                                    Leave(at(13)),
                                ),
                                (),
                                at(13),
                            ),
                            If(
                                equal(Local(3), Const(2)),
                                (Store(FACE, Local(1), Local(2), at(15)),),
                                (),
                                at(15),
                            ),
                        ),
                        at(8),
                    ),
                ),
            ),
            EndGame(0, ir.BestOf("largest", 0, all_, Load(SCORE, Local(0))), at(29)),
            Leave(at(7)),
        ),
        "",
        at(4),
    )
    played = Function(
        "play",
        2,
        9,
        ("player", "card", "gift", "away", "bidder", "card", "bid", "gift", "away"),
        (
            Enter(
                "action",
                "play",
                say(Shown(Local(0), "player"), " plays ", Shown(Local(1), "card")),
                (Shown(Local(1), "card"),),
                ("card",),
                at(20),
            ),
            MovePieces(MakeSet((Local(1),)), Const(TABLE), False, -1, at(20)),
            Store(SCORE, Local(0), Binary("+", Load(SCORE, Local(0)), At(0, Local(1))), at(20)),
            ChooseOne(
                other,
                2,
                Key("gift", 7, SetConst((1, 2)), "number", at(21)),
                Const(1),
                say("A gift for ", Shown(Local(0), "player"), "?"),
                at(21),
            ),
            If(
                Binary("<", Const(0), Local(2)),
                (Store(SCORE, Local(0), Binary("+", Load(SCORE, Local(0)), Local(2)), at(21)),),
                (),
                at(21),
            ),
            ChooseSome(
                Local(0),
                3,
                Key("away", 8, Contents(hand(Local(0))), "card", at(22)),
                Const(0),
                Const(2),
                say("Lay away"),
                at(22),
            ),
            MovePieces(Local(3), Const(PILE), True, -1, at(22)),
            ChooseTogether(
                all_,
                4,
                Key("bid", 5, Contents(hand(Local(4))), "card", at(23)),
                None,
                None,
                BID,
                say("Bid a card"),
                at(23),
            ),
            ForEach(
                4,
                all_,
                (
                    If(
                        Binary("<=", Const(0), Load(BID, Local(4))),
                        (
                            MovePieces(MakeSet((Load(BID, Local(4)),)), Const(TABLE), False, -1, at(24)),
                            Store(BID, Local(4), Const(-1), at(24)),
                        ),
                        (),
                        at(24),
                    ),
                ),
                at(24),
            ),
            Leave(at(20)),
        ),
        "",
        at(20),
    )
    points = Function("score", 1, 1, ("player",), (Return(Load(SCORE, Local(0)), at(5)),), "number", at(5))
    return program(
        game="cards",
        title="Cards",
        kinds=("card",),
        word_lists=(("face", ("up", "down")),),
        pieces=pieces,
        places=places,
        first_piece_place=FIRST_CARD,
        variables=variables,
        tables=tables,
        streams=(Stream("deck"),),
        decisions=(decision,),
        ends=(EndInfo("spent", "All turns are played", at(29)),),
        functions=(main, played, points),
        score=2,
        piece_vars=(FACE,),
        piece_faces=FACE,
    )


def repeat_of(times: int, body: ir.Body) -> ir.Repeat:
    return ir.Repeat(Const(times), None, body, at(6))


def draw_to(player: ir.Expr, line: int) -> MovePieces:
    return MovePieces(Contents(Const(DECK), top_only=True), hand(player), False, -1, at(line))


# ------------------------------------------------------------- one-function games


def effect(*body: ir.Statement, slots: int = 8, **fields: Any) -> Program:
    """A program whose main function is `body`."""
    main = Function("main", 0, slots, tuple(f"slot {i}" for i in range(slots)), tuple(body), "", at(1))
    functions = (main, *fields.pop("functions", ()))
    return program(functions=functions, **fields)


def with_main(p: Program, *body: ir.Statement) -> Program:
    """The program with another main function."""
    return replace(p, functions=(replace(p.functions[0], body=tuple(body)), *p.functions[1:]))


ALL_PROGRAMS = (tic_tac_toe, connect_four, dice_game, card_game)
