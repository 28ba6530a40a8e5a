"""Pictures of boards, and codes of pieces: read from a set-up or a scenario, and compared with a board.

Comes in: a block of cells separated by blanks. Goes out: a `Picture`, whose cells name the pieces that lie
there. `.` is an empty space, `[x]` an empty one that the scenario calls x, `CODE` a piece, `CODE/MARKS` a
piece with tokens lying on it (`Fm/r2b`), `CODE/SEAT` a piece of that owner, `MARKS` alone tokens lying on
the space. What never happens: a cell read in two ways: a code goes before marks, a seat's name after `/`
before marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.dsl.model import Game
from rulewright.dsl.problems import Problem, Span
from rulewright.dsl.source import Scalar
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.layout import space_name

CELL = re.compile(r"\S+")
NAMED = re.compile(r"\[([a-z][a-z0-9_]*)\]\Z")
COUNT = re.compile(r"[0-9]+")


class Unfit(Exception):
    """Something in a picture or a scenario that cannot be; becomes a problem before anybody sees it."""

    def __init__(self, code: str, span: Span, text: str, cure: str = "") -> None:
        super().__init__(text)
        self.problem = Problem(code, span, text, cure)


def wrong(span: Span, text: str, cure: str = "") -> Unfit:
    """What is drawn or written cannot be understood (E601)."""
    return Unfit("E601", span, text, cure)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A piece that is asked for: any of `pieces`, with these lying on it."""

    pieces: frozenset[int]
    text: str
    span: Span
    on: tuple[Wanted, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One space of a picture: what lies there."""

    wanted: tuple[Wanted, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Picture:
    """A board as drawn: rows of cells; `names` are the spaces that have a name in this scenario."""

    rows: tuple[tuple[Cell, ...], ...]
    names: dict[str, tuple[int, int]]
    span: Span


class Codes:
    """The pieces of a program by the codes that a scenario may use for them."""

    def __init__(self, program: ir.Program, game: Game) -> None:
        self.program = program
        self.game = game
        self.by_code: dict[str, frozenset[int]] = {}
        self.marks: dict[str, frozenset[int]] = {}
        for code in dict.fromkeys(p.code or p.name for p in program.pieces):
            self.by_code[code] = frozenset(
                i for i, p in enumerate(program.pieces) if (p.code or p.name) == code
            )
        for mark, meaning in game.notation.items():
            found = self.meant(meaning)
            if found:
                self.marks[mark] = found
        self._add_seats()

    def meant(self, meaning: Scalar) -> frozenset[int]:
        """The pieces that an entry of `notation:` stands for: `KIND`, `KIND of SEAT`, or a code. Of a seat
        that is not taken in this game there are none."""
        what, _, seat = meaning.text.strip().partition(" of ")
        pieces = self.by_code.get(what.strip()) or frozenset(
            i for i, p in enumerate(self.program.pieces) if what.strip() in self.kinds_of(p.kind)
        )
        if seat.strip():
            return frozenset(i for i in pieces if self.owner(i) == seat.strip())
        return pieces

    def kinds_of(self, kind: int) -> set[str]:
        """All kinds that pieces of a kind are."""
        found: set[str] = set()
        todo = [self.program.kinds[kind]]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                if name in self.game.kinds:
                    todo += list(self.game.kinds[name].parents)
        return found

    def owner(self, piece: int) -> str:
        """The name of a piece's own owner, or ""."""
        owner = self.program.pieces[piece].owner
        return self.program.players[owner] if owner >= 0 else ""

    def _add_seats(self) -> None:
        """Where each player has one kind of token, seats stand for them by name or unique initial."""
        kinds = {
            (s.kind, s.owner) for s in self.program.stand_ins if s.owner >= 0
        }  # kinds of tokens that players own
        if len({kind for kind, _ in kinds}) != 1:
            return
        initials = [p[:1] for p in self.program.players]
        for number, player in enumerate(self.program.players):
            pieces = frozenset(
                i
                for i, p in enumerate(self.program.pieces)
                if (p.kind, p.owner) in kinds and p.owner == number
            )
            for code in (player, player[:1] if initials.count(player[:1]) == 1 else ""):
                if code and code not in self.by_code:
                    self.marks.setdefault(code, pieces)

    # ------------------------------------------------------------------ reading

    def read(self, text: str, span: Span) -> tuple[Wanted, ...]:
        """What a cell or an item of a list asks for. Unfit if it means nothing."""
        code, slash, behind = text.partition("/")
        pieces = self.by_code.get(code)
        if pieces is None:
            tokens = self.tokens(code, span)
            if tokens is not None and not slash:
                return tokens
            if tokens is None or len(tokens) != 1:
                known = [*self.by_code, *self.marks]
                near = closest(code, known)
                cure = f"Did you mean `{near}`?" if near else f"Codes: {', '.join(known[:30])}."
                raise wrong(span, f"`{code}` is no code of a piece in this game.", cure)
            pieces = tokens[0].pieces
        if not slash:
            return (Wanted(pieces, text, span),)
        owned = frozenset(i for i in pieces if behind and self.owner(i) == behind)
        if owned:
            return (Wanted(owned, text, span),)
        on = self.tokens(behind, span)
        if on is None:
            known = [*self.marks, *self.program.players]
            cure = f"Marks here: {', '.join(known)}. A figure behind a mark says how many."
            raise wrong(span, f"`{behind}` says neither whose `{code}` is nor what lies on it.", cure)
        return (Wanted(pieces, text, span, on),)

    def tokens(self, text: str, span: Span) -> tuple[Wanted, ...] | None:
        """Marks one after the other, each with a figure for how many; None if that is not what it is."""
        found: list[Wanted] = []
        at = 0
        while at < len(text):
            mark = max((m for m in self.marks if text.startswith(m, at)), key=len, default="")
            if not mark:
                return None
            at += len(mark)
            figure = COUNT.match(text, at)
            count = int(figure[0][:4]) if figure else 1
            at = figure.end() if figure else at
            found += [Wanted(self.marks[mark], mark, span)] * min(count, len(self.program.pieces) + 1)
        return tuple(found) if found else None

    # ------------------------------------------------------------------ naming

    def name(self, piece: int) -> str:
        """The code by which a scenario would name a piece; with its owner where others have it too."""
        marks = [mark for mark, pieces in self.marks.items() if piece in pieces]
        if marks:
            return min(marks, key=len)
        info = self.program.pieces[piece]
        code = info.code or info.name
        owners = {self.program.pieces[i].owner for i in self.by_code[code]}
        return f"{code}/{self.owner(piece)}" if len(owners) > 1 else code

    def names(self, pieces: list[int]) -> str:
        """Marks of tokens, those that are alike with their number: `r2b`."""
        names = [self.name(p) for p in pieces]
        return "".join(
            name + (str(names.count(name)) if names.count(name) > 1 else "") for name in dict.fromkeys(names)
        )


def read_picture(block: Scalar, codes: Codes, taken: frozenset[str]) -> Picture:
    """The picture in a block. `taken` are names that no space may have. Unfit where a cell means nothing."""
    rows: list[tuple[Cell, ...]] = []
    names: dict[str, tuple[int, int]] = {}
    offset = 0
    for line in block.text.split("\n"):
        row: list[Cell] = []
        for match in CELL.finditer(line):
            span = block.at(offset + match.start(), offset + match.end())
            text = match[0]
            named = NAMED.match(text)
            if named:
                if named[1] in taken or named[1] in names:
                    raise wrong(span, f"`{named[1]}` means something else already.", "Take another name.")
                names[named[1]] = (len(rows), len(row))
            row.append(Cell(() if named or text == "." else codes.read(text, span), span))
        if row:
            rows.append(tuple(row))
        offset += len(line) + 1
    if not rows:
        raise wrong(
            block.span, "This picture has no spaces.", "Draw a cell for each space; `.` is an empty one."
        )
    for row_ in rows:
        if len(row_) != len(rows[0]):
            text = f"This row has {len(row_)} spaces; the first one has {len(rows[0])}."
            raise wrong(row_[0].span.to(row_[-1].span), text, "Draw `.` for an empty space.")
    return Picture(tuple(rows), names, block.span)


def fit(picture: Picture, board: ir.BoardInfo) -> None:
    """Unfit unless the picture has the form of the board."""
    high, wide = len(picture.rows), len(picture.rows[0])
    if (board.unbounded and (high > board.height // 2 or wide > board.width // 2)) or (
        not board.unbounded and (high, wide) != (board.height, board.width)
    ):
        text = f"This picture is {wide} wide and {high} high."
        cure = f"`{board.name}` is {board.width} wide and {board.height} high."
        raise wrong(picture.span, text, cure)


def place_at(board: ir.BoardInfo, row: int, column: int) -> int:
    """The place of a cell; the top left one is `a1`, on an unbounded board too."""
    if board.unbounded:
        row, column = row + board.height // 2, column + board.width // 2
    return board.first + row * board.width + column


def name_at(board: ir.BoardInfo, row: int, column: int) -> str:
    """The name of a cell's space."""
    return space_name(row, column)


def matched(
    wanted: tuple[Wanted, ...], pieces: list[int], contents: dict[int, list[int]], first: int
) -> bool:
    """Whether pieces, with what lies on them, are just the wanted ones; piece 0 as a place is `first`."""
    if len(wanted) != len(pieces):
        return False
    left = list(pieces)
    for w in sorted(wanted, key=lambda w: len(w.pieces)):
        found = next(
            (
                p
                for p in left
                if p in w.pieces and matched(w.on, contents.get(first + p, []), contents, first)
            ),
            None,
        )
        if found is None:
            return False
        left.remove(found)
    return True


def drawn(board: ir.BoardInfo, contents: dict[int, list[int]], codes: Codes, first: int) -> list[str]:
    """A board as lines of a picture; of an unbounded one all that lies there, from `a1` on at least."""
    spots = [
        (p, x)
        for p, x in contents.items()
        if x and board.first <= p < board.first + board.width * board.height
    ]
    shift = (board.height // 2, board.width // 2) if board.unbounded else (0, 0)
    where = {divmod(p - board.first, board.width): x for p, x in spots}
    cells = {
        (r - shift[0], c - shift[1]): cell_text(x, contents, codes, first) for (r, c), x in where.items()
    }
    if board.unbounded:
        rows = range(min([0, *(r for r, _ in cells)]), max([0, *(r for r, _ in cells)]) + 1)
        columns = range(min([0, *(c for _, c in cells)]), max([0, *(c for _, c in cells)]) + 1)
    else:
        rows, columns = range(board.height), range(board.width)
    table = [[cells.get((r, c), ".") for c in columns] for r in rows]
    wide = max(len(x) for row in table for x in row)
    return ["  ".join(x.ljust(wide) for x in row).rstrip() for row in table]


def piece_text(piece: int, contents: dict[int, list[int]], codes: Codes, first: int) -> str:
    """A piece with what lies on it."""
    on = contents.get(first + piece)
    return codes.name(piece) + ("/" + codes.names(on) if on else "")


def cell_text(pieces: list[int], contents: dict[int, list[int]], codes: Codes, first: int) -> str:
    """What lies on a space, as a cell of a picture."""
    found = [piece_text(p, contents, codes, first) for p in pieces]
    if len(found) > 1 and all("/" not in x for x in found):
        return codes.names(pieces)
    return "+".join(found) or "."


def top_of(pieces: list[int], covers: bool) -> list[int]:
    """What counts on a space: of a stack of cards that cover one another the uppermost."""
    return pieces[-1:] if covers else pieces


def differences(
    picture: Picture, board: ir.BoardInfo, contents: dict[int, list[int]], codes: Codes, first: int
) -> Iterator[tuple[Span, str]]:
    """Where a board differs from a picture: the cell, and what is there instead."""
    drawn_places = set()
    for r, row in enumerate(picture.rows):
        for c, cell in enumerate(row):
            place = place_at(board, r, c)
            drawn_places.add(place)
            lying = top_of(contents.get(place, []), board.covers)
            if not matched(cell.wanted, lying, contents, first):
                text = cell_text(lying, contents, codes, first) if lying else "nothing"
                yield cell.span, f"On {name_at(board, r, c)} there is {text}."
    for place, pieces in sorted(contents.items()):
        inside = board.first <= place < board.first + board.width * board.height
        if pieces and inside and place not in drawn_places:
            r, c = divmod(place - board.first, board.width)
            if board.unbounded:
                r, c = r - board.height // 2, c - board.width // 2
            text = cell_text(pieces, contents, codes, first)
            yield picture.span, f"On {name_at(board, r, c)}, outside of the picture, there is {text}."
