"""Slips in selections, and words that are missing or stand in the place of a name.

As dsl/slips.py, which asks these too; to add one: a function here and its name there.
"""

from __future__ import annotations

from rulewright.dsl.case import Case
from rulewright.dsl.tokens import Edit, Finding
from rulewright.dsl.words import CONTEXTUAL, RESERVED

QUANTIFIERS = ("any", "no", "all", "first", "the", "every")
COUNTED = frozenset({"count", "sum"})
ORDERS = ("<", "<=", ">", ">=")


def missing_of(case: Case) -> Finding | None:
    """`coins actor`, `count card in …`."""
    if case.slot.start == "copies":
        return None  # `per` is missing, if anything
    at = case.at
    if case.stuck is None or at == 0 or not (case.is_name(at) or case.word(at) == "("):
        return None
    before = case.word(at - 1)
    selecting = (
        case.is_name(at - 1) and case.is_name(at - 2) and not (case.slot.start == "effect" and at == 2)
    )
    if selecting or not (case.is_name(at - 1) or before in COUNTED):
        return None
    if case.slot.fixed(case.put(at, "of")) is None:
        return None
    if case.word(at - 2) in ("of", "not", "is") and case.word(at + 1) in ("of", "("):
        text = f"A word is missing between `{before}` and `{case.word(at)}`."
        cure = "Say how they belong together: `… is …` compares, `… where …` begins a condition."
        return case.finding("E210", at, at + 1, text, cure)
    others = [w for w in ("is", "in", "on", "to", "from") if case.slot.fixed(case.put(at, w)) is not None]
    # behind a selection a condition may have been meant, whose word is lost
    clauses = [w for w in ("where", "has") if case.slot.fixed(case.put(at, w)) is not None]
    replacement = None if others or clauses else f"of {case.word(at)}"
    text = f"`of` is missing between `{before}` and `{case.word(at)}`."
    cure = case.cure(case.put(at, "of"))
    if others[:1] == ["is"] and case.word(at - 2) in ("", "and", "or", "where", "has", "if", "("):
        cure = f"{cure[:-1]}, or `{case.slot.fixed(case.put(at, 'is'))}`."
    elif clauses:
        cure = f"{cure[:-1]}, or `{clauses[0]}` before it if a condition begins here."
    return case.finding("E208", at, at + 1, text, cure, replacement)


def missing_comparison(case: Case) -> Finding | None:
    """`coins of actor 3`."""
    at = case.at
    if (
        case.stuck is None
        or not case.stuck.is_number
        or not (case.is_name(at - 1) or case.word(at - 1) == ")")
    ):
        return None
    fixed = case.slot.fixed(case.put(at, "is"))
    if fixed is None or (case.slot.start == "effect" and case.slot.fixed(case.put(at, "to")) is not None):
        return None
    text = f"A comparison is missing before `{case.word(at)}`."
    return case.finding("E210", at, at + 1, text, f"Write `{fixed}`, or `>`, `<` instead of `is`.")


def missing_in(case: Case) -> Finding | None:
    """`any card c hand of actor`."""
    at = case.at
    if not (case.is_name(at) and case.is_name(at - 1)):
        return None
    for word in ("in", "on"):
        fixed = case.slot.fixed(case.put(at, word))
        if fixed is not None:
            text = f"`in` or `on` is missing before `{case.word(at)}`."
            return case.finding("E209", at, at + 1, text, f"Write `{fixed}`, or `on` for a board.")
    return None


def every_has(case: Case) -> Finding | None:
    """`every card where … is king`: what every one of them is comes after `has`."""
    if case.word(case.at) not in ("is", "") or "every" not in (t.text for t in case.tokens[: case.at]):
        return None
    i = max(k for k in range(case.at) if case.word(k) == "every")
    element = case.word(i + 2) if case.is_name(i + 2) else case.word(i + 1)
    edit = case.put(case.at, f"has {element}")
    if case.word(case.at) == "is" and case.slot.fixed(edit) is not None:
        text = "After a condition with `where`, what holds for every one of them comes after `has`."
        return case.finding("E238", case.at, case.at + 1, text, case.cure(edit))
    if case.stuck is None and case.slot.fixed(case.put(case.at, "has yes")) is not None:
        text = f"What must hold for every `{case.word(i + 1)}` is missing."
        return case.finding("E238", i, i + 1, text, "Add `has` and the condition, or `is` and a value.")
    return None


