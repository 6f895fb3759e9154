"""Loading the official files: products as a stream, and by row what was wrong with any of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import attrs

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.records import read_asin, read_product
from skillsandbox.envs.webshop.streaming import Damage, Item, StreamError, stream_list, stream_object


class LoadError(Exception):
    """A file is not of the official kind that it is taken for, or cannot be read."""


@attrs.frozen
class Finding:
    """Something in an official file that the official loader would not read, or passes over.

    `row` counts the records of the file from 1. If it is `skipped`, nothing came of the row.
    """

    file: str
    row: int
    asin: str
    text: str
    skipped: bool

    def __str__(self) -> str:
        """Return the finding as a line for people."""
        asin = f" ({self.asin})" if self.asin else ""
        return f"{self.file}, row {self.row}{asin}: {self.text}{'; left out' if self.skipped else ''}"


@attrs.frozen
class OfficialFiles:
    """The files of one catalogue; without a file of attributes or human instructions, products have none."""

    products: Path
    attributes: Path | None = None
    human: Path | None = None


class Annotations(Protocol):
    """What the files of attributes and human instructions say of a product, None where they say nothing."""

    def attributes(self, asin: str) -> object:
        """Return the entry of `items_ins_v2`."""

    def instructions(self, asin: str) -> object:
        """Return the entry of `items_human_ins`."""


def official_files(folder: Path) -> OfficialFiles:
    """Return the official files in a folder: the full catalogue if it is there, or that of 1,000 products.

    Raises:
        LoadError: there is no product file.
    """
    for suffix in ("", "_1000"):
        products = folder / f"items_shuffle{suffix}.json"
        if products.is_file():
            attributes = folder / f"items_ins_v2{suffix}.json"
            human = folder / "items_human_ins.json"
            return OfficialFiles(
                products, attributes if attributes.is_file() else None, human if human.is_file() else None
            )
    raise LoadError(f"{folder} has neither items_shuffle.json nor items_shuffle_1000.json")


def stream_attributes(path: Path) -> Iterator[tuple[str, Any] | Finding]:
    """Yield the entries of `items_ins_v2*.json` by ASIN.

    Raises:
        LoadError: the file is not a JSON object, or cannot be read.
    """
    return _entries(path, lambda value: isinstance(value, Mapping) and "attributes" in value)


def stream_instructions(path: Path) -> Iterator[tuple[str, Any] | Finding]:
    """Yield the entries of `items_human_ins.json` by ASIN.

    Raises:
        LoadError: the file is not a JSON object, or cannot be read.
    """
    return _entries(
        path, lambda value: isinstance(value, list) and all(isinstance(x, Mapping) for x in value)
    )


def stream_products(
    path: Path, annotations: Annotations, known: Container[str]
) -> Iterator[Product | Finding]:
    """Yield the products of `items_shuffle*.json`, and findings before the product that they are about.

    A product whose ASIN is `known` is a duplicate: who takes the products must add their ASINs to it.

    Raises:
        LoadError: the file is not a JSON list, or cannot be read.
    """
    for item in _translated(path, stream_list(path, _is_product)):
        if isinstance(item, Finding):
            yield item
            continue
        row = item.number + 1
        asin, fault = read_asin(item.value)
        if fault is None and asin in known:
            fault = "an earlier product has the same `asin`"
        if fault is not None:
            yield Finding(path.name, row, asin, fault, skipped=True)
            continue
        reading = read_product(item.value, annotations.attributes(asin), annotations.instructions(asin))
        for note in reading.notes:
            yield Finding(path.name, row, asin, note, skipped=False)
        if reading.product is not None:
            yield reading.product


def _is_product(value: object) -> bool:
    return isinstance(value, Mapping) and "asin" in value and "name" in value


def _entries(path: Path, is_entry: Callable[[Any], bool]) -> Iterator[tuple[str, Any] | Finding]:
    for item in _translated(path, stream_object(path, is_entry)):
        yield item if isinstance(item, Finding) else (item.key, item.value)


def _translated(path: Path, items: Iterator[Item | Damage]) -> Iterator[Item | Finding]:
    try:
        for item in items:
            if isinstance(item, Damage):
                yield Finding(path.name, item.number + 1, "", item.reason, skipped=True)
            else:
                yield item
    except StreamError as error:
        raise LoadError(f"{error}, as the official file does") from error
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror}") from error
