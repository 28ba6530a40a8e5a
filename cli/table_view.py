"""The table on a terminal: boards, zones and values, as one player may see them.

Comes in: what `Match.view` gave, and nothing else, so nothing hidden can get in. Goes out: lines of
text. A board shows its rows and columns by the names that options use; an empty space is `.`, a hidden
piece `?`, what lies on a piece comes after `/`, and `+2` says that two more lie under it. What never
happens: a word about a game that is not in the view.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from rulewright.cli.screen import plain
from rulewright.interpreter.layout import column_name

View = Mapping[str, Any]
FEW = 10  # values of one state that are shown whether they are nothing or not
KNOWN_KEYS = frozenset({"code", "title", "kind", "owner", "on"})


def table_lines(view: View) -> list[str]:
    """The whole table, without the decision."""
    lines = [heading(view)]
    pieces = Pieces(view)
    for name, board in view["boards"].items():
        lines += ["", f"{words(name)}{_whose(view, board['owner'])}", *board_lines(board, pieces)]
    zones = list(zone_lines(view, pieces))
    values = list(state_lines(view["state"]))
    if zones:
        lines += ["", *zones]
    if values:
        lines += ["", *values]
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
        parts.append(f"turn of {view['actor']}" + (" (you)" if view["actor"] == view["viewer"] else ""))
    return " · ".join(parts)


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


# ------------------------------------------------------------------- pieces


class Pieces:
    """How pieces are written in short. A piece that has no code but its kind's name, and an owner, goes
    by the beginning of its owner's name: that is how people tell such pieces apart."""

    def __init__(self, view: View) -> None:
        self._short = beginnings(view["players"])
        self._alone = len({p["kind"] for p in _all_pieces(view) if self._plain(p)}) < 2

    def _plain(self, piece: Mapping[str, Any]) -> bool:
        return piece["owner"] is not None and piece["code"] == piece["kind"]

    def text(self, piece: Mapping[str, Any] | None) -> str:
        """A piece in short: its code, its state in brackets, what lies on it."""
        if piece is None:
            return "?"
        text = plain(piece["code"])
        if self._plain(piece):
            short = self._short[piece["owner"]]
            text = short if self._alone else f"{short}:{text}"
        extra = [_short(v) for k, v in piece.items() if k not in KNOWN_KEYS and v not in (None, False, [])]
        if extra:
            text += f"[{' '.join(extra)}]"
        if piece.get("on"):
            text += "/" + ",".join(counted(self.text(p) for p in piece["on"]))
        return text

    def cell(self, cell: Mapping[str, Any] | None) -> str:
        """A space in short."""
        if cell is None:
            return "."
        under = cell["count"] - 1
        return self.text(cell["top"]) + (f"+{under}" if under else "")


def beginnings(names: Sequence[str]) -> dict[str, str]:
    """For each name its shortest beginning that no other has, or all of it where names end alike
    (`player_1`)."""
    found: dict[str, str] = {}
    for name in names:
        length = next((n for n in range(1, 4) if sum(o[:n] == name[:n] for o in names) == 1), len(name))
        found[name] = plain(name[:length])
    return found


def counted(texts: Iterable[str]) -> list[str]:
    """Equal texts once, with how many there are; 9 comes before 10."""
    counts = Counter(sorted(texts, key=_natural))
    return [text if n == 1 else f"{text}×{n}" for text, n in counts.items()]


def _natural(text: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", text)]


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_short(v) for v in value)
    return "yes" if value is True else plain(str(value))


def _all_pieces(view: View) -> Iterator[Mapping[str, Any]]:
    """Every piece in a view that is known, wherever it lies."""
    found = [p for zone in view["zones"].values() for p in zone["pieces"]]
    for board in view["boards"].values():
        cells = board["spaces"].values() if "spaces" in board else [c for row in board["rows"] for c in row]
        found += [p for c in cells if c is not None for p in (c["top"], *c.get("under", ()))]
    for piece in found:
        if piece is not None:
            yield piece
            yield from (p for p in piece.get("on", ()) if p is not None)


# ------------------------------------------------------------------- boards


def board_lines(board: Mapping[str, Any], pieces: Pieces) -> list[str]:
    """A board: rows and columns, or a list of spaces where it has none."""
    if "rows" not in board:
        return spaces_lines(board["spaces"], pieces)
    rows = [[pieces.cell(c) for c in row] for row in board["rows"]]
    row_names, column_names = list(board["row_names"]), list(board["column_names"])
    if board["unbounded"]:
        rows, row_names, column_names = _with_rim(rows, row_names, column_names)
    width = max([1, *(cell_len(t) for row in [*rows, column_names] for t in row)])
    margin = max(len(n) for n in row_names) if row_names else 1
    slant = (width + 2) // 2 if board["shape"].startswith("hex") else 0
    lines = ["  " + " " * margin + _row(column_names, width)]
    for i, (name, row) in enumerate(zip(row_names, rows, strict=True)):
        lines.append("  " + name.rjust(margin) + " " * (slant * i) + _row(row, width))
    return lines


def _row(texts: Sequence[str], width: int) -> str:
    return "".join("  " + t + " " * (width - cell_len(t)) for t in texts)


def _with_rim(
    rows: list[list[str]], row_names: list[str], column_names: list[str]
) -> tuple[list[list[str]], list[str], list[str]]:
    """A board without bounds goes on where nothing lies: show the spaces around it."""
    first, last = _column_number(column_names[0]), _column_number(column_names[-1])
    columns = [column_name(first - 1), *column_names, column_name(last + 1)]
    names = [str(int(row_names[0]) - 1), *row_names, str(int(row_names[-1]) + 1)]
    empty = ["."] * len(columns)
    return [empty, *[[".", *row, "."] for row in rows], empty], names, columns


def _column_number(name: str) -> int:
    """The column of a name: `a` is 0, `aa` 26, `-a` is -1."""
    if name.startswith("-"):
        return -_column_number(name[1:]) - 1
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def spaces_lines(spaces: Mapping[str, Any], pieces: Pieces) -> list[str]:
    """Spaces that lie in no rows: those with something on them, then the names of the others."""
    lines = [f"  {plain(name)}: {pieces.cell(cell)}" for name, cell in spaces.items() if cell is not None]
    empty = [plain(name) for name, cell in spaces.items() if cell is None]
    if empty:
        lines.append(f"  empty: {' '.join(empty)}")
    return lines


# -------------------------------------------------------------------- zones


def zone_lines(view: View, pieces: Pieces) -> Iterator[str]:
    """A line for each zone. Supplies and the box are left out while they are empty."""
    for name, zone in view["zones"].items():
        if zone["kind"] in ("supply", "box", "mark") and not zone["count"]:
            continue
        title = words(name) + (
            " (yours)" if zone["owner"] is not None and zone["owner"] == view["viewer"] else ""
        )
        yield f"{title}: {zone_text(zone, pieces)}"


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


def state_lines(state: Mapping[str, Any]) -> Iterator[str]:
    """A line for each value that the viewer may see; of long lists only what is something."""
    for name, value in state.items():
        if not isinstance(value, Mapping):
            yield f"{words(name)}: {value_text(value)}"
            continue
        entries = [(k, v) for k, v in value.items() if len(value) <= FEW or v not in (None, False, 0, [])]
        if entries:
            yield f"{words(name)}: " + ", ".join(f"{plain(k)} {value_text(v)}" for k, v in entries)


def value_text(value: Any) -> str:
    """A value in words."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case list():
            return " ".join(value_text(v) for v in value) or "nothing"
        case _:
            return plain(str(value))
