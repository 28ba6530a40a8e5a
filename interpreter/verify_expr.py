"""Verify expressions: slots, operands, and the kinds of values.

Comes in: an expression and what is known about the slots of its frame. Goes out: its kind, "number", "set",
"groups", or "" where it cannot be known (a slot that nothing has filled yet); what is wrong goes to `say`.
What never happens: an exception for a damaged expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.interpreter import ir

ARITHMETIC = ("+", "-", "*", "mod", "min", "max", "div_down", "div_up", "==", "!=", "<", "<=", "and", "or")
Kinds = dict[int, str]


class ExprCheck:
    """Checks expressions. `where` is what is being looked at, `slots` the size of its frame."""

    def __init__(self, program: ir.Program, say: Callable[[str], None]) -> None:
        self.program = program
        self.report = say
        self.where = ""
        self.slots = 0
        self.kinds: Kinds = {}
        self.result = ""
        self.parameters: dict[int, list[str]] = {
            i: [""] * f.parameters for i, f in enumerate(program.functions)
        }

    def say(self, text: str) -> None:
        """Report something in what is being looked at."""
        self.report(f"{self.where}: {text}")

    # ------------------------------------------------------------------ slots

    def bind(self, slot: int, kind: str) -> None:
        """A slot gets a value of a kind."""
        if self.slot(slot):
            self.kinds[slot] = kind

    def slot(self, slot: int) -> bool:
        """Whether a slot is one of the frame."""
        if 0 <= slot < self.slots:
            return True
        self.say(f"there is no slot {slot}")
        return False

    def target(self, slot: int, kind: str) -> None:
        """A slot for a result, or -1."""
        if slot != -1:
            self.bind(slot, kind)

    def known(self, what: str, number: int, of: tuple[Any, ...]) -> bool:
        """Whether the program has this table, variable, board …"""
        if 0 <= number < len(of):
            return True
        self.say(f"there is no {what} {number}")
        return False

    # ------------------------------------------------------------ expressions

    def want(self, e: ir.Expr | None, kind: str) -> None:
        """An expression that must be of a kind (None is fine)."""
        if e is None:
            return
        got = self.kind(e)
        if got and kind and got != kind:
            self.say(f"{type(e).__name__} is a {got} where a {kind} is needed")

    def element(self, e: ir.Expr) -> str:
        """What runs through a set (numbers) or groups (sets)."""
        got = self.kind(e)
        if got == "number":
            self.say(f"{type(e).__name__} is a number where a set is needed")
        return {"set": "number", "groups": "set"}.get(got, "")

    def kind(self, e: ir.Expr) -> str:
        """The kind of an expression; everything inside it is checked on the way."""
        match e:
            case ir.Const():
                return "number"
            case ir.SetConst(items):
                if len(set(items)) != len(items):
                    self.say("a constant set holds a value twice")
                return "set"
            case ir.Local(slot):
                return self.kinds.get(slot, "") if self.slot(slot) else ""
            case ir.Load(var, index):
                return self.load(var, index)
            case ir.At(table, index):
                self.want(index, "number")
                if not self.known("table", table, self.program.tables):
                    return ""
                data = self.program.tables[table].data
                return "" if not data else "number" if isinstance(data[0], int) else "set"
            case ir.Unary(op, operand):
                if op not in ("-", "not"):
                    self.say(f"there is no operation {op}")
                self.want(operand, "number")
                return "number"
            case ir.Binary(op, left, right):
                if op not in ARITHMETIC:
                    self.say(f"there is no operation {op}")
                self.want(left, "number")
                self.want(right, "number")
                return "number"
            case ir.SameSet(left, right):
                self.want(left, "set")
                self.want(right, "set")
                return "number"
            case ir.Choice(condition, then, otherwise):
                self.want(condition, "number")
                one, two = self.kind(then), self.kind(otherwise)
                if one and two and one != two:
                    self.say(f"a Choice between a {one} and a {two}")
                return one or two
            case ir.MakeSet(items):
                for item in items:
                    for part in item if isinstance(item, tuple) else (item,):
                        self.want(part, "number")
                return "set"
            case ir.Union(left, right):
                self.want(left, "set")
                self.want(right, "set")
                return "set"
            case ir.Contains(of, value):
                self.want(of, "set")
                self.want(value, "number")
                return "number"
            case ir.Contents(place):
                self.want(place, "number")
                return "set"
            case ir.Alike(pieces, player):
                self.want(pieces, "set")
                self.want(player, "number")
                return "set"
            case ir.PlaceOf(piece):
                self.want(piece, "number")
                return "number"
            case ir.Occupied(board):
                if (
                    self.known("board", board, self.program.boards)
                    and not self.program.boards[board].unbounded
                ):
                    self.say("Occupied is for unbounded boards")
                return "set"
            case ir.TheOnly(of):
                return self.element(of)
            case ir.Without(left, right):
                self.want(left, "set")
                self.want(right, "set")
                return "set"
            case ir.FirstFew(of, number):
                self.element(of)
                self.want(number, "number")
                return "set"
            case ir.Size(of):
                self.element(of)
                return "number"
            case _:
                return self.binding(e)

    def binding(self, e: ir.Expr) -> str:
        """The kind of an expression that binds a slot or calls."""
        match e:
            case ir.Filter(slot, of, condition):
                self.bind(slot, self.element(of))
                self.want(condition, "number")
                return "groups" if self.kinds.get(slot) == "set" else "set"
            case ir.Quantifier(word, slot, of, condition):
                element = self.element(of)
                self.word(word, ("any", "all", "count", "first"))
                self.bind(slot, element)
                self.want(condition, "number")
                return element if word == "first" else "number"
            case ir.Fold(word, slot, of, value):
                self.word(word, ("sum", "largest", "smallest"))
                self.bind(slot, self.element(of))
                self.want(value, "number")
                return "number"
            case ir.BestOf(word, slot, of, value):
                self.word(word, ("largest", "smallest"))
                element = self.element(of)
                self.bind(slot, element)
                self.want(value, "number")
                return "groups" if element == "set" else "set"
            case ir.Collect(slot, of, value, many):
                self.bind(slot, self.element(of))
                got = self.kind(value)
                if many and got == "number":
                    self.say("a Collect of many needs sets")
                return "groups" if not many and got == "set" else "set"
            case ir.Going():
                return self.going(e)
            case ir.Linked(start, slot, neighbours, where, stopping):
                self.want(start, "set")
                self.bind(slot, "number")
                self.want(neighbours, "set")
                self.want(where, "number")
                self.want(stopping, "number")
                return "set"
            case ir.Groups(of, slot, neighbours):
                self.want(of, "set")
                self.bind(slot, "number")
                self.want(neighbours, "set")
                return "groups"
            case ir.Apply(function, arguments):
                if not self.known("function", function, self.program.functions):
                    return ""
                self.arguments(function, arguments)
                if not self.program.functions[function].result:
                    self.say(f"{self.program.functions[function].name} gives no value")
                return self.program.functions[function].result
            case ir.CanAct(decision, player):
                self.known("decision", decision, self.program.decisions)
                self.want(player, "number")
                return "number"
            case ir.Seats(start, clockwise):
                self.want(start, "number")
                self.want(clockwise, "number")
                return "set"
            case _:
                self.say(f"{type(e).__name__} is no expression")
                return ""

    def word(self, word: str, words: tuple[str, ...]) -> None:
        """One of a few words."""
        if word not in words:
            self.say(f"there is no selection `{word}`")

    def load(self, var: int, index: ir.Expr | None) -> str:
        """A state variable, with an index if it has several cells."""
        self.want(index, "number")
        if not self.known("variable", var, self.program.variables):
            return ""
        v = self.program.variables[var]
        if index is None and v.cells != 1:
            self.say(f"{v.name} has {v.cells} cells and is used without an index")
        return v.kind

    def going(self, e: ir.Going) -> str:
        """A run over a board."""
        self.want(e.start, "number")
        self.want(e.directions, "set")
        self.want(e.limit, "number")
        if e.exact and e.limit is None:
            self.say("a run of exactly so many steps has no limit")
        if self.known("board", e.board, self.program.boards):
            board = self.program.boards[e.board]
            if not board.unbounded and not board.steps:
                self.say(f"a run on {board.name}, which has no steps")
        self.bind(e.slot, "number")
        for part in (e.keep, e.until, e.ending):
            self.want(part, "number")
        return "set"

    def arguments(self, function: int, arguments: tuple[ir.Expr, ...]) -> None:
        """The arguments of a call tell the kinds of the parameters."""
        f = self.program.functions[function]
        if len(arguments) != f.parameters:
            self.say(f"{f.name} takes {f.parameters} values and is given {len(arguments)}")
        got = self.parameters[function]
        for i, argument in enumerate(arguments):
            kind = self.kind(argument)
            if i < len(got):
                if got[i] and kind and got[i] != kind:
                    self.say(f"{f.name} is given a {kind} where it was given a {got[i]} before")
                got[i] = got[i] or kind

    def sentence(self, sentence: ir.Sentence | None) -> None:
        """Values in a sentence."""
        for part in sentence.parts if sentence is not None else ():
            if isinstance(part, ir.Shown):
                self.kind(part.value)
