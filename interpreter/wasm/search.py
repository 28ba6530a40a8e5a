"""Search: which option is best, by playing games to the end inside the module.

Comes in: a module at work, positions that a player who must choose cannot tell apart (one, if nothing is
hidden). Goes out: for each option how often it was tried and what it was worth to that player. What never
happens: a change of the positions, or an answer that knows more than they do.

`flat` tries every option equally often (flat Monte Carlo); `tree` grows a search tree (UCT, or with several
positions single-observer information-set search). How games count and what a tree is: see `searching.py`.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.host import Trapped
from rulewright.interpreter.wasm.keeping import POOL
from rulewright.interpreter.wasm.machine import Runner
from rulewright.interpreter.wasm.memory import TooLarge
from rulewright.interpreter.wasm.searching import TOTAL, VISITS, WORLDS

EXPLORATION = 0.7  # about half the square root of 2: payoffs lie between 0 and 1
CUT_OFF = 2_000  # choices after which a playout counts as one that nobody wins
GIVEN_UP = 16  # playouts of one search that a module may give up


@dataclass(frozen=True, slots=True)
class Tried:
    """An option, by its number: in how many games it was chosen, and what they were worth on average to the
    player who chooses: 1 for a win, 0 for a loss (0.0 where it was never tried)."""

    option: int
    visits: int
    worth: float


class Worlds:
    """Positions put aside in a module, ready to be searched. Raises TooLarge where one cannot be had there,
    and ValueError if in none of them anybody must choose.

    The first one says who must choose and how many options there are; one in which that is otherwise is left
    out, so is one for which there is no room.
    """

    def __init__(self, runner: Runner, positions: Sequence[State]) -> None:
        self.runner = runner
        self.player, self.options = -1, 0
        self.at: list[int] = []
        end = 0
        for s in positions[:WORLDS]:
            try:
                runner.load(s)
                if not runner.instance.call("resume"):
                    continue
                asked = runner.asked_player, runner.instance.call("get ask.count")
                if self.at and asked != (self.player, self.options):
                    continue
                self.player, self.options = asked
                size = runner.save(end)
            except Trapped as trap:
                if not self.at:
                    raise TooLarge(str(trap)) from None
                continue
            self.at.append(end)
            end += size
            if end + size > POOL:
                break
        if not self.at:
            raise ValueError("nobody must choose")
        pool = runner.fast.built.keeping.pool
        runner.write(runner.fast.built.searching.worlds, array("i", [pool + a for a in self.at]))

    def _begin(self, seed: int, limit: int) -> None:
        instance = self.runner.instance
        instance.call("forget")
        instance.call("set rng", _signed(seed))
        instance.call("set limit", limit)

    def flat(self, playouts: int, seed: int, limit: int = CUT_OFF) -> tuple[Tried, ...]:
        """Play every option to the end so many times, over the positions in turn."""
        runner, n = self.runner, len(self.at)
        pool = runner.fast.built.keeping.pool
        out: list[Tried] = []
        given_up = 0
        for option in range(self.options):
            self._begin(seed + option, limit)
            for i, at in enumerate(self.at):
                share = playouts // n + (i < playouts % n)
                begun = runner.instance.call("get iteration")
                while (left := begun + share - runner.instance.call("get iteration")) > 0:
                    try:
                        runner.instance.call("rollouts", option, pool + at, left)
                    except Trapped:
                        share, given_up = share - 1, given_up + 1
                        if given_up > GIVEN_UP:
                            break
            played = runner.instance.call("get iteration")
            total = self._double(runner.fast.built.searching.totals + 8 * self.player)
            out.append(Tried(option, played, total / played if played else 0.0))
        return tuple(out)

    def tree(
        self, iterations: int, seed: int, exploration: float = EXPLORATION, limit: int = CUT_OFF
    ) -> tuple[Tried, ...]:
        """Grow a tree by so many playouts."""
        runner = self.runner
        self._begin(seed, limit)
        for _ in range(GIVEN_UP):
            try:
                runner.instance.call("search", iterations, len(self.at), round(exploration * 1_000_000))
                break
            except Trapped:  # that playout is lost; the others go on
                continue
        runner.restore(self.at[0])
        return tuple(self._tried(option) for option in range(self.options))

    @property
    def nodes(self) -> int:
        """How many nodes the tree has that was grown last."""
        return self.runner.instance.call("get used")

    def _tried(self, option: int) -> Tried:
        at = self.runner.instance.call("child", option)
        visits = self.runner.reader.number(at + VISITS)
        total = self._double(at + TOTAL)
        return Tried(option, visits, total / visits if visits else 0.0)

    def _double(self, at: int) -> float:
        return float(struct.unpack("<d", self.runner.instance.memory[at : at + 8])[0])


@dataclass(frozen=True, slots=True)
class Playouts:
    """Games played at random: how many, how many choices they took in all, and what one was worth on average
    to each seat."""

    games: int
    choices: int
    worth: tuple[float, ...]


def playouts(runner: Runner, n: int, seed: int, at: int | None = None, limit: int = CUT_OFF) -> Playouts:
    """Play so many whole games at random, each with its set-up; or from where a match was put aside (`at`, as
    in `Runner.save`). Raises Trapped if the module gives one up."""
    built, instance = runner.fast.built, runner.instance
    instance.call("forget")
    instance.call("set rng", _signed(seed))
    instance.call("set limit", limit)
    instance.call("rollouts", -1, 0 if at is None else built.keeping.pool + at, n)
    seats = len(runner.program.players)
    totals = built.searching.totals
    raw = runner.instance.memory[totals : totals + 8 * seats]
    choices = instance.call("get length") + (n if at is not None else 0)
    return Playouts(n, choices, tuple(total / n for total in struct.unpack(f"<{seats}d", raw)))


def best(tried: Sequence[Tried]) -> int:
    """The option that was tried most often, of equals the one worth most, then the first ("robust child")."""
    return max(tried, key=lambda t: (t.visits, t.worth, -t.option)).option


def worthiest(tried: Sequence[Tried]) -> int:
    """The option worth most, of equals the first."""
    return max(tried, key=lambda t: (t.worth, -t.option)).option


def _signed(seed: int) -> int:
    """A seed as the host hands numbers of 64 bits to a module."""
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed
