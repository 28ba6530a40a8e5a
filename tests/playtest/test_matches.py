from __future__ import annotations

from collections import Counter

from rulewright.interpreter import ir
from rulewright.interpreter.match import Match, start
from rulewright.playtest.bots import Bot, FirstBot, RandomBot
from rulewright.playtest.matches import play_match
from rulewright.tests.interpreter.programs import at, dice_game, effect, say, tic_tac_toe


def pair(seed: int = 0) -> list[Bot]:
    return [RandomBot(seed, 0), RandomBot(seed, 1)]


def first_ones() -> list[Bot]:
    return [FirstBot(0, 0), FirstBot(0, 1)]


def test_a_match_is_played_to_its_end() -> None:
    outcome = play_match(start(tic_tac_toe(), 1, trace=False), first_ones())
    # Always the first empty space: x takes a1 c1 b2 a3, and with a3 the diagonal c1 b2 a3.
    assert (outcome.status, outcome.end, outcome.winners, outcome.decisions) == ("ended", "line", (0,), 7)
    assert outcome.branching == Counter({9: 1, 8: 1, 7: 1, 6: 1, 5: 1, 4: 1, 3: 1})
    assert outcome.began == 0 and outcome.scores == ()


def test_scores_are_those_of_the_end() -> None:
    outcome = play_match(start(dice_game(), 3, trace=False), pair(3))
    assert outcome.status == "ended"
    assert outcome.scores[outcome.winners[0]] == max(outcome.scores) >= 20


def test_a_match_that_takes_too_long_is_stopped_with_a_reason() -> None:
    outcome = play_match(start(tic_tac_toe(), 1, trace=False), pair(), limit=4)
    assert (outcome.status, outcome.reason, outcome.decisions) == ("stopped", "no end after 4 decisions", 4)
    assert outcome.winners == () and outcome.end == ""


def test_the_last_allowed_decision_may_end_the_game() -> None:
    assert play_match(start(tic_tac_toe(), 1, trace=False), first_ones(), limit=7).status == "ended"


def test_rules_that_run_out_without_an_end_are_told() -> None:
    outcome = play_match(start(effect(), 1, trace=False), pair())
    assert outcome.status == "stopped" and "without reaching an end" in outcome.reason


def test_a_rule_that_fails_is_an_outcome_with_its_line() -> None:
    program = effect(ir.Fail(say("This cannot be done."), at(33)))
    outcome = play_match(start(program, 1, trace=False), pair())
    assert outcome.status == "fault"
    assert "This cannot be done." in outcome.reason and "game.yaml:33" in outcome.reason


def test_a_watcher_sees_every_position_and_can_stop_the_match() -> None:
    met: list[int] = []

    def watch(match: Match) -> str:
        met.append(len(match.choices))
        return "enough" if len(match.choices) == 3 else ""

    outcome = play_match(start(tic_tac_toe(), 1, trace=False), pair(), watch=watch)
    assert met == [0, 1, 2, 3]
    assert (outcome.status, outcome.reason) == ("fault", "enough")


def test_a_stop_that_is_asked_for_is_no_fault() -> None:
    outcome = play_match(start(tic_tac_toe(), 1, trace=False), pair(), stop=lambda: True)
    assert outcome.status == "interrupted"
