"""Inline: conditions with the definitions that they use written in place.

Comes in: an expression of a function. Goes out: the same expression without calls of small definitions, so
that whoever looks at its form (masks, memos) sees what it says. What never happens: another value; a slot of
the definition that meets one of the function: they get numbers that no frame has.

A definition is written in place where its body is one expression and what is handed to it can be computed
again and again, and cannot fail.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.walk import EXPRESSIONS, STATEMENTS, every
from rulewright.interpreter.wasm.ranges import NOTHING, NUMBER, Ranges

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 60  # nodes of a definition that is written in place
SMALL = 6  # nodes of what is handed to it
FRESH = 1 << 21  # the first number of a slot that no frame has


class Inliner:
    """Writes definitions in place, for one program."""

    def __init__(self, program: ir.Program, ranges: Ranges, circular: set[int]) -> None:
        self.program, self.ranges, self.circular = program, ranges, circular
        self._next = FRESH
        self._done: dict[tuple[int, int], tuple[ir.Expr, ir.Expr]] = {}

    def plain(self, function: int, e: ir.Expr) -> ir.Expr:
        """The expression, which stands in a function, with definitions written in place; itself if there
        are none."""
        found = self._done.get((function, id(e)))
        if found is None or found[0] is not e:
            new = self._written(function, e) if any(isinstance(n, ir.Apply) for n in every(e)) else e
            found = self._done[function, id(e)] = (e, new)
        return found[1]

    def asking(self, function: int, e: ir.Expr, slots: frozenset[int]) -> ir.Expr:
        """The expression with those definitions written in place to which one of the slots is handed. What
        is handed over besides may fail: whoever uses the result must compute it, whatever the rest says."""
        return self._written(function, e, slots)

    def _written(self, function: int, e: ir.Expr, slots: frozenset[int] | None = None) -> ir.Expr:
        if isinstance(e, ir.Apply):
            arguments = tuple(self._written(function, a, slots) for a in e.arguments)
            body = self._body(e.function)
            if slots is not None:
                wanted = any(isinstance(a, ir.Local) and a.slot in slots for a in arguments)
            else:
                wanted = all(self._harmless(function, a) for a in arguments)
            if body is None or not wanted:
                return replace(e, arguments=arguments)
            return self._written(function, self._filled(function, e.function, body, arguments), slots)
        return mapped(e, lambda part: self._written(function, part, slots))

    def _body(self, function: int) -> ir.Expr | None:
        fn = self.program.functions[function]
        match fn.body:
            case (ir.Return(value),) if value is not None and function not in self.circular:
                return value if sum(1 for _ in every(value)) <= LARGEST else None
            case _:
                return None

    def _harmless(self, function: int, e: ir.Expr) -> bool:
        if sum(1 for _ in every(e)) > SMALL:
            return False
        match e:
            case ir.Const() | ir.Local() | ir.SetConst() | ir.Load(_, None):
                return True
            case ir.Unary(_, operand):
                return self._harmless(function, operand)
            case ir.Binary("+" | "-" | "==" | "!=" | "<" | "<=" | "and" | "or", left, right):
                return self._harmless(function, left) and self._harmless(function, right)
            case ir.At(table, index):
                low, high = self.ranges.range(function, index)
                data = self.program.tables[table]
                fits = data.base <= low and high < data.base + len(data.data)
                return fits and self._harmless(function, index)
            case _:
                return False

    def _filled(self, function: int, other: int, body: ir.Expr, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
        """The body of a definition with what is handed to it, and with slots of its own."""
        slots: dict[int, int] = {}
        ranges = self.ranges

        def fresh(slot: int) -> int:
            if slot not in slots:
                new = slots[slot] = self._next
                self._next += 1
                ranges.slots[function][new] = ranges.slots[other].get(slot, NOTHING)
                ranges.kinds[function][new] = ranges.kinds[other].get(slot, NUMBER)
            return slots[slot]

        def filled(e: ir.Expr) -> ir.Expr:
            if isinstance(e, ir.Local):
                return arguments[e.slot] if e.slot < len(arguments) else ir.Local(fresh(e.slot))
            new = mapped(e, filled)
            slot = getattr(new, "slot", -1)
            return _with_slot(new, fresh(slot)) if slot >= 0 else new

        return filled(body)


def _with_slot(e: Any, slot: int) -> ir.Expr:
    new: ir.Expr = replace(e, slot=slot)
    return new


def mapped(e: ir.Expr, f: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """An expression with something else in place of each of its direct parts."""
    changed: dict[str, Any] = {}
    for field in fields(e):
        value = getattr(e, field.name)
        new = _mapped(value, f)
        if new is not value:
            changed[field.name] = new
    return replace(e, **changed) if changed else e


def mapped_body(body: ir.Body, f: Callable[[ir.Expr], ir.Expr]) -> ir.Body:
    """Statements with something else in place of each expression that stands in them."""
    return tuple(_mapped_statement(st, f) for st in body)


def _mapped_statement(node: Any, f: Callable[[ir.Expr], ir.Expr]) -> Any:
    changed: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple) and value and isinstance(value[0], STATEMENTS):
            changed[field.name] = tuple(_mapped_statement(st, f) for st in value)
        elif isinstance(value, EXPRESSIONS) or (isinstance(value, tuple) and value):
            changed[field.name] = _mapped(value, f)
    return replace(node, **changed)


def _mapped(value: Any, f: Callable[[ir.Expr], ir.Expr]) -> Any:
    if isinstance(value, EXPRESSIONS):
        return f(value)  # type: ignore[arg-type]  # which is what EXPRESSIONS are
    if isinstance(value, tuple):
        new = tuple(_mapped(v, f) for v in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value
