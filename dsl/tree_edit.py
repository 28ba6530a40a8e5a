"""Edit a tree by path: change, remove and add, for variants.

Comes in: a tree, a path as its parts, a value. Goes out: a new tree; the old one is untouched. A part of
a path is a key, a phase of a list by its name, or the name of a header (`worth` for `worth(card c)`);
phases inside a phase are named directly (`flow.play.act`). A path that leads nowhere raises `PathError`,
which `dsl/variants.py` turns into a problem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.dsl.problems import Span
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, SourceMap, Tree

Act = Callable[[Tree | None], Tree | None]


class PathError(Exception):
    """A path that leads nowhere; `known` are the names at the place where it stops."""

    def __init__(self, part: str, known: list[str], before: str) -> None:
        super().__init__(part)
        self.part, self.known, self.before = part, known, before


def change(tree: Mapping, parts: list[str], value: Tree, before: str = "") -> Mapping:
    """The tree with another value at a path; the last part may be a new key of an existing mapping."""
    return _whole(_rebuild(tree, parts, before, lambda _: value, last_may_be_new=True))


def remove(tree: Mapping, parts: list[str], before: str = "") -> Mapping:
    """The tree without what stands at a path."""
    return _whole(_rebuild(tree, parts, before, lambda _: None))


def add(tree: Mapping, parts: list[str], entry: Entry) -> Mapping:
    """The tree with more entries in a mapping, or more items at the end of a list, at a path."""
    value = entry.value
    assert value is not None

    def joined(old: Tree | None) -> Tree:
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            return _added(old, value, ".".join(parts))
        if isinstance(old, Sequence):
            return _appended(old, value.items if isinstance(value, Sequence) else (value,), ".".join(parts))
        if old is None and isinstance(value, Mapping):
            return _added(replace(value, entries=()), value, ".".join(parts))
        if old is None:
            return value
        raise PathError(parts[-1], [], ".".join(parts[:-1]))

    return _whole(_rebuild(tree, parts, "", joined, last_may_be_new=True))


def _whole(tree: Tree | None) -> Mapping:
    assert isinstance(tree, Mapping)  # the root of a game is never taken out
    return tree


def _added(old: Mapping, new: Mapping, path: str) -> Mapping:
    entries = list(old.entries)
    for entry in new.entries:
        place = next((i for i, e in enumerate(entries) if e.key.text == entry.key.text), None)
        value = entry.value
        if place is None:
            entry, wish = _placed(entry)
            known = [_key_of_header(e.key.text) for e in entries]
            entries.insert(_position(wish, known, path), entry)
            continue
        inner = entries[place].value
        if not isinstance(inner, Mapping) or not isinstance(value, Mapping):
            raise PathError(f"{entry.key.text} (it is there already: change it instead)", [], path)
        entries[place] = Entry(entries[place].key, _added(inner, value, f"{path}.{entry.key.text}"))
    return replace(old, entries=tuple(entries))


def _appended(old: Sequence, new: tuple[Tree, ...], path: str) -> Sequence:
    items = list(old.items)
    for item in new:
        wish = None
        if isinstance(item, Mapping) and len(item.entries) == 1:
            entry, wish = _placed(item.entries[0])
            item = replace(item, entries=(entry,))
        items.insert(_position(wish, [_name_of(x) for x in items], path), item)
    return replace(old, items=tuple(items), raw=None)


def _placed(entry: Entry) -> tuple[Entry, str | None]:
    """An added phase or rule without its `placed: before NAME`, and that wish."""
    value = entry.value
    wish = value.get("placed") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(wish, Scalar):
        return entry, None
    kept = tuple(e for e in value.entries if e.key.text != "placed")
    return Entry(entry.key, replace(value, entries=kept)), wish.text.strip()


def _position(wish: str | None, known: list[str], path: str) -> int:
    """Where something added goes: at the end, or before or after what it names."""
    if wish is None:
        return len(known)
    word, _, name = wish.partition(" ")
    if word not in ("before", "after"):
        raise PathError(wish, ["before NAME", "after NAME"], path)
    if name not in known:
        raise PathError(name, known, path)
    return known.index(name) + (word == "after")


def _name_of(item: Tree) -> str:
    if isinstance(item, Mapping) and len(item.entries) == 1:
        return item.entries[0].key.text
    return item.text if isinstance(item, Scalar) else ""


def _key_of_header(text: str) -> str:
    return text.split("(")[0].strip()


def _rebuild(
    tree: Tree | None, parts: list[str], before: str, act: Act, last_may_be_new: bool = False
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
        made = act(None)
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
        value = act(entry.value) if not rest else _rebuild(entry.value, rest, path, act, last_may_be_new)
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
    tree: Sequence, parts: list[str], before: str, act: Act, last_may_be_new: bool = False
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
                value = act(item)
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
