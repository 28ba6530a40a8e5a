"""Lower selections: where the elements come from, and what is asked of them.

Comes in: a `Selection`. Goes out: a slot for the element, the set it runs over, and the condition.
Everything that stands over a selection (any, count, largest, for each, chooses) is made from these three.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.nodes_walk import parts_of
from rulewright.dsl.types import (
    BoardType,
    LineType,
    MarkType,
    PieceType,
    SetType,
    SpaceType,
    Type,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import EMPTY, YES, Code, binary, both, filtered, negated, one_of
from rulewright.interpreter.lower_expr import LowerExpressions
from rulewright.interpreter.lower_parts import lines_of
from rulewright.interpreter.lower_values import RELATIONS
from rulewright.interpreter.setting import refuse


@dataclass(frozen=True, slots=True)
class Selected:
    """A lowered selection. `code` has the element's name in reach; `best` are its `with largest` clauses."""

    name: str
    slot: int
    element: Type
    domain: ir.Expr
    condition: ir.Expr
    best: tuple[tuple[str, ir.Expr], ...]
    code: Code

    @property
    def set(self) -> ir.Expr:
        """The selected values."""
        found = filtered(self.slot, self.domain, self.condition)
        for word, value in self.best:
            found = ir.BestOf(word, self.slot, found, value)
        return found


