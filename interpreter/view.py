"""View: what one player may know, as plain data for screens, bots and tests.

Comes in: a match and a player (None for an onlooker, who sees what everybody sees). Goes out: a dictionary of
JSON values. What never happens: anything that depends on what the player may not know: two positions that
differ only there give equal views. So hidden pieces are counted, not listed, and sets are shown in an
order of their own.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rulewright.dsl.types import BIG
from rulewright.interpreter import ir
from rulewright.interpreter.cells import combination, index_sizes
from rulewright.interpreter.decisions import OptionNames
from rulewright.interpreter.layout import column_name
from rulewright.interpreter.naming import ONLOOKER, bare_type, family, may_know

if TYPE_CHECKING:
    from rulewright.interpreter.match import Match


def view(match: Match, player: int | None) -> dict[str, Any]:
    """What a player (None: an onlooker) may know of a match.

    `zones`, `boards` and `state` are mappings by name; a piece is a mapping with `code`, `kind`, `owner`, its
    state, `on` (what lies on it), and where the rules say so `form` (card, token, die) and `icon`; a hidden
    one is None where its position shows, else only counted. `ranges` are the bounds of the numbers in
    `state` that have bounds of their own, `[least, largest]`; `marks` the names of numbers on tracks, as
    `[[name, number], …]`: what lies on one is in the zone `NAME NUMBER`.
    """
    s = match.state
    s.fuel = s.code.budgets.steps
    viewer = ONLOOKER if player is None else player
    return _View(match, viewer).whole()


class _View:
    def __init__(self, match: Match, viewer: int) -> None:
        self.match = match
        self.s = match.state
        self.code = self.s.code
        self.program: ir.Program = self.code.program
        self.names: OptionNames = match.names
        self.viewer = viewer

    def may(self, players: int) -> bool:
        return may_know(players, self.viewer, self.code.everybody)

    def whole(self) -> dict[str, Any]:
        actor = self.s.vars[self.code.layout.offsets[ir.ACTOR]]
        return {
            "game": self.program.game,
            "title": self.program.title,
            "viewer": self.player(self.viewer),
            "phase": list(self.s.phases),
            "actor": self.player(actor),
            "players": list(self.program.players),
            "zones": self.zones(),
            "boards": self.boards(),
            "state": (state := self.state()),
            "ranges": self.ranges(state),
            "marks": self.marks(state),
            "decision": self.decision(),
            "result": self.match.result.as_json() if self.match.over else None,
        }

    def player(self, number: int) -> str | None:
        return self.program.players[number] if number >= 0 else None

    # ----------------------------------------------------------------- pieces

    def piece(self, piece: int) -> dict[str, Any] | None:
        if not self.may(self.code.knowers(self.s, piece)):
            return None
        info = self.program.pieces[piece]
        out: dict[str, Any] = {
            "code": self.names.namer.code_name(piece),
            "title": info.title or info.name,
            "kind": self.program.kinds[info.kind],
            "owner": self.player(info.owner),
        }
        out.update({k: v for k, v in (("form", info.form), ("icon", info.icon)) if v})
        for number in self.program.piece_vars:
            v = self.program.variables[number]
            if not v.hidden and self.may(self.code.variable_mask(self.s, number, piece)):
                out[v.name] = self.value(v.type, self.s.vars[self.code.layout.offsets[number] + piece])
        lying = self.s.contents.get(self.code.first_piece_place + piece)
        if lying:
            out["on"] = self.listed(lying, ordered=False)
        return out

    def listed(self, pieces: Iterable[int], ordered: bool) -> list[Any]:
        """Pieces at one place. Where positions do not matter, known ones come by code and hidden ones
        last, as None."""
        shown = [self.piece(p) for p in pieces]
        if ordered:
            return shown
        known = sorted((p for p in shown if p is not None), key=_sorting)
        return known + [None] * (len(shown) - len(known))

    # ----------------------------------------------------------------- places

    def zones(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        layout = self.code.layout
        for place, info in enumerate(self.program.places):
            if (
                info.kind in ("space", "piece")
                or layout.host(place) >= 0
                or layout.board_at(place) is not None
            ):
                continue
            pieces = self.s.contents.get(place, ())
            if info.kind == "box" and not pieces:
                continue
            out[info.name] = {
                "kind": info.kind,
                "group": info.group,
                "owner": self.player(info.owner),
                "order": info.order,
                "count": len(pieces),
                "pieces": self.listed(pieces, info.order != "set"),
            }
        return out

    def boards(self) -> dict[str, Any]:
        return {self.board_name(board): self.board(board) for board in self.program.boards}

    def board_name(self, board: ir.BoardInfo) -> str:
        """`NAME`, or `NAME of PLAYER` where each player has one."""
        return board.name if board.owner < 0 else f"{board.name} of {self.program.players[board.owner]}"

    def board(self, board: ir.BoardInfo) -> dict[str, Any]:
        out: dict[str, Any] = {
            "shape": board.shape,
            "owner": self.player(board.owner),
            "unbounded": board.unbounded,
            "covers": board.covers,
        }
        if board.shape.startswith(("square", "hex")):
            top, left, height, width = self.window(board)
            shift_row, shift_column = (board.height // 2, board.width // 2) if board.unbounded else (0, 0)
            out["rows"] = [
                [self.cell(board.first + r * board.width + c) for c in range(left, left + width)]
                for r in range(top, top + height)
            ]
            out["row_names"] = [str(r - shift_row + 1) for r in range(top, top + height)]
            out["column_names"] = [column_name(c - shift_column) for c in range(left, left + width)]
        else:
            out["spaces"] = {
                self.code.layout.info(p).name: self.cell(p)
                for p in range(board.first, board.first + board.width * board.height)
            }
        return out

    def window(self, board: ir.BoardInfo) -> tuple[int, int, int, int]:
        """The part of a board that is shown: all of it, or of an unbounded one the smallest part that
        holds all pieces."""
        if not board.unbounded:
            return 0, 0, board.height, board.width
        end = board.first + board.width * board.height
        held = [
            divmod(p - board.first, board.width)
            for p, x in self.s.contents.items()
            if x and board.first <= p < end
        ]
        if not held:
            return board.height // 2, board.width // 2, 1, 1
        rows, columns = [r for r, _ in held], [c for _, c in held]
        return min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1

    def cell(self, place: int) -> dict[str, Any] | None:
        """A space: None if it is empty, else the piece on top, and how many lie there."""
        pieces = self.s.contents.get(place)
        if not pieces:
            return None
        out: dict[str, Any] = {"top": self.piece(pieces[-1]), "count": len(pieces)}
        if len(pieces) > 1:
            out["under"] = self.listed(pieces[:-1], self.code.layout.info(place).order != "set")
        return out

    # ------------------------------------------------------------------ values

    def state(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for number, v in enumerate(self.program.variables):
            if number <= ir.EXTRA or v.hidden or number in self.program.piece_vars:
                continue
            offset = self.code.layout.offsets[number]
            if not v.index:
                if self.may(self.code.variable_mask(self.s, number, 0)):
                    out[v.name] = self.value(v.type, self.s.vars[offset])
                continue
            found = self.cells(number, v, offset)
            if found:
                out[v.name] = found
        return out

    def ranges(self, shown: Container[str]) -> dict[str, list[int]]:
        """The bounds of the numbers that are shown, where these are narrower than those of any number."""
        return {
            v.name: [v.low, v.high]
            for number, v in enumerate(self.program.variables)
            if number > ir.EXTRA
            and v.name in shown
            and v.kind == "number"
            and family(self.program, v.type) == "number"
            and -BIG < v.low < v.high < BIG
        }

    def marks(self, shown: Container[str]) -> dict[str, list[list[Any]]]:
        """The numbers that have names, on the tracks that are shown."""
        return {
            v.name: [[mark, level] for mark, level in v.marks]
            for v in self.program.variables
            if v.marks and v.name in shown
        }

    def cells(self, number: int, v: ir.Variable, offset: int) -> dict[str, Any]:
        """The cells that may be seen, by the names of their indexes. Cells of pieces that the viewer
        does not know are left out; of pieces with one code, the values are listed."""
        sizes = index_sizes(self.program, v)
        out: dict[str, Any] = {}
        of_pieces = any(family(self.program, t) == "piece" for t in v.index)
        for cell in range(v.cells):
            if not self.may(self.code.variable_mask(self.s, number, cell)):
                continue
            index = combination(self.program, v, sizes, cell) if sizes else (cell,)
            name = self.cell_name(v, index, sizes is not None)
            if name is None:
                continue
            value = self.value(v.type, self.s.vars[offset + cell])
            if of_pieces:
                out.setdefault(name, []).append(value)
            else:
                out[name] = value
        if of_pieces:
            for values in out.values():
                values.sort(key=str)
        return out

    def cell_name(self, v: ir.Variable, index: tuple[int, ...], named: bool) -> str | None:
        parts: list[str] = []
        for type_, value in zip(v.index, index, strict=False):
            if named and family(self.program, type_) == "piece" and not self.shows(type_, value):
                return None
            parts.append(self.names.namer.id(self.s, type_ if named else "number", value, self.viewer))
        return " ".join(parts)

    def shows(self, type_: str, piece: int) -> bool:
        """Whether the viewer knows a real piece, and the game keeps something for pieces of its form."""
        name = bare_type(type_)
        if not self.knows(piece):
            return False
        return name not in ("card", "token", "die") or self.program.pieces[piece].form in ("", name)

    def knows(self, piece: int) -> bool:
        """Whether the viewer knows a real piece."""
        return piece < len(self.s.known) and self.may(self.code.knowers(self.s, piece))

    def value(self, type_: str, value: Any) -> Any:
        """A value as JSON: numbers as numbers, yes and no as truth values, the rest by name."""
        if isinstance(value, tuple):
            return sorted((self.value(type_, v) for v in value), key=str)
        of = family(self.program, type_)
        if of == "number":
            return int(value)
        if of == "yesno" and value >= 0:
            return bool(value)
        return None if value < 0 else self.names.namer.id(self.s, type_, value, self.viewer)

    # --------------------------------------------------------------- decision

    def decision(self) -> dict[str, Any] | None:
        """The open decision if it is the viewer's; else who decides, unless that is a secret. `joint`:
        how the answers become one, where they do."""
        decision, ask = self.match.decision, self.s.ask
        if decision is None or ask is None:
            return None
        joint = {"joint": decision.joint} if decision.joint else {}
        if ask.player == self.viewer:
            return {
                "player": decision.player_name,
                "kind": decision.kind,
                **joint,
                **({"laying": asdict(decision.laying)} if decision.laying is not None else {}),
                "name": decision.name,
                "prompt": decision.prompt,
                "options": [
                    {"id": o.id, "text": o.text, "values": [list(v) for v in o.values]}
                    for o in decision.options
                ],
            }
        if decision.together:
            return {"players": list(decision.together), **joint}
        if self.names.is_secret(self.s, ask, self.viewer):
            return {"players": []}
        return {"players": [decision.player_name]}


def _sorting(piece: dict[str, Any]) -> str:
    return repr(sorted((k, repr(v)) for k, v in piece.items()))
