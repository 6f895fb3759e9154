"""Loading the official files: every quirk loads or is reported by row, and none ends the load."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from shelf import RECORDS, bent_records, record, shared, write_json

from skillsandbox.envs.webshop import streaming
from skillsandbox.envs.webshop.catalogue import DEFAULT_PRICE, UNLISTED_ATTRIBUTES, Product, price_tag
from skillsandbox.envs.webshop.loading import (
    Finding,
    LoadError,
    OfficialFiles,
    official_files,
    stream_attributes,
    stream_instructions,
    stream_products,
)
from skillsandbox.envs.webshop.records import LONGEST_ASIN, read_product


@attrs.frozen
class Listed:
    """Annotations from dictionaries."""

    of_attributes: dict[str, Any] = attrs.field(factory=dict)
    of_instructions: dict[str, Any] = attrs.field(factory=dict)

    def attributes(self, asin: str) -> object:
        return self.of_attributes.get(asin)

    def instructions(self, asin: str) -> object:
        return self.of_instructions.get(asin)


def load(path: Path, annotations: Listed | None = None) -> tuple[list[Product], list[Finding]]:
    products: list[Product] = []
    findings: list[Finding] = []
    known = set[str]()
    for one in stream_products(path, annotations or Listed(), known):
        if isinstance(one, Finding):
            findings.append(one)
        else:
            products.append(one)
            known.add(one.asin)
    return products, findings


def read(**changes: object) -> tuple[Product, tuple[str, ...]]:
    reading = read_product(record(**changes))
    assert reading.product is not None
    return reading.product, reading.notes


# Records.


def test_real_records_load_without_a_note_and_keep_their_source() -> None:
    records = json.loads(shared("items_sample.json").read_text())
    for one in records:
        reading = read_product(one)
        assert reading.notes == ()
        assert reading.product is not None
        assert reading.product.source == one


def test_a_real_record_reads_as_the_official_loader_reads_it() -> None:
    records = {one["asin"]: one for one in json.loads(shared("items_sample.json").read_text())}
    hoodie = read_product(records["B07WX8FPGG"]).product
    basket = read_product(records["B000J3HZXS"]).product
    table = read_product(records["B09DG92LJL"]).product
    assert hoodie is not None
    assert basket is not None
    assert table is not None

    assert hoodie.price_tag == "$23.99 to $37.99"
    assert hoodie.query == "women's fashion hoodies & sweatshirts"
    assert hoodie.option_values["color"][:3] == ("black", "gery", "white")
    assert [one.price for one in basket.options[0].values] == [1999, 2899, 3660, 3368]
    assert [one.asin for one in basket.options[0].values] == [None, "B000J38Z7I", "B001VEQWQK", "B0032G901E"]
    assert [one.selected for one in basket.options[0].values] == [True, False, False, False]
    assert table.options == ()


@pytest.mark.parametrize(
    ("pricing", "prices"),
    [
        ("USD 10", (10.0,)),
        ("$", (DEFAULT_PRICE,)),
        ("12.99 - 15.50", (12.99, 15.5)),
        (12.5, (12.5,)),
        (float("nan"), (DEFAULT_PRICE,)),
        (["$5"], (DEFAULT_PRICE,)),
        ("$" + "9" * 400, (DEFAULT_PRICE,)),
    ],
)
def test_prices_that_the_official_loader_dies_of_are_read_and_noted(
    pricing: object, prices: tuple[float, ...]
) -> None:
    product, notes = read(pricing=pricing)

    assert product.prices == prices
    assert any("pricing" in note for note in notes)


@pytest.mark.parametrize("pricing", ["", None, ..., 0, []])
def test_a_missing_price_is_the_default_and_no_fault(pricing: object) -> None:
    product, notes = read(pricing=pricing)

    assert product.prices == (DEFAULT_PRICE,)
    assert notes == ()


@pytest.mark.parametrize("options", ["", None, {}, {"Color": None}])
def test_empty_options_are_no_fault(options: object) -> None:
    product, notes = read(customization_options=options)

    assert (product.options, notes) == ((), ())


def test_an_option_can_be_without_choices() -> None:
    product, notes = read(customization_options={"Color": [], "Size": ""})

    assert product.option_values == {"color": (), "size": ()}
    assert notes == ()


def test_options_without_asin_image_or_price_load() -> None:
    product, notes = read(customization_options={"Color": [{"value": " A/B "}, {"value": "C", "asin": "B1"}]})

    assert product.option_values == {"color": ("a | b", "c")}
    assert [one.asin for one in product.options[0].values] == [None, "B1"]
    assert notes == ()


def test_unavailable_choices_are_told_apart() -> None:
    choices = [{"value": "a", "is_available": False}, {"value": "b", "is_unavailable": True}, {"value": "c"}]
    product, _ = read(customization_options={"Size": choices})

    assert [one.available for one in product.options[0].values] == [False, False, True]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"customization_options": [1]}, "customization_options"),
        ({"customization_options": {"Color": [{"asin": "B1"}]}}, "no value"),
        ({"customization_options": {"Color": False}}, "color"),
        ({"customization_options": {"Color": [], "COLOR": []}}, "twice"),
        ({"images": []}, "images"),
        ({"images": "http://x/y.jpg"}, "images"),
        ({"small_description": []}, "small_description"),
        ({"small_description": [None]}, "bullet"),
        ({"full_description": None}, "full_description"),
        ({"full_description": ...}, "full_description"),
        ({"name": 12}, "name"),
        ({"name": "cut \ud83d emoji"}, "Unicode"),
        ({"query": None}, "query"),
    ],
)
def test_what_the_official_loader_dies_of_loads_with_a_note(changes: dict[str, object], word: str) -> None:
    _, notes = read(**changes)

    assert any(word in note for note in notes)


def test_markup_stays_as_it_is() -> None:
    product, notes = read(small_description=["<b>Easy</b> & {{ light }}"])

    assert product.bullets == ("<b>Easy</b> & {{ light }}",)
    assert notes == ()


@pytest.mark.parametrize("asin", ["nan", "", "B0TOOLONG1234", None, 5, ...])
def test_products_without_a_usable_asin_are_left_out(asin: object) -> None:
    reading = read_product(record(asin=asin))

    assert reading.product is None
    assert len(reading.notes) == 1


def test_a_product_that_the_attributes_do_not_list_has_the_official_placeholder() -> None:
    assert read()[0].attributes == UNLISTED_ATTRIBUTES
    assert read_product(record(), {"attributes": []}).product == attrs.evolve(read()[0], attributes=())


def test_instructions_are_those_of_the_two_files() -> None:
    annotation = {"attributes": ["a b"], "instruction": "Find me x", "instruction_attributes": ["a b"]}
    entry = {
        "instruction": "i need x.",
        "instruction_attributes": [],
        "instruction_options": ["red"],
        "more": 1,
    }
    reading = read_product(record(), annotation, [entry, {"no": "text"}])
    assert reading.product is not None

    assert reading.product.synthetic is not None
    assert reading.product.synthetic.text == "Find me x"
    assert [(one.text, one.attributes, one.options) for one in reading.product.human] == [
        ("i need x.", (), ("red",))
    ]
    assert reading.product.human[0].source == entry
    assert reading.notes == ("a human instruction has no text",)


def test_an_instruction_that_asks_for_nothing_makes_no_goal() -> None:
    reading = read_product(record(), {"attributes": [], "instruction": "Find me x"})
    assert reading.product is not None

    assert reading.product.synthetic is None
    assert reading.notes


@given(bent_records())
@settings(max_examples=300, deadline=None)
def test_any_record_loads_or_is_reported(bent: dict[str, Any]) -> None:
    reading = read_product(bent)

    assert reading.product is not None or reading.notes
    if reading.product is not None:
        product = reading.product
        assert 1 <= len(product.asin) <= LONGEST_ASIN
        assert product.source == bent or bent != bent
        texts = [product.title, product.description, product.query, *product.bullets, *product.images]
        for text in texts:
            text.encode("utf-8")
        if not reading.notes:
            official = official_reading(bent)
            assert (product.title, product.description) == (official["Title"], official["Description"])
            assert list(product.bullets) == official["BulletPoints"]
            assert list(product.prices) == official["pricing"]
            assert product.price_tag == price_tag(official["pricing"])
            assert {name: list(values) for name, values in product.option_values.items()} == official[
                "options"
            ]
            assert product.option_images == official["option_to_image"]
            assert product.main_image == official["MainImage"]


def official_reading(one: dict[str, Any]) -> dict[str, Any]:
    """Say what the official loader keeps of a sound record: the facts, one by one."""
    texts = (one.get("pricing") or "$100.0").split("$")[1:]
    amounts = ["".join(c for c in text if c.isdecimal() or c == ".") for text in texts]
    groups = [
        (name, group) for name, group in (one["customization_options"] or {}).items() if group is not None
    ]
    shown = {name: [x["value"].strip().replace("/", " | ").lower() for x in group] for name, group in groups}
    images = [(shown[name][i], x.get("image")) for name, group in groups for i, x in enumerate(group)]
    bullets = one["small_description"]
    return {
        "Title": one["name"],
        "Description": one["full_description"],
        "BulletPoints": bullets if isinstance(bullets, list) else [bullets],
        "pricing": [float(amount) for amount in amounts][:2],
        "options": {name.lower(): values for name, values in shown.items()},
        "option_to_image": dict(images),
        "MainImage": one["images"][0],
    }


# Files.


def test_duplicates_and_bad_records_are_reported_by_row_and_the_rest_loads(tmp_path: Path) -> None:
    first, second = record(asin="B000000001"), record(asin="B000000002", pricing="USD 3")
    path = write_json(tmp_path / "items.json", [first, 7, first, {"name": "x"}, second])
    products, findings = load(path)

    assert [product.asin for product in products] == ["B000000001", "B000000002"]
    assert [(one.row, one.asin, one.skipped) for one in findings[:3]] == [
        (2, "", True),
        (3, "B000000001", True),
        (4, "", True),
    ]
    assert [(one.row, one.skipped) for one in findings[3:]] == [(5, False)]
    assert str(findings[1]) == (
        "items.json, row 3 (B000000001): an earlier product has the same `asin`; left out"
    )


def test_the_official_catalogue_loads_as_the_official_loader_loads_it() -> None:
    products, findings = load(shared("oracle/items_shuffle_1000.json"))

    assert len(products) == 50
    assert [one.row for one in findings] == [29, 33, 41]
    assert all(one.skipped for one in findings)


def test_a_file_that_is_cut_in_half_gives_its_first_half(tmp_path: Path) -> None:
    text = json.dumps(RECORDS)
    path = tmp_path / "items.json"
    path.write_text(text[: len(text) // 2])
    products, findings = load(path)

    assert 10 <= len(products) < 20
    assert [product.source for product in products] == RECORDS[: len(products)]
    assert [one.text for one in findings] == ["the file ends inside it"]
    assert findings[0].row == len(products) + 1


@pytest.mark.parametrize("damage", ['"name": ,', "\x00", '"name": "x" "y"', "]]}}"])
def test_reading_goes_on_behind_a_record_that_is_no_json(tmp_path: Path, damage: str) -> None:
    parts = [json.dumps(one) for one in RECORDS[:5]]
    parts[2] = "{" + damage + parts[2][1:]
    path = tmp_path / "items.json"
    path.write_text("[" + ", ".join(parts) + "]")
    products, findings = load(path)

    assert [product.source for product in products] == [RECORDS[i] for i in (0, 1, 3, 4)]
    assert findings[0].row == 3
    assert "no JSON" in findings[0].text


@pytest.mark.parametrize("text", ["", "   ", '{"a": 1}', "null", '"x"', "asin,name\nB0,Table"])
def test_a_file_of_another_kind_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "items.json"
    path.write_text(text)

    with pytest.raises(LoadError, match=r"items\.json does not begin with `\[`"):
        load(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be read"):
        load(tmp_path / "none.json")


def test_text_that_is_not_utf_8_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    text = json.dumps([record(name="CAF table")]).replace("CAF", "Caf\u00e9")
    path.write_bytes(text.encode("latin-1"))
    products, findings = load(path)

    assert products[0].title == "Caf\ufffd table"
    assert "not Unicode" in findings[0].text


def test_a_line_without_end_is_passed_over_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "LONGEST_ITEM", 1 << 18)
    monkeypatch.setattr(streaming, "CHUNK", 1 << 14)
    path = tmp_path / "items.json"
    with path.open("w") as stream:
        stream.write("[" + json.dumps(RECORDS[0]) + ', {"name": "')
        for _ in range(300):
            stream.write("x" * 10_000)
        stream.write('"}, ' + json.dumps(RECORDS[1]) + "]")
    longest = 0

    def watched(window: streaming._Window) -> bool:
        nonlocal longest
        longest = max(longest, len(window.text))
        return more(window)

    more = streaming._Window.more
    monkeypatch.setattr(streaming._Window, "more", watched)
    products, findings = load(path)

    assert [product.source for product in products] == RECORDS[:2]
    assert "longer than" in findings[0].text
    assert longest < 1 << 20


@pytest.mark.parametrize("name", ["items_ins_v2_1000.json", "oracle/items_ins_v2_1000.json"])
def test_attributes_stream_as_they_stand_in_the_file(name: str) -> None:
    path = shared(name)

    assert dict(entries(stream_attributes(path))) == json.loads(path.read_text())


def test_human_instructions_stream_as_they_stand_in_the_file() -> None:
    path = shared("oracle/items_human_ins.json")

    assert dict(entries(stream_instructions(path))) == json.loads(path.read_text())


def entries(found: Iterator[tuple[str, Any] | Finding]) -> Iterator[tuple[str, Any]]:
    for one in found:
        assert not isinstance(one, Finding)
        yield one


def test_the_full_catalogue_is_taken_before_the_small_one(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="neither"):
        official_files(tmp_path)
    for name in ("items_shuffle_1000.json", "items_ins_v2_1000.json"):
        write_json(tmp_path / name, {})
    assert official_files(tmp_path) == OfficialFiles(
        tmp_path / "items_shuffle_1000.json", tmp_path / "items_ins_v2_1000.json"
    )
    write_json(tmp_path / "items_shuffle.json", [])
    assert official_files(tmp_path) == OfficialFiles(tmp_path / "items_shuffle.json")
