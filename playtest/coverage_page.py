"""The page of a game's statements: which scenarios show each of them.

Comes in: a loaded game and its coverage. Goes out: a page of Markdown, `docs/games/NAME.md` for the
bundled games; what stands in the game's `notes.md` comes at its end. The same scenarios give the same
page. What never happens: a statement that is left out because nothing shows it.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.load import Loaded
from rulewright.playtest.coverage import Coverage

NOTES = "notes.md"  # in the folder of a game: what people should know beside its rules


def page(loaded: Loaded, shown: Coverage) -> str:
    """The page of a game; "" for one without statements."""
    game = loaded.game
    if game is None or not shown.statements:
        return ""
    done = [c for c in shown.statements if c.scenarios]
    later = [c for c in shown.statements if c.statement.later]
    lines = [
        f"# {game.title}: statements and scenarios",
        "",
        f"{len(done)} of {len(shown.statements)} statements are shown by scenarios; {len(later)} come later.",
        f"`rulewright test {game.name} --page FILE` writes this page.",
        "",
        "| Statement | | Shown by |",
        "|---|---|---|",
    ]
    for covered in shown.statements:
        by = ", ".join(f"`{name}`" for name in covered.scenarios)
        if not by:
            by = "later" if covered.statement.later else "**nothing yet**"
        lines.append(f"| {covered.statement.id} | {_cell(covered.statement.sentence)} | {by} |")
    if shown.unused:
        lines += ["", "No scenario exercises:", ""]
        lines += [f"- {u.kind} `{u.name}`" for u in shown.unused]
    if shown.untold:
        lines += ["", "Rules that change a value leave no trace, so their use is not counted:", ""]
        lines += [f"- `{name}`" for name in shown.untold]
    notes = Path(game.folder) / NOTES
    if notes.is_file():
        lines += ["", notes.read_text(encoding="utf-8").strip()]
    return "\n".join([*lines, ""])


def is_current(path: Path, text: str) -> bool:
    """Whether a file holds just this page."""
    return path.is_file() and path.read_text(encoding="utf-8") == text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
