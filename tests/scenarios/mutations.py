"""Take the rules of a game out, one at a time.

Comes in: the trees of a game's files. Goes out: `Mutation`s: the name of a rule (its path, and for a line
of an effect its number) and the text of a variant in which it is missing. A definition is also given
another value, because taking it out is seen by the checker already. What stands under a kind of card (its
copies, what it is, what is printed on it, its rules) is read by `mutations_of_kinds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulewright.dsl.load import Loaded
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.types import NumberType, YesNoType, plain

KEYS = {
    "flow": ("turns", "turn", "who", "repeat", "until", "skip when", "if stuck"),
    "ends": ("when", "tie"),
    "zones": ("seen by",),
    "cards": ("starts in",),
    "options": ("from", "to"),
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One rule taken out (or changed). `variant` is the text of the variant file."""

    name: str
    variant: str


def mutations(loaded: Loaded, readers: dict[str, Reader] | None = None, of: str = "") -> list[Mutation]:
    """All of a game, in the order of its files; `of`: only of the files whose path has this in it."""
    readers = READERS if readers is None else readers
    found: list[Mutation] = []
    for file in loaded.files:
        tree = file.tree if of in file.path.as_posix() else None
        for section in tree.entries if isinstance(tree, Mapping) else ():
            if isinstance(section.value, Mapping) and section.key.text in readers:
                for entry in section.value.entries:
                    found += readers[section.key.text](loaded, entry)
            elif section.key.text == "flow" and isinstance(section.value, Sequence):
                for item in section.value.items:
                    found += _phase("flow", item)
    return found


def _variant(key: str, body: str) -> str:
    return f"variant: A rule taken out\nof: game\n{key}:{body}"


def removed(path: str) -> Mutation:
    """Without what stands at a path."""
    return Mutation(path, _variant("remove", f" [{path}]\n"))


def changed(name: str, path: str, text: str) -> Mutation:
    """With another text at a path; one of several lines stands in a block."""
    if text.strip().count("\n") or path.endswith("do"):
        lines = "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
        return Mutation(name, _variant("change", f"\n  {path}: |\n{lines}"))
    return Mutation(name, _variant("change", f"\n  {path}: {text}\n"))


def _name(entry: Entry) -> str:
    return entry.key.text.partition("(")[0].strip()


def _keyed(path: str, tree: Tree | None, keys: tuple[str, ...]) -> Iterator[Mutation]:
    if isinstance(tree, Mapping):
        yield from (removed(f"{path}.{e.key.text}") for e in tree.entries if e.key.text in keys)


def lines(path: str, tree: Tree | None) -> Iterator[Mutation]:
    """Each line of an effect, with what stands further in below it."""
    if not isinstance(tree, Scalar):
        return
    lines = tree.text.rstrip("\n").split("\n")
    depth = [len(x) - len(x.lstrip()) for x in lines]
    for i, line in enumerate(lines):
        after = next((j for j in range(i + 1, len(lines)) if depth[j] <= depth[i]), len(lines))
        rest = lines[:i] + lines[after:]
        name = f"{path} {i + 1}: {line.strip()}"
        yield changed(name, path, "\n".join(rest)) if rest else removed_as(name, path)


def removed_as(name: str, path: str) -> Mutation:
    """Without what stands at a path, under another name."""
    return Mutation(name, removed(path).variant)


def _define(loaded: Loaded, entry: Entry) -> Iterator[Mutation]:
    path = f"define.{_name(entry)}"
    yield removed(path)
    if isinstance(entry.value, Mapping):
        yield from (removed(f"{path}.{e.key.text}") for e in entry.value.entries if e.key.text != "by")
        return
    assert loaded.checked is not None
    match plain(loaded.checked.define_types[_name(entry)]):
        case NumberType():
            yield changed(f"{path}: 0", path, "0")
        case YesNoType():
            yield changed(f"{path}: yes", path, "1 is 1")


def _action(loaded: Loaded, entry: Entry) -> Iterator[Mutation]:
    path = f"actions.{_name(entry)}"
    yield removed(path)
    for key in entry.value.entries if isinstance(entry.value, Mapping) else ():
        match key.key.text, key.value:
            case "choose", Mapping(entries=chosen):
                yield from (removed(f"{path}.choose.{e.key.text}") for e in chosen)
            case "do", effect:
                yield from lines(f"{path}.do", effect)
            case "require", _:
                yield removed(f"{path}.require")


def event(loaded: Loaded, entry: Entry) -> Iterator[Mutation]:
    path = f"events.{_name(entry)}"
    yield removed(path)
    if isinstance(entry.value, Mapping):
        yield from lines(f"{path}.do", entry.value.get("do"))


Reader = Callable[[Loaded, Entry], Iterator[Mutation]]


def _plain(section: str, whole: bool = True) -> Reader:
    def read(_: Loaded, entry: Entry) -> Iterator[Mutation]:
        path = f"{section}.{_name(entry)}"
        if whole:
            yield removed(path)
        yield from _keyed(path, entry.value, KEYS.get(section, ()))

    return read


def _phase(before: str, item: Tree) -> Iterator[Mutation]:
    if not isinstance(item, Mapping):
        return
    entry = item.entries[0]
    path = f"{before}.{entry.key.text}"
    yield removed(path)
    if not isinstance(entry.value, Mapping):
        return
    yield from _keyed(path, entry.value, KEYS["flow"])
    yield from lines(f"{path}.do", entry.value.get("do"))
    for key in ("each turn", "phases"):
        inner = entry.value.get(key)
        for step in inner.items if isinstance(inner, Sequence) else ():
            yield from _phase(path, step)


READERS: dict[str, Reader] = {
    "define": _define,
    "actions": _action,
    "events": event,
    "rules": _plain("rules"),
    "ends": _plain("ends"),
    "options": _plain("options"),
    "zones": _plain("zones", whole=False),
    "cards": _plain("cards", whole=False),
}
