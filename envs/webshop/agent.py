"""The built-in shopper, which needs no model: it searches, reads results, opens, chooses options and buys.

Without a skill it buys the first product whose title and price fit. What it reads in a skill's principle are
the directives of `Directive`, by their words; of all else in a principle it understands nothing. It is an
honest stand-in for a language model: it never looks at anything but the situation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from itertools import pairwise

import attrs

from skillsandbox.compiler.environment import Agent, Decision, Exchange, Guidance, Situation

MOST_OPENED = 4
"""How many products the shopper opens before it settles for the one it is at."""

LAST_CHANCE = 11
"""After so many actions the shopper buys what it is at, or else finds nothing more."""

LEAST_OVERLAP = 0.2
"""The share of the wanted words that a title must have to be opened while others are left."""

_SEPARATOR = " [SEP] "
_WORD = re.compile(r"[a-z0-9]+")
_BOUND = re.compile(
    r"(?:under|below|lower than|less than|cheaper than|at most|up to)\s*\$?\s*(\d+(?:\.\d+)?)", re.IGNORECASE
)
_PRICE = re.compile(r"\$(\d+(?:\.\d+)?)")
_CLICK = re.compile(r"click\[(.+)\]\Z")
_ASIN = re.compile(r"b[0-9a-z]{9}\Z")
_BUTTONS = frozenset(
    [
        "back to search",
        "< prev",
        "next >",
        "description",
        "features",
        "reviews",
        "attributes",
        "buy now",
        "search",
    ]
)
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an and are at be below buy can cheaper dollar dollars find for from get has have i in
        is it less like looking lower me most my need of on or our please price some than that
        the their this to under up want we which with would
        """,
    )
)
_STEM = 5


class Directive(Enum):
    """What a principle can tell the shopper, and the words by which it is recognised.

    Before a purchase it reads the features, or the description, and goes back where the texts that it has
    read do not say what is wanted; it looks at the price again on the product's page; it opens the cheapest
    of those that fit; it searches with fewer words; or it looks at the next page of results before it opens.
    """

    READ_FEATURES = (
        r"\b(features?|bullets?|bullet points|details?|specifications?|attributes?|constraints?)\b"
    )
    READ_DESCRIPTION = r"\bdescriptions?\b"
    CHEAPEST_FIRST = r"\b(cheapest|lowest price|sort by price)\b"
    SHORT_QUERY = r"\b(concise|short(er)? quer\w+|broad(er)?|fewer (key)?words)\b"
    LOOK_FURTHER = r"\b(next page|further results|more results|beyond the first)\b"


def directives_of(principle: str) -> frozenset[Directive]:
    """Return the directives that a principle contains."""
    return frozenset(one for one in Directive if re.search(one.value, principle, re.IGNORECASE))


def shopper(guidance: Guidance | None, seed: int) -> Agent:
    """Return the shopper, with or without a skill; it leaves nothing to chance."""
    return _Shopper(guidance)


@attrs.frozen
class _Shopper:
    guidance: Guidance | None

    def decide(self, situation: Situation) -> Decision:
        """Return the next action; the rationale cites the skill where the skill changes the action."""
        usual = _Mind(situation, frozenset()).decision()
        if self.guidance is None:
            return usual
        guided = _Mind(situation, directives_of(self.guidance.principle)).decision()
        if guided.action == usual.action:
            return usual
        return Decision(f"Following {self.guidance.id}: {guided.rationale}", guided.action)


def _stems(text: str) -> list[str]:
    """Return the words of a text that say something, cut to their first letters, each once, in order."""
    words = (word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS)
    return list(dict.fromkeys(word[:_STEM] for word in words))


def _phrases(text: str) -> Iterator[list[str]]:
    """Yield the stretches of words that say something, `to` and `of` between them left out."""
    phrase: list[str] = []
    for word in (*_WORD.findall(text.lower()), "and"):
        if word not in _STOP_WORDS:
            phrase.append(word[:_STEM])
        elif word not in ("to", "of") and phrase:
            yield phrase
            phrase = []


def _is_said(phrase: list[str], said: Iterable[list[str]]) -> bool:
    """Say whether texts contain a phrase: two words side by side, the words of a longer one anywhere."""
    texts = list(said)
    if len(phrase) == 2:
        return any(pair == tuple(phrase) for text in texts for pair in pairwise(text))
    return all(any(stem in text for text in texts) for stem in phrase)


@attrs.frozen
class _Offer:
    """A product in a list of results; `link` is its ASIN in lower case, `price` in dollars."""

    link: str
    title: str
    price: float


