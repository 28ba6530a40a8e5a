"""Crazy eights written by hand (`bench/idiomatic.py`) is OpenSpiel's game: else its speed says nothing.

Two comparisons. Move by move, with the cards of the game by hand dealt there too: who moves, what is legal,
when it is over and what is held then. And games that each side draws for itself: what the first comparison
takes over from here (who deals, which cards) shows only in how long games are and how they end. Bounds are
four standard errors of the difference; seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, variance
from typing import Any

import pytest

from rulewright.bench.idiomatic import CrazyEights
from rulewright.tests.differential.bridges import spiel
from rulewright.tests.differential.bridges_cards import RANKS, take

THERE = "crazy_eights(players={})"


def named(game: CrazyEights, move: str) -> str:
    """What a move is called there, where a card has its suit first."""
    if game.naming:
        return f"Nominate suit {move}"
    return move.capitalize() if move in ("draw", "pass") else f"Play {move[::-1]}"


def dealt(game: CrazyEights) -> Any:
    """The game there, with the dealer and the cards of the game here."""
    state, first = spiel(THERE.format(game.players)).new_initial_state(), game.turn
    take(state, f"Decide Player {(first - 1) % game.players} to be the dealer")
    for number in range(len(game.hands[0])):
        for seat in range(game.players):
            take(state, f"Deal {game.hands[(first + seat) % game.players][number][::-1]}")
    take(state, f"Deal {game.top[::-1]}")
    return state


def points_there(card: str) -> int:
    """What a card that is left counts there: below the jack its number in the pack and 2, not its rank."""
    rank = RANKS.index(card[0])
    return 50 if card[0] == "8" else 10 if rank >= RANKS.index("J") else 4 * rank + "CDHS".index(card[1]) + 2


@pytest.mark.parametrize("players", [2, 4])
def test_every_move_is_the_same_in_openspiel(players: int, figure: Callable[[int, int], int]) -> None:
    for seed in range(figure(100, 5000)):
        luck = random.Random(seed)
        game = CrazyEights(luck, players)
        state = dealt(game)
        while not game.over:
            assert state.current_player() == game.turn, f"seed {seed}"
            legal = {state.action_to_string(action): action for action in state.legal_actions()}
            assert sorted(named(game, move) for move in game.moves()) == sorted(legal), f"seed {seed}"
            move, mover = luck.choice(game.moves()), game.turn
            state.apply_action(legal[named(game, move)])
            game.play(move)
            if move == "draw":
                take(state, f"Deal {game.hands[mover][-1][::-1]}")
        assert state.is_terminal(), f"seed {seed}"
        left = [-sum(map(points_there, hand)) for hand in game.hands]
        assert left == state.returns(), f"seed {seed}"


COLUMNS = ("length", "rank of the first card", "seat 0 begins", "seat 0 empties its hand", "nobody does")
Seen = tuple[int, int, bool, bool, bool]
TOO_LONG = 2000  # decisions; a game by hand that cannot end has to fail, not to hang


def seen_here(luck: random.Random) -> Seen:
    game, moves = CrazyEights(luck), 0
    first, card = game.turn, RANKS.index(game.top[0])
    while not game.over and moves < TOO_LONG:
        game.play(luck.choice(game.moves()))
        moves += 1
    return moves, card, first == 0, not game.hands[0], all(game.hands)


def seen_there(luck: random.Random) -> Seen:
    state, moves, first, card = spiel(THERE.format(4)).new_initial_state(), 0, -1, -1
    while not state.is_terminal():
        if not state.is_chance_node():
            if not moves:
                first, card = state.current_player(), state.history()[-1] // 4
            moves += 1
        # Chance too has equal shares, in each of its draws.
        state.apply_action(luck.choice(state.legal_actions()))
    returns = state.returns()
    return moves, card, first == 0, returns[0] == 0, 0 not in returns


def agree(here: Sequence[float], there: Sequence[float]) -> bool:
    error = sqrt(variance(here) / len(here) + variance(there) / len(there))
    return abs(mean(here) - mean(there)) <= 4 * error


def test_lengths_and_results_are_those_of_openspiel(figure: Callable[[int, int], int]) -> None:
    games = figure(2000, 20_000)
    here, there = random.Random(1), random.Random(2)
    columns_here = list(zip(*(seen_here(here) for _ in range(games)), strict=True))
    columns_there = list(zip(*(seen_there(there) for _ in range(games)), strict=True))
    for what, ours, theirs in zip(COLUMNS, columns_here, columns_there, strict=True):
        assert agree(ours, theirs), f"{what}: {mean(ours):.3f} here, {mean(theirs):.3f} there"
