from __future__ import annotations

from typing import Any

import pytest

from rulewright.cli.table_view import (
    Pieces,
    bare,
    board_lines,
    result_lines,
    table_lines,
    table_text,
    zone_text,
)  # fmt: skip
from rulewright.interpreter.layout import column_name
from rulewright.interpreter.match import start
from rulewright.tests.interpreter.programs import card_game, tic_tac_toe


def piece(code: str, owner: str | None = None, **more: Any) -> dict[str, Any]:
    return {"code": code, "title": code, "kind": "token", "owner": owner, **more}


def cell(top: Any, *under: Any) -> dict[str, Any]:
    return {"top": top, "count": 1 + len(under), **({"under": list(under)} if under else {})}


def view(**changes: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "game": "g", "title": "G", "viewer": "red", "phase": [], "actor": None,
        "players": ["red", "green", "grey"],
        "zones": {}, "boards": {}, "state": {}, "decision": None, "result": None,
    }  # fmt: skip
    return {**usual, **changes}


def board(rows: list[list[Any]], **more: Any) -> dict[str, Any]:
    usual = {
        "shape": "square grid", "owner": None, "unbounded": False, "rows": rows,
        "row_names": [str(i + 1) for i in range(len(rows))],
        "column_names": [column_name(i) for i in range(len(rows[0]))],
    }  # fmt: skip
    return {**usual, **more}


def zone(pieces: list[Any], order: str = "set", **more: Any) -> dict[str, Any]:
    return {
        "kind": "zone",
        "group": "z",
        "owner": None,
        "order": order,
        "count": len(pieces),
        "pieces": pieces,
        **more,
    }


