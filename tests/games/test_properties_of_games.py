"""What holds in every bundled game, with every variant, whoever plays: pieces, saves, secrets, replays."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache

import pytest

from rulewright.dsl.load import bundled_games, find_game, load_game
from rulewright.dsl.variants import variant_names
from rulewright.interpreter import ir
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.match import Match, load_match, start
from rulewright.interpreter.record import replay
from rulewright.interpreter.verify import verify
from rulewright.tests.interpreter.playing import leak

Figure = Callable[[int, int], int]


def games_and_variants() -> list[tuple[str, str]]:
    found = []
    for game in bundled_games():
        path = find_game(game)
        assert path is not None
        found += [(game, ""), *((game, v) for v in variant_names(path))]
    return found


@cache
def program(game: str, variant: str = "", players: int | None = None) -> ir.Program:
    loaded = load_game(game, (variant,) if variant else ())
    assert loaded.checked is not None
    made = prepare(loaded.checked, players)
    assert isinstance(made, ir.Program), made
    return made


def tables(game: str) -> list[int]:
    """The numbers of players worth playing: the fewest and the most."""
    checked = load_game(game).checked
    assert checked is not None
    low, high = checked.game.players_low, min(checked.game.players_high, 5)
    return sorted({low, high})


def played(program: ir.Program, seed: int, choices: int) -> Match:
    match, luck = start(program, seed, trace=False), random.Random(seed)
    for _ in range(choices):
        if match.decision is None:
            break
        assert match.choose(luck.randrange(match.decision.count)) is None
    return match


@pytest.mark.parametrize(("game", "variant"), games_and_variants())
def test_every_game_and_variant_loads_clean_and_its_program_is_sound(game: str, variant: str) -> None:
    loaded = load_game(game, (variant,) if variant else ())
    assert [str(p) for p in loaded.problems] == []
    for players in tables(game):
        assert verify(program(game, variant, players)) == []


@pytest.mark.parametrize(("game", "variant"), games_and_variants())
def test_no_piece_is_made_or_lost(game: str, variant: str, figure: Figure) -> None:
    for players in tables(game):
        code = program(game, variant, players)
        for seed in range(figure(2, 40)):
            match, luck = start(code, seed, trace=False), random.Random(seed)
            while match.decision is not None:
                assert match.choose(luck.randrange(match.decision.count)) is None
                s = match.state
                lying = sorted(p for pieces in s.contents.values() for p in pieces)
                assert lying == list(range(len(code.pieces)))
                assert all(p in s.contents[s.place_of[p]] for p in lying)
                assert match.broken_invariants() == []
            assert match.result is not None


@pytest.mark.parametrize(("game", "variant"), games_and_variants())
def test_a_saved_match_goes_on_just_the_same(game: str, variant: str, figure: Figure) -> None:
    code = program(game, variant)
    for seed in range(figure(3, 60)):
        match = played(code, seed, seed * 3 % 11)
        loaded = load_match(code, json.loads(json.dumps(match.save())))
        assert isinstance(loaded, Match)
        copied, luck = match.copy(), random.Random(seed)
        while match.decision is not None:
            choice = luck.randrange(match.decision.count)
            for m in (match, loaded, copied):
                assert m.choose(choice) is None
            assert match.state_hash() == loaded.state_hash() == copied.state_hash()
        assert match.result == loaded.result == copied.result


@pytest.mark.parametrize(("game", "variant"), games_and_variants())
def test_what_a_player_may_not_know_makes_no_difference(game: str, variant: str, figure: Figure) -> None:
    for players in tables(game):
        code = program(game, variant, players)
        luck = random.Random(3)
        for seed in range(figure(4, 120)):
            match = played(code, seed, seed * 5 % 23)
            if match.over:
                continue  # who has won is for everybody, whatever it was decided by
            for viewer in (0, players - 1, None):
                assert leak(match, viewer, luck) == ""


@pytest.mark.parametrize("game", bundled_games())
def test_a_record_replays_exactly(game: str) -> None:
    code = program(game)
    match = played(code, 11, 10_000)
    record = json.loads(json.dumps(match.record))
    again = replay(code, record)
    assert isinstance(again, Match)
    assert (again.result, again.state_hash()) == (match.result, match.state_hash())
    record["rules"] = "0" * 32
    refused = replay(code, record)
    assert not isinstance(refused, Match)
    assert code.rules_hash in str(refused) and "0" * 32 in str(refused)


@pytest.mark.parametrize("game", bundled_games())
def test_choosing_by_number_and_by_id_is_the_same(game: str) -> None:
    code = program(game)
    one, two, luck = start(code, 5, trace=False), start(code, 5), random.Random(5)
    while one.decision is not None and two.decision is not None:
        ids = [o.id for o in one.decision.options]
        assert len(set(ids)) == len(ids)
        i = luck.randrange(len(ids))
        assert one.choose(i) is None and two.choose(ids[i]) is None
        assert one.state_hash() == two.state_hash()
    assert one.over and two.over
