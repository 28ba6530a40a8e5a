"""What the box of a declaration says in a diagram of effects: its title, its kind, and a line or two.

Comes in: a node of `dsl/effects_graph`. Goes out: a `Box`. A node without a declaration of its own (the
supply of a piece, an event that every game has) gets its name and nothing else. To add a kind of declaration:
a case in `box_of`.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.effects_graph import Node, rule_node
from rulewright.dsl.model import Checked, Game, Rule, State
from rulewright.dsl.problems import NOWHERE, Span
from rulewright.viz.parts import Box
from rulewright.viz.wording import keyed, line_of, lines_of, spoken, titled

RULE_WORDS = {
    "forbid": "rule: forbid",
    "instead": "rule: instead of",
    "before": "rule: before",
    "after": "rule: after",
    "change": "rule: change",
}


def box_of(checked: Checked, node: Node, full: bool = False) -> Box:
    """The box of one declaration; `full` shows the effects it has as well."""
    game = checked.game
    name = node.name
    match node.kind:
        case "setup":
            lines = lines_of(game.setup, 0) if full else ()
            return Box("setup", "setup", "Setup", "before the game", lines, span=game.span)
        case "phase" if name in game.phases:
            phase = game.phases[name]
            lines = (*keyed("who:", line_of(phase.who)), *keyed("turns:", line_of(phase.turns)))
            if full and phase.do:
                lines += lines_of(phase.do, 0)
            return _box(node, phase.title, "phase", lines, phase.span)
        case "action" if name in game.actions:
            action = game.actions[name]
            keys = tuple(f"{key.name}: {line_of(key.chosen)}" for key in action.keys)
            label = "reaction" if action.reaction else "action"
            return _box(node, action.title, label, keys + _effects(action.do, full), action.span)
        case "event" if name in game.events:
            event = game.events[name]
            parameters = ", ".join(line_of(p) for p in event.parameters)
            lines = (f"of {parameters}",) if parameters else ()
            return _box(node, event.title, "event", lines + _effects(event.do, full), event.span)
        case "rule":
            return _rule_box(node, _rule(game, node), full)
        case "state":
            return _state_box(node, _state(game, name))
        case "attribute":
            owners = ", ".join(
                k.name for k in game.kinds.values() if any(a.name == name for a in k.attributes)
            )
            return _box(node, "", "attribute", keyed("of", owners), NOWHERE)
        case "zone" if name in game.zones:
            zone = game.zones[name]
            seen = f"seen by {line_of(zone.seen_by)}" if zone.seen_by is not None else ""
            lines = (", ".join(x for x in (zone.order, seen, _per(zone.per)) if x),)
            return _box(node, zone.title, "zone", lines, zone.span)
        case "board" if name in game.boards:
            board = game.boards[name]
            return _box(node, board.title, "board", (f"{board.shape}, {board.size}",), board.span)
        case "define" if name in game.defines:
            define = game.defines[name]
            lines = (
                *keyed("is", line_of(define.body)),
                *keyed("by", line_of(define.by)),
                *(f"    {word}: {line_of(value)}" for word, _, value in define.cases),
            )
            return _box(node, "", "definition", lines, define.span)
        case "option" if name in game.options:
            option = game.options[name]
            return _box(node, option.title, "option", (), option.span)
        case "kind" if name in game.kinds:
            kind = game.kinds[name]
            return _box(node, kind.title, kind.base, (), kind.span)
        case "end" if name in game.ends:
            end = game.ends[name]
            lines = (*keyed("when", line_of(end.condition)), *keyed("winner:", line_of(end.winner)))
            return _box(node, end.title, "end of the game", lines, end.span)
        case _:
            return _box(node, "", node.kind, (), NOWHERE)


def _box(node: Node, title: str, label: str, lines: tuple[str, ...], span: Span) -> Box:
    title, label = titled(title, node.name, label)
    return Box(node.kind, node.name, title, label, lines, span=span)


def _effects(block: tuple[n.Effect, ...], full: bool) -> tuple[str, ...]:
    return lines_of(block, 0) if full else ()


def _per(per: str) -> str:
    return f"one for each {per}" if per else ""


def _rule(game: Game, node: Node) -> Rule | None:
    return next((rule for rule in game.rules if rule_node(rule.path) == node), None)


def _rule_box(node: Node, rule: Rule | None, full: bool) -> Box:
    if rule is None:
        return _box(node, "", "rule", (), NOWHERE)
    lines = (*keyed("when", line_of(rule.condition)), *keyed("to", line_of(rule.to)))
    title = rule.title or spoken(rule.name)
    label = RULE_WORDS.get(rule.form, "rule")
    return Box("rule", node.name, title, label, lines + _effects(rule.do, full), span=rule.span)


def _state(game: Game, name: str) -> State | None:
    if name in game.states:
        return game.states[name]
    return next((s for p in game.phases.values() for s in p.states if s.name == name), None)


def _state_box(node: Node, state: State | None) -> Box:
    if state is None:
        return _box(node, "", "state", (), NOWHERE)
    label = "track" if state.track else "state"
    parts = (line_of(state.type), _per(" and ".join(state.per)), f"in {state.phase}" if state.phase else "")
    return _box(node, state.title, label, (", ".join(p for p in parts if p),), state.span)
