"""Sense: rules that can never fire, phases nobody can leave, choices that are always empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck


def check_sense(check: GameCheck) -> None:
    """Report what makes no sense."""
