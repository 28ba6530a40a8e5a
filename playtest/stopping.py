"""Stopping: Ctrl-C asks for a stop, and what is done is kept.

Comes in: nothing. Goes out: a context in which the first Ctrl-C only sets a flag, so that no game is
torn apart while it is counted; a second one interrupts at once, as usual. What never happens: a handler
left behind, or one set outside of the main thread (where Python allows none and the flag stays down).
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Protocol


class Flag(Protocol):
    """Something that other processes can look at, such as an Event."""

    def set(self) -> None:
        """Raise the flag."""


class Stopping:
    """A context; `asked` tells whether somebody pressed Ctrl-C in it."""

    def __init__(self) -> None:
        self.asked = False
        self._flags: list[Flag] = []
        self._before: Any = None
        self._ours = False

    def tell(self, flag: Flag) -> None:
        """Raise this flag too when a stop is asked for, or now if it has been."""
        self._flags.append(flag)
        if self.asked:
            flag.set()

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._ask)
            self._ours = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        for flag in self._flags:
            flag.set()


class Unheard:
    """A context in which new processes are born deaf to Ctrl-C: their parent tells them when to stop."""

    def __enter__(self) -> None:
        self._before: Any = None
        self._ours = threading.current_thread() is threading.main_thread()
        if self._ours:
            self._before = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, self._before)
