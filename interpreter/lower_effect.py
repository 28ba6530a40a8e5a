"""Lower effects: each instruction of the language as statements of the program.

Comes in: a parsed block. Goes out: a list of statements. After each call of something that may end a turn,
a phase or the game, the code looks whether it has; `lower_tidy` takes out the looks that are never needed.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.problems import Span
from rulewright.dsl.types import (
    BoardType,
    SetType,
    Type,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_chosen_values import LowerChosenValues
from rulewright.interpreter.lower_code import NO, YES, Code, binary

TURN_ENDS, PHASE_ENDS, GAME_ENDS = 1, 2, 3
OWED_MOST = 24


class LowerEffects(LowerChosenValues):
    """Lowers effects; `LowerEvents` adds events and rules."""

    def call_event(self, node: n.Do, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def at_once(self, node: n.ForEach, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def change_state(
        self, name: str, owners: tuple[ir.Expr, ...], how: str, value: ir.Expr, span: Span, code: Code
    ) -> list[ir.Statement]:
        """Lowered in `LowerEvents`: a change of state with the events that listen to it."""
        raise NotImplementedError

    def open_window(self, name: str, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerWindows`."""
        raise NotImplementedError

    def end_game(self, name: str | None, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`."""
        raise NotImplementedError

    def after_change(self, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`: what `at once when` ends read after every change."""
        raise NotImplementedError

    def block(self, block: n.Block, code: Code) -> list[ir.Statement]:
        """The statements of a block."""
        found: list[ir.Statement] = []
        for effect in block:
            made, code = self.effect(effect, code)
            found += made
        return found

    def effect(self, node: n.Effect, code: Code) -> tuple[list[ir.Statement], Code]:
        """The statements of one instruction, and the code with what it names in reach."""
        if isinstance(node, n.Let):
            value = self.value(node.value, code)
            slot = code.slot(node.name)
            return [ir.Assign(slot, value, node.span)], code.with_names(
                {node.name: (ir.Local(slot), self.let_type(node))}
            )
        return self.instruction(node, code), code

    def let_type(self, node: n.Let) -> Type:
        """The type of a `let`: what stands for a set is kept as one."""
        found = self.type_of(node.value)
        if isinstance(found, (ZoneType, BoardType)):
            return SetType(element_of(found) or found)
        return found

    def value(self, node: n.Expr, code: Code) -> ir.Expr:
        """A value as it is kept: sets as sets."""
        if isinstance(plain(self.type_of(node)), (ZoneType, BoardType, SetType)):
            return self.as_set(node, code)
        return self.expr(node, code)

    def instruction(self, node: n.Effect, code: Code) -> list[ir.Statement]:
        """The statements of one instruction that names nothing."""
        span = node.span
        match node:
            case n.If():
                return self.if_(node, 0, code)
            case n.ForEach(at_once=True):
                return self.at_once(node, code)
            case n.ForEach(selection=selection, body=body):
                chosen = self.select(selection, code)
                return [
                    ir.ForEach(chosen.slot, chosen.set, tuple(self.block(body, chosen.code)), span),
                    *self.look(span, code),
                ]
            case n.Repeat(times=times, condition=condition, body=body):
                test = self.expr(condition, code) if condition is not None else None
                return [
                    ir.Repeat(self.expr(times, code), test, tuple(self.block(body, code)), span),
                    *self.look(span, code),
                ]
            case n.SetTo(target=target, value=value):
                return self.set_to(target, value, code, span)
            case n.AddTo(amount=amount, target=target):
                return self.grow(target, amount, "add", code, span)
            case n.TakeFrom(amount=amount, target=target):
                return self.grow(target, amount, "take", code, span)
            case n.Chooses():
                return self.chooses(node, code)
            case n.EachChooses():
                return self.each_chooses(node, code)
            case n.ChoosesValue():
                return self.chooses_value(node, code)
            case n.EachChoosesValue():
                return self.each_chooses_value(node, code)
            case n.Do():
                return self.call_event(node, code)
            case n.Offer(window=window):
                return self.open_window(window, span, code)
            case n.End(what=what, name=name):
                if what == "game":
                    return self.end_game(name, span, code)
                if what == "repeat":
                    return [ir.Break(span)]
                kind = TURN_ENDS if what == "turn" else PHASE_ENDS
                return [ir.Store(ir.UNWINDING, None, ir.Const(kind), span), *code.early_return(span)]
            case n.AnotherTurn(player=player):
                return self.another_turn(self.expr(player, code), span)
            case n.Skip(player=player):
                skips = self.build.own_variable(
                    "turns to skip of player", self.parts.player_count, "number", "number", ("player",), 0
                )
                who = self.expr(player, code)
                return [ir.Store(skips, who, binary("+", ir.Load(skips, who), YES), span)]
            case n.Reverse():
                return [ir.Store(ir.DIRECTION, None, binary("-", YES, ir.Load(ir.DIRECTION)), span)]
        return [*self.movement(node, code), *self.after_change(span, code)]

    def look(self, span: Span, code: Code) -> list[ir.Statement]:
        """Return at once if something that was called has ended the turn, the phase or the game."""
        return [ir.If(binary("!=", ir.Load(ir.UNWINDING), ir.Const(0)), code.early_return(span), (), span)]

    def if_(self, node: n.If, branch: int, code: Code) -> list[ir.Statement]:
        """`if … else if … else`."""
        if branch == len(node.branches):
            return self.block(node.otherwise or (), code)
        condition, body = node.branches[branch]
        test = self.expr(condition, code)
        if test == YES:
            return self.block(body, code)
        rest = self.if_(node, branch + 1, code)
        return rest if test == NO else [ir.If(test, tuple(self.block(body, code)), tuple(rest), node.span)]

    def owners_of(self, target: n.Expr, code: Code) -> tuple[str, tuple[ir.Expr, ...], ir.Expr | None, int]:
        """Name, owners, the set of owners where several are meant, and the slot bound to each of them."""
        symbol = self.symbol(target)
        if isinstance(target, n.OfEvery):
            slot = code.slot(target.kind)
            return symbol.name, (ir.Local(slot),), self.all_of_kind(target.kind), slot
        if isinstance(target, n.Of):
            if element_of(plain(self.type_of(target.owner))) is not None:
                slot = code.slot("owner")
                return symbol.name, (ir.Local(slot),), self.seated(target.owner, code), slot
            return symbol.name, (self.expr(target.owner, code),), None, -1
        if isinstance(target, n.Call):
            return symbol.name, tuple(self.expr(a, code) for a in target.arguments), None, -1
        return symbol.name, (), None, -1

    def each_owner(
        self,
        target: n.Expr,
        code: Code,
        span: Span,
        change: Callable[[str, tuple[ir.Expr, ...]], list[ir.Statement]],
    ) -> list[ir.Statement]:
        """A change of one state, or of that of each owner of a set."""
        name, owners, several, slot = self.owners_of(target, code)
        made = change(name, owners)
        return made if several is None else [ir.ForEach(slot, several, tuple(made), span)]

    def set_to(self, target: n.Expr, value: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`set X to V`."""
        found = self.assigned(value, target, code)
        first, found = self.read_first(found, target, code, span)
        return [*first, *self.put(target, found, code, span)]

    def put(self, target: n.Expr, value: ir.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """Give a state, or an attribute of a piece, a value."""

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            if self.symbol(target).form == "attribute":
                return [
                    ir.Store(self.build.variable_index[f"{name} of piece"], owners[0], value, span),
                    *self.after_change(span, code),
                ]
            return self.change_state(name, owners, "set", value, span, code)

        return self.each_owner(target, code, span, change)

    def read_first(
        self, value: ir.Expr, target: n.Expr, code: Code, span: Span
    ) -> tuple[list[ir.Statement], ir.Expr]:
        """A value that goes to each of several owners is read once, before the first of them changes."""
        several = isinstance(target, n.OfEvery) or (
            isinstance(target, n.Of) and element_of(plain(self.type_of(target.owner))) is not None
        )
        if not several or isinstance(value, (ir.Const, ir.SetConst, ir.Local)):
            return [], value
        slot = code.slot("value")
        return [ir.Assign(slot, value, span)], ir.Local(slot)

    def assigned(self, value: n.Expr, target: n.Expr, code: Code) -> ir.Expr:
        """A value as its state keeps it."""
        symbol = self.symbol(target)
        if symbol.form == "state":
            wanted = plain(self.checked.state_types[symbol.name])
            if isinstance(wanted, SetType):
                return self.as_set(value, code)
            return self.converted(self.expr(value, code), self.type_of(value), wanted, code)
        return self.expr(value, code)

    def grow(self, target: n.Expr, amount: n.Expr, how: str, code: Code, span: Span) -> list[ir.Statement]:
        """`add V to X`, `take V from X`."""
        symbol = self.symbol(target)
        wanted = plain(self.checked.state_types[symbol.name]) if symbol.form == "state" else None
        value = self.as_set(amount, code) if isinstance(wanted, SetType) else self.expr(amount, code)
        first, value = self.read_first(value, target, code, span)

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            return self.change_state(name, owners, how, value, span, code)

        return [*first, *self.each_owner(target, code, span, change)]

    def another_turn(self, player: ir.Expr, span: Span) -> list[ir.Statement]:
        """`give another turn to P`: at the end of the queue of owed turns."""
        queue = self.build.own_variable("turns owed", OWED_MOST, "number", "player", ("number",))
        length = self.build.own_variable("number of turns owed", 1, "number", "number", (), 0)
        owed = self.build.own_variable(
            "turns owed of player", self.parts.player_count, "number", "number", ("player",), 0
        )
        return [
            ir.Store(queue, ir.Load(length), player, span),
            ir.Store(length, None, binary("+", ir.Load(length), YES), span),
            ir.Store(owed, player, binary("+", ir.Load(owed, player), YES), span),
        ]
