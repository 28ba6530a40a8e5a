"""Large tables: tracks with marks, the places of players as lines and columns, long lists in few words."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from rulewright.tests.viz.table_views import card, die, token, view, zone
from rulewright.viz.table_svg import table_svg
from rulewright.viz.table_tracks import BAR, marked_tracks, zones_on_tracks
from rulewright.viz.table_values import FEW, told
from rulewright.viz.table_zones import MANY_OWNED

SVG = "{http://www.w3.org/2000/svg}"
GROUPS = ("purse", "order", "pool", "hand")


def drawn(shown: dict[str, Any]) -> ElementTree.Element:
    return ElementTree.fromstring(table_svg(shown))


def texts(root: ElementTree.Element) -> list[str]:
    return [t.text or "" for t in root.iter(f"{SVG}text")]


def storm(**more: Any) -> dict[str, Any]:
    """A track from 0 to 10 with a mark of two numbers and one of one."""
    marks = {"storm": [["reef", 8], ["reef", 4], ["shore", 2]]}
    return view(state={"storm": 5}, ranges={"storm": [0, 10]}, marks=marks, **more)


def owned(**pieces: list[Any]) -> dict[str, Any]:
    """Four places for each of three players; `pieces` lie in those of ann."""
    zones = {
        f"{group} of {player}": zone(
            pieces.get(group, []) if player == "ann" else [], group=group, owner=player
        )
        for group in GROUPS
        for player in ("red", "ann", "blue")
    }
    return view(zones=zones)


# ------------------------------------------------------------------- tracks


def test_marks_stand_on_the_bar_where_their_numbers_are() -> None:
    root = drawn(storm())
    assert {"Tracks", "storm: 5", "reef 8", "reef 4", "shore 2", "0", "10"} <= set(texts(root))
    ticks = [float(r.get("x", 0)) + 1.5 for r in root.iter(f"{SVG}rect") if r.get("width") == "3"]
    assert ticks == [BAR * 0.8, BAR * 0.4, BAR * 0.2]
    full = [float(r.get("width", 0)) for r in root.iter(f"{SVG}rect") if r.get("fill") == "#4d4d4d"]
    assert full == [BAR / 2]
    assert "Values" not in texts(root)  # it is told once


def test_what_lies_on_a_mark_is_drawn_on_the_track_and_not_as_a_zone() -> None:
    zones = {
        "reef 8": zone([die("star"), die("star"), card("K", "King")], kind="mark", group="reef"),
        "reef 4": zone([], kind="mark", group="reef"),
        "cave 1": zone([die("moon")], kind="mark", group="cave"),
    }
    shown = storm(zones=zones)
    assert zones_on_tracks(shown) == {"reef 8", "reef 4"}
    said = texts(drawn(shown))
    assert said.count("reef 8") == 1 and "star" in said and "×2" in said and "King" in said
    assert "cave 1" in said and "moon" in said  # on no track that is shown: a zone as any other


def test_names_of_marks_that_are_close_stand_in_rows() -> None:
    close = view(
        state={"s": 1}, ranges={"s": [0, 60]}, marks={"s": [["a_long_name", 30], ["another_one", 31]]}
    )
    at = {t.text: float(t.get("y", 0)) for t in drawn(close).iter(f"{SVG}text")}
    assert at["another one 31"] - at["a long name 30"] >= 12


def test_a_track_of_the_players_has_its_marks_on_the_small_bars_and_in_words() -> None:
    shown = view(
        state={"fame": {"red": 3, "ann": 6, "blue": 1}},
        ranges={"fame": [1, 6]},
        marks={"fame": [["star", 5]]},
    )
    assert marked_tracks(shown) == {}
    root = drawn(shown)
    assert "fame has marks: star 5" in texts(root)
    assert len([r for r in root.iter(f"{SVG}rect") if r.get("width") == "2"]) == 3


def test_a_view_without_marks_and_a_hidden_track_have_no_tracks() -> None:
    assert "Tracks" not in texts(drawn(view(state={"storm": 5}, ranges={"storm": [0, 10]})))
    assert "Tracks" not in texts(drawn(view(marks={"storm": [["reef", 4]]})))


# -------------------------------------------------------- places of players


def test_many_places_of_players_are_lines_and_columns() -> None:
    lying = {
        "purse": [token(None, "coin", code="c")] * 4,
        "pool": [die("moon"), die("moon"), die(3)],
        "hand": [None, None, card("K", "The King")],
    }
    root = drawn(owned(**lying))
    said = texts(root)
    assert "Places of the players" in said and "purse of ann" not in said
    assert {"purse", "pool", "hand", "c ×4", "moon", "×2", "The King"} <= set(said)
    assert "nobody has anything in: order" in said
    assert said.count("–") == 6  # red and blue have nothing in three places


def test_few_places_of_players_are_zones() -> None:
    shown = owned(purse=[token(None, "coin")])
    shown["zones"] = {n: z for n, z in shown["zones"].items() if z["group"] != "order"}
    assert len({z["group"] for z in shown["zones"].values()}) == MANY_OWNED - 1
    said = texts(drawn(shown))
    assert "Places of the players" not in said and "purse of ann" in said


def test_other_zones_stay_and_the_empty_ones_are_named_together() -> None:
    shown = owned(purse=[token(None, "coin")])
    shown["zones"] |= {"deck": zone([None] * 3, "pile"), "plank": zone([]), "sea": zone([])}
    said = texts(drawn(shown))
    assert "deck" in said and "empty: plank, sea" in said
    alone = view(zones={"plank": zone([])})
    assert "plank" in texts(drawn(alone))


def test_hidden_pieces_in_a_place_make_no_difference_but_their_number() -> None:
    assert table_svg(owned(hand=[None, None])) == table_svg(owned(hand=[None, None]))
    assert "×2" in texts(drawn(owned(hand=[None, None]))) and "×2" not in texts(drawn(owned(hand=[None])))


def test_columns_that_find_no_room_follow_below_with_the_players_once_more() -> None:
    wide = [card(f"k{i}", f"A Title Of Some Length {i}") for i in range(3)]
    zones = {
        f"group_{g} of {p}": zone(wide, group=f"group_{g}", owner=p)
        for g in range(8)
        for p in ("red", "ann", "blue")
    }
    root = drawn(view(zones=zones))
    assert {f"group {g}" for g in range(8)} <= set(texts(root))
    assert texts(root).count("ann") > 2
    assert float(root.get("width", 0)) <= 1000


# --------------------------------------------------------------- dice, words


def test_a_word_on_a_die_can_be_read() -> None:
    root = drawn(view(zones={"dice": zone([die("kraken")])}))
    (size,) = [float(t.get("font-size", 0)) for t in root.iter(f"{SVG}text") if t.text == "kraken"]
    assert size >= 10


def test_dice_of_several_codes_say_which_they_are() -> None:
    both = [die("moon"), die("moon", code="black_die")]
    said = texts(drawn(view(zones={"dice": zone(both)})))
    assert {"die: moon", "black_die: moon"} <= set(said)
    assert "moon" in texts(drawn(view(zones={"dice": zone(both[:1])})))


def test_many_designs_of_tokens_are_named_by_their_kind() -> None:
    orders = [token(None, "order", code=f"o{i}", title=f"Order {i}") for i in range(7)]
    assert "nobody's: order" in texts(drawn(view(zones={"z": zone(orders)})))


def test_of_a_long_list_only_what_is_not_usual_is_said() -> None:
    usual: dict[str, Any] = {f"k{i}": "plain" for i in range(FEW)} | {"many": ["plain", "plain"]}
    assert told(usual) == ([], "plain")
    assert told({**usual, "odd": "turned", "mixed": ["plain", "turned"]}) == (
        [("odd", "turned"), ("mixed", ["plain", "turned"])],
        "plain",
    )
    assert told({f"k{i}": i for i in range(FEW + 2)})[1] is None
    few = {"a": "plain", "b": "plain"}
    assert told(few) == (list(few.items()), None)
    said = texts(drawn(view(state={"mark": {**usual, "odd": "turned"}})))
    assert "odd turned, all others plain" in said


def test_numbers_of_something_else_than_players_are_no_raw_data() -> None:
    shown = view(state={"progress": {"sail": 1, "row": 0}}, ranges={"progress": [0, 4]})
    assert "sail 1, row 0" in texts(drawn(shown))
