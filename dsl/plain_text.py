"""Bytes and text as they come from anywhere, made safe to read.

Comes in: the bytes or the text of a file that nobody has looked at yet. Goes out: clean lines,
one file line each, with every character where the author's editor shows it; or None when there
is nothing to read. What never happens: an exception, a file read half without a word, an
invisible character that slips through. To extend: add a character to `UNWANTED` and, if people
know it by a name, to `_CALLED`.
"""

from __future__ import annotations

import re

from rulewright.dsl.problems import Problems, Span

MAX_CHARACTERS = 2_000_000
MAX_LINES = 50_000
MAX_WIDTH = 20_000  # characters of one line
MAX_SHOWN = 20  # problems of one kind that are worth showing for one file

UNWANTED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]"
)
_STRANGE_INDENT = re.compile(r"[ \t]*[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_CALLED = {
    "\0": "An empty character (NUL)",
    "\xad": "An invisible soft hyphen",
    "\u200b": "An invisible space of no width",
    "\u2028": "A line separator (U+2028)",
    "\u2029": "A paragraph separator (U+2029)",
    "\ufeff": "An invisible byte order mark",
    "\x85": "A line end of another kind (U+0085)",
}


def decode(data: bytes, file: str, problems: Problems) -> str | None:
    """The text of `data`, which should be UTF-8; a byte order mark at the start is dropped.

    A wrong byte is a problem (E103) and stands as U+FFFD in the text, so that the rest is still
    read. What is no text at all (a picture, UTF-16, many wrong bytes) gives None.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        _whole(problems, "E103", file, "This file is saved as UTF-16.", "Save it as UTF-8.")
        return None
    if b"\0" in data[:8000]:
        _no_text(problems, file)
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start].decode("utf-8-sig", "replace")
        byte = data[wrong.start]
    text = data.decode("utf-8-sig", "replace")
    if text.count("\ufffd") > max(MAX_SHOWN, len(text) // 100):
        _no_text(problems, file)
        return None
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    problems.error(
        "E103",
        Span(file, line, column, line, column + 1),
        f"This file is not saved as UTF-8: the character here (byte {byte:02X}) cannot be read.",
        "Save the file as UTF-8 (in most editors: Save as, Encoding).",
    )
    return text


def clean_lines(text: str, file: str, problems: Problems) -> list[str] | None:
    """The lines of `text` without their ends, or None when it is empty, too large, or no text.

    `\\r\\n` and `\\r` end lines like `\\n`. A character that nobody can see or that no editor agrees
    about is a problem (E104) and stands as a space, so that all columns stay as they are.
    Tabs are left alone: what they mean depends on the kind of file.
    """
    if len(text) > MAX_CHARACTERS:
        too_large(file, problems)
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = [match.start() for match in UNWANTED.finditer(text)]
    if text.count("\0") > MAX_SHOWN or len(found) > max(MAX_SHOWN, len(text) // 10):
        _no_text(problems, file)
        return None
    if not text.strip():
        _whole(problems, "E101", file, "This file is empty.", "Write something in it, or delete it.")
        return None
    if text.count("\n") > MAX_LINES:
        too_large(file, problems)
        return None
    for position in found[:MAX_SHOWN]:
        _unwanted(text, position, len(found), file, problems)
    lines = UNWANTED.sub(" ", text).removesuffix("\n").split("\n")
    wide = next((number for number, line in enumerate(lines) if len(line) > MAX_WIDTH), None)
    if wide is not None:
        problems.error(
            "E102",
            Span(file, wide + 1, 1, wide + 1, MAX_WIDTH + 1),
            f"This line is too long: over {MAX_WIDTH:,} characters.",
            "Break it into several lines.",
        )
        return None
    for number, line in enumerate(lines):
        if not line.isascii() and (strange := _STRANGE_INDENT.match(line)):
            problems.error(
                "E104",
                Span(file, number + 1, 1, number + 1, strange.end() + 1),
                "This line is indented with a character that only looks like a space.",
                "Delete the beginning of the line and type it again with ordinary spaces.",
            )
            lines[number] = " " * strange.end() + line[strange.end() :]
    return lines


def too_large(file: str, problems: Problems) -> None:
    """Say that a file is over the limits of size."""
    _whole(
        problems,
        "E102",
        file,
        f"This file is too large: over {MAX_CHARACTERS // 1_000_000} MB or {MAX_LINES:,} lines.",
        "Split it into several files, and check that it is really a file of rules.",
    )


def _unwanted(text: str, position: int, count: int, file: str, problems: Problems) -> None:
    character = text[position]
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    called = _CALLED.get(character, f"An invisible character (U+{ord(character):04X})")
    more = f" (one of {count} such characters in this file)" if count > 1 else ""
    problems.error(
        "E104",
        Span(file, line, column, line, column + 1),
        f"{called} stands here{more}.",
        "Delete it: put the cursor behind it and press backspace, then type what should stand there.",
    )


def _no_text(problems: Problems, file: str) -> None:
    _whole(
        problems, "E103", file, "This is not a text file.", "Rules and tables are text files, saved as UTF-8."
    )


def _whole(problems: Problems, code: str, file: str, text: str, cure: str) -> None:
    problems.error(code, Span(file, 1, 1, 1, 1), text, cure)
