"""Consent: how bots answer what several players choose as one, by agreement or by majority.

Comes in: a bot, and the policies for `agreement of …` and `majority of …` that a batch is played with. Goes
out: a bot that follows them. Such a choice stands for what people talk over or judge at a table, and no bot
can do either; so a policy says how it goes, it is part of the settings, and never of the rules. Its luck is
a stream of its own for each seat. What never happens: another choice than these that a policy touches.

A policy is `random` (any option, each as likely), `first` or `last` (of the options as the rules list them),
a probability such as `0.8` (so often the first, else any of the others), or `own` (what the bot itself would
choose).
"""

from __future__ import annotations

import re

from rulewright.interpreter.chance import Seed, number, start_of
from rulewright.interpreter.match import Match
from rulewright.playtest.bots import Bot

POLICIES = ("random", "first", "last", "own")
USUAL = "random"
_SHARE = re.compile(r"0|1|[01]?\.[0-9]{1,6}")


def policy_named(text: str) -> str:
    """A policy in its one spelling (`.80` is `0.8`). Raises ValueError with what may be written."""
    if text in POLICIES:
        return text
    if _SHARE.fullmatch(text) and float(text) <= 1:
        return f"{float(text):g}"
    raise ValueError(f"write {', '.join(POLICIES)} or a probability of the first option such as 0.8")


class Consenting:
    """A bot that answers what is chosen as one by a policy, and everything else by itself."""

    def __init__(self, bot: Bot, agreement: str, majority: str, seed: Seed, seat: int) -> None:
        self._bot = bot
        self._policies = {"agreement": agreement, "majority": majority}
        self._start = start_of(seed, f"consent {seat}")
        self._counter = 0

    def choose(self, match: Match) -> int:
        """Some option, by the policy where there is one. Raises ValueError if nobody has to choose."""
        decision = match.decision
        if decision is None:
            raise ValueError("Nobody has to choose.")
        policy = self._policies.get(decision.joint, "own")
        match policy:
            case "own":
                return self._bot.choose(match)
            case "first":
                return 0
            case "last":
                return decision.count - 1
            case "random":
                return self._below(decision.count)
        millionths = round(float(policy) * 1_000_000)
        if decision.count == 1 or self._below(1_000_000) < millionths:
            return 0
        return 1 + self._below(decision.count - 1)

    def _below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, each as likely."""
        self._counter += 1
        return ((number(self._start, self._counter) >> 32) * limit) >> 32
