"""Files in the cache folder: whole or not there; nobody hears of it when something is wrong with them."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from lark import Lark

from rulewright.dsl import kept, syntax


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "deep" / "kept"))
    return tmp_path / "deep" / "kept"


def test_what_is_written_is_read_again_and_only_its_owner_may_look(folder: Path) -> None:
    assert kept.read("a.thing") is None
    kept.write("a.thing", b"content")
    assert kept.read("a.thing") == b"content" and kept.read("b.thing") is None
    kept.write("a.thing", b"")
    assert kept.read("a.thing") == b""
    assert [f.name for f in folder.iterdir()] == ["a.thing"]
    if sys.platform != "win32":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("damaged", [b"", b"x", b"content", b"rulewright kept 1\ncontent"])
def test_what_is_damaged_or_foreign_is_not_there(folder: Path, damaged: bytes) -> None:
    kept.write("a.thing", b"content")
    (folder / "a.thing").write_bytes(damaged)
    assert kept.read("a.thing") is None
    kept.write("a.thing", b"content")
    whole = (folder / "a.thing").read_bytes()
    for at in (0, len(kept.MAGIC), len(whole) - 1):
        (folder / "a.thing").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert kept.read("a.thing") is None
    (folder / "a.thing").write_bytes(whole[:-1])
    assert kept.read("a.thing") is None


def test_where_nothing_can_be_kept_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    kept.write("a.thing", b"content")
    assert kept.folder() is None and kept.read("a.thing") is None
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    kept.write("a.thing", b"content")
    assert kept.read("a.thing") is None


def test_too_many_files_make_room_for_new_ones_of_their_kind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_FILES", 3)
    kept.write("z.other", b"stays")
    for i in range(5):
        kept.write(f"{i}.thing", b"content")
        os.utime(folder / f"{i}.thing", (i, i))
    assert sorted(f.name for f in folder.iterdir()) == ["2.thing", "3.thing", "4.thing", "z.other"]


def test_names_tell_parts_apart() -> None:
    assert kept.name_of("ab", "c") != kept.name_of("a", "bc") != kept.name_of("abc")
    assert kept.name_of("ab", b"c") == kept.name_of("ab", "c")


class Built:
    """Counts how often the parser is built."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        built = syntax._built

        def counted(grammar: str, strict: bool) -> Lark:
            self.times += 1
            return built(grammar, strict)

        monkeypatch.setattr(syntax, "_built", counted)


def fresh() -> Lark:
    return syntax.parser.__wrapped__()


def test_the_parser_is_built_once_and_parses_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Built(monkeypatch)
    first, second = fresh(), fresh()
    assert built.times == 1
    for text in ("any card c in hand of actor where rank of c is 3", "1 + 2 * points of player"):
        one, two = first.parse(text, start="expr"), second.parse(text, start="expr")
        assert one == two and one.meta.end_column == two.meta.end_column
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-9])
    assert fresh().parse("1 + 2", start="expr") == first.parse("1 + 2", start="expr")
    assert built.times == 2


def test_a_parser_of_another_version_is_not_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Built(monkeypatch)
    fresh()
    monkeypatch.setattr(syntax.rulewright, "__version__", "99.0")
    fresh()
    monkeypatch.setattr(Lark, "load", classmethod(lambda cls, f: 1 / 0))
    fresh()
    assert built.times == 3
    assert len(list(folder.iterdir())) == 2
