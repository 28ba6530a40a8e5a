"""Emit options: everything that a player can choose from in an action decision.

Comes in: an action decision. Goes out: two functions, one that writes all options of a player where options
are and gives their number, and one that tells whether there is any. Nested loops over the keys, each
condition read as soon as what it needs is bound.
What never happens: another order, or another option, than in `actions.py`, of which this is the twin.
"""

from __future__ import annotations

from rulewright.interpreter import ir
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32


class Options(Walks):
    """Writes the options of one decision. `whether`: only whether there is any."""

    def __init__(self, shared: Shared, b: Body, number: int, whether: bool) -> None:
        super().__init__(shared, b, shared.ranges.of_decision(number))
        self.info = shared.program.decisions[number]
        self.whether = whether
        self.width = 1 + max((len(a.keys) for a in self.info.actions), default=0)
        self.limit = shared.code.budgets.options
        self.bound[self.info.player_slot] = 0
        self.n = b.fresh()
        self.end = b.fresh()

    def all(self) -> None:
        """The options of all actions, in the order in which they are listed."""
        b = self.b
        b.const(self.shared.memory.options)
        b.set(self.end)
        for number, action in enumerate(self.info.actions):
            with self.scope():
                self.level(number, action, 0)
        b.get(self.n)

    def level(self, number: int, action: ir.ActionOption, level: int) -> None:
        """Read what can be read with so many keys bound; then bind the next one."""
        guards = [g for g in action.guards if g.level == level]
        self._guarded(guards, lambda: self._bind_next(number, action, level))

    def _guarded(self, guards: list[ir.Guard], then: object) -> None:
        if not guards:
            then()  # type: ignore[operator]
            return
        self.number(guards[0].condition)
        with self.b.when():
            self._guarded(guards[1:], then)

    def _bind_next(self, number: int, action: ir.ActionOption, level: int) -> None:
        if level == len(action.keys):
            self._found(number, action)
            return
        key = action.keys[level]

        def bound(v: int) -> None:
            with self.binding(key.slot, v):
                self.level(number, action, level + 1)

        if is_piece_type(self.shared.program, key.type) and not all(self.shared.code.alone):
            at = self.one_of_each(key.domain, 0)
            self.each_at_address(at, bound)
        else:
            self.each(key.domain, bound)

    def each_at_address(self, at: int, body: object) -> None:
        """A loop over the values of the set whose address a local holds."""
        b = self.b
        i, end, v = b.fresh(), b.fresh(), b.fresh()
        b.get(at)
        b.tee(i)
        b.get(at)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(i)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(i)
            b.const(4)
            b.op("i32.add")
            b.tee(i)
            b.memory("i32.load")
            b.set(v)
            with self.scope():
                body(v)  # type: ignore[operator]
            b.to(more)

    def _found(self, number: int, action: ir.ActionOption) -> None:
        b = self.b
        held = [self.bound[k.slot] for k in action.keys]
        for after in action.afterwards:
            for local in held:
                b.get(local)
            self.call(f"afterwards {after.function}", (I32,) * len(held))
            self.shared.afterwards.add((after.function, len(held)))
        with_conditions = len(action.afterwards)
        if with_conditions:
            for _ in range(with_conditions - 1):
                b.op("i32.and")
            with b.when():
                self._write(number, held)
        else:
            self._write(number, held)

    def _write(self, number: int, held: list[int]) -> None:
        b = self.b
        if self.whether:
            b.const(1)
            b.op("return")
            return
        b.get(self.n)
        b.const(min(self.limit, (1 << 21) // (4 * self.width) - 1))
        b.op("i32.ge_u")
        with b.when():
            self.trap()
        b.get(self.end)
        b.const(number)
        b.memory("i32.store")
        for i, local in enumerate(held):
            b.get(self.end)
            b.get(local)
            b.memory("i32.store", 4 + 4 * i)
        b.get(self.end)
        b.const(4 * self.width)
        b.op("i32.add")
        b.set(self.end)
        b.get(self.n)
        b.const(1)
        b.op("i32.add")
        b.set(self.n)


def options(shared: Shared, number: int) -> None:
    """Write both functions of a decision."""
    for name, whether in ((f"options {number}", False), (f"can act {number}", True)):
        b = Body(name, (I32,), (I32,))
        w = Options(shared, b, number, whether)
        mark = b.mark()
        w.all()
        if w.allocated and whether:  # it may leave in the midst of its loops
            _restoring(shared, b, mark, name)
            continue
        shared.define(b)


def _restoring(shared: Shared, b: Body, mark: int, name: str) -> None:
    """Let a function be called by one that puts the temporary room back."""
    del mark
    inner = shared.declare(f"{name} (inner)", (I32,))
    b.name = f"{name} (inner)"
    shared.define(b)
    outer = Body(name, (I32,), (I32,))
    top = outer.fresh()
    outer.global_get(shared.globals["top"])
    outer.set(top)
    outer.get(0)
    outer.call(inner)
    outer.get(top)
    outer.global_set(shared.globals["top"])
    shared.define(outer)
