"""The generated catalogue: its size, its truth to the official files, and that a seed decides every byte."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import pairs, shared, words

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.generator import (
    DEFAULT_SIZE,
    Generated,
    generate,
    generate_records,
    write_generated,
)
from skillsandbox.envs.webshop.ranges import FAMILY, plan
from skillsandbox.envs.webshop.records import read_product
from skillsandbox.envs.webshop.vocabulary import CLAIMS, KINDS, PALETTES, RIVALS

STOP = frozenset(words("a an and as de for from g in is it of on per s so that the to with your no"))


@pytest.fixture(scope="module")
def catalogue() -> list[Generated]:
    return list(generate_records(0, DEFAULT_SIZE))


@pytest.fixture(scope="module")
def products() -> list[Product]:
    return list(generate(0, DEFAULT_SIZE))


def test_the_catalogue_is_as_large_and_as_varied_as_it_must_be(products: list[Product]) -> None:
    assert len(products) >= 1000
    assert len({product.kind for product in products}) >= 40
    assert {product.category for product in products} == {
        "beauty",
        "electronics",
        "fashion",
        "garden",
        "grocery",
    }
    assert len({product.asin for product in products}) == len(products)
    assert min(Counter(product.kind for product in products).values()) >= 16


def test_every_record_is_sound(catalogue: list[Generated]) -> None:
    for one in catalogue:
        reading = read_product(one.record, one.annotation, one.instructions or None)
        assert reading.notes == ()


def test_records_have_the_fields_of_official_ones(catalogue: list[Generated]) -> None:
    official = json.loads(shared("items_sample.json").read_text())
    always = set(official[0]).intersection(*official)
    at_times = set().union(*official)

    for one in catalogue:
        assert always <= set(one.record) <= at_times
    assert {type(one["small_description"]) for one in official} == {
        type(one.record["small_description"]) for one in catalogue
    }


def test_the_forms_of_prices_and_options_that_official_files_have_all_occur(
    catalogue: list[Generated],
) -> None:
    prices = {one.record["pricing"] for one in catalogue}
    options = [one.record["customization_options"] for one in catalogue]
    choices = [one for option in options if option for group in option.values() for one in group or []]

    assert "" in prices
    assert any(" - $" in price for price in prices)
    assert any(price.count("$") == 2 and " - " not in price for price in prices)
    assert "" in options
    assert {"Color": None} in options
    assert {"is_available" in one for one in choices} == {True, False}
    assert any("/" in one["value"] for one in choices)
    assert any(one.get("price") for one in choices)
    assert any(one.record["small_description"] == [""] for one in catalogue)
    assert any("\u200f" in name for one in catalogue for name in one.record["product_information"])
    assert any("<b>" in one.record["full_description"] for one in catalogue)
    assert {type(one.record["average_rating"]) for one in catalogue} == {float, str}


def test_the_price_of_a_page_is_among_those_of_its_choices(products: list[Product]) -> None:
    priced = 0
    for product in products:
        for option in product.options:
            prices = [one.price for one in option.values if one.price is not None]
            if prices:
                assert min(prices) <= product.price <= product.highest_price <= max(prices)
                priced += 1
    assert priced > DEFAULT_SIZE // 4


def test_attributes_are_those_of_the_official_vocabulary(products: list[Product]) -> None:
    annotations = json.loads(shared("items_ins_v2_1000.json").read_text())
    official = {name for entry in annotations.values() for name in entry["attributes"]}
    generated = Counter(name for product in products for name in product.attributes)

    assert set(CLAIMS) <= official
    assert sum(generated[name] for name in generated if name in official) > 0.9 * generated.total()
    assert len(set(generated) & official) > 250


def test_an_attribute_stands_in_title_or_bullets_as_in_the_official_catalogue(
    products: list[Product],
) -> None:
    for product in products:
        said = set().union(*(pairs(text, STOP) for text in (product.title, *product.bullets)))
        for name in product.attributes:
            assert " ".join(words(name)) in said


def test_no_product_contradicts_itself(products: list[Product]) -> None:
    for product in products:
        claimed = [name for name in product.attributes if name in CLAIMS]
        for name in claimed:
            assert not RIVALS[name] & set(claimed) - {name}


def test_products_of_a_family_can_be_confused_and_told_apart() -> None:
    for family in range(3 * len(KINDS)):
        plans = [plan(0, family, member) for member in range(FAMILY)]
        assert len({(one.kind.query, one.style, one.noun, one.detail) for one in plans}) == 1
        assert len({(one.brand, one.model, one.price, one.listed) for one in plans}) == FAMILY
        assert plans[0].brand == plans[1].brand == plans[2].brand
        listed = [set(one.listed) for one in plans]
        assert listed[0] - listed[1]
        assert listed[2] < listed[0]
        assert set(plans[2].bullets) | set(plans[2].described) >= listed[0]
        assert listed[3] < listed[0]


def test_families_do_not_stand_together(products: list[Product]) -> None:
    titles = [product.title.split(",")[0] for product in products]

    assert not any(a == b for a, b in itertools.pairwise(titles))


def test_synthetic_goals_ask_for_what_the_product_has_in_the_official_words(products: list[Product]) -> None:
    asking = [product for product in products if product.synthetic]
    assert 0.3 < len(asking) / len(products) < 0.6
    for product in asking:
        assert product.synthetic is not None
        assert set(product.synthetic.attributes) <= set(product.attributes)
        assert product.synthetic.text.startswith("Find me ")
        assert product.kind in product.synthetic.text
        assert all(name in product.synthetic.text for name in product.synthetic.attributes)


def test_human_goals_ask_for_attributes_and_choices_that_the_product_has(products: list[Product]) -> None:
    asking = [(product, one) for product in products for one in product.human]
    assert len(asking) > DEFAULT_SIZE // 3
    assert 0 < sum(not one.attributes for _, one in asking) < len(asking) // 10
    for product, one in asking:
        offered = {value for values in product.option_values.values() for value in values}
        assert set(one.attributes) <= set(product.attributes)
        assert set(one.options) <= offered
        assert all(value in one.text for value in one.options)
        assert one.text == one.text.lower()
        assert one.text.endswith(".")


def test_human_goals_are_in_the_words_of_official_ones(products: list[Product]) -> None:
    official = json.loads(shared("human_goals.json").read_text())
    known = {word for text in official for word in words(text)}
    said = [word for product in products for one in product.human for word in words(one.text)]
    lengths = [len(text.split()) for text in official]
    own = [len(one.text.split()) for product in products for one in product.human]

    assert sum(word in known for word in said) > 0.97 * len(said)
    assert abs(sum(own) / len(own) - sum(lengths) / len(lengths)) < 4


def test_every_claim_kind_and_palette_is_used() -> None:
    assert {name for one in KINDS for name in one.claims} == set(CLAIMS)
    assert {palette for one in KINDS for _, palette in one.options} == set(PALETTES)
    assert len({one.query for one in KINDS}) == len(KINDS)
    for one in KINDS:
        assert len(one.claims) == len(set(one.claims))
    for palette in PALETTES.values():
        assert len(palette.values) == len(set(palette.values))


@given(st.integers(0, 2**32), st.integers(1, 60))
@settings(max_examples=20, deadline=None)
def test_any_seed_and_size_give_as_many_products_all_sound(seed: int, size: int) -> None:
    catalogue = list(generate_records(seed, size))

    assert len({one.record["asin"] for one in catalogue}) == size
    for one in catalogue:
        assert read_product(one.record, one.annotation, one.instructions).notes == ()


def test_asins_of_products_and_their_variants_never_meet(catalogue: list[Generated]) -> None:
    own = {one.record["asin"] for one in catalogue}
    read = [read_product(one.record).product for one in catalogue]
    variants = [
        (product.asin, value.asin)
        for product in read
        if product
        for option in product.options
        for value in option.values
        if value.asin is not None
    ]

    assert all(variant == asin or variant not in own for asin, variant in variants)
    others = Counter(variant for asin, variant in variants if variant != asin)
    assert max(others.values()) == 1


def test_other_seeds_give_other_products() -> None:
    first, second = (list(generate(seed, 40)) for seed in (0, 1))

    assert not {product.asin for product in first} & {product.asin for product in second}
    assert {product.title for product in first} != {product.title for product in second}


def test_a_seed_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from skillsandbox.envs.webshop.generator import write_generated\n"
        "write_generated(pathlib.Path(sys.argv[1]), 3, 120)"
    )
    for number in ("0", "1"):
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / number)],
            env={**os.environ, "PYTHONHASHSEED": number, "LC_ALL": "C", "TZ": "Asia/Tokyo"},
            check=True,
        )
    names = sorted(path.name for path in (tmp_path / "0").iterdir())

    assert names == ["items_human_ins.json", "items_ins_v2.json", "items_shuffle.json"]
    for name in names:
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()


def test_the_files_that_are_written_hold_the_catalogue(tmp_path: Path) -> None:
    files = write_generated(tmp_path, 5, 60)
    assert files.attributes is not None
    assert files.human is not None
    catalogue = list(generate_records(5, 60))

    assert json.loads(files.products.read_text()) == [one.record for one in catalogue]
    assert json.loads(files.attributes.read_text()) == {
        one.record["asin"]: one.annotation for one in catalogue
    }
    assert json.loads(files.human.read_text()) == {
        one.record["asin"]: one.instructions for one in catalogue if one.instructions
    }


def test_the_first_products_of_a_large_catalogue_come_at_once() -> None:
    endless = generate_records(0, 1_180_000)
    first = [next(endless) for _ in range(50)]

    assert len({one.record["asin"] for one in first}) == 50
    assert len({one.record["query"] for one in first}) > 20
