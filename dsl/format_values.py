"""Choose how one value is written: on the line of its key, in brackets, or in a block below.

Comes in: a value, its shape, and how much room there is. Goes out: `Spelt`: what stands behind the
key, and the lines below. What never happens: logic in quotes inside braces, a list that is cut
where the logic needs it whole. To extend: another form of value is a case in `Values.text`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.format_kinds import Singular
from rulewright.dsl.format_logic import effect_lines, is_condition, spelling
from rulewright.dsl.format_scalars import can_fold, inline, is_plain, picture
from rulewright.dsl.format_shapes import SENTENCES, child, is_picture, item, slot_of_key
from rulewright.dsl.format_wrap import WIDTH, wrap_logic, wrap_sentence
from rulewright.dsl.problems import Problems
from rulewright.dsl.shapes import Logic, Shape
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree

STEP = 2


@dataclass(frozen=True, slots=True)
class Spelt:
    """A value: `head` stands behind the key or the dash, `below` are full lines."""

    head: str
    below: tuple[str, ...] = ()


class Values:
    """Spells values; what is wrong with their logic goes to `problems`."""

    def __init__(self, one: Singular, problems: Problems) -> None:
        self.one, self.problems = one, problems

    def key(self, key: Scalar, shape: Shape | None, in_brackets: bool = False) -> str:
        """A key of a mapping of the shape `shape`."""
        slot = slot_of_key(shape)
        text = (spelling(slot, key, self.one, self.problems) if slot else None) or key.text
        return inline(text, in_brackets, is_key=True)

    def text(self, scalar: Scalar, shape: Shape | None, key: str, start: int, indent: int) -> Spelt:
        """A text; its line has `start` columns already, lines below begin at the column `indent`."""
        lead, room = " " * indent, WIDTH - indent
        if shape == Logic("effect"):
            return self.effect(scalar, lead, room)
        if isinstance(shape, Logic):
            text = spelling(shape.start, scalar, self.one, self.problems)
            if text is None:
                return Spelt("")
            if start + len(inline(text)) <= WIDTH or room < WIDTH // 4:
                return Spelt(inline(text))
            return Spelt(">", tuple(lead + line for line in wrap_logic(text, room, room)))
        if scalar.style == "literal":
            return self.block(scalar, shape, key, lead)
        text = scalar.text.rstrip("\n") if scalar.style == "folded" else scalar.text
        if "\n" in text and scalar.style == "folded":
            return self.block(scalar, shape, key, lead)
        fits = start + len(inline(text)) <= WIDTH
        if not fits and can_fold(text) and (key in SENTENCES or scalar.style == "folded"):
            return Spelt(">", tuple(lead + line for line in wrap_sentence(text, room)))
        return Spelt(inline(text))

    def effect(self, scalar: Scalar, lead: str, room: int) -> Spelt:
        """Instructions, which stand in a block unless they are written in a place for one alone."""
        if scalar.style != "literal":
            text = spelling("effect", scalar, self.one, self.problems)
            return Spelt(inline(text if text and "\n" not in text else scalar.text))
        lines = effect_lines(scalar, self.one, room, self.problems)
        return Spelt("|", tuple(lead + line if line else "" for line in lines or ()))

    def block(self, scalar: Scalar, shape: Shape | None, key: str, lead: str) -> Spelt:
        """A picture, or lines that stay as they are."""
        if is_picture(shape, key, scalar):
            lines = picture(scalar.text)
        else:
            lines = [line.rstrip() for line in scalar.text.rstrip("\n").split("\n")]
        sign = "|" if scalar.style == "literal" else ">"
        figure = str(STEP) if next((line for line in lines if line), "").startswith(" ") else ""
        return Spelt(sign + figure, tuple(lead + line if line else "" for line in lines))

    def in_brackets(self, tree: Tree | None, shape: Shape | None, key: str = "") -> str | None:
        """The value on one line inside `[ ]` or `{ }`; None when it wants lines of its own."""
        match tree:
            case None:
                return ""
            case Scalar():
                return self.text_in_brackets(tree, shape)
            case Sequence():
                return self.list_in_brackets(tree, shape)
            case Mapping():
                return self.keys_in_brackets(tree, shape)

    def items(self, tree: Sequence, shape: Shape | None) -> list[str] | None:
        """The items of a list, each on one line; None when one of them wants lines of its own."""
        found = []
        for value in tree.items:
            inner = item(shape, value)
            text = self.in_brackets(value, inner)
            if text is not None and isinstance(value, Mapping) and len(value.entries) == 1 and text[1:-1]:
                text = text[1:-1]  # a single `key: value` needs no braces in a list
            found.append(text)
        return None if None in found else [text for text in found if text is not None]

    def list_in_brackets(self, tree: Sequence, shape: Shape | None) -> str | None:
        """A list on one line."""
        if isinstance(shape, Logic) and tree.raw is not None:
            return spelling(shape.start, tree.raw, self.one, self.problems)
        items = self.items(tree, shape)
        return None if items is None else f"[{', '.join(items)}]"

    def keys_in_brackets(self, tree: Mapping, shape: Shape | None) -> str | None:
        """Keys and values on one line."""
        parts = []
        for entry in tree.entries:
            value = self.in_brackets(entry.value, child(shape, entry.key.text, entry.value))
            if value is None:
                return None
            parts.append(f"{self.key(entry.key, shape, True)}:{' ' if value else ''}{value}")
        return "{" + ", ".join(parts) + "}"

    def text_in_brackets(self, scalar: Scalar, shape: Shape | None) -> str | None:
        """A text inside brackets: no block, no condition, no logic that needs quotes."""
        if scalar.style in ("literal", "folded"):
            return None
        if not isinstance(shape, Logic):
            return inline(scalar.text, in_brackets=True)
        text = spelling(shape.start, scalar, self.one, self.problems)
        if text is None:
            return scalar.text
        return text if is_plain(text, in_brackets=True) and not is_condition(shape.start, scalar) else None
