"""Verify statements, decisions and functions: kinds of values, and the ways through a function.

Comes in: a program whose functions do not call each other in a circle. Goes out: sentences through `say`.
Kinds are "number", "set", "groups", or "" where it cannot be known (a slot that nothing has filled yet).
Functions are looked at callers first, so that the kinds of arguments tell those of parameters.
What never happens: an exception for a damaged program.
"""

from __future__ import annotations

from rulewright.interpreter import ir
from rulewright.interpreter.verify_expr import ExprCheck


class CodeCheck(ExprCheck):
    """Checks all code of a program."""

    def run(self, order: list[tuple[str, int]]) -> None:
        """Check everything; `order` has the functions, callers first."""
        p = self.program
        if 0 <= p.score < len(p.functions) and self.parameters[p.score]:
            self.parameters[p.score][0] = "number"
        for d in p.decisions:
            for action in d.actions:
                for item in action.afterwards:
                    if not 0 <= item.function < len(p.functions):
                        continue  # reported with the graph
                    self.parameters[item.function] = ["number"] * p.functions[item.function].parameters
        for d in p.decisions:
            self.decision(d)
        for v in p.variables:
            if v.seen_by is not None:
                self.alone(f"variable {v.name}", v.seen_by)
        for place in p.places:
            self.alone(f"place {place.name}", place.viewers)
        for board in p.boards:
            self.alone(f"board {board.name}", board.viewers)
        for _, number in order:
            self.function(number)

    def alone(self, where: str, e: ir.Expr) -> None:
        """An expression outside all functions: slots are its own."""
        self.where, self.slots, self.kinds = where, 1 << 16, {}
        self.want(e, "set")

    def function(self, number: int) -> None:
        """One function."""
        f = self.program.functions[number]
        self.where, self.slots, self.result = f"function {f.name}", f.slots, f.result
        self.kinds = dict(enumerate(self.parameters[number]))
        end = self.body(f.body, 0, None)
        if end is not None:
            if f.result:
                self.say("it can end without giving a value")
            if end != 0:
                self.say("an Enter has no Leave at the end")

    def decision(self, d: ir.ActionDecision) -> None:
        """The actions of a decision, in a frame of its own."""
        self.where, self.slots, self.kinds = f"decision {d.name}", d.slots, {}
        self.bind(d.player_slot, "number")
        self.sentence(d.prompt)
        names = [a.name for a in d.actions]
        if len(set(names)) != len(names):
            self.say("two actions have one name")
        for action in d.actions:
            self.where = f"decision {d.name}, action {action.name}"
            self.kinds = {d.player_slot: "number"}
            self.action(action)

    def action(self, action: ir.ActionOption) -> None:
        """Keys and conditions of one action."""
        names = [k.name for k in action.keys]
        if len(set(names)) != len(names):
            self.say("two keys have one name")
        for name in (action.name, *names):
            self.id_name(name)
        if action.declines and (names or action.afterwards):
            self.say("an action that declines has keys, or looks at what comes afterwards")
        n = len(action.keys)
        for level in range(n + 1):
            if level:
                key = action.keys[level - 1]
                self.want(key.domain, "set")
                self.bind(key.slot, "number")
            for guard in action.guards:
                if guard.level == level:
                    self.want(guard.condition, "number")
                    self.sentence(guard.because)
        for guard in action.guards:
            if not 0 <= guard.level <= n or (guard.source == "where" and guard.level < 1):
                self.say(f"a condition at level {guard.level} of {n} keys")
            if guard.source not in ("where", "require", "forbid"):
                self.say(f"a condition has no such source: {guard.source}")
        for item in action.afterwards:
            if not self.known("function", item.function, self.program.functions):
                continue
            f = self.program.functions[item.function]
            if f.parameters != n:
                self.say(f"{f.name} takes {f.parameters} values, the action has {n} keys")
            if f.result != "number":
                self.say(f"{f.name} gives no condition")
            self.sentence(item.because)
        if action.seen_by is not None:
            self.want(action.seen_by, "set")

    def id_name(self, name: str) -> None:
        """A name that stands in ids."""
        if not name or any(c.isspace() or c == "=" for c in name):
            self.say(f"`{name}` cannot stand in an id")

    # ------------------------------------------------------------- statements

    def body(self, body: ir.Body, depth: int, loop: list[int] | None) -> int | None:
        """How many events are open at the end of a body, None if its end is never reached.

        `loop` is [events open where the innermost loop began, how often it is broken off].
        """
        end: int | None = depth
        for st in body:
            before = end if end is not None else depth
            got = self.statement(st, before, loop)
            end = got if end is not None else None
        return end

    def statement(self, st: ir.Statement, depth: int, loop: list[int] | None) -> int | None:
        """The same for one statement."""
        match st:
            case ir.If(condition, then, otherwise):
                self.want(condition, "number")
                return self.branches(then, otherwise, depth, loop)
            case ir.ForEach(slot, of, body):
                self.bind(slot, self.element(of))
                return self.loop(body, depth, endless=False)
            case ir.Repeat(times, condition, body):
                self.want(times, "number")
                self.want(condition, "number")
                return self.loop(body, depth, endless=False)
            case ir.Loop(body):
                return self.loop(body, depth, endless=True)
            case ir.Break():
                if loop is None:
                    self.say("a Break outside a loop")
                else:
                    loop[1] += 1
                    if depth != loop[0]:
                        self.say("a Break between an Enter and its Leave")
                return None
            case ir.Return(value):
                if depth:
                    self.say("a Return between an Enter and its Leave")
                if (value is not None) != bool(self.result):
                    self.say(
                        "a Return without a value" if self.result else "a Return with a value nobody expects"
                    )
                self.want(value, self.result)
                return None
            case ir.Fail(sentence):
                self.sentence(sentence)
                return None
            case ir.Enter():
                self.sentence(st.sentence)
                for argument in st.arguments:
                    self.kind(argument.value)
                if len(st.arguments) != len(st.argument_names):
                    self.say(
                        f"Enter {st.name}: {len(st.arguments)} arguments, {len(st.argument_names)} names"
                    )
                return depth + 1
            case ir.Leave():
                if depth < 1:
                    self.say("a Leave without an Enter")
                    return depth
                return depth - 1
            case _:
                self.straight(st)
                return depth

    def branches(self, then: ir.Body, otherwise: ir.Body, depth: int, loop: list[int] | None) -> int | None:
        """Two bodies, of which one is run."""
        before = dict(self.kinds)
        one = self.body(then, depth, loop)
        after_one = self.kinds
        self.kinds = dict(before)
        two = self.body(otherwise, depth, loop)
        if one is None or two is None:
            self.kinds = self.kinds if one is None else after_one
            return two if one is None else one
        if one != two:
            self.say("one branch of an If opens or closes more events than the other")
        self.kinds = {
            slot: kind if after_one.get(slot, "") == kind else "" for slot, kind in self.kinds.items()
        }
        return two

    def loop(self, body: ir.Body, depth: int, endless: bool) -> int | None:
        """A body that is run again and again."""
        inner = [depth, 0]
        end = self.body(body, depth, inner)
        if end is not None and end != depth:
            self.say("the body of a loop does not close what it opens")
        return None if endless and not inner[1] else depth

    def straight(self, st: ir.Statement) -> None:
        """A statement that goes straight on."""
        match st:
            case ir.Assign(slot, value):
                self.bind(slot, self.kind(value))
            case ir.Store(var, index, value):
                self.want(value, self.load(var, index))
            case ir.CallTo(function, arguments, result):
                if self.known("function", function, self.program.functions):
                    self.arguments(function, arguments)
                    gives = self.program.functions[function].result
                    if result != -1 and not gives:
                        self.say(f"{self.program.functions[function].name} gives no value")
                    self.target(result, gives)
            case ir.MovePieces(pieces, place, _, moved):
                self.want(pieces, "set")
                self.want(place, "number")
                self.target(moved, "number")
            case ir.Exchange(first, second):
                self.want(first, "number")
                self.want(second, "number")
            case ir.Shuffle(place, stream):
                self.want(place, "number")
                self.stream(stream)
            case ir.Chance(slot, of, stream, face_of=face_of):
                element = self.element(of)
                self.stream(stream)
                if face_of is not None:
                    self.want(face_of, "number")
                self.bind(slot, element)
            case ir.Show(pieces, players):
                self.want(pieces, "set")
                self.want(players, "set")
            case ir.Note(sentence=sentence, about=about):
                self.sentence(sentence)
                if about is not None:
                    self.want(about, "number")
            case ir.EndGame(end, winners):
                self.known("end", end, self.program.ends)
                self.want(winners, "set")
            case ir.ChooseAction():
                self.choose_action(st)
            case ir.ChooseOne() | ir.ChooseSome() | ir.ChooseTogether():
                self.choice(st)
            case _:
                self.say(f"{type(st).__name__} is no statement")

    def stream(self, e: ir.Expr) -> None:
        """A source of chance."""
        self.want(e, "number")
        if isinstance(e, ir.Const):
            self.known("stream", e.value, self.program.streams)

    def choose_action(self, st: ir.ChooseAction) -> None:
        """Where actions are asked for, the frame has a slot for each of their keys."""
        self.want(st.player, "number")
        self.bind(st.action, "number")
        if self.known("decision", st.decision, self.program.decisions):
            for action in self.program.decisions[st.decision].actions:
                for key in action.keys:
                    self.bind(key.slot, "number")

    def choice(self, st: ir.ChooseOne | ir.ChooseSome | ir.ChooseTogether) -> None:
        """A choice in an effect."""
        self.id_name(st.key.name)
        if isinstance(st, ir.ChooseTogether):
            self.want(st.players, "set")
            self.bind(st.player_slot, "number")
            self.together(st)
        else:
            self.want(st.player, "number")
        self.want(st.key.domain, "set")
        self.bind(st.key.slot, "number")
        if isinstance(st, ir.ChooseOne):
            self.want(st.or_none, "number")
            if st.laying is not None:
                self.want(st.laying.pieces, "set")
                self.want(st.laying.goal, "number")
                self.want(st.laying.ways, "number")
            self.bind(st.slot, "number")
        else:
            self.want(st.least, "number")
            self.want(st.most, "number")
            if isinstance(st, ir.ChooseSome):
                self.bind(st.slot, "set")
        if not isinstance(st, ir.ChooseTogether) and st.about is not None:
            self.want(st.about, "number")
        self.sentence(st.prompt)

    def together(self, st: ir.ChooseTogether) -> None:
        """What is chosen together goes into a variable with a cell for each player."""
        if (st.least is None) != (st.most is None):
            self.say("a choice together has a least or a most, but not both")
        if st.joint not in ("", "agreement", "majority"):
            self.say(f"nothing is chosen by `{st.joint}`")
        if st.joint and st.least is not None:
            self.say(f"{st.joint} is about one value, not about some")
        if not self.known("variable", st.var, self.program.variables):
            return
        v = self.program.variables[st.var]
        if v.cells < len(self.program.players):
            self.say(f"{v.name} has no cell for each player")
        if v.kind != ("number" if st.least is None else "set"):
            self.say(f"{v.name} holds a {v.kind} and cannot hold what is chosen together")
        if st.least is None and not v.optional and v.low > -1:
            self.say(f"{v.name} cannot say that somebody had nothing to choose from")
