"""Reads the pages of docs/ and makes games of their examples.

Comes in: pages of Markdown. Goes out: their fenced blocks, each with what its info string says of it, and
the files of the game that an example is, or is a part of. What never happens: a block that is passed
over; one with an info string that is not known here is an error of the page.

    ```yaml game farm                 a whole game; parts may be laid into it
    ```yaml part of farm              more of it: an entry takes the place of the one with its name
    ```yaml part of farm as big_farm  the same, and the whole can be built upon by this name
    ```yaml wrong E301 of farm        a part with just this problem (`wrong E301 game`: a whole game)
    ```yaml file cards.yaml of farm   another file of that game (`csv file ...` likewise)
    ```yaml variant NAME of farm      a variant of that game
    ```yaml scenarios of farm         scenarios of that game, which pass
    ```rule conditions of farm        a condition on each line; indented lines go on
    ```rule true of farm              the same, and all of them hold at the start
    ```rule values of farm            a value on each line
    ```rule effect of farm            instructions, done after each action of the game
    ```rule choices of farm           on each line something to be chosen in an action
    ```rule wrong E411 condition of farm   (or `value`, `effect`, `choice`): just this problem
    ```text options of farm           what the first player may do, seed 0
    ```text problems                  what `check` prints for the block above
    ```text form                      how something is written; no example
    ```console                        commands; run in order, in the folder of the game as it is there

Behind these words may stand `warns W455`: a warning that the example is known to give.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(?=[a-z])", re.MULTILINE)
ENTRY = re.compile(r"^(?=  [^ #\n])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, the words behind it, its text, and where it stands."""

    page: str
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        """Where it stands, for messages and names of tests."""
        return f"{self.page}:{self.line}"

    def after(self, word: str) -> str:
        """The word behind another one, "" if that is not there."""
        return self.words[self.words.index(word) + 1] if word in self.words else ""

    @property
    def warnings(self) -> set[str]:
        """The warnings that are known."""
        return set(self.words[self.words.index("warns") + 1 :]) if "warns" in self.words else set()


@dataclass(frozen=True, slots=True)
class Page:
    """One page and its blocks in order."""

    name: str
    text: str
    blocks: tuple[Block, ...]


def read_page(path: Path) -> Page:
    """One page."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(DOCS).as_posix()
    blocks = []
    for found in FENCE.finditer(text):
        language, *words = found[1].split() or [""]
        line = text.count("\n", 0, found.start()) + 1
        blocks.append(Block(name, line, language, tuple(words), found[2]))
    return Page(name, text, tuple(blocks))


def language_pages() -> tuple[Page, ...]:
    """The reference and the guide, in the order in which they are read."""
    paths = [DOCS / "language.md", *sorted((DOCS / "language").glob("*.md")), DOCS / "guide.md"]
    return tuple(read_page(p) for p in paths)


class Shelf:
    """The games that pages define, and what is laid into them. Files by name; `game.yaml` is the main one."""

    def __init__(self, pages: tuple[Page, ...]) -> None:
        self.games: dict[str, dict[str, str]] = {}
        for page in pages:
            for block in page.blocks:
                self.put(block)

    def put(self, block: Block) -> None:
        """Keep a game, a file of one or one that is built upon another."""
        match block.words:
            case ("game", name, *_):
                assert name not in self.games, f"{block.place}: the game {name} is there already"
                self.games[name] = {"game.yaml": block.text}
            case ("part", "of", base, "as", name, *_):
                assert name not in self.games, f"{block.place}: the game {name} is there already"
                self.games[name] = self.with_part(base, block.text)
            case ("file", path, "of", name, *_):
                self.games[name][path] = block.text

    def with_part(self, base: str, part: str) -> dict[str, str]:
        """The files of a game with a part laid into its main file."""
        files = dict(self.games[base])
        files["game.yaml"] = laid_into(files["game.yaml"], part)
        return files


def laid_into(game: str, part: str) -> str:
    """The text of a game with that of a part: sections join, and what has the same name is replaced."""
    sections = _sections(game)
    for name, (head, entries) in _sections(part).items():
        old = sections.get(name)
        if old is None or not entries or not old[1]:
            sections[name] = (head, entries)
        else:
            sections[name] = (head, {**old[1], **entries})
    return "".join(head + "".join(entries.values()) for head, entries in sections.values())


def _sections(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for chunk in SECTION.split(text):
        if not chunk.strip() or chunk.startswith("#"):
            continue
        name = chunk.split(":")[0]
        head, *entries = ENTRY.split(chunk)
        if any(e.startswith("  - ") for e in entries):
            found[name] = (chunk, {})  # a list is replaced as a whole
        else:
            found[name] = (head, {re.split(r"[:(]", e.strip())[0]: e for e in entries})
    return found


def lines_of(text: str) -> list[str]:
    """The lines of a block of conditions or values: an indented line belongs to the one above."""
    found: list[str] = []
    for line in text.split("\n"):
        bare = line.split("  #")[0].rstrip()
        if not bare or bare.startswith("#"):
            continue
        if line.startswith(" "):
            found[-1] += " " + bare.strip()
        else:
            found.append(bare)
    return found


def folded(line: str) -> str:
    """A line of logic as the value of a key, safe from YAML."""
    return f">\n      {line}\n"


def conditions(lines: list[str]) -> str:
    """Conditions as a part of a game."""
    return "always:\n" + "".join(f"  shown_{i}: {folded(line)}" for i, line in enumerate(lines))


def values(lines: list[str]) -> str:
    """Values as a part of a game: definitions that something reads."""
    made = "define:\n" + "".join(f"  shown_{i}: {folded(line)}" for i, line in enumerate(lines))
    used = "".join(f"  uses_{i}: shown_{i} is shown_{i}\n" for i in range(len(lines)))
    return made + "always:\n" + used


def effect(text: str, game: str) -> str:
    """Instructions as a part of a game: a rule after every action."""
    names = re.findall(r"^  ([a-z_]+):", _sections(game)["actions"][0] + "".join(
        _sections(game)["actions"][1].values()), re.MULTILINE)  # fmt: skip
    body = "".join(f"      {line}\n" if line else "\n" for line in text.rstrip("\n").split("\n"))
    return f"rules:\n  shown:\n    after: [{', '.join(names)}]\n    do: |\n{body}"


def choices(lines: list[str], game: str) -> str:
    """Choices as a part of a game: an action for each, offered in the first phase that offers any."""
    made = "".join(
        f"  shown_{i}:\n    choose:\n      taken: {folded(line).replace('      ', '        ')}"
        for i, line in enumerate(lines)
    )
    names = ", ".join(f"shown_{i}" for i in range(len(lines)))
    flow = "".join(_sections(game)["flow"][0]).replace("actions: [", f"actions: [{names}, ", 1)
    return "actions:\n" + made + flow


def write(files: dict[str, str], folder: Path) -> None:
    """Write the files of a game."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
