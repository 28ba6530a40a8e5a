"""Mutations: pieces of correct logic with one slip in them, and what the checker says of each.

Comes in: the games under rules/ and the corpus of the language. Goes out: `Mutant`s and, for each, an
`Outcome`. A mutant that is a correct rule again is `valid` and counted apart. What never happens: a file
under rules/ is changed, or two runs with one seed differ.
To add a kind of slip: a function in `SLIPS`, from a token and its neighbours to the text that replaces it.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.dsl import slots
from rulewright.dsl.load import load_game
from rulewright.dsl.problems import Problem, Problems
from rulewright.dsl.same import same
from rulewright.dsl.source import Scalar
from rulewright.dsl.syntax import parse, parses
from rulewright.dsl.tokens import Token, tokens_of
from rulewright.dsl.words import RESERVED
from rulewright.tests.dsl.corpus_files import right_texts, scalar

RULES = Path(__file__).resolve().parents[2] / "rules"
VAGUE = frozenset({"E230"})  # "this cannot stand here", without more
UNKNOWN = frozenset({"E401", "E402", "E403", "E404", "E405", "E406"})
NEGATING = frozenset({"not", "no", "fewer"})
FOREIGN = {
    "is": ("==", "=", "equals"),
    "and": ("&&", "&"),
    "or": ("||", "|"),
    "not": ("!",),
    "<=": ("=<", "≤"),
    ">=": ("=>", "≥"),
    "where": ("when", "if", "with"),
    "of": ("from", "in"),
    "in": ("of", "inside"),
    "on": ("at", "of"),
    "any": ("some", "a"),
    "every": ("each", "all"),
    "each": ("every",),
    "count": ("number", "amount"),
    "to": ("into", "on"),
    "from": ("of", "out"),
    "largest": ("highest", "biggest"),
    "smallest": ("lowest", "least"),
    "chooses": ("choose", "picks"),
    "be": ("=", "is"),
    "up": ("at",),
    "then": ("do",),
    "none": ("nothing", "null"),
    "yes": ("true",),
    "for": ("of",),
    "has": ("have", "with"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of correct logic: the game it stands in ("" for the corpus), its slot and its text."""

    game: str
    start: str
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class Mutant:
    """A piece with a slip: `text` stands where the characters `begin` to `end` were."""

    piece: Piece
    slip: str
    begin: int
    end: int
    text: str

    @property
    def whole(self) -> str:
        """The text with the slip in it."""
        old = self.piece.scalar.text
        return old[: self.begin] + self.text + old[self.end :]

    def __str__(self) -> str:
        line = self.whole[max(0, self.begin - 50) : self.begin + 40].replace("\n", "⏎")
        return f"{self.slip} in {self.piece.game or 'corpus'} ({self.piece.start}): …{line}…"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checker says of a mutant: "valid", "good", "vague", "elsewhere"; and faults of its cures."""

    mutant: Mutant
    verdict: str
    problems: tuple[Problem, ...]
    reverses: bool
    replacement_right: bool | None  # None: none is offered at the slip


# ---------------------------------------------------------------------- slips


def misspelt(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """Two neighbouring letters swapped, one left out or one twice."""
    word = tokens[i].text
    if not tokens[i].is_word or len(word) < 4:
        return None
    k = pick.randrange(1, len(word) - 1)
    made = pick.choice(
        (
            word[:k] + word[k + 1] + word[k] + word[k + 2 :],
            word[:k] + word[k + 1 :],
            word[:k] + word[k] + word[k:],
        )
    )
    return made if made != word else None


def dropped(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """A word left out."""
    return "" if tokens[i].is_word and len(tokens) > 1 else None


def doubled(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """A word written twice."""
    return f"{tokens[i].text} {tokens[i].text}" if tokens[i].is_word else None


def foreign(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """Another word or sign than the language has."""
    others = FOREIGN.get(tokens[i].text)
    return pick.choice(others) if others else None


def unbracketed(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """A bracket left out."""
    return "" if tokens[i].text in "()[]" else None


def exchanged(tokens: list[Token], i: int, pick: random.Random) -> str | None:
    """A name in the place of another name of the same text."""
    names = sorted({t.text for t in tokens if t.is_word and t.text not in RESERVED} - {tokens[i].text})
    if not tokens[i].is_word or tokens[i].text in RESERVED or not names:
        return None
    return pick.choice(names)


SLIPS: dict[str, Callable[[list[Token], int, random.Random], str | None]] = {
    "misspelt": misspelt,
    "dropped": dropped,
    "doubled": doubled,
    "foreign": foreign,
    "unbracketed": unbracketed,
    "exchanged": exchanged,
}


# --------------------------------------------------------------------- pieces


def pieces_of_games() -> list[Piece]:
    """Every piece of logic of the bundled games, in the order in which it is read."""
    found: list[Piece] = []
    original = slots.parse
    for folder in sorted(path.parent for path in RULES.glob("*/game.yaml")):

        def noted(start: str, text: Scalar, problems: Problems, game: str = folder.name) -> object:
            if text.span.file.endswith(".yaml") and _stands_there(text):
                found.append(Piece(game, start, text))
            return original(start, text, problems)

        slots.parse = noted  # type: ignore[assignment]
        try:
            load_game(str(folder))
        finally:
            slots.parse = original
    return found


def _stands_there(text: Scalar) -> bool:
    """Whether a piece is the text of its file at its place (sentences have only the place of their rule)."""
    first = tokens_of(text.text)[:1]
    if not first:
        return False
    line, column = text.map.place(first[0].start)
    row = Path(text.span.file).read_text(encoding="utf-8").split("\n")[line - 1]
    return row[column - 1 :].startswith(first[0].text)


def pieces_of_corpus() -> list[Piece]:
    """Every right text of the corpus."""
    return [Piece("", start, scalar(text)) for start, text in right_texts()]


def mutants_of(piece: Piece, pick: random.Random, slip: str | None = None) -> Iterator[Mutant]:
    """Mutants of a piece, one for each token and slip that fit."""
    tokens = tokens_of(piece.scalar.text)
    for i, token in enumerate(tokens):
        for name, make in SLIPS.items():
            if slip is not None and name != slip:
                continue
            made = make(tokens, i, pick)
            if made is not None:
                yield Mutant(piece, name, token.start, token.end, made)


def sample(pieces: list[Piece], many: int, seed: int) -> list[Mutant]:
    """`many` mutants of the pieces, as many of each slip as of the others."""
    pick = random.Random(seed)
    found: list[Mutant] = []
    while len(found) < many:
        slip = pick.choice(sorted(SLIPS))
        made = list(mutants_of(pick.choice(pieces), pick, slip))
        if made:
            found.append(pick.choice(made))
    return found


# ------------------------------------------------------------------- outcomes


class Laboratory:
    """A copy of the games in which one file at a time is changed and put right again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "rules"
        shutil.copytree(RULES, self.folder)
        self.before: dict[str, frozenset[tuple[str, str]]] = {}

    def outcome(self, mutant: Mutant) -> Outcome:
        """What the checker says of a mutant."""
        if mutant.piece.game:
            problems = self.problems_in_game(mutant, mutant.text)
        else:
            found = Problems()
            parse(mutant.piece.start, scalar(mutant.whole), found)
            problems = list(found)
        if not any(p.severity == "error" for p in problems):
            return Outcome(mutant, "valid", (), False, None)
        return judged(mutant, problems)

    def problems_in_game(self, mutant: Mutant, text: str) -> list[Problem]:
        """The problems of a game with the mutant in it."""
        game, source = mutant.piece.game, mutant.piece.scalar
        _, _, inside = Path(source.span.file).as_posix().rpartition(f"/{game}/")
        path = self.folder / game / inside
        old = path.read_text(encoding="utf-8")
        lines = old.split("\n")
        line, column = source.map.place(mutant.begin)
        row = lines[line - 1]
        width = mutant.end - mutant.begin
        lines[line - 1] = row[: column - 1] + text + row[column - 1 + width :]
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            return list(load_game(str(self.folder / game)).problems)
        finally:
            path.write_text(old, encoding="utf-8")


