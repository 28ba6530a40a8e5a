"""Decisions: what a player is asked, and the readable ids of the options.

Comes in: a state with an open `Ask`. Goes out: a `Decision`. Ids follow one form: `ACTION key=value …` in
declared order; a choice in an effect `NAME=value` (`NAME=none` where one may decline); a plural choice one
id per pick, and `done`; what is laid out `PIECE=PLACE`, or `PIECE PLACE=NUMBER` of several that look alike
(`laying.py`). Pieces go by their codes, with `#n` only between unlike ones of equal code among
the values of that key; what the chooser cannot see goes by its place. Names are worked out only when
somebody reads them.
What never happens: two options with one id, or an id that tells the chooser what is hidden.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rulewright.interpreter import ir
from rulewright.interpreter.alike import look, one_of_each
from rulewright.interpreter.asks import NONE, READY, Ask, privy
from rulewright.interpreter.laying import STAY, knowers_of, lead_of, words_for
from rulewright.interpreter.naming import (
    ALL,
    ONLOOKER,
    Namer,
    Secret,
    Words,
    as_id,
    family,
    is_piece_type,
    may_know,
    say,
    words_of,
)

if TYPE_CHECKING:
    from rulewright.interpreter.link import Code

DONE = "done"
_LIKE_A_SPACE = re.compile(r"-?[a-z]+-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen; `text` says it to people.

    `values` are (key, value as in the id). `where` tells screens what to mark: (key, number of the place,
    position in it from the bottom), the position -1 for a place itself. It never tells which of the pieces
    that look the same to the chooser is meant.
    """

    index: int
    id: str
    text: str
    action: str
    values: tuple[tuple[str, str], ...]
    where: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Laying:
    """A question of an arrangement: where `piece` goes, or how many of `count` alike ones go to `goal`, at
    least `least` of them, one option for each number. `ways`: in how many ways each could still go; `known`:
    the chooser knows what is laid.
    """

    piece: str
    count: int
    goal: str
    least: int
    ways: int
    known: bool


class Decision:
    """An open question. It is valid until the match goes on; after that, reading options that
    had not been read before is a ValueError.

    `kind`: "action", "one", "some" (a pick of a plural choice), "together", "lay" (a part of an
    arrangement, see `laying`). `together` names all who choose at once; `joint` is how
    their answers become one ("agreement", "majority"), or "". `window` is the window in which one
    may react or pass, or "". `count` is how many options there are, without working out their names.
    """

    def __init__(self, names: OptionNames, s: Any) -> None:
        ask: Ask = s.ask
        self.kind = ask.form if ask.laid is None else "lay"
        self.player = ask.player
        self.player_name = names.program.players[ask.player]
        self.together = tuple(names.program.players[p] for p in ask.together)
        self.joint: str = ask.node.joint if ask.form == "together" else ""
        self.name = names.name_of(ask)
        self.window = names.window_of(ask)
        self.count = len(ask.options)
        self._names, self._s, self._ask = names, s, ask
        self._options: tuple[Option, ...] | None = None
        self._prompt: str | None = None
        self._ids: dict[int, str] = {}
        self._all_ids: tuple[str, ...] | None = None

    @property
    def prompt(self) -> str:
        """What is asked, in words for the one who chooses."""
        if self._prompt is None:
            self._check()
            self._prompt = self._names.prompt(self._s, self._ask)
        return self._prompt

    @property
    def laying(self) -> Laying | None:
        """What is laid out here, for those who look at a decision; None for any other."""
        laid = self._ask.laid
        if laid is None:
            return None
        self._check()
        known = knowers_of(self._names.code, self._s, laid) >> self._ask.player & 1
        piece = self._names.namer.id(self._s, "piece", laid.pieces[0], self._ask.player)
        goal = ""
        if laid.goal >= 0:
            goal = self._names.namer.id(self._s, "place", laid.goal, self._ask.player)
        least = self._ask.options[0] if goal else 0
        return Laying(piece, len(laid.pieces), goal, least, laid.ways, bool(known))

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all options, in the defined order: cheaper than the options with their texts."""
        if self._all_ids is None:
            if self._options is not None:
                self._all_ids = tuple(option.id for option in self._options)
            else:
                self._check()
                self._all_ids = tuple(self._names.ids(self._s, self._ask))
        return self._all_ids

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, in the defined order."""
        if self._options is None:
            self._check()
            self._options = tuple(self._names.options(self._s, self._ask))
        return self._options

    def id_of(self, index: int) -> str:
        """The id of one option."""
        if self._all_ids is not None or self._options is not None:
            return self.ids[index]
        if index not in self._ids:
            self._check()
            self._ids[index] = self._names.id_of(self._s, self._ask, index)
        return self._ids[index]

    def find(self, text: str) -> int:
        """The number of the option with this id, or -1.

        Key names may be left out (`play RA x` for `play card=RA spot=x`), and for a choice in an effect
        the value is enough, where just one option fits.
        """
        words = text.split()
        wanted = " ".join(words)
        fits = [i for i, name in enumerate(self.ids) if name == wanted]
        if not fits and self.kind == "lay" and len(words) == 1:  # `shelf`, `3`, `shelf=3`
            fits = [i for i, name in enumerate(self.ids) if _fits(name.rpartition(" ")[2], words, False)]
        elif not fits:
            named = self.kind == "action"
            fits = [i for i, name in enumerate(self.ids) if _fits(name, words, named)]
        return fits[0] if len(fits) == 1 else -1

    def _check(self) -> None:
        if self._s.ask is not self._ask:
            raise ValueError("This decision has been made already.")


