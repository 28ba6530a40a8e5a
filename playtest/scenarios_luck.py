"""The luck of a scenario: the outcomes that it lists, used up one by one.

Comes in: the texts under `chance:`. Goes out: a `Chance` for a match. A draw takes one outcome, by name. A
shuffle takes the codes that follow, as far as they are in the pile: they come on top in that order, and the
rest keeps its order; the word `rest` ends such a list. Where only one thing can happen nothing is used up.
What never happens: an outcome that is guessed, or passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.interpreter.chance import ChanceRefused

REST = "rest"
Name = Callable[[int], str]


class ListedChance:
    """Outcomes in the order in which they are asked for. `used` is told by the counters of the game."""

    def __init__(self, streams: Sequence[str], outcomes: Sequence[str]) -> None:
        self.streams = tuple(streams)
        self.outcomes = tuple(outcomes)

    def draw(self, counters: list[int], stream: int, n: int, name: Name) -> int:
        """The value that is listed next."""
        if n == 1:
            return 0
        wanted = self._next(counters, stream)
        for i in range(n):
            if name(i) == wanted:
                counters[stream] += 1
                return i
        possible = ", ".join(dict.fromkeys(name(i) for i in range(n)))
        raise ChanceRefused(f"Chance cannot give `{wanted}` here. Possible: {possible}.")

    def order(self, counters: list[int], stream: int, n: int, name: Name) -> list[int]:
        """The listed codes on top, the first one uppermost; below them the rest as it was."""
        if n == 1:
            return [0]
        first = self._next(counters, stream)
        left = list(range(n))
        top: list[int] = []
        while sum(counters) < len(self.outcomes):
            wanted = self.outcomes[sum(counters)]
            if wanted == REST:
                counters[stream] += 1
                break
            found = next((i for i in left if name(i) == wanted), -1)
            if found < 0:
                break
            counters[stream] += 1
            left.remove(found)
            top.append(found)
        if not top and first != REST:
            raise ChanceRefused(
                f"`{first}` is not among what is shuffled here. Name what comes on top, or write `{REST}`."
            )
        return [*left, *reversed(top)]

    def saved(self) -> dict[str, object]:
        """The outcomes, as a script that no other chance can read."""
        return {"listed": list(self.outcomes)}

    def _next(self, counters: list[int], stream: int) -> str:
        used = sum(counters)
        if used >= len(self.outcomes):
            raise ChanceRefused(
                f"Chance decides here ({self.streams[stream]}), and `chance:` lists no outcome for it."
            )
        return self.outcomes[used]
