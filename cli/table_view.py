"""The table on a terminal: boards, zones and values, as one player may see them.

Comes in: what `Match.view` gave, and nothing else, so nothing hidden can get in. Goes out: lines of text,
and the same with colours (`table_text`). A board shows its rows and columns by the names that options use;
an empty space is `.`, a hidden piece `?`, what lies on a piece comes after `/`, and `+2` says that it covers
two, which are listed below the board. Tracks with marks come first; where players have many places, each
player has lines of their own. Whose a piece is says the sign of its owner (`●`, as in the legend),
with or without colours; a name of one letter is its own sign. What never happens: a word about a game that
is not in the view, or anything told by colour alone.

Inside, a sign stands between two characters that no text of a game can hold (`screen.plain` lets none of
them through); they say whose colour it gets and are gone from what is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from rulewright.cli.screen import plain
from rulewright.viz.table_board import Grid, grid_of
from rulewright.viz.table_pieces import every_piece, is_token, over_text, state_text
from rulewright.viz.table_seats import Seat, seats_of
from rulewright.viz.table_tracks import mark_name, marked_tracks, zones_on_tracks
from rulewright.viz.table_values import of_players, told, value_text
from rulewright.viz.table_zones import is_owned, owned_groups

View = Mapping[str, Any]
BAR, LONGEST = 10, 120  # how long the bar of a track is, and how far a track may go to have one
FIRST, LAST = 0xE000, 0xE0FF  # FIRST + n begins the sign of player n, LAST ends it
MARKED = re.compile(f"([{chr(FIRST)}-{chr(LAST - 1)}])([^{chr(LAST)}]*){chr(LAST)}")


def table_lines(view: View) -> list[str]:
    """The whole table, without the decision, as plain text."""
    return [bare(line) for line in _lines(view)]


def table_text(view: View) -> Text:
    """The same lines with the colours of the players."""
    return coloured("\n".join(_lines(view)), view["players"])


def _lines(view: View) -> list[str]:
    pieces = Pieces(view)
    lines = [heading(view)]
    legend = legend_line(view)
    if legend:
        lines.append(legend)
    for name, board in view["boards"].items():
        lines += ["", f"{words(name)}{_whose(view, board['owner'])}", *board_lines(board, pieces)]
    state, ranges, marks = view["state"], view.get("ranges", {}), marks_of(view, pieces)
    tracks, said = marked_tracks(view), values_beside(view)
    others = {name: value for name, value in state.items() if name not in tracks and name not in said}
    for part in (
        state_lines({name: state[name] for name in tracks}, ranges, marks),
        player_lines(view, pieces),
        zone_lines(view, pieces),
        state_lines(others, ranges, marks),
    ):
        found = list(part)
        lines += ["", *found] if found else []
    return [line.rstrip() for line in lines]


def heading(view: View) -> str:
    """The game, the phase, whose turn it is."""
    parts = [plain(view["title"])]
    phases = [words(p.rpartition(".")[2]) for p in view["phase"]]
    if phases[:1] == ["game"]:  # the whole of it, which goes without saying
        del phases[0]
    if phases:
        parts.append(" › ".join(phases))
    if view["actor"] is not None and view["result"] is None:
        parts.append(
            f"turn of {plain(view['actor'])}" + (" (you)" if view["actor"] == view["viewer"] else "")
        )
    return " · ".join(parts)


def legend_line(view: View) -> str:
    """Which sign is whose; "" where the names are their own signs or no piece is anybody's."""
    seats = seats_of(view["players"])
    owned = any(p["owner"] is not None for p in every_piece(view))
    if not owned or all(seat.sign == seat.name for seat in seats.values()):
        return ""
    return "  ".join(f"{sign_of(i, seat)} {plain(seat.name)}" for i, seat in enumerate(seats.values()))


def result_lines(result: Mapping[str, Any]) -> list[str]:
    """How the game ended."""
    title = plain(result["title"] or "") or "It stopped without reaching an end"
    winners = [plain(w) for w in result["winners"]]
    lines = [f"The game is over: {words(title)}."]
    lines.append(f"Winner: {' and '.join(winners)}." if winners else "Nobody has won.")
    if result["scores"]:
        lines.append("Scores: " + ", ".join(f"{plain(n)} {s}" for n, s in result["scores"].items()) + ".")
    return lines


def words(name: str) -> str:
    """A name as words."""
    return plain(name).replace("_", " ")


def _whose(view: View, owner: str | None) -> str:
    if owner is None:
        return ""
    return f" of {plain(owner)}" + (" (yours)" if owner == view["viewer"] else "")


# ------------------------------------------------------------------- colours


def sign_of(number: int, seat: Seat) -> str:
    """The sign of player `number` between the characters that give it its colour."""
    return f"{chr(FIRST + number)}{plain(seat.sign)}{chr(LAST)}"


def bare(line: str) -> str:
    """A line as plain text."""
    return MARKED.sub(r"\2", line)


