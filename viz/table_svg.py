"""The table as one picture: what one player, or an onlooker, may see of a game.

Comes in: what `Match.view` gave and a `Look`, and nothing else, so nothing hidden can get in. Goes out: one
SVG that needs no other file. From top to bottom: the game and where it stands, the players with their marks
and values, the boards, tracks with marks, the places of the players where they have many, the zones, the
other values. What never happens: a word of a concrete game here, or two pictures that differ for a viewer
who may not know the difference. To add a part: a function that gives a `Drawing`, and a line in
`table_svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.viz.style import INK, PALE_INK
from rulewright.viz.table_board import Drawing, board_drawing, holds_cards, line_of
from rulewright.viz.table_ink import document, width_of, words, wrapped
from rulewright.viz.table_marks import mark
from rulewright.viz.table_owned import owned_drawing
from rulewright.viz.table_pieces import Artist, every_piece, is_token, several_dice, short_names, spoken
from rulewright.viz.table_seats import seats_of
from rulewright.viz.table_tracks import tracks_drawing
from rulewright.viz.table_values import players_drawing, values_drawing
from rulewright.viz.table_zones import kinds_legend, supplies, zone_drawings

View = Mapping[str, Any]
MARGIN, GAP = 20.0, 14.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is drawn. `width`: what the players and the zones are laid out for; a large board
    makes the picture wider. `changed`: spaces that stand out, as (board, space); see `changed_spaces`.
    `caption`: a line below the title, as "after choice 12 of 40"."""

    width: float = 980
    changed: frozenset[tuple[str, str]] = frozenset()
    caption: str = ""


PLAIN = Look()


def table_svg(view: View, look: Look = PLAIN) -> str:
    """The picture of a view. The same view and look always give the same text."""
    artist = Artist(seats_of(view["players"]), short_names(view), several_dice(view))
    boards = list(_boards(view, artist, look))
    room = max([look.width - 2 * MARGIN, *(b.width for b in boards)])
    players = players_drawing(view, artist.seats, room - 24, supplies(view, artist))
    values = values_drawing(view, room - 24)
    owned, tracks = owned_drawing(view, artist, room - 24), tracks_drawing(view, artist, room - 24)
    rows = [
        [_heading(view, look, room)],
        *_rows([line_of(players, "Players"), *boards], room),
        *([[line_of(tracks, "Tracks")]] if tracks is not None else []),
        *([[line_of(owned, "Places of the players")]] if owned is not None else []),
        *_rows(zone_drawings(view, artist, room), room),
        *([[line_of(values, "Values")]] if values is not None else []),
        *[[_small_print(line)] for line in kinds_legend(view, artist, room)],
    ]
    parts, y = [], MARGIN
    for row in rows:
        x = MARGIN
        for drawing in row:
            parts.append(drawing.at(x, y))
            x += drawing.width + GAP
        y += max(d.height for d in row) + GAP
    width = max(sum(d.width + GAP for d in row) - GAP for row in rows)
    return document(width + 2 * MARGIN, y + MARGIN - GAP, f"{view['title']}: {heading(view)}", parts)


def _small_print(text: str) -> Drawing:
    return Drawing(width_of(text, 12), 12, words(0, 10, text, 12, fill=PALE_INK))


def _rows(parts: Iterable[Drawing], room: float) -> list[list[Drawing]]:
    """Drawings side by side as far as there is room."""
    rows: list[list[Drawing]] = []
    for part in parts:
        if rows and sum(p.width + GAP for p in rows[-1]) + part.width <= room:
            rows[-1].append(part)
        else:
            rows.append([part])
    return rows


def heading(view: View) -> str:
    """Where the game stands, in words: the phase and whose turn it is, or the result."""
    result = view["result"]
    if result is not None:
        title = spoken(str(result["title"] or "")) or "It stopped without reaching an end"
        *others, last = result["winners"] or [""]
        won = " and ".join([", ".join(others), last] if others else [last])
        return f"The game is over: {title}. " + (f"Winner: {won}." if won else "Nobody has won.")
    phases = [spoken(p.rpartition(".")[2]) for p in view["phase"]]
    if phases[:1] == ["game"]:  # the whole of it, which goes without saying
        del phases[0]
    said = [" › ".join(phases)] if phases else []
    if view["actor"] is not None:
        said.append(f"turn of {view['actor']}")
    return " · ".join(said)


def changed_spaces(before: View, now: View) -> frozenset[tuple[str, str]]:
    """The spaces whose content one viewer sees changed between two views of theirs, for `Look.changed`.
    Spaces that were cleared count as well."""
    old, new = _spaces(before), _spaces(now)
    return frozenset(key for key in {*old, *new} if old.get(key) != new.get(key))


def _spaces(view: View) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    for name, board in view["boards"].items():
        if "spaces" in board:
            found.update({(name, space): cell for space, cell in board["spaces"].items() if cell is not None})
            continue
        for row, cells in zip(board["row_names"], board["rows"], strict=True):
            for column, cell in zip(board["column_names"], cells, strict=True):
                if cell is not None:
                    found[name, column + row] = cell
    return found


def _heading(view: View, look: Look, room: float) -> Drawing:
    """The lines at the top; what they are, how large, and whether they are bold."""
    viewer = view["viewer"]
    seen = f"as {viewer} sees it" if viewer is not None else "as everybody sees it"
    texts = [(str(view["title"]), 22.0, True, 1), (heading(view), 15.0, False, 3)]
    if view["result"] is not None and view["result"]["scores"]:
        scores = ", ".join(f"{name} {score}" for name, score in view["result"]["scores"].items())
        texts.append((f"Scores: {scores}", 14.0, False, 2))
    texts.append((f"{look.caption} · {seen}" if look.caption else seen, 12.0, False, 1))
    if prompt := (view["decision"] or {}).get("prompt", ""):
        texts.append((f"{viewer}: {prompt}", 15.0, True, 2))
    drawn, y, wide = "", 0.0, 0.0
    for text, size, bold, lines in texts:
        for line in wrapped(text, size * (1.1 if bold else 1), room, lines):
            y += size * 1.3
            drawn += words(0, y - 4, line, size, bold=bold, fill=PALE_INK if size < 13 else INK)
            wide = max(wide, width_of(line, size, bold))
    return Drawing(wide, y, drawn)


def _boards(view: View, artist: Artist, look: Look) -> Iterable[Drawing]:
    usual = any(not is_token(p) and p.get("form") != "die" for p in every_piece(view))
    for name, board in view["boards"].items():
        cards = holds_cards(board)
        changed = {space for on, space in look.changed if on == name}
        drawn = board_drawing(board, artist, usual if cards is None else cards, changed)
        owner = board["owner"]
        title = spoken(name) + (" (yours)" if owner is not None and owner == view["viewer"] else "")
        framed = line_of(drawn, title)
        seat = artist.seats.get(owner) if owner is not None else None
        if seat is not None:
            svg = framed.svg + mark(width_of(title, 15, bold=True) + 22, 17, 7, seat)
            framed = Drawing(framed.width + 20, framed.height, svg)
        yield framed
