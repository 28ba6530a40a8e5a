"""Pictures of boards, and codes of pieces: read from a set-up or a scenario, and compared with a board.

Comes in: a block of cells separated by blanks. Goes out: a `Picture`, whose cells name the pieces that lie
there. `.` is an empty space, `[x]` an empty one that the scenario calls x, `[x]CODE` one with a piece,
`CODE` a piece, `CODE/MARKS` a piece with tokens lying on it (`Fm/r2b`), `CODE/SEAT` a piece of that owner
(`CODE/SEAT/MARKS` both), `MARKS` alone tokens lying on the space. `TOP>UNDER/MARKS` is a stack of cards that
cover one another, with tokens on the uppermost (`TOP>UNDER(MARKS)`: on a covered one), and `CODE:WORD` a
piece whose state is that word, or the code of that word. What never happens: a cell read in two ways: a code
goes before marks, a seat's name after `/` before marks; a word that could be several states is refused.
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
from rulewright.interpreter.naming import bare_type, family

CELL = re.compile(r"\S+")
NAMED = re.compile(r"\[([a-z][a-z0-9_]*)\]")
COUNT = re.compile(r"[0-9]+")
COVERED = re.compile(r"(.+)\((.+)\)")  # a covered card with tokens on it


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
        self.cards = frozenset(i for i, p in enumerate(program.pieces) if self._is_card(p.kind))
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

    def _is_card(self, kind: int) -> bool:
        name = self.program.kinds[kind]
        return (self.game.kinds[name].base if name in self.game.kinds else name) == "card"

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
        if covered and not all((top, *covered)):
            raise wrong(span, "A card is missing before or behind `>`.", "Write `TOP>UNDER`.")
        open_ = COVERED.fullmatch(top) if top not in self.by_code else None
        if open_ is not None:
            cure = f"Write them behind `/`: `{open_[1]}/{open_[2]}`."
            raise wrong(span, "Brackets are for tokens on covered cards.", cure)
        under = tuple(self.covered(code, span) for code in covered)
        found = replace(self.one(top, span), text=text, under=under)
        if not slash:
            return (found,)
        seat, more, marks = behind.partition("/")
        owned = frozenset(i for i in found.pieces if seat and self.owner(i) == seat)
        if owned:
            found, behind = replace(found, pieces=owned), marks
            if not more:
                return (found,)
        return (replace(found, on=self.lying_on(stack, behind, span)),)

    def covered(self, text: str, span: Span) -> Wanted:
        """A card that is covered, with the tokens on it in brackets."""
        match = COVERED.fullmatch(text) if text not in self.by_code else None
        if match is None:
            return self.one(text, span)
        return replace(self.one(match[1], span), on=self.lying_on(match[1], match[2], span))

    def lying_on(self, code: str, marks: str, span: Span) -> tuple[Wanted, ...]:
        """The tokens that lie on a piece."""
        found = self.tokens(marks, span)
        if found is None:
            known = dict.fromkeys([*self.marks, *self.program.players])
            cure = f"Marks here: {', '.join(known)}. A figure behind a mark says how many."
            raise wrong(span, f"`{marks}` says neither whose `{code}` is nor what lies on it.", cure)
        return found

    def one(self, text: str, span: Span) -> Wanted:
        """One piece with its state: `CODE`, `CODE:WORD`, or a mark that stands for one token."""
        code, *words = [text] if text in self.by_code else text.split(":")
        pieces = self.by_code.get(code)
        if pieces is None:
            tokens = self.tokens(code, span)
            if tokens is None or len(tokens) != 1:
                known = [*self.by_code, *self.marks]
                near = closest(code, known)
                cure = f"Did you mean `{near}`?" if near else f"Codes: {', '.join(known[:30])}."
                raise wrong(span, f"`{code}` is no code of a piece in this game.", cure)
            pieces = tokens[0].pieces
        state = tuple(self.state(code, pieces, word, span) for word in words)
        if len(dict(state)) < len(state):
            raise wrong(span, f"`{text}` says the same thing twice.", "Leave one of the words out.")
        return Wanted(pieces, text, span, state=state)

    def state(self, code: str, pieces: frozenset[int], word: str, span: Span) -> tuple[int, int]:
        """The variable that a word is a value of, of those that pieces have, and that value."""
        found: list[tuple[int, int]] = []
        known: list[str] = []
        for number in self.states(pieces):
            variable = self.program.variables[number]
            words = self.state_words(variable.type)
            known += words
            if word == "none" and self.may_be_none(number):
                found.append((number, -1))
            elif word in words:
                found.append((number, words[word]))
            elif COUNT.fullmatch(word) and not words and int(word[:9]) <= variable.high:
                found.append((number, int(word[:9])))
        if len(found) > 1:
            names = [self.program.variables[number].name.removesuffix(" of piece") for number, _ in found]
            cure = f"Leave it out, and write a line of its own: `{names[0]} of {code}: {word}` under `given`,"
            cure += f" a condition with `{names[0]} of …` under `then`."
            raise wrong(span, f"`{word}` could be the {' or the '.join(names)} of `{code}`.", cure)
        if not found:
            near = closest(word, known)
            cure = f"Words: {', '.join(dict.fromkeys(known))}." if known else "Write the code alone."
            cure = f"Did you mean `{near}`?" if near else cure
            raise wrong(span, f"`{word}` is no state that `{code}` can have.", cure)
        return found[0]

    def states(self, pieces: frozenset[int]) -> list[int]:
        """The variables that say how pieces are: their face, and attributes that effects set."""
        names = {
            attribute.name
            for kind in {self.program.pieces[piece].kind for piece in pieces}
            for name in self.kinds_of(kind)
            if name in self.game.kinds
            for attribute in self.game.kinds[name].attributes
        }
        return [
            number
            for number in self.program.piece_vars
            if self.program.variables[number].name.removesuffix(" of piece") in names
            or (
                number == self.program.piece_faces
                and any(self.program.variables[number].initial[piece] != -1 for piece in pieces)
            )
        ]

    def may_be_none(self, number: int) -> bool:
        """Whether a state of pieces can be none: neither a face, nor a number, nor yes or no."""
        type_ = self.program.variables[number].type
        return number != self.program.piece_faces and family(self.program, type_) not in ("number", "yesno")

    def state_words(self, type_: str) -> dict[str, int]:
        """The words of a type of state, and their codes, with their values; empty for numbers."""
        name, of = bare_type(type_), family(self.program, type_)
        if of == "yesno":
            return {"no": 0, "yes": 1}
        if of == "player":
            return {word: i for i, word in enumerate(self.program.players)}
        words = {word: i for i, word in enumerate(dict(self.program.word_lists).get(name, ()))}
        enum = self.game.enums.get(name)
        codes = enum.codes if enum is not None and words else ()
        alone = {code: i for i, code in enumerate(codes) if code and codes.count(code) == 1}
        return {**alone, **words}

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
        for number in self.states(frozenset((piece,))):
            variable = self.program.variables[number]
            value = lying.value(number, piece)
            if value != variable.initial[piece]:
                words = {v: w for w, v in reversed(self.state_words(variable.type).items())}
                out += ":" + ("none" if value < 0 else words.get(value, str(value)))
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


def fit(picture: Picture, board: ir.BoardInfo, codes: Codes) -> None:
    """Unfit unless the picture has the form of the board, and its cells lie as pieces lie there."""
    for cell in (cell for row in picture.rows for cell in row):
        _fit_cell(cell, board, codes)
    high, wide = len(picture.rows), len(picture.rows[0])
    if (board.unbounded and (high > board.height // 2 or wide > board.width // 2)) or (
        not board.unbounded and (high, wide) != (board.height, board.width)
    ):
        text = f"This picture is {wide} wide and {high} high."
        cure = f"`{board.name}` is {board.width} wide and {board.height} high."
        raise wrong(picture.span, text, cure)


def _fit_cell(cell: Cell, board: ir.BoardInfo, codes: Codes) -> None:
    stacked = [(one, *one.under) for one in cell.wanted if one.under]
    if stacked and not board.covers:
        cure = "Only boards with `stacks: covers` have cards under cards."
        raise wrong(cell.span, f"On `{board.name}` nothing is covered.", cure)
    loose = next((one for stack in stacked for one in stack if not one.pieces & codes.cards), None)
    if loose is not None:
        text = f"`{loose.text.partition('>')[0]}` is no card; only cards cover one another."
        raise wrong(cell.span, text, "Tokens lie on the top card: write them behind `/`.")
    if board.covers and sum(bool(one.pieces & codes.cards) for one in cell.wanted) > 1:
        text = f"On `{board.name}` cards on one space cover one another."
        raise wrong(cell.span, text, "Write the uppermost first: `TOP>UNDER`.")


def place_at(board: ir.BoardInfo, row: int, column: int) -> int:
    """The place of a cell; the top left one is `a1`, on an unbounded board too."""
    if board.unbounded:
        row, column = row + board.height // 2, column + board.width // 2
    return board.first + row * board.width + column


def name_at(board: ir.BoardInfo, row: int, column: int) -> str:
    """The name of a cell's space."""
    return space_name(row, column)


