"""Overlays: small patches on an immutable catalogue, and catalogues that read through them.

A composite of base and overlay is a catalogue like any other, and its search is that of a fresh index of it.
Places among the results that an overlay fixes are pins: they apply after the search, on our site only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any

import attrs
import msgspec

from skillsandbox.compiler.decoding import decoded
from skillsandbox.envs.webshop.catalogue import (
    Catalogue,
    Option,
    OptionValue,
    Product,
    UnknownProductError,
    index_text,
)
from skillsandbox.envs.webshop.index import MOST_HITS, Index

EDITABLE = (
    "title",
    "category",
    "query",
    "product_category",
    "prices",
    "bullets",
    "description",
    "attributes",
    "options",
    "rating",
)
"""The fields of a product that an overlay can change."""


_LARGEST = 10**12
"""More than any amount in dollars or cents, and a number that floating point has exactly."""

_Amount = Annotated[float, msgspec.Meta(ge=0, le=_LARGEST)]


class OverlayError(ValueError):
    """An overlay cannot be applied: it is of another base, or does not fit together."""


@attrs.frozen
class Patch:
    """The fields of a product that differ from the base's product `like`, by name, in a fixed order.

    For an edit `like` is the product's own ASIN; an added product has that of another, and no instructions.
    """

    like: str
    fields: tuple[tuple[str, Any], ...] = ()


@attrs.frozen
class Pin:
    """A place among the results, from 1: of one query, as `folded` gives it, or of all that find it."""

    asin: str
    rank: int
    query: str | None = None


@attrs.frozen
class Overlay:
    """What differs from the catalogue whose data version is `base`; added products come last, in order.

    A pin stands in front of older pins: of two for the same place the later counts.
    """

    base: str
    edited: tuple[tuple[str, Patch], ...] = ()
    added: tuple[tuple[str, Patch], ...] = ()
    removed: frozenset[str] = frozenset()
    pins: tuple[Pin, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return self == Overlay(self.base)


def folded(query: str) -> str:
    """Return a query as pins know it: in lower case, with single spaces."""
    return " ".join(query.lower().split())


@attrs.define(frozen=True, slots=False, eq=False)
class OverlaidCatalogue:
    """A catalogue as it is with an overlay on it.

    Raises:
        OverlayError: the overlay is of another base, or speaks of products that there are not.
    """

    base: Catalogue
    overlay: Overlay = attrs.field()

    @overlay.validator
    def _check(self, attribute: object, overlay: Overlay) -> None:
        for fault in _faults(self.base, overlay):
            raise OverlayError(fault)

    @cached_property
    def patches(self) -> Mapping[str, Patch]:
        """The patches by the ASIN of the product that they make."""
        return dict((*self.overlay.edited, *self.overlay.added))

    @cached_property
    def _patched(self) -> dict[str, Product]:
        return {asin: self._apply(asin, patch) for asin, patch in self.patches.items()}

    def _apply(self, asin: str, patch: Patch) -> Product:
        product = self.base.product(patch.like)
        if asin != patch.like:
            product = attrs.evolve(product, asin=asin, synthetic=None, human=())
        return attrs.evolve(product, **dict(patch.fields))

    @cached_property
    def data_version(self) -> str:
        """A hash of the base's data version and the overlay; that of the base where nothing differs."""
        if self.overlay.is_empty:
            return self.base.data_version
        text = json.dumps(overlay_to_data(self.overlay), sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

    def product(self, asin: str) -> Product:
        """Return a product; raise `UnknownProductError` where there is none."""
        if asin in self.overlay.removed:
            raise UnknownProductError(asin)
        return self._patched[asin] if asin in self._patched else self.base.product(asin)

    def asins(self) -> Iterator[str]:
        """Yield the ASINs of all products: those of the base in order, then those that were added."""
        yield from (asin for asin in self.base.asins() if asin not in self.overlay.removed)
        yield from (asin for asin, _ in self.overlay.added)

    def products(self) -> Iterator[Product]:
        """Yield all products in the same order."""
        for product in self.base.products():
            if product.asin not in self.overlay.removed:
                yield self._patched.get(product.asin, product)
        yield from (self._patched[asin] for asin, _ in self.overlay.added)

    def __contains__(self, asin: object) -> bool:
        """Say whether there is a product with this ASIN."""
        return asin not in self.overlay.removed and (asin in self._patched or asin in self.base)

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.base) - len(self.overlay.removed) + len(self.overlay.added)

    def with_product(self, product: Product) -> Overlay:
        """Return the overlay in which a product of this catalogue is as given."""
        like = self.patches[product.asin].like if product.asin in self.patches else product.asin
        patch = Patch(like, difference(self.base.product(like), product))
        added = dict(self.overlay.added)
        if product.asin in added:
            return attrs.evolve(self.overlay, added=tuple((added | {product.asin: patch}).items()))
        edited = {asin: old for asin, old in self.overlay.edited if asin != product.asin}
        if patch.fields:
            edited[product.asin] = patch
        return attrs.evolve(self.overlay, edited=tuple(sorted(edited.items())))

    def with_added(self, product: Product, like: str) -> Overlay:
        """Return the overlay with one more product, written as what differs from the product `like`."""
        origin = self.patches[like].like if like in self.patches else like
        patch = Patch(origin, difference(self.base.product(origin), product))
        return attrs.evolve(self.overlay, added=(*self.overlay.added, (product.asin, patch)))

    def without(self, asin: str) -> Overlay:
        """Return the overlay without a product, and without its pins."""
        added = tuple(pair for pair in self.overlay.added if pair[0] != asin)
        edited = tuple(pair for pair in self.overlay.edited if pair[0] != asin)
        gone = {asin} if asin in self.base else set()
        pins = tuple(pin for pin in self.overlay.pins if pin.asin != asin)
        removed = self.overlay.removed | gone
        return attrs.evolve(self.overlay, added=added, edited=edited, removed=removed, pins=pins)


