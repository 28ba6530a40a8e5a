"""What depends on what in a game, as plain data: the edges between its declarations.

Comes in: a `Checked` game. Goes out: `Edge`s in the order of the declarations; each pair of ends
once for each relation, with the place where it is written first. The search for cycles and every
drawing read this and nothing else. What never happens: a part of a game is left out because its
logic is wrong; only what has no meaning has no edge. To add a form of effect: a case in
`_Edges.effect`. To add a kind of declaration: a line in `effects_graph`.

How to read an edge: SOURCE relation TARGET.

- action, event, rule, phase, setup *causes* event: its effect does it;
  phase *causes* action: it is offered there; anything *causes* a reaction whose window it opens
- rule *forbids*, *replaces*, *before*, *after* event, action, state or phase: what it listens to;
  end *after* event; rule *changes* define
- anything *reads* state, zone, board, option, define, attribute, kind, type, table, event, action
- anything *writes* state, attribute, or a kind whose pieces it turns or rolls
- anything *moves to* zone, board or (onto its marks) state; anything *ends* end
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.check_types import element_of
from rulewright.dsl.check_world import World, make_world
from rulewright.dsl.model import Checked, Phase, State
from rulewright.dsl.nodes_walk import walk
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.types import BoardType, MarkType, PieceType, SpaceType, ZoneType, plain

NODE_KINDS = (
    "setup",
    "phase",
    "action",
    "event",
    "rule",
    "state",
    "attribute",
    "zone",
    "board",
    "define",
    "option",
    "table",
    "kind",
    "type",
    "end",
    "always",
)
RELATIONS = (
    "causes",
    "forbids",
    "replaces",
    "before",
    "after",
    "changes",
    "reads",
    "writes",
    "moves to",
    "ends",
)
RULE_RELATIONS = {"forbid": "forbids", "instead": "replaces", "before": "before", "after": "after"}
# what a symbol stands for → the kind of node; anything else (a word, a place, a local name) is no declaration
SYMBOL_NODES = {
    "state": "state",
    "zone": "zone",
    "board": "board",
    "option": "option",
    "define": "define",
    "attribute": "attribute",
    "kind": "kind",
    "supplied": "kind",
    "column": "type",
    "table": "table",
}


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """One declaration. `kind` is one of `NODE_KINDS`; rules under a piece have its path as their name."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` does something to `target` or takes something from it; `span`: where that is written first."""

    source: Node
    relation: str
    target: Node
    span: Span


def rule_node(path: str) -> Node:
    """The node of a rule, by its path: `rules.NAME` is called NAME."""
    return Node("rule", path.removeprefix("rules."))


def effects_graph(checked: Checked) -> tuple[Edge, ...]:
    """All edges of a game. A game with problems gives the edges of what could be understood."""
    game = checked.game
    edges = _Edges(checked, make_world(game, Problems()))
    for option in game.options.values():
        edges.logic(
            Node("option", option.name), option.default_expr, option.low, option.high, option.how_many
        )
    for kind in game.kinds.values():
        node = Node("kind", kind.name)
        edges.logic(node, kind.copies.number if kind.copies else None, kind.used_when)
        edges.logic(node, *(a.start for a in kind.attributes))
        if kind.starts_in in game.zones:
            edges.add(node, "moves to", Node("zone", kind.starts_in), kind.span)
    for zone in game.zones.values():
        edges.logic(Node("zone", zone.name), zone.at_most, zone.seen_by)
        if zone.refill_from in game.zones:
            edges.add(Node("zone", zone.refill_from), "moves to", Node("zone", zone.name), zone.span)
    for state in edges.states():
        edges.logic(Node("state", state.name), state.start, state.low, state.high, state.seen_by)
    for define in game.defines.values():
        edges.logic(
            Node("define", define.name), define.body, define.by, *(value for _, _, value in define.cases)
        )
    edges.logic(Node("setup", "setup"), *game.setup)
    for phase in game.flow:
        edges.phase(phase)
    for action in game.actions.values():
        node = Node("action", action.name)
        edges.logic(
            node,
            *(key.chosen for key in action.keys),
            action.who,
            *(r.condition for r in action.requirements),
        )
        edges.logic(node, action.used_when, *action.do)
        edges.reacts(node, action.windows)
    for event in game.events.values():
        edges.logic(Node("event", event.name), *(p.default for p in event.parameters), *event.do)
    for rule in game.rules:
        node = rule_node(rule.path)
        if rule.form == "change":
            if rule.changes in game.defines and rule.changes_span is not None:
                edges.add(node, "changes", Node("define", rule.changes), rule.changes_span)
        else:
            edges.listens(node, RULE_RELATIONS[rule.form], rule.happenings)
        edges.logic(node, rule.condition, rule.to, rule.used_when, *rule.do)
        if rule.row is not None:
            edges.logic(node, rule.row.who)
    for end in game.ends.values():
        node = Node("end", end.name)
        edges.listens(node, "after", end.happenings)
        edges.logic(node, end.condition, end.winner, *end.tie)
    for name, (condition, _) in game.always.items():
        edges.logic(Node("always", name), condition)
    return tuple(edges.found.values())


