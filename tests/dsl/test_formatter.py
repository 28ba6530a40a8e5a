"""The formatter, case by case: what it writes, what it leaves to the author, what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.dsl import formatter
from rulewright.dsl.format_check import same_comments, says_the_same
from rulewright.dsl.format_kinds import as_written
from rulewright.dsl.format_scalars import inline, is_plain, picture
from rulewright.dsl.format_shapes import shape_of_file
from rulewright.dsl.format_wrap import wrap_logic
from rulewright.dsl.formatter import differs, format_file, format_files, format_text
from rulewright.dsl.problems import Problems
from rulewright.dsl.source import Mapping, Scalar
from rulewright.dsl.yaml_reader import read_yaml


def formatted(text: str) -> str:
    problems = Problems()
    result = format_text(text, "f.yaml", problems)
    assert result is not None, list(problems)
    assert format_text(result, "f.yaml", problems) == result
    return result


def define(logic: str) -> str:
    """How a piece of logic is spelt as the value of a definition."""
    return formatted(f"define:\n  x: {json.dumps(logic)}\n").removeprefix("define:\n  x: ").rstrip("\n")


def effect(*lines: str) -> list[str]:
    text = "events:\n  e:\n    do: |\n" + "".join(f"      {line}".rstrip() + "\n" for line in lines)
    return [line[6:] for line in formatted(text).splitlines()[3:]]


# ------------------------------------------------------------------------------ YAML


@pytest.mark.parametrize(
    ("written", "want"),
    [
        ("state:\n      x:\n           is: yes or no\n", "state:\n  x:\n    is: yes or no\n"),
        ("flow:\n- play:\n    who: a\n", "flow:\n  - play:\n      who: a\n"),
        ("state: { x:   {is: player ,per: player} }\n", "state: {x: {is: player, per: player}}\n"),
        ("game:    A\nlanguage:   1", "game: A\nlanguage: 1\n"),
        ("\n\n\ngame: A\n\n\n\nlanguage: 1\n\n\n", "game: A\n\nlanguage: 1\n"),
        ("game: A\r\nlanguage: 1\r\n", "game: A\nlanguage: 1\n"),
        ("state:\n\n  x: {is: player}\n", "state:\n  x: {is: player}\n"),
        ("---\ngame: A\n", "game: A\n"),
    ],
)
def test_indentation_and_blanks(written: str, want: str) -> None:
    assert formatted(written) == want


def test_the_order_of_keys_is_the_authors() -> None:
    text = "rules:\n  one:\n    when: a\n    title: T\n    after: e\n    do: |\n      cut\n"
    assert formatted(text) == text


@pytest.mark.parametrize(
    ("written", "want"),
    [
        ("game: 'It is'", "game: It is"),
        ('game: "A: b"', 'game: "A: b"'),
        ("game: 'A \"b\": c'", "game: 'A \"b\": c'"),
        ('game: "yes"', "game: yes"),
        ('game: "{x}"', 'game: "{x}"'),
        ('game: "#1"', 'game: "#1"'),
        ('game: "a #1"', 'game: "a #1"'),
        ('game: "a#1"', "game: a#1"),
        ('game: "- a"', 'game: "- a"'),
        ('game: "-1"', "game: -1"),
        ('game: "a\\tb"', 'game: "a\\tb"'),
        ('"game": x', "game: x"),
    ],
)
def test_quotes_stand_where_yaml_needs_them(written: str, want: str) -> None:
    assert formatted(written + "\n") == want + "\n"


def test_a_text_may_need_quotes_in_brackets_alone() -> None:
    assert (
        formatted('cards:\n  a: {code: "{x}", title: "B{x}"}\n')
        == 'cards:\n  a: {code: "{x}", title: "B{x}"}\n'
    )
    assert formatted('cards:\n  a:\n    code: "B{x}"\n') == "cards:\n  a:\n    code: B{x}\n"


@pytest.mark.parametrize(
    "text",
    ["a: b", "a:", "- a", "? a", "[a", "{", "'", "", " a", "a ", "a #b", "a\nb", "---", "`", "@x", "%"],
)
def test_what_yaml_would_read_otherwise_is_not_plain(text: str) -> None:
    assert not is_plain(text)
    tree = read_yaml(f"key: {inline(text)}\n", "f.yaml", Problems())
    assert isinstance(tree, Mapping) and isinstance(value := tree.get("key"), Scalar) and value.text == text


def test_names_stand_in_brackets_when_there_is_room() -> None:
    assert formatted(
        "actions:\n  a:\n    text: T\nflow:\n  - p:\n      actions:\n        - a\n        - b\n"
    ).endswith("      actions: [a, b]\n")
    long = [f"a_rather_long_name_{n}" for n in range(8)]
    text = "flow:\n  - p:\n      actions:\n" + "".join(f"        - {name}\n" for name in long)
    assert formatted(text) == text


def test_a_long_list_in_brackets_goes_on_below_its_first_item() -> None:
    names = [f"a_rather_long_name_{n}" for n in range(6)]
    lines = formatted(f"include: [{', '.join(names)}]\n").splitlines()
    assert [line.index("a_") for line in lines] == [10, 10] and all(len(line) <= 100 for line in lines)


def test_braces_hold_no_conditions() -> None:
    assert formatted("rules:\n  r: {forbid: e, when: x, because: B}\n") == (
        "rules:\n  r: {forbid: e, when: x, because: B}\n"
    )
    assert formatted("rules:\n  r: {forbid: e, when: x is y, because: B}\n") == (
        "rules:\n  r:\n    forbid: e\n    when: x is y\n    because: B\n"
    )


def test_braces_that_are_too_long_are_opened() -> None:
    title = "A title that takes some forty columns or so"
    text = f"options:\n  o: {{title: {title}, default: no, text: {title}}}\n"
    assert formatted(text) == f"options:\n  o:\n    title: {title}\n    default: no\n    text: {title}\n"


def test_a_long_sentence_is_folded() -> None:
    sentence = " ".join(["word"] * 30)
    lines = formatted(f"game: A\ntext: {sentence}\n").splitlines()
    assert lines[1] == "text: >" and " ".join(line.strip() for line in lines[2:]) == sentence
    assert all(len(line) <= 100 for line in lines)
    assert formatted("game: A\ntext: >\n  Two\n  words\n") == "game: A\ntext: Two words\n"


# ------------------------------------------------------------------------------ pictures


def test_columns_of_pictures_are_aligned() -> None:
    assert picture("[x] Fm/r2 .\n.  .   Lw\n") == ["[x]  Fm/r2  .", ".    .      Lw"]


def test_figures_are_aligned_to_the_right() -> None:
    assert picture("players few most\n 2 9 10\n 3 10 11\n") == [
        "players  few  most",
        "      2    9    10",
        "      3   10    11",
    ]


def test_rows_set_off_on_purpose_stay() -> None:
    assert picture("   a b\n  c d e\n a b\n") == ["  a b", " c d e", "a b"]
    text = "layouts:\n  hive: |2\n     a b\n    c d e\n"
    assert formatted(text) == "layouts:\n  hive: |2\n     a b\n    c d e\n"


# ------------------------------------------------------------------------------ logic


@pytest.mark.parametrize(
    ("written", "want"),
    [
        ("((a))  or (b)", "a or b"),
        ("f( a,b )", "f(a, b)"),
        ("[a,b , 1 to  3]", "[a, b, 1 to 3]"),
        ("count of card in deck > 3", "(count of card in deck) > 3"),
        (
            "count of card in deck + 1 is sum of a for card",
            "(count of card in deck) + 1 is (sum of a for card)",
        ),
        ("x is (count of card in deck)", "x is count of card in deck"),
        ("every player has (a or b)", "every player has (a or b)"),
        ("every player has a or b", "every player has (a or b)"),
        ("every player has (a and b)", "every player has a and b"),
        ("sum of count of token on c for card c", "sum of (count of token on c) for card c"),
    ],
)
def test_logic_has_one_spelling(written: str, want: str) -> None:
    assert define(written).strip('"') == want


def test_a_long_condition_is_folded_where_it_can_be_read_aloud() -> None:
    parts = [f"any card c in hand of actor where rank of c is {n}" for n in range(3)]
    assert define(" or ".join(f"({part})" for part in parts)).splitlines() == [
        ">",
        f"    ({parts[0]})",
        f"    or ({parts[1]})",
        f"    or {parts[2]}",
    ]
    assert define("a or\n b") == "a or b"


def test_lines_are_broken_outside_of_brackets_and_before_the_loosest_word() -> None:
    text = "every player p has (sum of x for card x on table) + (count of token of p) is 4 * land_sets + 4"
    assert wrap_logic(text, 60, 60) == [
        "every player p has (sum of x for card x on table)",
        "+ (count of token of p) is 4 * land_sets + 4",
    ]
    text = "if some_name < other_name then (count of token in squares) - other_name else 1"
    assert wrap_logic(text, 60, 60) == [
        "if some_name < other_name",
        "then (count of token in squares) - other_name else 1",
    ]
    assert wrap_logic("a of b", 3, 3) == ["a", "of b"]
    assert wrap_logic("a is in b", 3, 3) == ["a", "is in b"]


def test_headers_are_spelt_like_logic() -> None:
    assert formatted("events:\n  hit( card  c,player p=actor ):\n    text: T\n") == (
        "events:\n  hit(card c, player p = actor):\n    text: T\n"
    )


def test_logic_of_a_variant_is_spelt_too() -> None:
    text = "variant: V\nof: g\nchange:\n  define.x.y: %s\n  rules.r.when: %s\n"
    text += "add:\n  rules:\n    n: {when: %s}\n"
    assert formatted(text % ("((a))", "(b)", "(c)")) == text % ("a", "b", "c")


# ------------------------------------------------------------------------------ effects


def test_an_effect_is_indented_by_four() -> None:
    assert effect("if (a):", " cut", "else:", "          for each card:", "               draw( card )") == [
        "if a:",
        "    cut",
        "else:",
        "    for each card:",
        "        draw(card)",
    ]


def test_a_long_instruction_goes_on_further_to_the_right() -> None:
    long = (
        "place disc of actor on (the space on lane where (space is empty) with largest row_number of space)"
    )
    assert effect(long, "cut") == [
        "place disc of actor",
        "        on (the space on lane where (space is empty) with largest row_number of space)",
        "cut",
    ]


def test_comments_of_an_effect_stay_with_their_instructions() -> None:
    assert effect(
        "# about a",
        "if a:   # why",
        "  # about b",
        "  cut",
        "  # behind b",
        "# behind if",
        "",
        "",
        "else:",
        "  cut     # c",
        "  draw(x)   # d",
        "# the end",
    ) == [
        "# about a",
        "if a:  # why",
        "    # about b",
        "    cut",
        "    # behind b",
        "# behind if",
        "",
        "else:",
        "    cut      # c",
        "    draw(x)  # d",
        "# the end",
    ]


def test_comments_inside_an_instruction_go_above_it() -> None:
    assert effect("let x be (a   # one", "    # two", "    + b)   # three") == [
        "# two",
        "# one",
        "let x be a + b  # three",
    ]


# ------------------------------------------------------------------------------ comments


def test_comments_stay_where_they_are() -> None:
    text = """# the game

