"""Bridges to games on a board of squares: reversi and breakthrough.

What has to be agreed, game by game:

- Reversi (there: othello): spaces are called alike. Who can put no disc must pass there; here nobody is
  asked, so the pass is made there as soon as it is the only move. Returns tell who has won; the discs
  of each colour are counted off OpenSpiel's picture of the board.
- Breakthrough: OpenSpiel counts rows from the bottom, here they are counted from the top. A move is called
  `b7c6` there, with a star behind it if it captures.
"""

from __future__ import annotations

from typing import Any

from rulewright.interpreter.match import Match
from rulewright.tests.differential.agreement import scores_here, winners_here, winners_there
from rulewright.tests.differential.bridges import InTurn

PASS = 64


class Reversi(InTurn):
    name = "othello"

    def id_of(self, text: str, action: int) -> str:
        del action
        return f"put_disc spot={text}"

    def apply(self, state: Any, decided: dict[int, int]) -> None:
        super().apply(state, decided)
        if state.legal_actions() == [PASS]:
            state.apply_action(PASS)

    def scored(self, match: Match, state: Any) -> tuple[Any, Any]:
        return scores_here(match), self._discs(state)

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        return (
            (winners_here(match), scores_here(match)),
            (winners_there(state.returns()), self._discs(state)),
        )

    @staticmethod
    def _discs(state: Any) -> tuple[int, int]:
        """How many black (x) and white (o) discs lie in the eight lines that begin with a figure."""
        rows = [row for row in str(state).splitlines() if row[:1].isdigit()]
        assert len(rows) == 8, rows
        return sum(row.count("x") for row in rows), sum(row.count("o") for row in rows)


class Breakthrough(InTurn):
    name = "breakthrough"

    def id_of(self, text: str, action: int) -> str:
        del action
        start, goal = (f"{place[0]}{9 - int(place[1])}" for place in (text[:2], text[2:4]))
        return f"{'capture' if text.endswith('*') else 'advance'} start={start} goal={goal}"
