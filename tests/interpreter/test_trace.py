"""The trace tells what happened, because of which rule, on which line, to each as they may know it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulewright.interpreter import trace as trace_module
from rulewright.interpreter.match import start
from rulewright.interpreter.trace import Event, render
from rulewright.tests.interpreter.playing import do, play
from rulewright.tests.interpreter.programs import card_game, dice_game, tic_tac_toe


def events(tree: Event | None) -> Iterator[Event]:
    assert tree is not None
    yield tree
    for child in tree.children:
        yield from events(child)


def lines(tree: Event | None) -> list[str]:
    assert tree is not None
    return render(tree)


def test_events_hold_what_they_caused() -> None:
    match = do(start(tic_tac_toe()), "put b2")
    assert lines(match.trace) == [
        "play  [phase, game.yaml:7]",
        "  red: Put a disc: spot b2  [choice play, game.yaml:8]",
        "  red puts a disc  [action, game.yaml:12]",
        "    disc: supply of red → b2  [move, game.yaml:13]",
    ]


def test_draws_changes_choices_and_the_end_are_in_it() -> None:
    tree = play(dice_game(), 1, trace=True).trace
    kinds = {e.kind for e in events(tree)}
    assert {"phase", "event", "draw", "change", "choice", "end"} <= kinds
    texts = [e.text for e in events(tree)]
    assert any(t.startswith("pot: 0 → ") for t in texts)
    assert any(t.startswith("die: ") for t in texts)
    assert any(t.startswith("Twenty. Winner: ") for t in texts)
    assert all(e.span.file == "game.yaml" for e in events(tree) if e.kind not in ("game",))


def test_arguments_are_kept_by_name() -> None:
    event = next(e for e in events(do(start(dice_game(), 1), "roll").trace) if e.kind == "event")
    assert (event.name, event.text, event.arguments) == ("throw", "red rolls", (("player", "red"),))


def test_a_choice_that_was_none_is_noted_as_taken() -> None:
    match = play(card_game(), 5, trace=True)
    assert match.trace is not None
    from rulewright.tests.interpreter.test_decisions import NUMBERS, ask_one, run  # a program with one option

    one = run(ask_one(type(NUMBERS)((7,)), "number"))
    assert "red can only take 7" in [e.text for e in events(one.trace)]


def test_without_a_trace_there_is_none() -> None:
    match = play(dice_game(), 1)
    assert match.trace is None and match.trace_for(0) is None


# -------------------------------------------------------------------- secrets


def test_cards_go_by_their_place_for_those_who_did_not_know_them_then() -> None:
    match = do(start(card_game(), 2), "play rain")
    red, blue = lines(match.trace_for(0)), lines(match.trace_for(1))
    assert sum("deck.1: deck → hand of red" in x for x in blue) == 4
    assert sum("deck.1: deck → hand of blue" in x for x in red) == 3
    assert any("Rain: hand of red → table" in x for x in blue)
    # Blue knows the card by now, but did not when it was drawn.
    assert not any("Rain: deck → hand of red" in x for x in blue)
    assert any("Rain: deck → hand of red" in x for x in red)


def test_a_secret_action_is_not_told_to_others() -> None:
    match = start(card_game(), 2)
    steal = next(o.id for o in match.decision.options if o.action == "steal") if match.decision else ""
    do(match, steal)
    assert any("red steals" in x for x in lines(match.trace_for(0)))
    for viewer in (1, None):
        told = lines(match.trace_for(viewer))
        assert not any("steals" in x or "Steal" in x for x in told)
        assert any("Something is done in secret." in x for x in told)


def test_what_was_chosen_together_is_told_when_it_shows() -> None:
    match = do(start(card_game(), 2), "play rain", "gift=none", "done", "bid=sun")
    assert not any("Sun" in x for x in lines(match.trace_for(1)))
    do(match, 0)
    assert any("Sun: hand of red → table" in x for x in lines(match.trace_for(1)))


def test_values_that_a_player_may_not_see_are_not_told() -> None:
    match = do(start(card_game(), 2), "play rain", "gift=none", "done", "bid=sun", 0)
    assert any("bid of red: none → Sun" in x for x in lines(match.trace_for(0)))
    assert not any("bid of red" in x for x in lines(match.trace_for(1)))
    assert not any("bid of red" in x for x in lines(match.trace_for(None)))


def test_the_names_of_hidden_cards_stand_nowhere_in_the_trace_of_others() -> None:
    for seed in range(40):
        match = play(card_game(), seed, seed % 10, trace=True)
        s = match.state
        for viewer in (0, 1):
            told = repr(match.trace_for(viewer)).lower()
            for code in ("sun", "moon", "star", "rain", "wind", "snow"):
                copies = [i for i, p in enumerate(s.code.program.pieces) if p.code == code]
                if not any(s.code.knowers(s, i) >> viewer & 1 for i in copies):
                    assert code not in told


def test_a_trace_has_a_bound_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_module, "LIMIT", 10)
    told = lines(play(dice_game(), 3, trace=True).trace)
    assert len(told) == 10
    assert sum("The trace is full" in x for x in told) == 1
