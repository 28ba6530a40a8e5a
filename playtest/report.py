"""Report: a batch as plain data, the same bytes for the same games.

Comes in: a batch. Goes out: a mapping that can be written as JSON: settings, hash of the rules, results
by seat with intervals, scores, length, branching, ends. What never happens: a time, a path or a number
of processes in it. To add a figure: here, and in docs of the format; readers ignore keys that they do
not know.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from rulewright.playtest.batch import Batch
from rulewright.playtest.statistics import Share, Spread, share, spread

FORMAT = "rulewright playtest 1"
DIGITS = 6  # of a share or a mean; more would only show the noise of the arithmetic


def summary(batch: Batch) -> dict[str, Any]:
    """The batch as data. `seats` has one entry for each seat, in order; shares are of games that ended."""
    tally = batch.tally
    return {
        "format": FORMAT,
        "settings": batch.settings.as_json(),
        "title": batch.title,
        "players": list(batch.players),
        "options": dict(batch.options),
        "rules": batch.rules_hash,
        "complete": not batch.interrupted,
        "games": tally.games,
        "ended": tally.ended,
        "stopped": _counts(tally.stopped),
        "faults": {
            "count": tally.fault_count,
            "first": [[number, reason] for number, reason in tally.faults],
        },
        "seats": [_seat(batch, seat) for seat in range(tally.seats)],
        "beginner": _share(share(tally.began_and_won.total(), tally.began.total())),
        "shared_wins": _share(share(tally.shared, tally.ended)),
        "no_winner": _share(share(tally.nobody, tally.ended)),
        "ends": {name: _share(share(count, tally.ended)) for name, count in _sorted(tally.ends)},
        "length": _spread(spread(tally.lengths)),
        "branching": _spread(spread(tally.branching)),
    }


def _seat(batch: Batch, seat: int) -> dict[str, Any]:
    tally = batch.tally
    out: dict[str, Any] = {
        "seat": seat + 1,
        "name": batch.players[seat],
        "bot": batch.settings.bot(seat),
        "wins": _share(share(tally.wins[seat], tally.ended)),
        "alone": tally.alone[seat],
    }
    if seat in tally.scores:
        out["score"] = _spread(spread(tally.scores[seat]))
    return out


def _share(s: Share) -> dict[str, Any]:
    return {
        "count": s.count,
        "of": s.of,
        "value": _round(s.value),
        "low": _round(s.low),
        "high": _round(s.high),
    }


def _spread(s: Spread) -> dict[str, Any]:
    return {
        "mean": _round(s.mean),
        "median": _round(s.median),
        "lower_quartile": _round(s.lower_quartile),
        "upper_quartile": _round(s.upper_quartile),
        "least": s.least,
        "most": s.most,
    }


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)


def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _counts(counts: Counter[str]) -> list[dict[str, Any]]:
    return [{"reason": reason, "count": count} for reason, count in _sorted(counts)]


def to_json(data: dict[str, Any]) -> str:
    """A summary as text."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
