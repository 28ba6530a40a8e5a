"""Edges: the spaces along a side of a board, and which of them are whose.

Comes in: a board and the name of a side, or how the seats move. Goes out: sets of spaces, row by row. A
space in a corner lies on two sides. What never happens: a space that is not on the board. To add a shape
whose sides are other ones: their names in `SIDES` of `dsl/check_boards.py`, their spaces in `border`.
"""

from __future__ import annotations

from rulewright.dsl.model import Board
from rulewright.interpreter.ir import BoardInfo

FACING = {"north": ("bottom", "top"), "south": ("top", "bottom"),
          "east": ("left", "right"), "west": ("right", "left")}  # fmt: skip
"""Where somebody begins who moves in a direction, and the side that they go for."""


def border(board: BoardInfo, side: str) -> tuple[int, ...]:
    """The spaces along the "top", "bottom", "left" or "right" of a board with rows and columns."""
    width, height = board.width, board.height
    match side:
        case "top":
            inside = range(width)
        case "bottom":
            inside = range((height - 1) * width, height * width)
        case "left":
            inside = range(0, height * width, width)
        case _:
            inside = range(width - 1, height * width, width)
    return tuple(board.first + i for i in inside)


def home_row(board: BoardInfo, way: str, last: bool) -> tuple[int, ...]:
    """The row (or column) at the back of who moves in a direction, or the `last` one, which they go for.
    Who moves aslant goes up or down.
    """
    straight = way if way in FACING else way.partition("_")[0]
    return border(board, FACING[straight][last])


def edge(board: BoardInfo, declared: Board, seat: str, last: bool) -> tuple[int, ...]:
    """The first or `last` of the two edges that a board gives to a seat; nothing for any other seat."""
    sides = {name.text: own for name, own in declared.edges}.get(seat, ())
    return border(board, sides[last].text) if len(sides) > 1 else ()
