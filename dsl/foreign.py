"""Signs that other languages and text programs use and this one does not.

Comes in: a text that did not parse. Goes out: a finding for each foreign sign in it, all at once,
each with the word that does its work here. What never happens: a right text is looked at; so a
sign may be listed although it is fine somewhere (`=` in a header).
To add a sign: a line in `_SIGNS`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from rulewright.dsl.tokens import Edit, Finding, Slot, edited, shortened, write


@dataclass(frozen=True, slots=True)
class _Sign:
    pattern: re.Pattern[str]
    says: str  # `{0}` is the sign
    instead: str | None = None  # a replacement for `re.Match.expand`; None if no text can be given
    cure: str = "Say it with the words of the language."


def _sign(pattern: str, says: str, instead: str | None = None, cure: str = "") -> _Sign:
    sign = _Sign(re.compile(pattern), says, instead)
    return replace(sign, cure=cure) if cure else sign


_QUOTES = "\"'`\u2018\u2019\u201c\u201d\u201e\u201a\u00ab\u00bb"
_SIGNS: tuple[_Sign, ...] = (
    _sign(r"\t+", "A tab cannot stand in a rule; use blanks.", " "),
    _sign(
        r"[\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff\x00-\x08\x0b-\x1f\x7f\x85]+",
        "An invisible sign stands here.",
        " ",
    ),
    _sign(r"\b(\w+)['\u2019]s\s+(\w+)", "`{0}` is said with `of`.", r"\2 of \1"),
    _sign(rf"[{_QUOTES}]+([^{_QUOTES}\n]*)[{_QUOTES}]+", "Words stand without quotes, not as {0}.", r"\1"),
    _sign(rf"[{_QUOTES}]", "A quote cannot stand here; words stand without quotes.", ""),
    _sign(r"\s*&&?\s*", "`{0}` is no sign of the language; the word is `and`.", " and "),
    _sign(r"\s*\|\|?\s*", "`{0}` is no sign of the language; the word is `or`.", " or "),
    _sign(
        r"\s*(?:!==?|<>|\u2260|=/=|/=)\s*",
        "`{0}` is no sign of the language; the words are `is not`.",
        " is not ",
    ),
    _sign(r"=>|\u2265|\u2a7e|> =", "`{0}` is no sign of the language; write `>=`.", ">="),
    _sign(r"=<|\u2264|\u2a7d|< =", "`{0}` is no sign of the language; write `<=`.", "<="),
    _sign(r"\s*={2,3}\s*", "`{0}` is no sign of the language; the word is `is`.", " is "),
    _sign(r"!\s*", "`!` is no sign of the language; the word is `not`.", "not "),
    _sign(r"\s*%\s*", "`%` is no sign of the language; the rest of a division is `mod`.", " mod "),
    _sign(r"\*\*|\^", "There are no powers; multiply with `*`."),
    _sign(r"[\u00d7\u00b7\u22c5]", "`{0}` is no sign of the language; write `*`.", "*"),
    _sign(
        r"\u00f7|//",
        "`{0}` is no sign of the language; divide with `/` and say `rounded down` or `rounded up`.",
    ),
    _sign(r"[\u2212\u2010-\u2015]", "This is a dash; the minus sign is `-`.", "-"),
    _sign(r"\b(\d+)\s*(?:\.\.\.?|\u2026)\s*(\d+)\b", "`{0}` is written with `to`.", r"\1 to \2"),
    _sign(
        r"\b\d+\.\d+",
        "There are only whole numbers, so `{0}` cannot stand here.",
        cure="Count in smaller units, or divide with `/ … rounded down`.",
    ),
    _sign(r"\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b", "`{0}` is said with `of`.", r"\2 of \1"),
    _sign(r"\.\s*$", "A rule ends without a full stop.", ""),
    _sign(r"\s*;\s*$", "A line ends without `;`.", ""),
    _sign(
        r";",
        "`;` is no sign of the language; each instruction stands on a line of its own.",
        cure="Begin a new line here.",
    ),
    _sign(r"\{([^{}]*)\}", "A set stands in square brackets.", r"[\1]"),
    _sign(r"[{}]", "`{0}` is no sign of the language; a block is made by indentation, a set by `[ ]`."),
    _sign(r"\?", "`?` is no sign of the language; write `if … then … else …`."),
    _sign(r"->|\u2192|\u21d2", "`{0}` is no sign of the language."),
    _sign(r"#.*", "A comment cannot stand in a condition; put it on a line of its own above, as YAML's.", ""),
    _sign(r"[$@~\\]", "`{0}` is no sign of the language.", ""),
    _sign(r"\b\w*?[^\W\da-zA-Z_]\w*", "Names are made of the letters a to z, figures and `_`."),
    _sign(r"[^\x20-\x7e\s]", "`{0}` is no sign of the language."),
)


def foreign_signs(slot: Slot) -> list[Finding]:
    """The foreign signs in the text, in order; empty if there is none."""
    taken: list[tuple[re.Match[str], _Sign]] = []
    for sign in _SIGNS:
        for m in sign.pattern.finditer(slot.text):
            if m[0] and not any(m.start() < o.end() and o.start() < m.end() for o, _ in taken):
                taken.append((m, sign))
    if not taken:
        return _equals(slot)
    taken.sort(key=lambda pair: pair[0].start())
    edits = [_edit(m, s) for m, s in taken]
    known = [e for e in edits if e is not None]
    whole = slot.fixed(*known) if len(known) == len(edits) else None
    found = []
    for (m, sign), edit in zip(taken, edits, strict=True):
        shown = m[0].strip()
        start = m.start() + (len(m[0]) - len(m[0].lstrip())) if shown else m.start()
        end = start + len(shown) if shown else m.end()
        cure = write(shortened(whole, edit.text.strip())) if whole and edit else _other(m, sign, edit)
        certain = edit is not None and len(edits) == 1 and whole is not None
        replacement = edit.text.strip() if certain and edit is not None and shown else None
        code = "E224" if sign.pattern.pattern == r"\t+" else "E225" if shown.startswith("#") else "E203"
        found.append(Finding(code, start, end, sign.says.replace("{0}", shown), cure, replacement))
    return found


def _edit(m: re.Match[str], sign: _Sign) -> Edit | None:
    if sign.instead is None:
        return None
    text = m.expand(sign.instead) if "\\" in sign.instead else sign.instead
    return Edit(m.start(), m.end(), text)


def _other(m: re.Match[str], sign: _Sign, edit: Edit | None) -> str:
    """A cure where the whole line cannot be shown right."""
    if edit is not None and edit.text.strip():
        return f"Write `{edit.text.strip()}` here."
    if edit is not None:
        return "Put a blank in its place." if edit.text else "Leave it out."
    plain = unicodedata.normalize("NFKD", m[0]).encode("ascii", "ignore").decode()
    if plain != m[0] and plain.isidentifier():
        return f"Spell it `{plain.lower()}`."
    return sign.cure


_CHANGE = re.compile(r"^\s*(?:set\s+)?([\w ]+?)\s*(\+=|-=|\+\+|--)\s*(.*?)\s*$")
_EQUALS = re.compile(r"\s*(?<![<>]):?=\s*")


def _equals(slot: Slot) -> list[Finding]:
    """`=` is `be`, `to` or `is`, whatever the line is about; in a header it is right."""
    if slot.start in ("header", "type"):
        return []
    if slot.start == "effect" and (m := _CHANGE.match(slot.text)):
        amount = m[3] or "1"
        line = f"add {amount} to {m[1]}" if "+" in m[2] else f"take {amount} from {m[1]}"
        cure = write(line) if slot.parses("effect", line) else f"Write it as `{line}`."
        says = f"`{m[2]}` is no sign of the language; a number changes with `add` and `take`."
        return [Finding("E213", m.start(2), m.end(2), says, cure)]
    signs = list(_EQUALS.finditer(slot.text))
    if not signs:
        return []
    first = signs[0]
    start = first.start() + len(first[0]) - len(first[0].lstrip())
    end = start + len(first[0].strip())
    words = slot.text[: first.start()].split()
    if slot.start == "effect" and words and words[0] == "let":
        edits, says, instead = [_to(first, "be")], "`let` gives a name with `be`.", "be"
    elif slot.start == "effect" and words and words[0] == "set":
        edits, says, instead = [_to(first, "to")], "`set` gives a value with `to`.", "to"
    elif slot.start == "effect" and words and words[0] not in ("if", "else", "repeat", "for", "actor"):
        at = len(slot.text) - len(slot.text.lstrip())
        edits, instead = [Edit(at, at, "set "), _to(first, "to")], None
        says = "A value is given with `set … to …`."
    else:
        edits, says, instead = (
            [_to(m, "is") for m in signs],
            "Whether two are equal is asked with `is`.",
            "is",
        )
    fixed = slot.fixed(*edits)
    cure = write(fixed) if fixed else f"Write `{edited(slot.text, *edits)}`."
    certain = fixed is not None and len(edits) == 1
    return [Finding("E213", start, end, says, cure, instead if certain else None)]


def _to(m: re.Match[str], word: str) -> Edit:
    return Edit(m.start(), m.end(), f" {word} ")
