"""What an unknown word was most likely meant to be."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.compiler.suggestion import closest

WORDS = (
    *("Apple", "Bread", "Bed", "Cabinet", "CoffeeTable", "CounterTop", "DiningTable", "Drawer", "Fridge"),
    *("GarbageCan", "Microwave", "SideTable", "SinkBasin", "StoveBurner", "eventually", "never", "within"),
    *("within_reach", "food", "start", "tool", "dest"),
)


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("Frige", "Fridge"),
        ("fridge", "Fridge"),
        ("Firdge", "Fridge"),
        ("countertop", "CounterTop"),
        ("counter_top", "CounterTop"),
        ("Diningtable", "DiningTable"),
        ("DinningTabel", "DiningTable"),
        ("within_raech", "within_reach"),
        ("withinreach", "within_reach"),
        ("Micowave", "Microwave"),
        ("eventualy", "eventually"),
        ("foood", "food"),
        ("tol", "tool"),
    ],
)
def test_a_typo_leads_to_the_word_that_was_meant(typo: str, meant: str) -> None:
    assert closest(typo, WORDS) == meant


@pytest.mark.parametrize(
    "word", ["Refrigerator", "Banana", "Couch", "Carpet", "cupboard", "x", "ab", "", "_", "?"]
)
def test_a_word_that_is_near_to_nothing_leads_nowhere(word: str) -> None:
    assert closest(word, WORDS) is None


def test_nothing_is_near_where_nothing_is_known() -> None:
    assert closest("Fridge", ()) is None


@pytest.mark.parametrize("order", list(permutations(["Bread", "Bed", "Brad"])))
def test_of_equally_near_words_the_first_in_sorted_order_is_taken(order: tuple[str, ...]) -> None:
    assert closest("Bred", order) == "Bed"


@given(st.sampled_from(WORDS), st.sets(st.sampled_from(WORDS)))
def test_a_known_word_is_nearest_to_itself(word: str, others: set[str]) -> None:
    assert closest(word, others | {word}) == word
