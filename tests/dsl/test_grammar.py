"""The language as a whole: what parses, how it is read, that the grammar is sound and fast enough."""

from __future__ import annotations

import dataclasses
import inspect
import re
import time

import pytest

from rulewright.dsl import nodes as n
from rulewright.dsl import syntax
from rulewright.dsl.build import ALIASES, Else, ElseIf
from rulewright.dsl.layout import layout_of
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Scalar
from rulewright.dsl.words import CONTEXTUAL, HEADERS, RESERVED, VERBS
from rulewright.tests.dsl.corpus_files import bracketed, read, readings, right_texts, scalar

RIGHT = right_texts()


@pytest.mark.parametrize(("slot", "text"), RIGHT)
def test_a_text_of_the_corpus_parses(slot: str, text: str) -> None:
    node, problems = read(slot, text)
    assert [(p.code, str(p.span), p.text) for p in problems] == []
    assert node is not None


@pytest.mark.parametrize(("slot", "text", "want"), readings())
def test_a_text_is_read_as_it_reads_aloud(slot: str, text: str, want: str) -> None:
    assert bracketed(read(slot, text)[0]) == want


def test_the_corpus_is_large_and_has_every_slot() -> None:
    assert len(RIGHT) >= 400
    assert len(readings()) >= 60
    assert {slot for slot, _ in RIGHT} == set(syntax.START_SYMBOLS)


def test_the_grammar_has_no_conflict() -> None:
    pytest.importorskip("interegular")
    syntax.parser(strict=True)  # raises on the first conflict of rules or of words


def test_every_alias_of_the_grammar_has_its_builder_and_no_builder_is_left_over() -> None:
    rules = syntax.parser().rules
    aliases = {r.alias for r in rules if r.alias and not r.alias.startswith("_")}
    plain = {r.origin.name for r in rules if not r.alias and not r.options.expand1}
    aliases |= {name for name in plain if not name.startswith("_")}
    assert aliases - set(ALIASES) == set()
    assert set(ALIASES) - aliases == set()


def test_every_class_of_nodes_is_built_by_something() -> None:
    abstract = {n.Node, n.Expr, n.Effect, n.TypeNode}
    classes = {c for _, c in inspect.getmembers(n, inspect.isclass) if issubclass(c, n.Node)} - abstract
    built = {type(node) for slot, text in RIGHT for node in every_node(read(slot, text)[0])}
    assert {c.__name__ for c in classes - built} == set()
    assert not built & {Else, ElseIf}


def every_node(value: object) -> list[n.Node]:
    if isinstance(value, n.Node):
        parts = [getattr(value, f.name) for f in dataclasses.fields(value)]
        return [value, *(node for part in parts for node in every_node(part))]
    if isinstance(value, tuple):
        return [node for part in value for node in every_node(part)]
    return []


def slice_of(text: str, span: Span) -> str:
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, last = lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]
    return "\n".join([first, *lines[span.line : span.end_line - 1], last])


@pytest.mark.parametrize(("slot", "text"), RIGHT)
def test_every_span_holds_what_it_is_about(slot: str, text: str) -> None:
    for node in every_node(read(slot, text)[0]):
        there = slice_of(text, node.span)
        assert there.strip() == there
        if isinstance(node, n.Name):
            assert there == node.text
        if isinstance(node, n.Number):
            assert there == str(node.value) or there == "one"
        for field in dataclasses.fields(node):
            span = getattr(node, field.name)
            if field.name.endswith("_span") and span is not None:
                assert slice_of(text, span) == getattr(node, field.name.removesuffix("_span"))


def test_a_form_begins_at_the_bracket_of_its_first_part() -> None:
    node, _ = read("expr", "  (a or b) and c")
    assert isinstance(node, n.And)
    assert (node.span.column, node.span.end_column) == (3, 17)
    assert (node.left.span.column, node.left.span.end_column) == (4, 10)


def test_equal_texts_at_two_places_have_their_own_spans() -> None:
    node, _ = read("effect", "cut(a)\ncut(a)")
    assert isinstance(node, tuple)
    assert [effect.span.line for effect in node] == [1, 2]
    assert syntax.tree_of("effect", "cut(a)") is syntax.tree_of("effect", "cut(a)")


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    name = next(t for t in syntax.parser().terminals if t.name == "NAME").pattern.value
    assert set(re.findall(r"\(\?:([a-z|]+)\)", name)[0].split("|")) == RESERVED


def test_every_word_of_the_grammar_is_known_to_the_messages() -> None:
    words = {
        word
        for t in syntax.parser().terminals
        if t.name != "NAME"
        for word in re.findall(r"[a-z]+", re.sub(r"\\.", " ", t.pattern.value))
    }
    assert words - RESERVED - CONTEXTUAL - set(VERBS) - set(HEADERS) - {"a", "z", "down"} == set()


