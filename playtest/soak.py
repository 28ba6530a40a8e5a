"""The soak: random games over every setting of a game, each watched before every decision.

Comes in: a game, how many games, a seed. Goes out: a `Soak` with every game that failed: an error of a
rule, a broken invariant, a piece in two places or in none, a game without an end. A setting is a number of
players, a value of every option with bundles, and one more option turned away from what it would be. What
never happens: a result that depends on how many processes played, or a fault without the seed and the
setting that show it again. To turn a new form of option: a case in `other_values`.
"""

from __future__ import annotations

import hashlib
import heapq
import multiprocessing
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from traceback import extract_tb
from typing import Any

from rulewright.dsl.model import Checked, Option
from rulewright.dsl.problems import Problem
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.match import Match
from rulewright.interpreter.setting import AT_RANDOM, SettingError, Settler
from rulewright.playtest.batch import ALONE, WORTH, Progress, Stop, play_out, processors
from rulewright.playtest.invariants import unsound
from rulewright.playtest.matches import ENDED, INTERRUPTED
from rulewright.playtest.settings import LIMIT, Settings
from rulewright.playtest.stopping import Stopping, Unheard
from rulewright.playtest.workers import WINDOW, Chunk, chunks

Players = int | tuple[str, ...]
Options = tuple[tuple[str, tuple[str, ...]], ...]
NONE = "0 at random"  # an empty list, as it can be written on a command line


@dataclass(frozen=True, slots=True)
class Case:
    """One setting. `traits` say what is special about it: its players, its bundles, what is turned."""

    players: Players
    options: Options
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that failed after `choices` choices. `watched`: nothing but the watch would have seen it."""

    case: Case
    seed: int
    choices: int
    reason: str
    watched: bool


@dataclass(frozen=True, slots=True)
class Soak:
    """What came of it. `settings` were played out of `of_settings`; `ends` counts how games ended."""

    games: int
    settings: int
    of_settings: int
    ends: tuple[tuple[str, int], ...]
    faults: tuple[Fault, ...]
    interrupted: bool


# -------------------------------------------------------------------- settings


def settings_of(
    checked: Checked, seed: int = 0, players: Players | None = None, fixed: Options = ()
) -> tuple[Case, ...]:
    """Every setting to play. `players` and the options in `fixed` stay as they are where they are given.

    Where a bundle asks for words to be named, as many are drawn from `seed`. A setting that cannot be is
    in it all the same: nobody but the player who turned that one option would ever find out.
    """
    game, found = checked.game, []
    luck = random.Random(seed)
    given = dict(fixed)
    bundled = [o for o in game.options.values() if o.form == "bundles" and o.name not in given]
    counts: Sequence[Players] = (
        range(game.players_low, game.players_high + 1) if players is None else (players,)
    )
    for count, chosen in product(counts, product(*(o.choices for o in bundled))):
        options = given | {o.name: (c,) for o, c in zip(bundled, chosen, strict=True)}
        number = count if isinstance(count, int) else len(count)
        traits = (f"players={number}", *(f"{o.name}={c}" for o, c in zip(bundled, chosen, strict=True)))
        settler = settled(checked, count, options, luck)
        found.append(Case(count, tuple(options.items()), (*traits, "nothing turned")))
        if settler is None:
            continue
        for option in game.options.values():
            still = option.form == "bundles" or option.name in given
            for label, values in () if still else other_values(settler, option):
                turned = tuple((options | {option.name: values}).items())
                found.append(Case(count, turned, (*traits, f"{option.name}={label}")))
    return tuple(found)


def settled(
    checked: Checked, players: Players, options: dict[str, tuple[str, ...]], luck: random.Random
) -> Settler | None:
    """What every option is in a setting, or None if it cannot be. Words that a bundle wants to be named
    are drawn and added to `options`."""
    while True:
        settler = Settler(checked, dict(options), lambda option, below: 0)
        try:
            settler.settle(players)
        except SettingError:
            missing = {o: count for o, (count, _) in settler.named.items() if o not in settler.given}
            if not missing:
                return None
            for name, count in missing.items():
                words = settler.words_of(checked.game.options[name])
                options[name] = tuple(luck.sample(words, min(count, len(words))))
        else:
            return settler


def other_values(settler: Settler, option: Option) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The values that an option could have instead, each with a label: both ends of a range, each word,
    each player; of a list each word alone, all of them and none, or as many as there have to be."""
    now = dict(settler.in_words())[option.name]
    drawn = option.name in settler.drawn or option.name in settler.open
    match option.form:
        case "yesno":
            labelled = {text: text for text in ("yes", "no")}
        case "words":
            labelled = {text: text for text in option.choices}
        case "layouts":
            labelled = {text: text for text in settler.game.layouts}
        case "players":
            labelled = {text: text for text in (*settler.players, *(() if drawn else (AT_RANDOM,)))}
        case "number":
            bounds = (("lowest", option.low, 0), ("highest", option.high, 999))
            labelled = {label: str(settler.number(bound, usual)) for label, bound, usual in bounds}
        case _:
            yield from lists(settler, option, None if drawn else now)
            return
    yield from ((label, (text,)) for label, text in labelled.items() if drawn or text != now)


