"""Pages, and what actions do to them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from official_text import official_actions, official_rich_text, official_text
from small_shop import INSTRUCTION, backpacks, goal, option, product, shop, visit

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.markup import html
from skillsandbox.envs.webshop.pages import (
    Done,
    Item,
    Results,
    Section,
    Start,
    SubPage,
    clickables,
    text,
    url,
)
from skillsandbox.envs.webshop.pages import text_rich as rich
from skillsandbox.envs.webshop.site import Shop, Visit, act, enter, is_effective

BACKPACKS = backpacks(12)
SHOP = shop(*BACKPACKS)
GOAL = goal(BACKPACKS[0])
FIRST = "click[b000000000]"


def at(*actions: str, shop: Shop = SHOP) -> Visit:
    return visit(shop, GOAL, *actions)


def page_after(*actions: str, shop: Shop = SHOP) -> Start | Results | Item | SubPage | Done:
    return at(*actions, shop=shop).page


# What agents read


def test_the_start_page() -> None:
    assert text(page_after()) == f"WebShop [SEP] Instruction: [SEP] {INSTRUCTION} [SEP] Search"
    assert list(clickables(page_after())) == ["search"]
    assert url(page_after()) == "http://127.0.0.1:3000/s1"


def test_a_page_of_results() -> None:
    page = page_after("search[Backpack 11]")
    assert text(page) == (
        f"Instruction: [SEP] {INSTRUCTION} [SEP] Back to Search [SEP] Page 1 (Total results: 1) [SEP] Next > "
        "[SEP] B000000011 [SEP] Nylon Backpack Model 11 [SEP] $39.5"
    )
    assert list(clickables(page)) == ["back to search", "next >", "b000000011"]
    assert url(page) == "http://127.0.0.1:3000/search_results/s1/backpack+11/1"


def test_an_item_page_with_a_chosen_option() -> None:
    page = page_after("search[backpack]", FIRST, "click[red]")
    assert rich(page) == (
        f"You have clicked red.\nInstruction:\n{INSTRUCTION}\n[button] Back to Search [button_]\n"
        "[button] < Prev [button_]\n"
        "color\n  [clicked button] red [clicked button_]\n  [button] blue [button_]\n"
        "size\n  [button] one size [button_]\n  [button] large [button_]\nNylon Backpack Model 0\n"
        "Price: $39.5\nRating: N.A.\n[button] Description [button_]\n[button] Features [button_]\n"
        "[button] Reviews [button_]\n[button] Buy Now [button_]\n"
    )
    buttons = ["back to search", "< prev", "description", "features", "reviews", "buy now"]
    assert list(clickables(page)) == [*buttons, "red", "blue", "one size", "large"]
    assert url(page) == 'http://127.0.0.1:3000/item_page/s1/B000000000/backpack/1/{"color": "red"}'


@pytest.mark.parametrize(
    ("section", "content"),
    [
        ("description", " [SEP] A light backpack."),
        ("features", " [SEP] Easy to clean [SEP] Two pockets"),
        ("reviews", ""),
    ],
)
def test_the_pages_below_an_item(section: str, content: str) -> None:
    page = page_after("search[backpack]", FIRST, f"click[{section}]")
    assert text(page) == f"Instruction: [SEP] {INSTRUCTION} [SEP] Back to Search [SEP] < Prev{content}"
    assert list(clickables(page)) == ["back to search", "< prev"]


def test_the_page_of_attributes_is_there_where_the_shop_shows_it() -> None:
    shown = shop(*BACKPACKS, attributes_shown=True)
    page = page_after("search[backpack]", FIRST, "click[attributes]", shop=shown)
    path = BACKPACKS[0].product_category
    assert text(page).endswith(f"easy clean [SEP] light weight [SEP] fashion [SEP] backpacks [SEP] {path}")
    assert "attributes" not in clickables(page_after("search[backpack]", FIRST))


def test_a_purchase_ends_on_a_page_with_the_score() -> None:
    outcome = act(SHOP, at("search[backpack]", FIRST, "click[red]"), "click[buy now]")
    assert (outcome.reward, outcome.done) == (1.0, True)
    assert text(outcome.visit.page).startswith("Thank you for shopping with us! [SEP] Your code: [SEP] None")
    assert text(outcome.visit.page).endswith("1.0 [SEP] Reward Details [SEP] None")
    assert clickables(outcome.visit.page) == {}
    assert url(outcome.visit.page) == "http://127.0.0.1:3000/done/s1/B000000000/{'color': 'red'}"


def test_what_was_visited_stays_marked_until_the_start_page() -> None:
    visited = at("search[backpack]", FIRST, "click[< prev]")
    assert "[clicked button] B000000000 [clicked button_]" in rich(visited.page)
    again = act(SHOP, visited, "search[model]").visit
    assert "[clicked button] B000000000 [clicked button_]" in rich(again.page)
    assert "clicked" not in rich(
        act(SHOP, act(SHOP, again, "click[back to search]").visit, "search[model]").visit.page
    )


# Paging


def test_ten_results_stand_on_a_page_and_next_is_always_there() -> None:
    counts = []
    for pages in range(4):
        page = page_after("search[backpack]", *["click[next >]"] * pages)
        assert isinstance(page, Results)
        counts.append((page.number, len(page.listings), "< prev" in clickables(page)))
    assert counts == [(1, 10, False), (2, 2, True), (3, 0, True), (4, 0, True)]


def test_at_most_fifty_results_are_found() -> None:
    many = shop(*backpacks(60))
    page = page_after("search[backpack]", *["click[next >]"] * 4, shop=many)
    assert "Page 5 (Total results: 50)" in text(page)
    assert text(page_after("search[backpack]", *["click[next >]"] * 5, shop=many)).count("[SEP]") == 5


def test_from_an_item_prev_leads_to_its_results_and_forgets_the_options() -> None:
    back = at("search[backpack]", "click[next >]", "click[b000000011]", "click[red]", "click[< prev]")
    assert isinstance(back.page, Results)
    assert back.page.number == 2
    page = act(SHOP, back, "click[b000000011]").visit.page
    assert isinstance(page, Item)
    assert page.chosen == ()


def test_from_below_an_item_prev_leads_to_the_item_and_keeps_the_options() -> None:
    page = page_after("search[backpack]", FIRST, "click[blue]", "click[features]", "click[< prev]")
    assert isinstance(page, Item)
    assert page.chosen == (("color", "blue"),)


def test_which_page_prev_leads_to_depends_on_the_words_of_the_query() -> None:
    odd = shop(product(title="search_results item_page"))
    misled = page_after("search[search_results]", "click[b000000001]", "click[< prev]", shop=odd)
    assert isinstance(misled, Results)
    assert (misled.number, misled.listings) == (0, ())
    below = page_after("search[item_page]", "click[b000000001]", "click[features]", "click[< prev]", shop=odd)
    assert isinstance(below, Results)
    assert below.number == 1


# Actions


@pytest.mark.parametrize(
    "action",
    [
        "search[]",
        "search",
        "Search[backpack]",
        "Click[red]",
        "click[ red ]",
        "click[search]",
        "click[nothing]",
        "Thought: I search.\nsearch[backpack]",
        "I search[backpack]",
        "click[red] click[blue]",
        "click[red][blue]",
        "click[b000000011]",
        "",
        "[red]",
        "click[]",
    ],
)
def test_what_does_nothing(action: str) -> None:
    for before in (at("search[backpack]", FIRST), at()):
        outcome = act(SHOP, before, action)
        assert (outcome.visit, outcome.reward, outcome.done) == (before, 0.0, False)
        assert not outcome.effective
        assert not is_effective(before, action)


@pytest.mark.parametrize("action", ["click[RED]", "click[red] please", "click[red]\nThought: done"])
def test_what_still_is_an_action(action: str) -> None:
    page = act(SHOP, at("search[backpack]", FIRST), action).visit.page
    assert isinstance(page, Item)
    assert page.chosen == (("color", "red"),)


@pytest.mark.parametrize("before", [(), ("search[x]",), ("search[backpack]", FIRST, "click[features]")])
def test_a_search_works_on_every_page(before: tuple[str, ...]) -> None:
    page = page_after(*before, "search[backpack]")
    assert isinstance(page, Results)
    assert len(page.query.found) == 12


@pytest.mark.parametrize("query", ["<r>", "<a> easy clean", "<c> fashion", "<q> backpacks", " ", "<c>"])
def test_no_query_is_special(query: str) -> None:
    page = page_after(f"search[{query}]")
    assert isinstance(page, Results)
    assert page.query.found == tuple(SHOP.search(query))


def test_products_that_the_catalogue_lacks_are_not_listed() -> None:
    stale = Shop(SHOP.catalogue, lambda query: ["B999999999", "B000000001"])
    page = page_after("search[anything]", shop=stale)
    assert isinstance(page, Results)
    assert page.query.found == ("B000000001",)


def test_a_product_is_opened_even_if_its_asin_is_in_lower_case() -> None:
    page = page_after("search[backpack]", "click[b00low]", shop=shop(product("b00low")))
    assert isinstance(page, Item)
    assert page.product.asin == "b00low"


# Collisions of captions


def test_a_value_of_two_options_chooses_of_the_last() -> None:
    twice = shop(product(options=(option("color", "natural"), option("style", "natural", "natural"))))
    page = page_after("search[backpack]", "click[b000000001]", "click[natural]", shop=twice)
    assert isinstance(page, Item)
    assert page.chosen == (("style", "natural"),)
    assert list(clickables(page)).count("natural") == 1
    assert rich(page).count("[clicked button] natural") == 3


@pytest.mark.parametrize(
    ("value", "leads_to"),
    [
        ("buy now", Done),
        ("back to search", Start),
        ("features", SubPage),
        ("attributes", SubPage),
        ("< prev", Results),
        ("next >", Item),
        ("search", Item),
    ],
)
def test_a_value_that_is_called_like_a_button_acts_like_it(value: str, leads_to: type) -> None:
    odd = shop(product(options=(option("style", value),)))
    before = at("search[backpack]", "click[b000000001]", shop=odd)
    assert isinstance(act(odd, before, f"click[{value}]").visit.page, leads_to)


def test_an_option_is_chosen_anew_in_its_old_place() -> None:
    page = page_after("search[backpack]", FIRST, "click[red]", "click[large]", "click[blue]")
    assert isinstance(page, Item)
    assert page.chosen == (("color", "blue"), ("size", "large"))
    assert rich(page).startswith("You have clicked large.\nYou have clicked blue.\n")


@pytest.mark.parametrize("value", ['7" tall', "größe", "a\\b"])
def test_a_chosen_value_with_signs_that_json_escapes_does_not_look_chosen(value: str) -> None:
    odd = shop(product(options=(option("size", value),)))
    page = page_after("search[backpack]", "click[b000000001]", f"click[{value}]", shop=odd)
    assert isinstance(page, Item)
    assert page.chosen == (("size", value),)
    assert "clicked" not in rich(page)


def test_a_value_that_stands_in_the_query_in_quotes_looks_chosen() -> None:
    page = page_after('search[nylon "blue"]', "click[b000000001]", shop=shop(product(title='nylon "blue"')))
    assert "[clicked button] blue" in rich(page)


# Texts and markup

TEXTS = st.text(st.sampled_from("ab \n\t\f\x0b\u00a0<>&\"'{}[]%é★;#"), max_size=6) | st.sampled_from(
    ["&amp;", "</p>", "<b>x</b>", "{{ 7 * 7 }}", "{% raw %}", "-->", "<!-- x -->", "&#39;", " [SEP] "]
)


@st.composite
def products(draw: st.DrawFn) -> Product:
    values = st.lists(TEXTS.map(str.strip).map(str.lower), max_size=3)
    names = draw(st.lists(TEXTS.map(str.lower), max_size=2, unique=True))
    return product(
        title=f"backpack {draw(TEXTS)}",
        description=draw(TEXTS),
        bullets=tuple(draw(st.lists(TEXTS, max_size=3))),
        attributes=tuple(draw(st.lists(TEXTS, max_size=2))),
        category=draw(TEXTS),
        query=draw(TEXTS),
        product_category=draw(TEXTS),
        options=tuple(option(name, *draw(values)) for name in names),
        images=(draw(TEXTS),),
    )


@given(shown=products(), instruction=TEXTS, data=st.data())
def test_the_official_environment_would_read_the_same_from_our_markup(
    shown: Product, instruction: str, data: st.DataObject
) -> None:
    odd = shop(shown, product("B2", "Backpack"), attributes_shown=True)
    now = act(odd, enter(goal(shown, instruction=instruction), "s1"), "search[backpack]").visit
    for _ in range(6):
        captions = [caption for caption in clickables(now.page) if re.fullmatch(r".+", caption)]
        if not captions:
            break
        now = act(odd, now, f"click[{data.draw(st.sampled_from(captions))}]").visit
        document = html(now.page)
        assert text(now.page) == official_text(document)
        assert rich(now.page) == official_rich_text(document, url(now.page), now.visited)
        assert (isinstance(now.page, Start), list(clickables(now.page))) == official_actions(document)


@given(st.text(st.sampled_from(" \n\t\u00a0x"), max_size=5))
def test_white_space_alone_is_a_space_or_nothing(description: str) -> None:
    page = page_after(
        "search[backpack]",
        "click[b000000001]",
        "click[description]",
        shop=shop(product(description=description)),
    )
    shown = rich(page).partition("< Prev [button_]\n")[2]
    if "x" in description or "\u00a0" in description:
        assert shown == f"{description}\n"
    else:
        assert shown == ("" if "\n" in description or not description else " \n")


def test_sections_are_the_official_ones() -> None:
    assert [section.value for section in Section] == ["Description", "Features", "Reviews", "Attributes"]
