"""The comparison with OpenSpiel is worth something: one wrong rule in a game and it fails.

Each case lays a variant with one mistake over a game that agrees, and names the kind of difference that must
be found within the playouts that `make test` plays.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.differential.agreement import Bridge, first_difference, loaded
from rulewright.tests.differential.bridges import ConnectFour, Goofspiel, Kuhn, Pig, TicTacToe
from rulewright.tests.differential.bridges_hex import Hex

PLAYOUTS = 1000

# What is wrong, the game, the bridge, the variant's changes, the difference that must be found.
MISTAKES: dict[str, tuple[str, Bridge, str, set[str]]] = {
    "marks may be put on marks": (
        "tic_tac_toe",
        TicTacToe(),
        "actions.put_mark.choose.spot: space on grid",
        {"moves"},
    ),
    "three in a row loses": (
        "tic_tac_toe",
        TicTacToe(),
        "ends.three_in_a_row.winner: opponent of actor",
        {"outcome"},
    ),
    "the last mark wins a full board": (
        "tic_tac_toe",
        TicTacToe(),
        "ends.board_full.winner: actor",
        {"outcome"},
    ),
    "three discs in a row win": (
        "connect_four",
        ConnectFour(),
        "ends.discs_in_a_row.when: >-\n"
        "    any line of 3 on rack where every space on line has any disc of actor on space",
        {"over"},
    ),
    "a full lane ends the game": (
        "connect_four",
        ConnectFour(),
        "ends.rack_full.when: any column on rack where no space on column where space is empty",
        {"over"},
    ),
    "the player who passes pays": (
        "kuhn_poker",
        Kuhn(2),
        "state.paid.is: number 0 to 4\n"
        "  actions.pass.do: |\n"
        "    set spoken of actor to yes\n"
        "    add 1 to paid of actor",
        {"outcome"},
    ),
    "a bet needs no answer": (
        "kuhn_poker",
        Kuhn(3),
        "actions.bet.do: |\n"
        "    set somebody_bet to yes\n"
        "    set spoken of actor to yes\n"
        "    add 1 to paid of actor",
        {"over"},
    ),
    "the lowest card wins": (
        "kuhn_poker",
        Kuhn(3),
        "define.takes_the_pot: still_in(p) and no player q where still_in(q) and held of q < held of p",
        {"outcome"},
    ),
    "a two ends the turn": (
        "pig",
        Pig(2),
        "actions.throw.do: |\n"
        "    roll the die\n"
        "    if face of (the die) is 2:\n"
        "        set turn_total to 0\n"
        "        end turn\n"
        "    else:\n"
        "        add face of (the die) to turn_total",
        {"player"},
    ),
    "a one loses everything": (
        "pig",
        Pig(2),
        "actions.throw.do: |\n"
        "    roll the die\n"
        "    if face of (the die) is 1:\n"
        "        set turn_total to 0\n"
        "        set score of actor to 0\n"
        "        end turn\n"
        "    else:\n"
        "        add face of (the die) to turn_total",
        {"score"},
    ),
    "the goal must be passed": ("pig", Pig(2), "ends.goal_reached.when: score of actor > goal", {"over"}),
    "a tied prize waits for the next round": (
        "goofspiel",
        Goofspiel(2),
        "flow.round.phases.awarding.do: |\n"
        "    reveal all bid_card in bid of any player\n"
        "    let best be all player with largest offer of player\n"
        "    if exactly 1 player in best:\n"
        "        move all prize in upcard to won of (the player in best)\n"
        "    remove all bid_card in bid of any player",
        {"score", "outcome"},
    ),
    "a tied prize goes to somebody": (
        "goofspiel",
        Goofspiel(2),
        "flow.round.phases.awarding.do: |\n"
        "    reveal all bid_card in bid of any player\n"
        "    let best be all player with largest offer of player\n"
        "    if exactly 1 player in best:\n"
        "        move all prize in upcard to won of (the player in best)\n"
        "    else:\n"
        "        move all prize in upcard to won of first_player\n"
        "    remove all bid_card in bid of any player",
        {"score"},
    ),
    "black and white have each other's edges": (
        "hex",
        Hex(3),
        "options.side: 3\n  boards.board.edges: {black: [left, right], white: [top, bottom]}",
        {"over", "outcome"},
    ),
    "stones are joined as on squares": (
        "hex",
        Hex(3),
        "options.side: 3\n  boards.board.shape: square grid",
        {"over", "fault"},  # with a full board nobody has won
    ),
    "the first stone is taken over where it lies": (
        "hex",
        Hex(4, swap=True),
        "options.side: 4\n"
        "  options.swap_rule: yes\n"
        "  actions.swap_sides.do: |\n"
        "    let spot be place of (the stone on board)\n"
        "    remove all stone on spot\n"
        "    place stone of white on spot",
        {"moves"},
    ),
    "a shared win belongs to nobody": (
        "goofspiel",
        Goofspiel(2),
        "ends.all_prizes_gone.tie: nobody",
        {"outcome"},
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_rule_is_found(mistake: str, tmp_path: Path) -> None:
    name, bridge, change, expected = MISTAKES[mistake]
    variant = tmp_path / "mistake.yaml"
    variant.write_text(
        f"variant: Mistake\nof: {name}\ntext: {mistake}.\nchange:\n  {change}\n", encoding="utf-8"
    )
    difference = first_difference(loaded(name, {}, str(variant)), bridge, PLAYOUTS)
    assert difference is not None
    assert difference.what in expected, str(difference)
