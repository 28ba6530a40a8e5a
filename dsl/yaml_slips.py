"""Mistakes in a file's YAML that can be told from one value or one line, said to a designer.

Comes in: the place of a mistake and the lines around it. Goes out: a `Slip`: the place to blame,
a code, a sentence and a cure. What never happens: a word of YAML's own vocabulary in a sentence.
To extend: one function for each mistake; what only the reading of the whole shows is in
`yaml_explain.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.dsl.yaml_places import Place

Lines = Sequence[str]

_COMMENT = re.compile(r"( +)#(.?)")
_JOINED = re.compile(r"(?P<key>[a-z_][\w ]*):(?P<value>[^\s:/].*)")
_WORDS = "is are of and or not to than in with from where if then else by on for has"
_GOES_ON = re.compile(rf"\s({'|'.join(_WORDS.split())})$|[-+*/<>=(,&|]$")
_SIGNS = {
    "@": "",
    "`": "",
    "%": "",
    "!": "If you mean the opposite, write `not`. ",
    "&": "Anchors are not used in rule files; give a thing a name instead and use the name. ",
    "*": "Aliases are not used in rule files; write what is meant here once more, or give it a name. ",
    "?": "",
    "|": "",
    ">": "",
}
_SIGN_CODES = {"!": "E109", "&": "E108", "*": "E108", "?": "E111"}


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake: the stretch of one line to blame (from 0), a code, what is wrong, what to do."""

    at: Place
    width: int
    code: str
    text: str
    cure: str
    severity: str = "error"


def begins_with_sign(sign: str, at: Place, lines: Lines, in_brackets: bool) -> Slip:
    """A value or key that begins with a sign that YAML keeps for itself."""
    rest = text_at(lines, at)
    if in_brackets:
        rest = re.split(r"[,\]}]", rest)[0].rstrip()
    return Slip(
        at,
        1,
        _SIGN_CODES.get(sign, "E110"),
        f"A text cannot begin with {sign} without quotes.",
        _SIGNS.get(sign, "") + f"If it is meant as text, put the whole of it in quotes: `{quoted(rest)}`.",
    )


def unclosed_quote(at: Place, lines: Lines) -> Slip:
    """A quote that opens at `at` and swallows what stands below."""
    mark = lines[at.line][at.column]
    twice = " Inside single quotes an apostrophe is written twice ('')." if mark == "'" else ""
    return Slip(
        at,
        1,
        "E115",
        f"The quote that opens here ({mark}) is not closed.",
        f"Write {mark} at the end of the text, on the same line.{twice}",
    )


def unclosed_bracket(at: Place, lines: Lines) -> Slip:
    """A `[` or `{` that opens at `at` and swallows what stands below."""
    mark = lines[at.line][at.column]
    other = "]" if mark == "[" else "}"
    return Slip(
        at,
        1,
        "E117",
        f"The bracket that opens here ({mark}) is not closed.",
        f"Write {other} at the end of the list. If {mark} is part of a text, put the whole text in quotes.",
    )


def cut_by_comment(value: str, end: Place, lines: Lines) -> Slip | None:
    """A ` #` behind a plain text that probably was meant to belong to it; None for a comment."""
    match = _COMMENT.match(lines[end.line], end.column)
    if match is None:
        return None
    close = match[1] == " " and match[2] not in ("", " ", "#", "!", "-", "=")
    if not close and not _GOES_ON.search(value):
        return None
    reads = f"reads only `{value[-40:]}`" if value else "reads nothing at all"
    return Slip(
        Place(end.line, match.end(1)),
        len(lines[end.line]) - match.end(1),
        "E125",
        f"` #` begins a comment, so the program {reads} here.",
        "If `#` belongs to the text, put the whole text in quotes; if this is a comment, write `  # ` "
        "with spaces around the sign, behind a finished text.",
        "warning",
    )


def all_comment(end: Place, lines: Lines) -> Slip | None:
    """A value that begins with `#` and therefore is none; `end` is the end of its key."""
    colon = lines[end.line].find(":", end.column)
    return cut_by_comment("", Place(end.line, colon + 1), lines) if colon >= 0 else None


def cut_at_commas(text: str, at: Place, is_key: bool) -> Slip:
    """A rule written in `{ }` that YAML has taken apart; `text` is a wrong key or a value cut off."""
    became = f"`{text}` was read as a key without a value" if is_key else f"only `{text}` was read here"
    return Slip(
        at,
        len(text),
        "E124",
        f"A rule in {{ … }} is cut at its commas: {became}.",
        "Put each key on its own line, without { }, indented under the name.",
    )


def twice(key: str, at: Place, first: int) -> Slip:
    """A key that stands in one place two times; `first` is the line of the first, from 1."""
    text = f"`{key}` stands here a second time; the first is on line {first}."
    return Slip(at, len(key), "E107", text, "Give one of them another name, or put both together.")


def nothing() -> Slip:
    """A file of comments only."""
    return Slip(
        Place(0, 0), 0, "E101", "This file holds nothing but comments.", "Write something, or delete it."
    )


def merge_key(at: Place) -> Slip:
    """`<<`, by which YAML copies keys."""
    return Slip(at, 2, "E108", "`<<` (copying keys) is not used in rule files.", "Write the keys out.")


def no_key(at: Place, lines: Lines) -> Slip:
    """Something before a colon that is no text, or nothing at all."""
    sign = lines[at.line][at.column : at.column + 1]
    if sign in ("[", "{"):
        text = f"A key must be a text; this one begins with {sign}."
        return Slip(at, 1, "E111", text, "Put it in quotes if it is meant as a text.")
    return Slip(at, 1, "E111", "Nothing stands before this colon.", "Write a key before it.")


def empty_item(at: Place, lines: Lines) -> Slip:
    """An item of a list without anything in it."""
    start = Place(at.line, max(0, lines[at.line].rfind("-", 0, at.column + 1)))
    return Slip(
        start, 1, "E126", "This item of the list is empty.", "Write something behind it, or remove it."
    )


def no_space_after_colon(text: str, at: Place) -> Slip | None:
    """`key:value`, which YAML reads as one text; None when `text` is something else."""
    match = _JOINED.fullmatch(text)
    if match is None:
        return None
    return Slip(
        Place(at.line, at.column + len(match["key"])),
        1,
        "E120",
        "A space is missing after this colon.",
        f"Write `{match['key']}: {match['value']}`.",
    )


def quoted(text: str) -> str:
    """`text` in the quotes that need no change inside, double ones first."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def unbalanced(text: str) -> bool:
    """Whether round brackets open or close in `text` without their partners."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return True
    return depth != 0


def invisible(at: Place, lines: Lines) -> Slip:
    """An escape in double quotes that writes a character nobody can see; `at` is its backslash."""
    match = re.match(r"\\(x..|u.{4}|U.{8}|.)", lines[at.line][at.column :])
    width = match.end() if match else 1
    text = "This writes a character that cannot be seen or does not exist."
    return Slip(at, width, "E123", text, "Leave it out, or write the character itself.")


def text_at(lines: Lines, at: Place) -> str:
    """What stands at `at`, up to a comment or the end of the line."""
    return re.split(r"\s#", lines[at.line][at.column :])[0].rstrip()
