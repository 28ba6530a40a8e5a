"""Every toy is played on both machines: what a test shows of a sentence must hold on the fast machine too.

Comes in: whatever programs a test starts matches of. Goes out: a failure behind the test if the machines
differ in some games at random. A sample of the tests is watched; with `make soak` all of them. What never
happens: a program that is compared twice, or a difference that does not say how to see it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import pytest

from rulewright.interpreter import api, ir
from rulewright.interpreter.wasm.machine import TooLarge, fast_of
from rulewright.playtest.side_by_side import compare, compare_playout

LIMIT = 60  # choices
_COMPARED: dict[int, ir.Program] = {}  # kept, so that no other program gets the number of one


@pytest.fixture(autouse=True)
def both_machines(
    request: pytest.FixtureRequest, figure: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Watch a test, then play its toys on both machines."""
    if crc32(request.node.nodeid.encode()) % figure(20, 1):
        yield
        return
    started: dict[int, ir.Program] = {}
    real = api.start

    def noted(program: ir.Program, *more: Any) -> Any:
        started.setdefault(id(program), program)
        return real(program, *more)

    monkeypatch.setattr(api, "start", noted)
    yield
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_CACHE", "")  # nobody will ask for these modules again
        for number, program in started.items():
            if number not in _COMPARED:
                _COMPARED[number] = program
                _same(program, request.node.nodeid, figure(2, 8))


def _same(program: ir.Program, test: str, games: int) -> None:
    try:
        runner = fast_of(program).runner()
    except TooLarge:
        return  # the reference machine plays it
    for seed in range(games):
        for way in (compare, compare_playout):
            difference = way(runner, seed, test, limit=LIMIT).difference
            if difference is not None:
                pytest.fail(f"{way.__name__}: {difference}", pytrace=False)
