"""Pieces: cards, tokens and dice as boxes, marks and faces.

Comes in: pieces as a view gives them (None is a hidden one), a place and a size. Goes out: SVG. A card shows
its title, its code, its icon and its state, whose it is by a mark and the colour of its edge, and counted
tokens that lie on it; cards under it peek out behind. What never happens: anything drawn that is not in
the view, or a piece whose owner shows by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.viz.style import FRAME_LINE, INK, PALE_INK
from rulewright.viz.table_ink import box, disc, shortened, width_of, words, wrapped
from rulewright.viz.table_marks import mark
from rulewright.viz.table_seats import Seat

Piece = Mapping[str, Any]
PAPER, COVERED, BACK, BACK_LINE = "#fffdf6", "#e9e4d4", "#7f8c9b", "#dfe5ec"
KNOWN_KEYS = frozenset({"code", "title", "kind", "owner", "on", "form", "icon"})
WORD, LONGEST_WORD = 11.0, 80.0  # how large a word on a die is at least, and how wide it may make the die
FACE = "face"  # the state of a piece that says what it shows
PIPS = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip


def spoken(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def is_token(piece: Piece) -> bool:
    """Whether a piece is drawn as a mark: a token, or where the rules do not say what it is, one that
    only its owner tells apart."""
    form = piece.get("form", "")
    return form == "token" or (not form and piece["owner"] is not None and piece["code"] == piece["kind"])


def state_of(piece: Piece) -> dict[str, Any]:
    """What can change about a piece and is not said by its title already."""
    told = {spoken(str(piece["title"])).casefold(), str(piece["code"]).casefold()}
    return {
        spoken(key.removesuffix(" of piece")): value
        for key, value in piece.items()
        if key not in KNOWN_KEYS
        and value not in (None, False, [])
        and spoken(str(value)).casefold() not in told
    }


def state_text(piece: Piece, faces: bool = True) -> str:
    """The state of a piece in words."""
    said = []
    for name, value in state_of(piece).items():
        if value is True:
            said.append(name)
        elif name == FACE:
            said += [spoken(str(value))] if faces else []
        elif isinstance(value, list):
            said.append(f"{name} {' '.join(spoken(str(v)) for v in value)}")
        else:
            said.append(f"{name} {value}" if isinstance(value, int) else spoken(str(value)))
    return ", ".join(said)


def alike(pieces: Iterable[Piece | None]) -> list[tuple[Piece | None, int]]:
    """Equal pieces once, with how many there are, in the order in which they come."""
    found: dict[str, tuple[Piece | None, int]] = {}
    for piece in pieces:
        key = repr(piece)
        found[key] = (piece, found[key][1] + 1 if key in found else 1)
    return list(found.values())


def every_piece(view: Mapping[str, Any]) -> Iterator[Piece]:
    """Every piece in a view that is known, wherever it lies."""
    found = [p for zone in view["zones"].values() for p in zone["pieces"]]
    for board in view["boards"].values():
        cells = board["spaces"].values() if "spaces" in board else [c for row in board["rows"] for c in row]
        found += [p for c in cells if c is not None for p in (c["top"], *c.get("under", ()))]
    for piece in found:
        if piece is not None:
            yield piece
            yield from (p for p in piece.get("on", ()) if p is not None)


@dataclass(frozen=True, slots=True)
class Artist:
    """Draws the pieces of one view. `seats` by the names of the players; `short` what is written on
    tokens by their kind, where there are several kinds, "" where there is one; `several_dice`: dice of
    different codes are told apart by them."""

    seats: Mapping[str, Seat]
    short: Mapping[str, str]
    several_dice: bool = False

    def seat(self, piece: Piece) -> Seat | None:
        """Whose a piece is."""
        return self.seats.get(piece["owner"]) if piece["owner"] is not None else None

    def label(self, piece: Piece) -> str:
        """What is written on a token."""
        if piece.get("icon"):
            return str(piece["icon"])
        return str(piece["code"]) if piece["code"] != piece["kind"] else self.short.get(piece["kind"], "")

    # --------------------------------------------------------------- any piece

    def piece(self, piece: Piece | None, x: float, y: float, width: float, height: float) -> str:
        """A piece in a rectangle."""
        if piece is None:
            return self.back(x, y, width, height)
        if piece.get("form") == "die":
            return self.die(piece, x, y, width, height)
        if is_token(piece):
            radius = min(width, height) * 0.4
            return self.token(piece, x + width / 2, y + height / 2, radius)
        return self.card(piece, x, y, width, height)

    def back(self, x: float, y: float, width: float, height: float, count: int = 1) -> str:
        """The back of a card, with how many there are."""
        drawn = box(x, y, width, height, BACK, INK, round=5)
        drawn += box(x + 4, y + 4, width - 8, height - 8, "none", BACK_LINE, round=3)
        text = f"×{count}" if count > 1 else "?"
        size = min(18.0, width / 3)
        return drawn + words(
            x + width / 2, y + height / 2 + size / 3, text, size, anchor="middle", bold=True, fill="#ffffff"
        )

    # -------------------------------------------------------------------- cards

    def card(self, piece: Piece, x: float, y: float, width: float, height: float, free: float = 0) -> str:
        """A card with what is on it and what lies on it; `free` is kept free above the tokens."""
        seat, size = self.seat(piece), width / 8.5
        edge = (seat.colour, 3.0) if seat is not None else (FRAME_LINE, 1.0)
        drawn = box(x, y, width, height, PAPER, INK, round=5)
        if seat is not None:
            drawn += box(x + 2, y + 2, width - 4, height - 4, "none", edge[0], round=4, thick=edge[1])
        left, right, line = x + width * 0.08, x + width * 0.92, y + height * 0.06 + size
        if seat is not None:
            drawn += mark(right - size * 0.5, line - size * 0.35, size * 0.6, seat)
            right -= size * 1.5
        icon = str(piece.get("icon", ""))
        if icon:
            drawn += words(right, line + size * 0.25, icon, size * 1.5, anchor="end")
            right -= width_of(icon, size * 1.5)
        code = str(piece["code"])
        if spoken(code).casefold() != spoken(str(piece["title"])).casefold():
            drawn += words(left, line, shortened(code, size, right - left), size, bold=True, fill=PALE_INK)
        return drawn + self._texts(piece, x, line + size * 0.3, width, y + height - line - size * 0.3, free)

    def _texts(self, piece: Piece, x: float, y: float, width: float, height: float, free: float) -> str:
        """The title, the state below it, and the tokens at the lower edge."""
        size, drawn = width / 8, ""
        on, state = piece.get("on") or [], state_text(piece)
        if width_of(spoken(str(piece["title"])), width / 5) <= width * 0.7:
            size = width / 5.5  # a short title may be large
        small = width / 8
        foot = free + (small * 1.7 if on else 0.0)
        lines = max(1, int((height - foot - (size if state else 0) - size * 0.3) / (size * 1.15)))
        title = wrapped(spoken(str(piece["title"])), size, width * 0.88, min(3, lines))
        tall = len(title) * size * 1.15 + (size if state else 0)
        line = y + max(size, (height - foot - tall) / 2 + size * 0.8)
        for text in title:
            drawn += words(x + width / 2, line, text, size, anchor="middle")
            line += size * 1.15
        if state:
            text = shortened(state, small * 0.82, width * 0.9)
            drawn += words(x + width / 2, line, text, small * 0.82, anchor="middle", fill=PALE_INK)
        if on:
            drawn += self.counted(on, x + width * 0.06, y + height - small * 1.05, small * 0.68, width * 0.88)
        return drawn

    # ------------------------------------------------------------------- tokens

    def token(self, piece: Piece, x: float, y: float, radius: float) -> str:
        """A token: the mark of its owner, with its icon or what tells it from other tokens."""
        seat = self.seat(piece)
        drawn = mark(x, y, radius, seat)
        label = ", ".join(t for t in (self.label(piece), state_text(piece)) if t)
        if label and radius >= 5:
            hollow = seat is not None and (seat.shape in ("ring", "cross", "bar") or seat.open)
            size = min(radius * 0.95, radius * 1.5 * radius / max(width_of(label, radius), 1))
            size = max(size, radius * 0.5)
            if hollow or width_of(label, size) > radius * 1.9:  # beside it, on paper of its own
                size = min(size, max(8.0, radius * 0.5))
                room = width_of(label, size) + 4
                drawn += box(
                    x - room / 2, y + radius * 0.55, room, size * 1.3, "#ffffff", FRAME_LINE, round=2
                )
                drawn += words(x, y + radius * 0.55 + size, label, size, anchor="middle")
            else:
                fill = "#ffffff" if seat is not None and seat.dark else INK
                drawn += words(x, y + size * 0.36, label, size, anchor="middle", bold=True, fill=fill)
        on = piece.get("on") or []
        return drawn + (
            self.counted(on, x - radius, y + radius * 0.7, radius * 0.35, 2 * radius) if on else ""
        )

    def counted(self, pieces: Sequence[Piece | None], x: float, y: float, radius: float, room: float) -> str:
        """Pieces in small, each sort once with how many there are; smaller where there are many sorts."""
        sorts = alike(_small(p) for p in pieces)
        size = radius * 1.7
        gap = radius * 0.7
        wide = sum(self._sort_width(p, n, radius, size) + gap for p, n in sorts) - gap
        if wide > room:
            radius, size, gap = (v * room / wide for v in (radius, size, gap))
        drawn, at = "", x
        for piece, count in sorts:
            drawn += self._sort(piece, count, at, y, radius, size)
            at += self._sort_width(piece, count, radius, size) + gap
        return drawn

    def _sort_width(self, piece: Piece | None, count: int, radius: float, size: float) -> float:
        label = self._beside(piece)
        text = (label if label else "") + (str(count) if count > 1 else "")
        return 2.2 * radius + (width_of(text, size) if text else 0)

    def _beside(self, piece: Piece | None) -> str:
        """What is written beside a small piece: of a token what tells it apart, of others their code."""
        if piece is None or is_token(piece):
            return "" if piece is None else self.label(piece)
        return str(piece["code"])

    def _sort(self, piece: Piece | None, count: int, x: float, y: float, radius: float, size: float) -> str:
        if piece is None:
            drawn = box(x, y - radius, 1.6 * radius, 2 * radius, BACK, INK, round=1)
        elif is_token(piece) or piece["owner"] is not None:
            drawn = mark(x + radius, y, radius, self.seat(piece))
        else:
            drawn = box(x, y - radius, 1.6 * radius, 2 * radius, PAPER, INK, round=1)
        text = self._beside(piece) + (str(count) if count > 1 else "")
        return drawn + (words(x + 2.2 * radius, y + size * 0.36, text, size, bold=True) if text else "")

    # --------------------------------------------------------------------- dice

    def die(self, piece: Piece, x: float, y: float, width: float, height: float) -> str:
        """A die with the face that it shows: pips from 1 to 6, else words, for which it may be wider than
        high (`die_width`)."""
        side = min(width, height) * 0.8
        text = self._face_word(piece)
        long = side if text is None else min(width * 0.95, max(side, _word_width(text)))
        left, top, seat = x + (width - long) / 2, y + (height - side) / 2, self.seat(piece)
        drawn = box(left, top, long, side, "#ffffff", INK, round=side / 6, thick=1.5)
        if seat is not None:
            drawn += box(left + 2, top + 2, long - 4, side - 4, "none", seat.colour, round=side / 7, thick=3)
            drawn += mark(left + long, top, side * 0.14, seat)
        middle_x, middle_y = left + long / 2, top + side / 2
        if text is None:
            for a, b in PIPS[state_of(piece)[FACE]]:
                drawn += disc(middle_x + a * side * 0.26, middle_y + b * side * 0.26, side * 0.085, INK)
        else:
            size = min(side * 0.5, side * 0.5 * long * 0.88 / max(width_of(text, side * 0.5), 1))
            drawn += words(middle_x, middle_y + size * 0.36, text, size, anchor="middle", bold=True)
        more = state_text(piece, faces=False)
        if more:
            size = min(11.0, side / 4)
            drawn += words(middle_x, top + side + size, shortened(more, size, width), size, anchor="middle")
        return drawn

    def _face_word(self, piece: Piece) -> str | None:
        """What is written on a die; None where it shows pips."""
        face = state_of(piece).get(FACE)
        if isinstance(face, int) and face in PIPS:
            return None
        if face is None:
            return str(piece.get("icon") or piece["code"])
        return f"{piece['code']}: {spoken(str(face))}" if self.several_dice else spoken(str(face))

    def die_width(self, piece: Piece, height: float) -> float:
        """How wide a die has to be for its face to be read."""
        text = self._face_word(piece)
        return height if text is None else max(height, _word_width(text) / 0.95)

    # ------------------------------------------------------------------- stacks

    def stack(
        self,
        top: Piece | None,
        under: Sequence[Piece | None],
        x: float,
        y: float,
        width: float,
        height: float,
    ) -> str:
        """A card that covers others: their edges peek out behind it, and it says what it lies over."""
        if not under:
            return self.piece(top, x, y, width, height)
        steps, step = min(3, len(under)), width * 0.045
        wide, high = width - steps * step, height - steps * step
        drawn = ""
        for i in range(steps, 0, -1):
            fill, inner = (BACK, BACK_LINE) if under[-i] is None else (COVERED, FRAME_LINE)
            left, upper = x + i * step, y + (steps - i) * step
            drawn += box(left, upper, wide, high, fill, INK, round=5)
            drawn += box(left + 2, upper + 2, wide - 4, high - 4, "none", inner)
        size, upper = width / 11, y + steps * step
        flat = top is None or is_token(top) or top.get("form") == "die"
        drawn += self.piece(top, x, upper, wide, high) if flat else ""
        drawn += self.card(top, x, upper, wide, high, size * 1.3) if top is not None and not flat else ""
        text = shortened(f"over {over_text(under)}", size, wide * 0.9)
        tokens = wide / 8 * 1.7 if top is not None and top.get("on") else 0  # they lie at the lower edge
        foot, room = y + height - size * 1.35 - tokens, width_of(text, size) + size
        drawn += box(x + (wide - room) / 2, foot, room, size * 1.3, "#ebebeb", "none", round=3)
        return drawn + words(x + wide / 2, foot + size, text, size, anchor="middle", fill=PALE_INK)


def _word_width(text: str) -> float:
    return min(width_of(text, WORD) * 1.15 + 6, LONGEST_WORD)


def over_text(under: Sequence[Piece | None]) -> str:
    """What a card lies over, the uppermost first: the title of a single one, the codes of several."""
    known = [p for p in reversed(under) if p is not None]
    hidden = len(under) - len(known)
    if len(known) == 1 and not hidden:
        return spoken(str(known[0]["title"]))
    said = [str(p["code"]) + (f"×{n}" if n > 1 else "") for p, n in alike(known) if p is not None]
    return ", ".join([*said, *([f"{hidden} hidden"] if hidden else [])])


def _small(piece: Piece | None) -> Piece | None:
    """A piece as it counts among others: without what lies on it."""
    return None if piece is None else {k: v for k, v in piece.items() if k != "on"}


def several_dice(view: Mapping[str, Any]) -> bool:
    """Whether dice with different codes are known."""
    return len({p["code"] for p in every_piece(view) if p.get("form") == "die"}) > 1


def short_names(view: Mapping[str, Any]) -> dict[str, str]:
    """What is written on tokens by kind: initials of the title, where tokens of several kinds have one
    mark; nothing where the mark says all."""
    titles: dict[str, str] = {}
    kinds: dict[str | None, set[str]] = {}
    for piece in every_piece(view):
        if is_token(piece) and piece["code"] == piece["kind"] and not piece.get("icon"):
            titles[piece["kind"]] = spoken(str(piece["title"]))
            kinds.setdefault(piece["owner"], set()).add(piece["kind"])
    found: dict[str, str] = {}
    for kind in sorted({k for same in kinds.values() if len(same) > 1 for k in same}):
        initials = "".join(word[0] for word in titles[kind].split())[:2].upper()
        choices = [initials, *(kind[: n + 1] for n in range(len(kind)))]
        found[kind] = next((c for c in choices if c and c not in found.values()), kind)
    return found
