"""Ranges: what each slot can hold, worked out for a whole program before it is emitted.

Comes in: a verified `Program`. Goes out: for each slot of each function whether it holds a number, a set or
groups, and between which numbers its value (or each value of its set) lies; the same for results and for any
expression. What never happens: a range that is too narrow: every value that a machine computes lies in it,
or the machine traps (see `WIDE`).

The analysis is an interval analysis (Cousot and Cousot 1977) that does not follow the order of statements;
bounds that go on growing become `WIDE`. Machines check that no number that is kept ever leaves `WIDE`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.interpreter import ir
from rulewright.interpreter.walk import every

WORD = (1 << 31) - 1  # what machines compute with, or they trap
LIMIT = 1 << 26  # kept numbers lie between -LIMIT and LIMIT
Range = tuple[int, int]
WIDE: Range = (-LIMIT, LIMIT)
NOTHING: Range = (1, 0)  # of no value at all
YES_NO: Range = (0, 1)
ROUNDS = 6  # before bounds that still grow are given up

NUMBER, SET, GROUPS = "number", "set", "groups"
_RANK = {NUMBER: 0, SET: 1, GROUPS: 2}
_SETS = (
    ir.SetConst, ir.MakeSet, ir.Union, ir.Without, ir.Contents, ir.Alike, ir.Occupied, ir.Filter, ir.BestOf,
    ir.Collect, ir.FirstFew, ir.Going, ir.Linked, ir.Seats,
)  # fmt: skip


def join(a: Range, b: Range) -> Range:
    """The smallest range that holds both."""
    if a == NOTHING:
        return b
    if b == NOTHING:
        return a
    return min(a[0], b[0]), max(a[1], b[1])


def clipped(a: Range) -> Range:
    """The part of a range that can be kept."""
    return (max(a[0], -LIMIT), min(a[1], LIMIT)) if a != NOTHING else a


class Ranges:
    """Kinds and ranges of one program. `bound` holds the ranges of slots that expressions bind just now."""

    def __init__(self, program: ir.Program, places: int) -> None:
        self.program = program
        self.places = places
        self.asides = _asides(program)
        n = len(program.functions) + len(program.decisions) + len(self.asides)
        self.kinds: list[dict[int, str]] = [{} for _ in range(n)]
        self.slots: list[dict[int, Range]] = [{} for _ in range(n)]
        self.results: list[Range] = [NOTHING] * n
        self._tables: dict[int, Range] = {}
        self._changed = False
        self._widen = False
        self._solve()

    # -------------------------------------------------------------- kinds

    def kind(self, function: int, e: ir.Expr) -> str:
        """Whether an expression gives a number, a set or groups."""
        match e:
            case ir.Local(slot):
                return self.kinds[function].get(slot, NUMBER)
            case ir.Groups():
                return GROUPS
            case ir.Filter(_, of, _) | ir.BestOf(_, _, of, _) | ir.FirstFew(of, _):
                return self.kind(function, of)
            case ir.TheOnly(of, _) | ir.Quantifier("first", _, of, _):
                return SET if self.kind(function, of) == GROUPS else NUMBER
            case ir.Load(var, _):
                return self.program.variables[var].kind
            case ir.At(table, _):
                data = self.program.tables[table].data
                return SET if data and isinstance(data[0], tuple) else NUMBER
            case ir.Choice(_, then, _):
                return self.kind(function, then)
            case ir.Apply(other, _):
                return self.program.functions[other].result or NUMBER
            case _:
                return SET if isinstance(e, _SETS) else NUMBER

    def _is(self, function: int, slot: int, kind: str) -> None:
        # Kinds only rise: what nobody has said anything about yet counts as a number, and must not win.
        if _RANK[kind] > _RANK[self.kinds[function].get(slot, NUMBER)]:
            self.kinds[function][slot] = kind
            self._changed = True

    # -------------------------------------------------------------- ranges

    def range(self, function: int, e: ir.Expr) -> Range:
        """Between which numbers the value lies, or each value of the set (or of the groups)."""
        r = self.range
        match e:
            case ir.Const(value):
                return value, value
            case ir.SetConst(items):
                return (min(items), max(items)) if items else NOTHING
            case ir.Local(slot):
                return self.slots[function].get(slot, NOTHING)
            case ir.Load(var, _):
                return self.variable(var)
            case ir.At(table, _):
                return self.table(table)
            case ir.Unary("-", operand):
                low, high = r(function, operand)
                return (-high, -low) if low <= high else NOTHING
            case ir.Binary(op, left, right):
                low, high = arithmetic(op, r(function, left), r(function, right))
                return (max(low, -WORD), min(high, WORD)) if low <= high else NOTHING
            case ir.Choice(_, then, otherwise):
                return join(r(function, then), r(function, otherwise))
            case ir.MakeSet(items):
                out = NOTHING
                for item in items:
                    for part in item if isinstance(item, tuple) else (item,):
                        out = join(out, r(function, part))
                return out
            case ir.Union(left, right):
                return join(r(function, left), r(function, right))
            case ir.Without(left, _):
                return r(function, left)
            case ir.Contents():
                return 0, len(self.program.pieces) - 1
            case ir.Alike(pieces, _):
                return r(function, pieces)
            case ir.PlaceOf():
                return -1, self.places - 1
            case ir.Occupied(board, _) | ir.Going(board):
                b = self.program.boards[board]
                return b.first, b.first + b.width * b.height - 1
            case ir.Quantifier("first", _, of, _):
                return join(r(function, of), (-1, -1))
            case ir.Quantifier("count", _, _, _) | ir.Size():
                return 0, LIMIT
            case ir.Filter(_, of, _) | ir.BestOf(_, _, of, _) | ir.FirstFew(of, _) | ir.TheOnly(of, _):
                return r(function, of)
            case ir.Groups(of, _, _):
                return r(function, of)
            case ir.Fold("sum", _, _, _):
                return WIDE
            case ir.Fold(_, _, _, value):
                return join(r(function, value), (0, 0))
            case ir.Collect(_, _, value, _):
                low, high = r(function, value)
                return (max(low, 0) if low == -1 else low), high
            case ir.Linked(_, _, neighbours, _, _):
                return r(function, neighbours)
            case ir.Apply(other, _):
                return self.results[other]
            case ir.Seats():
                return 0, len(self.program.players) - 1
            case _:
                return YES_NO  # not, same set, contains, any, all, can act

    def variable(self, var: int) -> Range:
        """The range of what a state variable holds."""
        v = self.program.variables[var]
        low, high = clipped((v.low, v.high))
        return (
            (min(low, -1), max(high, -1))
            if v.optional or (v.kind == "number" and -1 in v.initial)
            else (low, high)
        )

    def table(self, number: int) -> Range:
        """The range of what a table holds."""
        found = self._tables.get(number)
        if found is None:
            values = [
                n
                for row in self.program.tables[number].data
                for n in (row if isinstance(row, tuple) else (row,))
            ]
            found = self._tables[number] = (min(values), max(values)) if values else NOTHING
        return found

    def _holds(self, function: int, slot: int, new: Range) -> None:
        new = clipped(new)
        old = self.slots[function].get(slot, NOTHING)
        joined = join(old, new)
        if joined != old:
            if self._widen and old != NOTHING:
                joined = WIDE
            self.slots[function][slot] = joined
            self._changed = True

    # ------------------------------------------------------------ fixpoint

    def _solve(self) -> None:
        nodes = [[n for st in f.body for n in every(st)] for f in self.program.functions]
        self._nodes = nodes
        rounds = 0
        self._changed = True
        while self._changed:
            self._changed = False
            self._widen = rounds >= ROUNDS
            rounds += 1
            for f in range(len(nodes)):
                for node in nodes[f]:
                    self._node(f, node)
            for number, decision in enumerate(self.program.decisions):
                self._decision(number, decision)
            for number, e in enumerate(self.asides):
                f = self.of_aside(number)
                self._bind(f, 0, NUMBER, (0, len(self.program.players) - 1))
                for node in every(e):
                    self._node(f, node)
            if self.program.score >= 0:
                self._bind(self.program.score, 0, NUMBER, (0, len(self.program.players) - 1))

    def _bind(self, function: int, slot: int, kind: str, values: Range) -> None:
        if slot >= 0:
            self._is(function, slot, kind)
            self._holds(function, slot, values)

    def _value(self, function: int, slot: int, e: ir.Expr, to: int | None = None) -> None:
        """A slot of function `to` (the same one if None) gets the value of an expression."""
        self._bind(function if to is None else to, slot, self.kind(function, e), self.range(function, e))

    def _each(self, function: int, slot: int, of: ir.Expr) -> None:
        """A slot gets each value of a set, or each of some groups."""
        kind = SET if self.kind(function, of) == GROUPS else NUMBER
        self._bind(function, slot, kind, self.range(function, of))

    def _node(self, f: int, node: object) -> None:
        match node:
            case ir.Assign(slot, value):
                self._value(f, slot, value)
            case ir.ForEach(slot, of):
                self._each(f, slot, of)
            case ir.CallTo(other, arguments, result):
                for i, a in enumerate(arguments):
                    self._value(f, i, a, other)
                if result >= 0:
                    kind = self.program.functions[other].result or NUMBER
                    self._bind(
                        f,
                        result,
                        kind,
                        join(self.results[other], (0, 0)) if kind == NUMBER else self.results[other],
                    )
            case ir.Apply(other, arguments):
                for i, a in enumerate(arguments):
                    self._value(f, i, a, other)
            case ir.Return(value) if value is not None:
                joined = join(self.results[f], clipped(self.range(f, value)))
                if joined != self.results[f]:
                    self.results[f] = WIDE if self._widen and self.results[f] != NOTHING else joined
                    self._changed = True
            case ir.Filter(slot, of, _) | ir.Quantifier(_, slot, of, _) | ir.Fold(_, slot, of, _):
                self._each(f, slot, of)
            case ir.BestOf(_, slot, of, _) | ir.Collect(slot, of, _, _):
                self._each(f, slot, of)
            case ir.Groups(of, slot, _):
                self._bind(f, slot, NUMBER, self.range(f, of))
            case ir.Linked(start, slot, neighbours, _, _):
                self._bind(f, slot, NUMBER, join(self.range(f, start), self.range(f, neighbours)))
            case ir.Going(board, _, _, _, _, slot):
                b = self.program.boards[board]
                self._bind(f, slot, NUMBER, (b.first, b.first + b.width * b.height - 1))
            case ir.MovePieces():
                self._bind(f, node.moved, NUMBER, (0, len(self.program.pieces)))
            case ir.Chance(slot, of):
                self._bind(f, slot, NUMBER, join(self.range(f, of), (-1, -1)))
            case ir.ChooseAction(decision, _, action):
                info = self.program.decisions[decision]
                self._bind(f, action, NUMBER, (-1, len(info.actions) - 1))
                for key in (k for option in info.actions for k in option.keys):
                    self._bind(f, key.slot, NUMBER, self.range(self.of_decision(decision), key.domain))
            case ir.ChooseOne(_, slot, key):
                self._bind(f, slot, NUMBER, join(self.range(f, key.domain), (-1, -1)))
                self._bind(f, key.slot, NUMBER, self.range(f, key.domain))
            case ir.ChooseSome(_, slot, key):
                self._bind(f, slot, SET, self.range(f, key.domain))
                self._bind(f, key.slot, NUMBER, self.range(f, key.domain))
            case ir.ChooseTogether(players, player_slot, key):
                self._each(f, player_slot, players)
                self._bind(f, key.slot, NUMBER, self.range(f, key.domain))
            case _:
                pass

    def of_decision(self, number: int) -> int:
        """The number of the frame in which a decision is worked out: behind those of the functions."""
        return len(self.program.functions) + number

    def of_aside(self, number: int) -> int:
        """The number of the frame of an expression that tells who sees something: behind the decisions."""
        return len(self.program.functions) + len(self.program.decisions) + number

    def _decision(self, number: int, decision: ir.ActionDecision) -> None:
        """A decision is worked out in a frame of its own, in which only the player is bound at first."""
        f = self.of_decision(number)
        self._bind(f, decision.player_slot, NUMBER, (0, len(self.program.players) - 1))
        for option in decision.actions:
            for key in option.keys:
                self._bind(f, key.slot, NUMBER, self.range(f, key.domain))
            for after in option.afterwards:
                for i, key in enumerate(option.keys):
                    self._bind(after.function, i, NUMBER, self.range(f, key.domain))
            for node in (n for part in (*option.keys, *option.guards) for n in every(part)):
                self._node(f, node)


def _asides(program: ir.Program) -> tuple[ir.Expr, ...]:
    """The expressions that tell who sees a place or a value, where that is not the same all the time."""
    found: list[ir.Expr] = []
    for e in (
        *(p.viewers for p in program.places), *(b.viewers for b in program.boards),
        *(v.seen_by for v in program.variables),
    ):  # fmt: skip
        if e is not None and not isinstance(e, ir.SetConst) and e not in found:
            found.append(e)
    return tuple(found)


def arithmetic(op: str, a: Range, b: Range) -> Range:
    """The range of a result."""
    if op in ("==", "!=", "<", "<=", "and", "or"):
        return YES_NO
    if a == NOTHING or b == NOTHING:
        return NOTHING
    match op:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "*":
            return _span(x * y for x in a for y in b)
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "mod":
            most = max(abs(b[0]), abs(b[1])) - 1
            if b[0] > 0:
                return (
                    (a[0], a[1])
                    if a[0] >= 0 and a[1] < b[0]
                    else (0, max(0, min(most, a[1]) if a[0] >= 0 else most))
                )
            return -most, most
        case _:  # a quotient
            if b[0] > 0:
                return _span(x // y for x in a for y in b)[0], _span(-(-x // y) for x in a for y in b)[1]
            most = max(abs(a[0]), abs(a[1]))
            return -most, most


def _span(values: Iterable[int]) -> Range:
    found = list(values)
    return min(found), max(found)
