"""Batches on the fast machine: the same bytes as on the reference machine, by however many threads."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.machine import Runner, TooLarge
from rulewright.playtest import fast
from rulewright.playtest.batch import REFERENCE, WASM, Batch, play_one, run_batch
from rulewright.playtest.opening import Opened, open_game
from rulewright.playtest.report import summary, to_json
from rulewright.playtest.settings import Settings
from rulewright.playtest.tally import Tally
from rulewright.tests.playtest.games import open_hand
from rulewright.tests.playtest.test_consent import GAME as COUNCIL


@pytest.fixture(autouse=True, scope="module")
def nothing_is_kept() -> Any:
    """These modules are for nobody's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_CACHE", "")
        yield


def batch(settings: Settings, **more: Any) -> Batch:
    found = run_batch(settings, **{"workers": 1, **more})
    if not isinstance(found, Batch):
        pytest.fail("\n".join(map(str, found)))
    return found


def on_both(settings: Settings, workers: int = 1) -> Batch:
    """The batch of the fast machine, which must not differ from that of the other one."""
    found, other = batch(settings, workers=workers), batch(settings, machine=REFERENCE)
    assert (found.machine, found.why, other.machine) == (WASM, "", REFERENCE)
    assert found.tally == other.tally
    assert replace(found, machine="") == replace(other, machine="")
    return found


MANY: dict[str, Settings] = {
    "pig": Settings("pig", games=5),
    "pig, variant": Settings("pig", ("two_dice",), games=5, seed=500),
    "pig, four": Settings("pig", players=4, games=3),
    "connect four, variant": Settings("connect_four", ("four_loses",), games=15),
    "reversi, variant": Settings("reversi", ("fewest_win",), games=3),
    "kuhn": Settings("kuhn_poker", games=40, seed=-7),
    "crazy eights, most": Settings("crazy_eights", games=8, players=4),
    "goofspiel, variant": Settings("goofspiel", ("ties_wait",), games=6),
    "vyr, drawn": Settings("vyr", games=4),
    "vye, variant": Settings("vye", ("safe_kings",), games=1, players=3),
    "first": Settings("tic_tac_toe", bots=("first",), games=5),
    "first and random": Settings("tic_tac_toe", bots=("first", "random"), games=30),
    "random and first": Settings("crazy_eights", bots=("random", "first"), games=10),
    "limit": Settings("pig", games=30, limit=100),
    "limit of one": Settings("hex", games=3, limit=1),
    "huge seeds": Settings("pig", games=3, seed=1 << 70),
    "one": Settings("pig", games=1),
}


@pytest.mark.parametrize("name", MANY)
def test_both_machines_give_the_same(name: str) -> None:
    found = on_both(MANY[name], workers=2)
    assert found.tally.games == MANY[name].games and found.tally.fault_count == 0


@pytest.mark.parametrize(("agreement", "majority"), [("0.8", "last"), ("own", "0.25"), ("first", "own")])
def test_policies_for_what_is_chosen_as_one(agreement: str, majority: str, tmp_path: Path) -> None:
    settings = Settings(written(tmp_path, COUNCIL), games=6, agreement=agreement, majority=majority)
    assert on_both(settings).tally.ended == 6


def test_a_limit_of_decisions_stops_some_games_and_not_all() -> None:
    found = on_both(MANY["limit"])
    assert 0 < found.tally.ended < 30
    assert found.tally.stopped == {"no end after 100 decisions": 30 - found.tally.ended}


@pytest.mark.parametrize("game", ["pig", "kuhn_poker", "tic_tac_toe"])
def test_it_does_not_matter_how_many_threads_play(game: str) -> None:
    settings = Settings(game, games=600, seed=77)
    texts = {to_json(summary(batch(settings, workers=n))) for n in (1, 2, 5)}
    assert len(texts) == 1


