"""The pages as an agent of the observation mode `html` sees them.

The elements, identifiers and classes are those by which agents and the official text environment find their
way in princeton-nlp/WebShop's pages; the markup around them is our own. The official environment makes of it
the very texts of `pages.text` and `pages.text_rich`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

from skillsandbox.envs.webshop.pages import (
    BACK_TO_SEARCH,
    BUY_NOW,
    NEXT,
    ORIGIN,
    PREVIOUS,
    SEARCH,
    UNRATED,
    Done,
    Item,
    Listing,
    Page,
    Results,
    Section,
    Start,
    SubPage,
    done_lines,
    sections,
    url,
)


def html(page: Page) -> str:
    """Return a page as an HTML document."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8"><title>WebShop</title></head>',
            "<body>",
            *_body(page),
            "</body>",
            "</html>",
        )
    )


def _body(page: Page) -> Iterator[str]:
    match page:
        case Start():
            yield from _start(page)
        case Results():
            yield from _heading(page.session, page.instruction)
            yield from _results(page)
        case Item():
            yield from _heading(page.session, page.instruction)
            yield from _item(page)
        case SubPage():
            yield from _heading(page.session, page.item.instruction)
            yield _button(PREVIOUS, url(page.item))
            yield from _section(page)
        case Done():
            yield from _done(page)


def _start(page: Start) -> Iterator[str]:
    yield '<div id="logo"><h2>WebShop</h2></div>'
    yield f'<div id="instruction-text"><h4>Instruction: <br>{escape(page.instruction)}</h4></div>'
    yield f'<form method="post" action="{_path(url(page))}">'
    yield '<input id="search_input" type="text" name="search_query" placeholder="Search..." required>'
    yield f'<button class="btn" type="submit">{SEARCH}</button>'
    yield "</form>"


def _heading(session: str, instruction: str) -> Iterator[str]:
    yield f'<div id="instruction-text"><h4>Instruction:<br>{escape(instruction)}</h4></div>'
    yield _button(BACK_TO_SEARCH, f"{ORIGIN}/{session}")


def _results(page: Results) -> Iterator[str]:
    yield f"<h3>Page {page.number} (Total results: {len(page.query.found)})</h3>"
    here = url(page).rpartition("/")[0]
    if page.number > 1:
        yield _button(PREVIOUS, f"{here}/{page.number - 1}")
    yield _button(NEXT, f"{here}/{page.number + 1}")
    for listing in page.listings:
        yield from _listing(page, listing)


def _listing(page: Results, listing: Listing) -> Iterator[str]:
    product = listing.product
    item = Item(page.session, page.instruction, page.query, page.number, product, (), attributes_shown=False)
    yield '<div class="list-group-item">'
    yield f'<img src="{escape(product.main_image)}" class="result-img" alt="">'
    link = f'<a class="product-link" href="{_path(url(item))}">{escape(product.asin)}</a>'
    yield f'<h4 class="product-asin">{link}</h4>'
    yield f'<h4 class="product-title">{escape(product.title)}</h4>'
    yield f'<h5 class="product-price">{product.price_tag}</h5>'
    yield "</div>"


def _item(page: Item) -> Iterator[str]:
    product = page.product
    results = Results(page.session, page.instruction, page.query, page.number, ())
    yield _button(PREVIOUS, url(results))
    yield f'<img id="product-image" src="{escape(product.main_image)}" class="item-page-img" alt="">'
    chosen = dict(page.chosen)
    for name, values in product.option_values.items():
        yield f"<h4>{escape(name)}</h4>"
        yield '<div class="radio-toolbar">'
        yield from _radios(name, values, chosen.get(name))
        yield "</div>"
    yield f"<h2>{escape(product.title)}</h2>"
    yield f"<h4>Price: {product.price_tag}</h4>"
    yield f"<h4>Rating: {UNRATED}</h4>"
    for section in sections(page):
        yield _button(section.value, url(SubPage(page, section)))
    yield _button(BUY_NOW, f"{ORIGIN}/done/{page.session}/{product.asin}/{chosen}")


def _radios(name: str, values: Iterable[str], chosen: str | None) -> Iterator[str]:
    group = escape(name)
    for number, value in enumerate(values):
        identifier = f"radio_{group}{number}"
        state = " checked" if value == chosen else ""
        yield f'<input type="radio" id="{identifier}" name="{group}" value="{escape(value)}"{state}>'
        yield f'<label for="{identifier}">{escape(value)}</label>'


def _section(page: SubPage) -> Iterator[str]:
    product = page.item.product
    match page.section:
        case Section.DESCRIPTION:
            yield f'<p class="product-info">{escape(product.description)}</p>'
        case Section.FEATURES:
            yield from _list("product-info", product.bullets)
        case Section.REVIEWS:
            yield '<div name="reviews"></div>'
        case Section.ATTRIBUTES:
            yield from _list("attribute", product.attributes)
            yield f'<h5 class="product-category">{escape(product.category)}</h5>'
            yield f'<h5 class="product-query">{escape(product.query)}</h5>'
            yield f'<h5 class="product-product_category">{escape(product.product_category)}</h5>'


def _list(kind: str, entries: Iterable[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (f'<li><p class="{kind}"> {escape(entry)}</p></li>' for entry in entries)
    yield "</ul>"


def _done(page: Done) -> Iterator[str]:
    yield '<div id="stats">'
    for caption, value in done_lines(page):
        yield f"<h4>{escape(caption)}</h4>"
        if value is not None:
            yield f"<pre>{escape(value)}</pre>"
    yield "</div>"


def _button(caption: str, address: str) -> str:
    button = f'<button class="btn" type="submit">{escape(caption)}</button>'
    return f'<form method="post" action="{_path(address)}">{button}</form>'


def _path(address: str) -> str:
    return quote(address.removeprefix(ORIGIN), safe="/:")
