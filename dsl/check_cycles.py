"""Cycles: events that can cause each other again, CHANGE rules that need each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck


def check_cycles(check: GameCheck) -> None:
    """Report the cycles of a game."""
