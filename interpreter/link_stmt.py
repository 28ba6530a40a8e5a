"""Link statements: turn each instruction of a function into one Python callable.

Comes in: the `Op`s of a function. Goes out: callables over (state, locals) that do their part and give the
number of the next instruction, or `SWITCH` (the frame on top is another one), `SUSPEND` (somebody must
choose: see `State.ask`) or `DONE` (the last frame has returned). Three variants with the same numbering:
with trace; without; and pure, for functions that only compute, which run in the caller's own Python stack.
What never happens: an instruction that is half done when the machine stops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.dsl.problems import NOWHERE, Span
from rulewright.interpreter import ir
from rulewright.interpreter.asks import link_ask
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.flat import DONE, SWITCH, Op, landing
from rulewright.interpreter.link_pieces import link_pieces
from rulewright.interpreter.naming import words_of

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Instruction = Callable[[Any, list[Any]], int]


class Statements:
    """Links the functions of one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program

    def link(self, function: int, ops: list[Op], traced: bool, pure: bool = False) -> list[Instruction]:
        """The instructions of a function, one callable each."""
        return [self.instruction(ops, pc, traced, pure) for pc in range(len(ops))]

    def instruction(self, ops: list[Op], pc: int, traced: bool, pure: bool) -> Instruction:
        """One instruction."""
        op = ops[pc]
        to = landing(ops, op.next, traced) if op.next < len(ops) else pc
        other = landing(ops, op.other, traced) if op.other >= 0 else -1
        node: Any = op.node
        match op.form:
            case "if":
                test = self.code.expressions.test(node.condition)
                return lambda s, loc: to if test(s, loc) else other
            case "each":
                return self.each(node, op.slot, to)
            case "each_next":
                return each_next(node.slot, op.slot, to, other, node.span)
            case "repeat":
                times, slot = self.code.expressions.value(node.times), op.slot

                def start(s: Any, loc: list[Any]) -> int:
                    loc[slot] = times(s, loc)
                    return to

                return start
            case "repeat_next":
                return self.repeat_next(node, op.slot, to, other)
            case "loop":
                return spend(node.span, to)
            case "jump":
                return lambda s, loc: to
            case "call":
                return self.call_pure(node, to) if pure else self.call(node, to)
            case "return":
                return self.returning(node, pure)
            case "ask":
                return link_ask(self.code, node, pc, to, op.slot)
            case "enter" | "leave" | "note":
                return self.tracing(op, to, traced)
            case _:
                return self.do(node, to, traced)

    # --------------------------------------------------------------- control

    def each(self, node: ir.ForEach, slot: int, to: int) -> Instruction:
        """Fix the set of a loop."""
        values = self.code.expressions.value(node.set)

        def start(s: Any, loc: list[Any]) -> int:
            loc[slot] = values(s, loc)
            loc[slot + 1] = 0
            return to

        return start

    def repeat_next(self, node: ir.Repeat, slot: int, to: int, other: int) -> Instruction:
        """Once more, or on."""
        test = self.code.expressions.test(node.condition) if node.condition is not None else None
        span = node.span

        def again(s: Any, loc: list[Any]) -> int:
            if loc[slot] <= 0 or (test is not None and not test(s, loc)):
                return other
            loc[slot] -= 1
            s.fuel -= 1
            if s.fuel < 0:
                raise too_long(span)
            return to

        return again

    def call(self, node: ir.CallTo, to: int) -> Instruction:
        """Run another function in a frame of its own."""
        function, result, span = node.function, node.result, node.span
        arguments = [self.code.expressions.value(a) for a in node.arguments]
        pad = [0] * (self.code.slots(function) - len(arguments))
        depth = self.code.budgets.depth

        def call(s: Any, loc: list[Any]) -> int:
            frames = s.frames
            frames[-1][1] = to
            s.fuel -= 1
            if s.fuel < 0:
                raise too_long(span)
            if len(frames) >= depth:
                raise RuleError(f"More than {depth} events lie inside one another here.", span, "budget")
            frames.append([function, 0, [*[a(s, loc) for a in arguments], *pad], result])
            return SWITCH

        return call

    def call_pure(self, node: ir.CallTo, to: int) -> Instruction:
        """Call a function that only computes from another such one."""
        call, result = self.code.expressions.value(ir.Apply(node.function, node.arguments)), node.result

        def compute(s: Any, loc: list[Any]) -> int:
            value = call(s, loc)
            if result >= 0:
                loc[result] = value
            return to

        return compute

    def returning(self, node: ir.Return, pure: bool) -> Instruction:
        """Leave the function, with a value for the caller."""
        value = self.code.expressions.value(node.value) if node.value is not None else None

        def give(s: Any, loc: list[Any]) -> int:
            s.value = value(s, loc) if value is not None else 0
            return DONE

        def leave(s: Any, loc: list[Any]) -> int:
            s.value = v = value(s, loc) if value is not None else 0
            frames = s.frames
            result = frames.pop()[3]
            if not frames:
                return DONE
            if result >= 0:
                frames[-1][2][result] = v
            return SWITCH

        return give if pure else leave

    # --------------------------------------------------------------- effects

    def do(self, node: Any, to: int, traced: bool) -> Instruction:
        """A statement that goes straight on."""
        match node:
            case ir.Assign(slot, value):
                f = self.code.expressions.value(value)

                def assign(s: Any, loc: list[Any]) -> int:
                    loc[slot] = f(s, loc)
                    return to

                return assign
            case ir.Store():
                return self.store(node, to, traced)
            case ir.EndGame():
                return self.end_game(node, to, traced)
            case ir.Fail(sentence, span):
                words = words_of(self.code, sentence)

                def fail(s: Any, loc: list[Any]) -> int:
                    raise RuleError("".join(w if isinstance(w, str) else w.text for w in words(s, loc)), span)

                return fail
            case _:
                return link_pieces(self.code, node, to, traced)

    def store(self, node: ir.Store, to: int, traced: bool) -> Instruction:
        """Give a variable a value that fits."""
        v, offset = self.program.variables[node.var], self.code.layout.offsets[node.var]
        value, span, cells, variable = self.code.expressions.value(node.value), node.span, v.cells, node.var
        index = self.code.expressions.value(node.index) if node.index is not None else None
        fit = set_fitting(v, span) if v.kind == "set" else number_fitting(v, span)
        low, high = (v.low, v.high) if v.kind == "number" else (1, 0)

        def store(s: Any, loc: list[Any]) -> int:
            new = value(s, loc)
            if index is None:
                i = 0
            else:
                i = index(s, loc)
                if not 0 <= i < cells:
                    raise RuleError(f"`{v.name}` is not kept for this ({i}).", span)
            if high < low or not low <= new <= high:
                new = fit(new)
            if traced:
                s.trace.store(s, variable, i, s.vars[offset + i], new, span)
            s.vars[offset + i] = new
            return to

        if index is None and not traced and v.kind == "number":

            def store_one(s: Any, loc: list[Any]) -> int:
                new = value(s, loc)
                s.vars[offset] = new if low <= new <= high else fit(new)
                return to

            return store_one
        return store

    def end_game(self, node: ir.EndGame, to: int, traced: bool) -> Instruction:
        """The first end that is reached counts; callers see UNWINDING and return."""
        winners, end, span = self.code.expressions.value(node.winners), node.end, node.span
        offsets = self.code.layout.offsets
        ended, unwinding = offsets[ir.ENDED], offsets[ir.UNWINDING]

        def finish(s: Any, loc: list[Any]) -> int:
            if s.vars[ended] < 0:
                s.winners = tuple(w for w in winners(s, loc) if w >= 0)
                s.vars[ended] = end
                if traced:
                    s.trace.end(s, end, span)
            s.vars[unwinding] = 3
            return to

        return finish

    def tracing(self, op: Op, to: int, traced: bool) -> Instruction:
        """Begin or complete an event, or note something."""
        node: Any = op.node
        phase = isinstance(node, ir.Enter) and node.kind == "phase"
        event = op.form == "enter" and isinstance(node, ir.Enter) and node.kind == "event"
        name = node.name if isinstance(node, ir.Enter) else ""
        limit, span = self.code.budgets.events, node.span
        write = self.code_of_trace(op) if traced else None

        def step(s: Any, loc: list[Any]) -> int:
            if event:
                s.events -= 1
                if s.events < 0:
                    raise RuleError(f"More than {limit} events follow from one choice.", span, "budget")
            elif phase:
                if op.form == "enter":
                    s.phases.append(name)
                elif s.phases:
                    s.phases.pop()
            if write is not None:
                write(s, loc)
            return to

        return step

    def code_of_trace(self, op: Op) -> Callable[[Any, list[Any]], None]:
        """What an instruction writes into the trace."""
        node: Any = op.node
        if op.form == "leave":
            return lambda s, loc: s.trace.leave()
        words = words_of(self.code, node.sentence) if node.sentence is not None else None
        if op.form == "note":
            word, name, span = node.word, node.name, node.span
            about = self.code.expressions.value(node.about) if node.about is not None else None

            def note(s: Any, loc: list[Any]) -> None:
                players = self.code.knowers(s, about(s, loc)) if about is not None else None
                s.trace.note(word, name, words(s, loc) if words else (), span, players)

            return note
        shown = [words_of(self.code, ir.Sentence((a,))) for a in node.arguments]
        names = node.argument_names

        def enter(s: Any, loc: list[Any]) -> None:
            arguments = tuple((n, w(s, loc)) for n, w in zip(names, shown, strict=False))
            s.trace.enter(node.kind, node.name, words(s, loc) if words else (), arguments, node.span)

        return enter


