"""The table as a file: the picture of a view in the format that a file's name asks for.

Comes in: a view, the name of a file and a `Look`. Goes out: the bytes to write, or a `DiagramProblem` that
says what to do. What never happens: a file is written here, or one of another format than its name says.
To add a format: a case in `table_picture`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from rulewright.viz.problem import DiagramProblem
from rulewright.viz.table_png import png_of
from rulewright.viz.table_svg import PLAIN, Look, table_svg


def table_picture(view: Mapping[str, Any], name: str, look: Look = PLAIN) -> bytes | DiagramProblem:
    """The picture of a view for a file of this name: `.svg`, or `.png` where a program can make one.

    D002 for any other ending, D010 and D011 where there is no program for a PNG or it fails.
    """
    ending = PurePath(name).suffix.lower()
    match ending:
        case ".svg":
            return table_svg(view, look).encode("utf-8")
        case ".png":
            return png_of(table_svg(view, look))
        case _:
            said = f"ends in `{ending}`" if ending else "has no ending"
            return DiagramProblem(
                "D002", f"A table is drawn as SVG or PNG, but `{name}` {said}.", "Let it end in `.svg`."
            )
