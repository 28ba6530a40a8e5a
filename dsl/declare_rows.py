"""Declare the rules that stand in the rows of a table of pieces.

Comes in: a kind with its rows, and the rules of the kind that name no event (`Shape`s). Goes out: rules that
apply for each piece of a row that somebody holds: what they listen to, when, and for whom stands in the
columns `after` or `before`, `when`, `who`; what is done in `do`, or else in the rules of the kind, which are
those of all rows. Problems E302, E321. What never happens: a cell of these columns that is passed over.
To add a column: its name in `SPECIAL_COLUMNS` of declare_things, its reading here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Design, Kind, Row, Rule
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.slots import read_logic
from rulewright.dsl.source import Scalar

MOMENTS = ("after", "before")
RULE_COLUMNS = (*MOMENTS, "when", "who", "do")


@dataclass(frozen=True, slots=True)
class Form:
    """A rule of a kind that names no event: what is done for every row that does not say it itself."""

    name: str
    path: str
    condition: n.Expr | None
    do: n.Block
    text: str
    priority: int
    used_when: n.Expr | None
    once_per: str
    order_chosen_by: n.Expr | None
    span: Span


def has_rules(designs: Iterable[Design]) -> bool:
    """Whether any row says what it listens to."""
    return any(cell(design, column) is not None for design in designs for column in MOMENTS)


def cell(design: Design, column: str) -> Scalar | None:
    """What a row says in a column; None where it says nothing."""
    found = design.cells.get(column)
    return found if found is not None and found.text.strip() else None


def designs_of(kind: str, kinds: dict[str, Kind]) -> list[tuple[str, Design]]:
    """The rows of a kind's table, each with the kind of its pieces (its own where rows have names)."""
    names = (kind, *kinds[kind].children) if kind in kinds else ()
    return [(name, d) for name in names if name in kinds for d in kinds[name].designs]


def row_rules(
    section: str, kind: str, kinds: dict[str, Kind], forms: list[Form], problems: Problems, order: int
) -> list[Rule]:
    """The rules of all rows of a kind: form by form, then row by row. `order` is the place of the first."""
    found: list[Rule] = []
    rows: list[tuple[str, n.Happening, Row]] = []
    for _, design in designs_of(kind, kinds):
        read = _row(design, bool(forms), problems)
        if read is not None:
            rows.append(read)
    path = f"{section}.{kind}"
    several = len(forms) > 1
    for form in forms:
        for moment, happening, row in rows:
            if row.do is None:
                found.append(_rule(path, kind, moment, happening, row, form, several, order + len(found)))
    for moment, happening, row in rows:
        if row.do is not None:
            found.append(_rule(path, kind, moment, happening, row, None, False, order + len(found)))
    for form in forms:
        if not any(rule.group == form.path for rule in found):
            _unused(form, problems)
    return found


def _row(design: Design, shared: bool, problems: Problems) -> tuple[str, n.Happening, Row] | None:
    """What a row listens to and does; None where it is no rule, or a wrong one."""
    moments = [(column, c) for column in MOMENTS if (c := cell(design, column)) is not None]
    others = [c for column in ("when", "who", "do") if (c := cell(design, column)) is not None]
    if not moments:
        for other in others:
            problems.error(
                "E321",
                other.span,
                "This row does not say what its rule listens to.",
                "Name an event in the column `after`, or leave this cell empty.",
            )
        return None
    moment, listens = moments[0]
    if len(moments) > 1:
        problems.error(
            "E321",
            moments[1][1].span,
            "This row has both `after` and `before`.",
            "Leave one of the two cells empty.",
        )
    own = cell(design, "do")
    if own is None and not shared:
        problems.error(
            "E302",
            listens.span,
            "It is not said what this row does.",
            "Write it into a column `do`, or for all rows into a rule of the kind that has only `do:`.",
        )
        return None
    happening = read_logic(listens, "event", problems)
    when, who, do = (
        read_logic(design.cells.get(column), slot, problems)
        for column, slot in (("when", "expr"), ("who", "who"), ("do", "effect"))
    )
    if not isinstance(happening, n.Happening) or (own is not None and do is None):
        return None
    return moment, happening, Row(design, when, who, do)


def _rule(
    path: str,
    kind: str,
    moment: str,
    happening: n.Happening,
    row: Row,
    form: Form | None,
    several: bool,
    order: int,
) -> Rule:
    name, title = names_of(row.design)
    conditions = [c for c in (row.when, form.condition if form is not None else None) if c is not None]
    condition = conditions[0] if conditions else None
    if len(conditions) > 1:
        condition = n.And(span=conditions[0].span, left=conditions[0], right=conditions[1])
    return Rule(
        name=f"{name}.{form.name}" if several and form is not None else name,
        path=f"{path}.{name}.{form.name}" if form is not None else f"{path}.{name}",
        form=moment,
        happenings=(happening,),
        changes="",
        changes_span=None,
        condition=condition,
        to=None,
        do=form.do if form is not None else row.do or (),
        because="",
        text=form.text if form is not None and form.text else f"{title}.",
        title=title,
        priority=form.priority if form is not None else 0,
        order=order,
        once_per=form.once_per if form is not None else "",
        used_when=form.used_when if form is not None else None,
        card=kind,
        span=happening.span,
        order_chosen_by=form.order_chosen_by if form is not None else None,
        group=form.path if form is not None else path,
        row=row,
    )


def names_of(design: Design) -> tuple[str, str]:
    """The name of a row (its first cell) and its title for people."""
    first = next(iter(design.cells.values())).text
    name = design.cells["name"].text if "name" in design.cells else first
    title = design.cells["title"].text if "title" in design.cells else name
    return name, title.replace("{", "(").replace("}", ")")


def _unused(form: Form, problems: Problems) -> None:
    problems.error(
        "E321",
        form.span,
        f"The rule `{form.name}` does not say what it does, and no row of a table takes it up.",
        "Name an event with `after:`, or give the table of the kind a column `after`.",
    )
