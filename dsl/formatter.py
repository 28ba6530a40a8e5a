"""Write rule files in their one spelling: `rulewright format`.

Comes in: the text of a file, or a game. Goes out: the text as it should stand there; what is in the
right form already comes out unchanged, and formatting twice is formatting once. What never happens:
a changed meaning, a lost comment, a file half understood and written all the same: where anything
cannot be read, problems say why and the file is left alone. Every text is read again before it is
handed out, and compared with what it was made from.

    indentation     2 blanks for each level of YAML, 4 for each level of an effect
    width           100 columns; long conditions and sentences are folded (`>`)
    logic           brackets only for the grammar's or the reader's sake, kinds in the singular
    lists, keys     in [ ] and { } as long as they fit on a line and hold no condition
    quotes          where YAML needs them
    pictures        columns two blanks apart
    comments        stay where they are; of several blank lines one stays

To extend: lines, comments and blank lines are the matter of format_writer.py; single values of
format_values.py.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.files import display_name, load_files, load_scenarios, load_variants
from rulewright.dsl.format_check import same_comments, says_the_same
from rulewright.dsl.format_kinds import Singular, as_written, singular_of
from rulewright.dsl.format_shapes import shape_of_file
from rulewright.dsl.format_writer import write
from rulewright.dsl.load import find_game, load_game
from rulewright.dsl.plain_text import clean_lines, decode
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.source import Mapping
from rulewright.dsl.yaml_reader import read_yaml


def format_text(text: str, file: str, problems: Problems, one: Singular = as_written) -> str | None:
    """The text of a rule file in its one spelling, or None when it cannot be read: problems say why.

    `file` is the name that problems show. `one` knows the kinds of the game the file belongs to
    (`singular_of`); without it plurals stay as they are. All lines end with a line feed.
    """
    found = Problems()
    lines = clean_lines(text, file, found)
    tree = read_yaml(text, file, found) if lines is not None else None
    if tree is not None and not isinstance(tree, Mapping):
        cure = "Begin with `game: …` in a line of its own."
        found.error("E300", tree.span, "A rule file consists of keys with a colon.", cure)
    if found.errors or lines is None or not isinstance(tree, Mapping):
        problems.extend(found)
        return None
    lines = [line.rstrip() for line in lines]
    shape = shape_of_file(tree)
    wrong = Problems()
    written = write(lines, tree, shape, one, wrong)
    if wrong.errors:
        problems.extend(wrong)
        return None
    result = "\n".join(written) + "\n"
    again = Problems()
    back = read_yaml(result, file, again)
    fine = isinstance(back, Mapping) and not again.errors and says_the_same(tree, back, shape, one)
    if not fine or not isinstance(back, Mapping) or not same_comments(lines, tree, written, back, shape):
        problems.error(
            "E190",
            Span(file, 1, 1, 1, 1),
            "The formatter would have changed what this file says, so it left the file alone.",
            "The fault is not yours: please report it, with the file.",
        )
        return None
    return result


def format_file(path: Path, problems: Problems) -> str | None:
    """The file at `path` in its one spelling, as part of its game; None when it cannot be read."""
    game = _game_of(path)
    return _formatted(path, _singular(game) if game is not None else as_written, problems)


def format_files(path: str | Path, problems: Problems) -> dict[Path, str]:
    """Every rule file of the game at `path` (or bundled under that name) in its one spelling.

    The main file, all it includes, its variants and scenarios, in this order. Files that cannot be
    read are missing; problems say why.
    """
    found = find_game(str(path)) or Path(path)
    seen = Problems()
    files = [*load_files(found, seen), *load_variants(found, seen), *load_scenarios(found, seen)]
    if not files:
        problems.extend(seen)
        return {}
    missing = [p for p in seen if "E150" <= p.code < "E160"]
    problems.extend(missing)  # what is wrong inside the files is said below
    one = _singular(found)
    written = {file.path: _formatted(file.path, one, problems) for file in files}
    return {path: text for path, text in written.items() if text is not None}


def differs(path: Path, text: str) -> bool:
    """Does the file at `path` hold anything but `text`, be it only other line ends, or is it gone?"""
    try:
        return path.read_bytes() != text.encode("utf-8")
    except OSError:
        return True


def _formatted(path: Path, one: Singular, problems: Problems) -> str | None:
    name = display_name(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        wrong = f"`{path.name}` cannot be read: {error.strerror}."
        cure = "Check that the file is there and that you may read it."
        problems.error("E158", Span(name, 1, 1, 1, 1), wrong, cure)
        return None
    found = Problems()
    text = decode(data, name, found)
    problems.extend(found)
    return None if text is None or found.errors else format_text(text, name, problems, one)


def _singular(game: Path) -> Singular:
    model = load_game(str(game)).game
    return as_written if model is None else singular_of(model)


def _game_of(path: Path) -> Path | None:
    """The folder of the game that a file belongs to (also as a variant or scenario), or the file itself."""
    folder = path.resolve().parent
    for place in (folder, folder.parent):
        if (place / "game.yaml").is_file():
            return place
    return find_game(str(path))
