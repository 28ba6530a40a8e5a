"""Tracks with marks: a long bar with its numbers, the names on it, and what lies on them.

Comes in: state, ranges, marks and zones of a view; `marks` are `[name, number]` for each track that has
names on it, and what lies on one is the zone `NAME NUMBER`. Goes out: a `Drawing` with a line for each
track that is not the players'. What never happens: a zone that belongs to no track of the view is taken
away from the other zones (`zones_on_tracks` says which are drawn here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.viz.style import FRAME_LINE, INK, PALE_INK
from rulewright.viz.table_board import Drawing
from rulewright.viz.table_ink import box, width_of, words
from rulewright.viz.table_pieces import Artist, alike, spoken

View = Mapping[str, Any]
BAR, HIGH, PIECE, LABEL = 440.0, 14.0, 30.0, 15.0


def marked_tracks(view: View) -> dict[str, list[tuple[str, int]]]:
    """The tracks with marks that are not the players', with name and number of each mark."""
    return {
        name: [(str(mark), int(level)) for mark, level in marks]
        for name, marks in view.get("marks", {}).items()
        if name in view["ranges"] and isinstance(view["state"].get(name), int)
    }


def zones_on_tracks(view: View) -> set[str]:
    """The zones that are drawn on a track."""
    named = {mark_name(*mark) for marks in marked_tracks(view).values() for mark in marks}
    return {name for name, zone in view["zones"].items() if zone["kind"] == "mark" and name in named}


def mark_name(mark: str, level: int) -> str:
    """What a mark is called, as the zone on it is."""
    return f"{mark} {level}"


def tracks_drawing(view: View, artist: Artist, room: float) -> Drawing | None:
    """The tracks with marks below each other; None if there are none."""
    tracks = marked_tracks(view)
    if not tracks:
        return None
    heads = {name: f"{spoken(name)}: {view['state'][name]}" for name in tracks}
    left = max(width_of(text, 14, bold=True) for text in heads.values()) + 34
    long = max(min(BAR, room - left - 40), 120.0)
    drawn, y = "", 0.0
    for name, marks in tracks.items():
        line = _track(view, name, marks, artist, long)
        drawn += words(0, y + line.above + HIGH - 2, heads[name], 14, bold=True)
        drawn += line.drawing.at(left, y)
        y += line.drawing.height + 12
    return Drawing(left + long + 40, y - 12, drawn)


@dataclass(frozen=True, slots=True)
class _Line:
    """A track as drawn, and how far down its bar begins."""

    drawing: Drawing
    above: float


def _track(view: View, name: str, marks: Sequence[tuple[str, int]], artist: Artist, long: float) -> _Line:
    low, high = view["ranges"][name]
    value = view["state"][name]

    def at(number: int) -> float:
        return long * (number - int(low)) / (int(high) - int(low))

    zones = {level: view["zones"].get(mark_name(mark, level)) for mark, level in marks}
    above = PIECE + 4 if any(zone is not None and zone["count"] for zone in zones.values()) else 0.0
    drawn = words(-8, above + HIGH - 2, low, 12, anchor="end", fill=PALE_INK)
    drawn += words(long + 8, above + HIGH - 2, high, 12, fill=PALE_INK)
    drawn += box(0, above, long, HIGH, "#ececec", FRAME_LINE, round=3)
    if value > low:
        drawn += box(0, above, at(value), HIGH, "#4d4d4d", round=3)
    for level, zone in zones.items():
        drawn += box(at(level) - 1.5, above - 3, 3, HIGH + 6, "#ffffff", INK, round=0)
        if zone is not None and zone["count"]:
            drawn += _lying(zone, artist, at(level), above - 4)
    rows: list[float] = []
    for text, middle in sorted(
        ((spoken(mark_name(*mark)), at(mark[1])) for mark in marks), key=lambda m: m[1]
    ):
        half = width_of(text, 12) / 2
        row = next((i for i, right in enumerate(rows) if middle - half > right), len(rows))
        rows[row:] = [middle + half + 6]
        drawn += words(middle, above + HIGH + LABEL * (row + 1), text, 12, anchor="middle")
    return _Line(Drawing(long, above + HIGH + LABEL * len(rows) + 3, drawn), above)


def _lying(zone: Mapping[str, Any], artist: Artist, middle: float, foot: float) -> str:
    """What lies on a mark, the sorts side by side around it."""
    sorts = alike(zone["pieces"])
    wide = [
        artist.die_width(p, PIECE) if p is not None and p.get("form") == "die" else PIECE for p, _ in sorts
    ]
    drawn, x = "", middle - sum(wide) / 2
    for (piece, count), width in zip(sorts, wide, strict=True):
        drawn += artist.piece(piece, x, foot - PIECE, width, PIECE)
        if count > 1:
            drawn += words(x + width - 2, foot - 2, f"×{count}", 11, bold=True)
        x += width
    return drawn
