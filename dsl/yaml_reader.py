"""Read the YAML of a rule file into a tree in which every character knows its place.

Comes in: the text of a file. Goes out: Scalars, Mappings and Sequences, and problems E101 to
E130. What never happens: a value converted (`012`, `yes`, `~` stay text), an exception for a wrong
file, one slip that hides the rest. This is the only module that knows the YAML library: it turns
its events into ours (`yaml_tree.py`) and its messages into slips (`yaml_explain.py`). To extend:
what YAML allows and rule files do not is refused in `_Scanner`.

Where the text stops being YAML, the entry with the mistake is left out and reading goes on behind
it: so a tree may lack names that its file has, whenever an error from E101 to E130 was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import MappingStartEvent, ScalarEvent, SequenceStartEvent, StreamEndEvent
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner

from rulewright.dsl import yaml_slips as slips
from rulewright.dsl.plain_text import clean_lines
from rulewright.dsl.problems import Problems
from rulewright.dsl.source import Tree
from rulewright.dsl.yaml_explain import explain
from rulewright.dsl.yaml_lines import prepare
from rulewright.dsl.yaml_places import Place
from rulewright.dsl.yaml_recovery import read_file
from rulewright.dsl.yaml_slips import Slip
from rulewright.dsl.yaml_tree import MAX_NOTES, Event, Stop, too_much

_RESERVED = "%@`|>"  # cannot begin a text without quotes; `|` and `>` only inside brackets
_STYLES = {None: "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}


def read_yaml(text: str, file: str, problems: Problems) -> Tree | None:
    """The tree of what `text` says, or None when nothing of it could be read.

    `file` is the name that problems show. Where the file is not YAML, up to ten mistakes are
    reported and the entries that hold them are missing in the tree. A value that is not there
    (`key:`) is None in its entry.
    """
    lines = clean_lines(text, file, problems)
    if lines is None:
        return None
    return read_file(_Walk, prepare(lines, file, problems), file, problems)


class _Reader(Reader):
    """The library's reader, faster: our lines end with `\\n` and nothing else."""

    def forward(self, length: int = 1) -> None:
        start, end = self.pointer, self.pointer + length
        self.pointer = end
        self.index += length
        breaks = self.buffer.count("\n", start, end)
        if breaks:
            self.line += breaks
            self.column = end - self.buffer.rfind("\n", start, end) - 1
        else:
            self.column += length


class _Scanner(Scanner):
    """The library's scanner without what rule files do not use.

    Anchors, aliases, tags and reserved signs are noted and read as plain text; quotes and
    brackets that swallow lines which stand too far left are stopped where they open.
    """

    source: Sequence[str] = ()
    reader: Any = None  # the library looks these two up anew for every character
    flow_level: int = 0

    def reset_scanner(self) -> None:
        self.reader = self.loader.reader
        self.flow_level = 0
        self.notes: list[Slip] = []
        self.outer: dict[tuple[int, int], int] = {}
        self.opened: list[Place] = []
        super().reset_scanner()

    @property
    def scanner_processing_version(self) -> tuple[int, int]:
        return (1, 2)

    def here(self) -> Place:
        return Place(self.reader.line, self.reader.column)

    def _sign(self) -> None:
        if len(self.notes) >= MAX_NOTES:
            raise Stop(too_much(self.here()))
        sign, inside = self.reader.peek(), bool(self.opened)
        self.notes.append(slips.begins_with_sign(sign, self.here(), self.source, inside))
        super().fetch_plain()

    def fetch_anchor(self) -> None:
        self._sign()

    def fetch_alias(self) -> None:
        self._sign()

    def fetch_tag(self) -> None:
        self._sign()

    def fetch_key(self) -> None:
        self._sign()

    def fetch_plain(self) -> None:
        if self.reader.peek() in _RESERVED:
            self._sign()
        else:
            super().fetch_plain()

    def check_directive(self) -> None:
        return None

    def check_plain(self) -> bool:
        return bool(super().check_plain()) or self.reader.peek() in _RESERVED

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
        self.opened.append(self.here())
        super().fetch_flow_collection_start(TokenClass, to_push)
        self.flow_level = len(self.flow_context)

    def fetch_flow_collection_end(self, TokenClass: Any) -> None:
        if self.opened:
            self.opened.pop()
        super().fetch_flow_collection_end(TokenClass)
        self.flow_level = len(self.flow_context)

    def unwind_indent(self, column: int) -> None:
        sign = self.reader.peek()
        if self.opened and (sign == "\0" or (self.indent >= column and sign not in "]}")):
            raise Stop(slips.unclosed_bracket(self.opened[-1], self.source))
        super().unwind_indent(column)

    def scan_block_scalar(self, style: Any, rt: bool | None = False) -> Any:
        self.outer[self.here()] = self.indent
        return super().scan_block_scalar(style, rt)

    def scan_flow_scalar(self, style: Any) -> Any:
        start = self.here()
        try:
            token = super().scan_flow_scalar(style)
        except (ValueError, OverflowError):  # an escape beyond the last character of Unicode
            raise Stop(explain("escape", self.here(), start, self.source)) from None
        if self._too_far_left(start.line, self.reader.line):
            raise Stop(slips.unclosed_quote(start, self.source))
        return token

    def scan_plain(self) -> Any:
        start = self.here()
        token = super().scan_plain()
        if self.opened and self._too_far_left(start.line, token.end_mark.line):
            raise Stop(slips.unclosed_bracket(self.opened[-1], self.source))
        return token

    def _too_far_left(self, first: int, last: int) -> bool:
        lines = (self.source[n] for n in range(first + 1, last + 1))
        return any(len(line) - len(line.lstrip(" ")) <= self.indent for line in lines if line)


