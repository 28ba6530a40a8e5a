"""Faults: a rule that cannot be carried out, and limits that were passed.

Comes in: words and a place. Goes out: `RuleError`, raised inside the machine only and caught by
`match.py`, which puts the game back to its last decision and hands the reason on as a `Refusal`.
What never happens: a `RuleError` that leaves the package, or a fault of ours dressed up as one.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.problems import NOWHERE, Span


class RuleError(Exception):
    """A rule error found in play. `form` is "rule" or "budget"; `rule` names the function at fault.

    `chain` names the functions that were under way, the outermost first.
    """

    def __init__(self, text: str, span: Span = NOWHERE, form: str = "rule") -> None:
        super().__init__(text)
        self.text = text
        self.span = span
        self.form = form
        self.rule = ""
        self.chain: tuple[str, ...] = ()

    def described(self) -> str:
        """The error in one sentence with the rule and the line."""
        where = f" (in {self.rule}" if self.rule else ""
        if self.span.file:
            where += f", {self.span}" if where else f" ({self.span}"
        return self.text + (where + ")" if where else "")


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much one decision may cost before the machine gives up on it.

    `steps` counts turns of loops, calls and values looked at in nested selections, the same with
    and without a trace; `depth` calls inside calls; `options` what one decision may offer.
    """

    steps: int = 2_000_000
    events: int = 20_000
    depth: int = 400
    options: int = 50_000


USUAL_BUDGETS = Budgets()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done; nothing has changed.

    `form`: "over" (the game has ended), "unknown" (no such action or key), "value" (no such value),
    "where", "require", "forbid" (the conditions of the action), "not offered", "rule" (a rule error while
    it was carried out), "budget", "chance" (a scripted outcome is not possible).
    """

    form: str
    reason: str
    span: Span = NOWHERE
    rule: str = ""

    def __str__(self) -> str:
        return self.reason
