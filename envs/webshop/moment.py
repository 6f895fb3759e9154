"""A shop at one instant of a visit: what the expressions of a program say of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from skillsandbox.compiler.values import Entity, Value
from skillsandbox.envs.webshop.catalogue import UNLISTED_ATTRIBUTES, OptionValue, Product, cents
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.interface import NOT_FOUND
from skillsandbox.envs.webshop.operations import product_of, text_of
from skillsandbox.envs.webshop.overlay import folded
from skillsandbox.envs.webshop.pages import PAGE_SIZE, Choice, Done, Item, Page, Results, SubPage, clickables
from skillsandbox.envs.webshop.site import Outcome, Visit, parse_action

_SEARCH, _CLICK = "search", "click"


@attrs.frozen
class Act:
    """The action that led to a moment, as what it did; `verb` is empty for none, and one that did nothing.

    `words` is what was searched for or clicked. `opened`, `chose` and `bought` hold the ASIN of the product
    whose page was opened, of which an option was chosen, or that was bought; `viewed` those of a section.
    """

    verb: str = ""
    words: str = ""
    opened: str = ""
    viewed: tuple[str, str] | None = None
    chose: str = ""
    bought: str = ""
    failed: bool = False


NO_ACT = Act()


def act_of(before: Visit, action: str, outcome: Outcome) -> Act:
    """Return an action on a visit as what it did."""
    parsed = parse_action(action)
    if not outcome.effective or parsed is None:
        return Act(failed=True)
    verb, words = parsed
    page, after = before.page, outcome.visit.page
    act = Act(verb, words)
    match after:
        case Done(product=product):
            return attrs.evolve(act, bought=product.asin)
        case Item(product=product) if isinstance(page, Results):
            return attrs.evolve(act, opened=product.asin)
        case Item(product=product) if verb == _CLICK and isinstance(clickables(page).get(words), Choice):
            return attrs.evolve(act, chose=product.asin)
        case SubPage(item=item, section=section) if verb == _CLICK:
            return attrs.evolve(act, viewed=(item.product.asin, section.value.lower()))
        case _:
            return act


@attrs.frozen
class ShopMoment:
    """A configuration, the page of a visit (None before any), and the action that led there.

    `bound` is the goal's bound on the price in cents, None where there is none.
    """

    configuration: Configuration
    page: Page | None = None
    act: Act = NO_ACT
    bound: int | None = None

    def field(self, entity: Entity, name: str) -> Value:
        """Return the value of a product's field; `Refused` where the product has been removed."""
        return _FIELDS[name](product_of(self.configuration, entity.key))

    def call(self, symbol: str, arguments: tuple[Value, ...]) -> Value:
        """Return the value of a function, or whether a relation or event holds."""
        keys = [argument.key for argument in arguments if isinstance(argument, Entity)]
        rest = [argument for argument in arguments if not isinstance(argument, Entity)]
        match symbol, keys, rest:
            case "rank", [key], [str(query)]:
                found = self.configuration.shop.search(query)
                return found.index(key) + 1 if key in found else NOT_FOUND
            case "results", _, [str(query)]:
                return len(self.configuration.shop.search(query))
            case "offers", [key], [str(name), str(value)]:
                return self._choice(key, name, value) is not None
            case "available", [key], [str(name), str(value)]:
                choice = self._choice(key, name, value)
                return choice is not None and choice.available
            case "price_with", [key], [str(name), str(value)]:
                choice = self._choice(key, name, value)
                price = None if choice is None else choice.price
                return product_of(self.configuration, key).price if price is None else price
            case _:
                return self._sees(symbol, keys, rest) or self._happens(symbol, keys, rest)

    def _choice(self, key: str, name: str, value: str) -> OptionValue | None:
        for option in product_of(self.configuration, key).options:
            if option.name == name:
                return next((one for one in option.values if one.value == value), None)
        return None

    def _sees(self, symbol: str, keys: Sequence[str], rest: Sequence[Value]) -> bool:
        """Say whether something is so on the page that is open."""
        match symbol, keys, rest:
            case "nothing_bought", _, _:
                return not isinstance(self.page, Done)
            case "listed", [key], _:
                return key in self._listed()
            case "listed_at", [key], [int(rank)]:
                return self._listed().get(key) == rank
            case "on_page", [key], _:
                return self._is_open(key)
            case "reading", [key], [str(section)]:
                page = self.page
                return (
                    isinstance(page, SubPage)
                    and page.item.product.asin == key
                    and page.section.value.lower() == section
                )
            case "chosen", [key], [str(value)]:
                return self._is_open(key) and value.lower() in self._chosen()
            case "sees_price", [key], [str(side)]:
                return self._sees_price(key, side)
            case _:
                return False

    def _item(self) -> Item | None:
        match self.page:
            case Item() as item:
                return item
            case SubPage(item=item):
                return item
            case _:
                return None

    def _is_open(self, key: str) -> bool:
        item = self._item()
        return item is not None and item.product.asin == key

    def _chosen(self) -> tuple[str, ...]:
        item = self._item()
        return () if item is None else tuple(value for _, value in item.chosen)

    def _listed(self) -> dict[str, int]:
        """Return the places of the products on the page of results that is open."""
        if not isinstance(self.page, Results):
            return {}
        first = (self.page.number - 1) * PAGE_SIZE + 1
        return {listing.product.asin: first + place for place, listing in enumerate(self.page.listings)}

    def _sees_price(self, key: str, side: str) -> bool:
        shown = isinstance(self.page, Item) and self.page.product.asin == key
        if not shown and key not in self._listed():
            return False
        price = cents(self.configuration.shop.prices(product_of(self.configuration, key)))
        return (self.bound is not None and price > self.bound) == (side == "above")

    def _happens(self, symbol: str, keys: Sequence[str], rest: Sequence[Value]) -> bool:
        """Say whether the last action did something."""
        act = self.act
        match symbol, keys, rest:
            case "searched", _, [str(query)]:
                return act.verb == _SEARCH and folded(act.words) == folded(query)
            case "searches", _, _:
                return act.verb == _SEARCH
            case "clicked", _, [str(caption)]:
                return act.verb == _CLICK and act.words == caption.lower()
            case "opened", [key], _:
                return act.opened == key
            case "viewed", [key], [str(section)]:
                return act.viewed == (key, section)
            case "chose", [key], [str(value)]:
                return act.chose == key and act.words == value.lower()
            case "bought", [key], _:
                return act.bought == key
            case "buys", _, _:
                return act.bought != ""
            case "nothing_happens", _, _:
                return act.failed
            case _:
                return False


_FIELDS: dict[str, Callable[[Product], Value]] = {
    "title": lambda product: product.title,
    "features": lambda product: text_of(product, "features"),
    "description": lambda product: product.description,
    "price": lambda product: product.price,
    "highest_price": lambda product: product.highest_price,
    "rating": lambda product: round((product.rating or 0) * 10),
    "category": lambda product: product.category,
    "kind": lambda product: product.kind,
    "query": lambda product: product.query,
    "attributes": lambda product: () if product.attributes == UNLISTED_ATTRIBUTES else product.attributes,
    "path": lambda product: product.categories,
}
