"""Link expressions: turn each expression of the program into one Python callable, once.

Comes in: an `ir.Expr`. Goes out: a callable over (state, locals) that gives a number (0 and 1 for no and
yes), a set (a tuple) or groups. Three ways to link one: `value`; `test`, whose result is only asked for
its truth; `items`, whose result is only run through at once, so that it may be the machine's own list.
What never happens: an expression that changes the state (`fuel` apart), chooses or draws.

Nested selections charge the values they look at to the budget of steps; a selection with nothing nested
in it does not, it is over too soon to matter.
To add a form: a case in `_value`, and in `_test` where a shorter way to the truth exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.alike import alike_first
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.link_numbers import COMPARISONS, Ev, arithmetic, compare, number, seats, the_only
from rulewright.interpreter.link_short import short_way
from rulewright.interpreter.link_walks import link_going, link_groups, link_linked, link_occupied
from rulewright.interpreter.walk import children

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

NESTED = (
    ir.Filter, ir.Quantifier, ir.Fold, ir.BestOf, ir.Collect, ir.Going, ir.Linked, ir.Groups, ir.Apply,
    ir.CanAct,
)  # fmt: skip


class Expressions:
    """Links expressions for one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program

    # ------------------------------------------------------------------ values

    def value(self, e: ir.Expr) -> Ev:
        """A callable for the value of `e`."""
        match e:
            case ir.Const(value):
                return lambda s, loc: value
            case ir.SetConst(items):
                return lambda s, loc: items
            case ir.Local(slot):
                return lambda s, loc: loc[slot]
            case ir.Load():
                return self._load(e)
            case ir.At():
                return self._at(e)
            case ir.Unary("-", operand):
                f = self.value(operand)
                return lambda s, loc: -f(s, loc)
            case ir.Unary() | ir.SameSet() | ir.Contains():
                return number(self.test(e))
            case ir.Binary(op) if op in COMPARISONS or op in ("and", "or"):
                return number(self.test(e))
            case ir.Binary(op, left, right):
                return arithmetic(op, self.value(left), self.value(right), right)
            case ir.Choice(condition, then, otherwise):
                c, a, b = self.test(condition), self.value(then), self.value(otherwise)
                return lambda s, loc: a(s, loc) if c(s, loc) else b(s, loc)
            case ir.MakeSet():
                return self._make_set(e)
            case ir.Union(left, right):
                a, b = self.items(left), self.items(right)
                return lambda s, loc: tuple(dict.fromkeys([*a(s, loc), *b(s, loc)]))
            case ir.Contents(_, top_only):
                xs = self.items(e)
                return xs if top_only else lambda s, loc: tuple(xs(s, loc))
            case ir.Alike(pieces, player):
                xs, p = self.items(pieces), self.value(player)
                return lambda s, loc: alike_first(s, xs(s, loc), p(s, loc))
            case ir.PlaceOf(piece):
                return self._place_of(piece)
            case ir.Occupied(board, around):
                return link_occupied(self.code, board, around)
            case ir.Filter():
                return self._filter(e)
            case ir.Quantifier():
                return self._quantifier(e)
            case ir.Fold():
                return self._fold(e)
            case ir.BestOf():
                return self._best_of(e)
            case ir.Collect():
                return self._collect(e)
            case ir.Size(of):
                xs = self.items(of)
                return lambda s, loc: len(xs(s, loc))
            case ir.Without(left, right):
                a, b = self.items(left), self.items(right)

                def without(s: Any, loc: list[Any]) -> tuple[int, ...]:
                    gone = frozenset(b(s, loc))
                    return tuple(x for x in a(s, loc) if x not in gone)

                return without
            case ir.FirstFew(of, number_of):
                xs, n = self.items(of), self.value(number_of)
                return lambda s, loc: tuple(xs(s, loc)[: max(0, n(s, loc))])
            case ir.TheOnly(of, span):
                return the_only(self.items(of), span)
            case ir.Going():
                return link_going(self, e)
            case ir.Linked():
                return link_linked(self, e)
            case ir.Groups():
                return link_groups(self, e)
            case ir.Apply(function, arguments):
                return self._apply(function, [self.value(a) for a in arguments])
            case ir.CanAct(decision, player):
                p, can = self.value(player), self.code.can_act
                return lambda s, loc: 1 if can(s, decision, p(s, loc)) else 0
            case ir.Seats(start, clockwise):
                return seats(len(self.program.players), self.value(start), self.test(clockwise))

    def items(self, e: ir.Expr) -> Ev:
        """A callable for the values of a set, to be run through before anything changes."""
        if isinstance(e, ir.Contents):
            place, top = self.value(e.place), e.top_only
            if top:
                return lambda s, loc: tuple(s.contents.get(place(s, loc), ())[-1:])
            if isinstance(e.place, ir.Local):
                slot = e.place.slot
                return lambda s, loc: s.contents.get(loc[slot], ())
            return lambda s, loc: s.contents.get(place(s, loc), ())
        return self.value(e)

    def test(self, e: ir.Expr) -> Ev:
        """A callable whose result is true just when `e` is not 0."""
        match e:
            case ir.Unary("not", operand):
                f = self.test(operand)
                return lambda s, loc: not f(s, loc)
            case ir.Binary("and", left, right):
                a, b = self.test(left), self.test(right)
                return lambda s, loc: a(s, loc) and b(s, loc)
            case ir.Binary("or", left, right):
                a, b = self.test(left), self.test(right)
                return lambda s, loc: a(s, loc) or b(s, loc)
            case ir.Binary(op, left, right) if op in COMPARISONS:
                return compare(op, left, right, self.value(left), self.value(right))
            case ir.SameSet(left, right):
                a, b = self.items(left), self.items(right)
                return lambda s, loc: frozenset(a(s, loc)) == frozenset(b(s, loc))
            case ir.Contains():
                return self._contains(e)
            case ir.Quantifier("any" | "all"):
                return short_way(self, e) or self._decide(e)
            case _:
                return self.value(e)

    # ------------------------------------------------------------------- forms

    def _load(self, e: ir.Load) -> Ev:
        offset, variable = self.code.layout.offsets[e.var], self.program.variables[e.var]
        if e.index is None:
            return lambda s, loc: s.vars[offset]
        index, cells, name = self.value(e.index), variable.cells, variable.name

        def load(s: Any, loc: list[Any]) -> Any:
            i = index(s, loc)
            if 0 <= i < cells:
                return s.vars[offset + i]
            raise RuleError(f"`{name}` was asked of something that does not have it ({i}).")

        return load

    def _at(self, e: ir.At) -> Ev:
        table = self.program.tables[e.table]
        data, base, name, n = table.data, table.base, table.name, len(table.data)
        if isinstance(e.index, ir.Local) and base == 0:
            slot = e.index.slot

            def at_local(s: Any, loc: list[Any]) -> Any:
                i = loc[slot]
                if 0 <= i < n:
                    return data[i]
                raise RuleError(f"`{name}` was asked of something that does not have it ({i}).")

            return at_local
        index = self.value(e.index)

        def at(s: Any, loc: list[Any]) -> Any:
            i = index(s, loc) - base
            if 0 <= i < n:
                return data[i]
            raise RuleError(f"`{name}` was asked of something that does not have it ({i + base}).")

        return at

    def _place_of(self, piece: ir.Expr) -> Ev:
        f = self.value(piece)

        def place_of(s: Any, loc: list[Any]) -> Any:
            p = f(s, loc)
            return s.place_of[p] if p >= 0 else -1

        return place_of

    def _contains(self, e: ir.Contains) -> Ev:
        value = self.value(e.value)
        match e.set:
            case ir.SetConst(items):
                known = frozenset(items)
                return lambda s, loc: value(s, loc) in known
            case ir.MakeSet(items=((low, high),)):
                a, b = self.value(low), self.value(high)
                return lambda s, loc: a(s, loc) <= value(s, loc) <= b(s, loc)
            case _:
                xs = self.items(e.set)
                return lambda s, loc: value(s, loc) in xs(s, loc)

    def _make_set(self, e: ir.MakeSet) -> Ev:
        parts: list[tuple[Ev, Ev | None]] = [
            (self.value(i[0]), self.value(i[1])) if isinstance(i, tuple) else (self.value(i), None)
            for i in e.items
        ]
        skip = e.skip_none
        limit = self.code.budgets.steps

        def make(s: Any, loc: list[Any]) -> Any:
            out: dict[int, None] = {}
            for low, high in parts:
                v = low(s, loc)
                if high is None:
                    if v != -1 or not skip:
                        out[v] = None
                else:
                    top = high(s, loc)
                    if top - v > limit:
                        raise RuleError(f"The numbers from {v} to {top} are too many to list.", form="budget")
                    out.update(dict.fromkeys(range(v, top + 1)))
            return tuple(out)

        return make

    def looped(self, of: ir.Expr, *inside: ir.Expr | None) -> Ev:
        """The items of `of`, charged to the budget if what is computed for each is a selection itself."""
        xs = self.items(of)
        return charged(xs) if any(e is not None and has_nested(e) for e in inside) else xs

    def _filter(self, e: ir.Filter) -> Ev:
        slot, xs, test = e.slot, self.looped(e.set, e.condition), self.test(e.condition)

        def keep(s: Any, loc: list[Any]) -> Any:
            out = []
            for v in xs(s, loc):
                loc[slot] = v
                if test(s, loc):
                    out.append(v)
            return tuple(out)

        return keep

    def _decide(self, e: ir.Quantifier) -> Ev:
        slot, xs, test = e.slot, self.looped(e.set, e.condition), self.test(e.condition)

        def any_of(s: Any, loc: list[Any]) -> Any:
            for v in xs(s, loc):
                loc[slot] = v
                if test(s, loc):
                    return True
            return False

        def all_of(s: Any, loc: list[Any]) -> Any:
            for v in xs(s, loc):
                loc[slot] = v
                if not test(s, loc):
                    return False
            return True

        return any_of if e.word == "any" else all_of

    def _quantifier(self, e: ir.Quantifier) -> Ev:
        if e.word in ("any", "all"):
            return number(self.test(e))
        slot, xs, test = e.slot, self.looped(e.set, e.condition), self.test(e.condition)

        def count(s: Any, loc: list[Any]) -> Any:
            n = 0
            for v in xs(s, loc):
                loc[slot] = v
                if test(s, loc):
                    n += 1
            return n

        def first(s: Any, loc: list[Any]) -> Any:
            for v in xs(s, loc):
                loc[slot] = v
                if test(s, loc):
                    return v
            return -1

        return count if e.word == "count" else first

    def _fold(self, e: ir.Fold) -> Ev:
        slot, xs, value = e.slot, self.looped(e.set, e.value), self.value(e.value)

        def total(s: Any, loc: list[Any]) -> Any:
            n = 0
            for v in xs(s, loc):
                loc[slot] = v
                n += value(s, loc)
            return n

        def values(s: Any, loc: list[Any]) -> list[int]:
            out = []
            for v in xs(s, loc):
                loc[slot] = v
                out.append(value(s, loc))
            return out

        if e.word == "sum":
            return total
        if e.word == "largest":
            return lambda s, loc: max(values(s, loc), default=0)
        return lambda s, loc: min(values(s, loc), default=0)

    def _best_of(self, e: ir.BestOf) -> Ev:
        slot, xs, value = e.slot, self.looped(e.set, e.value), self.value(e.value)
        sign = 1 if e.word == "largest" else -1

        def best(s: Any, loc: list[Any]) -> Any:
            out: list[Any] = []
            top = None
            for v in xs(s, loc):
                loc[slot] = v
                n = sign * value(s, loc)
                if top is None or n > top:
                    top, out = n, [v]
                elif n == top:
                    out.append(v)
            return tuple(out)

        return best

    def _collect(self, e: ir.Collect) -> Ev:
        slot, xs, many = e.slot, self.looped(e.set, e.value), e.many
        value = self.items(e.value) if many else self.value(e.value)

        def collect(s: Any, loc: list[Any]) -> Any:
            out: dict[Any, None] = {}
            for v in xs(s, loc):
                loc[slot] = v
                got = value(s, loc)
                if many:
                    out.update(dict.fromkeys(got))
                elif got != -1:
                    out[got] = None
            return tuple(out)

        return collect

    def _apply(self, function: int, arguments: list[Ev]) -> Ev:
        pure, fn = self.code.pure, self.program.functions[function]
        pad = [0] * (self.code.slots(function) - len(arguments))
        if fn.slots < fn.parameters:
            raise ValueError(fn.name)
        if len(arguments) == 0:
            return lambda s, loc: pure[function](s, pad[:])
        if len(arguments) == 1:
            a = arguments[0]
            return lambda s, loc: pure[function](s, [a(s, loc), *pad])
        if len(arguments) == 2:
            a, b = arguments
            return lambda s, loc: pure[function](s, [a(s, loc), b(s, loc), *pad])
        return lambda s, loc: pure[function](s, [*[f(s, loc) for f in arguments], *pad])


# --------------------------------------------------------------------- pieces


def has_nested(e: ir.Expr) -> bool:
    """Whether computing `e` may take more than a handful of steps. Looking through what lies at one
    place does not count."""
    if isinstance(e, ir.Quantifier | ir.Filter) and isinstance(e.set, ir.Contents):
        return has_nested(e.condition)
    return isinstance(e, NESTED) or any(has_nested(c) for c in children(e))


def charged(xs: Ev) -> Ev:
    """The same items; how many there are is taken from the budget."""

    def charge(s: Any, loc: list[Any]) -> Any:
        got = xs(s, loc)
        s.fuel -= len(got)
        if s.fuel < 0:
            raise RuleError("This takes too many steps.", form="budget")
        return got

    return charge
