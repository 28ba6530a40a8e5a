"""Tidy a program: take out the looks for an early end where nothing that was called can cause one.

Comes in: a program with a look after every call. Goes out: the same program without the looks that can
never be true, and without code behind them. What never happens: a change of meaning.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.interpreter import ir
from rulewright.interpreter.walk import every_statement

LOOK = ir.Binary("!=", ir.Load(ir.UNWINDING), ir.Const(0))


def tidy(program: ir.Program) -> ir.Program:
    """The program without needless looks."""
    unwinding = _may_unwind(program)
    functions = tuple(replace(f, body=_body(f.body, unwinding)) for f in program.functions)
    return replace(program, functions=functions)


def _may_unwind(program: ir.Program) -> set[int]:
    """The functions that can end a turn, a phase or the game."""
    found: set[int] = set()
    callers: dict[int, set[int]] = {}
    for i, f in enumerate(program.functions):
        for statement in f.body:
            for x in every_statement(statement):
                if isinstance(x, ir.CallTo):
                    callers.setdefault(x.function, set()).add(i)
                elif _ends_something(x):
                    found.add(i)
    todo = list(found)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return found


def _ends_something(x: object) -> bool:
    return isinstance(x, ir.EndGame) or (
        isinstance(x, ir.Store) and x.var == ir.UNWINDING and x.value != ir.Const(0)
    )


def _unwinds(statement: ir.Statement, unwinding: set[int]) -> bool:
    return any(
        part.function in unwinding if isinstance(part, ir.CallTo) else _ends_something(part)
        for part in every_statement(statement)
    )


def _body(body: ir.Body, unwinding: set[int]) -> ir.Body:
    found: list[ir.Statement] = []
    unsure = False  # whether something since the last look may have ended the turn, the phase or the game
    for statement in body:
        if isinstance(statement, ir.If) and statement.condition == LOOK:
            if unsure:
                found.append(statement)
            unsure = False
            continue
        unsure = unsure or _unwinds(statement, unwinding)
        found.append(_inside(statement, unwinding))
        if _leaves(found[-1]):
            break
    return tuple(found)


def _leaves(statement: ir.Statement) -> bool:
    """Whether nothing behind a statement is ever reached."""
    match statement:
        case ir.Return() | ir.Break() | ir.Fail():
            return True
        case ir.If(_, then, otherwise):
            return bool(then) and bool(otherwise) and _leaves(then[-1]) and _leaves(otherwise[-1])
    return False


def _inside(statement: ir.Statement, unwinding: set[int]) -> ir.Statement:
    match statement:
        case ir.If():
            return replace(
                statement,
                then=_body(statement.then, unwinding),
                otherwise=_body(statement.otherwise, unwinding),
            )
        case ir.ForEach() | ir.Repeat() | ir.Loop():
            return replace(statement, body=_body(statement.body, unwinding))
    return statement