def coloured(lines: str, players: Sequence[str]) -> Text:
    """Lines with every sign in the colour of its player."""
    seats, text, at = list(seats_of(players).values()), Text(), 0
    for found in MARKED.finditer(lines):
        text.append(lines[at : found.start()])
        style = seats[ord(found[1]) - FIRST].style
        text.append(found[2], f"bold {style}".strip())
        at = found.end()
    text.append(lines[at:])
    return text


def _width(text: str) -> int:
    return cell_len(bare(text))


# ------------------------------------------------------------------- pieces


class Pieces:
    """How pieces are written in short. A token that has no code but its kind's name, and an owner, goes
    by the sign of its owner alone where there is one kind of them: that is how people tell them apart."""

    def __init__(self, view: View) -> None:
        self._signs = {s.name: sign_of(i, s) for i, s in enumerate(seats_of(view["players"]).values())}
        self._alone = len({p["kind"] for p in every_piece(view) if self._plain(p)}) < 2

    def _plain(self, piece: Mapping[str, Any]) -> bool:
        return piece["owner"] is not None and piece["code"] == piece["kind"]

    def text(self, piece: Mapping[str, Any] | None) -> str:
        """A piece in short: whose it is, its icon and code, its state in brackets, what lies on it."""
        if piece is None:
            return "?"
        sign = self._signs.get(piece["owner"], "")
        name = plain(piece.get("icon", "")) + (
            "" if piece.get("icon") and is_token(piece) else plain(piece["code"])
        )
        if self._plain(piece) and self._alone and not piece.get("icon"):
            name = ""
        text = f"{sign}:{name}" if sign and name else sign or name
        extra = plain(state_text(piece))
        if extra:
            text += f"[{extra}]"
        if piece.get("on"):
            text += "/" + ",".join(counted(self.text(p) for p in piece["on"]))
        return text

    def cell(self, cell: Mapping[str, Any] | None, covers: bool = True) -> str:
        """A space in short. Where pieces lie side by side they are counted, else the top one is shown."""
        if cell is None:
            return "."
        under = list(cell.get("under", ()))
        if under and not covers:
            return ",".join(counted(self.text(p) for p in (*under, cell["top"])))
        hidden = cell["count"] - 1
        return self.text(cell["top"]) + (f"+{hidden}" if hidden else "")


def counted(texts: Iterable[str]) -> list[str]:
    """Equal texts once, with how many there are; 9 comes before 10. A sign alone has the figure right
    behind it, unless the sign is a letter."""
    counts = Counter(sorted(texts, key=_natural))
    return [text if n == 1 else f"{text}{'' if _is_sign(text) else '×'}{n}" for text, n in counts.items()]


def _is_sign(text: str) -> bool:
    return MARKED.fullmatch(text) is not None and not bare(text).isalnum()


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", text)]


# ------------------------------------------------------------------- boards


def board_lines(board: Mapping[str, Any], pieces: Pieces) -> list[str]:
    """A board: rows and columns, or a list of spaces where it has none; then what its stacks cover."""
    covers = board.get("covers", True)
    if "rows" not in board:
        return [*spaces_lines(board["spaces"], pieces, covers), *_covered(board["spaces"], covers)]
    grid = grid_of(board)
    rows = [[pieces.cell(c, covers) for c in row] for row in grid.rows]
    width = max([1, *(_width(t) for row in [*rows, grid.column_names] for t in row)])
    margin = max(len(n) for n in grid.row_names) if grid.row_names else 1
    hexagons = board["shape"].startswith("hex")
    width += width % 2 if hexagons else 0  # so that half a space is a whole number of signs
    slant = (width + 2) // 2 if hexagons else 0
    lines = ["  " + " " * margin + _row(grid.column_names, width)]
    for i, (name, row) in enumerate(zip(grid.row_names, rows, strict=True)):
        lines.append("  " + name.rjust(margin) + " " * (slant * i) + _row(row, width))
    return [*lines, *_covered(_by_name(grid), covers)]


def _row(texts: Sequence[str], width: int) -> str:
    return "".join("  " + t + " " * (width - _width(t)) for t in texts)


def _by_name(grid: Grid) -> dict[str, Any]:
    return {
        column + row: cell
        for row, cells in zip(grid.row_names, grid.rows, strict=True)
        for column, cell in zip(grid.column_names, cells, strict=True)
    }


def _covered(spaces: Mapping[str, Any], covers: bool) -> list[str]:
    """What lies under the top cards, a line for each stack."""
    found = []
    for name, cell in spaces.items():
        if covers and cell is not None and cell.get("under"):
            top = "?" if cell["top"] is None else plain(cell["top"]["code"])
            found.append(f"  {plain(name)}: {top} over {plain(over_text(cell['under']))}")
    return found


def spaces_lines(spaces: Mapping[str, Any], pieces: Pieces, covers: bool = True) -> list[str]:
    """Spaces that lie in no rows: those with something on them, then the names of the others."""
    lines = [f"  {plain(n)}: {pieces.cell(cell, covers)}" for n, cell in spaces.items() if cell is not None]
    empty = [plain(name) for name, cell in spaces.items() if cell is None]
    if empty:
        lines.append(f"  empty: {' '.join(empty)}")
    return lines


