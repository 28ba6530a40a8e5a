"""Runtime: the functions that every module has, written by hand.

Comes in: `Shared`. Goes out: arithmetic, sets, chance, what happens to pieces, who sees what. What never
happens: a difference to `link_pieces.py`, `chance.py`, `alike.py` and `link.py`, of which these are the
twins.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from rulewright.interpreter import ir
from rulewright.interpreter.chance import GOLDEN
from rulewright.interpreter.layout import deltas
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import LineTest, Shared
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.masks import Kept
from rulewright.interpreter.wasm.memory import ARENA, HEAP, HEAP_BASE, HEAP_TOP, MEMO, NEWS, TooLarge

ASIDE = 9  # the mode in which nothing may be left to chance: what would be

MOST_STEPS = 8  # of rows that are looked at together


class Runtime:
    """Writes the functions of the machine."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.m = shared.memory

    def all(self) -> None:
        """Write them all."""
        for emit in (
            self.quotients, self.holds, self.all_held, self.join, self.gather, self.keeping,
            self.mix, self.draw, self.resolve, self.viewers, self.know, self.mark, self.masks,
            self.unlink, self.link, self.put,
            self.exchange, self.shuffle, self.looks_new, self.same_look, self.occupied, self.regrid,
        ):  # fmt: skip
            emit()

    def _body(self, name: str, parameters: int, results: int = 1) -> Body:
        return Body(name, (I32,) * parameters, (I32,) * results)

    def _done(self, b: Body) -> None:
        self.shared.define(b)

    def _call(self, b: Body, name: str, parameters: int, results: int = 1) -> None:
        b.call(self.shared.declare(name, (I32,) * parameters, (I32,) * results))

    # ------------------------------------------------------------- arithmetic

    def quotients(self) -> None:
        """Division as Python does it: towards less, and the rest has the sign of the divisor."""
        for name in ("div_down", "div_up", "mod"):
            b = self._body(name, 2)
            q, r = b.new(), b.new()
            b.get(0)
            b.get(1)
            b.op("i32.div_s")  # traps for 0
            b.set(q)
            b.get(0)
            b.get(1)
            b.op("i32.rem_s")
            b.set(r)
            # The signs of rest and divisor differ: the quotient was rounded up.
            b.get(r)
            b.op("i32.eqz")
            with b.when():
                b.get(r) if name == "mod" else b.get(q)
                b.op("return")
            b.get(r)
            b.get(1)
            b.op("i32.xor")
            b.const(0)
            b.op("i32.lt_s")
            with b.when():
                if name == "mod":
                    b.get(r)
                    b.get(1)
                    b.op("i32.add", "return")
                elif name == "div_down":
                    b.get(q)
                    b.const(1)
                    b.op("i32.sub", "return")
                else:
                    b.get(q)
                    b.op("return")
            b.get(r) if name == "mod" else b.get(q)
            if name == "div_up":
                b.const(1)
                b.op("i32.add")
            self._done(b)

    # ------------------------------------------------------------------- sets

    def holds(self) -> None:
        """Whether a set holds a value."""
        b = self._body("holds", 2)
        end = b.new()
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
            b.set(0)
            b.get(0)
            b.memory("i32.load")
            b.get(1)
            b.op("i32.ne")
            b.to_if(more)
            b.const(1)
            b.op("return")
        b.const(0)
        self._done(b)

    def all_held(self) -> None:
        """Whether the second set holds every value of the first."""
        b = self._body("all held", 2)
        end = b.new()
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
            b.set(0)
            b.get(1)
            b.get(0)
            b.memory("i32.load")
            self._call(b, "holds", 2)
            b.to_if(more)
            b.const(0)
            b.op("return")
        b.const(1)
        self._done(b)

    def join(self) -> None:
        """Join two trees of a union-find forest; the smaller root stays one."""
        b = self._body("join", 3, 0)

        def root(of: int) -> None:
            with b.loop() as more:
                at = b.new()
                b.get(0)
                b.get(of)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load")
                b.tee(at)
                b.get(of)
                b.op("i32.ne")
                with b.when():
                    b.get(at)
                    b.set(of)
                    b.to(more)
                b.free(at)

        root(1)
        root(2)
        low, high = b.new(), b.new()
        b.get(1)
        b.get(2)
        b.get(1)
        b.get(2)
        b.op("i32.lt_u", "select")
        b.set(low)
        b.get(2)
        b.get(1)
        b.get(1)
        b.get(2)
        b.op("i32.lt_u", "select")
        b.set(high)
        b.get(0)
        b.get(high)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.get(low)
        b.memory("i32.store")
        self._done(b)

    def gather(self) -> None:
        """Make groups of a forest: (whole set, parents, address of the groups, room for them).

        A root's entry becomes minus the number of its group; each group is linked through the room first,
        so that one pass counts, one places and one fills. Parents come before their children in the set.
        """
        b = self._body("gather", 4, 0)
        n, i, root, group, groups, at = (b.new() for _ in range(6))

        def entry(base: int, of: int) -> None:
            b.get(base)
            b.get(of)
            b.const(2)
            b.op("i32.shl", "i32.add")

        def counted(of: int, body: Callable[[], None]) -> None:
            b.const(0)
            b.set(i)
            with b.block() as out, b.loop() as more:
                b.get(i)
                b.get(of)
                b.op("i32.ge_u")
                b.to_if(out)
                body()
                b.get(i)
                b.const(1)
                b.op("i32.add")
                b.set(i)
                b.to(more)

        b.get(0)
        b.memory("i32.load")
        b.set(n)

        def to_root() -> None:
            """parents[i] = the number of the group of i (a parent is smaller, and so done already)."""
            entry(1, i)
            b.memory("i32.load")
            b.tee(root)
            b.get(i)
            b.op("i32.eq")
            with b.when():
                b.get(groups)
                b.set(group)
                b.get(groups)
                b.const(1)
                b.op("i32.add")
                b.set(groups)
                # how many values the group has, at its place in the list of groups for now
                entry(2, group)
                b.const(0)
                b.memory("i32.store", 4)
                b.otherwise()
                entry(1, root)
                b.memory("i32.load")
                b.set(group)
            entry(1, i)
            b.get(group)
            b.memory("i32.store")
            entry(2, group)
            entry(2, group)
            b.memory("i32.load", 4)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store", 4)

        counted(n, to_root)
        b.get(2)
        b.get(groups)
        b.memory("i32.store")

        def placed() -> None:
            """The group begins where the room does; its count is 0 again until it is filled."""
            entry(2, i)
            b.memory("i32.load", 4)
            b.set(at)
            b.get(3)
            b.const(0)
            b.memory("i32.store")
            entry(2, i)
            b.get(3)
            b.memory("i32.store", 4)
            b.get(3)
            b.get(at)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.const(4)
            b.op("i32.add")
            b.set(3)

        counted(groups, placed)

        def filled() -> None:
            entry(1, i)
            b.memory("i32.load")
            b.set(group)
            entry(2, group)
            b.memory("i32.load", 4)
            b.set(at)
            b.get(at)
            b.get(at)
            b.memory("i32.load")
            b.const(1)
            b.op("i32.add")
            b.tee(root)
            b.memory("i32.store")
            entry(at, root)
            entry(0, i)
            b.memory("i32.load", 4)
            b.memory("i32.store")

        counted(n, filled)
        self._done(b)

    def keeping(self) -> None:
        """`keep` a set for good, on the heap; `remember` it for one decision; the same of groups."""
        for name, take in (("keep", self.take_heap), ("remember", self.take_memo)):
            b = self._body(name, 1)
            size, at = b.new(), b.new()
            self._unless_temporary(b)
            b.get(0)
            b.memory("i32.load")
            b.tee(size)
            b.op("i32.eqz")
            with b.when():
                b.const(self.m.empty)
                b.op("return")
            self._bytes(b, size)
            take(b, size, at)
            b.get(at)
            b.get(0)
            b.get(size)
            b.memory_copy()
            b.get(at)
            self._done(b)
            self._keeping_groups(name, take)

    def _unless_temporary(self, b: Body) -> None:
        """Give back what lies outside the arena as it is."""
        b.get(0)
        b.const(self.m.arena)
        b.op("i32.sub")
        b.const(ARENA)
        b.op("i32.ge_u")
        with b.when():
            b.get(0)
            b.op("return")

    @staticmethod
    def _bytes(b: Body, size: int) -> None:
        b.get(size)
        b.const(2)
        b.op("i32.shl")
        b.const(4)
        b.op("i32.add")
        b.set(size)

    def take_heap(self, b: Body, size: int, at: int) -> None:
        """Room on the heap: bytes in one local, the address into the other; trap if there is none left."""
        b.const(0)
        b.memory("i32.load", self.m.state + HEAP_TOP)
        b.set(at)
        b.const(0)
        b.get(at)
        b.get(size)
        b.op("i32.add")
        b.memory("i32.store", self.m.state + HEAP_TOP)
        b.get(at)
        b.get(size)
        b.op("i32.add")
        b.const(0)
        b.memory("i32.load", self.m.state + HEAP_BASE)
        b.op("i32.sub")
        b.const(HEAP)
        b.op("i32.gt_u")
        with b.when():
            b.op("unreachable")

    def take_memo(self, b: Body, size: int, at: int) -> None:
        """The same, among what is remembered for one decision."""
        memo = self.shared.globals["memo"]
        b.global_get(memo)
        b.tee(at)
        b.get(size)
        b.op("i32.add")
        b.global_set(memo)
        b.global_get(memo)
        b.const(self.m.memo + MEMO)
        b.op("i32.gt_u")
        with b.when():
            b.op("unreachable")

    def _keeping_groups(self, name: str, take: Callable[[Body, int, int], None]) -> None:
        b = self._body(f"{name} groups", 1)
        size, at, i = b.new(), b.new(), b.new()
        self._unless_temporary(b)
        b.get(0)
        b.memory("i32.load")
        b.set(size)
        self._bytes(b, size)
        take(b, size, at)
        b.get(at)
        b.get(0)
        b.memory("i32.load")
        b.memory("i32.store")
        b.const(4)
        b.set(i)
        with b.block() as out, b.loop() as more:
            b.get(i)
            b.get(size)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(at)
            b.get(i)
            b.op("i32.add")
            b.get(0)
            b.get(i)
            b.op("i32.add")
            b.memory("i32.load")
            self._call(b, name, 1)
            b.memory("i32.store")
            b.get(i)
            b.const(4)
            b.op("i32.add")
            b.set(i)
            b.to(more)
        b.get(at)
        self._done(b)

    # ----------------------------------------------------------------- chance

    def mix(self) -> None:
        """The finaliser of SplitMix64: see `chance.py`."""
        b = Body("mix", (I64,), (I64,))
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            b.get(0)
            b.get(0)
            b.const64(shift)
            b.op("i64.shr_u", "i64.xor")
            b.const64(factor)
            b.op("i64.mul")
            b.set(0)
        b.get(0)
        b.get(0)
        b.const64(31)
        b.op("i64.shr_u", "i64.xor")
        self._done(b)

    def draw(self) -> None:
        """A number below the second argument from the stream that the first one names."""
        b = self._body("draw", 2)
        streams = len(self.shared.program.streams)
        b.get(0)
        b.const(streams)
        b.op("i32.ge_u")
        b.global_get(self.shared.globals["mode"])
        b.const(ASIDE)
        b.op("i32.eq", "i32.or")
        with b.when():
            b.op("unreachable")
        with b.local(I64) as counter:
            b.get(0)
            b.const(3)
            b.op("i32.shl")
            b.tee(0)
            b.get(0)
            b.memory("i64.load", self.m.counters)
            b.const64(1)
            b.op("i64.add")
            b.tee(counter)
            b.memory("i64.store", self.m.counters)
            b.get(0)
            b.memory("i64.load", self.m.starts)
            b.get(counter)
            below(self.shared, b, 1)
        self._done(b)

    # ----------------------------------------------------------------- pieces

    def resolve(self) -> None:
        """The piece itself; for a stand-in the first real one in its supply; -1 if none is left."""
        b = self._body("resolve", 1)
        program, m = self.shared.program, self.m
        b.get(0)
        b.const(m.pieces)
        b.op("i32.lt_s")
        with b.when():
            b.get(0)
            b.op("return")
        if not program.stand_ins:
            b.op("unreachable")
            self._done(b)
            return
        marks = {key: i for i, key in enumerate(sorted({(p.kind, p.owner) for p in program.pieces} | {
            (s.kind, s.owner) for s in program.stand_ins}))}  # fmt: skip
        of_piece = m.constant([marks[p.kind, p.owner] for p in program.pieces])
        of_stand_in = m.constant([marks[s.kind, s.owner] for s in program.stand_ins])
        supplies = m.constant([s.supply for s in program.stand_ins])
        w = Walks(self.shared, b, 0)
        at, mark = b.new(), b.new()
        b.get(0)
        b.const(m.pieces)
        b.op("i32.sub")
        w.check_below(len(program.stand_ins))
        b.tee(0)
        w.load_field(of_stand_in)
        b.set(mark)
        b.get(0)
        w.load_field(supplies)
        b.const(3)
        b.op("i32.shl")
        b.memory("i32.load16_u", m.place)
        b.set(at)
        with b.block() as out, b.loop() as more:
            b.get(at)
            b.op("i32.eqz")
            b.to_if(out)
            b.get(at)
            b.const(1)
            b.op("i32.sub")
            w.load_field(of_piece)
            b.get(mark)
            b.op("i32.eq")
            with b.when():
                b.get(at)
                b.const(1)
                b.op("i32.sub", "return")
            w.next_piece(at)
            b.set(at)
            b.to(more)
        b.const(-1)
        self._done(b)

    def unlink(self) -> None:
        """Take a piece out of the list in which it is."""
        b = self._body("unlink", 1, 0)
        m = self.m
        before, after, place = b.new(), b.new(), b.new()
        self._place_address(b)
        b.set(place)
        for local, field in ((before, m.previous), (after, m.next)):
            b.get(0)
            b.const(1)
            b.op("i32.shl")
            b.memory("i32.load16_u", field)
            b.set(local)
        for one, two, field, entry in ((before, after, m.next, 0), (after, before, m.previous, 2)):
            b.get(one)
            with b.when():
                b.get(one)
                b.const(1)
                b.op("i32.shl")
                b.get(two)
                b.memory("i32.store16", field - 2)
                b.otherwise()
                b.get(place)
                b.get(two)
                b.memory("i32.store16", m.place + entry)
        self._count(b, place, -1)

        def left() -> None:
            b.get(place)
            b.const(3)
            b.op("i32.shr_u")

        self._mark(b, left)
        if self.shared.kept:
            left()
            self._call(b, "masks off", 1, 0)
        self._done(b)

    def _place_address(self, b: Body) -> None:
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.memory("i32.load", self.m.place_of)
        b.const(3)
        b.op("i32.shl")

    def _count(self, b: Body, place: int, by: int) -> None:
        b.get(place)
        b.get(place)
        b.memory("i32.load16_u", self.m.place + 4)
        b.const(by)
        b.op("i32.add")
        b.memory("i32.store16", self.m.place + 4)

    def link(self) -> None:
        """Put a piece (0) that is in no list onto (or, if 2 is not 0, under) what lies at a place (1)."""
        b = self._body("link", 3, 0)
        m = self.m
        place, other = b.new(), b.new()
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.get(1)
        b.memory("i32.store", m.place_of)
        b.get(1)
        b.const(3)
        b.op("i32.shl")
        b.set(place)
        b.get(2)
        with b.when():
            self._tie(b, place, other, m.previous, m.next, 0, 2)
            b.otherwise()
            self._tie(b, place, other, m.next, m.previous, 2, 0)
        self._count(b, place, 1)
        self._mark(b, lambda: b.get(1))
        if self.shared.kept:
            b.get(0)
            b.get(1)
            self._call(b, "masks on", 2, 0)
        self._done(b)

    def _tie(self, b: Body, place: int, other: int, to: int, back: int, end: int, far: int) -> None:
        """Make the piece the new end of a list; `to` leads outwards, `back` inwards."""
        b.get(place)
        b.memory("i32.load16_u", self.m.place + end)
        b.set(other)
        b.get(0)
        b.const(1)
        b.op("i32.shl")
        b.const(0)
        b.memory("i32.store16", to)
        b.get(0)
        b.const(1)
        b.op("i32.shl")
        b.get(other)
        b.memory("i32.store16", back)
        b.get(other)
        with b.when():
            b.get(other)
            b.const(1)
            b.op("i32.shl")
            b.get(0)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store16", to - 2)
            b.otherwise()
            b.get(place)
            b.get(0)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store16", self.m.place + far)
        b.get(place)
        b.get(0)
        b.const(1)
        b.op("i32.add")
        b.memory("i32.store16", self.m.place + end)

    def put(self) -> None:
        """Move a real piece (0) to a place (1), on top or (2) under what lies there."""
        b = self._body("put", 3, 0)
        first = self.shared.program.first_piece_place
        b.get(1)
        b.const(first)
        b.op("i32.ge_s")
        with b.when():
            b.get(0)
            b.get(1)
            self._call(b, "refuse circle", 2, 0)
        b.get(0)
        self._call(b, "unlink", 1, 0)
        b.get(0)
        b.get(1)
        b.get(2)
        self._call(b, "link", 3, 0)
        if not self.shared.open:
            b.get(0)
            b.get(1)
            self._call(b, "mask", 1)
            self._call(b, "know", 2, 0)
        self._done(b)
        self._refuse_circle()

    def _refuse_circle(self) -> None:
        """Trap if a piece (0) would come to lie on itself, at a place (1)."""
        b = self._body("refuse circle", 2, 0)
        host = b.new()
        with b.block() as out, b.loop() as more:
            self._host(b, 1)
            b.tee(host)
            b.const(0)
            b.op("i32.lt_s")
            b.to_if(out)
            b.get(host)
            b.get(0)
            b.op("i32.eq")
            with b.when():
                b.op("unreachable")
            b.get(host)
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", self.m.place_of)
            b.set(1)
            b.to(more)
        self._done(b)

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

    def exchange(self) -> None:
        """Two places trade all that lies on them (nothing is checked but circles)."""
        b = self._body("exchange", 2, 0)
        m = self.m
        at, place, other = b.new(), b.new(), b.new()
        first = self.shared.program.first_piece_place

        def over(place_: int, body: Callable[[], None]) -> None:
            b.get(place_)
            b.const(3)
            b.op("i32.shl")
            b.memory("i32.load16_u", m.place)
            b.set(at)
            with b.block() as out, b.loop() as more:
                b.get(at)
                b.op("i32.eqz")
                b.to_if(out)
                body()
                b.get(at)
                b.const(1)
                b.op("i32.shl")
                b.memory("i32.load16_u", m.next - 2)
                b.set(at)
                b.to(more)

        def piece() -> None:
            b.get(at)
            b.const(1)
            b.op("i32.sub")

        for come_from, to in ((0, 1), (1, 0)):
            b.get(to)
            b.const(first)
            b.op("i32.ge_s")
            with b.when():

                def check(to: int = to) -> None:
                    piece()
                    b.get(to)
                    self._call(b, "refuse circle", 2, 0)

                over(come_from, check)
        with b.local(I64) as entry:
            for local, of in ((place, 0), (other, 1)):
                b.get(of)
                b.const(3)
                b.op("i32.shl")
                b.set(local)
            b.get(place)
            b.memory("i64.load", m.place)
            b.set(entry)
            b.get(place)
            b.get(other)
            b.memory("i64.load", m.place)
            b.memory("i64.store", m.place)
            b.get(other)
            b.get(entry)
            b.memory("i64.store", m.place)
        for to in (1, 0):
            self._mark(b, lambda to=to: b.get(to))  # type: ignore[misc]
            if self.shared.kept:
                b.get(to)
                self._call(b, "masks off", 1, 0)
        for to in (1, 0):

            def moved(to: int = to) -> None:
                piece()
                b.const(2)
                b.op("i32.shl")
                b.get(to)
                b.memory("i32.store", m.place_of)

            over(to, moved)
        if not self.shared.open:
            for to in (1, 0):

                def known(to: int = to) -> None:
                    piece()
                    b.get(to)
                    self._call(b, "mask", 1)
                    self._call(b, "know", 2, 0)

                over(to, known)
        self._done(b)

    def shuffle(self) -> None:
        """Put the pieces at a place (0) into a random order from a stream (1)."""
        b = self._body("shuffle", 2, 0)
        m = self.m
        at, n, i, j, list_, viewers, other = (b.new() for _ in range(7))
        w = Walks(self.shared, b, 0)
        b.global_get(self.shared.globals["top"])
        b.set(list_)
        w.first_at(0)
        b.tee(at)
        b.op("i32.eqz")
        with b.when():
            b.op("return")
        with b.loop() as more:
            b.get(list_)
            b.get(n)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.get(at)
            b.const(1)
            b.op("i32.sub")
            b.memory("i32.store")
            b.get(n)
            b.const(1)
            b.op("i32.add")
            b.set(n)
            w.next_piece(at)
            b.tee(at)
            b.to_if(more)
        b.get(list_)
        b.get(n)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.global_set(self.shared.globals["top"])
        b.get(1)
        b.const(len(self.shared.program.streams))
        b.op("i32.ge_u")
        b.global_get(self.shared.globals["mode"])
        b.const(ASIDE)
        b.op("i32.eq", "i32.or")
        with b.when():
            b.op("unreachable")
        b.get(n)
        b.const(1)
        b.op("i32.sub")
        b.set(i)
        with b.block() as out, b.loop() as more:
            b.get(i)
            b.const(0)
            b.op("i32.le_s")
            b.to_if(out)
            b.get(1)
            b.get(i)
            b.const(1)
            b.op("i32.add")
            self._call(b, "draw", 2)
            b.set(j)
            x, y = b.new(), b.new()
            for local, index in ((x, i), (y, j)):
                b.get(list_)
                b.get(index)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.tee(local)
            b.memory("i32.load")
            b.set(at)
            b.memory("i32.load")
            b.set(other)
            b.get(x)
            b.get(at)
            b.memory("i32.store")
            b.get(y)
            b.get(other)
            b.memory("i32.store")
            b.free(x, y)
            b.get(i)
            b.const(1)
            b.op("i32.sub")
            b.set(i)
            b.to(more)
        if not self.shared.open:
            b.get(0)
            self._call(b, "mask", 1)
            b.set(viewers)
        for_all = b.new()
        for body in ("unlink", "link"):
            b.const(0)
            b.set(for_all)
            with b.loop() as more:
                b.get(list_)
                b.get(for_all)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load")
                b.set(at)
                b.get(at)
                if body == "unlink":
                    self._call(b, "unlink", 1, 0)
                else:
                    b.get(0)
                    b.const(0)
                    self._call(b, "link", 3, 0)
                    if not self.shared.open:
                        b.get(at)
                        b.const(2)
                        b.op("i32.shl")
                        b.get(viewers)
                        b.memory("i32.store", m.known)
                b.get(for_all)
                b.const(1)
                b.op("i32.add")
                b.tee(for_all)
                b.get(n)
                b.op("i32.lt_u")
                b.to_if(more)
        b.get(list_)
        b.global_set(self.shared.globals["top"])
        news(self.shared, b)
        self._done(b)

    def masks(self) -> None:
        """`masks on` (piece, place): a piece has come; `masks off` (place): one has gone; `masks anew`
        (piece): a value of it is another one. Nothing is written where no masks are kept."""
        shared, m = self.shared, self.m
        if not shared.kept:
            return
        on = self._body("masks on", 2, 0)
        off = self._body("masks off", 1, 0)
        for b, place in ((on, 1), (off, 0)):
            w = Walks(shared, b, 0)
            at, bit, word, piece = b.new(), b.new(I64), b.new(), b.new()
            for kept in shared.kept:
                b.get(place)
                b.const(kept.first)
                b.op("i32.sub")
                b.tee(at)
                b.const(kept.spaces)
                b.op("i32.lt_u")
                with b.when():
                    b.const64(1)
                    b.get(at)
                    b.op("i64.extend_i32_u", "i64.shl")
                    b.set(bit)
                    if kept.words == 2:
                        b.get(at)
                        b.const(6)
                        b.op("i32.shr_u")
                        b.const(3)
                        b.op("i32.shl")
                    else:
                        b.const(0)
                    b.set(word)
                    if b is on:
                        self._set_bits(b, w, kept, 0, bit, word)
                    else:
                        for number in range(kept.count):
                            self._change(b, kept.address(number), bit, word, False)
                        w.first_at(0)
                        b.set(piece)
                        with b.block() as out, b.loop() as more:
                            b.get(piece)
                            b.op("i32.eqz")
                            b.to_if(out)
                            with b.local() as real:
                                b.get(piece)
                                b.const(1)
                                b.op("i32.sub")
                                b.set(real)
                                self._set_bits(b, w, kept, real, bit, word)
                            w.next_piece(piece)
                            b.set(piece)
                            b.to(more)
                    b.op("return")
            self._done(b)
        b = self._body("masks anew", 1, 0)
        b.get(0)
        b.const(m.pieces)
        b.op("i32.lt_u")
        with b.when():
            b.get(0)
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", m.place_of)
            self._call(b, "masks off", 1, 0)
        self._done(b)
        for number, test in enumerate(shared.line_tests):
            self._line_test(number, test)

    def _set_bits(self, b: Body, w: Walks, kept: Kept, piece: int, bit: int, word: int) -> None:
        self._change(b, kept.address(0), bit, word, True)
        for (kind, number), low, _ in kept.values:
            found = kept.of((kind, number))
            assert found is not None
            at = b.new()
            b.get(piece)
            if kind == "table":
                w.load_field(self.m.tables[number])
            else:
                b.const(2)
                b.op("i32.shl")
                b.memory("i32.load", self.m.vars + 4 * self.shared.code.layout.offsets[number])
            b.const(low)
            b.op("i32.sub")
            b.const(8 * kept.words)
            b.op("i32.mul")
            b.get(word)
            b.op("i32.add")
            b.set(at)
            self._change(b, kept.address(found[0]), bit, at, True)
            b.free(at)

    @staticmethod
    def _change(b: Body, address: int, bit: int, word: int, on: bool) -> None:
        b.get(word)
        b.get(word)
        b.memory("i64.load", address)
        b.get(bit)
        if on:
            b.op("i64.or")
        else:
            b.const64((1 << 64) - 1)
            b.op("i64.xor", "i64.and")
        b.memory("i64.store", address)

    def _all_runs(self, b: Body, test: LineTest, length: int, begins: dict[int, int]) -> None:
        """Push whether any run of so many spaces lies in a mask; `begins` has where runs begin, by step. Runs
        of two and more bits come from the mask and itself, shifted, by doubling."""
        x, y = b.new(I64), b.new(I64)
        b.get(0)
        b.const(test.values[2])
        b.op("i32.ge_u")
        with b.when():
            b.const(0)
            b.op("return")
        b.get(0)
        b.const(3)
        b.op("i32.shl")
        b.memory("i64.load", test.kept.address(test.values[0]))
        b.set(x)
        for i, (step, starts) in enumerate(sorted(begins.items())):
            b.get(x)
            b.set(y)
            reached = 1
            while reached < length:
                further = min(reached, length - reached)
                b.get(y)
                b.get(y)
                b.const64(step * further)
                b.op("i64.shr_u", "i64.and")
                b.set(y)
                reached += further
            b.get(y)
            b.const64(starts)
            b.op("i64.and")
            if i:
                b.op("i64.or")
        b.op("i64.eqz", "i32.eqz")

    def _line_test(self, number: int, test: LineTest) -> None:
        """Whether a row lies wholly in the mask of a value (the argument, from 0).

        Where all rows are runs of equal steps, all of them are looked at together; else only rows through
        spaces that are new since the test last failed.
        """
        kept, words = test.kept, test.kept.words
        b = self._body(f"line test {number}", 1)
        runs = _runs(test) if words == 1 else None
        if runs is not None:
            self._all_runs(b, test, *runs)
            self._done(b)
            return
        rows_of = [[r for r in test.rows if kept.first + i in r] for i in range(kept.spaces)]
        most = max(len(r) for r in rows_of)
        data = b"".join(
            sum(1 << (n - kept.first) for n in row).to_bytes(8 * words, "little")
            for rows in rows_of
            for row in (*rows, *[frozenset(range(kept.first, kept.first + 64 * words))] * (most - len(rows)))
        )
        width = max(1, most) * 8 * words
        table = self.m.constant_bytes(data)
        base = kept.address(test.values[0])
        at, row, end = b.new(), b.new(), b.new()
        now = [b.fresh(I64) for _ in range(words)]
        b.get(0)
        b.const(test.values[2])
        b.op("i32.ge_u")
        with b.when():
            b.const(0)
            b.op("return")
        b.get(0)
        b.const(8 * words)
        b.op("i32.mul")
        b.set(at)
        for word in range(words):
            b.get(at)
            b.memory("i64.load", base + 8 * word)
            b.set(now[word])
        for word in range(words):
            new = b.fresh(I64)
            b.get(now[word])
            b.get(at)
            b.memory("i64.load", test.seen + 8 * word)
            b.const64((1 << 64) - 1)
            b.op("i64.xor", "i64.and")
            b.set(new)
            with b.block() as out, b.loop() as more:
                b.get(new)
                b.op("i64.eqz")
                b.to_if(out)
                b.get(new)
                b.op("i64.ctz", "i32.wrap_i64")
                b.const(64 * word)
                b.op("i32.add")
                b.const(width)
                b.op("i32.mul")
                b.tee(row)
                b.const(width)
                b.op("i32.add")
                b.set(end)
                b.get(new)
                b.get(new)
                b.const64(1)
                b.op("i64.sub", "i64.and")
                b.set(new)
                with b.loop() as again:
                    for k in range(words):
                        b.get(row)
                        b.memory("i64.load", table + 8 * k)
                        b.get(now[k])
                        b.const64((1 << 64) - 1)
                        b.op("i64.xor", "i64.and")
                        if k:
                            b.op("i64.or")
                    b.op("i64.eqz")
                    with b.when():
                        b.const(1)
                        b.op("return")
                    b.get(row)
                    b.const(8 * words)
                    b.op("i32.add")
                    b.tee(row)
                    b.get(end)
                    b.op("i32.lt_u")
                    b.to_if(again)
                b.to(more)
        for word in range(words):
            b.get(at)
            b.get(now[word])
            b.memory("i64.store", test.seen + 8 * word)
        b.const(0)
        self._done(b)

    def mark(self) -> None:
        """`mark` a space of an unbounded board in its field of bits, or take the mark away if it is empty."""
        self.fields = {}
        for number, board in enumerate(self.shared.program.boards):
            if board.unbounded:
                if board.width % 64:
                    raise TooLarge(f"an unbounded board {board.width} spaces wide")
                self.fields[number] = self.m.room(board.width * board.height // 8)
        b = self._body("mark", 1, 0)
        byte, bit = b.new(), b.new(I64)
        for number, field in self.fields.items():
            board = self.shared.program.boards[number]
            b.get(0)
            b.const(board.first)
            b.op("i32.sub")
            b.tee(byte)
            b.const(board.width * board.height)
            b.op("i32.lt_u")
            with b.when():
                b.const64(1)
                b.get(byte)
                b.op("i64.extend_i32_u", "i64.shl")
                b.set(bit)
                b.get(byte)
                b.const(6)
                b.op("i32.shr_u")
                b.const(3)
                b.op("i32.shl")
                b.tee(byte)
                b.get(byte)
                b.memory("i64.load", field)
                b.get(bit)
                b.op("i64.or")
                b.const64(0)
                b.get(bit)
                b.get(0)
                b.const(3)
                b.op("i32.shl")
                b.memory("i32.load16_u", self.m.place)
                b.op("select", "i64.xor")
                b.memory("i64.store", field)
        self._done(b)

    def _mark(self, b: Body, push: Callable[[], None]) -> None:
        if self.fields:
            push()
            self._call(b, "mark", 1, 0)

    def regrid(self) -> None:
        """Empty the spaces of unbounded boards (0), or put there what the pieces say (1)."""
        b = self._body("regrid", 1, 0)
        m = self.m
        low, high = m.grid
        if low == high:
            self._done(b)
            return
        piece, place = b.new(), b.new()

        def marked() -> None:
            b.get(place)
            b.const(3)
            b.op("i32.shr_u")
            self._call(b, "mark", 1, 0)

        b.const(0)
        b.set(piece)
        with b.loop() as more:
            b.get(piece)
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", m.place_of)
            b.tee(place)
            b.const(low)
            b.op("i32.sub")
            b.const(high - low)
            b.op("i32.lt_u")
            with b.when():
                b.get(place)
                b.const(3)
                b.op("i32.shl")
                b.set(place)
                b.get(0)
                b.op("i32.eqz")
                with b.when():
                    b.get(place)
                    b.const64(0)
                    b.memory("i64.store", m.place)
                    marked()
                    b.otherwise()
                    for field, entry in ((m.previous, 0), (m.next, 2)):
                        b.get(piece)
                        b.const(1)
                        b.op("i32.shl")
                        b.memory("i32.load16_u", field)
                        b.op("i32.eqz")
                        with b.when():
                            b.get(place)
                            b.get(piece)
                            b.const(1)
                            b.op("i32.add")
                            b.memory("i32.store16", m.place + entry)
                    self._count(b, place, 1)
                    marked()
            b.get(piece)
            b.const(1)
            b.op("i32.add")
            b.tee(piece)
            b.const(m.pieces)
            b.op("i32.lt_u")
            b.to_if(more)
        self._done(b)

    # ------------------------------------------------------------------- sight

    def viewers(self) -> None:
        """`mask`: the players (bits) who see what lies at a place; `knowers` and `face mask` of a piece."""
        shared, m, code = self.shared, self.m, self.shared.code
        asides = shared.ranges.asides
        b = self._body("mask", 1)
        host = b.new()
        fixed: list[int] = []
        listed = len(shared.program.places)
        if shared.open:
            b.const(code.everybody)
            self._done(b)
        else:
            with b.block() as out, b.loop() as more:
                self._host(b, 0)
                b.tee(host)
                b.const(0)
                b.op("i32.lt_s")
                b.to_if(out)
                b.get(host)
                b.const(2)
                b.op("i32.shl")
                b.memory("i32.load", m.place_of)
                b.set(0)
                b.to(more)
            dynamic: list[tuple[int, int, int]] = []  # first place, end, number of the expression
            for i, p in enumerate(shared.program.places):
                fixed.append(bits_of(p.viewers) if isinstance(p.viewers, ir.SetConst) else 0)
                if not isinstance(p.viewers, ir.SetConst):
                    dynamic.append((i, i + 1, asides.index(p.viewers)))
            for board in shared.program.boards:
                end = board.first + board.width * board.height
                if not board.unbounded:
                    continue
                if isinstance(board.viewers, ir.SetConst):
                    b.get(0)
                    b.const(board.first)
                    b.op("i32.sub")
                    b.const(end - board.first)
                    b.op("i32.lt_u")
                    with b.when():
                        b.const(bits_of(board.viewers))
                        b.op("return")
                else:
                    dynamic.append((board.first, end, asides.index(board.viewers)))
            for first, end, number in dynamic:
                b.get(0)
                b.const(first)
                b.op("i32.sub")
                b.const(end - first)
                b.op("i32.lt_u")
                with b.when():
                    b.const(0)
                    self._call(b, f"sees {number}", 1)
                    b.op("return")
            b.get(0)
            b.const(listed)
            b.op("i32.lt_u")
            with b.when(I32):
                b.get(0)
                Walks(shared, b, 0).load_field(m.constant(fixed or [0]))
                b.otherwise()
                b.const(0)
            self._done(b)
        for number, e in enumerate(asides):
            self._sees(number, e)
        b = self._body("knowers", 1)
        b.get(0)
        b.const(m.pieces)
        b.op("i32.ge_u")
        with b.when():
            b.const(code.everybody)
            b.op("return")
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.memory("i32.load", m.known)
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.memory("i32.load", m.place_of)
        self._call(b, "mask", 1)
        b.op("i32.or")
        self._done(b)
        b = self._body("face mask", 1)
        place = b.new()
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.memory("i32.load", m.place_of)
        b.tee(place)
        self._call(b, "mask", 1)
        for number, bits in code.face_masks.items():
            b.const(bits)
            b.const(code.everybody)
            b.get(place)
            b.const(number)
            b.op("i32.eq", "select", "i32.and")
        self._done(b)
        for number, v in enumerate(shared.program.variables):
            if v.seen_by is not None and not v.hidden:
                self._variable_mask(number, v)

    def _sees(self, number: int, e: ir.Expr) -> None:
        """The players of a set as bits; the argument stands for slot 0."""
        b = self._body(f"sees {number}", 1)
        w = Walks(self.shared, b, self.shared.ranges.of_aside(number))
        w.bound[0] = 0
        bits = b.fresh()

        def add(v: int) -> None:
            b.get(v)
            b.const(0)
            b.op("i32.ge_s")
            with b.when():
                b.get(bits)
                b.const(1)
                b.get(v)
                b.op("i32.shl", "i32.or")
                b.set(bits)

        with w.scope():
            w.each(e, add, distinct=False)
        b.get(bits)
        self._done(b)

    def _variable_mask(self, number: int, v: ir.Variable) -> None:
        b = self._body(f"variable mask {number}", 1)
        assert v.seen_by is not None
        if isinstance(v.seen_by, ir.SetConst):
            b.const(bits_of(v.seen_by))
        else:
            if v.index and v.index[0] == "player":
                b.get(0)
                b.const(max(1, v.cells // len(self.shared.program.players)))
                b.op("i32.div_u")
            else:
                b.const(0)
            self._call(b, f"sees {self.shared.ranges.asides.index(v.seen_by)}", 1)
        self._done(b)

    def know(self) -> None:
        """Some players (1, bits) know a piece (0), and all that lies on it."""
        b = self._body("know", 2, 0)
        m = self.m
        address, before, at = b.new(), b.new(), b.new()
        b.get(0)
        b.const(2)
        b.op("i32.shl")
        b.tee(address)
        b.memory("i32.load", m.known)
        b.tee(before)
        b.get(1)
        b.op("i32.or")
        b.get(before)
        b.op("i32.ne")
        with b.when():
            b.get(address)
            b.get(before)
            b.get(1)
            b.op("i32.or")
            b.memory("i32.store", m.known)
            news(self.shared, b)
        b.get(0)
        b.const(self.shared.program.first_piece_place)
        b.op("i32.add")
        b.const(3)
        b.op("i32.shl")
        b.memory("i32.load16_u", m.place)
        b.set(at)
        with b.block() as out, b.loop() as more:
            b.get(at)
            b.op("i32.eqz")
            b.to_if(out)
            b.get(at)
            b.const(1)
            b.op("i32.sub")
            b.get(1)
            self._call(b, "know", 2, 0)
            b.get(at)
            b.const(1)
            b.op("i32.shl")
            b.memory("i32.load16_u", m.next - 2)
            b.set(at)
            b.to(more)
        self._done(b)

    # -------------------------------------------------------------- look-alikes

    def looks_new(self) -> None:
        """Whether no piece of a list (0) looks like a piece (1) to a player (2)."""
        b = self._body("looks new", 3)
        end = b.new()
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
            b.get(1)
            b.get(2)
            self._call(b, "same look", 3)
            b.op("i32.eqz")
            b.to_if(more)
            b.const(0)
            b.op("return")
        b.const(1)
        self._done(b)

    def same_look(self) -> None:
        """Whether two pieces (0, 1) look the same to a player (2): the twin of `alike.look`."""
        shared, m, code = self.shared, self.m, self.shared.code
        program = shared.program
        b = self._body("same look", 3)
        w = Walks(shared, b, 0)
        place = b.new()

        b.get(0)
        b.get(1)
        b.op("i32.eq")
        with b.when():
            b.const(1)
            b.op("return")
        if not m.pieces:
            b.const(0)
            self._done(b)
            return
        with b.block() as out:
            for piece in (0, 1):
                b.get(piece)
                b.const(m.pieces)
                b.op("i32.lt_u")
                b.to_unless(out)
            designs = m.constant([p.design for p in program.pieces])
            for piece in (0, 1):
                b.get(piece)
                w.load_field(designs)
            b.op("i32.eq")
            b.to_unless(out)
            for piece in (0, 1):
                b.get(piece)
                b.const(2)
                b.op("i32.shl")
                b.memory("i32.load", m.place_of)
            b.tee(place)
            b.op("i32.eq")
            b.to_unless(out)
            if not shared.open:
                for piece in (0, 1):
                    b.get(piece)
                    self._call(b, "knowers", 1)
                    b.get(2)
                    b.op("i32.shr_u")
                    b.const(1)
                    b.op("i32.and")
                    b.to_unless(out)
            for piece in (0, 1):  # nothing lies on them
                b.get(piece)
                b.const(program.first_piece_place)
                b.op("i32.add")
                b.const(3)
                b.op("i32.shl")
                b.memory("i32.load16_u", m.place)
                b.to_if(out)
            # Where positions matter, two pieces never look the same.
            sets = m.constant([int(i in code.piece_sets) for i in range(len(program.places))] or [0])
            b.get(place)
            b.const(len(program.places))
            b.op("i32.lt_u")
            with b.when():
                b.get(place)
                w.load_field(sets)
                b.to_unless(out)
                b.otherwise()
                b.get(place)
                b.const(program.first_piece_place)
                b.op("i32.sub")
                b.const(m.pieces)
                b.op("i32.lt_u")
                b.to_unless(out)
            self._same_values(b, out)
            b.const(1)
            b.op("return")
        b.const(0)
        self._done(b)

    def _same_values(self, b: Body, out: object) -> None:
        """Leave by `out` if what the rules keep of two pieces differs for the player."""
        shared, m, program = self.shared, self.m, self.shared.program

        def cell(piece: int, variable: int) -> None:
            b.get(piece)
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", m.vars + 4 * shared.code.layout.offsets[variable])

        for variable in program.piece_vars:
            cell(0, variable)
            cell(1, variable)
            b.op("i32.ne")
            if variable == program.piece_faces:
                # Faces count where the player sees them: at one place all or none of them.
                b.get(0)
                self._call(b, "face mask", 1)
                b.get(2)
                b.op("i32.shr_u")
                b.const(1)
                b.op("i32.and", "i32.and")
            b.to_if(out)  # type: ignore[arg-type]
        for variable, _ in shared.code.kept_of_pieces:
            v = program.variables[variable]
            if v.kind != "number":
                cell(0, variable)
                cell(1, variable)
                b.op("i32.ne")
                with b.when():
                    b.op("unreachable")  # a set for each piece: rare, left to the other machine
                continue
            cell(0, variable)
            cell(1, variable)
            b.op("i32.ne")
            if v.seen_by is not None:
                b.get(0)
                self._call(b, f"variable mask {variable}", 1)
                b.get(2)
                b.op("i32.shr_u")
                b.const(1)
                b.op("i32.and", "i32.and")
            b.to_if(out)  # type: ignore[arg-type]

    # ---------------------------------------------------------------- occupied

    def occupied(self) -> None:
        """The spaces of each unbounded board that hold something; those around them too."""
        for number, board in enumerate(self.shared.program.boards):
            if board.unbounded:
                self._occupied(number, board, False)
                self._occupied(number, board, True)

    def _occupied(self, number: int, board: ir.BoardInfo, around: bool) -> None:
        """Read the rows of the field of bits that have any, in order. What lies around a space is found by
        shifting whole rows.
        """
        b = self._body(f"occupied {number}{' around' if around else ''}", 0)
        w = Walks(self.shared, b, 0)
        first, width, height = board.first, board.width, board.height
        moves = {x for x in deltas(board, self.shared.program.directions) if x is not None}
        if not board.shape.startswith("hex"):
            moves = {(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)}
        in_row = width // 64  # words
        field = self.fields[number]
        at = w.take(4 * (self.m.pieces + 1) * 9 + 4)
        end, low, high, row = (b.fresh() for _ in range(4))
        word = b.fresh(I64)
        b.const(-1)
        b.tee(low)
        b.set(high)
        b.get(at)
        b.set(end)
        # The first and the last row that have any: rows beyond are empty.
        b.const(0)
        b.set(row)
        with b.loop() as more:
            for k in range(in_row):
                self._word(b, field, row, 0, k, in_row)
                if k:
                    b.op("i64.or")
            b.op("i64.eqz")
            with b.when():
                b.otherwise()
                b.get(row)
                b.set(high)
                b.get(low)
                b.get(row)
                b.get(low)
                b.const(0)
                b.op("i32.ge_s", "select")
                b.set(low)
            b.get(row)
            b.const(1)
            b.op("i32.add")
            b.tee(row)
            b.const(height)
            b.op("i32.lt_u")
            b.to_if(more)
        b.get(high)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            if around:
                self._found(b, end, lambda: b.const(first + height // 2 * width + width // 2))
            b.otherwise()
            if around:  # rows that wrap round come first and last: boards are too large for that to happen
                b.get(low)
                b.op("i32.eqz")
                b.get(high)
                b.const(height - 1)
                b.op("i32.ge_s", "i32.or")
                with b.when():
                    w.trap()
            b.get(low)
            b.const(int(around))
            b.op("i32.sub")
            b.set(row)
            with b.loop() as more:
                for k in range(in_row):
                    if not around:
                        self._word(b, field, row, 0, k, in_row)
                    elif len(moves) == 9:
                        self._all_round(b, field, row, k, in_row)
                    else:
                        for i, (r, c) in enumerate(sorted({*moves, (0, 0)})):
                            self._shifted(b, field, row, r, c, k, in_row)
                            if i:
                                b.op("i64.or")
                    b.set(word)
                    with b.block() as none, b.loop() as again:
                        b.get(word)
                        b.op("i64.eqz")
                        b.to_if(none)

                        def space(k: int = k) -> None:
                            b.get(row)
                            b.const(width)
                            b.op("i32.mul")
                            b.get(word)
                            b.op("i64.ctz", "i32.wrap_i64", "i32.add")
                            b.const(first + 64 * k)
                            b.op("i32.add")

                        self._found(b, end, space)
                        b.get(word)
                        b.get(word)
                        b.const64(1)
                        b.op("i64.sub", "i64.and")
                        b.set(word)
                        b.to(again)
                b.get(row)
                b.const(1)
                b.op("i32.add")
                b.tee(row)
                b.get(high)
                b.const(int(around))
                b.op("i32.add", "i32.le_s")
                b.to_if(more)
        b.get(at)
        b.get(end)
        b.get(at)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.memory("i32.store")
        b.get(at)
        self._done(b)

    def _all_round(self, b: Body, field: int, row: int, k: int, in_row: int) -> None:
        """Push the spaces of word k that are marked or touch a marked one: three rows as one, shifted."""
        columns: list[int] = []
        for word in dict.fromkeys((k, (k - 1) % in_row, (k + 1) % in_row)):
            column = b.new(I64)
            for i, r in enumerate((-1, 0, 1)):
                self._word(b, field, row, r, word, in_row)
                if i:
                    b.op("i64.or")
            b.set(column)
            columns.append(column)
        here, before, after = columns[0], columns[1 % len(columns)], columns[-1]
        b.get(here)
        for column, by, back in ((before, "i64.shl", "i64.shr_u"), (after, "i64.shr_u", "i64.shl")):
            b.get(here)
            b.const64(1)
            b.op(by, "i64.or")
            b.get(column)
            b.const64(63)
            b.op(back, "i64.or")
        b.free(*columns)

    @staticmethod
    def _found(b: Body, end: int, push: Callable[[], None]) -> None:
        b.get(end)
        b.const(4)
        b.op("i32.add")
        b.tee(end)
        push()
        b.memory("i32.store")

    @staticmethod
    def _word(b: Body, field: int, row: int, r: int, k: int, in_row: int) -> None:
        """Push a word of the row that lies r rows further."""
        b.get(row)
        if r:
            b.const(r)
            b.op("i32.add")
        b.const(8 * in_row)
        b.op("i32.mul")
        b.memory("i64.load", field + 8 * k)

    def _shifted(self, b: Body, field: int, row: int, r: int, c: int, k: int, in_row: int) -> None:
        """Push the spaces of word k that lie one step (r, c) from a marked one."""
        self._word(b, field, row, -r, k, in_row)
        if c == 0:
            return
        b.const64(1)
        b.op("i64.shl" if c > 0 else "i64.shr_u")
        self._word(b, field, row, -r, (k - c) % in_row, in_row)
        b.const64(63)
        b.op("i64.shr_u" if c > 0 else "i64.shl", "i64.or")


def _runs(test: LineTest) -> tuple[int, dict[int, int]] | None:
    """(length, where runs begin as bits, by step) if all rows are runs of one length with equal steps."""
    begins: dict[int, int] = {}
    lengths = {len(row) for row in test.rows}
    if len(lengths) != 1:
        return None
    (length,) = lengths
    for row in test.rows:
        spaces = sorted(n - test.kept.first for n in row)
        steps = {b - a for a, b in pairwise(spaces)}
        if len(steps) != 1:
            return None
        (step,) = steps
        begins[step] = begins.get(step, 0) | 1 << spaces[0]
    return (length, begins) if len(begins) <= MOST_STEPS else None


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
