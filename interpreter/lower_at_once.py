"""Lower `at once`: the events of one moment, written down before any of them happens.

Comes in: the body of `at once for each`. Goes out: statements that first write down each event with the
verdict of FORBID and INSTEAD on the untouched position, then run the BEFORE rules, the defaults and the
AFTER rules of all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Rule
from rulewright.dsl.nodes_walk import names_in
from rulewright.dsl.problems import Span
from rulewright.dsl.types import plain
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import YES, Code, binary, both, finished, negated
from rulewright.interpreter.setting import refuse

if TYPE_CHECKING:
    from rulewright.interpreter.lower_events import LowerEvents
    from rulewright.interpreter.lower_held import Bound


BATCH = 240  # how many events can happen at once


class Batch:
    """The events of one `at once`, written down before any of them happens."""

    def __init__(self, lower: LowerEvents, code: Code, span: Span) -> None:
        self.lower, self.code, self.span = lower, code, span
        build = lower.build
        build.choices[f"at once in {code.name}"] = build.choices.get(f"at once in {code.name}", 0) + 1
        label = f"at once in {code.name} {build.choices[f'at once in {code.name}']}"
        self.width, self.label = 8, label
        self.cells = build.own_variable(label, BATCH * self.width, "number", "number", ("number",), -1)
        self.sets = build.own_variable(f"{label}, sets", BATCH, "set", "piece", ("number",))
        self.length = build.own_variable(f"{label}, how many", 1, "number", "number", (), 0, BATCH)
        self.items: list[n.Do | n.Move] = []
        self.index = code.slot("at once")

    def clear(self) -> ir.Statement:
        """Begin with nothing written down."""
        return ir.Store(self.length, None, ir.Const(0), self.span)

    def cell(self, place: int, record: ir.Expr) -> ir.Expr:
        """The flat cell of a part of a record."""
        return binary("+", binary("*", record, ir.Const(self.width)), ir.Const(place))

    def collect(self, block: n.Block, code: Code) -> list[ir.Statement]:
        """Write down what a body would do."""
        found: list[ir.Statement] = []
        for node in block:
            match node:
                case n.Do():
                    found += self.note_event(node, code)
                case n.Move():
                    found += self.note_move(node, code)
                case n.Let():
                    made, code = self.lower.effect(node, code)
                    found += made
                case n.If(branches=branches, otherwise=otherwise):
                    rest: list[ir.Statement] = self.collect(otherwise or (), code)
                    for condition, body in reversed(branches):
                        rest = [
                            ir.If(
                                self.lower.expr(condition, code),
                                tuple(self.collect(body, code)),
                                tuple(rest),
                                node.span,
                            )
                        ]
                    found += rest
                case n.ForEach(at_once=False, selection=selection, body=body):
                    chosen = self.lower.select(selection, code)
                    found.append(
                        ir.ForEach(chosen.slot, chosen.set, tuple(self.collect(body, chosen.code)), node.span)
                    )
                case _:
                    raise refuse(
                        "E449",
                        "At once only events and moves can be played yet.",
                        "Make it an event, and name that here.",
                        node.span,
                    )
        return found

    def note_event(self, node: n.Do, code: Code) -> list[ir.Statement]:
        """Write down one event: which, with what verdict, about what."""
        lower = self.lower
        types = lower.checked.parameter_types.get(node.event, ())
        if len(types) > self.width - 2 or any(element_of(plain(t)) is not None for _, t in types):
            raise refuse(
                "E449",
                "This event cannot be played at once yet.",
                "Give it single things, at most six.",
                node.span,
            )
        arguments = lower.event_arguments(node, code)
        number = len(self.items)
        self.items.append(node)
        verdict = ir.Apply(self.verdict(node.event), arguments)
        record = ir.Load(self.length)
        stores: list[ir.Statement] = [
            ir.Store(self.cells, self.cell(0, record), ir.Const(number), node.span),
            ir.Store(self.cells, self.cell(1, record), verdict, node.span),
        ]
        stores += [
            ir.Store(self.cells, self.cell(2 + i, record), a, node.span) for i, a in enumerate(arguments)
        ]
        stores += self.read_sets(node, arguments, record, code)
        if lower.rules_on("forbid", "event", node.event):  # with the reason of this moment
            refused = self.part(node.event, "forbidden")
            assert refused is not None
            forbidden = binary("==", ir.Load(self.cells, self.cell(1, record)), YES)
            stores.append(ir.If(forbidden, (ir.CallTo(refused, arguments, -1, node.span),), (), node.span))
        return [*stores, ir.Store(self.length, None, binary("+", record, YES), node.span)]

    def named_sets(self, event: str) -> list[n.Expr]:
        """The sets of pieces that an event by itself moves as a whole: they are read before anything
        happens.
        """
        found: list[n.Expr] = []
        made: set[str] = set()
        for effect in self.lower.game.events[event].do:
            if isinstance(effect, n.Let):
                made.add(effect.name)
            elif isinstance(effect, (n.Move, n.Return, n.Remove)):
                things = effect.things
                known = self.lower.type_of(things)
                if (
                    not isinstance(things, n.Chosen)
                    and element_of(plain(known)) is not None
                    and not made & names_in(things)
                ):
                    found.append(things)
        return found

    def read_sets(
        self, node: n.Do, arguments: tuple[ir.Expr, ...], record: ir.Expr, code: Code
    ) -> list[ir.Statement]:
        """Write down the sets that an event names."""
        types = self.lower.checked.parameter_types.get(node.event, ())
        bound = {name: (value, found) for (name, found), value in zip(types, arguments, strict=True)}
        inner = code.with_names(bound)
        return [
            ir.Store(self.sets_of(node.event, i), record, self.lower.things(things, inner), node.span)
            for i, things in enumerate(self.named_sets(node.event))
        ]

    def sets_of(self, event: str, number: int) -> int:
        """The variable for the sets of one instruction of an event."""
        label = f"{self.label}, {event} {number + 1}"
        return self.lower.build.own_variable(label, BATCH, "set", "piece", ("number",))

    def note_move(self, node: n.Move, code: Code) -> list[ir.Statement]:
        """Write down one move: its pieces are read now."""
        number = len(self.items)
        self.items.append(node)
        record = ir.Load(self.length)
        return [
            ir.Store(self.cells, self.cell(0, record), ir.Const(number), node.span),
            ir.Store(self.cells, self.cell(1, record), ir.Const(0), node.span),
            ir.Store(
                self.cells, self.cell(2, record), self.lower.goal(node.things, node.place, code), node.span
            ),
            ir.Store(self.sets, record, self.lower.things(node.things, code), node.span),
            ir.Store(self.length, None, binary("+", record, YES), node.span),
        ]

    def verdict(self, event: str) -> int:
        """A function: 0 the event happens, 1 it is forbidden, 2 + k the k-th INSTEAD rule replaces it."""
        lower = self.lower
        label = lower.here(f"verdict on {event}")

        def write(_: int) -> ir.Function:
            types = lower.checked.parameter_types.get(event, ())
            code, names = lower.with_parameters(label, types)
            code.result = "number"
            inner = code.with_names(names)
            found: ir.Expr = ir.Const(0)
            for i, (rule, _h) in reversed(list(enumerate(lower.rules_on("instead", "event", event)))):
                test = both(negated(lower.is_used(rule)), lower.rule_test(rule, inner))
                found = ir.Choice(test, ir.Const(2 + i), found)
            for rule, _h in reversed(lower.rules_on("forbid", "event", event)):
                found = ir.Choice(lower.rule_test(rule, inner), ir.Const(1), found)
            return finished(code, len(types), [ir.Return(found, self.span)], self.span)

        return lower.build.function(label, write)

    def replay(self, step: str) -> list[ir.Statement]:
        """Go through the records once: for the BEFORE rules, the defaults, or the AFTER rules."""
        record = ir.Local(self.index)
        bodies: list[ir.Statement] = []
        for number, node in enumerate(self.items):
            body = self.replay_one(node, step, record)
            if body:
                which = binary("==", ir.Load(self.cells, self.cell(0, record)), ir.Const(number))
                bodies.append(ir.If(which, tuple(body), (), node.span))
        if not bodies:
            return []
        records = ir.MakeSet(((ir.Const(0), binary("-", ir.Load(self.length), YES)),))
        return [
            ir.ForEach(self.index, records, tuple(bodies), self.span),
            *self.lower.look(self.span, self.code),
        ]

    def replay_one(self, node: n.Do | n.Move, step: str, record: ir.Expr) -> list[ir.Statement]:
        """One record in one of the three steps."""
        lower, span = self.lower, node.span
        if isinstance(node, n.Move):
            if step != "default":
                return []
            bottom = isinstance(node.place, n.Of) and node.place.name == "bottom"
            goal = ir.Load(self.cells, self.cell(2, record))
            return [ir.MovePieces(ir.Load(self.sets, record), goal, bottom, -1, span)]
        types = lower.checked.parameter_types.get(node.event, ())
        arguments = tuple(ir.Load(self.cells, self.cell(2 + i, record)) for i in range(len(types)))
        if step == "default":
            arguments += tuple(
                ir.Load(self.sets_of(node.event, i), record) for i in range(len(self.named_sets(node.event)))
            )
        verdict = ir.Load(self.cells, self.cell(1, record))
        happens = binary("==", verdict, ir.Const(0))
        function = self.part(node.event, step)
        call: list[ir.Statement] = (
            []
            if function is None
            else [ir.CallTo(function, arguments, -1, span), *lower.look(span, self.code)]
        )
        if step != "default":
            return [ir.If(happens, tuple(call), (), span)] if call else []
        other: list[ir.Statement] = []
        index = 2
        for rule, _ in lower.rules_on("instead", "event", node.event):
            replaced = self.part(node.event, f"instead {rule.path}", rule)
            assert replaced is not None
            one = [ir.CallTo(replaced, arguments[: len(types)], -1, span), *lower.look(span, self.code)]
            other.append(ir.If(binary("==", verdict, ir.Const(index)), tuple(one), (), span))
            index += 1
        return [ir.If(happens, tuple(call), tuple(other), span)]

    def beside(self, event: str, step: str, names: Bound, code: Code) -> list[ir.Statement]:
        """What comes before or after an event: rules, and the window behind it."""
        if step == "after":
            return self.lower.after_event(event, names, code, self.lower.game.events[event].span)
        return self.lower.side_rules(step, "event", event, names, code)

    def part(self, event: str, step: str, rule: Rule | None = None) -> int | None:
        """One part of an event as a function of its own."""
        lower = self.lower
        declared = lower.game.events[event]
        types = lower.checked.parameter_types.get(event, ())
        label = lower.here(f"{event}: {step}")
        if step in ("before", "after"):
            code, names = lower.with_parameters(label, types)
            if not self.beside(event, step, names, code):
                return None

        def write(_: int) -> ir.Function:
            code, names = lower.with_parameters(label, types)
            named = self.named_sets(event) if step == "default" else []
            slots = [code.slot("set") for _ in named]
            kind = step if step in ("before", "after") else "event"
            body = lower.begin(
                kind, event, declared.text if kind == "event" else "", names, declared.span, code
            )
            if step in ("before", "after"):
                body += self.beside(event, step, names, code)
            elif step == "default":
                lower.read_before.update(
                    (id(things), ir.Local(slot)) for things, slot in zip(named, slots, strict=True)
                )
                body += lower.count_happening(event, declared.span)
                body += lower.block(declared.do, code.with_names(names))
                for things in named:
                    del lower.read_before[id(things)]
            elif rule is not None:
                body += lower.instead(rule, names, code)
                body += lower.look(declared.span, code)
            else:
                inner = code.with_names(names)
                for forbidding, _h in lower.rules_on("forbid", "event", event):
                    note = ir.Note(
                        "forbidden", forbidding.name, lower.because(forbidding, names, code), forbidding.span
                    )
                    body.append(ir.If(lower.rule_test(forbidding, inner), (note,), (), forbidding.span))
            body.append(ir.Leave(declared.span))
            return finished(code, len(types) + len(slots), body, declared.span)

        return lower.build.function(label, write)
