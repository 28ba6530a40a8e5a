"""Runtime base: what the functions that every module has share.

Comes in: `Shared`. Goes out: how such a function is begun, finished and called, and short pieces of code that
several of them need. What never happens: a number of such a function that depends on the order of writing.
"""

from __future__ import annotations

from rulewright.interpreter import ir
from rulewright.interpreter.chance import GOLDEN
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.memory import NEWS

ASIDE = 9  # the mode in which nothing may be left to chance: what would be


class RuntimeBase:
    """Begins and finishes functions of the machine."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.m = shared.memory

    def _body(self, name: str, parameters: int, results: int = 1) -> Body:
        return Body(name, (I32,) * parameters, (I32,) * results)

    def _done(self, b: Body) -> None:
        self.shared.define(b)

    def _call(self, b: Body, name: str, parameters: int, results: int = 1) -> None:
        b.call(self.shared.declare(name, (I32,) * parameters, (I32,) * results))

    def _count(self, b: Body, place: int, by: int) -> None:
        b.get(place)
        b.get(place)
        b.memory("i32.load16_u", self.m.place + 4)
        b.const(by)
        b.op("i32.add")
        b.memory("i32.store16", self.m.place + 4)

    def _host(self, b: Body, place: int) -> None:
        """Push the piece that a place is, or -1."""
        with b.local() as p:
            b.get(place)
            b.const(self.shared.program.first_piece_place)
            b.op("i32.sub")
            b.tee(p)
            b.const(-1)
            b.get(p)
            b.const(self.m.pieces)
            b.op("i32.lt_u", "select")


def below(shared: Shared, b: Body, n: int) -> None:
    """Push a number below the one in local `n`; on the stack: where a stream begins, and its counter."""
    b.const64(GOLDEN)
    b.op("i64.mul", "i64.add")
    b.call(shared.declare("mix", (I64,), (I64,)))
    b.const64(32)
    b.op("i64.shr_u")
    b.get(n)
    b.op("i64.extend_i32_u", "i64.mul")
    b.const64(32)
    b.op("i64.shr_u", "i32.wrap_i64")


def news(shared: Shared, b: Body) -> None:
    """Somebody got to know something, or chance decided."""
    at = shared.memory.state + NEWS
    b.const(0)
    b.const(0)
    b.memory("i32.load", at)
    b.const(1)
    b.op("i32.add")
    b.memory("i32.store", at)


def bits_of(e: ir.Expr) -> int:
    """A constant set of players as bits."""
    return sum(1 << p for p in e.items if p >= 0) if isinstance(e, ir.SetConst) else 0
