"""Lower the flow: phases, turns, decisions and ends.

Comes in: the tree of phases. Goes out: a function for each phase and for each place where somebody acts.
A repeated phase is entered and left once for each repetition; the whole flow is the phase `game`. What
never happens: a phase that is skipped or a turn that passes without a note in the trace.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.model import End, Phase, State
from rulewright.dsl.problems import Span
from rulewright.dsl.types import PLAYER, OptionalType, SetType, Type, plain
from rulewright.interpreter import ir
from rulewright.interpreter.lower_arrange import LowerArrange
from rulewright.interpreter.lower_code import (
    EMPTY,
    NO,
    NONE,
    YES,
    Code,
    binary,
    chosen,
    finished,
    negated,
)
from rulewright.interpreter.lower_effect import GAME_ENDS, PHASE_ENDS, TURN_ENDS
from rulewright.interpreter.lower_held import Bound
from rulewright.interpreter.lower_windows import LowerWindows


class LowerFlow(LowerArrange, LowerWindows):
    """Lowers the flow of a game."""

    def end_game(self, name: str | None, span: Span, code: Code) -> list[ir.Statement]:
        """`end game [as NAME]`: the named end, or the first whose condition holds, or the first of all."""
        if name is not None:
            return [self.reach(self.game.ends[name], {}, code, span), *code.early_return(span)]
        body: list[ir.Statement] = []
        for end in self.ends_in_use():
            if end.happenings:
                continue
            test = self.expr(end.condition, code) if end.condition is not None else YES
            body.append(ir.If(test, (self.reach(end, {}, code, span), *code.early_return(span)), (), span))
        return [*body, ir.Fail(ir.Sentence(("The game is to end here, but no end fits.",)), span)]

    def ends_in_use(self) -> list[End]:
        """The ends of this game."""
        return [e for e in self.game.ends.values() if f"ends.{e.name}" not in self.parts.removed]

    def reach(self, end: End, names: Bound, code: Code, span: Span) -> ir.Statement:
        """The game ends, and these have won."""
        return ir.EndGame(
            list(self.game.ends).index(end.name), self.winners(end, code.with_names(names)), span
        )

    def winners(self, end: End, code: Code) -> ir.Expr:
        """Who wins: of several the tie-break decides, else all of them."""
        if end.winner == "everybody":
            return self.build.everybody()
        if isinstance(end.winner, str):
            return EMPTY
        found = self.as_set(end.winner, code)
        for value in end.tie:
            if value == "nobody":
                alone = binary("==", ir.Size(found), YES)
                return chosen(alone, found, EMPTY)
            if isinstance(value, n.Expr):
                slot = code.slot("player")
                number = self.expr(value, code.with_names({"player": (ir.Local(slot), PLAYER)}))
                found = ir.BestOf("largest", slot, found, number)
        return found

    def ends_after(self, word: str, name: str, names: Bound, code: Code) -> list[ir.Statement]:
        """The ends that are read after an event."""
        found: list[ir.Statement] = []
        for end in self.ends_in_use():
            if any((h.word, h.name) == (word, name) for h in end.happenings):
                inner = code.with_names(names)
                test = self.expr(end.condition, inner) if end.condition is not None else YES
                found.append(
                    ir.If(
                        test,
                        (self.reach(end, names, code, end.span), *code.early_return(end.span)),
                        (),
                        end.span,
                    )
                )
        return found

    def ends_on_crossing(
        self, state: str, names: Bound, code: Code
    ) -> list[tuple[n.Happening, list[ir.Statement], Span]]:
        """The ends that are read when a state becomes something."""
        found: list[tuple[n.Happening, list[ir.Statement], Span]] = []
        for end in self.ends_in_use():
            for h in end.happenings:
                if (h.word, h.name) == ("becomes", state):
                    inner = code.with_names(names)
                    test = self.expr(end.condition, inner) if end.condition is not None else YES
                    then = (self.reach(end, names, code, end.span), *code.early_return(end.span))
                    found.append((h, [ir.If(test, then, (), end.span)], end.span))
        return found

    def check_ends(self) -> int:
        """A function that reads the ends with `when`: after each action and each automatic step."""

        def write(_: int) -> ir.Function:
            code = Code("read the ends")
            return finished(code, 0, self.read_ends(code, at_once=False))

        return self.build.function("read the ends", write)

    def read_ends(self, code: Code, at_once: bool) -> list[ir.Statement]:
        """The ends read at one kind of moment, the first that fits counts."""
        body: list[ir.Statement] = []
        for end in self.ends_in_use():
            if end.happenings or end.condition is None or end.at_once != at_once:
                continue
            test = self.expr(end.condition, code)
            if test != NO:
                body.append(
                    ir.If(
                        test, (self.reach(end, {}, code, end.span), ir.Return(None, end.span)), (), end.span
                    )
                )
        return body

    def after_step(self, span: Span, code: Code) -> list[ir.Statement]:
        """Read the ends after an action or an automatic step."""
        return [*self.ends_now(span), *self.look(span, code)]

    def ends_now(self, span: Span) -> list[ir.Statement]:
        """Read the ends with `when`, if there are any, without a look whether one was reached."""
        read = (e for e in self.ends_in_use() if not e.at_once and not e.happenings)
        if all(e.condition is None for e in read):
            return []
        return [ir.CallTo(self.check_ends(), (), -1, span)]

    def after_change(self, span: Span, code: Code) -> list[ir.Statement]:
        """`at once when` ends are read after every single change."""
        if not any(e.at_once for e in self.ends_in_use()) or code.name == "read the ends at once":
            return []

        def write(_: int) -> ir.Function:
            inner = Code("read the ends at once")
            return finished(inner, 0, self.read_ends(inner, at_once=True))

        return [
            ir.CallTo(self.build.function("read the ends at once", write), (), -1, span),
            *self.look(span, code),
        ]

    def phase(self, phase: Phase) -> int:
        """The function that runs a phase, all its repetitions and values."""
        return self.build.function(f"phase {phase.path}", lambda _: self.write_phase(phase))

    def write_phase(self, phase: Phase) -> ir.Function:
        """`for each`, `repeat` and `until` round the single run of a phase."""
        code, span = Code(f"phase {phase.path}"), phase.span
        once: list[ir.Statement] = [ir.CallTo(self.one_run(phase), (), -1, span), *self.look(span, code)]
        if phase.repeat is not None:
            test = None
            if phase.until is not None and phase.turns is None:
                test = negated(self.expr(phase.until, code))
            once = [
                ir.Repeat(self.expr(phase.repeat.number, code), test, tuple(once), span),
                *self.look(span, code),
            ]
        elif phase.until is not None and phase.turns is None:
            once = self.until_loop(phase, once, code)
        if phase.for_each is not None:
            chosen_ = self.select(phase.for_each.selection, code)
            variable = self.build.variable_index[chosen_.name]
            store = ir.Store(variable, None, ir.Local(chosen_.slot), span)
            once = [ir.ForEach(chosen_.slot, chosen_.set, (store, *once), span), *self.look(span, code)]
        return finished(code, 0, once, span)

    def until_loop(self, phase: Phase, once: list[ir.Statement], code: Code) -> list[ir.Statement]:
        """A phase that is run again until a condition holds, at most so often."""
        assert phase.until is not None
        span, test = phase.span, negated(self.expr(phase.until, code))
        most = self.expr(phase.at_most.number, code) if phase.at_most is not None else ir.Const(10_000)
        return [
            ir.Repeat(most, test, tuple(once), span),
            *self.look(span, code),
            *self.too_many(phase, code, test),
        ]

    def too_many(self, phase: Phase, code: Code, still: ir.Expr) -> list[ir.Statement]:
        """What happens when `at most` is used up."""
        times = phase.at_most
        if times is None or times.then is None:
            return []
        return [ir.If(still, tuple(self.end_as(times.then, phase.span, code)), (), phase.span)]

    def end_as(self, name: str, span: Span, code: Code) -> list[ir.Statement]:
        """End the game by the name of an end."""
        if name == "unfinished" and name not in self.game.ends:
            return [ir.EndGame(len(self.game.ends), EMPTY, span), *code.early_return(span)]
        return self.end_game(name, span, code)

    def one_run(self, phase: Phase) -> int:
        """The function that enters, runs and leaves a phase once."""
        return self.build.function(f"run {phase.path}", lambda _: self.write_run(phase))

    def write_run(self, phase: Phase) -> ir.Function:
        """Enter, do what the phase holds, leave."""
        code, span = Code(f"run {phase.path}"), phase.span
        body: list[ir.Statement] = []
        if phase.skip_when is not None:
            note = ir.Note("skipped", phase.name, ir.Sentence((f"{phase.title} is skipped.",)), span)
            skipped = (
                *self.side_rules("before", "skipping", phase.name, {}, code),
                note,
                *self.side_rules("after", "skipping", phase.name, {}, code),
                ir.Return(None, span),
            )
            body.append(ir.If(self.expr(phase.skip_when, code), skipped, (), span))
        body.append(ir.Enter("phase", phase.path, ir.Sentence((phase.title,)), (), (), span))
        code.entered += 1
        body += self.fresh(phase, code)
        for _, counted in sorted(self.counted):
            if counted == phase.name:
                body += [
                    ir.Store(self.happenings_variable(e, p), None, ir.Const(0), span)
                    for e, p in sorted(self.counted)
                    if p == phase.name
                ]
                break
        body += self.side_rules("before", "entering", phase.name, {}, code)
        body += self.block(phase.on_enter, code)
        body += self.side_rules("after", "entering", phase.name, {}, code)
        body += self.inside(phase, code)
        # `end phase` leaves what is inside; leaving it is still an event
        ends = binary("==", ir.Load(ir.UNWINDING), ir.Const(PHASE_ENDS))
        body.append(ir.If(ends, (ir.Store(ir.UNWINDING, None, ir.Const(0), span),), (), span))
        body += self.forget_owed(phase)
        leaving = [
            *self.leaving_window(phase, code),
            *self.side_rules("before", "leaving", phase.name, {}, code),
            *self.block(phase.on_leave, code),
            *self.side_rules("after", "leaving", phase.name, {}, code),
        ]
        body += self.ended_around(leaving, span, code) if leaving else self.look(span, code)
        body.append(ir.Leave(span))
        return finished(code, 0, body, span)

    def ended_around(self, leaving: list[ir.Statement], span: Span, code: Code) -> list[ir.Statement]:
        """Leave a phase, also when the turn around it has been ended inside; the turn ends afterwards."""
        if not self.turns_end_inside():
            return [*self.look(span, code), *leaving]
        ended = code.slot("ended")
        over = binary("==", ir.Load(ir.UNWINDING), ir.Const(GAME_ENDS))
        return [
            ir.If(over, code.early_return(span), (), span),
            ir.Assign(ended, ir.Load(ir.UNWINDING), span),
            ir.Store(ir.UNWINDING, None, ir.Const(0), span),
            *leaving,
            ir.Store(ir.UNWINDING, None, ir.Binary("max", ir.Load(ir.UNWINDING), ir.Local(ended)), span),
        ]

    def turns_end_inside(self) -> bool:
        """Whether any effect ends a turn, and any turn holds phases."""
        return self.uses(n.End) and any(p.each_turn or p.phases for p in self.game.phases.values())

    def forget_owed(self, phase: Phase) -> list[ir.Statement]:
        """When the turns of a phase are over, so are those that were still owed in it."""
        if phase.turns is None or not self.uses(n.AnotherTurn) or self.lies_in_a_turn(phase):
            return []
        span = phase.span
        self.another_turn(ir.Const(0), span)  # makes the variables of the queue
        owed = self.build.variable_index["turns owed of player"]
        length = self.build.variable_index["number of turns owed"]
        return [
            ir.Store(length, None, NO, span),
            *(ir.Store(owed, ir.Const(p), NO, span) for p in range(self.parts.player_count)),
        ]

    def lies_in_a_turn(self, phase: Phase) -> bool:
        """Whether a phase belongs to the turn of a phase around it."""

        def holds(outer: Phase) -> bool:
            inner = (*outer.each_turn, *outer.phases)
            return phase in inner or any(holds(p) for p in inner)

        return any(p.turns is not None and p is not phase and holds(p) for p in self.game.phases.values())

    def fresh(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """The state of a phase starts afresh each time the phase is entered."""
        found: list[ir.Statement] = []
        for state in phase.states:
            variable = self.state_variable(state.name)
            start = self.start_of(state, code)
            cells = self.build.variables[variable].cells
            if cells == 1:
                found.append(ir.Store(variable, None, start, state.span))
            else:
                slot = code.slot("cell")
                every = ir.SetConst(tuple(range(cells)))
                found.append(
                    ir.ForEach(
                        slot, every, (ir.Store(variable, ir.Local(slot), start, state.span),), state.span
                    )
                )
        return found

    def start_of(self, state: State, code: Code) -> ir.Expr:
        """The value that a state starts with."""
        found = self.checked.state_types[state.name]
        if state.start is not None:
            if isinstance(plain(found), SetType):
                return self.as_set(state.start, code)
            return self.expr(state.start, code)
        return self.empty_start(found)

    def empty_start(self, found: Type) -> ir.Expr:
        """What a state starts with when nothing is said: none, the empty set, 0 or the lowest number, the
        first word.
        """
        if isinstance(found, OptionalType):
            return NONE
        if isinstance(plain(found), SetType):
            return EMPTY
        low = getattr(plain(found), "low", 0)
        high = getattr(plain(found), "high", 0)
        return ir.Const(0 if low <= 0 <= high else low)

    def inside(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """What a phase holds, in a function of its own so that `end phase` can leave it."""

        def write(_: int) -> ir.Function:
            inner = Code(f"in {phase.path}")
            opening = self.entering_window(phase, inner)
            if phase.turns is not None:
                body = self.turns(phase, phase.turns, inner)
            elif phase.who is not None:
                body = self.one_player(phase, phase.who, inner)
            else:
                body = self.step(phase, inner)
            return finished(inner, 0, [*opening, *body], phase.span)

        return [ir.CallTo(self.build.function(f"in {phase.path}", write), (), -1, phase.span)]

    def step(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """An automatic step, what is done by who acts, and the phases inside."""
        body: list[ir.Statement] = []
        if phase.do is not None:
            body += [
                *self.own_function(f"do in {phase.path}", phase.do, phase.span),
                *self.after_step(phase.span, code),
            ]
        if phase.arrange:
            lay = ir.CallTo(self.arrange(phase), (), -1, phase.span)
            body += [lay, *self.look(phase.span, code), *self.after_step(phase.span, code)]
        if phase.actions:
            act = self.act(phase)
            if phase.until_ended:
                again = (ir.CallTo(act, (), -1, phase.span), *self.look(phase.span, code))
                body.append(ir.Loop(again, phase.span))
            else:
                body += [ir.CallTo(act, (), -1, phase.span), *self.look(phase.span, code)]
        for inner in (*phase.each_turn, *phase.phases):
            body += [ir.CallTo(self.phase(inner), (), -1, inner.span), *self.look(inner.span, code)]
        return body

    def one_player(self, phase: Phase, who: n.Expr, code: Code) -> list[ir.Statement]:
        """A phase in which one player acts."""
        slot = code.slot("who")
        if element_of(plain(self.type_of(who))) is not None:
            return [
                ir.ForEach(
                    slot,
                    self.seated(who, code),
                    tuple(self.one_turn(phase, ir.Local(slot), code)),
                    phase.span,
                ),
                *self.look(phase.span, code),
            ]
        return [*self.one_turn(phase, self.expr(who, code), code), *self.look(phase.span, code)]

    def turn(self, phase: Phase) -> int:
        """The function for one turn of the actor."""

        def write(_: int) -> ir.Function:
            code = Code(f"turn of {phase.path}")
            return finished(code, 0, self.step(phase, code), phase.span)

        return self.build.function(f"turn of {phase.path}", write)

    def one_turn(self, phase: Phase, player: ir.Expr, code: Code) -> list[ir.Statement]:
        """A player's turn; `end turn` ends it and nothing more."""
        span = phase.span
        ended = binary("==", ir.Load(ir.UNWINDING), ir.Const(TURN_ENDS))
        return [
            ir.Store(ir.ACTOR, None, player, span),
            ir.CallTo(self.turn(phase), (), -1, span),
            ir.If(ended, (ir.Store(ir.UNWINDING, None, ir.Const(0), span),), (), span),
        ]

    def turns(self, phase: Phase, turns: n.Turns, code: Code) -> list[ir.Statement]:
        """Turns: round and round from a player, once round, or those of a set."""
        span = phase.span
        if (
            turns.start is None
            and turns.players is not None
            and phase.at_most is None
            and phase.until is None
        ):
            slot = code.slot("player")
            return [
                ir.ForEach(
                    slot,
                    self.seated(turns.players, code),
                    tuple(self.guarded_turn(phase, turns, slot, code)),
                    span,
                ),
                *self.look(span, code),
            ]
        if turns.once_around:
            assert turns.start is not None
            slot = code.slot("player")
            seats = ir.Seats(self.expr(turns.start, code), YES if turns.direction == "clockwise" else NO)
            return [
                ir.ForEach(slot, seats, tuple(self.guarded_turn(phase, turns, slot, code)), span),
                *self.look(span, code),
            ]
        return self.round_and_round(phase, turns, code)

    def guarded_turn(self, phase: Phase, turns: n.Turns, slot: int, code: Code) -> list[ir.Statement]:
        """A turn in a fixed round: only while the player still qualifies and the phase goes on."""
        body: list[ir.Statement] = []
        if phase.until is not None:
            body.append(ir.If(self.expr(phase.until, code), (ir.Break(phase.span),), (), phase.span))
        span = phase.span
        own = self.skippable(self.one_turn(phase, ir.Local(slot), code), slot, span)
        turn = [*own, *self.look(span, code), *self.owed(phase, code)]
        return [*body, *self.if_takes_turn(turns, slot, turn, code, span)]

    def if_takes_turn(
        self, turns: n.Turns, slot: int, turn: list[ir.Statement], code: Code, span: Span
    ) -> list[ir.Statement]:
        """`where C`: read when the turn comes."""
        if turns.condition is None:
            return turn
        test = self.expr(turns.condition, code.with_names({"player": (ir.Local(slot), PLAYER)}))
        return [ir.If(test, tuple(turn), (), span)]

    def round_and_round(self, phase: Phase, turns: n.Turns, code: Code) -> list[ir.Statement]:
        """Turns without end: until the phase, the game or a bound ends them."""
        span = phase.span
        seat, start, rounds = code.slot("player"), code.slot("first"), code.slot("rounds")
        members = None
        if turns.start is not None:
            first = self.expr(turns.start, code)
        else:
            assert turns.players is not None
            members = code.slot("members")
            first = ir.Quantifier("first", code.slot("one"), ir.Local(members), YES)
        body: list[ir.Statement] = []
        if members is not None and turns.players is not None:
            body.append(ir.Assign(members, self.seated(turns.players, code), span))
            body.append(
                ir.If(
                    binary("==", ir.Size(ir.Local(members)), ir.Const(0)), code.early_return(span), (), span
                )
            )
        body += [
            ir.Assign(seat, first, span),
            ir.Assign(start, ir.Local(seat), span),
            ir.Assign(rounds, ir.Const(0), span),
        ]
        loop: list[ir.Statement] = []
        if phase.at_most is not None:
            over = binary("<=", self.expr(phase.at_most.number, code), ir.Local(rounds))
            then = self.end_as(phase.at_most.then, span, code) if phase.at_most.then else [ir.Break(span)]
            loop.append(ir.If(over, tuple(then), (), span))
        if phase.until is not None:
            loop.append(ir.If(self.expr(phase.until, code), (ir.Break(span),), (), span))
        if turns.condition is not None:
            any_slot = code.slot("anybody")
            test = self.expr(turns.condition, code.with_names({"player": (ir.Local(any_slot), PLAYER)}))
            loop.append(
                ir.If(
                    negated(ir.Quantifier("any", any_slot, self.build.everybody(), test)),
                    (ir.Break(span),),
                    (),
                    span,
                )
            )
        turn = self.skippable(self.one_turn(phase, ir.Local(seat), code), seat, span)
        own: list[ir.Statement] = [*turn, *self.look(span, code), *self.owed(phase, code)]
        if members is not None:
            own = [ir.If(ir.Contains(ir.Local(members), ir.Local(seat)), tuple(own), (), span)]
        loop += self.if_takes_turn(turns, seat, own, code, span)
        count = ir.Const(self.parts.player_count)
        forwards: ir.Expr = ir.Load(ir.DIRECTION) if self.reverses() else YES
        if turns.direction == "counterclockwise":
            forwards = binary("-", YES, forwards)
        by = chosen(forwards, YES, binary("-", count, YES))
        loop.append(ir.Assign(seat, ir.Binary("mod", binary("+", ir.Local(seat), by), count), span))
        again = binary("==", ir.Local(seat), ir.Local(start))
        loop.append(ir.If(again, (ir.Assign(rounds, binary("+", ir.Local(rounds), YES), span),), (), span))
        return [*body, ir.Loop(tuple(loop), span), *self.look(span, code)]

    def reverses(self) -> bool:
        """Whether some rule turns the direction round."""
        return self.uses(n.Reverse)

    def uses(self, form: type[n.Node]) -> bool:
        """Whether an effect of a form is written anywhere in the game."""
        return form in self.forms

    forms: frozenset[type[n.Node]] = frozenset()

    def skippable(self, turn: list[ir.Statement], seat: int, span: Span) -> list[ir.Statement]:
        """A turn that `skip P` may take away."""
        if not self.uses(n.Skip):
            return turn
        skips = self.build.own_variable(
            "turns to skip of player", self.parts.player_count, "number", "number", ("player",), 0
        )
        left = ir.Load(skips, ir.Local(seat))
        used = (
            ir.Note(
                "skipped", "turn", ir.Sentence((ir.Shown(ir.Local(seat), "player"), " loses a turn.")), span
            ),
            ir.Store(skips, ir.Local(seat), binary("-", left, YES), span),
        )
        return [ir.If(binary("<", ir.Const(0), left), used, tuple(turn), span)]

    def owed(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """Turns owed are played first, in the order in which they were given; the anchor seat stays."""
        if not self.uses(n.AnotherTurn):
            return []
        span = phase.span
        self.another_turn(ir.Const(0), span)  # makes the variables of the queue
        queue, length = (
            self.build.variable_index["turns owed"],
            self.build.variable_index["number of turns owed"],
        )
        owed = self.build.variable_index["turns owed of player"]
        player, place = code.slot("owed to"), code.slot("place")
        rest = ir.MakeSet(((ir.Const(1), ir.Load(length)),))
        stop = [ir.If(self.expr(phase.until, code), (ir.Break(span),), (), span)] if phase.until else []
        body: list[ir.Statement] = [
            *stop,
            ir.Assign(player, ir.Load(queue, ir.Const(0)), span),
            ir.ForEach(
                place,
                rest,
                (
                    ir.Store(
                        queue,
                        binary("-", ir.Local(place), YES),
                        ir.Load(queue, ir.Binary("min", ir.Local(place), ir.Const(23))),
                        span,
                    ),
                ),
                span,
            ),
            ir.Store(length, None, binary("-", ir.Load(length), YES), span),
            ir.Store(owed, ir.Local(player), binary("-", ir.Load(owed, ir.Local(player)), YES), span),
            ir.Store(ir.EXTRA, None, YES, span),
            *self.one_turn(phase, ir.Local(player), code),
            ir.Store(ir.EXTRA, None, NO, span),
            *self.look(span, code),
        ]
        waiting = binary("<", ir.Const(0), ir.Load(length))
        return [ir.Repeat(ir.Const(1000), waiting, tuple(body), span), *self.look(span, code)]
