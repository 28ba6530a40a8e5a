"""Slots alive: which slots of a frame are still read before they are written again.

Comes in: a function of a program. Goes out: for each of its instructions the slots that matter when control
stands there, worked out backwards from what each instruction reads and writes. What never happens: a slot
called dead that is still read; one that no run would read may be called alive.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from rulewright.interpreter import ir
from rulewright.interpreter.flat import Op
from rulewright.interpreter.link import Code
from rulewright.interpreter.walk import every

Slots = frozenset[int]
NOTHING: Slots = frozenset()
BINDING = (
    ir.Filter, ir.Quantifier, ir.Fold, ir.BestOf, ir.Collect, ir.Going, ir.Linked, ir.Groups, ir.Key,
)  # fmt: skip
_FOUND: WeakKeyDictionary[Code, dict[int, list[Slots]]] = WeakKeyDictionary()


def alive_at(code: Code, function: int, pc: int) -> Slots:
    """The slots that matter in a frame of a function that goes on at instruction `pc`."""
    known = _FOUND.setdefault(code, {})
    if function not in known:
        known[function] = alive(code.program, code.flat(function)[0])
    return known[function][pc]


def alive(program: ir.Program, ops: list[Op]) -> list[Slots]:
    """The slots that matter before each instruction."""
    reads, writes = [reads_of(op) for op in ops], [writes_of(program, op) for op in ops]
    found: list[Slots] = [NOTHING] * len(ops)
    changed = True
    while changed:
        changed = False
        for i in range(len(ops) - 1, -1, -1):
            op = ops[i]
            on = found[op.next] if 0 <= op.next < len(ops) and op.form != "return" else NOTHING
            other = found[op.other] if op.other >= 0 else NOTHING  # where a loop goes when it is over
            now = reads[i] | (on - writes[i]) | (other if op.form == "each_next" else other - writes[i])
            if now != found[i]:
                found[i], changed = now, True
    return found


def reads_of(op: Op) -> Slots:
    """What an instruction reads: of a loop or a branch its head alone."""
    node: Any = op.node
    match op.form:
        case "if":
            return read_in(node.condition)
        case "each":
            return read_in(node.set)
        case "each_next":
            return frozenset((op.slot, op.slot + 1))
        case "repeat":
            return read_in(node.times)
        case "repeat_next":
            return frozenset((op.slot,)) | (
                read_in(node.condition) if node.condition is not None else NOTHING
            )
        case "loop" | "jump" | "leave":
            return NOTHING
        case "ask" if isinstance(node, ir.ChooseSome):
            return read_in(node) | {op.slot}
        case "ask" if isinstance(node, ir.ChooseTogether):
            return read_in(node) | {op.slot, op.slot + 1}
    return read_in(node)


def writes_of(program: ir.Program, op: Op) -> Slots:
    """What an instruction writes when control goes on behind it."""
    match op.form, op.node:
        case "each", _:
            return frozenset((op.slot, op.slot + 1))
        case "each_next", ir.ForEach(slot):
            return frozenset((slot,))
        case "repeat", _:
            return frozenset((op.slot,))
        case "do", ir.Assign(slot) | ir.Chance(slot):
            return frozenset((slot,))
        case "do", ir.MovePieces(moved=slot):
            return frozenset((slot,))
        case "call", ir.CallTo(result=slot):
            return frozenset((slot,))
        case "ask", ir.ChooseOne(_, slot) | ir.ChooseSome(_, slot):
            return frozenset((slot,))
        case "ask", ir.ChooseAction(decision, _, slot):
            actions = program.decisions[decision].actions  # what belongs to one is read where it is chosen
            return frozenset((slot, *(key.slot for action in actions for key in action.keys)))
    return NOTHING


def read_in(node: object) -> Slots:
    """The slots that an expression, or a statement without bodies, reads and does not bind itself."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in every(node):
        if isinstance(part, ir.Local):
            read.add(part.slot)
        elif isinstance(part, BINDING):
            bound.add(part.slot)
    if isinstance(node, ir.ChooseTogether):
        bound.add(node.player_slot)
    return frozenset(read - bound)
