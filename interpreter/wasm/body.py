"""Body: the instructions of one function, written one after the other.

Comes in: calls that each write one instruction. Goes out: `Code` for the encoder. Labels are objects, so
that a branch never counts blocks by hand; locals are taken and given back. What never happens: a block that
is left open, or a branch to a label that is not around it.
To add an instruction: its byte in `OPS`, written with `op`, or a method if it has operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from struct import pack

from rulewright.interpreter.wasm.encoder import I32, Code, FunctionType, signed, unsigned

OPS = {
    "unreachable": 0x00, "return": 0x0F, "drop": 0x1A, "select": 0x1B,
    "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4A,
    "i32.gt_u": 0x4B, "i32.le_s": 0x4C, "i32.le_u": 0x4D, "i32.ge_s": 0x4E, "i32.ge_u": 0x4F,
    "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53, "i64.lt_u": 0x54, "i64.gt_s": 0x55,
    "i64.ge_s": 0x59, "f64.lt": 0x63, "f64.gt": 0x64, "i32.clz": 0x67,
    "i32.ctz": 0x68, "i32.popcnt": 0x69, "i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C,
    "i32.div_s": 0x6D, "i32.div_u": 0x6E, "i32.rem_s": 0x6F, "i32.rem_u": 0x70, "i32.and": 0x71,
    "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_s": 0x75, "i32.shr_u": 0x76,
    "i64.clz": 0x79, "i64.ctz": 0x7A, "i64.popcnt": 0x7B, "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E,
    "i64.div_u": 0x80, "i64.rem_u": 0x82, "i64.rotr": 0x8A,
    "i64.and": 0x83, "i64.or": 0x84, "i64.xor": 0x85, "i64.shl": 0x86, "i64.shr_s": 0x87, "i64.shr_u": 0x88,
    "f64.sqrt": 0x9F, "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2, "f64.div": 0xA3,
    "i32.wrap_i64": 0xA7, "i64.extend_i32_s": 0xAC, "i64.extend_i32_u": 0xAD,
    "f64.convert_i32_s": 0xB7, "f64.convert_i32_u": 0xB8, "f64.convert_i64_s": 0xB9,
}  # fmt: skip
# Loads and stores: (byte, alignment as a power of two).
MEMORY = {
    "i32.load": (0x28, 2), "i64.load": (0x29, 3), "i32.load8_s": (0x2C, 0), "i32.load8_u": (0x2D, 0),
    "i32.load16_s": (0x2E, 1), "i32.load16_u": (0x2F, 1), "i32.store": (0x36, 2), "i64.store": (0x37, 3),
    "i32.store8": (0x3A, 0), "i32.store16": (0x3B, 1), "f64.load": (0x2B, 3), "f64.store": (0x39, 3),
}  # fmt: skip
F64 = 0x7C
_ENCODED = {name: bytes([byte]) for name, byte in OPS.items()}


@dataclass(slots=True, eq=False)
class Label:
    """A place to branch to: the end of a block, or the beginning of a loop."""

    depth: int


class Body:
    """One function under construction."""

    def __init__(self, name: str, parameters: tuple[int, ...] = (), results: tuple[int, ...] = ()) -> None:
        self.name = name
        self.type = FunctionType(parameters, results)
        self.chunks: list[bytes] = []
        self.kinds: list[int] = []  # of the locals behind the parameters
        self.depth = 0
        self._free: dict[int, list[int]] = {}

    # ---------------------------------------------------------------- locals

    def new(self, kind: int = I32) -> int:
        """A local that nobody uses."""
        free = self._free.get(kind)
        if free:
            return free.pop()
        return self.fresh(kind)

    def fresh(self, kind: int = I32) -> int:
        """A local that nobody has used before: 0 at first."""
        self.kinds.append(kind)
        return len(self.type.parameters) + len(self.kinds) - 1

    def free(self, *locals_: int) -> None:
        """Give locals back."""
        for number in locals_:
            at = number - len(self.type.parameters)
            self._free.setdefault(self.kinds[at], []).append(number)

    @contextmanager
    def local(self, kind: int = I32) -> Iterator[int]:
        """A local for a while."""
        number = self.new(kind)
        yield number
        self.free(number)

    # ---------------------------------------------------------- instructions

    def op(self, *names: str) -> None:
        """Instructions without operands."""
        for name in names:
            self.chunks.append(_ENCODED[name])

    def const(self, n: int) -> None:
        """A number of 32 bits."""
        self.chunks.append(b"\x41" + signed(n))

    def const64(self, n: int) -> None:
        """A number of 64 bits; one from 2**63 on is meant as unsigned."""
        self.chunks.append(b"\x42" + signed(n - (1 << 64) if n >= 1 << 63 else n))

    def const_f64(self, x: float) -> None:
        """A number with a fraction."""
        self.chunks.append(b"\x44" + pack("<d", x))

    def get(self, local: int) -> None:
        """Read a local."""
        self.chunks.append(b"\x20" + unsigned(local))

    def set(self, local: int) -> None:
        """Write a local."""
        self.chunks.append(b"\x21" + unsigned(local))

    def tee(self, local: int) -> None:
        """Write a local and keep the value."""
        self.chunks.append(b"\x22" + unsigned(local))

    def global_get(self, number: int) -> None:
        """Read a global."""
        self.chunks.append(b"\x23" + unsigned(number))

    def global_set(self, number: int) -> None:
        """Write a global."""
        self.chunks.append(b"\x24" + unsigned(number))

    def memory(self, name: str, offset: int = 0) -> None:
        """A load or a store at the address on the stack plus `offset`."""
        byte, align = MEMORY[name]
        self.chunks.append(bytes([byte, align]) + unsigned(offset))

    def call(self, function: int) -> None:
        """Call a function by its number."""
        self.chunks.append(b"\x10" + unsigned(function))

    def call_indirect(self, type_index: int) -> None:
        """Call the function of the table whose place is on the stack."""
        self.chunks.append(b"\x11" + unsigned(type_index) + b"\x00")

    def memory_copy(self) -> None:
        """Copy bytes: to, from, how many."""
        self.chunks.append(b"\xfc\x0a\x00\x00")

    def memory_fill(self) -> None:
        """Fill bytes: at, value, how many."""
        self.chunks.append(b"\xfc\x0b\x00")

    def zeros(self, at: int, size: int) -> None:
        """Write 0 into so many bytes (a multiple of 4) from the address in a local on."""
        if size > 256:
            self.get(at)
            self.const(0)
            self.const(size)
            self.memory_fill()
            return
        for offset in range(0, size - 4, 8):
            self.get(at)
            self.const64(0)
            self.memory("i64.store", offset)
        if size % 8:
            self.get(at)
            self.const(0)
            self.memory("i32.store", size - 4)

    # --------------------------------------------------------------- control

    def _open(self, byte: int, result: int | None) -> Label:
        self.chunks.append(bytes([byte, 0x40 if result is None else result]))
        self.depth += 1
        return Label(self.depth)

    def end(self) -> None:
        """Close the innermost block."""
        self.chunks.append(b"\x0b")
        self.depth -= 1

    @contextmanager
    def block(self, result: int | None = None) -> Iterator[Label]:
        """A block; a branch to its label leaves it."""
        label = self._open(0x02, result)
        yield label
        self.end()

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """A loop; a branch to its label begins it anew, else it is left at its end."""
        label = self._open(0x03, None)
        yield label
        self.end()

    @contextmanager
    def when(self, result: int | None = None) -> Iterator[Label]:
        """What happens if the number on the stack is not 0."""
        label = self._open(0x04, result)
        yield label
        self.end()

    def otherwise(self) -> None:
        """The other part of `when`."""
        self.chunks.append(b"\x05")

    def to(self, label: Label) -> None:
        """Branch."""
        self.chunks.append(b"\x0c" + unsigned(self.depth - label.depth))

    def to_if(self, label: Label) -> None:
        """Branch if the number on the stack is not 0."""
        self.chunks.append(b"\x0d" + unsigned(self.depth - label.depth))

    def to_unless(self, label: Label) -> None:
        """Branch if the number on the stack is 0."""
        self.op("i32.eqz")
        self.to_if(label)

    def to_table(self, labels: list[Label], usual: Label) -> None:
        """Branch to the label whose place is on the stack, or to the usual one."""
        targets = b"".join(unsigned(self.depth - label.depth) for label in labels)
        self.chunks.append(b"\x0e" + unsigned(len(labels)) + targets + unsigned(self.depth - usual.depth))

    # ------------------------------------------------------------ in between

    def mark(self) -> int:
        """The place where the next instruction will stand."""
        return len(self.chunks)

    def insert(self, mark: int, instructions: list[bytes]) -> None:
        """Write instructions at an earlier place (of the same block)."""
        self.chunks[mark:mark] = instructions

    def finished(self) -> Code:
        """The function as the encoder wants it. Raises ValueError if a block is open."""
        if self.depth:
            raise ValueError(f"{self.name} has an open block")
        return Code(self.name, self.type, list(self.kinds), b"".join(self.chunks))