class LowerSelections(LowerExpressions):
    """Lowers selections and what stands over them."""

    def select(self, node: n.Selection, code: Code) -> Selected:
        """Lower one selection."""
        name, element = self.checked.binders[id(node)]
        slot = code.slot(name)
        inner = code.with_names({name: (ir.Local(slot), element)})
        domain, conditions = self.domain(node, element, slot, code, inner)
        best: list[tuple[str, ir.Expr]] = []
        walking = isinstance(node.path, (n.Going, n.Linked))
        for clause in node.clauses:
            if clause.word == "where" and not isinstance(node.path, n.Linked):
                conditions.append(self.expr(clause.value, inner))
            elif clause.word.startswith("with"):
                best.append((clause.word.split()[1], self.expr(clause.value, inner)))
            elif not walking:
                raise refuse(
                    "E449",
                    f"`{clause.word}` goes with `going` or `linked to` only.",
                    "Write `where`.",
                    clause.span,
                )
        return Selected(name, slot, element, domain, both(*conditions), tuple(best), inner)

    # ----------------------------------------------------------------- domains

    def domain(
        self, node: n.Selection, element: Type, slot: int, code: Code, inner: Code
    ) -> tuple[ir.Expr, list[ir.Expr]]:
        """The set a selection runs over, and the conditions that its form already sets."""
        conditions: list[ir.Expr] = []
        match element:
            case PieceType(kind):
                declared = self.kind_element(node.kind)
                kind = declared.kind if isinstance(declared, PieceType) else kind
                domain = self.piece_domain(node, kind, slot, code, inner, conditions)
            case SpaceType():
                domain = self.space_domain(node, slot, code, inner)
            case LineType(kind):
                domain = self.line_domain(node, kind, code)
            case SetType(group=True):
                domain = self.group_domain(node, code)
            case MarkType(mark):
                domain = self.mark_domain(node, mark, code)
            case _:
                domain = (
                    self.seated(node.source, code) if node.source is not None else self.all_of_kind(node.kind)
                )
        if node.like is not None:
            conditions.append(self.looks_like(ir.Local(slot), self.expr(node.like, code)))
        return domain, conditions

    def piece_domain(
        self, node: n.Selection, kind: str, slot: int, code: Code, inner: Code, conditions: list[ir.Expr]
    ) -> ir.Expr:
        """Pieces: of a zone, on spaces or on a board, in a set, linked to something, or all of them."""
        if not self.there_are(kind):
            return EMPTY
        owner = self.owner_test(node, kind, slot, code)
        if isinstance(node.path, n.Linked):
            return self.linked_pieces(node, kind, slot, code, inner, owner)
        if isinstance(node.path, n.Going):
            if owner is not None:
                conditions.append(owner)
            return self.pieces_on(self.going(node, node.path, slot, code, inner), kind, code)
        if node.source is None:
            return self.all_pieces(node, kind, slot, code, conditions)
        source = plain(self.type_of(node.source))
        if isinstance(source, BoardType):
            domain = self.all_pieces(node, kind, slot, code, conditions)
            conditions.extend(self.lies_on(slot, node.source, kind))
            return domain
        if isinstance(source, ZoneType):
            domain = self.as_set(node.source, code)
            known = source.holds
        elif isinstance(source, (SpaceType, PieceType, MarkType)):
            top = isinstance(source, SpaceType) and self.top_only(kind)
            domain, known = ir.Contents(self.place(node.source, code), top), "piece"
        elif isinstance(element_of(source), (SpaceType, MarkType)):
            space = code.slot("space")
            lying = self.lying_on(ir.Local(space), kind, node.source)
            domain = ir.Collect(space, self.as_set(node.source, code), lying, True)
            known = "piece"
        else:
            domain = self.as_set(node.source, code)
            found = element_of(source)
            known = found.kind if isinstance(found, PieceType) else "piece"
        conditions.append(self.is_kind(ir.Local(slot), kind, known))
        if owner is not None:
            conditions.append(owner)
        return domain

    def lying_on(self, place: ir.Expr, kind: str, source: n.Expr) -> ir.Expr:
        """What counts on a place out of a set: of cards that cover one another the uppermost, but all that
        lies in a zone, where a set holds zones too.
        """
        top = self.top_only(kind)
        lying = ir.Contents(place, top)
        zones = any(isinstance(plain(self.type_of(part)), ZoneType) for part in parts_of(source, n.Or))
        if not top or not zones:
            return lying
        first = min(board.first for board in self.parts.boards)
        return ir.Choice(binary("<", place, ir.Const(first)), ir.Contents(place, False), lying)

    def all_pieces(
        self, node: n.Selection, kind: str, slot: int, code: Code, conditions: list[ir.Expr]
    ) -> ir.Expr:
        """All pieces of a kind, of one owner where the kind has owners."""
        pieces = self.parts.pieces_of(kind)
        if node.owner is None:
            return ir.SetConst(pieces)
        if all(self.parts.owner_of(i) >= 0 for i in pieces) and self.is_single(node.owner):
            by_owner = self.build.table(
                f"{kind} of player",
                0,
                lambda: tuple(
                    tuple(i for i in pieces if self.parts.owner_of(i) == p)
                    for p in range(self.parts.player_count)
                ),
            )
            owner = self.expr(node.owner, code)
            if isinstance(owner, ir.Const):
                return ir.SetConst(tuple(i for i in pieces if self.parts.owner_of(i) == owner.value))
            return ir.At(by_owner, owner)
        test = self.owner_test(node, kind, slot, code)
        if test is not None:
            conditions.append(test)
        return ir.SetConst(pieces)

    def is_single(self, owner: n.Expr) -> bool:
        """Whether an owner is one player."""
        return not isinstance(owner, n.OfEvery) and element_of(plain(self.type_of(owner))) is None

    def owner_test(self, node: n.Selection, kind: str, slot: int, code: Code) -> ir.Expr | None:
        """`of X`: whose the piece must be."""
        if node.owner is None or isinstance(node.owner, n.OfEvery):
            return None
        mine = self.owner(ir.Local(slot), PieceType(kind))
        if self.is_single(node.owner):
            return binary("==", mine, self.expr(node.owner, code))
        return ir.Contains(self.as_set(node.owner, code), mine)

    def lies_on(self, slot: int, board: n.Expr, kind: str) -> list[ir.Expr]:
        """Whether a piece lies on a board, and in play where cards cover each other."""
        symbol = self.symbol(board)
        place = ir.PlaceOf(ir.Local(slot))
        boards = [b for b in self.parts.boards if b.name == symbol.name]
        if len(boards) > 1:
            spaces = self.as_set(board, Code("board"))
            if isinstance(board, n.Of):
                spaces = self.own_board_spaces(symbol.name, self.expr(board.owner, Code("board")))
            return [ir.Contains(spaces, place)]
        first, last = boards[0].first, boards[0].first + boards[0].width * boards[0].height
        found = [binary("<=", ir.Const(first), place), binary("<", place, ir.Const(last))]
        if boards[0].covers and self.base_of(kind) == "card":
            found.append(ir.Contains(ir.Contents(place, True), ir.Local(slot)))
        return found

    def space_domain(self, node: n.Selection, slot: int, code: Code, inner: Code) -> ir.Expr:
        """Spaces: of a board or line, in a set, along a path, linked to something."""
        if isinstance(node.path, n.Going):
            return self.going(node, node.path, slot, code, inner)
        if isinstance(node.path, n.Linked):
            return self.linked_spaces(node, slot, code, inner)
        if node.source is None:
            return self.all_of_kind("space")
        source = plain(self.type_of(node.source))
        found = self.as_set(node.source, code)
        if isinstance(element_of(source) or source, PieceType):
            piece = code.slot("piece")
            return ir.Collect(piece, found, ir.PlaceOf(ir.Local(piece)))
        return found

    def mark_domain(self, node: n.Selection, mark: str, code: Code) -> ir.Expr:
        """Marks: of a track, in a set, or all of them."""
        if node.source is None:
            return self.all_of_kind(mark)
        symbol = self.checked.symbols.get(id(node.source))
        if symbol is None or symbol.form != "state" or symbol.name != self.parts.world.track_marks[mark]:
            return self.as_set(node.source, code)
        match node.source:
            case n.Of(owner=owner):
                return self.marks_on(mark, (self.expr(owner, code),))
            case n.Call(arguments=arguments):
                return self.marks_on(mark, tuple(self.expr(a, code) for a in arguments))
        return self.all_of_kind(mark)

    def line_domain(self, node: n.Selection, kind: str, code: Code) -> ir.Expr:
        """Lines of a board, or in a set."""
        if node.source is not None and isinstance(element_of(plain(self.type_of(node.source))), LineType):
            return self.as_set(node.source, code)
        board = self.symbol(node.source).name if node.source is not None else next(iter(self.game.boards))
        length = 0
        if node.owner is not None:
            number = self.expr(node.owner, code)
            if not isinstance(number, ir.Const):
                raise refuse(
                    "E505",
                    "The length of a line must be settled before the game.",
                    "Use a figure or an option.",
                    node.owner.span,
                )
            length = number.value
        return ir.SetConst(lines_of(self.parts, board, kind, length))

    def group_domain(self, node: n.Selection, code: Code) -> ir.Expr:
        """Connected groups of a set, or groups that are given."""
        if node.source is not None:
            return self.as_set(node.source, code)
        if node.owner is None:
            raise refuse(
                "E505", "A group is one of a set.", "Write `group of (all …) by adjacent`.", node.span
            )
        element = element_of(plain(self.type_of(node.owner)))
        slot = code.slot("member")
        near = self.neighbours(ir.Local(slot), element, node.relation or "adjacent", code)
        return ir.Groups(self.as_set(node.owner, code), slot, near)

    def neighbours(self, value: ir.Expr, element: Type | None, relation: str, code: Code) -> ir.Expr:
        """What is next to a space or a piece: of the same sort."""
        if relation in self.game.defines:
            return ir.Apply(self.define(relation), (value,))
        if relation not in RELATIONS:
            raise refuse(
                "E403", f"There is no relation `{relation}`.", "Use adjacent, surrounding or diagonal."
            )
        if not isinstance(element, PieceType):
            return self.around(value, relation, code)
        space = code.slot("space")
        return ir.Collect(
            space,
            self.around_piece(value, relation, code),
            ir.Contents(ir.Local(space), self.top_only(element.kind)),
            True,
        )

    def linked_pieces(
        self, node: n.Selection, kind: str, slot: int, code: Code, inner: Code, owner: ir.Expr | None
    ) -> ir.Expr:
        """Pieces reachable from a piece or a space, step by step."""
        assert isinstance(node.path, n.Linked)
        start = plain(self.type_of(node.path.start))
        where = both(self.is_kind(ir.Local(slot), kind, "piece"), owner, self.clause(node, "where", inner))
        stopping = self.clause(node, "stopping at", inner)
        near = self.neighbours(ir.Local(slot), PieceType(kind), node.relation or "adjacent", code)
        if isinstance(element_of(start) or start, PieceType):
            return ir.Linked(self.as_set(node.path.start, code), slot, near, where, stopping)
        first = self.pieces_on(
            self.around(self.expr(node.path.start, code), node.relation or "adjacent", code), kind, code
        )
        entered = ir.Filter(slot, first, where)
        return ir.Union(
            entered, ir.Linked(self.unstopped(slot, entered, stopping), slot, near, where, stopping)
        )

    def unstopped(self, slot: int, entered: ir.Expr, stopping: ir.Expr | None) -> ir.Expr:
        """The values that are gone through."""
        return entered if stopping is None else ir.Filter(slot, entered, negated(stopping))

    def linked_spaces(self, node: n.Selection, slot: int, code: Code, inner: Code) -> ir.Expr:
        """Spaces reachable from a space, step by step."""
        assert isinstance(node.path, n.Linked)
        start_type = plain(self.type_of(node.path.start))
        start = self.as_set(node.path.start, code)
        if isinstance(element_of(start_type) or start_type, PieceType):
            piece = code.slot("piece")
            start = ir.Collect(piece, start, ir.PlaceOf(ir.Local(piece)))
        near = self.neighbours(ir.Local(slot), SpaceType(), node.relation or "adjacent", code)
        return ir.Linked(
            start, slot, near, self.clause(node, "where", inner), self.clause(node, "stopping at", inner)
        )

    def clause(self, node: n.Selection, word: str, inner: Code) -> ir.Expr | None:
        """The conditions under one word, together."""
        found = [self.expr(c.value, inner) for c in node.clauses if c.word == word]
        return both(*found) if found else None

    def going(self, node: n.Selection, path: n.Going, slot: int, code: Code, inner: Code) -> ir.Expr:
        """A run of spaces in a direction."""
        direction = self.type_of(path.direction)
        ways = (
            self.as_set(path.direction, code)
            if element_of(direction) is not None
            else one_of(self.expr(path.direction, code))
        )
        limit = self.expr(path.limit, code) if path.limit is not None else None
        return ir.Going(
            self.the_board(),
            self.as_space(path.start, code),
            ways,
            limit,
            path.exact,
            slot,
            self.clause(node, "while", inner),
            self.clause(node, "until", inner),
            self.clause(node, "ending at", inner),
        )

    def looks_like(self, piece: ir.Expr, other: ir.Expr) -> ir.Expr:
        """Whether two pieces are of the same kind and owner, and show the same."""

        def make() -> tuple[int, ...]:
            seen: dict[tuple[str, int, int], int] = {}
            found = []
            for i in self.parts.piece_values:
                look = (
                    self.parts.pieces[i].look
                    if i < len(self.parts.pieces) and self.base_of(self.parts.kind_of(i)) != "token"
                    else -1
                )
                key = (self.parts.kind_of(i), self.parts.owner_of(i), look)
                found.append(seen.setdefault(key, len(seen)))
            return tuple(found)

        table = self.build.table("look of piece", 0, make)
        tests = [binary("==", ir.At(table, piece), ir.At(table, other))]
        for variable in self.build.piece_vars:
            tests.append(binary("==", ir.Load(variable, piece), ir.Load(variable, other)))
        return both(*tests)

    # --------------------------------------------------------- what stands over

    def selected(self, node: n.Expr, code: Code) -> ir.Expr:
        """A selection under its word."""
        match node:
            case n.Quantified(word=word, selection=selection):
                return self.quantified(word, self.select(selection, code), node)
            case n.HowMany(word=word, number=number, selection=selection):
                count, wanted = self.count(self.select(selection, code)), self.expr(number, code)
                if word == "at least":
                    return binary("<=", wanted, count)
                return binary("<", count, wanted) if word == "fewer than" else binary("==", count, wanted)
            case n.Fold(word=word, value=value, selection=selection):
                chosen = self.select(selection, code)
                return ir.Fold(word, chosen.slot, chosen.set, self.expr(value, chosen.code))
            case n.Every(selection=selection, condition=condition):
                chosen = self.select(selection, code)
                return ir.Quantifier("all", chosen.slot, chosen.set, self.expr(condition, chosen.code))
            case n.EveryIs(selection=selection, operator=operator, right=right):
                chosen = self.select(selection, code)
                if operator.startswith("is") and "in" not in operator.split():
                    test = self.equal(lambda: ir.Local(chosen.slot), chosen.element, None, right, chosen.code)
                else:
                    test = self.member(ir.Local(chosen.slot), chosen.element, right, chosen.code)
                return ir.Quantifier(
                    "all", chosen.slot, chosen.set, negated(test) if "not" in operator else test
                )
            case n.Bare(selection=selection):
                return self.select(selection, code).set
            case n.Chosen(amount=amount, selection=selection):
                found = self.select(selection, code).set
                if amount is None or amount.word == "any number of" or amount.number is None:
                    return found
                return found
        raise NotImplementedError(type(node).__name__)

    def quantified(self, word: str, chosen: Selected, node: n.Expr) -> ir.Expr:
        """any, no, all, first, the, count."""
        if chosen.best and word in ("any", "no", "first", "count"):
            test: ir.Expr = YES
            domain = chosen.set
        else:
            test, domain = chosen.condition, chosen.domain
        match word:
            case "any":
                return ir.Quantifier("any", chosen.slot, domain, test)
            case "no":
                return negated(ir.Quantifier("any", chosen.slot, domain, test))
            case "first":
                return ir.Quantifier("first", chosen.slot, domain, test)
            case "count":
                return ir.Size(domain) if test == YES else ir.Quantifier("count", chosen.slot, domain, test)
            case "the":
                return ir.TheOnly(chosen.set, node.span)
        return chosen.set

    def count(self, chosen: Selected) -> ir.Expr:
        """How many values are selected."""
        if chosen.best or chosen.condition == YES:
            return ir.Size(chosen.set)
        return ir.Quantifier("count", chosen.slot, chosen.domain, chosen.condition)
