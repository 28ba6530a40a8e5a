"""Text: a program written out for people who look for what is wrong with it.

Comes in: a `Program`. Goes out: text, the same for equal programs. It is read by people and compared in
tests, never read back. What never happens: a part of a function that is left out.
To add a form: a case in `text_code.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter import ir
from rulewright.interpreter.text_code import CodeText, set_text

WIDEST = 24  # values of a table that are written out


def text_of(program: ir.Program) -> str:
    """The whole program as text, ended by a line end."""
    return "\n".join(_lines(program)) + "\n"


def _lines(p: ir.Program) -> Iterator[str]:
    yield f"program {p.game} “{p.title}” for {', '.join(p.players)}"
    yield f"rules {p.rules_hash}" + "".join(f", variant {v}" for v in p.variants)
    for name, value in p.options:
        yield f"option {name} = {value}"
    for name, words in p.word_lists:
        yield f"words {name}: {' '.join(words)}"
    for title, names in (("kinds", p.kinds), ("directions", p.directions)):
        if names:
            yield f"{title}: {' '.join(names)}"
    yield f"lines: {len(p.lines)}" if p.lines else "lines: none"
    yield ""
    yield from _components(p)
    for i, d in enumerate(p.decisions):
        yield ""
        yield from _decision(p, i, d)
    for i, f in enumerate(p.functions):
        yield ""
        yield from function_lines(p, i, f)


def _components(p: ir.Program) -> Iterator[str]:
    text = CodeText(p, ())
    for i, v in enumerate(p.variables):
        cells = f"[{v.cells} of {', '.join(v.index)}]" if v.index or v.cells > 1 else ""
        words = [
            w
            for w, on in ((f"ends {v.ends}", v.ends), ("hidden", v.hidden), ("not counted", not v.counts))
            if on
        ]
        seen = f", seen by {text.expr(v.seen_by)}" if v.seen_by is not None else ""
        extra = f" ({', '.join(words)})" if words else ""
        none = " or none" if v.optional else ""
        start = _values(v.initial)
        yield f"var {i} {v.name}{cells}: {v.kind} of {v.type} {v.low}..{v.high}{none} = {start}{seen}{extra}"
    for i, t in enumerate(p.tables):
        yield f"table {i} {t.name}[{t.base}..{t.base + len(t.data) - 1}] = {_values(t.data)}"
    for i, place in enumerate(p.places):
        owner = f" of {p.players[place.owner]}" if 0 <= place.owner < len(p.players) else ""
        more = f", room for {place.room}" if place.room >= 0 else ""
        if place.face_viewers is not None:
            more += f", faces seen by {set_text(place.face_viewers)}"
        seen = text.expr(place.viewers)
        yield f"place {i} {place.name}: {place.kind} {place.order}{owner}, seen by {seen}{more}"
    for b in p.boards:
        size = "unbounded" if b.unbounded else f"{b.width} x {b.height}"
        yield f"board {b.name}: {b.shape} {size} from place {b.first}{' covers' if b.covers else ''}"
    if p.pieces:
        yield f"pieces as places: from {p.first_piece_place}"
    for i, piece in enumerate(p.pieces):
        owner = f" of {p.players[piece.owner]}" if 0 <= piece.owner < len(p.players) else ""
        kind = p.kinds[piece.kind] if 0 <= piece.kind < len(p.kinds) else piece.kind
        start = f"code {piece.code}, starts at {piece.start}"
        yield f"piece {i} {piece.name}: {kind}{owner}, design {piece.design}, {start}"
    for i, s in enumerate(p.stand_ins):
        yield f"stand-in {len(p.pieces) + i}: kind {s.kind}, owner {s.owner}, supply {s.supply}"
    for i, stream in enumerate(p.streams):
        yield f"stream {i} {stream.name}"
    for i, end in enumerate(p.ends):
        yield f"end {i} {end.name} “{end.title}”"


def _values(values: tuple[int | tuple[int, ...], ...]) -> str:
    if len(values) > 1 and len(set(values)) == 1:
        return f"{len(values)} times {_values(values[:1])}"
    shown = [set_text(v) if isinstance(v, tuple) else str(v) for v in values[:WIDEST]]
    more = f" … ({len(values)} values)" if len(values) > WIDEST else ""
    return " ".join(shown) + more


def _decision(p: ir.Program, number: int, d: ir.ActionDecision) -> Iterator[str]:
    text = CodeText(p, ())
    frame = f"player {text.slot(d.player_slot)}, {d.slots} slots"
    yield f"decision {number} {d.name} ({frame}) “{text.sentence(d.prompt)}”"
    for action in d.actions:
        seen = f", seen by {text.expr(action.seen_by)}" if action.seen_by is not None else ""
        seen += ", declines" if action.declines else ""
        yield f"  action {action.name} “{action.title}”{seen}  @{action.span}"
        for key in action.keys:
            yield f"    {key.name} = {text.slot(key.slot)}: {key.type} in {text.expr(key.domain)}"
        for guard in action.guards:
            yield (
                f"    {guard.source} at {guard.level}: {text.expr(guard.condition)} "
                f"else “{text.sentence(guard.because)}”  @{guard.span}"
            )
        for item in action.afterwards:
            name = text.function(item.function)
            yield f"    afterwards {name} else “{text.sentence(item.because)}”  @{item.span}"


def function_lines(p: ir.Program, number: int, f: ir.Function) -> Iterator[str]:
    """One function as lines."""
    text = CodeText(p, f.slot_names)
    parameters = ", ".join(text.slot(i) for i in range(f.parameters))
    gives = f" gives {f.result}" if f.result else ""
    yield f"function {number} {f.name}({parameters}){gives} with {f.slots} slots  @{f.span}"
    yield from text.body(f.body, 1)
