"""Short ways: quick callables for the few forms that games compute most of the time.

Comes in: a selection `any … where …` or `all … where …`. Goes out: a callable that gives the same truth as
the general one in `link_expr.py`, or None where there is no short way. What never happens: another result.
To add one: a function here, and a case in the test that compares both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.link_numbers import Ev
from rulewright.interpreter.walk import slots_read

if TYPE_CHECKING:
    from rulewright.interpreter.link_expr import Expressions


def short_way(links: Expressions, e: ir.Quantifier) -> Ev | None:
    """A quick callable for the truth of an `any`, if there is one."""
    if e.word != "any":
        return None
    if isinstance(e.condition, ir.Const):
        return _whether_some(links, e) if e.condition.value else None
    return _any_lying_with(links, e)


def _whether_some(links: Expressions, e: ir.Quantifier) -> Ev:
    """`any x of a set`: whether there is one at all."""
    items = links.items(e.set)
    if isinstance(e.set, ir.Contents) and isinstance(e.set.place, ir.Local):
        slot = e.set.place.slot
        return lambda s, loc: bool(s.contents.get(loc[slot]))
    return lambda s, loc: len(items(s, loc)) > 0


def _any_lying_with(links: Expressions, e: ir.Quantifier) -> Ev | None:
    """`any piece at a place where PROPERTY of it is X`, X the same for all of them."""
    match e:
        case ir.Quantifier(
            _, slot, ir.Contents(place, False), ir.Binary("==", ir.At(table, ir.Local(at)), right)
        ) if at == slot:
            pass
        case _:
            return None
    data = links.program.tables[table]
    if data.base != 0 or len(data.data) < len(links.program.pieces) or slot in slots_read(right):
        return None
    values, where, x = data.data, links.value(place), links.value(right)

    def lying(s: Any, loc: list[Any]) -> Any:
        pieces = s.contents.get(where(s, loc))
        if not pieces:
            return False
        wanted = x(s, loc)
        for piece in pieces:  # a real piece, so the table has a row for it  # noqa: SIM110 (faster)
            if values[piece] == wanted:
                return True
        return False

    return lying
