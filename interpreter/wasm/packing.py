"""Packing: a `State` of the reference machine as bytes in the layout of a module.

Comes in: a position, also one in the middle of an effect. Goes out: the copied parts of the state, and
frames. What never happens: a position that is not the same when it is read again (`reading.py`), but for what
a test of rows remembers, which begins anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.memory import (
    FRAME_HEAD,
    HEAP_BASE,
    HEAP_TOP,
    NEWS,
    PHASES,
    PLACE,
    TOP,
    WINNERS,
    TooLarge,
)
from rulewright.interpreter.wasm.ranges import GROUPS, SET

Keep = Callable[[tuple[int, ...]], int]


def packed(shared: Shared, s: State, keep: Keep, top: int) -> bytes:
    """The copied parts of the state, one behind the other. `keep` gives the address of a set, `top` is the
    address of the uppermost frame (0: none). The heap's own numbers are those of an empty one. Raises
    TooLarge for a number that does not fit."""
    m, program, code = shared.memory, shared.program, shared.code
    out = bytearray(m.place + PLACE * m.places - m.state)

    def put(address: int, values: list[int], kind: str = "i") -> None:
        try:
            data = array(kind, values).tobytes()
        except OverflowError:
            raise TooLarge("a number that is kept is too large") from None
        out[address - m.state : address - m.state + len(data)] = data

    put(m.state + TOP, [top])
    put(m.state + NEWS, [s.news & 0x7FFFFFFF])
    put(m.state + PHASES, [len(s.phases)])
    put(m.phases, [shared.phase(name) for name in s.phases])
    put(m.state + WINNERS, [keep(s.winners) if s.winners else 0])
    put(m.state + HEAP_BASE, [m.heaps[0]])
    put(m.state + HEAP_TOP, [m.heaps[0]])
    put(m.counters, s.counters, "q")
    put(m.vars, [keep(v) if isinstance(v, tuple) else v for v in s.vars])
    put(m.place_of, s.place_of)
    put(m.known, s.known)
    above, below = [0] * m.pieces, [0] * m.pieces
    entries = array("H", bytes(PLACE * m.places))
    for place, pieces in s.contents.items():
        for one, other in pairwise(pieces):
            above[one], below[other] = other + 1, one + 1
        if pieces and not m.grid[0] <= place < m.grid[1]:
            entries[4 * place : 4 * place + 3] = array("H", [pieces[0] + 1, pieces[-1] + 1, len(pieces)])
    put(m.next, above, "H")
    put(m.previous, below, "H")
    put(m.place, entries.tolist(), "H")
    for kept in m.kept:
        masks = [0] * kept.count
        for i in range(kept.spaces):
            for piece in s.contents.get(kept.first + i, ()):
                masks[0] |= 1 << i
                for (kind, number), _, _ in kept.values:
                    found = kept.of((kind, number))
                    assert found is not None
                    table = program.tables[number].data if kind == "table" else ()
                    value = table[piece] if kind == "table" else s.vars[code.layout.offsets[number] + piece]
                    assert isinstance(value, int)
                    masks[found[0] + value - found[1]] |= 1 << i
        for number, bits in enumerate(masks):
            words = [(bits >> (64 * w)) & ((1 << 64) - 1) for w in range(kept.words)]
            put(kept.address(number), words, "Q")
    return b"".join(bytes(out[a - m.state : a - m.state + n]) for a, n in m.copied)


def frames(shared: Shared, s: State, keep: Keep, keep_groups: Callable[[Any], int]) -> tuple[bytes, int]:
    """The frames as bytes, and the address of the uppermost one (0: none). Raises TooLarge."""
    out = bytearray()
    at = shared.memory.frames
    below = 0
    for function, pc, slots, result in s.frames:
        if function not in shared.choosing:
            raise TooLarge("a function under way here cannot be entered")
        kinds = shared.slot_kinds(function)
        values: list[int] = []
        for slot, value in enumerate(slots):
            kind = kinds.get(slot)
            if kind == SET:
                values.append(keep(value) if isinstance(value, tuple) else 0)
            elif kind == GROUPS:
                values.append(keep_groups(value) if isinstance(value, tuple) else 0)
            else:
                values.append(value if isinstance(value, int) else 0)
        head = [function, pc, below + FRAME_HEAD + 4 * result if result >= 0 else 0, below]
        try:
            out += array("i", [*head, *values]).tobytes()
        except OverflowError:
            raise TooLarge("a number under way is too large") from None
        below = at
        at = shared.memory.frames + len(out)
    return bytes(out), below
