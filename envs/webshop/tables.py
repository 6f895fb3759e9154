"""The tables of the data store: their schema, and how products become rows and rows products."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import attrs

from skillsandbox.envs.webshop.catalogue import (
    UNLISTED_ATTRIBUTES,
    HumanInstruction,
    Option,
    OptionValue,
    Product,
    SyntheticInstruction,
)

Row: TypeAlias = tuple[Any, ...]

SCHEMA = """
-- What of a product is asked for most; narrow, so that it can be scanned.
CREATE TABLE item (
    number           INTEGER PRIMARY KEY,  -- its place in the catalogue, from 0
    asin             TEXT NOT NULL,
    title            TEXT NOT NULL,
    category         TEXT NOT NULL,        -- beauty, electronics, fashion, garden or grocery
    kind             TEXT NOT NULL,        -- 'console tables': the official `query`, lower-cased
    product_category TEXT NOT NULL,        -- a path, with U+203A between its parts: see `category`
    price            INTEGER NOT NULL,     -- in cents; the lower end of a range
    highest_price    INTEGER NOT NULL,     -- in cents; the upper end, or the same
    rating           REAL                  -- the average; NULL: not rated
);
CREATE UNIQUE INDEX item_by_asin ON item (asin);

CREATE TABLE body (
    product     INTEGER PRIMARY KEY,  -- item.number, as in all tables below
    description TEXT NOT NULL,
    prices      TEXT NOT NULL,        -- in dollars, as the file has them: a JSON list of one or two
    images      TEXT NOT NULL,        -- a JSON list
    listed      INTEGER NOT NULL,     -- whether the file of attributes has the product
    instruction TEXT,                 -- the synthetic one: a JSON list of its text and its attributes
    source      BLOB NOT NULL         -- the record of the product file: see `pack`
);

CREATE TABLE bullet (
    product  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (product, position)
) WITHOUT ROWID;

CREATE TABLE attribute (
    product  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,           -- 'easy clean'
    PRIMARY KEY (product, position)
) WITHOUT ROWID;

-- An option can have no choices.
CREATE TABLE option (
    product  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,           -- 'color'
    PRIMARY KEY (product, position)
) WITHOUT ROWID;

CREATE TABLE choice (
    product   INTEGER NOT NULL,
    option    INTEGER NOT NULL,       -- option.position
    position  INTEGER NOT NULL,
    name      TEXT NOT NULL,          -- option.name
    value     TEXT NOT NULL,          -- 'white | oak'
    text      TEXT,                   -- as in the file; NULL: the same
    price     INTEGER,                -- in cents; NULL: not told
    image     TEXT,
    asin      TEXT,
    available INTEGER NOT NULL,       -- booleans are 0 or 1
    selected  INTEGER NOT NULL,
    PRIMARY KEY (product, option, position)
) WITHOUT ROWID;

CREATE TABLE human (
    product    INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    text       TEXT NOT NULL,
    attributes TEXT NOT NULL,         -- JSON lists
    options    TEXT NOT NULL,
    source     TEXT NOT NULL,         -- a JSON object
    PRIMARY KEY (product, position)
) WITHOUT ROWID;

-- The parts of all paths in item.product_category.
CREATE TABLE category (
    path     TEXT NOT NULL,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,           -- 'Living Room Furniture'
    PRIMARY KEY (path, position)
) WITHOUT ROWID;
CREATE INDEX category_by_name ON category (name, path);

-- What was wrong with the official files.
CREATE TABLE finding (
    file    TEXT NOT NULL,
    row     INTEGER NOT NULL,
    asin    TEXT NOT NULL,
    text    TEXT NOT NULL,
    skipped INTEGER NOT NULL
);

-- One row.
CREATE TABLE about (
    data_version TEXT NOT NULL,       -- a hash of the records of all products
    products     INTEGER NOT NULL
);

-- The table of products for programs; texts are fetched only where they are asked for.
CREATE VIEW product AS
    SELECT item.*, body.description, body.prices, body.images, body.listed, body.instruction,
           body.source
    FROM item LEFT JOIN body ON body.product = item.number;
