"""Emit numbers: expressions whose value is one number.

Comes in: an expression. Goes out: instructions that push its value, 32 bits. What never happens: a number
that wraps around: where the ranges do not rule it out, it is computed wider and checked, and traps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.interpreter import ir
from rulewright.interpreter.wasm.emit import Frame
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.memory import Field
from rulewright.interpreter.wasm.ranges import LIMIT, WORD, arithmetic

if TYPE_CHECKING:
    from rulewright.interpreter.wasm.emit_sets import Sets

COMPARE = {"==": "i32.eq", "!=": "i32.ne", "<": "i32.lt_s", "<=": "i32.le_s"}
WIDER = {"+": "i64.add", "-": "i64.sub", "*": "i64.mul"}
NARROW = {"+": "i32.add", "-": "i32.sub", "*": "i32.mul"}
INLINE = 60  # nodes of a function that is written in place of a call
INLINE_DEPTH = 6


class Numbers(Frame):
    """Writes numbers."""

    depth = 0  # of functions written in place

    def _sets(self) -> Sets:
        return self  # type: ignore[return-value]

    # ---------------------------------------------------------------- values

    def number(self, e: ir.Expr) -> None:
        """Push the value of a number."""
        b = self.b
        match e:
            case ir.Const(value):
                b.const(value)
            case ir.Local(slot):
                self.get_slot(slot)
            case ir.Load(var, index):
                self.address_of_variable(var, index)
            case ir.At(table, index):
                self.at(table, index)
            case ir.Unary("-", operand):
                b.const(0)
                self.number(operand)
                b.op("i32.sub")
            case ir.Unary():
                self.number(e.operand)
                b.op("i32.eqz")
            case ir.Binary(op, left, right) if op in COMPARE:
                if op == "==" and right == ir.Const(0):
                    self.number(left)
                    b.op("i32.eqz")
                    return
                self.number(left)
                self.number(right)
                b.op(COMPARE[op])
            case ir.Binary("and", left, right):
                self.number(left)
                with b.when(I32):
                    self.truth(right)
                    b.otherwise()
                    b.const(0)
            case ir.Binary("or", left, right):
                self.number(left)
                with b.when(I32):
                    b.const(1)
                    b.otherwise()
                    self.truth(right)
            case ir.Binary(op, left, right):
                self.arithmetic(op, left, right)
            case ir.Choice(condition, then, otherwise):
                self.number(condition)
                with b.when(I32):
                    self.number(then)
                    b.otherwise()
                    self.number(otherwise)
            case ir.PlaceOf(piece):
                self.place_of(piece)
            case ir.Apply(function, arguments):
                self.apply(function, arguments)
            case ir.CanAct(decision, player):
                self._sets().can_act(decision, player)
            case _:
                self._sets().number_of_set(e)

    def truth(self, e: ir.Expr) -> None:
        """Push 1 or 0 for a condition."""
        self.number(e)
        if self.range(e) != (0, 1) and self.range(e) not in ((0, 0), (1, 1)):
            self.b.const(0)
            self.b.op("i32.ne")

    def kept(self, e: ir.Expr) -> None:
        """Push a number that is going to be kept in a slot, a result or the state: it must fit `LIMIT`."""
        self.number(e)
        low, high = self.range(e)
        if low < -LIMIT or high > LIMIT:
            self.check_kept()

    def check_kept(self) -> None:
        """Trap if the number on the stack is too large to be kept."""
        b = self.b
        with b.local() as n:
            b.tee(n)
            b.get(n)
            b.const(LIMIT)
            b.op("i32.add")
            b.const(2 * LIMIT)
            b.op("i32.gt_u")
            with b.when():
                self.trap()

    def value(self, e: ir.Expr) -> None:
        """Push a number or the address of a set or groups."""
        if self.is_number(e):
            self.kept(e)
        else:
            self._sets().pointer(e)

    # ------------------------------------------------------------- arithmetic

    def arithmetic(self, op: str, left: ir.Expr, right: ir.Expr) -> None:
        """Push the result of an operation."""
        b, a, c = self.b, self.range(left), self.range(right)
        if op in NARROW:
            low, high = arithmetic(op, a, c)
            if low >= -WORD and high <= WORD:
                self.number(left)
                self.number(right)
                b.op(NARROW[op])
                return
            self.number(left)
            b.op("i64.extend_i32_s")
            self.number(right)
            b.op("i64.extend_i32_s", WIDER[op])
            self.narrowed()
        elif op in ("min", "max"):
            with b.local() as x, b.local() as y:
                self.number(left)
                b.set(x)
                self.number(right)
                b.set(y)
                b.get(x)
                b.get(y)
                b.get(x)
                b.get(y)
                b.op("i32.lt_s" if op == "min" else "i32.gt_s", "select")
        elif c[0] > 0 and a[0] >= 0 and op != "div_up":
            self.number(left)
            self.number(right)
            b.op("i32.rem_u" if op == "mod" else "i32.div_u")
        else:
            self.number(left)
            self.number(right)
            self.call(op, (I32, I32))

    def narrowed(self) -> None:
        """Make 32 bits of the 64 on the stack; what does not fit traps."""
        b = self.b
        with b.local(I64) as n:
            b.tee(n)
            b.get(n)
            b.op("i32.wrap_i64", "i64.extend_i32_s", "i64.ne")
            with b.when():
                self.trap()
            b.get(n)
            b.op("i32.wrap_i64")

    # ------------------------------------------------------------------ reads

    def checked(self, index: ir.Expr, base: int, cells: int) -> None:
        """Push `index - base`, which must lie in 0 … cells-1."""
        b = self.b
        low, high = self.range(index)
        self.number(index)
        if base:
            b.const(base)
            b.op("i32.sub")
        if low < base or high >= base + cells:
            self.check_below(cells)

    def check_below(self, cells: int) -> None:
        """Trap unless the number on the stack lies in 0 … cells-1."""
        b = self.b
        with b.local() as i:
            b.tee(i)
            b.get(i)
            b.const(cells)
            b.op("i32.ge_u")
            with b.when():
                self.trap()

    def load_field(self, field: Field) -> None:
        """Push the item of a field whose number is on the stack."""
        b = self.b
        if field.size > 1:
            b.const(field.size.bit_length() - 1)
            b.op("i32.shl")
        b.memory(field.load, field.at)

    def at(self, table: int, index: ir.Expr) -> None:
        """Push a value of a constant table (the address of a set, where it holds sets)."""
        data, field = self.shared.program.tables[table], self.shared.memory.tables[table]
        if not data.data:
            self.trap()
            self.b.const(0)
            return
        if isinstance(index, ir.Const) and 0 <= index.value - data.base < len(data.data):
            self.b.const(field.size * (index.value - data.base))
            self.b.memory(field.load, field.at)
            return
        self.checked(index, data.base, len(data.data))
        self.load_field(field)

    def address_of_variable(self, var: int, index: ir.Expr | None, store: bool = False) -> int:
        """Push what a variable holds (with `store`: where it is kept, the rest of the address given back)."""
        b, v = self.b, self.shared.program.variables[var]
        at = self.shared.memory.vars + 4 * self.shared.code.layout.offsets[var]
        if index is None:
            b.const(0)
        elif isinstance(index, ir.Const) and 0 <= index.value < v.cells:
            b.const(4 * index.value)
        else:
            self.checked(index, 0, v.cells)
            b.const(2)
            b.op("i32.shl")
        if not store:
            b.memory("i32.load", at)
        return at

    def place_of(self, piece: ir.Expr) -> None:
        """Push where a piece is; -1 for none."""
        b, memory = self.b, self.shared.memory
        low, high = self.range(piece)
        if low > high or not memory.all_pieces:
            self.number(piece)
            b.op("drop")
            b.const(-1)
            return
        if low >= 0:
            self.checked(piece, 0, memory.all_pieces)
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", memory.place_of)
            return
        with b.local() as p:
            self.number(piece)
            b.tee(p)
            b.const(0)
            b.op("i32.lt_s")
            with b.when(I32):
                b.const(-1)
                b.otherwise()
                b.get(p)
                if high >= memory.all_pieces:
                    self.check_below(memory.all_pieces)
                b.const(2)
                b.op("i32.shl")
                b.memory("i32.load", memory.place_of)

    # ------------------------------------------------------- pieces at places

    def place_entry(self, place: ir.Expr | int, found: Callable[[], None]) -> None:
        """Push what `found` pushes for the entry of a place (its relative address on the stack), 0 if there
        is no such place."""
        b, memory = self.b, self.shared.memory
        if isinstance(place, int):
            low, high = -1, memory.places
            b.get(place)
        else:
            low, high = self.range(place)
            self.number(place)
        if low >= 0 and high < memory.places:
            b.const(3)
            b.op("i32.shl")
            found()
            return
        with b.local() as p:
            b.tee(p)
            b.const(memory.places)
            b.op("i32.lt_u")
            with b.when(I32):
                b.get(p)
                b.const(3)
                b.op("i32.shl")
                found()
                b.otherwise()
                b.const(0)

    def first_at(self, place: ir.Expr | int) -> None:
        """Push the lowest piece at a place plus 1, or 0."""
        self.place_entry(place, lambda: self.b.memory("i32.load16_u", self.shared.memory.place))

    def last_at(self, place: ir.Expr | int) -> None:
        """Push the uppermost piece at a place plus 1, or 0."""
        self.place_entry(place, lambda: self.b.memory("i32.load16_u", self.shared.memory.place + 2))

    def count_at(self, place: ir.Expr | int) -> None:
        """Push how many pieces lie at a place."""
        self.place_entry(place, lambda: self.b.memory("i32.load16_u", self.shared.memory.place + 4))

    def next_piece(self, piece: int) -> None:
        """Push the piece above (plus 1, or 0); the local holds a piece plus 1."""
        self.b.get(piece)
        self.b.const(1)
        self.b.op("i32.shl")
        self.b.memory("i32.load16_u", self.shared.memory.next - 2)

    # ------------------------------------------------------------------ calls

    def apply(self, function: int, arguments: tuple[ir.Expr, ...]) -> None:
        """Push the value of a function that only computes; a short one is written here."""
        fn = self.shared.program.functions[function]
        body = fn.body[0] if len(fn.body) == 1 else None
        if (
            isinstance(body, ir.Return)
            and body.value is not None
            and self.depth < INLINE_DEPTH
            and function not in self.shared.circular
            and size(body.value) <= INLINE
        ):
            inner = self._inside(function)
            inner.depth = self.depth + 1
            for i, a in enumerate(arguments):
                if isinstance(a, ir.Local) and a.slot in self.bound:
                    inner.bound[i] = self.bound[a.slot]
                    continue
                self.value(a)
                local = self.b.fresh()
                self.b.set(local)
                inner.bound[i] = local
            inner.value(body.value)
            self.allocated += inner.allocated
            return
        self.call_function(function, arguments)

    def _inside(self, function: int) -> Numbers:
        """What writes a function in place of a call."""
        from rulewright.interpreter.wasm.emit_masks import Masked

        return Masked(self.shared, self.b, function)

    def call_function(self, function: int, arguments: tuple[ir.Expr, ...]) -> None:
        """Push what a function that never asks anybody gives back (0 if nothing)."""
        for a in arguments:
            self.value(a)
        if self.shared.program.functions[function].result in ("set", "groups"):
            self.allocated += 1
        self.b.call(function_number(self, function))


def function_number(frame: Frame, function: int) -> int:
    """The number of a function of the rules that never asks anybody."""
    fn = frame.shared.program.functions[function]
    return frame.shared.declare(named(frame, function), (I32,) * fn.parameters)


def named(frame: Frame, function: int) -> str:
    """How a function of the rules is called in the module."""
    return f"{function}: {frame.shared.program.functions[function].name}"


def size(e: ir.Expr) -> int:
    """How many nodes an expression has, up to a few more than `INLINE`."""
    from rulewright.interpreter.walk import every

    n = 0
    for _ in every(e):
        n += 1
        if n > INLINE:
            break
    return n
