"""Read a whole file although parts of it are broken.

Comes in: prepared lines and a way to walk through them. Goes out: the tree of everything that
could be read, and a problem for each mistake. What never happens: one mistake that hides the
others, or work without end: at most ten mistakes, and a budget of characters read again.

Behind a mistake, reading begins again with the next key of the file; the section that holds it
is read once more without its broken entry. To extend: make `entry_starts` cut finer.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.source import Entry, Mapping, Tree
from rulewright.dsl.yaml_explain import explain
from rulewright.dsl.yaml_lines import Prepared, entry_starts, section_starts
from rulewright.dsl.yaml_places import Place
from rulewright.dsl.yaml_slips import Slip, nothing, twice
from rulewright.dsl.yaml_tree import MAX_VALUES, Part, Walks, read_part

MAX_RETRIES = 10


def read_file(walks: Walks, source: Prepared, file: str, problems: Problems) -> Tree | None:
    """The tree of `source`, with what cannot be read left out; None when nothing is left."""
    return _File(walks, source, file, problems).read()


class _File:
    def __init__(self, walks: Walks, source: Prepared, file: str, problems: Problems) -> None:
        self.walks, self.source, self.file, self.problems = walks, source, file, problems
        self.starts = section_starts(source.lines)
        self.retries = MAX_RETRIES
        self.budget = 100_000 + 2 * sum(len(line) + 1 for line in source.lines)
        self.values = MAX_VALUES // 2
        self.entries: list[Entry] = []

    def read(self) -> Tree | None:
        at, count = 0, len(self.source.lines)
        while at < count:
            part = self.part(self.source.lines, at, count)
            if part.slip is None and at == 0:
                empty = part.root is None and not part.notes
                self.report([nothing()] if empty else part.notes)
                return part.root
            if part.slip is None:
                self.keep(part, count)
                break
            line = part.slip.at.line
            begin = max((n for n in self.starts if at <= n <= line), default=at)
            following = min((n for n in self.starts if n > line), default=count)
            self.keep(part, begin if self.starts else line)
            self.report([part.slip])
            if part.slip.code == "E113":
                break
            self.salvage(part.slip, begin, following)
            at = following
            if at < count and not self.go_on():
                self.report([_not_read(Place(at, 0))])
                break
        if not self.entries:
            return None
        first, last = self.entries[0], self.entries[-1]
        return Mapping(tuple(self.entries), first.key.span.to((last.value or last.key).span))

    def salvage(self, slip: Slip, start: int, end: int) -> None:
        """Read one section again and again, each time without the entry that holds the mistake."""
        lines = list(self.source.lines)
        starts = entry_starts(lines, start, end) if self.starts else []
        while True:
            line = slip.at.line
            begin = max((n for n in starts if n <= line), default=None)
            if begin is None or not lines[begin] or not self.go_on():
                return
            following = min((n for n in starts if n > line), default=end)
            lines[begin:following] = [""] * (following - begin)
            part = self.part(lines, start, end)
            if part.slip is None:
                part.entries = [entry for entry in part.entries if entry.value is not None]
                self.keep(part, end)
                return
            slip = part.slip
            self.report([slip])

    def go_on(self) -> bool:
        self.retries -= 1
        return self.retries >= 0 and self.budget > 0 and self.values > 0

    def part(self, lines: list[str], start: int, end: int) -> Part:
        part = read_part(self.walks, self.source, lines, start, end, self.file)
        if start and part.root is not None and not isinstance(part.root, Mapping):
            at = self.source.start(part.root)
            part.slip = explain("could not find expected ':'", at, at, lines)
        self.values -= part.values
        stopped = part.slip.at.line if part.slip else end
        self.budget -= sum(len(line) + 1 for line in lines[start : stopped + 1])
        return part

    def keep(self, part: Part, stop: int) -> None:
        """Take over what stands before the line `stop`."""
        self.report([slip for slip in part.notes if slip.at.line < stop])
        known = {entry.key.text: entry.key for entry in self.entries}
        for entry in part.entries:
            if entry.key.span.line > stop:
                continue
            if entry.key.text in known:
                first = known[entry.key.text].span.line
                self.report([twice(entry.key.text, self.source.start(entry.key), first)])
            else:
                self.entries.append(entry)

    def report(self, found: Iterable[Slip]) -> None:
        for slip in found:
            if slip.code == "E119" and self.source.shift:
                continue  # tabs are reported already, and nobody knows how wide they are
            line, column = slip.at
            start, end = self.source.column(line, column), self.source.column(line, column + slip.width)
            span = Span(self.file, line + 1, start, line + 1, end)
            self.problems.add(Problem(slip.code, span, slip.text, slip.cure, slip.severity))


def _not_read(at: Place) -> Slip:
    cure = "Put right what is reported above and check again."
    return Slip(at, 1, "E130", "There were too many mistakes above; from here on nothing was read.", cure)
