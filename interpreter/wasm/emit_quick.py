"""Emit quick: functions that may ask somebody, for games in which nobody outside is asked.

Comes in: the functions of a program. Goes out: for those where it can be, a second function of the module
with its slots in locals instead of a frame. While bots inside the module answer (`playouts.py`) nothing is
ever suspended, so nobody needs to stand in the midst of such a function again. What never happens: a set that
a clearing of the heap moves while a local holds it: a function whose own slots hold sets stays as it is, and
so does one that runs such a function, or goes through a set while it asks.

A quick function gives back DONE (its value in the global `value`), or what ended the game for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.interpreter import ir
from rulewright.interpreter.walk import every_statement
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import CHOICES, DONE, SUSPENDED, Shared, Site
from rulewright.interpreter.wasm.emit_asks import JOINT, answering
from rulewright.interpreter.wasm.emit_code import Statements
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.ranges import GROUPS, NUMBER, SET

MOST_NESTED = 6
ASKS = (ir.ChooseAction, ir.ChooseOne)  # the others keep what was picked in slots of their own


def quick_functions(shared: Shared) -> frozenset[int]:
    """The functions of which there is a quick one."""
    functions = shared.program.functions
    found = {f for f in shared.choosing if f not in shared.circular and _fits(shared, f)}
    while True:
        less = {
            f
            for f in found
            if any(n.function in shared.choosing and n.function not in found for n in _calls(functions[f]))
        }
        if not less:
            return frozenset(found)
        found -= less


def _statements(body: ir.Body) -> Iterator[object]:
    for st in body:
        yield from every_statement(st)


def _calls(function: ir.Function) -> list[ir.CallTo]:
    return [n for n in _statements(function.body) if isinstance(n, ir.CallTo)]


def _fits(shared: Shared, f: int) -> bool:
    """Whether all slots of a function hold numbers while somebody is asked in it, or in what it runs."""
    function = shared.program.functions[f]
    kinds = shared.ranges.kinds[f]
    if function.result in (SET, GROUPS):
        return False
    if any(kinds.get(slot, NUMBER) != NUMBER for slot in range(function.parameters)):
        return False
    for n in _statements(function.body):
        if isinstance(n, CHOICES) and not isinstance(n, ASKS):
            return False
        if isinstance(n, ir.ForEach) and any(_asks(shared, inner) for inner in _statements(n.body)):
            return False
        slot = n.result if isinstance(n, ir.CallTo) else getattr(n, "slot", -1)
        if slot >= 0 and kinds.get(slot, NUMBER) != NUMBER:
            return False
    return True


def _asks(shared: Shared, n: object) -> bool:
    return isinstance(n, CHOICES) or (isinstance(n, ir.CallTo) and n.function in shared.choosing)


def name_of(shared: Shared, function: int) -> str:
    """How a quick function is called in the module."""
    return f"quick {function}: {shared.program.functions[function].name}"


def quick_function(shared: Shared, function: int) -> None:
    """Write the quick one of a function: (its parameters) → DONE, SUSPENDED or OVER."""
    fn = shared.program.functions[function]
    b = Body(name_of(shared, function), (I32,) * fn.parameters, (I32,))
    w = Quick(shared, b, function)
    w.loops, w.open, w.bound = [], [], {i: i for i in range(fn.parameters)}
    with b.block() as out:
        w.out = out
        w.body(fn.body)
    b.const(DONE)
    shared.define(b)


class Quick(Statements):
    """Writes a quick function."""

    nested = 0  # functions written in place, one in the other

    def statement(self, st: ir.Statement) -> None:
        """One statement; also one that asks."""
        b = self.b
        match st:
            case ir.ChooseAction() | ir.ChooseOne():
                self.ask(st, 0, 0, 0)
            case ir.CallTo(other, arguments, result) if self._asks_only_here(other):
                self._in_place(other, arguments)
                if result >= 0:
                    self.set_slot(result, lambda: self.get_global("value"))
            case ir.CallTo(other, _, -1) if other not in self.shared.choosing and self._only_here(other):
                self._plain_in_place(st)
            case ir.CallTo(other, arguments, result) if other in self.shared.choosing:
                with self.scope():
                    for a in arguments:
                        self.kept(a)
                    b.call(self.shared.declare(name_of(self.shared, other), (I32,) * len(arguments)))
                    status = b.fresh()
                    b.tee(status)
                with b.when():
                    b.get(status)
                    b.op("return")
                if result >= 0:
                    self.set_slot(result, lambda: self.get_global("value"))
            case ir.Return(value):
                if value is not None:
                    with self.scope():
                        self.kept(value)
                        self.set_global("value")
                else:
                    b.const(0)
                    self.set_global("value")
                b.to(self.out)
            case _:
                super().statement(st)

    def _only_here(self, function: int) -> bool:
        """Whether one statement of the whole program runs a function, so that its code can stand there."""
        return function in self.shared.run_once and self.nested < MOST_NESTED

    def _asks_only_here(self, function: int) -> bool:
        return function in self.shared.choosing and self._only_here(function)

    def _in_place(self, function: int, arguments: tuple[ir.Expr, ...]) -> None:
        """Write a function that may ask where it is run."""
        b = self.b
        inner = Quick(self.shared, b, function)
        inner.nested = self.nested + 1
        inner.loops, inner.open, inner.bound = [], [], {}
        with self.scope():
            self._handed_over(inner, arguments)
        mark = b.mark()
        with b.block() as out:
            inner.out = out
            inner.body(self.shared.program.functions[function].body)
        self._zeros(inner, len(arguments), mark)
        self.allocated += inner.allocated

    def _plain_in_place(self, st: ir.CallTo) -> None:
        """Write a function in which nobody is asked where it is run."""
        b, fn = self.b, self.shared.program.functions[st.function]
        inner = Statements(self.shared, b, st.function)
        inner.loops, inner.open, inner.bound = [], [], {}
        inner.result = b.fresh()
        with self.scope():
            self._handed_over(inner, st.arguments)
            mark = b.mark()
            with b.block() as out:
                inner.out = out
                inner.body(inner.with_floods(fn.body))
            self._zeros(inner, len(st.arguments), mark)
            self.allocated += inner.allocated

    def _handed_over(self, inner: Statements, arguments: tuple[ir.Expr, ...]) -> None:
        for i, a in enumerate(arguments):
            local = self.b.fresh()
            self.value(a)
            self.b.set(local)
            inner.bound[i] = local

    def _zeros(self, inner: Statements, parameters: int, mark: int) -> None:
        """Slots begin with 0 each time: the function that they are written into may go round."""
        zeros = Body("")
        for slot, local in inner.bound.items():
            if slot >= parameters:
                zeros.const(0)
                zeros.set(local)
        self.b.insert(mark, zeros.chunks)

    def _ask_action(self, node: ir.ChooseAction, pc: int, to: int) -> None:
        if node.decision not in self.shared.lots:
            super()._ask_action(node, pc, to)
            return
        b = self.b
        p, n, option = b.fresh(), b.fresh(), b.fresh()
        with self.scope():
            self.number(node.player)
        b.tee(p)
        b.const(0)
        b.op("i32.lt_s")
        with b.when(I32):
            b.const(0)
            b.otherwise()
            b.get(p)
            self.call(f"count {node.decision}", (I32,))
        b.tee(n)
        b.op("i32.eqz")
        with b.when():
            self.set_slot(node.action, lambda: b.const(-1))
            b.otherwise()
            answer = self._asked(p, n, "", None)
            b.get(answer)
            b.get(p)
            self.call(f"option {node.decision}", (I32, I32), ())
            b.const(self.shared.memory.options)
            b.set(option)
            self._answered(node, option)

    def _question(
        self,
        site: Site,
        player: int,
        count: int,
        width: int,
        joint: str,
        chosen: Callable[[Body, int, int], None],
        laying: ir.Laying | None,
    ) -> None:
        """Put a question whose options are written; afterwards the slots hold the answer."""
        b = self.b
        answer, option = self._asked(player, count, joint, laying), b.fresh()
        b.get(answer)
        b.const(4 * width)
        b.op("i32.mul")
        b.const(self.shared.memory.options)
        b.op("i32.add")
        b.set(option)
        self._answered(site.node, option)

    def _asked(self, player: int, count: int, joint: str, laying: ir.Laying | None) -> int:
        """Ask the bots inside: a local with the number of the option."""
        b = self.b
        self.over_if_ended()
        b.const(JOINT[joint])
        self.set_global("ask.joint")
        self.about(player, count, laying)
        self.call("pick", (), (I32,))
        answer = b.fresh()
        b.tee(answer)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            b.const(SUSPENDED)
            b.op("return")
        answering(self.shared, b)
        return answer

    def _answered(self, node: ir.Statement, option: int) -> None:
        """Put the option at an address into the slots."""
        b = self.b

        def at(offset: int) -> Callable[[], None]:
            def push() -> None:
                b.get(option)
                b.memory("i32.load", offset)

            return push

        if isinstance(node, ir.ChooseOne):
            self.set_slot(node.slot, at(0))
            return
        assert isinstance(node, ir.ChooseAction)
        self.set_slot(node.action, at(0))
        actions = self.shared.program.decisions[node.decision].actions
        for number, action in enumerate(actions):
            if not action.keys:
                continue
            if len(actions) == 1:
                self._keys(action, at)
                continue
            b.get(option)
            b.memory("i32.load")
            b.const(number)
            b.op("i32.eq")
            with b.when():
                self._keys(action, at)

    def _keys(self, action: ir.ActionOption, at: Callable[[int], Callable[[], None]]) -> None:
        for i, key in enumerate(action.keys):
            self.set_slot(key.slot, at(4 + 4 * i))
