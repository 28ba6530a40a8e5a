"""Saves: a table that people can leave and come back to, as one JSON file.

Comes in: a match in play with the settings it was opened with and who sits where. Goes out: a file, or
what a file holds. The match itself is checked by the interpreter when it is loaded. What never happens:
a file overwritten by half of another: it is written beside its place first.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.playtest.records import read_json
from rulewright.playtest.settings import Settings

FORMAT = "rulewright table 1"


@dataclass(frozen=True, slots=True)
class Save:
    """What a saved table holds. `seats` are "human" or the names of bots, in the order of the players."""

    settings: Settings
    seats: tuple[str, ...]
    match: object


def write_save(path: Path, settings: Settings, seats: tuple[str, ...], match: dict[str, Any]) -> str:
    """Save a table; a sentence if that fails, else an empty text."""
    data = {
        "format": FORMAT,
        "game": settings.game,
        "variants": list(settings.variants),
        "options": {name: list(values) for name, values in settings.options},
        "players": list(settings.players) if isinstance(settings.players, tuple) else settings.players,
        "seed": settings.seed,
        "seats": list(seats),
        "match": match,
    }
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        return f"{path} cannot be written: {error.strerror or error}."
    return ""


def read_save(path: Path) -> Save | str:
    """What was saved, or a sentence that says why it is none."""
    data = read_json(path)
    if isinstance(data, str):
        return data
    match data:
        case {
            "format": "rulewright table 1",
            "game": str(game),
            "variants": list(variants),
            "options": dict(options),
            "players": players,
            "seed": int(seed),
            "seats": list(seats),
            "match": saved,
        }:
            pass
        case _:
            return f"{path} is no saved table, or one of another version."
    if (
        not _texts(variants)
        or not _texts(seats)
        or not all(isinstance(v, list) and _texts(v) for v in options.values())
    ):
        return f"{path} is damaged."
    names = tuple(players) if isinstance(players, list) and _texts(players) else players
    if names is not None and not isinstance(names, int | tuple):
        return f"{path} is damaged."
    settings = Settings(
        game, tuple(variants), tuple((k, tuple(v)) for k, v in options.items()), names, games=1, seed=seed
    )
    return Save(settings, tuple(seats), saved)


def _texts(items: list[Any]) -> bool:
    return all(isinstance(i, str) for i in items)
