"""Values: the players with what each has, and what else the table keeps.

Comes in: players, state and ranges of a view. Goes out: a `Drawing` of the players with their marks and a
column for each value they all have, and one of the other values. A number that has bounds of its own is a
bar as well. What never happens: a value that is not in the view, or a cell that guesses one: what the
viewer may not know is `–`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.viz.style import FRAME_LINE, INK, PALE_INK
from rulewright.viz.table_board import Drawing
from rulewright.viz.table_ink import box, polygon, shortened, width_of, words, wrapped
from rulewright.viz.table_marks import mark
from rulewright.viz.table_pieces import every_piece, is_token, spoken
from rulewright.viz.table_seats import Seat
from rulewright.viz.table_tracks import marked_tracks

View = Mapping[str, Any]
FEW = 10  # values of one state that are shown whether they are nothing or not
FEW_TITLES = 4
BAR, LONGEST = 60.0, 120  # how long a bar is, and how far a range may go to be one
LINE, COLUMN = 26.0, 190.0
NOTHING: tuple[Any, ...] = (None, False, 0, [])
UNKNOWN = "–"


def value_text(value: Any, word: Callable[[str], str] = spoken) -> str:
    """A value in words; `word` says how a single one is written."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case list():
            return " ".join(value_text(v, word) for v in value) or "nothing"
        case _:
            return word(str(value))


def of_players(view: View) -> list[str]:
    """The values of which every player whom the viewer may know has one."""
    players = view["players"]
    return [
        name
        for name, value in view["state"].items()
        if isinstance(value, Mapping) and value and all(key in players for key in value)
    ]


def players_drawing(
    view: View, seats: Mapping[str, Seat], room: float, supplies: Mapping[str, str] | None = None
) -> Drawing:
    """A line for each player: the mark, the name, whose turn it is, the values; `supplies` is one more
    column. Values that there is no room for side by side follow below."""
    columns: dict[str, Mapping[str, Any]] = {name: view["state"][name] for name in of_players(view)}
    if supplies:
        columns["supply"] = supplies
    said = {p: _beside(view, p) for p in view["players"]}
    name_room = max(width_of(p, 14, bold=True) for p in view["players"])
    first = min(56 + name_room + max(width_of(t, 12) for t in said.values()), room * 0.6)
    widths = _widths(view, columns, room - first)
    drawn, top = _heads(widths, first)
    for i, player in enumerate(view["players"]):
        y = top + i * LINE
        if player == view["actor"] and view["result"] is None:
            drawn += polygon([(0, y + 5), (10, y + 11), (0, y + 17)], INK)
        drawn += mark(24, y + 11, 9, seats[player])
        shown = shortened(player, 15, first - 46)
        drawn += words(40, y + 16, shown, 14, bold=True)
        beside = 48 + width_of(shown, 14, bold=True)
        drawn += words(beside, y + 16, shortened(said[player], 12, first - beside), 12, fill=PALE_INK)
        x = first
        for name, width in widths.items():
            drawn += _value(view, name, columns[name].get(player, UNKNOWN), x, y, width - 8)
            x += width
    height = top + LINE * len(view["players"])
    wide = first + sum(widths.values())
    below, height = _below(view, [n for n in columns if n not in widths], max(wide, room * 0.6), height)
    return Drawing(max(wide, room * 0.6) if below else wide, height, drawn + below)


def _heads(widths: Mapping[str, float], first: float) -> tuple[str, float]:
    """The names of the columns, and how high they are."""
    heads = {name: wrapped(spoken(name), 12, width - 8, 2) for name, width in widths.items()}
    lines = max((len(h) for h in heads.values()), default=0)
    drawn, x = "", first
    for name, width in widths.items():
        for i, text in enumerate(heads[name]):
            drawn += words(x, 12 + 14 * (lines - len(heads[name]) + i), text, 12, bold=True, fill=PALE_INK)
        x += width
    return drawn, 14.0 * lines + (6 if lines else 0)


def _below(view: View, names: Sequence[str], room: float, y: float) -> tuple[str, float]:
    """Values of players in words, and those pieces that are nobody's explained; and where that ends."""
    drawn, texts = "", []
    for name in names:
        texts.append(
            f"{spoken(name)}: " + ", ".join(f"{p} {value_text(v)}" for p, v in view["state"][name].items())
        )
    for name in of_players(view):
        if marks := view.get("marks", {}).get(name):
            texts.append(
                f"{spoken(name)} has marks: {', '.join(f'{spoken(str(m))} {at}' for m, at in marks)}"
            )
    for text in texts:
        for line in wrapped(text, 12, room, 3):
            y += 16
            drawn += words(0, y - 2, line, 12)
    neutral = [p for p in every_piece(view) if is_token(p) and p["owner"] is None]
    titles = {spoken(str(p["title"])) for p in neutral}
    if len(titles) > FEW_TITLES:  # many designs of one kind
        titles = {spoken(str(p["kind"])) for p in neutral}
    if titles:
        drawn += mark(24, y + 11, 8, None)
        for line in wrapped(f"nobody's: {', '.join(sorted(titles))}", 12, room - 40, 3):
            drawn += words(40, y + 15, line, 12)
            y += 16
        y += LINE - 16
    return drawn, y


