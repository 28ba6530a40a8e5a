"""The soak of every bundled game: random games over every setting, watched before every decision.

A sample of games; `make soak` plays the full figures and shows how each game went.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulewright.dsl.load import bundled_games, load_game
from rulewright.playtest.soak import Case, Soak, plan, settings_of, soak

Figure = Callable[[int, int], int]
MOST_SETTINGS = 1000  # a game with more of them is played more often


def cases_of(game: str) -> tuple[Case, ...]:
    checked = load_game(game).checked
    assert checked is not None
    return settings_of(checked)


@pytest.mark.parametrize("game", bundled_games())
def test_random_games_over_every_setting_go_well(game: str, figure: Figure) -> None:
    full = 2000 if len(cases_of(game)) > MOST_SETTINGS else 500
    games = figure(24, full)
    told = 0

    def tell(done: int, of: int) -> None:
        nonlocal told
        if done >= told + 100:
            told = done
            print(f"{game}: {done} of {of} games", flush=True)

    found = soak(game, games, progress=tell, workers=None if games == full else 1)
    assert isinstance(found, Soak)
    ends = ", ".join(f"{end} {count}" for end, count in found.ends)
    print(
        f"{game}: {found.games - len(found.faults)} of {found.games} games went well, "
        f"in {found.settings} of {found.of_settings} settings ({ends})",
        flush=True,
    )
    if found.interrupted:
        raise KeyboardInterrupt
    assert found.games == games
    assert [(f.seed, f.case.players, f.case.options, f.reason) for f in found.faults[:5]] == []


@pytest.mark.parametrize("game", bundled_games())
def test_few_games_meet_every_players_bundle_and_value(game: str) -> None:
    checked, cases = load_game(game).checked, cases_of(game)
    assert checked is not None
    turned = {c.traits[-1] for c in cases}
    met = {trait for i in plan(cases, len(turned) + 8, 0) for trait in cases[i].traits}
    assert met == {trait for c in cases for trait in c.traits}
    names = {trait.partition("=")[0] for trait in met} - {"players", "nothing turned"}
    options = checked.game.options
    assert names <= set(options)
    # A number whose range is a single value cannot be turned.
    assert {options[name].form for name in set(options) - names} <= {"number"}
