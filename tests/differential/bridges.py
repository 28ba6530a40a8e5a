"""Bridges: five classic games, with the names of OpenSpiel's moves turned into ids of options.

What has to be agreed, game by game:

- Tic-tac-toe: OpenSpiel names a space `x(row,column)` with rows from the top; here it is `c1`, the
  column's letter and the row from the top. Nobody wins: returns 0 and 0.
- Connect four: the action's number is the column from the left; here `column_a` is the leftmost.
- Kuhn poker: OpenSpiel deals in a chance step for each player, first player first; here all are dealt at
  once, so the steps are fed from the hands, each as its owner sees it. Pass (also: fold) is action 0, bet
  (also: call) is action 1, and both are offered until the end on both sides. Returns are the chips won.
- Pig: `throw` is OpenSpiel's roll. OpenSpiel lets a player roll although what they have is enough to win;
  here they must stop, so that roll is left out of OpenSpiel's moves. OpenSpiel stops after so many moves
  (`horizon`), here after so many rounds: both limits lie far beyond what is played. A die that has been
  thrown stays on the table with its face up: that is the outcome of OpenSpiel's chance step.
- Goofspiel: OpenSpiel has players bid at the same moment, here they are asked one after the other and
  do not see the bids before: moves wait in `decided` until all are in. The prize that OpenSpiel deals in
  a chance step is the one that lies face up here. The last prize and the last bids are forced: OpenSpiel
  deals and plays them by itself, and here a choice of one is made without asking. Prizes count
  their rank; equal highest bids discard the prize; OpenSpiel plays it twice in step, once returning points
  and once returning win or loss, where all 0 means that everybody shares the win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from rulewright.interpreter.match import Match
from rulewright.tests.differential.agreement import (
    ChanceDiffers,
    scores_here,
    winners_here,
    winners_there,
)


@cache
def spiel(text: str) -> Any:
    """A game of OpenSpiel, loaded once."""
    return pyspiel.load_game(text)


class InTurn:
    """What games have in common in which one player moves at a time and nothing is left to chance."""

    players = 2
    name = ""

    def begin(self) -> Any:
        return spiel(self.name).new_initial_state()

    def settle(self, match: Match, state: Any) -> None:
        del match, state

    def moves(self, state: Any, player: int) -> Mapping[str, int]:
        return {self.id_of(state.action_to_string(player, a), a): a for a in state.legal_actions(player)}

    def id_of(self, text: str, action: int) -> str:
        raise NotImplementedError

    def mover(self, state: Any, decided: Mapping[int, int]) -> int:
        del decided
        return int(state.current_player())

    def apply(self, state: Any, decided: dict[int, int]) -> None:
        (action,) = decided.values()
        decided.clear()
        state.apply_action(action)

    def scored(self, match: Match, state: Any) -> tuple[Any, Any]:
        del match, state
        return (), ()

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        return winners_here(match), winners_there(state.returns())


class TicTacToe(InTurn):
    name = "tic_tac_toe"

    def id_of(self, text: str, action: int) -> str:
        del action
        row, column = text[2:-1].split(",")  # x(2,0)
        return f"put_mark spot={'abc'[int(column)]}{int(row) + 1}"


class ConnectFour(InTurn):
    name = "connect_four"

    def id_of(self, text: str, action: int) -> str:
        del text
        return f"drop lane=column_{'abcdefg'[action]}"


@dataclass
class Kuhn(InTurn):
    players: int = 2

    def begin(self) -> Any:
        return spiel(f"kuhn_poker(players={self.players})").new_initial_state()

    def settle(self, match: Match, state: Any) -> None:
        seat = 0
        while state.is_chance_node():
            hand = match.view(seat)["zones"][f"hand of {match.program.players[seat]}"]["pieces"]
            rank = int(hand[0]["code"].removeprefix("K"))
            if len(hand) != 1 or rank not in state.legal_actions():
                raise ChanceDiffers(f"player {seat} holds {hand}")
            state.apply_action(rank)
            seat += 1

    def id_of(self, text: str, action: int) -> str:
        del action
        return text.lower()

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        chips = tuple(int(x) for x in state.returns())
        return (winners_here(match), scores_here(match)), (winners_there(chips), chips)


@dataclass
class Pig(InTurn):
    players: int = 2
    goal: int = 100

    def begin(self) -> Any:
        return spiel(f"pig(players={self.players},horizon=1000000,winscore={self.goal})").new_initial_state()

    def settle(self, match: Match, state: Any) -> None:
        if state.is_chance_node():
            (die,) = match.view(None)["zones"]["table"]["pieces"]
            state.apply_action(int(die["face of piece"]) - 1)

    def moves(self, state: Any, player: int) -> Mapping[str, int]:
        scores, turn_total = self._standing(state)
        enough = scores[player] + turn_total >= self.goal
        return {
            "throw" if text == "roll" else text: action
            for action in state.legal_actions(player)
            for text in (state.action_to_string(player, action).strip(),)
            if not (enough and text == "roll")
        }

    def scored(self, match: Match, state: Any) -> tuple[Any, Any]:
        return scores_here(match), self._standing(state)[0]

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        there = self._standing(state)[0]
        return (winners_here(match), scores_here(match)), (winners_there(state.returns()), there)

    @staticmethod
    def _standing(state: Any) -> tuple[tuple[int, ...], int]:
        """Scores and total of the turn, as in `Scores: 12 0, Turn total: 5`."""
        scores, total = str(state).splitlines()[0].split(", ")
        return tuple(int(w) for w in scores.split()[1:]), int(total.split()[-1])


@dataclass
class Goofspiel(InTurn):
    players: int = 2
    cards: int = 13

    def begin(self) -> Any:
        return _Twice(
            *(
                spiel(
                    f"goofspiel(players={self.players},num_cards={self.cards},points_order=random,returns_type={r})"
                ).new_initial_state()
                for r in ("total_points", "win_loss")
            )
        )

    def settle(self, match: Match, state: Any) -> None:
        if not state.is_chance_node():
            return
        upcard = match.view(None)["zones"]["upcard"]["pieces"]
        prize = int(upcard[-1]["code"].removeprefix("P")) - 1 if upcard else -1
        if prize not in state.legal_actions():
            raise ChanceDiffers(f"prize {upcard}")
        state.apply_action(prize)

    def mover(self, state: Any, decided: Mapping[int, int]) -> int:
        assert state.is_simultaneous_node()
        return next(p for p in range(self.players) if p not in decided)

    def id_of(self, text: str, action: int) -> str:
        del text
        return f"b=B{action + 1}"

    def apply(self, state: Any, decided: dict[int, int]) -> None:
        if len(decided) == self.players:
            state.apply_actions([decided[p] for p in range(self.players)])
            decided.clear()

    def scored(self, match: Match, state: Any) -> tuple[Any, Any]:
        return scores_here(match), tuple(int(x) for x in str(state).rsplit("Points:", 1)[1].split())

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        winners = winners_there(state.gains()) or tuple(range(self.players))
        points = tuple(int(x) for x in state.returns())
        return (winners_here(match), scores_here(match)), (winners, points)


class _Twice:
    """One game of OpenSpiel played twice in step: the first tells points, the second wins."""

    def __init__(self, points: Any, wins: Any) -> None:
        self._points, self._wins = points, wins

    def __getattr__(self, name: str) -> Any:
        return getattr(self._points, name)

    def __str__(self) -> str:
        return str(self._points)

    def apply_action(self, action: int) -> None:
        self._points.apply_action(action)
        self._wins.apply_action(action)

    def apply_actions(self, actions: list[int]) -> None:
        self._points.apply_actions(actions)
        self._wins.apply_actions(actions)

    def gains(self) -> list[float]:
        return list(self._wins.returns())
