"""The model of a game: every declaration, with its logic parsed and its place in the files.

Comes in: nothing; `dsl/declare` builds these from trees, `dsl/check` adds what names mean and of what
type everything is (`Checked`). Frozen data. What never happens: text left unread, or a value that depends on
options or the number of players; those are expressions here and become numbers in `interpreter/lower`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.problems import Span
from rulewright.dsl.source import Scalar, Table, Tree
from rulewright.dsl.types import Type


@dataclass(frozen=True, slots=True)
class Option:
    """Something a table settles before the game. `form`: "number", "yesno", "words", "players",
    "layouts", "bundles", "some of"."""

    name: str
    title: str
    form: str
    default: Tree | None
    default_expr: n.Expr | None
    low: n.Expr | None
    high: n.Expr | None
    choices: tuple[str, ...]  # words, or the names of the bundles
    of_type: str  # for "some of": a type of words, or `kind`
    at_random: bool
    how_many: n.Expr | None  # for "some of … at random"
    bundles: tuple[tuple[str, tuple[tuple[str, Tree], ...]], ...]
    without: tuple[Scalar, ...]
    board: str
    span: Span
    of_kind: str = ""  # for "some of": the kind of piece that the kinds in it belong to


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A list of words, or a range of numbers (`low`/`high`); `columns` of its table by name."""

    name: str
    words: tuple[str, ...]
    numeric: n.NumberRange | None
    columns: dict[str, tuple[Scalar, ...]]
    titles: tuple[str, ...]
    codes: tuple[str, ...]
    part_of: str
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property of a kind of piece. `column`: values by row of the kind's table; `per`: the word
    type whose words the copies run through. An attribute with neither is state of the piece."""

    name: str
    kind: str
    type: n.TypeNode | None
    start: n.Expr | None
    column: str
    per: str
    span: Span


@dataclass(frozen=True, slots=True)
class Design:
    """One row of a table of pieces: its cells by column."""

    cells: dict[str, Scalar]
    span: Span


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece. `base` "card", "token" or "die"; `parents` the kinds it is directly."""

    name: str
    base: str
    parents: tuple[str, ...]
    children: tuple[str, ...]  # from `kinds:` or the name column of its table
    attributes: tuple[Attribute, ...]
    designs: tuple[Design, ...]
    per_player: bool
    copies: n.Copies | None
    faces: tuple[str, ...]  # words of its faces
    face_range: n.NumberRange | None
    face_type: str  # an enumeration's name, or "player"
    first_face: str
    code: str
    title: str
    text: str
    starts_in: str
    used_when: n.Expr | None
    seen_by: n.SeenBy | None
    made: bool  # pieces of exactly this kind exist (no others are this kind, or it says how many)
    span: Span
    printed: dict[str, Scalar] = field(default_factory=dict)  # values of attributes of all its pieces
    sides: Table | None = None  # of a die: its sides, in a row for each word of an option, or in one row
    icon: str = ""  # a sign or two for people


@dataclass(frozen=True, slots=True)
class Zone:
    """A place of pieces, one or one for each of a type."""

    name: str
    title: str
    holds: str
    order: str  # set, pile, row
    per: str
    seen_by: n.SeenBy | None
    at_most: n.Expr | None
    refill_from: str
    span: Span
    faces: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A board; `size` as written."""

    name: str
    title: str
    shape: str
    size: str
    per: str
    seen_by: n.SeenBy | None
    stacks: str
    forward: tuple[tuple[str, str], ...]
    span: Span
    size_span: Span
    other_keys: tuple[str, ...] = ()
    edges: tuple[tuple[Scalar, tuple[Scalar, ...]], ...] = ()  # seat → its sides, as written


@dataclass(frozen=True, slots=True)
class State:
    """A value the game keeps. `phase` is the phase it belongs to, or "". A track has `marks`."""

    name: str
    title: str
    type: n.TypeNode | None
    low: n.Expr | None  # for tracks
    high: n.Expr | None
    per: tuple[str, ...]
    start: n.Expr | None
    seen_by: n.SeenBy | None
    ends: str
    one_by_one: bool
    outside_position: bool
    marks: tuple[tuple[str, tuple[int, ...]], ...]
    track: bool
    phase: str
    span: Span


@dataclass(frozen=True, slots=True)
class Define:
    """A definition: one expression, or a table over the words of `by`."""

    name: str
    parameters: tuple[n.Parameter, ...]
    body: n.Expr | None
    by: n.Expr | None
    cases: tuple[tuple[str, Span, n.Expr], ...]  # word (or "else", "none"), where, value
    span: Span


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition on an action and the reason to give when it fails."""

    condition: n.Expr
    afterwards: bool
    because: str
    span: Span


@dataclass(frozen=True, slots=True)
class ChoiceKey:
    """One key under `choose:`."""

    name: str
    chosen: n.Chosen
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """What a player may do."""

    name: str
    title: str
    text: str
    keys: tuple[ChoiceKey, ...]
    requirements: tuple[Requirement, ...]
    do: n.Block
    seen_by: n.SeenBy | None
    used_when: n.Expr | None
    windows: tuple[n.Happening, ...]  # a reaction's
    who: n.Expr | None
    reaction: bool
    span: Span
    phase: Scalar | None = None  # `in:`, the phase whose actions it joins


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens, and what it does by itself."""

    name: str
    title: str
    text: str
    parameters: tuple[n.Parameter, ...]
    do: n.Block
    once_per: str
    depth: int
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a table of pieces in which a rule stands. `do` is None where the kind says it for all."""

    design: Design
    when: n.Expr | None
    who: n.Expr | None
    do: n.Block | None


