"""Looks: everything has one, is told apart without colours, and can be read."""

from __future__ import annotations

import itertools

import pytest

from rulewright.dsl.effects_graph import NODE_KINDS, RELATIONS
from rulewright.viz.style import ARROWS, BOXES, FRAME_FILLS, INK, PALE_INK


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_kind_and_relation_of_the_effects_graph_has_a_look() -> None:
    assert set(NODE_KINDS) <= set(BOXES)
    assert set(RELATIONS) <= set(ARROWS)


def test_relations_of_one_diagram_differ_in_more_than_their_colour() -> None:
    for one, two in itertools.combinations(RELATIONS, 2):
        a, b = ARROWS[one], ARROWS[two]
        assert (a.line, a.head, a.words) != (b.line, b.head, b.words), (one, two)


def test_every_relation_of_the_effects_graph_is_explained_in_the_legend() -> None:
    assert [relation for relation in RELATIONS if not ARROWS[relation].legend] == []


@pytest.mark.parametrize("kind", BOXES)
def test_text_in_a_box_can_be_read(kind: str) -> None:
    assert contrast(INK, BOXES[kind].fill) >= 7
    assert contrast(PALE_INK, BOXES[kind].fill) >= 4.5
    assert contrast(BOXES[kind].line, BOXES[kind].fill) >= 3


@pytest.mark.parametrize("relation", ARROWS)
def test_words_beside_an_arrow_can_be_read(relation: str) -> None:
    needed = 4.5 if ARROWS[relation].words or relation in ("again", "skipped", "ends") else 3
    assert all(contrast(ARROWS[relation].colour, ground) >= needed for ground in ("#ffffff", FRAME_FILLS[0]))