def each_next(slot: int, own: int, to: int, other: int, span: Span = NOWHERE) -> Instruction:
    """The next value of a loop, or on."""

    def following(s: Any, loc: list[Any]) -> int:
        values = loc[own]
        i = loc[own + 1]
        if i >= len(values):
            return other
        loc[slot] = values[i]
        loc[own + 1] = i + 1
        s.fuel -= 1
        if s.fuel < 0:
            raise too_long(span)
        return to

    return following


def spend(span: Span, to: int) -> Instruction:
    """One turn of a loop without a bound of its own."""

    def step(s: Any, loc: list[Any]) -> int:
        s.fuel -= 1
        if s.fuel < 0:
            raise too_long(span)
        return to

    return step


def too_long(span: Span) -> RuleError:
    """The budget of steps is used up."""
    return RuleError("This goes on for too long: it may never end.", span, "budget")


def number_fitting(v: ir.Variable, span: Span) -> Callable[[int], int]:
    """What becomes of a number outside the range of a variable."""

    def fit(n: int) -> int:
        if v.optional and n == -1:
            return n
        if v.ends == "stop":
            return min(max(n, v.low), v.high)
        if v.ends == "wrap":
            return v.low + (n - v.low) % (v.high - v.low + 1)
        raise RuleError(f"{n} does not fit; `{v.name}` goes from {v.low} to {v.high}.", span)

    return fit


def set_fitting(v: ir.Variable, span: Span) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """A set whose every value must fit."""

    def fit(values: tuple[int, ...]) -> tuple[int, ...]:
        for n in values:
            if not v.low <= n <= v.high:
                raise RuleError(f"{n} does not fit into `{v.name}`, which holds {v.low} to {v.high}.", span)
        return values

    return fit
