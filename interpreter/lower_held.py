"""Lower the rules of cards that somebody holds: those in the rows of tables, and those that name `holder`.

Comes in: the rules of one group that listen to the same happening. Goes out: the code that goes through the
cards of the group which lie in a zone with an owner, holder by holder in the game's order, each holder's as
they stand in the table. Which cards these are is fixed first; condition and `who` are read when a card's turn
comes, with the holder that it has then; a card that nobody holds any more is passed over.

A rule never sets itself off: what it causes passes over the card while its rule is under way. Since no
function may call itself, what rules in a circle cause is lowered again for each level, as many as there are
such cards, `DEEPEST` at most; beyond that nothing more is set off, and the trace says so.
What never happens: a look at the cards of rows that do not listen to the happening.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_properties import CANDIDATES
from rulewright.dsl.model import Rule
from rulewright.dsl.problems import Span
from rulewright.dsl.types import PLAYER, PieceType, SetType, Type
from rulewright.dsl.unparse import unparse
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    NONE,
    YES,
    Code,
    binary,
    both,
    finished,
    negated,
    one_of,
)
from rulewright.interpreter.lower_effect import LowerEffects
from rulewright.interpreter.lower_parts import Piece

DEEPEST = 4
Bound = dict[str, tuple[ir.Expr, Type]]


class LowerHeld(LowerEffects):
    """Lowers rules of cards; base of `LowerEvents`."""

    nested = 0  # how many rules in a circle lie round the code that is being lowered

    def rule_test(self, rule: Rule, code: Code) -> ir.Expr:
        """Lowered in `LowerEvents`: the condition of a rule."""
        raise NotImplementedError

    def sentence(self, text: str, names: Bound, code: Code) -> ir.Sentence:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def here(self, label: str) -> str:
        """Lowered in `LowerEvents`: the name of a function where it is lowered now."""
        raise NotImplementedError

    def with_parameters(self, name: str, types: tuple[tuple[str, Type], ...]) -> tuple[Code, Bound]:
        """Lowered in `LowerEvents`: a new function with its parameters in the first slots."""
        raise NotImplementedError

    # ---------------------------------------------------------------- the cards

    def belongs(self, rule: Rule, piece: Piece) -> bool:
        """Whether a rule is that of a piece."""
        if rule.row is not None:
            return piece.design is rule.row.design
        return self.parts.world.isa(piece.kind, rule.card)

    def in_circles(self, rules: Iterable[Rule]) -> bool:
        """Whether what some of the rules cause may set a rule of a card off again."""
        return any(rule.path in self.checked.circular for rule in rules)

    def holder_of(self, piece: ir.Expr) -> ir.Expr:
        """The owner of the zone in which a piece lies, or none."""
        end = self.parts.zones_end
        owners = tuple(p.owner if p.kind == "zone" else -1 for p in self.parts.places[:end])
        table = self.build.table("owner of a card's zone", 0, lambda: owners)
        place = ir.PlaceOf(piece)
        return ir.Choice(binary("<", place, ir.Const(end)), ir.At(table, place), NONE)

    def under_way(self) -> int:
        """The variable with the cards whose rules in circles are under way."""
        return self.build.own_variable("cards under way", 1, "set", "piece", ())

    def deepest(self) -> int:
        """How many rules in a circle can lie inside each other: each card's only once."""
        rules = [r for r in self.game.rules if r.path in self.checked.circular]
        cards = sum(any(self.belongs(r, piece) for r in rules) for piece in self.parts.pieces)
        return min(DEEPEST, cards)

    # ---------------------------------------------------------------- the rules

    def held_rules(
        self, form: str, happening: str, rules: list[Rule], names: Bound, code: Code
    ) -> list[ir.Statement]:
        """The rules of one group on one happening, for all cards that somebody holds."""
        which = [
            next((i for i, rule in enumerate(rules) if self.belongs(rule, piece)), -1)
            for piece in self.parts.pieces
        ]
        if not names.keys().isdisjoint(("card", "holder")) or all(i < 0 for i in which):
            return []
        order = sorted((i, piece) for piece, i in enumerate(which) if i >= 0)
        span = rules[0].span
        card, holder, cards = code.slot("card"), code.slot("holder"), code.slot("cards")
        mine = self.holder_of(ir.Local(card))
        test = binary("<=", NO, mine)
        if self.in_circles(rules):
            test = both(test, negated(ir.Contains(ir.Load(self.under_way()), ir.Local(card))))
        held = ir.Filter(card, ir.SetConst(tuple(piece for _, piece in order)), test)
        of_holder = ir.Filter(card, ir.Local(cards), binary("==", mine, ir.Local(holder)))
        one = self.dispatch(form, happening, rules, which, names, code, card, holder)
        each: list[ir.Statement] = [
            ir.Assign(cards, ir.Collect(holder, self.players(), of_holder, True), span),
            ir.ForEach(
                card,
                ir.Local(cards),
                (
                    ir.Assign(holder, mine, span),
                    ir.If(binary("<=", NO, ir.Local(holder)), tuple(one), (), span),
                ),
                span,
            ),
        ]
        found = binary("<", NO, ir.Size(ir.Local(cards)))
        return [ir.Assign(cards, held, span), ir.If(found, tuple(each), (), span)]

    def dispatch(
        self,
        form: str,
        happening: str,
        rules: list[Rule],
        which: list[int],
        names: Bound,
        code: Code,
        card: int,
        holder: int,
    ) -> list[ir.Statement]:
        """Run the rule of the card, found by halves."""
        table = -1
        if len(rules) > 1:
            rows = tuple(which) + (-1,) * len(self.parts.stand_ins)
            table = self.build.table(f"{rules[0].group} {form} {happening}", 0, lambda: rows)

        def among(low: int, high: int) -> list[ir.Statement]:
            if high - low == 1:
                return self.run_rule(form, happening, rules[low], names, code, card, holder)
            middle = (low + high) // 2
            test = binary("<", ir.At(table, ir.Local(card)), ir.Const(middle))
            return [ir.If(test, tuple(among(low, middle)), tuple(among(middle, high)), rules[low].span)]

        return among(0, len(rules))

    def run_rule(
        self, form: str, happening: str, rule: Rule, names: Bound, code: Code, card: int, holder: int
    ) -> list[ir.Statement]:
        """The rule of one card: its condition, then what it does."""
        span = rule.span
        bound: Bound = {
            **names,
            "card": (ir.Local(card), PieceType(rule.card)),
            "holder": (ir.Local(holder), PLAYER),
        }
        types = tuple((name, found) for name, (_, found) in bound.items())
        values = tuple(value for value, _ in bound.values())
        circular = rule.path in self.checked.circular
        label = self.here(f"rule {rule.path} {form} {happening}")
        if circular and self.nested >= self.deepest():
            text = "More rules of cards would lie inside each other here than can be followed."
            return [ir.Note("nothing", "", ir.Sentence((text,)), span)]

        def write(_: int) -> ir.Function:
            inner, own = self.with_parameters(label, types)
            inside = replace(inner.with_names(own), about=own["card"][0])
            test = self.rule_test(rule, inside)
            about = own["card"][0]
            note = ir.Note(form, rule.name, self.sentence(rule.text, own, inner), span, about)
            body: list[ir.Statement] = [note]
            if rule.row is not None and "who" in rule.row.design.cells:
                who = self.as_set(rule.row.who, inside) if rule.row.who is not None else EMPTY
                slot = inner.slot(CANDIDATES)
                body.append(ir.Assign(slot, who, span))
                inside = inside.with_names({CANDIDATES: (ir.Local(slot), SetType(PLAYER))})
            if circular:
                body += self.kept_apart(rule, label, inside, own["card"][0], span)
            else:
                body += self.block(rule.do, inside)
            if test == NO:
                body = []
            elif test != YES:
                body = [ir.If(test, tuple(body), (), span)]
            return finished(inner, len(types), body, span)

        return [ir.CallTo(self.build.function(label, write), values, -1, span), *self.look(span, code)]

    def kept_apart(self, rule: Rule, label: str, code: Code, card: ir.Expr, span: Span) -> list[ir.Statement]:
        """What a rule in a circle does: meanwhile its card is under way."""
        types = tuple((name, found) for name, (_, found) in code.names.items())
        values = tuple(value for value, _ in code.names.values())

        def write(_: int) -> ir.Function:
            inner, own = self.with_parameters(f"{label}: what it does", types)
            self.nested += 1
            body = self.block(rule.do, replace(inner.with_names(own), about=own["card"][0]))
            self.nested -= 1
            return finished(inner, len(types), body, span)

        busy = self.under_way()
        return [
            ir.Store(busy, None, ir.Union(ir.Load(busy), one_of(card)), span),
            ir.CallTo(self.build.function(f"{label}: what it does", write), values, -1, span),
            ir.Store(busy, None, ir.Without(ir.Load(busy), one_of(card)), span),
        ]


def grouped(rules: list[tuple[Rule, n.Happening]]) -> list[list[Rule]]:
    """The rules in their order, those of one group together where the first of them stands."""
    found: dict[str, list[Rule]] = {}
    for rule, _ in rules:
        found.setdefault(rule.group or rule.path, []).append(rule)
    return list(found.values())


def grouped_by_value(rules: list[tuple[Rule, n.Happening]]) -> list[tuple[n.Happening, list[Rule]]]:
    """The same for rules on what a state becomes: only those that wait for one value are together."""
    found: dict[tuple[str, str], tuple[n.Happening, list[Rule]]] = {}
    for rule, happening in rules:
        key = (rule.group, told(happening)) if rule.group else (rule.path, str(len(found)))
        found.setdefault(key, (happening, []))[1].append(rule)
    return list(found.values())


def told(happening: n.Happening) -> str:
    """The value that a happening waits for, as it is written."""
    return unparse(happening.value) if happening.value is not None else ""
