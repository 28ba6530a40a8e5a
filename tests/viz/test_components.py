"""The graph of components: every piece and every place, and what belongs together."""

from __future__ import annotations

import pytest

from rulewright.dsl.load import bundled_games
from rulewright.dsl.model import Checked
from rulewright.viz import component_graph
from rulewright.viz.parts import arrows, boxes


@pytest.mark.parametrize("name", bundled_games())
def test_every_kind_zone_and_board_has_a_box(name: str, games: dict[str, Checked]) -> None:
    game = games[name].game
    shown = {(box.kind, box.name) for _, box in boxes(component_graph(games[name]))}
    wanted = {("kind", k) for k in game.kinds} | {("zone", z) for z in game.zones}
    assert wanted | {("board", b) for b in game.boards} <= shown


def test_pieces_are_joined_to_their_places_and_words(small: Checked) -> None:
    found = {(s, arrow.relation, t) for s, t, arrow in arrows(component_graph(small))}
    assert ("kind-leaf", "starts in", "zone-stack") in found
    assert ("kind-leaf", "lies in", "zone-fan") in found
    assert ("kind-leaf", "has", "type-colour") in found


def test_kinds_point_at_the_kind_they_belong_to(games: dict[str, Checked]) -> None:
    checked = next(c for c in games.values() if any(k.children for k in c.game.kinds.values()))
    group = next(k for k in checked.game.kinds.values() if k.children)
    found = {(s, arrow.relation, t) for s, t, arrow in arrows(component_graph(checked))}
    assert {(f"kind-{child}", "is a", f"kind-{group.name}") for child in group.children} <= found


def test_a_zone_says_who_sees_it(small: Checked) -> None:
    lines = component_graph(small).nodes["zone-fan"]["box"].details
    assert "one for each player" in lines and "seen by owner" in lines


def test_a_long_list_of_words_is_cut_unless_everything_is_asked_for(games: dict[str, Checked]) -> None:
    longest = max(games.values(), key=lambda c: max((len(e.words) for e in c.game.enums.values()), default=0))
    enum = max(longest.game.enums.values(), key=lambda e: len(e.words))
    assert len(enum.words) > 12
    key = f"type-{enum.name}"
    assert component_graph(longest).nodes[key]["box"].details[0].endswith("…")
    assert component_graph(longest, full=True).nodes[key]["box"].details == (", ".join(enum.words),)
