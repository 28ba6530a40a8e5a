from __future__ import annotations

from dataclasses import dataclass, replace

from rulewright.dsl.problems import Problem
from rulewright.interpreter.ir import Binary, Const, Function, Load, Program, Return
from rulewright.interpreter.match import Match, start
from rulewright.playtest.invariants import Probe, probe
from rulewright.playtest.settings import Settings
from rulewright.tests.interpreter.programs import at, dice_game

POT = 6  # the variable


@dataclass(frozen=True, slots=True)
class Held:
    program: Program

    def start(self, seed: int, trace: bool = False) -> Match | tuple[Problem, ...]:
        return start(self.program, seed, trace=trace)


def with_invariant(most: int) -> Program:
    program = dice_game()
    holds = Function(
        "small_pot", 0, 1, ("-",), (Return(Binary("<=", Load(POT), Const(most)), at(50)),), "number", at(50)
    )
    functions = (*program.functions, holds)
    return replace(program, functions=functions, invariants=(("small_pot", len(functions) - 1),))


def probed(most: int) -> Probe:
    found = probe(Settings("dice", games=10), lambda s: Held(with_invariant(most)))
    assert isinstance(found, Probe)
    return found


def test_what_always_holds_is_no_breach() -> None:
    found = probed(99)
    assert (found.games, found.breaches, found.invariants) == (10, (), ("small_pot",))


def test_a_breach_is_told_with_the_seed_and_the_choice_that_show_it() -> None:
    found = probed(3)
    assert found.breaches
    breach = found.breaches[0]
    assert "small_pot" in breach.reason and breach.choices > 0 and 0 <= breach.seed < 10
