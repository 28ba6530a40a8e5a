"""Emit asks: where somebody chooses, and what the answer does.

Comes in: the Choose statements. Goes out: instructions that go straight on (nothing to choose from, or only
one thing), or write the options and put the question; `answers`, which puts option number i into the frame
that asked. A question either stops the machine, or is answered at once by a bot inside the module.
What never happens: another order of options than in `asks.py`, of which this is the twin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.interpreter import ir
from rulewright.interpreter.asks import NONE, READY
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import OVER, SUSPENDED, Shared, Site
from rulewright.interpreter.wasm.emit_floods import Flooded
from rulewright.interpreter.wasm.encoder import I32
from rulewright.interpreter.wasm.memory import FRAME_HEAD, HEAP, HEAP_BASE, HEAP_TOP, OPTIONS, TOP
from rulewright.interpreter.wasm.runtime_base import news

if TYPE_CHECKING:
    from rulewright.interpreter.wasm.emit_code import Resumable

JOINT = {"": 0, "agreement": 1, "majority": 2}
MOST = OPTIONS // 4 - 16  # values that fit into the room for options


class Asks(Flooded):
    """Writes questions."""

    def _there(self) -> Resumable:
        return self  # type: ignore[return-value]

    def ask(self, node: ir.Statement, pc: int, to: int, own: int) -> None:
        """One of the Choose statements. Control is behind it when there is nothing (more) to ask."""
        match node:
            case ir.ChooseAction():
                self._ask_action(node, pc, to)
            case ir.ChooseOne():
                self._ask_one(node, pc, to)
            case ir.ChooseSome():
                self._ask_some(node, pc, to, own)
            case ir.ChooseTogether():
                self._ask_together(node, pc, to, own)
            case _:
                raise TypeError(f"no such choice: {type(node).__name__}")

    # --------------------------------------------------------------- the forms

    def _ask_action(self, node: ir.ChooseAction, pc: int, to: int) -> None:
        b = self.b
        p, n = b.fresh(), b.fresh()
        width = 1 + max(
            (len(a.keys) for a in self.shared.program.decisions[node.decision].actions), default=0
        )
        with self.scope():
            self.number(node.player)
        b.tee(p)
        b.const(0)
        b.op("i32.lt_s")
        with b.when(I32):
            b.const(0)
            b.otherwise()
            b.get(p)
            self.call(f"options {node.decision}", (I32,))
        b.tee(n)
        b.op("i32.eqz")
        with b.when():
            self.set_slot(node.action, lambda: b.const(-1))
            b.otherwise()
            site = Site(self.function, pc, node)

            def chosen(w: Body, frame: int, option: int) -> None:
                actions = self.shared.program.decisions[node.decision].actions
                _store(w, frame, node.action, lambda: w.get(option), "i32.load")
                slots = sorted({(i, k.slot) for a in actions for i, k in enumerate(a.keys)})
                same_everywhere = len({i for i, _ in slots}) == len(slots)
                for number, a in enumerate(actions):
                    if same_everywhere and number:
                        break
                    keys = slots if same_everywhere else [(i, k.slot) for i, k in enumerate(a.keys)]
                    if not same_everywhere:
                        w.get(option)
                        w.memory("i32.load")
                        w.const(number)
                        w.op("i32.eq")
                        with w.when():
                            for i, slot in keys:
                                _store(w, frame, slot, lambda: w.get(option), "i32.load", 4 + 4 * i)
                        continue
                    for i, slot in keys:
                        _store(w, frame, slot, lambda: w.get(option), "i32.load", 4 + 4 * i)
                _stand(w, frame, to)

            self._question(site, p, n, width, "", chosen, None)

    def _pieces(self, key: ir.Key) -> bool:
        return is_piece_type(self.shared.program, key.type) and not all(self.shared.code.alone)

    def _domain(self, key: ir.Key, p: int, looks: bool) -> int:
        """A local with the address of the values of a key, with `looks` one of each look."""
        if looks and self._pieces(key):
            return self.one_of_each(key.domain, p)
        at = self.b.fresh()
        self.pointer(key.domain)
        self.b.set(at)
        return at

    def _ask_one(self, node: ir.ChooseOne, pc: int, to: int) -> None:
        b = self.b
        p, n, at, none = b.fresh(), b.fresh(), b.fresh(), b.fresh()
        with self.scope(), b.block() as over:
            self.number(node.player)
            b.set(p)
            b.const(self.shared.memory.empty)
            b.set(at)
            b.get(p)
            b.const(0)
            b.op("i32.ge_s")
            with b.when():
                b.get(self._domain(node.key, p, True))
                b.set(at)
            b.get(at)
            b.memory("i32.load")
            b.tee(n)
            b.op("i32.eqz")
            with b.when():
                self.set_slot(node.slot, lambda: b.const(-1))
                b.to(over)
            self._limit(n)
            self.truth(node.or_none)
            b.tee(none)
            b.op("i32.eqz")
            b.get(n)
            b.const(1)
            b.op("i32.eq", "i32.and")
            with b.when():

                def only() -> None:
                    b.get(at)
                    b.memory("i32.load", 4)

                self.set_slot(node.slot, only)
                b.to(over)
            self._offer(at, n)
            b.get(none)
            with b.when():
                b.const(self.shared.memory.options)
                b.get(n)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.const(NONE)
                b.memory("i32.store")
                b.get(n)
                b.const(1)
                b.op("i32.add")
                b.set(n)
            laying = node.laying

            def chosen(w: Body, frame: int, option: int) -> None:
                _store(w, frame, node.slot, lambda: w.get(option), "i32.load")
                _stand(w, frame, to)

            self._question(Site(self.function, pc, node), p, n, 1, "", chosen, laying)

    def _limit(self, n: int) -> None:
        self.b.get(n)
        self.b.const(self.shared.code.budgets.options)
        self.b.op("i32.gt_u")
        with self.b.when():
            self.trap()

    def _offer(self, at: int, n: int) -> None:
        """Copy the values at an address to where options are."""
        b = self.b
        b.const(self.shared.memory.options)
        b.get(at)
        b.const(4)
        b.op("i32.add")
        b.get(n)
        b.const(2)
        b.op("i32.shl")
        b.memory_copy()

    def _next_picks(self, p: int, at: int, least: int, most: int, picked: int, key: ir.Key) -> None:
        """Push how many picks are next; they are where options are."""
        for local in (p, at, least, most, picked):
            self.b.get(local)
        self.b.const(int(self._pieces(key)))
        self.call("next picks", (I32,) * 6)

    def _first_option(self) -> None:
        self.b.const(0)
        self.b.memory("i32.load", self.shared.memory.options)

    def _plus(self, list_: int) -> None:
        """Make a list one longer by the value on the stack (in a local, by address); kept for good."""
        value = self.b.new()
        self.b.set(value)
        self.b.get(list_)
        self.b.get(value)
        self.call("plus one", (I32, I32))
        self.b.set(list_)
        self.b.free(value)

    def _ask_some(self, node: ir.ChooseSome, pc: int, to: int, own: int) -> None:
        b, there = self.b, self._there()
        p, n, at, least, most, picked = (b.fresh() for _ in range(6))
        with self.scope(), b.block() as over:
            self.number(node.player)
            b.set(p)
            b.const(self.shared.memory.empty)
            b.set(at)
            b.get(p)
            b.const(0)
            b.op("i32.ge_s")
            with b.when():
                b.get(self._domain(node.key, p, False))
                b.set(at)
            self.number(node.least)
            b.set(least)
            self.number(node.most)
            b.set(most)
            there.own(own)
            b.set(picked)
            with b.loop() as more:
                self._next_picks(p, at, least, most, picked, node.key)
                b.tee(n)
                b.const(1)
                b.op("i32.eq")
                self._first_option()
                b.const(READY)
                b.op("i32.ne", "i32.and")
                with b.when():
                    self._first_option()
                    self._plus(picked)
                    b.to(more)
            b.get(n)
            b.const(1)
            b.op("i32.le_s")
            with b.when():
                there.set_own(own, lambda: b.const(0))
                self.set_slot(node.slot, lambda: self._or_empty(picked))
                b.to(over)
            there.set_own(own, lambda: b.get(picked))

            def chosen(w: Body, frame: int, option: int) -> None:
                w.get(option)
                w.memory("i32.load")
                w.const(READY)
                w.op("i32.eq")
                with w.when():
                    _store(w, frame, node.slot, lambda: w.get(frame), "i32.load", FRAME_HEAD + 4 * own)
                    _store(w, frame, own, lambda: w.const(0))
                    _stand(w, frame, to)
                    w.otherwise()
                    _grown(self.shared, w, frame, own, option)

            self._question(Site(self.function, pc, node), p, n, 1, "", chosen, None)
            b.to(there.top)

    def _or_empty(self, at: int) -> None:
        self.b.get(at)
        self.b.const(self.shared.memory.empty)
        self.b.get(at)
        self.b.op("select")

    def _ask_together(self, node: ir.ChooseTogether, pc: int, to: int, own: int) -> None:
        b, there = self.b, self._there()
        players, answers, picked, done, p, n, at = (b.fresh() for _ in range(7))
        least, most = b.fresh(), b.fresh()
        single = node.least is None
        with self.scope():
            members = self._distinct_players(node.players)
            b.get(members)
            b.set(players)
            there.own(own)
            b.set(answers)
            there.own(own + 1)
            b.set(picked)
            with b.block() as all_asked, b.loop() as more:
                b.get(answers)
                b.memory("i32.load")
                b.tee(done)
                b.get(players)
                b.memory("i32.load")
                b.op("i32.ge_u")
                b.to_if(all_asked)
                b.get(players)
                b.get(done)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load", 4)
                b.set(p)
                self.set_slot(node.player_slot, lambda: b.get(p))
                if single:
                    b.get(self._domain(node.key, p, True))
                    b.tee(at)
                    b.memory("i32.load")
                    b.set(n)
                    self._limit(n)
                    self._offer(at, n)
                else:
                    b.get(self._domain(node.key, p, False))
                    b.set(at)
                    assert node.least is not None
                    self.number(node.least)
                    b.set(least)
                    if node.most is not None:
                        self.number(node.most)
                    else:
                        b.get(at)
                        b.memory("i32.load")
                    b.set(most)
                    self._next_picks(p, at, least, most, picked, node.key)
                    b.set(n)
                b.get(n)
                b.const(1)
                b.op("i32.gt_s")
                with b.when():
                    there.set_own(own, lambda: b.get(answers))
                    there.set_own(own + 1, lambda: b.get(picked))

                    def chosen(w: Body, frame: int, option: int) -> None:
                        if single:
                            _grown(self.shared, w, frame, own, option)
                            return
                        w.get(option)
                        w.memory("i32.load")
                        w.const(READY)
                        w.op("i32.eq")
                        with w.when():
                            _grown(self.shared, w, frame, own, frame, FRAME_HEAD + 4 * own + 4)
                            _store(w, frame, own + 1, lambda: w.const(0))
                            w.otherwise()
                            _grown(self.shared, w, frame, own + 1, option)

                    self._question(Site(self.function, pc, node), p, n, 1, node.joint, chosen, None)
                    b.to(there.top)
                if single:
                    self._first_option()
                    b.const(-1)
                    b.get(n)
                    b.op("select")
                    self._plus(answers)
                else:
                    self._first_option()
                    b.const(READY)
                    b.op("i32.ne")
                    b.get(n)
                    b.op("i32.and")
                    with b.when():
                        self._first_option()
                        self._plus(picked)
                        b.otherwise()
                        b.get(picked)
                        self._plus(answers)
                        b.const(0)
                        b.set(picked)
                b.to(more)
            there.set_own(own, lambda: b.const(0))
            there.set_own(own + 1, lambda: b.const(0))
            b.get(players)
            b.memory("i32.load")
            b.const(1)
            b.op("i32.gt_s")
            with b.when():
                news(self.shared, b)
            self._write_answers(node, players, answers, done)

    def _distinct_players(self, e: ir.Expr) -> int:
        """A local with the address of the players of a set."""
        b = self.b

        def loop(body: Callable[[int], None]) -> None:
            def one(v: int) -> None:
                b.get(v)
                b.const(0)
                b.op("i32.ge_s")
                with b.when():
                    body(v)

            self.each(e, one)

        return self.made(loop, max(1, self.most(e)))

    def _write_answers(self, node: ir.ChooseTogether, players: int, answers: int, i: int) -> None:
        b, v = self.b, self.shared.program.variables[node.var]
        at = self.shared.memory.vars + 4 * self.shared.code.layout.offsets[node.var]
        p, value = b.fresh(), b.fresh()
        b.const(0)
        b.set(i)
        with b.block() as out, b.loop() as more:
            b.get(i)
            b.get(players)
            b.memory("i32.load")
            b.op("i32.ge_u")
            b.to_if(out)
            for local, of in ((p, players), (value, answers)):
                b.get(of)
                b.get(i)
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.memory("i32.load", 4)
                b.set(local)
            b.get(p)
            self.check_below(v.cells)
            b.op("drop")
            low, high = max(v.low, -(1 << 31)), min(v.high, (1 << 31) - 1)
            if node.least is None:
                b.get(value)
                b.const(low)
                b.op("i32.ge_s")
                b.get(value)
                b.const(high)
                b.op("i32.le_s", "i32.and")
                b.get(value)
                b.const(-1)
                b.op("i32.eq", "i32.or", "i32.eqz")
                with b.when():
                    self.trap()
            else:
                b.get(value)
                b.const(low)
                b.const(high)
                self.call("all fit", (I32, I32, I32))
                b.op("i32.eqz")
                with b.when():
                    self.trap()
                self._or_empty(value)
                b.set(value)
            b.get(p)
            b.const(2)
            b.op("i32.shl")
            b.get(value)
            b.memory("i32.store", at)
            b.get(i)
            b.const(1)
            b.op("i32.add")
            b.set(i)
            b.to(more)

    # ------------------------------------------------------------ the question

    def _question(
        self,
        site: Site,
        player: int,
        count: int,
        width: int,
        joint: str,
        chosen: Callable[[Body, int, int], None],
        laying: ir.Laying | None,
    ) -> None:
        """Put a question whose options are written; afterwards it has been answered."""
        b, shared = self.b, self.shared
        number = len(shared.sites)
        shared.sites.append(site)
        site.chosen = chosen
        site.width = width
        self._there().stand_at(site.pc)
        self.over_if_ended()
        for name, value in (("ask.site", number), ("ask.width", width), ("ask.joint", JOINT[joint])):
            b.const(value)
            self.set_global(name)
        self.about(player, count, laying)
        answer = b.fresh()
        self.get_global("mode")
        b.op("i32.eqz")
        with b.when():
            b.const(SUSPENDED)
            b.op("return")
        self.call("pick", (), (I32,))
        b.tee(answer)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            b.const(SUSPENDED)
            b.op("return")
        option = b.fresh()
        answering(shared, b)
        b.get(answer)
        b.const(4 * width)
        b.op("i32.mul")
        b.const(shared.memory.options)
        b.op("i32.add")
        b.set(option)
        chosen(b, 0, option)

    def over_if_ended(self) -> None:
        """Once the game has ended nobody is asked any more."""
        b = self.b
        b.const(0)
        b.memory("i32.load", self.shared.memory.vars + 4 * self.shared.code.layout.offsets[ir.ENDED])
        b.const(0)
        b.op("i32.ge_s")
        with b.when():
            b.const(OVER)
            b.op("return")

    def about(self, player: int, count: int, laying: ir.Laying | None) -> None:
        """Say who is asked, how many options there are, and what is laid out."""
        b = self.b
        for name, local in (("ask.player", player), ("ask.count", count)):
            b.get(local)
            self.set_global(name)
        if laying is not None and laying.goal is not None:
            with self.scope():
                self._about(laying)
        else:
            b.const(0)
            self.set_global("ask.laid")

    def _about(self, laying: ir.Laying) -> None:
        """How many alike pieces are laid out, in how many ways each could still go, and the least number."""
        b = self.b
        assert laying.goal is not None
        self.number(laying.goal)
        b.const(0)
        b.op("i32.ge_s")
        with b.when(I32):
            self.number(ir.Size(laying.pieces))
            b.otherwise()
            b.const(0)
        self.set_global("ask.laid")
        self.number(ir.Binary("max", ir.Const(1), laying.ways))
        self.set_global("ask.ways")
        self._first_option()
        self.set_global("ask.least")


def _store(w: Body, frame: int, slot: int, push: Callable[[], None], load: str = "", offset: int = 0) -> None:
    """Write into a slot of a frame what `push` pushes, or what lies at that address."""
    w.get(frame)
    push()
    if load:
        w.memory(load, offset)
    w.memory("i32.store", FRAME_HEAD + 4 * slot)


def _stand(w: Body, frame: int, pc: int) -> None:
    w.get(frame)
    w.const(pc)
    w.memory("i32.store", 4)


def _grown(shared: Shared, w: Body, frame: int, slot: int, value: int, offset: int = 0) -> None:
    """Make the list in a slot one longer, by what lies at the address in a local."""
    w.get(frame)
    w.get(frame)
    w.memory("i32.load", FRAME_HEAD + 4 * slot)
    w.get(value)
    w.memory("i32.load", offset)
    w.call(shared.declare("plus one", (I32, I32)))
    w.memory("i32.store", FRAME_HEAD + 4 * slot)


def answering(shared: Shared, b: Body) -> None:
    """What comes before every answer: budgets begin anew, and the heap is cleared if it is half full."""
    from rulewright.interpreter.wasm.control import Control

    Control(shared).fresh_budgets(b)
    b.const(0)
    b.memory("i32.load", shared.memory.state + HEAP_TOP)
    b.const(0)
    b.memory("i32.load", shared.memory.state + HEAP_BASE)
    b.op("i32.sub")
    b.const(HEAP // 2)
    b.op("i32.ge_u")
    with b.when():
        b.call(shared.declare("collect", (), ()))


def answers(shared: Shared) -> None:
    """`answer`: put option number i of the open question into the frame that asked."""
    b = Body("answer", (I32,), ())
    frame, option = b.new(), b.new()
    answering(shared, b)
    b.const(0)
    b.memory("i32.load", shared.memory.state + TOP)
    b.set(frame)
    b.const(shared.memory.options)
    b.get(0)
    b.global_get(shared.globals["ask.width"])
    b.op("i32.mul")
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(option)
    labels = []
    with b.block() as out:
        labels = [b._open(0x02, None) for _ in shared.sites]
        if labels:
            b.global_get(shared.globals["ask.site"])
            b.to_table(list(reversed(labels)), labels[0])
        for site in shared.sites:
            b.end()
            assert site.chosen is not None  # each site got it when it was emitted
            site.chosen(b, frame, option)
            b.to(out)
    shared.define(b)