"""

INDEXES = """
CREATE INDEX item_by_kind ON item (kind, price, category, asin);
CREATE INDEX item_by_category ON item (category, price, kind, asin);
CREATE INDEX item_by_price ON item (price, category, kind, asin);
CREATE INDEX attribute_by_name ON attribute (name, product);
CREATE INDEX choice_by_value ON choice (value, name, product);
CREATE INDEX body_with_instruction ON body (product) WHERE instruction IS NOT NULL;

CREATE INDEX item_by_path ON item (product_category, price, kind, asin);

-- What occurs, and in how many products.
CREATE TABLE kind (
    name     TEXT PRIMARY KEY,
    products INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO kind SELECT kind, COUNT(*) FROM item GROUP BY kind;
CREATE TABLE attribute_name (
    name     TEXT PRIMARY KEY,
    products INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO attribute_name SELECT name, COUNT(DISTINCT product) FROM attribute GROUP BY name;
CREATE TABLE choice_value (
    name     TEXT NOT NULL,           -- of the option
    value    TEXT NOT NULL,
    products INTEGER NOT NULL,
    PRIMARY KEY (name, value)
) WITHOUT ROWID;
INSERT INTO choice_value SELECT name, value, COUNT(DISTINCT product) FROM choice GROUP BY value, name;
ANALYZE;
"""
"""What is made when all products stand in the tables of `SCHEMA`."""

ROWS_OF = {
    "item": "SELECT * FROM item WHERE number BETWEEN ? AND ? ORDER BY number",
    **{
        table: f"SELECT * FROM {table} WHERE product BETWEEN ? AND ? ORDER BY {key}"
        for table, key in (
            ("body", "product"),
            ("bullet", "product, position"),
            ("attribute", "product, position"),
            ("option", "product, position"),
            ("choice", "product, option, position"),
            ("human", "product, position"),
        )
    },
}
"""For each table with rows for single products, how those of a range of them are read, in order."""

WITH_HUMAN = "SELECT DISTINCT product FROM human ORDER BY product"
WITH_SYNTHETIC = "SELECT product FROM body WHERE instruction IS NOT NULL ORDER BY product"

_COMMON = (
    b'false, "is_unavailable": false, "price": 0, "image": null}], "Size": [{"is_selected": true, "Color": '
    b'[{"is_selected": false, "url": "https://www.amazon.com/dp/B0/ref=twister_B0?_encoding=UTF8&psc=1", '
    b'"is_available": true, "value": "", "asin": "B0"}, {"price_string": "$", "price": 0, "image": '
    b'"https://m.media-amazon.com/images/I/.jpg"}]}, "product_information": {"Date First Available\\n'
    b'                                    \\u200f": "\\u200e\\n ", "Best Sellers Rank": "#", "Manufacturer": '
    b'"\\u200e", "Customer Reviews": {"ratings_count": null, "stars": " out of 5 stars"}}, "brand": '
    b'"Visit the  Store", "brand": "Brand: ", "brand_url": "https://www.amazon.com/stores/page/?ref_=", '
    b'"full_description": "", "pricing": "$", "list_price": "", "availability_quantity": , '
    b'"availability_status": "In Stock.", "images": ["https://m.media-amazon.com/images/I/"], '
    b'"product_category": " \\u203a ", "average_rating": 4., "small_description": [""], "total_reviews": "", '
    b'"total_answered_questions": "", "model": "", "customization_options": "", "seller_id": "A", '
    b'"seller_name": "", "fulfilled_by_amazon": true, "fast_track_message": "", "aplus_present": "", "asin": '
    b'"B0", "category": "", "query": "", "page": , "small_description_old": "About this item ", "name": '
)
"""What stands in most records, for the compressor."""


def product_rows(number: int, product: Product, source: bytes) -> dict[str, list[Row]]:
    """Return the rows of a product by table; `source` is its record as `encode` gives it."""
    return {
        "item": [
            (
                number,
                product.asin,
                product.title,
                product.category,
                product.query,
                product.product_category,
                product.price,
                product.highest_price,
                product.rating,
            )
        ],
        "body": [
            (
                number,
                product.description,
                _json(product.prices),
                _json(product.images),
                product.attributes != UNLISTED_ATTRIBUTES,
                product.synthetic and _json([product.synthetic.text, product.synthetic.attributes]),
                pack(source, (product.title, product.description, *product.bullets)),
            )
        ],
        "bullet": [(number, position, text) for position, text in enumerate(product.bullets)],
        "attribute": [
            (number, position, name)
            for position, name in enumerate(product.attributes)
            if product.attributes != UNLISTED_ATTRIBUTES
        ],
        "option": [(number, position, option.name) for position, option in enumerate(product.options)],
        "choice": list(_choice_rows(number, product)),
        "human": [
            (number, position, one.text, _json(one.attributes), _json(one.options), _json(one.source))
            for position, one in enumerate(product.human)
        ],
    }


def products_from(rows: Mapping[str, Sequence[Row]]) -> Iterator[Product]:
    """Yield the products that rows describe: from each table all rows of these products, in order."""
    parts = {name: _grouped(rows[name]) for name in ("bullet", "attribute", "human")}
    options = _options(rows)
    for item, body in zip(rows["item"], rows["body"], strict=True):
        number, asin, title, category, query, product_category, _, _, rating = item
        _, description, prices, images, listed, instruction, source = body
        bullets = tuple(text for _, _, text in parts["bullet"][number])
        yield Product(
            asin=asin,
            title=title,
            category=category,
            query=query,
            product_category=product_category,
            prices=tuple(json.loads(prices)),
            bullets=bullets,
            description=description,
            attributes=tuple(name for _, _, name in parts["attribute"][number])
            if listed
            else UNLISTED_ATTRIBUTES,
            options=options.get(number, ()),
            images=tuple(json.loads(images)),
            rating=rating,
            synthetic=_synthetic(instruction),
            human=tuple(_human(row) for row in parts["human"][number]),
            source=PackedRecord(source, (title, description, *bullets)),
        )


def encode(value: object) -> bytes:
    """Return JSON data in the one form in which the store keeps and hashes it."""
    return json.dumps(value).encode("ascii")


def pack(record: bytes, texts: Sequence[str]) -> bytes:
    """Compress a record; the texts of other columns, which it repeats, cost next to nothing."""
    compressor = zlib.compressobj(level=3, zdict=_COMMON + encode(texts))
    return compressor.compress(record) + compressor.flush()


@attrs.define(frozen=True, slots=False, eq=False)
class PackedRecord(Mapping[str, Any]):
    """A record that is unpacked when somebody looks into it."""

    _packed: bytes
    _texts: tuple[str, ...]

    @cached_property
    def _record(self) -> dict[str, Any]:
        decompressor = zlib.decompressobj(zdict=_COMMON + encode(self._texts))
        record: dict[str, Any] = json.loads(decompressor.decompress(self._packed) + decompressor.flush())
        return record

    def __getitem__(self, field: str) -> Any:
        return self._record[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._record)

    def __len__(self) -> int:
        return len(self._record)


def _json(value: object) -> str:
    return json.dumps(value)


def _choice_rows(number: int, product: Product) -> Iterator[Row]:
    for group, option in enumerate(product.options):
        for position, one in enumerate(option.values):
            yield (
                number,
                group,
                position,
                option.name,
                one.value,
                None if one.text == one.value else one.text,
                one.price,
                one.image,
                one.asin,
                one.available,
                one.selected,
            )


def _grouped(rows: Sequence[Row]) -> defaultdict[int, list[Row]]:
    groups = defaultdict[int, list[Row]](list)
    for row in rows:
        groups[row[0]].append(row)
    return groups


def _options(rows: Mapping[str, Sequence[Row]]) -> dict[int, tuple[Option, ...]]:
    choices = defaultdict[tuple[int, int], list[OptionValue]](list)
    for product, group, _, _, value, text, price, image, asin, available, selected in rows["choice"]:
        choices[product, group].append(
            OptionValue(
                value, value if text is None else text, price, image, asin, bool(available), bool(selected)
            )
        )
    return {
        product: tuple(Option(name, tuple(choices[product, group])) for _, group, name in groups)
        for product, groups in _grouped(rows["option"]).items()
    }


def _synthetic(instruction: str | None) -> SyntheticInstruction | None:
    if instruction is None:
        return None
    text, attributes = json.loads(instruction)
    return SyntheticInstruction(text, tuple(attributes))


def _human(row: Row) -> HumanInstruction:
    _, _, text, attributes, options, source = row
    return HumanInstruction(
        text, tuple(json.loads(attributes)), tuple(json.loads(options)), json.loads(source)
    )
