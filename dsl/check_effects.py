"""Types of effects: what an instruction may be done to.

Comes in: a parsed block and a scope. Goes out: problems E404, E407, E410, E421 … E426, E435. A `let`
lives to the end of its block; whatever changes something makes facts about it void.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_scope import Scope, text_of
from rulewright.dsl.check_selections import Selections
from rulewright.dsl.check_types import element_of, fits
from rulewright.dsl.check_windows import opens_by_itself, own_windows
from rulewright.dsl.model import Symbol
from rulewright.dsl.types import (
    PLAYER,
    UNKNOWN,
    BoardType,
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
    ZoneType,
    described,
    plain,
)
from rulewright.dsl.unparse import unparse
from rulewright.dsl.words import JOINT

EFFECT_VERBS = (
    "let",
    "set",
    "add",
    "take",
    "move",
    "deal",
    "shuffle",
    "reveal",
    "show",
    "place",
    "return",
    "remove",
    "swap",
    "turn",
    "roll",
    "reroll",
    "offer",
    "end",
    "give",
    "skip",
    "reverse",
    "repeat",
)


class Effects(Selections):
    """Types effects. `repeating` says whether `end repeat` would leave a `repeat` from here."""

    repeating = False

    def block(self, block: n.Block, scope: Scope) -> Scope:
        """Type the instructions of a block; gives the scope at its end."""
        for effect in block:
            scope = self.effect(effect, scope)
        return scope

    def effect(self, node: n.Effect, scope: Scope) -> Scope:
        """Type one instruction; gives the scope for the next one."""
        match node:
            case n.Let():
                return self.let(node, scope)
            case n.If():
                return self.if_(node, scope)
            case n.SetTo(target=target, value=value):
                wanted = self.target(target, scope)
                self.assigned(value, wanted, self.type_of(value, scope, self.word_wanted(wanted)))
            case n.AddTo(amount=amount, target=target) | n.TakeFrom(amount=amount, target=target):
                self.grow(amount, target, scope)
            case n.ForEach(selection=selection, body=body):
                _, _, inner = self.select(selection, scope)
                self.looped(body, inner, repeating=False)
            case n.Repeat(times=times, condition=condition, body=body):
                self.number(times, scope)
                if condition is not None:
                    self.condition(condition, scope)
                self.looped(body, scope.without_facts(), repeating=True)
            case n.Chooses():
                self.chooses(node, scope)
            case n.EachChooses(selection=selection, chosen=chosen, body=body):
                name, element, inner = self.select(selection, scope)
                if not isinstance(element, (PlayerType, UnknownType)):
                    self.error(
                        "E425",
                        selection,
                        f"Only players choose; this is {described(element, True)}.",
                        "Write `each player p`.",
                    )
                _, _, after = self.chosen(chosen, inner, name)
                self.looped(body, after, repeating=False)
            case n.ChoosesValue(chooser=chooser, target=target, options=options, otherwise=otherwise):
                self.joint = chooser
                self.chooser(chooser, scope)
                wanted = self.value_options(target, options, scope)
                if isinstance(chooser, n.Of) and chooser.name in JOINT:
                    self.several_choose(chooser, target, wanted, otherwise)
                if otherwise is not None:
                    self.assigned(otherwise, wanted, self.type_of(otherwise, scope, self.word_wanted(wanted)))
            case n.EachChoosesValue(selection=selection, target=target, options=options):
                name, _, inner = self.select(selection, scope)
                self.value_options(target, options, replace(inner, chooser=name))
            case n.Do():
                self.do(node, scope)
            case _:
                self.simple(node, scope)
        return scope.without_facts() if not isinstance(node, (n.Reveal, n.Show)) else scope

    def simple(self, node: n.Effect, scope: Scope) -> None:
        """The instructions that move, turn, roll or end something."""
        match node:
            case n.Move(things=things, place=place):
                self.pieces(things, scope)
                self.destination(place, scope)
            case n.Deal(things=things, source=source, place=place):
                if isinstance(things, n.Chosen):
                    self.type_of(things, scope)
                else:
                    self.number(things, scope)
                found = plain(self.type_of(source, scope))
                if not isinstance(found, (ZoneType, UnknownType)) and not self.is_pile_end(source):
                    self.error(
                        "E423",
                        source,
                        f"Cards are dealt from a zone; this is {described(found)}.",
                        "Name a zone.",
                    )
                self.destination(place, scope)
            case n.Shuffle(zone=zone):
                found = plain(self.type_of(zone, scope))
                if not isinstance(found, (ZoneType, UnknownType)):
                    self.error(
                        "E423",
                        zone,
                        f"Only a zone can be shuffled; this is {described(found)}.",
                        "Name a zone.",
                    )
            case (
                n.Reveal(things=things)
                | n.Return(things=things)
                | n.Remove(things=things)
                | n.Roll(things=things)
            ):
                self.pieces(things, scope)
            case n.Show(things=things, to=to):
                if (
                    not isinstance(things, n.Chosen)
                    and isinstance(things, n.Of)
                    and things.name in ("face", "kind")
                ):
                    self.type_of(things, scope)
                else:
                    self.pieces(things, scope)
                found = plain(self.type_of(to, scope))
                self.players_wanted(to, found)
            case n.Place():
                self.place(node, scope)
            case n.Swap(first=first, second=second):
                a, b = plain(self.type_of(first, scope)), plain(self.type_of(second, scope))
                if not (isinstance(a, ZoneType) and isinstance(b, ZoneType)):
                    self.is_piece_or_space(first, a)
                    self.is_piece_or_space(second, b)
            case n.TurnTo(things=things, face=face):
                kind = self.pieces(things, scope)
                wanted = self.face_type(kind, things) if kind else UNKNOWN
                self.type_of(face, scope, wanted)
            case n.Offer(window=window, window_span=span):
                if opens_by_itself(self.world, window):
                    self.error(
                        "E436",
                        span,
                        f"The window of `{window}` opens by itself when this has happened.",
                        "Take this line out, or give the window a name of its own.",
                    )
                elif window not in (known := own_windows(self.world)):
                    self.unknown("E404", span, "window", window, known)
            case n.End(what="repeat"):
                if not self.repeating:
                    self.error(
                        "E435",
                        node,
                        "`end repeat` leaves a `repeat`, and here is none to leave.",
                        "Put it into the block of a `repeat`, and not into that of a `for each`.",
                    )
            case n.End(name=name, name_span=name_span):
                if name is not None and name_span is not None and name not in self.world.game.ends:
                    self.unknown("E404", name_span, "end", name, list(self.world.game.ends))
            case n.AnotherTurn(player=player) | n.Skip(player=player):
                self.type_of(player, scope, PLAYER)
            case n.Reverse():
                pass
            case _:
                raise NotImplementedError(type(node).__name__)

    # -------------------------------------------------------------- statements

    def looped(self, body: n.Block, scope: Scope, repeating: bool) -> None:
        """Type the block of a loop."""
        before, self.repeating = self.repeating, repeating
        self.block(body, scope)
        self.repeating = before

    def let(self, node: n.Let, scope: Scope) -> Scope:
        """`let NAME be V`."""
        found = self.type_of(node.value, scope)
        if node.name in scope.names or self.is_taken(node.name):
            self.error(
                "E407", node.name_span, f"`{node.name}` already has a meaning here.", "Choose another name."
            )
        return scope.with_name(node.name, found)

    def if_(self, node: n.If, scope: Scope) -> Scope:
        """`if … else if … else`; when every branch leaves, what follows knows that none held."""
        inner = scope
        leaves = True
        for condition, body in node.branches:
            self.condition(condition, inner)
            yes, no = self.facts(condition, inner)
            self.block(body, inner.knowing(yes))
            inner = inner.knowing(no)
            leaves = leaves and bool(body) and isinstance(body[-1], n.End)
        if node.otherwise is not None:
            self.block(node.otherwise, inner)
        return inner if leaves and node.otherwise is None else scope.without_facts()

    def chooses(self, node: n.Chooses, scope: Scope) -> None:
        """`P chooses SEL: …`."""
        by_chance = isinstance(node.chooser, n.Name) and node.chooser.text == "chance"
        if by_chance:
            self.out.symbols[id(node.chooser)] = Symbol("builtin", "chance")
            self.out.types[id(node.chooser)] = PLAYER
            self.out.keep.append(node.chooser)
            if node.or_none is not False:
                self.error("E426", node.chooser, "Chance never declines.", "Take `or none` out.")
        else:
            self.chooser(node.chooser, scope)
        if isinstance(node.or_none, n.Node):
            self.condition(node.or_none, scope)
        _, _, inner = self.chosen(node.chosen, scope, "" if by_chance else text_of(node.chooser) or "?")
        self.block(node.body, inner)
        if node.otherwise is not None:
            self.block(node.otherwise, scope)

    def chooser(self, node: n.Expr, scope: Scope) -> None:
        """Who chooses: a player, or the agreement or majority of some."""
        if isinstance(node, n.OfEvery) and node.name in JOINT:
            cure = f"Write `{node.name} of (all {node.kind})`."
            self.error("E437", node, f"`{unparse(node)}` means no set of players.", cure)
            return
        self.type_of(node, scope, PLAYER)

    def several_choose(self, chooser: n.Of, target: n.Expr, wanted: Type, otherwise: n.Expr | None) -> None:
        """`agreement of S chooses X …`: what if they do not agree, and who hears of it."""
        if otherwise is None and not isinstance(wanted, (OptionalType, UnknownType)):
            often = "may not agree" if chooser.name == "agreement" else "may not come to more than half"
            self.error(
                "E439",
                target,
                f"The players {often}: it is not said what `{unparse(target)}` is then.",
                "Write `, else` and a value at the end of the line.",
            )
        symbol = self.out.symbols.get(id(target))
        state = self.find_state(symbol.name) if symbol is not None and symbol.form == "state" else None
        if state is not None and state.seen_by is not None and state.seen_by.word != "all":
            self.error(
                "E438",
                target,
                f"Everybody hears what players choose as one, but not everybody may see `{state.name}`.",
                f"Take `seen by:` out of `{state.name}`, or let each choose one of their own, `together`.",
            )

    def value_options(self, target: n.Expr, options: n.Expr, scope: Scope) -> Type:
        """`chooses X from SET`: the type of X."""
        wanted = self.target(target, scope)
        inner = plain(wanted)
        found = self.type_of(options, scope, SetType(inner) if isinstance(inner, WordType) else None)
        element = element_of(found)
        if isinstance(found, SetType) and isinstance(element, (UnknownType,)):
            return wanted
        known = not isinstance(found, UnknownType) and not isinstance(wanted, UnknownType)
        if known and (element is None or not fits(self.world, element, wanted)):
            self.error(
                "E410",
                options,
                f"{described(wanted)} is chosen here, but this is {described(found)}.",
                "Offer values that fit.",
            )
        return wanted

    def do(self, node: n.Do, scope: Scope) -> None:
        """An event of the game."""
        parameters = self.event_parameters(node.event) if node.event in self.world.game.events else None
        if parameters is None:
            known = [*self.world.game.events, *EFFECT_VERBS]
            if node.event in self.world.game.actions:
                self.error(
                    "E404",
                    node.event_span,
                    f"`{node.event}` is an action: only a player does it.",
                    "Make what it does an event, and call that.",
                )
            else:
                self.unknown("E404", node.event_span, "event", node.event, known)
            for argument in node.arguments:
                self.type_of(argument, scope)
            return
        wanted: list[Type] = [OptionalType(t) if isinstance(t, PieceType) else t for _, t in parameters]
        self.arguments(node.event, node.event_span, node.arguments, wanted, scope, self.least(node.event))

    # ----------------------------------------------------------------- targets

    def target(self, node: n.Expr, scope: Scope) -> Type:
        """The type of what is set; only state can be."""
        if isinstance(node, n.Name) and node.text in scope.names:
            self.error(
                "E422",
                node,
                f"`{node.text}` cannot be changed: it is only a name here.",
                "Set a state instead.",
            )
            return UNKNOWN
        if not isinstance(node, (n.Name, n.Of, n.OfEvery, n.Call)):
            self.error("E422", node, "This cannot be changed.", "Name a state, or a property `… of …`.")
            return UNKNOWN
        found = self.type_of(node, scope.without_facts())
        symbol = self.out.symbols.get(id(node))
        settable = symbol is not None and (symbol.form == "state" or self.is_piece_state(symbol))
        if not settable and not isinstance(found, UnknownType):
            what = f"`{node.text if isinstance(node, n.Name) else node.name}`"
            self.error(
                "E422",
                node,
                f"{what} cannot be set.",
                "Only state and attributes of pieces that are no column can be set.",
            )
            return UNKNOWN
        if isinstance(node, n.OfEvery) or (
            isinstance(node, n.Of) and isinstance(found, SetType) and self.spreads(node)
        ):
            return element_of(found) or found
        return found

    def spreads(self, node: n.Of) -> bool:
        """Whether the owner is a set, so that each of its states is set."""
        owner = self.out.types.get(id(node.owner))
        return owner is not None and element_of(owner) is not None

    def is_piece_state(self, symbol: Symbol) -> bool:
        """Whether an attribute is state of its piece; one that copies run through is, if it may be none:
        then pieces that are of this kind in another way begin without it."""
        if symbol.form != "attribute":
            return False
        found = [a for a in self.world.attributes[symbol.name] if a.kind == symbol.owner]
        if not found or found[0].column:
            return False
        return not found[0].per or isinstance(found[0].type, n.OptionalType)

    def word_wanted(self, wanted: Type) -> Type | None:
        """What helps to read a written word."""
        return wanted if isinstance(plain(wanted), WordType) else None

    def assigned(self, node: n.Expr, wanted: Type, found: Type) -> None:
        """Whether a value can be kept in a state."""
        if isinstance(wanted, UnknownType) or isinstance(found, UnknownType):
            return
        if not fits(self.world, found, wanted):
            if not self.quiet and isinstance(plain(wanted), WordType):
                return  # said already
            self.misfit(node, found, wanted)
        elif (
            isinstance(wanted, NumberType)
            and isinstance(found, NumberType)
            and (found.low > wanted.high or found.high < wanted.low)
        ):
            value = str(found.low) if found.low == found.high else f"{found.low} to {found.high}"
            self.error(
                "E421",
                node,
                f"{value} does not fit; this goes from {wanted.low} to {wanted.high}.",
                "Write a number in that range.",
            )

    def grow(self, amount: n.Expr, target: n.Expr, scope: Scope) -> None:
        """`add … to …`, `take … from …`: of a number, or an element of a set of state."""
        wanted = self.target(target, scope)
        if isinstance(wanted, SetType):
            found = self.type_of(
                amount, scope, wanted.element if isinstance(plain(wanted.element), WordType) else None
            )
            inner = element_of(found) or found
            if not fits(self.world, inner, wanted.element):
                self.misfit(amount, found, wanted.element)
            return
        self.number(amount, scope)
        if not isinstance(wanted, (NumberType, UnknownType)):
            self.error(
                "E411",
                target,
                f"Only a number or a set of state can grow; this is {described(wanted)}.",
                "Did you mean `move`, or `set … to`?",
            )

    def pieces(self, node: n.Expr, scope: Scope) -> str:
        """Type what is moved or turned; gives its kind, "" when unknown."""
        found = plain(self.type_of(node, scope))
        element = element_of(found)
        piece = element if element is not None else found
        if isinstance(piece, PieceType):
            return piece.kind
        if (
            isinstance(piece, SpaceType)
            and element is not None
            and isinstance(found, (SetType, LineType, BoardType))
        ):
            self.error(
                "E424",
                node,
                f"Only cards, tokens and dice can be moved; this is {described(found)}.",
                "Write `all card on …`.",
            )
        elif not isinstance(piece, UnknownType):
            self.error(
                "E424",
                node,
                f"Only cards, tokens and dice can be moved; this is {described(found)}.",
                "Name pieces.",
            )
        return ""

    def destination(self, node: n.Expr, scope: Scope) -> None:
        """Type where something goes."""
        found = self.type_of(node, scope)
        if isinstance(found, OptionalType) and not self.is_pile_end(node):
            self.misfit(node, found, plain(found))
        found = plain(found)
        inner = element_of(found)
        if isinstance(found, (ZoneType, SpaceType, PieceType, MarkType, UnknownType)):
            return
        if isinstance(found, SetType) and isinstance(inner, (PieceType, SpaceType)):
            return  # `hand of each player`
        self.error(
            "E423",
            node,
            f"A zone or a place is needed here; this is {described(found)}.",
            "Name where it goes.",
        )

    def is_pile_end(self, node: n.Expr) -> bool:
        """`top of deck`, `bottom of deck`."""
        return isinstance(node, n.Of) and node.name in ("top", "bottom")

    def place(self, node: n.Place, scope: Scope) -> None:
        """`place [N] KIND [of OWNER] on PLACE`."""
        if node.amount is not None and node.amount.number is not None:
            self.number(node.amount.number, scope)
        if node.kind in scope.names:
            found = scope.names[node.kind]
            if not isinstance(plain(found), PieceType):
                self.error(
                    "E424",
                    node.kind_span,
                    f"Only pieces can be placed; `{node.kind}` is {described(found)}.",
                    "Name a kind of token.",
                )
        else:
            found = self.kind_type(node.kind, node.kind_span)
            if not isinstance(found, (PieceType, UnknownType)):
                self.error(
                    "E424",
                    node.kind_span,
                    f"Only pieces can be placed; this is {described(found)}.",
                    "Name a kind of token.",
                )
        if node.owner is not None:
            owner = self.every_of_kind(node.owner) or self.type_of(node.owner, scope)
            self.players_wanted(node.owner, owner)
        elif isinstance(found, PieceType) and node.kind not in scope.names and self.always_owned(found.kind):
            self.error(
                "E425",
                node.kind_span,
                f"A {node.kind} belongs to a player: it is not said whose.",
                f"Write `{node.kind} of actor`.",
            )
        self.destination(node.place, scope)

    def players_wanted(self, node: n.Expr, found: Type) -> None:
        """A player or a set of players is needed."""
        inner = element_of(plain(found)) or plain(found)
        if isinstance(found, OptionalType):
            self.misfit(node, found, PLAYER)
        elif not isinstance(inner, (PlayerType, UnknownType)):
            self.error(
                "E425", node, f"A player or players are needed here; this is {described(found)}.", "Name who."
            )

    def is_piece_or_space(self, node: n.Expr, found: Type) -> None:
        """Something that can trade places."""
        if not isinstance(found, (PieceType, SpaceType, UnknownType)):
            self.error(
                "E424",
                node,
                f"Only pieces, spaces and zones can be swapped; this is {described(found)}.",
                "Name a piece.",
            )
