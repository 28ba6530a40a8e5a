"""Why the YAML reader could not go on, said to a designer.

Comes in: what the reader stumbled over, where, and the lines. Goes out: a `Slip` that blames the
place where the mistake was made, which is often before the place of stumbling. What never
happens: the reader's own words shown to anybody. To extend: a function in `_KNOWN` that
recognises a message, or a finer case in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.dsl.yaml_places import Place
from rulewright.dsl.yaml_slips import (
    Lines,
    Slip,
    no_space_after_colon,
    quoted,
    text_at,
    unclosed_bracket,
    unclosed_quote,
)

_KEY = re.compile(r"(?P<before>\s*(?:- +)*)(?P<key>[^\s:#'\"\[{][^:#]*|\"[^\"]*\"|'[^']*')\s*:(?P<gap> +|$)")
_BLOCK = re.compile(r"[:\-] *[|>][+\-1-9]*\s*(#.*)?$")


def explain(message: str, at: Place, since: Place | None, lines: Lines) -> Slip:
    """The slip behind the reader's `message`, met at `at` in something that began at `since`.

    A message that no function here knows gives E129, still with its place.
    """
    at = _inside(at, lines)
    since = _inside(since, lines) if since is not None else None
    for words, speak in _KNOWN:
        if words in message:
            return speak(message, at, since or at, lines)
    return Slip(
        at,
        1,
        "E129",
        "This line cannot be read as part of a rule file.",
        "Compare it with the lines above: keys end with a colon and a space, lists begin with `- `.",
    )


def _colon(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    line = lines[at.line]
    earlier = _KEY.match(line[: at.column])
    if earlier and earlier.end() < at.column:
        key, value = earlier["key"], line[earlier.end() :].rstrip()
        return Slip(
            at,
            1,
            "E114",
            f"A colon with a space behind it cannot stand inside the text of `{key}`.",
            f"Put the whole sentence in quotes: `{key}: {quoted(value)}`."
            if len(value) < 80
            else "Put the whole sentence in quotes.",
        )
    start = Place(at.line, _indent(line))
    key = line[start.column : at.column].removeprefix("- ").strip()
    if len(key) > 1000:
        return _long_key(start)
    above = _line_above(at.line, lines)
    if above is None:
        return _crooked(start, lines)
    over = lines[above]
    if _KEY.match(over) is None and _indent(over) == start.column:
        return _no_colon(Place(above, start.column), lines)
    said = _KEY.match(over)
    name = f"`{said['key']}:`" if said else "the line"
    where = len(said["before"]) if said else _indent(over)
    return Slip(
        start,
        max(1, at.column - start.column),
        "E119",
        f"`{key}` is indented deeper than {name} above it, which already has its value.",
        f"Let `{key}` begin in column {where + 1}, exactly under the line above; if both lines are one "
        "sentence, put it in quotes.",
    )


def _missing_colon(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    return _no_colon(since, lines)


def _no_colon(at: Place, lines: Lines) -> Slip:
    text = text_at(lines, at)
    joined = no_space_after_colon(text, at)
    if joined is not None:
        return joined
    if text.startswith("? "):
        cure = f"Write the key and a colon: `{text[2:].strip()}: …`."
        return Slip(at, 1, "E111", "A key cannot begin with `? `; keys are short texts.", cure)
    if len(text) > 1000:
        return _long_key(at)
    above = _line_above(at.line, lines)
    if above is not None and _BLOCK.search(lines[above]):
        return _block_not_indented(at, above, text, lines)
    if text[:1] in "\"'":
        return Slip(
            at,
            len(text),
            "E120",
            "This text stands where a key is expected.",
            "Write a key and a colon before it, or indent it under the key it belongs to.",
        )
    equals = re.fullmatch(r"(\w+)\s*=\s*(.+)", text)
    meant = f"Write `{equals[1]}: {equals[2]}`." if equals else f"Write `{text[:40]}: …` if it is a key."
    return Slip(
        at,
        len(text),
        "E120",
        f"A colon is missing here: `{text[:60]}` stands where `key: value` is expected.",
        f"{meant} If the line continues the one above, indent it deeper; a note begins with `# `.",
    )


def _long_key(at: Place) -> Slip:
    text = "This is too long for a key: no colon was found in its first 1,000 characters."
    return Slip(at, 20, "E120", text, "A key is one or a few words; longer texts stand behind a colon.")


def _block_not_indented(at: Place, above: int, text: str, lines: Lines) -> Slip:
    return Slip(
        at,
        len(text),
        "E128",
        f"This line should belong to the block that `{lines[above].strip()}` opens, but is not indented.",
        f"Let it begin in column {_indent(lines[above]) + 5}: four spaces deeper than the line above.",
    )


def _not_in_line(message: str, at: Place, since: Place, lines: Lines) -> Slip:
    """The reader wanted the end of the keys or of the list, and found something else at `at`."""
    line = lines[at.line]
    before = line[: at.column].rstrip()
    sign = line[at.column : at.column + 1]
    if before and before[-1] in "\"'" and sign not in ("]", "}"):
        return _after_quote(at, before, lines)
    if before and sign in (",", "]", "}"):
        return _stray(message, at, since, lines)
    if before and before[-1] in "]}":
        whole = _value_of(line)
        return Slip(
            at,
            len(line) - at.column,
            "E118",
            f"The text goes on behind the closing bracket {before[-1]}.",
            f"If the bracket is part of a text, put the whole text in quotes: `{quoted(whole)}`.",
        )
    if before.strip(" -"):
        return Slip(
            at,
            max(1, len(line.rstrip()) - at.column),
            "E120",
            "The text goes on here where the line should end.",
            "Put the whole text in quotes.",
        )
    if sign == "-" and line[at.column + 1 : at.column + 2] in ("", " "):
        return Slip(
            at,
            1,
            "E121",
            "An item of a list (`- `) stands among keys.",
            "Put a key above it and indent the items under that key, or remove the `- `.",
        )
    above = _line_above(at.line, lines)
    if above is not None and re.search(r"\s#", lines[above]) and not _KEY.match(line):
        cut = lines[above].index(" #") + 1
        return Slip(
            Place(above, cut),
            len(lines[above]) - cut,
            "E125",
            "A comment (` #`) ends the text here, but the next line goes on with it.",
            "Move the comment to a line of its own above the text; if `#` belongs to the text, use quotes.",
        )
    if not _KEY.match(line) and above is not None and not _dedents(at, lines):
        return _no_colon(Place(at.line, at.column), lines)
    return _crooked(at, lines)


def _crooked(at: Place, lines: Lines) -> Slip:
    columns: list[int] = []
    for number in range(at.line - 1, -1, -1):
        indent = _indent(lines[number])
        if lines[number].strip() and not lines[number].lstrip().startswith("#"):
            if not columns or indent + 1 < columns[0]:
                columns.insert(0, indent + 1)
            if indent == 0:
                break
    text = text_at(lines, at)
    places = " or ".join(str(c) for c in columns if abs(c - 1 - at.column) <= 8) or "1"
    return Slip(
        at,
        len(text) or 1,
        "E119",
        f"This line begins in column {at.column + 1}, which is in line with nothing above it.",
        f"Indent it like the lines it belongs to (columns that fit: {places}).",
    )


def _after_quote(at: Place, before: str, lines: Lines) -> Slip:
    mark = before[-1]
    advice = (
        "Inside single quotes write an apostrophe twice (''), or use double quotes around the whole text."
        if mark == "'"
        else "If a whole sentence is meant, put single quotes around all of it."
    )
    rest = text_at(lines, at)
    return Slip(at, len(rest) or 1, "E116", f"The text goes on behind the closing quote ({mark}).", advice)


def _in_brackets(message: str, at: Place, since: Place, lines: Lines) -> Slip:
    sign = lines[at.line][at.column : at.column + 1]
    if at.line != since.line or "stream end" in message:
        return unclosed_bracket(since, lines)
    opened = lines[since.line][since.column]
    if sign == ":":
        return Slip(
            at,
            1,
            "E114",
            f"A colon cannot stand inside a text in {opened}.",
            "Put the whole text in quotes, or put each key on its own line.",
        )
    if sign in ("]", "}"):
        wanted = "]" if opened == "[" else "}"
        return Slip(
            at,
            1,
            "E118",
            f"{opened} is closed by {sign} here.",
            f"Write {wanted}, or close what opened last.",
        )
    return Slip(
        at,
        1,
        "E118",
        f"A comma is missing in the list that {opened} opens, or the list is logic and no list.",
        "Write a comma between the items; put an item that holds brackets or quotes in quotes.",
    )


def _item(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    return Slip(
        at,
        1,
        "E121",
        "A list cannot begin on the line of its key.",
        "Put each `- item` on a line of its own below the key; if it is a text, put it in quotes.",
    )


def _header(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    sign = lines[since.line][since.column]
    greater = " If `>` means greater than, put the whole text in quotes." if sign == ">" else ""
    return Slip(
        at,
        max(1, len(lines[at.line].rstrip()) - at.column),
        "E122",
        f"Nothing may stand behind `{sign}` on its line.",
        f"Begin the text on the next line, indented deeper than the key.{greater}",
    )


def _escape(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    start = Place(at.line, max(0, lines[at.line].rfind("\\", 0, at.column)))
    return Slip(
        start,
        2,
        "E123",
        "A backslash in double quotes begins a special character, and this one does not exist.",
        "Write the backslash twice (\\\\), or put the text in single quotes.",
    )


def _quote(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    return unclosed_quote(since, lines)


def _stray(_: str, at: Place, since: Place, lines: Lines) -> Slip:
    sign = lines[at.line][at.column : at.column + 1]
    if not sign:
        return unclosed_bracket(since, lines) if since != at else _crooked(at, lines)
    if sign == "-":
        return _item("", at, since, lines)
    return Slip(
        at,
        1,
        "E118",
        f"`{sign}` stands here without anything it could belong to.",
        "Remove it; if it is part of a text, put the whole text in quotes.",
    )


_Speaks = Callable[[str, Place, Place, Lines], Slip]
_KNOWN: tuple[tuple[str, _Speaks], ...] = (
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _missing_colon),
    ("sequence entries are not allowed", _item),
    ("expected <block end>", _not_in_line),
    ("<document start>", _not_in_line),
    ("expected ',' or", _in_brackets),
    ("found unexpected ':'", _in_brackets),
    ("indentation indicator", _header),
    ("expected a comment or a line break", _header),
    ("escape", _escape),
    ("unexpected end of stream", _quote),
    ("unexpected document separator", _quote),
    ("expected the node content", _stray),
)


def _inside(place: Place, lines: Lines) -> Place:
    """`place`, or the end of the last line that says something when it lies behind all of them."""
    if place.line < len(lines) and lines[place.line].strip():
        return place
    line = min(place.line, len(lines) - 1)
    while line > 0 and not lines[line].strip():
        line -= 1
    return Place(line, len(lines[line]))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _value_of(line: str) -> str:
    match = _KEY.match(line)
    return line[match.end() :].strip() if match else line.strip().removeprefix("- ")


def _line_above(line: int, lines: Lines) -> int | None:
    """The number of the last line above that is neither empty nor a comment."""
    for number in range(line - 1, -1, -1):
        text = lines[number].strip()
        if text and not text.startswith("#"):
            return number
    return None


def _dedents(at: Place, lines: Lines) -> bool:
    """Whether a block of text above stands deeper than the line at `at`."""
    above = _line_above(at.line, lines)
    return above is not None and _indent(lines[above]) > at.column
