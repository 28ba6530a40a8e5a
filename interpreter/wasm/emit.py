"""Emit: what all emitted functions share, and where the slots of one function are.

Comes in: a linked program. Goes out: `Shared` with the addresses, ranges and numbers of functions, and
`Frame`, which reads and writes slots. What never happens: a function that is called before it has a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rulewright.interpreter import ir
from rulewright.interpreter.link import Code, mask
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.encoder import I32, I64, FunctionType, Module
from rulewright.interpreter.wasm.inline import FRESH, Inliner
from rulewright.interpreter.wasm.masks import Kept, planned
from rulewright.interpreter.wasm.memory import FRAME_HEAD, HEAP, Memory
from rulewright.interpreter.wasm.ranges import GROUPS, NUMBER, SET, Range, Ranges

CHOICES = (ir.ChooseAction, ir.ChooseOne, ir.ChooseSome, ir.ChooseTogether)
DONE, SUSPENDED, OVER = 0, 1, 2  # what a function that may choose gives back
RECURSION = 1 << 16  # bytes for frames where calls can go round in circles
NESTED_CALLS = 250  # how deep calls that go round in circles may lie before the other machine takes over
STEPS = 500_000  # the budget of steps: less than that of the reference machine, which decides beyond it


class Shared:
    """The program being emitted. Functions get numbers when they are first named."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program
        self.ranges = Ranges(code.program, code.layout.places)
        self.module = Module()
        self.bodies: list[Body | None] = []
        self.numbers: dict[str, int] = {}
        self._todo: list[Callable[[], None]] = []
        self.choosing = _choosing(self.program)
        self.circular = _circular(self.program)
        self.sizes = [FRAME_HEAD + 4 * code.slots(f) for f in range(len(self.program.functions))]
        self.inliner = Inliner(self.program, self.ranges, self.circular)
        self.memory = Memory(code, self._room_for_frames(), planned(self.program, self.ranges))
        self.kept, self.heap = self.memory.kept, HEAP
        self._rows: dict[tuple[int, int], int] = {}
        self.line_tests: list[LineTest] = []
        self.globals: dict[str, int] = {}
        for name, start in (
            ("top", self.memory.arena), ("memo", self.memory.memo), ("fuel", STEPS), ("events", 0),
            ("value", 0), ("current", 0), ("depth", 0), ("mode", 0),
            ("ask.site", 0), ("ask.player", -1), ("ask.count", 0), ("ask.width", 1), ("ask.joint", 0),
            ("ask.laid", 0), ("ask.ways", 0), ("ask.least", 0),
        ):  # fmt: skip
            self.new_global(name, start)
        self.new_global("stamp", 0, I64)
        self.sites: list[Site] = []
        self.run_once = _run_once(self.program, self.circular)
        self.lots: set[int] = set()  # decisions of which one option can be had: see `emit_lots.py`
        self.quick: frozenset[int] = frozenset()  # functions that have a quick one: see `emit_quick.py`
        self.afterwards: set[tuple[int, int]] = set()
        self.phase_names: list[str] = []
        self.open = self._all_see_all()
        self.apart: dict[tuple[int, tuple[int, ...]], bool] = {}

    def _all_see_all(self) -> bool:
        """Whether everybody sees every place all the time: then nobody ever gets to know a piece."""
        boards = (b.viewers for b in self.program.boards)
        return all(
            isinstance(e, ir.SetConst) and mask(e.items) == self.code.everybody
            for e in (*(p.viewers for p in self.program.places), *boards)
        )

    def phase(self, name: str) -> int:
        """The number of the name of a phase."""
        if name not in self.phase_names:
            self.phase_names.append(name)
        return self.phase_names.index(name)

    def row_masks(self, table: int, kept: Kept) -> int:
        """Where the rows of a table of sets of spaces lie as bits."""
        key = (table, kept.board)
        if key not in self._rows:
            data = b""
            for row in self.program.tables[table].data:
                assert isinstance(row, tuple)
                data += sum(1 << (n - kept.first) for n in set(row)).to_bytes(8 * kept.words, "little")
            self._rows[key] = self.memory.constant_bytes(data)
        return self._rows[key]

    def line_test(self, kept: Kept, rows: list[frozenset[int]], values: tuple[int, int, int]) -> str | None:
        """The name of a function that tests whether any of some rows holds a value everywhere; None if there
        is no room for what it remembers."""
        seen = self.memory.spare(kept.words * values[2])
        if seen is None:
            return None
        self.line_tests.append(LineTest(kept, tuple(rows), values, seen))
        return f"line test {len(self.line_tests) - 1}"

    def new_global(self, name: str, start: int, kind: int = I32) -> int:
        """A global of the module, by name."""
        self.globals[name] = len(self.module.globals)
        self.module.globals.append((kind, start, name))
        return self.globals[name]

    def declare(self, name: str, parameters: tuple[int, ...], results: tuple[int, ...] = (I32,)) -> int:
        """The number of a function that is, or will be, there."""
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.bodies)
            self.bodies.append(None)
            self.module.type_index(FunctionType(parameters, results))
        return number

    def define(self, body: Body) -> int:
        """Put a finished function where its number is."""
        number = self.declare(body.name, body.type.parameters, body.type.results)
        self.bodies[number] = body
        return number

    def later(self, emit: Callable[[], None]) -> None:
        """Emit something when everything under way is done."""
        self._todo.append(emit)

    def finish(self) -> None:
        """Emit what was put off. Raises KeyError for a function that was named and never written."""
        while self._todo:
            self._todo.pop()()
        missing = [name for name, number in self.numbers.items() if self.bodies[number] is None]
        if missing:
            raise KeyError(", ".join(missing))

    def slot_kinds(self, function: int) -> dict[int, str]:
        """The slots of a frame that hold sets or groups, those of loops and choices among them."""
        found = {slot: kind for slot, kind in self.ranges.kinds[function].items() if slot < FRESH}
        for op in self.code.flat(function)[0]:
            match op.node:
                case ir.ForEach() if op.form == "each":
                    found[op.slot] = self.ranges.kind(function, op.node.set)
                case ir.ChooseSome():
                    found[op.slot] = SET
                case ir.ChooseTogether():
                    found[op.slot] = SET if op.node.least is None else GROUPS
                    found[op.slot + 1] = SET
                case _:
                    pass
        return found

    def _room_for_frames(self) -> int:
        """Bytes for the longest chain of functions that may choose."""
        calls = _calls(self.program)
        if self.circular & self.choosing:
            return RECURSION
        sizes: dict[int, int] = {}

        def longest(f: int) -> int:
            if f not in sizes:
                inner = [longest(g) for g in calls[f] if g in self.choosing]
                sizes[f] = self.sizes[f] + max(inner, default=0)
            return sizes[f]

        return longest(self.program.main) + 64


