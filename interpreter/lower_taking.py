"""Lower taking: what comes from a zone that may run out: it is refilled from another one, or `ran_out`.

Comes in: the zone that is taken from. Goes out: what is done before each piece is taken, and after as many
have been taken as there are. A game without `refill from:` and without a rule on `ran_out` pays nothing.
What never happens: a zone that is refilled while something lies in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Zone
from rulewright.dsl.problems import Span
from rulewright.dsl.types import ZoneType, plain
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import NO, YES, Code, binary, both, finished
from rulewright.interpreter.lower_select import LowerSelections


@dataclass(frozen=True, slots=True)
class Taking:
    """How pieces are taken from one zone: its place, `before` each piece, `ran` is 1 when it ran out."""

    place: ir.Expr
    before: tuple[ir.Statement, ...]
    ran: int


class LowerTaking(LowerSelections):
    """Lowers what happens when a zone runs out; base of `LowerMoves`."""

    def ran_out(self, place: ir.Expr, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEvents`: the event `ran_out`; nothing where nobody listens to it."""
        raise NotImplementedError

    def zone_of(self, node: n.Expr) -> Zone | None:
        """The declared zone that an expression is: one zone, not those of several owners."""
        if not isinstance(plain(self.type_of(node)), ZoneType) or isinstance(
            node, (n.OfEvery, n.Conditional)
        ):
            return None
        if isinstance(node, n.Of) and element_of(plain(self.type_of(node.owner))) is not None:
            return None
        symbol = self.checked.symbols.get(id(node))
        return self.game.zones.get(symbol.name) if symbol is not None and symbol.form == "zone" else None

    def taken_from(self, things: n.Expr) -> n.Expr | None:
        """The zone that `N card in ZONE` or `top of ZONE` takes from; None for any other things."""
        if isinstance(things, n.Chosen) and things.amount is not None and things.amount.number is not None:
            source = things.selection.source
        elif isinstance(things, n.Of) and things.name in ("top", "bottom"):
            source = things.owner
        else:
            return None
        return source if source is not None and self.zone_of(source) is not None else None

    def taking(
        self, source: n.Expr, to: ir.Expr | None, code: Code, span: Span
    ) -> tuple[list[ir.Statement], Taking] | None:
        """What is done first, and how pieces are taken from a zone; None where nothing but the pieces that
        lie there matters. `to`: where they go, if that is one place: what has no room there needs no refill.
        """
        zone = self.zone_of(source)
        if zone is None or not (zone.refill_from or self.ran_out(ir.Const(0), span, code)):
            return None
        place, ran = code.slot("taken from"), code.slot("ran out")
        first: list[ir.Statement] = [
            ir.Assign(place, self.place(source, code), span),
            ir.Assign(ran, NO, span),
        ]
        empty = binary("==", ir.Size(ir.Contents(ir.Local(place))), NO)
        before: list[ir.Statement] = []
        if zone.refill_from:
            room = self.room(to) if to is not None else YES
            fits = None if isinstance(room, ir.Const) else binary("<", NO, room)
            refill = ir.CallTo(self.refill(zone), (ir.Local(place),), -1, span)
            before.append(ir.If(both(empty, fits), (refill,), (), span))
        note = ir.Note(
            "nothing", "", ir.Sentence((ir.Shown(ir.Local(place), "place"), " has run out.")), span
        )
        told: tuple[ir.Statement, ...] = () if self.ran_out(ir.Const(0), span, code) else (note,)
        first_time = binary("==", ir.Local(ran), NO)
        before.append(ir.If(both(empty, first_time), (*told, ir.Assign(ran, YES, span)), (), span))
        return first, Taking(ir.Local(place), tuple(before), ran)

    def taken(self, taking: Taking, code: Code, span: Span) -> list[ir.Statement]:
        """What comes after as many pieces have been taken as there are."""
        heard = self.ran_out(taking.place, span, code)
        return [ir.If(ir.Local(taking.ran), tuple(heard), (), span)] if heard else []

    def refill(self, zone: Zone) -> int:
        """The function that refills an empty zone: all of the other one comes into it, and is shuffled."""

        def write(_: int) -> ir.Function:
            code, span = Code(f"refill {zone.name}"), zone.span
            place = ir.Local(code.slot(zone.name))
            other = self.game.zones[zone.refill_from]
            first = self.parts.zone_first[zone.name]
            source: ir.Expr = ir.Const(self.parts.zone_first[other.name])
            if other.per:
                source = binary("+", place, ir.Const(self.parts.zone_first[other.name] - first))
            names = [p.name for p in self.parts.places if p.kind == "zone" and p.group == zone.name]
            stream: ir.Expr = ir.Const(self.build.streams_for("refill", names))
            if len(names) > 1:
                stream = binary("+", stream, binary("-", place, ir.Const(first)))
            told = (ir.Shown(place, "place"), " is filled up from ", ir.Shown(source, "place"), ".")
            body: list[ir.Statement] = [
                ir.If(
                    binary("<", NO, ir.Size(ir.Contents(source))),
                    (
                        ir.Note("refilled", zone.name, ir.Sentence(told), span),
                        ir.MovePieces(ir.Contents(source), place, False, -1, span),
                        ir.Shuffle(place, stream, span),
                    ),
                    (),
                    span,
                )
            ]
            return finished(code, 1, body, span)

        return self.build.function(f"refill {zone.name}", write)
