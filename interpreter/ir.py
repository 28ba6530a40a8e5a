"""The program: one small typed intermediate form that every machine runs.

Comes in: nothing; `interpreter/lower` builds these values from a checked game, once for each set of
options and number of players. Goes out: a `Program`, plain frozen data that is verified
(`verify.py`), printed (`text.py`), walked by the reference machine (`machine.py`) and, later,
emitted as WebAssembly. What never happens: a name looked up in play, an unbounded structure.

Values. Every value is a whole number or an ordered set:
  number   itself              yes/no  1/0            none    -1 (only where the type allows it)
  player   0 … players-1       word    its index in its list, as declared
  piece    0 … pieces-1, then one *stand-in* for each kind of token and owner (see `StandIn`)
  place    0 … places-1: box, supplies, zones, board spaces, then every piece as a place
  direction, line, kind        index into the program's lists
  set      a tuple of different values in a defined order   (kind "set")
  groups   a tuple of sets                                  (kind "groups")

Types name values for people: "number", "yes or no", "player", "place" (also "space", "zone"),
"direction", "line", "kind", "piece" (also "card", "token", "die" and every name in `Program.kinds`), or
the name of one of `Program.word_lists` (teams, columns and the like are word lists too); "T or none" and
"set of T" are read as T. Anything else is named as a number. Keys whose type is a piece offer look-alikes
once. A set of pieces of the type "laid" is told by what lies where.

Functions have numbered local slots; parameters come first. Expressions have no effect and never
choose; statements may. To add a form: a class here, a case in verify, text, link and each machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.problems import Span

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class SetConst:
    """A set known before play, in its order."""

    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Local:
    """What a local slot holds."""

    slot: int


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a state variable; `index` for one with several cells (already flat, from 0)."""

    var: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class At:
    """A constant table read at `index`: a number, or a set where the table holds sets."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `not`."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * mod min max`, `div_down div_up`, `== != < <=` (numbers), `and or` (short cut)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class SameSet:
    """Whether two sets hold the same values, in whatever order."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Choice:
    """`then` if the condition is 1, else `otherwise` (both numbers, or both sets)."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class MakeSet:
    """A set of the items; a pair (low, high) is a range. Values that stand twice count once.
    An item that is -1 with `skip_none` is left out.
    """

    items: tuple[Expr | tuple[Expr, Expr], ...]
    skip_none: bool = False


@dataclass(frozen=True, slots=True)
class Union:
    """The values of the left set, then those of the right one that are new."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Without:
    """The values of the left set that the right one does not hold."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether the set holds the value."""

    set: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Contents:
    """The pieces at a place, bottom first (a pile's top is last). `top_only`: at most the top one."""

    place: Expr
    top_only: bool = False


@dataclass(frozen=True, slots=True)
class Alike:
    """The pieces of a set that look to a player as the first one does, in the order of the set."""

    pieces: Expr
    player: Expr


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """Where a piece is: a place index. A stand-in is in its supply."""

    piece: Expr


@dataclass(frozen=True, slots=True)
class Occupied:
    """The spaces of an unbounded board that hold something, row by row from the top left; with
    `around` also the spaces that touch them at an edge or a corner.
    """

    board: int
    around: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """The values of a set for which the condition holds; `slot` is bound to each in turn."""

    slot: int
    set: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`any` (1 if the condition holds for some), `all` (for every one), `count` (for how many),
    `first` (the first for which it holds, or -1).
    """

    word: str
    slot: int
    set: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Fold:
    """`sum`, `largest` or `smallest` of a number over a set; of nothing it is 0."""

    word: str
    slot: int
    set: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class BestOf:
    """The values of a set for which `value` is `largest` or `smallest`, in the order of the set."""

    word: str
    slot: int
    set: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Collect:
    """`value` for each of the set, as a set: each value once, none (-1) left out; with `many` the
    value is itself a set and the result is the union.
    """

    slot: int
    set: Expr
    value: Expr
    many: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How many values a set holds, or how many groups."""

    set: Expr


