"""Check a whole game: all logic of all declarations is typed, all names between them are found.

Comes in: the `Game` model. Goes out: `Checked` and problems. Order does not matter to the result: every
problem is found in one run. To add a kind of declaration: a method here, called from `check_game`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.dsl import nodes as n
from rulewright.dsl.check_arrange import check_arrange
from rulewright.dsl.check_boards import check_boards
from rulewright.dsl.check_cycles import check_cycles
from rulewright.dsl.check_effects import Effects
from rulewright.dsl.check_options import check_options
from rulewright.dsl.check_properties import CANDIDATES
from rulewright.dsl.check_scope import Scope
from rulewright.dsl.check_secrecy import Secrecy
from rulewright.dsl.check_sense import check_sense
from rulewright.dsl.check_sides import check_sides
from rulewright.dsl.check_types import fits, join
from rulewright.dsl.check_windows import check_windows
from rulewright.dsl.check_world import make_world
from rulewright.dsl.define_order import needed_first
from rulewright.dsl.model import Action, Checked, Define, End, Game, Kind, Phase, Row, Rule, State, Zone
from rulewright.dsl.nodes_walk import names_in
from rulewright.dsl.not_yet import check_not_yet
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.shapes import NAME
from rulewright.dsl.slots import read_logic
from rulewright.dsl.source import Scalar, SourceMap
from rulewright.dsl.types import (
    BIG,
    PLAYER,
    UNKNOWN,
    YESNO,
    KindWordType,
    NumberType,
    OptionalType,
    PieceType,
    PlayerType,
    SetType,
    SpaceType,
    Type,
    UnknownType,
    WordType,
    YesNoType,
    described,
    plain,
)

NOBODY_ACTS = Scope(acting=False)
MOST_PIECES = 5_000


class GameCheck(Effects):
    """Types everything of a game."""

    def run(self) -> None:
        """Check every declaration."""
        circular = self.definition_circles()
        self.options_first()
        for name in circular:
            self.type_definition(name)
        self.gather_phase_names(self.world.game.flow)
        game = self.world.game
        for option in game.options.values():
            self.option_type(option.name)
            for node in (option.default_expr, option.low, option.high, option.how_many):
                if node is not None:
                    self.number(node, NOBODY_ACTS)
        for enum in game.enums.values():
            if enum.numeric is not None:
                self.numeric(enum.name)
        self.things()
        for name in game.defines:
            self.define_type(name)
        for event in game.events.values():
            names = dict(self.parameters_of(event.name, event.parameters))
            for p in event.parameters:
                if p.default is not None:
                    self.type_of(p.default, Scope(), self.type_node(p.type))
            self.once_per(event.once_per, event.span)
            self.block(event.do, Scope(names=names))
            self.sentence(event.text, event.span, Scope(names=names))
        for action in game.actions.values():
            self.action(action)
        for rule in game.rules:
            self.rule(rule)
        for phase in game.flow:
            self.phase(phase, Scope(acting=False))
        self.block(game.setup, NOBODY_ACTS)
        for board, picture in game.setup_pictures:
            if board.partition(" of ")[0] not in game.boards:
                self.unknown("E405", picture.span, "board", board, list(game.boards))
        for end in game.ends.values():
            self.end(end)
        for expr, _ in game.always.values():
            self.condition(expr, Scope())
        if game.order is not None:
            self.turns(game.order, NOBODY_ACTS)
        self.score()
        check_options(self)
        self.unused_options()

    # --------------------------------------------------------------- sentences

    def sentence(self, text: str, span: Span, scope: Scope) -> None:
        """The values in a sentence for people: `{name}` and `{X of Y}`."""
        for words in re.findall(r"\{([^{}]*)\}", text):
            place = SourceMap(span.file, ((0, span.line, span.column),))
            node = read_logic(Scalar(words, span, "plain", place), "expr", self.problems)
            if isinstance(node, n.Name | n.Of):
                self.type_of(node, scope)
                self.out.sentences[(text, words)] = node
            elif node is not None:
                self.error(
                    "E433",
                    span,
                    f"`{{{words}}}` cannot stand in a sentence.",
                    "Put a name or `X of Y` in the braces.",
                )

    # ------------------------------------------------------------------ things

    def things(self) -> None:
        """Pieces, zones, boards and state."""
        game = self.world.game
        self.not_too_many()
        self.kinds_in_use()
        for kind in game.kinds.values():
            if kind.copies is not None:
                self.number(kind.copies.number, NOBODY_ACTS)
                for per, span in kind.copies.per:
                    words = per in self.world.enums or per in game.enums or per == "player"
                    if not words and self.world.kind_called(per) is not None:  # else its attribute says so
                        self.unknown("E406", span, "type of words called", per, [*game.enums, "player"])
            for attribute in kind.attributes:
                found = self.attribute_type(attribute)
                if attribute.start is not None:
                    self.assigned(attribute.start, found, self.type_of(attribute.start, NOBODY_ACTS, found))
                if attribute.column and attribute.type is not None:
                    self.cells_fit(kind.name, attribute.column, found)
            self.printed(kind)
            check_sides(self, kind)
            if kind.starts_in and kind.starts_in not in game.zones:
                self.unknown("E405", kind.span, "zone", kind.starts_in, list(game.zones))
            if kind.face_range is not None:
                self.number(kind.face_range.low, NOBODY_ACTS)
                self.number(kind.face_range.high, NOBODY_ACTS)
            self.seen(kind.seen_by)
        for zone in game.zones.values():
            holds = self.kind_type(zone.holds, zone.span)
            if not isinstance(holds, (PieceType, UnknownType)):
                self.error(
                    "E424",
                    zone.span,
                    f"A zone holds pieces, not {described(holds, True)}.",
                    "Name a kind of piece after `holds:`.",
                )
            if zone.per:
                self.kind_type(zone.per, zone.span)
            if zone.at_most is not None and self.number(zone.at_most, NOBODY_ACTS).high < 1:
                self.error(
                    "E421",
                    zone.at_most,
                    "Nothing would ever fit into this zone.",
                    "Write a number from 1 up.",
                )
            self.refilled(zone)
            if zone.faces and isinstance(holds, PieceType):
                self.has_faces(zone, holds.kind)
            self.seen(zone.seen_by)
        for board in game.boards.values():
            self.board_size(board.size, board.size_span)
            self.seen(board.seen_by)
            for seat, direction in board.forward:
                if seat not in self.world.seats:
                    self.unknown("E401", board.span, "seat", seat, list(self.world.seats))
                if direction not in self.world.enums.get("direction", ()):
                    self.unknown(
                        "E401",
                        board.span,
                        "direction",
                        direction,
                        list(self.world.enums.get("direction", ())),
                    )
        for state in [*game.states.values(), *self.phase_states.values()]:
            self.state(state)

    def kinds_in_use(self) -> None:
        """The `used when` of kinds. It may name the kind itself, and all that it is: a piece of it."""
        above = self.world.parents
        done: set[int] = set()
        for kind in sorted(self.world.game.kinds.values(), key=lambda k: len(above[k.name])):
            condition = kind.used_when
            # What the kinds above it say is joined on behind, and has been read there.
            while isinstance(condition, n.And) and id(condition.right) in done:
                condition = condition.left
            if condition is not None and id(condition) not in done:
                names: dict[str, Type] = {name: PieceType(kind.name) for name in above[kind.name]}
                self.condition(condition, Scope(acting=False, names=names))
                done.add(id(condition))

    def not_too_many(self) -> None:
        """A game has a bounded number of pieces. Counted is what there is at least."""
        total = 0
        for kind in self.world.game.kinds.values():
            if kind.copies is None or not kind.made:
                continue
            each = max(0, self.look_quietly_number(kind.copies.number))
            for per, _ in kind.copies.per:
                each *= max(1, len(self.world.enums.get(per, ())))
            total += (
                each * max(1, len(kind.designs)) * (self.world.game.players_low if kind.per_player else 1)
            )
            if total > MOST_PIECES:
                self.error(
                    "E448",
                    kind.copies,
                    f"These are too many pieces: a game has at most {MOST_PIECES:,}.",
                    "Write a smaller number; what is only counted can be a number in `state`.",
                )
                return

    def look_quietly_number(self, node: n.Expr) -> int:
        """The least that a number is, without reporting anything."""
        noisy, self.quiet = self.quiet, True
        try:
            return self.number(node, NOBODY_ACTS).low
        finally:
            self.quiet = noisy

    def has_faces(self, zone: Zone, kind: str) -> None:
        """`faces:` of a zone is for pieces that have faces."""
        kinds = self.world.game.kinds
        known = [kinds[k] for leaf in self.world.leaves(kind) for k in self.world.parents[leaf] if k in kinds]
        if not any(k.faces or k.face_range or k.face_type for k in known):
            self.error(
                "E402",
                zone.span,
                f"What lies in `{zone.name}` has no faces to be shown or hidden.",
                "Take `faces:` out, or give the pieces `faces:` where they are declared.",
            )

    def refilled(self, zone: Zone) -> None:
        """`refill from:` names another zone whose pieces may lie in this pile."""
        if not zone.refill_from:
            return
        other = self.world.game.zones.get(zone.refill_from)
        if other is None:
            self.unknown("E405", zone.span, "zone", zone.refill_from, list(self.world.game.zones))
            return
        kind, coming = (self.world.kind_called(z.holds) or z.holds for z in (zone, other))
        wrong = ""
        if other is zone:
            wrong = "A zone cannot be refilled from itself."
        elif zone.order != "pile":
            wrong = f"Only a pile is refilled; `{zone.name}` is a {zone.order}."
        elif other.per not in ("", zone.per):
            wrong = f"There is a `{other.name}` for each {other.per}: it is not said which one is meant."
        elif not self.world.isa(coming, kind):
            wrong = f"`{zone.name}` holds {zone.holds} alone, but in `{other.name}` lie {other.holds}."
        if wrong:
            self.error("E423", zone.span, wrong, "Name another zone, or change how they are declared.")

    def board_size(self, size: str, span: Span) -> None:
        """The sides of a board are figures or number options."""
        if not all(NAME.match(part) or part.isdigit() for part in size.split(" x ")):
            return  # the schema says so
        for part in size.split(" x ") if size != "unbounded" else ():
            if part.isdigit():
                if not 1 <= int(part) <= 60:
                    self.error(
                        "E421", span, f"A board cannot be {part} spaces wide or high.", "Write 1 to 60."
                    )
            elif part in self.world.game.options and self.world.game.options[part].form == "number":
                self.used.add(part)
            else:
                numbers = [o for o, d in self.world.game.options.items() if d.form == "number"]
                self.unknown("E401", span, "number option", part, numbers)

    def printed(self, kind: Kind) -> None:
        """Whether what is printed on the pieces of a kind is the value of an attribute that they have."""
        for name, value in kind.printed.items():
            attributes = [a for a in self.world.attributes.get(name, ()) if self.world.isa(kind.name, a.kind)]
            if not attributes:
                above = self.world.parents.get(kind.name, ())
                known = [
                    x for x, found in self.world.attributes.items() if any(a.kind in above for a in found)
                ]
                self.unknown("E402", value.span, "attribute", name, known)
            elif attributes[0].column or attributes[0].per:
                self.error(
                    "E402",
                    value.span,
                    f"`{name}` comes from the table or the copies of `{attributes[0].kind}`.",
                    "Print a value only where nothing else gives it.",
                )
            else:
                self.cell_fits(value, self.attribute_type(attributes[0]))

    def cells_fit(self, kind: str, column: str, wanted: Type) -> None:
        """Whether the cells of a column are of its declared type."""
        for design in self.designs_of(kind):
            self.cell_fits(design.cells[column], wanted)

    def cell_fits(self, cell: Scalar, wanted: Type) -> None:
        """Whether a written value is of a type."""
        wanted_plain = plain(wanted)
        if isinstance(wanted, OptionalType) and cell.text in ("", "none"):
            return
        if isinstance(wanted_plain, WordType):
            if cell.text not in self.world.enums.get(wanted_plain.enum, ()):
                self.wrong_cell(cell.span, cell.text, wanted_plain.enum)
        elif isinstance(wanted_plain, YesNoType):
            if cell.text not in ("yes", "no"):
                self.error("E411", cell.span, f"`{cell.text}` is neither yes nor no.", "Write `yes` or `no`.")
        elif isinstance(wanted_plain, NumberType):
            if not cell.text.removeprefix("-").isdecimal():
                self.error("E411", cell.span, f"`{cell.text}` is no number.", "Write a figure.")
            elif not wanted_plain.low <= int(cell.text) <= wanted_plain.high:
                self.error(
                    "E415",
                    cell.span,
                    f"`{cell.text}` does not fit; it goes from {wanted_plain.low} to {wanted_plain.high}.",
                    "Write a figure in this range.",
                )

    def wrong_cell(self, span: Span, word: str, enum: str) -> None:
        """A cell of a table holds a word that its type has not."""
        node = n.Name(span=span, text=word)
        self.wrong_word(node, word, enum)

    def seen(self, node: n.SeenBy | None) -> None:
        """Who sees something."""
        if node is not None and node.players is not None:
            found = self.type_of(node.players, Scope(names={"owner": PLAYER}))
            if not isinstance(plain(found), type(YESNO)):
                self.players_wanted(node.players, found)

    def state(self, state: State) -> None:
        """Type, start and owner of a state."""
        wanted = self.state_type(state)
        for per in state.per:
            self.kind_type(per, state.span)
        if state.start is not None:
            self.assigned(state.start, wanted, self.type_of(state.start, NOBODY_ACTS, wanted))
        elif (
            isinstance(wanted, (PlayerType, WordType, SpaceType, PieceType, KindWordType))
            and not state.phase
            and not state.track
        ):
            pass  # it starts as the first of its kind
        self.seen(state.seen_by)
        if isinstance(wanted, NumberType):
            self.marks(state, wanted)

    def marks(self, state: State, range: NumberType) -> None:
        """The marks of a track: names of their own, on numbers of the track, none of them twice."""
        for mark, levels in state.marks:
            if self.is_taken(mark) or self.world.track_marks.get(mark) != state.name:
                self.error(
                    "E407",
                    state.span,
                    f"The mark `{mark}` already means something else.",
                    "Give it another name.",
                )
            for level in levels:
                if not range.low <= level <= range.high:
                    self.error(
                        "E421",
                        state.span,
                        f"`{state.name}` goes from {range.low} to {range.high}: there is no {level} to mark.",
                        f"Correct the mark `{mark}`.",
                    )
            if len(set(levels)) < len(levels):
                self.error(
                    "E310",
                    state.span,
                    f"The mark `{mark}` has the same number twice.",
                    "Write each number once.",
                )

    # ------------------------------------------------------------- definitions

    def options_first(self) -> None:
        """Type options before anything reads them, those that others rest on first."""
        options = self.world.game.options
        uses = {}
        for option in options.values():
            parts = (option.default_expr, option.low, option.high, option.how_many)
            words = {word for part in parts if part is not None for word in names_in(part)}
            uses[option.name] = tuple(name for name in options if name in words)
        for name in options:
            for needed in needed_first(name, uses, self.out.option_types):
                self.option_type(needed)

    def definition_circles(self) -> list[str]:
        """Definitions that use themselves, also through others: once each; their types stay unknown."""
        defines = self.world.game.defines
        for knot in self.define_order.circles():
            circle = self.define_order.shortest(knot)
            told = " → ".join([*circle[:8], *(["…"] if len(circle) > 8 else []), circle[0]])
            self.error(
                "E442",
                defines[circle[0]].span,
                f"The definition `{circle[0]}` uses itself: {told}.",
                "Say it without going in a circle.",
            )
            for name in knot:
                self.out.define_types[name] = UNKNOWN
        return list(self.out.define_types)

    def type_definition(self, name: str) -> Type:
        """The type of a definition: of its expression, or of all its cases together."""
        define = self.world.game.defines[name]
        names = dict(self.parameters_of(name, define.parameters))
        for parameter in define.parameters:
            if self.is_taken(parameter.name):
                self.error(
                    "E407",
                    parameter.name_span,
                    f"`{parameter.name}` already means something.",
                    "Choose another name.",
                )
        scope = Scope(names=names)
        if define.body is not None:
            return self.type_of(define.body, scope)
        if define.by is None:
            return UNKNOWN
        return self.case_table(define, scope)

    def case_table(self, define: Define, scope: Scope) -> Type:
        """A definition by the words of a value: complete, or with `else`."""
        assert define.by is not None
        by = self.type_of(define.by, scope)
        words = self.words_of(by)
        found: Type = UNKNOWN
        seen = set()
        from rulewright.dsl.check_scope import text_of

        for word, span, value in define.cases:
            if word in seen:
                self.error("E310", span, f"`{word}` stands twice in this table.", "Take one of them out.")
            seen.add(word)
            if words is not None and word not in words and word != "else":
                self.unknown("E441", span, "case", word, [*words, "else"])
            inner = scope
            key = text_of(define.by)
            if isinstance(by, OptionalType) and word != "none" and key:
                inner = scope.knowing({key: by.inner})
            one = self.type_of(value, inner)
            both = join(self.world, found, one)
            if both is None:
                self.error(
                    "E420",
                    value,
                    f"These do not go together: {described(found)} and {described(one)}.",
                    "All cases give values of one kind.",
                )
            else:
                found = both
        if words is not None and "else" not in seen:
            missing = [w for w in words if w not in seen]
            if missing:
                self.error(
                    "E440",
                    define.by,
                    f"Nothing is said for {', '.join(missing[:8])}.",
                    "Add a line for each of them, or one `else:`.",
                )
        return found

    def words_of(self, by: Type) -> list[str] | None:
        """The cases a table can have; None when they cannot be listed."""
        more = ["none"] if isinstance(by, OptionalType) else []
        match plain(by):
            case WordType(enum):
                return [*self.world.enums.get(enum, ()), *more]
            case KindWordType(base):
                return [*self.world.leaves(base), *more]
            case PieceType(kind):
                return [*self.world.leaves(kind), *more]
            case NumberType(low, high) if high - low < 100:
                return [*(str(i) for i in range(low, high + 1)), *more]
            case type_ if type_ == YESNO:
                return ["yes", "no"]
        return None

    # ----------------------------------------------------------------- actions

    def action_parameters(self, name: str) -> tuple[tuple[str, Type], ...]:
        """What was chosen, by name."""
        key = f"action {name}"
        if key not in self.out.parameter_types:
            quiet, self.quiet = self.quiet, True
            found = []
            scope = Scope(chooser="actor")
            for choice in self.world.game.actions[name].keys:
                _, type_, _ = self.chosen(choice.chosen, scope, "actor")
                found.append((choice.name, type_))
                scope = scope.with_name(choice.name, type_)
            self.quiet = quiet
            self.out.parameter_types[key] = tuple(found)
        return self.out.parameter_types[key]

    def action(self, action: Action) -> None:
        """Choices, requirements and effect of an action."""
        scope = Scope()
        names = dict(self.action_parameters(action.name))
        if action.who is not None:
            self.players_wanted(action.who, plain(self.type_of(action.who, Scope())))
        if action.phase is not None and action.phase.text not in self.world.game.phases:
            self.unknown("E404", action.phase.span, "phase", action.phase.text, list(self.world.game.phases))
        for key in action.keys:
            if self.is_taken(key.name):
                self.error(
                    "E407",
                    key.span,
                    f"`{key.name}` already means something.",
                    "Choose another name for what is chosen.",
                )
            _, found, _ = self.chosen(key.chosen, scope, "actor")
            scope = scope.with_name(key.name, found)
        for requirement in action.requirements:
            inner = Scope(names=names, chooser="actor" if not requirement.afterwards else "")
            self.condition(requirement.condition, inner)
        if action.used_when is not None:
            self.condition(action.used_when, NOBODY_ACTS)
        self.seen(action.seen_by)
        self.block(action.do, Scope(names=names))
        self.sentence(action.text, action.span, Scope(names=names))
        for requirement in action.requirements:
            self.sentence(requirement.because, requirement.span, Scope(names=names))

    # ------------------------------------------------------------------- rules

    def happening_names(self, happenings: Iterable[n.Happening]) -> dict[str, Type]:
        """The names that a rule on these events may read: those that all of them have."""
        shared: dict[str, Type] | None = None
        for h in happenings:
            one = self.names_of_happening(h)
            if shared is None:
                shared = one
            else:
                shared = {
                    k: j
                    for k, t in shared.items()
                    if k in one and (j := join(self.world, t, one[k])) is not None
                }
        return shared or {}

    def names_of_happening(self, h: n.Happening) -> dict[str, Type]:
        """The names of one event."""
        game = self.world.game
        if h.word == "event":
            parameters = self.event_parameters(h.name)
            if parameters is None:
                self.unknown("E404", h.name_span, "event or action", h.name, [*game.events, *game.actions])
                return {}
            return dict(parameters)
        if h.word in ("entering", "leaving", "skipping"):
            if h.name not in game.phases and h.name != "game":
                self.unknown("E405", h.name_span, "phase", h.name, [*game.phases, "game"])
            return {}
        state = self.find_state(h.name)
        if state is None:
            self.unknown("E401", h.name_span, "state", h.name, [*game.states, *self.phase_states])
            return {}
        names: dict[str, Type] = {per: self.kind_type(per, state.span) for per in state.per}
        value = self.state_type(state)
        if isinstance(value, NumberType):
            names["amount"] = NumberType(0, BIG)
        elif h.word in ("rises", "falls"):
            self.error(
                "E411", h.name_span, f"`{h.name}` is no number, so it never {h.word}.", "Write `changes`."
            )
        if h.value is not None:
            self.assigned(
                h.value,
                value,
                self.type_of(h.value, NOBODY_ACTS, value if isinstance(value, WordType) else None),
            )
        return names

    def once_per(self, phase: str, span: Span) -> None:
        """`once per` names a phase, the turn or the game."""
        known = [*self.world.game.phases, "turn", "game"]
        if phase and phase not in known:
            self.unknown("E405", span, "phase", phase, known)

    def rule(self, rule: Rule) -> None:
        """One rule."""
        self.once_per(rule.once_per, rule.span)
        names: dict[str, Type] = {}
        if rule.form == "change":
            define = self.world.game.defines.get(rule.changes)
            if define is None:
                assert rule.changes_span is not None
                self.unknown(
                    "E403", rule.changes_span, "definition", rule.changes, list(self.world.game.defines)
                )
            else:
                names = dict(self.parameters_of(define.name, define.parameters))
                names[rule.changes] = self.define_type(define.name)
        else:
            names = self.happening_names(rule.happenings)
        if rule.group:
            self.held(rule, names)
        scope = Scope(names=names)
        if rule.row is not None:
            scope = self.row(rule, rule.row, scope)
        elif rule.condition is not None:
            self.condition(rule.condition, scope)
            scope = scope.knowing(self.facts(rule.condition, scope)[0])
        if rule.to is not None and rule.form == "change":
            wanted = names.get(rule.changes, UNKNOWN)
            found = self.type_of(rule.to, scope, wanted if isinstance(plain(wanted), WordType) else None)
            if not fits(self.world, found, wanted):
                self.misfit(rule.to, found, wanted)
        if rule.used_when is not None:
            self.condition(rule.used_when, NOBODY_ACTS)
        self.block(rule.do, scope)
        self.sentence(rule.text, rule.span, scope)
        self.sentence(rule.because, rule.span, scope)

    def held(self, rule: Rule, names: dict[str, Type]) -> None:
        """A rule of each card that somebody holds: `card` and `holder` are in scope."""
        for name, found in (("card", PieceType(rule.card)), ("holder", PLAYER)):
            if name in names:
                self.error(
                    "E407",
                    rule.span,
                    f"This happening has a `{name}` of its own, and so has the rule of a card.",
                    "Give what the event is about another name.",
                )
            names[name] = found
        if rule.row is not None and "who" in rule.row.design.cells:
            names[CANDIDATES] = SetType(PLAYER)

    def row(self, rule: Rule, row: Row, scope: Scope) -> Scope:
        """The cells of a rule in a row, and what the kind says for all rows: that reads only what the
        happenings of all rows are about. Gives the scope of what is done.
        """
        if row.when is not None:
            self.condition(row.when, scope)
            scope = scope.knowing(self.facts(row.when, scope)[0])
        if row.who is not None:
            self.players_wanted(row.who, self.type_of(row.who, scope))
        if row.do is not None:
            return scope
        rows = [r for r in self.world.game.rules if r.group == rule.group]
        shared = self.happening_names([h for r in rows for h in r.happenings])
        self.held(rule, shared)
        scope = Scope(names=shared)
        if rule.condition is not None and rule.condition is not row.when:
            both = row.when is not None and isinstance(rule.condition, n.And)
            written = rule.condition.right if both and isinstance(rule.condition, n.And) else rule.condition
            self.condition(written, scope)
            self.out.types[id(rule.condition)] = YESNO
            scope = scope.knowing(self.facts(written, scope)[0])
        return scope

    # -------------------------------------------------------------------- flow

    def gather_phase_names(self, phases: tuple[Phase, ...]) -> None:
        """The names that `for each:` phases bring."""
        for phase in phases:
            if phase.for_each is not None:
                name, found, _ = self.chosen(phase.for_each, NOBODY_ACTS, "")
                self.phase_names[name] = found
            self.gather_phase_names((*phase.each_turn, *phase.phases))

    def phase(self, phase: Phase, scope: Scope) -> None:
        """One phase and those inside it."""
        acting = scope
        if phase.turns is not None:
            self.turns(phase.turns, scope)
            acting = Scope()
        if phase.who is not None:
            found = plain(self.type_of(phase.who, scope))
            self.players_wanted(phase.who, found)
            acting = Scope()
        for node in (phase.skip_when,):
            if node is not None:
                self.condition(node, scope)
        if phase.until is not None:
            self.condition(phase.until, acting)
        for times in (phase.repeat, phase.at_most):
            if times is not None:
                self.number(times.number, scope)
                if (
                    times.then
                    and times.then not in (*self.world.game.ends, "unfinished")
                    and times.then_span is not None
                ):
                    self.unknown(
                        "E404", times.then_span, "end", times.then, [*self.world.game.ends, "unfinished"]
                    )
        self.block(phase.on_enter, scope)
        self.block(phase.on_leave, acting if phase.turns is not None else scope)
        if phase.do is not None:
            self.block(phase.do, acting)
        if isinstance(phase.if_stuck, tuple):
            self.block(phase.if_stuck, Scope())
        for name, span in phase.actions:
            if name not in self.world.game.actions:
                known = [a.name for a in self.world.game.actions.values() if not a.reaction]
                self.unknown("E404", span, "action", name, known)
            elif self.world.game.actions[name].reaction:
                self.error(
                    "E404",
                    span,
                    f"`{name}` is a reaction: it is used when one of its windows opens.",
                    "Move it to `actions:`, or take it out here.",
                )
        if phase.actions and not acting.acting:
            self.error(
                "E432",
                phase.span,
                f"Nobody acts in the phase `{phase.name}`, so its actions are never taken.",
                "Say `turns: clockwise from …` or `who: …`.",
            )
        check_arrange(self, phase, acting)
        for inner_phase in (*phase.each_turn, *phase.phases):
            self.phase(inner_phase, acting)

    def turns(self, turns: n.Turns, scope: Scope) -> None:
        """Who takes turns."""
        if turns.start is not None:
            self.type_of(turns.start, scope, PLAYER)
        if turns.players is not None:
            self.players_wanted(turns.players, self.type_of(turns.players, scope))
        if turns.condition is not None:
            self.condition(turns.condition, Scope(names={"player": PLAYER}))

    def end(self, end: End) -> None:
        """One way the game ends."""
        scope = Scope(names=self.happening_names(end.happenings))
        if end.condition is not None:
            self.condition(end.condition, scope)
            scope = scope.knowing(self.facts(end.condition, scope)[0])
        if isinstance(end.winner, n.Expr):
            found = self.type_of(end.winner, scope)
            self.players_wanted(end.winner, plain(found) if not isinstance(found, OptionalType) else found)
        for value in end.tie:
            if isinstance(value, n.Expr):
                self.number(value, scope.with_name("player", PLAYER))

    def score(self) -> None:
        """`score` is a number for each player."""
        game = self.world.game
        define = game.defines.get("score")
        if define is not None:
            parameters = self.parameters_of("score", define.parameters)
            if [t for _, t in parameters] != [PLAYER] or not isinstance(
                self.define_type("score"), (NumberType, UnknownType)
            ):
                self.error(
                    "E411",
                    define.span,
                    "The game's score is a number for one player.",
                    "Write `score(player p): …` with a number.",
                )

    def unused_options(self) -> None:
        """An option that nothing reads changes nothing; with a mistake elsewhere that cannot be said."""
        if self.problems.errors:
            return
        game = self.world.game
        for option in game.options.values():
            if (
                option.name in self.used
                or option.without
                or option.form == "bundles"
                or option.name in ("first_player",)
            ):
                continue
            self.problems.warning(
                "W451",
                option.span,
                f"Nothing reads the option `{option.name}`.",
                "Use it in a condition, or take it out.",
            )


def check_game(game: Game, problems: Problems) -> Checked:
    """Check a game: types and names of everything, and whether its rules make sense together."""
    out = Checked(game)
    world = make_world(game, problems)
    check = GameCheck(world, out, problems)
    check.run()
    check_boards(check)
    Secrecy(check).run()
    check_windows(check)
    check_cycles(check)
    check_sense(check)
    check_not_yet(game, problems)
    return out
