"""The catalogue of problems is complete, and its examples show what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.dsl.catalogue import ENTRIES, markdown
from rulewright.dsl.catalogue_entry import Entry
from rulewright.tests.dsl.examples import problems_of

ROOT = Path(__file__).resolve().parents[2]
CHECKABLE = [e for e in ENTRIES.values() if e.wrong.form != "untold"]


@pytest.mark.parametrize("entry", CHECKABLE, ids=lambda e: e.code)
def test_the_wrong_example_has_this_problem_and_no_other(entry: Entry, tmp_path: Path) -> None:
    found = problems_of(entry.wrong, tmp_path)
    codes = {p.code for p in found}
    assert entry.code in codes, [str(p) for p in found]
    assert codes == {entry.code} or not entry.alone, [str(p) for p in found]
    assert all(p.severity == entry.severity for p in found if p.code == entry.code)
    assert all(p.cure and p.text.endswith((".", "?")) for p in found)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda e: e.code)
def test_the_right_example_has_no_problem(entry: Entry, tmp_path: Path) -> None:
    assert problems_of(entry.right, tmp_path) == []


def test_every_code_that_can_be_given_is_in_the_catalogue() -> None:
    used: set[str] = set()
    for path in (ROOT / "dsl").glob("*.py"):
        if not path.name.startswith("catalogue"):
            used |= set(re.findall(r'(?<!< )"([EW][0-9]{3})"', path.read_text(encoding="utf-8")))
    assert used == set(ENTRIES)


def test_only_what_needs_a_strange_machine_has_no_example() -> None:
    assert {e.code for e in ENTRIES.values()} - {e.code for e in CHECKABLE} == {
        "E129",
        "E157",
        "E158",
        "E190",
    }


def test_the_page_of_the_documentation_is_the_catalogue() -> None:
    written = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")
    code = "from rulewright.dsl.catalogue import markdown; print(markdown(), end='')"
    how = f'python -c "{code}" > docs/problems.md'
    assert written == markdown(), f"write the page again: {how}"
