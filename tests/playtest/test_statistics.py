from __future__ import annotations

import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rulewright.playtest.statistics import share, spread


def test_the_interval_is_wilsons() -> None:
    # Known values: 10 of 20, and none of ten.
    half = share(10, 20)
    assert half.value == 0.5
    assert (half.low, half.high) == pytest.approx((0.29930, 0.70070), abs=1e-5)
    none = share(0, 10)
    assert (none.low, none.high) == pytest.approx((0.0, 0.27753), abs=1e-5)


@given(st.integers(0, 3000), st.integers(1, 3000))
def test_the_interval_is_that_of_a_library(a: int, b: int) -> None:
    count, of = min(a, b), max(a, b)
    ours, theirs = (
        share(count, of),
        binomtest(count, of).proportion_ci(confidence_level=0.95, method="wilson"),
    )
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_a_share_of_nothing_has_no_value() -> None:
    assert share(0, 0) == type(share(0, 0))(0, 0, None, None, None)


def test_a_count_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="no part"):
        share(3, 2)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_share_lies_in_its_interval(a: int, b: int) -> None:
    s = share(min(a, b), max(a, b))
    if s.of:
        assert s.value is not None and s.low is not None and s.high is not None
        assert 0 <= s.low <= s.value + 1e-12 and s.value - 1e-12 <= s.high <= 1


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=60))
def test_spreads_are_those_of_the_numbers_written_out(numbers: list[int]) -> None:
    found = spread(Counter(numbers))
    lower, median, upper = statistics.quantiles(numbers, n=4, method="inclusive")
    assert found.mean == pytest.approx(statistics.fmean(numbers))
    assert (found.lower_quartile, found.median, found.upper_quartile) == pytest.approx((lower, median, upper))
    assert (found.least, found.most) == (min(numbers), max(numbers))


def test_the_spread_of_nothing_is_nothing_and_of_one_number_that_number() -> None:
    assert spread({}).mean is None and spread({5: 0}).least is None
    assert spread({7: 1}).median == 7 == spread({7: 1}).upper_quartile
