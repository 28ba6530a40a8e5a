"""Record: a whole game as one JSON file that replays exactly, on any machine.

Comes in: a match, or a record that somebody wrote. Goes out: the record, or the match it describes. A
record holds format, game, variants, options, players, seed, the hash of the rules, the choices as [player,
id], the result.
What never happens: an exception for a bad record, or a game that is replayed under other rules than its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.chance import chance_of
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.link import code_of
from rulewright.interpreter.match import Match, start

if TYPE_CHECKING:
    from collections.abc import Sequence

RECORD_FORMAT = "rulewright record 1"


def record_of(match: Match) -> dict[str, Any]:
    """The record of a match so far, as JSON data. Scripted chance is written as "script" beside the
    seed, which is None then."""
    program = match.program
    saved = match.state.chance.saved()
    record: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "game": program.game,
        "variants": list(program.variants),
        "options": dict(program.options),
        "players": list(program.players),
        "seed": saved.get("seed"),
        "rules": program.rules_hash,
        "choices": [[program.players[c.player], c.id] for c in match.choices],
        "result": match.result.as_json() if match.over else None,
    }
    if "script" in saved:
        record["script"] = saved["script"]
    return record


def replay(program: ir.Program, record: object, trace: bool = True) -> Match | Refusal:
    """The match that a record describes, or why it is none of this program's games.

    Every choice is made again by the same player; the result, where the record has one, must be the same.
    """
    if not isinstance(record, dict) or record.get("format") != RECORD_FORMAT:
        return Refusal("value", "This is no record of a game, or one of another version.")
    if record.get("game") != program.game:
        return Refusal("value", f"This is a record of `{record.get('game')}`, not of `{program.game}`.")
    if record.get("rules") != program.rules_hash:
        return Refusal(
            "value",
            f"This game was played under other rules ({record.get('rules')}); "
            f"the rules now are {program.rules_hash}.",
        )
    if record.get("players") != list(program.players):
        return Refusal("value", "This game was played by other players than the rules are prepared for.")
    chance = chance_of(
        code_of(program).streams, record if record.get("script") is None else {"script": record["script"]}
    )
    if chance is None:
        return Refusal("value", "The record has no seed.")
    choices = record.get("choices")
    if not isinstance(choices, list):
        return Refusal("value", "The record has no list of choices.")
    match = start(program, chance=chance, trace=trace)
    if match.fault is not None:
        return match.fault
    return _play(match, choices) or _compare(match, record.get("result")) or match


def _play(match: Match, choices: Sequence[object]) -> Refusal | None:
    for number, choice in enumerate(choices, 1):
        match choice:
            case [str(player), str(option)]:
                pass
            case _:
                return Refusal("value", f"Choice {number} of the record is damaged.")
        decision = match.decision
        if decision is None:
            return Refusal("over", f"The record goes on with choice {number}, but the game was over before.")
        if decision.player_name != player:
            return Refusal("value", f"Choice {number} is {decision.player_name}'s, not {player}'s.")
        if all(o.id != option for o in decision.options):
            reason = match.explain_refusal(option)
            return Refusal(
                reason.form, f"Choice {number}, `{option}`: {reason.reason}", reason.span, reason.rule
            )
        refused = match.choose(option)
        if refused is not None:
            return Refusal(
                refused.form, f"Choice {number}, `{option}`: {refused.reason}", refused.span, refused.rule
            )
    return None


def _compare(match: Match, result: object) -> Refusal | None:
    if result is None:
        return None
    if not match.over:
        return Refusal("value", "The record has a result, but the game is not over after its last choice.")
    if result != match.result.as_json():
        return Refusal("value", "The record has another result than the game that its choices make.")
    return None
