"""Reactions: windows, who is asked in them and in what order, and what happens inside."""

from __future__ import annotations

import random

import pytest

from rulewright.interpreter.match import Match, load_match
from rulewright.tests.semantics.toys import (
    do,
    events,
    ids,
    log,
    problems,
    same_to_the_end,
    state,
    story,
    toy,
    who,
)

GAME = """
state:
  n: {is: number 0 to 99}
  coins: {per: player, is: number 0 to 9, start: 1}
flow:
  - play:
      turns: clockwise from y
      at most: 2 rounds, then over
      actions: [go, more]
actions:
  go:
    do: |
GO
  more:
    do: |
      add 5 to n
ends:
  over:
    winner: nobody
events:
  log(number k):
    do: |
      add 0 to n
"""
SIDES = "[x, y, z]"
FEAST = """
reactions:
  cheer:
    windows: feast
    who: player where coins of player > 0
    choose:
      friend: player where player is not actor
    do: |
      take 1 from coins of actor
      log(3)
  boo:
    windows: [feast]
    do: |
      log(4)
"""


def game(effect: str, rest: str, **more: str) -> str:
    """The rules of a game in which `go` has an effect. What `more` gives takes the place of a section."""
    lines = "\n".join(f"      {line}" for line in effect.strip("\n").split("\n"))
    text = GAME.replace("GO", lines)
    for old, new in more.items():
        text = text.replace(old, new)
    return text + rest.strip("\n") + "\n"


def feast(effect: str = "log(1)\noffer feast\nlog(2)", rest: str = FEAST, **more: str) -> Match:
    """A match that stands in the window that the action `go` of y has opened."""
    return do(toy(game(effect, rest, **more), SIDES), "go")


# ------------------------------------------------------------------------- asking


def test_players_are_asked_in_order_from_the_actor_until_all_have_passed() -> None:
    match = feast()
    asked = []
    while match.decision is not None and match.decision.window == "feast":
        asked.append(who(match))
        assert ids(match)[-1] == "pass"
        do(match, "pass")
    assert asked == ["y", "z", "x"]
    assert log(match) == [1, 2] and ids(match) == ["go", "more"] and who(match) == "z"


def test_the_question_says_why_it_is_asked() -> None:
    match = feast()
    assert match.decision is not None and match.decision.prompt == "You may react: Feast"
    assert match.view(1)["decision"]["name"] == "window feast"


def test_each_reaction_is_offered_with_all_its_choices() -> None:
    assert ids(feast()) == ["cheer friend=x", "cheer friend=z", "boo", "pass"]


def test_what_is_used_is_carried_out_at_once_and_then_all_are_asked_again() -> None:
    match = do(feast(), "pass", "cheer friend=x")
    assert log(match) == [1, 3] and who(match) == "y"
    do(match, "pass")
    assert who(match) == "z" and ids(match) == ["boo", "pass"]  # no coin is left
    assert log(do(match, "pass", "pass")) == [1, 3, 2]


def test_who_has_no_legal_reaction_is_not_asked() -> None:
    match = feast(
        "set coins of y to 0\nset coins of x to 0\noffer feast\nlog(2)", FEAST.partition("  boo")[0]
    )
    assert who(match) == "z"
    assert log(do(match, "pass")) == [2] and who(match) == "z" and ids(match) == ["go", "more"]


def test_a_window_in_which_nobody_can_react_asks_nothing() -> None:
    match = feast("set coins of each player to 0\noffer feast\nlog(2)", FEAST.partition("  boo")[0])
    assert ids(match) == ["go", "more"] and log(match) == [2]


def test_the_same_with_the_same_choices_is_offered_once_per_opening_to_each() -> None:
    match = do(feast("set coins of each player to 9\noffer feast"), "cheer friend=x", "boo")
    assert who(match) == "y" and ids(match) == ["cheer friend=z", "pass"]
    refused = match.choose("boo")
    assert refused is not None and "You have used this already" in refused.reason
    refused = match.choose("cheer friend=x")
    assert refused is not None and "You have used this already" in refused.reason
    do(match, "cheer friend=z")
    assert who(match) == "z" and "boo" in ids(match)
    do(match, "pass", "pass", "go")
    assert who(match) == "z" and len(ids(match)) == 4  # a new opening begins with everything
    do(match, "pass", "pass")
    assert who(match) == "y" and ids(match) == ["cheer friend=x", "cheer friend=z", "boo", "pass"]


