from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.model import Checked
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.playtest import soak as module
from rulewright.playtest.batch import Batch, run_batch
from rulewright.playtest.invariants import Probe, misplaced, probe
from rulewright.playtest.settings import Settings
from rulewright.playtest.soak import Case, Soak, plan, settings_of, soak

# `the leap` fails where the option `slow` is turned, everybody's pace is the highest, and no leap is there.
GAME = """game: Pebbles
language: 1
players: 2 to 3
options:
  road:
    default: plain
    bundles:
      plain: {tricks: []}
      steep: {tricks: [hop], slow: yes}
      chosen: {tricks: 2 named}
      drawn: {tricks: 2 at random}
  tricks: {some of: trick, default: []}
  slow: {default: no}
  pace: {default: 1, from: 1, to: players}
  leader: {default: at random, choices: players}
cards:
  trick:
    kinds: [hop, skip, leap]
    copies: 1
    used when: kind of trick is in tricks
tokens:
  pebble: {supply: 12}
zones:
  heap: {holds: tokens, seen by: all}
  shown: {holds: cards, seen by: all}
setup:
  do: |
    move all trick in box to shown
flow:
  - walk:
      turns: clockwise from leader
      at most: 20 rounds, then worn_out
      actions: [step, wait]
actions:
  step:
    do: |
      move (pace) pebble in supply to heap
      if slow and pace is players:
          move (the leap in shown) to shown
  wait:
    do: |
      set tired to 1
state:
  tired: {is: number 0 to 6, start: 0}
ends:
  arrived: {when: (count of pebble in heap) is 12, winner: nobody}
  worn_out: {winner: nobody}
"""


@pytest.fixture
def pebbles(tmp_path: Path) -> Callable[..., str]:
    """Write the game, with parts of it changed; its path."""

    def write(*changes: tuple[str, str]) -> str:
        text = GAME
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "pebbles.yaml"
        path.write_text(text)
        return str(path)

    return write


def checked(game: str) -> Checked:
    return loaded(game).checked


def loaded(game: str) -> PlayableGame:
    found = load(game)
    assert isinstance(found, PlayableGame), [str(p) for p in found]
    return found


def soaked(game: str, games: int, **more: Any) -> Soak:
    found = soak(game, games, **{"workers": 1, **more})
    assert isinstance(found, Soak), found
    return found


def values(cases: tuple[Case, ...], option: str) -> dict[str, tuple[str, ...]]:
    """The values that an option is turned to, by label."""
    return {c.traits[-1].partition("=")[2]: dict(c.options)[option] for c in cases if option in c.traits[-1]}


def on(cases: tuple[Case, ...], *traits: str) -> tuple[Case, ...]:
    return tuple(c for c in cases if set(traits) <= set(c.traits))


# -------------------------------------------------------------------- settings


def test_every_number_of_players_has_every_bundle_with_nothing_turned(pebbles: Callable[..., str]) -> None:
    cases = on(settings_of(checked(pebbles())), "nothing turned")
    assert [(c.players, dict(c.options)["road"]) for c in cases] == [
        (n, (road,)) for n in (2, 3) for road in ("plain", "steep", "chosen", "drawn")
    ]


def test_each_option_is_turned_away_from_what_the_bundle_makes_of_it(pebbles: Callable[..., str]) -> None:
    cases = settings_of(checked(pebbles()))
    plain, steep, drawn = (on(cases, "players=3", f"road={r}") for r in ("plain", "steep", "drawn"))
    assert values(plain, "slow") == {"yes": ("yes",)} and values(steep, "slow") == {"no": ("no",)}
    assert values(plain, "pace") == {"highest": ("3",)}
    assert list(values(plain, "leader")) == ["player_1", "player_2", "player_3"]
    assert list(values(plain, "tricks")) == ["hop", "skip", "leap", "all"]
    assert list(values(steep, "tricks")) == ["skip", "leap", "all", "none"]
    assert list(values(drawn, "tricks")) == ["hop", "skip", "leap", "all", "none"]