class _Edges:
    """Gathers edges; the first place of each is kept."""

    def __init__(self, checked: Checked, world: World) -> None:
        self.checked = checked
        self.world = world
        self.found: dict[tuple[Node, str, Node], Edge] = {}
        heard = [h for rule in checked.game.rules for h in rule.happenings]
        heard += [h for end in checked.game.ends.values() for h in end.happenings]
        self.running_out = any(h.name == "ran_out" for h in heard)

    def states(self) -> list[State]:
        """State of the game and of its phases."""
        game = self.checked.game
        return [*game.states.values(), *(s for p in game.phases.values() for s in p.states)]

    def add(self, source: Node, relation: str, target: Node, span: Span) -> None:
        """Keep one edge; reading oneself is no dependency, causing oneself is."""
        if source != target or relation == "causes":
            self.found.setdefault((source, relation, target), Edge(source, relation, target, span))

    def phase(self, phase: Phase) -> None:
        """A phase and those inside it."""
        node = Node("phase", phase.name)
        turns = phase.turns
        self.logic(node, *((turns.start, turns.players, turns.condition) if turns else ()), phase.who)
        self.logic(node, phase.repeat, phase.until, phase.at_most, phase.skip_when, phase.for_each)
        for laid in phase.arrange:
            self.logic(node, laid.things, laid.goals)
            self.destination(node, laid.goals)
        self.logic(node, *phase.on_enter, *(phase.do or ()), *phase.on_leave)
        if isinstance(phase.if_stuck, tuple):
            self.logic(node, *phase.if_stuck)
        for name, span in phase.actions:
            if name in self.checked.game.actions:
                self.add(node, "causes", Node("action", name), span)
        if phase.at_most is not None and phase.at_most.then in self.checked.game.ends:
            self.add(node, "ends", Node("end", phase.at_most.then or ""), phase.at_most.span)
        for inner in (*phase.each_turn, *phase.phases):
            self.phase(inner)

    def listens(self, source: Node, relation: str, happenings: Iterable[n.Happening]) -> None:
        """What a rule or end stands around."""
        game = self.checked.game
        for h in happenings:
            if h.word == "event":
                if h.name in game.actions:
                    self.add(source, relation, Node("action", h.name), h.span)
                elif self.is_event(h.name):
                    self.add(source, relation, Node("event", h.name), h.span)
            elif h.word in ("entering", "leaving", "skipping"):
                if h.name in game.phases:
                    self.add(source, relation, Node("phase", h.name), h.span)
            elif any(s.name == h.name for s in self.states()):
                self.add(source, relation, Node("state", h.name), h.span)
                self.logic(source, h.value)

    def reacts(self, reaction: Node, windows: Iterable[n.Happening]) -> None:
        """What opens the windows of a reaction by itself: an event, or a phase that begins or ends."""
        game = self.checked.game
        for h in windows:
            if h.word in ("entering", "leaving") and h.name in game.phases:
                self.add(Node("phase", h.name), "causes", reaction, h.span)
            elif h.word == "event" and h.name in game.events:
                self.add(Node("event", h.name), "causes", reaction, h.span)
            elif h.word == "event" and h.name in game.actions:
                self.add(Node("action", h.name), "causes", reaction, h.span)

    def is_event(self, name: str) -> bool:
        """Whether a name is an event of the game or one that every game has."""
        return name in self.checked.game.events or name in ("turn_begins", "turn_ends", "ran_out")

    # ------------------------------------------------------------------- logic

    def logic(self, source: Node, *parts: object) -> None:
        """All edges of some pieces of logic; what is no logic is passed over."""
        for part in parts:
            if not isinstance(part, n.Node):
                continue
            written: set[int] = set()
            for node in walk(part):
                if isinstance(node, n.Effect):
                    self.effect(source, node, written)
                elif isinstance(node, n.Selection):
                    self.selection(source, node)
                elif isinstance(node, (n.Can, n.HasHappened)):
                    self.event_read(source, node)
                else:
                    self.symbol(source, node, "writes" if id(node) in written else "reads")

    def symbol(self, source: Node, node: n.Node, relation: str) -> None:
        """What a name in an expression stands for."""
        symbol = self.checked.symbols.get(id(node))
        if symbol is None:
            return
        if symbol.form in SYMBOL_NODES:
            name = symbol.owner if symbol.form == "column" else symbol.name
            self.add(source, relation, Node(SYMBOL_NODES[symbol.form], name), node.span)
        elif symbol.form == "builtin" and symbol.name == "box":
            self.add(source, relation, Node("zone", "box"), node.span)

    def selection(self, source: Node, node: n.Selection) -> None:
        """The kind that a selection runs over, and the definition it walks by."""
        kind = self.world.kind_called(node.kind)
        if kind in self.checked.game.kinds:
            self.add(source, "reads", Node("kind", kind or ""), node.kind_span)
        elif kind in self.checked.game.enums:
            self.add(source, "reads", Node("type", kind or ""), node.kind_span)
        if node.relation in self.checked.game.defines and node.relation_span is not None:
            self.add(source, "reads", Node("define", node.relation or ""), node.relation_span)

    def event_read(self, source: Node, node: n.Can | n.HasHappened) -> None:
        """`can EVENT(…)`, `EVENT has happened this PHASE`."""
        kind = "action" if node.event in self.checked.game.actions else "event"
        if kind == "action" or self.is_event(node.event):
            self.add(source, "reads", Node(kind, node.event), node.event_span)

    def effect(self, source: Node, node: n.Effect, written: set[int]) -> None:
        """What one instruction does; the names inside it are looked at by themselves."""
        match node:
            case n.Do(event=event, event_span=span) if event in self.checked.game.events:
                self.add(source, "causes", Node("event", event), span)
            case n.SetTo(target=target) | n.AddTo(target=target) | n.TakeFrom(target=target):
                written.add(id(target))
            case n.ChoosesValue(target=target) | n.EachChoosesValue(target=target):
                written.add(id(target))
            case n.Move(place=place) | n.Deal(place=place):
                self.destination(source, place)
            case n.Place(place=place, kind=kind, kind_span=span):
                known = self.world.kind_called(kind)
                if known in self.checked.game.kinds:
                    self.add(source, "reads", Node("kind", known or ""), span)
                self.destination(source, place)
            case n.Swap(first=first, second=second):
                self.destination(source, first)
                self.destination(source, second)
            case n.Remove(span=span):
                self.add(source, "moves to", Node("zone", "box"), span)
            case n.TurnTo(things=things) | n.Roll(things=things):
                found = plain(self.checked.types.get(id(things), BoardType("")))
                piece = element_of(found) or found
                if isinstance(piece, PieceType) and piece.kind in self.checked.game.kinds:
                    self.add(source, "writes", Node("kind", piece.kind), node.span)
            case n.Offer(window=window, window_span=span):
                for action in self.checked.game.actions.values():
                    if any(h.word == "event" and h.name == window for h in action.windows):
                        self.add(source, "causes", Node("action", action.name), span)
            case n.End(name=name) if name is not None and name in self.checked.game.ends:
                self.add(source, "ends", Node("end", name), node.span)
        if isinstance(node, (n.Deal, n.Move)) and self.running_out:
            self.may_run_out(source, node)

    def may_run_out(self, source: Node, node: n.Deal | n.Move) -> None:
        """Asking for a number of things raises `ran_out` where there are too few (asked only if heard)."""
        ends = isinstance(node.things, n.Of) and node.things.name in ("top", "bottom")
        asks = isinstance(node.things, n.Chosen) and node.things.amount is not None
        if isinstance(node, n.Deal) or asks or ends:
            self.add(source, "causes", Node("event", "ran_out"), node.span)

    def destination(self, source: Node, place: n.Expr) -> None:
        """The zone or board that something goes to; a space of an unknown board may be on any."""
        game = self.checked.game
        found = plain(self.checked.types.get(id(place), BoardType("")))
        inner = element_of(found) or found
        if isinstance(found, MarkType):
            self.add(source, "moves to", Node("state", self.world.track_marks[found.mark]), place.span)
            return
        if isinstance(found, ZoneType):
            if found.zone in game.zones or found.zone == "box":
                self.add(source, "moves to", Node("zone", found.zone), place.span)
            return
        named = [
            symbol
            for part in walk(place)
            if (symbol := self.checked.symbols.get(id(part))) is not None and symbol.form in ("zone", "board")
        ]
        zones = [s for s in named if s.form == "zone"]
        if isinstance(inner, (SpaceType, PieceType)) and not zones:
            boards = [s.name for s in named] or list(game.boards)
            for board in boards:
                self.add(source, "moves to", Node("board", board), place.span)
        for zone in zones:
            self.add(source, "moves to", Node("zone", zone.name), place.span)