game: A  # its name
# state
state:
  # x
  x: {is: player}      # of x
  long: {is: player}   # of long
  # behind long
# behind state
flow:
  - play:
      who: a
      # behind who
    # behind play
  # behind all
# end
"""
    assert formatted(text) == text.replace("      # of x", "     # of x").replace(
        "   # of long", "  # of long"
    )


def test_comments_in_a_list_open_it() -> None:
    assert formatted("players: [a,   # one\n  # two\n  b,\n  c]   # three\n") == (
        "players:\n  - a  # one\n  # two\n  - b\n  - c  # three\n"
    )


def test_a_sign_in_a_text_is_no_comment() -> None:
    text = 'game: "A # b"\nnotation:\n  b: a#1\nlayouts:\n  l: |\n    1  # 2\n'
    assert formatted(text) == text


# ------------------------------------------------------------------------------ refusals and safety


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("game: [a\nb: c\n", "E1"),
        ("define:\n  x: a or\n", "E229"),
        ("define:\n  f(: a\n", "E2"),
        ("- a\n- b\n", "E300"),
        ("", "E101"),
        ("\0\0", "E10"),
    ],
)
def test_a_file_with_mistakes_is_left_alone(text: str, code: str) -> None:
    problems = Problems()
    assert format_text(text, "f.yaml", problems) is None
    assert any(p.code.startswith(code) for p in problems)


def test_what_the_schema_does_not_know_keeps_its_words() -> None:
    assert (
        formatted("bananas:\n    x:   ((a))\n    y: [b  c,d]\n") == "bananas:\n  x: ((a))\n  y: [b  c, d]\n"
    )


BASE = """define:
  x: a or b
