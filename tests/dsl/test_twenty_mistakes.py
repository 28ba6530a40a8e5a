"""A copy of a whole game with twenty mistakes of different kinds: one run finds them all, each in its place.

Comes in: the folder rules/vye, changed by exact replacements. Each mistake names the text to blame, which
gives line and column; nothing else may be reported.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl.load import load_game

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Mistake:
    """`old`, which stands in the file once, becomes `new`; `blame` in it is at fault, `cure` helps."""

    file: str
    old: str
    new: str
    blame: str
    code: str
    cure: str


MISTAKES = (
    # keys, their values, and the form of sections
    Mistake("cards.yaml", "title: The Inevitable", "titel: The Inevitable", "titel", "E301", "`title`"),
    Mistake(
        "cards.yaml",
        "deck: {holds: cards, as: pile",
        "deck: {holds: cards, as: pille",
        "pille",
        "E304",
        "`pile`",
    ),
    Mistake("lands.yaml", "    after: play\n", "    aftre: play\n", "aftre", "E301", "`after`"),
    Mistake("tables.yaml", "3      10     11    12\n", "3      10     11\n", "3 ", "E312", "first line"),
    Mistake("tables.yaml", "    4  .  5\n", "    4  .  6\n", "6", "E313", "once"),
    Mistake(
        "capture.yaml",
        "    because: That card is yours already.\n",
        "",
        "own_cards_are_not_attacked",
        "E302",
        "because",
    ),
    # what the reader of files stumbles over
    Mistake(
        "scoring.yaml", "title: Nobody can play", "title: Nobody: all are stuck", ": all", "E114", "quotes"
    ),
    Mistake("scoring.yaml", "title: Every Land has", 'title: "Every Land has', '"', "E115", '"'),
    # logic that cannot be read
    Mistake(
        "families.yaml",
        "played is family and played is not heir",
        "played is family && played is not heir",
        "&&",
        "E203",
        "family and played",
    ),
    Mistake(
        "flow.yaml",
        "repeat up to hand_size times while",
        "repeat up to hand_size times whlie",
        "whlie",
        "E211",
        "while",
    ),
    Mistake("flow.yaml", "set passes_in_a_row to 0", "set passes_in_a_row 0", "0", "E210", "to 0"),
    # names
    Mistake(
        "capture.yaml", "when: fortified(target)", "when: fortifed(target)", "fortifed", "E402", "`fortified`"
    ),
    Mistake("flow.yaml", "      claim(played)\n", "      clame(played)\n", "clame", "E404", "`claim`"),
    Mistake("flow.yaml", "actions: [play, cover]", "actions: [paly, cover]", "paly", "E404", "`play`"),
    Mistake("cards.yaml", "copies: one per house", "copies: one per hause", "hause", "E406", "`house`"),
    # types and ranges
    Mistake("scoring.yaml", "top of deck is empress", "top of deck > 3", "top of deck", "E411", "number"),
    Mistake(
        "always.yaml", "exactly 1 empress in deck", "exactly deck empress in deck", "deck", "E411", "count of"
    ),
    Mistake("capture.yaml", "lose(attacker)", "lose(attacker, actor)", "lose", "E416", "a token"),
    Mistake("flow.yaml", "add 1 to passes_in_a_row", "add 1 to deck", "deck", "E422", "state"),
    # secrecy
    Mistake(
        "flow.yaml",
        "any card in adjacent of spot",
        "any land in hand of left of actor",
        "land",
        "E431",
        "test it in `do`",
    ),
)


def test_twenty_mistakes_are_found_in_one_run_each_in_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "vye"
    shutil.copytree(ROOT / "rules" / "vye", folder)
    wanted = []
    for m in MISTAKES:
        text = (folder / m.file).read_text(encoding="utf-8")
        assert text.count(m.old) == 1, m
        (folder / m.file).write_text(text.replace(m.old, m.new), encoding="utf-8")
    for m in MISTAKES:
        text = (folder / m.file).read_text(encoding="utf-8")
        where = text.index(m.new) + m.new.index(m.blame) if m.new else text.index(m.blame)
        line = text.count("\n", 0, where) + 1
        wanted.append((m.file, line, where - text.rfind("\n", 0, where), m.code))
    found = load_game(str(folder)).problems
    places = [(Path(p.span.file).name, p.span.line, p.span.column, p.code) for p in found]
    assert len(MISTAKES) == 20
    assert sorted(places) == sorted(wanted), "\n".join(f"{p.span}: {p.code} {p.text} {p.cure}" for p in found)
    for mistake, place in zip(MISTAKES, wanted, strict=True):
        assert mistake.cure in found[places.index(place)].cure, found[places.index(place)]
