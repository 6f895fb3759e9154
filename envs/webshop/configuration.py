"""A shop as scenarios build it: a base catalogue with its index, and what an overlay makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import attrs

from skillsandbox.envs.webshop.catalogue import Catalogue, Product
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.overlay import OverlaidCatalogue, OverlaidSearch, Overlay
from skillsandbox.envs.webshop.site import Shop
from skillsandbox.envs.webshop.store import WebshopStore


class Stock(Protocol):
    """What overlays are put on: a catalogue by name, with its index."""

    @property
    def name(self) -> str:
        """The name, by which a saved configuration finds it again."""

    @property
    def data_version(self) -> str:
        """A hash of the content."""

    @property
    def store(self) -> Catalogue:
        """The products."""

    @property
    def index(self) -> Index:
        """The index of their texts."""


@attrs.frozen
class Base:
    """A catalogue by name, in its store, with its index; two of one name and content are equal."""

    name: str
    data_version: str
    store: WebshopStore = attrs.field(eq=False, repr=False)
    index: Index = attrs.field(eq=False, repr=False)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that answer an SQL query; `TooCostly` gives up on it."""
        return self.store.query(sql, parameters)


@attrs.define(frozen=True, slots=False)
class Configuration:
    """A base and an overlay of it."""

    base: Stock
    overlay: Overlay

    @cached_property
    def catalogue(self) -> OverlaidCatalogue:
        """The catalogue with the overlay on it."""
        return OverlaidCatalogue(self.base.store, self.overlay)

    @cached_property
    def search(self) -> OverlaidSearch:
        """The search through the overlay, pins included."""
        return OverlaidSearch(self.base.index, self.catalogue)

    @cached_property
    def shop(self) -> Shop:
        """The shop that an episode visits."""
        return Shop(self.catalogue, self.search)

    def with_product(self, product: Product) -> Configuration:
        """Return the configuration in which a product is as given."""
        return Configuration(self.base, self.catalogue.with_product(product))
