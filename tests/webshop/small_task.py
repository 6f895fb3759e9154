"""A task in a shop of sixty generated products, which needs no data store."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import attrs

from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.webshop import operations
from skillsandbox.envs.webshop.catalogue import Catalogue, MemoryCatalogue, index_text
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.generator import generate
from skillsandbox.envs.webshop.goals import Goal, WantedOption
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.overlay import Overlay
from skillsandbox.envs.webshop.task import ShoppingTask

PRODUCTS = tuple(generate(1, 60))


@attrs.frozen
class Small:
    """A few generated products with their index."""

    name: str
    store: Catalogue
    index: Index

    @property
    def data_version(self) -> str:
        return self.store.data_version

    @classmethod
    def of(cls, store: Catalogue) -> Small:
        return cls("small", store, Index.of((one.asin, index_text(one)) for one in store.products()))


BASE = Small.of(MemoryCatalogue(PRODUCTS))
TARGET = next(one for one in PRODUCTS if one.options and len(one.attributes) > 1 and one.price < 5_000)
OPTION, VALUE = TARGET.options[0].name, TARGET.options[0].values[-1].value
ENTITY = Entity("Product", TARGET.asin)
KIN = [one for one in PRODUCTS if one.kind == TARGET.kind and one != TARGET]


def task(operations_done: Sequence[GroundCall], base: Small = BASE, **goal: Any) -> ShoppingTask:
    configuration = Configuration(base, Overlay(base.data_version))
    for operation in operations_done:
        configuration = operations.apply(configuration, operation, Random(0))
    given: dict[str, Any] = {
        "instruction": f"i want {TARGET.kind}, and price lower than 50.00 dollars",
        "attributes": TARGET.attributes[:1],
        "options": (WantedOption(VALUE, OPTION),),
        "price_upper": 50.0,
    }
    kind = (TARGET.asin, TARGET.category, TARGET.query, TARGET.title, TARGET.product_category)
    return ShoppingTask(configuration, Goal(*kind, **(given | goal)))
