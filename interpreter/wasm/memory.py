"""Memory: where everything of a program lies in the linear memory of its module.

Comes in: a program, and what its slots hold. Goes out: addresses, all fixed before play: no memory is ever
taken from anybody at run time. What never happens: a pointer into another game, or memory that grows.

From below: constants; the frames of what is under way; the state proper (what a copy of a match copies:
header, counters of chance, phases, values, pieces, places), in the midst of it the spaces of unbounded
boards, which follow from where the pieces are and are put right after a copy; two halves of a heap for the
sets that values and frames hold, of which one is in use; then room that no match needs between two decisions:
options, temporary sets, what an enumeration remembers, saved matches.

Sets are never changed once made: a set is the address of `[how many, value …]`, 32 bits each. Temporary ones
lie in the arena and are copied to the heap when something keeps them. Lists of pieces are linked: for each
place its first and last piece, for each piece the next and the one before, all plus 1, so that 0 is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.interpreter.link import Code
from rulewright.interpreter.wasm.masks import Attribute, Kept

CONSTANTS = 1 << 22  # bytes for constants, of which a module holds those that there are
SPARE = 64  # words of the state for what tests remember
Plan = list[tuple[int, int, tuple[tuple[Attribute, int, int], ...]]]
OPTIONS = 1 << 21  # bytes for the options of one decision
ARENA = 1 << 22  # for temporary sets
MEMO = 1 << 22  # for sets that an enumeration remembers
HEAP = 1 << 19  # each half
RESULTS = 1 << 20  # what goes out of a batch, and what comes in
FRAME_HEAD = 16  # function, place in its code, address for the result, frame below
DEPTH_OF_PHASES = 64
# The header of the state: addresses relative to its beginning.
TOP, NEWS, PHASES, WINNERS, HEAP_BASE, HEAP_TOP = 0, 4, 8, 12, 16, 20
HEADER = 32
PLACE = 8  # bytes a place: first, last, how many
USED = ("TOP", "NEWS", "PHASES", "WINNERS", "HEAP_BASE", "HEAP_TOP")


class TooLarge(Exception):
    """The program cannot be emitted; the text says why. The reference machine runs it."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where an array lies, and how wide its items are (as loads name them)."""

    at: int
    load: str
    store: str
    size: int


def narrow(values: Iterable[int]) -> Field:
    """A field (not placed yet) wide enough for all the values."""
    found = list(values)
    low, high = min(found, default=0), max(found, default=0)
    if low >= 0 and high < 256:
        return Field(0, "i32.load8_u", "i32.store8", 1)
    if low >= -(1 << 15) and high < 1 << 15:
        return Field(0, "i32.load16_s", "i32.store16", 2)
    return Field(0, "i32.load", "i32.store", 4)


class Memory:
    """The addresses of one program."""

    def __init__(self, code: Code, frames: int, plan: Plan) -> None:
        program, layout = code.program, code.layout
        self.code = code
        self.data: list[tuple[int, bytes]] = []
        self._constants = 64
        self._next = CONSTANTS
        self._sets: dict[tuple[int, ...], int] = {}
        self.pieces = len(program.pieces)
        self.all_pieces = self.pieces + len(program.stand_ins)
        self.places = layout.places
        self.empty = self.constant_set(())
        self.tables: list[Field] = [self._table(t.data) for t in program.tables]
        self._align(64)
        self.frames = self._take(frames)
        self.state = self._align(64)
        self._take(HEADER)
        self.counters = self._take(8 * len(program.streams))
        self.phases = self._take(4 * DEPTH_OF_PHASES)
        self.vars = self._take(4 * len(layout.initial))
        self.place_of = self._take(4 * self.all_pieces)
        self.next = self._take(2 * self.pieces)
        self.previous = self._take(2 * self.pieces)
        self.known = self._take(4 * self.pieces)
        self.kept = [self._kept(*planned) for planned in plan]
        self._spare = self._take(8 * SPARE)
        self._spare_end = self._spare + 8 * SPARE
        self._align(8)
        self.place = self._next
        ends = [(first, end) for first, end, _ in layout.unbounded]
        self.grid = (min(f for f, _ in ends), max(e for _, e in ends)) if ends else (self.places, self.places)
        self._take(PLACE * self.places)
        # What a copy copies: (address, size), each a multiple of 8.
        self.copied = [(self.state, self.place + PLACE * self.grid[0] - self.state)]
        if self.grid[1] < self.places:
            self.copied.append((self.place + PLACE * self.grid[1], PLACE * (self.places - self.grid[1])))
        self._align(64)
        self.heaps = (self._take(HEAP), self._take(HEAP))
        self.image = self._constant_room(sum(size for _, size in self.copied))
        self.starts = self._take(8 * max(1, len(program.streams)))
        self.options = self._take(OPTIONS)
        self.arena = self._take(ARENA)
        self.memo = self._take(MEMO)
        self.results = self._take(RESULTS)
        self.end = self._align(64)

    def _align(self, to: int) -> int:
        self._next = -(-self._next // to) * to
        return self._next

    def _take(self, size: int, align: int = 8) -> int:
        at = self._align(align)
        self._next += size
        return at

    def _constant_room(self, size: int) -> int:
        """Room among the constants, which lie together so that a module stays small."""
        at = self._constants
        self._constants = -(-(at + size) // 8) * 8
        if self._constants > CONSTANTS:
            raise TooLarge(f"tables and sets of {self._constants} bytes are too much")
        return at

    def _kept(self, board: int, words: int, values: tuple[tuple[Attribute, int, int], ...]) -> Kept:
        b = self.code.program.boards[board]
        at = self._take(8 * words * (1 + sum(n for _, _, n in values)))
        return Kept(board, b.first, b.width * b.height, words, at, values)

    def spare(self, count: int) -> int | None:
        """Words of 64 bits in the state proper, 0 at first, for what a part of the machine keeps; None if
        there are no more."""
        at = self._spare
        if at + 8 * count > self._spare_end:
            return None
        self._spare += 8 * count
        return at

    def room(self, size: int) -> int:
        """Room behind all else, for a part of the machine that needs some."""
        at = self._take(size, 64)
        self.end = self._align(64)
        return at

    # ------------------------------------------------------------- constants

    def constant_set(self, items: tuple[int, ...]) -> int:
        """The address of a constant set, written once. Only while constants are laid out."""
        found = self._sets.get(items)
        if found is None:
            found = self._sets[items] = self._constant_room(4 * len(items) + 4)
            self.data.append((found, words([len(items), *items])))
        return found

    def constant(self, values: list[int]) -> Field:
        """A constant array of numbers."""
        width = narrow(values)
        at = self._constant_room(width.size * len(values))
        self.data.append((at, b"".join(_item(v, width.size) for v in values)))
        return Field(at, width.load, width.store, width.size)

    def constant_bytes(self, data: bytes) -> int:
        """Constant bytes as they are."""
        at = self._constant_room(len(data))
        self.data.append((at, data))
        return at

    def _table(self, data: tuple[int, ...] | tuple[tuple[int, ...], ...]) -> Field:
        return self.constant([self.constant_set(row) if isinstance(row, tuple) else row for row in data])


def words(values: list[int]) -> bytes:
    """Numbers of 32 bits as bytes."""
    return b"".join(_item(v, 4) for v in values)


def _item(value: int, size: int) -> bytes:
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")
