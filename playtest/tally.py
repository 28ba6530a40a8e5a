"""Tally: the sums over many matches.

Comes in: outcomes, in any order and in any number of parts. Goes out: counts that are the same whatever
the order and the parts. What never happens: a number that cannot be added up again: means and intervals
are made later, in `statistics.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rulewright.playtest.matches import ENDED, FAULT, STOPPED, Outcome

SHOWN = 10  # faults that are kept with their number and words


@dataclass(slots=True)
class Tally:
    """Counts over matches. Interrupted matches are in none of them.

    `wins[seat]` counts the games a seat won, alone or with others; `alone` those it won alone. Wins,
    scores and ends are of games that ended; lengths and branching of these too, so that a stopped match
    does not look like a long one. `faults` are (number of the game, reason), the lowest numbers only;
    `fault_count` counts them all.
    """

    seats: int
    games: int = 0
    ended: int = 0
    shared: int = 0
    nobody: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    alone: Counter[int] = field(default_factory=Counter)
    began: Counter[int] = field(default_factory=Counter)
    began_and_won: Counter[int] = field(default_factory=Counter)
    scores: dict[int, Counter[int]] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)
    stopped: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    branching: Counter[int] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)
    fault_count: int = 0

    def add(self, number: int, outcome: Outcome) -> None:
        """Count one match; `number` is its place in the batch."""
        if outcome.status == ENDED:
            self._count_end(outcome)
        elif outcome.status == STOPPED:
            self.stopped[outcome.reason] += 1
        elif outcome.status == FAULT:
            self.fault_count += 1
            self._keep_faults([(number, outcome.reason)])
        else:
            return
        self.games += 1

    def _count_end(self, outcome: Outcome) -> None:
        self.ended += 1
        self.ends[outcome.end] += 1
        self.lengths[outcome.decisions] += 1
        self.branching.update(outcome.branching)
        self.wins.update(outcome.winners)
        if len(outcome.winners) == 1:
            self.alone.update(outcome.winners)
        self.shared += len(outcome.winners) > 1
        self.nobody += not outcome.winners
        if outcome.began >= 0:
            self.began[outcome.began] += 1
            self.began_and_won[outcome.began] += outcome.began in outcome.winners
        for seat, score in enumerate(outcome.scores):
            self.scores.setdefault(seat, Counter())[score] += 1

    def add_ended(
        self,
        ends: Counter[str],
        lengths: Counter[int],
        winners: Counter[tuple[int, int]],
        branching: Counter[int],
        scores: list[Counter[int]],
    ) -> None:
        """Count matches that ended, many at a time. `winners` counts (who began or -1, winners as bits);
        `scores` has a counter for each seat, or none."""
        count = lengths.total()
        self.games += count
        self.ended += count
        self.ends.update(ends)
        self.lengths.update(lengths)
        self.branching.update(branching)
        for (began, bits), n in winners.items():
            seats = [seat for seat in range(bits.bit_length()) if bits >> seat & 1]
            for seat in seats:
                self.wins[seat] += n
            if len(seats) == 1:
                self.alone[seats[0]] += n
            self.shared += n * (len(seats) > 1)
            self.nobody += n * (not seats)
            if began >= 0:
                self.began[began] += n
                self.began_and_won[began] += n * (began in seats)
        for seat, counts in enumerate(scores):
            self.scores.setdefault(seat, Counter()).update(counts)

    def add_stopped(self, reason: str) -> None:
        """Count a match that was given up."""
        self.games += 1
        self.stopped[reason] += 1

    def add_fault(self, number: int, reason: str) -> None:
        """Count a match that could not even begin."""
        self.games += 1
        self.fault_count += 1
        self._keep_faults([(number, reason)])

    def merge(self, other: Tally) -> None:
        """Add the counts of another part of the batch."""
        for name in ("games", "ended", "shared", "nobody", "fault_count"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("wins", "alone", "began", "began_and_won", "ends", "stopped", "lengths", "branching"):
            getattr(self, name).update(getattr(other, name))
        for seat, scores in other.scores.items():
            self.scores.setdefault(seat, Counter()).update(scores)
        self._keep_faults(other.faults)

    def _keep_faults(self, more: list[tuple[int, str]]) -> None:
        self.faults = sorted([*self.faults, *more])[:SHOWN]
