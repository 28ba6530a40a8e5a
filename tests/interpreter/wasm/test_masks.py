"""The masks in memory say what the lists of pieces say, after every choice."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.interpreter.match import Match
from rulewright.interpreter.wasm.machine import Runner
from rulewright.interpreter.wasm.masks import LARGEST_BOARD, shift_of
from rulewright.playtest.side_by_side import Found, compare
from rulewright.tests.interpreter.wasm.modules import GAMES, HAND, positions, program, runner

WITH_MASKS = [g for g in (*GAMES, *HAND) if runner(g).shared.memory.kept]


def in_memory(at: Runner) -> list[set[int]]:
    """The spaces of every mask of every board, as bits say."""
    found = []
    for kept in at.shared.memory.kept:
        for mask in range(kept.count):
            words = at.reader.numbers(kept.address(mask), kept.words, "Q")
            bits = sum(word << (64 * i) for i, word in enumerate(words))
            found.append({kept.first + i for i in range(bits.bit_length()) if bits >> i & 1})
    return found


def as_lists_say(match: Match, at: Runner) -> list[set[int]]:
    s, code = match.state, match.state.code
    found = []
    for kept in at.shared.memory.kept:
        lying = {p: s.contents.get(p, ()) for p in range(kept.first, kept.first + kept.spaces)}
        found.append({p for p, pieces in lying.items() if pieces})
        for (kind, n), low, count in kept.values:
            of = code.program.tables[n].data if kind == "table" else s.vars[code.layout.offsets[n] :]
            for v in range(low, low + count):
                found.append({p for p, pieces in lying.items() if any(of[piece] == v for piece in pieces)})
    return found


def masks_differ(match: Match, at: Runner) -> Found | None:
    lists, masks = as_lists_say(match, at), in_memory(at)
    return None if lists == masks else ("the masks", lists, masks)


@pytest.mark.parametrize("game", WITH_MASKS)
def test_masks_agree_with_the_lists_of_pieces(game: str, figure: Any) -> None:
    seen = 0

    def watch(match: Match, at: Runner) -> Found | None:
        nonlocal seen
        seen += sum(map(len, as_lists_say(match, at)))
        return masks_differ(match, at)

    for seed in range(figure(2, 50)):
        compared = compare(runner(game), seed, game, limit=figure(200, 2000), watch=watch)
        assert compared.difference is None, compared.difference
    assert seen


@pytest.mark.parametrize("game", WITH_MASKS)
def test_masks_agree_after_a_position_was_written(game: str) -> None:
    for match in positions(program(game), 5, 6, every=9):
        runner(game).load(match.state)
        assert masks_differ(match, runner(game)) is None


def test_a_bit_that_is_wrong_is_noticed() -> None:
    def spoil(match: Match, at: Runner) -> Found | None:
        at.instance.memory[at.shared.memory.kept[0].at] ^= 1
        return masks_differ(match, at)

    compared = compare(runner("tic_tac_toe"), 0, watch=spoil)
    assert compared.difference is not None and compared.difference.what == "the masks"


def test_boards_without_end_have_no_masks() -> None:
    for game in (*GAMES, *HAND):
        p = program(game)
        boards = {kept.board for kept in runner(game).shared.memory.kept}
        assert all(not p.boards[b].unbounded for b in boards)
        assert all(p.boards[b].width * p.boards[b].height <= LARGEST_BOARD for b in boards)


@pytest.mark.parametrize("game", [g for g in WITH_MASKS if program(g).boards[0].steps])
def test_a_shift_of_bits_is_a_step(game: str) -> None:
    for kept in runner(game).shared.memory.kept:
        board = program(game).boards[kept.board]
        for direction, steps in enumerate(board.steps):
            shift = shift_of(board, direction)
            assert shift is not None
            assert [i + shift.by if shift.begins >> i & 1 else -1 for i in range(len(steps))] == list(steps)
            longest = 0
            for start in range(len(steps)):
                at, length = start, 0
                while steps[at] >= 0:
                    at, length = steps[at], length + 1
                longest = max(longest, length)
            assert shift.longest == longest