def test_words_that_have_to_be_named_are_named_by_luck_and_each_has_its_turn(
    pebbles: Callable[..., str],
) -> None:
    game = checked(pebbles())
    cases = on(settings_of(game), "road=chosen")
    assert all(len(set(dict(c.options)["tricks"])) == 2 for c in cases)
    turned = {word for c in cases for word in values((c,), "tricks").get(c.traits[-1][7:], ())}
    assert turned == {"hop", "skip", "leap"}
    lists = {
        dict(on(settings_of(game, seed), "road=chosen", "nothing turned")[0].options)["tricks"]
        for seed in range(20)
    }
    assert len(lists) > 1


def test_words_and_layouts_have_each_of_their_values(pebbles: Callable[..., str]) -> None:
    path = pebbles(
        ("  leader:", "  mood: {default: calm, choices: [calm, wild, odd]}\n"
         "  shape: {default: wide, choices: layouts}\n  leader:"),
        ("zones:", "layouts:\n  wide: |\n    1 2\n  tall: |\n    1\n    2\nboards:\n"
         "  field: {shape: square grid, size: 3 x 3}\nzones:"),
    )  # fmt: skip
    cases = on(settings_of(checked(path)), "players=2", "road=plain")
    assert list(values(cases, "mood")) == ["wild", "odd"] and list(values(cases, "shape")) == ["tall"]


def test_a_list_with_a_fixed_number_of_words_keeps_that_number(pebbles: Callable[..., str]) -> None:
    path = pebbles(
        ("zones:", "types:\n  colour: [red, green, blue]\nzones:"),
        (
            "  slow: {default: no}",
            "  slow: {default: no}\n  hue: {some of: colour, default: pace at random}",
        ),
    )
    cases = on(settings_of(checked(path)), "players=2", "road=plain")
    assert values(cases, "hue") == {"the first": ("red",), "the last": ("blue",)}


def test_what_is_given_stays_as_it_is(pebbles: Callable[..., str]) -> None:
    game = checked(pebbles())
    cases = settings_of(game, players=3, fixed=(("road", ("steep",)), ("pace", ("2",))))
    assert {c.players for c in cases} == {3}
    assert {(dict(c.options)["road"], dict(c.options)["pace"]) for c in cases} == {(("steep",), ("2",))}
    assert not [t for c in cases for t in c.traits if t.startswith(("road", "pace"))]
    assert any("slow=no" in c.traits for c in cases)


# ------------------------------------------------------------------------ plan


def test_games_are_spread_evenly_over_the_settings(pebbles: Callable[..., str]) -> None:
    cases = settings_of(checked(pebbles()))
    for games in (1, len(cases), 3 * len(cases) + 7):
        played = Counter(plan(cases, games, 4))
        assert played.total() == games
        assert max(played.values()) - min(played[i] for i in range(len(cases))) <= 1


def test_a_small_plan_still_meets_every_players_bundle_and_value(pebbles: Callable[..., str]) -> None:
    cases = settings_of(checked(pebbles()))
    traits = {t for c in cases for t in c.traits}
    last = {c.traits[-1] for c in cases}
    for seed in range(10):
        assert {t for i in plan(cases, len(last) + 2, seed) for t in cases[i].traits} == traits


def test_the_first_games_of_a_plan_differ_in_everything(pebbles: Callable[..., str]) -> None:
    cases = settings_of(checked(pebbles()))
    first = [cases[i] for i in plan(cases, 4, 0)]
    assert len({c.traits[1] for c in first}) == 4 and len({c.traits[2] for c in first}) == 4
    assert {c.players for c in first} == {2, 3}


def test_a_plan_depends_on_the_seed_alone(pebbles: Callable[..., str]) -> None:
    cases = settings_of(checked(pebbles()))
    assert plan(cases, 30, 1) == plan(cases, 30, 1) != plan(cases, 30, 2)


# -------------------------------------------------------------------- the soak


def test_a_fault_under_one_value_is_found_with_its_setting_and_seed(
    pebbles: Callable[..., str],
) -> None:
    game = pebbles()
    found = soaked(game, len(settings_of(checked(game))))
    assert found.games == found.settings == found.of_settings and not found.interrupted
    assert found.faults and sum(n for _, n in found.ends) == found.games - len(found.faults)
    for fault in found.faults:
        assert "`the` needs exactly one" in fault.reason and not fault.watched
        assert "pace=highest" in fault.case.traits
        again = Settings(game, (), fault.case.options, fault.case.players, games=1, seed=fault.seed)
        batch = run_batch(again, workers=1)
        assert isinstance(batch, Batch) and batch.tally.faults == [(0, fault.reason)]


