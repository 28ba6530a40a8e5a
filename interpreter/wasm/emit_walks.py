"""Emit walks: runs over a board, what is linked to what, connected groups, what is occupied.

Comes in: `Going`, `Linked`, `Groups` or `Occupied`. Goes out: a loop (a run) or the address of a set.
What never happens: a walk without end: each step is charged to the budget, and a run stops where it began.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter import ir
from rulewright.interpreter.layout import deltas
from rulewright.interpreter.link_walks import stepper
from rulewright.interpreter.walk import slots_read
from rulewright.interpreter.wasm.emit_sets import Each, Sets
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.evaluate import evaluate
from rulewright.interpreter.wasm.ranges import NOTHING

UNROLLED = 4  # directions that are written one after the other
MOST_READERS = 32  # values of the slot on which directions depend


class Walks(Sets):
    """Writes walks."""

    def charge(self, push: Callable[[], None]) -> None:
        """Take from the budget of steps what `push` pushes."""
        self.get_global("fuel")
        push()
        self.b.op("i32.sub")
        self.set_global("fuel")
        self.get_global("fuel")
        self.b.const(0)
        self.b.op("i32.lt_s")
        with self.b.when():
            self.trap()

    def charge_one(self) -> None:
        """Take one step from the budget."""
        self.charge(lambda: self.b.const(1))

    # ------------------------------------------------------------------ steps

    def step(self, board: int, direction: int | None, at: int, way: int = -1) -> None:
        """Push the place one step from the one in local `at`, or -1: in a direction known beforehand, or in
        the one that local `way` holds."""
        b, info = self.b, self.shared.program.boards[board]
        if not info.unbounded:
            n = info.width * info.height
            table = self.shared.memory.constant(
                [to + info.first if to >= 0 else -1 for row in info.steps for to in row]
            )
            b.get(at)
            if info.first:
                b.const(info.first)
                b.op("i32.sub")
            if direction is None:
                b.get(way)
                b.const(n)
                b.op("i32.mul", "i32.add")
            if table.size > 1:
                b.const(table.size.bit_length() - 1)
                b.op("i32.shl")
            b.memory(table.load, table.at + table.size * n * (direction or 0))
            return
        moves = deltas(info, self.shared.program.directions)
        width, height = info.width, info.height
        if direction is not None:
            move = moves[direction]
            if move is None:
                b.const(-1)
                return
            self._moved(info, at, lambda: b.const(move[0] % height), lambda: b.const(move[1] % width))
            return
        across = self.shared.memory.constant([(m[0] if m else 0) % height for m in moves])
        along = self.shared.memory.constant([(m[1] if m else 0) % width for m in moves])
        there = self.shared.memory.constant([int(m is not None) for m in moves])

        def push(field: object) -> Callable[[], None]:
            def pushed() -> None:
                b.get(way)
                self.load_field(field)  # type: ignore[arg-type]

            return pushed

        push(there)()
        with b.when(I32):
            self._moved(info, at, push(across), push(along))
            b.otherwise()
            b.const(-1)

    def _moved(
        self, info: ir.BoardInfo, at: int, rows: Callable[[], None], columns: Callable[[], None]
    ) -> None:
        """Push the space so many rows and columns (not negative) from another, round the torus."""
        b, width, height = self.b, info.width, info.height
        place = b.new()
        b.get(at)
        b.const(info.first)
        b.op("i32.sub")
        b.tee(place)
        b.const(width)
        b.op("i32.div_u")
        rows()
        b.op("i32.add")
        b.const(height)
        b.op("i32.rem_u")
        b.const(width)
        b.op("i32.mul")
        b.get(place)
        b.const(width)
        b.op("i32.rem_u")
        columns()
        b.op("i32.add")
        b.const(width)
        b.op("i32.rem_u", "i32.add")
        b.const(info.first)
        b.op("i32.add")
        b.free(place)

    # ------------------------------------------------------------------ going

    def each_going(self, e: ir.Going, body: Each, distinct: bool) -> None:
        """The spaces of the runs in each direction of a set."""
        b, board = self.b, self.shared.program.boards[e.board]
        first, cells = board.first, board.width * board.height
        origin, most = b.fresh(), b.fresh()
        self.number(e.start)
        b.tee(origin)
        if first:
            b.const(first)
            b.op("i32.sub")
        b.const(cells)
        b.op("i32.lt_u")
        with b.when():
            if e.limit is not None:
                self.number(e.limit)
            else:
                b.const(cells)
            b.set(most)
            fixed = e.directions.items if isinstance(e.directions, ir.SetConst) else None
            known = self._known_directions(e.directions)
            apart = bool(known) and all(len(way) == 1 or self._apart(e.board, way) for way in known)
            if distinct and not apart:
                body = self.once(self.range(e), body)
            if fixed is not None:
                for direction in fixed:
                    with self.scope():
                        self._run(e, origin, most, direction, -1, body)
            elif known and isinstance(e.directions, ir.MakeSet) and len(e.directions.items) <= UNROLLED:
                # They are all different, whoever plays: no set is needed.
                for item in e.directions.items:
                    assert not isinstance(item, tuple)
                    with self.scope():
                        way = b.fresh()
                        self.number(item)
                        b.set(way)
                        self._run(e, origin, most, None, way, body)
            else:
                self.each(e.directions, lambda way: self._run(e, origin, most, None, way, body))

    def _known_directions(self, e: ir.Expr) -> tuple[tuple[int, ...], ...]:
        """The directions that a set can hold, one tuple for each value of the slot that it reads; nothing if
        that is not known, or if one could be missing or come twice."""
        if isinstance(e, ir.SetConst):
            return (e.items,) if e.items and len(set(e.items)) == len(e.items) else ()
        slots = slots_read(e)
        if not isinstance(e, ir.MakeSet) or len(slots) != 1:
            return ()
        (slot,) = slots
        low, high = self.range(ir.Local(slot))
        if not 0 <= high - low < MOST_READERS:
            return ()
        found: list[tuple[int, ...]] = []
        for value in range(low, high + 1):
            ways = [
                None if isinstance(item, tuple) else evaluate(self.shared.program, item, {slot: value})
                for item in e.items
            ]
            if not all(isinstance(way, int) and way >= 0 for way in ways) or len(set(ways)) != len(ways):
                return ()
            found.append(tuple(way for way in ways if isinstance(way, int)))
        return tuple(found)

    def _apart(self, board: int, directions: tuple[int, ...]) -> bool:
        """Whether runs in these directions never meet, from wherever they begin."""
        info = self.shared.program.boards[board]
        if info.unbounded:
            return info.width == info.height  # they would meet only where they began
        memo = self.shared.apart
        if (board, directions) not in memo:
            step = stepper(self.shared.code, board)
            memo[board, directions] = all(
                _disjoint(step, place, directions)
                for place in range(info.first, info.first + info.width * info.height)
            )
        return memo[board, directions]

    def _run(self, e: ir.Going, origin: int, most: int, direction: int | None, way: int, body: Each) -> None:
        """One run: handed over space by space, or, where only its end tells whether it counts, kept first."""
        b = self.b
        late = e.ending is not None
        if e.limit == ir.Const(1) and not late and not self.shared.program.boards[e.board].unbounded:
            self._one_step(e, origin, direction, way, body)
            return
        place, n, v = b.fresh(), b.fresh(), b.fresh()
        if late and not e.exact:
            # Walk once without handing anything over; if the end is as it must be, walk again so far.
            self._walk(e, origin, most, direction, way, place, n, None)
            self._ended_well(e, origin, place)
            with b.when():
                again = b.fresh()
                b.get(n)
                b.set(again)
                b.get(origin)
                b.set(place)
                with b.block() as out, b.loop() as more:
                    b.get(again)
                    b.op("i32.eqz")
                    b.to_if(out)
                    self.step(e.board, direction, place, way)
                    b.tee(place)
                    b.set(v)
                    b.get(again)
                    b.const(1)
                    b.op("i32.sub")
                    b.set(again)
                    body(v)
                    b.to(more)
            return
        if e.exact:
            last = b.fresh()

            def at() -> None:
                b.get(place)
                b.set(last)

            self._walk(e, origin, most, direction, way, place, n, at)
            b.get(n)
            b.get(most)
            b.op("i32.eq")
            b.get(n)
            b.const(0)
            b.op("i32.gt_s", "i32.and")
            if late:
                self._ended_well(e, origin, place)
                b.op("i32.and")
            with b.when():
                body(last)
            return

        def hand_over() -> None:
            b.get(place)
            b.set(v)
            body(v)

        self._walk(e, origin, most, direction, way, place, n, hand_over)

    def _one_step(self, e: ir.Going, origin: int, direction: int | None, way: int, body: Each) -> None:
        """A run of at most one space."""
        b = self.b
        place = b.fresh()
        self.step(e.board, direction, origin, way)
        b.tee(place)
        b.const(0)
        b.op("i32.ge_s")
        with b.when():
            if e.keep is None:
                body(place)
                return
            with self.scope(), self.binding(e.slot, place):
                self.number(e.keep)
            with b.when():
                body(place)

    def _walk(
        self,
        e: ir.Going,
        origin: int,
        most: int,
        direction: int | None,
        way: int,
        place: int,
        n: int,
        at_each: Callable[[], None] | None,
    ) -> None:
        """Walk on while the conditions hold. Afterwards `place` is the space behind the run (or -1)."""
        b = self.b
        b.const(0)
        b.set(n)
        b.get(origin)
        b.set(place)
        self.step(e.board, direction, place, way)
        b.set(place)
        with b.block() as out, b.loop() as more:
            b.get(place)
            b.const(0)
            b.op("i32.lt_s")
            b.to_if(out)
            b.get(place)
            b.get(origin)
            b.op("i32.eq")
            b.to_if(out)
            b.get(n)
            b.get(most)
            b.op("i32.ge_s")
            b.to_if(out)
            with self.scope():
                if e.keep is not None:
                    with self.binding(e.slot, place):
                        self.number(e.keep)
                    b.op("i32.eqz")
                    b.to_if(out)
            b.get(n)
            b.const(1)
            b.op("i32.add")
            b.set(n)
            stop = b.fresh()
            with self.scope():
                if e.until is not None:
                    with self.binding(e.slot, place):
                        self.number(e.until)
                    b.set(stop)
                if at_each is not None:
                    at_each()
            self.step(e.board, direction, place, way)
            b.set(place)
            if e.until is not None:
                b.get(stop)
                b.to_if(out)
            b.to(more)

    def _ended_well(self, e: ir.Going, origin: int, place: int) -> None:
        """Push whether the space behind a run exists and is as it must be."""
        b = self.b
        b.get(place)
        b.const(0)
        b.op("i32.lt_s")
        b.get(place)
        b.get(origin)
        b.op("i32.eq", "i32.or")
        with b.when(I32):
            b.const(0)
            b.otherwise()
            with self.binding(e.slot, place):
                assert e.ending is not None
                self.truth(e.ending)

    # ----------------------------------------------------------------- linked

    def linked(self, e: ir.Linked) -> None:
        """Push the address of everything that can be reached step by step, nearest first."""
        b = self.b
        starts, values = self.range(e.start), self.range(e)
        low = min(starts[0], values[0]) if starts != NOTHING else values[0]
        high = max(starts[1], values[1]) if starts != NOTHING else values[1]
        width = max(1, high - low + 1)
        new = self.newness((low, high))
        queue, result = self.take(4 * min(width, 1 << 16) + 8), self.take(4 * min(width, 1 << 16) + 8)
        tail, out, head, at = b.fresh(), b.fresh(), b.fresh(), b.fresh()
        b.get(queue)
        b.tee(tail)
        b.set(head)
        b.get(result)
        b.set(out)

        def push(end: int, v: int) -> None:
            b.get(end)
            b.const(4)
            b.op("i32.add")
            b.tee(end)
            b.get(v)
            b.memory("i32.store")

        def begin(v: int) -> None:
            new(v)
            with b.when():
                push(tail, v)

        self.each(e.start, begin, distinct=False)
        with b.block() as done, b.loop() as more:
            b.get(head)
            b.get(tail)
            b.op("i32.ge_u")
            b.to_if(done)
            b.get(head)
            b.const(4)
            b.op("i32.add")
            b.tee(head)
            b.memory("i32.load")
            b.set(at)
            self.charge_one()

            def near(v: int) -> None:
                self.charge_one()
                new(v)
                with b.when(), self.binding(e.slot, v):
                    if e.where is not None:
                        self.number(e.where)
                        with b.when():
                            enter(v)
                    else:
                        enter(v)

            def enter(v: int) -> None:
                push(out, v)
                if e.stopping is not None:
                    self.number(e.stopping)
                    b.op("i32.eqz")
                    with b.when():
                        push(tail, v)
                else:
                    push(tail, v)

            with self.scope(), self.binding(e.slot, at):
                self.each(e.neighbours, near, distinct=False)
            b.to(more)
        b.get(result)
        b.get(out)
        b.get(result)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.memory("i32.store")
        b.get(result)

    # ----------------------------------------------------------------- groups

    def groups(self, e: ir.Groups) -> None:
        """Push the address of the connected groups of a set.

        Two values belong together if either is a neighbour of the other: a union-find forest (Galler and
        Fischer 1964) over their places in the set, the smaller place being the root; so groups come out by
        their first value, each in the order of the whole.
        """
        b = self.b
        values = self.range(e.set)
        width = max(1, values[1] - values[0] + 1)
        if width > 1 << 16:
            self.trap()
            b.const(self.shared.memory.empty)
            return
        whole, n, i, v = b.fresh(), b.fresh(), b.fresh(), b.fresh()
        self.pointer(e.set)
        b.tee(whole)
        b.memory("i32.load")
        b.set(n)
        most = max(1, self.most(e.set))
        place_of = self.take(4 * width)  # value → its place plus 1
        parent = self.take(4 * most)
        b.get(place_of)
        b.const(0)
        b.const(4 * width)
        b.memory_fill()

        def item(at: int) -> None:
            b.get(whole)
            b.get(at)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.memory("i32.load", 4)
            b.set(v)

        def counted(body: Callable[[], None]) -> None:
            b.const(0)
            b.set(i)
            with b.block() as out, b.loop() as more:
                b.get(i)
                b.get(n)
                b.op("i32.ge_u")
                b.to_if(out)
                item(i)
                with self.scope():
                    body()
                b.get(i)
                b.const(1)
                b.op("i32.add")
                b.set(i)
                b.to(more)

        def entry(base: int, of: int, low: int = 0) -> None:
            b.get(base)
            self._from(of, low)
            b.const(2)
            b.op("i32.shl", "i32.add")

        def number_them() -> None:
            entry(place_of, v, values[0])
            b.get(i)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store")
            entry(parent, i)
            b.get(i)
            b.memory("i32.store")

        other = b.fresh()

        def join() -> None:
            self.charge_one()

            def near(w: int) -> None:
                self.charge_one()
                self._from(w, values[0])
                b.const(width)
                b.op("i32.lt_u")
                with b.when():
                    entry(place_of, w, values[0])
                    b.memory("i32.load")
                    b.tee(other)
                    with b.when():
                        b.get(parent)
                        b.get(i)
                        b.get(other)
                        b.const(1)
                        b.op("i32.sub")
                        self.call("join", (I32, I32, I32), ())

            with self.binding(e.slot, v):
                self.each(e.neighbours, near, distinct=False)

        counted(number_them)
        counted(join)
        b.get(whole)
        b.get(parent)
        at = self.take(4 * most + 8)
        room = self.take(8 * most + 8)
        b.get(at)
        b.get(room)
        self.call("gather", (I32, I32, I32, I32), ())
        b.get(at)

    # --------------------------------------------------------------- occupied

    def occupied(self, e: ir.Occupied) -> None:
        """Push the address of the spaces of an unbounded board that hold something (and those around)."""
        self.allocated += 1
        self.call(f"occupied {e.board}{' around' if e.around else ''}", ())


def _disjoint(step: Callable[[int, int], int], origin: int, directions: tuple[int, ...]) -> bool:
    met: set[int] = set()
    for direction in directions:
        place = step(direction, origin)
        run: set[int] = set()
        while place >= 0 and place != origin and place not in run:
            run.add(place)
            place = step(direction, place)
        if run & met:
            return False
        met |= run
    return True
