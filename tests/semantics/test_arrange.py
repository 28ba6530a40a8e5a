"""Arrangements: what is asked, in which order, where things may go, who learns what, and when it is over."""

from __future__ import annotations

import pytest

from rulewright.interpreter.match import Match
from rulewright.playtest.bots import BOTS
from rulewright.tests.semantics.toys import (
    do,
    events,
    ids,
    pieces,
    problems,
    same_to_the_end,
    state,
    story,
    toy,
    who,
)

GAME = """
types:
  task: [rig, row, cook]
  colour: [red, blue]
cards:
  errand: {attributes: {job: task}, copies: one per task, code: "{job}", starts in: desk}
tokens:
  bean: {supply: 5}
dice:
  cube: {count: 3, faces: [low, high]}
zones:
  desk: {holds: cards, seen by: all}
  order: {per: player, holds: cards, at most: 1, seen by: all}
  jar: {holds: beans, seen by: all}
  pot: {per: player, holds: beans, seen by: all}
  cup: {holds: dice, seen by: all}
  tray: {per: player, holds: dice, seen by: all}
boards:
  field: {shape: square grid, size: 3 x 1}
state:
  open: {is: yes or no, start: yes}
  laid_out: {is: number 0 to 9, start: 0}
setup:
  do: |
    move all bean to jar
    move all cube to cup
flow:
  - planning:
PHASE
  - stop:
      do: |
        end game as over
ends:
  over: {winner: nobody}
MORE
"""


def game(phase: str, more: str = "", **settings):  # type: ignore[no-untyped-def]
    """The game with these lines in its first phase."""
    lines = "\n".join(f"      {line}" for line in phase.strip("\n").split("\n"))
    return toy(GAME.replace("PHASE", lines).replace("MORE", more.strip("\n")), **settings)


def arranged(groups: str, head: str = "who: first_player", more: str = "", **settings):  # type: ignore[no-untyped-def]
    """The game with an arrangement as its first phase."""
    lines = "\n".join(f"  {line}" for line in groups.strip("\n").split("\n"))
    return game(f"{head}\narrange:\n{lines}", more, **settings)


def prompt(match: Match) -> str:
    """What is asked."""
    return match.decision.prompt if match.decision is not None else ""


ERRANDS = """
every errand in desk:
  may go to: order of any player
"""
BEANS = """
every bean in jar:
  goes to: pot of any player
"""


# ------------------------------------------------------------------- single ones


def test_of_a_single_one_it_is_asked_where_it_goes() -> None:
    match = arranged(ERRANDS)
    assert (who(match), prompt(match)) == ("x", "Where does rig go?")
    assert ids(match) == ["rig=order_of_x", "rig=order_of_o", "rig=stay"]
    assert match.decision.kind == "lay"
    do(match, "order_of_o")  # the place is enough
    assert pieces(match, "order of o") == ["rig"]  # it moves at once
    assert ids(match) == ["row=order_of_x", "row=stay"]  # there is no room for two
    do(match, "row=stay")
    assert ids(match) == ["cook=order_of_x", "cook=stay"]
    do(match, "stay")
    assert sorted(pieces(match, "desk")) == ["cook", "row"]
    assert [c.id for c in match.choices] == ["rig=order_of_o", "row=stay", "cook=stay"]


def test_where_no_room_is_left_nothing_is_asked() -> None:
    match = do(arranged(ERRANDS), "order_of_o", "order_of_x")
    assert match.over
    assert pieces(match, "desk") == ["cook"]


def test_what_goes_must_be_laid_while_there_is_room() -> None:
    match = arranged(ERRANDS.replace("may go to", "goes to"))
    assert ids(match) == ["rig=order_of_x", "rig=order_of_o"]
    do(match, "rig=order_of_o")
    assert match.over  # row has one way to go, cook none
    assert (pieces(match, "order of x"), pieces(match, "desk")) == (["row"], ["cook"])
    assert "x can only lay row to order of x" in story(match)


