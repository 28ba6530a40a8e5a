"""Scenarios: tests that a designer writes, played.

Comes in: a loaded game. Goes out: a `ScenarioResult` for each of its scenarios. A scenario begins bare:
everything lies in the box or in its supply but for what `given` names, in the phase `given` names (the
first with turns unless it says so), with `turn:` as the first to act; or with `after setup: yes` as the
game always begins. What never happens: an exception for a wrong scenario, or a result that depends on
another scenario.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.dsl.load import Loaded, load_game
from rulewright.dsl.model import Checked
from rulewright.dsl.problems import Problem, Problems, Span
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.chance import Chance, SeededChance
from rulewright.interpreter.link import code_of
from rulewright.interpreter.lower import prepare
from rulewright.interpreter.lower_entry import ENTERED, Entry
from rulewright.interpreter.machine import begin
from rulewright.interpreter.match import Match
from rulewright.interpreter.pictures import Codes, Unfit, wrong
from rulewright.interpreter.setting import Setting, settle
from rulewright.interpreter.state import State
from rulewright.interpreter.trace import Event
from rulewright.playtest.given import Table, lay_out, read_given
from rulewright.playtest.scenarios_conditions import Conditions, read_conditions
from rulewright.playtest.scenarios_luck import ListedChance
from rulewright.playtest.scenarios_read import Scenario, failed, read_scenarios
from rulewright.playtest.scenarios_start import (
    accept_refusal,
    check_keys,
    entry_of,
    options_of,
    players_of,
)
from rulewright.playtest.steps import Play, fault, play_steps
from rulewright.playtest.steps_then import look


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """How a scenario came out. `place` is its name in the file, `failure` says where and why it failed.

    `happened` are (kind, name) of everything in its trace; `refused_by` the places of the conditions that
    refused something. A file that cannot be read is a failed result whose `name` is that of the file.
    """

    name: str
    title: str
    covers: tuple[str, ...]
    place: Span
    ok: bool
    failure: Problem | None = None
    steps: int = 0
    happened: frozenset[tuple[str, str]] = frozenset()
    refused_by: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        """The failure as one text with its place; "" if there is none."""
        if self.failure is None:
            return ""
        f = self.failure
        return f"{f.span}: {f.text}" + (f"\n{f.cure}" if f.cure else "")


@dataclass(slots=True)
class Draft:
    """A scenario that has been read against its game, ready to be played. `setting` is None where the game
    rightly refuses to begin."""

    scenario: Scenario
    checked: Checked
    players: int | tuple[str, ...] | None
    options: dict[str, tuple[str, ...]]
    seed: int
    setting: Setting | None = None
    table: Table | None = None
    conditions: Conditions = field(default_factory=Conditions)
    entry: Entry = field(default_factory=Entry)

    @property
    def setting_key(self) -> object:
        """Equal for scenarios with the same players and options."""
        return id(self.checked), self.players, tuple(sorted(self.options.items())), self.seed

    @property
    def key(self) -> object:
        """Equal for scenarios that one program can serve."""
        return self.setting_key, self.entry


@dataclass(slots=True)
class Runner:
    """Plays the scenarios of one game; games with variants are loaded once, programs shared."""

    loaded: Loaded
    statements: Collection[str] | None = None  # the ids that `covers` may name; None: any
    _games: dict[tuple[str, ...], Loaded] = field(default_factory=dict)
    _bare: dict[object, ir.Program | tuple[Problem, ...]] = field(default_factory=dict)

    def run(self, scenarios: Iterable[Scenario]) -> Iterator[ScenarioResult]:
        """Play scenarios; those that one program can serve come one after the other."""
        groups: dict[object, list[Draft]] = {}
        for scenario in scenarios:
            try:
                draft = self.draft(scenario)
            except Unfit as unfit:
                yield _result(scenario, None, unfit.problem)
                continue
            groups.setdefault(draft.key, []).append(draft)
        for group in groups.values():
            programs = self.lowered(group)
            for draft, program in zip(group, programs, strict=True):
                yield self.play(draft, program)

    def draft(self, scenario: Scenario) -> Draft:
        """Read a scenario against its game. Unfit where it is wrong."""
        self._check_covers(scenario)
        checked = self._game(scenario)
        draft = Draft(
            scenario, checked, players_of(scenario), options_of(scenario), int(scenario.text("seed") or 0)
        )
        bare = self._bare_program(draft)
        refused = "refused" in scenario.keys
        if isinstance(bare, tuple):
            accept_refusal(scenario, bare, refused)
            return draft
        if refused:
            raise failed(scenario.place("refused"), "The game begins; nothing is refused.")
        check_keys(scenario)
        setting = settle(checked, draft.players, dict(draft.options), lambda _option, _below: 0)
        assert isinstance(setting, Setting)  # `prepare` has accepted the same
        draft.setting = setting
        draft.table = Table(bare, checked.game, Codes(bare, checked.game))
        read_given(scenario, draft.table)
        draft.conditions = read_conditions(scenario, checked, bare.players, draft.table.spaces)
        draft.entry = entry_of(scenario, checked.game, bare.players)
        return draft

    def lowered(self, group: list[Draft]) -> list[ir.Program | tuple[Problem, ...]]:
        """A program for each of several drafts with the same key: one for all, unless it cannot be."""
        first = group[0]
        if first.setting is None:
            return [()] * len(group)
        conditions = [c for draft in group for c in draft.conditions.lowered]
        program = prepare(
            first.checked, first.players, dict(first.options), first.seed, conditions, first.entry
        )
        if isinstance(program, tuple) and len(group) > 1:
            return [self.lowered([draft])[0] for draft in group]
        return [program] * len(group)

    def play(self, draft: Draft, program: ir.Program | tuple[Problem, ...]) -> ScenarioResult:
        """Play one scenario with its program."""
        scenario = draft.scenario
        if draft.setting is None or draft.table is None:
            return _result(scenario, None, None)
        if isinstance(program, tuple):
            first = program[0]
            span = first.span if first.span.line else scenario.span
            return _result(scenario, None, Problem("E601", span, first.text, first.cure))
        draft.table.program = program
        play: Play | None = None
        try:
            play = _begin(draft, draft.table, program, draft.setting)
            if draft.entry.phase and play.match.fault is None and not _reached(play.match):
                text = f"The phase `{draft.entry.phase}` is not entered from here: a phase round it is over."
                raise failed(scenario.place("given"), text)
            _steps_and_looks(scenario, play, draft.conditions)
        except Unfit as unfit:
            return _result(scenario, play, unfit.problem)
        return _result(scenario, play, None)

    def _check_covers(self, scenario: Scenario) -> None:
        for item in scenario.texts("covers"):
            if self.statements is not None and item.text not in self.statements:
                near = closest(item.text, self.statements)
                cure = f"Did you mean `{near}`?" if near else "Add it to statements.csv."
                raise wrong(item.span, f"There is no statement `{item.text}` in statements.csv.", cure)

    def _game(self, scenario: Scenario) -> Checked:
        names = tuple(x.text for x in scenario.texts("variant"))
        base = self.loaded.game.variants if self.loaded.game is not None else ()
        if names not in self._games:
            self._games[names] = load_game(str(self.loaded.path), (*base, *names)) if names else self.loaded
        found = self._games[names]
        if found.checked is None or not found.ok:
            first = next((p for p in found.problems if p.severity == "error"), None)
            place = scenario.place("variant")
            raise wrong(
                place, "The game cannot be played" + (f": {first.span}: {first.text}" if first else ".")
            )
        return found.checked

    def _bare_program(self, draft: Draft) -> ir.Program | tuple[Problem, ...]:
        """The program that tells the pieces and places of a setting."""
        key = draft.setting_key
        if key not in self._bare:
            self._bare[key] = prepare(draft.checked, draft.players, dict(draft.options), draft.seed)
        return self._bare[key]


def _result(scenario: Scenario, play: Play | None, failure: Problem | None) -> ScenarioResult:
    happened: frozenset[tuple[str, str]] = frozenset()
    if play is not None and play.match.trace is not None:
        happened = frozenset(_happened(play.match.trace))
    return ScenarioResult(
        scenario.name,
        scenario.text("title"),
        scenario.covers,
        scenario.span,
        failure is None,
        failure,
        play.steps if play is not None else 0,
        happened,
        tuple(play.refused_by) if play is not None else (),
    )


def run_scenarios(loaded: Loaded, only: Collection[str] | None = None) -> tuple[ScenarioResult, ...]:
    """Play the scenarios of a game (`only`: those of these names), in the order of the files.

    What is wrong with a file as a whole comes first, as a failed result with the name of the file.
    """
    from rulewright.playtest.coverage import read_statements

    problems = Problems()
    scenarios = read_scenarios(loaded, problems)
    statements = read_statements(loaded, problems)
    runner = Runner(loaded, [s.id for s in statements] if statements is not None else None)
    files = [ScenarioResult(p.span.file, "", (), p.span, False, p) for p in problems if p.severity == "error"]
    wanted = [s for s in scenarios if only is None or s.name in only]
    order = {s.name: i for i, s in enumerate(wanted)}
    return (*files, *sorted(runner.run(wanted), key=lambda r: order[r.name]))


# ---------------------------------------------------------------------- playing


def _begin(draft: Draft, table: Table, program: ir.Program, setting: Setting) -> Play:
    code, scenario = code_of(program), draft.scenario
    outcomes = tuple(x.text.strip() for x in scenario.texts("chance"))
    luck: Chance
    if scenario.tree("seed") is not None:
        luck = SeededChance(code.streams, draft.seed)
    else:
        luck = ListedChance(code.streams, outcomes)
    state = State(code, luck)
    if not scenario.after_setup:
        _settle_open(program, setting, state)
        lay_out(scenario, table, state)
    match = Match(code, state, trace=True)
    play = Play(match, table, tuple(table.game.phases))
    begin(state)
    play.watch()
    match.run_on()
    return play


def _settle_open(program: ir.Program, setting: Setting, state: State) -> None:
    """Options that luck would settle in the set-up: the first player, the first words."""
    for number, variable in enumerate(program.variables):
        count = setting.open.get(variable.name.removeprefix("option "), 0)
        if variable.name.startswith("option ") and count:
            offset = state.code.layout.offsets[number]
            state.vars[offset] = tuple(range(count)) if variable.kind == "set" else 0


def _reached(match: Match) -> bool:
    for number, variable in enumerate(match.program.variables):
        if variable.name == ENTERED:
            return bool(match.state.vars[match.state.code.layout.offsets[number]])
    return True


def _steps_and_looks(scenario: Scenario, play: Play, conditions: Conditions) -> None:
    steps, looks = scenario.items("when"), scenario.items("then")
    if not steps and not looks:
        raise wrong(scenario.span, "This scenario shows nothing.", "Add `when:` or `then:`.")
    play_steps(play, steps, lambda line: look(play, conditions, line))
    for line in looks:
        look(play, conditions, line)
    match = play.match
    if match.fault is not None and (match.fault.form == "chance" or steps or scenario.after_setup):
        raise fault(match.fault, scenario.span)
    luck = match.state.chance
    used = sum(match.state.counters)
    if isinstance(luck, ListedChance) and used < len(luck.outcomes):
        item = scenario.texts("chance")[used]
        raise failed(item.span, f"`{item.text}` is left over: chance did not decide so often.")


def _happened(event: Event) -> Iterator[tuple[str, str]]:
    yield event.kind, event.name
    for child in event.children:
        yield from _happened(child)
