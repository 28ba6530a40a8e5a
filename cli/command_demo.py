"""`rulewright demo --out out`: the main job in one go, to see that everything works and what it gives.

Comes in: nothing, or games. Goes out: for each game its check, a batch of games, diagrams of its phases
and of what causes what as SVG and PNG, the batch as JSON; one summary that says where everything lies.
Without a GAME it takes the games that follow a whole rulebook: those with many statements to cover. What
never happens: a game left out silently, or a picture counted that was not written.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from rulewright.cli import flags, screen
from rulewright.cli.command_playtest import played
from rulewright.cli.exit_codes import INTERRUPTED, OK, PROBLEMS
from rulewright.cli.loading import Stop, existing, show_problems, wrong_usage
from rulewright.cli.playtest_table import interval, number, percent
from rulewright.cli.problem_text import counted
from rulewright.dsl.load import Loaded, bundled_games, bundled_rules, load_game
from rulewright.playtest.batch import Batch
from rulewright.playtest.report import summary, to_json
from rulewright.playtest.settings import Settings

RULEBOOK = 40  # statements; a game with fewer is an example, not a rulebook
DIAGRAMS = (("phases", "svg"), ("phases", "png"), ("effects", "svg"), ("effects", "png"))


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo made of one game. `batch` is None if its rules cannot be played."""

    game: str
    loaded: Loaded
    batch: Batch | None
    files: tuple[Path, ...]
    wrong: tuple[str, ...]


def add(parser: argparse.ArgumentParser) -> None:
    """Games, where to write, how many games to play."""
    parser.add_argument("games", metavar="GAME", nargs="*", help="default: the games of the rulebooks")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("out"), help="where files go (default: out)"
    )
    parser.add_argument(
        "--plays", metavar="N", type=flags.between(1, flags.MANY), default=100, help="default: 100"
    )


def run(arguments: argparse.Namespace) -> int:
    """Do everything for each game, then sum up."""
    names = arguments.games or rulebook_games()
    for name in names:
        existing(name)
    begun = time.perf_counter()
    made: list[Shown] = []
    interrupted = False
    for name in names:
        screen.complain(f"{name}: checking, playing {arguments.plays} games, drawing …")
        made.append(show_game(name, arguments.out, arguments.plays))
        batch = made[-1].batch
        if batch is not None and batch.interrupted:
            interrupted = True
            break
    screen.out().print(table(made))
    for shown in made:
        names = ", ".join(f.name for f in shown.files) or "nothing"
        screen.say(f"Written to {arguments.out / shown.game}/: {names}")
        for text in shown.wrong:
            screen.complain(f"{shown.game}: {text}")
    screen.complain(f"{time.perf_counter() - begun:.0f} s")
    if interrupted:
        return INTERRUPTED
    return OK if all(not s.wrong for s in made) else PROBLEMS


def rulebook_games() -> list[str]:
    """The bundled games with as many statements as a rulebook makes."""
    return [g for g in bundled_games() if statements(bundled_rules() / g) >= RULEBOOK]


def statements(folder: Path) -> int:
    """How many statements a game has to cover."""
    try:
        return max(len((folder / "statements.csv").read_text(encoding="utf-8").splitlines()) - 1, 0)
    except (OSError, UnicodeDecodeError):
        return 0


def show_game(name: str, out: Path, plays: int) -> Shown:
    """Check, play and draw one game."""
    loaded = load_game(name)
    game = loaded.path.stem if loaded.path is not None else name
    if not loaded.ok:
        show_problems(loaded.problems)
        return Shown(game, loaded, None, (), (counted(loaded.problems),))
    folder = out / game
    try:
        folder.mkdir(parents=True, exist_ok=True)
        batch, wrong = play(name, plays)
        files, failed = draw(loaded, folder)
        if batch is not None:
            path = folder / "playtest.json"
            path.write_text(to_json(summary(batch)), encoding="utf-8")
            files.append(path)
    except OSError as error:
        raise wrong_usage(f"{folder} cannot be written: {error.strerror or error}.") from error
    return Shown(game, loaded, batch, tuple(files), (*wrong, *failed))


def play(name: str, plays: int) -> tuple[Batch | None, list[str]]:
    """A batch of a game, and what went wrong in it."""
    try:
        batch = played(Settings(name, games=plays))
    except Stop:  # said already
        return None, ["it cannot be played"]
    faults = batch.tally.fault_count
    return batch, [f"a rule failed in {faults} games"] if faults else []


def draw(loaded: Loaded, folder: Path) -> tuple[list[Path], list[str]]:
    """The diagrams of a game, and what went wrong with them."""
    from rulewright.viz import DiagramProblem, diagram

    files: list[Path] = []
    wrong: list[str] = []
    for kind, format_ in DIAGRAMS:
        drawn = diagram(loaded, kind, format_)
        if isinstance(drawn, DiagramProblem):
            wrong.append(str(drawn))
            continue
        path = folder / f"{kind}.{format_}"
        path.write_bytes(drawn.encode() if isinstance(drawn, str) else drawn)
        files.append(path)
    return files, wrong


def table(made: list[Shown]) -> Table:
    """One row for each seat of each game."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("game", "rules", "played", "ended", "seat"):
        grid.add_column(heading, overflow="fold")
    for heading in ("wins", "95 % sure", "score", "decisions", "options"):
        grid.add_column(heading, justify="right", no_wrap=True)
    for shown in made:
        first = [shown.game, counted(shown.loaded.problems)]
        if shown.batch is None:
            grid.add_row(*first)
            continue
        data = summary(shown.batch)
        first += [str(data["games"]), str(data["ended"])]
        for i, seat in enumerate(data["seats"]):
            row = first if i == 0 else [""] * 4
            last = [number(data["length"]["mean"]), number(data["branching"]["mean"])] if i == 0 else ["", ""]
            score = number(seat["score"]["mean"]) if "score" in seat else "–"
            grid.add_row(
                *row, seat["name"], percent(seat["wins"]["value"]), interval(seat["wins"]), score, *last
            )
    return grid
