"""`playtest` on a real terminal: progress while it plays, and what is done when somebody stops it."""

from __future__ import annotations

import re
import sys

import pytest

from rulewright.interpreter.wasm import host
from rulewright.tests.cli.running import ROOT, environment

pexpect = pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("no pseudo-terminals there", allow_module_level=True)


@pytest.mark.skipif(not host.available(), reason="so many games need the fast machine")
def test_ctrl_c_in_the_middle_reports_what_is_finished() -> None:
    child = pexpect.spawn(
        sys.executable, ["-m", "rulewright.cli", "playtest", "vye", "--players", "4", "--games", "1000000"],
        env={**environment(), "TERM": "xterm"}, cwd=str(ROOT), encoding="utf-8", codec_errors="replace",
        timeout=120, dimensions=(40, 120),
    )  # fmt: skip
    try:
        child.expect(r"[1-9]\d*/1000000")
        child.sendintr()
        child.expect(pexpect.EOF)
        text = child.before
    finally:
        child.close(force=True)
    stopped = re.search(r"Stopped after (\d+) of 1000000 games", text)
    assert stopped is not None, text
    assert f"{stopped[1]} games, {stopped[1]} of them reached an end" in text
    assert "Traceback" not in text
    assert child.exitstatus == 130
