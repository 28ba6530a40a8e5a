"""Problems: what is wrong with a rule file, said to a designer.

Comes in: a place, a code and words. Goes out: `Problem` values, gathered, never thrown.
What never happens: a problem without a place, or an exception for a wrong rule.
To add a problem: take a free code in `dsl/catalogue.py`, with a wrong and a right example.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file. Lines and columns count from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, what, and what to do about it.

    `replacement` is the text that, put in the place of `span`, would cure it; it is given
    only where that is certain to be a correct rule again.
    """

    code: str
    span: Span
    text: str
    cure: str = ""
    severity: str = "error"  # or "warning"
    replacement: str | None = None

    def as_json(self) -> dict[str, object]:
        """The problem as plain data for tools."""
        s = self.span
        return {
            "code": self.code,
            "severity": self.severity,
            "file": s.file,
            "line": s.line,
            "column": s.column,
            "end_line": s.end_line,
            "end_column": s.end_column,
            "text": self.text,
            "cure": self.cure,
            "replacement": self.replacement,
        }


@dataclass(slots=True)
class Problems:
    """Gathers the problems of one load; the same problem is kept once."""

    _found: dict[tuple[str, Span, str], Problem] = field(default_factory=dict)

    def add(self, problem: Problem) -> None:
        """Keep `problem` unless it is already there."""
        self._found.setdefault((problem.code, problem.span, problem.text), problem)

    def error(self, code: str, span: Span, text: str, cure: str = "", replacement: str | None = None) -> None:
        """Note something that must be put right before the game can be played."""
        self.add(Problem(code, span, text, cure, "error", replacement))

    def warning(self, code: str, span: Span, text: str, cure: str = "") -> None:
        """Note something that is probably not what was meant."""
        self.add(Problem(code, span, text, cure, "warning"))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep all of `problems`."""
        for problem in problems:
            self.add(problem)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self._found.values(), key=lambda p: (p.span, p.code, p.text)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Problem]:
        """The problems that stop the game from being played."""
        return [p for p in self if p.severity == "error"]
