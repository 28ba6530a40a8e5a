from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.problems import Problem
from rulewright.interpreter.match import start
from rulewright.interpreter.record import replay
from rulewright.playtest.batch import Batch, run_batch
from rulewright.playtest.records import read_json, record_name, write_record
from rulewright.playtest.report import summary, to_json
from rulewright.playtest.settings import Settings
from rulewright.playtest.workers import chunks
from rulewright.tests.interpreter.programs import dice_game
from rulewright.tests.playtest.games import open_elsewhere_changed, open_elsewhere_killed, open_hand


def batch(settings: Settings, **more: Any) -> Batch:
    found = run_batch(settings, open_hand, **{"workers": 1, **more})
    assert isinstance(found, Batch)
    return found


def test_a_batch_plays_all_its_games_and_tells_how_far_it_is() -> None:
    seen: list[tuple[int, int]] = []
    found = batch(Settings("rows", games=12), progress=lambda done, of: seen.append((done, of)))
    assert found.tally.games == found.tally.ended == 12 and not found.interrupted
    assert seen == [(n, 12) for n in range(13)]
    assert found.players == ("red", "blue")


@pytest.mark.parametrize("game", ["rows", "dice", "cards"])
def test_equal_settings_give_equal_bytes_whoever_plays(game: str) -> None:
    settings = Settings(game, games=30, seed=11)
    texts = {to_json(summary(batch(settings, workers=n))) for n in (1, 2, None)}
    assert len(texts) == 1


def test_games_of_a_batch_overlap_with_those_of_another_seed() -> None:
    whole = batch(Settings("dice", games=20, seed=5)).tally
    one, two = (
        batch(Settings("dice", games=8, seed=5)).tally,
        batch(Settings("dice", games=12, seed=13)).tally,
    )
    one.merge(two)
    assert one == whole


def test_another_seed_gives_other_games() -> None:
    assert batch(Settings("dice", games=20)).tally != batch(Settings("dice", games=20, seed=1000)).tally


@pytest.mark.parametrize("workers", [1, 2])
def test_every_record_can_be_replayed(workers: int, tmp_path: Path) -> None:
    kept: dict[int, dict[str, Any]] = {}
    batch(Settings("dice", games=9, seed=3), workers=workers, keep=lambda n, r: kept.update({n: r}))
    assert sorted(kept) == list(range(9))
    for number, record in kept.items():
        path = write_record(tmp_path / "new", number, record)
        assert path.name == record_name(number) and record["seed"] == 3 + number
        read = read_json(path)
        assert read == record
        match = replay(dice_game(), read)
        assert match.over, match


def test_wrong_settings_are_problems() -> None:
    for settings, code in (
        (Settings("nothing"), "E151"),
        (Settings("rows", bots=("clever",)), "E511"),
        (Settings("rows", bots=("random",) * 3), "E512"),
    ):
        found = run_batch(settings, open_hand)
        assert isinstance(found, tuple) and [p.code for p in found] == [code]


def test_each_seat_has_the_bot_that_is_named_for_it() -> None:
    found = batch(Settings("rows", games=20, bots=("first", "first"))).tally
    assert found.wins == {0: 20} and dict(found.lengths) == {7: 20}


def test_a_game_that_cannot_be_started_is_counted_as_a_fault() -> None:
    class Moody:
        def start(self, seed: int, trace: bool = False) -> Any:
            problem = Problem("E504", dice_game().ends[0].span, "No luck.")
            return (problem,) if seed == 2 else start(dice_game(), seed, trace=trace)

    found = run_batch(Settings("moody", games=5), lambda s: Moody(), workers=1)
    assert isinstance(found, Batch)
    assert found.tally.faults == [(2, "No luck.")] and found.tally.games == 5


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_is_done(workers: int) -> None:
    pressed: list[int] = []

    def interrupt(done: int, of: int) -> None:
        if done >= 5 and not pressed:
            pressed.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    found = batch(Settings("rows", games=50_000), workers=workers, progress=interrupt)
    assert found.interrupted and 5 <= found.tally.games < 50_000
    assert found.tally.ended == found.tally.games
    assert signal.getsignal(signal.SIGINT) is before


def test_games_of_workers_that_die_or_see_other_rules_are_played_here() -> None:
    settings = Settings("dice", games=12)
    whole = batch(settings).tally
    for opener in (open_elsewhere_changed, open_elsewhere_killed):
        found = run_batch(settings, opener, workers=2)
        assert isinstance(found, Batch) and found.tally == whole


def test_chunks_hold_every_game_once() -> None:
    for first, last, workers in ((0, 1, 4), (3, 1000, 2), (0, 5, 2), (7, 7, 2)):
        numbers = [n for a, b in chunks(first, last, workers) for n in range(a, b)]
        assert numbers == list(range(first, last))
