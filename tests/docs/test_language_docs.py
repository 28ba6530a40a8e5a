"""Every example of the reference and of the guide does what it says, and the reference is complete.

Comes in: the pages. What is compared with the code: the keys of every section (`dsl/schema.py`), the
names of every game (`dsl/check_world.py`), the words (`dsl/words.py`), what cannot be played yet
(`dsl/not_yet.py`) and the forms of logic (`dsl/nodes.py`). What never happens: an example that no test
looks at.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.cli.problem_text import all_described
from rulewright.dsl import check_world, nodes, words
from rulewright.dsl.catalogue import ENTRIES
from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.not_yet import NOT_YET, nodes_of
from rulewright.dsl.problems import Problem
from rulewright.dsl.schema import GAME, GAME_KEYS, SCENARIO_FILE, VARIANT
from rulewright.dsl.shapes import Either, Key, Keys, Later, ListOf, MapOf, Shape, Words
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.interpreter.switches import check_whole
from rulewright.tests.docs.book import (
    DOCS,
    Block,
    Shelf,
    choices,
    conditions,
    effect,
    language_pages,
    lines_of,
    read_page,
    values,
    write,
)
from rulewright.tests.docs.commands import command_lines, run_here

PAGES = language_pages()
SHELF = Shelf(PAGES)
BLOCKS = [block for page in PAGES for block in page.blocks]
WHOLE = "".join(page.text for page in PAGES if page.name != "guide.md")
FOUND_BY_CHECK = {"W452", "W453"}  # of a part laid into a game: what it replaces may have used other things


def blocks(*starts: str) -> list[Block]:
    """The blocks whose words begin so."""
    return [b for b in BLOCKS if " ".join((b.language, *b.words)).startswith(starts)]


def ident(block: Block) -> str:
    """The name of a block in the report of the tests."""
    return block.place


def played(folder: Path, seeds: range = range(2), variants: tuple[str, ...] = ()) -> list[Match]:
    """Games played at random to the end (or for so many choices); what fails is a failure here."""
    game = load(str(folder), variants)
    assert isinstance(game, PlayableGame), [str(p) for p in game]
    found = []
    for players in {game.checked.game.players_low, game.checked.game.players_high}:
        for seed in seeds:
            match = game.start(players=players, seed=seed)
            assert isinstance(match, Match), match
            luck = random.Random(seed)
            for _ in range(400):
                if match.decision is None:
                    break
                assert match.choose(luck.randrange(match.decision.count)) is None
            assert match.fault is None, match.fault
            found.append(match)
    return found


def loaded(files: dict[str, str], folder: Path, known: set[str], variants: tuple[str, ...] = ()) -> Loaded:
    """A game without problems, but for the warnings that are known."""
    write(files, folder)
    found = check_whole(str(folder), variants)
    assert {p.code for p in found.problems} == known, [f"{p.code} {p.span} {p.text}" for p in found.problems]
    return found


def with_part(block: Block) -> dict[str, str]:
    """The files of the game that a block is a part of, with the block laid in."""
    if "as" in block.words:
        return SHELF.games[block.after("as")]
    return SHELF.with_part(block.after("of"), part_of(block))


def part_of(block: Block) -> str:
    """The part that a block is, laid out for its game."""
    game = SHELF.games[block.after("of")]["game.yaml"]
    lines = lines_of(block.text)
    kind = next(w for w in (*block.words, "part") if w in PARTS or w == "part")
    if block.language == "yaml":
        return block.text
    return PARTS[kind](lines, block.text, game)


PARTS = {
    "true": lambda lines, text, game: conditions(lines),
    "conditions": lambda lines, text, game: conditions(lines),
    "condition": lambda lines, text, game: conditions(lines),
    "values": lambda lines, text, game: values(lines),
    "value": lambda lines, text, game: values(lines),
    "effect": lambda lines, text, game: effect(text, game),
    "choices": lambda lines, text, game: choices(lines, game),
    "choice": lambda lines, text, game: choices(lines, game),
}


# -------------------------------------------------------------------- examples


def test_every_block_says_what_it_is() -> None:
    yaml = ("game", "part of", "wrong", "file", "variant", "scenarios of")
    rule = ("true", "conditions", "values", "effect", "choices", "wrong")
    text = ("options of", "problems", "form")
    known = (*(f"yaml {w}" for w in yaml), *(f"rule {w}" for w in rule), *(f"text {w}" for w in text))
    known = (*known, "csv file", "console")
    assert [b.place for b in BLOCKS if not " ".join((b.language, *b.words)).startswith(known)] == []
    assert len(BLOCKS) > 130


@pytest.mark.parametrize("block", blocks("yaml game"), ids=ident)
def test_whole_games_check_and_play(block: Block, tmp_path: Path) -> None:
    loaded(SHELF.games[block.words[1]], tmp_path, block.warnings)
    assert all(m.over for m in played(tmp_path, range(3)))


@pytest.mark.parametrize("block", blocks("yaml part of", "rule effect", "rule choices"), ids=ident)
def test_parts_check_and_play(block: Block, tmp_path: Path) -> None:
    files = with_part(block)
    loaded(files, tmp_path, block.warnings)
    played(tmp_path)


@pytest.mark.parametrize("block", blocks("rule conditions", "rule values"), ids=ident)
def test_conditions_and_values_are_understood_and_can_be_read_in_play(block: Block, tmp_path: Path) -> None:
    loaded(with_part(block), tmp_path, block.warnings)
    for match in played(tmp_path, range(1)):
        match.broken_invariants()


@pytest.mark.parametrize("block", blocks("rule true"), ids=ident)
def test_conditions_that_are_said_to_hold_at_the_start_hold(block: Block, tmp_path: Path) -> None:
    loaded(with_part(block), tmp_path, block.warnings)
    game = load(str(tmp_path))
    assert isinstance(game, PlayableGame)
    match = game.start()
    assert isinstance(match, Match) and match.fault is None
    lines = lines_of(block.text)
    assert [lines[int(name.removeprefix("shown_"))] for name in match.broken_invariants()] == []


@pytest.mark.parametrize("block", blocks("yaml wrong", "rule wrong"), ids=ident)
def test_wrong_examples_have_just_the_problem_that_is_named(block: Block, tmp_path: Path) -> None:
    assert problems_of_wrong(block, tmp_path)


def problems_of_wrong(block: Block, folder: Path) -> list[Problem]:
    """The problems of a wrong example, which are just those that it names."""
    wanted = [w for w in block.words if re.fullmatch(r"[EW][0-9]{3}", w)]
    assert all(code in ENTRIES for code in wanted)
    if "game" in block.words:
        files = {"game.yaml": block.text}
    elif "of" in block.words:
        files = with_part(block)
    write(files, folder)
    found = list(load_game(str(folder)).problems)
    codes = {p.code for p in found}
    assert codes - (FOUND_BY_CHECK - set(wanted)) == set(wanted), [str(p) for p in found]
    return found


@pytest.mark.parametrize("block", blocks("yaml variant"), ids=ident)
def test_variants_check_and_play(block: Block, tmp_path: Path) -> None:
    name = block.after("variant")
    files = {**SHELF.games[block.after("of")], f"variants/{name}.yaml": block.text}
    loaded(files, tmp_path, block.warnings, (name,))
    played(tmp_path, range(1), (name,))


@pytest.mark.parametrize("block", blocks("yaml scenarios of"), ids=ident)
def test_scenarios_pass(block: Block, tmp_path: Path) -> None:
    scenarios = pytest.importorskip("rulewright.playtest.scenarios")
    files = dict(SHELF.games[block.after("of")])
    for other in blocks("yaml variant"):
        if other.after("of") == block.after("of"):
            files[f"variants/{other.after('variant')}.yaml"] = other.text
    write({**files, "scenarios/shown.yaml": block.text}, tmp_path)
    results = scenarios.run_scenarios(load_game(str(tmp_path)))
    assert results and [r for r in results if not r.ok] == []


@pytest.mark.parametrize("block", blocks("text options of"), ids=ident)
def test_options_are_offered_as_shown(block: Block, tmp_path: Path) -> None:
    write(SHELF.games[block.after("of")], tmp_path)
    game = load(str(tmp_path))
    assert isinstance(game, PlayableGame)
    match = game.start(seed=0)
    assert isinstance(match, Match) and match.decision is not None
    assert [o.id for o in match.decision.options] == block.text.split("\n")[:-1]


@pytest.mark.parametrize("block", blocks("text problems"), ids=ident)
def test_problems_are_told_as_shown(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = next(p for p in PAGES if p.name == block.page)
    above = page.blocks[page.blocks.index(block) - 1]
    monkeypatch.chdir(tmp_path)
    assert all_described(problems_of_wrong(above, tmp_path)).plain + "\n" == block.text


def test_the_commands_of_the_guide_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In order, each in the folder as it is at that step."""
    page = next(p for p in PAGES if p.name == "guide.md")
    folder, done = tmp_path / "orchard", 0
    for block in page.blocks:
        match block.words:
            case ("game", name, *_) | ("part", "of", _, "as", name, *_):
                write(SHELF.games[name], folder)
            case ("variant", name, *_):
                write({f"variants/{name}.yaml": block.text}, folder)
            case ("scenarios", *_):
                write({"scenarios/play.yaml": block.text}, folder)
        for line in command_lines(block.text) if block.language == "console" else ():
            code = run_here(line, tmp_path, monkeypatch)
            assert code == 0, f"{line}\n{capsys.readouterr()}"
            done += 1
    assert done >= 8


