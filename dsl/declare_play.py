"""Declare what happens in a game: definitions, flow, actions, events, rules and ends.

Comes in: the merged tree of a game. Goes out: the declarations of `dsl/model.py`, logic parsed.
Problems E320 … E339. To add a key: `dsl/schema.py` first, then its reading here.
"""

from __future__ import annotations

from rulewright.dsl import nodes as n
from rulewright.dsl.declare_rows import Form, designs_of, has_rules, row_rules
from rulewright.dsl.declare_things import declare_states, title_of
from rulewright.dsl.model import (
    Action,
    Arrangement,
    ChoiceKey,
    Define,
    End,
    Event,
    Kind,
    Phase,
    Requirement,
    Rule,
)
from rulewright.dsl.nodes_walk import names_in
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.schema import RULE
from rulewright.dsl.slots import Slots, read_logic, scalars
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree

RULE_FORMS = (("forbid", "forbid"), ("instead of", "instead"), ("before", "before"), ("after", "after"))
GOALS = ("may go to", "goes to")
WINNER_WORDS = ("nobody", "everybody", "unfinished")


def declare_defines(root: Slots) -> dict[str, Define]:
    """The definitions."""
    found: dict[str, Define] = {}
    for entry in root.entries("define"):
        header = parse_header(entry.key, root.problems)
        if header is None:
            continue
        define = _define(header, entry, root.problems)
        if header.name in found:
            root.problems.error(
                "E310",
                header.name_span,
                f"`{header.name}` is defined twice.",
                "Take one of the two out, or rename it.",
            )
        found[header.name] = define
    return found


def parse_header(key: Scalar, problems: Problems) -> n.Header | None:
    """The name and parameters that a key of `define` or `events` consists of."""
    node = read_logic(key, "header", problems)
    return node if isinstance(node, n.Header) else None


def _define(header: n.Header, entry: Entry, problems: Problems) -> Define:
    body = by = None
    cases: list[tuple[str, object, n.Expr]] = []
    if isinstance(entry.value, Mapping):
        by = read_logic(entry.value.get("by"), "expr", problems)
        if "by" not in entry.value:
            problems.error(
                "E320",
                entry.key.span,
                f"The table of `{header.name}` does not say what it goes by.",
                "Add a line `by: kind of f` (or another value with words) above the cases.",
            )
        for case in entry.value.entries:
            if case.key.text != "by" and case.value is not None:
                node = read_logic(case.value, "expr", problems)
                if node is not None:
                    cases.append((case.key.text, case.key.span, node))
    else:
        body = read_logic(entry.value, "expr", problems)
    return Define(header.name, header.parameters, body, by, tuple(cases), header.name_span)  # type: ignore[arg-type]


def declare_actions(root: Slots) -> dict[str, Action]:
    """The actions and the reactions."""
    found: dict[str, Action] = {}
    for section in ("actions", "reactions"):
        for entry in root.entries(section):
            if isinstance(entry.value, Mapping):
                found[entry.key.text] = _action(
                    entry.key, Slots(entry.value, root.problems), section == "reactions"
                )
    return found


def _action(key: Scalar, s: Slots, reaction: bool) -> Action:
    keys = []
    for entry in s.entries("choose"):
        chosen = read_logic(entry.value, "choice", s.problems)
        if isinstance(chosen, n.Chosen):
            keys.append(ChoiceKey(entry.key.text, chosen, entry.key.span))
    requirements = []
    tree = s.tree.get("require")
    for item in tree.items if isinstance(tree, Sequence) else ():
        if not isinstance(item, Mapping):
            continue
        r = Slots(item, s.problems)
        afterwards = r.has("afterwards")
        condition = r.logic("afterwards" if afterwards else "check", "expr")
        if not r.has("check") and not afterwards:
            s.problems.error(
                "E302", item.span, "A requirement lacks the key `check`.", "Add `check:` with a condition."
            )
        if condition is not None:
            requirements.append(Requirement(condition, afterwards, r.text("because"), item.span))
    return Action(
        key.text,
        s.text("title") or title_of(key.text),
        s.text("text"),
        tuple(keys),
        tuple(requirements),
        s.effect("do"),
        s.logic("seen by", "seen_by"),
        s.logic("used when", "expr"),
        s.events("windows"),
        s.logic("who", "who"),
        reaction,
        key.span,
        s.scalar("in"),
    )


