"""Find the option that a step of a scenario means.

Comes in: the words of a step and what is offered. Goes out: the number of the one option that fits. Values
come in the order of the option's id, with or without their key's name; the small words between them do not
count. A space goes by its name or by that of the scenario's picture. A piece goes by its code, by its code
with its state (`Fm:Lw`), or by the space on which it lies; if a token on it is offered too, the space means
the piece. What never happens: one of several options that fit is taken.
"""

from __future__ import annotations

from rulewright.dsl.problems import NOWHERE
from rulewright.interpreter import ir
from rulewright.interpreter.decisions import Decision, Option
from rulewright.interpreter.match import Match
from rulewright.interpreter.naming import as_id
from rulewright.interpreter.pictures import Unfit
from rulewright.playtest.given import Table

SMALL = frozenset(("at", "on", "to", "from", "named", "with"))
LISTED = 16
ON_IT = -2  # in place of a piece: what is meant lies on it


def fitting(match: Match, decision: Decision, table: Table, text: str) -> list[Option]:
    """The options that a text can mean, in their order."""
    wanted = words_of(text)
    exact = [o for o in decision.options if o.id == " ".join(wanted)]
    if exact:
        return exact
    found = [o for o in decision.options if _fits(match, table, o, wanted, through=True)]
    if len(found) > 1:
        found = [o for o in found if _fits(match, table, o, wanted, through=False)] or found
    return found


def words_of(text: str) -> list[str]:
    """The words of a step without the small ones."""
    words = text.split()
    return [w for i, w in enumerate(words) if i == 0 or w not in SMALL]


def _fits(match: Match, table: Table, option: Option, wanted: list[str], through: bool) -> bool:
    if option.action:
        if not wanted or wanted[0] != option.action:
            return False
        wanted = wanted[1:]
    if not option.values:
        return (not option.action and wanted == [option.id]) or (bool(option.action) and not wanted)
    if len(wanted) != len(option.values):
        return False
    spots = {key: (place, index) for key, place, index in option.where}
    for word, (key, name) in zip(wanted, option.values, strict=True):
        place, piece = _spot(match, name, *spots.get(key, (-1, -1)))
        named = _names(match, table, name, place, through or piece != ON_IT)
        head, equals, tail = word.partition("=")
        meant = tail if equals and head == key else word
        if meant not in named and not (piece >= 0 and _in_state(match, table, meant, piece)):
            return False
    return True


def _spot(match: Match, name: str, place: int, index: int) -> tuple[int, int]:
    """The place of a value and the piece that it is: -1 if it is a place, `ON_IT` if it lies on the piece."""
    lying = match.state.contents.get(place, ())
    if not 0 <= index < len(lying):
        return place, -1
    namer = match.names.namer
    own = (namer.code_name(lying[index]), namer.position(match.state, lying[index]))
    return place, lying[index] if name.partition("#")[0] in own or name in own else ON_IT


def _names(match: Match, table: Table, name: str, place: int, spaced: bool) -> set[str]:
    """All names that a value may go by in a step; `place` is that of a space or piece, else -1; only
    those that are `spaced` go by their space."""
    found = {name, name.partition("#")[0]}
    layout = match.state.code.layout
    if spaced and place >= 0 and layout.board_at(place) is not None and layout.host(place) < 0:
        space = as_id(layout.info(place).name)
        found.add(space)
        found |= {mine for mine, its in table.spaces.items() if its == space}
    return found


def _in_state(match: Match, table: Table, word: str, piece: int) -> bool:
    """Whether a word is the code of a piece with the state that it has."""
    if ":" not in word:
        return False
    try:
        wanted = table.codes.one(word, NOWHERE)
    except Unfit:
        return False
    lying = table.lying(match.state)
    return piece in wanted.pieces and all(lying.value(n, piece) == value for n, value in wanted.state)


def _is_code(table: Table, word: str) -> bool:
    """Whether a word is the code of a piece with a state that it can have."""
    try:
        table.codes.one(word, NOWHERE)
    except Unfit:
        return False
    return True


def in_ids(table: Table, text: str) -> str:
    """The words of a step with the names that ids use."""
    out = []
    for word in words_of(text):
        head, equals, tail = word.rpartition("=")
        out.append(head + equals + table.spaces.get(tail, tail))
    return " ".join(out)


def unknown_word(program: ir.Program, table: Table, text: str, action: bool) -> str:
    """The first word of a step that means nothing at all in this game, or "".

    So a slip of the pen is no proof that something cannot be done.
    """
    wanted = words_of(text)
    if action:
        actions = {o.name for d in program.decisions for o in d.actions}
        if wanted and wanted[0] not in actions:
            return wanted[0]
        wanted = wanted[1:]
    known = {
        "yes",
        "no",
        "none",
        "done",
        *program.players,
        *program.directions,
        *program.kinds,
        *table.spaces,
    }
    known |= {word for _, words in program.word_lists for word in words}
    known |= {as_id(line) for line in program.lines} | {as_id(p.name) for p in program.places}
    known |= {as_id(code) for code in table.codes.by_code}
    for word in wanted:
        name = word.rpartition("=")[2].partition("#")[0]
        place, dot, number = name.rpartition(".")
        if name in known or name.lstrip("-").isdigit() or (dot and number.isdigit() and place in known):
            continue
        if ":" in name and _is_code(table, name):
            continue
        if (
            any(b.unbounded for b in program.boards)
            and name.lstrip("-")[:1].isalpha()
            and name[-1:].isdigit()
        ):
            continue
        return word
    return ""


def offered(decision: Decision | None) -> str:
    """What is on offer, in one sentence."""
    if decision is None:
        return "Nobody has to choose here; the game is over."
    ids = [o.id for o in decision.options]
    rest = f" and {len(ids) - LISTED} more" if len(ids) > LISTED else ""
    return f"{decision.player_name} may choose: {', '.join(ids[:LISTED])}{rest}."
