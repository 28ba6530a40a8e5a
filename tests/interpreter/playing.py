"""What the tests of the machine do again and again: compute, run, play at random, look for leaks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.chance import SeededChance
from rulewright.interpreter.link import code_of
from rulewright.interpreter.machine import begin
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.state import State


def state_of(program: ir.Program, seed: int = 0) -> State:
    """The position before anything has happened."""
    code = code_of(program)
    s = State(code, SeededChance(code.streams, seed))
    begin(s)
    return s


def value(e: ir.Expr, program: ir.Program, slots: Sequence[Any] = (), state: State | None = None) -> Any:
    """The value of an expression in the first position of a program."""
    s = state if state is not None else state_of(program)
    return s.code.expressions.value(e)(s, [*slots, *[0] * (24 - len(slots))])


def ids(match: Match) -> list[str]:
    """The ids of everything on offer."""
    decision = match.decision
    assert decision is not None
    return [o.id for o in decision.options]


def do(match: Match, *choices: str | int) -> Match:
    """Make some choices, none of which may be refused."""
    for choice in choices:
        refused = match.choose(choice)
        assert refused is None, f"{choice}: {refused}"
    return match


def play(program: ir.Program, seed: int, choices: int = 10_000, trace: bool = False) -> Match:
    """Play at random to the end, or for so many choices."""
    match = start(program, seed, trace=trace)
    luck = random.Random(seed)
    for _ in range(choices):
        if match.decision is None:
            break
        do(match, luck.randrange(match.decision.count))
    return match


def other_truth(match: Match, viewer: int | None, luck: random.Random) -> Match | None:
    """The same match in another truth that the viewer cannot tell from this one: what they do not know
    is dealt out anew among the places they do not see. None if there is nothing to change."""
    new = match.copy()
    s, code = new.state, new.state.code
    hidden = [p for p in range(len(s.known)) if not _knows(code, s, p, viewer)]
    shuffled = hidden[:]
    luck.shuffle(shuffled)
    if [code.program.pieces[p].design for p in hidden] == [code.program.pieces[p].design for p in shuffled]:
        return None
    spots = {p: (s.place_of[p], s.contents[s.place_of[p]].index(p), s.known[p]) for p in hidden}
    for old, piece in zip(hidden, shuffled, strict=True):
        place, i, known = spots[old]
        s.contents[place][i] = piece
        s.place_of[piece] = place
        s.known[piece] = known
    for number, v in enumerate(code.program.variables):
        for cell in range(v.cells):
            seen = code.variable_mask(s, number, cell)
            if v.hidden or seen == code.everybody or (viewer is not None and seen >> viewer & 1):
                continue
            if v.kind == "number" and v.type == "number":
                s.vars[code.layout.offsets[number] + cell] = luck.randint(v.low, v.high)
            elif v.type == "card or none" and s.vars[code.layout.offsets[number] + cell] in hidden:
                was = s.vars[code.layout.offsets[number] + cell]
                s.vars[code.layout.offsets[number] + cell] = shuffled[hidden.index(was)]
    return new


def _knows(code: Any, s: State, piece: int, viewer: int | None) -> bool:
    players = code.knowers(s, piece)
    return bool(players == code.everybody if viewer is None else players >> viewer & 1)


def shown_to(match: Match, viewer: int | None) -> Any:
    """Everything a viewer gets: the view, and the decision with its options and prompt if it is theirs."""
    decision = match.decision
    mine = decision is not None and decision.player == viewer
    asked = (decision.prompt, decision.options) if mine and decision is not None else None
    return match.view(viewer), asked


def leak(match: Match, viewer: int | None, luck: random.Random) -> str:
    """What a viewer can tell about what they must not know: "" if nothing, else where it shows."""
    other = other_truth(match, viewer, luck)
    if other is None:
        return ""
    if other.state.ask is not None and other.state.ask.player == viewer:
        other.rebase()  # asks anew: what is on offer may not depend on what is hidden
        if other.state.ask is None:
            return "options"
    (view, asked), (other_view, other_asked) = shown_to(match, viewer), shown_to(other, viewer)
    for key in view:
        if view[key] != other_view[key]:
            return f"view: {key}"
    return "" if asked == other_asked else "options"