# ---------------------------------------------------------------- completeness


def shapes(shape: Shape, path: tuple[str, ...] = ()) -> Iterator[Keys]:
    """Every mapping with a closed set of keys inside a shape."""
    match shape:
        case Keys(_, keys):
            yield shape
            for name, key in keys.items():
                if name not in path:
                    yield from shapes(key.shape, (*path, name))
        case MapOf(value=value) | ListOf(item=value):
            yield from shapes(value, path)
        case Either(scalar, mapping, sequence):
            for one in (scalar, mapping, sequence):
                if one is not None:
                    yield from shapes(one, path)
        case Later():
            if len(path) < 4:
                yield from shapes(shape.get(), path)


ALL_KEYS = {k.what: k for s in (GAME, VARIANT, SCENARIO_FILE) for k in shapes(s)}


def table(marker: str) -> dict[str, str]:
    """The table behind `<!-- marker -->`: first cell (without the ticks) → the whole line."""
    assert WHOLE.count(f"<!-- {marker} -->") == 1, f"one table must be marked `{marker}`"
    behind = WHOLE.split(f"<!-- {marker} -->\n", 1)[1]
    rows = behind.split("\n\n", 1)[0].strip().split("\n")
    found: dict[str, str] = {}
    for row in rows[2:]:
        for name in re.findall(r"`([^`]+)`", row.split(" | ")[0]):
            assert name not in found, f"`{name}` stands twice under `{marker}`"
            found[name] = row
    return found


