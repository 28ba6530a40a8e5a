"""Words of a diagram: names as people say them, logic on a line, lines of a bearable length.

Comes in: names and logic of the model. Goes out: short texts. What never happens: markup; escaping is for
whoever draws.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rulewright.dsl import nodes as n
from rulewright.dsl.unparse import unparse, unparse_block


def spoken(name: str) -> str:
    """A name as people say it: `two_words` are Two words. Dots part a path, and stay visible as `: `."""
    text = name.replace("_", " ").replace(".", ": ")
    return text[:1].upper() + text[1:]


def titled(title: str, name: str, word: str) -> tuple[str, str]:
    """The title of a box, and its label: `word`, and the name where the title does not tell it.

    Who reads a diagram looks for the names in the rule files: a title must not hide them.
    """
    if title and title != spoken(name):
        return title, f"{word} {name}"
    return spoken(name), word


def line_of(node: n.Node | str | None) -> str:
    """Logic on one line; a word stays as it is, nothing is the empty text."""
    if node is None:
        return ""
    text = node if isinstance(node, str) else unparse(node)
    return " ".join(text.split())


def lines_of(block: Iterable[n.Effect], most: int) -> tuple[str, ...]:
    """The lines of a block with their indentation; after `most` of them only `…` (0: all lines)."""
    lines = unparse_block(block)
    if most and len(lines) > most:
        return (*lines[:most], "…")
    return tuple(lines)


def keyed(key: str, text: str) -> tuple[str, ...]:
    """`key: text` as a line of details, or no line when there is nothing to say."""
    return (f"{key} {text}",) if text else ()


def wrapped(text: str, width: int, most: int = 3, hanging: int = 2) -> list[str]:
    """A text on lines of at most `width` signs; what is beyond `most` lines is cut to `…` (0: nothing
    is cut).

    Indentation is kept, as it carries meaning in blocks of effects; later lines are indented by
    `hanging` more. A long word is never broken.
    """
    indent = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(
        text.strip(),
        max(width - len(indent), 12),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
    if most and len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1].rstrip(" ,;") + " …"]
    return [indent + (" " * hanging if i else "") + line for i, line in enumerate(lines)]
