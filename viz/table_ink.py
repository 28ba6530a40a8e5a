"""Ink: the few shapes and lines of text that a table is drawn with, as SVG.

Comes in: places, sizes, words. Goes out: SVG elements as text, and how wide words are. What never
happens: a word that is not escaped, a character that XML does not know, or a file that needs another one
(no fonts, no pictures, no scripts).
"""

from __future__ import annotations

import math
import unicodedata
from html import escape

from rulewright.viz.style import FONT, INK

_NARROW, _WIDE = frozenset("iljtfr.,:;'|!()[] -/·"), frozenset("mwMWQOGD@%&—…")


def clean(text: object) -> str:
    """Words as XML may hold them; what is no character there becomes one that shows it."""
    return escape("".join(c if _may_stand(c) else "\ufffd" for c in str(text)), quote=True)


def _may_stand(character: str) -> bool:
    code = ord(character)
    return 0x20 <= code < 0x7F or 0xA0 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF


def number(value: float) -> str:
    """A length, as short as it goes."""
    return f"{value:.1f}".removesuffix(".0")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is, rather too wide than too narrow: where the font is missing, others are wider."""
    return size * sum(_share(c) for c in text) * (1.1 if bold else 1)


def _share(character: str) -> float:
    if character in _NARROW:
        return 0.41
    if character in _WIDE:
        return 0.96
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.75 if character.isupper() or ord(character) > 0x2000 else 0.64


def shortened(text: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as there is room for."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, size: float, room: float, lines: int) -> list[str]:
    """A text in lines that fit, at most so many; what does not fit is cut with an ellipsis."""
    found: list[str] = []
    for word in text.split():
        joined = f"{found[-1]} {word}" if found else word
        if found and width_of(joined, size) <= room:
            found[-1] = joined
        else:
            found.append(word)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [shortened(line, size, room) for line in found]


def words(
    x: float,
    y: float,
    text: object,
    size: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    fill: str = INK,
) -> str:
    """A line of text; `y` is the line it stands on, `anchor` "start", "middle" or "end"."""
    weight = ' font-weight="bold"' if bold else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    place = f'x="{number(x)}" y="{number(y)}"'
    return f'<text {place} font-size="{number(size)}" fill="{fill}"{at}{weight}>{clean(text)}</text>'


def box(
    x: float, y: float, width: float, height: float, fill: str, line: str = "none", *,
    round: float = 6, thick: float = 1, dashed: bool = False,
) -> str:  # fmt: skip
    """A rectangle with round corners."""
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    where = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    stroke = f' stroke="{line}" stroke-width="{number(thick)}"' if line != "none" else ""
    return f'<rect {where} rx="{number(round)}" fill="{fill}"{stroke}{dashes}/>'


def disc(x: float, y: float, radius: float, fill: str, line: str = "none", thick: float = 1) -> str:
    """A filled circle."""
    stroke = f' stroke="{line}" stroke-width="{number(thick)}"' if line != "none" else ""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"{stroke}/>'


def polygon(points: list[tuple[float, float]], fill: str, line: str = "none", thick: float = 1) -> str:
    """A filled polygon."""
    stroke = (
        f' stroke="{line}" stroke-width="{number(thick)}" stroke-linejoin="round"' if line != "none" else ""
    )
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return f'<polygon points="{corners}" fill="{fill}"{stroke}/>'


def around(x: float, y: float, radius: float, corners: int, turn: float = -90) -> list[tuple[float, float]]:
    """The corners of a regular polygon; the first one at the angle `turn` (-90 is up)."""
    angles = [math.radians(turn + 360 * i / corners) for i in range(corners)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


def document(width: float, height: float, title: str, parts: list[str]) -> str:
    """A whole SVG on a white ground."""
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}, Helvetica, sans-serif">'
    ground = f'<rect width="{number(width)}" height="{number(height)}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{clean(title)}</title>", ground, *parts, "</svg>", ""])
