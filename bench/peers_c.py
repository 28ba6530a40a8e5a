"""What Connect Four does when somebody writes it by hand in C (`playouts.c`), where there is a compiler."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("playouts.c")


@dataclass(frozen=True, slots=True)
class Playouts:
    """Playouts a second, their mean length, the share that the first player won."""

    rate: float
    length: float
    first: float


class Compiled:
    """The program, compiled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, seconds: float) -> Playouts:
        """Play for so many seconds of processor time."""
        done = subprocess.run([self.path, str(seconds)], capture_output=True, text=True, check=True)
        rate, length, first, *_ = map(float, done.stdout.split())
        return Playouts(rate, length, first)


@contextmanager
def compiled() -> Iterator[Compiled | None]:
    """The program, for as long as it is needed; None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "playouts"
        subprocess.run([gcc, "-O3", "-march=native", "-o", path, SOURCE], check=True)
        yield Compiled(path)
