"""Bridges to card games: crazy eights and Leduc poker.

What has to be agreed, game by game:

- Crazy eights: OpenSpiel draws the dealer and deals card by card, from the dealer's left; here the cards of
  the deal lie in the hands when the first one chooses, and which of them came first makes no difference. The
  card that is dealt there is one that has not been dealt yet. A card is `CJ` there and `JC` here. Of a card
  below the jack OpenSpiel's returns count its number in the pack and 2 (34 to 37 for a ten), here it counts
  its rank. So returns and winners are not the same; compared are the returns with the cards left here,
  counted as there, and scores and winners with the cards left there, counted by rank.
- Leduc poker: OpenSpiel deals to the first player, to the second, and later the open card, each by its
  number (rank by rank, two suits); fold, call and raise are called alike. Returns are the chips won; with
  equal cards both get 0 there, and here both have won.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.interpreter.match import Match
from rulewright.tests.differential.agreement import ChanceDiffers, scores_here, winners_here
from rulewright.tests.differential.bridges import InTurn, spiel

DEALT = re.compile(r"(?:is dealt|draws) (\w\w)")
RANKS = "23456789TJQKA"
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def lying(match: Match, zone: str, viewer: int | None = None) -> list[str]:
    """The codes of the pieces in a zone, from the bottom, as somebody sees them."""
    return [str(piece["code"]) for piece in match.view(viewer)["zones"][zone]["pieces"]]


def held(match: Match, seat: int) -> list[str]:
    """The codes of the cards in a hand, as its owner sees them."""
    return lying(match, f"hand of {match.program.players[seat]}", seat)


def take(state: Any, wanted: str) -> None:
    """Let chance do there what is called so."""
    for action in state.legal_actions():
        if state.action_to_string(action) == wanted:
            state.apply_action(action)
            return
    raise ChanceDiffers(wanted)


@dataclass
class CrazyEights(InTurn):
    players: int = 4
    most_plays: int = 100

    def begin(self) -> Any:
        return spiel(f"crazy_eights(players={self.players},max_turns={self.most_plays})").new_initial_state()

    def settle(self, match: Match, state: Any) -> None:
        while state.is_chance_node():
            take(state, self._outcome(match, state))

    def _outcome(self, match: Match, state: Any) -> str:
        happened = len(state.history())
        dealer = match.program.players.index(match.view(None)["state"]["dealer"])
        if happened == 0:
            return f"Decide Player {dealer} to be the dealer"
        dealt = happened - 1
        if dealt < self.players * (7 if self.players == 2 else 5):
            cards = held(match, (dealer + 1 + dealt) % self.players)
        elif match.choices:
            cards = held(match, match.choices[-1].player)
        else:
            cards = lying(match, "discard")
        there = set(DEALT.findall(str(state)))
        new = [card[::-1] for card in cards if card[::-1] not in there]
        if not new:
            raise ChanceDiffers("no new card")
        return f"Deal {new[0]}"

    def moves(self, state: Any, player: int) -> Mapping[str, int]:
        return {
            self.id_of(state.action_to_string(player, a), a): a
            for a in dict.fromkeys(state.legal_actions(player))
        }

    def id_of(self, text: str, action: int) -> str:
        del action
        kind, *rest = text.split()
        match kind:
            case "Play":
                return f"play_card played={rest[0][::-1]}"
            case "Nominate":
                return f"s={SUITS[rest[-1]]}"
            case "Draw":
                return "draw_card"
            case _:
                return kind.lower()

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        as_there = tuple(-sum(map(self._points_there, held(match, seat))) for seat in range(self.players))
        by_rank = tuple(-sum(map(self._points_by_rank, self._left(state, s))) for s in range(self.players))
        best = tuple(seat for seat, points in enumerate(by_rank) if points == max(by_rank))
        returns = tuple(int(x) for x in state.returns())
        return (winners_here(match), scores_here(match), as_there), (best, by_rank, returns)

    @staticmethod
    def _left(state: Any, seat: int) -> str:
        """A player's ranks there: at the end a line for each suit, 40 columns for each player."""
        lines = (line[40 * seat :][:40] for line in str(state).splitlines()[-4:])
        return "".join(line.removeprefix("Suit ")[2:].replace(" ", "") for line in lines)

    @staticmethod
    def _points_by_rank(rank: str) -> int:
        return 50 if rank == "8" else 10 if rank in "TJQKA" else int(rank)

    @staticmethod
    def _points_there(card: str) -> int:
        """What a card that is left counts in the returns there."""
        rank, suit = RANKS.index(card[0]), "CDHS".index(card[1])
        return 50 if card[0] == "8" else 10 if rank >= RANKS.index("J") else 4 * rank + suit + 2


class Leduc(InTurn):
    def begin(self) -> Any:
        return spiel("leduc_poker").new_initial_state()

    def settle(self, match: Match, state: Any) -> None:
        while state.is_chance_node():
            happened = len(state.history())
            cards = held(match, happened) if happened < 2 else lying(match, "middle")
            if len(cards) != 1:
                raise ChanceDiffers(f"cards {cards}")
            rank, suit = cards[0]
            take(state, f"Chance outcome:{2 * 'JQK'.index(rank) + 'SH'.index(suit)}")

    def id_of(self, text: str, action: int) -> str:
        del action
        return text.lower()

    def outcome(self, match: Match, state: Any) -> tuple[Any, Any]:
        chips = tuple(int(x) for x in state.returns())
        best = tuple(seat for seat, n in enumerate(chips) if n == max(chips))
        return (winners_here(match), scores_here(match)), (best, chips)
