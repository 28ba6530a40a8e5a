"""The places of the players, where each has many: a line for each player, a column for each place.

Comes in: the zones of a view. Goes out: a `Drawing` with pieces in small: dice with their faces, tokens and
cards in words, hidden pieces as counted backs. Columns that find no room follow below, with the players
once more; places in which nobody has anything are named, not drawn. What never happens: a hidden piece that
is told from another one. None where players have few places: then `viz/table_zones.py` draws each zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.viz.style import FRAME_LINE, INK, PALE_INK
from rulewright.viz.table_board import Drawing
from rulewright.viz.table_ink import box, shortened, width_of, words, wrapped
from rulewright.viz.table_marks import mark
from rulewright.viz.table_pieces import BACK, Artist, Piece, is_token, spoken
from rulewright.viz.table_zones import chip, drawn_pieces, is_owned, owned_groups

View = Mapping[str, Any]
Zone = Mapping[str, Any]
SMALL, LINE, GAP, PAD = 30.0, 34.0, 6.0, 16.0
CELL = 170.0  # a cell is no wider: what finds no room goes on below


def owned_drawing(view: View, artist: Artist, room: float) -> Drawing | None:
    """The places of the players; None where they are few."""
    groups = owned_groups(view)
    if not groups:
        return None
    places: dict[str, dict[str, Zone]] = {group: {} for group in groups}
    for zone in view["zones"].values():
        if is_owned(zone):
            places[str(zone["group"])].setdefault(zone["owner"], zone)
    used = [group for group in groups if any(zone["count"] for zone in places[group].values())]
    cells = {group: {player: _cell(zone, artist) for player, zone in places[group].items()} for group in used}
    widths = {
        group: max(width_of(spoken(group), 12, bold=True), *(c.width for c in cells[group].values())) + PAD
        for group in used
    }
    names = {p: shortened(p, 14, room * 0.3) for p in view["players"]}
    first = max(width_of(name, 14, bold=True) for name in names.values()) + 44
    drawn, y, wide = "", 0.0, 0.0
    for columns in _blocks(widths, room - first):
        block = _block(
            view, artist, names, {group: (widths[group], cells[group]) for group in columns}, first
        )
        drawn += block.at(0, y)
        y, wide = y + block.height + 8, max(wide, block.width)
    empty = [spoken(group) for group in groups if group not in used]
    if empty:
        for line in wrapped(f"nobody has anything in: {', '.join(empty)}", 12, room, 3):
            drawn += words(0, y + 12, line, 12, fill=PALE_INK)
            y, wide = y + 16, max(wide, width_of(line, 12))
    return Drawing(wide, y, drawn)


def _blocks(widths: Mapping[str, float], room: float) -> list[list[str]]:
    """Columns side by side as far as there is room; a single one is taken however wide it is."""
    blocks: list[list[str]] = []
    taken = room + 1
    for group, width in widths.items():
        if taken + width > room:
            blocks.append([])
            taken = 0.0
        blocks[-1].append(group)
        taken += width
    return blocks


def _block(
    view: View,
    artist: Artist,
    names: Mapping[str, str],
    columns: Mapping[str, tuple[float, Mapping[str, Drawing]]],
    first: float,
) -> Drawing:
    """Some columns, with the players at the left."""
    drawn, x = "", first
    for group, (width, _) in columns.items():
        drawn += words(x, 12, spoken(group), 12, bold=True, fill=PALE_INK)
        x += width
    y = 20.0
    for player in view["players"]:
        lying = {group: cells[player] for group, (_, cells) in columns.items() if player in cells}
        high = max([LINE, *(cell.height for cell in lying.values())]) + 4
        drawn += box(0, y, x, high, "#f7f7f7" if player == view["viewer"] else "#ffffff", FRAME_LINE, round=4)
        drawn += mark(14, y + high / 2, 8, artist.seats[player])
        drawn += words(30, y + high / 2 + 5, names[player], 14, bold=True)
        left = first
        for group, (width, _) in columns.items():
            if group in lying:
                drawn += lying[group].at(left, y + (high - lying[group].height) / 2)
            left += width
        y += high + 3
    return Drawing(x, y, drawn)


def _cell(zone: Zone, artist: Artist) -> Drawing:
    """What lies in a place, in small."""
    drawn, x, y, wide = "", 0.0, 0.0, 0.0
    for piece, count in drawn_pieces(zone):
        item = _item(piece, count, artist)
        if x and x + item.width > CELL:
            x, y = 0.0, y + LINE
        drawn += item.at(x, y)
        x += item.width + GAP
        wide = max(wide, x - GAP)
    if not zone["count"]:
        return Drawing(10, LINE, words(0, LINE / 2 + 4, "–", 13, fill=PALE_INK))
    return Drawing(wide, y + LINE, drawn)


def _item(piece: Piece | None, count: int, artist: Artist) -> Drawing:
    """A sort of pieces, with how many there are."""
    times = f"×{count}" if count > 1 else ""
    if piece is None or piece.get("form") == "die":
        width = 18.0 if piece is None else artist.die_width(piece, SMALL)
        if piece is None:
            drawn = box(1, 5, 16, 24, BACK, INK, round=3)
        else:
            drawn = artist.piece(piece, 0, (LINE - SMALL) / 2, width, SMALL)
        if times:
            drawn += words(width + 3, LINE / 2 + 5, times, 13, bold=True)
        return Drawing(width + (width_of(times, 13, bold=True) + 3 if times else 0), LINE, drawn)
    return _word(piece, count, artist)


def _word(piece: Piece, count: int, artist: Artist) -> Drawing:
    """A token or a card as a word; of a card its title."""
    token = is_token(piece)
    text = (
        chip(piece, count, artist)
        if token
        else spoken(str(piece["title"])) + (f" ×{count}" if count > 1 else "")
    )
    text = shortened(spoken(text), 12, CELL - 34)
    left = 24.0 if token else 6.0
    width = left + width_of(text, 12) + 6
    drawn = box(0, 6, width, 22, "#ffffff" if token else "#fffdf6", FRAME_LINE if token else INK, round=4)
    if token:
        drawn += mark(12, 17, 8, artist.seat(piece))
    return Drawing(width, LINE, drawn + words(left, 21, text, 12))
