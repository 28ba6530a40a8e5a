"""A bar that shows how far long work has come, and how long it will take.

Comes in: a console that is a terminal, and how much there is to do. Goes out: a context that gives a
function to call with (done, in all). What never happens: a bar that stays when the work is over.
"""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """The bar as a context."""

    def __init__(self, console: Console, total: int, what: str = "games") -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task(what, total=total)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, done: int, of: int) -> None:
        """So much is done."""
        self._progress.update(self._task, completed=done, total=of)
