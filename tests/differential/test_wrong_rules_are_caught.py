"""The comparison with OpenSpiel is worth something: one wrong rule in a game and it fails.

Each case lays a variant with one mistake over a game that agrees, and names the kind of difference that must
be found within the playouts that `make test` plays.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.tests.differential.agreement import Bridge, first_difference, loaded
from rulewright.tests.differential.bridges import ConnectFour, Goofspiel, Kuhn, Pig, TicTacToe
from rulewright.tests.differential.bridges_boards import Breakthrough, Reversi
from rulewright.tests.differential.bridges_cards import CrazyEights, Leduc
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
    "discs are not outflanked diagonally": (
        "reversi",
        Reversi(),
        "define.outflanked: >-\n"
        "    all space going orthogonals from s while shows(space, opponent of p) ending at shows(space, p)",
        {"moves"},
    ),
    "a run of discs is outflanked without a disc at its end": (
        "reversi",
        Reversi(),
        "define.outflanked: all space going any direction from s while shows(space, opponent of p)",
        {"moves"},
    ),
    "only rows and columns are turned": (
        "reversi",
        Reversi(),
        "actions.put_disc.do: |\n"
        "    let turned be outflanked(spot, actor)\n"
        "    place disc on spot\n"
        "    turn all disc on spot to actor\n"
        "    for each space in turned where row_number of space is row_number of spot\n"
        "            or column_number of space is column_number of spot:\n"
        "        turn all disc on space to actor",
        {"score"},
    ),
    "the game ends when somebody has to pass": (
        "reversi",
        Reversi(),
        "ends.nobody_can_move.when: opponent of actor is stuck",
        {"over"},
    ),
    "with equally many discs both win": (
        "reversi",
        Reversi(),
        "ends.nobody_can_move.tie: shared",
        {"outcome"},
    ),
    "pawns capture straight ahead too": (
        "breakthrough",
        Breakthrough(),
        "actions.capture.choose.goal: >-\n"
        "    space going [forward of actor, forward_left of actor, forward_right of actor] from start\n"
        "    up to 1 where any pawn of opponent of actor on space",
        {"moves"},
    ),
    "pawns go diagonally to capture only": (
        "breakthrough",
        Breakthrough(),
        "actions.advance.choose.goal: >-\n"
        "    space going forward of actor from start up to 1 where space is empty",
        {"moves"},
    ),
    "the row before the last wins": (
        "breakthrough",
        Breakthrough(),
        "ends.home_row_reached.when: >-\n"
        "    any pawn of actor where any space going forward of actor from pawn exactly 1\n"
        "    where space is in last_row of actor",
        {"over"},
    ),
    "an eight must follow suit like any other card": (
        "crazy_eights",
        CrazyEights(4),
        "define.fits: >-\n"
        "    suit of c is suit_to_follow or top of discard is not none\n"
        "    and rank of c is rank of top of discard",
        {"moves"},
    ),
    "four cards may be drawn": (
        "crazy_eights",
        CrazyEights(4),
        "options.most_draws.default: 4",
        {"moves"},
    ),
    "the game ends when everybody has passed once": (
        "crazy_eights",
        CrazyEights(4),
        "actions.pass.do: |\n"
        "    set draws to 0\n"
        "    if deck is empty:\n"
        "        add 1 to idle_turns\n"
        "    if idle_turns >= players:\n"
        "        end game as over\n"
        "    end turn",
        {"over"},
    ),
    "whoever has most points left wins": (
        "crazy_eights",
        CrazyEights(4),
        "ends.over.winner: player with smallest score of player",
        {"outcome"},
    ),
    "points left are won": (
        "crazy_eights",
        CrazyEights(4),
        "define.score: sum of points of rank of card for card in hand of p",
        {"outcome"},
    ),
    "the card after the last one ends the game": (
        "crazy_eights",
        CrazyEights(3, most_plays=20),
        "options.most_plays.default: 21",
        {"over"},
    ),
    "the second round is raised by two as well": (
        "leduc_poker",
        Leduc(),
        "actions.raise.do: |\n"
        "    set paid of actor to highest + 2\n"
        "    add 1 to raises\n"
        "    set spoken of each player to no\n"
        "    set spoken of actor to yes",
        {"outcome"},
    ),
    "a pair counts nothing": (
        "leduc_poker",
        Leduc(),
        "define.strength: sum of height of rank of playing_card for playing_card in hand of p",
        {"outcome"},
    ),
    "three raises in a round": (
        "leduc_poker",
        Leduc(),
        "actions.raise.require: []",
        {"moves", "fault"},
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
