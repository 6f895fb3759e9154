"""What the shopper does: searches, opens a result, reads, chooses options, goes back or buys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import attrs

from skillsandbox.compiler.environment import Decision
from skillsandbox.envs.webshop.agent_belief import Belief, Known
from skillsandbox.envs.webshop.agent_directives import Directive, Kind, sections_of
from skillsandbox.envs.webshop.agent_options import groups_of, is_in_title, lacking, nearest, wanted_values
from skillsandbox.envs.webshop.agent_text import (
    ItemPage,
    Offer,
    ResultsPage,
    SectionPage,
    Wish,
    alike,
    is_said,
    stems_of,
)
from skillsandbox.envs.webshop.episode import STEP_LIMIT
from skillsandbox.envs.webshop.pages import PAGE_SIZE

LONG_QUERY = 6
"""How many words a search has."""

SHORT_QUERY = 3
"""How many words a short one has."""

MOST_PAGES = 2
"""How many pages of a search's results are looked at before another search is tried."""

COMPARED = 3
"""How many products are opened before one is bought, where products are to be compared."""

COMING_BACK = 5
"""How many steps it takes to open another product, to read a section, and to open the former one again."""

SOME_QUERY = "gift"
"""What is searched where an instruction says nothing."""


@attrs.frozen(slots=False)
class Mind:
    """What a decision follows from: a belief, and the directives in force."""

    belief: Belief
    directives: tuple[Directive, ...] = ()

    def told(self, kind: Kind) -> bool:
        """Say whether a directive of the kind is in force."""
        return any(directive.kind is kind for directive in self.directives)

    @property
    def wish(self) -> Wish:
        """What is wanted."""
        return self.belief.wish

    @property
    def left(self) -> int:
        """How many actions are left, the next one included."""
        return max(1, STEP_LIMIT - self.belief.steps)

    @property
    def purchase(self) -> int:
        """How many actions it takes, at the most, to buy a product whose page is open."""
        return len(self.wish.options) + 1

    # Queries

    @property
    def next_query(self) -> str | None:
        """The first query that was not searched yet; None when the shopper has no more ideas."""
        return next((query for query in self._queries() if query not in self.belief.queries), None)

    def _queries(self) -> Iterator[str]:
        words = self.wish.words or (SOME_QUERY,)
        if self.told(Kind.FULL_QUERY):
            price = any(directive.with_price for directive in self.directives)
            known = price and self.wish.bound < float("inf")
            yield " ".join((*words, *((f"under {self.wish.bound:g} dollars",) if known else ())))
        brief = " ".join((self.wish.brief or words)[:SHORT_QUERY])
        if self.told(Kind.SHORT_QUERY):
            yield brief
        yield " ".join(words[:LONG_QUERY])
        yield " ".join(words)
        yield brief

    # Products

    @property
    def current(self) -> Known | None:
        """The product whose page, or a section of it, is open."""
        return self.belief.known.get(self.belief.at)

    def fault(self, known: Known) -> str:
        """Return why a product is out of the question; empty where it is not."""
        page = known.page
        if self.price(page) > self.wish.bound:
            return f"It costs more than {self.wish.bound:g} dollars"
        if not self.is_of_the_kind(page.title):
            return "It is something else"
        if self.told(Kind.LEAVE_WITHOUT_VARIANT):
            return next((f"It cannot be had as {one.value}" for one in lacking(self.wish, page)), "")
        return ""

    def price(self, page: ItemPage | Offer) -> float:
        """Return what a product is taken to cost: of a range the lower end, unless prices are to be gated."""
        return page.high if self.told(Kind.PRICE_GATE) else page.low

    def is_of_the_kind(self, title: str) -> bool:
        """Say whether a title has to do with what is wanted; or, where the kind is to be checked, names it.

        The name stands in the first part of a title, and is the last word for what is wanted.
        """
        wanted = self.wish.thing
        if self.told(Kind.CHECK_KIND):
            wanted, title = wanted[-1:], title.partition(",")[0]
        said = stems_of(title)
        return not wanted or any(alike(word, one) for word in wanted for one in said)

    def unsaid(self, known: Known) -> tuple[str, ...]:
        """Return what is wanted and has not been read of a product, phrase by phrase."""
        wanted = self.wish.claims if self.told(Kind.NEAREST_MATCH) else (*self.wish.claims, *self.wish.soft)
        claims = [" ".join(claim) for claim in wanted if not is_said(claim, known.texts)]
        return (*claims, *self._unnamed_values(known))

    def _unnamed_values(self, known: Known) -> Iterator[str]:
        """Yield what may be an option, or else must be said: `a backpack in red`."""
        for option in self.wish.options:
            offered = nearest(option.value, known.page.choices) is not None
            if not option.name and not offered and not is_said(stems_of(option.value), known.texts):
                yield option.value

    def unsaid_in_one(self, known: Known) -> tuple[str, ...]:
        """Return the claims that features and description do not both say."""
        sections = [known.sections.get(name, "") for name in ("features", "description")]
        return tuple(
            " ".join(claim)
            for claim in self.wish.claims
            if not all(is_said(claim, (text,)) for text in sections)
        )

    @property
    def best(self) -> str:
        """The link of the best product that was opened; empty where all are out of the question."""
        known = self.belief.known
        fitting = [link for link in known if not self.fault(known[link])]
        return min(fitting, key=lambda link: len(self.unsaid(known[link])), default="")

    # Results

    @cached_property
    def candidates(self) -> tuple[Offer, ...]:
        """The results in view that are worth opening, in the order in which they are opened."""
        offers = self.belief.results.offers if self.belief.results else ()
        fitting = [one for one in offers if one.link not in self.belief.known and self._fits(one)]
        return tuple(sorted(fitting, key=self._order))

    def _fits(self, offer: Offer) -> bool:
        return self.is_of_the_kind(offer.title) and self.price(offer) <= self.wish.bound

    def _overlap(self, offer: Offer) -> float:
        said = stems_of(offer.title)
        wanted = self.wish.stems
        return sum(any(alike(word, one) for one in said) for word in wanted) / len(wanted) if wanted else 1.0

    def _order(self, offer: Offer) -> tuple[float, float]:
        if self.told(Kind.CHEAPEST_FIRST):
            return (offer.low, 0.0)
        if self.told(Kind.BEST_TITLE):
            said = sum(is_said(claim, (offer.title,)) for claim in self.wish.claims)
            return (-said, -self._overlap(offer))
        return (0.0, 0.0)

    @property
    def is_more(self) -> bool:
        """Whether there is a further page of results that is looked at."""
        results = self.belief.results
        return (
            results is not None and results.number < MOST_PAGES and results.number * PAGE_SIZE < results.total
        )

    @property
    def elsewhere(self) -> bool:
        """Whether something else could be opened in the steps that are left."""
        return bool(self.candidates) or (self.is_more and self.left >= self.purchase + 6)


