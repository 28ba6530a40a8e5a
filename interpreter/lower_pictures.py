"""Lay out the pictures of a set-up: which piece of the program begins on which space.

Comes in: a program whose pieces lie in their boxes and supplies, and the pictures under `setup:`. Goes out:
the same program with the pieces that are drawn where they are drawn. Pieces that share a code are taken in
their order. A stack lies as it is drawn: where the numbers of its pieces go the other way, the set-up begins
with putting them in order. What never happens: a cell that is passed over: what it cannot mean is refused at
its place.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl.model import Game
from rulewright.dsl.problems import Span
from rulewright.interpreter import ir
from rulewright.interpreter.pictures import Codes, Unfit, Wanted, fit, place_at, read_picture, wrong
from rulewright.interpreter.setting import SettingError, refuse


def pictured(program: ir.Program, game: Game) -> ir.Program:
    """The program with the pictures of the set-up laid out. Raises SettingError."""
    if not game.setup_pictures:
        return program
    starts: dict[int, int] = {}  # in the order in which they are laid down
    try:
        codes = Codes(program, game)
        for name, block in game.setup_pictures:
            board = _board(program, name, block.span)
            picture = read_picture(block, codes, frozenset())
            fit(picture, board, codes)
            for r, row in enumerate(picture.rows):
                for c, cell in enumerate(row):
                    _put(program, starts, place_at(board, r, c), cell.wanted)
    except Unfit as unfit:
        raise SettingError(unfit.problem) from unfit
    pieces = tuple(replace(p, start=starts.get(i, p.start)) for i, p in enumerate(program.pieces))
    program = replace(program, pieces=pieces)
    orders = [
        ir.MovePieces(ir.SetConst((piece,)), ir.Const(place), False, -1, game.span)
        for place, stack in _stacks(program, starts).items()
        for piece in (stack if stack != sorted(stack) else ())
    ]
    functions = tuple(
        replace(f, body=(*orders, *f.body)) if f.name == "set-up" else f for f in program.functions
    )
    return replace(program, functions=functions) if orders else program


def _stacks(program: ir.Program, starts: dict[int, int]) -> dict[int, list[int]]:
    """The pieces on each space of the boards where they cover one another, the lowest first."""
    found: dict[int, list[int]] = {}
    for board in program.boards:
        for piece, place in starts.items():
            if board.covers and board.first <= place < board.first + board.width * board.height:
                found.setdefault(place, []).append(piece)
    return found


def _board(program: ir.Program, name: str, span: Span) -> ir.BoardInfo:
    """The board a picture is of: `NAME`, or `NAME of SEAT` where each player has one."""
    wanted, _, seat = name.partition(" of ")
    for board in program.boards:
        owner = program.players[board.owner] if board.owner >= 0 else ""
        if board.name == wanted and owner == seat:
            return board
    raise refuse("E405", f"There is no board `{name}` in this game.", "Name one of its boards.", span)


def _put(program: ir.Program, starts: dict[int, int], place: int, wanted: tuple[Wanted, ...]) -> None:
    """Take free pieces, and lay them on a place with what lies on them."""
    for one in wanted:
        free = sorted(one.pieces - starts.keys())
        if not free:
            text = f"There are only {len(one.pieces)} of `{one.text}`, and this would be one more."
            raise wrong(one.span, text, "Take one out, or give the kind a larger supply.")
        if one.state:
            text = f"`{one.text}` begins with the state that its kind says."
            raise wrong(one.span, text, "Set it under `do:` of the set-up.")
        starts[free[0]] = place  # taken before those that it covers, which are laid down first
        _put(program, starts, place, tuple(reversed(one.under)))
        starts[free[0]] = starts.pop(free[0])
        _put(program, starts, program.first_piece_place + free[0], one.on)
