"""Flags: what several commands ask for in the same words.

Comes in: a parser. Goes out: the parser with the arguments; values that were read and checked in form.
Whether a game, a variant or an option exists is not settled here. What never happens: one flag with two
meanings.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

Run = Callable[[argparse.Namespace], int]
MANY = 10_000_000  # games or decisions nobody waits for


def game(parser: argparse.ArgumentParser) -> None:
    """The game: a bundled one by name, or a path."""
    parser.add_argument(
        "game", metavar="GAME", help="name of a bundled game, or the path of a folder or file"
    )


def variants(parser: argparse.ArgumentParser) -> None:
    """Variants laid over the game, in order."""
    parser.add_argument(
        "--variant", metavar="V", action="append", default=[],
        help="lay this variant over the game (a name under variants/, or a file); several stack",
    )  # fmt: skip


def options(parser: argparse.ArgumentParser) -> None:
    """Options of the game, players, seed."""
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], type=option,
        help="set an option of the game; several values are joined by commas, `none` is an empty list",
    )  # fmt: skip
    parser.add_argument(
        "--players", metavar="N", type=seats, help="how many players, or their names joined by commas"
    )
    parser.add_argument("--seed", metavar="S", type=seed, default=None, help="the luck of the game: a number")


def option(text: str) -> tuple[str, tuple[str, ...]]:
    """`NAME=VALUE` or `NAME=VALUE,VALUE` as a name and values."""
    name, equals, value = text.partition("=")
    name, values = name.strip(), tuple(v.strip() for v in value.split(",") if v.strip())
    if not equals or not name or not values:
        empty = f"; an empty list is {name}=none" if equals and name else ""
        raise argparse.ArgumentTypeError(f"write NAME=VALUE, not '{text}'{empty}")
    return name, values


def seats(text: str) -> int | tuple[str, ...]:
    """A number of players, or their names."""
    if text.strip().isdecimal():
        return whole(text, 1, 99)
    names = tuple(n.strip() for n in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"write a number or names joined by commas, not '{text}'")
    return names


def seed(text: str) -> int:
    """A seed."""
    return whole(text, -(2**63), 2**63 - 1)


def between(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from `low` to `high`."""
    return lambda text: whole(text, low, high)


def whole(text: str, low: int, high: int) -> int:
    """A whole number within bounds, with a sentence for what is none."""
    try:
        number = int(text.replace("_", "")) if len(text) < 40 else None
    except ValueError:
        number = None
    if number is None or not low <= number <= high:
        raise argparse.ArgumentTypeError(f"a whole number from {low} to {high} is needed, not '{text[:40]}'")
    return number


def as_mapping(given: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """Options as a mapping; the last word on each option counts."""
    return dict(given)