layouts:
  l: |
    1  2
events:
  e:
    do: |
      cut  # why
game: A  # name
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a or b", "a and b"),
        ("a or b", "b or a"),
        ("1  2", "2  1"),
        ("cut", "draw"),
        ("  e:", "  f:"),
        ("game: A", "game: B"),
        ("game: A", "game: [A]"),
        ("game: A  # name\n", ""),
    ],
)
def test_the_last_check_finds_every_change(old: str, new: str) -> None:
    a, b = read_yaml(BASE, "f.yaml", Problems()), read_yaml(BASE.replace(old, new, 1), "f.yaml", Problems())
    assert isinstance(a, Mapping)
    assert says_the_same(a, a, shape_of_file(a), as_written)
    assert not says_the_same(a, b, shape_of_file(a), as_written)


@pytest.mark.parametrize("lost", ["  # why", "  # name"])
def test_the_last_check_misses_no_comment(lost: str) -> None:
    less = BASE.replace(lost, "")
    a, b = read_yaml(BASE, "f.yaml", Problems()), read_yaml(less, "f.yaml", Problems())
    assert isinstance(a, Mapping) and isinstance(b, Mapping)
    lines, shape = BASE.split("\n"), shape_of_file(a)
    assert same_comments(lines, a, lines, a, shape)
    assert not same_comments(lines, a, less.split("\n"), b, shape)


