"""Saves: a match as JSON data, at any decision, also in the middle of an effect.

Comes in: a match, or data that somebody wrote. Goes out: the data, or the match. A save holds the
position, the control state, where the luck comes from and what has been chosen. What never happens: an
exception for damaged data, or a match that goes on under other rules than it was saved under.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.chance import chance_of
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.link import code_of
from rulewright.interpreter.match import Choice, Match
from rulewright.interpreter.state import state_from_json

SAVE_FORMAT = "rulewright save 1"


def save_of(match: Match) -> dict[str, Any]:
    """A match as JSON data."""
    trace = match.state.trace
    saved: dict[str, Any] = {
        "format": SAVE_FORMAT,
        "game": match.program.game,
        "rules": match.program.rules_hash,
        "options": [list(o) for o in match.program.options],
        "players": len(match.program.players),
        "chance": match.state.chance.saved(),
        "state": match.state.as_json(),
        "choices": [[c.player, c.id, c.index, c.news] for c in match.choices],
        "events": trace.open_events() if trace is not None else [],
    }
    saved["check"] = checksum(saved)
    return saved


def checksum(saved: dict[str, Any]) -> str:
    """A text that fits the rest of a save, and hardly any other."""
    rest = {key: value for key, value in saved.items() if key != "check"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def match_of(program: ir.Program, saved: object, trace: bool = True) -> Match | Refusal:
    """A match again from `save_of`, or why it cannot be: made under other rules, damaged …"""
    if not isinstance(saved, dict) or saved.get("format") != SAVE_FORMAT:
        return Refusal("value", "This is no saved game, or one of another version.")
    if saved.get("rules") != program.rules_hash or saved.get("players") != len(program.players):
        return Refusal(
            "value",
            f"This game was saved under other rules ({saved.get('rules')}); "
            f"the rules now are {program.rules_hash}.",
        )
    if saved.get("check") != checksum(saved):
        return Refusal("value", "The saved game is damaged: it is not what was written.")
    code = code_of(program)
    chance = chance_of(code.streams, saved.get("chance"))
    if chance is None:
        return Refusal("value", "The saved game does not say where its luck comes from.")
    state = state_from_json(code, chance, saved.get("state"))
    if isinstance(state, str):
        return Refusal("value", state)
    choices = _choices(saved.get("choices"))
    events = saved.get("events")
    if choices is None or not isinstance(events, list):
        return Refusal("value", "The list of choices in the saved game is damaged.")
    match = Match(code, state, trace, choices)
    if state.trace is not None:
        state.trace.reopen([[str(x) for x in e] for e in events if isinstance(e, list) and len(e) == 2])
    return _taken_up(match)


def _taken_up(match: Match) -> Match | Refusal:
    """Ask again what was asked when the match was saved. A save that somebody made up, with slots that hold
    what they cannot hold, may stop the machine in any way here."""
    if not match.state.frames:
        return match
    try:
        return match.run_on() or match
    except (TypeError, ValueError, IndexError, KeyError, AttributeError) as error:
        return Refusal("value", f"The saved game is damaged ({type(error).__name__}).")


def _choices(data: object) -> list[Choice] | None:
    if not isinstance(data, list):
        return None
    out: list[Choice] = []
    for item in data:
        match item:
            case [int(player), str(name), int(index), bool(news)]:
                out.append(Choice(player, name, index, news))
            case _:
                return None
    return out
