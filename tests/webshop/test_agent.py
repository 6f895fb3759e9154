"""The built-in shopper: what it does by itself, and what a skill changes."""

from __future__ import annotations

import pytest
from small_shop import product

from skillsandbox.compiler.environment import Exchange, Guidance, Situation
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.agent import Directive, directives_of
from skillsandbox.envs.webshop.catalogue import MemoryCatalogue, Product, index_text
from skillsandbox.envs.webshop.episode import ShoppingEpisode
from skillsandbox.envs.webshop.goals import Goal, WantedOption
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.site import Shop

INSTRUCTION = "I want a red nylon backpack that is easy to clean, and price lower than 50.00 dollars"
READ = Guidance("read_first", "A product claims something.", "Read the features before you buy.")
SILENT = product("B000000001", "Nylon Backpack, Easy Carry", bullets=("Two pockets",), attributes=("red",))
CLAIMS = product("B000000002", "Nylon Backpack with a Lid", bullets=("Easy clean: wipe it",))
DEAR = product("B000000003", "Nylon Backpack, Easy to Clean", prices=(80.0,))


def played(products: tuple[Product, ...], guidance: Guidance | None) -> tuple[list[str], list[str], float]:
    """Return the actions and rationales of a play, and its reward."""
    index = Index.of((one.asin, index_text(one)) for one in products)
    shop = Shop(MemoryCatalogue(products), lambda query: [hit.id for hit in index.search(query)])
    wanted = Goal(
        CLAIMS.asin,
        CLAIMS.category,
        CLAIMS.query,
        CLAIMS.title,
        CLAIMS.product_category,
        INSTRUCTION,
        ("easy clean",),
        (WantedOption("red", "color"),),
        50.0,
    )
    episode, agent = ShoppingEpisode(shop, wanted), environment().agent(guidance, 0)
    frame, past, rationales = episode.reset(), list[Exchange](), list[str]()
    while not frame.done:
        decision = agent.decide(Situation(frame.observation, frame.admissible, tuple(past)))
        past.append(Exchange(frame.observation, decision.action))
        rationales.append(decision.rationale)
        frame = episode.step(decision.action)
    return [one.action for one in past], rationales, frame.reward


def test_without_a_skill_it_buys_what_the_title_promises_with_the_option_that_is_wanted() -> None:
    actions, _, reward = played((SILENT, CLAIMS, DEAR), None)
    assert actions[0] == "search[red nylon backpack easy clean]"
    assert actions[1:] == ["click[b000000001]", "click[red]", "click[buy now]"]
    assert reward < 1


def test_a_skill_lets_it_read_and_go_back_to_the_product_that_says_what_is_wanted() -> None:
    actions, rationales, reward = played((SILENT, CLAIMS, DEAR), READ)
    assert actions[2] == "click[features]"
    assert "click[b000000002]" in actions
    assert reward == 1
    cited = [rationale for rationale in rationales if READ.id in rationale]
    assert 0 < len(cited) < len(rationales)


def test_what_is_too_dear_is_left_alone() -> None:
    actions, _, _ = played((DEAR, CLAIMS), None)
    assert "click[b000000003]" not in actions


@pytest.mark.parametrize("guidance", [None, READ])
def test_it_ends_even_where_nothing_fits(guidance: Guidance | None) -> None:
    actions, _, _ = played((DEAR,), guidance)
    assert len(actions) <= 15


@pytest.mark.parametrize(
    ("principle", "directives"),
    [
        ("Check the bullet points before buying.", {Directive.READ_FEATURES}),
        ("Read the description.", {Directive.READ_DESCRIPTION}),
        ("Open the cheapest one first.", {Directive.CHEAPEST_FIRST}),
        ("Keep the query concise.", {Directive.SHORT_QUERY}),
        ("Go to the next page before you open anything.", {Directive.LOOK_FURTHER}),
        ("Purchase decisively.", set()),
    ],
)
def test_directives_are_known_by_their_words(principle: str, directives: set[Directive]) -> None:
    assert directives_of(principle) == directives