def test_a_fault_of_the_formatter_leaves_the_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    write: Callable[..., list[str]] = formatter.write
    monkeypatch.setattr(
        formatter, "write", lambda *args: [line.replace("a or b", "a") for line in write(*args)]
    )
    problems = Problems()
    assert format_text(BASE, "f.yaml", problems) is None
    assert [p.code for p in problems] == ["E190"]


# ------------------------------------------------------------------------------ whole games

GAME = """game: A
language: 1
players: [x, o]
include: [more.yaml]
cards:
  land: {copies: 4}
zones:
  deck: {holds: cards, as: pile}
flow:
  - play:
      turns: clockwise from x
      actions: [go]
actions:
  go:
    do: |
      cut
"""
MORE = (
    "define:\n  lands: %s\n  many: exactly 3 lands in deck\nevents:\n  cut:\n    do: |\n      shuffle deck\n"
)
VARIANT = "variant: V\nof: a\nchange:\n  define.many: any lands  in deck\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "a"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME)
    (folder / "more.yaml").write_text(MORE % "any lands in deck where rank of land is 3 and no players")
    (folder / "variants" / "v.yaml").write_text(VARIANT)
    return folder


def test_kinds_of_a_game_stand_in_the_singular_but_after_numbers(game: Path) -> None:
    problems = Problems()
    found = format_files(game, problems)
    assert not list(problems)
    assert [path.name for path in found] == ["game.yaml", "more.yaml", "v.yaml"]
    assert found[game / "game.yaml"] == GAME
    assert "lands: any land in deck where rank of land is 3 and no player\n" in found[game / "more.yaml"]
    assert "many: exactly 3 lands in deck\n" in found[game / "more.yaml"]
    assert "define.many: any land in deck\n" in found[game / "variants" / "v.yaml"]


def test_a_file_of_a_game_is_formatted_as_with_the_whole_game(game: Path) -> None:
    found = format_files(game, Problems())
    assert {path: format_file(path, Problems()) for path in found} == found


def test_only_what_changes_differs(game: Path) -> None:
    found = format_files(game, Problems())
    assert {path.name for path, text in found.items() if differs(path, text)} == {"more.yaml", "v.yaml"}
    for path, text in found.items():
        path.write_text(text, newline="\n")
    assert not any(differs(path, text) for path, text in format_files(game, Problems()).items())
    (game / "game.yaml").write_bytes(GAME.replace("\n", "\r\n").encode())
    assert [p.name for p, text in format_files(game, Problems()).items() if differs(p, text)] == ["game.yaml"]
    (game / "game.yaml").write_bytes(b"\xef\xbb\xbf" + GAME.encode())
    assert [p.name for p, text in format_files(game, Problems()).items() if differs(p, text)] == ["game.yaml"]


def test_a_broken_file_does_not_stop_the_others(game: Path) -> None:
    (game / "more.yaml").write_text("define:\n  x: a or\n")
    (game / "variants" / "w.yaml").write_bytes(b"variant: \xff\n")
    problems = Problems()
    assert [path.name for path in format_files(game, problems)] == ["game.yaml", "v.yaml"]
    assert {(Path(p.span.file).name, p.code) for p in problems} == {("more.yaml", "E229"), ("w.yaml", "E103")}


def test_a_game_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    problems = Problems()
    assert format_files(tmp_path / "nothing", problems) == {}
    assert [p.code for p in problems] == ["E150"]
    assert format_file(tmp_path / "nothing.yaml", problems) is None
    assert "E158" in [p.code for p in problems]


def test_a_bundled_game_is_found_by_its_name() -> None:
    assert any(path.name == "game.yaml" for path in format_files("tic_tac_toe", Problems()))