# -------------------------------------------------------------------- zones


def values_beside(view: View) -> list[str]:
    """The values that stand with the players, where these have many places."""
    return of_players(view) if owned_groups(view) else []


def player_lines(view: View, pieces: Pieces) -> Iterator[str]:
    """Where players have many places: two lines for each player, with the values of that player, what
    lies in which place, and which are empty."""
    groups, values = owned_groups(view), values_beside(view)
    owned = [zone for zone in view["zones"].values() if groups and is_owned(zone)]
    for i, (player, seat) in enumerate(seats_of(view["players"]).items()):
        places = [zone for zone in owned if zone["owner"] == player]
        if places:
            yours = " (you)" if player == view["viewer"] else ""
            said = [
                f"{words(name)} {value_text(view['state'][name][player], plain)}"
                for name in values
                if player in view["state"][name]
            ]
            yield f"{sign_of(i, seat)} {plain(player)}{yours}" + (f": {' · '.join(said)}" if said else "")
            held = [f"{words(z['group'])}: {zone_text(z, pieces)}" for z in places if z["count"]]
            empty = [words(z["group"]) for z in places if not z["count"]]
            yield "    " + " · ".join([*held, *([f"empty: {', '.join(empty)}"] if empty else [])])


def zone_lines(view: View, pieces: Pieces) -> Iterator[str]:
    """A line for each zone that stands nowhere else. Supplies and the box are left out while they are
    empty; where there are many zones the empty ones share a line."""
    elsewhere, crowded = zones_on_tracks(view), owned_groups(view)
    empty = []
    for name, zone in view["zones"].items():
        if zone["kind"] in ("supply", "box", "mark") and not zone["count"]:
            continue
        if name in elsewhere or (crowded and is_owned(zone)):
            continue
        title = words(name) + (
            " (yours)" if zone["owner"] is not None and zone["owner"] == view["viewer"] else ""
        )
        if crowded and not zone["count"]:
            empty.append(title)
        else:
            yield f"{title}: {zone_text(zone, pieces)}"
    if empty:
        yield f"empty: {', '.join(empty)}"


def zone_text(zone: Mapping[str, Any], pieces: Pieces) -> str:
    """What lies in a zone; a pile from its top."""
    lying = list(zone["pieces"])
    if not lying:
        return "empty"
    if all(p is None for p in lying):
        return f"{len(lying)} hidden"
    if zone["order"] == "pile":
        return " ".join(pieces.text(p) for p in reversed(lying)) + ("  (top first)" if len(lying) > 1 else "")
    if zone["order"] == "row":
        return " ".join(pieces.text(p) for p in lying)
    hidden = sum(p is None for p in lying)
    shown = counted(pieces.text(p) for p in lying if p is not None)
    return " ".join([*shown, *([f"and {hidden} hidden"] if hidden else [])])


# ------------------------------------------------------------------- values


def marks_of(view: View, pieces: Pieces) -> dict[str, str]:
    """The marks on each track in words, with what lies on them."""
    return {
        name: ", ".join(_mark_text(view, str(mark), int(level), pieces) for mark, level in marks)
        for name, marks in view.get("marks", {}).items()
    }


def _mark_text(view: View, mark: str, level: int, pieces: Pieces) -> str:
    name = mark_name(mark, level)
    zone = view["zones"].get(name)
    lies = f" ({zone_text(zone, pieces)})" if zone is not None and zone["count"] else ""
    return words(name) + lies


def state_lines(
    state: Mapping[str, Any], ranges: Mapping[str, Sequence[int]], marks: Mapping[str, str] | None = None
) -> Iterator[str]:
    """A line for each value that the viewer may see; of long lists only what is something, or what is not
    as most of them are. A single number with bounds of its own has a bar; a track says its `marks`."""
    for name, value in state.items():
        on = (marks or {}).get(name, "")
        behind = f"  marks: {on}" if on else ""
        if not isinstance(value, Mapping):
            yield f"{words(name)}: {value_text(value, plain)}{bar_of(value, ranges.get(name))}{behind}"
            continue
        entries, others = told(value)
        said = [f"{plain(k)} {value_text(v, plain)}" for k, v in entries]
        said += (
            [f"all{' others' if entries else ''} {value_text(others, plain)}"] if others is not None else []
        )
        if said:
            yield f"{words(name)}: {', '.join(said)}{behind}"


def bar_of(value: Any, bounds: Sequence[int] | None) -> str:
    """Where a number stands between its bounds; "" if it has none, or they are too far apart to see it."""
    if bounds is None or not 2 < bounds[1] - bounds[0] <= LONGEST or isinstance(value, bool | None):
        return ""
    full = round(BAR * (value - bounds[0]) / (bounds[1] - bounds[0]))
    return f"  {bounds[0]} {'▰' * full}{'▱' * (BAR - full)} {bounds[1]}"
