"""Slips in the lines of effects that designers are known to make.

As dsl/slips.py, for what only an effect has: the head of a block and its colon, `for each`, who
chooses, how an instruction is written.
To add a slip: a function here and its name in `EFFECT_SLIPS`, in the order in which they are asked.
"""

from __future__ import annotations

from rulewright.dsl.case import Case
from rulewright.dsl.slips import Hint
from rulewright.dsl.tokens import Finding
from rulewright.dsl.words import HEADERS, VERBS

_SYNONYMS = {
    "put": "move",
    "draw": "move",
    "discard": "move",
    "play": "move",
    "flip": "turn",
    "increase": "add",
    "raise": "add",
    "gain": "add",
    "gains": "add",
    "decrease": "take",
    "subtract": "take",
    "lose": "take",
    "loses": "take",
    "reduce": "take",
    "exchange": "swap",
    "destroy": "remove",
    "discards": "move",
    "var": "let",
    "define": "let",
    "foreach": "for",
    "elif": "else",
    "elseif": "else",
    "otherwise": "else",
    "when": "if",
    "unless": "if",
}


def loop(case: Case) -> Finding | None:
    """`for player p:`, `for every player:`, `foreach player:`, `each player p:`."""
    first, second = case.word(0), case.word(1)
    if first == "for" and second != "each":
        size = 2 if second in ("every", "all", "any", "the") else 1
    elif first == "foreach" or (first == "each" and "chooses" not in (t.text for t in case.tokens)):
        size = 1
    else:
        return None
    edit = case.change(0, size, "for each")
    edits = [edit] if case.word(len(case.tokens) - 1) == ":" else [edit, case.put(len(case.tokens), ":")]
    text = "A loop begins with `for each`."
    certain = case.certain(0, size, "for each") if len(edits) == 1 else None
    return case.finding(
        "E218", 0, size, text, case.cure(*edits, otherwise="Write `for each SELECTION:`."), certain
    )


def repeat(case: Case) -> Finding | None:
    """`repeat 3 times:`, `repeat while …:`, `while …:`."""
    if case.word(0) == "while" or (case.word(0) == "repeat" and case.word(1) in ("while", "until")):
        text = "A repetition must have a limit."
        condition = case.words(2 if case.word(0) == "repeat" else 1, len(case.tokens)).rstrip(":").strip()
        negated = "not " if case.word(1) == "until" else ""
        return case.finding("E220", 0, 1, text, f"Write `repeat up to 10 times while {negated}{condition}:`.")
    if case.word(0) != "repeat" or (case.word(1) == "up" and case.word(2) == "to"):
        return None
    edit = case.put(1, "up to")
    edits = [edit] if case.word(len(case.tokens) - 1) == ":" else [edit, case.put(len(case.tokens), ":")]
    text = "A repetition says `up to`: it ends early when nothing is left to do."
    cure = case.cure(*edits, otherwise="Write `repeat up to NUMBER times:`.")
    return case.finding(
        "E220", 0, 1, text, cure, case.certain(0, 1, "repeat up to") if len(edits) == 1 else None
    )


def chooser(case: Case) -> Finding | None:
    """`choose card c in deck:` without saying who."""
    if case.word(0) not in ("choose", "chooses", "select", "pick") or case.word(1) in (
        "",
        "(",
        "chooses",
        "may",
    ):
        return None
    edit = case.change(0, 1, "actor chooses")
    text = "An effect must say who chooses."
    return case.finding(
        "E219",
        0,
        1,
        text,
        case.cure(edit, otherwise="Write `actor chooses …:`, or the name of another player."),
    )


_OTHER_WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("otherwise",), "else"),
    (("elif",), "else if"),
    (("elseif",), "else if"),
    (("when",), "if"),
    (("can", "choose"), "may choose"),
    (("can", "chooses"), "may choose"),
    (("may", "chooses"), "may choose"),
    (("may", "select"), "may choose"),
    (("must", "choose"), "chooses"),
    (("selects",), "chooses"),
    (("picks",), "chooses"),
)


def other_word(case: Case) -> Finding | None:
    """`otherwise:`, `elif a:`, `actor can choose …:`."""
    for words, better in _OTHER_WORDS:
        size = len(words)
        for i in range(case.at + 1):
            if tuple(case.word(i + k) for k in range(size)) != words:
                continue
            if (certain := case.certain(i, i + size, better)) is not None:
                text = f"`{' '.join(words)}` is said `{better}`."
                return case.finding(
                    "E228", i, i + size, text, case.cure(case.change(i, i + size, better)), certain
                )
    return None


def then_before_colon(case: Case) -> Finding | None:
    """`if a then:`, and `if a then cut`."""
    if case.word(0) not in ("if", "else") or "then" not in (t.text for t in case.tokens):
        return None
    i = next(k for k, t in enumerate(case.tokens) if t.text == "then")
    head = case.words(0, i)
    if not case.slot.parses("effect", f"{head}:"):
        return None
    rest = case.words(i + 1, len(case.tokens)).lstrip(": ")
    text = "A condition in an effect ends with a colon, without `then`."
    cure = f"Write `{head}:`" + (f" and below it, indented, `{rest}`." if rest else ".")
    return case.finding("E216", i, i + 1, text, cure)


def body_on_the_line(case: Case) -> Finding | None:
    """`if a: cut` on one line."""
    colon = next((i for i, t in enumerate(case.tokens) if t.text == ":"), None)
    if colon is None or colon == len(case.tokens) - 1:
        return None
    head, rest = case.words(0, colon + 1), case.words(colon + 1, len(case.tokens))
    if case.slot.parses("effect", head):
        text = "What stands in a block begins on a line of its own."
        return case.finding(
            "E216", colon + 1, len(case.tokens), text, f"Write `{rest}` on the next line, indented."
        )
    if case.slot.parses("effect", head[:-1].strip()):
        text = "This line is complete before the colon."
        return case.finding("E216", colon, colon + 1, text, "Leave the colon out, and what follows it.")
    return None


