"""Lower a game that begins inside its flow, at one phase, with a position that is laid out from outside.

Comes in: an `Entry`. Goes out: a program that enters the wanted phase first: the phases round it are under
way already, so what would happen before it is left out the first time only (the set-up, their own entering,
earlier phases beside it); afterwards everything goes on as always. The state of these phases starts afresh
unless it is given. What never happens: another rule than in the whole game; only the beginning differs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game, Phase
from rulewright.dsl.problems import NOWHERE
from rulewright.interpreter import ir
from rulewright.interpreter.layout import space_name
from rulewright.interpreter.lower import LowerGame
from rulewright.interpreter.lower_code import YES, Code, binary, chosen

# The machine's own variables, 0 until it has happened. A blank keeps them apart from names of the game.
ENTERED, TURN_TAKEN = "wanted phase", "wanted turn"
SPACE = re.compile(r"(-?[a-z]+)(-?[0-9]+)\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a game begins. `phase` is a name; "" begins with the set-up as always. `turn` is the player whose
    turn is first; "" leaves that to the rules. `given` are states that do not start afresh."""

    phase: str = ""
    turn: str = ""
    given: frozenset[str] = frozenset()


def usual_phase(game: Game) -> str:
    """The phase where a game begins unless another is named: the first with turns, else the first of all."""
    for phase in game.phases.values():
        if phase.turns is not None:
            return phase.name
    return game.flow[0].name if game.flow else ""


def chain_to(phases: Sequence[Phase], name: str) -> tuple[Phase, ...]:
    """The phase of that name with all phases round it, the outermost first; () if there is none."""
    for phase in phases:
        if phase.name == name:
            return (phase,)
        inner = chain_to((*phase.each_turn, *phase.phases), name)
        if inner:
            return (phase, *inner)
    return ()


