"""Lower decisions: the actions that a phase offers, as what can be chosen and why not.

Comes in: a phase with actions. Goes out: the decision, and the function that asks and carries out what
was chosen.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Action, Phase
from rulewright.dsl.nodes_walk import names_in, parts_of
from rulewright.dsl.problems import Span
from rulewright.dsl.types import PLAYER
from rulewright.dsl.unparse import unparse
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    YES,
    Code,
    binary,
    both,
    finished,
    negated,
    one_of,
)
from rulewright.interpreter.lower_effect import TURN_ENDS
from rulewright.interpreter.lower_ending import WINDOW, windows_opened
from rulewright.interpreter.lower_events import LowerEvents
from rulewright.interpreter.lower_held import Bound
from rulewright.interpreter.setting import refuse
from rulewright.interpreter.walk import slots_read


class LowerDecisions(LowerEvents):
    """Lowers decisions; base of `LowerFlow`."""

    made_decisions: dict[int, ir.ActionDecision]

    def after_step(self, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`."""
        raise NotImplementedError

    def can_act(self, player: ir.Expr) -> ir.Expr:
        """Whether a player has any option in the phases where one acts."""
        phases = [p for p in self.game.phases.values() if p.actions]
        found: ir.Expr = NO
        for phase in phases:
            found = binary("or", found, ir.CanAct(self.decision_number(phase), player))
        return found

    def decision_number(self, phase: Phase) -> int:
        """The number of a phase's decision; it is filled in when the phase is lowered."""
        if phase.path not in self.build.decision_index:
            self.build.decision_index[phase.path] = len(self.build.decision_index)
        return self.build.decision_index[phase.path]

    def act(self, phase: Phase) -> int:
        """The function in which the actor takes one action of a phase."""
        return self.build.function(f"act in {phase.path}", lambda _: self.write_act(phase))

    def write_act(self, phase: Phase) -> ir.Function:
        """Ask for an action, carry it out, read the ends."""
        code, span = Code(f"act in {phase.path}"), phase.span
        player, which = code.slot("player"), code.slot("action")
        number = self.decision_number(phase)
        code.actor = ir.Local(player)
        options: list[ir.ActionOption] = []
        carried: list[tuple[int, list[ir.Statement]]] = []
        for name, _ in phase.actions:
            action = self.game.actions[name]
            if f"actions.{name}" in self.parts.removed or (
                action.used_when is not None and not self.parts.settler.fixed(action.used_when)
            ):
                continue
            option, call = self.action_option(action, code)
            if any(key.domain == EMPTY for key in option.keys):
                continue  # nothing in this game could ever be chosen
            carried.append((len(options), call))
            options.append(option)
        stuck = tuple(self.stuck(phase, code))
        run: tuple[ir.Statement, ...] = stuck
        for i, call in reversed(carried):
            run = (ir.If(binary("==", ir.Local(which), ir.Const(i)), tuple(call), run, span),)
        body: list[ir.Statement] = [
            ir.Assign(player, ir.Load(ir.ACTOR), span),
            ir.ChooseAction(number, ir.Local(player), which, span),
            *run,
            *self.after_step(span, code),
        ]
        made = finished(code, 0, body, span)
        prompt = ir.Sentence((phase.title,))
        self.made_decisions[number] = ir.ActionDecision(
            phase.path, tuple(options), player, made.slots, prompt, span
        )
        return made

    def stuck(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """What happens when the actor can do nothing."""
        span = phase.span
        actor = ir.Shown(ir.Load(ir.ACTOR), "player")
        if phase.if_stuck == "pass":
            note = ir.Note("passed", phase.name, ir.Sentence((actor, " can do nothing and passes.")), span)
            if phase.until_ended:  # to pass is to end one's turn
                return [note, ir.Store(ir.UNWINDING, None, ir.Const(TURN_ENDS), span)]
            return [note]
        if isinstance(phase.if_stuck, tuple):
            return self.own_function(f"stuck in {phase.path}", phase.if_stuck, span)
        text = f" can do nothing in the phase `{phase.name}`, and nothing says what then. Add `if stuck:`."
        return [ir.Fail(ir.Sentence((actor, text)), span)]

    def action_option(self, action: Action, code: Code) -> tuple[ir.ActionOption, list[ir.Statement]]:
        """An action as it can be chosen, and the statements that carry it out."""
        keys: list[ir.Key] = []
        guards: list[ir.Guard] = []
        names: Bound = {}
        plural: list[tuple[str, n.Chosen, int]] = []
        values: list[ir.Expr] = []
        inner = code
        types = dict(self.checked.parameter_types.get(f"action {action.name}", ()))
        for key in action.keys:
            if key.chosen.amount is not None:
                slot = code.slot(key.name)
                plural.append((key.name, key.chosen, slot))
                values.append(ir.Local(slot))
                names[key.name] = (ir.Local(slot), types[key.name])
                continue
            made, where = self.key(key.name, key.chosen, inner, len(keys) + 1)
            keys.append(made)
            guards += where
            values.append(ir.Local(made.slot))
            names[key.name] = (ir.Local(made.slot), types[key.name])
            inner = inner.with_names(names)
        slots = [k.slot for k in keys]
        for _, chosen_, _ in plural:
            selected = self.select(chosen_.selection, inner)
            least, _ = self.amounts(chosen_, inner)
            enough = binary("<=", least, ir.Size(selected.set))
            guards.append(
                self.guard(
                    enough,
                    ir.Sentence(("There are not enough to choose from.",)),
                    "require",
                    slots,
                    chosen_.span,
                )
            )
        afterwards: list[ir.Afterwards] = []
        several = frozenset(name for name, _, _ in plural)
        for requirement in action.requirements:
            self.known_in_time(requirement.condition, several)
            because = self.sentence(requirement.because, names, code)
            if requirement.afterwards:
                afterwards.append(
                    ir.Afterwards(self.afterwards(action, requirement.condition), because, requirement.span)
                )
            else:
                test = self.expr(requirement.condition, inner)
                guards.append(self.guard(test, because, "require", slots, requirement.span))
        for rule, _ in self.rules_on("forbid", "event", action.name):
            if rule.condition is not None:
                self.known_in_time(rule.condition, several)
            test = negated(self.rule_test(rule, inner))
            guards.append(self.guard(test, self.because(rule, names, code), "forbid", slots, rule.span))
        guards = [g for g in guards if g.condition != YES]
        seen = self.seen_by(action.seen_by, ir.Local(0)) if action.seen_by is not None else None
        option = ir.ActionOption(
            action.name, action.title, tuple(keys), tuple(guards), tuple(afterwards), seen, action.span
        )
        call: list[ir.Statement] = []
        for name, chosen_, slot in plural:
            selected = self.select(chosen_.selection, inner)
            least, most = self.amounts(chosen_, inner)
            asked = ir.Key(name, selected.slot, selected.set, self.type_name(selected.element), chosen_.span)
            call.append(
                ir.ChooseSome(
                    ir.Local(0),
                    slot,
                    asked,
                    least,
                    most,
                    ir.Sentence((f"Choose {name.replace('_', ' ')}",)),
                    action.span,
                )
            )
        call.append(ir.CallTo(self.action(action.name), tuple(values), -1, action.span))
        return option, call

    def key(self, name: str, chosen_: n.Chosen, code: Code, level: int) -> tuple[ir.Key, list[ir.Guard]]:
        """One thing to choose: where from, and its own conditions as guards that can say why not."""
        node = chosen_.selection
        element_name, element = self.checked.binders[id(node)]
        slot = code.slot(name)
        inner = code.with_names({element_name: (ir.Local(slot), element)})
        if any(c.word != "where" for c in node.clauses) or isinstance(node.path, n.Linked):
            selected = self.select(node, code)
            return ir.Key(name, slot, selected.set, self.type_name(element), chosen_.span), []
        domain, conditions = self.domain(node, element, slot, code, inner)
        test = both(*conditions)
        if test != YES:
            domain = ir.Filter(slot, domain, test)
        guards = []
        for clause in node.clauses:
            for part in parts_of(clause.value, n.And):
                if isinstance(part, n.Can) and part.event in self.game.events:
                    guards += self.forbidden(part, level, inner)
                    continue
                because = ir.Sentence((f"It does not fit: `{unparse(part)}`.",))
                guards.append(ir.Guard(level, self.expr(part, inner), because, "where", part.span))
        return ir.Key(name, slot, domain, self.type_name(element), chosen_.span), guards

    def forbidden(self, node: n.Can, level: int, code: Code) -> list[ir.Guard]:
        """What `can EVENT(…)` asks, rule by rule, so that a refusal has the reason of the rule."""
        types = self.checked.parameter_types.get(node.event, ())
        arguments = list(self.arguments(node.arguments, [t for _, t in types], code))
        for parameter in self.game.events[node.event].parameters[len(arguments) :]:
            default = parameter.default
            arguments.append(self.expr(default, code) if default is not None else ir.Const(-1))
        names: Bound = {name: (value, type_) for (name, type_), value in zip(types, arguments, strict=True)}
        guards = []
        for rule, _ in self.rules_on("forbid", "event", node.event):
            test = negated(self.rule_test(rule, code.with_names(names)))
            if test != YES:
                guards.append(ir.Guard(level, test, self.because(rule, names, code), "where", rule.span))
        return guards

    def known_in_time(self, condition: n.Expr, several: frozenset[str]) -> None:
        """Whether a condition on an action can be read before what is picked one by one has been picked."""
        unknown = sorted(several & names_in(condition))
        if unknown:
            raise refuse(
                "E449",
                f"A condition on what is chosen one by one (`{unknown[0]}`) cannot be played yet.",
                "Choose single things, or test it in `do`.",
                condition.span,
            )

    def guard(
        self, test: ir.Expr, because: ir.Sentence, source: str, slots: list[int], span: Span
    ) -> ir.Guard:
        """A condition that is read as soon as all it needs has been chosen."""
        read = slots_read(test)
        level = max((i + 1 for i, slot in enumerate(slots) if slot in read), default=0)
        return ir.Guard(level, test, because, source, span)

    def afterwards(self, action: Action, condition: n.Expr) -> int:
        """A function that carries an action out and gives the value of a condition then. Nobody reacts."""
        outside = self.used
        self.used = outside | {WINDOW + w for w in windows_opened(self.game, action.name)}
        name = self.here(f"afterwards of {action.name} {condition.span.line}")

        def write(_: int) -> ir.Function:
            types = self.checked.parameter_types.get(f"action {action.name}", ())
            code, names = self.with_parameters(name, types)
            code.result = "number"
            values = tuple(v for v, _ in names.values())
            call = ir.CallTo(self.action(action.name), values, -1, action.span)
            found = ir.Return(self.expr(condition, code.with_names(names)), action.span)
            return finished(code, len(types), [call, found], action.span)

        number = self.build.function(name, write)
        self.used = outside
        return number

    def seen_by(self, node: n.SeenBy | None, owner: ir.Expr, default: str = "all") -> ir.Expr:
        """The players who see something of an owner's."""
        word = node.word if node is not None else default
        everybody = self.build.everybody()
        if node is not None and node.players is not None:
            inner = Code("seen by").with_names({"owner": (owner, PLAYER)})
            return self.as_set(node.players, inner)
        match word:
            case "nobody":
                return EMPTY
            case "owner":
                return one_of(owner)
            case "others":
                return ir.Without(everybody, one_of(owner))
        return everybody

    def own_function(self, name: str, block: n.Block, span: Span) -> list[ir.Statement]:
        """A block in a function of its own, so that what ends a turn in it does not pass by what comes
        after.
        """

        def write(_: int) -> ir.Function:
            code = Code(name)
            return finished(code, 0, self.block(block, code), span)

        return [ir.CallTo(self.build.function(name, write), (), -1, span)]
