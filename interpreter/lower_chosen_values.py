"""Lower choices of values: who chooses what a state becomes, alone or with others.

Comes in: `P chooses X from SET`, `each SEL chooses X from SET, together`, `agreement of S chooses X …` and
`majority of S chooses X …`. Goes out: the statement that asks, and the change of the state. What several
choose as one is a choice together into a variable of the machine's own, counted after the last answer; the
single votes and what came of them are notes for the trace. What never happens: a vote that is told earlier.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Span
from rulewright.dsl.types import OptionalType, Type
from rulewright.dsl.words import JOINT
from rulewright.interpreter import ir
from rulewright.interpreter.lower_choices import LowerChoices
from rulewright.interpreter.lower_code import NO, NONE, YES, Code, binary, both

LEAST = -1_000_000  # no number of a game is lower


class LowerChosenValues(LowerChoices):
    """Lowers choices of values; base of `LowerEffects`."""

    def set_to(self, target: n.Expr, value: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """Lowered in `LowerEffects`."""
        raise NotImplementedError

    def put(self, target: n.Expr, value: ir.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """Lowered in `LowerEffects`."""
        raise NotImplementedError

    def assigned(self, value: n.Expr, target: n.Expr, code: Code) -> ir.Expr:
        """Lowered in `LowerEffects`."""
        raise NotImplementedError

    def chooses_value(self, node: n.ChoosesValue, code: Code) -> list[ir.Statement]:
        """`P chooses X from SET [, else V]`."""
        chooser = node.chooser
        if isinstance(chooser, n.Of) and chooser.name in JOINT:
            return self.several_choose(chooser, node, code)
        span, slot = node.span, code.slot("chosen")
        key = self.value_key(node.target, self.as_set(node.options, code), node.options.span, code)
        if isinstance(chooser, n.Name) and chooser.text == "chance":
            ask: ir.Statement = ir.Chance(
                slot, key.domain, ir.Const(self.build.nth_chance(code)), key.type, span
            )
        else:
            prompt = self.asked_for(node.target, code)
            ask = ir.ChooseOne(self.expr(chooser, code), slot, key, NO, prompt, span, about=code.about)
        otherwise: tuple[ir.Statement, ...] = ()
        if node.otherwise is not None:
            otherwise = tuple(self.set_to(node.target, node.otherwise, code, span))
        stored = tuple(self.put(node.target, ir.Local(slot), code, span))
        if isinstance(self.type_of_target(node.target), OptionalType) and node.otherwise is None:
            return [ask, *stored]
        return [ask, ir.If(binary("==", ir.Local(slot), NONE), otherwise, stored, span)]

    def each_chooses_value(self, node: n.EachChoosesValue, code: Code) -> list[ir.Statement]:
        """`each SEL chooses X from SET, together`."""
        players = self.select(node.selection, code)
        span, done = node.span, code.slot("who chose")
        options = self.as_set(node.options, players.code)
        key = self.value_key(node.target, options, node.options.span, code)
        variable = self.answers_of(f"{key.name} ({key.type}) chosen in {code.name}", key)
        prompt = self.asked_for(node.target, code)
        ask = ir.ChooseTogether(ir.Local(done), players.slot, key, None, None, variable, prompt, span)
        got = ir.Load(variable, ir.Local(players.slot))
        stored = tuple(self.put(node.target, got, players.code, span))
        optional = isinstance(self.type_of_target(node.target), OptionalType)
        body = stored if optional else (ir.If(binary("!=", got, NONE), stored, (), span),)
        return [
            ir.Assign(done, self.in_seats(players.set, node.selection.source), span),
            ask,
            ir.ForEach(players.slot, ir.Local(done), body, span),
            *self.look(span, code),
        ]

    def several_choose(self, chooser: n.Of, node: n.ChoosesValue, code: Code) -> list[ir.Statement]:
        """`agreement of S chooses X from SET, else V` and `majority of S …`."""
        how, span = chooser.name, node.span
        players, options = code.slot("who chose"), code.slot("options")
        player, agreed, value = code.slot("player"), code.slot("agreed"), code.slot("chosen")
        key = self.value_key(node.target, ir.Local(options), node.options.span, code)
        variable = self.answers_of(f"{key.name} ({key.type}) chosen by {how} in {code.name}", key)
        ask = ir.ChooseTogether(
            ir.Local(players), player, key, None, None, variable, self.asked_for(node.target, code), span, how
        )
        named = ir.Shown(ir.Load(variable, ir.Local(player)), key.type)
        vote = ir.Note(
            "vote", key.name, ir.Sentence((ir.Shown(ir.Local(player), "player"), ": ", named)), span
        )
        came = "They agree: " if how == "agreement" else "Most choose: "
        outcome = ir.Note(how, key.name, ir.Sentence((came, ir.Shown(ir.Local(value), key.type))), span)
        counted = (
            ir.ForEach(player, ir.Local(players), (vote,), span),
            *self.settled_on(how, (players, options, agreed, value), variable, code, span),
        )
        return [
            ir.Assign(players, self.in_seats(self.as_set(chooser.owner, code), chooser.owner), span),
            ir.Assign(options, self.as_set(node.options, code), span),
            ask,
            ir.Assign(agreed, NO, span),
            ir.If(both(self.holds_any(players), self.holds_any(options)), counted, (), span),
            ir.If(
                ir.Local(agreed),
                (outcome, *self.put(node.target, ir.Local(value), code, span)),
                (self.not_agreed(how, players, options, node, key, code), *self.what_stays(node, code)),
                span,
            ),
        ]

    def settled_on(
        self, how: str, slots: tuple[int, int, int, int], variable: int, code: Code, span: Span
    ) -> list[ir.Statement]:
        """Settle whether the players have come to one value (`agreed`), and to which (`value`)."""
        players, options, agreed, value = slots
        voter = code.slot("voter")
        vote = ir.Load(variable, ir.Local(voter))
        if how == "agreement":
            first = ir.Load(variable, ir.Quantifier("first", voter, ir.Local(players), YES))
            same = binary("==", vote, ir.Local(value))
            return [
                ir.Assign(value, first, span),
                ir.Assign(agreed, ir.Quantifier("all", voter, ir.Local(players), same), span),
            ]
        option = code.slot("option")
        for_it = ir.Quantifier("count", voter, ir.Local(players), binary("==", vote, ir.Local(option)))
        most = binary("<", ir.Size(ir.Local(players)), binary("*", ir.Const(2), for_it))
        return [
            ir.Assign(value, ir.Quantifier("first", option, ir.Local(options), most), span),
            ir.Assign(agreed, ir.Quantifier("any", option, ir.Local(options), most), span),
        ]

    def holds_any(self, slot: int) -> ir.Expr:
        """Whether a set holds anything."""
        return binary("<", NO, ir.Size(ir.Local(slot)))

    def not_agreed(
        self, how: str, players: int, options: int, node: n.ChoosesValue, key: ir.Key, code: Code
    ) -> ir.Statement:
        """What the trace says when nothing has come of it."""
        why = "They do not agree" if how == "agreement" else "No majority"
        instead: tuple[str | ir.Shown, ...] = ("none",)
        if node.otherwise is not None:
            instead = (ir.Shown(self.assigned(node.otherwise, node.target, code), key.type),)

        def note(words: str) -> ir.Statement:
            return ir.Note(how, key.name, ir.Sentence((f"{words}: ", *instead)), node.span)

        nobody, nothing = note("Nobody is asked"), note("There is nothing to choose from")
        inner = ir.If(self.holds_any(options), (note(why),), (nothing,), node.span)
        return ir.If(self.holds_any(players), (inner,), (nobody,), node.span)

    def what_stays(self, node: n.ChoosesValue, code: Code) -> list[ir.Statement]:
        """What the state becomes when nothing has come of it."""
        if node.otherwise is not None:
            return self.set_to(node.target, node.otherwise, code, node.span)
        return self.put(node.target, NONE, code, node.span)

    # ------------------------------------------------------------ what is asked

    def type_of_target(self, target: n.Expr) -> Type:
        """The type of the state that is set."""
        symbol = self.symbol(target)
        return self.checked.state_types[symbol.name] if symbol.form == "state" else self.type_of(target)

    def value_key(self, target: n.Expr, options: ir.Expr, span: Span, code: Code) -> ir.Key:
        """What is chosen: a value of the state."""
        name = self.symbol(target).name
        return ir.Key(name, code.slot("each"), options, self.type_name(self.type_of_target(target)), span)

    def answers_of(self, name: str, key: ir.Key) -> int:
        """A variable of the machine's own for what each player has answered."""
        return self.build.own_variable(name, self.parts.player_count, "number", key.type, ("player",), LEAST)

    def asked_for(self, target: n.Expr, code: Code) -> ir.Sentence:
        """The question for the value of a state: its title, else made from its name; the card that asks it
        comes first."""
        symbol = self.symbol(target)
        title = self.find_state(symbol.name).title if symbol.form == "state" else ""
        asked = title or f"Choose {symbol.name.replace('_', ' ')}"
        return ir.Sentence((*self.about_card(code), asked))
