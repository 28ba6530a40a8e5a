"""The picture of a table: it is XML, it shows what is there, and nothing that the viewer may not know."""

from __future__ import annotations

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match, start
from rulewright.tests.interpreter.playing import other_truth, play
from rulewright.tests.interpreter.programs import card_game
from rulewright.tests.viz.table_views import board, card, cell, die, token, view, zone
from rulewright.viz.table_seats import NEUTRAL, seats_of
from rulewright.viz.table_svg import Look, changed_spaces, table_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(shown: dict[str, Any], look: Look | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(table_svg(shown, look or Look()))


def texts(root: ElementTree.Element) -> list[str]:
    return [t.text or "" for t in root.iter(f"{SVG}text")]


def space(root: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = [g for g in root.iter(f"{SVG}g") if g.get("class") == f"space {name}"]
    return found


def marks(root: ElementTree.Element) -> list[str]:
    return [
        c.removeprefix("mark ") for g in root.iter(f"{SVG}g") if (c := g.get("class", "")).startswith("mark ")
    ]


def started(name: str, choices: int, seed: int = 3) -> Match:
    game = load(name)
    assert isinstance(game, PlayableGame)
    match, luck = game.start(seed=seed), random.Random(seed)
    assert isinstance(match, Match)
    for _ in range(choices):
        if match.decision is not None:
            match.choose(luck.randrange(match.decision.count))
    return match


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize(
    "name",
    ["vye", "vyr", "tic_tac_toe", "connect_four", "hex", "kuhn_poker", "pig", "goofspiel", "crazy_eights"],
)
def test_every_game_gives_well_formed_pictures_inside_their_frame(name: str, viewer: int | None) -> None:
    for choices in (0, 9):
        shown = started(name, choices).view(viewer)
        root = drawn(shown)
        assert root.tag == f"{SVG}svg" and shown["title"] in texts(root)
        assert all(player in texts(root) for player in shown["players"])
        width = float(root.get("width", "0"))
        for group in root.findall(f"{SVG}g"):
            left = float(re.findall(r"[-\d.]+", group.get("transform", ""))[0])
            rights = [float(r.get("x", 0)) + float(r.get("width", 0)) for r in group.findall(f"{SVG}rect")]
            assert all(left + right <= width for right in rights)


# ------------------------------------------------------------------ secrecy


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 5000), st.integers(0, 40), st.sampled_from((None, 0, 1)), st.randoms(use_true_random=False)
)
def test_positions_that_differ_in_what_is_hidden_give_the_same_picture(
    seed: int, choices: int, viewer: int | None, luck: random.Random
) -> None:
    match = play(card_game(), seed, choices)
    other = other_truth(match, viewer, luck)
    if other is not None:
        assert table_svg(other.view(viewer)) == table_svg(match.view(viewer))


@pytest.mark.parametrize("name", ["kuhn_poker", "vyr", "vye"])
def test_hidden_hands_of_real_games_make_no_difference(name: str) -> None:
    differed = False
    for seed in range(6):
        match = started(name, 1 if name == "kuhn_poker" else 6, seed)
        other = other_truth(match, 0, random.Random(seed))
        if other is not None:
            assert table_svg(other.view(0)) == table_svg(match.view(0))
            differed = differed or table_svg(other.view(1)) != table_svg(match.view(1))
    assert differed  # else the test would show nothing


def test_hidden_pieces_are_counted_backs() -> None:
    root = drawn(view(zones={"hand": zone([None, None, None, card("K", "King")])}))
    assert "×3" in texts(root) and "King" in texts(root) and "4" in texts(root)


def test_what_a_viewer_sees_changed_stands_out() -> None:
    before = view(boards={"land": board([[cell(token("red")), None, cell(token("ann"))]])})
    now = view(boards={"land": board([[None, cell(token("red")), cell(token("ann"))]])})
    changed = changed_spaces(before, now)
    assert changed == {("land", "a1"), ("land", "b1")}
    plain, marked = table_svg(now), table_svg(now, Look(changed=changed))
    assert plain.count("#ffb000") == 0 and marked.count("#ffb000") == 2


# ------------------------------------------------------------------- owners


def test_owners_show_by_mark_and_by_colour() -> None:
    shown = view(boards={"land": board([[cell(token("red")), cell(token("ann")), cell(token("blue"))]])})
    root, seats = drawn(shown), seats_of(shown["players"])
    for name, player in (("a1", "red"), ("b1", "ann"), ("c1", "blue")):
        (mark,) = marks(space(root, name))
        assert mark == seats[player].shape
        assert seats[player].colour in ElementTree.tostring(space(root, name), encoding="unicode")
    assert sorted(marks(root)) == sorted([s.shape for s in seats.values()] * 2)  # there, and in the legend


def test_what_nobody_owns_is_grey_and_without_a_mark() -> None:
    root = drawn(view(boards={"land": board([[cell(token(None, "ghost"))]])}))
    text = ElementTree.tostring(space(root, "a1"), encoding="unicode")
    assert marks(space(root, "a1")) == [] and NEUTRAL in text
    assert "nobody's: Ghost" in texts(root)


