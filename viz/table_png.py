"""From SVG to PNG, with whatever program there is that can.

Comes in: an SVG as text. Goes out: the bytes of a PNG, or a `DiagramProblem` that says what to install.
Graphviz, which draws diagrams, reads no SVG; so one of the programs in `CONVERTERS` is looked for at each
call. What never happens: an exception because a program is missing, hangs or fails.
To add a program: a line in `CONVERTERS`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from rulewright.viz.problem import DiagramProblem

CONVERTERS = {
    "rsvg-convert": ("--zoom", "2", "--output", "{png}", "{svg}"),
    "cairosvg": ("--scale", "2", "--output", "{png}", "{svg}"),
    "resvg": ("--zoom", "2", "{svg}", "{png}"),
    "inkscape": ("--export-type=png", "--export-dpi=192", "--export-filename={png}", "{svg}"),
    "magick": ("-density", "192", "{svg}", "{png}"),
}
"""Programs with what they are called with; all draw twice as fine as the picture's own size."""

INSTALL = (
    "Ask for a file that ends in `.svg`, which every browser shows, or install `rsvg-convert` or `cairosvg`."
)
SECONDS = 60
PNG = b"\x89PNG\r\n\x1a\n"


def png_of(svg: str) -> bytes | DiagramProblem:
    """An SVG as PNG. D010 if nothing here can, D011 if all that is here failed."""
    found = [(name, path) for name in CONVERTERS if (path := shutil.which(name)) is not None]
    if not found:
        return DiagramProblem("D010", "There is no program here that makes a PNG of this picture.", INSTALL)
    for name, path in found:
        picture = _converted(svg, path, CONVERTERS[name])
        if picture is not None:
            return picture
    tried = " and ".join(f"`{name}`" for name, _ in found)
    return DiagramProblem("D011", f"{tried} could not make a PNG of this picture.", INSTALL)


def _converted(svg: str, program: str, arguments: tuple[str, ...]) -> bytes | None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "table.svg"), Path(folder, "table.png")
        source.write_text(svg, encoding="utf-8")
        call = [program, *(a.replace("{svg}", str(source)).replace("{png}", str(target)) for a in arguments)]
        try:
            subprocess.run(call, capture_output=True, timeout=SECONDS, check=True)
            picture = target.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
    return picture if picture.startswith(PNG) else None
