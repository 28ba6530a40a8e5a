"""Emit lots: how many options there are, and one of them by its number, without writing the others.

Comes in: an action decision whose options can be had as bits. Goes out: two functions, `count N` (player →
how many options, the bits put aside) and `option N` (number → that option, where options are). A bot that
draws one of ninety options needs no more. What never happens: another option under a number than the list of
`emit_options.py` has there: spaces go in ascending order, of one space the directions as they are written.

It can be where each action has no key, or one that is a space for which conditions hold that can be worked
out on bits, or two of which the second is a space one step from the first; and nothing else is to be read.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.interpreter import ir
from rulewright.interpreter.link_once import free_slots
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.emit_masks import Mask
from rulewright.interpreter.wasm.emit_options import Options
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.masks import Kept, shift_of

MOST_ACTIONS = 8
MOST_DIRECTIONS = 8


@dataclass(frozen=True, slots=True)
class Way:
    """How the options of an action are had. `spaces` is the first key's set with its conditions, `goal` that
    of the second key, which lies one step in one of `directions` (expressions) from the first."""

    kept: Kept | None = None
    spaces: ir.Expr | None = None
    directions: tuple[ir.Expr, ...] = ()
    goal: ir.Filter | None = None

    @property
    def masks(self) -> int:
        """How many masks say which options there are."""
        return len(self.directions) or int(self.spaces is not None)


class Lots(Options):
    """Writes both functions of a decision."""

    def ways(self) -> list[Way] | None:
        """How the options of each action are had; None if they cannot be had so."""
        if not self.info.actions or len(self.info.actions) > MOST_ACTIONS:
            return None
        found = [self._way(action) for action in self.info.actions]
        if not any(way is not None and way.masks for way in found):
            return None
        most = sum(w.kept.spaces * w.masks if w is not None and w.kept is not None else 1 for w in found)
        return None if most >= self.limit else [w for w in found if w is not None] if all(found) else None

    def _way(self, action: ir.ActionOption) -> Way | None:
        if action.afterwards or len(action.keys) > 2:
            return None
        if not action.keys:
            return Way()
        key = action.keys[0]
        if is_piece_type(self.shared.program, key.type) and not all(self.shared.code.alone):
            return None
        kept = self.board_of(key.domain)
        if kept is None or not self.set_fits(self.plain(key.domain), kept):
            return None
        spaces: ir.Expr = self.plain(key.domain)
        for guard in (g for g in action.guards if g.level == 1):
            fitting = self._fitting(key.slot, spaces, guard.condition)
            if fitting is None:
                return None
            spaces = fitting[0]
        if not self.ascending(spaces):
            return None
        return Way(kept, spaces) if len(action.keys) == 1 else self._step_from(action, kept, spaces)

    def _step_from(self, action: ir.ActionOption, kept: Kept, spaces: ir.Expr) -> Way | None:
        first, second = action.keys
        match second.domain:
            case ir.Going(board, ir.Local(start), ways, ir.Const(1), _, _, None, None, None) if (
                start == first.slot and board == kept.board
            ):
                known = self._known_directions(ways)
            case _:
                return None
        if not known or not all(len(d) == 1 or self._apart(board, d) for d in known):
            return None
        if max(map(len, known)) > MOST_DIRECTIONS:
            return None
        info = self.shared.program.boards[board]
        if any(shift_of(info, d) is None for some in known for d in some):
            return None
        if isinstance(ways, ir.SetConst):
            directions: tuple[ir.Expr, ...] = tuple(ir.Const(d) for d in ways.items)
        else:
            assert isinstance(ways, ir.MakeSet)
            directions = tuple(item for item in ways.items if not isinstance(item, tuple))
            if kept.words > 1:
                return None
        everything: ir.Expr = ir.SetConst(tuple(range(kept.first, kept.first + kept.spaces)))
        for guard in (g for g in action.guards if g.level == 2):
            if first.slot in free_slots(guard.condition):
                return None
            fitting = self._fitting(second.slot, everything, guard.condition)
            if fitting is None:
                return None
            everything = fitting[0]
        goal = ir.Filter(second.slot, everything, ir.Const(1))
        return Way(kept, spaces, directions, goal)

    # ------------------------------------------------------------------- counting

    def count(self, ways: list[Way], at: list[int]) -> None:
        """Push how many options there are; what says which lies at `at` afterwards: for each action how many
        it has, and its masks."""
        b = self.b
        total, n = b.fresh(), b.fresh()
        for action, way, address in zip(self.info.actions, ways, at, strict=True):
            b.const(0)
            b.set(n)
            self.keys = []
            self._guarded(
                [g for g in action.guards if g.level == 0],
                lambda way=way, address=address: self._counted(way, address, n),  # type: ignore[misc]
            )
            b.const(0)
            b.get(n)
            b.memory("i32.store", address)
            b.get(total)
            b.get(n)
            b.op("i32.add")
            b.set(total)
        b.get(total)

    def _counted(self, way: Way, address: int, n: int) -> None:
        b = self.b
        if way.kept is None or way.spaces is None:
            b.const(1)
            b.set(n)
            return
        kept = way.kept
        spaces = self.mask(way.spaces, kept)
        masks = [spaces]
        if way.goal is not None:
            goal = self.mask(way.goal.set, kept)
            masks = [self._both(spaces, self._towards(goal, d, kept), kept) for d in way.directions]
        for number, mask in enumerate(masks):
            for word in range(kept.words):
                b.const(0)
                self.push(mask, word)
                b.memory("i64.store", _place(address, kept, number, word))
                b.get(n)
                self.push(mask, word)
                b.op("i64.popcnt", "i32.wrap_i64", "i32.add")
                b.set(n)

    def _towards(self, goal: Mask, direction: ir.Expr, kept: Kept) -> Mask:
        """The spaces from which a step in a direction leads into a mask."""
        info = self.shared.program.boards[kept.board]
        shifts = [shift_of(info, d) for d in range(len(info.steps))]
        if isinstance(direction, ir.Const):
            shift = shifts[direction.value]
            assert shift is not None
            return self._back(goal, shift, kept) if shift.longest else Mask(0)
        # Which direction it is depends on who plays.
        b, m = self.b, self.shared.memory
        right = m.constant([s.by if s is not None and s.by > 0 else 0 for s in shifts])
        left = m.constant([-s.by if s is not None and s.by < 0 else 0 for s in shifts])
        begins = m.constant_bytes(b"".join((s.begins if s else 0).to_bytes(8, "little") for s in shifts))
        way, out = b.fresh(), b.fresh(I64)
        self.number(direction)
        b.set(way)
        self.push(goal, 0)
        for field, op in ((right, "i64.shr_u"), (left, "i64.shl")):
            b.get(way)
            self.load_field(field)
            b.op("i64.extend_i32_u", op)
        b.get(way)
        b.const(3)
        b.op("i32.shl")
        b.memory("i64.load", begins)
        b.op("i64.and")
        b.set(out)
        return Mask(None, (out,))

    # ------------------------------------------------------------------- choosing

    def option(self, ways: list[Way], at: list[int]) -> None:
        """Write option number (0) of the player (1) where options are."""
        b = self.b
        out = self.shared.memory.options
        for number, (way, address) in enumerate(zip(ways, at, strict=True)):
            b.get(0)
            b.const(0)
            b.memory("i32.load", address)
            b.op("i32.lt_u")
            with b.when():
                b.const(0)
                b.const(number)
                b.memory("i32.store", out)
                if way.kept is not None:
                    self._located(way, way.kept, address, out)
                b.op("return")
            b.get(0)
            b.const(0)
            b.memory("i32.load", address)
            b.op("i32.sub")
            b.set(0)
        self.trap()

    def _located(self, way: Way, kept: Kept, address: int, out: int) -> None:
        """Find the space that option number (0) of an action is about, and the one that it leads to."""
        b = self.b
        masks = [tuple(b.fresh(I64) for _ in range(kept.words)) for _ in range(way.masks)]
        for number, words in enumerate(masks):
            for word, local in enumerate(words):
                b.const(0)
                b.memory("i64.load", _place(address, kept, number, word))
                b.set(local)
        place, fewer, behind = b.fresh(), b.fresh(), b.fresh()
        b.const(kept.first)
        b.set(place)

        def skip(size: int, left: int) -> None:
            """If what is asked for lies behind so many spaces, leave these behind."""
            for i, words in enumerate(masks):
                b.get(words[0])
                if size < 64:
                    b.const64((1 << size) - 1)
                    b.op("i64.and")
                b.op("i64.popcnt", "i32.wrap_i64")
                if i:
                    b.op("i32.add")
            # Without branches, of which luck would make every second one a surprise.
            b.tee(fewer)
            b.get(0)
            b.op("i32.le_u")
            b.set(behind)
            b.get(0)
            b.get(fewer)
            b.const(0)
            b.get(behind)
            b.op("select", "i32.sub")
            b.set(0)
            b.get(place)
            b.const(size)
            b.const(0)
            b.get(behind)
            b.op("select", "i32.add")
            b.set(place)
            for words in masks:
                if left:
                    b.get(words[left])
                else:
                    b.get(words[0])
                    b.const64(size)
                    b.op("i64.shr_u")
                b.get(words[0])
                b.get(behind)
                b.op("select")
                b.set(words[0])

        for word in range(1, kept.words):
            skip(64, word)
        for size in (32, 16, 8, 4, 2, 1):
            if size < kept.spaces:
                skip(size, 0)
        b.const(0)
        b.get(place)
        b.memory("i32.store", out + 4)
        for words, direction in zip(masks, way.directions, strict=False):
            b.get(words[0])
            b.op("i32.wrap_i64")
            b.const(1)
            b.op("i32.and")
            with b.when():
                b.get(0)
                b.op("i32.eqz")
                with b.when():
                    b.const(0)
                    if isinstance(direction, ir.Const):
                        self.step(kept.board, direction.value, place)
                    else:
                        to = b.fresh()
                        self.number(direction)
                        b.set(to)
                        self.step(kept.board, None, place, to)
                    b.memory("i32.store", out + 8)
                    b.op("return")
                b.get(0)
                b.const(1)
                b.op("i32.sub")
                b.set(0)


def _place(address: int, kept: Kept, mask: int, word: int) -> int:
    """Where a word of a mask lies behind the number of options of an action."""
    return address + 8 + 8 * (mask * kept.words + word)


def lots(shared: Shared, number: int) -> bool:
    """Write both functions of a decision; False if they cannot be."""
    b = Body(f"count {number}", (I32,), (I32,))
    w = Lots(shared, b, number, False)
    ways = w.ways()
    if ways is None:
        return False
    at = [shared.memory.room(8 + 8 * way.masks * (way.kept.words if way.kept else 1)) for way in ways]
    with w.scope():
        w.count(ways, at)
    shared.define(b)
    b = Body(f"option {number}", (I32, I32))
    w = Lots(shared, b, number, False)
    w.bound[w.info.player_slot] = 1
    w.option(ways, at)
    shared.define(b)
    return True
