"""Link comparisons and arithmetic: the smallest pieces that expressions are made of.

Comes in: callables for the operands (see `link_expr.py`), and the operands themselves where a shorter way
exists for locals and constants. Goes out: a callable. What never happens: a truth value that is
neither 0 nor 1 where a number is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.faults import RuleError

Ev = Callable[[Any, list[Any]], Any]
COMPARISONS = ("==", "!=", "<", "<=")


def number(test: Ev) -> Ev:
    """The truth of a test as 1 or 0."""
    return lambda s, loc: 1 if test(s, loc) else 0


def the_only(xs: Ev, span: Span) -> Ev:
    """The one value of a set."""

    def only(s: Any, loc: list[Any]) -> Any:
        got = xs(s, loc)
        if len(got) == 1:
            return got[0]
        found = "none" if not got else str(len(got))
        raise RuleError(f"`the` needs exactly one, and there are {found}.", span)

    return only


def seats(players: int, start: Ev, clockwise: Ev) -> Ev:
    """All players in seat order from one of them; nobody if there is no such player."""
    orders = {
        True: [tuple((p + i) % players for i in range(players)) for p in range(players)],
        False: [tuple((p - i) % players for i in range(players)) for p in range(players)],
    }

    def order(s: Any, loc: list[Any]) -> Any:
        p = start(s, loc)
        return orders[bool(clockwise(s, loc))][p] if 0 <= p < players else ()

    return order


def compare(op: str, left: ir.Expr, right: ir.Expr, a: Ev, b: Ev) -> Ev:
    """A comparison of two numbers, with short ways for locals and constants."""
    if isinstance(right, ir.Const):
        c = right.value
        if isinstance(left, ir.Local):
            i = left.slot
            if op == "==":
                return lambda s, loc: loc[i] == c
            if op == "!=":
                return lambda s, loc: loc[i] != c
            if op == "<":
                return lambda s, loc: loc[i] < c
            return lambda s, loc: loc[i] <= c
        if op == "==":
            return lambda s, loc: a(s, loc) == c
        if op == "!=":
            return lambda s, loc: a(s, loc) != c
        if op == "<":
            return lambda s, loc: a(s, loc) < c
        return lambda s, loc: a(s, loc) <= c
    if isinstance(right, ir.Local):
        j = right.slot
        if op == "==":
            return lambda s, loc: a(s, loc) == loc[j]
        if op == "!=":
            return lambda s, loc: a(s, loc) != loc[j]
    if op == "==":
        return lambda s, loc: a(s, loc) == b(s, loc)
    if op == "!=":
        return lambda s, loc: a(s, loc) != b(s, loc)
    if op == "<":
        return lambda s, loc: a(s, loc) < b(s, loc)
    return lambda s, loc: a(s, loc) <= b(s, loc)


def arithmetic(op: str, a: Ev, b: Ev, right: ir.Expr) -> Ev:
    """`+ - * mod min max div_down div_up`; dividing by 0 is a rule error."""
    if isinstance(right, ir.Const):
        c = right.value
        if op == "+":
            return lambda s, loc: a(s, loc) + c
        if op == "-":
            return lambda s, loc: a(s, loc) - c
        if op == "mod" and c:
            return lambda s, loc: a(s, loc) % c
    match op:
        case "+":
            return lambda s, loc: a(s, loc) + b(s, loc)
        case "-":
            return lambda s, loc: a(s, loc) - b(s, loc)
        case "*":
            return lambda s, loc: a(s, loc) * b(s, loc)
        case "min":
            return lambda s, loc: min(a(s, loc), b(s, loc))
        case "max":
            return lambda s, loc: max(a(s, loc), b(s, loc))
        case "mod":
            return lambda s, loc: a(s, loc) % divisor(b(s, loc))
        case "div_down":
            return lambda s, loc: a(s, loc) // divisor(b(s, loc))
        case "div_up":
            return lambda s, loc: -(-a(s, loc) // divisor(b(s, loc)))
        case _:
            raise ValueError(f"unknown operation {op}")


def divisor(n: int) -> int:
    """The number itself, which must not be 0."""
    if n == 0:
        raise RuleError("A number cannot be divided by 0.")
    return n
