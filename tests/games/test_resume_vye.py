"""A game of Vye goes on the same when it is saved, loaded or copied in the middle of what a card does.

Each position is sought in random games, from one seed on, in which the card in question is played as soon as
it can be, after a few turns. From there the game and its doubles are played to the end with the same choices.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.dsl.problems import Problems
from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.chance import SeededChance
from rulewright.interpreter.link import code_of
from rulewright.interpreter.machine import begin
from rulewright.interpreter.match import Match, load_match
from rulewright.interpreter.state import State
from rulewright.playtest.given import lay_out
from rulewright.playtest.scenarios import Runner
from rulewright.playtest.scenarios_read import read_scenarios

GAMES = 200  # so many are looked through at most
WAIT = 8  # so many choices are made before the card is played: it should find cards around it
VIEWED = 3  # so many choices long the views of the players are compared too
FEW_TOKENS = "variant: Nine tokens each\nof: vye\nchange:\n  define.tokens_each: 9\n"


@dataclass(frozen=True, slots=True)
class Middle:
    """Where a game is interrupted: a question asked in `file` under the name `asked`. `code` is the card that
    is played whenever it can be; `answered` so many questions of that place have been answered just before.
    """

    name: str
    file: str
    asked: str
    code: str
    specials: tuple[str, ...] = ()
    players: int = 3
    answered: int = 0
    of_another: bool = False  # somebody is asked whose turn it is not
    few_tokens: bool = False


MIDDLES = (
    Middle("the move of Necropolis by its player", "necropolis.yaml", "c", "ne", ("necropolis",)),
    Middle(
        "the move of Necropolis by the second player",
        "necropolis.yaml",
        "c",
        "ne",
        ("necropolis",),
        answered=1,
        of_another=True,
    ),
    Middle("the first shot of Catapult", "catapult.yaml", "c", "ca", ("catapult",)),
    Middle("the first card of Earthquake", "earthquake.yaml", "one", "eq", ("earthquake",), 4),
    Middle("the second card of Earthquake", "earthquake.yaml", "other", "eq", ("earthquake",), 4),
    Middle("the attack of the Heir", "families.yaml", "c", "H"),
    Middle("the first token of Fortress", "fortress.yaml", "c", "fo", ("fortress",), 2),
    Middle("the second token of Fortress", "fortress.yaml", "c", "fo", ("fortress",), 2, answered=1),
    Middle("a Family with few tokens", "few_tokens.yaml", "c", "A", few_tokens=True),
    Middle("a Family with few tokens, further on", "few_tokens.yaml", "c", "A", few_tokens=True, answered=1),
)


def place(match: Match) -> tuple[str, str]:
    """The file in which the open question is asked, and its name."""
    ask = match.state.ask
    assert ask is not None and match.decision is not None
    return Path(ask.node.span.file).name, match.decision.name


def turn_of(match: Match) -> str:
    """Whose turn it is."""
    return str(match.view(None)["actor"])


def game_of(middle: Middle, folder: Path) -> PlayableGame:
    """The game in which it is sought."""
    few = folder / "few_tokens.yaml"
    few.write_text(FEW_TOKENS, encoding="utf-8")
    game = load("vye", (str(few),) if middle.few_tokens else ())
    assert isinstance(game, PlayableGame), game
    return game


def sought(match: Match, luck: random.Random, code: str) -> int:
    """The number of an option: one that plays the card, if there is one and it is time, else any."""
    assert match.decision is not None
    if len(match.choices) < WAIT:
        return luck.randrange(match.decision.count)
    good = [i for i, x in enumerate(match.decision.ids) if f"{code} " in x.partition("played=")[2]]
    return luck.choice(good or range(match.decision.count))


def in_the_middle(middle: Middle, game: PlayableGame) -> Match:
    """The first position of that description."""
    options = {"specials": list(middle.specials), "token_supply": "hard" if middle.few_tokens else "soft"}
    here = (middle.file, middle.asked)
    for seed in range(GAMES):
        match, luck = game.start(middle.players, seed, options, trace=False), random.Random(seed)
        assert isinstance(match, Match)
        answered = 0
        while match.decision is not None:
            before = place(match)
            if (
                before == here
                and answered == middle.answered
                and (turn_of(match) != match.decision.player_name) is middle.of_another
            ):
                return match
            assert match.choose(sought(match, luck, middle.code)) is None
            answered = answered + 1 if before == here else 0
    raise AssertionError(f"{middle.name} was not met in {GAMES} games")


def doubles(match: Match) -> list[Match]:
    """The match saved and loaded, copied, and copied from what was loaded."""
    saved = load_match(match.program, json.loads(json.dumps(match.save())))
    assert isinstance(saved, Match), saved
    return [saved, match.copy(), match.copy(trace=True), saved.copy()]


def laid_out(name: str) -> Match:
    """A scenario of the game at its first decision."""
    loaded = load_game("vye")
    (scenario,) = [s for s in read_scenarios(loaded, Problems()) if s.name == name]
    runner = Runner(loaded)
    draft = runner.draft(scenario)
    (program,) = runner.lowered([draft])
    assert isinstance(program, ir.Program) and draft.table is not None
    draft.table.program = program
    code = code_of(program)
    state = State(code, SeededChance(code.streams, 0))
    lay_out(scenario, draft.table, state)
    begin(state)
    match = Match(code, state, trace=False)
    assert match.run_on() is None
    return match


@pytest.mark.parametrize("middle", MIDDLES, ids=lambda m: m.name)
def test_it_goes_on_the_same(middle: Middle, tmp_path: Path, figure: Callable[[int, int], int]) -> None:
    goes_on_the_same(in_the_middle(middle, game_of(middle, tmp_path)), figure(1, 20))


@pytest.mark.parametrize("answered", [0, 1])
def test_a_chain_with_few_tokens_goes_on_the_same(answered: int, figure: Callable[[int, int], int]) -> None:
    match = laid_out("few_tokens_take_a_chain_card_by_card")
    assert match.decision is not None
    assert match.choose(next(x for x in match.decision.ids if "played=Fm" in x and "spot=c1" in x)) is None
    for _ in range(answered):
        assert match.choose(0) is None
    assert place(match) == ("few_tokens.yaml", "m")
    goes_on_the_same(match, figure(1, 20))


def goes_on_the_same(match: Match, times: int) -> None:
    """From here to the end, so many times."""
    for seed in range(times):
        first, *others = match.copy(), *doubles(match)
        luck, choices = random.Random(seed), 0
        while first.decision is not None:
            ids = first.decision.ids
            seats = range(len(first.program.players) if choices < VIEWED else 0)
            views = [first.view(p) for p in seats]
            for other in others:
                assert other.decision is not None and other.decision.ids == ids
                assert other.decision.prompt == first.decision.prompt
                assert [other.view(p) for p in seats] == views
            if choices == 1:
                others += doubles(first)  # and again a choice further on
            chosen = luck.choice(ids)
            for one in (first, *others):
                assert one.choose(chosen) is None
            assert {other.state_hash() for other in others} == {first.state_hash()}
            choices += 1
        assert choices > 1 and first.result.over and first.result.end
        assert {other.result for other in others} == {first.result}
