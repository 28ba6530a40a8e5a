"""Lay things out in a scenario: `PLAYER arranges: {PLACE: what}`.

Comes in: the open question of an arrangement, and what is to lie where: codes, or a figure for so many of
whatever may go there. Goes out: the answers, or the reason why it cannot be laid so. What is not named stays
where it is; what can go in one way only goes by itself. It is tried out on a copy that ends with the
arrangement. What never happens: something named that is laid elsewhere, or more at a named place than named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.dsl.problems import Span
from rulewright.dsl.source import Entry, Mapping, Scalar
from rulewright.dsl.source import Sequence as Items
from rulewright.interpreter.match import Match
from rulewright.interpreter.naming import ALL
from rulewright.interpreter.pictures import Wanted, is_wanted, wrong
from rulewright.playtest.given import Table
from rulewright.playtest.given_values import Values

FIGURE = re.compile(r"([1-9][0-9]{0,3})(?: +(\S.*))?\Z")
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be laid at one place: the pieces of `wanted`, and `more` of whatever may go there."""

    name: str
    place: int
    wanted: tuple[Wanted, ...]
    more: int
    span: Span


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be laid out, and where that is written."""

    text: str
    span: Span


def read_goals(entry: Entry, table: Table) -> tuple[Goal, ...]:
    """What stands behind `PLAYER arranges:`. Unfit where it means nothing."""
    if isinstance(entry.value, Scalar) and entry.value.text.strip() == NOTHING:
        return ()
    if not isinstance(entry.value, Mapping) or not entry.value.entries:
        cure = "Write the places with what is laid there on lines of their own, or `nothing`."
        raise wrong(entry.key.span, "It is not said what is laid where.", cure)
    values = Values(table.program, table.game, table.codes, table.spaces)
    return tuple(_goal(line, table, values) for line in entry.value.entries)


def _goal(line: Entry, table: Table, values: Values) -> Goal:
    name = line.key.text
    pieces = table.codes.by_code.get(name, frozenset())
    if len(pieces) == 1 and name not in table.spaces:
        place = table.program.first_piece_place + min(pieces)
    else:
        place = values.thing(name, "place", line.key)
    items = line.value.items if isinstance(line.value, Items) else (line.value,)
    wanted: list[Wanted] = []
    more = 0
    for item in items:
        if not isinstance(item, Scalar):
            raise wrong(line.key.span, f"It is not said what is laid to `{name}`.", "List codes: `[…]`.")
        figure = FIGURE.match(item.text.strip())
        if figure is None:
            wanted += table.codes.read(item.text.strip(), item.span)
        elif figure[2]:
            wanted += table.codes.read(figure[2], item.span) * int(figure[1])
        elif isinstance(line.value, Items):
            raise wrong(item.span, "A figure in a list says how many of something.", "Write `3 CODE`.")
        else:
            more = int(figure[1])
    return Goal(name, place, tuple(wanted), more, line.key.span)


def lay_out(match: Match, table: Table, goals: Sequence[Goal], span: Span) -> tuple[str, ...] | Reason:
    """The answers by which all is laid as it should be, or why that cannot be. Nothing is changed.

    The open decision of the match must be a part of an arrangement.
    """
    attempt = _Attempt(match.aside(), table, goals, span)
    return attempt.reason() or tuple(attempt.answers)


class _Attempt:
    """The arrangement, tried out on a copy of the match."""

    def __init__(self, draft: Match, table: Table, goals: Sequence[Goal], span: Span) -> None:
        self.draft, self.table, self.goals, self.span = draft, table, goals, span
        self.before = list(draft.state.place_of)
        self.asked: set[int] = set()  # the places that something might have been laid to
        self.unnamed: Reason | None = None  # something has to go, and it is not said where
        self.answers: list[str] = []

    def reason(self) -> Reason | None:
        """Answer all questions; why that does not come out as it should, or None. What is said of a place
        that is named comes before what is not named at all."""
        while (decision := self.draft.decision) is not None:
            found = self.answer()
            if isinstance(found, Reason):
                return found
            self.answers.append(decision.id_of(found))
            refused = self.draft.choose(found)
            if refused is not None:
                return Reason(refused.reason, refused.span)
        missed = (self.missed(goal) for goal in self.goals)
        return next((reason for reason in missed if reason is not None), self.unnamed)

    def laid(self, place: int) -> list[int]:
        """The pieces that have been laid to a place."""
        return [p for p in self.draft.state.contents.get(place, ()) if self.before[p] != place]

    def is_meant(self, wanted: Wanted, piece: int) -> bool:
        return is_wanted(wanted, piece, self.table.lying(self.draft.state))

    def still(self, goal: Goal) -> tuple[list[Wanted], int]:
        """What is still to be laid there."""
        wanted, more = list(goal.wanted), goal.more
        for piece in self.laid(goal.place):
            meant = next((w for w in wanted if self.is_meant(w, piece)), None)
            if meant is not None:
                wanted.remove(meant)
            else:
                more -= 1
        return wanted, more

    def answer(self) -> int | Reason:
        """The number of the option that lays things as they should lie."""
        ask = self.draft.state.ask
        assert ask is not None and ask.laid is not None
        alike, options = ask.laid.pieces, list(ask.options)
        named = {
            goal.place: [w for w in self.still(goal)[0] if self.is_meant(w, alike[0])] for goal in self.goals
        }
        if ask.laid.goal >= 0:
            return self.number(alike, ask.laid.goal, options, named)
        self.asked |= {place for place in options if place >= 0}
        for place in options:
            if named.get(place):
                return options.index(place)
        elsewhere = any(named.values())  # it is wanted where it cannot go
        for goal in self.goals:
            if goal.place in options and self.still(goal)[1] > 0 and not elsewhere:
                return options.index(goal.place)
        if -1 in options:
            return options.index(-1)
        code = self.table.codes.name(alike[0])
        self.missing(f"{code} has to go somewhere, and it is not said where.")
        return next((i for i, place in enumerate(options) if place not in named), 0)

    def missing(self, text: str) -> None:
        """Something has to go that is not named."""
        self.unnamed = self.unnamed or Reason(text, self.span)

    def number(
        self, alike: tuple[int, ...], place: int, options: list[int], named: dict[int, list[Wanted]]
    ) -> int | Reason:
        """How many of some that look alike go to one place."""
        self.asked.add(place)
        goal = next((g for g in self.goals if g.place == place), None)
        here = len(named.get(place, ()))
        elsewhere = sum(len(w) for p, w in named.items() if p != place)
        more = self.still(goal)[1] if goal is not None else 0
        many = min(here + max(0, min(more, len(alike) - here - elsewhere)), options[-1])
        if many < options[0]:
            where = self.draft.names.namer.place_name(self.draft.state, place, ALL)
            code = self.table.codes.name(alike[0])
            text = f"At least {options[0]} {code} have to go to {where}, and {many} are named."
            if goal is not None:
                return Reason(text, goal.span)
            self.missing(text)
        return options.index(max(many, options[0]))

    def missed(self, goal: Goal) -> Reason | None:
        """Why something else lies at a place than should, or None."""
        wanted, more = self.still(goal)
        laid = self.laid(goal.place)
        if not wanted and more == 0:
            return None
        if more < 0:
            codes = ", ".join(sorted(self.table.codes.name(p) for p in laid))
            return Reason(f"To {goal.name} goes: {codes}.", goal.span)
        room = self.draft.state.code.rooms.get(goal.place, -1)
        if room >= 0 and len(self.draft.state.contents.get(goal.place, ())) >= room:
            return Reason(f"{goal.name} has room for {room}.", goal.span)
        if wanted:
            names = ", ".join(dict.fromkeys(w.text for w in wanted))
            return Reason(f"{names} cannot be laid to {goal.name} here.", wanted[0].span)
        if goal.place not in self.asked and not laid:
            return Reason(f"Nothing can be laid to {goal.name} here.", goal.span)
        return Reason(f"Only {len(laid)} can be laid to {goal.name}.", goal.span)
