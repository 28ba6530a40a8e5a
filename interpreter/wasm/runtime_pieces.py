"""Runtime of pieces: chance, and what happens to pieces.

Comes in: `Shared`. Goes out: functions that draw, move, exchange and shuffle. What never happens: a
difference to `chance.py` and `link_pieces.py`, of which these are the twins.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I64
from rulewright.interpreter.wasm.runtime_base import ASIDE, below, news
from rulewright.interpreter.wasm.runtime_boards import BoardsRuntime


class PiecesRuntime(BoardsRuntime):
    """Writes what pieces need."""

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
