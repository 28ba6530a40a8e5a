"""Read a CSV table in which every cell knows its place.

Comes in: the text of a file. Goes out: a `Table` of Scalars of style "csv", as wide in every row
as its first, and problems E140 to E149. What never happens: a row guessed at, a cell converted, an
exception for a wrong file. To extend: a check of cells belongs into `_cells`, of rows into
`_rows`.

Cells are separated by commas. A cell that holds a comma, a quote or a line end stands in double
quotes, with quotes inside doubled. Spaces around a cell do not count, unless they stand in quotes.
Lines without any text in them do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulewright.dsl.plain_text import MAX_SHOWN, clean_lines
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Scalar, SourceMap, Table

MAX_CELLS = 50_000

_QUOTED = re.compile(r'((?:[^"]|"")*)("?)')

_Row = list[Scalar]


def read_csv(text: str, file: str, problems: Problems) -> Table | None:
    """The table that `text` holds, or None when it has no head to go by.

    A row that is too short or too long is a problem (E142) and left out; so is a column without
    a name (E143) or with a name that is there already (E144): the column is kept, and what looks
    a column up finds the first.
    """
    lines = clean_lines(text, file, problems)
    if lines is None:
        return None
    reading = _Reading(lines, file, problems)
    rows = reading.rows()
    head = next(rows, None)
    if head is None:
        reading.error("E140", 0, 0, 0, "This table has no row.", "Its first row names the columns.")
        return None
    if len(head) == 1 and reading.other_separator(head[0]):
        return None
    reading.check_head(head)
    body = [row for row in rows if reading.fits(row, head)]
    if not body and not reading.failed:
        at = head[-1].span
        problems.warning("E149", at, "This table has names of columns but no row.", "Write its rows below.")
    last = body[-1][-1] if body else head[-1]
    return Table(tuple(head), tuple(map(tuple, body)), head[0].span.to(last.span))


class _Reading:
    def __init__(self, lines: list[str], file: str, problems: Problems) -> None:
        self.lines, self.file, self.problems = lines, file, problems
        self.failed = False  # a row was left out or the rest not read
        self.said: Counter[str] = Counter()
        self.broken: set[int] = set()  # lines that an open quote cuts off

    def error(self, code: str, line: int, start: int, end: int, text: str, cure: str) -> None:
        self.failed = True
        self.note(code, Span(self.file, line + 1, start + 1, line + 1, end + 1), text, cure)

    def note(self, code: str, span: Span, text: str, cure: str) -> None:
        """Say it, unless so many of the same kind are said that more would help nobody."""
        self.said[code] += 1
        if self.said[code] <= MAX_SHOWN:
            self.problems.error(code, span, text, cure)

    def rows(self) -> Iterator[_Row]:
        """The rows that say something, one after the other."""
        line, count = 0, 0
        while line < len(self.lines):
            row, line = self.row(line)
            count += len(row)
            if count > MAX_CELLS:
                text = f"This table is too large: over {MAX_CELLS:,} cells."
                self.error("E148", line - 1, 0, 1, text, "Split it into several tables.")
                return
            if any(cell.text for cell in row):
                yield row

    def row(self, line: int) -> tuple[_Row, int]:
        """The cells of the row that begins on `line`, and the line behind it."""
        row: _Row = []
        column = 0
        while True:
            text = self.lines[line]
            while text[column : column + 1] in (" ", "\t"):
                column += 1
            if text.startswith('"', column):
                cell, line, column = self.quoted(line, column)
            else:
                cell, column = self.bare(line, column)
            row.append(cell)
            if column >= len(self.lines[line]):
                return row, line + 1
            column += 1

    def bare(self, line: int, start: int) -> tuple[Scalar, int]:
        text = self.lines[line]
        end = text.find(",", start)
        end = len(text) if end < 0 else end
        value = text[start:end].rstrip(" \t")
        span = Span(self.file, line + 1, start + 1, line + 1, start + len(value) + 1)
        return Scalar(value, span, "csv", SourceMap(self.file, ((0, line + 1, start + 1),))), end

    def quoted(self, line: int, start: int) -> tuple[Scalar, int, int]:
        """A cell in quotes: the cell, and the line and column of the comma or line end behind it."""
        parts: list[str] = []
        runs: list[tuple[int, int, int]] = []
        length, at, column = 0, line, start + 1
        while True:
            text = self.lines[at]
            match = _QUOTED.match(text, column)
            assert match is not None
            for piece in re.finditer(r'[^"]+|""', match[1]):
                runs.append((length, at + 1, column + piece.start() + 1))
                parts.append('"' if piece[0] == '""' else piece[0])
                length += len(parts[-1])
            if match[2]:
                end = match.end()
                break
            if at + 1 >= len(self.lines):
                text = 'The quote that opens here (") is not closed.'
                cure = 'Write " at the end of the cell; a quote inside a cell is written twice ("").'
                self.error("E145", line, start, start + 1, text, cure)
                self.broken.add(line)
                value, rest = self.lines[line][start + 1 :], len(self.lines[line])
                span = Span(self.file, line + 1, start + 1, line + 1, rest + 1)
                runs = [(0, line + 1, start + 2)]
                return Scalar(value, span, "csv", SourceMap(self.file, tuple(runs))), line, rest
            runs.append((length, at + 1, len(text) + 1))
            parts.append("\n")
            length, at, column = length + 1, at + 1, 0
        span = Span(self.file, line + 1, start + 1, at + 1, end + 1)
        runs = runs or [(0, line + 1, start + 2)]
        cell = Scalar("".join(parts), span, "csv", SourceMap(self.file, tuple(runs)))
        return cell, at, self.behind(at, end)

    def behind(self, line: int, end: int) -> int:
        """The comma or line end behind a closing quote; anything else before it is a problem."""
        text = self.lines[line]
        comma = text.find(",", end)
        comma = len(text) if comma < 0 else comma
        extra = text[end:comma].strip(" \t")
        if extra:
            start = text.index(extra, end)
            what = f"`{extra[:30]}` stands behind the closing quote of this cell."
            cure = 'Put the whole cell in quotes, and write each quote inside it twice ("").'
            self.error("E146", line, start, start + len(extra), what, cure)
        return comma

    def other_separator(self, cell: Scalar) -> bool:
        """Whether the table is cut by another sign than commas; says so."""
        line = cell.span.line
        for sign, name in ((";", "semicolons"), ("\t", "tabs")):
            place = self.lines[line - 1].find(sign)
            if place >= 0:
                text = f"The cells of this table are separated by {name}, not by commas."
                cure = "Save it with commas as separators (in the dialog for saving as CSV)."
                self.error("E147", line - 1, place, place + 1, text, cure)
                return True
        return False

    def check_head(self, head: _Row) -> None:
        known: dict[str, int] = {}
        for number, cell in enumerate(head, 1):
            if not cell.text:
                cure = "Write a name, or remove the comma if there is no such column."
                self.note("E143", cell.span, f"Column {number} has no name.", cure)
            elif cell.text in known:
                text = f"A column `{cell.text}` is there already: it is column {known[cell.text]}."
                self.note("E144", cell.span, text, "Give one of the two another name.")
            known.setdefault(cell.text, number)

    def fits(self, row: _Row, head: _Row) -> bool:
        if len(row) == len(head):
            return True
        self.failed = True
        if row[0].span.line - 1 in self.broken or row[-1].span.line - 1 in self.broken:
            return False
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        many = f"This row has {cells}, but the table has {len(head)} columns"
        if len(row) > len(head):
            span = row[len(head)].span.to(row[-1].span)
            cure = "Put a cell that holds a comma in double quotes, or remove what is too much."
            self.note("E142", span, f"{many}.", cure)
        else:
            missing = ", ".join(cell.text or "?" for cell in head[len(row) :][:6])
            cure = "Write the missing cells; an empty cell still needs its comma."
            self.note("E142", row[0].span.to(row[-1].span), f"{many}; missing: {missing}.", cure)
        return False
