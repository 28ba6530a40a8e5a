"""Build: a program as one WebAssembly module.

Comes in: a program. Goes out: `Built`: the bytes of the module, and everything that a host must know of it:
addresses, sites of questions, names of phases. What never happens: a module that depends on anything but the
program, so that it can be kept on disk.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.interpreter.chance import SeededChance
from rulewright.interpreter.link import Code
from rulewright.interpreter.machine import begin
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.control import Control
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_asks import answers
from rulewright.interpreter.wasm.emit_code import choosing_function, plain_function
from rulewright.interpreter.wasm.emit_lots import lots
from rulewright.interpreter.wasm.emit_options import options
from rulewright.interpreter.wasm.emit_quick import quick_function, quick_functions
from rulewright.interpreter.wasm.encoder import PAGE
from rulewright.interpreter.wasm.keeping import Keeping
from rulewright.interpreter.wasm.memory import TooLarge
from rulewright.interpreter.wasm.packing import packed
from rulewright.interpreter.wasm.playouts import Playouts
from rulewright.interpreter.wasm.runtime import Runtime
from rulewright.interpreter.wasm.searching import Searching

EXPORTS = (
    "start", "resume", "step", "batch", "score", "regrid", "sow", "save", "restore", "choose", "copies",
    "forget", "rollouts", "search", "child",
)  # fmt: skip
MOST_PIECES = 32_000


@dataclass(frozen=True, slots=True)
class Built:
    """A module. `shared` and `playouts` know where everything lies in its memory."""

    module: bytes
    shared: Shared
    playouts: Playouts
    keeping: Keeping
    searching: Searching


def build(code: Code) -> Built:
    """The module of a linked program. Raises `TooLarge` where a program does not fit."""
    program = code.program
    if len(program.pieces) > MOST_PIECES or len(program.players) > 30:
        raise TooLarge(f"{len(program.pieces)} pieces and {len(program.players)} players are too many")
    shared = Shared(code)
    for f in sorted(shared.choosing):
        shared.declare(f"{f}: {program.functions[f].name}", (0x7F,))
    shared.quick = quick_functions(shared)
    playouts = Playouts(shared)
    keeping = Keeping(shared)
    searching = Searching(shared, playouts)
    shared.lots = {number for number in range(len(program.decisions)) if lots(shared, number)}
    for f in range(len(program.functions)):
        if f in shared.choosing:
            choosing_function(shared, f)
        else:
            plain_function(shared, f)
    for f in sorted(shared.quick):
        quick_function(shared, f)
    for number in range(len(program.decisions)):
        options(shared, number)
    Runtime(shared).all()
    Control(shared).all()
    playouts.all()
    keeping.all()
    searching.all()
    answers(shared)
    _setters(shared)
    shared.finish()
    module = shared.module
    module.functions = [body.finished() for body in shared.bodies if body is not None]
    # Frames name functions of the rules; the table leads from these to functions of the module.
    spare = shared.numbers["no choice here"]
    module.table = [
        shared.numbers[f"{f}: {fn.name}"] if f in shared.choosing else spare
        for f, fn in enumerate(program.functions)
    ]
    module.exports = [(name, shared.numbers[name]) for name in EXPORTS if name in shared.numbers]
    module.exports += [
        (name, shared.numbers[name]) for name in shared.numbers if name.startswith(("set ", "get "))
    ]
    memory = shared.memory
    memory.end = memory._align(64)
    first = image(shared)
    module.data = [*memory.data, (memory.image, first)]
    module.pages = -(-memory.end // PAGE) + 1
    return Built(module.encoded(), shared, playouts, keeping, searching)


def _setters(shared: Shared) -> None:
    """Functions by which a host reads and writes globals; and what stands for functions that never ask."""
    for name in (
        "mode",
        "limit",
        "ask.site",
        "ask.player",
        "ask.count",
        "ask.width",
        "decisions",
        "iteration",
        "used",
        "length",
    ):
        b = Body(f"set {name}", (0x7F,), ())
        b.get(0)
        b.global_set(shared.globals[name])
        shared.define(b)
        b = Body(f"get {name}", (), (0x7F,))
        b.global_get(shared.globals[name])
        shared.define(b)
    b = Body("set rng", (0x7E,), ())
    b.get(0)
    b.global_set(shared.globals["rng"])
    shared.define(b)
    b = Body("no choice here", (0x7F,), (0x7F,))
    b.op("unreachable")
    shared.define(b)


def image(shared: Shared) -> bytes:
    """The state as it is when a match begins: what `start` copies."""
    code = shared.code
    s = State(code, SeededChance(code.streams, 0))
    begin(s)
    s.frames = []
    return packed(shared, s, shared.memory.constant_set, shared.memory.frames)