def test_what_lies_at_a_goal_already_may_stay_and_need_not_be_laid_again() -> None:
    again = "every errand in (desk or order of any player):\n  {key}: (desk or order of x)"
    match = arranged(ERRANDS + again.format(key="may go to"))
    do(match, "rig=order_of_x", "row=stay", "cook=order_of_o")
    asked = [ids(match)]
    while match.decision is not None:
        do(match, "stay")
        asked.append(ids(match))
    # row lies on the desk, and order of x is full
    assert asked == [["rig=desk", "rig=stay"], ["cook=desk", "cook=stay"], []]
    match = arranged(again.format(key="goes to"))
    assert ids(match) == ["rig=desk", "rig=order_of_x"]
    do(match, "rig=desk", "row=desk", "cook=order_of_x")
    assert (sorted(pieces(match, "desk")), pieces(match, "order of x")) == (["rig", "row"], ["cook"])


def test_refusals_say_why() -> None:
    match = do(arranged(ERRANDS), "order_of_o")
    refused = {
        t: match.explain_refusal(t).reason for t in ("order_of_o", "desk", "rig=order_of_x", "moon", "none")
    }
    assert refused["order_of_o"] == "order of o is full."
    assert refused["desk"].startswith("row may not go to desk. Possible: row=order_of_x")
    assert refused["rig=order_of_x"].startswith("This asks for `row=…`")
    assert refused["moon"].startswith("There is no `moon` here.")
    must = arranged(ERRANDS.replace("may go to", "goes to"))
    assert must.explain_refusal("stay").reason.startswith("rig cannot stay where it is.")


# ------------------------------------------------------------------ alike ones


def test_of_several_alike_it_is_asked_how_many_go_to_each_goal() -> None:
    match = arranged(BEANS.replace("goes to", "may go to"))
    assert prompt(match) == "How many go to pot of x? (Bean, up to 5)"
    assert ids(match) == [f"bean pot_of_x={n}" for n in range(6)]
    do(match, "2")
    assert len(pieces(match, "pot of x")) == 2
    assert ids(match) == [f"bean pot_of_o={n}" for n in range(4)]
    do(match, "pot_of_o=1")
    assert (len(pieces(match, "pot of o")), len(pieces(match, "jar"))) == (1, 2)
    assert match.over


def test_the_last_goal_takes_the_rest_of_what_must_go() -> None:
    match = do(arranged(BEANS), "bean pot_of_x=2")
    assert match.over
    assert (len(pieces(match, "pot of o")), pieces(match, "jar")) == (3, [])


def test_so_many_must_go_that_the_rest_fits_elsewhere() -> None:
    small = GAME.replace("pot: {per: player, holds: beans,", "pot: {per: player, holds: beans, at most: 3,")
    lines = "      who: x\n      arrange:\n        every bean in jar:\n          goes to: pot of any player"
    match = toy(small.replace("PHASE", lines).replace("MORE", ""))
    assert ids(match) == ["bean pot_of_x=2", "bean pot_of_x=3"]
    assert match.explain_refusal("1").reason == "1 is too few for pot_of_x. Possible: 2 to 3."
    do(match, "3")
    assert len(pieces(match, "pot of o")) == 2
    match = toy(small.replace("at most: 3", "at most: 2").replace("PHASE", lines).replace("MORE", ""))
    assert match.over  # two and two go in one way only, and one finds no room
    assert len(pieces(match, "jar")) == 1


def test_what_shows_another_face_is_not_alike() -> None:
    cubes = "every cube in cup:\n  may go to: tray of any player"
    match = arranged(cubes, "on enter: |\n  turn 1 cube in cup to high\nwho: x")
    asked = []
    while match.decision is not None:
        asked.append(prompt(match))
        do(match, ids(match)[0])
    assert asked == [
        "Where does Cube [high] go?",
        "How many go to tray of x? (Cube [low], up to 2)",
        "How many go to tray of o? (Cube [low], up to 2)",
    ]


def test_groups_come_one_after_the_other_and_each_sees_what_the_one_before_has_done() -> None:
    match = arranged(ERRANDS + "every errand in order of x:\n  may go to: desk")
    do(match, "rig=order_of_x", "row=stay", "cook=stay")
    assert ids(match) == ["rig=desk", "rig=stay"]