def judged(mutant: Mutant, problems: list[Problem]) -> Outcome:
    """Whether one of the problems says something special in the right place, and what its cure would do."""
    source = mutant.piece.scalar
    old = tokens_of(source.text)
    i = next(k for k, t in enumerate(old) if t.start == mutant.begin)
    first, last = old[max(0, i - 2)], old[min(len(old) - 1, i + 2)]
    begin, end = source.map.place(first.start), source.map.place(last.end + len(mutant.text))
    if mutant.slip == "unbracketed":  # its partner is left over, and that is what can be seen
        begin, end = source.map.place(0), source.map.place(len(source.text))
    here = [p for p in problems if _touches(p, begin, end, source)]
    was = source.text[mutant.begin : mutant.end]
    # where a name is made, its uses are what can be seen: "there is no `WAS`"
    here += [p for p in problems if p.code in UNKNOWN and f"`{was}`" in p.text and p not in here]
    special = [p for p in here if p.code not in VAGUE]
    verdict = "good" if special else "vague" if here else "elsewhere"
    right = None
    for p in special:
        if p.replacement is not None:
            right = _restores(mutant, p, p.replacement)
            break
    return Outcome(mutant, verdict, tuple(problems), any(_reverses(mutant, p) for p in here), right)


def _touches(p: Problem, begin: tuple[int, int], end: tuple[int, int], source: Scalar) -> bool:
    if Path(p.span.file).name != Path(source.span.file).name:
        return False
    start, stop = (p.span.line, p.span.column), (p.span.end_line, p.span.end_column)
    return start <= end and stop >= begin


def _restores(mutant: Mutant, p: Problem, replacement: str) -> bool | None:
    """Whether putting in the replacement gives a tree equal to the one before the slip."""
    piece = mutant.piece
    row, column = piece.scalar.map.place(mutant.begin)
    if piece.start == "header" or p.span.line != row or p.span.end_line != row:
        return None  # at a use of what was declared otherwise
    begin = mutant.begin + p.span.column - column
    text = mutant.whole[:begin] + replacement + mutant.whole[begin + p.span.end_column - p.span.column :]
    none = Problems()
    return same(parse(piece.start, piece.scalar, none), parse(piece.start, scalar(text), none))


def _reverses(mutant: Mutant, p: Problem) -> bool:
    """Whether a cure shows a text with another number of negations than the correct one has."""
    if mutant.text in NEGATING or mutant.piece.scalar.text[mutant.begin : mutant.end] in NEGATING:
        return False
    for shown in p.cure.split("`")[1::2] if p.cure.startswith("Write `") else ():
        line = _line_of(mutant)
        if parses(mutant.piece.start, shown) and len(tokens_of(shown)) > len(tokens_of(line)) - 3 > 2:
            return _negations(shown) != _negations(line)
    return False


def _line_of(mutant: Mutant) -> str:
    text = mutant.piece.scalar.text
    begin = text.rfind("\n", 0, mutant.begin) + 1
    end = text.find("\n", mutant.begin)
    return text[begin : end if end >= 0 else len(text)]


def _negations(text: str) -> int:
    return sum(t.text in NEGATING for t in tokens_of(text)) % 2
