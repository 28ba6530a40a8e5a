"""Kept: what follows from a game alone is worked out once, not for every setting that it is prepared for.

Comes in: a function of a game. Goes out: the same function, which remembers its results for the last few
games, by identity. What never happens: a game that is kept alive for long, or a result for another game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from rulewright.dsl.model import Game

T = TypeVar("T")
GAMES = 4


def once_for_game(function: Callable[[Game], T]) -> Callable[[Game], T]:
    """The function, remembering its results for the last four games. Results must not be changed."""
    known: list[tuple[Game, T]] = []

    @wraps(function)
    def kept(game: Game) -> T:
        for other, result in known:
            if other is game:
                return result
        result = function(game)
        known.insert(0, (game, result))
        del known[GAMES:]
        return result

    return kept
