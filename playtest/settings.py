"""Settings: everything that says what a batch plays. Equal settings give equal results.

Comes in: what somebody asks for. Goes out: frozen data that can be sent to another process and written into a
summary. What never happens: a path of this machine or a time in it, beyond the game's own name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT = 10_000  # decisions after which a match is given up


@dataclass(frozen=True, slots=True)
class Settings:
    """What to play. `game` is a name or a path; `players` their number or names (None: as few as may play).

    `bots` is one name for all seats, or a name for each. Game number i (from 0) has the seed `seed + i`.
    `limit` is how many decisions a match may take before it counts as stopped. `agreement` and `majority` are
    the policies by which bots answer what several choose as one, see `consent`.
    """

    game: str
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    players: int | tuple[str, ...] | None = None
    bots: tuple[str, ...] = ("random",)
    games: int = 100
    seed: int = 0
    limit: int = LIMIT
    agreement: str = "random"
    majority: str = "random"

    def bot(self, seat: int) -> str:
        """The name of the bot on a seat."""
        return self.bots[seat] if len(self.bots) > 1 else self.bots[0]

    def as_json(self) -> dict[str, Any]:
        """The settings as plain data; of paths only the last part is kept."""
        players = list(self.players) if isinstance(self.players, tuple) else self.players
        return {
            "game": _name(self.game),
            "variants": [_name(v) for v in self.variants],
            "options": {name: list(values) for name, values in self.options},
            "players": players,
            "bots": list(self.bots),
            "games": self.games,
            "seed": self.seed,
            "limit": self.limit,
            "agreement": self.agreement,
            "majority": self.majority,
        }


def _name(text: str) -> str:
    path = Path(text)
    return path.parent.name if path.name == "game.yaml" and path.parent.name else path.stem or text
