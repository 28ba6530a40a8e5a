"""Cache: machine code kept on disk, so that it need not be made again.

Comes in: the bytes of a module. Goes out: the module as machine code, from the user's cache folder if it is
there and whole. The name of a file is a hash of the module (which follows from the rules and from this
version of the emitter) and of the version of wasmtime; the file begins with a checksum of the rest.
What never happens: a damaged file that is run, an error because of the cache, or a file outside its folder.
`RULEWRIGHT_CACHE` names another folder; with an empty value nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from rulewright.interpreter.wasm import host

MAGIC = b"rulewright module 1\n"
LARGEST = 64 << 20  # bytes of one file
MOST_FILES = 256


def folder() -> Path | None:
    """Where files are kept; None for nowhere."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "rulewright"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "rulewright"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "rulewright"


def kept_module(module: bytes) -> Any:
    """The module as machine code, from the cache if it is there."""
    where = folder()
    if where is None:
        return host.compiled(module)
    name = hashlib.blake2b(host.version().encode() + b"\x00" + module, digest_size=16).hexdigest()
    file = where / f"{name}.module"
    data = _read(file)
    if data is not None:
        with contextlib.suppress(Exception):  # of another build of wasmtime: made anew
            return host.deserialized(data)
    made = host.compiled(module)
    _write(file, host.serialized(made))
    return made


def _read(file: Path) -> bytes | None:
    """What a file holds, if it is one of ours and whole."""
    try:
        if file.stat().st_size > LARGEST:
            return None
        data = file.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    if len(data) < head or not data.startswith(MAGIC):
        return None
    content = data[head:]
    return content if hashlib.blake2b(content, digest_size=32).digest() == data[len(MAGIC) : head] else None


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all; nobody is told if it cannot be."""
    data = MAGIC + hashlib.blake2b(content, digest_size=32).digest() + content
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_room(file.parent)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            os.replace(name, file)
        except OSError:
            os.unlink(name)
            raise


def _make_room(where: Path) -> None:
    """Remove the files that were not used for longest when there are too many."""
    files = sorted(where.glob("*.module"), key=lambda f: f.stat().st_mtime)
    for old in files[: max(0, len(files) - MOST_FILES)]:
        old.unlink(missing_ok=True)
