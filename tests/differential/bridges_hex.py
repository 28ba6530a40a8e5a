"""The bridge to OpenSpiel's hex, with and without its swap rule.

OpenSpiel calls a space by the letter of its column and the number of its row from the top, as it is
called here; its swap, the last of its actions, takes the first stone over and mirrors it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.tests.differential.bridges import InTurn, spiel


@dataclass
class Hex(InTurn):
    side: int = 11
    swap: bool = False

    def begin(self) -> Any:
        return spiel(f"hex(board_size={self.side},swap={self.swap})").new_initial_state()

    def id_of(self, text: str, action: int) -> str:
        del action
        return "swap_sides" if text == "swap" else f"put_stone spot={text}"