@dataclass(frozen=True, slots=True)
class FirstFew:
    """The first `number` values of a set, or all of them if there are not so many."""

    set: Expr
    number: Expr


@dataclass(frozen=True, slots=True)
class TheOnly:
    """The one value of a set; anything but exactly one is a rule error at `span`."""

    set: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Going:
    """An ordered run of spaces from `start` (not in it) in each of the directions of a set.

    `slot` is bound to the space looked at. `keep` (while): the run stops before a space where
    it fails. `until`: the run stops with the first space where it holds. `ending`: the run is
    empty unless the next space exists and satisfies it. `limit`: at most so many spaces;
    `exact`: only the last of exactly so many steps, nothing if the board ends before.
    """

    board: int
    start: Expr
    directions: Expr
    limit: Expr | None
    exact: bool
    slot: int
    keep: Expr | None
    until: Expr | None
    ending: Expr | None


@dataclass(frozen=True, slots=True)
class Linked:
    """Everything reachable from `start` (a set, not in the result) step by step.

    `slot` is bound to a value; `neighbours` gives the set next to it (with the slot bound to
    the value left), `where` which neighbours are entered, `stopping` those that are in the
    result but are not gone through. In order of distance, then of the neighbours.
    """

    start: Expr
    slot: int
    neighbours: Expr
    where: Expr | None
    stopping: Expr | None


@dataclass(frozen=True, slots=True)
class Groups:
    """The connected groups of a set, each a set in the order of the whole, by their first value."""

    set: Expr
    slot: int
    neighbours: Expr


@dataclass(frozen=True, slots=True)
class Apply:
    """A function that only computes, called with arguments."""

    function: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CanAct:
    """Whether the player has any option among the actions of a decision (`P is stuck` negated)."""

    decision: int
    player: Expr


@dataclass(frozen=True, slots=True)
class Seats:
    """All players in seat order, clockwise (or counterclockwise) from `start`, that one first."""

    start: Expr
    clockwise: Expr  # 1 or 0


# fmt: off
Expr = (
    Const | SetConst | Local | Load | At | Unary | Binary | SameSet | Choice | MakeSet | Union | Without
    | Contains | Contents | Alike | PlaceOf | Occupied | Filter | Quantifier | Fold | BestOf | Collect | Size
    | FirstFew | TheOnly | Going | Linked | Groups | Apply | CanAct | Seats
)
# fmt: on

# ------------------------------------------------------------------ sentences


@dataclass(frozen=True, slots=True)
class Shown:
    """A value inside a sentence; `type` says how it is named (see "Types" above and `naming.py`)."""

    value: Expr
    type: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words with values in them: `{p} draws {c}.`"""

    parts: tuple[str | Shown, ...]


# ----------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """Put a value into a local slot."""

    slot: int
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Store:
    """Give a state variable a value. Out of its range: clamped where the variable's `ends` is
    "stop", wrapped where it is "wrap", else a rule error at `span`.
    """

    var: int
    index: Expr | None
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """One of two bodies."""

    condition: Expr
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True)
class ForEach:
    """The body for each value; the set is fixed first. `slot` holds the value (or the group)."""

    slot: int
    set: Expr
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body at most `times` times, each time only while `condition` holds."""

    times: Expr
    condition: Expr | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """The body again and again until `Break` (or a budget is used up)."""

    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost ForEach, Repeat or Loop."""

    span: Span


@dataclass(frozen=True, slots=True)
class CallTo:
    """Run another function to its end; `result` is the slot for what it returns, or -1."""

    function: int
    arguments: tuple[Expr, ...]
    result: int
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function."""

    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class MovePieces:
    """Move the pieces of a set, one by one in its order, to a place, onto its top or under its
    bottom. A stand-in moves the next real piece of its supply; with none left nothing moves.
    Where the place has a `room`, only as many move as fit; the others stay. `moved` is a slot for the
    number of pieces that moved, or -1. Who can see the new place knows the piece from then on.
    """

    pieces: Expr
    place: Expr
    bottom: bool
    moved: int
    span: Span


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two places trade all that lies on them; nothing happens where that does not fit the `room` of one."""

    first: Expr
    second: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Put the pieces at a place into a random order; who does not see the place forgets them."""

    place: Expr
    stream: Expr  # index into Program.streams
    span: Span


