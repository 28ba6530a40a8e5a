"""The bytes of a module: numbers, locals, names; wasmtime takes what comes out, and nothing damaged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.encoder import I32, I64, Code, FunctionType, Module, signed, unsigned
from rulewright.tests.interpreter.wasm.modules import GAMES, HAND, fast, trap_of


def read_unsigned(data: bytes, at: int = 0) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


def read_signed(data: bytes) -> tuple[int, int]:
    value, end = read_unsigned(data)
    return (value - (1 << (7 * end)) if data[end - 1] & 0x40 else value), end


# The first of each are the examples of the DWARF standard, in which LEB128 is described.
@pytest.mark.parametrize(
    ("n", "data"),
    [(2, "02"), (127, "7f"), (128, "8001"), (129, "8101"), (12857, "b964"), (0, "00"), (624485, "e58e26")],
)
def test_known_unsigned_numbers(n: int, data: str) -> None:
    assert unsigned(n).hex() == data


@pytest.mark.parametrize(
    ("n", "data"),
    [
        (2, "02"), (-2, "7e"), (127, "ff00"), (-127, "817f"), (128, "8001"), (-128, "807f"), (129, "8101"),
        (-129, "ff7e"), (0, "00"), (-1, "7f"), (63, "3f"), (64, "c000"), (-64, "40"), (-123456, "c0bb78"),
    ],
)  # fmt: skip
def test_known_signed_numbers(n: int, data: str) -> None:
    assert signed(n).hex() == data


@given(st.integers(0, (1 << 64) - 1))
def test_unsigned_numbers_can_be_read_again(n: int) -> None:
    data = unsigned(n)
    assert read_unsigned(data) == (n, len(data))
    assert len(data) == max(1, -(-n.bit_length() // 7))  # not a byte more than it needs


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_signed_numbers_can_be_read_again(n: int) -> None:
    data = signed(n)
    assert read_signed(data) == (n, len(data))
    assert len(data) == ((n if n >= 0 else ~n).bit_length() + 1 + 6) // 7


def test_equal_locals_that_stand_together_are_written_once() -> None:
    code = Code("f", FunctionType((), ()), [I32, I32, I64, I32])
    assert code.encoded().hex() == "08" + "03" + "027f" + "017e" + "017f" + "0b"


def test_a_type_is_listed_once() -> None:
    module = Module()
    one, other = FunctionType((I32,), (I32,)), FunctionType((), (I64,))
    assert [module.type_index(t) for t in (one, other, FunctionType((I32,), (I32,)))] == [0, 1, 0]


def sections(module: bytes) -> dict[int, bytes]:
    """The sections of a module by number; the numbers of those that are no custom ones must rise."""
    assert module[:8] == b"\0asm\1\0\0\0"
    at, found = 8, {}
    while at < len(module):
        number = module[at]
        size, begin = read_unsigned(module, at + 1)
        assert number not in found
        found[number] = module[begin : begin + size]
        at = begin + size
    assert at == len(module) and [n for n in found if n] == sorted(n for n in found if n)
    return found


def names(content: bytes) -> list[str]:
    """The names of functions that the name section gives."""
    assert content[:5] == b"\x04name"
    assert content[5] == 1
    size, at = read_unsigned(content, 6)
    assert at + size == len(content)
    count, at = read_unsigned(content, at)
    found = []
    for i in range(count):
        number, at = read_unsigned(content, at)
        length, at = read_unsigned(content, at)
        assert number == i
        found.append(content[at : at + length].decode())
        at += length
    assert at == len(content)
    return found


def test_the_name_section_names_every_function_of_the_rules() -> None:
    f = fast("hand_dice_game")
    parts = sections(f.built.module)
    found = names(parts[0])
    assert len(found) == read_unsigned(parts[10])[0] == read_unsigned(parts[3])[0]
    for i, function in enumerate(f.code.program.functions):
        assert f"{i}: {function.name}" in found


def test_a_trap_names_the_function() -> None:
    body = Body("17: façade of doom", (), (I32,))
    body.op("unreachable")
    module = Module(functions=[body.finished()], exports=[("run", 0)])
    module.type_index(body.type)
    instance = host.Instance(host.compiled(module.encoded()))
    assert "17: façade of doom" in trap_of(lambda: instance.call("run"))


@pytest.mark.parametrize("game", [*GAMES, *HAND])
def test_every_module_is_valid(game: str) -> None:
    host.wasmtime.Module.validate(host.engine(), fast(game).built.module)


def test_a_damaged_module_is_not_valid() -> None:
    module = bytearray(fast("hand_dice_game").built.module)
    body = Module(functions=[Code("f", FunctionType((), (I32,)))]).encoded()  # gives no number
    for data in (bytes(module[:-1]), body):
        with pytest.raises(host.wasmtime.WasmtimeError):
            host.wasmtime.Module.validate(host.engine(), data)


@pytest.mark.parametrize("game", [*GAMES, *HAND])
def test_no_module_asks_for_anything_outside(game: str) -> None:
    parts = sections(fast(game).built.module)
    assert 2 not in parts  # imports
    count, at = read_unsigned(parts[5])
    limits, at = parts[5][at], at + 1
    low, at = read_unsigned(parts[5], at)
    high, _ = read_unsigned(parts[5], at)
    assert (count, limits) == (1, 1) and low == high  # one memory that never grows
