"""Secrecy: a choice may not depend on what its chooser cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck


class Secrecy:
    """Looks for conditions of choices that read hidden things."""

    def __init__(self, check: GameCheck) -> None:
        self.check = check

    def run(self) -> None:
        """Look through all choices."""