def test_pieces_that_look_alike_are_different_things() -> None:
    rules = """
tokens:
  chip: {supply: 3}
zones:
  stock: {holds: tokens, seen by: all}
setup:
  do: |
    move 2 chip in supply to stock
reactions:
  tap:
    windows: feast
    who: y
    choose:
      one: chip in stock
    do: |
      log(1)
"""
    match = feast("offer feast", rules)
    for _ in range(2):
        assert ids(match) == ["tap one=chip", "pass"]
        do(match, "tap chip")
    assert log(match) == [1, 1] and ids(match) == ["go", "more"]


def test_the_order_of_the_game_goes_before_that_of_the_turn() -> None:
    match = feast(**{"flow:": "order: clockwise from left of y\nflow:"})
    asked = [who(match)]
    for _ in range(2):
        do(match, "pass")
        asked.append(who(match))
    assert asked == ["z", "x", "y"]


def test_a_direction_that_was_reversed_counts() -> None:
    match = feast("reverse\noffer feast")
    asked = [who(match), who(do(match, "pass")), who(do(match, "pass"))]
    assert asked == ["y", "x", "z"]


# --------------------------------------------------------------------------- actor


def test_actor_is_who_reacts_and_in_who_it_is_who_acts() -> None:
    rules = """
define:
  mine: coins of actor
reactions:
  thank:
    windows: feast
    who: player where player is not actor and coins of player is mine
    require:
      - check: mine is 1
        because: It takes one coin.
    do: |
      add 1 to coins of actor
      show_it(actor)
"""
    more = {"events:": "events:\n  show_it(player p):\n    do: |\n      log(coins of p)"}
    match = feast("offer feast\nadd 5 to coins of actor", rules, **more)
    assert who(match) == "z"
    do(match, "thank")
    assert who(match) == "x" and match.view(None)["actor"] == "y"
    refused = match.choose("nothing")
    assert refused is not None
    do(match, "thank")
    assert [state(match, "coins", p) for p in "xyz"] == [2, 6, 2]
    assert who(match) == "z" and log(match) == [2, 2]


def test_why_somebody_else_may_not_react() -> None:
    rules = """
reactions:
  thank:
    windows: feast
    who: player where player is not actor
    do: |
      log(1)
  grin:
    windows: feast
    do: |
      log(2)
"""
    match = feast("offer feast", rules)
    assert ids(match) == ["grin", "pass"]
    refused = match.choose("thank")
    assert refused is not None and "player is not actor" in refused.reason


def test_who_may_be_one_player_or_nobody() -> None:
    rules = """
reactions:
  thank:
    windows: feast
    who: chosen
    do: |
      log(1)
"""
    more = {"state:": "state:\n  chosen: {is: player or none, start: none}"}
    assert ids(feast("offer feast", rules, **more)) == ["go", "more"]
    assert who(feast("set chosen to x\noffer feast", rules, **more)) == "x"


def test_turns_and_turns_owed_are_untouched() -> None:
    match = feast(
        "offer feast",
        """
reactions:
  push:
    windows: feast
    who: player where player is x
    do: |
      give another turn to actor
""",
    )
    do(match, "push")
    assert who(match) == "x" and ids(match) == ["go", "more"]  # the turn that is owed
    assert who(do(match, "more")) == "z"


def test_ends_are_read_after_each_reaction_and_actor_is_who_reacted() -> None:
    match = feast(
        "offer feast",
        """
reactions:
  rush:
    windows: feast
    who: player where player is z
    do: |
      set n to 50
""",
        **{"ends:": "ends:\n  rushed:\n    when: n is 50\n    winner: actor"},
    )
    do(match, "rush")
    assert match.over and match.result.winners == ("z",)


# --------------------------------------------------------------- events and phases

EVENT = """
reactions:
  answer:
    windows: hail
    do: |
      log(7)
rules:
  then_this:
    after: hail
    do: |
      log(6)
"""
HAIL = {"events:": "events:\n  hail(number k):\n    do: |\n      log(k)"}


