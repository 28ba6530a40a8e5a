"""From DOT text to a picture, with whatever program there is to draw it.

Comes in: DOT text and a format. Goes out: the bytes of a picture, or a `DiagramProblem`. The program is
looked for at each call: first the one that the environment variable RULEWRIGHT_DOT names, then the one
that the package `graphviz-pure` brings (no more than pip is needed for it), then Graphviz' `dot`. What
never happens: a picture that nobody could draw, or an exception because the program is missing or
fails.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import graphviz
from graphviz.backend import dot_command

from rulewright.viz.problem import DiagramProblem

VARIABLE = "RULEWRIGHT_DOT"
PURE = "graphviz-pure"
FORMATS = ("svg", "png", "pdf")
PNG_DPI = "144"  # twice as fine as a screen used to be: small letters stay legible when a picture is shrunk

INSTALL = (
    "Install one with `pip install graphviz-pure`, or Graphviz itself (https://graphviz.org/download), "
    f"or name the program in the environment variable {VARIABLE}. The formats `dot` and `mermaid` need none."
)


def find_program(pdf: bool = False) -> Path | DiagramProblem:
    """The program that draws. For PDF the wheel's program is passed over: it cannot write it.

    A program named in RULEWRIGHT_DOT that is not there is a problem; nothing else is tried then.
    """
    named = os.environ.get(VARIABLE, "")
    if named:
        found = shutil.which(named)
        if found is None:
            return DiagramProblem(
                "D010",
                f"The environment variable {VARIABLE} names `{named}`, which is not a program here.",
                "Give it the path of a `dot` program, or unset it.",
            )
        return Path(found)
    pure = None if pdf else _pure_program()
    if pure is not None:
        return pure
    system = shutil.which("dot")
    if system is not None:
        return Path(system)
    if pdf and _pure_program() is not None:
        return DiagramProblem(
            "D012",
            "A PDF needs Graphviz itself; `graphviz-pure` writes SVG and PNG only.",
            "Install Graphviz (https://graphviz.org/download), or ask for `svg`, which prints as well.",
        )
    return DiagramProblem("D010", "There is no program here that draws diagrams.", INSTALL)


def _pure_program() -> Path | None:
    """The program of the wheel in the environment that this Python runs in, even when that is not
    activated."""
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    found = shutil.which(PURE, path=os.pathsep.join(folders))
    return Path(found) if found else None


def render(dot: str, format: str) -> bytes | DiagramProblem:
    """Draw DOT text as "svg", "png" or "pdf"."""
    program = find_program(pdf=format == "pdf")
    if isinstance(program, DiagramProblem):
        return program
    source = dot
    if format == "png":
        source = dot.replace("{\n", f"{{\n\tgraph [dpi={PNG_DPI}]\n", 1)
    before = dot_command.DOT_BINARY
    dot_command.DOT_BINARY = program  # at each call: the variable and the environment may have changed
    try:
        # Warnings about the widths of signs that a font lacks are no news to a designer.
        picture = graphviz.pipe("dot", format, source.encode(), quiet=True)
    except (OSError, graphviz.ExecutableNotFound, graphviz.CalledProcessError) as error:
        return DiagramProblem("D011", f"`{program}` could not draw the diagram: {_reason(error)}", INSTALL)
    finally:
        dot_command.DOT_BINARY = before
    if not picture:
        return DiagramProblem("D011", f"`{program}` drew nothing.", INSTALL)
    assert isinstance(picture, bytes)
    return picture


def _reason(error: Exception) -> str:
    said = getattr(error, "stderr", None) or str(error)
    text = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"