def _faults(base: Catalogue, overlay: Overlay) -> Iterator[str]:
    """Yield what keeps an overlay from being put on a catalogue."""
    if overlay.base != base.data_version:
        own, other = base.data_version[:12], overlay.base[:12]
        yield f"an overlay of the catalogue {other} cannot be put on {own}"
    added = dict(overlay.added)
    pinned = [pin.asin for pin in overlay.pins if pin.asin not in added]
    likes = [patch.like for _, patch in (*overlay.edited, *overlay.added)]
    for asin in (*likes, *sorted(overlay.removed), *pinned):
        if asin not in base:
            yield f"the catalogue has no product {asin}, of which the overlay speaks"
    for asin, patch in overlay.edited:
        if patch.like != asin:
            yield f"the overlay edits {asin} as if it were {patch.like}"
    for asin in added:
        if asin in base:
            yield f"the overlay adds {asin}, which the catalogue has already"
    for asin in (*dict(overlay.edited), *pinned):
        if asin in overlay.removed:
            yield f"the overlay edits or pins {asin}, which it removes"


def difference(base: Product, product: Product) -> tuple[tuple[str, Any], ...]:
    """Return the editable fields in which a product differs from another, in a fixed order."""
    return tuple(
        (name, getattr(product, name)) for name in EDITABLE if getattr(product, name) != getattr(base, name)
    )


@attrs.define(frozen=True, slots=False, eq=False)
class OverlaidSearch:
    """Searches a catalogue through its overlay, given the index of the base; pins apply to what is found."""

    index: Index
    catalogue: OverlaidCatalogue

    @cached_property
    def unpinned(self) -> Index:
        """The index of the catalogue with its edits; it knows no pins."""
        overlay, base = self.catalogue.overlay, self.catalogue.base
        texts = {asin: index_text(self.catalogue.product(asin)) for asin in self.catalogue.patches}
        changed = {
            asin: text
            for asin, text in sorted(texts.items())
            if asin not in base or text != index_text(base.product(asin))
        }
        return (
            self.index.edited(changed, sorted(overlay.removed)) if changed or overlay.removed else self.index
        )

    @cached_property
    def _found(self) -> dict[str, tuple[str, ...]]:
        return {}

    def __call__(self, query: str) -> tuple[str, ...]:
        """Return the ASINs that a query finds, best first."""
        if query not in self._found:
            hits = tuple(hit.id for hit in self.unpinned.search(query, MOST_HITS))
            self._found[query] = pinned(hits, query, self.catalogue.overlay.pins)
        return self._found[query]


def pinned(found: Sequence[str], query: str, pins: Sequence[Pin]) -> tuple[str, ...]:
    """Return results with the pinned products at their places, or last where there are fewer results."""
    own = folded(query)
    ranks: dict[str, int] = {}
    for pin in pins:
        if pin.query == own or (pin.query is None and pin.asin in found and pin.asin not in ranks):
            ranks[pin.asin] = pin.rank
    results = [asin for asin in found if asin not in ranks]
    for asin, rank in sorted(ranks.items(), key=lambda pair: pair[1]):
        results.insert(rank - 1, asin)
    return tuple(results[:MOST_HITS])


