"""Lower choices in effects: of a player, of several together, of chance.

Comes in: `P chooses …`. Goes out: the statement that asks, and what is done with the answer. What nobody
can choose is skipped, or the `else` is done.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Span
from rulewright.dsl.types import (
    SetType,
    Type,
    plural,
    with_article,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import EMPTY, NONE, Code, binary, one_of
from rulewright.interpreter.lower_moves import LowerMoves
from rulewright.interpreter.lower_select import Selected

TURN_ENDS, PHASE_ENDS, GAME_ENDS = 1, 2, 3
OWED_MOST = 24


class LowerChoices(LowerMoves):
    """Lowers choices of things; base of `LowerChosenValues`."""

    def block(self, block: n.Block, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEffects`."""
        raise NotImplementedError

    def look(self, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEffects`."""
        raise NotImplementedError

    def chooses(self, node: n.Chooses, code: Code) -> list[ir.Statement]:
        """`P chooses SEL: …`, with `or none` and `else`."""
        chosen = self.select(node.chosen.selection, code)
        span = node.span
        if isinstance(node.chooser, n.Name) and node.chooser.text == "chance":
            return self.chance_chooses(node, chosen, code)
        player = self.expr(node.chooser, code)
        slot = code.slot(chosen.name)
        key = ir.Key(chosen.name, chosen.slot, chosen.set, self.type_name(chosen.element), node.chosen.span)
        found: Type = chosen.element
        if node.chosen.amount is None:
            or_none = node.or_none if isinstance(node.or_none, bool) else None
            declines = ir.Const(int(or_none)) if or_none is not None else self.expr(node.or_none, code)  # type: ignore[arg-type]
            prompt = self.question(node.chosen, chosen.name, None, code)
            ask: ir.Statement = ir.ChooseOne(player, slot, key, declines, prompt, span, about=code.about)
            none = binary("==", ir.Local(slot), NONE)
        else:
            least, most = self.amounts(node.chosen, code)
            least = self.as_many_as_there_are(least, chosen.set)
            if node.or_none is not False:
                least = ir.Const(0)
            prompt = self.question(node.chosen, chosen.name, (least, most), code)
            ask = ir.ChooseSome(player, slot, key, least, most, prompt, span, code.about)
            none = binary("==", ir.Size(ir.Local(slot)), ir.Const(0))
            found = SetType(chosen.element)
        inner = code.with_names({chosen.name: (ir.Local(slot), found)})
        body, otherwise = tuple(self.block(node.body, inner)), tuple(self.block(node.otherwise or (), code))
        return [ask, ir.If(none, otherwise, body, span)]

    def amounts(self, node: n.Chosen, code: Code) -> tuple[ir.Expr, ir.Expr]:
        """The least and the most of a plural choice."""
        assert node.amount is not None
        if node.amount.number is None:
            return ir.Const(0), ir.Const(10_000)
        number = self.expr(node.amount.number, code)
        return (ir.Const(0), number) if node.amount.word == "up to" else (number, number)

    def as_many_as_there_are(self, least: ir.Expr, values: ir.Expr) -> ir.Expr:
        """Effects do as much as possible: with too few to choose from, all of them are chosen."""
        return least if least == ir.Const(0) else ir.Binary("min", least, ir.Size(values))

    def question(
        self, chosen: n.Chosen, name: str, bounds: tuple[ir.Expr, ir.Expr] | None, code: Code
    ) -> ir.Sentence:
        """The question that a choice in an effect asks: what is to be chosen, how many of it (`bounds`, None:
        one), and what for, as far as the name of the choice says it. A choice that a card brings begins with
        the card."""
        kind = self.parts.world.kind_called(chosen.selection.kind) or chosen.selection.kind
        wanted: tuple[str | ir.Shown, ...]
        if bounds is None:
            wanted = (with_article(kind).replace("_", " "),)
        else:
            least, most = bounds
            these = f" of these {plural(kind).replace('_', ' ')}"
            if chosen.amount is None or chosen.amount.number is None:
                wanted = ("any", these)
            elif least == ir.Const(0):
                wanted = ("up to ", ir.Shown(most, "number"), these)
            else:
                wanted = (ir.Shown(least, "number"), these)
        purpose = f" ({name.replace('_', ' ')})" if len(name) > 2 and name != kind else ""
        return ir.Sentence((*self.about_card(code), "Choose ", *wanted, purpose))

    def about_card(self, code: Code) -> tuple[str | ir.Shown, ...]:
        """The beginning of a question that the rule of a card asks."""
        return (ir.Shown(code.about, "piece"), ": ") if code.about is not None else ()

    def chance_chooses(self, node: n.Chooses, chosen: Selected, code: Code) -> list[ir.Statement]:
        """`chance chooses SEL: …`."""
        span = node.span
        stream = ir.Const(self.build.nth_chance(code))
        slot = code.slot(chosen.name)
        name = self.type_name(chosen.element)
        if node.chosen.amount is None:
            inner = code.with_names({chosen.name: (ir.Local(slot), chosen.element)})
            body, otherwise = (
                tuple(self.block(node.body, inner)),
                tuple(self.block(node.otherwise or (), code)),
            )
            draw = ir.Chance(slot, chosen.set, stream, name, span)
            return [draw, ir.If(binary("==", ir.Local(slot), NONE), otherwise, body, span)]
        left, drawn = code.slot("left"), code.slot("drawn")
        _, most = self.amounts(node.chosen, code)
        rest = ir.Filter(chosen.slot, ir.Local(left), binary("!=", ir.Local(chosen.slot), ir.Local(drawn)))
        inner = code.with_names({chosen.name: (ir.Local(slot), SetType(chosen.element))})
        return [
            ir.Assign(left, chosen.set, span),
            ir.Assign(slot, EMPTY, span),
            ir.Repeat(
                most,
                binary("<", ir.Const(0), ir.Size(ir.Local(left))),
                (
                    ir.Chance(drawn, ir.Local(left), stream, name, span),
                    ir.Assign(slot, ir.Union(ir.Local(slot), one_of(ir.Local(drawn))), span),
                    ir.Assign(left, rest, span),
                ),
                span,
            ),
            ir.If(
                binary("==", ir.Size(ir.Local(slot)), ir.Const(0)),
                tuple(self.block(node.otherwise or (), code)),
                tuple(self.block(node.body, inner)),
                span,
            ),
        ]

    def each_chooses(self, node: n.EachChooses, code: Code) -> list[ir.Statement]:
        """`each SEL chooses CHOSEN, together: …`."""
        players = self.select(node.selection, code)
        chosen = self.select(node.chosen.selection, players.code)
        span = node.span
        many = node.chosen.amount is not None
        name = self.type_name(chosen.element)
        least, most = self.amounts(node.chosen, players.code) if many else (None, None)
        least = self.as_many_as_there_are(least, chosen.set) if least is not None else None
        bounds = (least, most) if least is not None and most is not None else None
        variable = self.build.own_variable(
            f"{chosen.name} ({name}) chosen in {code.name}" + ("" if not many else " (several)"),
            self.parts.player_count,
            "set" if many else "number",
            name,
            ("player",),
        )
        key = ir.Key(chosen.name, chosen.slot, chosen.set, name, node.chosen.span)
        done = code.slot("who chose")
        ask = ir.ChooseTogether(
            ir.Local(done),
            players.slot,
            key,
            least,
            most,
            variable,
            self.question(node.chosen, chosen.name, bounds, players.code),
            span,
        )
        slot = code.slot(chosen.name)
        element: Type = SetType(chosen.element) if many else chosen.element
        inner = players.code.with_names({chosen.name: (ir.Local(slot), element)})
        got = ir.Load(variable, ir.Local(players.slot))
        none = (
            binary("==", ir.Size(ir.Local(slot)), ir.Const(0)) if many else binary("==", ir.Local(slot), NONE)
        )
        body = (ir.Assign(slot, got, span), ir.If(none, (), tuple(self.block(node.body, inner)), span))
        return [
            ir.Assign(done, self.in_seats(players.set, node.selection.source), span),
            ask,
            ir.ForEach(players.slot, ir.Local(done), body, span),
            *self.look(span, code),
        ]
