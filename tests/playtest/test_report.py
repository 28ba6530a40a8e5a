from __future__ import annotations

import json

from rulewright.playtest.batch import Batch, run_batch
from rulewright.playtest.report import summary, to_json
from rulewright.playtest.settings import Settings
from rulewright.tests.playtest.games import open_hand


def report(settings: Settings) -> dict[str, object]:
    found = run_batch(settings, open_hand, workers=1)
    assert isinstance(found, Batch)
    data = json.loads(to_json(summary(found)))
    assert isinstance(data, dict)
    return data


def test_the_report_adds_up() -> None:
    data = report(Settings("rows", games=40, seed=2))
    seats = data["seats"]
    assert isinstance(seats, list) and [s["name"] for s in seats] == ["red", "blue"]
    nobody = data["no_winner"]["count"]  # type: ignore[index]
    assert sum(s["wins"]["count"] for s in seats) + nobody == data["ended"] == data["games"] == 40
    for seat in seats:
        assert seat["wins"]["low"] <= seat["wins"]["value"] <= seat["wins"]["high"]
        assert "score" not in seat
    assert sum(e["count"] for e in data["ends"].values()) == 40  # type: ignore[attr-defined]
    assert data["rules"] and data["complete"] is True


def test_scores_are_in_it_where_the_game_has_them() -> None:
    seats = report(Settings("dice", games=10))["seats"]
    assert isinstance(seats, list)
    score = seats[0]["score"]
    assert (
        score["least"]
        <= score["lower_quartile"]
        <= score["median"]
        <= score["upper_quartile"]
        <= score["most"]
    )


def test_a_path_in_the_settings_does_not_reach_the_report() -> None:
    settings = Settings("/elsewhere/somebody/games/mine/game.yaml", ("/elsewhere/somebody/v.yaml",))
    assert settings.as_json()["game"] == "mine" and settings.as_json()["variants"] == ["v"]
    assert "somebody" not in json.dumps(settings.as_json())


def test_matches_that_were_stopped_are_told_with_their_reason() -> None:
    data = report(Settings("rows", games=6, limit=3))
    assert data["stopped"] == [{"reason": "no end after 3 decisions", "count": 6}]
    assert data["ended"] == 0 and data["length"]["mean"] is None  # type: ignore[index]
