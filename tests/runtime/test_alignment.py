"""Alignment: the largest order-preserving matching of identical observations, the earliest of several."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.alignment import align, normalised

runs = st.text("abc", max_size=6)


def every_matching(plus: str, minus: str, i: int = 0, j: int = 0) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every order-preserving matching of what is left of two runs, by trying each first pair."""
    yield ()
    for first in range(i, len(plus)):
        for second in range(j, len(minus)):
            if plus[first] == minus[second]:
                for rest in every_matching(plus, minus, first + 1, second + 1):
                    yield ((first, second), *rest)


@given(runs, runs)
def test_is_the_lexicographically_earliest_of_the_largest_matchings(plus: str, minus: str) -> None:
    matchings = list(every_matching(plus, minus))
    largest = max(map(len, matchings))
    assert align(plus, minus) == min(matching for matching in matchings if len(matching) == largest)


@given(st.lists(st.integers(0, 3), max_size=30))
def test_a_run_is_aligned_with_itself_step_by_step(run: list[int]) -> None:
    assert align(run, run) == tuple((i, i) for i in range(len(run)))


def test_of_two_largest_matchings_the_earlier_step_of_the_run_with_the_skill_is_taken() -> None:
    assert align("aba", "a") == ((0, 0),)
    assert align("a", "ba a") == ((0, 1),)
    # "ab" and "ba" share one step; taking the first of the run with the skill comes first.
    assert align("ab", "ba") == ((0, 1),)


def test_runs_without_a_common_observation_are_not_aligned() -> None:
    assert align("abc", "xyz") == ()
    assert align("", "abc") == ()


def test_observations_are_compared_without_regard_to_white_space() -> None:
    assert normalised(" You are\n in  room 1.\t") == "You are in room 1."
