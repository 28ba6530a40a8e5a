"""Variants: a game with some of its rules changed, removed or added, by path.

Comes in: the merged tree of a game and a variant file. Goes out: a new tree; the old one is untouched. A
path that does not exist is a problem with a suggestion (E340 … E349).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.dsl.files import LoadedFile, load_files
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.schema import VARIANT
from rulewright.dsl.shapes import check_shape
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, SourceMap, Tree
from rulewright.dsl.spelling import closest
from rulewright.dsl.tables import CellChange


@dataclass(frozen=True, slots=True)
class Overlay:
    """A tree with variants laid over it, the cells of tables they change and the options they set."""

    tree: Mapping
    cells: tuple[CellChange, ...]
    options: tuple[tuple[str, Tree], ...]


class PathError(Exception):
    """A path that leads nowhere; `known` are the names at the place where it stops."""

    def __init__(self, part: str, known: list[str], before: str) -> None:
        super().__init__(part)
        self.part, self.known, self.before = part, known, before


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
            result = _attempt(result, item, problems, lambda t, parts: remove(t, parts))
    added = tree.get("add")
    if isinstance(added, Mapping):
        for entry in added.entries:
            if entry.value is not None:
                result = _attempt(result, entry.key, problems, lambda t, parts, e=entry: add(t, parts, e))
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


def _attempt(tree: Mapping, at: Scalar, problems: Problems, act: object) -> Mapping:
    try:
        return act(tree, at.text.split("."))  # type: ignore[operator, no-any-return]
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


def change(tree: Tree, parts: list[str], value: Tree, before: str = "") -> Mapping:
    """The tree with another value at a path; the last part may be a new key of an existing mapping."""
    return _rebuild(tree, parts, before, lambda old: value, last_may_be_new=True)  # type: ignore[return-value]


def remove(tree: Tree, parts: list[str], before: str = "") -> Mapping:
    """The tree without what stands at a path."""
    return _rebuild(tree, parts, before, lambda old: None)  # type: ignore[return-value]


def add(tree: Mapping, parts: list[str], entry: Entry) -> Mapping:
    """The tree with more entries in a mapping, or more items at the end of a list, at a path."""
    value = entry.value
    assert value is not None

    def joined(old: Tree | None) -> Tree:
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            return _added(old, value, ".".join(parts))
        if isinstance(old, Sequence):
            items = value.items if isinstance(value, Sequence) else (value,)
            return replace(old, items=(*old.items, *items), raw=None)
        if old is None:
            return value
        raise PathError(parts[-1], [], ".".join(parts[:-1]))

    return _rebuild(tree, parts, "", joined, last_may_be_new=True)  # type: ignore[return-value]


def _added(old: Mapping, new: Mapping, path: str) -> Mapping:
    entries = list(old.entries)
    for entry in new.entries:
        place = next((i for i, e in enumerate(entries) if e.key.text == entry.key.text), None)
        where = None
        value = entry.value
        if isinstance(value, Mapping) and "placed" in value:
            pass
        if place is None:
            entries.insert(len(entries) if where is None else where, entry)
        elif isinstance(entries[place].value, Mapping) and isinstance(value, Mapping):
            inner = entries[place].value
            assert isinstance(inner, Mapping)
            entries[place] = Entry(entries[place].key, _added(inner, value, f"{path}.{entry.key.text}"))
        else:
            raise PathError(f"{entry.key.text} (it is there already: change it instead)", [], path)
    return replace(old, entries=tuple(entries))


def _key_of_header(text: str) -> str:
    return text.split("(")[0].strip()


def _rebuild(
    tree: Tree | None, parts: list[str], before: str, act: object, last_may_be_new: bool = False
) -> Tree | None:
    part, rest = parts[0], parts[1:]
    if isinstance(tree, Sequence):
        return _rebuild_list(tree, parts, before, act, last_may_be_new)
    if not isinstance(tree, Mapping):
        raise PathError(part, [], before)
    known = [_key_of_header(e.key.text) for e in tree.entries]
    inner = None if part in known else _phase_list_with(tree, part)
    if inner is not None:  # `flow.play.act` names a phase of `play`, whichever list it stands in
        return _rebuild(tree, [inner, *parts], before, act, last_may_be_new)
    if part not in known and not rest and last_may_be_new:
        made = act(None)  # type: ignore[operator]
        span = made.span if made is not None else tree.span
        key = Scalar(part, span, "plain", _map_of(made))
        return replace(tree, entries=(*tree.entries, Entry(key, made)))
    if part not in known:
        raise PathError(part, known, before)
    entries = []
    for entry, name in zip(tree.entries, known, strict=True):
        if name != part:
            entries.append(entry)
            continue
        path = f"{before}.{part}" if before else part
        value = act(entry.value) if not rest else _rebuild(entry.value, rest, path, act, last_may_be_new)  # type: ignore[operator]
        if value is not None:
            entries.append(Entry(entry.key, value))
    return replace(tree, entries=tuple(entries))


def _phase_list_with(tree: Mapping, name: str) -> str | None:
    """The key of the list of phases in which one is called `name`."""
    for key in ("each turn", "phases"):
        phases = tree.get(key)
        for item in phases.items if isinstance(phases, Sequence) else ():
            if isinstance(item, Mapping) and any(e.key.text == name for e in item.entries):
                return key
    return None


def _rebuild_list(
    tree: Sequence, parts: list[str], before: str, act: object, last_may_be_new: bool = False
) -> Tree:
    part, rest = parts[0], parts[1:]
    known: list[str] = []
    items: list[Tree] = []
    found = False
    for item in tree.items:
        if isinstance(item, Mapping) and len(item.entries) == 1:
            name = item.entries[0].key.text
            known.append(name)
            if name == part:
                found = True
                made = _rebuild(item, parts, before, act, last_may_be_new)
                if isinstance(made, Mapping) and made.entries:
                    items.append(made)
                continue
        elif isinstance(item, Scalar):
            known.append(item.text)
            if item.text == part and not rest:
                found = True
                value = act(item)  # type: ignore[operator]
                if value is not None:
                    items.append(value)
                continue
        items.append(item)
    if not found:
        raise PathError(part, known, before)
    return replace(tree, items=tuple(items), raw=None)


def _map_of(tree: Tree | None) -> SourceMap:
    if isinstance(tree, Scalar):
        return tree.map
    span = tree.span if tree is not None else Span("", 1, 1, 1, 1)
    return SourceMap(span.file, ((0, span.line, span.column),))
