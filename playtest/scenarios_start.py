"""How a scenario begins: who plays, with which options, and where in the flow.

Comes in: a scenario. Goes out: players, options and the `Entry` for its program, or the reason why it cannot
begin so. What never happens: keys that contradict each other, and one of them is passed over.
"""

from __future__ import annotations

from rulewright.dsl.model import Game
from rulewright.dsl.problems import Problem
from rulewright.dsl.source import Mapping, Scalar
from rulewright.dsl.spelling import closest
from rulewright.interpreter.lower_entry import Entry, usual_phase
from rulewright.interpreter.pictures import Unfit, wrong
from rulewright.playtest.given import given_states
from rulewright.playtest.scenarios_read import Scenario, failed


def players_of(scenario: Scenario) -> int | tuple[str, ...] | None:
    """Who plays: names, or how many; None where it is not said."""
    tree = scenario.tree("players")
    if isinstance(tree, Scalar):
        return int(tree.text)
    return tuple(x.text for x in scenario.texts("players")) if tree is not None else None


def options_of(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """The options that are given, each with its values."""
    tree = scenario.tree("options")
    found: dict[str, tuple[str, ...]] = {}
    for entry in tree.entries if isinstance(tree, Mapping) else ():
        value = entry.value
        items = (value,) if isinstance(value, Scalar) else getattr(value, "items", ())
        found[entry.key.text] = tuple(x.text.strip() for x in items if isinstance(x, Scalar))
    return found


def accept_refusal(scenario: Scenario, problems: tuple[Problem, ...], wanted: bool) -> None:
    """The game cannot begin with these players and options; Unfit unless that is what was wanted."""
    first = problems[0]
    place = scenario.place("options" if "options" in scenario.keys else "players")
    if not wanted:
        raise Unfit(first.code, place, first.text, first.cure)
    for key in ("given", "when", "then", "chance"):
        if scenario.tree(key) is not None:
            raise wrong(
                scenario.place(key), f"What is refused at the start cannot have `{key}`.", "Take it out."
            )
    if scenario.text("refused") not in first.text:
        raise failed(scenario.place("refused"), f"The reason is another one: {first.text}")


def check_keys(scenario: Scenario) -> None:
    """Keys that cannot stand together."""
    if scenario.tree("chance") is not None and scenario.tree("seed") is not None:
        raise wrong(
            scenario.place("seed"), "`seed` and `chance` cannot stand together.", "Take one of them out."
        )
    if scenario.after_setup and scenario.given():
        text = "`given` lays a position out, `after setup` plays the set-up."
        raise wrong(scenario.place("given"), text, "Take one of them out.")


def entry_of(scenario: Scenario, game: Game, players: tuple[str, ...]) -> Entry:
    """Where the flow begins."""
    if scenario.after_setup:
        return Entry()
    phase, turn = usual_phase(game), ""
    for entry in scenario.given():
        text = entry.value.text.strip() if isinstance(entry.value, Scalar) else ""
        if entry.key.text == "phase":
            if text not in game.phases:
                near = closest(text, game.phases)
                cure = f"Did you mean `{near}`?" if near else f"Phases: {', '.join(game.phases)}."
                raise wrong(entry.key.span, f"There is no phase `{text}`.", cure)
            phase = text
        elif entry.key.text == "turn":
            if text not in players:
                cure = f"Players: {', '.join(players)}."
                raise wrong(entry.key.span, f"Nobody is called `{text}` here.", cure)
            turn = text
    return Entry(phase, turn, given_states(scenario, game))
