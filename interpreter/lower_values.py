"""Lower names: what a word of the language is in the program: options, words, pieces, places, state.

Comes in: names that the checker has settled. Goes out: indexes, and expressions that read them. What
needs more than a name is in `lower_properties` (X of Y) and `lower_expr` (everything else).
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Checked, Symbol
from rulewright.dsl.types import (
    PLAYER,
    KindWordType,
    MarkType,
    NumberType,
    OptionalType,
    PieceType,
    Type,
    UnknownType,
    WordType,
    YesNoType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.layout import ways_of
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    YES,
    Builder,
    Code,
    binary,
)
from rulewright.interpreter.lower_parts import Parts
from rulewright.interpreter.setting import refuse

MANY = 1_000_000  # more than there are pieces
RELATIONS = ("adjacent", "surrounding", "diagonal")


class LowerValues:
    """Lowers names; base of `LowerProperties`."""

    def __init__(self, checked: Checked, parts: Parts, build: Builder) -> None:
        self.ordering = False  # while the order of the players is being lowered: it cannot rest on itself
        self.checked = checked
        self.game = checked.game
        self.parts = parts
        self.build = build

    def type_of(self, node: n.Node) -> Type:
        """The type of a node as the checker found it."""
        return self.checked.types.get(id(node), UnknownType())

    def symbol(self, node: n.Node) -> Symbol:
        """What a name was found to mean."""
        return self.checked.symbols[id(node)]

    def define(self, name: str) -> int:
        """Lowered in `LowerEvents`: the number of a definition's function."""
        raise NotImplementedError

    def can_act(self, player: ir.Expr) -> ir.Expr:
        """Lowered in `LowerFlow`."""
        raise NotImplementedError

    def as_set(self, node: n.Expr, code: Code) -> ir.Expr:
        """Lowered in `LowerExpressions`."""
        raise NotImplementedError

    def expr(self, node: n.Expr, code: Code) -> ir.Expr:
        """Lowered in `LowerExpressions`."""
        raise NotImplementedError

    def place(self, node: n.Expr, code: Code) -> ir.Expr:
        """Lowered in `LowerExpressions`."""
        raise NotImplementedError

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

    def who_acts(self) -> ir.Expr:
        """The actor; `LowerWindows` knows better while somebody reacts."""
        return ir.Load(ir.ACTOR)

    def builtin(self, name: str) -> ir.Expr:
        """A value of every game."""
        match name:
            case "actor":
                return self.who_acts()
            case "players":
                return ir.Const(self.parts.player_count)
            case "first_player":
                return ir.Const(0)
            case "box":
                return ir.Contents(ir.Const(0))
            case "supply":
                return ir.Contents(ir.Const(self.parts.supply_first))
            case "turn_is_extra":
                return ir.Load(ir.EXTRA)
            case "orthogonals":
                return ir.SetConst(ways_of("square grid", "adjacent", self.directions()))
            case "diagonals":
                return ir.SetConst(ways_of("square grid", "diagonal", self.directions()))
            case "all_directions":
                return self.all_of_kind("direction")
        raise refuse("E449", f"`{name}` is known, but cannot be played yet.", "Leave it out for now.")

    def directions(self) -> tuple[str, ...]:
        """The directions of the boards of this game, clockwise."""
        return self.parts.world.enums.get("direction", ())

    def word(self, symbol: Symbol) -> int:
        """The index of a word in its list."""
        return self.parts.words(symbol.owner).index(symbol.name)

    def option(self, name: str) -> ir.Expr:
        """The value of an option: settled, or drawn at the start of the game."""
        setting = self.parts.setting
        if name in setting.layouts:
            return ir.SetConst(self.layout_spaces(name))
        if name in setting.open:
            return ir.Load(self.build.variable_index[f"option {name}"])
        value = setting.values[name]
        if isinstance(value, tuple):
            numbers = self.option_numbers(name)
            return ir.SetConst(tuple(sorted(numbers[i] for i in value)))
        return ir.Const(value)

    def option_numbers(self, name: str) -> tuple[int, ...]:
        """The numbers of the words that an option takes some of, in their order."""
        option = self.game.options[name]
        words = self.parts.settler.words_of(option)
        if option.of_type in self.game.enums:
            return tuple(range(len(words)))
        return tuple(self.parts.kinds.index(word) for word in words)

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
        if kind in self.parts.mark_first:
            assert kind is not None
            return MarkType(kind)
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
            return ir.SetConst(tuple(parts.numbers_of(kind)))
        if kind in self.game.enums:
            low, high = parts.range_of(kind)
            return ir.SetConst(tuple(range(low, high + 1)))
        if kind == "direction":
            return ir.SetConst(tuple(range(len(self.directions()))))
        if word == "yes or no":
            return ir.SetConst((1, 0))
        if kind == "space":
            boards = list(dict.fromkeys(b.name for b in parts.boards))
            found = self.board_spaces(boards[0]) if boards else EMPTY
            for other in boards[1:]:
                found = ir.Union(found, self.board_spaces(other))
            return found
        if kind in parts.mark_first:
            return ir.SetConst(tuple(i for i, p in enumerate(parts.places) if self.is_mark(p, kind)))
        if kind.endswith("_kind"):
            return ir.SetConst(tuple(parts.kinds.index(k) for k in parts.world.leaves(kind[:-5])))
        raise refuse("E449", f"`{word}` is known, but cannot be played yet.", "Leave it out for now.")

    def is_mark(self, place: ir.PlaceInfo, mark: str) -> bool:
        """Whether a place is one of a mark."""
        return place.kind == "mark" and place.group == mark

    def marks_on(self, mark: str, owners: tuple[ir.Expr, ...]) -> ir.Expr:
        """The places of a mark on its track, on that of these owners where each has one."""
        track = self.find_state(self.parts.world.track_marks[mark])
        if not track.per:
            return self.all_of_kind(mark)
        count = len(dict(track.marks)[mark])
        first = self.parts.mark_first[mark]
        total = sum(self.is_mark(p, mark) for p in self.parts.places) // count
        places = tuple(tuple(first + i * count + k for k in range(count)) for i in range(total))
        return ir.At(self.build.table(f"{mark} of owners", 0, lambda: places), self.cell(track.name, owners))

    def level(self, place: ir.Expr) -> ir.Expr:
        """The number at which a mark is."""
        first = min(self.parts.mark_first.values())

        def make() -> tuple[int, ...]:
            marks = [p.name.split()[1] for p in self.parts.places if p.kind == "mark"]
            return tuple(int(level) for level in marks)

        return ir.At(self.build.table("level of marks", first, make), place)

    def players(self) -> ir.Expr:
        """All players, in the order of the game."""
        order = self.game.order
        if order is None or order.start is None or self.ordering:
            return self.build.everybody()
        self.ordering = True
        start = self.expr(order.start, Code("order"))
        self.ordering = False
        return ir.Seats(start, YES if order.direction == "clockwise" else NO)

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
            f"{name} of {enum}",
            self.parts.lowest_of(enum),
            lambda: tuple(self.cell_value(c.text, found) for c in cells),
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

    def base_of(self, kind: str) -> str:
        """card, token, die or piece."""
        for base in ("card", "token", "die"):
            if self.parts.world.isa(kind, base) and kind != "piece":
                return base
        return "piece"

    def top_only(self, kind: str) -> bool:
        """Whether only the top piece of a space is in play."""
        return any(b.covers for b in self.parts.boards) and self.base_of(kind) == "card"

    def is_kind(self, piece: ir.Expr, kind: str, known: str) -> ir.Expr:
        """Whether a piece, surely of kind `known`, is of a kind."""
        isa = self.parts.world.isa
        if known != "piece" and isa(known, kind):
            return YES
        if all(isa(there, kind) for there in self.parts.kinds_there() if isa(there, known)):
            return YES
        if not self.there_are(kind):
            return NO
        table = self.build.table(
            f"is {kind}",
            0,
            lambda: tuple(
                int(self.parts.world.isa(self.parts.kind_of(i), kind)) for i in self.parts.piece_values
            ),
        )
        return ir.At(table, piece)

    def there_are(self, kind: str) -> bool:
        """Whether this game has any piece of a kind."""
        return any(self.parts.world.isa(there, kind) for there in self.parts.kinds_there())

    def find_state(self, name: str):  # type: ignore[no-untyped-def]
        """The declaration of a state, of the game or of a phase."""
        found = self.game.states.get(name)
        if found is None:
            found = next(s for p in self.game.phases.values() for s in p.states if s.name == name)
        return found

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

    def zone_place(self, zone: str, owner: ir.Expr) -> ir.Expr:
        """The place of an owner's zone."""
        first = self.parts.zone_first[zone]
        low = self.parts.lowest_of(self.game.zones[zone].per)
        return binary("+", owner, ir.Const(first - low))

    def room(self, place: ir.Expr) -> ir.Expr:
        """How many more pieces a place takes (see `at most:` of zones); `MANY` where any number fits."""
        if all(p.room < 0 for p in self.parts.places):
            return ir.Const(MANY)
        if isinstance(place, ir.Const):
            known = self.parts.places[place.value].room if place.value < len(self.parts.places) else -1
            return ir.Const(MANY) if known < 0 else binary("-", ir.Const(known), ir.Size(ir.Contents(place)))
        away = self.parts.zones_end
        rooms = tuple(MANY if p.room < 0 else p.room for p in self.parts.places[:away])
        table = self.build.table("room of zones", 0, lambda: rooms)
        left = binary("-", ir.At(table, place), ir.Size(ir.Contents(place)))
        return ir.Choice(binary("<", place, ir.Const(away)), left, ir.Const(MANY))

    def own_board_spaces(self, name: str, owner: ir.Expr) -> ir.Expr:
        """The spaces of an owner's board."""
        boards = [b for b in self.parts.boards if b.name == name]
        table = self.build.table(
            f"spaces of {name}",
            0,
            lambda: tuple(tuple(b.first + i for i in range(b.width * b.height)) for b in boards),
        )
        return ir.At(table, owner)
