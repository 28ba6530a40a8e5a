"""Mermaid text: whole, balanced, with no sign of a name taken for Mermaid's own."""

from __future__ import annotations

import re

import pytest

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import KINDS, diagram, phase_graph

NODE = re.compile(r'^(n\d+)(\[|\(|\(\(|\(\[|\[\(|\[\[|\[/|\[\\|>|\{\{)"([^"]*)"([\])/\\}]+):::\w+_box$')
LINK = re.compile(r'^n\d+ (-->|-\.->|==>|--x|~~~)(\|"[^"]*"\|)? n\d+$')
OTHER = re.compile(r'^(subgraph f\d+\["[^"]*"\]|end|linkStyle \d+ stroke:#\w{6}|classDef \w+_box \S+)$')


def mermaid(checked: Checked, kind: str) -> str:
    drawn = diagram(checked, kind, "mermaid")
    assert isinstance(drawn, str)
    return drawn


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", bundled_games())
def test_every_line_is_a_node_a_link_or_a_style(name: str, kind: str, games: dict[str, Checked]) -> None:
    lines = mermaid(games[name], kind).splitlines()
    assert lines[0] == lines[2] == "---" and lines[1].startswith('title: "')
    assert lines[3] in ("flowchart TD", "flowchart LR")
    wrong = [x for x in map(str.strip, lines[4:]) if not (NODE.match(x) or LINK.match(x) or OTHER.match(x))]
    assert wrong == []


@pytest.mark.parametrize("kind", KINDS)
def test_frames_are_closed_and_links_join_what_is_there(kind: str, games: dict[str, Checked]) -> None:
    for checked in games.values():
        text = mermaid(checked, kind)
        nodes = re.findall(r"^\s*(n\d+)\W", text, re.MULTILINE)
        declared = set(re.findall(r'^\s*(n\d+)[\[(>{]+/?\\?"', text, re.MULTILINE))
        ends = set(re.findall(r" (n\d+)$", text, re.MULTILINE))
        assert set(nodes) | ends <= declared
        assert len(re.findall(r"^\s*subgraph ", text, re.MULTILINE)) == len(
            re.findall(r"^\s*end$", text, re.MULTILINE)
        )


def test_there_is_a_node_for_every_box(small: Checked) -> None:
    text = mermaid(small, "phases")
    assert len(re.findall(r":::\w+$", text, re.MULTILINE)) == len(phase_graph(small))
    assert "Growing" in text and "Grow, and more" in text


def test_signs_in_a_name_are_escaped(small: Checked) -> None:
    title, *rest = mermaid(small, "effects").splitlines()[1:]
    assert title == 'title: "Small \\"game\\" <of> tests & more. What causes what"'
    assert "rain #gt; 3" in mermaid(small, "phases") or not any("rain > 3" in line for line in rest)
