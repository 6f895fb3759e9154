"""The shop in a browser: what it answers, that product text stays text, and that everybody can use it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from urllib.parse import quote, urlencode
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import attrs
import pytest
from small_shop import backpacks, goal, option, product, shop

from skillsandbox.envs.serving import open_site
from skillsandbox.envs.webshop.storefront import LARGEST_FORM, Storefront, open_storefront

BACKPACKS = backpacks(12)
GOAL = goal(BACKPACKS[0])
FRONT = open_storefront(shop(*BACKPACKS), GOAL)
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}\"'&amp;</textarea>"


@attrs.frozen
class Answer:
    status: int
    headers: dict[str, str]
    body: str


def ask(path: str, method: str = "GET", form: str = "", front: Storefront = FRONT, **environ: Any) -> Answer:
    """Send a request, and check on the way that the application keeps to WSGI."""
    route, _, query = path.partition("?")
    given = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": route,
        "QUERY_STRING": query,
        **environ,
    }
    if method == "POST":
        given = {"CONTENT_LENGTH": str(len(form)), "wsgi.input": BytesIO(form.encode()), **given}
    setup_testing_defaults(given)
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        started.extend([int(status.partition(" ")[0]), dict(headers)])
        return lambda _: None

    content = validator(front)(given, start_response)
    try:
        body = b"".join(content).decode()
    finally:
        content.close()  # type: ignore[attr-defined]
    return Answer(*started, body)


# Pages


def test_a_shopper_finds_opens_reads_and_buys() -> None:
    assert GOAL.instruction in ask("/").body
    found = ask("/search?q=Backpack")
    assert "12 results" in found.body
    assert 'href="/item/B000000000?q=backpack&amp;page=1"' in found.body
    assert "$39.50" in ask("/item/B000000000?q=backpack&page=1").body
    assert "Two pockets" in ask("/item/B000000000/features").body
    bought = ask("/buy/B000000000", "POST", "option.color=red&option.size=large")
    assert (bought.status, bought.headers["Location"]) == (
        303,
        "/receipt/B000000000?option.color=red&option.size=large",
    )
    receipt = ask(bought.headers["Location"]).body
    assert "<strong>1.00</strong> of 1.00" in receipt
    assert receipt.count("✓ met") == 4


def test_the_receipt_tells_each_term() -> None:
    receipt = ask("/receipt/B000000001?option.color=blue").body
    rows = re.findall(r'<tr class="(met|missed)">\s*<th scope="row">([^<]+)<', receipt)
    assert rows == [("met", "Attribute"), ("missed", "Option"), ("met", "Price"), ("met", "Kind of product")]


def test_results_are_paged_without_dead_ends() -> None:
    first, second = ask("/search?q=backpack").body, ask("/search?q=backpack&page=2").body
    assert ("Next page" in first, "Previous page" in first) == (True, False)
    assert ("Next page" in second, "Previous page" in second) == (False, True)
    assert ask("/search?q=backpack&page=3").status == 404
    assert "Nothing was found" in ask("/search?q=sofa").body


def test_choices_follow_the_shopper_to_the_sections_and_back() -> None:
    section = ask("/item/B000000000/description?q=nylon&page=2&option.color=blue").body
    assert 'href="/item/B000000000?q=nylon&amp;page=2&amp;option.color=blue"' in section
    assert re.search(r'value="blue" checked', ask("/item/B000000000?option.color=blue").body)


def test_choices_that_the_product_lacks_are_ignored() -> None:
    receipt = ask("/receipt/B000000000?option.color=green&option.cut=red").body
    assert "not chosen" in receipt


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nothing", "GET", 404),
        ("/item/B999999999", "GET", 404),
        ("/item/B000000000/attributes", "GET", 404),
        ("/item/B000000000/../../etc/passwd", "GET", 404),
        ("/picture/<svg>", "GET", 404),
        ("/buy/B000000000", "GET", 404),
        ("/receipt/B000000000", "POST", 404),
        ("/search?q=x&page=0", "GET", 400),
        ("/search?q=x&page=-1", "GET", 400),
        ("/search?q=x&page=" + "9" * 5_000, "GET", 400),
        ("/search?" + "&".join("q" * 1 for _ in range(500)), "GET", 400),
        ("/", "DELETE", 501),
        ("/search?q=%20", "GET", 303),
        ("/", "HEAD", 200),
    ],
)
def test_every_request_gets_an_answer(path: str, method: str, status: int) -> None:
    answer = ask(path, method)
    assert answer.status == status
    assert ("<h1>" in answer.body) == (status not in (200, 303))


@pytest.mark.parametrize("length", [str(LARGEST_FORM + 1), "-1", "many"])
def test_a_form_of_no_sensible_length_is_refused(length: str) -> None:
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/buy/B000000000", "CONTENT_LENGTH": length}
    setup_testing_defaults(environ)
    statuses: list[str] = []
    FRONT(environ, lambda status, headers, *_: statuses.append(status))  # type: ignore[arg-type, return-value]
    assert statuses[0].startswith("413")


# Security


@pytest.mark.parametrize("path", ["/", "/search?q=backpack", "/item/B000000000", "/style.css", "/nothing"])
def test_every_answer_forbids_scripts_and_foreign_resources(path: str) -> None:
    policy = ask(path).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'")
    assert "unsafe" not in policy
    assert ask(path).headers["X-Content-Type-Options"] == "nosniff"


class _Elements(HTMLParser):
    def __init__(self, document: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(document)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile_front() -> Storefront:
    wanted = product(
        title=f"backpack {HOSTILE}",
        description=HOSTILE,
        bullets=(HOSTILE,),
        query=HOSTILE,
        category=HOSTILE,
        product_category=HOSTILE,
        attributes=(HOSTILE,),
        options=(option(HOSTILE.lower(), HOSTILE.lower()),),
    )
    shown = shop(wanted, attributes_shown=True)
    return open_storefront(shown, goal(wanted, instruction=HOSTILE, attributes=(HOSTILE,)))


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/search?q=backpack",
        f"/search?q={quote(HOSTILE)}",
        f"/item/B000000001?q={quote(HOSTILE)}",
        "/item/B000000001/description",
        "/item/B000000001/features",
        "/item/B000000001/attributes",
        f"/receipt/B000000001?{urlencode({'option.' + HOSTILE.lower(): HOSTILE.lower()})}",
        f"/{quote(HOSTILE)}",
        "/picture/B000000001",
    ],
)
def test_product_text_is_never_markup(path: str) -> None:
    answer = ask(path, front=hostile_front())
    document = _Elements(answer.body)
    assert not [tag for tag, _ in document.found if tag in ("script", "iframe", "object", "style")]
    assert not [name for _, given in document.found for name in given if name.startswith("on")]
    assert {given["src"] for tag, given in document.found if tag == "img"} <= {"/picture/B000000001"}
    assert "49" not in document.text
    if path.endswith(("description", "features", "attributes")):
        assert HOSTILE in document.text


# Structure


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/search?q=backpack",
        "/item/B000000000?q=backpack",
        "/item/B000000000/features",
        "/receipt/B000000000",
    ],
)
def test_pages_have_the_structure_that_assistive_technology_needs(path: str) -> None:
    elements = _Elements(ask(path).body).found
    tags = [tag for tag, _ in elements]
    assert ("html", {"lang": "en"}) in elements
    assert [tags.count(tag) for tag in ("h1", "main", "header", "footer", "title")] == [1] * 5
    links = [given for tag, given in elements if tag == "a"]
    assert links[0]["href"] == "#main"
    assert all("alt" in given for tag, given in elements if tag == "img")
    labelled = {given["for"] for tag, given in elements if tag == "label"}
    typed = [given for tag, given in elements if tag == "input" and given.get("type") != "hidden"]
    assert {given["id"] for given in typed} == labelled
    identifiers = [given["id"] for _, given in elements if "id" in given]
    assert len(identifiers) == len(set(identifiers))
    assert tags.count("fieldset") == tags.count("legend")
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert set(levels) <= {1, 2}


# In a browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with open_site(FRONT) as site:
        thread = threading.Thread(target=site.run)
        thread.start()
        yield site.address
        site.stop()
        thread.join()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(base_url=address)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("requestfailed", lambda request: complaints.append(request.url))
    foreign: list[str] = []
    opened.on("request", lambda request: request.url.startswith(address) or foreign.append(request.url))
    yield opened
    context.close()
    assert complaints == []
    assert foreign == []


def focused(page: Any) -> str:
    """What has the focus, as a screen reader names it."""
    return str(
        page.evaluate(
            "(() => { const e = document.activeElement;"
            " return (e.labels?.[0]?.innerText ?? e.innerText ?? '').trim() })()"
        )
    )


def tab_to(page: Any, name: str, limit: int = 40) -> None:
    for _ in range(limit):
        page.keyboard.press("Tab")
        if focused(page) == name:
            return
    raise AssertionError(f"{name!r} cannot be reached with the tab key")


def test_the_skip_link_is_the_first_stop_and_leads_to_the_content(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to main content"
    assert page.locator(".skip").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_keyboard_alone_is_enough_to_buy(page: Any) -> None:
    page.goto("/")
    tab_to(page, "Search products")
    page.keyboard.type("backpack")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?**")
    tab_to(page, "Nylon Backpack Model 0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/item/**")
    tab_to(page, "red")
    page.keyboard.press("Space")
    tab_to(page, "Features")
    page.keyboard.press("Enter")
    page.wait_for_url("**/features?**")
    tab_to(page, "Back to the product")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/item/B000000000\?"))
    assert page.get_by_role("radio", name="red").is_checked()
    tab_to(page, "Buy now")
    page.keyboard.press("Enter")
    page.wait_for_url("**/receipt/**")
    assert page.get_by_role("heading", level=2, name="Your score: 1.00 of 1.00").is_visible()


def test_a_screen_reader_finds_landmarks_groups_and_names(page: Any) -> None:
    page.goto("/item/B000000000?q=backpack&page=1")
    for role in ("banner", "main", "contentinfo", "search"):
        assert page.get_by_role(role).count() == 1
    assert page.get_by_role("complementary", name="Your task").inner_text().endswith(GOAL.instruction)
    assert page.get_by_role("navigation", name="Where you are").count() == 1
    assert page.get_by_role("group", name="color").get_by_role("radio").count() == 2
    assert page.get_by_role("searchbox", name="Search products").input_value() == "backpack"


def test_options_are_chosen_with_the_mouse_too(page: Any) -> None:
    page.goto("/item/B000000000")
    page.get_by_text("large", exact=True).click()
    page.get_by_text("blue", exact=True).click()
    page.get_by_role("button", name="Buy now").click()
    page.wait_for_url("**/receipt/B000000000?option.color=blue&option.size=large")


@pytest.mark.parametrize(
    "path", ["/search?q=backpack", "/item/B000000000", "/receipt/B000000000?option.color=red"]
)
def test_nothing_is_cut_off_on_a_narrow_screen(page: Any, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/", "/search?q=backpack", "/item/B000000000?option.color=red", "/receipt/B000000001"]
)
def test_text_stands_out_from_its_background(page: Any, path: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(path)
    ratios = page.evaluate(_CONTRASTS)
    assert ratios
    assert [entry for entry in ratios if entry["ratio"] < 4.5] == []


def test_hostile_product_text_runs_nothing(browser: Any) -> None:
    with open_site(hostile_front()) as site:
        thread = threading.Thread(target=site.run)
        thread.start()
        context = browser.new_context(base_url=site.address)
        opened = context.new_page()
        alerts: list[str] = []
        opened.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        for path in ("/", "/search?q=backpack", "/item/B000000001", "/item/B000000001/description"):
            opened.goto(path)
            assert opened.locator("script, [onerror]").count() == 0
        assert HOSTILE in opened.inner_text("main")
        context.close()
        site.stop()
        thread.join()
    assert alerts == []


_CONTRASTS = """() => {
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map(v => v / 255)
      .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2];
  };
  const background = element => {
    for (let at = element; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || element.closest('.hidden, .skip')) continue;
    const levels = [channels(getComputedStyle(element).color), background(element)].map(luminance);
    const ratio = (Math.max(...levels) + .05) / (Math.min(...levels) + .05);
    found.push({text: texts.currentNode.data.trim(), ratio});
  }
  return found;
}"""
