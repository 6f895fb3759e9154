"""A shop of a few products, and helpers that the tests of pages, episodes and site share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from skillsandbox.envs.webshop.catalogue import Option, OptionValue, Product
from skillsandbox.envs.webshop.goals import Goal, WantedOption
from skillsandbox.envs.webshop.site import Shop, Visit, act, enter

INSTRUCTION = "i need a red backpack, and price lower than 50.00 dollars"


@attrs.frozen
class SmallCatalogue:
    """Products in memory."""

    by_asin: dict[str, Product]
    data_version: str = "small"

    def product(self, asin: str) -> Product:
        return self.by_asin[asin]

    def asins(self) -> Iterator[str]:
        return iter(self.by_asin)

    def products(self) -> Iterator[Product]:
        return iter(self.by_asin.values())

    def __contains__(self, asin: object) -> bool:
        return asin in self.by_asin

    def __len__(self) -> int:
        return len(self.by_asin)


def option(name: str, *values: str) -> Option:
    return Option(name, tuple(OptionValue(value, value) for value in values))


def product(asin: str = "B000000001", title: str = "Nylon Backpack", **fields: object) -> Product:
    given: dict[str, object] = {
        "category": "fashion",
        "query": "backpacks",
        "product_category": "Luggage › Backpacks › Casual",  # noqa: RUF001 - the official separator
        "prices": (39.5,),
        "bullets": ("Easy to clean", "Two pockets"),
        "description": "A light backpack.",
        "attributes": ("easy clean", "light weight"),
        "options": (option("color", "red", "blue"), option("size", "one size", "large")),
    }
    return Product(asin=asin, title=title, **(given | fields))  # type: ignore[arg-type]  # attrs checks


def goal(wanted: Product, **fields: object) -> Goal:
    given: dict[str, object] = {
        "instruction": INSTRUCTION,
        "attributes": ("easy clean",),
        "options": (WantedOption("red"),),
        "price_upper": 50.0,
    }
    kind = (wanted.asin, wanted.category, wanted.query, wanted.title, wanted.product_category)
    return Goal(*kind, **(given | fields))  # type: ignore[arg-type]  # attrs checks


def words(title: str) -> Sequence[str]:
    """Take every word for a noun."""
    return title.lower().split()


def shop(*products: Product, **fields: object) -> Shop:
    """A shop in which a query finds the products that have all its words in the title, in the given order."""
    by_asin = {one.asin: one for one in products}

    def search(query: str) -> list[str]:
        return [asin for asin, one in by_asin.items() if set(query.split()) <= set(one.title.lower().split())]

    return Shop(SmallCatalogue(by_asin), search, **({"nouns": words} | fields))  # type: ignore[arg-type]


def backpacks(count: int) -> list[Product]:
    return [product(f"B{number:09}", f"Nylon Backpack Model {number}") for number in range(count)]


def visit(shop: Shop, goal: Goal, *actions: str) -> Visit:
    """The visit after actions, each of which must do something."""
    visit = enter(goal, "s1")
    for action in actions:
        outcome = act(shop, visit, action)
        assert outcome.effective, action
        visit = outcome.visit
    return visit
