"""Layout: where everything of a program lies, worked out once before play.

Comes in: a `Program`. Goes out: the offset of each variable in one flat list, what a place number means,
and the names of the spaces of an unbounded board. What never happens: anything that depends on the state
of a game.
"""

from __future__ import annotations

from rulewright.interpreter.ir import BoardInfo, PlaceInfo, Program, SetConst

SQUARE = {
    "north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1),
    "north_east": (-1, 1), "south_east": (1, 1), "north_west": (-1, -1), "south_west": (1, -1),
}  # fmt: skip
# On a board of hexagons rows slant: a row lies half a space further to the east than the one above it.
HEXAGON = {
    "east": (0, 1), "west": (0, -1), "north_east": (-1, 1), "south_west": (1, -1),
    "north_west": (-1, 0), "south_east": (1, 0),
}  # fmt: skip


class Layout:
    """The fixed layout of a program's state."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.offsets: list[int] = []
        self.initial: list[int | tuple[int, ...]] = []
        for v in program.variables:
            self.offsets.append(len(self.initial))
            self.initial.extend(v.initial)
        self.pieces = len(program.pieces)
        self.first_piece_place = program.first_piece_place
        self.unbounded = [(b.first, b.first + b.width * b.height, b) for b in program.boards if b.unbounded]
        self.places = max(
            [len(program.places), program.first_piece_place + self.pieces]
            + [end for _, end, _ in self.unbounded]
        )
        self._names: dict[int, str] = {}
        self._listed = {
            i for i, p in enumerate(program.places) if p.kind != "piece" and not self.in_unbounded(i)
        }

    def in_unbounded(self, place: int) -> BoardInfo | None:
        """The unbounded board that a place number belongs to, if it does."""
        for first, end, board in self.unbounded:
            if first <= place < end:
                return board
        return None

    def host(self, place: int) -> int:
        """The piece that a place is, or -1 if the place is no piece."""
        piece = place - self.first_piece_place
        return piece if 0 <= piece < self.pieces and place not in self._listed else -1

    def info(self, place: int) -> PlaceInfo:
        """What a place is: as listed, or made up for spaces of unbounded boards and for pieces."""
        if place in self._listed:
            return self.program.places[place]
        board = self.in_unbounded(place)
        if board is not None:
            row, column = divmod(place - board.first, board.width)
            name = space_name(row - board.height // 2, column - board.width // 2)
            order = "pile" if board.covers else "set"
            return PlaceInfo(name, "space", board.name, board.owner, order, board.viewers, row, column)
        piece = self.host(place)
        if piece >= 0:
            if place < len(self.program.places):
                return self.program.places[place]
            p = self.program.pieces[piece]
            return PlaceInfo(p.code or p.name, "piece", "", p.owner, "set", SetConst(()))
        raise IndexError(f"no place {place}")

    def name(self, place: int) -> str:
        """The name of a place that exists and is no piece."""
        found = self._names.get(place)
        if found is None:
            found = self._names[place] = self.info(place).name
        return found

    def exists(self, place: int) -> bool:
        """Whether a place number means anything."""
        return place in self._listed or self.in_unbounded(place) is not None or self.host(place) >= 0

    def board_at(self, place: int) -> BoardInfo | None:
        """The board that a space is part of."""
        for board in self.program.boards:
            if board.first <= place < board.first + board.width * board.height:
                return board
        return None


def moves_of(shape: str) -> dict[str, tuple[int, int]]:
    """How row and column change in each direction that boards of a shape have."""
    return HEXAGON if shape.startswith("hex") else SQUARE


def deltas(board: BoardInfo, directions: tuple[str, ...]) -> list[tuple[int, int] | None]:
    """How row and column change in each direction; None for one that the board does not have."""
    known = moves_of(board.shape)
    return [known.get(name) for name in directions]


def ways_of(shape: str, relation: str, directions: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of the directions in which the neighbours of a space lie: those at its edges ("adjacent"),
    at its corners alone ("diagonal"), or both ("surrounding").

    Hexagons that share a corner share an edge: around one there is nothing but the six that are adjacent.
    """
    known = moves_of(shape)
    hexagons = known is HEXAGON
    wanted = {"adjacent": (True,), "diagonal": (False,), "surrounding": (True, False)}[relation]
    return tuple(
        i for i, name in enumerate(directions) if name in known and (hexagons or 0 in known[name]) in wanted
    )


def space_name(row: int, column: int) -> str:
    """The name of a space by row and column from 0: `a1` is row 0, column 0.

    Left of column a come `-a`, `-b` …; above row 1 come 0, -1 …: `b-1` is column 1, row -2.
    """
    return column_name(column) + str(row + 1)


def column_name(column: int) -> str:
    """`a` … `z`, `aa` …; negative columns are `-a` (for -1), `-b` …."""
    if column < 0:
        return "-" + column_name(-column - 1)
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
