"""Shapes: what a place in a rule file may hold, as data, and the check of a tree against them.

Comes in: a tree from `dsl/source.py` and a shape. Goes out: problems (E301 … E309), and the same
shapes as JSON Schema for editors (`dsl/json_schema.py`). The shapes of a game are in `dsl/schema.py`.
What never happens: a key or value that no shape names passes in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest

NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
JOINED = re.compile(r"([A-Za-z_][\w ]*):(\S.*)")
FIGURE = re.compile(r"-?(0|[1-9][0-9]*)\Z")
LARGEST_FIGURE = 1_000_000


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence for people, or any text."""

    note: str = "a sentence"


@dataclass(frozen=True, slots=True)
class Anything:
    """Whatever its place in the game may hold: checked there, once it has been laid over the game."""


@dataclass(frozen=True, slots=True)
class Words:
    """One of a closed list of words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ANameOf:
    """The name of something of the game: lower case, digits and `_`."""

    what: str = "a name"


@dataclass(frozen=True, slots=True)
class Figure:
    """A whole number from `low` to `high`."""

    low: int = -LARGEST_FIGURE
    high: int = LARGEST_FIGURE


@dataclass(frozen=True, slots=True)
class Logic:
    """A piece of logic; `start` is the slot of the grammar it is read with."""

    start: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text of a fixed form, told to people as `form`."""

    pattern: str
    form: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list whose items all have one shape; with `or_one` a single item may stand bare."""

    item: Shape
    or_one: bool = False
    least: int = 0


@dataclass(frozen=True, slots=True)
class MapOf:
    """Names of the writer's own, each with a value. `key` "name", "header", "logic" (a selection) or
    "text".
    """

    value: Shape
    key: str = "name"
    may_be_empty: bool = False  # a name without a value is allowed


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a `Keys` shape."""

    shape: Shape
    required: bool = False
    note: str = ""
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping with a closed set of keys. `what` names the thing in messages."""

    what: str
    keys: dict[str, Key]


@dataclass(frozen=True, slots=True)
class Either:
    """A different shape for a bare text, a mapping and a list."""

    scalar: Shape | None = None
    mapping: Shape | None = None
    sequence: Shape | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """A shape that refers back (phases hold phases)."""

    name: str
    get: Callable[[], Shape]


Shape = Text | Anything | Words | ANameOf | Figure | Logic | Pattern | ListOf | MapOf | Keys | Either | Later


def described(shape: Shape) -> str:
    """What the shape asks for, in words."""
    match shape:
        case Text(note):
            return note
        case Anything():
            return "a value"
        case Words(words):
            return "one of " + ", ".join(words) if len(words) > 1 else words[0]
        case ANameOf(what):
            return what
        case Figure():
            return "a whole number"
        case Logic(start):
            return {
                "effect": "instructions in a block (`|`)",
                "expr": "a condition or a value on one line",
                "choice": "a selection",
                "who": "a player or players",
                "turns": "turns, as in `clockwise from first_player`",
                "type": "a type, as in `number 0 to 6` or `yes or no`",
                "event": "the name of an event",
            }.get(start, "one line")
        case Pattern(_, form):
            return form
        case ListOf():
            return "a list"
        case MapOf():
            return "names, each with a colon, on lines of their own"
        case Keys(what, _):
            return f"the keys of {what}"
        case Either(scalar, mapping, sequence):
            return " or ".join(described(s) for s in (scalar, sequence, mapping) if s is not None)
        case Later(_, get):
            return described(get())


def check_shape(tree: Tree | None, shape: Shape, where: str, at: Span, problems: Problems) -> bool:
    """Report everything in `tree` that does not fit `shape`; true when nothing is wrong.

    `where` names the place for people ("`hand`"), `at` is the span of its key.
    """
    if tree is None:
        problems.error(
            "E305", at, f"Nothing stands after {where}:.", f"Write {described(shape)}, or take the key out."
        )
        return False
    match shape:
        case Anything():
            return True
        case Later(_, get):
            return check_shape(tree, get(), where, at, problems)
        case Either(scalar, mapping, sequence):
            chosen = (
                scalar if isinstance(tree, Scalar) else mapping if isinstance(tree, Mapping) else sequence
            )
            if chosen is None:
                return _misfit(shape, where, tree, problems)
            return check_shape(tree, chosen, where, at, problems)
        case Keys():
            if not isinstance(tree, Mapping):
                return _misfit(shape, where, tree, problems)
            return _check_keys(tree, shape, where, at, problems)
        case MapOf():
            if not isinstance(tree, Mapping):
                return _misfit(shape, where, tree, problems)
            return _check_map(tree, shape, problems)
        case ListOf(item, or_one, least):
            if isinstance(tree, Scalar) and or_one:
                return check_shape(tree, item, where, at, problems)
            if not isinstance(tree, Sequence):
                return _misfit(shape, where, tree, problems)
            if len(tree.items) < least:
                problems.error(
                    "E303", tree.span, f"{where} needs at least {least} of them.", "Add what is missing."
                )
                return False
            fits = [check_shape(x, item, f"an item of {where}", tree.span, problems) for x in tree.items]
            return all(fits)  # every item is looked at, whatever the ones before were
        case Logic(start):
            return _check_logic(tree, start, where, at, problems)
        case _:
            if not isinstance(tree, Scalar):
                return _misfit(shape, where, tree, problems)
            return _check_scalar(tree, shape, where, problems)


def _misfit(shape: Shape, where: str, tree: Tree, problems: Problems) -> bool:
    joined = JOINED.match(tree.text) if isinstance(tree, Scalar) else None
    if joined and isinstance(tree, Scalar) and isinstance(shape, (Keys, MapOf)):
        at, better = tree.at(joined.end(1), joined.end(1) + 1), f"{joined[1]}: {joined[2]}"
        problems.error("E120", at, "A space is missing after this colon.", f"Write `{_short(better)}`.")
    else:
        problems.error("E303", tree.span, f"{where} cannot hold this.", f"Write {described(shape)}.")
    return False


def _check_keys(tree: Mapping, shape: Keys, where: str, at: Span, problems: Problems) -> bool:
    fine = True
    for entry in tree.entries:
        key = shape.keys.get(entry.key.text)
        if key is None:
            fine = False
            near = closest(entry.key.text, shape.keys)
            cure = f"Did you mean `{near}`? " if near else ""
            problems.error(
                "E301",
                entry.key.span,
                f"{shape.what} has no key `{entry.key.text}`.",
                f"{cure}Keys here: {', '.join(shape.keys)}.",
                near,
            )
        elif entry.value is None and key.may_be_empty:
            continue
        else:
            fine &= check_shape(entry.value, key.shape, f"`{entry.key.text}`", entry.key.span, problems)
    for name, key in shape.keys.items():
        if key.required and name not in tree:
            fine = False
            problems.error(
                "E302", at, f"{where} lacks the key `{name}`.", f"Add `{name}:` with {described(key.shape)}."
            )
    return fine


def _check_map(tree: Mapping, shape: MapOf, problems: Problems) -> bool:
    fine = True
    for entry in tree.entries:
        name = entry.key.text
        if shape.key == "name" and not NAME.match(name):
            fine = False
            problems.error(
                "E306",
                entry.key.span,
                f"`{name}` cannot be a name.",
                "A name has small letters, digits and `_`, and begins with a letter.",
            )
        if entry.value is None and shape.may_be_empty:
            continue
        fine &= check_shape(entry.value, shape.value, f"`{name}`", entry.key.span, problems)
    return fine


def _check_logic(tree: Tree, start: str, where: str, at: Span, problems: Problems) -> bool:
    if isinstance(tree, Sequence) and tree.raw is not None:
        return True  # a set written in [ ]: the logic takes the source text
    if not isinstance(tree, Scalar):
        problems.error("E303", tree.span, f"{where} cannot hold this.", f"Write {described(Logic(start))}.")
        return False
    if start == "effect" and tree.style not in ("literal", "csv"):
        problems.error(
            "E307",
            tree.span,
            f"Instructions under {where} stand in a block.",
            "Write `|` after the colon and put each instruction on its own line below, further to the right.",
        )
        return False
    if not tree.text.strip():
        problems.error(
            "E305",
            at,
            f"Nothing stands after {where}:.",
            f"Write {described(Logic(start))}, or take the key out.",
        )
        return False
    return True


def _check_scalar(tree: Scalar, shape: Shape, where: str, problems: Problems) -> bool:
    text = tree.text
    match shape:
        case Words(words) if text not in words:
            near = closest(text, words)
            cure = f"Did you mean `{near}`? " if near else ""
            problems.error(
                "E304",
                tree.span,
                f"{where} cannot be `{_short(text)}`.",
                f"{cure}It is {described(shape)}.",
                near,
            )
        case ANameOf(what) if not NAME.match(text):
            problems.error(
                "E306",
                tree.span,
                f"`{_short(text)}` cannot be {what}.",
                "A name has small letters, digits and `_`, and begins with a letter.",
            )
        case Figure(low, high) if not FIGURE.match(text) or not low <= int(text[:9]) <= high or len(text) > 8:
            low_word, high_word = max(low, -LARGEST_FIGURE), min(high, LARGEST_FIGURE)
            problems.error(
                "E304",
                tree.span,
                f"{where} cannot be `{_short(text)}`.",
                f"Write a whole number from {low_word} to {high_word}.",
            )
        case Pattern(pattern, form) if not re.fullmatch(pattern, text):
            problems.error("E304", tree.span, f"{where} cannot be `{_short(text)}`.", f"Write {form}.")
        case Text() if not text.strip():
            problems.error(
                "E305", tree.span, f"Nothing stands after {where}:.", "Write something, or take the key out."
            )
        case _:
            return True
    return False


def _short(text: str) -> str:
    line = text.strip().split("\n")[0]
    return line if len(line) <= 40 else line[:37] + "…"
