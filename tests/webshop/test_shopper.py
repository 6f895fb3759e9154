"""The built-in shopper in small shops: what it does by itself, and what a skill changes."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest
from small_shop import option, product

from skillsandbox.compiler.environment import Exchange, Guidance, Situation
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.catalogue import MemoryCatalogue, Product, index_text
from skillsandbox.envs.webshop.episode import STEP_LIMIT, ShoppingEpisode
from skillsandbox.envs.webshop.goals import Goal, WantedOption
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.site import Shop

WISH = "I want a nylon backpack that is easy to clean, in the color red, and price lower than 50.00 dollars"
COLORS = (option("color", "red", "blue"),)


def bag(number: int, title: str = "Nylon Backpack", **fields: object) -> Product:
    """A backpack that says nothing of how it is cleaned, unless it is told to."""
    given: dict[str, object] = {"bullets": ("Two pockets",), "attributes": ("nylon",), "options": COLORS}
    return product(f"B00000000{number}", title, **(given | {"description": "Made by us."} | fields))


SILENT = bag(1)
IN_FEATURES = bag(2, bullets=("Easy to clean: wipe it",))
IN_DESCRIPTION = bag(3, description="It is easy to clean.")
DEAR = bag(4, "Nylon Backpack, Easy to Clean", prices=(80.0,))
RANGE = bag(5, "Nylon Backpack, Easy to Clean", prices=(40.0, 80.0))
IN_TITLE = bag(6, "Nylon Backpack, Easy to Clean")


@attrs.frozen
class Run:
    """What the shopper did, why, and what it earned."""

    actions: tuple[str, ...]
    rationales: tuple[str, ...]
    reward: float
    admissible: bool

    @property
    def bought(self) -> str:
        opened = [action for action in self.actions if action.startswith("click[b0")]
        return opened[-1][6:-1].upper() if self.actions[-1] == "click[buy now]" else ""

    @property
    def citing(self) -> tuple[str, ...]:
        """The actions whose rationale cites the skill."""
        pairs = zip(self.actions, self.rationales, strict=True)
        return tuple(action for action, rationale in pairs if "set/skill_1" in rationale)


def run(
    *products: Product, principle: str = "", condition: str = "Always.", wish: str = WISH, order: str = "shop"
) -> Run:
    """Let the shopper play: a search finds the products in the given order, or as Lucene would."""
    index = Index.of((one.asin, index_text(one)) for one in products)

    def search(query: str) -> list[str]:
        return [one.asin for one in products] if order == "shop" else [hit.id for hit in index.search(query)]

    goal = Goal(
        IN_FEATURES.asin,
        IN_FEATURES.category,
        IN_FEATURES.query,
        IN_FEATURES.title,
        IN_FEATURES.product_category,
        wish,
        ("easy clean",),
        (WantedOption("red", "color"),),
        50.0,
    )
    episode = ShoppingEpisode(Shop(MemoryCatalogue(products), search), goal)
    agent = environment().agent(Guidance("set/skill_1", condition, principle) if principle else None, 0)
    frame, past, rationales, admitted = episode.reset(), list[Exchange](), list[str](), True
    while not frame.done:
        decision = agent.decide(Situation(frame.observation, frame.admissible, tuple(past), frame.families))
        admitted = admitted and frame.admits(decision.action)
        past.append(Exchange(frame.observation, decision.action))
        rationales.append(decision.rationale)
        frame = episode.step(decision.action)
    return Run(tuple(one.action for one in past), tuple(rationales), frame.reward, admitted)


def decision_after(products: tuple[Product, ...], actions: Sequence[str]) -> str:
    """Return what the shopper does after actions that were taken for it."""
    shop = Shop(MemoryCatalogue(products), lambda query: [one.asin for one in products])
    kind = (DEAR.asin, DEAR.category, DEAR.query, DEAR.title, DEAR.product_category)
    episode = ShoppingEpisode(shop, Goal(*kind, WISH, ("easy clean",)))
    frame, past = episode.reset(), list[Exchange]()
    for action in actions:
        assert frame.admits(action)
        past.append(Exchange(frame.observation, action))
        frame = episode.step(action)
    return (
        environment()
        .agent(None, 0)
        .decide(Situation(frame.observation, frame.admissible, tuple(past), frame.families))
        .action
    )


# Without a skill


def test_it_searches_opens_chooses_and_buys_what_the_title_promises() -> None:
    assert run(IN_TITLE).actions == (
        "search[nylon backpack easy clean red]",
        "click[b000000006]",
        "click[red]",
        "click[buy now]",
    )


def test_it_reads_the_features_where_the_title_does_not_say_it() -> None:
    made = run(IN_FEATURES)
    assert made.actions[2:4] == ("click[features]", "click[< prev]")


def test_it_goes_back_to_another_one_where_the_features_do_not_say_it() -> None:
    made = run(SILENT, IN_FEATURES)
    assert "click[b000000001]" in made.actions
    assert made.bought == IN_FEATURES.asin


def test_it_leaves_what_is_too_dear_alone() -> None:
    made = run(DEAR, IN_FEATURES)
    assert "click[b000000004]" not in made.actions


def test_it_opens_results_in_their_order_whatever_their_titles_promise() -> None:
    assert run(SILENT, IN_TITLE).actions[1] == "click[b000000001]"


def test_it_turns_the_page_and_then_searches_with_other_words() -> None:
    others = [product(f"B1000000{number:02}", "Soap", prices=(1.0,)) for number in range(30)]
    made = run(*others, order="shop")
    assert made.actions[:4] == (
        "search[nylon backpack easy clean red]",
        "click[next >]",
        "click[back to search]",
        "search[nylon backpack easy]",
    )


@pytest.mark.parametrize("value", ["red", "01 red", "red (matte)"])
def test_it_chooses_an_option_that_is_worded_otherwise(value: str) -> None:
    made = run(attrs.evolve(IN_TITLE, options=(option("color", "blue", value),)))
    assert f"click[{value}]" in made.actions


def test_it_prefers_the_value_that_says_just_what_is_wanted() -> None:
    made = run(attrs.evolve(IN_TITLE, options=(option("color", "wine red", "red", "red | black"),)))
    assert made.actions[2] == "click[red]"


def test_it_takes_for_granted_what_the_title_says_of_an_option() -> None:
    made = run(attrs.evolve(IN_TITLE, title="Red Nylon Backpack, Easy to Clean"))
    assert made.actions[2:] == ("click[buy now]",)


def test_it_returns_to_the_best_that_it_has_seen_and_buys_in_time() -> None:
    wish = WISH.replace("clean,", "clean, leak proof,")
    made = run(IN_FEATURES, SILENT, bag(7), bag(8), wish=wish)
    assert made.actions.count("click[b000000002]") == 2
    assert made.bought == IN_FEATURES.asin
    assert len(made.actions) <= STEP_LIMIT


@pytest.mark.parametrize("principle", ["", "Read the description.", "Compare several of them before buying."])
@pytest.mark.parametrize("many", [0, 1, 3, 25])
def test_every_action_is_admissible_and_the_last_step_is_a_purchase_if_there_is_anything_to_buy(
    many: int, principle: str
) -> None:
    shelf = [product(f"B1000000{number:02}", f"Backpack {number}") for number in range(many)]
    made = run(*shelf, principle=principle)
    assert made.admissible
    assert len(made.actions) <= STEP_LIMIT
    assert (made.actions[-1] == "click[buy now]") == (many > 0)


@pytest.mark.parametrize(
    ("left", "expected"), [(13, "click[< prev]"), (2, "click[red]"), (1, "click[buy now]")]
)
def test_with_no_step_to_spare_it_buys_whatever_is_open(left: int, expected: str) -> None:
    """A product that is too dear is open, and another one is listed."""
    before = ["search[backpack]", "click[b000000004]", *["click[blue]"] * (STEP_LIMIT - 2 - left)]
    assert decision_after((DEAR, IN_FEATURES), before) == expected


def test_its_choices_follow_from_the_situation_alone() -> None:
    assert run(SILENT, IN_FEATURES) == run(SILENT, IN_FEATURES)


@pytest.mark.parametrize("page", ["", "[SEP]", "Instruction: [SEP]", "Instruction: [SEP] x", " [SEP] " * 9])
def test_a_page_that_it_does_not_understand_does_not_end_it(page: str) -> None:
    decision = environment().agent(None, 0).decide(Situation(page, ("click[< prev]",), ()))
    assert decision.action == "click[< prev]"


# With a skill


def test_a_skill_is_cited_where_it_changes_the_action_and_nowhere_else() -> None:
    made = run(IN_DESCRIPTION, principle="Read the description.")
    assert made.citing == ("click[description]",)
    assert "click[description]" not in run(IN_DESCRIPTION).actions


def test_a_skill_that_changes_nothing_is_never_cited() -> None:
    made = run(IN_TITLE, principle="Read the features.")
    assert made.citing == ()
    assert made.actions == run(IN_TITLE).actions


def test_the_description_is_read_where_the_features_do_not_say_it() -> None:
    usual, guided = (
        run(SILENT, IN_DESCRIPTION),
        run(SILENT, IN_DESCRIPTION, principle="Read the description."),
    )
    assert usual.bought == SILENT.asin
    assert guided.bought == IN_DESCRIPTION.asin


def test_a_claim_demanded_in_both_sections_turns_the_right_product_down() -> None:
    principle = "Buy only if the claim is confirmed in both the Features and the Description."
    usual, guided = run(IN_FEATURES, SILENT), run(IN_FEATURES, SILENT, principle=principle)
    assert guided.actions[2:6] == (
        *("click[features]", "click[< prev]"),
        *("click[description]", "click[< prev]"),
    )
    assert guided.actions[6] == "click[< prev]"
    assert len(guided.actions) > len(usual.actions)


def test_a_variant_is_chosen_also_where_the_title_says_it() -> None:
    red = attrs.evolve(IN_TITLE, title="Red Nylon Backpack, Easy to Clean")
    made = run(red, principle="Always select the required color.")
    assert made.citing == ("click[red]",)


def test_what_lacks_the_variant_is_left() -> None:
    blue = attrs.evolve(IN_TITLE, options=(option("color", "blue"),))
    assert run(blue, IN_FEATURES).bought == blue.asin
    made = run(blue, IN_FEATURES, principle="If the variant is unavailable, return to the results.")
    assert made.bought == IN_FEATURES.asin


def test_a_gated_price_is_the_upper_end_of_a_range() -> None:
    assert run(RANGE, IN_FEATURES).bought == RANGE.asin
    made = run(RANGE, IN_FEATURES, principle="Cross-check the price against the maximum.")
    assert made.bought == IN_FEATURES.asin


def test_the_kind_is_what_the_first_part_of_a_title_names() -> None:
    other = bag(7, "Leash, Easy to Clean, for a Dog or a Backpack")
    assert run(other, IN_FEATURES).bought == other.asin
    made = run(other, IN_FEATURES, principle="Confirm the category on every page.")
    assert made.bought == IN_FEATURES.asin


@pytest.mark.parametrize(
    ("principle", "first"),
    [
        ("Open the result whose title shows all constraints.", "click[b000000006]"),
        ("Open the cheapest one first.", "click[b000000007]"),
    ],
)
def test_a_skill_says_which_result_is_opened_first(principle: str, first: str) -> None:
    cheap = bag(7, prices=(9.0,))
    assert run(SILENT, IN_TITLE, cheap, principle=principle).actions[1] == first


@pytest.mark.parametrize(
    ("principle", "query"),
    [
        ("Include every constraint in the query.", "nylon backpack easy clean left handed people red"),
        ("Include every constraint, price too, in the query.", "people red under 50 dollars"),
        ("Keep the query concise.", "search[nylon backpack easy]"),
    ],
)
def test_a_skill_says_what_is_searched_for(principle: str, query: str) -> None:
    wish = WISH.replace("clean,", "clean, for left handed people,")
    assert query in run(IN_TITLE, principle=principle, wish=wish).actions[0]
    assert run(IN_TITLE, wish=wish).actions[0] == "search[nylon backpack easy clean left handed]"


def test_more_results_are_looked_at_first_if_there_are_any() -> None:
    shelf = [IN_TITLE, *(product(f"B1000000{number}0") for number in range(10))]
    made = run(*shelf, principle="Go to the next page before you open anything.")
    assert made.citing[0] == "click[next >]"


def test_what_is_preferred_is_no_demand_for_a_skill_that_settles_for_the_nearest() -> None:
    wish = WISH.replace("clean,", "clean, preferably with a hood,")
    usual, guided = (
        run(IN_TITLE, SILENT, wish=wish),
        run(IN_TITLE, wish=wish, principle="Take the nearest match."),
    )
    assert "click[features]" in usual.actions
    assert guided.actions[2:] == ("click[red]", "click[buy now]")


def test_a_skill_for_the_end_of_a_task_waits_for_it() -> None:
    wish = WISH.replace("clean,", "clean, preferably with a hood,")
    shelf = [bag(number, "Nylon Backpack, Easy to Clean") for number in (1, 2, 3, 4)]
    made = run(*shelf, wish=wish, principle="Take the nearest match.", condition="Near the task limit.")
    assert made.actions[2] == "click[features]"
    early = [rationale for rationale in made.rationales[:9] if "set/skill_1" in rationale]
    assert early == []
