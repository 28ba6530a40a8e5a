"""Setting: what is settled before a game is lowered: who plays, and the value of every option.

Comes in: a checked game, the number or names of the players, option values as text. Goes out: a
`Setting`, or problems (E501 … E509) that say what was wrong. An option that is drawn "at random" and
shapes no component is left to the game's own luck at its start; one that does is drawn here from the
seed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Checked, Game, Option
from rulewright.dsl.nodes_walk import names_in
from rulewright.dsl.problems import Problem, Span
from rulewright.dsl.slots import scalars
from rulewright.dsl.source import Scalar, Tree
from rulewright.dsl.spelling import closest

Value = int | tuple[int, ...]
NOWHERE = Span("options", 1, 1, 1, 1)
DRAWN = re.compile(r"([0-9]{1,3}) at random")
NAMED = re.compile(r"([0-9]{1,3}) named")


@dataclass(frozen=True, slots=True)
class Setting:
    """`values`: option → number, word index, player index, or set of word indexes. `layouts`: option →
    the name of its layout. `open`: options drawn in play, with how many words (1 for a player).
    """

    players: tuple[str, ...]
    seat_words: tuple[int, ...]
    values: dict[str, Value] = field(default_factory=dict)
    layouts: dict[str, str] = field(default_factory=dict)
    open: dict[str, int] = field(default_factory=dict)
    written: tuple[tuple[str, str], ...] = ()  # every option and its value in words


class SettingError(Exception):
    """Something in the players or options cannot be; holds the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


def refuse(code: str, text: str, cure: str, span: Span = NOWHERE) -> SettingError:
    """A refused setting as an exception for the way out of this module."""
    return SettingError(Problem(code, span, text, cure))


def settle(
    checked: Checked,
    players: int | Sequence[str] | None,
    options: dict[str, str | Sequence[str]],
    draw: Callable[[str, int], int],
) -> Setting | tuple[Problem, ...]:
    """The setting of one game. `draw(option, n)` gives a number below n from the seed."""
    try:
        return Settler(checked, options, draw).settle(players)
    except SettingError as error:
        return (error.problem,)


