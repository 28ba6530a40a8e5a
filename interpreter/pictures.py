"""Pictures of boards, and codes of pieces: read from a set-up or a scenario, and compared with a board.

Comes in: a block of cells separated by blanks. Goes out: a `Picture`, whose cells name the pieces that lie
there. `.` is an empty space, `[x]` an empty one that the scenario calls x, `[x]CODE` one with a piece,
`CODE` a piece, `CODE/MARKS` a piece with tokens lying on it (`Fm/r2b`), `CODE/SEAT` a piece of that owner,
`MARKS` alone tokens lying on the space. `TOP>UNDER/MARKS` is a stack of cards that cover one another, with
tokens on the uppermost, and `CODE:WORD` a piece whose state is that word (or the code of that word). What
never happens: a cell read in two ways: a code goes before marks, a seat's name after `/` before marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.dsl.model import Game
from rulewright.dsl.problems import Problem, Span
from rulewright.dsl.source import Scalar
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.layout import space_name
from rulewright.interpreter.naming import bare_type

CELL = re.compile(r"\S+")
NAMED = re.compile(r"\[([a-z][a-z0-9_]*)\]")
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
    """A piece that is asked for: any of `pieces`, with these lying on it and these covered by it, the
    uppermost first. `state` are values that it has: (number of a variable, value).
    """

    pieces: frozenset[int]
    text: str
    span: Span
    on: tuple[Wanted, ...] = ()
    under: tuple[Wanted, ...] = ()
    state: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Lying:
    """Where the pieces of a position are: what lies on each place, the place that piece 0 is, and the
    value of a variable for a piece.
    """

    contents: Mapping[int, Sequence[int]]
    first: int
    value: Callable[[int, int], int]

    def on(self, piece: int) -> Sequence[int]:
        """What lies on a piece."""
        return self.contents.get(self.first + piece, ())


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
        stack, slash, behind = text.partition("/")
        top, *covered = [stack] if stack in self.by_code else stack.split(">")
        if not slash and not covered and top not in self.by_code and ":" not in top:
            tokens = self.tokens(top, span)
            if tokens is not None:
                return tokens
        under = tuple(self.one(code, span) for code in covered)
        found = replace(self.one(top, span), text=text, under=under)
        if not slash:
            return (found,)
        owned = frozenset(i for i in found.pieces if behind and self.owner(i) == behind)
        if owned:
            return (replace(found, pieces=owned),)
        on = self.tokens(behind, span)
        if on is None:
            known = [*self.marks, *self.program.players]
            cure = f"Marks here: {', '.join(known)}. A figure behind a mark says how many."
            raise wrong(span, f"`{behind}` says neither whose `{stack}` is nor what lies on it.", cure)
        return (replace(found, on=on),)

    def one(self, text: str, span: Span) -> Wanted:
        """One piece with its state: `CODE`, `CODE:WORD`, or a mark that stands for one token."""
        code, colon, word = (text, "", "") if text in self.by_code else text.partition(":")
        pieces = self.by_code.get(code)
        if pieces is None:
            tokens = self.tokens(code, span)
            if tokens is None or len(tokens) != 1:
                known = [*self.by_code, *self.marks]
                near = closest(code, known)
                cure = f"Did you mean `{near}`?" if near else f"Codes: {', '.join(known[:30])}."
                raise wrong(span, f"`{code}` is no code of a piece in this game.", cure)
            pieces = tokens[0].pieces
        return Wanted(pieces, text, span, state=(self.state(code, word, span),) if colon else ())

    def state(self, code: str, word: str, span: Span) -> tuple[int, int]:
        """The variable of pieces that a word is a value of, and that value."""
        found: list[tuple[int, int]] = []
        known: list[str] = []
        for number in self.program.piece_vars:
            variable = self.program.variables[number]
            words = self.state_words(variable.type)
            known += words
            value = words.get(word, int(word) if word.isdecimal() and not words else -1)
            if value >= 0 and value <= variable.high:
                found.append((number, value))
        if len(found) != 1:
            near = closest(word, known)
            cure = f"Did you mean `{near}`?" if near else f"Words: {', '.join(dict.fromkeys(known))}."
            many = f"`{word}` could be the state of `{code}` in several ways."
            raise wrong(span, many if found else f"`{word}` is no state that `{code}` can have.", cure)
        return found[0]

    def state_words(self, type_: str) -> dict[str, int]:
        """The words of a type of state, and their codes, with their values."""
        name = bare_type(type_)
        if name == "player":
            return {word: i for i, word in enumerate(self.program.players)}
        words = dict(self.program.word_lists).get(name, ())
        enum = self.game.enums.get(name)
        found = dict(zip(enum.codes, range(len(words)), strict=False)) if enum is not None else {}
        return {**found, **{word: i for i, word in enumerate(words)}}

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

    def shown_state(self, piece: int, lying: Lying) -> str:
        """The state of a piece that is another one than at its start: `:WORD`, by the code of the word."""
        out = ""
        for number in self.program.piece_vars:
            variable = self.program.variables[number]
            value = lying.value(number, piece)
            if value >= 0 and value != variable.initial[piece]:
                words = {v: w for w, v in reversed(self.state_words(variable.type).items())}
                out += ":" + words.get(value, str(value))
        return out


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
                text = text[named.end() :] or "."
                if named[1] in taken or named[1] in names:
                    raise wrong(span, f"`{named[1]}` means something else already.", "Take another name.")
                names[named[1]] = (len(rows), len(row))
            row.append(Cell(() if text == "." else codes.read(text, span), span))
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
    for cell in (cell for row in picture.rows for cell in row if not board.covers):
        if any(w.under for w in cell.wanted):
            cure = "Only boards with `stacks: covers` have cards under cards."
            raise wrong(cell.span, f"On `{board.name}` nothing is covered.", cure)
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


def matched(wanted: Sequence[Wanted], pieces: Sequence[int], lying: Lying) -> bool:
    """Whether pieces, with what lies on them, are just the wanted ones."""
    if len(wanted) != len(pieces):
        return False
    left = list(pieces)
    for w in sorted(wanted, key=lambda w: len(w.pieces)):
        found = next((p for p in left if is_wanted(w, p, lying)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def is_wanted(wanted: Wanted, piece: int, lying: Lying) -> bool:
    """Whether a piece is one that is asked for, in its state and with what lies on it."""
    return (
        piece in wanted.pieces
        and all(lying.value(number, piece) == value for number, value in wanted.state)
        and matched(wanted.on, lying.on(piece), lying)
    )


def is_stack(wanted: Sequence[Wanted], pieces: Sequence[int], lying: Lying) -> bool:
    """Whether cards that cover one another, the uppermost last, are what is asked for; what lies under the
    uppermost is asked for only if it is named.
    """
    if not wanted or not pieces:
        return not wanted and not pieces
    if len(wanted) > 1 or not is_wanted(wanted[0], pieces[-1], lying):
        return False
    under = wanted[0].under
    covered = list(reversed(pieces[:-1]))
    return not under or (
        len(under) == len(covered)
        and all(is_wanted(w, p, lying) for w, p in zip(under, covered, strict=True))
    )


def drawn(board: ir.BoardInfo, lying: Lying, codes: Codes) -> list[str]:
    """A board as lines of a picture; of an unbounded one all that lies there, from `a1` on at least."""
    spots = [
        (p, x)
        for p, x in lying.contents.items()
        if x and board.first <= p < board.first + board.width * board.height
    ]
    shift = (board.height // 2, board.width // 2) if board.unbounded else (0, 0)
    where = {divmod(p - board.first, board.width): x for p, x in spots}
    cells = {
        (r - shift[0], c - shift[1]): cell_text(x, lying, codes, board.covers) for (r, c), x in where.items()
    }
    if board.unbounded:
        rows = range(min([0, *(r for r, _ in cells)]), max([0, *(r for r, _ in cells)]) + 1)
        columns = range(min([0, *(c for _, c in cells)]), max([0, *(c for _, c in cells)]) + 1)
    else:
        rows, columns = range(board.height), range(board.width)
    table = [[cells.get((r, c), ".") for c in columns] for r in rows]
    wide = max(len(x) for row in table for x in row)
    return ["  ".join(x.ljust(wide) for x in row).rstrip() for row in table]


def piece_text(piece: int, lying: Lying, codes: Codes) -> str:
    """A piece with its state and what lies on it."""
    on = lying.on(piece)
    return codes.name(piece) + codes.shown_state(piece, lying) + ("/" + codes.names(list(on)) if on else "")


def cell_text(pieces: Sequence[int], lying: Lying, codes: Codes, covers: bool) -> str:
    """What lies on a space, as a cell of a picture."""
    if covers and len(pieces) > 1:
        top, _, on = piece_text(pieces[-1], lying, codes).partition("/")
        under = [codes.name(p) + codes.shown_state(p, lying) for p in reversed(pieces[:-1])]
        return ">".join([top, *under]) + ("/" + on if on else "")
    found = [piece_text(p, lying, codes) for p in pieces]
    if len(found) > 1 and all("/" not in x and ":" not in x for x in found):
        return codes.names(list(pieces))
    return "+".join(found) or "."


def differences(
    picture: Picture, board: ir.BoardInfo, lying: Lying, codes: Codes
) -> Iterator[tuple[Span, str]]:
    """Where a board differs from a picture: the cell, and what is there instead."""
    drawn_places = set()
    for r, row in enumerate(picture.rows):
        for c, cell in enumerate(row):
            place = place_at(board, r, c)
            drawn_places.add(place)
            pieces = lying.contents.get(place, ())
            same = is_stack if board.covers else matched
            if not same(cell.wanted, pieces, lying):
                text = cell_text(pieces, lying, codes, board.covers) if pieces else "nothing"
                yield cell.span, f"On {name_at(board, r, c)} there is {text}."
    for place, pieces in sorted(lying.contents.items()):
        inside = board.first <= place < board.first + board.width * board.height
        if pieces and inside and place not in drawn_places:
            r, c = divmod(place - board.first, board.width)
            if board.unbounded:
                r, c = r - board.height // 2, c - board.width // 2
            text = cell_text(pieces, lying, codes, board.covers)
            yield picture.span, f"On {name_at(board, r, c)}, outside of the picture, there is {text}."
