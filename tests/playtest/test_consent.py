"""Policies for what several choose as one: they touch no other choice, and one seed says the same twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match, start
from rulewright.playtest.batch import Batch, play_out, run_batch
from rulewright.playtest.bots import FirstBot, RandomBot
from rulewright.playtest.consent import POLICIES, Consenting, policy_named
from rulewright.playtest.opening import open_game
from rulewright.playtest.settings import Settings
from rulewright.tests.interpreter.programs import tic_tac_toe

GAME = """\
game: Council
language: 1
players: 3
state:
  united: {is: yes or no, start: no}
  plan: {is: number 0 to 4}
  mood: {per: player, is: number 0 to 3}
flow:
  - talking:
      repeat: 6 times
      do: |
        agreement of (all player) chooses united from [yes, no], else no
        majority of (all player) chooses plan from [1 to 4], else 0
        each player p chooses mood of p from [1 to 3], together
  - closing:
      do: |
        end game as over
ends:
  over:
    winner: nobody
"""


@cache
def council(folder: Path) -> tuple[str, PlayableGame]:
    path = folder / "council.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = load(str(path))
    assert isinstance(game, PlayableGame)
    return str(path), game


def chosen(folder: Path, seed: int = 3, **settings: str) -> Counter[str]:
    """How often each option was chosen in a game that bots play."""
    path, game = council(folder)
    match = game.start(None, seed)
    assert isinstance(match, Match)
    play_out(replace(Settings(path, seed=seed), **settings), match, 0, lambda: False)
    assert match.result.end == "over"
    return Counter(c.id for c in match.choices)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("council")


def test_first_and_last_are_the_options_as_the_rules_list_them(folder: Path) -> None:
    found = chosen(folder, agreement="first", majority="last")
    assert (found["united=yes"], found["united=no"]) == (18, 0)
    assert (found["plan=4"], found["plan=1"]) == (18, 0)
    assert 0 < found["mood=1"] < 18 and 0 < found["mood=3"] < 18  # any other choice is the bot's


def test_each_policy_has_its_own_word(folder: Path) -> None:
    found = chosen(folder, majority="first")
    assert found["plan=1"] == 18
    assert 0 < found["united=yes"] < 18  # agreement is random where nothing is said


def test_own_is_what_the_bot_would_choose(folder: Path) -> None:
    found = chosen(folder, bots=("first",), agreement="own")  # type: ignore[arg-type]
    assert found["united=yes"] == 18 and found["mood=1"] == 18
    assert 0 < found["plan=1"] < 18


@pytest.mark.parametrize(
    ("policy", "low", "high"), [("0", 0, 0), ("1", 1, 1), ("0.8", 0.72, 0.88), ("0.25", 0.17, 0.33)]
)
def test_a_probability_is_that_of_the_first_option(
    folder: Path, policy: str, low: float, high: float
) -> None:
    found = sum(
        (chosen(folder, seed, agreement=policy, majority=policy) for seed in range(20)), Counter[str]()
    )
    assert low <= found["united=yes"] / 360 <= high
    assert low <= found["plan=1"] / 360 <= high
    rest = [found[f"plan={n}"] for n in (2, 3, 4)]
    assert sum(rest) == 360 - found["plan=1"]
    if policy != "1":
        assert min(rest) > sum(rest) / 6  # the others are equally likely


def test_random_takes_every_option_about_as_often(folder: Path) -> None:
    found = sum((chosen(folder, seed, bots=("first",)) for seed in range(20)), Counter[str]())  # type: ignore[arg-type]
    assert all(60 < found[f"plan={n}"] < 120 for n in (1, 2, 3, 4))


def test_the_same_seed_says_the_same_and_seats_differ(folder: Path) -> None:
    assert chosen(folder, 5, agreement="0.5") == chosen(folder, 5, agreement="0.5")
    _, game = council(folder)
    match = game.start(None, 1)
    assert isinstance(match, Match)
    both = [
        tuple(Consenting(FirstBot(seed, seat), "0.5", "0.5", seed, seat).choose(match) for seat in (0, 1))
        for seed in range(60)
    ]
    assert 12 < sum(a == b for a, b in both) < 48


def test_other_games_are_played_as_without_a_policy() -> None:
    def moves(policy: str) -> list[str]:
        match = start(tic_tac_toe(), 2, trace=False)
        bots = [Consenting(RandomBot(2, seat), policy, policy, 2, seat) for seat in (0, 1)]
        while match.decision is not None:
            match.choose(bots[match.decision.player].choose(match))
        return [c.id for c in match.choices]

    assert moves("first") == moves("random") == moves("0.3")


def test_nobody_to_choose_is_said() -> None:
    match = start(tic_tac_toe(), 2, trace=False)
    while match.decision is not None:
        match.choose(0)
    with pytest.raises(ValueError, match="Nobody has to choose"):
        Consenting(RandomBot(2, 0), "random", "random", 2, 0).choose(match)


def test_policies_have_one_spelling() -> None:
    assert [policy_named(p) for p in POLICIES] == list(POLICIES)
    assert [policy_named(p) for p in ("0.80", ".5", "1.0", "0", "1")] == ["0.8", "0.5", "1", "0", "1"]
    for wrong in ("", "often", "1.5", "-0.1", "0,8", "1e-1", "nan", "0.8 ", "80%"):
        with pytest.raises(ValueError, match="probability"):
            policy_named(wrong)


def test_a_batch_says_which_policies_it_was_played_with(folder: Path) -> None:
    path, _ = council(folder)
    batch = run_batch(Settings(path, games=3, agreement="0.8"), open_game, workers=1)
    assert isinstance(batch, Batch)
    data = batch.settings.as_json()
    assert (data["agreement"], data["majority"]) == ("0.8", "random")
    refused = run_batch(Settings(path, games=3, majority="often"), open_game, workers=1)
    assert isinstance(refused, tuple) and refused[0].code == "E513" and "`often`" in refused[0].text
