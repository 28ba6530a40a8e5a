"""The fast machine beside what somebody would use instead: OpenSpiel's C++, Python and C by hand, the
reference machine; threads, copies, memory.

All sides do the same: random games to the end. Windows of both sides are interleaved, in processor time of one
thread (threads in time of the clock); the best window of each counts, since other work on the machine only ever
slows down. Length and results stand beside OpenSpiel's, so that everybody sees that it is the same work. What
is aimed at stands in brackets.

With names of games only these are compared with OpenSpiel, and nothing else is measured.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import peers_openspiel
from idiomatic import ConnectFour, CrazyEights, playout
from measure import rate_of, resident_kib, table
from peers_c import compiled

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.ir import Program
from rulewright.interpreter.wasm.machine import Runner, fast_of
from rulewright.interpreter.wasm.search import playouts
from rulewright.playtest.batch import REFERENCE, WASM, Batch, run_batch
from rulewright.playtest.settings import Settings

WINDOWS, SECONDS = 3, 1.0
LOOKED_AT = 400  # games of OpenSpiel that are looked at move by move


@dataclass(frozen=True, slots=True)
class Peer:
    """A game here and there. `both_win`: equals have both won (else it is a draw); `forced_pass`: passing when
    nothing else can be done is a decision here too; `chance`: it begins with chance."""

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


def best_of(*works: Callable[[], int]) -> list[float]:
    """The best rate of each, in interleaved windows of processor time."""
    best = [0.0] * len(works)
    for _ in range(WINDOWS):
        best = [max(rate, rate_of(work, SECONDS)) for rate, work in zip(best, works, strict=True)]
    return best


def beside_openspiel(peers: tuple[Peer, ...]) -> None:
    rows = []
    for peer in peers:
        ours = Playing(peer.name, peer.players)
        theirs = (peers_openspiel.bots if peer.chance else peers_openspiel.rollouts)(peer.there)
        here, there = best_of(ours, theirs)
        looked = peers_openspiel.looked_at(peer.there, LOOKED_AT, peer.both_win, peer.forced_pass)
        rows.append(
            (
                peer.name,
                f"{here:11,.0f} /s, OpenSpiel {there:9,.0f} /s, {here / there:5.1f} × (at least {peer.aim:g} ×); "
                f"length {ours.choices / ours.games:.1f} and {looked.length:.1f}, "
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
        here, there = best_of(ours, by_hand)
        rows.append(
            (
                f"{name}, Python by hand",
                f"{here:11,.0f} /s, by hand {there:9,.0f} /s, {here / there:5.1f} × (at least {aim} ×); "
                f"length {ours.choices / ours.games:.1f} and {sum(lengths) / len(lengths):.1f}",
            )
        )
    with compiled() as c:
        if c is None:
            rows.append(("connect_four, C by hand", "there is no gcc here"))
        else:
            ours = Playing("connect_four", 2)
            here, there = 0.0, 0.0
            for _ in range(WINDOWS):
                here, found = max(here, rate_of(ours, SECONDS)), c.run(SECONDS)
                there = max(there, found.rate)
            rows.append(
                (
                    "connect_four, C by hand",
                    f"{here:11,.0f} /s, by hand {there:9,.0f} /s, 1/{there / here:.1f} (aim: 1/5); "
                    f"length {ours.choices / ours.games:.1f} and {found.length:.1f}",
                )
            )
    table("Beside games written by hand, one thread, random games", rows)


def batch(name: str, players: int, games: int, machine: str, workers: int = 1) -> Batch:
    done = run_batch(Settings(name, players=players, games=games, seed=1), workers=workers, machine=machine)
    if not isinstance(done, Batch):
        raise SystemExit(str(done[0]))
    return done


def beside_reference() -> None:
    rows = []
    for name, players, games, few in (("vye", 4, 6000, 12), ("vyr", 2, 20000, 60), ("aye", 6, 4000, 6)):
        batch(name, players, 1, WASM)  # compiled
        best = [0.0, 0.0]
        for _ in range(WINDOWS):
            for i, (machine, n) in enumerate(((WASM, games), (REFERENCE, few))):
                begun = time.process_time()
                batch(name, players, n, machine)
                best[i] = max(best[i], n / (time.process_time() - begun))
        same = batch(name, players, few, WASM).tally == batch(name, players, few, REFERENCE).tally
        rows.append(
            (
                f"{name}, {players} players",
                f"{best[0]:9,.0f} /s, reference machine {best[1]:6,.1f} /s, {best[0] / best[1]:5.0f} × (at least "
                f"200 ×); results {'equal' if same else 'NOT EQUAL'}",
            )
        )
    table("Batches of `playtest` beside the reference machine, one thread, loading the game included", rows)


def threads() -> None:
    rows = []
    for name, players, games in (("vye", 4, 20_000), ("connect_four", 2, 400_000)):
        batch(name, players, 1, WASM)
        best = [0.0, 0.0]
        for _ in range(WINDOWS):
            for i in (0, 1):
                begun = time.perf_counter()
                batch(name, players, games, WASM, i + 1)
                best[i] = max(best[i], games / (time.perf_counter() - begun))
        rows.append(
            (
                f"{name}, {players} players",
                f"{best[0]:9,.0f} /s with one thread, {best[1]:9,.0f} /s with two, {best[1] / best[0]:.2f} × "
                "(at least 1.8 ×)",
            )
        )
    table("Two threads, by the clock", rows)


def copies() -> None:
    rows = []
    for name, players in (("connect_four", 2), ("hex", 2), ("vyr", 2), ("aye", 6), ("vye", 4)):
        before = resident_kib()
        runner = fast_of(program(name, players)).runner()
        runner.begin(1)
        for _ in range(4):
            runner.step(0)
        pool, times = runner.fast.built.keeping.pool, 20_000
        best = min(_seconds(lambda r=runner, at=pool: r.instance.call("copies", at, times)) for _ in range(5))  # type: ignore[misc]
        playouts(runner, 2000, 1)
        rows.append(
            (
                f"{name}, {players} players",
                f"{best / times * 1e6:5.2f} µs to put aside and take up {runner.save():,} bytes (at most 5 µs); "
                f"{(resident_kib() - before) / 1024:.0f} MiB more in use with the game and one module (at most 100)",
            )
        )
    table("A copy of a match inside the module, and memory", rows)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


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