# As JSON


def overlay_to_data(overlay: Overlay) -> dict[str, Any]:
    """Return an overlay as JSON data."""
    return {
        "base": overlay.base,
        "edited": {asin: dict(_fields_to_data(patch)) for asin, patch in overlay.edited},
        "added": {
            asin: {"like": patch.like, **dict(_fields_to_data(patch))} for asin, patch in overlay.added
        },
        "removed": sorted(overlay.removed),
        "pins": [attrs.asdict(pin) for pin in overlay.pins],
    }


def _fields_to_data(patch: Patch) -> Iterator[tuple[str, Any]]:
    for name, value in patch.fields:
        if name == "options":
            yield name, [_option_to_data(option) for option in value]
        else:
            yield name, list(value) if isinstance(value, tuple) else value


def _option_to_data(option: Option) -> dict[str, Any]:
    """Leave out what is as usual, so that overlays stay small."""
    return {"name": option.name, "values": [_choice_to_data(one) for one in option.values]}


def _choice_to_data(one: OptionValue) -> dict[str, Any]:
    return {
        field.name: getattr(one, field.name)
        for field in attrs.fields(OptionValue)
        if field.name == "value" or getattr(one, field.name) != _usual(one, field)
    }


def _usual(one: OptionValue, field: Any) -> Any:
    return one.value if field.name == "text" else field.default


class _ChoiceData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: str
    text: str | msgspec.UnsetType = msgspec.UNSET
    price: Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)] | None = None
    image: str | None = None
    asin: str | None = None
    available: bool = True
    selected: bool = False


class _OptionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    values: tuple[_ChoiceData, ...]


class _PatchData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A patch; the fields after `like` are those of `EDITABLE`, in their order."""

    like: str | msgspec.UnsetType = msgspec.UNSET
    title: str | msgspec.UnsetType = msgspec.UNSET
    category: str | msgspec.UnsetType = msgspec.UNSET
    query: str | msgspec.UnsetType = msgspec.UNSET
    product_category: str | msgspec.UnsetType = msgspec.UNSET
    prices: Annotated[tuple[_Amount, ...], msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET
    bullets: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType = msgspec.UNSET
    attributes: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    options: tuple[_OptionData, ...] | msgspec.UnsetType = msgspec.UNSET
    rating: _Amount | msgspec.UnsetType | None = msgspec.UNSET


class _PinData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    asin: str
    rank: Annotated[int, msgspec.Meta(ge=1, le=MOST_HITS)]
    query: str | None


class _OverlayData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    base: str
    edited: dict[str, Any]
    added: dict[str, Any]
    removed: frozenset[str]
    pins: tuple[_PinData, ...]


def overlay_from_data(data: Any, place: str = "overlay") -> Overlay:
    """Return the overlay that `overlay_to_data` wrote; `place` is where the data stand, for messages.

    Raises:
        Malformed: it did not write this.
    """
    read = decoded(data, _OverlayData, place)
    edited, added = (
        tuple((asin, _patch(asin, fields, f"{place}.{name}.{asin}")) for asin, fields in patches.items())
        for name, patches in (("edited", read.edited), ("added", read.added))
    )
    pins = tuple(Pin(pin.asin, pin.rank, pin.query) for pin in read.pins)
    return Overlay(read.base, edited, added, read.removed, pins)


def _patch(asin: str, data: Any, place: str) -> Patch:
    read = decoded(data, _PatchData, place)
    fields = {name: value for name in EDITABLE if (value := getattr(read, name)) is not msgspec.UNSET}
    if "options" in fields:
        fields["options"] = tuple(map(_option, fields["options"]))
    return Patch(asin if read.like is msgspec.UNSET else read.like, tuple(fields.items()))


def _option(data: _OptionData) -> Option:
    return Option(data.name, tuple(map(_choice, data.values)))


def _choice(data: _ChoiceData) -> OptionValue:
    return OptionValue(
        value=data.value,
        text=data.value if data.text is msgspec.UNSET else data.text,
        price=data.price,
        image=data.image,
        asin=data.asin,
        available=data.available,
        selected=data.selected,
    )
