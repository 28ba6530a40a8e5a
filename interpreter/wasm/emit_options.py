"""Emit options: everything that a player can choose from in an action decision.

Comes in: an action decision. Goes out: two functions, one that writes all options of a player where options
are and gives their number, and one that tells whether there is any. Nested loops over the keys, each
condition read as soon as what it needs is bound. What does not depend on all keys is worked out once for each
value of those that it reads, when it is first asked for (as in `link_once.py`, which says what is worth it):
by what it was for the values before, or, where a key further out changes all the time, in a table.
What never happens: another order, or another option, than in `actions.py`, of which this is the twin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.interpreter import ir
from rulewright.interpreter.link_once import Once, free_slots
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_masks import Masked
from rulewright.interpreter.wasm.emit_sets import Each
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.inline import mapped
from rulewright.interpreter.wasm.ranges import GROUPS, NOTHING, NUMBER, SET

UNROLLED_VALUES, UNROLLED_NODES = 8, 400  # of a key: values, and nodes of all conditions on them
TRIFLE = 6  # nodes of an expression below which it is not worth remembering
MOST_REMEMBERED = 1 << 17  # values of a key for which there is a table
ENTRY = 16  # bytes of a table for one value: the number of the enumeration, and what was worked out


class Options(Masked):
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
        self.stamp = b.fresh(I64)  # the number of this enumeration: what tables hold of others is stale
        self.sparing = Once(shared.code, 0, self.info.player_slot)
        self.keys: list[int] = []  # the slots of the keys that are bound
        self.writing: set[int] = set()  # what is being worked out (by identity)

    def all(self) -> None:
        """The options of all actions, in the order in which they are listed."""
        b = self.b
        self.get_global("stamp")
        b.const64(1)
        b.op("i64.add")
        b.tee(self.stamp)
        self.set_global("stamp")
        b.const(self.shared.memory.options)
        b.set(self.end)
        for number, action in enumerate(self.info.actions):
            with self.scope():
                self.level(number, action, 0)
        b.get(self.n)

    def level(self, number: int, action: ir.ActionOption, level: int, done: int = 0) -> None:
        """Read what can be read with so many keys bound (but the first `done` conditions, which were read
        before); then bind the next one."""
        self.keys = [k.slot for k in action.keys[:level]]
        guards = [g for g in action.guards if g.level == level][done:]
        self._guarded(guards, lambda: self._bind_next(number, action, level))

    def _guarded(self, guards: list[ir.Guard], then: Callable[[], None]) -> None:
        if not guards:
            then()
            return
        condition = guards[0].condition
        read = self._read(condition)
        if read is None or id(condition) in self.writing:
            self.number(condition)
        else:
            self._remembered(condition, read, lambda: self.number(condition))
        with self.b.when():
            self._guarded(guards[1:], then)

    def _bind_next(self, number: int, action: ir.ActionOption, level: int) -> None:
        if level == len(action.keys):
            self._found(number, action)
            return
        key = action.keys[level]
        looks = is_piece_type(self.shared.program, key.type) and not all(self.shared.code.alone)
        read = [k for k in self.keys if k in free_slots(key.domain)]
        early: list[ir.Guard] = []
        if len(read) < len(self.keys):
            early = self._early(action, level, {key.slot, *read, self.info.player_slot})

        def bound(v: int) -> None:
            with self.binding(key.slot, v):
                self.level(number, action, level + 1, len(early))

        if not looks and (
            self._bind_on_bits(number, action, level) or self._bind_each(number, action, level)
        ):
            return
        if early or looks or (level and self._read(key.domain) is not None):
            at = self.b.fresh()
            if len(read) < len(self.keys):
                self._remembered(key.domain, read, lambda: self._domain(key, early, looks), SET)
            else:
                self._domain(key, early, looks)
            self.b.set(at)
            self.each_at_address(at, bound)
        else:
            self.each(key.domain, bound)

    def _bind_on_bits(self, number: int, action: ir.ActionOption, level: int) -> bool:
        """Bind the next key to the spaces for which the first conditions on it hold, worked out on bits;
        False if that cannot be."""
        key = action.keys[level]
        guards = [g for g in action.guards if g.level == level + 1]
        done = 0
        values: ir.Expr = key.domain
        for guard in guards:
            fitting = self._fitting(key.slot, values, guard.condition)
            if fitting is None or not self.ascending(fitting[0]):
                break
            values, kept = fitting
            done += 1
        if not done:
            return False

        def bound(v: int) -> None:
            with self.binding(key.slot, v):
                self.level(number, action, level + 1, done)

        self.each_bit(self.mask(values, kept), kept, bound)
        return True

    def _bind_each(self, number: int, action: ir.ActionOption, level: int) -> bool:
        """Bind the last key to each of a few values known beforehand, written one after the other, so that
        what depends on the value alone is known beforehand too; False if that is not worth it."""
        key = action.keys[level]
        guards = [g for g in action.guards if g.level == level + 1]
        values = key.domain.items if isinstance(key.domain, ir.SetConst) else ()
        size = sum(1 for g in guards for _ in every(g.condition))
        if level or level + 1 < len(action.keys) or not guards:
            return False
        if not 0 < len(values) <= UNROLLED_VALUES or len(values) * size > UNROLLED_NODES:
            return False
        v = self.b.fresh()
        for value in values:
            self.b.const(value)
            self.b.set(v)
            known = [replace(g, condition=self._with(g.condition, key.slot, value)) for g in guards]
            with self.scope(), self.binding(key.slot, v):
                self.keys = [k.slot for k in action.keys]
                self._guarded(known, lambda: self._found(number, action))
        return True

    def _with(self, e: ir.Expr, slot: int, value: int) -> ir.Expr:
        """An expression in which a slot has a value."""
        if e == ir.Local(slot):
            return ir.Const(value)
        new = mapped(self.plain(e), lambda part: self._with(part, slot, value))
        match new:
            case ir.At(table, ir.Const(index)):
                data = self.shared.program.tables[table]
                row = data.data[index - data.base] if 0 <= index - data.base < len(data.data) else None
                return ir.SetConst(row) if isinstance(row, tuple) else new
            case _:
                return new

    def _early(self, action: ir.ActionOption, level: int, known: set[int]) -> list[ir.Guard]:
        """The first conditions on the next key that read nothing but it and what its values depend on: then
        the values for which they hold are worked out once, and not for each value of all other keys."""
        found: list[ir.Guard] = []
        for guard in (g for g in action.guards if g.level == level + 1):
            if not free_slots(guard.condition) <= known:
                break
            found.append(guard)
        return found

    def _domain(self, key: ir.Key, early: list[ir.Guard], looks: bool) -> None:
        """Push the address of the values of a key for which conditions hold."""
        if not early:
            if looks:
                self.b.get(self.one_of_each(key.domain, 0))
            else:
                self.pointer(key.domain)
            return

        outer = list(self.keys)

        def loop(body: Each) -> None:
            def one(v: int) -> None:
                with self.binding(key.slot, v):
                    before, self.keys = self.keys, [*outer, key.slot]
                    self._guarded(early, lambda: body(v))
                    self.keys = before

            if looks:
                self.each_at_address(self.one_of_each(key.domain, 0), one)
            else:
                self.each(key.domain, one)

        self.b.get(self.made(loop, self.most(key.domain)))

    # -------------------------------------------------------------- remembering

    def _read(self, e: ir.Expr) -> list[int] | None:
        """The keys that a condition or a domain reads, if these are not all and it is more than a trifle."""
        read = [k for k in self.keys if k in free_slots(e)]
        return read if len(read) < len(self.keys) and sum(1 for _ in every(e)) >= TRIFLE else None

    def number(self, e: ir.Expr) -> None:
        """Push a number, remembered where that saves anything."""
        read = self._worth(e)
        if read is None or not self.is_number(e):
            super().number(e)
        else:
            self._remembered(e, read, lambda: super(Options, self).number(e))

    def pointer(self, e: ir.Expr) -> None:
        """Push the address of a set or groups, remembered where that saves anything."""
        read = self._worth(e)
        if read is None:
            super().pointer(e)
        else:
            self._remembered(e, read, lambda: super(Options, self).pointer(e), self.kind(e))

    def each(self, e: ir.Expr, body: Each, distinct: bool = True) -> None:
        """Write a loop, over what is remembered where that saves anything."""
        if self._worth(e) is None:
            super().each(e, body, distinct)
        else:
            self._each_at(e, body)

    def _worth(self, e: ir.Expr) -> list[int] | None:
        if id(e) in self.writing:
            return None
        return self.sparing.begin(self.keys).keys_of(e)

    def _remembered(self, e: ir.Expr, read: list[int], push: Callable[[], None], kind: str = NUMBER) -> None:
        """Push what `push` pushes, worked out once for each value of the keys that are read."""
        b = self.b
        self.writing.add(id(e))
        further_out = self.keys[: self.keys.index(read[0])] if len(read) == 1 else []
        low, high = self.shared.ranges.slots[self.function].get(read[0], NOTHING) if read else NOTHING
        if further_out and 0 < high - low + 1 <= MOST_REMEMBERED:
            self._in_table(read[0], low, high, push, kind)
        else:
            self._as_before(read, push, kind)
        self.writing.discard(id(e))
        del b

    def _as_before(self, read: list[int], push: Callable[[], None], kind: str) -> None:
        b = self.b
        known, value = b.fresh(), b.fresh()
        last = [b.fresh() for _ in read]
        b.get(known)
        for slot, before in zip(read, last, strict=True):
            self.get_slot(slot)
            b.get(before)
            b.op("i32.eq", "i32.and")
        with b.when(I32):
            b.get(value)
            b.otherwise()
            for slot, before in zip(read, last, strict=True):
                self.get_slot(slot)
                b.set(before)
            b.const(1)
            b.set(known)
            self._worked_out(push, kind)
            b.tee(value)

    def _in_table(self, slot: int, low: int, high: int, push: Callable[[], None], kind: str) -> None:
        b = self.b
        table = self.shared.memory.room(ENTRY * (high - low + 1))
        entry = b.fresh()
        self.get_slot(slot)
        if low:
            b.const(low)
            b.op("i32.sub")
        b.const(ENTRY.bit_length() - 1)
        b.op("i32.shl")
        b.tee(entry)
        b.memory("i64.load", table)
        b.get(self.stamp)
        b.op("i64.ne")
        with b.when():
            b.get(entry)
            self._worked_out(push, kind)
            b.memory("i32.store", table + 8)
            b.get(entry)
            b.get(self.stamp)
            b.memory("i64.store", table)
        b.get(entry)
        b.memory("i32.load", table + 8)

    def _worked_out(self, push: Callable[[], None], kind: str) -> None:
        with self.scope():
            push()
            if kind != NUMBER:
                self.call("remember groups" if kind == GROUPS else "remember", (I32,))

    def each_at_address(self, at: int, body: Each) -> None:
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
                body(v)
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
