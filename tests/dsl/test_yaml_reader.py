"""Rule files are read with their places, and wrong ones are explained at the right place."""

from __future__ import annotations

import time

import pytest

from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.yaml_reader import read_yaml


def read(text: str) -> tuple[object, Problems]:
    problems = Problems()
    tree = read_yaml(text, "f.yaml", problems)
    return bare(tree), problems


def bare(tree: Tree | None) -> object:
    if tree is None or isinstance(tree, Scalar):
        return tree.text if tree else None
    if isinstance(tree, Mapping):
        return {entry.key.text: bare(entry.value) for entry in tree.entries}
    return [bare(item) for item in tree.items]


def tree_of(text: str) -> Mapping:
    problems = Problems()
    tree = read_yaml(text, "f.yaml", problems)
    assert isinstance(tree, Mapping) and not len(problems), list(problems)
    return tree


def said(problems: Problems) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in problems]


def test_no_value_is_converted() -> None:
    text = "a: 012\nb: ~\nc: yes\nd: 1e3\ne: null\nf: 0x1F\ng: 2024-01-02\nh: -.inf\n1: 2\nyes: no\n"
    read_as, problems = read(text)
    assert read_as == {
        "a": "012", "b": "~", "c": "yes", "d": "1e3", "e": "null", "f": "0x1F", "g": "2024-01-02",
        "h": "-.inf", "1": "2", "yes": "no",
    }  # fmt: skip
    assert not len(problems)


def test_spans_cover_what_was_written() -> None:
    tree = tree_of("a: 1\nlist:\n  - x\n  - 'y z'\nmap: {p: q}\nblock: |\n  one\n\n  two\n\nlast: 1\n")
    spans = {entry.key.text: entry.value.span for entry in tree.entries if entry.value}
    assert {name: (s.line, s.column, s.end_line, s.end_column) for name, s in spans.items()} == {
        "a": (1, 4, 1, 5),
        "list": (3, 3, 4, 10),
        "map": (5, 6, 5, 12),
        "block": (6, 8, 9, 6),
        "last": (11, 7, 11, 8),
    }
    assert (tree.span.line, tree.span.column, tree.span.end_line, tree.span.end_column) == (1, 1, 11, 8)


def test_styles_are_kept() -> None:
    tree = tree_of("a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\ne: >\n  x\n")
    styles = [entry.value.style for entry in tree.entries if isinstance(entry.value, Scalar)]
    assert styles == ["plain", "single", "double", "literal", "folded"]


def test_a_list_on_one_line_keeps_its_source() -> None:
    tree = tree_of("k: [rank(a, b),  c]\nm: [a,\n  b]\nn:\n  - a\n")
    k, m, n = (entry.value for entry in tree.entries)
    assert isinstance(k, Sequence) and isinstance(m, Sequence) and isinstance(n, Sequence)
    assert k.raw is not None and k.raw.text == "[rank(a, b),  c]" and k.flow
    assert k.raw.at(1, 5) == Span("f.yaml", 1, 5, 1, 9)
    assert m.raw is None and m.flow
    assert n.raw is None and not n.flow


def test_a_key_without_value_is_none() -> None:
    read_as, problems = read("a:\nb: ''\nc:\n  d:\n")
    assert read_as == {"a": None, "b": "", "c": {"d": None}}
    assert not len(problems)


def test_a_byte_order_mark_and_other_line_ends_are_fine() -> None:
    problems = Problems()
    tree = read_yaml("\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\nc: 2\rd: 3", "f.yaml", problems)
    assert bare(tree) == {"a": "1", "b": "x\ny\n", "c": "2", "d": "3"} and not len(problems)
    assert isinstance(tree, Mapping)
    d = tree.get("d")
    assert d is not None and (d.span.line, d.span.column) == (6, 4)


