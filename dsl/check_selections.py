"""Types of selections: the one form that chooses, counts, sums, tests and loops.

Comes in: a `Selection` and a scope. Goes out: the name of its element, its type, and the scope in which
what follows (a value, a condition, a body) is read. Problems E406, E407, E427 … E430, W450.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_expressions import MANY, Expressions
from rulewright.dsl.check_scope import Scope
from rulewright.dsl.check_types import clamp, element_of, fits
from rulewright.dsl.check_world import SIMPLE_KINDS
from rulewright.dsl.nodes_walk import names_in
from rulewright.dsl.types import (
    DIRECTION,
    NUMBER,
    PLAYER,
    SPACE,
    UNKNOWN,
    YESNO,
    BoardType,
    KindWordType,
    LineType,
    MarkType,
    NumberType,
    OptionalType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    Type,
    UnknownType,
    WordType,
    described,
    plain,
)

RELATIONS = ("adjacent", "surrounding", "diagonal")


class Selections(Expressions):
    """Types selections and what stands over them."""

    def select(self, node: n.Selection, scope: Scope) -> tuple[str, Type, Scope]:
        """The element's name and type, and the scope with it."""
        kind_type = YESNO if node.kind == "yes or no" else self.kind_type(node.kind, node.kind_span)
        kind = self.world.kind_called(node.kind) or node.kind
        name = node.name or kind
        self.check_element_name(node, name, kind, scope)
        element = kind_type
        if node.owner is not None:
            element = self.owner_of_selection(node, element, scope)
        if node.source is not None:
            element = self.source_of_selection(node, element, scope)
            if isinstance(kind_type, LineType) and node.owner is not None:
                self.line_fits(node, plain(self.out.types.get(id(node.owner), UNKNOWN)))
        if kind == "number" and node.source is None:
            self.error(
                "E428",
                node.kind_span,
                "It is not said which numbers are meant: there is no end to them.",
                "Write a range, as in `number in [1 to 6]`.",
            )
        if node.like is not None:
            self.type_of(node.like, scope)
        if isinstance(node.path, n.Going):
            self.going(node.path, scope)
            if isinstance(element, PieceType):
                self.runs_over_spaces(node)
            if not isinstance(element, (SpaceType, PieceType, UnknownType)):
                self.error(
                    "E429",
                    node.kind_span,
                    f"`going` runs over spaces; this selects {described(element, True)}.",
                    "Select `space`.",
                )
        elif isinstance(node.path, n.Linked):
            start = self.type_of(node.path.start, scope)
            inner = element_of(plain(start)) or plain(start)
            if not isinstance(inner, (SpaceType, PieceType, UnknownType)):
                self.error(
                    "E429",
                    node.path.start,
                    f"`linked to` begins at a space or a piece; this is {described(start)}.",
                    "Name a space or a piece.",
                )
        if node.relation is not None and node.relation_span is not None:
            self.relation(node.relation, node.relation_span)
        inner_scope = replace(scope, unnamed=scope.unnamed | ({kind} if node.name is None else frozenset()))
        inner_scope = inner_scope.with_name(name, element)
        for clause in node.clauses:
            self.clause_has_path(clause, node.path)
            element, inner_scope = self.clause(clause, name, element, inner_scope)
        self.out.binders[id(node)] = (name, element)
        self.out.keep.append(node)
        return name, element, inner_scope

    def runs_over_spaces(self, node: n.Selection) -> None:
        """Where a run stops can only be asked of its spaces."""
        for clause in node.clauses:
            if clause.word in ("while", "until", "ending at"):
                self.error(
                    "E429",
                    clause.span,
                    f"`{clause.word}` asks the spaces that `going` runs over; this selects {node.kind}.",
                    f"Select the spaces: `{node.kind} on (all space s going … {clause.word} …)`.",
                )

    def check_element_name(self, node: n.Selection, name: str, kind: str, scope: Scope) -> None:
        """A name may not already mean something; two open selections of one kind need names."""
        if node.name is None:
            if kind in scope.unnamed and kind in scope.names:
                self.error(
                    "E427",
                    node.kind_span,
                    f"Two selections of `{kind}` without a name stand inside each other.",
                    f"Give this one a name, as in `{node.kind} {kind[0]}`.",
                )
            return
        assert node.name_span is not None
        if name in scope.names:
            self.error(
                "E407", node.name_span, f"`{name}` already has a meaning here.", "Choose another name."
            )
        elif self.is_taken(name):
            self.error(
                "E407",
                node.name_span,
                f"`{name}` already means something, so it cannot be a new name for the {kind}.",
                "Is `in`, `on` or `of` missing before it? Else choose another name.",
            )

    def is_taken(self, name: str) -> bool:
        """Whether a name of the game is called so."""
        w, g = self.world, self.world.game
        taken = (
            name in w.parents
            or name in w.enums
            or name in g.zones
            or name in g.boards
            or name in g.options
            or name in g.defines
            or self.find_state(name) is not None
            or name in w.attributes
            or name in SIMPLE_KINDS
            or name in w.columns
            or name in w.seats
            or name in ("actor", "box", "players", "first_player")
            or name in self.phase_names
        )
        return taken

    def owner_of_selection(self, node: n.Selection, element: Type, scope: Scope) -> Type:
        """`of X`: whose pieces; the length of a line; the set of a group."""
        assert node.owner is not None
        if isinstance(element, LineType):
            length = plain(self.type_of(node.owner, scope))
            if not isinstance(length, (NumberType, UnknownType)):
                self.error(
                    "E429",
                    node.owner,
                    f"A line has a length; this is {described(length)}.",
                    "Write `line of 3`.",
                )
            return element
        if isinstance(element, SetType) and element.group:
            found = self.type_of(node.owner, scope)
            inner = element_of(plain(found))
            if inner is None and not isinstance(found, UnknownType):
                self.error(
                    "E429",
                    node.owner,
                    f"A group is one of a set; this is {described(found)}.",
                    "Write `group of (all …) by adjacent`.",
                )
            return SetType(inner or UNKNOWN, True)
        owner = self.every_of_kind(node.owner) or self.type_of(node.owner, scope)
        inner = element_of(plain(owner)) or plain(owner)
        if isinstance(element, PieceType) and not isinstance(inner, (PlayerType, UnknownType)):
            self.error(
                "E425",
                node.owner,
                f"An owner is a player; this is {described(owner)}.",
                "Did you mean `in` or `on`?",
            )
        elif not isinstance(element, (PieceType, UnknownType)):
            self.error(
                "E425",
                node.owner,
                f"{described(element, True).capitalize()} have no owner.",
                "Take `of …` out, or use `in`.",
            )
        elif isinstance(owner, OptionalType):
            self.misfit(node.owner, owner, PLAYER)
        return element

    def every_of_kind(self, node: n.Expr) -> Type | None:
        """`any direction`, `of any player`, `of each player`: all of a kind, where a set of them stands."""
        if not isinstance(node, n.Quantified) or node.word not in ("any", "each"):
            return None
        found = SetType(self.kind_type(node.selection.kind, node.selection.kind_span))
        self.out.types[id(node)] = found
        self.out.keep.append(node)
        return found

    def line_fits(self, node: n.Selection, length: Type) -> None:
        """A line cannot be longer than its board."""
        source = self.out.types.get(id(node.source))
        if not isinstance(source, BoardType) or not isinstance(length, NumberType):
            return
        size = self.world.game.boards[source.board].size.split(" x ")
        if len(size) == 2 and all(s.isdigit() for s in size) and node.owner is not None:
            longest = max(int(s) for s in size)
            if length.low > longest:
                self.error(
                    "E415",
                    node.owner,
                    f"There is no line of {length.low} on a board of {' x '.join(size)}.",
                    f"Write at most {longest}.",
                )

    def source_of_selection(self, node: n.Selection, element: Type, scope: Scope) -> Type:
        """`in SET`, `on PLACE`: where the elements are taken from; it may say more of what they are."""
        assert node.source is not None
        wanted = SetType(element) if isinstance(element, (WordType, KindWordType)) else None
        found = self.type_of(node.source, scope, wanted)
        if (
            isinstance(element, MarkType)
            and node.source_word == "on"
            and self.is_its_track(node.source, element)
        ):
            return element
        if isinstance(found, OptionalType):
            self.misfit(node.source, found, SPACE)
        found = plain(found)
        if isinstance(found, UnknownType):
            return element
        inner = element_of(found)
        if inner is None and not isinstance(found, (SpaceType, PieceType, MarkType)):
            if isinstance(found, NumberType) and element is NUMBER:
                return found
            self.error(
                "E428",
                node.source,
                f"A zone, a board, a place or a set is needed here; this is {described(found)}.",
                "Name where the things are.",
            )
            return element
        if node.source_word == "in" and inner is None:
            self.error(
                "E428",
                node.source,
                f"`in` is for zones and sets, `on` for places; this is {described(found)}.",
                "Write `on`.",
            )
        if inner is None:  # on a space or a piece
            return element
        return self.refined(node, element, inner, found)

    def is_its_track(self, node: n.Expr, element: MarkType) -> bool:
        """Whether marks are taken from the track on which they are: of one owner where each has a track."""
        symbol = self.out.symbols.get(id(node))
        track = self.world.track_marks.get(element.mark)
        return symbol is not None and (symbol.form, symbol.name) == ("state", track)

    def refined(self, node: n.Selection, element: Type, inner: Type, found: Type) -> Type:
        """The element of KIND taken from a set of `inner`."""
        match element, inner:
            case NumberType(), NumberType():
                return inner
            case PieceType(kind), PieceType(other):
                if self.world.isa(other, kind):
                    return inner
                if self.world.isa(kind, other) or self.world.meet(kind, other):
                    return element
            case PieceType(), (SpaceType() | MarkType()):
                return element
            case SpaceType(), (SpaceType() | PieceType()):
                return element
            case LineType(), SpaceType():
                return element
            case LineType(), LineType():
                return element
            case PieceType(), KindWordType():
                pass
            case SetType(group=True), SetType():
                return inner
            case _:
                if fits(self.world, inner, element) or fits(self.world, element, inner):
                    return element
        if isinstance(inner, UnknownType) or isinstance(element, UnknownType):
            return element
        kind = self.world.kind_called(node.kind) or node.kind
        self.error(
            "E428",
            node.kind_span,
            f"There is no {kind} here: this is {described(found)}.",
            f"Name a set that holds {described(element, True)}.",
        )
        return element

    def going(self, path: n.Going, scope: Scope) -> None:
        """`going D from S up to N`."""
        direction = self.every_of_kind(path.direction) or self.type_of(path.direction, scope)
        inner = element_of(direction) or direction
        if not fits(self.world, inner, DIRECTION):
            self.error(
                "E429",
                path.direction,
                f"A direction is needed after `going`; this is {described(direction)}.",
                "Name a direction, as `north`.",
            )
        self.type_of(path.start, scope, SPACE)
        if path.limit is not None:
            self.number(path.limit, scope)

    def relation(self, name: str, span: object) -> None:
        """`by RELATION`: a built-in neighbourhood, or a definition of one space or piece that gives a set."""
        define = self.world.game.defines.get(name)
        if name in RELATIONS or (define is not None and len(define.parameters) == 1):
            return
        known = [*RELATIONS, *(d for d, v in self.world.game.defines.items() if len(v.parameters) == 1)]
        self.unknown("E403", span, "relation", name, known)  # type: ignore[arg-type]

    def clause_has_path(self, clause: n.Clause, path: n.Going | n.Linked | None) -> None:
        """`while`, `until` and `ending at` go with `going`, `stopping at` with `linked to`."""
        if clause.word in ("while", "until", "ending at") and not isinstance(path, n.Going):
            self.error(
                "E434",
                clause,
                f"`{clause.word}` says how far a run goes, and there is no `going` here.",
                "Write `where`.",
            )
        elif clause.word == "stopping at" and not isinstance(path, n.Linked):
            self.error(
                "E434",
                clause,
                "`stopping at` says where a chain ends, and there is no `linked to` here.",
                "Write `where`.",
            )

    def clause(self, clause: n.Clause, name: str, element: Type, scope: Scope) -> tuple[Type, Scope]:
        """One clause; a `where` may narrow the element."""
        if clause.word.startswith("with"):
            found = self.type_of(clause.value, scope)
            if not isinstance(plain(found), (NumberType, WordType, UnknownType)) or isinstance(
                found, OptionalType
            ):
                self.misfit(clause.value, found, NUMBER)
            return element, scope
        self.condition(clause.value, scope)
        if clause.word != "where":
            return element, scope
        self.doubtful_parts(clause.value, name)
        yes = self.facts(clause.value, scope)[0]
        if name in yes:
            element = yes[name]
            scope = scope.with_name(name, element)
        return element, scope.knowing({k: v for k, v in yes.items() if k != name})

    def doubtful_parts(self, condition: n.Expr, name: str) -> None:
        """A later part of a `where` that says nothing of the element was probably meant outside."""
        parts = _parts(condition)
        for part in parts[1:]:
            words = names_in(part)
            quantified = isinstance(part, (n.Quantified, n.HowMany, n.Every, n.EveryIs, n.Not))
            if quantified and name not in words and not any(w in self.world.game.options for w in words):
                self.warning(
                    "W450",
                    part,
                    f"This part of the `where` says nothing about {name}.",
                    "If it stands on its own, put brackets round the selection before it.",
                )

    # --------------------------------------------------------- what stands over

    def selected(self, node: n.Expr, scope: Scope, want: Type | None) -> Type:
        """A selection under its word."""
        match node:
            case n.Quantified(word=word, selection=selection):
                self.counting.append(selection if word == "count" else None)
                _, element, _ = self.select(selection, scope)
                self.counting.pop()
                found: dict[str, Type] = {
                    "any": YESNO,
                    "no": YESNO,
                    "all": SetType(element),
                    "count": NumberType(0, MANY),
                    "the": element,
                    "first": element if isinstance(element, OptionalType) else OptionalType(element),
                }
                return found[word]
            case n.HowMany(number=number, selection=selection):
                self.number(number, scope)
                self.select(selection, scope)
                return YESNO
            case n.Fold(word=word, value=value, selection=selection):
                _, _, inner = self.select(selection, scope)
                if word != "sum":
                    one = self.type_of(value, inner)
                    if isinstance(one, WordType):
                        return one
                each = self.number(value, inner)
                if word == "sum":
                    return clamp(min(0, each.low * MANY), max(0, each.high * MANY))
                return clamp(min(0, each.low), max(0, each.high))
            case n.Every(selection=selection, condition=condition):
                _, _, inner = self.select(selection, scope)
                self.condition(condition, inner)
                return YESNO
            case n.EveryIs(selection=selection, operator=operator, right=right):
                _, element, inner = self.select(selection, scope)
                if operator in ("is", "is not"):
                    self.equal(node, element, right, inner)
                else:
                    self.member_of(node, element, right, inner)
                return YESNO
            case n.Bare(selection=selection):
                _, element, _ = self.select(selection, scope)
                return SetType(element)
            case n.Chosen(amount=amount, selection=selection):
                if amount is not None and amount.number is not None:
                    self.number(amount.number, scope)
                _, element, _ = self.select(selection, scope)
                return element if amount is None else SetType(element)
        raise NotImplementedError(type(node).__name__)

    def chosen(self, node: n.Chosen, scope: Scope, chooser: str) -> tuple[str, Type, Scope]:
        """What is chosen from: the name, its type (a set for a plural), and the scope that follows."""
        if node.amount is not None and node.amount.number is not None:
            self.number(node.amount.number, scope)
        name, element, inner = self.select(node.selection, replace(scope, chooser=chooser))
        found = element if node.amount is None else SetType(element)
        self.out.types[id(node)] = found
        self.out.keep.append(node)
        return name, found, replace(inner, chooser=scope.chooser).with_name(name, found)


def _parts(node: n.Expr) -> list[n.Expr]:
    if isinstance(node, (n.And, n.Or)):
        return [*_parts(node.left), *_parts(node.right)]
    return [node]
