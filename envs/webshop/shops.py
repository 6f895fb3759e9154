"""Shops over catalogues: a catalogue, its index, and the official order of its goals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import attrs

from skillsandbox.envs.webshop.catalogue import Catalogue, index_text
from skillsandbox.envs.webshop.goals import Goal, Prices, drawn_price, human_goals, shuffled, synthetic_goals
from skillsandbox.envs.webshop.index import FORMAT, Index, IndexUnusableError
from skillsandbox.envs.webshop.site import Shop
from skillsandbox.grammar.cache import cache_folder

GOALS_SEED = 0
"""The seed of the price bounds of a catalogue's goals."""


@attrs.frozen
class Finder:
    """Searches an index, and gives the ASINs that it finds."""

    index: Index

    def __call__(self, query: str) -> tuple[str, ...]:
        """Return the ASINs that a query finds, best first."""
        return tuple(hit.id for hit in self.index.search(query))


def open_index(catalogue: Catalogue) -> Index:
    """Return a catalogue's index from the cache; where it is missing or damaged, it is built there first.

    Raises:
        OSError: the cache folder cannot be written.
    """
    folder = cache_folder() / f"webshop-index-{FORMAT}-{catalogue.data_version}"
    try:
        return Index.open(folder)
    except IndexUnusableError:
        return Index.build(folder, ((product.asin, index_text(product)) for product in catalogue.products()))


def open_shop(catalogue: Catalogue, *, prices: Prices = drawn_price, attributes_shown: bool = False) -> Shop:
    """Return a shop over a catalogue, with its index from the cache."""
    return Shop(catalogue, Finder(open_index(catalogue)), prices, attributes_shown=attributes_shown)


def official_goals(shop: Shop, *, human: bool, seed: int = GOALS_SEED) -> list[Goal]:
    """Return a shop's goals, worded by people or synthetic, in the order from which splits are cut."""
    make: Callable[..., list[Goal]] = human_goals if human else synthetic_goals
    return shuffled(make(shop.catalogue.products(), shop.prices, Random(seed)))
