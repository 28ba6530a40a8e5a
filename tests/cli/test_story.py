from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.cli.story import choices_in, leaves, part, since_choice_of, told
from rulewright.interpreter.match import Match, start
from rulewright.interpreter.trace import Event
from rulewright.tests.interpreter.programs import ALL_PROGRAMS, tic_tac_toe


def played(program: int, seed: int, choices: list[int]) -> Match:
    match = start(ALL_PROGRAMS[program](), seed)
    for number in choices:
        if match.decision is not None:
            assert match.choose(number % match.decision.count) is None
    return match


def tree_of(match: Match) -> Event:
    tree = match.trace
    assert tree is not None
    return tree


@given(st.integers(0, 3), st.integers(0, 50), st.lists(st.integers(0, 99), max_size=12))
def test_the_parts_of_a_story_make_up_the_whole(program: int, seed: int, choices: list[int]) -> None:
    match = played(program, seed, choices)
    tree = tree_of(match)
    made = choices_in(tree)
    assert len(made) == len(match.choices)
    plain = [e for e in leaves(tree) if not e.children]
    parts = [part(tree, n, n) for n in range(len(made) + 1)]
    assert [e for p in parts for e in leaves(p) if not e.children and e in plain and e is not p] == [
        e for e in plain if e is not tree
    ]
    for number, one in enumerate(parts[1:]):
        assert choices_in(one) == [made[number]]


def test_a_part_keeps_what_it_happened_in() -> None:
    tree = tree_of(played(0, 1, [4, 0, 1]))
    one = part(tree, 2, 2)
    assert [e.kind for e in leaves(one)] == ["game", "phase", "choice", "action", "move"]


def test_the_story_since_ones_last_choice() -> None:
    match = played(0, 1, [4, 0, 1])
    texts = told(since_choice_of(tree_of(match), "blue"))
    assert len(texts) == 2 and texts[0].startswith("blue: ") and texts[1].startswith("red: ")
    assert told(since_choice_of(tree_of(match), "nobody")) == told(tree_of(match))


def test_nothing_has_happened_yet() -> None:
    tree = tree_of(start(tic_tac_toe(), 1))
    assert choices_in(tree) == [] and told(tree) == []
    assert part(tree, 5).children == ()
