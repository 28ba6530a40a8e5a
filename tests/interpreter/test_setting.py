"""What is settled before a game: values that are refused with a reason, luck from the seed, kept programs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from rulewright.interpreter import api
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.match import Match
from rulewright.interpreter.record import record_of, replay
from rulewright.interpreter.setting import luck_of
from rulewright.interpreter.shaping import shaping_names

GAME = """\
game: Toy
language: 1
players: 2 to 3
options:
  theme:
    default: plain
    bundles:
      plain: {extras: []}
      choice: {extras: 2 named}
      luck: {extras: 2 at random}
      large: {size: 5}
  mode: {default: none_of_it, bundles: {none_of_it: {}, other: {extras: [fort], size: 1}}}
  extras: {some of: extra, default: []}
  colours: {some of: colour, default: pairs at random}
  pairs: {default: 2, from: 1, to: 3}
  calm: {default: no}
  size: {default: 2, from: 1, to: most(players)}
  pace: {default: fast, choices: [fast, slow]}
  starter: {default: first, choices: players}
  shape: {default: cross, choices: layouts}
tables:
  sizes: |
    players  most
       2       5
       3       4
layouts:
  cross: |
    1 2
  row: |
    1
    2
types:
  colour: [red, green, blue]
cards:
  extra: {copies: 1, kinds: [fort, mine, dike, moat], used when: kind of extra is in extras}
  lot: {copies: 1 per colour}
zones:
  deck: {holds: cards, seen by: all}
boards:
  table: {shape: square grid, size: size x 2}
flow:
  - main:
      turns: clockwise from starter
      at most: 2 rounds, then over
      actions: [wait]
actions:
  wait:
    do: |
      move all extra in box to deck
ends:
  over: {winner: nobody}
always:
  read: calm or pace is fast or (any lot where colour of lot is in colours) or (any space in shape)
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> PlayableGame:
    path = tmp_path_factory.mktemp("setting") / "toy.yaml"
    path.write_text(GAME)
    found = load(str(path))
    assert isinstance(found, PlayableGame), found
    return found


