"""The official reward of a purchase, to the letter, and why it is what it is.

Reward = kind * (attributes hit + options hit + price within the bound) / (attributes + options + 1), as in
princeton-nlp/WebShop's `get_reward`. Its scorer is thefuzz's `token_set_ratio`; rapidfuzz equals it after the
same preparation of the texts. What one would not expect is kept:

- An option's name is not looked at, and likeness is of words, so `large` passes for `x-large`.
- The options of synthetic goals are compared as the printed form of a (name, value) pair, unless the name or
  the value is a base colour by itself.
- An attribute may stand in title, features or description instead of the list, even as a part of a word.

A goal without attributes, on which the official code divides by zero, is scored by its options and price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

import attrs
from rapidfuzz import fuzz, utils

from skillsandbox.envs.webshop.catalogue import CATEGORY_SEPARATOR, Product
from skillsandbox.envs.webshop.colours import base_colour
from skillsandbox.envs.webshop.goals import NO_BOUND, Goal, WantedOption
from skillsandbox.envs.webshop.nouns import nouns as tagged_nouns

ALIKE = 85
"""Two texts match when their likeness, 0 to 100, is above this."""

SHARED_CATEGORIES = 2
"""How many parts of their category paths two products of one kind share."""

NO_NOUNS_SCORE = 0.2
"""The title score where the goal's title has no nouns."""

Nouns = Callable[[str], Sequence[str]]
"""Gives the nouns of a title."""

_LATIN_1_SUPPLEMENT: dict[int, None] = dict.fromkeys(range(0x80, 0x100))


class Place(Enum):
    """Where an attribute was found."""

    LIST = "listed"
    TITLE = "in the title"
    FEATURES = "in the features"
    DESCRIPTION = "in the description"


@attrs.frozen
class KindTerm:
    """How far a product is of the goal's kind; `title_score` is the share of the goal's nouns that it has."""

    query_match: bool
    category_match: bool
    title_score: float

    @property
    def factor(self) -> float:
        """The factor of the reward: 1, 0.5, 0.1 or 0."""
        if self.title_score == 0.0:
            return 0.0
        if self.title_score < 0.1:
            return 0.1
        return 1.0 if self.query_match or self.category_match or self.title_score > 0.2 else 0.5

    @property
    def reason(self) -> str:
        """What the factor comes from, in words."""
        same = [
            *(["same query"] if self.query_match else []),
            *(["related category"] if self.category_match else []),
            f"{self.title_score:.0%} of the nouns in the goal's title",
        ]
        return ", ".join(same)


@attrs.frozen
class AttributeTerm:
    """An attribute that the goal asks for, and where the product has it; None where it has it nowhere."""

    attribute: str
    place: Place | None

    @property
    def hit(self) -> bool:
        """Whether the product has the attribute."""
        return self.place is not None


@attrs.frozen
class OptionTerm:
    """An option value that the goal asks for, and the chosen value that passes for it, if one does."""

    wanted: WantedOption
    chosen: str | None

    @property
    def hit(self) -> bool:
        """Whether a value was chosen that passes."""
        return self.chosen is not None


@attrs.frozen
class PriceTerm:
    """The price that was paid and the goal's bound, in dollars."""

    price: float
    bound: float

    @property
    def hit(self) -> bool:
        """Whether the price is within the bound."""
        return self.price <= self.bound

    @property
    def is_free(self) -> bool:
        """Whether the goal says nothing about the price."""
        return self.bound == NO_BOUND


