"""What the box of a phase says about it: who acts, what they may do, what happens, when it is over.

Comes in: a `Phase`. Goes out: lines of details, in the order in which they matter in play. A phase with no
more than a name has none. To add a key of phases: a line in `phase_lines`.
"""

from __future__ import annotations

from rulewright.dsl.model import Game, Phase
from rulewright.viz.wording import keyed, line_of, lines_of, spoken

BRIEF_LINES = 4
"""Lines of effects in a box that is not to show everything."""


def phase_lines(game: Game, phase: Phase, full: bool = False) -> tuple[str, ...]:
    """The details of a phase; `full` shows all lines of its effects."""
    most = 0 if full else BRIEF_LINES
    lines = (
        *keyed("skipped when", line_of(phase.skip_when)),
        *keyed("for each", line_of(phase.for_each)),
        *keyed("repeated", line_of(phase.repeat)),
        *keyed("until", line_of(phase.until)),
        *keyed("at most", line_of(phase.at_most)),
        *keyed("turns:", line_of(phase.turns)),
        *keyed("who:", line_of(phase.who)),
        *(("as many actions a turn as the player likes",) if phase.until_ended else ()),
        *keyed("keeps", ", ".join(state.name for state in phase.states)),
        *(("on enter:", *_indented(lines_of(phase.on_enter, most))) if phase.on_enter else ()),
        *_actions(game, phase),
        *(f"arranges {line_of(laid.things)}: {line_of(laid.goals)}" for laid in phase.arrange),
        *(lines_of(phase.do, most) if phase.do else ()),
        *(keyed("if stuck:", phase.if_stuck) if isinstance(phase.if_stuck, str) else ()),
        *(
            ("if stuck:", *_indented(lines_of(phase.if_stuck, most)))
            if isinstance(phase.if_stuck, tuple) and phase.if_stuck
            else ()
        ),
        *(("on leave:", *_indented(lines_of(phase.on_leave, most))) if phase.on_leave else ()),
    )
    return lines


def _actions(game: Game, phase: Phase) -> tuple[str, ...]:
    """A line for each action, since there may be commas in a title."""
    titles = [game.actions[name].title if name in game.actions else "" for name, _ in phase.actions]
    shown = [title or spoken(name) for title, (name, _) in zip(titles, phase.actions, strict=True)]
    return tuple(f"{'or' if i else 'may'}: {title}" for i, title in enumerate(shown))


def _indented(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"    {line}" for line in lines)


def loops(phase: Phase) -> str:
    """What a phase begins again with ("next turn", "next", "again"), or "" when it runs once."""
    if phase.turns is not None:
        return "next turn"
    if phase.for_each is not None:
        return "next"
    if phase.repeat is not None or phase.until is not None or phase.at_most is not None:
        return "again"
    return ""


def over_when(phase: Phase) -> str:
    """When a phase that begins again is left, in words, or "" when only an effect or an end leaves it."""
    if phase.until is not None:
        return "done"
    if phase.repeat is not None or phase.for_each is not None:
        return "done"
    if phase.turns is not None and phase.turns.once_around:
        return "all have had a turn"
    return ""
