"""Builds the nodes of expressions and selections from the parser's tree.

The first half of dsl/build.py, which see: what comes in, what goes out and what never happens are
told there. A method here is called like its alias in grammar.lark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Span

Place = Callable[[int, int], Span]


class Leaf(Protocol):
    """A word of the text: `str(leaf)` is its spelling."""

    type: str
    start_pos: int | None
    end_pos: int | None


class Branch(Protocol):
    """A form of the grammar with its parts; a part that is not there is None."""

    data: Any
    children: list[Any]
    meta: Any


def _words(leaf: Leaf) -> str:
    return " ".join(str(leaf).split())


class ValueBuilder:
    """One method for each alias of the grammar; each gets the branch and its parts, already built."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def node(self, tree: Any) -> Any:
        """What a part of the tree stands for: a node, a leaf as it is, or None."""
        if tree is None or not hasattr(tree, "children"):
            return tree
        method = getattr(self, f"_on_{tree.data}")
        return method(self.span(tree), *[self.node(c) for c in tree.children])

    def span(self, tree: Branch) -> Span:
        """Where a form stands in the file, with the brackets around its parts."""
        return self.place(tree.meta.start_pos, tree.meta.end_pos)

    def at(self, leaf: Leaf) -> Span:
        """Where a word stands in the file."""
        return self.place(cast("int", leaf.start_pos), cast("int", leaf.end_pos))

    # ------------------------------------------------------------ expressions

    def _on_number(self, span: Span, figure: Leaf) -> n.Expr:
        return n.Number(span=span, value=int(str(figure)))

    def _on_yes(self, span: Span) -> n.Expr:
        return n.YesNo(span=span, value=True)

    def _on_no(self, span: Span, _word: Leaf) -> n.Expr:
        return n.YesNo(span=span, value=False)

    def _on_nothing(self, span: Span) -> n.Expr:
        return n.Nothing(span=span)

    def _on_name(self, span: Span, name: Leaf) -> n.Expr:
        return n.Name(span=span, text=str(name))

    def _on_of(self, span: Span, name: Leaf, owner: n.Expr) -> n.Expr:
        return n.Of(span=span, name=str(name), name_span=self.at(name), owner=owner)

    def _on_of_every(self, span: Span, name: Leaf, quantifier: Leaf, kind: Leaf) -> n.Expr:
        return n.OfEvery(
            span=span,
            name=str(name),
            name_span=self.at(name),
            quantifier=str(quantifier),
            kind=str(kind),
            kind_span=self.at(kind),
        )

    def _on_call(self, span: Span, name: Leaf, *arguments: n.Expr) -> n.Expr:
        return n.Call(span=span, name=str(name), name_span=self.at(name), arguments=arguments)

    def _on_can(self, span: Span, event: Leaf, *arguments: n.Expr | None) -> n.Expr:
        given = tuple(a for a in arguments if a is not None)
        return n.Can(span=span, event=str(event), event_span=self.at(event), arguments=given)

    def _on_has_happened(self, span: Span, event: Leaf, phase: Leaf) -> n.Expr:
        return n.HasHappened(
            span=span,
            event=str(event),
            event_span=self.at(event),
            phase=str(phase),
            phase_span=self.at(phase),
        )

    def _on_set_display(self, span: Span, *items: n.Expr | None) -> n.Expr:
        return n.SetDisplay(span=span, items=tuple(i for i in items if i is not None))

    def _on_range(self, span: Span, low: n.Expr, high: n.Expr) -> n.Expr:
        return n.Range(span=span, low=low, high=high)

    def _on_conditional(self, span: Span, condition: n.Expr, then: n.Expr, otherwise: n.Expr) -> n.Expr:
        return n.Conditional(span=span, condition=condition, then=then, otherwise=otherwise)

    def _on_or_(self, span: Span, left: n.Expr, right: n.Expr) -> n.Expr:
        return n.Or(span=span, left=left, right=right)

    def _on_and_(self, span: Span, left: n.Expr, right: n.Expr) -> n.Expr:
        return n.And(span=span, left=left, right=right)

    def _on_not_(self, span: Span, operand: n.Expr) -> n.Expr:
        return n.Not(span=span, operand=operand)

    def _on_compare(self, span: Span, left: n.Expr, operator: Leaf, right: n.Expr) -> n.Expr:
        return n.Compare(span=span, operator=_words(operator), left=left, right=right)

    def _on_member(self, span: Span, element: n.Expr, operator: Leaf, collection: n.Expr) -> n.Expr:
        negated = "not" in _words(operator)
        return n.Member(span=span, negated=negated, element=element, collection=collection)

    def _on_arithmetic(self, span: Span, left: n.Expr, operator: Leaf, right: n.Expr) -> n.Expr:
        return n.Arithmetic(span=span, operator=str(operator), left=left, right=right)

    def _on_divide(self, span: Span, left: n.Expr, right: n.Expr, rounding: Leaf) -> n.Expr:
        return n.Divide(span=span, left=left, right=right, rounding=str(rounding))

    def _on_negative(self, span: Span, operand: n.Expr) -> n.Expr:
        return n.Negative(span=span, operand=operand)

    # ------------------------------------------------------------- selections

    def _on_quantified(self, span: Span, word: Leaf, selection: n.Selection) -> n.Expr:
        return n.Quantified(span=span, word=str(word), selection=selection)

    def _on_how_many(self, span: Span, word: Leaf, number: n.Expr, selection: n.Selection) -> n.Expr:
        return n.HowMany(span=span, word=_words(word), number=number, selection=selection)

    def _on_fold(self, span: Span, word: Leaf, value: n.Expr, selection: n.Selection) -> n.Expr:
        return n.Fold(span=span, word=str(word), value=value, selection=selection)

    def _on_every(self, span: Span, selection: n.Selection, condition: n.Expr) -> n.Expr:
        return n.Every(span=span, selection=selection, condition=condition)

    def _on_every_is(self, span: Span, selection: n.Selection, operator: Leaf, right: n.Expr) -> n.Expr:
        return n.EveryIs(span=span, selection=selection, operator=_words(operator), right=right)

    def _on_bare(self, span: Span, selection: n.Selection) -> n.Expr:
        return n.Bare(span=span, selection=selection)

    def _on_selection(self, span: Span, kind: Leaf, *parts: Any) -> n.Selection:
        given: dict[str, Any] = {}
        clauses: list[n.Clause] = []
        for part in parts:
            if isinstance(part, n.Clause):
                clauses.append(part)
            else:
                given.update(part)
        return n.Selection(
            span=span, kind=str(kind), kind_span=self.at(kind), clauses=tuple(clauses), **given
        )

    def _on_binder(self, span: Span, name: Leaf) -> dict[str, Any]:
        return {"name": str(name), "name_span": span}

    def _on_owner(self, _span: Span, owner: n.Expr) -> dict[str, Any]:
        return {"owner": owner}

    def _on_owner_every(self, span: Span, quantifier: Leaf, kind: Leaf) -> dict[str, Any]:
        return {"owner": self._quantified_kind(span, quantifier, kind)}

    def _on_source(self, _span: Span, word: Leaf, source: n.Expr) -> dict[str, Any]:
        return {"source_word": str(word), "source": source}

    def _on_like(self, _span: Span, like: n.Expr) -> dict[str, Any]:
        return {"like": like}

    def _on_going(
        self, span: Span, direction: n.Expr, start: n.Expr, word: Leaf | None, limit: n.Expr | None
    ) -> dict[str, Any]:
        exact = word is not None and word.type == "EXACTLY"
        return {"path": n.Going(span=span, direction=direction, start=start, limit=limit, exact=exact)}

    def _on_any_way(self, span: Span, word: Leaf, kind: Leaf) -> n.Expr:
        return self._quantified_kind(span, word, kind)

    def _on_linked(self, span: Span, start: n.Expr) -> dict[str, Any]:
        return {"path": n.Linked(span=span, start=start)}

    def _on_relation(self, _span: Span, name: Leaf) -> dict[str, Any]:
        return {"relation": str(name), "relation_span": self.at(name)}

    def _on_clause(self, span: Span, word: Leaf, value: n.Expr) -> n.Clause:
        return n.Clause(span=span, word=_words(word), value=value)

    def _quantified_kind(self, _span: Span, word: Leaf, kind: Leaf) -> n.Expr:
        selection = n.Selection(span=self.at(kind), kind=str(kind), kind_span=self.at(kind))
        return n.Quantified(span=self.at(word).to(self.at(kind)), word=str(word), selection=selection)

    # ---------------------------------------------------------------- amounts

    def _on_chosen(self, span: Span, amount: n.Amount | None, selection: n.Selection) -> n.Chosen:
        return n.Chosen(span=span, amount=amount, selection=selection)

    def _on_chosen_yes_no(self, span: Span, _no: Leaf) -> n.Chosen:
        selection = n.Selection(span=span, kind="yes or no", kind_span=span)
        return n.Chosen(span=span, amount=None, selection=selection)

    def _on_chosen_number(self, span: Span, words: Leaf, low: n.Expr, high: n.Expr) -> n.Chosen:
        """`number from 1 to 3` is another way to write `number in [1 to 3]`."""
        both = low.span.to(high.span)
        source = n.SetDisplay(span=both, items=(n.Range(span=both, low=low, high=high),))
        start = cast("int", words.start_pos)
        kind_span = self.place(start, start + len("number"))
        selection = n.Selection(
            span=span, kind="number", kind_span=kind_span, source_word="in", source=source
        )
        return n.Chosen(span=span, amount=None, selection=selection)

    def _on_amount_exactly(self, span: Span, number: n.Expr) -> n.Amount:
        return n.Amount(span=span, word="exactly", number=number)

    def _on_amount_up_to(self, span: Span, _word: Leaf, number: n.Expr) -> n.Amount:
        return n.Amount(span=span, word="up to", number=number)

    def _on_amount_any(self, span: Span, _word: Leaf) -> n.Amount:
        return n.Amount(span=span, word="any number of")
