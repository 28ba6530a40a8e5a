"""Vye in all its themes: how long a random game takes, and what the list of options costs when the table is
full.

Two tables. The mean random game on the reference machine, without a trace, for every theme and number of
players. And for five players the time of working out all options of an action, by option: in the first two
rounds and in the last quarter of a game. Aim: late at most three times as much as early, for each option.
All in processor time; a list is worked out three times and the best counts.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, field

from measure import table

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.ir import Program
from rulewright.interpreter.match import Match, start

GAME, PLAYERS = "vye", (2, 3, 4, 5)
GAMES, TIMES, EARLY_ROUNDS = 10, 3, 2
ALL = "all specials"


@dataclass(slots=True)
class Theme:
    """One way to play: a name and the options for it."""

    name: str
    options: dict[str, object]


@dataclass(slots=True)
class Cost:
    """What lists of options took, and how many options were on them."""

    seconds: float = 0.0
    options: int = 0
    lists: int = 0

    def add(self, seconds: float, options: int) -> None:
        """One list more."""
        self.seconds += seconds
        self.options += options
        self.lists += 1

    @property
    def by_option(self) -> float:
        """Microseconds an option."""
        return self.seconds * 1e6 / max(self.options, 1)


@dataclass(slots=True)
class Lists:
    """The lists of options of one game, in order."""

    found: list[tuple[float, int]] = field(default_factory=list)

    def note(self, match: Match) -> None:
        """Work the open list out again, if it is one of actions."""
        s = match.state
        if s.ask is None or s.ask.form != "action":
            return
        actions, player, best = s.code.decision(s.ask.node.decision), s.ask.player, 1e9
        count = 0
        for _ in range(TIMES):
            s.fuel = s.code.budgets.steps
            begun = time.process_time()
            count = len(actions.options(s, player))
            best = min(best, time.process_time() - begun)
        self.found.append((best, count))

    def into(self, players: int, early: Cost, late: Cost) -> None:
        """Sum up the first rounds and the last quarter."""
        for seconds, count in self.found[: players * EARLY_ROUNDS]:
            early.add(seconds, count)
        for seconds, count in self.found[-(len(self.found) // 4) :]:
            late.add(seconds, count)


def themes(game: PlayableGame) -> list[Theme]:
    """Every theme of the game, and all special cards together."""
    declared = game.checked.game.kinds
    special = {"special"}
    for kind in declared.values():
        if special & set(kind.parents):
            special.add(kind.name)
    kinds = [name for name, kind in declared.items() if name in special and kind.made]
    found = []
    for name, *_ in game.checked.game.options["theme"].bundles:
        named = {"specials": kinds[:4]} if name == "players_choice" else {}
        found.append(Theme(name, {"theme": name, **named}))
    return [*found, Theme(ALL, {"specials": kinds})]


def program_of(game: PlayableGame, theme: Theme, players: int, seed: int) -> Program:
    """The program of a setting; that of a theme at random is another one for each seed."""
    program = game.program(players, theme.options, seed)
    if isinstance(program, tuple):
        raise SystemExit(str(program[0]))
    return program


def played(program: Program, seed: int, lists: Lists | None = None) -> Match:
    """A random game."""
    match, luck = start(program, seed, trace=False), random.Random(seed)
    while (decision := match.decision) is not None:
        if lists is not None:
            lists.note(match)
        match.choose(luck.randrange(decision.count))
    return match


def mean_game(game: PlayableGame, theme: Theme, players: int) -> tuple[float, float]:
    """Milliseconds and choices of a mean random game."""
    spent, choices, last = 0.0, 0, None
    for seed in range(GAMES):
        program = program_of(game, theme, players, seed)
        if program is not last:
            played(program, seed)  # programs are linked when they are first used
        last = program
        begun = time.process_time()
        choices += len(played(program, seed).choices)
        spent += time.process_time() - begun
    return spent * 1000 / GAMES, choices / GAMES


def costs(game: PlayableGame, theme: Theme, players: int) -> tuple[Cost, Cost]:
    """What an option costs early and late."""
    early, late = Cost(), Cost()
    for seed in range(GAMES):
        lists = Lists()
        played(program_of(game, theme, players, seed), seed, lists)
        lists.into(players, early, late)
    return early, late


def main() -> None:
    game = load(GAME)
    if not isinstance(game, PlayableGame):
        raise SystemExit(f"{GAME}: {game[0]}")
    wanted = [t for t in themes(game) if not sys.argv[1:] or t.name in sys.argv[1:]]
    rows = []
    for theme in wanted:
        cells = []
        for players in PLAYERS:
            spent, choices = mean_game(game, theme, players)
            cells.append(f"{players} players {spent:6.1f} ms {choices:3.0f} choices")
        rows.append((theme.name, "   ".join(cells)))
    table(f"Mean of {GAMES} random games of {GAME}, without a trace", rows)
    rows = []
    for theme in wanted:
        early, late = costs(game, theme, PLAYERS[-1])
        rows.append(
            (
                theme.name,
                f"early {early.by_option:5.1f} us an option of {early.options / max(early.lists, 1):4.0f}, "
                f"late {late.by_option:5.1f} us of {late.options / max(late.lists, 1):4.0f}, "
                f"late/early {late.by_option / early.by_option:4.2f}",
            )
        )
    table("Working out the options of an action, five players (aim: late/early at most 3)", rows)


if __name__ == "__main__":
    main()
