"""Spelling: the known name that was probably meant.

Comes in: a word and the names that would be right. Goes out: the closest of them, or None when
none is near enough to be worth naming. Distance is that of Damerau and Levenshtein (optimal
string alignment: insert, delete, replace, swap two neighbours), in relation to the length.
"""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, names: Iterable[str]) -> str | None:
    """The name nearest to `word`, if it is within a third of its length (at least one slip)."""
    limit = max(1, (len(word) + 1) // 3)
    best: tuple[int, int, str] | None = None
    for place, name in enumerate(names):
        if abs(len(name) - len(word)) > limit:
            continue
        far = distance(word.lower(), name.lower(), limit)
        if far <= limit and (best is None or (far, place) < best[:2]):
            best = (far, place, name)
    return best[2] if best else None


def distance(a: str, b: str, limit: int) -> int:
    """How many slips lead from `a` to `b`; anything over `limit` is given as `limit + 1`."""
    if a == b:
        return 0
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            new[j] = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                new[j] = min(new[j], before[j - 2] + 1)
        if min(new) > limit:
            return limit + 1
        before, row = row, new
    return min(row[-1], limit + 1)
