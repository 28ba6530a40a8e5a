"""The results of a playtest as tables and sentences.

Comes in: the summary as data (`playtest/report.py`). Goes out: rich tables and lines of text. What never
happens: a figure that is not in the data too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from rulewright.cli.screen import plain
from rulewright.dsl.words import JOINT
from rulewright.playtest.consent import USUAL

Data = Mapping[str, Any]
MOST_ENDS = 12


def tables(data: Data) -> list[Table]:
    """The results by seat, then how the games ended."""
    return [seats_table(data), ends_table(data)] if data["ended"] else []


def seats_table(data: Data) -> Table:
    """A row for each seat."""
    scored = any("score" in s for s in data["seats"])
    table = _table("seat", "player", "bot", right=("wins", "share", "95 % sure", *_score_heads(scored)))
    for seat in data["seats"]:
        wins = seat["wins"]
        row = [str(seat["seat"]), plain(seat["name"]), seat["bot"]]
        row += [str(wins["count"]), percent(wins["value"]), interval(wins)]
        if scored:
            score = seat.get("score") or {}
            row += [number(score.get("mean")), number(score.get("median")), _middle(score)]
        table.add_row(*row)
    return table


def _score_heads(scored: bool) -> tuple[str, ...]:
    return ("score: mean", "median", "middle half") if scored else ()


def _middle(score: Data) -> str:
    return f"{number(score.get('lower_quartile'))} – {number(score.get('upper_quartile'))}"


def ends_table(data: Data) -> Table:
    """A row for each end that was reached."""
    table = _table("end", right=("games", "share", "95 % sure"))
    ends = list(data["ends"].items())
    for name, share in ends[:MOST_ENDS]:
        table.add_row(plain(name), str(share["count"]), percent(share["value"]), interval(share))
    for title, key in (("(several winners)", "shared_wins"), ("(no winner)", "no_winner")):
        if data[key]["count"]:
            table.add_row(title, str(data[key]["count"]), percent(data[key]["value"]), interval(data[key]))
    return table


def _table(*left: str, right: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in left:
        table.add_column(heading, overflow="fold")
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def summary_lines(data: Data) -> list[str]:
    """What the tables do not say."""
    lines = [f"{plain(data['title'])}: {data['games']} games, {data['ended']} of them reached an end."]
    if data["ended"]:
        length, branching, first = data["length"], data["branching"], data["beginner"]
        lines.append(
            f"Length: {number(length['mean'])} decisions (median {number(length['median'])}, "
            f"{length['least']} to {length['most']}). "
            f"Options at a decision: {number(branching['mean'])} (median {number(branching['median'])}, "
            f"at most {branching['most']})."
        )
        lines.append(f"Whoever decided first won {percent(first['value'])} ({interval(first)}).")
    policies = {how: data["settings"][how] for how in JOINT}
    if set(policies.values()) != {USUAL}:
        told = ", ".join(f"{how}: {policy}" for how, policy in policies.items())
        lines.append(f"What several choose as one: {told}.")
    lines += [f"{plain(s['reason']).capitalize()}: {s['count']} games." for s in data["stopped"]]
    faults = data["faults"]
    if faults["count"]:
        lines.append(f"A rule failed in {faults['count']} games:")
        seed = data["settings"]["seed"]
        lines += [f"  seed {seed + n}: {plain(reason)}" for n, reason in faults["first"]]
    return lines


def percent(value: float | None) -> str:
    """A share as a percentage."""
    return "–" if value is None else f"{value * 100:.1f} %"


def interval(share: Data) -> str:
    """The interval of a share."""
    if share["low"] is None:
        return "–"
    return f"{share['low'] * 100:.1f} – {share['high'] * 100:.1f}"


def number(value: float | None) -> str:
    """A mean or a median, short."""
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")
