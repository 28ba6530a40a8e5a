"""Emit masks: selections of spaces that are worked out on bits, all spaces at once.

Comes in: selections of the spaces of a board that masks are kept of (`masks.py`). Goes out: instructions that
count, test or run through bits. `any line where every space on it …` looks only at lines through spaces that
have come to satisfy the condition since it was last looked at and did not hold: a line without such a space
was there then already.
What never happens: a mask where the order of the spaces matters and is not that of the bits; and a condition
that is not looked at, though it could be a rule error: masks exist for conditions that cannot fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from rulewright.interpreter import ir
from rulewright.interpreter.link_once import free_slots
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_sets import Each
from rulewright.interpreter.wasm.emit_walks import Walks
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.evaluate import evaluate
from rulewright.interpreter.wasm.masks import Kept, Shift, any_lying, shift_of

FULL = (1 << 64) - 1
MOST_LINES = 4096
LONGEST_RUN = 20  # steps of runs that are worked out on bits
Run = tuple[tuple[Shift, ...], int, ir.Expr | None, ir.Expr | None, int, ir.Expr, int]


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of spaces: known beforehand, or in locals, one for each word."""

    known: int | None
    locals: tuple[int, ...] = ()


class Masked(Walks):
    """Writes selections of spaces on bits where that is possible."""

    def __init__(self, shared: Shared, body: Body, function: int, frame: int | None = None) -> None:
        super().__init__(shared, body, function, frame)
        self.found: dict[tuple[int, int, int], Mask] = {}  # (condition, slot, board) → what it is just now

    # ------------------------------------------------------------------ boards

    def board_of(self, e: ir.Expr) -> Kept | None:
        """The board of which a set holds spaces, if masks are kept of it."""
        low, high = self.range(e)
        if low > high:
            return None
        for kept in self.shared.kept:
            if kept.first <= low and high < kept.first + kept.spaces:
                return kept
        return None

    # -------------------------------------------------------------- can it be

    def condition_fits(self, e: ir.Expr, slot: int, kept: Kept) -> bool:
        """Whether a condition on the space in a slot can be worked out for all spaces at once."""
        if slot not in free_slots(e):
            return cannot_fail(e)
        match e:
            case ir.Unary("not", operand):
                return self.condition_fits(operand, slot, kept)
            case ir.Binary("and" | "or", left, right):
                return self.condition_fits(left, slot, kept) and self.condition_fits(right, slot, kept)
            case ir.Contains(of, ir.Local(at)) if at == slot and slot not in free_slots(of):
                return self.board_of(of) is kept and self.set_fits(of, kept)
            case _:
                if self._occupied_form(e, slot) is not None or self._run_form(e, slot, kept) is not None:
                    return True
                lying = any_lying(e)
                if lying is not None and lying[0] == ir.Local(slot) and slot not in free_slots(lying[2]):
                    return kept.of(lying[1]) is not None and cannot_fail(lying[2])
                return self._constant(e, slot, kept) is not None

    def set_fits(self, e: ir.Expr, kept: Kept) -> bool:
        """Whether a set of spaces can be had as bits."""
        match e:
            case ir.SetConst():
                return True
            case ir.At(table, index):
                return self._rows_fit(table, kept) and _cannot_fail_index(self, e) and cannot_fail(index)
            case ir.Filter(slot, of, condition):
                return self.set_fits(of, kept) and self.condition_fits(condition, slot, kept)
            case ir.Union(left, right) | ir.Without(left, right):
                return all(self.board_of(x) is kept and self.set_fits(x, kept) for x in (left, right))
            case _:
                return False

    def _rows_fit(self, table: int, kept: Kept) -> bool:
        low, high = self.shared.ranges.table(table)
        return bool(self.shared.program.tables[table].data) and (
            kept.first <= low
            and high < kept.first + kept.spaces
            and not self.shared.program.tables[table].repeats
        )

    @staticmethod
    def _occupied_form(e: ir.Expr, slot: int) -> bool | None:
        """True for "something lies there", False for "nothing lies there", None for anything else."""
        here = ir.Contents(ir.Local(slot))
        match e:
            case ir.Binary("==", ir.Size(of), ir.Const(0)) if of == here:
                return False
            case ir.Binary("!=", ir.Size(of), ir.Const(0)) if of == here:
                return True
            case ir.Binary("<", ir.Const(0), ir.Size(of)) if of == here:
                return True
            case ir.Binary("<=", ir.Const(1), ir.Size(of)) if of == here:
                return True
            case ir.Quantifier("any", _, of, ir.Const(1)) if of == here:
                return True
            case _:
                return None

    def _run_form(self, e: ir.Expr, slot: int, kept: Kept) -> Run | None:
        """The parts of `any space going … from the space in the slot …`, if each is a condition that can be
        worked out for all spaces, and steps are shifts."""
        match e:
            case ir.Quantifier(
                "any",
                inner,
                ir.Going(board, ir.Local(at), ir.SetConst(directions), limit, False, own, keep, None, ending),
                found,
            ) if at == slot and board == kept.board:
                pass
            case _:
                return None
        if not (limit is None or (isinstance(limit, ir.Const) and limit.value > 0)):
            return None
        if ending is not None and found != ir.Const(1):
            return None
        for part, bound in ((keep, own), (ending, own), (found, inner)):
            if part is None or part == ir.Const(1):
                continue
            if slot in free_slots(part) or not self.condition_fits(part, bound, kept):
                return None
        info = self.shared.program.boards[board]
        shifts = [shift_of(info, d) for d in directions]
        if not all(s is not None and s.longest <= LONGEST_RUN for s in shifts):
            return None
        most = limit.value if isinstance(limit, ir.Const) else kept.spaces
        return tuple(s for s in shifts if s is not None and s.longest), own, keep, ending, inner, found, most

    def _constant(self, e: ir.Expr, slot: int, kept: Kept) -> int | None:
        """The spaces for which a condition holds in every game, as bits."""
        bits = 0
        for i in range(kept.spaces):
            value = evaluate(self.shared.program, e, {slot: kept.first + i})
            if not isinstance(value, int):
                return None
            bits |= bool(value) << i
        return bits

    # ------------------------------------------------------------------- write

    def condition(self, e: ir.Expr, slot: int, kept: Kept) -> Mask:
        """The spaces for which a condition holds."""
        found = self.found.get((id(e), slot, kept.board))
        return found if found is not None else self._condition(e, slot, kept)

    def _condition(self, e: ir.Expr, slot: int, kept: Kept) -> Mask:
        b, everything = self.b, (1 << kept.spaces) - 1
        if slot not in free_slots(e):
            holds = b.fresh()
            self.truth(e)
            b.set(holds)
            out = tuple(b.fresh(I64) for _ in range(kept.words))
            for word, local in enumerate(out):
                b.const64((everything >> (64 * word)) & FULL)
                b.const64(0)
                b.get(holds)
                b.op("select")
                b.set(local)
            return Mask(None, out)
        match e:
            case ir.Unary("not", operand):
                return self._without(Mask(everything), self.condition(operand, slot, kept), kept)
            case ir.Binary("and", left, right):
                return self._both(self.condition(left, slot, kept), self.condition(right, slot, kept), kept)
            case ir.Binary("or", left, right):
                return self._either(self.condition(left, slot, kept), self.condition(right, slot, kept), kept)
            case ir.Contains(of, ir.Local(at)) if at == slot and slot not in free_slots(of):
                return self.mask(of, kept)
            case _:
                pass
        occupied = self._occupied_form(e, slot)
        if occupied is not None:
            there = self._loaded(kept, 0)
            return there if occupied else self._without(Mask(everything), there, kept)
        run = self._run_form(e, slot, kept)
        if run is not None:
            return self._runs(*run, kept)
        lying = any_lying(e)
        if lying is not None and lying[0] == ir.Local(slot):
            return self._lying(kept, lying[1], lying[2])
        known = self._constant(e, slot, kept)
        assert known is not None
        return Mask(known)

    def _runs(
        self,
        shifts: tuple[Shift, ...],
        own: int,
        keep: ir.Expr | None,
        ending: ir.Expr | None,
        inner: int,
        found: ir.Expr,
        most: int,
        kept: Kept,
    ) -> Mask:
        """The spaces from which a run of spaces goes that does what it must, in any of some directions:
        worked out backwards from where the runs end, all runs at once, as chess programs fill boards of
        bits."""
        b, everything = self.b, Mask((1 << kept.spaces) - 1)
        on = self.condition(keep, own, kept) if keep is not None else everything
        end = self.condition(ending, own, kept) if ending is not None else None
        here = self.condition(found, inner, kept) if found != ir.Const(1) else everything
        total: Mask = Mask(0)
        for shift in shifts:
            steps = min(most, shift.longest - (1 if end is not None else 0))
            if steps < 1:
                continue
            last = (
                self._both(on, here, kept)
                if end is None
                else self._both(on, self._back(end, shift, kept), kept)
            )
            way = tuple(b.fresh(I64) for _ in range(kept.words))
            for word, local in enumerate(way):
                self.push(last, word)
                b.set(local)
            back = self._both(on, Mask(shift.begins), kept)
            for _ in range(steps - 1):
                further = self._both(self._back(Mask(None, way), shift, kept, False), back, kept)
                for word, local in enumerate(way):
                    b.get(local)
                    self.push(further, word)
                    b.op("i64.or")
                    b.set(local)
            total = self._either(total, self._back(Mask(None, way), shift, kept), kept)
        return total

    def _back(self, mask: Mask, shift: Shift, kept: Kept, only: bool = True) -> Mask:
        """The spaces from which a step leads into a mask; with `only` False also such as have no step."""
        if mask.known is not None:
            n = mask.known >> shift.by if shift.by > 0 else mask.known << -shift.by
            return Mask(n & shift.begins)

        def write(word: int) -> None:
            b, by = self.b, abs(shift.by)
            right = shift.by > 0
            other = word + 1 if right else word - 1
            self.push(mask, word)
            b.const64(by)
            b.op("i64.shr_u" if right else "i64.shl")
            if 0 <= other < kept.words:
                self.push(mask, other)
                b.const64(64 - by)
                b.op("i64.shl" if right else "i64.shr_u", "i64.or")
            if only:
                b.const64((shift.begins >> (64 * word)) & FULL)
                b.op("i64.and")

        return self._combined(kept, write)

    def _loaded(self, kept: Kept, mask: int) -> Mask:
        b = self.b
        out = []
        for word in range(kept.words):
            local = b.fresh(I64)
            b.const(0)
            b.memory("i64.load", kept.address(mask) + 8 * word)
            b.set(local)
            out.append(local)
        return Mask(None, tuple(out))

    def _lying(self, kept: Kept, attribute: tuple[str, int], value: ir.Expr) -> Mask:
        """The spaces with a piece of which an attribute has a value."""
        b = self.b
        found = kept.of(attribute)
        assert found is not None
        number, low, n = found
        if isinstance(value, ir.Const):
            return self._loaded(kept, number + value.value - low) if 0 <= value.value - low < n else Mask(0)
        at, fits = b.fresh(), b.fresh()
        out = tuple(b.fresh(I64) for _ in range(kept.words))
        self.number(value)
        if low:
            b.const(low)
            b.op("i32.sub")
        b.tee(at)
        b.const(n)
        b.op("i32.lt_u")
        b.set(fits)
        inside = low <= self.range(value)[0] and self.range(value)[1] < low + n
        if not inside:
            b.get(at)
            b.const(0)
            b.get(fits)
            b.op("select")
            b.set(at)
        for word, local in enumerate(out):
            b.get(at)
            b.const((8 * kept.words).bit_length() - 1)
            b.op("i32.shl")
            b.memory("i64.load", kept.address(number) + 8 * word)
            if not inside:
                b.const64(0)
                b.get(fits)
                b.op("select")
            b.set(local)
        return Mask(None, out)

    def mask(self, e: ir.Expr, kept: Kept) -> Mask:
        """A set of spaces as bits."""
        b = self.b
        match e:
            case ir.SetConst(items):
                return Mask(sum(1 << (n - kept.first) for n in items))
            case ir.At(table, index):
                rows = self.shared.row_masks(table, kept)
                data = self.shared.program.tables[table]
                at = b.fresh()
                self.checked(index, data.base, len(data.data))
                b.const((8 * kept.words).bit_length() - 1)
                b.op("i32.shl")
                b.set(at)
                out = tuple(b.fresh(I64) for _ in range(kept.words))
                for word, local in enumerate(out):
                    b.get(at)
                    b.memory("i64.load", rows + 8 * word)
                    b.set(local)
                return Mask(None, out)
            case ir.Filter(slot, of, condition):
                return self._both(self.mask(of, kept), self.condition(condition, slot, kept), kept)
            case ir.Union(left, right):
                return self._either(self.mask(left, kept), self.mask(right, kept), kept)
            case ir.Without(left, right):
                return self._without(self.mask(left, kept), self.mask(right, kept), kept)
            case _:
                raise TypeError(f"no mask: {type(e).__name__}")

    # ---------------------------------------------------------------- algebra

    def push(self, mask: Mask, word: int) -> None:
        """Push one word of a mask."""
        if mask.known is not None:
            self.b.const64((mask.known >> (64 * word)) & FULL)
        else:
            self.b.get(mask.locals[word])

    def _combined(self, kept: Kept, write: Callable[[int], None]) -> Mask:
        out = tuple(self.b.fresh(I64) for _ in range(kept.words))
        for word, local in enumerate(out):
            write(word)
            self.b.set(local)
        return Mask(None, out)

    def _both(self, one: Mask, two: Mask, kept: Kept) -> Mask:
        if one.known is not None and two.known is not None:
            return Mask(one.known & two.known)

        def write(word: int) -> None:
            self.push(one, word)
            self.push(two, word)
            self.b.op("i64.and")

        return self._combined(kept, write)

    def _either(self, one: Mask, two: Mask, kept: Kept) -> Mask:
        if one.known is not None and two.known is not None:
            return Mask(one.known | two.known)

        def write(word: int) -> None:
            self.push(one, word)
            self.push(two, word)
            self.b.op("i64.or")

        return self._combined(kept, write)

    def _without(self, one: Mask, two: Mask, kept: Kept) -> Mask:
        if one.known is not None and two.known is not None:
            return Mask(one.known & ~two.known)

        def write(word: int) -> None:
            self.push(one, word)
            self.push(two, word)
            self.b.const64(FULL)
            self.b.op("i64.xor", "i64.and")

        return self._combined(kept, write)

    def is_empty(self, mask: Mask, kept: Kept) -> None:
        """Push whether a mask has no bits."""
        for word in range(kept.words):
            self.push(mask, word)
            if word:
                self.b.op("i64.or")
        self.b.op("i64.eqz")

    def has_bit(self, mask: Mask, v: int, kept: Kept) -> None:
        """Push whether a mask holds the space in a local, which must be one of the board."""
        b = self.b
        if kept.words == 2:
            self.push(mask, 1)
            self.push(mask, 0)
            self._from(v, kept.first)
            b.const(64)
            b.op("i32.ge_u", "select")
        else:
            self.push(mask, 0)
        self._from(v, kept.first)
        b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        b.const(1)
        b.op("i32.and")

    # ------------------------------------------------------------------- use

    def _fitting(self, slot: int, of: ir.Expr, condition: ir.Expr) -> tuple[ir.Filter, Kept] | None:
        """The values of a set for which a condition holds, definitions written in place, and the board of
        which they are spaces; None if they cannot be had as bits."""
        kept = self.board_of(of)
        if kept is None:
            return None
        of, condition = self.plain(of), self.plain(condition)
        if not self.set_fits(of, kept) or not self.condition_fits(condition, slot, kept):
            return None
        return ir.Filter(slot, of, condition), kept

    def _any(self, slot: int, of: ir.Expr, condition: ir.Expr) -> None:
        fitting = self._fitting(slot, of, condition)
        if fitting is not None:
            self.is_empty(self.mask(fitting[0], fitting[1]), fitting[1])
            self.b.op("i32.eqz")
            return
        if self._any_lying_on(slot, of, condition) or self._any_line(slot, of, condition):
            return
        before = dict(self.found)
        self._work_out_before(slot, condition)
        super()._any(slot, of, condition)
        self.found = before

    def _any_lying_on(self, slot: int, of: ir.Expr, condition: ir.Expr) -> bool:
        """`any piece on some spaces of which an attribute has a value`: False if that cannot be had so."""
        match of:
            case ir.Collect(at, spaces, ir.Contents(ir.Local(there), False), True) if there == at:
                pass
            case _:
                return False
        kept = self.board_of(spaces)
        lying = any_lying(ir.Quantifier("any", slot, ir.Contents(ir.Local(at), False), condition))
        if kept is None or lying is None or kept.of(lying[1]) is None:
            return False
        spaces = self.plain(spaces)
        if not self.set_fits(spaces, kept) or not cannot_fail(lying[2]) or free_slots(lying[2]) & {at}:
            return False
        there_are = self._both(self.mask(spaces, kept), self._lying(kept, lying[1], lying[2]), kept)
        self.is_empty(there_are, kept)
        self.b.op("i32.eqz")
        return True

    def the_only(self, e: ir.TheOnly) -> None:
        """Push the one value of a set; the last or the first space of a mask, where that is the best one."""
        best = e.set
        if isinstance(best, ir.BestOf) and isinstance(best.set, ir.Filter):
            fitting = self._fitting(best.set.slot, best.set.set, best.set.condition)
            up = self._ascends(best, fitting[0]) if fitting is not None else None
            if fitting is not None and up is not None:
                self._end_of(self.mask(*fitting), fitting[1], up == (best.word == "largest"))
                return
        super().the_only(e)

    def _ascends(self, best: ir.BestOf, of: ir.Expr) -> bool | None:
        """Whether what is compared grows with the number of the space (False: becomes less), always and
        everywhere; None if neither."""
        match of:
            case ir.SetConst(items):
                rows: tuple[object, ...] = (items,)
            case ir.At(table, index):
                low, high = self.range(index)
                data = self.shared.program.tables[table]
                rows = data.data[max(low - data.base, 0) : max(high - data.base + 1, 0)]
            case ir.Filter(_, inner, _) | ir.Without(inner, _):
                return self._ascends(best, inner)
            case _:
                return None
        found: set[bool] = set()
        for row in rows:
            if not isinstance(row, tuple):
                return None
            values = [evaluate(self.shared.program, best.value, {best.slot: n}) for n in sorted(set(row))]
            if not all(isinstance(value, int) for value in values):
                return None
            found |= {a < b for a, b in pairwise(values) if a != b}  # type: ignore[operator]
            if any(a == b for a, b in pairwise(values)):
                return None
        return found.pop() if len(found) == 1 else None

    def _end_of(self, mask: Mask, kept: Kept, last: bool) -> None:
        """Push the last or the first space of a mask; trap if it is empty."""
        b = self.b
        self.is_empty(mask, kept)
        with b.when():
            self.trap()
        words = range(kept.words) if not last else range(kept.words - 1, -1, -1)
        for i, word in enumerate(words):
            if i < kept.words - 1:
                self.push(mask, word)
                b.op("i64.eqz", "i32.eqz")
                b._open(0x04, I32)
            if last:
                b.const(kept.first + 64 * word + 63)
                self.push(mask, word)
                b.op("i64.clz", "i32.wrap_i64", "i32.sub")
            else:
                self.push(mask, word)
                b.op("i64.ctz", "i32.wrap_i64")
                b.const(kept.first + 64 * word)
                b.op("i32.add")
            if i < kept.words - 1:
                b.otherwise()
        for _ in range(kept.words - 1):
            b.end()

    def _work_out_before(self, slot: int, e: ir.Expr) -> None:
        """Work out, before a loop over a slot, the masks inside its body that do not depend on what is bound
        there."""
        inside = {slot} | {n.slot for n in every(e) if isinstance(n, BINDING)}
        for inner_slot, of, condition in _selections(e):
            fitting = self._fitting(inner_slot, of, condition)
            if fitting is None or (free_slots(condition) - {inner_slot}) & inside:
                continue
            condition, kept = fitting[0].condition, fitting[1]
            key = (id(condition), inner_slot, kept.board)
            if key not in self.found and inner_slot in free_slots(condition):
                self.found[key] = self._condition(condition, inner_slot, kept)

    def _count(self, of: ir.Expr) -> None:
        if isinstance(of, ir.Filter):
            fitting = self._fitting(of.slot, of.set, of.condition)
            if fitting is not None:
                kept = fitting[1]
                mask = self.mask(fitting[0], kept)
                for word in range(kept.words):
                    self.push(mask, word)
                    self.b.op("i64.popcnt")
                    if word:
                        self.b.op("i64.add")
                self.b.op("i32.wrap_i64")
                return
        super()._count(of)

    def contains(self, of: ir.Expr, v: int, values: tuple[int, int]) -> None:
        """Push whether a set holds the value in a local."""
        kept = self.board_of(of) if isinstance(of, ir.Filter | ir.At) else None
        if kept is None or not self.set_fits(of, kept):
            super().contains(of, v, values)
            return
        mask = self.mask(of, kept)
        if kept.first <= values[0] and values[1] < kept.first + kept.spaces:
            self.has_bit(mask, v, kept)
            return
        b = self.b
        self._from(v, kept.first)
        b.const(kept.spaces)
        b.op("i32.lt_u")
        with b.when(I32):
            self.has_bit(mask, v, kept)
            b.otherwise()
            b.const(0)

    def each(self, e: ir.Expr, body: Each, distinct: bool = True) -> None:
        """Write a loop over the values, over bits where they stand in the order of the set."""
        if isinstance(e, ir.Filter):
            fitting = self._fitting(e.slot, e.set, e.condition)
            if fitting is not None and self.ascending(fitting[0]):
                self.each_bit(self.mask(*fitting), fitting[1], body)
                return
        super().each(e, body, distinct)

    def ascending(self, e: ir.Expr) -> bool:
        """Whether the values of a set stand in ascending order in every game."""
        match e:
            case ir.SetConst(items):
                return list(items) == sorted(items)
            case ir.At(table, _):
                rows = self.shared.program.tables[table].data
                return all(isinstance(r, tuple) and list(r) == sorted(r) for r in rows)
            case ir.Filter(_, of, _) | ir.Without(of, _):
                return self.ascending(of)
            case _:
                return False

    def each_bit(self, mask: Mask, kept: Kept, body: Each) -> None:
        """A loop over the spaces of a mask."""
        b = self.b
        for word in range(kept.words):
            left, v = b.fresh(I64), b.fresh()
            self.push(mask, word)
            b.set(left)
            with b.block() as out, b.loop() as more:
                b.get(left)
                b.op("i64.eqz")
                b.to_if(out)
                b.get(left)
                b.op("i64.ctz", "i32.wrap_i64")
                b.const(kept.first + 64 * word)
                b.op("i32.add")
                b.set(v)
                b.get(left)
                b.get(left)
                b.const64(1)
                b.op("i64.sub", "i64.and")
                b.set(left)
                with self.scope():
                    body(v)
                b.to(more)

    def number(self, e: ir.Expr) -> None:
        """Push a number; a test of one space is a test of one bit."""
        lying = any_lying(e) if isinstance(e, ir.Quantifier) else None
        if lying is not None:
            kept = self.board_of(lying[0])
            if kept is not None and kept.of(lying[1]) is not None and isinstance(lying[0], ir.Local):
                key = (id(e), lying[0].slot, kept.board)
                mask = self.found.get(key) or self._lying(kept, lying[1], lying[2])
                v = self.b.fresh()
                self.get_slot(lying[0].slot)
                self.b.set(v)
                self.has_bit(mask, v, kept)
                return
        super().number(e)

    # ------------------------------------------------------------------- lines

    def _any_line(self, slot: int, of: ir.Expr, condition: ir.Expr) -> bool:
        """`any line where every space on it holds a piece of which an attribute has a value`."""
        match of, condition:
            case ir.SetConst(lines), ir.Quantifier("all", inner, ir.At(table, ir.Local(at)), test) if (
                at == slot
            ):
                pass
            case _:
                return False
        kept = self.board_of(condition.set)
        lying = any_lying(test)
        if (
            kept is None
            or lying is None
            or lying[0] != ir.Local(inner)
            or free_slots(lying[2]) & {slot, inner}
            or not self._rows_fit(table, kept)
            or not cannot_fail(lying[2])
            or len(lines) > MOST_LINES
        ):
            return False
        found = kept.of(lying[1])
        data = self.shared.program.tables[table]
        if found is None or not all(data.base <= n < data.base + len(data.data) for n in lines):
            return False
        rows = [data.data[n - data.base] for n in lines]
        if not all(isinstance(r, tuple) and r for r in rows):
            return False
        name = self.shared.line_test(kept, [frozenset(r) for r in rows], found)  # type: ignore[arg-type]
        if name is None:
            return False
        self.number(lying[2])
        if found[1]:
            self.b.const(found[1])
            self.b.op("i32.sub")
        self.call(name, (I32,))
        return True


