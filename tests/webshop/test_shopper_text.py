"""What the shopper understands of instructions and pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import goal, option, product, shop, visit

from skillsandbox.envs.webshop.agent_options import nearest
from skillsandbox.envs.webshop.agent_text import (
    ItemPage,
    Named,
    Offer,
    ResultsPage,
    SectionPage,
    StartPage,
    alike,
    instruction_of,
    is_said,
    page_of,
    stem,
    wish_of,
)
from skillsandbox.envs.webshop.pages import text
from skillsandbox.envs.webshop.store import open_store

GOALS = Path(__file__).parents[3] / "shared" / "data" / "webshop" / "human_goals.json"


@pytest.mark.parametrize(
    ("instruction", "thing", "claims", "options", "bound"),
    [
        (
            "I want slippers that are quick drying, in the color black and the size large, "
            "and price lower than 60.00 dollars",
            ("slipper",),
            (("quick", "dry"),),
            {Named("color", "black"), Named("size", "large")},
            60,
        ),
        (
            "find me an oil free body butter with coconut oil, and i want it in jasmine scent "
            "and a size 8 fl oz.",
            ("body", "butter"),
            (("oil", "free"), ("coconut", "oil")),
            {Named("scent", "jasmine"), Named("size", "8 fl oz")},
            float("inf"),
        ),
        (
            "i need a desk chair that is button tufted and height adjustable, and i want it in red, "
            "under $140",
            ("desk", "chair"),
            (("button", "tuft"), ("height", "adjustable")),
            {Named("", "red")},
            140,
        ),
        (
            "i want to find an easy care, machine wash dress shirt.",
            ("dress", "shirt"),
            (("easy", "care"), ("machine", "wash")),
            set(),
            float("inf"),
        ),
        (
            "looking for a travel size toothpaste in the flavor cool mint for at most $1,020.50",
            ("travel", "size", "toothpaste"),
            (),
            {Named("flavor", "cool mint")},
            1020.5,
        ),
    ],
)
def test_an_instruction_is_taken_apart(
    instruction: str,
    thing: tuple[str, ...],
    claims: tuple[tuple[str, ...], ...],
    options: set[Named],
    bound: float,
) -> None:
    wish = wish_of(instruction)
    assert (wish.thing, wish.claims, set(wish.options), wish.bound) == (thing, claims, options, bound)


def test_what_is_preferred_is_told_from_what_is_wanted() -> None:
    wish = wish_of("i need a rug for the hall, preferably with a fringe, and ideally hand made")
    assert wish.claims == (("hall",),)
    assert wish.soft == (("fringe",), ("hand",))


def test_options_are_left_out_of_what_matters_most() -> None:
    wish = wish_of("i need a nylon bag in the color navy blue")
    assert wish.words == ("nylon", "bag", "navy", "blue")
    assert wish.brief == ("nylon", "bag")


@given(st.text())
def test_odd_instructions_and_pages_are_read_without_complaint(odd: str) -> None:
    wish_of(odd)
    page_of(odd)
    instruction_of(odd)


@pytest.mark.skipif(not GOALS.exists(), reason="the official human goals are not here (../shared/data)")
def test_of_official_human_goals_something_is_always_wanted() -> None:
    goals = json.loads(GOALS.read_text("utf-8"))
    assert all(wish_of(one).words and (wish_of(one).thing or wish_of(one).options) for one in goals[::20])


def test_the_bound_of_every_generated_instruction_is_read() -> None:
    texts = [one.text for product in open_store().products() for one in product.human]
    assert all(wish_of(f"{one.rstrip('.')}, and price lower than 30.00 dollars").bound == 30 for one in texts)
    assert all(wish_of(one).thing for one in texts)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *(("drying", "dry"), ("tufted", "tuft"), ("brushes", "brush"), ("berries", "berry")),
        *(("women's", "women"), ("glass", "glass"), ("bus", "bus"), ("cases", "case")),
    ],
)
def test_common_endings_are_cut_off(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_two_words_are_said_side_by_side_and_longer_phrases_anywhere() -> None:
    assert is_said(("easy", "clean"), ["EASY TO CLEAN - wipe it"])
    assert is_said(("machine", "wash"), ["machine washable"])
    assert not is_said(("easy", "clean"), ["easy to use, clean lines"])
    assert is_said(("soft", "green", "cloth"), ["a green cloth", "very soft"])
    assert alike("wash", "washable")
    assert not alike("red", "reduce")


@pytest.mark.parametrize(
    ("wanted", "values", "expected"),
    [
        ("large", ("x-large", "large"), "large"),
        ("large", ("x-large", "size large (12-14)"), "size large (12-14)"),
        ("dusty pink", ("pink", "red"), "pink"),
        ("black", ("white", "jet black", "black | red"), "jet black"),
        ("large", ("x-large", "small"), None),
        ("red", (), None),
    ],
)
def test_the_nearest_value_is_the_one_that_says_it_with_the_fewest_words(
    wanted: str, values: tuple[str, ...], expected: str | None
) -> None:
    assert nearest(wanted, values) == expected


def test_the_pages_of_the_shop_are_recognised() -> None:
    one = product(options=(option("color", "red"),), prices=(23.99, 37.99), bullets=("Light", "Strong"))
    small = shop(one, *(product(f"B1{number:08}") for number in range(12)))
    wanted = goal(one)
    results = page_of(text(visit(small, wanted, "search[backpack]").page))
    assert isinstance(page_of(text(visit(small, wanted).page)), StartPage)
    assert isinstance(results, ResultsPage)
    assert (results.number, results.total, len(results.offers)) == (1, 13, 10)
    assert results.offers[0] == Offer("b000000001", "Nylon Backpack", 23.99, 37.99)
    opened = ("search[backpack]", "click[b000000001]")
    page = page_of(text(visit(small, wanted, *opened).page))
    assert page == ItemPage("Nylon Backpack", 23.99, 37.99, ("color", "red"))
    section = page_of(text(visit(small, wanted, *opened, "click[features]").page))
    assert section == SectionPage("Light . Strong")
    assert instruction_of(text(visit(small, wanted, *opened).page)) == wanted.instruction
