"""`rulewright check GAME`: everything that is wrong with the rules of a game.

Comes in: a game and variants. Goes out: each problem with its line, and how many there are; with
`--json` the same as data on standard output; with `--watch` again at every save, until Ctrl-C. Warnings
alone are no failure. What never happens: a check that stops at the first problem.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

from rulewright.cli import flags, screen
from rulewright.cli.exit_codes import OK, PROBLEMS
from rulewright.cli.loading import existing
from rulewright.cli.problem_text import all_described, as_json, counted
from rulewright.dsl.load import Loaded, load_game
from rulewright.interpreter.switches import check_switches, check_whole

PAUSE = 0.3  # seconds between two looks at the files
FOLLOWED = {".yaml", ".csv"}

Stamps = dict[Path, tuple[int, int]]


def add(parser: argparse.ArgumentParser) -> None:
    """GAME, variants, --json, --watch."""
    flags.game(parser)
    flags.variants(parser)
    parser.add_argument("--json", action="store_true", help="print the problems as JSON")
    parser.add_argument(
        "--watch", action="store_true", help="check again whenever a file is saved, until Ctrl-C"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check once, or again and again."""
    variants = tuple(arguments.variant)
    path = existing(arguments.game, variants)
    if not arguments.watch:
        return check(arguments.game, variants, arguments.json)
    others = [Path(v) for v in variants if Path(v).is_file()]
    seen: Stamps | None = None
    while True:
        now = stamps(path, others)
        if now != seen:
            if seen is not None:
                screen.say()
            seen = now
            check(arguments.game, variants, arguments.json, at_first=True)
            screen.complain("Watching; Ctrl-C ends.")
        time.sleep(PAUSE)


def check(game: str, variants: tuple[str, ...], json_wanted: bool, at_first: bool = False) -> int:
    """Check once and print the outcome; `at_first` prints it before every setting is tried."""
    loaded = load_game(game, variants) if at_first else check_whole(game, variants)
    told = report(game, variants, loaded, json_wanted)
    if at_first and loaded.ok and loaded.checked is not None:
        more = check_switches(loaded.checked)
        if more:
            return report(game, variants, replace(loaded, problems=(*loaded.problems, *more)), json_wanted)
    return told


def report(game: str, variants: tuple[str, ...], loaded: Loaded, json_wanted: bool) -> int:
    """Print what a check has found."""
    if json_wanted:
        print(
            json.dumps(as_json(game, variants, loaded.problems, loaded.ok), indent=2, ensure_ascii=False),
            flush=True,
        )
        return OK if loaded.ok else PROBLEMS
    if loaded.problems:
        screen.say(all_described(loaded.problems))
        screen.say()
    screen.say(summary(game, loaded), "" if loaded.ok else "bold")
    return OK if loaded.ok else PROBLEMS


def summary(game: str, loaded: Loaded) -> str:
    """The outcome in one line."""
    files = len(loaded.files)
    return f"{game}: {counted(loaded.problems)} in {files} file{'s' if files != 1 else ''}."


def stamps(path: Path, others: list[Path]) -> Stamps:
    """When each file of the game was last saved, and its size; files that vanish are left out."""
    found: Stamps = {}
    inside = (p for p in path.rglob("*") if p.suffix in FOLLOWED) if path.is_dir() else iter([path])
    for file in [*inside, *others]:
        try:
            stat = file.stat()
        except OSError:
            continue
        found[file] = (stat.st_mtime_ns, stat.st_size)
    return found
