"""Match: one game being played, the face that everything outside the interpreter uses.

Comes in: a program, a seed, then choices. Goes out: decisions, views, results, saves, records, the trace.
What never happens: a choice that is half carried out. A refused choice changes nothing, and after a rule
error the match stands at its last decision again: it is rebuilt from the latest checkpoint by
making the recorded choices again, which costs nothing while all goes well.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.asks import answer
from rulewright.interpreter.chance import Chance, ScriptedChance, Seed, SeededChance
from rulewright.interpreter.decisions import Decision, Option, OptionNames
from rulewright.interpreter.faults import USUAL_BUDGETS, Budgets, Refusal, RuleError
from rulewright.interpreter.fingerprint import fingerprint
from rulewright.interpreter.link import Code, code_of
from rulewright.interpreter.machine import begin, run
from rulewright.interpreter.refusals import explain, over, refusal_of
from rulewright.interpreter.state import State
from rulewright.interpreter.trace import Event, Mark, Trace

EVERY = 16  # choices from one checkpoint to the next


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that was made. `news`: it led to chance, or somebody got to know something."""

    player: int
    id: str
    index: int
    news: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; before that (or if it stopped without an end) `end` is "".

    `scores` has a number for each player, or is empty where the game has no score.
    """

    over: bool
    end: str
    title: str
    winners: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "end": self.end,
            "title": self.title,
            "winners": list(self.winners),
            "scores": dict(self.scores),
        }


class Match:
    """A game in play. Make one with `start` or `load_match`."""

    def __init__(self, code: Code, state: State, trace: bool, choices: list[Choice] | None = None) -> None:
        self.program = code.program
        self.state = state
        self.fault: Refusal | None = None
        self._code = code
        self._names: OptionNames | None = None
        self._decision: Decision | None = None
        self._choices: list[Choice] = choices if choices is not None else []
        self._checkpoints: list[tuple[int, State, Mark | None]] = []
        if trace:
            state.trace = Trace(code)

    # -------------------------------------------------------------- reading

    @property
    def names(self) -> OptionNames:
        """The namer of this program's options."""
        if self._names is None:
            self._names = _names_of(self._code)
        return self._names

    @property
    def decision(self) -> Decision | None:
        """Who must choose, and what from; None when the game is over (or stopped by `fault`)."""
        if self.state.ask is None:
            return None
        if self._decision is None:
            self._decision = Decision(self.names, self.state)
        return self._decision

    @property
    def over(self) -> bool:
        """Whether nobody has to choose any more."""
        return self.state.ask is None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What has been chosen so far."""
        return tuple(self._choices)

    @property
    def seed(self) -> Seed | None:
        """The seed, or None if chance is scripted."""
        return getattr(self.state.chance, "seed", None)

    @property
    def result(self) -> Result:
        """How the game ended, or how it stands: the scores are those of now. Raises nothing: a score that
        cannot be computed is left out."""
        s = self.state
        number = s.vars[self._code.layout.offsets[ir.ENDED]]
        info = self.program.ends[number] if number >= 0 else None
        names = tuple(self.program.players[w] for w in s.winners or ())
        return Result(
            self.over,
            info.name if info else "",
            (info.title or info.name) if info else "",
            names,
            self._scores(),
        )

    def _scores(self) -> tuple[tuple[str, int], ...]:
        if self.program.score < 0:
            return ()
        s, score = self.state, self.program.score
        s.fuel = self._code.budgets.steps
        try:
            frames = [self._code.frame(score, [p])[2] for p in range(len(self.program.players))]
            return tuple(
                (name, int(self._code.pure[score](s, loc)))
                for name, loc in zip(self.program.players, frames, strict=True)
            )
        except RuleError:
            return ()

    def view(self, player: int | None) -> dict[str, Any]:
        """What a player may know, as plain data; None for an onlooker."""
        from rulewright.interpreter.view import view

        return view(self, player)

    def state_hash(self) -> str:
        """64 bits as hex, equal just for equal positions, the same on every machine."""
        decision = self.decision
        return fingerprint(self.state, list(decision.ids) if decision else [])

    @property
    def trace(self) -> Event | None:
        """Everything that happened, as a tree; None if no trace is kept."""
        return self.state.trace.tree() if self.state.trace is not None else None

    def trace_for(self, player: int | None) -> Event | None:
        """The trace as a player (None: an onlooker) may know it."""
        return (
            self.state.trace.tree(-1 if player is None else player) if self.state.trace is not None else None
        )

    @property
    def record(self) -> dict[str, Any]:
        """The record of the game: see `record.py`."""
        from rulewright.interpreter.record import record_of

        return record_of(self)

    def broken_invariants(self) -> list[str]:
        """The names of the invariants (`always:`) that do not hold now."""
        s = self.state
        out: list[str] = []
        for name, function in self.program.invariants:
            s.fuel = self._code.budgets.steps
            try:
                held = self._code.pure[function](s, self._code.frame(function, [])[2])
            except RuleError:
                held = 0
            if not held:
                out.append(name)
        return out

    # ------------------------------------------------------------- choosing

    def choose(self, option: str | Option | int) -> Refusal | None:
        """Choose an option by its id, its number or itself, and play on to the next decision.

        None if it was done; else the reason, and nothing has changed. After a rule error too the match stands
        at the same decision as before.
        """
        ask = self.state.ask
        if ask is None:
            return self.fault or over()
        decision = self.decision
        assert decision is not None
        try:
            index = self._index(decision, option)
            if index < 0:
                return self.explain_refusal(option.id if isinstance(option, Option) else str(option))
            name = decision.id_of(index)
            self._checkpoint()
            news = self.state.news
            self._apply(index)
        except RuleError as error:
            reason = refusal_of(error)
            self._rebuild(len(self._choices))
            return reason
        self._choices.append(Choice(ask.player, name, index, self.state.news != news))
        return None

    def _index(self, decision: Decision, option: str | Option | int) -> int:
        if isinstance(option, Option):
            same = option.index < decision.count and decision.id_of(option.index) == option.id
            return option.index if same else decision.find(option.id)
        if isinstance(option, str):
            return decision.find(option)
        return option if 0 <= option < decision.count else -1

    def explain_refusal(self, text: str) -> Refusal:
        """Why an option that is not offered cannot be chosen. An option that is offered is "not offered"
        with a reason that says so: ask for the decision first."""
        ask = self.state.ask
        if ask is None:
            return self.fault or over()
        return explain(self.names, self.state, ask, text)

    def _apply(self, index: int) -> None:
        s = self.state
        if s.trace is not None:
            self._note_choice(index)
        self._decision = None
        answer(s, index)
        run(s)

    def _note_choice(self, index: int) -> None:
        s, ask = self.state, self.state.ask
        assert s.trace is not None and ask is not None
        words = (f"{self.program.players[ask.player]}: ", *self.names.words(s, ask, index))
        players = self.names.seen_by(s, ask, index)
        s.trace.choice(self.names.name_of(ask), words, ask.node.span, players, ask.form == "action")

    # ----------------------------------------------------------- going back

    def _checkpoint(self) -> None:
        done = len(self._choices)
        if not self._checkpoints or done - self._checkpoints[-1][0] >= EVERY:
            trace = self.state.trace
            self._checkpoints.append((done, fork(self.state), trace.mark() if trace is not None else None))

    def _rebuild(self, count: int) -> None:
        """Stand where the match stood after `count` choices (not before the first checkpoint)."""
        while self._checkpoints[-1][0] > count:
            self._checkpoints.pop()
        done, state, mark = self._checkpoints[-1]
        trace = self.state.trace
        self.state = fork(state)
        self._decision = None
        if trace is not None and mark is not None:
            trace.back(mark)
            self.state.trace = trace
        for choice in self._choices[done:count]:
            self._apply(choice.index)
        del self._choices[count:]

    def undo(
        self, player: int | None = None, force: bool = False, humans: Collection[int] | None = None
    ) -> bool:
        """Take back the last choice of a player (None: of whoever chose last) and all that followed from it.

        False, and nothing changes, if something new came to light since (chance, or a piece that somebody
        got to know), or if one of the `humans` (None: everybody) has chosen since; `force` does it all the
        same.
        Also False if there is nothing to take back (a loaded match goes back to where it was loaded).
        """
        last = len(self._choices) - 1
        if player is not None:
            while last >= 0 and self._choices[last].player != player:
                last -= 1
        if last < 0 or not self._checkpoints or self._checkpoints[0][0] > last:
            return False
        since = self._choices[last:]
        others = {c.player for c in since if c.player != since[0].player}
        if not force and (any(c.news for c in since) or any(humans is None or p in humans for p in others)):
            return False
        self._rebuild(last)
        return True

    def rebase(self) -> Refusal | None:
        """Make the position as it is now the beginning: after `state` has been changed from outside, as
        scenarios do. The open question is asked anew. A rule error is given back and kept as `fault`."""
        self._choices.clear()
        self._checkpoints.clear()
        return self.run_on()

    def copy(self, trace: bool = False, seed: Seed | None = None) -> Match:
        """The same match again, without its past (and without trace unless asked for).

        With a `seed` its luck from now on is another one: a search must not know what chance will bring.
        """
        new = object.__new__(Match)
        new.program, new._code, new._names = self.program, self._code, self._names
        new.state = fork(self.state)
        new.fault = self.fault
        new._decision = None
        new._choices = list(self._choices)
        new._checkpoints = []
        if trace:
            new.state.trace = Trace(self._code)
            if self.state.trace is not None:
                new.state.trace.reopen(self.state.trace.open_events())
        if seed is not None:
            new.state.chance = SeededChance(self._code.streams, seed)
            new.state.counters = [0] * len(new.state.counters)
        return new

    def aside(self) -> Match:
        """The open arrangement alone, to try it out: a copy that is over when all has been laid, before
        anything else happens. Raises ValueError where nothing is being laid out."""
        if self.state.ask is None or self.state.ask.laid is None:
            raise ValueError("Nothing is being laid out.")
        new = self.copy(trace=True)
        del new.state.frames[:-1]
        return new

    # --------------------------------------------------------------- saving

    def save(self) -> dict[str, Any]:
        """The match as JSON data, also in the middle of an effect; `load_match` makes it a match again."""
        from rulewright.interpreter.saves import save_of

        return save_of(self)

    def run_on(self) -> Refusal | None:
        """Run the machine to the next decision, from outside a choice; a rule error is kept as `fault`."""
        self._decision = None
        self.fault = None
        try:
            run(self.state)
        except RuleError as error:
            self.state.frames.clear()
            self.state.ask = None
            self.fault = refusal_of(error)
        return self.fault


def fork(state: State) -> State:
    """A copy of a state with its open ask."""
    new = state.copy()
    if state.ask is not None:
        new.ask = replace(state.ask, locals=new.frames[-1][2])
    return new


def start(
    program: ir.Program,
    seed: Seed = 0,
    chance: Chance | None = None,
    trace: bool = True,
    budgets: Budgets = USUAL_BUDGETS,
) -> Match:
    """Begin a game and play to its first decision. `chance` takes the place of the seed.

    If the set-up meets a rule error the match is over at once and `fault` says why.
    """
    code = code_of(program, budgets)
    state = State(code, chance if chance is not None else SeededChance(code.streams, seed))
    match = Match(code, state, trace)
    begin(state)
    match.run_on()
    return match


def load_match(program: ir.Program, saved: object, trace: bool = True) -> Match | Refusal:
    """A match again from what `Match.save` gave, or why it cannot be. The trace begins anew."""
    from rulewright.interpreter.saves import match_of

    return match_of(program, saved, trace)


_NAMES: dict[int, tuple[Code, OptionNames]] = {}


def _names_of(code: Code) -> OptionNames:
    found = _NAMES.get(id(code))
    if found is None or found[0] is not code:
        if len(_NAMES) > 64:
            _NAMES.clear()
        found = _NAMES[id(code)] = (code, OptionNames(code))
    return found[1]


__all__ = ["Chance", "Choice", "Match", "Result", "ScriptedChance", "SeededChance", "load_match", "start"]
