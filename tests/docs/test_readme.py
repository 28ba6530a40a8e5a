"""What the README says is so: commands run, examples check, and the message is the one that is shown.

The commands run one after the other in one folder, as somebody would type them who reads from top to
bottom; what the text says to do between them (change a line, save a file) is done between them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.cli.parser import COMMANDS
from rulewright.dsl.load import bundled_games, bundled_rules
from rulewright.dsl.problems import Problems
from rulewright.dsl.yaml_reader import read_yaml
from rulewright.tests.cli.running import rulewright
from rulewright.tests.docs.book import FENCE
from rulewright.tests.docs.commands import command_lines, run_line

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [(found[1].strip(), found[2]) for found in FENCE.finditer(TEXT)]
LINES = [line for language, text in BLOCKS if not language for line in command_lines(text)]
YAML = [text for language, text in BLOCKS if language == "yaml"]


def block(*words: str) -> str:
    """The one block that holds all of these words."""
    found = [text for _, text in BLOCKS if all(w in text for w in words)]
    assert len(found) == 1, f"one block of the README holds {words}"
    return found[0]


def put(folder: Path, old: str, new: str, name: str = "game.yaml") -> None:
    """Change a line of a file, as the text says."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_commands_run_as_they_are_typed(tmp_path: Path) -> None:
    done: list[str] = []
    for line in LINES:
        if line == "rulewright check my_game" and "rulewright play my_game --seats human,random" in done:
            grow(tmp_path / "my_game")
        if "big_hands.yaml" in line and not (tmp_path / "big_hands.yaml").exists():
            (tmp_path / "big_hands.yaml").write_text(block("variant: Big hands"), encoding="utf-8")
        result = run_line(line, tmp_path)
        fails = line == "rulewright test my_game"  # "the old ones speak of the smaller board and fail"
        assert result.returncode == int(fails), f"{line}\n{result.stdout}\n{result.stderr}"
        assert "Traceback" not in result.stderr
        done.append(line)
    assert (tmp_path / "phases.svg").read_text(encoding="utf-8").lstrip().startswith("<")
    assert len(done) >= 12


def grow(folder: Path) -> None:
    """Make the board larger and the line longer, with the lines of the README."""
    shown = block("4 x 4", "line of 4")
    for name in ("grid:", "when:"):
        new = next(x.strip() for x in shown.split("\n") if x.strip().startswith(name))
        text = (folder / "game.yaml").read_text(encoding="utf-8")
        old = next(x.strip() for x in text.split("\n") if x.strip().startswith(name))
        put(folder, old, new)


def test_the_rule_of_vye_is_changed_as_it_says(tmp_path: Path) -> None:
    assert rulewright("new", "my_vye", "--like", "vye", folder=tmp_path).returncode == 0
    old, new = "queen: diagonal of f", "queen: surrounding of f"
    assert f"`{new}`" in TEXT
    put(tmp_path / "my_vye", old, new, "families.yaml")
    assert rulewright("check", "my_vye", folder=tmp_path).returncode == 0
    result = rulewright("test", "my_vye", "--games", "0", folder=tmp_path)
    assert result.returncode == 1 and "queen" in result.stdout  # it names the scenarios of the old rule


def test_a_new_game_is_as_long_as_it_says(tmp_path: Path) -> None:
    assert rulewright("new", "my_game", "--like", "tic_tac_toe", folder=tmp_path).returncode == 0
    lines = (tmp_path / "my_game" / "game.yaml").read_text(encoding="utf-8").rstrip("\n").count("\n") + 1
    assert f"the whole game in {lines} lines" in TEXT


def test_the_message_is_the_one_that_is_shown(tmp_path: Path) -> None:
    shown = block("E401", "gird")
    rulewright("new", "my_game", "--like", "tic_tac_toe", folder=tmp_path)
    grow(tmp_path / "my_game")
    put(tmp_path / "my_game", "line of 4 on grid", "line of 4 on gird")
    result = rulewright("check", "my_game", folder=tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith(shown)


@pytest.mark.parametrize("text", YAML, ids=lambda t: t.split("\n")[0])
def test_yaml_is_yaml(text: str) -> None:
    problems = Problems()
    read_yaml(re.sub(r"^…$", "# …", text, flags=re.MULTILINE), "README.yaml", problems)
    assert list(problems) == []


def test_the_first_rule_is_a_rule_of_a_bundled_game() -> None:
    rules = "".join(p.read_text(encoding="utf-8") for p in bundled_rules().rglob("*.yaml"))
    assert YAML[0] in rules


def test_every_command_and_every_game_is_told() -> None:
    told = set(re.findall(r"^\| `rulewright ([a-z]+)", TEXT, re.MULTILINE))
    assert told == set(COMMANDS) - {"demo"} and "make demo" in TEXT
    names = TEXT.lower().replace("-", "_").replace(" ", "_").replace("\n", "_")
    assert [g for g in bundled_games() if g not in names] == []


def test_flags_in_the_table_are_flags_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for line in re.findall(r"^\| `rulewright ([^`]+)`", TEXT, re.MULTILINE):
        name = line.split()[0]
        assert main([name, "--help"]) == 0
        known = capsys.readouterr().out
        for flag in re.findall(r"--[a-z]+|(?<=\[)-o", line):
            assert flag in known, f"{name} {flag}"


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = next(text for language, text in BLOCKS if language == "python")
    exec(compile(text, "README.md", "exec"), {})
    assert re.fullmatch(r"\('?[xo]?'?,?\)\n", capsys.readouterr().out)


def test_links_lead_somewhere() -> None:
    missing = [x for x in re.findall(r"\]\(([^)#:]+)\)", TEXT) if not (ROOT / x).exists()]
    assert missing == []
