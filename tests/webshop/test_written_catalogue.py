"""Export: the official loader reads back the same products and goals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from shelf import RECORDS, bent_records, catalogues, record, shared

from skillsandbox.envs.webshop.catalogue import MemoryCatalogue, OptionValue, Product
from skillsandbox.envs.webshop.export import export, export_record
from skillsandbox.envs.webshop.loading import OfficialFiles, official_files
from skillsandbox.envs.webshop.records import read_product
from skillsandbox.envs.webshop.store import open_official
from skillsandbox.grammar.cache import CACHE_VARIABLE


def read_back(files: OfficialFiles) -> list[Product]:
    """Read official files in one piece, and see that nothing in them is out of order."""
    assert files.attributes is not None
    assert files.human is not None
    annotations = json.loads(files.attributes.read_text())
    human = json.loads(files.human.read_text())
    products = []
    for one in json.loads(files.products.read_text()):
        reading = read_product(one, annotations[one["asin"]], human.get(one["asin"]))
        assert reading.notes == ()
        assert reading.product is not None
        products.append(reading.product)
    return products


def exported(listed: list[Product]) -> list[Product]:
    with TemporaryDirectory() as folder:
        return read_back(export(MemoryCatalogue(listed), Path(folder)))


@given(catalogues())
@settings(deadline=None)
def test_products_of_any_shape_come_back_as_they_were(listed: list[Product]) -> None:
    assert exported(listed) == listed


@given(bent_records())
@settings(max_examples=200, deadline=None)
def test_whatever_became_of_a_record_comes_back(bent: dict[str, Any]) -> None:
    product = read_product(bent).product
    if product is not None:
        assert exported([product]) == [product]


def test_a_record_that_is_sound_is_written_as_it_stands() -> None:
    records = [*RECORDS, *json.loads(shared("items_sample.json").read_text())]
    for one in records:
        product = read_product(one).product
        assert product is not None
        assert export_record(product) == one
        assert list(export_record(product)) == list(one)


def test_an_edit_is_written_and_the_rest_left_as_it_stands() -> None:
    one = record()
    product = read_product(one).product
    assert product is not None
    edited = attrs.evolve(product, title="New title", prices=(12.5,))

    assert export_record(edited) == {**one, "name": "New title", "pricing": "$12.5"}
    assert exported([edited]) == [edited]


def test_an_edited_option_is_written_with_all_that_is_known_of_it() -> None:
    product = read_product(record()).product
    assert product is not None
    (color,) = product.options
    added = OptionValue(
        "sea | green", "Sea/Green", 1250, "https://shop.example/x.jpg", "B0NEW", available=False
    )
    edited = attrs.evolve(product, options=(attrs.evolve(color, values=(*color.values, added)),))

    assert exported([edited]) == [edited]


@pytest.mark.parametrize("name", ["white | oak", "oak | ", '60"'])
def test_a_choice_that_was_renamed_is_shown_under_its_new_name(name: str) -> None:
    product = read_product(record()).product
    assert product is not None
    (color,) = product.options
    renamed = attrs.evolve(color.values[0], value=name)
    edited = attrs.evolve(product, options=(attrs.evolve(color, values=(renamed,)),))

    assert exported([edited])[0].option_values == {"color": (name,)}


def test_a_clone_has_its_own_asin_everywhere() -> None:
    product = read_product(
        record(),
        None,
        [
            {
                "asin": "B0OLD",
                "instruction": "i need x",
                "instruction_attributes": ["a"],
                "instruction_options": [],
            }
        ],
    ).product
    assert product is not None
    clone = attrs.evolve(product, asin="B0CLONE000")
    back = exported([clone])

    assert back == [clone]
    assert back[0].source["asin"] == "B0CLONE000"
    assert back[0].human[0].source["asin"] == "B0CLONE000"


@pytest.mark.parametrize("folder", ["oracle"])
def test_an_official_catalogue_exports_to_the_same_catalogue(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    store = open_official(official_files(shared(folder)))
    again = open_official(export(store, tmp_path / "export"))

    assert again.data_version == store.data_version
    assert list(again.products()) == list(store.products())
    assert list(again.findings()) == []


@attrs.define(frozen=True, slots=False)
class BreakingCatalogue(MemoryCatalogue):
    """A catalogue that cannot be read to its end."""

    def products(self) -> Iterator[Product]:
        yield from super().products()
        raise RuntimeError("no more products")


def test_an_export_that_fails_leaves_the_files_that_were_there(tmp_path: Path) -> None:
    product = read_product(record()).product
    assert product is not None
    export(MemoryCatalogue([product]), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(RuntimeError, match="no more products"):
        export(BreakingCatalogue([product, attrs.evolve(product, asin="B0OTHER")]), tmp_path)

    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_files_are_replaced_and_not_written_over(tmp_path: Path) -> None:
    old = tmp_path / "items_shuffle.json"
    old.write_text("old")
    with old.open() as reader:
        export(MemoryCatalogue([]), tmp_path)
        assert reader.read() == "old"


def test_an_empty_catalogue_is_three_empty_files(tmp_path: Path) -> None:
    files = export(MemoryCatalogue([]), tmp_path)
    assert files.attributes is not None
    assert files.human is not None

    assert [json.loads(path.read_text()) for path in (files.products, files.attributes, files.human)] == [
        [],
        {},
        {},
    ]
