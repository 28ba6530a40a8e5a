"""Evaluate: the value of an expression that depends on nothing but slots whose values are given.

Comes in: an expression and values of slots. Goes out: a number, a set, or None where the value depends on the
state of a game (or would be a rule error). Used while a program is emitted: what is the same in every game is
worked out once. What never happens: another value than a machine would compute.
"""

from __future__ import annotations

from rulewright.interpreter import ir

Value = int | tuple[int, ...]


def evaluate(program: ir.Program, e: ir.Expr, slots: dict[int, int]) -> Value | None:
    """The value, or None."""

    def number(part: ir.Expr) -> int | None:
        found = evaluate(program, part, slots)
        return found if isinstance(found, int) else None

    match e:
        case ir.Const(value):
            return value
        case ir.SetConst(items):
            return items
        case ir.Local(slot):
            return slots.get(slot)
        case ir.At(table, index):
            data, i = program.tables[table], number(index)
            return data.data[i - data.base] if i is not None and 0 <= i - data.base < len(data.data) else None
        case ir.Unary(op, operand):
            a = number(operand)
            return None if a is None else -a if op == "-" else int(not a)
        case ir.Binary("and" | "or" as op, left, right):
            a = number(left)
            if a is None:
                return None
            if bool(a) == (op == "or"):
                return int(bool(a))
            b = number(right)
            return None if b is None else int(bool(b))
        case ir.Binary(op, left, right):
            a, b = number(left), number(right)
            return None if a is None or b is None else _arithmetic(op, a, b)
        case ir.Choice(condition, then, otherwise):
            a = number(condition)
            return None if a is None else evaluate(program, then if a else otherwise, slots)
        case ir.Contains(of, value):
            among, a = evaluate(program, of, slots), number(value)
            return int(a in among) if isinstance(among, tuple) and a is not None else None
        case ir.Size(of):
            among = evaluate(program, of, slots)
            return len(among) if isinstance(among, tuple) else None
        case _:
            return None


def _arithmetic(op: str, a: int, b: int) -> int | None:
    if op in ("mod", "div_down", "div_up") and b == 0:
        return None
    results = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "min": lambda: min(a, b),
        "max": lambda: max(a, b), "mod": lambda: a % b, "div_down": lambda: a // b,
        "div_up": lambda: -(-a // b), "==": lambda: int(a == b), "!=": lambda: int(a != b),
        "<": lambda: int(a < b), "<=": lambda: int(a <= b),
    }  # fmt: skip
    return results[op]()
