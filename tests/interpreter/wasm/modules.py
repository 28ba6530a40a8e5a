"""Modules for the tests of this folder: programs of the bundled games and of toys, made once for all tests.

Comes in: the name of a game, or a program. Goes out: its module, as shared by whoever asks again. What never
happens: a module that was made under a patch and is handed to another test: `made_anew` keeps nothing.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

from rulewright.dsl.load import bundled_games
from rulewright.interpreter import ir
from rulewright.interpreter.api import PlayableGame, load
from rulewright.interpreter.chance import number, start_of
from rulewright.interpreter.link import code_of
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.wasm import host
from rulewright.interpreter.wasm.build import build
from rulewright.interpreter.wasm.machine import Fast, Runner, fast_of
from rulewright.tests.interpreter.programs import ALL_PROGRAMS

GAMES = tuple(bundled_games())
HAND = {f"hand_{made.__name__}": made for made in ALL_PROGRAMS}  # written in the IR


@cache
def program(name: str) -> ir.Program:
    """The program of a bundled game as it is usually played, or one of those written by hand."""
    if name in HAND:
        return HAND[name]()
    game = load(name)
    assert isinstance(game, PlayableGame), game
    found = game.program()
    assert not isinstance(found, tuple), found
    return found


@cache
def fast(name: str) -> Fast:
    """The module of a game."""
    return fast_of(program(name))


@cache
def runner(name: str) -> Runner:
    """A module at work that tests may take to any position."""
    return fast(name).runner()


# What wasmtime made must be gone before wasmtime is, or it complains when Python ends.
atexit.register(fast.cache_clear)
atexit.register(runner.cache_clear)


def made_anew(program: ir.Program) -> Runner:
    """A module at work that was made just now."""
    code = code_of(program)
    built = build(code)
    return Fast(code, built, host.compiled(built.module)).runner()


def positions(program: ir.Program, seed: int, most: int, every: int = 1) -> Iterator[Match]:
    """A match at random at some of its decisions, and at its end if it comes to it. It is one and the same
    match that goes on."""
    return islice(_walk(program, seed, every), most)


def _walk(program: ir.Program, seed: int, every: int) -> Iterator[Match]:
    match, luck, choices = start(program, seed, trace=False), start_of(seed, "tests"), 0
    while match.decision is not None:
        if choices % every == 0:
            yield match
        choices += 1
        refused = match.choose(number(luck, choices) % match.decision.count)
        assert refused is None, refused
    yield match


def trap_of(run: Callable[[], object]) -> str:
    """What a module says that gives up; "" if it does not."""
    try:
        run()
    except host.Trapped as trap:
        return str(trap)
    return ""
