from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rulewright.playtest.matches import ENDED, FAULT, INTERRUPTED, STOPPED, Outcome
from rulewright.playtest.tally import SHOWN, Tally

outcomes = st.builds(
    Outcome,
    status=st.sampled_from([ENDED, STOPPED, FAULT, INTERRUPTED]),
    reason=st.sampled_from(["too long", "a rule"]),
    end=st.sampled_from(["full", "line"]),
    winners=st.sets(st.integers(0, 2), max_size=3).map(lambda s: tuple(sorted(s))),
    scores=st.tuples(st.integers(-5, 50), st.integers(-5, 50), st.integers(-5, 50)),
    decisions=st.integers(0, 30),
    branching=st.dictionaries(st.integers(1, 9), st.integers(1, 9)).map(Counter),
    began=st.integers(-1, 2),
)


def tally_of(numbered: list[tuple[int, Outcome]]) -> Tally:
    tally = Tally(3)
    for number, outcome in numbered:
        tally.add(number, outcome)
    return tally


@given(st.lists(outcomes, max_size=30), st.integers(0, 30), st.randoms())
def test_parts_in_any_order_give_the_same_sums(played: list[Outcome], cut: int, luck: object) -> None:
    numbered = list(enumerate(played))
    whole = tally_of(numbered)
    luck.shuffle(numbered)  # type: ignore[attr-defined]
    one, two = tally_of(numbered[:cut]), tally_of(numbered[cut:])
    two.merge(one)
    assert two == whole


@given(st.lists(outcomes, max_size=30))
def test_every_match_that_was_not_interrupted_is_counted_once(played: list[Outcome]) -> None:
    tally = tally_of(list(enumerate(played)))
    assert tally.games == sum(o.status != INTERRUPTED for o in played)
    assert tally.ended + tally.stopped.total() + tally.fault_count == tally.games
    assert tally.ends.total() == tally.lengths.total() == tally.ended
    assert all(tally.alone[s] <= tally.wins[s] <= tally.ended for s in range(3))
    assert tally.nobody + tally.shared + tally.alone.total() == tally.ended


def test_only_the_first_faults_are_kept_but_all_are_counted() -> None:
    tally = Tally(1)
    for number in reversed(range(50)):
        tally.add_fault(number, "a rule")
    assert tally.fault_count == 50
    assert [n for n, _ in tally.faults] == list(range(SHOWN))
