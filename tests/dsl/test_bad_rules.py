"""Wrong rule files: each line that is wrong says so, and every other line is silent.

Comes in: tests/bad_rules/*.yaml. A line that ends with `#! E301 words` must have the problem E301 whose
sentence or cure holds the words; several are separated by `;`. A line without `#!` must have none.
A file without a line `game:` is a part of the small game of the catalogue; lines `=== NAME` begin
further files, and `variants/v.yaml` is laid over the game.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.dsl.catalogue_entry import BASE
from rulewright.dsl.problems import Problem
from rulewright.tests.dsl.examples import files_of, problems_of_files

FOLDER = Path(__file__).resolve().parents[1] / "bad_rules"
CASES = sorted(FOLDER.glob("*.yaml"))
MARK = re.compile(r"[ \t]*#! (.*)$")
Wanted = tuple[str, int, str, str]


def read_case(path: Path) -> tuple[dict[str, str], list[Wanted]]:
    """The files of a case without their marks, and what the marks want: file, line, code, words."""
    text = path.read_text(encoding="utf-8")
    files = files_of(text) if text.startswith("=== ") else {}
    if not files:
        files["game.yaml" if text.startswith("game:") else "part.yaml"] = text
    if "part.yaml" in files:
        files["game.yaml"] = BASE
    wanted: list[Wanted] = []
    for name, content in files.items():
        lines = content.split("\n")
        for i, line in enumerate(lines):
            if found := MARK.search(line):
                lines[i] = line[: found.start()]
                for one in found[1].split("; "):
                    code, _, words = one.partition(" ")
                    wanted.append((name, i + 1, code, words))
        files[name] = "\n".join(lines)
    return files, wanted


def place_of(problem: Problem, folder: Path) -> tuple[str, int, str]:
    name = Path(problem.span.file)
    inside = name.relative_to(folder).as_posix() if name.is_absolute() else name.as_posix()
    return inside, problem.span.line, problem.code


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_wrong_lines_report_and_right_lines_are_silent(path: Path, tmp_path: Path) -> None:
    files, wanted = read_case(path)
    variant = "v" if "variants/v.yaml" in files else ""
    found = problems_of_files(files, tmp_path, variant)
    told = [f"{p.span}: {p.code} {p.text} {p.cure}" for p in found]
    assert sorted(place_of(p, tmp_path) for p in found) == sorted(w[:3] for w in wanted), told
    for name, line, code, words in wanted:
        here = [p for p in found if place_of(p, tmp_path) == (name, line, code)]
        assert any(words in p.text or words in p.cure for p in here), told


def test_there_are_enough_of_them_and_of_every_kind() -> None:
    wanted = [w for path in CASES for w in read_case(path)[1]]
    assert len(CASES) >= 120
    assert {code[:2] for *_, code, _ in wanted} == {"E1", "E2", "E3", "E4", "W4"}
    assert len({code for *_, code, _ in wanted}) >= 80
    assert sum(not read_case(path)[1] for path in CASES) >= 5  # right ones beside the wrong ones
