"""Trace: what happened, as a tree of events, with the rule and the line for each.

Comes in: what the traced instructions report while they run. Goes out: a tree of `Event`s in plain words,
either with everything (for designers) or as one player may know it. Names are settled when things happen:
a player who learns a card later does not find it in the earlier part.
What never happens: a trace without bounds: beyond `LIMIT` entries nothing more is kept, and the tree says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulewright.dsl.problems import NOWHERE, Span
from rulewright.interpreter.cells import combination, index_sizes
from rulewright.interpreter.naming import ALL, Namer, Secret, Words, may_know, say

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

LIMIT = 200_000


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, in words, with everything it caused.

    `kind`: what `Enter` and `Note` say ("phase", "action", "event", "forbidden" …), or "move", "change",
    "shuffle", "draw", "show", "choice", "end". `arguments` are (name, value) in words.
    """

    kind: str
    name: str
    text: str
    span: Span
    arguments: tuple[tuple[str, str], ...] = ()
    children: tuple[Event, ...] = ()


@dataclass(slots=True)
class _Entry:
    kind: str
    name: str
    words: Words
    span: Span
    players: int  # who may know of it (bits)
    arguments: tuple[tuple[str, Words], ...] = ()
    children: list[_Entry] = field(default_factory=list)


Mark = tuple[tuple[tuple[_Entry, int], ...], int]


