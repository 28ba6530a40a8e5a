"""The soak of every bundled game: random games over every setting, watched before every decision.

A sample that still meets every number of players, bundle and value of an option; `make soak` plays the full
figures and shows each game's summary.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.dsl.load import bundled_games, load_game
from rulewright.playtest.soak import Soak, plan, settings_of, soak

Figure = Callable[[int, int], int]
MOST_SETTINGS = 1000  # a game with more of them is played more often


def figures(game: str) -> tuple[int, int]:
    """How many games in the sample, and in all: as many as bring in everything once, and 500 or 2,000."""
    checked = load_game(game).checked
    assert checked is not None
    cases = settings_of(checked)
    last = {c.traits[-1] for c in cases}
    return len(last) + 8, 2000 if len(cases) > MOST_SETTINGS else 500


@pytest.mark.parametrize("game", bundled_games())
def test_random_games_over_every_setting_go_well(game: str, figure: Figure) -> None:
    sample, full = figures(game)
    games = figure(sample, full)

    def tell(done: int, of: int) -> None:
        if games == full and done and done % 100 == 0:
            print(f"{game}: {done} of {of} games", flush=True)

    found = soak(game, games, progress=tell, workers=figure(1, 0) or None)
    assert isinstance(found, Soak)
    ends = ", ".join(f"{end} {count}" for end, count in found.ends)
    print(
        f"{game}: {found.games - len(found.faults)} of {found.games} games went well, "
        f"in {found.settings} of {found.of_settings} settings ({ends})",
        flush=True,
    )
    assert found.games == games and not found.interrupted
    assert [(f.seed, f.case.players, f.case.options, f.reason) for f in found.faults[:5]] == []


@pytest.mark.parametrize("game", bundled_games())
def test_even_the_sample_meets_every_players_bundle_and_value(game: str) -> None:
    checked = load_game(game).checked
    assert checked is not None
    cases = settings_of(checked)
    met = {trait for i in plan(cases, figures(game)[0], 0) for trait in cases[i].traits}
    assert met == {trait for c in cases for trait in c.traits}
    assert {o.name for o in checked.game.options.values()} == {t.partition("=")[0] for t in met} - {
        "players",
        "nothing turned",
    }
