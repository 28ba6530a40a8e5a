"""A game's files are loaded, and nothing outside its folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.dsl import files
from rulewright.dsl.files import display_name, load_files, load_scenarios, load_variants, read_table
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Mapping


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "rules" / "rain"
    folder.mkdir(parents=True)
    return folder


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def names(folder: Path) -> tuple[list[str], list[tuple[str, str, int, int]]]:
    problems = Problems()
    loaded = load_files(folder, problems)
    return (
        [file.name for file in loaded],
        [(p.code, p.span.file, p.span.line, p.span.column) for p in problems],
    )


def test_included_files_come_in_the_order_of_the_lists(game: Path) -> None:
    write(
        game,
        game="game: Rain\ninclude: [a.yaml, parts/b.yaml]\n",
        a="include:\n  - c.yaml\nx: 1\n",
        parts__b="y: 1\n",
        c="w: 1\n",
    )
    start = "rules/rain/"
    wanted = [start + name for name in ("game.yaml", "a.yaml", "c.yaml", "parts/b.yaml")]
    assert names(game) == (wanted, [])
    assert names(Path("rules/rain")) == (wanted, [])
    assert names(game / "game.yaml") == (wanted, [])


def test_a_game_may_be_one_file(game: Path) -> None:
    write(game.parent, tiny="game: Tiny\ninclude: [more.yaml]\n", more="x: 1\n")
    assert names(game.parent / "tiny.yaml") == (["rules/tiny.yaml", "rules/more.yaml"], [])
    assert load_variants(game.parent / "tiny.yaml", Problems()) == ()


def test_the_tree_and_the_path_come_along(game: Path) -> None:
    write(game, game="game: Rain\n")
    (file,) = load_files(game, Problems())
    assert isinstance(file.tree, Mapping) and "game" in file.tree
    assert file.path.samefile(game / "game.yaml")


def test_variants_and_scenarios_are_loaded_by_name(game: Path) -> None:
    write(
        game, game="game: Rain\n", variants__b="of: rain\n", variants__a="of: rain\n", scenarios__s="x: 1\n"
    )
    problems = Problems()
    assert [f.name for f in load_variants(game, problems)] == [
        "rules/rain/variants/a.yaml",
        "rules/rain/variants/b.yaml",
    ]
    assert [f.name for f in load_scenarios(game / "game.yaml", problems)] == ["rules/rain/scenarios/s.yaml"]
    assert not len(problems)
    (game / "variants" / "notes.txt").write_text("x")
    assert len(load_variants(game, problems)) == 2
    assert [(p.code, p.span.file) for p in problems] == [("E159", "rules/rain/variants/notes.txt")]


INCLUDES = {
    "missing": ("[card.yaml]", "E154", 11),
    "above": ("[../other.yaml]", "E153", 11),
    "above within": ("[parts/../../other.yaml]", "E153", 11),
    "absolute": ("[/etc/passwd.yaml]", "E153", 11),
    "home": ("[~/x.yaml]", "E153", 11),
    "a drive": ("['C:/x.yaml']", "E153", 11),
    "another separator": (r"[parts\b.yaml]", "E152", 11),
    "an empty name": ("['']", "E152", 11),
    "an invisible name": (r'["a\tb.yaml"]', "E152", 11),
    "no list": ("cards.yaml", "E152", 10),
    "nothing": ("", "E152", 1),
    "keys": ("[{a: b}]", "E152", 11),
    "another kind": ("[cards.csv]", "E159", 11),
    "no suffix": ("[cards]", "E159", 11),
    "a folder": ("[parts.yaml]", "E156", 11),
    "itself": ("[game.yaml]", "E155", 11),
    "itself in another way": ("[./game.yaml]", "E155", 11),
    "a long name": (f"[{'x' * 3000}.yaml]", "E154", 11),
    "a link out": ("[link.yaml]", "E153", 11),
    "a link to itself": ("[loop.yaml]", "E154", 11),
}


@pytest.mark.parametrize("name", INCLUDES)
def test_a_wrong_include_is_refused_at_its_name(name: str, game: Path) -> None:
    value, code, column = INCLUDES[name]
    write(game.parent, other="secret: 1\n")
    write(game, game=f"include: {value}\n", cards="x: 1\n")
    (game / "parts.yaml").mkdir()
    (game / "link.yaml").symlink_to(game.parent / "other.yaml")
    (game / "loop.yaml").symlink_to(game / "loop.yaml")
    loaded, problems = names(game)
    assert problems == [(code, "rules/rain/game.yaml", 1, column)]
    assert loaded == ["rules/rain/game.yaml"]


def test_a_folder_stands_for_its_files_by_name(game: Path) -> None:
    write(game, game="include: [cards, rules.yaml]\n", cards__b="x: 1\n", cards__a="x: 1\n", rules="x: 1\n")
    (game / "cards" / "notes.txt").write_text("no rules")
    loaded, problems = names(game)
    assert not problems
    assert [name.removeprefix("rules/rain/") for name in loaded] == [
        "game.yaml", "cards/a.yaml", "cards/b.yaml", "rules.yaml"
    ]  # fmt: skip


def test_a_folder_without_rules_is_named(game: Path) -> None:
    write(game, game="include: [cards]\n", cards__sub__a="x: 1\n")
    assert names(game)[1] == [("E159", "rules/rain/game.yaml", 1, 11)]


def test_a_missing_file_is_guessed_from_those_that_exist(game: Path) -> None:
    write(game, game="include: [card.yaml, part/flow.yaml]\n", cards="x: 1\n", parts__flow="x: 1\n")
    problems = Problems()
    load_files(game, problems)
    assert [p.cure for p in problems] == ["Did you mean `cards.yaml`?", "Did you mean `parts/flow.yaml`?"]


def test_files_that_include_each_other_are_read_once(game: Path) -> None:
    write(game, game="include: [a.yaml, b.yaml]\n", a="include: [b.yaml]\n", b="include: [a.yaml]\n")
    loaded, problems = names(game)
    assert [Path(name).stem for name in loaded] == ["game", "a", "b"]
    assert problems == [
        ("E155", "rules/rain/b.yaml", 1, 11),
        ("E155", "rules/rain/game.yaml", 1, 19),
    ]


def test_a_link_inside_the_folder_is_fine_but_counts_as_its_file(game: Path) -> None:
    write(game, game="include: [link.yaml, a.yaml]\n", a="x: 1\n")
    (game / "link.yaml").symlink_to(game / "a.yaml")
    loaded, problems = names(game)
    assert loaded == ["rules/rain/game.yaml", "rules/rain/link.yaml"]
    assert [code for code, *_ in problems] == ["E155"]


def test_a_special_file_is_not_opened(game: Path) -> None:
    write(game, game="include: [pipe.yaml]\n")
    os.mkfifo(game / "pipe.yaml")
    assert names(game)[1] == [("E156", "rules/rain/game.yaml", 1, 11)]
    assert names(game / "pipe.yaml")[1] == [("E156", "rules/rain/pipe.yaml", 1, 1)]


def test_a_file_that_may_not_be_read_is_said(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(game, game="include: [a.yaml]\n", a="x: 1\n")
    opened = Path.open

    def refuse(path: Path, mode: str) -> object:
        if path.name == "a.yaml":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", refuse)
    problems = Problems()
    loaded = load_files(game, problems)
    assert [file.tree is None for file in loaded] == [False, True]
    assert [(p.code, p.span.file, p.span.column) for p in problems] == [("E158", "rules/rain/game.yaml", 11)]


def test_there_are_at_most_200_files(game: Path) -> None:
    many = [f"f{number}" for number in range(205)]
    write(
        game,
        game=f"include: [{', '.join(f'{name}.yaml' for name in many)}]\n",
        **dict.fromkeys(many, "x: 1\n"),
    )
    loaded, problems = names(game)
    assert len(loaded) == 200 and [code for code, *_ in problems] == ["E157"]


@pytest.mark.parametrize(
    ("path", "code", "shown"),
    [
        ("rules/rian", "E150", "rules/rian"),
        ("rules", "E151", "rules"),
        ("rules/rain/notes.txt", "E159", "rules/rain/notes.txt"),
    ],
)
def test_what_is_no_game_is_said(path: str, code: str, shown: str, game: Path) -> None:
    write(game, game="game: Rain\n")
    (game / "notes.txt").write_text("x")
    assert names(Path(path)) == ([], [(code, shown, 1, 1)])


def test_a_misspelt_game_is_guessed(game: Path) -> None:
    problems = Problems()
    load_files("rules/rian", problems)
    assert [p.cure for p in problems] == ["Did you mean `rain`?"]


def test_wrong_bytes_are_a_problem_and_the_rest_is_read(game: Path) -> None:
    (game / "game.yaml").write_bytes("game: Rain\ntitle: Café\n".encode("latin-1"))
    problems = Problems()
    (file,) = load_files(game, problems)
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [("E103", 2, 11)]
    assert isinstance(file.tree, Mapping) and "game" in file.tree


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "E101"),
        (b"\x89PNG\r\n\x1a\n\0\0", "E103"),
        ("game: Rain\n".encode("utf-16"), "E103"),
        (bytes(range(128, 256)) * 20, "E103"),
        (b"a: 1\n" * 500_000, "E102"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, code: str, game: Path) -> None:
    (game / "game.yaml").write_bytes(data)
    problems = Problems()
    (file,) = load_files(game, problems)
    assert file.tree is None
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [(code, 1, 1)]


def test_a_table_is_read_from_the_folder_and_only_from_there(game: Path) -> None:
    (game / "tables").mkdir()
    (game / "tables" / "cards.csv").write_text("a,b\n1,2\n")
    (game.parent / "out.csv").write_text("a\n1\n")
    span = Span("f.yaml", 3, 4, 3, 9)
    problems = Problems()
    table = read_table(game, "tables/cards.csv", problems, span)
    assert table is not None and [c.text for c in table.columns] == ["a", "b"] and not len(problems)
    assert table.columns[0].span.file == "rules/rain/tables/cards.csv"
    for name, code in [("../out.csv", "E153"), ("tables/card.csv", "E154"), ("tables", "E159")]:
        problems = Problems()
        assert read_table(game, name, problems, span) is None
        assert [(p.code, p.span) for p in problems] == [(code, span)]


def test_an_unchanged_file_is_not_read_again(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(game, game="game: Rain\nx: a: b\n")
    first, again, changed = Problems(), Problems(), Problems()
    (before,) = load_files(game, first)
    monkeypatch.setattr(files._TREES, "reader", None)  # reading anew would fail
    (after,) = load_files(game, again)
    assert after.tree is before.tree
    assert list(first) == list(again) and len(again) == 1
    monkeypatch.undo()
    monkeypatch.chdir(game.parent.parent)
    write(game, game="game: Rain\n")
    (last,) = load_files(game, changed)
    assert last.tree is not before.tree and not len(changed)


def test_files_below_the_current_folder_are_called_from_there(game: Path, tmp_path: Path) -> None:
    assert display_name(game / "game.yaml") == "rules/rain/game.yaml"
    assert display_name(Path("rules") / "rain" / "x.yaml") == "rules/rain/x.yaml"
    assert display_name(tmp_path.parent / "x.yaml") == (tmp_path.parent / "x.yaml").as_posix()
