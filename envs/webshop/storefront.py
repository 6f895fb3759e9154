"""The shop as a web site for people: a WSGI application without state; an address says all of its page.

Search, pages and purchase are those of `site`; the look is our own. Product text is text: everything is
escaped, nothing is loaded from elsewhere, and no page has a script; the content security policy enforces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from importlib.resources import files
from urllib.parse import parse_qsl, quote, urlencode
from wsgiref.types import StartResponse, WSGIEnvironment

import attrs
from jinja2 import Environment, PackageLoader, StrictUndefined

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.goals import Goal
from skillsandbox.envs.webshop.pages import PAGE_SIZE, Choices, Item, Query, Section
from skillsandbox.envs.webshop.picture import picture
from skillsandbox.envs.webshop.site import Shop, purchase, results

LARGEST_FORM = 64 * 1024
"""Bytes that a form may have."""

OPTION_PREFIX = "option."
"""Before an option's name where it is the name of a form's field."""

SECURITY_HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)

_VISITOR = "visitor"
_SECTIONS = {section.value.lower(): section for section in Section}
_HTML = "text/html; charset=utf-8"
_SVG = "image/svg+xml; charset=utf-8"
_NUMBER = re.compile(r"[1-9]\d{0,5}")

Fields = Sequence[tuple[str, str]]


@attrs.frozen
class Request:
    """What of a request counts: the method, the path's parts, unquoted, and the fields of query and form."""

    method: str
    path: tuple[str, ...]
    fields: Fields

    def field(self, name: str) -> str:
        """Return the first value of a field, empty where it is missing."""
        return next((value for key, value in self.fields if key == name), "")


@attrs.frozen
class Response:
    """An answer: its status, its body with the type of it, and for a redirection where to."""

    status: HTTPStatus
    body: bytes = b""
    type: str = _HTML
    location: str | None = None


class _RefusalError(Exception):
    """A request cannot be answered as it stands."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def open_storefront(shop: Shop, goal: Goal) -> Storefront:
    """Return a shop's web site, ready to score: the tagger, which takes seconds to load, is loaded."""
    shop.nouns(goal.title)
    return Storefront(shop, goal)


