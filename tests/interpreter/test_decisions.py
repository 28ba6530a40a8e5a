"""What is asked: options in their order, their ids, look-alikes, hidden pieces, many at once, together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.ir import (
    ActionDecision,
    ActionOption,
    Afterwards,
    Binary,
    BoardInfo,
    CanAct,
    ChooseAction,
    ChooseOne,
    ChooseSome,
    ChooseTogether,
    Const,
    Contents,
    Function,
    Guard,
    Key,
    Load,
    Local,
    MakeSet,
    MovePieces,
    PieceInfo,
    PlaceInfo,
    Return,
    SetConst,
    Shown,
    StandIn,
    Store,
    Variable,
)  # fmt: skip
from rulewright.interpreter.layout import column_name, space_name
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.verify import verify
from rulewright.tests.interpreter.playing import do, ids, state_of, value
from rulewright.tests.interpreter.programs import (
    MACHINE,
    at,
    card_game,
    connect_four,
    dice_game,
    effect,
    equal,
    everybody,
    say,
    tic_tac_toe,
)  # fmt: skip

BOX, OPEN, SECRET, ROW, FIRST = 0, 1, 2, 3, 4
KEPT = (
    *MACHINE,
    Variable("kept", 1, "set", 0, 99, False, "number", (), ((),)),
    Variable("answer", 2, "number", 0, 99, True, "number", ("player",), (-1, -1)),
    Variable("answers", 2, "set", 0, 99, False, "number", ("player",), ((), ())),
    Variable("side", 8, "number", 0, 1, False, "number", ("piece",), (0,) * 8),
)
KEPT_VAR, ANSWER, ANSWERS, SIDE = 5, 6, 7, 8


def stones(places: tuple[int, ...], designs: tuple[int, ...], codes: str, **more: Any) -> dict[str, Any]:
    """Pieces in a box, an open set, a place only blue sees (a pile) and an open row."""
    return {
        "kinds": ("stone", "coin"),
        "pieces": tuple(
            PieceInfo(f"piece_{i}", 0, -1, d, p, "", c)
            for i, (p, d, c) in enumerate(zip(places, designs, codes, strict=True))
        ),
        "places": (
            PlaceInfo("box", "box", "", -1, "set", everybody(2)),
            PlaceInfo("open", "zone", "open", -1, "set", everybody(2)),
            PlaceInfo("dark deck", "zone", "secret", 1, "pile", SetConst((1,))),
            PlaceInfo("row", "zone", "row", -1, "row", everybody(2)),
        ),
        "first_piece_place": FIRST,
        "variables": KEPT,
        "piece_vars": (SIDE,),
        **more,
    }


def ask_one(domain: ir.Expr, type_: str, or_none: int = 0, player: int = 0) -> ChooseOne:
    return ChooseOne(
        Const(player), 1, Key("it", 0, domain, type_, at(2)), Const(or_none), say("Which?"), at(2)
    )


def ask_some(domain: ir.Expr, type_: str, least: int, most: int) -> ChooseSome:
    return ChooseSome(
        Const(0), 1, Key("it", 0, domain, type_, at(2)), Const(least), Const(most), say("Which?"), at(2)
    )


def run(*body: ir.Statement, **fields: Any) -> Match:
    p = effect(*body, **{"variables": KEPT, **fields})
    assert verify(p) == []
    return start(p)


def place(*numbers: int) -> SetConst:
    return SetConst(numbers)


# ------------------------------------------------------------------- actions


def test_options_come_in_the_declared_order_with_readable_ids() -> None:
    match = start(tic_tac_toe())
    assert ids(match) == [f"put spot={c}{r}" for r in (1, 2, 3) for c in "abc"]
    decision = match.decision
    assert decision is not None
    assert (decision.kind, decision.player_name, decision.name, decision.count) == (
        "action",
        "red",
        "play",
        9,
    )
    assert decision.prompt == "red puts a disc"
    assert decision.options[4].where == (("spot", 6, -1),)
    assert decision.options[4].text == "Put a disc: spot b2"


def test_words_are_named_as_in_their_list() -> None:
    assert ids(start(connect_four())) == [f"drop lane={c}" for c in "abcdefg"]


def test_keys_make_a_product_and_conditions_cut_it() -> None:
    match = do(start(card_game(), 2), "play rain", "gift=none", "done", 0, 0)
    turns = [i for i in ids(match) if i.startswith("turn")]
    cards = {i.split()[1] for i in turns}
    assert turns == [
        f"turn {c} side=down" for c in sorted(cards, key=lambda c: [t.split()[1] for t in turns].index(c))
    ]


def action_game(
    *actions: ActionOption, slots: int = 6, functions: tuple[Function, ...] = (), **fields: Any
) -> Match:
    decision = ActionDecision("act", actions, 0, slots, say("Act"), at(1))
    body = (ir.Assign(0, Const(0), at(1)), ChooseAction(0, Local(0), 5, at(1)))
    return run(*body, decisions=(decision,), functions=functions, **fields)


def keyed(
    name: str, *keys: Key, guards: tuple[Guard, ...] = (), after: tuple[Afterwards, ...] = ()
) -> ActionOption:
    return ActionOption(name, name, keys, guards, after, None, at(2))


NUMBERS = SetConst((1, 2, 3))


def test_a_later_key_may_depend_on_an_earlier_one_and_conditions_are_read_as_soon_as_they_can_be() -> None:
    first = Key("a", 1, NUMBERS, "number", at(2))
    second = Key("b", 2, MakeSet(((Const(1), Local(1)),)), "number", at(2))
    third = Key("c", 3, SetConst((8, 9)), "number", at(2))
    guards = (
        Guard(1, Binary("!=", Local(1), Const(2)), say(), "where", at(2)),
        # Divides by 0 for a = 2: it is never read with that.
        Guard(
            2,
            Binary("<=", Binary("div_down", Local(2), Binary("-", Local(1), Const(2))), Local(2)),
            say(),
            "require",
            at(2),
        ),
        Guard(
            3,
            Binary("or", Binary("!=", Local(2), Const(3)), equal(Local(3), Const(9))),
            say(),
            "require",
            at(2),
        ),
    )
    match = action_game(keyed("go", first, second, third, guards=guards))
    assert ids(match) == [
        "go a=1 b=1 c=8",
        "go a=1 b=1 c=9",
        "go a=3 b=1 c=8",
        "go a=3 b=1 c=9",
        "go a=3 b=2 c=8",
        "go a=3 b=2 c=9",
        "go a=3 b=3 c=9",
    ]


def test_what_is_remembered_within_an_enumeration_is_what_would_be_computed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wide = SetConst(tuple(range(6)))
    keys = tuple(
        Key(n, i + 1, ir.Filter(4, wide, Binary("<=", Local(4), Const(4))), "number", at(2))
        for i, n in enumerate("abc")
    )
    total = Binary("+", Binary("*", Local(1), Local(1)), Binary("*", Local(2), Local(2)))
    guards = (
        Guard(
            2,
            Binary("<", Binary("mod", Binary("*", Local(2), Const(7)), Const(5)), Const(3)),
            say(),
            "require",
            at(2),
        ),
        Guard(3, Binary("<", Binary("mod", total, Const(4)), Const(2)), say(), "require", at(2)),
    )
    remembered = ids(action_game(keyed("go", *keys, guards=guards), slots=6))
    monkeypatch.setattr("rulewright.interpreter.actions._CHEAP", 10**6)
    assert ids(action_game(keyed("go", *keys, guards=guards), slots=6)) == remembered
    expected = [
        f"go a={a} b={b} c={c}"
        for a in range(5) for b in range(5) for c in range(5)
        if b * 7 % 5 < 3 and (a * a + b * b) % 4 < 2
    ]  # fmt: skip
    assert remembered == expected


def test_a_single_action_is_still_asked_and_recorded() -> None:
    match = action_game(keyed("only"))
    assert ids(match) == ["only"]
    do(match, "only")
    assert [c.id for c in match.choices] == ["only"]


def test_without_an_option_the_program_goes_on_at_once() -> None:
    never = keyed("never", guards=(Guard(0, Const(0), say(), "require", at(2)),))
    match = action_game(never)
    assert match.over
    assert match.state.frames == []


def test_whether_somebody_can_act_is_found_out_without_listing() -> None:
    p = dice_game()
    s = state_of(p)
    assert value(CanAct(0, Const(0)), p, state=s) == 1
    assert value(CanAct(0, Const(-1)), p, state=s) == 0
    never = Guard(0, Const(0), say(), "require", at(2))
    closed = replace(
        p,
        decisions=(
            replace(
                p.decisions[0], actions=tuple(replace(a, guards=(never,)) for a in p.decisions[0].actions)
            ),
        ),
    )
    assert value(CanAct(0, Const(0)), closed) == 0


def test_a_condition_on_the_position_afterwards_is_looked_at_on_a_copy() -> None:
    would = Function(
        "would",
        1,
        1,
        ("n",),
        (
            Store(ANSWER, Const(0), Binary("*", Local(0), Const(2)), at(4)),
            Return(Binary("<", Load(ANSWER, Const(0)), Const(5)), at(4)),
        ),
        "number",
        at(4),
    )
    action = keyed(
        "go", Key("n", 1, NUMBERS, "number", at(2)), after=(Afterwards(1, say("That is too much."), at(3)),)
    )
    match = action_game(action, functions=(would,))
    assert ids(match) == ["go n=1", "go n=2"]
    assert match.state.vars[match.state.code.layout.offsets[ANSWER]] == -1
    refused = match.choose("go n=3")
    assert refused is not None
    assert (refused.reason, refused.form, refused.span.line) == ("That is too much.", "require", 3)


# --------------------------------------------------------- pieces: look-alikes


def test_pieces_that_look_alike_are_one_option_and_the_first_of_them_is_taken() -> None:
    match = run(ask_one(Contents(Const(OPEN)), "piece"), **stones((OPEN,) * 4, (0, 1, 0, 1), "abab"))
    assert ids(match) == ["it=a", "it=b"]
    do(match, "it=b")
    assert match.choices[0].index == 1


def test_another_design_state_or_load_makes_a_piece_unlike_and_then_it_has_a_number() -> None:
    two_designs = stones((OPEN,) * 3, (0, 1, 0), "aaa")
    assert ids(run(ask_one(Contents(Const(OPEN)), "piece"), **two_designs)) == ["it=a#1", "it=a#2"]
    turned = Store(SIDE, Const(2), Const(1), at(1))
    assert ids(
        run(turned, ask_one(Contents(Const(OPEN)), "piece"), **stones((OPEN,) * 3, (0, 0, 0), "aaa"))
    ) == ["it=a#1", "it=a#2"]
    load = MovePieces(SetConst((3,)), Const(FIRST + 1), False, -1, at(1))
    loaded = run(
        load, ask_one(Contents(Const(OPEN)), "piece"), **stones((OPEN,) * 3 + (BOX,), (0, 0, 0, 1), "aaab")
    )
    assert ids(loaded) == ["it=a#1", "it=a#2"]


def test_where_positions_count_equal_pieces_are_unlike() -> None:
    match = run(ask_one(Contents(Const(ROW)), "piece"), **stones((ROW,) * 3, (0, 0, 0), "aaa"))
    assert ids(match) == ["it=a#1", "it=a#2", "it=a#3"]


def test_what_the_chooser_cannot_see_goes_by_its_place_from_the_top() -> None:
    hidden = stones((SECRET,) * 3, (0, 0, 1), "aab")
    assert ids(run(ask_one(Contents(Const(SECRET)), "piece"), **hidden)) == [
        "it=dark_deck.3",
        "it=dark_deck.2",
        "it=dark_deck.1",
    ]
    seen_by_blue = run(ask_one(Contents(Const(SECRET)), "piece", player=1), **hidden)
    assert ids(seen_by_blue) == ["it=a#1", "it=a#2", "it=b"]


def test_an_option_tells_where_its_piece_lies_but_never_which_one_it_is() -> None:
    match = run(ask_one(Contents(Const(SECRET)), "piece"), **stones((SECRET,) * 3, (0, 0, 1), "aab"))
    assert match.decision is not None
    assert [o.where for o in match.decision.options] == [(("it", SECRET, i),) for i in range(3)]
    load = MovePieces(SetConst((1,)), Const(FIRST + 0), False, -1, at(1))
    loaded = run(load, ask_one(SetConst((FIRST + 0, OPEN)), "place"), **stones((OPEN,) * 2, (0, 1), "ab"))
    assert loaded.decision is not None
    assert [o.where for o in loaded.decision.options] == [(("it", OPEN, 0),), (("it", OPEN, -1),)]


def test_a_piece_that_was_shown_goes_by_its_code_even_where_it_is_hidden() -> None:
    shown = ir.Show(SetConst((2,)), SetConst((0,)), at(1))
    match = run(shown, ask_one(Contents(Const(SECRET)), "piece"), **stones((SECRET,) * 3, (0, 0, 1), "aab"))
    assert ids(match) == ["it=dark_deck.3", "it=dark_deck.2", "it=b"]


def test_a_stand_in_is_one_option_named_like_what_it_stands_for() -> None:
    fields = stones((BOX, BOX), (0, 0), "cc", stand_ins=(StandIn(0, -1, BOX), StandIn(1, -1, BOX)))
    assert ids(run(ask_one(SetConst((2, 3)), "piece"), **fields)) == ["it=c", "it=coin"]


# ----------------------------------------------------------- choices in effects


def test_a_choice_in_an_effect_goes_by_its_name() -> None:
    match = run(ask_one(SetConst((0, 1)), "yes or no", or_none=1))
    assert ids(match) == ["it=no", "it=yes", "it=none"]
    assert match.decision is not None and match.decision.kind == "one"


def test_a_single_option_is_taken_by_itself_but_not_one_that_may_be_declined() -> None:
    keep = Store(KEPT_VAR, None, MakeSet((Local(1),)), at(3))
    match = run(ask_one(SetConst((7,)), "number"), keep)
    assert match.over and match.choices == ()
    assert match.state.vars[match.state.code.layout.offsets[KEPT_VAR]] == (7,)
    assert ids(run(ask_one(SetConst((7,)), "number", or_none=1), keep)) == ["it=7", "it=none"]


def test_nothing_to_choose_from_is_none() -> None:
    keep = Store(ANSWER, Const(0), Local(1), at(3))
    for or_none in (0, 1):
        match = run(ask_one(place(), "number", or_none), keep)
        assert match.over
        assert match.state.vars[match.state.code.layout.offsets[ANSWER]] == -1


def outcomes(match: Match) -> list[tuple[int, ...]]:
    """What every way through the choices of a match leaves in `kept`."""
    if match.decision is None:
        kept = match.state.vars[match.state.code.layout.offsets[KEPT_VAR]]
        return [kept]
    out: list[tuple[int, ...]] = []
    for i in range(match.decision.count):
        out += outcomes(do(match.copy(), i))
    return out


@pytest.mark.parametrize(
    ("n", "least", "most"), [(4, 0, 4), (4, 2, 2), (5, 1, 3), (3, 3, 3), (3, 0, 1), (4, 3, 9)]
)
def test_every_set_can_be_picked_in_just_one_way(n: int, least: int, most: int) -> None:
    match = run(
        ask_some(SetConst(tuple(range(10, 10 + n))), "number", least, most),
        Store(KEPT_VAR, None, Local(1), at(3)),
    )
    expected = [c for k in range(least, min(n, most) + 1) for c in combinations(range(10, 10 + n), k)]
    assert sorted(outcomes(match)) == sorted(expected)


def test_look_alikes_are_picked_side_by_side_so_that_no_two_picks_look_the_same() -> None:
    fields = stones((OPEN,) * 5, (0, 1, 0, 1, 0), "ababa")
    match = run(
        ask_some(Contents(Const(OPEN)), "piece", 2, 3), Store(KEPT_VAR, None, Local(1), at(3)), **fields
    )
    assert ids(match) == ["it=a", "it=b"]
    looks = ["".join(sorted("ababa"[p] for p in o)) for o in outcomes(match)]
    assert sorted(looks) == ["aa", "aaa", "aab", "ab", "abb", "bb"]


def test_picks_go_on_until_done_and_each_is_recorded() -> None:
    match = run(ask_some(SetConst((4, 5, 6)), "number", 1, 3), Store(KEPT_VAR, None, Local(1), at(3)))
    assert ids(match) == ["it=4", "it=5", "it=6"]
    do(match, "it=4")
    assert ids(match) == ["it=5", "it=6", "done"]
    do(match, "done")
    assert [c.id for c in match.choices] == ["it=4", "done"]
    assert outcomes(match) == [(4,)]


def test_too_few_to_choose_from_is_the_empty_set() -> None:
    match = run(ask_some(SetConst((4, 5)), "number", 3, 3), Store(KEPT_VAR, None, Local(1), at(3)))
    assert match.over and outcomes(match) == [()]


def test_all_of_them_need_no_choice() -> None:
    match = run(ask_some(SetConst((4, 5)), "number", 2, 2), Store(KEPT_VAR, None, Local(1), at(3)))
    assert match.over and outcomes(match) == [(4, 5)] and match.choices == ()


def test_a_plural_choice_in_a_loop_begins_afresh_each_time() -> None:
    loop = ir.Repeat(
        Const(2),
        None,
        (ask_some(SetConst((4, 5)), "number", 0, 2), Store(KEPT_VAR, None, Local(1), at(3))),
        at(2),
    )
    match = do(run(loop), "it=4", "it=5")
    assert ids(match) == ["it=4", "it=5", "done"]


# -------------------------------------------------------------------- together


def together(
    least: int | None = None, most: int | None = None, players: tuple[int, ...] = (0, 1)
) -> ChooseTogether:
    domain = MakeSet(((Const(1), Binary("+", Local(0), Const(2))),))
    return ChooseTogether(
        SetConst(players), 0, Key("vote", 1, domain, "number", at(2)),
        None if least is None else Const(least), None if most is None else Const(most),
        ANSWER if least is None else ANSWERS, say("Vote, ", Shown(Local(0), "player")), at(2),
    )  # fmt: skip


def answers(match: Match, variable: int = ANSWER) -> list[Any]:
    offset = match.state.code.layout.offsets[variable]
    return match.state.vars[offset : offset + 2]


def test_all_are_asked_in_the_order_of_the_set() -> None:
    match = run(together(players=(1, 0)))
    decision = match.decision
    assert decision is not None
    assert (decision.player_name, decision.together, decision.joint) == ("blue", ("blue", "red"), "")
    do(match, "vote=3", "vote=1")
    assert answers(match) == [1, 3]


def test_what_is_chosen_as_one_says_so_to_whoever_chooses_and_to_onlookers() -> None:
    match = run(replace(together(), joint="majority"))
    assert match.decision is not None and match.decision.joint == "majority"
    assert match.view(0)["decision"]["joint"] == "majority"
    assert match.view(None)["decision"] == {"players": ["red", "blue"], "joint": "majority"}


def test_nothing_shows_before_the_last_has_chosen() -> None:
    match = run(together())
    decision = match.decision
    assert decision is not None
    assert (decision.kind, decision.player_name, decision.together) == ("together", "red", ("red", "blue"))
    assert (ids(match), decision.prompt) == (["vote=1", "vote=2"], "Vote, red")
    before = (match.view(1)["state"], match.view(None)["decision"])
    do(match, "vote=2")
    assert answers(match) == [-1, -1]
    assert ids(match) == ["vote=1", "vote=2", "vote=3"]
    assert (match.view(0)["state"], match.view(None)["decision"]) == before
    do(match, "vote=3")
    assert answers(match) == [2, 3]


def test_some_can_be_chosen_together() -> None:
    match = run(together(0, 2))
    do(match, "vote=1", "done")
    assert answers(match, ANSWERS) == [(), ()]
    do(match, "vote=2", "vote=3")
    assert answers(match, ANSWERS) == [(1,), (2, 3)]


def test_who_has_nothing_to_choose_from_has_chosen_none() -> None:
    empty_for_blue = replace(
        together(),
        key=Key("vote", 1, MakeSet(((Const(1), Binary("-", Const(2), Local(0))),)), "number", at(2)),
    )
    match = run(empty_for_blue)
    do(match, "vote=2")
    assert answers(match) == [2, 1]  # blue could only take 1
    nothing = replace(together(), key=Key("vote", 1, place(), "number", at(2)))
    assert answers(run(nothing)) == [-1, -1]


# ------------------------------------------------------------------- boards


@pytest.mark.parametrize(
    ("row", "column", "name"),
    [
        (0, 0, "a1"),
        (1, 2, "c2"),
        (0, 25, "z1"),
        (0, 26, "aa1"),
        (0, 27, "ab1"),
        (9, -1, "-a10"),
        (0, -2, "-b1"),
        (-1, 0, "a0"),
        (-2, 1, "b-1"),
    ],
)
def test_spaces_are_named_by_column_and_row(row: int, column: int, name: str) -> None:
    assert space_name(row, column) == name


def test_columns_have_different_names() -> None:
    assert len({column_name(c) for c in range(-800, 800)}) == 1600


def test_spaces_of_an_unbounded_board_count_from_its_middle() -> None:
    board = BoardInfo("land", "square grid", FIRST, 7, 5, True, True, -1, everybody(2), ())
    middle = FIRST + 2 * 7 + 3
    fields = stones((middle,), (0,), "a", boards=(board,), first_piece_place=FIRST + 35)
    match = run(ask_one(ir.Occupied(0, True), "space"), **fields)
    assert ids(match) == [f"it={c}{r}" for r in (0, 1, 2) for c in ("-a", "a", "b")]
    rows = match.view(None)["boards"]["land"]
    assert (rows["row_names"], rows["column_names"]) == (["1"], ["a"])
    assert rows["rows"][0][0]["top"]["code"] == "a"


# -------------------------------------------------------------------- finding


def test_an_option_is_found_by_id_by_number_and_without_key_names() -> None:
    for choice in ("put spot=b2", "put b2", "  put   b2 ", 4):
        match = do(start(tic_tac_toe()), choice)
        assert match.choices[0].id == "put spot=b2"
    decision = start(tic_tac_toe()).decision
    assert decision is not None
    match = start(tic_tac_toe())
    assert match.choose(decision.options[4]) is None
    assert do(start(tic_tac_toe()), 4).choices == match.choices


def test_the_value_alone_is_enough_for_a_choice_in_an_effect() -> None:
    assert do(run(ask_one(SetConst((3, 4)), "number")), "4").choices[0].id == "it=4"


def test_a_decision_that_has_been_made_does_not_answer_for_the_next_one() -> None:
    match = start(tic_tac_toe())
    decision = match.decision
    assert decision is not None
    do(match, 0)
    with pytest.raises(ValueError, match="made already"):
        _ = decision.options


def test_the_ids_alone_are_those_of_the_options() -> None:
    for make in (tic_tac_toe, card_game, dice_game, connect_four):
        for number in (0, -1):
            match = start(make())
            while (decision := match.decision) is not None and len(match.choices) < 30:
                alone = decision.ids
                assert alone == tuple(option.id for option in decision.options)
                assert all(decision.find(name) == i for i, name in enumerate(alone))
                do(match, number % decision.count)
