"""Machine: programs run in WebAssembly, one match after the other.

Comes in: a program, seeds, positions. Goes out: a `Fast` for each program (shared by threads), and `Runner`s
(one for each thread) that play batches, or carry one match on. What never happens: a `Runner` in two threads,
or a result that the reference machine would not give: where a module gives up, `Trapped` is raised, and
whoever called plays that game on the reference machine.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.asks import Ask
from rulewright.interpreter.chance import Seed, SeededChance, start_of
from rulewright.interpreter.flat import landing
from rulewright.interpreter.laying import link_laying
from rulewright.interpreter.link import Code, code_of
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.build import Built, build
from rulewright.interpreter.wasm.cache import kept_module
from rulewright.interpreter.wasm.host import Instance, Trapped
from rulewright.interpreter.wasm.memory import HEAP_TOP, TooLarge
from rulewright.interpreter.wasm.packing import frames, packed
from rulewright.interpreter.wasm.playouts import ANY, ENDED, FIRST, LAST, NO_END, OWN, SHARE, STOPPED
from rulewright.interpreter.wasm.reading import Reader


@dataclass(frozen=True, slots=True)
class Fast:
    """A program as machine code. Threads share it; each runs it in a `Runner` of its own."""

    code: Code
    built: Built
    module: Any

    def runner(self) -> Runner:
        """Something that runs it, for one thread."""
        return Runner(self)


@dataclass(frozen=True, slots=True)
class Played:
    """How a game of a batch went. `end` is an index into the program's ends, or -1; `began` who chose first,
    or -1; `winners` and `scores` by seat, of a game that ended.
    """

    status: int  # ENDED, STOPPED (too many decisions) or NO_END
    end: int
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: int
    began: int


@dataclass(frozen=True, slots=True)
class Bots:
    """Who plays a batch: for each seat whether it takes the first option (else any), the policies for what is
    chosen as one (as in `playtest/consent.py`), and the number of decisions after which a game is given up.
    """

    first: tuple[bool, ...]
    agreement: str = "random"
    majority: str = "random"
    limit: int = 10_000


_FAST: dict[int, tuple[ir.Program, Fast | TooLarge]] = {}
_LOCK = threading.Lock()
_KEPT = 32
RUNNERS = 8  # of one thread: each has some megabytes


def fast_of(program: ir.Program) -> Fast:
    """The machine code of a program, made once for as long as the program is in use.

    Raises TooLarge where the program cannot be run like this, or nothing here can run it.
    """
    if not host.available():
        raise TooLarge("there is no wasmtime for this platform")
    with _LOCK:
        found = _FAST.get(id(program))
        if found is None or found[0] is not program:
            if len(_FAST) >= _KEPT:
                _FAST.pop(next(iter(_FAST)))
            found = _FAST[id(program)] = (program, _made(program))
    if isinstance(found[1], TooLarge):
        raise found[1]
    return found[1]


def _made(program: ir.Program) -> Fast | TooLarge:
    code = code_of(program)
    try:
        built = build(code)
    except TooLarge as error:
        return error
    return Fast(code, built, kept_module(built.module))


_HERE = threading.local()


def runner_here(program: ir.Program, purpose: str) -> Runner:
    """The module of this thread for a purpose: whoever shares one must not mind where it stands. Raises
    TooLarge: see `fast_of`."""
    fast = fast_of(program)
    runners: dict[tuple[int, str], Runner] = _HERE.__dict__.setdefault("runners", {})
    found = runners.get((id(fast), purpose))
    if found is None or found.fast is not fast:
        if len(runners) >= RUNNERS:
            runners.pop(next(iter(runners)))
        found = runners[id(fast), purpose] = fast.runner()
    return found


class Runner:
    """A module at work."""

    def __init__(self, fast: Fast) -> None:
        self.fast = fast
        self.code, self.shared, self.playouts = fast.code, fast.built.shared, fast.built.playouts
        self.program = self.code.program
        self.instance = Instance(fast.module)
        self.reader = Reader(self.shared, self.instance.memory)
        self._heap = 0

    # -------------------------------------------------------------------- batches

    @property
    def capacity(self) -> int:
        """How many games one call of `play` can play."""
        return self.playouts.capacity

    def prepare(self, bots: Bots) -> None:
        """Say who plays the games to come."""
        p = self.playouts
        self.write(p.kinds, array("i", [int(f) for f in bots.first]))
        for i, policy in enumerate((bots.agreement, bots.majority)):
            self.write(p.policies + 8 * i, array("i", _policy(policy)))
        self.instance.call("set limit", bots.limit)

    def play(self, seeds: Sequence[Seed]) -> list[Played | None]:
        """Play a game for each seed (no more than `capacity`); None for one that the module gave up."""
        self.sow(seeds)
        given_up = self.play_sown(len(seeds))
        raw, width = self.rows(len(seeds)), self.playouts.result_size // 4
        return [
            None if i in given_up else self._played(raw[i * width : (i + 1) * width])
            for i in range(len(seeds))
        ]

    def sow(self, seeds: Sequence[Seed]) -> None:
        """Write what begins the luck of so many games."""
        self.write(
            self.playouts.seeds, array("Q", [start_of(s, n) for s in seeds for n in self.playouts.names])
        )

    def play_sown(self, n: int) -> tuple[int, ...]:
        """Play so many games whose luck is written; those that the module gave up, by their place."""
        given_up: list[int] = []
        begin = 0
        while begin < n:
            try:
                self.instance.call("batch", begin, n)
                begin = n
            except Trapped:
                given_up.append(self.reader.number(self.playouts.game))
                begin = given_up[-1] + 1
        return tuple(given_up)

    def rows(self, n: int) -> list[int]:
        """The results of so many games, one after the other, as `playouts.py` writes them: status, end,
        decisions, who began, winners as bits, and the score of each seat."""
        return self.reader.numbers(self.playouts.results, n * self.playouts.result_size // 4)

    def _played(self, raw: list[int]) -> Played:
        seats = len(self.program.players)
        scores = tuple(raw[5 : 5 + seats]) if self.program.score >= 0 else ()
        winners = tuple(i for i in range(seats) if raw[4] >> i & 1)
        return Played(raw[0], raw[1], winners, scores, raw[2], raw[3])

    def take_branching(self) -> dict[int, int]:
        """How many decisions of the games that ended since the last time had how many options."""
        p = self.playouts
        size = 4 * p.most_options
        # Hardly a game offers more than some hundred options: the rest of the room is not looked through.
        used = -(-len(bytes(self.instance.memory[p.branching : p.branching + size]).rstrip(b"\0")) // 4)
        counts = self.reader.numbers(p.branching, used)
        self.instance.memory[p.branching : p.branching + 4 * used] = bytes(4 * used)
        return {n: count for n, count in enumerate(counts) if count}

    # ------------------------------------------------------------------ one match

    def load(self, s: State) -> None:
        """Stand where a position stands. Raises TooLarge if that cannot be."""
        m = self.shared.memory
        self.instance.call("start")
        self.instance.call("regrid", 0)
        self._heap = m.heaps[0]
        under_way, top = frames(self.shared, s, self._keep, self._keep_groups)
        parts = packed(self.shared, s, self._keep, top)
        at = 0
        for address, size in m.copied:
            self.instance.memory[address : address + size] = parts[at : at + size]
            at += size
        self.write(m.state + HEAP_TOP, array("i", [self._heap]))
        self.instance.memory[m.frames : m.frames + len(under_way)] = under_way
        self.instance.call("regrid", 1)
        chance = s.chance
        if not isinstance(chance, SeededChance):
            raise TooLarge("luck that somebody wrote down is the reference machine's")
        self.write(m.starts, array("Q", chance.starts))

    def run(self, s: State) -> None:
        """Go on from a position until somebody must choose, or to the end; the position is changed. Raises
        Trapped, and the position is as it was."""
        self.load(s)
        self.instance.call("set mode", 0)
        asked = self.instance.call("resume")
        after = self.reader.state(s.chance)
        for name in (
            "vars",
            "contents",
            "place_of",
            "known",
            "counters",
            "frames",
            "phases",
            "winners",
            "news",
        ):
            setattr(s, name, getattr(after, name))
        s.ask = self.ask(s) if asked else None

    def options(self) -> list[Any]:
        """The options of the open question, as the reference machine writes them."""
        count, width = self.instance.call("get ask.count"), self.instance.call("get ask.width")
        raw = self.reader.numbers(self.shared.memory.options, count * width)
        node = self.shared.sites[self.instance.call("get ask.site")].node
        if not isinstance(node, ir.ChooseAction):
            return raw
        actions = self.program.decisions[node.decision].actions
        rows = (raw[i : i + width] for i in range(0, count * width, width))
        return [tuple(row[: 1 + len(actions[row[0]].keys)]) for row in rows]

    def ask(self, s: State) -> Ask:
        """The open question, for a position that was just read."""
        site = self.shared.sites[self.instance.call("get ask.site")]
        node: Any = site.node
        loc = s.frames[-1][2]
        player = self.instance.call("get ask.player")
        op = self.code.flat(site.function)[0][site.pc]
        to = landing(self.code.flat(site.function)[0], op.next, False)
        items = self.code.expressions.items
        options = self.options()
        match node:
            case ir.ChooseAction():
                return Ask("action", player, node, options, loc, to, -1)
            case ir.ChooseOne():
                laid = link_laying(self.code, node.laying)(s, loc)
                return Ask("one", player, node, options, loc, to, -1, laid=laid)
            case ir.ChooseSome():
                values = tuple(items(node.key.domain)(s, loc))
                return Ask("some", player, node, options, loc, to, op.slot, loc[op.slot], (), values)
            case _:
                players = tuple(dict.fromkeys(p for p in items(node.players)(s, loc) if p >= 0))
                loc[node.player_slot] = player
                values = tuple(items(node.key.domain)(s, loc))
                return Ask(
                    "together", player, node, options, loc, to, op.slot, loc[op.slot + 1], players, values
                )

    # --------------------------------------------------------------------- memory

    def write(self, at: int, values: array[int]) -> None:
        """Write numbers into the memory of the module."""
        data = values.tobytes()
        self.instance.memory[at : at + len(data)] = data

    def _keep(self, values: tuple[int, ...]) -> int:
        if not values:
            return self.shared.memory.empty
        at = self._heap
        self._heap += 4 + 4 * len(values)
        if self._heap - self.shared.memory.heaps[0] > self.shared.heap // 2:
            raise TooLarge("the sets that are kept are too large")
        self.write(at, array("i", [len(values), *values]))
        return at

    def _keep_groups(self, groups: tuple[Any, ...]) -> int:
        return self._keep(tuple(self._keep(g) for g in groups))

    # ------------------------------------------------------- a match kept standing

    def begin(self, seed: Seed) -> bool:
        """Begin a match and go on to its first question; whether there is one. Raises Trapped."""
        self.instance.call("start")
        self.write(self.shared.memory.starts, array("Q", SeededChance(self.code.streams, seed).starts))
        self.instance.call("set mode", 0)
        return bool(self.instance.call("resume"))

    def step(self, option: int) -> bool:
        """Answer the open question by the number of an option and go on; whether there is another question.
        Raises Trapped, also for a number that is no option's."""
        return bool(self.instance.call("step", option))

    def choose(self, option: int) -> int:
        """As `step`, with the match put aside first, and -1 instead of a trap for a number that is no
        option's."""
        return self.instance.call("choose", option)

    @property
    def asked_player(self) -> int:
        """Who is asked."""
        return self.instance.call("get ask.player")

    def score(self, player: int) -> int:
        """The score of a player as the match stands now; 0 where the game has no score. Raises Trapped."""
        return self.instance.call("score", player)

    # ------------------------------------------------------------- matches put aside

    def save(self, at: int = 0) -> int:
        """Put the match that waits for an answer aside, so many bytes into the pool; how many bytes it takes.
        Raises Trapped if there is no room, or nothing waits."""
        return self.instance.call("save", self.fast.built.keeping.pool + at)

    def restore(self, at: int = 0) -> None:
        """Stand where a match stood that was put aside."""
        self.instance.call("restore", self.fast.built.keeping.pool + at)


def _policy(text: str) -> list[int]:
    """A policy for what is chosen as one, as the module reads it: which, and millionths."""
    known = {"own": OWN, "first": FIRST, "last": LAST, "random": ANY}
    return [known[text], 0] if text in known else [SHARE, round(float(text) * 1_000_000)]


__all__ = [
    "ENDED", "NO_END", "STOPPED", "Bots", "Fast", "Played", "Runner", "TooLarge", "Trapped", "fast_of",
]  # fmt: skip
