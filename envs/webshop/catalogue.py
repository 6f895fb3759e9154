"""What a shop sells, as the official loader sees it: products, and a read-only catalogue of them.

The functions here are to the letter those of princeton-nlp/WebShop's `load_products` and
`convert_product_file_format`; search, site and reward take the values as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Protocol

import attrs

DEFAULT_PRICE = 100.0
"""The price of a product whose file gives none, in dollars."""

UNLISTED_ATTRIBUTES = ("DUMMY_ATTR",)
"""The attributes of a product that the file of attributes does not list."""

CATEGORY_SEPARATOR = "\u203a"
"""What stands between the parts of a product's category path."""

_NOT_A_DIGIT = re.compile(r"[^\d.]")


class UnknownProductError(LookupError):
    """A catalogue has no product with the ASIN that was asked for."""


@attrs.frozen
class OptionValue:
    """One choice of an option: `value` is what the site shows and takes, `text` the file's own.

    `price` is in cents, None where the file has none; the official site shows neither it nor availability. A
    choice that a product page selects by itself is `selected`.
    """

    value: str
    text: str
    price: int | None = None
    image: str | None = None
    asin: str | None = None
    available: bool = True
    selected: bool = False


@attrs.frozen
class Option:
    """A group of choices (`color`), in the order of the file; a group may be empty."""

    name: str
    values: tuple[OptionValue, ...]


@attrs.frozen
class SyntheticInstruction:
    """The instruction of `items_ins_v2`: `Find me …`, and the attributes that it asks for."""

    text: str
    attributes: tuple[str, ...]


@attrs.frozen
class HumanInstruction:
    """An instruction of `items_human_ins`, with the attributes and option values that it asks for.

    Those with no attributes make no goal. `source` is the file's entry.
    """

    text: str
    attributes: tuple[str, ...]
    options: tuple[str, ...]
    source: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)


def _not_empty(texts: tuple[str, ...]) -> tuple[str, ...]:
    return texts or ("",)


@attrs.frozen
class Product:
    """A product as the official loader keeps it.

    `query` is the kind of product, stripped and lower-cased (`console tables`); `category` one of the shop's
    five departments; `product_category` a path, from `Home & Kitchen` down. `prices` holds the price in
    dollars, or both ends of a range, in the order of the file. `rating` is the file's average, which the
    official site never shows. There is at least one bullet and one image, which may be an empty text.
    `source` is the record as it stands in the product file, whatever became of it here.
    """

    asin: str
    title: str
    category: str
    query: str
    product_category: str
    prices: tuple[float, ...] = (DEFAULT_PRICE,)
    bullets: tuple[str, ...] = attrs.field(default=("",), converter=_not_empty)
    description: str = ""
    attributes: tuple[str, ...] = UNLISTED_ATTRIBUTES
    options: tuple[Option, ...] = ()
    images: tuple[str, ...] = attrs.field(default=("",), converter=_not_empty)
    rating: float | None = None
    synthetic: SyntheticInstruction | None = None
    human: tuple[HumanInstruction, ...] = ()
    source: Mapping[str, Any] = attrs.field(factory=dict, eq=False, repr=False)

    @property
    def kind(self) -> str:
        """Return what sort of thing this is, in a shopper's words (`console tables`)."""
        return self.query

    @property
    def price(self) -> int:
        """Return the price in cents, the lower end of a range."""
        return cents(min(self.prices))

    @property
    def highest_price(self) -> int:
        """Return the price in cents, the upper end of a range."""
        return cents(max(self.prices))

    @property
    def price_tag(self) -> str:
        """Return the price as the site shows it: `$1.99`, `$23.99 to $37.99`."""
        return price_tag(self.prices)

    @property
    def main_image(self) -> str:
        """Return the address of the first image, empty where there is none."""
        return self.images[0]

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the parts of `product_category`, outermost first."""
        return tuple(part.strip() for part in self.product_category.split(CATEGORY_SEPARATOR))

    @cached_property
    def option_values(self) -> dict[str, tuple[str, ...]]:
        """Return the choices by option name, as the site shows them."""
        return {option.name: tuple(one.value for one in option.values) for option in self.options}

    @cached_property
    def option_images(self) -> dict[str, str | None]:
        """Return the image of each choice; a choice that stands in two options has the image of the last."""
        return {one.value: one.image for option in self.options for one in option.values}


class Catalogue(Protocol):
    """A read-only collection of products with an order of its own, the order of the product file."""

    @property
    def data_version(self) -> str:
        """A hash of the content: the same version gives the same answers."""

    def product(self, asin: str) -> Product:
        """Return a product; raise `UnknownProductError` where there is none."""

    def asins(self) -> Iterator[str]:
        """Yield the ASINs of all products in order."""

    def products(self) -> Iterator[Product]:
        """Yield all products in order, with no more than a few of them in memory."""

    def __contains__(self, asin: object) -> bool:
        """Say whether there is a product with this ASIN."""

    def __len__(self) -> int:
        """Return the number of products."""


def _as_tuple(products: Iterable[Product]) -> tuple[Product, ...]:
    return tuple(products)


@attrs.define(frozen=True, slots=False)
class MemoryCatalogue:
    """A catalogue of a few products, all in memory; of two with the same ASIN the first counts."""

    _listed: tuple[Product, ...] = attrs.field(converter=_as_tuple)

    @cached_property
    def _by_asin(self) -> dict[str, Product]:
        return {product.asin: product for product in reversed(self._listed)}

    @cached_property
    def data_version(self) -> str:
        """Return a hash of the products."""
        return hashlib.sha256(repr(list(self.products())).encode("utf-8", "backslashreplace")).hexdigest()

    def product(self, asin: str) -> Product:
        """Return a product; raise `UnknownProductError` where there is none."""
        try:
            return self._by_asin[asin]
        except KeyError:
            raise UnknownProductError(asin) from None

    def asins(self) -> Iterator[str]:
        """Yield the ASINs of all products in order."""
        return reversed(self._by_asin)

    def products(self) -> Iterator[Product]:
        """Yield all products in order."""
        return reversed(self._by_asin.values())

    def __contains__(self, asin: object) -> bool:
        """Say whether there is a product with this ASIN."""
        return asin in self._by_asin

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self._by_asin)


def index_text(product: Product) -> str:
    """Return the text that the search engine indexes: title, description, first bullet and options."""
    options = ", and ".join(f"{name}: {', '.join(values)}" for name, values in product.option_values.items())
    return " ".join([product.title, product.description, product.bullets[0], options]).lower()


def option_name(name: str) -> str:
    """Return an option's name as the site shows it."""
    return name.lower()


def option_value(text: str) -> str:
    """Return a choice as the site shows it."""
    return text.strip().replace("/", " | ").lower()


def parse_prices(text: str) -> tuple[float, ...]:
    """Return the price or the first two prices of a text such as `$23.99$37.99`; none are the default price.

    Raises:
        ValueError: the official loader would die on this text.
    """
    if not text:
        return (DEFAULT_PRICE,)
    try:
        found = [float(Decimal(_NOT_A_DIGIT.sub("", part))) for part in text.split("$")[1:]]
    except ArithmeticError as error:
        raise ValueError(f"no price: {text!r}") from error
    if not found:
        raise ValueError(f"no price: {text!r}")
    return tuple(found[:2])


def price_tag(prices: Sequence[float]) -> str:
    """Return a price, or the two ends of a range, as the site shows it."""
    return " to ".join(f"${price}" for price in prices)


def cents(dollars: float) -> int:
    """Return an amount in cents, rounded to the nearest."""
    return round(dollars * 100)
