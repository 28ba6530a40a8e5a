"""Records on disk: one JSON file for each game, in a folder.

Comes in: records as the interpreter makes them. Goes out: files named for the number of the game in its
batch, and records read again. Nothing is believed of a file that is read: whether it is a record of a
game is settled by replaying it. What never happens: an exception for a file that is no record.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LARGEST = 64_000_000  # bytes


def record_name(number: int) -> str:
    """The file of game `number` (from 0) of a batch."""
    return f"game-{number:06d}.json"


def record_text(record: dict[str, Any]) -> str:
    """A record as text: one choice a line, so that two games can be compared line by line."""
    parts = []
    for key, value in record.items():
        if key == "choices" and value:
            lines = ",\n".join(f"    {json.dumps(choice, ensure_ascii=False)}" for choice in value)
            parts.append(f'  "choices": [\n{lines}\n  ]')
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_record(folder: Path, number: int, record: dict[str, Any]) -> Path:
    """Write a record into a folder, which is made if it is not there. Raises OSError if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / record_name(number)
    path.write_text(record_text(record), encoding="utf-8")
    return path


def read_json(path: Path) -> dict[str, Any] | str:
    """The mapping in a JSON file, or a sentence that says why there is none."""
    try:
        if path.stat().st_size > LARGEST:
            return f"{path} is too large to be one of ours."
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}."
    except (ValueError, RecursionError):
        return f"{path} is no JSON file."
    return data if isinstance(data, dict) else f"{path} does not hold what was expected: a mapping."
