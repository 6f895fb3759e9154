"""The pages of the shop as values, and what an agent sees of them: text, address, and what can be clicked.

Texts are those that princeton-nlp/WebShop's text environment makes of its HTML, to the letter: a page is a
sequence of text nodes, one for each piece of text in the official templates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import chain

import attrs

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.reward import Score

ORIGIN = "http://127.0.0.1:3000"
"""Where the official site stands, in addresses."""

PAGE_SIZE = 10
"""How many products a page of results lists."""

SEARCH = "Search"
BACK_TO_SEARCH = "Back to Search"
PREVIOUS = "< Prev"
NEXT = "Next >"
BUY_NOW = "Buy Now"

UNRATED = "N.A."
"""The rating that the official site shows of every product."""

_HTML_WHITE_SPACE = " \n\t\f\r"

Choices = tuple[tuple[str, str], ...]
"""Chosen option values as (option name, value), in the order in which the options were first chosen."""


class Section(Enum):
    """The pages below an item's page, by the caption of their button."""

    DESCRIPTION = "Description"
    FEATURES = "Features"
    REVIEWS = "Reviews"
    ATTRIBUTES = "Attributes"


@attrs.frozen
class Query:
    """A search, its keywords split at single spaces, and the ASINs that it found, best first."""

    keywords: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def text(self) -> str:
        """The query as it was typed, lower-cased."""
        return " ".join(self.keywords)


@attrs.frozen
class Start:
    """The page with the search box."""

    session: str
    instruction: str


@attrs.frozen
class Listing:
    """A product in a list of results; `visited` says that its page has been opened since the start page."""

    product: Product
    visited: bool


@attrs.frozen
class Results:
    """A page of results, numbered from 1."""

    session: str
    instruction: str
    query: Query
    number: int
    listings: tuple[Listing, ...]


@attrs.frozen
class Item:
    """A product's page; `attributes_shown` adds a button for the list of its attributes."""

    session: str
    instruction: str
    query: Query
    number: int
    product: Product
    chosen: Choices
    attributes_shown: bool


@attrs.frozen
class SubPage:
    """A section of a product's page."""

    item: Item
    section: Section

    @property
    def session(self) -> str:
        """The session of the item's page."""
        return self.item.session


@attrs.frozen
class Done:
    """The page after a purchase."""

    session: str
    product: Product
    chosen: Choices
    score: Score


Page = Start | Results | Item | SubPage | Done


# Addresses


def url(page: Page) -> str:
    """Return the page's official address, keywords and options unescaped as there."""
    match page:
        case Start():
            path = page.session
        case Results():
            path = f"search_results/{page.session}/{_trail(page)}"
        case Item():
            path = (
                f"item_page/{page.session}/{page.product.asin}/{_trail(page)}/{json.dumps(dict(page.chosen))}"
            )
        case SubPage(item=item, section=section):
            path = (
                f"item_sub_page/{item.session}/{item.product.asin}/{_trail(item)}"
                f"/{section.value}/{dict(item.chosen)}"
            )
        case Done():
            path = f"done/{page.session}/{page.product.asin}/{dict(page.chosen)}"
    return f"{ORIGIN}/{path}"


def _trail(page: Results | Item) -> str:
    return f"{'+'.join(page.query.keywords)}/{page.number}"


# What can be clicked


@attrs.frozen
class Button:
    """A button, known by its caption alone."""


@attrs.frozen
class Link:
    """A link to a product's page."""

    product: Product


@attrs.frozen
class Choice:
    """A value of an option."""

    option: str


Target = Button | Link | Choice

_BUTTON = Button()


def clickables(page: Page) -> Mapping[str, Target]:
    """Return what can be clicked on a page by its lower-cased text, in the official order.

    Where texts collide the later takes the earlier's place: a value of two options chooses of the last.
    """
    match page:
        case Start():
            return _buttons(SEARCH)
        case Results():
            links = {listing.product.asin.lower(): Link(listing.product) for listing in page.listings}
            return _buttons(*_result_buttons(page)) | links
        case Item():
            values = {
                value: Choice(name) for name, values in page.product.option_values.items() for value in values
            }
            return _buttons(BACK_TO_SEARCH, PREVIOUS, *_item_buttons(page)) | values
        case SubPage():
            return _buttons(BACK_TO_SEARCH, PREVIOUS)
        case Done():
            return {}


def _buttons(*captions: str) -> dict[str, Target]:
    return {caption.lower(): _BUTTON for caption in captions}


def _result_buttons(page: Results) -> tuple[str, ...]:
    return (BACK_TO_SEARCH, PREVIOUS, NEXT) if page.number > 1 else (BACK_TO_SEARCH, NEXT)


def sections(page: Item) -> tuple[Section, ...]:
    """Return the sections to which an item's page has buttons."""
    return tuple(one for one in Section if one is not Section.ATTRIBUTES or page.attributes_shown)


def _item_buttons(page: Item) -> tuple[str, ...]:
    return (*(section.value for section in sections(page)), BUY_NOW)


# Texts


class _Role(Enum):
    PLAIN = "plain"
    VERBATIM = "verbatim"
    BUTTON = "button"
    CHOICE = "choice"
    LINK = "link"
    VISITED = "visited"