def test_what_a_seed_draws_in_a_soak_it_draws_again_alone(pebbles: Callable[..., str]) -> None:
    game = pebbles()
    options = (("road", ("drawn",)), ("slow", ("yes",)), ("pace", ("2",)))
    cases = settings_of(checked(game), 0, 2, options)
    numbers = [i for i, c in enumerate(plan(cases, 80, 0)) if cases[c].traits[-1] == "nothing turned"]
    failed = {f.seed for f in soaked(game, 80, players=2, options=options).faults}
    alone = set()
    for number in numbers:
        batch = run_batch(Settings(game, (), options, 2, games=1, seed=number), workers=1)
        assert isinstance(batch, Batch)
        alone |= {number} if batch.tally.fault_count else set()
    assert alone == failed & set(numbers)
    assert 0 < len(alone) < len(numbers)  # with a leap among the two nothing fails


def test_a_game_that_is_in_order_has_no_fault(pebbles: Callable[..., str]) -> None:
    found = soaked(pebbles(("if slow and", "if tired > 5 and")), 100)
    assert found.faults == () and {end for end, _ in found.ends} <= {"arrived", "worn_out"}


def test_a_game_without_an_end_is_a_fault(pebbles: Callable[..., str]) -> None:
    game = pebbles(
        ("at most: 20 rounds, then worn_out", "at most: 5000 rounds, then worn_out"),
        ("actions: [step, wait]", "actions: [wait]"),
    )
    found = soaked(game, 3, limit=50)
    assert [f.reason for f in found.faults] == ["no end after 50 decisions"] * 3
    assert {f.choices for f in found.faults} == {50}


def test_an_end_by_a_bound_of_the_rules_is_no_fault(pebbles: Callable[..., str]) -> None:
    found = soaked(pebbles(("actions: [step, wait]", "actions: [wait]")), 3)
    assert found.faults == () and found.ends == (("worn_out", 3),)


def test_a_broken_invariant_is_a_fault_that_only_a_watch_sees(pebbles: Callable[..., str]) -> None:
    game = pebbles(("ends:\n", "always:\n  a_small_heap: slow or (count of pebble in heap) < 9\nends:\n"))
    found = soaked(game, 30, options=(("road", ("plain",)), ("pace", ("1",))))
    assert found.faults
    for fault in found.faults:
        assert fault.watched and fault.reason == "does not hold: a_small_heap"
        assert "slow=yes" not in fault.case.traits and fault.choices >= 9


def test_a_setting_that_cannot_be_is_a_fault(pebbles: Callable[..., str]) -> None:
    game = pebbles(("  leader:", "  cheer: {default: 2, from: pace, to: 2}\n  leader:"))
    found = soaked(game, 200, players=3)
    assert found.faults and all("`cheer` cannot be" in f.reason for f in found.faults)
    assert {f.case.traits[-1] for f in found.faults} == {"pace=highest"}


