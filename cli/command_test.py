"""`rulewright test GAME`: the game's scenarios, what they cover, and its invariants over random games.

Comes in: a game, with variants if they are to be tested instead, and how many random games to play; with
`--soak` these are spread over every setting of the game. Goes out: each failure with its place, the
statements and rules that no scenario shows, the seed of each broken invariant; exit code 1 if anything
failed. What is not covered is told and is no failure. What never happens: a failure that stops the rest.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from rulewright.cli import flags, screen
from rulewright.cli.command_play import unfit
from rulewright.cli.command_playtest import Advance, progress_bar
from rulewright.cli.exit_codes import INTERRUPTED, OK, PROBLEMS
from rulewright.cli.loading import playable, wrong_usage
from rulewright.cli.problem_text import all_described
from rulewright.dsl.load import Loaded
from rulewright.playtest.coverage import Coverage, coverage
from rulewright.playtest.coverage_page import page
from rulewright.playtest.invariants import Probe, probe
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios
from rulewright.playtest.settings import Settings
from rulewright.playtest.soak import Fault, Soak, soak

MOST = 10  # breaches that are shown
LISTED = 12  # names in one line

Players = int | tuple[str, ...] | None


def add(parser: argparse.ArgumentParser) -> None:
    """GAME, how many random games."""
    flags.game(parser)
    flags.variants(parser)
    flags.options(parser)
    parser.add_argument(
        "--games", metavar="N", type=flags.between(0, flags.MANY), default=20,
        help="random games under the invariants, shared among the numbers of players (default: 20)",
    )  # fmt: skip
    parser.add_argument(
        "--soak", action="store_true",
        help="spread the random games over every setting: players, bundles, each other option turned",
    )  # fmt: skip
    parser.add_argument(
        "--workers", metavar="N", type=flags.between(1, 256),
        help="processes for --soak (default: as it pays)",
    )  # fmt: skip
    parser.add_argument(
        "--page", metavar="FILE", type=Path, help="write which scenarios show each statement, as Markdown"
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="only this scenario, and no random games"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run everything; the exit code."""
    loaded = playable(arguments.game, tuple(arguments.variant))
    only = tuple(arguments.only) if arguments.only else None
    results = run_scenarios(loaded, only)
    fine = tell_scenarios(results, only)
    if only is not None:
        return OK if fine else PROBLEMS
    shown = coverage(loaded, results)
    tell_coverage(shown)
    if arguments.page is not None:
        write_page(arguments.page, page(loaded, shown))
    if not arguments.games:
        return OK if fine else PROBLEMS
    if arguments.soak:
        soaked = every_setting(arguments)
        fine = tell_soak(soaked, arguments) and fine
        return INTERRUPTED if soaked.interrupted else OK if fine else PROBLEMS
    probes = random_games(loaded, arguments)
    fine = tell_probes(probes) and fine
    if any(p.interrupted for p in probes.values()):
        return INTERRUPTED
    return OK if fine else PROBLEMS


def tell_scenarios(results: Sequence[ScenarioResult], only: Sequence[str] | None) -> bool:
    """Print what failed; whether all is well."""
    failed = [r for r in results if not r.ok]
    for result in failed:
        screen.say(f"FAILED {screen.plain(result.name)}", "bold")
        if result.failure is not None:
            screen.say(all_described([result.failure]))
        screen.say()
    unknown = [n for n in only or () if n not in {r.name for r in results}]
    for name in unknown:
        screen.complain(f"There is no scenario '{name}'.")
    passed = len(results) - len(failed)
    screen.say(f"Scenarios: {passed} of {len(results)} passed." if results else "Scenarios: none.", "bold")
    return not failed and not unknown


def tell_coverage(found: Coverage) -> None:
    """Print what no scenario shows."""
    if found.statements:
        due = [c for c in found.statements if not c.statement.later]
        later = len(found.statements) - len(due)
        more = f" ({later} more for later)" if later else ""
        screen.say(f"Statements: {len(due) - len(found.missing)} of {len(due)} covered{more}.", "bold")
        for statement in found.missing[:LISTED]:
            screen.say(f"  {screen.plain(statement.id)}: {screen.plain(statement.sentence)}")
        if len(found.missing) > LISTED:
            screen.say(f"  and {len(found.missing) - LISTED} more")
    by_kind: dict[str, list[str]] = {}
    for unused in found.unused:
        by_kind.setdefault(unused.kind, []).append(unused.name)
    for kind, names in by_kind.items():
        screen.say(f"No scenario shows the {kind}{'s' if len(names) > 1 else ''}: {listed(names)}.")


