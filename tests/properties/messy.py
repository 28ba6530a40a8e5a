"""Rule files for the formatter's laws: those of the games, the corpus as files, and both written
messily.

Comes in: the folders rules/ and tests/dsl/corpus, and a source of chance. Goes out: texts that say
the same as others, spelt as badly as YAML and the language allow: other indentation, blanks,
quotes, brackets, line ends. What the formatter leaves to the author stays: order, comments, braces
or not, blocks or not.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

from rulewright.dsl.format_scalars import is_plain
from rulewright.dsl.format_shapes import child, is_picture, item, shape_of_file
from rulewright.dsl.layout import Line, layout_of
from rulewright.dsl.problems import Problems
from rulewright.dsl.shapes import Logic, Shape
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.yaml_reader import read_yaml
from rulewright.tests.dsl.corpus_files import right_texts

RULES = Path(__file__).parents[2] / "rules"
PLACES = {
    "expr": ("define:", "  x: {}"),
    "choice": ("actions:", "  go:", "    choose:", "      x: {}"),
    "who": ("flow:", "  - play:", "      who: {}"),
    "turns": ("flow:", "  - play:", "      turns: {}"),
    "header": ("define:", "  {}: yes"),
    "type": ("state:", "  x:", "    is: {}"),
    "copies": ("cards:", "  one:", "    copies: {}"),
    "range": ("players: {}",),
    "times": ("flow:", "  - play:", "      repeat: {}"),
    "event": ("rules:", "  one:", "    after: {}"),
    "every": ("flow:", "  - play:", "      arrange:", "        {}:", "          may go to: x"),
    "seen_by": ("zones:", "  one:", "    seen by: {}"),
}


def rule_files() -> list[Path]:
    """All rule files of all games."""
    return sorted(RULES.glob("*/*.yaml")) + sorted(RULES.glob("*/*/*.yaml"))


def corpus_files() -> list[str]:
    """A file for each text of the corpus that parses."""
    return [corpus_file(slot, text) for slot, text in right_texts()]


def corpus_file(slot: str, text: str) -> str:
    """A small file in which `text` stands in a place of the slot."""
    if slot == "effect":
        lines = [
            "events:",
            "  one:",
            "    do: |",
            *("      " + line if line.strip() else "" for line in text.split("\n")),
        ]
    else:
        lines = [line.replace("{}", json.dumps(text, ensure_ascii=False)) for line in PLACES[slot]]
    return "\n".join(lines) + "\n"


def read_tree(text: str) -> Mapping:
    """The tree of a text without mistakes."""
    problems = Problems()
    tree = read_yaml(text, "f.yaml", problems)
    assert isinstance(tree, Mapping) and not problems.errors, (text, list(problems))
    return tree


def logic_of(tree: Tree | None, shape: Shape | None) -> list[tuple[str, Scalar]]:
    """All logic of a tree in its order, with slots; lists in brackets as they are written."""
    match tree:
        case Scalar() if isinstance(shape, Logic) and (shape.start != "effect" or tree.style == "literal"):
            return [(shape.start, tree)]
        case Sequence(raw=Scalar() as raw) if isinstance(shape, Logic):
            return [(shape.start, raw)]
        case Sequence():
            return [x for value in tree.items for x in logic_of(value, item(shape, value))]
        case Mapping():
            below = [(e.value, child(shape, e.key.text, e.value)) for e in tree.entries]
            return [x for value, inner in below for x in logic_of(value, inner)]
        case _:
            return []


def messy(text: str, chance: random.Random) -> str:
    """The same file, written badly. It must hold no comments."""
    tree = read_tree(text)
    lines = _Mess(chance).mapping(tree, shape_of_file(tree), 0)
    return chance.choice(["\n", "\r\n"]).join([*lines, ""])


class _Mess:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def mapping(self, tree: Mapping, shape: Shape | None, indent: int) -> list[str]:
        lines: list[str] = []
        for entry in tree.entries:
            inner = child(shape, entry.key.text, entry.value)
            key = (
                " " * indent
                + self.quoted(entry.key.text, is_key=True)
                + self.chance.choice(["", "", " "])
                + ":"
            )
            lines += self.value(key, entry.value, inner, entry.key.text, indent)
        return lines

    def value(self, key: str, value: Tree | None, shape: Shape | None, name: str, indent: int) -> list[str]:
        deeper = indent + self.chance.randint(1, 5)
        if value is None:
            return [key]
        if isinstance(value, Scalar):
            return self.text(key + " " * self.chance.randint(1, 3), value, shape, name, deeper)
        if value.flow:
            return [key + " " * self.chance.randint(1, 3) + self.brackets(value, shape)]
        if isinstance(value, Mapping):
            return [key, *self.mapping(value, shape, deeper)]
        return [key, *self.sequence(value, shape, self.chance.choice([indent, deeper]))]

    def sequence(self, tree: Sequence, shape: Shape | None, indent: int) -> list[str]:
        lines: list[str] = []
        for value in tree.items:
            dash = " " * indent + "-" + " " * self.chance.randint(1, 3)
            inner = item(shape, value)
            if isinstance(value, Scalar):
                lines += self.text(dash, value, inner, "", indent + 2)
            elif value.flow:
                lines.append(dash + self.brackets(value, inner))
            elif isinstance(value, Mapping):
                first, *rest = self.mapping(value, inner, len(dash))
                lines += [dash + first.lstrip(" "), *rest]
            else:
                first, *rest = self.sequence(value, inner, len(dash))
                lines += [dash + first.lstrip(" "), *rest]
        return lines

    def brackets(self, tree: Tree | None, shape: Shape | None) -> str:
        gap = " " * self.chance.randint(0, 2)
        match tree:
            case Scalar():
                return self.quoted(tree.text, in_brackets=True)
            case Sequence(raw=Scalar() as raw) if isinstance(shape, Logic):
                return raw.text
            case Sequence():
                inner = [self.brackets(value, item(shape, value)) for value in tree.items]
                return f"[{gap}{(gap + ', ' + gap).join(inner)}{gap}]"
            case Mapping():
                parts = []
                for e in tree.entries:
                    value = self.brackets(e.value, child(shape, e.key.text, e.value))
                    parts.append(f"{self.quoted(e.key.text, is_key=True)}: {gap}{value}")
                return f"{{{gap}{(gap + ', ' + gap).join(parts)}{gap}}}"
            case _:
                return ""

    def text(self, start: str, scalar: Scalar, shape: Shape | None, name: str, deeper: int) -> list[str]:
        lead = " " * deeper
        if isinstance(shape, Logic) and shape.start == "effect" and scalar.style == "literal":
            return [start + "|", *(lead + line if line else "" for line in self.effect(scalar.text))]
        if scalar.style == "literal":
            rows = scalar.text.rstrip("\n").split("\n")
            if is_picture(shape, name, scalar) and not rows[0].startswith(" "):
                rows = [
                    (" " * self.chance.randint(1, 4)).join(row.split()) + " " * self.chance.randint(0, 2)
                    for row in rows
                ]
            return [start + "|", *(lead + row if row else "" for row in rows)]
        text = " ".join(scalar.text.split()) if scalar.style == "folded" else scalar.text
        if isinstance(shape, Logic) and shape.start != "effect":
            text = self.logic(text, shape.start)
            if self.chance.random() < 0.3:
                words = re.split(" +", text)
                cut = self.chance.randint(0, len(words))
                return [start + ">", *(lead + " ".join(part) for part in (words[:cut], words[cut:]) if part)]
        elif scalar.style == "folded":
            return [start + ">", lead + text]
        return [start + self.quoted(text)]

    def quoted(self, text: str, in_brackets: bool = False, is_key: bool = False) -> str:
        ways = [json.dumps(text, ensure_ascii=False), "'" + text.replace("'", "''") + "'"]
        if is_plain(text, in_brackets, is_key):
            ways += [text] * 4
        return self.chance.choice(ways if "\n" not in text else ways[:1])

    def logic(self, text: str, slot: str) -> str:
        """More blanks; brackets around the whole where that is the same."""
        text = self.blanks(text)
        return f"({text})" if slot == "expr" and self.chance.random() < 0.2 else text

    def blanks(self, text: str) -> str:
        spaced = re.sub(" +", lambda _: " " * self.chance.choice([1, 1, 1, 2, 3]), text)
        return re.sub(r"([(),])", lambda m: m[1] + " " * self.chance.choice([0, 0, 0, 1]), spaced).strip()

    def effect(self, text: str) -> list[str]:
        return self.block(layout_of(text, 30).lines, 0)

    def block(self, lines: tuple[Line, ...], indent: int) -> list[str]:
        deeper = indent + self.chance.randint(1, 6)
        found: list[str] = []
        for line in lines:
            found.append(" " * indent + self.blanks(" ".join(line.text.split())))
            found += self.block(line.body, deeper)
        return found
