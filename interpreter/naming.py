"""Naming: values as words, for people and in the ids of options.

Comes in: a value and the type that names it. Goes out: text; where not everybody may know it, a `Secret` with
the players who may, and what the others read instead. What never happens: a name that depends on who asks
for it without saying so.

Types are names: "number", "yes or no", "player", "place" (also "space", "zone"), "direction", "line",
"kind", "piece" (also "card", "token", "die" and the kinds of the program), or one of `Program.word_lists`;
"set of T" and "T or none" are read as T. -1 is "none" except for numbers. "laid" is a set of pieces, told by
what lies where.
To add a type: a family here and a case in `Namer.word`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.laying import lying_words
from rulewright.interpreter.secrecy import secrecy

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

ONLOOKER, ALL = -1, -2  # viewers that are no player: who sees what everybody sees, and who knows everything


@dataclass(frozen=True, slots=True)
class Secret:
    """Text that only the players in `players` (bits) may read; the others read `hidden`."""

    text: str
    hidden: str
    players: int


Words = tuple[str | Secret, ...]
FAMILIES = {
    "number": "number", "yes or no": "yesno", "yes_no": "yesno", "player": "player", "direction": "direction",
    "line": "line", "kind": "kind", "place": "place", "space": "place", "zone": "place", "piece": "piece",
    "card": "piece", "token": "piece", "die": "piece",
}  # fmt: skip


def bare_type(type_: str) -> str:
    """The name of a type without "set of" and "or none"."""
    return type_.removeprefix("set of ").removesuffix(" or none")


def _family(program: ir.Program, type_: str) -> str:
    name = bare_type(type_)
    if any(name == listed for listed, _ in program.word_lists):
        return "word"
    if name in FAMILIES:
        return FAMILIES[name]
    return "piece" if name in program.kinds else "number"


# By the identity of the program's lists, which are kept here so that no other takes their place.
_KNOWN: dict[tuple[int, int, str], tuple[object, object, str]] = {}


def family(program: ir.Program, type_: str) -> str:
    """What a type is at bottom: number, yesno, player, word, place, direction, line, kind or piece."""
    key = (id(program.word_lists), id(program.kinds), type_)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= 4096:
            _KNOWN.clear()
        found = _KNOWN[key] = (program.word_lists, program.kinds, _family(program, type_))
    return found[2]


def is_piece_type(program: ir.Program, type_: str) -> bool:
    """Whether values of the type are pieces."""
    return family(program, type_) == "piece"


def may_know(players: int, viewer: int, everybody: int) -> bool:
    """Whether a viewer is among the players (bits); an onlooker is when everybody is."""
    if viewer == ALL:
        return True
    return players == everybody if viewer < 0 else bool(players >> viewer & 1)


def say(words: Words, viewer: int, everybody: int) -> str:
    """Words as one viewer reads them."""
    return "".join(
        w if isinstance(w, str) else w.text if may_know(w.players, viewer, everybody) else w.hidden
        for w in words
    )


def as_id(text: str) -> str:
    """Text without spaces and equal signs, so that it can stand in an id."""
    return "_".join(text.replace("=", " ").split()) or "_"


class Namer:
    """Names the values of one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program
        self._lists = dict(code.program.word_lists)
        self._codes: dict[int, str] = {}
        self._place_ids: dict[int, str] = {}

    def code_name(self, piece: int) -> str:
        """The code of a piece; of a stand-in, that of any piece it may stand for."""
        found = self._codes.get(piece)
        if found is None:
            found = self._codes[piece] = self._code_name(piece)
        return found

    def _code_name(self, piece: int) -> str:
        p = self.program
        if piece < len(p.pieces):
            return as_id(p.pieces[piece].code or p.pieces[piece].name)
        s = p.stand_ins[piece - len(p.pieces)]
        for other in p.pieces:
            if (other.kind, other.owner) == (s.kind, s.owner):
                return as_id(other.code or other.name)
        return as_id(p.kinds[s.kind])

    def piece_title(self, piece: int) -> str:
        """A piece for people."""
        p = self.program
        if piece < len(p.pieces):
            return p.pieces[piece].title or p.pieces[piece].name
        return p.kinds[p.stand_ins[piece - len(p.pieces)].kind]

    def place_name(self, s: Any, place: int, viewer: int) -> str:
        """A place; one that is a piece is named as the viewer sees the piece."""
        if place < 0:
            return "none"
        host = self.code.layout.host(place)
        if host >= 0:
            return self.id(s, "piece", host, viewer)
        return self.code.layout.name(place) if self.code.layout.exists(place) else str(place)

    def position(self, s: Any, piece: int) -> str:
        """A piece by its place alone: `deck.3` is the third from the top of the deck."""
        place = s.place_of[piece]
        lying = s.contents[place]
        i = lying.index(piece)
        n = len(lying) - i if self._is_pile(place) else i + 1
        host = self.code.layout.host(place)
        base = self.position(s, host) if host >= 0 else self.code.layout.name(place)
        return f"{as_id(base)}.{n}"

    def _is_pile(self, place: int) -> bool:
        return self.code.layout.info(place).order == "pile"

    def id(self, s: Any, type_: str, value: Any, viewer: int) -> str:
        """A value in an id, as the viewer may know it."""
        of = family(self.program, type_)
        if of == "piece" and value >= 0:
            known = value >= len(s.known) or may_know(
                self.code.knowers(s, value), viewer, self.code.everybody
            )
            return self.code_name(value) if known else self.position(s, value)
        if of == "place" and value >= 0:
            return self._place_id(s, value, viewer)
        return as_id(self.word(of, type_, value))

    def _place_id(self, s: Any, place: int, viewer: int) -> str:
        found = self._place_ids.get(place)
        if found is None:
            found = as_id(self.place_name(s, place, viewer))
            if self.code.layout.host(place) < 0:  # a piece is named as the viewer knows it
                self._place_ids[place] = found
        return found

    def word(self, of: str, type_: str, value: int) -> str:
        """A value that is neither piece nor place."""
        if of == "number":
            return str(value)
        if value < 0:
            return "none"
        names: tuple[str, ...]
        match of:
            case "yesno":
                names = ("no", "yes")
            case "player":
                names = self.program.players
            case "direction":
                names = self.program.directions
            case "line":
                names = self.program.lines
            case "kind":
                names = self.program.kinds
            case "word":
                names = self._lists[bare_type(type_)]
            case _:
                names = ()
        return names[value] if value < len(names) else str(value)

    def words(self, s: Any, type_: str, value: Any, players: int | None = None) -> Words:
        """A value or a set of values for people; `players` are those who may read it at all."""
        everybody = self.code.everybody
        if type_ == "laid":
            return lying_words(self, s, value)
        out: list[str | Secret] = []
        values = value if isinstance(value, tuple) else (value,)
        if not values:
            out.append("nothing")
        for i, v in enumerate(values):
            if i:
                out.append(" and " if i == len(values) - 1 else ", ")
            if isinstance(v, tuple):
                out.extend(self.words(s, type_, v))
            else:
                out.append(self.one(s, type_, v))
        if players is not None and players != everybody:
            return tuple(_narrowed(w, players) for w in out)
        return tuple(out)

    def one(self, s: Any, type_: str, value: int) -> str | Secret:
        """One value for people: pieces by their titles, for those who know them."""
        of = family(self.program, type_)
        everybody = self.code.everybody
        host = value
        if of == "place" and value >= 0:
            host = self.code.layout.host(value)
            if host < 0:
                return self.place_name(s, value, ALL)
        elif of != "piece" or value < 0:
            return self.word(of, type_, value)
        if not 0 <= host < len(s.known):
            return self.piece_title(host)
        players = self.code.knowers(s, host)
        text = self.piece_title(host)
        return text if players == everybody else Secret(text, self.position(s, host), players)