def choose(mind: Mind) -> Decision:
    """Return the next action and the reason for it."""
    match mind.belief.page:
        case ItemPage():
            rules = _AT_ITEM
        case ResultsPage():
            rules = _AT_RESULTS
        case SectionPage():
            rules = _AT_SECTION
        case _:
            query = mind.next_query or " ".join(mind.wish.words[:1]) or SOME_QUERY
            return Decision("I look for what is wanted.", f"search[{query}]")
    for rule in rules:
        step = rule(mind)
        if step is not None and mind.belief.allows(step.action):
            return step
    return Decision("I do not know what else to do.", min(mind.belief.admissible, default="click[< prev]"))


# A product's page


def _leave_what_is_wrong(mind: Mind) -> Decision | None:
    known = mind.current
    fault = mind.fault(known) if known else ""
    can_search = mind.next_query is not None and mind.left >= mind.purchase + 4
    can_buy_another = can_search or (mind.left >= mind.purchase + 2 and (mind.elsewhere or mind.best))
    return _leave(f"{fault}, so I go back.") if fault and can_buy_another else None


def _read(mind: Mind) -> Decision | None:
    known = mind.current
    if known is None or mind.left < len(_missing(mind)) + 3:
        return None
    section = next((name for name in _sections_to_read(mind, known) if name not in known.sections), None)
    return Decision(f"I read its {section} before I decide.", f"click[{section}]") if section else None


def _sections_to_read(mind: Mind, known: Known) -> Iterator[str]:
    yield from sections_of(mind.directives)
    if mind.told(Kind.BOTH_SECTIONS):
        yield from ("features", "description")
    if mind.unsaid(known) and not mind.told(Kind.BUY_AT_ONCE):
        yield "features"
        if mind.told(Kind.READ_DESCRIPTION):
            yield "description"
    if mind.told(Kind.READ_REVIEWS):
        yield "reviews"


def _leave_what_does_not_say_it(mind: Mind) -> Decision | None:
    known = mind.current
    if known is None or mind.told(Kind.BUY_AT_ONCE):
        return None
    unsaid = mind.unsaid_in_one(known) if mind.told(Kind.BOTH_SECTIONS) else mind.unsaid(known)
    if not unsaid or not mind.elsewhere or not _can_come_back(mind):
        return None
    return _leave(f"Nothing that I read says “{unsaid[0]}”, so I look at another.")


