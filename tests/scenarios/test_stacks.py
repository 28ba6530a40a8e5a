"""Pictures of cards that cover one another, and of the state of pieces: laid out, compared, told in steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.load import load_game
from rulewright.playtest.scenarios import ScenarioResult, run_scenarios

GAME = """\
game: Heath
language: 1
players: [ana, ben]
types:
  ground: {table: grounds.csv}
  mood: [calm, wild]
cards:
  field:
    attributes: {ground: ground or none}
    copies: 4 per ground
    code: "{code of ground}"
  changeling:
    is: field
    copies: 5
    code: ch
  beast:
    copies: 3
    code: be
    attributes:
      temper: mood or none
      memory: mood or none
      tired: {is: yes or no, start: no}
      age: {is: number 0 to 9, start: 2}
      friend: player or none
  lid: {copies: 5, code: li, faces: [plain, gilded]}
tokens:
  peg: {per: player, supply: 9}
  ghost: {supply: 7}
  imp: {supply: 5}
notation:
  a: peg of ana
  b: peg of ben
  u: ghost
  i: imp
zones:
  hand: {per: player, holds: cards}
  heap: {holds: cards, as: pile}
boards:
  table: {shape: square grid, size: unbounded, stacks: covers}
  mat: {shape: square grid, size: 3 x 1}
setup:
  mat: |
    Ma  .  .
  do: |
    shuffle heap
flow:
  - play:
      turns: clockwise from ana
      at most: 20 rounds, then tired_of_it
      actions: [cover, become, wake, pick, haunt, seek, tickle]
actions:
  cover:
    choose:
      played: lid in hand of actor
      spot: space on table where space is not empty
    do: |
      move played to spot
  become:
    choose:
      changed: changeling on table
      wanted: ground
    do: |
      set ground of changed to wanted
  wake:
    choose:
      woken: beast in hand of actor
    do: |
      set temper of woken to wild
      set memory of woken to calm
      set tired of woken to yes
      set age of woken to 3
      set friend of woken to actor
      turn all lid on table to gilded
  pick:
    choose:
      picked: card on mat
    do: |
      move picked to hand of actor
  haunt:
    choose:
      haunted: card on table
    do: |
      place ghost on haunted
  seek:
    do: |
      actor chooses card c on table:
          place imp on c
  tickle:
    choose:
      host: card on table
      gone: token on host
    do: |
      return gone
ends:
  tired_of_it: {winner: nobody}
"""
GROUNDS = "ground,code\nheath,He\nmarsh,Ma\nfen,Fe\n"

LAID = """\
given:
  turn: ana
  table: |
    li>He/b2    [x]Ma/a  ch:Fe>Ma(u2)>li/ua
    [y]ch:marsh  .       [z]li/iu2
  mat: |
    He  [m]He  .
  hand of ana: [li, be, be]
  hand of ben: [Fe, li]