@dataclass(frozen=True, slots=True)
class Chance:
    """Draw one value of a set, all equally likely; -1 from the empty set. The sides of a die may hold a
    value twice. `face_of` is a piece of which this becomes the face: only who sees its face where it lies
    learns what was drawn.
    """

    slot: int
    set: Expr
    stream: Expr
    type: str
    span: Span
    face_of: Expr | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """The players of a set know the pieces of a set from now on."""

    pieces: Expr
    players: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class ChooseAction:
    """Ask `player` for one of the actions of a decision.

    `action` gets the number of the action in the decision, or -1 if there is none to choose
    from; the slots of the action's keys get the values.
    """

    decision: int
    player: Expr
    action: int
    span: Span


@dataclass(frozen=True, slots=True)
class Laying:
    """What a choice lays out: the first of `pieces`, which look alike to the chooser.

    Without a `goal` its place is chosen (or none: it stays), else how many of the pieces go to that place.
    `ways`: in how many ways each of them could still go, for whoever deals at random.
    """

    pieces: Expr
    goal: Expr | None
    ways: Expr


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """Ask for one value of a set; `slot` gets it, or -1 if the set is empty or, where `or_none`
    is 1, the player declines. A single option without "or none" is taken by itself. A choice that lays
    something out is named after what is laid (see `decisions.py`), not after its key. `about` is a piece:
    only who knows it learns that something was asked, and what was chosen.
    """

    player: Expr
    slot: int
    key: Key
    or_none: Expr
    prompt: Sentence
    span: Span
    laying: Laying | None = None
    about: Expr | None = None


@dataclass(frozen=True, slots=True)
class ChooseSome:
    """Ask for `least` to `most` values of a set, one by one in its order, ended by `done`;
    `slot` gets the set (empty if fewer than `least` are there). `about` as of `ChooseOne`.
    """

    player: Expr
    slot: int
    key: Key
    least: Expr
    most: Expr
    prompt: Sentence
    span: Span
    about: Expr | None = None


@dataclass(frozen=True, slots=True)
class ChooseTogether:
    """Ask every player of a set, in its order, each in secret, before anything shows.

    The player slot is bound while that player's `key.domain` (and least/most) is computed, all
    before the first is asked. `var` is a state variable with a cell for each player that gets
    the values: a number for one (`least` None), a set for some; -1 or the empty set for those
    who had nothing to choose from. `joint` "agreement" or "majority": their answers are to become one, so
    who answers may follow a policy; the machine treats it as any other choice.
    """

    players: Expr
    player_slot: int
    key: Key
    least: Expr | None
    most: Expr | None
    var: int
    prompt: Sentence
    span: Span
    joint: str = ""


@dataclass(frozen=True, slots=True)
class Enter:
    """An event begins (kind "event", "action", "phase", "change" …); pairs with `Leave`."""

    kind: str
    name: str
    sentence: Sentence | None
    arguments: tuple[Shown, ...]
    argument_names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Leave:
    """The event that began last is complete, with everything it caused."""

    span: Span


