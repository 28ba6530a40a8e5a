"""Menus: the options of one decision as numbered lists of a bearable length.

Comes in: the options of a decision. Goes out: lists of entries; an entry is one option, or several that
begin alike: first the action, then the piece, then the place. What never happens: an option that no path
of numbers leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.interpreter.decisions import Option

SHORT = 14  # options that are listed without being grouped


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a menu. `value` may be typed instead of its number; `options` is what it stands for."""

    value: str
    text: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What can be chosen now. `heading` says what has been chosen already, in words; `prefix` is how the
    ids of all these options begin."""

    heading: str
    entries: tuple[Entry, ...]
    prefix: str

    def entry(self, typed: str) -> Entry | None:
        """The entry with this number or value, or None."""
        if typed.isdecimal() and len(typed) < 9 and 0 < int(typed) <= len(self.entries):
            return self.entries[int(typed) - 1]
        found = [
            e
            for e in self.entries
            if typed in (e.value, e.value.partition("=")[2], e.value.rpartition("=")[2])
        ]
        return found[0] if len(found) == 1 else None


def menu_of(options: Sequence[Option], heading: str = "") -> Menu:
    """The menu of some options of one decision."""
    prefix = _common_beginning(options)
    if len(options) > SHORT:
        for level in range(1 + max(len(o.values) for o in options)):
            groups = _grouped(options, level)
            if 1 < len(groups) < len(options):
                return Menu(heading, tuple(_group_entry(key, level, g) for key, g in groups.items()), prefix)
    return Menu(heading, tuple(Entry(o.id, o.text, (o,)) for o in options), prefix)


def _common_beginning(options: Sequence[Option]) -> str:
    """The words that the ids of all options begin with, if that is an action or more."""
    if not options or not options[0].action:
        return ""
    ids = [o.id.split(" ") for o in options]
    same = 0
    while all(len(words) > same + 1 and words[same] == ids[0][same] for words in ids):
        same += 1
    return " ".join(ids[0][:same])


def next_menu(entry: Entry) -> Menu:
    """The menu inside an entry that stands for several options."""
    return menu_of(entry.options, entry.text.rpartition("  (")[0] or entry.text)


def _grouped(options: Sequence[Option], level: int) -> dict[str, list[Option]]:
    """Options by action (level 0), then by the first so many values."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        key = " ".join([option.action, *(f"{k}={v}" for k, v in option.values[:level])]).strip()
        groups.setdefault(key, []).append(option)
    return groups


def _group_entry(key: str, level: int, options: list[Option]) -> Entry:
    one = options[0]
    if len(options) == 1:
        return Entry(one.id, one.text, (one,))
    parts = text_parts(one)
    text = parts[0] if level == 0 else ", ".join(p for p in parts[: level + 1] if p)
    value = one.action if level == 0 else key
    return Entry(value, f"{text or key}  ({len(options)} ways)", tuple(options))


def text_parts(option: Option) -> list[str]:
    """The title of an option and each of its values in words."""
    title, rest = option.text, ""
    keys = [key.replace("_", " ") for key, _ in option.values]
    if option.values:
        mark = f": {keys[0]} "
        place = option.text.find(mark)
        title, rest = (option.text[:place], option.text[place + 2 :]) if place >= 0 else ("", option.text)
    parts = [title]
    for i, (key, (_, value)) in enumerate(zip(keys, option.values, strict=True)):
        following = keys[i + 1 : i + 2]
        end = rest.find(f", {following[0]} ") if following else len(rest)
        if end < 0 or not rest.startswith(f"{key} "):
            return [title, *(f"{k} {v}" for k, (_, v) in zip(keys, option.values, strict=True))]
        shown, rest = rest[:end], rest[end + 2 :]
        parts.append(shown if shown.endswith((value, value.replace("_", " "))) else f"{shown} [{value}]")
    return parts