def _fits(name: str, words: list[str], action: bool) -> bool:
    """Whether an id, with an action's name in front or not, is meant by words that may leave keys out."""
    first, *pairs = name.split() if action else ("", *name.split())
    if action:
        if not words or words[0] != first:
            return False
        words = words[1:]
    elif pairs == [DONE]:
        pairs = []
    if len(words) != len(pairs):
        return False
    return all(word in (pair, pair.partition("=")[2]) for word, pair in zip(words, pairs, strict=True))


class _Named:
    """The names that are worked out while the options of one question are: nothing changes meanwhile."""

    def __init__(self) -> None:
        self.of_key: dict[tuple[int, ...], dict[int, str]] = {}
        self.said: dict[tuple[str, int], str] = {}
        self.where: dict[tuple[str, str, int], tuple[tuple[str, int, int], ...]] = {}
        self.alike: dict[object, int] = {}


class OptionNames:
    """Names the options of one program."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.program = code.program
        self.namer = Namer(code)
        codes = [
            self.namer.code_name(i) for i in range(len(self.program.pieces) + len(self.program.stand_ins))
        ]
        self._codes = Counter(codes)
        self._plain = {"number", "yesno", "player", "word", "direction", "kind"}
        places = Counter(p.name for p in self.program.places)
        made = sum(b.unbounded for b in self.program.boards)
        if all(n == 1 for n in places.values()) and (
            not made or (made == 1 and not any(_LIKE_A_SPACE.fullmatch(name) for name in places))
        ):
            self._plain.add("place")
        if len(set(self.program.lines)) == len(self.program.lines):
            self._plain.add("line")
        self._prompts: dict[int, Callable[[Any, list[Any]], Words]] = {}

    def name_of(self, ask: Ask) -> str:
        """The name of a decision: of the phase for actions, else of what is chosen."""
        if ask.form == "action":
            return str(self.program.decisions[ask.node.decision].name)
        return str(ask.node.key.name)

    def window_of(self, ask: Ask) -> str:
        """The window in which one may react, or "" where one has to act."""
        if ask.form != "action":
            return ""
        info = self.program.decisions[ask.node.decision]
        return info.name.removeprefix("window ") if any(a.declines for a in info.actions) else ""

    def prompt(self, s: Any, ask: Ask) -> str:
        """What is asked, for the one who chooses."""
        if ask.form == "action":
            info = self.program.decisions[ask.node.decision]
            sentence, loc = info.prompt, self.code.decision(ask.node.decision).locals_for(ask.player)
        else:
            sentence, loc = ask.node.prompt, list(ask.locals)
        words = self._words(sentence)
        s.fuel = self.code.budgets.steps
        return say(words(s, loc), ask.player, self.code.everybody)

    def _words(self, sentence: ir.Sentence) -> Callable[[Any, list[Any]], Words]:
        found = self._prompts.get(id(sentence))
        if found is None:
            found = self._prompts[id(sentence)] = words_of(self.code, sentence)
        return found

    # ---------------------------------------------------------------- options

    def names(self, s: Any, type_: str, values: Sequence[int], viewer: int) -> list[str]:
        """The values of one key by name; equal names are told apart by `#1`, `#2` …."""
        names = [self.namer.id(s, type_, v, viewer) for v in values]
        often = Counter(names)
        met: Counter[str] = Counter()
        out: list[str] = []
        for name in names:
            if often[name] > 1:
                met[name] += 1
                name = f"{name}#{met[name]}"
            out.append(name)
        return out

    def lying_at(self, s: Any, type_: str, values: Sequence[int], name: str) -> int:
        """Which of the values is the uppermost piece on a space of this name; -1 if none is."""
        if family(self.program, type_) != "piece":
            return -1
        for number, piece in enumerate(values):
            place = s.place_of[piece] if 0 <= piece < len(s.place_of) else -1
            on_board = place >= 0 and self.code.layout.board_at(place) is not None
            if on_board and s.contents[place][-1] == piece and as_id(self.code.layout.name(place)) == name:
                return number
        return -1

    def _is_plain(self, type_: str, value: int) -> bool:
        """Whether a value has a name of its own, whatever else there is to choose from."""
        of = family(self.program, type_)
        if of == "piece":
            return value < 0 or self._codes[self.namer.code_name(value)] == 1
        if of == "place" and value >= 0 and self.code.layout.host(value) >= 0:
            return False
        return of in self._plain

    def value_name(
        self,
        s: Any,
        type_: str,
        value: int,
        viewer: int,
        named: dict[int, str] | None,
        domain: Callable[[], list[int]],
    ) -> tuple[str, dict[int, str] | None]:
        """One value by name; `named` are the names of all values of its key if they are known, else
        `domain` gives these values, should they be needed. Also the names that are known then."""
        if self._is_plain(type_, value):
            return self.namer.id(s, type_, value, viewer), named
        if named is None:
            values = domain()
            named = dict(zip(reversed(values), reversed(self.names(s, type_, values, viewer)), strict=True))
        name = named.get(value)
        return (self.namer.id(s, type_, value, viewer) if name is None else name), named

    def _action_values(self, s: Any, ask: Ask, raw: tuple[int, ...], memo: _Named) -> list[tuple[str, str]]:
        found = self.code.decision(ask.node.decision)
        action = found.info.actions[raw[0]]
        out: list[tuple[str, str]] = []
        for i, key in enumerate(action.keys):
            bound = raw[: i + 1]

            def domain(i: int = i, bound: tuple[int, ...] = bound) -> list[int]:
                loc = found.locals_for(ask.player)
                for k, v in zip(action.keys, bound[1:], strict=False):
                    loc[k.slot] = v
                return found.domain(s, raw[0], i, loc)

            known = memo.of_key.get(bound)
            name, named = self.value_name(s, key.type, raw[i + 1], ask.player, known, domain)
            if known is None and named is not None:
                memo.of_key[bound] = named
            out.append((key.name, name))
        return out

    def _key_value(self, s: Any, ask: Ask, value: int, memo: _Named) -> str:
        if value == NONE and ask.form == "one":
            return "none" if ask.laid is None else STAY
        type_ = ask.node.key.type
        if is_piece_type(self.program, type_) and ask.values:
            if not memo.alike:
                for v in reversed(ask.values):
                    memo.alike[look(s, v, ask.player)] = v
            value = memo.alike[look(s, value, ask.player)]
        name, named = self.value_name(
            s, type_, value, ask.player, memo.of_key.get(()), lambda: self.domain_of(s, ask)
        )
        if named is not None:
            memo.of_key[()] = named
        return name

    def domain_of(self, s: Any, ask: Ask) -> list[int]:
        """What a choice in an effect is taken from, one of each look."""
        if not ask.values:
            return [v for v in ask.options if v != NONE or ask.form != "one"]
        if is_piece_type(self.program, ask.node.key.type):
            return list(one_of_each(s, ask.values, ask.player))
        return list(ask.values)

    def id_of(self, s: Any, ask: Ask, index: int) -> str:
        """The id of one option."""
        return self._id(s, ask, ask.options[index], self._values(s, ask, ask.options[index], _Named()))

    def _values(self, s: Any, ask: Ask, raw: Any, memo: _Named) -> list[tuple[str, str]]:
        s.fuel = self.code.budgets.steps
        if ask.form == "action":
            return self._action_values(s, ask, raw, memo)
        if raw == READY and ask.form != "one":
            return []
        if ask.laid is not None:
            key = lead_of(self.namer, s, ask.laid, ask.player).removesuffix("=").rpartition(" ")[2]
            return [(key, self._key_value(s, ask, raw, memo))]
        return [(ask.node.key.name, self._key_value(s, ask, raw, memo))]

    def _id(self, s: Any, ask: Ask, raw: Any, values: list[tuple[str, str]]) -> str:
        if ask.laid is not None:
            return lead_of(self.namer, s, ask.laid, ask.player) + values[0][1]
        pairs = [f"{key}={value}" for key, value in values]
        if ask.form == "action":
            action = self.program.decisions[ask.node.decision].actions[raw[0]]
            return " ".join([action.name, *pairs])
        return pairs[0] if pairs else DONE

    def ids(self, s: Any, ask: Ask) -> list[str]:
        """The ids of all options."""
        memo = _Named()
        return [self._id(s, ask, raw, self._values(s, ask, raw, memo)) for raw in ask.options]

    def options(self, s: Any, ask: Ask) -> list[Option]:
        """All options with their ids."""
        memo = _Named()
        out: list[Option] = []
        for i, raw in enumerate(ask.options):
            values = self._values(s, ask, raw, memo)
            name, keys = self._keys(ask, raw)
            where: list[tuple[str, int, int]] = []
            for key in keys:
                marks = memo.where.get(key)
                if marks is None:
                    marks = memo.where[key] = tuple(self._where(s, *key))
                where.extend(marks)
            text = self._text(s, ask, raw, memo)
            out.append(Option(i, self._id(s, ask, raw, values), text, name, tuple(values), tuple(where)))
        often = Counter(option.text for option in out)
        return [self._placed(o) if often[o.text] > 1 and o.where else o for o in out]

    def _placed(self, option: Option) -> Option:
        """An option whose text is that of another one too, with the place of what is chosen."""
        _, place, position = option.where[-1]
        return (
            replace(option, text=f"{option.text}, {self.code.layout.name(place)}")
            if position >= 0
            else option
        )

    def _text(self, s: Any, ask: Ask, raw: Any, memo: _Named) -> str:
        """An option in words for the one who chooses."""
        if ask.laid is not None:
            words = (STAY,) if raw < 0 else self.namer.words(s, ask.node.key.type, raw)
            return say(words, ask.player, self.code.everybody)
        title, keys = self._headed(ask, raw)
        parts = [title]
        for key, type_, value in keys:
            parts.append(self._lead(parts, title, key) if ask.form == "action" else "")
            said = memo.said.get((type_, value))
            if said is None:
                words = self._value_words(s, ask, type_, value)
                said = memo.said[type_, value] = say(words, ask.player, self.code.everybody)
            parts.append(said)
        return "".join(parts)

    def _keys(self, ask: Ask, raw: Any) -> tuple[str, list[tuple[str, str, int]]]:
        if ask.form == "action":
            action = self.program.decisions[ask.node.decision].actions[raw[0]]
            keys = zip(action.keys, raw[1:], strict=True)
            return action.name, [(k.name, k.type, v) for k, v in keys]
        if raw == READY and ask.form != "one":
            return "", []
        return "", [(ask.node.key.name, ask.node.key.type, raw)]

    def _where(self, s: Any, key: str, type_: str, value: int) -> Iterator[tuple[str, int, int]]:
        of = family(self.program, type_)
        piece = value if of == "piece" else self.code.layout.host(value) if of == "place" else -1
        if 0 <= piece < len(s.known):
            place = s.place_of[piece]
            if self.code.layout.host(place) >= 0:
                yield from self._where(s, key, "place", place)
            else:
                yield key, place, s.contents[place].index(piece)
        elif of == "piece" and piece >= len(s.known):
            yield key, s.place_of[piece], -1
        elif of == "place" and value >= 0:
            yield key, value, -1

    def words(self, s: Any, ask: Ask, index: int) -> Words:
        """An option for people."""
        if ask.laid is not None:
            return words_for(self.namer, s, ask.laid, ask.options[index])
        title, keys = self._headed(ask, ask.options[index])
        words: list[Any] = [title]
        for key, type_, value in keys:
            words.append(self._lead(words, title, key))
            words.extend(self._value_words(s, ask, type_, value))
        return tuple(words)

    def _headed(self, ask: Ask, raw: Any) -> tuple[str, list[tuple[str, str, int]]]:
        """What an option is called, and its keys."""
        name, keys = self._keys(ask, raw)
        if ask.form == "action":
            return self.program.decisions[ask.node.decision].actions[raw[0]].title or name, keys
        return "" if keys else DONE, keys

    @staticmethod
    def _lead(before: Sequence[Any], title: str, key: str) -> str:
        return f"{', ' if len(before) > 1 else ': ' if title else ''}{key.replace('_', ' ')} "

    def _value_words(self, s: Any, ask: Ask, type_: str, value: int) -> Words:
        if value < 0 and ask.form == "one":
            return ("none",)
        words = self.namer.words(s, type_, value)
        if family(self.program, type_) == "word":
            return tuple(w.replace("_", " ") if isinstance(w, str) else w for w in words)
        faces = self.program.piece_faces
        if faces < 0 or family(self.program, type_) != "piece" or not 0 <= value < len(s.known):
            return words
        if self.program.pieces[value].form == "die":
            face = s.vars[self.code.layout.offsets[faces] + value]
            text = say(
                self.namer.words(s, self.program.variables[faces].type, face), ALL, self.code.everybody
            )
            return (*words, Secret(f" [{text}]", "", self.code.face_mask(s, value)))
        return words

    def seen_by(self, s: Any, ask: Ask, index: int) -> int:
        """The players (bits) who may know what was chosen: together, only the one who chose, until
        the values show; for an action as it says; of what is laid out, those who know it; else everybody."""
        if ask.form == "together":
            return 1 << ask.player
        if ask.laid is not None:
            return knowers_of(self.code, s, ask.laid) | 1 << ask.player
        if ask.form != "action":
            return privy(s, ask.node, ask.locals, ask.player)
        raw = ask.options[index]
        found = self.code.decision(ask.node.decision)
        action = found.info.actions[raw[0]]
        if action.declines:  # that somebody could decline tells no more than what there was to decline
            others = [i for n, i in _first_of_each(ask).items() if not found.info.actions[n].declines]
            declined = 0
            for i in others:
                declined |= self.seen_by(s, ask, i)
            return declined if others else self.code.everybody
        if action.seen_by is None:
            return self.code.everybody
        loc = found.locals_for(ask.player)
        for key, value in zip(action.keys, raw[1:], strict=True):
            loc[key.slot] = value
        s.fuel = self.code.budgets.steps
        players: int = 1 << ask.player
        for p in self.code.expressions.items(action.seen_by)(s, loc):
            if p >= 0:
                players |= 1 << p
        return players

    def is_secret(self, s: Any, ask: Ask, viewer: int) -> bool:
        """Whether a viewer may not know who is being asked: every action on offer is hidden from them, or
        the card that brings the choice."""
        if viewer == ask.player or ask.form == "together":
            return False
        if ask.form != "action":
            players = privy(s, ask.node, ask.locals, ask.player)
            return not may_know(players, viewer if viewer >= 0 else ONLOOKER, self.code.everybody)
        return all(
            not may_know(self.seen_by(s, ask, i), viewer if viewer >= 0 else ONLOOKER, self.code.everybody)
            for i in _first_of_each(ask).values()
        )


def _first_of_each(ask: Ask) -> dict[int, int]:
    """The first option of each action that is on offer."""
    first: dict[int, int] = {}
    for i, raw in enumerate(ask.options):
        first.setdefault(raw[0], i)
    return first
