"""Intervals, McNemar's test, correlations and agreement: published values, and laws."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.statistics import (
    Agreement,
    agreement,
    average_ranks,
    mcnemar,
    mean_interval,
    pearson,
    spearman,
    student_quantile,
    wilson,
)

COUNTS = st.integers(0, 40)
NUMBERS = st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=7)
PAIRS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=7)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R: prop.test(x, n, correct = FALSE)
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (15, 50, 0.1910, 0.4375),
        # Newcombe (1998), table I, score method
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_has_the_published_ends(
    successes: int, trials: int, low: float, high: float
) -> None:
    found = wilson(successes, trials)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(COUNTS, st.integers(1, 40))
def test_wilsons_interval_holds_the_share_and_mirrors(successes: int, more: int) -> None:
    trials = successes + more
    one, other = wilson(successes, trials), wilson(more, trials)
    assert one is not None
    assert other is not None
    assert 0 <= one.low <= successes / trials <= one.high <= 1
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_no_trials_have_no_interval() -> None:
    assert wilson(0, 0) is None
    assert mean_interval([3.0]) is None


@pytest.mark.parametrize(
    ("degrees", "t"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (9, 2.262),
        (10, 2.228),
        (30, 2.042),
        (120, 1.980),
        (499, 1.965),
    ],
)
def test_students_quantiles_are_those_of_the_tables(degrees: int, t: float) -> None:
    assert student_quantile(degrees) == pytest.approx(t, abs=5e-4)


def test_the_interval_of_a_mean_is_the_one_by_hand() -> None:
    found = mean_interval([1.0, 2.0, 3.0, 4.0])
    assert found is not None
    half = 3.18245 * math.sqrt(5 / 3) / 2
    assert (found.low, found.high) == pytest.approx((2.5 - half, 2.5 + half), abs=1e-5)


def test_values_that_do_not_vary_have_an_interval_without_width() -> None:
    found = mean_interval([2.0, 2.0, 2.0])
    assert found is not None
    assert found.low == found.high == 2.0


@pytest.mark.parametrize(
    ("only_first", "only_second", "p"),
    [
        (0, 0, Fraction(1)),
        (1, 0, Fraction(1)),
        (5, 0, Fraction(1, 16)),
        (6, 0, Fraction(1, 32)),
        (8, 2, Fraction(112, 1024)),
        (3, 3, Fraction(1)),
    ],
)
def test_mcnemars_p_is_the_one_by_hand(only_first: int, only_second: int, p: Fraction) -> None:
    assert mcnemar(only_first, only_second) == p


@given(COUNTS, COUNTS)
def test_mcnemars_p_is_a_probability_that_falls_with_imbalance(one: int, other: int) -> None:
    assert mcnemar(one, other) == mcnemar(other, one)
    assert 0 < mcnemar(one, other) <= 1
    high, low = max(one, other), min(one, other)
    if low > 0:
        assert mcnemar(high + 1, low - 1) <= mcnemar(high, low)


@given(st.integers(0, 8), st.integers(0, 8))
def test_mcnemars_p_counts_the_splits_that_are_as_uneven(one: int, other: int) -> None:
    pairs = one + other
    uneven = sum(
        sum(1 for _ in combinations(range(pairs), number))
        for number in range(pairs + 1)
        if abs(2 * number - pairs) >= abs(one - other)
    )
    assert mcnemar(one, other) == Fraction(uneven, 2**pairs)


def test_correlations_are_those_by_hand() -> None:
    # Deviations -2 -1 0 1 2 and -2.2 -0.2 -1.2 1.8 1.8: their products make 10, squares 10 and 12.8.
    one, other = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 3.0, 2.0, 5.0, 5.0]
    assert average_ranks(other) == [1, 3, 2, Fraction(9, 2), Fraction(9, 2)]
    assert pearson(one, other) == pytest.approx(10 / math.sqrt(10 * 12.8))
    # Those of the ranks 1 to 5 and 1 3 2 4.5 4.5 add up to 8.5, and to 10 and 9.5.
    assert spearman(one, other) == pytest.approx(8.5 / math.sqrt(10 * 9.5))


@given(PAIRS)
def test_correlations_are_symmetric_bounded_and_keep_the_order_of_pairs_out(
    pairs: list[tuple[int, int]],
) -> None:
    one, other = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    for correlation in (pearson, spearman):
        found = correlation(one, other)
        assert found == correlation(other, one) == correlation(one[::-1], other[::-1])
        assert found is None or -1 <= found <= 1


@given(NUMBERS)
def test_a_monotone_map_has_rank_correlation_one_and_its_mirror_minus_one(values: list[float]) -> None:
    if len(set(values)) == 1:
        assert spearman(values, values) is None
    else:
        assert spearman(values, [math.exp(value) for value in values]) == 1
        assert spearman(values, [-value for value in values]) == -1
        assert pearson(values, [3 * value + 1 for value in values]) == 1


@given(NUMBERS)
def test_ranks_add_up_to_what_they_would_without_ties(values: list[float]) -> None:
    assert sum(average_ranks(values)) == Fraction(len(values) * (len(values) + 1), 2)


def test_a_correlation_is_of_pairs() -> None:
    assert pearson([1.0], [2.0]) is None
    with pytest.raises(ValueError, match="pairs"):
        pearson([1.0, 2.0], [2.0])


def test_agreement_is_counted_and_its_shares_are_those_by_hand() -> None:
    pairs = [(True, True)] * 3 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 4
    found = agreement(pairs)
    assert found == Agreement(3, 1, 4, 2)
    assert found.precision == Fraction(3, 4)
    assert found.recall == Fraction(3, 5)
    assert found.f1 == Fraction(2, 3)
    assert found.specificity == Fraction(4, 5)


def test_shares_of_nothing_are_none() -> None:
    nothing = agreement([])
    assert (nothing.precision, nothing.recall, nothing.f1, nothing.specificity) == (None,) * 4
    assert agreement([(False, True)]).f1 == 0


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(a: int, b: int, c: int, d: int) -> None:
    found = Agreement(a, b, c, d)
    if found.precision and found.recall:
        assert found.f1 == 2 / (1 / found.precision + 1 / found.recall)
