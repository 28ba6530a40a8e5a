"""Three games as somebody who codes would write them for one project: plain classes, lists, loops.

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
        for a, b, c in self.LINES:
            if self.spaces[a] == self.spaces[b] == self.spaces[c] == self.turn:
                self.winner, self.over = self.turn, True
                return
        if None not in self.spaces:
            self.over = True
        self.turn, self.other = self.other, self.turn


class ConnectFour:
    """Seven columns of six, four in a row; only lines through the newest disc are looked at."""

    WIDTH, HEIGHT = 7, 6

    def __init__(self) -> None:
        self.columns: list[list[str]] = [[] for _ in range(self.WIDTH)]
        self.turn, self.other = "x", "o"
        self.over = False
        self.winner: str | None = None

    def moves(self) -> list[int]:
        return [number for number, column in enumerate(self.columns) if len(column) < self.HEIGHT]

    def play(self, number: int) -> None:
        self.columns[number].append(self.turn)
        if self._wins(number, len(self.columns[number]) - 1):
            self.winner, self.over = self.turn, True
        elif not self.moves():
            self.over = True
        self.turn, self.other = self.other, self.turn

    def _wins(self, column: int, row: int) -> bool:
        return any(
            1 + self._run(column, row, across, up) + self._run(column, row, -across, -up) >= 4
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        )

    def _run(self, column: int, row: int, across: int, up: int) -> int:
        """How many more of the same player's discs follow in one direction."""
        length = 0
        while True:
            column, row = column + across, row + up
            if not 0 <= column < self.WIDTH or not 0 <= row < len(self.columns[column]):
                return length
            if self.columns[column][row] != self.turn:
                return length
            length += 1


class CrazyEights:
    """Crazy eights for four, as OpenSpiel plays it: up to five draws a turn, a hundred plays at most."""

    SUITS, RANKS = "CDHS", "23456789TJQKA"
    DRAWS, PLAYS = 5, 100

    def __init__(self, luck: random.Random, players: int = 4) -> None:
        self.players = players
        self.deck = [rank + suit for rank in self.RANKS for suit in self.SUITS]
        luck.shuffle(self.deck)
        self.hands = [[self.deck.pop() for _ in range(7 if players == 2 else 5)] for _ in range(players)]
        first = luck.choice([card for card in self.deck if card[0] != "8"])
        self.deck.remove(first)
        self.top, self.suit = first, first[1]
        self.turn = (luck.randrange(players) + 1) % players
        self.draws = self.plays = self.passes = 0
        self.naming = self.over = False

    def moves(self) -> list[str]:
        if self.naming:
            return list(self.SUITS)
        found = [
            card
            for card in self.hands[self.turn]
            if card[0] == "8" or card[1] == self.suit or card[0] == self.top[0]
        ]
        if self.deck and self.draws < self.DRAWS:
            found.append("draw")
        else:
            found.append("pass")
        return found

    def play(self, move: str) -> None:
        if self.naming:
            self.suit, self.naming = move, False
            self._next()
        elif move == "draw":
            self.hands[self.turn].append(self.deck.pop())
            self.draws += 1
            self.passes = 0
        elif move == "pass":
            self.passes = 0 if self.deck else self.passes + 1
            self.over = self.passes > self.players
            self._next()
        else:
            self.hands[self.turn].remove(move)
            self.top, self.suit = move, move[1]
            self.plays += 1
            self.passes = 0
            if not self.hands[self.turn] or self.plays == self.PLAYS:
                self.over = True
            elif move[0] == "8":
                self.naming = True
            else:
                self._next()

    def _next(self) -> None:
        self.turn = (self.turn + 1) % self.players
        self.draws = 0

    def score(self, player: int) -> int:
        return -sum(
            50 if card[0] == "8" else min(10, self.RANKS.index(card[0]) + 2) for card in self.hands[player]
        )


Game = TicTacToe | ConnectFour | CrazyEights


def playout(game: Game, luck: random.Random) -> int:
    """Play at random to the end; how many moves it took."""
    count = 0
    while not game.over:
        game.play(luck.choice(game.moves()))  # type: ignore[arg-type]
        count += 1
    return count
