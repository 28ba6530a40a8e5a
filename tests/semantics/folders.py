"""Toy games of several files: rules and the tables that they name.

Comes in: the sections of a game and its tables as text. Goes out: a match, or the problems.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from textwrap import dedent
from typing import Any

from rulewright.dsl.problems import Problem
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.interpreter.verify import verify
from rulewright.tests.semantics.toys import whole


def folder_game(
    rules: str, tables: dict[str, str], players: str = "[x, o]"
) -> PlayableGame | tuple[Problem, ...]:
    """A game with its tables, or what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tables.items():
            (Path(folder) / name).write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        (Path(folder) / "game.yaml").write_text(whole(rules, players), encoding="utf-8")
        return load(folder)


def match_of(game: PlayableGame | tuple[Problem, ...], count: int | None = None, **more: Any) -> Match:
    """A match at its first decision."""
    assert isinstance(game, PlayableGame), [str(p) for p in game]
    program = game.program(count)
    assert not isinstance(program, tuple), program
    assert not (faults := verify(program)), faults
    match = game.start(count, more.get("seed", 0))
    assert isinstance(match, Match)
    return match


def wrong(rules: str, tables: dict[str, str], players: str = "[x, o]") -> list[tuple[str, str, int, int]]:
    """(code, file, line, column) of each problem."""
    found = folder_game(rules, tables, players)
    problems = found.loaded.problems if isinstance(found, PlayableGame) else found
    return [(p.code, Path(p.span.file).name, p.span.line, p.span.column) for p in problems]
