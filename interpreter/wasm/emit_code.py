"""Emit code: statements and whole functions of the rules.

Comes in: the functions of a program. Goes out: one function of the module each. A function in which nobody
can be asked anything is ordinary code, its slots are locals. One in which somebody may be asked keeps its
slots in a frame in memory and can be entered at any of its instructions (the numbers are those of `flat.py`),
so that a match can be stopped, copied and taken up in the midst of an effect. What never happens: a statement
that is half done when the machine stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.flat import ends, landing
from rulewright.interpreter.wasm.body import Body, Label
from rulewright.interpreter.wasm.emit import DONE, NESTED_CALLS, Shared
from rulewright.interpreter.wasm.emit_asks import Asks
from rulewright.interpreter.wasm.emit_numbers import named
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.memory import DEPTH_OF_PHASES, FRAME_HEAD, PHASES, TOP, WINNERS
from rulewright.interpreter.wasm.ranges import GROUPS, SET
from rulewright.interpreter.wasm.runtime_base import news

EVENTS = 20_000


class Statements(Asks):
    """Writes statements. `resumable`: the function has a frame in memory."""

    resumable = False
    loops: list[Label]
    out: Label
    result: int
    in_loop = 0
    open: list[ir.Enter]  # what has been entered and not left

    # ------------------------------------------------------------ statements

    def body(self, statements: ir.Body) -> None:
        """One after the other."""
        for st in statements:
            self.statement(st)

    def statement(self, st: ir.Statement) -> None:
        """One statement of a function in which nobody is asked."""
        b = self.b
        match st:
            case ir.If(condition, then, otherwise):
                with self.scope():
                    self.number(condition)
                with b.when():
                    before = list(self.open)
                    self.body(then)
                    after = self.open
                    self.open = before
                    if otherwise:
                        b.otherwise()
                        self.open = list(before)
                        self.body(otherwise)
                        if ends(otherwise) and not ends(then):
                            self.open = after
            case ir.ForEach():
                with self.scope():
                    self._for_each(st)
            case ir.Repeat(times, condition, inner):
                n = b.fresh()
                with self.scope():
                    self.number(times)
                    b.set(n)
                with b.block() as out, b.loop() as more:
                    b.get(n)
                    b.const(0)
                    b.op("i32.le_s")
                    b.to_if(out)
                    if condition is not None:
                        with self.scope():
                            self.number(condition)
                            b.op("i32.eqz")
                            b.to_if(out)
                    b.get(n)
                    b.const(1)
                    b.op("i32.sub")
                    b.set(n)
                    self.charge_one()
                    self._loop_body(inner, out)
                    b.to(more)
            case ir.Loop(inner):
                with b.block() as out, b.loop() as more:
                    self.charge_one()
                    self._loop_body(inner, out)
                    b.to(more)
            case ir.Break():
                b.to(self.loops[-1])
            case ir.Return(value):
                if value is not None and self.shared.program.functions[self.function].result:
                    self.value(value)
                    b.set(self.result)
                b.to(self.out)
            case ir.CallTo():
                self.call_to(st)
            case ir.Enter():
                self.open.append(st)
                self.event(st)
            case ir.Leave():
                self.event(st, self.open.pop() if self.open else None)
            case ir.Note():
                pass
            case _:
                self.do(st)

    def _loop_body(self, inner: ir.Body, out: Label) -> None:
        before = list(self.open)
        self.loops.append(out)
        self.in_loop += 1
        self.body(inner)
        self.open = before
        self.in_loop -= 1
        self.loops.pop()

    def _for_each(self, st: ir.ForEach) -> None:
        b = self.b
        at, end = b.fresh(), b.fresh()
        self.pointer(st.set)
        b.tee(at)
        b.get(at)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(at)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(at)
            b.const(4)
            b.op("i32.add")
            b.set(at)

            def value() -> None:
                b.get(at)
                b.memory("i32.load")

            self.set_slot(st.slot, value)
            self.charge_one()
            self._loop_body(st.body, out)
            b.to(more)

    def do(self, st: ir.Statement) -> None:
        """A statement that goes straight on."""
        match st:
            case ir.Assign(slot) if slot in self.floods:
                with self.scope():
                    self.fill(slot)
            case ir.Assign(slot, value):
                if self.is_number(value):
                    with self.scope():
                        self.set_slot(slot, lambda: self.kept(value))
                elif self.frame is not None or self.in_loop:
                    with self.scope():
                        self.set_slot(slot, lambda: self.for_good(value))
                else:
                    self.set_slot(slot, lambda: self.pointer(value))
            case ir.Store():
                with self.scope():
                    self.store(st)
            case ir.EndGame():
                with self.scope():
                    self.end_game(st)
            case ir.Fail():
                self.trap()
            case ir.MovePieces():
                with self.scope():
                    self.move(st)
            case ir.Exchange(first, second):
                with self.scope():
                    self.exchange(first, second)
            case ir.Shuffle(place, stream):
                with self.scope():
                    self.number(place)
                    self.number(stream)
                    self.call("shuffle", (I32, I32), ())
            case ir.Chance(slot, of, stream):
                with self.scope():
                    self.chance(slot, of, stream)
            case ir.Show(pieces, players):
                with self.scope():
                    self.show(pieces, players)
            case _:
                raise TypeError(f"no such statement: {type(st).__name__}")

    def for_good(self, value: ir.Expr) -> None:
        """Push a set or groups that may be kept."""
        self.pointer(value)
        if not isinstance(value, ir.SetConst | ir.At | ir.Load):
            self.call("keep groups" if self.kind(value) == GROUPS else "keep", (I32,))

    # ---------------------------------------------------------------- effects

    def store(self, st: ir.Store) -> None:
        """Give a state variable a value that fits."""
        b, v = self.b, self.shared.program.variables[st.var]
        new = b.new()
        if v.kind == "set":
            self.for_good(st.value)
            b.set(new)
            low, high = self.range(st.value)
            if low <= high and not v.low <= low <= high <= v.high:
                self._check_each(new, v.low, v.high)
        else:
            self.kept(st.value)
            b.set(new)
            self.fit(new, v, self.range(st.value))
        masked = any(kept.of(("variable", st.var)) for kept in self.shared.kept)
        at = self.address_of_variable(st.var, st.index, store=True)
        if masked:
            where = b.fresh()
            b.tee(where)
        b.get(new)
        b.memory("i32.store", at)
        if masked:
            b.get(where)
            b.const(2)
            b.op("i32.shr_u")
            self.call("masks anew", (I32,), ())
        b.free(new)

    def _check_each(self, at: int, low: int, high: int) -> None:
        b = self.b
        b.get(at)
        b.const(max(low, -(1 << 31)))
        b.const(min(high, (1 << 31) - 1))
        self.call("all fit", (I32, I32, I32))
        b.op("i32.eqz")
        with b.when():
            self.trap()

    def fit(self, new: int, v: ir.Variable, values: tuple[int, int]) -> None:
        """Make the number in a local fit a variable, or trap."""
        b = self.b
        if v.low <= values[0] and values[1] <= v.high:
            return
        low, high = max(v.low, -(1 << 31)), min(v.high, (1 << 31) - 1)
        b.get(new)
        b.const(low)
        b.op("i32.lt_s")
        b.get(new)
        b.const(high)
        b.op("i32.gt_s", "i32.or")
        if v.optional:
            b.get(new)
            b.const(-1)
            b.op("i32.ne", "i32.and")
        with b.when():
            if v.ends == "stop":
                b.const(low)
                b.const(high)
                b.get(new)
                b.const(low)
                b.op("i32.lt_s", "select")
                b.set(new)
            elif v.ends == "wrap":
                b.const(low)
                b.get(new)
                b.const(low)
                b.op("i32.sub")
                b.const(high - low + 1)
                self.call("mod", (I32, I32))
                b.op("i32.add")
                b.set(new)
            else:
                self.trap()

    def end_game(self, st: ir.EndGame) -> None:
        """The first end that is reached counts."""
        b, m = self.b, self.shared.memory
        ended = m.vars + 4 * self.shared.code.layout.offsets[ir.ENDED]
        unwinding = m.vars + 4 * self.shared.code.layout.offsets[ir.UNWINDING]
        b.const(0)
        b.memory("i32.load", ended)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            winner = ir.Filter(
                _SPARE, st.winners, ir.Unary("not", ir.Binary("<", ir.Local(_SPARE), ir.Const(0)))
            )
            b.const(0)
            if self.range(st.winners)[0] >= 0:
                self.for_good(st.winners)
            else:
                self.for_good(winner)
            b.memory("i32.store", m.state + WINNERS)
            b.const(0)
            b.const(st.end)
            b.memory("i32.store", ended)
        b.const(0)
        b.const(3)
        b.memory("i32.store", unwinding)

    def move(self, st: ir.MovePieces) -> None:
        """Move pieces one by one."""
        b, shared = self.b, self.shared
        m = shared.memory
        target, count, room, piece = b.fresh(), b.fresh(), b.fresh(), b.fresh()
        single = isinstance(st.pieces, ir.MakeSet) and len(st.pieces.items) == 1 and not isinstance(
            st.pieces.items[0], tuple
        )  # fmt: skip
        self.number(st.place)
        b.set(target)
        at = b.fresh()
        if not single:
            self.pointer(st.pieces)  # fixed before anything moves
            b.set(at)
        b.const(0)
        b.set(count)
        b.get(target)
        b.const(0)
        b.op("i32.ge_s")
        with b.when(), b.block() as done:
            self._must_exist(target, self.range(st.place))
            rooms = shared.code.rooms
            low, high = self.range(st.place)
            roomy = not any(low <= p <= high for p in rooms)
            if not roomy:
                b.get(target)
                self.call("room at", (I32,))
                b.set(room)

            def one(v: int) -> None:
                with b.block() as skip:
                    if self.range(st.pieces)[0] < 0:
                        b.get(v)
                        b.const(0)
                        b.op("i32.lt_s")
                        b.to_if(skip)
                    stands = self.range(st.pieces)[1] >= m.pieces
                    b.get(v)
                    if stands:
                        self.call("resolve", (I32,))
                    b.set(piece)
                    if stands:
                        b.get(piece)
                        b.const(0)
                        b.op("i32.lt_s")
                        b.to_if(skip)
                    if not roomy:
                        b.get(piece)
                        b.const(2)
                        b.op("i32.shl")
                        b.memory("i32.load", m.place_of)
                        b.get(target)
                        b.op("i32.ne")
                        with b.when():
                            b.get(room)
                            b.op("i32.eqz")
                            b.to_if(done)
                            b.get(room)
                            b.const(1)
                            b.op("i32.sub")
                            b.set(room)
                    if stands and not shared.open:
                        b.get(v)
                        b.get(piece)
                        b.op("i32.ne")
                        with b.when():
                            b.get(target)
                            self.call("mask", (I32,))
                            b.const(shared.code.everybody)
                            b.op("i32.ne")
                            with b.when():
                                b.get(piece)
                                b.const(2)
                                b.op("i32.shl")
                                b.const(0)
                                b.memory("i32.store", m.known)
                    b.get(piece)
                    b.get(target)
                    b.const(int(st.bottom))
                    self.call("put", (I32, I32, I32), ())
                    b.get(count)
                    b.const(1)
                    b.op("i32.add")
                    b.set(count)

            if single:
                self.each(st.pieces, one)
            else:
                self.each_at_address(at, one)
        if st.moved >= 0:
            self.set_slot(st.moved, lambda: b.get(count))

    def each_at_address(self, at: int, body: Callable[[int], None]) -> None:
        """A loop over the values of the set whose address a local holds; the local is used up."""
        b = self.b
        end, v = b.fresh(), b.fresh()
        b.get(at)
        b.get(at)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(at)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(at)
            b.const(4)
            b.op("i32.add")
            b.tee(at)
            b.memory("i32.load")
            b.set(v)
            body(v)
            b.to(more)

    def _must_exist(self, target: int, values: tuple[int, int]) -> None:
        if values[1] >= self.shared.memory.places:
            self.b.get(target)
            self.check_below(self.shared.memory.places)
            self.b.op("drop")

    def exchange(self, first: ir.Expr, second: ir.Expr) -> None:
        """Two places trade what lies on them, if it fits."""
        b = self.b
        x, y = b.fresh(), b.fresh()
        self.number(first)
        b.set(x)
        self.number(second)
        b.set(y)
        with b.block() as skip:
            for place in (x, y):
                b.get(place)
                b.const(0)
                b.op("i32.lt_s")
                b.to_if(skip)
            b.get(x)
            b.get(y)
            b.op("i32.eq")
            b.to_if(skip)
            for place, e in ((x, first), (y, second)):
                self._must_exist(place, self.range(e))
            if self.shared.code.rooms:
                for place, other in ((x, y), (y, x)):
                    b.get(place)
                    self.call("room of", (I32,))
                    self.count_at(other)
                    b.op("i32.lt_u")
                    b.to_if(skip)
            b.get(x)
            b.get(y)
            self.call("exchange", (I32, I32), ())

    def chance(self, slot: int, of: ir.Expr, stream: ir.Expr) -> None:
        """Draw one value of a set, all equally likely."""
        b = self.b
        n = b.fresh()
        at = b.fresh()
        self.pointer(of)
        b.tee(at)
        b.memory("i32.load")
        b.tee(n)
        with b.when():

            def drawn() -> None:
                b.get(at)
                self.number(stream)
                b.get(n)
                self.call("draw", (I32, I32))
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load", 4)

            self.set_slot(slot, drawn)
            news(self.shared, b)
            b.otherwise()
            self.set_slot(slot, lambda: b.const(-1))

    def show(self, pieces: ir.Expr, players: ir.Expr) -> None:
        """Players know pieces from now on."""
        b = self.b
        bits = b.fresh()
        b.const(0)
        b.set(bits)

        def player(p: int) -> None:
            b.get(p)
            b.const(0)
            b.op("i32.ge_s")
            with b.when():
                b.get(bits)
                b.const(1)
                b.get(p)
                b.op("i32.shl", "i32.or")
                b.set(bits)

        self.each(players, player, distinct=False)
        if self.shared.open:
            return

        def piece(v: int) -> None:
            b.get(v)
            b.const(self.shared.memory.pieces)
            b.op("i32.lt_u")
            with b.when():
                b.get(v)
                b.get(bits)
                self.call("know", (I32, I32), ())

        self.each(pieces, piece, distinct=False)

    # ----------------------------------------------------------------- events

    def event(self, st: ir.Statement, leaves: ir.Enter | None = None) -> None:
        """Count events, keep the names of the phases that are under way."""
        b, m = self.b, self.shared.memory
        match st:
            case ir.Enter(kind="event"):
                self.get_global("events")
                b.const(1)
                b.op("i32.add")
                self.set_global("events")
                self.get_global("events")
                b.const(EVENTS)
                b.op("i32.gt_s")
                with b.when():
                    self.trap()
            case ir.Enter(kind="phase"):
                n = b.new()
                b.const(0)
                b.memory("i32.load", m.state + PHASES)
                b.tee(n)
                b.const(DEPTH_OF_PHASES)
                b.op("i32.ge_u")
                with b.when():
                    self.trap()
                b.get(n)
                b.const(2)
                b.op("i32.shl")
                b.const(self.shared.phase(st.name))
                b.memory("i32.store", m.phases)
                b.const(0)
                b.get(n)
                b.const(1)
                b.op("i32.add")
                b.memory("i32.store", m.state + PHASES)
                b.free(n)
            case ir.Leave() if leaves is not None and leaves.kind == "phase":
                n = b.new()
                b.const(0)
                b.memory("i32.load", m.state + PHASES)
                b.tee(n)
                with b.when():
                    b.const(0)
                    b.get(n)
                    b.const(1)
                    b.op("i32.sub")
                    b.memory("i32.store", m.state + PHASES)
                b.free(n)
            case _:
                pass

    # ------------------------------------------------------------------ calls

    @contextmanager
    def counted(self, function: int) -> Iterator[None]:
        """A call that may go round in a circle: not too deep."""
        b, circular = self.b, function in self.shared.circular
        if circular:
            self._deeper(1)
            self.get_global("depth")
            b.const(NESTED_CALLS)
            b.op("i32.gt_s")
            with b.when():
                self.trap()
        yield
        if circular:
            self._deeper(-1)

    def _deeper(self, by: int) -> None:
        self.get_global("depth")
        self.b.const(by)
        self.b.op("i32.add")
        self.set_global("depth")

    def call_to(self, st: ir.CallTo) -> None:
        """Run a function in which nobody is asked."""
        b, fn = self.b, self.shared.program.functions[st.function]
        long_lived = fn.result in ("set", "groups")
        if st.function in self.shared.circular:
            self.charge_one()
        value = b.fresh()
        with self.scope() if not long_lived or self.frame is not None or self.in_loop else _nothing():
            with self.counted(st.function):
                self.call_function(st.function, st.arguments)
                b.set(value)
            if st.result >= 0:

                def got() -> None:
                    b.get(value)
                    if long_lived and (self.frame is not None or self.in_loop):
                        self.call("keep groups" if fn.result == "groups" else "keep", (I32,))

                self.set_slot(st.result, got)


_SPARE = 1 << 20  # a slot that no function has


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def plain_function(shared: Shared, function: int) -> None:
    """Write a function in which nobody is asked."""
    fn = shared.program.functions[function]
    b = Body("", (I32,) * fn.parameters, (I32,))
    w = Statements(shared, b, function)
    b.name = named(w, function)
    w.loops, w.open, w.bound = [], [], {i: i for i in range(fn.parameters)}
    w.result = b.fresh()
    mark = b.mark()
    with b.block() as out:
        w.out = out
        w.body(w.with_floods(fn.body))
    if w.allocated and fn.result not in (SET, GROUPS):
        top = b.fresh()
        before = Body("")
        before.global_get(shared.globals["top"])
        before.set(top)
        b.insert(mark, before.chunks)
        b.get(top)
        b.global_set(shared.globals["top"])
    b.get(w.result)
    shared.define(b)


def choosing_function(shared: Shared, function: int) -> None:
    """Write a function in which somebody may be asked: (address of its frame) → done, suspended or over."""
    ops, _ = shared.code.flat(function)
    fn = shared.program.functions[function]
    b = Body(f"{function}: {fn.name}", (I32,), (I32,))
    w = Resumable(shared, b, function, frame=0)
    w.loops = []
    w.ops = ops
    targets = w.targets()
    order = sorted(targets)
    with b.loop() as top:
        w.top = top
        labels = [b._open(0x02, None) for _ in order]
        w.labels = {pc: labels[len(order) - 1 - i] for i, pc in enumerate(order)}
        b.get(0)
        b.memory("i32.load", 4)
        outermost = w.labels[order[-1]]
        b.to_table([w.labels.get(pc, outermost) for pc in range(len(ops))], outermost)
        starts = set(order)
        for pc in range(len(ops)):
            if pc in starts:
                b.end()
            w.instruction(pc)
        b.op("unreachable")
    b.op("unreachable")
    shared.define(b)


class Resumable(Statements):
    """Writes the instructions of a function that has a frame."""

    resumable = True
    ops: list[Any]
    top: Label
    labels: dict[int, Label]

    def targets(self) -> set[int]:
        """The instructions at which the function can be entered, or to which it jumps."""
        found = {0}
        for pc, op in enumerate(self.ops):
            if op.form in ("ask", "call"):
                found |= {pc, landing(self.ops, op.next, False)}
            if op.form == "jump" or (op.next != pc + 1 and op.form != "return"):
                found.add(op.next)
            if op.other >= 0:
                found.add(op.other)
        return {pc for pc in found if pc < len(self.ops)}

    def go(self, pc: int, here: int) -> None:
        """Go on at an instruction."""
        if pc == here + 1:
            return
        self.jump(pc, here)

    def jump(self, pc: int, here: int) -> None:
        """Branch to an instruction."""
        b = self.b
        if pc > here:
            b.to(self.labels[pc])
        else:
            b.get(0)
            b.const(pc)
            b.memory("i32.store", 4)
            b.to(self.top)

    def stand_at(self, pc: int) -> None:
        """Note in the frame where the function goes on."""
        self.b.get(0)
        self.b.const(pc)
        self.b.memory("i32.store", 4)

    def own(self, slot: int) -> None:
        """Push what one of the slots behind the function's own holds."""
        self.b.get(0)
        self.b.memory("i32.load", FRAME_HEAD + 4 * slot)

    def set_own(self, slot: int, push: Callable[[], None]) -> None:
        """Write such a slot."""
        self.b.get(0)
        push()
        self.b.memory("i32.store", FRAME_HEAD + 4 * slot)

    def instruction(self, pc: int) -> None:
        """One instruction of `flat.py`."""
        op, b = self.ops[pc], self.b
        node = op.node
        match op.form:
            case "if":
                with self.scope():
                    self.number(node.condition)
                b.op("i32.eqz")
                self.branch_if(op.other, pc)
                self.go(op.next, pc)
            case "each":
                with self.scope():
                    self.set_own(op.slot, lambda: self.for_good(node.set))
                self.set_own(op.slot + 1, lambda: b.const(0))
                self.go(op.next, pc)
            case "each_next":
                at, i = b.fresh(), b.fresh()
                self.own(op.slot)
                b.set(at)
                self.own(op.slot + 1)
                b.tee(i)
                b.get(at)
                b.memory("i32.load")
                b.op("i32.ge_u")
                self.branch_if(op.other, pc)

                def value() -> None:
                    b.get(at)
                    b.get(i)
                    b.const(2)
                    b.op("i32.shl", "i32.add")
                    b.memory("i32.load", 4)

                def following() -> None:
                    b.get(i)
                    b.const(1)
                    b.op("i32.add")

                self.set_slot(node.slot, value)
                self.set_own(op.slot + 1, following)
                self.charge_one()
                self.go(op.next, pc)
            case "repeat":
                with self.scope():
                    self.set_own(op.slot, lambda: self.number(node.times))
                self.go(op.next, pc)
            case "repeat_next":
                self.own(op.slot)
                b.const(0)
                b.op("i32.le_s")
                self.branch_if(op.other, pc)
                if node.condition is not None:
                    with self.scope():
                        self.number(node.condition)
                    b.op("i32.eqz")
                    self.branch_if(op.other, pc)

                def less() -> None:
                    self.own(op.slot)
                    b.const(1)
                    b.op("i32.sub")

                self.set_own(op.slot, less)
                self.charge_one()
                self.go(op.next, pc)
            case "loop":
                self.charge_one()
                self.go(op.next, pc)
            case "jump":
                self.go(op.next, pc)
            case "call":
                if node.function in self.shared.choosing:
                    self.call_choosing(node, landing(self.ops, op.next, False))
                else:
                    self.call_to(node)
                self.go(op.next, pc)
            case "return":
                self.leave(node)
            case "ask":
                self.ask(node, pc, landing(self.ops, op.next, False), op.slot)
                self.go(op.next, pc)
            case "enter" | "note":
                self.event(node)
                self.go(op.next, pc)
            case "leave":
                self.event(ir.Leave(node.span), node if isinstance(node, ir.Enter) else None)
                self.go(op.next, pc)
            case _:
                self.do(node)
                self.go(op.next, pc)

    def branch_if(self, pc: int, here: int) -> None:
        """Branch to an instruction if the number on the stack is not 0."""
        if pc > here:
            self.b.to_if(self.labels[pc])
        else:
            with self.b.when():
                self.jump(pc, here)

    def call_choosing(self, node: ir.CallTo, to: int) -> None:
        """Run a function that may ask, in a frame of its own behind this one."""
        b, shared = self.b, self.shared
        if node.function in shared.quick:
            # Bots inside the module answer: nobody will ever need a frame.
            self.get_global("mode")
            with b.when():
                self._run_quick(node)
                b.otherwise()
                self._run_in_frame(node, to)
        else:
            self._run_in_frame(node, to)
        if node.result >= 0:
            self.set_slot(node.result, lambda: self.get_global("value"))

    def _run_quick(self, node: ir.CallTo) -> None:
        from rulewright.interpreter.wasm.emit_quick import name_of

        b = self.b
        with self.scope():
            for a in node.arguments:
                self.kept(a)
            b.call(self.shared.declare(name_of(self.shared, node.function), (I32,) * len(node.arguments)))
            status = b.fresh()
            b.tee(status)
        with b.when():
            b.get(status)
            b.op("return")

    def _run_in_frame(self, node: ir.CallTo, to: int) -> None:
        b, shared = self.b, self.shared
        size, inner = shared.sizes[self.function], shared.sizes[node.function]
        fn = shared.program.functions[node.function]
        self.stand_at(to)
        if node.function in shared.circular:
            self.charge_one()
            b.get(0)
            b.const(size + inner)
            b.op("i32.add")
            b.const(shared.memory.state)
            b.op("i32.gt_u")
            with b.when():
                self.trap()
        values = []
        with self.scope():
            for a in node.arguments:
                if self.is_number(a):
                    self.kept(a)
                else:
                    self.for_good(a)
                local = b.fresh()
                b.set(local)
                values.append(local)
        new = b.fresh()
        b.get(0)
        b.const(size)
        b.op("i32.add")
        b.set(new)
        b.zeros(new, inner)
        b.get(new)
        b.const(node.function)
        b.memory("i32.store")
        if node.result >= 0:
            b.get(new)
            b.get(0)
            b.const(FRAME_HEAD + 4 * node.result)
            b.op("i32.add")
            b.memory("i32.store", 8)
        b.get(new)
        b.get(0)
        b.memory("i32.store", 12)
        for i, local in enumerate(values):
            b.get(new)
            b.get(local)
            b.memory("i32.store", FRAME_HEAD + 4 * i)
        b.const(0)
        b.get(new)
        b.memory("i32.store", shared.memory.state + TOP)
        b.get(new)
        b.call(shared.declare(f"{node.function}: {fn.name}", (I32,)))
        status = b.fresh()
        b.tee(status)
        with b.when():
            b.get(status)
            b.op("return")

    def leave(self, node: ir.Return) -> None:
        """Give the frame back, and the value to whoever called."""
        b = self.b
        if node.value is not None:
            with self.scope():
                if self.is_number(node.value):
                    self.kept(node.value)
                else:
                    self.for_good(node.value)
                self.set_global("value")
        else:
            b.const(0)
            self.set_global("value")
        b.const(0)
        b.get(0)
        b.memory("i32.load", 12)
        b.memory("i32.store", self.shared.memory.state + TOP)
        b.const(DONE)
        b.op("return")
