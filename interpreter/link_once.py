"""Link the conditions of a decision so that what does not depend on the value being tried is worked out once.

Comes in: the domains and guards of the actions of one decision. Goes out: callables as in `link_expr.py` that
share a frame with room for what is remembered: behind its slots lies a dictionary for each part that is kept,
empty when an enumeration begins. Nothing changes while it lasts, so a part (the groups of a player, what is
linked to a space) has one value for each value of the keys that it reads. It is worked out when it is first
asked for, never before: a part behind an `and` that does not hold may not be computable at all.
What never happens: another result, or a part that is kept beyond one enumeration.
To keep another form: name it in `KEPT`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.link_expr import NESTED, Expressions
from rulewright.interpreter.link_numbers import Ev
from rulewright.interpreter.walk import STATEMENTS, children, every

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

KEPT = (
    ir.Apply, ir.BestOf, ir.Collect, ir.Filter, ir.Fold, ir.Groups, ir.Linked, ir.Quantifier,
)  # fmt: skip
# The parts of these that are computed before their slot is bound.
OUTSIDE: dict[type, tuple[str, ...]] = {
    ir.Filter: ("set",), ir.Quantifier: ("set",), ir.Fold: ("set",), ir.BestOf: ("set",),
    ir.Collect: ("set",), ir.Groups: ("set",), ir.Linked: ("start",),
    ir.Going: ("start", "directions", "limit"),
}  # fmt: skip


class Once(Expressions):
    """Links expressions of one decision. `begin` says which keys are bound where the next ones stand."""

    def __init__(self, code: Code, first: int, player: int) -> None:
        super().__init__(code)
        self.first, self.player = first, player  # the first free slot, and the slot of who chooses
        self.bound: tuple[int, ...] = ()
        self.count = 0  # dictionaries that a frame needs
        self._long: dict[int, bool] = {}

    def begin(self, bound: list[int]) -> Once:
        """Link what comes next where these slots of keys are bound."""
        self.bound = tuple(bound)
        return self

    def room(self) -> list[Any]:
        """What an enumeration puts behind the slots of its frame."""
        return [{} for _ in range(self.count)]

    def value(self, e: ir.Expr) -> Ev:
        """A callable for the value of `e`, worked out once where that saves anything."""
        return super().value(e) if _is_yes_no(e) else self._kept(e, super().value(e))

    def test(self, e: ir.Expr) -> Ev:
        """A callable for the truth of `e`, worked out once where that saves anything."""
        return self._kept(e, super().test(e)) if _is_yes_no(e) else super().test(e)

    def _kept(self, e: ir.Expr, f: Ev) -> Ev:
        read = self.keys_of(e)
        if read is None:
            return f
        place = self.first + self.count
        self.count += 1
        if len(read) == 1:
            slot = read[0]

            def for_one(s: Any, loc: list[Any]) -> Any:
                memo, key = loc[place], loc[slot]
                if key not in memo:
                    memo[key] = f(s, loc)
                return memo[key]

            return for_one

        def for_several(s: Any, loc: list[Any]) -> Any:
            memo, key = loc[place], tuple([loc[i] for i in read])
            if key not in memo:
                memo[key] = f(s, loc)
            return memo[key]

        return for_several

    def keys_of(self, e: ir.Expr) -> list[int] | None:
        """The slots of keys that `e` reads, if it is worth keeping: it takes long, depends on nothing that
        a selection around it binds, and not on all keys."""
        if not isinstance(e, KEPT) or not self.bound or not self._takes_long(e):
            return None
        free = free_slots(e) - {self.player}
        if not free < frozenset(self.bound):
            return None
        return sorted(free)

    def _takes_long(self, e: ir.Expr) -> bool:
        """Whether computing `e` may take more than looking through what lies at a place."""
        match e:
            case ir.Apply(function, arguments):
                return self._function_takes_long(function) or any(map(self._takes_long, arguments))
            case ir.Filter(_, ir.Contents(), inside) | ir.Quantifier(_, _, ir.Contents(), inside):
                return self._takes_long(inside)
            case _:
                return isinstance(e, NESTED) or any(map(self._takes_long, children(e)))

    def _function_takes_long(self, function: int) -> bool:
        found = self._long.get(function)
        if found is None:
            body = self.program.functions[function].body
            found = self._long[function] = any(
                self._takes_long(e) for statement in body for e in _outermost(statement)
            )
        return found


def free_slots(e: ir.Expr) -> frozenset[int]:
    """The slots that an expression reads and does not bind itself."""
    if isinstance(e, ir.Local):
        return frozenset([e.slot])
    outside = OUTSIDE.get(type(e))
    if outside is None:
        return frozenset[int]().union(*map(free_slots, children(e)))
    before = [getattr(e, name) for name in outside]
    inside = [c for c in children(e) if not any(c is b for b in before)]
    read = frozenset[int]().union(*map(free_slots, inside)) - {getattr(e, "slot")}  # noqa: B009
    return read.union(*(free_slots(b) for b in before if b is not None))


def _is_yes_no(e: ir.Expr) -> bool:
    """Whether the value of `e` is linked through its truth."""
    return isinstance(e, ir.Quantifier) and e.word in ("any", "all")


def _outermost(statement: ir.Statement) -> Iterator[ir.Expr]:
    """The expressions of a statement that are in no other expression."""
    for node in every(statement):
        if isinstance(node, STATEMENTS):
            yield from children(node)