def bare_selection(case: Case) -> Finding | None:
    """`card in hand of actor` where a value is needed."""
    slot = case.slot
    if slot.start in ("who", "turns", "seen_by", "choice", "header", "event", "type") or not case.is_name(
        case.at - 1
    ):
        return None
    start = case.at - 1
    while start > 0 and case.is_name(start - 1):
        start -= 1
    if start == 0 and slot.start == "effect":
        return None
    for back in range(start, case.at):
        edits = case.put(back, "all")
        if slot.fixed(edits) is not None and slot.fixed(case.put(back, "any")) is not None:
            text = "A selection cannot stand here by itself."
            shown = slot.fixed(edits)
            cure = f"Say what is meant of it: `any …`, `no …`, `count of …` or, as a set, `{shown}`."
            return case.finding("E232", back, case.at + 1, text, cure)
    return None


def quantifier_in_choice(case: Case) -> Finding | None:
    """`any card in hand` where something is chosen."""
    word = case.word(case.at)
    chooses = case.slot.start == "choice" and case.at == 0
    chooses = chooses or case.word(case.at - 1) in ("chooses", "choose", "each")
    if not chooses or word not in (*QUANTIFIERS, "each", "a", "an", "one"):
        return None
    edit = Edit(case.tokens[case.at].start, case.tokens[case.at].end, "")
    if case.slot.fixed(edit) is None:
        return None
    text = f"Here stands only what it is taken from, without `{word}`."
    return case.finding("E242", case.at, case.at + 1, text, case.cure(edit))


def comma_before_or_none(case: Case) -> Finding | None:
    """`actor chooses card in x or none:`."""
    i = case.at
    if not (case.slot.start == "effect" and case.word(i) in ("or", "none", ":")):
        return None
    i = next((k for k in (i, i - 1, i - 2) if case.word(k) == "or" and case.word(k + 1) == "none"), -1)
    if i < 1 or case.slot.fixed(case.put(i, ",")) is None:
        return None
    text = "A comma stands before `or none`."
    return case.finding("E240", i, i + 1, text, case.cure(case.put(i, ",")), ", or")


def union(case: Case) -> Finding | None:
    """`card in a or b where …`: two places need brackets."""
    at = case.at
    ors = [i for i in range(min(at + 1, len(case.tokens))) if case.word(i) in ("or", "and")]
    for joint in reversed(ors):
        start = max((i for i in range(joint) if case.word(i) in ("in", "on")), default=-1)
        if start < 0 or start + 1 >= joint:
            continue
        for end in range(max(joint + 2, at), len(case.tokens) + 1):
            better = f"({case.words(start + 1, joint)} or {case.words(joint + 1, end)})"
            edit = case.change(start + 1, end, better)
            if case.slot.fixed(edit) is not None:
                text = f"Two places after `{case.word(start)}` stand in brackets, joined by `or`."
                certain = case.certain(start + 1, end, better)
                return case.finding("E241", start + 1, end, text, case.cure(edit), certain)
            if joint < at:
                break
    return None


_PART_WORDS = ("in", "on", "like", "by", "going", "linked", "where", "with", "while", "until")


def order_of_parts(case: Case) -> Finding | None:
    """`card like x in hand`: the parts of a selection have an order."""
    at = case.at
    if case.word(at) not in ("of", "in", "on", "like", "by"):
        return None
    for i in range(at - 1, 0, -1):
        if case.word(i) not in _PART_WORDS:
            continue
        for end in range(min(at + 6, len(case.tokens)), at + 1, -1):
            part = case.words(at, end)
            edits = (case.put(i, part), case.change(at, end, ""))
            if case.slot.fixed(*edits) is not None:
                text = f"In a selection `{case.word(at)}` stands before `{case.word(i)}`."
                return case.finding("E243", at, end, text, case.cure(*edits))
    return None


_CLAUSES = ("where", "while", "until", "ending", "stopping", "with")


def clause_in_brackets(case: Case) -> Finding | None:
    """`where a is b with largest c`: a condition that another clause follows."""
    at = case.at
    if case.word(at) not in _CLAUSES:
        return None
    for i in range(at - 1, -1, -1):
        if case.word(i) not in _CLAUSES:
            continue
        start = i + 1 + (case.word(i + 1) in ("at", "largest", "smallest"))
        edits = (case.put(start, "("), case.put(at, ")"))
        if case.slot.fixed(*edits) is not None:
            better = f"({case.words(start, at)})"
            text = f"A condition stands in brackets when `{case.word(at)}` follows it."
            return case.finding("E244", start, at, text, case.cure(*edits), case.certain(start, at, better))
    return None


def amount_in_brackets(case: Case) -> Finding | None:
    """`move n card in deck to …`: an amount that is no figure."""
    for i in (case.at - 1, case.at - 2):
        if i < 0 or not case.is_name(i):
            continue
        better = f"({case.word(i)})"
        if (
            case.slot.start in ("effect", "choice")
            and case.slot.fixed(case.change(i, i + 1, better)) is not None
        ):
            text = "How many is a figure, or stands in brackets."
            return case.finding("E237", i, i + 1, text, case.cure(case.change(i, i + 1, better)), better)
    return None


