"""Cycles: what can cause itself again (E443), and what needs itself to be known (E444, E445).

Comes in: a checked game. Goes out: problems at a rule of each cycle, with the cycle in words.
Looked at are events, the rules around them and the rules on state that their effects change. A rule or event
that says `once per` or `depth` ends its cycles. So does `instead of`: what it causes inherits that the rule
is used up; and so does the rule of a card that somebody holds, which never sets itself off. Phases are no
part of a cycle: an effect is over before the next phase begins.
To add a way in which something causes something: `caused_by` here, the edge in `effects_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.cycles import cycles, knots
from rulewright.dsl.effects_graph import Node, effects_graph, rule_node
from rulewright.dsl.model import Game, Rule
from rulewright.dsl.nodes_walk import walk
from rulewright.dsl.types import NumberType, SetType, plain

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

STUCK = Node("", "… is stuck")


def check_cycles(check: GameCheck) -> None:
    """Report the cycles of a game."""
    _causes(check)
    _needs(check)


# --------------------------------------------------------------- what causes what


def _causes(check: GameCheck) -> None:
    game = check.world.game
    edges = [*caused_by(check)]
    tied = {node for knot in knots(edges) for node in knot}
    check.out.circular.update(r.path for r in game.rules if r.group and rule_node(r.path) in tied)
    bounded = {Node("event", e.name) for e in game.events.values() if e.once_per or e.depth}
    bounded |= {rule_node(r.path) for r in game.rules if r.once_per or r.form == "instead" or r.group}
    edges = [(a, b) for a, b in edges if a not in bounded and b not in bounded]
    rules = {rule_node(r.path): r for r in game.rules}
    for cycle in cycles(edges, frozenset(rules)):
        first = next((i for i, name in enumerate(cycle) if name in rules), 0)
        ordered = [*cycle[first:], *cycle[:first]]
        rule = rules.get(ordered[0])
        told = _told(ordered)
        if rule is not None:
            text = f"The rule `{rule.name}` can set itself off again, without end: {told}."
            cure = "Break the circle: let one of them not cause the next."
        else:
            text = f"The event `{ordered[0].name}` can cause itself again, without end: {told}."
            cure = "Break the circle: let it not cause itself again."
        check.error("E443", rule.span if rule is not None else game.events[ordered[0].name].span, text, cure)


def caused_by(check: GameCheck) -> Iterator[tuple[Node, Node]]:
    """What directly sets off what: events events, events rules, rules events, changes of state rules."""
    game = check.world.game
    happening: dict[Node, list[Node]] = {}
    for rule in game.rules:
        if rule.form in ("before", "after", "instead"):
            for h in rule.happenings:
                if h.word == "event":
                    kind = "action" if h.name in game.actions else "event"
                    happening.setdefault(Node(kind, h.name), []).append(rule_node(rule.path))
    for edge in effects_graph(check.out):
        if edge.relation == "causes" and edge.target.kind == "event":
            yield edge.source, edge.target
    for node, listeners in happening.items():
        for listener in listeners:
            yield node, listener
    listening = [
        (rule, h)
        for rule in game.rules
        if rule.form in ("before", "after")
        for h in rule.happenings
        if h.word in ("rises", "falls", "changes", "becomes")
    ]
    for source, block in _blocks(game):
        for effect in block:
            for part in walk(effect):
                for rule, h in listening:
                    if isinstance(part, n.Effect) and _changes(check, part, h):
                        yield source, rule_node(rule.path)


def _blocks(game: Game) -> Iterator[tuple[Node, n.Block]]:
    for event in game.events.values():
        yield Node("event", event.name), event.do
    for rule in game.rules:
        yield rule_node(rule.path), rule.do


def _changes(check: GameCheck, effect: n.Effect, h: n.Happening) -> bool:
    """Whether an instruction can make a state rise, fall, change or become something."""
    match effect:
        case n.SetTo(target=target, value=value):
            words = {"changes", "becomes"}
            if h.word == "becomes" and not _may_be(value, h.value):
                return False
        case n.ChoosesValue(target=target) | n.EachChoosesValue(target=target):
            words = {"changes", "becomes"}
        case n.AddTo(target=target, amount=amount):
            words = _directions(check, amount, target, "rises", "falls")
        case n.TakeFrom(target=target, amount=amount):
            words = _directions(check, amount, target, "falls", "rises")
        case _:
            return False
    symbol = check.out.symbols.get(id(target))
    return symbol is not None and symbol.form == "state" and symbol.name == h.name and h.word in words


def _directions(check: GameCheck, amount: n.Expr, target: n.Expr, up: str, down: str) -> set[str]:
    if isinstance(plain(check.out.types.get(id(target), NumberType())), SetType):
        return {"changes", "becomes"}
    found = plain(check.out.types.get(id(amount), NumberType()))
    words = {"becomes"}
    if not isinstance(found, NumberType):
        return words
    if found.high > 0:
        words.add(up)
    if found.low < 0:
        words.add(down)
    return words


def _may_be(value: n.Expr, wanted: n.Expr | None) -> bool:
    """Whether a value may be the one a rule waits for: two different figures or yes and no are not."""
    match value, wanted:
        case n.Number(value=a), n.Number(value=b):
            return a == b
        case n.YesNo(value=a), n.YesNo(value=b):
            return a == b
        case n.Nothing(), other:
            return isinstance(other, n.Nothing)
    return True


# ---------------------------------------------------------------- what needs what


def _needs(check: GameCheck) -> None:
    game = check.world.game
    rules = {rule_node(r.path): r for r in game.rules if r.form in ("change", "forbid")}
    edges = [*_read_by(check, rules)]
    for cycle in cycles(edges, frozenset(rules)):
        if all(name.kind == "define" for name in cycle):
            continue  # E442 says so
        first = min(range(len(cycle)), key=lambda i: (cycle[i] not in rules, cycle[i].kind != "action"))
        ordered = [*cycle[first:], *cycle[:first]]
        rule = rules.get(ordered[0])
        told = _told(ordered)
        if rule is not None and rule.form == "change":
            check.error(
                "E444",
                rule.span,
                f"The rule `{rule.name}` needs the value that it changes: {told}.",
                "Let the rule read something that does not depend on what it changes.",
            )
        else:
            what = f"The rule `{rule.name}`" if rule is not None else f"`{ordered[0].name}`"
            check.error(
                "E445",
                rule.span if rule is not None else game.actions[ordered[0].name].span,
                f"{what} asks for something that depends on its own answer: {told}.",
                "Ask for something that does not lead back to it.",
            )


def _read_by(check: GameCheck, rules: dict[Node, Rule]) -> Iterator[tuple[Node, Node]]:
    """What must be known to answer what: definitions, their CHANGE rules, `can` and FORBID, `is stuck`."""
    game = check.world.game
    for edge in effects_graph(check.out):
        a, b = edge.source, edge.target
        if (
            edge.relation == "reads"
            and (a.kind == "define" or a in rules)
            and b.kind in ("define", "event", "action")
        ):
            yield a, b
        elif edge.relation in ("changes", "forbids") and a in rules:
            yield b, a
    for action in game.actions.values():
        node = Node("action", action.name)
        yield STUCK, node
        for asked in [*(k.chosen for k in action.keys), *(r.condition for r in action.requirements)]:
            yield from _asked_in(check, node, asked)
    for define in game.defines.values():
        for part in (define.body, define.by, *(value for _, _, value in define.cases)):
            yield from _asked_in(check, Node("define", define.name), part, only_stuck=True)
    for node, rule in rules.items():
        for part in (rule.condition, rule.to):
            yield from _asked_in(check, node, part, only_stuck=True)


def _asked_in(
    check: GameCheck, source: Node, part: n.Node | None, only_stuck: bool = False
) -> Iterator[tuple[Node, Node]]:
    for node in walk(part) if part is not None else ():
        symbol = check.out.symbols.get(id(node))
        if symbol is not None and symbol.form == "adjective" and symbol.name == "stuck":
            yield source, STUCK
        if only_stuck:
            continue
        if symbol is not None and symbol.form == "define":
            yield source, Node("define", symbol.name)
        elif isinstance(node, n.Can):
            yield source, Node("action" if node.event in check.world.game.actions else "event", node.event)


def _told(cycle: list[Node]) -> str:
    words = [f"rule `{x.name}`" if x.kind == "rule" else f"`{x.name}`" for x in [*cycle, cycle[0]]]
    return " → ".join(words)
