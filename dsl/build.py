"""Turns the tree of one piece of text into the nodes of dsl/nodes.py.

Comes in: the parser's tree (offsets only, shared by all places with the same text) and a function
that leads from offsets to the file. Goes out: fresh nodes with exact spans. What never happens:
a wrong tree; the parser has refused it before. An effect here is one line: the head of a block is
built with an empty body, and dsl/layout.py knows what stands in it.
To add a form: a rule with an alias in grammar.lark, a class in dsl/nodes.py, and a method here
(effects, headers, types) or in dsl/build_values.py (expressions, selections) that is called like
the alias; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from rulewright.dsl import nodes as n
from rulewright.dsl.build_values import Branch, Leaf, Place, ValueBuilder
from rulewright.dsl.problems import Span

SEEN_BY_WORDS = frozenset({"all", "nobody", "owner", "others", "team"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElseIf(n.Node):
    """`else if C:` before it has found its `if`; never part of a finished tree."""

    condition: n.Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Else(n.Node):
    """`else:` before it has found its `if` or its choice; never part of a finished tree."""


def build(tree: Branch, place: Place) -> n.Node:
    """The node of `tree`. Its nesting must be bounded (see `syntax.MAX_DEPTH`)."""
    return cast("n.Node", _Builder(place).node(tree))


class _Builder(ValueBuilder):
    """One method for each alias of the grammar; each gets the branch's span and its parts, already built."""

    # ---------------------------------------------------------------- effects

    def _on_let(self, span: Span, name: Leaf, value: n.Expr) -> n.Effect:
        return n.Let(span=span, name=str(name), name_span=self.at(name), value=value)

    def _on_set_to(self, span: Span, target: n.Expr, value: n.Expr) -> n.Effect:
        return n.SetTo(span=span, target=target, value=value)

    def _on_add_to(self, span: Span, amount: n.Expr, target: n.Expr) -> n.Effect:
        return n.AddTo(span=span, amount=amount, target=target)

    def _on_take_from(self, span: Span, amount: n.Expr, target: n.Expr) -> n.Effect:
        return n.TakeFrom(span=span, amount=amount, target=target)

    def _on_move(self, span: Span, things: n.Expr, place: n.Expr) -> n.Effect:
        return n.Move(span=span, things=things, place=place)

    def _on_deal(self, span: Span, things: n.Expr, source: n.Expr, place: n.Expr) -> n.Effect:
        return n.Deal(span=span, things=things, source=source, place=place)

    def _on_shuffle(self, span: Span, zone: n.Expr) -> n.Effect:
        return n.Shuffle(span=span, zone=zone)

    def _on_reveal(self, span: Span, things: n.Expr) -> n.Effect:
        return n.Reveal(span=span, things=things)

    def _on_show(self, span: Span, things: n.Expr, to: n.Expr) -> n.Effect:
        return n.Show(span=span, things=things, to=to)

    def _on_place(
        self,
        span: Span,
        amount: n.Amount | None,
        kind: Leaf,
        owner: dict[str, Any] | None,
        _on: Leaf,
        place: n.Expr,
    ) -> n.Effect:
        return n.Place(
            span=span,
            amount=amount,
            kind=str(kind),
            kind_span=self.at(kind),
            owner=owner["owner"] if owner else None,
            place=place,
        )

    def _on_return_(self, span: Span, things: n.Expr) -> n.Effect:
        return n.Return(span=span, things=things)

    def _on_remove(self, span: Span, things: n.Expr) -> n.Effect:
        return n.Remove(span=span, things=things)

    def _on_swap(self, span: Span, first: n.Expr, second: n.Expr) -> n.Effect:
        return n.Swap(span=span, first=first, second=second)

    def _on_turn_to(self, span: Span, _turn: Leaf, things: n.Expr, face: n.Expr) -> n.Effect:
        return n.TurnTo(span=span, things=things, face=face)

    def _on_roll(self, span: Span, things: n.Expr) -> n.Effect:
        return n.Roll(span=span, things=things, again=False)

    def _on_reroll(self, span: Span, things: n.Expr) -> n.Effect:
        return n.Roll(span=span, things=things, again=True)

    def _on_offer(self, span: Span, window: Leaf) -> n.Effect:
        return n.Offer(span=span, window=str(window), window_span=self.at(window))

    def _on_end(self, span: Span, what: Leaf, name: Leaf | None = None) -> n.Effect:
        name_span = self.at(name) if name is not None else None
        return n.End(
            span=span, what=str(what), name=str(name) if name is not None else None, name_span=name_span
        )

    def _on_end_repeat(self, span: Span) -> n.Effect:
        return n.End(span=span, what="repeat")

    def _on_another_turn(self, span: Span, _turn: Leaf, player: n.Expr) -> n.Effect:
        return n.AnotherTurn(span=span, player=player)

    def _on_skip(self, span: Span, player: n.Expr) -> n.Effect:
        return n.Skip(span=span, player=player)

    def _on_reverse(self, span: Span) -> n.Effect:
        return n.Reverse(span=span)

    def _on_do(self, span: Span, event: Leaf, *arguments: n.Expr | None) -> n.Effect:
        given = tuple(a for a in arguments if a is not None)
        return n.Do(span=span, event=str(event), event_span=self.at(event), arguments=given)

    def _on_chooses_value(
        self, span: Span, chooser: n.Expr, target: n.Expr, options: n.Expr, otherwise: n.Expr | None
    ) -> n.Effect:
        return n.ChoosesValue(span=span, chooser=chooser, target=target, options=options, otherwise=otherwise)

    def _on_each_chooses_value(
        self, span: Span, selection: n.Selection, target: n.Expr, options: n.Expr
    ) -> n.Effect:
        return n.EachChoosesValue(span=span, selection=selection, target=target, options=options)

    # -------------------------------------------------------- heads of blocks

    def _on_if_(self, span: Span, condition: n.Expr) -> n.Effect:
        return n.If(span=span, branches=((condition, ()),), otherwise=None)

    def _on_else_if(self, span: Span, condition: n.Expr) -> n.Node:
        return ElseIf(span=span, condition=condition)

    def _on_else_(self, span: Span) -> n.Node:
        return Else(span=span)

    def _on_for_each(self, span: Span, selection: n.Selection) -> n.Effect:
        return n.ForEach(span=span, selection=selection, body=())

    def _on_at_once(self, span: Span, selection: n.Selection) -> n.Effect:
        return n.ForEach(span=span, selection=selection, body=(), at_once=True)

    def _on_repeat(
        self,
        span: Span,
        _up_to: Leaf,
        times: n.Expr,
        _times: Leaf,
        _while: Leaf | None,
        condition: n.Expr | None,
    ) -> n.Effect:
        return n.Repeat(span=span, times=times, condition=condition, body=())

    def _on_chooses(
        self, span: Span, chooser: n.Expr, chosen: n.Chosen, or_none: bool | n.Expr | None
    ) -> n.Effect:
        return n.Chooses(
            span=span,
            chooser=chooser,
            chosen=chosen,
            or_none=False if or_none is None else or_none,
            may=False,
            body=(),
            otherwise=None,
        )

    def _on_or_none(self, _span: Span, condition: n.Expr | None) -> bool | n.Expr:
        return True if condition is None else condition

    def _on_may_choose(self, span: Span, chooser: n.Expr, chosen: n.Chosen) -> n.Effect:
        return n.Chooses(
            span=span, chooser=chooser, chosen=chosen, or_none=True, may=True, body=(), otherwise=None
        )

    def _on_each_chooses(self, span: Span, selection: n.Selection, chosen: n.Chosen) -> n.Effect:
        return n.EachChooses(span=span, selection=selection, chosen=chosen, body=())

    # ------------------------------------------------------ headers and types

    def _on_kind_type(self, span: Span, kind: Leaf) -> n.TypeNode:
        return n.KindType(span=span, kind=str(kind))

    def _on_any_number_type(self, span: Span) -> n.TypeNode:
        return n.KindType(span=span, kind="number")

    def _on_optional_type(self, span: Span, inner: n.TypeNode) -> n.TypeNode:
        return n.OptionalType(span=span, inner=inner)

    def _on_yes_no_type(self, span: Span, _no: Leaf) -> n.TypeNode:
        return n.YesNoType(span=span)

    def _on_set_type(self, span: Span, kind: Leaf) -> n.TypeNode:
        return n.SetType(span=span, kind=str(kind), kind_span=self.at(kind))

    def _on_number_type(self, span: Span, low: n.Expr, high: n.Expr) -> n.TypeNode:
        return n.NumberType(span=span, low=low, high=high)

    def _on_parameter(self, span: Span, kind: n.TypeNode, name: Leaf, default: n.Expr | None) -> n.Parameter:
        return n.Parameter(span=span, type=kind, name=str(name), name_span=self.at(name), default=default)

    def _on_header(self, span: Span, name: Leaf, *parameters: n.Parameter | None) -> n.Header:
        given = tuple(p for p in parameters if p is not None)
        return n.Header(span=span, name=str(name), name_span=self.at(name), parameters=given)

    def _on_copies(self, span: Span, number: n.Expr, *per: Leaf | None) -> n.Copies:
        kinds = tuple((str(p), self.at(p)) for p in per if p is not None)
        if kinds and isinstance(number, n.Name) and number.text == "one":
            number = n.Number(span=number.span, value=1)
        return n.Copies(span=span, number=number, per=kinds)

    def _on_number_range(self, span: Span, low: n.Expr, high: n.Expr | None) -> n.NumberRange:
        return n.NumberRange(span=span, low=low, high=low if high is None else high)

    def _on_times(self, span: Span, number: n.Expr, unit: Leaf, then: Leaf | None) -> n.Times:
        then_span = self.at(then) if then is not None else None
        return n.Times(
            span=span,
            number=number,
            unit="times" if unit.type == "TIMES" else "rounds",
            then=str(then) if then is not None else None,
            then_span=then_span,
        )

    def _on_turns_from(
        self,
        span: Span,
        clock: Leaf,
        start: n.Expr,
        _where: Leaf | None,
        condition: n.Expr | None,
        once: Leaf | None,
    ) -> n.Turns:
        return n.Turns(
            span=span,
            direction=str(clock),
            start=start,
            players=None,
            condition=condition,
            once_around=once is not None,
        )

    def _on_turns_of(self, span: Span, players: n.Expr) -> n.Turns:
        return n.Turns(
            span=span, direction=None, start=None, players=players, condition=None, once_around=False
        )

    def _on_event_named(self, span: Span, name: Leaf) -> n.Happening:
        return self._happening(span, "event", name)

    def _on_state_stirs(self, span: Span, name: Leaf, word: Leaf) -> n.Happening:
        return self._happening(span, str(word), name)

    def _on_state_becomes(self, span: Span, name: Leaf, value: n.Expr) -> n.Happening:
        return self._happening(span, "becomes", name, value)

    def _on_phase_passes(self, span: Span, word: Leaf, name: Leaf) -> n.Happening:
        return self._happening(span, str(word), name)

    def _happening(self, span: Span, word: str, name: Leaf, value: n.Expr | None = None) -> n.Happening:
        return n.Happening(span=span, word=word, name=str(name), name_span=self.at(name), value=value)

    def _on_seen_by_all(self, span: Span, _all: Leaf) -> n.SeenBy:
        return n.SeenBy(span=span, word="all", players=None)

    def _on_seen_by(self, span: Span, players: n.Expr) -> n.SeenBy:
        if isinstance(players, n.Name) and players.text in SEEN_BY_WORDS:
            return n.SeenBy(span=span, word=players.text, players=None)
        return n.SeenBy(span=span, word=None, players=players)


ALIASES = frozenset(name[4:] for name in dir(_Builder) if name.startswith("_on_"))
"""The aliases of the grammar that this module can build."""
