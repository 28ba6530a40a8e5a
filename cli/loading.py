"""Loading for commands: a game by name, or the words that say why not.

Comes in: what stands on the command line. Goes out: a loaded game, or `Stop` with an exit code after
everything has been said on standard error. A game or variant that is not there is wrong usage; a game
with problems in its rules is not. What never happens: a half-loaded game handed on to be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.cli.exit_codes import PROBLEMS, USAGE
from rulewright.cli.problem_text import all_described, counted
from rulewright.cli.screen import complain, err
from rulewright.dsl.load import Loaded, bundled_games, find_game, load_game
from rulewright.dsl.problems import Problem
from rulewright.dsl.spelling import closest
from rulewright.dsl.variants import variant_names, variant_path


class Stop(Exception):
    """The command ends here with an exit code; what there was to say has been said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def wrong_usage(text: str) -> Stop:
    """Say what is wrong with the command; raise what is given back."""
    complain(f"rulewright: {text}")
    return Stop(USAGE)


def existing(game: str, variants: Sequence[str] = ()) -> Path:
    """The path of a game that is there, with variants that are there. Raises Stop (wrong usage)."""
    path = find_game(game)
    if path is None:
        near = closest(game, bundled_games())
        hint = f"Did you mean '{near}'? " if near else ""
        raise wrong_usage(f"there is no game '{game}'. {hint}Bundled games: {', '.join(bundled_games())}.")
    folder = path if path.is_dir() else path.parent
    for variant in variants:
        if variant_path(folder, variant) is None:
            names = variant_names(folder)
            near = closest(variant, names)
            hint = f"Did you mean '{near}'? " if near else ""
            known = f"Variants: {', '.join(names)}." if names else "This game has no variants."
            raise wrong_usage(f"there is no variant '{variant}'. {hint}{known}")
    return path


def loaded(game: str, variants: Sequence[str] = ()) -> Loaded:
    """Load a game, whatever is wrong with it. Raises Stop if it is not there."""
    existing(game, variants)
    return load_game(game, tuple(variants))


def playable(game: str, variants: Sequence[str] = ()) -> Loaded:
    """Load a game without errors in its rules. Raises Stop after showing those that there are."""
    found = loaded(game, variants)
    if not found.ok:
        show_problems([p for p in found.problems if p.severity == "error"])
        complain(
            f"{game}: {counted(found.problems)}. Put them right first; `rulewright check {game}` shows all."
        )
        raise Stop(PROBLEMS)
    return found


def show_problems(problems: Sequence[Problem]) -> None:
    """Problems on standard error."""
    if problems:
        err().print(all_described(problems))
