"""DOT text: the same for the same game, whole, and safe against the signs of a name."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import KINDS, diagram, effect_graph
from rulewright.viz.crowding import thinned
from rulewright.viz.folding import folded

SVG = "{http://www.w3.org/2000/svg}"


class DotFile(SingleFileSnapshotExtension):
    """Snapshots as DOT files, which can be drawn and compared."""

    _write_mode = WriteMode.TEXT
    file_extension = "dot"


def without_places(dot: str) -> str:
    """The text without the lines of the rule files: those change with every comment in them."""
    return re.sub(r" \([^()\s]+\.(?:yaml|csv):\d+:\d+\)", "", dot)


def text(checked: Checked, kind: str, format: str = "dot") -> str:
    drawn = diagram(checked, kind, format)
    assert isinstance(drawn, str)
    return drawn


def svg(checked: Checked, kind: str) -> ET.Element:
    drawn = diagram(checked, kind, "svg")
    assert isinstance(drawn, bytes), drawn
    return ET.fromstring(drawn)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "vyr"])
def test_the_dot_text_is_as_it_was(
    name: str, kind: str, games: dict[str, Checked], snapshot: SnapshotAssertion
) -> None:
    assert without_places(text(games[name], kind)) == snapshot(extension_class=DotFile)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_game_gives_the_same_text(kind: str, games: dict[str, Checked]) -> None:
    for checked in games.values():
        assert text(checked, kind) == text(checked, kind)


def test_every_phase_has_its_id_and_class_in_the_svg(small: Checked) -> None:
    groups = {g.get("id"): (g.get("class") or "").split() for g in svg(small, "phases").iter(f"{SVG}g")}
    for phase in small.game.phases:
        assert groups[f"phase-{phase}"] == ["node", "phase"]
    assert "frame" in groups["frame-phase-season"]
    assert groups["phase-resting--again--phase-season"] == ["edge", "again"]


def test_signs_of_html_and_dot_in_a_name_come_out_as_they_are(small: Checked) -> None:
    words = " ".join(t.text or "" for t in svg(small, "effects").iter(f"{SVG}text"))
    assert 'Small "game" <of> tests & more' in words


@pytest.mark.parametrize("name", bundled_games())
def test_a_box_in_the_picture_for_every_box_of_the_graph(name: str, games: dict[str, Checked]) -> None:
    ids = {g.get("id") for g in svg(games[name], "effects").iter(f"{SVG}g")}
    drawn = thinned(folded(effect_graph(games[name])))
    assert set(drawn) <= ids


def test_an_arrow_of_a_rule_has_no_word_since_its_box_has_one(small: Checked) -> None:
    lines = text(small, "effects").splitlines()
    (of_rule,) = [line for line in lines if "rule-no_bloom_in_rain--forbids" in line]
    assert "label=" not in of_rule and "arrowhead=tee" in of_rule
    assert any("rule: forbid" in line for line in lines)
    of_ends = [line for line in lines if 'id="end-' in line and "--after--" in line]
    assert of_ends and all("label=" in line for line in of_ends)


def test_what_begins_again_stands_below_what_it_goes_back_to(small: Checked) -> None:
    arrow = next(line for line in text(small, "phases").splitlines() if "phase-resting--again" in line)
    assert arrow.lstrip().startswith('"phase-season" -> "phase-resting"') and "dir=back" in arrow
    own = next(line for line in text(small, "phases").splitlines() if "phase-growing--again" in line)
    assert "dir=back" not in own


def test_everything_shows_all_lines_of_a_block(games: dict[str, Checked]) -> None:
    checked = next(c for c in games.values() if len(c.game.setup) > 4)
    full = diagram(checked, "phases", "dot", detail="all")
    assert isinstance(full, str)
    assert "…" in text(checked, "phases") and "…" not in full
