"""Chance: named streams of numbers that depend on the seed and on nothing else.

Comes in: a seed (any whole number or text) and the names of the streams. Goes out: numbers from 0 to
n-1 and random orders. The state of a stream is one counter, kept with the state of the game, so that
a saved or copied game has the same luck. What never happens: one stream moving another, or a number
that depends on the process (nothing here uses Python's own hash).

Number k (from 1) of a stream is `mix(start + k * GOLDEN)`, the generator SplitMix64 of Steele, Lea and Flood
(2014); `start` is a hash of seed and name. `draw(n)` is (top 32 bits * n) >> 32: no value is more
likely than another by more than n / 2**32. A shuffle swaps place i with a drawn place 0 … i, for i from the
last down to 1, and so takes one number less than there are things.
To add a source of chance: another class with the methods of `Chance`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

GOLDEN = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1

Seed = int | str
Name = Callable[[int], str]
Outcome = str | int | tuple[str, ...] | tuple[int, ...]


class ChanceRefused(Exception):
    """A scripted outcome is missing or not possible; the text says which and why."""


class Chance(Protocol):
    """A source of luck. `counters` belongs to the game and is the only thing that changes."""

    def draw(self, counters: list[int], stream: int, n: int, name: Name) -> int:
        """A number from 0 to n-1 (n at least 1); `name` says what each of them stands for."""

    def order(self, counters: list[int], stream: int, n: int, name: Name) -> list[int]:
        """The numbers 0 … n-1 in a random order: the new first one first."""

    def saved(self) -> dict[str, object]:
        """What `chance_of` needs to make the same source again."""


def mix(z: int) -> int:
    """The finaliser of SplitMix64: 64 bits in, 64 well mixed bits out."""
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def number(start: int, counter: int) -> int:
    """Number `counter` (from 1) of the stream that begins at `start`."""
    return mix(start + counter * GOLDEN)


def start_of(seed: Seed, name: str) -> int:
    """Where the stream `name` of `seed` begins. The seeds 7 and "7" are different seeds."""
    kind = "i" if isinstance(seed, int) else "t"
    text = f"{kind}{seed}\x00{name}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


class SeededChance:
    """Luck from a seed."""

    def __init__(self, streams: Sequence[str], seed: Seed) -> None:
        self.seed = int(seed) if isinstance(seed, int) else seed
        self.starts = [start_of(self.seed, name) for name in streams]

    def draw(self, counters: list[int], stream: int, n: int, name: Name) -> int:
        """A number from 0 to n-1 from one stream."""
        counters[stream] = counter = counters[stream] + 1
        return ((mix(self.starts[stream] + counter * GOLDEN) >> 32) * n) >> 32

    def order(self, counters: list[int], stream: int, n: int, name: Name) -> list[int]:
        """The numbers 0 … n-1, shuffled."""
        places = list(range(n))
        counter, start = counters[stream], self.starts[stream]
        for i in range(n - 1, 0, -1):
            counter += 1
            j = ((mix(start + counter * GOLDEN) >> 32) * (i + 1)) >> 32
            places[i], places[j] = places[j], places[i]
        counters[stream] = counter
        return places

    def saved(self) -> dict[str, object]:
        """The seed."""
        return {"seed": self.seed}


class ScriptedChance:
    """Luck that somebody wrote down, for scenarios and for comparing machines.

    `script` is a list of outcomes for whatever happens next, or a mapping from the names of streams to
    lists of their own; a stream without a list of its own is refused when it is asked. An outcome of a
    draw is the name of the value, or its number from 0. An outcome of a shuffle is the new order as a
    list of names (or numbers), or "kept". Each draw and each shuffle uses up one outcome.
    """

    def __init__(
        self, streams: Sequence[str], script: Sequence[Outcome] | Mapping[str, Sequence[Outcome]]
    ) -> None:
        self._streams = tuple(streams)
        self._script: Sequence[Outcome] | dict[str, Sequence[Outcome]]
        if isinstance(script, Mapping):
            self._script = {name: tuple(outcomes) for name, outcomes in script.items()}
        else:
            self._script = tuple(script)

    def draw(self, counters: list[int], stream: int, n: int, name: Name) -> int:
        """The value that the script names."""
        what = self._next(counters, stream)
        value = self._place(what, n, name)
        if value < 0:
            offered = ", ".join(dict.fromkeys(name(i) for i in range(n)))
            raise ChanceRefused(f"Chance cannot give '{_shown(what)}' here. Possible: {offered}.")
        counters[stream] += 1
        return value

    def order(self, counters: list[int], stream: int, n: int, name: Name) -> list[int]:
        """The order that the script gives, which must hold each thing once."""
        what = self._next(counters, stream)
        if what == "kept":
            counters[stream] += 1
            return list(range(n))
        if isinstance(what, str | int):
            raise ChanceRefused(f"A shuffle needs a list of names or the word 'kept', not '{what}'.")
        left = list(range(n))
        places: list[int] = []
        for item in what:
            i = next((i for i in left if item == i or name(i) == item), -1)
            if i < 0:
                raise ChanceRefused(f"'{item}' is not there to be shuffled, or not so often.")
            left.remove(i)
            places.append(i)
        if left:
            raise ChanceRefused(f"The order leaves out {', '.join(name(i) for i in left)}.")
        counters[stream] += 1
        return places

    def saved(self) -> dict[str, object]:
        """The script."""
        if isinstance(self._script, dict):
            return {"script": {k: [_plain(o) for o in v] for k, v in self._script.items()}}
        return {"script": [_plain(o) for o in self._script]}

    def used(self, counters: Sequence[int]) -> bool:
        """Whether every outcome has been used."""
        if isinstance(self._script, dict):
            places = {name: i for i, name in enumerate(self._streams)}
            return all(
                name in places and counters[places[name]] >= len(v) for name, v in self._script.items()
            )
        return sum(counters) >= len(self._script)

    def _next(self, counters: list[int], stream: int) -> Outcome:
        if isinstance(self._script, dict):
            outcomes: Sequence[Outcome] = self._script.get(self._streams[stream], ())
            place = counters[stream]
        else:
            outcomes, place = self._script, sum(counters)
        if place >= len(outcomes):
            raise ChanceRefused(
                f"Chance decides here ({self._streams[stream]}), and no outcome is given for it."
            )
        return outcomes[place]

    def _place(self, what: Outcome, n: int, name: Name) -> int:
        for i in range(n):
            if name(i) == what or name(i) == str(what):
                return i
        if isinstance(what, int) and 0 <= what < n:
            return what
        return -1


class NoChance:
    """No luck at all: for computing what would be, where nothing may depend on it."""

    def draw(self, counters: list[int], stream: int, n: int, name: Name) -> int:
        """Always refused."""
        raise ChanceRefused("Nothing may be left to chance while a condition is looked at.")

    def order(self, counters: list[int], stream: int, n: int, name: Name) -> list[int]:
        """Always refused."""
        raise ChanceRefused("Nothing may be left to chance while a condition is looked at.")

    def saved(self) -> dict[str, object]:
        """Nothing to save."""
        return {"none": True}


def chance_of(streams: Sequence[str], saved: object) -> Chance | None:
    """The source that `saved` describes, or None if that is no description."""
    if not isinstance(saved, dict):
        return None
    seed = saved.get("seed")
    if isinstance(seed, int | str) and not isinstance(seed, bool):
        return SeededChance(streams, seed)
    script = saved.get("script")
    if isinstance(script, list):
        return ScriptedChance(streams, [_frozen(o) for o in script])
    if isinstance(script, dict):
        if not all(isinstance(v, list) for v in script.values()):
            return None
        return ScriptedChance(streams, {str(k): [_frozen(o) for o in v] for k, v in script.items()})
    return None


def _plain(outcome: Outcome) -> object:
    return list(outcome) if isinstance(outcome, tuple) else outcome


def _frozen(outcome: object) -> Outcome:
    if isinstance(outcome, list):
        return tuple(str(o) for o in outcome) if any(isinstance(o, str) for o in outcome) else tuple(outcome)
    return outcome if isinstance(outcome, int) else str(outcome)


def _shown(outcome: Outcome) -> str:
    return " ".join(str(o) for o in outcome) if isinstance(outcome, tuple) else str(outcome)
