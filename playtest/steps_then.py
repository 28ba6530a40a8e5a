"""Look at a match: the lines of a `then`.

Comes in: a play and one line: a condition, a board's picture, the contents of a zone, `turn`, `next turns`,
`winner`, `ended as`, `PLAYER sees`, `PLAYER sees not`, `options of PLAYER`, `options of PLAYER include`,
`PLAYER cannot`. Goes out: nothing, or the reason why it does not hold, at its place. What never happens: a
look that changes the match. To add a form of line: a case in `look`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as Map
from typing import Any

from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Tree
from rulewright.dsl.spelling import closest
from rulewright.interpreter.match import Match
from rulewright.interpreter.pictures import differences, drawn, is_wanted, matched, piece_text, wrong
from rulewright.playtest.given import Table
from rulewright.playtest.scenarios_conditions import Conditions
from rulewright.playtest.scenarios_read import failed
from rulewright.playtest.steps import CANNOT, Play, cannot, said, stopped, watch
from rulewright.playtest.steps_match import fitting, offered

WORDS = ("turn", "next turns", "winner", "ended as")
TRIES, CHOICES = 8, 400  # playing on to see whose turns come next


def look(play: Play, conditions: Conditions, line: Tree) -> None:
    """Check one line. Unfit if it does not hold."""
    if isinstance(line, (Scalar, Sequence)):
        conditions.check(play.match, line)
        return
    if not line.entries:
        raise wrong(line.span, "Nothing is said here.", "Write a condition, or `KEY: VALUE`.")
    entry = line.entries[0]
    if len(line.entries) > 1 and not entry.key.text.endswith(CANNOT):
        raise wrong(line.entries[1].key.span, "Two things in one line.", "Begin each with a `-` of its own.")
    _keyed(play, entry, line)


def _keyed(play: Play, entry: Entry, line: Mapping) -> None:
    key, table = entry.key.text, play.table
    board, zone = table.board(key), table.zone(key)
    match key.split():
        case ["turn"]:
            _turn(play, entry)
        case ["next", "turns"]:
            _next_turns(play, entry)
        case ["winner"]:
            _winner(play, entry)
        case ["ended", "as"]:
            _ended(play, entry)
        case [name, "sees"]:
            _sees(play, name, entry, True)
        case [name, "sees", "not"]:
            _sees(play, name, entry, False)
        case ["options", "of", name]:
            _options(play, name, entry, exact=True)
        case ["options", "of", name, "include"]:
            _options(play, name, entry, exact=False)
        case [_, "cannot"] | [_, "cannot", "arrange"]:
            cannot(play, line)
        case _ if board is not None:
            _picture(play, entry)
        case _ if zone >= 0:
            _zone(play, zone, entry)
        case _:
            states = [v.name for v in table.program.variables if not v.hidden]
            if key.partition(" of ")[0] in states:
                cure = f"Write it as a condition: `{key} is …`."
            else:
                near = closest(key, [*table.names(), *WORDS])
                cure = f"Did you mean `{near}`?" if near else f"Known: a board, a zone, {', '.join(WORDS)}."
            raise wrong(entry.key.span, f"`{key}:` cannot be looked at.", cure)


# ------------------------------------------------------------------------ places


def _picture(play: Play, entry: Entry) -> None:
    table, s = play.table, play.match.state
    board = table.board(entry.key.text)
    assert board is not None
    picture = table.picture(entry, board, names=False)
    lying = table.lying(s)
    found = list(differences(picture, board, lying, table.codes))
    if found:
        lines = drawn(board, lying, table.codes)
        more = f" {len(found) - 1} more spaces differ." if len(found) > 1 else ""
        raise failed(found[0][0], found[0][1] + more, "The board is:\n" + "\n".join(lines))


def _zone(play: Play, zone: int, entry: Entry) -> None:
    table, s = play.table, play.match.state
    wanted = table.listed(entry)
    lying = list(s.contents.get(zone, []))
    order, all_lying = table.order(zone), table.lying(s)
    if order == "pile":
        lying.reverse()
    if order == "set":
        same = matched(wanted, lying, all_lying)
    else:
        same = len(wanted) == len(lying) and all(
            is_wanted(w, p, all_lying) for w, p in zip(wanted, lying, strict=True)
        )
    if not same:
        names = [piece_text(p, all_lying, table.codes) for p in lying]
        shown = ", ".join(names if order != "set" else sorted(names))
        raise failed(entry.key.span, f"In `{entry.key.text}` there is: [{shown}].")


# ----------------------------------------------------------------------- players


def _turn(play: Play, entry: Entry) -> None:
    name = said(entry)
    player = play.player(name, entry.key)
    stopped(play.match, entry.key.span)
    decision = play.match.decision
    if decision is None:
        raise failed(entry.key.span, f"The game is over ({play.match.result.end}).")
    if decision.player != player:
        raise failed(entry.key.span, f"It is the turn of {decision.player_name}.", offered(decision))


def _next_turns(play: Play, entry: Entry) -> None:
    """Who gets the next turns, the one that is open now (or has been passed since the last step) first."""
    names = _names(entry)
    wanted = [play.player(n.text, n) for n in names]
    stopped(play.match, entry.key.span)
    seen: list[int] = []
    for seed in range(TRIES):
        seen = _turns_on_a_copy(play, len(wanted), seed)
        if len(seen) >= len(wanted):
            break
    if seen[: len(wanted)] != wanted:
        players = play.match.program.players
        shown = ", ".join(players[p] for p in seen[: len(wanted)]) or "nobody"
        raise failed(entry.key.span, f"The next turns are: {shown}.")


def _turns_on_a_copy(play: Play, count: int, seed: int) -> list[int]:
    copy = play.match.copy(seed=seed)
    turns = list(play.turns)
    decision = copy.decision
    if not turns and decision is not None:
        turns.append(decision.player)
    watch(copy, turns)
    for number in range(CHOICES):
        decision = copy.decision
        if decision is None or len(turns) >= count:
            break
        if copy.choose((number * 7919 + seed * 104729) % decision.count) is not None:
            break
        watch(copy, turns)
    return turns


def _names(entry: Entry) -> list[Scalar]:
    if isinstance(entry.value, Scalar):
        return [entry.value]
    items = entry.value.items if isinstance(entry.value, Sequence) else ()
    return [x for x in items if isinstance(x, Scalar)]


def _winner(play: Play, entry: Entry) -> None:
    names = _names(entry)
    wanted = [] if [n.text for n in names] == ["nobody"] else [play.player(n.text, n) for n in names]
    _is_over(play.match, entry)
    players = play.match.program.players
    winners = play.match.result.winners
    if sorted(players[p] for p in wanted) != sorted(winners):
        raise failed(entry.key.span, f"The winner is: {', '.join(winners) or 'nobody'}.")


def _ended(play: Play, entry: Entry) -> None:
    name = said(entry)
    ends = [e.name for e in play.match.program.ends]
    if name not in ends:
        near = closest(name, ends)
        cure = f"Did you mean `{near}`?" if near else f"Ends: {', '.join(ends)}."
        raise wrong(entry.key.span, f"There is no end `{name}`.", cure)
    _is_over(play.match, entry)
    if play.match.result.end != name:
        raise failed(entry.key.span, f"The game has ended as `{play.match.result.end}`.")


def _is_over(match: Match, entry: Entry) -> None:
    stopped(match, entry.key.span)
    if not match.over:
        raise failed(entry.key.span, "The game goes on.", offered(match.decision))


def _options(play: Play, name: str, entry: Entry, exact: bool) -> None:
    match = play.match
    player = play.player(name, entry.key)
    stopped(match, entry.key.span)
    decision = match.decision
    if decision is None or decision.player != player:
        raise failed(entry.key.span, f"{name} has no options here.", offered(decision))
    met: set[int] = set()
    for item in _names(entry):
        found = fitting(match, decision, play.table, item.text)
        if len(found) != 1:
            word = "not offered" if not found else "offered in several ways"
            raise failed(item.span, f"`{item.text}` is {word}.", offered(decision))
        met.add(found[0].index)
    rest = [o.id for o in decision.options if o.index not in met]
    if exact and rest:
        raise failed(entry.key.span, f"More is offered: {', '.join(rest[:16])}.")


# ----------------------------------------------------------------------- secrecy


def _sees(play: Play, name: str, entry: Entry, yes: bool) -> None:
    """Whether a piece in play is in the view of a player."""
    player = play.player(name, entry.key)
    seen = Counter(_codes_in(play.match.view(player)))
    for item in _names(entry):
        if not play.table.codes.by_code.get(item.text):
            near = closest(item.text, play.table.codes.by_code)
            cure = f"Did you mean `{near}`?" if near else "Name a piece by its code."
            raise wrong(item.span, f"`{item.text}` is no code of a piece in this game.", cure)
        if not _in_play(play.match, play.table, item.text):
            raise failed(item.span, f"`{item.text}` is nowhere in play, so nobody could see it.")
        if bool(seen[item.text]) != yes:
            raise failed(item.span, f"{name} {'does not see' if yes else 'sees'} {item.text}.")


def _in_play(match: Match, table: Table, code: str) -> bool:
    for piece in table.codes.by_code[code]:
        place = match.state.place_of[piece]
        if place >= len(match.program.places) or match.program.places[place].kind not in ("box", "supply"):
            return True
    return False


def _codes_in(view: Map[str, Any]) -> list[str]:
    """The codes of all pieces in play that a view shows."""
    found: list[str] = []

    def gather(value: Any) -> None:
        if isinstance(value, dict):
            if "code" in value and "kind" in value:
                found.append(value["code"])
            for inner in value.values():
                gather(inner)
        elif isinstance(value, list):
            for inner in value:
                gather(inner)

    for zone in view["zones"].values():
        if zone["kind"] not in ("box", "supply"):
            gather(zone["pieces"])
    gather(view["boards"])
    return found
