"""Toy games: a few lines of rules become a match, so that each test shows the sentence it proves.

Comes in: the sections of a game as text, without the head that every game needs. Goes out: a match at its
first decision, and helpers that read it. What never happens: a toy whose program does not verify.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.chance import Chance, ScriptedChance
from rulewright.interpreter.match import Match, load_match
from rulewright.interpreter.trace import Event, render
from rulewright.interpreter.verify import verify

Script = Sequence[str] | Mapping[str, Sequence[Any]]


@cache
def _game(text: str) -> PlayableGame | tuple[Any, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "toy.yaml"
        path.write_text(text, encoding="utf-8")
        return load(str(path))


def whole(rules: str, players: str) -> str:
    """A rule file with the head that every game needs."""
    body = dedent(rules).strip("\n") + "\n"
    head = "" if body.startswith("game:") else f"game: Toy\nlanguage: 1\nplayers: {players}\n"
    return head + body


def problems(rules: str, players: str = "[x, o]") -> list[str]:
    """The codes of all problems of a toy, warnings too."""
    game = _game(whole(rules, players))
    found = game.loaded.problems if isinstance(game, PlayableGame) else game
    return [p.code for p in found]


def toy(
    rules: str,
    players: str = "[x, o]",
    count: int | None = None,
    script: Script | None = None,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Match:
    """A match of a toy game, played to its first decision."""
    game = _game(whole(rules, players))
    assert isinstance(game, PlayableGame), "\n".join(f"{p.code} {p.span.line}: {p.text}" for p in game)
    chance: Chance | None = ScriptedChance(game_streams(game, count, options), script) if script else None
    program = game.program(count, options, seed)
    assert not isinstance(program, tuple), "\n".join(f"{p.code} {p.text}" for p in program)
    assert not (faults := verify(program)), "\n".join(map(str, faults))
    match = game.start(count, seed, options, chance)
    assert isinstance(match, Match)
    return match


def game_streams(game: PlayableGame, count: int | None, options: dict[str, Any] | None) -> list[str]:
    """The names of the sources of chance of a game."""
    program = game.program(count, options)
    assert not isinstance(program, tuple)
    return [s.name for s in program.streams]


def ids(match: Match) -> list[str]:
    """The ids of everything on offer; nothing when the match is over."""
    return [o.id for o in match.decision.options] if match.decision is not None else []


def who(match: Match) -> str:
    """Who must choose, or "" if nobody."""
    return match.decision.player_name if match.decision is not None else ""


def do(match: Match, *choices: str) -> Match:
    """Make choices, none of which may be refused."""
    for choice in choices:
        refused = match.choose(choice)
        assert refused is None, f"{choice}: {refused}; on offer: {ids(match)}"
    return match


def state(match: Match, name: str, of: str | None = None) -> Any:
    """The value of a state, as an all-seeing onlooker of a game without secrets has it."""
    found = match.view(None)["state"][name]
    return found if of is None else found[of]


def pieces(match: Match, zone: str, viewer: int | None = None) -> list[Any]:
    """The codes of what lies in a zone, None for what the viewer does not know."""
    return [p and p["code"] for p in match.view(viewer)["zones"][zone]["pieces"]]


def grid(match: Match, board: str = "grid") -> list[str]:
    """A board as rows of words: the owner, or else the code, of each top piece; `.` where nothing lies."""
    rows = match.view(None)["boards"][board]["rows"]
    return [" ".join(_mark(cell) for cell in row) for row in rows]


def _mark(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "."
    top = cell["top"]
    return "?" if top is None else str(top["owner"] or top["code"])


def events(match: Match, *kinds: str) -> list[str]:
    """The names of what happened, in order, of some kinds (all when none is named)."""
    found: list[str] = []

    def walk(event: Event) -> None:
        if event.kind in kinds or not kinds:
            found.append(event.name)
        for child in event.children:
            walk(child)

    assert match.trace is not None
    walk(match.trace)
    return found


def story(match: Match) -> str:
    """The whole trace as text."""
    assert match.trace is not None
    return "\n".join(render(match.trace))


def same_to_the_end(match: Match, steps: int = 200) -> None:
    """A saved and a copied match go on exactly as the match itself does, from this choice on."""
    saved = load_match(match.program, match.save())
    assert isinstance(saved, Match)
    others = [saved, match.copy(), match.copy(trace=True)]
    for n in range(steps):
        assert {m.state_hash() for m in others} == {match.state_hash()}
        if match.decision is None:
            break
        options = ids(match)
        assert all(ids(m) == options for m in others)
        choice = options[(n * 7 + 3) % len(options)]
        do(match, choice)
        for m in others:
            do(m, choice)
    assert len({m.result for m in [match, *others]}) == 1


def true_of(setup: str, conditions: Mapping[str, bool], **more: Any) -> None:
    """Whether each condition holds, or does not hold, in a position; `setup` are the sections of the toy."""
    lines = [f"  c{i}: >\n    {c}" for i, c in enumerate(conditions)]
    rules = dedent(setup).strip("\n") + "\nalways:\n" + "\n".join(lines) + "\n"
    match = toy(rules, **more)
    assert match.fault is None, match.fault
    broken = set(match.broken_invariants())
    wrong = {c: want for i, (c, want) in enumerate(conditions.items()) if (f"c{i}" not in broken) != want}
    assert not wrong, f"should have been as said, and was not: {wrong}"


def log(match: Match) -> list[int]:
    """What a toy has written into the trace with its event `log(number k)`, in order."""
    found: list[int] = []

    def walk(event: Event) -> None:
        if event.kind == "event" and event.name == "log":
            found.append(int(dict(event.arguments)["k"]))
        for child in event.children:
            walk(child)

    assert match.trace is not None
    walk(match.trace)
    return found
