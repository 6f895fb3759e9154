"""What a shopper is asked to buy: the official goals, their wording and their price bounds.

As in princeton-nlp/WebShop's `get_goals`, except that chance comes from a generator of the caller's: the
official code draws prices and bounds before it seeds its own, so that they differ between processes.
"""

from __future__ import annotations

import bisect
import itertools
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from random import Random
from typing import SupportsIndex

import attrs

from skillsandbox.envs.webshop.catalogue import Product

PRICE_BOUNDS = tuple(10.0 * tens for tens in range(1, 100))
"""The bounds, in dollars, that goals put on the price."""

CANDIDATE_BOUNDS = 4
"""A goal's bound is one of this many that lie next above the price."""

NO_BOUND = 1_000_000.0
"""The bound, in dollars, of a goal that says nothing about the price."""

SHUFFLE_SEED = 233
"""The seed of the official order of goals."""

Prices = Callable[[Product], float]
"""Gives the price of a product in dollars."""


class GoalIndexError(LookupError):
    """There is no goal of the number asked for; the message says which numbers there are."""


@attrs.frozen
class WantedOption:
    """An option value that a goal asks for; synthetic goals say of which option (`color`), people do not."""

    value: str
    name: str | None = None


@attrs.frozen
class Goal:
    """A product to buy, and what of it counts.

    `asin`, `category`, `query`, `title` and `product_category` are those of the product that the goal was
    made from; another product may do as well. `price_upper` is in dollars, `NO_BOUND` where the price is
    free. `weight` says how often the goal is drawn, against others.
    """

    asin: str
    category: str
    query: str
    title: str
    product_category: str
    instruction: str
    attributes: tuple[str, ...]
    options: tuple[WantedOption, ...] = ()
    price_upper: float = NO_BOUND
    weight: float = 1.0


class Split(Enum):
    """The official parts of the shuffled goals, by their first number and the one after their last."""

    TEST = (0, 500)
    EVAL = (500, 1500)
    TRAIN = (1500, None)

    def of(self, goals: Sequence[Goal]) -> Sequence[Goal]:
        """Return the goals of this part; only the full catalogue has enough for all of them."""
        return goals[slice(*self.value)]


def drawn_price(product: Product, seed: int = 0) -> float:
    """Return a product's price in dollars; in a range, one that depends on seed and ASIN alone.

    So a price stays what it is when the catalogue is cut or edited elsewhere.
    """
    if len(product.prices) < 2:
        return product.prices[0]
    return Random(f"{seed}/{product.asin}").uniform(*product.prices[:2])


def official_prices(products: Iterable[Product], random: Random) -> dict[str, float]:
    """Return the prices in dollars by ASIN, drawn one after the other as the official code draws them."""
    return {
        product.asin: random.uniform(*product.prices[:2]) if len(product.prices) > 1 else product.prices[0]
        for product in products
    }


def human_goals(products: Iterable[Product], prices: Prices, random: Random) -> list[Goal]:
    """Return the goals that people worded, in the order of the products, unshuffled.

    Those that name no attribute are left out, as the official code does.
    """
    return [
        goal
        for product in products
        for instruction in product.human
        if instruction.attributes
        for goal in [
            _goal(
                product,
                instruction.text.strip("."),
                instruction.attributes,
                tuple(map(WantedOption, instruction.options)),
                price_bound(prices(product), random),
            )
        ]
    ]


def synthetic_goals(products: Iterable[Product], prices: Prices, random: Random) -> list[Goal]:
    """Return the goals of the file of attributes, one for each combination of option values, unshuffled.

    Rare attributes weigh more.
    """
    goals = [goal for product in products for goal in _synthetic(product, prices, random)]
    counts = Counter(attribute for goal in goals for attribute in goal.attributes)
    return [attrs.evolve(goal, weight=_weight(goal, counts)) for goal in goals]


def _synthetic(product: Product, prices: Prices, random: Random) -> Iterator[Goal]:
    instruction = product.synthetic
    if instruction is None or not instruction.attributes:
        return
    bound = price_bound(prices(product), random)
    groups = sorted(product.option_values.items())
    for values in itertools.product(*(values for _, values in groups)):
        options = tuple(WantedOption(value, name) for (name, _), value in zip(groups, values, strict=True))
        wording = instruction.text + options_clause(options)
        yield _goal(product, wording, instruction.attributes, options, bound)


def _goal(
    product: Product,
    wording: str,
    attributes: tuple[str, ...],
    options: tuple[WantedOption, ...],
    bound: float,
) -> Goal:
    return Goal(
        asin=product.asin,
        category=product.category,
        query=product.query,
        title=product.title,
        product_category=product.product_category,
        instruction=wording + price_clause(bound),
        attributes=attributes,
        options=options,
        price_upper=bound,
    )


def _weight(goal: Goal, counts: Counter[str]) -> float:
    return sum(1.0 / counts[attribute] for attribute in goal.attributes) / len(goal.attributes)


def price_bound(price: float, random: Random) -> float:
    """Return a bound in dollars above a price: the larger of two drawn.

    `NO_BOUND` where there are not two to draw.
    """
    candidates = [bound for bound in PRICE_BOUNDS if bound > price][:CANDIDATE_BOUNDS]
    return max(random.sample(candidates, 2)) if len(candidates) >= 2 else NO_BOUND


def price_clause(bound: float) -> str:
    """Return how a goal words its bound; nothing for `NO_BOUND`."""
    return "" if bound == NO_BOUND else f", and price lower than {bound:.2f} dollars"


def options_clause(options: Sequence[WantedOption]) -> str:
    """Return how a synthetic goal words its options."""
    named = ", and ".join(f"{option.name}: {option.value}" for option in options)
    return f" with {named}" if named else ""


def shuffled(goals: Sequence[Goal], seed: int = SHUFFLE_SEED) -> list[Goal]:
    """Return goals in the official order, from which the splits are cut."""
    order = list(goals)
    Random(seed).shuffle(order)
    return order


def goal_at(goals: Sequence[Goal], number: SupportsIndex) -> Goal:
    """Return the goal of a number; integers of every kind will do, those of NumPy included.

    Raises:
        GoalIndexError: there is no such goal; numbers do not count from the end.
        TypeError: this is not an integer.
    """
    index = operator.index(number)
    if not 0 <= index < len(goals):
        there_are = f"goals are numbered from 0 to {len(goals) - 1}" if goals else "there are no goals"
        raise GoalIndexError(f"no goal {index}: {there_are}")
    return goals[index]


def draw(goals: Sequence[Goal], random: Random) -> int:
    """Return the number of a goal drawn by weight.

    Raises:
        GoalIndexError: there are no goals.
    """
    if not goals:
        raise GoalIndexError("no goal can be drawn: there are no goals")
    cumulative = list(itertools.accumulate(goal.weight for goal in goals))
    return min(bisect.bisect(cumulative, random.uniform(0, cumulative[-1])), len(goals) - 1)
