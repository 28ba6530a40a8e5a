"""Writes nodes as text again: the one spelling, with no bracket more than is needed.

Comes in: a node, or the effects of a block. Goes out: text that parses to an equal tree
(`dsl/same.py`), an expression on one line, a block as lines with four blanks for each level and
at most `WIDTH` columns where joining words allow it. What never happens: a comment is kept (the
formatter sees to those), or a plural changed.
To add a form: a case in dsl/unparse_values.py or, for an effect, in `_lines` or `_instruction`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl import nodes as n
from rulewright.dsl.unparse_values import (
    OR,
    arguments_of,
    closed_of,
    last_of,
    owner_of,
    selection_of,
    text_of,
)
from rulewright.dsl.words import JOINING

WIDTH = 100
INDENT = "    "

_JOIN_BEFORE = JOINING | {"+", "-", "*", "/", "<", "<=", ">", ">="}
"""Words before which a line may be broken, as dsl/layout.py joins lines again."""


def unparse(node: n.Node | tuple[n.Effect, ...]) -> str:
    """The text of a node; of a block, its lines with line ends between them."""
    if isinstance(node, tuple):
        return "\n".join(unparse_block(node))
    if isinstance(node, n.Effect):
        return "\n".join(unparse_block((node,)))
    return text_of(node)


def unparse_block(block: Iterable[n.Effect], level: int = 0) -> list[str]:
    """The lines of a block, indented for `level`."""
    lines: list[str] = []
    for effect in block:
        lines.extend(_lines(effect, level))
    return lines


# -------------------------------------------------------------------- effects


def _lines(effect: n.Effect, level: int) -> list[str]:
    match effect:
        case n.If(branches=branches, otherwise=otherwise):
            lines: list[str] = []
            for i, (condition, body) in enumerate(branches):
                lines += _block(f"{'else ' if i else ''}if {text_of(condition)}", body, level)
            return lines + (_block("else", otherwise, level) if otherwise is not None else [])
        case n.ForEach(selection=selection, body=body, at_once=at_once):
            word = "at once for each" if at_once else "for each"
            return _block(f"{word} {selection_of(selection)}", body, level)
        case n.Repeat(times=times, condition=condition, body=body):
            on = f" while {text_of(condition)}" if condition is not None else ""
            return _block(f"repeat up to {text_of(times)} times{on}", body, level)
        case n.Chooses(body=body, otherwise=otherwise):
            lines = _block(_choice(effect), body, level)
            return lines + (_block("else", otherwise, level) if otherwise is not None else [])
        case n.EachChooses(selection=selection, chosen=chosen, body=body):
            return _block(f"each {selection_of(selection)} chooses {text_of(chosen)}, together", body, level)
        case _:
            return _wrapped(_instruction(effect), level)


def _choice(effect: n.Chooses) -> str:
    head = f"{closed_of(effect.chooser)} {'may choose' if effect.may else 'chooses'} {text_of(effect.chosen)}"
    if effect.may or effect.or_none is False:
        return head
    return head + ", or none" + ("" if effect.or_none is True else f" if {text_of(effect.or_none)}")


def _instruction(effect: n.Effect) -> str:
    match effect:
        case n.Let(name=name, value=value):
            return f"let {name} be {text_of(value)}"
        case n.SetTo(target=target, value=value):
            return f"set {text_of(target)} to {text_of(value)}"
        case n.AddTo(amount=amount, target=target):
            return f"add {last_of(amount, OR)} to {text_of(target)}"
        case n.TakeFrom(amount=amount, target=target):
            return f"take {last_of(amount, OR)} from {text_of(target)}"
        case n.Move(things=things, place=place):
            return f"move {last_of(things, OR)} to {closed_of(place)}"
        case n.Deal(things=things, source=source, place=place):
            return f"deal {last_of(things, OR)} from {closed_of(source)} to {closed_of(place)}"
        case n.Shuffle(zone=zone):
            return f"shuffle {closed_of(zone)}"
        case n.Reveal(things=things):
            return f"reveal {last_of(things, OR)}"
        case n.Show(things=things, to=to):
            return f"show {last_of(things, OR)} to {closed_of(to)}"
        case n.Place(amount=amount, kind=kind, owner=owner, place=place):
            many = f"{text_of(amount)} " if amount else ""
            whose = f" of {owner_of(owner)}" if owner is not None else ""
            return f"place {many}{kind}{whose} on {closed_of(place)}"
        case n.Return(things=things):
            return f"return {last_of(things, OR)}"
        case n.Remove(things=things):
            return f"remove {last_of(things, OR)}"
        case n.Swap(first=first, second=second):
            return f"swap {closed_of(first)} with {closed_of(second)}"
        case n.TurnTo(things=things, face=face):
            return f"turn {last_of(things, OR)} to {text_of(face)}"
        case n.Roll(things=things, again=again):
            return f"{'reroll' if again else 'roll'} {last_of(things, OR)}"
        case n.Offer(window=window):
            return f"offer {window}"
        case n.End(what=what, name=name):
            return f"end {what}" + (f" as {name}" if name else "")
        case n.AnotherTurn(player=player):
            return f"give another turn to {closed_of(player)}"
        case n.Skip(player=player):
            return f"skip {closed_of(player)}"
        case n.Reverse():
            return "reverse"
        case n.Do(event=event, arguments=arguments):
            return event + arguments_of(arguments)
        case n.ChoosesValue(chooser=chooser, target=target, options=options, otherwise=otherwise):
            last = f", else {text_of(otherwise)}" if otherwise is not None else ""
            return f"{closed_of(chooser)} chooses {text_of(target)} from {closed_of(options)}{last}"
        case n.EachChoosesValue(selection=selection, target=target, options=options):
            what = f"{text_of(target)} from {closed_of(options)}"
            return f"each {selection_of(selection)} chooses {what}, together"
        case _:
            raise TypeError(f"{type(effect).__name__} has no spelling")


def _block(head: str, body: tuple[n.Effect, ...], level: int) -> list[str]:
    return [*_wrapped(f"{head}:", level), *unparse_block(body, level + 1)]


def _wrapped(text: str, level: int) -> list[str]:
    """The text on one line, or on several that each begin with a joining word."""
    room = WIDTH - len(INDENT) * level
    if len(text) <= room:
        return [INDENT * level + text]
    lines, words = [], text.split(" ")
    line, breakable = [words[0]], 0
    for word in words[1:]:
        if word in _JOIN_BEFORE and len(line) > 1 and not _splits_pair(line[-1], word):
            breakable = len(line)
        line.append(word)
        if len(" ".join(line)) > room and breakable:
            lines.append(" ".join(line[:breakable]))
            line = line[breakable:]
            room = WIDTH - len(INDENT) * (level + 2)
            breakable = next(
                (
                    i
                    for i in range(len(line) - 1, 0, -1)
                    if line[i] in _JOIN_BEFORE and not _splits_pair(line[i - 1], line[i])
                ),
                0,
            )
    lines.append(" ".join(line))
    return [INDENT * (level + (2 if i else 0)) + piece for i, piece in enumerate(lines)]


def _splits_pair(before: str, word: str) -> bool:
    """Would a line end rule out reading two words as one, or read as another thing?"""
    if word == "-":
        return False
    return word in ("else", "while") or (before, word) in {
        ("is", "in"),
        ("not", "in"),
        ("yes", "or"),
        ("or", "none"),
        ("rounded", "up"),
        ("up", "to"),
        ("linked", "to"),
    }
