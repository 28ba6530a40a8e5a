"""Games for the tests of this folder: programs written by hand behind the face that batches open."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import dataclass, replace

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


def is_worker() -> bool:
    return multiprocessing.parent_process() is not None


def open_elsewhere_changed(settings: Settings) -> Hand | tuple[Problem, ...]:
    """The same game with other rules in worker processes: somebody saved the file meanwhile."""
    program = PROGRAMS[settings.game]()
    return Hand(replace(program, rules_hash="changed") if is_worker() else program)


def open_elsewhere_killed(settings: Settings) -> Hand | tuple[Problem, ...]:
    """A game that ends every worker process that opens it."""
    if is_worker():
        os.kill(os.getpid(), signal.SIGKILL)
    return Hand(PROGRAMS[settings.game]())
