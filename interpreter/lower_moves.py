"""Lower movement: what moves, deals, shuffles, turns, rolls and shows pieces.

Comes in: one such instruction. Goes out: the statements that do it, as much of it as is possible.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_sides import option_of, sides_of
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Checked
from rulewright.dsl.problems import Span
from rulewright.dsl.source import Table
from rulewright.dsl.types import (
    LineType,
    MarkType,
    PieceType,
    SetType,
    SpaceType,
    Type,
    WordType,
    YesNoType,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import NO, YES, Builder, Code, binary, one_of
from rulewright.interpreter.lower_parts import Parts, inherited
from rulewright.interpreter.lower_taking import LowerTaking, Taking
from rulewright.interpreter.setting import refuse

TURN_ENDS, PHASE_ENDS, GAME_ENDS = 1, 2, 3
OWED_MOST = 24


class LowerMoves(LowerTaking):
    """Lowers movement; base of `LowerChoices`."""

    def __init__(self, checked: Checked, parts: Parts, build: Builder) -> None:
        super().__init__(checked, parts, build)
        self.read_before: dict[int, ir.Expr] = {}  # sets, by their nodes, that have been read already

    def things(self, node: n.Expr, code: Code) -> ir.Expr:
        """The pieces that something is done to: all of a set, or as many of them as are named."""
        if id(node) in self.read_before:
            return self.read_before[id(node)]
        if isinstance(node, n.Chosen) and node.amount is not None and node.amount.number is not None:
            chosen = self.select(node.selection, code)
            return self.first_of(chosen.set, self.expr(node.amount.number, code), code)
        return self.as_set(node, code)

    def first_of(self, set: ir.Expr, number: ir.Expr, code: Code) -> ir.Expr:
        """The first so many values of a set."""
        return ir.FirstFew(set, number)

    def move(self, things: n.Expr, place: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`move THINGS to PLACE`."""
        bottom = isinstance(place, n.Of) and place.name == "bottom"
        pieces = self.things(things, code)
        if (
            isinstance(things, n.Of)
            and things.name in ("top", "bottom")
            and isinstance(plain(self.type_of(things.owner)), ZoneType)
        ):
            pieces = ir.MakeSet((self.expr(things, code),), skip_none=True)
        goal = self.goal(things, place, code)
        source = self.taken_from(things)
        if source is not None and id(things) not in self.read_before:
            first, goal = self.kept(goal, code, span)
            made = self.taking(source, goal, code, span)
            if made is not None:
                single = not isinstance(things, n.Chosen)
                if isinstance(things, n.Chosen) and things.amount is not None:
                    pieces = self.select(things.selection, code).set
                number = YES if single else self.amount_of(things, code)
                return [*first, *self.one_by_one(made, pieces, number, goal, bottom, code, span)]
            return [*first, ir.MovePieces(pieces, goal, bottom, -1, span)]
        return [ir.MovePieces(pieces, goal, bottom, -1, span)]

    def amount_of(self, things: n.Expr, code: Code) -> ir.Expr:
        """How many are taken."""
        assert isinstance(things, n.Chosen)
        assert things.amount is not None
        assert things.amount.number is not None
        return self.expr(things.amount.number, code)

    def one_by_one(
        self,
        made: tuple[list[ir.Statement], Taking],
        pieces: ir.Expr,
        number: ir.Expr,
        goal: ir.Expr,
        bottom: bool,
        code: Code,
        span: Span,
    ) -> list[ir.Statement]:
        """Take the first of a set, so many times, from a zone that may run out meanwhile."""
        head, taking = made
        one = ir.MovePieces(self.first_of(pieces, YES, code), goal, bottom, -1, span)
        body = (*taking.before, one)
        take = list(body) if number == YES else [ir.Repeat(number, self.goes_on(taking), body, span)]
        return [*head, *take, *self.taken(taking, code, span)]

    def goes_on(self, taking: Taking) -> ir.Expr:
        """Whether the zone that is taken from has not run out yet."""
        return binary("==", ir.Local(taking.ran), NO)

    def goal(self, things: n.Expr, place: n.Expr, code: Code) -> ir.Expr:
        """Where pieces go: cards that go to a card go to its space."""
        found = plain(self.type_of(place))
        if (
            isinstance(place, n.Of)
            and place.name in ("top", "bottom")
            and isinstance(plain(self.type_of(place.owner)), ZoneType)
        ):
            return self.place(place, code)  # an end of a pile, which may be empty
        if isinstance(found, PieceType) and self.moves_cards(things) and self.base_of(found.kind) == "card":
            return ir.PlaceOf(self.expr(place, code))
        return self.place(place, code)

    def moves_cards(self, things: n.Expr) -> bool:
        """Whether what moves is cards."""
        found = plain(self.type_of(things))
        piece = element_of(found) or found
        return isinstance(piece, PieceType) and self.base_of(piece.kind) == "card"

    def deal(self, node: n.Deal, code: Code) -> list[ir.Statement]:
        """`deal N from PILE to PLACE`: one after the other from the top; to several, one each in turn."""
        span = node.span
        bottom = (
            isinstance(node.source, n.Of)
            and node.source.name == "bottom"
            and isinstance(plain(self.type_of(node.source.owner)), ZoneType)
        )
        source = node.source.owner if bottom and isinstance(node.source, n.Of) else node.source
        number = (
            node.things.amount.number
            if isinstance(node.things, n.Chosen) and node.things.amount is not None
            else node.things
        )
        times = self.expr(number, code) if number is not None else ir.Const(1)
        slot = code.slot("dealt")
        if bottom:
            card: ir.Expr = ir.MakeSet(
                (ir.Quantifier("first", slot, self.contents(source, code), YES),), skip_none=True
            )
        else:
            card = self.contents(source, code, True)
        end = isinstance(node.place, n.Of) and node.place.name in ("top", "bottom")
        if isinstance(node.place, (n.OfEvery, n.Of)) and not end and self.goes_to_several(node.place):
            owner = code.slot("owner")
            owners = (
                self.all_of_kind(node.place.kind)
                if isinstance(node.place, n.OfEvery)
                else self.seated(node.place.owner, code)
            )
            to = self.zone_place(node.place.name, ir.Local(owner))
            made = self.taking(source, to, code, span)
            before = made[1].before if made is not None else ()
            body = (*before, ir.MovePieces(card, to, False, -1, span))
            one: tuple[ir.Statement, ...] = (ir.ForEach(owner, owners, body, span),)
            first: list[ir.Statement] = []
        else:
            under = isinstance(node.place, n.Of) and node.place.name == "bottom" and end
            first, to = self.kept(self.place(node.place, code), code, span)
            made = self.taking(source, to, code, span)
            one = (*(made[1].before if made is not None else ()), ir.MovePieces(card, to, under, -1, span))
        if made is None:
            return [*first, ir.Repeat(times, None, one, span)]
        head, taking = made
        dealt = ir.Repeat(times, self.goes_on(taking), one, span)
        return [*first, *head, dealt, *self.taken(taking, code, span)]

    def kept(self, value: ir.Expr, code: Code, span: Span) -> tuple[list[ir.Statement], ir.Expr]:
        """A value that is read once and used several times."""
        if isinstance(value, (ir.Const, ir.Local)):
            return [], value
        slot = code.slot("place")
        return [ir.Assign(slot, value, span)], ir.Local(slot)

    def goes_to_several(self, place: n.Expr) -> bool:
        """Whether a destination is the zones of several owners."""
        if isinstance(place, n.OfEvery):
            return True
        return isinstance(place, n.Of) and element_of(plain(self.type_of(place.owner))) is not None

    def shuffle(self, zone: n.Expr, code: Code, span: Span) -> ir.Statement:
        """`shuffle ZONE`: each zone has its own luck."""
        symbol = self.symbol(zone)
        names = [p.name for p in self.parts.places if p.kind == "zone" and p.group == symbol.name] or ["box"]
        first = self.build.streams_for("shuffle", names)
        place = self.place(zone, code)
        base = self.parts.zone_first.get(symbol.name, 0)
        stream = (
            binary("+", binary("-", place, ir.Const(base)), ir.Const(first))
            if len(names) > 1
            else ir.Const(first)
        )
        return ir.Shuffle(place, stream, span)

    def place_pieces(self, node: n.Place, code: Code) -> list[ir.Statement]:
        """`place [N] KIND [of OWNER] on PLACE`: from the supply, else from the box."""
        span = node.span
        place = self.place(node.place, code)
        if node.kind in code.names:
            return [ir.MovePieces(one_of(code.names[node.kind][0]), place, False, -1, span)]
        kind = self.parts.world.kind_called(node.kind) or node.kind
        number: ir.Expr = YES
        if node.amount is not None and node.amount.number is not None:
            number = self.expr(node.amount.number, code)
        if self.base_of(kind) != "token":
            slot = code.slot(kind)
            lying = ir.Filter(slot, ir.Contents(ir.Const(0)), self.is_kind(ir.Local(slot), kind, "piece"))
            return [ir.MovePieces(self.first_of(lying, number, code), place, False, -1, span)]
        table = self.stand_in_table(kind)
        several = node.owner is not None and element_of(plain(self.type_of(node.owner))) is not None
        first: list[ir.Statement] = []
        if several or number != YES:
            first, place = self.kept(place, code, span)
        if several and node.owner is not None:
            slot = code.slot("owner")
            one = ir.MovePieces(one_of(ir.At(table, ir.Local(slot))), place, False, -1, span)
            body = tuple(self.repeated(number, one, span))
            return [*first, ir.ForEach(slot, self.seated(node.owner, code), body, span)]
        owner = self.expr(node.owner, code) if node.owner is not None else ir.Const(0)
        one = ir.MovePieces(one_of(ir.At(table, owner)), place, False, -1, span)
        return [*first, *self.repeated(number, one, span)]

    def repeated(self, number: ir.Expr, one: ir.Statement, span: Span) -> list[ir.Statement]:
        """A statement so many times."""
        return [one] if number == YES else [ir.Repeat(number, None, (one,), span)]

    def back(self, pieces: ir.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`return THINGS`: tokens to their owner's supply, everything else to the box."""
        slot = code.slot("returned")

        def home() -> tuple[int, ...]:
            found = []
            for i in self.parts.piece_values:
                token = self.base_of(self.parts.kind_of(i)) == "token"
                found.append(self.parts.supply_first + 1 + self.parts.owner_of(i) if token else 0)
            return tuple(found)

        table = self.build.table("home of piece", 0, home)
        one = ir.MovePieces(one_of(ir.Local(slot)), ir.At(table, ir.Local(slot)), False, -1, span)
        return [ir.ForEach(slot, pieces, (one,), span)]

    def swap(self, first: n.Expr, second: n.Expr, code: Code, span: Span) -> ir.Statement:
        """`swap A with B`: two pieces with all that is on and under them, or two zones."""
        places = []
        for node in (first, second):
            found = plain(self.type_of(node))
            places.append(
                ir.PlaceOf(self.expr(node, code)) if isinstance(found, PieceType) else self.place(node, code)
            )
        return ir.Exchange(places[0], places[1], span)

    def roll(self, things: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`roll THINGS`: each die has its own luck."""
        die, face = code.slot("die"), code.slot("face")
        dice = [i for i in range(len(self.parts.pieces)) if self.base_of(self.parts.kind_of(i)) == "die"]
        if not dice:
            raise refuse(
                "E424",
                "Only dice can be rolled, and this game has none.",
                "Declare them under `dice:`.",
                span,
            )
        first = self.build.streams_for(
            "die", [f"{self.parts.pieces[i].kind} {i - dice[0] + 1}" for i in dice]
        )
        faces = self.build.variable_index["face of piece"]
        sets = self.build.table(
            "faces of dice", 0, lambda: tuple(self.faces_of(i) for i in self.parts.piece_values), True
        )
        stream = binary("+", ir.Local(die), ir.Const(first - dice[0]))
        found = plain(self.type_of(things))
        rolled = element_of(found) or found
        named = rolled.kind if isinstance(rolled, PieceType) else "die"
        mine = [i for i in dice if self.parts.world.isa(self.parts.kind_of(i), named)]
        kind = self.parts.kind_of((mine or dice)[0])
        type_ = self.type_name(self.face_type_of(kind))
        draw = ir.Chance(face, ir.At(sets, ir.Local(die)), stream, type_, span, ir.Local(die))
        store = ir.Store(faces, ir.Local(die), ir.Local(face), span)
        return [ir.ForEach(die, self.things(things, code), (draw, store), span)]

    def faces_of(self, index: int) -> tuple[int, ...]:
        """The faces of one die, or what a piece can be turned to."""

        kind = self.game.kinds.get(self.parts.kind_of(index))
        if kind is None:
            return ()
        faces = inherited(self.parts, kind, "faces")
        span = inherited(self.parts, kind, "face_range")
        if isinstance(span, n.NumberRange):
            low, high = self.parts.settler.number(span.low, 0), self.parts.settler.number(span.high, 0)
            return tuple(range(low, high + 1))
        if isinstance(faces, tuple) and faces:
            return tuple(range(len(faces)))
        face_type = inherited(self.parts, kind, "face_type")
        sides = inherited(self.parts, kind, "sides")
        if isinstance(sides, Table) and isinstance(face_type, str):
            words, option = self.parts.words(face_type), option_of(self.game, sides)
            chosen_ = self.parts.setting.values.get(option) if option is not None else 0
            word = self.game.options[option].choices[chosen_] if option and isinstance(chosen_, int) else ""
            return tuple(words.index(side.text) for side in sides_of(self.game, sides, word))
        if face_type == "player":
            return tuple(range(self.parts.player_count))
        if isinstance(face_type, str) and face_type in self.parts.world.enums:
            return tuple(self.parts.numbers_of(face_type))
        return ()

    def face_type_of(self, kind: str) -> Type:
        """The type of the faces of a kind."""
        from rulewright.dsl.types import PLAYER, NumberType

        decl = self.game.kinds[kind]
        if isinstance(inherited(self.parts, decl, "face_range"), n.NumberRange):
            return NumberType()
        face_type = str(inherited(self.parts, decl, "face_type") or "")
        return PLAYER if face_type == "player" else WordType(face_type)

    def movement(self, node: n.Effect, code: Code) -> list[ir.Statement]:
        """What moves, turns, rolls or shows pieces."""
        span = node.span
        match node:
            case n.Move(things=things, place=place):
                return self.move(things, place, code, span)
            case n.Deal():
                return self.deal(node, code)
            case n.Shuffle(zone=zone):
                return [self.shuffle(zone, code, span)]
            case n.Reveal(things=things):
                return [ir.Show(self.things(things, code), self.build.everybody(), span)]
            case n.Show(things=things, to=to):
                if isinstance(things, n.Of) and things.name in ("face", "kind"):
                    things = things.owner
                return [ir.Show(self.things(things, code), self.as_set(to, code), span)]
            case n.Place():
                return self.place_pieces(node, code)
            case n.Return(things=things):
                return self.back(self.things(things, code), code, span)
            case n.Remove(things=things):
                return [ir.MovePieces(self.things(things, code), ir.Const(0), False, -1, span)]
            case n.Swap(first=first, second=second):
                return [self.swap(first, second, code, span)]
            case n.TurnTo(things=things, face=face):
                slot = code.slot("turned")
                faces = self.build.variable_index["face of piece"]
                store = ir.Store(faces, ir.Local(slot), self.expr(face, code), span)
                return [ir.ForEach(slot, self.things(things, code), (store,), span)]
            case n.Roll(things=things):
                return self.roll(things, code, span)
        raise refuse(
            "E449", "This instruction is known, but cannot be played yet.", "Leave it out for now.", span
        )

    def type_name(self, found: Type) -> str:
        """The name of a type, by which values are told to people."""
        match plain(found):
            case PieceType(kind):
                return kind
            case WordType(enum):
                return enum
            case YesNoType():
                return "yes or no"
            case SpaceType():
                return "space"
            case SetType(element, _):
                return self.type_name(element)
            case ZoneType(holds, _):
                return holds
            case LineType():
                return "line"
            case MarkType():
                return "place"
        names = {"PlayerType": "player", "DirectionType": "direction", "KindWordType": "kind"}
        return names.get(type(plain(found)).__name__, "number")
