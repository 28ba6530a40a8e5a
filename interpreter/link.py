"""Link: a program made ready to run on the reference machine.

Comes in: a verified `Program`. Goes out: its `Code`: for each function a flat list of instructions, in two
variants with the same numbering (with trace, and without), its expressions as callables, its decisions
ready to be enumerated. Functions are linked when they are first run. What never happens: a change to
`Code` that depends on the state of a game; one `Code` serves any number of matches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.interpreter import ir
from rulewright.interpreter.actions import ActionSet
from rulewright.interpreter.faults import USUAL_BUDGETS, Budgets
from rulewright.interpreter.flat import DONE, Op, flatten
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.link_expr import Expressions
from rulewright.interpreter.link_numbers import Ev
from rulewright.interpreter.link_stmt import Statements
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.walk import every

Instruction = Callable[[Any, list[Any]], int]


class Code:
    """A program in the form in which it runs."""

    def __init__(self, program: ir.Program, budgets: Budgets = USUAL_BUDGETS) -> None:
        self.program = program
        self.budgets = budgets
        self.layout = Layout(program)
        self.streams = tuple(stream.name for stream in program.streams)
        self.first_piece_place = program.first_piece_place
        self.everybody = (1 << len(program.players)) - 1
        self.expressions = Expressions(self)
        self.statements = Statements(self)
        n = len(program.functions)
        self._flat: list[tuple[list[Op], int] | None] = [None] * n
        self.plain: list[list[Instruction] | None] = [None] * n
        self.traced: list[list[Instruction] | None] = [None] * n
        self.pure: list[Callable[[Any, list[Any]], Any]] = [self._pure_later(f) for f in range(n)]
        self._decisions: list[ActionSet | None] = [None] * len(program.decisions)
        self._masks = [self._mask_of(p.viewers) for p in program.places]
        self._board_masks = {b.first: self._mask_of(b.viewers) for b in program.boards if b.unbounded}
        self.fixed_masks = [m if isinstance(m, int) else -1 for m in self._masks]
        for i in range(len(program.places)):
            if self.layout.host(i) >= 0:
                self.fixed_masks[i] = -1
        self._variable_masks = [
            None if v.seen_by is None else self._mask_of(v.seen_by) for v in program.variables
        ]
        stand_ins = [(s.kind, s.owner, s.supply) for s in program.stand_ins]
        self.stand_ins = stand_ins
        self.kind_owner = [(p.kind, p.owner) for p in program.pieces]
        designs = [p.design for p in program.pieces]
        self.alone = [designs.count(d) == 1 for d in range(max(designs, default=-1) + 1)]
        self.piece_offsets = [self.layout.offsets[v] for v in program.piece_vars]
        self.kept_of_pieces = [  # states that the rules keep for each piece
            (number, self.layout.offsets[number])
            for number, v in enumerate(program.variables)
            if number not in program.piece_vars
            and not v.hidden
            and len(v.index) == 1
            and is_piece_type(program, v.index[0])
        ]
        self.offsets_without_faces = [
            self.layout.offsets[v] for v in program.piece_vars if v != program.piece_faces
        ]
        self.face_masks = {
            i: mask(p.face_viewers) for i, p in enumerate(program.places) if p.face_viewers is not None
        }
        self.rooms = {i: p.room for i, p in enumerate(program.places) if p.room >= 0}
        self.piece_sets = frozenset(
            i for i, p in enumerate(program.places) if p.order == "set" or self.layout.host(i) >= 0
        )

    # --------------------------------------------------------------- functions

    def flat(self, function: int) -> tuple[list[Op], int]:
        """The instructions of a function before linking, and how many slots they need."""
        found = self._flat[function]
        if found is None:
            found = self._flat[function] = flatten(self.program.functions[function])
        return found

    def length(self, function: int) -> int:
        """How many instructions a function has."""
        return len(self.flat(function)[0])

    def slots(self, function: int) -> int:
        """How many slots a frame of the function has, those of its loops and choices among them."""
        return self.flat(function)[1]

    def instructions(self, function: int, traced: bool) -> list[Instruction]:
        """The linked instructions of a function."""
        variant = self.traced if traced else self.plain
        found = variant[function]
        if found is None:
            found = variant[function] = self.statements.link(function, self.flat(function)[0], traced)
        return found

    def frame(self, function: int, arguments: list[Any], result: int = -1) -> list[Any]:
        """A new frame for a call."""
        return [function, 0, arguments + [0] * (self.slots(function) - len(arguments)), result]

    def _pure_later(self, function: int) -> Callable[[Any, list[Any]], Any]:
        def first_call(s: Any, loc: list[Any]) -> Any:
            self.pure[function] = run = self._link_pure(function)
            return run(s, loc)

        return first_call

    def _link_pure(self, function: int) -> Callable[[Any, list[Any]], Any]:
        body = self.program.functions[function].body
        if len(body) == 1 and isinstance(body[0], ir.Return) and body[0].value is not None:
            return self.expressions.value(body[0].value)
        code = self.statements.link(function, self.flat(function)[0], traced=False, pure=True)

        def run(s: Any, loc: list[Any]) -> Any:
            pc = 0
            while pc != DONE:
                pc = code[pc](s, loc)
            return s.value

        return run

    # --------------------------------------------------------------- decisions

    def decision(self, number: int) -> ActionSet:
        """The actions of a decision, ready to be enumerated."""
        found = self._decisions[number]
        if found is None:
            found = self._decisions[number] = ActionSet(self, number)
        return found

    def can_act(self, s: Any, number: int, player: int) -> bool:
        """Whether the player has an option among the actions of a decision."""
        return player >= 0 and self.decision(number).has_option(s, player)

    # ----------------------------------------------------------------- viewers

    def _mask_of(self, e: ir.Expr) -> int | tuple[Ev, int]:
        """The players of a set expression as bits, or how to compute them when asked."""
        if isinstance(e, ir.SetConst):
            return mask(e.items)
        slots = 1 + max((int(getattr(n, "slot", 0)) for n in every(e)), default=0)
        return self.expressions.items(e), slots

    def mask(self, s: Any, place: int) -> int:
        """The players who see what lies at a place, as bits. What lies on a piece is seen with it."""
        if place < len(self.fixed_masks):
            fixed = self.fixed_masks[place]
            if fixed >= 0:
                return fixed
        host = self.layout.host(place)
        while host >= 0:
            place = s.place_of[host]
            host = self.layout.host(place)
        if place < len(self._masks) and self.layout.in_unbounded(place) is None:
            found = self._masks[place]
        else:
            board = self.layout.in_unbounded(place)
            found = self._board_masks[board.first] if board is not None else 0
        if isinstance(found, int):
            return found
        return mask(found[0](s, [0] * found[1]))

    def sees(self, s: Any, piece: int, player: int) -> bool:
        """Whether a player knows a piece or sees it where it lies. Everybody sees a stand-in."""
        if piece >= len(s.known):
            return True
        bit = 1 << player
        return bool(s.known[piece] & bit or self.mask(s, s.place_of[piece]) & bit)

    def knowers(self, s: Any, piece: int) -> int:
        """The players who know a piece or see it where it lies, as bits."""
        if piece >= len(s.known):
            return self.everybody
        return int(s.known[piece] | self.mask(s, s.place_of[piece]))

    def face_mask(self, s: Any, piece: int) -> int:
        """The players who see the face of a piece, as bits: who sees where it lies, if faces show there.
        To know which piece lies there is not enough: its face may have changed since."""
        place = s.place_of[piece]
        return self.mask(s, place) & self.face_masks.get(place, self.everybody)

    def variable_mask(self, s: Any, variable: int, cell: int) -> int:
        """The players who see one cell of a variable, as bits."""
        v = self.program.variables[variable]
        if v.hidden:
            return 0
        if variable == self.program.piece_faces and cell < len(s.known):
            return self.face_mask(s, cell)
        found = self._variable_masks[variable]
        if found is None:
            return self.everybody
        if isinstance(found, int):
            return found
        locals_ = [0] * found[1]
        if v.index and v.index[0] == "player":
            locals_[0] = cell // max(1, v.cells // len(self.program.players))
        return mask(found[0](s, locals_))


def mask(players: tuple[int, ...]) -> int:
    """A set of players as bits."""
    bits = 0
    for p in players:
        if p >= 0:
            bits |= 1 << p
    return bits


_LINKED: dict[tuple[int, Budgets], tuple[ir.Program, Code]] = {}
_KEPT = 32


def code_of(program: ir.Program, budgets: Budgets = USUAL_BUDGETS) -> Code:
    """The code of a program, linked once for as long as the program is in use."""
    key = (id(program), budgets)
    found = _LINKED.get(key)
    if found is None or found[0] is not program:
        if len(_LINKED) >= _KEPT:
            _LINKED.pop(next(iter(_LINKED)), None)
        found = _LINKED[key] = (program, Code(program, budgets))
    return found[1]