def _compare(mind: Mind) -> Decision | None:
    enough = not mind.told(Kind.COMPARE) or len(mind.belief.known) >= COMPARED
    if enough or not mind.elsewhere or not _can_come_back(mind):
        return None
    return _leave("I look at another one to compare.")


def _can_come_back(mind: Mind) -> bool:
    """Say whether another product can be opened, and the best of those known be bought afterwards."""
    return mind.left >= mind.purchase + (1 + COMING_BACK if mind.best == mind.belief.at else 2)


def _return_to_the_best(mind: Mind) -> Decision | None:
    other = mind.best not in ("", mind.belief.at) and _is_listed(mind, mind.best)
    if not other or mind.left < mind.purchase + 2:
        return None
    return _leave("I have seen a better one, so I go back to it.")


def _choose_option(mind: Mind) -> Decision | None:
    missing = _missing(mind)
    return Decision(f"{missing[0]} is wanted.", f"click[{missing[0]}]") if missing and mind.left > 1 else None


def _missing(mind: Mind) -> tuple[str, ...]:
    """Return the wanted values that are yet to be chosen: those that the title says are taken for granted."""
    page = mind.belief.page
    if not isinstance(page, ItemPage):
        return ()
    wanted = wanted_values(mind.wish, groups_of(page, mind.belief.admissible))
    explicit = mind.told(Kind.CHOOSE_VARIANTS)
    return tuple(
        value
        for value in wanted
        if value not in mind.belief.chosen and (explicit or not is_in_title(value, page))
    )


def _buy(mind: Mind) -> Decision | None:
    return Decision("This is it, so I buy it.", "click[buy now]")


def _leave(reason: str) -> Decision:
    return Decision(reason, "click[< prev]")


# Results


def _look_further(mind: Mind) -> Decision | None:
    results = mind.belief.results
    asked = mind.told(Kind.LOOK_FURTHER) and not mind.belief.known and mind.is_more
    if not asked or results is None or results.number > 1 or mind.left < mind.purchase + 4:
        return None
    return Decision("I look at more results before I open one.", "click[next >]")


def _open(mind: Mind) -> Decision | None:
    needed = mind.purchase + (COMING_BACK if mind.best and _is_listed(mind, mind.best) else 1)
    if not mind.candidates or mind.left < needed:
        return None
    offer = mind.candidates[0]
    return Decision(f"{offer.title} may be it.", f"click[{offer.link}]")


def _turn_the_page(mind: Mind) -> Decision | None:
    needed = mind.purchase + (6 if mind.best else 2)
    if not mind.is_more or mind.left < needed:
        return None
    return Decision("Nothing more here fits; I look at the next page.", "click[next >]")


def _search_again(mind: Mind) -> Decision | None:
    needed = mind.purchase + (8 if mind.best else 3)
    if mind.next_query is None or mind.left < needed:
        return None
    return Decision("Nothing here fits; I search again.", "click[back to search]")


def _reopen_the_best(mind: Mind) -> Decision | None:
    if not mind.best:
        return None
    if _is_listed(mind, mind.best):
        return Decision("Of what I have seen, this is the best.", f"click[{mind.best}]")
    return Decision("What I have seen before is better.", "click[< prev]")


def _open_anything(mind: Mind) -> Decision | None:
    offers = mind.belief.results.offers if mind.belief.results else ()
    offer = min(offers, key=lambda one: (one.low > mind.wish.bound, -mind._overlap(one)), default=None)
    return Decision("Nothing fits better.", f"click[{offer.link}]") if offer else None


def _start_again(mind: Mind) -> Decision | None:
    return Decision("There is nothing here.", "click[back to search]")


def _is_listed(mind: Mind, link: str) -> bool:
    results = mind.belief.results
    return results is not None and any(one.link == link for one in results.offers)


def _close_section(mind: Mind) -> Decision | None:
    return Decision("I have read this section.", "click[< prev]")


Rules = tuple[Callable[[Mind], Decision | None], ...]

_AT_ITEM: Rules = (
    _leave_what_is_wrong,
    _read,
    _leave_what_does_not_say_it,
    _compare,
    _return_to_the_best,
    _choose_option,
    _buy,
)
_AT_RESULTS: Rules = (
    _look_further,
    _open,
    _turn_the_page,
    _search_again,
    _reopen_the_best,
    _open_anything,
    _start_again,
)
_AT_SECTION: Rules = (_close_section,)
