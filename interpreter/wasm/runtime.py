"""Runtime: the functions that every module has, written by hand.

Comes in: `Shared`. Goes out: all of them, each in the module of its subject (`runtime_*.py`). What never
happens: a difference to the reference machine, of whose functions these are the twins.
"""

from __future__ import annotations

from rulewright.interpreter.wasm.runtime_pieces import PiecesRuntime
from rulewright.interpreter.wasm.runtime_sets import SetsRuntime
from rulewright.interpreter.wasm.runtime_sight import SightRuntime


class Runtime(SetsRuntime, PiecesRuntime, SightRuntime):
    """Writes the functions of the machine."""

    def all(self) -> None:
        """Write them all."""
        for emit in (
            self.quotients, self.holds, self.all_held, self.join, self.gather, self.keeping,
            self.mix, self.draw, self.resolve, self.viewers, self.know, self.mark, self.masks,
            self.unlink, self.link, self.put,
            self.exchange, self.shuffle, self.looks_new, self.same_look, self.occupied, self.regrid,
        ):  # fmt: skip
            emit()
