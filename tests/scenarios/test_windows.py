"""Steps in a window: reactions, `pass`, and `all pass`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios

GAME = """\
game: Feast
language: 1
players: [ana, ben, cem]
state:
  coins: {per: player, is: number 0 to 9, start: 1}
  songs: {is: number 0 to 20}
flow:
  - supper:
      turns: clockwise from ana
      at most: 3 rounds, then morning
      actions: [dine, rest]
actions:
  dine:
    do: |
      repeat up to 2 times:
          offer feast
  rest:
    do: |
      add 1 to songs
reactions:
  pay:
    windows: feast
    who: player where coins of player > 0
    choose:
      friend: player where player is not actor
    do: |
      take 1 from coins of actor
      add 1 to coins of friend
  sing:
    windows: [feast, entering supper]
    who: player where player is ben
    do: |
      add 5 to songs
ends:
  morning: {winner: nobody}
scenarios:
  case:
"""


def played(folder: Path, steps: str) -> ScenarioResult:
    """One scenario that begins in the middle of the supper."""
    given = "given:\n  songs: 2\n"
    body = "".join(f"    {line}\n" for line in (given + steps).strip("\n").split("\n"))
    path = folder / "game.yaml"
    path.write_text(GAME + body, encoding="utf-8")
    loaded = load_game(str(path))
    assert loaded.ok, [str(p) for p in loaded.problems]
    (found,) = run_scenarios(loaded)
    return found


RIGHT = {
    "reactions and passes": """
when:
  - ben: sing
  - ana: dine
  - ana: pay ben
  - ben: pay friend=cem
  - ben: sing
  - all pass
  - all pass
then:
  - coins of cem is 2
  - songs is 12
  - turn: ben
""",
    "one opening is closed and no other": """
when:
  - all pass
  - ana: dine
  - all pass
  - ana: pay ben
  - ana cannot: pay cem
    because: It is ben who chooses now.
  - all pass
then:
  - next turns: [ben, cem]
""",
    "who reacts has no turn": """
when:
  - ben: sing
  - ana: rest
then:
  - next turns: [ben, cem, ana]
""",
}
WRONG = {
    "nothing to pass": ("when:\n  - all pass\n  - all pass", "No window is open"),
    "a window that is not closed": (
        "when:\n  - all pass\n  - ana: dine\n  - ben: rest",
        "ben does not choose",
    ),
    "used twice": ("when:\n  - ben: sing\n  - ben: sing", "ben does not choose here"),
    "not for everybody": ("when:\n  - all pass\n  - ana: dine\n  - ana: sing", "This is only for"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_steps_that_fit(name: str, tmp_path: Path) -> None:
    result = played(tmp_path, RIGHT[name])
    assert result.failure is None, result.failure


@pytest.mark.parametrize("name", WRONG)
def test_steps_that_do_not_fit(name: str, tmp_path: Path) -> None:
    steps, text = WRONG[name]
    result = played(tmp_path, steps)
    assert result.failure is not None and text in result.failure.text
