"""Instructions: each does what its name says, branches go where their labels are, locals are given back."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.body import F64, MEMORY, OPS, Body
from rulewright.interpreter.wasm.encoder import I32, I64, Module

OF = {"i32": I32, "i64": I64, "f64": F64}


def instance(*bodies: Body) -> host.Instance:
    """A module of some functions, each exported under its name."""
    module = Module(functions=[b.finished() for b in bodies])
    for i, body in enumerate(bodies):
        module.type_index(body.type)
        module.exports.append((body.name, i))
    return host.Instance(host.compiled(module.encoded()))


def wrapped(n: int, bits: int) -> int:
    """A number as so many bits with a sign."""
    n &= (1 << bits) - 1
    return n - (1 << bits) if n >> (bits - 1) else n


def towards_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def clz(n: int, bits: int) -> int:
    return bits - (n & ((1 << bits) - 1)).bit_length()


def ctz(n: int, bits: int) -> int:
    return bits if n == 0 else (n & -n).bit_length() - 1


# What each instruction means, on numbers with a sign; unsigned ones get their numbers below as they need.
TWO: dict[str, Callable[[int, int, int], int]] = {
    "eq": lambda a, b, _: a == b, "ne": lambda a, b, _: a != b,
    "lt_s": lambda a, b, _: a < b, "gt_s": lambda a, b, _: a > b,
    "le_s": lambda a, b, _: a <= b, "ge_s": lambda a, b, _: a >= b,
    "lt_u": lambda a, b, n: a % 2**n < b % 2**n, "gt_u": lambda a, b, n: a % 2**n > b % 2**n,
    "le_u": lambda a, b, n: a % 2**n <= b % 2**n, "ge_u": lambda a, b, n: a % 2**n >= b % 2**n,
    "add": lambda a, b, _: a + b, "sub": lambda a, b, _: a - b, "mul": lambda a, b, _: a * b,
    "div_s": lambda a, b, _: towards_zero(a, b), "rem_s": lambda a, b, _: a - b * towards_zero(a, b),
    "div_u": lambda a, b, n: a % 2**n // (b % 2**n), "rem_u": lambda a, b, n: a % 2**n % (b % 2**n),
    "and": lambda a, b, _: a & b, "or": lambda a, b, _: a | b, "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, n: a << (b % n), "shr_s": lambda a, b, n: a >> (b % n),
    "shr_u": lambda a, b, n: a % 2**n >> (b % n),
    "rotr": lambda a, b, n: (a % 2**n >> (b % n)) | (a << (n - b % n)),
}  # fmt: skip
ONE: dict[str, Callable[[int, int], int]] = {
    "eqz": lambda a, _: a == 0, "clz": clz, "ctz": ctz,
    "popcnt": lambda a, n: (a % 2**n).bit_count(),
}  # fmt: skip
TESTS = {"eq", "ne", "lt_s", "gt_s", "le_s", "ge_s", "lt_u", "gt_u", "le_u", "ge_u", "eqz"}
WHOLE = [name for name in OPS if name[:3] in ("i32", "i64") and name[4:] in (TWO.keys() | ONE.keys())]
OTHERS = {
    "unreachable", "return", "drop", "select", "i32.wrap_i64", "i64.extend_i32_s", "i64.extend_i32_u",
    "f64.lt", "f64.gt", "f64.sqrt", "f64.add", "f64.sub", "f64.mul", "f64.div", "f64.convert_i32_s",
    "f64.convert_i32_u", "f64.convert_i64_s",
}  # fmt: skip


def one_instruction(name: str, parameters: tuple[int, ...], result: int) -> host.Instance:
    body = Body("run", parameters, (result,))
    for i in range(len(parameters)):
        body.get(i)
    body.op(name)
    return instance(body)


def test_every_instruction_is_tested_here() -> None:
    assert set(WHOLE) | OTHERS == set(OPS)


EDGES = st.sampled_from([0, 1, -1, 2, 31, 32, 63, 64, (1 << 31) - 1, -(1 << 31), (1 << 63) - 1, -(1 << 63)])


@pytest.mark.parametrize("name", WHOLE)
def test_an_instruction_on_whole_numbers_does_what_it_says(name: str) -> None:
    kind, op = name.split(".")
    bits = 32 if kind == "i32" else 64
    count = 2 if op in TWO else 1
    runs = one_instruction(name, (OF[kind],) * count, I32 if op in TESTS else OF[kind])
    numbers = (EDGES | st.integers(-(1 << 63), (1 << 63) - 1)).map(lambda n: wrapped(n, bits))

    @settings(max_examples=25)
    @given(numbers, numbers)
    def check(a: int, b: int) -> None:
        if "div" in op or "rem" in op:
            b = b or 1
            if op == "div_s" and (a, b) == (-(1 << (bits - 1)), -1):
                return  # traps: there is no such number
        want = TWO[op](a, b, bits) if count == 2 else ONE[op](a, bits)
        assert runs.call("run", *(a, b)[:count]) == wrapped(int(want), 32 if op in TESTS else bits)

    check()


@pytest.mark.parametrize("name", ["f64.add", "f64.sub", "f64.mul", "f64.div", "f64.lt", "f64.gt"])
def test_an_instruction_on_fractions_does_what_it_says(name: str) -> None:
    meaning: dict[str, Callable[[float, float], float]] = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b, "lt": lambda a, b: a < b, "gt": lambda a, b: a > b,
    }  # fmt: skip
    op = name[4:]
    for a, b in ((1.5, 0.1), (-2.0, 3.0), (0.0, 7.25), (3.0, 3.0)):
        body = Body("run", (), (I32 if op in ("lt", "gt") else F64,))
        body.const_f64(a)
        body.const_f64(b)
        body.op(name)
        assert instance(body).call("run") == meaning[op](a, b)


def test_roots_and_conversions() -> None:
    for name, kind, result, given_, want in (
        ("f64.convert_i32_s", I32, F64, -3, -3.0), ("f64.convert_i32_u", I32, F64, -1, 2.0**32 - 1),
        ("f64.convert_i64_s", I64, F64, -(1 << 40), -(2.0**40)), ("i64.extend_i32_s", I32, I64, -5, -5),
        ("i64.extend_i32_u", I32, I64, -1, (1 << 32) - 1),
        ("i32.wrap_i64", I64, I32, (1 << 40) + 7, 7),
    ):  # fmt: skip
        assert one_instruction(name, (kind,), result).call("run", given_) == want
    body = Body("run", (), (F64,))
    body.const_f64(2.0)
    body.op("f64.sqrt")
    assert instance(body).call("run") == math.sqrt(2)


def test_select_takes_the_first_where_the_number_is_not_zero() -> None:
    runs = one_instruction("select", (I32, I32, I32), I32)
    assert [runs.call("run", 5, 6, n) for n in (1, 0, -1)] == [5, 6, 5]


def test_a_constant_of_64_bits_may_be_meant_as_unsigned() -> None:
    for n in (0, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, -1):
        body = Body("run", (), (I64,))
        body.const64(n)
        assert instance(body).call("run") == wrapped(n, 64)


@pytest.mark.parametrize("name", [n for n in MEMORY if "load" in n])
def test_a_load_reads_what_lies_there(name: str) -> None:
    kind = name[:3]
    body = Body("run", (I32,), (OF[kind],))
    body.get(0)
    body.memory(name, 8)
    runs = instance(body)
    runs.memory[16:24] = struct.pack("<Q", 0x40F0F1F2F3F4F5F6)
    form = {
        "i32.load": "i", "i64.load": "q", "i32.load8_s": "b", "i32.load8_u": "B", "i32.load16_s": "h",
        "i32.load16_u": "H", "f64.load": "d",
    }[name]  # fmt: skip
    assert runs.call("run", 8) == struct.unpack_from("<" + form, runs.memory, 16)[0]


@pytest.mark.parametrize("name", [n for n in MEMORY if "store" in n])
def test_a_store_writes_as_many_bytes_as_it_says(name: str) -> None:
    kind = name[:3]
    body = Body("run", (), (I32,))
    body.const(8)
    if kind == "f64":
        body.const_f64(struct.unpack("<d", struct.pack("<Q", 0x40F0F1F2F3F4F5F6))[0])
    elif kind == "i64":
        body.const64(0x40F0F1F2F3F4F5F6)
    else:
        body.const(wrapped(0xF3F4F5F6, 32))
    body.memory(name, 8)
    body.const(0)
    runs = instance(body)
    runs.call("run")
    size = {"i32.store": 4, "i64.store": 8, "i32.store8": 1, "i32.store16": 2, "f64.store": 8}[name]
    written = struct.pack("<Q", 0x40F0F1F2F3F4F5F6)[:size]
    assert bytes(runs.memory[15:25]) == b"\0" + written + bytes(9 - size)


# ------------------------------------------------------------------- control


def test_branches_go_to_their_labels_however_deep_they_stand() -> None:
    body = Body("run", (I32,), (I32,))
    with body.block() as far:
        with body.block() as near:
            with body.block() as nearest:
                body.get(0)
                body.to_table([nearest, near], far)
            body.const(10)
            body.op("return")
        body.const(20)
        body.op("return")
    body.const(30)
    runs = instance(body)
    assert [runs.call("run", n) for n in (0, 1, 2, 99, -1)] == [10, 20, 30, 30, 30]


def test_a_loop_begins_anew_at_its_label_and_a_block_ends_there() -> None:
    body = Body("sum", (I32,), (I32,))
    total = body.fresh()
    with body.block() as out, body.loop() as again:
        body.get(0)
        body.to_unless(out)
        body.get(total)
        body.get(0)
        body.op("i32.add")
        body.set(total)
        body.get(0)
        body.const(1)
        body.op("i32.sub")
        body.tee(0)
        body.to_if(again)
    body.get(total)
    runs = instance(body)
    assert [runs.call("sum", n) for n in (0, 1, 2, 10)] == [0, 1, 3, 55]


def test_when_and_otherwise() -> None:
    body = Body("run", (I32,), (I32,))
    body.get(0)
    with body.when(I32):
        body.const(7)
        body.otherwise()
        body.const(8)
    runs = instance(body)
    assert [runs.call("run", n) for n in (1, 0, -3)] == [7, 8, 7]


def test_a_call_finds_the_function_by_its_number() -> None:
    one, other = Body("one", (I32,), (I32,)), Body("other", (I32,), (I32,))
    one.get(0)
    one.call(1)
    other.get(0)
    other.const(1)
    other.op("i32.add")
    assert instance(one, other).call("one", 4) == 5


def test_an_open_block_is_refused() -> None:
    body = Body("leaky")
    with pytest.raises(ValueError, match="leaky"), body.block():
        body.finished()


def test_what_is_inserted_runs_at_its_place() -> None:
    body = Body("run", (), (I32,))
    local = body.fresh()
    mark = body.mark()
    body.get(local)
    extra = Body("")
    extra.const(12)
    extra.set(local)
    body.insert(mark, extra.chunks)
    assert instance(body).call("run") == 12


# -------------------------------------------------------------------- locals


def test_a_local_that_was_given_back_is_taken_again_by_its_kind() -> None:
    body = Body("f", (I32, I32))
    first, wide = body.new(), body.new(I64)
    assert (first, wide) == (2, 3)
    body.free(first, wide)
    assert body.new(I64) == wide and body.new() == first
    assert body.kinds == [I32, I64]


def test_a_fresh_local_is_never_one_that_was_used() -> None:
    body = Body("f")
    with body.local() as used:
        pass
    assert body.fresh() != used and body.new() == used


def test_two_locals_at_a_time_are_two() -> None:
    body = Body("f")
    with body.local() as one, body.local() as other:
        assert one != other


@pytest.mark.parametrize("size", [*range(4, 44, 4), 252, 256, 260, 1024])
def test_zeros_clears_as_many_bytes_as_it_is_told(size: int) -> None:
    body = Body("run", (I32,), (I32,))
    body.zeros(0, size)
    body.const(0)
    runs = instance(body)
    runs.memory[:2048] = b"\xff" * 2048
    runs.call("run", 64)
    assert bytes(runs.memory[:2048]) == b"\xff" * 64 + bytes(size) + b"\xff" * (2048 - 64 - size)


def test_bytes_are_copied_and_filled() -> None:
    body = Body("run", (), (I32,))
    for n in (100, 0, 5):
        body.const(n)
    body.memory_copy()
    for n in (110, 7, 3):
        body.const(n)
    body.memory_fill()
    body.const(0)
    runs = instance(body)
    runs.memory[:6] = b"abcdef"
    runs.call("run")
    assert bytes(runs.memory[98:115]) == b"\0\0abcde\0\0\0\0\0\7\7\7\0\0"