@dataclass(eq=False)
class Site:
    """A place where somebody is asked: the function, the instruction, the statement; what an answer writes
    (into a body, given the locals with the address of the frame and of the option), and the width of an
    option.
    """

    function: int
    pc: int
    node: ir.Statement
    chosen: Callable[[Body, int, int], None] | None = None
    width: int = 1


@dataclass(frozen=True)
class LineTest:
    """A test of rows of spaces: (number of the first mask, lowest value, how many values), and where the
    masks lie for which it did not hold when it was last made."""

    kept: Kept
    rows: tuple[frozenset[int], ...]
    values: tuple[int, int, int]
    seen: int


def _calls(program: ir.Program) -> list[set[int]]:
    return [
        {n.function for st in f.body for n in every(st) if isinstance(n, ir.CallTo | ir.Apply)}
        for f in program.functions
    ]


def _run_once(program: ir.Program, circular: set[int]) -> set[int]:
    """The functions that one statement runs, and nothing else."""
    runs = [
        n.function for f in program.functions for st in f.body for n in every(st) if isinstance(n, ir.CallTo)
    ]
    return {f for f in set(runs) - circular if runs.count(f) == 1}


def _choosing(program: ir.Program) -> set[int]:
    """The functions in which somebody may have to choose, and those that run them."""
    calls = [
        {n.function for st in f.body for n in every(st) if isinstance(n, ir.CallTo)}
        for f in program.functions
    ]
    found = {
        i
        for i, f in enumerate(program.functions)
        if any(isinstance(n, CHOICES) for st in f.body for n in every(st))
    }
    found.add(program.main)
    while True:
        more = {i for i, called in enumerate(calls) if i not in found and called & found}
        if not more:
            return found
        found |= more


