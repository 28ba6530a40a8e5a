"""What a player may not know makes no difference to anything that this player gets to see, to the last byte.

In positions of random games whatever the player does not know is made another way, again and again; then the
view, and the prompt and the options where the player is asked, must be the same text. That the test would see
a leak is shown by leaks planted in the engine and in toy games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import ndiff
from functools import cache
from random import Random
from typing import Any

import pytest

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.decisions import OptionNames
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.view import _View
from rulewright.playtest.unknown import resampled, shown
from rulewright.tests.interpreter.programs import card_game
from rulewright.tests.semantics.toys import toy

Figure = Callable[[int, int], int]
SETTINGS = [
    *(("aye", players, mode) for players in (4, 6, 10) for mode in ("beginner", "expert")),
    ("kuhn_poker", 2, ""), ("kuhn_poker", 5, ""), ("goofspiel", 2, ""), ("goofspiel", 5, ""), ("vye", 3, ""),
    ("crazy_eights", 4, ""), ("leduc_poker", 2, ""),
]  # fmt: skip


@cache
def game(name: str) -> PlayableGame:
    found = load(name)
    assert isinstance(found, PlayableGame)
    return found


def begun(name: str, players: int, mode: str, seed: int) -> Match:
    match = game(name).start(players, seed, {"mode": mode} if mode else None, trace=False)
    assert isinstance(match, Match)
    return match


def positions(match: Match, luck: Random, often: int) -> Iterator[Match]:
    """Positions of one random game: each kind of question that comes up, `often` times at most."""
    met: dict[tuple[str, str], int] = {}
    while match.decision is not None:
        decision = match.decision
        question = (decision.name, decision.kind)
        if met.get(question, 0) < often and luck.random() < 0.5:
            met[question] = met.get(question, 0) + 1
            yield match
        assert match.choose(luck.randrange(decision.count)) is None


def leaks(match: Match, luck: Random, times: int = 1) -> Iterator[str]:
    """What anybody, an onlooker too, sees otherwise when what they may not know is another way."""
    for player in (*range(len(match.program.players)), None):
        real = shown(match, player)
        for _ in range(times):
            other = shown(resampled(match, player, luck), player)
            if other != real:
                lines = ndiff(real.splitlines(), other.splitlines())
                where = " / ".join(line for line in lines if line[0] in "+-")
                yield f"{match.decision and match.decision.name}, seen by {player}: {where[:400]}"


def leaks_of_games(matches: Iterable[Match], often: int) -> Iterator[str]:
    luck = Random(7)
    for match in matches:
        for position in positions(match, luck, often):
            yield from leaks(position, luck)


@pytest.mark.parametrize(("name", "players", "mode"), SETTINGS)
def test_what_a_player_may_not_know_shows_nowhere(name: str, players: int, mode: str, figure: Figure) -> None:
    seeds = range(figure(1 if name == "aye" else 4, 60))
    assert list(leaks_of_games((begun(name, players, mode, seed) for seed in seeds), figure(1, 4))) == []


def test_the_games_are_looked_at_where_something_is_hidden() -> None:
    """Of Aye: at each kind of question that random games ask often; and what is hidden really changes."""
    luck, names, same = Random(1), set(), 0
    for seed in range(2):
        for match in positions(begun("aye", 6, "expert", seed), luck, 1):
            assert match.decision is not None
            names.add(match.decision.name)
            same += resampled(match, 0, luck).state.contents == match.state.contents
    assert names >= {"doubloon", "to_discard", "command", "mission_die", "vote", "work", "again"}, names
    assert same == 0


# ------------------------------------------------------------------ planted leaks


def top_of(s: Any, zone: str) -> int:
    """The uppermost piece of a zone."""
    place = next(i for i, p in enumerate(s.code.program.places) if p.name == zone)
    return int(s.contents[place][-1])


def order_by_a_hidden_card(self: Any, s: Any, ask: Any) -> list[Any]:
    found = OPTIONS(self, s, ask)
    return found[::-1] if top_of(s, "deck") % 2 else found


def prompt_with_a_hidden_card(self: Any, s: Any, ask: Any) -> str:
    return f"{PROMPT(self, s, ask)} ({self.namer.code_name(top_of(s, 'deck'))} is on top)"


def view_with_a_hidden_card(self: Any, pieces: Any, ordered: bool) -> list[Any]:
    pieces = list(pieces)
    found = LISTED(self, pieces, ordered)
    if pieces and pieces[-1] == top_of(self.s, "deck"):
        found[-1] = {"code": self.names.namer.code_name(pieces[-1])}
    return found


def count_by_a_hidden_card(self: Any) -> dict[str, Any]:
    found = ZONES(self)
    found["deck"]["count"] += top_of(self.s, "deck") % 2
    return found


OPTIONS, PROMPT = OptionNames.options, OptionNames.prompt
LISTED, ZONES = _View.listed, _View.zones


@pytest.mark.parametrize(
    ("where", "method", "planted", "seen"),
    [
        (OptionNames, "options", order_by_a_hidden_card, '"id"'),
        (OptionNames, "prompt", prompt_with_a_hidden_card, "is on top"),
        (_View, "listed", view_with_a_hidden_card, '"code"'),
        (_View, "zones", count_by_a_hidden_card, '"count"'),
    ],
)
@pytest.mark.parametrize("name", ["aye", "vye"])
def test_a_leak_planted_in_the_engine_is_seen(
    name: str, where: type, method: str, planted: Any, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(name, 4, "", 2)
    monkeypatch.setattr(where, method, planted)
    assert any(seen in leak for leak in leaks_of_games([match], 4))


def test_a_view_of_the_goals_of_others_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    may = _View.may
    monkeypatch.setattr(_View, "may", lambda self, players: may(self, players) or players in (1, 2))
    assert any("seen by 3" in leak for leak in leaks_of_games([begun("aye", 4, "", 3)], 1))


def test_what_others_have_chosen_in_secret_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prompt that tells what the first one has bid: only the later ones see a difference."""

    def telling(self: Any, s: Any, ask: Any) -> str:
        return f"{PROMPT(self, s, ask)} {s.frames[-1][2][ask.slot] if ask.form == 'together' else ''}"

    match = begun("goofspiel", 3, "", 1)
    assert match.choose(4) is None and match.choose(6) is None
    monkeypatch.setattr(OptionNames, "prompt", telling)
    found = list(leaks(match, Random(1), 3))
    assert found and all("seen by 2" in leak for leak in found)