def place_of_space(board: ir.BoardInfo, name: str) -> int:
    """The place of a space by its name, -1 if the board has none of that name."""
    found = SPACE.match(name)
    if found is None or len(name) > 12:
        return -1
    letters, figures = found.groups()
    column = 0
    for letter in letters.lstrip("-"):
        column = column * 26 + ord(letter) - ord("a") + 1
    column = -column if letters.startswith("-") else column - 1
    row = int(figures) - 1
    if board.unbounded:
        row, column = row + board.height // 2, column + board.width // 2
    if not (0 <= row < board.height and 0 <= column < board.width):
        return -1
    shift = (board.height // 2, board.width // 2) if board.unbounded else (0, 0)
    if space_name(row - shift[0], column - shift[1]) != name:
        return -1
    return board.first + row * board.width + column


class LowerEntry(LowerGame):
    """Lowers a game with another beginning. Set `entry` before `program` is called."""

    entry: Entry = Entry()
    chain: tuple[Phase, ...] = ()

    def begin_at(self, entry: Entry) -> LowerEntry:
        """Choose the beginning. A phase that does not exist leaves the usual beginning."""
        self.entry = entry
        self.chain = chain_to(self.game.flow, entry.phase) if entry.phase else ()
        return self

    def make_variables(self) -> None:
        """All state, and what has been reached."""
        super().make_variables()
        for name in (ENTERED, TURN_TAKEN):
            self.build.own_variable(name, 1, "number", "number", (), 0, 1)

    def space_named(self, name: str) -> int:
        """A space by its name, on unbounded boards too."""
        for board in self.parts.boards:
            place = place_of_space(board, name) if board.unbounded else -1
            if place >= 0:
                return place
        return super().space_named(name)

    # ------------------------------------------------------------------ phases

    def write_main(self) -> ir.Function:
        """The whole game, begun at the wanted phase."""
        made = super().write_main()
        if not self.chain:
            return made
        at = self.call_of(made.body, f"phase {self.chain[0].path}")
        states = {self.build.variable_index[s] for s in self.game.states}
        given = self.given_variables()
        head = [
            s
            for s in made.body[:at]
            if isinstance(s, ir.Enter) or (_stored(s) in states and _stored(s) not in given)
        ]
        return replace(made, body=(*head, *made.body[at:]))

    def write_run(self, phase: Phase) -> ir.Function:
        """One run of a phase. One that lies round the wanted phase is under way the first time."""
        made = super().write_run(phase)
        if phase not in self.chain:
            return made
        enter = next(i for i, s in enumerate(made.body) if isinstance(s, ir.Enter))
        inside = self.call_of(made.body, f"in {phase.path}")
        given, states = (
            self.given_variables(),
            {self.build.variable_index[s.name] for s in phase.states},
        )
        opening = made.body[enter + 1 : inside]
        fresh = [s for s in opening if _stored(s) in states]
        rest = [s for s in opening if _stored(s) not in states]
        body: list[ir.Statement] = [*self.later(made.body[:enter]), made.body[enter]]
        for statement in fresh:
            body += self.later([statement]) if _stored(statement) in given else [statement]
        if phase is self.chain[-1]:
            reached = self.build.variable_index[ENTERED]
            body += [ir.Store(reached, None, YES, phase.span), *rest]
        else:
            body += self.later(rest)
        return replace(made, body=(*body, *made.body[inside:]))

    def step(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """What a phase holds; the first time nothing that comes before the wanted phase."""
        made = super().step(phase, code)
        if phase not in self.chain[:-1]:
            return made
        following = self.chain[self.chain.index(phase) + 1]
        at = self.call_of(made, f"phase {following.path}")
        return [*self.later(made[:at]), *made[at:]]

    def entering_window(self, phase: Phase, code: Code) -> list[ir.Statement]:
        """The window of entering a phase, but for a phase that is under way already."""
        made = super().entering_window(phase, code)
        return self.later(made) if phase in self.chain[:-1] else made

    def later(self, statements: Sequence[ir.Statement]) -> list[ir.Statement]:
        """Statements that are left out until the wanted phase has been entered."""
        if not statements:
            return []
        entered = ir.Load(self.build.variable_index[ENTERED])
        return [ir.If(entered, tuple(statements), (), NOWHERE)]

    def given_variables(self) -> frozenset[int]:
        """The variables of the states that are given."""
        return frozenset(self.build.variable_index.get(name, -2) for name in self.entry.given)

    def call_of(self, body: Sequence[ir.Statement], name: str) -> int:
        """Where a function is called."""
        number = self.build.function_index[name]
        return next(i for i, s in enumerate(body) if isinstance(s, ir.CallTo) and s.function == number)

    # ------------------------------------------------------------------- turns

    def turns(self, phase: Phase, turns: n.Turns, code: Code) -> list[ir.Statement]:
        """Turns that begin with the wanted player."""
        return self.from_wanted(phase, super().turns(phase, turns, code), code)

    def one_player(self, phase: Phase, who: n.Expr, code: Code) -> list[ir.Statement]:
        """A phase in which the wanted player acts first."""
        return self.from_wanted(phase, super().one_player(phase, who, code), code)

    def from_wanted(self, phase: Phase, body: list[ir.Statement], code: Code) -> list[ir.Statement]:
        """Let the wanted player be first, once, in the outermost phase where somebody has a turn.

        Of a fixed round those before the player have had their turn.
        """
        outermost = next((p for p in self.chain if p.turns is not None or p.who is not None), None)
        if phase is not outermost or self.entry.turn not in self.parts.setting.players:
            return body
        player = ir.Const(self.parts.setting.players.index(self.entry.turn))
        taken = self.build.variable_index[TURN_TAKEN]
        mark = ir.Store(taken, None, YES, phase.span)
        out: list[ir.Statement] = []
        done = False
        for s in body:
            if done:
                out.append(s)
                continue
            done = True
            match s:
                case ir.ForEach():
                    his = binary("or", ir.Load(taken), binary("==", ir.Local(s.slot), player))
                    out.append(replace(s, body=(ir.If(his, (mark, *s.body), (), s.span),)))
                case ir.Assign() if code.slot_names[s.slot] == "player":
                    out += [replace(s, value=chosen(ir.Load(taken), s.value, player)), mark]
                case ir.Store() if s.var == ir.ACTOR:
                    out += [replace(s, value=chosen(ir.Load(taken), s.value, player)), mark]
                case _:
                    done = False
                    out.append(s)
        return out


def _stored(statement: ir.Statement) -> int:
    """The variable that a statement gives a value, -1 for any other statement."""
    if isinstance(statement, ir.ForEach) and len(statement.body) == 1:
        statement = statement.body[0]
    return statement.var if isinstance(statement, ir.Store) else -1