def _widths(view: View, columns: Mapping[str, Mapping[str, Any]], room: float) -> dict[str, float]:
    """The columns for which there is room, with their widths."""
    found: dict[str, float] = {}
    for name, values in columns.items():
        bar = BAR + 8 if _range(view, name) is not None else 0
        head = max((width_of(word, 12, bold=True) for word in spoken(name).split()), default=0.0) + 6
        wide = max(width_of(value_text(v), 13) for v in values.values()) + bar
        width = min(COLUMN, max(wide, head, 48) + 16)
        if sum(found.values()) + width <= room:
            found[name] = width
    return found


def _beside(view: View, player: str) -> str:
    """What is said beside the name of a player."""
    result, decision = view["result"], view["decision"] or {}
    if result is not None:
        return "has won" if player in result["winners"] else ""
    deciding = [decision["player"]] if "player" in decision else decision.get("players", [])
    said = ["you"] if player == view["viewer"] else []
    return ", ".join([*said, *(["to choose"] if player in deciding else [])])


def _range(view: View, name: str) -> tuple[int, int] | None:
    """The bounds of a value, if a bar can show where it stands."""
    found = view.get("ranges", {}).get(name)
    return (found[0], found[1]) if found is not None and 1 < found[1] - found[0] <= LONGEST else None


def _value(view: View, name: str, value: Any, x: float, y: float, room: float) -> str:
    """A value on its line, with a bar if it has bounds."""
    bounds = _range(view, name)
    text = value_text(value)
    if bounds is None or isinstance(value, bool) or not isinstance(value, int):
        return words(x, y + 16, shortened(text, 13, room), 13)
    low, high = bounds
    left, full = x + max(width_of(text, 13), 18) + 6, BAR * (value - low) / (high - low)
    drawn = words(x, y + 16, text, 13) + box(left, y + 7, BAR, 9, "#ececec", FRAME_LINE, round=3)
    drawn += box(left, y + 7, min(BAR, max(3.0, full)), 9, "#4d4d4d", round=3) if full > 0 else ""
    marks = [left + BAR * (at - low) / (high - low) for _, at in view.get("marks", {}).get(name, ())]
    return drawn + "".join(box(at - 1, y + 5, 2, 13, "#ffffff", INK, round=0) for at in marks)


def values_drawing(view: View, room: float) -> Drawing | None:
    """The values that are not the players', side by side where they are short; None if there are none. Of
    long lists only what is something."""
    drawn, x, y, wide = "", 0.0, 0.0, 0.0
    tracks = marked_tracks(view)
    for name, text in _texts(view).items():
        if name in tracks:
            continue
        head = shortened(f"{spoken(name)}:", 13, room / 2)
        start = width_of(head, 13, bold=True) + 6
        single = _range(view, name) is not None and not isinstance(view["state"][name], Mapping)
        bar = max(width_of(text, 13), 18) + BAR + 6 if single else 0.0
        lines = [text] if bar else wrapped(text, 13, max(room - start, 80), 4)
        width = start + (bar or max((width_of(line, 13) for line in lines), default=0.0))
        if x and x + width > room:
            x, y = 0.0, y + 24
        drawn += words(x, y + 16, head, 13, bold=True)
        if bar:
            drawn += _value(view, name, view["state"][name], x + start, y, room)
        else:
            for i, line in enumerate(lines):
                drawn += words(x + start, y + 16 + 17 * i, line, 13)
        wide = max(wide, x + width)
        x, y = (x + width + 26, y) if len(lines) == 1 else (0.0, y + 24 + 17 * (len(lines) - 1))
    return Drawing(min(wide, room), y + (24 if x else 0), drawn) if drawn else None


def _texts(view: View) -> dict[str, str]:
    """The values that are not the players', in words."""
    found, shared = {}, of_players(view)
    for name, value in view["state"].items():
        if name in shared:
            continue
        if not isinstance(value, Mapping):
            found[name] = value_text(value)
            continue
        entries, others = told(value)
        said = [f"{spoken(str(k))} {value_text(v)}" for k, v in entries]
        said += [f"all{' others' if entries else ''} {value_text(others)}"] if others is not None else []
        if said:
            found[name] = ", ".join(said)
    return found


def told(values: Mapping[str, Any]) -> tuple[list[tuple[str, Any]], Any]:
    """What is said of a list: the entries to name, and the value of all others, or None.

    A short list is said whole. Of a long one nothing is said of what is nothing; where most entries are
    alike, only the others are named. Several values that are all the same count as that one.
    """
    if len(values) <= FEW:
        return list(values.items()), None
    entries = [(k, v) for k, v in values.items() if v not in NOTHING]
    common = Counter(same for _, v in entries if (same := _same(v)) is not None).most_common(1)
    if not common or 2 * common[0][1] <= len(entries):
        return entries, None
    usual = common[0][0]
    return [(k, v) for k, v in entries if _same(v) != usual], usual


def _same(value: Any) -> str | None:
    """The word that a value is, or that all values of a list are."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(v, str) and v == value[0] for v in value):
        return str(value[0])
    return None