"""


def play(folder: Path, *parts: str, game: str = GAME) -> ScenarioResult:
    """Play one scenario of the game: its lines without their common indent, after `players: [ana, ben]`."""
    lines = [line for part in parts for line in part.rstrip("\n").split("\n")]
    body = "".join(f"    {line}\n" for line in ("players: [ana, ben]", *lines))
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "grounds.csv").write_text(GROUNDS, encoding="utf-8")
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios" / "some.yaml").write_text(f"scenarios:\n  case:\n{body}", encoding="utf-8")
    loaded = load_game(str(folder))
    assert loaded.ok, [f"{p.span}: {p.text}" for p in loaded.problems]
    (found,) = run_scenarios(loaded)
    return found


def table(*rows: str) -> str:
    """A look at the table, as a `then`."""
    return "then:\n  - table: |\n" + "".join(f"      {row}\n" for row in rows)


def board_in(result: ScenarioResult) -> list[list[str]]:
    """The cells of the board that a failure draws."""
    _, _, drawn = result.text.partition("The board is:\n")
    return [line.split() for line in drawn.split("\n")]


# ------------------------------------------------------------------------- stacks


@pytest.mark.parametrize(
    "rows",
    [
        ("li>He/b2  Ma/a  ch:Fe>Ma(u2)>li/ua", "ch:Ma  .  li/u2i"),
        ("li/b2     Ma/a  ch/au             ", "ch     .  li/iu2"),
        ("li/b2  [x]Ma/a  ch:fen/au         ", "[y]ch  .  [z]li/uiu"),
    ],
)
def test_what_is_laid_out_is_there_and_what_is_not_named_is_not_asked_for(
    rows: tuple[str, ...], tmp_path: Path
) -> None:
    assert play(tmp_path, LAID, table(*rows)).text == ""


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (("He>li/b2", "Ma/a", "ch/au"), "On a1 there is li>He/b2."),
        (("li>Ma/b2", "Ma/a", "ch/au"), "On a1 there is li>He/b2."),
        (("li>He>He/b2", "Ma/a", "ch/au"), "On a1 there is li>He/b2."),
        (("li>He(b2)", "Ma/a", "ch/au"), "On a1 there is li>He/b2."),
        (("li>He", "Ma/a", "ch/au"), "On a1 there is li>He/b2."),
        (("li/b2", "Ma>li/a", "ch/au"), "On b1 there is Ma/a."),
        (("li/b2", "Ma/a", "ch>Ma>li/au"), "On c1 there is ch:Fe>Ma(u2)>li/ua."),
        (("li/b2", "Ma/a", "ch>Ma(u2)/au"), "On c1 there is ch:Fe>Ma(u2)>li/ua."),
        (("li/b2", "Ma/a", "ch>li>Ma(u2)/au"), "On c1 there is ch:Fe>Ma(u2)>li/ua."),
        (("li/b2", "Ma/a", "ch:Ma/au"), "On c1 there is ch:Fe>Ma(u2)>li/ua."),
    ],
)
def test_another_stack_or_state_differs(wrong: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    result = play(tmp_path, LAID, table("  ".join(wrong), "ch  .  li/iu2"))
    assert not result.ok
    assert reason in result.text
    assert "more spaces" not in result.text


def test_the_board_of_a_failure_can_be_pasted_into_the_scenario(tmp_path: Path) -> None:
    drawn = board_in(play(tmp_path, LAID, table(".")))
    assert drawn[0] == ["li>He/b2", "Ma/a", "ch:Fe>Ma(u2)>li/ua"]
    assert drawn[1] == ["ch:Ma", ".", "li/iu2"]
    assert play(tmp_path, LAID, table(*("  ".join(row) for row in drawn))).text == ""


def test_what_is_covered_keeps_its_tokens(tmp_path: Path) -> None:
    steps = "when:\n  - ana: cover li at x\n"
    rows = ("li/b2  li>Ma(a)  ch/au", "ch  .  li/iu2")
    assert play(tmp_path, LAID, steps, table(*rows)).text == ""
    result = play(tmp_path, LAID, steps, table(rows[0].replace("(a)", ""), rows[1]))
    assert "On b1 there is li>Ma(a)." in result.text


def test_tokens_on_a_space_are_no_stack(tmp_path: Path) -> None:
    given = "given:\n  table: |\n    a2u  He\n"
    assert play(tmp_path, given, table("ua2  He")).text == ""
    assert "On a1 there is a2u." in play(tmp_path, given, table("a  He")).text
    assert "On a1 there is a2u." in play(tmp_path, given, table(".  He")).text


@pytest.mark.parametrize(
    ("given", "reason", "cure"),
    [
        ("mat: |\n    li>He  .  .", "On `mat` nothing is covered.", "`stacks: covers`"),
        ("hand of ana: [li>He]", "In `hand of ana` nothing is covered.", "without `>`"),
        ("table: |\n    u>He", "`u` is no card", "behind `/`"),
        ("table: |\n    He>u", "`u` is no card", "behind `/`"),
        ("table: |\n    He>", "A card is missing before or behind `>`.", "`TOP>UNDER`"),
        ("table: |\n    He>>Ma", "A card is missing before or behind `>`.", "`TOP>UNDER`"),
        ("table: |\n    He(a)", "Brackets are for tokens on covered cards.", "`He/a`"),
        ("table: |\n    li>He(q)", "`q` says neither whose `He` is", "Marks here: a, b, u, i"),
        ("table: |\n    li>Hee", "`Hee` is no code", "Did you mean `He`?"),
        ("table: |\n    li>li>li  li>li>li", "There are only 5 of `li`", "Take one out"),
    ],
)
def test_a_stack_that_cannot_be_is_told(given: str, reason: str, cure: str, tmp_path: Path) -> None:
    result = play(tmp_path, f"given:\n  {given}", "then: [turn: ana]")
    assert reason in result.text
    assert cure in result.text


def test_a_stack_in_a_look_at_a_board_without_covers_is_told(tmp_path: Path) -> None:
    result = play(tmp_path, LAID, "then:\n  - mat: |\n      li>He  He  .")
    assert "On `mat` nothing is covered." in result.text


def test_cards_that_a_mark_counts_do_not_lie_side_by_side_where_they_cover(tmp_path: Path) -> None:
    game = GAME.replace("  u: ghost", "  u: ghost\n  L: lid")
    assert play(tmp_path, "given:\n  table: |\n    L>He", table("li>He"), game=game).text == ""
    result = play(tmp_path, "given:\n  table: |\n    L2", table("."), game=game)
    assert "cards on one space cover one another" in result.text


@pytest.mark.parametrize("stack", ["li>He", "He>li", "Fe>ch>li>He(u)>be", "be>Ma/ai"])
def test_a_set_up_lays_stacks_as_they_are_drawn(stack: str, tmp_path: Path) -> None:
    game = GAME.replace("setup:\n", f"setup:\n  table: |\n    {stack}  .\n    .  {stack}\n")
    then = table(f"{stack}  .", f".  {stack}")
    assert play(tmp_path, "after setup: yes", then, game=game).text == ""
    assert play(tmp_path, "given:\n  turn: ana", table("."), game=game).text == ""


# -------------------------------------------------------------------------- state


def test_the_state_of_a_piece_is_laid_out_and_compared(tmp_path: Path) -> None:
    given = "given:\n  turn: ana\n  hand of ana: [ch:Fe, ch]\n  heap: [Ma, ch:heath]\n"
    right = "then:\n  - hand of ana: [ch, ch:fen]\n  - hand of ana: [ch, ch]\n  - heap: [Ma, ch:He]\n"
    right += "  - exactly 1 changeling c in hand of ana where ground of c is fen\n"
    assert play(tmp_path, given, right).text == ""
    result = play(tmp_path, given, "then:\n  - hand of ana: [ch:Fe, ch:Fe]")
    assert "In `hand of ana` there is: [ch, ch:Fe]." in result.text
    result = play(tmp_path, given, "then:\n  - heap: [Ma, ch:Fe]")
    assert "In `heap` there is: [Ma, ch:He]." in result.text


def test_a_state_can_be_none(tmp_path: Path) -> None:
    given = "given:\n  table: |\n    ch  ch:Fe  Ma\n"
    assert play(tmp_path, given, table("ch:none  ch  Ma:Ma")).text == ""
    assert "On b1 there is ch:Fe." in play(tmp_path, given, table("ch  ch:none  Ma")).text
    lost = "given:\n  table: |\n    Fe:none\n"
    assert "On a1 there is Fe:none." in play(tmp_path, lost, table("Fe:Fe")).text


def test_what_an_effect_sets_is_seen(tmp_path: Path) -> None:
    steps = "when:\n  - ana: become y fen\n"
    rows = ("li/b2  Ma/a  ch:Fe/au", "ch:Fe  .  li/iu2")
    assert play(tmp_path, LAID, steps, table(*rows)).text == ""
    assert "On a2 there is ch:Fe." in play(tmp_path, LAID, steps, table(rows[0], "ch:Ma  .  li/iu2")).text


def test_a_piece_can_have_several_states(tmp_path: Path) -> None:
    given = "given:\n  turn: ana\n  hand of ana: [be, be:yes:ben]\n  table: |\n    li:gilded\n"
    assert play(tmp_path, given, "then:\n  - hand of ana: [be:no, be:ben:2]").text == ""
    steps = "when:\n  - ana: wake be:ben\n"
    assert play(tmp_path, given, steps, "then:\n  - hand of ana: [be:no:2, be:yes:ana:3]").text == ""
    result = play(tmp_path, given, steps, "then:\n  - hand of ana: [be:no, be:no]")
    assert "[be, be:wild:calm:yes:3:ana]" in result.text
    assert play(tmp_path, given, table("li:gilded")).text == ""
    assert "On a1 there is li:gilded." in play(tmp_path, given, table("li:plain")).text


def test_a_value_of_its_own_says_what_no_word_can(tmp_path: Path) -> None:
    given = "given:\n  hand of ana: [be]\n  memory of be: wild\n"
    then = "then:\n  - every beast in hand of ana has memory of beast is wild and temper of beast is none"
    assert play(tmp_path, given, then).text == ""


@pytest.mark.parametrize(
    ("code", "reason", "cure"),
    [
        ("ch:Fen", "`Fen` is no state that `ch` can have.", "Did you mean `fen`?"),
        ("ch:wild", "`wild` is no state that `ch` can have.", "Words: He, Ma, Fe, heath, marsh, fen."),
        ("Ma/ana:Fe", "`ana:Fe` says neither", "Marks here"),
        ("li:Fe", "`Fe` is no state that `li` can have.", "Words: plain, gilded."),
        ("u:Fe", "`Fe` is no state that `u` can have.", "Write the code alone."),
        ("li:none", "`none` is no state that `li` can have.", "gilded"),
        ("ch:", "`` is no state that `ch` can have.", "Words"),
        ("ch:Fe:heath", "`ch:Fe:heath` says the same thing twice.", "Leave one of the words out."),
        (
            "be:wild",
            "`wild` could be the temper or the memory of `be`.",
            "`temper of be: wild` under `given`",
        ),
        ("be:none", "`none` could be the temper or the memory or the friend of `be`.", "a line of its own"),
        ("be:10", "`10` is no state that `be` can have.", ""),
        ("Hee:Fe", "`Hee` is no code of a piece", "Did you mean `He`?"),
    ],
)
def test_a_state_that_cannot_be_is_told(code: str, reason: str, cure: str, tmp_path: Path) -> None:
    result = play(tmp_path, f"given:\n  table: |\n    {code}", "then: [turn: ana]")
    assert reason in result.text
    assert cure in result.text
    assert result.failure is not None
    assert (result.failure.span.line, result.failure.span.column) == (6, 9)


def test_a_set_up_refuses_a_state(tmp_path: Path) -> None:
    game = GAME.replace("    Ma  .  .\n", "    ch:Fe  .  .\n")
    result = play(tmp_path, "after setup: yes", "then: [turn: ana]", game=game)
    assert "begins with the state that its kind says" in result.text


# -------------------------------------------------------------------------- marks


def test_marks_of_several_kinds_mix_in_one_cell(tmp_path: Path) -> None:
    given = "given:\n  table: |\n    li/abiu2  He/u3  b2\n"
    assert play(tmp_path, given, table("li/uaubi  He/u3  b2")).text == ""
    assert "On b1 there is He/u3." in play(tmp_path, given, table("li/uaubi  He/u2  b2")).text
    assert "There are only 7 of `u`" in play(tmp_path, given.replace("u3", "u6"), table(".")).text


# -------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "steps",
    [
        "- ana: cover li at x",
        "- ana: cover li on z",
        "- ana: haunt x\n- ben: tickle x ghost",
        "- ana: haunt c1\n- ben: haunt z",
        "- ana: pick m\n- ben cannot: pick m\n- ben: pick a1",
        "- ana: seek\n- ana: x",
        "- ana: seek\n- ana: c=b1",
        "- ana: become y heath",
        "- ana: become ch:Ma heath",
        "- ana cannot: haunt y ghost\n- ana: haunt y",
    ],
)
def test_a_step_names_a_piece_by_its_space(steps: str, tmp_path: Path) -> None:
    lines = "when:\n" + "".join(f"  {line}\n" for line in steps.split("\n"))
    assert play(tmp_path, LAID, lines).text == ""


def test_a_space_means_its_uppermost_card(tmp_path: Path) -> None:
    steps = "when:\n  - ana: haunt a1\n  - ben: seek\n  - ben: c1\n"
    rows = ("li>He/b2u  Ma/a  ch>Ma(u2)>li/uai", "ch  .  li/iu2")
    result = play(tmp_path, LAID.replace("iu2", "i"), steps, table(rows[0], "ch  .  li/i"))
    assert result.text == ""


def test_a_condition_reads_a_named_space_that_is_occupied(tmp_path: Path) -> None:
    looks = "then:\n  - x is not empty\n  - any field on x\n  - exactly 1 lid on z\n  - no lid on x\n"
    assert play(tmp_path, LAID, looks).text == ""


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("ana: pick He", "can mean several things: pick picked=He#1, pick picked=He#2"),
        ("ana: become ch fen", "can mean several things"),
        ("ana: become x fen", "cannot be done"),
        ("ana cannot: become ch:Mu fen", "`ch:Mu` means nothing in this game."),
        ("ana cannot: pick m", "ana can do that"),
        ("ana cannot: become ch:Ma fen", "ana can do that"),
    ],
)
def test_a_piece_that_is_not_clearly_named_is_not_guessed(step: str, reason: str, tmp_path: Path) -> None:
    assert reason in play(tmp_path, LAID, f"when:\n  - {step}\n").text


@pytest.mark.parametrize(
    ("cell", "reason"),
    [("[y]Ma/a", "`y` is a2, and this is b1."), ("[q]Ma/a", "No space is called `q`."), ("[x]Ma/a", "")],
)
def test_a_look_uses_names_as_they_are_given(cell: str, reason: str, tmp_path: Path) -> None:
    result = play(tmp_path, LAID, table(f"li/b2  {cell}  ch/au", "ch  .  li/iu2"))
    assert reason in result.text if reason else result.text == ""