@attrs.define(frozen=True, slots=False)
class _Mind:
    """What a situation means, and what to do in it."""

    situation: Situation
    directives: frozenset[Directive]

    def decision(self) -> Decision:
        """Return what to do."""
        captions = self._captions
        if "buy now" in captions:
            return self._at_item()
        if "next >" in captions:
            return self._at_results()
        if captions == {"back to search", "< prev"}:
            return Decision("I have read this section.", "click[< prev]")
        return Decision("I look for what is wanted.", f"search[{self._query}]")

    @cached_property
    def _captions(self) -> set[str]:
        return {match[1] for one in self.situation.admissible if (match := _CLICK.match(one))}

    @cached_property
    def _segments(self) -> list[str]:
        return self.situation.observation.split(_SEPARATOR)

    @cached_property
    def _instruction(self) -> str:
        pages = [*(exchange.observation for exchange in self.situation.past), self.situation.observation]
        for page in pages:
            segments = page.split(_SEPARATOR)
            for before, text in pairwise(segments):
                if before.strip() == "Instruction:":
                    return text
        return ""

    @cached_property
    def _bound(self) -> float:
        found = _BOUND.search(self._instruction)
        return float(found[1]) if found else float("inf")

    @cached_property
    def _wish(self) -> str:
        """The instruction without its price."""
        return re.sub(r"\$\s*[\d.]+", " ", _BOUND.sub(" ", self._instruction))

    @cached_property
    def _wanted(self) -> list[str]:
        return _stems(self._wish)

    @cached_property
    def _query(self) -> str:
        words = [word for word in _WORD.findall(self._wish.lower()) if word not in _STOP_WORDS]
        most = 3 if Directive.SHORT_QUERY in self.directives or self._searches() else len(words)
        return " ".join(words[:most]) or "gift"

    def _searches(self) -> int:
        return sum(exchange.action.startswith("search[") for exchange in self.situation.past)

    # Results

    def _at_results(self) -> Decision:
        fitting = [one for one in self._offers() if one.price <= self._bound and one.link not in self._opened]
        if Directive.LOOK_FURTHER in self.directives and "< prev" not in self._captions and not self._opened:
            return Decision("I look at more results before I open one.", "click[next >]")
        best = min(fitting, key=self._order, default=None)
        if best is not None and (self._overlap(best.title) >= LEAST_OVERLAP or self._is_late):
            return Decision(f"{best.title} may be it.", f"click[{best.link}]")
        if self._searches() < 2 and not self._is_late:
            return Decision("Nothing here fits; I search again.", f"search[{self._query}]")
        if best is None and (offers := list(self._offers())):
            return Decision("Nothing fits better.", f"click[{offers[0].link}]")
        if best is not None:
            return Decision(f"{best.title} is the nearest.", f"click[{best.link}]")
        return Decision("I look at the next page.", "click[next >]")

    def _offers(self) -> Iterator[_Offer]:
        segments = self._segments
        for asin, title, price in zip(segments, segments[1:], segments[2:], strict=False):
            if _ASIN.match(asin.lower()) and asin.lower() in self._captions:
                found = _PRICE.search(price)
                yield _Offer(asin.lower(), title, float(found[1]) if found else float("inf"))

    def _order(self, offer: _Offer) -> tuple[float, float]:
        fit = -self._overlap(offer.title)
        return (offer.price, fit) if Directive.CHEAPEST_FIRST in self.directives else (fit, 0.0)

    def _overlap(self, text: str) -> float:
        own = set(_stems(text))
        return sum(stem in own for stem in self._wanted) / max(1, len(self._wanted))

    @property
    def _is_late(self) -> bool:
        return len(self.situation.past) >= LAST_CHANCE

    @cached_property
    def _opened(self) -> list[str]:
        """The links of the products that were opened, the present one last."""
        clicked = (_CLICK.match(exchange.action) for exchange in self.situation.past)
        return [match[1] for match in clicked if match and _ASIN.match(match[1])]

    # A product

    @cached_property
    def _visit(self) -> list[Exchange]:
        """The exchanges since the product's page was opened."""
        past = list(self.situation.past)
        starts = [index for index, one in enumerate(past) if one.action == f"click[{self._opened[-1]}]"]
        return past[starts[-1] + 1 :]

    def _at_item(self) -> Decision:
        if not self._opened:
            return Decision("This is what there is.", "click[buy now]")
        done = {exchange.action for exchange in self._visit}
        if not self._is_late:
            for section in self._sections():
                if f"click[{section}]" not in done:
                    return Decision(f"I read the {section} before I decide.", f"click[{section}]")
            if self._is_wrong() and len(set(self._opened)) < MOST_OPENED:
                return Decision("Its texts do not say what is wanted; I go back.", "click[< prev]")
        for value in self._options():
            if f"click[{value}]" not in done:
                return Decision(f"{value} is wanted.", f"click[{value}]")
        return Decision("This is it.", "click[buy now]")

    def _sections(self) -> Iterator[str]:
        if Directive.READ_FEATURES in self.directives:
            yield "features"
        if Directive.READ_DESCRIPTION in self.directives:
            yield "description"

    def _is_wrong(self) -> bool:
        """Say whether the texts that were read leave out something that is wanted."""
        if not any(True for _ in self._sections()):
            return False
        pages = [self.situation.observation, *(exchange.observation for exchange in self._visit)]
        said = [
            _stems(part) for page in pages for part in page.split(_SEPARATOR) if part != self._instruction
        ]
        return not all(_is_said(phrase, said) for phrase in _phrases(self._wish))

    def _options(self) -> Iterable[str]:
        wish = f" {' '.join(_WORD.findall(self._wish.lower()))} "
        for caption in sorted(self._captions - _BUTTONS, key=lambda one: (-len(one), one)):
            words = " ".join(_WORD.findall(caption))
            if words and f" {words} " in wish:
                yield caption
