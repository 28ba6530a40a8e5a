"""Slips in conditions and selections that designers are known to make.

Comes in: a Case. Goes out: a finding that names the slip and shows the line as it should be, or
None if it is not this slip. What never happens: a guess without a look at whether it parses, where
a whole corrected line is shown.
To add a slip: a function here and its name in `SLIPS`, in the order in which they are asked.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl.case import Case
from rulewright.dsl.slips_selections import (
    COUNTED,
    ORDERS,
    amount_in_brackets,
    bare_selection,
    clause_in_brackets,
    comma_before_or_none,
    every_has,
    has_happened,
    how_many,
    missing_comparison,
    missing_in,
    missing_of,
    number_alone,
    order_of_parts,
    quantifier_in_choice,
    reserved_name,
    unfinished,
    union,
    with_best,
)
from rulewright.dsl.tokens import Edit, Finding
from rulewright.dsl.words import CONTEXTUAL, RESERVED, VERBS

Hint = Callable[[Case], Finding | None]

_CLOSING = {"(": ")", "[": "]"}
_ENDS = frozenset({"and", "or", "then", "else", ",", ":", ")", "]", "for", "where", "has", "rounded"})
_BEFORE = frozenset(
    {"and", "or", "not", "if", "then", "else", ",", "(", "[", "where", "while", "until", "has", "at"}
)


def brackets(case: Case) -> Finding | None:
    """A bracket that is never closed, was never opened, or is closed by the wrong kind."""
    opened: list[int] = []
    for i, token in enumerate(case.tokens):
        if token.text in _CLOSING:
            opened.append(i)
        elif token.text in (")", "]"):
            if not opened:
                text = f"This `{token.text}` closes a bracket that was never opened."
                if token.text == ")" and (opening := _opening_for(case, i)) is not None:
                    return case.finding("E205", i, i + 1, text, case.cure(case.put(opening, "(")))
                cure = case.cure(
                    Edit(token.start, token.end, ""), otherwise="Leave it out, or open the bracket before."
                )
                return case.finding("E205", i, i + 1, text, cure)
            right = _CLOSING[case.word(opened.pop())]
            if right != token.text:
                text = f"This bracket is closed with `{right}`, not with `{token.text}`."
                return case.finding(
                    "E205",
                    i,
                    i + 1,
                    text,
                    case.cure(case.change(i, i + 1, right), otherwise=f"Write `{right}`."),
                    case.certain(i, i + 1, right),
                )
    if not opened:
        return None
    i = opened[-1]
    sign = _CLOSING[case.word(i)]
    end = len(case.tokens) - (case.word(len(case.tokens) - 1) == ":")
    text = f"This `{case.word(i)}` is never closed."
    return case.finding(
        "E205", i, i + 1, text, case.cure(case.put(end, sign), otherwise=f"Close it with `{sign}`.")
    )


def _opening_for(case: Case, closing: int) -> int | None:
    """Before which token the bracket that `closing` closes was probably meant to be opened.

    None if it is more likely one too many: where no two names stand side by side, and the text is
    right without it.
    """
    places = [i for i in range(closing - 1, 0, -1) if case.is_name(i) and case.is_name(i - 1)]
    if case.slot.fixed(case.change(closing, closing + 1, "")) is None:
        places += range(closing)
    return next((i for i in places if case.slot.fixed(case.put(i, "(")) is not None), None)


def capitals(case: Case) -> Finding | None:
    """Words of the language written with capital letters."""
    first = case.tokens[0].text
    wrong = [
        i
        for i, t in enumerate(case.tokens)
        if t.text != t.text.lower()
        and (t.text.lower() in RESERVED | CONTEXTUAL or (i == 0 and first.lower() in VERBS))
    ]
    if not wrong:
        return None
    edits = [case.change(i, i + 1, case.word(i).lower()) for i in wrong]
    if case.slot.fixed(*edits) is None and case.at not in wrong:
        return None
    i = wrong[0]
    small = case.word(i).lower()
    text = f"The words of the language are written in small letters: `{small}`, not `{case.word(i)}`."
    return case.finding(
        "E204",
        i,
        i + 1,
        text,
        case.cure(*edits, otherwise=f"Write `{small}`."),
        case.certain(i, i + 1, small),
    )


def numbers(case: Case) -> Finding | None:
    """A number that is too large, or a name that begins with a figure."""
    for i, token in enumerate(case.tokens):
        if not token.is_number:
            continue
        if len(token.text) > 9:
            text = "This number is too large; nine figures are the most."
            return case.finding("E226", i, i + 1, text, "Use a smaller number.")
        if i + 1 < len(case.tokens) and case.tokens[i + 1].start == token.end and case.tokens[i + 1].is_word:
            name = case.words(i, i + 2)
            text = f"A name cannot begin with a figure, and `{name}` is no number."
            cure = f"Put a blank between them, or choose a name such as `{case.word(i + 1)}{token.text}`."
            return case.finding("E226", i, i + 2, text, cure)
    return None


def chain(case: Case) -> Finding | None:
    """Two comparisons in a row."""
    if case.word(case.at) not in (*ORDERS, "is") or case.at == 0:
        return None
    first, start = _comparison_before(case)
    if first is None:
        return None
    opener = _counted(case, start, first)
    if opener is not None and case.word(opener - 1) != "(":
        edits = (case.put(opener, "("), case.put(case.at, ")"))
        text = "What is counted or summed ends nowhere here, so two comparisons stand in a row."
        if (fixed := case.slot.fixed(*edits)) is not None:
            return case.finding(
                "E233", case.at, case.at + 1, text, f"Put the counted part in brackets: `{fixed}`."
            )
    middle_start = first + 1 + (case.word(first + 1) in ("not", "in"))
    end = case.at
    while end < len(case.tokens) and case.word(end) not in _ENDS:
        end += 1
    low, high = case.words(start, first), case.words(case.at + 1, end)
    middle = case.words(middle_start, case.at)
    if not low or not high or not middle:
        return None
    if case.word(first) == "<=" and case.word(case.at) == "<=":
        better = f"{middle} is in [{low} to {high}]"
    elif case.word(first) == ">=" and case.word(case.at) == ">=":
        better = f"{middle} is in [{high} to {low}]"
    else:
        better = f"{low} {case.words(first, case.at)} and {middle} {case.words(case.at, end)}"
    text = "Two comparisons cannot be chained."
    cure = case.cure(case.change(start, end, better), otherwise="Join them with `and`.")
    return case.finding("E206", case.at, case.at + 1, text, cure)


def _comparison_before(case: Case) -> tuple[int | None, int]:
    """The comparison before the stuck one, and where what stands left of it begins."""
    depth, first, i = 0, None, case.at - 1
    while i >= 0:
        word = case.word(i)
        if word in (")", "]"):
            depth += 1
        elif word in ("(", "["):
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and first is None and word in (*ORDERS, "is"):
            first = i
        elif depth == 0 and word in _BEFORE and not (word == "where" and first is None):
            break
        i -= 1
    return first, i + 1


def _counted(case: Case, start: int, first: int) -> int | None:
    """Where a `count of …`, `sum of …` begins in whose `where` the first comparison stands."""
    for i in range(first, -1, -1):
        if case.word(i) in ("(", "["):
            return None
        if case.word(i) in COUNTED and case.word(i + 1) == "of":
            return i
        if case.word(i) in ("largest", "smallest") and case.word(i - 1) != "with":
            return i
    return None


def list_after_is(case: Case) -> Finding | None:
    """`is a, b`: several values after `is`."""
    at = case.at
    if case.word(at) != "," or case.slot.start in ("header", "times"):
        return None
    start = at - 1
    while start > 0 and (case.is_name(start) or case.tokens[start].is_number) and case.word(start) != "is":
        start -= 1
    negated = case.word(start) == "not" and case.word(start - 1) == "is"
    if case.word(start) != "is" and not negated:
        return None
    values, i = [case.words(start + 1, at)], at
    while case.word(i) in (",", "or") and (
        case.is_name(i + 1) or case.word(i + 1).isdigit() or case.word(i + 1) == "or"
    ):
        i += 1 + (case.word(i + 1) == "or")
        values.append(case.word(i))
        i += 1
    better = f"is {'not ' if negated else ''}in [{', '.join(values)}]"
    text = "`is` compares with one value; several stand in square brackets after `is in`."
    return case.finding(
        "E207",
        at,
        at + 1,
        text,
        case.cure(case.change(start - negated, i, better), otherwise=f"Write `{better}`."),
    )


def range_without_brackets(case: Case) -> Finding | None:
    """`is in 1 to 6`."""
    at = case.at
    if case.word(at) != "to" or case.word(at - 2) != "in" or at + 1 >= len(case.tokens):
        return None
    better = f"[{case.words(at - 1, at + 2)}]"
    text = "A range stands in square brackets."
    return case.finding(
        "E231",
        at - 1,
        at + 2,
        text,
        case.cure(case.change(at - 1, at + 2, better), otherwise=f"Write `{better}`."),
        case.certain(at - 1, at + 2, better),
    )


def phrases(case: Case) -> Finding | None:
    """Comparisons as they are said in other texts: `is at least 3`, `is equal to`."""
    for words, sign in _PHRASES:
        size = len(words)
        for i in range(int(words[0] == "for"), case.at + 1):
            if tuple(case.word(i + k) for k in range(size)) == words:
                if i < case.at - size and case.certain(i, i + size, sign) is None:
                    continue
                said = " ".join(words)
                text = f"`{said}` is written `{sign}`."
                cure = case.cure(case.change(i, i + size, sign), otherwise=f"Write `{sign}`.")
                return case.finding("E228", i, i + size, text, cure, case.certain(i, i + size, sign))
    return None


_PHRASES: tuple[tuple[tuple[str, ...], str], ...] = (
    *(
        (("is", "not", word, "than"), sign)
        for word, sign in (("more", "<="), ("greater", "<="), ("less", ">="), ("fewer", ">="))
    ),
    *((("is", word, "than"), ">") for word in ("more", "greater", "bigger", "higher", "larger")),
    *((("is", word, "than"), "<") for word in ("less", "fewer", "smaller", "lower")),
    (("is", "at", "least"), ">="),
    (("is", "at", "most"), "<="),
    (("is", "not", "equal", "to"), "is not"),
    (("is", "equal", "to"), "is"),
    (("is", "the", "same", "as"), "is"),
    (("are", "not"), "is not"),
    (("are", "in"), "is in"),
    (("equals",), "is"),
    (("are",), "is"),
    (("isnt",), "is not"),
    (("when",), "where"),
    (("unless",), "if not"),
    (("modulo",), "mod"),
    (("divided", "by"), "/"),
    (("plus",), "+"),
    (("minus",), "-"),
    (("number", "of"), "count of"),
    (("amount", "of"), "count of"),
    (("how", "many"), "count of"),
    (("total", "of"), "sum of"),
    (("for", "each"), "for"),
)


def at_most(case: Case) -> Finding | None:
    """`at most 2 card …`, `more than 2 card …`."""
    for i in (case.at - 1, case.at):
        said = (case.word(i), case.word(i + 1))
        if said in (("at", "most"), ("more", "than")) and case.word(i + 2).isdigit():
            number = int(case.word(i + 2)) + 1
            better = f"{'fewer than' if said[0] == 'at' else 'at least'} {number}"
            text = f"`{' '.join(said)} {case.word(i + 2)}` is said `{better}` here."
            cure = case.cure(case.change(i, i + 3, better), otherwise=f"Write `{better}`.")
            return case.finding("E228", i, i + 3, text, cure, case.certain(i, i + 3, better))
    return None


def value_of_if(case: Case) -> Finding | None:
    """`if a then b` without `else`."""
    ifs = sum(t.text == "if" for t in case.tokens)
    elses = sum(t.text == "else" for t in case.tokens)
    thens = [i for i, t in enumerate(case.tokens) if t.text == "then"]
    if not thens or elses >= ifs or (case.slot.start == "effect" and case.word(0) == "if"):
        return None
    if case.slot.fixed(case.put(case.at, "else 0")) is None:
        return None
    text = "`if … then …` needs an `else …`, or there is no value when the condition fails."
    return case.finding(
        "E217", thens[-1], thens[-1] + 1, text, "Add `else` and the value for the other case."
    )


def division(case: Case) -> Finding | None:
    """A division that does not say how to round."""
    slash = next((i for i in range(min(case.at, len(case.tokens)) - 1, -1, -1) if case.word(i) == "/"), None)
    if slash is None or case.slot.fixed(case.put(case.at, "rounded down")) is None:
        return None
    text = "A division must say how it rounds."
    fixed = case.slot.fixed(case.put(case.at, "rounded down"))
    return case.finding("E236", slash, slash + 1, text, f"Write `{fixed}`, or `rounded up`.")


def doubled(case: Case) -> Finding | None:
    """The same word twice."""
    for at in range(min(case.at, len(case.tokens) - 1), 0, -1):
        if case.word(at) != case.word(at - 1) or not case.tokens[at].is_word:
            continue
        edit = case.change(at, at + 1, "")
        if case.slot.fixed(edit) is not None:
            return case.finding("E227", at, at + 1, f"`{case.word(at)}` stands here twice.", case.cure(edit))
    return None


def empty_call(case: Case) -> Finding | None:
    """`f()`."""
    at = case.at
    if case.word(at) != ")" or case.word(at - 1) != "(":
        return None
    name = case.word(at - 2)
    text = "Nothing stands between the brackets."
    return case.finding(
        "E235",
        at - 1,
        at + 1,
        text,
        case.cure(case.change(at - 1, at + 1, ""), otherwise=f"Write what `{name}` is about between them."),
    )


SLIPS: tuple[Hint, ...] = (
    brackets,
    capitals,
    numbers,
    doubled,
    comma_before_or_none,
    every_has,
    chain,
    list_after_is,
    range_without_brackets,
    phrases,
    at_most,
    empty_call,
    value_of_if,
    division,
    how_many,
    has_happened,
    with_best,
    quantifier_in_choice,
    union,
    clause_in_brackets,
    order_of_parts,
)
"""Asked before a misspelt word is looked for."""

LATE_SLIPS: tuple[Hint, ...] = (
    missing_comparison,
    missing_of,
    missing_in,
    amount_in_brackets,
    number_alone,
    bare_selection,
    unfinished,
    reserved_name,
)
"""Asked after it."""
