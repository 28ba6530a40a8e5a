"""`play` through a pipe: what is typed comes from a text, what is shown can be read afterwards."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli import main

Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    def run(typed: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(["play", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


ROWS = ("tic_tac_toe", "--seats", "human", "--seed", "1")


def boards(out: str) -> list[str]:
    """The boards that were shown, each as its three rows without blanks."""
    lines = out.splitlines()
    heads = [i for i, line in enumerate(lines) if line.split() == ["a", "b", "c"]]
    return [" ".join("".join(lines[i + r].split()[1:]) for r in (1, 2, 3)) for i in heads]


def test_a_whole_game_is_played_by_numbers_values_and_ids(play: Play) -> None:
    code, out, _ = play("1\nb1\nput_mark spot=b2\nput_mark c1\nc3\n", *ROWS)
    assert code == 0
    assert boards(out)[-1] == "xoo .x. ..x"
    assert "Winner: x." in out and "The game is over: " in out


def test_a_refused_choice_says_why_and_changes_nothing(play: Play) -> None:
    _, out, _ = play("b2\nb2\nput_mark spot=b2\npt_mark a1\n99\nquit\n", *ROWS)
    assert out.count("Not possible:") == 3
    assert "b2" in out.split("Not possible:")[1] and "Did you mean `put_mark`?" in out
    assert "the list goes from 1 to 8" in out
    assert boards(out)[-1] == "... .x. ..."


def test_reasons_of_the_rules_are_given(play: Play) -> None:
    _, out, _ = play(
        "stop\n" + "throw\n" * 60, "pig", "--seats", "human", "--option", "goal=10", "--seed", "2"
    )
    assert "Not possible: You have enough points to win; stop now." in out


def test_undo_takes_the_last_choice_of_a_person_back(play: Play) -> None:
    _, out, _ = play("undo\na1\nb1\nundo\nundo\nquit\n", *ROWS)
    assert "There is nothing to take back." in out
    assert "the last choice of o." in out and "the last choice of x." in out
    assert boards(out) == ["... ... ...", "x.. ... ...", "xo. ... ...", "x.. ... ...", "... ... ..."]


def test_undo_takes_the_moves_of_bots_back_too(play: Play) -> None:
    _, out, _ = play("a1\nundo\nquit\n", "tic_tac_toe", "--seats", "human,first")
    assert boards(out) == ["... ... ...", "xo. ... ...", "... ... ..."]


def test_undo_is_refused_where_chance_has_decided(play: Play) -> None:
    _, out, _ = play("throw\nundo\nquit\n", "pig", "--seats", "human", "--seed", "1")
    assert "That cannot be taken back" in out


def test_a_saved_game_goes_on_where_it_was(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    code, out, _ = play(f"a1\nb1\nsave {file}\nquit\n", *ROWS)
    assert code == 0 and "Saved." in out
    assert [p.name for p in tmp_path.iterdir()] == ["my game.json"]
    code, out, _ = play("b2\nc1\nc3\n", "--load", str(file))
    assert code == 0 and boards(out)[0] == "xo. ... ..." and "Winner: x." in out


def test_a_saved_game_keeps_variants_options_seed_and_seats(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    flags = ["pig", "--variant", "two_dice", "--option", "goal=30", "--players", "ann,bob", "--seed", "77"]
    play(f"throw\nsave {file}\nquit\n", *flags, "--seats", "human,first")
    data = json.loads(file.read_text())
    assert (data["variants"], data["options"], data["seed"]) == (["two_dice"], {"goal": ["30"]}, 77)
    assert (data["players"], data["seats"]) == (["ann", "bob"], ["human", "first"])
    assert play("quit\n", "--load", str(file))[0] == 0


@pytest.mark.parametrize(
    "damage",
    [
        {"format": "other"}, {"seats": [1]}, {"options": {"a": 1}}, {"players": {"a": 1}}, {"match": None},
        {"match": {}},
        {"variants": ["x"]}, {"game": "nowhere"}, {"seats": ["robot"]}, {"seats": ["human"] * 5},
    ],
)  # fmt: skip
def test_a_damaged_save_is_refused_with_a_reason(
    damage: dict[str, object], play: Play, tmp_path: Path
) -> None:
    file = tmp_path / "s.json"
    play(f"a1\nsave {file}\nquit\n", *ROWS)
    file.write_text(json.dumps({**json.loads(file.read_text()), **damage}))
    code, out, err = play("", "--load", str(file))
    assert code == 2 and err.startswith("rulewright: ") and out == ""


def test_saving_where_nothing_can_be_written_is_told(play: Play) -> None:
    code, out, _ = play("save /nowhere/at/all.json\nsave\nquit\n", *ROWS)
    assert code == 0 and "cannot be written" in out and "name of a file" in out


def test_what_the_player_sees_is_drawn_into_a_file(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, out, _ = play("a1\nb1\ndraw\nquit\n", *ROWS)
    svg = (tmp_path / "table.svg").read_text(encoding="utf-8")
    assert "Drawn: table.svg" in out and "as x sees it" in svg
    assert svg.count("#ffb000") == 1  # b1, where o went since x chose
    file = tmp_path / "hand.svg"
    play(f"draw {file}\nquit\n", "kuhn_poker", "--seed", "3")
    assert "hand of player 1 (yours)" in file.read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_written_is_told(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.viz.table_png.CONVERTERS", {})
    code, out, _ = play("draw /nowhere/t.svg\ndraw t.txt\ndraw t.png\nquit\n", *ROWS)
    assert code == 0 and "/nowhere/t.svg cannot be written" in out
    assert "`t.txt` ends in `.txt`" in out and "no program here that makes a PNG" in out
    assert not Path("t.png").exists()


def test_the_other_commands_answer(play: Play) -> None:
    _, out, _ = play("help\noptions\na1\nwhy\ntable\n\nquit\n", *ROWS)
    assert "take the last choice back" in out
    assert "\n  put_mark spot=c3\n" in out
    assert "game.yaml:" in out  # why: down to the line of the rule
    assert boards(out)[-1] == "x.. ... ..."


def test_the_end_of_what_is_piped_in_leaves_the_game(play: Play) -> None:
    code, out, _ = play("a1\n", *ROWS)
    assert code == 0 and "the game is left here" in out


def test_bots_alone_play_to_the_end(play: Play) -> None:
    code, out, _ = play("", "tic_tac_toe", "--seats", "first")
    assert code == 0 and "Winner: x." in out


def test_the_same_seed_gives_the_same_game_and_a_seed_is_told(play: Play) -> None:
    one = play("1\n1\n1\n", "vyr", "--seed", "5")
    assert one == play("1\n1\n1\n", "vyr", "--seed", "5")
    assert "Seed 5." in one[2]
    assert "Seed " in play("quit\n", "vyr")[2]


def test_many_options_are_chosen_step_by_step(play: Play) -> None:
    _, out, _ = play("2\nback\n1\n1\nquit\n", "vye", "--seed", "3")
    assert "(10 ways)" in out
    assert max(len(line) for line in out.splitlines() if line[:5].strip().isdecimal()) < 100
    assert "played" in out.split("blue> ")[-2]


def test_nothing_shown_to_one_player_tells_what_another_holds(play: Play) -> None:
    # Kuhn poker with three cards and two players; each prompt ends with the player's name.
    _, out, _ = play("bet\nbet\n", "kuhn_poker", "--seats", "human", "--players", "ann,bob", "--seed", "3")
    anns, bobs = out.split("ann> ")[0], out.split("ann> ")[1].split("bob> ")[0]
    ann = next(line for line in anns.splitlines() if line.startswith("hand of ann")).split()[-1]
    bob = next(line for line in bobs.splitlines() if line.startswith("hand of bob")).split()[-1]
    assert ann != bob and ann.startswith("K") and bob.startswith("K")
    assert bob not in anns and ann not in bobs
    assert "Hand the screen over to bob." in bobs


def test_a_simultaneous_choice_is_not_shown_to_the_next_one(play: Play) -> None:
    _, out, _ = play("B7\n", "goofspiel", "--seats", "human", "--seed", "3")
    after = out.split("player_1> ")[1]
    assert "Hand the screen over to player_2." in after
    told = after.split("Goofspiel")[0]
    assert "b 7" not in told.split("Hand the screen over")[1]


COUNCIL = """\
game: Council
language: 1
players: [ann, bob]
state:
  united: {is: yes or no, start: no, title: Do you unite?}
flow:
  - talking:
      do: |
        agreement of (all player) chooses united from [yes, no], else no
        end game as over
ends:
  over: {winner: nobody}
"""


def test_people_who_choose_as_one_are_told_so_and_hear_the_votes_afterwards(
    play: Play, tmp_path: Path
) -> None:
    game = tmp_path / "council.yaml"
    game.write_text(COUNCIL, encoding="utf-8")
    _, out, _ = play("yes\nno\n", str(game), "--seats", "human")
    assert out.count("ann, bob: you choose in secret, as one. It counts if all choose the same.") == 2
    assert "ann: Do you unite?" in out
    before, _, after = out.partition("bob: Do you unite?")
    assert "united yes" not in before.partition("ann> ")[2]  # what ann has chosen is not shown to bob
    assert "ann: yes" in after and "bob: no" in after and "They do not agree: no" in after
