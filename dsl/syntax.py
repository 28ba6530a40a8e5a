"""Parses the logic in rule files: text with its place in, nodes with exact spans out.

Comes in: a slot (`START_SYMBOLS`) and a Scalar. Goes out: a node, or for an effect a block; where
the text is wrong, None, and problems in words a designer understands (dsl/syntax_errors.py), for
an effect those of all its lines at once. What never happens: an exception for a wrong text, a
long wait for a long one, or a node without a place. The only module that knows the parser library.
To add a kind of slot: a start in grammar.lark and its name in `START_SYMBOLS`.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, cast

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

import rulewright
from rulewright.dsl import kept
from rulewright.dsl import nodes as n
from rulewright.dsl.build import Else, ElseIf, build
from rulewright.dsl.build_values import Place
from rulewright.dsl.layout import Line, layout_of, one_line, without_comments
from rulewright.dsl.problems import Problem, Problems
from rulewright.dsl.repair import Repair, repairs_of
from rulewright.dsl.source import Scalar
from rulewright.dsl.syntax_errors import block_problem, doubtful_range, explain, fault_problem, tab_problem
from rulewright.dsl.tokens import Failure, Slot, tokens_of

START_SYMBOLS = (
    "expr",
    "choice",
    "who",
    "turns",
    "effect",
    "header",
    "type",
    "copies",
    "range",
    "times",
    "event",
    "every",
    "seen_by",
)
MAX_TEXT = 10_000
"""Characters of one condition, or of one line of an effect."""
MAX_EFFECT = 100_000
MAX_DEPTH = 100
"""How deep a form may stand in forms; `a or b or …` counts one for each `or`."""
MAX_BLOCKS = 20
MAX_WRONG_LINES = 50
"""After so many wrong lines of one effect the others are not explained."""


@cache
def parser(strict: bool = False) -> Lark:
    """The parser of all slots, had when it is first needed; `strict` proves it free of conflicts.

    Building it takes longer than checking a small game, so its tables are kept: see `kept.py`.
    """
    grammar = (files("rulewright.dsl").parent / "grammar.lark").read_text(encoding="utf-8")  # type: ignore[attr-defined]
    if strict:
        return _built(grammar, strict=True)
    about = (grammar, " ".join(START_SYMBOLS), lark.__version__, sys.version, rulewright.__version__)
    name = f"{kept.name_of(*about)}.parser"
    data = kept.read(name)
    if data is not None:
        with suppress(Exception):  # of another build of the library: built anew
            return Lark.load(BytesIO(data))
    made, out = _built(grammar, strict=False), BytesIO()
    made.save(out)
    kept.write(name, out.getvalue())
    return made


def _built(grammar: str, strict: bool) -> Lark:
    collecting = gc.isenabled()
    gc.disable()  # building makes many small objects that all stay: collecting only costs time
    try:
        return Lark(
            grammar,
            parser="lalr",
            lexer="contextual",
            start=list(START_SYMBOLS),
            propagate_positions=True,
            maybe_placeholders=True,
            strict=strict,
        )
    finally:
        if collecting:
            gc.enable()


@lru_cache(maxsize=8192)
def tree_of(start: str, text: str) -> Tree[Token] | Failure:
    """The tree of a text without line ends, or where it cannot go on. Equal texts share a tree."""
    if len(text) > MAX_TEXT:
        return Failure(0, len(text), "long")
    if _brackets_deep(text) > MAX_DEPTH:
        return Failure(0, len(text), "deep")
    try:
        tree = parser().parse(text, start=start)
    except UnexpectedToken as e:
        token = e.token
        if token.type == "$END" or token.start_pos is None or token.end_pos is None:
            return Failure(len(text.rstrip()), len(text.rstrip()))
        return Failure(token.start_pos, token.end_pos)
    except UnexpectedCharacters as e:
        at = e.pos_in_stream or 0
        return next((Failure(t.start, t.end) for t in tokens_of(text) if t.end > at), Failure(at, at + 1))
    except UnexpectedInput:
        return Failure(len(text.rstrip()), len(text.rstrip()))
    if _depth(tree) > MAX_DEPTH:
        return Failure(0, len(text), "deep")
    return tree


def parses(start: str, text: str) -> bool:
    """Is `text` right in a slot of the kind `start`? For an effect: is it one right line?"""
    return not isinstance(tree_of(start, one_line(text)), Failure)


def parse(start: str, scalar: Scalar, problems: Problems) -> n.Node | n.Block | None:
    """The node of a slot (for `effect` a tuple of effects), or None after adding problems.

    Empty text is a problem. `every` gives a Selection, `choice` a Chosen, `type` a TypeNode.
    """
    if start not in START_SYMBOLS:
        raise ValueError(f"no slot is called {start!r}")
    if start == "effect":
        return _Effect(scalar, problems).block_of_text()
    text = one_line(scalar.text)
    if not text.strip():
        problems.add(block_problem("empty", scalar.at(0, len(text)), start))
        return None
    tree = tree_of(start, text)
    if isinstance(tree, Failure):
        problems.extend(explain(Slot(start, text, parses), tree, scalar.at))
        return None
    node = build(cast("Any", tree), scalar.at)
    doubts = doubtful_range(node) if isinstance(node, n.NumberRange) else []
    problems.extend(doubts)
    return None if doubts else node


def repairs(start: str, text: str) -> list[Repair]:
    """The changes of one word or sign after which `text` is right in its slot, the likeliest first.

    Whether one of them also makes sense (names and types) is for the caller to find out. Empty
    when the text is right, and when more than one word is wrong.
    """
    line = one_line(text)
    tree = tree_of(start, line)
    return repairs_of(Slot(start, line, parses), tree) if isinstance(tree, Failure) else []


def _brackets_deep(text: str) -> int:
    deepest = depth = 0
    for sign in text:
        if sign in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in ")]":
            depth -= 1
    return deepest


def _depth(tree: Tree[Token]) -> int:
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [c for t in level for c in t.children if isinstance(c, Tree)]
    return deepest


_HEADS = (n.If, n.ForEach, n.Repeat, n.Chooses, n.EachChooses, ElseIf, Else)


class _Effect:
    """One effect on its way from lines to nodes."""

    def __init__(self, scalar: Scalar, problems: Problems) -> None:
        self.scalar = scalar
        self.problems = problems
        self.right = True
        self.wrong_lines = 0
        self.faulty: set[int] = set()  # where lines with wrong indentation begin

    def block_of_text(self) -> n.Block | None:
        text = self.scalar.text
        if len(text) > MAX_EFFECT:
            self._wrong(block_problem("long", self.scalar.at(0, 1), "effect"))
            return None
        tabs = [m.start() for m in re.finditer(r"\t+", without_comments(text))]
        for at in tabs[:20]:
            self._wrong(tab_problem(self.scalar.at(at, at + 1)))
        if tabs:
            return None
        layout = layout_of(text, MAX_BLOCKS)
        for fault in layout.faults:
            self._wrong(fault_problem(fault, self.scalar.at))
        if not layout.lines and self.right:
            self._wrong(block_problem("empty", self.scalar.at(0, len(text)), "effect"))
            return None
        self.faulty = {fault.start for fault in layout.faults}
        block = self.block(layout.lines)
        return block if self.right else None

    def block(self, lines: Iterable[Line]) -> n.Block:
        done: list[n.Effect] = []
        broken_before = False
        for line in lines:
            node = self.line(line)
            body = self.block(line.body)
            if node is None:
                broken_before = True
                continue
            if isinstance(node, ElseIf | Else):
                if not self.attach(node, body, done) and not broken_before:
                    self._wrong(block_problem("else", node.span, "effect"))
                continue
            broken_before = False
            if isinstance(node, n.If):
                node = replace(node, branches=((node.branches[0][0], body),))
            elif isinstance(node, n.ForEach | n.Repeat | n.Chooses | n.EachChooses):
                node = replace(node, body=body)
            done.append(cast("n.Effect", node))
        return tuple(done)

    def line(self, line: Line) -> n.Node | None:
        """The node of one line, without its block."""
        tree = tree_of("effect", line.text)
        place = self._place(line.start)
        if isinstance(tree, Failure):
            self.wrong_lines += 1
            if self.wrong_lines > MAX_WRONG_LINES:
                return None
            style = self.scalar.style
            slot = Slot("effect", line.text, parses, bool(line.body), style)
            for problem in explain(slot, tree, place):
                self._wrong(problem)
            return None
        node = build(cast("Any", tree), place)
        end = len(line.text)
        if isinstance(node, _HEADS) and not line.body:
            self._wrong(block_problem("hollow", place(end - 1, end), "effect"))
        elif not isinstance(node, _HEADS) and line.body and line.body[0].start not in self.faulty:
            inner = line.body[0]
            span = self.scalar.at(inner.start, inner.start + len(inner.text))
            self._wrong(block_problem("deeper", span, "effect", line.text))
        return node

    def attach(self, node: ElseIf | Else, body: n.Block, done: list[n.Effect]) -> bool:
        """Give an `else` to the effect before it; False if that cannot have one."""
        owner = done[-1] if done else None
        if isinstance(owner, n.If) and owner.otherwise is None:
            if isinstance(node, ElseIf):
                done[-1] = replace(owner, branches=(*owner.branches, (node.condition, body)))
            else:
                done[-1] = replace(owner, otherwise=body)
            return True
        if isinstance(owner, n.Chooses) and owner.otherwise is None and isinstance(node, Else):
            done[-1] = replace(owner, otherwise=body)
            return True
        return False

    def _place(self, base: int) -> Place:
        return lambda start, end: self.scalar.at(base + start, base + end)

    def _wrong(self, problem: Problem) -> None:
        self.right = False
        self.problems.add(problem)