@pytest.mark.parametrize("word", sorted((CONTEXTUAL | set(VERBS)) - RESERVED))
def test_a_word_that_only_some_places_know_is_free_as_a_name_elsewhere(word: str) -> None:
    for text in (f"{word} of actor > 3", f"x is {word}", f"f({word})", f"[{word}]"):
        assert read("expr", text)[0] is not None
    assert read("effect", f"set {word} to 3")[0] is not None


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_never_a_name(word: str) -> None:
    node, problems = read("effect", f"let {word} be 3")
    assert node is None
    assert [(p.code, p.span.column) for p in problems] == [("E212", 5)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("set x to a\n    and b\n    or c\ncut", 2),
        ("set x to if a then b\n    else if c then d\n    else e", 1),
        ("set x to f(a,\nb,\n\n  c)\ncut", 2),
        ("actor chooses card in a\n        where b,\n        or none:\n    cut", 1),
        ("cut # and so on\n# else\ncut", 2),
        ("set x to [a\n # one\n, b]\ncut", 2),
        ("if a:\n    cut\nelse if b:\n    cut", 2),
        ("cut(\ncut\ncut", 3),
    ],
)
def test_a_line_goes_on_where_a_joining_word_or_a_bracket_says_so(text: str, count: int) -> None:
    assert len(layout_of(text, 9).lines) == count


@pytest.mark.parametrize("unit", [1, 2, 3, 4, 8])
def test_any_consistent_indentation_is_read(unit: int) -> None:
    text = "if a:\n    if b:\n        cut\n    cut\nelse:\n    cut".replace("    ", " " * unit)
    assert bracketed(read("effect", text)[0]) == (
        "[(If [[a [(If [[b [(Do cut)]]]) (Do cut)]]] otherwise=[(Do cut)])]"
    )


def test_windows_line_ends_are_line_ends() -> None:
    text = "if a:\r\n    cut\r\nelse:\r\n    cut(b)\r\n"
    assert bracketed(read("effect", text)[0]) == "[(If [[a [(Do cut)]]] otherwise=[(Do cut [b])])]"


def test_an_unknown_slot_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="slot"):
        read("bananas", "a")


TOO_MUCH = {
    "brackets": "(" * 50_000 + "a" + ")" * 50_000,
    "open brackets": "(" * 100_000,
    "sets": "[" * 4_000 + "]" * 4_000,
    "not": "not " * 2_000 + "a",
    "minus": "-" * 5_000 + "a",
    "of": "x of " * 1_500 + "a",
    "or": "a or " * 2_000 + "a",
    "plus": "a + " * 2_000 + "a",
    "if": "if a then b else " * 500 + "c",
    "where": "any card where " * 600 + "a",
    "calls": "f(" * 3_000 + "a" + ")" * 3_000,
    "figures": "9" * 9_000,
    "text": "a " * 50_000,
}


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
@pytest.mark.parametrize("slot", ["expr", "effect"])
def test_too_much_of_anything_is_a_problem_and_no_crash(slot: str, text: str) -> None:
    begin = time.process_time()
    node, problems = read(slot, text if slot == "expr" else f"set x to {text}")
    assert node is None
    assert len(problems) == 1
    assert len(problems[0].text) + len(problems[0].cure) < 400
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("line", ["if a:", "for each card:", "repeat up to 3 times:"])
def test_blocks_nested_without_end_are_a_problem(line: str) -> None:
    text = "\n".join("  " * i + line for i in range(200))
    node, problems = read("effect", text)
    assert node is None
    assert [p.code for p in problems] == ["E202"]


def test_a_long_effect_with_brackets_never_closed_takes_no_time() -> None:
    begin = time.process_time()
    node, problems = read("effect", "cut(\n" * 15_000)
    assert node is None
    assert 0 < len(problems) <= syntax.MAX_WRONG_LINES
    assert time.process_time() - begin < 5


def test_what_is_as_deep_as_allowed_can_be_read() -> None:
    assert read("expr", " or ".join("abcdefgh" * 12))[0] is not None


def test_parsing_takes_a_fraction_of_a_millisecond_a_line(record_property: pytest.RecordProperty) -> None:
    texts = [(slot, text) for slot, text in RIGHT if slot in ("expr", "effect")]
    lines = sum(text.count("\n") + 1 for _, text in texts)
    syntax.parser()
    syntax.tree_of.cache_clear()
    begin = time.process_time()
    for slot, text in texts:
        read(slot, text)
    each = (time.process_time() - begin) / lines
    record_property("milliseconds_a_line", round(each * 1000, 3))
    assert each < 0.005  # generous: it is some 0.2 ms on a quiet machine


def test_a_text_read_again_is_not_parsed_again() -> None:
    syntax.tree_of.cache_clear()
    for _ in range(5):
        read("expr", "a and b")
    assert syntax.tree_of.cache_info().misses == 1


def test_an_effect_in_a_csv_cell_is_read_too() -> None:
    source = scalar("move a to b")
    cell = Scalar(source.text, source.span, "csv", source.map)
    assert syntax.parse("effect", cell, Problems()) is not None
