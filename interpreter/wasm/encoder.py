"""Encoder: a WebAssembly module as bytes.

Comes in: function types, bodies, globals, one memory with data, exports. Goes out: the binary format of the
WebAssembly Core Specification, version 2.0 (W3C 2022), chapter 5, with the name section of its appendix, so
that a trap names functions of the rules. What never happens: an import: a module can reach nothing outside.
To add a section: its number and its content in `Module.encoded`, in the order of the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

I32, I64 = 0x7F, 0x7E
PAGE = 65536  # bytes
_MAGIC = b"\x00asm\x01\x00\x00\x00"


def unsigned(n: int) -> bytes:
    """An unsigned number in LEB128."""
    out = bytearray()
    while True:
        low = n & 0x7F
        n >>= 7
        if n:
            out.append(low | 0x80)
        else:
            out.append(low)
            return bytes(out)


def signed(n: int) -> bytes:
    """A signed number in LEB128."""
    out = bytearray()
    while True:
        low = n & 0x7F
        n >>= 7
        if (n == 0 and not low & 0x40) or (n == -1 and low & 0x40):
            out.append(low)
            return bytes(out)
        out.append(low | 0x80)


def vector(items: Sequence[bytes]) -> bytes:
    """How many, then one after the other."""
    return unsigned(len(items)) + b"".join(items)


def text(s: str) -> bytes:
    """A name."""
    data = s.encode("utf-8")
    return unsigned(len(data)) + data


@dataclass(frozen=True, slots=True)
class FunctionType:
    """Types of parameters and results (`I32`, `I64`)."""

    parameters: tuple[int, ...]
    results: tuple[int, ...]

    def encoded(self) -> bytes:
        """The type as in the type section."""
        return (
            b"\x60"
            + unsigned(len(self.parameters))
            + bytes(self.parameters)
            + (unsigned(len(self.results)) + bytes(self.results))
        )


@dataclass(slots=True)
class Code:
    """One function: the types of its locals behind the parameters, and its instructions without `end`."""

    name: str
    type: FunctionType
    locals: list[int] = field(default_factory=list)
    instructions: bytes = b""

    def encoded(self) -> bytes:
        """The function as in the code section; equal locals that stand together are written once."""
        runs: list[list[int]] = []
        for kind in self.locals:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1
            else:
                runs.append([1, kind])
        body = vector([unsigned(n) + bytes([kind]) for n, kind in runs]) + self.instructions + b"\x0b"
        return unsigned(len(body)) + body


@dataclass(slots=True)
class Module:
    """A module under construction. `table` lists the functions that can be called by number; `functions`,
    `globals` (type, first value) and `data` (address, bytes) are in order; the memory has `pages` pages and
    never grows.
    """

    pages: int = 1
    functions: list[Code] = field(default_factory=list)
    globals: list[tuple[int, int, str]] = field(default_factory=list)
    data: list[tuple[int, bytes]] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    exports: list[tuple[str, int]] = field(default_factory=list)
    _types: dict[FunctionType, int] = field(default_factory=dict)

    def type_index(self, t: FunctionType) -> int:
        """The number of a type, listed once."""
        return self._types.setdefault(t, len(self._types))

    def encoded(self) -> bytes:
        """The module as bytes."""
        kinds = [unsigned(self.type_index(f.type)) for f in self.functions]
        sections = [
            (1, vector([t.encoded() for t in self._types])),
            (3, vector(kinds)),
            (4, vector([b"\x70\x00" + unsigned(len(self.table))]) if self.table else b""),
            (5, vector([b"\x01" + unsigned(self.pages) + unsigned(self.pages)])),
            (6, vector([_global(kind, value) for kind, value, _ in self.globals])),
            (7, self._exports()),
            (9, self._elements()),
            (10, vector([f.encoded() for f in self.functions])),
            (11, vector([b"\x00\x41" + signed(at) + b"\x0b" + unsigned(len(d)) + d for at, d in self.data])),
            (0, self._names()),
        ]
        return _MAGIC + b"".join(
            bytes([number]) + unsigned(len(content)) + content for number, content in sections if content
        )

    def _exports(self) -> bytes:
        out = [text(name) + b"\x00" + unsigned(number) for name, number in self.exports]
        return vector([*out, text("memory") + b"\x02\x00"])

    def _elements(self) -> bytes:
        if not self.table:
            return b""
        return vector([b"\x00\x41\x00\x0b" + vector([unsigned(f) for f in self.table])])

    def _names(self) -> bytes:
        functions = vector([unsigned(i) + text(f.name) for i, f in enumerate(self.functions)])
        return text("name") + b"\x01" + unsigned(len(functions)) + functions


def _global(kind: int, value: int) -> bytes:
    return bytes([kind, 1, 0x41 if kind == I32 else 0x42]) + signed(value) + b"\x0b"
