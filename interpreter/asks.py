"""Asks: how a program stops to let somebody choose, and goes on with the answer.

Comes in: a Choose statement. Goes out: an instruction that either goes straight on (nothing to choose
from, or only one thing) or leaves an `Ask` in the state; `answer` puts what was chosen into the frame. The
options of an ask follow from the position and the frame alone, so a loaded game asks the same again.
What never happens: a change of the position while an ask is open: what has been picked is in slots of the
frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.alike import look, one_of_each
from rulewright.interpreter.faults import RuleError
from rulewright.interpreter.flat import SUSPEND
from rulewright.interpreter.laying import Laid, knowers_of, link_laying, words_for
from rulewright.interpreter.naming import Secret, is_piece_type

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

Instruction = Callable[[Any, list[Any]], int]
NONE, READY = -1, -2  # options beside the values of a key: "or none", and `done` of a plural choice


@dataclass(slots=True)
class Ask:
    """An open question. `form`: "action", "one", "some", "together".

    `options`: for an action (its number, value of each key …), else values, `NONE` and `READY`. `together`
    are the players who choose at the same time. `slot` is the first of the ask's own slots, `next` where
    the program goes on.
    """

    form: str
    player: int
    node: Any
    options: list[Any]
    locals: list[Any]
    next: int
    slot: int
    picked: tuple[int, ...] = ()
    together: tuple[int, ...] = ()
    values: tuple[int, ...] = ()  # of a plural choice: all that there was to choose from
    laid: Laid | None = None  # what is laid out


def link_ask(code: Code, node: Any, pc: int, to: int, slot: int) -> Instruction:
    """The instruction for one of the Choose statements."""
    match node:
        case ir.ChooseAction():
            return _ask_action(code, node, to)
        case ir.ChooseOne():
            return _ask_one(code, node, to)
        case ir.ChooseSome():
            return _ask_some(code, node, to, slot)
        case ir.ChooseTogether():
            return _ask_together(code, node, to, slot)
        case _:
            raise TypeError(f"no such choice: {node!r}")


def _ask_action(code: Code, node: ir.ChooseAction, to: int) -> Instruction:
    player, number, slot = code.expressions.value(node.player), node.decision, node.action

    def ask(s: Any, loc: list[Any]) -> int:
        p = player(s, loc)
        options = code.decision(number).options(s, p) if p >= 0 else []
        if not options:
            loc[slot] = -1
            return to
        s.ask = Ask("action", p, node, options, loc, to, -1)
        return SUSPEND

    return ask


def _domain(code: Code, key: ir.Key) -> Callable[[Any, list[Any], int], tuple[int, ...]]:
    items = code.expressions.items(key.domain)
    if not is_piece_type(code.program, key.type):
        return lambda s, loc, p: tuple(items(s, loc))
    return lambda s, loc, p: tuple(one_of_each(s, items(s, loc), p))


def _ask_one(code: Code, node: ir.ChooseOne, to: int) -> Instruction:
    player, slot, domain = code.expressions.value(node.player), node.slot, _domain(code, node.key)
    or_none, laying = code.expressions.test(node.or_none), link_laying(code, node.laying)

    def ask(s: Any, loc: list[Any]) -> int:
        p = player(s, loc)
        values = domain(s, loc, p) if p >= 0 else ()
        _limit(code, node, len(values))
        if not values:
            loc[slot] = -1
            return to
        if or_none(s, loc):
            s.ask = Ask("one", p, node, [*values, NONE], loc, to, -1, laid=laying(s, loc))
            return SUSPEND
        if len(values) == 1:
            loc[slot] = values[0]
            _note_taken(s, p, node, values[0], loc, laying(s, loc) if s.trace is not None else None)
            return to
        s.ask = Ask("one", p, node, list(values), loc, to, -1, laid=laying(s, loc))
        return SUSPEND

    return ask


def _ask_some(code: Code, node: ir.ChooseSome, to: int, own: int) -> Instruction:
    player, slot, items = (
        code.expressions.value(node.player),
        node.slot,
        code.expressions.items(node.key.domain),
    )
    least, most = code.expressions.value(node.least), code.expressions.value(node.most)
    pieces = is_piece_type(code.program, node.key.type)

    def ask(s: Any, loc: list[Any]) -> int:
        p = player(s, loc)
        values = tuple(items(s, loc)) if p >= 0 else ()
        _limit(code, node, len(values))
        picked: tuple[int, ...] = loc[own] or ()
        options = next_picks(s, p, values, least(s, loc), most(s, loc), picked, pieces)
        while len(options) == 1 and options[0] != READY:
            picked += (options[0],)
            _note_taken(s, p, node, options[0], loc)
            options = next_picks(s, p, values, least(s, loc), most(s, loc), picked, pieces)
        if len(options) > 1:
            loc[own] = picked
            s.ask = Ask("some", p, node, options, loc, to, own, picked, (), values)
            return SUSPEND
        loc[own] = 0
        loc[slot] = picked
        return to

    return ask


def _ask_together(code: Code, node: ir.ChooseTogether, to: int, own: int) -> Instruction:
    who, items = code.expressions.items(node.players), code.expressions.items(node.key.domain)
    least = code.expressions.value(node.least) if node.least is not None else None
    most = code.expressions.value(node.most) if node.most is not None else None
    pieces, bound = is_piece_type(code.program, node.key.type), node.player_slot
    offset, v = code.layout.offsets[node.var], code.program.variables[node.var]

    def options_of(
        s: Any, loc: list[Any], p: int, picked: tuple[int, ...]
    ) -> tuple[list[int], tuple[int, ...]]:
        loc[bound] = p
        values = tuple(items(s, loc))
        _limit(code, node, len(values))
        if least is None:
            return list(one_of_each(s, values, p) if pieces else values), values
        top = most(s, loc) if most is not None else len(values)
        return next_picks(s, p, values, least(s, loc), top, picked, pieces), values

    def ask(s: Any, loc: list[Any]) -> int:
        players = tuple(dict.fromkeys(p for p in who(s, loc) if p >= 0))
        answers: tuple[Any, ...] = loc[own] or ()
        picked: tuple[int, ...] = loc[own + 1] or ()
        # Nothing changes before the last answer, so options computed now are those computed first.
        while len(answers) < len(players):
            p = players[len(answers)]
            options, values = options_of(s, loc, p, picked)
            if len(options) > 1:
                loc[own], loc[own + 1] = answers, picked
                s.ask = Ask("together", p, node, options, loc, to, own, picked, players, values)
                return SUSPEND
            if least is None:
                answers += (options[0] if options else -1,)
            elif options and options[0] != READY:
                picked += (options[0],)
            else:
                answers, picked = (*answers, picked), ()
        loc[own] = loc[own + 1] = 0
        if len(players) > 1:
            s.news += 1  # each learns what the others have chosen: nobody may choose again after that
        for p, answer in zip(players, answers, strict=True):
            if p >= v.cells:
                raise RuleError(f"`{v.name}` is not kept for this player.", node.span)
            for n in answer if isinstance(answer, tuple) else (answer,):
                if not v.low <= n <= v.high and n != -1:
                    raise RuleError(f"{n} does not fit; `{v.name}` goes from {v.low} to {v.high}.", node.span)
            if s.trace is not None:
                s.trace.store(s, node.var, p, s.vars[offset + p], answer, node.span)
            s.vars[offset + p] = answer
        return to

    return ask


def next_picks(
    s: Any, player: int, values: tuple[int, ...], least: int, most: int, picked: tuple[int, ...], pieces: bool
) -> list[int]:
    """What can be picked next in a plural choice: `READY` stands for `done`; nothing left is [].

    Picks go forward only in the canonical order (values in their order, look-alikes side by side), so each
    set can be picked in just one way; a pick that would leave too few for `least` is not offered.
    """
    if len(values) < least or most < max(least, 1):
        return []
    looks: list[object] = [look(s, v, player) for v in values] if pieces else list(values)
    first: dict[object, int] = {}
    for i, seen in enumerate(looks):
        first.setdefault(seen, i)
    order = sorted(range(len(values)), key=lambda i: (first[looks[i]], i))
    start = next((n + 1 for n, i in enumerate(order) if picked and values[i] == picked[-1]), 0)
    options: list[int] = []
    met: set[object] = set()
    if len(picked) < most:
        for n in range(start, len(order)):
            i = order[n]
            if looks[i] not in met and len(picked) + len(order) - n >= least:
                met.add(looks[i])
                options.append(values[i])
    if len(picked) >= least:
        options.append(READY)
    return options


def answer(s: Any, index: int) -> None:
    """Give option `index` as the answer to the open ask; the machine must then be run on."""
    ask: Ask = s.ask
    chosen = ask.options[index]
    s.ask = None
    loc, node = ask.locals, ask.node
    frame = s.frames[-1]
    match ask.form:
        case "action":
            action = s.code.program.decisions[node.decision].actions[chosen[0]]
            loc[node.action] = chosen[0]
            for key, value in zip(action.keys, chosen[1:], strict=True):
                loc[key.slot] = value
            frame[1] = ask.next
        case "one":
            loc[node.slot] = chosen
            frame[1] = ask.next
        case "some":
            if chosen == READY:
                loc[node.slot], loc[ask.slot] = ask.picked, 0
                frame[1] = ask.next
            else:
                loc[ask.slot] = (*ask.picked, chosen)
        case _:
            if node.least is None:
                loc[ask.slot] = (*(loc[ask.slot] or ()), chosen)
            elif chosen == READY:
                loc[ask.slot], loc[ask.slot + 1] = (*(loc[ask.slot] or ()), ask.picked), 0
            else:
                loc[ask.slot + 1] = (*ask.picked, chosen)


def _limit(code: Code, node: Any, n: int) -> None:
    if n > code.budgets.options:
        raise RuleError(f"More than {code.budgets.options} options at once.", node.span, "budget")


def privy(s: Any, node: Any, loc: list[Any], player: int) -> int:
    """The players (bits) who may know of a choice that a card brings: who knows the card, and who chooses."""
    about: ir.Expr | None = getattr(node, "about", None)
    if about is None:
        return int(s.code.everybody)
    return int(s.code.knowers(s, s.code.expressions.value(about)(s, loc))) | 1 << player


def _note_taken(s: Any, player: int, node: Any, value: int, loc: list[Any], laid: Laid | None = None) -> None:
    """Write into the trace that there was nothing to choose."""
    if s.trace is None:
        return
    namer = s.trace.namer
    if laid is not None:
        told = (f"{s.code.program.players[player]} can only lay ", *words_for(namer, s, laid, value))
        s.trace.note("taken", node.key.name, told, node.span, knowers_of(s.code, s, laid) | 1 << player)
        return
    words: list[str | Secret] = [f"{s.code.program.players[player]} can only take "]
    words.extend(namer.words(s, node.key.type, value))
    s.trace.note("taken", node.key.name, tuple(words), node.span, privy(s, node, loc, player))
