"""Emit sets: expressions whose value is a set or groups, and what is asked of sets.

Comes in: an expression. Goes out: either a loop over its values (`each`), without ever making the set, or the
address of one (`pointer`). A selection of a selection of a range is so one loop with two conditions in it.
What never happens: another order of the values than the reference machine has, or a value that comes twice.
To add a form: a case in `each`, a bound for `most`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.interpreter import ir
from rulewright.interpreter.wasm.emit_numbers import Numbers
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.ranges import GROUPS, NOTHING, Range, join

if TYPE_CHECKING:
    from rulewright.interpreter.wasm.emit_walks import Walks

Each = Callable[[int], None]  # writes what happens for the value in a local
UNROLLED = 4  # a constant set of so many values is written out
BITS = 1 << 16  # a wider range of values is remembered as a list
LONGEST = 1 << 14  # values of a temporary set of which nothing else is known
KNOWN = (ir.SetConst, ir.Local, ir.Load, ir.At, ir.Apply, ir.Choice)  # sets that have an address


class Sets(Numbers):
    """Writes sets."""

    def _walks(self) -> Walks:
        return self  # type: ignore[return-value]

    # ------------------------------------------------------------------- each

    def each(self, e: ir.Expr, body: Each, distinct: bool = True) -> None:
        """Write a loop over the values. `body` may be written several times, must leave the local alone, and
        may branch to labels outside. `distinct`: each value once (else it may come again, where that is
        easier)."""
        b = self.b
        match e:
            case ir.SetConst(items):
                self._each_constant(items, body)
            case ir.MakeSet(items, skip):
                self._each_made(items, skip, body, distinct)
            case ir.Contents(place, top_only):
                self._each_lying(place, top_only, body)
            case ir.Filter(slot, of, condition):

                def kept(v: int) -> None:
                    with self.binding(slot, v):
                        self.number(condition)
                    with b.when():
                        body(v)

                self.each(of, kept, distinct)
            case ir.Collect(slot, of, value, many):
                self._each_collected(slot, of, value, many, body, distinct)
            case ir.Union(left, right):
                once = self.once(self.range(e), body) if distinct else body
                self.each(left, once, distinct=False)
                self.each(right, once, distinct=False)
            case ir.Without(left, right):
                holds = self.membership(right)

                def left_over(v: int) -> None:
                    holds(v)
                    b.op("i32.eqz")
                    with b.when():
                        body(v)

                self.each(left, left_over, distinct)
            case ir.FirstFew(of, most):
                with b.local() as n, b.block() as out:
                    self.number(most)
                    b.set(n)

                    def one(v: int) -> None:
                        b.get(n)
                        b.const(0)
                        b.op("i32.le_s")
                        b.to_if(out)
                        b.get(n)
                        b.const(1)
                        b.op("i32.sub")
                        b.set(n)
                        body(v)

                    self.each(of, one)
            case ir.Seats(start, clockwise):
                self._each_seat(start, clockwise, body)
            case ir.Going():
                self._walks().each_going(e, body, distinct)
            case _:
                self._each_at(e, body)

    def _each_constant(self, items: tuple[int, ...], body: Each) -> None:
        b = self.b
        if not items:
            return
        if len(items) == 1:
            v = b.fresh()
            b.const(items[0])
            b.set(v)
            with self.scope():
                body(v)
        elif items == tuple(range(items[0], items[-1] + 1)):
            b.const(items[0])
            v = b.fresh()
            b.set(v)
            with b.loop() as again:
                with self.scope():
                    body(v)
                b.get(v)
                b.const(1)
                b.op("i32.add")
                b.tee(v)
                b.const(items[-1])
                b.op("i32.le_s")
                b.to_if(again)
        else:
            at = self.shared.memory.constant(list(items))
            with b.local() as i:
                v = b.fresh()
                b.const(0)
                b.set(i)
                with b.loop() as again:
                    b.get(i)
                    b.memory(at.load, at.at)
                    b.set(v)
                    with self.scope():
                        body(v)
                    b.get(i)
                    b.const(at.size)
                    b.op("i32.add")
                    b.tee(i)
                    b.const(at.size * len(items))
                    b.op("i32.lt_u")
                    b.to_if(again)

    def _each_at(self, e: ir.Expr, body: Each) -> None:
        """The values of a set (or the groups) that has an address."""
        b = self.b
        at, end = b.fresh(), b.fresh()
        self.pointer(e)
        b.tee(at)
        b.get(at)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        v = b.fresh()
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
            b.set(v)
            with self.scope():
                body(v)
            b.to(again)

    def _each_made(
        self, items: tuple[ir.Expr | tuple[ir.Expr, ir.Expr], ...], skip: bool, body: Each, distinct: bool
    ) -> None:
        b = self.b
        ranges = [self.range(i) for item in items for i in (item if isinstance(item, tuple) else (item,))]
        spread = NOTHING
        for r in ranges:
            spread = join(spread, r)
        if distinct and len(items) > 1:
            body = self.once(spread, body)
        for item in items:
            if isinstance(item, tuple):
                v, high = b.fresh(), b.fresh()
                self.number(item[0])
                b.set(v)
                self.number(item[1])
                b.set(high)
                with b.block() as out, b.loop() as again:
                    b.get(v)
                    b.get(high)
                    b.op("i32.gt_s")
                    b.to_if(out)
                    with self.scope():
                        body(v)
                    b.get(v)
                    b.const(1)
                    b.op("i32.add")
                    b.set(v)
                    b.to(again)
                continue
            v = b.fresh()
            self.number(item)
            b.set(v)
            if skip and self.range(item)[0] <= -1:
                b.get(v)
                b.const(-1)
                b.op("i32.ne")
                with b.when():
                    body(v)
            else:
                body(v)

    def _each_lying(self, place: ir.Expr, top_only: bool, body: Each) -> None:
        b = self.b
        at, v = b.fresh(), b.fresh()
        if top_only:
            self.last_at(place)
            b.tee(at)
            with b.when():
                b.get(at)
                b.const(1)
                b.op("i32.sub")
                b.set(v)
                body(v)
            return
        self.first_at(place)
        b.set(at)
        with b.block() as out, b.loop() as again:
            b.get(at)
            b.op("i32.eqz")
            b.to_if(out)
            b.get(at)
            b.const(1)
            b.op("i32.sub")
            b.set(v)
            self.next_piece(at)
            b.set(at)
            with self.scope():
                body(v)
            b.to(again)

    def _each_collected(
        self, slot: int, of: ir.Expr, value: ir.Expr, many: bool, body: Each, distinct: bool
    ) -> None:
        b = self.b
        once = self.once(self.range(value), body) if distinct else body

        def one(v: int) -> None:
            if many:
                with self.binding(slot, v):
                    self.each(value, once, distinct=False)
                return
            got = b.fresh()
            with self.binding(slot, v):
                self.number(value)
            b.set(got)
            if self.range(value)[0] <= -1:
                b.get(got)
                b.const(-1)
                b.op("i32.ne")
                with b.when():
                    once(got)
            else:
                once(got)

        self.each(of, one, distinct=False)

    def _each_seat(self, start: ir.Expr, clockwise: ir.Expr, body: Each) -> None:
        b, players = self.b, len(self.shared.program.players)
        p, n, step = b.fresh(), b.fresh(), b.fresh()
        self.number(start)
        b.set(p)
        self.truth(clockwise)
        b.const(2)
        b.op("i32.mul")
        b.const(1)
        b.op("i32.sub")
        b.set(step)
        b.get(p)
        b.const(players)
        b.op("i32.lt_u")
        with b.when():
            b.const(players)
            b.set(n)
            with b.loop() as again:
                with self.scope():
                    body(p)
                b.get(p)
                b.get(step)
                b.op("i32.add")
                b.const(players)
                b.op("i32.add")
                b.const(players)
                b.op("i32.rem_u")
                b.set(p)
                b.get(n)
                b.const(1)
                b.op("i32.sub")
                b.tee(n)
                b.to_if(again)

    # -------------------------------------------------------------- remembering

    def once(self, values: Range, body: Each) -> Each:
        """A body that is left out for a value that came before. Call it before the loop begins."""
        new = self.newness(values)

        def first_time(v: int) -> None:
            new(v)
            with self.b.when():
                body(v)

        return first_time

    def newness(self, values: Range) -> Each:
        """What pushes 1 if a value comes for the first time, and remembers it; else 0."""
        b = self.b
        width = values[1] - values[0] + 1
        if width <= 64:
            seen = b.fresh(I64)
            b.const64(0)
            b.set(seen)

            def new_bit(v: int) -> None:
                bit, before = b.new(I64), b.new(I64)
                b.const64(1)
                self._from(v, values[0])
                b.op("i64.extend_i32_u", "i64.shl")
                b.set(bit)
                b.get(seen)
                b.tee(before)
                b.get(bit)
                b.op("i64.or")
                b.set(seen)
                b.get(before)
                b.get(bit)
                b.op("i64.and", "i64.eqz")
                b.free(bit, before)

            return new_bit
        if width > BITS:
            raise_list = self._list()
            return raise_list
        at = self.bits(width)

        def new(v: int) -> None:
            byte, bit = b.new(), b.new()
            self._bit_address(at, v, values[0])
            b.tee(byte)
            b.memory("i32.load8_u")
            b.const(1)
            self._from(v, values[0])
            b.const(7)
            b.op("i32.and", "i32.shl")
            b.tee(bit)
            b.op("i32.and")
            with b.when(I32):
                b.const(0)
                b.otherwise()
                b.get(byte)
                b.get(byte)
                b.memory("i32.load8_u")
                b.get(bit)
                b.op("i32.or")
                b.memory("i32.store8")
                b.const(1)
            b.free(byte, bit)

        return new

    def bits(self, width: int) -> int:
        """A local with the address of so many bits, all 0."""
        b = self.b
        size = -(-width // 8)
        at = self.take(size)
        b.get(at)
        b.const(0)
        b.const(size)
        b.memory_fill()
        return at

    def _bit_address(self, at: int, v: int, low: int) -> None:
        b = self.b
        b.get(at)
        self._from(v, low)
        b.const(3)
        b.op("i32.shr_u", "i32.add")

    def _from(self, v: int, low: int) -> None:
        self.b.get(v)
        if low:
            self.b.const(low)
            self.b.op("i32.sub")

    def _list(self) -> Each:
        """Remember values of any size in a list, looked through each time."""
        b = self.b
        at = self.take(4 * LONGEST + 4)
        b.get(at)
        b.const(0)
        b.memory("i32.store")

        def new(v: int) -> None:
            b.get(at)
            b.get(v)
            self.call("holds", (I32, I32))
            b.op("i32.eqz")
            with b.when(I32):
                self._append(at, v, LONGEST)
                b.const(1)
                b.otherwise()
                b.const(0)

        return new

    def _append(self, at: int, v: int, most: int) -> None:
        """Put a value at the end of the list at an address; trap if it is full."""
        b = self.b
        n = b.new()
        b.get(at)
        b.memory("i32.load")
        b.tee(n)
        b.const(most)
        b.op("i32.ge_u")
        with b.when():
            self.trap()
        b.get(at)
        b.get(n)
        b.const(1)
        b.op("i32.add")
        b.memory("i32.store")
        b.get(at)
        b.get(n)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.get(v)
        b.memory("i32.store", 4)
        b.free(n)

    # --------------------------------------------------------------- addresses

    def pointer(self, e: ir.Expr) -> None:
        """Push the address of a set or groups."""
        b = self.b
        match e:
            case ir.SetConst(items):
                b.const(self.shared.memory.constant_set(items))
            case ir.Local() | ir.Load() | ir.At() | ir.Apply():
                self.number(e)
            case ir.Choice(condition, then, otherwise):
                self.number(condition)
                with b.when(I32):
                    self.pointer(then)
                    b.otherwise()
                    self.pointer(otherwise)
            case ir.TheOnly():
                self.the_only(e)
            case ir.Quantifier("first", slot, of, condition):
                self._first(slot, of, condition)
            case ir.BestOf():
                self._best(e)
            case ir.Linked():
                self._walks().linked(e)
            case ir.Groups():
                self._walks().groups(e)
            case ir.Occupied():
                self._walks().occupied(e)
            case ir.Alike(pieces, player):
                self._alike(pieces, player)
            case _:
                b.get(self.made(lambda body: self.each(e, body), self.most(e)))

    def made(self, loop: Callable[[Each], None], most: int) -> int:
        """A local with the address of the set of the values that a loop hands over."""
        b = self.b
        at = self.take(4 * most + 4)
        end = b.fresh()
        b.get(at)
        b.set(end)

        def append(v: int) -> None:
            b.get(end)
            b.const(4)
            b.op("i32.add")
            b.tee(end)
            b.get(v)
            b.memory("i32.store")

        loop(append)
        b.get(at)
        b.get(end)
        b.get(at)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.memory("i32.store")
        return at

    def most(self, e: ir.Expr) -> int:
        """How many values a set can have."""
        program, m = self.shared.program, self.shared.memory
        low, high = self.range(e)
        width = max(0, high - low + 1)
        match e:
            case ir.SetConst(items):
                return len(items)
            case ir.MakeSet(items):
                n = 0
                for item in items:
                    if isinstance(item, tuple):
                        n += max(0, self.range(item[1])[1] - self.range(item[0])[0] + 1)
                    else:
                        n += 1
                found = n
            case ir.Union(left, right):
                found = self.most(left) + self.most(right)
            case ir.Without(of, _) | ir.Filter(_, of, _) | ir.BestOf(_, _, of, _) | ir.FirstFew(of, _):
                found = self.most(of)
            case ir.Groups(of, _, _) | ir.Alike(of, _):
                found = self.most(of)
            case ir.Contents(_, top_only):
                return 1 if top_only else m.pieces
            case ir.Occupied(_, around):
                return (m.pieces + 1) * (9 if around else 1)
            case ir.Seats():
                return len(program.players)
            case ir.Collect(_, of, value, many):
                found = self.most(of) * (self.most(value) if many else 1)
            case ir.Choice(_, then, otherwise):
                found = max(self.most(then), self.most(otherwise))
            case ir.At(table, _):
                rows = program.tables[table].data
                found = max((len(r) for r in rows if isinstance(r, tuple)), default=0)
                return found
            case _:
                found = width
        if self.kind(e) == GROUPS:
            return min(found, LONGEST)
        found = min(found, width)
        return found if found <= BITS else LONGEST

    # ----------------------------------------------------------- asked of sets

    def number_of_set(self, e: ir.Expr) -> None:
        """Push a number that is asked of a set."""
        b = self.b
        match e:
            case ir.Contains(of, value):
                v = b.fresh()
                self.number(value)
                b.set(v)
                self.contains(of, v, self.range(value))
            case ir.SameSet(left, right):
                self._same(left, right)
            case ir.Size(of):
                self._count(of)
            case ir.Quantifier("any", slot, of, condition):
                self._any(slot, of, condition)
            case ir.Quantifier("all", slot, of, condition):
                self._any(slot, of, ir.Unary("not", condition))
                b.op("i32.eqz")
            case ir.Quantifier("count", slot, of, condition):
                self._count(ir.Filter(slot, of, condition))
            case ir.Quantifier("first", slot, of, condition):
                self._first(slot, of, condition)
            case ir.TheOnly():
                self.the_only(e)
            case ir.Fold("sum", slot, of, value):
                self._sum(slot, of, value)
            case ir.Fold(word, slot, of, value):
                self._extreme(word, slot, of, value)
            case _:
                raise TypeError(f"no number: {type(e).__name__}")

    def _any(self, slot: int, of: ir.Expr, condition: ir.Expr) -> None:
        b = self.b
        if isinstance(of, ir.Contents) and condition == ir.Const(1):
            self.first_at(of.place)
            b.const(0)
            b.op("i32.ne")
            return
        found = b.fresh()
        b.const(0)
        b.set(found)
        with self.scope(), b.block() as out:

            def one(v: int) -> None:
                with self.binding(slot, v):
                    self.number(condition)
                with b.when():
                    b.const(1)
                    b.set(found)
                    b.to(out)

            self.each(of, one, distinct=False)
        b.get(found)

    def _first(self, slot: int, of: ir.Expr, condition: ir.Expr) -> None:
        b = self.b
        found = b.fresh()
        b.const(-1)
        b.set(found)
        with b.block() as out:

            def one(v: int) -> None:
                with self.binding(slot, v):
                    self.number(condition)
                with b.when():
                    b.get(v)
                    b.set(found)
                    b.to(out)

            self.each(of, one, distinct=False)
        b.get(found)

    def _count(self, of: ir.Expr) -> None:
        b = self.b
        if isinstance(of, ir.Contents) and not of.top_only:
            self.count_at(of.place)
            return
        if isinstance(of, ir.Filter) and of.condition == ir.Const(1):
            self._count(of.set)
            return
        if isinstance(of, (*KNOWN, ir.BestOf, ir.Linked, ir.Groups, ir.Occupied, ir.Alike)):
            self.pointer(of)
            b.memory("i32.load")
            return
        n = b.fresh()
        b.const(0)
        b.set(n)

        def one(v: int) -> None:
            b.get(n)
            b.const(1)
            b.op("i32.add")
            b.set(n)

        with self.scope():
            self.each(of, one)
        b.get(n)

    def the_only(self, e: ir.TheOnly) -> None:
        """Push the one value of a set; trap if there is not just one."""
        b = self.b
        n, found = b.fresh(), b.fresh()
        b.const(0)
        b.set(n)

        def one(v: int) -> None:
            b.get(n)
            b.const(1)
            b.op("i32.add")
            b.set(n)
            b.get(v)
            b.set(found)

        def none_yet() -> None:
            b.const(0)
            b.set(n)

        if isinstance(e.set, ir.BestOf):
            self._run_best(e.set, none_yet, one)
        else:
            self.each(e.set, one)
        b.get(n)
        b.const(1)
        b.op("i32.ne")
        with b.when():
            self.trap()
        b.get(found)

    def _sum(self, slot: int, of: ir.Expr, value: ir.Expr) -> None:
        b = self.b
        low, high = self.range(value)
        most = self.most(of)
        wide = max(abs(low), abs(high)) * most > 1 << 26
        total = b.fresh(I64 if wide else I32)
        b.const64(0) if wide else b.const(0)
        b.set(total)

        def one(v: int) -> None:
            b.get(total)
            with self.binding(slot, v):
                self.number(value)
            if wide:
                b.op("i64.extend_i32_s")
            b.op("i64.add" if wide else "i32.add")
            b.set(total)

        with self.scope():
            self.each(of, one)
        b.get(total)
        if wide:
            self.narrowed()
            self.check_kept()

    def _extreme(self, word: str, slot: int, of: ir.Expr, value: ir.Expr) -> None:
        b = self.b
        best, some, now = b.fresh(), b.fresh(), b.fresh()
        b.const(0)
        b.tee(best)
        b.set(some)

        def one(v: int) -> None:
            with self.binding(slot, v):
                self.number(value)
            b.tee(now)
            b.get(best)
            b.op("i32.gt_s" if word == "largest" else "i32.lt_s")
            b.get(some)
            b.op("i32.eqz", "i32.or")
            with b.when():
                b.get(now)
                b.set(best)
                b.const(1)
                b.set(some)

        with self.scope():
            self.each(of, one, distinct=False)
        b.get(best)

    def _run_best(self, e: ir.BestOf, restart: Callable[[], None], one: Each) -> None:
        """Hand over the best values; `restart` where a better one shows that those so far were none."""
        b = self.b
        best, some, now = b.fresh(), b.fresh(), b.fresh()
        b.const(0)
        b.set(some)

        def each(v: int) -> None:
            with self.binding(e.slot, v):
                self.number(e.value)
            b.tee(now)
            b.get(best)
            b.op("i32.eq")
            b.get(some)
            b.op("i32.and")
            with b.when():
                one(v)
                b.otherwise()
                b.get(now)
                b.get(best)
                b.op("i32.gt_s" if e.word == "largest" else "i32.lt_s")
                b.get(some)
                b.op("i32.eqz", "i32.or")
                with b.when():
                    restart()
                    b.get(now)
                    b.set(best)
                    b.const(1)
                    b.set(some)
                    one(v)

        self.each(e.set, each)

    def _best(self, e: ir.BestOf) -> None:
        b = self.b
        at = self.take(4 * self.most(e) + 4)
        end = b.fresh()
        b.get(at)
        b.set(end)

        def restart() -> None:
            b.get(at)
            b.set(end)

        def one(v: int) -> None:
            b.get(end)
            b.const(4)
            b.op("i32.add")
            b.tee(end)
            b.get(v)
            b.memory("i32.store")

        self._run_best(e, restart, one)
        b.get(at)
        b.get(end)
        b.get(at)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.memory("i32.store")
        b.get(at)

    def _same(self, left: ir.Expr, right: ir.Expr) -> None:
        b = self.b
        with self.scope():
            x, y = b.fresh(), b.fresh()
            self.pointer(left)
            b.set(x)
            self.pointer(right)
            b.set(y)
            b.get(x)
            b.get(y)
            self.call("all held", (I32, I32))
            b.get(y)
            b.get(x)
            self.call("all held", (I32, I32))
            b.op("i32.and")

    # ------------------------------------------------------------- membership

    def contains(self, of: ir.Expr, v: int, values: Range) -> None:
        """Push whether a set holds the value in a local."""
        b = self.b
        match of:
            case ir.SetConst(items):
                self._in_constant(items, v)
            case ir.MakeSet(items, skip):
                b.const(0)
                for item in items:
                    if isinstance(item, tuple):
                        self.number(item[0])
                        b.get(v)
                        b.op("i32.le_s")
                        b.get(v)
                        self.number(item[1])
                        b.op("i32.le_s", "i32.and", "i32.or")
                    else:
                        self.number(item)
                        b.get(v)
                        b.op("i32.eq")
                        if skip and values[0] <= -1:
                            b.get(v)
                            b.const(-1)
                            b.op("i32.ne", "i32.and")
                        b.op("i32.or")
            case ir.Contents(place, False) if values[0] >= 0 and values[1] < self.shared.memory.pieces:
                b.get(v)
                b.const(2)
                b.op("i32.shl")
                b.memory("i32.load", self.shared.memory.place_of)
                self.number(place)
                b.op("i32.eq")
            case _ if isinstance(of, KNOWN):
                self.pointer(of)
                b.get(v)
                self.call("holds", (I32, I32))
            case _:
                found = b.fresh()
                b.const(0)
                b.set(found)
                with self.scope(), b.block() as out:

                    def one(x: int) -> None:
                        b.get(x)
                        b.get(v)
                        b.op("i32.eq")
                        with b.when():
                            b.const(1)
                            b.set(found)
                            b.to(out)

                    self.each(of, one, distinct=False)
                b.get(found)

    def _in_constant(self, items: tuple[int, ...], v: int) -> None:
        b = self.b
        if not items:
            b.const(0)
        elif sorted(items) == list(range(min(items), max(items) + 1)):
            self._from(v, min(items))
            b.const(len(items))
            b.op("i32.lt_u")
        elif len(items) <= UNROLLED or max(items) - min(items) > BITS:
            b.const(0)
            for n in items:
                b.get(v)
                b.const(n)
                b.op("i32.eq", "i32.or")
        else:
            low, high = min(items), max(items)
            held = set(items)
            at = self.shared.memory.constant([int(n in held) for n in range(low, high + 1)])
            self._from(v, low)
            b.const(high - low + 1)
            b.op("i32.lt_u")
            with b.when(I32):
                self._from(v, low)
                b.memory(at.load, at.at)
                b.otherwise()
                b.const(0)

    def membership(self, of: ir.Expr) -> Each:
        """What pushes whether a set holds a value, asked many times. Call it before the loop begins."""
        b, values = self.b, self.range(of)
        simple = isinstance(of, ir.SetConst | ir.MakeSet) and not isinstance(of, ir.Contents)
        if simple and all(not isinstance(i, tuple) for i in getattr(of, "items", ())):
            if isinstance(of, ir.SetConst):
                return lambda v: self._in_constant(of.items, v)
            held: list[int] = []
            assert isinstance(of, ir.MakeSet)
            for item in of.items:
                local = b.fresh()
                self.number(item)  # type: ignore[arg-type]
                b.set(local)
                held.append(local)

            def among(v: int) -> None:
                b.const(0)
                for local in held:
                    b.get(v)
                    b.get(local)
                    b.op("i32.eq", "i32.or")
                if of.skip_none:
                    b.get(v)
                    b.const(-1)
                    b.op("i32.ne", "i32.and")

            return among
        width = values[1] - values[0] + 1
        if width <= 0:
            self.each(of, lambda v: None, distinct=False)
            return lambda v: b.const(0)
        if width > BITS or isinstance(of, KNOWN):
            at = b.fresh()
            self.pointer(of)
            b.set(at)

            def looked(v: int) -> None:
                b.get(at)
                b.get(v)
                self.call("holds", (I32, I32))

            return looked
        if width <= 64:
            return self._as_mask(of, values)
        at = self.bits(width)

        def mark(v: int) -> None:
            byte = b.new()
            self._bit_address(at, v, values[0])
            b.tee(byte)
            b.get(byte)
            b.memory("i32.load8_u")
            b.const(1)
            self._from(v, values[0])
            b.const(7)
            b.op("i32.and", "i32.shl", "i32.or")
            b.memory("i32.store8")
            b.free(byte)

        self.each(of, mark, distinct=False)

        def holds(v: int) -> None:
            self._from(v, values[0])
            b.const(width)
            b.op("i32.lt_u")
            with b.when(I32):
                self._bit_address(at, v, values[0])
                b.memory("i32.load8_u")
                self._from(v, values[0])
                b.const(7)
                b.op("i32.and", "i32.shr_u")
                b.const(1)
                b.op("i32.and")
                b.otherwise()
                b.const(0)

        return holds

    def _as_mask(self, of: ir.Expr, values: Range) -> Each:
        """A set of at most 64 values as one number of 64 bits."""
        b = self.b
        bits = b.fresh(I64)
        b.const64(0)
        b.set(bits)

        def mark(v: int) -> None:
            b.get(bits)
            b.const64(1)
            self._from(v, values[0])
            b.op("i64.extend_i32_u", "i64.shl", "i64.or")
            b.set(bits)

        self.each(of, mark, distinct=False)

        def holds(v: int) -> None:
            self._from(v, values[0])
            b.const(values[1] - values[0] + 1)
            b.op("i32.lt_u")
            b.get(bits)
            self._from(v, values[0])
            b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64", "i32.and")

        return holds

    # -------------------------------------------------------------- look-alikes

    def _alike(self, pieces: ir.Expr, player: ir.Expr) -> None:
        b = self.b
        p, first = b.fresh(), b.fresh()
        self.number(player)
        b.set(p)
        b.const(-1)
        b.set(first)

        def loop(body: Each) -> None:
            def one(v: int) -> None:
                b.get(first)
                b.const(0)
                b.op("i32.lt_s")
                with b.when():
                    b.get(v)
                    b.set(first)
                self.same_look(first, v, p)
                with b.when():
                    body(v)

            self.each(pieces, one)

        b.get(self.made(loop, self.most(pieces)))

    def same_look(self, one: int, other: int, player: int) -> None:
        """Push whether two pieces look the same to a player."""
        for local in (one, other, player):
            self.b.get(local)
        self.call("same look", (I32, I32, I32))

    def one_of_each(self, e: ir.Expr, player: int) -> int:
        """A local with the address of a set of pieces without those that look like an earlier one."""
        b, shared = self.b, self.shared
        alone = shared.code.alone
        if all(alone):
            at = b.fresh()
            self.pointer(e)
            b.set(at)
            return at
        most = self.most(e)
        at = self.take(4 * most + 4)
        b.get(at)
        b.const(0)
        b.memory("i32.store")

        def one(v: int) -> None:
            b.get(at)
            b.get(v)
            b.get(player)
            self.call("looks new", (I32, I32, I32))
            with b.when():
                self._append(at, v, most)

        self.each(e, one)
        return at

    def can_act(self, decision: int, player: ir.Expr) -> None:
        """Push whether a player has an option."""
        b = self.b
        p = b.fresh()
        self.number(player)
        b.tee(p)
        b.const(0)
        b.op("i32.lt_s")
        with b.when(I32):
            b.const(0)
            b.otherwise()
            b.get(p)
            self.call(f"can act {decision}", (I32,))