@dataclass(frozen=True, slots=True)
class Note:
    """Something for the trace: word "forbidden", "instead", "before", "after", "changed", "skipped",
    "nothing" … with the rule's name and its sentence. `about` is a piece: only who knows it reads the note.
    """

    word: str
    name: str
    sentence: Sentence | None
    span: Span
    about: Expr | None = None


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over for the reason `end` (index into Program.ends); `winners` is a set."""

    end: int
    winners: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Fail:
    """A rule cannot be carried out: a rule error at `span`."""

    sentence: Sentence
    span: Span


Statement = (
    Assign
    | Store
    | If
    | ForEach
    | Repeat
    | Loop
    | Break
    | CallTo
    | Return
    | MovePieces
    | Exchange
    | Shuffle
    | Chance
    | Show
    | ChooseAction
    | ChooseOne
    | ChooseSome
    | ChooseTogether
    | Enter
    | Leave
    | Note
    | EndGame
    | Fail
)
Body = tuple[Statement, ...]

# -------------------------------------------------------------------- choices


@dataclass(frozen=True, slots=True)
class Key:
    """One thing to choose: its name in the option's id, the slot that holds it while what
    depends on it is computed, the set it is taken from and the type that names its values.
    """

    name: str
    slot: int
    domain: Expr
    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on an action. `level` is how many keys must be bound before it can be read
    (0: none). `because` tells a person why the action is refused. `source` "where" for a part
    of a key's own selection (then `level` is that key's number from 1), "require", or "forbid".
    """

    level: int
    condition: Expr
    because: Sentence
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Afterwards:
    """A condition on the position as it would be after the action (`afterwards: C`).

    `function` carries the action out on a copy (it neither chooses nor uses chance) and returns
    the value of the condition; its parameters are the keys.
    """

    function: int
    because: Sentence
    span: Span


@dataclass(frozen=True, slots=True)
class ActionOption:
    """An action as it can be chosen: keys in declared order, guards, and the sentence that asks. One that
    `declines` does nothing: who may know of it is who may know of another option that is on offer.
    """

    name: str
    title: str
    keys: tuple[Key, ...]
    guards: tuple[Guard, ...]
    afterwards: tuple[Afterwards, ...]
    seen_by: Expr | None  # set of players that may see what was chosen; None: everybody
    span: Span
    declines: bool = False


@dataclass(frozen=True, slots=True)
class ActionDecision:
    """The actions that one phase or window offers. `player_slot` and the key slots are slots of `function`,
    whose code asks (conditions are computed in a frame of its own with `slots` slots).
    """

    name: str
    actions: tuple[ActionOption, ...]
    player_slot: int
    slots: int
    prompt: Sentence
    span: Span


# -------------------------------------------------------------------- program