def test_no_call_plays_more_games_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("kuhn_poker", games=2_000)
    want, sizes = batch(settings).tally, []
    real = Runner.rows

    def noted(self: Runner, n: int) -> list[int]:
        sizes.append(n)
        return real(self, n)

    monkeypatch.setattr(Runner, "rows", noted)
    monkeypatch.setattr(Runner, "capacity", property(lambda self: 50))
    monkeypatch.setattr(fast, "A_WHILE", 1e9)  # as far as time goes, one call could play them all
    found = batch(settings, workers=2).tally
    assert found == want and found.games == found.ended == 2_000
    assert max(sizes) == 50 and sum(sizes) == 2_000


def test_batches_add_up() -> None:
    settings = Settings("kuhn_poker", games=900)
    parts = Tally(2)
    for start in range(0, 900, 300):
        parts.merge(batch(replace(settings, games=300, seed=start)).tally)
    assert parts == batch(settings).tally


# ---------------------------------------------------------------- drawn options

DRAWN = """\
game: Toy
language: 1
players: 2
options:
  extras: {some of: extra, default: 2 at random}
cards:
  extra: {used when: kind of extra is in extras, starts in: deck}
  fort: {is: extra, copies: 1, code: F}
  mine: {is: extra, copies: 2, code: M}
  dike: {is: extra, copies: 3, code: D}
  land: {copies: 2, code: L, starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
setup:
  do: |
    shuffle deck
flow:
  - main:
      turns: clockwise from first_player
      at most: 20 rounds, then over
      actions: [draw, pass]
actions:
  draw:
    require:
      - check: deck is not empty
        because: There is no card.
    do: |
      move top of deck to hand of actor
  pass: {text: Nothing.}
ends:
  over:
    when: deck is empty
    winner: player with largest score of player
define:
  score(player p): count of card in hand of p
"""


def written(folder: Path, text: str) -> str:
    path = folder / "toy.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("worth", [1, 7, 1000])
def test_games_with_the_same_draw_are_played_together(
    worth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "WORTH_A_MODULE", worth)  # what comes up too rarely has no module
    monkeypatch.setattr(fast, "WINDOW", 16)
    groups: list[int] = []
    real = fast._play_group

    def noted(settings: Any, made: Any, numbers: Any, *more: Any) -> None:
        groups.extend(numbers)
        real(settings, made, numbers, *more)

    monkeypatch.setattr(fast, "_play_group", noted)
    found = on_both(Settings(written(tmp_path, DRAWN), games=40), workers=2)
    assert found.tally.games == 40 and dict(found.options) == {"extras": "2 at random"}
    assert len(groups) == len(set(groups))
    if worth == 1:
        assert sorted(groups) == list(range(40))
    elif worth == 7:
        assert 0 < len(groups) < 40
    else:
        assert groups == []


# ------------------------------------------------------------- what is given up

SOMETIMES = """\
game: Toy
language: 1
players: 2
state:
  pot: {is: number 0 to 9}
  stake: {is: number 0 to 5}
flow:
  - main:
      repeat: 3 times
      do: |
        first_player chooses stake from [1 to 5]
        add stake to pot
  - closing:
      do: |
        if pot < 9:
          end game as over
ends:
  over:
    winner: nobody
"""


def test_games_in_which_a_rule_fails_are_told_by_the_reference_machine(tmp_path: Path) -> None:
    text = SOMETIMES.replace("if pot < 9:\n          end game", "if pot < 99:\n          end game")
    found = on_both(Settings(written(tmp_path, text), games=40), workers=2).tally
    assert found.ended and found.fault_count and found.ended + found.fault_count == 40
    assert found.faults and "pot" in found.faults[0][1]


def test_games_whose_flow_runs_out_are_told_alike(tmp_path: Path) -> None:
    text = SOMETIMES.replace("number 0 to 9", "number 0 to 99")
    found = on_both(Settings(written(tmp_path, text), games=30), workers=2).tally
    assert found.ended and found.fault_count == 30 - found.ended
    assert "The flow has run out" in found.faults[0][1]


# ---------------------------------------------------------------------- Ctrl-C


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_is_done(workers: int) -> None:
    pressed: list[int] = []

    def interrupt(done: int, of: int) -> None:
        if done >= 5 and not pressed:
            pressed.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    found = batch(Settings("reversi", games=10_000_000), workers=workers, progress=interrupt)
    assert found.machine == WASM and found.interrupted
    assert 5 <= found.tally.games < 10_000_000 and found.tally.ended == found.tally.games
    assert signal.getsignal(signal.SIGINT) is before
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPool")]


