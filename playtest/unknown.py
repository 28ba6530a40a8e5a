"""Unknown: another position that one player cannot tell from the real one.

Comes in: a match, a player, luck. Goes out: a match in which whatever this player does not know is another
way: hidden pieces have changed places, hidden values are drawn anew, what the others have chosen in secret is
something else that they could choose, and chance will go on otherwise. What never happens: a change of the
match that came in, or a difference that the player can see.

In the words of the field: all positions that a player cannot tell apart are one *information set* (von
Neumann and Morgenstern 1944; Kuhn 1953); one of them, drawn at random, is a *determinization*, on which a
search with open cards can work (Ginsberg 2001; Cowling, Powley and Whitehouse, "Information Set Monte Carlo
Tree Search", IEEE Transactions on Computational Intelligence and AI in Games 4 (2), 2012, 120-143). A search
that works on several of them must choose one way for all: each alone knows too much ("strategy fusion", Frank
and Basin 1998).

What a player knows is what the machine keeps: pieces seen or shown and not shuffled away since, values as far
as their `seen by` goes. What follows from the rules beyond that is kept where the game says it under
`always:`; what follows from how the others play is not weighed, all that can be is as likely. So the rules
might never lead to such a position; it can be played on all the same. To make another thing unknown: a change
of its own here, which knows how to happen on a copy.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Protocol

from rulewright.dsl.types import BIG
from rulewright.interpreter import ir
from rulewright.interpreter.asks import READY, next_picks
from rulewright.interpreter.match import Match
from rulewright.interpreter.naming import ONLOOKER, family, is_piece_type, may_know
from rulewright.interpreter.state import State
from rulewright.playtest.under_way import pieces_under_way

TRIES = 3  # positions in which everything is another way, before things are changed by halves
WIDE = 64  # sets of more values than this are left as they are
NEAR = 3  # how far a number without bounds goes from where it is
Rename = dict[int, int]


def resampled(match: Match, player: int | None, rng: Random) -> Match:
    """A position that the player (None: an onlooker) cannot tell from the real one, drawn with `rng`.

    It has no past and no trace. When the player is asked, the question is asked anew in it: rules that
    betray something show in its options. When somebody else is asked, the same one is asked there. Nothing
    that holds under `always:` is broken. Whatever would break any of this stays as it is, and so do pieces
    that something lies on or that an effect under way refers to. Of a game that is over it is a copy.
    """
    seed = rng.getrandbits(63)
    if match.over:
        return match.copy(seed=seed)
    truth = _Truth(match, player, seed)
    for _ in range(TRIES):
        found = truth.changed(truth.changes(rng))
        if found is not None:
            return found
    kept = truth.kept([], truth.changes(rng))
    found = truth.changed(kept)
    return found if found is not None else match.copy(seed=seed)


def shown(match: Match, player: int | None) -> str:
    """All that a player gets to see of a position, as one text: the view, and where the player is asked the
    question with its options in their order. Equal texts are equal to the last byte."""
    decision = match.decision
    asked: object = None
    if decision is not None and decision.player == player:
        laying = decision.laying
        asked = {
            "prompt": decision.prompt,
            "window": decision.window,
            "laying": asdict(laying) if laying is not None else None,
            "options": [asdict(option) for option in decision.options],
        }
    return json.dumps([match.view(player), asked], ensure_ascii=False, indent=1)


class Change(Protocol):
    """Something that is another way in another position."""

    def happen(self, s: State, truth: _Truth) -> None:
        """Change a copy of the real position. Nothing happens where it does not fit."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The pieces at two spots (place, position from the bottom) change places."""

    one: tuple[int, int]
    two: tuple[int, int]

    def happen(self, s: State, truth: _Truth) -> None:
        """What is known of a spot, and what happened to the piece there, belongs to the spot."""
        (place, i), (other, j) = self.one, self.two
        a, b = s.contents[place][i], s.contents[other][j]
        if a == b or not truth.alike(a, b) or not (truth.fits(a, other) and truth.fits(b, place)):
            return
        s.contents[place][i], s.contents[other][j] = b, a
        s.place_of[a], s.place_of[b] = other, place
        s.known[a], s.known[b] = s.known[b], s.known[a]
        for offset, row, initial in truth.of_pieces:
            for n in range(row):
                x, y = a * row + n, b * row + n
                if initial[x] == initial[y]:  # else it is what the piece is, not what happened to it
                    x, y = offset + x, offset + y
                    s.vars[x], s.vars[y] = s.vars[y], s.vars[x]