A, Z = "a: 1\n", "\nz: 9\n"
SLIPS = {
    "a colon inside a text": ("text: Note: this", [("E114", 2, 11)]),
    "a colon inside a text in a list": ("t: [a: b: c]", [("E114", 2, 9)]),
    "a quote not closed": ('r:\n  x: "abc\n  y: "d"', [("E115", 3, 6)]),
    "a quote not closed at the end": ("r: 'abc", [("E115", 2, 4)]),
    "an apostrophe in single quotes": ("x: 'don't stop'", [("E116", 2, 9)]),
    "text behind a quote": ('x: "a" b', [("E116", 2, 8)]),
    "a bracket not closed": ("r:\n  x: [a, b\n  y: [c]", [("E117", 3, 6)]),
    "a brace not closed": ("r: {a: b", [("E117", 2, 4)]),
    "the wrong bracket": ("x: [a, b}", [("E118", 2, 9)]),
    "a stray bracket": ("x: ]", [("E118", 2, 4)]),
    "text behind a list": ("x: [a] and b", [("E118", 2, 8)]),
    "an item too many": ("x: [a, , b]", [("E118", 2, 8)]),
    "deeper than the key above": ("r:\n  x: 1\n   y: 2", [("E119", 4, 4)]),
    "between two depths": ("r:\n  x:\n    p: 1\n   q: 2", [("E119", 5, 4)]),
    "less than the block": ("r:\n  do: |\n      move a\n    move b", [("E119", 5, 5)]),
    "a line without colon": ("foo", [("E120", 2, 1)]),
    "an equals sign": ("b = 3", [("E120", 2, 1)]),
    "a missing space": ("game:Rain", [("E120", 2, 5)]),
    "a missing space deeper": ("r:\n  x:\n    p:q", [("E120", 4, 6)]),
    "an item behind its key": ("x: - a", [("E121", 2, 4)]),
    "an item among keys": ("x:\n  b: 1\n  - c", [("E121", 4, 3)]),
    "text behind the sign of a block": ("r:\n  do: | move a", [("E122", 3, 9)]),
    "greater than": ("when: > 3", [("E122", 2, 9)]),
    "an unknown escape": ('x: "a\\qb"', [("E123", 2, 6)]),
    "an escape beyond unicode": ('x: "\\UFFFFFFFF"', [("E123", 2, 5)]),
    "an invisible escape": ('x: "a\\ud800"', [("E123", 2, 6)]),
    "a rule in braces": ("r: {forbid: capture(target, by), when: x}", [("E124", 2, 13)]),
    "a key without value in braces": ("r: {a, b: c}", [("E124", 2, 5)]),
    "a hash in a text": ("when: rank is #1", [("E125", 2, 15)]),
    "a hash at the beginning": ("title: #1 fan", [("E125", 2, 8)]),
    "a comment behind an open sentence": ("when: rank of # the best", [("E125", 2, 15)]),
    "a comment in the middle": ("x:\n  when: a #one\n    and b", [("E125", 3, 11)]),
    "an empty item": ("x:\n  - a\n  -\n  - b", [("E126", 4, 3)]),
    "a block not indented": ("r:\n  do: |\n  move a", [("E128", 4, 3)]),
    "the same key twice": ("r:\n  x: 1\n  x: 2", [("E107", 4, 3)]),
    "the same section twice": ("a: 2", [("E107", 2, 1)]),
    "an anchor": ("x: &y b", [("E108", 2, 4)]),
    "an alias": ("x: *y", [("E108", 2, 4)]),
    "a merge key": ("<<: y", [("E108", 2, 1)]),
    "a tag": ("x: !y", [("E109", 2, 4)]),
    "an at sign": ("x: @y", [("E110", 2, 4)]),
    "a backtick": ("x: `y`", [("E110", 2, 4)]),
    "a percent sign": ("x: %y", [("E110", 2, 4)]),
    "a sign inside a list": ("x: [>= 3, b]", [("E110", 2, 5)]),
    "a list as a key": ("[x]: y", [("E111", 2, 1)]),
    "keys as a key": ("{x: y}: z", [("E111", 2, 1)]),
    "no key": (": y", [("E111", 2, 1)]),
    "a key with a question mark": ("? x\n: y", [("E111", 2, 1), ("E111", 3, 1)]),
    "a second document": ("---\nb: 1", [("E106", 2, 1)]),
    "an end of the document": ("...", [("E106", 2, 1)]),
    "a tab as indentation": ("r:\n\tb: 1", [("E105", 3, 1)]),
    "a tab behind a colon": ("b:\tc", [("E105", 2, 3)]),
    "a separator of lines": ("b: c\u2028d", [("E104", 2, 5)]),
    "an empty character": ("b: c\0d", [("E104", 2, 5)]),
    "a lone surrogate": ("b: c\ud800d", [("E104", 2, 5)]),
    "a strange space": ("r:\n\xa0\xa0b: 1", [("E104", 3, 1)]),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_explained_and_hides_nothing(name: str) -> None:
    slip, expected = SLIPS[name]
    read_as, problems = read(A + slip + Z)
    assert said(problems) == expected
    assert isinstance(read_as, dict)
    assert read_as["a"] == "1" and read_as["z"] == "9"
    for problem in problems:
        assert problem.text.endswith(".") and problem.cure.endswith(".")
        assert not any(word in f"{problem.text} {problem.cure}" for word in ("scalar", "mapping", "token"))


@pytest.mark.parametrize(
    "line",
    [
        "x: a  # a comment",
        "x: a # a comment",
        "x:  # a comment",
        "x: a#b",
        "x: a:b",
        "x: http://x.y",
        "x: 'a: b'",
        "x: a - b",
        "x: a*b & c",
        "x: (a, b), c",
        "x: {a: b, c: 'd (e'}",
        "x: [rank(a, b)]",
        "# only a comment",
        "x: a\t",
        "x: a  #\tcomment",
        "x: a ## loud",
        "x: [\n  a,\n  b\n]",
        "x: a\n   b\n\n   c",
        "x: a?",
        "x: -3",
        "x:\n- a\n- b",
        "x: yes or no # or none",
    ],
)
def test_what_is_right_gives_no_problem(line: str) -> None:
    _, problems = read(A + line + Z)
    assert said(problems) == []


def test_the_cure_of_a_colon_quotes_the_whole_text() -> None:
    _, problems = read('text: Say "no": never')
    assert [p.cure for p in problems] == ["Put the whole sentence in quotes: `text: 'Say \"no\": never'`."]


def test_a_colon_in_the_wrong_depth_names_the_line_above() -> None:
    _, problems = read("rules:\n  one: x\n    two: y\n")
    assert [p.text for p in problems] == [
        "`two` is indented deeper than `one:` above it, which already has its value."
    ]


def test_several_slips_of_one_file_are_all_told() -> None:
    text = (
        "game: Rain\nrules:\n  a:\n    text: No: no\n  b:\n    text: fine\n  c: [x\n  d:\n    - 'e\n"
        "flow:\n  - x\nends: {\nactions:\n  x: y\n"
    )
    read_as, problems = read(text)
    assert said(problems) == [("E114", 4, 13), ("E117", 7, 6), ("E115", 9, 7), ("E117", 12, 7)]
    assert read_as == {
        "game": "Rain",
        "rules": {"b": {"text": "fine"}},
        "flow": ["x"],
        "actions": {"x": "y"},
    }


def test_after_ten_slips_reading_ends_with_a_word() -> None:
    _, problems = read("".join(f"k{i}: a: b\n" for i in range(40)) + "z: 1\n")
    codes = [p.code for p in problems]
    assert codes.count("E114") == 11 and codes[-1] == "E130"


def test_places_behind_tabs_are_those_of_the_file() -> None:
    problems = Problems()
    tree = read_yaml("r:\n  s: 1\n\tt: 'ab'\n", "f.yaml", problems)
    assert said(problems) == [("E105", 3, 1)]
    assert isinstance(tree, Mapping)
    r = tree.get("r")
    assert isinstance(r, Mapping)
    t = r.get("t")
    assert isinstance(t, Scalar) and (t.at(0, 1).line, t.at(0, 1).column) == (3, 6)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E101"),
        (" \n\n", "E101"),
        ("# nothing\n", "E101"),
        ("a: 1\n" * 60_000, "E102"),
        ("a: " + "b " * 12_000, "E102"),
        ("\0\x01\x02" * 3000, "E103"),
        ("\x89PNG\r\n\x1a\n" * 100, "E103"),
    ],
)
def test_what_is_no_rule_file_is_refused(text: str, code: str) -> None:
    read_as, problems = read(text)
    assert read_as is None and [p.code for p in problems] == [code]


