"""Actions: everything that a player can choose from in an action decision.

Comes in: a position, a decision, a player. Goes out: options (number of the action, value of each key …),
in the defined order: actions as listed, keys as declared, values in the order of their sets. Conditions
are read as soon as what they need is bound, and remembered while one enumeration lasts, since nothing
changes meanwhile; so are their parts (`link_once.py`).
What never happens: an option whose conditions do not hold, or two options that look alike to the player.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.alike import one_of_each
from rulewright.interpreter.chance import NoChance
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.link_numbers import Ev
from rulewright.interpreter.link_once import Once
from rulewright.interpreter.machine import compute
from rulewright.interpreter.naming import is_piece_type
from rulewright.interpreter.walk import every, slots_read

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Raw = tuple[int, ...]
Step = Callable[[Any, list[Any], list[Raw], list[dict[Any, Any]]], None]

_NO_CHANCE = NoChance()
_CHEAP = 6  # expressions of fewer nodes are computed anew rather than remembered


class _Full(Exception):
    """As many options have been found as were asked for."""


class ActionSet:
    """The actions of one decision, ready to be enumerated."""

    def __init__(self, code: Code, number: int) -> None:
        self.code = code
        self.info = code.program.decisions[number]
        self._memos = 0
        # A decision may be computed in a frame of the function that asks, so there is room for its keys.
        keys = [k.slot for a in self.info.actions for k in a.keys]
        self.slots = max([self.info.slots, self.info.player_slot + 1] + [k + 1 for k in keys])
        self.links = Once(code, self.slots, self.info.player_slot)
        self._steps = [self._action(i, a) for i, a in enumerate(self.info.actions)]

    def options(self, s: Any, player: int) -> list[Raw]:
        """All options of a player. More than the budget allows is a RuleError."""
        out: list[Raw] = []
        most = s.room
        s.room = self.code.budgets.options + 1
        try:
            self._run(s, player, out)
        except _Full:
            raise RuleError(f"More than {s.room - 1} options at once.", self.info.span, "budget") from None
        finally:
            s.room = most
        return out

    def has_option(self, s: Any, player: int) -> bool:
        """Whether the player has any option."""
        out: list[Raw] = []
        most = s.room
        s.room = 1
        try:
            self._run(s, player, out)
        except _Full:
            return True
        finally:
            s.room = most
        return bool(out)

    def locals_for(self, player: int) -> list[Any]:
        """A frame for the conditions, with the player bound."""
        loc = [0] * self.slots
        loc[self.info.player_slot] = player
        return loc

    def domain(self, s: Any, action: int, key: int, loc: list[Any]) -> list[int]:
        """The values of a key with the earlier keys bound in `loc`, one of each look; conditions are not
        read."""
        k = self.info.actions[action].keys[key]
        values = self.code.expressions.items(k.domain)(s, loc)
        if is_piece_type(self.code.program, k.type):
            values = one_of_each(s, values, loc[self.info.player_slot])
        return list(values)

    def afterwards_holds(self, s: Any, item: ir.Afterwards, values: list[Any]) -> bool:
        """Whether a condition holds in the position as it would be; `s` is not changed."""
        t = s.copy()
        t.chance = _NO_CHANCE
        held = bool(compute(t, item.function, values))
        s.fuel = t.fuel - 1
        s.events = t.events
        return held

    # -------------------------------------------------------------- linking

    def _run(self, s: Any, player: int, out: list[Raw]) -> None:
        loc = self.locals_for(player) + self.links.room()
        memos: list[dict[Any, Any]] = [{} for _ in range(self._memos)]
        for step in self._steps:
            step(s, loc, out, memos)

    def _action(self, number: int, action: ir.ActionOption) -> Step:
        step = self._leaf(number, action)
        for level in range(len(action.keys), 0, -1):
            step = self._key(action, level, step)
        return self._guarded(action, 0, step)

    def _leaf(self, number: int, action: ir.ActionOption) -> Step:
        slots = [k.slot for k in action.keys]

        def found(s: Any, loc: list[Any], out: list[Raw], memos: list[dict[Any, Any]]) -> None:
            out.append((number, *[loc[i] for i in slots]))
            if len(out) == s.room:
                raise _Full

        if not action.afterwards:
            return found

        def found_if(s: Any, loc: list[Any], out: list[Raw], memos: list[dict[Any, Any]]) -> None:
            values = [loc[i] for i in slots]
            if all(self.afterwards_holds(s, a, values) for a in action.afterwards):
                found(s, loc, out, memos)

        return found_if

    def _guarded(self, action: ir.ActionOption, level: int, step: Step) -> Step:
        guards = [g for g in action.guards if g.level == level]
        links = self.links.begin([k.slot for k in action.keys[:level]])
        for guard in reversed(guards):
            test = self._remembered(action, level, guard.condition, links.test(guard.condition))
            step = _after(test, step)
        return step

    def _key(self, action: ir.ActionOption, level: int, step: Step) -> Step:
        key = action.keys[level - 1]
        slot, player_slot = key.slot, self.info.player_slot
        items = self.links.begin([k.slot for k in action.keys[: level - 1]]).items(key.domain)
        if is_piece_type(self.code.program, key.type):
            whole = items

            def items(s: Any, loc: list[Any]) -> Any:
                return one_of_each(s, whole(s, loc), loc[player_slot])

        domain = self._remembered(action, level - 1, key.domain, items)
        inner = self._guarded(action, level, step)

        def each(s: Any, loc: list[Any], out: list[Raw], memos: list[dict[Any, Any]]) -> None:
            values = domain(s, loc, memos)
            s.fuel -= len(values)
            if s.fuel < 0:
                raise RuleError("Working out the options takes too many steps.", action.span, "budget")
            for value in values:
                loc[slot] = value
                inner(s, loc, out, memos)

        return each

    def _remembered(self, action: ir.ActionOption, bound: int, e: ir.Expr, f: Ev) -> Callable[..., Any]:
        """`f`, computed once for each value of the keys it really reads, where that saves anything."""
        slots = [k.slot for k in action.keys[:bound]]
        read = [i for i in slots if i in slots_read(e)]
        if len(read) == len(slots) or sum(1 for _ in every(e)) < _CHEAP:
            return lambda s, loc, memos: f(s, loc)
        place = self._memos
        self._memos += 1

        def remembered(s: Any, loc: list[Any], memos: list[dict[Any, Any]]) -> Any:
            memo = memos[place]
            key = tuple([loc[i] for i in read])
            if key not in memo:
                memo[key] = f(s, loc)
            return memo[key]

        return remembered


def _after(test: Callable[..., Any], step: Step) -> Step:
    def guarded(s: Any, loc: list[Any], out: list[Raw], memos: list[dict[Any, Any]]) -> None:
        if test(s, loc, memos):
            step(s, loc, out, memos)

    return guarded
