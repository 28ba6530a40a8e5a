"""Setting: what is settled before a game is lowered: who plays, and the value of every option.

Comes in: a checked game, the number or names of the players, option values as text. Goes out: a
`Setting`, or problems (E501 … E504) that say what was wrong; what expressions are worth is worked out in
`setting_fixed` (E505). An explicit option counts more than what a variant says, that more than a bundle, a
bundle more than the default. An option that is drawn "at random" and shapes no component is left to the
game's own luck at its start; one that does is drawn here from the seed.
What never happens: a value that was given is passed over in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from rulewright.dsl.check_options import DRAWN, FIGURES, NAMED, words_of
from rulewright.dsl.model import Checked, Game, Option
from rulewright.dsl.problems import Problem, Span
from rulewright.dsl.slots import scalars
from rulewright.dsl.source import Scalar, Tree
from rulewright.dsl.spelling import closest
from rulewright.interpreter.chance import number, start_of
from rulewright.interpreter.setting_fixed import NOWHERE, Fixed, SettingError, Value, refuse
from rulewright.interpreter.shaping import shaping_names

__all__ = [
    "DRAWN", "NAMED", "NOWHERE", "Draw", "Setting", "SettingError", "Settler", "Value", "luck_of", "refuse",
    "settle", "texts_of", "words_of",
]  # fmt: skip

Draw = Callable[[str, int], int]  # the name of what is drawn, and how many there are: a number below that
AT_RANDOM = "at random"


@dataclass(frozen=True, slots=True)
class Setting:
    """`values`: option → number, word index, player index, or set of word indexes. `layouts`: option →
    the name of its layout. `open`: options drawn in play, with how many words (1 for a player). `drawn`:
    options that were drawn from the seed, and how that was said.
    """

    players: tuple[str, ...]
    seat_words: tuple[int, ...]
    values: dict[str, Value] = field(default_factory=dict)
    layouts: dict[str, str] = field(default_factory=dict)
    open: dict[str, int] = field(default_factory=dict)
    written: tuple[tuple[str, str], ...] = ()  # every option and its value in words
    drawn: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> object:
        """Equal for settings of a game that make the same program."""
        parts = (self.values, self.layouts, self.open)
        return self.players, self.seat_words, self.written, *(tuple(sorted(p.items())) for p in parts)


def settle(
    checked: Checked, players: int | Sequence[str] | None, options: dict[str, str | Sequence[str]], draw: Draw
) -> Setting | tuple[Problem, ...]:
    """The setting of one game. `draw` gives numbers from the seed; each of its names is asked for once."""
    try:
        return Settler(checked, options, draw).settle(players)
    except SettingError as error:
        return (error.problem,)


def luck_of(seed: int | str) -> Draw:
    """What options are drawn from: for each name a source of chance of its own."""
    return lambda name, below: (number(start_of(seed, f"option {name}"), 1) >> 32) * below >> 32


class Settler(Fixed):
    """Works one setting out; see `settle`."""

    def __init__(self, checked: Checked, options: dict[str, str | Sequence[str]], draw: Draw) -> None:
        self.checked = checked
        self.game: Game = checked.game
        self.draw = draw
        self.given = {name: texts_of(value) for name, value in options.items()}
        self.values: dict[str, Value] = {}
        self.layouts: dict[str, str] = {}
        self.open: dict[str, int] = {}
        self.drawn: dict[str, str] = {}
        self.players: tuple[str, ...] = ()
        self.shaping = shaping_names(self.game)
        self.pending: list[str] = []
        self.bundled_by: dict[
            str, tuple[str, Span]
        ] = {}  # option → the bundle that says what it is, and where
        self.named: dict[str, tuple[int, str]] = {}  # option → how many words to name, and the bundle
        self.subject = ""

    def settle(self, players: int | Sequence[str] | None) -> Setting:
        """Settle the players, then every option. Raises SettingError for what cannot be."""
        for name in self.given:
            if name not in self.game.options:
                near = closest(name, self.game.options)
                listed = ", ".join(self.game.options) or "none"
                cure = f"Did you mean `{near}`?" if near else f"Options: {listed}."
                raise refuse("E501", f"There is no option `{name}`.", cure)
        words = self.settle_players(players)
        for name, value in self.game.variant_options:
            self.given.setdefault(name, texts_of([x.text for x in scalars(value)]))
        for option in self.game.options.values():
            if option.form == "bundles":
                self.value(option.name)
        for option in self.game.options.values():
            self.value(option.name)
        return Setting(self.players, words, self.values, self.layouts, self.open, self.in_words(), self.drawn)

    def settle_players(self, players: int | Sequence[str] | None) -> tuple[int, ...]:
        """Names of the players, and their words where seats are named by a type."""
        game = self.game
        count = game.players_low if players is None else players if isinstance(players, int) else len(players)
        if not game.players_low <= count <= game.players_high:
            fixed = game.players_low == game.players_high
            wanted = str(game.players_low) if fixed else f"{game.players_low} to {game.players_high}"
            text = f"{count} players cannot play this game."
            raise refuse("E502", text, f"It is for {wanted} players.", game.players_span)
        names = tuple(players) if players is not None and not isinstance(players, int) else ()
        if len(set(names)) != len(names):
            raise refuse("E502", "Two players have the same name.", "Give each player a name of its own.")
        if game.seat_type and game.seat_type in game.enums:
            all_words = game.enums[game.seat_type].words
            chosen = names or all_words[:count]
            for name in chosen:
                if name not in all_words:
                    text = f"`{name}` is no {game.seat_type}."
                    raise refuse("E502", text, f"Players are: {', '.join(all_words)}.")
            self.players = tuple(chosen)
            return tuple(all_words.index(x) for x in chosen)
        if game.seats:
            if names and set(names) != set(game.seats):
                text = f"The players of this game are {', '.join(game.seats)}."
                raise refuse("E502", text, "Use these names.")
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
            text = f"The option `{name}` depends on itself."
            raise refuse("E503", text, "Give one of the options a fixed default.", option.span)
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
        """What a bundle says of an option, which counts where nothing was given for it. Of two bundles
        that speak of the same option the first one counts."""
        texts = texts_of([x.text for x in scalars(tree)])
        match = NAMED.fullmatch(texts[0]) if len(texts) == 1 else None
        if match and option not in self.bundled_by:
            self.named.setdefault(option, (int(match[1]), bundle))
        elif not match and option not in self.given and option not in self.named:
            self.given[option] = texts
            self.bundled_by[option] = bundle, tree.span

    def settle_option(self, option: Option) -> Value | None:
        """One option from what was given, else from its default."""
        if option.form == "some of":
            return self.settle_some(option, self.given.get(option.name))
        text = self.one(option)
        match option.form:
            case "number":
                return self.settle_number(option, text)
            case "players":
                return self.settle_player(option, text or _text(option.default) or AT_RANDOM)
            case "yesno":
                return int(self.among(option, text or _text(option.default) or "no", ("no", "yes")))
            case "layouts":
                names = tuple(self.game.layouts)
                chosen = self.among(option, text or _text(option.default) or names[0], names)
                self.layouts[option.name] = names[chosen]
                return 0
        return self.among(option, text or _text(option.default) or option.choices[0], option.choices)

    def one(self, option: Option) -> str:
        """The one value that was given for an option, or "" if none was. Refused: a list of values."""
        given = self.given.get(option.name)
        if given is None:
            return ""
        if len(given) != 1 or not given[0]:
            text = f"The option `{option.name}` takes one value; {len([x for x in given if x])} given."
            raise refuse("E504", text, "Give one, or leave the option out.", self.place(option))
        return given[0]

    def among(self, option: Option, text: str, words: Sequence[str]) -> int:
        """Where a value stands among those that an option can have."""
        if text not in words:
            raise self.unfit(option, text, f"one of: {', '.join(words)}", words)
        return words.index(text)

    def unfit(self, option: Option, text: str, wanted: str, known: Collection[str] = ()) -> SettingError:
        """A value that the option cannot have; one of the `known` may have been meant."""
        near = closest(text, known) if known else None
        cure = f"Did you mean `{near}`? " if near else ""
        said = f"The option `{option.name}` cannot be `{text}`{self.by_whom(option)}."
        return refuse("E504", said, f"{cure}It is {wanted}.", self.place(option))

    def by_whom(self, option: Option) -> str:
        """The bundle that gave a value which cannot be, as words in brackets."""
        return f" (as `{self.bundled_by[option.name][0]}` says)" if option.name in self.bundled_by else ""

    def place(self, option: Option) -> Span:
        """Where the value of an option is written: in a bundle, or as its default; else the option itself."""
        if option.name in self.bundled_by:
            return self.bundled_by[option.name][1]
        written = option.default is not None and option.name not in self.given
        return option.default.span if written and option.default is not None else option.span

    def settle_number(self, option: Option, text: str) -> int:
        """A number within its range, which may depend on other options and on the players."""
        low = self.number(option.low, 0)
        high = self.number(option.high, 999)
        if text and not FIGURES.fullmatch(text):
            raise self.unfit(option, text, f"a number from {low} to {high}")
        found = int(text) if text else self.number(option.default_expr, low)
        if not low <= found <= high:
            said = f"The option `{option.name}` cannot be {found} with {len(self.players)} players"
            cure = f"It goes from {low} to {high}."
            raise refuse("E504", f"{said}{self.by_whom(option)}.", cure, self.place(option))
        return found

    def settle_player(self, option: Option, text: str) -> int | None:
        """A player by name, the first one, or one at random."""
        if text in self.players:
            return self.players.index(text)
        if text == "first":
            return 0
        if text != AT_RANDOM:
            known = (*self.players, AT_RANDOM)
            raise self.unfit(option, text, f"one of: {', '.join(known)}", known)
        if option.name in self.shaping:
            self.drawn[option.name] = AT_RANDOM
            return self.draw(option.name, len(self.players))
        self.open[option.name] = 1
        return None

    # ----------------------------------------------------------- several words

    def settle_some(self, option: Option, given: tuple[str, ...] | None) -> tuple[int, ...] | None:
        """A set of words: those that were given, so many at random, or the default."""
        words = self.words_of(option)
        if given is None and option.name not in self.named:
            if option.how_many is not None:
                return self.draw_some(option, words, self.number(option.how_many, 0))
            listed = [x.text.strip() for x in scalars(option.default)]
            return tuple(sorted(words.index(t) for t in listed if t in words))
        drawn = DRAWN.fullmatch(given[0]) if given is not None and len(given) == 1 else None
        lucky = given == (AT_RANDOM,) and (option.how_many is not None or option.name in self.named)
        if lucky and option.name not in self.named:
            return self.draw_some(option, words, self.number(option.how_many, 0))
        listed = [] if given is None or drawn or lucky else self.listed(option, given, words)
        if option.name in self.named:
            self.check_named(option, None if given is None else len(listed), words)
        elif option.how_many is not None:
            wanted, there = self.number(option.how_many, 0), int(drawn[1]) if drawn else len(listed)
            if there != wanted:
                said = (
                    f"The option `{option.name}` needs {wanted} words; {there} given{self.by_whom(option)}."
                )
                raise refuse("E504", said, f"Name {wanted} of: {', '.join(words)}.", self.place(option))
        if drawn:
            return self.draw_some(option, words, int(drawn[1]))
        return tuple(sorted(words.index(t) for t in listed))

    def listed(self, option: Option, given: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
        """The words that were given, each of which there is, and none twice."""
        if given in ((), ("",)) or (given == ("none",) and "none" not in words):
            return []
        found = list(given)
        if len(given) == 1 and given[0] not in words:  # as a record writes it
            parts = re.split(r"[\s,]+", given[0])
            found = parts if any(part in words for part in parts) else found
        for text in found:
            if text == AT_RANDOM:
                raise self.unfit(option, text, "drawn as in `2 at random`")
            if text not in words:
                raise self.unfit(option, text, f"some of: {', '.join(words)}", words)
        twice = next((text for i, text in enumerate(found) if text in found[:i]), None)
        if twice is not None:
            said = f"`{twice}` stands twice in the option `{option.name}`."
            raise refuse("E504", said, "Name each word once.", self.place(option))
        return found

    def check_named(self, option: Option, there: int | None, words: tuple[str, ...]) -> None:
        """Where a bundle wants words to be named, exactly so many were."""
        wanted, bundle = self.named[option.name]
        if there != wanted:
            told = "" if there is None else f"; {there} named"
            said = f"With `{bundle}` {wanted} of `{option.name}` have to be named{told}."
            example = ",".join(words[:wanted])
            cure = f"Name {wanted} different ones of: {', '.join(words)}; as in `{option.name}={example}`."
            raise refuse("E504", said, cure, self.place(option))

    def draw_some(self, option: Option, words: tuple[str, ...], count: int) -> tuple[int, ...] | None:
        """So many different words by luck: from the seed now, or in play."""
        if not 0 <= count <= len(words):
            said = f"{count} words cannot be drawn for `{option.name}`{self.by_whom(option)}."
            raise refuse("E504", said, f"There are {len(words)}.", self.place(option))
        if option.name not in self.shaping:
            self.open[option.name] = count
            return None
        if count:
            self.drawn[option.name] = f"{count} at random"
        left = list(range(len(words)))
        names = (option.name, *(f"{option.name} {i}" for i in range(2, count + 1)))  # one source for each
        return tuple(sorted(left.pop(self.draw(name, len(left))) for name in names[:count]))

    def words_of(self, option: Option) -> tuple[str, ...]:
        """The words an option takes some of."""
        return words_of(self.game, option)

    # ------------------------------------------------------------------- words

    def in_words(self) -> tuple[tuple[str, str], ...]:
        """Every option and its value in words, in declared order. Given again they make the same setting."""
        return tuple((option.name, self.word_for(option)) for option in self.game.options.values())

    def word_for(self, option: Option) -> str:
        """The value of an option in words."""
        value = self.values.get(option.name)
        match option.form:
            case "some of" if option.name in self.open:
                return AT_RANDOM if option.how_many is not None else f"{self.open[option.name]} at random"
            case _ if option.name in self.open:
                return AT_RANDOM
            case "layouts":
                return self.layouts[option.name]
            case "words" | "bundles" if isinstance(value, int):
                return option.choices[value]
            case "yesno":
                return "yes" if value else "no"
            case "players" if isinstance(value, int):
                return self.players[value]
        if isinstance(value, tuple):
            return " ".join(self.words_of(option)[i] for i in value)
        return str(value)


def _text(tree: Tree | None) -> str:
    return tree.text.strip() if isinstance(tree, Scalar) else ""


def texts_of(value: object) -> tuple[str, ...]:
    """A value as it was given, as texts: one, or those of a list; `4 at random` and the like are one, also
    when they come word by word."""
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    texts = tuple(str(x).strip() for x in value) if isinstance(value, list | tuple) else (str(value).strip(),)
    whole = " ".join(texts)
    return (whole,) if whole == AT_RANDOM or DRAWN.fullmatch(whole) or NAMED.fullmatch(whole) else texts
