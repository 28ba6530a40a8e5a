"""Take the rules of a kind of card out, one at a time, and what belongs to it in the same file.

Comes in: the trees of a game's files. Goes out: more `Mutation`s than `mutations.py` makes: of a kind its
copies, each kind that it is, each value printed on it and each of its rules; of a rule also its condition,
each event of several, and each line of what it does; of an action each requirement and each condition on
what is chosen; of a definition every value of its table, and a set or piece that it gives is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.load import Loaded
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.types import NumberType, SetType, YesNoType, plain
from rulewright.tests.scenarios import mutations as simple
from rulewright.tests.scenarios.mutations import Mutation, Reader, changed, removed

RULE_KEYS = ("when", "used when")
EVENT_KEYS = ("forbid", "instead of", "before", "after")
MANY = "9"  # copies that no kind of card has


def mutations_of_kinds(loaded: Loaded, of: str) -> list[Mutation]:
    """All of the files of a game whose path has `of` in it."""
    return simple.mutations(loaded, READERS, of)


def _kind(_: Loaded, entry: Entry) -> Iterator[Mutation]:
    path = f"cards.{entry.key.text}"
    yield removed(path)
    for key in entry.value.entries if isinstance(entry.value, Mapping) else ():
        match key.key.text, key.value:
            case "copies", _:
                yield changed(f"{path}.copies: {MANY}", f"{path}.copies", MANY)
            case "is", value:
                yield from _without_each(f"{path}.is", value, "card")
            case "printed" | "attributes", Mapping(entries=printed):
                yield from (removed(f"{path}.{key.key.text}.{e.key.text}") for e in printed)
            case "rules", Mapping(entries=rules):
                for rule in rules:
                    yield from _rule(f"{path}.rules.{rule.key.text}", rule.value)


def _rule(path: str, tree: Tree | None) -> Iterator[Mutation]:
    yield removed(path)
    for key in tree.entries if isinstance(tree, Mapping) else ():
        if key.key.text in RULE_KEYS:
            yield removed(f"{path}.{key.key.text}")
        elif key.key.text in EVENT_KEYS and isinstance(key.value, Sequence):
            yield from _without_each(f"{path}.{key.key.text}", key.value, "")
        elif key.key.text == "do":
            yield from simple.lines(f"{path}.do", key.value)


def _without_each(path: str, value: Tree | None, instead: str) -> Iterator[Mutation]:
    """A list without each of its items; a single text becomes `instead`."""
    if not isinstance(value, Sequence):
        yield changed(f"{path}: {instead}", path, instead)
        return
    words = [x.text for x in value.items if isinstance(x, Scalar)]
    for word in words:
        rest = ", ".join(w for w in words if w != word)
        yield changed(f"{path} without {word}", path, f"[{rest}]")


def _action(_: Loaded, entry: Entry) -> Iterator[Mutation]:
    path = f"actions.{entry.key.text}"
    yield removed(path)
    for key in entry.value.entries if isinstance(entry.value, Mapping) else ():
        match key.key.text, key.value:
            case "choose", Mapping(entries=chosen):
                for e in chosen:
                    yield from _chosen(f"{path}.choose.{e.key.text}", e.value)
            case "do", effect:
                yield from simple.lines(f"{path}.do", effect)
            case "require", Sequence(items=checks):
                for i in range(len(checks)):
                    rest = [c for j, c in enumerate(checks) if j != i]
                    yield _required(f"{path}.require {i + 1}", f"{path}.require", rest)
            case "used when", _:
                yield removed(f"{path}.used when")


def _chosen(path: str, value: Tree | None) -> Iterator[Mutation]:
    yield removed(path)
    what, where, _ = value.text.partition(" where ") if isinstance(value, Scalar) else ("", "", "")
    if where:
        yield changed(f"{path} without where", path, what)


def _required(name: str, path: str, checks: list[Tree]) -> Mutation:
    """With these requirements alone."""
    if not checks:
        return simple.removed_as(name, path)
    texts = "".join(
        f"    - check: {_text(c, 'check')}\n      because: {_text(c, 'because')}\n" for c in checks
    )
    return Mutation(name, f"variant: A rule taken out\nof: game\nchange:\n  {path}:\n{texts}")


def _text(tree: Tree, key: str) -> str:
    found = tree.get(key) if isinstance(tree, Mapping) else None
    assert isinstance(found, Scalar)
    return found.text


def _define(loaded: Loaded, entry: Entry) -> Iterator[Mutation]:
    name = entry.key.text.partition("(")[0].strip()
    path = f"define.{name}"
    yield removed(path)
    paths = [path]
    if isinstance(entry.value, Mapping):
        paths = [f"{path}.{e.key.text}" for e in entry.value.entries if e.key.text != "by"]
        yield from (removed(p) for p in paths)
    assert loaded.checked is not None
    match plain(loaded.checked.define_types[name]):
        case NumberType():
            others = ["0"]
        case YesNoType():
            others = ["1 is 1", "1 is 2"]
        case SetType():
            others = ['"[]"']
        case _:
            others = ["none"]
    yield from (changed(f"{p}: {o}", p, o) for p in paths for o in others)


def _rules(_: Loaded, entry: Entry) -> Iterator[Mutation]:
    yield from _rule(f"rules.{entry.key.text}", entry.value)


READERS: dict[str, Reader] = {
    "cards": _kind,
    "actions": _action,
    "events": simple.event,
    "define": _define,
    "rules": _rules,
}