HARD = {
    "50 MB": "a: b\n" * 10_000_000,
    "deep brackets": "a: " + "[" * 19_000,
    "deep braces": "a: " + "{a: " * 4_000,
    "deep indentation": "".join("  " * i + "a:\n" for i in range(1000)),
    "deep lists": "- " * 9_000,
    "laughs": "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60)),
    "many keys": "a:\n" + "".join(f"  k{i}: 1\n" for i in range(45_000)),
    "many items": ("a: [" + "b," * 9_000 + "\n") * 90,
    "one key again and again": "k: 1\n" * 49_000,
    "open quotes": "".join(f'k{i}: "\n' for i in range(45_000)),
    "open brackets": "k: [\n" * 49_000,
    "a quote open to the end": "x: 1\n" * 48_000 + 'y: "',
    "slips everywhere": "k: v: w\n" * 49_000,
    "slips in one section": "r:\n" + "  k: v: w\n" * 45_000,
    "tabs": "\ta: b\n" * 40_000,
    "signs": "! " * 9_000,
    "question marks": "? " * 9_000,
    "colons": ": " * 9_000,
    "separators of lines": "a: b\u2028" * 19,
}


@pytest.mark.parametrize("name", HARD)
def test_hard_files_are_refused_quickly_with_a_place(name: str) -> None:
    before = time.process_time()
    _, problems = read(HARD[name])
    assert time.process_time() - before < 6  # 2 s on an idle machine; workers share it here
    found = list(problems)
    assert 0 < len(found) < 200
    assert all(p.span.line > 0 and p.span.column > 0 for p in found)


def test_depth_is_limited_where_it_is_exceeded() -> None:
    text = "a: " + "[" * 80 + "]" * 80 + "\nb: 1\n"
    read_as, problems = read(text)
    assert said(problems) == [("E112", 1, 64)]
    assert read_as == {"b": "1"}
    assert not len(read("a: " + "[" * 59 + "]" * 59)[1])
