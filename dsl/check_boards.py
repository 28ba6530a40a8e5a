"""Check boards: whose their edges are, and what boards of a shape do not have.

Comes in: the checker at work, after all names are typed. Goes out: problems at the wrong word: E401, E402,
E403 and E406 for what hexagons have not, E402, E405, E416 and E421 for edges. What never happens: a
word that is a name of the game's own is taken for one of the language.
To add a shape: its name in `dsl/schema.py`, its directions in `check_world`, its moves in
`interpreter/layout.py`, its sides here and in `interpreter/edges.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Board, Game
from rulewright.dsl.not_yet import nodes_of
from rulewright.dsl.problems import Span

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

SIDES = ("top", "bottom", "left", "right")
WITH_SIDES = ("square grid", "hex rhombus")  # shapes that have these four
EDGES = ("first_edge", "last_edge")
ASLANT = ("orthogonals", "diagonals")
WHY = "Hexagons that share a corner share an edge too, so nothing touches at corners alone."


def check_boards(check: GameCheck) -> None:
    """Report edges that cannot be, and what a game asks of boards that do not have it."""
    game = check.world.game
    for board in game.boards.values():
        _sides_that_end(check, board)
        if board.edges:
            _edges(check, board)
    hexagons = bool(game.boards) and all(b.shape.startswith("hex") for b in game.boards.values())
    for node in nodes_of(game):
        if hexagons:
            _no_diagonals(check, node)
        if isinstance(node, n.Of | n.OfEvery | n.Call) and node.name in EDGES:
            _edges_are_there(check, node)


def _sides_that_end(check: GameCheck, board: Board) -> None:
    if board.shape == "hex rhombus" and board.size == "unbounded":
        check.error("E421", board.size_span, "A rhombus has four sides.", "Write a size, as in `11 x 11`.")


def _edges(check: GameCheck, board: Board) -> None:
    """Every seat has two different edges of a board that has edges."""
    seats = list(check.world.seats)
    if board.size == "unbounded" or board.shape not in WITH_SIDES:
        form = "without bounds" if board.size == "unbounded" else f"that is a `{board.shape}`"
        shapes = " or ".join(f"`{shape}`" for shape in WITH_SIDES)
        check.error(
            "E402", board.edges[0][0].span, f"A board {form} has no edges.",
            f"Take `edges:` out, or make it a {shapes} with a size.",
        )  # fmt: skip
        return
    for seat, sides in board.edges:
        if seat.text not in seats:
            if seats:
                check.unknown("E401", seat.span, "seat", seat.text, seats)
            else:
                cure = "Name the seats, as in `players: [black, white]`."
                check.error("E401", seat.span, f"The seats of this game have no names: `{seat.text}`.", cure)
        elif len({side.text for side in sides}) != 2 or len(sides) != 2:
            check.error(
                "E416", sides[0].span if sides else seat.span,
                f"`{seat.text}` needs two different edges, the first one and the last one.",
                f"Write two of {', '.join(SIDES)}, as in `[top, bottom]`.",
            )  # fmt: skip
    named = {seat.text for seat, _ in board.edges}
    missing = [seat for seat in seats if seat not in named]
    if missing and named <= set(seats):  # else one of them was meant by the name that is wrong
        names = ", ".join(f"`{seat}`" for seat in missing)
        check.error("E405", board.edges[0][0].span, f"No edges are said for {names}.",
                    "Say two edges for every seat.")  # fmt: skip


def _edges_are_there(check: GameCheck, node: n.Of | n.OfEvery | n.Call) -> None:
    game = check.world.game
    if _is_builtin(check, node) and not any(board.edges for board in game.boards.values()):
        example = f"edges: {_example(game)}"
        text = f"There is no `{node.name}`: no board says whose its edges are."
        check.error("E402", node.name_span, text, f"Write `{example}` at the board.")


def _example(game: Game) -> str:
    seats = game.seats or ("black", "white")
    pairs = ("[top, bottom]", "[left, right]")
    return "{" + ", ".join(f"{s}: {pairs[i % 2]}" for i, s in enumerate(seats)) + "}"


def _no_diagonals(check: GameCheck, node: n.Node) -> None:
    match node:
        case n.Of(name="diagonal") | n.OfEvery(name="diagonal") | n.Call(name="diagonal"):
            if _is_builtin(check, node):
                _none_there(check, "E402", node.name_span, "diagonal", "adjacent")
        case n.Name(text=text) if text in ASLANT and _is_builtin(check, node):
            _none_there(check, "E401", node.span, text, "all_directions")
        case n.Selection(kind=kind, kind_span=span):
            if check.world.kind_called(kind) == "diagonal":
                _none_there(check, "E406", span, kind, "line of 3")
            named = node.relation == "diagonal" and "diagonal" not in check.world.game.defines
            if named and node.relation_span is not None:
                _none_there(check, "E403", node.relation_span, "diagonal", "adjacent")


def _is_builtin(check: GameCheck, node: n.Node) -> bool:
    symbol = check.out.symbols.get(id(node))
    return symbol is not None and symbol.form in ("property", "builtin")


def _none_there(check: GameCheck, code: str, span: Span, word: str, instead: str) -> None:
    check.error(code, span, f"A board of hexagons has no `{word}`.", f"{WHY} Write `{instead}`.")
