"""Write the tree of a rule file again, line by line, with its comments and blank lines.

Comes in: lines, their tree, its shape. Goes out: lines in the one spelling. What never happens: an
entry that changes places, a comment that is lost. To extend: how a single value is written is
decided in dsl/format_values.py; here is where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.format_comments import FAR, Comment, Comments, starts
from rulewright.dsl.format_kinds import Singular
from rulewright.dsl.format_scalars import is_plain
from rulewright.dsl.format_shapes import child, is_list_of_names, item
from rulewright.dsl.format_values import STEP, Spelt, Values
from rulewright.dsl.format_wrap import WIDTH, with_comments
from rulewright.dsl.problems import Problems
from rulewright.dsl.shapes import Logic, Shape
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree


def write(lines: list[str], tree: Mapping, shape: Shape, one: Singular, problems: Problems) -> list[str]:
    """The lines of the whole file; they mean nothing when problems were added."""
    writer = _Writer(Comments(lines, tree), Values(one, problems))
    writer.mapping(tree, shape, 0, "")
    writer.before(len(lines) + 1, FAR, 0)
    while writer.out and not writer.out[-1]:
        writer.out.pop()
    return with_comments(writer.out, writer.behind)


class _Writer:
    def __init__(self, comments: Comments, values: Values) -> None:
        self.comments, self.values = comments, values
        self.out: list[str] = []
        self.behind: dict[int, str] = {}  # comments behind lines, by their numbers
        self.opened = False  # has the last line opened a block? No blank line follows it
        self.done = 0  # the last line of the file that has been written

    def mapping(self, tree: Mapping, shape: Shape | None, indent: int, lead: str) -> None:
        """Entries at the column `indent`; `lead` (dashes) stands before the first."""
        lines = [entry.key.span.line for entry in tree.entries[1:]]
        for entry, following in zip(tree.entries, [*lines, FAR], strict=True):
            if not lead:
                self.before(entry.key.span.line, self.last_line(entry), indent)
            self.entry(entry, shape, lead or " " * indent, indent, following)
            lead = ""
        self.behind_last(tree, tree.span.column, indent)

    def sequence(self, tree: Sequence, shape: Shape | None, indent: int, above: int, lead: str) -> None:
        """Items with dashes at the column `indent`; `above` is the column of the list's key in the file."""
        lines = [value.span.line for value in tree.items[1:]]
        for value, following in zip(tree.items, [*lines, FAR], strict=True):
            inner = item(shape, value)
            dashes = (lead or " " * indent) + "- "
            if not lead:
                self.before(value.span.line, value.span.line, indent)
            lead = ""
            if isinstance(value, Scalar):
                self.put(
                    dashes,
                    self.values.text(value, inner, "", len(dashes), indent + STEP),
                    value,
                    value,
                    following,
                )
            elif (flow := self.flow(value, inner, dashes)) is not None:
                self.put(dashes, flow, value, value, following)
            elif isinstance(value, Mapping):
                self.mapping(value, inner, indent + STEP, dashes)
            else:
                self.sequence(value, inner, indent + STEP, 0, dashes)
        self.behind_last(tree, max(tree.span.column, above + 1), indent)

    def entry(self, entry: Entry, shape: Shape | None, lead: str, indent: int, following: int) -> None:
        """One key with its value; the next entry begins on the line `following`."""
        key, value = entry.key, entry.value
        start = f"{lead}{self.values.key(key, shape)}:"
        inner = child(shape, key.text, value)
        if value is None:
            self.put(start, Spelt(""), key, key, following)
        elif isinstance(value, Scalar):
            spelt = self.values.text(value, inner, key.text, len(start) + 1, indent + STEP)
            self.put(start + " ", spelt, key, value, following)
        elif (flow := self.flow(value, inner, start + " ")) is not None:
            self.put(start + " ", flow, key, value, following)
        else:
            inside = next(iter(starts(value)), (FAR, 0))[0]
            last = min(key.span.line, inside - 1)  # what stands behind the first item belongs to it
            self.line(start, self.comments.take_behind(key.span.line, last))
            self.done = last
            self.opened = True
            if isinstance(value, Mapping):
                self.mapping(value, inner, indent + STEP, "")
            else:
                self.sequence(value, inner, indent + STEP, key.span.column, "")

    # ------------------------------------------------------------ values in brackets

    def flow(self, value: Mapping | Sequence, shape: Shape | None, start: str) -> Spelt | None:
        """How a list or keys stand in brackets behind `start`; None when they take lines of their own."""
        if self.comments.any_between(value.span.line, value.span.end_line):
            return None
        if not value.flow and not self.may_be_joined(value, shape):
            return None
        text = self.values.in_brackets(value, shape)
        if text is None:
            return None
        if len(start) + len(text) <= WIDTH or (isinstance(shape, Logic) or not self.parts(value)):
            return Spelt(text)
        if isinstance(value, Mapping) or not value.flow:
            return None
        return self.filled(self.values.items(value, shape) or [], len(start))

    def may_be_joined(self, value: Mapping | Sequence, shape: Shape | None) -> bool:
        """Is it a list of plain names on lines of their own, without anything between them?"""
        if not isinstance(value, Sequence) or not is_list_of_names(shape):
            return False
        return not self.comments.any_between(value.span.line, value.span.end_line + 1) and all(
            isinstance(x, Scalar) and is_plain(x.text, in_brackets=True) for x in value.items
        )

    def parts(self, value: Mapping | Sequence) -> int:
        return len(value.entries if isinstance(value, Mapping) else value.items)

    def filled(self, items: list[str], start: int) -> Spelt:
        """A list in brackets over several lines, its items below the first one."""
        lines, line = [], "["
        for number, text in enumerate(items):
            sign = "]" if number == len(items) - 1 else ","
            if len(line) > 1 and start + len(line) + 1 + len(text) + 1 > WIDTH:
                lines.append(line)
                line = " " + text + sign
            else:
                line += (" " if len(line) > 1 else "") + text + sign
        lines.append(line)
        return Spelt(lines[0], tuple(" " * start + text for text in lines[1:]))

    # ------------------------------------------------------------ lines and comments

    def put(self, start: str, spelt: Spelt, first: Tree, last: Tree, following: int) -> None:
        """A key or a dash with its value; comments behind them stay behind them.

        What stands behind several entries on one line belongs to the last of them.
        """
        self.done = min(last.span.end_line, following - 1)
        behind = self.comments.take_behind(first.span.line, self.done)
        for comment in behind[:-1]:
            self.line(" " * (len(start) - len(start.lstrip(" "))) + comment.text, [])
        below = list(spelt.below)
        if spelt.head[:1] == "[" and below:  # a comment stands behind a list, not in it
            self.line(start + spelt.head, [])
            self.out += below[:-1]
            self.line(below[-1], behind[-1:])
        else:
            self.line((start + spelt.head).rstrip(), behind[-1:])
            self.out += below

    def line(self, text: str, behind: list[Comment]) -> None:
        """One line with what stands behind it."""
        for comment in behind[-1:]:
            self.behind[len(self.out)] = comment.text
        self.out.append(text)
        self.opened = False

    def before(self, line: int, last: int, indent: int) -> None:
        """Comments above an entry or item that begins at `line`; those inside of it, up to `last`, too."""
        stray = self.comments.take_behind(self.done + 1, line - 1)  # behind a dash or a bracket alone
        above = [*stray, *self.comments.take_alone(max(line, last))]
        self.alone(sorted(above, key=lambda comment: comment.line), indent)
        self.blank(line)

    def alone(self, comments: Iterable[Comment], indent: int) -> None:
        """Comments on lines of their own."""
        for comment in comments:
            self.blank(comment.line)
            self.line(" " * indent + comment.text, [])

    def behind_last(self, tree: Mapping | Sequence, column: int, indent: int) -> None:
        """Comments behind the last entry that stand in line with it, and those inside of brackets."""
        if tree.flow:
            stray = self.comments.take_behind(self.done + 1, tree.span.end_line - 1)
            inside = [*stray, *self.comments.take_alone(tree.span.end_line)]
            self.alone(sorted(inside, key=lambda comment: comment.line), indent)
            self.done = max(self.done, tree.span.end_line)
        self.alone(self.comments.take_alone(self.comments.next_start(self.done), column), indent)

    def blank(self, line: int) -> None:
        """Keep one blank line where the author had some."""
        if self.out and self.out[-1] and not self.opened and self.comments.blank_above(line):
            self.out.append("")

    def last_line(self, entry: Entry) -> int:
        """Up to where comments on lines of their own go above the entry."""
        return entry.value.span.line if isinstance(entry.value, Scalar) else entry.key.span.line
