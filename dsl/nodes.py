"""The syntax tree of the logic in rule files: one class for each form of the language.

Comes in: nothing; these are frozen data, built by `dsl/syntax.py` alone. Every node has the
`span` where its author wrote it. What a name means is settled later, in `dsl/check`.
To add a form: a rule in grammar.lark, a class here, a case in `syntax`, `unparse`, `check`
and `interpreter/lower`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.dsl.problems import Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """Anything an author wrote. Nodes compare by identity; `unparse` compares by text."""

    span: Span


# ---------------------------------------------------------------- expressions


class Expr(Node):
    """Something that has a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Number(Expr):
    """A figure: `3`."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class YesNo(Expr):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nothing(Expr):
    """`none`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Name(Expr):
    """A word whose meaning comes from the game or from the rule around it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Of(Expr):
    """`X of Y`: a property, a definition of one value, state, or a zone of its owner."""

    name: str
    name_span: Span
    owner: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OfEvery(Expr):
    """`X of any KIND` (the union) and `X of each KIND` (once for each)."""

    name: str
    name_span: Span
    quantifier: str  # "any" or "each"
    kind: str
    kind_span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Call(Expr):
    """`f(x, y)`."""

    name: str
    name_span: Span
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Can(Expr):
    """`can EVENT(x, y)`: would FORBID let it happen?"""

    event: str
    event_span: Span
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HasHappened(Expr):
    """`EVENT has happened this PHASE`."""

    event: str
    event_span: Span
    phase: str
    phase_span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Range(Expr):
    """`1 to 6`, inside a set display only."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetDisplay(Expr):
    """`[a, b, 1 to 6]`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Conditional(Expr):
    """`if C then A else B`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Or(Expr):
    """`A or B`: of conditions, or the union of sets."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class And(Expr):
    """`A and B`."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Not(Expr):
    """`not A`."""

    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compare(Expr):
    """`A is B`, `A is not B`, `A < B` and so on: operator "is", "is not", "<", "<=", ">", ">="."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Member(Expr):
    """`A is in B` and `A is not in B`."""

    negated: bool
    element: Expr
    collection: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arithmetic(Expr):
    """`A + B`, `A - B`, `A * B`, `A mod B`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Divide(Expr):
    """`A / B rounded down` or `rounded up`."""

    left: Expr
    right: Expr
    rounding: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Negative(Expr):
    """`-A`."""

    operand: Expr


# ----------------------------------------------------------------- selections


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Going(Node):
    """`going D from S [up to N | exactly N]`; its clauses stand in the selection."""

    direction: Expr
    start: Expr
    limit: Expr | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linked(Node):
    """`linked to X`; the relation and `stopping at` stand in the selection."""

    start: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clause(Node):
    """`where C`, `while C`, `until C`, `ending at C`, `stopping at C`, `with largest V`."""

    word: str  # "where" "while" "until" "ending at" "stopping at" "with largest" "with smallest"
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection(Node):
    """The one form that chooses, counts, sums, tests and loops.

    `KIND [NAME] [of OWNER] [in SET | on PLACE] [like X] [PATH] [by RELATION] [CLAUSES]`
    """

    kind: str
    kind_span: Span
    name: str | None = None
    name_span: Span | None = None
    owner: Expr | None = None  # also the N of `line of N`, the set of `group of SET`
    source_word: str | None = None  # "in" or "on"
    source: Expr | None = None
    like: Expr | None = None
    path: Going | Linked | None = None
    relation: str | None = None
    relation_span: Span | None = None
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantified(Expr):
    """A selection under one word: "any", "no", "all", "first", "the" or "count"."""

    word: str
    selection: Selection


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HowMany(Expr):
    """`at least N SEL`, `exactly N SEL`, `fewer than N SEL`: a condition."""

    word: str  # "at least" "exactly" "fewer than"
    number: Expr
    selection: Selection


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fold(Expr):
    """`sum of V for SEL`, `largest V for SEL`, `smallest V for SEL`: a number."""

    word: str  # "sum" "largest" "smallest"
    value: Expr
    selection: Selection


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Every(Expr):
    """`every SEL has C`."""

    selection: Selection
    condition: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EveryIs(Expr):
    """`every SEL is X`, `is not X`, `is in X`, `is not in X`."""

    selection: Selection
    operator: str  # "is" "is not" "is in" "is not in"
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bare(Expr):
    """A selection that stands alone, where players or a choice are asked for."""

    selection: Selection


# -------------------------------------------------------------------- amounts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Amount(Node):
    """How many of a plural: "exactly" N, "up to" N, or "any number of" (no N)."""

    word: str
    number: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chosen(Expr):
    """What a choice is made from, or what a movement takes: `[AMOUNT] SELECTION`."""

    amount: Amount | None
    selection: Selection


# -------------------------------------------------------------------- effects


class Effect(Node):
    """One instruction."""

    __slots__ = ()


