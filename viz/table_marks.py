"""Marks: the shape in a colour that says whose a thing is.

Comes in: a seat (`viz/table_seats.py`), or None for what nobody owns. Goes out: SVG. What never happens:
a mark without an edge, so that light colours show on white. To add a shape: its name in `SHAPES` of
table_seats, its signs there, and a case in `mark`.
"""

from __future__ import annotations

import math

from rulewright.viz.style import INK
from rulewright.viz.table_ink import around, box, disc, number, polygon
from rulewright.viz.table_seats import NEUTRAL, Seat


def mark(x: float, y: float, radius: float, seat: Seat | None) -> str:
    """The mark of a seat around a point; a plain grey disc with a broken edge for nobody."""
    if seat is None:
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius * 0.9)}" fill="{NEUTRAL}" '
            f'stroke="{INK}" stroke-width="1" stroke-dasharray="2 2"/>'
        )
    drawn = _shape(x, y, radius, seat.shape, seat.colour)
    if seat.open:
        drawn += disc(x, y, radius * 0.32, "#ffffff", INK)
    return f'<g class="mark {seat.shape}">{drawn}</g>'


def _shape(x: float, y: float, r: float, shape: str, fill: str) -> str:
    match shape:
        case "square":
            return box(x - r * 0.82, y - r * 0.82, r * 1.64, r * 1.64, fill, INK, round=1)
        case "triangle":
            return polygon(around(x, y + r * 0.18, r * 1.1, 3), fill, INK)
        case "diamond":
            return polygon(around(x, y, r * 1.08, 4), fill, INK)
        case "star":
            outer, inner = around(x, y, r * 1.12, 5), around(x, y, r * 0.5, 5, -54)
            return polygon([p for pair in zip(outer, inner, strict=True) for p in pair], fill, INK)
        case "cross":
            return polygon(_cross(x, y, r), fill, INK)
        case "hexagon":
            return polygon(around(x, y, r * 1.02, 6, 0), fill, INK)
        case "ring":
            return _ring(x, y, r, fill)
        case "bar":
            return box(x - r, y - r * 0.48, 2 * r, r * 0.96, fill, INK, round=2)
        case "heart":
            return _heart(x, y, r, fill)
        case _:
            return disc(x, y, r * 0.92, fill, INK)


def _cross(x: float, y: float, r: float) -> list[tuple[float, float]]:
    """A cross that stands on two feet: a plus, turned."""
    thin, long, turn = r * 0.32, r * 1.05, math.sqrt(0.5)
    plus = [
        (thin, -long), (thin, -thin), (long, -thin), (long, thin), (thin, thin), (thin, long),
        (-thin, long), (-thin, thin), (-long, thin), (-long, -thin), (-thin, -thin), (-thin, -long),
    ]  # fmt: skip
    return [(x + turn * (a - b), y + turn * (a + b)) for a, b in plus]


def _ring(x: float, y: float, r: float, fill: str) -> str:
    outer, inner = r * 0.98, r * 0.48

    def circle(radius: float) -> str:
        arc, middle = f"A{number(radius)} {number(radius)} 0 1 0", number(y)
        left, right = number(x - radius), number(x + radius)
        return f"M{left} {middle}{arc} {right} {middle}{arc} {left} {middle}Z"

    return f'<path d="{circle(outer)}{circle(inner)}" fill="{fill}" fill-rule="evenodd" stroke="{INK}"/>'


def _heart(x: float, y: float, r: float, fill: str) -> str:
    def at(dx: float, dy: float) -> str:
        return f"{number(x + dx * r)} {number(y + dy * r)}"

    path = (
        f"M{at(0, 0.95)}C{at(-1.5, -0.05)} {at(-0.95, -1.15)} {at(0, -0.4)}"
        f"C{at(0.95, -1.15)} {at(1.5, -0.05)} {at(0, 0.95)}Z"
    )
    return f'<path d="{path}" fill="{fill}" stroke="{INK}"/>'
