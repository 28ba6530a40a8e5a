"""Tables: the CSV files that a game's declarations name.

Comes in: the folder of a game and the name of a table. Goes out: `Table` values, read once. Changes that a
variant makes to a cell (`types.mission.attack.needs_3`) are laid over the table here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.dsl.files import read_table
from rulewright.dsl.problems import Problems
from rulewright.dsl.source import Scalar, Table


@dataclass(frozen=True, slots=True)
class CellChange:
    """A variant's new value for the cell of a row (by its first column) and a column."""

    of: str  # the type or kind whose table it is
    row: str
    column: str
    value: Scalar


@dataclass(slots=True)
class Tables:
    """The tables of one game."""

    folder: Path
    problems: Problems
    changes: tuple[CellChange, ...] = ()
    names: list[str] = field(default_factory=list)

    def read(self, name: Scalar | None, of: str) -> Table | None:
        """The table called `name`, with the changes to the table of `of` laid over it."""
        if name is None:
            return None
        table = read_table(self.folder, name.text, self.problems, name.span)
        if table is None or not table.rows:
            return None
        self.names.append(name.text)
        for change in self.changes:
            if change.of == of:
                table = self._changed(table, change)
        return table

    def _changed(self, table: Table, change: CellChange) -> Table:
        columns = [c.text for c in table.columns]
        rows = {row[0].text: i for i, row in enumerate(table.rows)}
        if change.row not in rows or change.column not in columns:
            known = ", ".join(rows) if change.row not in rows else ", ".join(columns)
            self.problems.error(
                "E343",
                change.value.span,
                f"The table of `{change.of}` has no cell `{change.row}.{change.column}`.",
                f"There are: {known}.",
            )
            return table
        r, c = rows[change.row], columns.index(change.column)
        row = (*table.rows[r][:c], change.value, *table.rows[r][c + 1 :])
        return replace(table, rows=(*table.rows[:r], row, *table.rows[r + 1 :]))
