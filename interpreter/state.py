"""State: everything that changes while a game is played.

Comes in: a linked program. Goes out: a `State`, which the machine changes in place, and which can be
copied and written as plain JSON data at any moment, also in the middle of an effect: the control state is a
list of frames [function, place in its code, locals, slot of the caller for the result].
What never happens: a value that lives only in Python's own stack while somebody is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.interpreter.chance import Chance

if TYPE_CHECKING:
    from rulewright.interpreter.asks import Ask
    from rulewright.interpreter.link import Code
    from rulewright.interpreter.trace import Trace

Frame = list[Any]


class State:
    """One position, with what is under way.

    `vars` is flat (see `Layout.offsets`); `contents` holds the pieces at each place that has any, bottom
    first; `place_of` has a row for each piece and then for each stand-in (its supply); `known` is a bit
    for each player who knows the piece. `news` counts what became known or was left to chance. `ask`,
    `value`, `fuel` and `events` are the machine's own and are in no save.
    """

    __slots__ = (
        "ask", "chance", "code", "contents", "counters", "events", "frames", "fuel", "known", "news",
        "phases", "place_of", "room", "trace", "value", "vars", "winners",
    )  # fmt: skip

    def __init__(self, code: Code, chance: Chance) -> None:
        program, layout = code.program, code.layout
        self.code = code
        self.chance = chance
        self.vars: list[Any] = list(layout.initial)
        self.contents: dict[int, list[int]] = {}
        self.place_of: list[int] = [p.start for p in program.pieces] + [s.supply for s in program.stand_ins]
        for i, p in enumerate(program.pieces):
            self.contents.setdefault(p.start, []).append(i)
        self.known: list[int] = [0] * len(program.pieces)
        self.counters: list[int] = [0] * len(program.streams)
        self.frames: list[Frame] = []
        self.phases: list[str] = []
        self.winners: tuple[int, ...] | None = None
        self.news = 0
        self.trace: Trace | None = None
        self.ask: Ask | None = None
        self.value: Any = 0
        self.fuel = code.budgets.steps
        self.events = code.budgets.events
        self.room = code.budgets.options

    def copy(self) -> State:
        """The same position again, without trace; neither can change the other."""
        new = object.__new__(State)
        new.code = self.code
        new.chance = self.chance
        new.vars = self.vars[:]
        new.contents = {place: pieces[:] for place, pieces in self.contents.items() if pieces}
        new.place_of = self.place_of[:]
        new.known = self.known[:]
        new.counters = self.counters[:]
        new.frames = [[f[0], f[1], f[2][:], f[3]] for f in self.frames]
        new.phases = self.phases[:]
        new.winners = self.winners
        new.news = self.news
        new.trace = None
        new.ask = None
        new.value = 0
        new.fuel = self.fuel
        new.events = self.events
        new.room = self.room
        return new

    def as_json(self) -> dict[str, object]:
        """The position as plain data; sets are lists."""
        return {
            "vars": [thawed(v) for v in self.vars],
            "contents": [[place, list(pieces)] for place, pieces in sorted(self.contents.items()) if pieces],
            "known": list(self.known),
            "counters": list(self.counters),
            "frames": [[f[0], f[1], [thawed(v) for v in f[2]], f[3]] for f in self.frames],
            "phases": list(self.phases),
            "winners": None if self.winners is None else list(self.winners),
            "news": self.news,
        }


def state_from_json(code: Code, chance: Chance, data: object) -> State | str:
    """The position that `as_json` wrote, or what is wrong with the data.

    Every number is checked against the program, so that a damaged save is refused rather than played.
    """
    if not isinstance(data, dict):
        return "The saved state is not a mapping."
    try:
        return _read(code, chance, data)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, RecursionError) as error:
        return f"The saved state is damaged ({type(error).__name__}: {error})."


def _read(code: Code, chance: Chance, data: dict[str, Any]) -> State | str:
    program, layout = code.program, code.layout
    s = State(code, chance)
    values = [frozen(v) for v in data["vars"]]
    if len(values) != len(s.vars):
        return "The saved state has another number of values."
    for v, offset in zip(program.variables, layout.offsets, strict=True):
        for value in values[offset : offset + v.cells]:
            if (v.kind == "set") is isinstance(value, int):
                return f"The saved value of `{v.name}` is of the wrong kind."
            for number in (value,) if isinstance(value, int) else value:
                if not (v.low <= number <= v.high or (v.optional and number == -1)):
                    return f"The saved value of `{v.name}` does not fit."
    s.vars = values
    s.contents = {}
    seen: set[int] = set()
    for place, pieces in data["contents"]:
        if not isinstance(place, int) or not layout.exists(place) or place in s.contents:
            return "The saved state names a place that does not exist."
        for piece in pieces:
            if not isinstance(piece, int) or not 0 <= piece < layout.pieces or piece in seen:
                return "The saved state has a piece twice, or one that does not exist."
            seen.add(piece)
            s.place_of[piece] = place
        if 0 <= code.rooms.get(place, -1) < len(pieces):
            return "The saved state has more pieces at a place than fit there."
        s.contents[place] = list(pieces)
    if len(seen) != layout.pieces:
        return "The saved state has lost pieces."
    everybody = (1 << len(program.players)) - 1
    s.known = [_whole(k, 0, everybody) for k in data["known"]]
    s.counters = [_whole(c, 0, 1 << 62) for c in data["counters"]]
    if len(s.known) != layout.pieces or len(s.counters) != len(program.streams):
        return "The saved state does not fit the program."
    for function, pc, slots, result in data["frames"]:
        _whole(function, 0, len(program.functions) - 1)
        _whole(pc, 0, code.length(function) - 1)
        _whole(result, -1, 1 << 20)
        if len(slots) != code.slots(function):
            return "The saved state was made under other rules."
        s.frames.append([function, pc, [frozen(v) for v in slots], result])
    s.phases = [str(p) for p in data["phases"]]
    winners = data["winners"]
    s.winners = None if winners is None else tuple(_whole(w, 0, len(program.players) - 1) for w in winners)
    s.news = _whole(data["news"], 0, 1 << 62)
    return s


def thawed(value: Any) -> Any:
    """A value as JSON data: sets and groups become lists."""
    return [thawed(v) for v in value] if isinstance(value, tuple) else int(value)


def frozen(value: Any) -> Any:
    """A value again from JSON data. Anything but whole numbers in lists is a ValueError."""
    if isinstance(value, list):
        return tuple(frozen(v) for v in value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is no value of a game")
    return value


def _whole(value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{value!r} is out of range")
    return value
