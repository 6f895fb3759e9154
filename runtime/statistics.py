"""The statistics of reports: intervals, a paired test, and how two rankings or classifications agree.

Shares, counts and the test are exact; intervals and correlations are floating-point numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from statistics import NormalDist, fmean, stdev

import attrs

CONFIDENCE = 0.95


@attrs.frozen
class Interval:
    """A confidence interval of `CONFIDENCE`, ends included."""

    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval | None:
    """Return Wilson's score interval of a share (Wilson 1927, without continuity correction).

    None where there are no trials.
    """
    if trials == 0:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if successes == trials else min(1.0, centre + half))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """Return Student's t interval of a mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    half = student_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def student_quantile(degrees: int) -> float:
    """Return the t that Student's distribution stays within, on both sides, with probability `CONFIDENCE`."""
    low, high = 0.0, 1.0
    while _student_within(high, degrees) < CONFIDENCE:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        if _student_within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def _student_within(t: float, degrees: int) -> float:
    """Return the probability that |T| < t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan2(t, math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 or not odd else 0.0
    for step in range(2 + odd, degrees - 1, 2):
        term *= (step - 1) / step * cosine * cosine
        total += term
    return (angle + sine * total) * 2 / math.pi if odd else sine * total


def mcnemar(only_first: int, only_second: int) -> Fraction:
    """Return the two-sided p-value of McNemar's exact test from the numbers of discordant pairs.

    It is the binomial probability, with equal chances, of a split at least as uneven; 1 without such pairs.
    """
    pairs = only_first + only_second
    tail = sum(comb(pairs, number) for number in range(min(only_first, only_second) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**pairs))


def pearson(one: Sequence[float | Fraction], other: Sequence[float | Fraction]) -> float | None:
    """Return Pearson's correlation; None where either does not vary or there are fewer than two pairs."""
    first, second = [Fraction(value) for value in one], [Fraction(value) for value in other]
    if len(first) != len(second):
        raise ValueError("a correlation is of pairs")
    if len(first) < 2:
        return None
    covariance = _co_deviation(first, second)
    squares = _co_deviation(first, first) * _co_deviation(second, second)
    if squares == 0:
        return None
    # Exact until here, so that an order of arguments, or of pairs, changes nothing.
    return math.copysign(math.sqrt(covariance * covariance / squares), covariance)


def _co_deviation(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    mean_one, mean_other = sum(one, Fraction(0)) / len(one), sum(other, Fraction(0)) / len(other)
    return sum(((a - mean_one) * (b - mean_other) for a, b in zip(one, other, strict=True)), Fraction(0))


def spearman(one: Sequence[float | Fraction], other: Sequence[float | Fraction]) -> float | None:
    """Return Spearman's rank correlation: Pearson's of the ranks, ties having their average."""
    return pearson(average_ranks(one), average_ranks(other))


def average_ranks(values: Sequence[float | Fraction]) -> list[Fraction]:
    """Return each value's rank from 1 upwards; equal values share the average of theirs."""
    below = {value: sum(other < value for other in values) for value in values}
    return [below[value] + Fraction(values.count(value) + 1, 2) for value in values]


@attrs.frozen
class Agreement:
    """How a yes-or-no prediction agrees with what was found: the four counts."""

    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int

    @property
    def precision(self) -> Fraction | None:
        """Return the share of the predicted that were found; None where none was predicted."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> Fraction | None:
        """Return the share of the found that were predicted; None where none was found."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> Fraction | None:
        """Return the harmonic mean of precision and recall; None where nothing was predicted or found."""
        wrong = self.false_positives + self.false_negatives
        return _share(2 * self.true_positives, 2 * self.true_positives + wrong)

    @property
    def specificity(self) -> Fraction | None:
        """Return the share of what was not found that was not predicted; None where all was found."""
        return _share(self.true_negatives, self.true_negatives + self.false_positives)


def agreement(pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    """Count pairs of a prediction and what was found."""
    return Agreement(
        true_positives=pairs.count((True, True)),
        false_positives=pairs.count((True, False)),
        true_negatives=pairs.count((False, False)),
        false_negatives=pairs.count((False, True)),
    )


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None