@attrs.frozen
class Score:
    """A purchase's reward by its terms."""

    kind: KindTerm
    attributes: tuple[AttributeTerm, ...]
    options: tuple[OptionTerm, ...]
    price: PriceTerm

    @property
    def hits(self) -> int:
        """How many of the goal's demands are met, the price among them."""
        attributes = sum(term.hit for term in self.attributes)
        return attributes + sum(term.hit for term in self.options) + self.price.hit

    @property
    def demands(self) -> int:
        """How many demands the goal makes, the price among them."""
        return len(self.attributes) + len(self.options) + 1

    @property
    def reward(self) -> float:
        """The reward, 0 to 1; 1 is success."""
        return self.hits / self.demands * self.kind.factor

    def lines(self) -> tuple[str, ...]:
        """Return the score in words, a line for each term, for reports and terminals."""
        return (
            f"reward {self.reward:.3f}: {self.hits} of {self.demands} demands met, "
            f"times {self.kind.factor:g} for the kind of product",
            *map(_attribute_line, self.attributes),
            *map(_option_line, self.options),
            _price_line(self.price),
            f"kind: {self.kind.reason}",
        )


def _attribute_line(term: AttributeTerm) -> str:
    return f"attribute {term.attribute}: {term.place.value if term.place else 'not found'}"


def _option_line(term: OptionTerm) -> str:
    wanted = f"{term.wanted.name}: {term.wanted.value}" if term.wanted.name else term.wanted.value
    return f"option {wanted}: {'not chosen' if term.chosen is None else f'chosen as {term.chosen}'}"


def _price_line(term: PriceTerm) -> str:
    if term.is_free:
        return f"price ${term.price:.2f}: any price will do"
    return f"price ${term.price:.2f}: {'within' if term.hit else 'above'} ${term.bound:.2f}"


def score(
    product: Product,
    goal: Goal,
    price: float,
    options: Mapping[str, str],
    nouns: Nouns = tagged_nouns,
) -> Score:
    """Return the score of buying a product at a price in dollars, with option values by option name."""
    return Score(
        kind=kind_term(product, goal, nouns),
        attributes=tuple(AttributeTerm(wanted, _place(product, wanted)) for wanted in goal.attributes),
        options=tuple(OptionTerm(wanted, passing(options.values(), wanted)) for wanted in goal.options),
        price=PriceTerm(price, goal.price_upper),
    )


def kind_term(product: Product, goal: Goal, nouns: Nouns = tagged_nouns) -> KindTerm:
    """Return how far a product is of the goal's kind."""
    wanted = {part.strip() for part in goal.product_category.split(CATEGORY_SEPARATOR)}
    return KindTerm(
        query_match=product.query == goal.query,
        category_match=len(wanted.intersection(product.categories)) >= SHARED_CATEGORIES,
        title_score=_title_score(nouns(product.title), nouns(goal.title)),
    )


def _title_score(nouns: Sequence[str], wanted: Sequence[str]) -> float:
    if not wanted:
        return NO_NOUNS_SCORE
    return len(set(nouns) & set(wanted)) / len(wanted)


def _place(product: Product, wanted: str) -> Place | None:
    if any(likeness(attribute, wanted) > ALIKE for attribute in product.attributes):
        return Place.LIST
    texts = {
        Place.TITLE: product.title,
        Place.FEATURES: " ".join(product.bullets),
        Place.DESCRIPTION: product.description,
    }
    return next((place for place, text in texts.items() if wanted in text.lower()), None)


def passing(values: Iterable[str], wanted: WantedOption) -> str | None:
    """Return the first of an option's values that passes for the wanted one; None where none does."""
    target = _comparable(wanted)
    return next((value for value in values if likeness(base_colour(value) or value, target) > ALIKE), None)


def _comparable(wanted: WantedOption) -> str:
    if wanted.name is None:
        return base_colour(wanted.value) or wanted.value
    pair = (wanted.name, wanted.value)
    return base_colour(pair) or str(pair)


def likeness(first: str, second: str) -> int:
    """Return thefuzz's `token_set_ratio` of two texts, 0 to 100: how far one's words are in the other."""
    return round(fuzz.token_set_ratio(_prepared(first), _prepared(second)))


def _prepared(text: str) -> str:
    return utils.default_process(text.translate(_LATIN_1_SUPPLEMENT))
