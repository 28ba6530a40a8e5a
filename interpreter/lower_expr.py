"""Lower expressions: every value of the language as an expression of the program.

Comes in: typed nodes (`Checked`) and the `Code` being written. Goes out: `ir` expressions. A thing that
stands for another (a piece for its space, a zone for what lies there) is turned into it here. To add a
form: a case here.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.types import (
    BoardType,
    KindWordType,
    LineType,
    MarkType,
    OptionalType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    Type,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import (
    EMPTY,
    NONE,
    YES,
    Code,
    binary,
    both,
    chosen,
    negated,
    one_of,
)
from rulewright.interpreter.lower_parts import room_of
from rulewright.interpreter.lower_properties import LowerProperties
from rulewright.interpreter.setting import refuse

COMPARISONS = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True)}


class LowerExpressions(LowerProperties):
    """Lowers expressions; `LowerSelections` adds selections."""

    def expr(self, node: n.Expr, code: Code) -> ir.Expr:
        """The value of an expression: a number, or a set where its type is one."""
        match node:
            case n.Number(value=value):
                symbol = self.checked.symbols.get(id(node))
                return (
                    ir.Const(self.word(symbol))
                    if symbol is not None and symbol.form == "word"
                    else ir.Const(value)
                )
            case n.YesNo(value=value):
                return ir.Const(int(value))
            case n.Nothing():
                return NONE
            case n.Name():
                return self.name(node, code)
            case n.Of():
                return self.property(node, node.name, node.owner, code)
            case n.OfEvery():
                return self.of_every(node, code)
            case n.Call():
                return self.call(node, code)
            case n.Can():
                return self.can(node, code)
            case n.HasHappened():
                return self.has_happened(node)
            case n.SetDisplay():
                return self.set_display(node, code)
            case n.Conditional(condition=condition, then=then, otherwise=otherwise):
                if element_of(plain(self.type_of(node))) is not None:
                    return chosen(
                        self.expr(condition, code), self.as_set(then, code), self.as_set(otherwise, code)
                    )
                return chosen(self.expr(condition, code), self.expr(then, code), self.expr(otherwise, code))
            case n.And(left=left, right=right):
                return binary("and", self.expr(left, code), self.expr(right, code))
            case n.Or(left=left, right=right):
                if element_of(plain(self.type_of(node))) is not None:
                    return ir.Union(self.as_set(left, code), self.as_set_like(right, node, code))
                return binary("or", self.expr(left, code), self.expr(right, code))
            case n.Not(operand=operand):
                return negated(self.expr(operand, code))
            case n.Compare():
                return self.compare(node, code)
            case n.Member(negated=not_in, element=element, collection=collection):
                found = self.member(self.expr(element, code), self.type_of(element), collection, code)
                return negated(found) if not_in else found
            case n.Arithmetic(operator=operator, left=left, right=right):
                return binary(operator, self.expr(left, code), self.expr(right, code))
            case n.Divide(left=left, right=right, rounding=rounding):
                return ir.Binary(f"div_{rounding}", self.expr(left, code), self.expr(right, code))
            case n.Negative(operand=operand):
                inner = self.expr(operand, code)
                return ir.Const(-inner.value) if isinstance(inner, ir.Const) else ir.Unary("-", inner)
        return self.selected(node, code)

    def selected(self, node: n.Expr, code: Code) -> ir.Expr:
        """Lowered in `LowerSelections`."""
        raise NotImplementedError(type(node).__name__)

    def can(self, node: n.Can, code: Code) -> ir.Expr:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def has_happened(self, node: n.HasHappened) -> ir.Expr:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def as_set(self, node: n.Expr, code: Code) -> ir.Expr:
        """The values that an expression stands for, as a set."""
        found = self.type_of(node)
        match plain(found):
            case SetType() if isinstance(node, n.Quantified) and node.word in ("any", "each"):
                return self.all_of_kind(node.selection.kind)  # `of any player`, `any direction`
            case ZoneType() | SetType() | BoardType():
                return self.expr(node, code)
            case LineType():
                return self.spaces_of_line(self.expr(node, code))
        value = self.expr(node, code)
        if isinstance(found, OptionalType):
            return ir.MakeSet((value,), skip_none=True)
        return one_of(value)

    def seated(self, node: n.Expr, code: Code) -> ir.Expr:
        """A set; if of players, in the order of the game where it states one."""
        found = self.as_set(node, code)
        stated = self.game.order is not None and self.game.order.start is not None and not self.ordering
        return self.in_seats(found, node) if stated else found

    def in_seats(self, players: ir.Expr, node: n.Expr | None) -> ir.Expr:
        """A set of players in the order of the game, else of the seats. `node` is how the set is written:
        seats from a player and a list have an order of their own. A set of anything else stays as it is.
        """
        if node is None or isinstance(node, n.SetDisplay):
            return players
        if isinstance(node, n.Of | n.Call) and node.name == "seats_from":
            return players
        if not isinstance(element_of(plain(self.type_of(node))), PlayerType):
            return players
        everybody = self.players()
        if isinstance(players, ir.Without) and players.left == everybody:
            return players  # it has been put in order already
        return ir.Without(everybody, ir.Without(everybody, players))

    def as_set_like(self, node: n.Expr, whole: n.Expr, code: Code) -> ir.Expr:
        """A set as part of a union; pieces become spaces where the union is of spaces."""
        mine, wanted = element_of(plain(self.type_of(node))), element_of(plain(self.type_of(whole)))
        found = self.as_set(node, code)
        if isinstance(wanted, SpaceType) and isinstance(mine, PieceType):
            slot = code.slot("piece")
            return ir.Collect(slot, found, ir.PlaceOf(ir.Local(slot)))
        return found

    def spaces_of_line(self, line: ir.Expr) -> ir.Expr:
        """The spaces of a line."""
        table = self.build.table("spaces of lines", 0, lambda: ())  # filled in when all lines are known
        return ir.At(table, line)

    def set_display(self, node: n.SetDisplay, code: Code) -> ir.Expr:
        """`[a, b, 1 to 6]`."""
        items: list[ir.Expr | tuple[ir.Expr, ir.Expr]] = []
        unions: list[ir.Expr] = []
        for item in node.items:
            if isinstance(item, n.Range):
                items.append((self.expr(item.low, code), self.expr(item.high, code)))
            elif isinstance(plain(self.type_of(item)), SetType):
                unions.append(self.as_set(item, code))
            else:
                items.append(self.expr(item, code))
        optional = any(isinstance(self.type_of(x), OptionalType) for x in node.items)
        found = _constant_set(items, optional)
        if found is None:
            found = ir.MakeSet(tuple(items), skip_none=optional)
        for union in unions:
            found = union if found == EMPTY else ir.Union(found, union)
        return found

    def call(self, node: n.Call, code: Code) -> ir.Expr:
        """`f(x, y)`."""
        symbol = self.symbol(node)
        if symbol.form == "define":
            wanted = [t for _, t in self.checked.parameter_types[node.name]]
            return ir.Apply(self.define(node.name), self.arguments(node.arguments, wanted, code))
        if symbol.form == "state" and len(node.arguments) > 1:
            owners = tuple(self.expr(a, code) for a in node.arguments)
            return ir.Load(self.state_variable(node.name), self.cell(node.name, owners))
        if node.name == "step":
            slot = code.slot("step")
            way = one_of(self.expr(node.arguments[1], code))
            start = self.as_space(node.arguments[0], code)
            run = ir.Going(self.the_board(), start, way, ir.Const(1), True, slot, None, None, None)
            return ir.Quantifier("first", slot, run, YES)
        if node.name == "distance":
            return self.distance(node, code)
        return self.property(node, node.name, node.arguments[0], code)

    def as_space(self, node: n.Expr, code: Code) -> ir.Expr:
        """A space, or the space that a piece lies on."""
        return self.converted(self.expr(node, code), self.type_of(node), SpaceType(), code)

    def distance(self, node: n.Call, code: Code) -> ir.Expr:
        """Steps between two spaces along edges: rows apart and columns apart. On hexagons a step may change
        row and column at once, in opposite ways: as many steps as the largest of rows, columns and both.
        """
        a, b = self.as_space(node.arguments[0], code), self.as_space(node.arguments[1], code)
        hexagons = self.parts.boards[self.the_board()].shape.startswith("hex")
        total: ir.Expr = ir.Const(0)
        moves: list[ir.Expr] = []
        for row in (True, False):
            x, y = self.coordinate(a, row), self.coordinate(b, row)
            moves.append(binary("-", x, y))
            apart = ir.Binary("max", binary("-", x, y), binary("-", y, x))
            total = ir.Binary("max", total, apart) if hexagons else binary("+", total, apart)
        if hexagons:
            aslant = binary("+", *moves)
            total = ir.Binary("max", total, ir.Binary("max", aslant, binary("-", ir.Const(0), aslant)))
        return total

    def compare(self, node: n.Compare, code: Code) -> ir.Expr:
        """`is`, `is not`, `<`, `<=`, `>`, `>=`."""
        left = self.type_of(node.left)
        if node.operator in ("is", "is not"):
            found = self.equal(lambda: self.expr(node.left, code), left, node.left, node.right, code)
            return negated(found) if node.operator == "is not" else found
        op, turned = COMPARISONS[node.operator]
        a, b = self.expr(node.left, code), self.expr(node.right, code)
        return binary(op, b, a) if turned else binary(op, a, b)

    def equal(self, value, left: Type, left_node: n.Expr | None, right: n.Expr, code: Code) -> ir.Expr:  # type: ignore[no-untyped-def]
        """`LEFT is RIGHT`; `value()` gives LEFT."""
        symbol = self.checked.symbols.get(id(right))
        if symbol is not None and symbol.form == "adjective":
            return self.adjective(symbol.name, value, left, left_node, code)
        if symbol is not None and symbol.form == "layout" and left_node is not None:
            return ir.Const(int(self.parts.setting.layouts.get(self.symbol(left_node).name) == symbol.name))
        if symbol is not None and symbol.form == "kind" and isinstance(plain(left), PieceType):
            base = plain(left)
            assert isinstance(base, PieceType)
            test = self.is_kind(value(), symbol.name, base.kind)
            return both(binary("!=", value(), NONE), test) if isinstance(left, OptionalType) else test
        wanted = self.type_of(right)
        if element_of(plain(left)) is not None and element_of(plain(wanted)) is not None:
            mine = self.as_set(left_node, code) if left_node is not None else value()
            return ir.SameSet(mine, self.as_set(right, code))
        a, b = value(), self.expr(right, code)
        if isinstance(plain(left), SpaceType) and isinstance(plain(wanted), PieceType):
            b = ir.PlaceOf(b)
        elif isinstance(plain(left), PieceType) and isinstance(plain(wanted), SpaceType):
            a = ir.PlaceOf(a)
        return binary("==", a, b)

    def adjective(self, word: str, value, left: Type, left_node: n.Expr | None, code: Code) -> ir.Expr:  # type: ignore[no-untyped-def]
        """`is empty`, `is full`, `is stuck`."""
        if word == "stuck":
            return negated(self.can_act(value()))
        if element_of(plain(left)) is not None and left_node is not None:
            lying = self.as_set(left_node, code)
        else:
            place = value()
            if isinstance(plain(left), PieceType):
                place = binary("+", place, ir.Const(self.parts.first_piece_place))
            lying = ir.Contents(place)
        empty = binary("==", ir.Size(lying), ir.Const(0))
        if word == "empty":
            return empty
        zone = self.game.zones.get(plain(left).zone) if isinstance(plain(left), ZoneType) else None  # type: ignore[union-attr]
        if zone is not None and zone.at_most is not None:
            return binary("<=", ir.Const(room_of(self.parts, zone)), ir.Size(lying))
        return negated(empty)

    def member(self, value: ir.Expr, left: Type, collection: n.Expr, code: Code) -> ir.Expr:
        """`… is in B`."""
        inner = element_of(plain(self.type_of(collection)))
        if isinstance(plain(left), PieceType) and isinstance(inner, SpaceType):
            value = ir.PlaceOf(value)
        elif isinstance(plain(left), PieceType) and isinstance(inner, KindWordType):
            value = self.builtin_property("kind", value, left, code)
        if isinstance(plain(self.type_of(collection)), ZoneType):
            return (
                binary("==", ir.PlaceOf(value), self.place(collection, code))
                if self.is_one_zone(collection)
                else ir.Contains(self.as_set(collection, code), value)
            )
        return ir.Contains(self.as_set(collection, code), value)

    def is_one_zone(self, node: n.Expr) -> bool:
        """Whether a node is a single zone: not the zones of several."""
        if isinstance(node, n.Of):
            return element_of(plain(self.type_of(node.owner))) is None
        return isinstance(node, n.Name)

    def place(self, node: n.Expr, code: Code) -> ir.Expr:
        """The place that a zone, space or piece is."""
        found = plain(self.type_of(node))
        symbol = self.checked.symbols.get(id(node))
        if (
            isinstance(node, n.Of)
            and node.name in ("top", "bottom")
            and isinstance(plain(self.type_of(node.owner)), ZoneType)
        ):
            return self.place(node.owner, code)  # an end of a pile, which may be empty
        if symbol is not None and symbol.form == "zone":
            several = isinstance(node, n.Of) and element_of(plain(self.type_of(node.owner))) is not None
            if several or isinstance(node, n.OfEvery):
                raise refuse(
                    "E423",
                    "Nothing can go to several zones at once.",
                    "Write `deal`, or `for each player p:` and one of them.",
                    node.span,
                )
            if isinstance(node, n.Of):
                return self.zone_place(symbol.name, self.expr(node.owner, code))
            if isinstance(node, n.Call):
                return self.zone_place(symbol.name, self.expr(node.arguments[0], code))
            return ir.Const(self.parts.zone_first[symbol.name])
        if symbol is not None and symbol.form == "builtin" and symbol.name == "box":
            return ir.Const(0)
        if symbol is not None and symbol.form == "builtin" and symbol.name == "supply":
            return ir.Const(self.parts.supply_first)
        if symbol is not None and symbol.name == "supply" and isinstance(node, n.Of):
            return binary("+", self.expr(node.owner, code), ir.Const(self.parts.supply_first + 1))
        if isinstance(node, n.Conditional):
            return chosen(
                self.expr(node.condition, code), self.place(node.then, code), self.place(node.otherwise, code)
            )
        if isinstance(found, (SpaceType, MarkType)):
            return self.expr(node, code)
        if isinstance(found, PieceType):
            return binary("+", self.expr(node, code), ir.Const(self.parts.first_piece_place))
        raise refuse(
            "E449", "This place is known, but cannot be played yet.", "Name a zone or a space.", node.span
        )


def _constant_set(items: list[ir.Expr | tuple[ir.Expr, ir.Expr]], optional: bool) -> ir.Expr | None:
    found: list[int] = []
    for item in items:
        if isinstance(item, tuple):
            low, high = item
            if (
                not (isinstance(low, ir.Const) and isinstance(high, ir.Const))
                or high.value - low.value > 10_000
            ):
                return None
            found.extend(range(low.value, high.value + 1))
        elif isinstance(item, ir.Const):
            if item.value >= 0 or not optional:
                found.append(item.value)
        else:
            return None
    return ir.SetConst(tuple(dict.fromkeys(found)))