def declare_events(root: Slots) -> dict[str, Event]:
    """The events of the game."""
    found: dict[str, Event] = {}
    for entry in root.entries("events"):
        header = parse_header(entry.key, root.problems)
        if header is None:
            continue
        s = Slots(
            entry.value if isinstance(entry.value, Mapping) else Mapping((), entry.key.span), root.problems
        )
        if header.name in found:
            root.problems.error(
                "E310",
                header.name_span,
                f"The event `{header.name}` is declared twice.",
                "Take one of the two out.",
            )
        found[header.name] = Event(
            header.name,
            s.text("title") or title_of(header.name),
            s.text("text"),
            header.parameters,
            s.effect("do"),
            s.text("once per"),
            s.number("depth"),
            header.name_span,
        )
    return found


def declare_rules(root: Slots, kinds: dict[str, Kind]) -> tuple[Rule, ...]:
    """The rules in the order of the files: those of the game, then those written under pieces and in the rows
    of their tables."""
    found: list[Rule] = []
    for entry in root.entries("rules"):
        _add_rule(found, entry, f"rules.{entry.key.text}", "", root.problems)
    for section in ("cards", "tokens", "dice"):
        for piece in root.entries(section):
            if not isinstance(piece.value, Mapping):
                continue
            name = piece.key.text
            rows = has_rules(design for _, design in designs_of(name, kinds))
            forms: list[Form] = []
            for entry in Slots(piece.value, root.problems).entries("rules"):
                path = f"{section}.{name}.rules.{entry.key.text}"
                form = _form(entry, path, root.problems) if rows else None
                if form is not None:
                    forms.append(form)
                else:
                    _add_rule(found, entry, path, name, root.problems)
            found += row_rules(section, name, kinds, forms, root.problems, len(found))
    return tuple(found)


def _form(entry: Entry, path: str, problems: Problems) -> Form | None:
    """A rule under a kind that names no event: the rows of its table do."""
    keys = {e.key.text for e in entry.value.entries} if isinstance(entry.value, Mapping) else set()
    other = {key for key, _ in RULE_FORMS} | {"change", "because", "to"}
    if not isinstance(entry.value, Mapping) or "do" not in keys or keys & other or keys - set(RULE.keys):
        return None
    s = Slots(entry.value, problems)
    return Form(
        entry.key.text,
        path,
        s.logic("when", "expr"),
        s.effect("do"),
        s.text("text"),
        s.number("priority"),
        s.logic("used when", "expr"),
        s.text("once per"),
        s.logic("order chosen by", "who"),
        entry.key.span,
    )


def _add_rule(found: list[Rule], entry: Entry, path: str, card: str, problems: Problems) -> None:
    if not isinstance(entry.value, Mapping):
        return
    s = Slots(entry.value, problems)
    forms = [(key, form) for key, form in RULE_FORMS if s.has(key)] + (
        [("change", "change")] if s.has("change") else []
    )
    if not forms and any(e.key.text not in RULE.keys for e in s.tree.entries):
        return  # a misspelt key, reported already
    if len(forms) != 1:
        text = "does not say what it does" if not forms else f"has both `{forms[0][0]}` and `{forms[1][0]}`"
        problems.error(
            "E321",
            entry.key.span,
            f"The rule `{entry.key.text}` {text}.",
            "A rule has exactly one of: forbid, instead of, before, after, change.",
        )
        return
    key, form = forms[0]
    needed = {"forbid": "because", "change": "to"}.get(form, "do")
    if not s.has(needed):
        problems.error(
            "E302",
            entry.key.span,
            f"The rule `{entry.key.text}` lacks the key `{needed}`.",
            f"Add `{needed}:`.",
        )
    for wrong in [x for x in ("because", "to", "do") if s.has(x) and x != needed]:
        problems.error(
            "E322",
            s.tree.entry(wrong).key.span,  # type: ignore[union-attr]
            f"A rule with `{key}` has no `{wrong}`.",
            "Take it out, or change what the rule listens to.",
        )
    changes = s.scalar("change")
    condition, effect = s.logic("when", "expr"), s.effect("do")
    parts = [*effect, *([condition] if condition is not None else [])]
    held = bool(card) and form in ("after", "before") and any("holder" in names_in(part) for part in parts)
    found.append(
        Rule(
            entry.key.text,
            path,
            form,
            s.events(key) if form != "change" else (),
            changes.text if changes else "",
            changes.span if changes else None,
            condition,
            s.logic("to", "expr"),
            effect,
            s.text("because"),
            s.text("text"),
            s.text("title") or title_of(entry.key.text),
            s.number("priority"),
            len(found),
            s.text("once per"),
            s.logic("used when", "expr"),
            card,
            entry.key.span,
            s.logic("order chosen by", "who"),
            path if held else "",
        )
    )


Joining = dict[str, list[tuple[str, Span]]]  # phase → the actions that name it under `in:`


