"""Lower effects: each instruction of the language as statements of the program.

Comes in: a parsed block. Goes out: a list of statements. After each call of something that may end a turn,
a phase or the game, the code looks whether it has; `lower_tidy` takes out the looks that are never needed.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.problems import Span
from rulewright.dsl.types import (
    BoardType,
    LineType,
    OptionalType,
    PieceType,
    SetType,
    SpaceType,
    Type,
    WordType,
    YesNoType,
    ZoneType,
    plain,
)
from rulewright.interpreter import ir
from rulewright.interpreter.lower_code import EMPTY, NO, NONE, YES, Code, binary, one_of
from rulewright.interpreter.lower_select import LowerSelections, Selected
from rulewright.interpreter.setting import refuse

TURN_ENDS, PHASE_ENDS, GAME_ENDS = 1, 2, 3
OWED_MOST = 24


class LowerEffects(LowerSelections):
    """Lowers effects; `LowerEvents` adds events and rules."""

    # ------------------------------------------------------------------ hooks

    def call_event(self, node: n.Do, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def at_once(self, node: n.ForEach, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerEvents`."""
        raise NotImplementedError

    def change_state(
        self, name: str, owners: tuple[ir.Expr, ...], how: str, value: ir.Expr, span: Span, code: Code
    ) -> list[ir.Statement]:
        """Lowered in `LowerEvents`: a change of state with the events that listen to it."""
        raise NotImplementedError

    def end_game(self, name: str | None, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`."""
        raise NotImplementedError

    def after_change(self, span: Span, code: Code) -> list[ir.Statement]:
        """Lowered in `LowerFlow`: what `at once when` ends read after every change."""
        raise NotImplementedError

    # ----------------------------------------------------------------- blocks

    def block(self, block: n.Block, code: Code) -> list[ir.Statement]:
        """The statements of a block."""
        found: list[ir.Statement] = []
        for effect in block:
            made, code = self.effect(effect, code)
            found += made
        return found

    def effect(self, node: n.Effect, code: Code) -> tuple[list[ir.Statement], Code]:
        """The statements of one instruction, and the code with what it names in reach."""
        if isinstance(node, n.Let):
            value = self.value(node.value, code)
            slot = code.slot(node.name)
            return [ir.Assign(slot, value, node.span)], code.with_names(
                {node.name: (ir.Local(slot), self.let_type(node))}
            )
        return self.instruction(node, code), code

    def let_type(self, node: n.Let) -> Type:
        """The type of a `let`: what stands for a set is kept as one."""
        found = self.type_of(node.value)
        if isinstance(found, (ZoneType, BoardType)):
            return SetType(element_of(found) or found)
        return found

    def value(self, node: n.Expr, code: Code) -> ir.Expr:
        """A value as it is kept: sets as sets."""
        if isinstance(plain(self.type_of(node)), (ZoneType, BoardType, SetType)):
            return self.as_set(node, code)
        return self.expr(node, code)

    def instruction(self, node: n.Effect, code: Code) -> list[ir.Statement]:
        """The statements of one instruction that names nothing."""
        span = node.span
        match node:
            case n.If():
                return self.if_(node, 0, code)
            case n.ForEach(at_once=True):
                return self.at_once(node, code)
            case n.ForEach(selection=selection, body=body):
                chosen = self.select(selection, code)
                return [
                    ir.ForEach(chosen.slot, chosen.set, tuple(self.block(body, chosen.code)), span),
                    *self.look(span, code),
                ]
            case n.Repeat(times=times, condition=condition, body=body):
                test = self.expr(condition, code) if condition is not None else None
                return [
                    ir.Repeat(self.expr(times, code), test, tuple(self.block(body, code)), span),
                    *self.look(span, code),
                ]
            case n.SetTo(target=target, value=value):
                return self.set_to(target, value, code, span)
            case n.AddTo(amount=amount, target=target):
                return self.grow(target, amount, "add", code, span)
            case n.TakeFrom(amount=amount, target=target):
                return self.grow(target, amount, "take", code, span)
            case n.Chooses():
                return self.chooses(node, code)
            case n.EachChooses():
                return self.each_chooses(node, code)
            case n.ChoosesValue():
                return self.chooses_value(node, code)
            case n.EachChoosesValue():
                return self.each_chooses_value(node, code)
            case n.Do():
                return self.call_event(node, code)
            case n.End(what=what, name=name):
                if what == "game":
                    return self.end_game(name, span, code)
                kind = TURN_ENDS if what == "turn" else PHASE_ENDS
                return [ir.Store(ir.UNWINDING, None, ir.Const(kind), span), *code.early_return(span)]
            case n.AnotherTurn(player=player):
                return self.another_turn(self.expr(player, code), span)
            case n.Skip(player=player):
                skips = self.build.own_variable(
                    "turns to skip of player", self.parts.player_count, "number", "number", ("player",), 0
                )
                who = self.expr(player, code)
                return [ir.Store(skips, who, binary("+", ir.Load(skips, who), YES), span)]
            case n.Reverse():
                return [ir.Store(ir.DIRECTION, None, binary("-", YES, ir.Load(ir.DIRECTION)), span)]
        return [*self.movement(node, code), *self.after_change(span, code)]

    def look(self, span: Span, code: Code) -> list[ir.Statement]:
        """Return at once if something that was called has ended the turn, the phase or the game."""
        return [ir.If(binary("!=", ir.Load(ir.UNWINDING), ir.Const(0)), code.early_return(span), (), span)]

    def if_(self, node: n.If, branch: int, code: Code) -> list[ir.Statement]:
        """`if … else if … else`."""
        if branch == len(node.branches):
            return self.block(node.otherwise or (), code)
        condition, body = node.branches[branch]
        test = self.expr(condition, code)
        if test == YES:
            return self.block(body, code)
        rest = self.if_(node, branch + 1, code)
        return rest if test == NO else [ir.If(test, tuple(self.block(body, code)), tuple(rest), node.span)]

    # ------------------------------------------------------------------ state

    def owners_of(self, target: n.Expr, code: Code) -> tuple[str, tuple[ir.Expr, ...], ir.Expr | None, int]:
        """Name, owners, the set of owners where several are meant, and the slot bound to each of them."""
        symbol = self.symbol(target)
        if isinstance(target, n.OfEvery):
            slot = code.slot(target.kind)
            return symbol.name, (ir.Local(slot),), self.all_of_kind(target.kind), slot
        if isinstance(target, n.Of):
            if element_of(plain(self.type_of(target.owner))) is not None:
                slot = code.slot("owner")
                return symbol.name, (ir.Local(slot),), self.as_set(target.owner, code), slot
            return symbol.name, (self.expr(target.owner, code),), None, -1
        if isinstance(target, n.Call):
            return symbol.name, tuple(self.expr(a, code) for a in target.arguments), None, -1
        return symbol.name, (), None, -1

    def each_owner(
        self,
        target: n.Expr,
        code: Code,
        span: Span,
        change: Callable[[str, tuple[ir.Expr, ...]], list[ir.Statement]],
    ) -> list[ir.Statement]:
        """A change of one state, or of that of each owner of a set."""
        name, owners, several, slot = self.owners_of(target, code)
        made = change(name, owners)
        return made if several is None else [ir.ForEach(slot, several, tuple(made), span)]

    def set_to(self, target: n.Expr, value: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`set X to V`."""
        found = self.assigned(value, target, code)

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            if self.symbol(target).form == "attribute":
                return [
                    ir.Store(self.build.variable_index[f"{name} of piece"], owners[0], found, span),
                    *self.after_change(span, code),
                ]
            return self.change_state(name, owners, "set", found, span, code)

        return self.each_owner(target, code, span, change)

    def assigned(self, value: n.Expr, target: n.Expr, code: Code) -> ir.Expr:
        """A value as its state keeps it."""
        symbol = self.symbol(target)
        if symbol.form == "state":
            wanted = plain(self.checked.state_types[symbol.name])
            if isinstance(wanted, SetType):
                return self.as_set(value, code)
            return self.converted(self.expr(value, code), self.type_of(value), wanted, code)
        return self.expr(value, code)

    def grow(self, target: n.Expr, amount: n.Expr, how: str, code: Code, span: Span) -> list[ir.Statement]:
        """`add V to X`, `take V from X`."""
        symbol = self.symbol(target)
        wanted = plain(self.checked.state_types[symbol.name]) if symbol.form == "state" else None
        value = self.as_set(amount, code) if isinstance(wanted, SetType) else self.expr(amount, code)

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            return self.change_state(name, owners, how, value, span, code)

        return self.each_owner(target, code, span, change)

    # --------------------------------------------------------------- movement

    def movement(self, node: n.Effect, code: Code) -> list[ir.Statement]:
        """What moves, turns, rolls or shows pieces."""
        span = node.span
        match node:
            case n.Move(things=things, place=place):
                return self.move(things, place, code, span)
            case n.Deal():
                return self.deal(node, code)
            case n.Shuffle(zone=zone):
                return [self.shuffle(zone, code, span)]
            case n.Reveal(things=things):
                return [ir.Show(self.things(things, code), self.build.everybody(), span)]
            case n.Show(things=things, to=to):
                if isinstance(things, n.Of) and things.name in ("face", "kind"):
                    things = things.owner
                return [ir.Show(self.things(things, code), self.as_set(to, code), span)]
            case n.Place():
                return self.place_pieces(node, code)
            case n.Return(things=things):
                return self.back(self.things(things, code), code, span)
            case n.Remove(things=things):
                return [ir.MovePieces(self.things(things, code), ir.Const(0), False, -1, span)]
            case n.Swap(first=first, second=second):
                return [self.swap(first, second, code, span)]
            case n.TurnTo(things=things, face=face):
                slot = code.slot("turned")
                faces = self.build.variable_index["face of piece"]
                store = ir.Store(faces, ir.Local(slot), self.expr(face, code), span)
                return [ir.ForEach(slot, self.things(things, code), (store,), span)]
            case n.Roll(things=things):
                return self.roll(things, code, span)
        raise refuse(
            "E449", "This instruction is known, but cannot be played yet.", "Leave it out for now.", span
        )

    def things(self, node: n.Expr, code: Code) -> ir.Expr:
        """The pieces that something is done to: all of a set, or as many of them as are named."""
        if isinstance(node, n.Chosen) and node.amount is not None and node.amount.number is not None:
            chosen = self.select(node.selection, code)
            return self.first_of(chosen.set, self.expr(node.amount.number, code), code)
        return self.as_set(node, code)

    def first_of(self, set: ir.Expr, number: ir.Expr, code: Code) -> ir.Expr:
        """The first so many values of a set."""
        return ir.FirstFew(set, number)

    def move(self, things: n.Expr, place: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`move THINGS to PLACE`."""
        bottom = isinstance(place, n.Of) and place.name == "bottom"
        pieces = self.things(things, code)
        if (
            isinstance(things, n.Of)
            and things.name in ("top", "bottom")
            and isinstance(plain(self.type_of(things.owner)), ZoneType)
        ):
            pieces = ir.MakeSet((self.expr(things, code),), skip_none=True)
        return [ir.MovePieces(pieces, self.goal(things, place, code), bottom, -1, span)]

    def goal(self, things: n.Expr, place: n.Expr, code: Code) -> ir.Expr:
        """Where pieces go: cards that go to a card go to its space."""
        found = plain(self.type_of(place))
        if isinstance(found, PieceType) and self.moves_cards(things) and self.base_of(found.kind) == "card":
            return ir.PlaceOf(self.expr(place, code))
        return self.place(place, code)

    def moves_cards(self, things: n.Expr) -> bool:
        """Whether what moves is cards."""
        found = plain(self.type_of(things))
        piece = element_of(found) or found
        return isinstance(piece, PieceType) and self.base_of(piece.kind) == "card"

    def deal(self, node: n.Deal, code: Code) -> list[ir.Statement]:
        """`deal N from PILE to PLACE`: one after the other from the top; to several, one each in turn."""
        span = node.span
        bottom = (
            isinstance(node.source, n.Of)
            and node.source.name == "bottom"
            and isinstance(plain(self.type_of(node.source.owner)), ZoneType)
        )
        source = node.source.owner if bottom and isinstance(node.source, n.Of) else node.source
        number = (
            node.things.amount.number
            if isinstance(node.things, n.Chosen) and node.things.amount is not None
            else node.things
        )
        times = self.expr(number, code) if number is not None else ir.Const(1)
        slot = code.slot("dealt")
        if bottom:
            card: ir.Expr = ir.MakeSet(
                (ir.Quantifier("first", slot, self.contents(source, code), YES),), skip_none=True
            )
        else:
            card = self.contents(source, code, True)
        if isinstance(node.place, (n.OfEvery, n.Of)) and self.goes_to_several(node.place):
            owner = code.slot("owner")
            owners = (
                self.all_of_kind(node.place.kind)
                if isinstance(node.place, n.OfEvery)
                else self.as_set(node.place.owner, code)
            )
            to = self.zone_place(node.place.name, ir.Local(owner))
            one: ir.Statement = ir.ForEach(owner, owners, (ir.MovePieces(card, to, False, -1, span),), span)
        else:
            one = ir.MovePieces(card, self.place(node.place, code), False, -1, span)
        return [ir.Repeat(times, None, (one,), span)]

    def goes_to_several(self, place: n.Expr) -> bool:
        """Whether a destination is the zones of several owners."""
        if isinstance(place, n.OfEvery):
            return True
        return isinstance(place, n.Of) and element_of(plain(self.type_of(place.owner))) is not None

    def shuffle(self, zone: n.Expr, code: Code, span: Span) -> ir.Statement:
        """`shuffle ZONE`: each zone has its own luck."""
        symbol = self.symbol(zone)
        names = [p.name for p in self.parts.places if p.kind == "zone" and p.group == symbol.name] or ["box"]
        first = self.build.streams_for("shuffle", names)
        place = self.place(zone, code)
        base = self.parts.zone_first.get(symbol.name, 0)
        stream = (
            binary("+", binary("-", place, ir.Const(base)), ir.Const(first))
            if len(names) > 1
            else ir.Const(first)
        )
        return ir.Shuffle(place, stream, span)

    def place_pieces(self, node: n.Place, code: Code) -> list[ir.Statement]:
        """`place [N] KIND [of OWNER] on PLACE`: from the supply, else from the box."""
        span = node.span
        place = self.place(node.place, code)
        if node.kind in code.names:
            return [ir.MovePieces(one_of(code.names[node.kind][0]), place, False, -1, span)]
        kind = self.parts.world.kind_called(node.kind) or node.kind
        number: ir.Expr = YES
        if node.amount is not None and node.amount.number is not None:
            number = self.expr(node.amount.number, code)
        if self.base_of(kind) != "token":
            slot = code.slot(kind)
            lying = ir.Filter(slot, ir.Contents(ir.Const(0)), self.is_kind(ir.Local(slot), kind, "piece"))
            return [ir.MovePieces(self.first_of(lying, number, code), place, False, -1, span)]
        table = self.stand_in_table(kind)
        if node.owner is None:
            return self.repeated(
                number, ir.MovePieces(one_of(ir.At(table, ir.Const(0))), place, False, -1, span), span
            )
        if isinstance(node.owner, n.OfEvery) or element_of(plain(self.type_of(node.owner))) is not None:
            slot = code.slot("owner")
            owners = (
                self.all_of_kind(node.owner.kind)
                if isinstance(node.owner, n.OfEvery)
                else self.as_set(node.owner, code)
            )
            one = ir.MovePieces(one_of(ir.At(table, ir.Local(slot))), place, False, -1, span)
            return [ir.ForEach(slot, owners, tuple(self.repeated(number, one, span)), span)]
        one = ir.MovePieces(one_of(ir.At(table, self.expr(node.owner, code))), place, False, -1, span)
        return self.repeated(number, one, span)

    def repeated(self, number: ir.Expr, one: ir.Statement, span: Span) -> list[ir.Statement]:
        """A statement so many times."""
        return [one] if number == YES else [ir.Repeat(number, None, (one,), span)]

    def back(self, pieces: ir.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`return THINGS`: tokens to their owner's supply, everything else to the box."""
        slot = code.slot("returned")

        def home() -> tuple[int, ...]:
            found = []
            for i in self.parts.piece_values:
                token = self.base_of(self.parts.kind_of(i)) == "token"
                found.append(self.parts.supply_first + 1 + self.parts.owner_of(i) if token else 0)
            return tuple(found)

        table = self.build.table("home of piece", 0, home)
        one = ir.MovePieces(one_of(ir.Local(slot)), ir.At(table, ir.Local(slot)), False, -1, span)
        return [ir.ForEach(slot, pieces, (one,), span)]

    def swap(self, first: n.Expr, second: n.Expr, code: Code, span: Span) -> ir.Statement:
        """`swap A with B`: two pieces with all that is on and under them, or two zones."""
        places = []
        for node in (first, second):
            found = plain(self.type_of(node))
            places.append(
                ir.PlaceOf(self.expr(node, code)) if isinstance(found, PieceType) else self.place(node, code)
            )
        return ir.Exchange(places[0], places[1], span)

    def roll(self, things: n.Expr, code: Code, span: Span) -> list[ir.Statement]:
        """`roll THINGS`: each die has its own luck."""
        die, face = code.slot("die"), code.slot("face")
        dice = [i for i in range(len(self.parts.pieces)) if self.base_of(self.parts.kind_of(i)) == "die"]
        if not dice:
            raise refuse(
                "E424",
                "Only dice can be rolled, and this game has none.",
                "Declare them under `dice:`.",
                span,
            )
        first = self.build.streams_for(
            "die", [f"{self.parts.pieces[i].kind} {i - dice[0] + 1}" for i in dice]
        )
        faces = self.build.variable_index["face of piece"]
        sets = self.build.table(
            "faces of dice", 0, lambda: tuple(self.faces_of(i) for i in self.parts.piece_values)
        )
        stream = binary("+", ir.Local(die), ir.Const(first - dice[0]))
        kind = self.parts.kind_of(dice[0])
        draw = ir.Chance(
            face, ir.At(sets, ir.Local(die)), stream, self.type_name(self.face_type_of(kind)), span
        )
        store = ir.Store(faces, ir.Local(die), ir.Local(face), span)
        return [ir.ForEach(die, self.things(things, code), (draw, store), span)]

    def faces_of(self, index: int) -> tuple[int, ...]:
        """The faces of one die, or what a piece can be turned to."""
        from rulewright.interpreter.lower_parts import _inherited

        kind = self.game.kinds.get(self.parts.kind_of(index))
        if kind is None:
            return ()
        faces = _inherited(self.parts, kind, "faces")
        span = _inherited(self.parts, kind, "face_range")
        if isinstance(span, n.NumberRange):
            low, high = self.parts.settler.number(span.low, 0), self.parts.settler.number(span.high, 0)
            return tuple(range(low, high + 1))
        if isinstance(faces, tuple) and faces:
            return tuple(range(len(faces)))
        face_type = _inherited(self.parts, kind, "face_type")
        if face_type == "player":
            return tuple(range(self.parts.player_count))
        if isinstance(face_type, str) and face_type in self.parts.world.enums:
            return tuple(range(len(self.parts.words(face_type))))
        return ()

    def face_type_of(self, kind: str) -> Type:
        """The type of the faces of a kind."""
        from rulewright.dsl.types import PLAYER, NumberType
        from rulewright.interpreter.lower_parts import _inherited

        decl = self.game.kinds[kind]
        if isinstance(_inherited(self.parts, decl, "face_range"), n.NumberRange):
            return NumberType()
        face_type = str(_inherited(self.parts, decl, "face_type") or "")
        return PLAYER if face_type == "player" else WordType(face_type)

    # ---------------------------------------------------------------- choices

    def type_name(self, found: Type) -> str:
        """The name of a type, by which values are told to people."""
        match plain(found):
            case PieceType(kind):
                return kind
            case WordType(enum):
                return enum
            case YesNoType():
                return "yes or no"
            case SpaceType():
                return "space"
            case SetType(element, _):
                return self.type_name(element)
            case ZoneType(holds, _):
                return holds
            case LineType():
                return "line"
        names = {"PlayerType": "player", "DirectionType": "direction", "KindWordType": "kind"}
        return names.get(type(plain(found)).__name__, "number")

    def chooses(self, node: n.Chooses, code: Code) -> list[ir.Statement]:
        """`P chooses SEL: …`, with `or none` and `else`."""
        chosen = self.select(node.chosen.selection, code)
        span = node.span
        if isinstance(node.chooser, n.Name) and node.chooser.text == "chance":
            return self.chance_chooses(node, chosen, code)
        player = self.expr(node.chooser, code)
        prompt = self.prompt_for(node, chosen.name)
        slot = code.slot(chosen.name)
        key = ir.Key(chosen.name, chosen.slot, chosen.set, self.type_name(chosen.element), node.chosen.span)
        found: Type = chosen.element
        if node.chosen.amount is None:
            or_none = node.or_none if isinstance(node.or_none, bool) else None
            declines = ir.Const(int(or_none)) if or_none is not None else self.expr(node.or_none, code)  # type: ignore[arg-type]
            ask: ir.Statement = ir.ChooseOne(player, slot, key, declines, prompt, span)
            none = binary("==", ir.Local(slot), NONE)
        else:
            least, most = self.amounts(node.chosen, code)
            if node.or_none is not False:
                least = ir.Const(0)
            ask = ir.ChooseSome(player, slot, key, least, most, prompt, span)
            none = binary("==", ir.Size(ir.Local(slot)), ir.Const(0))
            found = SetType(chosen.element)
        inner = code.with_names({chosen.name: (ir.Local(slot), found)})
        body, otherwise = tuple(self.block(node.body, inner)), tuple(self.block(node.otherwise or (), code))
        return [ask, ir.If(none, otherwise, body, span)]

    def amounts(self, node: n.Chosen, code: Code) -> tuple[ir.Expr, ir.Expr]:
        """The least and the most of a plural choice."""
        assert node.amount is not None
        if node.amount.number is None:
            return ir.Const(0), ir.Const(10_000)
        number = self.expr(node.amount.number, code)
        return (ir.Const(0), number) if node.amount.word == "up to" else (number, number)

    def prompt_for(self, node: n.Chooses | n.EachChooses, name: str) -> ir.Sentence:
        """The question that a choice in an effect asks."""
        return ir.Sentence((f"Choose {name.replace('_', ' ')}",))

    def chance_chooses(self, node: n.Chooses, chosen: Selected, code: Code) -> list[ir.Statement]:
        """`chance chooses SEL: …`."""
        span = node.span
        stream = ir.Const(self.build.nth_chance(code))
        slot = code.slot(chosen.name)
        name = self.type_name(chosen.element)
        if node.chosen.amount is None:
            inner = code.with_names({chosen.name: (ir.Local(slot), chosen.element)})
            body, otherwise = (
                tuple(self.block(node.body, inner)),
                tuple(self.block(node.otherwise or (), code)),
            )
            draw = ir.Chance(slot, chosen.set, stream, name, span)
            return [draw, ir.If(binary("==", ir.Local(slot), NONE), otherwise, body, span)]
        left, drawn = code.slot("left"), code.slot("drawn")
        _, most = self.amounts(node.chosen, code)
        rest = ir.Filter(chosen.slot, ir.Local(left), binary("!=", ir.Local(chosen.slot), ir.Local(drawn)))
        inner = code.with_names({chosen.name: (ir.Local(slot), SetType(chosen.element))})
        return [
            ir.Assign(left, chosen.set, span),
            ir.Assign(slot, EMPTY, span),
            ir.Repeat(
                most,
                binary("<", ir.Const(0), ir.Size(ir.Local(left))),
                (
                    ir.Chance(drawn, ir.Local(left), stream, name, span),
                    ir.Assign(slot, ir.Union(ir.Local(slot), one_of(ir.Local(drawn))), span),
                    ir.Assign(left, rest, span),
                ),
                span,
            ),
            ir.If(
                binary("==", ir.Size(ir.Local(slot)), ir.Const(0)),
                tuple(self.block(node.otherwise or (), code)),
                tuple(self.block(node.body, inner)),
                span,
            ),
        ]

    def each_chooses(self, node: n.EachChooses, code: Code) -> list[ir.Statement]:
        """`each SEL chooses CHOSEN, together: …`."""
        players = self.select(node.selection, code)
        chosen = self.select(node.chosen.selection, players.code)
        span = node.span
        many = node.chosen.amount is not None
        name = self.type_name(chosen.element)
        least, most = self.amounts(node.chosen, players.code) if many else (None, None)
        variable = self.build.own_variable(
            f"{chosen.name} chosen in {code.name}" + ("" if not many else " (several)"),
            self.parts.player_count,
            "set" if many else "number",
            name,
            ("player",),
        )
        key = ir.Key(chosen.name, chosen.slot, chosen.set, name, node.chosen.span)
        ask = ir.ChooseTogether(
            players.set,
            players.slot,
            key,
            least,
            most,
            variable,
            ir.Sentence((f"Choose {chosen.name.replace('_', ' ')}",)),
            span,
        )
        slot = code.slot(chosen.name)
        element: Type = SetType(chosen.element) if many else chosen.element
        inner = players.code.with_names({chosen.name: (ir.Local(slot), element)})
        got = ir.Load(variable, ir.Local(players.slot))
        none = (
            binary("==", ir.Size(ir.Local(slot)), ir.Const(0)) if many else binary("==", ir.Local(slot), NONE)
        )
        body = (ir.Assign(slot, got, span), ir.If(none, (), tuple(self.block(node.body, inner)), span))
        done = code.slot("who chose")
        return [
            ir.Assign(done, players.set, span),
            ask,
            ir.ForEach(players.slot, ir.Local(done), body, span),
            *self.look(span, code),
        ]

    def chooses_value(self, node: n.ChoosesValue, code: Code) -> list[ir.Statement]:
        """`P chooses X from SET [, else V]`."""
        chooser = node.chooser
        if isinstance(chooser, n.Of) and chooser.name in ("agreement", "majority"):
            raise refuse(
                "E449",
                f"`{chooser.name} of …` is known, but cannot be played yet.",
                "Let one player choose for now.",
                node.span,
            )
        span, slot, each = node.span, code.slot("chosen"), code.slot("each")
        symbol = self.symbol(node.target)
        wanted = self.checked.state_types[symbol.name]
        key = ir.Key(
            symbol.name, each, self.as_set(node.options, code), self.type_name(wanted), node.options.span
        )
        if isinstance(chooser, n.Name) and chooser.text == "chance":
            ask: ir.Statement = ir.Chance(
                slot, key.domain, ir.Const(self.build.nth_chance(code)), key.type, span
            )
        else:
            title = self.find_state(symbol.name).title or f"Choose {symbol.name.replace('_', ' ')}"
            ask = ir.ChooseOne(self.expr(chooser, code), slot, key, NO, ir.Sentence((title,)), span)

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            return self.change_state(name, owners, "set", ir.Local(slot), span, code)

        otherwise: tuple[ir.Statement, ...] = ()
        if node.otherwise is not None:
            otherwise = tuple(self.set_to(node.target, node.otherwise, code, span))
        stored = tuple(self.each_owner(node.target, code, span, change))
        none = binary("==", ir.Local(slot), NONE)
        if isinstance(wanted, OptionalType):
            return [ask, *stored]
        return [ask, ir.If(none, otherwise, stored, span)]

    def each_chooses_value(self, node: n.EachChoosesValue, code: Code) -> list[ir.Statement]:
        """`each SEL chooses X from SET, together`."""
        players = self.select(node.selection, code)
        span, each = node.span, code.slot("each")
        symbol = self.symbol(node.target)
        wanted = self.checked.state_types[symbol.name]
        key = ir.Key(
            symbol.name,
            each,
            self.as_set(node.options, players.code),
            self.type_name(wanted),
            node.options.span,
        )
        variable = self.build.own_variable(
            f"{symbol.name} chosen in {code.name}", self.parts.player_count, "number", key.type, ("player",)
        )
        title = self.find_state(symbol.name).title or f"Choose {symbol.name.replace('_', ' ')}"
        ask = ir.ChooseTogether(
            players.set, players.slot, key, None, None, variable, ir.Sentence((title,)), span
        )
        got = ir.Load(variable, ir.Local(players.slot))

        def change(name: str, owners: tuple[ir.Expr, ...]) -> list[ir.Statement]:
            return self.change_state(name, owners, "set", got, span, code)

        stored = tuple(self.each_owner(node.target, players.code, span, change))
        done = code.slot("who chose")
        test = binary("!=", got, NONE)
        body = stored if isinstance(wanted, OptionalType) else (ir.If(test, stored, (), span),)
        return [
            ir.Assign(done, players.set, span),
            ask,
            ir.ForEach(players.slot, ir.Local(done), body, span),
            *self.look(span, code),
        ]

    # ------------------------------------------------------------------ turns

    def another_turn(self, player: ir.Expr, span: Span) -> list[ir.Statement]:
        """`give another turn to P`: at the end of the queue of owed turns."""
        queue = self.build.own_variable("turns owed", OWED_MOST, "number", "player", ("number",))
        length = self.build.own_variable("number of turns owed", 1, "number", "number", (), 0)
        owed = self.build.own_variable(
            "turns owed of player", self.parts.player_count, "number", "number", ("player",), 0
        )
        return [
            ir.Store(queue, ir.Load(length), player, span),
            ir.Store(length, None, binary("+", ir.Load(length), YES), span),
            ir.Store(owed, player, binary("+", ir.Load(owed, player), YES), span),
        ]