# ----------------------------------------------------------------------- goals


def test_goals_that_depend_on_where_things_lie_are_read_anew_for_each() -> None:
    match = arranged("every bean in jar:\n  may go to: all space on field where space is empty")
    assert ids(match) == ["bean=a1", "bean=b1", "bean=c1", "bean=stay"]
    do(match, "bean=b1")
    assert ids(match) == ["bean=a1", "bean=c1", "bean=stay"]
    do(match, "bean=stay")  # the others are alike: they stay, too
    assert match.over
    assert len(pieces(match, "jar")) == 4


def test_alike_ones_may_share_a_space_where_nothing_speaks_against_it() -> None:
    match = do(arranged("every bean in jar:\n  goes to: all space on field"), "bean a1=4", "bean b1=0")
    assert match.over
    assert match.view(None)["boards"]["field"]["rows"][0][0]["count"] == 4


def test_goals_may_depend_on_what_is_laid() -> None:
    groups = (
        "every errand e in desk:\n  may go to: order of (all player where player is x or job of e is cook)"
    )
    match = arranged(groups)
    assert ids(match) == ["rig=order_of_x", "rig=stay"]
    do(match, "stay", "stay")
    assert ids(match) == ["cook=order_of_x", "cook=order_of_o", "cook=stay"]


@pytest.mark.parametrize(
    ("goals", "wanted"),
    [
        ("order of x", ["order_of_x"]),
        ("(order of x or desk)", ["order_of_x"]),
        ("order of x or all space on field", ["order_of_x", "a1", "b1", "c1"]),
        ("if open then order of x else order of o", ["order_of_x"]),
        ("order of left of x", ["order_of_o"]),
        ("field", ["a1", "b1", "c1"]),
        ("a1", ["a1"]),
        ("box", ["box"]),
        ("all cube in cup", ["cube#1", "cube#2", "cube#3"]),
    ],
)
def test_what_a_goal_may_be(goals: str, wanted: list[str]) -> None:
    match = arranged(f"every errand in desk:\n  may go to: {goals}")
    assert ids(match) == [f"rig={place}" for place in [*wanted, "stay"]]
    do(match, ids(match)[0])
    assert "rig" not in pieces(match, "desk")


def test_a_card_that_goes_to_a_card_goes_to_its_space_as_with_move() -> None:
    groups = "every errand e in desk:\n  may go to: all errand on field"
    match = arranged(groups, "on enter: |\n  move 1 errand in desk to b1\nwho: x")
    assert [i.rpartition("=")[2] for i in ids(match)] == ["b1", "stay"]


def test_nothing_is_laid_onto_itself() -> None:
    match = arranged("every cube c in cup:\n  may go to: all cube in cup")
    assert len(ids(match)) == 3  # two others, and to stay


# ------------------------------------------------------------------ who arranges


def test_nobody_one_and_all() -> None:
    nothing = arranged("every errand in desk:\n  may go to: order of (all player where not open)")
    assert nothing.over and len(pieces(nothing, "desk")) == 3
    empty = arranged("every errand in order of x:\n  may go to: desk")
    assert empty.over
    one_each = arranged(ERRANDS, head="who: all player")
    do(one_each, "stay", "stay")
    assert who(one_each) == "x"
    do(one_each, "stay")
    assert who(one_each) == "o"
    do(one_each, "order_of_o", "stay", "stay")
    assert one_each.over
    turns = arranged(ERRANDS, head="turns: clockwise from o once around")
    assert who(turns) == "o"
    do(turns, "stay", "stay", "stay")
    assert who(turns) == "x"


def test_in_each_turn_it_is_the_actor_who_arranges() -> None:
    phase = """
turns: clockwise from x once around
each turn:
  - mine:
      arrange:
        every errand in desk:
          may go to: order of actor
"""
    match = do(game(phase), "rig=order_of_x")  # nothing else finds room
    assert (who(match), ids(match)) == ("o", ["row=order_of_o", "row=stay"])


