"""What the tests of diagrams share: games that are loaded once."""

from __future__ import annotations

import pytest

from rulewright.dsl.load import bundled_games, load_game
from rulewright.dsl.model import Checked
from rulewright.tests.viz.small_game import small_game

GAMES = bundled_games()


@pytest.fixture(scope="session")
def games() -> dict[str, Checked]:
    """The bundled games."""
    found = {name: load_game(name).checked for name in GAMES}
    return {name: checked for name, checked in found.items() if checked is not None}


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """A small game with every kind of phase and rule."""
    return small_game(tmp_path_factory.mktemp("small"))
