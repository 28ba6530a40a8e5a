"""Laying things out at the keyboard: back, again, close; and what is kept of it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli import main
from rulewright.tests.cli.running import ROOT, environment

GAME = """\
game: Harvest
language: 1
players: [ann, bob]
types:
  task: [rig, row]
cards:
  errand: {attributes: {job: task}, copies: one per task, code: "{job}", starts in: desk}
  secret: {copies: 2, code: s, starts in: chest}
tokens:
  bean: {supply: 5}
zones:
  desk: {holds: errands, seen by: all}
  order: {per: player, holds: errands, at most: 1, seen by: all}
  chest: {holds: secrets, as: pile, seen by: nobody}
  hand: {per: player, holds: secrets, seen by: owner}
  jar: {holds: beans, seen by: all}
  pot: {per: player, holds: beans, seen by: all}
dice:
  cube: {count: 1, faces: 1 to 6}
setup:
  do: |
    move all bean to jar
flow:
  - planning:
      who: first_player
      arrange:
        every errand in desk:
          may go to: order of any player
        every bean in jar:
          goes to: pot of any player
  - peeking:
      skip when: no peeking
      who: first_player
      arrange:
        every secret in chest:
          may go to: hand of first_player
  - luck:
      do: |
        roll all cube
  - rest:
      who: first_player
      actions: [sleep]
  - stop:
      do: |
        end game as over
options:
  peeking: {title: Somebody may peek, default: no}
actions:
  sleep: {title: Sleep}
ends:
  over: {winner: nobody}
"""

Play = Callable[..., str]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "harvest.yaml"
    path.write_text(GAME.replace("no peeking", "not peeking"), encoding="utf-8")
    return path


@pytest.fixture
def play(game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    def run(typed: str, *arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        main(["play", str(game), "--seats", "human,random", "--seed", "1", *arguments])
        return capsys.readouterr().out

    return run


def test_nothing_counts_before_it_is_closed(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    out = play(f"order_of_bob\n1\n3\nsave {file}\nclose\nquit\n")
    assert json.loads(file.read_text())["match"]["choices"] == []
    assert (
        "ann lays rig to order of bob; row to order of ann; 3 Bean to pot of ann; 2 Bean to pot of bob."
        in out
    )


def test_each_answer_is_one_choice_once_it_is_closed(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    play(f"2\nback\n1\nagain\n2\nstay\n0\nback\n4\nclose\nsave {file}\nquit\n")
    choices = json.loads(file.read_text())["match"]["choices"]
    assert [c[1] for c in choices] == ["rig=order_of_bob", "row=stay", "bean pot_of_ann=4"]


def test_what_comes_after_is_not_shown_before_it_is_closed(play: Play) -> None:
    out = play("1\n1\n2\ntable\nclose\nquit\n")
    before, after = out.split("(close, back or again)> close")
    assert "die cube 1:" in after and "die cube 1:" not in before


def test_refusals_and_commands_on_the_way(play: Play) -> None:
    out = play("back\nmoon\n9\nclose\noptions\ntable\nhelp\n1\n1\n7\n5\nhello\nclose\nquit\n")
    assert "Nothing has been laid yet." in out
    assert "Not possible: There is no `moon` here." in out
    assert "Something is left to lay" in out
    assert "rig=order_of_ann" in out and "takes the last answer back" in out
    assert "Not possible: 7 is too many for pot_of_ann. Possible: 0 to 5." in out
    assert "Type `close` to keep this" in out


def test_the_lay_out_is_shown_while_it_grows(play: Play) -> None:
    out = play("2\nquit\n")
    shown = out.partition("ann> 2")[2].partition("Where does row go?")[0]
    assert "order of bob: rig" in shown
    assert "pot of" not in shown  # what is as it was is not shown again


def test_a_picture_shows_the_lay_out_as_it_stands(play: Play, tmp_path: Path) -> None:
    first, then, kept = (tmp_path / f"{name}.svg" for name in ("first", "then", "kept"))
    out = play(f"draw {first}\n1\n1\n2\ndraw {then}\nagain\ndraw {kept}\nquit\n")
    assert f"Drawn: {then}" in out
    assert first.read_text() != then.read_text()
    assert "×3" in then.read_text() and "×3" not in first.read_text()  # 3 of 5 beans in the pot of bob
    assert kept.read_text() == first.read_text()


def test_a_picture_that_cannot_be_written_is_said(play: Play, tmp_path: Path) -> None:
    out = play(f"draw {tmp_path}/none/a.svg\ndraw a.gif\nquit\n")
    assert "a.svg cannot be written: No such file or directory." in out
    assert "Not drawn:" in out


def test_what_somebody_learns_something_by_stays(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    typed = f"1\n1\n5\nclose\nhand_of_ann\nback\nsave {file}\nquit\n"
    out = play(typed, "--option", "peeking=yes")
    assert "You have learnt something by this: what has been laid stays." in out
    assert "Nothing has been laid yet." in out.rpartition("learnt something")[2]
    assert [c[1] for c in json.loads(file.read_text())["match"]["choices"]][-1].endswith("=hand_of_ann")


def test_the_end_of_the_input_leaves_the_game(play: Play) -> None:
    assert "the game is left here" in play("1\n")
    assert "the game is left here" in play("1\n1\n5\n")


@pytest.fixture
def terminal(game: Path) -> Iterator[Any]:
    pexpect = pytest.importorskip("pexpect")
    if sys.platform == "win32":
        pytest.skip("no pseudo-terminals there")
    child = pexpect.spawn(
        sys.executable, ["-m", "rulewright.cli", "play", str(game), "--seats", "human", "--seed", "1"],
        env=environment(), cwd=str(ROOT), encoding="utf-8", timeout=60, dimensions=(50, 100),
    )  # fmt: skip
    yield child
    child.close(force=True)


def test_on_a_terminal_a_person_changes_everything_until_it_is_closed(terminal: Any) -> None:
    child = terminal
    for prompt, typed in (
        ("Where does rig go", "order_of_bob"),
        ("Where does row go", "back"),
        ("Where does rig go", "order_of_ann"),
        ("Where does row go", "order_of_bob"),
        ("How many go to pot of ann", "5"),
        ("close, back or again", "again"),
        ("Where does rig go", "stay"),
        ("Where does row go", "order_of_ann"),
        ("How many go to pot of ann", "1"),
        ("close, back or again", "close"),
    ):
        child.expect(prompt)
        child.expect("> ")
        child.sendline(typed)
    child.expect("ann lays row to order of ann; Bean to pot of ann; 4 Bean to pot of bob")
    child.expect("ann> ")
    child.sendline("quit")