def test_a_phase_around_it_works_as_always() -> None:
    head = """
on enter: |
  add 1 to laid_out
on leave: |
  add 5 to laid_out
who: x
"""
    match = arranged("every errand in desk:\n  may go to: order of x", head)
    assert state(match, "laid_out") == 1
    do(match, "order_of_x")
    assert match.over and state(match, "laid_out") == 6
    skipped = arranged(ERRANDS, "skip when: open\nwho: x")
    assert skipped.over and "skipped" in story(skipped)
    repeated = arranged("every errand in desk:\n  may go to: order of x", "repeat: 2 times\nwho: x")
    do(repeated, "stay", "stay", "stay")
    assert ids(repeated) == ["rig=order_of_x", "rig=stay"]


def test_actions_come_after_the_arrangement() -> None:
    more = """
actions:
  rest:
    do: |
      set open to no
"""
    match = arranged(ERRANDS, "who: x\nactions: [rest]", more)
    do(match, "stay", "stay", "stay")
    assert ids(match) == ["rest"]


# ------------------------------------------------------------------------ ends


def test_ends_are_read_when_all_is_laid_and_at_once_ends_after_each_thing() -> None:
    full = "\n  full:\n    {word}: any errand in order of o\n    winner: x"
    late = toy_with_end(full.format(word="when"))
    do(late, "rig=order_of_o")
    assert not late.over
    do(late, "stay", "stay")
    assert late.result.end == "full"
    soon = toy_with_end(full.format(word="at once when"))
    same_to_the_end(soon.copy())
    do(soon, "rig=order_of_o")
    assert soon.over and soon.result.end == "full"
    assert "arranged" not in events(soon, "arranged") and not events(soon, "arranged")


def toy_with_end(end: str) -> Match:
    """The errands, with one more end."""
    lines = "\n".join(f"        {line}" for line in ERRANDS.strip("\n").split("\n"))
    text = GAME.replace("PHASE", f"      who: x\n      arrange:\n{lines}")
    return toy(
        text.replace("\n  over: {winner: nobody}", end + "\n  over: {winner: nobody}").replace("MORE", "")
    )


# ----------------------------------------------------------------------- traces


def test_the_trace_says_in_one_line_what_was_laid_where() -> None:
    match = do(arranged(ERRANDS + BEANS), "rig=order_of_o", "stay", "stay", "2")
    assert "x lays rig to order of o; 2 Bean to pot of x; 3 Bean to pot of o." in story(match)
    assert "x: rig to order of o" in story(match) and "x: row stays" in story(match)
    assert events(match, "arranged") == ["planning"]
    assert "x lays nothing." in story(do(arranged(ERRANDS), "stay", "stay", "stay"))


# --------------------------------------------------------------------- secrecy

SECRET = """
types:
  rank: 1 to 3
cards:
  c: {copies: 2 per rank, code: "C{rank}", starts in: deck}
zones:
  deck: {holds: cards, as: pile, seen by: nobody}
  hand: {per: player, holds: cards, seen by: owner}
  plan: {per: player, holds: cards, seen by: owner}
  shown: {holds: cards, seen by: all}
setup:
  do: |
    deal 3 from deck to hand of each player
flow:
  - planning:
      who: x
      arrange:
        every c in ZONE:
          may go to: (plan of x or GOAL)
  - stop:
      do: |
        end game as over
ends:
  over: {winner: nobody}
"""


def secret(zone: str, goal: str) -> Match:
    """A game with hidden cards: x has C3 C2 C1, o the same."""
    return toy(SECRET.replace("ZONE", zone).replace("GOAL", goal))


def test_others_see_only_what_the_zones_show() -> None:
    match = secret("hand of x", "shown")
    card = ids(match)[0].partition("=")[0]
    assert card.startswith("C")
    do(match, "plan_of_x")
    told = [e for e in _lines(match, 1) if "plan of x" in e]
    assert told and all(card not in line for line in told)
    assert pieces(match, "plan of x", viewer=1) == [None]
    assert "decision" in match.view(1) and "options" not in match.view(1)["decision"]
    do(match, "shown")
    assert None not in pieces(match, "shown", viewer=1)


