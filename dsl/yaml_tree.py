"""Make the tree of a rule file out of a flow of events, one for each value, list and key.

Comes in: `Events`, a reader's walk through some lines. Goes out: a `Part`: the tree, what was
strange on the way, and the slip that stopped the walk, if any. What never happens: a value
converted, an exception beyond `Stop`. To extend: a check of one value, list or set of keys
belongs into `_Builder`; it notes a `Slip` and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from rulewright.dsl import yaml_places as places
from rulewright.dsl import yaml_slips as slips
from rulewright.dsl.plain_text import UNWANTED
from rulewright.dsl.problems import Span
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, SourceMap, Tree
from rulewright.dsl.yaml_lines import Prepared
from rulewright.dsl.yaml_places import Place
from rulewright.dsl.yaml_slips import Slip

MAX_DEPTH = 60
MAX_VALUES = 20_000
MAX_NOTES = 50


@dataclass(frozen=True, slots=True)
class Event:
    """A step of the walk. `kind` is "text", "list", "keys", "end" or "nothing" (an empty file).

    A text has a `style` ("" where nothing stands) and, in a block, the column `outer` of what
    it belongs to. `flow` lists and keys stand in brackets.
    """

    kind: str
    start: Place
    end: Place
    text: str = ""
    style: str = ""
    flow: bool = False
    outer: int = -1


class Events(Protocol):
    """A walk through lines. `next` raises `Stop` where it cannot go on."""

    notes: list[Slip]

    def next(self) -> Event:
        """The next step."""

    def finish(self) -> None:
        """Make sure that nothing is left behind the tree."""


Walks = Callable[[list[str], int, int], Events]  # opens a walk through the lines from one to another


class Stop(Exception):
    """The walk cannot go on; carries why. Never leaves the reader."""

    def __init__(self, slip: Slip) -> None:
        super().__init__(slip.text)
        self.slip = slip


@dataclass(slots=True)
class Part:
    """What was read of a stretch of lines."""

    root: Tree | None = None
    entries: list[Entry] = field(default_factory=list)  # of the outermost keys, also when cut short
    notes: list[Slip] = field(default_factory=list)
    slip: Slip | None = None  # why reading stopped
    values: int = 0  # how much work it was


def read_part(walks: Walks, source: Prepared, lines: list[str], start: int, end: int, file: str) -> Part:
    """The tree of the lines from `start` up to `end`; `lines` are those of `source`, some of them blank."""
    part = Part()
    try:
        events = walks(lines, start, end)
        part.notes = events.notes
        part.root = _Builder(events, source, lines, file, part).root()
    except Stop as stop:
        part.slip = stop.slip
    return part


def too_much(at: Place) -> Slip:
    """The limit of one file is reached."""
    text = f"Too much for one file: over {MAX_VALUES:,} values or {MAX_NOTES} mistakes."
    cure = "Put right what is reported above it, or split the file; reading stopped here."
    return Slip(at, 1, "E113", text, cure)


class _Builder:
    def __init__(self, events: Events, source: Prepared, lines: list[str], file: str, part: Part) -> None:
        self.events, self.source, self.lines, self.file, self.part = events, source, lines, file, part

    def root(self) -> Tree | None:
        event = self.events.next()
        if event.kind == "nothing":
            return None
        tree = self.node(event, 0)
        self.events.finish()
        return tree

    def node(self, event: Event, depth: int) -> Tree | None:
        self.part.values += 1
        if depth > MAX_DEPTH:
            text = f"This is nested more than {MAX_DEPTH} levels deep."
            cure = "Check the brackets and the indentation; no rule needs that much."
            raise Stop(Slip(event.start, 1, "E112", text, cure))
        if self.part.values > MAX_VALUES or len(self.part.notes) > MAX_NOTES:
            raise Stop(too_much(event.start))
        match event.kind:
            case "list":
                return self.sequence(event, depth)
            case "keys":
                return self.mapping(event, depth)
            case _:
                return self.scalar(event) if event.style else None

    def scalar(self, event: Event) -> Scalar:
        start, end, lines = event.start, event.end, self.lines
        match event.style:
            case "plain":
                runs = self.plain(event)
            case "single":
                runs = places.single(lines, start, end)[1]
            case "double":
                runs = places.double(lines, start, end)[1]
            case _:
                runs = places.block(lines, start, end.line, event.outer)[1]
                end = self.end_of_block(start, end)
        if self.source.shift:
            runs = tuple((offset, n, self.source.column(n - 1, c - 1)) for offset, n, c in runs)
        scalar = Scalar(event.text, self.span(start, end), event.style, SourceMap(self.file, runs))
        return self.readable(scalar) if event.style == "double" else scalar

    def plain(self, event: Event) -> places.Runs:
        start, end = event.start, event.end
        if self.lines[end.line].startswith(" ", end.column):
            self.note(slips.cut_by_comment(event.text, end, self.lines))
        if end.line > start.line:
            return places.plain(self.lines, start, end)[1]
        if ":" in event.text and not self.lines[start.line][: start.column].strip():
            self.note(slips.no_space_after_colon(event.text, start))
        return ((0, start.line + 1, start.column + 1),)

    def end_of_block(self, start: Place, end: Place) -> Place:
        last = end.line - 1
        while last > start.line and not self.lines[last]:
            last -= 1
        return Place(last, len(self.lines[last]))

    def readable(self, scalar: Scalar) -> Scalar:
        """Refuse what only an escape can write and nobody can see."""
        match = UNWANTED.search(scalar.text)
        if match is None:
            return scalar
        line, column = scalar.map.place(match.start())
        at = Place(line - 1, column - 1 + self.source.shift.get(line - 1, 0))
        self.note(slips.invisible(at, self.lines))
        return Scalar(UNWANTED.sub(" ", scalar.text), scalar.span, scalar.style, scalar.map)

    def sequence(self, event: Event, depth: int) -> Sequence:
        start, last = event.start, event.start
        items: list[Tree] = []
        while (step := self.events.next()).kind != "end":
            last = step.start
            item = self.node(step, depth + 1)
            if item is None:
                self.note(slips.empty_item(last, self.lines))
            else:
                items.append(item)
        if not event.flow:
            return Sequence(tuple(items), self.around(start, items[-1] if items else None))
        end = step.end
        raw = None
        if end.line == start.line:
            runs = ((0, start.line + 1, self.source.column(*start)),)
            text = self.lines[start.line][start.column : end.column]
            raw = Scalar(text, self.span(start, end), "plain", SourceMap(self.file, runs))
        return Sequence(tuple(items), self.span(start, end), True, raw)

    def mapping(self, event: Event, depth: int) -> Mapping:
        entries = self.part.entries if depth == 0 else []
        known: dict[str, Scalar] = {}
        cut = False
        while (step := self.events.next()).kind != "end":
            key = self.key(step, depth)
            value = self.node(self.events.next(), depth + 1)
            if key is None:
                continue
            if event.flow:
                cut = cut or self.cut_at_commas(key, value)
            elif value is None:
                self.note(slips.all_comment(self.source.end(key), self.lines))
            if key.text in known:
                self.note(slips.twice(key.text, self.source.start(key), known[key.text].span.line))
            else:
                known[key.text] = key
                entries.append(Entry(key, value))
        if event.flow:
            return Mapping(tuple(entries), self.span(event.start, step.end), True)
        last = entries[-1].value or entries[-1].key if entries else None
        return Mapping(tuple(entries), self.around(event.start, last))

    def key(self, event: Event, depth: int) -> Scalar | None:
        key = self.node(event, depth + 1)
        if isinstance(key, Scalar):
            if key.text == "<<":
                self.note(slips.merge_key(event.start))
            return key
        self.note(slips.no_key(event.start, self.lines))
        return None

    def cut_at_commas(self, key: Scalar, value: Tree | None) -> bool:
        if value is None or slips.unbalanced(key.text):
            wrong = key
        elif isinstance(value, Scalar) and value.style == "plain" and slips.unbalanced(value.text):
            wrong = value
        else:
            return False
        self.note(slips.cut_at_commas(wrong.text, self.source.start(wrong), wrong is key))
        return True

    def note(self, slip: Slip | None) -> None:
        if slip is not None:
            self.part.notes.append(slip)

    def span(self, start: Place, end: Place) -> Span:
        column = self.source.column
        return Span(self.file, start.line + 1, column(*start), end.line + 1, column(*end))

    def around(self, start: Place, last: Tree | None) -> Span:
        begin = self.span(start, start)
        return begin.to(last.span) if last is not None else begin
