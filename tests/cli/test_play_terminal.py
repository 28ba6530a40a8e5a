"""`play` on a real terminal, through a pseudo-terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rulewright.cli.session import CLEAR
from rulewright.tests.cli.running import ROOT, environment

pexpect = pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("no pseudo-terminals there", allow_module_level=True)


Terminal = Callable[..., Any]


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    children = []

    def spawn(*arguments: str) -> Any:
        child = pexpect.spawn(
            sys.executable, ["-m", "rulewright.cli", "play", *arguments],
            env=environment(), cwd=str(ROOT), encoding="utf-8", timeout=60, dimensions=(50, 100),
        )  # fmt: skip
        children.append(child)
        return child

    yield spawn
    for child in children:
        child.close(force=True)


def ended(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return int(child.exitstatus)


def test_a_whole_game_between_two_people(terminal: Terminal) -> None:
    child = terminal("tic_tac_toe", "--seats", "human,human")
    for player, space in (("x", "a1"), ("o", "b1"), ("x", "b2"), ("o", "b2"), ("o", "c1"), ("x", "c3")):
        child.expect(f"{player}> ")
        assert CLEAR not in child.before  # nothing is hidden here, so nobody hands the screen over
        child.sendline(space)
    child.expect("Winner: x")
    assert ended(child) == 0


def test_the_screen_is_emptied_before_somebody_else_looks_at_it(terminal: Terminal) -> None:
    child = terminal("kuhn_poker", "--seats", "human", "--players", "ann,bob", "--seed", "3")
    child.expect("ann: press Enter when you alone look at it. ")
    assert not re.search(r"\bK\d", child.before)
    child.sendline("")
    child.expect("ann> ")
    ann = re.findall(r"hand of ann \(yours\): (K\d)", child.before)
    assert len(ann) == 1
    child.sendline("bet")
    child.expect("bob: press Enter when you alone look at it. ")
    after_clear = child.before.rpartition(CLEAR)[2]
    assert CLEAR in child.before and not re.search(r"\bK\d", after_clear) and "hand of" not in after_clear
    child.sendline("")
    child.expect("bob> ")
    seen = child.before.rpartition(CLEAR)[2]
    assert CLEAR in child.before and re.search(r"hand of bob \(yours\): K\d", seen) and ann[0] not in seen


def test_ctrl_c_leaves_with_130(terminal: Terminal) -> None:
    child = terminal("tic_tac_toe")
    child.expect("x> ")
    child.sendintr()
    assert ended(child) == 130


def test_ctrl_d_leaves_quietly(terminal: Terminal) -> None:
    child = terminal("tic_tac_toe")
    child.expect("x> ")
    child.sendeof()
    assert ended(child) == 0
