"""The machine: run a position on to the next decision, or to the end.

Comes in: a `State`. Goes out: the same `State`, changed: with `ask` set when somebody must choose, or without
frames when the game is over. What never happens: an exception other than `RuleError`, and a run without end:
loops, calls, events and options have budgets, which begin anew with each decision.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl.problems import NOWHERE
from rulewright.interpreter import ir
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.flat import SUSPEND, SWITCH
from rulewright.interpreter.state import State


def begin(s: State) -> None:
    """Put the program's main function on the empty stack; each piece is known to those who see it."""
    code = s.code
    for place, pieces in s.contents.items():
        viewers = code.mask(s, place)
        for piece in pieces:
            s.known[piece] = viewers
    s.frames.append(code.frame(code.program.main, []))


def run(s: State) -> None:
    """Go on until a decision (`s.ask`) or the end (no frames). Raises RuleError.

    Once the game has ended nobody is asked any more: a decision then is the end of the run.
    """
    code = s.code
    s.fuel, s.events = code.budgets.steps, code.budgets.events
    s.ask = None
    _go(s)
    if s.ask is not None and s.vars[code.layout.offsets[ir.ENDED]] >= 0:
        s.ask = None
        s.frames.clear()


def compute(s: State, function: int, arguments: list[Any]) -> Any:
    """Run one function on a position (a copy, usually) whose frames are given up for it; its value.

    The function must not choose. Budgets go on from where they are. Raises RuleError.
    """
    s.frames = [s.code.frame(function, arguments)]
    _go(s)
    if s.ask is not None:
        raise RuleError("Nobody can choose while a condition is looked at.")
    return s.value


def _go(s: State) -> None:
    code, traced = s.code, s.trace is not None
    variant = code.traced if traced else code.plain
    frames = s.frames
    pc = 0
    try:
        while frames:
            frame = frames[-1]
            function, pc, slots = frame[0], frame[1], frame[2]
            ops = variant[function] or code.instructions(function, traced)
            while True:
                to = ops[pc](s, slots)
                if to < 0:
                    break
                pc = to
            if to == SWITCH:
                continue
            if to == SUSPEND:
                frame[1] = pc
            return
    except RuleError as error:
        raise _placed(s, pc, error) from None
    except RecursionError:
        deep = RuleError("Conditions lie too deep inside one another here.", form="budget")
        raise _placed(s, pc, deep) from None


def _placed(s: State, pc: int, error: RuleError) -> RuleError:
    """The error with the rule and the line at which it happened."""
    if error.rule or not s.frames:
        return error
    functions = s.code.program.functions
    error.chain = tuple(functions[f[0]].name for f in s.frames)
    error.rule = error.chain[-1]
    if error.span == NOWHERE:
        ops, _ = s.code.flat(s.frames[-1][0])
        error.span = getattr(ops[pc].node, "span", NOWHERE)
    return error
