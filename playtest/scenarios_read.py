"""Read scenarios: from files to `Scenario` values, each with the keys that it has itself or takes over.

Comes in: a loaded game. Goes out: its scenarios (files under `scenarios/`, and the section `scenarios:` of a
game in one file), and what is wrong with their form. `like: NAME` takes every key over that the scenario
does not have itself, except `title`, `text` and `covers`: a key is replaced as a whole. What never happens:
a scenario that is left out without a problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.dsl.files import load_scenarios
from rulewright.dsl.load import Loaded
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.schema import SCENARIO_FILE
from rulewright.dsl.shapes import check_shape
from rulewright.dsl.slots import scalars
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest
from rulewright.interpreter.pictures import Unfit

OWN = ("title", "text", "covers", "like")  # these are never taken over


def failed(span: Span, text: str, cure: str = "") -> Unfit:
    """The game does something else than the scenario says (E602)."""
    return Unfit("E602", span, text, cure)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `keys` are its own entries and those taken over; `span` is the place of its name."""

    name: str
    span: Span
    keys: dict[str, Entry]

    def text(self, key: str) -> str:
        """The words under a key, or ""."""
        found = self.tree(key)
        return found.text.strip() if isinstance(found, Scalar) else ""

    def tree(self, key: str) -> Tree | None:
        """What stands under a key."""
        return self.keys[key].value if key in self.keys else None

    def place(self, key: str) -> Span:
        """Where a key stands; the scenario's name if it has none."""
        return self.keys[key].key.span if key in self.keys else self.span

    def texts(self, key: str) -> tuple[Scalar, ...]:
        """The texts of a list, or a text as a list of one."""
        return scalars(self.tree(key))

    def items(self, key: str) -> tuple[Tree, ...]:
        """The items of a list."""
        found = self.tree(key)
        return found.items if isinstance(found, Sequence) else ()

    def given(self) -> tuple[Entry, ...]:
        """The lines of `given`."""
        found = self.tree("given")
        return found.entries if isinstance(found, Mapping) else ()

    @property
    def after_setup(self) -> bool:
        """Whether the game begins as always, with its set-up."""
        return self.text("after setup") == "yes"

    @property
    def covers(self) -> tuple[str, ...]:
        """The statements of the ledger that it covers."""
        return tuple(x.text for x in self.texts("covers"))


def read_scenarios(loaded: Loaded, problems: Problems) -> tuple[Scenario, ...]:
    """All scenarios of a game in the order of the files; one of a name that stands twice is left out."""
    own: dict[str, tuple[Scalar, Mapping]] = {}
    for tree in _sections(loaded, problems):
        for entry in tree.entries:
            name = entry.key.text
            if name in own:
                first = own[name][0].span
                text = f"The scenario `{name}` stands twice: also at {first}."
                problems.error("E601", entry.key.span, text, "Give one of them another name.")
            elif isinstance(entry.value, Mapping):
                own[name] = (entry.key, entry.value)
    found = []
    for name, (key, _) in own.items():
        keys = _with_taken_over(name, own, problems)
        if keys is not None:
            found.append(Scenario(name, key.span, keys))
    return tuple(found)


def _sections(loaded: Loaded, problems: Problems) -> Iterator[Mapping]:
    for file in loaded.files:
        section = file.tree.get("scenarios") if isinstance(file.tree, Mapping) else None
        if isinstance(section, Mapping):
            yield section
    if loaded.path is None:
        return
    for file in load_scenarios(loaded.path, problems):
        if not isinstance(file.tree, Mapping):
            if file.tree is not None:
                cure = "Begin with `scenarios:` in a line of its own."
                problems.error("E601", file.tree.span, "A scenario file consists of keys with a colon.", cure)
            continue
        if check_shape(file.tree, SCENARIO_FILE, "The scenario file", file.tree.span, problems):
            section = file.tree.get("scenarios")
            if isinstance(section, Mapping):
                yield section


def _with_taken_over(
    name: str, own: dict[str, tuple[Scalar, Mapping]], problems: Problems
) -> dict[str, Entry] | None:
    keys: dict[str, Entry] = {}
    met = [name]
    at = own[name][1]
    while True:
        for entry in at.entries:
            if at is own[name][1] or entry.key.text not in OWN:
                keys.setdefault(entry.key.text, entry)
        like = at.get("like")
        if not isinstance(like, Scalar):
            return keys
        if like.text in met:
            problems.error("E601", like.span, f"`{name}` is like itself.", "Break the circle of `like:`.")
            return None
        if like.text not in own:
            near = closest(like.text, own)
            cure = f"Did you mean `{near}`?" if near else "Name another scenario of this game."
            problems.error("E601", like.span, f"There is no scenario `{like.text}`.", cure)
            return None
        met.append(like.text)
        at = own[like.text][1]
