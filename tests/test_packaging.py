"""The distribution holds what it must, and the repository keeps its own rules.

Reads files only; that the built wheel works is tried by `make wheel-test`.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parent.parent
STAGES = ("dsl", "interpreter", "playtest", "viz", "cli")
NOT_PACKAGES = {"tests", "bench", "docs", "rules", "out", "build", "dist"}
BINARY = {".png", ".gz", ".zip", ".pdf", ".wasm", ".parquet", ".pyc"}

# Words that would give a game away, beside the names of the games themselves.
GAME_WORDS = {"kraken", "mutiny", "doubloon", "empress", "vye", "vyr", "aye"}
# Names of games that are also words for the parts of any game.
GENERIC = {"hearts", "spades", "memory", "pairs", "ranks", "tables", "template", "minimal", "example"}


def project() -> dict[str, Any]:
    return tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))


def files(*folders: Path) -> Iterator[Path]:
    """The files the repository keeps below `folders`; nothing that a tool made."""
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.is_symlink() or path.name == "__pycache__" or path.name.endswith(".egg-info"):
                continue
            if path.is_file():
                yield path
            elif not path.name.startswith(".") and not (
                folder == TOP and path.name in {"out", "build", "dist"}
            ):
                yield from files(path)


def package_folders() -> Iterator[Path]:
    """The folders of the package that hold Python, the top first."""
    yield TOP
    for child in sorted(TOP.iterdir()):
        if child.is_dir() and child.name not in NOT_PACKAGES and not child.name.startswith((".", "_")):
            yield from sorted({path.parent for path in files(child) if path.suffix == ".py"})


def game_words() -> set[str]:
    """Words of concrete games: those listed above, and what the games in rules/ are called."""
    names = {p.stem.lower() for p in (TOP / "rules").glob("*") if p.is_dir() or p.suffix == ".yaml"}
    return GAME_WORDS | {name for name in names - GENERIC if len(name) > 4}


def found(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    """Every line of `paths` that matches, as file:line: word."""
    return [
        f"{path.relative_to(TOP)}:{number}: {match.group()}"
        for path in paths
        if path.suffix not in BINARY
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        for match in pattern.finditer(line)
    ]


def word_pattern(words: set[str]) -> re.Pattern[str]:
    """Any of `words` as a whole word; `_` joins words here, so `play_chess` holds `chess`."""
    spelled = (re.escape(word).replace("_", "[ _-]") for word in sorted(words))
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(spelled)})s?(?![A-Za-z])", re.IGNORECASE)


def test_every_folder_with_python_is_a_package() -> None:
    assert [str(f.relative_to(TOP)) for f in package_folders() if not (f / "__init__.py").is_file()] == []


def test_the_list_of_packages_is_what_the_folders_hold() -> None:
    held = {".".join(("rulewright", *folder.relative_to(TOP).parts)) for folder in package_folders()}
    assert sorted(project()["tool"]["setuptools"]["packages"]) == sorted(held)


def test_every_stage_has_its_package() -> None:
    assert {f"rulewright.{stage}" for stage in STAGES} < set(project()["tool"]["setuptools"]["packages"])


def test_the_layers_of_imports_name_every_stage_in_order() -> None:
    contracts = project()["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["type"] == "layers")
    assert layers == list(reversed(STAGES))


@pytest.mark.parametrize("pattern", project()["tool"]["setuptools"]["package-data"]["rulewright"])
def test_every_pattern_of_package_data_finds_a_file(pattern: str) -> None:
    assert any(path.is_file() for path in TOP.glob(pattern))


def test_the_types_are_announced_to_users() -> None:
    assert (TOP / "py.typed").is_file(), "one at the top of the package speaks for all below it"


def test_the_console_script_leads_to_a_function() -> None:
    module, _, name = project()["project"]["scripts"]["rulewright"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_importing_the_package_loads_no_stage() -> None:
    assert "import" not in (TOP / "__init__.py").read_text(encoding="utf-8").split('"""')[2]


def test_no_module_is_named_for_nothing() -> None:
    vague = {"utils.py", "util.py", "helpers.py", "misc.py", "common.py"}
    assert [str(path.relative_to(TOP)) for path in files(TOP) if path.name in vague] == []


def test_the_engine_knows_no_game() -> None:
    code = (path for path in files(*(TOP / stage for stage in STAGES)) if path.suffix == ".py")
    assert found(word_pattern(game_words()), [TOP / "grammar.lark", *code]) == []


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("a Tic-tac-toe board", True),
        ("play_aye(x)", True),
        ("AYE", True),
        ("player", False),
        ("tic tac", False),
    ],
)
def test_a_game_word_is_found_in_any_spelling_but_never_inside_a_word(text: str, holds: bool) -> None:
    assert bool(word_pattern({"tic_tac_toe", "aye"}).search(text)) is holds


def test_nothing_depends_on_one_machine() -> None:
    # Put together here, so that this file does not find itself.
    places = [rf"(?<![\w.])/{name}/" for name in ("work", "root", "home")]
    hosts = [rf"\b{name}[.]org\b" for name in ("pypi", "pythonhosted", "debian", "npmjs")]
    assert found(re.compile("|".join(places + hosts)), files(TOP, TOP / ".ci")) == []
