"""Check one more condition against a game that is checked already: for scenarios and questions from outside.

Comes in: a text, `Checked`, and the names of the players at the table. Goes out: the parsed condition,
whose types and names have joined those of the game, or None with problems. The game itself is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import nodes as n
from rulewright.dsl.check_game import GameCheck
from rulewright.dsl.check_scope import Scope
from rulewright.dsl.check_world import make_world
from rulewright.dsl.model import Checked
from rulewright.dsl.problems import Problems
from rulewright.dsl.slots import read_logic
from rulewright.dsl.source import Scalar


def check_condition(
    text: Scalar,
    checked: Checked,
    players: Sequence[str],
    problems: Problems,
    spaces: frozenset[str] = frozenset(),
) -> n.Expr | None:
    """The condition `text`, in which players (and `spaces` of unbounded boards) may be named."""
    before = len(problems)
    node = read_logic(text, "expr", problems)
    if not isinstance(node, n.Expr):
        return None
    world = make_world(checked.game, Problems())
    world.seats = {name: i for i, name in enumerate(players)}
    world.spaces |= spaces
    check = GameCheck(world, checked, problems)
    check.gather_phase_names(checked.game.flow)
    check.condition(node, Scope())
    return node if len(problems) == before else None
