"""Break a long line of logic, or a long sentence, where a reader would take a breath.

Comes in: a text with single blanks, and how much room there is. Goes out: lines that say the same
when they are joined with blanks. What never happens: a break inside words that belong together;
where no break is allowed a line stays too long. To extend: a word before which a line may be broken
gets a figure in `_BEFORE`.

All ways to break are weighed against each other: few lines are good, a break before `and` or `or`
costs nothing, one before `of` much, and every open bracket makes it dearer. Of equally good ways
the evenest wins.
"""

from __future__ import annotations

import re
import textwrap
from itertools import pairwise

from rulewright.dsl.words import JOINING

WIDTH = 100
_LINE = 10.0  # what a line more costs
_BRACKET = 25.0  # what a break costs more for every bracket it stands in
_TOO_LONG = 1000.0  # for every character that does not fit

_BEFORE = {
    "or": 0,
    "and": 1,
    "+": 4,
    "-": 4,
    "where": 2,
    "then": 1,
    "else": 1,
    "until": 3,
    "while": 3,
    "with": 3,
    "stopping": 3,
    "ending": 3,
    "for": 5,
    "has": 5,
    "is": 5,
    "to": 5,
    "from": 6,
    "<": 6,
    "<=": 6,
    ">": 6,
    ">=": 6,
    "linked": 7,
    "going": 7,
    "by": 8,
    "like": 8,
    "*": 8,
    "/": 9,
    "mod": 9,
    "rounded": 14,
    "in": 14,
    "on": 14,
    "of": 40,
}
_COMPARISONS = {"is", "<", "<=", ">", ">="}
_FRESH = {"and", "or", "has", "where", "then", "else"}  # behind these another sum begins
_PAIRS = {
    ("is", "in"),
    ("not", "in"),
    ("yes", "or"),
    ("or", "none"),
    ("rounded", "up"),
    ("up", "to"),
    ("linked", "to"),
    ("number", "from"),
    ("number", "of"),
    ("count", "of"),
    ("sum", "of"),
    ("set", "of"),
}
_NOT_IN_EFFECTS = {"else", "while"}  # there these words also begin instructions of their own


def wrap_logic(text: str, first: int, rest: int, effect: bool = False) -> list[str]:
    """The lines of a condition, or of an instruction; `first` columns for the first, `rest` for the others.

    With `effect` every line but the first begins with a joining word or sign, so that it is read as
    part of the line above (dsl/layout.py). A text that fits into the first line is not broken.
    """
    if len(text) <= first:
        return [text]
    words = text.split(" ")
    costs = _costs(words, effect)
    # from each word on: what the best way costs, and where its first line ends
    best: list[tuple[float, int]] = [(0.0, 0)] * (len(words) + 1)
    for start in range(len(words) - 1, -1, -1):
        room = first if start == 0 else rest
        width, choice = -1, (float("inf"), len(words))
        for end in range(start + 1, len(words) + 1):
            width += 1 + len(words[end - 1])
            before = costs[end] if end < len(words) else 0.0
            if before is None:
                continue
            cost = before + _LINE + (width / room) ** 2 + max(0, width - room) * _TOO_LONG + best[end][0]
            choice = min(choice, (cost, end))
            if width > room and choice[0] < float("inf"):
                break
        best[start] = choice
    lines, start = [], 0
    while start < len(words):
        end = best[start][1]
        lines.append(" ".join(words[start:end]))
        start = end
    return lines


def wrap_sentence(text: str, room: int) -> list[str]:
    """The lines of a sentence for people; blanks that stand together stay together."""
    return textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)


def with_comments(lines: list[str], behind: dict[int, str]) -> list[str]:
    """The lines with the comments that stand behind some of them.

    On lines that follow each other and are equally indented they stand in one column; where that would
    make a line too long, two blanks stand before each.
    """
    done = list(lines)
    numbers = sorted(behind)
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    while numbers:
        first = numbers[0]
        apart = (i for i, n in enumerate(numbers) if n != first + i or indents[n] != indents[first])
        size = next(apart, len(numbers))
        group, numbers = numbers[:size], numbers[size:]
        widest = max(len(lines[n]) for n in group)
        column = widest if all(widest + 2 + len(behind[n]) <= WIDTH for n in group) else 0
        for number in group:
            done[number] = f"{lines[number].ljust(column)}  {behind[number]}"
    return done


def _costs(words: list[str], effect: bool) -> list[float | None]:
    """What it costs to break before each word; None where it is not allowed."""
    costs: list[float | None] = [None]
    depth = 0
    folding = False
    adding: set[int] = set()  # how deep sums stand that a comparison may follow
    for before, word in pairwise(words):
        depth += len(re.findall(r"[(\[]", before)) - len(re.findall(r"[)\]]", before))
        folding = folding or before.strip("(") in ("sum", "largest", "smallest")
        cost: float | None = _BEFORE.get(word)
        if word in ("+", "-"):
            adding.add(depth)
        elif word in _COMPARISONS and depth in adding:
            cost = 3
        if word in _FRESH:
            adding.discard(depth)
        if not effect and before == "has" and word != "happened":
            cost = 1
        elif before.endswith(",") and word == "or":
            cost = 0
        elif (before, word) in _PAIRS or not _may_begin(word, effect, folding):
            cost = None
        costs.append(None if cost is None else cost + _BRACKET * depth)
    for at, word in enumerate(words[:-1]):
        if word == "has" and words[at + 1] == "happened":
            costs[at] = None
    return costs


def _may_begin(word: str, effect: bool, folding: bool) -> bool:
    if not effect:
        return True
    if word == "for":
        return folding
    return word not in _NOT_IN_EFFECTS and (word in JOINING or not word[0].isalnum())
