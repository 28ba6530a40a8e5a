"""No rule of Vyr is there for nothing: take any one out, and a scenario that names its statement fails.

A rule without which the game cannot even be checked is found by the checker; then there is nothing to
play.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.playtest.scenarios import run_scenarios
from rulewright.tests.scenarios.mutations import Mutation, mutations

GAME = "vyr"
LOADED = load_game(GAME)
MUTATIONS = mutations(LOADED)

# The statements that a rule is there for. The longest name that a rule's name begins with counts.
STATEMENTS = {
    "options.hands": ["VYR-SETUP-01"],
    "options.hand_size": ["VYR-SETUP-04"],
    "cards.aspect.starts in": ["VYR-SETUP-03"],
    "zones.deck.seen by": ["VYR-SETUP-07"],
    "zones.hand.seen by": ["VYR-SETUP-05"],
    "zones.set_aside.seen by": ["VYR-PLAY-10"],
    "flow.hand": ["VYR-SETUP-01"],
    "flow.hand.preparing": ["VYR-HAND-02"],
    "flow.hand.preparing.skip when": ["VYR-SETUP-02"],
    "flow.hand.preparing.do 1": ["VYR-HAND-01"],
    "flow.hand.preparing.do 2": ["VYR-HAND-03"],
    "flow.hand.preparing.do 5": ["VYR-HAND-04"],
    "flow.hand.preparing.do 6": ["VYR-HAND-04"],
    "flow.hand.preparing.do 7": ["VYR-HAND-04"],
    "flow.hand.dealing": ["VYR-SETUP-04"],
    "flow.hand.dealing.do 1": ["VYR-SETUP-03"],
    "flow.hand.dealing.do 3": ["VYR-SETUP-05"],
    "flow.hand.cutting": ["VYR-SETUP-06"],
    "flow.hand.choosing_early": ["VYR-LINE-03"],
    "flow.hand.laying": ["VYR-PLAY-02"],
    "flow.hand.laying.until": ["VYR-PLAY-08"],
    "flow.hand.choosing": ["VYR-LINE-01"],
    "flow.hand.choosing.skip when": ["VYR-LINE-03"],
    "flow.hand.scoring": ["VYR-SCORE-01"],
    "flow.hand.scoring.do 3": ["VYR-HAND-03", "VYR-SCORE-12"],
    "flow.breaking_the_tie": ["VYR-TIE-01"],
    "flow.breaking_the_tie.repeat": ["VYR-TIE-06"],
    "flow.breaking_the_tie.taking_back": ["VYR-TIE-04"],
    "flow.breaking_the_tie.adding_the_middle": ["VYR-TIE-04"],
    "flow.finish": ["VYR-WIN-01"],
    "actions.cut.do 1": ["VYR-TIE-02"],
    "actions.cut.do 2": ["VYR-SETUP-06"],
    "actions.lay.require": ["VYR-PLAY-04"],
    "actions.lay.do 1": ["VYR-PLAY-03"],
    "actions.choose_lines.do 1": ["VYR-LINE-02"],
    "events.gain.do 1": ["VYR-SCORE-13"],
    "ends.all_hands_played.tie": ["VYR-TIE-06"],
    "define.alignment_points": ["VYR-SCORE-03"],
    "define.balance_points": ["VYR-SCORE-04"],
    "define.perfect_balance_points": ["VYR-SCORE-06"],
    "define.one_suit_points": ["VYR-SCORE-09"],
    "define.aligned": ["VYR-SCORE-03", "VYR-SCORE-05"],
    "define.balanced": ["VYR-SCORE-05"],
    "define.essence_points": ["VYR-SCORE-02"],
    "define.perfect_balance": ["VYR-SCORE-08"],
    "define.one_suit": ["VYR-SCORE-09"],
    "define.line_points": ["VYR-SCORE-01"],
    "define.hand_points": ["VYR-SCORE-01"],
    "define.middle_points": ["VYR-TIE-04"],
    "define.tied": ["VYR-TIE-01"],
    "define.most_tie_cuts": ["VYR-TIE-01"],
}


def statements_of(name: str) -> list[str]:
    fits = [key for key in STATEMENTS if name.startswith(key)]
    return STATEMENTS[max(fits, key=len)] if fits else []


def scenarios_for(statements: list[str]) -> list[str]:
    # Those that fail soonest stand first: scenarios without a long `when`.
    return [r.name for r in ALL if set(r.covers) & set(statements)]


ALL = run_scenarios(LOADED)


def test_all_scenarios_hold_with_all_rules() -> None:
    assert [r.text for r in ALL if not r.ok] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_rule_taken_out_is_missed(mutation: Mutation, tmp_path: Path) -> None:
    variant = tmp_path / "variant.yaml"
    variant.write_text(mutation.variant.replace("of: game", f"of: {GAME}"), encoding="utf-8")
    changed = load_game(GAME, (str(variant),))
    if not changed.ok:
        assert all(p.span.line and p.text for p in changed.problems)
        return
    names = scenarios_for(statements_of(mutation.name))
    assert names, "say in STATEMENTS which statements this rule is there for"
    assert any(not run_scenarios(changed, [name])[0].ok for name in names)
