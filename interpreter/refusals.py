"""Refusals: why something that was asked for cannot be chosen.

Comes in: the open ask and the text of an option that is not offered. Goes out: a `Refusal` that names the
first thing in the way: no such action (with the nearest name), a wrong key, a value that does not exist,
one that is not in the key's selection, or a condition with the reason that its rule gives.
What never happens: a change of the game, or a reason that tells the chooser what is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.dsl.problems import NOWHERE, Span
from rulewright.dsl.spelling import closest
from rulewright.interpreter import ir
from rulewright.interpreter.asks import READY, Ask
from rulewright.interpreter.decisions import DONE, OptionNames
from rulewright.interpreter.faults import Refusal, RuleError
from rulewright.interpreter.laying import STAY, lead_of
from rulewright.interpreter.naming import as_id, bare_type, family, say, words_of

if TYPE_CHECKING:
    from rulewright.interpreter.actions import ActionSet

LONGEST = 12  # names listed in one reason


def explain(names: OptionNames, s: Any, ask: Ask, text: str) -> Refusal:
    """Why the option `text` is not offered. Rule errors met on the way are the reason then."""
    words = text.split()
    s.fuel = names.code.budgets.steps
    try:
        if not words:
            return Refusal("unknown", "Nothing was chosen.")
        if ask.form == "action":
            return _action(names, s, ask, words)
        return _value(names, s, ask, words)
    except RuleError as error:
        return refusal_of(error)


def refusal_of(error: RuleError) -> Refusal:
    """A rule error as the reason for which nothing was done."""
    chain = ""
    if error.form == "budget" and len(error.chain) > 1:
        chain = " Under way: " + " → ".join(error.chain[-8:]) + "."
    return Refusal(error.form, error.described() + chain, error.span, error.rule)


def _action(names: OptionNames, s: Any, ask: Ask, words: list[str]) -> Refusal:
    found = names.code.decision(ask.node.decision)
    actions = {a.name: i for i, a in enumerate(found.info.actions)}
    if words[0] not in actions:
        near = closest(words[0], actions)
        cure = f"Did you mean `{near}`?" if near else f"Possible here: {_listed(list(actions))}."
        return Refusal("unknown", f"There is no action `{words[0]}` here. {cure}", found.info.span)
    number = actions[words[0]]
    action = found.info.actions[number]
    given = _given(action, words[1:])
    if isinstance(given, Refusal):
        return given
    loc = found.locals_for(ask.player)
    failed = _guards(names, s, ask.player, found, action, 0, loc, "")
    if failed:
        return failed
    for i, key in enumerate(action.keys):
        values = found.domain(s, number, i, loc)
        known = names.names(s, key.type, values, ask.player)
        if i >= len(given) or given[i] is None:
            return Refusal("value", f"`{key.name}` is missing. Possible: {_listed(known)}.", key.span)
        wanted = given[i] or ""
        place = known.index(wanted) if wanted in known else names.lying_at(s, key.type, values, wanted)
        if place < 0:
            return _no_value(names, key, wanted, known)
        loc[key.slot] = values[place]
        failed = _guards(names, s, ask.player, found, action, i + 1, loc, wanted)
        if failed:
            return failed
    for item in action.afterwards:
        if not found.afterwards_holds(s, item, [loc[k.slot] for k in action.keys]):
            return Refusal(
                "require", _said(names, s, ask.player, item.because, loc, "That is not allowed."), item.span
            )
    return Refusal("not offered", f"`{' '.join(words)}` is not on offer.", action.span)


def _given(action: ir.ActionOption, words: list[str]) -> list[str | None] | Refusal:
    """The values in the order of the keys; words without a key name fill the first free keys."""
    places = {k.name: i for i, k in enumerate(action.keys)}
    out: list[str | None] = [None] * len(action.keys)
    bare: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            bare.append(word)
        elif name not in places:
            near = closest(name, places)
            cure = f" Did you mean `{near}`?" if near else ""
            return Refusal("unknown", f"`{action.name}` has nothing called `{name}`.{cure}", action.span)
        else:
            out[places[name]] = value
    for i, value_or_none in enumerate(out):
        if value_or_none is None and bare:
            out[i] = bare.pop(0)
    if bare:
        return Refusal("unknown", f"`{action.name}` has no use for `{' '.join(bare)}`.", action.span)
    return out


def _guards(
    names: OptionNames,
    s: Any,
    player: int,
    found: ActionSet,
    action: ir.ActionOption,
    level: int,
    loc: list[Any],
    wanted: str,
) -> Refusal | None:
    for guard in action.guards:
        if guard.level == level and not names.code.expressions.test(guard.condition)(s, loc):
            key = action.keys[level - 1].name if level else ""
            usual = f"{wanted} is not among `{key}`." if guard.source == "where" else "That is not allowed."
            return Refusal(guard.source, _said(names, s, player, guard.because, loc, usual), guard.span)
    return None


def _said(names: OptionNames, s: Any, player: int, sentence: ir.Sentence, loc: list[Any], usual: str) -> str:
    text = say(words_of(names.code, sentence)(s, loc), player, names.code.everybody)
    return text or usual


def _value(names: OptionNames, s: Any, ask: Ask, words: list[str]) -> Refusal:
    if ask.laid is not None:
        return _laid(names, s, ask, words)
    key = ask.node.key
    text = " ".join(words)
    name, equals, value = text.partition("=")
    if equals and name != key.name:
        return Refusal("unknown", f"This asks for `{key.name}`, not for `{name}`.", key.span)
    wanted = value if equals else text
    if wanted == DONE:
        return Refusal("value", f"Too few have been picked for `{key.name}` yet.", key.span)
    known = names.names(s, key.type, names.domain_of(s, ask), ask.player)
    if ask.form == "one" and wanted == "none":
        return Refusal("value", f"`{key.name}` cannot be declined.", key.span)
    if wanted in known and ask.picked:
        return Refusal("where", f"{wanted} cannot be picked any more: picks go forward in order.", key.span)
    if wanted in known and READY not in ask.options:
        return Refusal("where", f"{wanted} comes too late in the order: too few would be left.", key.span)
    return _no_value(names, key, wanted, known)


def _laid(names: OptionNames, s: Any, ask: Ask, words: list[str]) -> Refusal:
    """Why something cannot be laid so."""
    span, laid = ask.node.span, ask.laid
    assert laid is not None
    lead, ids = lead_of(names.namer, s, laid, ask.player), names.ids(s, ask)
    values = [i.removeprefix(lead) for i in ids]
    wanted = words[-1].rpartition("=")[2]
    possible = f"Possible: {_listed(ids) if laid.goal < 0 else f'{values[0]} to {values[-1]}'}."
    if "=" in words[-1] and not (lead + wanted).endswith(" ".join(words)):
        return Refusal("unknown", f"This asks for `{lead}…`, not for `{' '.join(words)}`. {possible}", span)
    if laid.goal >= 0 and wanted.isdecimal():
        many = "many" if int(wanted) > int(values[-1]) else "few"
        to = lead[:-1].rpartition(" ")[2]
        return Refusal("where", f"{wanted} is too {many} for {to}. {possible}", span)
    place = next((i for i, p in enumerate(names.program.places) if as_id(p.name) == wanted), -1)
    if laid.goal < 0 and wanted == STAY:
        return Refusal("value", f"{lead[:-1]} cannot stay where it is. {possible}", span)
    if laid.goal < 0 and place >= 0:
        name = names.program.places[place].name
        if names.code.rooms.get(place, -1) == len(s.contents.get(place, ())):
            return Refusal("where", f"{name} is full.", span)
        return Refusal("where", f"{lead[:-1]} may not go to {name}. {possible}", span)
    near = closest(wanted, values)
    cure = f"Did you mean `{near}`?" if near else possible
    return Refusal("value", f"There is no `{wanted}` here. {cure}", span)


def _no_value(names: OptionNames, key: ir.Key, wanted: str, known: list[str]) -> Refusal:
    """Why a value is not among those of a key."""
    several = [n for n in known if n.startswith(wanted + "#")]
    if several:
        return Refusal("value", f"There are several {wanted}: {_listed(several)}.", key.span)
    if exists(names, key.type, wanted):
        return Refusal("where", f"{wanted} is not among `{key.name}`. Possible: {_listed(known)}.", key.span)
    near = closest(wanted, known)
    cure = f"Did you mean `{near}`?" if near else f"Possible: {_listed(known)}."
    return Refusal("value", f"There is no `{wanted}` to be `{key.name}`. {cure}", key.span)


def exists(names: OptionNames, type_: str, text: str) -> bool:
    """Whether a type has a value of this name at all, on offer or not."""
    program, namer = names.program, names.namer
    match family(program, type_):
        case "number":
            return text.removeprefix("-").isdecimal()
        case "yesno":
            return text in ("yes", "no")
        case "player":
            return text in program.players
        case "direction":
            return text in program.directions
        case "line":
            return text in program.lines
        case "kind":
            return text in program.kinds
        case "word":
            return text in dict(program.word_lists)[bare_type(type_)]
        case "place":
            return any(p.name.replace(" ", "_") == text for p in program.places)
        case _:
            base = text.partition("#")[0]
            return any(
                namer.code_name(i) == base for i in range(len(program.pieces) + len(program.stand_ins))
            )


def _listed(names: list[str]) -> str:
    if not names:
        return "nothing"
    more = f" and {len(names) - LONGEST} more" if len(names) > LONGEST else ""
    return ", ".join(names[:LONGEST]) + more


def over(span: Span = NOWHERE) -> Refusal:
    """Nothing can be chosen any more."""
    return Refusal("over", "The game is over.", span)
