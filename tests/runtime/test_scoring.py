"""The Verifier's score, on cases computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.rollout import Step, Trajectory
from skillsandbox.runtime.scoring import (
    Comparison,
    Figures,
    KeptPair,
    Remainder,
    Verdict,
    compare,
    figures,
    flips,
    reliability,
    rescored,
    verdict,
)

HALF = Fraction(1, 2)


def run(observations: str, *, success: bool, cited: str = "", refused: str = "") -> Trajectory:
    """Return a run with one step for each letter; `cited` and `refused` name steps by their number."""
    steps = tuple(
        Step(observation, "go", "go", "", str(t) not in refused, str(t) in cited)
        for t, observation in enumerate(observations)
    )
    return Trajectory(steps, success, "end", float(success))


def test_a_pair_gains_the_discounted_success_of_the_one_run_less_that_of_the_other() -> None:
    # With: T = 3, won; without: T = 4, won. Aligned at a, b, d; marked at step 1 (b).
    compared = compare(run("abd", success=True, cited="1"), run("abcd", success=True))
    assert compared.aligned == ((0, 0), (1, 1), (2, 3))
    assert compared.kept == (KeptPair(True, Remainder(True, 1, 3), Remainder(True, 1, 4)),)
    # (1/2)^(3-1) - (1/2)^(4-1)
    assert compared.score(HALF) == Fraction(1, 4) - Fraction(1, 8)


def test_a_lost_run_is_worth_nothing() -> None:
    compared = compare(run("ab", success=True, cited="0"), run("ab", success=False))
    assert compared.score(HALF) == Fraction(1, 4)
    compared = compare(run("ab", success=False, cited="0"), run("ab", success=True))
    assert compared.score(HALF) == -Fraction(1, 4)


def test_the_score_is_the_mean_over_kept_pairs_and_a_pair_not_carried_out_counts_as_zero() -> None:
    compared = compare(run("ab", success=True, cited="01", refused="1"), run("ab", success=False))
    assert [pair.executed for pair in compared.kept] == [True, False]
    # Step 0: (1/2)^2 · 1, step 1: (1/2)^1 · 0.
    assert compared.score(HALF) == (Fraction(1, 4) + 0) / 2


def test_of_each_distinct_observation_the_earliest_marked_pair_is_kept() -> None:
    compared = compare(run("aab", success=True, cited="12"), run("aab", success=True))
    assert [pair.plus.step for pair in compared.kept] == [1, 2]
    compared = compare(run("aab", success=True, cited="012"), run("aab", success=True))
    assert [pair.plus.step for pair in compared.kept] == [0, 2]


def test_only_aligned_steps_that_cite_the_skill_count() -> None:
    assert not compare(run("ab", success=True), run("ab", success=True)).exercised
    assert not compare(run("xb", success=True, cited="0"), run("ab", success=True)).exercised


def test_a_scenario_that_was_not_exercised_counts_as_zero_in_r() -> None:
    won = compare(run("a", success=True, cited="0"), run("a", success=False))
    idle = compare(run("a", success=True), run("a", success=False))
    assert idle.score(HALF) == 0
    assert reliability([won, idle], HALF) == Fraction(1, 4)


def test_keep_only_above_zero() -> None:
    assert verdict(Fraction(1, 10**9)) is Verdict.KEEP
    assert verdict(Fraction(0)) is Verdict.REJECT
    assert verdict(Fraction(-1, 10**9)) is Verdict.REJECT


def test_r_needs_evidence() -> None:
    with pytest.raises(ValueError, match="at least one scenario"):
        reliability([])


def test_gains_that_cancel_leave_exactly_nothing() -> None:
    longer, shorter = Remainder(True, 0, 7), Remainder(True, 0, 3)
    pairs = [(longer, shorter), (shorter, longer)] * 3
    balanced = Comparison((), tuple(KeptPair(True, plus, minus) for plus, minus in pairs))
    assert reliability([balanced]) == 0


def test_the_discount_can_turn_the_verdict_and_that_is_flagged() -> None:
    # Slower by 25 actions where both win, but wins one that is otherwise lost, after 28 actions.
    slower = Comparison((), (KeptPair(True, Remainder(True, 0, 26), Remainder(True, 0, 1)),))
    rescue = Comparison((), (KeptPair(True, Remainder(True, 0, 28), Remainder(False, 0, 30)),))
    at = rescored([slower, rescue])
    assert [verdict(at[Fraction(gamma)]) for gamma in ("0.9", "0.95", "0.99")] == ["reject", "reject", "keep"]
    assert flips([slower, rescue])
    assert not flips([rescue])


def test_the_discount_asked_for_is_compared_with_the_others() -> None:
    slower = Comparison((), (KeptPair(True, Remainder(True, 0, 9), Remainder(True, 0, 1)),))
    rescue = Comparison((), (KeptPair(True, Remainder(True, 0, 10), Remainder(False, 0, 30)),))
    assert (
        reliability([slower, rescue], Fraction("0.5")) < 0 < reliability([slower, rescue], Fraction("0.99"))
    )
    assert flips([slower, rescue], Fraction("0.5"))


def test_executability_utility_and_efficiency_are_means_over_kept_pairs() -> None:
    pairs = (
        KeptPair(True, Remainder(True, 1, 5), Remainder(True, 1, 9)),
        KeptPair(False, Remainder(True, 2, 5), Remainder(True, 3, 5)),
        KeptPair(True, Remainder(True, 0, 5), Remainder(False, 0, 30)),
        KeptPair(True, Remainder(False, 0, 30), Remainder(True, 0, 4)),
    )
    # e: 3 of 4. r+ - r-: 0, 0, 1, -1. Saved, where both win: (9-1)-(5-1) = 4 and (5-3)-(5-2) = -1.
    expected = Figures(Fraction(3, 4), Fraction(0), Fraction(3, 2))
    assert figures([Comparison((), pairs[:1]), Comparison((), pairs[1:])]) == expected


def test_figures_are_absent_where_nothing_speaks_to_them() -> None:
    assert figures([Comparison((), ())]) == Figures(None, None, None)


runs = st.builds(
    run,
    st.text("abc", max_size=8),
    success=st.booleans(),
    cited=st.text("01234567", max_size=8),
    refused=st.text("01234567", max_size=3),
)


@given(runs, runs)
def test_a_score_lies_between_minus_one_and_one(plus: Trajectory, minus: Trajectory) -> None:
    assert -1 < compare(plus, minus).score(Fraction("0.95")) < 1


@given(runs)
def test_a_run_compared_with_itself_gains_nothing(plus: Trajectory) -> None:
    assert compare(plus, plus).score(Fraction("0.95")) == 0
