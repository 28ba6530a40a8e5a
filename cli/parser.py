"""The parser: which commands there are, and what each may be given.

Comes in: the arguments, to see which command is meant. Goes out: a parser whose result names the function to
run. To add a command: a line in `COMMANDS`, and a module `command_NAME.py` with `add(parser)` and
`run(arguments) -> int`. What never happens: a module that is loaded for another command than its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

import rulewright
from rulewright.cli.flags import Run
from rulewright.dsl.spelling import closest

COMMANDS = {
    "list": "list the bundled games",
    "check": "check the rules of a game",
    "format": "put rule files into their one spelling",
    "play": "play a game in the terminal",
    "playtest": "let bots play many games and count",
    "explain": "tell why something happened in a recorded game",
    "diagram": "draw a game: its phases, what causes what, its components",
    "test": "play a game's scenarios, and random games under its invariants",
    "new": "begin a game of your own",
    "demo": "check, playtest and draw the games of the rulebooks",
}

EPILOG = (
    "GAME is the name of a bundled game or a path. Exit codes: 0 fine, 1 problems found in the rules or "
    "a failed scenario, 2 wrong usage, 3 our own bug, 130 Ctrl-C. `rulewright COMMAND --help` tells more."
)


def parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the whole command line. Only the command that is meant knows its own arguments.

    The result of parsing has `run`, unless no command was given. Raises SystemExit, after saying so, if
    there is no such command.
    """
    top = argparse.ArgumentParser(
        prog="rulewright",
        description="Rules of tabletop games: check, play, playtest, draw.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"rulewright {version()}")
    commands = top.add_subparsers(metavar="COMMAND", title="commands", dest="command")
    meant = next((a for a in arguments if not a.startswith("-")), None)
    if meant is not None and meant not in COMMANDS:
        near = closest(meant, COMMANDS)
        top.error(f"there is no command '{meant}'. " + (f"Did you mean '{near}'?" if near else "See --help."))
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=_sentence(text), allow_abbrev=False)
        if name == meant:
            module = import_module(f"rulewright.cli.command_{name}")
            module.add(sub)
            run: Run = module.run
            sub.set_defaults(run=run)
    return top


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def version() -> str:
    """The version of this package, in an installed one and in a checkout alike."""
    found = getattr(rulewright, "__version__", "")
    if found:
        return str(found)
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("rulewright")
    except PackageNotFoundError:
        return "unknown"
