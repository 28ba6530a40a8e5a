"""Runtime of sight: who sees a place, who knows a piece, which pieces look the same.

Comes in: `Shared`. Goes out: functions for these. What never happens: a difference to `alike.py`, `naming.py`
and `link.py`, of which these are the twins.
"""

from __future__ import annotations

from rulewright.interpreter import ir
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.runtime_base import RuntimeBase, bits_of, news


class SightRuntime(RuntimeBase):
    """Writes what sight needs."""

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
