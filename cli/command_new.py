"""`rulewright new NAME`: a folder to begin a game of one's own.

Comes in: a name; with `--like GAME` a game to copy, with its scenarios and variants. Goes out: the
folder NAME in the current folder, and what to do next. What never happens: a file overwritten, or a
folder left behind by halves.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from pathlib import Path

from rulewright.cli import screen
from rulewright.cli.exit_codes import OK
from rulewright.cli.loading import existing, wrong_usage
from rulewright.cli.starter import starter
from rulewright.dsl.load import bundled_games

COPIED = {".yaml", ".csv", ".md", ".txt"}
LARGEST = 1000  # files of a game that are copied


def add(parser: argparse.ArgumentParser) -> None:
    """NAME, --like."""
    parser.add_argument("name", metavar="NAME", help="small letters, digits and _; the folder gets this name")
    parser.add_argument("--like", metavar="GAME", help="begin with a copy of this game")


def run(arguments: argparse.Namespace) -> int:
    """Make the folder."""
    name = arguments.name
    folder = Path(name)
    refuse_name(name, folder)
    title = name.replace("_", " ").capitalize()
    texts = copied(existing(arguments.like), name, title) if arguments.like else starter(name, title)
    make(folder, texts)
    screen.say(f"Made {folder}/ with {len(texts)} files. Next:")
    for line in (f"rulewright check {name} --watch", f"rulewright play {name}", f"rulewright test {name}"):
        screen.say(f"  {line}")
    return OK


def refuse_name(name: str, folder: Path) -> None:
    """Raise Stop for a name that cannot be."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise wrong_usage(
            f"'{name}' is no name for a game: small letters, digits and _ only, a letter first."
        )
    if name in bundled_games():
        raise wrong_usage(f"'{name}' is a bundled game already; take another name, or `--like {name}`.")
    if folder.exists() or folder.is_symlink():
        raise wrong_usage(f"'{name}' is there already; nothing was changed.")


def copied(game: Path, name: str, title: str) -> dict[str, str]:
    """The files of a game under another name, by their paths inside its folder."""
    if game.is_file():
        return {"game.yaml": renamed(game.read_text(encoding="utf-8"), title, game.stem, name)}
    texts: dict[str, str] = {}
    for path in sorted(game.rglob("*")):
        inside = path.relative_to(game)
        if (
            path.is_symlink()
            or not path.is_file()
            or path.suffix not in COPIED
            or inside.parts[0].startswith(".")
        ):
            continue
        if len(texts) >= LARGEST:
            raise wrong_usage(f"{game} has more than {LARGEST} files; that is no game's folder.")
        text = path.read_text(encoding="utf-8", errors="replace")
        texts[inside.as_posix()] = renamed(text, title, game.name, name) if path.suffix == ".yaml" else text
    return texts


def renamed(text: str, title: str, old: str, name: str) -> str:
    """A rule file with the game's new title, a variant with the game's new name."""
    text = re.sub(r"^game:.*$", f"game: {title}", text, count=1, flags=re.MULTILINE)
    return re.sub(rf"^of: *{re.escape(old)} *$", f"of: {name}", text, count=1, flags=re.MULTILINE)


def make(folder: Path, texts: dict[str, str]) -> None:
    """Write everything beside its place, then move it there."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
            whole = Path(beside) / folder.name
            for inside, text in texts.items():
                path = whole / inside
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            shutil.move(whole, folder)
    except OSError as error:
        raise wrong_usage(f"{folder} cannot be made: {error.strerror or error}.") from error
