"""Boxes that are all alike in their arrows, drawn as one box with a line for each of them.

Comes in: a graph of `viz/parts`. Goes out: a graph for drawing, in which boxes of one kind that have the
same arrows to the same boxes have become one, with what each of them is called in its lines; whom it
stands for is in `Box.members`. What never happens: a box is left out without being named, a box that
somebody asked for by name (`Picture.centres`) is taken in, or the graph that came in is changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulewright.viz.parts import Arrow, Box, Graph, add_arrow, arrows, boxes, picture_of
from rulewright.viz.wording import spoken

TOLD_IN_FULL = 3
"""A bundle of more boxes than this gives their titles only."""
SHORT = 16
"""Signs of a detail that stands behind a title, not under it."""
PARTED = ("end", "phase", "setup", "start", "whenever")
"""Kinds of boxes that each stand for a moment of the game: a bundle of them would hide the way through it."""

_Look = tuple[str, str, str, frozenset[tuple[str, str, str, bool, str]]]


def bundled(graph: Graph, least: int = 2) -> tuple[Graph, int]:
    """The graph with its bundles, and how many boxes lie in them.

    Fewer than `least` boxes that are alike stay as they are; so does a box without any arrow.
    """
    alike: dict[_Look, list[str]] = {}
    touching = _touching(graph)
    for key, box in boxes(graph):
        if box.kind not in PARTED and touching[key] and key not in picture_of(graph).centres:
            look = (box.kind, _word(box), box.frame, frozenset(touching[key]))
            alike.setdefault(look, []).append(key)
    bundles = [keys for keys in alike.values() if len(keys) >= least]
    into = {key: keys[0] for keys in bundles for key in keys}
    drawn = graph.__class__()
    drawn.graph["picture"] = picture_of(graph)
    for key, box in boxes(graph):
        if into.get(key, key) == key:
            drawn.add_node(key, box=box)
    for keys in bundles:
        drawn.nodes[keys[0]]["box"] = _bundle([graph.nodes[key]["box"] for key in keys], keys)
    for source, target, arrow in arrows(graph):
        add_arrow(drawn, into.get(source, source), into.get(target, target), arrow)
    beside = [(into.get(a, a), into.get(b, b)) for a, b in picture_of(graph).beside]
    drawn.graph["picture"] = replace(picture_of(graph), beside=list(dict.fromkeys(beside)))
    return drawn, len(into)


def _touching(graph: Graph) -> dict[str, list[tuple[str, str, str, bool, str]]]:
    """For each box what its arrows say, without itself."""
    found: dict[str, list[tuple[str, str, str, bool, str]]] = {key: [] for key in graph}
    for source, target, arrow in arrows(graph):
        found[source].append(("to", target, *_said(arrow)))
        found[target].append(("from", source, *_said(arrow)))
    return found


def _said(arrow: Arrow) -> tuple[str, bool, str]:
    return arrow.relation, arrow.backwards, arrow.text


def _bundle(members: list[Box], keys: list[str]) -> Box:
    first = members[0]
    lines: list[str] = []
    common = _common(members)
    for box in members:
        own = [line for line in box.details if line not in common and not _reads(line)]
        if len(own) == 1 and len(own[0]) <= SHORT:
            lines.append(f"• {box.title} ({own[0]})")
        else:
            lines.append(f"• {box.title}")
            lines += [f"    {line}" for line in own if len(members) <= TOLD_IN_FULL]
    reads = dict.fromkeys(word for box in members for line in box.details for word in _reads(line))
    lines += common
    lines += [f"reads {', '.join(reads)}"] if reads else []
    return replace(
        first,
        title=f"{len(members)} {_plural(_word(first).partition(':')[0])}{_under(members)}",
        label=_word(first),
        details=tuple(lines),
        members=tuple(keys),
    )


def _word(box: Box) -> str:
    """The kind of a box in words, without the name that may stand behind it."""
    return box.label.removesuffix(f" {box.name}")


def _under(members: list[Box]) -> str:
    """What all of them are written under: ` of Fruit` for the rules `cards.fruit.apple.eaten` and so on."""
    paths = [box.name.split(".")[:-1] for box in members]
    common = [parts[0] for parts in zip(*paths, strict=False) if len(set(parts)) == 1]
    owners = [part for part in common[1:] if part != "rules"]
    return f" of {spoken(owners[-1])}" if owners else ""


def _common(members: Iterable[Box]) -> list[str]:
    """The lines that all of them have."""
    first, *others = members
    return [line for line in first.details if all(line in o.details for o in others) and not _reads(line)]


def _reads(line: str) -> list[str]:
    return line.removeprefix("reads ").split(", ") if line.startswith("reads ") else []


def _plural(word: str) -> str:
    return {"die": "dice", "box": "boxes"}.get(word, f"{word}s")
