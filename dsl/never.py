"""What a condition comes to whatever happens: always yes, never, or it depends.

Comes in: typed logic. Goes out: True, False or None (it depends), for all options, numbers of players and
positions together. What never happens: a condition that can hold is called impossible; where this module
cannot tell, it depends. To add a form: a case in `Verdicts.of`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.check_world import World
from rulewright.dsl.model import Checked
from rulewright.dsl.types import UNKNOWN, NumberType, PieceType, Type, plain
from rulewright.dsl.unparse import unparse

UNBOUNDED = 1_000_000
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "is": "is", "is not": "is not"}
OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "is": "is not", "is not": "is"}


@dataclass(slots=True)
class Verdicts:
    """Gives verdicts on the conditions of one game."""

    checked: Checked
    world: World
    memo: dict[str, bool | None] = field(default_factory=dict)

    def of(self, node: n.Expr) -> bool | None:
        """The verdict on a condition."""
        match node:
            case n.YesNo(value=value):
                return value
            case n.Not(operand=operand):
                found = self.of(operand)
                return None if found is None else not found
            case n.And():
                return self.all_of(list(_parts(node)))
            case n.Or(left=left, right=right):
                a, b = self.of(left), self.of(right)
                return True if a is True or b is True else False if a is False and b is False else None
            case n.Conditional(condition=condition, then=then, otherwise=otherwise):
                which, a, b = self.of(condition), self.of(then), self.of(otherwise)
                return a if which is True or a is b else b if which is False else None
            case n.Compare():
                return self.compare(node)
            case n.Quantified(word="any" | "no" as word, selection=selection):
                return (word == "no") if self.most(selection) == 0 else None
            case n.HowMany():
                return self.how_many(node)
            case n.Name() | n.Of() | n.Call():
                return self.definition(node)
        return None

    def definition(self, node: n.Name | n.Of | n.Call) -> bool | None:
        """A yes/no definition, whatever it is asked of."""
        symbol = self.checked.symbols.get(id(node))
        if symbol is None or symbol.form != "define":
            return None
        define = self.checked.game.defines.get(symbol.name)
        if any(r.form == "change" and r.changes == symbol.name for r in self.checked.game.rules):
            return None
        if symbol.name not in self.memo:
            self.memo[symbol.name] = None  # also what a definition that uses itself comes to
            if define is not None and define.body is not None:
                self.memo[symbol.name] = self.of(define.body)
        return self.memo[symbol.name]

    # ------------------------------------------------------------ and, or, not

    def all_of(self, parts: list[n.Expr]) -> bool | None:
        """`A and B and …`: never, too, when two parts exclude each other."""
        verdicts = [self.of(part) for part in parts]
        if False in verdicts or self.exclude(parts):
            return False
        return True if all(v is True for v in verdicts) else None

    def exclude(self, parts: list[n.Expr]) -> bool:
        """Whether some of the parts cannot hold together: by numbers, words, kinds, or as opposites."""
        ranges: dict[str, tuple[int, int]] = {}
        words: dict[str, str] = {}
        kinds: dict[str, list[set[str]]] = {}
        held: dict[str, bool] = {}
        for part in parts:
            truth = True
            while isinstance(part, n.Not):
                truth, part = not truth, part.operand
            text = unparse(part)
            if held.setdefault(text, truth) is not truth:
                return True
            if not isinstance(part, n.Compare):
                continue
            operator = part.operator if truth else OPPOSITE[part.operator]
            for left, right, op in (
                (part.left, part.right, operator),
                (part.right, part.left, TURNED[operator]),
            ):
                text = unparse(left)
                symbol = self.checked.symbols.get(id(right))
                value = self.figure(right)
                if value is not None:
                    low, high = ranges.get(text, (-UNBOUNDED, UNBOUNDED))
                    low, high = _narrowed(low, high, op, value)
                    if low > high:
                        return True
                    ranges[text] = low, high
                elif op == "is" and symbol is not None and symbol.form == "word":
                    if words.setdefault(text, symbol.name) != symbol.name:
                        return True
                elif op in ("is", "is not") and symbol is not None and symbol.form == "kind":
                    leaves = set(self.world.leaves(symbol.name))
                    if op == "is not":
                        leaves = set(self.world.leaves("piece")) - leaves
                    others = kinds.setdefault(text, [])
                    if leaves and any(not leaves & other for other in others):
                        return True
                    others.append(leaves)
        return False

    def figure(self, node: n.Expr) -> int | None:
        """The number that an expression always has."""
        found = self.type(node)
        return found.low if isinstance(found, NumberType) and found.low == found.high else None

    # ------------------------------------------------------------- comparisons

    def type(self, node: n.Node) -> Type:
        """The type of an expression without "or none"."""
        return plain(self.checked.types.get(id(node), UNKNOWN))

    def range(self, node: n.Expr) -> tuple[int, int] | None:
        """The least and the largest number that an expression can be."""
        found = self.type(node)
        if not isinstance(found, NumberType):
            return None
        if isinstance(node, n.Quantified) and node.word == "count":
            return 0, self.most(node.selection)
        return found.low, found.high

    def compare(self, node: n.Compare) -> bool | None:
        """`is`, `is not`, `<` … by ranges of numbers and kinds of pieces."""
        a, b = self.range(node.left), self.range(node.right)
        if a is not None and b is not None:
            return _compared(node.operator, a, b)
        symbol = self.checked.symbols.get(id(node.right))
        left = self.type(node.left)
        if symbol is not None and symbol.form == "kind" and isinstance(left, PieceType):
            can, wanted = set(self.world.leaves(left.kind)), self.made(symbol.name)
            if node.operator in ("is", "is not") and can and not can & wanted:
                return node.operator == "is not"
        return None

    def how_many(self, node: n.HowMany) -> bool | None:
        """`at least N SEL`, `exactly N SEL`, `fewer than N SEL`."""
        number = self.range(node.number)
        if number is None:
            return None
        operator = {"at least": ">=", "exactly": "is", "fewer than": "<"}[node.word]
        return _compared(operator, (0, self.most(node.selection)), number)

    # ------------------------------------------------------------------- sizes

    def made(self, kind: str) -> set[str]:
        """The kinds that are also of `kind` and of which there can be pieces."""
        game = self.checked.game
        found = set()
        for leaf in self.world.leaves(kind):
            copies = game.kinds[leaf].copies
            high = self.range(copies.number) if copies is not None else None
            if high is None or high[1] > 0:
                found.add(leaf)
        return found

    def most(self, node: n.Selection) -> int:
        """How many things a selection can give at most."""
        for clause in node.clauses:
            if clause.word == "where" and self.of(clause.value) is False:
                return 0
        kind = self.world.kind_called(node.kind) or node.kind
        found = UNBOUNDED
        if kind == "player":
            found = self.checked.game.players_high
        elif kind in self.world.parents or kind == "piece":
            found = self.pieces(kind)
        elif kind in self.world.enums:
            found = len(self.world.enums[kind])
        source = self.type(node.source) if node.source is not None else UNKNOWN
        inner = element_of(source)
        if isinstance(inner, PieceType) and (kind in self.world.parents or kind == "piece"):
            both = self.made(kind) & self.made(inner.kind)
            found = min(found, self.pieces(inner.kind)) if both else 0
        return found

    def pieces(self, kind: str) -> int:
        """How many pieces of a kind there can be; a large number where that is not written."""
        game, total = self.checked.game, 0
        for leaf in self.made(kind):
            decl = game.kinds[leaf]
            if decl.copies is None:
                return UNBOUNDED
            number = self.range(decl.copies.number)
            if number is None or decl.base == "token" or decl.designs:
                return UNBOUNDED
            each = number[1]
            for per, _ in decl.copies.per:
                if per not in self.world.enums:
                    return UNBOUNDED
                each *= len(self.world.enums[per])
            total += each * (game.players_high if decl.per_player else 1)
        return total


def _parts(node: n.Expr) -> Iterator[n.Expr]:
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, n.And):
            todo += [part.right, part.left]
        else:
            yield part


def _narrowed(low: int, high: int, operator: str, value: int) -> tuple[int, int]:
    match operator:
        case "is":
            return max(low, value), min(high, value)
        case "<":
            return low, min(high, value - 1)
        case "<=":
            return low, min(high, value)
        case ">":
            return max(low, value + 1), high
        case ">=":
            return max(low, value), high
    return low, high


def _compared(operator: str, a: tuple[int, int], b: tuple[int, int]) -> bool | None:
    """The verdict on two ranges; ranges that stand for "any number" decide nothing."""
    (al, ah), (bl, bh) = a, b
    match operator:
        case "is":
            return False if ah < bl or bh < al else True if al == ah == bl == bh else None
        case "is not":
            found = _compared("is", a, b)
            return None if found is None else not found
        case "<":
            return True if ah < bl else False if al >= bh else None
        case "<=":
            return True if ah <= bl else False if al > bh else None
        case ">":
            return _compared("<", b, a)
        case ">=":
            return _compared("<=", b, a)
    return None
