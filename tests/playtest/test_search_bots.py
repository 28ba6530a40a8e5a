"""Bots that search: they win, they do not peek, and they say where they cannot play."""

import pytest

from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.wasm import host
from rulewright.playtest.batch import Batch, run_batch
from rulewright.playtest.bots import bot_named, known
from rulewright.playtest.search_bots import has_secrets
from rulewright.playtest.settings import Settings
from rulewright.tests.interpreter.programs import tic_tac_toe
from rulewright.tests.semantics.toys import toy


def program(name: str, players: int) -> ir.Program:
    game = load(name)
    assert isinstance(game, PlayableGame)
    found = game.program(players, seed=0)
    assert isinstance(found, ir.Program)
    return found


def wins(game: str, bots: tuple[str, ...], games: int) -> list[int]:
    batch = run_batch(Settings(game, bots=bots, games=games, seed=5), workers=1)
    assert isinstance(batch, Batch)
    assert batch.tally.games == games
    return [batch.tally.wins[seat] for seat in range(len(batch.players))]


def after(match: Match, *options: int) -> Match:
    for option in options:
        assert match.choose(option) is None
    return match


@pytest.mark.parametrize("bot", ["mcts:400", "flat:400"])
def test_it_takes_the_win_that_is_there_and_stops_the_other_one(bot: str) -> None:
    #  X X .      red (X) moves         X X .     blue (O) moves
    #  O O .                           O . .
    match = after(start(tic_tac_toe(), 1, trace=False), 0, 2, 0, 1)
    decision = match.decision
    assert decision is not None
    chosen = decision.options[bot_named(bot, 1, 0).choose(match)]
    match.choose(chosen)
    assert match.over and match.result.winners == ("red",)
    match = after(start(tic_tac_toe(), 1, trace=False), 0, 2, 0)
    assert match.decision is not None and match.decision.player_name == "blue"
    chosen = match.decision.options[bot_named("mcts:3000", 1, 1).choose(match)]
    assert chosen.id.endswith("c1") or chosen.values[0][1] == "c1", chosen.id


def test_it_plays_better_than_anybody_who_does_not_think() -> None:
    assert wins("connect_four", ("mcts:200", "random"), 12)[0] >= 11
    first, second = wins("connect_four", ("mcts:400", "flat:50"), 12)
    assert first > second


def test_what_it_does_follows_from_the_seed() -> None:
    match = start(program("connect_four", 2), 3, trace=False)
    again = [bot_named("mcts:300", 11, 0).choose(match) for _ in range(3)]
    assert len(set(again)) == 1
    assert match.state_hash() == start(program("connect_four", 2), 3, trace=False).state_hash()


GUESS = """
types:
  rank: 1 to 4
cards:
  card: {copies: one per rank, code: "K{rank}", starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  secret: {holds: cards, seen by: nobody}
state:
  guessed: {is: number 0 to 4, start: 0}
setup:
  do: |
    shuffle deck
    deal 1 from deck to secret
flow:
  - guessing:
      turns: clockwise from first_player
      actions: [guess]
actions:
  guess:
    choose: {guess: rank}
    do: |
      set guessed to guess
ends:
  right: {when: "any card in secret where rank of card is guessed", winner: x}
  wrong: {when: guessed > 0, winner: o}
"""


def test_it_does_not_look_at_what_it_cannot_know() -> None:
    # One that peeks is always right; one that does not is right once in four times.
    right = 0
    for seed in range(40):
        match = toy(GUESS, seed=seed)
        assert match.choose(bot_named("mcts:200", seed, 0).choose(match)) is None
        right += match.result.end == "right"
    assert 3 <= right <= 18


def test_a_game_with_secrets_is_known_from_its_program() -> None:
    assert not has_secrets(program("connect_four", 2))
    assert not has_secrets(program("pig", 2))
    assert has_secrets(program("kuhn_poker", 2))
    assert has_secrets(program("vye", 3))
    assert has_secrets(program("goofspiel", 2))


@pytest.mark.parametrize("name", ["mcts", "mcts:1", "flat:500", "random"])
def test_names_with_and_without_playouts(name: str) -> None:
    assert known(name)


@pytest.mark.parametrize("name", ["mcts:", "mcts:0", "mcts:-3", "mcts:x", "random:5", "first:", ":5", ""])
def test_names_that_nobody_has(name: str) -> None:
    assert not known(name)
    with pytest.raises(KeyError):
        bot_named(name, 1, 0)


def test_without_the_fast_machine_such_a_bot_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "wasmtime", None)
    refused = run_batch(Settings("tic_tac_toe", bots=("mcts",), games=2), workers=1)
    assert isinstance(refused, tuple)
    assert refused[0].code == "E514" and "wasmtime" in refused[0].text
