"""Lower arrangements: what somebody lays out, as bounded questions.

Comes in: `arrange:` of a phase. Goes out: a function that asks and moves. Groups come in the order of the
file. Of each group the pieces are read once, when it begins, and taken in sets that look alike to who
arranges: of a single one it is asked where it goes, of several, for each goal in turn, how many go there.
Where the goals depend on where pieces lie they are read anew for each piece, one by one. What never happens:
a question with one answer, a piece laid where there is no room, an arrangement without end.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Arrangement, Phase
from rulewright.dsl.types import PieceType, Type, ZoneType, plain
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    NONE,
    YES,
    Code,
    binary,
    both,
    chosen,
    filtered,
    finished,
    one_of,
)
from rulewright.interpreter.lower_decisions import LowerDecisions
from rulewright.interpreter.lower_select import Selected
from rulewright.interpreter.walk import every

READS_PLACES = (ir.Contents, ir.PlaceOf, ir.Occupied, ir.CanAct)


class Group:
    """The slots of one group: `left` to be taken, those `alike` now, what has been `laid` by `player`."""

    def __init__(self, laid_out: Arrangement, chosen_: Selected, player: int, laid: int, code: Code) -> None:
        self.must, self.span = laid_out.must, laid_out.span
        self.name = chosen_.name
        self.piece, self.player, self.laid = chosen_.slot, player, laid
        self.left, self.alike = code.slot("left"), code.slot("alike")
        self.goal, self.number = code.slot("goal"), code.slot("number")
        self.goals: ir.Expr = EMPTY

    @property
    def still(self) -> ir.Expr:
        """How many alike ones are still to be laid."""
        return ir.Size(ir.Local(self.alike))


class LowerArrange(LowerDecisions):
    """Lowers arrangements; base of `LowerFlow`."""

    def arrange(self, phase: Phase) -> int:
        """The function in which the actor lays things out."""
        return self.build.function(f"arrange in {phase.path}", lambda _: self.write_arrange(phase))

    def write_arrange(self, phase: Phase) -> ir.Function:
        """Group by group; in the end the trace says what lies where."""
        code, span = Code(f"arrange in {phase.path}"), phase.span
        player, laid = code.slot("player"), code.slot("laid")
        who = ir.Shown(ir.Local(player), "player")
        body: list[ir.Statement] = [
            ir.Assign(player, ir.Load(ir.ACTOR), span),
            ir.Assign(laid, EMPTY, span),
            ir.Enter("arrange", phase.name, ir.Sentence((who, " lays things out.")), (), (), span),
        ]
        code.entered += 1
        code.actor = ir.Local(player)
        for laid_out in phase.arrange:
            body += self.arranged_group(laid_out, player, laid, code)
        said = ir.Sentence((who, " lays ", ir.Shown(ir.Local(laid), "laid"), "."))
        body += [ir.Note("arranged", phase.name, said, span), ir.Leave(span)]
        return finished(code, 0, body, span)

    def arranged_group(self, laid_out: Arrangement, player: int, laid: int, code: Code) -> list[ir.Statement]:
        """All the pieces of one group."""
        things = self.select(laid_out.things, code)
        g = Group(laid_out, things, player, laid, code)
        g.goals = self.laying_goals(laid_out.goals, things, code)
        span = g.span
        if self.looks_at_places(g.goals):
            each = self.laid_one_by_one(g, laid_out, things.element, code)
        else:
            single = tuple(self.laid_one_by_one(g, laid_out, things.element, code))
            several = tuple(self.laid_by_number(g, laid_out, things.element, code))
            each = [ir.If(binary("==", g.still, YES), single, several, span)]
        left = ir.Local(g.left)
        return [
            ir.Assign(g.left, things.set, span),
            ir.Repeat(
                ir.Size(left),
                binary("<", NO, ir.Size(left)),
                (
                    ir.Assign(g.alike, ir.Alike(left, ir.Local(player)), span),
                    ir.Assign(g.left, ir.Without(left, ir.Local(g.alike)), span),
                    self.first_alike(g, code),
                    *each,
                ),
                span,
            ),
            *self.look(span, code),
        ]

    def first_alike(self, g: Group, code: Code) -> ir.Statement:
        """The piece that is laid next."""
        first = ir.Quantifier("first", code.slot("one"), ir.Local(g.alike), YES)
        return ir.Assign(g.piece, first, g.span)

    # --------------------------------------------------------------- questions

    def laid_one_by_one(
        self, g: Group, laid_out: Arrangement, element: Type, code: Code
    ) -> list[ir.Statement]:
        """Where does each go? If one stays, those that look like it stay, too."""
        to, span = code.slot("to"), g.span
        prompt = ir.Sentence(("Where does ", *self.laid_told(g, element), " go?"))
        key = ir.Key(g.name, g.goal, self.open_laying_goals(g, laid_out, code), "place", span)
        laying = ir.Laying(ir.Local(g.alike), None, YES)
        may = NO if g.must else YES
        body = (
            self.first_alike(g, code),
            ir.ChooseOne(ir.Local(g.player), to, key, may, prompt, span, laying),
            ir.If(binary("==", ir.Local(to), NONE), (ir.Break(span),), (), span),
            *self.lay_pieces(g, one_of(ir.Local(g.piece)), ir.Local(to), code),
        )
        return [ir.Repeat(g.still, binary("<", NO, g.still), body, span)]

    def laid_by_number(
        self, g: Group, laid_out: Arrangement, element: Type, code: Code
    ) -> list[ir.Statement]:
        """For each goal in turn: how many go there? So many must that the rest fits elsewhere."""
        span, at = g.span, code.slot("at")
        open_, count, rest, ways = (code.slot(name) for name in ("open", "all", "rest", "ways"))
        least, most = code.slot("least"), code.slot("most")
        here = ir.Binary("min", self.room_for_alike(g, ir.Local(at)), ir.Local(count))
        each = ir.Binary("min", self.room_for_alike(g, ir.Local(g.goal)), ir.Local(count))
        needed = ir.Binary("max", NO, binary("-", g.still, ir.Local(rest))) if g.must else NO
        many = ir.Shown(ir.Local(most), "number")
        place = ir.Shown(ir.Local(at), "place")
        prompt = ir.Sentence(
            ("How many go to ", place, "? (", *self.laid_told(g, element), ", up to ", many, ")")
        )
        key = ir.Key(g.name, g.number, ir.MakeSet(((ir.Local(least), ir.Local(most)),)), "number", span)
        laying = ir.Laying(ir.Local(g.alike), ir.Local(at), ir.Local(ways))
        number = code.slot("count")
        going = ir.FirstFew(ir.Local(g.alike), ir.Local(number))
        body: tuple[ir.Statement, ...] = (
            ir.If(binary("==", g.still, NO), (ir.Break(span),), (), span),
            ir.Assign(rest, binary("-", ir.Local(rest), here), span),
            ir.Assign(most, ir.Binary("min", here, g.still), span),
            ir.Assign(least, ir.Binary("min", needed, ir.Local(most)), span),
            ir.ChooseOne(ir.Local(g.player), number, key, NO, prompt, span, laying),
            ir.Assign(ways, binary("-", ir.Local(ways), YES), span),
            ir.If(
                binary("<", NO, ir.Local(number)),
                tuple(self.lay_pieces(g, going, ir.Local(at), code)),
                (),
                span,
            ),
        )
        stays = NO if g.must else YES
        return [
            ir.Assign(count, g.still, span),
            ir.Assign(open_, self.open_laying_goals(g, laid_out, code), span),
            ir.Assign(rest, ir.Fold("sum", g.goal, ir.Local(open_), each), span),
            ir.Assign(ways, binary("+", ir.Size(ir.Local(open_)), stays), span),
            ir.ForEach(at, ir.Local(open_), body, span),
        ]

    def lay_pieces(self, g: Group, pieces: ir.Expr, place: ir.Expr, code: Code) -> list[ir.Statement]:
        """Move them, and read the ends that are read after every change."""
        going, span = code.slot("going"), g.span
        moved = ir.Local(going)
        return [
            ir.Assign(going, pieces, span),
            ir.Assign(g.alike, ir.Without(ir.Local(g.alike), moved), span),
            ir.Assign(g.laid, ir.Union(ir.Local(g.laid), moved), span),
            ir.MovePieces(moved, place, False, -1, span),
            *self.after_change(span, code),
        ]

    def laid_told(self, g: Group, element: Type) -> tuple[str | ir.Shown, ...]:
        """The piece that a question is about, with its face where it has one."""
        piece = ir.Local(g.piece)
        shown = (ir.Shown(piece, "piece"),)
        faces = self.build.variable_index.get("face of piece", -1)
        if not isinstance(element, PieceType) or faces < 0:
            return shown
        pieces = self.parts.pieces_of(element.kind)
        if not pieces or not all(self.faces_of(i) for i in pieces):
            return shown
        type_ = self.type_name(self.face_type_of(self.parts.kind_of(pieces[0])))
        return (*shown, " [", ir.Shown(ir.Load(faces, piece), type_), "]")

    # ------------------------------------------------------------------- goals

    def room_for_alike(self, g: Group, place: ir.Expr) -> ir.Expr:
        """How many of the alike ones a place takes, those that lie there already included."""
        room = self.room(place)
        if not g.must or isinstance(room, ir.Const):
            return room
        there = binary("==", place, ir.PlaceOf(ir.Local(g.piece)))
        return binary("+", room, chosen(there, g.still, NO))

    def open_laying_goals(self, g: Group, laid_out: Arrangement, code: Code) -> ir.Expr:
        """The goals with room. What may stay where it lies need not be asked whether it goes there."""
        goal, piece = ir.Local(g.goal), ir.Local(g.piece)
        elsewhere = None if g.must else binary("!=", goal, ir.PlaceOf(piece))
        itself = None
        if self.onto_pieces(laid_out.goals):
            itself = binary("!=", goal, binary("+", piece, ir.Const(self.parts.first_piece_place)))
        test = both(binary("<", NO, self.room_for_alike(g, goal)), elsewhere, itself)
        return filtered(g.goal, g.goals, test)

    def laying_goals(self, node: n.Expr, things: Selected, code: Code) -> ir.Expr:
        """The places that an expression gives: a zone that it names is itself the place."""
        inner = things.code
        match node:
            case n.Or(left=left, right=right):
                return ir.Union(self.laying_goals(left, things, code), self.laying_goals(right, things, code))
            case n.Conditional(condition=condition, then=then, otherwise=otherwise):
                yes, no = self.laying_goals(then, things, code), self.laying_goals(otherwise, things, code)
                return chosen(self.expr(condition, inner), yes, no)
        symbol = self.checked.symbols.get(id(node))
        if symbol is not None and (symbol.form == "zone" or symbol.name == "supply"):
            owners = self.owners_of_zones(node, inner)
            if owners is not None:
                slot = code.slot("owner")
                return ir.Collect(slot, owners, self.place_of_owner(symbol.name, ir.Local(slot)))
        found = plain(self.type_of(node))
        held = element_of(found)
        if isinstance(found, ZoneType) or held is None:
            return one_of(self.laying_goal(node, found, things))
        if not isinstance(held, PieceType):
            return self.as_set(node, inner)
        slot = code.slot("host")
        return ir.Collect(slot, self.as_set(node, inner), self.onto_piece(ir.Local(slot), held, things))

    def laying_goal(self, node: n.Expr, found: Type, things: Selected) -> ir.Expr:
        """The place that one zone, space or piece is."""
        if isinstance(found, PieceType):
            return self.onto_piece(self.expr(node, things.code), found, things)
        return self.place(node, things.code)

    def onto_piece(self, host: ir.Expr, type_: PieceType, things: Selected) -> ir.Expr:
        """The place that a piece is. As with `move`, a card that goes to a card goes to its space."""
        laid = things.element
        if isinstance(laid, PieceType) and self.base_of(laid.kind) == self.base_of(type_.kind) == "card":
            return ir.PlaceOf(host)
        return binary("+", host, ir.Const(self.parts.first_piece_place))

    def owners_of_zones(self, node: n.Expr, code: Code) -> ir.Expr | None:
        """The owners of several zones of one name; None for a single zone."""
        if isinstance(node, n.OfEvery):
            return self.all_of_kind(node.kind)
        if isinstance(node, n.Of) and element_of(plain(self.type_of(node.owner))) is not None:
            return self.as_set(node.owner, code)
        return None

    def place_of_owner(self, name: str, owner: ir.Expr) -> ir.Expr:
        """The place of an owner's zone, or supply."""
        if name == "supply" and name not in self.game.zones:
            return binary("+", owner, ir.Const(self.parts.supply_first + 1))
        return self.zone_place(name, owner)

    def onto_pieces(self, node: n.Expr) -> bool:
        """Whether pieces are among the goals."""
        match node:
            case n.Or(left=left, right=right) | n.Conditional(then=left, otherwise=right):
                return self.onto_pieces(left) or self.onto_pieces(right)
        symbol = self.checked.symbols.get(id(node))
        if symbol is not None and (symbol.form == "zone" or symbol.name in ("supply", "box")):
            return False
        found = plain(self.type_of(node))
        return isinstance(element_of(found) or found, PieceType)

    def looks_at_places(self, goals: ir.Expr) -> bool:
        """Whether what the goals are depends on where pieces lie."""
        met: set[int] = set()
        todo: list[object] = [goals]
        while todo:
            for node in every(todo.pop()):
                if isinstance(node, READS_PLACES):
                    return True
                if isinstance(node, ir.Apply | ir.CallTo) and node.function not in met:
                    met.add(node.function)
                    called = self.build.functions[node.function]
                    if called is None:
                        return True
                    todo.extend(called.body)
        return False
