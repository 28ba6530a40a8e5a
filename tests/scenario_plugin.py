"""Let pytest collect the scenarios of the games: every `rules/NAME/scenarios/*.yaml` is a file of tests.

Comes in: pytest's walk through the folders. Goes out: a test for each scenario, named as it is, that
reports the file, line and column of the step or look that fails. Each file is read when it is collected;
the scenarios of a game are played together when the first of them runs, so a program serves many. What
never happens: a scenario that is collected and not played, or a file that cannot be read and is passed
over.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.problems import Problems
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios
from rulewright.playtest.scenarios_read import read_scenarios

FILE = "(the file)"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of scenarios, if it lies where scenarios lie."""
    folder = file_path.parent
    if file_path.suffix == ".yaml" and folder.name == "scenarios" and (folder.parent / "game.yaml").is_file():
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    """One file of scenarios."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its scenarios, and an item of its own for what is wrong with the file."""
        game = self.path.parent.parent
        problems = Problems()
        found = read_scenarios(_loaded(game), problems)
        if any(Path(p.span.file).resolve() == self.path.resolve() for p in problems.errors):
            yield ScenarioItem.from_parent(self, name=FILE, place=1)
        for scenario in found:
            if Path(scenario.span.file).resolve() == self.path.resolve():
                yield ScenarioItem.from_parent(self, name=scenario.name, place=scenario.span.line)


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, place: int, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.place = place

    def runtest(self) -> None:
        """Look up how it came out."""
        results = _results(self.path.parent.parent)
        for result in results:
            mine = result.name == (result.place.file if self.name == FILE else self.name)
            if mine and Path(result.place.file).resolve() == self.path.resolve():
                if not result.ok:
                    raise ScenarioFailed(result.text)
                return
        raise ScenarioFailed(f"{self.path}: the scenario `{self.name}` was not played.")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The place and the reason, without a traceback of ours."""
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario stands."""
        return self.path, self.place - 1, self.name


class ScenarioFailed(Exception):
    """A scenario failed; the text says where and why."""


@lru_cache(maxsize=64)
def _loaded(game: Path) -> Loaded:
    return load_game(str(game))


@lru_cache(maxsize=64)
def _results(game: Path) -> tuple[ScenarioResult, ...]:
    return run_scenarios(_loaded(game))
