"""Secrecy: who may know the value of an expression.

Comes in: an expression. Goes out: a callable over (state, locals) that gives the players (as bits) who see
everything it reads, or None if it reads nothing that is ever hidden. A piece by itself is no secret here:
how a piece is named is settled where it is named; what is *read from* a piece (a table or a variable of
pieces) is.
What never happens: a value that is shown because nobody thought of it: in doubt fewer players are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.walk import children, every

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Who = Callable[[Any, list[Any]], int]


def secrecy(code: Code, e: ir.Expr) -> Who | None:
    """Who sees all that `e` reads; None for everybody, always."""
    match e:
        case ir.Load(var, index):
            inner = secrecy(code, index) if index is not None else None
            return _both(code, _load(code, var, index), inner)
        case ir.At(table, index):
            inner = secrecy(code, index)
            return _both(code, _of_piece(code, index), inner) if _is_of_pieces(code, table) else inner
        case ir.Apply():
            return _all(code, [_called(code, e), *[secrecy(code, a) for a in e.arguments]])
        case ir.Filter() | ir.Quantifier() | ir.Fold() | ir.BestOf() | ir.Collect():
            body = e.value if isinstance(e, ir.Fold | ir.BestOf | ir.Collect) else e.condition
            return _both(code, secrecy(code, e.set), _looped(code, e.slot, e.set, secrecy(code, body)))
        case _:
            # Slots that walks bind are not followed: what they read counts with the slot as it is now.
            found = [secrecy(code, c) for c in children(e)]
            if any(f is not None for f in found) and isinstance(e, ir.Going | ir.Linked | ir.Groups):
                return lambda s, loc: 0
            return _all(code, found)


def _load(code: Code, var: int, index: ir.Expr | None) -> Who | None:
    v = code.program.variables[var]
    pieces = len(code.program.pieces) + len(code.program.stand_ins)
    of_piece = (
        bool(v.index) and v.index[0] != "player" and v.cells == pieces
    )  # what is a player's is no piece's
    if var in code.program.piece_vars and index is not None:
        known = _of_piece(code, index)
        return _of_face(code, index, known) if var == code.program.piece_faces else known
    if v.seen_by is None:
        return _of_piece(code, index) if of_piece and index is not None and len(v.index) == 1 else None
    cell = code.expressions.value(index) if index is not None else None

    def who(s: Any, loc: list[Any]) -> int:
        return code.variable_mask(s, var, cell(s, loc) if cell is not None else 0)

    return who


def _of_piece(code: Code, index: ir.Expr) -> Who:
    piece = code.expressions.value(index)

    def who(s: Any, loc: list[Any]) -> int:
        p = piece(s, loc)
        return code.knowers(s, p) if 0 <= p < len(s.known) else code.everybody

    return who


def _of_face(code: Code, index: ir.Expr, known: Who) -> Who:
    piece = code.expressions.value(index)

    def who(s: Any, loc: list[Any]) -> int:
        p = piece(s, loc)
        return known(s, loc) & (code.face_mask(s, p) if 0 <= p < len(s.known) else code.everybody)

    return who


def _looped(code: Code, slot: int, of: ir.Expr, who: Who | None) -> Who | None:
    if who is None:
        return None
    items = code.expressions.items(of)

    def all_of(s: Any, loc: list[Any]) -> int:
        players = code.everybody
        for v in items(s, loc):
            loc[slot] = v
            players &= who(s, loc)
        return players

    return all_of


def _both(code: Code, one: Who | None, two: Who | None) -> Who | None:
    return _all(code, [one, two])


def _all(code: Code, found: list[Who | None]) -> Who | None:
    some = [f for f in found if f is not None]
    if not some:
        return None
    if len(some) == 1:
        return some[0]

    def who(s: Any, loc: list[Any]) -> int:
        players = code.everybody
        for f in some:
            players &= f(s, loc)
        return players

    return who


def _called(code: Code, e: ir.Apply) -> Who | None:
    """Who sees what a function reads. One that is a single expression is looked at with its arguments; any
    other one is everybody's only if it reads nothing that could ever be hidden."""
    body = code.program.functions[e.function].body
    if len(body) == 1 and isinstance(body[0], ir.Return) and body[0].value is not None:
        inner = secrecy(code, body[0].value)
        if inner is None:
            return None
        arguments = [code.expressions.value(a) for a in e.arguments]
        pad = [0] * (code.slots(e.function) - len(arguments))
        return lambda s, loc: inner(s, [*[a(s, loc) for a in arguments], *pad])
    if any(_may_hide(code, n) for n in _inside(code, e.function)):
        return lambda s, loc: 0
    return None


def _inside(code: Code, function: int) -> Iterator[object]:
    """Every node of a function and of those it calls."""
    met: set[int] = set()
    todo = [function]
    while todo:
        f = todo.pop()
        if f in met:
            continue
        met.add(f)
        for st in code.program.functions[f].body:
            for node in every(st):
                yield node
                if isinstance(node, ir.Apply | ir.CallTo):
                    todo.append(node.function)


def _may_hide(code: Code, node: object) -> bool:
    """Whether a node reads what may be hidden."""
    if isinstance(node, ir.At):
        return _is_of_pieces(code, node.table)
    return isinstance(node, ir.Load) and _load(code, node.var, node.index) is not None


def _is_of_pieces(code: Code, table: int) -> bool:
    """Whether a table has a row for each piece and each stand-in."""
    data = code.program.tables[table]
    pieces = len(code.program.pieces)
    return bool(pieces) and len(data.data) + data.base == pieces + len(code.program.stand_ins)
