"""Zones: hands, piles, rows, supplies, each in a frame with its title and how many pieces lie there.

Comes in: the zones of a view. Goes out: a `Drawing` for each that has something to say. Pieces that look
alike are drawn once and counted; hidden ones are backs, counted; of a pile the top comes first; where
many different ones lie, their codes say which. What never happens: a hidden piece that is told from
another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.viz.style import FRAME_LINE, INK, PALE_INK
from rulewright.viz.table_board import Drawing
from rulewright.viz.table_ink import box, shortened, width_of, words, wrapped
from rulewright.viz.table_marks import mark
from rulewright.viz.table_pieces import Artist, Piece, alike, every_piece, is_token, spoken
from rulewright.viz.table_tracks import zones_on_tracks

Zone = Mapping[str, Any]
CARD_WIDTH, CARD_HEIGHT, TOKEN, GAP = 84.0, 84.0, 34.0, 8.0
DRAWN = 14  # so many different pieces are drawn; of more there is a list
QUIET = ("supply", "box", "mark")  # kinds of places that are left out while they are empty
MANY_OWNED = 4
"""So many places of each player are not drawn one by one, but as lines and columns (`viz/table_owned.py`)."""
HOLDS_STOCK = ("supply", "box")  # kinds of places of which a list is enough


def zone_drawings(view: Mapping[str, Any], artist: Artist, room: float) -> Iterator[Drawing]:
    """The zones of a view, those of the viewer first, none wider than `room`. Supplies and the box are
    left out while they are empty, and what is drawn elsewhere: on a track, or with the places of the players;
    there, too, empty zones are only named."""
    shared, elsewhere = supplies(view, artist), zones_on_tracks(view)
    crowded = owned_groups(view)
    zones = [
        (n, z)
        for n, z in view["zones"].items()
        if (z["count"] or z["kind"] not in QUIET)
        and not (z["kind"] == "supply" and z["owner"] in shared)
        and n not in elsewhere
        and not (is_owned(z) and crowded)
    ]
    empty = [spoken(n) for n, z in zones if not z["count"]] if crowded else []
    if empty:
        zones = [(n, z) for n, z in zones if z["count"]]
    viewer = view["viewer"]

    def order(item: tuple[str, Zone]) -> tuple[bool, bool]:
        _, zone = item
        return zone["kind"] in QUIET, viewer is None or zone["owner"] != viewer

    for name, zone in sorted(zones, key=order):
        yield zone_drawing(name, zone, artist, room, yours=viewer is not None and zone["owner"] == viewer)
    if empty:
        lines = wrapped(f"empty: {', '.join(empty)}", 13, room, 3)
        drawn = "".join(words(0, 16 + 18 * i, line, 13, fill=PALE_INK) for i, line in enumerate(lines))
        yield Drawing(max(width_of(line, 13) for line in lines), 18.0 * len(lines) + 4, drawn)


def is_owned(zone: Zone) -> bool:
    """Whether a zone is a place of a player, not their supply."""
    return zone["kind"] == "zone" and zone["owner"] is not None


def owned_groups(view: Mapping[str, Any]) -> list[str]:
    """The names of the places that players have, where there are many of them; else none."""
    groups = list(dict.fromkeys(str(z["group"]) for z in view["zones"].values() if is_owned(z)))
    return groups if len(groups) >= MANY_OWNED else []


def supplies(view: Mapping[str, Any], artist: Artist) -> dict[str, str]:
    """The supplies of the players in a few words, where they are short enough to stand with the players;
    of none, if one of them is too long."""
    said: dict[str, str] = {}
    for zone in view["zones"].values():
        if zone["kind"] == "supply" and zone["owner"] is not None:
            sorts = drawn_pieces(zone)
            if len(sorts) > 3 or any(p is None or not is_token(p) for p, _ in sorts):
                return {}
            said[zone["owner"]] = ", ".join(
                f"{artist.label(p)} {n}".strip() for p, n in sorts if p is not None
            )
    return {owner: text or "0" for owner, text in said.items()} if any(said.values()) else {}


def zone_drawing(name: str, zone: Zone, artist: Artist, room: float, yours: bool = False) -> Drawing:
    """One zone."""
    title = spoken(name) + (" (yours)" if yours else "")
    count = f"{zone['count']}" if zone["count"] else "empty"
    inner = room - 24
    pieces = drawn_pieces(zone)
    if zone["kind"] in HOLDS_STOCK or len(pieces) > DRAWN:
        drawn = _listed(pieces, artist, inner)
    else:
        drawn = _in_lines(pieces, zone["order"], artist, inner)
    seat = artist.seats.get(zone["owner"]) if zone["owner"] is not None else None
    head_width = width_of(title, 14, bold=True) + 20 + width_of(count, 13) + (22 if seat is not None else 0)
    width = min(room, max(drawn.width, head_width, 70) + 24)
    height = drawn.height + (46 if drawn.height else 34)
    svg = box(0, 0, width, height, "#ffffff", FRAME_LINE, round=8)
    left = 12.0
    if seat is not None:
        svg += mark(left + 7, 17, 7, seat)
        left += 20
    shown = shortened(title, 14, width - left - 20 - width_of(count, 13))
    svg += words(left, 22, shown, 14, bold=True)
    svg += words(width - 12, 22, count, 13, anchor="end", fill=PALE_INK)
    return Drawing(width, height, svg + drawn.at(12, 34))


def drawn_pieces(zone: Zone) -> list[tuple[Piece | None, int]]:
    """What is drawn, with how many there are of each; a pile from its top, where the same side by side
    are one."""
    lying: Sequence[Piece | None] = zone["pieces"]
    if zone["order"] == "set":
        return alike(lying)
    found: list[tuple[Piece | None, int]] = []
    for piece in reversed(lying) if zone["order"] == "pile" else lying:
        if found and found[-1][0] == piece and zone["order"] == "pile":
            found[-1] = (piece, found[-1][1] + 1)
        else:
            found.append((piece, 1))
    return found


def _in_lines(pieces: Sequence[tuple[Piece | None, int]], order: str, artist: Artist, room: float) -> Drawing:
    """Pieces side by side, in as many lines as they need."""
    drawn, x, y, high, wide = "", 0.0, 0.0, 0.0, 0.0
    for i, (piece, count) in enumerate(pieces):
        small = piece is not None and (is_token(piece) or piece.get("form") == "die")
        width, height = (TOKEN + 6, TOKEN + 6) if small else (CARD_WIDTH, CARD_HEIGHT)
        if piece is not None and piece.get("form") == "die":
            width = artist.die_width(piece, height)
        elif piece is not None and small:
            width = max(width, min(width_of(artist.label(piece), 8) + 8, CARD_WIDTH))
        text = f"×{count}" if count > 1 else ""
        space = width + (width_of(text, 13) + 2 if text and piece is not None else 0)
        if x and x + space > room:
            x, y, high = 0.0, y + high + GAP, 0.0
        if piece is None:
            drawn += artist.back(x, y, width * 0.7, height, count)
            space = width * 0.7
        else:
            drawn += artist.piece(piece, x, y, width, height)
            if text:
                drawn += words(x + width + 2, y + height / 2 + 4, text, 13, bold=True)
        if order == "pile" and i == 0 and len(pieces) > 1:
            drawn += words(
                x + width * (0.35 if piece is None else 0.5), y + height + 12, "top", 11, anchor="middle"
            )
            high = max(high, height + 14)
        x += space + GAP
        high, wide = max(high, height), max(wide, x - GAP)
    return Drawing(wide, y + high, drawn)


def _listed(pieces: Sequence[tuple[Piece | None, int]], artist: Artist, room: float) -> Drawing:
    """Pieces as small chips with code and number."""
    drawn, x, y, wide = "", 0.0, 0.0, 0.0
    for piece, count in pieces:
        text, token = chip(piece, count, artist), piece is not None and is_token(piece)
        width = min(room, width_of(text, 12) + (28 if token else 12))
        if x and x + width > room:
            x, y = 0.0, y + 26
        drawn += box(x, y, width, 21, "#f6f6f6", FRAME_LINE, round=4)
        if token and piece is not None:
            drawn += mark(x + 11, y + 10.5, 7, artist.seat(piece))
        drawn += words(x + (22 if token else 6), y + 15, shortened(text, 12, width), 12, fill=INK)
        x += width + 5
        wide = max(wide, x - 5)
    return Drawing(wide, y + 22 if pieces else 0, drawn)


def chip(piece: Piece | None, count: int, artist: Artist) -> str:
    """A piece in a word, with how many there are."""
    if piece is None:
        return f"{count} hidden"
    icon = f"{piece['icon']} " if piece.get("icon") and not is_token(piece) else ""
    text = artist.label(piece) if is_token(piece) else icon + str(piece["code"])
    return (text + (f" ×{count}" if count > 1 or not text else "")).strip()


def kinds_legend(view: Mapping[str, Any], artist: Artist, room: float) -> list[str]:
    """What the letters on tokens mean, in lines."""
    meant = {
        artist.label(p): spoken(str(p["title"]))
        for p in every_piece(view)
        if is_token(p) and artist.label(p) and p["code"] == p["kind"]
    }
    text = " · ".join(f"{short} = {title}" for short, title in sorted(meant.items()))
    return wrapped(text, 12, room, 3) if text else []