def test_an_owned_card_has_the_colour_and_the_mark_of_its_owner() -> None:
    root = drawn(view(boards={"land": board([[cell(card("K", "King", "blue"))]])}))
    seat = seats_of(["red", "ann", "blue"])["blue"]
    assert marks(space(root, "a1")) == [seat.shape]
    assert f'stroke="{seat.colour}"' in ElementTree.tostring(space(root, "a1"), encoding="unicode")


def test_tokens_of_several_kinds_with_one_mark_are_told_apart_by_letters() -> None:
    both = [cell(token("red", "war_horse")), cell(token("red", "foot"))]
    root = drawn(view(boards={"land": board([both])}))
    assert "WH" in texts(space(root, "a1")) and "F" in texts(space(root, "b1"))
    assert "F = Foot · WH = War horse" in texts(root)
    alone = drawn(view(boards={"land": board([[cell(token("red", "war_horse"))]])}))
    assert texts(space(alone, "a1")) == []


# ------------------------------------------------------------------- pieces


def test_a_card_shows_title_code_icon_state_and_counted_tokens() -> None:
    lying = [token("red")] * 3 + [token("blue")]
    top = card("Fm", "Frost Moor", icon="⛰", on=lying, **{"locked of piece": True, "level of piece": 4})
    root = space(drawn(view(boards={"land": board([[cell(top)]])})), "a1")
    assert {"Fm", "Frost Moor", "⛰", "locked, level 4", "3"} <= set(texts(root))
    assert marks(root) == [seats_of(["red", "ann", "blue"])[p].shape for p in ("red", "blue")]


def test_a_long_title_is_wrapped_and_cut_but_told_in_full_beside_the_pointer() -> None:
    title = "The Unending Library of Forgotten Candle Makers in the North"
    root = space(drawn(view(boards={"land": board([[cell(card("L", title))]])})), "a1")
    lines = [t for t in texts(root) if t != "L"]
    assert 2 <= len(lines) <= 3 and lines[0].startswith("The") and lines[-1].endswith("…")
    assert (root.findtext(f"{SVG}title") or "") == f"a1: {title}"


def test_state_that_the_title_says_already_is_not_said_again() -> None:
    root = space(
        drawn(
            view(boards={"b": board([[cell(card("F", "Frost Moor", **{"land of piece": "frost_moor"}))]])})
        ),
        "a1",
    )
    assert sorted(texts(root)) == ["F", "Frost Moor"]


@pytest.mark.parametrize(
    ("under", "said"),
    [
        ([card("Q", "Queen")], "over Queen"),
        ([card("Q", "Queen"), card("J", "Jack")], "over J, Q"),
        ([None], "over 1 hidden"),
        ([None, card("Q", "Queen"), card("Q", "Queen")], "over Q×2, 1 hidden"),
    ],
)
def test_covered_cards_peek_out_and_are_said(under: list[Any], said: str) -> None:
    root = space(drawn(view(boards={"b": board([[cell(card("K", "King"), *under)]])})), "a1")
    alone = space(drawn(view(boards={"b": board([[cell(card("K", "King"))]])})), "a1")
    (shown,) = [t for t in texts(root) if t.startswith("over")]
    assert said.startswith(shown.removesuffix("…")) and len(shown) > 8
    assert f"King {said}" in (root.findtext(f"{SVG}title") or "")
    edges = len(list(root.iter(f"{SVG}rect"))) - len(list(alone.iter(f"{SVG}rect")))
    assert edges == 2 * len(under) + 1  # two lines for each card, and the ground of the words


def test_pieces_side_by_side_are_all_shown_and_many_are_counted() -> None:
    few = cell(token("red"), token("blue"), token(None))
    many = cell(token("red"), *[token("red")] * 4, token("ann"))
    root = drawn(view(boards={"b": board([[few, many]], covers=False)}))
    seats = seats_of(["red", "ann", "blue"])
    assert sorted(marks(space(root, "a1"))) == sorted([seats["red"].shape, seats["blue"].shape])
    assert sorted(marks(space(root, "b1"))) == sorted([seats["red"].shape, seats["ann"].shape])
    assert "5" in texts(space(root, "b1"))
    assert not any(t.startswith("over") for t in texts(root))


def test_dice_show_pips_or_words() -> None:
    root = drawn(view(zones={"dice": zone([die(5), die("kraken")], "row")}))
    pips = [c for c in root.iter(f"{SVG}circle") if c.get("fill") == "#1a1a1a"]
    assert len(pips) == 5 and "kraken" in texts(root)


# ---------------------------------------------------------- boards and zones


def test_empty_spaces_have_their_names_and_an_unbounded_board_has_a_rim() -> None:
    one = board([[cell(card("K", "King"))]], unbounded=True)
    root = drawn(view(boards={"land": one}))
    names = {"-a0", "a0", "b0", "-a1", "b1", "-a2", "a2", "b2"}
    assert names <= set(texts(root)) and "King" in texts(space(root, "a1"))


