"""Bots: who chooses where no person does.

Comes in: a match that waits for a decision. Goes out: the number of an option. A bot's luck comes from
the seed of the match and its own seat, from a stream of its own. What never happens: a bot that changes
the match it looks at (it may try things out on `match.copy(seed=…)`), or that draws from the game's
streams. To add a bot: a class with `choose`, and its name in `BOTS`.

A bot that searches may be told how many playouts a decision may take, behind its name: `mcts:2000`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.interpreter.chance import Seed, number, start_of
from rulewright.interpreter.match import Match
from rulewright.playtest.search_bots import MOST, PLAYOUTS, SearchBot


class Bot(Protocol):
    """Somebody who chooses."""

    def choose(self, match: Match) -> int:
        """The number of an option of the open decision, which is this bot's to make.

        What it may read of the match is `decision` and `view` of the player who decides, no more.
        """


class RandomBot:
    """Takes any option, each as likely as the others. Of things that look alike and are laid out, each goes
    by itself to any of the places that are left, or stays: so the first place asked for gets no more than
    the last one.
    """

    def __init__(self, seed: Seed, seat: int) -> None:
        self._start = start_of(seed, f"bot {seat}")
        self._counter = 0

    def choose(self, match: Match) -> int:
        """Some option."""
        decision = match.decision
        if decision is None:
            raise ValueError("Nobody has to choose.")
        laying = decision.laying if decision.kind == "lay" else None
        if laying is None or not laying.goal:
            return self._below(decision.count)
        going = sum(self._below(laying.ways) == 0 for _ in range(laying.count))
        return min(max(going - laying.least, 0), decision.count - 1)

    def _below(self, count: int) -> int:
        """A number from 0 to one less than `count`."""
        self._counter += 1
        return ((number(self._start, self._counter) >> 32) * count) >> 32


class FirstBot:
    """Always takes the first option: for tests, and to see what a game does when nobody thinks."""

    def __init__(self, seed: Seed, seat: int) -> None:
        del seed, seat

    def choose(self, match: Match) -> int:
        """The first option."""
        del match
        return 0


def _searching(grow: bool) -> Callable[[Seed, int, int], Bot]:
    return lambda seed, seat, playouts: SearchBot(seed, seat, playouts, grow, RandomBot(seed, seat).choose)


BOTS: dict[str, Callable[[Seed, int], Bot]] = {"random": RandomBot, "first": FirstBot}
SEARCH_BOTS: dict[str, Callable[[Seed, int, int], Bot]] = {
    "flat": _searching(False),
    "mcts": _searching(True),
}
TOLD = f"{', '.join([*BOTS, *SEARCH_BOTS])} (the last two with `:N` playouts a decision, else {PLAYOUTS})"


def known(name: str) -> bool:
    """Whether there is a bot of this name."""
    base, colon, playouts = name.partition(":")
    if not colon:
        return base in BOTS or base in SEARCH_BOTS
    return base in SEARCH_BOTS and playouts.isdecimal() and 1 <= int(playouts[:9]) <= MOST


def searches(name: str) -> bool:
    """Whether a bot of this name needs the fast machine."""
    return name.partition(":")[0] in SEARCH_BOTS


def bot_named(name: str, seed: Seed, seat: int) -> Bot:
    """A bot by its name, for one seat of the match with this seed. Raises KeyError for another name."""
    if not known(name):
        raise KeyError(name)
    base, _, playouts = name.partition(":")
    return (
        BOTS[base](seed, seat) if base in BOTS else SEARCH_BOTS[base](seed, seat, int(playouts or PLAYOUTS))
    )
