"""Decode: the memory of a module read as a `State` of the reference machine, and back.

Comes in: an instance that stands at a question or at the end. Goes out: a `State` that can be viewed, saved,
named, fingerprinted and played on. What never happens: a value that only one of the machines has.
"""

from __future__ import annotations

from array import array
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.chance import Chance
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.memory import FRAME_HEAD, NEWS, PHASES, TOP, WINNERS
from rulewright.interpreter.wasm.ranges import GROUPS, SET


class Reader:
    """Reads the memory of one instance."""

    def __init__(self, shared: Shared, memory: memoryview) -> None:
        self.shared, self.memory = shared, memory

    def numbers(self, at: int, n: int, kind: str = "i") -> list[int]:
        """So many numbers from an address on; `kind` as in the module array."""
        width = array(kind).itemsize
        out = array(kind)
        out.frombytes(self.memory[at : at + n * width])
        return out.tolist()

    def number(self, at: int) -> int:
        """The number at an address."""
        return self.numbers(at, 1)[0]

    def set(self, at: int) -> tuple[int, ...]:
        """The set at an address; 0 is the empty set."""
        return tuple(self.numbers(at + 4, self.number(at))) if at else ()

    def groups(self, at: int) -> tuple[tuple[int, ...], ...]:
        """The groups at an address."""
        return tuple(self.set(p) for p in self.set(at))

    # ---------------------------------------------------------------- state

    def state(self, chance: Chance) -> State:
        """The whole position with its frames."""
        shared, m = self.shared, self.shared.memory
        program, code = shared.program, shared.code
        s = State(code, chance)
        raw = self.numbers(m.vars, len(s.vars))
        s.vars = list(raw)
        for v, offset in zip(program.variables, code.layout.offsets, strict=True):
            if v.kind == "set":
                for i in range(offset, offset + v.cells):
                    s.vars[i] = self.set(raw[i])
        s.place_of = self.numbers(m.place_of, m.all_pieces)
        s.known = self.numbers(m.known, m.pieces)
        s.contents = self._contents()
        s.counters = self.numbers(m.counters, len(program.streams), "q")
        phases = self.numbers(m.phases, self.number(m.state + PHASES))
        s.phases = [shared.phase_names[i] for i in phases]
        s.news = self.number(m.state + NEWS)
        ended = s.vars[code.layout.offsets[ir.ENDED]] >= 0
        s.winners = self.set(self.number(m.state + WINNERS)) if ended else None
        s.frames = self._frames()
        return s

    def _contents(self) -> dict[int, list[int]]:
        m = self.shared.memory
        above = self.numbers(m.next, m.pieces, "H")
        below = self.numbers(m.previous, m.pieces, "H")
        places = self.numbers(m.place_of, m.pieces)
        out: dict[int, list[int]] = {}
        for piece in range(m.pieces):
            if below[piece] == 0:
                pile = out[places[piece]] = [piece]
                while above[pile[-1]]:
                    pile.append(above[pile[-1]] - 1)
                    if len(pile) > m.pieces:
                        raise ValueError(f"the pieces at place {places[piece]} go round in a circle")
        return dict(sorted(out.items()))

    def _frames(self) -> list[list[Any]]:
        shared = self.shared
        at = self.number(shared.memory.state + TOP)
        out: list[list[Any]] = []
        while at:
            function, pc, result, below = self.numbers(at, 4)
            slots: list[Any] = self.numbers(at + FRAME_HEAD, shared.code.slots(function))
            for slot, kind in shared.slot_kinds(function).items():
                if kind == SET:
                    slots[slot] = self.set(slots[slot])
                elif kind == GROUPS:
                    slots[slot] = self.groups(slots[slot])
            out.append([function, pc, slots, (result - below - FRAME_HEAD) // 4 if result else -1])
            at = below
        return out[::-1]
