"""What is worked out once for a list of options gives the same list as working it out each time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.dsl.load import bundled_games
from rulewright.interpreter import ir
from rulewright.interpreter.actions import ActionSet
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.link_once import Once, free_slots
from rulewright.interpreter.match import Match
from rulewright.tests.semantics.toys import do, ids, toy

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in bundled_games()),
    ("vye", {"theme": "connecting_kingdoms"}),
    ("vye", {"theme": "greedy_rulers"}),
    ("vye", {"specials": ["catapult", "fortress", "wild_land", "ancient_passage"], "token_supply": "hard"}),
]


def each_time(match: Match) -> ActionSet:
    """The actions that are open, with nothing remembered but whole conditions."""
    ask = match.state.ask
    assert ask is not None
    kept = Once._kept
    try:
        Once._kept = lambda self, e, f: f  # type: ignore[method-assign]
        return ActionSet(match.state.code, ask.node.decision)
    finally:
        Once._kept = kept  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("name", "options"), SETTINGS, ids=lambda x: x if isinstance(x, str) else str(len(x))
)
def test_the_options_are_the_same(
    name: str, options: dict[str, Any], figure: Callable[[int, int], int]
) -> None:
    game = load(name)
    assert isinstance(game, PlayableGame)
    for seed in range(figure(1, 20)):
        match, luck, plain = game.start(None, seed, options, trace=False), random.Random(seed), {}
        assert isinstance(match, Match)
        while (decision := match.decision) is not None and len(match.choices) < 200:
            ask = match.state.ask
            if ask is not None and ask.form == "action":
                number = ask.node.decision
                plain.setdefault(number, each_time(match))
                match.state.fuel = 10**9
                assert plain[number].options(match.state, ask.player) == ask.options
            assert match.choose(luck.randrange(decision.count)) is None


TOY = """
cards:
  tile: {copies: 8, code: T, starts in: bag}
zones:
  bag: {holds: tile, as: pile, seen by: all}
tokens:
  stone: {per: player, supply: 6}
boards:
  grid: {shape: square grid, size: 3 x 3}
define:
  areas(player p): all group of (all space s on grid where any stone of p on s) by adjacent
setup:
  do: |
    place stone of x on a1
    place stone of x on c3
flow:
  - play:
      turns: clockwise from x
      at most: 4 rounds, then over
      actions: [lay, wait]
actions:
  lay:
    choose:
      near: space on grid where space is empty
      far: space on grid where space is empty and (CONDITION)
    do: |
      place stone of actor on near
  wait:
    do: |
      end turn
ends:
  over:
    winner: nobody
"""


def test_it_is_worked_out_anew_for_each_list() -> None:
    match = toy(
        TOY.replace("CONDITION", "exactly 2 group g in areas(actor) where size of g > 0 and near is near")
    )
    assert len(ids(match)) == 7 * 7 + 1  # x has two areas
    do(match, "lay near=b1 far=b1", "wait")
    assert len(ids(match)) == 6 * 6 + 1  # a bigger one and a small one
    do(match, "lay near=c2 far=c2", "wait", "lay near=b2 far=b2", "wait")
    assert ids(match) == ["wait"]  # they have grown together


def test_what_is_not_reached_is_not_worked_out() -> None:
    one = "size of (the group of (all space s on grid where any stone of actor on s) by adjacent) > 0"
    reached = "near is not near and row_number of (the space s on grid where any stone of actor on s) > 0"
    assert len(ids(toy(TOY.replace("CONDITION", f"not ({reached})")))) == 7 * 7 + 1
    broken = toy(TOY.replace("CONDITION", reached.replace("near is not near", "near is near")))
    assert broken.fault is not None, one


def test_it_saves_work() -> None:
    match = toy(
        TOY.replace("CONDITION", "exactly 2 group g in areas(actor) where size of g > 0 and near is near")
    )
    spent = []
    ask = match.state.ask
    assert ask is not None
    for actions in (match.state.code.decision(ask.node.decision), each_time(match)):
        match.state.fuel = 10**9
        assert len(actions.options(match.state, ask.player)) == 7 * 7 + 1
        spent.append(10**9 - match.state.fuel)
    assert spent[0] < spent[1]


def test_the_slots_that_an_expression_needs_from_around_it() -> None:
    own, outer = ir.Local(1), ir.Local(2)
    inside = ir.Quantifier("any", 1, outer, ir.Binary("==", own, ir.Local(3)))
    assert free_slots(inside) == {2, 3}
    assert free_slots(ir.Filter(3, ir.Const(0), inside)) == {2}
    assert free_slots(ir.Fold("sum", 1, own, own)) == {1}  # the set is computed before the slot is bound
    assert free_slots(ir.Linked(own, 1, own, outer, None)) == {1, 2}
    assert free_slots(ir.Apply(0, (own, inside))) == {1, 2, 3}
    assert free_slots(ir.Going(0, own, own, None, False, 1, own, outer, own)) == {1, 2}
    assert free_slots(ir.Going(0, ir.Const(0), outer, None, False, 1, own, None, None)) == {2}