class _Parser(Parser):
    """The library's parser, which need not look for its scanner again and again."""

    scanner: Any = None

    def reset_parser(self) -> None:
        self.scanner = self.loader.scanner
        super().reset_parser()


class _Walk:
    """The `Events` of the lines from `start` up to `end`, with their places in all of `lines`."""

    def __init__(self, lines: list[str], start: int, end: int) -> None:
        loader = YAML(typ="safe", pure=True)
        loader.Reader, loader.Scanner, loader.Parser = _Reader, _Scanner, _Parser
        _, self.parser = loader.get_constructor_parser("\n".join(lines[start:end]) + "\n")
        loader.reader.line = start
        self.scanner: _Scanner = loader.scanner
        self.scanner.source = self.lines = lines
        self.start = start
        self.notes = self.scanner.notes
        self.begun = False

    def next(self) -> Event:
        """The next event; raises `Stop` where the lines are not YAML."""
        event = self._event()
        if not self.begun:
            self.begun = True  # that was the beginning of the stream
            if isinstance(self._event(), StreamEndEvent):
                return Event("nothing", Place(self.start, 0), Place(self.start, 0))
            event = self._event()  # that was the beginning of the document
        start, end = _place(event.start_mark), _place(event.end_mark)
        if isinstance(event, ScalarEvent):
            style = _STYLES[event.style]
            if style == "plain" and not event.value:
                style = ""
            return Event("text", start, end, event.value, style, outer=self.scanner.outer.get(start, -1))
        if isinstance(event, SequenceStartEvent):
            return Event("list", start, end, flow=bool(event.flow_style))
        if isinstance(event, MappingStartEvent):
            return Event("keys", start, end, flow=bool(event.flow_style))
        return Event("end", start, end)

    def finish(self) -> None:
        """Read the ends of the document and of the stream; raises `Stop` when there is more."""
        self._event()
        self._event()

    def _event(self) -> Any:
        try:
            return self.parser.get_event()
        except MarkedYAMLError as error:
            since = _place(error.context_mark) if error.context_mark else None
            at = _place(error.problem_mark) if error.problem_mark else since or self.scanner.here()
            raise Stop(explain(str(error.problem or error.context), at, since, self.lines)) from None
        except YAMLError:
            raise Stop(explain("", self.scanner.here(), None, self.lines)) from None


def _place(mark: Any) -> Place:
    return Place(mark.line, mark.column)
