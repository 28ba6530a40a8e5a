"""Flat: the body of a function as one list of instructions with numbers to jump to.

Comes in: a `Function`. Goes out: its `Op`s and how many slots its frame needs: loops keep their set and
their place in it, and choices what has been picked so far, in slots after the function's own.
What never happens: control that is not in a frame: number of the instruction plus slots say everything.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.interpreter import ir

# What an instruction gives instead of the number of the next one: another frame is on top; somebody
# must choose; the last frame has returned.
SWITCH, SUSPEND, DONE = -1, -2, -3


@dataclass(slots=True)
class Op:
    """One instruction. `form` says what it does with `node`; `next` is where it goes on, `other` where
    to instead (the other branch, the end of a loop); `slot` is the first slot of its own.

    Forms: do, if, each, each_next, repeat, repeat_next, loop, jump, call, return, ask, enter, leave, note.
    For "leave", `node` is the `Enter` that it closes.
    """

    form: str
    node: object
    next: int = -1
    other: int = -1
    slot: int = -1


_FORMS: dict[type, tuple[str, int]] = {
    ir.CallTo: ("call", 0),
    ir.ChooseAction: ("ask", 0),
    ir.ChooseOne: ("ask", 0),
    ir.ChooseSome: ("ask", 1),
    ir.ChooseTogether: ("ask", 2),
    ir.Note: ("note", 0),
}


class _Flattener:
    def __init__(self, slots: int) -> None:
        self.ops: list[Op] = []
        self.slots = slots
        self.breaks: list[list[Op]] = []
        self.open: list[ir.Enter] = []

    def emit(self, form: str, node: object, slots: int = 0) -> Op:
        op = Op(form, node, next=len(self.ops) + 1)
        if slots:
            op.slot = self.slots
            self.slots += slots
        self.ops.append(op)
        return op

    def here(self) -> int:
        return len(self.ops)

    def body(self, body: ir.Body) -> None:
        for st in body:
            self.statement(st)

    def statement(self, st: ir.Statement) -> None:
        match st:
            case ir.If():
                self.branch(st)
            case ir.ForEach():
                self.emit("each", st, 2)
                self.loop("each_next", st, self.ops[-1].slot)
            case ir.Repeat():
                self.emit("repeat", st, 1)
                self.loop("repeat_next", st, self.ops[-1].slot)
            case ir.Loop():
                self.loop("loop", st, -1)
            case ir.Break():
                self.breaks[-1].append(self.emit("jump", st))
            case ir.Return():
                self.emit("return", st)
            case ir.Enter():
                self.open.append(st)
                self.emit("enter", st)
            case ir.Leave():
                self.emit("leave", self.open.pop() if self.open else st)
            case _:
                form, slots = _FORMS.get(type(st), ("do", 0))
                self.emit(form, st, slots)

    def branch(self, st: ir.If) -> None:
        test = self.emit("if", st)
        before = list(self.open)
        self.body(st.then)
        after_then = list(self.open)
        self.open = list(before)
        if st.otherwise:
            end = self.emit("jump", st)
            test.other = self.here()
            self.body(st.otherwise)
            end.next = self.here()
            if ends(st.otherwise) and not ends(st.then):
                self.open = after_then
        else:
            test.other = self.here()

    def loop(self, form: str, st: ir.ForEach | ir.Repeat | ir.Loop, slot: int) -> None:
        start = self.here()
        head = self.emit(form, st)
        head.slot = slot
        self.breaks.append([])
        before = list(self.open)
        self.body(st.body)
        self.open = before
        self.emit("jump", st).next = start
        head.other = self.here()
        for jump in self.breaks.pop():
            jump.next = self.here()


def ends(body: ir.Body) -> bool:
    """Whether control never gets past the end of a body."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.If):
        return ends(last.then) and ends(last.otherwise)
    return isinstance(last, ir.Return | ir.Break | ir.Fail)


def flatten(function: ir.Function) -> tuple[list[Op], int]:
    """The instructions of a function, the last of which always returns, and its number of slots."""
    f = _Flattener(function.slots)
    f.body(function.body)
    f.emit("return", ir.Return(None, function.span))
    return f.ops, f.slots


def landing(ops: list[Op], pc: int, traced: bool) -> int:
    """Where control really goes on from `pc`: jumps are followed, and without a trace everything
    that only the trace needs is passed over. Events are counted and phases kept in both variants."""
    while True:
        op = ops[pc]
        skip = op.form == "jump" or (not traced and is_silent(op))
        if not skip or op.next == pc:
            return pc
        pc = op.next


def is_silent(op: Op) -> bool:
    """Whether an instruction does nothing but write the trace."""
    if op.form == "note":
        return True
    if isinstance(op.node, ir.Enter):
        return op.node.kind != "phase" and (op.form == "leave" or op.node.kind != "event")
    return op.form == "leave"
