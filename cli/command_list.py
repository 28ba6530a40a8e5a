"""`rulewright list`: the bundled games.

Comes in: nothing. Goes out: a table of names, titles, players and variants. A game whose rules cannot be
read is listed with its problems counted. What never happens: a game left out because something is wrong
with it.
"""

from __future__ import annotations

import argparse

from rich.table import Table

from rulewright.cli import screen
from rulewright.cli.exit_codes import OK
from rulewright.cli.problem_text import counted
from rulewright.dsl.load import Loaded, bundled_games, load_game
from rulewright.dsl.variants import variant_names


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "title", "players", "variants"):
        table.add_column(heading, overflow="fold")
    for name in bundled_games():
        table.add_row(name, *_described(load_game(name)))
    screen.out().print(table)
    return OK


def _described(loaded: Loaded) -> tuple[str, str, str]:
    variants = ", ".join(variant_names(loaded.path)) if loaded.path is not None else ""
    if loaded.game is None:
        return counted(loaded.problems), "", variants
    low, high = loaded.game.players_low, loaded.game.players_high
    title = (
        screen.plain(loaded.game.title)
        if loaded.ok
        else f"{screen.plain(loaded.game.title)} ({counted(loaded.problems)})"
    )
    return title, f"{low}" if low == high else f"{low} to {high}", variants
