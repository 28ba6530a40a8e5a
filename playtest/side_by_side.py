"""Side by side: one match on both machines, compared after every choice.

Comes in: a module at work (`Runner`), a seed. Goes out: a `Compared`: how many choices were made, and the
first `Difference`, if there is one. A walker with luck of its own chooses, the same option on both machines;
the module stands at its position all the time and is never written to from outside. What never happens: a
difference that is thrown instead of told, or one that cannot be shown again: it names game, players, options,
seed and choice.

Positions are compared value by value, which is stricter than their fingerprints: of two cards that look alike
each must lie where it lies on the other machine. The fingerprints, which cost more than everything else
here, are compared at the first decision, after every `HASHED` choices, and at the end.

That is the module as it answers a host. What it does by itself, in batches, partly runs other code (see
`emit_quick.py`): `compare_playout` compares a game of random bots, and the position in which it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.interpreter.chance import Seed, number, start_of
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.fingerprint import fingerprint
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.state import State
from rulewright.interpreter.wasm.machine import Bots, Runner, Trapped
from rulewright.playtest.bots import RandomBot
from rulewright.playtest.consent import USUAL, Consenting
from rulewright.playtest.matches import ENDED, FAULT, play_match

HASHED = 16
LIMIT = 2_000  # choices after which a match is left as it stands
SHOWN = 400  # characters of a side of a difference

Found = tuple[str, object, object]  # what differs, on the reference machine, on the fast one
Watch = Callable[[Match, Runner], Found | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two machines disagree: after `choice` choices of the match with this seed, from which the luck of
    the walker comes too. `reference` and `wasm` are what each machine has, cut short if it is long.
    """

    game: str
    variants: tuple[str, ...]
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: Seed
    choice: int
    what: str
    reference: str
    wasm: str

    def __str__(self) -> str:
        over = "".join(f" --variant {v}" for v in self.variants)
        options = "".join(f" {name}={value}" for name, value in self.options)
        return (
            f"{self.game}{over}, {len(self.players)} players, seed {self.seed}, after {self.choice} choices: "
            f"{self.what} differs\n  options:{options}\n"
            f"  reference: {self.reference}\n  wasm:      {self.wasm}"
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """How the comparison of a match went. `fault`: both machines met an error of a rule, where it ended."""

    choices: int
    difference: Difference | None
    fault: bool = False


def compare(
    runner: Runner,
    seed: Seed,
    game: str = "",
    variants: tuple[str, ...] = (),
    limit: int = LIMIT,
    watch: Watch | None = None,
) -> Compared:
    """Play a match on both machines until it ends, `limit` choices were made, or something differs.

    `game` and `variants` are for the `Difference` alone. `watch` may compare something more before each
    choice and at the end. Raises nothing: a module that gives up where the reference machine does not, or
    whose memory makes no sense, is a difference.
    """
    pair = _Pair(runner, seed)
    found = pair.play(limit, watch)
    program = runner.program
    difference = found and Difference(
        game or program.title,
        variants,
        program.players,
        program.options,
        seed,
        pair.choices,
        found[0],
        _short(found[1]),
        _short(found[2]),
    )
    return Compared(pair.choices, difference or None, pair.fault)


def compare_playout(
    runner: Runner, seed: Seed, game: str = "", variants: tuple[str, ...] = (), limit: int = LIMIT
) -> Compared:
    """Play a match between random bots on both machines, on the fast one without a word to the host, as
    batches do; compare how it went and the position at its end."""
    program = runner.program
    seats = len(program.players)
    match = start(program, seed, trace=False)
    bots = [Consenting(RandomBot(seed, s), USUAL, USUAL, seed, s) for s in range(seats)]
    outcome = play_match(match, bots, limit)
    runner.prepare(Bots((False,) * seats, USUAL, USUAL, limit))
    (played,) = runner.play([seed])
    found: Found | None = None
    if outcome.status == FAULT:
        found = None if played is None else ("an error of a rule", outcome.reason, played)
    elif played is None:
        found = "a trap", outcome, "given up"
    else:
        ended = outcome.status == ENDED
        names = [end.name for end in program.ends]
        ours: tuple[object, ...] = (outcome.end, outcome.decisions, outcome.began)
        end = names[played.end] if ended and played.end >= 0 else ""
        theirs: tuple[object, ...] = (end, played.decisions, played.began)
        if ended:
            winners = tuple(sorted(outcome.winners))  # a batch counts seats, in whatever order they have won
            ours, theirs = (*ours, winners, outcome.scores), (*theirs, played.winners, played.scores)
        if ours != theirs:
            found = "how a game of bots went", ours, theirs
        elif ended:
            found = _first(_position(match.state, runner.reader.state(match.state.chance), frames=False))
    difference = found and Difference(
        game or program.title, variants, program.players, program.options, seed, outcome.decisions,
        found[0], _short(found[1]), _short(found[2]),
    )  # fmt: skip
    return Compared(outcome.decisions, difference or None, outcome.status == FAULT)


class _Pair:
    """A match on both machines. `asked` is what the module said last: whether somebody must choose, or
    the words of a trap."""

    def __init__(self, runner: Runner, seed: Seed) -> None:
        self.runner = runner
        self.luck = start_of(seed, "walker")
        self.choices = 0
        self.match = start(runner.program, seed, trace=False)
        self.refused: Refusal | None = self.match.fault
        self.asked = _attempt(lambda: runner.begin(seed))

    @property
    def fault(self) -> bool:
        """Whether a rule failed."""
        return self.refused is not None

    def play(self, limit: int, watch: Watch | None) -> Found | None:
        """Play on; the first difference."""
        while True:
            try:
                found = self.differs()
                if not found and watch is not None and not self.fault:
                    found = watch(self.match, self.runner)
            except Exception as error:  # the memory of a broken module can hold anything
                return "what can be read", "", f"{type(error).__name__}: {error}"
            if found or self.fault or self.match.over or self.choices >= limit:
                return found
            count = len(self.match.state.ask.options) if self.match.state.ask else 0
            index = ((number(self.luck, self.choices + 1) >> 32) * count) >> 32
            self.refused = self.match.choose(index)
            self.asked = _attempt(lambda i=index: self.runner.step(i))  # type: ignore[misc]
            self.choices += 1

    def differs(self) -> Found | None:
        """What differs as both machines stand now."""
        if self.refused is not None:
            return None if isinstance(self.asked, str) else ("an error of a rule", self.refused, "goes on")
        if isinstance(self.asked, str):
            return "a trap", "goes on", self.asked
        if self.match.over is self.asked:
            words = ("somebody must choose", "nobody must choose")
            return "the end", words[self.match.over], words[not self.asked]
        state = self.runner.reader.state(self.match.state.chance)
        return self._question() or _first(_position(self.match.state, state)) or self._rest(state)

    def _question(self) -> Found | None:
        """The open question: where it is asked, who is asked, what can be answered."""
        ask, runner = self.match.state.ask, self.runner
        if ask is None:
            return None
        site = runner.shared.sites[runner.instance.call("get ask.site")]
        if site.node is not ask.node:
            return "the question", ask.node, site.node
        if runner.asked_player != ask.player:
            return "who is asked", ask.player, runner.asked_player
        options = runner.options()
        if options == list(ask.options):
            return None
        if len(options) != len(ask.options):
            return "how many options", [len(ask.options), *ask.options], [len(options), *options]
        at = next(i for i, (a, b) in enumerate(zip(ask.options, options, strict=True)) if a != b)
        return f"the order or value of options, from number {at} on,", ask.options[at:], options[at:]

    def _rest(self, state: State) -> Found | None:
        """What follows from the position: its fingerprint, and at the end the scores."""
        match = self.match
        if match.over or self.choices % HASHED == 0:
            decision = match.decision
            ours, theirs = match.state_hash(), fingerprint(state, list(decision.ids) if decision else [])
            if ours != theirs:
                return "the fingerprint", ours, theirs
        if match.over and match.program.score >= 0:
            ours_, theirs_ = tuple(n for _, n in match.result.scores), self._scores()
            if ours_ != theirs_:
                return "the scores", ours_, theirs_
        return None

    def _scores(self) -> tuple[int, ...]:
        """The scores by seat; none where they cannot be worked out, as in `Match.result`."""
        try:
            return tuple(self.runner.score(seat) for seat in range(len(self.match.program.players)))
        except Trapped:
            return ()


def _attempt(go_on: Callable[[], bool]) -> bool | str:
    try:
        return go_on()
    except Trapped as trap:
        return str(trap) or "a trap"


def _first(found: Iterator[Found]) -> Found | None:
    return next(found, None)


def _position(ours: State, theirs: State, frames: bool = True) -> Iterator[Found]:
    """Every part of the position that differs, what says most about a fault first."""
    program, layout = ours.code.program, ours.code.layout
    for v, offset in zip(program.variables, layout.offsets, strict=True):
        for cell in range(v.cells):
            a, b = ours.vars[offset + cell], theirs.vars[offset + cell]
            if a != b:
                yield f"the value `{v.name}` (cell {cell} of {v.cells})", a, b
    lying = {place: pieces for place, pieces in ours.contents.items() if pieces}
    for place in sorted(lying.keys() | theirs.contents.keys()):
        a, b = lying.get(place, []), theirs.contents.get(place, [])
        if a != b:
            yield f"what lies at place {place}", a, b
    names = ("place_of", "known", "counters", "phases", "winners", "news")
    for name in names:
        a, b = getattr(ours, name), getattr(theirs, name)
        if a != b:
            yield f"`{name}`", *_apart(a, b)
    a, b = (_frames(ours), _frames(theirs)) if frames else ([], [])
    if a != b:
        yield "what is under way", *_apart(a, b)


def _frames(s: State) -> list[tuple[str, int, int, int]]:
    """What is under way: function, place in its code, slot of the caller for the result. The other slots are
    no part of it: what nobody will read any more is not kept by both machines."""
    functions = s.code.program.functions
    return [(functions[f[0]].name, f[0], f[1], f[3]) for f in s.frames]


def _apart(a: Any, b: Any) -> tuple[object, object]:
    """Two lists without what they have in common at their beginnings; anything else as it is."""
    if not isinstance(a, list) or not isinstance(b, list):
        return a, b
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return {at: a[at : at + 8]}, {at: b[at : at + 8]}


def _short(side: object) -> str:
    text = side if isinstance(side, str) else repr(side)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"


__all__ = ["Compared", "Difference", "Found", "Watch", "compare", "compare_playout"]