def test_how_many_look_alike_is_not_told_to_others() -> None:
    """Two alike cards and an unlike one, or three unlike ones, all laid: it reads the same to the other."""
    told, asked = [], []
    for ranks in ((3, 3, 2), (3, 2, 1)):
        deals = "".join(
            f"    move {ranks.count(r)} c d in deck where rank of d is {r} to hand of x\n"
            for r in dict.fromkeys(ranks)
        )
        rules = SECRET.replace("    deal 3 from deck to hand of each player\n", deals)
        match = toy(rules.replace("ZONE", "hand of x").replace("GOAL", "shown"))
        seen = match.view(1)
        while match.decision is not None:
            option = ids(match)[-1] if "plan_of_x=" in ids(match)[0] else ids(match)[0]
            do(match, option)
        asked.append(len(match.choices))
        told.append((seen["decision"], [line for line in _lines(match, 1) if "plan" in line]))
    assert asked[0] < asked[1]
    assert told[0] == told[1]
    assert "x lays 3 hidden to plan of x." in told[0][1]


def _lines(match: Match, viewer: int) -> list[str]:
    found: list[str] = []

    def walk(event) -> None:  # type: ignore[no-untyped-def]
        found.append(event.text)
        for child in event.children:
            walk(child)

    walk(match.trace_for(viewer))
    return found


def test_what_the_chooser_does_not_know_goes_by_its_place() -> None:
    match = secret("hand of o", "shown")
    assert ids(match)[0].startswith("hand_of_o.1=")
    assert match.decision is not None and match.decision.laying is not None
    assert not match.decision.laying.known


def test_a_goal_may_not_read_what_the_chooser_cannot_see() -> None:
    rules = SECRET.replace("ZONE", "hand of o where rank of c is 1").replace("GOAL", "shown")
    assert problems(rules) == ["E431"]
    rules = SECRET.replace("every c in ZONE", "every c d in hand of o")
    assert problems(rules.replace("GOAL", "hand of (all player where rank of d is 1)")) == ["E431"]


# ------------------------------------------------------------------------- bots


def test_random_bots_deal_to_each_place_alike() -> None:
    totals = {"x": 0, "o": 0, "jar": 0}
    for seed in range(300):
        match = arranged(BEANS.replace("goes to", "may go to"))
        bot = BOTS["random"](seed, 0)
        while match.decision is not None:
            do(match, match.decision.options[bot.choose(match)].id)
        totals["x"] += len(pieces(match, "pot of x"))
        totals["o"] += len(pieces(match, "pot of o"))
        totals["jar"] += len(pieces(match, "jar"))
    assert sum(totals.values()) == 1500
    assert all(400 < n < 600 for n in totals.values()), totals


def test_random_bots_find_every_lay_out() -> None:
    met = set()
    for seed in range(200):
        match = arranged(ERRANDS)
        bot = BOTS["random"](seed, 0)
        while match.decision is not None:
            do(match, match.decision.options[bot.choose(match)].id)
        met.add((*pieces(match, "order of x"), "|", *pieces(match, "order of o")))
    assert len(met) == 1 + 3 + 3 + 6  # none, one to x, one to o, two


# ------------------------------------------------------------ saving and going back


def test_saved_copied_resumed_and_taken_back_in_the_middle() -> None:
    for groups in (ERRANDS, BEANS, ERRANDS + BEANS):
        match = arranged(groups)
        same_to_the_end(match.copy(trace=True))
        do(match, ids(match)[0])
        same_to_the_end(match.copy(trace=True))
    match = arranged(ERRANDS)
    before = match.state_hash()
    do(match, "order_of_o")
    assert match.undo()
    assert match.state_hash() == before and ids(match)[0] == "rig=order_of_x"


def test_an_arrangement_aside_ends_with_the_arrangement() -> None:
    match = arranged(ERRANDS + BEANS, "on leave: |\n  add 1 to laid_out\nwho: x")
    aside = do(match.aside(), "rig=order_of_o", "stay", "stay", "1")
    assert aside.over and state(aside, "laid_out") == 0 and aside.result.end == ""
    assert len(pieces(aside, "pot of o")) == 4
    assert pieces(match, "order of o") == [] and ids(match)[0] == "rig=order_of_x"
    with pytest.raises(ValueError):
        aside.aside()
