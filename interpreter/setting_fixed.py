"""Fixed values: what can be worked out before a game is lowered, from options, players and tables alone.

Comes in: expressions of a checked game. Goes out: numbers, words and kinds by their index, sets of them; or a
`SettingError` that says why not (E505). `used when:` of a kind is read for each kind of which there are
pieces (`subject`): `kind of X`, and X itself, then mean that kind. What never happens: a value is guessed.
To let an option, a count or a `used when:` say more: a case in `fixed`.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import nodes as n
from rulewright.dsl.check_options import kinds_above
from rulewright.dsl.model import Checked, Game, Option
from rulewright.dsl.problems import Problem, Span

Value = int | tuple[int, ...]
NOWHERE = Span("options", 1, 1, 1, 1)
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class SettingError(Exception):
    """Something in the players or options cannot be; holds the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


def refuse(code: str, text: str, cure: str, span: Span = NOWHERE) -> SettingError:
    """A refused setting as an exception for the way out of the settling and of the lowering."""
    return SettingError(Problem(code, span, text, cure))


def not_before(span: Span) -> SettingError:
    """An expression that only play could answer."""
    text = "This cannot be worked out before the game."
    return refuse("E505", text, "Use figures, options, `players` and tables.", span)


class Fixed:
    """Reads expressions. The options come from `value` and `words_of` of the class that builds on it."""

    checked: Checked
    game: Game
    players: tuple[str, ...]
    subject: str  # the kind whose `used when` is being read, or ""

    def value(self, name: str) -> Value | None:
        """The value of an option; None when it is left to the game's own luck."""
        raise NotImplementedError

    def words_of(self, option: Option) -> tuple[str, ...]:
        """The words an option takes some of."""
        raise NotImplementedError

    def number(self, node: n.Expr | None, default: int) -> int:
        """The value of an expression that only options, players and tables enter."""
        if node is None:
            return default
        found = self.fixed(node)
        if not isinstance(found, int):
            raise not_before(node.span)
        return found

    def fixed(self, node: n.Expr) -> Value:
        """A value that is settled before the game. Raises SettingError for what is not."""
        match node:
            case n.Number(value=value):
                return value
            case n.YesNo(value=value):
                return int(value)
            case n.Name(text=text):
                return self.named_value(node, text)
            case n.Of(name="kind", owner=n.Name(text=text)) if self.is_subject(text):
                return self.kind_number(self.subject)
            case n.Call(name=name, arguments=(argument,)) | n.Of(name=name, owner=argument):
                return self.from_table(node, name, argument)
            case n.Negative() | n.Arithmetic() | n.Divide():
                return self.calculated(node)
            case n.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.fixed(then if self.fixed(condition) else otherwise)
            case n.And(left=left, right=right):
                return int(bool(self.fixed(left)) and bool(self.fixed(right)))
            case n.Or(left=left, right=right):
                return int(bool(self.fixed(left)) or bool(self.fixed(right)))
            case n.Not(operand=operand):
                return int(not self.fixed(operand))
            case n.Compare():
                return int(self.compared(node))
            case n.Member(negated=negated, element=element, collection=collection):
                held = self.fixed(collection)
                return int(
                    (self.element(element) in (held if isinstance(held, tuple) else (held,))) != negated
                )
            case n.SetDisplay(items=items):
                return tuple(x for item in items for x in self.several(item))
        raise not_before(node.span)

    def several(self, item: n.Expr) -> tuple[int, ...]:
        """What one item between brackets stands for."""
        if isinstance(item, n.Range):
            return tuple(range(self.number(item.low, 0), self.number(item.high, 0) + 1))
        found = self.fixed(item)
        return found if isinstance(found, tuple) else (found,)

    def named_value(self, node: n.Name, text: str) -> Value:
        """What a word that stands alone is worth."""
        if text == "players":
            return len(self.players)
        if text in self.game.options:
            return self.option_value(node, text)
        if text in self.game.kinds:
            return self.kind_number(text)
        symbol = self.checked.symbols.get(id(node))
        if symbol is not None and symbol.form == "word":
            return self.word_index(symbol.owner, text)
        if symbol is not None and symbol.form == "seat":
            return self.players.index(text)
        define = self.game.defines.get(text)
        if define is not None and define.body is not None:
            return self.fixed(define.body)
        raise not_before(node.span)

    def option_value(self, node: n.Name, name: str) -> Value:
        """The value of another option; kinds of pieces as numbers that can be compared with others."""
        found = self.value(name)
        if found is None:
            text = f"The option `{name}` is drawn in play, too late for this."
            raise refuse("E505", text, "Give it a fixed value.", node.span)
        option = self.game.options[name]
        if isinstance(found, tuple) and option.of_kind:
            words = self.words_of(option)
            return tuple(self.kind_number(words[i]) for i in found)
        return found

    def compared(self, node: n.Compare) -> bool:
        """`is`, `is not` and the comparisons of numbers."""
        if node.operator in ("is", "is not"):
            wanted = node.operator == "is"
            if (
                isinstance(node.left, n.Name)
                and self.is_subject(node.left.text)
                and isinstance(node.right, n.Name)
            ):
                return (node.right.text in kinds_above(self.game, self.subject)) == wanted
            return (self.fixed(node.left) == self.fixed(node.right)) == wanted
        return COMPARED[node.operator](self.number(node.left, 0), self.number(node.right, 0))

    def element(self, node: n.Expr) -> Value:
        """The left side of `is in`; a piece stands for its kind."""
        if isinstance(node, n.Name) and self.is_subject(node.text):
            return self.kind_number(self.subject)
        return self.fixed(node)

    def is_subject(self, name: str) -> bool:
        """Whether a name stands for a piece of the kind whose `used when` is being read."""
        return bool(self.subject) and name in kinds_above(self.game, self.subject)

    def calculated(self, node: n.Negative | n.Arithmetic | n.Divide) -> int:
        """Sums, products and quotients."""
        if isinstance(node, n.Negative):
            return -self.number(node.operand, 0)
        a, b = self.number(node.left, 0), self.number(node.right, 0)
        if isinstance(node, n.Divide) or node.operator == "mod":
            if b == 0:
                raise refuse("E505", "Nothing can be divided by 0.", "Correct the options.", node.span)
            if isinstance(node, n.Arithmetic):
                return a % b
            return a // b if node.rounding == "down" else -(-a // b)
        return {"+": a + b, "-": a - b, "*": a * b}[node.operator]

    def kind_number(self, kind: str) -> int:
        """A kind as a value that can be compared with others."""
        return list(self.game.kinds).index(kind)

    def word_index(self, enum: str, word: str) -> int:
        """Where a word stands in its list."""
        if enum in self.game.options:
            return self.game.options[enum].choices.index(word)
        return self.game.enums[enum].words.index(word)

    def from_table(self, node: n.Expr, name: str, argument: n.Expr) -> int:
        """A cell of a table by the number of players or another key."""
        for table in self.game.word_tables.values():
            if name in table.columns:
                key = str(self.number(argument, 0))
                if key not in table.keys:
                    text = f"The table `{table.name}` has no line for {key}."
                    raise refuse("E505", text, "Add one.", node.span)
                return table.columns[name][table.keys.index(key)]
        raise not_before(node.span)