class Settler:
    """Works one setting out; see `settle`."""

    def __init__(
        self, checked: Checked, options: dict[str, str | Sequence[str]], draw: Callable[[str, int], int]
    ) -> None:
        self.checked = checked
        self.game: Game = checked.game
        self.draw = draw
        self.given = {k: (v,) if isinstance(v, str) else tuple(v) for k, v in options.items()}
        self.values: dict[str, Value] = {}
        self.layouts: dict[str, str] = {}
        self.open: dict[str, int] = {}
        self.players: tuple[str, ...] = ()
        self.shaping = shaping_names(self.game)
        self.pending: list[str] = []
        self.named: dict[str, tuple[int, str]] = {}  # option → how many words to name, and the bundle's name
        self.subject = ""  # the kind whose `used when` is being read

    def settle(self, players: int | Sequence[str] | None) -> Setting:
        """Settle the players, then every option."""
        for name in self.given:
            if name not in self.game.options:
                near = closest(name, self.game.options)
                listed = ", ".join(self.game.options) or "none"
                raise refuse(
                    "E501",
                    f"There is no option `{name}`.",
                    f"Did you mean `{near}`?" if near else f"Options: {listed}.",
                )
        words = self.settle_players(players)
        for name, value in self.game.variant_options:
            self.given.setdefault(name, tuple(x.text for x in scalars(value)))
        for option in self.game.options.values():
            if option.form == "bundles":
                self.value(option.name)
        for option in self.game.options.values():
            self.value(option.name)
        return Setting(self.players, words, self.values, self.layouts, self.open, self.in_words())

    def settle_players(self, players: int | Sequence[str] | None) -> tuple[int, ...]:
        """Names of the players, and their words where seats are named by a type."""
        game = self.game
        count = game.players_low if players is None else players if isinstance(players, int) else len(players)
        if not game.players_low <= count <= game.players_high:
            wanted = (
                str(game.players_low)
                if game.players_low == game.players_high
                else f"{game.players_low} to {game.players_high}"
            )
            raise refuse("E502", f"{count} players cannot play this game.", f"It is for {wanted} players.")
        names = tuple(players) if players is not None and not isinstance(players, int) else ()
        if len(set(names)) != len(names):
            raise refuse("E502", "Two players have the same name.", "Give each player a name of its own.")
        if game.seat_type and game.seat_type in game.enums:
            all_words = game.enums[game.seat_type].words
            chosen = names or all_words[:count]
            for name in chosen:
                if name not in all_words:
                    raise refuse(
                        "E502", f"`{name}` is no {game.seat_type}.", f"Players are: {', '.join(all_words)}."
                    )
            self.players = tuple(chosen)
            return tuple(all_words.index(x) for x in chosen)
        if game.seats:
            if names and set(names) != set(game.seats):
                raise refuse(
                    "E502", f"The players of this game are {', '.join(game.seats)}.", "Use these names."
                )
            self.players = game.seats
            return ()
        self.players = names or tuple(f"player_{i + 1}" for i in range(count))
        return ()

    # ----------------------------------------------------------------- options

    def value(self, name: str) -> Value | None:
        """The value of an option; None when it is left to the game's own luck."""
        if name in self.values or name in self.open:
            return self.values.get(name)
        option = self.game.options[name]
        if name in self.pending:
            raise refuse(
                "E503",
                f"The option `{name}` depends on itself.",
                "Give one of the options a fixed default.",
                option.span,
            )
        self.pending.append(name)
        found = self.settle_option(option)
        self.pending.pop()
        if found is not None:
            self.values[name] = found
            if option.form == "bundles" and isinstance(found, int):
                for other, tree in dict(option.bundles)[option.choices[found]]:
                    self.bundled(f"{name}={option.choices[found]}", other, tree)
        return found

    def bundled(self, bundle: str, option: str, tree: Tree) -> None:
        """What a bundle says of an option, which counts where nothing was given for it."""
        texts = tuple(x.text.strip() for x in scalars(tree))
        match = NAMED.fullmatch(texts[0]) if len(texts) == 1 else None
        if match:
            self.named[option] = (int(match[1]), bundle)
        else:
            self.given.setdefault(option, texts)

    def settle_option(self, option: Option) -> Value | None:
        """One option from what was given, else from its default."""
        given = self.given.get(option.name)
        match option.form:
            case "number":
                return self.settle_number(option, given)
            case "yesno":
                text = given[0] if given else _text(option.default) or "no"
                if text not in ("yes", "no"):
                    raise self.unfit(option, text, "yes or no")
                return int(text == "yes")
            case "words" | "bundles":
                text = given[0] if given else _text(option.default) or option.choices[0]
                if text not in option.choices:
                    raise self.unfit(option, text, ", ".join(option.choices))
                return option.choices.index(text)
            case "players":
                return self.settle_player(option, given)
            case "layouts":
                text = given[0] if given else _text(option.default) or next(iter(self.game.layouts))
                if text not in self.game.layouts:
                    raise self.unfit(option, text, ", ".join(self.game.layouts))
                self.layouts[option.name] = text
                return 0
            case "some of":
                return self.settle_some(option, given)
        return None

    def unfit(self, option: Option, text: str, wanted: str, near: str = "") -> SettingError:
        """A value that the option cannot have; `near` is one that may have been meant."""
        cure = f"Did you mean `{near}`? " if near else ""
        return refuse(
            "E504",
            f"The option `{option.name}` cannot be `{text}`.",
            f"{cure}It is one of: {wanted}.",
            option.span,
        )

    def settle_number(self, option: Option, given: tuple[str, ...] | None) -> int:
        """A number within its range, which may depend on other options and on the players."""
        low = self.number(option.low, 0)
        high = self.number(option.high, 999)
        if given:
            if not given[0].lstrip("-").isdigit() or len(given[0]) > 8:
                raise self.unfit(option, given[0], f"{low} to {high}")
            found = int(given[0])
        else:
            found = self.number(option.default_expr, low)
        if not low <= found <= high:
            raise refuse(
                "E504",
                f"The option `{option.name}` cannot be {found} with {len(self.players)} players.",
                f"It goes from {low} to {high}.",
                option.span,
            )
        return found

    def settle_player(self, option: Option, given: tuple[str, ...] | None) -> int | None:
        """A player by name, or at random."""
        text = given[0] if given else _text(option.default) or "at random"
        if text in self.players:
            return self.players.index(text)
        if text == "first":
            return 0
        if text != "at random":
            raise self.unfit(option, text, ", ".join([*self.players, "at random"]))
        if option.name in self.shaping:
            return self.draw(option.name, len(self.players))
        self.open[option.name] = 1
        return None

    def settle_some(self, option: Option, given: tuple[str, ...] | None) -> tuple[int, ...] | None:
        """A set of words, given or at random."""
        words = self.words_of(option)
        how_many, bundle = self.named.get(option.name, (-1, ""))
        if how_many >= 0 and (given is None or len(given) != how_many):
            told = f"; {len(given)} given" if given else ""
            raise refuse(
                "E504",
                f"With `{bundle}` {how_many} of `{option.name}` have to be named{told}.",
                f"Name {how_many} different ones of: {', '.join(words)}.",
                option.span,
            )
        drawn = DRAWN.fullmatch(given[0]) if given is not None and len(given) == 1 else None
        if given is not None and not drawn and given != ("at random",):
            for text in given:
                if text not in words:
                    near = closest(text, words)
                    raise self.unfit(option, text, ", ".join(words), near or "")
            if len(set(given)) != len(given):
                raise refuse(
                    "E504",
                    f"A word stands twice in the option `{option.name}`.",
                    "Name each word once.",
                    option.span,
                )
            wanted = self.number(option.how_many, len(given))
            if option.how_many is not None and len(given) != wanted:
                raise refuse(
                    "E504",
                    f"The option `{option.name}` needs {wanted} words; {len(given)} given.",
                    "Name as many.",
                    option.span,
                )
            return tuple(sorted(words.index(t) for t in given))
        if option.how_many is None and not drawn:
            listed = [x.text for x in scalars(option.default)] if option.default is not None else []
            return tuple(sorted(words.index(t) for t in listed if t in words))
        count = int(drawn[1]) if drawn else self.number(option.how_many, 0)
        if not 0 <= count <= len(words):
            raise refuse(
                "E504",
                f"{count} words cannot be drawn for `{option.name}`.",
                f"There are {len(words)}.",
                option.span,
            )
        if option.name not in self.shaping:
            self.open[option.name] = count
            return None
        left = list(range(len(words)))
        return tuple(sorted(left.pop(self.draw(option.name, len(left))) for _ in range(count)))

    def words_of(self, option: Option) -> tuple[str, ...]:
        """The words an option takes some of."""
        return words_of(self.game, option)

    # ----------------------------------------------------------------- numbers

    def number(self, node: n.Expr | None, default: int) -> int:
        """The value of an expression that only options, players and tables enter."""
        if node is None:
            return default
        found = self.fixed(node)
        if not isinstance(found, int):
            raise refuse(
                "E505",
                "This cannot be worked out before the game.",
                "Use figures, options, `players` and tables.",
                node.span,
            )
        return found

    def fixed(self, node: n.Expr) -> Value:
        """A value that is settled before the game."""
        match node:
            case n.Number(value=value):
                return value
            case n.YesNo(value=value):
                return int(value)
            case n.Name(text="players"):
                return len(self.players)
            case n.Name(text=text) if text in self.game.options:
                found = self.value(text)
                if found is None:
                    raise refuse(
                        "E505",
                        f"The option `{text}` is drawn in play, too late for this.",
                        "Give it a fixed value.",
                        node.span,
                    )
                option = self.game.options[text]
                if isinstance(found, tuple) and option.of_type not in self.game.enums:
                    words = self.words_of(option)
                    return tuple(self.kind_number(words[i]) for i in found)
                return found
            case n.Of(name="kind", owner=n.Name()) if self.subject:
                return self.kind_number(self.subject)
            case n.Name(text=text) if text in self.game.kinds:
                return self.kind_number(text)
            case n.Name(text=text) if (
                symbol := self.checked.symbols.get(id(node))
            ) is not None and symbol.form == "word":
                return self.word_index(symbol.owner, text)
            case n.Name(text=text) if text in self.game.defines and self.game.defines[text].body is not None:
                body = self.game.defines[text].body
                assert body is not None
                return self.fixed(body)
            case n.Call(name=name, arguments=(argument,)) | n.Of(name=name, owner=argument):
                return self.from_table(node, name, argument)
            case n.Negative(operand=operand):
                return -self.number(operand, 0)
            case n.Arithmetic(operator=operator, left=left, right=right):
                a, b = self.number(left, 0), self.number(right, 0)
                return {"+": a + b, "-": a - b, "*": a * b, "mod": a % b if b else 0}[operator]
            case n.Divide(left=left, right=right, rounding=rounding):
                a, b = self.number(left, 0), self.number(right, 0)
                if b == 0:
                    raise refuse("E505", "Nothing can be divided by 0.", "Correct the options.", node.span)
                return a // b if rounding == "down" else -(-a // b)
            case n.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.fixed(then if self.fixed(condition) else otherwise)
            case n.And(left=left, right=right):
                return int(bool(self.fixed(left)) and bool(self.fixed(right)))
            case n.Or(left=left, right=right):
                return int(bool(self.fixed(left)) or bool(self.fixed(right)))
            case n.Not(operand=operand):
                return int(not self.fixed(operand))
            case n.Compare(operator=operator, left=left, right=right):
                x, y = self.fixed(left), self.fixed(right)
                if operator in ("is", "is not"):
                    return int((x == y) == (operator == "is"))
                assert isinstance(x, int) and isinstance(y, int)
                return int({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[operator])
            case n.Member(negated=negated, element=element, collection=collection):
                held = self.fixed(collection)
                return int((self.fixed(element) in (held if isinstance(held, tuple) else (held,))) != negated)
            case n.SetDisplay(items=items):
                return tuple(x for item in items if isinstance(x := self.fixed(item), int))
        raise refuse(
            "E505",
            "This cannot be worked out before the game.",
            "Use figures, options, `players` and tables.",
            node.span,
        )

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
                    raise refuse(
                        "E505", f"The table `{table.name}` has no line for {key}.", "Add one.", node.span
                    )
                return table.columns[name][table.keys.index(key)]
        raise refuse(
            "E505",
            "This cannot be worked out before the game.",
            "Use figures, options, `players` and tables.",
            node.span,
        )

    def in_words(self) -> tuple[tuple[str, str], ...]:
        """Every option and its value in words, in declared order."""
        found = []
        for option in self.game.options.values():
            value = self.values.get(option.name)
            if option.name in self.open:
                text = "at random"
            elif option.form == "layouts":
                text = self.layouts[option.name]
            elif option.form in ("words", "bundles") and isinstance(value, int):
                text = option.choices[value]
            elif option.form == "yesno":
                text = "yes" if value else "no"
            elif option.form == "players" and isinstance(value, int):
                text = self.players[value]
            elif isinstance(value, tuple):
                text = " ".join(self.words_of(option)[i] for i in value)
            else:
                text = str(value)
            found.append((option.name, text))
        return tuple(found)


def _text(tree: Tree | None) -> str:
    return tree.text.strip() if isinstance(tree, Scalar) else ""


def shaping_names(game: Game) -> set[str]:
    """The names that shape the components of a game: counts, sizes, ranges, what is used at all."""
    found: set[str] = set()

    def note(*nodes: n.Node | None) -> None:
        for node in nodes:
            if node is not None:
                found.update(names_in(node))

    for kind in game.kinds.values():
        note(kind.used_when, kind.copies.number if kind.copies else None)
    for enum in game.enums.values():
        note(*((enum.numeric.low, enum.numeric.high) if enum.numeric else ()))
    for rule in game.rules:
        note(rule.used_when)
    for action in game.actions.values():
        note(action.used_when)
    for state in [*game.states.values(), *(s for p in game.phases.values() for s in p.states)]:
        note(state.low, state.high)
        if isinstance(state.type, n.NumberType):
            note(state.type.low, state.type.high)
    for option in game.options.values():
        note(option.low, option.high, option.default_expr, option.how_many)
        for _, values in option.bundles:
            found.update(name for name, _ in values if option.at_random)
    for board in game.boards.values():
        found.update(board.size.split(" x "))
    return found


def words_of(game: Game, option: Option) -> tuple[str, ...]:
    """The words that an option takes some of: those of a type, or the kinds of pieces below a kind."""
    if option.of_type in game.enums:
        return game.enums[option.of_type].words
    base = option.of_type.removesuffix("_kind")
    return tuple(k.name for k in game.kinds.values() if k.made and base in _ancestors(game, k.name))


def _ancestors(game: Game, kind: str) -> set[str]:
    found: set[str] = set()
    todo = [kind]
    while todo:
        k = todo.pop()
        if k not in found:
            found.add(k)
            todo += list(game.kinds[k].parents) if k in game.kinds else []
    return found
