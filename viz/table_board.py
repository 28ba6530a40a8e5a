"""Boards: rows and columns with their names, what lies on the spaces, and the names of empty spaces.

Comes in: a board as a view gives it. Goes out: a `Drawing`. A board without bounds goes on where nothing
lies, so it gets a rim of empty spaces; the rows of a board of hexagons each begin half a space further to
the right; spaces that lie in no rows are drawn one after the other, each with its name. What never
happens: a space that cannot be named by what is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.interpreter.layout import column_name
from rulewright.viz.style import FRAME_LINE, PALE_INK
from rulewright.viz.table_ink import around, box, clean, number, polygon, shortened, width_of, words
from rulewright.viz.table_pieces import Artist, Piece, is_token, over_text, spoken, state_text

Board = Mapping[str, Any]
Cell = Mapping[str, Any] | None
CARD_CELL, CELL, SMALL_CELL = 118.0, 58.0, 40.0
SMALL_FROM = 12  # a board of tokens with so many columns or rows has small spaces
FIELD, EMPTY_LINE, CHANGED = "#f3f1ea", "#c9c4b4", "#ffb000"
PER_LINE = 8  # spaces in a line where a board has no rows
HEX_ROW = 3**0.5 / 2  # how far apart rows of hexagons lie, whose sides touch, for each space as wide as 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of a picture with its size; its own corner is at 0, 0."""

    width: float
    height: float
    svg: str

    def at(self, x: float, y: float) -> str:
        """The part at a place of the whole."""
        return f'<g transform="translate({number(x)} {number(y)})">{self.svg}</g>'


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells with the names of rows and columns."""

    rows: tuple[tuple[Cell, ...], ...]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]


def grid_of(board: Board) -> Grid:
    """The grid of a board; one without bounds with the empty spaces around what lies there."""
    rows = tuple(tuple(row) for row in board["rows"])
    row_names, column_names = tuple(board["row_names"]), tuple(board["column_names"])
    if not board["unbounded"]:
        return Grid(rows, row_names, column_names)
    first, last = column_number(column_names[0]), column_number(column_names[-1])
    columns = (column_name(first - 1), *column_names, column_name(last + 1))
    names = (str(int(row_names[0]) - 1), *row_names, str(int(row_names[-1]) + 1))
    empty: tuple[Cell, ...] = (None,) * len(columns)
    return Grid((empty, *((None, *row, None) for row in rows), empty), names, columns)


def column_number(name: str) -> int:
    """The column of a name: `a` is 0, `aa` 26, `-a` is -1."""
    if name.startswith("-"):
        return -column_number(name[1:]) - 1
    found = 0
    for letter in name:
        found = found * 26 + ord(letter) - ord("a") + 1
    return found - 1


def board_drawing(board: Board, artist: Artist, cards: bool, changed: Collection[str] = ()) -> Drawing:
    """A board. `cards`: spaces are large enough for cards even where none lies there; `changed` are names of
    spaces that are to stand out."""
    if "rows" not in board:
        return _loose(board, artist, cards, changed)
    grid = grid_of(board)
    long = max(len(grid.column_names), len(grid.row_names)) >= SMALL_FROM
    size = CARD_CELL if cards else SMALL_CELL if long else CELL
    hexagons = str(board["shape"]).startswith("hex")
    pitch = size * HEX_ROW if hexagons and not cards else size
    left = 16.0 + max(width_of(n, 13) for n in grid.row_names)
    drawn = []
    for column, name in enumerate(grid.column_names):
        drawn.append(words(left + (column + 0.5) * size, 13, name, 13, anchor="middle", fill=PALE_INK))
    for row, name in enumerate(grid.row_names):
        shift, y = (row * size / 2 if hexagons else 0.0), 22 + row * pitch
        drawn.append(words(left + shift - 8, y + size / 2 + 5, name, 13, anchor="end", fill=PALE_INK))
        for column, cell in enumerate(grid.rows[row]):
            space, x = grid.column_names[column] + name, left + shift + column * size
            ground = _ground(x, y, size, hexagons and not cards, cell is None, space in changed)
            content = _content(cell, board, artist, x, y, size, space)
            told = f"<title>{clean(space_text(space, cell))}</title>"
            drawn.append(f'<g class="space {_id(space)}">{told}{ground}{content}</g>')
    slant = (len(grid.rows) - 1) * size / 2 if hexagons else 0.0
    width = left + len(grid.column_names) * size + slant + 2
    return Drawing(width, 26 + (len(grid.rows) - 1) * pitch + size, "".join(drawn))


def space_text(name: str, cell: Cell) -> str:
    """A space in words, which a browser shows beside the pointer: what is cut short on the card is not
    cut here."""
    if cell is None:
        return f"{name}: empty"
    top, under = cell["top"], list(cell.get("under", ()))
    said = [spoken(str(top["title"])) if top is not None else "hidden"]
    if top is not None and (state := state_text(top)):
        said.append(f"({state})")
    if under:
        said.append(f"over {over_text(under)}")
    return f"{name}: {' '.join(said)}"


def _id(space: str) -> str:
    """The name of a space as a class of SVG."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in space)