def _circular(program: ir.Program) -> set[int]:
    """The functions that may, by whatever way, call themselves."""
    calls = _calls(program)
    for f in range(len(calls)):
        for d in (
            program.decisions
            if any(isinstance(n, ir.CanAct) for st in program.functions[f].body for n in every(st))
            else ()
        ):
            calls[f] |= {n.function for n in every(d) if isinstance(n, ir.Apply)}
    out: set[int] = set()
    for f in range(len(calls)):
        met: set[int] = set()
        todo = list(calls[f])
        while todo:
            g = todo.pop()
            if g not in met:
                met.add(g)
                todo.extend(calls[g])
        if f in met:
            out.add(f)
    return out


class Frame:
    """Slots of one function (or decision) within a body. Slots that expressions bind are locals for a while;
    the others are locals too, or lie in a frame in memory where somebody may be asked meanwhile.
    """

    def __init__(self, shared: Shared, body: Body, function: int, frame: int | None = None) -> None:
        self.shared, self.b, self.function = shared, body, function
        self.frame = frame  # the local with the address of the frame, or None
        self.bound: dict[int, int] = {}
        self.allocated = 0  # how often temporary room was taken so far in this body

    # ----------------------------------------------------------------- slots

    def get_slot(self, slot: int) -> None:
        """Push what a slot holds."""
        if slot in self.bound:
            self.b.get(self.bound[slot])
        elif self.frame is not None:
            self.b.get(self.frame)
            self.b.memory("i32.load", FRAME_HEAD + 4 * slot)
        else:
            self.b.get(self._local(slot))

    def set_slot(self, slot: int, push: Callable[[], None]) -> None:
        """Put into a slot what `push` pushes."""
        if slot not in self.bound and self.frame is not None:
            self.b.get(self.frame)
            push()
            self.b.memory("i32.store", FRAME_HEAD + 4 * slot)
        else:
            push()
            self.b.set(self.bound[slot] if slot in self.bound else self._local(slot))

    def _local(self, slot: int) -> int:
        local = self.bound[slot] = self.b.fresh()
        return local

    @contextmanager
    def binding(self, slot: int, local: int) -> Iterator[None]:
        """Let a local stand for a slot for a while."""
        before = self.bound.get(slot)
        self.bound[slot] = local
        yield
        if before is None:
            del self.bound[slot]
        else:
            self.bound[slot] = before

    # ------------------------------------------------------------- knowledge

    def kind(self, e: ir.Expr) -> str:
        """Number, set or groups."""
        return self.shared.ranges.kind(self.function, e)

    def plain(self, e: ir.Expr) -> ir.Expr:
        """An expression with the definitions that it uses written in place: see `inline.py`."""
        return self.shared.inliner.plain(self.function, e)

    def is_number(self, e: ir.Expr) -> bool:
        """Whether an expression gives a number."""
        return self.kind(e) == NUMBER

    def range(self, e: ir.Expr) -> Range:
        """Between which numbers its value lies."""
        return self.shared.ranges.range(self.function, e)

    # ------------------------------------------------------------ temporaries

    def get_global(self, name: str) -> None:
        """Push a global."""
        self.b.global_get(self.shared.globals[name])

    def set_global(self, name: str) -> None:
        """Pop into a global."""
        self.b.global_set(self.shared.globals[name])

    def call(self, name: str, parameters: tuple[int, ...], results: tuple[int, ...] = (I32,)) -> None:
        """Call a function by name."""
        self.b.call(self.shared.declare(name, parameters, results))

    def trap(self) -> None:
        """Give up: the reference machine takes over."""
        self.b.op("unreachable")

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Temporary sets made inside are gone afterwards."""
        mark, before = self.b.mark(), self.allocated
        yield
        if self.allocated != before:
            top = self.b.fresh()  # nothing inside uses it
            number = self.shared.globals["top"]
            keep = Body("")
            keep.global_get(number)
            keep.set(top)
            self.b.insert(mark, keep.chunks)
            self.b.get(top)
            self.b.global_set(number)

    def take(self, size: int) -> int:
        """A local with the address of `size` bytes of temporary room."""
        self.allocated += 1
        at = self.b.new()
        self.get_global("top")
        self.b.tee(at)
        self.b.const(-(-size // 8) * 8)
        self.b.op("i32.add")
        self.set_global("top")
        self.get_global("top")
        self.b.const(self.shared.memory.arena + (1 << 22) - (1 << 16))
        self.b.op("i32.gt_u")
        with self.b.when():
            self.trap()
        return at