def test_rows_of_hexagons_begin_further_to_the_right() -> None:
    root = drawn(view(boards={"h": board([[None], [None], [None]], shape="hex grid")}))
    firsts = [float(t.get("x", 0)) for n in ("a1", "a2", "a3") for t in space(root, n).iter(f"{SVG}text")]
    assert firsts[0] < firsts[1] < firsts[2]
    assert list(space(root, "a1").iter(f"{SVG}polygon"))


def test_hexagons_interlock() -> None:
    root = drawn(view(boards={"h": board([[None, None], [None, None]], shape="hex rhombus")}))
    spots = {}
    for name in ("a1", "b1", "a2", "b2"):
        (text,) = space(root, name).iter(f"{SVG}text")
        spots[name] = complex(float(text.get("x", 0)), float(text.get("y", 0)))
    side = abs(spots["b1"] - spots["a1"])
    touching = [("a1", "a2"), ("b1", "a2"), ("b1", "b2"), ("a2", "b2")]
    assert all(abs(abs(spots[p] - spots[q]) - side) < 0.5 for p, q in touching)
    assert abs(spots["b2"] - spots["a1"]) > 1.5 * side


def test_spaces_without_rows_are_drawn_with_their_names() -> None:
    spaces = {"north_gate": cell(card("K", "King")), "south": None}
    loose = {"shape": "ring of 2", "owner": None, "unbounded": False, "covers": False, "spaces": spaces}
    assert {"north gate", "south", "King"} <= set(texts(drawn(view(boards={"way": loose}))))


def test_a_pile_begins_with_its_top_and_a_row_keeps_its_order() -> None:
    cards = [card("A", "Ace"), card("B", "Bee")]
    pile = texts(drawn(view(zones={"z": zone(cards, "pile")})))
    row = texts(drawn(view(zones={"z": zone(cards, "row")})))
    assert pile.index("Bee") < pile.index("Ace") and "top" in pile
    assert row.index("Ace") < row.index("Bee") and "top" not in row


def test_a_zone_with_many_pieces_is_a_list_of_codes() -> None:
    root = drawn(view(zones={"box": zone([card(f"c{i}", f"Card {i}") for i in range(30)], kind="box")}))
    assert {f"c{i}" for i in range(30)} <= set(texts(root)) and "Card 3" not in texts(root)


# ------------------------------------------------------------------- values


def test_values_of_players_stand_with_them_and_tracks_are_bars() -> None:
    state = {"gold": {"red": 3, "ann": 10}, "storm": 2, "leader": None}
    shown = view(state=state, ranges={"gold": [0, 10], "storm": [0, 4]}, viewer="ann")
    root = drawn(shown)
    assert {"gold", "3", "10", "–", "storm:", "leader:", "none"} <= set(texts(root))
    full = [float(r.get("width", 0)) for r in root.iter(f"{SVG}rect") if r.get("fill") == "#4d4d4d"]
    assert full == [18.0, 60.0, 30.0]  # of 60: three tenths, all, half


def test_whose_turn_it_is_the_phase_the_question_and_the_result_are_said() -> None:
    asked = {"player": "ann", "kind": "action", "name": "n", "prompt": "Which way?", "options": []}
    root = drawn(view(phase=["game", "game.last_round"], actor="ann", viewer="ann", decision=asked))
    assert {"last round · turn of ann", "ann: Which way?", "you, to choose", "as ann sees it"} <= set(
        texts(root)
    )
    result = {"end": "e", "title": "All_lost", "winners": ["red", "blue"], "scores": {"red": 2, "blue": 2}}
    over = texts(drawn(view(result=result)))
    assert "The game is over: All lost. Winner: red and blue." in over and "Scores: red 2, blue 2" in over
    assert over.count("has won") == 2


# ----------------------------------------------------------------- escaping


@settings(deadline=None, max_examples=60)
@given(st.text(min_size=1, max_size=12))
def test_no_text_of_a_game_can_leave_its_place(wild: str) -> None:
    piece = card(wild, wild, icon=wild, on=[token(None, wild)], **{f"{wild} of piece": wild})
    shown = view(
        title=wild, phase=[wild], boards={wild: board([[cell(piece, card(wild, wild))]])},
        zones={wild: zone([piece, die(wild)])}, state={wild: wild, "of": {wild: 1}},
    )  # fmt: skip
    root = drawn(shown, Look(caption=wild))
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg", "title", "g", "rect", "circle", "polygon", "path", "text"
    }  # fmt: skip


def test_markup_in_names_is_text() -> None:
    root = drawn(view(title='<script>alert("1")</script> & more', players=["<b>", "&amp;", '"q"']))
    assert '<script>alert("1")</script> & more' in texts(root) and "<b>" in texts(root)


def test_the_same_view_gives_the_same_text() -> None:
    shown = start(card_game(), 3).view(0)
    assert table_svg(shown) == table_svg(shown)
