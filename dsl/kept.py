"""Kept: files in the user's cache folder, so that what takes long need not be made again.

Comes in: the name of a file, its content as bytes. Goes out: the content, if it is there and whole. Each file
begins with a word of ours and a checksum of the rest. What never happens: a damaged or foreign file whose
content is used, an error because of the cache, or a file outside its folder, which only its owner may read.

`RULEWRIGHT_CACHE` names another folder; with an empty value nothing is kept. To keep something else: a suffix
of its own, and how many files of it may lie there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path

MAGIC = b"rulewright kept 1\n"
LARGEST = 64 << 20  # bytes of one file
MOST_FILES = 256  # with one suffix


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


def name_of(*parts: str | bytes) -> str:
    """A name for what follows from these parts, and from nothing else."""
    made = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "little") + data)
    return made.hexdigest()


def read(name: str) -> bytes | None:
    """What a file holds, if it is one of ours and whole."""
    where = folder()
    if where is None:
        return None
    file = where / name
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


def write(name: str, content: bytes) -> None:
    """Write a file whole or not at all; nobody is told if it cannot be."""
    where = folder()
    if where is None or len(content) > LARGEST:
        return
    data = MAGIC + hashlib.blake2b(content, digest_size=32).digest() + content
    with contextlib.suppress(OSError):
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_room(where, Path(name).suffix)
        handle, new = tempfile.mkstemp(dir=where, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            os.replace(new, where / name)
        except OSError:
            os.unlink(new)
            raise


def _make_room(where: Path, suffix: str) -> None:
    """Remove the files with a suffix that were written longest ago when there are too many."""
    files = sorted(where.glob(f"*{suffix}"), key=lambda f: f.stat().st_mtime)
    for old in files[: max(0, len(files) + 1 - MOST_FILES)]:
        old.unlink(missing_ok=True)