_Node = tuple[_Role, str]


def text(page: Page) -> str:
    """Return the page in the observation mode `text`."""
    return " [SEP] ".join(node.strip() for _, node in _seen(page))


def text_rich(page: Page) -> str:
    """Return the page in the observation mode `text_rich`, which tells buttons from other text."""
    address = url(page)
    body, clicked = [], []
    for role, node in _seen(page):
        match role:
            case _Role.BUTTON:
                body.append(f"[button] {node} [button_]\n")
            case _Role.CHOICE if f'"{node}"' in address:
                body.append(f"  [clicked button] {node} [clicked button_]\n")
                clicked.append(f"You have clicked {node}.\n")
            case _Role.CHOICE:
                body.append(f"  [button] {node} [button_]\n")
            case _Role.VISITED:
                body.append(f"\n[clicked button] {node} [clicked button_]\n")
            case _Role.LINK:
                body.append(f"\n[button] {node} [button_]\n")
            case _Role.PLAIN | _Role.VERBATIM:
                body.append(f"{node}\n")
    return "".join(chain(reversed(clicked), body))


def _seen(page: Page) -> Iterator[_Node]:
    """The text nodes of a page that the official parser keeps, as it keeps them.

    White space alone becomes a space, which stays, or, if a line break is in it, a line break, which goes.
    """
    for role, node in _nodes(page):
        if role is not _Role.VERBATIM and not node.strip(_HTML_WHITE_SPACE):
            if node and "\n" not in node:
                yield role, " "
        elif node not in ("", "\n"):
            yield role, node


def _nodes(page: Page) -> Iterator[_Node]:
    match page:
        case Start():
            yield from _plain("WebShop", "Instruction: ", page.instruction)
            yield _Role.BUTTON, SEARCH
        case Results():
            yield from _heading(page.instruction)
            yield from _results(page)
        case Item():
            yield from _heading(page.instruction)
            yield from _item(page)
        case SubPage(item=item, section=section):
            yield from _heading(item.instruction)
            yield _Role.BUTTON, PREVIOUS
            yield from _plain(*_section(item.product, section))
        case Done():
            yield from _done(page)


def _plain(*texts: str) -> Iterator[_Node]:
    return ((_Role.PLAIN, text) for text in texts)


def _heading(instruction: str) -> Iterator[_Node]:
    yield from _plain("Instruction:", instruction)
    yield _Role.BUTTON, BACK_TO_SEARCH


def _results(page: Results) -> Iterator[_Node]:
    yield from _plain(f"Page {page.number} (Total results: {len(page.query.found)})")
    yield from ((_Role.BUTTON, caption) for caption in _result_buttons(page)[1:])
    for listing in page.listings:
        yield _Role.VISITED if listing.visited else _Role.LINK, listing.product.asin
        yield from _plain(listing.product.title, listing.product.price_tag)


def _item(page: Item) -> Iterator[_Node]:
    yield _Role.BUTTON, PREVIOUS
    for name, values in page.product.option_values.items():
        yield _Role.PLAIN, name
        yield from ((_Role.CHOICE, value) for value in values)
    yield from _plain(page.product.title, f"Price: {page.product.price_tag}", f"Rating: {UNRATED}")
    yield from ((_Role.BUTTON, caption) for caption in _item_buttons(page))


def _section(product: Product, section: Section) -> Iterator[str]:
    match section:
        case Section.DESCRIPTION:
            yield product.description
        case Section.FEATURES:
            yield from (f" {bullet}" for bullet in product.bullets)
        case Section.REVIEWS:
            pass
        case Section.ATTRIBUTES:
            yield from (f" {attribute}" for attribute in product.attributes)
            yield from (product.category, product.query, product.product_category)


def _done(page: Done) -> Iterator[_Node]:
    for caption, value in done_lines(page):
        yield _Role.PLAIN, caption
        if value is not None:
            yield _Role.VERBATIM, value


def done_lines(page: Done) -> Iterator[tuple[str, str | None]]:
    """Yield the captions of the page after a purchase, each with its value if it has one.

    The official text environment fills in no more than ASIN, options and reward.
    """
    yield "Thank you for shopping with us!", None
    yield "Your code: ", "None"
    yield " (Paste it in your MTurk interface.)", None
    yield "Purchased", None
    yield "asin", page.product.asin
    yield "options", _json_in_html(dict(page.chosen))
    yield from ((caption, "None") for caption in ("attrs", "category", "query", "product category"))
    yield "Target", None
    for caption in ("asin", "options", "attrs", "price upper", "instuction text", "category"):
        yield caption, None
    yield from (("product category", None), ("query", None), ("Goal ", "None"), ("Reward", None))
    yield "Your score (min 0.0, max 1.0)", str(page.score.reward)
    yield "Reward Details ", "None"


def _json_in_html(value: Mapping[str, str]) -> str:
    """JSON as Flask writes it into HTML: sorted, and safe to stand there."""
    escapes = {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026", "'": r"\u0027"}
    return "".join(escapes.get(character, character) for character in json.dumps(value, sort_keys=True))
