"""Reads the corpus of the language: texts that parse, texts that must not, and readings.

Comes in: the files in tests/dsl/corpus. Goes out: plain tuples for parametrised tests, and Scalars
as the YAML reader would make them for a literal block that begins at 1:1.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.source import Scalar, SourceMap
from rulewright.dsl.syntax import parse

LOOSE = frozenset(
    {"owner", "source", "like", "path", "relation", "limit", "name", "otherwise", "or_none", "then"}
)
CORPUS = Path(__file__).parent / "corpus"


def scalar(text: str, style: str = "literal") -> Scalar:
    runs, offset = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        runs.append((offset, number, 1))
        offset += len(line) + 1
    places = SourceMap("test.yaml", tuple(runs))
    return Scalar(text, places.span(0, len(text)), style, places)


def read(start: str, text: str, style: str = "literal") -> tuple[n.Node | n.Block | None, list[Problem]]:
    problems = Problems()
    return parse(start, scalar(text, style), problems), list(problems)


def right_texts() -> list[tuple[str, str]]:
    """Slot and text of everything in parses.txt."""
    found: list[tuple[str, str]] = []
    slot, block = "", []
    for line in [*(CORPUS / "parses.txt").read_text().splitlines(), "---"]:
        if line.startswith("== ") or line == "---":
            if "".join(block).strip():
                found.append((slot, "\n".join(block)))
            block = []
            slot = line[3:] if line.startswith("== ") else slot
        elif slot == "effect":
            block.append(line)
        elif slot and line.strip():
            found.append((slot, line))
    return found


def wrong_texts() -> list[tuple[str, list[tuple[str, int, int]], str]]:
    """Slot, expected problems as (code, line, column), and text of everything in refused.txt."""
    found = []
    for slot, expected, text in _columns("refused.txt"):
        problems = []
        for one in expected.split(", "):
            code, place = one.split(" ")
            line, column = place.split(":")
            problems.append((code, int(line), int(column)))
        found.append((slot, problems, text.replace("\\n", "\n").replace("\\t", "\t")))
    return found


def readings() -> list[tuple[str, str, str]]:
    """Slot, text and the reading in brackets of everything in readings.txt."""
    return [(slot, text.replace("\\n", "\n"), want) for slot, text, want in _columns("readings.txt")]


def _columns(name: str) -> list[tuple[str, str, str]]:
    lines = (CORPUS / name).read_text().splitlines()
    rows = [line.split(" ¦ ") for line in lines if line.strip() and not line.startswith("//")]
    return [(a, b, c) for a, b, c in rows]


def bracketed(value: object) -> str:
    """A tree as text in which every form has its brackets: `(Class part part)`, without spans."""
    if isinstance(value, n.Name):
        return value.text
    if isinstance(value, n.Number):
        return str(value.value)
    if isinstance(value, n.Node):
        parts = [
            f"{f.name}={bracketed(part)}" if _loose(f.name) else bracketed(part)
            for f in fields(value)
            if (part := getattr(value, f.name)) not in (None, False, ()) and not isinstance(part, Span)
        ]
        return f"({' '.join([type(value).__name__, *parts])})"
    if isinstance(value, tuple):
        return f"[{' '.join(bracketed(v) for v in value if not isinstance(v, Span))}]"
    return str(value).replace(" ", "_")


def _loose(name: str) -> bool:
    """Parts that may be missing are shown with their names."""
    return name in {
        "owner",
        "source",
        "like",
        "path",
        "relation",
        "limit",
        "name",
        "otherwise",
        "or_none",
        "then",
    }
