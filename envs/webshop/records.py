"""Reading one record of the official product file, with what the other two files say of it, as a product.

What the official loader keeps is kept as it does. Where that loader would die, the nearest sensible reading
is taken, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from skillsandbox.envs.webshop.catalogue import (
    DEFAULT_PRICE,
    UNLISTED_ATTRIBUTES,
    HumanInstruction,
    Option,
    OptionValue,
    Product,
    SyntheticInstruction,
    cents,
    option_name,
    option_value,
    parse_prices,
)

LONGEST_ASIN = 10
NO_ASIN = "nan"
HIGHEST_NUMBER = 1e12
"""Beyond it, a number is neither a price nor a rating."""

_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?")
_VARIANT = re.compile(r"/dp/([A-Z0-9]{10})\b")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MISSING = object()


@attrs.frozen
class Reading:
    """What became of a record: a product, or None where the last note says why it is left out."""

    product: Product | None
    notes: tuple[str, ...] = ()


def read_asin(record: object) -> tuple[str, str | None]:
    """Return a record's ASIN, and why no product can come of the record, None where one can."""
    if not isinstance(record, Mapping):
        return "", f"a record is an object; this is {_kind(record)}"
    asin = record.get("asin", _MISSING)
    if asin is _MISSING:
        return "", "it has no `asin`"
    if not isinstance(asin, str):
        return "", f"its `asin` is {_kind(asin)}"
    if not asin or asin == NO_ASIN:
        return asin, f"its `asin` is {asin!r}"
    if len(asin) > LONGEST_ASIN:
        return asin, f"its `asin` has more than {LONGEST_ASIN} characters"
    if _clean(asin) != asin:
        return "", "its `asin` is not Unicode"
    return asin, None


def read_product(record: object, annotation: object = None, instructions: object = None) -> Reading:
    """Read a record with its entries in `items_ins_v2` and `items_human_ins`, None where these have none."""
    asin, fault = read_asin(record)
    if fault is not None:
        return Reading(None, (fault,))
    assert isinstance(record, Mapping)
    reader = _Reader(record)
    product = Product(
        asin=asin,
        title=reader.text("name"),
        category=reader.text("category"),
        query=reader.text("query").lower().strip(),
        product_category=reader.text("product_category"),
        prices=reader.prices(),
        bullets=reader.bullets(),
        description=reader.text("full_description"),
        attributes=reader.attributes(annotation),
        options=reader.options(),
        images=reader.images(),
        rating=reader.rating(),
        synthetic=reader.synthetic(annotation),
        human=tuple(reader.human(instructions)),
        source=record,
    )
    return Reading(product, tuple(reader.notes))