def write_page(path: Path, text: str) -> None:
    """Write the page of statements. Raises Stop if there are none, or if it cannot be written there."""
    if not text:
        raise wrong_usage("this game has no statements.csv, so there is no page to write.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise wrong_usage(f"cannot write {path}: {error.strerror}.") from None


def listed(names: Sequence[str]) -> str:
    """Names in a line, the last of many only counted."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(screen.plain(n) for n in names[:LISTED]) + more


def random_games(loaded: Loaded, arguments: argparse.Namespace) -> dict[Players, Probe]:
    """Play random games with an eye on the invariants, with each number of players that may play (or those
    that were asked for). Raises Stop for options that cannot be.
    """
    tables = shares(loaded, arguments)
    found: dict[Players, Probe] = {}
    done = 0
    with progress_bar(arguments.games) as advance:
        for players, games in tables.items():
            settings = Settings(
                game=arguments.game,
                variants=tuple(arguments.variant),
                options=tuple(flags.as_mapping(arguments.option).items()),
                players=players,
                games=games,
                seed=arguments.seed or 0,
            )
            probed = probe(settings, progress=after(done, arguments.games, advance))
            if not isinstance(probed, Probe):
                raise unfit(probed)
            found[players] = probed
            done += games
            if probed.interrupted:
                break
    return found


def after(before: int, games: int, advance: Advance) -> Advance:
    """Tell of games done when `before` of them all were done earlier."""
    return lambda done, of: advance(before + done, games)


def shares(loaded: Loaded, arguments: argparse.Namespace) -> dict[Players, int]:
    """How many games for each number of players."""
    if arguments.players is not None or loaded.game is None:
        return {arguments.players: arguments.games}
    counts = range(loaded.game.players_low, loaded.game.players_high + 1)
    each, rest = divmod(arguments.games, len(counts))
    found: dict[Players, int] = {n: each + (i < rest) for i, n in enumerate(counts)}
    return {n: games for n, games in found.items() if games}


def tell_probes(probes: dict[Players, Probe]) -> bool:
    """Print how the random games went; whether all is well."""
    breaches = [(players, b) for players, probed in probes.items() for b in probed.breaches]
    for players, breach in breaches[:MOST]:
        flag = ",".join(players) if isinstance(players, tuple) else players
        where = f"--players {flag} --seed {breach.seed}, after {breach.choices} choices"
        screen.say(f"FAILED {where}: {screen.plain(breach.reason)}", "bold")
    if len(breaches) > MOST:
        screen.say(f"  and in {len(breaches) - MOST} more games")
    names = next((p.invariants for p in probes.values() if p.invariants), ())
    watched = f"watching {listed(names)}" if names else "no invariants to watch"
    games, unended = sum(p.games for p in probes.values()), sum(p.unended for p in probes.values())
    more = f"; {unended} reached no end" if unended else ""
    screen.say(f"Random games: {games - len(breaches)} of {games} went well ({watched}){more}.", "bold")
    return not breaches


def every_setting(arguments: argparse.Namespace) -> Soak:
    """Play random games over every setting that the flags leave open. Raises Stop if the game cannot be
    loaded."""
    with progress_bar(arguments.games) as advance:
        found = soak(
            arguments.game,
            arguments.games,
            arguments.seed or 0,
            advance,
            arguments.workers,
            variants=tuple(arguments.variant),
            players=arguments.players,
            options=tuple(flags.as_mapping(arguments.option).items()),
        )
    if not isinstance(found, Soak):
        raise unfit(found)
    return found


def tell_soak(found: Soak, arguments: argparse.Namespace) -> bool:
    """Print how the soak went: what failed, the commonest first, each with the game that shows it soonest
    and the command that plays that game again; whether all is well."""
    alike: dict[str, list[Fault]] = {}
    for fault in found.faults:
        alike.setdefault(fault.reason, []).append(fault)
    for reason, faults in sorted(alike.items(), key=lambda item: -len(item[1]))[:MOST]:
        soonest = min(faults, key=lambda fault: fault.choices)
        games = f"in {len(faults)} games, in one " if len(faults) > 1 else ""
        screen.say(f"FAILED {games}after {soonest.choices} choices: {screen.plain(reason)}", "bold")
        screen.say(f"  {screen.plain(again(soonest, arguments))}")
    if len(alike) > MOST:
        screen.say(f"  and in {len(alike) - MOST} more ways")
    ends = ", ".join(f"{screen.plain(end)} {count}" for end, count in found.ends)
    screen.say(
        f"Soak: {found.games - len(found.faults)} of {found.games} games went well, "
        f"in {found.settings} of {found.of_settings} settings.",
        "bold",
    )
    if ends:
        screen.say(f"  Ends: {ends}.")
    if found.interrupted:
        screen.complain(f"Stopped after {found.games} of {arguments.games} games.")
    return not found.faults


def again(fault: Fault, arguments: argparse.Namespace) -> str:
    """The command that plays the same game again and shows the same fault: bots alone do not see what only
    the watch over the pieces and invariants finds."""
    players = fault.case.players
    words = ["rulewright", "test" if fault.watched else "playtest", arguments.game]
    for variant in arguments.variant:
        words += ["--variant", variant]
    words += ["--players", str(players) if isinstance(players, int) else ",".join(players)]
    for option, values in fault.case.options:
        words += ["--option", f"{option}={','.join(values)}"]
    return shlex.join([*words, "--seed", str(fault.seed), "--games", "1"])
