"""Check the values that options are given in the rules: lists as defaults, and what bundles set.

Comes in: the checker at work. Goes out: problems E304 and E401 at the wrong value. What can only be told
once players and other options are known is refused when a game is prepared (`interpreter/setting.py`).
To add a form of option: a case in `_value`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Option
from rulewright.dsl.slots import scalars
from rulewright.dsl.source import Scalar, Tree
from rulewright.dsl.spelling import closest

if TYPE_CHECKING:
    from rulewright.dsl.check_game import GameCheck

HOW_MANY = re.compile(r"([0-9]{1,3}) (?:at random|named)")


def check_options(check: GameCheck) -> None:
    """Report what an option can never be."""
    options = check.world.game.options
    for option in options.values():
        if option.form == "some of" and option.how_many is None and option.default is not None:
            _words(check, option, scalars(option.default), option.default)
        for _, values in option.bundles:
            for name, value in values:
                if name in options:
                    _value(check, options[name], value)
                else:
                    near = closest(name, options)
                    check.error(
                        "E401",
                        value.span,
                        f"There is no option `{name}` that a bundle could set.",
                        f"Did you mean `{near}`?" if near else f"Options: {', '.join(options)}.",
                    )


def _value(check: GameCheck, option: Option, value: Tree) -> None:
    texts = scalars(value)
    if option.form == "some of":
        _words(check, option, texts, value)
        return
    if len(texts) != 1:
        _refuse(check, option, value, "a list", "one value")
        return
    text = texts[0].text.strip()
    match option.form:
        case "yesno" if text not in ("yes", "no"):
            _refuse(check, option, value, f"`{text}`", "yes or no")
        case "words" | "bundles" if text not in option.choices:
            _refuse(check, option, value, f"`{text}`", ", ".join(option.choices))
        case "layouts" if text not in check.world.game.layouts:
            _refuse(check, option, value, f"`{text}`", ", ".join(check.world.game.layouts))
        case "number":
            low, high = (x.value if isinstance(x, n.Number) else None for x in (option.low, option.high))
            fits = text.removeprefix("-").isdecimal() and len(text) < 9
            if not fits or (low is not None and int(text) < low) or (high is not None and int(text) > high):
                _refuse(check, option, value, f"`{text}`", _range(low, high))


def _range(low: int | None, high: int | None) -> str:
    least = f" from {low}" if low is not None else ""
    most = f" up to {high}" if high is not None else ""
    return f"a number{least}{most}"


def _words(check: GameCheck, option: Option, texts: Sequence[Scalar], value: Tree) -> None:
    words = words_of(check, option)
    if words is None:
        return
    match = HOW_MANY.fullmatch(texts[0].text.strip()) if len(texts) == 1 else None
    if match or (len(texts) == 1 and texts[0].text.strip() == "at random"):
        if match and int(match[1]) > len(words):
            _refuse(check, option, value, f"{match[1]} of them", f"at most {len(words)}: {', '.join(words)}")
        return
    seen: set[str] = set()
    for word in texts:
        if word.text not in words:
            near = closest(word.text, words)
            wanted = f"Did you mean `{near}`?" if near else f"It takes some of {', '.join(words)}."
            check.error("E304", word.span, f"`{option.name}` cannot hold `{word.text}`.", wanted)
        elif word.text in seen:
            check.error("E310", word.span, f"`{word.text}` stands twice here.", "Take one of them out.")
        seen.add(word.text)


def words_of(check: GameCheck, option: Option) -> list[str] | None:
    """The words that an option takes some of; None if its type is not known."""
    if option.of_type in check.world.game.enums:
        return list(check.world.game.enums[option.of_type].words)
    base = option.of_type.removesuffix("_kind")
    return check.world.leaves(base) if base in check.world.parents else None


def _refuse(check: GameCheck, option: Option, value: Tree, what: str, wanted: str) -> None:
    check.error("E304", value.span, f"The option `{option.name}` cannot be {what}.", f"It is {wanted}.")