def test_the_window_of_an_event_opens_behind_its_after_rules() -> None:
    match = feast("hail(5)\nlog(9)", EVENT, **HAIL)
    assert log(match) == [5, 6] and who(match) == "y"
    do(match, "answer", "pass", "pass")
    assert log(match) == [5, 6, 7, 9]


def test_an_event_that_does_not_happen_opens_no_window() -> None:
    for rule in ("forbid: hail\n    because: No.", "instead of: hail\n    do: |\n      log(8)"):
        rules = EVENT + f"  not_so:\n    {rule}\n"
        match = feast("hail(5)\nlog(9)", rules, **HAIL)
        assert ids(match) == ["go", "more"] and log(match)[-1] == 9


def test_players_may_react_to_an_action_and_to_a_reaction() -> None:
    rules = """
reactions:
  answer:
    windows: go
    who: player where player is x
    do: |
      log(7)
  answer_back:
    windows: answer
    who: player where player is z
    do: |
      log(8)
"""
    match = feast("log(5)", rules)
    assert who(match) == "x"
    do(match, "answer")
    assert who(match) == "z" and ids(match) == ["answer_back", "pass"]
    assert log(do(match, "answer_back")) == [5, 7, 8] and ids(match) == ["go", "more"]


def test_an_event_that_ends_the_turn_still_opens_its_window_first() -> None:
    more = {"events:": "events:\n  hail(number k):\n    do: |\n      log(k)\n      end turn"}
    match = feast("hail(5)\nlog(9)", EVENT, **more)
    assert log(match) == [5, 6] and ids(match) == ["answer", "pass"]
    do(match, "pass", "pass", "pass")
    assert log(match) == [5, 6] and who(match) == "z" and ids(match) == ["go", "more"]


PHASES = """
state:
  n: {is: number 0 to 99}
flow:
  - round:
      repeat: 2 times
      phases:
        - dawn:
            on enter: |
              log(1)
            do: |
              log(3)
            on leave: |
              log(5)
        - second:
            do: |
              log(6)
reactions:
  early:
    windows: entering dawn
    who: x
    do: |
      log(2)
LAST  late:
    windows: leaving dawn
    who: o
    do: |
      log(4)
LAST
ends:
  over:
    after: leaving game
    winner: nobody
events:
  log(number k):
    do: |
      add 0 to n
"""


def phases(last: str = "") -> Match:
    """A game of automatic phases."""
    return toy(PHASES.replace("LAST", f"      {last}\n" if last else ""))


def test_windows_of_phases_open_behind_on_enter_and_before_on_leave() -> None:
    match = phases()
    assert log(match) == [1] and ids(match) == ["early", "pass"]
    assert match.decision is not None and match.decision.prompt == "You may react: Dawn begins"
    do(match, "early")
    assert log(match) == [1, 2, 3] and ids(match) == ["late", "pass"]
    assert match.decision is not None and match.decision.prompt == "You may react: Dawn ends"
    do(match, "late")
    assert log(match) == [1, 2, 3, 4, 5, 6, 1]


def test_end_phase_in_such_a_window_ends_this_phase_alone() -> None:
    match = phases("end phase")
    do(match, "early")
    assert log(match) == [1, 2] and ids(match) == ["late", "pass"]
    assert log(do(match, "late")) == [1, 2, 4, 5, 6, 1]


def test_windows_around_the_whole_game() -> None:
    rules = PHASES.replace("entering dawn", "entering game").replace("leaving dawn", "leaving game")
    match = toy(rules.replace("LAST", ""))
    assert log(match) == [] and ids(match) == ["early", "pass"]
    do(match, "early")
    assert log(match)[-1] == 6 and ids(match) == ["late", "pass"]
    assert log(do(match, "late"))[-1] == 4 and match.over


def test_a_window_in_the_set_up_begins_at_the_first_seat() -> None:
    match = toy(game("log(1)", FEAST) + "setup:\n  do: |\n    offer feast\n", SIDES)
    assert [who(match), who(do(match, "pass")), who(do(match, "pass"))] == ["x", "y", "z"]
    assert ids(do(match, "boo", "pass", "pass", "pass")) == ["go", "more"]


# ------------------------------------------------------------------ in the middle

