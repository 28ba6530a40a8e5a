"""Secrecy: a choice may not depend on what its chooser cannot see (E431).

Comes in: a checked game. Goes out: problems at the readings that would betray something by what is offered.
Looked at are the conditions of choices (in `choose`, `require: check`, effects, `arrange`) and of the rules
that forbid actions. What never happens: `do`, `afterwards` and the choices of chance are looked at; they
may read everything. What somebody sees is worked out in `secrecy_reading`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.check_scope import text_of
from rulewright.dsl.model import Action, Phase
from rulewright.dsl.secrecy_reading import OPEN, Env, Eyes, Known

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

CURE = "What is offered would betray it: offer it without this condition, and test it in `do`."


@dataclass(frozen=True, slots=True)
class Bound:
    """A name made earlier in a block: what it stands for is read again with the eyes of each chooser."""

    name: str
    value: n.Expr | n.Selection | None


class Secrecy:
    """Looks for conditions of choices that read hidden things."""

    def __init__(self, check: GameCheck) -> None:
        self.check = check
        self.game = check.world.game

    def run(self) -> None:
        """Look through all choices."""
        callers = self.callers()
        for action in self.game.actions.values():
            self.action(action, frozenset({"actor"} | callers.get(action.name, set())))
        for event in self.game.events.values():
            self.block(event.do, tuple(Bound(p.name, None) for p in event.parameters))
        for rule in self.game.rules:
            self.block(rule.do, ())
            if rule.row is not None and rule.row.who is not None:
                self.choice("holder", (), rule.row.who)
        self.block(self.game.setup, ())
        for phase in self.game.flow:
            self.phase(phase, frozenset({"actor"}))

    def callers(self) -> dict[str, set[str]]:
        """Who takes an action, where every phase that offers it says the same: `who: captain`."""
        found: dict[str, list[str]] = {}

        def look(phase: Phase, who: str) -> None:
            own = _text(phase.who) if phase.who is not None else "" if phase.turns is not None else who
            for name, _ in phase.actions:
                found.setdefault(name, []).append(own)
            for inner in (*phase.each_turn, *phase.phases):
                look(inner, own)

        for phase in self.game.flow:
            look(phase, "")
        return {name: set(texts) - {""} for name, texts in found.items() if len(set(texts)) == 1}

    def eyes(self, names: frozenset[str]) -> Eyes:
        """The eyes of the player who is called so."""
        return Eyes(self.check.out, self.check.world, names)

    def report(self, eyes: Eyes) -> None:
        """Report what was read; each place once."""
        for reading in eyes.found:
            self.check.error(
                "E431", reading.span, f"This choice reads what its chooser cannot see: {reading.why}.", CURE
            )

    # ------------------------------------------------------------------ places

    def action(self, action: Action, names: frozenset[str]) -> None:
        """Choices, requirements and the rules that forbid an action; then the choices in its effect."""
        if action.who is not None:
            self.may_react(action.who)
        eyes = self.eyes(names)
        env: Env = {}
        bound: list[Bound] = []
        for key in action.keys:
            env[key.name] = eyes.chosen(key.chosen, key.chosen.selection, env)
            bound.append(Bound(key.name, key.chosen))
        for requirement in action.requirements:
            if not requirement.afterwards:
                eyes.value(requirement.condition, env)
        eyes.forbidden(action.name, env)
        self.report(eyes)
        self.block(action.do, tuple(bound))

    def may_react(self, who: n.Expr) -> None:
        """`who:` of a reaction: that a player is asked at all must not tell this player anything."""
        if not isinstance(who, n.Bare | n.Quantified):
            return
        name = self.element(who.selection).name
        eyes = self.eyes(frozenset({name}))
        if who.selection.source is not None:
            eyes.value(who.selection.source, {})
        for clause in who.selection.clauses:
            eyes.value(clause.value, {name: Known(mine=True)})
        self.report(eyes)

    def phase(self, phase: Phase, names: frozenset[str]) -> None:
        """The choices in the effects of a phase, and what may be arranged."""
        own = names
        if phase.who is not None or phase.turns is not None:
            own = frozenset({"actor", _text(phase.who)} - {""})
        for block in (phase.on_enter, phase.do, phase.on_leave, phase.if_stuck):
            if isinstance(block, tuple):
                self.block(block, ())
        for laid in phase.arrange:
            eyes = self.eyes(own)
            env = eyes.selection(laid.things, {})[2]
            eyes.value(laid.goals, env)
            self.report(eyes)
        for inner in (*phase.each_turn, *phase.phases):
            self.phase(inner, own)

    # ----------------------------------------------------------------- effects

    def block(self, block: n.Block, bound: tuple[Bound, ...]) -> None:
        """The choices in a block."""
        for effect in block:
            match effect:
                case n.Let(name=name, value=value):
                    bound = (*bound, Bound(name, value))
                case n.If(branches=branches, otherwise=otherwise):
                    for _, body in branches:
                        self.block(body, bound)
                    self.block(otherwise or (), bound)
                case n.ForEach(selection=selection, body=body):
                    self.block(body, (*bound, self.element(selection)))
                case n.Repeat(body=body):
                    self.block(body, bound)
                case n.Chooses():
                    self.chooses(effect, bound)
                case n.EachChooses(selection=selection, chosen=chosen, body=body):
                    who = self.element(selection)
                    inner = (*bound, who)
                    self.choice(who.name, inner, chosen)
                    self.block(body, (*inner, Bound(self.element(chosen.selection).name, chosen)))
                case n.ChoosesValue(chooser=chooser, options=options):
                    self.choice(_text(chooser), bound, options)
                case n.EachChoosesValue(selection=selection, options=options):
                    who = self.element(selection)
                    self.choice(who.name, (*bound, who), options)

    def element(self, selection: n.Selection) -> Bound:
        """The name of a selection's element."""
        binder = self.check.out.binders.get(id(selection))
        return Bound(binder[0] if binder else selection.name or selection.kind, selection)

    def chooses(self, node: n.Chooses, bound: tuple[Bound, ...]) -> None:
        """`P chooses SEL, or none if C: …`."""
        who = _text(node.chooser)
        if who != "chance":
            self.choice(
                who, bound, node.chosen, *([node.or_none] if isinstance(node.or_none, n.Expr) else [])
            )
        self.block(node.body, (*bound, Bound(self.element(node.chosen.selection).name, node.chosen)))
        self.block(node.otherwise or (), bound)

    def choice(self, who: str, bound: tuple[Bound, ...], *parts: n.Expr) -> None:
        """One choice, read with the eyes of `who`: a name of the block, or of the game."""
        eyes = self.eyes(frozenset({who} - {""}))
        env: Env = {}
        for one in bound:
            known = OPEN
            if isinstance(one.value, n.Selection):
                known = eyes.selection(one.value, env)[1]
            elif one.value is not None:
                known = eyes.value(one.value, env)
            env[one.name] = known
            if one.name == who:
                env[one.name] = replace(known, mine=True)
        if who and who not in env:
            env[who] = Known(mine=True)
        eyes.found.clear()  # what happened before the choice is no part of it
        for part in parts:
            eyes.value(part, env)
        self.report(eyes)


def _text(node: n.Expr | None) -> str:
    return text_of(node) if node is not None else ""
