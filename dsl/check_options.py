"""Check the values that options are given in the rules: as defaults, by bundles and by variants.

Comes in: the checker at work. Goes out: problems E304, E310, E401 at the wrong value. What can only be told
once players and other options are known is refused when a game is prepared (`interpreter/setting.py`).
To add a form of option: a case in `_value`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game, Option
from rulewright.dsl.slots import scalars
from rulewright.dsl.source import Scalar, Tree
from rulewright.dsl.spelling import closest

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

DRAWN = re.compile(r"([0-9]{1,3}) at random")
NAMED = re.compile(r"([0-9]{1,3}) named")
FIGURES = re.compile(r"-?[0-9]{1,8}")
PLAYER_WORDS = ("first", "at random")


def check_options(check: GameCheck) -> None:
    """Report what an option can never be."""
    options = check.world.game.options
    for option in options.values():
        _default(check, option)
        for _, values in option.bundles:
            for name, value in values:
                if name in options:
                    _bundled(check, options[name], value)
                else:
                    near = closest(name, options)
                    check.error(
                        "E401",
                        value.span,
                        f"There is no option `{name}` that a bundle could set.",
                        f"Did you mean `{near}`?" if near else f"Options: {', '.join(options)}.",
                    )
    for name, value in check.world.game.variant_options:
        if name in options:
            _value(check, options[name], value)


def words_of(game: Game, option: Option) -> tuple[str, ...]:
    """The words that an option takes some of: those of a type, or the kinds of pieces below a kind."""
    if option.of_kind:
        of_it = (k for k in game.kinds.values() if option.of_kind in kinds_above(game, k.name))
        return tuple(k.name for k in of_it if k.made)
    return game.enums[option.of_type].words if option.of_type in game.enums else ()


def kinds_above(game: Game, kind: str) -> set[str]:
    """All kinds that a kind is, itself included."""
    found: set[str] = set()
    todo = [kind]
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += game.kinds[one].parents if one in game.kinds else ()
    return found


def _default(check: GameCheck, option: Option) -> None:
    """What an option is by itself; where that is worked out, only figures can be looked at here."""
    worked_out = option.how_many if option.form == "some of" else option.default_expr
    if option.default is None or (worked_out is not None and not isinstance(worked_out, n.Number)):
        return
    _value(check, option, option.default)


def _bundled(check: GameCheck, option: Option, value: Tree) -> None:
    """What a bundle says. Bundles do not choose other bundles: it would matter which is read first."""
    if option.form == "bundles":
        check.error(
            "E304",
            value.span,
            f"A bundle cannot set `{option.name}`, which has bundles itself.",
            "Name the options that it should set instead.",
        )
        return
    match = _match(NAMED, scalars(value)) if option.form == "some of" else None
    if match is None:
        _value(check, option, value)
        return
    words = words_of(check.world.game, option)
    if not words:
        return  # its type is not known, and that has been reported
    if not 1 <= int(match[1]) <= len(words):
        _refuse(check, option, value, match[0], f"named from 1 to {len(words)} of {', '.join(words)}")
    else:
        _as_many(check, option, int(match[1]), value)


def _value(check: GameCheck, option: Option, value: Tree) -> None:
    texts = scalars(value)
    if option.form == "some of":
        _words(check, option, texts, value)
        return
    if len(texts) != 1:
        _refuse(check, option, value, "a list", "one value")
        return
    text, game = texts[0].text.strip(), check.world.game
    match option.form:
        case "yesno":
            _one_of(check, option, value, text, ("yes", "no"))
        case "words" | "bundles":
            _one_of(check, option, value, text, option.choices)
        case "layouts":
            _one_of(check, option, value, text, tuple(game.layouts))
        case "players" if seats := game.seats or _seat_words(game):
            _one_of(check, option, value, text, (*seats, *PLAYER_WORDS))
        case "number":
            low, high = (x.value if isinstance(x, n.Number) else None for x in (option.low, option.high))
            fits = FIGURES.fullmatch(text) is not None
            if not fits or (low is not None and int(text) < low) or (high is not None and int(text) > high):
                _refuse(check, option, value, f"`{text}`", _range(low, high))


def _seat_words(game: Game) -> tuple[str, ...]:
    return game.enums[game.seat_type].words if game.seat_type in game.enums else ()


def _range(low: int | None, high: int | None) -> str:
    least = f" from {low}" if low is not None else ""
    most = f" {'to' if least else 'up to'} {high}" if high is not None else ""
    return f"a number{least}{most}"


def _one_of(check: GameCheck, option: Option, value: Tree, text: str, words: Collection[str]) -> None:
    if text not in words:
        _refuse(check, option, value, f"`{text}`", ", ".join(words), closest(text, words) or "")


def _match(form: re.Pattern[str], texts: Sequence[Scalar]) -> re.Match[str] | None:
    return form.fullmatch(texts[0].text.strip()) if len(texts) == 1 else None


def _words(check: GameCheck, option: Option, texts: Sequence[Scalar], value: Tree) -> None:
    words = words_of(check.world.game, option)
    if not words:
        return  # its type is not known, and that has been reported
    if match := _match(DRAWN, texts):
        if int(match[1]) > len(words):
            _refuse(check, option, value, match[0], f"at most {len(words)} of {', '.join(words)}")
        else:
            _as_many(check, option, int(match[1]), value)
        return
    if len(texts) == 1 and texts[0].text.strip() == "at random":
        if option.how_many is None:
            _refuse(check, option, value, "drawn without a number", "drawn as in `2 at random`")
        return
    if len(texts) == 1 and (text := texts[0].text.strip()) == "none" and isinstance(value, Scalar):
        _refuse(check, option, value, f"`{text}`", "written `[]` when it is empty")
        return
    wrong = False
    seen: set[str] = set()
    for word in texts:
        if word.text not in words:
            near = closest(word.text, words)
            wanted = f"Did you mean `{near}`?" if near else f"It takes some of {', '.join(words)}."
            check.error("E304", word.span, f"`{option.name}` cannot hold `{word.text}`.", wanted)
            wrong = True
        elif word.text in seen:
            check.error("E310", word.span, f"`{word.text}` stands twice here.", "Take one of them out.")
            wrong = True
        seen.add(word.text)
    if not wrong:
        _as_many(check, option, len(texts), value)


def _as_many(check: GameCheck, option: Option, count: int, value: Tree) -> None:
    """An option whose default says how many always has so many."""
    if isinstance(option.how_many, n.Number) and option.how_many.value != count:
        has = f"always {option.how_many.value} words: its default says so"
        _refuse(check, option, value, f"{count} words", has)


def _refuse(check: GameCheck, option: Option, value: Tree, what: str, wanted: str, near: str = "") -> None:
    cure = f"Did you mean `{near}`?" if near else f"It is {wanted}."
    check.error("E304", value.span, f"The option `{option.name}` cannot be {what}.", cure)
