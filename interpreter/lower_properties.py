"""Lower properties: `X of Y` for everything that has properties: pieces, players, spaces, words.

Comes in: a property and its owner, or a set of owners. Goes out: the expression that reads it. A set
where one owner is meant gives the union. To add a built-in property: a case in `builtin_property`.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.types import (
    KindWordType,
    LineType,
    PieceType,
    SetType,
    SpaceType,
    Type,
    plain,
)
from rulewright.interpreter import edges, ir
from rulewright.interpreter.layout import ways_of
from rulewright.interpreter.lower_code import (
    EMPTY,
    NONE,
    YES,
    Code,
    binary,
    both,
    chosen,
    filtered,
)
from rulewright.interpreter.lower_values import RELATIONS, LowerValues
from rulewright.interpreter.setting import refuse


class LowerProperties(LowerValues):
    """Lowers properties; base of `LowerExpressions`."""

    def of_every(self, node: n.OfEvery, code: Code) -> ir.Expr:
        """`X of any KIND`: the union, or the values once for each."""
        owners = self.all_of_kind(node.kind)
        slot = code.slot(node.kind)
        inner = self.property_of(node, node.name, ir.Local(slot), self.kind_element(node.kind), code)
        many = self.holds_sets(node, node.name)
        return ir.Collect(slot, owners, inner, many)

    def holds_sets(self, node: n.Expr, name: str) -> bool:
        """Whether one owner's property is itself a set."""
        symbol = self.symbol(node)
        match symbol.form:
            case "zone" | "board":
                return True
            case "state":
                return isinstance(plain(self.checked.state_types[name]), SetType)
            case "define":
                return element_of(plain(self.checked.define_types[name])) is not None
            case "property":
                rows = ("first_row", "last_row", "first_edge", "last_edge")
                return name in (*RELATIONS, *rows, "supply", "seats_from")
        return False

    def property(self, node: n.Expr, name: str, owner: n.Expr, code: Code) -> ir.Expr:
        """`X of Y`, for one owner or, as a union, for a set of owners."""
        found = plain(self.type_of(owner))
        symbol = self.symbol(node)
        if symbol.form == "local":
            return code.names[symbol.name][0]  # `candidates of card`, in the rules of rows
        if symbol.form == "property" and name in ("top", "bottom", "size", "centre", "agreement", "majority"):
            return self.property_of_whole(name, owner, code)
        wanted = self.checked.parameter_types[name][0][1] if symbol.form == "define" else None
        if isinstance(wanted, SetType):
            return ir.Apply(self.define(name), (self.argument(owner, wanted, code),))
        inner = element_of(found)
        if inner is not None and not (isinstance(wanted, LineType) and isinstance(found, LineType)):
            slot = code.slot("each")
            value = self.property_of(node, name, ir.Local(slot), inner, code)
            return ir.Collect(slot, self.as_set(owner, code), value, self.holds_sets(node, name))
        return self.property_of(node, name, self.expr(owner, code), found, code)

    def property_of_whole(self, name: str, owner: n.Expr, code: Code) -> ir.Expr:
        """A property of a set as a whole."""
        if name == "size":
            return ir.Size(self.as_set(owner, code))
        if name == "centre":
            board = self.parts.boards[self.parts.board_index[self.symbol(owner).name]]
            return ir.Const(board.first + (board.height // 2) * board.width + board.width // 2)
        if name in ("top", "bottom"):
            slot = code.slot(name)
            return ir.Quantifier("first", slot, self.contents(owner, code, name == "top"), YES)
        raise refuse(
            "E449", f"`{name} of …` is known, but cannot be played yet.", "Leave it out for now.", owner.span
        )

    def contents(self, zone: n.Expr, code: Code, top: bool = False) -> ir.Expr:
        """What lies in one zone."""
        return ir.Contents(self.place(zone, code), top)

    def property_of(self, node: n.Expr, name: str, owner: ir.Expr, type: Type, code: Code) -> ir.Expr:
        """A property of one value of a type."""
        symbol = self.symbol(node)
        match symbol.form:
            case "state":
                return ir.Load(self.state_variable(name), self.cell(name, (owner,)))
            case "zone":
                return ir.Contents(self.zone_place(name, owner))
            case "board":
                return self.own_board_spaces(name, owner)
            case "define":
                wanted = self.checked.parameter_types[name][0][1]
                return ir.Apply(self.define(name), (self.converted(owner, type, wanted, code),))
            case "table":
                return ir.At(self.column_of_word_table(name), owner)
            case "attribute":
                return self.attribute(name, owner, type)
            case "column":
                return ir.At(self.column(symbol.owner, name), owner)
            case "supplied":
                return ir.At(self.stand_in_table(symbol.name), owner)
        return self.builtin_property(symbol.name if symbol.name == "seat_word" else name, owner, type, code)

    def converted(self, value: ir.Expr, found: Type, wanted: Type, code: Code) -> ir.Expr:
        """A value as the place it goes to needs it: a piece as its space."""
        if isinstance(plain(wanted), SpaceType) and isinstance(plain(found), PieceType):
            return ir.PlaceOf(value)
        return value

    def attribute(self, name: str, owner: ir.Expr, type: Type) -> ir.Expr:
        """A property of a piece: printed on it, or state of it."""
        variable = self.build.variable_index.get(f"{name} of piece")
        if variable is not None:
            return ir.Load(variable, owner)
        if isinstance(plain(type), KindWordType):
            return ir.At(self.kind_attribute(name), owner)
        kind = type.kind if isinstance(type, PieceType) else "piece"
        isa, kind_of = self.parts.world.isa, self.parts.kind_of
        mine = [i for i in range(len(self.parts.pieces)) if isa(kind_of(i), kind)]
        values = {self.printed(name, i) for i in mine}
        if len(values) == 1:  # the same on all of them, as where only some kinds print another value
            return ir.Const(values.pop())
        return ir.At(
            self.build.table(
                f"{name} of piece", 0, lambda: tuple(self.printed(name, i) for i in self.parts.piece_values)
            ),
            owner,
        )

    def printed(self, name: str, index: int) -> int:
        """The value of an attribute of one piece; -1 for pieces that have none."""
        if index >= len(self.parts.pieces):
            return -1
        piece = self.parts.pieces[index]
        if name in piece.words:
            return piece.words[name]
        written = self.written(name, piece.kind)
        if written is not None:
            return written
        for attribute in self.parts.world.attributes.get(name, ()):
            if self.parts.world.isa(piece.kind, attribute.kind):
                found = self.checked.attribute_types.get((attribute.kind, name))
                if piece.design is not None and name in piece.design.cells and found is not None:
                    return self.cell_value(piece.design.cells[name].text, found)
                return self.fixed_start(attribute.start)
        return -1

    def written(self, name: str, kind: str) -> int | None:
        """The value that a kind, or the nearest kind that it is, prints for an attribute."""
        todo = [kind]
        while todo:
            decl = self.parts.checked.game.kinds.get(todo.pop(0))
            if decl is not None and name in decl.printed:
                of = next(
                    a.kind for a in self.parts.world.attributes[name] if self.parts.world.isa(kind, a.kind)
                )
                return self.cell_value(decl.printed[name].text, self.checked.attribute_types[(of, name)])
            todo += decl.parents if decl is not None else ()
        return None

    def fixed_start(self, start: n.Expr | None) -> int:
        """The value of an attribute that is written down once for its kind."""
        if start is None:
            return -1
        value = self.expr(start, Code("start"))
        return value.value if isinstance(value, ir.Const) else -1

    def kind_attribute(self, name: str) -> int:
        """An attribute as a table over kinds, where all pieces of a kind share it."""

        def make() -> tuple[int, ...]:
            found = []
            for kind in self.parts.kinds:
                pieces = self.parts.pieces_of(kind)
                found.append(self.printed(name, pieces[0]) if pieces else -1)
            return tuple(found)

        return self.build.table(f"{name} of kinds", 0, make)

    def builtin_property(self, name: str, owner: ir.Expr, type: Type, code: Code) -> ir.Expr:
        """A property that every game has."""
        count = self.parts.player_count
        match name:
            case "left":
                return self.next_player(owner, 1)
            case "right":
                return self.next_player(owner, -1)
            case "opponent":
                if count != 2:
                    raise refuse(
                        "E505",
                        "Only with two players there is one opponent.",
                        "Name the players in another way.",
                    )
                return binary("-", ir.Const(1), owner)
            case "seat_word":
                words = self.parts.setting.seat_words
                return ir.At(self.build.table("words of seats", 0, lambda: words), owner)
            case "owner":
                return self.owner(owner, type)
            case "place":
                return ir.PlaceOf(owner)
            case "level":
                return self.level(owner)
            case "kind":
                kinds = self.parts
                return ir.At(
                    self.build.table(
                        "kind of piece",
                        0,
                        lambda: tuple(kinds.kinds.index(kinds.kind_of(i)) for i in kinds.piece_values),
                    ),
                    owner,
                )
            case "face":
                return ir.Load(self.build.variable_index["face of piece"], owner)
            case "adjacent" | "surrounding" | "diagonal":
                if isinstance(plain(type), PieceType):
                    return self.around_piece(owner, name, code)
                return self.around(owner, name, code)
            case "supply":
                return ir.Contents(binary("+", owner, ir.Const(self.parts.supply_first + 1)))
            case "row_number" | "column_number":
                space = ir.PlaceOf(owner) if isinstance(plain(type), PieceType) else owner
                return self.coordinate(space, name == "row_number")
            case "position":
                return binary("+", owner, ir.Const(1))
            case "seats_from":
                return ir.Seats(owner, ir.Load(ir.DIRECTION))
            case "turns_owed":
                return ir.Load(
                    self.build.own_variable(
                        "turns owed of player", count, "number", "number", ("player",), 0
                    ),
                    owner,
                )
            case "opposite":
                count = len(self.directions())
                return ir.Binary("mod", binary("+", owner, ir.Const(count // 2)), ir.Const(count))
            case "forward" | "backward" | "forward_left" | "forward_right":
                return self.forward(name, owner)
            case "first_row" | "last_row":
                return self.home_row(name, owner)
            case "first_edge" | "last_edge":
                return self.edge(name, owner)
        raise refuse("E449", f"`{name} of …` is known, but cannot be played yet.", "Leave it out for now.")

    def next_player(self, player: ir.Expr, by: int) -> ir.Expr:
        """The seat to the left (clockwise) or right."""
        count = self.parts.player_count
        return ir.Binary("mod", binary("+", player, ir.Const(by if by > 0 else count - 1)), ir.Const(count))

    def owner(self, piece: ir.Expr, type: Type) -> ir.Expr:
        """Whose a piece is: its own owner, or that of the zone it lies in."""
        own = self.build.table(
            "owner of piece", 0, lambda: tuple(self.parts.owner_of(i) for i in self.parts.piece_values)
        )
        found: ir.Expr = ir.At(own, piece)
        kind = type.kind if isinstance(type, PieceType) else "piece"
        indexes = [i for i in self.parts.piece_values if self.parts.world.isa(self.parts.kind_of(i), kind)]
        if all(self.parts.owner_of(i) >= 0 for i in indexes):
            return found
        zones = len([p for p in self.parts.places if p.kind in ("box", "supply", "zone")])
        of_zone = self.build.table(
            "owner of zone", 0, lambda: tuple(p.owner for p in self.parts.places[:zones])
        )
        lent = chosen(
            binary("<", ir.PlaceOf(piece), ir.Const(zones)), ir.At(of_zone, ir.PlaceOf(piece)), NONE
        )
        if all(self.parts.owner_of(i) < 0 for i in indexes):
            return lent
        return chosen(binary("<=", ir.Const(0), found), found, lent)

    def the_board(self) -> int:
        """The board that relations are read on."""
        if not self.parts.boards:
            raise refuse("E505", "This game has no board.", "Declare one under `boards:`.")
        return 0

    def around(self, space: ir.Expr, relation: str, code: Code) -> ir.Expr:
        """The neighbours of a space."""
        board = self.parts.boards[self.the_board()]
        if board.unbounded:
            return ir.Going(
                self.the_board(),
                space,
                ir.SetConst(ways_of(board.shape, relation, self.directions())),
                ir.Const(1),
                True,
                code.slot("near"),
                None,
                None,
                None,
            )

        def make() -> tuple[tuple[int, ...], ...]:
            found = []
            for b in self.parts.boards:
                ways = ways_of(b.shape, relation, self.directions())
                for i in range(b.width * b.height):
                    near = [b.steps[d][i] for d in ways]
                    found.append(tuple(sorted(b.first + x for x in near if x >= 0)))
            return tuple(found)

        return ir.At(self.build.table(f"{relation} spaces", board.first, make), space)

    def on_board(self, piece: ir.Expr) -> ir.Expr:
        """Whether a piece lies on a board."""
        first = self.parts.boards[0].first
        last = self.parts.boards[-1].first + self.parts.boards[-1].width * self.parts.boards[-1].height
        place = ir.PlaceOf(piece)
        return both(binary("<=", ir.Const(first), place), binary("<", place, ir.Const(last)))

    def around_piece(self, piece: ir.Expr, relation: str, code: Code) -> ir.Expr:
        """The spaces round a piece; none where it does not lie on a board."""
        self.the_board()
        return chosen(self.on_board(piece), self.around(ir.PlaceOf(piece), relation, code), EMPTY)

    def coordinate(self, space: ir.Expr, row: bool) -> ir.Expr:
        """The number of a row or column, from 1."""
        board = self.parts.boards[self.the_board()]
        index = binary("-", space, ir.Const(board.first))
        if row:
            found: ir.Expr = ir.Binary("div_down", index, ir.Const(board.width))
        else:
            found = ir.Binary("mod", index, ir.Const(board.width))
        origin = (board.height if row else board.width) // 2 if board.unbounded else 0
        return binary("+", found, ir.Const(1 - origin))

    def forward(self, name: str, player: ir.Expr) -> ir.Expr:
        """A direction as a player sees it."""
        words = self.directions()
        count = len(words)
        turn = {"forward": 0, "forward_right": 1, "backward": count // 2, "forward_left": -1}[name]
        ways = self.forward_ways()
        table = self.build.table(
            f"{name} of player", 0, lambda: tuple((words.index(way) + turn) % count for way in ways)
        )
        return ir.At(table, player)

    def forward_ways(self) -> tuple[str, ...]:
        """For each player the direction in which they move; up the board, if the board does not say."""
        ways = dict(next(iter(self.game.boards.values())).forward)
        up = "north" if "north" in self.directions() else "north_east"
        return tuple(ways.get(p, up) for p in self.parts.setting.players)

    def home_row(self, name: str, player: ir.Expr) -> ir.Expr:
        """The row a player begins at, or goes for."""
        board = self.parts.boards[self.the_board()]
        last = name == "last_row"
        table = self.build.table(
            f"{name} of player",
            0,
            lambda: tuple(edges.home_row(board, way, last) for way in self.forward_ways()),
        )
        return ir.At(table, player)

    def edge(self, name: str, player: ir.Expr) -> ir.Expr:
        """One of the two edges that the board gives to a player."""
        declared = next((b for b in self.game.boards.values() if b.edges), None)
        if declared is None:
            raise refuse("E505", f"There is no `{name}`.", "Say `edges:` at the board.")
        board = self.parts.boards[self.parts.board_index[declared.name]]
        last = name == "last_edge"
        table = self.build.table(
            f"{name} of player",
            0,
            lambda: tuple(edges.edge(board, declared, p, last) for p in self.parts.setting.players),
        )
        return ir.At(table, player)

    def argument(self, node: n.Expr, wanted: Type, code: Code) -> ir.Expr:
        """One argument."""
        if isinstance(plain(wanted), SetType):
            found = element_of(plain(self.type_of(node)))
            inner = plain(wanted).element  # type: ignore[union-attr]
            values = self.as_set(node, code)
            if isinstance(inner, SpaceType) and isinstance(found, PieceType):
                slot = code.slot("piece")
                return ir.Collect(slot, values, ir.PlaceOf(ir.Local(slot)))
            if isinstance(inner, PieceType) and isinstance(found, SpaceType):
                return self.pieces_on(values, inner.kind, code)
            return values
        return self.converted(self.expr(node, code), self.type_of(node), wanted, code)

    def arguments(self, given: tuple[n.Expr, ...], wanted: list[Type], code: Code) -> tuple[ir.Expr, ...]:
        """The arguments of a call, each as its parameter needs it."""
        return tuple(self.argument(a, t, code) for a, t in zip(given, wanted, strict=False))

    def pieces_on(self, spaces: ir.Expr, kind: str, code: Code) -> ir.Expr:
        """The pieces of a kind on a set of spaces: on covers only the top ones."""
        slot, piece = code.slot("space"), code.slot(kind)
        lying = ir.Contents(ir.Local(slot), self.top_only(kind))
        found = ir.Collect(slot, spaces, lying, True)
        return filtered(piece, found, self.is_kind(ir.Local(piece), kind, "piece"))
