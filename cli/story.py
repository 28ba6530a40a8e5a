"""The story: the part of a trace that one choice led to.

Comes in: the tree of everything that happened. Goes out: the tree of what happened from one choice to
the next, with the events it happened in; or single lines. What never happens: a line that was not in the
tree that came in, so that a player's own tree stays a player's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.interpreter.trace import Event

# What a player is told without asking.
TOLD = frozenset({"choice", "taken", "arranged", "vote", "agreement", "majority", "draw", "show", "end"})


def choices_in(tree: Event) -> list[Event]:
    """The choices in a tree, in order."""
    return [e for e in leaves(tree) if e.kind == "choice"]


def leaves(tree: Event) -> Iterator[Event]:
    """Every event in the order of happening, what contains others before these."""
    yield tree
    for child in tree.children:
        yield from leaves(child)


def part(tree: Event, first: int, last: int | None = None) -> Event:
    """What happened from choice `first` (from 1; 0: the beginning) to choice `last`, both included (None: to
    the end). What went on around it is kept, without its other children."""
    met = 0

    def pruned(event: Event) -> Event | None:
        nonlocal met
        if event.kind == "choice":
            met += 1
        inside = met >= first and (last is None or met <= last)
        children = tuple(c for c in map(pruned, event.children) if c is not None)
        return replace(event, children=children) if inside or children else None

    found = pruned(tree)
    return found if found is not None else replace(tree, children=())


def since_choice_of(tree: Event, player: str) -> Event:
    """What happened since a player last chose, that choice included; everything if they have not."""
    numbers = [n for n, e in enumerate(choices_in(tree), 1) if e.text.startswith(f"{player}: ")]
    return part(tree, numbers[-1] if numbers else 0)


def told(tree: Event) -> list[str]:
    """The lines of a tree that a player is told: choices, luck, what is shown, the end. Of an arrangement
    only what lies where in the end, not each answer."""
    return list(_told(tree, TOLD))


def _told(event: Event, kinds: frozenset[str]) -> Iterator[str]:
    if event.kind in kinds and event.text:
        yield event.text
    inside = kinds - {"choice", "taken"} if event.kind == "arrange" else kinds
    for child in event.children:
        yield from _told(child, inside)
