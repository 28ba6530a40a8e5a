"""Values of states as a scenario writes them: `5`, `yes`, `none`, a player, a word, a space, a list of them.

Comes in: a variable of the program and the text that is given for it. Goes out: numbers as the machine keeps
them. What never happens: a value outside the bounds of its state.
"""

from __future__ import annotations

import re

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.cells import index_sizes, lowest
from rulewright.interpreter.lower_entry import place_of_space
from rulewright.interpreter.naming import bare_type, family
from rulewright.interpreter.pictures import Codes, wrong

FIGURE = re.compile(r"-?[0-9]{1,7}\Z")
Value = int | tuple[int, ...]


class Values:
    """Reads values for one program. `spaces` are the names that the scenario's pictures give to spaces."""

    def __init__(self, program: ir.Program, game: Game, codes: Codes, spaces: dict[str, str]) -> None:
        self.program, self.game, self.codes, self.spaces = program, game, codes, spaces
        self.words = dict(program.word_lists)

    def given(self, variable: ir.Variable, entry: Entry, index: str) -> list[tuple[int, Value]]:
        """(cell, value) for each that a line of `given` sets. `index` is what stands behind `of`, or ""."""
        if index:
            return [(self.cell(variable, index, entry.key), self.value(variable, entry.value, entry.key))]
        if isinstance(entry.value, Mapping):
            return [
                (self.cell(variable, e.key.text, e.key), self.value(variable, e.value, e.key))
                for e in entry.value.entries
            ]
        if variable.cells > 1 or variable.index:
            text = f"`{variable.name}` is kept for each {bare_type(variable.index[0])}."
            cure = f"Write `{variable.name}: {{NAME: VALUE}}` or `{variable.name} of NAME: VALUE`."
            raise wrong(entry.key.span, text, cure)
        return [(0, self.value(variable, entry.value, entry.key))]

    def cell(self, variable: ir.Variable, text: str, at: Scalar) -> int:
        """The number of a cell by the name of its index; two names are separated by a blank."""
        names = text.split()
        sizes = index_sizes(self.program, variable)
        if sizes is None or len(names) != len(sizes):
            text_ = f"`{variable.name}` has {len(variable.index)} things it is kept for, not {len(names)}."
            raise wrong(at.span, text_, "Name one of each, separated by a blank.")
        cell = 0
        for name, type_, size in zip(names, variable.index, sizes, strict=True):
            number = self.one(name, type_, at) - self.lowest(type_)
            if not 0 <= number < size:
                raise wrong(at.span, f"`{variable.name}` is not kept for `{name}`.", "Name another one.")
            cell = cell * size + number
        return cell

    def lowest(self, type_: str) -> int:
        """The value that stands in the first cell of an index."""
        enum = self.game.enums.get(bare_type(type_))
        low = enum.numeric.low if enum is not None and enum.numeric is not None else None
        return low.value if isinstance(low, n.Number) else lowest(self.program, type_)

    def value(self, variable: ir.Variable, tree: Tree | None, at: Scalar) -> Value:
        """A value of a state, within its bounds."""
        if variable.kind == "set":
            if not isinstance(tree, Sequence):
                raise wrong(at.span, f"`{variable.name}` is a set.", "Write its values as a list: `[a, b]`.")
            items = [self.bounded(variable, x, at) for x in tree.items]
            return tuple(sorted(dict.fromkeys(items)))
        return self.bounded(variable, tree, at)

    def bounded(self, variable: ir.Variable, tree: Tree | None, at: Scalar) -> int:
        """One value within the bounds of its state."""
        if not isinstance(tree, Scalar):
            raise wrong(at.span, f"`{variable.name}` needs one value.", "Write it behind the colon.")
        number = self.one(tree.text.strip(), variable.type, tree)
        low, high = variable.low, variable.high
        if not (
            low <= number <= high or (number == -1 and variable.optional and tree.text.strip() == "none")
        ):
            raise wrong(
                tree.span, f"{tree.text.strip()} does not fit; `{variable.name}` goes from {low} to {high}."
            )
        return number

    def one(self, text: str, type_: str, at: Scalar) -> int:
        """A value by name. Unfit if the type has no such value."""
        of = family(self.program, type_)
        if of == "number":
            if FIGURE.match(text):
                return int(text)
            raise wrong(at.span, f"`{text}` is no number.", "Write a figure.")
        if text == "none":
            return -1
        if of in ("place", "piece"):
            return self.thing(text, of, at)
        names: tuple[str, ...] = {
            "yesno": ("no", "yes"),
            "player": self.program.players,
            "direction": self.program.directions,
            "line": self.program.lines,
            "kind": self.program.kinds,
        }.get(of, self.words.get(bare_type(type_), ()))
        if text not in names:
            near = closest(text, names)
            cure = f"Did you mean `{near}`?" if near else f"Possible: {', '.join(names[:30])}."
            raise wrong(at.span, f"`{text}` cannot stand here.", cure)
        return names.index(text)

    def thing(self, text: str, of: str, at: Scalar) -> int:
        """A piece by its code, or a place by its name."""
        if of == "piece":
            pieces = self.codes.by_code.get(text) or self.codes.marks.get(text)
            if pieces:
                return min(pieces)
            raise wrong(at.span, f"`{text}` is no code of a piece in this game.", "Write a piece's code.")
        name = self.spaces.get(text, text)
        for number, place in enumerate(self.program.places):
            if place.name == name:
                return number
        for board in self.program.boards:
            number = place_of_space(board, name) if board.unbounded else -1
            if number >= 0:
                return number
        raise wrong(at.span, f"There is no place `{text}`.", "Name a space or a zone.")
