"""A view holds what the player may know, all of it, and nothing that depends on the rest."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter import naming
from rulewright.interpreter import view as view_module
from rulewright.interpreter.match import Match, start
from rulewright.tests.interpreter.playing import do, leak, other_truth, play, shown_to
from rulewright.tests.interpreter.programs import (
    FIRST_CARD,
    HANDS,
    TABLE,
    card_game,
    connect_four,
    dice_game,
    tic_tac_toe,
)  # fmt: skip

VIEWERS = (None, 0, 1)


def after_rain() -> Match:
    return do(start(card_game(), 2), "play rain", "gift=2", "away=snow", "done", "bid=sun")


def test_a_board_is_shown_row_by_row_with_the_top_pieces() -> None:
    view = do(start(tic_tac_toe()), "put b1", "put a3").view(None)
    rack = view["boards"]["rack"]
    assert rack["row_names"] == ["1", "2", "3"] and rack["column_names"] == ["a", "b", "c"]
    tops = [[cell and cell["top"]["owner"] for cell in row] for row in rack["rows"]]
    assert tops == [[None, "red", None], [None, None, None], ["blue", None, None]]
    assert rack["rows"][0][1] == {
        "top": {"code": "x", "title": "disc", "kind": "disc", "owner": "red"},
        "count": 1,
    }
    assert view["zones"]["supply of red"]["count"] == 4


def test_phase_actor_and_players_are_told() -> None:
    view = do(start(tic_tac_toe()), "put b1").view(1)
    assert (view["phase"], view["actor"], view["viewer"], view["players"]) == (
        ["play"],
        "blue",
        "blue",
        ["red", "blue"],
    )


def test_only_the_chooser_sees_the_options() -> None:
    match = after_rain()
    decision = match.decision
    assert decision is not None and decision.player_name == "blue"
    mine = match.view(1)["decision"]
    assert [o["id"] for o in mine["options"]] == [o.id for o in decision.options]
    assert mine["prompt"] == decision.prompt == "Bid a card"
    assert match.view(0)["decision"] == match.view(None)["decision"] == {"players": ["red", "blue"]}
    assert start(dice_game()).view(1)["decision"] == {"players": ["red"]}


def test_own_cards_are_listed_and_those_of_others_counted() -> None:
    match = after_rain()
    mine, theirs = match.view(0)["zones"]["hand of red"], match.view(1)["zones"]["hand of red"]
    assert [p["code"] for p in mine["pieces"]] == ["moon", "sun"]
    assert theirs["count"] == 2 and theirs["pieces"] == [None, None]


def test_a_pile_shows_what_one_knows_of_it_in_its_place() -> None:
    match = after_rain()
    assert [p and p["code"] for p in match.view(0)["zones"]["pile"]["pieces"]] == ["snow"]
    assert match.view(1)["zones"]["pile"]["pieces"] == [None]


def test_a_value_is_seen_by_those_it_is_for() -> None:
    match = after_rain()
    assert match.view(0)["state"]["omen"] == 3
    assert "omen" not in match.view(1)["state"] and "omen" not in match.view(None)["state"]
    assert match.view(1)["state"]["score"] == {"red": 6, "blue": 0}


def test_a_bid_is_seen_by_its_player_only() -> None:
    match = after_rain()
    match.state.vars[match.state.code.layout.offsets[6]] = match.state.contents[HANDS][0]
    assert match.view(0)["state"]["bid"]["red"] in ("moon", "sun")
    assert "red" not in match.view(1)["state"]["bid"]


def test_state_of_pieces_is_told_with_the_piece() -> None:
    match = do(after_rain(), 0)
    turned = (
        do(match, next(o.id for o in match.decision.options if o.action == "turn"))
        if match.decision
        else match
    )
    faces = [p["face"] for p in turned.view(None)["zones"]["table"]["pieces"]]
    assert sorted(faces) == ["down", "up", "up"]


def test_what_lies_on_a_piece_is_told_with_it() -> None:
    match = start(card_game(), 2)
    s = match.state
    one, two = s.contents[HANDS][0], s.contents[HANDS][1]
    for piece, place in ((one, TABLE), (two, FIRST_CARD + one)):
        s.contents[HANDS].remove(piece)
        s.contents[place] = [piece]
        s.place_of[piece] = place
    table = match.view(None)["zones"]["table"]["pieces"]
    assert [p["on"][0]["code"] for p in table] == [s.code.program.pieces[two].code]


def test_the_result_is_told_at_the_end() -> None:
    match = play(connect_four(), 3)
    assert match.view(None)["result"] == match.result.as_json()
    assert match.view(None)["decision"] is None


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_view_is_plain_data(viewer: int | None) -> None:
    view = after_rain().view(viewer)
    assert json.loads(json.dumps(view)) == view


# ---------------------------------------------------------------------- leaks


@given(st.integers(0, 5000), st.integers(0, 40), st.sampled_from(VIEWERS), st.randoms(use_true_random=False))
def test_what_a_player_may_not_know_makes_no_difference(
    seed: int, choices: int, viewer: int | None, luck: random.Random
) -> None:
    match = play(card_game(), seed, choices)
    assert leak(match, viewer, luck) == ""


def test_other_truths_are_really_different() -> None:
    luck, different = random.Random(1), 0
    for seed in range(50):
        match = play(card_game(), seed, 6)
        other = other_truth(match, 1, luck)
        if other is not None and other.state.contents != match.state.contents:
            different += 1
    assert different > 30


def leaks(planted: str = "") -> set[str]:
    luck = random.Random(2)
    program = card_game(planted=planted)
    return {leak(play(program, seed, seed % 12), viewer, luck) for seed in range(60) for viewer in VIEWERS}


def test_a_planted_leak_in_the_rules_is_found() -> None:
    assert leaks() == {""}
    assert "view: decision" in leaks("options")


@pytest.mark.parametrize(
    ("method", "planted", "where"),
    [
        ("may", lambda self, players: True, "view: zones"),
        ("listed", lambda self, pieces, ordered: list(pieces), "view: zones"),
    ],
)
def test_a_planted_leak_in_the_view_is_found(
    monkeypatch: pytest.MonkeyPatch, method: str, planted: Any, where: str
) -> None:
    monkeypatch.setattr(view_module._View, method, planted)
    assert where in leaks()


def test_a_planted_leak_in_the_names_of_options_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "may_know", lambda players, viewer, everybody: True)
    assert "view: decision" in leaks()


def test_which_of_two_equal_cards_it_is_makes_no_difference() -> None:
    """Two copies trade places, also out of a hand that is seen: nobody can tell."""
    for seed in range(30):
        match = play(card_game(), seed, seed % 7)
        other = match.copy()
        s = other.state
        face = s.code.layout.offsets[7]
        for one in range(0, 12, 2):
            two = one + 1
            places = s.place_of[one], s.place_of[two]
            i, j = s.contents[places[0]].index(one), s.contents[places[1]].index(two)
            s.contents[places[0]][i], s.contents[places[1]][j] = two, one
            s.place_of[one], s.place_of[two] = places[1], places[0]
            for values, first in ((s.known, 0), (s.vars, face)):
                values[first + one], values[first + two] = values[first + two], values[first + one]
        assert s.ask is not None or match.over
        if match.decision is None or match.decision.kind != "action":
            continue
        other.rebase()
        assert other.state_hash() == match.state_hash()
        for viewer in VIEWERS:
            assert shown_to(other, viewer) == shown_to(match, viewer)


def test_the_text_of_a_view_never_names_a_card_that_the_player_cannot_know() -> None:
    for seed in range(60):
        match = play(card_game(), seed, seed % 9)
        for viewer in (0, 1):
            s, text = match.state, json.dumps(match.view(viewer))
            for code in ("sun", "moon", "star", "rain", "wind", "snow"):
                copies = [i for i, p in enumerate(s.code.program.pieces) if p.code == code]
                if not any(s.code.knowers(s, i) >> viewer & 1 for i in copies):
                    assert f'"{code}"' not in text
