"""Variants: a game with some of its rules changed, removed or added, by path.

Comes in: the merged tree of a game and a variant file. Goes out: a new tree; the old one is untouched. A
path that does not exist is a problem with a suggestion (E340 … E349).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl.files import LoadedFile, load_files
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.schema import VARIANT
from rulewright.dsl.shapes import check_shape
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest
from rulewright.dsl.tables import CellChange
from rulewright.dsl.tree_edit import PathError, add, change, remove


@dataclass(frozen=True, slots=True)
class Overlay:
    """A tree with variants laid over it, the cells of tables they change and the options they set."""

    tree: Mapping
    cells: tuple[CellChange, ...]
    options: tuple[tuple[str, Tree], ...]


def variant_path(folder: Path, name: str) -> Path | None:
    """The file of a variant: by its name under `variants/`, or a path."""
    for path in (folder / "variants" / f"{name}.yaml", Path(name)):
        if path.is_file():
            return path
    return None


def variant_names(folder: Path) -> list[str]:
    """The names of the variants of the game in a folder."""
    return sorted(p.stem for p in (folder / "variants").glob("*.yaml"))


def overlay(
    base: Overlay, folder: Path, name: str, problems: Problems
) -> tuple[Overlay, str, LoadedFile | None]:
    """Lay one variant over a tree; gives the new overlay, the variant's title and its file."""
    path = variant_path(folder, name)
    if path is None:
        names = variant_names(folder)
        near = closest(name, names)
        cure = (f"Did you mean `{near}`? " if near else "") + (
            f"Variants here: {', '.join(names)}." if names else "This game has no variants."
        )
        problems.error("E341", Span(name, 1, 1, 1, 1), f"There is no variant `{name}`.", cure)
        return base, "", None
    found = load_files(path, problems)
    if not found:
        return base, "", None
    file = found[0]
    if not isinstance(file.tree, Mapping):
        return base, "", file
    tree = file.tree
    if not check_shape(
        tree, VARIANT, "The variant", tree.entries[0].key.span if tree.entries else tree.span, problems
    ):
        return base, "", file
    title = tree.get("variant")
    result, cells = base.tree, list(base.cells)
    for entry in _entries(tree, "change"):
        result = _change(result, entry, cells, problems)
    removed = tree.get("remove")
    for item in removed.items if isinstance(removed, Sequence) else ():
        if isinstance(item, Scalar):
            result = _attempt(result, item, problems, remove)
    added = tree.get("add")
    if isinstance(added, Mapping):
        for entry in added.entries:
            if entry.value is not None:
                result = _attempt(result, entry.key, problems, _adding(entry))
    options = tuple((e.key.text, e.value) for e in _entries(tree, "options") if e.value is not None)
    for option, _ in options:
        known = result.get("options")
        names = [e.key.text for e in known.entries] if isinstance(known, Mapping) else []
        if option not in names:
            near = closest(option, names)
            problems.error(
                "E342",
                _entry_span(tree, "options", option),
                f"The game has no option `{option}`.",
                f"Did you mean `{near}`?" if near else f"Options: {', '.join(names)}.",
            )
    text = title.text if isinstance(title, Scalar) else name
    return Overlay(result, tuple(cells), (*base.options, *options)), text, file


def _entries(tree: Mapping, key: str) -> tuple[Entry, ...]:
    value = tree.get(key)
    return value.entries if isinstance(value, Mapping) else ()


def _entry_span(tree: Mapping, key: str, name: str) -> Span:
    for entry in _entries(tree, key):
        if entry.key.text == name:
            return entry.key.span
    return tree.span


def _attempt(
    tree: Mapping, at: Scalar, problems: Problems, act: Callable[[Mapping, list[str]], Mapping]
) -> Mapping:
    try:
        return act(tree, at.text.split("."))
    except PathError as error:
        near = closest(error.part, error.known)
        where = f"under `{error.before}`" if error.before else "in the game"
        listed = ", ".join(error.known[:15]) or "nothing"
        problems.error(
            "E340",
            at.span,
            f"The path `{at.text}` leads nowhere: there is no `{error.part}` {where}.",
            f"Did you mean `{near}`?" if near else f"There is: {listed}.",
        )
        return tree


def _change(tree: Mapping, entry: Entry, cells: list[CellChange], problems: Problems) -> Mapping:
    parts = entry.key.text.split(".")
    if entry.value is None:
        return tree
    if len(parts) == 4 and isinstance(entry.value, Scalar) and parts[0] in ("types", "cards"):
        section = tree.get(parts[0])
        holder = section.get(parts[1]) if isinstance(section, Mapping) else None
        if isinstance(holder, Mapping) and "table" in holder and parts[2] not in holder:
            cells.append(CellChange(parts[1], parts[2], parts[3], entry.value))
            return tree
    value = entry.value
    if len(parts) == 2 and parts[0] == "options" and isinstance(value, (Scalar, Sequence)):
        parts = [*parts, "default"]  # `options.hands: 3` sets what it is by itself
    return _attempt(tree, entry.key, problems, lambda t, _: change(t, parts, value))


def _adding(entry: Entry) -> Callable[[Mapping, list[str]], Mapping]:
    return lambda tree, parts: add(tree, parts, entry)
