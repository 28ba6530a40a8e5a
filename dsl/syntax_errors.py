"""Says in plain words why a text does not parse, and what to write instead.

Comes in: a Slot and where the parser got stuck. Goes out: problems, at least one, with the exact
place of the offending word. In this order: foreign signs; known slips; a misspelt word of the
language; a repair of one word; and if nothing helps, what is missing or too much. What never
happens: a list of what the parser would have taken, or a corrected line that does not parse.
The codes are E201 to E249 (`CODES`). To add a slip: dsl/slips.py or dsl/slips_effects.py.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.build_values import Place
from rulewright.dsl.case import Case, case_of
from rulewright.dsl.foreign import foreign_signs
from rulewright.dsl.layout import Fault
from rulewright.dsl.problems import Problem, Span
from rulewright.dsl.repair import Repair, repairs_of
from rulewright.dsl.slips import LATE_SLIPS, SLIPS
from rulewright.dsl.slips_effects import EFFECT_SLIPS, LATE_EFFECT_SLIPS
from rulewright.dsl.tokens import Failure, Finding, Slot, shortened, write
from rulewright.dsl.words import HEADERS, RESERVED, VERBS, WORDS, near

CODES: dict[str, tuple[str, str, str, str]] = {
    "E201": ("nothing stands where something must", "expr", "", "yes"),
    "E202": ("a text is too long or nested too deep", "expr", "(" * 101 + "a" + ")" * 101, "a"),
    "E203": ("a sign of another language", "expr", "a && b", "a and b"),
    "E204": ("a word of the language in capital letters", "expr", "a AND b", "a and b"),
    "E205": ("brackets that do not match", "expr", "(a or b", "(a or b)"),
    "E206": ("two comparisons in a row", "expr", "1 <= coins <= 6", "coins is in [1 to 6]"),
    "E207": ("several values after `is`", "expr", "a is b, c", "a is in [b, c]"),
    "E208": ("`of` is missing", "expr", "coins actor > 3", "coins of actor > 3"),
    "E209": ("`in` or `on` is missing", "expr", "any card c hand", "any card c in hand"),
    "E210": ("a word or sign is missing", "expr", "any card linked x", "any card linked to x"),
    "E211": ("a word of the language is misspelt", "expr", "any card wher a", "any card where a"),
    "E212": ("a word of the language as a name", "effect", "let first be 3", "let first_one be 3"),
    "E213": ("`=` instead of `be`, `to` or `is`", "effect", "let x = 3", "let x be 3"),
    "E214": ("a colon is missing, or one too many", "effect", "if a\n    cut", "if a:\n    cut"),
    "E215": ("a block with nothing in it", "effect", "if a:", "if a:\n    cut"),
    "E216": ("something behind the end of a line", "effect", "if a: cut", "if a:\n    cut"),
    "E217": ("`if … then …` without `else`", "expr", "if a then b", "if a then b else c"),
    "E218": ("a loop without `for each`", "effect", "for player p:\n    cut", "for each player p:\n    cut"),
    "E219": (
        "nobody is said to choose",
        "effect",
        "choose card c in deck:\n    cut",
        "actor chooses card c in deck:\n    cut",
    ),
    "E220": (
        "a repetition without `up to`",
        "effect",
        "repeat 3 times:\n    cut",
        "repeat up to 3 times:\n    cut",
    ),
    "E221": ("an instruction that is not complete", "effect", "move a", "move a to b"),
    "E222": ("wrong indentation", "effect", "cut\n    cut", "cut\ncut"),
    "E223": ("`else` without `if`", "effect", "else:\n    cut", "if a:\n    cut\nelse:\n    cut"),
    "E224": ("a tab", "expr", "a\tand b", "a and b"),
    "E225": ("a comment in a condition", "expr", "a # why", "a"),
    "E226": ("a number that is none or too large", "expr", "a is 12345678901", "a is 1234"),
    "E227": ("a word too much", "effect", "cut x", "cut"),
    "E228": ("a word in the place of another", "expr", "a equals b", "a is b"),
    "E229": ("the text ends too early", "expr", "a or", "a or b"),
    "E230": ("a word that cannot stand where it stands", "expr", "a b c d", "a"),
    "E231": ("a range without brackets", "expr", "a is in 1 to 6", "a is in [1 to 6]"),
    "E232": ("a selection where a value is needed", "expr", "card in deck", "any card in deck"),
    "E233": (
        "a count that needs brackets",
        "expr",
        "count of card on t where a is 0 is 0",
        "(count of card on t where a is 0) is 0",
    ),
    "E234": ("an effect that is not a block", "effect", "cut cut", "cut\ncut"),
    "E235": ("empty brackets", "expr", "f()", "f"),
    "E236": ("a division without `rounded`", "expr", "a / 2", "a / 2 rounded down"),
    "E237": ("an amount that needs brackets", "effect", "move n card in a to b", "move (n) card in a to b"),
    "E238": (
        "`every … where …` without `has`",
        "expr",
        "every card in d where a is b is c",
        "every card in d where a is b has card is c",
    ),
    "E239": ("a text of another kind than its slot asks for", "event", "capture(target)", "capture"),
    "E240": (
        "`or none` without a comma",
        "effect",
        "actor chooses card in d or none:\n    cut",
        "actor chooses card in d, or none:\n    cut",
    ),
    "E241": (
        "two places that need brackets",
        "expr",
        "any card in a or b where c",
        "any card in (a or b) where c",
    ),
    "E242": ("a quantifier in a choice", "choice", "any card in deck", "card in deck"),
    "E243": ("parts in the wrong order", "expr", "any card like c in deck", "any card in deck like c"),
    "E244": (
        "a condition that another clause follows",
        "expr",
        "any card where a is b with largest rank of card",
        "any card where (a is b) with largest rank of card",
    ),
}
"""Code: what it is about, a slot, a wrong text for it, a right one."""

_SLOTS = {
    "expr": "a condition or a value, such as `rank of card > 3`",
    "choice": "what is chosen from, such as `card in hand of actor where rank of card > 3`",
    "who": "a player or players, such as `left of dealer` or `player with largest score of player`",
    "turns": "an order of turns, such as `clockwise from left of dealer`, or players",
    "effect": "an instruction, such as `move top of deck to hand of actor`",
    "header": "a name with what it is about, such as `worth(card c)` or `pot`",
    "type": "a type, such as `player`, `number 1 to 6`, `suit or none`, `yes or no`, `set of players`",
    "copies": "how many there are, such as `4`, `one per suit`, `4 per colour`",
    "range": "a number or a range, such as `2 to 5`",
    "times": "how often, such as `13 times` or `100 rounds, then unfinished`",
    "event": "what happens, such as `capture`, `coins falls`, `coins becomes 0`, `entering night`",
    "every": "pieces to arrange, such as `every card in hand of actor`",
    "seen_by": "who sees it, such as `all`, `nobody`, `owner`, `others`, `team`, or players",
}


_SMALL_SLOTS = ("header", "type", "copies", "range", "times", "event", "every")


def explain(slot: Slot, failure: Failure, place: Place) -> list[Problem]:
    """The problems of a text that does not parse; never empty."""
    if failure.kind == "long":
        return [_problem(Finding("E202", 0, 1, "This text is too long.", _SHORTER), place)]
    if failure.kind == "deep":
        return [_problem(Finding("E202", 0, 1, "This text is nested too deep.", _SHORTER), place)]
    found = foreign_signs(slot)
    if not found:
        found = [_first(case_of(slot, failure), failure)]
    return [_problem(f, place) for f in found]


_SHORTER = "Give parts of it a name under `define`, and use the names here."


def _problem(finding: Finding, place: Place) -> Problem:
    span = place(finding.start, finding.end)
    return Problem(finding.code, span, finding.text, finding.cure, "error", finding.replacement)


def _first(case: Case, failure: Failure) -> Finding:
    """The first explanation that fits."""
    if not case.tokens:
        return Finding("E201", 0, 1, "Nothing stands here.", f"Write {_SLOTS[case.slot.start]}.")
    effect = case.slot.start == "effect"
    for hint in (*(EFFECT_SLIPS if effect else ()), *SLIPS):
        if (found := hint(case)) is not None:
            return found
    repairs = repairs_of(case.slot, failure)
    spelling = [r for r in repairs if r.kind == "spelling"]
    if spelling:
        return _misspelt(case, spelling)
    for hint in LATE_SLIPS:
        if (found := hint(case)) is not None:
            return found
    if (found := _near_word(case)) is not None:
        return found
    if case.slot.start in _SMALL_SLOTS and case.stuck is not None and repairs and _safe(case, repairs[0]):
        return _repaired(case, repairs)
    if (found := _another_slot(case)) is not None:
        return found
    late = LATE_EFFECT_SLIPS if effect else ()
    if case.stuck is not None and repairs and (not effect or _likely(case, repairs[0])):
        return _repaired(case, repairs)
    for hint in late:
        if (found := hint(case)) is not None:
            return found
    if case.stuck is not None and repairs:
        return _repaired(case, repairs)
    return _last_resort(case)


def _likely(case: Case, repair: Repair) -> bool:
    """Does it say more than how such a line is written? A word is left out only if it means nothing."""
    return repair.kind != "extra" or case.slot.text[repair.start : repair.end] in ("the", "a", "an")


def _safe(case: Case, repair: Repair) -> bool:
    """A joining word may be left out, a name or a number never."""
    return repair.kind != "extra" or case.slot.text[repair.start : repair.end] in RESERVED


def _misspelt(case: Case, repairs: list[Repair]) -> Finding:
    best = repairs[0]
    word = case.slot.text[best.start : best.end]
    certain = best.new if len(repairs) == 1 else None
    text = f"`{word}` is not known here. Did you mean `{best.new}`?"
    return Finding("E211", best.start, best.end, text, write(shortened(best.text, best.new)), certain)


def _repaired(case: Case, repairs: list[Repair]) -> Finding:
    best = repairs[0]
    token = case.shown
    if best.kind == "missing":
        where = f"before `{token.text}`" if case.stuck is not None else "at the end"
        others = [r for r in repairs if r.kind == "missing" and r.new in ("in", "on", "of", "and")]
        if best.new == "and":
            text = f"A joining word is missing before `{token.text}`."
            return Finding("E210", token.start, token.end, text, "Write `and` or `or` before it.")
        joint = token.text in ("in", "on", "of", "from", "to")  # perhaps the wrong one of these
        certain = len(repairs) == 1 and best.start == token.start and not joint
        text = (
            f"`{best.new}` seems to be missing {where}." if len(others) < 2 else f"A word is missing {where}."
        )
        new = f"{best.new} {token.text}" if certain else None
        return Finding("E210", token.start, token.end, text, write(shortened(best.text, best.new)), new)
    word = case.slot.text[best.start : best.end]
    cure = write(shortened(best.text, best.new or best.text[:1]))
    if best.kind == "instead":
        return Finding("E228", best.start, best.end, f"`{word}` cannot stand here.", cure)
    return Finding("E227", best.start, best.end, f"`{word}` seems to be too much here.", cure)


def _near_word(case: Case) -> Finding | None:
    """A word near a word of the language, where more than this is wrong."""
    for i in (case.at, case.at - 1):
        word = case.word(i)
        if i < 0 or not case.is_name(i) or len(word) < 4 or word in WORDS:
            continue
        for better in near(word, RESERVED):
            if len(better) >= 4:
                text = f"`{word}` cannot stand here. Did you mean `{better}`?"
                return case.finding("E211", i, i + 1, text, f"Write `{better}`.")
    return None


def _another_slot(case: Case) -> Finding | None:
    """A text that would be right elsewhere."""
    start, text = case.slot.start, case.slot.text
    token = case.shown
    if start in _SMALL_SLOTS:
        says = f"`{token.text}` cannot stand here." if case.stuck else "Something is missing here."
        return Finding("E239", token.start, token.end, says, f"This must be {_SLOTS[start]}.")
    if start != "effect" and case.slot.parses("effect", text):
        says = "This is an instruction; it belongs in a `do:` block."
        return Finding(
            "E239", case.tokens[0].start, case.tokens[-1].end, says, f"Here stands {_SLOTS[start]}."
        )
    if start == "effect" and case.word(0) not in VERBS and case.slot.parses("expr", text):
        says = "This is a value; by itself it does nothing."
        cure = f"Write an instruction that uses it, or `if {' '.join(text.split())}:`."
        return Finding("E239", case.tokens[0].start, case.tokens[-1].end, says, cure)
    return None


_FOLLOWED = {
    "rounded": "`rounded up` or `rounded down`",
    "clockwise": "`clockwise from` and a player, with `once around` or `where` behind it",
    "counterclockwise": "`counterclockwise from` and a player",
    "at": "`at once for each SELECTION:`, or `at least` and a number",
    "fewer": "`fewer than`, a number and a selection",
    "chance": "`chance chooses` and a selection",
    "happened": "`EVENT has happened this PHASE`",
}


def _not_at_once(case: Case) -> Finding | None:
    """The first word of `at once for each` that is another one."""
    for i, word in enumerate(("at", "once", "for", "each")):
        if case.word(i) != word:
            at = min(i, len(case.tokens) - 1)
            text = f"`{' '.join(('at', 'once', 'for', 'each')[:i])}` is followed by `{word}`."
            return case.finding("E228", at, at + 1, text, f"Write {_FOLLOWED['at']}.")
    return None


def _begins_nothing(case: Case) -> bool:
    """Whether a line of an effect begins with a word that begins none, and is no event either."""
    return case.word(0) not in VERBS and case.word(0) not in HEADERS and case.word(1) != "("


def _last_resort(case: Case) -> Finding:
    token = case.shown
    before = case.word(case.at - 1)
    slot = case.slot
    if case.stuck is None:
        needs = "a value" if slot.fixed(case.put(case.at, "x")) is not None else "something more"
        text = f"The text ends too early: after `{before}` comes {needs}."
        return Finding("E229", token.start, token.end, text, f"This must be {_SLOTS[slot.start]}.")
    head = slot.text[: token.start]
    if case.word(0) == "at" and (wrong := _not_at_once(case)) is not None:
        return wrong
    for i in (case.at - 1, case.at, 0):
        if case.word(i) in (("at", "fewer") if i == 0 else _FOLLOWED):
            text = f"`{case.word(i)}` is followed by something else."
            return case.finding("E228", i, i + 1, text, f"Write {_FOLLOWED[case.word(i)]}.")
    choosing = any(t.text in ("chooses", "choose", "may") for t in case.tokens)
    if slot.start == "effect" and not choosing and _begins_nothing(case):
        verbs = ", ".join(list(VERBS)[:9])
        text = f"`{case.word(0)}` begins no instruction."
        return case.finding("E221", 0, 1, text, f"A line begins with a verb ({verbs} …) or is an event.")
    gap = slot.fixed(case.put(case.at, "x"))
    if before and gap is not None and (token.text in RESERVED or not token.text[0].isalpha()):
        text = f"Something is missing between `{before}` and `{token.text}`."
        return Finding(
            "E210", token.start, token.end, text, f"Name it there: {shortened(gap, ' x ', 60)}, for some `x`."
        )
    if head.strip() and slot.parses(slot.start, head):
        text = (
            f"Everything is said before `{token.text}`; a joining word is missing, or the rest is too much."
        )
    elif before:
        text = f"`{token.text}` cannot stand after `{before}`."
    else:
        text = f"`{token.text}` cannot stand here."
    return Finding("E230", token.start, token.end, text, f"This must be {_SLOTS[slot.start]}.")


def doubtful_range(node: n.NumberRange) -> list[Problem]:
    """`2-5` is read as a difference, which a range cannot be meant to be; written with `to`."""
    match node.low:
        case n.Arithmetic(operator="-", left=n.Number(value=low), right=n.Number(value=high)) if low < high:
            text = f"`{low} - {high}` is a difference, not a range."
            better = f"{low} to {high}"
            return [Problem("E239", node.low.span, text, write(better), "error", better)]
        case _:
            return []


def tab_problem(span: Span) -> Problem:
    """The problem of a tab in an effect."""
    return Problem(
        "E224", span, "A tab cannot stand in a rule.", "Use blanks, four for each level of indentation."
    )


def fault_problem(fault: Fault, place: Place) -> Problem:
    """The problem of a line with wrong indentation."""
    span = place(fault.start, fault.end)
    above = shortened(" ".join(fault.above.split()), "", 60)
    if fault.kind == "deep":
        return Problem("E202", span, "Blocks are nested too deep here.", "Make an event of the inner blocks.")
    if fault.kind == "deeper":
        text = f"This line is indented, but `{above}` above opens no block."
        return Problem("E222", span, text, "Begin it exactly below the line above.")
    text = "This line begins between two levels."
    return Problem("E222", span, text, "Begin it exactly below the line it belongs with.")


def block_problem(kind: str, span: Span, start: str, above: str = "") -> Problem:
    """A problem of a whole block: "empty", "long", "hollow", "deeper" or "else"."""
    if kind == "empty":
        return Problem("E201", span, "Nothing stands here.", f"Write {_SLOTS[start]}.")
    if kind == "long":
        return Problem("E202", span, "This effect is too long.", "Make events of its parts.")
    if kind == "hollow":
        cure = "Write what happens on the next line, indented by four blanks."
        return Problem("E215", span, "A block begins here, but nothing stands in it.", cure)
    if kind == "deeper":
        text = f"This line is indented, but `{shortened(above.strip(), '', 60)}` above opens no block."
        return Problem("E222", span, text, "Begin it exactly below the line above.")
    cure = "Put it directly below the block of its `if`, at the same indentation."
    return Problem("E223", span, "This `else` belongs to no `if` and to no choice.", cure)