def stray_colon(case: Case) -> Finding | None:
    """A colon behind an instruction that opens no block."""
    last = len(case.tokens) - 1
    if case.word(last) != ":" or last == 0:
        return None
    if case.slot.fixed(case.change(last, last + 1, "")) is None:
        return None
    text = "This instruction opens no block, so no colon stands behind it."
    before = case.word(last - 1)
    cure = case.cure(case.change(last, last + 1, ""))
    return case.finding("E214", last, last + 1, text, cure, None if case.slot.has_body or not before else "")


def missing_colon(case: Case) -> Finding | None:
    """A head without its colon."""
    last = len(case.tokens) - 1
    if case.word(last) == ":" or case.slot.fixed(case.put(last + 1, ":")) is None:
        return None
    if (
        case.word(0) not in HEADERS
        and not case.slot.has_body
        and "chooses" not in (t.text for t in case.tokens)
    ):
        return None
    text = "A line that opens a block ends with a colon."
    certain = f"{case.word(last)}:" if case.slot.has_body else None
    return case.finding("E214", last, last + 1, text, case.cure(case.put(last + 1, ":")), certain)


def synonym(case: Case) -> Finding | None:
    """`put`, `draw`, `increase` …: what the language calls by another name."""
    first = case.word(0)
    verb = _SYNONYMS.get(first)
    if verb is None or case.at == 0 or case.word(1) in ("(", ""):
        return None
    shape = VERBS.get(verb) or HEADERS[verb]
    text = f"`{first}` is no instruction of the language, and the game's own events take brackets."
    return case.finding("E221", 0, 1, text, f"Write it as `{shape}`.")


def together(case: Case) -> Finding | None:
    """`each player chooses …` without `, together`."""
    if case.word(0) != "each" or "chooses" not in (t.text for t in case.tokens):
        return None
    end = len(case.tokens) - (case.word(len(case.tokens) - 1) == ":")
    for word in [", together"] if case.word(end) == ":" else [", together", ", together:"]:
        if case.slot.fixed(case.put(end, word)) is not None:
            text = "When each of several players chooses, the line ends with `, together`."
            return case.finding("E210", end - 1, end, text, case.cure(case.put(end, word)))
    return None


def shape(case: Case) -> Finding | None:
    """An instruction that is not complete, or goes on after its end."""
    first = case.word(0)
    known = VERBS.get(first) or HEADERS.get(first)
    if known is None or case.at == 0:
        return None
    if first == "end" and case.word(1) not in ("turn", "phase", "game"):
        known = "end turn`, `end phase` or `end game"
    wanted = [w for w in known.split() if w.islower() and w != first and first != "end"]
    have = {t.text for t in case.tokens}
    missing = [w for w in wanted if w.rstrip(":,") and w.rstrip(":,") not in have]
    token = case.shown
    if case.stuck is None:
        text = f"`{first}` is not complete" + (f"; `{missing[0]}` is missing." if missing else ".")
        return Finding("E221", token.start, token.end, text, f"It is written `{known}`.")
    text = f"`{token.text}` cannot stand here in a line that begins with `{first}`."
    if missing:
        text = f"`{missing[0].rstrip(':,')}` is missing before `{token.text}`."
    return Finding("E221", token.start, token.end, text, f"Such a line is written `{known}`.")


def no_verb(case: Case) -> Finding | None:
    """A line that begins with no instruction and no chooser."""
    if case.word(0) in HEADERS or case.word(0) in VERBS:
        return None
    for verb in ("set", "move", "take"):
        if (fixed := case.slot.fixed(case.put(0, verb))) is not None:
            text = "What is to be done is missing at the beginning of this line."
            return case.finding("E221", 0, 1, text, f"Write for example `{fixed}`.")
    if case.is_name(0):
        return None
    text = f"No instruction begins with `{case.word(0)}`."
    cure = "Begin with what is to be done, such as `move`, `set` or `add`, or with the player who chooses."
    return case.finding("E221", 0, 1, text, cure)


def folded(case: Case) -> Finding | None:
    """Several instructions on one line, because the block is not a `|` block."""
    if case.slot.style not in ("folded", "plain", "single", "double") or case.stuck is None:
        return None
    start = case.stuck.start
    if not case.slot.parses("effect", case.slot.text[:start]):
        return None
    text = "Several instructions stand on one line here."
    cure = "Write the effect as a block: `do: |`, and each instruction on a line of its own."
    return Finding("E234", start, case.stuck.end, text, cure)


def two_on_a_line(case: Case) -> Finding | None:
    """A line that is complete and goes on with another instruction."""
    if case.stuck is None or not case.slot.parses("effect", case.slot.text[: case.stuck.start]):
        return None
    i = case.at
    while case.word(i) in (",", "and", "then"):
        i += 1
    if case.word(i) not in VERBS:
        return None
    text = "Each instruction stands on a line of its own."
    cure = f"Write `{case.words(i, len(case.tokens))}` on the next line."
    return case.finding("E216", case.at, len(case.tokens), text, cure)


EFFECT_SLIPS: tuple[Hint, ...] = (
    folded,
    loop,
    repeat,
    chooser,
    other_word,
    then_before_colon,
    body_on_the_line,
    missing_colon,
    stray_colon,
    together,
    two_on_a_line,
)
"""Asked first in the line of an effect."""

LATE_EFFECT_SLIPS: tuple[Hint, ...] = (synonym, shape, no_verb)
"""Asked when nothing else was found."""