@dataclass(frozen=True, slots=True)
class Redraw:
    """A hidden value is another one."""

    cell: int
    value: int | tuple[int, ...]

    def happen(self, s: State, truth: _Truth) -> None:
        """Put the value there."""
        s.vars[self.cell] = self.value


@dataclass(frozen=True, slots=True)
class Rechoose:
    """What others have chosen in secret, all at once or pick by pick, is something else that they could."""

    seed: int

    def happen(self, s: State, truth: _Truth) -> None:
        """Choose for each of the others who has chosen already."""
        ask, loc = truth.ask, s.frames[-1][2]
        if ask.form == "some" and ask.player != truth.viewer:
            loc[ask.slot] = ()
        if ask.form != "together":
            return
        luck = Random(self.seed)
        answers = tuple(loc[ask.slot] or ())
        loc[ask.slot] = tuple(
            answer if p == truth.viewer else truth.some_answer(s, loc, p, luck)
            for p, answer in zip(ask.together, answers, strict=False)
        )
        if ask.player != truth.viewer:
            loc[ask.slot + 1] = ()


class _Truth:
    """The real position, and what one player does not know of it."""

    def __init__(self, match: Match, viewer: int | None, seed: int) -> None:
        assert match.state.ask is not None
        self.match, self.viewer, self.seed = match, viewer, seed
        self.s: State = match.state
        self.code = self.s.code
        self.program: ir.Program = self.code.program
        self.ask: Any = match.state.ask
        self.broken = set(match.broken_invariants())
        pieces = len(self.program.pieces)
        rows = pieces + len(self.program.stand_ins)
        self.of_pieces: list[tuple[int, int, Sequence[object]]] = [
            (self.code.layout.offsets[n], v.cells // rows, v.initial)
            for n, v in enumerate(self.program.variables)
            if v.index and rows and v.cells % rows == 0 and family(self.program, v.index[0]) == "piece"
        ]

    def knows(self, players: int) -> bool:
        """Whether the player is among those (bits) who know something."""
        return may_know(players, ONLOOKER if self.viewer is None else self.viewer, self.code.everybody)

    # ------------------------------------------------------------- what changes

    def changes(self, rng: Random) -> list[Change]:
        """Everything that the player does not know, made another way."""
        spots = self.spots()
        found: list[Change] = []
        for i in range(len(spots) - 1, 0, -1):
            found.append(Exchange(spots[i], spots[rng.randrange(i + 1)]))
        found += self.redrawn(rng)
        found.append(Rechoose(rng.getrandbits(63)))
        return found

    def spots(self) -> list[tuple[int, int]]:
        """Where there are pieces that the player does not know, and that can change places."""
        fixed = pieces_under_way(self.match)
        first = self.code.first_piece_place
        return [
            (place, i)
            for place, lying in sorted(self.s.contents.items())
            for i, piece in enumerate(lying)
            if piece not in fixed
            and not self.knows(self.code.knowers(self.s, piece))
            and not self.s.contents.get(first + piece)
        ]

    def alike(self, a: int, b: int) -> bool:
        """Whether two pieces look alike from behind: of one form, of one player."""
        one, two = self.program.pieces[a], self.program.pieces[b]
        return (one.form, one.owner) == (two.form, two.owner)

    def fits(self, piece: int, place: int) -> bool:
        """Whether a piece may lie at a place."""
        holds = self.code.layout.info(place).holds
        return not holds or self.program.pieces[piece].kind in holds

    def redrawn(self, rng: Random) -> list[Change]:
        """Each value that is hidden from the player, drawn anew; one that names a piece follows the piece."""
        found: list[Change] = []
        faces = self.program.piece_faces
        for number, v in enumerate(self.program.variables):
            if v.hidden or number <= ir.EXTRA or (number in self.program.piece_vars and number != faces):
                continue
            if v.seen_by is None and number != faces:
                continue
            if family(self.program, v.type) in ("piece", "place"):
                continue
            offset = self.code.layout.offsets[number]
            for cell in range(v.cells):
                if self.knows(self.code.variable_mask(self.s, number, cell)):
                    continue
                now = self.s.vars[offset + cell]
                value = self.face(cell, now, rng) if number == faces else self.drawn(v, now, rng)
                found.append(Redraw(offset + cell, value))
        return found

    def face(self, die: int, now: int, rng: Random) -> int:
        """A face of a die."""
        for table in self.program.tables:
            if table.repeats and table.base <= die < table.base + len(table.data):
                sides = table.data[die - table.base]
                if isinstance(sides, tuple) and now in sides:
                    return rng.choice(sides)
        return now

    @staticmethod
    def drawn(v: ir.Variable, now: Any, rng: Random) -> Any:
        """A value that a variable can have."""
        if v.kind == "set":
            values = range(v.low, v.high + 1)
            return tuple(n for n in values if rng.random() < 0.5) if len(values) <= WIDE else now
        if v.optional and rng.random() < 0.25:
            return -1
        bounded = v.low > -BIG and v.high < BIG
        low, high = (v.low, v.high) if bounded else (max(v.low, now - NEAR), min(v.high, now + NEAR))
        return rng.randint(low, high)

    def some_answer(self, s: State, loc: list[Any], player: int, luck: Random) -> Any:
        """An answer that a player could give to the open question."""
        node, expressions = self.ask.node, self.code.expressions
        loc[node.player_slot] = player
        values = tuple(expressions.items(node.key.domain)(s, loc))
        if node.least is None:
            return luck.choice(values) if values else -1
        least = expressions.value(node.least)(s, loc)
        most = expressions.value(node.most)(s, loc) if node.most is not None else len(values)
        pieces = is_piece_type(self.program, node.key.type)
        picked: tuple[int, ...] = ()
        while options := next_picks(s, player, values, least, most, picked, pieces):
            pick = luck.choice(options)
            if pick == READY:
                break
            picked += (pick,)
        return picked

    # ---------------------------------------------------------- what can be so

    def kept(self, before: list[Change], more: list[Change]) -> list[Change]:
        """As many of the changes as can be made one after the other, looked for by halves."""
        if not more or self.changed([*before, *more]) is not None:
            return [*before, *more]
        if len(more) == 1:
            return before
        half = len(more) // 2
        return self.kept(self.kept(before, more[:half]), more[half:])

    def changed(self, changes: list[Change]) -> Match | None:
        """The position with these changes; None if it cannot be, or if it shows that something is wrong."""
        new = self.match.copy(seed=self.seed)
        for change in changes:
            change.happen(new.state, self)
        if not self.rename(new.state) or new.rebase() is not None:
            return None
        ask = new.state.ask
        mine = self.ask.player == self.viewer
        if not mine and (ask is None or ask.node is not self.ask.node or ask.player != self.ask.player):
            return None
        return new if set(new.broken_invariants()) <= self.broken else None

    def rename(self, s: State) -> bool:
        """Values that name a piece at a spot name the piece that is there now. False where the game keeps one
        in its state, and the other is of another kind: perhaps it could not be kept there."""
        names: Rename = {}
        for place, lying in self.s.contents.items():
            names.update((a, b) for a, b in zip(lying, s.contents.get(place, ()), strict=True) if a != b)
        kinds = [piece.kind for piece in self.program.pieces]
        other_kind = {a for a, b in names.items() if kinds[a] != kinds[b]}
        for number, v in enumerate(self.program.variables if names else ()):
            if family(self.program, v.type) != "piece":
                continue
            offset = self.code.layout.offsets[number]
            for cell in range(offset, offset + v.cells):
                value = s.vars[cell]
                if not v.hidden and other_kind.intersection(value if isinstance(value, tuple) else (value,)):
                    return False
                s.vars[cell] = _renamed(value, names)
        return True


def _renamed(value: Any, names: Rename) -> Any:
    if isinstance(value, tuple):
        return tuple(names.get(n, n) for n in value)
    return names.get(value, value)
