"""Nothing that is written for a special card of Vye is there for nothing: without any rule, printed value,
action, definition, condition or line of it, a scenario fails that covers the statement it is there for.

What the checker refuses already is found by it. Each file of a card gives some of its pieces in every run,
and all of them in `make soak`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.dsl.problems import Problems
from rulewright.playtest.scenarios import Runner
from rulewright.playtest.scenarios_read import Scenario, read_scenarios
from rulewright.tests.scenarios.mutations import Mutation
from rulewright.tests.scenarios.mutations_of_kinds import mutations_of_kinds

GAME = "vye"
LOADED = load_game(GAME)
SHARED = ("covering.yaml", "lending.yaml")  # what several special cards have in common
WHOLE_RULE = re.compile(r"(cards\.\w+\.)?rules\.\w+$")

# The statements that a piece is there for, or the house rule. The longest name that a piece's name begins
# with counts.
STATEMENTS = {
    "cards.ancient_passage.printed.covers": ["PLACE-04", "PASSAGE-01"],
    "cards.ancient_passage.rules.passage_covers_what_is_not_yours": ["PASSAGE-01"],
    "cards.ancient_passage.rules.passage_joins_two_kingdoms": ["PASSAGE-02"],
    "cards.barracks.is": ["BARRACKS-03"],
    "cards.barracks.printed.claims": ["BARRACKS-01"],
    "cards.barracks.rules": ["BARRACKS-02"],
    "cards.catapult.printed.claims": ["CATAPULT-01"],
    "cards.catapult.rules": ["CATAPULT-02"],
    "define.shot_of": ["CATAPULT-04"],
    "actions.shoot": ["CATAPULT-06"],
    "cards.earthquake.rules": ["QUAKE-02"],
    "events.shift": ["QUAKE-05"],
    "cards.fortress.is": ["FORTRESS-04"],
    "cards.fortress.printed.claims": ["FORTRESS-01"],
    "cards.fortress.printed.lies_aside": ["SETUP-19"],
    "cards.fortress.rules": ["FORTRESS-02"],
    "cards.lost_city.printed.covers": ["LOST-01"],
    "cards.lost_city.printed.claims": ["LOST-02"],
    "cards.lost_city.rules.lost_city_covers_a_land_of_yours": ["LOST-01"],
    "cards.lost_city.rules.lost_city_keeps_the_tokens": ["LOST-02"],
    "cards.lost_city.rules.lost_city_counts_two": ["LOST-05"],
    "cards.necropolis.printed.claims": ["NECRO-02"],
    "cards.necropolis.rules": ["NECRO-01", "NECRO-04"],
    "cards.necropolis.rules.the_undead_rise.when": ["NECRO-10"],
    "cards.necropolis.rules.the_undead_rise.do 1: if necropolis_owner": ["switch necropolis_owner"],
    "define.undead": ["NECRO-04"],
    "define.reach_of_the_undead": ["NECRO-03", "NECRO-04"],
    "cards.sanctuary.printed.covers": ["SANCT-01"],
    "cards.sanctuary.printed.claims": ["SANCT-03"],
    "cards.sanctuary.rules.everybody_claims_sanctuary": ["SANCT-03"],
    "cards.sanctuary.rules.the_undead_keep_their_necropolis": ["SANCT-07"],
    "cards.sanctuary.rules.nothing_is_done_to_sanctuary": ["SANCT-04"],
    "cards.sanctuary.rules.sanctuary_only_connects": ["SANCT-06", "switch sanctuary_scores"],
    "cards.sanctuary.rules.everybody_needs_a_token_for_sanctuary": ["FORT-09"],
    "cards.sinkhole.printed.covers": ["SINK-01"],
    "cards.sinkhole.printed.claims": ["SINK-03"],
    "cards.sinkhole.rules.nothing_takes_a_sinkhole": ["SINK-04"],
    "cards.sinkhole.rules.a_sinkhole_stays_open": ["SINK-06", "switch sinkhole_permanent"],
    "cards.underminers.printed.claims": ["UNDER-01"],
    "cards.underminers.printed.lies_aside": ["SETUP-19"],
    "cards.underminers.rules": ["UNDER-02"],
    "cards.underminers.rules.underminers_dig_now.when": ["UNDER-08"],
    "define.across": ["UNDER-02", "UNDER-03"],
    "actions.dig_again": ["switch underminers_redig"],
    "actions.dig_again.used when": ["UNDER-08"],
    "cards.waystone.rules.a_new_waystone_gives_a_turn": ["WAY-02"],
    "cards.waystone.rules.a_captured_waystone_gives_a_turn": ["WAY-03", "NECRO-16"],
    "cards.waystone.rules.one_turn_in_a_row": ["WAY-07", "switch waystone_stack"],
    "events.one_more_turn": ["WAY-02", "WAY-03"],
    "cards.wild_land.is": ["WILD-03"],
    "actions.play_wild_land": ["WILD-01"],
    "actions.play_wild_land.require 1": ["WILD-04"],
    "actions.play_wild_land.require 2": ["WILD-05"],
    "actions.play_wild_land.do": ["WILD-01", "WILD-02"],
    "define.chain": ["WILD-04", "WILD-05"],
    "define.lands_beside": ["WILD-04"],
    "define.lands_beside.group_alone": ["switch wild_count"],
    "rules.a_wild_land_names_its_set": ["WILD-01"],
    "rules.a_wild_land_names_its_set.when": ["WILD-05"],
    "rules.a_land_never_joins_two_wild_lands": ["WILD-05"],
    "rules.a_land_never_joins_two_wild_lands.used when": ["switch two_wilds_by_land"],
    "actions.cover": ["PLACE-04", "SPEC-04"],
    "actions.cover.do 2": ["SPEC-03", "SINK-02"],
    "actions.cover.do 3": ["PASSAGE-05"],
    "events.clear": ["SINK-02"],
    "actions.lend_a_token": ["BARRACKS-03", "BARRACKS-06"],
    "events.lend": ["BARRACKS-02"],
    "rules.tokens_strengthen_your_own_cards": ["BARRACKS-07"],
    "rules.the_last_token_stays": ["BARRACKS-04"],
}
COPIES = ["COMP-04"]

# What can be taken out and leaves the game as it was, and why it is written all the same.
ONLY_TOLD = {
    "cards.earthquake.rules.the_earth_shakes.do 3: shift(one)": "the log says which card is moved",
    "cards.earthquake.rules.the_earth_shakes.do 4: shift(other)": "the log says which card is moved",
    "cards.sanctuary.rules.everybody_needs_a_token_for_sanctuary.used when": "a soft supply never runs out",
}


def files() -> list[str]:
    """The files of the special cards, and of what they share."""
    paths = [f.path for f in LOADED.files]
    return [p.as_posix() for p in paths if p.parent.name == "specials" or p.name in SHARED]


def pieces() -> Iterator[object]:
    """All that can be taken out; of each file a whole rule and one piece more are the sample."""
    for file in files():
        found = [m for m in mutations_of_kinds(LOADED, file) if m.name not in ONLY_TOLD]
        rule = next((m for m in found if WHOLE_RULE.match(m.name)), found[0])
        sample = (rule, found[len(found) * 2 // 3])
        for mutation in found:
            marks = () if mutation in sample else (pytest.mark.soak,)
            yield pytest.param(mutation, marks=marks, id=mutation.name)


@cache
def scenarios() -> tuple[Scenario, ...]:
    return read_scenarios(LOADED, Problems())


def names(scenario: Scenario) -> set[str]:
    """The statements that a scenario covers, and the house rule that its title names."""
    covered = {c.removeprefix("VYE-") for c in scenario.covers}
    return covered | {scenario.text("title").removeprefix("The ")}


def statements_of(name: str) -> list[str]:
    """What a piece is there for."""
    if ".copies: " in name:
        return COPIES
    fits = [key for key in STATEMENTS if name.startswith(key)]
    return STATEMENTS[max(fits, key=len)] if fits else []


@pytest.mark.parametrize("mutation", list(pieces()))
def test_a_piece_taken_out_is_missed(mutation: Mutation, tmp_path: Path) -> None:
    variant = tmp_path / "variant.yaml"
    variant.write_text(mutation.variant.replace("of: game", f"of: {GAME}"), encoding="utf-8")
    changed = load_game(GAME, (str(variant),))
    if not changed.ok:
        assert all(p.span.line and p.text for p in changed.problems)
        return
    wanted = statements_of(mutation.name)
    assert wanted, "say in STATEMENTS which statements this piece is there for"
    shown = [s for s in scenarios() if names(s) & set(wanted)]
    runner = Runner(changed)
    assert any(not result.ok for s in shown for result in runner.run([s])), [s.name for s in shown]


def test_each_of_the_twelve_cards_is_in_the_sample() -> None:
    sample = [p for p in pieces() if not p.marks]  # type: ignore[attr-defined]
    cards = {str(p.id).split(".")[1] for p in sample if str(p.id).startswith("cards.")}  # type: ignore[attr-defined]
    kinds = {Path(f).stem for f in files()} - {Path(f).stem for f in SHARED}
    assert len(kinds) == 12 and len(sample) >= len(files())
    assert kinds - cards <= {"wild_land"}  # its rules stand by themselves


def test_what_is_only_told_is_still_there() -> None:
    there = {m.name for file in files() for m in mutations_of_kinds(LOADED, file)}
    assert there >= ONLY_TOLD.keys()


def test_each_statement_is_covered_by_a_scenario() -> None:
    assert {s for wanted in STATEMENTS.values() for s in wanted} <= set().union(*map(names, scenarios()))
