"""Control: how a match begins, goes on and is copied inside the module.

Comes in: `Shared`, when all functions of the rules have numbers. Goes out: `start`, `resume`, `save`, `load`,
`collect` and what asks need of lists. What never happens: a set that is lost: whatever values and frames hold
is copied before its half of the heap is given up.

The heap is cleared by copying what is alive from one half into the other (Fenichel and Yochelson 1969), only
when somebody chooses: then nothing but the state and the frames holds sets.
"""

from __future__ import annotations

from rulewright.interpreter.asks import READY
from rulewright.interpreter.wasm.body import Body, Label
from rulewright.interpreter.wasm.emit import OVER, STEPS, SUSPENDED, Shared
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32, FunctionType
from rulewright.interpreter.wasm.memory import FRAME_HEAD, HEAP, HEAP_BASE, HEAP_TOP, TOP, WINNERS
from rulewright.interpreter.wasm.ranges import GROUPS, SET

SAVE_HEAD = 16  # of a saved match: where the frames end, the heap's base and its size


class Control:
    """Writes the functions that carry a match on."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.m = shared.memory

    def all(self) -> None:
        """Write them all."""
        for emit in (
            self.start, self.resume, self.plus_one, self.next_picks, self.all_fit, self.rooms, self.collect,
            self.refresh, self.afterwards,
        ):  # fmt: skip
            emit()

    def _call(self, b: Body, name: str, parameters: int, results: int = 1) -> None:
        b.call(self.shared.declare(name, (I32,) * parameters, (I32,) * results))

    # ---------------------------------------------------------------- a match

    def start(self) -> None:
        """Stand at the beginning, with nothing run yet. Where chance begins is the host's business."""
        b = Body("start", (), ())
        m, main = self.m, self.shared.program.main
        b.const(0)
        self._call(b, "regrid", 1, 0)
        at = m.image
        for address, size in m.copied:
            b.const(address)
            b.const(at)
            b.const(size)
            b.memory_copy()
            at += size
        b.const(1)
        self._call(b, "regrid", 1, 0)
        b.const(m.frames)
        b.const(0)
        b.const(self.shared.sizes[main])
        b.memory_fill()
        b.const(0)
        b.const(main)
        b.memory("i32.store", m.frames)
        self.shared.define(b)

    def fresh_budgets(self, b: Body) -> None:
        """Budgets begin anew with each decision; nothing temporary is alive."""
        for name, value in (
            ("top", self.m.arena), ("memo", self.m.memo), ("fuel", STEPS), ("events", 0), ("depth", 0),
        ):  # fmt: skip
            b.const(value)
            b.global_set(self.shared.globals[name])

    def resume(self) -> None:
        """Go on until somebody must choose (1) or the game is over (0)."""
        b = Body("resume", (), (I32,))
        m = self.m
        frame, status = b.new(), b.new()
        kind = self.shared.module.type_index(FunctionType((I32,), (I32,)))
        self.fresh_budgets(b)
        with b.loop() as more:
            b.const(0)
            b.memory("i32.load", m.state + TOP)
            b.tee(frame)
            b.op("i32.eqz")
            with b.when():
                b.const(0)
                b.op("return")
            b.get(frame)
            b.get(frame)
            b.memory("i32.load")
            b.call_indirect(kind)
            b.tee(status)
            b.const(SUSPENDED)
            b.op("i32.eq")
            with b.when():
                b.const(1)
                b.op("return")
            b.get(status)
            b.const(OVER)
            b.op("i32.eq")
            with b.when():
                b.const(0)
                b.const(0)
                b.memory("i32.store", m.state + TOP)
                b.const(0)
                b.op("return")
            b.get(frame)
            b.memory("i32.load", 8)
            with b.when():
                b.get(frame)
                b.memory("i32.load", 8)
                b.global_get(self.shared.globals["value"])
                b.memory("i32.store")
            b.to(more)
        b.op("unreachable")
        self.shared.define(b)

    def refresh(self) -> None:
        """Give an answer and go on: 1 if somebody must choose again."""
        b = Body("step", (I32,), (I32,))
        b.get(0)
        b.global_get(self.shared.globals["ask.count"])
        b.op("i32.ge_u")
        with b.when():
            b.op("unreachable")
        b.get(0)
        self._call(b, "answer", 1, 0)
        b.call(self.shared.declare("resume", (), (I32,)))
        self.shared.define(b)

    # ------------------------------------------------------------------ lists

    def plus_one(self) -> None:
        """A list (0) with one more value (1), on the heap."""
        b = Body("plus one", (I32, I32), (I32,))
        size, at = b.new(), b.new()
        b.get(0)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl")
        b.const(8)
        b.op("i32.add")
        b.set(size)
        from rulewright.interpreter.wasm.runtime import Runtime

        Runtime(self.shared).take_heap(b, size, at)
        b.get(at)
        b.get(0)
        b.get(size)
        b.const(4)
        b.op("i32.sub")
        b.memory_copy()
        b.get(at)
        b.get(0)
        b.memory("i32.load")
        b.const(1)
        b.op("i32.add")
        b.memory("i32.store")
        b.get(at)
        b.get(size)
        b.op("i32.add")
        b.get(1)
        self._store_before(b)
        b.get(at)
        self.shared.define(b)

    @staticmethod
    def _store_before(b: Body) -> None:
        """Store the value on the stack 4 bytes before the address under it."""
        value = b.new()
        b.set(value)
        b.const(4)
        b.op("i32.sub")
        b.get(value)
        b.memory("i32.store")
        b.free(value)

    def next_picks(self) -> None:
        """What can be picked next in a plural choice: the twin of `asks.next_picks`.

        (player, values, least, most, picked, whether looks count) → how many options.
        """
        b = Body("next picks", (I32,) * 6, (I32,))
        w = Walks(self.shared, b, 0)
        player, values, least, most, picked, looks = range(6)
        n, order, first, i, j, k, count, done, out, taken = (b.fresh() for _ in range(10))

        def item(of: int, index: int, offset: int = 4) -> None:
            b.get(of)
            b.get(index)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.memory("i32.load", offset)

        def address(of: int, index: int) -> None:
            b.get(of)
            b.get(index)
            b.const(2)
            b.op("i32.shl", "i32.add")

        def counted(i: int, end: int, start: int | None, body: object) -> None:
            if start is None:
                b.const(0)
            else:
                b.get(start)
            b.set(i)
            with b.block() as stop, b.loop() as more:
                b.get(i)
                b.get(end)
                b.op("i32.ge_s")
                b.to_if(stop)
                body(stop)  # type: ignore[operator]
                b.get(i)
                b.const(1)
                b.op("i32.add")
                b.set(i)
                b.to(more)

        b.get(values)
        b.memory("i32.load")
        b.tee(n)
        b.get(least)
        b.op("i32.lt_s")
        b.get(most)
        b.get(least)
        b.const(1)
        b.get(least)
        b.const(1)
        b.op("i32.gt_s", "select", "i32.lt_s", "i32.or")
        with b.when():
            b.const(0)
            b.op("return")
        b.get(n)
        b.const(1 << 14)
        b.op("i32.gt_u")
        with b.when():
            w.trap()
        b.get(picked)
        b.memory("i32.load")
        b.set(done)
        with w.scope():
            size = b.fresh()
            b.get(n)
            b.const(2)
            b.op("i32.shl")
            b.set(size)
            w.allocated += 1
            b.global_get(self.shared.globals["top"])
            b.tee(first)
            b.get(size)
            b.op("i32.add")
            b.tee(order)
            b.get(size)
            b.op("i32.add")
            b.global_set(self.shared.globals["top"])

            def find_first(stop: Label) -> None:
                """first[i] = the first value that looks like value i."""
                address(first, i)
                b.get(i)
                b.memory("i32.store")
                b.get(looks)
                with b.when():
                    a, c = b.new(), b.new()

                    def compare(stop: Label) -> None:
                        item(first, j, 0)
                        b.get(j)
                        b.op("i32.eq")
                        with b.when():
                            item(values, j)
                            b.set(a)
                            item(values, i)
                            b.set(c)
                            w.same_look(a, c, player)
                            with b.when():
                                address(first, i)
                                b.get(j)
                                b.memory("i32.store")
                                b.to(stop)

                    counted(j, i, None, compare)

            counted(i, n, None, find_first)
            b.const(0)
            b.set(k)

            def ordered(stop: Label) -> None:
                item(first, i, 0)
                b.get(i)
                b.op("i32.eq")
                with b.when():

                    def same(stop: Label) -> None:
                        item(first, j, 0)
                        b.get(i)
                        b.op("i32.eq")
                        with b.when():
                            address(order, k)
                            b.get(j)
                            b.memory("i32.store")
                            b.get(k)
                            b.const(1)
                            b.op("i32.add")
                            b.set(k)

                    counted(j, n, i, same)

            counted(i, n, None, ordered)
            start = b.fresh()
            b.const(0)
            b.set(start)
            last = b.fresh()
            b.get(done)
            with b.when():
                b.get(done)
                b.const(1)
                b.op("i32.sub")
                b.set(last)
                item(picked, last)
                b.set(last)

                def found(stop: Label) -> None:
                    item(order, i, 0)
                    b.set(j)
                    item(values, j)
                    b.get(last)
                    b.op("i32.eq")
                    with b.when():
                        b.get(i)
                        b.const(1)
                        b.op("i32.add")
                        b.set(start)
                        b.to(stop)

                counted(i, n, None, found)
            b.const(self.m.options)
            b.set(out)
            b.const(-1)
            b.set(taken)
            b.get(done)
            b.get(most)
            b.op("i32.lt_s")
            with b.when():

                def offered(stop: Label) -> None:
                    """Equal looks lie side by side, so only the one before can be the same."""
                    item(order, i, 0)
                    b.set(j)
                    item(first, j, 0)
                    b.get(taken)
                    b.op("i32.ne")
                    b.get(done)
                    b.get(n)
                    b.op("i32.add")
                    b.get(i)
                    b.op("i32.sub")
                    b.get(least)
                    b.op("i32.ge_s", "i32.and")
                    with b.when():
                        item(first, j, 0)
                        b.set(taken)
                        b.get(out)
                        item(values, j)
                        b.memory("i32.store")
                        b.get(out)
                        b.const(4)
                        b.op("i32.add")
                        b.set(out)
                        b.get(count)
                        b.const(1)
                        b.op("i32.add")
                        b.set(count)

                counted(i, n, start, offered)
        b.get(done)
        b.get(least)
        b.op("i32.ge_s")
        with b.when():
            b.get(out)
            b.const(READY)
            b.memory("i32.store")
            b.get(count)
            b.const(1)
            b.op("i32.add")
            b.set(count)
        b.get(count)
        self.shared.define(b)

    def all_fit(self) -> None:
        """Whether every value of a set (0) lies between two numbers (1, 2)."""
        b = Body("all fit", (I32, I32, I32), (I32,))
        end, v = b.new(), b.new()
        b.get(0)
        b.get(0)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(0)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(0)
            b.const(4)
            b.op("i32.add")
            b.tee(0)
            b.memory("i32.load")
            b.tee(v)
            b.get(1)
            b.op("i32.lt_s")
            b.get(v)
            b.get(2)
            b.op("i32.gt_s", "i32.or")
            with b.when():
                b.const(0)
                b.op("return")
            b.to(more)
        b.const(1)
        self.shared.define(b)

    def rooms(self) -> None:
        """`room of` a place (-1: any number) and `room at` it: how many more pieces fit (-1 likewise)."""
        rooms = self.shared.code.rooms
        b = Body("room of", (I32,), (I32,))
        for place, room in rooms.items():
            b.get(0)
            b.const(place)
            b.op("i32.eq")
            with b.when():
                b.const(room)
                b.op("return")
        b.const(-1)
        self.shared.define(b)
        b = Body("room at", (I32,), (I32,))
        w = Walks(self.shared, b, 0)
        room = b.new()
        b.get(0)
        self._call(b, "room of", 1)
        b.tee(room)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            b.const(-1)
            b.op("return")
        b.get(room)
        w.count_at(0)
        b.op("i32.sub")
        b.tee(room)
        b.const(0)
        b.get(room)
        b.const(0)
        b.op("i32.gt_s", "select")
        self.shared.define(b)

    # ------------------------------------------------------------------- heap

    def collect(self) -> None:
        """Copy what is alive into the other half of the heap."""
        b = Body("collect", (), ())
        m, shared = self.m, self.shared
        base, to, at, frame, address, end, groups, i = (b.new() for _ in range(8))
        b.const(0)
        b.memory("i32.load", m.state + HEAP_BASE)
        b.set(base)
        b.const(m.heaps[0] + m.heaps[1])
        b.get(base)
        b.op("i32.sub")
        b.set(to)
        b.const(0)
        b.get(to)
        b.memory("i32.store", m.state + HEAP_BASE)
        b.const(0)
        b.get(to)
        b.memory("i32.store", m.state + HEAP_TOP)
        for number, v in enumerate(shared.program.variables):
            if v.kind != "set":
                continue
            b.const(m.vars + 4 * shared.code.layout.offsets[number])
            b.set(address)
            b.const(m.vars + 4 * (shared.code.layout.offsets[number] + v.cells))
            b.set(end)
            with b.loop() as more:
                self._moved(b, address, base)
                b.get(address)
                b.const(4)
                b.op("i32.add")
                b.tee(address)
                b.get(end)
                b.op("i32.lt_u")
                b.to_if(more)
        b.const(m.state + WINNERS)
        b.set(address)
        self._moved(b, address, base)
        sets = m.constant([m.constant_set(self._slots(f, SET)) for f in range(len(shared.program.functions))])
        many = m.constant(
            [m.constant_set(self._slots(f, GROUPS)) for f in range(len(shared.program.functions))]
        )
        w = Walks(shared, b, 0)
        b.const(0)
        b.memory("i32.load", m.state + TOP)
        b.set(frame)
        with b.block() as done, b.loop() as more:
            b.get(frame)
            b.op("i32.eqz")
            b.to_if(done)
            for field, kind in ((sets, SET), (many, GROUPS)):
                b.get(frame)
                b.memory("i32.load")
                w.load_field(field)
                b.set(at)
                b.get(at)
                b.get(at)
                b.memory("i32.load")
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.set(end)
                with b.block() as out, b.loop() as again:
                    b.get(at)
                    b.get(end)
                    b.op("i32.ge_u")
                    b.to_if(out)
                    b.get(at)
                    b.const(4)
                    b.op("i32.add")
                    b.tee(at)
                    b.memory("i32.load")
                    b.get(frame)
                    b.op("i32.add")
                    b.set(address)
                    self._moved(b, address, base)
                    if kind == GROUPS:
                        b.get(address)
                        b.memory("i32.load")
                        b.tee(groups)
                        b.get(groups)
                        b.memory("i32.load")
                        b.const(2)
                        b.op("i32.shl", "i32.add")
                        b.set(i)
                        with b.block() as none, b.loop() as each:
                            b.get(groups)
                            b.get(i)
                            b.op("i32.ge_u")
                            b.to_if(none)
                            b.get(groups)
                            b.const(4)
                            b.op("i32.add")
                            b.set(groups)
                            self._moved(b, groups, base)
                            b.to(each)
                    b.to(again)
            b.get(frame)
            b.memory("i32.load", 12)
            b.set(frame)
            b.to(more)
        shared.define(b)

    def _moved(self, b: Body, address: int, base: int) -> None:
        """If the set whose address lies at an address is in the old half, copy it and write where it is
        now."""
        with b.local() as at, b.local() as size, b.local() as new:
            b.get(address)
            b.memory("i32.load")
            b.tee(at)
            b.get(base)
            b.op("i32.sub")
            b.const(HEAP)
            b.op("i32.lt_u")
            with b.when():
                b.get(at)
                b.memory("i32.load")
                b.const(2)
                b.op("i32.shl")
                b.const(4)
                b.op("i32.add")
                b.set(size)
                b.const(0)
                b.memory("i32.load", self.m.state + HEAP_TOP)
                b.set(new)
                # What is alive may be shared, and be more when each owner has its own.
                b.get(new)
                b.get(size)
                b.op("i32.add")
                b.const(0)
                b.memory("i32.load", self.m.state + HEAP_BASE)
                b.op("i32.sub")
                b.const(HEAP)
                b.op("i32.gt_u")
                with b.when():
                    b.op("unreachable")
                b.const(0)
                b.get(new)
                b.get(size)
                b.op("i32.add")
                b.memory("i32.store", self.m.state + HEAP_TOP)
                b.get(new)
                b.get(at)
                b.get(size)
                b.memory_copy()
                b.get(address)
                b.get(new)
                b.memory("i32.store")

    def _slots(self, function: int, kind: str) -> tuple[int, ...]:
        """The places in a frame, from its beginning, that hold sets or groups."""
        if function not in self.shared.choosing:
            return ()
        return tuple(
            FRAME_HEAD + 4 * s for s, k in sorted(self.shared.slot_kinds(function).items()) if k == kind
        )

    # -------------------------------------------------------------- what would be

    def afterwards(self) -> None:
        """`afterwards F`: the value of a function in the position as it would be; nothing is changed."""
        from rulewright.interpreter.wasm.runtime_base import ASIDE

        m, shared = self.m, self.shared
        for function, parameters in sorted(shared.afterwards):
            b = Body(f"afterwards {function}", (I32,) * parameters, (I32,))
            value, top, mode = b.fresh(), b.fresh(), b.fresh()
            if function in shared.choosing:
                b.op("unreachable")
                shared.define(b)
                continue
            size = sum(size for _, size in m.copied)
            saved = m.room(size)
            b.global_get(shared.globals["mode"])
            b.tee(mode)
            b.const(ASIDE)
            b.op("i32.eq")
            with b.when():
                b.op("unreachable")  # what would be if something would be: left to the other machine
            b.const(ASIDE)
            b.global_set(shared.globals["mode"])
            at = saved
            for address, part in m.copied:
                b.const(at)
                b.const(address)
                b.const(part)
                b.memory_copy()
                at += part
            b.global_get(shared.globals["top"])
            b.set(top)
            for i in range(parameters):
                b.get(i)
            name = f"{function}: {shared.program.functions[function].name}"
            b.call(shared.declare(name, (I32,) * parameters))
            b.set(value)
            b.get(top)
            b.global_set(shared.globals["top"])
            b.const(0)
            self._call(b, "regrid", 1, 0)
            at = saved
            for address, part in m.copied:
                b.const(address)
                b.const(at)
                b.const(part)
                b.memory_copy()
                at += part
            b.const(1)
            self._call(b, "regrid", 1, 0)
            b.get(mode)
            b.global_set(shared.globals["mode"])
            b.get(value)
            shared.define(b)
