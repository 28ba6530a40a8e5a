"""Steps where several choose together: by name, several at once, and all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios

GAME = """\
game: Council
language: 1
players: [ana, ben, cem]
types:
  stand: [aye, argh]
state:
  vote: {per: player, is: stand, start: argh}
  united: {is: yes or no, start: no}
  plan: {is: number 0 to 3}
flow:
  - supper:
      turns: clockwise from ana
      at most: 3 rounds, then morning
      actions: [talk, plan_it, ask, rest]
actions:
  talk:
    do: |
      each player p chooses vote of p from [aye, argh], together
      each player p where vote of p is aye chooses vote of p from [aye, argh], together
  plan_it:
    do: |
      majority of (all player) chooses plan from [1 to 3], else 0
  ask:
    do: |
      agreement of (all player where vote of player is aye) chooses united from [yes, no], else no
  rest:
    do: |
      add 0 to plan
ends:
  morning: {winner: nobody}
scenarios:
  case:
"""


def played(folder: Path, steps: str) -> ScenarioResult:
    """One scenario that begins in the middle of the supper."""
    body = "".join(f"    {line}\n" for line in steps.strip("\n").split("\n"))
    path = folder / "game.yaml"
    path.write_text(GAME + body, encoding="utf-8")
    loaded = load_game(str(path))
    assert loaded.ok, [str(p) for p in loaded.problems]
    (found,) = run_scenarios(loaded)
    return found


RIGHT = {
    "one after the other": """
when:
  - ana: plan_it
  - ana: 2
  - ben: plan=2
  - cem: 3
then:
  - plan is 2
  - turn: ben
""",
    "several and all": """
when:
  - ana: talk
  - ana, ben, cem: aye
  - ana, ben: argh
  - cem: aye
then:
  - vote of cem is aye
  - vote of ana is argh
""",
    "all choose the same": """
when:
  - ana: plan_it
  - all: 3
then:
  - plan is 3
""",
    "the rest of them, and only in this question": """
when:
  - ana: talk
  - ana: argh
  - all: aye
  - then:
      - turn: ben
  - ben: argh
  - all: aye
  - ben: ask
  - cem: yes
then:
  - united
  - vote of ben is argh
  - turn: cem
""",
    "what one alone agrees to": """
given:
  vote of ben: aye
when:
  - ana: ask
  - ben: yes
then:
  - united
""",
    "what cannot be chosen": """
when:
  - ana: plan_it
  - ana cannot: 4
  - all: 1
""",
}
WRONG = {
    "not together": ("when:\n  - all: plan_it", "Nobody chooses together with others here."),
    "out of order": ("when:\n  - ana: plan_it\n  - ben: 2", "ben does not choose here"),
    "several out of order": ("when:\n  - ana: plan_it\n  - ana, cem: 2", "cem does not choose here"),
    "nobody of that name": ("when:\n  - ana: plan_it\n  - ana, eve: 2", "Nobody is called `eve`"),
    "what is not offered": ("when:\n  - ana: plan_it\n  - all: 7", "`7` cannot be done"),
    "over before": ("when:\n  - ana: plan_it\n  - all: 2\n  - all: 2", "Nobody chooses together"),
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
