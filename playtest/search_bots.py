"""Search bots: bots that play games to the end in their heads before they choose.

Comes in: a match that waits for a decision, how many playouts a decision may take. Goes out: the number of
an option. A bot looks at positions that it cannot tell from the real one (`unknown.resampled`), never at the
real one, unless the game has no secrets; the fast machine plays them on. What never happens: a bot that knows
what is hidden, or what chance will bring.

`mcts` grows a search tree: UCT, with hidden things information-set search; `flat` plays every option equally
often (flat Monte Carlo). Papers and how games count: see `interpreter/wasm/searching.py`. Where the fast
machine cannot run a game, such a bot cannot play it (`cannot` says so beforehand); at a decision that the
machine gives up it takes any option.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rulewright.interpreter import ir
from rulewright.interpreter.chance import Seed, number, start_of
from rulewright.interpreter.match import Match
from rulewright.interpreter.state import State
from rulewright.interpreter.walk import every
from rulewright.playtest.unknown import resampled

PLAYOUTS = 500  # for each decision, where nothing else is asked for
MOST = 10_000_000
WORLDS = 16  # positions that are looked at together, where anything is hidden


class SearchBot:
    """Chooses by playouts. `otherwise` chooses where the fast machine gives up."""

    def __init__(
        self, seed: Seed, seat: int, playouts: int, grow: bool, otherwise: Callable[[Match], int]
    ) -> None:
        self._start = start_of(seed, f"bot {seat}")
        self._counter = 0
        self._playouts, self._grow, self._otherwise = playouts, grow, otherwise

    def choose(self, match: Match) -> int:
        """The option that did best."""
        from rulewright.interpreter.wasm.machine import TooLarge, runner_here
        from rulewright.interpreter.wasm.search import Worlds, best, worthiest

        decision = match.decision
        if decision is None:
            raise ValueError("Nobody has to choose.")
        self._counter += 1
        if decision.count == 1:
            return 0
        luck = Random(number(self._start, self._counter))
        try:
            runner = runner_here(match.program, "search")
            worlds = Worlds(runner, self._positions(match, decision.player, luck))
        except (TooLarge, ValueError):
            return self._otherwise(match)
        if (worlds.player, worlds.options) != (decision.player, decision.count):
            return self._otherwise(match)
        seed = luck.getrandbits(63)
        if self._grow:
            return best(worlds.tree(self._playouts, seed))
        return worthiest(worlds.flat(max(1, self._playouts // decision.count), seed))

    def _positions(self, match: Match, player: int, luck: Random) -> list[State]:
        """Positions as the player may think they are, each waiting for the same decision."""
        if not has_secrets(match.program):
            return [_asked_again(match.copy())]
        found = (resampled(match, player, luck) for _ in range(min(WORLDS, self._playouts)))
        count = match.decision.count if match.decision is not None else 0
        # What rules betray may show in the options of another position; the search is to be about these.
        return [
            _asked_again(m) for m in found if m.state.ask is not None and len(m.state.ask.options) == count
        ]


def cannot(program: ir.Program) -> str:
    """Why bots that search cannot play a program, in a few words; "" if they can."""
    from rulewright.interpreter.wasm.machine import TooLarge, fast_of

    try:
        fast_of(program)
    except TooLarge as error:
        return str(error)
    return ""


def _asked_again(match: Match) -> State:
    """The position of a match of one's own, which asks its open question again when it goes on."""
    match.state.ask = None
    return match.state


_SECRETS: dict[int, tuple[ir.Program, bool]] = {}


def has_secrets(program: ir.Program) -> bool:
    """Whether there is anything that one player may know and another may not: places, values, or choices that
    are made at once."""
    found = _SECRETS.get(id(program))
    if found is None or found[0] is not program:
        if len(_SECRETS) > 64:
            _SECRETS.clear()
        found = _SECRETS[id(program)] = (program, _has_secrets(program))
    return found[1]


def _has_secrets(program: ir.Program) -> bool:
    everybody = set(range(len(program.players)))
    seen = [p.viewers for p in program.places] + [b.viewers for b in program.boards]
    seen += [v.seen_by for v in program.variables if v.seen_by is not None and not v.hidden]
    if any(not (isinstance(e, ir.SetConst) and everybody <= set(e.items)) for e in seen):
        return True
    return any(
        isinstance(n, ir.ChooseTogether) for f in program.functions for st in f.body for n in every(st)
    )
