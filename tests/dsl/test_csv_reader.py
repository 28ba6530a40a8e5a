"""Tables are read cell by cell with their places, and wrong ones are explained."""

from __future__ import annotations

import time

import pytest

from rulewright.dsl.csv_reader import read_csv
from rulewright.dsl.problems import Problems, Span


def read(text: str) -> tuple[list[list[str]] | None, Problems]:
    problems = Problems()
    table = read_csv(text, "t.csv", problems)
    if table is None:
        return None, problems
    return [[cell.text for cell in row] for row in (table.columns, *table.rows)], problems


def said(problems: Problems) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in problems]


def test_cells_keep_their_text() -> None:
    rows, problems = read('word,title,cost\nowl,"An ""owl"", grey",012\n~,yes,\n')
    assert rows == [["word", "title", "cost"], ["owl", 'An "owl", grey', "012"], ["~", "yes", ""]]
    assert not len(problems)


def test_spaces_around_cells_do_not_count_but_those_in_quotes_do() -> None:
    assert read('a , b\n x y ," z "\n')[0] == [["a", "b"], ["x y", " z "]]


def test_lines_without_text_do_not_count() -> None:
    rows, problems = read("a,b\n\n1,2\n,\n,,,\n\n")
    assert rows == [["a", "b"], ["1", "2"]] and not len(problems)


def test_a_cell_may_hold_several_lines() -> None:
    problems = Problems()
    table = read_csv('a,b\r\n"one\r\ntwo",3\r\n', "t.csv", problems)
    assert table is not None and not len(problems)
    cell, after = table.rows[0]
    assert cell.text == "one\ntwo" and cell.style == "csv"
    assert cell.at(4, 7) == Span("t.csv", 3, 1, 3, 4)
    assert cell.span == Span("t.csv", 2, 1, 3, 5)
    assert after.span == Span("t.csv", 3, 6, 3, 7)


def test_a_doubled_quote_is_one_character_with_its_place() -> None:
    table = read_csv('a\n"x""y"\n', "t.csv", Problems())
    assert table is not None
    cell = table.rows[0][0]
    assert cell.text == 'x"y' and [cell.map.place(i) for i in range(3)] == [(2, 2), (2, 3), (2, 5)]


def test_the_table_knows_where_it_stands() -> None:
    table = read_csv("a,b\n1,2\n", "t.csv", Problems())
    assert table is not None and table.span == Span("t.csv", 1, 1, 2, 4)


WRONG = {
    "empty": ("", [("E101", 1, 1)], None),
    "nothing but commas": (",,\n,\n", [("E140", 1, 1)], None),
    "too short": ("a,b,c\n1\n4,5,6\n", [("E142", 2, 1)], [["a", "b", "c"], ["4", "5", "6"]]),
    "too long": ("a,b\n1,2,3,4\n", [("E142", 2, 5)], [["a", "b"]]),
    "no name": ("a,,c\n1,2,3\n", [("E143", 1, 3)], [["a", "", "c"], ["1", "2", "3"]]),
    "a name twice": ("a,b,a\n1,2,3\n", [("E144", 1, 5)], [["a", "b", "a"], ["1", "2", "3"]]),
    "open quote": ('a,b\n"x,2\n3,4\n', [("E145", 2, 1)], [["a", "b"], ["3", "4"]]),
    "behind a quote": ('a,b\n"x"y,2\n', [("E146", 2, 4)], [["a", "b"], ["x", "2"]]),
    "semicolons": ("a;b\n1;2\n", [("E147", 1, 2)], None),
    "tabs": ("a\tb\n1\t2\n", [("E147", 1, 2)], None),
    "no rows": ("a,b\n", [("E149", 1, 3)], [["a", "b"]]),
    "separator of lines": ("a,b\n1,x\u2028y\n", [("E104", 2, 4)], [["a", "b"], ["1", "x y"]]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_table_is_explained_at_its_place(name: str) -> None:
    text, expected, rows = WRONG[name]
    found, problems = read(text)
    assert said(problems) == expected and found == rows
    assert all(p.text.endswith(".") and p.cure.endswith(".") for p in problems)


def test_a_row_too_short_names_what_is_missing() -> None:
    _, problems = read("word,icon,cost\nowl,moon\n")
    assert [p.text for p in problems] == ["This row has 2 cells, but the table has 3 columns; missing: cost."]


HARD = {
    "50 MB": "a,b\n" * 12_000_000,
    "binary": "\0\x05,\x07" * 5000,
    "many cells": "a,b\n" * 49_000,
    "wide": ("," * 19_000 + "x\n") * 50,
    "quotes": 'a,"b""\n' * 49_000,
    "open quotes": "a,b\n" + '"x,y\n' * 48_999,
    "ragged": "a,b\n" + "1\n" * 40_000,
}


@pytest.mark.parametrize("name", HARD)
def test_hard_tables_are_refused_quickly_with_a_place(name: str) -> None:
    before = time.process_time()
    _, problems = read(HARD[name])
    assert time.process_time() - before < 6  # 2 s on an idle machine; workers share it here
    found = list(problems)
    assert 0 < len(found) < 100
    assert all(p.span.line > 0 and p.span.column > 0 for p in found)
