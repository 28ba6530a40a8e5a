"""`play` while a window is open: the question says why it is asked, and whoever passes goes on."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulewright.cli import main

GAME = """\
game: Feast
language: 1
players: [ana, ben]
state:
  songs: {is: number 0 to 20}
flow:
  - supper:
      turns: clockwise from ana
      at most: 2 rounds, then morning
      actions: [dine]
actions:
  dine:
    do: |
      offer after_the_soup
reactions:
  sing:
    title: Sing a song
    windows: after_the_soup
    who: player where player is not actor
    do: |
      add 1 to songs
ends:
  morning: {winner: nobody}
"""


def run(typed: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    path = folder / "feast.yaml"
    path.write_text(GAME, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["play", str(path), "--seats", "human,human", "--seed", "1"]) == 0
    return capsys.readouterr().out


def test_reactions_are_asked_for_with_their_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run("dine\nsing\ndine\npass\ndine\n1\ndine\n2\n", tmp_path, monkeypatch, capsys)
    asked = [line for line in out.splitlines() if "You may react" in line]
    assert asked == [f"{name}: You may react: After the soup" for name in ("ben", "ana", "ben", "ana")]
    menu = out[out.index("ben: You may react") :].splitlines()[1:3]
    assert [line.split() for line in menu] == [
        ["1", "Sing", "a", "song", "sing"],
        ["2", "Pass", "pass"],
    ]
    assert "ana: Pass" in out and "ben: Sing a song" in out
    assert "The game is over" in out


def test_a_reaction_that_is_not_on_offer_is_refused_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run("dine\ndine\nhum\nquit\n", tmp_path, monkeypatch, capsys)
    assert out.count("Not possible: There is no action") == 2
    assert "Possible here: sing, pass." in out
