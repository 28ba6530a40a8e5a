"""Windows: the moments at which reactions may be used.

Comes in: a typed game. Goes out: E436 where something is no window or is offered that opens by itself, E407
for a reaction called `pass`, W458 for a window that nothing opens. A name under `windows:` that is no event
is a window of its own, which `offer` opens; so an `offer` of a name that no reaction waits for is a slip
(E404, in `check_effects`). What never happens: with errors in a game a window is called useless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.check_world import World
from rulewright.dsl.not_yet import nodes_of
from rulewright.dsl.spelling import closest

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

PHASE_WORDS = ("entering", "leaving")


def own_windows(world: World) -> list[str]:
    """The windows that `offer` opens, each once, in the order in which reactions name them."""
    game = world.game
    named = (h for a in game.actions.values() for h in a.windows if h.word == "event")
    return list(dict.fromkeys(h.name for h in named if not opens_by_itself(world, h.name)))


def opens_by_itself(world: World, name: str) -> bool:
    """Whether a name is that of an event, whose window opens when it has happened."""
    return name in world.game.events or name in world.game.actions


def check_windows(check: GameCheck) -> None:
    """Report what is wrong with the windows of a game."""
    game = check.world.game
    offered = {node.window for node in nodes_of(game) if isinstance(node, n.Offer)}
    met: set[str] = set()
    for action in game.actions.values():
        if action.reaction and action.name == "pass":
            check.error(
                "E407",
                action.span,
                "`pass` is how a player declines to react.",
                "Choose another name for this reaction.",
            )
        for h in action.windows:
            _window(check, h, offered | met)
            if h.word == "event":
                met.add(h.name)


def _window(check: GameCheck, h: n.Happening, known: set[str]) -> None:
    """One name under `windows:`; of those in `known` nothing more is to be said."""
    game = check.world.game
    if h.word in PHASE_WORDS:
        check.names_of_happening(h)
    elif h.word != "event":
        what = "a phase that is skipped" if h.word == "skipping" else f"`{h.name} {h.word}`"
        check.error(
            "E436",
            h.span,
            f"{what[0].upper() + what[1:]} opens no window.",
            "Name a window that `offer` opens, an event, or `entering PHASE` or `leaving PHASE`.",
        )
    elif h.name in game.events or h.name in game.actions:
        return
    elif check.event_parameters(h.name) is not None:
        check.error(
            "E436",
            h.name_span,
            f"`{h.name}` opens no window.",
            f"Offer a window of your own in a rule with `after: {h.name}`.",
        )
    elif h.name not in known and not check.problems.errors:
        check.problems.warning(
            "W458", h.name_span, f"Nothing opens the window `{h.name}`.", _cure(check, h.name)
        )


def _cure(check: GameCheck, name: str) -> str:
    game = check.world.game
    if name in game.phases:
        return f"Write `entering {name}` or `leaving {name}`, or open it with `offer {name}`."
    offered = [node.window for node in nodes_of(game) if isinstance(node, n.Offer)]
    near = closest(name, [*offered, *game.events, *game.actions])
    return (f"Did you mean `{near}`? " if near else "") + f"Write `offer {name}` where it is to open."
