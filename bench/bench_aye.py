"""Aye with six players: how long a random game takes, and how much of it goes into the goals.

The rules in the rows of the goal tables are looked at after the events that they name. What that costs is
the difference, by decision, to a copy of the game whose rows name no event, so that no goal is ever looked
at. The games of the two are not the same, since completed goals bring cards and reputation; so it is
compared by decision, over many games, in processor time. Aim: less than a fifth.
"""

from __future__ import annotations

import csv
import random
import shutil
import tempfile
import time
from pathlib import Path

from measure import table

import rulewright
from rulewright.interpreter.api import load

GAME = Path(rulewright.__file__).parent / "rules" / "aye"
PLAYERS, GAMES = 6, 24
NO_ABILITIES = {"ex_abilities": "no"}  # windows are asked for in both games, and would count only in one


def without_goals(folder: Path) -> Path:
    """A copy of the game in whose tables no row listens to anything."""
    copy = folder / "aye"
    shutil.copytree(GAME, copy)
    for name in ("goals.csv", "convince.csv"):
        path = copy / "tables" / name
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        silent = [i for i, column in enumerate(rows[0]) if column in ("after", "when", "who")]
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(rows[0])
            for row in rows[1:]:
                writer.writerow(["" if i in silent else cell for i, cell in enumerate(row)])
    goals = copy / "goals.yaml"
    text = goals.read_text(encoding="utf-8")
    for rule, following in (("met", "  convince_goal:"), ("claimed", "  traitor:")):
        begin = text.index(f"    rules:\n      {rule}:")
        text = text[:begin] + text[text.index(following, begin) :]
    goals.write_text(text, encoding="utf-8")
    return copy


def played(game: str, seeds: range) -> tuple[float, int]:
    """Processor seconds and decisions of random games."""
    found = load(game)
    if isinstance(found, tuple):
        raise SystemExit("\n".join(f"{p.span}: {p.text}" for p in found))
    seconds, decisions = 0.0, 0
    for seed in seeds:
        luck = random.Random(seed)
        match = found.start(players=PLAYERS, seed=seed, options=NO_ABILITIES, trace=False)
        if isinstance(match, tuple):
            raise SystemExit(match[0].text)
        begun = time.process_time()
        while match.decision is not None and match.fault is None:
            match.choose(luck.randrange(match.decision.count))
            decisions += 1
        seconds += time.process_time() - begun
    return seconds, decisions


def main() -> None:
    """Print the two."""
    seeds = range(GAMES)
    with tempfile.TemporaryDirectory() as folder:
        bare, bare_decisions = played(str(without_goals(Path(folder))), seeds)
    full, decisions = played("aye", seeds)
    each, each_bare = full / decisions, bare / bare_decisions
    rows = [
        (name, f"{seconds / GAMES * 1e3:.0f} ms a game, {count / GAMES:.0f} decisions")
        for name, seconds, count in (
            ("as it is", full, decisions),
            ("no goal is looked at", bare, bare_decisions),
        )
    ]
    table("Aye, 6 players, random games", rows)
    print(f"Goals: {(each - each_bare) / each:.0%} of the time of a decision (aim: less than 20 %).")


if __name__ == "__main__":
    main()
