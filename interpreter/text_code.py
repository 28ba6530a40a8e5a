"""Text of expressions and statements.

Comes in: IR nodes and the names of slots. Goes out: one line for an expression, indented lines for
statements; the place in the rule files stands behind `@`. What never happens: two different expressions
with one text.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter import ir

SIGNS = {"div_down": "div↓", "div_up": "div↑"}


def set_text(items: tuple[int, ...]) -> str:
    """A constant set; runs of numbers are written as ranges."""
    runs: list[list[int]] = []
    for n in items:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    parts = [f"{a}..{b}" if b > a + 1 else f"{a} {b}" if b > a else str(a) for a, b in runs]
    return "{" + " ".join(parts) + "}"


class CodeText:
    """Writes code of one function (or of none) as text."""

    def __init__(self, program: ir.Program, slot_names: tuple[str, ...]) -> None:
        self.program = program
        self.names = slot_names

    def slot(self, slot: int) -> str:
        """A slot by name and number."""
        name = self.names[slot] if 0 <= slot < len(self.names) else ""
        return f"{name.replace(' ', '_')}.{slot}" if name and name != "-" else f"s{slot}"

    def _name(self, of: tuple[ir.Function, ...] | tuple[ir.Variable, ...], number: int) -> str:
        return of[number].name.replace(" ", "_") if 0 <= number < len(of) else f"?{number}"

    def variable(self, number: int, index: ir.Expr | None) -> str:
        """A state variable with its index."""
        name = "$" + self._name(self.program.variables, number)
        return name if index is None else f"{name}[{self.expr(index)}]"

    def function(self, number: int) -> str:
        """A function by name."""
        return self._name(self.program.functions, number)

    def expr(self, e: ir.Expr) -> str:
        """An expression on one line."""
        x = self.expr
        match e:
            case ir.Const(value):
                return str(value)
            case ir.SetConst(items):
                return set_text(items)
            case ir.Local(slot):
                return self.slot(slot)
            case ir.Load(var, index):
                return self.variable(var, index)
            case ir.At(table, index):
                tables = self.program.tables
                name = tables[table].name.replace(" ", "_") if 0 <= table < len(tables) else f"?{table}"
                return f"{name}[{x(index)}]"
            case ir.Unary(op, operand):
                return f"{op} {x(operand)}" if op == "not" else f"{op}{x(operand)}"
            case ir.Binary(op, left, right):
                if op in ("min", "max"):
                    return f"{op}({x(left)}, {x(right)})"
                return f"({x(left)} {SIGNS.get(op, op)} {x(right)})"
            case ir.SameSet(left, right):
                return f"({x(left)} same as {x(right)})"
            case ir.Choice(condition, then, otherwise):
                return f"({x(condition)} ? {x(then)} : {x(otherwise)})"
            case ir.MakeSet(items, skip_none):
                parts = [f"{x(i[0])}..{x(i[1])}" if isinstance(i, tuple) else x(i) for i in items]
                return ("{?" if skip_none else "{") + ", ".join(parts) + "}"
            case ir.Union(left, right):
                return f"({x(left)} ∪ {x(right)})"
            case ir.Contains(of, value):
                return f"({x(value)} in {x(of)})"
            case ir.Contents(place, top_only):
                return f"{'top' if top_only else 'contents'}({x(place)})"
            case ir.Alike(pieces, player):
                return f"alike({x(pieces)} to {x(player)})"
            case ir.PlaceOf(piece):
                return f"place({x(piece)})"
            case ir.Occupied(board, around):
                return f"{'around' if around else 'occupied'}({self.program.boards[board].name})"
            case ir.TheOnly(of):
                return f"the({x(of)})"
            case ir.Without(left, right):
                return f"({x(left)} without {x(right)})"
            case ir.FirstFew(of, number):
                return f"first({x(number)} of {x(of)})"
            case ir.Size(of):
                return f"size({x(of)})"
            case ir.Apply(function, arguments):
                return f"{self.function(function)}({', '.join(x(a) for a in arguments)})"
            case ir.CanAct(decision, player):
                return f"can act({self.program.decisions[decision].name}, {x(player)})"
            case ir.Seats(start, clockwise):
                return f"seats(from {x(start)}, clockwise {x(clockwise)})"
            case _:
                return self._binding(e)

    def _binding(self, e: ir.Expr) -> str:
        x = self.expr
        match e:
            case ir.Filter(slot, of, condition):
                return f"[{self.slot(slot)} in {x(of)} where {x(condition)}]"
            case ir.Quantifier(word, slot, of, condition):
                return f"{word}({self.slot(slot)} in {x(of)} where {x(condition)})"
            case ir.Fold(word, slot, of, value):
                return f"{word}({x(value)} for {self.slot(slot)} in {x(of)})"
            case ir.BestOf(word, slot, of, value):
                return f"[{self.slot(slot)} in {x(of)} with {word} {x(value)}]"
            case ir.Collect(slot, of, value, many):
                return f"[{'all ' if many else ''}{x(value)} for {self.slot(slot)} in {x(of)}]"
            case ir.Going():
                parts = [f"going {x(e.directions)} from {x(e.start)} on {self.program.boards[e.board].name}"]
                if e.limit is not None:
                    parts.append(f"{'exactly' if e.exact else 'up to'} {x(e.limit)}")
                for word, part in (("while", e.keep), ("until", e.until), ("ending at", e.ending)):
                    if part is not None:
                        parts.append(f"{word} {x(part)}")
                return f"({self.slot(e.slot)}: {', '.join(parts)})"
            case ir.Linked(start, slot, neighbours, where, stopping):
                parts = [f"linked to {x(start)} by {x(neighbours)}"]
                for word, part in (("where", where), ("stopping at", stopping)):
                    if part is not None:
                        parts.append(f"{word} {x(part)}")
                return f"({self.slot(slot)}: {', '.join(parts)})"
            case ir.Groups(of, slot, neighbours):
                return f"groups({self.slot(slot)} in {x(of)} by {x(neighbours)})"
            case _:
                raise TypeError(f"no text for {type(e).__name__}")

    def sentence(self, sentence: ir.Sentence | None) -> str:
        """A sentence with its values in { }."""
        if sentence is None:
            return ""
        return "".join(
            p if isinstance(p, str) else "{" + f"{self.expr(p.value)}: {p.type}" + "}" for p in sentence.parts
        )

    def body(self, body: ir.Body, depth: int) -> Iterator[str]:
        """Statements as indented lines."""
        if not body:
            yield "  " * depth + "(nothing)"
        for st in body:
            yield from self.statement(st, depth)

    def statement(self, st: ir.Statement, depth: int) -> Iterator[str]:
        """One statement as lines."""
        pad = "  " * depth
        match st:
            case ir.If(condition, then, otherwise, span):
                yield f"{pad}if {self.expr(condition)}:  @{span}"
                yield from self.body(then, depth + 1)
                if otherwise:
                    yield f"{pad}else:"
                    yield from self.body(otherwise, depth + 1)
            case ir.ForEach(slot, of, body, span):
                yield f"{pad}for each {self.slot(slot)} in {self.expr(of)}:  @{span}"
                yield from self.body(body, depth + 1)
            case ir.Repeat(times, condition, body, span):
                test = f" while {self.expr(condition)}" if condition is not None else ""
                yield f"{pad}repeat {self.expr(times)} times{test}:  @{span}"
                yield from self.body(body, depth + 1)
            case ir.Loop(body, span):
                yield f"{pad}loop:  @{span}"
                yield from self.body(body, depth + 1)
            case _:
                yield f"{pad}{self.straight(st)}  @{st.span}"

    def straight(self, st: ir.Statement) -> str:
        """A statement without a body of its own."""
        x = self.expr
        match st:
            case ir.Assign(slot, value):
                return f"{self.slot(slot)} := {x(value)}"
            case ir.Store(var, index, value):
                return f"{self.variable(var, index)} := {x(value)}"
            case ir.Break():
                return "break"
            case ir.CallTo(function, arguments, result):
                to = f"{self.slot(result)} := " if result != -1 else ""
                return f"{to}call {self.function(function)}({', '.join(x(a) for a in arguments)})"
            case ir.Return(value):
                return "return" if value is None else f"return {x(value)}"
            case ir.MovePieces(pieces, place, bottom, moved):
                to = f"{self.slot(moved)} := " if moved != -1 else ""
                return f"{to}move {x(pieces)} {'under' if bottom else 'to'} {x(place)}"
            case ir.Exchange(first, second):
                return f"exchange {x(first)} and {x(second)}"
            case ir.Shuffle(place, stream):
                return f"shuffle {x(place)} by stream {x(stream)}"
            case ir.Chance(slot, of, stream, type_, _, face_of):
                seen = f" as the face of {x(face_of)}" if face_of is not None else ""
                return f"{self.slot(slot)} := chance from {x(of)} ({type_}) by stream {x(stream)}{seen}"
            case ir.Show(pieces, players):
                return f"show {x(pieces)} to {x(players)}"
            case ir.Enter(kind, name, sentence, arguments, names):
                values = [f"{n} {x(a.value)}: {a.type}" for n, a in zip(names, arguments, strict=False)]
                said = f" “{self.sentence(sentence)}”" if sentence is not None else ""
                return f"enter {kind} {name}({', '.join(values)}){said}"
            case ir.Leave():
                return "leave"
            case ir.Note(word, name, sentence, _, about):
                whose = f" about {x(about)}" if about is not None else ""
                return f"note {word} {name} “{self.sentence(sentence)}”{whose}"
            case ir.EndGame(end, winners):
                ends = self.program.ends
                return f"end game {ends[end].name if 0 <= end < len(ends) else end}, winners {x(winners)}"
            case ir.Fail(sentence):
                return f"fail “{self.sentence(sentence)}”"
            case _:
                return self.choice(st)

    def choice(self, st: ir.Statement) -> str:
        """A statement that asks."""
        x = self.expr
        match st:
            case ir.ChooseAction(decision, player, action):
                name = self.program.decisions[decision].name
                return f"{self.slot(action)} := {x(player)} chooses an action of {name}"
            case ir.ChooseOne(player, slot, key, or_none, prompt, _, laying, about):
                none = f" or none if {x(or_none)}" if or_none != ir.Const(0) else ""
                asked = f"{self.key(key)}{none} “{self.sentence(prompt)}”"
                if laying is not None:
                    goal = f" to {x(laying.goal)}" if laying.goal is not None else ""
                    asked += f" laying {x(laying.pieces)}{goal} in {x(laying.ways)} ways"
                asked += f" about {x(about)}" if about is not None else ""
                return f"{self.slot(slot)} := {x(player)} chooses {asked}"
            case ir.ChooseSome(player, slot, key, least, most, prompt, _, about):
                asked = f"{x(least)} to {x(most)} of {self.key(key)} “{self.sentence(prompt)}”"
                asked += f" about {x(about)}" if about is not None else ""
                return f"{self.slot(slot)} := {x(player)} chooses {asked}"
            case ir.ChooseTogether(players, player_slot, key, least, most, var, prompt, _, joint):
                many = f"{x(least)} to {x(most)} of " if least is not None and most is not None else ""
                who = f"each {self.slot(player_slot)} of {x(players)}"
                name = self.variable(var, ir.Local(player_slot))
                how = joint or "together"
                return f"{name} := {who} chooses {many}{self.key(key)} {how} “{self.sentence(prompt)}”"
            case _:
                raise TypeError(f"no text for {type(st).__name__}")

    def key(self, key: ir.Key) -> str:
        """What is chosen from."""
        return f"{key.name} = {self.slot(key.slot)}: {key.type} in {self.expr(key.domain)}"
