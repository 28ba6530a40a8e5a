"""Lower definitions, events and the four kinds of rules that stand around them.

Comes in: the declarations of a checked game. Goes out: one function for each definition and event. An event
is: FORBID, INSTEAD, BEFORE, what it does by itself, AFTER, as LANGUAGE section 8 orders them; every rule
leaves a note for the trace. What never happens: a rule that is looked up in play.
"""

from __future__ import annotations

import re
from functools import cached_property

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Action, Define, Event, Rule, State
from rulewright.dsl.problems import NOWHERE, Span
from rulewright.dsl.types import LineType, NumberType, PieceType, SetType, SpaceType, Type, plain
from rulewright.interpreter import ir
from rulewright.interpreter.lower_at_once import Batch
from rulewright.interpreter.lower_code import NO, YES, Code, binary, both, finished, negated
from rulewright.interpreter.lower_effect import GAME_ENDS
from rulewright.interpreter.lower_ending import enders, may_end
from rulewright.interpreter.lower_held import Bound, LowerHeld, grouped, grouped_by_value, told
from rulewright.interpreter.lower_parts import kind_used, path_of
from rulewright.interpreter.setting import refuse

CHANGES = {"add": ("rises", "changes"), "take": ("falls", "changes"), "set": ("changes",)}


class LowerEvents(LowerHeld):
    """Lowers definitions, events and rules; `LowerFlow` adds the flow."""

    # ------------------------------------------------------------- definitions

    def define(self, name: str) -> int:
        """The function of a definition, with its CHANGE rules."""
        return self.build.function(f"define {name}", lambda _: self.write_define(self.game.defines[name]))

    def write_define(self, define: Define) -> ir.Function:
        """A definition as a function that only computes."""
        code, names = self.with_parameters(
            f"define {define.name}", self.checked.parameter_types.get(define.name, ())
        )
        code = code.with_names(names)
        found = self.checked.define_types[define.name]
        code.result = self.result_kind(found)
        body: list[ir.Statement] = []
        value = self.define_value(define, found, code, body)
        changes = [r for r in self.rules_in_use if r.form == "change" and r.changes == define.name]
        if not changes:
            body.append(ir.Return(value, define.span))
            return finished(code, len(define.parameters), body, define.span)
        slot = code.slot(define.name)
        body.append(ir.Assign(slot, value, define.span))
        for rule in changes:
            inner = code.with_names({define.name: (ir.Local(slot), found)})
            assert rule.to is not None
            test = self.expr(rule.condition, inner) if rule.condition is not None else YES
            changed = ir.Assign(slot, self.as_result(rule.to, found, inner), rule.span)
            body.append(changed if test == YES else ir.If(test, (changed,), (), rule.span))
        body.append(ir.Return(ir.Local(slot), define.span))
        return finished(code, len(define.parameters), body, define.span)

    def with_parameters(self, name: str, types: tuple[tuple[str, Type], ...]) -> tuple[Code, Bound]:
        """A new function with its parameters in the first slots."""
        code = Code(name)
        names: Bound = {}
        for parameter, found in types:
            names[parameter] = (ir.Local(code.slot(parameter)), found)
        return code, names

    def result_kind(self, found: Type) -> str:
        """number, set or groups."""
        inner = element_of(plain(found))
        if inner is None or isinstance(plain(found), LineType):
            return "number"
        return "groups" if isinstance(inner, SetType) else "set"

    def as_result(self, node: n.Expr, found: Type, code: Code) -> ir.Expr:
        """A value as its definition gives it."""
        wanted = element_of(plain(found))
        if wanted is None or isinstance(plain(found), LineType):
            return self.converted(self.expr(node, code), self.type_of(node), found, code)
        values = self.as_set(node, code)
        if isinstance(wanted, SpaceType) and isinstance(element_of(plain(self.type_of(node))), PieceType):
            slot = code.slot("piece")
            return ir.Collect(slot, values, ir.PlaceOf(ir.Local(slot)))
        return values

    def define_value(self, define: Define, found: Type, code: Code, body: list[ir.Statement]) -> ir.Expr:
        """What a definition gives: its expression, or the case that fits."""
        if define.body is not None:
            return self.as_result(define.body, found, code)
        assert define.by is not None
        by_type = self.type_of(define.by)
        slot = code.slot("by")
        body.append(ir.Assign(slot, self.expr(define.by, code), define.span))
        value: ir.Expr | None = None
        for word, _, case in reversed(define.cases):
            here = self.as_result(case, found, code)
            if value is None:
                value = here
                continue
            value = ir.Choice(self.case_test(ir.Local(slot), word, by_type), here, value)
        if any(word == "else" for word, _, _ in define.cases):
            ordered = [c for c in define.cases if c[0] != "else"]
            last = next(c for c in define.cases if c[0] == "else")
            value = self.as_result(last[2], found, code)
            for word, _, case in reversed(ordered):
                value = ir.Choice(
                    self.case_test(ir.Local(slot), word, by_type), self.as_result(case, found, code), value
                )
        assert value is not None
        return value

    def case_test(self, by: ir.Expr, word: str, found: Type) -> ir.Expr:
        """Whether a case fits."""
        if word == "none":
            return binary("==", by, ir.Const(-1))
        kind = plain(found)
        if isinstance(kind, PieceType):
            return self.is_kind(by, word, "piece")
        return binary("==", by, ir.Const(self.cell_value(word, found)))

    # ------------------------------------------------------------------- rules

    @cached_property
    def rules_in_use(self) -> list[Rule]:
        """The rules of this game in the order they apply: by priority, then as they stand in the files."""
        found = []
        for rule in self.game.rules:
            if not self.parts.removed.isdisjoint((rule.path, rule.group)) or (
                rule.used_when is not None and not self.parts.settler.fixed(rule.used_when)
            ):
                continue
            if rule.card and (
                path_of(self.game.kinds[rule.card]) in self.parts.removed or not self.kind_is_used(rule.card)
            ):
                continue
            found.append(rule)
        return sorted(found, key=lambda r: (-r.priority, r.order))

    def kind_is_used(self, kind: str) -> bool:
        """Whether the options want pieces of a kind, or of one below it."""
        below = [self.game.kinds[leaf] for leaf in self.parts.world.leaves(kind)]
        return not below or any(kind_used(self.parts, leaf) for leaf in below)

    def rules_on(self, form: str, word: str, name: str) -> list[tuple[Rule, n.Happening]]:
        """The rules of a form that listen to something."""
        return [
            (rule, h)
            for rule in self.rules_in_use
            if rule.form == form
            for h in rule.happenings
            if (h.word, h.name) == (word, name)
        ]

    def because(self, rule: Rule, names: Bound, code: Code) -> ir.Sentence:
        """The reason that a rule gives."""
        return self.sentence(rule.because or rule.text or rule.title, names, code)

    def sentence(self, text: str, names: Bound, code: Code) -> ir.Sentence:
        """A sentence with the values of names in it."""
        parts: list[str | ir.Shown] = []
        for i, words in enumerate(re.split(r"\{([^{}]*)\}", text)):
            node = self.checked.sentences.get((text, words)) if i % 2 else None
            if node is not None:
                value = self.value(node, code.with_names(names))
                parts.append(ir.Shown(value, self.type_name(self.type_of(node))))
            elif words:
                parts.append(words)
        return ir.Sentence(tuple(parts))

    def rule_test(self, rule: Rule, code: Code) -> ir.Expr:
        """The condition of a rule."""
        return self.expr(rule.condition, code) if rule.condition is not None else YES

    def rule_body(self, rule: Rule, word: str, names: Bound, code: Code) -> list[ir.Statement]:
        """What a BEFORE or AFTER rule does when its condition holds."""
        inner = code.with_names(names)
        note = ir.Note(
            word, rule.name, self.sentence(rule.text, names, code) if rule.text else None, rule.span
        )
        body = [note, *self.block(rule.do, inner)]
        test = self.rule_test(rule, inner)
        if test == NO:
            return []
        return body if test == YES else [ir.If(test, tuple(body), (), rule.span)]

    def side_rules(self, form: str, word: str, name: str, names: Bound, code: Code) -> list[ir.Statement]:
        """All BEFORE or all AFTER rules on something, and the ends that come after it."""
        found: list[ir.Statement] = []
        for rules in grouped(self.rules_on(form, word, name)):
            if rules[0].group:
                found += self.held_rules(form, f"{word} {name}", rules, names, code)
            else:
                found += self.rule_body(rules[0], form, names, code)
        if form == "after":
            found += self.ends_after(word, name, names, code)
        return found

    def ends_after(self, word: str, name: str, names: Bound, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`: ends that are read after an event."""
        raise NotImplementedError

    # ------------------------------------------------------------------ events

    # the INSTEAD rules and the windows inside which code is being lowered
    used: frozenset[str] = frozenset()

    def here(self, label: str) -> str:
        """The name of a function as it is inside the INSTEAD rules and windows that are used up there.

        What such a rule causes is lowered anew without it, so that no function ever calls itself.
        """
        inside = [*sorted(self.used), *([f"{self.nested} rules of cards"] if self.nested else [])]
        return f"{label} within {', '.join(inside)}" if inside else label

    def event(self, name: str) -> int:
        """The function of an event."""
        label = self.here(f"event {name}")
        return self.build.function(label, lambda _: self.write_event(self.game.events[name], label))

    def write_event(self, event: Event, label: str) -> ir.Function:
        """An event with its rules, in the one order."""
        code, names = self.with_parameters(label, self.checked.parameter_types.get(event.name, ()))
        body = self.begin("event", event.name, event.text, names, event.span, code)
        body += self.forbidding("event", event.name, names, code, event.span)
        body += self.replacing("event", event.name, names, code, event.span)
        body += self.side_rules("before", "event", event.name, names, code)
        body += self.count_happening(event.name, event.span)
        body += self.by_itself(event, names, code)
        body.append(ir.Leave(event.span))
        return finished(code, len(names), body, event.span)

    def by_itself(self, event: Event | Action, names: Bound, code: Code) -> list[ir.Statement]:
        """What an event does by itself, and the AFTER rules.

        Where that may end the turn or the phase, the AFTER rules come first: the event is complete before the
        turn ends. Nothing comes after the end of the game.
        """
        after = self.after_event(event.name, names, code, event.span)
        self.enders = enders(self.game) if self.enders is None else self.enders
        if not after or not may_end(event.do, self.enders):
            return [*self.block(event.do, code.with_names(names)), *after]
        span, ended = event.span, code.slot("ended")
        types = tuple((k, t) for k, (_, t) in names.items())
        values = tuple(v for v, _ in names.values())

        def part(step: str) -> int:
            label = f"{code.name}: {step}"

            def write(_: int) -> ir.Function:
                inner, bound = self.with_parameters(label, types)
                if step == "after":
                    body = self.after_event(event.name, bound, inner, span)
                else:
                    body = self.block(event.do, inner.with_names(bound))
                return finished(inner, len(types), body, span)

            return self.build.function(label, write)

        over = binary("==", ir.Load(ir.UNWINDING), ir.Const(GAME_ENDS))
        both_ends = ir.Binary("max", ir.Load(ir.UNWINDING), ir.Local(ended))
        return [
            ir.CallTo(part("by itself"), values, -1, span),
            ir.If(over, code.early_return(span), (), span),
            ir.Assign(ended, ir.Load(ir.UNWINDING), span),
            ir.Store(ir.UNWINDING, None, NO, span),
            ir.CallTo(part("after"), values, -1, span),
            ir.Store(ir.UNWINDING, None, both_ends, span),
        ]

    def after_event(self, name: str, names: Bound, code: Code, span: Span) -> list[ir.Statement]:
        """The AFTER rules of an event, then the window that opens behind it."""
        return [*self.side_rules("after", "event", name, names, code), *self.open_window(name, span, code)]

    enders: frozenset[str] | None = None  # what may end a turn or a phase; found when first asked for

    def begin(
        self, kind: str, name: str, text: str, names: Bound, span: Span, code: Code
    ) -> list[ir.Statement]:
        """The beginning of an event, for the trace."""
        shown = tuple(
            ir.Shown(value, self.type_name(found)) for value, found in names.values() if not _is_groups(found)
        )
        words = tuple(k for k, (_, found) in names.items() if not _is_groups(found))
        code.entered += 1
        return [ir.Enter(kind, name, self.sentence(text, names, code) if text else None, shown, words, span)]

    def forbidding(self, word: str, name: str, names: Bound, code: Code, span: Span) -> list[ir.Statement]:
        """FORBID: every reason that applies is noted, then the event does not happen."""
        rules = self.rules_on("forbid", word, name)
        if not rules:
            return []
        inner = code.with_names(names)
        refused = code.slot("forbidden")
        body: list[ir.Statement] = [ir.Assign(refused, NO, span)]
        for rule, _ in rules:
            test = self.rule_test(rule, inner)
            if test == NO:
                continue
            then = (
                ir.Note("forbidden", rule.name, self.because(rule, names, code), rule.span),
                ir.Assign(refused, YES, rule.span),
            )
            body.append(ir.If(test, then, (), rule.span))
        return [*body, ir.If(binary("==", ir.Local(refused), YES), code.early_return(span), (), span)]

    def replacing(self, word: str, name: str, names: Bound, code: Code, span: Span) -> list[ir.Statement]:
        """INSTEAD: the first rule that matches and is not used up by the event that caused this one."""
        body: list[ir.Statement] = []
        for rule, _ in self.rules_on("instead", word, name):
            test = both(negated(self.is_used(rule)), self.rule_test(rule, code.with_names(names)))
            if test == NO:
                continue
            body.append(
                ir.If(test, (*self.instead(rule, names, code), *code.early_return(span)), (), rule.span)
            )
        return body

    def is_used(self, rule: Rule) -> ir.Expr:
        """Whether an INSTEAD rule is already replacing something of which this is a consequence."""
        return YES if rule.path in self.used else NO

    def instead(self, rule: Rule, names: Bound, code: Code) -> list[ir.Statement]:
        """Run an INSTEAD rule with itself used up, so that replacements end."""
        types = tuple((k, t) for k, (_, t) in names.items())
        label = self.here(f"instead {rule.path} ({', '.join(k for k, _ in types)})")

        def write(_: int) -> ir.Function:
            inner, bound = self.with_parameters(label, types)
            note = ir.Note(
                "instead", rule.name, self.sentence(rule.text, bound, inner) if rule.text else None, rule.span
            )
            outside = self.used
            self.used = outside | {rule.path}
            body = [note, *self.block(rule.do, inner.with_names(bound))]
            self.used = outside
            return finished(inner, len(types), body, rule.span)

        values = tuple(v for v, _ in names.values())
        return [ir.CallTo(self.build.function(label, write), values, -1, rule.span)]

    def call_event(self, node: n.Do, code: Code) -> list[ir.Statement]:
        """An event of the game, with what it is about."""
        arguments = self.event_arguments(node, code)
        return [ir.CallTo(self.event(node.event), arguments, -1, node.span), *self.look(node.span, code)]

    def event_arguments(self, node: n.Do, code: Code) -> tuple[ir.Expr, ...]:
        """The arguments of an event, those left out by their defaults."""
        wanted = [t for _, t in self.checked.parameter_types.get(node.event, ())]
        found = list(self.arguments(node.arguments, wanted, code))
        for parameter in self.game.events[node.event].parameters[len(found) :]:
            assert parameter.default is not None
            found.append(self.expr(parameter.default, code))
        return tuple(found)

    def can(self, node: n.Can, code: Code) -> ir.Expr:
        """`can EVENT(…)`: whether no FORBID rule applies."""
        if node.event not in self.game.events:
            raise refuse(
                "E449",
                "`can` of an action is known, but cannot be played yet.",
                "Ask it of an event.",
                node.span,
            )
        types = self.checked.parameter_types.get(node.event, ())
        arguments = list(self.arguments(node.arguments, [t for _, t in types], code))
        for parameter in self.game.events[node.event].parameters[len(arguments) :]:
            arguments.append(
                self.expr(parameter.default, code) if parameter.default is not None else ir.Const(-1)
            )

        def write(_: int) -> ir.Function:
            inner, names = self.with_parameters(f"can {node.event}", types)
            inner.result = "number"
            tests = [
                negated(self.rule_test(rule, inner.with_names(names)))
                for rule, _ in self.rules_on("forbid", "event", node.event)
            ]
            return finished(inner, len(types), [ir.Return(both(*tests), node.span)], node.span)

        return ir.Apply(self.build.function(f"can {node.event}", write), tuple(arguments))

    def ran_out(self, place: ir.Expr, span: Span, code: Code) -> list[ir.Statement]:
        """The event `ran_out`: something was to be taken from a zone in which nothing is left."""
        name = "ran_out"
        if name in self.game.events or not (
            self.rules_on("after", "event", name)
            or any(h.name == name for e in self.game.ends.values() for h in e.happenings)
            or any(event == name for event, _ in self.counted)
        ):
            return []
        label = self.here(f"event {name}")

        def write(_: int) -> ir.Function:
            inner = Code(label)
            told = ir.Sentence((ir.Shown(ir.Local(inner.slot("zone")), "place"), " has run out."))
            body: list[ir.Statement] = [ir.Enter("event", name, told, (), (), NOWHERE)]
            inner.entered += 1
            body += self.count_happening(name, NOWHERE)
            body += [*self.side_rules("after", "event", name, {}, inner), ir.Leave(NOWHERE)]
            return finished(inner, 1, body, NOWHERE)

        return [ir.CallTo(self.build.function(label, write), (place,), -1, span), *self.look(span, code)]

    # --------------------------------------------------------- has happened

    def has_happened(self, node: n.HasHappened) -> ir.Expr:
        """`EVENT has happened this PHASE`."""
        return binary("<", ir.Const(0), ir.Load(self.happenings_variable(node.event, node.phase)))

    def happenings_variable(self, event: str, phase: str) -> int:
        """How often an event has happened since a phase was entered."""
        return self.build.own_variable(f"{event} this {phase}", 1, "number", "number", (), 0)

    def count_happening(self, event: str, span: Span) -> list[ir.Statement]:
        """Count an event for the phases that ask."""
        found: list[ir.Statement] = []
        for name, phase in sorted(self.counted):
            if name == event:
                variable = self.happenings_variable(event, phase)
                found.append(ir.Store(variable, None, binary("+", ir.Load(variable), YES), span))
        return found

    counted: frozenset[tuple[str, str]] = frozenset()  # (event, phase) pairs that some rule asks about

    # ----------------------------------------------------------------- actions

    def action(self, name: str) -> int:
        """The function of an action: what it does, with the rules around it (FORBID is settled before)."""
        label = self.here(f"action {name}")
        return self.build.function(label, lambda _: self.write_action(self.game.actions[name], label))

    def write_action(self, action: Action, label: str) -> ir.Function:
        """An action that has been chosen."""
        types = self.checked.parameter_types.get(f"action {action.name}", ())
        code, names = self.with_parameters(label, types)
        body = self.begin("action", action.name, action.text, names, action.span, code)
        body += self.replacing("event", action.name, names, code, action.span)
        body += self.side_rules("before", "event", action.name, names, code)
        body += self.count_happening(action.name, action.span)
        body += self.by_itself(action, names, code)
        body.append(ir.Leave(action.span))
        return finished(code, len(names), body, action.span)

    # ------------------------------------------------------------------- state

    def change_state(
        self, name: str, owners: tuple[ir.Expr, ...], how: str, value: ir.Expr, span: Span, code: Code
    ) -> list[ir.Statement]:
        """Set, add to or take from a state; with events where rules listen."""
        state = self.find_state(name)
        words = CHANGES[how]
        listened = any(
            h.name == name and (h.word in words or h.word == "becomes")
            for rule in self.rules_in_use
            for h in rule.happenings
            if h.word != "event"
        ) or any(
            h.name == name
            for end in self.game.ends.values()
            for h in end.happenings
            if h.word in (*words, "becomes")
        )
        if not listened:
            return [*self.plain_change(name, owners, how, value, span), *self.after_change(span, code)]
        label = self.here(f"{how} {name}")
        function = self.build.function(label, lambda _: self.write_change(state, how, label))
        calls: list[ir.Statement] = [ir.CallTo(function, (*owners, value), -1, span), *self.look(span, code)]
        if state.one_by_one and how in ("add", "take"):
            calls = [ir.CallTo(function, (*owners, YES), -1, span), *self.look(span, code)]
            calls = [ir.Repeat(value, None, tuple(calls), span), *self.look(span, code)]
        return calls

    def plain_change(
        self, name: str, owners: tuple[ir.Expr, ...], how: str, value: ir.Expr, span: Span
    ) -> list[ir.Statement]:
        """The change itself."""
        variable = self.state_variable(name)
        cell = self.cell(name, owners) if owners else None
        old = ir.Load(variable, cell)
        wanted = plain(self.checked.state_types[name])
        if isinstance(wanted, SetType) and how != "set":
            if how == "add":
                new: ir.Expr = ir.Union(old, value)
            else:
                new = ir.Without(old, value)
        elif how == "add":
            new = binary("+", old, value)
        elif how == "take":
            new = binary("-", old, value)
        else:
            new = value
        return [ir.Store(variable, cell, new, span)]

    def write_change(self, state: State, how: str, label: str) -> ir.Function:
        """A change of state as an event. What comes after it comes only if there is another value then."""
        found = self.checked.state_types[state.name]
        types = tuple((per, self.kind_element(per)) for per in state.per)
        amount: tuple[str, Type] = ("amount", found)
        code, names = self.with_parameters(label, (*types, amount))
        value = names["amount"][0]
        span = state.span
        owners = tuple(names[per][0] for per in state.per)
        words = CHANGES[how]
        for form in ("forbid", "instead", "before"):
            for rule, _ in self.rules_on(form, "becomes", state.name):
                raise refuse(
                    "E449",
                    "Only what comes after a state becomes something can be played yet.",
                    f"Write `after: {state.name} becomes …`, or name `{state.name} changes`.",
                    rule.span,
                )
        body = self.begin("change", f"{state.name} {words[0]}", "", names, span, code)
        for word in words:
            body += self.forbidding(word, state.name, names, code, span)
        for word in words:
            body += self.replacing(word, state.name, names, code, span)
        for word in words:
            body += self.side_rules("before", word, state.name, names, code)
        old = code.slot("old")
        cell = self.cell(state.name, owners) if owners else None
        body.append(ir.Assign(old, ir.Load(self.state_variable(state.name), cell), span))
        body += self.plain_change(state.name, owners, how, value, span)
        body += self.after_change(span, code)
        new = ir.Load(self.state_variable(state.name), cell)
        after: list[ir.Statement] = []
        for word in words:
            after += self.side_rules("after", word, state.name, names, code)
        after += self.crossings(state, old, new, names, code)
        if after:
            is_set = isinstance(plain(found), SetType)
            same = ir.SameSet(ir.Local(old), new) if is_set else binary("==", ir.Local(old), new)
            body.append(ir.If(negated(same), tuple(after), (), span))
        body.append(ir.Leave(span))
        return finished(code, len(names), body, span)

    def crossings(self, state: State, old: int, new: ir.Expr, names: Bound, code: Code) -> list[ir.Statement]:
        """`STATE becomes X`, for rules and ends: numbers that are passed on the way count as well."""
        found: list[ir.Statement] = []
        number = isinstance(plain(self.checked.state_types[state.name]), NumberType) and state.ends != "wrap"
        listening: list[tuple[n.Happening, list[ir.Statement], Span]] = []
        rules = self.rules_on("after", "becomes", state.name)
        for h, group in grouped_by_value(rules):
            if group[0].group:
                happening = f"becomes {state.name} {told(h)}"
                body = self.held_rules("after", happening, group, names, code)
            else:
                body = self.rule_body(group[0], "after", names, code)
            listening.append((h, body, group[0].span))
        listening += self.ends_on_crossing(state.name, names, code)
        for h, body, span in listening:
            if h.value is None or not body:
                continue
            target = self.expr(h.value, code)
            reached = binary("==", new, target)
            if number:
                up = both(binary("<", ir.Local(old), target), binary("<=", target, new))
                down = both(binary("<", target, ir.Local(old)), binary("<=", new, target))
                reached = binary("or", up, down)
            found.append(ir.If(reached, tuple(body), (), span))
        return found

    def ends_on_crossing(
        self, state: str, names: Bound, code: Code
    ) -> list[tuple[n.Happening, list[ir.Statement], Span]]:
        """Lowered in `LowerFlow`: ends with `after: STATE becomes X`."""
        raise NotImplementedError

    # ----------------------------------------------------------------- at once

    def at_once(self, node: n.ForEach, code: Code) -> list[ir.Statement]:
        """`at once for each`: the body as one event.

        First what would happen is written down on the untouched position, with the verdicts of FORBID
        and INSTEAD; then the BEFORE rules, all defaults, and the AFTER rules run in that order.
        """
        batch = Batch(self, code, node.span)
        chosen = self.select(node.selection, code)
        span = node.span
        collect = ir.ForEach(chosen.slot, chosen.set, tuple(batch.collect(node.body, chosen.code)), span)
        return [
            batch.clear(),
            collect,
            *batch.replay("before"),
            *batch.replay("default"),
            *batch.replay("after"),
        ]


def _is_groups(found: Type) -> bool:
    return isinstance(found, SetType) and isinstance(found.element, SetType)
