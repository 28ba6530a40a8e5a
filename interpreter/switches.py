"""Switches: is a game still whole for every number of players, with each single option turned, and with
all of them?

Comes in: a checked game. Goes out: the problems that only show in some setting, each said once, with the
setting that shows it. What never happens: a game is played here; it is lowered and verified only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.model import Checked, Option
from rulewright.dsl.problems import Problem
from rulewright.dsl.source import Scalar
from rulewright.interpreter import ir
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.setting import NAMED, words_of

Options = dict[str, str | Sequence[str]]


def check_whole(name: str, variants: tuple[str, ...] = ()) -> Loaded:
    """Load and check a game, and if its rules are right, look at every setting too."""
    loaded = load_game(name, variants)
    if loaded.checked is None or not loaded.ok:
        return loaded
    return replace(loaded, problems=(*loaded.problems, *check_switches(loaded.checked)))


def check_switches(checked: Checked) -> tuple[Problem, ...]:
    """The problems of all settings: every number of players, every option turned, all options turned."""
    found: dict[tuple[str, str], Problem] = {}
    for players, options in settings(checked):
        made = prepare(checked, players, options)
        for problem in () if isinstance(made, ir.Program) else made:
            if problem.code == "E504" and options:
                continue  # values that do not go together are refused when they are given
            said = ", ".join(f"{k}={v if isinstance(v, str) else ' '.join(v)}" for k, v in options.items())
            where = f"with {players} players" + (f" and {said}" if said else "")
            text = f"{problem.text} (This shows {where}.)"
            found.setdefault(
                (problem.code, problem.text),
                Problem(problem.code, problem.span, text, problem.cure, problem.severity),
            )
    return tuple(found.values())


def settings(checked: Checked) -> Iterator[tuple[int, Options]]:
    """Every number of players; then, with the fewest, each other value of each option; then all of them
    turned.
    """
    game = checked.game
    for players in range(game.players_low, game.players_high + 1):
        yield players, {}
    turned: Options = {}
    for option in game.options.values():
        values = list(other_values(option)) if option.form != "some of" else list(some_words(checked, option))
        for value in values:
            yield game.players_low, {option.name: value, **named(checked, option, value)}
        if values:
            turned[option.name] = values[-1]
            turned.update(named(checked, option, values[-1]))
    if len(turned) > 1:
        yield game.players_low, turned


def named(checked: Checked, option: Option, bundle: str | Sequence[str]) -> Options:
    """For each option of which a bundle wants N words to be named, the first N of its words."""
    found: Options = {}
    for name, tree in dict(option.bundles).get(bundle, ()) if isinstance(bundle, str) else ():
        match = NAMED.fullmatch(tree.text.strip()) if isinstance(tree, Scalar) else None
        if match and name in checked.game.options:
            found[name] = words_of(checked.game, checked.game.options[name])[: int(match[1])]
    return found


def some_words(checked: Checked, option: Option) -> Iterator[Sequence[str]]:
    """Of an option that takes some of the kinds of pieces: each kind alone, and all. Words of other
    types change no components, so one setting stands for all.
    """
    if option.of_type not in checked.game.enums:
        words = words_of(checked.game, option)
        yield from ((word,) for word in words)
        yield words


def other_values(option: Option) -> Iterator[str]:
    """The values of an option beside its default, as far as they can be listed."""
    text = getattr(option.default, "text", "").strip()
    match option.form:
        case "yesno":
            yield "no" if text == "yes" else "yes"
        case "words" | "bundles":
            yield from (c for c in option.choices if c != text)
        case "number":
            low, high = (getattr(x, "value", None) for x in (option.low, option.high))
            yield from (str(x) for x in (low, high) if x is not None and str(x) != text)
