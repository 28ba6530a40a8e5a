"""Types: what a value of the language can be.

Comes in: nothing. Frozen data, compared by value; `fits` and `join` in `dsl/check/typing.py` say how they
relate. What never happens: a value whose type is found out in play.
"""

from __future__ import annotations

from dataclasses import dataclass

BIG = 1_000_000  # no number of a game leaves -BIG … BIG


@dataclass(frozen=True, slots=True)
class NumberType:
    """A whole number from `low` to `high`."""

    low: int = -BIG
    high: int = BIG


@dataclass(frozen=True, slots=True)
class YesNoType:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class WordType:
    """A word of one enumeration."""

    enum: str


@dataclass(frozen=True, slots=True)
class LiteralType:
    """A word as written, which may belong to several enumerations (the context decides)."""

    word: str
    enums: frozenset[str]


@dataclass(frozen=True, slots=True)
class PieceType:
    """A card, token or die of a kind (`piece` for any)."""

    kind: str


@dataclass(frozen=True, slots=True)
class KindWordType:
    """A kind of piece as a value: `kind of c`, `king`; `base` is what all of them are."""

    base: str


@dataclass(frozen=True, slots=True)
class PlayerType:
    """A player."""


@dataclass(frozen=True, slots=True)
class TeamType:
    """A team of players."""


@dataclass(frozen=True, slots=True)
class SpaceType:
    """A space of a board."""


@dataclass(frozen=True, slots=True)
class ZoneType:
    """A zone, a place of pieces: usable as the set of what lies there, and as a destination."""

    holds: str
    zone: str  # its name, "" if several are possible


@dataclass(frozen=True, slots=True)
class BoardType:
    """A board, usable as the set of its spaces."""

    board: str


@dataclass(frozen=True, slots=True)
class DirectionType:
    """A direction on a board."""


@dataclass(frozen=True, slots=True)
class LineType:
    """A line, row, column or diagonal; usable as the set of its spaces."""

    kind: str = "line"


@dataclass(frozen=True, slots=True)
class MarkType:
    """A mark on a track that pieces can lie on."""

    mark: str


@dataclass(frozen=True, slots=True)
class SetType:
    """Different values of one type, in a defined order. `group` marks a group of a selection."""

    element: Type
    group: bool = False


@dataclass(frozen=True, slots=True)
class OptionalType:
    """A value of the type, or none."""

    inner: Type


@dataclass(frozen=True, slots=True)
class NoneType:
    """The word `none`."""


@dataclass(frozen=True, slots=True)
class UnknownType:
    """What could not be found out; a problem has been reported already."""


Type = (
    NumberType
    | YesNoType
    | WordType
    | LiteralType
    | PieceType
    | KindWordType
    | PlayerType
    | TeamType
    | SpaceType
    | ZoneType
    | BoardType
    | DirectionType
    | LineType
    | MarkType
    | SetType
    | OptionalType
    | NoneType
    | UnknownType
)

NUMBER, YESNO, PLAYER, SPACE, DIRECTION, LINE = (
    NumberType(),
    YesNoType(),
    PlayerType(),
    SpaceType(),
    DirectionType(),
    LineType(),
)
UNKNOWN, NONE = UnknownType(), NoneType()
ANY_PIECE = PieceType("piece")


def plain(type: Type) -> Type:
    """The type without "or none"."""
    return type.inner if isinstance(type, OptionalType) else type


def described(type: Type, many: bool = False) -> str:
    """The type in words: "a card", "a number (1 to 6)", "a set of players"."""
    match type:
        case NumberType(low, high):
            if low <= -BIG or high >= BIG:
                return "numbers" if many else "a number"
            return f"numbers ({low} to {high})" if many else f"a number ({low} to {high})"
        case YesNoType():
            return "yes or no"
        case WordType(enum):
            return f"words of `{enum}`" if many else f"a word of `{enum}`"
        case LiteralType(word, _):
            return f"the word `{word}`"
        case PieceType(kind):
            return plural(kind) if many else with_article(kind)
        case KindWordType(base):
            return f"kinds of {base}" if many else f"a kind of {base}"
        case SetType(element, group):
            return ("a group of " if group else "a set of ") + described(element, True)
        case OptionalType(inner):
            return described(inner, many) + " or none"
        case ZoneType(holds, zone):
            return f"the zone `{zone}` (a set of {plural(holds)})" if zone else f"a zone of {plural(holds)}"
        case BoardType(board):
            return f"the board `{board}`" if board else "a board"
        case NoneType():
            return "none"
        case UnknownType():
            return "something unknown"
        case LineType(kind):
            return plural(kind) if many else with_article(kind)
        case MarkType(mark):
            return f"a mark `{mark}`"
        case PlayerType():
            word = "player"
        case TeamType():
            word = "team"
        case SpaceType():
            word = "space"
        case DirectionType():
            word = "direction"
    return plural(word) if many else with_article(word)


def with_article(word: str) -> str:
    """`a card`, `an aspect`."""
    return ("an " if word[0] in "aeiou" else "a ") + word


IRREGULAR = {"die": "dice", "man": "men", "person": "people"}


def plural(word: str) -> str:
    """The plural of a kind: regular, or one of a few irregular ones."""
    head, _, last = word.rpartition("_")
    lead = head + "_" if head else ""
    if last in IRREGULAR:
        return lead + IRREGULAR[last]
    if last.endswith("y") and last[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    if last.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"
