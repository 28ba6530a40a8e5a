"""The public way in: load a game, start a match, replay a record.

    game = load("my_game")
    match = game.start(seed=7)
    match.choose(match.decision.options[0])

Comes in: names, options, seeds. Goes out: a `PlayableGame` and `Match` values, or the problems that are in
the way, as values. What never happens: an exception for wrong rules, options or choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.model import Checked
from rulewright.dsl.problems import Problem
from rulewright.interpreter import ir
from rulewright.interpreter.chance import Chance
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.setting import shaping_names

Options = dict[str, str | Sequence[str]]


@dataclass(slots=True)
class PlayableGame:
    """A checked game that can be played. `loaded` has its problems (warnings only) and files."""

    loaded: Loaded
    checked: Checked
    options: Options = field(default_factory=dict)
    _programs: dict[object, ir.Program] = field(default_factory=dict)

    def program(
        self, players: int | Sequence[str] | None = None, options: Options | None = None, seed: int | str = 0
    ) -> ir.Program | tuple[Problem, ...]:
        """The program for one setting, kept for the next time; problems if the setting cannot be.

        The seed matters only where an option that is drawn at random shapes the components.
        """
        merged = {**self.options, **(options or {})}
        names = players if players is None or isinstance(players, int) else tuple(players)
        shaping = shaping_names(self.checked.game)
        shaped = any(
            o.at_random and o.name in shaping and o.name not in merged
            for o in self.checked.game.options.values()
        )
        key = (
            names,
            tuple(sorted((k, v if isinstance(v, str) else tuple(v)) for k, v in merged.items())),
            seed if shaped else 0,
        )
        if key not in self._programs:
            made = prepare(self.checked, names, merged, seed)
            if isinstance(made, tuple):
                return made
            if shaped:
                same = next((p for p in self._programs.values() if p == made), None)
                made = same or made
            if len(self._programs) > 64:
                self._programs.clear()
            self._programs[key] = made
        return self._programs[key]

    def start(
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str = 0,
        options: Options | None = None,
        chance: Chance | None = None,
        trace: bool = True,
    ) -> Match | tuple[Problem, ...]:
        """A new match; problems if players or options cannot be."""
        program = self.program(players, options, seed)
        return program if isinstance(program, tuple) else start(program, seed, chance, trace)


def load(
    name: str, variants: tuple[str, ...] = (), options: Options | None = None
) -> PlayableGame | tuple[Problem, ...]:
    """A bundled game, or one at a path, with variants laid over it; its problems if it cannot be played."""
    loaded = load_game(name, variants)
    if loaded.checked is None or not loaded.ok:
        return loaded.problems
    return PlayableGame(loaded, loaded.checked, dict(options or {}))
