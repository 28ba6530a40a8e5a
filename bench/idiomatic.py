"""Two games as somebody who codes would write them for one project: plain classes, lists, loops.

They are what the rules language is measured against: the same work (all legal moves, one of them at random,
until the game is over), with everything about the game known to the code.
"""

from __future__ import annotations

import random


class TicTacToe:
    """Three by three, three in a row."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        self.spaces: list[str | None] = [None] * 9
        self.turn, self.other = "x", "o"
        self.over = False
        self.winner: str | None = None

    def moves(self) -> list[int]:
        return [number for number, mark in enumerate(self.spaces) if mark is None]

    def play(self, number: int) -> None:
        self.spaces[number] = self.turn
        if any(all(self.spaces[n] == self.turn for n in line) for line in self.LINES):
            self.winner, self.over = self.turn, True
        elif None not in self.spaces:
            self.over = True
        self.turn, self.other = self.other, self.turn


class ConnectFour:
    """Seven columns of six, four in a row; only lines through the newest disc are looked at."""

    WIDTH, HEIGHT = 7, 6

    def __init__(self) -> None:
        self.discs: dict[tuple[int, int], str] = {}
        self.heights = [0] * self.WIDTH
        self.turn, self.other = "x", "o"
        self.over = False
        self.winner: str | None = None

    def moves(self) -> list[int]:
        return [column for column, height in enumerate(self.heights) if height < self.HEIGHT]

    def play(self, column: int) -> None:
        row = self.heights[column]
        self.discs[column, row] = self.turn
        self.heights[column] += 1
        if self._in_a_row(column, row) >= 4:
            self.winner, self.over = self.turn, True
        elif not self.moves():
            self.over = True
        self.turn, self.other = self.other, self.turn

    def _in_a_row(self, column: int, row: int) -> int:
        longest = 0
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1 + self._run(column, row, across, up) + self._run(column, row, -across, -up)
            longest = max(longest, length)
        return longest

    def _run(self, column: int, row: int, across: int, up: int) -> int:
        length = 0
        while self.discs.get((column + across, row + up)) == self.turn:
            length += 1
            column, row = column + across, row + up
        return length


def playout(game: TicTacToe | ConnectFour, luck: random.Random) -> int:
    """Play at random to the end; how many moves it took."""
    count = 0
    while not game.over:
        game.play(luck.choice(game.moves()))
        count += 1
    return count
