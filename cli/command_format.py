"""`rulewright format FILE|GAME`: the one spelling of rule files.

Comes in: a rule file, or a game with all its files. Goes out: the files, rewritten where they were not
in form; with `--check` nothing is written and the exit code tells. A file that cannot be read is left
alone and its problems are shown. What never happens: a change of meaning, or a file half written.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rulewright.cli import screen
from rulewright.cli.exit_codes import OK, PROBLEMS
from rulewright.cli.loading import existing, show_problems, wrong_usage
from rulewright.dsl.files import display_name
from rulewright.dsl.problems import Problems


def add(parser: argparse.ArgumentParser) -> None:
    """FILE or GAME, --check."""
    parser.add_argument("game", metavar="FILE|GAME", help="a rule file, or a game with all its files")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; tell which files are not in form"
    )


def run(arguments: argparse.Namespace) -> int:
    """Format, or tell what would change."""
    from rulewright.dsl.formatter import differs

    problems = Problems()
    formatted = formatted_files(arguments.game, problems)
    show_problems(list(problems))
    changed = [path for path, text in formatted.items() if differs(path, text)]
    for path in changed:
        if not arguments.check:
            replace(path, formatted[path])
        screen.say(f"{'would change' if arguments.check else 'formatted'}: {display_name(path)}")
    screen.complain(
        f"{len(changed)} of {len(formatted)} files {'would change' if arguments.check else 'changed'}."
    )
    return PROBLEMS if problems.errors or (arguments.check and changed) else OK


def formatted_files(name: str, problems: Problems) -> dict[Path, str]:
    """The right text of each file that can be read. Raises Stop if there is no such file or game."""
    from rulewright.dsl.formatter import format_file, format_files

    path = Path(name)
    if path.is_file() and path.name != "game.yaml":
        if path.suffix != ".yaml":
            raise wrong_usage(f"{name} is no rule file: their names end with .yaml.")
        text = format_file(path, problems)
        return {} if text is None else {path: text}
    return format_files(existing(name), problems)


def replace(path: Path, text: str) -> None:
    """Write a file in one go."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(text.encode("utf-8"))
        os.replace(beside, path)
    except OSError as error:
        raise wrong_usage(f"{path} cannot be written: {error.strerror or error}.") from error