def _ground(x: float, y: float, size: float, hexagon: bool, empty: bool, changed: bool) -> str:
    line, thick = (CHANGED, 4.0) if changed else (EMPTY_LINE, 1.0)
    if hexagon:
        return polygon(around(x + size / 2, y + size / 2, size * 0.56, 6), FIELD, line, thick)
    inset = 1 + thick / 2
    return box(
        x + inset, y + inset, size - 2 * inset, size - 2 * inset, FIELD, line,
        round=4, thick=thick, dashed=empty and not changed,
    )  # fmt: skip


def _content(cell: Cell, board: Board, artist: Artist, x: float, y: float, size: float, name: str) -> str:
    """What lies on a space, or its name where it is empty."""
    if cell is None:
        small = min(12.0, size / 4.2)
        text = shortened(name, small, size * 0.9)
        return words(x + size / 2, y + size / 2 + small / 3, text, small, anchor="middle", fill="#8a8577")
    top, under = cell["top"], list(cell.get("under", ()))
    inner = size - 10
    if under and not board.get("covers", True):
        return _beside([*under, top], artist, x + 5, y + 5, inner)
    return artist.stack(top, under, x + 5, y + 5, inner, inner)


def _beside(pieces: Sequence[Piece | None], artist: Artist, x: float, y: float, size: float) -> str:
    """Pieces that lie on one space side by side: up to four in quarters, more of them counted."""
    if len(pieces) > 4:
        return artist.counted(pieces, x + 2, y + size / 2, size / 7, size - 4)
    drawn = ""
    for i, piece in enumerate(pieces):
        drawn += artist.piece(piece, x + i % 2 * size / 2, y + i // 2 * size / 2, size / 2, size / 2)
    return drawn


def _loose(board: Board, artist: Artist, cards: bool, changed: Collection[str]) -> Drawing:
    """Spaces that lie in no rows."""
    spaces: Mapping[str, Cell] = board["spaces"]
    size = CARD_CELL if cards else CELL + 14
    drawn = []
    for i, (name, cell) in enumerate(spaces.items()):
        x, y = i % PER_LINE * (size + 6), i // PER_LINE * (size + 24)
        shown = shortened(spoken(name), 12, size)
        drawn.append(words(x + size / 2, y + 12, shown, 12, anchor="middle", fill=PALE_INK))
        drawn.append(_ground(x, y + 16, size, False, cell is None, name in changed))
        if cell is not None:
            drawn.append(_content(cell, board, artist, x, y + 16, size, name))
    columns, lines = min(PER_LINE, len(spaces)), -(-len(spaces) // PER_LINE)
    return Drawing(columns * (size + 6), lines * (size + 24), "".join(drawn))


def holds_cards(board: Board) -> bool | None:
    """Whether cards (or dice) lie on a board, or None where nothing known does."""
    cells = board["spaces"].values() if "spaces" in board else [c for row in board["rows"] for c in row]
    tops = [c["top"] for c in cells if c is not None]
    if not any(p is not None for p in tops):
        return None
    return any(p is not None and not is_token(p) and p.get("form") != "die" for p in tops)


def line_of(drawing: Drawing, title: str) -> Drawing:
    """A drawing under a title, in a frame."""
    width = max(drawing.width, width_of(title, 15, bold=True)) + 24
    frame = box(0, 0, width, drawing.height + 44, "#ffffff", FRAME_LINE, round=8)
    head = words(12, 22, title, 15, bold=True)
    return Drawing(width, drawing.height + 44, frame + head + drawing.at(12, 34))
