"""Cache: machine code kept on disk, so that it need not be made again.

Comes in: the bytes of a module. Goes out: the module as machine code, from the user's cache folder
(`kept.py`) if it is there and whole. The name of a file is a hash of the module (which follows from the rules
and from this version of the emitter) and of the version of wasmtime. What never happens: machine code of
something else that is run, or an error because of the cache.
"""

from __future__ import annotations

import contextlib
from typing import Any

from rulewright.dsl import kept
from rulewright.interpreter.wasm import host


def kept_module(module: bytes) -> Any:
    """The module as machine code, from the cache if it is there."""
    name = f"{kept.name_of(host.version(), module)}.module"
    data = kept.read(name)
    if data is not None:
        with contextlib.suppress(Exception):  # of another build of wasmtime: made anew
            return host.deserialized(data)
    made = host.compiled(module)
    kept.write(name, host.serialized(made))
    return made
