"""Building code: the growing program, and the slots of the function that is being written.

Comes in: parts of a game. Goes out: tables, variables, functions, streams, each made once and found again
by name. What never happens: two functions with one name, a slot used for two things at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rulewright.dsl.problems import NOWHERE, Span
from rulewright.dsl.types import Type
from rulewright.interpreter import ir
from rulewright.interpreter.lower_parts import Parts, everybody

YES, NO, NONE = ir.Const(1), ir.Const(0), ir.Const(-1)
EMPTY = ir.SetConst(())


@dataclass(slots=True)
class Code:
    """One function being written. `names` are the local names in reach: slot and type.

    `entered` counts the events that have begun and not ended, so that an early way out can end them.
    """

    name: str
    slot_names: list[str] = field(default_factory=list)
    names: dict[str, tuple[ir.Expr, Type]] = field(default_factory=dict)
    entered: int = 0
    result: str = ""
    actor: ir.Expr | None = None  # who acts, where that is not the machine's own actor
    about: ir.Expr | None = None  # the card whose rule is written: who does not know it hears of no choice

    def slot(self, name: str) -> int:
        """A new slot."""
        self.slot_names.append(name)
        return len(self.slot_names) - 1

    def with_names(self, names: dict[str, tuple[ir.Expr, Type]]) -> Code:
        """The same function with more names in reach; slots are shared."""
        return replace(self, names={**self.names, **names})

    def early_return(self, span: Span) -> ir.Body:
        """End the events that have begun here, and return."""
        return (*(ir.Leave(span) for _ in range(self.entered)), ir.Return(None, span))


@dataclass(slots=True)
class Builder:
    """The program that is being built."""

    parts: Parts
    variables: list[ir.Variable] = field(default_factory=list)
    variable_index: dict[str, int] = field(default_factory=dict)
    tables: list[ir.TableData] = field(default_factory=list)
    table_index: dict[str, int] = field(default_factory=dict)
    streams: list[ir.Stream] = field(default_factory=list)
    stream_index: dict[str, int] = field(default_factory=dict)
    functions: list[ir.Function | None] = field(default_factory=list)
    function_index: dict[str, int] = field(default_factory=dict)
    decisions: list[ir.ActionDecision] = field(default_factory=list)
    decision_index: dict[str, int] = field(default_factory=dict)
    choices: dict[str, int] = field(
        default_factory=dict
    )  # how many draws of chance a function has, for their names
    piece_vars: list[int] = field(default_factory=list)

    def everybody(self) -> ir.SetConst:
        """The set of all players."""
        return everybody(self.parts)

    def table(
        self,
        name: str,
        base: int,
        make: Callable[[], tuple[int, ...] | tuple[tuple[int, ...], ...]],
        repeats: bool = False,
    ) -> int:
        """The number of the table of that name, made when first asked for."""
        if name not in self.table_index:
            self.table_index[name] = len(self.tables)
            self.tables.append(ir.TableData(name, base, make(), repeats))
        return self.table_index[name]

    def variable(self, variable: ir.Variable) -> int:
        """Add a state variable."""
        self.variable_index[variable.name] = len(self.variables)
        self.variables.append(variable)
        return len(self.variables) - 1

    def own_variable(
        self,
        name: str,
        cells: int,
        kind: str,
        type: str,
        index: tuple[str, ...],
        low: int = -1,
        high: int = 1_000_000,
    ) -> int:
        """A variable of the machine's own, in no view."""
        if name in self.variable_index:
            return self.variable_index[name]
        start: tuple[int | tuple[int, ...], ...] = (() if kind == "set" else 0,) * cells
        return self.variable(
            ir.Variable(name, cells, kind, low, high, True, type, index, start, hidden=True, counts=False)
        )

    def stream(self, name: str) -> int:
        """The number of a source of chance."""
        if name not in self.stream_index:
            self.stream_index[name] = len(self.streams)
            self.streams.append(ir.Stream(name))
        return self.stream_index[name]

    def streams_for(self, name: str, names: list[str]) -> int:
        """The number of the first of several sources of chance, one after the other."""
        first = f"{name} {names[0]}"
        if first not in self.stream_index:
            for each in names:
                self.stream(f"{name} {each}")
        return self.stream_index[first]

    def nth_chance(self, code: Code) -> int:
        """A source of chance of its own for each draw written in a function."""
        self.choices[code.name] = self.choices.get(code.name, 0) + 1
        count = self.choices[code.name]
        return self.stream(f"chance in {code.name}" + (f" {count}" if count > 1 else ""))

    def function(self, name: str, write: Callable[[int], ir.Function]) -> int:
        """The number of the function of that name, written when first asked for."""
        if name not in self.function_index:
            number = len(self.functions)
            self.function_index[name] = number
            self.functions.append(None)
            self.functions[number] = write(number)
        return self.function_index[name]


def finished(code: Code, parameters: int, body: list[ir.Statement], span: Span = NOWHERE) -> ir.Function:
    """The function that has been written."""
    return ir.Function(
        code.name, parameters, len(code.slot_names), tuple(code.slot_names), tuple(body), code.result, span
    )


# ------------------------------------------------------------- folded building


def binary(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """A binary expression, worked out where both sides are known."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        a, b = left.value, right.value
        match op:
            case "+":
                return ir.Const(a + b)
            case "-":
                return ir.Const(a - b)
            case "*":
                return ir.Const(a * b)
            case "==":
                return ir.Const(int(a == b))
            case "!=":
                return ir.Const(int(a != b))
            case "<":
                return ir.Const(int(a < b))
            case "<=":
                return ir.Const(int(a <= b))
            case "min":
                return ir.Const(min(a, b))
            case "max":
                return ir.Const(max(a, b))
    if op == "and":
        if NO in (left, right):
            return NO if left == NO else ir.Binary("and", left, right) if right != NO else NO
        if left == YES:
            return right
        if right == YES:
            return left
    if op == "or":
        if left == YES:
            return YES
        if left == NO:
            return right
        if right == NO:
            return left
    if op in ("+", "-") and right == ir.Const(0):
        return left
    return ir.Binary(op, left, right)


def both(*conditions: ir.Expr | None) -> ir.Expr:
    """All the conditions together."""
    found: ir.Expr = YES
    for condition in conditions:
        if condition is not None:
            found = binary("and", found, condition)
    return found


def negated(condition: ir.Expr) -> ir.Expr:
    """The opposite of a condition."""
    match condition:
        case ir.Const(value):
            return ir.Const(1 - value)
        case ir.Unary("not", operand):
            return operand
        case ir.Binary("==", left, right):
            return ir.Binary("!=", left, right)
        case ir.Binary("!=", left, right):
            return ir.Binary("==", left, right)
    return ir.Unary("not", condition)


def chosen(condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    """One of two values; settled where the condition is known."""
    if isinstance(condition, ir.Const):
        return then if condition.value else otherwise
    return ir.Choice(condition, then, otherwise)


def filtered(slot: int, set: ir.Expr, condition: ir.Expr) -> ir.Expr:
    """The values of a set for which a condition holds."""
    if condition == YES:
        return set
    if condition == NO:
        return EMPTY
    return ir.Filter(slot, set, condition)


def one_of(value: ir.Expr) -> ir.Expr:
    """A set of one value."""
    return ir.SetConst((value.value,)) if isinstance(value, ir.Const) else ir.MakeSet((value,))
