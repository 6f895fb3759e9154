"""Writing a catalogue as official files, from which the official loader reads the same products and goals."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

import attrs

from skillsandbox.envs.webshop.catalogue import Catalogue, Option, OptionValue, Product, option_value
from skillsandbox.envs.webshop.loading import OfficialFiles
from skillsandbox.envs.webshop.records import read_product

_NAMES = ("items_shuffle.json", "items_ins_v2.json", "items_human_ins.json")
_BRACKETS = (("[", "]"), ("{", "}"), ("{", "}"))


class _JsonFile:
    """Writes a JSON list or object item by item."""

    def __init__(self, stream: TextIO, brackets: tuple[str, str]) -> None:
        self._stream = stream
        self._before, self._closing = brackets

    def add(self, item: str) -> None:
        """Write an item that is JSON already."""
        self._stream.write(f"{self._before}\n{item}")
        self._before = ","

    def finish(self) -> None:
        """Close list and file."""
        self._stream.write(f"{'' if self._before == ',' else self._before}\n{self._closing}\n")
        self._stream.close()


@attrs.frozen
class Writer:
    """Writes the three official files product by product; `files` is where they are when all is written."""

    files: OfficialFiles
    _products: _JsonFile
    _attributes: _JsonFile
    _human: _JsonFile

    def add(
        self,
        record: Mapping[str, Any],
        annotation: Mapping[str, Any],
        instructions: Sequence[Mapping[str, Any]],
    ) -> None:
        """Write one product: its record, its entry among the attributes, and its human instructions."""
        asin = json.dumps(record["asin"])
        self._products.add(json.dumps(record))
        self._attributes.add(f"{asin}: {json.dumps(annotation)}")
        if instructions:
            self._human.add(f"{asin}: {json.dumps(instructions)}")


@contextmanager
def writing(folder: Path) -> Iterator[Writer]:
    """Give a writer of official files in a folder; they take their places when all of them are written.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".export.") as name, ExitStack() as stack:
        drafts = [Path(name) / file for file in _NAMES]
        written = [
            _JsonFile(stack.enter_context(draft.open("w", encoding="ascii")), brackets)
            for draft, brackets in zip(drafts, _BRACKETS, strict=True)
        ]
        yield Writer(OfficialFiles(*(folder / file for file in _NAMES)), *written)
        for file in written:
            file.finish()
        for draft in drafts:
            draft.replace(folder / draft.name)


def export(catalogue: Catalogue, folder: Path) -> OfficialFiles:
    """Write a catalogue as official files.

    Fields that a product has from its source are written as they stand there; only what differs from the
    source, as after an edit, is written anew. Every product gets an entry among the attributes, without which
    the official loader would not read its synthetic goals.

    Raises:
        OSError: the folder cannot be written.
    """
    with writing(folder) as writer:
        for product in catalogue.products():
            writer.add(export_record(product), export_annotation(product), export_instructions(product))
    return writer.files


def export_record(product: Product) -> dict[str, Any]:
    """Return a product's record for `items_shuffle.json`."""
    missing = {field: "" for field in _WRITERS if field not in product.source}
    record = {**product.source, **missing}
    reading = read_product(record)
    # What the official loader would not read, and a note tells that, is not written again.
    read = None if reading.notes else reading.product
    for field, (attribute, write) in _WRITERS.items():
        value = getattr(product, attribute)
        if read is None or getattr(read, attribute) != value:
            record[field] = write(value)
    return record


def export_annotation(product: Product) -> dict[str, Any]:
    """Return a product's entry for `items_ins_v2.json`."""
    entry: dict[str, Any] = {"attributes": list(product.attributes)}
    if product.synthetic is not None:
        entry["instruction"] = product.synthetic.text
        entry["instruction_attributes"] = list(product.synthetic.attributes)
    return entry


def export_instructions(product: Product) -> list[dict[str, Any]]:
    """Return a product's entry for `items_human_ins.json`."""
    return [
        {
            **one.source,
            "asin": product.asin,
            "instruction": one.text,
            "instruction_attributes": list(one.attributes),
            "instruction_options": list(one.options),
        }
        for one in product.human
    ]


def _pricing(prices: tuple[float, ...]) -> str:
    return " - ".join(f"${Decimal(repr(price)):f}" for price in prices)


def _options(options: tuple[Option, ...]) -> dict[str, Any]:
    return {option.name: [_choice(one) for one in option.values] for option in options}


def _choice(one: OptionValue) -> dict[str, Any]:
    choice = {
        "is_selected": one.selected,
        "is_available": one.available,
        "value": one.text if option_value(one.text) == one.value else one.value.replace(" | ", "/"),
        "price_string": "" if one.price is None else f"${one.price / 100:.2f}",
        "price": 0 if one.price is None else one.price / 100,
        "image": one.image,
    }
    return choice if one.asin is None else {**choice, "asin": one.asin}


_WRITERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "name": ("title", str),
    "full_description": ("description", str),
    "pricing": ("prices", _pricing),
    "images": ("images", list),
    "product_category": ("product_category", str),
    "average_rating": ("rating", lambda rating: "" if rating is None else rating),
    "small_description": ("bullets", list),
    "customization_options": ("options", _options),
    "asin": ("asin", str),
    "category": ("category", str),
    "query": ("query", str),
}
"""The fields that the official loader keeps: what of a product each holds, and how it is written."""
