"""Check the sides of dice: a table with a row of faces, or one for each word of an option.

Comes in: the checker at work, and a die. Goes out: problems E316 and E409 at the wrong cell. A table whose
first column is called like an option has a row for each of its words; any other table has one row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game, Kind
from rulewright.dsl.source import Scalar, Table

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

LEAST = 2


def check_sides(check: GameCheck, kind: Kind) -> None:
    """Whether each row has sides that are faces of the die, and each word of the option a row."""
    table = kind.sides
    if table is None:
        return
    words = check.world.enums.get(kind.face_type)
    if words is None:
        check.error(
            "E316",
            kind.span,
            f"The sides of `{kind.name}` show no faces.",
            "Say `faces:` with a type of words; the table has one of them on each side.",
        )
        return
    option = option_of(check.world.game, table)
    if option is None and len(table.rows) != 1:
        head = table.columns[0]
        check.error(
            "E316",
            head.span,
            f"There is no option `{head.text}` that could choose between these {len(table.rows)} rows.",
            "Name the first column like an option with words, or keep one row.",
        )
    elif option is not None:
        _every_word(check, table, option)
    for row in table.rows:
        sides = row[1:] if option is not None else row
        if len(sides) < LEAST:
            check.error("E316", row[0].span, "A die needs two sides at least.", "Add columns with faces.")
        for cell in sides:
            if not cell.text.strip():
                wanted = f"Write one of {', '.join(words)}."
                check.error("E316", cell.span, "This side shows nothing.", wanted)
            elif cell.text not in words:
                check.wrong_word(n.Name(span=cell.span, text=cell.text), cell.text, kind.face_type)


def _every_word(check: GameCheck, table: Table, option: str) -> None:
    choices = check.world.game.options[option].choices
    seen = [row[0].text for row in table.rows]
    for row in table.rows:
        if row[0].text not in choices:
            check.error(
                "E316",
                row[0].span,
                f"`{row[0].text}` is no word of the option `{option}`.",
                f"Its words are: {', '.join(choices)}.",
            )
    missing = [word for word in choices if word not in seen]
    if missing:
        check.error(
            "E316",
            table.columns[0].span,
            f"There is no row for {', '.join(missing)}.",
            f"Add one for each word of the option `{option}`.",
        )


def option_of(game: Game, table: Table) -> str | None:
    """The option that chooses between the rows of a table of sides."""
    head = table.columns[0].text
    found = game.options.get(head)
    return head if found is not None and found.form in ("words", "bundles") else None


def sides_of(game: Game, table: Table, word: str) -> tuple[Scalar, ...]:
    """The sides in the row of a word, or in the only row."""
    if option_of(game, table) is None:
        return tuple(table.rows[0])
    return tuple(next(row for row in table.rows if row[0].text == word)[1:])
