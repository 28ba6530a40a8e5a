"""Runs the examples of wrong and right texts, each form in its own way.

Comes in: an `Example` of the catalogue, or files by name. Goes out: the problems, in the order of their
places. What never happens: a file outside `folder` is written.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.catalogue_entry import BASE, Example
from rulewright.dsl.csv_reader import read_csv
from rulewright.dsl.files import load_files
from rulewright.dsl.load import load_game
from rulewright.dsl.problems import Problem, Problems
from rulewright.dsl.source import Scalar, SourceMap
from rulewright.dsl.syntax import parse
from rulewright.dsl.yaml_reader import read_yaml


def problems_of(example: Example, folder: Path) -> list[Problem]:
    """The problems of an example; `folder` is an empty folder that it may use."""
    found = Problems()
    match example.form.split(" ", 1):
        case ["yaml"]:
            read_yaml(example.text, "test.yaml", found)
        case ["csv"]:
            read_csv(example.text, "test.csv", found)
        case ["slot", start]:
            parse(start.split()[0], scalar(example.text, start), found)
        case ["part"]:
            return problems_of_files({"game.yaml": BASE, "part.yaml": example.text}, folder)
        case ["game"]:
            return problems_of_files({"game.yaml": example.text}, folder)
        case ["path"]:
            load_files(example.text, found)
        case ["name"]:
            return list(load_game(example.text).problems)
        case ["folder"]:
            return problems_of_files(files_of(example.text), folder, example.variant)
        case _:
            raise ValueError(f"no example has the form {example.form!r}")
    return list(found)


def problems_of_files(files: dict[str, str], folder: Path, variant: str = "") -> list[Problem]:
    """The problems of a game that consists of these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(load_game(str(folder), (variant,) if variant else ()).problems)


def files_of(text: str) -> dict[str, str]:
    """The files in a text, each behind a line `=== NAME`."""
    found: dict[str, str] = {}
    for chunk in ("\n" + text).split("\n=== ")[1:]:
        name, _, body = chunk.partition("\n")
        found[name.strip()] = body if body.endswith("\n") else body + "\n"
    return found


def scalar(text: str, start: str) -> Scalar:
    """A piece of logic as the reader of files gives it."""
    runs, offset = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        runs.append((offset, number, 1))
        offset += len(line) + 1
    places = SourceMap("test.yaml", tuple(runs))
    style = {"effect": "literal", "effect folded": "folded"}.get(start, "plain")
    return Scalar(text, places.span(0, len(text)), style, places)
