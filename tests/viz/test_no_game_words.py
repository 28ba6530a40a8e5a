"""Diagrams know no game: no name of a bundled game's own stands in the code that draws."""

from __future__ import annotations

import re
from pathlib import Path

import rulewright.viz
from rulewright.dsl.model import Checked

CODE = sorted(Path(rulewright.viz.__file__).parent.glob("*.py"))


def names_of(checked: Checked) -> set[str]:
    game = checked.game
    names = {game.name, *game.phases, *game.actions, *game.events, *game.zones, *game.states, *game.ends}
    names |= {*game.defines, *game.kinds, *game.options, *game.enums, *(rule.name for rule in game.rules)}
    # A word like `round` is everybody's; a name of two words is a game's own.
    return {name for name in names if "_" in name} | {game.name}


def test_no_name_of_a_game_stands_in_the_code(games: dict[str, Checked]) -> None:
    assert len(games) >= 7 and len(CODE) > 10
    # `pig` stands in words that are longer, `hex` is also a shape of boards
    names = set().union(*(names_of(checked) for checked in games.values())) - {"pig", "hex"}
    found = {
        f"{path.name}: {name}"
        for path in CODE
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert found == set()