END = """
reactions:
  stop:
    windows: feast
    who: player where player is z
    do: |
      log(3)
      EFFECT
      log(4)
rules:
  behind:
    after: stop
    do: |
      log(5)
"""


def test_end_turn_in_a_reaction_ends_the_turn_of_who_acts() -> None:
    match = do(feast("log(1)\noffer feast\nlog(2)", END.replace("EFFECT", "end turn")), "stop")
    assert log(match) == [1, 3, 5] and who(match) == "z" and ids(match) == ["go", "more"]


def test_end_phase_and_end_game_in_a_reaction() -> None:
    rest = "  - rest:\n      do: |\n        log(8)\n        end game as over"
    more = {"      actions: [go, more]": f"      actions: [go, more]\n{rest}"}
    rules = END.replace("EFFECT", "end phase")
    match = do(feast("log(1)\noffer feast\nlog(2)", rules, **more), "stop")
    assert log(match) == [1, 3, 5, 8]
    match = do(feast("log(1)\noffer feast\nlog(2)", END.replace("EFFECT", "end game as over")), "stop")
    assert log(match) == [1, 3] and match.over and match.result.end == "over"


def test_a_window_never_opens_inside_itself() -> None:
    rules = """
reactions:
  again:
    windows: feast
    choose:
      k: number from 1 to 2
    do: |
      log(k)
      hail(9)
      log(k + 10)
"""
    more = {"events:": "events:\n  hail(number k):\n    do: |\n      log(k)\n      offer feast"}
    match = feast("offer feast", rules, **more)
    do(match, "again 1")
    assert log(match) == [1, 9, 11] and who(match) == "y" and ids(match) == ["again k=2", "pass"]
    assert "players may react already" in story(match)
    same_to_the_end(match)


def test_another_window_opens_inside_and_the_first_goes_on_afterwards() -> None:
    rules = """
reactions:
  toast:
    windows: feast
    who: player where player is z
    do: |
      log(1)
      offer speech
      log(coins of actor)
  talk:
    windows: speech
    who: player where player is not actor
    do: |
      add 5 to coins of actor
      log(2)
      offer feast
"""
    match = feast("set coins of z to 3\noffer feast\nlog(9)", rules)
    do(match, "toast")
    assert [who(match), ids(match)] == ["x", ["talk", "pass"]]  # from z, who reacts, and not z
    do(match, "talk")
    assert who(match) == "y" and log(match) == [1, 2]
    do(match, "pass")
    assert log(match) == [1, 2, 3, 9]  # the inner window closed, z's reaction went on, nobody had more to do
    assert [state(match, "coins", p) for p in "xyz"] == [6, 1, 3]


def test_events_may_answer_each_other_for_ever_but_windows_end_it() -> None:
    rules = """
reactions:
  ping:
    windows: hail
    do: |
      hail(1)
  pong:
    windows: hail
    do: |
      hail(2)
"""
    match = feast("hail(5)", rules, **HAIL)
    luck = random.Random(4)
    for _ in range(40):
        if match.decision is None or not match.decision.window:
            break
        do(match, luck.choice([i for i in ids(match) if i != "pass"] or ["pass"]))
    assert match.decision is not None and not match.decision.window
    assert len(log(match)) == 1 + 6


def test_windows_open_for_events_that_happen_at_once() -> None:
    match = feast("at once for each number k in [1, 2]:\n    hail(k)\nlog(9)", EVENT, **HAIL)
    assert log(match) == [1, 2, 6] and ids(match) == ["answer", "pass"]
    do(match, "answer", "pass", "pass")
    assert log(match) == [1, 2, 6, 7, 6]
    do(match, "pass", "pass", "pass")
    assert log(match)[-1] == 9


def test_a_window_inside_a_loop_opens_each_time() -> None:
    match = feast("repeat up to 3 times:\n    log(1)\n    offer feast", FEAST)
    do(match, "pass", "pass", "pass")
    assert log(match) == [1, 1] and who(match) == "y"
    do(match, "boo", "pass", "pass", "pass", "pass", "pass", "pass")
    assert log(match) == [1, 1, 4, 1] and ids(match) == ["go", "more"]