def test_a_bug_of_ours_is_a_fault_of_its_game_and_the_others_go_on(
    pebbles: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module.play_out

    def moody(settings: Settings, match: Match, number: int, *more: Any) -> Any:
        if number == 2:
            raise KeyError("left")
        return real(settings, match, number, *more)

    monkeypatch.setattr(module, "play_out", moody)
    found = soaked(pebbles(("if slow and", "if tired > 5 and")), 5)
    assert found.games == 5 and len(found.faults) == 1
    assert found.faults[0].seed == 2 and "KeyError: 'left'" in found.faults[0].reason


def test_problems_of_the_rules_are_given_back(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("game: Wrong\nlanguage: 1\nplayers: 2\nflow: nowhere\n")
    assert isinstance(soak(str(tmp_path / "wrong.yaml"), 3), tuple)


def test_the_result_is_the_same_whoever_plays(pebbles: Callable[..., str]) -> None:
    game = pebbles()
    one, two = (soaked(game, 90, seed=5, workers=n) for n in (1, 2))
    assert one == two and one.faults


def test_games_of_workers_that_see_other_rules_are_played_here(
    pebbles: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pebbles()
    whole = soaked(game, 40)
    monkeypatch.setattr(module._Player, "mark", lambda self: "of other rules")
    assert soaked(game, 40, workers=2) == whole


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_is_done(pebbles: Callable[..., str], workers: int) -> None:
    pressed: list[int] = []

    def interrupt(done: int, of: int) -> None:
        if done >= 5 and not pressed:
            pressed.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    found = soaked(pebbles(), 50_000, workers=workers, progress=interrupt)
    assert found.interrupted and 5 <= found.games < 50_000
    assert sum(n for _, n in found.ends) + len(found.faults) == found.games
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_is_told_after_each_game(pebbles: Callable[..., str]) -> None:
    seen: list[tuple[int, int]] = []
    soaked(pebbles(), 7, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(n, 7) for n in range(8)]


# ------------------------------------------------------------------ the pieces


def lose(match: Match) -> None:
    pieces = next(p for p in match.state.contents.values() if p)
    pieces.pop()


def double(match: Match) -> None:
    pieces = next(p for p in match.state.contents.values() if p)
    pieces.append(pieces[0])


def copy_elsewhere(match: Match) -> None:
    contents = match.state.contents
    place = next(p for p, pieces in contents.items() if pieces)
    other = next(i for i in range(len(match.program.places)) if i != place)
    contents.setdefault(other, []).append(contents[place][0])


def believe_elsewhere(match: Match) -> None:
    s = match.state
    s.place_of[0] = next(i for i in range(len(match.program.places)) if i != s.place_of[0])


def lie_nowhere(match: Match) -> None:
    contents = match.state.contents
    place = next(p for p, pieces in contents.items() if pieces)
    contents[10_000] = contents.pop(place)


def make_one_up(match: Match) -> None:
    next(p for p in match.state.contents.values() if p).append(len(match.program.pieces))


def lie_on_each_other(match: Match) -> None:
    s, first = match.state, match.program.first_piece_place
    for piece, host in ((0, 1), (1, 0)):
        s.contents[s.place_of[piece]].remove(piece)
        s.contents.setdefault(first + host, []).append(piece)
        s.place_of[piece] = first + host


def move_the_supply(match: Match) -> None:
    match.state.place_of[-1] += 1


TAMPERINGS = {
    lose: "is nowhere",
    double: "and again at",
    copy_elsewhere: "and again at",
    believe_elsewhere: "believes to be elsewhere",
    lie_nowhere: "a place that does not exist",
    make_one_up: "something that is no piece",
    lie_on_each_other: "lies on pieces that lie on it",
    move_the_supply: "has moved",
}


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda t: t.__name__)
def test_whatever_happens_to_a_piece_is_seen(
    pebbles: Callable[..., str], tamper: Callable[[Match], None]
) -> None:
    match = loaded(pebbles()).start(players=2, options={"road": "steep", "slow": "no"}, trace=False)
    assert isinstance(match, Match)
    assert match.choose("step") is None and misplaced(match) == ""
    tamper(match)
    assert TAMPERINGS[tamper] in misplaced(match)


def test_more_pieces_than_a_place_has_room_for_are_seen(pebbles: Callable[..., str]) -> None:
    found = loaded(pebbles()).program(2)
    assert not isinstance(found, tuple)
    heap = next(i for i, p in enumerate(found.places) if p.name == "heap")
    match = loaded(pebbles()).start(players=2, trace=False)
    assert isinstance(match, Match) and match.choose("step") is None and match.choose("step") is None
    match.state.code.rooms[heap] = 1
    assert misplaced(match) == "2 pieces lie at heap, which has room for 1"


def test_a_piece_that_is_lost_in_play_is_a_fault_that_only_a_watch_sees(
    pebbles: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Match.choose

    def careless(self: Match, option: Any) -> Any:
        refused = real(self, option)
        if len(self.choices) == 3:
            lose(self)
        return refused

    monkeypatch.setattr(Match, "choose", careless)
    game = pebbles(("if slow and", "if tired > 5 and"))
    found = soaked(game, 6)
    assert len(found.faults) == 6
    assert all("is nowhere" in f.reason and f.watched and f.choices == 3 for f in found.faults)
    probed = probe(replace(Settings(game), games=2))
    assert isinstance(probed, Probe) and [b.choices for b in probed.breaches] == [3, 3]
