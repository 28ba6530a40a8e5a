"""What all tests share: how thorough to be.

Comes in: the environment variable RULEWRIGHT_SOAK, set by `make soak`. Goes out: the fixture
`figure` and hypothesis' settings. What never happens: a test that looks at the variable itself.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

# What is kept between runs is kept for this run alone; the processes of the workers inherit the folder.
if "RULEWRIGHT_CACHE" not in os.environ:
    os.environ["RULEWRIGHT_CACHE"] = tempfile.mkdtemp(prefix="rulewright-tests-")
    atexit.register(shutil.rmtree, os.environ["RULEWRIGHT_CACHE"], ignore_errors=True)

SOAK = os.environ.get("RULEWRIGHT_SOAK", "") not in ("", "0")

# A deadline per example measures the machine, not the code: workers share its cores.
settings.register_profile("quick", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples each time, so that a clean clone passes or fails for good.
settings.register_profile("ci", settings.get_profile("quick"), derandomize=True, print_blob=True)
settings.register_profile("soak", settings.get_profile("quick"), max_examples=2000)
settings.load_profile("soak" if SOAK else "ci" if os.environ.get("CI") else "quick")


@pytest.fixture(scope="session")
def figure() -> Callable[[int, int], int]:
    """How many to play: `figure(20, 1000)` is the sample, and the full figure in `make soak`."""
    return lambda sample, full: full if SOAK else sample


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests marked `soak`, unless everything is to be played."""
    if SOAK:
        return
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: make soak"))
