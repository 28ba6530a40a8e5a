"""`rulewright diagram GAME`: a picture of the phases, of what causes what, or of the components.

Comes in: a game, variants, a kind and a format. Goes out: a file; text formats (dot, mermaid) go to
standard output where no file is named. Warnings in the rules do not matter; errors do. What never
happens: bytes on a terminal.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rulewright.cli import flags, screen
from rulewright.cli.exit_codes import OK, PROBLEMS, USAGE
from rulewright.cli.loading import playable, wrong_usage

KINDS = ("phases", "effects", "components")
FORMATS = ("svg", "png", "pdf", "dot", "mermaid")
TEXT = ("dot", "mermaid")
OF_THE_GAME = ("D005", "D011")  # what stops a diagram and lies in the rules; the rest lies in the request
ENDINGS = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}


def add(parser: argparse.ArgumentParser) -> None:
    """GAME, kind, format, file, and what part of it."""
    flags.game(parser)
    flags.variants(parser)
    parser.add_argument("--kind", choices=KINDS, default="phases", help="what to draw (default: phases)")
    parser.add_argument("--format", choices=FORMATS, help="default: as the FILE's ending says, else svg")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it; - is standard output")
    parser.add_argument("--around", metavar="NAME", help="only what is near this name (effects)")
    parser.add_argument(
        "--depth", metavar="N", type=flags.between(0, 99), help="how many steps from --around"
    )
    parser.add_argument("--detail", metavar="LEVEL", help="how much to show: flow, rules (default) or all")


def run(arguments: argparse.Namespace) -> int:
    """Draw and write."""
    from rulewright.viz import DiagramProblem, diagram

    if arguments.depth is not None and not arguments.around:
        raise wrong_usage("--depth goes with --around NAME.")
    format_ = chosen_format(arguments.format, arguments.output)
    loaded = playable(arguments.game, tuple(arguments.variant))
    wanted = {"around": arguments.around, "depth": arguments.depth, "detail": arguments.detail}
    drawn = diagram(loaded, arguments.kind, format_, **{k: v for k, v in wanted.items() if v is not None})
    if isinstance(drawn, DiagramProblem):
        screen.complain(f"rulewright: {drawn}")
        return PROBLEMS if drawn.code in OF_THE_GAME else USAGE
    return write(drawn, target(arguments.output, loaded.path, arguments.kind, format_))


def chosen_format(asked: str | None, output: str | None) -> str:
    """The format that was asked for, or that the file's name says."""
    if asked:
        return asked
    return ENDINGS.get(Path(output).suffix.lower(), "svg") if output and output != "-" else "svg"


def target(output: str | None, game: Path | None, kind: str, format_: str) -> Path | None:
    """The file to write, or None for standard output."""
    if output:
        return None if output == "-" else Path(output)
    if format_ in TEXT or not sys.stdout.isatty():
        return None
    name = game.stem if game is not None else "game"
    return Path(f"{name}-{kind}.{format_}")


def write(drawn: bytes | str, file: Path | None) -> int:
    """Write a picture or a text."""
    data = drawn.encode() if isinstance(drawn, str) else drawn
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data if data.endswith(b"\n") or not isinstance(drawn, str) else data + b"\n")
        sys.stdout.buffer.flush()
        return OK
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise wrong_usage(f"{file} cannot be written: {error.strerror or error}.") from error
    screen.complain(f"Written: {file}")
    return OK