@attrs.define(frozen=True, slots=False)
class Storefront:
    """A shop's web site for the shopper of one goal."""

    shop: Shop
    goal: Goal

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, as WSGI has it."""
        try:
            response = self.respond(_read(environ))
        except _RefusalError as refusal:
            response = self._refused(refusal)
        headers = [("Content-Type", response.type), ("Content-Length", str(len(response.body)))]
        if response.location is not None:
            headers.append(("Location", response.location))
        start_response(f"{response.status.value} {response.status.phrase}", [*headers, *SECURITY_HEADERS])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [response.body]

    def respond(self, request: Request) -> Response:
        """Return the answer to a request."""
        match request.method, request.path:
            case ("GET" | "HEAD", ()):
                return self._page("start.html.j2", {})
            case ("GET" | "HEAD", ("style.css",)):
                return Response(HTTPStatus.OK, _file("shop.css"), "text/css; charset=utf-8")
            case ("GET" | "HEAD", ("icon.svg",)):
                return Response(HTTPStatus.OK, _file("icon.svg"), _SVG)
            case ("GET" | "HEAD", ("search",)):
                return self._results(request)
            case ("GET" | "HEAD", ("item", asin)):
                return self._item(request, asin)
            case ("GET" | "HEAD", ("item", asin, section)) if section in self._sections:
                return self._section(request, asin, self._sections[section])
            case ("POST", ("buy", asin)):
                return self._bought(request, asin)
            case ("GET" | "HEAD", ("receipt", asin)):
                return self._receipt(request, asin)
            case ("GET" | "HEAD", ("picture", asin)):
                return Response(HTTPStatus.OK, picture(self._product(asin)).encode(), _SVG)
        raise _RefusalError(HTTPStatus.NOT_FOUND, "This shop has no such page.")

    # Pages

    def _results(self, request: Request) -> Response:
        words = " ".join(request.field("q").lower().split())
        if not words:
            return Response(HTTPStatus.SEE_OTHER, location="/")
        number = _page_number(request)
        query = self.shop.find(tuple(words.split(" ")))
        page = results(self.shop, _VISITOR, self.goal, query, number)
        last = max(1, -(-len(query.found) // PAGE_SIZE))
        if number > last:
            raise _RefusalError(HTTPStatus.NOT_FOUND, f"There are {last} pages of results.")
        shown = {"page": page, "words": words, "number": number, "last": last}
        return self._page("results.html.j2", shown)

    def _item(self, request: Request, asin: str) -> Response:
        return self._page("item.html.j2", self._shown(request, asin) | {"sections": self._sections})

    def _section(self, request: Request, asin: str, section: Section) -> Response:
        return self._page("section.html.j2", self._shown(request, asin) | {"section": section})

    def _shown(self, request: Request, asin: str) -> dict[str, object]:
        product = self._product(asin)
        chosen = _choices(request, product)
        return {
            "product": product,
            "chosen": dict(chosen),
            "trail": _trail(request, chosen),
            "words": request.field("q"),
            "number": _page_number(request),
        }

    def _bought(self, request: Request, asin: str) -> Response:
        chosen = _choices(request, self._product(asin))
        query = urlencode(_option_fields(chosen))
        return Response(HTTPStatus.SEE_OTHER, location=f"/receipt/{quote(asin, safe='')}?{query}")

    def _receipt(self, request: Request, asin: str) -> Response:
        product = self._product(asin)
        nothing_searched = Query((), ())
        item = Item(
            session=_VISITOR,
            instruction=self.goal.instruction,
            query=nothing_searched,
            number=1,
            product=product,
            chosen=_choices(request, product),
            attributes_shown=self.shop.attributes_shown,
        )
        return self._page("receipt.html.j2", {"page": purchase(self.shop, self.goal, item)})

    def _refused(self, refusal: _RefusalError) -> Response:
        return self._page("refusal.html.j2", {"refusal": refusal}, refusal.status)

    def _page(
        self, template: str, values: Mapping[str, object], status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        shared = {"goal": self.goal, "words": "", "option_prefix": OPTION_PREFIX}
        return Response(
            status,
            self._templates.get_template(template).render({**shared, **values}).encode("utf-8", "replace"),
        )

    # Parts

    def _product(self, asin: str) -> Product:
        if asin not in self.shop.catalogue:
            raise _RefusalError(HTTPStatus.NOT_FOUND, "This shop has no such product.")
        return self.shop.catalogue.product(asin)

    @cached_property
    def _sections(self) -> Mapping[str, Section]:
        hidden = () if self.shop.attributes_shown else (Section.ATTRIBUTES,)
        return {name: section for name, section in _SECTIONS.items() if section not in hidden}

    @cached_property
    def _templates(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("skillsandbox.envs.webshop", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters["path_part"] = lambda text: quote(text, safe="")
        environment.filters["money"] = lambda dollars: f"${dollars:,.2f}"
        environment.filters["as_query"] = urlencode
        return environment


def _file(name: str) -> bytes:
    return files("skillsandbox.envs.webshop").joinpath("templates", name).read_bytes()


def _page_number(request: Request) -> int:
    text = request.field("page") or "1"
    if not _NUMBER.fullmatch(text):
        raise _RefusalError(HTTPStatus.BAD_REQUEST, "Pages are numbered 1, 2, 3, and so on.")
    return int(text)


def _choices(request: Request, product: Product) -> Choices:
    """The option values of a request, as far as the product has them."""
    given = dict(request.fields)
    wanted = ((name, given.get(OPTION_PREFIX + name)) for name in product.option_values)
    return tuple((name, value) for name, value in wanted if value in product.option_values[name])


def _option_fields(chosen: Choices) -> list[tuple[str, str]]:
    return [(OPTION_PREFIX + name, value) for name, value in chosen]


def _trail(request: Request, chosen: Choices) -> list[tuple[str, str]]:
    """The fields by which a page leads back to where its visitor came from."""
    searched = [("q", request.field("q")), ("page", str(_page_number(request)))]
    return [*(searched if request.field("q") else []), *_option_fields(chosen)]


def _read(environ: WSGIEnvironment) -> Request:
    method = environ["REQUEST_METHOD"]
    if method not in ("GET", "HEAD", "POST"):
        raise _RefusalError(HTTPStatus.NOT_IMPLEMENTED, "This shop answers to GET, HEAD and POST.")
    # WSGI hands bytes over as Latin-1.
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    fields = _fields(environ.get("QUERY_STRING", ""))
    if method == "POST":
        fields = [*_fields(_form(environ)), *fields]
    return Request(method, tuple(part for part in path.split("/") if part), fields)


def _form(environ: WSGIEnvironment) -> str:
    text = environ.get("CONTENT_LENGTH") or "0"
    length = int(text) if text.isdecimal() else LARGEST_FORM + 1
    if length > LARGEST_FORM:
        raise _RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This form is too large.")
    content: bytes = environ["wsgi.input"].read(length)
    return content.decode("utf-8", "replace")


def _fields(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=200)
    except ValueError as error:
        raise _RefusalError(HTTPStatus.BAD_REQUEST, "This address has too many fields.") from error
