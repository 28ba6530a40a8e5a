"""Load the files of a game, and nothing outside its folder.

Comes in: a folder with `game.yaml`, or one file. Goes out: the trees of that file and of all it
includes, in the order of inclusion, and tables by name. What never happens: a file read from
outside the game's folder (not through `..`, not through a link), a special file opened, one file
read twice. To extend: another kind of file gets a loader beside `load_variants`.

    rules/NAME/game.yaml          include: [cards.yaml, flow.yaml, specials]
    rules/NAME/specials/*.yaml    all files of a folder that is included, by name
    rules/NAME/variants/*.yaml    rules/NAME/scenarios/*.yaml    rules/NAME/*.csv
    rules/NAME.yaml               a small game in one file

Names under `include`, and names of tables, count from the game's folder, with `/` on every system.
An unchanged file is not read into a tree again: trees are frozen, so they can be shared.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Generic, TypeVar

from rulewright.dsl.csv_reader import read_csv
from rulewright.dsl.plain_text import MAX_CHARACTERS, decode, too_large
from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.source import Mapping, Scalar, Sequence, Table, Tree
from rulewright.dsl.spelling import closest
from rulewright.dsl.yaml_reader import read_yaml

MAIN = "game.yaml"
MAX_FILES = 200
MAX_LISTED = 1000  # names looked at for "Did you mean …?"
MAX_CACHED = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class LoadedFile:
    """One file of a game. `name` is what problems call it; `tree` is None when nothing was readable."""

    name: str
    path: Path
    tree: Tree | None


def load_files(path: str | Path, problems: Problems) -> tuple[LoadedFile, ...]:
    """The main file at `path` (a game's folder, or a `.yaml` file), then all it includes.

    Included files come in the order of the lists, each directly followed by what it includes
    itself. What is missing, outside or named twice is a problem and left out; when the main file
    is not there, the result is empty.
    """
    main = _main_file(Path(path), problems)
    if main is None:
        return ()
    loader = _Loader(main.parent, problems)
    loader.load(main)
    return tuple(loader.loaded)


def load_variants(path: str | Path, problems: Problems) -> tuple[LoadedFile, ...]:
    """The files `variants/*.yaml` of the game at `path`, by name; empty for a game in one file."""
    return _load_folder(Path(path), "variants", problems)


def load_scenarios(path: str | Path, problems: Problems) -> tuple[LoadedFile, ...]:
    """The files `scenarios/*.yaml` of the game at `path`, by name; empty for a game in one file."""
    return _load_folder(Path(path), "scenarios", problems)


def read_table(folder: str | Path, name: str, problems: Problems, span: Span) -> Table | None:
    """The CSV table `name` in the game's `folder`; `span` is where the rules name it.

    None, with a problem, when it is not there, outside of the folder, or no table.
    """
    folder = Path(folder)
    path = _inside(folder, name, ".csv", span, problems)
    return None if path is None else _TABLES.read(path, span, problems)


def display_name(path: Path) -> str:
    """How problems call a file: from the current folder on if it lies below, else as given."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


class _Loader:
    """Follows the lists of included files; every file once."""

    def __init__(self, folder: Path, problems: Problems) -> None:
        self.folder, self.problems = folder, problems
        self.loaded: list[LoadedFile] = []
        self.first: dict[Path, str] = {}  # where each file was named first

    def load(self, main: Path) -> None:
        waiting: list[tuple[Path, Span]] = [(main, _top(main))]
        while waiting:
            path, span = waiting.pop()
            real = path.resolve()
            if real in self.first:
                self.named_twice(path, span, self.first[real])
                continue
            if len(self.loaded) >= MAX_FILES:
                text = f"A game cannot have more than {MAX_FILES} files."
                self.problems.error("E157", span, text, "Put several of them together.")
                return
            self.first[real] = str(span) if self.loaded else ""
            tree = _TREES.read(path, span, self.problems)
            self.loaded.append(LoadedFile(display_name(path), path, tree))
            waiting += reversed(self.included(tree))

    def included(self, tree: Tree | None) -> list[tuple[Path, Span]]:
        entry = tree.entry("include") if isinstance(tree, Mapping) else None
        if entry is None:
            return []
        items = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
        found: list[tuple[Path, Span]] = []
        for item in items:
            if not isinstance(entry.value, Sequence) or not isinstance(item, Scalar):
                span = item.span if item is not None else entry.key.span
                text = "`include` is a list of names of files."
                self.problems.error("E152", span, text, "Write `include: [cards.yaml, flow.yaml]`.")
                continue
            for name in self.files_in(item.text):
                path = _inside(self.folder, name, ".yaml", item.span, self.problems)
                if path is not None:
                    found.append((path, item.span))
        return found

    def files_in(self, name: str) -> list[str]:
        """The names of the files in a folder of the game, or the name itself if it is none."""
        folder = self.folder / name
        safe = "\\" not in name and ":" not in name and ".." not in PurePosixPath(name).parts
        if (
            not safe
            or not name.strip()
            or not name.isprintable()
            or _kind(folder) != "folder"
            or not _within(folder, self.folder)
        ):
            return [name]
        files = [child for child in _listed(folder) if child.endswith(".yaml") and not child.startswith(".")]
        return [f"{name.rstrip('/')}/{child}" for child in files] or [name]

    def named_twice(self, path: Path, span: Span, first: str) -> None:
        where = f"it is included at {first} already" if first else "it is the file the game begins with"
        text = f"`{path.name}` cannot be included here: {where}."
        self.problems.error("E155", span, text, "Include each file once; remove this name.")


def _main_file(path: Path, problems: Problems) -> Path | None:
    span = _top(path)
    kind = _kind(path)
    if kind == "folder":
        main = path / MAIN
        if _kind(main) == "file" and _within(main, path):
            return main
        text = f"There is no file `{MAIN}` in this folder, so it holds no game."
        near = closest(MAIN, _names(path, ".yaml", ".yml"))
        problems.error("E151", span, text, _or_near(f"Name the main file of the game `{MAIN}`.", near))
    elif kind == "nothing":
        near = closest(path.name, _listed(path.parent))
        problems.error("E150", span, f"There is no `{path.name}` here.", _or_near("Check the name.", near))
    elif kind == "special":
        problems.error("E156", span, "This is neither a file nor a folder.", "Give a game's folder or file.")
    elif path.suffix != ".yaml":
        problems.error("E159", span, "A file of rules has a name that ends with `.yaml`.", "Rename it.")
    else:
        return path
    return None


def _load_folder(path: Path, name: str, problems: Problems) -> tuple[LoadedFile, ...]:
    game = path.parent if path.name == MAIN else path
    folder = game / name
    if _kind(folder) != "folder":
        return ()
    names = [child for child in _listed(folder) if not child.startswith(".")]
    loaded = []
    for child in names[:MAX_FILES]:
        span = _top(folder / child)
        found = _inside(game, f"{name}/{child}", ".yaml", span, problems)
        if found is not None:
            loaded.append(LoadedFile(span.file, found, _TREES.read(found, span, problems)))
    if len(names) > MAX_FILES:
        text = f"There are more than {MAX_FILES} files in `{name}`."
        problems.error("E157", _top(folder), text, "Put several of them together.")
    return tuple(loaded)


def _inside(folder: Path, name: str, suffix: str, span: Span, problems: Problems) -> Path | None:
    """The path of the file `name` in `folder`, or None with the problem at `span`."""
    pure = PurePosixPath(name)
    if "\\" in name or not name.isprintable() or not name.strip():
        text, cure = (
            "This is no name of a file.",
            f"Write it like `parts/cards{suffix}`, with `/` between folders.",
        )
        problems.error("E152", span, text, cure)
    elif pure.is_absolute() or ":" in name or ".." in pure.parts or name.startswith("~"):
        _outside(name, span, problems)
    elif pure.suffix != suffix:
        text = f"A name that ends with `{suffix}` is needed here."
        near = closest(f"{name}{suffix}", _names(folder, suffix))
        problems.error("E159", span, text, _or_near("Files of rules end with .yaml, tables with .csv.", near))
    else:
        return _existing(folder, folder / pure, name, suffix, span, problems)
    return None


def _existing(
    folder: Path, path: Path, name: str, suffix: str, span: Span, problems: Problems
) -> Path | None:
    kind = _kind(path)
    if kind == "nothing":
        near = closest(name, _names(folder, suffix))
        text = f"There is no file `{name}` in `{folder.name or folder}`."
        problems.error("E154", span, text, _or_near("Check the name, or write the file.", near))
    elif not _within(path, folder):
        _outside(name, span, problems)
    elif kind != "file":
        what = "a folder" if kind == "folder" else "no ordinary file"
        problems.error("E156", span, f"`{name}` is {what}.", f"Name a file that ends with `{suffix}`.")
    else:
        return path
    return None


def _outside(name: str, span: Span, problems: Problems) -> None:
    text = f"`{name}` leads out of the folder of the game."
    problems.error("E153", span, text, "Put the file into the game's folder and name it from there.")


def _kind(path: Path) -> str:
    """What is at `path`: "file", "folder", "special" or "nothing" (also: may not be looked at)."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return "nothing"
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "special"


def _within(path: Path, folder: Path) -> bool:
    """Whether `path` lies in `folder` once all links are followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _names(folder: Path, *suffixes: str) -> list[str]:
    """Files in and below `folder` that could have been meant; hidden ones and links are not looked at."""
    found: list[str] = []
    looked = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            looked += 1
            if name.endswith(suffixes) and not name.startswith("."):
                found.append((Path(place) / name).relative_to(folder).as_posix())
        looked += len(folders)
        if looked > MAX_LISTED:
            break
    return found


def _listed(folder: Path) -> list[str]:
    """What stands in a folder, by name; nothing when it cannot be looked at."""
    try:
        return sorted(child.name for child in folder.iterdir())[:MAX_LISTED]
    except OSError:
        return []


def _top(path: Path) -> Span:
    return Span(display_name(path), 1, 1, 1, 1)


def _or_near(cure: str, near: str | None) -> str:
    return f"Did you mean `{near}`?" if near else cure


class _Kept(Generic[T]):
    """Reads files of one kind, and keeps what was read as long as name and content stay the same."""

    def __init__(self, reader: Callable[[str, str, Problems], T | None]) -> None:
        self.reader = reader
        self.known: dict[tuple[str, bytes], tuple[T | None, tuple[Problem, ...]]] = {}

    def read(self, path: Path, span: Span, problems: Problems) -> T | None:
        """What the file says, None when it says nothing; `span` is where the file is named."""
        name = display_name(path)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_CHARACTERS + 1)
        except OSError as error:
            cure = "Check that the file is there and that you may read it."
            problems.error("E158", span, f"`{path.name}` cannot be read: {error.strerror}.", cure)
            return None
        key = (name, sha256(data).digest())
        if key not in self.known:
            if len(self.known) >= MAX_CACHED:
                del self.known[next(iter(self.known))]
            self.known[key] = self.fresh(data, name)
        result, said = self.known[key]
        problems.extend(said)
        return result

    def fresh(self, data: bytes, name: str) -> tuple[T | None, tuple[Problem, ...]]:
        found = Problems()
        if len(data) > MAX_CHARACTERS:
            too_large(name, found)
            return None, tuple(found)
        text = decode(data, name, found)
        result = None if text is None else self.reader(text, name, found)
        return result, tuple(found)


_TREES: _Kept[Tree] = _Kept(read_yaml)
_TABLES: _Kept[Table] = _Kept(read_csv)