class _Reader:
    """Reads the fields of one record, and notes what the official loader would not have read."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record
        self.notes: list[str] = []

    def text(self, field: str) -> str:
        """Return a field that should hold a text."""
        return self._text(self._record.get(field, _MISSING), f"`{field}`")

    def prices(self) -> tuple[float, ...]:
        """Return the price, both ends of a range, or the default price."""
        value = self._record.get("pricing")
        if not value:
            return (DEFAULT_PRICE,)
        if isinstance(value, str):
            try:
                found = parse_prices(value)
            except ValueError:
                found = tuple(float(amount.replace(",", "")) for amount in _AMOUNT.findall(value))[:2]
                self._note(f"`pricing` {value!r} is no price that the official loader reads")
        else:
            number = _number(value)
            found = () if number is None else (number,)
            self._note(f"`pricing` is {_kind(value)}")
        if not found or not all(0 <= price <= HIGHEST_NUMBER for price in found):
            self._note("`pricing` holds no price; the default price stands for it")
            return (DEFAULT_PRICE,)
        return found

    def bullets(self) -> tuple[str, ...]:
        """Return the bullet points, at least one: a single text, or an empty one where there is none."""
        value = self._record.get("small_description", _MISSING)
        if isinstance(value, list) and value:
            return tuple(self._text(one, "a bullet point") for one in value)
        if isinstance(value, list):
            self._note("`small_description` is an empty list")
            return ("",)
        return (self._text(value, "`small_description`"),)

    def images(self) -> tuple[str, ...]:
        """Return the addresses of the images, at least one, which may be empty."""
        value = self._record.get("images", _MISSING)
        if not isinstance(value, list) or not value:
            self._note(f"`images` is {_kind(value) if value != [] else 'an empty list'}")
        if not isinstance(value, list):
            return (self._text(value, "`images`"),)
        return tuple(self._text(one, "an image") for one in value) or ("",)

    def rating(self) -> float | None:
        """Return the average rating, None where there is none."""
        value = self._record.get("average_rating")
        return _amount(value) if isinstance(value, str) else _number(value)

    def options(self) -> tuple[Option, ...]:
        """Return the options; of two whose names are the same in lower case, the last counts."""
        value = self._record.get("customization_options", _MISSING)
        if value is _MISSING:
            self._note("`customization_options` is missing")
        elif value and not isinstance(value, Mapping):
            self._note(f"`customization_options` is {_kind(value)}")
        if not isinstance(value, Mapping):
            return ()
        found: dict[str, Option] = {}
        for text, contents in value.items():
            if contents is None:
                continue
            name = option_name(_clean(text))
            if name in found:
                self._note(f"the option {name!r} stands there twice")
            found[name] = Option(name, tuple(self._choices(name, contents)))
        return tuple(found.values())

    def _choices(self, name: str, contents: object) -> Iterator[OptionValue]:
        if not isinstance(contents, list):
            if contents not in ("", {}):
                self._note(f"the option {name!r} is {_kind(contents)}")
            return
        for content in contents:
            value = content.get("value") if isinstance(content, Mapping) else None
            if value is None:
                self._note(f"a choice of the option {name!r} has no value")
            else:
                yield self._choice(content, self._text(value, f"a value of the option {name!r}"))

    def _choice(self, content: Mapping[str, Any], text: str) -> OptionValue:
        return OptionValue(
            value=option_value(text),
            text=text,
            price=_choice_price(content),
            image=self._image(content.get("image")),
            asin=_variant(content),
            available=content.get("is_available") in (None, True)
            and content.get("is_unavailable") is not True,
            selected=content.get("is_selected") is True,
        )

    def _image(self, value: object) -> str | None:
        return None if value is None else self._text(value, "the image of a choice")

    def attributes(self, annotation: object) -> tuple[str, ...]:
        """Return the attributes that `items_ins_v2` lists."""
        if annotation is None:
            return UNLISTED_ATTRIBUTES
        if not isinstance(annotation, Mapping):
            self._note(f"the entry in the file of attributes is {_kind(annotation)}")
            return UNLISTED_ATTRIBUTES
        if "attributes" not in annotation:
            return UNLISTED_ATTRIBUTES
        return self._texts(annotation["attributes"], "`attributes`")

    def synthetic(self, annotation: object) -> SyntheticInstruction | None:
        """Return the synthetic instruction, None where there is none that asks for anything."""
        if not isinstance(annotation, Mapping) or annotation.get("instruction") is None:
            return None
        text = self._text(annotation["instruction"], "`instruction`")
        attributes = self._texts(annotation.get("instruction_attributes"), "`instruction_attributes`")
        if not attributes:
            self._note("the synthetic instruction asks for no attribute")
            return None
        return SyntheticInstruction(text, attributes)

    def human(self, entries: object) -> Iterator[HumanInstruction]:
        """Yield the human instructions."""
        if entries is None:
            return
        if not isinstance(entries, list):
            self._note(f"the entry in the file of human instructions is {_kind(entries)}")
            return
        for entry in entries:
            if not isinstance(entry, Mapping) or not isinstance(entry.get("instruction"), str):
                self._note("a human instruction has no text")
                continue
            yield HumanInstruction(
                text=self._text(entry["instruction"], "`instruction`"),
                attributes=self._texts(entry.get("instruction_attributes"), "`instruction_attributes`"),
                options=self._texts(entry.get("instruction_options"), "`instruction_options`"),
                source=entry,
            )

    def _texts(self, value: object, what: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            self._note(f"{what} is {_kind(value)}")
            return ()
        return tuple(self._text(one, f"one of {what}") for one in value)

    def _text(self, value: object, what: str) -> str:
        if not isinstance(value, str):
            self._note(f"{what} is {_kind(value)}")
            return "" if _number(value) is None else str(value)
        text = _clean(value)
        if text != value:
            self._note(f"{what} is not Unicode; marks stand for what is not")
        return text

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _clean(text: str) -> str:
    """Return a text without lone surrogates, which no file can hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _number(value: object) -> float | None:
    """Return a number of the size that prices and ratings have, None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= HIGHEST_NUMBER else None


def _amount(text: str) -> float | None:
    """Return the first number in a text."""
    match = _AMOUNT.search(text)
    return _number(float(match[0].replace(",", ""))) if match else None


def _choice_price(content: Mapping[str, Any]) -> int | None:
    price, text = _number(content.get("price")), content.get("price_string")
    if not price and isinstance(text, str):
        price = _amount(text)
    return cents(price) if price and price > 0 else None


def _variant(content: Mapping[str, Any]) -> str | None:
    """Return the ASIN of the variant that a choice leads to, told by itself or in the address of its page."""
    asin = _optional_text(content.get("asin"))
    if asin is not None:
        return asin
    url = content.get("url")
    match = _VARIANT.search(url) if isinstance(url, str) else None
    return match[1] if match else None


def _optional_text(value: object) -> str | None:
    return _clean(value) if isinstance(value, str) and value else None


def _kind(value: object) -> str:
    """Return what a JSON value is, for a sentence about it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return "a text"
        case list():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return "missing"
