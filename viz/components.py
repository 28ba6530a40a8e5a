"""The graph of components: what lies in the box, where it may lie, and what describes it.

Comes in: a `Checked` game. Goes out: a networkx MultiDiGraph with a box for each kind of piece, zone,
board and word type that describes pieces. Amounts are shown as they are written, since they may hang on
options. What never happens: a piece is counted.
"""

from __future__ import annotations

import networkx as nx

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Attribute, Checked, Enumeration, Game, Kind
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
    boxes,
    key_of,
    picture_of,
)
from rulewright.viz.wording import keyed, line_of, spoken, titled

WORDS_SHOWN = 12
PIECES, PLACES = "frame-pieces", "frame-places"


def component_graph(checked: Checked, full: bool = False) -> Graph:
    """The components of a game. `full` shows all words of a type, however many.

    Relations: kind "is a" kind, kind "starts in" zone, kind "lies in" a zone made for it, zone
    "refills" zone, kind "has" type. A kind that only groups others has a box too.
    """
    game = checked.game
    picture = Picture(
        "components", game.title or spoken(game.name), "What the game is played with", across=True
    )
    graph = begin(nx.MultiDiGraph(), picture)
    add_frame(graph, Frame(PIECES, "pieces", "Pieces"))
    add_frame(graph, Frame(PLACES, "places", "Places"))
    for kind in game.kinds.values():
        add_box(graph, _kind_box(kind))
    for zone in game.zones.values():
        lines = (
            f"a {zone.order} of {zone.holds}",
            *keyed("one for each", zone.per),
            *keyed("seen by", line_of(zone.seen_by)),
            *keyed("at most", line_of(zone.at_most)),
        )
        title, label = titled(zone.title, zone.name, "zone")
        add_box(graph, Box("zone", zone.name, title, label, lines, PLACES, zone.span))
    for board in game.boards.values():
        lines = (f"{board.shape}, {board.size}", *keyed("one for each", board.per))
        title, label = titled(board.title, board.name, "board")
        add_box(graph, Box("board", board.name, title, label, lines, PLACES, board.span))
    for kind in game.kinds.values():
        _kind_arrows(graph, game, kind, full)
    _place_arrows(graph, game)
    _places_after_pieces(graph)
    return graph


def _kind_box(kind: Kind) -> Box:
    designs = f"{len(kind.designs)} in a table" if kind.designs else ""
    lines = (
        *keyed("copies:", line_of(kind.copies)),
        *keyed("designs:", designs),
        *(("of each player",) if kind.per_player else ()),
        *keyed("faces:", _faces(kind)),
        *keyed("has", ", ".join(_attribute(a) for a in kind.attributes)),
        *keyed("used when", line_of(kind.used_when)),
    )
    word = kind.base if kind.made or not kind.children else f"group of {kind.base}s"
    title, label = titled(kind.title, kind.name, word)
    return Box("kind", kind.name, title, label, lines, PIECES, kind.span)


def _attribute(attribute: Attribute) -> str:
    kept = not attribute.column and not attribute.per
    return f"{attribute.name} (changes in play)" if kept else attribute.name


def _faces(kind: Kind) -> str:
    if kind.faces:
        return ", ".join(kind.faces)
    return line_of(kind.face_range) or kind.face_type


def _kind_arrows(graph: Graph, game: Game, kind: Kind, full: bool) -> None:
    key = key_of("kind", kind.name)
    for parent in kind.parents:
        if parent in game.kinds:
            add_arrow(graph, key, key_of("kind", parent), Arrow("is a", span=kind.span))
    if kind.starts_in in game.zones:
        add_arrow(graph, key, key_of("zone", kind.starts_in), Arrow("starts in", span=kind.span))
    types = [a.type.kind for a in kind.attributes if isinstance(a.type, n.KindType)]
    types += [a.per for a in kind.attributes if a.per]
    for name in dict.fromkeys(types):
        if name in game.enums:
            add_box(graph, _type_box(game.enums[name], full))
            add_arrow(graph, key, key_of("type", name), Arrow("has", span=kind.span))


def _type_box(enum: Enumeration, full: bool) -> Box:
    words = enum.words if full or len(enum.words) <= WORDS_SHOWN else (*enum.words[:WORDS_SHOWN], "…")
    text = line_of(enum.numeric) or ", ".join(words)
    count = f"{len(enum.words)} words" if enum.words else "numbers"
    return Box("type", enum.name, spoken(enum.name), count, (text,), PIECES, enum.span)


def _place_arrows(graph: Graph, game: Game) -> None:
    """Arrows only for a kind that a zone is made for; a zone of all cards says so in its box."""
    for zone in game.zones.values():
        key = key_of("zone", zone.name)
        kind = key_of("kind", zone.holds)
        if zone.holds in game.kinds and not graph.has_edge(kind, key):
            add_arrow(graph, kind, key, Arrow("lies in", span=zone.span))
        if zone.refill_from in game.zones:
            add_arrow(graph, key_of("zone", zone.refill_from), key, Arrow("refills", span=zone.span))


def _places_after_pieces(graph: Graph) -> None:
    """Pieces stand in the first column, places in the last: two short columns instead of a long one."""
    frames = {box.frame: [key for key, b in boxes(graph) if b.frame == box.frame] for _, box in boxes(graph)}
    pieces, places = frames.get(PIECES, []), frames.get(PLACES, [])
    leaves = [key for key in pieces if graph.nodes[key]["box"].kind == "type"] or pieces
    for place in places:
        if leaves and not graph.in_degree(place):
            picture_of(graph).beside.append((leaves[0], place))
