"""Conditions of scenarios: rule-language expressions that are looked at from outside.

Comes in: the lines of a scenario that are plain text. Goes out: `Conditions`, which are lowered with the
game's program and then hold or do not. Players of the scenario, spaces of its boards and its own names for
spaces may be named. What never happens: a condition that changes anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.check_condition import check_condition
from rulewright.dsl.model import Checked, Symbol
from rulewright.dsl.nodes_walk import walk
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.types import NumberType, PlayerType, Type, WordType, plain
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.layout import space_name
from rulewright.interpreter.match import Match
from rulewright.interpreter.naming import Namer
from rulewright.interpreter.pictures import Unfit
from rulewright.playtest.scenarios_read import Scenario, failed

REACH = range(-8, 40)  # rows and columns of an unbounded board that conditions may name


@dataclass(slots=True)
class Conditions:
    """The conditions of one scenario. `lowered` goes to `prepare`; places in the source tell them apart."""

    lowered: list[tuple[str, n.Expr]] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)  # of comparisons: the type of the left side

    def check(self, match: Match, line: Scalar | Sequence) -> None:
        """Unfit if the condition of a line does not hold; where it compares, with what the left side is."""
        name = _name(line.span)
        value = self._value(match, name, line.span)
        if value:
            return
        text = f"This does not hold: `{_text(line)}`."
        if name in self.left:
            number = self._value(match, f"{name} left", line.span)
            words = Namer(match.state.code).id(match.state, self.left[name], number, -2)
            text += f" The left side is {words}."
        raise failed(line.span, text)

    def _value(self, match: Match, name: str, span: Span) -> int:
        s = match.state
        function = dict(match.program.invariants)[name]
        s.fuel = s.code.budgets.steps
        try:
            return int(s.code.pure[function](s, s.code.frame(function, [])[2]))
        except RuleError as error:
            raise failed(span, f"This cannot be worked out: {error.described()}") from None


def read_conditions(
    scenario: Scenario, checked: Checked, players: tuple[str, ...], spaces: dict[str, str]
) -> Conditions:
    """Check all conditions of a scenario against its game. Unfit at the first that is wrong."""
    known = set(spaces)
    if any(b.size == "unbounded" for b in checked.game.boards.values()):
        known |= {space_name(r, c) for r in REACH for c in REACH}
    out = Conditions()
    for line in _lines(scenario):
        text = line.raw if isinstance(line, Sequence) else line
        if text is None:
            continue
        problems = Problems()
        node = check_condition(text, checked, players, problems, frozenset(known))
        if node is None:
            first = next(iter(problems))
            raise Unfit(first.code, first.span, first.text, first.cure)
        checked.keep.append(node)
        for part in walk(node):
            symbol = checked.symbols.get(id(part))
            if symbol is not None and symbol.form == "space" and symbol.name in spaces:
                checked.symbols[id(part)] = Symbol("space", spaces[symbol.name], symbol.owner)
        out.lowered.append((_name(line.span), node))
        if isinstance(node, n.Compare):
            type_ = _type_name(plain(checked.types[id(node.left)])) if id(node.left) in checked.types else ""
            if type_:
                out.left[_name(line.span)] = type_
                out.lowered.append((f"{_name(line.span)} left", node.left))
    return out


def _lines(scenario: Scenario) -> Iterator[Scalar | Sequence]:
    """Everything in `when` and `then` that is a condition."""
    lists: list[tuple[Tree, ...]] = [scenario.items("then")]
    for step in scenario.items("when"):
        for entry in step.entries if isinstance(step, Mapping) else ():
            if entry.key.text == "then" and isinstance(entry.value, Sequence):
                lists.append(entry.value.items)
    for items in lists:
        yield from (x for x in items if isinstance(x, (Scalar, Sequence)))


def _name(span: Span) -> str:
    return str(span)


def _text(line: Scalar | Sequence) -> str:
    scalar = line.raw if isinstance(line, Sequence) else line
    return " ".join(scalar.text.split()) if scalar is not None else ""


def _type_name(found: Type) -> str:
    match found:
        case NumberType():
            return "number"
        case PlayerType():
            return "player"
        case WordType(name):
            return name
    return ""
