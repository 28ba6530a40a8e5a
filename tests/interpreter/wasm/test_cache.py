"""Machine code on disk: kept, found again by another process, made anew in silence where it is damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.cache import kept_module
from rulewright.interpreter.wasm.encoder import I32, Module


def module(answer: int) -> bytes:
    """A module whose function `run` gives a number."""
    body = Body("run", (), (I32,))
    body.const(answer)
    made = Module(functions=[body.finished()], exports=[("run", 0)])
    made.type_index(body.type)
    return made.encoded()


def answer(found: Any) -> int:
    return host.Instance(found).call("run")


class Made:
    """Counts how often machine code is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        compiled = host.compiled

        def counted(data: bytes) -> Any:
            self.times += 1
            return compiled(data)

        monkeypatch.setattr(host, "compiled", counted)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return Made(monkeypatch)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache that is not there yet."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "deep" / "kept"))
    return tmp_path / "deep" / "kept"


def file_of(folder: Path) -> Path:
    """The one file of a cache."""
    (found,) = [f for f in folder.iterdir() if f.is_file()]
    return found


def test_what_was_made_is_found_again(folder: Path, made: Made) -> None:
    assert [answer(kept_module(module(7))) for _ in range(3)] == [7, 7, 7]
    assert made.times == 1 and file_of(folder).stat().st_size > 100


def test_another_module_is_another_file(folder: Path, made: Made) -> None:
    assert [answer(kept_module(module(n))) for n in (7, 8, 7, 8)] == [7, 8, 7, 8]
    assert made.times == 2 and len(list(folder.iterdir())) == 2


def test_another_wasmtime_is_another_file(folder: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_module(module(7))
    monkeypatch.setattr(host, "version", lambda: "999 of tomorrow")
    assert answer(kept_module(module(7))) == 7
    assert made.times == 2 and len(list(folder.iterdir())) == 2


def test_a_second_process_gets_it_from_the_cache(folder: Path, made: Made) -> None:
    here = Path(__file__).resolve().parents[3]
    program = (
        "import sys\n"
        "from rulewright.interpreter.wasm import cache, host\n"
        "def never(data): raise SystemExit('made anew')\n"
        "host.compiled = never\n"
        "found = cache.kept_module(bytes.fromhex(sys.argv[1]))\n"
        "print(host.Instance(found).call('run'))\n"
    )

    def other_process() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program, module(41).hex()],
            env={**os.environ, "PYTHONPATH": str(here / ".ns")},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert other_process().stderr.strip() == "made anew"  # nothing is kept yet
    kept_module(module(41))
    found = other_process()
    assert (found.returncode, found.stdout.strip()) == (0, "41"), found.stderr


@pytest.mark.parametrize("damage", ["first byte", "a byte in the midst", "last byte", "cut", "empty", "more"])
def test_a_damaged_file_is_made_anew_without_a_word(
    damage: str, folder: Path, made: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    kept_module(module(7))
    file = file_of(folder)
    whole = file.read_bytes()
    data = bytearray(whole)
    match damage:
        case "cut":
            del data[len(data) // 2 :]
        case "empty":
            data.clear()
        case "more":
            data += b"\0"
        case _:
            data[{"first byte": 0, "last byte": -1}.get(damage, len(data) // 2)] ^= 1
    file.write_bytes(data)
    assert answer(kept_module(module(7))) == 7
    assert made.times == 2
    assert file_of(folder).stat().st_size == len(whole)
    assert answer(kept_module(module(7))) == 7 and made.times == 2  # whole again
    assert capfd.readouterr() == ("", "")


def test_machine_code_that_wasmtime_refuses_is_made_anew(
    folder: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_module(module(7))

    def refuses(data: bytes) -> Any:
        raise host.wasmtime.WasmtimeError("of another build")

    monkeypatch.setattr(host, "deserialized", refuses)
    assert answer(kept_module(module(7))) == 7 and made.times == 2


@pytest.mark.parametrize("instead", ["a file", "a folder of nobody"])
def test_a_folder_that_cannot_be_written_is_no_error(
    instead: str, made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where = tmp_path / "kept"
    if instead == "a file":
        where.write_text("not a folder")
    else:
        where.mkdir()
        where.chmod(0o500)
        if os.access(where, os.W_OK):
            pytest.skip("this user may write everywhere")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(where))
    assert [answer(kept_module(module(7))) for _ in range(2)] == [7, 7]
    assert made.times == 2


def test_an_empty_name_keeps_nothing(made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert [answer(kept_module(module(7))) for _ in range(2)] == [7, 7]
    assert made.times == 2 and list(tmp_path.iterdir()) == []
