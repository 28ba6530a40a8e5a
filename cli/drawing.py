"""A picture of the table for somebody at the keyboard, written into a file.

Comes in: what a player may see, what that player saw before, and the name of a file. Goes out: the file,
and a sentence that says where it is or why there is none. What never happens: anything in it that is not in
the view.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.cli import screen
from rulewright.viz import DiagramProblem, Look, changed_spaces, table_picture


def draw_view(view: Mapping[str, Any], before: Mapping[str, Any] | None, name: str) -> None:
    """Write the picture; the spaces that have changed since `before` stand out. Without a name it is
    `table.svg`.
    """
    path = Path(name or "table.svg").expanduser()
    changed = changed_spaces(before, view) if before is not None else frozenset()
    drawn = table_picture(view, path.name, Look(changed=changed))
    if isinstance(drawn, DiagramProblem):
        screen.say(f"Not drawn: {screen.plain(f'{drawn.text} {drawn.cure}')}", "yellow")
        return
    try:
        path.write_bytes(drawn)
    except OSError as error:
        screen.say(f"{screen.plain(str(path))} cannot be written: {error.strerror or error}.", "yellow")
        return
    screen.say(f"Drawn: {screen.plain(str(path))}")