def declare_flow(root: Slots, actions: dict[str, Action]) -> tuple[Phase, ...]:
    """The tree of phases. An action that says `in: PHASE` stands behind those which the phase lists."""
    joining: Joining = {}
    for action in actions.values():
        if action.phase is not None:
            joining.setdefault(action.phase.text, []).append((action.name, action.span))
    return _phases(root.tree.get("flow"), "", root.problems, joining)


def _phases(tree: Tree | None, above: str, problems: Problems, joining: Joining) -> tuple[Phase, ...]:
    found = []
    for item in tree.items if isinstance(tree, Sequence) else ():
        for entry in item.entries if isinstance(item, Mapping) else ():
            if isinstance(entry.value, Mapping):
                found.append(_phase(entry.key, Slots(entry.value, problems), above, joining))
    return tuple(found)


def _phase(key: Scalar, s: Slots, above: str, joining: Joining) -> Phase:
    path = f"{above}.{key.text}" if above else key.text
    stuck_tree = s.scalar("if stuck")
    stuck: str | n.Block | None = None
    if stuck_tree is not None:
        stuck = "pass" if stuck_tree.text.strip() == "pass" else read_logic(stuck_tree, "effect", s.problems)
    for_each = s.logic("for each", "choice")
    return Phase(
        name=key.text,
        path=path,
        title=s.text("title") or title_of(key.text),
        text=s.text("text"),
        turns=s.logic("turns", "turns"),
        until_ended=s.has("turn"),
        who=s.logic("who", "who"),
        do=s.effect("do") if s.has("do") else None,
        repeat=s.logic("repeat", "times"),
        until=s.logic("until", "expr"),
        at_most=s.logic("at most", "times"),
        skip_when=s.logic("skip when", "expr"),
        for_each=for_each if isinstance(for_each, n.Chosen) else None,
        on_enter=s.effect("on enter"),
        on_leave=s.effect("on leave"),
        actions=(*((x.text, x.span) for x in s.names("actions")), *joining.get(key.text, ())),
        if_stuck=stuck,
        states=tuple(declare_states(s, "state", key.text).values()),
        each_turn=_phases(s.tree.get("each turn"), path, s.problems, joining),
        phases=_phases(s.tree.get("phases"), path, s.problems, joining),
        arrange=_arrangements(s),
        span=key.span,
    )


def _arrangements(s: Slots) -> tuple[Arrangement, ...]:
    """What a phase lets somebody lay out: each with just one of its two keys."""
    found = []
    for entry in s.entries("arrange"):
        things = read_logic(entry.key, "every", s.problems)
        if not isinstance(entry.value, Mapping):
            continue
        keys = Slots(entry.value, s.problems)
        named = [key for key in GOALS if keys.has(key)]
        if len(named) != 1:
            text = "It is said twice where these go." if named else "It is not said where these go."
            cure = "Write `may go to:` (they may also stay where they are) or `goes to:` (each must go)."
            if named or all(e.key.text in GOALS for e in keys.tree.entries):  # else a misspelt key
                s.problems.error("E323", entry.key.span, text, cure)
            continue
        goals = keys.logic(named[0], "expr")
        if isinstance(things, n.Selection) and goals is not None:
            found.append(Arrangement(things, goals, named[0] == GOALS[1], entry.key.span))
    return tuple(found)


def phases_by_name(flow: tuple[Phase, ...], problems: Problems) -> dict[str, Phase]:
    """All phases of a tree by their own name, which no other phase may have."""
    found: dict[str, Phase] = {}
    todo = list(flow)
    while todo:
        phase = todo.pop(0)
        if phase.name in found:
            problems.error(
                "E310", phase.span, f"Two phases are called `{phase.name}`.", "Give one of them another name."
            )
        found[phase.name] = phase
        todo = [*phase.each_turn, *phase.phases, *todo]
    return found


def declare_ends(root: Slots) -> dict[str, End]:
    """The ways the game ends."""
    found: dict[str, End] = {}
    for entry in root.entries("ends"):
        if not isinstance(entry.value, Mapping):
            continue
        s = Slots(entry.value, root.problems)
        at_once = s.has("at once when")
        winner_text = s.text("winner")
        winner = winner_text if winner_text in WINNER_WORDS else s.logic("winner", "who")
        tie: list[n.Expr | str] = []
        for item in scalars(s.tree.get("tie")):
            node = item.text if item.text in ("shared", "nobody") else read_logic(item, "expr", root.problems)
            if node is not None:
                tie.append(node)
        found[entry.key.text] = End(
            entry.key.text,
            s.text("title") or title_of(entry.key.text),
            s.text("text"),
            s.events("after"),
            s.logic("at once when" if at_once else "when", "expr"),
            at_once,
            winner if winner is not None else "nobody",
            tuple(tie),
            entry.key.span,
        )
    return found
