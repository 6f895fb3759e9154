"""What the shopper believes: rebuilt from the transcript alone, so that a run can be continued."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

import attrs

from skillsandbox.compiler.environment import Situation
from skillsandbox.envs.webshop.agent_text import (
    ItemPage,
    Page,
    ResultsPage,
    SectionPage,
    StartPage,
    Wish,
    instruction_of,
    page_of,
    wish_of,
)

_ACTION = re.compile(r"(search|click)\[(.+)\]")


@attrs.frozen
class Known:
    """A product whose page was opened: what the page showed, and the texts of the sections that were read."""

    page: ItemPage
    sections: Mapping[str, str] = attrs.Factory(dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all that the shopper has read of it."""
        return (self.page.title, *self.page.choices, *self.sections.values())


@attrs.frozen
class Belief:
    """What was wanted, seen and done, as the transcript tells it.

    `steps` counts the actions so far, those before the agent's first step included. `results` is the page of
    results that was seen last. `known` holds products by their link, in the order in which they were first
    opened; `at` is the link of the one whose page, or a section of it, is open, and `chosen` what was clicked
    of its options.
    """

    wish: Wish = attrs.Factory(Wish)
    page: Page = attrs.Factory(StartPage)
    steps: int = 0
    queries: tuple[str, ...] = ()
    results: ResultsPage | None = None
    known: Mapping[str, Known] = attrs.Factory(dict)
    at: str = ""
    chosen: frozenset[str] = frozenset()
    admissible: frozenset[str] = frozenset()

    def allows(self, action: str) -> bool:
        """Say whether an action is admissible now, if it is no search."""
        return action in self.admissible


def belief_of(situation: Situation) -> Belief:
    """Return what the shopper believes in a situation."""
    actions = ("", *(exchange.action for exchange in situation.past))
    observations = (*(exchange.observation for exchange in situation.past), situation.observation)
    belief = functools.reduce(_after, zip(actions, observations, strict=True), Belief(steps=-1))
    return attrs.evolve(
        belief,
        wish=wish_of(instruction_of(observations[0])),
        admissible=frozenset(situation.admissible),
    )


def _after(belief: Belief, exchange: tuple[str, str]) -> Belief:
    """Return the belief after one more action and the page that it led to."""
    action, observation = exchange
    found = _ACTION.match(action)
    verb, words = (found[1], found[2].lower()) if found else ("", "")
    queries = (*belief.queries, words) if verb == "search" else belief.queries
    before, page = belief.page, page_of(observation)
    belief = attrs.evolve(belief, steps=belief.steps + 1, page=page, queries=queries)
    match page:
        case StartPage():
            return attrs.evolve(belief, results=None, at="", chosen=frozenset())
        case ResultsPage():
            return attrs.evolve(belief, results=page, at="", chosen=frozenset())
        case ItemPage() if isinstance(before, ResultsPage):
            known = {**belief.known, words: attrs.evolve(belief.known.get(words, Known(page)), page=page)}
            return attrs.evolve(belief, at=words, known=known)
        case ItemPage() if isinstance(before, ItemPage) and words in page.choices:
            return attrs.evolve(belief, chosen=belief.chosen | {words})
        case SectionPage(text=text) if belief.at in belief.known:
            own = belief.known[belief.at]
            read = attrs.evolve(own, sections={**own.sections, words: text})
            return attrs.evolve(belief, known={**belief.known, belief.at: read})
        case _:
            return belief
