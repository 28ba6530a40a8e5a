"""What a designer is told when a text does not parse."""

from __future__ import annotations

import random
import re

import pytest

from rulewright.dsl import syntax
from rulewright.dsl.problems import Problem, Problems
from rulewright.dsl.syntax_errors import CODES
from rulewright.tests.dsl.corpus_files import read, right_texts, scalar, wrong_texts

WRONG = wrong_texts()
RIGHT = right_texts()


@pytest.mark.parametrize(("slot", "expected", "text"), WRONG)
def test_a_wrong_text_is_refused_with_its_code_at_its_place(
    slot: str, expected: list[tuple[str, int, int]], text: str
) -> None:
    node, problems = read(slot, text)
    assert node is None
    assert [(p.code, p.span.line, p.span.column) for p in problems] == expected


def test_the_corpus_of_wrong_texts_is_large() -> None:
    assert len(WRONG) >= 80


@pytest.mark.parametrize(("code", "entry"), CODES.items(), ids=CODES.keys())
def test_every_code_has_a_wrong_and_a_right_example(code: str, entry: tuple[str, str, str, str]) -> None:
    _about, slot, wrong, right = entry
    node, problems = read(slot, wrong, "folded" if code == "E234" else "literal")
    assert node is None
    assert [p.code for p in problems] == [code]
    assert read(slot, right)[1] == []


SAYS = {
    # slot, wrong: what must be said, what it must lead to
    ("expr", "coins actor > 3"): ("`of` is missing", "Write `coins of actor > 3`."),
    ("expr", "1 <= coins of actor <= 6"): (
        "Two comparisons cannot be chained.",
        "Write `coins of actor is in [1 to 6]`.",
    ),
    ("expr", "1 < coins of actor < 6"): ("chained", "Write `1 < coins of actor and coins of actor < 6`."),
    ("expr", "suit is hearts, spades"): ("several", "Write `suit is in [hearts, spades]`."),
    ("expr", "suit is not hearts, spades"): ("several", "Write `suit is not in [hearts, spades]`."),
    ("expr", "count card in deck"): ("`of` is missing", "Write `count of card in deck`."),
    ("expr", "any card c hand of actor"): ("`in` or `on`", "Write `any card c in hand of actor`, or `on`"),
    ("expr", "count of card on t where x is 0 is 0"): (
        "two comparisons",
        "`(count of card on t where x is 0) is 0`",
    ),
    ("expr", "actor's hand is empty"): ("`of`", "Write `hand of actor is empty`."),
    ("expr", "a && !b || c"): ("`&&`", "Write `a and not b or c`."),
    ("expr", "rank ≥ 3"): ("`>=`", "Write `rank >= 3`."),
    ("expr", "coins of actor is at least 3"): ("`>=`", "Write `coins of actor >= 3`."),
    ("expr", "any card wher a"): ("Did you mean `where`?", "Write `any card where a`."),
    ("expr", "number of card in deck"): ("`count of`", "Write `count of card in deck`."),
    ("expr", "card in hand of actor"): ("by itself", "`all card in hand of actor`"),
    ("expr", "a / 2"): ("rounds", "Write `a / 2 rounded down`, or `rounded up`."),
    ("expr", "if a then b"): ("else", "Add `else`"),
    ("expr", "move a to b"): ("instruction", ""),
    ("effect", "let x = 3"): ("`be`", "Write `let x be 3`."),
    ("effect", "x = 3"): ("`set … to …`", "Write `set x to 3`."),
    ("effect", "x += 2"): ("`add`", "Write `add 2 to x`."),
    ("effect", "if a\n    cut"): ("colon", "Write `if a:`."),
    ("effect", "if a:"): ("nothing stands in it", "indented"),
    ("effect", "if a: cut"): ("line of its own", "Write `cut` on the next line, indented."),
    ("effect", "for player p:\n    cut"): ("`for each`", "Write `for each player p:`."),
    ("effect", "choose card c in deck:\n    cut"): ("who", "Write `actor chooses card c in deck:`."),
    ("effect", "repeat 3 times:\n    cut"): ("`up to`", "Write `repeat up to 3 times:`."),
    ("effect", "move a"): ("`to` is missing", "`move PIECES to PLACE`"),
    ("effect", "put a on b"): ("`put` is no instruction", "`move PIECES to PLACE`"),
    ("effect", "move n card in a to b"): ("brackets", "Write `move (n) card in a to b`."),
    ("effect", "cut\n    cut"): ("indented", ""),
    ("effect", "if a:\n        cut\n    cut"): ("between two levels", ""),
    ("effect", "while a:\n    cut"): ("limit", "`repeat up to 10 times while a:`"),
    ("effect", "actor chooses card in a or none:\n    cut"): ("comma", "card in a, or none:`"),
    ("choice", "any card in deck"): ("without `any`", "Write `card in deck`."),
    ("range", "2-5"): ("difference", "Write `2 to 5`."),
}


@pytest.mark.parametrize(("slot", "text"), SAYS.keys())
def test_a_known_slip_is_named_and_cured(slot: str, text: str) -> None:
    says, cure = SAYS[slot, text]
    node, problems = read(slot, text)
    assert node is None
    assert says in problems[0].text
    assert cure in problems[0].cure


def all_problems() -> list[tuple[str, str, Problem]]:
    return [(slot, text, p) for slot, _, text in WRONG for p in read(slot, text)[1]]


