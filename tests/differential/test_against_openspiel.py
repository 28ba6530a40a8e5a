"""Random playouts agree with OpenSpiel's implementation after every move (see `bridges.py` for what
"the same" means in each game)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.tests.differential.agreement import Bridge, first_difference, loaded
from rulewright.tests.differential.bridges import ConnectFour, Goofspiel, Kuhn, Pig, TicTacToe
from rulewright.tests.differential.bridges_boards import Breakthrough, Reversi
from rulewright.tests.differential.bridges_cards import CrazyEights, Leduc
from rulewright.tests.differential.bridges_hex import Hex

# The name of the game, its options, the bridge, playouts in `make test`, and in `make soak`.
COMPARED: list[tuple[str, dict[str, str], Bridge, int, int]] = [
    ("tic_tac_toe", {}, TicTacToe(), 1000, 10_000),
    ("connect_four", {}, ConnectFour(), 1000, 10_000),
    ("kuhn_poker", {}, Kuhn(2), 1000, 10_000),
    ("kuhn_poker", {}, Kuhn(3), 1000, 10_000),
    ("kuhn_poker", {}, Kuhn(5), 200, 10_000),
    ("pig", {}, Pig(2), 1000, 10_000),
    ("pig", {"goal": "30"}, Pig(3, goal=30), 200, 10_000),
    ("goofspiel", {}, Goofspiel(2), 1000, 10_000),
    ("goofspiel", {"highest_card": "5"}, Goofspiel(3, cards=5), 200, 10_000),
    ("hex", {}, Hex(), 100, 10_000),
    ("hex", {"side": "5"}, Hex(5), 1000, 10_000),
    ("hex", {"side": "4", "swap_rule": "yes"}, Hex(4, swap=True), 1000, 10_000),
    ("reversi", {}, Reversi(), 100, 10_000),
    ("breakthrough", {}, Breakthrough(), 100, 10_000),
    ("leduc_poker", {}, Leduc(), 1000, 10_000),
    ("crazy_eights", {}, CrazyEights(4), 100, 10_000),
    ("crazy_eights", {}, CrazyEights(2), 50, 10_000),
    ("crazy_eights", {}, CrazyEights(5), 50, 10_000),
    ("crazy_eights", {"most_plays": "20"}, CrazyEights(3, most_plays=20), 50, 10_000),
]


def title(case: object) -> str | None:
    return None if not hasattr(case, "players") else f"{type(case).__name__}-{case.players}"


@pytest.mark.parametrize(
    ("name", "options", "bridge", "sample", "full"), COMPARED, ids=[title(case[2]) for case in COMPARED]
)
def test_every_playout_is_the_same_in_openspiel(
    name: str,
    options: dict[str, str],
    bridge: Bridge,
    sample: int,
    full: int,
    figure: Callable[[int, int], int],
) -> None:
    difference = first_difference(loaded(name, options), bridge, figure(sample, full))
    assert difference is None, str(difference)
