"""Coverage: which statements of a rulebook, and which rules, the scenarios of a game show.

Comes in: a loaded game and the results of its scenarios. Goes out: a `Coverage`. The statements stand in
`statements.csv` in the game's folder: `id`, `sentence`, and `later` (`yes` where the rule is not there yet).
What never happens: a statement that counts as covered because of a scenario that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.dsl.files import read_table
from rulewright.dsl.load import Loaded
from rulewright.dsl.model import Game, Rule
from rulewright.dsl.problems import Problems, Span
from rulewright.playtest.scenarios import ScenarioResult

FILE = "statements.csv"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a rulebook, in words of our own."""

    id: str
    sentence: str
    later: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Covered:
    """A statement and the scenarios that show it and passed."""

    statement: Statement
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unused:
    """Something of the rules that no scenario has exercised. `kind`: action, event, rule, end, phase."""

    kind: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the scenarios of a game show. `untold` are rules whose use leaves no trace (CHANGE)."""

    statements: tuple[Covered, ...]
    unused: tuple[Unused, ...]
    untold: tuple[str, ...]

    @property
    def missing(self) -> tuple[Statement, ...]:
        """The statements that should be covered and are not."""
        return tuple(c.statement for c in self.statements if not c.scenarios and not c.statement.later)


def read_statements(loaded: Loaded, problems: Problems) -> tuple[Statement, ...] | None:
    """The statements of a game; None if it keeps none."""
    if loaded.path is None or not loaded.path.is_dir() or not (loaded.path / FILE).is_file():
        return None
    table = read_table(loaded.path, FILE, problems, Span(FILE, 1, 1, 1, 1))
    if table is None:
        return None
    columns = [c.text for c in table.columns]
    for name in ("id", "sentence"):
        if name not in columns:
            cure = "The first line is `id,sentence`, or `id,sentence,later`."
            problems.error("E601", table.span, f"This table has no column `{name}`.", cure)
            return None
    found: dict[str, Statement] = {}
    for row in table.rows:
        cells = dict(zip(columns, row, strict=True))
        cell = cells["id"]
        if cell.text in found:
            problems.error("E601", cell.span, f"The statement `{cell.text}` stands twice.", "Take one out.")
            continue
        later = "later" in cells and cells["later"].text == "yes"
        found[cell.text] = Statement(cell.text, cells["sentence"].text, later, cell.span)
    return tuple(found.values())


def coverage(loaded: Loaded, results: Sequence[ScenarioResult]) -> Coverage:
    """What these results show of the game. Only scenarios that passed count."""
    passed = [r for r in results if r.ok]
    by_id: dict[str, list[str]] = {}
    for result in passed:
        for id_ in result.covers:
            by_id.setdefault(id_, []).append(result.name)
    statements = read_statements(loaded, Problems()) or ()
    covered = tuple(Covered(s, tuple(by_id.get(s.id, ()))) for s in statements)
    if loaded.game is None:
        return Coverage(covered, (), ())
    happened = {x for r in passed for x in r.happened}
    refused = {span for r in passed for span in r.refused_by}
    untold = tuple(r.name for r in loaded.game.rules if r.form == "change")
    return Coverage(covered, tuple(_unused(loaded.game, happened, refused)), untold)


def _unused(game: Game, happened: set[tuple[str, str]], refused: set[Span]) -> list[Unused]:
    out: list[Unused] = []
    for phase in game.phases.values():
        if ("phase", phase.path) not in happened:
            out.append(Unused("phase", phase.name, phase.span))
    for action in game.actions.values():
        if ("action", action.name) not in happened:
            out.append(Unused("action", action.name, action.span))
    for event in game.events.values():
        if ("event", event.name) not in happened:
            out.append(Unused("event", event.name, event.span))
    for rule in game.rules:
        if rule.form != "change" and not _applied(rule, happened, refused):
            out.append(Unused("rule", rule.name, rule.span))
    for end in game.ends.values():
        if ("end", end.name) not in happened:
            out.append(Unused("end", end.name, end.span))
    return out


def _applied(rule: Rule, happened: set[tuple[str, str]], refused: set[Span]) -> bool:
    words = {"forbid": "forbidden"}
    return (words.get(rule.form, rule.form), rule.name) in happened or rule.span in refused
