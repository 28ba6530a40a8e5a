"""Check what a phase lets somebody lay out: `arrange:`.

Comes in: a phase and the scope of who acts in it. Goes out: types in `Checked`, problems. Goals are places:
zones, spaces, pieces with things on them, and such of several owners, joined by `or`. A zone that is named
here is the place, never the set of what lies in it. What never happens: a zone that cannot hold what is laid
into it. To add a form of goal: a case in `_goals`, and one in `interpreter/lower_arrange.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.check_scope import Scope
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Phase
from rulewright.dsl.types import (
    MarkType,
    OptionalType,
    PieceType,
    SetType,
    SpaceType,
    UnknownType,
    ZoneType,
    described,
    plain,
    plural,
)

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

PLACES = (ZoneType, SpaceType, PieceType, MarkType, UnknownType)


def check_arrange(check: GameCheck, phase: Phase, scope: Scope) -> None:
    """Check all that a phase lets somebody lay out."""
    if phase.arrange and not scope.acting:
        check.error(
            "E432",
            phase.span,
            f"Nobody acts in the phase `{phase.name}`, so nobody lays anything out.",
            "Say `who: …` or `turns: clockwise from …`.",
        )
    for laid in phase.arrange:
        _, element, inner = check.select(laid.things, replace(scope, chooser="actor"))
        kind = element.kind if isinstance(element, PieceType) else ""
        if not kind and not isinstance(element, UnknownType):
            check.error(
                "E424",
                laid.things,
                f"Only cards, tokens and dice can be laid out; these are {described(element, True)}.",
                "Name pieces, as in `every card in hand of actor`.",
            )
        _goals(check, laid.goals, inner, kind)


def _goals(check: GameCheck, node: n.Expr, scope: Scope, kind: str) -> None:
    """Type one expression that gives places."""
    match node:
        case n.Or(left=left, right=right):
            _goals(check, left, scope, kind)
            _goals(check, right, scope, kind)
            return
        case n.Conditional(condition=condition, then=then, otherwise=otherwise):
            check.condition(condition, scope)
            yes, no = check.facts(condition, scope)
            _goals(check, then, scope.knowing(yes), kind)
            _goals(check, otherwise, scope.knowing(no), kind)
            return
    found = check.type_of(node, scope)
    if isinstance(found, OptionalType):
        check.misfit(node, found, found.inner)
    found = plain(found)
    symbol = check.out.symbols.get(id(node))
    if symbol is not None and symbol.form == "zone":
        _holds(check, node, symbol.name, kind)
    elif isinstance(node, n.SetDisplay) and isinstance(element_of(found), (PieceType, ZoneType)):
        check.error(
            "E423",
            node,
            "Places are needed here; this is a list of pieces or zones.",
            "Join zones with `or`, as in `hand of actor or deck`.",
        )
    elif not isinstance(found, PLACES) and not isinstance(
        element_of(found), (SpaceType, PieceType, MarkType)
    ):
        several = isinstance(found, SetType)
        check.error(
            "E423",
            node,
            f"{'Places are' if several else 'A place is'} needed here; this is {described(found)}.",
            "Name where these go: zones such as `hand of any player`, or spaces.",
        )


def _holds(check: GameCheck, node: n.Expr, name: str, kind: str) -> None:
    """Whether a zone can hold pieces of a kind."""
    zone = check.world.game.zones.get(name)
    holds = check.zone_type(name).holds if zone is not None else ""
    world = check.world
    if kind and holds and not (world.isa(kind, holds) or world.isa(holds, kind) or world.meet(kind, holds)):
        check.error(
            "E424",
            node,
            f"`{name}` holds {plural(holds)}; no {kind} can lie there.",
            "Name another zone, or let this one hold them, too.",
        )
