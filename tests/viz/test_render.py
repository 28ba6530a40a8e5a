"""Drawing: pictures of every format, and words instead of an exception where nothing can draw."""

from __future__ import annotations

import shutil
import struct
import sys
from pathlib import Path

import pytest

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import KINDS, DiagramProblem, diagram
from rulewright.viz import render as render_module
from rulewright.viz.render import VARIABLE, find_program, render

PNG = b"\x89PNG\r\n\x1a\n"
TINY = "digraph tiny {\n\ta -> b\n}\n"


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without any program that draws."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(render_module, "_pure_program", lambda: None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", bundled_games())
def test_every_game_can_be_drawn(name: str, kind: str, games: dict[str, Checked]) -> None:
    picture = diagram(games[name], kind, "png")
    assert isinstance(picture, bytes), picture
    assert picture.startswith(PNG)


@pytest.mark.parametrize("kind", ["phases", "effects"])
@pytest.mark.parametrize("name", bundled_games())
def test_a_diagram_fits_a_screen_without_losing_its_letters(
    name: str, kind: str, games: dict[str, Checked]
) -> None:
    """Details are 11 points high: at 1,600 pixels of width at least 9 pixels must be left of them."""
    picture = diagram(games[name], kind, "png")
    assert isinstance(picture, bytes)
    width, _ = struct.unpack(">II", picture[16:24])
    letter = 11 / 72 * 144 * min(1.0, 1600 / width)
    assert letter >= 9, f"{width} pixels wide"


def test_an_svg_is_drawn() -> None:
    picture = render(TINY, "svg")
    assert isinstance(picture, bytes) and b"<svg" in picture


def test_a_pdf_is_drawn_or_it_is_said_what_it_needs() -> None:
    picture = render(TINY, "pdf")
    if shutil.which("dot"):
        assert isinstance(picture, bytes) and picture.startswith(b"%PDF")
    else:
        assert isinstance(picture, DiagramProblem)
        assert picture.code == "D012" and "graphviz.org" in picture.cure


@pytest.mark.usefixtures("no_program")
def test_without_a_program_it_is_said_what_to_install(small: Checked) -> None:
    problem = diagram(small, "phases", "svg")
    assert isinstance(problem, DiagramProblem)
    assert problem.code == "D010"
    assert "pip install graphviz-pure" in problem.cure and VARIABLE in problem.cure


@pytest.mark.usefixtures("no_program")
def test_texts_need_no_program(small: Checked) -> None:
    assert isinstance(diagram(small, "phases", "dot"), str)
    assert isinstance(diagram(small, "phases", "mermaid"), str)


def test_a_variable_that_names_no_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/nowhere/dot")
    problem = render(TINY, "svg")
    assert isinstance(problem, DiagramProblem)
    assert problem.code == "D010" and "/nowhere/dot" in problem.text


@pytest.mark.skipif(sys.platform == "win32", reason="writes a shell script")
def test_the_variable_comes_first_and_a_failure_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "failing-dot"
    program.write_text("#!/bin/sh\necho 'no such font' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(program))
    assert find_program() == program
    problem = render(TINY, "svg")
    assert isinstance(problem, DiagramProblem)
    assert problem.code == "D011" and "no such font" in problem.text


def test_a_wrong_dot_text_is_a_problem_and_no_exception() -> None:
    problem = render("this is not DOT", "svg")
    assert isinstance(problem, DiagramProblem) and problem.code == "D011"
