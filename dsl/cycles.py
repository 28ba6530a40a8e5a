"""Cycles in a graph: the shortest one through each knot.

Comes in: edges between any names. Goes out: cycles, each as the list of its names in order, the first one not
repeated. What never happens: recursion, or a result that depends on anything but the order of the edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
MANY = 300


def knots(edges: Iterable[tuple[Name, Name]]) -> list[list[Name]]:
    """The sets of names that can all reach each other: those of more than one name, and self-loops."""
    out: dict[Name, list[Name]] = {}
    for a, b in edges:
        out.setdefault(a, []).append(b)
        out.setdefault(b, [])
    index: dict[Name, int] = {}
    low: dict[Name, int] = {}
    stack: list[Name] = []
    on_stack: set[Name] = set()
    found: list[list[Name]] = []
    for root in out:
        if root in index:
            continue
        work = [(root, iter(out[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    knot: list[Name] = []
                    while not knot or knot[-1] != name:
                        knot.append(stack.pop())
                        on_stack.discard(knot[-1])
                    if len(knot) > 1 or name in out[name]:
                        found.append(knot[::-1])
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(out[following])))
            elif following in on_stack:
                low[name] = min(low[name], index[following])
    return found


def shortest_cycle(edges: Iterable[tuple[Name, Name]], within: Iterable[Name]) -> list[Name]:
    """The shortest cycle among the names `within`, which are a knot; the earliest of equally short ones.

    In a knot of more than `MANY` names only cycles through the first of them are compared.
    """
    names = list(within)
    out: dict[Name, list[Name]] = {name: [] for name in names}
    for a, b in edges:
        if a in out and b in out:
            out[a].append(b)
    best: list[Name] = []
    for start in names[: MANY if len(names) <= MANY else 1]:
        before: dict[Name, Name] = {}
        todo = deque([start])
        while todo and start not in before:
            name = todo.popleft()
            for following in out[name]:
                if following not in before:
                    before[following] = name
                    todo.append(following)
        if start not in before:
            continue
        cycle = [start]
        while before[cycle[-1]] != start:
            cycle.append(before[cycle[-1]])
        if not best or len(cycle) < len(best):
            best = [cycle[0], *cycle[:0:-1]]
    return best


def cycles(
    edges: Iterable[tuple[Name, Name]], breakable: frozenset[Name], most: int = 20
) -> list[list[Name]]:
    """Cycles that would all have to be broken, at most `most` of them.

    First the shortest of a knot; then those that are left when one `breakable` name of it is taken
    away (any name, where it has none); and so on.
    """
    left = list(dict.fromkeys(edges))
    found: list[list[Name]] = []
    while len(found) < most:
        tied = knots(left)
        if not tied:
            break
        cycle = shortest_cycle(left, tied[0])
        found.append(cycle)
        broken = next((name for name in cycle if name in breakable), cycle[0])
        left = [(a, b) for a, b in left if broken not in (a, b)]
    return found
