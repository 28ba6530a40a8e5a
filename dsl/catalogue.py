"""The catalogue of problems: every code, what it is about, a wrong text for it and a right one.

Comes in: nothing. Goes out: `ENTRIES`, by code, and `markdown`, from which docs/problems.md is written.
What never happens: a code that the checker gives and that is not here, or an example that shows another
one; the tests run them all. To add a problem: an entry in `catalogue_files` (reading files), in
`syntax_errors.CODES` (pieces of logic), or in `catalogue_rules`, `_types` or `_meaning` (games).
"""

from __future__ import annotations

from rulewright.dsl.catalogue_entry import BASE, Entry, Example, slot
from rulewright.dsl.catalogue_files import FILE_ENTRIES
from rulewright.dsl.catalogue_meaning import MEANING_ENTRIES
from rulewright.dsl.catalogue_rules import RULE_ENTRIES
from rulewright.dsl.catalogue_types import TYPE_ENTRIES
from rulewright.dsl.syntax_errors import CODES

FOLDED = {"E234": " folded"}  # what is wrong because of the way the text stands in its file
LOGIC_ENTRIES = tuple(
    Entry(code, title[:1].upper() + title[1:], slot(start + FOLDED.get(code, ""), wrong), slot(start, right))
    for code, (title, start, wrong, right) in CODES.items()
)
ENTRIES: dict[str, Entry] = {
    entry.code: entry
    for entry in (*FILE_ENTRIES, *LOGIC_ENTRIES, *RULE_ENTRIES, *TYPE_ENTRIES, *MEANING_ENTRIES)
}
PARTS = (
    ("E1", "Files", "The text of a file cannot be read."),
    ("E2", "Logic", "A condition or an effect cannot be read."),
    (
        "E3",
        "Keys and sections",
        "A file has another form than a rule file, or a variant does not fit its game.",
    ),
    ("E4", "Meaning", "Names, types and rules do not fit together."),
    ("W", "Warnings", "Probably not what was meant; the game can be played."),
)


def markdown() -> str:
    """The catalogue as a page of the documentation."""
    lines = [
        "# Problems",
        "",
        "Every problem has a code. Here is each code with a text that is wrong and the same text put right.",
        "Where an example is a part of a game, the rest of it is the small game at the end of this page.",
        "This page is written from `dsl/catalogue.py`.",
    ]
    for start, title, text in PARTS:
        lines += ["", f"## {title}", "", text]
        for entry in sorted(ENTRIES.values(), key=lambda e: e.code):
            if entry.code.startswith(start):
                lines += ["", f"### {entry.code}: {entry.title}", ""]
                lines += [*_shown("Wrong", entry.wrong), "", *_shown("Right", entry.right)]
    return "\n".join(
        [*lines, "", "## The small game", "", "```yaml", *BASE.rstrip("\n").split("\n"), "```", ""]
    )


def _shown(word: str, example: Example) -> list[str]:
    text = example.text
    if not text.strip() or len(text) > 400 or not all(c.isprintable() or c == "\n" for c in text):
        return [f"{word}: {example.told or 'an empty text'}"]
    told = f" ({example.told})" if example.told else ""
    return [
        f"{word}{told}:",
        "",
        f"```{'csv' if example.form == 'csv' else 'yaml'}",
        *text.rstrip("\n").split("\n"),
        "```",
    ]
