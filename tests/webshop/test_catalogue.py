"""Products and catalogues, against what the official code makes of the same files."""

from __future__ import annotations

import gzip
import json
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import catalogues, products, shared

from skillsandbox.envs.webshop.catalogue import (
    DEFAULT_PRICE,
    MemoryCatalogue,
    Option,
    OptionValue,
    Product,
    UnknownProductError,
    index_text,
    option_name,
    option_value,
    parse_prices,
    price_tag,
)
from skillsandbox.envs.webshop.records import read_product

TABLE = Product("B000000001", "Oak Table", "garden", "console tables", "Home \u203a Tables")


@pytest.mark.parametrize(
    ("text", "prices", "tag"),
    [
        ("", (DEFAULT_PRICE,), "$100.0"),
        ("$7.80", (7.8,), "$7.8"),
        ("$1,105.50", (1105.5,), "$1105.5"),
        ("$23.99$37.99", (23.99, 37.99), "$23.99 to $37.99"),
        ("$14.92 - $29.92", (14.92, 29.92), "$14.92 to $29.92"),
        ("$1$2$3", (1.0, 2.0), "$1.0 to $2.0"),
    ],
)
def test_prices_are_read_and_shown_as_the_official_site_does(
    text: str, prices: tuple[float, ...], tag: str
) -> None:
    assert parse_prices(text) == prices
    assert price_tag(prices) == tag


@pytest.mark.parametrize("text", ["USD 10", "$", "12.99", "$1.2.3", "$5$"])
def test_what_the_official_loader_dies_of_is_no_price(text: str) -> None:
    with pytest.raises(ValueError, match="no price"):
        parse_prices(text)


def test_a_product_has_its_price_in_cents_at_both_ends() -> None:
    ranged = attrs.evolve(TABLE, prices=(37.99, 23.99))

    assert (ranged.price, ranged.highest_price) == (2399, 3799)
    assert (TABLE.price, TABLE.highest_price) == (10_000, 10_000)


def test_choices_are_shown_stripped_in_lower_case_with_bars_for_slashes() -> None:
    assert option_value(" White/Oak ") == "white | oak"
    assert option_name("Fit Type") == "fit type"


@given(st.text().filter(lambda text: "/" not in text))
@settings(deadline=None)
def test_a_choice_that_is_shown_stays_as_it_is(text: str) -> None:
    assert option_value(option_value(text)) == option_value(text)


def test_the_index_has_title_description_first_bullet_and_options() -> None:
    color = Option("color", (OptionValue("white | oak", "White/Oak"), OptionValue("grey", "Grey")))
    size = Option("size", (OptionValue('60"', '60"'),))
    table = attrs.evolve(TABLE, description="Solid.", bullets=("EASY", "second"), options=(color, size))

    assert index_text(table) == 'oak table solid. easy color: white | oak, grey, and size: 60"'


def test_a_product_without_bullets_or_images_has_empty_ones() -> None:
    assert attrs.evolve(TABLE, bullets=()).bullets == ("",)
    assert attrs.evolve(TABLE, images=()).main_image == ""


def test_the_category_path_is_split_at_its_separator() -> None:
    assert TABLE.categories == ("Home", "Tables")


def test_a_choice_in_two_options_has_the_image_of_the_last() -> None:
    first = Option("color", (OptionValue("red", "Red", image="a"), OptionValue("blue", "Blue", image="b")))
    last = Option("style", (OptionValue("red", "red", image=None),))

    assert attrs.evolve(TABLE, options=(first, last)).option_images == {"red": None, "blue": "b"}


@given(catalogues())
@settings(deadline=None)
def test_a_catalogue_gives_its_products_by_asin_and_in_order(listed: list[Product]) -> None:
    catalogue = MemoryCatalogue(listed)

    assert list(catalogue.products()) == listed
    assert list(catalogue.asins()) == [product.asin for product in listed]
    assert [catalogue.product(product.asin) for product in listed] == listed
    assert len(catalogue) == len(listed)
    assert all(product.asin in catalogue for product in listed)
    assert "no such asin" not in catalogue


def test_a_product_that_is_not_there_is_an_error_of_its_own() -> None:
    with pytest.raises(UnknownProductError):
        MemoryCatalogue([TABLE]).product("B000000002")


@given(products(), products())
@settings(deadline=None)
def test_the_data_version_tells_catalogues_apart(one: Product, other: Product) -> None:
    assert MemoryCatalogue([one]).data_version == MemoryCatalogue([one]).data_version
    assert (MemoryCatalogue([one]).data_version == MemoryCatalogue([other]).data_version) == (one == other)


@pytest.fixture(scope="module")
def official() -> tuple[dict[str, Product], dict[str, Any]]:
    records = json.loads(shared("oracle/items_shuffle_1000.json").read_text())
    annotations = json.loads(shared("oracle/items_ins_v2_1000.json").read_text())
    read: dict[str, Product] = {}
    for one in records:
        product = read_product(one, annotations.get(one["asin"])).product
        if product is not None:
            read.setdefault(product.asin, product)
    with gzip.open(shared("oracle/episodes.json.gz")) as stream:
        return read, json.load(stream)


def test_products_are_those_of_the_official_environment(
    official: tuple[dict[str, Product], dict[str, Any]],
) -> None:
    read, recorded = official

    assert list(read) == list(recorded["prices_human0"])
    for asin, price in recorded["prices_human0"].items():
        assert min(read[asin].prices) <= price <= max(read[asin].prices)
        assert len(read[asin].prices) == 2 or price == read[asin].prices[0]


def test_goals_speak_of_the_products_as_the_official_environment_does(
    official: tuple[dict[str, Product], dict[str, Any]],
) -> None:
    read, recorded = official

    assert recorded["goals_human0"]
    for goal in recorded["goals_human0"]:
        product = read[goal["asin"]]
        assert (goal["name"], goal["category"]) == (product.title, product.category)
        assert (goal["query"], goal["product_category"]) == (product.query, product.product_category)
        assert product.synthetic is not None
        assert tuple(goal["attributes"]) == product.synthetic.attributes
        assert goal["instruction_text"].startswith(product.synthetic.text)
        for name, value in goal["goal_options"].items():
            assert value in product.option_values[name]


def test_pages_show_title_and_price_as_the_official_site_does(
    official: tuple[dict[str, Product], dict[str, Any]],
) -> None:
    read, recorded = official
    episodes = [episode for episode in recorded["episodes"] if episode["mode"] == "text"]
    steps = [step for episode in episodes for step in episode["steps"]]
    shown = 0
    for step in steps:
        parts = step["obs"].split(" [SEP] ") if step["action"].startswith("search[") else []
        for asin, title, price in zip(parts, parts[1:], parts[2:], strict=False):
            if asin in read:
                assert (title, price) == (read[asin].title, read[asin].price_tag)
                shown += 1
    assert shown > 100