@dataclass(frozen=True, slots=True)
class Variable:
    """State. `cells` values, cell i for the i-th combination of `index` types (last fastest).

    `kind` "number" or "set". `low`/`high` bound numbers (and the values in sets); -1 is allowed
    where `optional`. `type` names the values. `ends`: "" (an error), "stop", "wrap".
    `seen_by` is a set expression of players, with slot 0 bound to the cell's first index where that is a
    player; None: everybody sees it. `hidden`: the machine's own, in no view.
    `counts`: part of the position that `repeats` compares. `marks`: numbers that have a name, on a track; the
    machine does not read them.
    """

    name: str
    cells: int
    kind: str
    low: int
    high: int
    optional: bool
    type: str
    index: tuple[str, ...]
    initial: tuple[int | tuple[int, ...], ...]
    ends: str = ""
    seen_by: Expr | None = None
    hidden: bool = False
    counts: bool = True
    marks: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TableData:
    """A constant table over the indexes `base` … `base + len(data) - 1`. With `repeats` its sets may hold a
    value twice, as the sides of a die do: then chance draws it twice as often.
    """

    name: str
    base: int
    data: tuple[int, ...] | tuple[tuple[int, ...], ...]
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class PlaceInfo:
    """A place. `kind`: "box", "supply", "zone", "space", "piece", "mark".

    `order`: "set" (places inside do not matter), "pile" (top and bottom), "row" (every place counts).
    `viewers`: a set expression of players who see what lies there, read when asked. For a space `row` and
    `column` count from 0; `owner` is a player or -1. `room`: never more than so many pieces lie there; -1
    for any number. `face_viewers`: the only players who see the faces of what lies there; None: who sees it.
    `holds`: the kinds of pieces for which a zone is meant; empty for any. The machine does not read it.
    """

    name: str
    kind: str
    group: str  # the zone's or board's name
    owner: int
    order: str
    viewers: Expr
    row: int = 0
    column: int = 0
    room: int = -1
    face_viewers: tuple[int, ...] | None = None
    holds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board. Its spaces are the places `first` … `first + width*height - 1`, row by row.

    An unbounded board is stored on a torus so large that its pieces cannot meet round the back; its
    spaces are made on demand (`places` below does not list them). `steps[d][i]` is the space index (from
    0) one step in direction d from space index i, or -1; empty for an unbounded board.
    """

    name: str
    shape: str
    first: int
    width: int
    height: int
    unbounded: bool
    covers: bool
    owner: int
    viewers: Expr
    steps: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PieceInfo:
    """A piece: its kind (index into `kinds`), owner (player or -1), code for people, design
    (pieces with the same design look alike while their state is the same) and where it starts.
    `icon` and `form` ("card", "token", "die" or "") are for people alone: the machine reads neither.
    """

    name: str
    kind: int
    owner: int
    design: int
    start: int
    title: str
    code: str
    icon: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class StandIn:
    """Stands for "one token of this kind and owner from the supply" until it is moved.
    Its number is `len(pieces) + position`; tables over pieces have a row for it too.
    """

    kind: int
    owner: int
    supply: int


@dataclass(frozen=True, slots=True)
class Stream:
    """A source of chance with its own luck."""

    name: str


@dataclass(frozen=True, slots=True)
class EndInfo:
    """A way the game can end."""

    name: str
    title: str
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """Code. `result` is "", "number", "set" or "groups". `slot_names` are for people and saves."""

    name: str
    parameters: int
    slots: int
    slot_names: tuple[str, ...]
    body: Body
    result: str
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game for one set of options and one number of players.

    `word_lists` names the words of each enumeration ("suit" → ("sword", "crown")); `kinds` the
    piece kinds; `directions` and `lines` likewise. Variables 0 … 4 are the machine's own, see
    the names below. `piece_vars` are the variables with a cell for each piece that change how
    it looks (faces, attributes). `score` is a function of one player, or -1.
    """

    game: str
    title: str
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    rules_hash: str
    kinds: tuple[str, ...]
    word_lists: tuple[tuple[str, tuple[str, ...]], ...]
    directions: tuple[str, ...]
    lines: tuple[str, ...]
    pieces: tuple[PieceInfo, ...]
    stand_ins: tuple[StandIn, ...]
    places: tuple[PlaceInfo, ...]
    boards: tuple[BoardInfo, ...]
    first_piece_place: int  # the place index of piece 0 as a place
    variables: tuple[Variable, ...]
    tables: tuple[TableData, ...]
    streams: tuple[Stream, ...]
    decisions: tuple[ActionDecision, ...]
    ends: tuple[EndInfo, ...]
    functions: tuple[Function, ...]
    main: int
    score: int
    piece_vars: tuple[int, ...]
    invariants: tuple[tuple[str, int], ...] = ()  # (name, function without parameters)
    piece_faces: int = -1  # the variable that holds the face of each piece, or -1


# The machine's own variables, first in every program.
ACTOR, UNWINDING, ENDED, DIRECTION, EXTRA = 0, 1, 2, 3, 4
#   ACTOR      whose turn it is, or who acted last (-1 before anybody acts)
#   UNWINDING  0 none, 1 the turn ends, 2 the phase ends, 3 the game ends: callers return
#   ENDED      -1, or index of the end that was reached
#   DIRECTION  1 clockwise, 0 counterclockwise
#   EXTRA      1 while an owed turn is being taken
