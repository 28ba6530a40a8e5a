"""`rulewright explain RECORD`: why did it happen? The event tree of one choice, down to rules and lines.

Comes in: a record (as `playtest --records` keeps them) and the number of a choice. Goes out: everything
that followed from the choice, as a tree; with `--table` also a picture of the table after it. The game is
played again from its seed; a record made under other rules is refused. What never happens: a picture `--as`
a player that shows what this player may not see.
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
from rulewright.interpreter.ir import Program
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
        "--table", metavar="FILE", help="draw the table after the choice (.svg, or .png where a program can)"
    )
    parser.add_argument(
        "--as", dest="viewer", metavar="PLAYER",
        help="draw the table as this player sees it (default: as an onlooker)",
    )  # fmt: skip
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
    viewer = viewer_of(match, arguments.viewer, arguments.table)
    tell(match, at)
    code = OK
    if arguments.diagram is not None:
        name = arguments.diagram or str(arguments.record.with_name(f"{arguments.record.stem}-{at}.svg"))
        code = draw(match, at, name)
    if arguments.table is not None:
        code = max(code, draw_table(match.program, record, at, viewer, arguments.table))
    return code


def viewer_of(match: Match, name: str | None, table: str | None) -> int | None:
    """The player who looks, None for an onlooker. Raises Stop for somebody who does not play."""
    if name is None:
        return None
    if table is None:
        raise wrong_usage("--as goes with --table FILE.")
    players = match.program.players
    if name not in players:
        raise wrong_usage(f"nobody is called '{name}' in this game. Its players: {', '.join(players)}.")
    return players.index(name)


def draw_table(program: Program, record: dict[str, Any], at: int, viewer: int | None, name: str) -> int:
    """Draw the table as it was after choice `at`; the spaces that the choice changed stand out."""
    from rulewright.viz import DiagramProblem, Look, changed_spaces, table_picture

    choices = record["choices"]
    match = replay(program, {**record, "choices": choices[: max(at - 1, 0)], "result": None}, trace=False)
    assert isinstance(match, Match), "the whole record was replayed before"
    before = match.view(viewer)
    if at:
        match.choose(choices[at - 1][1])
    view = match.view(viewer)
    changed = changed_spaces(before, view) if at else frozenset()
    look = Look(changed=changed, caption=f"after choice {at} of {len(choices)}")
    drawn = table_picture(view, Path(name).name, look)
    if isinstance(drawn, DiagramProblem):
        screen.complain(f"rulewright: {drawn}")
        return USAGE
    return write(drawn, Path(name))


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
