"""Agreement: the same random playouts here and in OpenSpiel, compared after every move.

Comes in: a `Bridge` (one game, named the same way on both sides) and how many playouts. Goes out: the first
`Difference`, or None. Before each move and at the end these must be equal: whose turn it is, the legal moves
by name, what has been scored so far (where both sides tell), whether it is over, and at the end who won and
with how much. What never happens: a playout that uses another source of luck than its seed. Chance is drawn
here, by the seed of the playout; a bridge reads the outcomes off what the players may see and hands
them to OpenSpiel. To add a game: a class with the methods of `Bridge`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match


class Bridge(Protocol):
    """How one game here corresponds to one game there. Players go by their seats, from 0."""

    players: int

    def begin(self) -> Any:
        """A new game there, before its first move and before chance has done anything."""

    def settle(self, match: Match, state: Any) -> None:
        """Let chance do there what it did here, as far as it has gone; may raise `ChanceDiffers`."""

    def moves(self, state: Any, player: int) -> Mapping[str, int]:
        """The legal moves there: id of the option here → number of the action there."""

    def mover(self, state: Any, decided: Mapping[int, int]) -> int:
        """Who has to move there; `decided` are moves that wait for those of others (simultaneous ones)."""

    def apply(self, state: Any, decided: dict[int, int]) -> None:
        """Make the moves there if all that are needed are in `decided`, and empty it; else do nothing."""

    def scored(self, match: Match, state: Any) -> tuple[Any, Any]:
        """What has been scored so far, here and there, in one form; `((), ())` if nothing is to compare."""

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        """Who has won, and with how much, here and there, in one form."""


class ChanceDiffers(Exception):
    """What chance did here is not possible there."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two playouts part.

    `what` is "moves", "player", "over", "score", "outcome", "chance" or "fault".
    """

    what: str
    seed: int
    path: tuple[str, ...]
    here: object
    there: object

    def __str__(self) -> str:
        way = " · ".join(self.path) or "at the beginning"
        return f"{self.what} differ (seed {self.seed}, {way}): here {self.here}, there {self.there}"


def loaded(name: str, options: dict[str, str], *variants: str) -> PlayableGame:
    """A game with options and variants, which must be right."""
    game = load(name, variants, dict(options))
    assert isinstance(game, PlayableGame), [str(p) for p in game]
    return game


def first_difference(game: PlayableGame, bridge: Bridge, playouts: int, seed: int = 0) -> Difference | None:
    """Play and compare; the first difference, or None when all playouts agree."""
    for number in range(seed, seed + playouts):
        found = _playout(game, bridge, number)
        if found is not None:
            return found
    return None


def _playout(game: PlayableGame, bridge: Bridge, seed: int) -> Difference | None:
    match = game.start(players=bridge.players, seed=seed, trace=False)
    assert isinstance(match, Match), [str(p) for p in match]
    state = bridge.begin()
    luck = random.Random(f"moves of playout {seed}")
    path: list[str] = []
    decided: dict[int, int] = {}

    def differ(what: str, here: object, there: object) -> Difference:
        return Difference(what, seed, tuple(path), here, there)

    while True:
        if match.fault is not None:
            return differ("fault", match.fault.reason, state)
        try:
            bridge.settle(match, state)
        except ChanceDiffers as found:
            return differ("chance", str(found), str(state))
        if match.over or state.is_terminal():
            break
        if not decided:
            here, there = bridge.scored(match, state)
            if here != there:
                return differ("score", here, there)
        decision = match.decision
        assert decision is not None
        mover = bridge.mover(state, decided)
        if decision.player != mover:
            return differ("player", decision.player, mover)
        moves = bridge.moves(state, mover)
        ids = [option.id for option in decision.options]
        if sorted(ids) != sorted(moves):
            return differ("moves", sorted(ids), sorted(moves))
        move = luck.choice(sorted(moves))
        path.append(move)
        refusal = match.choose(move)
        if refusal is not None:
            return differ("fault", refusal.reason, move)
        decided[mover] = moves[move]
        bridge.apply(state, decided)
    if match.over != state.is_terminal():
        return differ("over", match.over, state.is_terminal())
    here, there = bridge.outcome(match, state)
    return differ("outcome", here, there) if here != there else None


def winners_here(match: Match) -> tuple[int, ...]:
    """The seats of those who have won."""
    names = match.program.players
    return tuple(sorted(names.index(name) for name in match.result.winners))


def winners_there(returns: list[float]) -> tuple[int, ...]:
    """The seats of those who have gained something. In a game where all get 0, nobody has won."""
    return tuple(seat for seat, gain in enumerate(returns) if gain > 0)


def scores_here(match: Match) -> tuple[int, ...]:
    """The scores by seat."""
    return tuple(score for _, score in match.result.scores)
