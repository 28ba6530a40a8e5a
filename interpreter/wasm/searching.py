"""Searching: Monte Carlo search inside the module, without a word to the host.

Comes in: `Shared`, matches put aside in the pool (see `keeping.py`), all of them positions that the searching
player cannot tell apart. Goes out: `rollouts`, which plays one option to the end many times, and `search`,
which grows one tree over all of them. What never happens: a change of the matches put aside, or luck that
is that of the match: each iteration plays with luck of its own.

`search` is UCT (Kocsis and Szepesvari, "Bandit based Monte-Carlo Planning", ECML 2006) over sequences of
choices: what chance does is not a node, so a node stands for all positions that the same choices led to
(open loop). With several worlds it is single-observer information-set search (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games
4 (2), 2012): each iteration takes the next world, and the bound of an option counts how often the option was
there to be taken. With one world and no chance both are plain UCT.

A game is worth 1 to each of its winners and 0 to the others; one that nobody wins, and one that is cut off,
is worth to everybody the fair share 1/players. This is a stated policy of searches, not a rule.

Nodes lie in one table with open addresses; the key of a node is a hash of 64 bits of the choices that lead to
it (at the root an option is known by its number, further down by what it says). When the table is full no
node is added, and playouts begin at its leaves.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter.chance import GOLDEN
from rulewright.interpreter.wasm.body import F64, Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.playouts import RANDOM, Playouts

NODES = 1 << 17
FULL = NODES * 3 // 4
NODE = 32  # bytes: key, visits, how often it was there, total payoff of who chose it
KEY, VISITS, THERE, TOTAL = 0, 8, 12, 16
DEEPEST = 512  # choices of one iteration within the tree
ROOT = 0x5851F42D4C957F2D
WORLDS = 256


class Searching:
    """Where searches keep what they need, and their functions."""

    def __init__(self, shared: Shared, playouts: Playouts) -> None:
        self.shared, self.playouts = shared, playouts
        self.seats = len(shared.program.players)
        m = shared.memory
        self.nodes = m.room(NODE * NODES)
        self.path = m.room(8 * DEEPEST)  # node, who chose it
        self.worlds = m.room(4 * WORLDS)  # addresses in the pool
        self.payoffs = m.room(8 * self.seats)  # of the game that ended last
        self.totals = m.room(8 * self.seats)  # of `rollouts`
        for name in ("iteration", "used", "length"):
            shared.new_global(name, 0)

    def all(self) -> None:
        """Write the functions."""
        self.anew()
        self.node()
        self.log()
        self.paid()
        self.lucky()
        self.played_out()
        self.rollouts()
        self.search()
        self.child()

    def _global(self, b: Body, name: str) -> None:
        b.global_get(self.shared.globals[name])

    def _set_global(self, b: Body, name: str) -> None:
        b.global_set(self.shared.globals[name])

    def _call(
        self, b: Body, name: str, parameters: tuple[int, ...] = (), results: tuple[int, ...] = ()
    ) -> None:
        b.call(self.shared.declare(name, parameters, results))

    @staticmethod
    def _counted(b: Body, i: int, end: Callable[[], None], body: Callable[[], None]) -> None:
        b.const(0)
        b.set(i)
        with b.block() as out, b.loop() as more:
            b.get(i)
            end()
            b.op("i32.ge_u")
            b.to_if(out)
            body()
            b.get(i)
            b.const(1)
            b.op("i32.add")
            b.set(i)
            b.to(more)

    # --------------------------------------------------------------------- nodes

    def anew(self) -> None:
        """`forget`: begin with an empty tree, and with no totals."""
        b = Body("forget")
        for at, size in ((self.nodes, NODE * NODES), (self.totals, 8 * self.seats)):
            b.const(at)
            b.const(0)
            b.const(size)
            b.memory_fill()
        for name in ("iteration", "used", "length"):
            b.const(0)
            self._set_global(b, name)
        self.shared.define(b)

    def node(self) -> None:
        """`node`: the address of the node with a key (0), or of the free place where it would lie."""
        b = Body("node", (I64,), (I32,))
        at, key = b.new(), b.new(I64)
        b.get(0)
        b.op("i32.wrap_i64")
        b.const(NODES - 1)
        b.op("i32.and")
        b.set(at)
        with b.loop() as more:
            b.get(at)
            b.const(NODE)
            b.op("i32.mul")
            b.memory("i64.load", self.nodes + KEY)
            b.tee(key)
            b.op("i64.eqz")
            b.get(key)
            b.get(0)
            b.op("i64.eq", "i32.or")
            with b.when():
                b.get(at)
                b.const(NODE)
                b.op("i32.mul")
                b.const(self.nodes)
                b.op("i32.add", "return")
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.const(NODES - 1)
            b.op("i32.and")
            b.set(at)
            b.to(more)
        b.op("unreachable")
        self.shared.define(b)

    def _child_key(self, b: Body, key: int, depth: int, option: int) -> None:
        """Push the key of the node that an option (by number) leads to from the node with a key."""
        hashed, at, i = b.new(I64), b.new(), b.new()
        b.get(depth)
        b.op("i32.eqz")
        with b.when():
            b.get(option)
            b.op("i64.extend_i32_u")
            b.set(hashed)
            b.otherwise()
            b.get(option)
            self._global(b, "ask.width")
            b.op("i32.mul")
            b.const(2)
            b.op("i32.shl")
            b.set(at)
            self._global(b, "ask.site")
            b.op("i64.extend_i32_u")
            b.set(hashed)

            def more() -> None:
                b.get(hashed)
                b.const64(GOLDEN)
                b.op("i64.mul")
                b.get(at)
                b.memory("i32.load", self.shared.memory.options)
                b.op("i64.extend_i32_s", "i64.add")
                b.set(hashed)
                b.get(at)
                b.const(4)
                b.op("i32.add")
                b.set(at)

            self._counted(b, i, lambda: self._global(b, "ask.width"), more)
        b.get(hashed)
        b.const64(1)
        b.op("i64.add")
        b.const64(GOLDEN)
        b.op("i64.mul")
        b.get(key)
        b.op("i64.xor")
        self._call(b, "mix", (I64,), (I64,))
        b.const64(1)
        b.op("i64.or")  # no key is 0
        b.free(hashed)
        b.free(at)
        b.free(i)

    def child(self) -> None:
        """`child`: where the node of an option (0) of the root lies; its visits say whether there is one."""
        b = Body("child", (I32,), (I32,))
        key, depth = b.new(I64), b.fresh()
        b.const64(ROOT)
        b.set(key)
        self._child_key(b, key, depth, 0)
        self._call(b, "node", (I64,), (I32,))
        self.shared.define(b)

    def log(self) -> None:
        """`log`: the natural logarithm of a whole number from 1 on, to about 6 places."""
        b = Body("log", (I32,), (F64,))
        k, f, square = b.new(), b.new(F64), b.new(F64)
        b.const(31)
        b.get(0)
        b.op("i32.clz", "i32.sub")
        b.set(k)
        # x = 2**k * y with y in [1, 2); log y = 2 artanh((y - 1) / (y + 1)).
        b.get(0)
        b.op("f64.convert_i32_u")
        b.const(1)
        b.get(k)
        b.op("i32.shl", "f64.convert_i32_u", "f64.div")
        b.tee(f)
        b.const_f64(1.0)
        b.op("f64.sub")
        b.get(f)
        b.const_f64(1.0)
        b.op("f64.add", "f64.div")
        b.tee(f)
        b.get(f)
        b.op("f64.mul")
        b.set(square)
        b.get(k)
        b.op("f64.convert_i32_u")
        b.const_f64(0.6931471805599453)
        b.op("f64.mul")
        b.const_f64(2.0)
        b.get(f)
        b.op("f64.mul")
        b.const_f64(1 / 9)
        for n in (7, 5, 3, 1):
            b.get(square)
            b.op("f64.mul")
            b.const_f64(1 / n)
            b.op("f64.add")
        b.op("f64.mul", "f64.add")
        self.shared.define(b)

    # ------------------------------------------------------------------- playing

    def lucky(self) -> None:
        """`lucky`: let chance go on otherwise than it would in the match."""
        b = Body("lucky")
        for i in range(len(self.shared.program.streams)):
            b.const(0)
            self.playouts.luck(b, whole=True)
            b.memory("i64.store", self.shared.memory.starts + 8 * i)
        self.shared.define(b)

    def paid(self) -> None:
        """`paid`: write what the game that just ended (or was cut off) is worth to each seat."""
        b = Body("paid")
        at = b.new()
        b.const(0)
        b.set(at)
        for value in (1.0 / self.seats,):
            for seat in range(self.seats):
                b.const(0)
                b.const_f64(value)
                b.memory("f64.store", self.payoffs + 8 * seat)
        with b.block() as out:
            b.const(0)
            b.memory("i32.load", self.playouts.ended)
            b.const(0)
            b.op("i32.lt_s")
            b.to_if(out)
            self.playouts.winner_count(b)
            b.to_unless(out)
            b.const(self.payoffs)
            b.const(0)
            b.const(8 * self.seats)
            b.memory_fill()

            def winner(v: int) -> None:
                b.get(v)
                b.const(3)
                b.op("i32.shl")
                b.const_f64(1.0)
                b.memory("f64.store", self.payoffs)

            self.playouts.winners(b, winner)
        self.shared.define(b)

    def played_out(self) -> None:
        """`play out`: choose an option (0; -1: any) and go on at random to the end; `paid` says what came of
        it."""
        b = Body("play out", (I32,))
        b.get(0)
        b.const(0)
        b.op("i32.lt_s")
        with b.when():
            self.playouts.luck(b)
            self._global(b, "ask.count")
            b.op("i64.extend_i32_u", "i64.mul")
            b.const64(32)
            b.op("i64.shr_u", "i32.wrap_i64")
            b.set(0)
        b.const(0)
        self._set_global(b, "decisions")
        b.const(RANDOM)
        self._set_global(b, "mode")
        b.get(0)
        self._call(b, "step", (I32,), (I32,))
        b.op("drop")
        b.const(0)
        self._set_global(b, "mode")
        self._call(b, "paid")
        self.shared.define(b)

    def rollouts(self) -> None:
        """`rollouts`: play an option (0; -1: any) of the match at an address (1) to the end so many times
        (2), or (address 0) whole games with their set-up; add what each is worth to each seat to the totals.
        `iteration` counts them, `length` their choices (but the first one of a match put aside)."""
        b = Body("rollouts", (I32, I32, I32))
        i = b.new()

        def once() -> None:
            b.get(1)
            with b.when():
                b.get(1)
                self._call(b, "restore", (I32,))
                self._call(b, "lucky")
                b.get(0)
                self._call(b, "play out", (I32,))
                b.otherwise()
                self._call(b, "start")
                self._call(b, "lucky")
                b.const(0)
                self._set_global(b, "decisions")
                b.const(RANDOM)
                self._set_global(b, "mode")
                self._call(b, "resume", (), (I32,))
                b.op("drop")
                b.const(0)
                self._set_global(b, "mode")
                self._call(b, "paid")
            self._global(b, "decisions")
            self._global(b, "length")
            b.op("i32.add")
            self._set_global(b, "length")
            for seat in range(self.seats):
                b.const(0)
                b.const(0)
                b.memory("f64.load", self.totals + 8 * seat)
                b.const(0)
                b.memory("f64.load", self.payoffs + 8 * seat)
                b.op("f64.add")
                b.memory("f64.store", self.totals + 8 * seat)
            self._global(b, "iteration")
            b.const(1)
            b.op("i32.add")
            self._set_global(b, "iteration")

        self._counted(b, i, lambda: b.get(2), once)
        self.shared.define(b)

    # -------------------------------------------------------------------- search

    def search(self) -> None:
        """`search`: so many iterations (0 in all, those that were done before among them) over so many worlds
        (1), with an exploration constant in millionths (2)."""
        b = Body("search", (I32, I32, I32))
        c, i = b.new(F64), b.new()
        key, keys = b.new(I64), b.new(I64)
        depth, status, best, fresh, tried, slot, count = (b.new() for _ in range(7))
        bound, most = b.new(F64), b.new(F64)
        b.get(2)
        b.op("f64.convert_i32_u")
        b.const_f64(1e-6)
        b.op("f64.mul")
        b.set(c)
        with b.block() as done, b.loop() as again:
            self._global(b, "iteration")
            b.get(0)
            b.op("i32.ge_u")
            b.to_if(done)
            self._global(b, "iteration")
            b.get(1)
            b.op("i32.rem_u")
            b.const(2)
            b.op("i32.shl")
            b.memory("i32.load", self.worlds)
            self._call(b, "restore", (I32,))
            # Counted first: an iteration that traps is not tried again.
            self._global(b, "iteration")
            b.const(1)
            b.op("i32.add")
            self._set_global(b, "iteration")
            self._call(b, "lucky")
            b.const64(ROOT)
            b.set(key)
            b.const(0)
            b.set(depth)
            b.const(0)
            self._set_global(b, "mode")
            with b.block() as out, b.loop() as down:
                b.const(0)
                b.set(tried)
                b.const(0)
                b.set(fresh)
                b.const(-1)
                b.set(best)
                b.const_f64(-1.0)
                b.set(most)

                def looked_at() -> None:
                    """An option that is not in the tree (one of them, at random) goes before all others."""
                    self._child_key(b, key, depth, i)
                    b.tee(keys)
                    self._call(b, "node", (I64,), (I32,))
                    b.tee(slot)
                    b.memory("i64.load", KEY)
                    b.op("i64.eqz")
                    with b.when():
                        b.get(fresh)
                        b.const(1)
                        b.op("i32.add")
                        b.set(fresh)
                        self.playouts.luck(b)
                        b.get(fresh)
                        b.op("i64.extend_i32_u", "i64.mul")
                        b.const64(32)
                        b.op("i64.shr_u", "i64.eqz")
                        with b.when():
                            b.get(i)
                            b.set(tried)
                        b.otherwise()
                        b.get(slot)
                        b.get(slot)
                        b.memory("i32.load", THERE)
                        b.const(1)
                        b.op("i32.add")
                        b.memory("i32.store", THERE)
                        b.get(fresh)
                        b.op("i32.eqz")
                        with b.when():
                            b.get(slot)
                            b.memory("i32.load", VISITS)
                            b.set(count)
                            b.get(slot)
                            b.memory("f64.load", TOTAL)
                            b.get(count)
                            b.op("f64.convert_i32_u", "f64.div")
                            b.get(c)
                            b.get(slot)
                            b.memory("i32.load", THERE)
                            self._call(b, "log", (I32,), (F64,))
                            b.get(count)
                            b.op("f64.convert_i32_u", "f64.div", "f64.sqrt", "f64.mul", "f64.add")
                            b.tee(bound)
                            b.get(most)
                            b.op("f64.gt")
                            with b.when():
                                b.get(bound)
                                b.set(most)
                                b.get(i)
                                b.set(best)

                self._counted(b, i, lambda: self._global(b, "ask.count"), looked_at)
                b.get(fresh)
                with b.when():
                    b.get(tried)
                    b.set(best)
                    self._global(b, "used")
                    b.const(FULL)
                    b.op("i32.ge_u")
                    with b.when():
                        b.get(best)
                        self._call(b, "play out", (I32,))
                        b.to(out)
                self._child_key(b, key, depth, best)
                b.tee(key)
                self._call(b, "node", (I64,), (I32,))
                b.set(slot)
                for local, offset in ((slot, 0), (None, 4)):
                    b.get(depth)
                    b.const(3)
                    b.op("i32.shl")
                    if local is None:
                        self._global(b, "ask.player")
                    else:
                        b.get(local)
                    b.memory("i32.store", self.path + offset)
                b.get(depth)
                b.const(1)
                b.op("i32.add")
                b.set(depth)
                b.get(fresh)
                b.get(depth)
                b.const(DEEPEST)
                b.op("i32.ge_u", "i32.or")
                with b.when():
                    b.get(slot)
                    b.memory("i64.load", KEY)
                    b.op("i64.eqz")
                    with b.when():
                        b.get(slot)
                        b.get(key)
                        b.memory("i64.store", KEY)
                        b.get(slot)
                        b.const(1)
                        b.memory("i32.store", THERE)
                        self._global(b, "used")
                        b.const(1)
                        b.op("i32.add")
                        self._set_global(b, "used")
                    b.get(best)
                    self._call(b, "play out", (I32,))
                    b.to(out)
                b.get(best)
                self._call(b, "step", (I32,), (I32,))
                b.tee(status)
                b.to_if(down)
                self._call(b, "paid")
            self._backed_up(b, i, depth, slot)
            b.to(again)
        self.shared.define(b)

    def _backed_up(self, b: Body, i: int, depth: int, slot: int) -> None:
        """Add what the game was worth to the nodes of the path, to each for the player who chose it."""

        def node() -> None:
            b.get(i)
            b.const(3)
            b.op("i32.shl")
            b.memory("i32.load", self.path)
            b.set(slot)
            b.get(slot)
            b.get(slot)
            b.memory("i32.load", VISITS)
            b.const(1)
            b.op("i32.add")
            b.memory("i32.store", VISITS)
            b.get(slot)
            b.get(slot)
            b.memory("f64.load", TOTAL)
            b.get(i)
            b.const(3)
            b.op("i32.shl")
            b.memory("i32.load", self.path + 4)
            b.const(3)
            b.op("i32.shl")
            b.memory("f64.load", self.payoffs)
            b.op("f64.add")
            b.memory("f64.store", TOTAL)

        self._counted(b, i, lambda: b.get(depth), node)
