"""Pictures of tables as files: the format is that of the name, and what is missing is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.viz.table_views import view
from rulewright.viz import DiagramProblem, table_picture, table_svg
from rulewright.viz.table_png import CONVERTERS, PNG, png_of

WRITES = """#!/bin/sh
for last; do :; done
while [ $# -gt 0 ]; do [ "$1" = --output ] && to="$2"; shift; done
printf '\\211PNG\\r\\n\\032\\n' > "$to"; cat "$last" >> "$to"
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer with no programs but those that a test puts into this folder, and what they need."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def put(folder: Path, name: str, text: str) -> None:
    text = text.replace("cat ", "/bin/cat ")
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def test_an_svg_needs_no_program(programs: Path) -> None:
    assert table_picture(view(), "a.SVG") == table_svg(view()).encode()


@pytest.mark.parametrize("name", ["a.pdf", "a", "svg"])
def test_another_ending_is_refused_with_what_to_do(name: str) -> None:
    problem = table_picture(view(), name)
    assert isinstance(problem, DiagramProblem) and problem.code == "D002"
    assert f"`{name}`" in problem.text and "`.svg`" in problem.cure


def test_without_a_program_a_png_is_refused_with_what_to_do(programs: Path) -> None:
    problem = table_picture(view(), "a.png")
    assert isinstance(problem, DiagramProblem) and problem.code == "D010" and ".svg" in problem.cure


@pytest.mark.parametrize("name", ["rsvg-convert", "cairosvg"])
def test_a_program_that_is_there_makes_the_png_of_the_svg(name: str, programs: Path) -> None:
    put(programs, name, WRITES)
    picture = png_of("<svg>é</svg>")
    assert isinstance(picture, bytes) and picture == PNG + "<svg>é</svg>".encode()


def test_a_program_that_fails_gives_way_to_the_next_and_is_named_at_the_end(programs: Path) -> None:
    put(programs, "rsvg-convert", "#!/bin/sh\nexit 3\n")
    problem = png_of("<svg/>")
    assert isinstance(problem, DiagramProblem) and problem.code == "D011" and "rsvg-convert" in problem.text
    put(programs, "cairosvg", WRITES)
    assert isinstance(png_of("<svg/>"), bytes)


def test_every_program_is_given_where_from_and_where_to() -> None:
    for arguments in CONVERTERS.values():
        assert any("{svg}" in a for a in arguments) and any("{png}" in a for a in arguments)
