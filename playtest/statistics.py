"""Statistics: what sums over many matches say, with how far they can be trusted.

Comes in: counts. Goes out: shares with Wilson intervals (95 %), means, medians, quartiles, all as frozen
data. What never happens: a share without its interval, or a number made of no games at all (None then).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `of`, as a part of 1, with the Wilson interval. Of nothing, the parts are None."""

    count: int
    of: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers are spread: None everywhere if there are none."""

    mean: float | None
    median: float | None
    lower_quartile: float | None
    upper_quartile: float | None
    least: int | None
    most: int | None


def share(count: int, of: int) -> Share:
    """The share of `count` in `of`, with its interval. Raises ValueError if `count` does not fit."""
    if not 0 <= count <= of:
        raise ValueError(f"{count} is no part of {of}")
    if of == 0:
        return Share(0, 0, None, None, None)
    # E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927).
    part = count / of
    middle = (part + Z * Z / (2 * of)) / (1 + Z * Z / of)
    wide = Z / (1 + Z * Z / of) * math.sqrt(part * (1 - part) / of + Z * Z / (4 * of * of))
    low = 0.0 if count == 0 else middle - wide
    high = 1.0 if count == of else middle + wide
    return Share(count, of, part, low, high)


def spread(counts: Mapping[int, int]) -> Spread:
    """The spread of numbers given as number → how often."""
    numbers = sorted((number, often) for number, often in counts.items() if often > 0)
    n = sum(often for _, often in numbers)
    if n == 0:
        return Spread(None, None, None, None, None, None)
    mean = sum(number * often for number, often in numbers) / n
    median, lower, upper = (quantile(numbers, n, q) for q in (0.5, 0.25, 0.75))
    return Spread(mean, median, lower, upper, numbers[0][0], numbers[-1][0])


def quantile(numbers: list[tuple[int, int]], n: int, q: float) -> float:
    """The quantile `q` of `n` numbers given as sorted (number, how often): between two numbers in
    proportion, as most programs do it."""
    place = q * (n - 1)
    below = int(place)
    first = _at(numbers, below)
    rest = place - below
    return first if rest == 0 else first + (_at(numbers, below + 1) - first) * rest


def _at(numbers: list[tuple[int, int]], place: int) -> float:
    for number, often in numbers:
        place -= often
        if place < 0:
            return float(number)
    raise IndexError("no number at this place")
