"""The names of a game: what each word can mean, before any of its logic is typed.

Comes in: the `Game` model. Goes out: a `World`: kinds and what they are, words and their lists, values,
properties and functions. Clashes of names are reported here (E407). What never happens: types of logic are
worked out here (`check_expressions`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.dsl.model import Attribute, Game
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.types import IRREGULAR

ROOTS = ("card", "token", "die")
SIMPLE_KINDS = (
    "player",
    "space",
    "direction",
    "line",
    "row",
    "column",
    "diagonal",
    "group",
    "number",
    "team",
)
SQUARE_DIRECTIONS = (
    "north",
    "north_east",
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
)
HEX_DIRECTIONS = ("north_east", "east", "south_east", "south_west", "west", "north_west")
BUILTIN_VALUES = (
    "actor",
    "players",
    "box",
    "supply",
    "first_player",
    "turn_is_extra",
    "turn_number",
    "repeats",
    "chance",
    "orthogonals",
    "diagonals",
    "all_directions",
)
BUILTIN_PROPERTIES = (
    "left",
    "right",
    "opponent",
    "partner",
    "team",
    "owner",
    "place",
    "kind",
    "face",
    "adjacent",
    "surrounding",
    "diagonal",
    "top",
    "bottom",
    "centre",
    "size",
    "supply",
    "turns_owed",
    "row_number",
    "column_number",
    "position",
    "forward",
    "backward",
    "forward_left",
    "forward_right",
    "first_row",
    "last_row",
    "first_edge",
    "last_edge",
    "opposite",
    "agreement",
    "majority",
    "seats_from",
    "level",
)
BUILTIN_FUNCTIONS = ("step", "distance", "seats_from")
ADJECTIVES = ("empty", "full", "stuck")


@dataclass(slots=True)
class World:
    """What is declared, ready to be looked up by name.

    `words`: word → the enumerations it belongs to. `attributes`: name → attributes of that name, on
    whatever kinds. `parents`: kind → all kinds it is, itself included.
    """

    game: Game
    parents: dict[str, frozenset[str]] = field(default_factory=dict)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    attributes: dict[str, tuple[Attribute, ...]] = field(default_factory=dict)
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    table_columns: dict[str, str] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)
    spaces: frozenset[str] = frozenset()
    track_marks: dict[str, str] = field(default_factory=dict)  # mark → its track
    levels: dict[str, int] = field(default_factory=dict)  # mark of one number → the number

    def isa(self, kind: str, ancestor: str) -> bool:
        """Whether every piece of `kind` is also of `ancestor`."""
        return kind == ancestor or ancestor == "piece" or ancestor in self.parents.get(kind, frozenset())

    def meet(self, a: str, b: str) -> bool:
        """Whether some piece could be of both kinds."""
        return any(self.isa(k, a) and self.isa(k, b) for k in self.parents)

    def leaves(self, kind: str) -> list[str]:
        """The kinds of which pieces are made that are also of `kind`, in declared order."""
        return [k for k, decl in self.game.kinds.items() if decl.made and self.isa(k, kind)]

    def kind_called(self, word: str) -> str | None:
        """The kind, enumeration or simple kind that a word names, singular or plural."""
        for name in singulars(word):
            if name in SIMPLE_KINDS or name in self.parents or name == "piece":
                return name
            if name in self.enums and name not in self.game.options:
                return name
            if name.endswith("_kind") and name[:-5] in self.parents:
                return name
            if name in self.game.enums:
                return name
            if name in self.track_marks and name not in self.levels:
                return name
        return None

    def value_names(self) -> list[str]:
        """All names that can stand alone."""
        g = self.game
        names = [
            *g.options,
            *(s for s, d in g.states.items() if not d.per),
            *(z for z, d in g.zones.items() if not d.per),
        ]
        names += [
            *g.boards,
            *(d for d, v in g.defines.items() if not v.parameters),
            *BUILTIN_VALUES,
            *self.seats,
        ]
        for phase in g.phases.values():
            names += [s.name for s in phase.states if not s.per]
        return names + [w for words in self.enums.values() for w in words] + list(self.parents)

    def property_names(self) -> list[str]:
        """All names that can stand before `of`."""
        g = self.game
        names = [*(s for s, d in g.states.items() if d.per), *(z for z, d in g.zones.items() if d.per)]
        names += [*self.attributes, *self.columns, *self.table_columns, *BUILTIN_PROPERTIES]
        for phase in g.phases.values():
            names += [s.name for s in phase.states if s.per]
        return names + [d for d, v in g.defines.items() if len(v.parameters) == 1] + list(self.parents)


def singulars(word: str) -> list[str]:
    """The forms of which `word` may be the plural, itself first."""
    found = [word]
    head, _, last = word.rpartition("_")
    lead = head + "_" if head else ""
    found += [lead + one for one, many in IRREGULAR.items() if many == last]
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    if word.endswith("es"):
        found.append(word[:-2])
    if word.endswith("s"):
        found.append(word[:-1])
    return found


def make_world(game: Game, problems: Problems) -> World:
    """Gather the names of a game and report those that clash."""
    world = World(game)
    _add_kinds(world, problems)
    _add_words(world)
    for kind in game.kinds.values():
        for attribute in kind.attributes:
            world.attributes[attribute.name] = (*world.attributes.get(attribute.name, ()), attribute)
    for enum in game.enums.values():
        for column in enum.columns:
            if column not in ("title", "code"):
                world.columns[column] = (*world.columns.get(column, ()), enum.name)
    for table in game.word_tables.values():
        for column in table.columns:
            world.table_columns[column] = table.name
    world.seats = {seat: i for i, seat in enumerate(game.seats)}
    world.spaces = frozenset(_space_names(game))
    for state in game.states.values():
        for mark, levels in state.marks:
            world.track_marks[mark] = state.name
            if len(levels) == 1:
                world.levels[mark] = levels[0]
    _report_clashes(world, problems)
    return world


def _add_kinds(world: World, problems: Problems) -> None:
    direct: dict[str, tuple[str, ...]] = dict.fromkeys(ROOTS, ())
    for kind in world.game.kinds.values():
        direct[kind.name] = kind.parents if kind.name not in ROOTS else ()
        for parent in kind.parents:
            if parent not in world.game.kinds and parent not in ROOTS:
                problems.error(
                    "E406",
                    kind.span,
                    f"`{kind.name}` is said to be `{parent}`, but there is no such kind.",
                    f"Kinds here: {', '.join(world.game.kinds)}.",
                )
    for kind_name in direct:
        found: set[str] = set()
        todo = [kind_name]
        while todo:
            k = todo.pop()
            if k in found:
                if k == kind_name:
                    problems.error(
                        "E408",
                        world.game.kinds[k].span,
                        f"The kind `{k}` is its own ancestor.",
                        "Break the circle of `is:`.",
                    )
                continue
            found.add(k)
            todo += list(direct.get(k, ()))
        world.parents[kind_name] = frozenset(found)


def _add_words(world: World) -> None:
    game = world.game
    for enum in game.enums.values():
        if enum.numeric is None:
            world.enums[enum.name] = enum.words
    for kind in game.kinds.values():
        if kind.faces and kind.face_type not in world.enums:
            world.enums[kind.face_type] = kind.faces
    for option in game.options.values():
        if option.form in ("words", "bundles"):
            world.enums[option.name] = option.choices
    if game.seat_type == "" and game.teams:
        world.enums["team"] = tuple(name for name, _ in game.teams)
    if any(b.shape == "square grid" for b in game.boards.values()):
        world.enums["direction"] = SQUARE_DIRECTIONS  # those of hexagons are among them
    elif any(b.shape.startswith("hex") for b in game.boards.values()):
        world.enums["direction"] = HEX_DIRECTIONS
    for name, words in world.enums.items():
        for word in words:
            world.words[word] = world.words.get(word, frozenset()) | {name}


def _space_names(game: Game) -> list[str]:
    names = []
    for board in game.boards.values():
        parts = board.size.split(" x ")
        if len(parts) == 2 and all(p.isdigit() and int(p) <= 60 for p in parts):
            names += [
                f"{column_letters(c)}{r + 1}" for r in range(int(parts[1])) for c in range(int(parts[0]))
            ]
    return names


def column_letters(column: int) -> str:
    """The letters of a column counted from 0: a … z, aa, ab …; left of a they have a minus: -a, -b."""
    if column < 0:
        return "-" + column_letters(-column - 1)
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _report_clashes(world: World, problems: Problems) -> None:
    game = world.game
    owners: dict[str, tuple[str, Span]] = {}
    sections = (
        ("an option", game.options),
        ("a state", game.states),
        ("a zone", game.zones),
        ("a board", game.boards),
        ("a definition", game.defines),
        ("a kind", game.kinds),
        ("a type", game.enums),
    )
    for what, section in sections:
        for name, decl in section.items():
            if name in owners:
                other, _ = owners[name]
                problems.error(
                    "E407",
                    decl.span,
                    f"`{name}` is {what} here, but it is already {other}.",
                    "Give one of them another name.",
                )
            elif (
                name in BUILTIN_VALUES and (what, name) != ("an option", "first_player")
            ) or name in SIMPLE_KINDS:
                problems.error(
                    "E407",
                    decl.span,
                    f"`{name}` already has a meaning in every game.",
                    "Give it another name.",
                )
            owners.setdefault(name, (what, decl.span))
    for name, action in game.actions.items():
        if name in game.events:
            problems.error(
                "E407", action.span, f"`{name}` is an action and an event.", "Give one of them another name."
            )
