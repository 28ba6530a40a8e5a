"""`rulewright playtest GAME`: let bots play many games, and see what comes out.

Comes in: a game with its options, bots, a number of games. Goes out: a table by seat on standard output;
a summary as JSON and records of the games where they are asked for. Ctrl-C keeps what is done: it is
printed and written too. What never happens: a figure without the interval that says how far to trust it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from rulewright.cli import flags, screen
from rulewright.cli.command_play import unfit
from rulewright.cli.exit_codes import INTERRUPTED, OK, PROBLEMS
from rulewright.cli.loading import playable, wrong_usage
from rulewright.dsl.load import Loaded
from rulewright.dsl.words import JOINT
from rulewright.playtest.batch import MACHINES, WASM, Batch, run_batch
from rulewright.playtest.bots import TOLD
from rulewright.playtest.consent import POLICIES, USUAL, policy_named
from rulewright.playtest.opening import opened_game
from rulewright.playtest.records import write_record
from rulewright.playtest.settings import LIMIT, Settings

Advance = Callable[[int, int], None]


def add(parser: argparse.ArgumentParser) -> None:
    """GAME, how many games, who plays, where results go."""
    flags.game(parser)
    flags.variants(parser)
    flags.options(parser)
    parser.add_argument(
        "--games", metavar="N", type=flags.between(1, flags.MANY), default=100, help="default: 100"
    )
    parser.add_argument(
        "--bots",
        metavar="BOT,…",
        default="random",
        help=f"one for all seats, or one for each: {TOLD}",
    )
    parser.add_argument(
        "--limit", metavar="N", type=flags.between(1, flags.MANY), default=LIMIT,
        help=f"decisions after which a game is given up (default: {LIMIT})",
    )  # fmt: skip
    told = f"{', '.join(POLICIES)}, or the probability of the first option (default: {USUAL})"
    parser.add_argument(
        "--consent", metavar="POLICY", type=policy, default=None,
        help=f"how bots answer what several choose as one, by agreement or by majority: {told}",
    )  # fmt: skip
    for how in JOINT:
        parser.add_argument(
            f"--{how}", metavar="POLICY", type=policy, default=None,
            help=f"the same for `{how} of …` alone",
        )  # fmt: skip
    parser.add_argument(
        "--machine", choices=MACHINES, default=WASM,
        help="what plays: compiled rules, or the machine that explains (default: wasm; equal results)",
    )  # fmt: skip
    parser.add_argument(
        "--workers", metavar="N", type=flags.between(1, 256),
        help="threads, or processes of the reference machine (default: as it pays)",
    )  # fmt: skip
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the summary as JSON")
    parser.add_argument(
        "--records", metavar="DIR", type=Path, help="keep a record of each game, to be explained"
    )


def policy(text: str) -> str:
    """A policy for what several choose as one."""
    try:
        return policy_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Play the batch and show it."""
    found = playable(arguments.game, tuple(arguments.variant))
    settings = settings_of(arguments)
    refuse_unwritable(arguments)
    batch = played(settings, arguments.workers, arguments.records, arguments.machine, found)
    if batch.why:
        screen.complain(f"The reference machine plays: {batch.why}.")
    return shown(batch, arguments)


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that the flags name."""
    return Settings(
        game=arguments.game,
        variants=tuple(arguments.variant),
        options=tuple(flags.as_mapping(arguments.option).items()),
        players=arguments.players,
        bots=tuple(b.strip() for b in arguments.bots.split(",")),
        games=arguments.games,
        seed=arguments.seed or 0,
        limit=arguments.limit,
        agreement=arguments.agreement or arguments.consent or USUAL,
        majority=arguments.majority or arguments.consent or USUAL,
    )


def refuse_unwritable(arguments: argparse.Namespace) -> None:
    """Find out before an hour of play whether the results can be written. Raises Stop if not."""
    file: Path | None = arguments.json
    if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
        raise wrong_usage(f"{file} cannot be written: its folder is not there, or it is a folder.")
    folder: Path | None = arguments.records
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise wrong_usage(f"{folder} cannot be used: {error.strerror or error}.") from error


def played(
    settings: Settings,
    workers: int | None = None,
    records: Path | None = None,
    machine: str = WASM,
    found: Loaded | None = None,
) -> Batch:
    """Play a batch with progress on the screen. `found`: the game, if it has been loaded already. Raises
    Stop for options, players or bots that cannot be."""

    def keep(number: int, record: dict[str, Any]) -> None:
        if records is not None:
            write_record(records, number, record)

    with progress_bar(settings.games) as advance:
        batch = run_batch(
            settings,
            workers=workers,
            progress=advance,
            keep=keep if records is not None else None,
            machine=machine,
            game=opened_game(settings, found) if found is not None else None,
        )
    if not isinstance(batch, Batch):
        raise unfit(batch)
    return batch


def progress_bar(games: int) -> AbstractContextManager[Advance]:
    """A bar on standard error, where a terminal shows it; else nothing."""
    console = screen.err()
    if not console.is_terminal:
        return nullcontext(lambda done, of: None)
    from rulewright.cli.progress import Bar

    return Bar(console, games)


def shown(batch: Batch, arguments: argparse.Namespace) -> int:
    """Print and write the results; the exit code."""
    from rulewright.cli.playtest_table import summary_lines, tables
    from rulewright.playtest.report import summary, to_json

    data = summary(batch)
    for table in tables(data):
        screen.out().print(table)
        screen.say()
    for line in summary_lines(data):
        screen.say(line)
    if arguments.json is not None:
        try:
            arguments.json.write_text(to_json(data), encoding="utf-8")
        except OSError as error:
            raise wrong_usage(f"{arguments.json} cannot be written: {error.strerror or error}.") from error
        screen.complain(f"Written: {arguments.json}")
    if batch.interrupted:
        screen.complain(f"Stopped after {batch.tally.games} of {batch.settings.games} games.")
        return INTERRUPTED
    return PROBLEMS if batch.tally.fault_count else OK
