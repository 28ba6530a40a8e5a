"""Lay out the position that a scenario begins with.

Comes in: a state that has not begun, and the lines of `given`. Goes out: the same state with the pieces and
values where the scenario wants them: everything that is not named lies in the box, tokens in their supply.
Pieces that share a code are taken in their order, those of the owner of a place first. What never happens:
a piece in two places, or a line of `given` that does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence as Listed
from dataclasses import dataclass, field

from rulewright.dsl.model import Game
from rulewright.dsl.problems import Span
from rulewright.dsl.source import Entry, Scalar, Sequence
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.pictures import (
    Codes,
    Lying,
    Picture,
    Wanted,
    fit,
    name_at,
    place_at,
    read_picture,
    wrong,
)
from rulewright.interpreter.state import State
from rulewright.playtest.given_values import Values
from rulewright.playtest.scenarios_read import Scenario

CONTROL = ("phase", "turn")  # lines of `given` that say where the flow begins


@dataclass(slots=True)
class Table:
    """What a scenario knows of the table: the program, its codes, and its own names for spaces."""

    program: ir.Program
    game: Game
    codes: Codes
    pictures: dict[str, Picture] = field(default_factory=dict)  # of `given`, by the board's name
    spaces: dict[str, str] = field(default_factory=dict)

    def lying(self, state: State) -> Lying:
        """Where the pieces of a position are."""
        offsets = state.code.layout.offsets
        return Lying(
            state.contents,
            self.program.first_piece_place,
            lambda number, piece: state.vars[offsets[number] + piece],
        )

    def board(self, key: str) -> ir.BoardInfo | None:
        """The board that a key names: `grid`, or `ocean of red` where each player has one."""
        name, _, seat = key.partition(" of ")
        for board in self.program.boards:
            owner = self.program.players[board.owner] if board.owner >= 0 else ""
            if board.name == name and owner == seat:
                return board
        return None

    def zone(self, key: str) -> int:
        """The place of the zone or mark (`flag 12`) that a key names, -1 if there is none."""
        for number, place in enumerate(self.program.places):
            if place.kind in ("zone", "mark") and place.name == key:
                return number
        return -1

    def order(self, zone: int) -> str:
        """How pieces lie in a zone: "set", "pile" or "row"."""
        return self.program.places[zone].order

    def listed(self, entry: Entry) -> list[Wanted]:
        """The pieces that a list names."""
        if not isinstance(entry.value, Sequence):
            raise wrong(
                entry.key.span, f"`{entry.key.text}` holds pieces.", "List their codes: `[…]`, or `[]`."
            )
        found: list[Wanted] = []
        for item in entry.value.items:
            if not isinstance(item, Scalar):
                raise wrong(item.span, "A code is one word.", "List the codes of pieces.")
            found += self.codes.read(item.text.strip(), item.span)
        covering = next((w for w in found if w.under), None)
        if covering is not None:
            text = f"In `{entry.key.text}` nothing is covered."
            raise wrong(covering.span, text, "List each card by itself, without `>`.")
        return found

    def picture(self, entry: Entry, board: ir.BoardInfo, names: bool) -> Picture:
        """The picture of a board; with `names` its named spaces become known to the scenario, without they
        must be known."""
        if not isinstance(entry.value, Scalar) or entry.value.style not in ("literal", "csv"):
            raise wrong(entry.key.span, f"`{entry.key.text}` is a board.", "Draw it in a block: `|`.")
        picture = read_picture(entry.value, self.codes, frozenset(self.program.players))
        fit(picture, board, self.codes)
        if names:
            for name, (row, column) in picture.names.items():
                if name in self.spaces:
                    raise wrong(picture.span, f"Two spaces are called `{name}`.", "Take another name.")
                self.spaces[name] = name_at(board, row, column)
            return picture
        for name, (row, column) in picture.names.items():
            here = name_at(board, row, column)
            if self.spaces.get(name, "") != here:
                text = f"`{name}` is {self.spaces[name]}, and this is {here}." if name in self.spaces else ""
                text = text or f"No space is called `{name}`."
                raise wrong(picture.rows[row][column].span, text, "Names are given under `given` alone.")
        return picture

    def names(self) -> list[str]:
        """All that a line of `given` or `then` may begin with."""
        boards = [b.name for b in self.program.boards if b.owner < 0]
        boards += [
            f"{b.name} of {self.program.players[b.owner]}" for b in self.program.boards if b.owner >= 0
        ]
        zones = [p.name for p in self.program.places if p.kind in ("zone", "mark")]
        states = [v.name for v in self.program.variables if not v.hidden]
        return [*boards, *zones, *states]


def read_given(scenario: Scenario, table: Table) -> None:
    """Read the pictures of `given` first: their names for spaces may be used everywhere."""
    for entry in scenario.given():
        board = table.board(entry.key.text)
        if board is not None:
            table.pictures[entry.key.text] = table.picture(entry, board, names=True)


def lay_out(scenario: Scenario, table: Table, state: State) -> None:
    """Put pieces and values where `given` wants them. Unfit where that cannot be."""
    layout = _Layout(table, state)
    layout.clear()
    values = Values(table.program, table.game, table.codes, table.spaces)
    for entry in scenario.given():
        key = entry.key.text
        if key in CONTROL:
            continue
        board, zone = table.board(key), table.zone(key)
        if board is not None:
            layout.draw(board, table.pictures[key])
        elif zone >= 0:
            wanted = table.listed(entry)
            room = table.program.places[zone].room
            if 0 <= room < len(wanted):
                text = f"`{key}` has room for {room}, and these are {len(wanted)}."
                raise wrong(entry.key.span, text, "Leave some out.")
            layout.put(zone, wanted, top_first=table.order(zone) == "pile")
        else:
            _set_value(entry, table, state, layout, values)
    layout.finish()


def given_states(scenario: Scenario, game: Game) -> frozenset[str]:
    """The names of the states that `given` sets."""
    names = {e.key.text.partition(" of ")[0] for e in scenario.given()}
    states = {*game.states, *(s.name for p in game.phases.values() for s in p.states)}
    return frozenset(names & states)


def _set_value(entry: Entry, table: Table, state: State, layout: _Layout, values: Values) -> None:
    key = entry.key.text
    name, _, index = key.partition(" of ")
    offsets = state.code.layout.offsets
    for number, variable in enumerate(table.program.variables):
        if variable.name == f"{name} of piece" and index:
            piece = layout.laid(index, entry.key.span)
            state.vars[offsets[number] + piece] = values.value(variable, entry.value, entry.key)
            return
        if variable.name == name and not variable.hidden:
            for cell, value in values.given(variable, entry, index):
                state.vars[offsets[number] + cell] = value
            return
    near = closest(key, table.names())
    cure = f"Did you mean `{near}`?" if near else "Name a board, a zone, a state, `phase` or `turn`."
    raise wrong(entry.key.span, f"There is no `{key}` in this game.", cure)


class _Layout:
    """Places the pieces of one state."""

    def __init__(self, table: Table, state: State) -> None:
        self.table, self.state = table, state
        self.program = table.program
        self.free = set(range(len(self.program.pieces)))
        self.chosen: dict[str, int] = {}  # the last piece that was laid out for a code

    def clear(self) -> None:
        """Nothing lies anywhere yet."""
        self.state.contents.clear()

    def draw(self, board: ir.BoardInfo, picture: Picture) -> None:
        """Lay a picture onto its board."""
        for r, row in enumerate(picture.rows):
            for c, cell in enumerate(row):
                self.put(place_at(board, r, c), cell.wanted)

    def put(self, place: int, wanted: Listed[Wanted], top_first: bool = False) -> None:
        """Lay pieces onto a place, the last one (or the first one) uppermost, with what lies on them."""
        owner = self.program.places[place].owner if place < len(self.program.places) else -1
        taken = [(self.take(w, owner), w) for w in wanted]
        for piece, w in reversed(taken) if top_first else taken:
            self.put(place, tuple(reversed(w.under)))
            self.state.contents.setdefault(place, []).append(piece)
            self.state.place_of[piece] = place
            for number, value in w.state:
                self.state.vars[self.state.code.layout.offsets[number] + piece] = value
            self.put(self.program.first_piece_place + piece, w.on)

    def take(self, wanted: Wanted, owner: int) -> int:
        """A piece that is still free."""
        free = sorted(wanted.pieces & self.free)
        if not free:
            number = len(wanted.pieces)
            text = f"There are only {number} of `{wanted.text}`, and this would be one more."
            raise wrong(wanted.span, text, "Take one out, here or above.")
        piece = next((p for p in free if self.program.pieces[p].owner == owner), free[0])
        self.free.discard(piece)
        info = self.program.pieces[piece]
        self.chosen[info.code or info.name] = piece
        return piece

    def laid(self, code: str, span: Span) -> int:
        """The piece of a code that has been laid out, for a value of its own."""
        if code not in self.chosen:
            raise wrong(span, f"No piece `{code}` is laid out above.", "Lay it out first.")
        return self.chosen[code]

    def finish(self) -> None:
        """Everything else goes to its supply, or to the box."""
        supplies = {(s.kind, s.owner): s.supply for s in self.program.stand_ins}
        for piece in sorted(self.free):
            info = self.program.pieces[piece]
            place = supplies.get((info.kind, info.owner), 0)
            self.state.contents.setdefault(place, []).append(piece)
            self.state.place_of[piece] = place
