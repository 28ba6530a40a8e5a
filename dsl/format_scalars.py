"""Spell the texts of a rule file in YAML: quotes, sentences, pictures.

Comes in: a text and where it stands. Goes out: how it is written there. What never happens: a text
that YAML reads otherwise, or quotes that YAML does not need. To extend: another form of text is
another function here; the choice among them is made in dsl/format_values.py.
"""

from __future__ import annotations

import re

from rulewright.dsl.plain_text import UNWANTED
from rulewright.dsl.yaml_slips import quoted, unbalanced

_SIGNS = frozenset("-?:,[]{}#&*!|>'\"%@`")  # a plain text cannot begin with these
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
_FIGURE = re.compile(r"-?[0-9]+\Z")
GAP = 2
"""Blanks between the columns of a picture."""


def inline(text: str, in_brackets: bool = False, is_key: bool = False) -> str:
    """The text on one line, in quotes only where YAML needs them."""
    if is_plain(text, in_brackets, is_key):
        return text
    if _must_be_escaped(text):
        return '"' + "".join(_escaped(character) for character in text) + '"'
    return quoted(text)


def is_plain(text: str, in_brackets: bool = False, is_key: bool = False) -> bool:
    """Does YAML read the text as it is, without quotes, inside `[ ]` and `{ }` or outside?"""
    if not text or text != text.strip(" ") or _must_be_escaped(text):
        return False
    if ": " in text or text.endswith(":") or " #" in text or text.startswith(("---", "...")):
        return False
    if text[0] in _SIGNS and not (text[0] in "-?:" and len(text) > 1 and text[1] not in " ,[]{}"):
        return False
    if is_key and (":" in text or text == "<<"):
        return False
    return not in_brackets or not (re.search(r"[,\[\]{}]", text) or unbalanced(text))


def can_fold(text: str) -> bool:
    """Can it stand in a block (`>`) whose lines are joined with blanks?"""
    return bool(text) and not _must_be_escaped(text) and text == text.strip(" ") and "  " not in text


def picture(text: str) -> list[str]:
    """The rows of a picture or table with its columns aligned: figures to the right, all else to the left.

    Rows that are set off from each other on purpose (they begin at different places, and not because
    of the width of figures) and rows with something like a comment stay as they are.
    """
    rows = [row.rstrip() for row in text.split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    while rows and not rows[0]:
        rows.pop(0)
    cells = [row.split() for row in rows]
    if any("#" in row for row in rows) or _staggered(rows, cells):
        shift = min((len(row) - len(row.lstrip(" ")) for row in rows if row), default=0)
        return [row[shift:] for row in rows]
    width = max((len(row) for row in cells), default=0)
    columns = [[row[n] for row in cells if n < len(row)] for n in range(width)]
    sizes = [max(map(len, column)) for column in columns]
    right = [len(column) > 1 and all(_FIGURE.match(cell) for cell in column[1:]) for column in columns]
    lines = []
    for row in cells:
        places = zip(row, sizes, right, strict=False)
        padded = [cell.rjust(size) if to_right else cell.ljust(size) for cell, size, to_right in places]
        lines.append((" " * GAP).join(padded).rstrip())
    return lines


def _staggered(rows: list[str], cells: list[list[str]]) -> bool:
    """Do rows begin at different places for another reason than figures that end at one place?"""
    full = [(row, found) for row, found in zip(rows, cells, strict=True) if found]
    starts = {len(row) - len(row.lstrip(" ")) for row, _ in full}
    if len(starts) < 2:
        return False
    return not all(_FIGURE.match(found[0]) for _, found in full[1:])


def _must_be_escaped(text: str) -> bool:
    return any(character < " " for character in text) or UNWANTED.search(text) is not None


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if not _must_be_escaped(character):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