Block = tuple[Effect, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Let(Effect):
    """`let NAME be V`."""

    name: str
    name_span: Span
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetTo(Effect):
    """`set X to V`. `X` is a Name, Of, OfEvery or Call."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AddTo(Effect):
    """`add V to X`: a number grows, or a set gains an element."""

    amount: Expr
    target: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TakeFrom(Effect):
    """`take V from X`."""

    amount: Expr
    target: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move(Effect):
    """`move THINGS to PLACE`. `things` is an expression or a Chosen with an amount."""

    things: Expr
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deal(Effect):
    """`deal N from PILE to PLACE`; to `hand of each player`, one each in turn."""

    things: Expr
    source: Expr
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shuffle(Effect):
    """`shuffle ZONE`."""

    zone: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reveal(Effect):
    """`reveal THINGS`: everybody may see them from now on."""

    things: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Show(Effect):
    """`show THINGS to PLAYERS`."""

    things: Expr
    to: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place(Effect):
    """`place [N] KIND [of OWNER] on PLACE`: from the supply."""

    amount: Amount | None
    kind: str
    kind_span: Span
    owner: Expr | None
    place: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Return(Effect):
    """`return THINGS`: to the supply they come from."""

    things: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remove(Effect):
    """`remove THINGS`: out of the game, into the box."""

    things: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Swap(Effect):
    """`swap A with B`: two pieces trade places, or two zones their contents."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TurnTo(Effect):
    """`turn THINGS to FACE`."""

    things: Expr
    face: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roll(Effect):
    """`roll THINGS`, `reroll THINGS`."""

    things: Expr
    again: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer(Effect):
    """`offer WINDOW`."""

    window: str
    window_span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class End(Effect):
    """`end turn`, `end phase`, `end repeat`, `end game [as NAME]`."""

    what: str
    name: str | None = None
    name_span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnotherTurn(Effect):
    """`give another turn to P`."""

    player: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skip(Effect):
    """`skip P`: P's next turn does not happen."""

    player: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reverse(Effect):
    """`reverse`: turns go the other way round."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Do(Effect):
    """An event of the game: `capture(c, t)` or `cut`."""

    event: str
    event_span: Span
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class If(Effect):
    """`if C: …` with any number of `else if C: …` and at most one `else: …`."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForEach(Effect):
    """`for each SEL: …`, `at once for each SEL: …`."""

    selection: Selection
    body: Block
    at_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repeat(Effect):
    """`repeat up to N times [while C]: …`."""

    times: Expr
    condition: Expr | None
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chooses(Effect):
    """`P chooses CHOSEN [, or none [if C]]: …` and `P may choose CHOSEN: …`, with `else`.

    `or_none`: None (must choose), True (may decline), or the condition under which P may.
    """

    chooser: Expr
    chosen: Chosen
    or_none: bool | Expr
    may: bool  # written `may choose`
    body: Block
    otherwise: Block | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EachChooses(Effect):
    """`each SEL chooses CHOSEN, together: …`: all choose before anything shows."""

    selection: Selection
    chosen: Chosen
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChoosesValue(Effect):
    """`P chooses X from SET [, else V]`: sets the state X. P may be `agreement of …`."""

    chooser: Expr
    target: Expr
    options: Expr
    otherwise: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EachChoosesValue(Effect):
    """`each SEL chooses X from SET, together`."""

    selection: Selection
    target: Expr
    options: Expr


# ---------------------------------------------------------- headers and types


class TypeNode(Node):
    """The written name of a type."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KindType(TypeNode):
    """`player`, `card`, `suit`, `direction` …; `number` alone is any number."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OptionalType(TypeNode):
    """`T or none`."""

    inner: TypeNode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class YesNoType(TypeNode):
    """`yes or no`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetType(TypeNode):
    """`set of players`."""

    kind: str
    kind_span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberType(TypeNode):
    """`number 0 to players + 1`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameter(Node):
    """`card target`, `player taker = actor`."""

    type: TypeNode
    name: str
    name_span: Span
    default: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Header(Node):
    """`capture(card target, token attacker, player taker = actor)` or `pot`."""

    name: str
    name_span: Span
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Copies(Node):
    """`one per suit`, `4 per land_set`, `one per rank and suit`, `players + 1`."""

    number: Expr
    per: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberRange(Node):
    """`2 to 5`, `1 to 13`, `0 to players`, or one number (then high is low)."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Times(Node):
    """`13 times`, `100 rounds, then unfinished`."""

    number: Expr
    unit: str  # "times" or "rounds"
    then: str | None
    then_span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Turns(Node):
    """`clockwise from P [where C] [once around]`, or a set of players in the game's order.

    `direction` is "clockwise" or "counterclockwise"; None with `players` only.
    """

    direction: str | None
    start: Expr | None
    players: Expr | None
    condition: Expr | None
    once_around: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Happening(Node):
    """What a rule listens to.

    word "event": NAME. "rises", "falls", "changes": state NAME. "becomes": state NAME and
    `value`. "entering", "leaving", "skipping": phase NAME.
    """

    word: str
    name: str
    name_span: Span
    value: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenBy(Node):
    """`all`, `nobody`, `owner`, `others`, `team`, or players (a selection or an expression)."""

    word: str | None
    players: Expr | None