@pytest.mark.parametrize("what", ALL_KEYS)
def test_every_key_is_in_the_reference(what: str) -> None:
    shown = table(f"keys: {what}")
    keys: dict[str, Key] = ALL_KEYS[what].keys
    assert set(shown) == set(keys)
    for name, key in keys.items():
        assert ("**needed**" in shown[name]) == key.required, name
        for word in words_of(key.shape):
            assert f"`{word}`" in shown[name], f"the word `{word}` of `{name}`"


def words_of(shape: Shape) -> Iterator[str]:
    """The closed words that a value may be."""
    match shape:
        case Words(found):
            yield from found
        case Either(scalar=Words(found)):
            yield from found
        case ListOf(item=Words(found)):
            yield from found


def test_every_section_is_in_the_index_of_sections() -> None:
    assert set(table("keys: A game")) == set(GAME_KEYS)


@pytest.mark.parametrize(
    ("marker", "names"),
    [
        ("names: values", {*check_world.BUILTIN_VALUES}),
        ("names: properties", {*check_world.BUILTIN_PROPERTIES}),
        ("names: functions", {*check_world.BUILTIN_FUNCTIONS} - {*check_world.BUILTIN_PROPERTIES}),
        ("names: adjectives", {*check_world.ADJECTIVES}),
        ("names: kinds", {*check_world.SIMPLE_KINDS, *check_world.ROOTS, "piece"}),
        ("names: directions", {*check_world.SQUARE_DIRECTIONS}),
        ("words: reserved", set(words.RESERVED)),
        ("words: effects", {*words.VERBS, *words.HEADERS}),
    ],
)
def test_every_name_of_the_language_is_in_the_reference(marker: str, names: set[str]) -> None:
    assert set(table(marker)) == names


def test_the_list_of_what_cannot_be_played_is_the_list_of_the_checker() -> None:
    assert WHOLE.count("<!-- not yet -->") == 1
    behind = WHOLE.split("<!-- not yet -->\n", 1)[1].split("\n\n", 1)[0]
    assert [line.removeprefix("- ") for line in behind.strip().split("\n")] == list(NOT_YET.values())


def test_everything_that_cannot_be_played_yet_is_shown(tmp_path: Path) -> None:
    told: set[str] = set()
    for i, block in enumerate(b for b in blocks("yaml wrong E449", "rule wrong E449") if "not-yet" in b.page):
        told |= {p.text for p in problems_of_wrong(block, tmp_path / str(i)) if p.code == "E449"}
    assert [form for form in NOT_YET.values() if not any(form in text for text in told)] == []


def test_every_form_of_the_language_is_shown(tmp_path: Path) -> None:
    """Each class of `dsl/nodes.py` is met in some example (also in those that cannot be played yet)."""
    met: set[str] = set()
    for i, block in enumerate(blocks("yaml game", "yaml part", "rule", "yaml wrong E449")):
        if "game" in block.words:
            files = {"game.yaml": block.text} if "wrong" in block.words else SHELF.games[block.words[1]]
        else:
            files = with_part(block)
        write(files, tmp_path / str(i))
        found = load_game(str(tmp_path / str(i))).game
        assert found is not None
        met |= {type(node).__name__ for node in nodes_of(found)}
    forms = {
        c.__name__
        for c in vars(nodes).values()
        if isinstance(c, type) and issubclass(c, nodes.Expr | nodes.Effect) and not c.__subclasses__()
    }
    assert forms - met == set()


def test_links_lead_somewhere() -> None:
    for page in (*PAGES, read_page(DOCS / "decisions" / "README.md")):
        folder = (DOCS / page.name).parent
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.text):
            if "://" not in link:
                assert (folder / link).exists(), f"{page.name}: {link}"
    anchors = {p.name: {slug(h) for h in re.findall(r"^#+ (.+)$", p.text, re.MULTILINE)} for p in PAGES}
    for page in PAGES:
        for link, anchor in re.findall(r"\]\(([^)#]*)#([^)]+)\)", page.text):
            target = (Path(page.name).parent / link).as_posix() if link else page.name
            target = target.removeprefix("language/../")
            assert anchor in anchors.get(target, set()), f"{page.name}: {link}#{anchor}"


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")
