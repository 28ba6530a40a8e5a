"""Link expressions: turn each expression of the program into one Python callable, once.

Comes in: an `ir.Expr`. Goes out: a callable over (state, locals) that gives a number (0 and 1 for no and yes), a
set (a tuple) or groups. Three ways to link one: `value`; `test`, whose result is only asked for its
truth; `items`, whose result is only run through at once, so that it may be the machine's own list.
What never happens: an expression that changes the state (`fuel` apart), chooses or draws.

Nested selections charge the values they look at to the budget of steps; a selection with nothing nested
in it does not, it is over too soon to matter.
To add a form: a case in `_value`, and in `_test` where a shorter way to the truth exists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.link_walks import link_going, link_groups, link_linked, link_occupied
from rulewright.interpreter.walk import children

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Ev = Callable[[Any, list[Any]], Any]

NESTED = (
    ir.Filter, ir.Quantifier, ir.Fold, ir.BestOf, ir.Collect, ir.Going, ir.Linked, ir.Groups, ir.Apply, ir.CanAct,
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
                return lambda s, l: value
            case ir.SetConst(items):
                return lambda s, l: items
            case ir.Local(slot):
                return lambda s, l: l[slot]
            case ir.Load():
                return self._load(e)
            case ir.At():
                return self._at(e)
            case ir.Unary("-", operand):
                f = self.value(operand)
                return lambda s, l: -f(s, l)
            case ir.Unary() | ir.SameSet() | ir.Contains():
                return number(self.test(e))
            case ir.Binary(op) if op in COMPARISONS or op in ("and", "or"):
                return number(self.test(e))
            case ir.Binary(op, left, right):
                return arithmetic(op, self.value(left), self.value(right), right)
            case ir.Choice(condition, then, otherwise):
                c, a, b = self.test(condition), self.value(then), self.value(otherwise)
                return lambda s, l: a(s, l) if c(s, l) else b(s, l)
            case ir.MakeSet():
                return self._make_set(e)
            case ir.Union(left, right):
                a, b = self.items(left), self.items(right)
                return lambda s, l: tuple(dict.fromkeys([*a(s, l), *b(s, l)]))
            case ir.Contents(_, top_only):
                xs = self.items(e)
                return xs if top_only else lambda s, l: tuple(xs(s, l))
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
                return lambda s, l: len(xs(s, l))
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
                return lambda s, l: 1 if can(s, decision, p(s, l)) else 0
            case ir.Seats(start, clockwise):
                return seats(len(self.program.players), self.value(start), self.test(clockwise))

    def items(self, e: ir.Expr) -> Ev:
        """A callable for the values of a set, to be run through before anything changes."""
        if isinstance(e, ir.Contents):
            place, top = self.value(e.place), e.top_only
            if top:
                return lambda s, l: tuple(s.contents.get(place(s, l), ())[-1:])
            if isinstance(e.place, ir.Local):
                slot = e.place.slot
                return lambda s, l: s.contents.get(l[slot], ())
            return lambda s, l: s.contents.get(place(s, l), ())
        return self.value(e)

    def test(self, e: ir.Expr) -> Ev:
        """A callable whose result is true just when `e` is not 0."""
        match e:
            case ir.Unary("not", operand):
                f = self.test(operand)
                return lambda s, l: not f(s, l)
            case ir.Binary("and", left, right):
                a, b = self.test(left), self.test(right)
                return lambda s, l: a(s, l) and b(s, l)
            case ir.Binary("or", left, right):
                a, b = self.test(left), self.test(right)
                return lambda s, l: a(s, l) or b(s, l)
            case ir.Binary(op, left, right) if op in COMPARISONS:
                return compare(op, left, right, self.value(left), self.value(right))
            case ir.SameSet(left, right):
                a, b = self.items(left), self.items(right)
                return lambda s, l: frozenset(a(s, l)) == frozenset(b(s, l))
            case ir.Contains():
                return self._contains(e)
            case ir.Quantifier("any" | "all"):
                return self._decide(e)
            case _:
                return self.value(e)

    # ------------------------------------------------------------------- forms

    def _load(self, e: ir.Load) -> Ev:
        offset, variable = self.code.layout.offsets[e.var], self.program.variables[e.var]
        if e.index is None:
            return lambda s, l: s.vars[offset]
        index, cells, name = self.value(e.index), variable.cells, variable.name

        def load(s: Any, l: list[Any]) -> Any:
            i = index(s, l)
            if 0 <= i < cells:
                return s.vars[offset + i]
            raise RuleError(f"`{name}` was asked of something that does not have it ({i}).")

        return load

    def _at(self, e: ir.At) -> Ev:
        table = self.program.tables[e.table]
        data, base, name, n = table.data, table.base, table.name, len(table.data)
        if isinstance(e.index, ir.Local) and base == 0:
            slot = e.index.slot

            def at_local(s: Any, l: list[Any]) -> Any:
                i = l[slot]
                if 0 <= i < n:
                    return data[i]
                raise RuleError(f"`{name}` was asked of something that does not have it ({i}).")

            return at_local
        index = self.value(e.index)

        def at(s: Any, l: list[Any]) -> Any:
            i = index(s, l) - base
            if 0 <= i < n:
                return data[i]
            raise RuleError(f"`{name}` was asked of something that does not have it ({i + base}).")

        return at

    def _place_of(self, piece: ir.Expr) -> Ev:
        f = self.value(piece)

        def place_of(s: Any, l: list[Any]) -> Any:
            p = f(s, l)
            return s.place_of[p] if p >= 0 else -1

        return place_of

    def _contains(self, e: ir.Contains) -> Ev:
        value = self.value(e.value)
        match e.set:
            case ir.SetConst(items):
                known = frozenset(items)
                return lambda s, l: value(s, l) in known
            case ir.MakeSet(items=((low, high),)):
                a, b = self.value(low), self.value(high)
                return lambda s, l: a(s, l) <= value(s, l) <= b(s, l)
            case _:
                xs = self.items(e.set)
                return lambda s, l: value(s, l) in xs(s, l)

    def _make_set(self, e: ir.MakeSet) -> Ev:
        parts: list[tuple[Ev, Ev | None]] = [
            (self.value(i[0]), self.value(i[1])) if isinstance(i, tuple) else (self.value(i), None) for i in e.items
        ]
        skip = e.skip_none
        limit = self.code.budgets.steps

        def make(s: Any, l: list[Any]) -> Any:
            out: dict[int, None] = {}
            for low, high in parts:
                v = low(s, l)
                if high is None:
                    if v != -1 or not skip:
                        out[v] = None
                else:
                    top = high(s, l)
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

        def keep(s: Any, l: list[Any]) -> Any:
            out = []
            for v in xs(s, l):
                l[slot] = v
                if test(s, l):
                    out.append(v)
            return tuple(out)

        return keep

    def _decide(self, e: ir.Quantifier) -> Ev:
        slot, xs, test = e.slot, self.looped(e.set, e.condition), self.test(e.condition)

        def any_of(s: Any, l: list[Any]) -> Any:
            for v in xs(s, l):
                l[slot] = v
                if test(s, l):
                    return True
            return False

        def all_of(s: Any, l: list[Any]) -> Any:
            for v in xs(s, l):
                l[slot] = v
                if not test(s, l):
                    return False
            return True

        return any_of if e.word == "any" else all_of

    def _quantifier(self, e: ir.Quantifier) -> Ev:
        if e.word in ("any", "all"):
            return number(self._decide(e))
        slot, xs, test = e.slot, self.looped(e.set, e.condition), self.test(e.condition)

        def count(s: Any, l: list[Any]) -> Any:
            n = 0
            for v in xs(s, l):
                l[slot] = v
                if test(s, l):
                    n += 1
            return n

        def first(s: Any, l: list[Any]) -> Any:
            for v in xs(s, l):
                l[slot] = v
                if test(s, l):
                    return v
            return -1

        return count if e.word == "count" else first

    def _fold(self, e: ir.Fold) -> Ev:
        slot, xs, value = e.slot, self.looped(e.set, e.value), self.value(e.value)

        def total(s: Any, l: list[Any]) -> Any:
            n = 0
            for v in xs(s, l):
                l[slot] = v
                n += value(s, l)
            return n

        def values(s: Any, l: list[Any]) -> list[int]:
            out = []
            for v in xs(s, l):
                l[slot] = v
                out.append(value(s, l))
            return out

        if e.word == "sum":
            return total
        if e.word == "largest":
            return lambda s, l: max(values(s, l), default=0)
        return lambda s, l: min(values(s, l), default=0)

    def _best_of(self, e: ir.BestOf) -> Ev:
        slot, xs, value = e.slot, self.looped(e.set, e.value), self.value(e.value)
        sign = 1 if e.word == "largest" else -1

        def best(s: Any, l: list[Any]) -> Any:
            out: list[Any] = []
            top = None
            for v in xs(s, l):
                l[slot] = v
                n = sign * value(s, l)
                if top is None or n > top:
                    top, out = n, [v]
                elif n == top:
                    out.append(v)
            return tuple(out)

        return best

    def _collect(self, e: ir.Collect) -> Ev:
        slot, xs, many = e.slot, self.looped(e.set, e.value), e.many
        value = self.items(e.value) if many else self.value(e.value)

        def collect(s: Any, l: list[Any]) -> Any:
            out: dict[Any, None] = {}
            for v in xs(s, l):
                l[slot] = v
                got = value(s, l)
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
            return lambda s, l: pure[function](s, pad[:])
        if len(arguments) == 1:
            a = arguments[0]
            return lambda s, l: pure[function](s, [a(s, l), *pad])
        if len(arguments) == 2:
            a, b = arguments
            return lambda s, l: pure[function](s, [a(s, l), b(s, l), *pad])
        return lambda s, l: pure[function](s, [*[f(s, l) for f in arguments], *pad])


# --------------------------------------------------------------------- pieces


def has_nested(e: ir.Expr) -> bool:
    """Whether computing `e` may take more than a handful of steps."""
    return isinstance(e, NESTED) or any(has_nested(c) for c in children(e))


def charged(xs: Ev) -> Ev:
    """The same items; how many there are is taken from the budget."""

    def charge(s: Any, l: list[Any]) -> Any:
        got = xs(s, l)
        s.fuel -= len(got)
        if s.fuel < 0:
            raise RuleError("This takes too many steps.", form="budget")
        return got

    return charge


def number(test: Ev) -> Ev:
    """The truth of a test as 1 or 0."""
    return lambda s, l: 1 if test(s, l) else 0


def the_only(xs: Ev, span: Span) -> Ev:
    """The one value of a set."""

    def only(s: Any, l: list[Any]) -> Any:
        got = xs(s, l)
        if len(got) == 1:
            return got[0]
        found = "none" if not got else str(len(got))
        raise RuleError(f"`the` needs exactly one, and there are {found}.", span)

    return only


def seats(players: int, start: Ev, clockwise: Ev) -> Ev:
    """All players in seat order from one of them; nobody if there is no such player."""
    orders = {
        True: [tuple((p + i) % players for i in range(players)) for p in range(players)],
        False: [tuple((p - i) % players for i in range(players)) for p in range(players)],
    }

    def order(s: Any, l: list[Any]) -> Any:
        p = start(s, l)
        return orders[bool(clockwise(s, l))][p] if 0 <= p < players else ()

    return order


def compare(op: str, left: ir.Expr, right: ir.Expr, a: Ev, b: Ev) -> Ev:
    """A comparison of two numbers, with short ways for locals and constants."""
    if isinstance(right, ir.Const):
        c = right.value
        if isinstance(left, ir.Local):
            i = left.slot
            if op == "==":
                return lambda s, l: l[i] == c
            if op == "!=":
                return lambda s, l: l[i] != c
            if op == "<":
                return lambda s, l: l[i] < c
            return lambda s, l: l[i] <= c
        if op == "==":
            return lambda s, l: a(s, l) == c
        if op == "!=":
            return lambda s, l: a(s, l) != c
        if op == "<":
            return lambda s, l: a(s, l) < c
        return lambda s, l: a(s, l) <= c
    if isinstance(right, ir.Local):
        j = right.slot
        if op == "==":
            return lambda s, l: a(s, l) == l[j]
        if op == "!=":
            return lambda s, l: a(s, l) != l[j]
    if op == "==":
        return lambda s, l: a(s, l) == b(s, l)
    if op == "!=":
        return lambda s, l: a(s, l) != b(s, l)
    if op == "<":
        return lambda s, l: a(s, l) < b(s, l)
    return lambda s, l: a(s, l) <= b(s, l)


COMPARISONS = ("==", "!=", "<", "<=")


def arithmetic(op: str, a: Ev, b: Ev, right: ir.Expr) -> Ev:
    """`+ - * mod min max div_down div_up`; dividing by 0 is a rule error."""
    if isinstance(right, ir.Const):
        c = right.value
        if op == "+":
            return lambda s, l: a(s, l) + c
        if op == "-":
            return lambda s, l: a(s, l) - c
        if op == "mod" and c:
            return lambda s, l: a(s, l) % c
    match op:
        case "+":
            return lambda s, l: a(s, l) + b(s, l)
        case "-":
            return lambda s, l: a(s, l) - b(s, l)
        case "*":
            return lambda s, l: a(s, l) * b(s, l)
        case "min":
            return lambda s, l: min(a(s, l), b(s, l))
        case "max":
            return lambda s, l: max(a(s, l), b(s, l))
        case "mod":
            return lambda s, l: a(s, l) % divisor(b(s, l))
        case "div_down":
            return lambda s, l: a(s, l) // divisor(b(s, l))
        case "div_up":
            return lambda s, l: -(-a(s, l) // divisor(b(s, l)))
        case _:
            raise ValueError(f"unknown operation {op}")


def divisor(n: int) -> int:
    """The number itself, which must not be 0."""
    if n == 0:
        raise RuleError("A number cannot be divided by 0.")
    return n
