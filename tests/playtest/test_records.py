from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.playtest.records import read_json, record_text


def test_a_record_is_json_with_a_line_for_each_choice() -> None:
    record = {
        "format": "x",
        "choices": [["red", "put spot=b2"], ["blue", "pass"]],
        "result": None,
        "title": "ä",
    }
    text = record_text(record)
    assert json.loads(text) == record
    assert '    ["red", "put spot=b2"],\n' in text and "ä" in text
    assert json.loads(record_text({"choices": []})) == {"choices": []}


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"a": ', "[" * 100_000, "\x00", '"text"'])
def test_a_file_that_is_no_record_gives_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    found = read_json(path)
    assert isinstance(found, str) and str(path) in found


def test_a_file_that_is_not_there_gives_a_sentence(tmp_path: Path) -> None:
    assert "cannot be read" in str(read_json(tmp_path / "none.json"))
    assert "cannot be read" in str(read_json(tmp_path))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "no JSON" in str(read_json(tmp_path / "binary"))
