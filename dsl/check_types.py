"""How types relate: which value fits where, and what two of them are together.

Comes in: types and the `World`. Goes out: yes or no, or a type. Nothing is reported here.
"""

from __future__ import annotations

from rulewright.dsl.check_world import World
from rulewright.dsl.types import (
    BIG,
    SPACE,
    BoardType,
    KindWordType,
    LineType,
    LiteralType,
    MarkType,
    NoneType,
    NumberType,
    OptionalType,
    PieceType,
    SetType,
    SpaceType,
    Type,
    UnknownType,
    WordType,
    YesNoType,
    ZoneType,
)


def element_of(type: Type) -> Type | None:
    """What the values of a set (or of what stands for a set) are; None for anything else."""
    match type:
        case SetType(element, _):
            return element
        case ZoneType(holds, _):
            return PieceType(holds)
        case BoardType() | LineType():
            return SPACE
    return None


def clamp(low: int, high: int) -> NumberType:
    """A number type whose bounds stay within what the machines hold."""
    return NumberType(max(-BIG, min(BIG, low)), max(-BIG, min(BIG, high)))


def fits(world: World, value: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where the other is wanted."""
    if isinstance(value, UnknownType) or isinstance(wanted, UnknownType) or value == wanted:
        return True
    if isinstance(wanted, OptionalType):
        if isinstance(value, NoneType):
            return True
        return fits(world, value.inner if isinstance(value, OptionalType) else value, wanted.inner)
    if isinstance(value, (OptionalType, NoneType)):
        return False
    match value, wanted:
        case YesNoType(), YesNoType():
            return True
        case NumberType(), NumberType():
            return True
        case LiteralType(_, enums), WordType(enum):
            return enum in enums or any(part_of(world, e, enum) for e in enums)
        case WordType(a), WordType(b):
            return part_of(world, a, b) or part_of(world, b, a)
        case PieceType(a), PieceType(b):
            return world.isa(a, b) or world.isa(b, a) or world.meet(a, b)
        case KindWordType(a), KindWordType(b):
            return world.isa(a, b) or world.isa(b, a)
        case PieceType(), SpaceType():
            return True  # a piece stands for the space it lies on
        case LineType(), LineType():
            return True
        case MarkType(), SpaceType():
            return True
    if isinstance(wanted, SetType):
        inner = element_of(value)
        return inner is not None and fits(world, inner, wanted.element)
    return False


def part_of(world: World, part: str, whole: str) -> bool:
    """Whether one enumeration is declared to be part of the other."""
    return part in world.game.enums and world.game.enums[part].part_of == whole


def join(world: World, a: Type, b: Type) -> Type | None:
    """The type that both values have, or None if there is none."""
    if isinstance(a, UnknownType):
        return b
    if isinstance(b, UnknownType) or a == b:
        return a
    if isinstance(a, NoneType):
        return b if isinstance(b, OptionalType) else OptionalType(b)
    if isinstance(b, NoneType):
        return a if isinstance(a, OptionalType) else OptionalType(a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        inner = join(
            world,
            a.inner if isinstance(a, OptionalType) else a,
            b.inner if isinstance(b, OptionalType) else b,
        )
        return None if inner is None else OptionalType(inner)
    match a, b:
        case NumberType(), NumberType():
            return NumberType(min(a.low, b.low), max(a.high, b.high))
        case LiteralType(), LiteralType():
            both = a.enums & b.enums
            return LiteralType(a.word, both) if both else None
        case LineType(), LineType():
            return LineType()
        case PieceType(), PieceType():
            return _common_kind(world, a.kind, b.kind)
        case KindWordType(), KindWordType():
            common = _common_kind(world, a.base, b.base)
            return KindWordType(common.kind) if common else None
    ea, eb = element_of(a), element_of(b)
    if ea is not None and eb is not None:
        inner = join(world, ea, eb)
        return None if inner is None else SetType(inner)
    if fits(world, a, b):
        return b
    if fits(world, b, a):
        return a
    return None


def _common_kind(world: World, a: str, b: str) -> PieceType | None:
    if world.isa(a, b):
        return PieceType(b)
    if world.isa(b, a):
        return PieceType(a)
    common = world.parents.get(a, frozenset()) & world.parents.get(b, frozenset())
    for kind in [*world.game.kinds, "card", "token", "die"]:
        if kind in common:
            return PieceType(kind)
    return PieceType("piece")
