from __future__ import annotations

from collections import Counter

from rulewright.interpreter.match import Match, start
from rulewright.playtest.bots import BOTS, RandomBot, bot_named
from rulewright.tests.interpreter.programs import card_game, dice_game, tic_tac_toe


def played(seed: int, program: object = None) -> Match:
    match = start(tic_tac_toe(), seed, trace=False)
    bots = [RandomBot(seed, 0), RandomBot(seed, 1)]
    while match.decision is not None:
        assert match.choose(bots[match.decision.player].choose(match)) is None
    return match


def test_the_same_seed_and_seat_choose_the_same() -> None:
    assert [c.id for c in played(5).choices] == [c.id for c in played(5).choices]
    assert len({tuple(c.id for c in played(seed).choices) for seed in range(20)}) > 15


def test_two_seats_of_one_seed_do_not_choose_alike() -> None:
    match = start(tic_tac_toe(), 1, trace=False)
    firsts = [(RandomBot(s, 0).choose(match), RandomBot(s, 1).choose(match)) for s in range(60)]
    assert sum(a == b for a, b in firsts) < 20


def test_a_random_bot_takes_every_option_about_as_often() -> None:
    match = start(tic_tac_toe(), 1, trace=False)
    bot = RandomBot(3, 0)
    counts = Counter(bot.choose(match) for _ in range(9000))
    assert set(counts) == set(range(9))
    assert all(800 < n < 1200 for n in counts.values())


def test_a_bot_leaves_the_match_and_its_luck_alone() -> None:
    for program in (dice_game(), card_game()):
        match = start(program, 4, trace=False)
        before = match.save()
        RandomBot(4, 0).choose(match)
        assert match.save() == before


def test_every_bot_in_the_list_plays() -> None:
    match = start(tic_tac_toe(), 1, trace=False)
    for name in BOTS:
        assert 0 <= bot_named(name, 7, 1).choose(match) < 9