@dataclass(frozen=True, slots=True)
class Rule:
    """FORBID, INSTEAD, BEFORE, AFTER or CHANGE. `card` is the kind it is written under.

    One with a `group` applies for each piece that somebody holds (`card` and `holder` in it): of one `row` of
    a table, or of the whole kind. Rules of one group are what is written once for them all.
    """

    name: str
    path: str
    form: str  # "forbid" "instead" "before" "after" "change"
    happenings: tuple[n.Happening, ...]
    changes: str
    changes_span: Span | None
    condition: n.Expr | None
    to: n.Expr | None
    do: n.Block
    because: str
    text: str
    title: str
    priority: int
    order: int  # place in the files
    once_per: str
    used_when: n.Expr | None
    card: str
    span: Span
    order_chosen_by: n.Expr | None = None
    group: str = ""
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What a phase lets somebody lay out: each of `things` to one of `goals`, or (unless it `must` go)
    nowhere.
    """

    things: n.Selection
    goals: n.Expr
    must: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the flow. `path` is its full name (`round.voting`)."""

    name: str
    path: str
    title: str
    text: str
    turns: n.Turns | None
    until_ended: bool
    who: n.Expr | None
    do: n.Block | None
    repeat: n.Times | None
    until: n.Expr | None
    at_most: n.Times | None
    skip_when: n.Expr | None
    for_each: n.Chosen | None
    on_enter: n.Block
    on_leave: n.Block
    actions: tuple[tuple[str, Span], ...]
    if_stuck: str | n.Block | None  # "pass", an effect, or nothing said
    states: tuple[State, ...]
    each_turn: tuple[Phase, ...]
    phases: tuple[Phase, ...]
    arrange: tuple[Arrangement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class End:
    """A way the game ends."""

    name: str
    title: str
    text: str
    happenings: tuple[n.Happening, ...]
    condition: n.Expr | None
    at_once: bool
    winner: n.Expr | str  # or "nobody", "everybody", "unfinished"
    tie: tuple[n.Expr | str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class WordTable:
    """`tables:` a picture keyed by `players` or a word type; each other column is a definition."""

    name: str
    key: str
    keys: tuple[str, ...]
    columns: dict[str, tuple[int, ...]]
    span: Span


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture of order numbers: (row, column) of the first, the second … space."""

    name: str
    cells: tuple[tuple[int, int], ...]
    rows: int
    columns: int
    span: Span


@dataclass(frozen=True, slots=True)
class Game:
    """Everything that is declared, in the order of the files."""

    name: str
    title: str
    text: str
    players_low: int
    players_high: int
    players_span: Span  # where it says how many play
    seats: tuple[str, ...]  # fixed seat names, or ()
    seat_type: str
    teams: tuple[tuple[str, tuple[str, ...]], ...]
    order: n.Turns | None
    options: dict[str, Option]
    word_tables: dict[str, WordTable]
    layouts: dict[str, Layout]
    enums: dict[str, Enumeration]
    kinds: dict[str, Kind]
    zones: dict[str, Zone]
    boards: dict[str, Board]
    states: dict[str, State]
    defines: dict[str, Define]
    setup_pictures: tuple[tuple[str, Scalar], ...]
    setup: n.Block
    flow: tuple[Phase, ...]
    phases: dict[str, Phase]  # by name
    actions: dict[str, Action]
    events: dict[str, Event]
    rules: tuple[Rule, ...]
    ends: dict[str, End]
    notation: dict[str, Scalar]
    always: dict[str, tuple[n.Expr, Span]]
    files: tuple[str, ...]
    folder: str
    variants: tuple[str, ...]
    variant_options: tuple[tuple[str, Tree], ...]
    rules_hash: str
    span: Span


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name means: `form` and the name it is declared under.

    Forms: local, option, state, zone, board, define, table, attribute, column, property, word, kind, seat,
    space, builtin, event, action, pile-end.
    """

    form: str
    name: str
    owner: str = ""  # the enumeration of a word, the kind of an attribute, the board of a space


@dataclass(slots=True)
class Checked:
    """A game whose every name and type is known.

    `types` and `symbols` are keyed by the identity of a node; `binders` gives the local name and
    element type of a selection; `reads`/`writes` the names that a definition, rule or event touches.
    """

    game: Game
    types: dict[int, Type] = field(default_factory=dict)
    symbols: dict[int, Symbol] = field(default_factory=dict)
    binders: dict[int, tuple[str, Type]] = field(default_factory=dict)
    parameter_types: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    define_types: dict[str, Type] = field(default_factory=dict)
    state_types: dict[str, Type] = field(default_factory=dict)
    option_types: dict[str, Type] = field(default_factory=dict)
    attribute_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    column_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    sentences: dict[tuple[str, str], n.Expr] = field(default_factory=dict)  # (text, words in braces)
    face_types: dict[str, Type] = field(default_factory=dict)
    circular: set[str] = field(default_factory=set)  # paths of rules of cards that may set themselves off
    keep: list[object] = field(default_factory=list)  # keeps nodes alive whose identity is a key
