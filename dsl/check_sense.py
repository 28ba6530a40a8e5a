"""Sense: what is written but can never matter.

Comes in: a checked game. Goes out: E446, E447 and the warnings W452 … W457: a rule whose condition never
holds, a name that nothing uses, a choice that is always empty, two replacements of one event, options
that need each other. What never happens: something is reported that could matter with some value of the
options, or that a mistake elsewhere makes look useless: with errors in a game nothing is called unused.
To add a sense check: a function here, called from `check_sense`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.check_bounds import check_bounds
from rulewright.dsl.cycles import cycles
from rulewright.dsl.effects_graph import Edge, Node, effects_graph, rule_node
from rulewright.dsl.model import Game, Rule
from rulewright.dsl.never import Verdicts
from rulewright.dsl.nodes_walk import names_in

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

LISTENING = ("forbids", "replaces", "before", "after", "changes")


def check_sense(check: GameCheck) -> None:
    """Report what makes no sense."""
    _option_circles(check)
    if check.problems.errors:
        return
    verdicts = Verdicts(check.out, check.world)
    edges = effects_graph(check.out)
    reached = _reached(check.world.game, edges)
    _unused(check, reached)
    _never_fires(check, verdicts, reached)
    _empty_choices(check, verdicts)
    _replacements(check, verdicts)
    check_bounds(check, verdicts)


def _option_circles(check: GameCheck) -> None:
    options = check.world.game.options
    edges = []
    for option in options.values():
        for node in (option.default_expr, option.low, option.high, option.how_many):
            if node is not None:
                edges += [(option.name, name) for name in sorted(names_in(node)) if name in options]
    for cycle in cycles(edges, frozenset(options)):
        told = " → ".join(f"`{name}`" for name in [*cycle, cycle[0]])
        check.error(
            "E446",
            options[cycle[0]].span,
            f"The option `{cycle[0]}` depends on itself: {told}.",
            "Give one of them a default and limits that do not depend on the others.",
        )


# ----------------------------------------------------------------- reachability


def _reached(game: Game, edges: tuple[Edge, ...]) -> set[Node]:
    """Everything that play, options or the ends can come to."""
    out: dict[Node, list[Node]] = {}
    for edge in edges:
        if edge.relation not in LISTENING:
            out.setdefault(edge.source, []).append(edge.target)
        elif edge.source.kind == "rule":
            out.setdefault(edge.target, []).append(edge.source)
    todo = [
        node
        for node in out
        if node.kind in ("setup", "phase", "end", "option", "kind", "zone", "state", "always")
    ]
    todo += [Node("define", "score")]
    todo += [Node("action", a.name) for a in game.actions.values() if a.reaction]
    todo += [rule_node(r.path) for r in game.rules if any(_by_itself(game, h) for h in r.happenings)]
    found: set[Node] = set()
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += out.get(node, [])
    return found


def _by_itself(game: Game, h: n.Happening) -> bool:
    """Whether something happens without an event of the game: a phase, a change of state, a turn."""
    return h.word != "event" or (h.name not in game.events and h.name not in game.actions)


def _unused(check: GameCheck, reached: set[Node]) -> None:
    game = check.world.game
    for define in game.defines.values():
        if Node("define", define.name) not in reached:
            check.problems.warning(
                "W452",
                define.span,
                f"Nothing uses the definition `{define.name}`.",
                "Use it, or take it out.",
            )
    for event in game.events.values():
        if Node("event", event.name) not in reached:
            check.problems.warning(
                "W453",
                event.span,
                f"Nothing causes the event `{event.name}`.",
                "Let an effect cause it, or take it out.",
            )
    for action in game.actions.values():
        if Node("action", action.name) not in reached:
            check.problems.warning(
                "W453",
                action.span,
                f"No phase offers the action `{action.name}`.",
                "Add it to the `actions:` of a phase, or take it out.",
            )


def _never_fires(check: GameCheck, verdicts: Verdicts, reached: set[Node]) -> None:
    game = check.world.game
    for rule in game.rules:
        if rule.condition is not None and verdicts.of(rule.condition) is False:
            check.problems.warning(
                "W454",
                rule.condition.span,
                f"The rule `{rule.name}` never applies: its condition never holds.",
                "Correct the condition, or take the rule out.",
            )
        named = [h for h in rule.happenings if not _by_itself(game, h)]
        if rule.form == "change" or len(named) < len(rule.happenings) or not named:
            continue
        kinds = {h.name: "action" if h.name in game.actions else "event" for h in named}
        if not any(Node(kinds[h.name], h.name) in reached for h in named):
            check.problems.warning(
                "W454",
                named[0].span,
                f"The rule `{rule.name}` never applies: nothing causes `{named[0].name}`.",
                "Let something cause it, or take the rule out.",
            )
    for end in game.ends.values():
        if end.condition is not None and verdicts.of(end.condition) is False:
            check.problems.warning(
                "W454",
                end.condition.span,
                f"The end `{end.name}` is never reached: its condition never holds.",
                "Correct the condition.",
            )


def _empty_choices(check: GameCheck, verdicts: Verdicts) -> None:
    for action in check.world.game.actions.values():
        for key in action.keys:
            if verdicts.most(key.chosen.selection) == 0:
                check.problems.warning(
                    "W456",
                    key.chosen.span,
                    f"There is never a `{key.name}` to choose, so `{action.name}` is never offered.",
                    "Correct the selection.",
                )
        for requirement in action.requirements:
            if not requirement.afterwards and verdicts.of(requirement.condition) is False:
                check.problems.warning(
                    "W456",
                    requirement.condition.span,
                    f"This never holds, so `{action.name}` is never offered.",
                    "Correct the condition.",
                )


# ----------------------------------------------------------------- replacements


def _replacements(check: GameCheck, verdicts: Verdicts) -> None:
    """Two INSTEAD rules on one event that can both apply, at equal priority: the order of files decides."""
    instead: dict[str, list[Rule]] = {}
    for rule in check.world.game.rules:
        if rule.form == "instead":
            for h in rule.happenings:
                if h.word == "event":
                    instead.setdefault(h.name, []).append(rule)
    for event, rules in instead.items():
        told: set[str] = set()
        for first, second in combinations(rules, 2):
            if second.path in told or first.priority != second.priority or _apart(verdicts, first, second):
                continue
            told.add(second.path)
            check.problems.warning(
                "W457",
                second.span,
                f"`{first.name}` and `{second.name}` may both replace `{event}`; the one written first does.",
                "Give one of them a `priority:`, or let their conditions exclude each other.",
            )


def _apart(verdicts: Verdicts, first: Rule, second: Rule) -> bool:
    conditions = [c for r in (first, second) for c in (r.condition, r.used_when) if c is not None]
    if len(conditions) < 2:
        return any(verdicts.of(c) is False for c in conditions)
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = n.And(span=whole.span, left=whole, right=condition)
    return verdicts.of(whole) is False
