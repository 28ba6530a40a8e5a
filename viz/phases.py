"""The graph of phases: in which order a game is played, and how it ends.

Comes in: a `Checked` game. Goes out: a networkx DiGraph with a box for the setup, for every phase and
for every end. A phase with phases inside has a box too, the head of a frame around them; what begins
again goes back to its head. It is drawn from the tree of phases; ends that an effect brings about are
found through `dsl/effects_graph`. What never happens: playing; a phase that options rule out is still
shown.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import networkx as nx

from rulewright.dsl.effects_graph import Edge, Node, effects_graph
from rulewright.dsl.model import Checked, End, Game, Phase
from rulewright.viz.parts import (
    Arrow,
    Box,
    Frame,
    Graph,
    Picture,
    add_arrow,
    add_box,
    add_frame,
    begin,
    key_of,
)
from rulewright.viz.phase_lines import BRIEF_LINES, loops, over_when, phase_lines
from rulewright.viz.wording import keyed, line_of, lines_of, spoken, titled

START = "start-start"
WHENEVER = "whenever-whenever"


@dataclass(frozen=True, slots=True)
class _Exit:
    """A box from which the next phase is entered, and how that arrow is drawn."""

    key: str
    relation: str = "then"
    text: str = ""


def phase_graph(checked: Checked, full: bool = False) -> Graph:
    """The flow of a game. `full`: boxes show all lines of their effects, not only the first.

    Phases are called `phase-NAME`, ends `end-NAME`. Relations: "then", "inside" (into the first phase of a
    frame), "again" (back to the head of what is repeated), "skipped" (past a phase with `skip when`), "ends".
    """
    game = checked.game
    graph = begin(nx.DiGraph(), Picture("phases", game.title or spoken(game.name), "Phases of the game"))
    exits = [_Exit(_opening(graph, game, full))]
    builder = _Flow(graph, game, full)
    builder.sequence(game.flow, exits, "")
    _add_ends(graph, game, effects_graph(checked))
    return graph


def _opening(graph: Graph, game: Game, full: bool) -> str:
    if not game.setup and not game.setup_pictures:
        return add_box(graph, Box("start", "start", "Start"), START)
    pictures = tuple(f"picture of {name}" for name, _ in game.setup_pictures)
    lines = (*pictures, *lines_of(game.setup, 0 if full else BRIEF_LINES))
    span = game.setup[0].span if game.setup else game.span
    return add_box(graph, Box("setup", "setup", "Setup", "before the game", lines, span=span))


class _Flow:
    """Adds the tree of phases to a graph, depth first."""

    def __init__(self, graph: Graph, game: Game, full: bool) -> None:
        self.graph = graph
        self.game = game
        self.full = full

    def sequence(self, phases: tuple[Phase, ...], entries: list[_Exit], frame: str) -> list[_Exit]:
        """Add phases that follow each other; return how the last of them is left."""
        for phase in phases:
            left = self.phase(phase, entries, frame)
            if phase.skip_when is not None:
                left += [_Exit(e.key, "skipped", f"without {_title(phase)}") for e in entries]
            entries = left
        return entries

    def phase(self, phase: Phase, entries: list[_Exit], frame: str) -> list[_Exit]:
        """Add one phase and those inside it; return how it is left."""
        inner = (*phase.each_turn, *phase.phases)
        key = self.key(phase)
        if inner:
            frame = add_frame(self.graph, Frame(f"frame-{key}", "phase", _title(phase), frame))
        title, label = titled(phase.title, phase.name, "phase")
        lines = phase_lines(self.game, phase, self.full)
        add_box(self.graph, Box("phase", phase.name, title, label, lines, frame, phase.span), key)
        for entry in entries:
            if entry.key != key:
                add_arrow(self.graph, entry.key, key, Arrow(entry.relation, entry.text, span=phase.span))
        again = loops(phase)
        if not inner:
            if again:
                add_arrow(self.graph, key, key, Arrow("again", again, span=phase.span))
            return [_Exit(key, "then", over_when(phase))]
        last = self.sequence(inner, [_Exit(key, "inside")], frame)
        if not again:
            return last
        for entry in last:
            if entry.key != key:
                add_arrow(self.graph, entry.key, key, Arrow("again", again, span=phase.span))
        return [_Exit(key, "then", over_when(phase))]

    def key(self, phase: Phase) -> str:
        """The key of a phase: by its name, or by its path where two phases have the same name."""
        key = key_of("phase", phase.name)
        return key_of("phase", phase.path) if key in self.graph else key


def _title(phase: Phase) -> str:
    return phase.title or spoken(phase.name)


# ----------------------------------------------------------------------- ends


def _add_ends(graph: Graph, game: Game, edges: tuple[Edge, ...]) -> None:
    for end in game.ends.values():
        lines = (
            *keyed("when", line_of(end.condition)),
            *(f"after {line_of(h)}" for h in end.happenings),
            *keyed("winner:", line_of(end.winner)),
        )
        box = Box("end", end.name, *titled(end.title, end.name, "end of the game"), lines, span=end.span)
        key = add_box(graph, box)
        for cause, text in _causes(game, end, edges):
            add_arrow(graph, cause, key, Arrow("ends", text, span=end.span))
        if end.condition is not None:
            add_arrow(graph, _whenever(graph, game), key, Arrow("ends", "", span=end.span))


def _whenever(graph: Graph, game: Game) -> str:
    """Where ends hang that may come at any moment: at the only outermost phase, or at a box of their own."""
    if len(game.flow) == 1:
        return key_of("phase", game.flow[0].name)
    return add_box(
        graph, Box("whenever", "whenever", "At any time", "looked at after every action"), WHENEVER
    )


def _causes(game: Game, end: End, edges: tuple[Edge, ...]) -> list[tuple[str, str]]:
    """The phases that can bring about an end, with what does it there."""
    found: dict[str, str] = {}
    for happening in end.happenings:
        if happening.name in game.phases:
            found.setdefault(key_of("phase", happening.name), happening.word)
    node = Node("end", end.name)
    for edge in edges:
        if edge.target == node and (edge.relation == "ends" or edge.relation == "after"):
            through = "" if edge.source.kind == "phase" else spoken(edge.source.name)
            for origin in _origins(edge.source, edges):
                key = key_of(origin.kind, origin.name)
                if origin.kind == "phase" or origin.kind == "setup":
                    found.setdefault(key, through)
    return list(found.items())


def _origins(node: Node, edges: tuple[Edge, ...]) -> list[Node]:
    """The phases from which something can come to happen: backwards along causes and rules, not past a
    phase."""
    before: dict[Node, list[Node]] = {}
    for edge in edges:
        if edge.relation == "causes":
            before.setdefault(edge.target, []).append(edge.source)
        elif edge.relation in ("before", "after", "replaces"):
            before.setdefault(edge.source, []).append(edge.target)
        elif edge.relation == "writes":  # a rule that listens to a state
            before.setdefault(edge.target, []).append(edge.source)
    found: dict[Node, None] = {}
    seen, todo = {node}, deque([node])
    while todo:
        current = todo.popleft()
        if current.kind in ("phase", "setup"):
            found[current] = None
            continue
        for earlier in before.get(current, ()):
            if earlier not in seen:
                seen.add(earlier)
                todo.append(earlier)
    return list(found)
