"""Games for the tests of this folder: programs written by hand behind the face that batches open."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.problems import Problem, Span
from rulewright.interpreter.ir import Program
from rulewright.interpreter.match import Match, start
from rulewright.playtest.settings import Settings
from rulewright.tests.interpreter.programs import card_game, connect_four, dice_game, tic_tac_toe

PROGRAMS = {"rows": tic_tac_toe, "drop": connect_four, "dice": dice_game, "cards": card_game}


@dataclass(frozen=True, slots=True)
class Hand:
    """A program that can be started."""

    program: Program

    def start(self, seed: int, trace: bool = False) -> Match | tuple[Problem, ...]:
        return start(self.program, seed, trace=trace)


def open_hand(settings: Settings) -> Hand | tuple[Problem, ...]:
    """An opener that other processes can import."""
    if settings.game not in PROGRAMS:
        return (Problem("E151", Span("x", 1, 1), "There is no such game."),)
    return Hand(PROGRAMS[settings.game]())
