"""The shop: what an action does to a visit. Visits are values; the shop holds nothing that changes.

What princeton-nlp/WebShop's `SimServer` does that one would not expect, and that is kept here:

- A search works on every page, and forgets the options that were chosen.
- Buttons are known by their caption, whatever they are: an option value `buy now` buys.
- Which page `< Prev` leads to depends on the words in the address, in which the query stands too.
- `Next >` is always there, and leads past the last result.
- An ASIN stays marked as visited until the start page is opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import attrs

from skillsandbox.envs.webshop.catalogue import Catalogue
from skillsandbox.envs.webshop.goals import Goal, Prices, drawn_price
from skillsandbox.envs.webshop.nouns import nouns
from skillsandbox.envs.webshop.pages import (
    BACK_TO_SEARCH,
    BUY_NOW,
    NEXT,
    PAGE_SIZE,
    PREVIOUS,
    SEARCH,
    Choice,
    Choices,
    Done,
    Item,
    Link,
    Listing,
    Page,
    Query,
    Results,
    Section,
    Start,
    SubPage,
    Target,
    clickables,
    url,
)
from skillsandbox.envs.webshop.reward import Nouns, score

MOST_RESULTS = 50
"""How many results a search has at most."""

_ACTION = re.compile(r"(.+)\[(.+)\]")
_SECTIONS = {section.value.lower(): section for section in Section}
_PAGE_NAMES = ("search_results", "item_page", "item_sub_page", "done")


@attrs.frozen
class Shop:
    """Products, how to find them, and what they cost.

    `search` gives the ASINs that a query finds, best first; it must search this catalogue, edits included.
    `prices` gives the price in dollars that a purchase costs. `attributes_shown` adds the official site's
    optional page of attributes.
    """

    catalogue: Catalogue
    search: Callable[[str], Sequence[str]]
    prices: Prices = drawn_price
    nouns: Nouns = nouns
    attributes_shown: bool = False

    def find(self, keywords: tuple[str, ...]) -> Query:
        """Return what a query finds; every query is words, `<r>` and its like included."""
        found = self.search(" ".join(keywords))[:MOST_RESULTS]
        return Query(keywords, tuple(asin for asin in found if asin in self.catalogue))


@attrs.frozen
class Visit:
    """A shopper's visit: the goal, the page that is open, and the ASINs whose pages were opened."""

    goal: Goal
    page: Page
    visited: frozenset[str] = frozenset()


@attrs.frozen
class Outcome:
    """What came of an action: the visit after it, its reward, and whether it was a purchase.

    `effective` is False for what does nothing: the page stays.
    """

    visit: Visit
    reward: float = 0.0
    done: bool = False
    effective: bool = True


def enter(goal: Goal, session: str) -> Visit:
    """Return a visit at its start page."""
    return Visit(goal, Start(session, goal.instruction))


def parse_action(action: str) -> tuple[str, str] | None:
    """Return an action's verb and its argument in lower case; None for what is not written like an action."""
    match = _ACTION.match(action)
    return None if match is None else (match[1], match[2].lower())


def act(shop: Shop, visit: Visit, action: str) -> Outcome:
    """Do what an action says: `search[words]`, or `click[text]` for what can be clicked here.

    All else does nothing: text around the action, another case of the verb, white space in brackets.
    """
    match parse_action(action):
        case ("search", words):
            return Outcome(search(shop, visit, words))
        case ("click", caption) if caption != SEARCH.lower():
            target = clickables(visit.page).get(caption)
            if target is not None:
                return _click(shop, visit, caption, target)
    return Outcome(visit, effective=False)


def is_effective(visit: Visit, action: str) -> bool:
    """Say whether an action does something on the page that is open."""
    match parse_action(action):
        case ("search", _):
            return True
        case ("click", caption):
            return caption != SEARCH.lower() and caption in clickables(visit.page)
    return False


def search(shop: Shop, visit: Visit, words: str) -> Visit:
    """Return the visit at the first page of what a query finds."""
    return _at_results(shop, visit, shop.find(tuple(words.split(" "))), 1)


def _click(shop: Shop, visit: Visit, caption: str, target: Target) -> Outcome:
    if caption == BACK_TO_SEARCH.lower():
        return Outcome(enter(visit.goal, visit.page.session))
    if isinstance(visit.page, Results):
        return Outcome(_click_in_results(shop, visit, visit.page, caption, target))
    item = visit.page.item if isinstance(visit.page, SubPage) else visit.page
    assert isinstance(item, Item), "nothing else can be clicked on the other pages"
    if caption == BUY_NOW.lower():
        done = purchase(shop, visit.goal, item)
        return Outcome(attrs.evolve(visit, page=done), done.score.reward, done=True)
    return Outcome(_click_at_item(shop, visit, item, caption, target))


def _click_in_results(shop: Shop, visit: Visit, page: Results, caption: str, target: Target) -> Visit:
    if isinstance(target, Link):
        opened = Item(
            session=page.session,
            instruction=page.instruction,
            query=page.query,
            number=page.number,
            product=target.product,
            chosen=(),
            attributes_shown=shop.attributes_shown,
        )
        return attrs.evolve(visit, page=opened, visited=visit.visited | {target.product.asin})
    return _at_results(shop, visit, page.query, page.number + (1 if caption == NEXT.lower() else -1))


def _click_at_item(shop: Shop, visit: Visit, item: Item, caption: str, target: Target) -> Visit:
    believed = _page_name(url(visit.page))
    if caption == NEXT.lower() and believed == "search_results":
        return _at_results(shop, visit, item.query, item.number + 1)
    if caption == PREVIOUS.lower() and believed == "search_results":
        return _at_results(shop, visit, item.query, item.number - 1)
    if caption == PREVIOUS.lower() and believed == "item_page":
        return _at_results(shop, visit, item.query, item.number)
    if caption in _SECTIONS:
        return attrs.evolve(visit, page=SubPage(item, _SECTIONS[caption]))
    if isinstance(target, Choice):
        item = attrs.evolve(item, chosen=choose(item.chosen, target.option, caption))
    return attrs.evolve(visit, page=item)


def _page_name(address: str) -> str | None:
    """The page that the official site takes an address for."""
    return next((name for name in _PAGE_NAMES if name in address), None)


def _at_results(shop: Shop, visit: Visit, query: Query, number: int) -> Visit:
    return attrs.evolve(
        visit, page=results(shop, visit.page.session, visit.goal, query, number, visit.visited)
    )


# Pages


def results(
    shop: Shop, session: str, goal: Goal, query: Query, number: int, visited: frozenset[str] = frozenset()
) -> Results:
    """Return a page of results; numbers that no result has give an empty one."""
    asins = query.found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    listings = tuple(Listing(shop.catalogue.product(asin), asin in visited) for asin in asins)
    return Results(session, goal.instruction, query, number, listings)


def choose(chosen: Choices, option: str, value: str) -> Choices:
    """Return the choices with one more; a later choice of an option takes the place of the earlier."""
    return tuple((dict(chosen) | {option: value}).items())


def purchase(shop: Shop, goal: Goal, item: Item) -> Done:
    """Return the page after buying what an item's page shows, with the chosen options."""
    earned = score(item.product, goal, shop.prices(item.product), dict(item.chosen), shop.nouns)
    return Done(item.session, item.product, item.chosen, earned)
