"""Load a game: from files to a checked model, with every problem of all of them.

Comes in: the name of a bundled game or a path, and variants. Goes out: `Loaded`. The stages: files → one
merged tree → variants laid over it → schema → declarations → check. What never happens: an exception for a
wrong file.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import Path

from rulewright.dsl.check_game import check_game
from rulewright.dsl.declare import declare
from rulewright.dsl.files import LoadedFile, load_files
from rulewright.dsl.model import Checked, Game
from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.schema import GAME, GAME_KEYS
from rulewright.dsl.shapes import check_shape
from rulewright.dsl.source import Entry, Mapping, Sequence
from rulewright.dsl.spelling import closest
from rulewright.dsl.tables import Tables
from rulewright.dsl.variants import Overlay, overlay


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading a game gave: `game` and `checked` are None when there is too little to go on."""

    game: Game | None
    checked: Checked | None
    problems: tuple[Problem, ...]
    files: tuple[LoadedFile, ...]
    path: Path | None

    @property
    def ok(self) -> bool:
        """Whether the game can be played."""
        return self.checked is not None and not any(p.severity == "error" for p in self.problems)


def bundled_rules() -> Path:
    """The folder of the bundled games."""
    return Path(str(package_files("rulewright.dsl"))).resolve().parent / "rules"


def bundled_games() -> list[str]:
    """The names of the bundled games."""
    root = bundled_rules()
    return sorted(p.parent.name for p in root.glob("*/game.yaml")) if root.is_dir() else []


def find_game(name: str) -> Path | None:
    """The path of a game: a file or folder that exists, or a bundled game."""
    path = Path(name)
    if path.is_dir() and (path / "game.yaml").is_file():
        return path
    if path.is_file() and path.suffix == ".yaml":
        return path.parent if path.name == "game.yaml" else path
    bundled = bundled_rules() / name
    if "/" not in name and "\\" not in name and (bundled / "game.yaml").is_file():
        return bundled
    return None


def load_game(name: str, variants: tuple[str, ...] = ()) -> Loaded:
    """Load and check a game with variants (names of files under `variants/`, or paths) laid over it in
    order.
    """
    problems = Problems()
    path = find_game(name)
    if path is None:
        near = closest(name, bundled_games())
        hint = f"Did you mean `{near}`? " if near else ""
        problems.error(
            "E151",
            Span(name, 1, 1, 1, 1),
            f"There is no game `{name}`.",
            f"{hint}Bundled games: {', '.join(bundled_games())}.",
        )
        return Loaded(None, None, tuple(problems), (), None)
    loaded = load_files(path, problems)
    tree = merge(loaded, problems)
    if tree is None:
        return Loaded(None, None, tuple(problems), loaded, path)
    folder = path if path.is_dir() else path.parent
    titles: list[str] = []
    changed = Overlay(tree, (), ())
    for variant in variants:
        changed, title, variant_file = overlay(changed, folder, variant, problems)
        if variant_file is not None:
            loaded = (*loaded, variant_file)
        titles.append(title or variant)
    check_shape(changed.tree, GAME, "The game", _head(changed.tree), problems)
    shown = tuple(f.name for f in loaded)
    tables = Tables(folder, problems, changed.cells)
    game = declare(
        changed.tree,
        path.stem if path.is_file() else path.name,
        folder,
        tables,
        problems,
        tuple(variants),
        changed.options,
        shown,
    )
    checked = check_game(game, problems)
    return Loaded(game, checked, tuple(problems), loaded, path)


def _head(tree: Mapping) -> Span:
    return tree.entries[0].key.span if tree.entries else tree.span


def merge(loaded: tuple[LoadedFile, ...], problems: Problems) -> Mapping | None:
    """One tree of all files: sections that hold names are joined, everything else may stand once."""
    trees = [f.tree for f in loaded if isinstance(f.tree, Mapping)]
    for file in loaded:
        if file.tree is not None and not isinstance(file.tree, Mapping):
            problems.error(
                "E300",
                file.tree.span,
                "A rule file consists of keys with a colon.",
                "Begin with `game: …` in a line of its own.",
            )
    if not trees:
        return None
    sections: dict[str, Entry] = {}
    for tree in trees:
        for entry in tree.entries:
            key = entry.key.text
            if key == "include" and not isinstance(entry.value, Sequence):
                continue  # reported when the files were read
            old = sections.get(key)
            if old is None:
                sections[key] = entry
            elif key == "include":
                continue
            elif isinstance(old.value, Mapping) and isinstance(entry.value, Mapping) and key in GAME_KEYS:
                sections[key] = Entry(old.key, _joined(old.value, entry.value, key, problems))
            else:
                problems.error(
                    "E310",
                    entry.key.span,
                    f"`{key}` stands in two files: also in {old.key.span.file}.",
                    "Keep it in one of them.",
                )
    return Mapping(tuple(sections.values()), trees[0].span)


def _joined(old: Mapping, new: Mapping, section: str, problems: Problems) -> Mapping:
    entries: dict[str, Entry] = {e.key.text: e for e in old.entries}
    for entry in new.entries:
        if entry.key.text in entries:
            other = entries[entry.key.text].key.span
            problems.error(
                "E310",
                entry.key.span,
                f"`{entry.key.text}` stands twice under `{section}`: also at {other}.",
                "Give one of them another name.",
            )
        entries.setdefault(entry.key.text, entry)
    return Mapping(tuple(entries.values()), old.span)
