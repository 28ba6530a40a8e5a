"""The parser: which commands there are, and what each may be given.

Comes in: nothing. Goes out: a parser whose result names the function to run. To add a command: a module
`command_NAME.py` with HELP, `add(parser)` and `run(arguments) -> int`, and a line in `COMMANDS`. What
never happens: a command that is loaded to run another one, for what commands need is imported when they
run.
"""

from __future__ import annotations

import argparse
from importlib import import_module

import rulewright
from rulewright.cli.flags import Run

COMMANDS = ("list", "check", "format", "play", "playtest", "explain", "diagram", "new", "demo")

EPILOG = (
    "GAME is the name of a bundled game or a path. Exit codes: 0 fine, 1 problems found in the rules or "
    "a failed scenario, 2 wrong usage, 3 our own bug, 130 Ctrl-C. `rulewright COMMAND --help` tells more."
)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. Its result has `run`, unless no command was given."""
    top = argparse.ArgumentParser(
        prog="rulewright",
        description="Rules of tabletop games: check, play, playtest, draw.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"rulewright {version()}")
    commands = top.add_subparsers(metavar="COMMAND", title="commands", dest="command")
    for name in COMMANDS:
        module = import_module(f"rulewright.cli.command_{name}")
        described = _sentence(module.HELP)
        sub = commands.add_parser(name, help=module.HELP, description=described, allow_abbrev=False)
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
