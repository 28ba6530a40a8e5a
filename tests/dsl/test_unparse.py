"""Nodes written as text again: equal trees, one spelling, no bracket too many."""

from __future__ import annotations

import pytest

from rulewright.dsl.same import same
from rulewright.dsl.unparse import WIDTH, unparse, unparse_block
from rulewright.tests.dsl.corpus_files import read, right_texts

RIGHT = right_texts()


def written(slot: str, text: str) -> str:
    node, problems = read(slot, text)
    assert node is not None, problems
    return f"every {unparse(node)}" if slot == "every" else unparse(node)


@pytest.mark.parametrize(("slot", "text"), RIGHT)
def test_what_is_written_is_read_as_the_same(slot: str, text: str) -> None:
    again = written(slot, text)
    assert same(read(slot, text)[0], read(slot, again)[0]), again
    assert written(slot, again) == again


@pytest.mark.parametrize(("slot", "text"), RIGHT)
def test_no_line_of_an_effect_is_too_long_where_words_allow_a_break(slot: str, text: str) -> None:
    if slot == "effect":
        assert all(len(line) <= WIDTH for line in written(slot, text).split("\n"))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("((a))", "a"),
        ("(a or b) or c", "a or b or c"),
        ("a or (b or c)", "a or (b or c)"),
        ("(a and b) or c", "a and b or c"),
        ("a and (b or c)", "a and (b or c)"),
        ("not (a is b)", "not a is b"),
        ("not (a and b)", "not (a and b)"),
        ("(a + b) + c", "a + b + c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a * b) + c", "a * b + c"),
        ("a * (b + c)", "a * (b + c)"),
        ("-(a + b)", "-(a + b)"),
        ("(x of y) of_it", None),
        ("x of (y of z)", "x of y of z"),
        ("x of (a + b)", "x of (a + b)"),
        ("(any card in a where b) and c", "(any card in a where b) and c"),
        ("c and (any card in a where b)", "c and any card in a where b"),
        ("(any card in a) and c", "any card in a and c"),
        ("(count of card in a where b) > 3", "(count of card in a where b) > 3"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("f((a or b), (if a then b else c))", "f(a or b, if a then b else c)"),
        ("sum of (if a then 1 else 2) for card", "sum of (if a then 1 else 2) for card"),
        ("any card where (a) with largest b", "any card where a with largest b"),
        ("any card where (a is b) with largest c", "any card where (a is b) with largest c"),
        ("any card where (a is b)", "any card where a is b"),
        ("a  is   not  in[b,c]", "a is not in [b, c]"),
        ("at least (3) card", "at least 3 card"),
        ("at least (n + 1) card", "at least (n + 1) card"),
        ("can cut(a)", "can cut(a)"),
    ],
)
def test_brackets_stand_only_where_they_are_needed(text: str, want: str | None) -> None:
    if want is None:
        assert read("expr", text)[0] is None
    else:
        assert written("expr", text) == want


def test_a_number_from_to_is_written_as_a_set() -> None:
    assert written("choice", "number from 1 to 3") == "number in [1 to 3]"


def test_blocks_are_indented_by_four_blanks() -> None:
    text = "if a:\n  cut\n  if b:\n     cut\nelse if c:\n cut\nelse:\n   cut\ncut"
    assert written("effect", text).split("\n") == [
        "if a:",
        "    cut",
        "    if b:",
        "        cut",
        "else if c:",
        "    cut",
        "else:",
        "    cut",
        "cut",
    ]


def test_a_long_line_is_broken_before_joining_words_and_reads_the_same() -> None:
    names = [f"a_rather_long_name_{i}" for i in range(12)]
    text = "actor chooses card c in deck where " + " and ".join(names) + ", or none if b:\n    cut"
    lines = written("effect", text).split("\n")
    assert len(lines) > 3
    assert all(line.split()[0] in ("and", "or") for line in lines[1:-1])
    assert all(len(line) <= WIDTH for line in lines)
    assert same(read("effect", text)[0], read("effect", "\n".join(lines))[0])


def test_a_block_can_be_written_at_a_level() -> None:
    node, _ = read("effect", "cut\nif a:\n    cut")
    assert isinstance(node, tuple)
    assert unparse_block(node, 1) == ["    cut", "    if a:", "        cut"]


@pytest.mark.parametrize(
    ("slot", "one", "other"),
    [
        ("expr", "a or b", "b or a"),
        ("expr", "a", "b"),
        ("expr", "3", "4"),
        ("expr", "yes", "no"),
        ("expr", "any card", "no card"),
        ("expr", "any card c", "any card"),
        ("expr", "[a]", "[a, a]"),
        ("expr", "f(a)", "can f(a)"),
        ("effect", "cut", "cut\ncut"),
        ("effect", "roll a", "reroll a"),
    ],
)
def test_different_trees_are_not_the_same(slot: str, one: str, other: str) -> None:
    assert not same(read(slot, one)[0], read(slot, other)[0])
    assert same(read(slot, one)[0], read(slot, f" {one}")[0])
