"""Overlays: a catalogue read through a patch is the edited catalogue, search and all."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillsandbox.compiler.decoding import Malformed
from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.webshop import environment, operations
from skillsandbox.envs.webshop.catalogue import MemoryCatalogue, Product, index_text
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.generator import generate
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.overlay import (
    OverlaidCatalogue,
    OverlaidSearch,
    Overlay,
    OverlayError,
    Patch,
    Pin,
    overlay_from_data,
    overlay_to_data,
    pinned,
)

PRODUCTS = tuple(generate(1, 40))
BASE = MemoryCatalogue(PRODUCTS)
INDEX = Index.of((product.asin, index_text(product)) for product in PRODUCTS)
OPTIONS = [
    (product.asin, option.name, one.value)
    for product in PRODUCTS
    for option in product.options
    for one in option.values
]
WORDS = sorted({word for product in PRODUCTS for word in product.title.lower().split()})
QUERIES = [*WORDS[::7], *(product.title for product in PRODUCTS[:5])]


def configuration(overlay: Overlay | None = None) -> Configuration:
    """Return the small catalogue as a configuration; it needs no store."""
    base: Any = attrs.make_class("Small", ["name", "data_version", "store", "index"])(
        "small", BASE.data_version, BASE, INDEX
    )
    return Configuration(base, overlay or Overlay(BASE.data_version))


def entity(asin: str) -> Entity:
    return Entity("Product", asin)


asins = st.sampled_from([product.asin for product in PRODUCTS])
words = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
parts = st.sampled_from(["title", "features", "description"])
amounts = st.integers(1, 99_999)


def calls(symbol: str, *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[GroundCall]:
    return st.tuples(*arguments).map(lambda values: GroundCall(symbol, values))


differences = st.lists(
    st.one_of(
        calls("differ_price", amounts),
        calls("differ_with", st.just("easy clean")),
        calls("differ_without", st.sampled_from([one for p in PRODUCTS for one in p.attributes])),
        calls("differ_option", st.sampled_from(["color", "size"]), words),
        calls("differ_title", words),
    ),
    max_size=3,
).map(tuple)
products = asins.map(entity)
edits = st.one_of(
    calls("alter_add", products, parts, words),
    calls("alter_remove", products, parts, words),
    calls("alter_replace", products, parts, words, words),
    calls("alter_set", products, parts, words),
    calls("alter_price", products, amounts),
    calls("alter_rating", products, st.integers(0, 50)),
    calls("alter_kind", products, words),
    calls("add_attribute", products, words),
    calls("add_priced_option", st.sampled_from(["color", "size", "Fit"]), words, products, amounts),
    calls("move_words", words, parts, parts, products),
    calls("remove", products),
    calls("add_distractor", products, differences),
    calls("add_distractors", st.integers(1, 3), products, differences),
    st.sampled_from(OPTIONS).flatmap(
        lambda one: st.sampled_from(["remove_option", "withdraw_option"]).map(
            lambda symbol: GroundCall(symbol, (one[1], one[2], entity(one[0])))
        )
    ),
    st.sampled_from(OPTIONS).flatmap(
        lambda one: words.map(
            lambda name: GroundCall("rename_option", (one[1], one[2], entity(one[0]), name))
        )
    ),
)


def edited(*operations_: GroundCall) -> Configuration:
    """Return what operations make of the small catalogue; those that are refused change nothing."""
    made, random = configuration(), Random(0)
    for operation in operations_:
        try:
            made = operations.apply(made, operation, random)
        except Refused:
            continue
    return made


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(edits, max_size=6))
def test_a_composite_is_the_edited_catalogue(done: list[GroundCall]) -> None:
    made = edited(*done)
    whole = MemoryCatalogue(tuple(made.catalogue.products()))
    assert list(made.catalogue.asins()) == list(whole.asins())
    assert len(made.catalogue) == len(whole)
    for asin in {*whole.asins(), *BASE.asins()}:
        assert (asin in made.catalogue) == (asin in whole)
    for product in whole.products():
        assert made.catalogue.product(product.asin) == product
    fresh = Index.of((product.asin, index_text(product)) for product in whole.products())
    for query in QUERIES:
        assert made.search(query) == tuple(hit.id for hit in fresh.search(query))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(edits, max_size=6))
def test_edits_of_products_through_an_overlay_are_edits_of_products(done: list[GroundCall]) -> None:
    shelf, made = {product.asin: product for product in PRODUCTS}, configuration()
    for operation in (one for one in done if one.symbol in operations._EDITS):
        (key,) = (argument.key for argument in operation.arguments if isinstance(argument, Entity))
        rest = [argument for argument in operation.arguments if not isinstance(argument, Entity)]
        try:
            shelf[key] = operations._EDITS[operation.symbol](shelf[key], *rest)
        except Refused:
            with pytest.raises(Refused):
                operations.apply(made, operation, Random(0))
        else:
            made = operations.apply(made, operation, Random(0))
    assert list(made.catalogue.products()) == list(shelf.values())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(edits, max_size=6))
def test_an_overlay_is_small_and_comes_back_from_json(done: list[GroundCall]) -> None:
    overlay = edited(*done).overlay
    text = json.dumps(overlay_to_data(overlay))
    assert overlay_from_data(json.loads(text)) == overlay
    assert len(text) < 6_000 * (1 + len(done))
    again = OverlaidCatalogue(BASE, overlay_from_data(json.loads(text)))
    assert list(again.products()) == list(edited(*done).catalogue.products())


def test_an_untouched_product_is_the_base_s_own() -> None:
    first, second = PRODUCTS[0].asin, PRODUCTS[1].asin
    made = edited(GroundCall("alter_price", (entity(first), 500)))
    assert made.catalogue.product(first).price == 500
    assert made.catalogue.product(second) is BASE.product(second)
    assert BASE.product(first).price != 500


def test_an_edit_that_is_taken_back_leaves_nothing() -> None:
    product = PRODUCTS[0]
    made = edited(
        GroundCall("alter_set", (entity(product.asin), "title", "else")),
        GroundCall("alter_set", (entity(product.asin), "title", product.title)),
    )
    assert made.overlay.is_empty
    assert made.catalogue.data_version == BASE.data_version


def test_an_overlay_of_another_base_is_refused() -> None:
    with pytest.raises(OverlayError, match="cannot be put on"):
        OverlaidCatalogue(BASE, Overlay("another"))


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"base": "b", "edited": {"A": {"colour": 1}}, "added": {}, "removed": [], "pins": []},
        {"base": "b", "edited": {}, "added": {}, "removed": [], "pins": [{"asin": "A"}]},
        {"base": "b", "edited": {}, "added": {}, "removed": "A", "pins": []},
        {"base": 1, "edited": {}, "added": {}, "removed": [], "pins": []},
        *(
            {
                "base": "b",
                "edited": {},
                "added": {},
                "removed": [],
                "pins": [{"asin": "A", "query": None} | pin],
            }
            for pin in (
                {"asin": "A", "rank": 0, "query": None},
                {"asin": "A", "rank": "1", "query": None},
                {"asin": "A", "rank": 1, "query": 5},
                {"asin": None, "rank": 1, "query": None},
            )
        ),
        *(
            {"base": "b", "edited": {"A": fields}, "added": {}, "removed": [], "pins": []}
            for fields in (
                {"title": 5},
                {"bullets": "one"},
                {"attributes": [None]},
                {"prices": []},
                {"prices": ["$5"]},
                {"prices": [True]},
                {"rating": "4.5"},
                {"like": 7, "title": "x"},
                {"options": {"color": ["red"]}},
                {"options": [{"name": "color", "values": ["red"]}]},
                {"options": [{"name": "color", "values": [{"value": 5}]}]},
                {"options": [{"name": "color", "values": [{"value": "red", "price": "5"}]}]},
            )
        ),
    ],
)
def test_what_is_no_overlay_is_refused(data: Any) -> None:
    with pytest.raises(Malformed, match=r"^at `overlay"):
        overlay_from_data(data)


@pytest.mark.parametrize(
    "overlay",
    [
        Overlay(BASE.data_version, removed=frozenset(["B0NOWHERE0"])),
        Overlay(BASE.data_version, edited=(("B0NOWHERE0", Patch("B0NOWHERE0", (("title", "x"),))),)),
        Overlay(BASE.data_version, added=(("B0NEW00000", Patch("B0NOWHERE0")),)),
    ],
)
def test_an_overlay_that_speaks_of_products_of_another_base_is_refused(overlay: Overlay) -> None:
    with pytest.raises(OverlayError, match="has no product B0NOWHERE0"):
        OverlaidCatalogue(BASE, overlay)


@given(
    st.permutations(list("ABCDEF")),
    st.dictionaries(st.sampled_from("ABCXYZ"), st.integers(1, 6), max_size=3).filter(
        lambda ranks: len(set(ranks.values())) == len(ranks)
    ),
)
def test_pinned_products_stand_at_their_places_and_the_others_keep_their_order(
    found: list[str], ranks: dict[str, int]
) -> None:
    results = pinned(found, "a  Query", [Pin(asin, rank, "a query") for asin, rank in ranks.items()])
    for asin, rank in ranks.items():
        assert results[rank - 1] == asin
    assert [asin for asin in results if asin not in ranks] == [asin for asin in found if asin not in ranks]
    assert pinned(found, "other", [Pin("A", 6, "a query")]) == tuple(found)


def test_a_pin_for_every_query_moves_what_is_found_only() -> None:
    pins = [Pin("X", 1), Pin("C", 1)]
    assert pinned(["A", "B", "C"], "anything", pins) == ("C", "A", "B")
    assert pinned(["A", "B", "C"], "q", [*pins, Pin("C", 2, "q")]) == ("A", "C", "B")


def test_a_place_behind_all_results_is_refused() -> None:
    asin = PRODUCTS[0].asin
    pin = GroundCall("rank_for_query", (entity(asin), 9, PRODUCTS[0].title.split()[0]))
    others = len(configuration().search(PRODUCTS[0].title.split()[0])) - 1
    assert others < 8
    with pytest.raises(Refused, match=f"{others} other results"):
        operations.apply(configuration(), pin, Random(0))


def said(product: Product) -> str:
    return "\n".join((product.title, *product.bullets, product.description)).lower()


def test_a_distractor_differs_as_stated_and_in_nothing_else() -> None:
    product = next(one for one in PRODUCTS if "easy clean" in one.attributes or len(one.attributes) > 2)
    attribute = product.attributes[0]
    wanted = (GroundCall("differ_price", (7900,)), GroundCall("differ_without", (attribute,)))
    made = edited(GroundCall("add_distractors", (2, entity(product.asin), wanted)))
    clones = [made.catalogue.product(asin) for asin, _ in made.overlay.added]
    assert len({clone.asin for clone in clones}) == 2
    for clone in clones:
        assert clone.price == 7900
        assert attribute not in clone.attributes
        assert attribute not in said(clone)
        assert clone.human == ()
        assert clone.synthetic is None
        assert (clone.query, clone.options, clone.images) == (product.query, product.options, product.images)


def test_what_moves_is_no_longer_where_it_was() -> None:
    product = next(one for one in PRODUCTS if len(one.bullets) > 2 and len(one.bullets[1].split()) > 3)
    moved = product.bullets[1].split(" ", 1)[1][:12].strip()
    made = edited(GroundCall("move_words", (moved, "features", "description", entity(product.asin))))
    after = made.catalogue.product(product.asin)
    assert product.bullets[1] not in after.bullets
    assert after.description.endswith(product.bullets[1].strip())


def test_words_are_taken_out_whatever_their_case() -> None:
    product = attrs.evolve(PRODUCTS[0], description="EASY clean, and easy Clean again")
    assert operations.text_of(
        operations._remove_text(product, "description", "easy clean"), "description"
    ) == (", and again")


def test_a_search_without_edits_is_the_base_s_own() -> None:
    assert OverlaidSearch(INDEX, configuration().catalogue).unpinned is INDEX


def test_a_configuration_comes_back_from_a_manifest() -> None:
    base = environment().open_store()
    asin = sorted(base.store.asins())[0]  # type: ignore[attr-defined]  # it is WebShop's own
    made = Configuration(base, Overlay(base.data_version))  # type: ignore[arg-type]
    made = operations.apply(made, GroundCall("alter_price", (entity(asin), 1)), Random(0))
    assert environment().load(json.loads(json.dumps(environment().dump(made)))) == made
    foreign = {**environment().dump(made)}
    foreign["overlay"] = {**foreign["overlay"], "base": "another"}
    with pytest.raises(Refused, match=r"cannot be put on .*; compile the program again"):
        environment().load(foreign)
