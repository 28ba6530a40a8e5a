"""Switches: is a game still whole for every number of players, with each single option turned, and with
all of them?

Comes in: a checked game. Goes out: the problems that only show in some setting, each said once, with the
setting that shows it. Each bundle is a switch, and so is each word that an option can take.
What never happens: a game is played here; it is lowered and verified only, and each setting once.
To turn a new form of option: a case in `other_values`.
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
from rulewright.interpreter.setting import NAMED, SettingError, Settler, luck_of, settle, words_of

Options = dict[str, str | Sequence[str]]
SEED = 0  # of what is drawn at random before a game


def check_whole(name: str, variants: tuple[str, ...] = ()) -> Loaded:
    """Load and check a game, and if its rules are right, look at every setting too."""
    loaded = load_game(name, variants)
    if loaded.checked is None or not loaded.ok:
        return loaded
    return replace(loaded, problems=(*loaded.problems, *check_switches(loaded.checked)))


def check_switches(checked: Checked) -> tuple[Problem, ...]:
    """The problems of all settings: every number of players, every option turned, all options turned."""
    found: dict[tuple[str, str], Problem] = {}
    seen: set[object] = set()
    for players, options in settings(checked):
        setting = settle(checked, players, options, luck_of(SEED))
        if not isinstance(setting, tuple):
            if setting.key in seen:
                continue
            seen.add(setting.key)
        made = setting if isinstance(setting, tuple) else prepare(checked, players, options, SEED)
        for problem in () if isinstance(made, ir.Program) else made:
            if problem.code == "E504" and options and not hopeless(checked, options):
                continue  # values that do not go together are refused when they are given
            said = ", ".join(f"{k}={v if isinstance(v, str) else ' '.join(v)}" for k, v in options.items())
            where = f"with {players} players" + (f" and {said}" if said else "")
            text = f"{problem.text} (This shows {where}.)"
            found.setdefault((problem.code, problem.text), replace(problem, text=text))
    return tuple(found.values())


def hopeless(checked: Checked, options: Options) -> bool:
    """Whether these are one bundle, with what it wants to be named, that no number of players can play."""
    game = checked.game
    name = next(iter(options))
    option = game.options[name]
    if option.form != "bundles" or options.keys() - {name} != named(checked, option, options[name]).keys():
        return False
    counts = range(game.players_low, game.players_high + 1)
    return all(isinstance(settle(checked, players, options, luck_of(SEED)), tuple) for players in counts)


def settings(checked: Checked) -> Iterator[tuple[int, Options]]:
    """Every number of players; then, with the fewest, each other value of each option; then all of them
    turned.
    """
    game = checked.game
    for players in range(game.players_low, game.players_high + 1):
        yield players, {}
    turned: Options = {}
    for option in game.options.values():
        values = list(other_values(checked, option))
        for value in values:
            yield game.players_low, {option.name: value, **named(checked, option, value)}
        if values:
            turned[option.name] = values[-1]
    for name, value in list(turned.items()):
        turned |= named(checked, game.options[name], value)
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


def other_values(checked: Checked, option: Option) -> Iterator[str | Sequence[str]]:
    """The values of an option beside its default, as far as they can be listed: of a number both ends of
    its range, of a list each word alone and all of them."""
    text = getattr(option.default, "text", "").strip()
    match option.form:
        case "yesno":
            yield "no" if text == "yes" else "yes"
        case "words" | "bundles":
            yield from (c for c in option.choices if c != (text or option.choices[0]))
        case "layouts":
            layouts = list(checked.game.layouts)
            yield from (name for name in layouts if name != (text or layouts[0]))
        case "players":
            yield "first" if text in ("", "at random") else "at random"
        case "number":
            yield from (str(end) for end in ends(checked, option) if str(end) != text)
        case "some of" if option.how_many is None:
            words = words_of(checked.game, option)
            yield from ((word,) for word in words)
            if len(words) > 1:
                yield words


def ends(checked: Checked, option: Option) -> Iterator[int]:
    """The least and the largest value of a number with the fewest players, where something says them."""
    settler = Settler(checked, {}, luck_of(SEED))
    try:
        settler.settle_players(None)
        for node in (option.low, option.high):
            if node is not None:
                yield settler.number(node, 0)
    except SettingError:
        return  # it rests on what is not settled yet; the setting without options says so