def _narrowed(word: str | Secret, players: int) -> str | Secret:
    if isinstance(word, Secret):
        return Secret(word.text, word.hidden if players & ~word.players == 0 else "…", word.players & players)
    return Secret(word, "…", players)


def words_of(code: Code, sentence: ir.Sentence) -> Callable[[Any, list[Any]], Words]:
    """A callable over (state, locals) for the words of a sentence."""
    namer = Namer(code)
    made: list[str | Callable[[Any, list[Any]], Words]] = []
    for part in sentence.parts:
        made.append(part if isinstance(part, str) else _shown(code, namer, part))

    def words(s: Any, loc: list[Any]) -> Words:
        out: list[str | Secret] = []
        for part in made:
            if isinstance(part, str):
                out.append(part)
            else:
                out.extend(part(s, loc))
        return tuple(out)

    return words


def _shown(code: Code, namer: Namer, part: ir.Shown) -> Callable[[Any, list[Any]], Words]:
    value, type_ = code.expressions.value(part.value), part.type
    who = secrecy(code, part.value)
    if who is None:
        return lambda s, loc: namer.words(s, type_, value(s, loc))

    def shown(s: Any, loc: list[Any]) -> Words:
        return namer.words(s, type_, value(s, loc), who(s, loc))

    return shown
