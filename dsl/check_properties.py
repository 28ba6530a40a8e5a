"""Names and properties: what a word, `X of Y` or `f(x)` means, and of what type it is.

Comes in: nodes with names, a `World`, a `Scope`. Goes out: symbols and types. Problems E401 … E409, E413,
E425. To add a built-in property: its name in `check_world`, a line in `BUILTINS`, its value in
`interpreter/lower`.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_scope import Scope, text_of
from rulewright.dsl.check_types import clamp, element_of, fits
from rulewright.dsl.check_world import ADJECTIVES, BUILTIN_PROPERTIES, BUILTIN_VALUES, World
from rulewright.dsl.define_order import DefineOrder
from rulewright.dsl.model import Attribute, Checked, Design, Option, State, Symbol
from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.spelling import closest, distance
from rulewright.dsl.types import (
    ANY_PIECE,
    DIRECTION,
    NUMBER,
    PLAYER,
    SPACE,
    UNKNOWN,
    YESNO,
    BoardType,
    DirectionType,
    KindWordType,
    LineType,
    LiteralType,
    MarkType,
    NumberType,
    OptionalType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    TeamType,
    Type,
    UnknownType,
    WordType,
    ZoneType,
    described,
    plain,
)
from rulewright.dsl.words import JOINT, WORDS

CANDIDATES = "candidates of card"  # what the column `who` gives, as a name in the rules of rows
MOST_NUMBERS = 10_000  # a type of numbers is run through by selections
PLACES = ("space", "piece", "places", "pieces", "line", "board", "mark", "zone")
# property → (what it may be asked of, its type); None: worked out in `builtin`
BUILTINS: dict[str, tuple[tuple[str, ...], Type | None]] = {
    "left": (("player",), PLAYER),
    "right": (("player",), PLAYER),
    "opponent": (("player",), PLAYER),
    "partner": (("player",), PLAYER),
    "team": (("player",), TeamType()),
    "turns_owed": (("player",), NumberType(0, 99)),
    "seats_from": (("player",), SetType(PLAYER)),
    "owner": (("piece", "space"), None),
    "place": (("piece",), SPACE),
    "kind": (("piece",), None),
    "face": (("piece",), None),
    "adjacent": (("space", "piece", "places", "pieces", "line", "board"), SetType(SPACE)),
    "surrounding": (("space", "piece", "places", "pieces", "line", "board"), SetType(SPACE)),
    "diagonal": (("space", "piece", "places", "pieces", "line", "board"), SetType(SPACE)),
    "top": (("zone",), None),
    "bottom": (("zone",), None),
    "centre": (("board",), SPACE),
    "size": (("places", "pieces", "line", "set"), NumberType(0, 500)),
    "supply": (("player",), None),
    "row_number": (("space", "piece"), NumberType(-999, 999)),
    "column_number": (("space", "piece"), NumberType(-999, 999)),
    "position": (("word",), NumberType(1, 200)),
    "forward": (("player",), DIRECTION),
    "backward": (("player",), DIRECTION),
    "forward_left": (("player",), DIRECTION),
    "forward_right": (("player",), DIRECTION),
    "first_row": (("player",), SetType(SPACE)),
    "last_row": (("player",), SetType(SPACE)),
    "first_edge": (("player",), SetType(SPACE)),
    "last_edge": (("player",), SetType(SPACE)),
    "opposite": (("direction",), DIRECTION),
    "level": (("mark",), NumberType(-1_000_000, 1_000_000)),
    "agreement": (("players",), PLAYER),
    "majority": (("players",), PLAYER),
}


class Properties:
    """Looks names up and types them; base of `Expressions`."""

    def __init__(self, world: World, out: Checked, problems: Problems) -> None:
        self.world = world
        self.out = out
        self.problems = problems
        self.quiet = False
        self.joint: n.Expr | None = None  # the `agreement of …` that chooses a value just now
        self.counting: list[n.Selection | None] = []  # selections that are counted, the innermost last
        self.phase_states: dict[str, State] = {
            s.name: s for p in world.game.phases.values() for s in p.states
        }
        self.phase_names: dict[str, Type] = {}  # names of `for each:` phases
        self.define_order = DefineOrder(world.game)
        self.used: set[str] = set()  # names of options that something reads

    # ---------------------------------------------------------------- reports

    def error(
        self, code: str, at: n.Node | Span, text: str, cure: str, replacement: str | None = None
    ) -> None:
        """Report, unless a reading is only being tried."""
        if not self.quiet:
            span = at if isinstance(at, Span) else at.span
            self.problems.add(Problem(code, span, text, cure, "error", replacement))

    def warning(self, code: str, at: n.Node, text: str, cure: str) -> None:
        """Report something doubtful, unless a reading is only being tried."""
        if not self.quiet:
            self.problems.warning(code, at.span, text, cure)

    def unknown(self, code: str, span: Span, what: str, name: str, known: list[str]) -> Type:
        """Report a name that nothing has."""
        near = closest(name, [k for k in known if k != name])
        listed = ", ".join(dict.fromkeys(known[:12]))
        cure = (
            f"Did you mean `{near}`?" if near else (f"There are: {listed}." if known else "Declare it first.")
        )
        certain = near if near is not None and self.is_slip(name, near, known) else None
        self.error(code, span, f"There is no {what} `{name}`.", cure, certain)
        return UNKNOWN

    def is_slip(self, name: str, near: str, known: list[str]) -> bool:
        """Whether a name can only be a misspelt `near`: it means nothing, and nothing else is as near."""
        taken = self.is_taken(name) or name in WORDS or name in self.world.game.events
        taken = taken or name in self.world.words or name in self.world.game.actions
        far = distance(name, near, 2)
        others = [k for k in dict.fromkeys(known) if k not in (near, name)]
        alone = all(distance(name, other, far) > far for other in others)
        return not taken and len(name) > 4 and far <= (2 if len(name) > 9 else 1) and alone

    def is_taken(self, name: str) -> bool:
        """Worked out in `Selections`."""
        raise NotImplementedError

    def example_of(self, type: Type) -> str:
        """A selection from a set, for a cure."""
        inner = element_of(type)
        match type, inner:
            case ZoneType(holds, zone), _:
                return f"{holds} in {zone or '…'}"
            case _, PieceType(kind):
                return f"{kind} in …"
            case _, PlayerType():
                return "player in …"
            case _, SpaceType():
                return "space in …"
        return "… in …"

    # --------------------------------------------------------------- subclass

    def type_of(self, node: n.Expr, scope: Scope, want: Type | None = None) -> Type:
        """Typed in `Expressions`."""
        raise NotImplementedError

    def number(self, node: n.Expr, scope: Scope) -> NumberType:
        """Typed in `Expressions`."""
        raise NotImplementedError

    def selected(self, node: n.Expr, scope: Scope, want: Type | None) -> Type:
        """Typed in `Selections`."""
        raise NotImplementedError

    # ------------------------------------------------------------------ types

    def type_node(self, node: n.TypeNode | None, scope: Scope | None = None) -> Type:
        """The type that a written type names."""
        match node:
            case n.KindType(kind=kind, span=span):
                return self.kind_type(kind, span)
            case n.OptionalType(inner=inner):
                found = self.type_node(inner, scope)
                if isinstance(found, NumberType) or found == YESNO:
                    self.error(
                        "E410",
                        node,
                        f"{described(found)[:1].upper()}{described(found)[1:]} is never none.",
                        "Take `or none` out, and keep another word or number for it.",
                    )
                    return found
                return OptionalType(found)
            case n.YesNoType():
                return YESNO
            case n.SetType(kind=kind, kind_span=span):
                return SetType(self.kind_type(kind, span))
            case n.NumberType(low=low, high=high):
                a, b = (
                    self.number(low, scope or Scope(acting=False)),
                    self.number(high, scope or Scope(acting=False)),
                )
                if a.low > b.high:
                    self.error(
                        "E421",
                        node,
                        "The range is empty: the first number is the larger one.",
                        "Write the least number first.",
                    )
                    return NUMBER
                return NumberType(a.low, b.high)
        return UNKNOWN

    def kind_type(self, word: str, span: Span) -> Type:
        """The type of the elements of a selection of KIND."""
        kind = self.world.kind_called(word)
        if kind is None:
            kinds = ["player", "space", "direction", "line", "group", "number"]
            return self.unknown(
                "E406", span, "kind of thing called", word, [*self.world.parents, *self.world.enums, *kinds]
            )
        simple: dict[str, Type] = {
            "player": PLAYER,
            "space": SPACE,
            "direction": DIRECTION,
            "number": NUMBER,
            "team": TeamType(),
            "line": LineType("line"),
            "row": LineType("row"),
            "column": LineType("column"),
            "diagonal": LineType("diagonal"),
            "group": SetType(ANY_PIECE, True),
            "piece": ANY_PIECE,
        }
        if kind in simple:  # first: a piece of that name is reported, what uses the name is not wrong
            return simple[kind]
        if kind in self.world.parents:
            return PieceType(kind)
        if kind in self.world.enums:
            return WordType(kind)
        if kind in self.world.track_marks:
            return MarkType(kind)
        if kind in self.world.game.enums:
            return self.numeric(kind)
        return KindWordType(kind[:-5])

    def numeric(self, enum: str) -> NumberType:
        """The range of a number type, whatever the options and the number of players."""
        node = self.world.game.enums[enum].numeric
        assert node is not None
        scope = Scope(acting=False)
        found = NumberType(self.number(node.low, scope).low, self.number(node.high, scope).high)
        if found.high - found.low > MOST_NUMBERS:
            self.error(
                "E421",
                node,
                f"The type `{enum}` has too many numbers.",
                f"Write a range of at most {MOST_NUMBERS:,} numbers, or use `number`.",
            )
        return found

    def state_type(self, state: State) -> Type:
        """The type of a state or track."""
        if state.name not in self.out.state_types:
            if state.track:
                scope = Scope(acting=False)
                a = self.number(state.low, scope) if state.low else NumberType(0, 0)
                b = self.number(state.high, scope) if state.high else NumberType(0, 0)
                found: Type = NumberType(min(a.low, b.low), max(a.high, b.high))
            else:
                found = self.type_node(state.type)
            self.out.state_types[state.name] = found
        return self.out.state_types[state.name]

    def attribute_type(self, attribute: Attribute) -> Type:
        """The type of an attribute: as declared, or as its column shows."""
        key = (attribute.kind, attribute.name)
        if key not in self.out.attribute_types:
            if attribute.type is not None:
                found = self.type_node(attribute.type)
            elif not attribute.column:
                found = UNKNOWN  # its type could not be read
            else:
                designs = self.designs_of(attribute.kind)
                found = self.column_type([d.cells[attribute.column].text for d in designs])
            self.out.attribute_types[key] = found
        return self.out.attribute_types[key]

    def designs_of(self, kind: str) -> list[Design]:
        """The rows of a kind's table, also where each row is a kind of its own."""
        kinds = self.world.game.kinds
        return [d for k in (kind, *kinds[kind].children) if k in kinds for d in kinds[k].designs]

    def column_type(self, values: list[str]) -> Type:
        """What a column of a table holds: numbers, yes/no, or words of the first list that has them all."""
        if values and all(v.lstrip("-").isdigit() and len(v) < 8 for v in values):
            return NumberType(min(map(int, values)), max(map(int, values)))
        if values and all(v in ("yes", "no") for v in values):
            return YESNO
        for enum, words in self.world.enums.items():
            if values and all(v in words for v in values):
                return WordType(enum)
        return UNKNOWN

    def zone_type(self, name: str) -> ZoneType:
        """A zone as a set of the kind that it holds."""
        holds = self.world.game.zones[name].holds
        return ZoneType(self.world.kind_called(holds) or holds, name)

    def find_state(self, name: str) -> State | None:
        """A state of the game or of a phase."""
        return self.world.game.states.get(name) or self.phase_states.get(name)

    def option_type(self, name: str) -> Type:
        """The type of an option's value."""
        if name in self.out.option_types:
            return self.out.option_types[name]
        option = self.world.game.options[name]
        scope = Scope(acting=False)
        found: Type = UNKNOWN
        match option.form:
            case "number":
                self.out.option_types[name] = NUMBER
                low = self.number(option.low, scope).low if option.low else 0
                high = self.number(option.high, scope).high if option.high else 999
                found = clamp(low, max(low, high))
            case "yesno":
                found = YESNO
            case "words" | "bundles":
                found = WordType(name)
            case "players":
                found = PLAYER
            case "layouts":
                found = SetType(SPACE)
            case "some of":
                found = self.taken_type(option)
        self.out.option_types[name] = found
        return found

    def taken_type(self, option: Option) -> Type:
        """The type of an option that takes some of a list: a set of words, or of kinds of pieces."""
        if option.of_kind:
            return SetType(KindWordType(option.of_kind))
        element = self.kind_type(option.of_type, option.span)
        if not isinstance(element, (WordType, UnknownType)):
            cure = "Write `some of:` with a type of words, or with a kind of piece that others belong to."
            self.error(
                "E304",
                option.span,
                f"The option `{option.name}` cannot take some of `{option.of_type}`.",
                f"Write `some of: {element.base}`." if isinstance(element, KindWordType) else cure,
            )
            return UNKNOWN
        return SetType(element)

    # ------------------------------------------------------------------ names

    def name(self, node: n.Name, scope: Scope, want: Type | None) -> Type:
        """A word that stands alone."""
        word = node.text
        wanted = plain(want) if want is not None else None
        kind_meant = isinstance(wanted, KindWordType) and word in self.world.parents
        if word in scope.names and not (kind_meant and isinstance(scope.names[word], PieceType)):
            self.out.symbols[id(node)] = Symbol("local", word)
            return scope.facts.get(word, scope.names[word])
        if isinstance(wanted, WordType) and wanted.enum in self.world.words.get(word, ()):
            return LiteralType(word, self.world.words[word])
        if kind_meant:
            self.out.symbols[id(node)] = Symbol("kind", word)
            return KindWordType(word)
        found = self.value(node, word, scope)
        if found is not None:
            return scope.facts.get(word, found)
        if word in self.world.words:
            return LiteralType(word, self.world.words[word])
        if word in self.world.parents:
            self.out.symbols[id(node)] = Symbol("kind", word)
            return KindWordType(word)
        if word in ADJECTIVES:
            self.error("E401", node, f"`{word}` cannot stand here.", f"Write `… is {word}`.")
            return UNKNOWN
        state = self.find_state(word)
        if state is not None or word in self.world.property_names():
            per = state.per[0] if state is not None and state.per else "…"
            owner = "actor" if per == "player" else per
            self.error(
                "E405",
                node,
                f"`{word}` is kept for each {per}: it is not said whose.",
                f"Write `{word} of {owner}`.",
            )
            return UNKNOWN
        return self.unknown(
            "E401",
            node.span,
            "name",
            word,
            [*scope.names, *self.world.value_names(), *self.phase_states, *self.phase_names],
        )

    def value(self, node: n.Expr, word: str, scope: Scope) -> Type | None:
        """A value of the game that needs no owner."""
        game, symbols = self.world.game, self.out.symbols
        state = self.find_state(word) if word not in BUILTIN_VALUES else None
        if state is not None and not state.per:
            symbols[id(node)] = Symbol("state", word)
            return self.state_type(state)
        if word in self.phase_names:
            symbols[id(node)] = Symbol("phase-name", word)
            return self.phase_names[word]
        if word in game.options:
            self.used.add(word)
            symbols[id(node)] = Symbol("option", word)
            return self.option_type(word)
        if word in game.zones and not game.zones[word].per:
            symbols[id(node)] = Symbol("zone", word)
            return self.zone_type(word)
        if word in game.boards and not game.boards[word].per:
            symbols[id(node)] = Symbol("board", word)
            return BoardType(word)
        if word in game.defines and not game.defines[word].parameters:
            symbols[id(node)] = Symbol("define", word)
            return self.define_type(word)
        if word in self.world.seats:
            symbols[id(node)] = Symbol("seat", word)
            return PLAYER
        if word in self.world.enums.get("direction", ()):
            symbols[id(node)] = Symbol("direction", word)
            return DIRECTION
        if word in self.world.spaces:
            symbols[id(node)] = Symbol("space", word)
            return SPACE
        if word in self.world.levels:
            symbols[id(node)] = Symbol("level", word)
            return NumberType(self.world.levels[word], self.world.levels[word])
        builtin: dict[str, Type] = {
            "players": NumberType(game.players_low, game.players_high),
            "actor": PLAYER,
            "first_player": PLAYER,
            "chance": PLAYER,
            "box": ZoneType("piece", "box"),
            "supply": ZoneType("token", "supply"),
            "turn_is_extra": YESNO,
            "turn_number": NumberType(0, 100_000),
            "repeats": NumberType(0, 99),
            "orthogonals": SetType(DIRECTION),
            "diagonals": SetType(DIRECTION),
            "all_directions": SetType(DIRECTION),
        }
        if word in builtin:
            symbols[id(node)] = Symbol("builtin", word)
            if word == "actor" and not scope.acting:
                self.error(
                    "E432",
                    node,
                    "Nobody acts here, so there is no `actor`.",
                    "Name the player, as in `for each player p`.",
                )
            return builtin[word]
        return None

    def define_type(self, name: str) -> Type:
        """The type of what a definition gives; worked out when first asked for."""
        if name not in self.out.define_types:
            quiet, self.quiet = self.quiet, False
            # those that others rest on come first, so that a long chain of definitions is no deep one
            for needed in self.define_order.needed_first(name, self.out.define_types):
                self.out.define_types.setdefault(needed, self.type_definition(needed))
            self.quiet = quiet
        return self.out.define_types[name]

    def type_definition(self, name: str) -> Type:
        """Typed in `check_game`."""
        raise NotImplementedError

    def parameters_of(self, name: str, parameters: tuple[n.Parameter, ...]) -> tuple[tuple[str, Type], ...]:
        """Names and types of the parameters of a definition or event."""
        if name not in self.out.parameter_types:
            self.out.parameter_types[name] = tuple((p.name, self.type_node(p.type)) for p in parameters)
        return self.out.parameter_types[name]

    # ------------------------------------------------------------- properties

    def of(self, node: n.Of, scope: Scope) -> Type:
        """`X of Y`."""
        key = text_of(node)
        owner = self.type_of(node.owner, scope, self.wanted_owner(node.name))
        found = self.property(node, node.name, node.name_span, node.owner, owner, scope)
        fact = scope.facts.get(key) if key else None
        return fact if fact is not None else found

    def wanted_owner(self, name: str) -> Type | None:
        """What the owner of a column or numeric property must be, where a bare word may stand for it."""
        enums = self.world.columns.get(name, ())
        if len(enums) == 1:
            return None
        state = self.find_state(name)
        if state is not None and len(state.per) == 1 and state.per[0] in self.world.enums:
            return WordType(state.per[0])
        return None

    def of_every(self, node: n.OfEvery, scope: Scope) -> Type:
        """`X of any KIND` and `X of each KIND`."""
        owner = self.kind_type(node.kind, node.kind_span)
        found = self.property(node, node.name, node.name_span, node, owner, scope)
        inner = element_of(found)
        return SetType(inner if inner is not None else found)

    def property(self, node: n.Expr, name: str, span: Span, at: n.Node, owner: Type, scope: Scope) -> Type:
        """The type of a property of something of a type; a set where one owner is meant is a union."""
        game, symbols = self.world.game, self.out.symbols
        if isinstance(owner, OptionalType) and name not in ("size",):
            self.error(
                "E413",
                at,
                f"This may be none ({described(owner)}), and none has no `{name}`.",
                "Test it first: `… is not none and …`.",
            )
            owner = owner.inner
        whose = text_of(at) if isinstance(at, n.Expr) else ""
        if name == "candidates" and whose == "card" and CANDIDATES in scope.names:
            symbols[id(node)] = Symbol("local", CANDIDATES)
            return scope.names[CANDIDATES]
        state = self.find_state(name)
        zone, define = game.zones.get(name), game.defines.get(name)
        if state is not None and len(state.per) == 1:
            symbols[id(node)] = Symbol("state", name)
            return self.owned(
                at, name, owner, self.kind_type(state.per[0], state.span), self.state_type(state)
            )
        if zone is not None and zone.per:
            symbols[id(node)] = Symbol("zone", name)
            return self.owned(at, name, owner, self.kind_type(zone.per, zone.span), self.zone_type(name))
        if name in game.boards and game.boards[name].per:
            symbols[id(node)] = Symbol("board", name)
            return self.owned(at, name, owner, PLAYER, BoardType(name))
        if define is not None and len(define.parameters) == 1:
            symbols[id(node)] = Symbol("define", name)
            wanted = self.parameters_of(name, define.parameters)[0][1]
            return self.owned(at, name, owner, wanted, self.define_type(name))
        if name in self.world.table_columns:
            symbols[id(node)] = Symbol("table", name)
            table = game.word_tables[self.world.table_columns[name]]
            numbers = table.columns[name]
            wanted = NUMBER if table.key == "players" else self.kind_type(table.key, table.span)
            return self.owned(at, name, owner, wanted, NumberType(min(numbers), max(numbers)))
        if name == game.seat_type and self.is_a(owner, "player"):
            symbols[id(node)] = Symbol("property", "seat_word")
            return WordType(name)
        if name in self.world.attributes or name in self.world.columns:
            found = self.attribute(node, name, owner)
            if found is not None:
                return found
        if name in BUILTIN_PROPERTIES:
            found = self.builtin(node, name, at, owner, scope)
            if found is not None:
                return found
        kind = self.world.kind_called(name)
        if kind in self.world.parents and isinstance(owner, (PlayerType, UnknownType)):
            assert kind is not None
            symbols[id(node)] = Symbol("supplied", kind)
            return PieceType(kind)
        if isinstance(owner, UnknownType):
            return UNKNOWN
        homes = sorted(
            {a.kind for a in self.world.attributes.get(name, ())} | set(self.world.columns.get(name, ()))
        )
        if homes:
            self.error(
                "E402",
                span,
                f"`{name}` belongs to {' and '.join(homes)}, but this is {described(owner)}.",
                f"Test it first, as in `… is {homes[0]} and …`, or ask something else.",
            )
            return UNKNOWN
        if name in BUILTINS:
            self.error(
                "E402",
                span,
                f"{described(owner)[:1].upper() + described(owner)[1:]} has no `{name}`.",
                f"`{name}` is asked of {' or '.join(BUILTINS[name][0])}.",
            )
            return UNKNOWN
        if define is not None:
            self.error(
                "E403",
                span,
                f"`{name}` needs {len(define.parameters)} things in brackets.",
                f"Write `{name}(…)`.",
            )
            return UNKNOWN
        return self.unknown("E402", span, "property", name, self.world.property_names())

    def owned(self, at: n.Node, name: str, owner: Type, wanted: Type, result: Type) -> Type:
        """The result for one owner, or the union for a set of owners."""
        if fits(self.world, owner, wanted):
            return result
        inner = element_of(owner)
        if inner is not None and fits(self.world, inner, wanted):
            element = element_of(result)
            return SetType(element if element is not None else result)
        self.error(
            "E402",
            at,
            f"`{name}` is asked of {described(wanted)}, but this is {described(owner)}.",
            f"Name {described(wanted)}.",
        )
        return result

    def attribute(self, node: n.Expr, name: str, owner: Type) -> Type | None:
        """An attribute of a piece, or a column of a word's table."""
        inner = element_of(owner) if isinstance(owner, SetType) else None
        subject = inner or owner
        if isinstance(subject, PieceType):
            for attribute in self.world.attributes.get(name, ()):
                if self.world.isa(subject.kind, attribute.kind):
                    self.out.symbols[id(node)] = Symbol("attribute", name, attribute.kind)
                    found = self.attribute_type(attribute)
                    return SetType(found) if inner is not None else found
            below = [a for a in self.world.attributes.get(name, ()) if self.world.isa(a.kind, subject.kind)]
            leaves = self.world.leaves(subject.kind)
            if below and all(any(self.world.isa(k, a.kind) for a in below) for k in leaves):
                self.out.symbols[id(node)] = Symbol("attribute", name, subject.kind)
                return self.attribute_type(below[0])
        enums: frozenset[str] = frozenset()
        if isinstance(subject, WordType):
            enums = frozenset({subject.enum})
        elif isinstance(subject, LiteralType):
            enums = subject.enums
        for enum in self.world.columns.get(name, ()):
            if enum in enums or any(
                e in self.world.game.enums and self.world.game.enums[e].part_of == enum for e in enums
            ):
                self.out.symbols[id(node)] = Symbol("column", name, enum)
                key = (enum, name)
                if key not in self.out.column_types:
                    cells = self.world.game.enums[enum].columns[name]
                    self.out.column_types[key] = self.column_type([c.text for c in cells])
                found = self.out.column_types[key]
                return SetType(found) if inner is not None else found
        if isinstance(subject, KindWordType):
            for attribute in self.world.attributes.get(name, ()):
                if self.world.isa(subject.base, attribute.kind):
                    self.out.symbols[id(node)] = Symbol("attribute", name, attribute.kind)
                    return self.attribute_type(attribute)
        return None

    def builtin(self, node: n.Expr, name: str, at: n.Node, owner: Type, scope: Scope) -> Type | None:
        """A built-in property."""
        subjects, result = BUILTINS[name]
        if isinstance(owner, UnknownType):
            return result or UNKNOWN
        if not any(self.is_a(owner, s) for s in subjects):
            return None
        self.out.symbols[id(node)] = Symbol("property", name)
        if name in JOINT and self.joint is not node:
            self.error(
                "E437",
                node,
                f"`{name} of …` is no player: it only chooses the value of a state.",
                f"Write `{name} of … chooses STATE from SET, else V`, and read the state afterwards.",
            )
        if result is not None:
            many = (
                isinstance(owner, SetType)
                and element_of(result) is None
                and "set" not in subjects
                and "players" not in subjects
            )
            return SetType(result) if many else result
        subject = element_of(owner) if isinstance(owner, SetType) else None
        piece = subject or owner
        kind = piece.kind if isinstance(piece, PieceType) else "piece"
        found: Type = UNKNOWN
        if name == "owner":
            sure = kind in self.world.game.kinds and self.always_owned(kind)
            found = PLAYER if sure else OptionalType(PLAYER)
        elif name == "kind":
            found = KindWordType(kind)
        elif name == "face":
            return self.face_type(kind, node)
        elif name in ("top", "bottom"):
            assert isinstance(owner, ZoneType)
            zone = self.world.game.zones.get(owner.zone)
            if zone is not None and zone.order == "set":
                self.error(
                    "E402",
                    at,
                    f"`{owner.zone}` has no {name}: it is a set, without an order.",
                    "Say `as: pile` or `as: row` where the zone is declared.",
                )
            return OptionalType(PieceType(owner.holds))
        elif name == "supply":
            return ZoneType("token", "supply")
        return SetType(found) if subject is not None else found

    def always_owned(self, kind: str) -> bool:
        """Whether every piece of a kind has an owner of its own."""
        leaves = self.world.leaves(kind)
        kinds = self.world.game.kinds

        def owned(k: str) -> bool:
            return any(kinds[p].per_player for p in self.world.parents[k] if p in kinds)

        return bool(leaves) and all(owned(k) for k in leaves)

    def face_type(self, kind: str, node: n.Expr) -> Type:
        """What the faces of a kind of piece are."""
        kinds = self.world.game.kinds
        for leaf in [kind, *self.world.leaves(kind)]:
            decl, seen = kinds.get(leaf), set[str]()
            while decl is not None and decl.name not in seen:  # kinds in a circle are reported already
                seen.add(decl.name)
                if decl.face_range is not None:
                    scope = Scope(acting=False)
                    low, high = (
                        self.number(decl.face_range.low, scope),
                        self.number(decl.face_range.high, scope),
                    )
                    return NumberType(low.low, high.high)
                if decl.face_type == "player":
                    return PLAYER
                if decl.face_type:
                    return WordType(decl.face_type)
                decl = kinds.get(decl.parents[0]) if decl.parents else None
        self.error("E402", node, f"A {kind} has no faces.", "Give it `faces:` where it is declared.")
        return UNKNOWN

    def is_a(self, type: Type, subject: str) -> bool:
        """Whether a type is one of the subjects that built-in properties are asked of."""
        inner = element_of(type)
        match subject:
            case "player":
                return isinstance(type, PlayerType)
            case "players":
                return isinstance(inner, PlayerType)
            case "piece":
                return isinstance(type, PieceType) or (
                    isinstance(type, SetType) and isinstance(inner, PieceType)
                )
            case "space":
                return isinstance(type, SpaceType) or (
                    isinstance(type, SetType) and isinstance(inner, SpaceType)
                )
            case "places":
                return isinstance(inner, SpaceType)
            case "pieces":
                return isinstance(inner, PieceType)
            case "line":
                return isinstance(type, LineType)
            case "board":
                return isinstance(type, BoardType)
            case "zone":
                return isinstance(type, ZoneType)
            case "word":
                return isinstance(type, (WordType, LiteralType, KindWordType))
            case "direction":
                return isinstance(type, DirectionType)
            case "mark":
                return isinstance(type, MarkType)
            case "set":
                return inner is not None
        return False

    # -------------------------------------------------------------- functions

    def call(self, node: n.Call, scope: Scope) -> Type:
        """`f(x, y)`."""
        game = self.world.game
        define = game.defines.get(node.name)
        if define is not None:
            self.out.symbols[id(node)] = Symbol("define", node.name)
            wanted = [t for _, t in self.parameters_of(node.name, define.parameters)]
            self.arguments(node.name, node.name_span, node.arguments, wanted, scope)
            return self.define_type(node.name)
        state = self.find_state(node.name)
        if state is not None and len(state.per) == len(node.arguments):
            self.out.symbols[id(node)] = Symbol("state", node.name)
            wanted = [self.kind_type(p, state.span) for p in state.per]
            self.arguments(node.name, node.name_span, node.arguments, wanted, scope)
            return self.state_type(state)
        if node.name == "step" or node.name == "distance":
            self.out.symbols[id(node)] = Symbol("property", node.name)
            second: Type = DIRECTION if node.name == "step" else SPACE
            self.arguments(node.name, node.name_span, node.arguments, [SPACE, second], scope)
            return OptionalType(SPACE) if node.name == "step" else NumberType(0, 999)
        if len(node.arguments) == 1:
            owner = self.type_of(node.arguments[0], scope)
            return self.property(node, node.name, node.name_span, node.arguments[0], owner, scope)
        for argument in node.arguments:
            self.type_of(argument, scope)
        known = [*game.defines, *(s for s, d in game.states.items() if len(d.per) > 1), "step", "distance"]
        return self.unknown("E403", node.name_span, "definition", node.name, known)

    def arguments(
        self,
        name: str,
        span: Span,
        given: tuple[n.Expr, ...],
        wanted: list[Type],
        scope: Scope,
        least: int | None = None,
    ) -> None:
        """Type the arguments of a call."""
        if not (len(wanted) if least is None else least) <= len(given) <= len(wanted):
            things = "thing" if len(wanted) == 1 else "things"
            self.error(
                "E416",
                span,
                f"`{name}` needs {len(wanted)} {things} in its brackets; {len(given)} given.",
                f"It takes: {', '.join(described(t) for t in wanted)}."
                if wanted
                else f"Write `{name}` alone.",
            )
        for i, argument in enumerate(given):
            self.type_of(argument, scope, wanted[i] if i < len(wanted) else None)

    def event_parameters(self, name: str) -> tuple[tuple[str, Type], ...] | None:
        """What an event or action is about: the names and types that rules on it may read."""
        game = self.world.game
        if name in game.events:
            return self.parameters_of(name, game.events[name].parameters)
        if name in game.actions:
            return self.action_parameters(name)
        return BUILTIN_EVENTS.get(name)

    def action_parameters(self, name: str) -> tuple[tuple[str, Type], ...]:
        """Typed in `check_game`."""
        raise NotImplementedError

    def can(self, node: n.Can, scope: Scope) -> Type:
        """`can EVENT(…)`."""
        parameters = self.event_parameters(node.event)
        if parameters is None:
            known = [*self.world.game.events, *self.world.game.actions]
            self.unknown("E404", node.event_span, "event or action", node.event, known)
            for argument in node.arguments:
                self.type_of(argument, scope)
            return YESNO
        wanted: list[Type] = [OptionalType(t) if isinstance(t, PieceType) else t for _, t in parameters]
        self.arguments(node.event, node.event_span, node.arguments, wanted, scope, self.least(node.event))
        return YESNO

    def least(self, event: str) -> int:
        """How many arguments of an event must be given."""
        declared = self.world.game.events.get(event)
        if declared is None:
            return len(self.event_parameters(event) or ())
        return sum(p.default is None for p in declared.parameters)

    def has_happened(self, node: n.HasHappened) -> Type:
        """`EVENT has happened this PHASE`."""
        if self.event_parameters(node.event) is None:
            known = [*self.world.game.events, *self.world.game.actions]
            self.unknown("E404", node.event_span, "event or action", node.event, known)
        if node.phase not in (*self.world.game.phases, "turn", "game"):
            self.unknown(
                "E405", node.phase_span, "phase", node.phase, [*self.world.game.phases, "turn", "game"]
            )
        return YESNO


BUILTIN_EVENTS: dict[str, tuple[tuple[str, Type], ...]] = {
    "turn_begins": (),
    "turn_ends": (),
    "ran_out": (),
}