def test_rules_stand_around_reactions() -> None:
    rules = (
        FEAST
        + """
rules:
  no_booing:
    forbid: boo
    when: actor is y
    because: Not at your own feast.
  before_it:
    before: cheer
    do: |
      log(20)
  after_it:
    after: cheer
    when: friend is x
    do: |
      log(21)
  louder:
    instead of: boo
    when: actor is x
    do: |
      log(22)
"""
    )
    match = feast("offer feast", rules)
    refused = match.choose("boo")
    assert refused is not None and refused.reason == "Not at your own feast."
    do(match, "cheer x", "pass")
    assert log(match) == [20, 3, 21] and who(match) == "x"
    assert log(do(match, "boo")) == [20, 3, 21, 22]


def test_afterwards_looks_at_what_would_be_if_nobody_reacted() -> None:
    more = {
        "  go:\n": "  go:\n    require:\n      - afterwards: n is 3\n        because: Not three.\n",
    }
    rules = """
reactions:
  spoil:
    windows: feast
    do: |
      set n to 9
"""
    match = toy(game("set n to 3\noffer feast", rules, **more), SIDES)
    assert "go" in ids(match)
    do(match, "go", "spoil")
    assert state(match, "n") == 9


def test_several_things_are_picked_one_by_one() -> None:
    rules = """
cards:
  coin: {kinds: [gold, iron, wood], copies: 1, starts in: heap}
zones:
  heap: {holds: cards, seen by: all}
  gone: {holds: cards, seen by: all}
reactions:
  take_two:
    windows: feast
    choose:
      some: 2 coin in heap
    do: |
      move some to gone
"""
    match = feast("offer feast", rules)
    assert ids(match) == ["take_two", "pass"]
    do(match, "take_two")
    assert who(match) == "y" and ids(match) == ["some=gold", "some=iron"]
    saved = load_match(match.program, match.save())
    assert isinstance(saved, Match)
    for one in (match, saved):
        do(one, "some=gold", "some=wood")
        assert ids(one) == ["go", "more"]  # too few are left for anybody else


def test_saved_copied_and_resumed_in_the_middle() -> None:
    match = feast()
    same_to_the_end(do(match, "pass"))
    match = do(feast(), "cheer friend=x", "pass")
    saved = load_match(match.program, match.save())
    assert isinstance(saved, Match) and ids(saved) == ids(match)
    assert who(saved) == "z"
    same_to_the_end(match)


def test_undo_in_a_window() -> None:
    match = do(feast(), "pass", "cheer friend=x")
    assert match.undo() and who(match) == "z"
    assert ids(match) == ["cheer friend=x", "cheer friend=y", "boo", "pass"]


# -------------------------------------------------------------------------- secrecy

SECRET = """
cards:
  card: {kinds: [charm, dud], copies: 3, starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
reactions:
  hex:
    windows: feast
    choose:
      used: charm in hand of actor
    do: |
      move used to deck
    seen by: owner
"""
DEAL = "for each player p where p is not x:\n    move 1 charm in deck to hand of p\noffer feast\nlog(2)"


def open_reaction(rules: str) -> str:
    """The same with a reaction that everybody sees, for z alone."""
    return rules + "  wave:\n    windows: feast\n    who: z\n    do: |\n      log(3)\n"


def test_nobody_learns_who_is_asked_about_a_secret_reaction_or_that_somebody_passed() -> None:
    match = feast(DEAL, SECRET)
    assert who(match) == "y"
    assert match.view(0)["decision"] == {"players": []} and match.view(None)["decision"] == {"players": []}
    assert match.view(2)["decision"] == {"players": []} and match.view(0)["actor"] == "y"
    do(match, "pass")
    others = [str(match.trace_for(p)) for p in (0, 2, None)]
    assert all("Pass" not in text for text in others)
    assert "y: Pass" in str(match.trace_for(1))


def test_two_positions_that_differ_in_what_is_hidden_look_the_same_while_somebody_decides() -> None:
    one, two = feast(DEAL, SECRET), do(feast(DEAL, SECRET), "pass")
    assert who(one) == "y" and who(two) == "z"
    assert one.view(0) == two.view(0)
    assert str(one.trace_for(0)) == str(two.trace_for(0))


