"""`rulewright explain RECORD`: why did it happen? The event tree of one choice, down to rules and lines.

Comes in: a record (as `playtest --records` keeps them) and the number of a choice. Goes out: everything
that followed from the choice, as a tree. The game is played again from its seed; a record made under
other rules is refused.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rulewright.cli import flags, screen
from rulewright.cli.command_diagram import chosen_format, write
from rulewright.cli.command_play import started
from rulewright.cli.exit_codes import OK, PROBLEMS, USAGE
from rulewright.cli.loading import playable, wrong_usage
from rulewright.cli.story import part
from rulewright.cli.table_view import result_lines
from rulewright.dsl.load import find_game
from rulewright.interpreter.match import Match
from rulewright.interpreter.record import replay
from rulewright.interpreter.trace import render
from rulewright.playtest.records import read_json
from rulewright.playtest.settings import Settings


def add(parser: argparse.ArgumentParser) -> None:
    """RECORD, which choice, where the rules are."""
    parser.add_argument("record", metavar="RECORD", type=Path, help="a record of a game")
    parser.add_argument(
        "--at",
        metavar="N",
        type=flags.between(0, flags.MANY),
        help="the choice to explain (0: the set-up; default: the last)",
    )
    parser.add_argument(
        "--diagram",
        metavar="FILE",
        nargs="?",
        const="",
        help="draw the tree too (default: an SVG beside RECORD)",
    )
    parser.add_argument(
        "--game", metavar="GAME", help="where the rules are, if the game is not a bundled one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Replay and tell."""
    record = read_json(arguments.record)
    if isinstance(record, str):
        raise wrong_usage(record)
    settings = settings_of(record, arguments.game)
    if settings is None:
        raise wrong_usage(f"{arguments.record} is no record of a game.")
    if find_game(settings.game) is None and not arguments.game:
        raise wrong_usage(f"there is no bundled game '{settings.game}'. Say where its rules are with --game.")
    playable(settings.game, settings.variants)
    match = replay(started(settings).program, record)
    if not isinstance(match, Match):
        screen.complain(f"rulewright: {arguments.record}: {match.reason}")
        return PROBLEMS
    at = len(match.choices) if arguments.at is None else arguments.at
    if at > len(match.choices):
        raise wrong_usage(
            f"the game has {len(match.choices)} choices, so --at goes from 0 to {len(match.choices)}."
        )
    tell(match, at)
    if arguments.diagram is not None:
        name = arguments.diagram or str(arguments.record.with_name(f"{arguments.record.stem}-{at}.svg"))
        return draw(match, at, name)
    return OK


def draw(match: Match, at: int, name: str) -> int:
    """Draw the part of the story that choice `at` led to; the format is that of the file's name."""
    from rulewright.viz import DiagramProblem, draw_graph, trace_graph

    tree = match.trace
    if tree is None:
        return OK
    format_ = chosen_format(None, name)
    title = f"{match.program.title}: choice {at} of {len(match.choices)}"
    drawn = draw_graph(trace_graph(part(tree, at, at), title), format_)
    if isinstance(drawn, DiagramProblem):
        screen.complain(f"rulewright: {drawn}")
        return USAGE
    return write(drawn, Path(name))


def tell(match: Match, at: int) -> None:
    """Print the part of the story that choice `at` led to."""
    made = match.choices
    screen.say(f"{screen.plain(match.program.title)}: choice {at} of {len(made)}", "bold")
    if at:
        choice = made[at - 1]
        screen.say(f"{screen.plain(match.program.players[choice.player])} chose: {screen.plain(choice.id)}")
    screen.say()
    tree = match.trace
    if tree is not None:
        for line in render(part(tree, at, at)):
            screen.say(screen.plain(line))
    if match.over and at == len(made):
        screen.say()
        for line in result_lines(match.result.as_json()):
            screen.say(line)


def settings_of(record: dict[str, Any], game: str | None) -> Settings | None:
    """What a record was played with; None if it does not say."""
    match record:
        case {
            "game": str(name), "variants": list(variants), "options": dict(options), "players": list(players),
        }:  # fmt: skip
            pass
        case _:
            return None
    if not all(isinstance(v, str) for v in [*variants, *options.values(), *players]):
        return None
    seed = record.get("seed")
    return Settings(
        game or name,
        tuple(variants),
        tuple((k, values(v)) for k, v in options.items()),
        tuple(players),
        games=1,
        seed=seed if isinstance(seed, int) else 0,
    )


def values(text: str) -> tuple[str, ...]:
    """The value of an option as a record writes it: one, or several words of a set."""
    return (text,) if text == "at random" else tuple(text.split()) or (text,)