def test_a_leak_in_the_rules_of_a_program_is_seen() -> None:
    """Options that depend on the hand of another; the checks of rule files would refuse it."""
    sound, leaking = card_game(), card_game(planted="options")
    assert list(leaks_of_games((start(sound, seed, trace=False) for seed in range(12)), 2)) == []
    found = leaks_of_games((start(leaking, seed, trace=False) for seed in range(12)), 2)
    assert any('"id"' in leak for leak in found)


PEEKING = """
types:
  rank: 1 to 6
cards:
  c: {copies: one per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: c, as: pile, seen by: nobody}
  hand: {per: player, holds: c, seen by: owner}
  larder: {holds: c, seen by: (all player where SEEN)}
setup:
  do: |
    shuffle deck
    deal 2 from deck to hand of each player
    deal 1 from deck to larder
flow:
  - play:
      turns: clockwise from x
      at most: 2 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      reveal top of deck
ends:
  over:
    winner: nobody
"""


def test_a_leak_in_the_rules_of_a_toy_is_seen() -> None:
    """Who may look into the larder depends on a hand that they do not see."""
    sound = PEEKING.replace("SEEN", "player is x")
    peeking = PEEKING.replace("SEEN", "any c in hand of left of player where rank of c > 4")
    assert list(leaks_of_games((toy(sound, seed=seed) for seed in range(8)), 2)) == []
    found = list(leaks_of_games((toy(peeking, seed=seed) for seed in range(8)), 2))
    assert found and all("C" in leak or "null" in leak for leak in found)
