"""A refused choice says why, in the designer's words, and changes nothing."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match, start
from rulewright.tests.interpreter.playing import do
from rulewright.tests.interpreter.programs import card_game, dice_game, tic_tac_toe


def taken() -> Match:
    return do(start(tic_tac_toe()), "put b2")


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("", "unknown", "Nothing was chosen."),
        ("putt b1", "unknown", "There is no action `putt` here. Did you mean `put`?"),
        ("castle", "unknown", "There is no action `castle` here. Possible here: put."),
        ("put spto=a1", "unknown", "`put` has nothing called `spto`. Did you mean `spot`?"),
        ("put a1 a2", "unknown", "`put` has no use for `a2`."),
        ("put", "value", "`spot` is missing. Possible: a1, b1, c1, a2, b2, c2, a3, b3, c3."),
        ("put d1", "value", "There is no `d1` to be `spot`. Did you mean `a1`?"),
        ("put supply_of_red", "where", "supply_of_red is not among `spot`."),
        ("put b2", "where", "That space is taken."),
    ],
)
def test_a_refused_action_says_why(text: str, form: str, reason: str) -> None:
    match = taken()
    refused = match.choose(text)
    assert refused is not None
    assert refused.form == form
    assert refused.reason.startswith(reason)


def test_a_requirement_gives_its_own_reason_and_line() -> None:
    refused = start(dice_game()).choose("stop")
    assert refused is not None
    assert (refused.form, refused.reason, refused.span.line) == (
        "require",
        "There is nothing in the pot yet.",
        11,
    )


def test_a_forbidden_action_gives_the_reason_of_the_rule() -> None:
    match = do(start(card_game(), 2), "play rain", "gift=none", "done", 0, 0)
    decision = match.decision
    assert decision is not None
    card = next(o for o in decision.options if o.action == "turn").values[0][1]
    refused = match.choose(f"turn shown={card} side=up")
    assert refused is not None
    assert (refused.form, refused.reason) == ("forbid", "It lies that way already.")


def test_a_part_of_a_selection_may_have_its_own_words() -> None:
    for seed in range(30):
        match = start(card_game(), seed)
        if any("snow" in str(p) for p in match.view(0)["zones"]["hand of red"]["pieces"]):
            refused = match.choose("play snow")
            assert refused is not None
            assert (refused.form, refused.reason) == ("where", "Snow cannot be played.")
            return
    raise AssertionError("no hand with that card")


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("gift=3", "where", "3 is not among `gift`. Possible: 1, 2."),
        ("gift=many", "value", "There is no `many` to be `gift`."),
        ("present=1", "unknown", "This asks for `gift`, not for `present`."),
        ("done", "value", "Too few have been picked"),
    ],
)
def test_a_refused_choice_in_an_effect_says_why(text: str, form: str, reason: str) -> None:
    match = do(start(card_game(), 2), "play rain")
    refused = match.choose(text)
    assert refused is not None
    assert refused.form == form and refused.reason.startswith(reason)


def test_there_are_several_of_a_name() -> None:
    for seed in range(40):
        match = start(card_game(), seed)
        for _ in range(30):
            decision = match.decision
            if decision is None:
                break
            numbered = next((o for o in decision.options if "#1" in o.id and o.action == "turn"), None)
            if numbered is not None:
                refused = match.choose(f"turn {numbered.values[0][1].split('#')[0]} down")
                assert refused is not None and refused.reason.startswith("There are several")
                return
            do(match, 0)
    raise AssertionError("no two unlike cards of one code")


@pytest.mark.parametrize("choice", ["nothing like it", "put b2", -1, 99])
def test_refusals_change_nothing(choice: str | int) -> None:
    match = taken()
    before = (match.state_hash(), match.save(), match.trace, match.choices)
    assert match.choose(choice) is not None
    assert (match.state_hash(), match.save(), match.trace, match.choices) == before


def test_after_the_end_nothing_can_be_chosen() -> None:
    match = do(start(tic_tac_toe()), "put a1", "put a2", "put b1", "put b2", "put c1")
    assert match.result.winners == ("red",)
    refused = match.choose("put c3")
    assert refused is not None and (refused.form, refused.reason) == ("over", "The game is over.")


def test_names_of_hidden_cards_do_not_tell_whether_they_are_there() -> None:
    match = start(card_game(), 3)
    reasons = set()
    for code in ("sun", "moon", "star", "rain", "wind", "snow"):
        refused = match.choose(f"steal {code}")
        assert refused is not None
        reasons.add(refused.reason.replace(code, "X"))
    assert len(reasons) == 1
