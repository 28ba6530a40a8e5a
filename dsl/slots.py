"""Slots: the pieces of logic and of plain value that stand at one key of a tree.

Comes in: trees that fit the schema. Goes out: parsed nodes, texts, numbers. A slot that the schema
has already complained of is passed over in silence, so that nothing is reported twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Problems
from rulewright.dsl.shapes import FIGURE
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.syntax import parse


@dataclass(slots=True)
class Slots:
    """Reads the values of one mapping; `problems` gathers what is wrong with their logic."""

    tree: Mapping
    problems: Problems

    def has(self, key: str) -> bool:
        """Whether the key stands there."""
        return key in self.tree

    def scalar(self, key: str) -> Scalar | None:
        """The text under the key, if it is one."""
        value = self.tree.get(key)
        return value if isinstance(value, Scalar) else None

    def text(self, key: str, default: str = "") -> str:
        """The words under the key without blanks around them."""
        value = self.scalar(key)
        return value.text.strip() if value else default

    def number(self, key: str, default: int = 0) -> int:
        """The figure under the key."""
        value = self.scalar(key)
        return int(value.text) if value and FIGURE.match(value.text) and len(value.text) < 9 else default

    def yes(self, key: str) -> bool:
        """Whether `yes` stands under the key."""
        return self.text(key) == "yes"

    def names(self, key: str) -> tuple[Scalar, ...]:
        """The texts of a list, or the one text that stands instead."""
        return scalars(self.tree.get(key))

    def mapping(self, key: str) -> Mapping | None:
        """The mapping under the key."""
        value = self.tree.get(key)
        return value if isinstance(value, Mapping) else None

    def entries(self, key: str) -> tuple[Entry, ...]:
        """The entries of the mapping under the key."""
        value = self.mapping(key)
        return value.entries if value else ()

    def logic(self, key: str, start: str) -> Any:
        """The parsed logic under the key; None when there is none or it is wrong."""
        return read_logic(self.tree.get(key), start, self.problems)

    def effect(self, key: str) -> n.Block:
        """The parsed block under the key; empty when there is none."""
        value = self.scalar(key)
        if value is None or value.style not in ("literal", "csv"):
            return ()
        return read_logic(value, "effect", self.problems) or ()

    def events(self, key: str) -> tuple[n.Happening, ...]:
        """The events named under the key."""
        found = [read_logic(x, "event", self.problems) for x in self.names(key)]
        return tuple(x for x in found if x is not None)


def scalars(tree: Tree | None) -> tuple[Scalar, ...]:
    """The texts of a list, or a bare text as a list of one."""
    if isinstance(tree, Scalar):
        return (tree,)
    if isinstance(tree, Sequence):
        return tuple(x for x in tree.items if isinstance(x, Scalar))
    return ()


def read_logic(tree: Tree | None, start: str, problems: Problems) -> Any:
    """Parse a text, or a list in brackets as the author wrote it."""
    if isinstance(tree, Sequence) and tree.raw is not None:
        tree = tree.raw
    if not isinstance(tree, Scalar) or not tree.text.strip():
        return None
    return parse(start, tree, problems)