def how_many(case: Case) -> Finding | None:
    """`at least card in deck`: how many?"""
    at = case.at
    for i in (at - 1, at):
        said = case.words(i - 2, i) if case.word(i - 1) != "exactly" else "exactly"
        if said in ("at least", "fewer than", "exactly") and case.slot.fixed(case.put(i, "2")) is not None:
            text = f"How many is missing after `{said}`."
            return case.finding("E210", i, i + 1, text, case.cure(case.put(i, "2")))
    return None


def number_alone(case: Case) -> Finding | None:
    """`3 card in deck` as a condition."""
    i = case.at - 1
    if i < 0 or not case.tokens[i].is_number or not case.is_name(case.at):
        return None
    if case.slot.fixed(case.put(i, "exactly")) is None:
        return None
    many = case.word(i)
    text = f"`{many} {case.word(case.at)}` cannot stand here by itself."
    return case.finding(
        "E232", i, i + 2, text, f"Say `at least {many}`, `exactly {many}` or `fewer than {many}`."
    )


def has_happened(case: Case) -> Finding | None:
    """`cut has happened`, `cut happened this turn`."""
    i = case.at
    if not case.is_name(i - 1):
        return None
    if case.word(i) == "has" and case.word(i + 1).startswith("hap"):
        size = 3 if case.word(i + 2) in ("this", "in", "the") else 2
    elif case.word(i) in ("happened", "happens"):
        size = 2 if case.word(i + 1) in ("this", "in", "the") else 1
    else:
        return None
    phase = "" if case.is_name(i + size) else " turn"
    edit = case.change(i, i + size, f"has happened this{phase}")
    if case.slot.fixed(edit) is None:
        return None
    text = "Whether an event has happened is asked with `EVENT has happened this PHASE`."
    return case.finding("E228", i, i + size, text, case.cure(edit))


def with_best(case: Case) -> Finding | None:
    """`with big x`, `with the most x`."""
    for i in (case.at, case.at - 1):
        if case.word(i) != "with" or (case.slot.start == "effect" and case.word(0) == "swap"):
            continue
        word = case.word(i + 1)
        if word in ("largest", "smallest"):
            continue
        where = case.change(i, i + 1, "where")
        if case.slot.fixed(where) is not None:
            text = "A condition comes after `where`; `with` is for `with largest` and `with smallest`."
            return case.finding("E228", i, i + 1, text, case.cure(where))
        size = 2 if word == "the" else 1
        low = case.word(i + size) in (
            "least",
            "lowest",
            "fewest",
            "small",
            "smaller",
            "low",
            "min",
            "minimum",
        )
        better = f"with {'smallest' if low else 'largest'}"
        if i + size + 1 > len(case.tokens):
            return None
        text = "`with` is followed by `largest` or `smallest`; any other condition comes after `where`."
        for length in (size + 1, size):
            if case.slot.fixed(case.change(i, i + length, better)) is not None:
                cure = case.cure(case.change(i, i + length, better))
                return case.finding("E228", i, i + length, text, cure)
    return None


_NEEDS = (
    ("going", "from", "`going D` is followed by `from` and the space where it begins."),
    ("linked", "to", "`linked` is followed by `to` and what it is linked to."),
    ("largest", "for", "`largest V` is followed by `for` and a selection: the largest V of all these."),
    ("smallest", "for", "`smallest V` is followed by `for` and a selection: the smallest V of all these."),
    ("sum", "for", "`sum of V` is followed by `for` and a selection: the sum over all these."),
)


def unfinished(case: Case) -> Finding | None:
    """A form whose second word never comes: `going D` without `from`, `largest V` without `for`."""
    if case.stuck is not None and case.word(case.at) not in (")", ",", ":", "]", "is", *ORDERS):
        return None
    for i in range(case.at - 1, -1, -1):
        for word, second, text in _NEEDS:
            if case.word(i) != word or case.word(i - 1) == "with":
                continue
            if second not in (case.word(k) for k in range(i, case.at)):
                return case.finding("E210", i, i + 1, f"`{second}` is missing here.", text)
    return None


def reserved_name(case: Case) -> Finding | None:
    """A word of the language where a name is needed."""
    for i in (case.at, case.at - 1):
        word = case.word(i)
        if word not in RESERVED | CONTEXTUAL or not word or (case.stuck is None and i == case.at - 1):
            continue
        every = [case.change(k, k + 1, f"{word}_") for k, t in enumerate(case.tokens) if t.text == word]
        if case.slot.fixed(case.change(i, i + 1, f"{word}_")) is not None or (
            len(every) > 1 and case.slot.fixed(*every) is not None
        ):
            if i != case.at and word in CONTEXTUAL:
                continue
            text = f"`{word}` is a word of the language and cannot be a name."
            return case.finding("E212", i, i + 1, text, f"Choose another name, such as `{word}_one`.")
    return None
