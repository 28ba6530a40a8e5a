"""What somebody sees of the values in an expression: which readings are of hidden things.

Comes in: typed logic and who chooses. Goes out: `Known` for each value, and the `Reading`s of what
the chooser cannot see. Counting is open, and so is where things lie in sight; which card it is, is not.
What never happens: an open reading is called hidden. What rests on knowledge gained in play counts as
hidden (a card once shown may have been shuffled away since); what rests on the value of a state that says
who sees something counts as open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_scope import text_of
from rulewright.dsl.check_types import element_of
from rulewright.dsl.check_world import World
from rulewright.dsl.model import Checked, Symbol
from rulewright.dsl.nodes_walk import children
from rulewright.dsl.problems import Span
from rulewright.dsl.types import UNKNOWN, BoardType, LineType, PieceType, SpaceType, Type, plain

TELLING = ("kind", "face", "owner")  # properties that tell which piece it is
Env = dict[str, "Known"]


@dataclass(frozen=True, slots=True)
class Known:
    """A value as its reader sees it: `mine`: it is the reader; `hidden`: why it is not seen, or ""; `face`:
    why its face is not seen, or ""."""

    mine: bool = False
    hidden: str = ""
    face: str = ""


OPEN = Known()


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a hidden thing: where, and why it is hidden."""

    span: Span
    why: str


