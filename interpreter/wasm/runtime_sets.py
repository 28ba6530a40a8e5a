"""Runtime of sets: division, membership, sets made of others, and sets that are kept.

Comes in: `Shared`. Goes out: functions of the module for these. What never happens: another order of values
than in `link.py`, or a set in the heap that something temporary is part of.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.memory import ARENA, HEAP, HEAP_BASE, HEAP_TOP, MEMO
from rulewright.interpreter.wasm.runtime_base import RuntimeBase


class SetsRuntime(RuntimeBase):
    """Writes what sets need."""

    # ------------------------------------------------------------- arithmetic

    def quotients(self) -> None:
        """Division as Python does it: towards less, and the rest has the sign of the divisor."""
        for name in ("div_down", "div_up", "mod"):
            b = self._body(name, 2)
            q, r = b.new(), b.new()
            b.get(0)
            b.get(1)
            b.op("i32.div_s")  # traps for 0
            b.set(q)
            b.get(0)
            b.get(1)
            b.op("i32.rem_s")
            b.set(r)
            # The signs of rest and divisor differ: the quotient was rounded up.
            b.get(r)
            b.op("i32.eqz")
            with b.when():
                b.get(r) if name == "mod" else b.get(q)
                b.op("return")
            b.get(r)
            b.get(1)
            b.op("i32.xor")
            b.const(0)
            b.op("i32.lt_s")
            with b.when():
                if name == "mod":
                    b.get(r)
                    b.get(1)
                    b.op("i32.add", "return")
                elif name == "div_down":
                    b.get(q)
                    b.const(1)
                    b.op("i32.sub", "return")
                else:
                    b.get(q)
                    b.op("return")
            b.get(r) if name == "mod" else b.get(q)
            if name == "div_up":
                b.const(1)
                b.op("i32.add")
            self._done(b)

    # ------------------------------------------------------------------- sets

    def holds(self) -> None:
        """Whether a set holds a value."""
        b = self._body("holds", 2)
        end = b.new()
        b.get(0)
        b.get(0)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(0)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(0)
            b.const(4)
            b.op("i32.add")
            b.set(0)
            b.get(0)
            b.memory("i32.load")
            b.get(1)
            b.op("i32.ne")
            b.to_if(more)
            b.const(1)
            b.op("return")
        b.const(0)
        self._done(b)

    def all_held(self) -> None:
        """Whether the second set holds every value of the first."""
        b = self._body("all held", 2)
        end = b.new()
        b.get(0)
        b.get(0)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(0)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(0)
            b.const(4)
            b.op("i32.add")
            b.set(0)
            b.get(1)
            b.get(0)
            b.memory("i32.load")
            self._call(b, "holds", 2)
            b.to_if(more)
            b.const(0)
            b.op("return")
        b.const(1)
        self._done(b)

    def join(self) -> None:
        """Join two trees of a union-find forest; the smaller root stays one."""
        b = self._body("join", 3, 0)

        def root(of: int) -> None:
            with b.loop() as more:
                at = b.new()
                b.get(0)
                b.get(of)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load")
                b.tee(at)
                b.get(of)
                b.op("i32.ne")
                with b.when():
                    b.get(at)
                    b.set(of)
                    b.to(more)
                b.free(at)

        root(1)
        root(2)
        low, high = b.new(), b.new()
        b.get(1)
        b.get(2)
        b.get(1)
        b.get(2)
        b.op("i32.lt_u", "select")
        b.set(low)
        b.get(2)
        b.get(1)
        b.get(1)
        b.get(2)
        b.op("i32.lt_u", "select")
        b.set(high)
        b.get(0)
        b.get(high)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.get(low)
        b.memory("i32.store")
        self._done(b)

    def gather(self) -> None:
        """Make groups of a forest: (whole set, parents, address of the groups, room for them).

        A root's entry becomes minus the number of its group; each group is linked through the room first,
        so that one pass counts, one places and one fills. Parents come before their children in the set.
        """
        b = self._body("gather", 4, 0)
        n, i, root, group, groups, at = (b.new() for _ in range(6))

        def entry(base: int, of: int) -> None:
            b.get(base)
            b.get(of)
            b.const(2)
            b.op("i32.shl", "i32.add")

        def counted(of: int, body: Callable[[], None]) -> None:
            b.const(0)
            b.set(i)
            with b.block() as out, b.loop() as more:
                b.get(i)
                b.get(of)
                b.op("i32.ge_u")
                b.to_if(out)
                body()
                b.get(i)
                b.const(1)
                b.op("i32.add")
                b.set(i)
                b.to(more)

        b.get(0)
        b.memory("i32.load")
        b.set(n)

        def to_root() -> None:
            """parents[i] = the number of the group of i (a parent is smaller, and so done already)."""
            entry(1, i)
            b.memory("i32.load")
            b.tee(root)
            b.get(i)
            b.op("i32.eq")
            with b.when():
                b.get(groups)
                b.set(group)
                b.get(groups)
                b.const(1)
                b.op("i32.add")
                b.set(groups)
                # how many values the group has, at its place in the list of groups for now
                entry(2, group)
                b.const(0)
                b.memory("i32.store", 4)
                b.otherwise()
                entry(1, root)
                b.memory("i32.load")
                b.set(group)
            entry(1, i)
            b.get(group)
            b.memory("i32.store")
            entry(2, group)
            entry(2, group)
            b.memory("i32.load", 4)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store", 4)

        counted(n, to_root)
        b.get(2)
        b.get(groups)
        b.memory("i32.store")

        def placed() -> None:
            """The group begins where the room does; its count is 0 again until it is filled."""
            entry(2, i)
            b.memory("i32.load", 4)
            b.set(at)
            b.get(3)
            b.const(0)
            b.memory("i32.store")
            entry(2, i)
            b.get(3)
            b.memory("i32.store", 4)
            b.get(3)
            b.get(at)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.const(4)
            b.op("i32.add")
            b.set(3)

        counted(groups, placed)

        def filled() -> None:
            entry(1, i)
            b.memory("i32.load")
            b.set(group)
            entry(2, group)
            b.memory("i32.load", 4)
            b.set(at)
            b.get(at)
            b.get(at)
            b.memory("i32.load")
            b.const(1)
            b.op("i32.add")
            b.tee(root)
            b.memory("i32.store")
            entry(at, root)
            entry(0, i)
            b.memory("i32.load", 4)
            b.memory("i32.store")

        counted(n, filled)
        self._done(b)

    def keeping(self) -> None:
        """`keep` a set for good, on the heap; `remember` it for one decision; the same of groups."""
        for name, take in (("keep", self.take_heap), ("remember", self.take_memo)):
            b = self._body(name, 1)
            size, at = b.new(), b.new()
            self._unless_temporary(b)
            b.get(0)
            b.memory("i32.load")
            b.tee(size)
            b.op("i32.eqz")
            with b.when():
                b.const(self.m.empty)
                b.op("return")
            self._bytes(b, size)
            take(b, size, at)
            b.get(at)
            b.get(0)
            b.get(size)
            b.memory_copy()
            b.get(at)
            self._done(b)
            self._keeping_groups(name, take)

    def _unless_temporary(self, b: Body) -> None:
        """Give back what lies outside the arena as it is."""
        b.get(0)
        b.const(self.m.arena)
        b.op("i32.sub")
        b.const(ARENA)
        b.op("i32.ge_u")
        with b.when():
            b.get(0)
            b.op("return")

    @staticmethod
    def _bytes(b: Body, size: int) -> None:
        b.get(size)
        b.const(2)
        b.op("i32.shl")
        b.const(4)
        b.op("i32.add")
        b.set(size)

    def take_heap(self, b: Body, size: int, at: int) -> None:
        """Room on the heap: bytes in one local, the address into the other; trap if there is none left."""
        b.const(0)
        b.memory("i32.load", self.m.state + HEAP_TOP)
        b.set(at)
        b.const(0)
        b.get(at)
        b.get(size)
        b.op("i32.add")
        b.memory("i32.store", self.m.state + HEAP_TOP)
        b.get(at)
        b.get(size)
        b.op("i32.add")
        b.const(0)
        b.memory("i32.load", self.m.state + HEAP_BASE)
        b.op("i32.sub")
        b.const(HEAP)
        b.op("i32.gt_u")
        with b.when():
            b.op("unreachable")

    def take_memo(self, b: Body, size: int, at: int) -> None:
        """The same, among what is remembered for one decision."""
        memo = self.shared.globals["memo"]
        b.global_get(memo)
        b.tee(at)
        b.get(size)
        b.op("i32.add")
        b.global_set(memo)
        b.global_get(memo)
        b.const(self.m.memo + MEMO)
        b.op("i32.gt_u")
        with b.when():
            b.op("unreachable")

    def _keeping_groups(self, name: str, take: Callable[[Body, int, int], None]) -> None:
        b = self._body(f"{name} groups", 1)
        size, at, i = b.new(), b.new(), b.new()
        self._unless_temporary(b)
        b.get(0)
        b.memory("i32.load")
        b.set(size)
        self._bytes(b, size)
        take(b, size, at)
        b.get(at)
        b.get(0)
        b.memory("i32.load")
        b.memory("i32.store")
        b.const(4)
        b.set(i)
        with b.block() as out, b.loop() as more:
            b.get(i)
            b.get(size)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(at)
            b.get(i)
            b.op("i32.add")
            b.get(0)
            b.get(i)
            b.op("i32.add")
            b.memory("i32.load")
            self._call(b, name, 1)
            b.memory("i32.store")
            b.get(i)
            b.const(4)
            b.op("i32.add")
            b.set(i)
            b.to(more)
        b.get(at)
        self._done(b)
