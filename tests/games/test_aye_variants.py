"""Variants of Aye: what no scenario can show of them, since it is in tables that rules do not read."""

from __future__ import annotations

from collections import Counter

from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load


def program(*variants: str) -> ir.Program:
    game = load("aye", variants)
    assert isinstance(game, PlayableGame)
    made = game.program(6, {"first_captain": "player_1"})
    assert isinstance(made, ir.Program)
    return made


def sides(made: ir.Program, kind: str) -> set[tuple[tuple[str, int], ...]]:
    """Which faces are on how many sides, for each die of a kind."""
    faces = dict(made.word_lists)["face"]
    dice = [i for i, p in enumerate(made.pieces) if made.kinds[p.kind] == kind]
    found = set()
    for table in made.tables:
        if table.repeats:
            for die in dice:
                on_it = table.data[die - table.base]
                if isinstance(on_it, tuple) and on_it:
                    found.add(tuple(sorted(Counter(faces[side] for side in on_it).items())))
    return found


def test_the_hungry_kraken_has_two_sides_of_every_die_and_no_die_has_a_trident() -> None:
    usual, hungry = program(), program("hungry_kraken")
    assert [dict(s)["kraken"] for s in sides(usual, "mission_die")] == [1]
    for kind in ("mission_die", "argh_die"):
        (on_it,) = sides(hungry, kind)
        assert dict(on_it)["kraken"] == 2
        assert "trident" not in dict(on_it)
        assert sum(dict(on_it).values()) == 6
