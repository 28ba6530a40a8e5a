"""Random playouts on the reference machine, without a trace, beside hand-written Python for the same game.

Both sides do the same: all legal moves, one of them at random, until the game is over. Aim: at least a
sixtieth of the speed of the hand-written game, for Connect Four. Windows of both are interleaved, in
processor time; the best window of each counts, since other work on the machine only ever slows down.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from idiomatic import ConnectFour, TicTacToe, playout
from measure import rate_of, table

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match

WINDOWS, SECONDS = 3, 1.0
OTHER_GAMES = (("kuhn_poker", 2), ("pig", 2), ("goofspiel", 2), ("vyr", 2), ("vye", 3), ("vye", 5))


class OfRules:
    """Random playouts of a game written in rules."""

    def __init__(self, name: str, players: int | None = None) -> None:
        game = load(name)
        if not isinstance(game, PlayableGame):
            raise SystemExit(f"{name}: {game[0]}")
        self.game, self.players = game, players
        self.luck = random.Random(1)
        self.seed, self.moves = 0, 0

    def __call__(self) -> int:
        """Play one; how many were played (1)."""
        self.seed += 1
        match = self.game.start(players=self.players, seed=self.seed, trace=False)
        if not isinstance(match, Match):
            raise SystemExit(str(match[0]))
        while (decision := match.decision) is not None:
            match.choose(self.luck.randrange(decision.count))
            self.moves += 1
        return 1


def by_hand(game: type[TicTacToe] | type[ConnectFour]) -> Callable[[], int]:
    """Random playouts of a hand-written game, ten at a time."""
    luck = random.Random(1)

    def ten() -> int:
        for _ in range(10):
            playout(game(), luck)
        return 10

    return ten


def main() -> None:
    rows = []
    for name, hand in (("tic_tac_toe", TicTacToe), ("connect_four", ConnectFour)):
        rules, written = OfRules(name), by_hand(hand)
        best = [0.0, 0.0]
        for _ in range(WINDOWS):
            best = [max(best[0], rate_of(rules, SECONDS)), max(best[1], rate_of(written, SECONDS))]
        aim = " (aim: at least 1/60)" if name == "connect_four" else ""
        rows.append(
            (name, f"{best[0]:7.0f} playouts/s, by hand {best[1]:7.0f}, ratio 1/{best[1] / best[0]:.1f}{aim}")
        )
    for name, players in OTHER_GAMES:
        rules = OfRules(name, players)
        rate = max(rate_of(rules, SECONDS) for _ in range(WINDOWS))
        length = rules.moves / rules.seed
        rows.append(
            (
                f"{name}, {players} players",
                f"{rate:7.1f} playouts/s, {1000 / rate:.1f} ms and {length:.0f} decisions each",
            )
        )
    table(f"Random playouts, best of {WINDOWS} windows", rows)


if __name__ == "__main__":
    main()
