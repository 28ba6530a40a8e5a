"""Matches: one game played from its first decision to its end by bots.

Comes in: a match and a bot for each seat. Goes out: an `Outcome`. A match that does not end is an
outcome too: it is stopped after so many decisions, and a rule that fails is told with its line. What
never happens: a match without an outcome, or an outcome that depends on anything but match and bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.interpreter.match import Match
from rulewright.playtest.bots import Bot
from rulewright.playtest.settings import LIMIT

ENDED, STOPPED, FAULT, INTERRUPTED = "ended", "stopped", "fault", "interrupted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one match went.

    `status`: "ended" (an end of the rules was reached), "stopped" (`reason` says why: too long, no end),
    "fault" (a rule could not be carried out; `reason` names it and its line), "interrupted" (somebody
    asked to stop). Seats are numbers. `scores` is empty where the game has no score. `branching` counts
    decisions by how many options they had; `began` is who had the first decision, or -1.
    """

    status: str
    reason: str
    end: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: int
    branching: Counter[int]
    began: int


Watch = Callable[[Match], str]


def play_match(
    match: Match,
    bots: Sequence[Bot],
    limit: int = LIMIT,
    watch: Watch | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Play until the match is over.

    `watch` looks at the match before each decision and at the end; a text from it stops the match with
    that reason as a fault. `stop` is asked before each decision.
    """
    branching: Counter[int] = Counter()
    began = -1
    status, reason = "", ""
    while not status:
        found = watch(match) if watch is not None else ""
        decision = match.decision
        if found:
            status, reason = FAULT, found
        elif decision is None:
            status, reason = _ending(match)
        elif branching.total() >= limit:
            status, reason = STOPPED, f"no end after {limit} decisions"
        elif stop():
            status, reason = INTERRUPTED, "interrupted"
        else:
            began = decision.player if began < 0 else began
            count = decision.count
            refused = match.choose(bots[decision.player].choose(match))
            if refused is not None:
                status, reason = FAULT, refused.reason
            branching[count] += 1
    result = match.result
    names = match.program.players
    ended = status == ENDED
    return Outcome(
        status,
        reason,
        result.end if ended else "",
        tuple(names.index(w) for w in result.winners) if ended else (),
        tuple(score for _, score in result.scores) if ended else (),
        branching.total(),
        branching,
        began,
    )


def _ending(match: Match) -> tuple[str, str]:
    if match.fault is not None:
        return FAULT, match.fault.reason
    if not match.result.end:
        return STOPPED, "the flow ran out without reaching an end"
    return ENDED, ""
