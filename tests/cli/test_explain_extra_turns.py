"""A Waystone captured in an extra turn, explained: what was captured, by which rule, whose turn comes then.

The game is sought among random ones in which Waystones are played at once and Families are kept for an extra
turn, until one of them captures a Waystone in it.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.dsl.load import bundled_rules
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.playtest.records import record_text

SEEDS = range(200)
FAMILY = re.compile(r"play played=[A-Z]{2} ")


def is_again(match: Match, option: str) -> bool:
    """Whether the player has another turn after that choice, with nothing asked in between."""
    trial, player = match.copy(), match.state.ask.player if match.state.ask else -1
    assert trial.choose(option) is None
    decision = trial.decision
    return decision is not None and decision.kind == "action" and decision.player == player


def choice(match: Match, extra: bool, luck: random.Random) -> tuple[str, bool]:
    """What is chosen, and whether it captures a Waystone in an extra turn."""
    assert match.decision is not None
    ids = match.decision.ids
    families = [x for x in ids if FAMILY.match(x)]
    captures = [x for x in families if is_again(match, x)] if extra else []
    if captures:
        return captures[0], True
    waystones = [x for x in ids if "played=wa " in x]
    others = [x for x in ids if x not in families]
    return luck.choice(waystones or others or ids), False


def a_game() -> tuple[Match, int]:
    """A finished game, and which of its choices captures a Waystone in an extra turn."""
    game = load("vye")
    assert isinstance(game, PlayableGame), game
    for seed in SEEDS:
        match, luck = game.start(2, seed, {"specials": ["waystone"]}, trace=False), random.Random(seed)
        assert isinstance(match, Match)
        at, extra = 0, False
        while match.decision is not None:
            was = match.decision.player, match.decision.kind
            chosen, found = choice(match, extra and not at, luck)
            assert match.choose(chosen) is None
            extra = match.decision is not None and was == (match.decision.player, "action")
            at = len(match.choices) if found else at
        if at:
            return match, at
    raise AssertionError("no Waystone was captured in an extra turn")


def place_of(rule: str) -> str:
    """Where a rule of Waystone stands: file and line."""
    lines = (bundled_rules() / "vye/specials/waystone.yaml").read_text(encoding="utf-8").splitlines()
    return f"specials/waystone.yaml:{next(i for i, x in enumerate(lines, 1) if x.strip() == f'{rule}:')}"


def test_a_waystone_captured_in_an_extra_turn_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match, at = a_game()
    record = tmp_path / "record.json"
    record.write_text(record_text(match.record), encoding="utf-8")

    def explained(number: int) -> list[str]:
        assert main(["explain", str(record), "--at", str(number)]) == 0
        return capsys.readouterr().out.splitlines()

    me = match.program.players[match.choices[at - 1].player]
    before, then, after, last = (explained(at + n) for n in (-1, 0, 1, 2))
    # The turn before earned this one, by playing a Waystone; this one earns the next, by capturing one.
    assert any(
        "a_new_waystone_gives_a_turn" in x and place_of("a_new_waystone_gives_a_turn") in x for x in before
    )
    assert turn_earned(before) == turn_earned(then) == [me] and turn_earned(after) == []
    captured = index(then, f"{me} captures Waystone.")
    because = index(then, "a_captured_waystone_gives_a_turn  [after, ")
    assert place_of("a_captured_waystone_gives_a_turn") in then[because]
    assert captured < because == index(then, f"{me} has another turn.") - 1
    # The rule stands inside the capture, and the hand is filled before the turn that it gives.
    assert depth(then[because]) == depth(then[captured]) + 1
    assert index(then, f"{me} has another turn.") < index(then, "Draw until the hand is full")
    assert [who(x) for x in (before, then, after)] == [me, me, me] != [me, me, who(last)]


def index(lines: list[str], text: str) -> int:
    """The first line that begins so."""
    return next(i for i, line in enumerate(lines) if line.strip().startswith(text))


def depth(line: str) -> int:
    """How deep a line stands in the tree."""
    return (len(line) - len(line.lstrip())) // 2


def who(lines: list[str]) -> str:
    """Who made the choice that is explained."""
    return lines[1].partition(" chose:")[0]


def turn_earned(lines: list[str]) -> list[str]:
    """Who earns a turn in what is told, in order."""
    return [line.strip().partition(" ")[0] for line in lines if " has another turn." in line]