def test_a_real_table() -> None:
    match = start(tic_tac_toe(), 7)
    match.choose("put spot=b2")
    lines = table_lines(match.view(1))
    assert lines == [
        "three in a row · play · turn of blue (you)", "● red  ■ blue",
        "", "rack", "     a    b    c", "  1  .    .    .", "  2  .    ●:x  .", "  3  .    .    .",
        "", "supply of red: ●:x×4", "supply of blue (yours): ■:o×5",
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_hidden_cards_are_counted_and_never_named(viewer: int | None) -> None:
    match = start(card_game(), 5)
    text = "\n".join(table_lines(match.view(viewer)))
    codes = {match.names.namer.code_name(p) for p in match.state.contents[2 if viewer == 1 else 3]}
    own = {match.names.namer.code_name(p) for p in match.state.contents[2 if viewer == 0 else 3]}
    assert "deck: " in text and "hidden" in text
    hidden = codes if viewer is None else codes - own
    assert not any(code in text for code in hidden)


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [[None, cell(piece("long_code"))], [cell(piece("x")), None]]
    assert [line.rstrip() for line in board_lines(board(rows), Pieces(view()))] == [
        "     a          b", "  1  .          long_code", "  2  x          .",
    ]  # fmt: skip


def test_stacks_hidden_pieces_and_what_lies_on_a_piece() -> None:
    pieces = Pieces(view())
    assert pieces.cell(None) == "."
    assert pieces.cell(cell(None)) == "?"
    assert pieces.cell(cell(piece("K"), piece("Q"), None)) == "K+2"
    lying = [piece("t", "red"), piece("t", "red"), piece("s")]
    assert bare(pieces.text(piece("K", on=lying))) == "K/s,●:t×2"
    assert pieces.text(piece("die", face=5, locked=True, used=False, mark=None)) == "die[5, locked]"
    assert pieces.text({**piece("Fm"), "icon": "⛰", "form": "card"}) == "⛰Fm"


def test_what_is_covered_is_listed_below_the_board() -> None:
    rows = [[cell(piece("K"), piece("Q"), None), cell(piece("J"), {**piece("F"), "title": "Frost Moor"})]]
    lines = board_lines(board(rows), Pieces(view()))
    assert lines[-2:] == ["  a1: K over Q, 1 hidden", "  b1: J over Frost Moor"]


def test_pieces_that_lie_side_by_side_are_counted() -> None:
    rows = [[cell(piece("token", "red"), piece("token", "red"), piece("s"))]]
    shown = view(boards={"b": board(rows, covers=False)})
    assert "  1  s,●2" in table_lines(shown)


def test_owners_have_colours_only_in_the_coloured_text() -> None:
    lying = [piece("token", "red"), piece("token", "green"), piece("token", "grey")]
    shown = view(zones={"z": zone(lying)})
    text = table_text(shown)
    assert text.plain == "\n".join(table_lines(shown))
    coloured = {(text.plain[s.start : s.end], str(s.style)) for s in text.spans}
    assert coloured == {("●", "bold red"), ("■", "bold green"), ("▲", "bold bright_black")}
    assert "z: ● ■ ▲" in table_lines(shown) and "● red  ■ green  ▲ grey" in table_lines(shown)


def test_tracks_show_where_they_stand() -> None:
    lines = table_lines(view(state={"storm": 2, "far": 5}, ranges={"storm": [0, 4], "far": [0, 999]}))
    assert lines[2:] == ["storm: 2  0 ▰▰▰▰▰▱▱▱▱▱ 4", "far: 5"]


def test_pieces_that_only_their_owner_tells_apart_go_by_the_owner() -> None:
    mine, theirs = piece("token", "red"), piece("token", "grey")
    one = view(zones={"z": zone([mine, theirs])})
    assert bare(Pieces(one).text(mine)) == "●" and bare(Pieces(one).text(theirs)) == "▲"
    other = {**piece("pawn", "red"), "kind": "pawn"}
    two = view(zones={"z": zone([mine, other])})
    assert bare(Pieces(two).text(mine)) == "●:token" and bare(Pieces(two).text(other)) == "●:pawn"
    letters = view(players=["x", "o"], zones={"z": zone([piece("token", "x"), piece("token", "x")])})
    assert table_lines(letters)[1:] == ["", "z: x×2"]  # a name of one letter is its own sign


def test_zones_count_what_is_alike_and_keep_the_order_of_piles() -> None:
    pieces = Pieces(view())
    lying = [piece("c10"), piece("c9"), None, piece("c9")]
    assert zone_text(zone(lying), pieces) == "c9×2 c10 and 1 hidden"
    assert zone_text(zone(lying, "row"), pieces) == "c10 c9 ? c9"
    assert zone_text(zone(lying, "pile"), pieces) == "c9 ? c9 c10  (top first)"
    assert zone_text(zone([None, None]), pieces) == "2 hidden"
    assert zone_text(zone([]), pieces) == "empty"


def test_an_unbounded_board_has_a_rim_to_play_on() -> None:
    lines = board_lines(
        board([[cell(piece("K"))]], unbounded=True, row_names=["1"], column_names=["a"]), Pieces(view())
    )
    assert [line.split() for line in lines] == [
        ["-a", "a", "b"],
        ["0", ".", ".", "."],
        ["1", ".", "K", "."],
        ["2", ".", ".", "."],
    ]


def test_rows_of_hexagons_slant_and_boards_without_rows_are_listed() -> None:
    rows = [[None, None], [None, None], [None, None]]
    lines = board_lines(board(rows, shape="hex grid"), Pieces(view()))
    starts = [line.index(".") for line in lines[1:]]
    assert starts[0] < starts[1] < starts[2]
    one, two = (line.index(".") for line in lines[1:3])
    assert 2 * (two - one) == lines[1].index(".", one + 1) - one  # half a space, whatever its width
    spaces = {"north": cell(piece("K")), "south": None, "east": None}
    plain = {"shape": "graph", "owner": None, "unbounded": False, "spaces": spaces}
    assert board_lines(plain, Pieces(view())) == ["  north: K", "  empty: south east"]


def test_values_are_said_in_words_and_long_lists_leave_out_what_is_nothing() -> None:
    state = {
        "is_open": True, "leader": None, "score": {"red": 3, "green": 0}, "seen": [], "taken": ["a", "b"],
        "visited": {f"s{i}": i == 7 for i in range(20)}, "nothing": {f"s{i}": 0 for i in range(20)},
    }  # fmt: skip
    lines = table_lines(view(state=state))
    assert lines[2:] == [
        "is open: yes", "leader: none", "score: red 3, green 0", "seen: nothing", "taken: a b",
        "visited: s7 yes",
    ]  # fmt: skip


def test_the_phase_and_whose_turn_it_is_stand_in_the_heading() -> None:
    assert (
        table_lines(view(phase=["game", "round", "round.last_bids"], actor="green"))[0]
        == "G · round › last bids · turn of green"
    )
    assert table_lines(view(actor="red"))[0] == "G · turn of red (you)"


def test_results_are_said_in_words() -> None:
    shared = {"end": "e", "title": "A line", "winners": ["red", "grey"], "scores": {"red": 2, "grey": 2}}
    assert result_lines(shared) == [
        "The game is over: A line.", "Winner: red and grey.", "Scores: red 2, grey 2.",
    ]  # fmt: skip
    nobody = result_lines({"end": "", "title": "", "winners": [], "scores": {}})
    assert nobody[-1] == "Nobody has won." and "without reaching an end" in nobody[0]


def test_names_cannot_steer_the_terminal() -> None:
    wild = "\x1b[2J"
    lines = table_lines(view(title=wild, zones={wild: zone([piece(wild)])}, state={wild: wild}))
    assert "\x1b" not in "".join(lines)


# -------------------------------------------------------------- large tables


def many_places(**more: Any) -> dict[str, Any]:
    zones = {
        f"{group} of {player}": zone(
            [piece("coin")] if (group, player) == ("purse", "red") else [], group=group, owner=player
        )
        for group in ("purse", "order", "pool", "hand")
        for player in ("red", "green", "grey")
    }
    return view(zones={**zones, "deck": zone([None]), "sea": zone([]), "sky": zone([])}, **more)


def test_players_with_many_places_have_lines_of_their_own() -> None:
    fame = {"red": 1, "green": 2}
    lines = table_lines(many_places(state={"fame": fame, "storm": 3}))
    at = next(i for i, line in enumerate(lines) if "red (you): fame 1" in line)
    assert lines[at + 1] == "    purse: coin · empty: order, pool, hand"
    assert any(line.endswith(" grey") for line in lines)  # no value of theirs is known
    assert "deck: 1 hidden" in lines and "empty: sea, sky" in lines and "storm: 3" in lines
    assert not any(line.startswith("fame:") for line in lines)


def test_marks_of_a_track_stand_behind_its_bar_with_what_lies_on_them() -> None:
    zones = {
        "reef 8": zone([piece("m")], kind="mark"),
        "reef 4": zone([], kind="mark"),
        "cave 1": zone([piece("x")], kind="mark"),
    }
    marks = {"storm": [["reef", 8], ["reef", 4], ["last_shore", 2]]}
    lines = table_lines(view(state={"storm": 5}, ranges={"storm": [0, 10]}, marks=marks, zones=zones))
    (track,) = [line for line in lines if line.startswith("storm: 5")]
    assert track.endswith("10  marks: reef 8 (m), reef 4, last shore 2")
    assert "cave 1: x" in lines and not any(line.startswith("reef") for line in lines)


def test_a_long_list_says_what_is_usual_once() -> None:
    state = {"mark": {f"k{i}": "plain" for i in range(20)} | {"odd": "turned"}}
    assert "mark: odd turned, all others plain" in table_lines(view(state=state))
