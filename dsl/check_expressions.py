"""Types of expressions: what every name means and what type everything has.

Comes in: parsed logic, a `World` and a `Scope`. Goes out: types and symbols in `Checked`, problems E401 …
E429. What never happens: a wrong expression stops the check; it gets the unknown type and the rest goes
on. To add a form: a class in `nodes`, a case in `Expressions.look_at`.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_properties import Properties
from rulewright.dsl.check_scope import Scope, text_of
from rulewright.dsl.check_types import clamp, element_of, fits, join
from rulewright.dsl.check_world import ADJECTIVES
from rulewright.dsl.model import Symbol
from rulewright.dsl.spelling import closest
from rulewright.dsl.types import (
    BIG,
    NONE,
    NUMBER,
    SPACE,
    UNKNOWN,
    YESNO,
    KindWordType,
    LiteralType,
    MarkType,
    NoneType,
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
    described,
    plain,
)
from rulewright.dsl.unparse import unparse

MANY = 500  # no selection of a game counts more than this (for the ranges of numbers)


class Expressions(Properties):
    """Types expressions. See `Properties` for names and `Selections` for selections."""

    def type_of(self, node: n.Expr, scope: Scope, want: Type | None = None) -> Type:
        """The type of an expression; `want` is what its place asks for, reported when it does not fit."""
        found = self.look_at(node, scope, want)
        found = self.settle(node, found, want)
        self.out.types[id(node)] = found
        self.out.keep.append(node)
        if want is None or fits(self.world, found, want):
            return found
        self.misfit(node, found, want)
        return want

    def settle(self, node: n.Expr, found: Type, want: Type | None) -> Type:
        """Give a written word the enumeration that its place asks for."""
        if isinstance(found, LiteralType):
            wanted = plain(want) if want is not None else None
            enum = None
            if isinstance(wanted, WordType):
                enum = next((e for e in sorted(found.enums) if e == wanted.enum), None)
                if enum is None and fits(self.world, found, wanted):
                    enum = sorted(found.enums)[0]
            elif len(found.enums) == 1:
                enum = next(iter(found.enums))
            if enum is not None:
                self.out.symbols[id(node)] = Symbol("word", found.word, enum)
                return WordType(enum)
        return found

    def misfit(self, node: n.Expr, found: Type, want: Type) -> None:
        """Say that one type stands where another is needed."""
        if isinstance(found, OptionalType) and fits(self.world, found.inner, want):
            text = text_of(node) or "it"
            self.error(
                "E413",
                node,
                f"This may be none: it is {described(found)}.",
                f"Test it first: `{text} is not none and …`."
                if text != "it"
                else "Give it a name with `let`, then test it.",
            )
        elif isinstance(want, NumberType) and element_of(found) is not None:
            self.error(
                "E411",
                node,
                f"A number is needed here, but this is {described(found)}.",
                f"Did you mean `count of …`, as in `count of {self.example(node, found)}`?",
            )
        elif isinstance(want, NumberType):
            self.error(
                "E411", node, f"A number is needed here, but this is {described(found)}.", "Write a number."
            )
        elif isinstance(want, YesNoType) and self.compared_inside(node):
            return  # `count of … where C is 0` is reported inside
        elif isinstance(want, YesNoType):
            cure = "Write a condition, as in `… is …` or `any …`."
            if element_of(found) is not None:
                cure = f"Did you mean `any {self.example(node, found)}`?"
            self.error("E412", node, f"A condition is needed here, but this is {described(found)}.", cure)
        elif isinstance(plain(want), WordType) and isinstance(found, LiteralType):
            self.wrong_word(node, found.word, plain(want).enum)  # type: ignore[union-attr]
        else:
            self.error(
                "E410",
                node,
                f"{_capital(described(want))} is needed here, but this is {described(found)}.",
                "Put something of the right kind in its place.",
            )

    def example(self, node: n.Expr, found: Type) -> str:
        """A selection from the set that a node gives, for a cure."""
        if isinstance(found, ZoneType) and isinstance(node, n.Name | n.Of):
            return f"{found.holds} in {unparse(node)}"
        return self.example_of(found)

    def compared_inside(self, node: n.Expr) -> bool:
        """Whether a count compares yes/no with a number in its own `where`."""
        if not isinstance(node, n.Quantified) or not node.selection.clauses:
            return False
        span = node.selection.clauses[-1].span
        return any(
            p.code == "E416" and span <= p.span and p.span.end_column <= span.end_column
            for p in self.problems
        )

    def wrong_word(self, node: n.Expr, word: str, enum: str) -> None:
        """Say that a word is not one of an enumeration."""
        words = self.world.enums.get(enum, ())
        near = closest(word, words)
        self.error(
            "E409",
            node,
            f"`{word}` is not a word of `{enum}`.",
            (f"Did you mean `{near}`? " if near else "") + f"The words are: {', '.join(words[:20])}.",
            near,
        )

    def condition(self, node: n.Expr, scope: Scope) -> None:
        """Type a condition."""
        self.type_of(node, scope, YESNO)

    def number(self, node: n.Expr, scope: Scope) -> NumberType:
        """Type a number; anything else is reported and counts as any number."""
        found = self.type_of(node, scope, NUMBER)
        found = plain(found)
        return found if isinstance(found, NumberType) else NUMBER

    # ------------------------------------------------------------------ forms

    def look_at(self, node: n.Expr, scope: Scope, want: Type | None) -> Type:
        """The type of one form, before it is compared with what is wanted."""
        match node:
            case n.Number(value=value):
                wanted = plain(want) if want is not None else None
                if isinstance(wanted, WordType) and str(value) in self.world.enums.get(wanted.enum, ()):
                    self.out.symbols[id(node)] = Symbol("word", str(value), wanted.enum)
                    return wanted
                if value > BIG:
                    self.error(
                        "E421",
                        node,
                        f"No number of a game is larger than {BIG:,}.",
                        "Write a smaller number.",
                    )
                return NumberType(min(value, BIG), min(value, BIG))
            case n.YesNo():
                return YESNO
            case n.Nothing():
                return NONE
            case n.Name():
                return self.name(node, scope, want)
            case n.Of():
                return self.of(node, scope)
            case n.OfEvery():
                return self.of_every(node, scope)
            case n.Call():
                return self.call(node, scope)
            case n.Can():
                return self.can(node, scope)
            case n.HasHappened():
                return self.has_happened(node)
            case n.SetDisplay():
                return self.set_display(node, scope, want)
            case n.Conditional():
                return self.conditional(node, scope, want)
            case n.And(left=left, right=right):
                self.condition(left, scope)
                self.condition(right, scope.knowing(self.facts(left, scope)[0]))
                return YESNO
            case n.Or():
                return self.either(node, scope, want)
            case n.Not(operand=operand):
                self.condition(operand, scope)
                return YESNO
            case n.Compare():
                return self.compare(node, scope)
            case n.Member():
                return self.member(node, node.element, node.collection, scope)
            case n.Arithmetic() | n.Divide() | n.Negative():
                return self.arithmetic(node, scope)
            case n.Quantified() | n.HowMany() | n.Fold() | n.Every() | n.EveryIs() | n.Bare() | n.Chosen():
                return self.selected(node, scope, want)
            case n.Range():
                low, high = self.number(node.low, scope), self.number(node.high, scope)
                return NumberType(low.low, high.high)
        raise NotImplementedError(type(node).__name__)

    def set_display(self, node: n.SetDisplay, scope: Scope, want: Type | None) -> Type:
        """`[a, b, 1 to 6]`."""
        wanted = element_of(plain(want)) if want is not None else None
        found: Type = UNKNOWN
        for item in node.items:
            one = self.type_of(
                item, scope, None if wanted is None or not self.could_be(item, wanted) else wanted
            )
            inner = element_of(one) if isinstance(one, SetType) else None
            both = join(self.world, found, inner or one)
            if both is None:
                self.error(
                    "E420",
                    item,
                    f"These do not go together: {described(found)} and {described(one)}.",
                    "A set holds things of one kind.",
                )
            else:
                found = both
        if isinstance(found, LiteralType):
            found = UNKNOWN
        return SetType(found if not isinstance(found, UnknownType) or wanted is None else wanted)

    def could_be(self, node: n.Expr, wanted: Type) -> bool:
        """Whether a wanted type helps to read a written word or figure."""
        return isinstance(node, (n.Name, n.Number)) and isinstance(plain(wanted), (WordType, KindWordType))

    def conditional(self, node: n.Conditional, scope: Scope, want: Type | None) -> Type:
        """`if C then A else B`."""
        self.condition(node.condition, scope)
        yes, no = self.facts(node.condition, scope)
        a = self.type_of(node.then, scope.knowing(yes), want)
        b = self.type_of(node.otherwise, scope.knowing(no), want)
        both = join(self.world, a, b)
        if both is None:
            self.error(
                "E420",
                node.otherwise,
                f"These do not go together: {described(a)} and {described(b)}.",
                "Both parts of `if … then … else …` are of one kind.",
            )
            return UNKNOWN
        return both

    def either(self, node: n.Or, scope: Scope, want: Type | None) -> Type:
        """`A or B` of conditions, or the union of two sets."""
        wanted = want if want is not None and element_of(plain(want)) is not None else None
        a = self.type_of(node.left, scope, wanted)
        inner = element_of(plain(a))
        if inner is not None and not isinstance(a, OptionalType):
            b = self.type_of(node.right, scope)
            if isinstance(b, PieceType) or element_of(b) is None:
                self.error(
                    "E418",
                    node.right,
                    f"A set is needed after `or`; this is {described(b)}.",
                    "Write `all …` or a zone.",
                )
                return a
            both = join(self.world, SetType(inner), SetType(element_of(b) or UNKNOWN))
            if both is None:
                self.error(
                    "E420",
                    node.right,
                    f"These do not go together: {described(a)} and {described(b)}.",
                    "Both sides of `or` hold things of one kind.",
                )
                return a
            return both
        if not fits(self.world, a, YESNO):
            self.error(
                "E418",
                node.left,
                f"`or` joins two conditions or two sets; this is {described(a)}.",
                self.or_cure(node),
            )
            self.look_quietly(node.right, scope)
            return YESNO
        right_scope = scope.knowing(self.facts(node.left, scope)[1])
        b = self.look_quietly(node.right, right_scope)
        if not fits(self.world, b, YESNO) and not isinstance(b, UnknownType):
            self.error(
                "E418", node.right, f"`or` joins two conditions; this is {described(b)}.", self.or_cure(node)
            )
        else:
            self.condition(node.right, right_scope)
        return YESNO

    def or_cure(self, node: n.Or) -> str:
        """`suit of c is hearts or spades`: what was meant."""
        left, right = node.left, node.right
        if isinstance(left, n.Compare) and left.operator == "is" and isinstance(right, (n.Name, n.Number)):
            return f"Write `{unparse(left.left)} is in [{unparse(left.right)}, {unparse(right)}]`."
        return "Write a whole condition on both sides."

    def look_quietly(self, node: n.Expr, scope: Scope) -> Type:
        """A type without reporting anything: to see what an author may have meant."""
        noisy, self.quiet = self.quiet, True
        try:
            return self.type_of(node, scope)
        finally:
            self.quiet = noisy

    # ------------------------------------------------------------ comparisons

    def compare(self, node: n.Compare, scope: Scope) -> Type:
        """`is`, `is not`, `<`, `<=`, `>`, `>=`."""
        left = self.type_of(node.left, scope)
        if node.operator in ("is", "is not"):
            self.equal(node, left, node.right, scope)
            return YESNO
        a = plain(left)
        if isinstance(a, WordType) and not isinstance(left, OptionalType):  # words are ordered as listed
            self.type_of(node.right, scope, a)
            return YESNO
        if (
            element_of(a) is not None
            or not isinstance(a, (NumberType, UnknownType))
            or isinstance(left, OptionalType)
        ):
            self.misfit(node.left, left, NUMBER)
        right = self.number(node.right, scope)
        if isinstance(a, NumberType):
            self.compare_ranges(node, a, right)
        return YESNO

    def compare_ranges(self, node: n.Compare, a: NumberType, b: NumberType) -> None:
        """Report a comparison whose outcome is settled by the ranges."""
        never = {
            "<": a.low >= b.high,
            "<=": a.low > b.high,
            ">": a.high <= b.low,
            ">=": a.high < b.low,
        }[node.operator]
        if never and not self.constant(node.left):
            self.error(
                "E415",
                node,
                f"This can never be: the left side is {a.low} to {a.high}, the right side {_range(b)}.",
                "Correct one of the two.",
            )

    def constant(self, node: n.Expr) -> bool:
        """Whether the value is settled before the game: a figure, an option."""
        return isinstance(node, n.Number) or (
            isinstance(node, n.Name) and node.text in self.world.game.options
        )

    def equal(self, node: n.Node, left: Type, right: n.Expr, scope: Scope) -> None:
        """`LEFT is RIGHT`, where RIGHT may also be a kind, a word, `empty`, `full` or `stuck`."""
        a = plain(left)
        if (
            isinstance(right, n.Name)
            and right.text not in scope.names
            and self.predicate(right, a, left, scope)
        ):
            return
        wanted = a if isinstance(a, (WordType, KindWordType)) else None
        if isinstance(right, (n.Name, n.Number)) and wanted is not None:
            b = self.type_of_word(right, scope, wanted)
        else:
            b = self.type_of(right, scope)
        if isinstance(b, NoneType):
            if not isinstance(left, (OptionalType, UnknownType)):
                self.error(
                    "E414", node, f"This is never none: it is {described(left)}.", "Take the test out."
                )
            return
        if isinstance(a, UnknownType) or isinstance(b, UnknownType):
            return
        if isinstance(a, YesNoType) != isinstance(plain(b), YesNoType):
            self.count_compared(node, a, plain(b), right)
            return
        if not (fits(self.world, a, plain(b)) or fits(self.world, plain(b), a)):
            if isinstance(plain(b), NumberType) and element_of(a) is not None:
                self.error(
                    "E411",
                    node,
                    f"This compares {described(left)} with a number.",
                    f"Did you mean `count of {self.example_of(a)}`?",
                )
                return
            self.error(
                "E415",
                node,
                f"{_capital(described(left))} can never be {described(b)}.",
                "Compare things of one kind.",
            )
        elif isinstance(a, NumberType) and isinstance(plain(b), NumberType):
            other = plain(b)
            assert isinstance(other, NumberType)
            if a.high < other.low or other.high < a.low:
                self.error(
                    "E415",
                    node,
                    f"This can never be: the left side is {_range(a)}, the right side {_range(other)}.",
                    "Correct one of the two.",
                )

    def type_of_word(self, right: n.Expr, scope: Scope, wanted: Type) -> Type:
        """The right side of `is` where a word is compared with: a word of another list is never right."""
        found = self.look_at(right, scope, wanted)
        found = self.settle(right, found, wanted)
        self.out.types[id(right)] = found
        self.out.keep.append(right)
        if isinstance(found, LiteralType) and isinstance(wanted, WordType):
            self.wrong_word(right, found.word, wanted.enum)
            return UNKNOWN
        if (
            isinstance(found, WordType)
            and isinstance(wanted, WordType)
            and not fits(self.world, found, wanted)
        ):
            symbol = self.out.symbols.get(id(right))
            if symbol is not None and symbol.form == "word":
                self.wrong_word(right, symbol.name, wanted.enum)
                return UNKNOWN
        return found

    def predicate(self, right: n.Name, a: Type, left: Type, scope: Scope) -> bool:
        """`is KIND`, `is empty`, `is full`, `is stuck`; false when RIGHT is none of these."""
        word = right.text
        if isinstance(a, WordType) and word in self.world.enums.get(a.enum, ()):
            return False
        if word in self.world.game.layouts and isinstance(a, SetType) and word not in self.world.words:
            self.out.symbols[id(right)] = Symbol("layout", word)
            self.out.types[id(right)] = YESNO
            self.out.keep.append(right)
            return True
        if word in ADJECTIVES:
            self.out.symbols[id(right)] = Symbol("adjective", word)
            self.out.types[id(right)] = YESNO
            self.out.keep.append(right)
            if word == "stuck":
                if not isinstance(a, (PlayerType, UnknownType)):
                    self.error(
                        "E425",
                        right,
                        f"Only a player can be stuck; this is {described(left)}.",
                        "Name a player.",
                    )
            elif not isinstance(a, (SpaceType, PieceType, UnknownType, MarkType)) and element_of(a) is None:
                self.error(
                    "E423",
                    right,
                    f"Only a place can be `{word}`; this is {described(left)}.",
                    "Name a space or a zone.",
                )
            elif isinstance(left, OptionalType):
                self.misfit(right, left, SPACE)
            elif word == "full":
                self.can_be_full(right, a)
            return True
        kind = self.world.kind_called(word)
        if kind in self.world.parents and isinstance(a, PieceType):
            assert kind is not None
            self.out.symbols[id(right)] = Symbol("kind", kind)
            self.out.types[id(right)] = KindWordType(kind)
            self.out.keep.append(right)
            if not (
                self.world.isa(kind, a.kind) or self.world.isa(a.kind, kind) or self.world.meet(kind, a.kind)
            ):
                self.error(
                    "E415",
                    right,
                    f"{_capital(described(left))} can never be `{word}`.",
                    "Name a kind that it can be.",
                )
            return True
        return False

    def can_be_full(self, right: n.Name, found: Type) -> None:
        """A zone is full only where something says how many fit."""
        zone = self.world.game.zones.get(found.zone) if isinstance(found, ZoneType) else None
        if zone is not None and zone.at_most is None:
            self.error(
                "E415",
                right,
                f"`{zone.name}` is never full: it has room for any number.",
                "Say `at most:` where the zone is declared, or write `is not empty`.",
            )

    def count_compared(self, node: n.Node, a: Type, b: Type, right: n.Expr) -> None:
        """`count of card where controls(c) is 0`: the count was meant."""
        other = b if isinstance(a, YesNoType) else a
        if isinstance(other, NumberType):
            self.error(
                "E416",
                node,
                "This compares yes/no with a number.",
                self.counted_cure(node),
            )
        else:
            self.error(
                "E415",
                node,
                f"{_capital(described(a))} can never be {described(b)}.",
                "Compare things of one kind.",
            )

    def counted_cure(self, node: n.Node) -> str:
        """What `count of SEL where C is 0` was meant to be, in the author's own words if it is plain."""
        counted = self.counting[-1] if self.counting else None
        if counted is None or not counted.clauses or not isinstance(node, n.Compare):
            return "Put the counted part in brackets: `(count of …) is 0`, or write `no …`."
        last = counted.clauses[-1]
        if last.value is not node or last.word != "where":
            return "Put the counted part in brackets: `(count of …) is 0`, or write `no …`."
        meant = replace(counted, clauses=(*counted.clauses[:-1], replace(last, value=node.left)))
        text = unparse(n.Quantified(span=node.span, word="count", selection=meant))
        few = unparse(n.Quantified(span=node.span, word="no", selection=replace(counted, clauses=())))
        right = f"({text}) {node.operator} {unparse(node.right)}"
        return f"Put the counted part in brackets: `{right}`, or write `{few} where …`."

    def member(self, node: n.Node, element: n.Expr, collection: n.Expr, scope: Scope) -> Type:
        """`A is in B`."""
        self.member_of(node, self.type_of(element, scope), collection, scope)
        return YESNO

    def member_of(self, node: n.Node, left: Type, collection: n.Expr, scope: Scope) -> None:
        """`… is in B`, the left side typed already."""
        a = plain(left)
        b = self.type_of(collection, scope, SetType(a) if isinstance(a, (WordType, KindWordType)) else None)
        inner = element_of(plain(b))
        if isinstance(b, UnknownType) or isinstance(a, UnknownType):
            return
        if inner is None or isinstance(b, OptionalType):
            self.error(
                "E417",
                collection,
                f"A set is needed after `is in`; this is {described(b)}.",
                "Write a set, as in `[a, b]`.",
            )
            return
        if isinstance(inner, NumberType) and isinstance(a, NumberType):
            if a.high < inner.low or inner.high < a.low:
                self.error(
                    "E415",
                    node,
                    f"This can never be: the left side is {_range(a)}, the set {_range(inner)}.",
                    "Correct one of the two.",
                )
            return
        if isinstance(a, PieceType) and isinstance(inner, (SpaceType, KindWordType)):
            return
        if not (fits(self.world, a, inner) or fits(self.world, inner, a)):
            self.error(
                "E417",
                node,
                f"{_capital(described(left))} is never in {described(b)}.",
                "Compare things of one kind.",
            )

    # ------------------------------------------------------------- arithmetic

    def arithmetic(self, node: n.Expr, scope: Scope) -> NumberType:
        """Sums and products, with the range of the result."""
        match node:
            case n.Negative(operand=operand):
                a = self.number(operand, scope)
                return clamp(-a.high, -a.low)
            case n.Divide(left=left, right=right):
                a, b = self.number(left, scope), self.number(right, scope)
                if b.low <= 0 <= b.high:
                    self.error(
                        "E419",
                        right,
                        "This may be 0, and nothing can be divided by 0.",
                        "Divide by a number above 0.",
                    )
                    return a
                ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
                return clamp(min(ends), max(ends) + 1)
            case n.Arithmetic(operator=operator, left=left, right=right):
                a, b = self.number(left, scope), self.number(right, scope)
                if operator == "+":
                    return clamp(a.low + b.low, a.high + b.high)
                if operator == "-":
                    return clamp(a.low - b.high, a.high - b.low)
                if operator == "*":
                    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                    return clamp(min(ends), max(ends))
                if b.low <= 0:
                    self.error(
                        "E419",
                        right,
                        "This may be 0 or less, and `mod` needs a number above 0.",
                        "Use a number above 0.",
                    )
                return clamp(0, max(0, b.high - 1))
        return NUMBER

    # ------------------------------------------------------------------ facts

    def facts(self, node: n.Expr, scope: Scope) -> tuple[dict[str, Type], dict[str, Type]]:
        """What is settled when a condition holds, and when it does not: not none, or of a kind."""
        match node:
            case n.Compare(operator="is not", left=left, right=n.Nothing()):
                return self._not_none(left, scope), {}
            case n.Compare(operator="is", left=left, right=n.Nothing()):
                return {}, self._not_none(left, scope)
            case n.Compare(operator="is" | "is not", left=left, right=n.Name(text=text)) if (
                text not in scope.names
            ):
                kind = self.world.kind_called(text)
                key = text_of(left)
                known = self.out.types.get(id(left))
                if (
                    kind in self.world.parents
                    and key
                    and known is not None
                    and isinstance(plain(known), PieceType)
                ):
                    assert kind is not None
                    fact: dict[str, Type] = {key: PieceType(kind)}
                    return (fact, {}) if node.operator == "is" else ({}, fact)
                if key and known is not None and isinstance(known, OptionalType) and node.operator == "is":
                    return {key: known.inner}, {}
            case n.Compare(operator="is", left=left) if text_of(left):
                known = self.out.types.get(id(left))
                other = self.out.types.get(id(node.right))
                if (
                    isinstance(known, OptionalType)
                    and other is not None
                    and not isinstance(other, (OptionalType, NoneType))
                ):
                    return {text_of(left): known.inner}, {}
            case n.And(left=left, right=right):
                one = self.facts(left, scope)[0]
                return {**one, **self.facts(right, scope.knowing(one))[0]}, {}
            case n.Or(left=left, right=right):
                one = self.facts(left, scope)[1]
                return {}, {**one, **self.facts(right, scope.knowing(one))[1]}
            case n.Not(operand=operand):
                yes, no = self.facts(operand, scope)
                return no, yes
        return {}, {}

    def _not_none(self, node: n.Expr, scope: Scope) -> dict[str, Type]:
        key = text_of(node)
        known = self.out.types.get(id(node))
        if key and isinstance(known, OptionalType):
            return {key: known.inner}
        return {}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _range(type: NumberType) -> str:
    if type.low == type.high:
        return str(type.low)
    low = "…" if type.low <= -BIG else str(type.low)
    high = "…" if type.high >= BIG else str(type.high)
    return f"{low} to {high}"
