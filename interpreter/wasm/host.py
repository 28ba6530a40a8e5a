"""Host: wasmtime, which compiles a module to machine code and runs it.

Comes in: the bytes of a module. Goes out: an `Instance` with its exported functions and its memory as bytes.
The only file of the project that knows wasmtime. What never happens: an import that a module could call, or a
view of memory that is used after its instance is gone.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from typing import Any

try:
    import wasmtime
except (ImportError, OSError, RuntimeError):  # no wheel, or no library in it, for this platform
    wasmtime = None  # type: ignore[assignment]


class Trapped(Exception):
    """The module gave up; the text says where, by the names of functions."""


def available() -> bool:
    """Whether modules can be run here."""
    return wasmtime is not None


def version() -> str:
    """What compiles: its version and the platform."""
    from importlib.metadata import version as version_of

    return f"{version_of('wasmtime')} {platform.machine()} {sys.platform}"


_ENGINE: Any = None


def engine() -> Any:
    """The one engine of this process."""
    global _ENGINE
    if _ENGINE is None:
        config = wasmtime.Config()
        config.cranelift_opt_level = "speed"
        _ENGINE = wasmtime.Engine(config)
    return _ENGINE


def compiled(module: bytes) -> Any:
    """A module as machine code, to be shared by any number of instances and threads."""
    return wasmtime.Module(engine(), module)


def serialized(module: Any) -> bytes:
    """Machine code as bytes, for the cache."""
    return bytes(module.serialize())


def deserialized(data: bytes) -> Any:
    """Machine code again. The bytes must be our own: nothing in them is checked by wasmtime."""
    return wasmtime.Module.deserialize(engine(), data)


class Instance:
    """A running module. One thread uses it at a time; several threads have one each."""

    def __init__(self, module: Any) -> None:
        self._store = wasmtime.Store(engine())
        self._instance = wasmtime.Instance(self._store, module, [])
        exports: Any = self._instance.exports(self._store)
        self._memory = exports["memory"]
        self._functions = {name: e for name, e in exports.items() if isinstance(e, wasmtime.Func)}
        size = self._memory.data_len(self._store)
        start = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self.memory = memoryview((ctypes.c_ubyte * size).from_address(start)).cast("B")

    def call(self, name: str, *arguments: int) -> int:
        """Call an exported function. Raises Trapped."""
        try:
            return self._functions[name](self._store, *arguments) or 0
        except wasmtime.Trap as trap:
            raise Trapped(str(trap)) from None
        except wasmtime.WasmtimeError as error:
            raise Trapped(str(error)) from None
