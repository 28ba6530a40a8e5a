"""Link what happens to pieces, and chance: move, exchange, shuffle, draw, show.

Comes in: one of those statements. Goes out: a callable, as in `link_stmt.py`.
What never happens: a piece in two places or in none, a piece that lies on itself, knowledge that is lost
otherwise than by a shuffle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.chance import ChanceRefused
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.naming import ALL, Namer

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Instruction = Callable[[Any, list[Any]], int]


def link_pieces(code: Code, node: Any, to: int, traced: bool) -> Instruction:
    """The instruction for a statement that moves or shows pieces, or draws."""
    match node:
        case ir.MovePieces():
            return _move(code, node, to, traced)
        case ir.Exchange():
            return _exchange(code, node, to, traced)
        case ir.Shuffle():
            return _shuffle(code, node, to, traced)
        case ir.Chance():
            return _chance(code, node, to, traced)
        case ir.Show():
            return _show(code, node, to, traced)
        case _:
            raise TypeError(f"no such statement: {node!r}")


def know(s: Any, piece: int, players: int) -> None:
    """Some players (bits) know a piece, and all that lies on it, from now on."""
    before = s.known[piece]
    if before | players != before:
        s.known[piece] = before | players
        s.news += 1
    lying = s.contents.get(s.code.first_piece_place + piece)
    if lying:
        for other in lying:
            know(s, other, players)


def resolve(s: Any, piece: int) -> int:
    """The piece itself; for a stand-in the first real one in its supply, or -1 if none is left."""
    if piece < len(s.known):
        return piece
    code = s.code
    kind, owner, supply = code.stand_ins[piece - len(s.known)]
    kinds = code.kind_owner
    for real in s.contents.get(supply, ()):
        if kinds[real] == (kind, owner):
            return int(real)
    return -1


def room_at(s: Any, place: int) -> int:
    """How many more pieces a place takes; less than 0 where any number fits."""
    room: int = s.code.rooms.get(place, -1)
    return room if room < 0 else max(0, room - len(s.contents.get(place, ())))


def put(s: Any, piece: int, place: int, bottom: bool, span: Span) -> None:
    """Take a real piece from where it is and lay it onto or under what lies at a place."""
    code = s.code
    if place >= code.first_piece_place:
        _refuse_circle(s, piece, place, span)
    left = s.contents[s.place_of[piece]]
    if left[-1] == piece:
        left.pop()
    else:
        left.remove(piece)
    there = s.contents.get(place)
    if there is None:
        s.contents[place] = [piece]
    elif bottom:
        there.insert(0, piece)
    else:
        there.append(piece)
    s.place_of[piece] = place
    fixed = code.fixed_masks
    know(s, piece, fixed[place] if place < len(fixed) and fixed[place] >= 0 else code.mask(s, place))


def _refuse_circle(s: Any, piece: int, place: int, span: Span) -> None:
    host = s.code.layout.host(place)
    while host >= 0:
        if host == piece:
            name = s.code.program.pieces[piece].name
            raise RuleError(f"{name} cannot be put on itself or on what lies on it.", span)
        host = s.code.layout.host(s.place_of[host])


def _move(code: Code, node: ir.MovePieces, to: int, traced: bool) -> Instruction:
    pieces, place = code.expressions.value(node.pieces), code.expressions.value(node.place)
    bottom, moved, span, exists = node.bottom, node.moved, node.span, code.layout.exists

    def move(s: Any, loc: list[Any]) -> int:
        target = place(s, loc)
        count = 0
        values = pieces(s, loc)
        if target >= 0 and values:
            if not exists(target):
                raise RuleError("There is no such place.", span)
            room = room_at(s, target)
            for v in values:
                piece = resolve(s, v) if v >= 0 else -1
                if piece >= 0:
                    if s.place_of[piece] != target:
                        if room == 0:
                            if traced:
                                s.trace.full(s, target, span)
                            break
                        room -= 1
                    if v != piece and code.mask(s, target) != code.everybody:
                        s.known[piece] = 0  # any one of those in the supply: who sees the place learns which
                    if traced:
                        s.trace.move(s, piece, target, span, lambda p=piece: put(s, p, target, bottom, span))
                    else:
                        put(s, piece, target, bottom, span)
                    count += 1
        if moved >= 0:
            loc[moved] = count
        return to

    return move


def _exchange(code: Code, node: ir.Exchange, to: int, traced: bool) -> Instruction:
    one, two = code.expressions.value(node.first), code.expressions.value(node.second)
    exists, span = code.layout.exists, node.span

    def exchange(s: Any, loc: list[Any]) -> int:
        a, b = one(s, loc), two(s, loc)
        if a < 0 or b < 0 or a == b:
            return to
        if not exists(a) or not exists(b):
            raise RuleError("There is no such place.", span)
        on_a, on_b = s.contents.get(a, []), s.contents.get(b, [])
        for place, coming in ((b, on_a), (a, on_b)):
            if 0 <= code.rooms.get(place, -1) < len(coming):
                if traced:
                    s.trace.full(s, place, span)
                return to
        for place, pieces in ((b, on_a), (a, on_b)):
            for piece in pieces:
                if place >= code.first_piece_place:
                    _refuse_circle(s, piece, place, span)
        s.contents[a], s.contents[b] = on_b, on_a
        for place, pieces in ((b, on_a), (a, on_b)):
            for piece in pieces:
                s.place_of[piece] = place
        for place, pieces in ((b, on_a), (a, on_b)):
            for piece in pieces:
                know(s, piece, code.mask(s, place))
        if traced:
            s.trace.exchange(s, a, b, span)
        return to

    return exchange


def _stream(s: Any, number: int, span: Span) -> int:
    if not 0 <= number < len(s.counters):
        raise RuleError("There is no such source of chance.", span)
    return number


def _shuffle(code: Code, node: ir.Shuffle, to: int, traced: bool) -> Instruction:
    place, stream, span = code.expressions.value(node.place), code.expressions.value(node.stream), node.span
    namer = Namer(code)

    def shuffle(s: Any, loc: list[Any]) -> int:
        at = place(s, loc)
        pieces = s.contents.get(at)
        if not pieces:
            return to
        try:
            order = s.chance.order(
                s.counters,
                _stream(s, stream(s, loc), span),
                len(pieces),
                lambda i: namer.code_name(pieces[i]),
            )
        except ChanceRefused as error:
            raise RuleError(str(error), span, "chance") from None
        viewers = code.mask(s, at)
        s.contents[at] = [pieces[i] for i in order]
        for piece in pieces:
            s.known[piece] = viewers
        s.news += 1
        if traced:
            s.trace.shuffle(s, at, span)
        return to

    return shuffle


def _chance(code: Code, node: ir.Chance, to: int, traced: bool) -> Instruction:
    values, stream, span = code.expressions.value(node.set), code.expressions.value(node.stream), node.span
    namer, slot, type_ = Namer(code), node.slot, node.type
    die = code.expressions.value(node.face_of) if node.face_of is not None else None

    def draw(s: Any, loc: list[Any]) -> int:
        among = values(s, loc)
        if not among:
            loc[slot] = -1
            return to
        number = _stream(s, stream(s, loc), span)
        try:
            i = s.chance.draw(s.counters, number, len(among), lambda i: namer.id(s, type_, among[i], ALL))
        except ChanceRefused as error:
            raise RuleError(str(error), span, "chance") from None
        loc[slot] = among[i]
        s.news += 1
        if traced:
            players = code.face_mask(s, die(s, loc)) if die is not None else None
            s.trace.draw(s, type_, among[i], number, span, players)
        return to

    return draw


def _show(code: Code, node: ir.Show, to: int, traced: bool) -> Instruction:
    pieces, players, span = (
        code.expressions.value(node.pieces),
        code.expressions.value(node.players),
        node.span,
    )

    def show(s: Any, loc: list[Any]) -> int:
        bits = 0
        for p in players(s, loc):
            if p >= 0:
                bits |= 1 << p
        shown = [v for v in pieces(s, loc) if 0 <= v < len(s.known)]
        for piece in shown:
            know(s, piece, bits)
        if traced and shown:
            s.trace.show(s, shown, bits, span)
        return to

    return show
