"""The data store: what stands in it, its cache, and what can be asked of it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shelf import RECORDS, catalogues, record, shared, write_json

from skillsandbox.compiler.environment import TooCostly
from skillsandbox.envs.webshop import store as store_module
from skillsandbox.envs.webshop.building import CONTENT_VERSION
from skillsandbox.envs.webshop.catalogue import UNLISTED_ATTRIBUTES, Product, UnknownProductError
from skillsandbox.envs.webshop.generator import generate
from skillsandbox.envs.webshop.loading import OfficialFiles, official_files
from skillsandbox.envs.webshop.store import StoreError, WebshopStore, open_official, open_store
from skillsandbox.grammar.cache import CACHE_VARIABLE

SIZE = 300


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebshopStore]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield open_store(0, SIZE)


@pytest.fixture(scope="module")
def expected() -> list[Product]:
    return list(generate(0, SIZE))


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


# Content.


def test_a_store_gives_back_every_product_in_order(store: WebshopStore, expected: list[Product]) -> None:
    assert list(store.products()) == expected
    assert list(store.asins()) == [product.asin for product in expected]
    assert [store.product(product.asin) for product in expected] == expected
    assert len(store) == SIZE


def test_every_field_of_every_record_keeps_its_source_value(
    store: WebshopStore, expected: list[Product]
) -> None:
    for kept, product in zip(store.products(), expected, strict=True):
        assert dict(kept.source) == product.source
        assert list(kept.source) == list(product.source)
        assert [one.source for one in kept.human] == [one.source for one in product.human]


def test_a_store_knows_which_products_it_has(store: WebshopStore, expected: list[Product]) -> None:
    assert expected[-1].asin in store
    assert "B0NOTTHERE" not in store
    assert 7 not in store
    with pytest.raises(UnknownProductError):
        store.product("B0NOTTHERE")


@given(catalogues())
@settings(max_examples=30, deadline=None)
def test_any_products_come_back_as_they_were(listed: list[Product]) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, folder)
        store = store_module._open("any", lambda folder, connection: listed)
        assert list(store.products()) == listed
        assert [store.product(product.asin) for product in listed] == listed
        store.close()


def test_a_source_that_is_no_unicode_comes_back_as_it_was(cache: Path, tmp_path: Path) -> None:
    broken = record(name="cut \ud83d", product_information={"x\u200f": [float("inf")]})
    store = open_official(OfficialFiles(write_json(tmp_path / "items.json", [broken])))

    assert [dict(product.source) for product in store.products()] == [broken]


# Queries: each typed predicate against a filter in Python.


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("v.kind = 'console tables'", lambda p: p.kind == "console tables"),
        ("v.category = 'beauty' AND v.price < 2000", lambda p: p.category == "beauty" and p.price < 2000),
        ("v.highest_price > v.price", lambda p: p.highest_price > p.price),
        ("v.rating >= 4.5", lambda p: p.rating is not None and p.rating >= 4.5),
        ("INSTR(v.title, 'Table') > 0", lambda p: "Table" in p.title),
        ("INSTR(v.description, 'Made for') > 0", lambda p: "Made for" in p.description),
        (
            "v.number IN (SELECT product FROM attribute WHERE name = 'easy clean')",
            lambda p: "easy clean" in p.attributes,
        ),
        (
            "v.number IN (SELECT product FROM choice WHERE name = 'color' AND value = 'black')",
            lambda p: "black" in p.option_values.get("color", ()),
        ),
        (
            "v.number IN (SELECT product FROM bullet WHERE INSTR(text, 'damp cloth') > 0)",
            lambda p: any("damp cloth" in text for text in p.bullets),
        ),
        (
            "v.product_category IN (SELECT path FROM category WHERE name = 'Furniture')",
            lambda p: "Furniture" in p.categories,
        ),
    ],
)
def test_predicates_find_the_products_for_which_they_hold(
    store: WebshopStore, expected: list[Product], condition: str, holds: object
) -> None:
    assert callable(holds)
    rows = store.query(f"SELECT v.asin FROM product v WHERE {condition} ORDER BY v.number")
    wanted = [product.asin for product in expected if holds(product)]

    assert [asin for (asin,) in rows] == wanted
    assert 0 < len(wanted) < SIZE


def test_the_store_says_what_occurs_and_how_often(store: WebshopStore, expected: list[Product]) -> None:
    kinds: dict[str, int] = dict(store.query("SELECT name, products FROM kind"))
    attributes: dict[str, int] = dict(store.query("SELECT name, products FROM attribute_name"))
    values = {(name, value): n for name, value, n in store.query("SELECT * FROM choice_value")}

    assert sum(kinds.values()) == SIZE
    assert attributes["easy clean"] == sum("easy clean" in product.attributes for product in expected)
    assert values["color", "black"] == sum(
        "black" in product.option_values.get("color", ()) for product in expected
    )


def test_products_that_no_file_lists_attributes_for_have_none_in_the_table(
    cache: Path, tmp_path: Path
) -> None:
    store = open_official(OfficialFiles(write_json(tmp_path / "items.json", RECORDS)))

    assert {product.attributes for product in store.products()} == {UNLISTED_ATTRIBUTES}
    assert store.query("SELECT * FROM attribute") == []
    assert store.query("SELECT * FROM attribute_name") == []


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("v.kind = ? AND v.price < 1", "item_by_kind"),
        ("v.category = ? AND v.price < 1", "item_by_category"),
        ("v.asin = ?", "item_by_asin"),
        ("v.number IN (SELECT product FROM attribute WHERE name = ?)", "attribute_by_name"),
        ("v.number IN (SELECT product FROM choice WHERE value = ?)", "choice_by_value"),
    ],
)
def test_predicates_use_an_index_and_leave_texts_alone(
    store: WebshopStore, condition: str, index: str
) -> None:
    plan = str(store.query(f"EXPLAIN QUERY PLAN SELECT v.asin FROM product v WHERE {condition}", ("x",)))

    assert index in plan
    assert "body" not in plan


def test_words_are_found_whatever_their_case(store: WebshopStore, expected: list[Product]) -> None:
    rows = store.query("SELECT asin FROM product WHERE INSTR(fold(title), fold(?)) > 0", ("TABLE",))
    assert {asin for (asin,) in rows} == {one.asin for one in expected if "table" in one.title.lower()}
    assert store.query("SELECT fold('\u00c9CRU \u0130')") == [("\u00c9CRU \u0130".lower(),)]


@pytest.mark.parametrize("human", [True, False])
def test_products_with_instructions_are_found_without_the_others(
    store: WebshopStore, expected: list[Product], human: bool
) -> None:
    found = list(store.products_with_instructions(human=human))

    assert found == [one for one in expected if (one.human if human else one.synthetic)]
    assert 0 < len(found) < SIZE


def test_a_query_can_not_write(store: WebshopStore) -> None:
    with pytest.raises(sqlite3.OperationalError):
        store.query("DELETE FROM item")


def test_a_query_that_takes_too_long_is_given_up(
    store: WebshopStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "TICK", 1000)
    with pytest.raises(TooCostly):
        store.query("SELECT COUNT(*) FROM item a, item b, item c WHERE a.price + b.price < c.price")

    assert store.query("SELECT COUNT(*) FROM item") == [(SIZE,)]


def test_several_threads_can_use_a_store(store: WebshopStore, expected: list[Product]) -> None:
    found: list[list[Product]] = []
    threads = [threading.Thread(target=lambda: found.append(list(store.products()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [expected] * 4


def test_a_query_that_is_given_up_stops_nobody_else(
    store: WebshopStore, expected: list[Product], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "TICK", 100)

    def ask() -> None:
        for _ in range(100):
            with pytest.raises(TooCostly):
                store.query("SELECT COUNT(*) FROM item a, item b, item c WHERE a.price + b.price < c.price")

    asking = threading.Thread(target=ask)
    asking.start()
    read = 0
    while asking.is_alive():
        assert list(store.products()) == expected
        read += 1
    assert read > 0


# Cache.


def test_a_store_is_built_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_store(0, 20)
    monkeypatch.setattr(store_module, "build_database", None)
    second = open_store(0, 20)

    assert first.data_version == second.data_version
    assert [path.name for path in cache.iterdir()] == [f"webshop-{CONTENT_VERSION}-generated-0-20.sqlite3"]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "text"])
def test_a_damaged_file_is_built_again(cache: Path, damage: str) -> None:
    version = open_store(0, 20).data_version
    path = only_file(cache)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = {
        "flip": bytes(content),
        "cut": bytes(content[:5000]),
        "empty": b"",
        "text": b"no database" * 99,
    }
    path.write_bytes(damaged[damage])

    assert open_store(0, 20).data_version == version
    assert len(list(open_store(0, 20).products())) == 20


def test_a_damaged_file_is_replaced_and_not_written_over(cache: Path) -> None:
    open_store(0, 20).close()
    path = only_file(cache)
    path.write_bytes(b"damaged")
    with path.open("rb") as reader:
        open_store(0, 20).close()
        assert reader.read() == b"damaged"


def test_a_large_file_is_checked_in_places(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BLOCK", 16)
    monkeypatch.setattr(store_module, "MOST_BLOCKS", 64)
    open_store(0, 20)
    path = only_file(cache)
    assert store_module._is_intact(path)
    with path.open("ab") as stream:
        stream.write(b"x")
    assert not store_module._is_intact(path)


def test_processes_can_build_the_same_store_at_once(cache: Path) -> None:
    code = (
        "from skillsandbox.envs.webshop.store import open_store\n"
        "store = open_store(0, 150)\n"
        "print(store.data_version, sum(1 for _ in store.products()))"
    )
    environment = {**os.environ, CACHE_VARIABLE: str(cache)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate()[0] for process in running]

    assert [process.returncode for process in running] == [0, 0]
    assert outputs[0] == outputs[1] == f"{open_store(0, 150).data_version} 150\n"
    assert only_file(cache).suffix == ".sqlite3"


def test_a_folder_that_can_not_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))

    with pytest.raises(StoreError, match=CACHE_VARIABLE):
        open_store(0, 20)


def test_official_files_are_found_again_until_they_change(cache: Path, tmp_path: Path) -> None:
    path = write_json(tmp_path / "items.json", RECORDS)
    first = open_official(OfficialFiles(path))
    assert open_official(OfficialFiles(path)).data_version == first.data_version
    assert len(list(cache.iterdir())) == 1

    write_json(path, [*RECORDS, record(asin="B0MORE0000")])
    changed = open_official(OfficialFiles(path))

    assert len(changed) == len(first) + 1
    assert changed.data_version != first.data_version


def test_files_that_were_changed_in_the_middle_are_read_again(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "BLOCK", 64)
    path = write_json(tmp_path / "items.json", RECORDS)
    os.utime(path, ns=(1, 1))
    first = open_official(OfficialFiles(path))
    path.write_text(path.read_text().replace("In Stock", "No Stock"))
    os.utime(path, ns=(2, 2))

    assert open_official(OfficialFiles(path)).data_version != first.data_version


def test_files_that_hold_the_same_give_the_same_version(cache: Path, tmp_path: Path) -> None:
    one = write_json(tmp_path / "one.json", RECORDS)
    two = write_json(tmp_path / "two.json", RECORDS)

    assert open_official(OfficialFiles(one)).data_version == open_official(OfficialFiles(two)).data_version


@given(st.sampled_from(["asin", "name", "pricing", "seller_name"]))
@settings(max_examples=4, deadline=None)
def test_every_field_counts_for_the_version(field: str) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, folder)
        one, other = record(), record(**{field: "$5"})
        versions = [
            open_official(OfficialFiles(write_json(Path(folder) / f"{name}.json", [content]))).data_version
            for name, content in (("one", one), ("other", other))
        ]
        assert versions[0] != versions[1]


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1, 2]", '[{"asin": "nan", "name": "x"}]'])
def test_files_without_a_product_are_an_error_and_leave_nothing(
    cache: Path, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "items.json"
    path.write_text(text)

    with pytest.raises(StoreError):
        open_official(OfficialFiles(path))
    assert list(cache.iterdir()) == []


def test_files_that_are_not_there_are_an_error(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        open_official(OfficialFiles(tmp_path / "none.json"))


def test_findings_stay_with_the_store(cache: Path, tmp_path: Path) -> None:
    path = write_json(tmp_path / "items.json", [record(pricing="USD 5"), 7])
    open_official(OfficialFiles(path)).close()
    findings = list(open_official(OfficialFiles(path)).findings())

    assert [(one.row, one.skipped) for one in findings] == [(1, False), (2, True)]
    assert "USD 5" in findings[0].text


def test_the_official_catalogue_has_the_official_attributes_and_instructions(cache: Path) -> None:
    files = official_files(shared("oracle"))
    store = open_official(files)
    assert files.attributes is not None
    assert files.human is not None
    annotations = json.loads(files.attributes.read_text())
    human = json.loads(files.human.read_text())

    assert len(store) == 50
    for product in store.products():
        annotation = annotations[product.asin]
        assert list(product.attributes) == annotation["attributes"]
        assert (product.synthetic.text if product.synthetic else None) == annotation.get("instruction")
        assert [one.source for one in product.human] == human.get(product.asin, [])


def test_the_content_version_is_raised_when_the_content_changes(store: WebshopStore) -> None:
    pinned = {4: "221ab3f5"}

    assert store.data_version.startswith(pinned[CONTENT_VERSION])