class Trace:
    """Gathers what happens in one match."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.namer = Namer(code)
        self.everybody = code.everybody
        self._root = _Entry("game", code.program.game, (code.program.title,), NOWHERE, self.everybody)
        self._open = [self._root]
        self._count = 0
        self._secret: int | None = None  # who may know the action that begins next

    # ------------------------------------------------------------ what happens

    def enter(
        self, kind: str, name: str, words: Words, arguments: tuple[tuple[str, Words], ...], span: Span
    ) -> None:
        """An event begins."""
        players = self.everybody
        if self._secret is not None and kind == "action":
            players, self._secret = self._secret, None
        entry = _Entry(kind, name, words, span, players, arguments)
        self._add(entry)
        self._open.append(entry)

    def leave(self) -> None:
        """The event that began last is complete."""
        if len(self._open) > 1:
            self._open.pop()

    def note(self, word: str, name: str, words: Words, span: Span, players: int | None = None) -> None:
        """Something to be said about the event that is going on."""
        self._add(_Entry(word, name, words, span, self.everybody if players is None else players))

    def store(self, s: Any, variable: int, cell: int, old: Any, new: Any, span: Span) -> None:
        """A variable changes. The machine's own are left out, and so is what stays the same."""
        v = s.code.program.variables[variable]
        if v.hidden or old == new:
            return
        words: list[str | Secret] = [v.name]
        sizes = index_sizes(s.code.program, v)
        for type_, value in zip(
            v.index, combination(s.code.program, v, sizes, cell) if sizes else (), strict=False
        ):
            words.extend((" of ", self.namer.one(s, type_, value)))
        words.append(": ")
        words.extend(self.namer.words(s, v.type, old))
        words.append(" → ")
        words.extend(self.namer.words(s, v.type, new))
        self.note("change", v.name, tuple(words), span, self.code.variable_mask(s, variable, cell))

    def move(self, s: Any, piece: int, place: int, span: Span, do: Callable[[], None]) -> None:
        """A piece moves: `do` moves it. Who knew it before or knows it after may read its name."""
        namer = self.namer
        before, where = self.code.knowers(s, piece), namer.position(s, piece)
        start = namer.one(s, "place", s.place_of[piece])
        do()
        players = before | self.code.knowers(s, piece)
        title = namer.piece_title(piece)
        name = title if players == self.everybody else Secret(title, where, players)
        words = (name, ": ", start, " → ", namer.one(s, "place", place))
        self.note("move", "", words, span)  # no name: it would tell who must not know

    def exchange(self, s: Any, one: int, two: int, span: Span) -> None:
        """Two places have traded what lies on them."""
        first, second = self.namer.one(s, "place", one), self.namer.one(s, "place", two)
        self.note("move", "", (first, " ↔ ", second), span)

    def full(self, s: Any, place: int, span: Span) -> None:
        """What was to come here does not fit: the rest stays where it is."""
        self.note("no room", "", (self.namer.one(s, "place", place), " is full"), span)

    def shuffle(self, s: Any, place: int, span: Span) -> None:
        """A place has been shuffled."""
        self.note("shuffle", "", (self.namer.one(s, "place", place), " is shuffled"), span)

    def draw(
        self, s: Any, type_: str, value: int, stream: int, span: Span, players: int | None = None
    ) -> None:
        """Chance has given a value; `players` (bits) may know it, or everybody."""
        name = self.code.program.streams[stream].name
        self.note("draw", name, (f"{name}: ", *self.namer.words(s, type_, value)), span, players)

    def show(self, s: Any, pieces: list[int], players: int, span: Span) -> None:
        """Some players get to know some pieces."""
        names = [p for i, p in enumerate(self.code.program.players) if players >> i & 1]
        words = (*self.namer.words(s, "piece", tuple(pieces)), " shown to ", ", ".join(names) or "nobody")
        self.note("show", "", words, span)

    def choice(self, name: str, words: Words, span: Span, players: int, is_action: bool) -> None:
        """Somebody has chosen. The action that begins next is as secret as the choice of it."""
        self.note("choice", name, words, span, players)
        self._secret = players if is_action and players != self.everybody else None

    def end(self, s: Any, end: int, span: Span) -> None:
        """The game has ended."""
        info = self.code.program.ends[end]
        winners = [self.code.program.players[w] for w in s.winners]
        words = (info.title or info.name, ". Winner: ", ", ".join(winners) or "nobody")
        self.note("end", info.name, words, span)

    def _add(self, entry: _Entry) -> None:
        self._count += 1
        if self._count < LIMIT:
            self._open[-1].children.append(entry)
        elif self._count == LIMIT:
            words = ("The trace is full; what follows is not in it.",)
            self._open[-1].children.append(_Entry("full", "", words, NOWHERE, self.everybody))

    # ----------------------------------------------------------------- reading

    def tree(self, viewer: int = ALL) -> Event:
        """Everything so far, as one viewer may know it."""
        return self._event(self._root, viewer)

    def _event(self, entry: _Entry, viewer: int) -> Event:
        children = tuple(
            self._event(c, viewer)
            for c in entry.children
            if c.children or c.arguments or self._may_know(c, viewer) or c.kind == "action"
        )
        if not self._may_know(entry, viewer):
            return Event(entry.kind, "", "Something is done in secret.", entry.span, (), children)
        arguments = tuple((n, say(w, viewer, self.everybody)) for n, w in entry.arguments)
        return Event(
            entry.kind, entry.name, say(entry.words, viewer, self.everybody), entry.span, arguments, children
        )

    def _may_know(self, entry: _Entry, viewer: int) -> bool:
        return may_know(entry.players, viewer, self.everybody)

    # ----------------------------------------------------------------- going back

    def mark(self) -> Mark:
        """Where the trace stands, for `back`."""
        return tuple((e, len(e.children)) for e in self._open), self._count

    def back(self, mark: Mark) -> None:
        """Forget what has been written since `mark`."""
        entries, self._count = mark
        for entry, length in entries:
            del entry.children[length:]
        self._open = [entry for entry, _ in entries]
        self._secret = None

    def open_events(self) -> list[list[str]]:
        """The events that are under way, as [kind, name], the outermost first, for a save."""
        return [[e.kind, e.name] for e in self._open[1:]]

    def reopen(self, events: list[list[str]]) -> None:
        """Begin with events that were under way when a game was saved."""
        for kind, name in events:
            self.enter(kind, name, (f"{name} (goes on)",), (), NOWHERE)


def render(tree: Event) -> list[str]:
    """The tree as indented lines: what happened, then the rule's name and its place in the files."""
    return [line for child in tree.children for line in _lines(child, 0)]


def _lines(event: Event, depth: int) -> Iterator[str]:
    text = event.text or described(event)
    where = f"{event.kind} {event.name}".strip() if event.name and event.name not in text else event.kind
    place = f", {event.span.file}:{event.span.line}" if event.span.file else ""
    yield f"{'  ' * depth}{text}  [{where}{place}]"
    for child in event.children:
        yield from _lines(child, depth + 1)


def described(event: Event) -> str:
    """An event without a sentence of its own: its name and its arguments."""
    values = ", ".join(f"{name} {value}" for name, value in event.arguments)
    return f"{event.name}: {values}" if values else event.name