def lists(settler: Settler, option: Option, now: str | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Other lists of words than the one there is."""
    words = settler.words_of(option)
    count = settler.named[option.name][0] if option.name in settler.named else -1
    if count < 0 and option.how_many is not None:
        count = settler.number(option.how_many, 0)
    if count < 0:
        found = {word: (word,) for word in words} | {"all": words, "none": (NONE,)}
    elif option.name in settler.named:  # each word has its turn
        found = {w: tuple((words * 2)[i : i + count]) for i, w in enumerate(words)}
    else:
        found = {"the first": words[:count], "the last": words[len(words) - count :]}
    for label, values in found.items():
        shown = "" if values == (NONE,) else " ".join(w for w in words if w in values)
        if values and shown != now:
            yield label, values


def plan(cases: Sequence[Case], games: int, seed: int) -> tuple[int, ...]:
    """The setting of each game, by number. Every setting has as many games as every other, or one more.

    With fewer games than settings each trait comes in as soon as it can, then each pair of traits. All
    games of one setting follow each other.
    """
    each, rest = divmod(games, len(cases))
    numbers = []
    for place, case in enumerate(_by_novelty(cases, seed)):
        numbers += [case] * (each + (place < rest))
    return tuple(numbers)


def _by_novelty(cases: Sequence[Case], seed: int) -> Iterator[int]:
    """All settings, the one with the most that was not there before always first. What is new in a setting
    only ever gets less, so that a setting is looked at again only when it comes up."""
    seen: set[object] = set()

    def news(case: Case) -> tuple[int, int]:
        return (
            -sum(t not in seen for t in case.traits),
            -sum(p not in seen for p in combinations(case.traits, 2)),
        )

    order = random.Random(seed).sample(range(len(cases)), len(cases))
    heap = [(news(cases[i]), rank, i) for rank, i in enumerate(order)]
    heapq.heapify(heap)
    while heap:
        promised, rank, i = heapq.heappop(heap)
        now = news(cases[i])
        if now != promised:
            heapq.heappush(heap, (now, rank, i))
            continue
        seen.update(cases[i].traits)
        seen.update(combinations(cases[i].traits, 2))
        yield i


# -------------------------------------------------------------------- playing


@dataclass(slots=True)
class _Part:
    """What came of some of the games, in any order."""

    games: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    played: set[int] = field(default_factory=set)
    faults: dict[int, Fault] = field(default_factory=dict)

    def merge(self, other: _Part) -> None:
        self.games += other.games
        self.ends.update(other.ends)
        self.played |= other.played
        self.faults |= other.faults


class _Player:
    """Plays the games of a soak by their numbers."""

    def __init__(self, settings: Settings, game: PlayableGame) -> None:
        self.settings = settings
        self.game = game
        self.cases = settings_of(game.checked, settings.seed, settings.players, settings.options)
        self.plan = plan(self.cases, settings.games, settings.seed)

    def mark(self) -> str:
        """Something that other rules, or other settings, would not have."""
        first = self.cases[0]
        made = self.game.program(first.players, dict(first.options), self.settings.seed)
        rules = "" if isinstance(made, tuple) else made.rules_hash
        return hashlib.sha256(f"{rules} {self.cases}".encode()).hexdigest()

    def play(self, number: int, part: _Part, stop: Stop) -> bool:
        """Play one game; False if it was interrupted. Whatever goes wrong is a fault of that game."""
        case, seed = self.cases[self.plan[number]], self.settings.seed + number
        match: Match | None = None
        watch = _Watch()
        reason = ""
        try:
            begun = self.game.start(case.players, seed, dict(case.options), trace=False)
            if isinstance(begun, tuple):
                reason = " ".join(f"{p.text} {p.cure}" for p in begun)
            else:
                match = begun
                outcome = play_out(self.settings, match, number, stop, watch)
                if outcome.status == INTERRUPTED:
                    return False
                if outcome.status == ENDED:
                    part.ends[outcome.end] += 1
                else:
                    reason = outcome.reason
        except Exception as error:  # a bug of the engine: the other games are still worth playing
            at = extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            reason = f"a bug of Rulewright, in {where}: {type(error).__name__}: {error}"
        part.games += 1
        part.played.add(self.plan[number])
        if reason:
            choices = len(match.choices) if match is not None else 0
            part.faults[number] = Fault(case, seed, choices, reason, watch.found)
        return True


class _Watch:
    """Looks at a match, and remembers whether it found anything."""

    found = False

    def __call__(self, match: Match) -> str:
        text = unsound(match)
        self.found = bool(text)
        return text


def soak(
    name: str,
    games: int,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int | None = None,
    *,
    variants: tuple[str, ...] = (),
    players: Players | None = None,
    options: Options = (),
    limit: int = LIMIT,
) -> Soak | tuple[Problem, ...]:
    """Play `games` random games of a game over all of its settings; its problems if it cannot be loaded.

    Game i has the seed `seed + i`. `players` and `options` narrow the settings down. A game is given up
    after `limit` decisions, which is a fault. `workers` is how many processes play (None: as it pays).
    Ctrl-C keeps the games that are done.
    """
    settings = Settings(name, variants, options, players, games=games, seed=seed, limit=limit)
    player = _open(settings)
    if isinstance(player, tuple):
        return player
    whole, begun, done = _Part(), time.perf_counter(), 0
    tell = progress or (lambda done, of: None)
    tell(0, games)
    with Stopping() as stopping:
        while done < games and workers in (None, 1) and not stopping.asked:
            done += player.play(done, whole, lambda: stopping.asked)
            tell(whole.games, games)
            spent = time.perf_counter() - begun
            if workers is None and spent > ALONE and spent / max(1, done) * (games - done) > WORTH:
                workers = processors()
        left: list[Chunk] = []
        if done < games and not stopping.asked:
            left = _elsewhere(player, done, workers or processors(), tell, stopping, whole)
        for number in (i for start, end in left for i in range(start, end)):
            if stopping.asked or not player.play(number, whole, lambda: stopping.asked):
                break
            tell(whole.games, games)
    return Soak(
        whole.games,
        len(whole.played),
        len(player.cases),
        tuple(sorted(whole.ends.items())),
        tuple(whole.faults[i] for i in sorted(whole.faults)),
        stopping.asked,
    )


def _open(settings: Settings) -> _Player | tuple[Problem, ...]:
    found = load(settings.game, settings.variants)
    return found if isinstance(found, tuple) else _Player(settings, found)


# ------------------------------------------------------------- other processes


def _elsewhere(
    player: _Player, first: int, workers: int, tell: Progress, stopping: Stopping, whole: _Part
) -> list[Chunk]:
    """Play the games from number `first` on in other processes. What is given back could not be played
    there: a process died, or found other rules in the files."""
    settings = player.settings
    left, undone = chunks(first, settings.games, workers), list[Chunk]()
    waiting: dict[Future[_Part | None], Chunk] = {}
    spawn = multiprocessing.get_context("spawn")
    flag = spawn.Event()
    stopping.tell(flag)
    with ProcessPoolExecutor(workers, spawn, _prepare, (settings, player.mark(), flag)) as pool:

        def hand_out() -> None:
            chunk = None if stopping.asked or undone else next(left, None)
            try:
                if chunk is not None:
                    waiting[pool.submit(_play, *chunk)] = chunk
            except BrokenExecutor:
                undone.append(chunk or (0, 0))

        with Unheard():
            for _ in range(workers * WINDOW):
                hand_out()
        while waiting:
            for future in wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED).done:
                chunk = waiting.pop(future)
                try:
                    part = future.result()
                except BrokenExecutor:  # a process was killed, or found no memory
                    part = None
                if part is None:
                    undone.append(chunk)
                else:
                    whole.merge(part)
                    tell(whole.games, settings.games)
                    hand_out()
    return [] if stopping.asked else [*undone, *left] if undone else []


class _Worker:
    """What a worker process keeps between two chunks; nobody plays if its rules are others."""

    player: _Player | None = None
    flag: Any


def _prepare(settings: Settings, mark: str, flag: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.flag = flag
    player = _open(settings)
    _Worker.player = player if isinstance(player, _Player) and player.mark() == mark else None


def _play(start: int, end: int) -> _Part | None:
    if _Worker.player is None:
        return None
    part, stop = _Part(), _Worker.flag.is_set
    for number in range(start, end):
        if stop() or not _Worker.player.play(number, part, stop):
            break
    return part
