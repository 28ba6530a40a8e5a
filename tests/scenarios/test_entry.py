"""A game that begins inside its flow goes on as the whole game would, whatever form its turns have."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.interpreter import ir
from rulewright.interpreter.layout import space_name
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.lower_entry import Entry, chain_to, place_of_space, usual_phase
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.verify import verify
from rulewright.playtest.scenarios import run_scenarios

GAME = """\
game: Rounds
language: 1
players: 3
state:
  said: {is: number 0 to 99, start: 0}
  entered: {is: number 0 to 99, start: 0}
flow:
  - first:
      do: |
        set said to 50
  - outer:
      repeat: 2 times
      on enter: |
        add 10 to entered
      state:
        left: {is: number 0 to 9, start: 7}
      phases:
        - before:
            do: |
              add 5 to said
        - inner:
            TURNS
            on enter: |
              add 1 to entered
            state:
              own: {is: number 0 to 9, start: 3}
            actions: [say]
        - after:
            do: |
              add 20 to said
  - last:
      do: |
        end game as done
actions:
  say:
    do: |
      add 1 to said
ends:
  done:
    winner: everybody
"""

FORMS = {
    "once around": "turns: clockwise from first_player once around",
    "a set": "turns: all player",
    "who, of a set": "who: all player",
}


def game(folder: Path, turns: str, then: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME.replace("TURNS", turns))
    (folder / "scenarios").mkdir(exist_ok=True)
    text = "scenarios:\n  case:\n    players: [ana, ben, cem]\n" + then
    (folder / "scenarios" / "some.yaml").write_text(text)
    loaded = load_game(str(folder))
    assert loaded.ok, [str(p) for p in loaded.problems]
    return "\n".join(r.text for r in run_scenarios(loaded))


@pytest.mark.parametrize("form", FORMS)
def test_of_a_fixed_round_those_before_the_wanted_player_have_had_their_turn(
    form: str, tmp_path: Path
) -> None:
    then = """\
    given: {phase: inner, turn: ben}
    when:
      - then: [turn: ben, said is 0]
      - ben: say
      - cem: say
    then:
      - turn: ana
      - said is 27
"""
    assert game(tmp_path, FORMS[form], then) == ""


@pytest.mark.parametrize("form", FORMS)
def test_without_a_wanted_player_the_round_begins_as_it_always_does(form: str, tmp_path: Path) -> None:
    then = "    given: {phase: inner}\n    then:\n      - turn: ana\n      - said is 0\n"
    assert game(tmp_path, FORMS[form], then) == ""


def test_one_who_acts_alone_can_be_another_one(tmp_path: Path) -> None:
    then = "    given: {phase: inner, turn: cem}\n    when:\n      - cem: say\n    then:\n      - turn: ana\n"
    assert game(tmp_path, "who: first_player", then) == ""


def test_only_the_wanted_phase_is_entered_and_state_that_is_given_is_kept(tmp_path: Path) -> None:
    then = """\
    given: {phase: inner, own: 8}
    when:
      - then: [entered is 1, own is 8, left is 7]
      - ana: say
    then:
      - entered is 12
      - own is 3
"""
    assert game(tmp_path, "who: first_player", then) == ""


def test_a_program_with_another_beginning_is_sound() -> None:
    for name, phase in (("vyr", "cutting_again"), ("vye", "act"), ("goofspiel", "bidding")):
        checked = load_game(name).checked
        assert checked is not None
        program = prepare(checked, 2, {}, 0, (), Entry(phase))
        assert isinstance(program, ir.Program)
        assert verify(program) == []


def test_an_entry_without_a_phase_is_the_whole_game() -> None:
    checked = load_game("vyr").checked
    assert checked is not None
    usual, same = prepare(checked, 2, {}, 0), prepare(checked, 2, {}, 0, (), Entry())
    assert isinstance(usual, ir.Program) and isinstance(same, ir.Program)
    one, other = start(usual, 5), start(same, 5)
    for _ in range(40):
        assert ids(one) == ids(other)
        if one.decision is None:
            break
        one.choose(0)
        other.choose(0)


def ids(match: Match) -> list[str]:
    return [o.id for o in match.decision.options] if match.decision else []


def test_phases_are_found_by_name_with_those_round_them() -> None:
    game_ = load_game("vyr").game
    assert game_ is not None
    assert [p.name for p in chain_to(game_.flow, "cutting")] == ["hand", "cutting"]
    assert chain_to(game_.flow, "nowhere") == ()
    assert usual_phase(game_) == "laying"


@pytest.mark.parametrize("unbounded", [True, False])
def test_the_name_of_a_space_leads_back_to_it(unbounded: bool) -> None:
    board = ir.BoardInfo("b", "square grid", 10, 64, 64, unbounded, False, -1, ir.SetConst(()), ())
    shift = 32 if unbounded else 0
    for row in range(0, 64, 3):
        for column in range(0, 64, 3):
            name = space_name(row - shift, column - shift)
            assert place_of_space(board, name) == 10 + row * 64 + column
    assert place_of_space(board, "zz99") == place_of_space(board, "x") == place_of_space(board, "a01") == -1