def test_with_an_open_reaction_on_offer_it_shows_who_decides() -> None:
    match = do(feast(DEAL, open_reaction(SECRET)), "pass")
    assert who(match) == "z" and ids(match) == ["hex used=charm", "wave", "pass"]
    assert match.view(0)["decision"] == {"players": ["z"]}
    do(match, "pass")
    assert "z: Pass" in str(match.trace_for(0)) and "y: Pass" not in str(match.trace_for(0))


def test_a_secret_reaction_is_known_to_who_uses_it() -> None:
    match = do(feast(DEAL, SECRET), "hex used=charm")
    assert "Something is done in secret" in str(match.trace_for(0))
    assert "hex" not in str(match.trace_for(0)) and "hex" in str(match.trace_for(1))


def test_what_a_reaction_asks_may_not_betray_what_its_user_cannot_see() -> None:
    for line in (
        "who: player where any charm in hand of left of player",
        "who: player where top of deck is charm",
        "require: [{check: any charm in deck, because: No.}]",
    ):
        rules = SECRET.replace("    windows: feast\n", f"    windows: feast\n    {line}\n")
        assert "E431" in problems(game("offer feast", rules), SIDES), line
    own = SECRET.replace(
        "    windows: feast\n", "    windows: feast\n    who: player where any charm in hand of player\n"
    )
    assert "E431" not in problems(game("offer feast", own), SIDES)


# --------------------------------------------------------------------------- checks


@pytest.mark.parametrize(
    ("windows", "effect", "code"),
    [
        ("feast", "offer feest", "E404"),
        ("feast", "log(1)", "W458"),
        ("play", "log(1)", "W458"),
        ("entering ply", "log(1)", "E405"),
        ("n rises", "log(1)", "E436"),
        ("skipping play", "log(1)", "E436"),
        ("ran_out", "log(1)", "E436"),
        ("log", "offer log", "E436"),
    ],
)
def test_windows_that_are_none(windows: str, effect: str, code: str) -> None:
    rules = f"reactions:\n  cheer:\n    windows: {windows}\n    do: |\n      add 1 to n\n"
    assert code in problems(game(effect, rules), SIDES)


def test_a_reaction_is_no_action_of_a_phase_and_not_called_pass() -> None:
    assert "E404" in problems(game("offer feast", FEAST).replace("[go, more]", "[go, boo]"), SIDES)
    assert "E407" in problems(game("offer feast", FEAST.replace("  boo:", "  pass:")), SIDES)
    assert "E425" in problems(
        game(
            "offer feast",
            FEAST.replace("coins of player > 0", "n > 0").replace("who: player where n > 0", "who: n"),
        ),
        SIDES,
    )


def test_an_action_of_a_phase_may_be_called_pass() -> None:
    rules = game("offer feast", FEAST).replace("more", "pass")
    match = do(toy(rules, SIDES), "pass")
    assert state(match, "n") == 5
    do(match, "go", "pass", "pass", "pass")
    assert ids(match) == ["go", "pass"] and match.decision is not None and not match.decision.window


# ----------------------------------------------------------------------------- options


def test_reactions_that_the_options_leave_out() -> None:
    options = """
options:
  booing: {default: yes}
  cheering: {default: yes, without: [reactions.cheer]}
"""
    rules = (
        game("offer feast\nlog(1)", FEAST.replace("  boo:\n", "  boo:\n    used when: booing\n")) + options
    )
    assert ids(do(toy(rules, SIDES), "go"))[-2:] == ["boo", "pass"]
    match = do(toy(rules, SIDES, options={"cheering": "no"}), "go")
    assert ids(match) == ["boo", "pass"]
    match = do(toy(rules, SIDES, options={"cheering": "no", "booing": "no"}), "go")
    assert ids(match) == ["go", "more"] and log(match) == [1]
    assert "window" not in events(match)


def test_games_at_random_come_to_an_end() -> None:
    for seed in range(20):
        match = toy(game("set coins of each player to 5\noffer feast\noffer feast", FEAST), SIDES)
        luck = random.Random(seed)
        steps = 0
        while match.decision is not None:
            assert match.choose(luck.randrange(match.decision.count)) is None
            steps += 1
            assert steps < 2000
        assert match.fault is None
