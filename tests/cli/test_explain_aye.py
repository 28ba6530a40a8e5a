"""A united roll of Aye that fails, explained: dice, conversions, damage, reputations, what the captain loses.

The dice are scripted. In the first round Bob alone takes the first step of the cannons; in the second he and
the captain roll together for three successes, have two by a paid trident and a hook, and fail.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.chance import ScriptedChance
from rulewright.interpreter.match import Match
from rulewright.playtest.records import record_text

NAMES = ("ann", "bob", "cleo", "dora", "emil", "fay")
SCRIPT = ("kept", "cannon", "sail", *("trident", "kraken", "helm", "sail"), "swords")
# What is chosen where the question holds these words; the first that fits is taken, else the last option.
ANSWERS = (
    ("purse of", "3"),
    ("Command (fire_cannons)", "order of bob"),
    ("Command (rum)", "order of ann"),
    ("Command (give_hook)", "order of dora"),
    ("pool of bob", "2"), ("pool of ann", "2"), ("pool of", "0"),
    ("Aye or Argh?", "aye"),
    ("Obey", "Go ahead"),
    ("Give the hook", "Give the hook: receiver bob"),
    ("Roll together?", "yes"),
    ("You may react", "Pay Poseidon for a trident: trident Mission die [trident]"),
    ("You may react", "Use the hook: turned die Mission die [helm]"),
    ("(again)", "Mission die [sail]"),
    ("mutiny", "Go ahead"),
)  # fmt: skip


def step(match: Match) -> None:
    """Choose for whoever is asked."""
    decision = match.decision
    assert decision is not None
    texts = [option.text for option in decision.options]
    wanted = [text for words, text in ANSWERS if words in decision.prompt and text in texts]
    if "Choose a deed" in decision.prompt and match.view(None)["state"]["progress"]["fire_cannons"]:
        wanted = ["fire cannons"]
    refused = match.choose(texts.index(wanted[0]) if wanted else len(texts) - 1)
    assert refused is None, (decision.prompt, refused)


@cache
def failed() -> tuple[Match, int]:
    """The match right after the failed attempt, and which choice let the dice roll."""
    game = load("aye")
    assert isinstance(game, PlayableGame)
    options = {"first_captain": "ann"}
    program = game.program(NAMES, options)
    assert not isinstance(program, tuple)
    chance = ScriptedChance([stream.name for stream in program.streams], SCRIPT)
    match = game.start(NAMES, options=options, chance=chance)
    assert isinstance(match, Match)
    rolled = 0
    while match.view(None)["state"]["respect"] == 10:
        step(match)
        if match.choices[-1].id == "united=yes":
            rolled = len(match.choices)
    return match, rolled


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is told of the attempt, choice by choice."""
    match, rolled = failed()
    path = tmp_path_factory.mktemp("records") / "record.json"
    path.write_text(record_text(match.record))
    told_there = StringIO()
    with redirect_stdout(told_there):
        for number in range(rolled, len(match.choices) + 1):
            assert main(["explain", str(path), "--at", str(number)]) == 0
    return told_there.getvalue()


def at(file: str, words: str) -> str:
    """The place of the first line of a rule file with these words, as it is told."""
    lines = (bundled_rules() / "aye" / file).read_text(encoding="utf-8").splitlines()
    return f"aye/{file}:{next(n for n, line in enumerate(lines, 1) if words in line)}]"


def told(text: str, *words: str) -> bool:
    """Whether one line holds all these words."""
    return any(all(w in line for w in words) for line in text.splitlines())


def test_the_dice_are_told_with_the_rule_that_rolls_them(explained: str) -> None:
    place = at("flow.yaml", "roll all die in tray of any player")
    for face in ("trident", "kraken", "helm", "sail"):
        assert told(explained, f": {face}  [draw", place)
    assert told(explained, ": swords  [draw", at("flow.yaml", "reroll all die in named"))
    assert "They agree: yes" in explained and "crew: nothing → bob and ann" in explained


def test_the_conversions_are_told_with_what_they_cost(explained: str) -> None:
    assert told(explained, "bob chose: pay_a_trident") and told(explained, "bob chose: use_the_hook")
    assert told(
        explained, "Doubloon: purse of bob → poseidon", at("actions.yaml", "(amount) doubloon in purse")
    )
    assert told(explained, "plain → paid", at("attempt.yaml", "set mark_of of trident to paid"))
    assert told(
        explained, "Doubloon: hook of bob → poseidon", at("attempt.yaml", "move all doubloon in hook")
    )
    assert told(explained, "plain → turned", at("attempt.yaml", "set mark_of of turned_die to turned"))


def test_the_damage_is_told(explained: str) -> None:
    assert told(explained, "integrity: 15 → 14", at("flow.yaml", "take bites * kraken_damage"))
    assert told(
        explained, "Mission die: tray of bob → kraken_space", at("flow.yaml", "in biting to kraken_space")
    )


def test_what_pirate_and_captain_lose_is_told(explained: str) -> None:
    match, _ = failed()
    assert told(explained, "succeed_or_fail: won no", at("attempt.yaml", "succeed_or_fail(yes or no won)"))
    assert told(explained, "reputation of bob: 3 → 2")
    assert told(
        explained, "a_captain_has_no_reputation", at("reputation.yaml", "a_captain_has_no_reputation:")
    )
    assert "A captain has no pirate's reputation." in explained and "reputation of ann:" not in explained
    assert told(explained, "respect: 10 → 9", at("attempt.yaml", "take 1 from respect"))
    assert match.view(None)["state"]["progress"]["fire_cannons"] == 1