@pytest.mark.parametrize(("slot", "text", "problem"), all_problems())
def test_every_message_is_a_sentence_with_a_cure(slot: str, text: str, problem: Problem) -> None:
    assert problem.text[0].isupper() or problem.text.startswith("`")
    assert problem.text.endswith((".", "?"))
    assert problem.cure.endswith(".")
    everything = problem.text + problem.cure
    assert everything.count("`") % 2 == 0
    assert not re.search(r"\b(token|lexer|parser|syntax|NUMBER_|_[A-Z]+|LPAR|RPAR)\b|\$END", everything)
    lines = text.split("\n")
    span = problem.span
    assert 1 <= span.line <= span.end_line <= len(lines)
    assert (span.line, span.column) < (span.end_line, span.end_column) or not text.strip()


CERTAIN = [x for x in all_problems() if x[2].replacement is not None]


@pytest.mark.parametrize(("slot", "text", "problem"), CERTAIN)
def test_a_replacement_takes_its_problem_away(slot: str, text: str, problem: Problem) -> None:
    lines = text.split("\n")
    span = problem.span
    assert span.line == span.end_line
    line = lines[span.line - 1]
    lines[span.line - 1] = line[: span.column - 1] + (problem.replacement or "") + line[span.end_column - 1 :]
    left = read(slot, "\n".join(lines))[1]
    assert problem.code not in [p.code for p in left if p.span.line == span.line]
    assert len(left) < len(read(slot, text)[1])


_PARTLY = ("E203", "E204", "E205", "E207", "E211", "E213", "E218", "E220", "E226", "E228", "E241")
"""Their cures may show a word only."""


def test_the_line_in_a_cure_parses() -> None:
    checked = 0
    for slot, text, problem in all_problems():
        shown = re.fullmatch(r"Write `([^`]*)`\.", problem.cure)
        if (
            shown
            and "…" not in shown[1]
            and (slot != "effect" or "\n" not in text)
            and problem.code != "E211"
        ):
            checked += 1
            assert syntax.parses(slot, shown[1]) or problem.code in ("E203", "E213", "E218", "E220"), shown[1]
    assert checked > 60


def test_all_lines_of_an_effect_are_looked_at() -> None:
    text = "shufle deck\nif a\n    move b\n    cut\nroll\nfor player:\n    cut"
    assert [(p.code, p.span.line) for p in read("effect", text)[1]] == [
        ("E211", 1),
        ("E214", 2),
        ("E221", 3),
        ("E221", 5),
        ("E218", 6),
    ]


def test_an_else_below_a_wrong_if_is_not_blamed() -> None:
    assert [p.code for p in read("effect", "if a b:\n    cut\nelse:\n    cut")[1]] == ["E208"]


def test_a_problem_in_a_continued_line_is_on_its_own_line() -> None:
    problems = read("effect", "set x to a # why\n    # not\n    and b c\n")[1]
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [("E208", 3, 11)]


def test_an_effect_folded_to_one_line_is_told_about_blocks() -> None:
    node, problems = read("effect", "cut shuffle deck", "folded")
    assert node is None
    assert [(p.code, p.span.column) for p in problems] == [("E234", 5)]
    assert "do: |" in problems[0].cure


def test_repairs_are_offered_for_others_to_choose_from() -> None:
    found = syntax.repairs("expr", "coins actor > 3")
    assert found[0].text == "coins of actor > 3"
    assert all(syntax.parses("expr", r.text) for r in found)
    assert syntax.repairs("expr", "coins of actor > 3") == []


@pytest.mark.parametrize(
    "text", ["not not_ a b", "no card card in x y", "a and not b c", "x is not none y", "not (a b", "no no a"]
)
def test_no_repair_turns_the_meaning_round(text: str) -> None:
    for repair in syntax.repairs("expr", text):
        for word in ("not", "no", "none"):
            assert repair.text.split().count(word) == text.split().count(word)


WORDS = [
    *("a", "of", "in", "on", "to", "is", "not", "and", "or", "any", "every", "card", "if", "then", "else"),
    *("for", "each", "where", "with", "largest", "no", "count", "up", "has", "move", "set", "chooses"),
    *("actor", "repeat", "times", "none", "while", "99999999999", "\u00e9", "&&", "is."),
    *("(", ")", "[", "]", ",", ":", "3", "=", ";", "#", "-", "/"),
]


def test_no_text_brings_the_messages_down(figure: object) -> None:
    chance = random.Random(7)
    for round_ in range(figure(500, 30_000)):  # type: ignore[operator]
        slot, text = chance.choice(RIGHT)
        words = text.replace("\n", " \n ").split(" ")
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(words))
            match chance.randrange(4):
                case 0:
                    words[at] = chance.choice(WORDS)
                case 1:
                    words.insert(at, chance.choice(WORDS))
                case 2:
                    words.pop(at)
                    words = words or ["a"]
                case _:
                    words[at] = words[at][:-1]
        wrong = " ".join(words).replace(" \n ", "\n")
        node, problems = read(slot, wrong)
        assert (node is None) == bool(problems), (round_, slot, wrong)


def test_nonsense_brings_the_messages_down_neither() -> None:
    chance = random.Random(8)
    for _ in range(200):
        text = "".join(
            chance.choice(" \n\tabof,()[]:#=<>\"'\u2019\u00e9\u2028\ud83c9_-")
            for _ in range(chance.randrange(40))
        )
        for slot in syntax.START_SYMBOLS:
            problems = Problems()
            node = syntax.parse(slot, scalar(text), problems)
            assert (node is None) == bool(len(problems)), (slot, text)
