"""Lower windows: moments at which players may react, one after the other, until all pass.

Comes in: the reactions of a game. Goes out: a function for each window. It asks the players in order, from
the one who acts; who has no legal reaction is not asked. What is used is carried out with everything it
causes, then all are asked again from the beginning. The machine's own variables keep who reacts (`actor`
means that player meanwhile; whose turn it is does not change), who may use what, and what was used since
the window opened, so that this ends: each reaction with the same choices is offered once to each player.
What never happens: a window that opens inside itself. As with INSTEAD, what a reaction causes is lowered
anew without the window it was used in, and `afterwards:` looks at what would be if nobody reacted.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Action, Phase
from rulewright.dsl.problems import Span
from rulewright.dsl.types import NumberType, PieceType, PlayerType, Type, WordType, YesNoType, plain
from rulewright.dsl.unparse import unparse
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import EMPTY, NO, NONE, YES, Code, binary, finished, negated, one_of
from rulewright.interpreter.lower_decisions import LowerDecisions
from rulewright.interpreter.lower_effect import PHASE_ENDS
from rulewright.interpreter.lower_ending import WINDOW, window_of, windows_opened
from rulewright.interpreter.setting import refuse

PASS = "pass"
WHO_REACTS = "who reacts"
OTHERS = 1 << 20  # as many values as a thing may have that is no player, piece, word or small number
MOST = 1 << 60


class LowerWindows(LowerDecisions):
    """Lowers windows; base of `LowerFlow`."""

    def ends_now(self, span: Span) -> list[ir.Statement]:
        """Lowered in `LowerFlow`: read the ends, without a look whether one was reached."""
        raise NotImplementedError

    @cached_property
    def reactions(self) -> dict[str, list[Action]]:
        """The reactions of this game by the windows in which they may be used, in the order of the files."""
        found: dict[str, list[Action]] = {}
        for action in self.game.actions.values():
            if not action.reaction or f"reactions.{action.name}" in self.parts.removed:
                continue
            if action.used_when is not None and not self.parts.settler.fixed(action.used_when):
                continue
            for window in dict.fromkeys(window_of(h) for h in action.windows):
                found.setdefault(window, []).append(action)
        return found

    def who_acts(self) -> ir.Expr:
        """Who reacts, while somebody does; else whose turn it is."""
        if not self.reactions:
            return ir.Load(ir.ACTOR)
        reacting = ir.Load(self.who_reacts())
        return ir.Choice(binary("==", reacting, NONE), ir.Load(ir.ACTOR), reacting)

    def who_reacts(self) -> int:
        """The variable that says who reacts, -1 while nobody does."""
        if WHO_REACTS not in self.build.variable_index:
            high = self.parts.player_count - 1
            self.build.variable(
                ir.Variable(
                    WHO_REACTS, 1, "number", -1, high, True, "player", (), (-1,), hidden=True, counts=False
                )
            )
        return self.build.variable_index[WHO_REACTS]

    # ----------------------------------------------------------------- opening

    def open_window(self, name: str, span: Span, code: Code) -> list[ir.Statement]:
        """Open a window. Nothing, if no reaction of this game may be used in it."""
        if name not in self.reactions:
            return []
        if WINDOW + name in self.used:
            text = f"{self.window_title(name)}: players may react already."
            return [ir.Note("skipped", name, ir.Sentence((text,)), span)]
        label = self.here(WINDOW + name)
        number = self.build.function(label, lambda _: self.write_window(name, label))
        return [ir.CallTo(number, (), -1, span), *self.look(span, code)]

    def entering_window(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """The window of entering a phase."""
        return self.open_window(f"entering {phase.name}", phase.span, code)

    def leaving_window(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """The window of leaving a phase: `end phase` in it ends no more than that."""
        span = phase.span
        call, *look = self.open_window(f"leaving {phase.name}", span, code) or (None,)
        if call is None:
            return []
        ends = binary("==", ir.Load(ir.UNWINDING), ir.Const(PHASE_ENDS))
        return [call, ir.If(ends, (ir.Store(ir.UNWINDING, None, NO, span),), (), span), *look]

    def window_title(self, name: str) -> str:
        """What a window is called."""
        word, blank, phase = name.partition(" ")
        if blank:
            declared = self.game.phases.get(phase)
            title = declared.title if declared is not None else self.game.title
            return f"{title} {'begins' if word == 'entering' else 'ends'}"
        declared_event = self.game.events.get(name) or self.game.actions.get(name)
        if declared_event is not None:
            return declared_event.title
        return name[:1].upper() + name[1:].replace("_", " ")

    # ------------------------------------------------------------------ asking

    def write_window(self, name: str, label: str) -> ir.Function:
        """Ask all in order, again and again, until nobody has used anything."""
        reactions = self.reactions[name]
        code, span = Code(label), reactions[0].span
        player, which, some = code.slot("player"), code.slot("reaction"), code.slot("used")
        outer, order = code.slot("who reacted before"), code.slot("order")
        reacting = self.who_reacts()
        told = ir.Sentence((f"{self.window_title(name)}: players may react.",))
        body: list[ir.Statement] = [ir.Enter("window", name, told, (), (), span)]
        code.entered += 1
        whose = [self.allowed(action, label, code) for action in reactions]
        offered = replace(code, actor=ir.Local(player))
        options: list[ir.ActionOption] = []
        run: tuple[ir.Statement, ...] = ()
        for i, action in enumerate(reactions):
            option, call = self.reaction(name, label, action, offered)
            options.append(option)
            body.append(self.nothing_used(label, action))
            done = (*call, ir.Assign(some, YES, span))
            run = (ir.If(binary("==", ir.Local(which), ir.Const(i)), done, run, span),)
        passing = ir.ActionOption(PASS, "Pass", (), (), (), None, span, declines=True)
        legal = self.window_decision(name, f"{label}, who can react", options, code, span)
        asked = self.window_decision(name, label, [*options, passing], code, span)
        question = ir.ChooseAction(asked, ir.Local(player), which, span)
        one: list[ir.Statement] = [
            ir.Store(reacting, None, ir.Local(player), span),
            ir.Assign(which, NONE, span),
            ir.If(ir.CanAct(legal, ir.Local(player)), (question,), (), span),
            *run,
            *self.if_any(some, self.ends_now(span), span),
            ir.Store(reacting, None, ir.Local(outer), span),
            *self.look(span, code),
            ir.If(ir.Local(some), (ir.Break(span),), (), span),
        ]
        again: list[ir.Statement] = [
            ir.Assign(some, NO, span),
            *(store for store in whose if store is not None),
            ir.ForEach(player, ir.Local(order), tuple(one), span),
            ir.If(negated(ir.Local(some)), (ir.Break(span),), (), span),
        ]
        body += [
            ir.Assign(outer, ir.Load(reacting), span),
            ir.Assign(order, self.asking_order(code), span),
            ir.Loop(tuple(again), span),
            ir.Leave(span),
        ]
        made = finished(code, 0, body, span)
        for number in (legal, asked):  # both are computed in a frame of this function
            self.made_decisions[number] = replace(self.made_decisions[number], slots=made.slots)
        return made

    def if_any(self, some: int, body: list[ir.Statement], span: Span) -> list[ir.Statement]:
        """Statements that matter only when something has been used."""
        return [ir.If(ir.Local(some), tuple(body), (), span)] if body else []

    def window_decision(
        self, name: str, label: str, options: list[ir.ActionOption], code: Code, span: Span
    ) -> int:
        """A decision of a window; its slots are filled in when its function is finished."""
        number = self.build.decision_index.setdefault(label, len(self.build.decision_index))
        prompt = ir.Sentence((f"You may react: {self.window_title(name)}",))
        self.made_decisions[number] = ir.ActionDecision(
            WINDOW + name, tuple(options), 0, len(code.slot_names), prompt, span
        )
        return number

    def asking_order(self, code: Code) -> ir.Expr:
        """The order of the game; else from the one who acts, or from the first seat if nobody does."""
        if self.game.order is not None and self.game.order.start is not None:
            return self.players()
        first = ir.Binary("max", self.who_acts(), ir.Const(0))
        return ir.Seats(first, ir.Load(ir.DIRECTION))

    # -------------------------------------------------------------- what is legal

    def reaction(
        self, window: str, label: str, action: Action, code: Code
    ) -> tuple[ir.ActionOption, list[ir.Statement]]:
        """A reaction as it can be chosen, and the statements that carry it out."""
        span, outside = action.span, self.used
        if window in windows_opened(self.game, action.name):
            self.used = outside | {WINDOW + window}
        option, call = self.action_option(action, code)
        self.used = outside
        guards = list(option.guards)
        if action.who is not None:
            allowed = ir.Contains(ir.Load(self.allowed_variable(action, label)), ir.Local(0))
            because = ir.Sentence((f"This is only for: `{unparse(action.who)}`.",))
            guards.insert(0, ir.Guard(0, allowed, because, "require", action.who.span))
        used = self.used_variable(label, action)
        this = self.encoded(action, option.keys)
        unused = negated(ir.Contains(ir.Load(used, ir.Local(0)), this))
        keys = option.keys
        if keys and isinstance(plain(self.choice_types(action)[keys[-1].name]), PieceType):
            # a piece that looks like the one that was used is another thing: it takes its place
            last = keys[-1]
            keys = (*keys[:-1], replace(last, domain=ir.Filter(last.slot, last.domain, unused)))
        else:
            because = ir.Sentence(("You have used this already, and the same is offered once.",))
            guards.append(ir.Guard(len(keys), unused, because, "require", span))
        store = ir.Store(used, ir.Local(0), ir.Union(ir.Load(used, ir.Local(0)), one_of(this)), span)
        return replace(option, keys=keys, guards=tuple(guards)), [store, *call]

    def allowed_variable(self, action: Action, label: str) -> int:
        """The players whom `who:` lets use a reaction, read each time all are asked."""
        return self.build.own_variable(f"who may {action.name} in {label}", 1, "set", "player", (), 0)

    def allowed(self, action: Action, label: str, code: Code) -> ir.Statement | None:
        """Read `who:`; there `actor` is who acted before the window opened."""
        who = action.who
        if who is None:
            return None
        if element_of(plain(self.type_of(who))) is not None:
            found = self.as_set(who, code)
        else:
            found = ir.MakeSet((self.expr(who, code),), skip_none=True)
        return ir.Store(self.allowed_variable(action, label), None, found, who.span)

    # ----------------------------------------------------------- what was used

    def used_variable(self, label: str, action: Action) -> int:
        """What each player has used of a reaction since the window opened, its choices as one number."""
        return self.build.own_variable(
            f"used {action.name} in {label}", self.parts.player_count, "set", "number", ("player",), 0, MOST
        )

    def nothing_used(self, label: str, action: Action) -> ir.Statement:
        """A window begins with everything on offer."""
        used, span = self.used_variable(label, action), action.span
        clear = ir.Store(used, ir.Local(0), EMPTY, span)
        return ir.ForEach(0, self.build.everybody(), (clear,), span)

    def encoded(self, action: Action, keys: tuple[ir.Key, ...]) -> ir.Expr:
        """The choices of a reaction as one number. What is picked one by one is not in it."""
        types = self.choice_types(action)
        found: ir.Expr = NO
        whole = 1
        for key in keys:
            low, count = self.values_of(types[key.name])
            value = binary("-", ir.Local(key.slot), ir.Const(low))
            found = binary("+", binary("*", found, ir.Const(count)), value) if whole > 1 else value
            whole *= count
        if whole > MOST:
            raise refuse(
                "E449",
                f"`{action.name}` has more choices than can be kept apart yet.",
                "Let less be chosen, or give its numbers a range.",
                action.span,
            )
        return found

    def choice_types(self, action: Action) -> dict[str, Type]:
        """The types of what is chosen, by name."""
        return dict(self.checked.parameter_types.get(f"action {action.name}", ()))

    def values_of(self, type: Type) -> tuple[int, int]:
        """The lowest value of a type, and how many there are from it on."""
        match plain(type):
            case PlayerType():
                return 0, self.parts.player_count
            case PieceType():
                return 0, len(self.parts.piece_values)
            case WordType(enum):
                return 0, len(self.parts.words(enum))
            case YesNoType():
                return 0, 2
            case NumberType(low, high):
                return low, high - low + 1
        return 0, OTHERS
