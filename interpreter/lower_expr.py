"""Lower expressions: every value of the language as an expression of the program.

Comes in: typed nodes (`Checked`) and the `Code` being written. Goes out: `ir` expressions. A thing that
stands for another (a piece for its space, a zone for what lies there) is turned into it here. To add a
form: a case here.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import Checked, Symbol
from rulewright.dsl.types import (
    PLAYER,
    BoardType,
    KindWordType,
    LineType,
    NumberType,
    OptionalType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    Type,
    UnknownType,
    WordType,
    YesNoType,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    NONE,
    YES,
    Builder,
    Code,
    binary,
    both,
    chosen,
    filtered,
    negated,
    one_of,
)
from rulewright.interpreter.lower_parts import Parts
from rulewright.interpreter.setting import refuse

RELATIONS = {"adjacent": (0, 2, 4, 6), "diagonal": (1, 3, 5, 7), "surrounding": (0, 1, 2, 3, 4, 5, 6, 7)}
COMPARISONS = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True)}


class LowerExpressions:
    """Lowers expressions; `LowerSelections` adds selections."""

    def __init__(self, checked: Checked, parts: Parts, build: Builder) -> None:
        self.checked = checked
        self.game = checked.game
        self.parts = parts
        self.build = build

    # ------------------------------------------------------------------- types

    def type_of(self, node: n.Node) -> Type:
        """The type of a node as the checker found it."""
        return self.checked.types.get(id(node), UnknownType())

    def symbol(self, node: n.Node) -> Symbol:
        """What a name was found to mean."""
        return self.checked.symbols[id(node)]

    # ------------------------------------------------------------------ values

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

    def can_act(self, player: ir.Expr) -> ir.Expr:
        """Lowered in `LowerFlow`."""
        raise NotImplementedError

    def define(self, name: str) -> int:
        """Lowered in `LowerEvents`: the number of a definition's function."""
        raise NotImplementedError

    # -------------------------------------------------------------------- sets

    def as_set(self, node: n.Expr, code: Code) -> ir.Expr:
        """The values that an expression stands for, as a set."""
        found = self.type_of(node)
        match plain(found):
            case ZoneType() | SetType() | BoardType():
                return self.expr(node, code)
            case LineType():
                return self.spaces_of_line(self.expr(node, code))
        value = self.expr(node, code)
        if isinstance(found, OptionalType):
            return ir.MakeSet((value,), skip_none=True)
        return one_of(value)

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
        found = _constant_set(items)
        if found is None:
            found = ir.MakeSet(
                tuple(items), skip_none=any(isinstance(self.type_of(x), OptionalType) for x in node.items)
            )
        for union in unions:
            found = union if found == EMPTY else ir.Union(found, union)
        return found

    # ------------------------------------------------------------------- names

    def name(self, node: n.Name, code: Code) -> ir.Expr:
        """A word that stands alone."""
        symbol = self.symbol(node)
        match symbol.form:
            case "local":
                return code.names[symbol.name][0]
            case "option":
                return self.option(symbol.name)
            case "state" | "phase-name":
                return ir.Load(self.state_variable(symbol.name))
            case "zone":
                return ir.Contents(ir.Const(self.parts.zone_first[symbol.name]))
            case "board":
                return self.board_spaces(symbol.name)
            case "define":
                return ir.Apply(self.define(symbol.name), ())
            case "seat":
                return ir.Const(self.parts.setting.players.index(symbol.name))
            case "direction":
                return ir.Const(self.parts.world.enums["direction"].index(symbol.name))
            case "space":
                return ir.Const(self.space_named(symbol.name))
            case "level":
                return ir.Const(self.parts.world.levels[symbol.name])
            case "word":
                return ir.Const(self.word(symbol))
            case "kind":
                return ir.Const(self.parts.kinds.index(symbol.name))
            case "builtin":
                return (
                    code.actor
                    if symbol.name == "actor" and code.actor is not None
                    else self.builtin(symbol.name)
                )
        raise NotImplementedError(symbol.form)

    def builtin(self, name: str) -> ir.Expr:
        """A value of every game."""
        match name:
            case "actor":
                return ir.Load(ir.ACTOR)
            case "players":
                return ir.Const(self.parts.player_count)
            case "first_player":
                return ir.Const(0)
            case "box":
                return ir.Contents(ir.Const(0))
            case "turn_is_extra":
                return ir.Load(ir.EXTRA)
            case "orthogonals":
                return ir.SetConst(RELATIONS["adjacent"])
            case "diagonals":
                return ir.SetConst(RELATIONS["diagonal"])
            case "all_directions":
                return ir.SetConst(RELATIONS["surrounding"])
        raise refuse("E449", f"`{name}` is known, but cannot be played yet.", "Leave it out for now.")

    def word(self, symbol: Symbol) -> int:
        """The index of a word in its list."""
        if symbol.owner in self.game.enums and self.game.enums[symbol.owner].part_of:
            return self.parts.words(self.game.enums[symbol.owner].part_of).index(symbol.name)
        return self.parts.words(symbol.owner).index(symbol.name)

    def option(self, name: str) -> ir.Expr:
        """The value of an option: settled, or drawn at the start of the game."""
        setting = self.parts.setting
        if name in setting.layouts:
            return ir.SetConst(self.layout_spaces(name))
        if name in setting.open:
            return ir.Load(self.build.variable_index[f"option {name}"])
        value = setting.values[name]
        return ir.SetConst(value) if isinstance(value, tuple) else ir.Const(value)

    def layout_spaces(self, option: str) -> tuple[int, ...]:
        """The spaces of a layout round the middle of its board."""
        layout = self.game.layouts[self.parts.setting.layouts[option]]
        name = self.game.options[option].board or next(iter(self.game.boards))
        board = self.parts.boards[self.parts.board_index[name]]
        top, left = (board.height - layout.rows) // 2, (board.width - layout.columns) // 2
        if board.unbounded:
            top, left = board.height // 2, board.width // 2
        return tuple(board.first + (top + r) * board.width + left + c for r, c in layout.cells)

    def space_named(self, name: str) -> int:
        """The place of a space by its name, on the first board that has it."""
        for i, place in enumerate(self.parts.places):
            if place.kind == "space" and place.name == name:
                return i
        raise refuse("E405", f"There is no space `{name}` on this board.", "Name one of its spaces.")

    def board_spaces(self, name: str) -> ir.Expr:
        """The spaces of a board; of an unbounded one the occupied ones and those around them."""
        index = self.parts.board_index[name]
        board = self.parts.boards[index]
        if board.unbounded:
            return ir.Occupied(index, True)
        boards = [b for b in self.parts.boards if b.name == name]
        return ir.SetConst(tuple(b.first + i for b in boards for i in range(b.width * b.height)))

    def state_variable(self, name: str) -> int:
        """The variable of a state."""
        return self.build.variable_index[name]

    # -------------------------------------------------------------- properties

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
                return name in (*RELATIONS, "supply", "first_row", "last_row", "seats_from")
        return False

    def kind_element(self, word: str) -> Type:
        """The type of the elements of KIND."""
        kind = self.parts.world.kind_called(word)
        if kind == "player":
            return PLAYER
        if kind in self.parts.world.parents:
            assert kind is not None
            return PieceType(kind)
        if kind in self.parts.world.enums:
            assert kind is not None
            return WordType(kind)
        return NumberType()

    def all_of_kind(self, word: str) -> ir.Expr:
        """All values of KIND."""
        kind = self.parts.world.kind_called(word) or word
        parts = self.parts
        if kind == "player":
            return self.players()
        if kind in parts.world.parents or kind == "piece":
            return ir.SetConst(parts.pieces_of(kind))
        if kind in parts.world.enums:
            return ir.SetConst(tuple(range(len(parts.words(kind)))))
        if kind in self.game.enums:
            low, high = parts.range_of(kind)
            return ir.SetConst(tuple(range(low, high + 1)))
        if kind == "direction":
            return ir.SetConst(RELATIONS["surrounding"])
        if kind == "space":
            boards = list(dict.fromkeys(b.name for b in parts.boards))
            found = self.board_spaces(boards[0]) if boards else EMPTY
            for other in boards[1:]:
                found = ir.Union(found, self.board_spaces(other))
            return found
        if kind.endswith("_kind"):
            return ir.SetConst(tuple(parts.kinds.index(k) for k in parts.world.leaves(kind[:-5])))
        raise refuse("E449", f"`{word}` is known, but cannot be played yet.", "Leave it out for now.")

    def players(self) -> ir.Expr:
        """All players, in the order of the game."""
        order = self.game.order
        if order is None or order.start is None:
            return self.build.everybody()
        start = self.expr(order.start, Code("order"))
        return ir.Seats(start, YES if order.direction == "clockwise" else NO)

    def property(self, node: n.Expr, name: str, owner: n.Expr, code: Code) -> ir.Expr:
        """`X of Y`, for one owner or, as a union, for a set of owners."""
        found = plain(self.type_of(owner))
        symbol = self.symbol(node)
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

    def cell(self, state: str, owners: tuple[ir.Expr, ...]) -> ir.Expr:
        """The cell of a state for its owners; the last index runs fastest."""
        decl = self.find_state(state)
        flat: ir.Expr = ir.Const(0)
        for per, owner in zip(decl.per, owners, strict=True):
            low = self.parts.lowest_of(per)
            index = binary("-", owner, ir.Const(low)) if low else owner
            flat = (
                index
                if flat == ir.Const(0)
                else binary("+", binary("*", flat, ir.Const(self.parts.size_of(per))), index)
            )
        return flat

    def find_state(self, name: str):  # type: ignore[no-untyped-def]
        """The declaration of a state, of the game or of a phase."""
        found = self.game.states.get(name)
        if found is None:
            found = next(s for p in self.game.phases.values() for s in p.states if s.name == name)
        return found

    def zone_place(self, zone: str, owner: ir.Expr) -> ir.Expr:
        """The place of an owner's zone."""
        first = self.parts.zone_first[zone]
        low = self.parts.lowest_of(self.game.zones[zone].per)
        return binary("+", owner, ir.Const(first - low))

    def own_board_spaces(self, name: str, owner: ir.Expr) -> ir.Expr:
        """The spaces of an owner's board."""
        boards = [b for b in self.parts.boards if b.name == name]
        table = self.build.table(
            f"spaces of {name}",
            0,
            lambda: tuple(tuple(b.first + i for i in range(b.width * b.height)) for b in boards),
        )
        return ir.At(table, owner)

    def stand_in_table(self, kind: str) -> int:
        """For each player the number that stands for a token of a kind from that player's supply."""

        def make() -> tuple[int, ...]:
            found = []
            for player in range(self.parts.player_count):
                mine = [
                    len(self.parts.pieces) + i
                    for i, s in enumerate(self.parts.stand_ins)
                    if self.parts.world.isa(self.parts.kinds[s.kind], kind) and s.owner in (player, -1)
                ]
                found.append(mine[0] if mine else -1)
            return tuple(found)

        return self.build.table(f"{kind} from the supply", 0, make)

    def column_of_word_table(self, column: str) -> int:
        """A column of a drawn table as a table over its keys."""
        table = self.game.word_tables[self.parts.world.table_columns[column]]
        if table.key == "players":
            keys = [int(k) for k in table.keys]
        else:
            keys = [self.parts.words(table.key).index(k) for k in table.keys]
        low, high = min(keys), max(keys)
        values = dict(zip(keys, table.columns[column], strict=True))
        return self.build.table(
            f"table {column}", low, lambda: tuple(values.get(i, 0) for i in range(low, high + 1))
        )

    def column(self, enum: str, name: str) -> int:
        """A column of the table of a word type."""
        cells = self.game.enums[enum].columns[name]
        found = self.checked.column_types[(enum, name)]
        return self.build.table(
            f"{name} of {enum}", 0, lambda: tuple(self.cell_value(c.text, found) for c in cells)
        )

    def cell_value(self, text: str, type: Type) -> int:
        """What a cell of a table means."""
        wanted = plain(type)
        if text in ("", "none") and isinstance(type, OptionalType):
            return -1
        if isinstance(wanted, WordType):
            return self.parts.words(wanted.enum).index(text)
        if isinstance(wanted, YesNoType):
            return int(text == "yes")
        if isinstance(wanted, KindWordType):
            return self.parts.kinds.index(text)
        return int(text) if text.lstrip("-").isdigit() else 0

    # -------------------------------------------------------------- attributes

    def attribute(self, name: str, owner: ir.Expr, type: Type) -> ir.Expr:
        """A property of a piece: printed on it, or state of it."""
        variable = self.build.variable_index.get(f"{name} of piece")
        if variable is not None:
            return ir.Load(variable, owner)
        if isinstance(plain(type), KindWordType):
            return ir.At(self.kind_attribute(name), owner)
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
        for attribute in self.parts.world.attributes.get(name, ()):
            if self.parts.world.isa(piece.kind, attribute.kind):
                found = self.checked.attribute_types.get((attribute.kind, name))
                if piece.design is not None and name in piece.design.cells and found is not None:
                    return self.cell_value(piece.design.cells[name].text, found)
                return self.fixed_start(attribute.start)
        return -1

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

    # ---------------------------------------------------------------- built-in

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
                return ir.Binary("mod", binary("+", owner, ir.Const(4)), ir.Const(8))
            case "forward" | "backward" | "forward_left" | "forward_right":
                return self.forward(name, owner)
            case "first_row" | "last_row":
                return self.home_row(name, owner)
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
        directions = RELATIONS[relation]
        board = self.parts.boards[self.the_board()]
        if board.unbounded:
            return ir.Going(
                self.the_board(),
                space,
                ir.SetConst(directions),
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
                for i in range(b.width * b.height):
                    near = [b.steps[d][i] for d in directions]
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
        turn = {"forward": 0, "forward_right": 1, "backward": 4, "forward_left": 7}[name]
        words = self.parts.world.enums["direction"]
        board = next(iter(self.game.boards.values()))
        ways = dict(board.forward)
        table = self.build.table(
            f"{name} of player",
            0,
            lambda: tuple((words.index(ways.get(p, "north")) + turn) % 8 for p in self.parts.setting.players),
        )
        return ir.At(table, player)

    def home_row(self, name: str, player: ir.Expr) -> ir.Expr:
        """The row a player begins at, or goes for."""
        board = self.parts.boards[self.the_board()]
        ways = dict(next(iter(self.game.boards.values())).forward)

        def make() -> tuple[tuple[int, ...], ...]:
            found = []
            for p in self.parts.setting.players:
                way = ways.get(p, "north")
                w, h = board.width, board.height
                rows = {"north": h - 1, "south": 0}
                goals = {"north": 0, "south": h - 1}
                columns = {"east": 0, "west": w - 1}
                ends = {"east": w - 1, "west": 0}
                if way in rows:
                    r = rows[way] if name == "first_row" else goals[way]
                    found.append(tuple(board.first + r * w + c for c in range(w)))
                else:
                    c = columns[way] if name == "first_row" else ends[way]
                    found.append(tuple(board.first + r * w + c for r in range(h)))
            return tuple(found)

        return ir.At(self.build.table(f"{name} of player", 0, make), player)

    # --------------------------------------------------------------- functions

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
            board = self.parts.boards[self.the_board()]
            way = one_of(self.expr(node.arguments[1], code))
            start = self.as_space(node.arguments[0], code)
            run = ir.Going(self.the_board(), start, way, ir.Const(1), True, slot, None, None, None)
            del board
            return ir.Quantifier("first", slot, run, YES)
        if node.name == "distance":
            return self.distance(node, code)
        return self.property(node, node.name, node.arguments[0], code)

    def as_space(self, node: n.Expr, code: Code) -> ir.Expr:
        """A space, or the space that a piece lies on."""
        return self.converted(self.expr(node, code), self.type_of(node), SpaceType(), code)

    def distance(self, node: n.Call, code: Code) -> ir.Expr:
        """Steps between two spaces along edges: rows apart and columns apart."""
        a, b = self.as_space(node.arguments[0], code), self.as_space(node.arguments[1], code)
        total: ir.Expr = ir.Const(0)
        for row in (True, False):
            x, y = self.coordinate(a, row), self.coordinate(b, row)
            total = binary("+", total, ir.Binary("max", binary("-", x, y), binary("-", y, x)))
        return total

    def arguments(self, given: tuple[n.Expr, ...], wanted: list[Type], code: Code) -> tuple[ir.Expr, ...]:
        """The arguments of a call, each as its parameter needs it."""
        return tuple(self.argument(a, t, code) for a, t in zip(given, wanted, strict=False))

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

    def pieces_on(self, spaces: ir.Expr, kind: str, code: Code) -> ir.Expr:
        """The pieces of a kind on a set of spaces: on covers only the top ones."""
        slot, piece = code.slot("space"), code.slot(kind)
        lying = ir.Contents(ir.Local(slot), self.top_only(kind))
        found = ir.Collect(slot, spaces, lying, True)
        return filtered(piece, found, self.is_kind(ir.Local(piece), kind, self.kinds_on_boards()))

    def top_only(self, kind: str) -> bool:
        """Whether only the top piece of a space is in play."""
        return any(b.covers for b in self.parts.boards) and self.base_of(kind) == "card"

    def base_of(self, kind: str) -> str:
        """card, token, die or piece."""
        for base in ("card", "token", "die"):
            if self.parts.world.isa(kind, base) and kind != "piece":
                return base
        return "piece"

    def kinds_on_boards(self) -> str:
        """The kind that everything on boards surely has."""
        return "piece"

    # ------------------------------------------------------------- comparisons

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
            return binary("<=", self.expr(zone.at_most, code), ir.Size(lying))
        return negated(empty)

    def is_kind(self, piece: ir.Expr, kind: str, known: str) -> ir.Expr:
        """Whether a piece, surely of kind `known`, is of a kind."""
        indexes = [i for i in self.parts.piece_values if self.parts.world.isa(self.parts.kind_of(i), known)]
        if known != "piece" and self.parts.world.isa(known, kind):
            return YES
        if all(self.parts.world.isa(self.parts.kind_of(i), kind) for i in indexes):
            return YES
        table = self.build.table(
            f"is {kind}",
            0,
            lambda: tuple(
                int(self.parts.world.isa(self.parts.kind_of(i), kind)) for i in self.parts.piece_values
            ),
        )
        return ir.At(table, piece)

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

    # ------------------------------------------------------------------ places

    def place(self, node: n.Expr, code: Code) -> ir.Expr:
        """The place that a zone, space or piece is."""
        found = plain(self.type_of(node))
        symbol = self.checked.symbols.get(id(node))
        if symbol is not None and symbol.form == "zone":
            if isinstance(node, n.Of):
                return self.zone_place(symbol.name, self.expr(node.owner, code))
            if isinstance(node, n.Call):
                return self.zone_place(symbol.name, self.expr(node.arguments[0], code))
            return ir.Const(self.parts.zone_first[symbol.name])
        if symbol is not None and symbol.form == "builtin" and symbol.name == "box":
            return ir.Const(0)
        if symbol is not None and symbol.name == "supply" and isinstance(node, n.Of):
            return binary("+", self.expr(node.owner, code), ir.Const(self.parts.supply_first + 1))
        if isinstance(node, n.Conditional):
            return chosen(
                self.expr(node.condition, code), self.place(node.then, code), self.place(node.otherwise, code)
            )
        if isinstance(found, SpaceType):
            return self.expr(node, code)
        if isinstance(found, PieceType):
            return binary("+", self.expr(node, code), ir.Const(self.parts.first_piece_place))
        if isinstance(found, ZoneType) and isinstance(node, n.Of) and node.name in ("top", "bottom"):
            return self.place(node.owner, code)
        raise refuse(
            "E449", "This place is known, but cannot be played yet.", "Name a zone or a space.", node.span
        )


def _constant_set(items: list[ir.Expr | tuple[ir.Expr, ir.Expr]]) -> ir.Expr | None:
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
            if item.value >= 0:
                found.append(item.value)
        else:
            return None
    return ir.SetConst(tuple(dict.fromkeys(found)))


def _is_line(wanted: Type, found: Type) -> bool:
    return isinstance(plain(wanted), LineType) and isinstance(plain(found), LineType)


__all__ = ["LowerExpressions", "PlayerType"]
