"""Link the expressions that walk: runs over a board, what is linked to what, connected groups.

Comes in: `Going`, `Linked`, `Groups` or `Occupied`. Goes out: callables, as in `link_expr.py`.
What never happens: a walk that does not end: every run stops when it comes back to where it began,
and every space it looks at is charged to the budget of steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.layout import deltas

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code
    from rulewright.interpreter.link_expr import Expressions
from rulewright.interpreter.link_numbers import Ev


def stepper(code: Code, number: int) -> Callable[[int, int], int]:
    """How to get from a place one step in a direction: the next place, or -1 off the board."""
    board = code.program.boards[number]
    first = board.first
    if not board.unbounded:
        rows = board.steps

        def step(direction: int, place: int) -> int:
            to = rows[direction][place - first]
            return to + first if to >= 0 else -1

        return step
    height, width = board.height, board.width
    moves = deltas(board, code.program.directions)

    def step_round(direction: int, place: int) -> int:
        move = moves[direction]
        if move is None:
            return -1
        row, column = divmod(place - first, width)
        return first + (row + move[0]) % height * width + (column + move[1]) % width

    return step_round


def link_going(links: Expressions, e: ir.Going) -> Ev:
    """An ordered run of spaces in each direction of a set."""
    board = links.program.boards[e.board]
    first, end = board.first, board.first + board.width * board.height
    step = stepper(links.code, e.board)
    start, directions = links.value(e.start), links.items(e.directions)
    limit = links.value(e.limit) if e.limit is not None else None
    keep = links.test(e.keep) if e.keep is not None else None
    until = links.test(e.until) if e.until is not None else None
    ending = links.test(e.ending) if e.ending is not None else None
    slot, exact, cells = e.slot, e.exact, board.width * board.height
    free = keep is None and until is None and ending is None
    if free and isinstance(e.directions, ir.SetConst) and isinstance(e.limit, ir.Const | None):
        most = e.limit.value if e.limit is not None else cells
        return _fixed_runs(board, step, start, e.directions.items, most, exact)

    def run(s: Any, loc: list[Any], origin: int, direction: int, most: int) -> list[int]:
        out: list[int] = []
        place = step(direction, origin)
        while place >= 0 and place != origin and len(out) < most:
            loc[slot] = place
            if keep is not None and not keep(s, loc):
                break
            out.append(place)
            stop = until is not None and until(s, loc)
            place = step(direction, place)
            if stop:
                break
        s.fuel -= len(out) + 1
        if s.fuel < 0:
            raise RuleError("This takes too many steps.", form="budget")
        if exact:
            out = out[-1:] if len(out) == most else []
        if ending is not None and out_or_none(s, loc, place, origin):
            return []
        return out

    def out_or_none(s: Any, loc: list[Any], place: int, origin: int) -> bool:
        if place < 0 or place == origin:
            return True
        loc[slot] = place
        return not ending(s, loc)  # type: ignore[misc]

    def going(s: Any, loc: list[Any]) -> Any:
        origin = start(s, loc)
        if not first <= origin < end:
            return ()
        most = limit(s, loc) if limit is not None else cells
        out: dict[int, None] = {}
        for direction in directions(s, loc):
            out.update(dict.fromkeys(run(s, loc, origin, direction, most)))
        return tuple(out)

    return going


def _fixed_runs(
    board: ir.BoardInfo,
    step: Callable[[int, int], int],
    start: Ev,
    directions: tuple[int, ...],
    most: int,
    exact: bool,
) -> Ev:
    """Runs that depend on nothing but where they begin: each is worked out once."""
    first, end = board.first, board.first + board.width * board.height
    known: dict[int, tuple[int, ...]] = {}

    def runs(origin: int) -> tuple[int, ...]:
        out: dict[int, None] = {}
        for direction in directions:
            run: list[int] = []
            place = step(direction, origin)
            while place >= 0 and place != origin and len(run) < most:
                run.append(place)
                place = step(direction, place)
            if exact:
                run = run[-1:] if len(run) == most else []
            out.update(dict.fromkeys(run))
        return tuple(out)

    def going(s: Any, loc: list[Any]) -> Any:
        origin = start(s, loc)
        if origin in known:
            return known[origin]
        if not first <= origin < end:
            return ()
        known[origin] = found = runs(origin)
        return found

    return going


def link_linked(links: Expressions, e: ir.Linked) -> Ev:
    """Everything that can be reached step by step, nearest first; the start is not in it."""
    start, near = links.items(e.start), links.items(e.neighbours)
    where = links.test(e.where) if e.where is not None else None
    stopping = links.test(e.stopping) if e.stopping is not None else None
    slot = e.slot

    def linked(s: Any, loc: list[Any]) -> Any:
        queue = list(dict.fromkeys(start(s, loc)))
        met = set(queue)
        out: list[int] = []
        for at in queue:  # grows while it is run through
            loc[slot] = at
            around = near(s, loc)
            s.fuel -= len(around) + 1
            if s.fuel < 0:
                raise RuleError("This takes too many steps.", form="budget")
            for v in around:
                if v in met:
                    continue
                met.add(v)
                loc[slot] = v
                if where is not None and not where(s, loc):
                    continue
                out.append(v)
                if stopping is None or not stopping(s, loc):
                    queue.append(v)
        return tuple(out)

    return linked


def link_groups(links: Expressions, e: ir.Groups) -> Ev:
    """The connected groups of a set; two values are connected if either is a neighbour of the other."""
    whole, near, slot = links.items(e.set), links.items(e.neighbours), e.slot

    def groups(s: Any, loc: list[Any]) -> Any:
        values = tuple(whole(s, loc))
        links_of: dict[int, list[int]] = {v: [] for v in values}
        for v in values:
            loc[slot] = v
            around = near(s, loc)
            s.fuel -= len(around) + 1
            for other in around:
                if other in links_of:
                    links_of[v].append(other)
                    links_of[other].append(v)
        if s.fuel < 0:
            raise RuleError("This takes too many steps.", form="budget")
        group_of: dict[int, int] = {}
        found = 0
        for v in values:
            if v in group_of:
                continue
            group_of[v] = found
            todo = [v]
            while todo:
                for other in links_of[todo.pop()]:
                    if other not in group_of:
                        group_of[other] = found
                        todo.append(other)
            found += 1
        out: list[list[int]] = [[] for _ in range(found)]
        for v in values:
            out[group_of[v]].append(v)
        return tuple(tuple(g) for g in out)

    return groups


def link_occupied(code: Code, number: int, around: bool) -> Ev:
    """The spaces of an unbounded board that hold something, and those that touch them.

    While nothing lies on the board, `around` gives its origin, where the first piece can go.
    """
    board = code.program.boards[number]
    first, width, height = board.first, board.width, board.height
    end = first + width * height
    origin = first + height // 2 * width + width // 2
    moves = {m for m in deltas(board, code.program.directions) if m is not None}
    if not board.shape.startswith("hex"):
        moves = {(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)}

    near: dict[int, tuple[int, ...]] = {}

    def beside(place: int) -> tuple[int, ...]:
        row, column = divmod(place - first, width)
        near[place] = found = tuple(
            first + (row + r) % height * width + (column + c) % width for r, c in moves
        )
        return found

    def occupied(s: Any, loc: list[Any]) -> Any:
        held = [p for p, pieces in s.contents.items() if first <= p < end and pieces]
        if not around:
            return tuple(sorted(held))
        if not held:
            return (origin,)
        out = set(held)
        for place in held:
            out.update(near.get(place) or beside(place))
        s.fuel -= len(out)
        return tuple(sorted(out))

    return occupied