def opened(settings: Settings) -> Opened:
    game = open_game(settings)
    assert isinstance(game, Opened)
    return game


def play(settings: Settings, stop: Callable[[], bool], progress: Callable[[int, int], None]) -> Tally:
    game, tally = opened(settings), Tally(2)

    def on_reference(number: int) -> None:
        play_one(settings, game, number, tally, None, stop)

    fast.play_fast(settings, game, 2, progress, stop, tally, on_reference)
    return tally


def test_what_is_kept_of_a_batch_that_was_stopped_is_a_part_of_it() -> None:
    settings = Settings("kuhn_poker", games=4_000)
    whole = play(settings, lambda: False, lambda done, of: None)
    told: list[int] = []
    part = play(settings, lambda: bool(told) and told[-1] >= 50, lambda done, of: told.append(done))
    assert 50 <= part.games < 4_000
    assert part.games == told[-1] == part.ended == part.lengths.total()
    assert part.ends <= whole.ends and part.lengths <= whole.lengths and part.wins <= whole.wins


def test_progress_only_rises_and_ends_with_all_games() -> None:
    told: list[tuple[int, int]] = []
    play(Settings("pig", games=300), lambda: False, lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1] == (300, 300)


def test_a_batch_that_is_stopped_before_it_begins_has_no_games(tmp_path: Path) -> None:
    for settings in (Settings("pig", games=9), Settings(written(tmp_path, DRAWN), games=9)):
        assert play(settings, lambda: True, lambda done, of: None).games == 0


# -------------------------------------------------------- the reference machine


def reason(settings: Settings, **more: Any) -> str:
    """Why the reference machine plays a batch; its result must be the same all the same."""
    found = batch(settings, **more)
    assert found.machine == REFERENCE
    assert found.tally == batch(settings, **{**more, "machine": REFERENCE}).tally
    return found.why


def test_without_wasmtime_the_reference_machine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("tic_tac_toe", games=5)
    before = batch(settings)
    monkeypatch.setattr(host, "available", lambda: False)
    assert "wasmtime" in reason(settings)
    assert batch(settings).tally == before.tally


def test_what_is_too_large_for_a_module_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(program: object) -> Any:
        raise TooLarge("tables of 99 bytes are too much")

    monkeypatch.setattr(fast, "fast_of", too_large)
    assert reason(Settings("tic_tac_toe", games=5)) == "tables of 99 bytes are too much"


def test_a_draw_that_is_too_large_for_a_module_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(written(tmp_path, DRAWN), games=60)
    want = batch(settings, machine=REFERENCE).tally
    real, first = fast.fast_of, opened(settings).program(0)
    refused: list[object] = []

    def some_too_large(program: Any) -> Any:
        if program.pieces != first.pieces:  # type: ignore[union-attr]
            refused.append(program)
            raise TooLarge("this draw is too much")
        return real(program)

    monkeypatch.setattr(fast, "fast_of", some_too_large)
    monkeypatch.setattr(fast, "WORTH_A_MODULE", 1)
    found = batch(settings)
    assert (found.machine, found.tally) == (WASM, want) and refused


def test_records_are_the_reference_machines() -> None:
    kept: list[int] = []
    found = batch(Settings("tic_tac_toe", games=3), keep=lambda n, record: kept.append(n))
    assert (found.machine, found.why, kept) == (REFERENCE, "records are kept", [0, 1, 2])


def test_a_program_from_elsewhere_is_the_reference_machines() -> None:
    found = run_batch(Settings("rows", games=3), open_hand, workers=1)
    assert isinstance(found, Batch) and found.machine == REFERENCE and "files" in found.why


def test_whoever_asks_for_the_reference_machine_is_told_no_reason() -> None:
    found = batch(Settings("tic_tac_toe", games=3), machine=REFERENCE)
    assert (found.machine, found.why) == (REFERENCE, "")
