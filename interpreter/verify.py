"""Verify: whether a program is one that the machines can run.

Comes in: a `Program`. Goes out: a list of sentences, empty for a sound one; each names the function (or
the variable, place, decision …) and what is wrong there. These are faults of whatever made the program,
never of a game's designer. What never happens: a damaged program that raises something here.
To add a check: a method here for declarations, in `verify_expr.py` and `verify_code.py` for code.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.interpreter import ir
from rulewright.interpreter.verify_code import CodeCheck
from rulewright.interpreter.walk import every

CHOOSING = (ir.ChooseAction, ir.ChooseOne, ir.ChooseSome, ir.ChooseTogether)
LUCK = (ir.Chance, ir.Shuffle)
CHANGING = (
    *CHOOSING, *LUCK, ir.Store, ir.MovePieces, ir.Exchange, ir.Show, ir.EndGame, ir.Enter, ir.Leave, ir.Note,
)  # fmt: skip
PLACE_KINDS = ("box", "supply", "zone", "space", "piece", "mark")

Node = tuple[str, int]  # ("function" or "decision", its number)


def verify(program: ir.Program) -> list[str]:
    """What is wrong with a program; an empty list if it can be run."""
    return _Verifier(program).all()


class _Verifier:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.found: list[str] = []
        self.edges: dict[Node, list[Node]] = {}

    def say(self, text: str) -> None:
        if text not in self.found:
            self.found.append(text)

    def all(self) -> list[str]:
        self.variables()
        self.tables()
        self.places()
        self.pieces()
        self.boards()
        self.entries()
        self.graph()
        order = self.order()
        if order is None:
            return self.found
        self.roles(order)
        CodeCheck(self.program, self.say).run([n for n in order if n[0] == "function"])
        return self.found

    # ----------------------------------------------------------- declarations

    def variables(self) -> None:
        names = ("actor", "unwinding", "ended", "direction", "extra")
        if len(self.program.variables) < len(names):
            self.say("the machine's own variables are missing: 0 … 4 must be " + ", ".join(names))
        for v in self.program.variables:
            what = f"variable {v.name}"
            if v.kind not in ("number", "set"):
                self.say(f"{what}: no such kind: {v.kind}")
                continue
            if v.cells < 1 or len(v.initial) != v.cells:
                self.say(f"{what}: {v.cells} cells, but {len(v.initial)} initial values")
            if v.low > v.high:
                self.say(f"{what}: the range {v.low} … {v.high} is empty")
            if v.ends not in ("", "stop", "wrap"):
                self.say(f"{what}: no such ends: {v.ends}")
            for value in v.initial:
                if isinstance(value, int) is (v.kind == "set"):
                    self.say(f"{what}: the initial value {value} is no {v.kind}")
                    continue
                for n in (value,) if isinstance(value, int) else value:
                    if not (v.low <= n <= v.high or (v.optional and n == -1)):
                        self.say(f"{what}: the initial value {n} is out of range")
        for i in self.program.piece_vars:
            if not 0 <= i < len(self.program.variables):
                self.say(f"piece_vars: no variable {i}")
            elif self.program.variables[i].cells < len(self.program.pieces):
                self.say(f"piece_vars: {self.program.variables[i].name} has no cell for each piece")

    def tables(self) -> None:
        for t in self.program.tables:
            if len({isinstance(value, int) for value in t.data}) > 1:
                self.say(f"table {t.name}: numbers and sets are mixed")
            for value in t.data:
                if isinstance(value, tuple) and not t.repeats and len(set(value)) != len(value):
                    self.say(f"table {t.name}: a set holds a value twice")

    def total_places(self) -> int:
        p = self.program
        ends = [b.first + b.width * b.height for b in p.boards if b.unbounded]
        return max([len(p.places), p.first_piece_place + len(p.pieces), *ends])

    def places(self) -> None:
        for place in self.program.places:
            if place.kind not in PLACE_KINDS:
                self.say(f"place {place.name}: no such kind: {place.kind}")
            if place.order not in ("set", "pile", "row"):
                self.say(f"place {place.name}: no such order: {place.order}")
            self.player(f"place {place.name}", place.owner)
            if place.room < -1:
                self.say(f"place {place.name}: no such room: {place.room}")
            for viewer in place.face_viewers or ():
                self.player(f"place {place.name}", viewer)
        for i, place in enumerate(self.program.places):
            if place.room >= 0 and sum(p.start == i for p in self.program.pieces) > place.room:
                self.say(f"place {place.name}: more pieces start there than fit")
        taken = [(b.first, b.first + b.width * b.height, b.name) for b in self.program.boards]
        first, count = self.program.first_piece_place, len(self.program.pieces)
        if count:
            taken.append((first, first + count, "the pieces as places"))
        taken.sort()
        for one, two in pairwise(taken):
            if two[0] < one[1]:
                self.say(f"places: {one[2]} and {two[2]} lie on the same numbers")
        for i in range(first, min(first + count, len(self.program.places))):
            if self.program.places[i].kind != "piece":
                self.say(f"places: {self.program.places[i].name} lies on the number of a piece as a place")

    def player(self, what: str, number: int) -> None:
        if not -1 <= number < len(self.program.players):
            self.say(f"{what}: no player {number}")

    def pieces(self) -> None:
        places, kinds = self.total_places(), len(self.program.kinds)
        for piece in self.program.pieces:
            if not 0 <= piece.kind < kinds:
                self.say(f"piece {piece.name}: no kind {piece.kind}")
            if not 0 <= piece.start < places:
                self.say(f"piece {piece.name}: no place {piece.start} to start in")
            if piece.design < 0:
                self.say(f"piece {piece.name}: no design {piece.design}")
            self.player(f"piece {piece.name}", piece.owner)
        for i, s in enumerate(self.program.stand_ins):
            if not 0 <= s.kind < kinds:
                self.say(f"stand-in {i}: no kind {s.kind}")
            if not 0 <= s.supply < len(self.program.places):
                self.say(f"stand-in {i}: no place {s.supply} as its supply")
            self.player(f"stand-in {i}", s.owner)

    def boards(self) -> None:
        for b in self.program.boards:
            what, cells = f"board {b.name}", b.width * b.height
            if cells < 1:
                self.say(f"{what}: it has no spaces")
            if not b.unbounded and not 0 <= b.first <= len(self.program.places) - cells:
                self.say(f"{what}: its spaces are not among the places")
            if b.unbounded and b.steps:
                self.say(f"{what}: an unbounded board has no table of steps")
            if not b.unbounded and b.steps and len(b.steps) != len(self.program.directions):
                self.say(
                    f"{what}: {len(b.steps)} rows of steps for {len(self.program.directions)} directions"
                )
            for row in b.steps:
                if len(row) != cells or any(not -1 <= i < cells for i in row):
                    self.say(f"{what}: a row of steps does not fit its spaces")
            self.player(what, b.owner)

    def entries(self) -> None:
        p = self.program
        n = len(p.functions)
        if not p.players:
            self.say("the program has no players")
        if not 0 <= p.main < n:
            self.say(f"main: no function {p.main}")
        elif p.functions[p.main].parameters:
            self.say("main: it must have no parameters")
        if p.score != -1 and not 0 <= p.score < n:
            self.say(f"score: no function {p.score}")
        elif p.score >= 0 and p.functions[p.score].parameters != 1:
            self.say("score: it must have one parameter, the player")
        for name, function in p.invariants:
            if not 0 <= function < n:
                self.say(f"invariant {name}: no function {function}")
            elif p.functions[function].parameters:
                self.say(f"invariant {name}: it must have no parameters")
        for f in p.functions:
            if f.result not in ("", "number", "set", "groups"):
                self.say(f"function {f.name}: no such result: {f.result}")
            if not 0 <= f.parameters <= f.slots:
                self.say(f"function {f.name}: {f.parameters} parameters in {f.slots} slots")

    # -------------------------------------------------------------- who calls

    def graph(self) -> None:
        """Who uses what; uses of functions and decisions that do not exist are reported and left out."""
        for i, f in enumerate(self.program.functions):
            self.edges["function", i] = list(self.uses(f"function {f.name}", f.body))
        for i, d in enumerate(self.program.decisions):
            self.edges["decision", i] = list(self.uses(f"decision {d.name}", d.actions))

    def uses(self, what: str, nodes: tuple[object, ...]) -> Iterator[Node]:
        for node in (n for top in nodes for n in every(top)):
            match node:
                case ir.Apply(number) | ir.CallTo(number) | ir.Afterwards(number):
                    used = ("function", number)
                case ir.CanAct(number) | ir.ChooseAction(number):
                    used = ("decision", number)
                case _:
                    continue
            if 0 <= number < len(self.program.functions if used[0] == "function" else self.program.decisions):
                yield used
            else:
                self.say(f"{what}: no {used[0]} {number}")

    def name(self, node: Node) -> str:
        of = self.program.functions if node[0] == "function" else self.program.decisions
        return of[node[1]].name

    def order(self) -> list[Node] | None:
        """Every function and decision after all that use it; None (and reported) if there is a cycle."""
        state: dict[Node, int] = {}
        out: list[Node] = []
        for root in self.edges:
            path: list[Node] = []
            todo: list[tuple[Node, bool]] = [(root, False)]
            while todo:
                node, done = todo.pop()
                if done:
                    state[node] = 2
                    path.pop()
                    out.append(node)
                    continue
                if state.get(node) == 2:
                    continue
                if state.get(node) == 1:
                    cycle = [*path[path.index(node) :], node]
                    self.say(
                        "functions call each other in a circle: " + " → ".join(self.name(n) for n in cycle)
                    )
                    return None
                state[node] = 1
                path.append(node)
                todo.append((node, True))
                todo.extend((n, False) for n in self.edges[node] if state.get(n) != 2)
        out.reverse()
        return out

    def roles(self, order: list[Node]) -> None:
        """Functions used in expressions only compute; those of afterwards neither ask nor draw."""
        p = self.program
        computing: dict[int, str] = {}
        looking: dict[int, str] = {}
        for f in p.functions:
            for node in (n for st in f.body for n in every(st)):
                if isinstance(node, ir.Apply):
                    computing.setdefault(node.function, f"it is used in an expression of {f.name}")
        for node in every(p):
            if isinstance(node, ir.Apply):
                computing.setdefault(node.function, "it is used in an expression")
            elif isinstance(node, ir.Afterwards):
                looking.setdefault(node.function, "a condition `afterwards` looks at what it would do")
        if p.score >= 0:
            computing.setdefault(p.score, "it is the score")
        for name, function in p.invariants:
            computing.setdefault(function, f"it is the invariant {name}")
        for kind, number in order:  # callers first, so that roles are handed down in one pass
            if kind != "function":
                continue
            f = p.functions[number]
            for node in (n for st in f.body for n in every(st)):
                for roles, forbidden in ((computing, CHANGING), (looking, (*CHOOSING, *LUCK))):
                    if number not in roles:
                        continue
                    if isinstance(node, forbidden):
                        what = type(node).__name__
                        self.say(f"function {f.name}: {what} is not allowed, since {roles[number]}")
                    elif isinstance(node, ir.CallTo):
                        roles.setdefault(node.function, roles[number])