def matched(wanted: Sequence[Wanted], pieces: Sequence[int], lying: Lying) -> bool:
    """Whether pieces, with what lies on them, are just the wanted ones, in any order."""
    if len(wanted) != len(pieces):
        return False
    fitting = [[i for i, piece in enumerate(pieces) if is_wanted(w, piece, lying)] for w in wanted]
    given: dict[int, int] = {}  # position of a piece: number of the wanted one that it stands for

    def find(number: int, tried: set[int]) -> bool:
        """Give a piece to a wanted one; who has it already must find another."""
        for i in fitting[number]:
            if i not in tried:
                tried.add(i)
                if i not in given or find(given[i], tried):
                    given[i] = number
                    return True
        return False

    return all(find(number, set()) for number in range(len(wanted)))


def is_wanted(wanted: Wanted, piece: int, lying: Lying) -> bool:
    """Whether a piece is one that is asked for, in its state and with what lies on it."""
    return (
        piece in wanted.pieces
        and all(lying.value(number, piece) == value for number, value in wanted.state)
        and matched(wanted.on, lying.on(piece), lying)
    )


def is_stack(wanted: Sequence[Wanted], pieces: Sequence[int], lying: Lying, cards: frozenset[int]) -> bool:
    """Whether cards that cover one another, the uppermost last, are what is asked for; what lies under the
    uppermost is asked for only if it is named. Tokens that lie beside them on the space are no part of it.
    """
    stack = [p for p in pieces if p in cards]
    top = [w for w in wanted if w.pieces & cards]
    tokens = [w for w in wanted if not w.pieces & cards]
    if len(top) != min(len(stack), 1) or not matched(tokens, [p for p in pieces if p not in cards], lying):
        return False
    if not top:
        return True
    under, covered = top[0].under, list(reversed(stack[:-1]))
    return is_wanted(top[0], stack[-1], lying) and (
        not under
        or (
            len(under) == len(covered)
            and all(is_wanted(w, p, lying) for w, p in zip(under, covered, strict=True))
        )
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


def piece_text(piece: int, lying: Lying, codes: Codes, under: Sequence[int] = ()) -> str:
    """A piece with its state, the cards that it covers (the uppermost first) and what lies on it."""
    name, slash, seat = codes.name(piece).partition("/")
    stack = [name + codes.shown_state(piece, lying)]
    for covered in under:
        on = codes.names(list(lying.on(covered)))
        shown = codes.name(covered).partition("/")[0] + codes.shown_state(covered, lying)
        stack.append(shown + (f"({on})" if on else ""))
    on = codes.names(list(lying.on(piece)))
    return ">".join(stack) + slash + seat + ("/" + on if on else "")


def cell_text(pieces: Sequence[int], lying: Lying, codes: Codes, covers: bool) -> str:
    """What lies on a space, as a cell of a picture; what no cell can hold together is joined by `+`."""
    cards = [p for p in pieces if p in codes.cards] if covers else []
    found = [piece_text(cards[-1], lying, codes, cards[-2::-1])] if cards else []
    rest = [p for p in pieces if not covers or p not in codes.cards]
    alone = [piece_text(p, lying, codes) for p in rest]
    if len(alone) > 1 and all("/" not in x and ":" not in x for x in alone):
        alone = [codes.names(rest)]
    return "+".join([*found, *alone]) or "."


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
            if not (
                is_stack(cell.wanted, pieces, lying, codes.cards)
                if board.covers
                else matched(cell.wanted, pieces, lying)
            ):
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
