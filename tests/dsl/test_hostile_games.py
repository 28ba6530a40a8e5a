"""Games that are far too large, or go in circles: a problem soon, never an exception."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rulewright.dsl.catalogue_entry import BASE
from rulewright.tests.dsl.examples import problems_of_files

GAME = BASE.replace("include: [part.yaml]\n", "")
ALWAYS = "always:\n  x: any card in deck\n"


def part(text: str, old: str = "", new: str = "") -> dict[str, str]:
    return {"game.yaml": BASE.replace(old, new) if old else BASE, "part.yaml": text}


def nested(depth: int) -> str:
    lines = ["      " + "    " * i + "if mood is 2:" for i in range(depth)]
    return "\n".join([*lines, "      " + "    " * depth + "end turn", ""])


RULE = "rules:\n  r:\n    after: draw\n    do: |\n"
WRONG = {
    "a definition of itself": (
        part("define:\n  f(player p): f(p)\nalways:\n  x: f(first_player) is 1\n"),
        "E442",
    ),
    "a ring of definitions": (
        part("define:\n" + "".join(f"  f{i}(player p): f{(i + 1) % 800}(p) + 1\n" for i in range(800))),
        "E442",
    ),
    "a ring of events": (
        part(
            "events:\n"
            + "".join(f"  e{i}:\n    do: |\n      e{(i + 1) % 500}\n" for i in range(500))
            + RULE
            + "      e0\n"
        ),
        "E443",
    ),
    "options in a circle": (
        part(
            "options:\n  a: {default: b, from: 1, to: b}\n  b: {default: a, from: 1, to: a}\n"
            "always:\n  x: a > 4\n"
        ),
        "E446",
    ),
    "a range of billions": (part("state:\n  luck: {is: number 0 to 99999999999, start: 0}\n"), "E226"),
    "a range of many millions": (part("state:\n  luck: {is: number 0 to 999999999, start: 0}\n"), "E421"),
    "a type of a million numbers": (
        part("types:\n  level: 1 to 1000000\nalways:\n  x: any level v where v > 3\n"),
        "E421",
    ),
    "a board of thousands": (part("boards:\n  sea: {shape: square grid, size: 6000 x 6000}\n"), "E421"),
    "a hundred thousand cards": (part("cards:\n  scrap: {copies: 100000}\n"), "E448"),
    "a hundred thousand cards, reckoned": (part("cards:\n  scrap: {copies: 100 * 1000}\n"), "E448"),
    "kinds in a circle": (
        part("tokens:\n  a: {is: b}\n  b: {is: a}\nalways:\n  x: any a where owner of a is none\n"),
        "E408",
    ),
    "deep blocks": (part(RULE + nested(60)), "E202"),
    "deep brackets": (part("always:\n  x: " + "(" * 300 + "mood is 2" + ")" * 300 + "\n"), "E202"),
    "a word instead of every section": (
        {
            "game.yaml": "".join(
                f"{key}: 3\n" for key in ("game", "players", "flow", "cards", "rules", "ends", "define")
            )
        },
        "E303",
    ),
    "nothing in any section": (
        {
            "game.yaml": "".join(
                f"{key}:\n" for key in ("game", "players", "flow", "cards", "rules", "ends", "define")
            )
        },
        "E305",
    ),
}
RIGHT = {
    "a long chain of definitions": part(
        "define:\n"
        + "".join(f"  f{i}(player p): f{i + 1}(p) + 1\n" for i in range(500))
        + "  f500(player p): 1\nalways:\n  x: every player p has f0(p) > 3\n"
    ),
    "a long chain of options": part(
        "options:\n"
        + "".join(f"  o{i}: {{default: o{i + 1}, from: 1, to: o{i + 1}}}\n" for i in range(400))
        + "  o400: {default: 4, from: 1, to: 9}\nalways:\n  x: o0 < 9\n"
    ),
    "a board of 60 x 60": part("boards:\n  sea: {shape: square grid, size: 60 x 60}\n"),
}


def seconds(files: dict[str, str], folder: Path) -> tuple[set[str], float]:
    begin = time.process_time()
    codes = {p.code for p in problems_of_files(files, folder)}
    return codes, time.process_time() - begin


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    problems_of_files(part(ALWAYS), tmp_path_factory.mktemp("warm"))


@pytest.mark.parametrize("name", WRONG)
def test_a_hostile_game_is_refused_soon(name: str, tmp_path: Path) -> None:
    files, code = WRONG[name]
    codes, took = seconds(files, tmp_path)
    assert code in codes
    assert took < 6  # 2 s on an idle machine; workers share it here


@pytest.mark.parametrize("name", RIGHT)
def test_a_large_game_is_read_soon(name: str, tmp_path: Path) -> None:
    codes, took = seconds(RIGHT[name], tmp_path)
    assert not codes
    assert took < 6
