"""Fingerprint: one short text that is equal just for equal positions.

Comes in: a state. Goes out: 64 bits as hex, made from all values in declaration order, what lies at every
place, who knows it, the phases, the ids of the open options and the counters of chance. Pieces that look
alike are written by their design, so that it does not matter which of them lies where.
What never happens: memory, process or time that makes a difference.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.naming import family


def fingerprint(s: Any, option_ids: list[str]) -> str:
    """The fingerprint of a position, given the ids of what can be chosen in it."""
    whole = [*position(s), s.phases, option_ids, s.counters, s.winners]
    text = json.dumps(whole, separators=(",", ":"), default=list)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def position(s: Any, counting: bool = False) -> list[Any]:
    """The values and the places as plain data; `counting`: only what `repeats` compares."""
    return _Canon(s).position(counting)


class _Canon:
    def __init__(self, s: Any) -> None:
        self.s = s
        self.program: ir.Program = s.code.program
        self.first = s.code.first_piece_place
        self.ranks: dict[int, tuple[int, int]] = {}
        for place in sorted(s.contents):
            for i, piece in enumerate(s.contents[place]):
                self.ranks[piece] = (place, i)
        self.order = sorted(self.ranks, key=self._rank)

    def _rank(self, piece: int) -> list[int]:
        """Where a piece is, from the outermost place inwards, as numbers that look-alikes share."""
        place, i = self.ranks[piece]
        host = self.s.code.layout.host(place)
        return [*self._rank(host), i] if host >= 0 else [place, i]

    def position(self, counting: bool) -> list[Any]:
        values = [
            self._variable(i, v)
            for i, v in enumerate(self.program.variables)
            if i not in self.program.piece_vars and (v.counts or not counting)
        ]
        places = [
            [place, [self._piece(p, counting) for p in pieces]]
            for place, pieces in sorted(self.s.contents.items())
            if pieces and self.s.code.layout.host(place) < 0
        ]
        return [values, places]

    def _variable(self, number: int, v: ir.Variable) -> list[Any]:
        offset = self.s.code.layout.offsets[number]
        cells = self.s.vars[offset : offset + v.cells]
        pieces, stand_ins = len(self.program.pieces), len(self.program.stand_ins)
        if (
            v.index
            and pieces
            and family(self.program, v.index[0]) == "piece"
            and v.cells % (pieces + stand_ins) == 0
        ):
            row = v.cells // (pieces + stand_ins)
            if row:
                order = [*self.order, *range(pieces, pieces + stand_ins)]
                cells = [value for p in order for value in cells[p * row : p * row + row]]
        of = family(self.program, v.type)
        # Most cells are plain numbers, or none: these stand for themselves.
        plain = of not in ("piece", "place")
        return [
            value if type(value) is int and (plain or value < 0) else self._value(of, value)
            for value in cells
        ]

    def _value(self, of: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return [self._value(of, n) for n in value]
        if of == "piece" and 0 <= value < len(self.s.known):
            return self._rank(value)
        if of == "place" and value >= 0:
            host = self.s.code.layout.host(value)
            if host >= 0:
                return self._rank(host)
        return int(value)

    def _piece(self, piece: int, counting: bool) -> list[Any]:
        s = self.s
        state = [
            s.vars[offset + piece]
            for offset, v in zip(s.code.piece_offsets, self.program.piece_vars, strict=True)
            if self.program.variables[v].counts or not counting
        ]
        lying = [self._piece(p, counting) for p in s.contents.get(self.first + piece, ())]
        return [self.program.pieces[piece].design, state, 0 if counting else s.known[piece], lying]
