"""The fast machine beside what somebody would use instead: OpenSpiel's C++, Python and C by hand, the
reference machine; threads, copies, memory.

All sides do the same: random games to the end. Windows of both sides are interleaved, in processor time of
one thread (threads in time of the clock). Processors of virtual machines change their pace, so a ratio is
the median of those of neighbouring windows; the rates are those of the best window. Length and results stand
beside OpenSpiel's, so that everybody sees that it is the same work. What is aimed at stands in brackets.

With names of games only these are compared with OpenSpiel, and nothing else is measured.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

import peers_openspiel
from idiomatic import ConnectFour, CrazyEights, playout
from measure import rate_of, resident_kib, seconds_of, table
from peers_c import compiled

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.ir import Program
from rulewright.interpreter.wasm.machine import Runner, fast_of
from rulewright.interpreter.wasm.search import playouts
from rulewright.playtest.batch import REFERENCE, WASM, Batch, run_batch
from rulewright.playtest.opening import Opened
from rulewright.playtest.settings import Settings

WINDOWS, SECONDS = 5, 0.7
TIMES = 20_000
LOOKED_AT = 2000  # games of OpenSpiel that are looked at move by move


@dataclass(frozen=True, slots=True)
class Peer:
    """A game here and there. `both_win`: equals have both won (else it is a draw); `forced_pass`: passing
    when nothing else can be done is a decision here too; `chance`: it begins with chance."""

    name: str
    there: str
    aim: float
    players: int = 2
    chance: bool = False
    both_win: bool = False
    forced_pass: bool = False


PEERS = (
    Peer("connect_four", "connect_four", 8),
    Peer("tic_tac_toe", "tic_tac_toe", 3),
    Peer("reversi", "othello", 7),
    Peer("breakthrough", "breakthrough", 3),
    Peer("hex", "hex(board_size=11)", 1.5),
    Peer("crazy_eights", "crazy_eights(players=4)", 1.5, 4, True, True, True),
    Peer("kuhn_poker", "kuhn_poker", 3, chance=True, both_win=True, forced_pass=True),
    Peer("leduc_poker", "leduc_poker", 3, chance=True, both_win=True, forced_pass=True),
)


class Playing:
    """Random games of a game written in rules, on the fast machine."""

    def __init__(self, name: str, players: int) -> None:
        self.runner: Runner = fast_of(program(name, players)).runner()
        self.size, self.seed = 16, 0
        self.games = self.choices = 0
        self.first = 0.0

    def __call__(self) -> int:
        """Play some, more and more at once; how many."""
        begun = time.process_time()
        done = playouts(self.runner, self.size, self.seed)
        self.seed += 1
        if time.process_time() - begun < 0.05:
            self.size *= 2
        self.games += done.games
        self.choices += done.choices
        self.first += done.worth[0] * done.games
        return done.games


def program(name: str, players: int) -> Program:
    game = load(name)
    if not isinstance(game, PlayableGame):
        raise SystemExit(f"{name}: {game[0]}")
    found = game.program(players, seed=0)
    if not isinstance(found, Program):
        raise SystemExit(f"{name}: {found[0]}")
    return found


def side_by_side(*windows: Callable[[], float]) -> tuple[float, float, float]:
    """The best rate of either side, and the median of what the first is in terms of the second."""
    found = [(windows[0](), windows[1]()) for _ in range(WINDOWS)]
    return (
        max(one for one, _ in found),
        max(two for _, two in found),
        statistics.median(one / two for one, two in found),
    )


def window(work: Callable[[], int]) -> Callable[[], float]:
    """A window of processor time: how much work is done a second."""
    return lambda: rate_of(work, SECONDS)


def beside_openspiel(peers: tuple[Peer, ...]) -> None:
    rows = []
    for peer in peers:
        ours = Playing(peer.name, peer.players)
        theirs = (peers_openspiel.bots if peer.chance else peers_openspiel.rollouts)(peer.there)
        here, there, ratio = side_by_side(window(ours), window(theirs))
        dealt = ""
        if peer.chance:
            # Its bots cost more than a short game; given the deal for nothing it needs none.
            _, _, less = side_by_side(window(ours), window(peers_openspiel.after_deal(peer.there)))
            dealt = f" and {less:.1f} × where it gets the deal for nothing"
        looked = peers_openspiel.looked_at(peer.there, LOOKED_AT, peer.both_win, peer.forced_pass)
        rows.append(
            (
                peer.name,
                f"{here:11,.0f} /s, OpenSpiel {there:9,.0f} /s, {ratio:5.1f} ×{dealt} "
                f"(at least {peer.aim:g} ×); length {ours.choices / ours.games:.1f} and {looked.length:.1f}, "
                f"first seat {ours.first / ours.games:.3f} and {looked.first:.3f}",
            )
        )
    table(f"Beside OpenSpiel {version('open-spiel')}, one thread, random games", rows)


def beside_hand() -> None:
    rows = []
    luck = random.Random(1)
    for name, players, make, aim in (
        ("connect_four", 2, ConnectFour, 60),
        ("crazy_eights", 4, lambda: CrazyEights(luck), 10),
    ):
        lengths: list[int] = []

        def by_hand(make: Callable[[], object] = make, lengths: list[int] = lengths) -> int:
            lengths.append(playout(make(), luck))  # type: ignore[arg-type]
            return 1

        ours = Playing(name, players)
        here, there, ratio = side_by_side(window(ours), window(by_hand))
        rows.append(
            (
                f"{name}, Python by hand",
                f"{here:11,.0f} /s, by hand {there:9,.0f} /s, {ratio:5.1f} × (at least {aim} ×); "
                f"length {ours.choices / ours.games:.1f} and {sum(lengths) / len(lengths):.1f}",
            )
        )
    with compiled() as c:
        if c is None:
            rows.append(("connect_four, C by hand", "there is no gcc here"))
        else:
            ours = Playing("connect_four", 2)
            here, there, ratio = side_by_side(window(ours), lambda: c.run(SECONDS).rate)
            rows.append(
                (
                    "connect_four, C by hand",
                    f"{here:11,.0f} /s, by hand {there:9,.0f} /s, 1/{1 / ratio:.1f} (aim: 1/5); "
                    f"length {ours.choices / ours.games:.1f} and {c.run(SECONDS).length:.1f}",
                )
            )
    table("Beside games written by hand, one thread, random games", rows)


class Batches:
    """Batches of `playtest` of one game, which is loaded once."""

    def __init__(self, name: str, players: int) -> None:
        self.name, self.players = name, players
        found = load(name)
        if not isinstance(found, PlayableGame):
            raise SystemExit(f"{name}: {found[0]}")
        self.game = Opened(found, players)

    def play(self, games: int, machine: str, workers: int = 1) -> Batch:
        """Play so many."""
        settings = Settings(self.name, players=self.players, games=games, seed=1)
        done = run_batch(settings, workers=workers, opener=lambda _: self.game, machine=machine)
        if not isinstance(done, Batch):
            raise SystemExit(str(done[0]))
        return done

    def window(self, games: int, machine: str, clock: Callable[[], float], workers: int = 1) -> float:
        """How many a second."""
        begun = clock()
        self.play(games, machine, workers)
        return games / (clock() - begun)


def beside_reference() -> None:
    rows = []
    for name, players, games, few in (("vye", 4, 6000, 12), ("vyr", 2, 30000, 60), ("aye", 6, 4000, 6)):
        batches = Batches(name, players)
        same = batches.play(few, WASM).tally == batches.play(few, REFERENCE).tally
        here, there, ratio = side_by_side(
            partial(batches.window, games, WASM, time.process_time),
            partial(batches.window, few, REFERENCE, time.process_time),
        )
        rows.append(
            (
                f"{name}, {players} players",
                f"{here:9,.0f} /s, reference machine {there:6,.1f} /s, {ratio:5.0f} × (at least 200 ×); "
                f"results {'equal' if same else 'NOT EQUAL'}",
            )
        )
    table("Batches of `playtest` beside the reference machine, one thread", rows)


def hashing(workers: int) -> float:
    """What two threads can give at best just now: hashes a second, by a library that holds no lock."""
    data, many = bytes(1 << 22), 120

    def work() -> None:
        for _ in range(many // workers):
            hashlib.sha256(data).digest()

    begun = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    return many / (time.perf_counter() - begun)


def threads() -> None:
    two, one, ratio = side_by_side(partial(hashing, 2), partial(hashing, 1))
    rows = [("hashes, to compare with", f"{one:9,.0f} /s with one, {two:9,.0f} /s with two, {ratio:.2f} ×")]
    for name, players, games in (("vye", 4, 40_000), ("aye", 6, 24_000), ("connect_four", 2, 1_000_000)):
        batches = Batches(name, players)
        batches.play(1, WASM)
        two, one, ratio = side_by_side(
            partial(batches.window, games, WASM, time.perf_counter, 2),
            partial(batches.window, games, WASM, time.perf_counter, 1),
        )
        rows.append(
            (
                f"{name}, {players} players",
                f"{one:9,.0f} /s with one, {two:9,.0f} /s with two, {ratio:.2f} × (at least 1.8 ×)",
            )
        )
    table("Batches of `playtest` with one thread and with two, by the clock", rows)


def copies() -> None:
    rows = []
    for name, players in (("connect_four", 2), ("hex", 2), ("vyr", 2), ("aye", 6), ("vye", 4)):
        before = resident_kib()
        runner = fast_of(program(name, players)).runner()
        runner.begin(1)
        for _ in range(4):
            runner.step(0)
        size = runner.save()
        copy = partial(runner.instance.call, "copies", runner.fast.built.keeping.pool, TIMES)
        best = min(seconds_of(copy, time.process_time) for _ in range(WINDOWS))
        playouts(runner, 2000, 1)
        rows.append(
            (
                f"{name}, {players} players",
                f"{best / TIMES * 1e6:5.2f} µs to put aside and take up {size:,} bytes (at most 5 µs); "
                f"{(resident_kib() - before) / 1024:.0f} MiB more with game and module (at most 100)",
            )
        )
    table("A copy of a match inside the module, and memory", rows)


def main() -> None:
    names = sys.argv[1:]
    beside_openspiel(tuple(p for p in PEERS if not names or p.name in names))
    if not names:
        beside_hand()
        beside_reference()
        threads()
        copies()


if __name__ == "__main__":
    main()
