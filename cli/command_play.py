"""`rulewright play GAME`: play a game in the terminal, against bots or with others at the same keyboard.

Comes in: a game with its options, or a saved table. Goes out: the game, played. A seed that was not
given is drawn and told, so that the same game can be played again.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.cli import flags, screen
from rulewright.cli.loading import Stop, existing, playable, show_problems, wrong_usage
from rulewright.cli.saves import Save, read_save
from rulewright.dsl.problems import Problem
from rulewright.interpreter.match import Match, load_match
from rulewright.playtest.bots import TOLD, Bot, bot_named, known, searches
from rulewright.playtest.opening import open_game
from rulewright.playtest.search_bots import cannot
from rulewright.playtest.settings import Settings

HUMAN = "human"


def add(parser: argparse.ArgumentParser) -> None:
    """GAME, who plays, options, a saved table."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="name of a bundled game, or a path")
    flags.variants(parser)
    flags.options(parser)
    parser.add_argument(
        "--seats", metavar="WHO,…",
        help=f"{HUMAN} or a bot for each player, or one for all; bots: {TOLD}"
        " (default: you have the first seat, random the others)",
    )  # fmt: skip
    parser.add_argument("--load", metavar="FILE", type=Path, help="go on with a game that was saved")


def run(arguments: argparse.Namespace) -> int:
    """Sit down and play."""
    from rulewright.cli.session import Session

    seats = read_seats(arguments.seats)
    if arguments.load is not None:
        settings, match, seats = go_on(arguments, seats)
    else:
        settings, match = begin(arguments, seats)
        screen.complain(f"Seed {settings.seed}. Type `help` for what can be typed.")
    count = len(match.program.players)
    names = seated(seats, count)
    for name in names:
        why = cannot(match.program) if searches(name) else ""
        if why:
            raise wrong_usage(f"{name} needs the fast machine, which cannot run this game: {why}.")
    bots: list[Bot | None] = [
        None if name == HUMAN else bot_named(name, settings.seed, seat) for seat, name in enumerate(names)
    ]
    return Session(match, bots, names, settings).run()


def read_seats(text: str | None) -> tuple[str, ...]:
    """The names in `--seats`. Raises Stop for one that is nobody."""
    return known_seats(tuple(n.strip() for n in text.split(","))) if text is not None else ()


def known_seats(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names. Raises Stop for one that is nobody."""
    for name in names:
        if name != HUMAN and not known(name):
            raise wrong_usage(f"nobody is called '{name}'. Seats take: {HUMAN}, {TOLD}.")
    return names


def seated(seats: Sequence[str], count: int) -> tuple[str, ...]:
    """Somebody for each seat. Raises Stop if the numbers do not fit."""
    if not seats:
        return (HUMAN, *["random"] * (count - 1))
    if len(seats) == 1:
        return tuple(seats) * count
    if len(seats) != count:
        raise wrong_usage(
            f"{len(seats)} seats are named, but {count} play. Name one for all, or one for each."
        )
    return tuple(seats)


def begin(arguments: argparse.Namespace, seats: tuple[str, ...]) -> tuple[Settings, Match]:
    """A new game."""
    if not arguments.game:
        raise wrong_usage("name a GAME, or --load a saved one.")
    playable(arguments.game, tuple(arguments.variant))
    players = arguments.players or (len(seats) if len(seats) > 1 else None)
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    options = tuple(flags.as_mapping(arguments.option).items())
    settings = Settings(arguments.game, tuple(arguments.variant), options, players, games=1, seed=seed)
    return settings, started(settings)


def go_on(arguments: argparse.Namespace, seats: tuple[str, ...]) -> tuple[Settings, Match, tuple[str, ...]]:
    """A saved game."""
    if arguments.variant or arguments.option or arguments.players or arguments.seed is not None:
        raise wrong_usage("--load takes variants, options, players and seed from the saved game.")
    save = read_save(arguments.load)
    if not isinstance(save, Save):
        raise wrong_usage(save)
    settings = replace(save.settings, game=arguments.game) if arguments.game else save.settings
    existing(settings.game, settings.variants)
    playable(settings.game, settings.variants)
    match = load_match(started(settings).program, save.match)
    if not isinstance(match, Match):
        raise wrong_usage(f"{arguments.load} cannot be gone on with: {match.reason}")
    return settings, match, seats or known_seats(save.seats)


def started(settings: Settings) -> Match:
    """A match at its first decision, with a trace. Raises Stop for options or players that cannot be."""
    opened = open_game(settings)
    match = opened if isinstance(opened, tuple) else opened.start(settings.seed, trace=True)
    if isinstance(match, tuple):
        raise unfit(match)
    return match


def unfit(problems: Sequence[Problem]) -> Stop:
    """Say what is wrong with options or players; raise what is given back."""
    settings = [p for p in problems if p.code.startswith("E5")]
    if not settings:
        show_problems(problems)
        return Stop(1)
    return wrong_usage(" ".join(f"{p.text} {p.cure}{_place(p)}".strip() for p in settings))


def _place(problem: Problem) -> str:
    """Where the rules say so, if they do."""
    return f" ({problem.span})" if problem.span.line and problem.span.file != "bots" else ""
