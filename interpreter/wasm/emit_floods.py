"""Emit floods: all pieces linked to a space, as bits.

Comes in: the body of a function. Goes out: for a slot that holds such pieces (`let chain be all token of
actor linked to spot`) and is only asked whether any of them is on certain spaces, the spaces on which they
are. What never happens: a question whose answer depends on how many pieces lie on a space, or on their order:
where a slot is read in any other way it holds pieces, as always.

A flood fill on a board of bits, one space at a time: each space that is reached adds those next to it that
satisfy the condition and have not been reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulewright.interpreter import ir
from rulewright.interpreter.link_once import free_slots
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm.emit_masks import Mask, Masked, cannot_fail
from rulewright.interpreter.wasm.encoder import I64
from rulewright.interpreter.wasm.inline import mapped_body
from rulewright.interpreter.wasm.masks import Attribute, Kept, attribute_of


@dataclass(frozen=True, slots=True)
class Flood:
    """Pieces with a value of an attribute, linked to a space by a table of what is next to each space."""

    kept: Kept
    table: int
    start: ir.Expr
    attribute: Attribute
    value: ir.Expr


class Flooded(Masked):
    """Writes floods."""

    floods: Mapping[int, Flood] = MappingProxyType({})  # slots that hold the spaces of pieces
    filled: dict[int, Mask]  # what they hold

    def with_floods(self, body: ir.Body) -> ir.Body:
        """The body of a function, definitions written in place where that shows what a slot is asked;
        `floods` are the slots that can hold spaces."""
        floods: dict[int, Flood] = {}
        self.filled = {}
        assigned = [n for st in body for n in every(st) if isinstance(n, ir.Assign)]
        found = {n.slot: flood for n in assigned if (flood := self._flood(n.value)) is not None}
        if not found:
            return body
        slots = frozenset(found)
        plain = mapped_body(body, lambda e: self.shared.inliner.asking(self.function, e, slots))
        nodes = [n for st in plain for n in every(st)]
        for slot, flood in found.items():
            reads = sum(isinstance(n, ir.Local) and n.slot == slot for n in nodes)
            asked = sum(self._asked_of(n, slot, flood.kept) is not None for n in nodes)
            once = sum(n.slot == slot for n in assigned) == 1
            if once and reads == asked:
                floods[slot] = flood
        self.floods = floods
        return plain if floods else body

    def _flood(self, e: ir.Expr) -> Flood | None:
        """The parts of `all pieces of a kind linked to a space`."""
        match e:
            case ir.Union(
                ir.Filter(
                    one, ir.Collect(near, ir.At(table, start), ir.Contents(ir.Local(at), False), True), first
                ),
                ir.Linked(
                    seeds,
                    slot,
                    ir.Collect(next_to, around, ir.Contents(ir.Local(there), False), True),
                    where,
                    None,
                ),
            ) if at == near and there == next_to and e.left == seeds and where is not None:
                pass
            case _:
                return None
        match around:
            case ir.Choice(_, ir.At(again, ir.PlaceOf(ir.Local(of))), ir.SetConst(())) if (
                again == table and of == slot
            ):
                pass
            case ir.At(again, ir.PlaceOf(ir.Local(of))) if again == table and of == slot:
                pass
            case _:
                return None
        kept = self.board_of(ir.At(table, start))
        one_is, all_are = _has(first, one), _has(where, slot)
        if kept is None or one_is is None or one_is != all_are or kept.of(one_is[0]) is None:
            return None
        low, high = self.range(start)
        data = self.shared.program.tables[table]
        inside = kept.first <= low and high < kept.first + kept.spaces and data.base == kept.first
        if not inside or len(data.data) != kept.spaces or not self.set_fits(ir.At(table, start), kept):
            return None
        return Flood(kept, table, start, *one_is)

    def _asked_of(self, n: object, slot: int, kept: Kept) -> ir.Expr | None:
        """The spaces of `any piece in the slot that is on these spaces`; None for anything else."""
        match n:
            case ir.Quantifier("any", one, ir.Local(of), ir.Contains(spaces, ir.PlaceOf(ir.Local(at)))) if (
                of == slot and at == one and one not in free_slots(spaces)
            ):
                return spaces if self._can_be_had(spaces, kept) else None
            case _:
                return None

    def _can_be_had(self, spaces: ir.Expr, kept: Kept) -> bool:
        """Whether spaces can be had as bits; an index that does not fit traps, whatever else is asked."""
        if isinstance(spaces, ir.At):
            return self._rows_fit(spaces.table, kept) and cannot_fail(spaces.index)
        return self.board_of(spaces) is kept and self.set_fits(spaces, kept)

    def _any(self, slot: int, of: ir.Expr, condition: ir.Expr) -> None:
        if isinstance(of, ir.Local) and of.slot in self.floods:
            flood = self.floods[of.slot]
            spaces = self._asked_of(ir.Quantifier("any", slot, of, condition), of.slot, flood.kept)
            assert spaces is not None
            met = self._both(self.filled[of.slot], self.mask(spaces, flood.kept), flood.kept)
            self.is_empty(met, flood.kept)
            self.b.op("i32.eqz")
            return
        super()._any(slot, of, condition)

    def fill(self, slot: int) -> None:
        """Work out the spaces that a slot holds."""
        b, flood = self.b, self.floods[slot]
        kept = flood.kept
        rows = self.shared.row_masks(flood.table, kept)
        there = self._lying(kept, flood.attribute, flood.value)
        seeds = self._both(self.mask(ir.At(flood.table, flood.start), kept), there, kept)
        full = tuple(b.fresh(I64) for _ in range(kept.words))
        edge = tuple(b.fresh(I64) for _ in range(kept.words))
        new, row = b.fresh(I64), b.fresh()
        for word in range(kept.words):
            self.push(seeds, word)
            b.set(full[word])
            b.get(full[word])
            b.set(edge[word])
        with b.block() as out, b.loop() as more:
            self.is_empty(Mask(None, edge), kept)
            b.to_if(out)
            if kept.words == 1:
                self._take(edge[0], row, 0)
            else:
                b.get(edge[0])
                b.op("i64.eqz")
                with b.when():
                    self._take(edge[1], row, 64)
                    b.otherwise()
                    self._take(edge[0], row, 0)
            b.get(row)
            b.const((8 * kept.words).bit_length() - 1)
            b.op("i32.shl")
            b.set(row)
            for word in range(kept.words):
                b.get(row)
                b.memory("i64.load", rows + 8 * word)
                self.push(there, word)
                b.op("i64.and")
                b.get(full[word])
                b.const64(-1)
                b.op("i64.xor", "i64.and")
                b.set(new)
                for mask in (full, edge):
                    b.get(mask[word])
                    b.get(new)
                    b.op("i64.or")
                    b.set(mask[word])
            b.to(more)
        self.filled[slot] = Mask(None, full)

    def _take(self, word: int, place: int, first: int) -> None:
        """Take the first bit out of a word: its number, from `first` on, into a local."""
        b = self.b
        b.get(word)
        b.op("i64.ctz", "i32.wrap_i64")
        if first:
            b.const(first)
            b.op("i32.add")
        b.set(place)
        b.get(word)
        b.get(word)
        b.const64(1)
        b.op("i64.sub", "i64.and")
        b.set(word)


def _has(e: ir.Expr, slot: int) -> tuple[Attribute, ir.Expr] | None:
    """(attribute, value) of a condition that the piece in a slot has a value."""
    match e:
        case ir.Binary("==", left, right):
            attribute = attribute_of(left, slot)
            return (attribute, right) if attribute is not None and slot not in free_slots(right) else None
        case _:
            return None
