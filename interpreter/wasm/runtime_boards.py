"""Runtime of boards: bits of spaces that are kept up to date, rows of equal pieces, occupied spaces.

Comes in: `Shared`. Goes out: functions that put bits where a piece has come or gone, that test lines, and
that list what is occupied. What never happens: bits that do not say what the lists of pieces say.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from rulewright.interpreter import ir
from rulewright.interpreter.layout import deltas
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import LineTest
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I64
from rulewright.interpreter.wasm.masks import Kept
from rulewright.interpreter.wasm.memory import TooLarge
from rulewright.interpreter.wasm.runtime_base import RuntimeBase

MOST_STEPS = 8  # of rows that are looked at together


class BoardsRuntime(RuntimeBase):
    """Writes what boards need."""

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
