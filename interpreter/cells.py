"""Cells: which player, word or piece a cell of a variable belongs to.

Comes in: a variable and the number of a cell. Goes out: the value of each of its indexes. Sizes follow from
the types; one size that no type tells is worked out from the number of cells.
What never happens: a cell that two combinations share.
"""

from __future__ import annotations

from math import prod

from rulewright.interpreter import ir
from rulewright.interpreter.naming import bare_type, family


def index_sizes(program: ir.Program, v: ir.Variable) -> tuple[int, ...] | None:
    """How many values each index has; None if the types and the number of cells do not fit together."""
    sizes: list[int] = []
    for type_ in v.index:
        sizes.append(_size(program, type_))
    unknown = [i for i, n in enumerate(sizes) if n == 0]
    rest = prod(n for n in sizes if n)
    if len(unknown) == 1 and rest and v.cells % rest == 0:
        sizes[unknown[0]] = v.cells // rest
    return tuple(sizes) if prod(sizes) == v.cells else None


def _size(program: ir.Program, type_: str) -> int:
    match family(program, type_):
        case "player":
            return len(program.players)
        case "yesno":
            return 2
        case "word":
            return sum(1 for word in dict(program.word_lists)[bare_type(type_)] if word)
        case "direction":
            return len(program.directions)
        case "line":
            return len(program.lines)
        case "kind":
            return len(program.kinds)
        case _:
            return 0


def lowest(program: ir.Program, type_: str) -> int:
    """The value that stands in the first cell of an index: of words that are a part of others, the first."""
    if family(program, type_) != "word":
        return 0
    return next((i for i, word in enumerate(dict(program.word_lists)[bare_type(type_)]) if word), 0)


def combination(program: ir.Program, v: ir.Variable, sizes: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """The index values of a cell; the last index runs fastest."""
    out: list[int] = []
    for type_, size in zip(reversed(v.index), reversed(sizes), strict=True):
        cell, value = divmod(cell, size)
        out.append(value + lowest(program, type_))
    return tuple(reversed(out))
