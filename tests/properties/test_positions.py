"""Every character of every value leads back to where it stands in the file.

A pen writes random texts in one style and notes the place of each character as it writes; what
the readers say must be exactly that. That the pen writes good YAML is checked against the YAML
library itself.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulewright.dsl.csv_reader import read_csv
from rulewright.dsl.problems import Problems
from rulewright.dsl.source import Mapping, Scalar, Sequence
from rulewright.dsl.yaml_reader import read_yaml

EXAMPLES = max(300, settings.default.max_examples)
LETTERS = "abcéß日𝄞0123"
SIGNS = "-_()<>+*/=.#!&,'\"[]{}|?%@`~"
NAMED = {"\n": "n", "\t": "t", "\\": "\\", '"': '"', "\xa0": "_", "/": "/", " ": " "}


class Pen:
    """Writes a file and remembers which characters make up the value, and where they stand."""

    def __init__(self) -> None:
        self.text = ""
        self.value: list[tuple[str, int, int]] = []

    def here(self) -> tuple[int, int]:
        return self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n")

    def write(self, text: str) -> None:
        self.text += text

    def say(self, text: str) -> None:
        for character in text:
            self.say_as(character, character)

    def say_as(self, character: str, written: str) -> None:
        self.value.append((character, *self.here()))
        self.text += written

    def fold(self, blanks: list[int], indent: str, joined: bool = False) -> None:
        """End the line, leave blank lines of some spaces, and begin the next line."""
        if not blanks and not joined:
            self.say_as(" ", "\n")
        else:
            self.write("\n")
        for spaces in blanks:
            self.say_as("\n", " " * spaces + "\n")
        self.write(indent)


words = st.builds(
    lambda first, rest: first + rest,
    st.sampled_from(LETTERS),
    st.text(st.sampled_from(LETTERS + SIGNS), max_size=5),
)
phrases = st.lists(words, min_size=1, max_size=4).map(" ".join)
spaces = st.integers(0, 3)
folds = st.tuples(st.lists(spaces, max_size=2), spaces, spaces)  # blank lines, trailing, indentation
quoted_texts = st.text(st.sampled_from(LETTERS + SIGNS + " :"), min_size=1, max_size=10).filter(
    lambda text: text == text.strip(" ")
)


def read_value(pen: Pen, crlf: bool) -> Scalar:
    text = pen.text.replace("\n", "\r\n") if crlf else pen.text
    problems = Problems()
    tree = read_yaml(text, "f.yaml", problems)
    assert not problems.errors, list(problems)
    while not isinstance(tree, Scalar):
        assert isinstance(tree, Mapping | Sequence)
        tree = tree.items[-1] if isinstance(tree, Sequence) else tree.get("key")
    return tree


def holds(pen: Pen, crlf: bool) -> None:
    scalar = read_value(pen, crlf)
    assert scalar.text == "".join(character for character, _, _ in pen.value)
    assert [scalar.map.place(i) for i in range(len(scalar.text))] == [(n, c) for _, n, c in pen.value]
    library = YAML(typ="base", pure=True).load(pen.text)
    while not isinstance(library, str):
        library = library[-1] if isinstance(library, list) else library["key"]
    assert library == scalar.text


def begin(place: str) -> Pen:
    pen = Pen()
    pen.write(
        {"key": "before: 1\nkey: ", "list": "key:\n  - before\n  - ", "deep": "key:\n  key:\n    key: "}[
            place
        ]
    )
    return pen


def finish(pen: Pen, place: str) -> None:
    pen.write("\n" if not pen.text.endswith("\n") else "")
    if place == "key":
        pen.write("after: 2\n")


places = st.sampled_from(["key", "list", "deep"])


@settings(max_examples=EXAMPLES)
@given(places, phrases, st.lists(st.tuples(folds, phrases), max_size=3), st.booleans())
def test_plain_texts(place: str, first: str, more: list, crlf: bool) -> None:
    pen = begin(place)
    pen.say(first)
    for (blanks, trailing, indent), phrase in more:
        pen.write(" " * trailing)
        pen.fold([0 for _ in blanks], " " * (6 + indent))
        pen.say(phrase)
    finish(pen, place)
    holds(pen, crlf)


@settings(max_examples=EXAMPLES)
@given(places, quoted_texts, st.lists(st.tuples(folds, quoted_texts), max_size=3), st.booleans())
def test_texts_in_single_quotes(place: str, first: str, more: list, crlf: bool) -> None:
    pen = begin(place)
    pen.write("'")
    for number, text in enumerate([first, *(text for _, text in more)]):
        if number:
            blanks, trailing, indent = more[number - 1][0]
            pen.write(" " * trailing)
            pen.fold([0 for _ in blanks], " " * (6 + indent))
        for character in text:
            pen.say_as(character, "''" if character == "'" else character)
    pen.write("'")
    finish(pen, place)
    holds(pen, crlf)


escapes = st.lists(
    st.tuples(st.sampled_from(LETTERS + SIGNS + ' \\\n\t\xa0"/'), st.sampled_from("-nxuU")),
    min_size=1,
    max_size=8,
)


@settings(max_examples=EXAMPLES)
@given(places, escapes, st.lists(st.tuples(folds, st.booleans(), escapes), max_size=3), st.booleans())
def test_texts_in_double_quotes(place: str, first: list, more: list, crlf: bool) -> None:
    pen = begin(place)
    pen.write('"')
    for number, text in enumerate([first, *(text for _, _, text in more)]):
        if number:
            (blanks, trailing, indent), joined, _ = more[number - 1]
            if joined:
                pen.say(" " * trailing)  # in front of an escaped line end spaces count
                pen.write("\\")
            else:
                pen.write(" " * trailing)
            pen.fold([0 for _ in blanks], " " * (6 + indent), joined)
        for at, (character, way) in enumerate(text):
            edge = at in (0, len(text) - 1)
            pen.say_as(character, escaped(character, way, edge))
    pen.write('"')
    finish(pen, place)
    holds(pen, crlf)


def escaped(character: str, way: str, edge: bool) -> str:
    code = ord(character)
    if way == "x" and code < 256:
        return f"\\x{code:02x}"
    if way == "u" and code < 65536:
        return f"\\u{code:04X}"
    if way == "U":
        return f"\\U{code:08x}"
    must = character in '\\"\n\t' or (edge and character in " \xa0")
    return "\\" + NAMED[character] if character in NAMED and (way == "n" or must) else character


block_lines = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["", "", " ", "   "]), phrases, spaces),
    min_size=1,
    max_size=5,
)


def block(sign: str) -> Callable[..., None]:
    @settings(max_examples=EXAMPLES)
    @given(places, block_lines, st.sampled_from(["", "+", "-"]), st.booleans(), spaces, spaces, st.booleans())
    def check(place: str, lines: list, chomp: str, figure: bool, deeper: int, tail: int, crlf: bool) -> None:
        pen = begin(place)
        outer = {"key": 0, "list": 2, "deep": 4}[place]
        figure = figure or bool(lines[0][1])
        pen.write(sign + chomp + (str(deeper + 1) if figure else "") + "\n")
        indent = " " * (outer + deeper + 1)
        for number, (blanks, lead, phrase, trailing) in enumerate(lines):
            if number:
                tight = sign == ">" and not lines[number - 1][1] and not lead
                if not tight:
                    pen.say("\n")
                elif not blanks:
                    pen.say_as(" ", "\n")
                else:
                    pen.write("\n")
            pen.say("\n" * blanks)
            pen.write(indent)
            pen.say(lead + phrase + " " * trailing)
        (pen.write if chomp == "-" else pen.say)("\n")
        (pen.say if chomp == "+" else pen.write)("\n" * tail)
        finish(pen, place)
        holds(pen, crlf)

    return check


test_literal_blocks = block("|")
test_folded_blocks = block(">")

cells = st.text(st.sampled_from(LETTERS + '",;- \n'), max_size=6)


@settings(max_examples=EXAMPLES)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=3)
    ),
    spaces,
    st.booleans(),
)
def test_cells_of_tables(rows: list[list[str]], pad: int, crlf: bool) -> None:
    pen = Pen()
    found: list[list[tuple[str, int, int]]] = []
    head = [f"c{number}" for number in range(len(rows[0]))]
    for row in [head, *rows]:
        for number, cell in enumerate(row):
            pen.write(("," if number else "") + " " * pad)
            pen.value = []
            if any(sign in cell for sign in '",\n') or cell != cell.strip(" ") or not cell:
                pen.write('"')
                for character in cell:
                    pen.say_as(character, '""' if character == '"' else character)
                pen.write('"')
            else:
                pen.say(cell)
            pen.write(" " * pad)
            found.append(pen.value)
        pen.write("\n")
    problems = Problems()
    table = read_csv(pen.text.replace("\n", "\r\n") if crlf else pen.text, "t.csv", problems)
    assert table is not None and not problems.errors
    said = [cell for row in (table.columns, *table.rows) for cell in row]
    wanted = [
        value
        for start in range(0, len(found), len(head))
        for value in found[start : start + len(head)]
        if any(cell for cell in found[start : start + len(head)])
    ]
    assert ["".join(c for c, _, _ in value) for value in wanted] == [cell.text for cell in said]
    for cell, value in zip(said, wanted, strict=True):
        assert [cell.map.place(i) for i in range(len(cell.text))] == [(n, c) for _, n, c in value]
