"""Lower a checked game to a program, for one number of players and one set of options.

Comes in: `Checked`, players, options, a seed (for options drawn at random that shape components). Goes out: a
verified `Program`, or problems. To follow one thing through: `lower_parts` numbers it, `lower_expr` reads it,
`lower_effect` changes it, `lower_events` puts rules round it, `lower_flow` says when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Checked, Game, State
from rulewright.dsl.not_yet import nodes_of
from rulewright.dsl.problems import NOWHERE, Problem, Span
from rulewright.dsl.types import BIG, NumberType, OptionalType, PlayerType, SetType, WordType, plain
from rulewright.interpreter import ir
from rulewright.interpreter.kept import once_for_game
from rulewright.interpreter.lower_code import NO, Builder, Code, binary, finished, one_of
from rulewright.interpreter.lower_effect import GAME_ENDS
from rulewright.interpreter.lower_flow import LowerFlow
from rulewright.interpreter.lower_parts import attributes_of, icon_of, inherited, make_parts
from rulewright.interpreter.lower_pictures import pictured
from rulewright.interpreter.lower_tidy import tidy
from rulewright.interpreter.setting import SettingError, Settler, luck_of, refuse, settle

if TYPE_CHECKING:
    from rulewright.interpreter.lower_entry import Entry

SETTING = (n.SetTo, n.AddTo, n.TakeFrom, n.ChoosesValue, n.EachChoosesValue)
FIRST_VARIABLES = (
    ("actor", "player", -1),
    ("unwinding", "number", 0),
    ("ended", "number", -1),
    ("direction", "number", 1),
    ("extra turn", "yes or no", 0),
)


def prepare(
    checked: Checked,
    players: int | Sequence[str] | None = None,
    options: dict[str, str | Sequence[str]] | None = None,
    seed: int | str = 0,
    conditions: Sequence[tuple[str, n.Expr]] = (),
    entry: Entry | None = None,
) -> ir.Program | tuple[Problem, ...]:
    """The program of a game. `conditions` are more expressions to lower, found under `invariants`; `entry`
    says where a laid-out position begins (see `lower_entry`)."""

    draw = luck_of(seed)
    setting = settle(checked, players, options or {}, draw)
    if isinstance(setting, tuple):
        return setting
    settler = Settler(checked, {}, draw)
    settler.players, settler.values, settler.open, settler.layouts = (
        setting.players,
        setting.values,
        setting.open,
        setting.layouts,
    )
    try:
        parts = make_parts(checked, setting, settler)
        if entry is None:
            return LowerGame(checked, parts, Builder(parts)).program(conditions)
        from rulewright.interpreter.lower_entry import LowerEntry

        return LowerEntry(checked, parts, Builder(parts)).begin_at(entry).program(conditions)
    except SettingError as error:
        problem = error.problem
        if problem.span.file == "options":
            problem = replace(problem, span=checked.game.span)
        return (problem,)


@once_for_game
def all_nodes(game: Game) -> tuple[n.Node, ...]:
    """All logic of a game."""
    return tuple(nodes_of(game))


class LowerGame(LowerFlow):
    """Puts the program of a game together."""

    def program(self, conditions: Sequence[tuple[str, n.Expr]]) -> ir.Program:
        """The whole program."""
        game, build, parts = self.game, self.build, self.parts
        self.made_decisions = {}
        self.scan()
        self.make_variables()
        main = build.function("main", lambda _: self.write_main())
        score = self.score_function()
        invariants = []
        for name, (expr, span) in game.always.items():
            invariants.append((name, self.condition_function(f"always {name}", expr, span)))
        for name, expr in conditions:
            invariants.append((name, self.condition_function(f"then {name}", expr, expr.span)))
        for phase in game.phases.values():
            if phase.actions and phase.path in build.decision_index:
                self.act(phase)
        self.fill_lines()
        program = ir.Program(
            game=game.name,
            title=game.title,
            players=parts.setting.players,
            options=parts.setting.written,
            variants=game.variants,
            rules_hash=game.rules_hash,
            kinds=tuple(parts.kinds),
            word_lists=self.word_lists(),
            directions=parts.world.enums.get("direction", ()),
            lines=tuple(parts.lines),
            pieces=self.piece_infos(),
            stand_ins=tuple(parts.stand_ins),
            places=self.places_with_viewers(),
            boards=self.boards_with_viewers(),
            first_piece_place=parts.first_piece_place,
            variables=tuple(build.variables),
            tables=tuple(build.tables),
            streams=tuple(build.streams),
            decisions=tuple(self.made_decisions[i] for i in sorted(self.made_decisions)),
            ends=(
                *(ir.EndInfo(e.name, e.title, e.span) for e in game.ends.values()),
                ir.EndInfo("unfinished", "Unfinished", NOWHERE),
            ),
            functions=tuple(f for f in build.functions if f is not None),
            main=main,
            score=score,
            piece_vars=tuple(build.piece_vars),
            invariants=tuple(invariants),
            piece_faces=build.variable_index.get("face of piece", -1),
        )
        return pictured(tidy(program), game)

    # ------------------------------------------------------------------- scans

    def scan(self) -> None:
        """Which effects the game uses at all, and which events some rule counts."""
        forms: set[type[n.Node]] = set()
        counted: set[tuple[str, str]] = set()
        for node in all_nodes(self.game):
            forms.add(type(node))
            if isinstance(node, n.HasHappened):
                counted.add((node.event, node.phase))
        self.forms = frozenset(forms)
        self.counted = frozenset(counted)

    # ----------------------------------------------------------------- variables

    def make_variables(self) -> None:
        """All state, the machine's own first."""
        build, parts = self.build, self.parts
        for name, type_, start in FIRST_VARIABLES:
            high = parts.player_count - 1 if type_ == "player" else 100
            build.variable(
                ir.Variable(
                    name,
                    1,
                    "number",
                    -1,
                    high,
                    True,
                    type_,
                    (),
                    (start,),
                    hidden=True,
                    counts=name == "actor",
                )
            )
        for option in parts.setting.open:
            declared = self.game.options[option]
            if declared.form == "players":
                build.variable(
                    ir.Variable(
                        f"option {option}", 1, "number", 0, parts.player_count - 1, False, "player", (), (0,)
                    )
                )
            else:
                build.variable(
                    ir.Variable(f"option {option}", 1, "set", 0, 10_000, False, declared.of_type, (), ((),))
                )
        self.make_piece_variables()
        for state in [*self.game.states.values(), *(s for p in self.game.phases.values() for s in p.states)]:
            build.variable_index[state.name] = -1
        for state in [*self.game.states.values(), *(s for p in self.game.phases.values() for s in p.states)]:
            self.make_state(state)
        for phase in self.game.phases.values():
            if phase.for_each is not None:
                name, found = self.checked.binders[id(phase.for_each.selection)]
                kind = "set" if isinstance(found, SetType) else "number"
                build.variable(
                    ir.Variable(
                        name,
                        1,
                        kind,
                        -BIG,
                        BIG,
                        True,
                        self.type_name(found),
                        (),
                        ((),) if kind == "set" else (0,),
                    )
                )

    def make_piece_variables(self) -> None:
        """Faces, and attributes that are state of their pieces."""
        build, count = self.build, len(self.parts.piece_values)
        faces = [self.faces_of(i) for i in self.parts.piece_values]
        if any(faces):
            starts = []
            types: set[str] = set()
            for i, values in enumerate(faces):
                kind = self.game.kinds.get(self.parts.kind_of(i))
                first = str(inherited(self.parts, kind, "first_face") or "") if kind is not None else ""
                if values and kind is not None:
                    found = self.face_type_of(kind.name)
                    types.add(self.type_name(found))
                    starts.append(self.cell_value(first, found) if first else values[0])
                else:
                    starts.append(-1)
            high = max(max(v) for v in faces if v)
            # Faces of several types share one variable: then they are told as numbers, never as wrong words.
            type_ = next(iter(types)) if len(types) == 1 else "number"
            build.piece_vars.append(
                build.variable(
                    ir.Variable(
                        "face of piece", count, "number", -1, high, True, type_, ("piece",), tuple(starts)
                    )
                )
            )
        done: set[str] = set()
        names_set = self.names_set()
        for kind in self.game.kinds.values():
            for attribute in attributes_of(self.parts, kind):
                if (
                    attribute.name in done
                    or attribute.column
                    or (attribute.per and not isinstance(attribute.type, n.OptionalType))
                    or attribute.name not in names_set
                ):
                    continue
                done.add(attribute.name)
                found = self.checked.attribute_types[(attribute.kind, attribute.name)]
                starts = [self.printed(attribute.name, i) for i in self.parts.piece_values]
                number_type = plain(found)
                high = number_type.high if isinstance(number_type, NumberType) else 10_000
                build.piece_vars.append(
                    build.variable(
                        ir.Variable(
                            f"{attribute.name} of piece",
                            count,
                            "number",
                            -1,
                            high,
                            True,
                            self.type_name(found),
                            ("piece",),
                            tuple(starts),
                        )
                    )
                )

    def names_set(self) -> frozenset[str]:
        """The names of attributes and states of something that some effect sets."""
        targets = (node.target for node in all_nodes(self.game) if isinstance(node, SETTING))
        return frozenset(target.name for target in targets if isinstance(target, (n.Of, n.OfEvery)))

    def make_state(self, state: State) -> None:
        """The variable of a state or track."""
        found = self.checked.state_types[state.name]
        cells = 1
        for per in state.per:
            cells *= self.parts.size_of(per)
        low, high = self.range_of_state(state)
        kind = "set" if isinstance(plain(found), SetType) else "number"
        start: int | tuple[int, ...] = () if kind == "set" else -1
        value = self.start_of(state, Code("start"))
        self.later_starts = getattr(self, "later_starts", [])
        if isinstance(value, ir.Const):
            start = value.value
        elif isinstance(value, ir.SetConst):
            start = value.items
        else:
            start = () if kind == "set" else max(0, low)
            if not state.phase:
                self.later_starts.append((state, value))
        seen = None
        if state.seen_by is not None and state.seen_by.word != "all":
            seen = self.seen_by(state.seen_by, ir.Local(0))
        self.build.variable(
            ir.Variable(
                state.name,
                cells,
                kind,
                low,
                high,
                isinstance(found, OptionalType),
                self.type_name(found),
                state.per,
                (start,) * cells,
                state.ends,
                seen,
                False,
                not state.outside_position,
                tuple((mark, level) for mark, levels in state.marks for level in levels),
            )
        )

    def range_of_state(self, state: State) -> tuple[int, int]:
        """The bounds of a state in this game."""
        settler = self.parts.settler
        if state.track:
            a, b = settler.number(state.low, 0), settler.number(state.high, 0)
            return min(a, b), max(a, b)
        if isinstance(state.type, n.NumberType):
            return settler.number(state.type.low, 0), settler.number(state.type.high, 0)
        found = plain(self.checked.state_types[state.name])
        if isinstance(found, SetType):
            found = found.element
        match found:
            case NumberType(low, high):
                return low, high
            case PlayerType():
                return 0, self.parts.player_count - 1
            case WordType(enum):
                return self.parts.numbers_of(enum).start, self.parts.numbers_of(enum).stop - 1
        return 0, BIG

    # -------------------------------------------------------------- functions

    def write_main(self) -> ir.Function:
        """The whole game: what is drawn, the set-up, the flow, and the end."""
        code, span = Code("main"), self.game.span
        body: list[ir.Statement] = []
        for option, count in self.parts.setting.open.items():
            body += self.draw_option(option, count, code)
        for state, value in getattr(self, "later_starts", []):
            variable = self.state_variable(state.name)
            cells = self.build.variables[variable].cells
            if cells == 1:
                body.append(ir.Store(variable, None, value, state.span))
            else:
                slot = code.slot("cell")
                store = ir.Store(variable, ir.Local(slot), value, state.span)
                body.append(ir.ForEach(slot, ir.SetConst(tuple(range(cells))), (store,), state.span))
        body.append(ir.Enter("phase", "game", ir.Sentence((self.game.title,)), (), (), span))
        code.entered += 1
        body += self.side_rules("before", "entering", "game", {}, code)
        body += self.side_rules("after", "entering", "game", {}, code)
        body += self.window_of_all("entering", span, code)
        setup = self.build.function("set-up", lambda _: self.write_setup())
        body += [ir.CallTo(setup, (), -1, span), *self.nothing_to_end(span, code)]
        for phase in self.game.flow:
            body += [ir.CallTo(self.phase(phase), (), -1, phase.span)]
            body += self.nothing_to_end(phase.span, code)
        body += self.window_of_all("leaving", span, code)
        body += self.side_rules("before", "leaving", "game", {}, code)
        body += self.side_rules("after", "leaving", "game", {}, code)
        text = "The flow has run out, and no end of the game fits. Add an end with `after: leaving game`."
        body += [ir.Leave(span), ir.Fail(ir.Sentence((text,)), span)]
        return finished(code, 0, body, span)

    def window_of_all(self, word: str, span: Span, code: Code) -> list[ir.Statement]:
        """The window of entering or leaving the phase `game`, in which the whole flow lies."""
        opened = self.open_window(f"{word} game", span, code)
        return [*opened[:-1], *self.nothing_to_end(span, code)] if opened else []

    def nothing_to_end(self, span: Span, code: Code) -> list[ir.Statement]:
        """Stop when the game has ended; a turn or phase that was ended where there is none is an error."""
        text = "Something here ends the turn or the phase, and there is none that could end."
        stray = binary("<", ir.Load(ir.UNWINDING), ir.Const(GAME_ENDS))
        then = ir.If(stray, (ir.Fail(ir.Sentence((text,)), span),), code.early_return(span), span)
        return [ir.If(binary("!=", ir.Load(ir.UNWINDING), NO), (then,), (), span)]

    def draw_option(self, option: str, count: int, code: Code) -> list[ir.Statement]:
        """An option that the luck of the game settles."""
        variable = self.build.variable_index[f"option {option}"]
        span = self.game.options[option].span
        stream = ir.Const(self.build.stream(f"option {option}"))
        drawn = code.slot(option)
        if self.game.options[option].form == "players":
            return [
                ir.Chance(drawn, self.build.everybody(), stream, "player", span),
                ir.Store(variable, None, ir.Local(drawn), span),
            ]
        words = ir.SetConst(self.option_numbers(option))
        left = ir.Without(words, ir.Load(variable))
        one = (
            ir.Chance(drawn, left, stream, self.game.options[option].of_type, span),
            ir.Store(variable, None, ir.Union(ir.Load(variable), one_of(ir.Local(drawn))), span),
        )
        return [ir.Repeat(ir.Const(count), None, one, span)]

    def write_setup(self) -> ir.Function:
        """What is done before the first phase."""
        code = Code("set-up")
        return finished(code, 0, self.block(self.game.setup, code), self.game.span)

    def score_function(self) -> int:
        """The score of one player as a function, or -1."""
        if "score" in self.game.defines:
            return self.define("score")
        state = self.game.states.get("score")
        if state is None or state.per != ("player",):
            return -1
        variable = self.state_variable("score")

        def write(_: int) -> ir.Function:
            code = Code("score", result="number")
            slot = code.slot("player")
            return finished(code, 1, [ir.Return(ir.Load(variable, ir.Local(slot)), state.span)], state.span)

        return self.build.function("score", write)

    def condition_function(self, name: str, expr: n.Expr, span: Span) -> int:
        """A condition as a function without parameters."""

        def write(_: int) -> ir.Function:
            code = Code(name, result="number")
            return finished(code, 0, [ir.Return(self.expr(expr, code), span)], span)

        return self.build.function(name, write)

    # --------------------------------------------------------------- finishing

    def fill_lines(self) -> None:
        """The spaces of all lines that turned out to be used."""
        index = self.build.table_index.get("spaces of lines")
        if index is not None:
            self.build.tables[index] = ir.TableData("spaces of lines", 0, tuple(self.parts.line_spaces))

    def word_lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The words of every enumeration by their numbers; "" for those that a part of another has not."""
        found = []
        for name, own in self.parts.world.enums.items():
            if name != "direction":
                words = self.parts.words(name)
                found.append((name, tuple(word if word in own else "" for word in words)))
        return tuple(found)

    def piece_infos(self) -> tuple[ir.PieceInfo, ...]:
        """The pieces, each with the place where it starts."""
        found = []
        for piece in self.parts.pieces:
            kind = self.game.kinds[piece.kind]
            where = str(inherited(self.parts, kind, "starts_in") or "")
            if where:
                start = self.parts.zone_first[where]
                if self.game.zones[where].per == "player" and piece.owner >= 0:
                    start += piece.owner
            elif kind.base == "token":
                start = self.parts.supply_first + 1 + piece.owner
            else:
                start = 0
            found.append(
                ir.PieceInfo(
                    piece.code,
                    self.parts.kinds.index(piece.kind),
                    piece.owner,
                    piece.look,
                    start,
                    piece.name,
                    piece.code,
                    icon_of(self.parts, kind, piece.design),
                    kind.base,
                )
            )
        self.fit_at_the_start(found)
        return tuple(found)

    def fit_at_the_start(self, pieces: list[ir.PieceInfo]) -> None:
        """No zone starts with more pieces than fit into it."""
        for i, place in enumerate(self.parts.places):
            if place.room >= 0 and (count := sum(p.start == i for p in pieces)) > place.room:
                raise refuse(
                    "E507",
                    f"{count} pieces start in `{place.name}`, which has room for {place.room}.",
                    "Make fewer copies, or let more fit with `at most:`.",
                    self.game.zones[place.group].span,
                )

    def places_with_viewers(self) -> tuple[ir.PlaceInfo, ...]:
        """The places, each with who sees what lies there."""
        found = []
        for place in self.parts.places:
            viewers = place.viewers
            if place.kind == "zone":
                zone = self.game.zones[place.group]
                viewers = self.seen_by(zone.seen_by, ir.Const(place.owner))
            elif place.kind == "mark":
                track = self.find_state(self.parts.world.track_marks[place.group])
                viewers = self.seen_by(track.seen_by, ir.Const(place.owner))
            elif place.kind == "space" and place.group:
                viewers = self.seen_by(self.game.boards[place.group].seen_by, ir.Const(place.owner))
            found.append(replace(place, viewers=viewers))
        return tuple(found)

    def boards_with_viewers(self) -> tuple[ir.BoardInfo, ...]:
        """The boards, each with who sees them."""
        return tuple(
            replace(b, viewers=self.seen_by(self.game.boards[b.name].seen_by, ir.Const(b.owner)))
            for b in self.parts.boards
        )