@dataclass(slots=True)
class Eyes:
    """Reads logic with the eyes of one player, who is called by any of `names`."""

    checked: Checked
    world: World
    names: frozenset[str]
    found: list[Reading] = field(default_factory=list)
    memo: dict[tuple[str, tuple[Known, ...]], tuple[Known, tuple[Reading, ...]]] = field(default_factory=dict)
    open_calls: set[str] = field(default_factory=set)

    def note(self, span: Span, why: str) -> None:
        """Keep a reading of something hidden."""
        self.found.append(Reading(span, why))

    # ------------------------------------------------------------------ values

    def value(self, node: n.Expr, env: Env) -> Known:
        """What is seen of the value of an expression; hidden readings inside it are noted."""
        match node:
            case n.Name(text=text):
                return env[text] if text in env else self.name(node)
            case n.Of(name=name, owner=owner):
                found = self.property(node, name, [(owner, self.value(owner, env))])
                return replace(found, mine=True) if text_of(node) in self.names else found
            case n.OfEvery(name=name):
                return self.property(node, name, [(node, OPEN)])
            case n.Call(name=name, arguments=arguments):
                return self.property(node, name, [(a, self.value(a, env)) for a in arguments])
            case n.Can(event=event, arguments=arguments):
                self.asked(event, [self.value(a, env) for a in arguments])
                return OPEN
            case n.Compare():
                return self.compare(node, env)
            case n.Member(element=element, collection=collection):
                self.belongs(
                    node.span, self.type(element), self.value(element, env), self.value(collection, env)
                )
                return OPEN
            case n.Quantified(word=word, selection=selection):
                taken = self.selection(selection, env)[1]
                return taken if word in ("all", "the", "first") else OPEN
            case n.HowMany(number=number, selection=selection):
                self.value(number, env)
                self.selection(selection, env)
                return OPEN
            case n.Fold(value=value, selection=selection):
                self.value(value, self.selection(selection, env)[2])
                return OPEN
            case n.Every(selection=selection, condition=condition):
                self.value(condition, self.selection(selection, env)[2])
                return OPEN
            case n.EveryIs(selection=selection, right=right):
                _, each, inner = self.selection(selection, env)
                kind = (
                    element_of(self.type(node)) or (self.checked.binders.get(id(selection), ("", UNKNOWN))[1])
                )
                self.equal(node.span, kind, each, right, inner)
                return OPEN
            case n.Bare(selection=selection) | n.Chosen(selection=selection):
                return self.chosen(node, selection, env)
        return self.joined(self.value(part, env) for part in children(node) if isinstance(part, n.Expr))

    def chosen(self, node: n.Expr, selection: n.Selection, env: Env) -> Known:
        """A selection that stands alone, with its amount."""
        if isinstance(node, n.Chosen) and node.amount is not None and node.amount.number is not None:
            self.value(node.amount.number, env)
        return self.selection(selection, env)[1]

    def joined(self, values: Iterable[Known]) -> Known:
        """A value made of several: hidden when one of them is."""
        found = list(values)
        return Known(
            hidden=next((v.hidden for v in found if v.hidden), ""),
            face=next((v.face for v in found if v.face), ""),
        )

    def type(self, node: n.Node) -> Type:
        """The type of an expression without "or none"."""
        return plain(self.checked.types.get(id(node), UNKNOWN))

    def name(self, node: n.Name) -> Known:
        """A name of the game."""
        if node.text in self.names:
            return Known(mine=True)
        return self.declared(node, self.checked.symbols.get(id(node)), OPEN, True)

    def declared(self, node: n.Expr, symbol: Symbol | None, owner: Known, alone: bool) -> Known:
        """A state, zone, board or definition, its owner's when it has one."""
        game = self.checked.game
        match symbol:
            case Symbol(form="state", name=name):
                states = {s.name: s for p in game.phases.values() for s in p.states} | game.states
                why = self.why_hidden(f"`{name}`", states[name].seen_by, owner, alone)
                if why:
                    self.note(node.span, why)
            case Symbol(form="zone", name=name):
                zone, face = game.zones[name], ""
                if zone.faces == "hidden" and not (zone.per == "player" and (owner.mine or alone)):
                    whom = "its owner alone" if zone.per == "player" else "nobody"
                    face = f"`{name}` shows faces to {whom}"
                return Known(hidden=self.why_hidden(f"`{name}`", zone.seen_by, owner, alone), face=face)
            case Symbol(form="board", name=name):
                return Known(hidden=self.why_hidden(f"`{name}`", game.boards[name].seen_by, owner, alone))
            case Symbol(form="define", name=name) if alone:
                return self.call(node, name, ())
        return OPEN

    def why_hidden(self, what: str, seen_by: n.SeenBy | None, owner: Known, alone: bool) -> str:
        """Why the reader does not see something of `owner`'s; "" when that cannot be said for certain."""
        match seen_by.word if seen_by is not None else None:
            case "nobody":
                return f"{what} is seen by nobody"
            case "owner" if not owner.mine and not alone:
                return f"{what} is seen by its owner alone"
            case "others" if owner.mine:
                return f"{what} is seen by the others, not by its owner"
        return ""

    def property(self, node: n.Expr, name: str, given: list[tuple[n.Expr, Known]]) -> Known:
        """`X of Y`, `f(x, y)`."""
        symbol = self.checked.symbols.get(id(node))
        form = symbol.form if symbol is not None else ""
        known = given[0][1] if given else OPEN
        if form == "define":
            return self.call(node, name, tuple(k for _, k in given))
        if form in ("zone", "board"):
            return self.declared(node, symbol, known, False)
        if form == "state":
            return self.declared(node, symbol, self.owner_of_state(name, given), False)
        if form == "property" and name == "face" and known.face and not known.hidden:
            self.note(node.span, f"`face` of it is read, but {known.face}")
            return OPEN
        if form in ("attribute", "property") and known.hidden:
            if form == "attribute" or name in TELLING:
                self.note(node.span, f"`{name}` of it is read, but {known.hidden}")
                return OPEN
            if name in ("size", "place") or not isinstance(
                element_of(self.type(node)) or self.type(node), (SpaceType, PieceType)
            ):
                return OPEN
            return Known(hidden=known.hidden)
        return OPEN

    def owner_of_state(self, name: str, given: list[tuple[n.Expr, Known]]) -> Known:
        """Whose state it is: of several things, the player's."""
        states = {
            s.name: s for p in self.checked.game.phases.values() for s in p.states
        } | self.checked.game.states
        per = states[name].per
        return next((k for (_, k), p in zip(given, per, strict=False) if p == "player"), OPEN)

    # ------------------------------------------------------------- comparisons

    def compare(self, node: n.Compare, env: Env) -> Known:
        """`is` reads which piece or what kind it is; an order reads numbers, seen already."""
        left = self.value(node.left, env)
        if node.operator in ("is", "is not"):
            self.equal(node.span, self.type(node.left), left, node.right, env)
        else:
            self.value(node.right, env)
        return OPEN

    def equal(self, span: Span, a: Type, left: Known, right: n.Expr, env: Env) -> None:
        """`LEFT is RIGHT`."""
        symbol = self.checked.symbols.get(id(right))
        if symbol is not None and symbol.form == "adjective":
            if left.hidden and isinstance(a, (SpaceType, PieceType)):
                self.note(span, f"what lies there is read, but {left.hidden}")
            return
        if isinstance(right, n.Nothing):
            return
        other = self.value(right, env)
        if isinstance(element_of(a) or a, PieceType) and (left.hidden or other.hidden):
            what = "its kind" if symbol is not None and symbol.form == "kind" else "which one it is"
            self.note(span, f"{what} is read, but {left.hidden or other.hidden}")

    def belongs(self, span: Span, a: Type, left: Known, collection: Known) -> None:
        """`A is in B` of pieces reads where a certain piece lies."""
        if isinstance(a, PieceType) and (left.hidden or collection.hidden):
            self.note(
                span, f"it is read whether a certain piece is there, but {left.hidden or collection.hidden}"
            )

    # -------------------------------------------------------------- selections

    def selection(self, node: n.Selection, env: Env) -> tuple[str, Known, Env]:
        """The name, what is seen of an element, and the names for what follows."""
        if isinstance(node.owner, n.Expr):
            self.value(node.owner, env)
        source = self.value(node.source, env) if node.source is not None else OPEN
        if node.path is not None:
            source = self.joined([source, self.value(node.path.start, env)])
        element = source
        name, kind = self.checked.binders.get(id(node), (node.name or node.kind, UNKNOWN))
        if source.hidden and isinstance(plain(kind), PieceType):
            element = self.pieces(node, source)
        if node.like is not None:
            like = self.value(node.like, env)
            why = element.hidden or like.hidden or element.face or like.face
            if why:
                self.note(node.like.span, f"`like` compares pieces, but {why}")
        inner = {**env, name: element}
        for clause in node.clauses:
            self.value(clause.value, inner)
        return name, element, inner

    def pieces(self, node: n.Selection, source: Known) -> Known:
        """Pieces taken from a hidden place: a kind of its own, and pieces on spaces, tell what lies there."""
        kind = self.world.kind_called(node.kind) or node.kind
        decl = self.checked.game.kinds.get(kind)
        if decl is not None and decl.seen_by is not None and decl.seen_by.word == "all":
            return OPEN
        held = self.type(node.source) if node.source is not None else UNKNOWN
        inner = element_of(held) or held
        if isinstance(held, (BoardType, LineType)) or isinstance(inner, SpaceType):
            self.note(node.kind_span, f"what lies there is read, but {source.hidden}")
        elif isinstance(inner, PieceType) and set(self.world.leaves(inner.kind)) - set(
            self.world.leaves(kind)
        ):
            self.note(node.kind_span, f"it is read whether there is a {kind}, but {source.hidden}")
        return source

    # ------------------------------------------------------------------- calls

    def call(self, node: n.Expr, name: str, given: tuple[Known, ...]) -> Known:
        """A definition: what it reads is noted where it is used."""
        define = self.checked.game.defines.get(name)
        if define is None or name in self.open_calls:
            return OPEN
        if (name, given) not in self.memo:
            outer, self.found = self.found, []
            self.open_calls.add(name)
            env = dict(zip((p.name for p in define.parameters), given, strict=False))
            parts = [x for x in (define.by, define.body, *(v for _, _, v in define.cases)) if x is not None]
            known = self.joined([self.value(part, env) for part in parts])
            self.open_calls.discard(name)
            self.memo[name, given] = known, tuple(self.found)
            self.found = outer
        known, readings = self.memo[name, given]
        if readings:
            first = readings[0]
            self.note(node.span, f"`{name}` reads it at {first.span}: {first.why}")
        return known

    def asked(self, event: str, given: list[Known]) -> None:
        """`can EVENT(…)`: its FORBID rules are read with these arguments."""
        if f"can {event}" in self.open_calls:
            return
        self.open_calls.add(f"can {event}")
        game = self.checked.game
        declared = game.events.get(event)
        names = [p.name for p in declared.parameters] if declared else []
        if event in game.actions:
            names = [key.name for key in game.actions[event].keys]
        self.forbidden(event, dict(zip(names, given, strict=False)))
        self.open_calls.discard(f"can {event}")

    def forbidden(self, event: str, env: Env) -> None:
        """The conditions under which rules forbid an event."""
        for rule in self.checked.game.rules:
            named = any(h.word == "event" and h.name == event for h in rule.happenings)
            if rule.form == "forbid" and named and rule.condition is not None:
                self.value(rule.condition, env)
