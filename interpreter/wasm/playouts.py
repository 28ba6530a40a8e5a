"""Playouts: games played inside the module, without a word to the host.

Comes in: `Shared`. Goes out: `pick`, which answers a question by the bots of a batch, and `batch`, which
plays whole games and writes for each how it went. What never happens: another choice than the bots of
`playtest` would make with the same seeds (`bots.py` and `consent.py`, of which `pick` is the twin).
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.interpreter import ir
from rulewright.interpreter.chance import GOLDEN
from rulewright.interpreter.walk import every
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.encoder import I32, I64
from rulewright.interpreter.wasm.memory import WINNERS
from rulewright.interpreter.wasm.runtime_base import below
from rulewright.interpreter.wasm.seeding import fits, sow

BATCH, RANDOM = 1, 2  # modes: the bots of a batch; any option, with the luck of a search
OWN, FIRST, LAST, ANY, SHARE = 0, 1, 2, 3, 4  # what answers a question that several answer as one
ENDED, STOPPED, NO_END = 1, 2, 3  # how a game of a batch went
LOG = 1 << 17  # decisions of one game of which the number of options is kept
MOST_OPTIONS = 1 << 16


class Playouts:
    """Where a batch keeps what it needs, and its functions."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        m = self.m = shared.memory
        self.most_options = MOST_OPTIONS
        self.seats = seats = len(shared.program.players)
        self.streams = len(shared.program.streams)
        self.kinds = m.room(4 * seats)  # of bots: 0 any option, 1 the first
        self.policies = m.room(16)  # of agreement and majority: what, and millionths
        self.bots = m.room(16 * seats)  # for each seat: where its luck begins, and its counter
        self.consent = m.room(16 * seats)
        self.log = m.room(4 * LOG)
        self.branching = m.room(4 * MOST_OPTIONS)  # how often a decision had so many options
        self.game = m.room(64)  # the game that is being played (for the host, after a trap), its decisions
        self.names = [s.name for s in shared.program.streams]
        self.names += [f"bot {i}" for i in range(seats)]
        self.agrees = any(
            isinstance(n, ir.ChooseTogether) and n.joint
            for f in shared.program.functions
            for st in f.body
            for n in every(st)
        )
        self.names += [f"consent {i}" for i in range(seats)] if self.agrees else []
        self.sows = fits(self.names)  # whether the module can work out seeds itself
        self.seed_size = 8 * len(self.names)
        self.result_size = 4 * (5 + seats)
        self.capacity = max(1, (1 << 20) // max(self.seed_size, self.result_size))
        self.seeds = m.room(self.seed_size * self.capacity)
        self.results = m.room(self.result_size * self.capacity)
        self.ended = m.vars + 4 * shared.code.layout.offsets[ir.ENDED]  # which end was reached
        for name in ("decisions", "limit", "began"):
            shared.new_global(name, 0)
        self.rng = shared.new_global("rng", 1, I64)

    def all(self) -> None:
        """Write the functions."""
        self.pick()
        self.score()
        self.batch()
        if self.sows:
            sow(self.shared, self.names, self.seeds)

    def _global(self, b: Body, name: str) -> None:
        b.global_get(self.shared.globals[name])

    def _set_global(self, b: Body, name: str) -> None:
        b.global_set(self.shared.globals[name])

    # ------------------------------------------------------------------ choosing

    def pick(self) -> None:
        """The option that a bot takes; -1 if the game has gone on for too long."""
        b = Body("pick", (), (I32,))
        n = b.new()
        self._global(b, "ask.count")
        b.set(n)
        self._global(b, "mode")
        b.const(RANDOM)
        b.op("i32.eq")
        with b.when():
            self._global(b, "decisions")
            b.const(1)
            b.op("i32.add")
            self._set_global(b, "decisions")
            self._global(b, "decisions")
            self._global(b, "limit")
            b.op("i32.gt_u")
            with b.when():
                b.const(-1)
                b.op("return")
            self.luck(b)
            b.get(n)
            b.op("i64.extend_i32_u", "i64.mul")
            b.const64(32)
            b.op("i64.shr_u", "i32.wrap_i64", "return")
        self._noted(b, n)
        self._agreed(b, n)
        self._own(b, n)
        self.shared.define(b)

    def luck(self, b: Body, whole: bool = False) -> None:
        """Push 32 random bits (as 64), or all 64, of the luck of searches."""
        b.global_get(self.rng)
        b.const64(GOLDEN)
        b.op("i64.add")
        b.global_set(self.rng)
        b.global_get(self.rng)
        b.call(self.shared.declare("mix", (I64,), (I64,)))
        if not whole:
            b.const64(32)
            b.op("i64.shr_u")

    def _noted(self, b: Body, n: int) -> None:
        """Count the decision and how many options it has; the limit of decisions."""
        self._global(b, "decisions")
        self._global(b, "limit")
        b.op("i32.ge_u")
        with b.when():
            b.const(-1)
            b.op("return")
        self._global(b, "decisions")
        b.op("i32.eqz")
        with b.when():
            self._global(b, "ask.player")
            self._set_global(b, "began")
        self._global(b, "decisions")
        b.const(LOG)
        b.op("i32.ge_u")
        b.get(n)
        b.const(MOST_OPTIONS)
        b.op("i32.ge_u", "i32.or")
        with b.when():
            b.op("unreachable")
        self._global(b, "decisions")
        b.const(2)
        b.op("i32.shl")
        b.get(n)
        b.memory("i32.store", self.log)
        self._global(b, "decisions")
        b.const(1)
        b.op("i32.add")
        self._set_global(b, "decisions")

    def _draw(self, b: Body, of: int, n: int) -> None:
        """Push a number below the one in local `n`, from the luck of the seat that is asked."""
        at, counter = b.new(), b.new(I64)
        self._global(b, "ask.player")
        b.const(4)
        b.op("i32.shl")
        b.tee(at)
        b.get(at)
        b.memory("i64.load", of + 8)
        b.const64(1)
        b.op("i64.add")
        b.tee(counter)
        b.memory("i64.store", of + 8)
        b.get(at)
        b.memory("i64.load", of)
        b.get(counter)
        below(self.shared, b, n)
        b.free(at)
        b.free(counter)

    def _agreed(self, b: Body, n: int) -> None:
        """Answer by the policy what several answer as one, unless each does as it likes."""
        policy, share, other = b.new(), b.new(), b.new()
        self._global(b, "ask.joint")
        with b.when():
            for local, offset in ((policy, -8), (share, -4)):
                self._global(b, "ask.joint")
                b.const(3)
                b.op("i32.shl")
                b.memory("i32.load", self.policies + offset)
                b.set(local)
            for value in (FIRST, LAST, ANY):
                b.get(policy)
                b.const(value)
                b.op("i32.eq")
                with b.when():
                    if value == FIRST:
                        b.const(0)
                    elif value == LAST:
                        b.get(n)
                        b.const(1)
                        b.op("i32.sub")
                    else:
                        self._draw(b, self.consent, n)
                    b.op("return")
            b.get(policy)
            b.const(SHARE)
            b.op("i32.eq")
            with b.when():
                b.get(n)
                b.const(1)
                b.op("i32.eq")
                with b.when():
                    b.const(0)
                    b.op("return")
                b.const(1_000_000)
                b.set(other)
                self._draw(b, self.consent, other)
                b.get(share)
                b.op("i32.lt_u")
                with b.when():
                    b.const(0)
                    b.op("return")
                b.get(n)
                b.const(1)
                b.op("i32.sub")
                b.set(other)
                self._draw(b, self.consent, other)
                b.const(1)
                b.op("i32.add", "return")

    def _own(self, b: Body, n: int) -> None:
        """What the bot of the seat would do."""
        left, going, ways = b.new(), b.new(), b.new()
        self._global(b, "ask.player")
        b.const(2)
        b.op("i32.shl")
        b.memory("i32.load", self.kinds)
        with b.when():
            b.const(0)
            b.op("return")
        self._global(b, "ask.laid")
        b.tee(left)
        b.op("i32.eqz")
        with b.when():
            self._draw(b, self.bots, n)
            b.op("return")
        self._global(b, "ask.ways")
        b.set(ways)
        b.const(0)
        b.set(going)
        with b.loop() as more:
            self._draw(b, self.bots, ways)
            b.op("i32.eqz")
            b.get(going)
            b.op("i32.add")
            b.set(going)
            b.get(left)
            b.const(1)
            b.op("i32.sub")
            b.tee(left)
            b.to_if(more)
        b.get(going)
        self._global(b, "ask.least")
        b.op("i32.sub")
        b.set(going)
        b.const(0)
        b.get(going)
        b.get(going)
        b.const(0)
        b.op("i32.lt_s", "select")
        b.set(going)
        b.get(going)
        b.get(n)
        b.const(1)
        b.op("i32.sub")
        b.get(going)
        b.get(n)
        b.op("i32.lt_s", "select")

    # ------------------------------------------------------------------- results

    def score(self) -> None:
        """`score` of a player in the position as it stands."""
        b = Body("score", (I32,), (I32,))
        function = self.shared.program.score
        if function < 0:
            b.const(0)
        else:
            top = b.fresh()
            b.global_get(self.shared.globals["top"])
            b.set(top)
            b.get(0)
            fn = self.shared.program.functions[function]
            b.call(self.shared.declare(f"{function}: {fn.name}", (I32,)))
            b.get(top)
            b.global_set(self.shared.globals["top"])
        self.shared.define(b)

    def winner_count(self, b: Body) -> None:
        """Push how many have won."""
        b.const(0)
        b.memory("i32.load", self.m.state + WINNERS)
        b.memory("i32.load")

    def winners(self, b: Body, body: Callable[[int], None]) -> None:
        """A loop over the winners, of whom there may be none."""
        at, end, v = b.fresh(), b.fresh(), b.fresh()
        b.const(0)
        b.memory("i32.load", self.m.state + WINNERS)
        b.tee(at)
        b.get(at)
        b.memory("i32.load")
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.block() as out, b.loop() as more:
            b.get(at)
            b.get(end)
            b.op("i32.ge_u")
            b.to_if(out)
            b.get(at)
            b.const(4)
            b.op("i32.add")
            b.tee(at)
            b.memory("i32.load")
            b.set(v)
            body(v)
            b.to(more)

    def batch(self) -> None:
        """Play the games (0) … (1)-1 whose seeds are written, each to its end; a result for each."""
        b = Body("batch", (I32, I32), ())
        game, seed, result, status, i, bits = (b.new() for _ in range(6))
        ended = self.ended
        b.get(0)
        b.set(game)
        b.const(BATCH)
        self._set_global(b, "mode")
        with b.block() as out, b.loop() as more:
            b.get(game)
            b.get(1)
            b.op("i32.ge_u")
            b.to_if(out)
            b.const(0)
            b.get(game)
            b.memory("i32.store", self.game)
            b.call(self.shared.declare("start", (), ()))
            b.get(game)
            b.const(self.seed_size)
            b.op("i32.mul")
            b.const(self.seeds)
            b.op("i32.add")
            b.set(seed)
            if self.streams:
                b.const(self.m.starts)
                b.get(seed)
                b.const(8 * self.streams)
                b.memory_copy()
            for seat in range(self.seats):
                rooms = [(self.bots, 0)] + ([(self.consent, 8 * self.seats)] if self.agrees else [])
                for room, offset in rooms:
                    b.const(0)
                    b.get(seed)
                    b.memory("i64.load", 8 * self.streams + offset + 8 * seat)
                    b.memory("i64.store", room + 16 * seat)
                    b.const(0)
                    b.const64(0)
                    b.memory("i64.store", room + 16 * seat + 8)
            for name, value in (("decisions", 0), ("began", -1)):
                b.const(value)
                self._set_global(b, name)
            b.call(self.shared.declare("resume", (), (I32,)))
            b.set(status)
            b.get(game)
            b.const(self.result_size)
            b.op("i32.mul")
            b.const(self.results)
            b.op("i32.add")
            b.set(result)
            b.get(result)
            b.const(STOPPED)
            b.const(ENDED)
            b.const(NO_END)
            b.const(0)
            b.memory("i32.load", ended)
            b.const(0)
            b.op("i32.ge_s", "select")
            b.get(status)
            b.op("select")
            b.memory("i32.store")
            b.get(result)
            b.const(0)
            b.memory("i32.load", ended)
            b.memory("i32.store", 4)
            for offset, name in ((8, "decisions"), (12, "began")):
                b.get(result)
                self._global(b, name)
                b.memory("i32.store", offset)
            b.const(0)
            b.set(bits)

            def winner(v: int) -> None:
                b.get(bits)
                b.const(1)
                b.get(v)
                b.op("i32.shl", "i32.or")
                b.set(bits)

            self.winners(b, winner)
            b.get(result)
            b.get(bits)
            b.memory("i32.store", 16)
            b.get(status)
            b.op("i32.eqz")
            b.const(0)
            b.memory("i32.load", ended)
            b.const(0)
            b.op("i32.ge_s", "i32.and")
            with b.when():
                for name in ("top", "fuel"):
                    b.const(self.m.arena if name == "top" else 500_000)
                    b.global_set(self.shared.globals[name])
                if self.shared.program.score >= 0:
                    for seat in range(self.seats):
                        b.get(result)
                        b.const(seat)
                        b.call(self.shared.declare("score", (I32,)))
                        b.memory("i32.store", 20 + 4 * seat)
                b.const(0)
                b.set(i)
                with b.block() as none, b.loop() as again:
                    b.get(i)
                    self._global(b, "decisions")
                    b.op("i32.ge_u")
                    b.to_if(none)
                    slot = b.new()
                    b.get(i)
                    b.const(2)
                    b.op("i32.shl")
                    b.memory("i32.load", self.log)
                    b.const(2)
                    b.op("i32.shl")
                    b.tee(slot)
                    b.get(slot)
                    b.memory("i32.load", self.branching)
                    b.const(1)
                    b.op("i32.add")
                    b.memory("i32.store", self.branching)
                    b.free(slot)
                    b.get(i)
                    b.const(1)
                    b.op("i32.add")
                    b.set(i)
                    b.to(again)
            b.get(game)
            b.const(1)
            b.op("i32.add")
            b.set(game)
            b.to(more)
        b.const(0)
        self._set_global(b, "mode")
        self.shared.define(b)
