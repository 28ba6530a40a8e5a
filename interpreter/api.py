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
from typing import TypeVar

from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.model import Checked
from rulewright.dsl.problems import Problem
from rulewright.interpreter import ir
from rulewright.interpreter.chance import Chance
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.setting import luck_of, settle, texts_of

Options = dict[str, str | Sequence[str]]
KEPT = 64  # programs, and what was asked for
T = TypeVar("T")


@dataclass(slots=True)
class PlayableGame:
    """A checked game that can be played. `loaded` has its problems (warnings only) and files.

    The program of each setting is kept for the next time, up to `KEPT` of them, the latest used. The seed
    settles only what is drawn at random and shapes the components; a program depends on the setting alone,
    so it does not matter which seeds were played before.
    """

    loaded: Loaded
    checked: Checked
    options: Options = field(default_factory=dict)
    _programs: dict[object, ir.Program] = field(default_factory=dict)  # by Setting.key, latest used last
    _seedless: dict[object, object] = field(default_factory=dict)  # what was asked → Setting.key

    def program(
        self, players: int | Sequence[str] | None = None, options: Options | None = None, seed: int | str = 0
    ) -> ir.Program | tuple[Problem, ...]:
        """The program for one setting; problems if the setting cannot be."""
        names = players if players is None or isinstance(players, int) else tuple(players)
        merged = {**self.options, **(options or {})}
        asked = (names, tuple(sorted((name, texts_of(value)) for name, value in merged.items())))
        key = self._seedless.get(asked)
        if key is None:
            setting = settle(self.checked, names, merged, luck_of(seed))
            if isinstance(setting, tuple):
                return setting
            key = setting.key
            if not setting.drawn:
                _keep(self._seedless, asked, key)
            written = dict(setting.written)
            merged |= {name: written[name] for name in setting.drawn}
        program = self._programs.pop(key, None)
        if program is None:
            made = prepare(self.checked, names, merged, seed)
            if isinstance(made, tuple):
                return made
            program = made
        _keep(self._programs, key, program)
        return program

    def key(
        self, players: int | Sequence[str] | None = None, options: Options | None = None, seed: int | str = 0
    ) -> object:
        """What is equal for settings that have the same program; None for a setting that cannot be."""
        setting = settle(self.checked, players, {**self.options, **(options or {})}, luck_of(seed))
        return None if isinstance(setting, tuple) else setting.key

    def drawn(
        self, players: int | Sequence[str] | None = None, options: Options | None = None
    ) -> dict[str, str]:
        """The options that are drawn anew for each seed before the game, and how that is said: each as in
        `{"crops": "2 at random"}`. Nothing for a setting that cannot be."""
        setting = settle(self.checked, players, {**self.options, **(options or {})}, luck_of(0))
        return {} if isinstance(setting, tuple) else dict(setting.drawn)

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


def _keep(kept: dict[object, T], key: object, value: T) -> None:
    """Keep one more; the one that was not used for longest goes when there are too many."""
    if len(kept) >= KEPT:
        kept.pop(next(iter(kept)))
    kept[key] = value
