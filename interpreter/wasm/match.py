"""Match: a game in play on the fast machine, with the face of any other match.

Comes in: a program, a seed, choices. Goes out: all that `interpreter.match.Match` gives: decisions, views,
results, saves, records, undo. What never happens: a different answer than the reference machine's. The
module carries the match on; a position is read from its memory only when somebody looks at more than whether,
whom and how many options there are. What the module gives up, and everything that needs the past (records,
saves, taking back, ids of former choices), the reference machine makes up for by the same choices.

Matches of one program on one thread share a module: the one that is played stands there, the others wait as
positions of the reference machine.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.chance import Seed, SeededChance
from rulewright.interpreter.decisions import Decision, Option
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.match import Choice, Match, fork
from rulewright.interpreter.match import start as start_reference
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.host import Trapped
from rulewright.interpreter.wasm.machine import Fast, Runner, TooLarge, fast_of


class FastMatch(Match):
    """A match on the fast machine. Made by `start` or `fast_match`; one thread uses it at a time."""

    def __init__(self, match: Match, stand: _Stand) -> None:
        self.program = match.program
        self._code, self._names = match._code, match._names
        self._stand = stand
        self._behind = match  # the reference machine's match, behind by the choices that are `ahead`
        self._ahead: list[int] = []
        self._over = match.over
        self._read: State | None = None  # the position, if it was read since the last choice
        self._decision: Decision | None = None

    # ------------------------------------------------------- the position, the past

    @property
    def state(self) -> State:  # type: ignore[override]
        """The position, read from the module if need be."""
        if not self._ahead:
            return self._behind.state
        if self._read is None:
            self._read = self._stand.read(self)
        return self._read

    @property
    def fault(self) -> Refusal | None:  # type: ignore[override]
        """The error of a rule that stopped the match at its beginning."""
        return self._behind.fault

    @property
    def _choices(self) -> list[Choice]:  # type: ignore[override]
        return self._settled()._choices

    @property
    def over(self) -> bool:
        """Whether nobody has to choose any more."""
        return self._over

    def _settled(self) -> Match:
        """The same match on the reference machine, with its past."""
        for index in self._ahead:
            refused = self._behind.choose(index)
            assert refused is None, refused
        self._ahead.clear()
        self._read = None
        self._decision = None
        return self._behind

    # ------------------------------------------------------------------- choosing

    def choose(self, option: str | Option | int) -> Refusal | None:
        """Choose an option by its id, its number or itself, and play on: see `Match.choose`."""
        if self._over:
            return self._settled().choose(option)
        if isinstance(option, int):
            index = option
        else:
            decision = self.decision
            assert decision is not None
            index = self._index(decision, option)
        if index < 0:
            return super().choose(option)  # which says why
        asked = self._stand.choose(self, index)
        if asked is None:
            return self._on_the_reference_machine(index)
        if asked < 0:
            return super().choose(option)  # which says why
        self._ahead.append(index)
        self._read, self._decision, self._over = None, None, not asked
        return None

    def _on_the_reference_machine(self, index: int) -> Refusal | None:
        behind = self._settled()
        refused = behind.choose(index)
        self._over = behind.over
        return refused

    def undo(
        self, player: int | None = None, force: bool = False, humans: Collection[int] | None = None
    ) -> bool:
        """Take back a choice: see `Match.undo`."""
        done = self._settled().undo(player, force, humans)
        self._moved()
        return done

    def rebase(self) -> Refusal | None:
        """Make the position as it is now the beginning: see `Match.rebase`. Only a position that was read
        when nothing was ahead can have been changed from outside."""
        return self._again(self._settled().rebase())

    def run_on(self) -> Refusal | None:
        """Run to the next decision, from outside a choice."""
        return self._again(self._settled().run_on())

    def _again(self, refused: Refusal | None) -> Refusal | None:
        self._moved()
        return refused

    def _moved(self) -> None:
        """The match stands elsewhere than in the module."""
        self._stand.leave(self)
        self._over = self._behind.over
        self._decision = None

    # --------------------------------------------------------------------- copies

    def copy(self, trace: bool = False, seed: Seed | None = None) -> Match:
        """The same match again: see `Match.copy`. With a trace it goes on on the reference machine."""
        if trace or seed is not None:
            other = self._settled().copy(trace, seed)
            return other if trace else FastMatch(other, self._stand)
        new = FastMatch(self._behind.copy(), self._stand)
        new._ahead = list(self._ahead)
        new._read = fork(self.state) if self._ahead else None
        new._over = self._over
        return new

    def aside(self) -> Match:
        """The open arrangement alone: see `Match.aside`."""
        return self._settled().aside()

    def save(self) -> dict[str, Any]:
        """The match as JSON data."""
        return self._settled().save()

    @property
    def record(self) -> dict[str, Any]:
        """The record of the game."""
        return self._settled().record


class _Stand:
    """A module of one thread, and which of its matches stands there just now."""

    def __init__(self, fast: Fast) -> None:
        self.runner: Runner = fast.runner()
        self._holder: weakref.ref[FastMatch] | None = None

    def _held_by(self, match: FastMatch) -> bool:
        return self._holder is not None and self._holder() is match

    def leave(self, match: FastMatch) -> None:
        """The match stands here no more."""
        if self._held_by(match):
            self._holder = None

    def read(self, match: FastMatch) -> State:
        """The position of the match that stands here, or that is over."""
        assert self._held_by(match), "a match that waits elsewhere was read when it left"
        s = self.runner.reader.state(match._behind.state.chance)
        s.ask = None if match.over else self.runner.ask(s)
        return s

    def choose(self, match: FastMatch, index: int) -> int | None:
        """Answer the open question: 1 if there is another one, 0 if not, -1 if that is no option's number;
        None if the module cannot say."""
        try:
            if not self._held_by(match):
                self._take_up(match)
            return self.runner.choose(index)
        except (Trapped, TooLarge):
            self._holder = None
            return None

    def _take_up(self, match: FastMatch) -> None:
        """Let a match stand here. Whatever stood here is read before it goes."""
        before = self._holder() if self._holder is not None else None
        if before is not None and before._ahead:
            before.state  # noqa: B018  # reads it
        self._holder = None
        self.runner.load(match.state)
        self.runner.instance.call("set mode", 0)
        if not self.runner.instance.call("resume"):
            raise Trapped("nobody is asked")
        self._holder = weakref.ref(match)


_STANDS = threading.local()


def fast_match(match: Match) -> FastMatch:
    """A match of the reference machine, without its trace, on the fast one. Raises TooLarge where the
    program cannot be run there, or where somebody wrote down the luck."""
    if not isinstance(match.state.chance, SeededChance):
        raise TooLarge("luck that somebody wrote down is the reference machine's")
    fast = fast_of(match.program)
    stands: dict[int, _Stand] = _STANDS.__dict__.setdefault("of", {})
    stand = stands.get(id(fast))
    if stand is None or stand.runner.fast is not fast:
        if len(stands) >= 8:  # a module has some megabytes
            stands.clear()
        stand = stands[id(fast)] = _Stand(fast)
    behind = match if match.state.trace is None else match.copy()
    return FastMatch(behind, stand)


def start(program: ir.Program, seed: Seed = 0) -> FastMatch:
    """Begin a game and play to its first decision. Raises TooLarge: see `fast_match`."""
    return fast_match(start_reference(program, seed, trace=False))
