"""Keeping: a match that waits for an answer, put aside inside the module and taken up again.

Comes in: `Shared`. Goes out: `save` (address → how many bytes) and `restore` (address). A host, or a
search, says where; there is a pool of room for it. What never happens: a match put aside that somebody
changes, or half a match: what has no room in the pool traps before anything is written.

Copied are the frames that are in use, the copied parts of the state (see `memory.py`), the part of the heap
that is in use, the options, where chance begins, and the globals of the open question. Addresses stay what
they are, so nothing in a copy has to be put right; only the spaces of unbounded boards follow from the
pieces.
"""

from __future__ import annotations

from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.memory import HEAP_BASE, HEAP_TOP, TOP

POOL = 16 << 20  # bytes for matches put aside
ASKED = ("ask.site", "ask.player", "ask.count", "ask.width", "ask.joint", "ask.laid", "ask.ways", "ask.least")
SIZE, FRAMES, HEAP_SIZE, OPTIONS_SIZE = 0, 4, 8, 12  # the head of a copy
HEAD = 16 + 4 * len(ASKED)


class Keeping:
    """Writes `save` and `restore`."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.m = shared.memory
        self.pool = shared.memory.room(POOL)
        self.starts = 8 * max(1, len(shared.program.streams))

    def all(self) -> None:
        """Write the functions."""
        self.save()
        self.restore()
        self.choose()
        self.copies()

    def _parts(self) -> list[tuple[int, int]]:
        """(address, size) of what is always of one size."""
        return [(self.m.starts, self.starts), *self.m.copied]

    def _rounded(self, b: Body) -> None:
        b.const(7)
        b.op("i32.add")
        b.const(-8)
        b.op("i32.and")

    def _kept(self, b: Body, address: int) -> None:
        b.const(0)
        b.memory("i32.load", address)

    def _begins(self, b: Body, part: int) -> None:
        """Push where a part begins of which not everything is copied."""
        if part == HEAP_SIZE:
            self._kept(b, self.m.state + HEAP_BASE)
        else:
            b.const(self.m.frames if part == FRAMES else self.m.options)

    def copies(self) -> None:
        """`copies`: put the match that waits aside at an address (0) and take it up again, so many times (1):
        what a copy costs can only be measured where no host is asked."""
        b = Body("copies", (I32, I32))
        with b.loop() as more:
            b.get(0)
            b.call(self.shared.declare("save", (I32,), (I32,)))
            b.op("drop")
            b.get(0)
            b.call(self.shared.declare("restore", (I32,), ()))
            b.get(1)
            b.const(1)
            b.op("i32.sub")
            b.tee(1)
            b.to_if(more)
        self.shared.define(b)

    def choose(self) -> None:
        """`choose`: put the match that waits aside at the beginning of the pool, then give an answer (0) and
        go on: 1 if somebody must choose again, 0 if the game is over, -1 for a number that is no option's."""
        b = Body("choose", (I32,), (I32,))
        b.get(0)
        b.global_get(self.shared.globals["ask.count"])
        b.op("i32.ge_u")
        with b.when():
            b.const(-1)
            b.op("return")
        b.const(self.pool)
        b.call(self.shared.declare("save", (I32,), (I32,)))
        b.op("drop")
        b.get(0)
        b.call(self.shared.declare("step", (I32,), (I32,)))
        self.shared.define(b)

    def save(self) -> None:
        """Put the match that waits aside at an address (0) of the pool; how many bytes that took."""
        b, m = Body("save", (I32,), (I32,)), self.m
        w = Walks(self.shared, b, 0)
        frames, heap, options, size, at = (b.new() for _ in range(5))
        sizes = m.constant(self.shared.sizes)
        self._kept(b, m.state + TOP)
        b.op("i32.eqz")
        with b.when():
            b.op("unreachable")  # nothing waits
        self._kept(b, m.state + TOP)
        self._kept(b, m.state + TOP)
        b.memory("i32.load")
        w.load_field(sizes)
        b.op("i32.add")
        b.const(m.frames)
        b.op("i32.sub")
        self._rounded(b)
        b.set(frames)
        self._kept(b, m.state + HEAP_TOP)
        self._kept(b, m.state + HEAP_BASE)
        b.op("i32.sub")
        self._rounded(b)
        b.set(heap)
        b.global_get(self.shared.globals["ask.count"])
        b.global_get(self.shared.globals["ask.width"])
        b.op("i32.mul")
        b.const(2)
        b.op("i32.shl")
        self._rounded(b)
        b.set(options)
        b.get(frames)
        b.get(heap)
        b.get(options)
        b.const(HEAD + sum(size for _, size in self._parts()))
        b.op("i32.add", "i32.add", "i32.add")
        b.set(size)
        b.get(0)
        b.const(self.pool)
        b.op("i32.lt_u")
        b.get(0)
        b.get(size)
        b.op("i32.add")
        b.const(self.pool + POOL)
        b.op("i32.gt_u", "i32.or")
        with b.when():
            b.op("unreachable")
        for offset, local in ((SIZE, size), (FRAMES, frames), (HEAP_SIZE, heap), (OPTIONS_SIZE, options)):
            b.get(0)
            b.get(local)
            b.memory("i32.store", offset)
        for i, name in enumerate(ASKED):
            b.get(0)
            b.global_get(self.shared.globals[name])
            b.memory("i32.store", 16 + 4 * i)
        b.get(0)
        b.const(HEAD)
        b.op("i32.add")
        b.set(at)
        for address, fixed in self._parts():
            b.get(at)
            b.const(address)
            b.const(fixed)
            b.memory_copy()
            self._on(b, at, None, fixed)
        for part, local in ((FRAMES, frames), (HEAP_SIZE, heap), (OPTIONS_SIZE, options)):
            b.get(at)
            self._begins(b, part)
            b.get(local)
            b.memory_copy()
            self._on(b, at, local)
        b.get(size)
        self.shared.define(b)

    def restore(self) -> None:
        """Stand where the match stood that lies at an address (0)."""
        b, m = Body("restore", (I32,)), self.m
        at, size = b.new(), b.new()
        regrid = self.shared.declare("regrid", (I32,), ())
        unbounded = m.grid[0] < m.grid[1]
        if unbounded:
            b.const(0)
            b.call(regrid)
        b.get(0)
        b.const(HEAD)
        b.op("i32.add")
        b.set(at)
        for address, fixed in self._parts():
            b.const(address)
            b.get(at)
            b.const(fixed)
            b.memory_copy()
            self._on(b, at, None, fixed)
        for part in (FRAMES, HEAP_SIZE, OPTIONS_SIZE):
            b.get(0)
            b.memory("i32.load", part)
            b.set(size)
            self._begins(b, part)
            b.get(at)
            b.get(size)
            b.memory_copy()
            self._on(b, at, size)
        for i, name in enumerate(ASKED):
            b.get(0)
            b.memory("i32.load", 16 + 4 * i)
            b.global_set(self.shared.globals[name])
        if unbounded:
            b.const(1)
            b.call(regrid)
        self.shared.define(b)

    @staticmethod
    def _on(b: Body, at: int, local: int | None, fixed: int = 0) -> None:
        """Go on by so many bytes."""
        b.get(at)
        if local is None:
            b.const(-(-fixed // 8) * 8)
        else:
            b.get(local)
        b.op("i32.add")
        b.set(at)
