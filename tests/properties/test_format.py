"""Laws of the formatter, over all rule files, the corpus, and messy and commented versions of them."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dsl.format_shapes import shape_of_file
from rulewright.dsl.formatter import differs, format_files, format_text
from rulewright.dsl.load import load_game
from rulewright.dsl.problems import Problems
from rulewright.dsl.same import same
from rulewright.dsl.syntax import parse
from rulewright.tests.conftest import SOAK
from rulewright.tests.properties.messy import corpus_files, logic_of, messy, read_tree, rule_files

FILES = rule_files()
GAMES = sorted({path.parent for path in FILES if path.name == "game.yaml"})


@cache
def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in FILES] + corpus_files()


@cache
def bare_texts() -> list[str]:
    """Texts in the right form, without comments and blank lines, which is how `messy` wants them."""
    return [formatted(without_comments(text)) for text in texts()]


def formatted(text: str) -> str:
    problems = Problems()
    result = format_text(text, "f.yaml", problems)
    assert result is not None, (text, list(problems))
    return result


def without_comments(text: str) -> str:
    """Only for texts in which no `#` stands in quotes or pictures."""
    return re.sub(r"(?m)^[ \t]*#.*\n|[ \t]+#.*$|^[ \t]*\n", "", text)


def comments(text: str) -> Counter[str]:
    return Counter(found.rstrip() for found in re.findall(r"(?m)(?:^|[ \t])(#.*)$", text))


def logic(text: str) -> list[tuple[str, object]]:
    tree = read_tree(text)
    return [(slot, parse(slot, scalar, Problems())) for slot, scalar in logic_of(tree, shape_of_file(tree))]


def laws_hold(text: str) -> None:
    result = formatted(text)
    assert formatted(result) == result
    before, after = logic(text), logic(result)
    assert [slot for slot, _ in before] == [slot for slot, _ in after]
    assert all(same(a, b) for (_, a), (_, b) in zip(before, after, strict=True))
    assert comments(text) == comments(result)
    assert all(line == line.rstrip() for line in result.split("\n")) and "\n\n\n" not in result


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-3:]))
def test_a_rule_file_keeps_its_meaning_and_is_settled_after_one_time(path: Path) -> None:
    laws_hold(path.read_text(encoding="utf-8"))


def test_every_text_of_the_corpus_keeps_its_meaning() -> None:
    for text in corpus_files():
        laws_hold(text)


@given(st.data())
def test_however_it_was_written_the_spelling_is_one(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(bare_texts()))
    bad = messy(text, random.Random(data.draw(st.integers(0, 10**9))))
    assert formatted(bad) == text


@settings(max_examples=2000 if SOAK else 60)
@given(st.data())
def test_comments_stay_wherever_they_stand(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(texts()))
    chance = random.Random(data.draw(st.integers(0, 10**9)))
    laws_hold(commented(text, chance))


def commented(text: str, chance: random.Random) -> str:
    """The text with comments and blank lines, wherever YAML and the language take them for such."""
    lines = text.split("\n")
    found: list[str] = []
    for number, (line, free) in enumerate(zip(lines, _free_lines(text), strict=True)):
        if free.above is not None and chance.random() < 0.2:
            least, most = free.above
            found += [""] * chance.randint(0, 2) + [" " * chance.randint(least, most) + f"# alone {number}"]
        if free.behind and "#" not in line and chance.random() < 0.2:
            line += " " * chance.randint(2, 6) + f"# behind {number}"
        found.append(line)
    return "\n".join(found)


@dataclass
class _Free:
    """May a comment stand above a line (at columns from, to), and behind it?"""

    above: tuple[int, int] | None
    behind: bool


def _free_lines(text: str) -> list[_Free]:
    tree = read_tree(text)
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    free = [_Free((0, indent), bool(line.strip())) for indent, line in zip(indents, lines, strict=True)]
    effects = {scalar.span.line for slot, scalar in logic_of(tree, shape_of_file(tree)) if slot == "effect"}
    for scalar in _scalars(tree):
        first, last = scalar.span.line, scalar.span.end_line
        block = scalar.style in ("literal", "folded")
        if not block and last < len(lines):  # below it a comment may stand further to the right
            free[last].above = (0, max(indents[last], indents[first - 1] + 2))
        for line in range(first + 1, last + 1):
            effect = first in effects and scalar.style == "literal" and bool(lines[line - 1].strip())
            above = (indents[first], indents[line - 1] + 2) if effect and line > first + 1 else None
            free[line - 1] = _Free(above, effect if block else line == last)
        if not block and last > first:
            free[first - 1].behind = False
    return free


def _scalars(tree: object) -> list:
    if hasattr(tree, "entries"):
        return [x for e in tree.entries for x in (e.key, *_scalars(e.value))]
    if hasattr(tree, "items"):
        return [x for value in tree.items for x in _scalars(value)]
    return [] if tree is None else [tree]


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_a_formatted_game_loads_as_before(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / folder.name
    for path in folder.rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    problems = Problems()
    for path, text in format_files(copy, problems).items():
        path.write_text(text, encoding="utf-8", newline="\n")
    assert not list(problems)
    before, after = load_game(str(folder)), load_game(str(copy))
    assert [(p.code, p.text) for p in after.problems] == [(p.code, p.text) for p in before.problems]
    assert not any(differs(path, text) for path, text in format_files(copy, problems).items())


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_all_files_of_a_game_are_formatted(folder: Path) -> None:
    found = format_files(folder, Problems())
    assert {path.resolve() for path in found} == {path.resolve() for path in folder.rglob("*.yaml")}
    for path, text in found.items():
        assert differs(path, text) == (path.read_text(encoding="utf-8") != text)