BINDING = (
    ir.Filter, ir.Quantifier, ir.Fold, ir.BestOf, ir.Collect, ir.Groups, ir.Linked, ir.Going,
)  # fmt: skip


def _selections(e: object) -> list[tuple[int, ir.Expr, ir.Expr]]:
    return [(n.slot, n.set, n.condition) for n in every(e) if isinstance(n, ir.Quantifier | ir.Filter)]


def cannot_fail(e: ir.Expr) -> bool:
    """Whether computing an expression can never be a rule error: constants, slots and plain variables."""
    match e:
        case ir.Const() | ir.Local() | ir.SetConst() | ir.Load(_, None):
            return True
        case ir.Unary(_, operand):
            return cannot_fail(operand)
        case ir.Binary(op, left, right):
            if op in ("mod", "div_down", "div_up") and not (isinstance(right, ir.Const) and right.value):
                return False
            return cannot_fail(left) and cannot_fail(right)
        case ir.Choice(c, a, b):
            return cannot_fail(c) and cannot_fail(a) and cannot_fail(b)
        case _:
            return False


def _cannot_fail_index(w: Masked, e: ir.At) -> bool:
    data = w.shared.program.tables[e.table]
    low, high = w.range(e.index)
    return data.base <= low and high < data.base + len(data.data)
