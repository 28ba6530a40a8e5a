"""Opening: from settings to a game that can be started again and again.

Comes in: settings. Goes out: a `Playable`, or the problems that stand in the way. Everything in this
folder starts its matches through a `Playable`, so a test can hand in a program of its own. What never
happens: a game that is loaded anew for every match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rulewright.dsl.load import Loaded
from rulewright.dsl.problems import Problem
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.ir import Program
from rulewright.interpreter.match import Match
from rulewright.playtest.settings import Settings


class Playable(Protocol):
    """A game with its variants, options and players settled."""

    def start(self, seed: int, trace: bool = False) -> Match | tuple[Problem, ...]:
        """Begin a match, or say why the setting cannot be."""


Opener = Callable[[Settings], Playable | tuple[Problem, ...]]


@dataclass(frozen=True, slots=True)
class Opened:
    """A loaded game with the players of the settings."""

    game: PlayableGame
    players: int | tuple[str, ...] | None

    def start(self, seed: int, trace: bool = False) -> Match | tuple[Problem, ...]:
        """Begin a match."""
        return self.game.start(players=self.players, seed=seed, trace=trace)

    def program(self, seed: int) -> Program | tuple[Problem, ...]:
        """The program of the match with a seed."""
        return self.game.program(self.players, seed=seed)

    def key(self, seed: int) -> object:
        """What is equal for seeds whose matches have the same program."""
        return self.game.key(self.players, seed=seed)

    def drawn(self) -> dict[str, str]:
        """The options that each match draws by its seed before it starts, and how that is said."""
        return self.game.drawn(self.players)


def opened_game(settings: Settings, loaded: Loaded) -> Opened:
    """A game that has been loaded, as settings want it. Raises ValueError if it cannot be played."""
    if loaded.checked is None or not loaded.ok:
        raise ValueError("a game with problems cannot be played")
    return Opened(PlayableGame(loaded, loaded.checked, dict(settings.options)), settings.players)


def open_game(settings: Settings) -> Playable | tuple[Problem, ...]:
    """Load the game that settings name."""
    found = load(settings.game, settings.variants, dict(settings.options))
    return Opened(found, settings.players) if isinstance(found, PlayableGame) else tuple(found)