def options_of(
    game: PlayableGame, seed: int = 0, players: int | None = None, **options: Any
) -> dict[str, str]:
    match = game.start(players, seed, options)
    assert isinstance(match, Match), match
    return dict(match.program.options)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ({"them": "luck"}, "E501", "no option `them`. Did you mean `theme`?"),
        ({"theme": "lukc"}, "E504", "cannot be `lukc`. Did you mean `luck`? It is one of: plain, choice,"),
        ({"theme": ["luck", "plain"]}, "E504", "`theme` takes one value; 2 given"),
        ({"theme": []}, "E504", "`theme` takes one value; 0 given"),
        ({"size": 6}, "E504", "cannot be 6 with 2 players. It goes from 1 to 5"),
        ({"size": "0"}, "E504", "It goes from 1 to 5"),
        ({"size": "--3"}, "E504", "cannot be `--3`. It is a number from 1 to 5"),
        ({"size": "²"}, "E504", "It is a number from 1 to 5"),
        ({"size": "99999999999"}, "E504", "It is a number from 1 to 5"),
        ({"calm": "maybe"}, "E504", "cannot be `maybe`. It is one of: no, yes"),
        ({"pace": "fats"}, "E504", "Did you mean `fast`?"),
        ({"shape": "rwo"}, "E504", "Did you mean `row`?"),
        ({"starter": "player_3"}, "E504", "cannot be `player_3`. Did you mean `player_"),
        ({"extras": ["fort", "mien"]}, "E504", "cannot be `mien`. Did you mean `mine`? It is some of: fort,"),
        ({"extras": ["fort", "fort"]}, "E504", "`fort` stands twice"),
        ({"extras": "5 at random"}, "E504", "5 words cannot be drawn for `extras`. There are 4"),
        ({"extras": "at random"}, "E504", "It is drawn as in `2 at random`"),
        ({"extras": "2 named"}, "E504", "cannot be `2 named`"),
        ({"colours": ["red"]}, "E504", "needs 2 words; 1 given"),
        ({"colours": "3 at random"}, "E504", "needs 2 words; 3 given"),
        ({"theme": "choice"}, "E504", "With `theme=choice` 2 of `extras` have to be named. Name 2 different"),
        ({"theme": "choice", "extras": ["fort"]}, "E504", "have to be named; 1 named"),
        ({"theme": "choice", "extras": ["fort", "mine", "dike"]}, "E504", "have to be named; 3 named"),
        ({"theme": "choice", "extras": []}, "E504", "have to be named; 0 named"),
        ({"theme": "choice", "extras": ["fort", "fort"]}, "E504", "`fort` stands twice"),
        ({"theme": "choice", "extras": ["fort", "frot"]}, "E504", "Did you mean `fort`?"),
        ({"theme": "choice", "extras": "2 at random"}, "E504", "have to be named"),
        ({"theme": "choice", "extras": "at random"}, "E504", "have to be named"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_the_reason(
    game: PlayableGame, options: dict[str, Any], code: str, words: str
) -> None:
    found = game.start(options=options)
    assert isinstance(found, tuple) and [p.code for p in found] == [code]
    assert words in f"{found[0].text} {found[0].cure}"


def test_a_number_that_the_players_do_not_allow_names_the_bundle_that_says_it(game: PlayableGame) -> None:
    assert options_of(game, players=2, theme="large")["size"] == "5"
    found = game.start(3, options={"theme": "large"})
    assert isinstance(found, tuple)
    assert found[0].text == "The option `size` cannot be 5 with 3 players (as `theme=large` says)."
    line = GAME.split("\n")[found[0].span.line - 1]
    assert line[found[0].span.column - 1 :].startswith("5}")
    assert options_of(game, players=3, theme="large", size=4)["size"] == "4"  # explicit wins


def test_of_two_bundles_on_one_option_the_first_counts(game: PlayableGame) -> None:
    assert options_of(game, mode="other")["extras"] == ""  # `plain` says so, and comes first
    found = options_of(game, theme="large", mode="other")
    assert (found["size"], found["extras"]) == ("5", "fort")
    named = game.start(options={"theme": "choice", "mode": "other"})
    assert isinstance(named, tuple) and "have to be named" in named[0].text


def test_values_may_be_numbers_and_lists_as_a_program_has_them(game: PlayableGame) -> None:
    found = options_of(game, size=3, calm=True, extras=("mine", "fort"), colours=["blue", "red"])
    assert (found["size"], found["calm"], found["extras"]) == ("3", "yes", "fort mine")
    assert found["colours"] == "red blue"
    assert options_of(game, extras="none")["extras"] == options_of(game, extras=[])["extras"] == ""
    assert options_of(game, extras="0 at random")["extras"] == ""


@pytest.mark.parametrize(
    "options",
    [{"theme": "luck"}, {"extras": "3 at random"}, {"theme": "choice", "extras": ["mine", "moat"]}, {}],
)
def test_the_options_in_a_record_make_the_same_game(game: PlayableGame, options: dict[str, Any]) -> None:
    for seed in range(4):
        match = game.start(2, seed, options)
        assert isinstance(match, Match)
        record = record_of(match)
        program = game.program(tuple(record["players"]), record["options"], seed=99)
        assert program == match.program
        again = replay(match.program, record)
        assert isinstance(again, Match) and again.state_hash() == match.state_hash()


def test_each_pair_is_drawn_equally_often(game: PlayableGame) -> None:
    drawn = Counter(options_of(game, seed, theme="luck")["extras"] for seed in range(1200))
    assert set(drawn) == {" ".join(p) for p in combinations(("fort", "mine", "dike", "moat"), 2)}
    assert all(150 < count < 250 for count in drawn.values()), drawn  # 200 ± 4 standard deviations


def test_a_draw_rests_on_the_seed_alone(game: PlayableGame) -> None:
    forwards = [options_of(game, seed, theme="luck")["extras"] for seed in range(20)]
    path = str(game.loaded.path)
    fresh = load(path)
    assert isinstance(fresh, PlayableGame)
    backwards = [options_of(fresh, seed, theme="luck")["extras"] for seed in reversed(range(20))]
    assert forwards == backwards[::-1]
    for seed in (3, 4):
        made = prepare(game.checked, None, {"theme": "luck"}, seed)
        assert made == game.program(None, {"theme": "luck"}, seed)


def test_equal_settings_share_a_program_and_only_so_many_are_kept(
    game: PlayableGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[object] = []

    def counted(*args: Any, **more: Any) -> Any:
        lowered.append(args)
        return prepare(*args, **more)

    monkeypatch.setattr(api, "prepare", counted)
    fresh = PlayableGame(game.loaded, game.checked)
    programs = {id(fresh.program(2, {"theme": "luck"}, seed)) for seed in range(100)}
    assert len(programs) == len(lowered) == 6
    assert id(fresh.program(2, {"theme": "choice", "extras": ["fort", "mine"]})) not in programs
    assert fresh.program(2, {}, 1) is fresh.program(2, {}, 2) and len(lowered) == 8
    monkeypatch.setattr(api, "KEPT", 3)
    small = PlayableGame(game.loaded, game.checked)
    for seed in range(40):
        small.program(2, {"theme": "luck"}, seed)
        assert len(small._programs) <= 3
    assert small.program(2, {"theme": "luck"}, 5) == fresh.program(2, {"theme": "luck"}, 5)


def test_what_each_game_draws_anew_can_be_told(game: PlayableGame) -> None:
    assert game.drawn(2) == {}
    assert game.drawn(2, {"theme": "luck"}) == {"extras": "2 at random"}
    assert game.drawn(2, {"theme": "luck", "extras": ["fort"]}) == {}
    assert game.drawn(2, {"theme": "no such"}) == {}


def test_options_that_shape_the_components(game: PlayableGame) -> None:
    assert {"extras", "size", "players", "pairs"} <= shaping_names(game.checked.game)
    assert not {"pace", "calm", "starter", "colours"} & shaping_names(game.checked.game)


def test_luck_is_spread_evenly_over_what_there_is() -> None:
    counts = Counter(luck_of(seed)("crops", 7) for seed in range(1400))
    assert set(counts) == set(range(7)) and all(140 < c < 260 for c in counts.values())
    assert [luck_of(1)("a", 1000), luck_of(1)("b", 1000)] != [luck_of(2)("a", 1000), luck_of(2)("b", 1000)]
