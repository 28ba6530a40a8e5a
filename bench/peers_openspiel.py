"""What OpenSpiel does in one thread: random playouts of a game, the whole loop in its C++.

`rollouts` drives the evaluator of its tree search: a bot of one simulation evaluates the first position by
many random rollouts (copy, legal actions, apply, to the end). Games that begin with chance cannot be searched
so; for these `bots` plays whole games between its own random bots. A call and a newly seeded generator for
each game come on top, which in a short game take longer than the game. `after_deal` is the bound on the other
side: rollouts for which the deal costs nothing. What OpenSpiel's own loop would do lies between the two.
`looked_at` plays some games move by move and says how long they were and who won, so that everybody can see
that it is the same work.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyspiel

DEALS = 16  # how many positions after the deal: what is dealt decides how long a game is


@dataclass(frozen=True, slots=True)
class Looked:
    """Mean length in decisions (chance is none), and in how many games the first seat did best: a share, of
    equals each has it where the game says that both have won, else each has half of it."""

    length: float
    first: float


def rollouts(text: str) -> Callable[[], int]:
    """Random rollouts of a game without chance, many at once; how many."""
    game = pyspiel.load_game(text)
    return _rolled_out(game, [game.new_initial_state()])


def after_deal(text: str) -> Callable[[], int]:
    """Random rollouts of a game that begins with chance, from some positions after that; how many."""
    game, luck = pyspiel.load_game(text), random.Random(1)
    states = [game.new_initial_state() for _ in range(DEALS)]
    for state in states:
        while state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(outcomes, shares)[0])
    return _rolled_out(game, states)


def _rolled_out(game: object, states: Sequence[object]) -> Callable[[], int]:
    """The same number of rollouts from each position, some 0.1 s in all."""
    begun = time.process_time()
    _bot(game, 16).mcts_search(states[0])
    many = max(1, int(0.1 * 16 / max(time.process_time() - begun, 1e-6) / len(states)))
    bot = _bot(game, many)

    def work() -> int:
        for state in states:
            bot.mcts_search(state)
        return many * len(states)

    return work


def _bot(game: object, many: int) -> object:
    evaluator = pyspiel.RandomRolloutEvaluator(many, 1234)
    return pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 42, False)


def bots(text: str) -> Callable[[], int]:
    """Whole games between random bots, one call each; how many."""
    game = pyspiel.load_game(text)
    players = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
    count = 0

    def work() -> int:
        nonlocal count
        for _ in range(100):
            pyspiel.evaluate_bots(game.new_initial_state(), players, count)
            count += 1
        return 100

    return work


def looked_at(text: str, games: int, both_win: bool, forced_pass: bool) -> Looked:
    """Some games, move by move. `forced_pass`: a pass that is the only move counts as a decision."""
    game, luck = pyspiel.load_game(text), random.Random(1)
    moves, first = 0, 0.0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(outcomes, shares)[0])
            else:
                legal = state.legal_actions()
                passes = len(legal) == 1 and state.action_to_string(legal[0]).lower() == "pass"
                moves += forced_pass or not passes
                state.apply_action(luck.choice(legal))
        returns = list(state.returns())
        best = [seat for seat, n in enumerate(returns) if n == max(returns)]
        first += (1.0 if both_win else 1 / len(best)) if 0 in best else 0.0
    return Looked(moves / games, first / games)
