"""Play the steps of a scenario.

Comes in: a match at its first decision, and the lists under `when` and `then`. Goes out: the match after
the last step. Each step is a mapping: `PLAYER: WHAT` chooses, `PLAYER cannot: WHAT` (with `because:
SENTENCE`) must be refused, `run to: PHASE` goes on while there is only one thing to do, `then: [...]`
looks, `PLAYER arranges: {PLACE: what}` lays things out; or the words `all pass`, which close a window.
`A, B: WHAT` is the same choice of several, one after the other, `all: WHAT` that of everybody who chooses
together here. What never happens: a choice that nobody wrote down, except under `run to`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rulewright.dsl.problems import Span
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.asks import Ask
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.match import Match
from rulewright.interpreter.pictures import Unfit, wrong
from rulewright.playtest.given import Table
from rulewright.playtest.scenarios_read import failed
from rulewright.playtest.steps_arrange import Reason, lay_out, read_goals
from rulewright.playtest.steps_match import fitting, in_ids, offered, unknown_word

MOST = 1000  # forced choices under one `run to`
ARRANGES, CANNOT = " arranges", (" cannot", " cannot arrange")
ALL, ALL_PASS = "all", "all pass"


class _Watched(list[Any]):
    """The values of a state that write down who gets a turn."""

    def __init__(self, values: list[Any], actor: int, turns: list[int]) -> None:
        super().__init__(values)
        self.actor, self.turns = actor, turns

    def __setitem__(self, key: Any, value: Any) -> None:
        if key == self.actor:
            self.turns.append(value)
        super().__setitem__(key, value)


@dataclass(slots=True)
class Play:
    """A scenario that is being played. `turns` are those that have begun since the last step."""

    match: Match
    table: Table
    phases: tuple[str, ...]
    turns: list[int] = field(default_factory=list)
    refused_by: list[Span] = field(default_factory=list)  # the conditions that refused something
    steps: int = 0

    def watch(self) -> None:
        """Note from now on who gets a turn."""
        watch(self.match, self.turns)

    def player(self, name: str, at: Scalar) -> int:
        """The number of a player. Unfit if nobody is called so."""
        players = self.match.program.players
        if name not in players:
            near = closest(name, players)
            cure = f"Did you mean `{near}`?" if near else f"Players: {', '.join(players)}."
            raise wrong(at.span, f"Nobody is called `{name}` here.", cure)
        return players.index(name)


def watch(match: Match, turns: list[int]) -> None:
    """Write every turn that begins into a list."""
    actor = match.state.code.layout.offsets[ir.ACTOR]
    match.state.vars = _Watched(list(match.state.vars), actor, turns)


Look = Callable[[Tree], None]


def play_steps(play: Play, steps: tuple[Tree, ...], look: Look) -> None:
    """Play the list under `when`; `look` reads a line of a `then`. Unfit at the first that does not hold."""
    for step in steps:
        if isinstance(step, Scalar) and " ".join(step.text.split()) == ALL_PASS:
            _all_pass(play, step.span)
            play.steps += 1
            continue
        if not isinstance(step, Mapping) or not step.entries:
            raise wrong(
                step.span, "A step says who does what.", "Write `PLAYER: ACTION …`, or `then: [...]`."
            )
        _step(play, step, look)
        play.steps += 1


def _step(play: Play, step: Mapping, look: Look) -> None:
    entry = step.entries[0]
    key = entry.key.text
    others = [e for e in step.entries[1:] if not (key.endswith(CANNOT) and e.key.text == "because")]
    if others:
        text = f"`{others[0].key.text}` does not belong to this step."
        raise wrong(others[0].key.span, text, "Begin each step with a `-` of its own.")
    if key == "then":
        for line in entry.value.items if isinstance(entry.value, Sequence) else ():
            look(line)
    elif key == "run to":
        _run_to(play, said(entry), entry)
    elif key.endswith(CANNOT):
        cannot(play, step)
    elif key.endswith(ARRANGES):
        _arranges(play, entry)
    elif key == ALL:
        _all(play, entry)
    else:
        for name in key.split(","):
            _choose(play, name.strip(), entry)


def said(entry: Entry) -> str:
    """The words behind a key. Unfit if there are none."""
    if not isinstance(entry.value, Scalar) or not entry.value.text.strip():
        raise wrong(entry.key.span, f"Nothing stands after `{entry.key.text}:`.", "Say what is done.")
    return entry.value.text.strip()


def _choose(play: Play, name: str, entry: Entry) -> None:
    match = play.match
    player = play.player(name, entry.key)
    text, span = said(entry), entry.value.span if entry.value is not None else entry.key.span
    stopped(match, span)
    decision = match.decision
    if decision is None:
        raise failed(span, f"The game is over ({match.result.end}); `{text}` cannot be done.")
    if decision.player != player:
        raise failed(entry.key.span, f"{name} does not choose here.", offered(decision))
    found = fitting(match, decision, play.table, text)
    if len(found) > 1:
        ids = ", ".join(o.id for o in found)
        raise wrong(
            span, f"`{text}` can mean several things: {ids}.", "Name the space, or the number behind #."
        )
    if not found:
        refusal = match.explain_refusal(in_ids(play.table, text))
        raise failed(span, f"`{text}` cannot be done: {refusal.reason}", offered(decision))
    play.turns.clear()
    problem = match.choose(found[0].index)
    if problem is not None:
        raise fault(problem, span)
    if not isinstance(match.state.vars, _Watched):
        play.watch()


def _all(play: Play, entry: Entry) -> None:
    """Everybody who still chooses here, together with the others, chooses the same."""
    match = play.match
    stopped(match, entry.key.span)
    decision = match.decision
    if decision is None or not decision.together:
        raise failed(entry.key.span, "Nobody chooses together with others here.", offered(decision))
    left, first = list(decision.together), match.state.ask
    while decision is not None and decision.player_name in left and _same_question(first, match.state.ask):
        del left[: left.index(decision.player_name) + 1]
        _choose(play, decision.player_name, entry)
        decision = match.decision


def _same_question(first: Ask | None, now: Ask | None) -> bool:
    """Whether two asks are parts of one choice together."""
    return first is not None and now is not None and first.node is now.node and first.locals is now.locals


def _all_pass(play: Play, span: Span) -> None:
    """Nobody reacts any more: the open window closes."""
    match = play.match
    stopped(match, span)
    decision, ask = match.decision, match.state.ask
    if decision is None or ask is None or not decision.window:
        raise failed(span, "No window is open in which somebody could pass.", offered(decision))
    play.turns.clear()
    opened = ask.locals  # the frame of the window: another opening has another one
    while ask is not None and ask.form == "action" and ask.locals is opened:
        problem = match.choose("pass")
        if problem is not None:
            raise fault(problem, span)
        ask = match.state.ask
    if not isinstance(match.state.vars, _Watched):
        play.watch()


def fault(refusal: Refusal, span: Span) -> Unfit:
    """A rule, or the luck of the scenario, that stopped the game."""
    code = "E603" if refusal.form == "chance" else "E602"
    return Unfit(code, span, f"The game stops here: {refusal.reason}")


def stopped(match: Match, span: Span) -> None:
    """Unfit if the game has stopped without an end."""
    if match.fault is not None:
        raise fault(match.fault, span)


def _arranges(play: Play, entry: Entry) -> None:
    """Answer all the questions of an arrangement."""
    name, match = entry.key.text.removesuffix(ARRANGES), play.match
    player, goals = play.player(name, entry.key), read_goals(entry, play.table)
    stopped(match, entry.key.span)
    refused = _no_arrangement(match, player, name)
    if refused:
        raise failed(entry.key.span, refused, offered(match.decision))
    found = lay_out(match, play.table, goals, entry.key.span)
    if isinstance(found, Reason):
        raise failed(found.span, f"{name} cannot arrange this: {found.text}")
    play.turns.clear()
    for option in found:
        problem = match.choose(option)
        if problem is not None:
            raise fault(problem, entry.key.span)
    if not isinstance(match.state.vars, _Watched):
        play.watch()


def _no_arrangement(match: Match, player: int, name: str) -> str:
    """Why a player has nothing to lay out now, or ""."""
    decision = match.decision
    if decision is None:
        return f"The game is over ({match.result.end}); nothing can be laid out."
    if decision.player != player:
        return f"{name} does not choose here."
    return "" if decision.kind == "lay" else "Nothing is laid out here."


def _cannot_arrange(play: Play, step: Mapping) -> None:
    """Things cannot be laid out so, for the reason that is given."""
    entry, match = step.entries[0], play.match
    name = entry.key.text.removesuffix(CANNOT[1])
    player, goals = play.player(name, entry.key), read_goals(entry, play.table)
    stopped(match, entry.key.span)
    reason = _no_arrangement(match, player, name)
    if not reason:
        found = lay_out(match, play.table, goals, entry.key.span)
        if not isinstance(found, Reason):
            raise failed(entry.key.span, f"{name} can arrange that.", "Nothing forbids it here.")
        reason = found.text
    _is_because(step, reason)


def cannot(play: Play, step: Mapping) -> None:
    """Something must be refused, for the reason that is given."""
    entry, match = step.entries[0], play.match
    if entry.key.text.endswith(CANNOT[1]):
        _cannot_arrange(play, step)
        return
    name = entry.key.text.removesuffix(" cannot")
    player, text = play.player(name, entry.key), said(entry)
    span = entry.value.span if entry.value is not None else entry.key.span
    stopped(match, span)
    decision = match.decision
    choice = decision is not None and decision.kind != "action" and decision.player == player
    strange = unknown_word(match.program, play.table, text, not choice)
    if strange:
        cure = "Correct the word; a slip would prove nothing."
        raise wrong(span, f"`{strange}` means nothing in this game.", cure)
    if decision is None:
        reason = "The game is over."
    elif decision.player != player:
        reason = f"It is {decision.player_name} who chooses now."
    else:
        if fitting(match, decision, play.table, text):
            raise failed(span, f"{name} can do that: `{text}`.", "Nothing forbids it here.")
        refusal = match.explain_refusal(in_ids(play.table, text))
        reason = refusal.reason
        play.refused_by.append(refusal.span)
    _is_because(step, reason)


def _is_because(step: Mapping, reason: str) -> None:
    """Whether the reason is the one that is given, if any is."""
    because = next((e for e in step.entries[1:] if e.key.text == "because"), None)
    if because is not None and said(because) != reason:
        at = because.value.span if because.value is not None else because.key.span
        raise failed(at, f"The reason is another one: {reason}")


def _run_to(play: Play, phase: str, entry: Entry) -> None:
    """Go on, taking what is the only option, until somebody acts in a phase."""
    match, span = play.match, entry.key.span
    if phase not in play.phases:
        near = closest(phase, play.phases)
        cure = f"Did you mean `{near}`?" if near else f"Phases: {', '.join(play.phases)}."
        raise wrong(span, f"There is no phase `{phase}`.", cure)
    stopped(match, span)
    for _ in range(MOST):
        decision = match.decision
        if decision is None:
            raise failed(span, f"The game ends ({match.result.end}) before the phase `{phase}`.")
        if phase in (path.rpartition(".")[2] for path in match.state.phases):
            return
        if decision.count != 1:
            raise failed(span, f"On the way to `{phase}` there is something to choose.", offered(decision))
        problem = match.choose(0)
        if problem is not None:
            raise fault(problem, span)
    raise failed(span, f"The phase `{phase}` is not reached.")
