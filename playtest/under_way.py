"""Under way: the pieces to which an effect that is not finished still refers.

Comes in: a match. Goes out: the pieces that the slots of its frames name, as far as these slots are still
read (`slots_alive.py`). Slots are numbers without a type, so which of them hold pieces is worked out once for
each program: what is read from a place is a piece, what is compared with a piece is one, and so on through
loops, choices and calls.
What never happens: a slot of pieces that is missed because its type was written nowhere; one too many only
makes less unknown. To follow a new form of the program: a case in `_Slots.value` or `_Slots.statement`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.interpreter import ir
from rulewright.interpreter.link import Code
from rulewright.interpreter.match import Match
from rulewright.interpreter.naming import family, is_piece_type
from rulewright.interpreter.walk import children
from rulewright.playtest.slots_alive import alive_at

_KNOWN: WeakKeyDictionary[Code, list[frozenset[int]]] = WeakKeyDictionary()


def pieces_under_way(match: Match) -> frozenset[int]:
    """The real pieces that the frames of a match name, those in sets too."""
    s = match.state
    code, last = s.code, len(s.known)
    slots = _KNOWN.get(code)
    if slots is None:
        slots = _KNOWN[code] = slots_of_pieces(code)
    found: set[int] = set()
    coming = [frame[3] for frame in s.frames[1:]] + [-1]  # what a call will put there
    for (function, pc, values, _), result in zip(s.frames, coming, strict=True):
        for slot in slots[function] & alive_at(code, function, pc) - {result}:
            found.update(p for p in _numbers(values[slot]) if 0 <= p < last)
    return frozenset(found)


def slots_of_pieces(code: Code) -> list[frozenset[int]]:
    """For each function the slots that hold pieces, or sets of pieces."""
    slots = _Slots(code)
    for number, function in enumerate(code.program.functions):
        slots.body(function.body, number)
        for op in code.flat(number)[0]:  # a loop keeps its set in a slot of its own, a choice what was picked
            if op.form == "each" and isinstance(op.node, ir.ForEach):
                slots.same(("slot", number, op.slot), slots.value(op.node.set, number))
            elif isinstance(op.node, ir.ChooseSome):
                slots.same(("slot", number, op.slot), slots.value(op.node.key.domain, number))
    return [
        frozenset(i for i in range(code.slots(f)) if slots.is_piece(("slot", f, i)))
        for f in range(len(code.program.functions))
    ]


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    else:
        yield value


class _Slots:
    """What holds the same kind of values, as a forest: ("slot", function, number), ("table", number),
    ("result", function), and a node for each value on the way. A set counts as what is in it."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program
        self.above: dict[object, object] = {}
        self.pieces: set[object] = set()
        rows = len(self.program.pieces) + len(self.program.stand_ins)
        self.of_pieces = [rows > 0 and len(t.data) + t.base == rows for t in self.program.tables]

    # ------------------------------------------------------------- the forest

    def root(self, node: object) -> object:
        while node in self.above:
            node = self.above[node]
        return node

    def same(self, *nodes: object) -> object:
        first = self.root(nodes[0])
        for node in nodes[1:]:
            other = self.root(node)
            if other != first:
                self.above[other] = first
                if other in self.pieces:
                    self.pieces.add(first)
        return first

    def piece(self, node: object) -> object:
        root = self.root(node)
        self.pieces.add(root)
        return root

    def is_piece(self, node: object) -> bool:
        return self.root(node) in self.pieces

    def typed(self, node: object, type_: str) -> object:
        return self.piece(node) if is_piece_type(self.program, type_) else node

    # ------------------------------------------------------------- expressions

    def values(self, parts: Iterable[ir.Expr], f: int) -> list[object]:
        return [self.value(part, f) for part in parts]

    def value(self, e: ir.Expr, f: int) -> object:
        """The node of a value; whatever lies inside it is followed too."""
        fresh: object = ("value", id(e), f)
        match e:
            case ir.Local(slot):
                return ("slot", f, slot)
            case ir.Load(var, index):
                v = self.program.variables[var]
                if index is not None:
                    of_piece = len(v.index) == 1 and family(self.program, v.index[0]) == "piece"
                    number = self.value(index, f)
                    if of_piece:
                        self.piece(number)
                return self.typed(fresh, v.type)
            case ir.At(table, index):
                number = self.value(index, f)
                if self.of_pieces[table]:
                    self.piece(number)
                return ("table", table)
            case ir.Contents(place):
                self.value(place, f)
                return self.piece(fresh)
            case ir.Alike(pieces, player):
                self.value(player, f)
                return self.piece(self.value(pieces, f))
            case ir.PlaceOf(piece):
                self.piece(self.value(piece, f))
                return fresh
            case ir.Binary(("==" | "!=" | "min" | "max"), left, right) | ir.SameSet(left, right):
                node = self.same(self.value(left, f), self.value(right, f))
                return node if isinstance(e, ir.Binary) and e.op in ("min", "max") else fresh
            case ir.Contains(of, value):
                self.same(self.value(of, f), self.value(value, f))
                return fresh
            case ir.Choice(condition, then, otherwise):
                self.value(condition, f)
                return self.same(self.value(then, f), self.value(otherwise, f))
            case ir.MakeSet(items):
                parts = [p for item in items for p in (item if isinstance(item, tuple) else (item,))]
                return self.same(fresh, *self.values(parts, f))
            case ir.Union(left, right) | ir.Without(left, right):
                return self.same(self.value(left, f), self.value(right, f))
            case ir.Filter(slot, of, inner) | ir.BestOf(_, slot, of, inner):
                node = self.same(("slot", f, slot), self.value(of, f))
                self.value(inner, f)
                return node
            case ir.Quantifier(word, slot, of, inner) | ir.Fold(word, slot, of, inner):
                node = self.same(("slot", f, slot), self.value(of, f))
                self.value(inner, f)
                return node if word == "first" else fresh
            case ir.Collect(slot, of, inner):
                self.same(("slot", f, slot), self.value(of, f))
                return self.value(inner, f)
            case ir.FirstFew(of, number):
                self.value(number, f)
                return self.value(of, f)
            case ir.TheOnly(of):
                return self.value(of, f)
            case ir.Linked(start, slot, neighbours) | ir.Groups(start, slot, neighbours):
                nodes = [("slot", f, slot), *self.values((start, neighbours), f)]
                self.values([x for x in children(e) if x is not start and x is not neighbours], f)
                return self.same(*nodes)
            case ir.Apply(function, arguments):
                self.called(function, arguments, f)
                return ("result", function)
        self.values(children(e), f)
        return fresh

    def called(self, function: int, arguments: tuple[ir.Expr, ...], f: int) -> None:
        for i, argument in enumerate(arguments):
            self.same(("slot", function, i), self.value(argument, f))

    # -------------------------------------------------------------- statements

    def body(self, body: ir.Body, f: int) -> None:
        for statement in body:
            self.statement(statement, f)

    def statement(self, st: ir.Statement, f: int) -> None:
        """Follow what a statement puts where."""
        match st:
            case ir.Assign(slot, value):
                self.same(("slot", f, slot), self.value(value, f))
            case ir.Store(var, index, value):
                self.typed(self.value(value, f), self.program.variables[var].type)
                if index is not None:
                    self.value(ir.Load(var, index), f)
            case ir.If(condition, then, otherwise):
                self.value(condition, f)
                self.body(then, f)
                self.body(otherwise, f)
            case ir.ForEach(slot, of, body):
                self.same(("slot", f, slot), self.value(of, f))
                self.body(body, f)
            case ir.Repeat(times, condition, body):
                self.values([times, *([condition] if condition is not None else [])], f)
                self.body(body, f)
            case ir.Loop(body):
                self.body(body, f)
            case ir.CallTo(function, arguments, result):
                self.called(function, arguments, f)
                if result >= 0:
                    self.same(("slot", f, result), ("result", function))
            case ir.Return(value):
                if value is not None:
                    self.same(("result", f), self.value(value, f))
            case ir.MovePieces(pieces) | ir.Show(pieces):
                self.piece(self.value(pieces, f))
            case ir.Chance(slot, of, _, type_):
                self.typed(self.same(("slot", f, slot), self.value(of, f)), type_)
            case ir.ChooseAction(decision):
                for action in self.program.decisions[decision].actions:
                    for key in action.keys:
                        self.key(key, key.slot, f)
            case ir.ChooseOne(_, slot, key) | ir.ChooseSome(_, slot, key):
                self.key(key, slot, f)
            case ir.ChooseTogether():
                self.key(st.key, st.key.slot, f)
            case _:
                self.values(children(st), f)

    def key(self, key: ir.Key, slot: int, f: int) -> None:
        """What is chosen, and the slot that gets it."""
        node = self.same(("slot", f, slot), ("slot", f, key.slot), self.value(key.domain, f))
        self.typed(node, key.type)
