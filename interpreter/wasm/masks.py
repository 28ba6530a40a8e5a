"""Masks: sets of spaces as bits, kept up to date while pieces move.

Comes in: a program. Goes out: for each board of at most 128 spaces that is worth it, which of its spaces hold
anything, and which hold a piece with a certain value (of a table or a variable over pieces) that conditions
of the rules ask for. What never happens: a mask that does not say what the lists of pieces say.

A mask is one word of 64 bits or two; bit i stands for the space `first + i`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.interpreter import ir
from rulewright.interpreter.walk import every, slots_read
from rulewright.interpreter.wasm.ranges import Ranges

LARGEST_BOARD = 128  # spaces
MOST_VALUES = 16  # of an attribute

Attribute = tuple[str, int]  # "table" or "variable", and its number


@dataclass(frozen=True, slots=True)
class Kept:
    """The masks of one board: first of occupied spaces, then for each attribute one for each value.

    `at` is an address; `values` are (attribute, lowest value, number of values).
    """

    board: int
    first: int
    spaces: int
    words: int
    at: int
    values: tuple[tuple[Attribute, int, int], ...]

    @property
    def count(self) -> int:
        """How many masks there are."""
        return 1 + sum(n for _, _, n in self.values)

    def address(self, mask: int) -> int:
        """Where a mask lies, by its number."""
        return self.at + 8 * self.words * mask

    def of(self, attribute: Attribute) -> tuple[int, int, int] | None:
        """The number of the first mask of an attribute, its lowest value, how many values."""
        number = 1
        for found, low, n in self.values:
            if found == attribute:
                return number, low, n
            number += n
        return None


@dataclass(frozen=True, slots=True)
class Shift:
    """Steps in one direction as a shift of bits: a step adds `by` to the number of a space; `begins` are the
    spaces from which there is one; `longest` is the longest way in this direction, in steps."""

    by: int
    begins: int
    longest: int


def shift_of(board: ir.BoardInfo, direction: int) -> Shift | None:
    """The steps of a board in a direction as a shift; None if they are none."""
    steps = board.steps[direction]
    differences = {to - at for at, to in enumerate(steps) if to >= 0}
    if not differences:
        return Shift(0, 0, 0)
    if len(differences) != 1 or 0 in differences:
        return None
    (by,) = differences
    if not -64 < by < 64:
        return None
    begins = sum(1 << at for at, to in enumerate(steps) if to >= 0)
    longest, ways = 0, begins
    while ways:
        longest += 1
        ways &= ways >> by if by > 0 else ways << -by
    return Shift(by, begins, longest)


def any_lying(e: ir.Expr) -> tuple[ir.Expr, Attribute, ir.Expr] | None:
    """(place, attribute, value) of a condition `any piece at a place where ATTRIBUTE of it is VALUE`."""
    match e:
        case ir.Quantifier("any", slot, ir.Contents(place, False), ir.Binary("==", left, right)):
            attribute = attribute_of(left, slot)
            if attribute is not None and slot not in slots_read(right):
                return place, attribute, right
        case _:
            pass
    return None


def attribute_of(e: ir.Expr, slot: int) -> Attribute | None:
    """The attribute that an expression reads from the piece in a slot, if it does nothing else."""
    match e:
        case ir.At(table, ir.Local(at)) if at == slot:
            return "table", table
        case ir.Load(var, ir.Local(at)) if at == slot:
            return "variable", var
        case _:
            return None


def wanted(program: ir.Program) -> set[Attribute]:
    """The attributes that conditions ask for."""
    found: set[Attribute] = set()
    for node in nodes(program):
        lying = any_lying(node) if isinstance(node, ir.Quantifier) else None
        if lying is not None:
            found.add(lying[1])
        match node:
            case ir.Linked(_, slot, _, ir.Binary("==", left, _), None):
                attribute = attribute_of(left, slot)
                found |= {attribute} if attribute is not None else set()
            case _:
                pass
    return found


def nodes(program: ir.Program) -> Iterator[object]:
    """Every node of the functions and decisions of a program."""
    for f in program.functions:
        for st in f.body:
            yield from every(st)
    for d in program.decisions:
        yield from every(d)


def planned(
    program: ir.Program, ranges: Ranges
) -> list[tuple[int, int, tuple[tuple[Attribute, int, int], ...]]]:
    """(board, words, values) for each board of which masks are kept."""
    pieces = len(program.pieces)
    values: list[tuple[Attribute, int, int]] = []
    for attribute in sorted(wanted(program)):
        kind, number = attribute
        if kind == "table":
            data = program.tables[number]
            if data.base != 0 or len(data.data) < pieces or not all(isinstance(v, int) for v in data.data):
                continue
            low, high = ranges.table(number)
        else:
            v = program.variables[number]
            if v.kind != "number" or v.cells < pieces or len(v.index) != 1:
                continue
            low, high = ranges.variable(number)
        if pieces and 0 < high - low + 1 <= MOST_VALUES:
            values.append((attribute, low, high - low + 1))
    return [
        (i, -(-b.width * b.height // 64), tuple(values))
        for i, b in enumerate(program.boards)
        if not b.unbounded and b.width * b.height <= LARGEST_BOARD
    ]
