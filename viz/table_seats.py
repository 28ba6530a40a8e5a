"""Seats: for each player a colour and a mark, so that nothing on a table is told by colour alone.

Comes in: the names of the players in seat order. Goes out: a `Seat` for each. The colours are those of
Okabe and Ito, which colour-blind people can tell apart, and a few beside them. A name that says a
colour (`red`, `player_green`) gets that one, a name that says a shape (`x`, `o`, `star`) gets that shape,
the others get what is left in seat order. What never happens: two seats with the same mark (up to
twenty; more do not sit at a table), or, among the first ten, with the same colour. To add a word: a line
in `COLOUR_WORDS` or `SHAPE_WORDS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BLUE, ORANGE, GREEN, PURPLE, RED, SKY, YELLOW, BLACK, BROWN, PINK = COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#7b4ea3", "#d55e00",
    "#56b4e9", "#f0e442", "#1a1a1a", "#8c510a", "#cc79a7",
)  # fmt: skip
"""In the order in which seats without a colour of their own get them."""

WHITE, GREY = "#ffffff", "#6e6e6e"
NEUTRAL = "#b4b4b4"
"""The colour of pieces that nobody owns; no seat has it."""

COLOUR_WORDS = {
    "blue": BLUE, "navy": BLUE, "orange": ORANGE, "gold": ORANGE, "amber": ORANGE, "green": GREEN,
    "teal": GREEN, "purple": PURPLE, "violet": PURPLE, "red": RED, "scarlet": RED, "sky": SKY, "cyan": SKY,
    "turquoise": SKY, "yellow": YELLOW, "black": BLACK, "brown": BROWN, "pink": PINK, "magenta": PINK,
    "white": WHITE, "ivory": WHITE, "grey": GREY, "gray": GREY, "silver": GREY,
}  # fmt: skip

SHAPES = ("circle", "square", "triangle", "diamond", "star", "cross", "hexagon", "ring", "bar", "heart")
SHAPE_WORDS = {
    "o": "ring", "x": "cross", "noughts": "ring", "crosses": "cross", "hex": "hexagon", "stars": "star",
    "hearts": "heart", "diamonds": "diamond", **{shape: shape for shape in SHAPES},
}  # fmt: skip

_SIGNS = dict(zip(SHAPES, "●■▲◆★✖⬢○▬♥", strict=True))
_OPEN_SIGNS = dict(zip(SHAPES, "◉▣△◈☆✗⬡◎▭♡", strict=True))
_STYLES = {
    BLUE: "bright_blue", ORANGE: "dark_orange", GREEN: "green", PURPLE: "medium_purple", RED: "red",
    SKY: "bright_cyan", YELLOW: "bright_yellow", BLACK: "", BROWN: "orange4", PINK: "hot_pink",
    WHITE: "bright_white", GREY: "bright_black",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seat:
    """How one player's things look. `open`: the shape has a hole, as those of the eleventh seat and
    later have. `dark`: writing on the colour has to be light."""

    name: str
    colour: str
    shape: str
    open: bool = False

    @property
    def sign(self) -> str:
        """The mark as one character; a name of one character is its own mark."""
        if len(self.name) == 1:
            return self.name
        return (_OPEN_SIGNS if self.open else _SIGNS)[self.shape]

    @property
    def style(self) -> str:
        """The colour for a terminal, as rich names it; "" where the colour of all writing will do."""
        return _STYLES[self.colour]

    @property
    def dark(self) -> bool:
        """Whether the colour is a dark one."""
        red, green, blue = (int(self.colour[i : i + 2], 16) for i in (1, 3, 5))
        return 299 * red + 587 * green + 114 * blue < 140_000


def seats_of(players: Sequence[str]) -> dict[str, Seat]:
    """The seats by the names of the players. The same names in the same order always look the same."""
    colours = _settled([_said(name, COLOUR_WORDS) for name in players], COLOURS)
    shapes = _settled([_said(name, SHAPE_WORDS) for name in players], SHAPES)
    found: dict[str, Seat] = {}
    taken: set[str] = set()
    for name, colour, shape in zip(players, colours, shapes, strict=True):
        found[name] = Seat(name, colour, shape, shape in taken)
        taken.add(shape)
    return found


def _said(name: str, words: dict[str, str]) -> str | None:
    """What a name says by one of its words."""
    return next((words[word] for word in name.lower().replace("-", "_").split("_") if word in words), None)


def _settled(wanted: Sequence[str | None], usual: Sequence[str]) -> list[str]:
    """For each seat what it wants, unless an earlier one has it; for the others what is free, and from
    the beginning again when nothing is."""
    taken: set[str] = set()
    found: list[str | None] = []
    for one in wanted:
        found.append(one if one is not None and one not in taken else None)
        taken.update(x for x in found[-1:] if x is not None)
    free = [x for x in usual if x not in taken]
    settled: list[str] = []
    for seat in found:
        if seat is None:
            free = free or list(usual)
            seat = free.pop(0)
        settled.append(seat)
    return settled
